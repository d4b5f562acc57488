/* traffic_walk.c - the accesses of a launch on one machine of the ladder, for all protocols at once.
 *
 * Each SM has a stack of lines per set (base/lru.h). What lies `ways` deep or deeper is a miss in an L1 of so many
 * ways; what a protocol does to a copy that is there is noted beside it. Only the L1 of WS_PROFILE_WAYS is exact:
 * deeper copies are taken as fetched again there, when they are used. Logical time follows the rules of G-TSC: a read
 * gives rts = max(rts, time + lease), a store wts = max(rts + 1, time); a line that comes from DRAM starts at the
 * latest rts of what left L2. This is done once as if memory took no time; then three more times with the clocks of
 * traffic_time.h, and in their order, for what protocols with leases find, and once more for those without leases where
 * there are polls or fences. */
#include "model/traffic_profile.h"

#include "base/bits.h"
#include "base/lru.h"
#include "model/access_order.h"
#include "model/traffic_owners.h"
#include "model/traffic_time.h"
#include "model/update_lines.h"
#include "model/update_walk.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = WS_PROFILE_SETS, DEPTH = WS_PROFILE_DEPTH, LEASES = WS_PROFILE_LEASES, LEASE = WS_PROFILE_LEASE };
enum { UNLEASED = WS_TIME_FENCED - WS_TIME_PLAIN + 1 }; /* clocks */
enum { L2_LINES = WS_PROFILE_L2_SETS * WS_PROFILE_L2_WAYS };
enum { LOGICS = WS_PROFILE_LOGICS, LATES = 2 * WS_PROFILE_LEASES, WAY = WS_PROFILE_L2_CYCLES / 2 };

/* A copy's logical lease, as WS_LOGIC_... sees it. */
typedef struct logic {
    uint64_t wts, rts;
    uint64_t stored, acked; /* when the first of the stores in flight went out; when the last one is back */
    bool lost;              /* given up by a store of the SM */
} logic;

typedef struct stamp {
    uint64_t wts, rts;
} stamp;

typedef struct copy {
    logic logic[LOGICS];
    uint64_t granted[LATES];  /* by the time that memory takes: when L2 gave it. 0: given up */
    uint64_t there[WS_TIMES]; /* and when it comes to the SM, of all clocks */
    bool joinable[UNLEASED]; /* polls may wait for it while it comes: no store of the SM went out since it was asked for
                              */
    uint64_t fetched[LEASES];     /* when, for each length of a physical lease */
    uint64_t strong[LEASES];      /* the same where stores wait; 0: given up */
    uint64_t asked;               /* when a protocol without leases asked for it */
    uint32_t fences, late_fences; /* that the SM had when it was fetched */
    /* In WS_PASS_ORDER: */
    uint32_t asker, asker_group; /* warp that asked for it, and its group */
    uint8_t sectors;             /* that loads have brought */
    bool stored;                 /* the SM stored to it since */
} copy;

typedef struct l1 {
    copy copy[SETS][DEPTH]; /* at their places in ws_traffic_walk.set */
    uint32_t fences, late_fences;
    uint64_t fence_free; /* when the last of its fences has taken its turn */
} l1;

typedef struct l2_line {
    uint64_t line;
    stamp stamp[LOGICS];
    uint64_t came, seen;                       /* launch in which it came from DRAM, pass that saw it last */
    uint64_t granted[LATES], late_busy[LATES]; /* by the time that memory takes, as the following three */
    uint64_t leased[LEASES];                   /* when the last lease began */
    uint64_t strong[LEASES];                   /* the same where stores wait, */
    uint64_t busy[LEASES];                     /* and until when the last one did */
    uint64_t writer;                           /* who wrote last: see writer_of() */
    uint16_t age;
    bool used, dirty;
} l2_line;

/* Loads that a warp waits for at once. */
typedef struct group {
    uint32_t tag, phase, slack;    /* slack: remaining cycles until the warp needs the loads */
    uint32_t number;               /* of groups of this warp before it */
    uint8_t bins[WS_GROUP_MISSES]; /* the longest distance's bin + 1; 0: no group */
    bool far, joined;              /* with a line from memory; with a line that another warp waits for */
} group;

typedef struct clock {
    group group; /* of WS_PASS_ORDER */
    uint64_t ts[LOGICS];
    uint32_t hits[LOGICS];
    uint64_t visible[LEASES]; /* when its stores are seen by all */
    uint64_t late_visible[LEASES];
} clock;

