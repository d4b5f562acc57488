/* study_coalescing.c - do neighbouring accesses to off-chip memory fall together? (study dimensions 82-101)
 *
 * Each access of a warp is taken apart into the 64-byte blocks that it touches. Row locality follows the blocks through
 * a frozen map to DRAM rows, merge misses through the requests that are under way of each multiprocessor; both in the
 * order in which the grid's blocks that a machine holds at once would make them (off_chip.h). */
#include "metrics/study_metrics.h"

#include "base/status.h"
#include "metrics/family.h"
#include "metrics/off_chip.h"

enum { BINS = 10, R = 0, M_M = BINS };

typedef struct state {
    ws_off_chip *off_chip;
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    return ws_off_chip_create(&ws_board_frozen, launch, &s->off_chip);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    const state *const s = p;
    return ws_off_chip_see(s->off_chip, launch, batch);
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    const state *const s = p;
    (void)launch;
    return ws_off_chip_block_end(s->off_chip, block);
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    const state *const a = into, *const b = from;
    (void)launch;
    return ws_off_chip_join(a->off_chip, b->off_chip);
}

static void fini(void *p)
{
    const state *const s = p;
    ws_off_chip_destroy(s->off_chip);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    (void)launch;
    const state *const s = p;
    ws_off_chip_count n;
    const int status = ws_off_chip_finish(s->off_chip, &n);
    for (int i = 0; i < 2 * BINS; i++)
        counter[i] = 0;
    if (status == WS_OK && n.accesses > 0) { /* else the launch is no sample */
        ws_bins_one(WS_BINS_R, (double)n.accesses / (double)n.runs, counter + R);
        ws_bins_one(WS_BINS_RATIO, (double)n.mergeable / (double)n.accesses, counter + M_M);
    }
    return status;
}

/* Columns stand in the order of the counters. */
static void emit(const double *counter, double *value)
{
    ws_bins_copy(WS_BINS_R, counter + R, value + R);
    ws_bins_copy(WS_BINS_RATIO, counter + M_M, value + M_M);
}

static const ws_counter counter_table[] = {
    WS_BINS_COUNTER("r_interleaved", R, BINS),
    WS_BINS_COUNTER("m_m_under_way", RATIO, BINS),
    {.name = NULL},
};

static const ws_metric_column column_table[] = {
    WS_BINS_COLUMN("R", "launches", "CO", 82, BINS,
                   "Launches by accesses to one DRAM row in succession, 64-byte accesses of 64 resident blocks or "
                   "fewer interleaved, on a frozen map; of long blocks windows of time."),
    WS_BINS_COLUMN("M_m", "launches", "CO", 92, BINS,
                   "Launches by share of 64-byte accesses whose block was asked for by its multiprocessor less than "
                   "400 cycles before; of long blocks windows of time."),
    {.name = NULL},
};

#define GROUP "study_coalescing"
const ws_metric ws_metric_study_coalescing =
    WS_FAMILY("study", "Do neighbouring accesses to off-chip memory fall together?", .wants = WS_WANT_INSTRUCTIONS,
              .init = init, .block_end = block_end, .fini = fini);
