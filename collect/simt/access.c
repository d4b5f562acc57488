/* access.c - loads, stores and copies of a warp: where the addresses lead, whether that is legal, what happens. */
#include "collect/simt/access_internal.h"
#include "collect/simt/sixteen_internal.h"

#include <string.h>
#include <xxhash.h>

static const char *space_word(ws_space space)
{
    static const char *const words[WS_SPACES] = {"",      "generic", "global", "shared",
                                                 "local", "const",   "param",  "texture"};
    return words[space];
}

static const char *access_word(const mem_access *a)
{
    return a->op == MEM_STORE ? "write" : a->op == MEM_ATOMIC ? "atomic" : a->op >= MEM_COPY ? "copy" : "read";
}

static bool writes(const mem_access *a)
{
    return a->op == MEM_STORE || a->op == MEM_ATOMIC || a->op == MEM_COPY_TO;
}

/* Where element v of a vector lies. */
static inline ground element_ground(const part *p, unsigned v)
{
    return (ground){p->to.origin + v * p->a->bytes, p->to.fence};
}

static unsigned total_bytes(const mem_access *a)
{
    return a->bytes * a->vec;
}

/* ---- checks ---- */

/* Whether its lanes may access their bytes wherever these lie: WS_ALIGNMENT_RELAXED. */
static bool may_misalign(const launch *l, const part *p)
{
    return l->run->alignment == WS_ALIGNMENT_RELAXED && !p->strict && p->a->op <= MEM_STORE && !p->a->synchronises &&
           (p->space == WS_SPACE_GLOBAL || p->space == WS_SPACE_SHARED || p->space == WS_SPACE_LOCAL);
}

/* Only for parts whose summary is not aligned, so that others do not pay for it. */
static bool check_alignment(warp *w, const part *p, unsigned bytes)
{
    launch *const l = w->block->launch;
    uint32_t lanes = 0;
    WS_EACH_LANE (i, p->mask->bits)
        lanes |= (uint32_t)((p->shown[i] & (bytes - 1)) != 0) << i;
    if (!lanes)
        return true;
    const unsigned first = ws_lowest(lanes);
    const unsigned long long at = p->shown[first];
    if (!may_misalign(l, p))
        return block_fault(w, p->u, first, "misaligned %s %s of %u bytes at address 0x%llx", space_word(p->space),
                           access_word(p->a), bytes, at);
    block_count(w, p->u, &l->misaligned, first, ws_popcount(lanes), "misaligned %s %s of %u bytes at address 0x%llx",
                space_word(p->space), access_word(p->a), bytes, at);
    return true;
}

/* Spaces that are one block of memory from 0 to limit. The largest address decides, and lanes in between lie in
 * between. */
static bool check_limit(warp *w, const part *p, uint64_t limit, unsigned bytes, const char *what)
{
    if (ws_range_within(p->summary.high, bytes, limit))
        return true;
    WS_EACH_LANE (i, p->mask->bits)
        if (!ws_range_within(p->shown[i], bytes, limit))
            return block_fault(w, p->u, i,
                               "invalid %s %s of %u bytes at address 0x%llx: out of bounds, %s has %llu bytes",
                               space_word(p->space), access_word(p->a), bytes, (unsigned long long)p->shown[i], what,
                               (unsigned long long)limit);
    return true;
}

/* All lanes lie in one allocation when the lowest begins in it and the highest ends in it. */
static inline bool all_inside(const address_summary *s, uint64_t bytes, const span *in)
{
    return s->low >= in->low && ws_range_within(s->high, bytes, in->high);
}

static bool may_stray(const launch *l, const part *p, uint64_t at, unsigned bytes)
{
    return l->run->bounds == WS_BOUNDS_PAGES && p->space == WS_SPACE_GLOBAL &&
           memory_has_stray(l->device->memory, at, bytes);
}

/* Lanes that lie outside allocations, and whose accesses are done as on a GPU. */
static void tell_strays(warp *w, const part *p, uint32_t lanes, unsigned bytes)
{
    const unsigned first = ws_lowest(lanes);
    const uint64_t at = p->shown[first];
    char where[256];
    engine_describe_device(w->block->launch->device, at, bytes, where, sizeof where);
    launch *const l = w->block->launch;
    block_count(w, p->u, &l->strays, first, ws_popcount(lanes), "%s %s of %u bytes at address 0x%llx: %s",
                space_word(p->space), access_word(p->a), bytes, (unsigned long long)at, where);
}