struct ws_traffic_walk {
    uint32_t sms, residents;
    l1 *sm;
    ws_lru *set;     /* [sms][SETS] */
    uint32_t filled; /* SMs, the first ones, whose sets may have lines */
    l2_line *l2;     /* [L2_SETS][L2_WAYS] */
    uint32_t *taken; /* places in l2 that hold a line */
    uint32_t n_taken;
    clock *warp; /* [sms][warps] */
    uint32_t warps;
    uint64_t mem_ts, last_ts, now, launches;
    ws_traffic_rung *out;
    unsigned pass;
    uint64_t passes;
    ws_traffic_time *time; /* of this pass */
    ws_traffic_owners *owners;
    struct {
        uint32_t cost;
        bool turns;          /* one after the other in an SM */
        bool met;            /* some came while another of their SM took its time */
        uint64_t end;        /* of the launch */
    } fences;                /* of WS_PASS_FENCES */
    ws_update_walk *updates; /* of WS_PASS_ORDER, where there are updates, */
    ws_update_lines *lines;  /* and this */
    struct {
        uint32_t seen;
        uint8_t at[WS_PROFILE_SLICINGS][WS_PROFILE_SLICES_MOST];
    } window; /* of WS_PASS_ORDER: requests of each slice */
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
    w->set = ws_lru_sets_create((size_t)sms * SETS, DEPTH);
    w->l2 = calloc(L2_LINES, sizeof *w->l2);
    w->taken = malloc(L2_LINES * sizeof *w->taken);
    const int status = w->sm && w->set && w->l2 && w->taken ? ws_traffic_owners_create(sms, &w->owners)
                                                            : ws_fail(WS_EMEM, "no memory for a profile");
    if (status) {
        ws_traffic_walk_destroy(w);
        *out = NULL;
    }
    return status;
}

int ws_traffic_walk_clone(const ws_traffic_walk *from, uint32_t residents, ws_traffic_walk **out)
{
    const int status = ws_traffic_walk_create(from->sms, residents, out);
    if (status)
        return status;
    ws_traffic_walk *const w = *out;
    const size_t warps = (size_t)from->sms * from->warps;
    w->warp = malloc((warps + 1) * sizeof *w->warp);
    ws_traffic_owners_destroy(w->owners);
    w->owners = NULL;
    if (!w->warp || ws_traffic_owners_clone(from->owners, &w->owners)) {
        ws_traffic_walk_destroy(w);
        *out = NULL;
        return ws_fail(WS_EMEM, "no memory for a profile");
    }
    if (warps)
        memcpy(w->warp, from->warp, warps * sizeof *w->warp);
    for (uint32_t i = 0; i < from->n_taken; i++) {
        w->taken[i] = from->taken[i];
        w->l2[w->taken[i]] = from->l2[from->taken[i]];
    }
    w->n_taken = from->n_taken;
    w->warps = from->warps;
    w->mem_ts = from->mem_ts;
    w->last_ts = from->last_ts;
    w->now = from->now;
    w->launches = from->launches;
    w->passes = from->passes;
    return WS_OK;
}

