/* checks.c - what do warps do that their results may not show? Feeds collect/check with what blocks, warps and lanes
 * do, and puts what it finds into words. Nothing here is called where no checker is set; with one, blocks run on one
 * thread, one after the other. */
#include "collect/simt/simt_internal.h"

#include "base/demangle.h"
#include "collect/check/overlap.h"
#include "collect/check/race_check.h"
#include "collect/check/written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECT_BYTES = 8, GROUPS = 8, PLACE_TEXT = 320, ONE_PLACE = UINT32_MAX };

/* Lanes that name each other in a mask: how often each has come. All the same: nobody is missing. */
typedef struct mask_group {
    uint32_t mask, awaited; /* as written; lanes of it that were there to come. mask 0: free */
    const void *meets;      /* what they do: the function of their uop, or that of bar.warp.sync */
    uint32_t pc;            /* where the first came; */
    uint32_t lane;
    uint32_t count[WS_WARP];
} mask_group;

typedef struct warp_checks {
    mask_group group[GROUPS];
    uint32_t groups;         /* in use */
    uint8_t *local;          /* bits of the threads' local memory, lane after lane; NULL: untouched */
    uint32_t local_capacity; /* bytes a lane that it has bits for */
} warp_checks;

struct block_checks {
    ws_race_block *race; /* NULL: not checked */
    uint8_t *shared;     /* bits; NULL: not checked */
    bool sync;
    warp_checks warp[];
};

/* ---- words ---- */

static ws_checker *checker_of(const block *b)
{
    return b->launch->device->checker;
}

void checks_place_words(const code *c, uint32_t pc, char *text, size_t size)
{
    if (ws_origin_words(c->origin, pc, text, size))
        return;
    const char *const file = block_file(c, pc), *const slash = strrchr(file, '/');
    snprintf(text, size, "%s:%u", slash ? slash + 1 : file, c->instr[pc].line);
}

static void place_words(const launch *l, uint32_t pc, char *text, size_t size)
{
    checks_place_words(l->code, pc, text, size);
}

const char *checks_access_word(const code *c, uint32_t pc, bool writes)
{
    const ws_access access = (ws_access)c->instr[pc].access;
    return access == WS_ACCESS_ATOMIC || access == WS_ACCESS_REDUCE ? "atomic" : writes ? "write" : "read";
}

static const char *access_word(const launch *l, uint32_t pc, bool writes)
{
    return checks_access_word(l->code, pc, writes);
}

void checks_thread_words(const uint32_t grid[3], const uint32_t dim[3], uint64_t index, uint32_t thread, char *text,
                         size_t size)
{
    snprintf(text, size, "block (%u,%u,%u), thread (%u,%u,%u)", (unsigned)(index % grid[0]),
             (unsigned)(index / grid[0] % grid[1]), (unsigned)(index / grid[0] / grid[1]), thread % dim[0],
             thread / dim[0] % dim[1], thread / dim[0] / dim[1]);
}

/* "race.cu:28 (write by block (0,0,0), thread (33,0,0))". */
static void actor_words(const launch *l, uint32_t pc, const char *what, uint64_t index, uint32_t thread, char *text,
                        size_t size)
{
    char at[PLACE_TEXT / 2], who[96];
    place_words(l, pc, at, sizeof at);
    checks_thread_words(l->run->grid, l->run->block, index, thread, who, sizeof who);
    snprintf(text, size, "%s (%s by %s)", at, what, who);
}

/* "s" of `_ZZ4kernPiE1s`: what the text calls it. */
static void name_words(const char *symbol, char *text, size_t size)
{
    char *const whole = ws_demangle(symbol);
    const char *name = whole ? whole : symbol;
    for (const char *at = name; (at = strstr(at, "::")); at += 2)
        name = at + 2;
    snprintf(text, size, "%s", name);
    free(whole);
}

static bool variable_words(const ws_device *device, uint64_t address, char *text, size_t size)
{
    for (const ws_image *image = device->images; image; image = image->next)
        for (uint32_t i = 0; i < image->module->vars; i++) {
            const ws_variable *const v = image->module->var[i];
            if (image->address[i] && v->space == WS_SPACE_GLOBAL && address - image->address[i] < v->size) {
                char name[PLACE_TEXT / 2];
                name_words(v->name, name, sizeof name);
                snprintf(text, size, "byte %llu of `%s`", (unsigned long long)(address - image->address[i]), name);
                return true;
            }
        }
    return false;
}

