/* warp_clocks.h - when does each warp of a chip go on, if what it asks for takes time?
 *
 * A warp waits for what it loads where it needs it first, at fences for all that it has under way, at barriers for the
 * others of its block. The order of accesses (model/access_order.h) is told, which gives all entries of its log. */
#ifndef WS_WARP_CLOCKS_H
#define WS_WARP_CLOCKS_H

#include "model/access_order.h"

typedef struct ws_warp_clocks ws_warp_clocks;

/* WS_EMEM. */
int ws_warp_clocks_create(uint32_t sms, uint32_t warps, uint32_t warps_per_block, ws_warp_clocks **out);
void ws_warp_clocks_destroy(ws_warp_clocks *clocks); /* accepts NULL */

/* The warp comes to this access, fence or barrier. */
void ws_warp_clocks_come(ws_warp_clocks *clocks, const ws_ordered_access *a);

/* What it asked for with that arrives then: what it waits for where it needs it; of a store, what its fences wait for.
 */
void ws_warp_clocks_answer(ws_warp_clocks *clocks, const ws_ordered_access *a, uint64_t when);
void ws_warp_clocks_performed(ws_warp_clocks *clocks, const ws_ordered_access *a, uint64_t when);

/* Tells the order when it goes on, after the last access of an instruction, a fence or a barrier. */
void ws_warp_clocks_go_on(ws_warp_clocks *clocks, ws_access_order *order, const ws_ordered_access *a);

#endif