void ws_traffic_walk_destroy(ws_traffic_walk *walk)
{
    if (!walk)
        return;
    ws_traffic_owners_destroy(walk->owners);
    free(walk->sm);
    ws_lru_sets_destroy(walk->set);
    free(walk->l2);
    free(walk->taken);
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
    if (!victim->used)
        w->taken[w->n_taken++] = (uint32_t)(victim - w->l2);
    w->out->l2_misses++;
    w->out->writebacks += victim->used && victim->dirty;
    if (victim->used && victim->stamp[WS_LOGIC_ORDER].rts > w->mem_ts)
        w->mem_ts = victim->stamp[WS_LOGIC_ORDER].rts;
    *victim = (l2_line){.line = line, .used = true, .age = WS_PROFILE_L2_WAYS, .came = w->launches};
    for (unsigned k = 0; k < LOGICS; k++)
        victim->stamp[k] = (stamp){.wts = w->mem_ts, .rts = w->mem_ts + LEASE};
    note_ts(w, w->mem_ts + LEASE);
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

/* Returns the line at L2 without a change of its age; NULL: absent. */
static l2_line *look_at_l2(const ws_traffic_walk *w, uint64_t line)
{
    l2_line *const set = &w->l2[line % WS_PROFILE_L2_SETS * WS_PROFILE_L2_WAYS];
    for (unsigned i = 0; i < WS_PROFILE_L2_WAYS; i++)
        if (set[i].used && set[i].line == line)
            return &set[i];
    return NULL;
}

/* Told apart from writers of other launches. */
static uint64_t writer_of(const ws_traffic_walk *w, uint32_t sm)
{
    return w->launches << 32 | sm;
}

/* ------------------------------------------------------------------------------------------------ loads */

/* L2 gives a lease; the warp's clock follows the data. */
static void fetch(ws_traffic_walk *w, clock *warp, copy *c, uint64_t line, unsigned k)
{
    l2_line *const l = k == WS_LOGIC_ORDER ? at_l2(w, line) : look_at_l2(w, line);
    stamp fresh = {.wts = w->mem_ts, .rts = w->mem_ts}, *const at = l ? &l->stamp[k] : &fresh;
    if (warp->ts[k] + LEASE > at->rts)
        at->rts = warp->ts[k] + LEASE;
    c->logic[k] = (logic){.wts = at->wts, .rts = at->rts};
    warp->ts[k] = at->wts > warp->ts[k] ? at->wts : warp->ts[k];
    warp->hits[k] = 0;
    if (k != WS_LOGIC_ORDER)
        return;
    note_ts(w, at->rts);
    w->out->l2_reads++;
}

/* A read of a copy; every so many in a row move the warp's clock, so that a spinning warp ends. */
static void hit(clock *warp, const copy *c, unsigned k)
{
    warp->ts[k] = c->logic[k].wts > warp->ts[k] ? c->logic[k].wts : warp->ts[k];
    if (++warp->hits[k] == WS_PROFILE_SPIN) {
        warp->hits[k] = 0;
        warp->ts[k]++;
    }
}

static bool is_renewal(const ws_traffic_walk *w, const copy *c, uint64_t line, unsigned k)
{
    const l2_line *const l = look_at_l2(w, line);
    return !c->logic[k].lost && l && l->stamp[k].wts == c->logic[k].wts;
}

/* Whether the load was served by the copy. */
static bool load_logical(ws_traffic_walk *w, clock *warp, copy *c, ws_reuse_bin *bin, const ws_ordered_access *a,
                         bool present, unsigned k)
{
    const bool known = bin != &w->out->bin[WS_PROFILE_BINS - 1];
    const bool good = known && !a->poll && !c->logic[k].lost && warp->ts[k] <= c->logic[k].rts;
    if (known && !good) {
        const bool renewal = is_renewal(w, c, a->line, k);
        if (a->poll)
            w->out->polls_renewed[k] += renewal && present;
        else
            *(renewal ? &bin->renewed[k] : &bin->refilled[k]) += 1;
    }
    if (good && present)
        hit(warp, c, k);
    else
        fetch(w, warp, c, a->line, k);
    return good && present;
}

/* Is a store of the SM to this copy in flight at that time? */
static bool in_flight(const logic *l, uint64_t now)
{
    return now >= l->stored && now < l->acked;
}

/* A poll that comes while its line is on its way to the SM gets its data from there, if the line is asked for by its
 * rules. */
static bool join(const ws_traffic_walk *w, const copy *c, const ws_ordered_access *a, bool present, uint64_t now,
                 unsigned k)
{
    if (!a->poll || !present || now >= c->there[k])
        return false;
    w->out->joined[k] += w->pass < WS_PROFILE_PASSES;
    ws_traffic_time_answer(w->time, a, k, c->there[k]);
    return true;
}

/* The logical time of a pass. */
static unsigned logic_of(const ws_traffic_walk *w)
{
    return w->pass == WS_PASS_SC ? WS_LOGIC_SC : WS_LOGIC_RC;
}

/* The same with time: a load waits until no store to the line is in flight. */
static void load_held(ws_traffic_walk *w, clock *warp, copy *c, ws_reuse_bin *bin, const ws_ordered_access *a,
                      bool present, const uint64_t *now, uint64_t latency)
{
    const unsigned k = logic_of(w), own = WS_TIME_RC + (k - WS_LOGIC_RC);
    if (join(w, c, a, present && !c->logic[k].lost, now[own], own))
        return;
    const uint64_t from = present && in_flight(&c->logic[k], now[own]) ? c->logic[k].acked : now[own];
    if (load_logical(w, warp, c, bin, a, present, k)) {
        ws_traffic_time_answer(w->time, a, own, from + WS_PROFILE_HIT_CYCLES);
        return;
    }
    c->there[own] = ws_traffic_time_read(w->time, a, own, from, latency).there;
    ws_traffic_time_answer(w->time, a, own, c->there[own]);
}

/* Physical leases by the time that memory takes. Stores that wait are done at `late_busy`; reads wait behind them. */
static void load_late(const ws_traffic_walk *w, copy *c, l2_line *l, ws_reuse_bin *bin, const ws_ordered_access *a,
                      bool present, const uint64_t *now, uint64_t latency)
{
    const bool known = bin != &w->out->bin[WS_PROFILE_BINS - 1] && !a->poll;
    const unsigned first = w->pass == WS_PASS_STRONG ? LEASES : 0;
    for (unsigned i = first; i < first + LEASES; i++) {
        if (join(w, c, a, present && c->granted[i], now[i], i))
            continue;
        const bool late = !known || !c->granted[i] || now[i] > c->granted[i] + ws_profile_lease[i % LEASES];
        bin->late[i] += known && late;
        if (!late && present) {
            const uint64_t soonest = now[i] + WS_PROFILE_HIT_CYCLES;
            ws_traffic_time_answer(w->time, a, i, c->there[i] > soonest ? c->there[i] : soonest);
            continue;
        }
        ws_traffic_read read = ws_traffic_time_read(w->time, a, i, now[i], latency);
        if (l && l->late_busy[i] > read.granted) {
            read.granted = l->late_busy[i];
            read.there = read.there > read.granted + WAY ? read.there : read.granted + WAY;
        }
        c->granted[i] = read.granted;
        c->there[i] = read.there;
        if (l && read.granted > l->granted[i])
            l->granted[i] = read.granted;
        ws_traffic_time_answer(w->time, a, i, c->there[i]);
    }
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
        bin->loads[WS_PASS_ORDER]++;
        bin->flushed += known && c->fences != s->fences;
        for (unsigned i = 0; i < LEASES; i++)
            w->out->young[i] += present && a->now - c->asked < ws_profile_lease[i];
    }
    if (!present || a->poll)
        c->asked = a->now;
    c->fences = s->fences;
}

