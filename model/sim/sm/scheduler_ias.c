/* scheduler_ias.c - after so many misses, those that compute go first, and answers of the network get time to come.
 *
 * The interconnect-aware scheduler of Goswami, "Power Performance Co-Optimization of Throughput Architecture Using
 * Emerging Technologies", 2013. It does not ask the network: it counts loads that went out to it. Warps take turns
 * until `stride` of them did; then comes a phase in which the next warp in turn whose instruction is known to compute
 * goes first, then one whose instruction nobody has issued yet, then one of memory. The phase ends when it has to go
 * down from one of these to a lower one, and with as many issues ahead of memory as the scheduler has warps, less one:
 * all its warps may be at one instruction, and the first of them finds out what that is. So 64 warps hide 63 cycles at
 * most.
 *
 * With `adaptive` an interval with turns alone and one with phases are measured, and the one with more instructions
 * stays until they are measured again. Misses and intervals go on over launches, of which some are shorter than either.
 */
#include "model/sim/sm/scheduler_internal.h"

#include <string.h>

/* What is known of the instruction at a pc. */
typedef enum pc_class { UNKNOWN, COMPUTES, MEMORY, CLASSES } pc_class;

enum { CLASS_BITS = 2, PCS = 2048, PCS_OF_BYTE = 8 / CLASS_BITS };

/* Of the SM: 512 bytes. A launch with more instructions than PCS has several in one place. */
typedef struct pc_classes {
    uint8_t bits[PCS / PCS_OF_BYTE];
} pc_classes;

typedef enum sampled { TURNS, PHASES, SAMPLES } sampled;
_Static_assert((int)SAMPLES == WS_SCHEDULER_SAMPLES, "the bounds of its options know how many ways there are");

typedef struct ias {
    uint64_t live;
    uint64_t interval;        /* the present one, counted from cycle 0 */
    uint64_t issues;          /* in it */
    uint64_t sample[SAMPLES]; /* issues of the intervals that were measured last */
    uint32_t misses;          /* since the last phase, or lanes that missed; not counted beyond the stride */
    uint8_t next;             /* slot with which the turn goes on */
    uint8_t ahead;            /* issues of this phase that went before memory */
    uint8_t rank;             /* of the last issue of this phase; 0 at first */
} ias;

/* ------------------------------------------------------------------------------------------------ class bits */

static pc_class class_of(const ws_warp_scheduler *s, uint32_t pc)
{
    const pc_classes *const c = s->shared;
    pc %= PCS;
    return (pc_class)(c->bits[pc / PCS_OF_BYTE] >> pc % PCS_OF_BYTE * CLASS_BITS & ((1 << CLASS_BITS) - 1));
}

static void learn(const ws_warp_scheduler *s, const ws_issue *issue)
{
    pc_classes *const c = s->shared;
    const uint32_t pc = issue->pc % PCS, shift = pc % PCS_OF_BYTE * CLASS_BITS;
    const unsigned found = issue->instr->access == WS_ACCESS_NONE ? COMPUTES : MEMORY;
    uint8_t *const bits = &c->bits[pc / PCS_OF_BYTE];
    *bits = (uint8_t)((*bits & ~(((1u << CLASS_BITS) - 1) << shift)) | found << shift);
}

/* ------------------------------------------------------------------------------------------------ intervals */

static void end_interval(ias *i, uint64_t resample)
{
    if (i->interval % resample < SAMPLES)
        i->sample[i->interval % resample] = i->issues;
    i->issues = 0;
    i->interval++;
}

/* Ends the intervals that are over in cycle `now`. Of many without an issue the last round says all. */
static void catch_up(ias *i, const uint64_t *values, uint64_t now)
{
    const uint64_t present = now / values[WS_SCHEDULER_ias_interval];
    if (i->interval < present)
        end_interval(i, values[WS_SCHEDULER_ias_resample]);
    if (present - i->interval > 2 * values[WS_SCHEDULER_ias_resample])
        i->interval += (present - i->interval) / values[WS_SCHEDULER_ias_resample] * values[WS_SCHEDULER_ias_resample] -
                       values[WS_SCHEDULER_ias_resample];
    while (i->interval < present)
        end_interval(i, values[WS_SCHEDULER_ias_resample]);
}