static void shared_words(const launch *l, uint64_t offset, char *text, size_t size)
{
    const code *const c = l->code;
    for (uint32_t i = 0; i < c->shareds; i++) {
        const shared_name *const s = &c->shared[i];
        const uint64_t end = s->bytes ? s->offset + s->bytes : l->facts.shared_bytes;
        if (offset >= s->offset && offset < end) {
            char name[PLACE_TEXT / 2];
            name_words(s->name, name, sizeof name);
            snprintf(text, size, "byte %llu of shared `%s`", (unsigned long long)(offset - s->offset), name);
            return;
        }
    }
    snprintf(text, size, "byte %llu of shared memory", (unsigned long long)offset);
}

void checks_global_words(const ws_device *device, uint64_t address, char *text, size_t size)
{
    span s;
    if (variable_words(device, address, text, size))
        return;
    if (memory_heap_contains(device->memory, address) && memory_heap_find(device->memory, address, &s))
        snprintf(text, size, "byte %llu of %llu bytes that malloc gave at 0x%llx",
                 (unsigned long long)(address - s.low), (unsigned long long)(s.high - s.low),
                 (unsigned long long)s.low);
    else if (memory_find(device->memory, address, &s))
        snprintf(text, size, "byte %llu of the allocation of %llu bytes at 0x%llx",
                 (unsigned long long)(address - s.low), (unsigned long long)(s.high - s.low),
                 (unsigned long long)s.low);
    else
        snprintf(text, size, "address 0x%llx", (unsigned long long)address);
}

static void memory_words(const launch *l, ws_space space, uint64_t address, char *text, size_t size)
{
    if (space == WS_SPACE_SHARED)
        shared_words(l, address, text, size);
    else if (space == WS_SPACE_LOCAL)
        snprintf(text, size, "byte %llu of the thread's local memory", (unsigned long long)address);
    else
        checks_global_words(l->device, address, text, size);
}

/* ---- findings ---- */

/* One place: "kernel k: race.cu:28 (read by ...)WHAT". `what` follows at once. */
static void find_one(const warp *w, const uop *u, unsigned lane, ws_finding_kind kind, const char *did,
                     const char *what)
{
    const launch *const l = w->block->launch;
    ws_checker *const c = checker_of(w->block);
    const ws_finding_at at = {kind, l->facts.kernel, u->pc, ONE_PLACE};
    char line[PLACE_TEXT], actor[PLACE_TEXT], text[3 * PLACE_TEXT];
    if (ws_checker_again(c, &at))
        return;
    place_words(l, u->pc, line, sizeof line);
    actor_words(l, u->pc, did, w->block->index, w->index * WS_WARP + lane, actor, sizeof actor);
    snprintf(text, sizeof text, "kernel %s: %s%s", l->facts.kernel, actor, what);
    ws_checker_add(c, &at, line, text);
}

/* Two accesses of an object without lines of the source: what those of copies of an unrolled loop have in common.
 * False: nothing is known. */
static bool find_alike(const launch *l, const uint32_t pc[2], const char *object, ws_alike *alike, char *text,
                       size_t size)
{
    const code *const c = l->code;
    char words[2][PLACE_TEXT], origin[PLACE_TEXT / 2];
    uint64_t constant[2];
    for (int i = 0; i < 2; i++)
        if (ws_origin_words(c->origin, pc[i], origin, sizeof origin) ||
            !check_alike_words(c, pc[i], words[i], sizeof words[i], &constant[i]))
            return false;
    const uint32_t line[2] = {c->instr[pc[0]].line, c->instr[pc[1]].line};
    const int order = strcmp(words[0], words[1]);
    const bool swap = order > 0 || (!order && line[0] > line[1]);
    *alike = (ws_alike){text, {line[swap], line[!swap]}, {constant[swap], constant[!swap]}, swap};
    return snprintf(text, size, "%s; %s; %s", words[swap], words[!swap], object) < (int)size;
}

/* Two places; the older one comes second. `object`: where the bytes are that both access; NULL: they access none. */
static void find_two(const warp *w, uint32_t pc, const char *actor, uint32_t other, const char *other_actor,
                     ws_finding_kind kind, const char *what, const char *object)
{
    const launch *const l = w->block->launch;
    const ws_finding_at at = {kind, l->facts.kernel, pc, other};
    char places[2][PLACE_TEXT / 2], pair[PLACE_TEXT + 8], text[4 * PLACE_TEXT], of[3 * PLACE_TEXT];
    place_words(l, pc, places[0], sizeof places[0]);
    place_words(l, other, places[1], sizeof places[1]);
    const bool swap = strcmp(places[0], places[1]) > 0; /* the same two lines are one finding, whoever came first */
    snprintf(pair, sizeof pair, "%s and %s", places[swap], places[!swap]);
    snprintf(text, sizeof text, "kernel %s: %s and %s: %s", l->facts.kernel, actor, other_actor, what);
    const uint32_t pcs[] = {pc, other};
    ws_alike alike;
    const bool are_alike = object && find_alike(l, pcs, object, &alike, of, sizeof of);
    ws_checker_add_alike(checker_of(w->block), &at, pair, text, are_alike ? &alike : NULL);
}