/* Cycles of a read: the first that looks at a line which came from DRAM pays for that. */
static uint64_t latency_of(const ws_traffic_walk *w, l2_line *l)
{
    const bool from_memory = !l || (l->came == w->launches && l->seen != w->passes);
    if (l)
        l->seen = w->passes;
    return WS_PROFILE_L2_CYCLES + (from_memory ? WS_PROFILE_MEMORY_CYCLES : 0);
}

/* Of this pass. */
static unsigned last_unleased(const ws_traffic_walk *w)
{
    return w->pass == WS_PASS_FENCES ? WS_TIME_PLAIN : WS_TIME_FENCED;
}

/* Copies that live until they are replaced, and where fences of the SM end them. */
static void load_unleased(const ws_traffic_walk *w, const l1 *s, copy *c, ws_reuse_bin *bin, const ws_ordered_access *a,
                          bool present, const uint64_t *now, uint64_t latency)
{
    const bool known = bin != &w->out->bin[WS_PROFILE_BINS - 1] && !a->poll;
    const bool flushed = known && c->late_fences != s->late_fences;
    bin->flushed_late += flushed;
    for (unsigned i = WS_TIME_PLAIN; i <= last_unleased(w); i++) {
        if (join(w, c, a, present && c->joinable[i - WS_TIME_PLAIN], now[i], i))
            continue;
        if (present && !a->poll && !(flushed && i == WS_TIME_FENCED)) {
            const uint64_t soonest = now[i] + WS_PROFILE_HIT_CYCLES;
            ws_traffic_time_answer(w->time, a, i, c->there[i] > soonest ? c->there[i] : soonest);
            continue;
        }
        c->there[i] = ws_traffic_time_read(w->time, a, i, now[i], latency).there;
        c->joinable[i - WS_TIME_PLAIN] = true;
        ws_traffic_time_answer(w->time, a, i, c->there[i]);
    }
    c->late_fences = s->late_fences;
}

static void load_in_time(ws_traffic_walk *w, copy *c, ws_reuse_bin *bin, const ws_ordered_access *a, bool present)
{
    const uint64_t *const now = ws_traffic_time_begin(w->time, a);
    l2_line *const l = look_at_l2(w, a->line);
    const uint64_t latency = latency_of(w, l);
    if (w->pass < WS_PROFILE_PASSES)
        bin->loads[w->pass] += !a->poll;
    switch (w->pass == WS_PASS_FENCES ? WS_PASS_PLAIN : w->pass) {
    case WS_PASS_BARE:
        ws_traffic_time_answer(w->time, a, WS_TIME_BARE,
                               ws_traffic_time_read(w->time, a, WS_TIME_BARE, now[WS_TIME_BARE], latency).there);
        return;
    case WS_PASS_PLAIN:
        load_unleased(w, &w->sm[a->sm], c, bin, a, present, now, latency);
        return;
    case WS_PASS_LOGIC:
    case WS_PASS_SC:
        load_held(w, &w->warp[(size_t)a->sm * w->warps + a->warp], c, bin, a, present, now, latency);
        return;
    default:
        load_late(w, c, l, bin, a, present, now, latency);
    }
}

static ws_lru *set_of(const ws_traffic_walk *w, const ws_ordered_access *a)
{
    return &w->set[(size_t)a->sm * SETS + a->line % SETS];
}

/* ------------------------------------------------------------------------------------------------ groups */

static void end_group(ws_traffic_walk *w, group *g)
{
    if (!g->bins[0])
        return;
    unsigned slack = 0;
    while (slack < WS_PROFILE_SLACKS - 1 && g->slack >= ws_profile_slack[slack])
        slack++;
    for (unsigned i = 0; i < WS_GROUP_MISSES; i++)
        w->out->groups[i][g->bins[i] - 1]++;
    w->out->groups_far += g->far;
    w->out->groups_joined += g->joined && g->bins[0] <= ws_profile_bin(WS_PROFILE_WAYS - 1) + 1;
    w->out->group_slack[slack]++;
    *g = (group){.tag = g->tag, .phase = g->phase, .number = g->number + 1};
}

/* Ends the group of the warp if the instructions before this access need its loads. */
static void pass_group(ws_traffic_walk *w, const ws_ordered_access *a)
{
    group *const g = &w->warp[(size_t)a->sm * w->warps + a->warp].group;
    if (a->tag == g->tag && a->phase == g->phase)
        return;
    if (a->phase != g->phase || a->cycles >= g->slack)
        end_group(w, g);
    else
        g->slack -= a->cycles;
    g->tag = a->tag;
    g->phase = a->phase;
}

/* `misses`: causes of a miss on a present line (ws_group_misses). */
static void join_group(ws_traffic_walk *w, const ws_ordered_access *a, unsigned bin, unsigned misses, bool far)
{
    group *const g = &w->warp[(size_t)a->sm * w->warps + a->warp].group;
    if (!g->bins[0] || a->slack < g->slack)
        g->slack = a->slack;
    for (unsigned i = 0; i < WS_GROUP_MISSES; i++) {
        const unsigned of = misses & i ? WS_PROFILE_BINS - 1 : bin;
        g->bins[i] = of + 1 > g->bins[i] ? (uint8_t)(of + 1) : g->bins[i];
    }
    g->far |= far;
}

