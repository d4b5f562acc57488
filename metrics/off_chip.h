/* off_chip.h - the off-chip accesses of a launch as the study follows them: taken apart into 64-byte blocks, through the
 * frozen map to DRAM rows, and through a window of recent blocks of each streaming multiprocessor. */
#ifndef WS_OFF_CHIP_H
#define WS_OFF_CHIP_H

#include "metrics/dram_rows.h"
#include "metrics/merge_window.h"
#include "metrics/warp_blocks.h"

enum { WS_MULTIPROCESSORS = 8 }; /* grid blocks are dealt to them in turn; part of the definition, no machine's number */

/* All zero has seen nothing. Trackers of consecutive blocks of the grid join exactly. */
typedef struct ws_off_chip {
    ws_dram_rows rows;
    ws_window window[WS_MULTIPROCESSORS];
    ws_warp_blocks scratch;
} ws_off_chip;

void ws_off_chip_see(ws_off_chip *tracker, const ws_launch *launch, const ws_batch *batch);
void ws_off_chip_join(ws_off_chip *into, const ws_off_chip *from);

/* 64-byte accesses that were mergeable with an earlier one (see merge_window.h). */
uint64_t ws_off_chip_mergeable(const ws_off_chip *tracker);

#endif