/* "shared `s`" of "byte 4 of shared `s`". */
static const char *object_of(const char *where)
{
    const char *const of = strstr(where, " of ");
    return of ? of : where;
}

static void find_race(const warp *w, const uop *u, unsigned lane, ws_space space, const ws_race_access *a,
                      const ws_race_other *o)
{
    const launch *const l = w->block->launch;
    const ws_finding_kind kind = o->block == w->block->index ? WS_FINDING_RACE_WARPS : WS_FINDING_RACE_BLOCKS;
    const ws_finding_at at = {kind, l->facts.kernel, u->pc, o->access.pc};
    char mine[PLACE_TEXT], other[PLACE_TEXT], where[PLACE_TEXT];
    if (ws_checker_again(checker_of(w->block), &at))
        return;
    actor_words(l, u->pc, access_word(l, u->pc, a->writes), w->block->index, w->index * WS_WARP + lane, mine,
                sizeof mine);
    actor_words(l, o->access.pc, access_word(l, o->access.pc, o->access.writes), o->block,
                o->access.warp * WS_WARP + o->access.lane, other, sizeof other);
    memory_words(l, space, o->address, where, sizeof where);
    find_two(w, u->pc, mine, o->access.pc, other, kind, where, object_of(where));
}

static void find_unwritten(const warp *w, const uop *u, unsigned lane, ws_space space, uint64_t address)
{
    static const ws_finding_kind kinds[WS_SPACES] = {[WS_SPACE_GLOBAL] = WS_FINDING_INIT_GLOBAL,
                                                     [WS_SPACE_SHARED] = WS_FINDING_INIT_SHARED,
                                                     [WS_SPACE_LOCAL] = WS_FINDING_INIT_LOCAL};
    char where[PLACE_TEXT], what[PLACE_TEXT + 8];
    memory_words(w->block->launch, space, address, where, sizeof where);
    snprintf(what, sizeof what, ": %s", where);
    find_one(w, u, lane, kinds[space], access_word(w->block->launch, u->pc, false), what);
}

/* ---- launches and blocks ---- */

bool checks_wanted(const ws_device *device)
{
    return device->checker;
}

void checks_begin(launch *l)
{
    ws_checker *const c = l->device->checker;
    if (!l->run->is_child)
        ws_checker_flush_family(c); /* of the launch before */
    l->sees = ws_checker_wants(c, WS_CHECK_INIT) || ws_checker_wants(c, WS_CHECK_RACE);
    if (ws_checker_wants(c, WS_CHECK_INIT))
        check_copies(&l->kernel->code);
    if (!ws_checker_wants(c, WS_CHECK_RACE))
        return;
    if (l->cluster_blocks > 1) {
        ws_checker_cannot(c, l->facts.kernel, "races are not looked for in launches with clusters of several blocks");
        return;
    }
    l->races = ws_checker_race_begin(c, l->facts.blocks, l->facts.warps_per_block);
    if (!l->races)
        ws_checker_cannot(c, l->facts.kernel,
                          "races are not looked for in a launch of 2^32 warps and more, nor without memory");
    else if (l->run->is_child)
        ws_checker_cannot(
            c, l->facts.kernel,
            "another kernel launched it; races of the two are not looked for, what it does itself is checked");
    if (l->races)
        check_overlap_begin(l);
}

void checks_end(launch *l)
{
    if (l->races)
        ws_checker_race_end(l->device->checker);
    l->races = false;
    if (l->device->checker)
        ws_checker_flush(l->device->checker);
}

bool checks_block_begin(block *b)
{
    const launch *const l = b->launch;
    ws_checker *const c = checker_of(b);
    struct block_checks *k = b->checks;
    if (!k)
        k = b->checks = calloc(1, sizeof *k + b->warps * sizeof *k->warp);
    if (!k)
        return block_fail(b, WS_EMEM, "no memory for checks");
    if (ws_checker_wants(c, WS_CHECK_INIT)) {
        if (!k->shared)
            k->shared = malloc(ws_written_bytes(b->shared_bytes) + 1);
        if (!k->shared)
            return block_fail(b, WS_EMEM, "no memory for checks");
        memset(k->shared, 0, ws_written_bytes(b->shared_bytes));
    }
    k->sync = ws_checker_wants(c, WS_CHECK_SYNC);
    for (uint32_t i = 0; i < b->warps; i++) {
        warp_checks *const w = &k->warp[i];
        if (w->local)
            memset(w->local, 0, ws_written_bytes((uint64_t)WS_WARP * w->local_capacity));
        memset(w->group, 0, sizeof w->group);
        w->groups = 0;
    }
    k->race = l->races ? ws_race_block_begin(ws_checker_race(c), b->index, b->shared_bytes) : NULL;
    return !l->races || k->race || block_fail(b, WS_EMEM, "no memory for checks");
}

