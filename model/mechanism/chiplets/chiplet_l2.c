/* chiplet_l2.c - see chiplet_l2.h. */
#include "model/mechanism/chiplets/chiplet_l2.h"

#include "base/grow.h"
#include "base/lru.h"
#include "base/table.h"

#include <stdlib.h>

enum { SHARED = 0, STACKS = 1 + WS_CHIPLET_POLICIES }; /* a policy with directories has stacks of its own */
enum { MOST_WORDS = 32, WORD_BYTES = 4 };
enum { ASKS, ANSWERS, WAYS }; /* over the link */

/* A copy under a policy. `epoch`: acquires of its L2 when it was known to be there. */
typedef struct copy {
    uint32_t known, dirty; /* words */
    uint32_t epoch;
    uint32_t listed; /* 1: in the list of lines that may be dirty */
} copy;

typedef struct line_of {
    uint64_t line;
    uint32_t home, kernel; /* kernel: that used it last */
    copy copy[WS_CHIPLET_POLICIES];
} line_of;

typedef struct dirty_list {
    uint32_t *place;
    size_t lines, room;
} dirty_list;

typedef struct stack {
    ws_lru order;
    line_of *line; /* [lines] at their places */
    size_t lines, room;
    dirty_list dirty[WS_CHIPLET_POLICIES];
    uint32_t epoch[WS_CHIPLET_POLICIES];
} stack;

/* The last read of a line, under each policy. */
typedef struct coming_line {
    ws_slice_read read[WS_CHIPLET_POLICIES];
} coming_line;

struct ws_chiplet_l2 {
    ws_chiplet_l2_options options;
    uint8_t stack_of[WS_CHIPLET_POLICIES];
    uint32_t all_words, kernel;
    uint32_t word_flits[MOST_WORDS + 1]; /* of a message with so many words */
    stack stack[WS_CHIPLETS_MOST][STACKS];
    ws_table coming[WS_CHIPLETS_MOST];                              /* lines that this launch reads: a coming_line */
    ws_slice_queue *queue;                                          /* [chiplets][slices][WS_CHIPLET_POLICIES] */
    ws_passage *part;                                               /* the same of parts of L3s */
    ws_passage link[WS_CHIPLETS_MOST][WAYS][WS_CHIPLET_POLICIES];   /* to the chiplet */
    ws_directory *directory[WS_CHIPLETS_MOST][WS_CHIPLET_POLICIES]; /* NULL: it has none */
    ws_chiplet_counts counts[WS_CHIPLET_POLICIES];
};

static size_t queues_of(const ws_chiplet_l2 *c)
{
    return (size_t)c->options.chiplets * c->options.slices * WS_CHIPLET_POLICIES;
}

static int make_queues(ws_chiplet_l2 *c)
{
    int status = WS_OK;
    c->queue = calloc(queues_of(c), sizeof *c->queue);
    c->part = calloc(queues_of(c), sizeof *c->part);
    if (!c->queue || !c->part)
        return ws_fail(WS_EMEM, "no memory for the queues of L2 slices");
    for (size_t i = 0; i < queues_of(c) && !status; i++) {
        status = ws_slice_queue_init(&c->queue[i], &c->options.slice);
        if (!status)
            status = ws_passage_init(&c->part[i], 1);
    }
    for (uint32_t i = 0; i < c->options.chiplets && !status; i++)
        for (unsigned k = 0; k < WAYS * WS_CHIPLET_POLICIES && !status; k++)
            status =
                ws_passage_init(&c->link[i][k / WS_CHIPLET_POLICIES][k % WS_CHIPLET_POLICIES], c->options.link_places);
    return status;
}

static void clear_queues(ws_chiplet_l2 *c)
{
    for (size_t i = 0; i < queues_of(c); i++) {
        ws_slice_queue_clear(&c->queue[i], &c->options.slice);
        ws_passage_clear(&c->part[i], 1);
    }
    for (uint32_t i = 0; i < c->options.chiplets; i++)
        for (unsigned k = 0; k < WAYS * WS_CHIPLET_POLICIES; k++)
            ws_passage_clear(&c->link[i][k / WS_CHIPLET_POLICIES][k % WS_CHIPLET_POLICIES], c->options.link_places);
}