/* Returns whether the warp that requested the copy still waits for it. */
static bool is_awaited(const ws_traffic_walk *w, const copy *c, const ws_ordered_access *a)
{
    const group *const g = &w->warp[(size_t)a->sm * w->warps + c->asker].group;
    return c->asker != a->warp && g->bins[0] && g->number == c->asker_group;
}

static void end_window(ws_traffic_walk *w)
{
    for (unsigned i = 0; i < WS_PROFILE_SLICINGS; i++) {
        unsigned most = 0;
        for (uint32_t slice = 0; slice < ws_profile_slices[i]; slice++)
            most = w->window.at[i][slice] > most ? w->window.at[i][slice] : most;
        w->out->busiest[i] += most;
    }
    memset(&w->window, 0, sizeof w->window);
}

static void request(ws_traffic_walk *w, uint64_t line)
{
    const uint64_t stripe = line / WS_PROFILE_STRIPE;
    w->out->requests++;
    for (unsigned i = 0; i < WS_PROFILE_SLICINGS; i++)
        w->window.at[i][stripe % ws_profile_slices[i]]++;
    if (++w->window.seen == WS_PROFILE_WINDOW)
        end_window(w);
}

/* Returns whether a sector of the load was absent. */
static bool bring_sectors(copy *c, ws_reuse_bin *bin, const ws_ordered_access *a)
{
    enum { WORDS = WS_PROFILE_SECTOR / 4 };
    unsigned touched = 0;
    for (unsigned i = 0; i < WS_LOG_WORDS / WORDS; i++)
        touched |= (a->mask >> i * WORDS & ((1u << WORDS) - 1) ? 1u : 0u) << i;
    const unsigned fresh = touched & ~c->sectors;
    bin->sectors += ws_popcount(touched);
    bin->new_sectors += ws_popcount(fresh);
    bin->partial += fresh != 0;
    c->sectors |= (uint8_t)touched;
    return fresh;
}

static void load(ws_traffic_walk *w, const ws_ordered_access *a)
{
    l1 *const s = &w->sm[a->sm];
    ws_lru *const set = set_of(w, a);
    uint64_t depth;
    ws_lru_use(set, a->line, &depth);
    const bool present = depth < WS_PROFILE_WAYS, fresh = depth == WS_LRU_FAR;
    ws_reuse_bin *const bin = &w->out->bin[ws_profile_bin(fresh ? DEPTH : (uint32_t)depth)];
    copy *const c = &s->copy[a->line % SETS][ws_lru_first(set)];
    if (fresh)
        memset(c, 0, sizeof *c);
    if (w->pass != WS_PASS_ORDER) {
        load_in_time(w, c, bin, a, present);
        return;
    }
    const l2_line *const before = look_at_l2(w, a->line);
    group *const g = &w->warp[(size_t)a->sm * w->warps + a->warp].group;
    const unsigned misses = (bring_sectors(c, bin, a) ? WS_GROUP_PARTIAL : 0u) | (c->stored ? WS_GROUP_STORED : 0u);
    bin->stored += c->stored;
    c->stored = false;
    join_group(w, a, a->poll ? WS_PROFILE_BINS - 1 : ws_profile_bin(fresh ? DEPTH : (uint32_t)depth), misses, !before);
    if (!present) {
        request(w, a->line);
        c->asker = a->warp;
        c->asker_group = g->number;
    } else {
        g->joined |= is_awaited(w, c, a);
    }
    w->out->lines += fresh;
    w->out->remote_loads += before && before->writer >> 32 == w->launches && before->writer != writer_of(w, a->sm);
    load_logical(w, &w->warp[(size_t)a->sm * w->warps + a->warp], c, bin, a, present, WS_LOGIC_ORDER);
    l2_line *const l = look_at_l2(w, a->line);
    load_physical(w, c, l, bin, a, present);
    load_strong(w, c, l, bin, a, present);
    load_plain(w, s, c, bin, a, present);
}

/* ------------------------------------------------------------------------------------------------ stores, atomics,
 * fences */

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

/* The same by the time that memory takes; a store during a read of its SM makes the data serve that read alone. */
static void wait_late(const ws_traffic_walk *w, const ws_ordered_access *a, l2_line *l, clock *warp, copy *c,
                      const uint64_t *now, uint64_t latency)
{
    const unsigned first = w->pass == WS_PASS_STRONG ? LEASES : 0;
    for (unsigned i = first; i < first + LEASES; i++) {
        const uint64_t seen = l->granted[i] ? l->granted[i] + ws_profile_lease[i % LEASES] + 1 : 0;
        uint64_t at = now[i] + latency - WAY;
        if (i < LEASES) {
            warp->late_visible[i] = seen > warp->late_visible[i] ? seen : warp->late_visible[i];
        } else {
            at = seen > at ? seen : at;
            at = l->late_busy[i] > at ? l->late_busy[i] : at;
            w->out->late_wait[i] += at - (now[i] + latency - WAY);
            l->late_busy[i] = at;
        }
        ws_traffic_time_ack(w->time, a, i, at + WAY);
        if (a->kind == WS_LOG_ATOMIC)
            ws_traffic_time_answer(w->time, a, i, at + WAY);
        if (c && (i >= LEASES || c->there[i] > now[i]))
            c->granted[i] = 0;
    }
}

