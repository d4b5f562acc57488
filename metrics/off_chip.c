/* off_chip.c - which DRAM rows and which requests under way do the off-chip accesses of a launch meet? */
#include "metrics/off_chip.h"

void ws_off_chip_see(ws_off_chip *tracker, const ws_launch *launch, const ws_batch *batch)
{
    ws_window *const window = &tracker->window[batch->block % WS_MULTIPROCESSORS];
    ws_warp_blocks *const blocks = &tracker->scratch;
    for (const ws_event *ev = batch->event, *end = ev + batch->events; ev < end; ev++) {
        if (ev->kind != WS_EVENT_MEMORY || !ws_is_off_chip(ev->space))
            continue;
        const unsigned n = ws_warp_blocks_find(blocks, launch, batch, ev);
        for (unsigned i = 0; i < n; i++) {
            ws_dram_touch(&tracker->rows, blocks->block[i] * WS_BLOCK_BYTES);
            ws_window_touch(window, blocks->block[i]);
        }
    }
}

void ws_off_chip_join(ws_off_chip *into, const ws_off_chip *from)
{
    ws_dram_join(&into->rows, &from->rows);
    for (int i = 0; i < WS_MULTIPROCESSORS; i++)
        ws_window_join(&into->window[i], &from->window[i]);
}

uint64_t ws_off_chip_mergeable(const ws_off_chip *tracker)
{
    uint64_t mergeable = 0;
    for (int i = 0; i < WS_MULTIPROCESSORS; i++)
        mergeable += tracker->window[i].mergeable;
    return mergeable;
}