static void destroy_queues(ws_chiplet_l2 *c)
{
    for (size_t i = 0; i < queues_of(c); i++) {
        if (c->queue)
            ws_slice_queue_fini(&c->queue[i]);
        if (c->part)
            ws_passage_fini(&c->part[i]);
    }
    for (uint32_t i = 0; i < c->options.chiplets; i++)
        for (unsigned k = 0; k < WAYS * WS_CHIPLET_POLICIES; k++)
            ws_passage_fini(&c->link[i][k / WS_CHIPLET_POLICIES][k % WS_CHIPLET_POLICIES]);
    free(c->queue);
    free(c->part);
}

int ws_chiplet_l2_create(const ws_chiplet_l2_options *o, ws_chiplet_l2 **out)
{
    if (!o->chiplets || o->chiplets > WS_CHIPLETS_MOST || !o->words || o->words > MOST_WORDS || !o->lines ||
        !o->flit_bytes)
        return ws_fail(WS_EINPUT,
                       "L2s of %u chiplets, %llu lines of %u words; expected 1 to %d chiplets, lines of 1 to %d words",
                       o->chiplets, (unsigned long long)o->lines, o->words, WS_CHIPLETS_MOST, MOST_WORDS);
    if (!o->slices || !o->link_places || !o->slice.queue || !o->slice.reads || !o->slice.sends || !o->slice.merges)
        return ws_fail(
            WS_EINPUT,
            "L2s of %u slices with %u requests and %u reads for %u requests each; expected at least 1 of each",
            o->slices, o->slice.queue, o->slice.reads, o->slice.merges);
    ws_chiplet_l2 *const c = *out = calloc(1, sizeof *c);
    if (!c)
        return ws_fail(WS_EMEM, "no memory for L2s");
    c->options = *o;
    c->all_words = UINT32_MAX >> (MOST_WORDS - o->words);
    for (uint32_t i = 0; i <= MOST_WORDS; i++)
        c->word_flits[i] = (o->header_bytes + i * WORD_BYTES + o->flit_bytes - 1) / o->flit_bytes;
    int status = make_queues(c);
    for (uint32_t i = 0; i < o->chiplets; i++) {
        c->coming[i] = WS_TABLE(coming_line);
        for (unsigned k = 0; k < STACKS; k++)
            ws_lru_init(&c->stack[i][k].order, WS_LRU_MOST);
    }
    for (unsigned p = 0; p < WS_CHIPLET_POLICIES; p++) {
        const bool own = ws_chiplet_policy_of((ws_chiplet_policy)p)->directories;
        c->stack_of[p] = (uint8_t)(own ? 1 + p : SHARED);
        for (uint32_t i = 0; i < o->chiplets && own && !status; i++)
            status = ws_directory_create(&o->directory, &c->directory[i][p]);
    }
    if (status) {
        ws_chiplet_l2_destroy(c);
        *out = NULL;
    }
    return status;
}

void ws_chiplet_l2_destroy(ws_chiplet_l2 *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; i < WS_CHIPLETS_MOST; i++) {
        for (unsigned k = 0; k < STACKS; k++) {
            stack *const s = &c->stack[i][k];
            ws_lru_fini(&s->order);
            free(s->line);
            for (unsigned p = 0; p < WS_CHIPLET_POLICIES; p++)
                free(s->dirty[p].place);
        }
        ws_table_fini(&c->coming[i]);
        for (unsigned p = 0; p < WS_CHIPLET_POLICIES; p++)
            ws_directory_destroy(c->directory[i][p]);
    }
    destroy_queues(c);
    free(c);
}

ws_chiplet_counts ws_chiplet_l2_counts(const ws_chiplet_l2 *c, ws_chiplet_policy policy)
{
    return c->counts[policy];
}