/* The copy takes the store's lease, if it was made of the data that L2 had, and no other store was in flight. */
static void keep_copy(logic *c, const stamp *at, uint64_t old, uint64_t now, uint64_t acked)
{
    const bool flying = acked && in_flight(c, now);
    c->lost = c->lost || flying || c->wts != old;
    c->stored = flying ? c->stored : now;
    c->acked = flying && c->acked > acked ? c->acked : acked;
    c->wts = at->wts;
    c->rts = at->rts;
}

static void store_logical(ws_traffic_walk *w, const ws_ordered_access *a, stamp *at, clock *warp, copy *c, unsigned k,
                          uint64_t now)
{
    const uint64_t old = at->wts, before = warp->ts[k];
    at->wts = at->rts + 1 > before ? at->rts + 1 : before;
    at->rts = at->wts + LEASE;
    warp->ts[k] = at->wts;
    warp->hits[k] = 0;
    if (c && a->kind == WS_LOG_STORE)
        keep_copy(&c->logic[k], at, old, now, k == WS_LOGIC_ORDER ? 0 : now + WS_PROFILE_L2_CYCLES);
    if (k != WS_LOGIC_ORDER)
        return;
    note_ts(w, at->rts);
    w->out->jumps += at->wts > before;
}

/* Stores are done at once; during a read they make its data serve that read alone. */
static void store_plainly(const ws_traffic_walk *w, const ws_ordered_access *a, unsigned by, uint64_t when)
{
    ws_traffic_time_ack(w->time, a, by, when);
    if (a->kind == WS_LOG_ATOMIC)
        ws_traffic_time_answer(w->time, a, by, when);
}

static void store_unleased(const ws_traffic_walk *w, const ws_ordered_access *a, copy *c, const uint64_t *now,
                           uint64_t latency)
{
    for (unsigned i = WS_TIME_PLAIN; i <= last_unleased(w); i++) {
        store_plainly(w, a, i, now[i] + latency);
        if (c && c->there[i] > now[i])
            c->joinable[i - WS_TIME_PLAIN] = false;
    }
}

static void store_in_time(ws_traffic_walk *w, const ws_ordered_access *a, clock *warp, copy *c)
{
    const uint64_t *const now = ws_traffic_time_begin(w->time, a);
    l2_line gone = {.seen = w->passes};
    for (unsigned k = 0; k < LOGICS; k++)
        gone.stamp[k] = (stamp){.wts = w->mem_ts, .rts = w->mem_ts};
    l2_line *const there = look_at_l2(w, a->line), *const l = there ? there : &gone;
    const uint64_t latency = latency_of(w, there);
    const unsigned k = logic_of(w), own = WS_TIME_RC + (k - WS_LOGIC_RC);
    switch (w->pass == WS_PASS_FENCES ? WS_PASS_PLAIN : w->pass) {
    case WS_PASS_BARE:
        store_plainly(w, a, WS_TIME_BARE, now[WS_TIME_BARE] + latency);
        return;
    case WS_PASS_PLAIN:
        store_unleased(w, a, c, now, latency);
        return;
    case WS_PASS_LOGIC:
    case WS_PASS_SC:
        store_logical(w, a, &l->stamp[k], warp, c, k, now[own]);
        store_plainly(w, a, own, now[own] + latency);
        return;
    default:
        wait_late(w, a, l, warp, c, now, latency);
    }
}

static void store(ws_traffic_walk *w, const ws_ordered_access *a)
{
    ws_lru *const set = set_of(w, a);
    const uint32_t place = ws_lru_find(set, a->line);
    copy *const c = place == WS_LRU_NONE ? NULL : &w->sm[a->sm].copy[a->line % SETS][place];
    clock *const warp = &w->warp[(size_t)a->sm * w->warps + a->warp];
    if (w->pass != WS_PASS_ORDER) {
        store_in_time(w, a, warp, c);
    } else {
        request(w, a->line);
        if (c)
            c->stored = true;
        if (a->kind == WS_LOG_ATOMIC)
            join_group(w, a, WS_PROFILE_BINS - 1, 0, !look_at_l2(w, a->line));
        l2_line *const l = at_l2(w, a->line);
        l->dirty = true;
        l->writer = writer_of(w, a->sm);
        w->out->l2_writes++;
        store_logical(w, a, &l->stamp[WS_LOGIC_ORDER], warp, c, WS_LOGIC_ORDER, 0);
        wait_for_leases(w, l, warp, c, a->now);
    }
    if (a->kind == WS_LOG_ATOMIC && c)
        ws_lru_drop(set, place);
}

/* One beyond its block takes its time from when all is done that it waits for, and it has its turn. */
static void take_fence(ws_traffic_walk *w, const ws_ordered_access *a, uint64_t now)
{
    uint64_t *const free = &w->sm[a->sm].fence_free;
    w->fences.met |= *free > now;
    const uint64_t end = (w->fences.turns && *free > now ? *free : now) + w->fences.cost;
    *free = end > *free ? end : *free;
    ws_traffic_time_fence(w->time, a, WS_TIME_PLAIN, end);
}

