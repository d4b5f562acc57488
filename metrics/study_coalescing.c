/* study_coalescing.c - do neighbouring accesses to off-chip memory fall together? (study dimensions 82-101)
 *
 * Each access of a warp is taken apart into the 64-byte blocks that it touches. Row locality follows the blocks through a
 * frozen map to DRAM rows; merge misses follow them through a window of recent blocks a streaming multiprocessor, to
 * which blocks of the grid are dealt in turn. Both see the grid's blocks one after another, in rising order. */
#include "metrics/study.h"

#include "base/status.h"
#include "metrics/off_chip.h"

enum { BINS = 10, R = 0, M_M = BINS };

static int init(void *p, const ws_launch *launch)
{
    (void)p;
    return ws_warp_blocks_check(launch);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    ws_off_chip_see(p, launch, batch);
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    ws_off_chip_join(into, from);
    return WS_OK;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    (void)launch;
    const ws_off_chip *const s = p;
    const double accesses = (double)s->rows.accesses;
    for (int i = 0; i < 2 * BINS; i++)
        counter[i] = 0;
    if (accesses > 0) { /* else the launch is no sample */
        ws_bins_one(WS_BINS_R, accesses / (double)ws_dram_runs(&s->rows), counter + R);
        ws_bins_one(WS_BINS_RATIO, (double)ws_off_chip_mergeable(s) / accesses, counter + M_M);
    }
    return WS_OK;
}

/* Columns stand in the order of the counters. */
static void emit(const double *counter, double *value)
{
    ws_bins_copy(WS_BINS_R, counter + R, value + R);
    ws_bins_copy(WS_BINS_RATIO, counter + M_M, value + M_M);
}

static const ws_counter counters[] = {
    WS_BINS_COUNTER("r", R, BINS), WS_BINS_COUNTER("m_m", RATIO, BINS),
    {.name = NULL},
};

static const ws_metric_column columns[] = {
    WS_BINS_COLUMN("R", "launches", "CO", 82, BINS,
                   "Launches by accesses to one DRAM row in succession, 64-byte accesses on a frozen map; exact."),
    WS_BINS_COLUMN("M_m", "launches", "CO", 92, BINS,
                   "Launches by 64-byte accesses whose block was among the last 256 of its multiprocessor; exact."),
    {.name = NULL},
};

const ws_metric ws_metric_study_coalescing = {
    .sink = {.name = "study_coalescing", .wants = WS_WANT_MEMORY, .state_size = sizeof(ws_off_chip), .init = init,
             .events = events, .merge = merge},
    .set = "study",
    .question = "Do neighbouring accesses to off-chip memory fall together?",
    .counters = counters,
    .columns = columns,
    .finish = finish,
    .emit = emit,
};
