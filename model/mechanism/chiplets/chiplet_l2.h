/* chiplet_l2.h - what would the L2s of chiplets keep, under each policy, in one pass? Stack distances with epochs.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, chapter 5 has the
 * policies, chiplet_policies.def the list. An L2 is fully associative and replaces the line that was not used for
 * longest: an access hits if fewer other lines than it has were used since the line's last use, and no acquire gave the
 * copy up meanwhile. What acquires do to copies does not change in which order lines were used, so one stack serves all
 * policies but those with directories, whose invalidations take lines out: these have stacks of their own. Words count:
 * a store puts its words into a line that is not there, and a load of others reads the line. Lines that an acquire
 * emptied keep their places until others push them out, which matters to dirty lines alone: they are thought gone a
 * little early. Who wants a line that its L2 is reading waits for that read; a poll, a store that goes on or an
 * invalidation meanwhile has it leave no copy behind. */
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
    bool read_alloc;          /* what a chiplet reads of others' lines is kept (always with directories) */
    bool store_back;          /* ... and what it stores there, until it is written back (never with directories) */
    bool probes; /* what a chiplet writes at the home of a line ends the copy of the home's own (always with
                    directories) */
    ws_directory_options directory;
    uint32_t slices; /* of an L2, and parts of the L3 of a chiplet, at most */
    ws_slice_shape slice;
    uint64_t l3_cycles, link_cycles;   /* that an L3 takes; the link one way */
    uint32_t link_places;              /* messages on their way to a chiplet */
    ws_chiplet_policy pace;            /* of times that accesses are told */
    uint32_t header_bytes, flit_bytes; /* of messages; a line that goes home goes whole */
} ws_chiplet_l2_options;

enum { WS_CHIPLET_HEADER = 8, WS_CHIPLET_FLIT = 32 }; /* bytes: ours, the source does not say */

typedef enum ws_chiplet_access {
    WS_CHIPLET_LOAD,
    WS_CHIPLET_STORE,
    WS_CHIPLET_ATOMIC,
    WS_CHIPLET_POLL
} ws_chiplet_access;

typedef struct ws_chiplet_l2 ws_chiplet_l2;

int ws_chiplet_l2_create(const ws_chiplet_l2_options *options, ws_chiplet_l2 **out); /* WS_EINPUT, WS_EMEM */
void ws_chiplet_l2_destroy(ws_chiplet_l2 *l2);                                       /* accepts NULL */

/* What an SM of the chiplet asks of a slice of its L2 at cycle `now`: words of a line that is at home in a part of the
 * L3 of chiplet `home`, which needs so many cycles of memory. A poll is a load that no copy may serve. */
typedef struct ws_chiplet_request {
    uint32_t chiplet, slice, home, part, mask;
    ws_chiplet_access kind;
    uint64_t line, now, memory;
} ws_chiplet_request;

/* *ready: when the L2 can answer, by the policy `pace`. WS_EMEM. */
int ws_chiplet_l2_access(ws_chiplet_l2 *l2, const ws_chiplet_request *request, uint64_t *ready);

/* Operations on whole L2s, a bit for each chiplet, between kernels. */
void ws_chiplet_l2_acquire(ws_chiplet_l2 *l2, ws_chiplet_policy policy, uint32_t chiplets);
/* flushed[]: lines that each wrote back, added; NULL: not wanted. `empties`: no copy stays. */
void ws_chiplet_l2_release(ws_chiplet_l2 *l2, ws_chiplet_policy policy, uint32_t chiplets, bool empties,
                           uint64_t *flushed);
/* Another kernel begins. */
void ws_chiplet_l2_next(ws_chiplet_l2 *l2);

/* Since it was made. */
ws_chiplet_counts ws_chiplet_l2_counts(const ws_chiplet_l2 *l2, ws_chiplet_policy policy);

#endif