void checks_block_end(block *b)
{
    if (!b->checks)
        return;
    ws_race_block_end(ws_checker_race(checker_of(b)), b->checks->race);
    b->checks->race = NULL;
}

void checks_block_destroy(block *b)
{
    struct block_checks *const k = b->checks;
    if (!k)
        return;
    checks_block_end(b);
    for (uint32_t i = 0; i < b->warps; i++)
        free(k->warp[i].local);
    free(k->shared);
    free(k);
}

/* ---- memory ---- */

/* Bits of the lanes' local memory, as large as that is now; NULL: no memory. */
static warp_checks *local_bits(warp *w)
{
    warp_checks *const k = &w->block->checks->warp[w->index];
    const uint32_t capacity = (w->local_capacity + 7) / 8 * 8;
    if (k->local && k->local_capacity >= capacity)
        return k;
    uint8_t *const more = calloc(ws_written_bytes((uint64_t)WS_WARP * capacity) + 1, 1);
    if (!more)
        return NULL;
    for (unsigned i = 0; i < WS_WARP && k->local; i++)
        memcpy(more + (size_t)i * capacity / 8, k->local + (size_t)i * k->local_capacity / 8, k->local_capacity / 8);
    free(k->local);
    k->local = more;
    k->local_capacity = capacity;
    return k;
}

static bool knows_written(const block *b, ws_space space)
{
    return b->checks->shared && (space == WS_SPACE_GLOBAL || space == WS_SPACE_SHARED || space == WS_SPACE_LOCAL);
}

void checks_wrote(warp *w, ws_space space, unsigned lane, uint64_t address, uint64_t bytes)
{
    const block *const b = w->block;
    warp_checks *k;
    if (!knows_written(b, space))
        return;
    if (space == WS_SPACE_GLOBAL)
        ws_written_store(ws_checker_written(checker_of(b)), address, bytes);
    else if (space == WS_SPACE_SHARED)
        ws_written_bits_set(b->checks->shared, address, bytes, true);
    else if ((k = local_bits(w)))
        ws_written_bits_set(k->local, (uint64_t)lane * k->local_capacity + address, bytes, true);
}

void checks_frame(warp *w, uint32_t from, uint32_t bytes)
{
    const warp_checks *const k = w->block->checks->shared ? local_bits(w) : NULL;
    for (unsigned i = 0; k && i < WS_WARP; i++)
        ws_written_bits_set(k->local, (uint64_t)i * k->local_capacity + from, bytes, false);
}

void checks_wrote_generic(warp *w, unsigned lane, uint64_t address, uint64_t bytes)
{
    if (address - SHARED_WINDOW < w->block->shared_bytes)
        checks_wrote(w, WS_SPACE_SHARED, lane, address - SHARED_WINDOW, bytes);
    else if (address - LOCAL_WINDOW < w->local_used)
        checks_wrote(w, WS_SPACE_LOCAL, lane, address - LOCAL_WINDOW, bytes);
    else if (address >= MEMORY_LOW_BASE)
        checks_wrote(w, WS_SPACE_GLOBAL, lane, address, bytes);
}

/* The first of a lane's bytes that nobody has written; address + bytes: there is none. */
static uint64_t first_unwritten(warp *w, ws_space space, unsigned lane, uint64_t address, unsigned bytes)
{
    const block *const b = w->block;
    warp_checks *k;
    if (space == WS_SPACE_GLOBAL)
        return ws_written_first(ws_checker_written(checker_of(b)), address, bytes);
    if (space == WS_SPACE_SHARED)
        return ws_written_bits_first(b->checks->shared, address, bytes);
    if (!(k = local_bits(w)))
        return address + bytes;
    const uint64_t begin = (uint64_t)lane * k->local_capacity;
    return ws_written_bits_first(k->local, begin + address, bytes) - begin;
}

/* What a load brings that only copies is no gap of a struct, nor a part of one that is not used yet, where nobody has
 * written a byte of the aligned piece around it: of shared memory as much as the widest access, of global memory as
 * much as a warp of words. Local memory holds objects that a copy takes whole. */
enum { GAP_SHARED = 16, GAP_GLOBAL = 128 };

