/* study_coalescing.c - do neighbouring accesses to off-chip memory fall together? (study dimensions 82-101)
 *
 * Each access of a warp is taken apart into the 64-byte blocks that it touches. Row locality follows the blocks through a
 * frozen map to DRAM rows; merge misses follow them through a window of recent blocks a streaming multiprocessor, to
 * which blocks of the grid are dealt in turn. Both see the grid's blocks one after another, in rising order. */
#include "metrics/study.h"

#include "base/status.h"
#include "metrics/dram_rows.h"
#include "metrics/merge_window.h"
#include "metrics/warp_blocks.h"

enum { MULTIPROCESSORS = 8, BINS = 10, R = 0, M_M = BINS };

typedef struct state {
    ws_dram_rows rows;
    ws_window window[MULTIPROCESSORS];
    ws_warp_blocks blocks;
} state;

static int init(void *p, const ws_launch *launch)
{
    (void)p;
    return ws_warp_blocks_check(launch);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    ws_window *const window = &s->window[batch->block % MULTIPROCESSORS];
    for (const ws_event *ev = batch->event, *end = ev + batch->events; ev < end; ev++) {
        if (ev->kind != WS_EVENT_MEMORY || !ws_is_off_chip(ev->space))
            continue;
        const unsigned n = ws_warp_blocks_find(&s->blocks, launch, batch, ev);
        for (unsigned i = 0; i < n; i++) {
            ws_dram_touch(&s->rows, s->blocks.block[i] * WS_BLOCK_BYTES);
            ws_window_touch(window, s->blocks.block[i]);
        }
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    state *const a = into;
    const state *const b = from;
    ws_dram_join(&a->rows, &b->rows);
    for (int i = 0; i < MULTIPROCESSORS; i++)
        ws_window_join(&a->window[i], &b->window[i]);
    return WS_OK;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    (void)launch;
    const state *const s = p;
    for (int i = 0; i < 2 * BINS; i++)
        counter[i] = 0;
    if (s->rows.accesses == 0)
        return WS_OK;
    uint64_t mergeable = 0;
    for (int i = 0; i < MULTIPROCESSORS; i++)
        mergeable += s->window[i].mergeable;
    const double accesses = (double)s->rows.accesses;
    ws_bins_one(WS_BINS_R, accesses / (double)ws_dram_runs(&s->rows), counter + R);
    ws_bins_one(WS_BINS_RATIO, (double)mergeable / accesses, counter + M_M);
    return WS_OK;
}

/* Columns stand in the order of the counters. */
static void emit(const double *counter, double *value)
{
    ws_bins_fractions(WS_BINS_R, counter + R, value + R);
    ws_bins_fractions(WS_BINS_RATIO, counter + M_M, value + M_M);
}

static const ws_counter counters[] = {
    {.name = "r", .count = BINS}, {.name = "m_m", .count = BINS},
    {.name = NULL},
};

static const ws_metric_column columns[] = {
    {.name = "R", .unit = "fraction", .group = "CO", .index = 82, .count = BINS,
     .question = "Share of launches by accesses to one DRAM row in succession, 64-byte accesses on a frozen map; exact."},
    {.name = "M_m", .unit = "fraction", .group = "CO", .index = 92, .count = BINS,
     .question = "Share of launches by 64-byte accesses whose block was among the last 256 of its multiprocessor; exact."},
    {.name = NULL},
};

const ws_metric ws_metric_study_coalescing = {
    .sink = {.name = "study_coalescing", .wants = WS_WANT_MEMORY, .state_size = sizeof(state), .init = init,
             .events = events, .merge = merge},
    .set = "study",
    .question = "Do neighbouring accesses to off-chip memory fall together?",
    .counters = counters,
    .columns = columns,
    .finish = finish,
    .emit = emit,
};