/* Finds the allocation of each lane's own bytes. */
static bool check_lanes(warp *w, part *p, unsigned bytes)
{
    const launch *const l = w->block->launch;
    memory *const m = l->device->memory;
    uint32_t strays = 0;
    bool host = false;
    WS_EACH_LANE (i, p->mask->bits) {
        const uint64_t at = p->shown[i];
        span s;
        const bool found = memory_heap_contains(m, at) ? memory_heap_find(m, at, &s) : memory_find(m, at, &s);
        if (!found || !ws_range_within(at, bytes, s.high)) {
            if (may_stray(l, p, at, bytes)) {
                strays |= 1u << i;
                continue;
            }
            char where[256];
            engine_describe_device(l->device, at, bytes, where, sizeof where);
            return block_fault(w, p->u, i, "invalid %s %s of %u bytes at address 0x%llx: out of bounds, %s",
                               space_word(p->space), access_word(p->a), bytes, (unsigned long long)at, where);
        }
        if (s.read_only && writes(p->a))
            return block_fault(w, p->u, i, "invalid %s %s of %u bytes at address 0x%llx: " MAPPED_TO_READ,
                               space_word(p->space), access_word(p->a), bytes, (unsigned long long)at);
        host |= s.host;
    }
    if (strays)
        tell_strays(w, p, strays, bytes);
    p->to = host ? host_ground() : l->ground;
    return true;
}

static bool check_device(warp *w, part *p, unsigned bytes)
{
    const launch *const l = w->block->launch;
    span *const cache = &w->block->worker->cache[p->a->cache];
    span s;
    if (all_inside(&p->summary, bytes, cache)) {
        p->to = cache->host ? host_ground() : l->ground;
        return true;
    }
    memory *const m = l->device->memory;
    if (memory_find(m, p->summary.low, &s) && all_inside(&p->summary, bytes, &s) && !(s.read_only && writes(p->a)) &&
        !memory_heap_contains(m, p->summary.low)) {
        *cache = s;
        p->to = s.host ? host_ground() : l->ground;
        return true;
    }
    return check_lanes(w, p, bytes);
}

/* The addresses are no longer as far apart as they were: nothing but the lanes' own ones says where they lie. */
static void forget_pattern(address_summary *s)
{
    s->same = s->consecutive = false;
    s->step = 0;
}

/* Memory that every thread owns a piece of: moves the addresses to the lane's piece. */
static void displace(part *p, uint64_t *host, uint64_t stride)
{
    uint64_t low = UINT64_MAX;
    for (uint64_t i = 0; i < WS_WARP; i++)
        host[i] = p->shown[i] + i * stride;
    WS_EACH_LANE (i, p->mask->bits)
        low = host[i] < low ? host[i] : low;
    p->address = host;
    p->summary.low = low;
    forget_pattern(&p->summary);
}

/* ws_run_result.device_bytes and device_waits. */
static inline void count_traffic(worker *k, const address_summary *s, uint32_t lanes, unsigned bytes, bool waits)
{
    const uint64_t sector = 32;
    const uint64_t stretch = ((s->high + bytes - 1) | (sector - 1)) + 1 - (s->low & ~(sector - 1));
    const uint64_t each = (lanes == UINT32_MAX ? WS_WARP : ws_popcount(lanes)) * (bytes > sector ? bytes : sector);
    k->device_bytes += stretch < each ? stretch : each;
    k->device_waits += waits;
}

/* Finds the memory behind a part and checks it. */
static bool resolve(warp *w, part *p, unsigned bytes)
{
    block *b = w->block;
    const frame *f = &w->frame[w->frames - 1];
    if (__builtin_expect(p->summary.bits & (bytes - 1), 0) && !check_alignment(w, p, bytes))
        return false;
    switch (p->space) {
    case WS_SPACE_SHARED:
        p->to = sandbox_ground((p->owner ? p->owner : b)->shared);
        return check_limit(w, p, b->shared_bytes, bytes,
                           p->owner ? "shared memory of each block of the cluster" : "shared memory of the block");
    case WS_SPACE_LOCAL:
        if (!check_limit(w, p, w->local_used, bytes, "local memory of the thread"))
            return false;
        p->to = sandbox_ground(w->local);
        displace(p, b->scratch + WS_WARP, w->local_capacity);
        return true;
    case WS_SPACE_PARAM:
        if (p->a->kernel_param || p->a->space == WS_SPACE_GENERIC) {
            p->to = sandbox_ground(b->launch->params);
            return check_limit(w, p, b->launch->kernel->function->param_bytes, bytes, "the parameter block");
        }
        if (!check_limit(w, p, f->proc->param_bytes, bytes, "the function's parameter area"))
            return false;
        p->to = sandbox_ground(f->param);
        displace(p, b->scratch + WS_WARP, f->proc->param_bytes);
        return true;
    default:
        if (!check_device(w, p, bytes))
            return false;
        if (p->space != WS_SPACE_CONST)
            count_traffic(b->worker, &p->summary, p->mask->bits, bytes, p->a->op != MEM_STORE);
        return true;
    }
}