static bool is_gap(const block *b, unsigned copy, ws_space space, uint64_t address)
{
    const uint64_t piece = space == WS_SPACE_GLOBAL ? GAP_GLOBAL : GAP_SHARED, low = address / piece * piece;
    if (space == WS_SPACE_GLOBAL)
        return ws_written_near(ws_checker_written(checker_of(b)), address, low, low + piece);
    if (space != WS_SPACE_SHARED || copy == COPY_KEPT)
        return true;
    return ws_written_bits_any(b->checks->shared, low,
                               (low + piece < b->shared_bytes ? low + piece : b->shared_bytes) - low);
}

/* A lane uses bytes: has somebody written them? Of an element of which a part is written the rest is a gap of a struct.
 */
static void use(warp *w, const uop *u, ws_space space, unsigned lane, uint64_t address, unsigned bytes,
                unsigned element)
{
    const block *const b = w->block;
    const unsigned copy = b->launch->code->copies ? b->launch->code->copies[u->pc] : COPY_NONE;
    if (!knows_written(b, space) || first_unwritten(w, space, lane, address, bytes) == address + bytes)
        return;
    if (copy && is_gap(b, copy, space, address))
        return;
    for (uint64_t at = address; at < address + bytes; at += element) {
        unsigned unwritten = 0;
        while (unwritten < element && first_unwritten(w, space, lane, at + unwritten, 1) == at + unwritten)
            unwritten++;
        if (unwritten == element) {
            find_unwritten(w, u, lane, space, at);
            return;
        }
    }
}

void checks_see(warp *w, const uop *u, ws_space space, unsigned lane, uint64_t address, unsigned bytes,
                const checked_access *how)
{
    const block *const b = w->block;
    ws_race_block *const race = b->checks->race;
    const bool shared = space == WS_SPACE_SHARED;
    ws_race_other other;
    if (how->reads)
        use(w, u, space, lane, address, bytes, how->element ? how->element : bytes);
    if (how->writes)
        checks_wrote(w, space, lane, address, bytes);
    if (!race || (!shared && space != WS_SPACE_GLOBAL))
        return;
    const ws_race_access a = {.warp = w->index,
                              .pc = u->pc,
                              .lane = (uint8_t)lane,
                              .reach = how->reach,
                              .writes = how->writes,
                              .atomic = how->reads && how->writes,
                              .changes = how->changes};
    if (ws_race_see(ws_checker_race(checker_of(b)), race, &a, shared, address, bytes, &other))
        find_race(w, u, lane, space, &a, &other);
    if (b->launch->actor && !shared)
        check_overlap_see(w, &a, address, bytes);
}

static ws_race_reach reach_of(uint8_t scope)
{
    return scope == WS_SCOPE_CTA || scope == WS_SCOPE_CLUSTER ? WS_RACE_OF_BLOCK
                                                              : WS_RACE_OF_ALL; /* a cluster has one block */
}

void checks_fence(const warp *w, const uop *u)
{
    const struct block_checks *const k = w->block->checks;
    if (k->race)
        ws_race_fence(k->race, w->index, reach_of(w->block->launch->code->instr[u->pc].scope));
}

/* Atomic and volatile accesses, and those past the L1, by which programs tell each other how far they are. */
uint8_t checks_reach(const warp *w, const uop *u, bool strong)
{
    return strong ? (uint8_t)reach_of(w->block->launch->code->instr[u->pc].scope) : WS_RACE_PLAIN;
}

void checks_order_before(const warp *w, const uop *u, bool shared, uint32_t lanes, const uint64_t *address, bool reads)
{
    const block *const b = w->block;
    const uint8_t order = b->launch->code->instr[u->pc].order;
    if (!b->checks->race)
        return;
    if (order == WS_ORDER_RELEASE || order == WS_ORDER_ACQ_REL || order == WS_ORDER_SC)
        checks_fence(w, u);
    const ws_race_reach reach = (ws_race_reach)checks_reach(w, u, true);
    WS_EACH_LANE (i, reads ? lanes : 0) {
        ws_race_acquire(ws_checker_race(checker_of(b)), b->checks->race, w->index, shared, address[i], reach);
        if (b->launch->actor && !shared && reach == WS_RACE_OF_ALL)
            ws_overlap_acquire(ws_checker_overlap(checker_of(b)), address[i]);
    }
}

void checks_order_after(const warp *w, const uop *u, bool shared, uint32_t lanes, const uint64_t *address)
{
    const block *const b = w->block;
    if (!b->checks->race)
        return;
    const ws_race_reach reach = (ws_race_reach)checks_reach(w, u, true);
    WS_EACH_LANE (i, lanes)
        if (ws_race_release(ws_checker_race(checker_of(b)), b->checks->race, w->index, shared, address[i], reach) &&
            b->launch->actor)
            ws_overlap_release(ws_checker_overlap(checker_of(b)), address[i]);
}

