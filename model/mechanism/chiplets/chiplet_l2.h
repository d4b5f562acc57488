/* chiplet_l2.h - one-pass LRU stack-distance model of chiplet L2s under every policy, with epochs.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, chapter 5 has the
 * policies, chiplet_policies.def the list. An L2 is fully associative with LRU replacement: an access hits if fewer
 * other lines than it has were used since the line's last use, and no acquire has invalidated the copy since. Acquires
 * do not change the LRU order, so one stack serves all policies except those with directories, whose invalidations
 * remove lines; these have separate stacks. Validity is per word: a store writes its words to a missing line, and a
 * load of other words reads the line. Lines emptied by an acquire keep their places until others evict them. This only
 * affects dirty lines, which the model evicts slightly early. An access to a line that its L2 is reading waits for that
 * read; if a poll, a write-through store or an invalidation occurs meanwhile, no copy remains. */
#ifndef WS_CHIPLET_L2_H
#define WS_CHIPLET_L2_H

#include "model/chiplets/chiplet_policy.h"
#include "model/chiplets/region_directory.h"
#include "model/mechanism/chiplets/slice_queue.h"

typedef struct ws_chiplet_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/chiplets/l2_counts.def"
#undef COUNT
} ws_chiplet_counts;

typedef struct ws_chiplet_l2_options {
    uint32_t chiplets, words; /* words of 4 bytes of a line, at most 32 */
    uint64_t lines;           /* of an L2 */
    bool read_alloc;          /* lines read from other chiplets are kept (always with directories) */
    bool store_back;          /* as are their stores, until written back (never with directories) */
    bool probes; /* a write by a chiplet at the home of a line invalidates the home's own copy (always with directories)
                  */
    ws_directory_options directory;
    uint32_t slices; /* most slices of an L2, and parts of a chiplet's L3 */
    ws_slice_shape slice;
    uint64_t l3_cycles, link_cycles;   /* of an L3; of the link one way */
    uint32_t link_places;              /* messages in transit to a chiplet */
    ws_chiplet_policy pace;            /* policy of the times reported for accesses */
    uint32_t header_bytes, flit_bytes; /* of messages; write-backs to the home send whole lines */
} ws_chiplet_l2_options;

enum { WS_CHIPLET_HEADER = 8, WS_CHIPLET_FLIT = 32 }; /* bytes: chosen here, not given by the source */

typedef enum ws_chiplet_access {
    WS_CHIPLET_LOAD,
    WS_CHIPLET_STORE,
    WS_CHIPLET_ATOMIC,
    WS_CHIPLET_POLL
} ws_chiplet_access;

typedef struct ws_chiplet_l2 ws_chiplet_l2;

int ws_chiplet_l2_create(const ws_chiplet_l2_options *options, ws_chiplet_l2 **out); /* WS_EINPUT, WS_EMEM */
void ws_chiplet_l2_destroy(ws_chiplet_l2 *l2);                                       /* accepts NULL */

/* Request of an SM of the chiplet to a slice of its L2 at cycle `now`: words of a line whose home is a part of the L3
 * of chiplet `home`, which needs `memory` cycles of memory. A poll is a load that must not be served by a copy. */
typedef struct ws_chiplet_request {
    uint32_t chiplet, slice, home, part, mask;
    ws_chiplet_access kind;
    uint64_t line, now, memory;
} ws_chiplet_request;

/* Executes an access; *ready: when the L2 can answer, by the policy `pace`. WS_EMEM. */
int ws_chiplet_l2_access(ws_chiplet_l2 *l2, const ws_chiplet_request *request, uint64_t *ready);

/* Operations on whole L2s between kernels, one bit for each chiplet. */
void ws_chiplet_l2_acquire(ws_chiplet_l2 *l2, ws_chiplet_policy policy, uint32_t chiplets);
/* flushed[]: incremented by the lines that each wrote back; may be NULL. `empties`: no copy stays. */
void ws_chiplet_l2_release(ws_chiplet_l2 *l2, ws_chiplet_policy policy, uint32_t chiplets, bool empties,
                           uint64_t *flushed);
/* Begins the next kernel. */
void ws_chiplet_l2_next(ws_chiplet_l2 *l2);

/* Returns the counts since creation. */
ws_chiplet_counts ws_chiplet_l2_counts(const ws_chiplet_l2 *l2, ws_chiplet_policy policy);

#endif
