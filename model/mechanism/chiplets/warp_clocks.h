/* warp_clocks.h - clocks of a chip's warps with memory latency.
 *
 * A warp waits for a load at its first use, at fences for all its outstanding accesses, and at barriers for the others
 * of its block. The order of accesses (model/access_order.h) delivers all entries of its log, and gets the resulting
 * times. */
#ifndef WS_WARP_CLOCKS_H
#define WS_WARP_CLOCKS_H

#include "model/access_order.h"

typedef struct ws_warp_clocks ws_warp_clocks;

/* WS_EMEM. */
int ws_warp_clocks_create(uint32_t sms, uint32_t warps, uint32_t warps_per_block, ws_warp_clocks **out);
void ws_warp_clocks_destroy(ws_warp_clocks *clocks); /* accepts NULL */

/* The warp arrives at this access, fence or barrier. */
void ws_warp_clocks_come(ws_warp_clocks *clocks, const ws_ordered_access *a);

/* The answer to that access arrives at `when`: of a load, for its first use; of a store, for later fences. */
void ws_warp_clocks_answer(ws_warp_clocks *clocks, const ws_ordered_access *a, uint64_t when);
void ws_warp_clocks_performed(ws_warp_clocks *clocks, const ws_ordered_access *a, uint64_t when);

/* Reports to the order when the warp continues, after the last access of an instruction, a fence or a barrier. */
void ws_warp_clocks_go_on(ws_warp_clocks *clocks, ws_access_order *order, const ws_ordered_access *a);

#endif