/* ---- values for sinks ---- */

void access_part_read_lanes(uint64_t *out, const void *reg, bool wide)
{
    for (int i = 0; i < WS_WARP; i++)
        out[i] = wide ? ((const uint64_t *)reg)[i] : ((const uint32_t *)reg)[i];
}

void access_part_read_memory(uint64_t *out, const part *p, unsigned element)
{
    WS_EACH_LANE (i, p->mask->bits) {
        out[i] = 0;
        memcpy(&out[i], lane_memory(p, i) + element * p->a->bytes, p->a->bytes);
    }
}

static bool report(warp *w, const ws_value *value)
{
    return block_values(w->block, value);
}

bool access_report_shared(warp *w, const uop *u, unsigned bytes, uint32_t exec, const uint64_t *before,
                          const uint64_t *after, const uint64_t *address)
{
    return report(w, &(ws_value){.pc = u->pc,
                                 .warp = (uint16_t)w->index,
                                 .is_shared = 1,
                                 .bytes = (uint8_t)bytes,
                                 .exec = exec,
                                 .before = before,
                                 .after = after,
                                 .address = address});
}

bool access_part_report_shared(warp *w, const part *p, const uint64_t *before, unsigned element)
{
    uint64_t after[WS_WARP] = {0}, at[WS_WARP];
    access_part_read_memory(after, p, element);
    for (int i = 0; i < WS_WARP; i++)
        at[i] = p->shown[i] + element * p->a->bytes;
    return access_report_shared(w, p->u, p->a->bytes, p->mask->bits, before, after, at);
}

bool access_report_register(warp *w, const uop *u, uint32_t exec, const uint64_t *before, place reg, bool wide,
                            uint16_t number)
{
    uint64_t after[WS_WARP];
    access_part_read_lanes(after, place_pointer(w, reg), wide);
    return report(w, &(ws_value){.pc = u->pc,
                                 .warp = (uint16_t)w->index,
                                 .bytes = wide ? 8 : 4,
                                 .exec = exec,
                                 .reg = number,
                                 .before = before,
                                 .after = after});
}

bool access_part_report_register(warp *w, const part *p, const uint64_t *before, place reg, bool wide, uint16_t number)
{
    return access_report_register(w, p->u, p->mask->bits, before, reg, wide, number);
}

/* ---- ordered accesses ---- */

enum { LARGEST_WHOLE = 16, LARGEST_VECTOR = 32 };

/* Values of all lanes, side by side. */
typedef struct wholes {
    _Alignas(64) unsigned char byte[WS_WARP][LARGEST_VECTOR];
    uint64_t address[WS_WARP];
    part part; /* the access, on them */
} wholes;

/* Whether a lane's access has to be one, for other workers may be there at the same time: then no copying of stretches
 * will do, which may take a value in pieces or write it twice. PTX does not promise it of vectors, but GPUs do it, and
 * programs (CUB's scans, so Thrust) put a state and a value into one ordered vector. */
static bool is_whole(const warp *w, const part *p)
{
    return __builtin_expect(p->a->synchronises, 0) && p->space == WS_SPACE_GLOBAL && w->block->launch->workers > 1;
}

static void stand_aside(wholes *side, const part *p)
{
    for (unsigned i = 0; i < WS_WARP; i++)
        side->address[i] = i * sizeof side->byte[i];
    side->part = *p;
    side->part.to = (ground){(uintptr_t)side->byte, sizeof side->byte - 1};
    side->part.address = side->address;
    forget_pattern(&side->part.summary);
}

static void copy_sixteen(launch *l, void *to, const void *from)
{
    if (has_sixteen()) {
        move_sixteen(to, from);
        return;
    }
    pthread_mutex_lock(&l->lock);
    memcpy(to, from, LARGEST_WHOLE);
    pthread_mutex_unlock(&l->lock);
}

