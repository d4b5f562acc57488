/* sharing_monitor.h - tracking of global memory blocks shared by SMs, over time: a table per SM, merged at the end of a
 * launch.
 *
 * The terms are those of Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in
 * GPUs", 2018, chapter 2. A table has room for l1.sharing blocks. Above that, only blocks whose hash begins with
 * `level` zero bits are kept, so all SMs track the same ones. Data of a kept block begin at its first use. Plain
 * memory, initially zero. */
#ifndef WS_SHARING_MONITOR_H
#define WS_SHARING_MONITOR_H

#include "model/sim/sm/cta_spread.h"
#include "model/sim/sm/scheduler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums since the creation of the machine. */
typedef struct ws_sharing_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/sim/sm/sharing_counts.def"
#undef COUNT
} ws_sharing_counts;

typedef struct ws_sharing_monitor ws_sharing_monitor;

/* Returns the bytes for at least `blocks` blocks. */
size_t ws_sharing_bytes(uint32_t blocks);
/* Begins a launch without uses. */
void ws_sharing_begin(ws_sharing_monitor *monitor, uint32_t blocks);

/* The L1 took an access: a load with its fate, or another one. */
void ws_sharing_load(ws_sharing_monitor *monitor, uint64_t block, ws_load_fate fate, uint64_t now);
void ws_sharing_store(ws_sharing_monitor *monitor, uint64_t block);
/* That store was one of `lines` lines of stores in flight of its instruction in the SM, by `warps` warps. */
void ws_sharing_stores(ws_sharing_monitor *monitor, uint32_t lines, uint32_t warps);
/* Data arrived; a line was evicted. */
void ws_sharing_filled(ws_sharing_monitor *monitor, uint64_t block, uint64_t now);
void ws_sharing_left(ws_sharing_monitor *monitor, uint64_t block);
/* CTAs, by slot of the SM. Ended ones must be taken before as many end again as an SM holds; false: none is left. */
void ws_sharing_cta_began(ws_sharing_monitor *monitor, unsigned slot, uint64_t cta, uint64_t now);
void ws_sharing_cta_ended(ws_sharing_monitor *monitor, unsigned slot, uint64_t now);
bool ws_sharing_take_ended(ws_sharing_monitor *monitor, uint64_t *cta, uint64_t *cycles);

/* Adds the current contents of the L1s to the samples. WS_EMEM. */
int ws_sharing_sample(ws_sharing_monitor *const *monitor, uint32_t sms, ws_sharing_counts *counts);
/* Adds a completed launch, without its samples and the spread of its CTAs. WS_EMEM. */
int ws_sharing_collect(ws_sharing_monitor *const *monitor, uint32_t sms, ws_sharing_counts *counts);
/* Adds the spread of its CTAs. */
void ws_sharing_add_spread(const ws_cta_spread *spread, ws_sharing_counts *counts);

#endif