/* An operation on an mbarrier object orders what comes before with what comes after those that see it. */
void checks_object(warp *w, uint32_t offset)
{
    const block *const b = w->block;
    checks_wrote(w, WS_SPACE_SHARED, 0, offset, OBJECT_BYTES);
    if (!b->checks->race)
        return;
    ws_race_fence(b->checks->race, w->index, WS_RACE_OF_BLOCK);
    ws_race_acquire(ws_checker_race(checker_of(b)), b->checks->race, w->index, true, offset, WS_RACE_OF_BLOCK);
    ws_race_release(ws_checker_race(checker_of(b)), b->checks->race, w->index, true, offset, WS_RACE_OF_BLOCK);
}

void checks_copied(warp *w, const uop *u, unsigned lane, uint32_t to, const unsigned char *from, unsigned bytes)
{
    const block *const b = w->block;
    const uint64_t source = (uint64_t)(uintptr_t)from;
    checks_see(w, u, WS_SPACE_SHARED, lane, to, bytes, &(checked_access){.writes = true, .changes = true});
    for (unsigned i = 0; from && b->checks->shared && i < bytes; i++)
        if (ws_written_first(ws_checker_written(checker_of(b)), source + i, 1) == source + i)
            ws_written_bits_set(b->checks->shared, to + i, 1, false); /* it holds what nobody has written */
}

/* Several lanes stored to the same bytes: the memory has what the last one gave. */
void checks_lanes(const warp *w, const uop *u, ws_space space, unsigned lane, unsigned other, uint64_t address)
{
    const launch *const l = w->block->launch;
    const ws_finding_at at = {WS_FINDING_RACE_LANES, l->facts.kernel, u->pc, u->pc};
    char mine[PLACE_TEXT], others[PLACE_TEXT], where[PLACE_TEXT];
    if (!w->block->checks->race || ws_checker_again(checker_of(w->block), &at))
        return;
    actor_words(l, u->pc, "write", w->block->index, w->index * WS_WARP + lane, mine, sizeof mine);
    actor_words(l, u->pc, "write", w->block->index, w->index * WS_WARP + other, others, sizeof others);
    memory_words(l, space, address, where, sizeof where);
    find_two(w, u->pc, mine, u->pc, others, WS_FINDING_RACE_LANES, where, object_of(where));
}

/* Device malloc gave the bytes to a thread. */
void checks_heap(const warp *w, uint64_t address, uint64_t bytes)
{
    const block *const b = w->block;
    if (b->checks->race)
        ws_checker_race_forget(checker_of(b), address, bytes);
    if (b->checks->shared)
        ws_written_fresh(ws_checker_written(checker_of(b)), address, bytes);
}

/* ---- barriers ---- */

void checks_arrive(const warp *w, unsigned number)
{
    if (w->block->checks->race)
        ws_race_arrive(w->block->checks->race, w->index, number);
}

void checks_pass(const block *b, uint32_t index, unsigned number)
{
    if (b->checks->race)
        ws_race_pass(b->checks->race, index, number);
}

void checks_close(const block *b, unsigned number)
{
    if (b->checks->race)
        ws_race_close(b->checks->race, number);
}

/* Where a lane that does not take part stands: the newest path that has it, but for the running one. NULL: it is not
 * known. */
static const uop *stands_at(const warp *w, unsigned lane)
{
    for (uint32_t k = w->paths - 1; k-- > 0;)
        if (w->path[k].mask >> lane & 1)
            return w->path[k].pc == FLOW_END ? NULL : &w->block->launch->code->uop[w->path[k].pc];
    return NULL;
}

/* Nothing but its end is left of a lane's thread: it stands there, or at jumps that lead there, as builds without
 * optimization have them. */
static bool is_leaving(const warp *w, unsigned lane)
{
    enum { JUMPS = 16 }; /* more go in a circle */
    const uop *u = stands_at(w, lane);
    for (unsigned i = 0; u && i < JUMPS && u->kind == UOP_BRA && !u->guard; i++)
        u = u->target == FLOW_END ? NULL : &w->block->launch->code->uop[u->target];
    return u && (u->kind == UOP_EXIT || (u->kind == UOP_RET && w->frames == 1));
}

static void lanes_words(uint32_t lanes, char *text, size_t size)
{
    size_t n = 0;
    *text = '\0';
    while (lanes && n + 16 < size) {
        const unsigned first = ws_lowest(lanes);
        unsigned last = first;
        while (last + 1 < WS_WARP && lanes >> (last + 1) & 1)
            last++;
        n += (size_t)(last > first ? snprintf(text + n, size - n, "%s%u-%u", n ? "," : "", first, last)
                                   : snprintf(text + n, size - n, "%s%u", n ? "," : "", first));
        for (unsigned i = first; i <= last; i++)
            lanes &= ~(1u << i);
    }
}