static void fence(ws_traffic_walk *w, const ws_ordered_access *a)
{
    const clock *const warp = &w->warp[(size_t)a->sm * w->warps + a->warp];
    const uint64_t *const now = w->time ? ws_traffic_time_begin(w->time, a) : NULL;
    if (w->pass == WS_PASS_ORDER)
        w->sm[a->sm].fences++;
    if (w->pass == WS_PASS_PLAIN)
        w->sm[a->sm].late_fences++;
    for (unsigned i = 0; i < LEASES && w->pass == WS_PASS_ORDER; i++)
        w->out->fence_wait[i] += warp->visible[i] > a->now ? warp->visible[i] - a->now : 0;
    for (unsigned i = 0; i < LEASES && w->pass == WS_PASS_WEAK; i++) {
        w->out->late_wait[i] += warp->late_visible[i] > now[i] ? warp->late_visible[i] - now[i] : 0;
        ws_traffic_time_fence(w->time, a, i, warp->late_visible[i]);
    }
    if (w->pass == WS_PASS_FENCES && a->wide)
        take_fence(w, a, now[WS_TIME_PLAIN]);
}

/* ------------------------------------------------------------------------------------------------ a launch */

/* Logical time starts again, physical leases are over; L1s start empty, L2 keeps its lines. */
static int begin_launch(ws_traffic_walk *w, uint32_t warps)
{
    w->launches++;
    w->mem_ts = 1;
    w->last_ts = 1 + LEASE;
    for (uint32_t i = 0; i < w->n_taken; i++)
        for (unsigned k = 0; k < LOGICS; k++)
            w->l2[w->taken[i]].stamp[k] = (stamp){.wts = 1, .rts = 1 + LEASE};
    for (size_t i = 0; i < (size_t)w->sms * w->warps; i++)
        for (unsigned k = 0; k < LOGICS; k++)
            w->warp[i].ts[k] = 1;
    w->now += 2 * ws_profile_lease[LEASES - 1];
    if (warps > w->warps) {
        clock *const more = calloc((size_t)w->sms * warps, sizeof *more);
        if (!more)
            return ws_fail(WS_EMEM, "no memory for a profile");
        for (uint32_t i = 0; i < w->sms; i++)
            for (uint32_t k = 0; k < warps; k++)
                more[(size_t)i * warps + k] =
                    k < w->warps ? w->warp[(size_t)i * w->warps + k] : (clock){.ts = {1, 1, 1}};
        free(w->warp);
        w->warp = more;
        w->warps = warps;
    }
    return WS_OK;
}

/* Updates are kept in SMs; other atomics are done at L2. */
static int see_atomic(ws_traffic_walk *w, const ws_ordered_access *a)
{
    if (a->again)
        return WS_OK;
    if (!a->update) {
        ws_update_lines_drop(w->lines, a->sm, a->line);
        return WS_OK;
    }
    ws_update_lines_update(w->lines, a->sm, a->line, a->mask, a->update);
    return ws_update_walk_see(w->updates, a->sm, a->line, a->mask, a->update);
}

static void flush_updates(ws_traffic_walk *w, uint32_t sm)
{
    ws_update_walk_flush(w->updates, sm);
    ws_update_lines_flush(w->lines, sm);
}

static int take(ws_traffic_walk *w, const ws_ordered_access *a)
{
    if (w->pass == WS_PASS_ORDER)
        pass_group(w, a);
    switch (a->kind) {
    case WS_LOG_FETCH:
        return ws_traffic_time_fetch(w->time, a);
    case WS_LOG_LOAD:
        load(w, a);
        if (w->lines)
            ws_update_lines_load(w->lines, a->sm, a->line, a->poll);
        return WS_OK;
    case WS_LOG_FENCE:
        fence(w, a);
        if (w->updates)
            flush_updates(w, a->sm);
        return WS_OK;
    default:
        store(w, a);
        return w->updates && a->kind == WS_LOG_ATOMIC ? see_atomic(w, a) : WS_OK;
    }
}

static int walk_all(ws_traffic_walk *w, ws_access_order *order, unsigned pace)
{
    ws_ordered_access a;
    int status = WS_OK;
    if (w->time)
        ws_access_order_give_all(order);
    while (!status && ws_access_order_next(order, &a)) {
        if (a.kind == WS_LOG_BARRIER) {
            const uint64_t latest = ws_traffic_time_arrive(w->time, &a);
            if (a.released)
                ws_access_order_resume(order, latest);
            continue;
        }
        status = take(w, &a);
        if (w->time && !a.more) {
            const uint64_t ready = ws_traffic_time_ready(w->time, &a, pace);
            ws_access_order_sleep(order, ready - a.next_cycles, ready);
        }
    }
    return status;
}

