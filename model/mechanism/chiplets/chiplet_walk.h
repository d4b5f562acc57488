/* chiplet_walk.h - from the accesses of a launch to the L2s of chiplets: blocks on chiplets, L1s before the L2s, homes
 * of pages.
 *
 * Blocks go to chiplets in contiguous chunks (chiplet_kernel.h), on a chiplet to its SMs in turn
 * (model/access_order.h); the chiplet whose clock is behind goes next. Loads that an L1 has, or waits for, go no
 * further, stores go through it. Warps wait for what they load (warp_clocks.h) as long as it takes where nobody is in
 * the way, by one of the policies, `l2.pace`; so all policies see accesses in one order. */
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
    ws_chiplet_l2_options l2;      /* lines, keeping of others' lines, directory: the rest is filled in */
    uint64_t l1_cycles, l2_cycles; /* of a load that hits; from an SM to its L2 and back */
    /* An SM wants words, to read them or to write them alone, *request: says where the line is at home, how far that
     * is, and which slice asks there. WS_EMEM. */
    int (*home)(void *context, ws_chiplet_request *request);
    void *context;
} ws_chiplet_walk_machine;

typedef struct ws_chiplet_walk ws_chiplet_walk;

/* WS_EINPUT: lines of another size, or no such L1; WS_EMEM. The machine is copied. */
int ws_chiplet_walk_create(const ws_chiplet_walk_machine *machine, ws_chiplet_walk **out);
void ws_chiplet_walk_destroy(ws_chiplet_walk *walk); /* accepts NULL */

/* A launch, of which the log has all blocks; `residents` fit an SM. *cycles: as long as the busiest chiplet issues, at
 * an instruction a cycle and SM. WS_EMEM. */
int ws_chiplet_walk_run(ws_chiplet_walk *walk, const ws_access_log *log, uint32_t residents, uint64_t *cycles);

/* The L2s, for boundaries and counts. */
ws_chiplet_l2 *ws_chiplet_walk_l2(ws_chiplet_walk *walk);

#endif
