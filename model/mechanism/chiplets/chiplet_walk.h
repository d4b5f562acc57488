/* chiplet_walk.h - walk from the accesses of a launch to the L2s of chiplets: placement of blocks, L1s, homes of pages.
 *
 * Blocks are assigned to chiplets in contiguous chunks (chiplet_kernel.h), and within a chiplet to its SMs in turn
 * (model/access_order.h); the chiplet whose clock is behind runs next. Loads that hit or merge in an L1 end there;
 * stores are written through it. Warps wait for their loads (warp_clocks.h) for the uncontended latency under one of
 * the policies, `l2.pace`, so all policies get accesses in one order. */
#ifndef WS_CHIPLET_WALK_H
#define WS_CHIPLET_WALK_H

#include "model/access_log.h"
#include "model/cache/cache.h"
#include "model/mechanism/chiplets/chiplet_l2.h"

typedef struct ws_chiplet_walk_machine {
    uint32_t chiplets, sms; /* sms: of a chiplet */
    uint32_t line;          /* bytes, of L1 and L2: a power of two from 32 to 128 */
    ws_cache_choice l1;     /* borrowed */
    uint32_t l1_sets, l1_ways;
    bool l1_enabled, l1_flush, l1_keeps_stores;
    ws_chiplet_l2_options l2;      /* lines, caching of remote lines, directory: the walk sets the rest */
    uint64_t l1_cycles, l2_cycles; /* of a load that hits; round trip from an SM to its L2 */
    /* Completes a request: finds the home of the line, its distance, and the requesting slice. `*request` reads words,
     * or only writes them. WS_EMEM. */
    int (*home)(void *context, ws_chiplet_request *request);
    void *context;
} ws_chiplet_walk_machine;

typedef struct ws_chiplet_walk ws_chiplet_walk;

/* Creates a walk; the machine is copied. WS_EINPUT for another line size or an unknown L1; WS_EMEM. */
int ws_chiplet_walk_create(const ws_chiplet_walk_machine *machine, ws_chiplet_walk **out);
void ws_chiplet_walk_destroy(ws_chiplet_walk *walk); /* accepts NULL */

/* Walks a launch with a complete log; `residents` blocks fit into an SM. *cycles: issue time of the busiest chiplet, at
 * one instruction per cycle and SM. WS_EMEM. */
int ws_chiplet_walk_run(ws_chiplet_walk *walk, const ws_access_log *log, uint32_t residents, uint64_t *cycles);

/* Returns the L2s, for boundaries and counts. */
ws_chiplet_l2 *ws_chiplet_walk_l2(ws_chiplet_walk *walk);

#endif
