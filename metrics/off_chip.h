/* off_chip.h - off-chip accesses of a launch as defined by the study, with their DRAM rows and outstanding requests.
 *
 * Accesses are divided into 64-byte blocks, in the order in which a machine's resident thread blocks would make them.
 * The machine (a `ws_board`) holds n thread blocks at once, in waves. Wave k is the blocks k n to (k + 1) n - 1 of the
 * grid, distributed to multiprocessors in turn. A multiprocessor issues one warp instruction per cycle, to its warps in
 * turn. With N warps each instruction of a warp therefore takes N cycles. A warp waits WS_LATENCY cycles for its loads,
 * and at barriers for its block. A request is outstanding for WS_LATENCY cycles. Another request of the same
 * multiprocessor for the same block could then be merged with it. The model has no cache and no queue; only the order
 * depends on the clock, and no result depends on the host machine.
 *
 * Long blocks are followed in windows of time: WS_WINDOW cycles in every 2^k windows, as many as hold at most
 * WS_RECORDS accesses of a wave. Counts are multiplied by 2^k. */
#ifndef WS_OFF_CHIP_H
#define WS_OFF_CHIP_H

#include "metrics/warp_blocks.h"

/* Latency of device memory: 400 to 600 cycles (NVIDIA CUDA Programming Guide 2.3, section 5.2.3, for the study's
 * machines). */
enum { WS_LATENCY = 400, WS_WINDOW = 1024, WS_RECORDS = 1 << 16 };

enum { WS_BOARD_PROCESSORS = 127, WS_BOARD_CHANNELS = 16 }; /* limits */

typedef struct ws_board {
    unsigned processors, channels; /* multiprocessors; memory channels */
    unsigned threads, blocks;      /* resident per multiprocessor */
} ws_board;

/* Board of the study's characteristics, after the smallest machine that ran all of its workloads; part of their
 * definition. */
extern const ws_board ws_board_frozen;

typedef struct ws_off_chip_count {
    uint64_t accesses, runs, mergeable; /* runs: sequences of accesses to one DRAM row; mergeable: accesses */
} ws_off_chip_count;

typedef struct ws_off_chip ws_off_chip;

/* Tracker of off-chip accesses. Trackers of consecutive thread blocks join exactly. Call ws_off_chip_see for all events
 * of a block in order, then ws_off_chip_block_end. All functions return WS_OK or WS_EMEM; ws_off_chip_create also fails
 * for an instruction that is too wide. */
int ws_off_chip_create(const ws_board *board, const ws_launch *launch, ws_off_chip **out);
void ws_off_chip_destroy(ws_off_chip *tracker); /* accepts NULL */
int ws_off_chip_see(ws_off_chip *tracker, const ws_launch *launch, const ws_batch *batch);
int ws_off_chip_block_end(ws_off_chip *tracker, uint64_t block);
int ws_off_chip_join(ws_off_chip *into, ws_off_chip *from);

/* Computes the totals, including the blocks of incomplete waves. */
int ws_off_chip_finish(ws_off_chip *tracker, ws_off_chip_count *count);

#endif