/* Are there phases in this cycle? Brings the intervals up to it. */
static bool has_phases(const ws_warp_scheduler *s, ias *i)
{
    if (!s->values[WS_SCHEDULER_ias_adaptive])
        return true;
    catch_up(i, s->values, s->view.sm(s->view.of).now);
    const uint64_t place = i->interval % s->values[WS_SCHEDULER_ias_resample];
    return place == PHASES || (place >= SAMPLES && i->sample[PHASES] >= i->sample[TURNS]);
}

/* ------------------------------------------------------------------------------------------------ choice */

/* What goes first in a phase: the highest. */
enum { RANKS = CLASSES };
static const uint8_t rank_of[CLASSES] = {[MEMORY] = 0, [UNKNOWN] = 1, [COMPUTES] = RANKS - 1};

static uint64_t first_of_phase(const ws_warp_scheduler *s, uint64_t candidates)
{
    uint64_t of_rank[RANKS] = {0};
    for (uint64_t rest = candidates; rest; rest &= rest - 1) {
        const ws_warp_facts warp = s->view.warp(s->view.of, (unsigned)__builtin_ctzll(rest));
        of_rank[rank_of[class_of(s, warp.pc)]] |= rest & -rest;
    }
    unsigned rank = RANKS - 1;
    while (!of_rank[rank])
        rank--;
    return of_rank[rank];
}

static int choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    const ias *const i = s->state;
    if (i->misses >= s->values[WS_SCHEDULER_ias_stride]) {
        ias now = *i;
        if (has_phases(s, &now))
            candidates = first_of_phase(s, candidates);
    }
    return ws_next_warp(candidates, i->next);
}

/* An issue of a phase; the last one ends it. */
static void go_on_with_phase(ias *i, unsigned rank)
{
    const unsigned most = (unsigned)__builtin_popcountll(i->live) - 1;
    i->ahead += rank > 0;
    const bool last = rank < i->rank || (i->ahead && i->ahead >= most);
    i->rank = (uint8_t)rank;
    if (last)
        i->misses = i->ahead = i->rank = 0;
}

static void issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    ias *const i = s->state;
    if (has_phases(s, i) && i->misses >= s->values[WS_SCHEDULER_ias_stride])
        go_on_with_phase(i, rank_of[class_of(s, issue->pc)]);
    learn(s, issue);
    i->issues++;
    i->next = (uint8_t)((warp + 1) % WS_SM_WARPS);
}

/* ------------------------------------------------------------------------------------------------ events */

static void started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    (void)order;
    ((ias *)s->state)->live |= UINT64_C(1) << warp;
}

static void ended(const ws_warp_scheduler *s, unsigned warp)
{
    ((ias *)s->state)->live &= ~(UINT64_C(1) << warp);
}

/* Another program, with instructions of its own. */
static void launched(const ws_warp_scheduler *s)
{
    memset(s->shared, 0, sizeof(pc_classes));
}

static void accessed(const ws_warp_scheduler *s, unsigned warp, const ws_load_access *access)
{
    (void)warp;
    ias *const i = s->state;
    const unsigned each = s->values[WS_SCHEDULER_ias_lanes] ? (unsigned)__builtin_popcount(access->lanes) : 1;
    if (access->fate == WS_LOAD_MISSED && i->misses < s->values[WS_SCHEDULER_ias_stride])
        i->misses += each;
}

const ws_warp_scheduler_ops ws_warp_scheduler_ias = {
    .state_size = sizeof(ias),
    .shared_size = sizeof(pc_classes),
    .looks_ahead = true,
    .started = started,
    .ended = ended,
    .choose = choose,
    .issued = issued,
    .launched = launched,
    .accessed = accessed,
};
