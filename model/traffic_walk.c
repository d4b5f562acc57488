/* traffic_walk.c - the accesses of a launch on one machine of the ladder, for all protocols at once.
 *
 * Each SM has a stack of lines per set, most recent first. What lies `ways` deep or deeper is a miss in an L1 of so many
 * ways; what a protocol does to a copy that is there is noted beside it. Only the L1 of WS_PROFILE_WAYS is exact: deeper
 * copies are taken as fetched again there, when they are used. Logical time follows the rules of G-TSC: a read gives
 * rts = max(rts, time + lease), a store wts = max(rts + 1, time); a line that comes from DRAM starts at the latest rts of
 * what left L2. */
#include "model/traffic_profile.h"

#include "base/status.h"
#include "model/access_order.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = WS_PROFILE_SETS, DEPTH = WS_PROFILE_DEPTH, LEASES = WS_PROFILE_LEASES, LEASE = WS_PROFILE_LEASE };

typedef struct copy {
    uint64_t wts, rts;
    uint64_t fetched[LEASES]; /* when, for each length of a physical lease */
    uint64_t strong[LEASES];  /* the same where stores wait; 0: given up */
    uint64_t asked;           /* when a protocol without leases asked for it */
    uint32_t fences;          /* that the SM had when it was fetched */
    bool lost;                /* logical time: given up by a store of the SM */
} copy;

typedef struct stack {
    uint64_t line[DEPTH];
    uint8_t place[DEPTH]; /* of the copy */
    uint32_t used;
} stack;

typedef struct l1 {
    stack set[SETS];
    copy copy[SETS][DEPTH];
    uint32_t fences;
} l1;

typedef struct l2_line {
    uint64_t line;
    uint64_t wts, rts;
    uint64_t leased[LEASES]; /* when the last lease began */
    uint64_t strong[LEASES]; /* the same where stores wait, */
    uint64_t busy[LEASES];   /* and until when the last one did */
    uint64_t writer;         /* who wrote last: see writer_of() */
    uint16_t age;
    bool used, dirty;
} l2_line;

typedef struct clock {
    uint64_t ts;
    uint64_t visible[LEASES]; /* when its stores are seen by all */
    uint32_t hits;
} clock;

struct ws_traffic_walk {
    uint32_t sms, residents;
    l1 *sm;
    l2_line *l2;   /* [L2_SETS][L2_WAYS] */
    clock *warp;   /* [sms][warps] */
    uint32_t warps;
    uint64_t mem_ts, last_ts, now, launches;
    ws_traffic_rung *out;
};

int ws_traffic_walk_create(uint32_t sms, uint32_t residents, ws_traffic_walk **out)
{
    ws_traffic_walk *const w = *out = calloc(1, sizeof *w);
    if (!w)
        return ws_fail(WS_EMEM, "no memory for a profile");
    w->sms = sms;
    w->residents = residents;
    w->mem_ts = w->last_ts = 1;
    w->sm = calloc(sms, sizeof *w->sm);
    w->l2 = calloc((size_t)WS_PROFILE_L2_SETS * WS_PROFILE_L2_WAYS, sizeof *w->l2);
    if (w->sm && w->l2)
        return WS_OK;
    ws_traffic_walk_destroy(w);
    *out = NULL;
    return ws_fail(WS_EMEM, "no memory for a profile");
}

int ws_traffic_walk_clone(const ws_traffic_walk *from, uint32_t residents, ws_traffic_walk **out)
{
    const int status = ws_traffic_walk_create(from->sms, residents, out);
    if (status)
        return status;
    ws_traffic_walk *const w = *out;
    const size_t warps = (size_t)from->sms * from->warps;
    w->warp = malloc((warps + 1) * sizeof *w->warp);
    if (!w->warp) {
        ws_traffic_walk_destroy(w);
        *out = NULL;
        return ws_fail(WS_EMEM, "no memory for a profile");
    }
    if (warps)
        memcpy(w->warp, from->warp, warps * sizeof *w->warp);
    memcpy(w->l2, from->l2, (size_t)WS_PROFILE_L2_SETS * WS_PROFILE_L2_WAYS * sizeof *w->l2);
    w->warps = from->warps;
    w->mem_ts = from->mem_ts;
    w->last_ts = from->last_ts;
    w->now = from->now;
    w->launches = from->launches;
    return WS_OK;
}

void ws_traffic_walk_destroy(ws_traffic_walk *walk)
{
    if (!walk)
        return;
    free(walk->sm);
    free(walk->l2);
    free(walk->warp);
    free(walk);
}

/* ------------------------------------------------------------------------------------------------ L2 */