void ws_chiplet_l2_next(ws_chiplet_l2 *c)
{
    for (uint32_t i = 0; i < c->options.chiplets; i++)
        ws_table_clear(&c->coming[i]);
    clear_queues(c);
    c->kernel++;
}

/* ------------------------------------------------------------------------------------------------ copies */

/* The line is used; *entry: what is known of it, valid until the next one is added. */
static int use(stack *s, uint64_t line, uint32_t home, uint32_t *place, uint64_t *distance, line_of **entry)
{
    const int status = ws_lru_use(&s->order, line, distance);
    if (status)
        return status;
    *place = ws_lru_first(&s->order);
    if (*place == s->lines) {
        if (WS_GROW(s->line, s->room, s->lines, 1))
            return ws_fail(WS_EMEM, "no memory for the lines of an L2");
        s->lines++;
    }
    *entry = &s->line[*place];
    if (*distance == WS_LRU_FAR)
        **entry = (line_of){.line = line, .home = home};
    return WS_OK;
}

/* Messages with so many words each; of requests and acknowledgments none. */
static void count_home_flits(const ws_chiplet_l2 *c, ws_chiplet_counts *n, bool remote, uint32_t words,
                             uint32_t more_words)
{
    const uint32_t flits = c->word_flits[words] + (more_words ? c->word_flits[more_words] : 0);
    n->home_flits += flits;
    n->remote_flits += remote ? flits : 0;
}

/* The home of the line gets newer words than its own chiplet has. */
static void probe_home(ws_chiplet_l2 *c, uint64_t line, uint32_t home, ws_chiplet_policy p)
{
    stack *const s = &c->stack[home][SHARED];
    const uint32_t place = c->options.probes ? ws_lru_find(&s->order, line) : WS_LRU_NONE;
    if (place == WS_LRU_NONE)
        return;
    copy *const y = &s->line[place].copy[p];
    if (y->dirty) {
        c->counts[p].victims++;
        count_home_flits(c, &c->counts[p], false, c->options.words, 0);
    }
    y->known = y->dirty = 0;
}

/* A dirty line leaves its L2. */
static void count_written(ws_chiplet_l2 *c, uint64_t *which, uint32_t chiplet, const line_of *l, ws_chiplet_policy p)
{
    ws_chiplet_counts *const n = &c->counts[p];
    ++*which;
    if (l->home != chiplet)
        probe_home(c, l->line, l->home, p);
    n->remote_victims += l->home != chiplet;
    count_home_flits(c, n, l->home != chiplet, c->options.words, 0);
}

/* What others took away since, or an acquire gave up: dirty words survive that, which acquire() saw to. */
static void bring_up_to_date(ws_chiplet_l2 *c, uint32_t chiplet, line_of *l, uint64_t distance, ws_chiplet_policy p)
{
    copy *const y = &l->copy[p];
    const stack *const s = &c->stack[chiplet][c->stack_of[p]];
    if (distance >= c->options.lines && y->dirty)
        count_written(c, &c->counts[p].victims, chiplet, l, p);
    if (distance >= c->options.lines)
        y->known = y->dirty = 0;
    if (y->epoch != s->epoch[p])
        y->known = y->dirty;
    y->epoch = s->epoch[p];
}

static int make_dirty(stack *s, uint32_t place, uint32_t mask, ws_chiplet_policy p)
{
    copy *const y = &s->line[place].copy[p];
    y->known |= mask;
    y->dirty |= mask;
    if (y->listed)
        return WS_OK;
    if (WS_GROW(s->dirty[p].place, s->dirty[p].room, s->dirty[p].lines, 1))
        return ws_fail(WS_EMEM, "no memory for the dirty lines of an L2");
    s->dirty[p].place[s->dirty[p].lines++] = place;
    y->listed = 1;
    return WS_OK;
}

/* The request, and the line. */
static void count_fetch(const ws_chiplet_l2 *c, ws_chiplet_counts *n, bool remote)
{
    n->fetches++;
    n->remote_fetches += remote;
    count_home_flits(c, n, remote, 0, c->options.words);
}

