/* barrier.c - how far can a warp run before it has to wait for its block? */
#include "metrics/family.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 8 }; /* of factor 4 in length */

#define GROUP "barrier"
#define COUNTERS(ONE, MANY) \
    ONE(warp_instr, SUM) \
    ONE(barriers, SUM) \
    ONE(gaps, SUM) \
    ONE(gap_sum, SUM) \
    ONE(gap_min, MIN) \
    ONE(gap_max, MAX) \
    MANY(gap, SUM, BINS)
#define COLUMNS(ONE, MANY) \
    ONE(per_kinstr, "1/kinstr", "Barriers per 1000 warp instructions; exact.") \
    ONE(gap_min, "instr", \
        "Fewest warp instructions of a gap: between two barriers of a warp, from its start to the " \
        "first, or from the last to its end (left out when empty); barriers not counted; exact.") \
    ONE(gap_mean, "instr", "Mean warp instructions of a gap; exact.") \
    ONE(gap_max, "instr", "Most warp instructions of a gap; exact.") \
    MANY(gap, BINS, "ratio", \
         "Share of gaps with less than 4, 16, 64, 256, 1024, 4096, 16384 instructions, or more; " \
         "exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    uint64_t *since; /* [warps] instructions since the start or the last barrier */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->gap_min = UINT64_MAX;
    s->since = calloc(launch->warps_per_block + 1u, sizeof *s->since);
    return s->since ? WS_OK : ws_fail(WS_EMEM, "no memory for the barrier metrics");
}

static void close_gap(state *s, unsigned warp)
{
    const uint64_t gap = s->since[warp];
    s->since[warp] = 0;
    s->gaps++;
    s->gap_sum += gap;
    s->gap_min = gap < s->gap_min ? gap : s->gap_min;
    s->gap_max = gap > s->gap_max ? gap : s->gap_max;
    const unsigned bits = gap ? 64 - (unsigned)__builtin_clzll(gap) : 1;
    const unsigned bin = (bits - 1) / 2;
    s->gap[bin < BINS ? bin : BINS - 1]++;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    (void)launch;
    WS_EACH_EVENT (ev, batch) {
        s->warp_instr += ev->count;
        if (ev->kind == WS_EVENT_BARRIER) {
            s->barriers++;
            close_gap(s, ev->warp);
        } else {
            s->since[ev->warp] += ev->count;
        }
    }
    return WS_OK;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)block;
    for (uint32_t warp = 0; warp < launch->warps_per_block; warp++)
        if (s->since[warp])
            close_gap(s, warp);
    return WS_OK;
}

WS_FAMILY_MERGE

static void fini(void *p)
{
    free(((state *)p)->since);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    counters *const c = (counters *)counter;
    (void)launch;
    ws_family_tell(counter_table, ((const state *)p)->counts, counter);
    c->gap_min = c->gaps > 0 ? c->gap_min : NAN;
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    v->per_kinstr = ws_ratio(1000 * c->barriers, c->warp_instr, 0);
    v->gap_min = isnan(c->gap_min) ? 0 : c->gap_min;
    v->gap_mean = ws_ratio(c->gap_sum, c->gaps, 0);
    v->gap_max = c->gap_max;
    ws_fractions(c->gap, BINS, v->gap);
}

const ws_metric ws_metric_barrier =
    WS_FAMILY("modern", "How far can a warp run before it has to wait for its block?", .wants = WS_WANT_INSTRUCTIONS,
              .init = init, .block_end = block_end, .fini = fini);