static void make_youngest(l2_line *set, l2_line *line)
{
    for (unsigned i = 0; i < WS_PROFILE_L2_WAYS; i++)
        set[i].age += set[i].used && set[i].age < line->age;
    line->age = 0;
}

static void note_ts(ws_traffic_walk *w, uint64_t ts)
{
    w->last_ts = ts > w->last_ts ? ts : w->last_ts;
}

static l2_line *replace(ws_traffic_walk *w, l2_line *set, uint64_t line)
{
    l2_line *victim = &set[0];
    for (unsigned i = 0; i < WS_PROFILE_L2_WAYS && victim->used; i++)
        if (!set[i].used || set[i].age > victim->age)
            victim = &set[i];
    w->out->l2_misses++;
    w->out->writebacks += victim->used && victim->dirty;
    if (victim->used && victim->rts > w->mem_ts)
        w->mem_ts = victim->rts;
    *victim = (l2_line){
        .line = line, .used = true, .age = WS_PROFILE_L2_WAYS, .wts = w->mem_ts, .rts = w->mem_ts + LEASE};
    note_ts(w, victim->rts);
    return victim;
}

/* The line at L2, which is fetched from DRAM when it is not there. */
static l2_line *at_l2(ws_traffic_walk *w, uint64_t line)
{
    l2_line *const set = &w->l2[line % WS_PROFILE_L2_SETS * WS_PROFILE_L2_WAYS];
    l2_line *found = NULL;
    for (unsigned i = 0; i < WS_PROFILE_L2_WAYS && !found; i++)
        if (set[i].used && set[i].line == line)
            found = &set[i];
    if (!found)
        found = replace(w, set, line);
    make_youngest(set, found);
    return found;
}

