/* chiplet_l2.h - what would the L2s of chiplets keep, under each policy, in one pass? Stack distances with epochs.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, chapter 5 has the policies, policies.def the list. An L2 is
 * fully associative and replaces the line that was not used for longest: an access hits if fewer other lines than it has were used since the
 * line's last use, and no acquire gave the copy up meanwhile. What acquires do to copies does not change in which order lines were
 * used, so one stack serves all policies but HMG's, whose invalidations take lines out; that has stacks of its own. Words count: a store
 * puts its words into a line that is not there, and a load of others reads the line. Lines that an acquire emptied keep their places until
 * others push them out, which matters to dirty lines alone: they are thought gone a little early. Time does not matter but for lines that are not
 * kept, and for polls, which several may want while they are on their way. */
#ifndef WS_CHIPLET_L2_H
#define WS_CHIPLET_L2_H

#include "model/chiplets/chiplet_kernel.h"
#include "model/chiplets/policy.h"
#include "model/chiplets/region_directory.h"

typedef struct ws_chiplet_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/chiplets/l2_counts.def"
#undef COUNT
} ws_chiplet_counts;

typedef struct ws_chiplet_l2_options {
    uint32_t chiplets, words; /* words of 4 bytes of a line, at most 32 */
    uint64_t lines;           /* of an L2 */
    bool read_alloc;          /* what a chiplet reads of others' lines is kept (HMG does always) */
    bool store_back;          /* ... and what it stores there, until it is written back (never with HMG) */
    bool probes;              /* what a chiplet writes at the home of a line ends the copy of the home's own (with HMG always) */
    ws_directory_options directory;
    uint64_t home_cycles;     /* from L2 to the home of a line on another chiplet and back: who wants the line meanwhile waits with the first */
    uint64_t poll_cycles;     /* of a read for a poll, of any line: other warps that poll it meanwhile wait with the first; 0: none does */
    uint32_t header_bytes, flit_bytes; /* of messages; a line that goes home goes whole */
} ws_chiplet_l2_options;

enum { WS_CHIPLET_HEADER = 8, WS_CHIPLET_FLIT = 32 }; /* bytes: ours, the source does not say */

typedef enum ws_chiplet_access { WS_CHIPLET_LOAD, WS_CHIPLET_STORE, WS_CHIPLET_ATOMIC, WS_CHIPLET_POLL } ws_chiplet_access;

typedef struct ws_chiplet_l2 ws_chiplet_l2;

int ws_chiplet_l2_create(const ws_chiplet_l2_options *options, ws_chiplet_l2 **out); /* WS_EINPUT, WS_EMEM */
void ws_chiplet_l2_destroy(ws_chiplet_l2 *l2);                                      /* accepts NULL */

/* A warp, below 65536, of an SM of the chiplet asks its L2 at cycle `now` for words of a line, below 2^48, that is at home on chiplet `home`. A poll is a load that no copy may
 * serve; a warp that polls again has got what it asked for before. WS_EMEM. */
int ws_chiplet_l2_access(ws_chiplet_l2 *l2, uint32_t chiplet, uint32_t home, uint64_t line, uint32_t mask, ws_chiplet_access kind, uint64_t now, uint32_t warp);

/* Operations on whole L2s, a bit for each chiplet, between kernels. HMG and ideal have none but the last release of a program. */
void ws_chiplet_l2_acquire(ws_chiplet_l2 *l2, ws_chiplet_policy policy, uint32_t chiplets);
/* flushed[]: lines that each wrote back, added; NULL: not wanted. `empties`: no copy stays. */
void ws_chiplet_l2_release(ws_chiplet_l2 *l2, ws_chiplet_policy policy, uint32_t chiplets, bool empties, uint64_t *flushed);
/* Another kernel begins. */
void ws_chiplet_l2_next(ws_chiplet_l2 *l2);

/* Since it was made. */
ws_chiplet_counts ws_chiplet_l2_counts(const ws_chiplet_l2 *l2, ws_chiplet_policy policy);

#endif