/* One of both sides is the worker's own, so that acquiring and releasing cost nothing that the fences do not. */
#define COPY_WHOLE(type) \
    __atomic_store_n((type *)to, __atomic_load_n((const type *)from, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE)

static void copy_whole(launch *l, void *to, const void *from, unsigned bytes)
{
    switch (bytes) {
    case 1:
        COPY_WHOLE(uint8_t);
        break;
    case 2:
        COPY_WHOLE(uint16_t);
        break;
    case 4:
        COPY_WHOLE(uint32_t);
        break;
    case 8:
        COPY_WHOLE(uint64_t);
        break;
    default: /* larger ones in pieces */
        for (unsigned done = 0; done < bytes; done += LARGEST_WHOLE)
            copy_sixteen(l, (char *)to + done, (const char *)from + done);
    }
}

static void fetch_wholes(warp *w, wholes *side, const part *p)
{
    WS_EACH_LANE (i, p->mask->bits)
        copy_whole(w->block->launch, side->byte[i], lane_memory(p, i), total_bytes(p->a));
}

static void put_wholes(warp *w, const wholes *side, const part *p)
{
    WS_EACH_LANE (i, p->mask->bits)
        copy_whole(w->block->launch, lane_memory(p, i), side->byte[i], total_bytes(p->a));
}

/* ---- plain loads and stores ---- */

static bool do_load(warp *w, part *p)
{
    wholes side;
    if (is_whole(w, p)) {
        stand_aside(&side, p);
        fetch_wholes(w, &side, p);
        p = &side.part;
    }
    const mem_access *a = p->a;
    const access_level *level = w->block->launch->level;
    uint64_t before[WS_WARP];
    if (a->vec > 1)
        p->summary.consecutive = false;
    for (unsigned v = 0; v < a->vec; v++) {
        if (a->sink[v])
            continue;
        void *d = place_pointer(w, a->data[v]);
        if (w->block->sampled)
            access_part_read_lanes(before, d, a->data_wide[v]);
        level->load(d, a->data_wide[v], element_ground(p, v), p->address, a->bytes, a->sign, p->mask, &p->summary);
        if (w->block->sampled && p->u->dst_bits &&
            !access_part_report_register(w, p, before, a->data[v], a->data_wide[v],
                                         v == 0 ? p->u->dst_reg : a->number[v]))
            return false;
    }
    if (a->synchronises)
        atomic_thread_fence(memory_order_acquire);
    return true;
}

static bool do_store(warp *w, part *p)
{
    const mem_access *a = p->a;
    const access_level *level = w->block->launch->level;
    const bool values = w->block->sampled && p->space == WS_SPACE_SHARED;
    const part *const target = p;
    const bool whole = is_whole(w, p);
    wholes side;
    uint64_t before[WS_WARP] = {0};
    if (a->synchronises)
        atomic_thread_fence(memory_order_release);
    if (whole) {
        stand_aside(&side, p);
        p = &side.part;
    }
    if (a->vec > 1)
        p->summary.consecutive = false;
    for (unsigned v = 0; v < a->vec; v++) {
        if (values)
            access_part_read_memory(before, p, v);
        level->store(place_pointer(w, a->data[v]), a->data_wide[v], element_ground(p, v), p->address, a->bytes, p->mask,
                     &p->summary);
        if (values && !access_part_report_shared(w, p, before, v))
            return false;
    }
    if (whole)
        put_wholes(w, &side, target);
    return true;
}

/* ---- events and dispatch ---- */

static bool emit_access(warp *w, const uop *u, ws_space space, uint32_t exec, uint32_t active, const uint64_t *address,
                        bool first)
{
    block *b = w->block;
    if (!(b->wants & WS_WANT_MEMORY))
        return true;
    ws_event *ev = block_event(b);
    if (!ev)
        return false;
    uint64_t *slot = b->address + (size_t)b->addresses * WS_WARP;
    memcpy(slot, address, WS_WARP * sizeof *slot);
    *ev = (ws_event){.pc = u->pc,
                     .warp = (uint16_t)w->index,
                     .count = first,
                     .active = active,
                     .exec = exec,
                     .addresses = b->addresses++,
                     .kind = WS_EVENT_MEMORY,
                     .depth = (uint8_t)(w->depth < 255 ? w->depth : 255),
                     .space = (uint8_t)space};
    return true;
}

/* Lanes in divergent code may wait by loads and atomics for each other: what they saw decides who goes on
 * (warp_polled). */
static void tell_poll(warp *w, const part *p)
{
    const mem_access *const a = p->a;
    const bool atomic = a->op == MEM_ATOMIC;
    uint64_t seen = XXH3_64bits_withSeed(p->shown, WS_WARP * sizeof *p->shown, p->mask->bits);
    for (unsigned v = 0; v < a->vec; v++) {
        const size_t word = atomic && a->bytes == 16 ? 16 : (atomic ? a->wide : a->data_wide[v]) ? 8 : 4;
        if (!a->sink[v])
            seen = XXH3_64bits_withSeed(place_pointer(w, a->data[v]), WS_WARP * word, seen);
    }
    warp_polled(w, p->u, seen);
}

static bool do_plain(warp *w, part *p)
{
    const mem_access *const a = p->a;
    return a->op == MEM_LOAD ? do_load(w, p) : a->op == MEM_STORE ? do_store(w, p) : access_atomic(w, p);
}

enum { MOST_CHECKED = 64 }; /* bytes of one lane's access */

/* Of lanes that stored to the same bytes the memory has what one of them gave. */
static void check_lanes_agree(warp *w, const part *p)
{
    const mem_access *const a = p->a;
    for (unsigned v = 0; v < a->vec; v++) {
        const unsigned char *const from = place_pointer(w, a->data[v]);
        WS_EACH_LANE (i, p->mask->bits) {
            if (!memcmp(from + i * (a->data_wide[v] ? 8 : 4), lane_memory(p, i) + v * a->bytes,
                        a->bytes < 8 || a->data_wide[v] ? a->bytes : 4))
                continue;
            WS_EACH_LANE (k, p->mask->bits)
                if (k != i &&
                    (p->shown[k] - p->shown[i] < total_bytes(a) || p->shown[i] - p->shown[k] < total_bytes(a))) {
                    checks_lanes(w, p->u, p->space, (unsigned)i, (unsigned)k, p->shown[i] + v * a->bytes);
                    return;
                }
        }
    }
}

/* The same, told to who checks. */
static bool do_checked(warp *w, part *p)
{
    const mem_access *const a = p->a;
    const unsigned bytes = total_bytes(a);
    const bool shared = p->space == WS_SPACE_SHARED, strong = a->synchronises || a->op == MEM_ATOMIC;
    const part as_was = *p; /* do_load and do_store forget its pattern */
    checked_access how = {.reads = a->op != MEM_STORE,
                          .writes = a->op != MEM_LOAD,
                          .element = a->bytes,
                          .reach = checks_reach(w, p->u, strong)};
    unsigned char before[WS_WARP][MOST_CHECKED];
    if ((!shared && p->space != WS_SPACE_GLOBAL && p->space != WS_SPACE_LOCAL) || bytes > MOST_CHECKED)
        return do_plain(w, p);
    if (strong && p->space != WS_SPACE_LOCAL)
        checks_order_before(w, p->u, shared, p->mask->bits, p->shown, a->op == MEM_LOAD || a->returns);
    if (a->op == MEM_LOAD) {
        WS_EACH_LANE (i, p->mask->bits)
            checks_see(w, p->u, p->space, (unsigned)i, p->shown[i], bytes, &how);
        return do_load(w, p);
    }
    WS_EACH_LANE (i, p->mask->bits)
        memcpy(before[i], lane_memory(p, i), bytes);
    if (!do_plain(w, p))
        return false;
    WS_EACH_LANE (i, as_was.mask->bits) {
        how.changes = memcmp(before[i], lane_memory(&as_was, i), bytes) != 0;
        checks_see(w, p->u, p->space, (unsigned)i, as_was.shown[i], bytes, &how);
    }
    if (a->op == MEM_STORE && !strong && p->space != WS_SPACE_LOCAL)
        check_lanes_agree(w, &as_was);
    if (strong && p->space != WS_SPACE_LOCAL)
        checks_order_after(w, p->u, shared, as_was.mask->bits, as_was.shown);
    return true;
}

static bool do_distributed(warp *w, part *p, uint32_t active, bool first);

static bool do_part(warp *w, part *p, uint32_t active, bool first)
{
    const mem_access *const a = p->a;
    if (p->space == WS_SPACE_SHARED && p->summary.high >= CLUSTER_STRIDE && w->block->cluster && !p->owner)
        return do_distributed(w, p, active, first);
    const bool asks = w->depth && w->block->launch->code->waits &&
                      (a->op == MEM_LOAD ? a->synchronises : a->op == MEM_ATOMIC && a->returns);
    if (!resolve(w, p, total_bytes(p->a)) || !emit_access(w, p->u, p->space, p->mask->bits, active, p->shown, first))
        return false;
    const bool ok = w->block->launch->sees && (!p->owner || p->owner == w->block) ? do_checked(w, p) : do_plain(w, p);
    if (ok && asks)
        tell_poll(w, p);
    return ok;
}

/* The block of a lane's address in distributed shared memory, and the offset there; NULL after a fault. */
static block *owner_of(warp *w, const uop *u, const mem_access *a, unsigned lane, uint64_t at, uint64_t *offset)
{
    block *const b = w->block;
    *offset = at;
    block *const owner = cluster_owner(b, offset);
    if (!owner)
        block_fault(
            w, u, lane, "invalid shared %s at address 0x%llx: out of bounds, block %llu of a cluster that has %u",
            access_word(a), (unsigned long long)at, (unsigned long long)(at / CLUSTER_STRIDE - 1), b->cluster->blocks);
    else if (owner->ended) {
        block_fault(
            w, u, lane,
            "invalid shared %s at address 0x%llx: block (%u,%u,%u) of the cluster, whose shared memory that is, "
            "has exited",
            access_word(a), (unsigned long long)at, owner->ctaid[0], owner->ctaid[1], owner->ctaid[2]);
        return NULL;
    }
    return owner;
}

/* Shared memory of blocks of the cluster: one part a block. Sinks see the offset in the block that has it. Checkers
 * follow the own block's memory; a write elsewhere initialises memory there. */
static bool do_distributed(warp *w, part *p, uint32_t active, bool first)
{
    block *owner[WS_WARP];
    uint64_t offset[WS_WARP] = {0};
    uint32_t rest = p->mask->bits;
    WS_EACH_LANE (i, rest) {
        owner[i] = owner_of(w, p->u, p->a, (unsigned)i, p->shown[i], &offset[i]);
        if (!owner[i])
            return false;
    }
    while (rest) {
        block *const in = owner[ws_lowest(rest)];
        uint32_t lanes = 0;
        WS_EACH_LANE (i, rest)
            lanes |= (uint32_t)(owner[i] == in) << i;
        rest &= ~lanes;
        ws_mask mask = {.bits = 0};
        mask_set(&mask, lanes);
        uint64_t local[WS_WARP];
        part one = *p;
        one.owner = in;
        one.mask = &mask;
        w->block->launch->level->addresses(local, offset, true, 0, total_bytes(p->a), &mask, &one.summary);
        one.shown = one.address = local;
        if (!do_part(w, &one, active, first))
            return false;
        WS_EACH_LANE (i, in != w->block && in->checks && p->a->op != MEM_LOAD ? lanes : 0)
            checks_wrote(&in->warp[0], WS_SPACE_SHARED, 0, offset[i], total_bytes(p->a));
        first = false;
    }
    return true;
}

static ws_space classify(const memory *m, uint64_t address, uint64_t *base)
{
    *base = 0;
    if (address >= MEMORY_LOW_BASE)
        return memory_is_const(m, address) ? WS_SPACE_CONST : WS_SPACE_GLOBAL;
    if (address - SHARED_WINDOW < SHARED_WINDOW_BYTES) {
        *base = SHARED_WINDOW;
        return WS_SPACE_SHARED;
    }
    if (address - LOCAL_WINDOW < LOCAL_WINDOW_BYTES) {
        *base = LOCAL_WINDOW;
        return WS_SPACE_LOCAL;
    }
    if (address - PARAM_WINDOW < PARAM_WINDOW_BYTES) {
        *base = PARAM_WINDOW;
        return WS_SPACE_PARAM;
    }
    return WS_SPACE_GLOBAL;
}

/* A generic access whose lanes lie in several spaces, or below the global window: one part a space. */
static bool do_generic(warp *w, part *p, uint32_t active)
{
    const memory *m = w->block->launch->device->memory;
    uint32_t rest = p->mask->bits;
    uint64_t local[WS_WARP];
    bool first = true;
    const uint64_t *all = p->shown;
    while (rest) {
        uint64_t base, other;
        const ws_space space = classify(m, all[ws_lowest(rest)], &base);
        uint32_t lanes = 0;
        WS_EACH_LANE (i, rest)
            if (classify(m, all[i], &other) == space)
                lanes |= 1u << i;
        rest &= ~lanes;
        ws_mask mask = {.bits = 0};
        mask_set(&mask, lanes);
        part one = *p;
        one.space = space;
        one.mask = &mask;
        w->block->launch->level->addresses(local, all, true, -(int64_t)base, total_bytes(p->a), &mask, &one.summary);
        one.shown = one.address = local;
        if (!do_part(w, &one, active, first))
            return false;
        first = false;
    }
    return true;
}

/* ---- several addresses a lane ---- */

bool access_tell_plain(warp *w, const uop *u, ws_space space, uint32_t exec, uint32_t active, const uint64_t *address,
                       bool first)
{
    uint64_t shown[WS_WARP];
    if (!(w->block->wants & WS_WANT_MEMORY))
        return true;
    if (exec == UINT32_MAX)
        return emit_access(w, u, space, exec, active, address, first);
    for (unsigned i = 0; i < WS_WARP; i++)
        shown[i] = exec >> i & 1 ? address[i] : 0;
    return emit_access(w, u, space, exec, active, shown, first);
}

bool access_tell(warp *w, const uop *u, ws_space space, uint32_t exec, uint32_t active, unsigned bytes,
                 const uint64_t *address, bool first)
{
    if (!access_tell_plain(w, u, space, exec, active, address, first))
        return false;
    if (w->block->wants & WS_WANT_MEMORY)
        w->block->event[w->block->events - 1].texel = bytes & 31;
    return true;
}

/* Of lanes in shared memory of the cluster: the offset in the block that has it, and the memory there. */
static bool find_distributed(warp *w, const part *p, unsigned bytes, uint64_t *address, unsigned char **host)
{
    WS_EACH_LANE (i, p->mask->bits) {
        uint64_t offset;
        block *const owner = owner_of(w, p->u, p->a, (unsigned)i, p->shown[i], &offset);
        if (!owner)
            return false;
        if (!(bytes & (bytes - 1)) && bytes <= 16 && offset & (bytes - 1))
            return check_alignment(w, p, bytes);
        if (!ws_range_within(offset, bytes, owner->shared_bytes))
            return block_fault(w, p->u, (unsigned)i,
                               "invalid shared %s of %u bytes at address 0x%llx: out of bounds, shared memory of each "
                               "block of the cluster has %u bytes",
                               access_word(p->a), bytes, (unsigned long long)offset, owner->shared_bytes);
        address[i] = offset;
        host[i] = owner->shared + offset;
    }
    return true;
}

bool access_find(warp *w, const uop *u, const mem_access *a, uint32_t exec, unsigned bytes, uint64_t *address,
                 unsigned char **host, ws_space *space)
{
    block *b = w->block;
    ws_mask some;
    uint64_t base = 0;
    part p = {.a = a, .u = u, .mask = &w->mask, .strict = true};
    if (exec != w->mask.bits) {
        some.bits = ~exec;
        mask_set(&some, exec);
        p.mask = &some;
    }
    *space = (ws_space)a->space;
    if (*space == WS_SPACE_GENERIC)
        *space = classify(b->launch->device->memory, address[ws_lowest(exec)], &base);
    p.space = *space;
    b->launch->level->addresses(b->scratch, address, true, -(int64_t)base, bytes, p.mask, &p.summary);
    p.shown = p.address = b->scratch;
    if (bytes > 16 || bytes & (bytes - 1)) /* their alignment is the caller's */
        p.summary.bits = 0;
    if (p.space == WS_SPACE_SHARED && p.summary.high >= CLUSTER_STRIDE && b->cluster)
        return find_distributed(w, &p, bytes, address, host);
    if (!resolve(w, &p, bytes))
        return false;
    if (exec == UINT32_MAX) {
        memcpy(address, p.shown, WS_WARP * sizeof *address);
        for (unsigned i = 0; i < WS_WARP; i++)
            host[i] = lane_memory(&p, i);
        return true;
    }
    WS_EACH_LANE (i, exec) {
        address[i] = p.shown[i];
        host[i] = lane_memory(&p, i);
    }
    return true;
}

bool access_none(warp *w, const uop *u, const mem_access *a, uint32_t active)
{
    static const uint64_t nowhere[WS_WARP];
    return emit_access(w, u, a->space == WS_SPACE_GENERIC ? WS_SPACE_GLOBAL : a->space, 0, active, nowhere, true);
}

void access_check(warp *w, const uop *u, ws_space space, uint32_t lanes, unsigned bytes, const uint64_t *address,
                  const checked_access *how)
{
    WS_EACH_LANE (i, lanes)
        checks_see(w, u, space, (unsigned)i, address[i], bytes, how);
}

bool access_groups(warp *w, const uop *u, const mem_access *a, uint32_t exec, uint32_t active, unsigned groups,
                   unsigned bytes, uint64_t (*address)[WS_WARP], unsigned char *(*host)[WS_WARP], ws_space *space)
{
    for (unsigned g = 0; g < groups; g++) {
        if (!access_find(w, u, a, exec, bytes, address[g], host[g], space) ||
            !access_tell(w, u, *space, exec, active, bytes, address[g], g == 0))
            return false;
        if (w->block->checks && a->op == MEM_LOAD)
            access_check(w, u, *space, exec, bytes, address[g], &(checked_access){.reads = true});
    }
    return true;
}

/* Whether a load or store lies where the last one of this instruction was found to be legal, or in a space that is one
 * block of memory: then there is nothing to look up. */
static inline bool find_quickly(const warp *w, const mem_access *a, const address_summary *s, ground *to)
{
    const block *const b = w->block;
    const launch *const l = b->launch;
    const span *const cache = &b->worker->cache[a->cache];
    const uint64_t bytes = total_bytes(a);
    if (s->bits & (bytes - 1))
        return false;
    switch ((ws_space)a->space) {
    case WS_SPACE_SHARED:
        *to = sandbox_ground(b->shared);
        return ws_range_within(s->high, bytes, b->shared_bytes);
    case WS_SPACE_PARAM:
        *to = sandbox_ground(l->params);
        return a->kernel_param && ws_range_within(s->high, bytes, l->kernel->function->param_bytes);
    case WS_SPACE_GLOBAL:
    case WS_SPACE_GENERIC:
        *to = cache->host ? host_ground() : l->ground;
        return all_inside(s, bytes, cache) &&
               (a->space == WS_SPACE_GLOBAL || !memory_is_const(l->device->memory, s->low));
    default:
        return false;
    }
}

static inline bool run_quickly(warp *w, const uop *u, const mem_access *a, const ws_mask *mask, uint32_t active,
                               ground to, address_summary *s)
{
    block *const b = w->block;
    const access_level *const level = b->launch->level;
    const ws_space space = a->space == WS_SPACE_GENERIC ? WS_SPACE_GLOBAL : a->space;
    if (space == WS_SPACE_GLOBAL)
        count_traffic(b->worker, s, mask->bits, total_bytes(a), a->op != MEM_STORE);
    if (!emit_access(w, u, space, mask->bits, active, b->scratch, true))
        return false;
    if (a->vec > 1)
        s->consecutive = false;
    for (unsigned v = 0; v < a->vec; v++, to.origin += a->bytes) {
        if (a->sink[v])
            continue;
        void *const data = place_pointer(w, a->data[v]);
        if (a->op == MEM_LOAD)
            level->load(data, a->data_wide[v], to, b->scratch, a->bytes, a->sign, mask, s);
        else
            level->store(data, a->data_wide[v], to, b->scratch, a->bytes, mask, s);
    }
    return true;
}

bool access_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const mem_access *a = u->info;
    block *b = w->block;
    ws_mask guarded;
    const ws_mask *mask = &w->mask;
    address_summary summary;
    ground to;
    if (exec != w->mask.bits) {
        guarded.bits = ~exec;
        mask_set(&guarded, exec);
        mask = &guarded;
    }
    if (!exec) { /* nobody accesses, the instruction still was issued */
        memset(b->scratch, 0, WS_WARP * sizeof *b->scratch);
        return emit_access(w, u, a->space == WS_SPACE_GENERIC ? WS_SPACE_GLOBAL : a->space, 0, active, b->scratch,
                           true);
    }
    b->launch->level->addresses(b->scratch, place_pointer(w, a->base), a->base_wide, a->offset, total_bytes(a), mask,
                                &summary);
    if (a->op <= MEM_STORE && !a->synchronises && !b->careful && find_quickly(w, a, &summary, &to))
        return run_quickly(w, u, a, mask, active, to, &summary);
    part p = {.a = a, .u = u, .space = (ws_space)a->space, .mask = mask, .summary = summary};
    p.shown = p.address = b->scratch;
    if (p.space == WS_SPACE_GENERIC) {
        if (p.summary.low < MEMORY_LOW_BASE || memory_is_const(b->launch->device->memory, p.summary.low))
            return do_generic(w, &p, active);
        p.space = WS_SPACE_GLOBAL;
    }
    return do_part(w, &p, active, true);
}