/* What is there now, without a trace; NULL when it has left. */
static l2_line *look_at_l2(const ws_traffic_walk *w, uint64_t line)
{
    l2_line *const set = &w->l2[line % WS_PROFILE_L2_SETS * WS_PROFILE_L2_WAYS];
    for (unsigned i = 0; i < WS_PROFILE_L2_WAYS; i++)
        if (set[i].used && set[i].line == line)
            return &set[i];
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ L1 */

static uint32_t depth_of(const stack *s, uint64_t line)
{
    for (uint32_t i = 0; i < s->used; i++)
        if (s->line[i] == line)
            return i;
    return DEPTH;
}

/* Brings what lies at `depth` to the top; a new line takes the place of the last. */
static copy *bring_up(stack *s, copy *copies, uint64_t line, uint32_t depth)
{
    uint8_t place;
    if (depth == DEPTH && s->used < DEPTH) {
        depth = s->used;
        place = (uint8_t)s->used++;
        bool taken[DEPTH] = {false};
        for (uint32_t i = 0; i < depth; i++)
            taken[s->place[i]] = true;
        for (place = 0; taken[place];)
            place++;
    } else {
        depth = depth == DEPTH ? DEPTH - 1 : depth;
        place = s->place[depth];
    }
    memmove(s->line + 1, s->line, depth * sizeof *s->line);
    memmove(s->place + 1, s->place, depth);
    s->line[0] = line;
    s->place[0] = place;
    return &copies[place];
}

static void take_out(stack *s, uint32_t depth)
{
    if (depth == DEPTH)
        return;
    s->used--;
    memmove(s->line + depth, s->line + depth + 1, (s->used - depth) * sizeof *s->line);
    memmove(s->place + depth, s->place + depth + 1, s->used - depth);
}

static unsigned bin_of(uint32_t depth)
{
    unsigned bin = 0;
    while (bin < WS_PROFILE_BINS - 1 && depth >= ws_profile_edge[bin])
        bin++;
    return bin;
}

/* Told apart from writers of other launches. */
static uint64_t writer_of(const ws_traffic_walk *w, uint32_t sm)
{
    return w->launches << 32 | sm;
}

/* ------------------------------------------------------------------------------------------------ loads */

/* L2 gives a lease; the warp's clock follows the data. */
static void fetch(ws_traffic_walk *w, clock *warp, copy *c, uint64_t line)
{
    l2_line *const l = at_l2(w, line);
    if (warp->ts + LEASE > l->rts)
        l->rts = warp->ts + LEASE;
    note_ts(w, l->rts);
    c->wts = l->wts;
    c->rts = l->rts;
    c->lost = false;
    warp->ts = l->wts > warp->ts ? l->wts : warp->ts;
    warp->hits = 0;
    w->out->l2_reads++;
}

/* A read of a copy; every so many in a row move the warp's clock, so that a spinning warp ends. */
static void hit(clock *warp, const copy *c)
{
    warp->ts = c->wts > warp->ts ? c->wts : warp->ts;
    if (++warp->hits == WS_PROFILE_SPIN) {
        warp->hits = 0;
        warp->ts++;
    }
}

static bool is_renewal(const ws_traffic_walk *w, const copy *c, uint64_t line)
{
    const l2_line *const l = look_at_l2(w, line);
    return !c->lost && l && l->wts == c->wts;
}

static void load_logical(ws_traffic_walk *w, clock *warp, copy *c, ws_reuse_bin *bin, const ws_ordered_access *a,
                         bool present)
{
    const bool known = bin != &w->out->bin[WS_PROFILE_BINS - 1];
    const bool good = known && !a->poll && !c->lost && warp->ts <= c->rts;
    if (known && !good) {
        const bool renewal = is_renewal(w, c, a->line);
        if (a->poll)
            w->out->polls_renewed += renewal && present;
        else
            *(renewal ? &bin->renewed : &bin->refilled) += 1;
    }
    if (good && present)
        hit(warp, c);
    else
        fetch(w, warp, c, a->line);
}

/* Greedy cover of the loads by leases, for each length. */
static void load_physical(const ws_traffic_walk *w, copy *c, l2_line *l, ws_reuse_bin *bin, const ws_ordered_access *a,
                          bool present)
{
    const bool known = bin != &w->out->bin[WS_PROFILE_BINS - 1] && !a->poll;
    for (unsigned i = 0; i < LEASES; i++) {
        const bool aged = !known || a->now > c->fetched[i] + ws_profile_lease[i];
        bin->aged[i] += known && aged;
        if (!aged && present)
            continue;
        c->fetched[i] = a->now;
        if (l)
            l->leased[i] = a->now;
    }
}

/* Where stores wait, a read waits behind them, and others of its SM with it: its lease begins when they are through. */
static void load_strong(const ws_traffic_walk *w, copy *c, l2_line *l, ws_reuse_bin *bin, const ws_ordered_access *a,
                        bool present)
{
    const bool known = bin != &w->out->bin[WS_PROFILE_BINS - 1] && !a->poll;
    for (unsigned i = 0; i < LEASES; i++) {
        const bool gone = !known || !c->strong[i] || a->now > c->strong[i] + ws_profile_lease[i];
        bin->gone[i] += known && gone;
        if (!gone && present)
            continue;
        c->strong[i] = l && l->busy[i] > a->now ? l->busy[i] : a->now;
        if (l)
            l->strong[i] = c->strong[i];
    }
}

/* The same for protocols whose copies live until they are replaced. */
static void load_plain(ws_traffic_walk *w, const l1 *s, copy *c, ws_reuse_bin *bin, const ws_ordered_access *a,
                       bool present)
{
    const bool known = bin != &w->out->bin[WS_PROFILE_BINS - 1];
    if (!a->poll) {
        bin->loads++;
        bin->flushed += known && c->fences != s->fences;
        for (unsigned i = 0; i < LEASES; i++)
            w->out->young[i] += present && a->now - c->asked < ws_profile_lease[i];
    }
    if (!present || a->poll)
        c->asked = a->now;
    c->fences = s->fences;
}

static void load(ws_traffic_walk *w, const ws_ordered_access *a)
{
    l1 *const s = &w->sm[a->sm];
    stack *const set = &s->set[a->line % SETS];
    const uint32_t depth = depth_of(set, a->line);
    const bool present = depth < WS_PROFILE_WAYS;
    ws_reuse_bin *const bin = &w->out->bin[bin_of(depth)];
    copy *const c = bring_up(set, s->copy[a->line % SETS], a->line, depth);
    if (depth == DEPTH) {
        memset(c, 0, sizeof *c);
        w->out->lines++;
    }
    const l2_line *const before = look_at_l2(w, a->line);
    w->out->remote_loads += before && before->writer >> 32 == w->launches && before->writer != writer_of(w, a->sm);
    load_logical(w, &w->warp[(size_t)a->sm * w->warps + a->warp], c, bin, a, present);
    l2_line *const l = look_at_l2(w, a->line);
    load_physical(w, c, l, bin, a, present);
    load_strong(w, c, l, bin, a, present);
    load_plain(w, s, c, bin, a, present);
}

/* ------------------------------------------------------------------------------------------------ stores, atomics, fences */

/* A weak store is seen by all when the last lease has ended; a strong one is performed then, after those before it. */
static void wait_for_leases(const ws_traffic_walk *w, l2_line *l, clock *warp, copy *c, uint64_t now)
{
    for (unsigned i = 0; i < LEASES; i++) {
        const uint64_t seen = l->leased[i] ? l->leased[i] + ws_profile_lease[i] + 1 : 0;
        warp->visible[i] = seen > warp->visible[i] ? seen : warp->visible[i];
        uint64_t end = l->strong[i] ? l->strong[i] + ws_profile_lease[i] + 1 : 0;
        end = end > l->busy[i] ? end : l->busy[i];
        w->out->store_wait[i] += end > now ? end - now : 0;
        l->busy[i] = end;
        if (c)
            c->strong[i] = 0;
    }
}

static void store(ws_traffic_walk *w, const ws_ordered_access *a)
{
    l1 *const s = &w->sm[a->sm];
    stack *const set = &s->set[a->line % SETS];
    const uint32_t depth = depth_of(set, a->line);
    copy *const c = depth == DEPTH ? NULL : &s->copy[a->line % SETS][set->place[depth]];
    clock *const warp = &w->warp[(size_t)a->sm * w->warps + a->warp];
    l2_line *const l = at_l2(w, a->line);
    const uint64_t old = l->wts;
    l->wts = l->rts + 1 > warp->ts ? l->rts + 1 : warp->ts;
    l->rts = l->wts + LEASE;
    note_ts(w, l->rts);
    l->dirty = true;
    l->writer = writer_of(w, a->sm);
    w->out->jumps += l->wts > warp->ts;
    w->out->l2_writes++;
    warp->ts = l->wts;
    warp->hits = 0;
    wait_for_leases(w, l, warp, c, a->now);
    if (c && a->kind == WS_LOG_STORE) {
        c->lost = c->lost || c->wts != old;
        c->wts = l->wts;
        c->rts = l->rts;
    }
    if (a->kind == WS_LOG_ATOMIC)
        take_out(set, depth);
}

static void fence(ws_traffic_walk *w, const ws_ordered_access *a)
{
    const clock *const warp = &w->warp[(size_t)a->sm * w->warps + a->warp];
    w->sm[a->sm].fences++;
    for (unsigned i = 0; i < LEASES; i++)
        w->out->fence_wait[i] += warp->visible[i] > a->now ? warp->visible[i] - a->now : 0;
}

/* ------------------------------------------------------------------------------------------------ a launch */

/* Logical time starts again, physical leases are over; L1s start empty, L2 keeps its lines. */
static int begin_launch(ws_traffic_walk *w, uint32_t warps)
{
    w->launches++;
    w->mem_ts = 1;
    w->last_ts = 1 + LEASE;
    for (size_t i = 0; i < (size_t)WS_PROFILE_L2_SETS * WS_PROFILE_L2_WAYS; i++) {
        w->l2[i].wts = 1;
        w->l2[i].rts = 1 + LEASE;
    }
    for (size_t i = 0; i < (size_t)w->sms * w->warps; i++)
        w->warp[i].ts = 1;
    w->now += 2 * ws_profile_lease[LEASES - 1];
    for (uint32_t i = 0; i < w->sms; i++)
        for (unsigned set = 0; set < SETS; set++)
            w->sm[i].set[set].used = 0;
    if (warps > w->warps) {
        clock *const more = calloc((size_t)w->sms * warps, sizeof *more);
        if (!more)
            return ws_fail(WS_EMEM, "no memory for a profile");
        for (uint32_t i = 0; i < w->sms; i++)
            for (uint32_t k = 0; k < warps; k++)
                more[(size_t)i * warps + k] =
                    k < w->warps ? w->warp[(size_t)i * w->warps + k] : (clock){.ts = 1};
        free(w->warp);
        w->warp = more;
        w->warps = warps;
    }
    return WS_OK;
}

int ws_traffic_walk_run(ws_traffic_walk *w, const ws_access_log *log, ws_traffic_rung *out)
{
    *out = (ws_traffic_rung){.sms = w->sms, .residents = w->residents};
    w->out = out;
    ws_access_order *order;
    int status = begin_launch(w, w->residents * log->warps_per_block);
    if (!status)
        status = ws_access_order_create(log, w->sms, w->residents, w->now, &order);
    if (status)
        return status;
    ws_ordered_access a;
    while (ws_access_order_next(order, &a)) {
        if (a.kind == WS_LOG_LOAD)
            load(w, &a);
        else if (a.kind == WS_LOG_FENCE)
            fence(w, &a);
        else
            store(w, &a);
    }
    const uint64_t end = ws_access_order_now(order);
    out->cycles = end - w->now;
    w->now = end;
    out->last_ts = w->last_ts;
    ws_access_order_destroy(order);
    w->out = NULL;
    return WS_OK;
}
