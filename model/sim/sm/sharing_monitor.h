/* sharing_monitor.h - what becomes of the blocks of global memory that SMs share, in time: a table of each SM, put
 * together at the end of a launch.
 *
 * The terms are those of Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in
 * GPUs", 2018, chapter 2. A table has room for the blocks that l1.sharing says; when more come, those stay whose hash
 * begins with `level` zero bits, so that all SMs follow the same ones. What is kept of a block is kept from its first
 * use on. Plain memory, zero at first. */
#ifndef WS_SHARING_MONITOR_H
#define WS_SHARING_MONITOR_H

#include "model/sim/sm/cta_spread.h"
#include "model/sim/sm/scheduler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums since the machine was made. */
typedef struct ws_sharing_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/sim/sm/sharing_counts.def"
#undef COUNT
} ws_sharing_counts;

typedef struct ws_sharing_monitor ws_sharing_monitor;

/* Bytes for so many blocks, at least. */
size_t ws_sharing_bytes(uint32_t blocks);
/* A launch begins: nothing has been used. */
void ws_sharing_begin(ws_sharing_monitor *monitor, uint32_t blocks);

/* The L1 took an access: a load with its fate, or another one. */
void ws_sharing_load(ws_sharing_monitor *monitor, uint64_t block, ws_load_fate fate, uint64_t now);
void ws_sharing_store(ws_sharing_monitor *monitor, uint64_t block);
/* It was one of so many lines of stores in flight that the instruction has in the SM, of so many warps. */
void ws_sharing_stores(ws_sharing_monitor *monitor, uint32_t lines, uint32_t warps);
/* Data came; a line was given up. */
void ws_sharing_filled(ws_sharing_monitor *monitor, uint64_t block, uint64_t now);
void ws_sharing_left(ws_sharing_monitor *monitor, uint64_t block);
/* CTAs, by slot of the SM. Those that ended are to be taken before as many end again as an SM holds; false: none is
 * left. */
void ws_sharing_cta_began(ws_sharing_monitor *monitor, unsigned slot, uint64_t cta, uint64_t now);
void ws_sharing_cta_ended(ws_sharing_monitor *monitor, unsigned slot, uint64_t now);
bool ws_sharing_take_ended(ws_sharing_monitor *monitor, uint64_t *cta, uint64_t *cycles);

/* Adds what is in the L1s now to the samples. WS_EMEM. */
int ws_sharing_sample(ws_sharing_monitor *const *monitor, uint32_t sms, ws_sharing_counts *counts);
/* Adds a launch that is over, but for its samples and the spread of its CTAs. WS_EMEM. */
int ws_sharing_collect(ws_sharing_monitor *const *monitor, uint32_t sms, ws_sharing_counts *counts);
/* Adds the spread of its CTAs. */
void ws_sharing_add_spread(const ws_cta_spread *spread, ws_sharing_counts *counts);

#endif