/* L1s start empty. */
static int walk_pass(ws_traffic_walk *w, const ws_access_log *log, unsigned pass, uint64_t *end)
{
    static const unsigned clocks[][2] = {
        [WS_PASS_WEAK] = {WS_TIME_WEAK, WS_TIME_STRONG},   [WS_PASS_STRONG] = {WS_TIME_STRONG, WS_TIME_RC},
        [WS_PASS_LOGIC] = {WS_TIME_RC, WS_TIME_SC},        [WS_PASS_SC] = {WS_TIME_SC, WS_TIME_PLAIN},
        [WS_PASS_PLAIN] = {WS_TIME_PLAIN, WS_TIME_BARE},   [WS_PASS_BARE] = {WS_TIME_BARE, WS_TIME_OWN},
        [WS_PASS_FENCES] = {WS_TIME_PLAIN, WS_TIME_FENCED}};
    const unsigned number = clocks[pass][1] - clocks[pass][0];
    const unsigned pace = clocks[pass][0] + (number > WS_PROFILE_PACE ? WS_PROFILE_PACE : number - 1);
    ws_access_order *order;
    w->pass = pass;
    w->passes++;
    for (uint32_t i = 0; i < w->sms; i++)
        w->sm[i].fence_free = 0;
    ws_lru_sets_clear(w->set, (size_t)w->filled * SETS);
    w->filled = ws_access_order_cores(log, w->sms);
    int status = ws_access_order_create(log, w->sms, w->residents, w->now, &order);
    if (!status && pass != WS_PASS_ORDER)
        status = ws_traffic_time_create(ws_access_order_cores(log, w->sms),
                                        ws_access_order_residents(log, w->sms, w->residents), log->warps_per_block,
                                        w->now, clocks[pass][0], clocks[pass][1], pace, &w->time);
    const bool updates = pass == WS_PASS_ORDER && log->total.updates;
    if (!status && updates)
        status = ws_update_walk_create(w->sms, w->out, &w->updates);
    if (!status && updates)
        status = ws_update_lines_create(w->sms, w->out, &w->lines);
    if (!status)
        status = walk_all(w, order, pace);
    if (pass == WS_PASS_ORDER && w->window.seen)
        end_window(w);
    for (size_t i = 0; pass == WS_PASS_ORDER && i < (size_t)w->sms * w->warps; i++) {
        end_group(w, &w->warp[i].group);
        w->warp[i].group = (group){.tag = UINT32_MAX};
    }
    for (uint32_t i = 0; i < w->sms && w->updates && !status; i++)
        flush_updates(w, i);
    ws_update_walk_destroy(w->updates);
    ws_update_lines_destroy(w->lines);
    w->updates = NULL;
    w->lines = NULL;
    for (unsigned kind = 0; kind < WS_LOG_FETCHED && pass == WS_PASS_LOGIC && !status; kind++)
        w->out->fetch_misses[kind] = ws_traffic_time_missed(w->time, kind);
    *end = status ? 0 : ws_access_order_now(order);
    for (unsigned k = clocks[pass][0]; k < clocks[pass][1] && !status; k++) {
        const uint64_t last = ws_traffic_time_end(w->time, k);
        if (pass != WS_PASS_FENCES)
            w->out->held[k] = ws_traffic_time_held(w->time, k);
        *(pass == WS_PASS_FENCES ? &w->fences.end : &w->out->late_cycles[k]) = last - w->now;
        *end = last > *end ? last : *end;
    }
    ws_traffic_time_destroy(w->time);
    w->time = NULL;
    ws_access_order_destroy(order);
    return status;
}

static int run_fences(ws_traffic_walk *w, const ws_access_log *log, uint32_t cost, bool turns)
{
    uint64_t end;
    w->fences.cost = cost;
    w->fences.turns = turns;
    w->fences.met = false;
    return walk_pass(w, log, WS_PASS_FENCES, &end);
}

/* How much longer the launch takes by what fences cost, each time in the order that this makes; the first is the time
 * of copies that live until they are replaced, too, which the pass where fences end them has in the order of those.
 * Where no fence meets another, turns make no difference. */
static int find_fences(ws_traffic_walk *w, const ws_access_log *log)
{
    int status = run_fences(w, log, 0, false);
    const uint64_t free = w->fences.end;
    w->out->late_cycles[WS_TIME_PLAIN] = free;
    for (unsigned i = 0; i < WS_PROFILE_FENCES && !status; i++)
        for (unsigned way = 0; way < WS_FENCE_WAYS && !status; way++) {
            if (way == WS_FENCE_BESIDE || w->fences.met)
                status = run_fences(w, log, ws_profile_fence[i], way == WS_FENCE_TURNS);
            w->out->fence_cycles[way][i] = w->fences.end > free ? w->fences.end - free : 0;
        }
    return status;
}

int ws_traffic_walk_run(ws_traffic_walk *w, const ws_access_log *log, ws_traffic_rung *out)
{
    *out = (ws_traffic_rung){.sms = w->sms, .residents = w->residents};
    w->out = out;
    uint64_t last = 0;
    int status = begin_launch(w, w->residents * log->warps_per_block);
    for (unsigned pass = 0; pass < WS_PROFILE_PASSES && !status; pass++) {
        uint64_t end;
        status = walk_pass(w, log, pass, &end);
        if (pass == WS_PASS_ORDER)
            out->cycles = end - w->now;
        last = end > last ? end : last;
    }
    if (!status && log->total.wide_fences)
        status = find_fences(w, log);
    if (!status)
        status = ws_traffic_owners_run(w->owners, log, w->residents, out);
    w->now = last;
    out->last_ts = w->last_ts;
    w->out = NULL;
    return status;
}
