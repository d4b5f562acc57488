/* cache_streams.h - access streams of L1s and L2 by sharing: misses by stack distances (set_stacks.h), and by the
 * caches themselves, in the same order.
 *
 * The streams take global and local accesses in an order of all SMs, each of which ends before the next begins. They
 * give two results per launch: that of set stacks, by the rules alone, and that of L1s and L2 with the machine's index
 * and replacement. Both are exact for that order, with lru and with sharing-aware caches, and `warpscape verify
 * --sharing` compares them with the simulator. Only the former covers loads that merge. L1s are write-through without
 * allocation for stores, and empty at the beginning of a launch; L2 keeps its lines. Tabbakh 2018, chapter 2, has the
 * caches. The class of a block, by the SMs that requested it in the launch or before, is decided at the end of the
 * launch. */
#ifndef WS_SHARING_CACHE_STREAMS_H
#define WS_SHARING_CACHE_STREAMS_H

#include "model/cache/cache.h"
#include "model/cache/slice_map.h"

typedef struct ws_sharing_cache {
    ws_cache_choice choice;
    uint32_t sets, ways;
} ws_sharing_cache;

typedef struct ws_sharing_caches {
    uint32_t sms, slices;    /* of L2 */
    ws_sharing_cache l1, l2; /* l2: of a slice */
    ws_slice_map map;
    bool polls;            /* polling loads go to L2 in any case (coherence.polls) */
    double latency_cycles; /* for the forms: loads of a shared block merge if they follow one of the same SM within this
                              time. 0: none */
} ws_sharing_caches;

typedef struct ws_stream_use {
    uint64_t block, now; /* now: the SM's clock, in cycles */
    uint32_t sm;
    ws_cache_kind kind;
    bool local, poll; /* poll: a load that goes to L2; L1 is unchanged, and its answer is neither kept nor shared */
} ws_stream_use;

/* Sums over launches. Misses of L1s are of loads; misses of L2 are of all requests from L1s. */
typedef struct ws_sharing_misses {
    double loads;              /* of SMs to their L1s */
    double l1_least, l2_least; /* first loads of an SM in a launch, and polls; blocks never requested from L2 before:
                                  lower bound of misses */
    double l1_form, l2_form;   /* by set stacks: of sharing-aware caches if these are, otherwise of plain ones; without
                                  `merged` in sharing-aware L1s */
    double l1_replayed, l2_replayed; /* by replay in the given order */
    double shared_loads, merged;     /* loads of shared blocks; those that follow another within the time of a read */
    double dirty;                    /* blocks stored to in a launch: each written back at least once */
} ws_sharing_misses;

typedef struct ws_cache_streams ws_cache_streams;

/* Creates streams; the choices must outlive them. WS_EINPUT as of ws_cache_setup; WS_EMEM. */
int ws_cache_streams_create(const ws_sharing_caches *caches, ws_cache_streams **out);
void ws_cache_streams_destroy(ws_cache_streams *streams); /* accepts NULL */

int ws_cache_streams_add(ws_cache_streams *streams, const ws_stream_use *use); /* WS_EMEM */
/* Ends the launch and adds its sums. */
int ws_cache_streams_end(ws_cache_streams *streams, ws_sharing_misses *sums);

#endif