/* bar.sync and the like want all lanes of the warp that have not exited. */
void checks_aligned(const warp *w, const uop *u, uint32_t exec)
{
    const launch *const l = w->block->launch;
    const uint32_t missing = w->live & ~exec;
    const ws_finding_at at = {WS_FINDING_SYNC_DIVERGED, l->facts.kernel, u->pc, ONE_PLACE};
    char lanes[128], where[PLACE_TEXT], what[2 * PLACE_TEXT];
    uint32_t waited = missing;
    WS_EACH_LANE (i, missing)
        waited &= ~((uint32_t)(!(w->mask.bits >> i & 1) && is_leaving(w, (unsigned)i)) << i);
    if (!w->block->checks->sync || !exec || !waited || ws_checker_again(checker_of(w->block), &at))
        return;
    const unsigned first = ws_lowest(waited);
    const uop *const other = w->mask.bits >> first & 1 ? u : stands_at(w, first);
    lanes_words(waited, lanes, sizeof lanes);
    if (other && other != u) {
        place_words(l, other->pc, where, sizeof where);
        snprintf(what, sizeof what, ": lanes %s of the warp do not come with it, lane %u is at %s", lanes, first,
                 where);
    } else {
        snprintf(what, sizeof what, ": lanes %s of the warp do not come with it", lanes);
    }
    find_one(w, u, ws_lowest(exec), WS_FINDING_SYNC_DIVERGED, "barrier", what);
}

void checks_misused(const warp *w, const uop *u, unsigned lane, const char *what)
{
    char text[PLACE_TEXT];
    if (!w->block->checks || !w->block->checks->sync)
        return;
    snprintf(text, sizeof text, ": %s", what);
    find_one(w, u, lane, WS_FINDING_SYNC_COUNT, "barrier", text);
}

/* Nobody can go on: where one waits, and where one that it waits for is, or that there is none. */
void checks_deadlock(const block *b, const warp *w, unsigned lane, unsigned number)
{
    const launch *const l = b->launch;
    const warp *other = NULL;
    char mine[PLACE_TEXT], others[PLACE_TEXT], what[PLACE_TEXT];
    if (!b->checks || !b->checks->sync)
        return;
    for (uint32_t i = 0; i < b->warps && !other; i++)
        if (b->warp[i].state == WARP_BARRIER && b->warp[i].barrier && !b->barrier[number].waiting[i])
            other = &b->warp[i];
    snprintf(what, sizeof what, ": nobody else is left to come to barrier %u", number);
    if (!other) {
        find_one(w, w->barrier, lane, WS_FINDING_SYNC_MISSING, "barrier", what);
        return;
    }
    actor_words(l, w->barrier->pc, "barrier", b->index, w->index * WS_WARP + lane, mine, sizeof mine);
    actor_words(l, other->barrier->pc, "barrier", b->index, other->index * WS_WARP + ws_lowest(other->live), others,
                sizeof others);
    const ws_finding_at at = {WS_FINDING_SYNC_MISSING, l->facts.kernel, w->barrier->pc, other->barrier->pc};
    if (!ws_checker_again(checker_of(b), &at))
        find_two(w, w->barrier->pc, mine, other->barrier->pc, others, WS_FINDING_SYNC_MISSING,
                 "both wait, for each other", NULL);
}

/* ---- masks ---- */

static uint32_t ahead(const mask_group *g, uint32_t lanes)
{
    uint32_t most = 0, behind = 0;
    WS_EACH_LANE (i, g->awaited)
        most = g->count[i] > most ? g->count[i] : most;
    WS_EACH_LANE (i, g->awaited & lanes)
        behind |= (uint32_t)(g->count[i] < most) << i;
    return behind;
}

static void find_absent(const warp *w, const mask_group *g, uint32_t absent)
{
    const launch *const l = w->block->launch;
    const uop at = {.pc = g->pc};
    char lanes[128], what[PLACE_TEXT];
    lanes_words(absent, lanes, sizeof lanes);
    snprintf(what, sizeof what, ": mask 0x%08x names lanes %s, which never come there", g->mask, lanes);
    find_one(w, &at, g->lane, WS_FINDING_SYNC_ABSENT, access_word(l, g->pc, false)[0] == 'a' ? "atomic" : "wait", what);
}

static void drop(warp_checks *k, mask_group *g)
{
    g->mask = 0;
    k->groups--;
}