static void count_through(const ws_chiplet_l2 *c, ws_chiplet_counts *n, bool remote, uint32_t mask)
{
    n->through++;
    n->remote_through += remote;
    count_home_flits(c, n, remote, (uint32_t)__builtin_popcount(mask), 0);
}

static void count_atomic(const ws_chiplet_l2 *c, ws_chiplet_counts *n, bool remote, uint32_t mask)
{
    const uint32_t words = (uint32_t)__builtin_popcount(mask);
    count_home_flits(c, n, remote, words, words);
}

/* Of a load the request and the line, of a store its words and the acknowledgment, of an atomic operation its words
 * both ways. */
static void count_asked(const ws_chiplet_l2 *c, ws_chiplet_counts *n, bool remote, ws_chiplet_access kind,
                        uint32_t mask)
{
    const bool load = kind == WS_CHIPLET_LOAD || kind == WS_CHIPLET_POLL;
    const uint32_t words = (uint32_t)__builtin_popcount(mask);
    n->l1_flits += c->word_flits[load ? 0 : words] + c->word_flits[load                        ? c->options.words
                                                                   : kind == WS_CHIPLET_ATOMIC ? words
                                                                                               : 0];
    n->loads += load;
    n->stores += kind == WS_CHIPLET_STORE;
    n->atomics += kind == WS_CHIPLET_ATOMIC;
    n->remote_loads += remote && load;
    n->remote_stores += remote && !load;
    n->remote_atomics += remote && kind == WS_CHIPLET_ATOMIC;
}

/* ------------------------------------------------------------------------------------------------ without directories
 */

typedef struct access {
    uint32_t chiplet, slice, home, part, mask;
    uint64_t line, now, memory;
    ws_chiplet_access kind;
    bool remote;
    coming_line *coming;  /* of a load or poll, valid during the access */
    ws_slice_visit visit; /* under the policy that is looked at */
    uint64_t ready;       /* by options.pace */
} access;

static ws_slice_queue *queue_of(const ws_chiplet_l2 *c, const access *a, ws_chiplet_policy p)
{
    return &c->queue[((size_t)a->chiplet * c->options.slices + a->slice) * WS_CHIPLET_POLICIES + p];
}

static void enter(const ws_chiplet_l2 *c, access *a, ws_chiplet_policy p)
{
    a->visit = ws_slice_enter(queue_of(c, a, p), &c->options.slice, a->now);
    if (p == c->options.pace)
        a->ready = 0;
}

/* The slice sends something home: when the answer is there. */
static uint64_t go_home(ws_chiplet_l2 *c, const access *a, ws_chiplet_policy p)
{
    const ws_chiplet_l2_options *const o = &c->options;
    const uint64_t way = a->remote ? o->link_cycles : 0;
    ws_passage *const part = &c->part[((size_t)a->home * o->slices + a->part) * WS_CHIPLET_POLICIES + p];
    uint64_t at = a->visit.served;
    if (a->remote)
        at = ws_passage_take(&c->link[a->home][ASKS][p], o->link_places, a->now, at, way + 1);
    ws_slice_send(queue_of(c, a, p), &o->slice, at);
    at = ws_passage_take(part, 1, a->now + way, at + way, o->slice.period) + o->l3_cycles + a->memory;
    if (a->remote && a->kind != WS_CHIPLET_STORE)
        at =
            ws_passage_take(&c->link[a->chiplet][ANSWERS][p], o->link_places, a->now + way + o->l3_cycles, at, way + 1);
    return at + way;
}

static void leave(ws_chiplet_l2 *c, access *a, ws_chiplet_policy p)
{
    ws_slice_leave(queue_of(c, a, p), &c->options.slice, &a->visit);
    if (p == c->options.pace && a->ready < a->visit.served)
        a->ready = a->visit.served;
}

