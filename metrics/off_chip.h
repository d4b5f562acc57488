/* off_chip.h - the off-chip accesses of a launch as the study follows them: taken apart into 64-byte blocks, in the
 * order in which a machine's resident thread blocks would make them, to DRAM rows and to the requests that are under
 * way.
 *
 * The machine (a `ws_board`) holds so many thread blocks at once, in waves: blocks k n to (k + 1) n - 1 of the grid,
 * dealt to its multiprocessors in turn. A multiprocessor issues one warp instruction a cycle, to its warps in turn, so
 * that with N warps each instruction of a warp takes N cycles; a warp waits for what it loads, WS_LATENCY cycles, and
 * at barriers for its block. A request is under way for WS_LATENCY cycles; who asks the same multiprocessor for the
 * same block meanwhile could share it. No cache, no queue: nothing but the order hangs on the clock, and nothing at all
 * on the machine that the program runs on.
 *
 * Long blocks are followed in windows of time: WS_WINDOW cycles in every 2^k windows, as many as hold at most
 * WS_RECORDS accesses of a wave; what is counted is multiplied by 2^k. */
#ifndef WS_OFF_CHIP_H
#define WS_OFF_CHIP_H

#include "metrics/warp_blocks.h"

/* Latency of device memory: 400 to 600 cycles (NVIDIA CUDA Programming Guide 2.3, section 5.2.3, for the study's
 * machines). */
enum { WS_LATENCY = 400, WS_WINDOW = 1024, WS_RECORDS = 1 << 16 };

enum { WS_BOARD_PROCESSORS = 127, WS_BOARD_CHANNELS = 16 }; /* at most */

typedef struct ws_board {
    unsigned processors, channels; /* multiprocessors; memory channels */
    unsigned threads, blocks;      /* that a multiprocessor holds at once */
} ws_board;

/* That of the study's characteristics, after the smallest one that ran all of its workloads:
 * part of their definition. */
extern const ws_board ws_board_frozen;

typedef struct ws_off_chip_count {
    uint64_t accesses, runs, mergeable; /* runs: stretches of accesses to one DRAM row; mergeable: accesses */
} ws_off_chip_count;

typedef struct ws_off_chip ws_off_chip;

/* Trackers of consecutive thread blocks join exactly. ws_off_chip_see takes all events of a block in order, then comes
 * ws_off_chip_block_end. Failures are WS_EMEM and, of the first, an instruction that is too wide. */
int ws_off_chip_create(const ws_board *board, const ws_launch *launch, ws_off_chip **out);
void ws_off_chip_destroy(ws_off_chip *tracker); /* accepts NULL */
int ws_off_chip_see(ws_off_chip *tracker, const ws_launch *launch, const ws_batch *batch);
int ws_off_chip_block_end(ws_off_chip *tracker, uint64_t block);
int ws_off_chip_join(ws_off_chip *into, ws_off_chip *from);

/* What all of it comes to, blocks of waves that are not whole included. */
int ws_off_chip_finish(ws_off_chip *tracker, ws_off_chip_count *count);

#endif