/* These lanes go on to where their warp cannot wait for others any more: a barrier of the block, or their end. */
void checks_settle(const warp *w, uint32_t lanes)
{
    warp_checks *const k = &w->block->checks->warp[w->index];
    for (unsigned i = 0; k->groups && i < GROUPS; i++) {
        mask_group *const g = &k->group[i];
        if (!g->mask || g->awaited & ~lanes & w->live)
            continue;
        const uint32_t absent = ahead(g, UINT32_MAX);
        if (absent)
            find_absent(w, g, absent);
        drop(k, g);
    }
}

static mask_group *group_of(warp_checks *k, const void *meets, uint32_t mask)
{
    mask_group *free_one = NULL;
    for (unsigned i = 0; i < GROUPS; i++) {
        if (k->group[i].mask == mask && k->group[i].meets == meets)
            return &k->group[i];
        if (!k->group[i].mask && !free_one)
            free_one = &k->group[i];
    }
    return free_one; /* NULL: too many at once; that some do not come is not seen */
}

/* Lanes of one mask come; not all that it names. */
static void join_group(const warp *w, const uop *u, const void *meets, uint32_t mask, uint32_t lanes)
{
    warp_checks *const k = &w->block->checks->warp[w->index];
    mask_group *const g = group_of(k, meets, mask);
    if (!g)
        return;
    if (!g->mask) {
        *g = (mask_group){
            .mask = mask, .awaited = mask & w->live, .meets = meets, .pc = u->pc, .lane = ws_lowest(lanes)};
        k->groups++;
    }
    WS_EACH_LANE (i, lanes)
        g->count[i]++;
    WS_EACH_LANE (i, g->awaited & ~lanes)
        if (!g->count[i] && is_leaving(w, (unsigned)i)) /* who leaves is not waited for */
            g->awaited &= ~(1u << i);
    if (!ahead(g, UINT32_MAX))
        drop(k, g);
}

void checks_mask(const warp *w, const uop *u, const void *meets, const uint32_t *members, uint32_t exec)
{
    warp_checks *const k = &w->block->checks->warp[w->index];
    if (!w->block->checks->sync)
        return;
    for (uint32_t rest = exec; rest;) {
        const uint32_t mask = members[ws_lowest(rest)];
        uint32_t lanes = 0;
        WS_EACH_LANE (i, rest)
            lanes |= (uint32_t)(members[i] == mask) << i;
        rest &= ~lanes;
        if (lanes & ~mask) {
            char what[96];
            snprintf(what, sizeof what, ": its mask 0x%08x does not have the lane itself", mask);
            find_one(w, u, ws_lowest(lanes & ~mask), WS_FINDING_SYNC_MASK, "mask", what);
        }
        lanes &= mask;
        if (lanes && (mask & w->live & ~lanes || k->groups))
            join_group(w, u, meets, mask, lanes);
    }
}

/* Lane `lane` takes a value from `source`, which is not there. */
void checks_source(const warp *w, const uop *u, unsigned lane, unsigned source)
{
    char what[160];
    if (!w->block->checks->sync)
        return;
    const bool exists = w->index * WS_WARP + source < w->block->launch->facts.threads_per_block;
    snprintf(what, sizeof what, ": takes the value of lane %u, which %s", source,
             !exists                    ? "does not exist"
             : !(w->live >> source & 1) ? "has exited"
                                        : "is not there or not in the mask");
    find_one(w, u, lane, WS_FINDING_SYNC_SOURCE, "shuffle", what);
}

/* ---- the host ---- */

void ws_device_set_checker(ws_device *device, struct ws_checker *checker)
{
    device->checker = checker;
}

static ws_written *written_of(const ws_device *device)
{
    return device && ws_checker_wants(device->checker, WS_CHECK_INIT) ? ws_checker_written(device->checker) : NULL;
}

void ws_device_fresh(ws_device *device, uint64_t address, uint64_t bytes)
{
    if (written_of(device))
        ws_written_fresh(written_of(device), address, bytes);
}

void ws_device_wrote(ws_device *device, uint64_t address, uint64_t bytes)
{
    if (written_of(device))
        ws_written_store(written_of(device), address, bytes);
}

void ws_device_copied(ws_device *device, uint64_t to, uint64_t from, uint64_t bytes)
{
    if (written_of(device))
        ws_written_copy(written_of(device), to, from, bytes);
}

void checks_given(const ws_device *device, uint64_t address, uint64_t bytes)
{
    if (ws_checker_wants(device->checker, WS_CHECK_RACE))
        ws_checker_race_forget(device->checker, address, bytes);
}

void checks_freed(ws_device *device, uint64_t address)
{
    span s;
    if (!device->checker || !memory_find(device->memory, address, &s))
        return;
    if (written_of(device))
        ws_written_forget(written_of(device), s.low, s.high - s.low);
    if (ws_checker_overlap(device->checker))
        ws_overlap_forget(ws_checker_overlap(device->checker), s.low, s.high - s.low);
}