/* What the L2 has, or will have when a read is over that leaves a copy. */
static void hit(ws_chiplet_l2 *c, access *a, const line_of *l, ws_chiplet_policy p)
{
    ws_slice_read *const r = &a->coming->read[p];
    if (ws_slice_join(&c->options.slice, r, &a->visit) && p == c->options.pace)
        a->ready = r->until;
    c->counts[p].hits++;
    c->counts[p].kernel_hits += l->kernel != c->kernel;
}

/* The words have to come from their home: with a read that is under way, or by one that begins. Does one begin? */
static bool fetch(ws_chiplet_l2 *c, access *a, ws_chiplet_policy p)
{
    ws_slice_read *const r = &a->coming->read[p];
    const bool joins = ws_slice_join(&c->options.slice, r, &a->visit);
    if (joins)
        c->counts[p].merged++;
    else {
        ws_slice_begin(queue_of(c, a, p), &c->options.slice, r, &a->visit);
        ws_slice_expect(queue_of(c, a, p), &c->options.slice, r, go_home(c, a, p));
        count_fetch(c, &c->counts[p], a->remote);
    }
    if (p == c->options.pace)
        a->ready = r->until;
    return !joins;
}

/* A store, which nobody waits for, or an atomic operation is done at home. */
static void pass_on(ws_chiplet_l2 *c, access *a, ws_chiplet_policy p)
{
    const uint64_t back = go_home(c, a, p);
    if (a->kind == WS_CHIPLET_STORE)
        count_through(c, &c->counts[p], a->remote, a->mask);
    else
        count_atomic(c, &c->counts[p], a->remote, a->mask);
    if (a->kind == WS_CHIPLET_ATOMIC && p == c->options.pace)
        a->ready = back;
}

/* A poll may have what was asked for since it entered the queue, and nothing older. */
static bool is_too_old(const access *a, ws_chiplet_policy p)
{
    return a->kind == WS_CHIPLET_POLL && a->visit.entered >= a->coming->read[p].asked;
}

/* Dirty words go home, and no copy stays. */
static void give_up(ws_chiplet_l2 *c, const access *a, line_of *l, ws_chiplet_policy p)
{
    if (l->copy[p].dirty)
        count_written(c, &c->counts[p].victims, a->chiplet, l, p);
    l->copy[p].known = l->copy[p].dirty = 0;
}

static int access_kept(ws_chiplet_l2 *c, access *a, uint32_t place, uint64_t distance, ws_chiplet_policy p)
{
    stack *const s = &c->stack[a->chiplet][SHARED];
    line_of *const l = &s->line[place];
    bring_up_to_date(c, a->chiplet, l, distance, p);
    if (a->kind == WS_CHIPLET_STORE)
        return make_dirty(s, place, a->mask, p);
    if (is_too_old(a, p))
        give_up(c, a, l, p);
    if (!(a->mask & ~l->copy[p].known))
        hit(c, a, l, p);
    else if (fetch(c, a, p))
        l->copy[p].known = c->all_words;
    return WS_OK;
}

/* What is not kept goes to the home of the line; a copy that is there serves loads if it has all words, and ends else.
 */
static void access_passed(ws_chiplet_l2 *c, access *a, line_of *l, uint64_t distance, ws_chiplet_policy p)
{
    if (l)
        bring_up_to_date(c, a->chiplet, l, distance, p);
    if (l && a->kind == WS_CHIPLET_LOAD && !(a->mask & ~l->copy[p].known)) {
        hit(c, a, l, p);
        return;
    }
    if (l)
        give_up(c, a, l, p);
    if (a->remote && (a->kind == WS_CHIPLET_STORE || a->kind == WS_CHIPLET_ATOMIC))
        probe_home(c, a->line, a->home, p);
    if (a->kind == WS_CHIPLET_STORE || a->kind == WS_CHIPLET_ATOMIC)
        pass_on(c, a, p);
    else
        fetch(c, a, p);
}

static bool is_kept(const ws_chiplet_l2 *c, const access *a)
{
    if (a->kind == WS_CHIPLET_ATOMIC)
        return false;
    return !a->remote || (a->kind == WS_CHIPLET_STORE ? c->options.store_back : c->options.read_alloc);
}

