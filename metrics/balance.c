/* balance.c - is the work shared out evenly, between the threads of a block and between the blocks?
 *
 * Instructions with a full warp are counted once for the warp; only the others go to single lanes. */
#include "metrics/family.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

#define GROUP "balance"
#define COUNTERS(ONE, MANY) \
    ONE(thread_instr, SUM) \
    ONE(threads, SUM) \
    ONE(thread_min, MIN) \
    ONE(thread_max, MAX) \
    ONE(blocks, SUM) \
    ONE(thread_cv, SUM) \
    ONE(thread_peak, SUM) \
    ONE(warp_cv, SUM) \
    ONE(block_cv, SUM)
#define COLUMNS(ONE, MANY) \
    ONE(thread_min, "instr", "Fewest instructions that a thread executed; exact.") \
    ONE(thread_mean, "instr", "Mean instructions of a thread; exact.") \
    ONE(thread_max, "instr", "Most instructions that a thread executed; exact.") \
    ONE(thread_cv, "ratio", \
        "Standard deviation over mean of the instructions of a block's threads, mean over the " \
        "blocks; exact to 2^-24.") \
    ONE(thread_peak, "ratio", \
        "Instructions of a block's longest thread over those of its mean thread, mean over the " \
        "blocks; exact to 2^-24.") \
    ONE(warp_cv, "ratio", \
        "Standard deviation over mean of the warp instructions of a block's warps, mean over the " \
        "blocks; exact to 2^-24.") \
    ONE(block_cv, "ratio", \
        "Standard deviation over mean of the thread instructions of a launch's blocks (mean over " \
        "launches, weighted by blocks); exact.", \
        .brief = true)
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* Instructions of the block that is running. */
typedef struct warp {
    uint64_t issued;        /* warp instructions */
    uint64_t every;         /* executed by all lanes */
    uint64_t lane[WS_WARP]; /* and by this lane besides */
} warp;

typedef unsigned __int128 wide; /* sums of squares */

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS) /* thread_cv, thread_peak, warp_cv: sums over blocks, see ws_fixed */
    wide block_squares;
    warp *warp; /* [warps] */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->thread_min = UINT64_MAX;
    s->warp = calloc(launch->warps_per_block + 1u, sizeof *s->warp);
    return s->warp ? WS_OK : ws_fail(WS_EMEM, "no memory for the balance metrics");
}

static void add_lanes(warp *w, uint32_t exec, uint64_t n)
{
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        w->lane[lane] += exec >> lane & 1 ? n : 0;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    (void)launch;
    WS_EACH_INSTRUCTION (ev, batch) {
        warp *const w = &s->warp[ev->warp];
        const uint64_t n = ws_event_lane_runs(ev);
        w->issued += ev->count;
        if (ev->exec == UINT32_MAX)
            w->every += n;
        else
            add_lanes(w, ev->exec, n);
    }
    return WS_OK;
}

/* Standard deviation (of the whole population) over mean. */
static double variation(wide sum, wide squares, uint64_t n)
{
    if (!sum)
        return 0;
    return sqrt((double)(squares * n - sum * sum)) / (double)sum;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    uint64_t sum = 0, most = 0, issued = 0;
    wide squares = 0, issued_squares = 0;
    (void)block;
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        warp *const w = &s->warp[i];
        issued += w->issued;
        issued_squares += (wide)w->issued * w->issued;
        WS_EACH_LANE (lane, ws_warp_lanes(launch, i)) {
            const uint64_t n = w->every + w->lane[lane];
            sum += n;
            squares += (wide)n * n;
            most = n > most ? n : most;
            s->thread_min = n < s->thread_min ? n : s->thread_min;
        }
        *w = (warp){0};
    }
    const uint64_t threads = launch->threads_per_block;
    s->thread_max = most > s->thread_max ? most : s->thread_max;
    s->thread_instr += sum;
    s->threads += threads;
    s->blocks++;
    s->block_squares += (wide)sum * sum;
    s->thread_cv += ws_fixed(variation(sum, squares, threads));
    s->thread_peak += ws_fixed(sum ? (double)most * (double)threads / (double)sum : 0);
    s->warp_cv += ws_fixed(variation(issued, issued_squares, launch->warps_per_block));
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    ws_family_join(counter_table, a->counts, b->counts);
    a->block_squares += b->block_squares;
    return WS_OK;
}

static void fini(void *p)
{
    free(((state *)p)->warp);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    (void)launch;
    ws_family_tell(counter_table, s->counts, counter);
    c->thread_min = s->threads ? c->thread_min : NAN;
    c->block_cv = (double)s->blocks * variation(s->thread_instr, s->block_squares, s->blocks);
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    v->thread_min = isnan(c->thread_min) ? 0 : c->thread_min;
    v->thread_mean = ws_ratio(c->thread_instr, c->threads, 0);
    v->thread_max = c->thread_max;
    v->thread_cv = ws_ratio(c->thread_cv, WS_FIXED_SCALE * c->blocks, 0);
    v->thread_peak = ws_ratio(c->thread_peak, WS_FIXED_SCALE * c->blocks, 0);
    v->warp_cv = ws_ratio(c->warp_cv, WS_FIXED_SCALE * c->blocks, 0);
    v->block_cv = ws_ratio(c->block_cv, c->blocks, 0);
}

const ws_metric ws_metric_balance =
    WS_FAMILY("modern", "Is the work shared out evenly, between the threads of a block and between the blocks?",
              .wants = WS_WANT_INSTRUCTIONS, .init = init, .block_end = block_end, .fini = fini);
