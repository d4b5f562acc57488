/* cache_streams.h - what L1s and L2 are asked by the SMs of a machine, by who shares: misses by stack distances
 * (set_stacks.h), and by the caches themselves, in that very order.
 *
 * Takes global and local accesses in an order of all SMs. Two answers come of a launch, of each access that ends before
 * the next begins: what stacks of the sets say, by the rules alone, and what L1s and L2 with the machine's index and
 * replacement do. Both are exact for that order, of lru and the caches that know who shares, and `warpscape verify
 * --sharing` holds them against the simulator's. Only the former knows of loads that merge. L1s are written through and
 * keep no line for a store; they are empty at the begin of a launch. L2 goes on. Tabbakh 2018, chapter 2, has the
 * caches; what a block counts as, by the SMs that ask for it in the launch or did before, is decided at the end of the
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
    uint32_t sms, slices;    /* of L2; */
    ws_sharing_cache l1, l2; /* the latter: of a slice */
    ws_slice_map map;
    bool polls;            /* loads that ask L2 whatever is here (coherence.polls) do so */
    double latency_cycles; /* loads of a shared block that follow one of the same SM sooner merge: of the forms. 0: none
                              does */
} ws_sharing_caches;

typedef struct ws_stream_use {
    uint64_t block, now; /* now: of the SM's clock, cycles */
    uint32_t sm;
    ws_cache_kind kind;
    bool local, poll; /* poll: of a load: asks L2 whatever its L1 has, which stays as it is; its answer is kept by
                         nobody and shared with nobody */
} ws_stream_use;

/* Of launches, summed. Misses of L1s are of loads; of L2 of all that comes down. */
typedef struct ws_sharing_misses {
    double loads;              /* that SMs ask their L1s for */
    double l1_least, l2_least; /* first loads of an SM in a launch, and polls; blocks that L2 was never asked for
                                  before: no cache misses less */
    double l1_form, l2_form; /* by stacks of the sets: of caches that know who shares, if these do, else of plain ones;
                                without `merged` in L1s that know */
    double l1_replayed, l2_replayed; /* in the order given */
    double shared_loads,
        merged;   /* of loads: of shared blocks; of these: that follow another one sooner than a read takes */
    double dirty; /* blocks that were stored to in a launch: written back once, at least */
} ws_sharing_misses;

typedef struct ws_cache_streams ws_cache_streams;

/* The choices must outlive it. WS_EINPUT as of ws_cache_setup; WS_EMEM. */
int ws_cache_streams_create(const ws_sharing_caches *caches, ws_cache_streams **out);
void ws_cache_streams_destroy(ws_cache_streams *streams); /* accepts NULL */

int ws_cache_streams_add(ws_cache_streams *streams, const ws_stream_use *use); /* WS_EMEM */
/* The launch is over: adds what it did. */
int ws_cache_streams_end(ws_cache_streams *streams, ws_sharing_misses *sums);

#endif