static int access_shared(ws_chiplet_l2 *c, access *a)
{
    stack *const s = &c->stack[a->chiplet][SHARED];
    const bool kept = is_kept(c, a);
    uint32_t place = kept ? WS_LRU_NONE : ws_lru_find(&s->order, a->line);
    uint64_t distance = ws_lru_distance(&s->order, place);
    line_of *l = place == WS_LRU_NONE ? NULL : &s->line[place];
    int status = kept ? use(s, a->line, a->home, &place, &distance, &l) : WS_OK;
    for (unsigned p = 0; p < WS_CHIPLET_POLICIES && !status; p++) {
        if (c->stack_of[p] != SHARED)
            continue;
        count_asked(c, &c->counts[p], a->remote, a->kind, a->mask);
        enter(c, a, p);
        if (kept)
            status = access_kept(c, a, place, distance, p);
        else
            access_passed(c, a, l, distance, p);
        leave(c, a, p);
    }
    if (l)
        l->kernel = c->kernel;
    return status;
}

/* ------------------------------------------------------------------------------------------------ directories */

/* Sharers lose the lines of a region; `stored`: the line because of which, or WS_LRU_HOLE. */
static void invalidate(ws_chiplet_l2 *c, ws_chiplet_policy p, uint32_t chiplets, uint64_t region, uint64_t stored)
{
    ws_chiplet_counts *const n = &c->counts[p];
    const uint32_t lines = c->options.directory.lines;
    for (; chiplets; chiplets &= chiplets - 1) {
        stack *const s = &c->stack[__builtin_ctz(chiplets)][c->stack_of[p]];
        for (uint64_t line = region * lines; line < (region + 1) * lines; line++) {
            const uint32_t place = ws_lru_find(&s->order, line);
            if (ws_lru_distance(&s->order, place) >= c->options.lines || !s->line[place].copy[p].known)
                continue;
            n->invalidated++;
            n->false_invalidated += line != stored;
            s->line[place].copy[p].known = 0;
            ws_lru_remove(&s->order, place);
        }
    }
}

static void follow(ws_chiplet_l2 *c, const access *a, const ws_directory_result *r, ws_chiplet_policy p)
{
    ws_chiplet_counts *const n = &c->counts[p];
    n->invalidations += (uint64_t)__builtin_popcount(r->invalidate);
    n->evictions += (uint64_t)__builtin_popcount(r->evict);
    for (int k = __builtin_popcount(r->invalidate) + __builtin_popcount(r->evict); k; k--)
        count_home_flits(c, n, true, 0, 0);
    invalidate(c, p, r->invalidate, r->written, a->line);
    invalidate(c, p, r->evict, r->evicted, WS_LRU_HOLE);
}

/* The home's own copy is not in its directory: what another chiplet stores there ends it. */
static void end_copy_at_home(ws_chiplet_l2 *c, const access *a, ws_chiplet_policy p)
{
    stack *const s = &c->stack[a->home][c->stack_of[p]];
    const uint32_t place = a->remote ? ws_lru_find(&s->order, a->line) : WS_LRU_NONE;
    if (place != WS_LRU_NONE) {
        s->line[place].copy[p].known = 0;
        ws_lru_remove(&s->order, place);
    }
}

static int access_agreed(ws_chiplet_l2 *c, access *a, ws_chiplet_policy p)
{
    stack *const s = &c->stack[a->chiplet][c->stack_of[p]];
    ws_chiplet_counts *const n = &c->counts[p];
    ws_directory_result r = {0};
    uint64_t distance;
    uint32_t place;
    line_of *l;
    const int status = use(s, a->line, a->home, &place, &distance, &l);
    if (status)
        return status;
    copy *const y = &l->copy[p];
    count_asked(c, n, a->remote, a->kind, a->mask);
    enter(c, a, p);
    if (distance >= c->options.lines || a->kind == WS_CHIPLET_ATOMIC || is_too_old(a, p))
        y->known = 0;
    if (a->kind == WS_CHIPLET_STORE || a->kind == WS_CHIPLET_ATOMIC) {
        r = ws_directory_store(c->directory[a->home][p], a->line, a->chiplet, a->home);
        pass_on(c, a, p);
        y->known |= a->kind == WS_CHIPLET_STORE ? a->mask : 0;
        end_copy_at_home(c, a, p);
    } else if (a->mask & ~y->known) {
        if (fetch(c, a, p)) {
            y->known = c->all_words;
            r = ws_directory_load(c->directory[a->home][p], a->line, a->chiplet, a->home);
        }
    } else
        hit(c, a, l, p);
    leave(c, a, p);
    l->kernel = c->kernel;
    follow(c, a, &r, p);
    return WS_OK;
}

int ws_chiplet_l2_access(ws_chiplet_l2 *c, const ws_chiplet_request *request, uint64_t *ready)
{
    access a = {.chiplet = request->chiplet,
                .home = request->home,
                .mask = request->mask & c->all_words,
                .part = request->part,
                .line = request->line,
                .now = request->now,
                .memory = request->memory,
                .slice = request->slice,
                .kind = request->kind,
                .remote = request->home != request->chiplet};
    int status = WS_OK;
    if (a.kind == WS_CHIPLET_LOAD || a.kind == WS_CHIPLET_POLL) {
        a.coming = ws_table_put(&c->coming[a.chiplet], a.line);
        status = a.coming ? WS_OK : WS_EMEM;
    }
    if (!status)
        status = access_shared(c, &a);
    for (unsigned p = 0; p < WS_CHIPLET_POLICIES && !status; p++)
        if (c->stack_of[p] != SHARED)
            status = access_agreed(c, &a, (ws_chiplet_policy)p);
    *ready = a.ready;
    return status;
}

/* ------------------------------------------------------------------------------------------------ boundaries */

static bool is_there(const ws_chiplet_l2 *c, const stack *s, uint32_t place)
{
    return ws_lru_distance(&s->order, place) < c->options.lines;
}

/* Dirty words stay, and are what is known of their lines. */
void ws_chiplet_l2_acquire(ws_chiplet_l2 *c, ws_chiplet_policy p, uint32_t chiplets)
{
    for (uint32_t i = 0; i < c->options.chiplets; i++) {
        stack *const s = &c->stack[i][c->stack_of[p]];
        if (!(chiplets >> i & 1))
            continue;
        s->epoch[p]++;
        for (size_t n = 0; n < s->dirty[p].lines; n++) {
            copy *const y = &s->line[s->dirty[p].place[n]].copy[p];
            y->known = y->dirty;
            y->epoch = s->epoch[p];
        }
    }
}

static void release(ws_chiplet_l2 *c, uint32_t i, ws_chiplet_policy p, uint64_t *flushed)
{
    stack *const s = &c->stack[i][c->stack_of[p]];
    ws_chiplet_counts *const n = &c->counts[p];
    for (size_t k = 0; k < s->dirty[p].lines; k++) {
        line_of *const l = &s->line[s->dirty[p].place[k]];
        copy *const y = &l->copy[p];
        const bool there = is_there(c, s, s->dirty[p].place[k]);
        if (y->dirty)
            count_written(c, there ? &n->flushed : &n->victims, i, l, p);
        if (flushed)
            flushed[i] += y->dirty && there;
        if (!there)
            y->known = 0;
        y->dirty = 0;
        y->listed = 0;
    }
    s->dirty[p].lines = 0;
}

void ws_chiplet_l2_release(ws_chiplet_l2 *c, ws_chiplet_policy p, uint32_t chiplets, bool empties, uint64_t *flushed)
{
    for (uint32_t i = 0; i < c->options.chiplets; i++)
        if (chiplets >> i & 1)
            release(c, i, p, flushed);
    if (empties)
        ws_chiplet_l2_acquire(c, p, chiplets);
}
