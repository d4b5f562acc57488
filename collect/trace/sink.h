/* sink.h - consumers of events: metric families, the trace file, checkers.
 *
 * A sink is a const descriptor; its state is private. The driver (engine or replay) creates one state per range of
 * consecutive blocks and feeds it the events of these blocks. It merges ranges in rising block order. Therefore:
 *   - no locks: a state is used by one thread at a time;
 *   - events of one block reach one state, between its block_begin and block_end, one block after the other;
 *   - merge(into, from) is called only if the blocks of `from` directly follow those of `into`. It must be associative,
 * and need not be commutative. The number of workers never changes a result. */
#ifndef WS_SINK_H
#define WS_SINK_H

#include "collect/trace/event.h"

enum {
    WS_WANT_RUN = 1 << WS_EVENT_RUN,
    WS_WANT_MEMORY = 1 << WS_EVENT_MEMORY,
    WS_WANT_BRANCH = 1 << WS_EVENT_BRANCH,
    WS_WANT_RECONVERGE = 1 << WS_EVENT_RECONVERGE,
    WS_WANT_BARRIER = 1 << WS_EVENT_BARRIER,
    WS_WANT_INSTRUCTIONS = WS_WANT_RUN | WS_WANT_MEMORY | WS_WANT_BRANCH | WS_WANT_BARRIER,
    WS_WANT_ALL = WS_WANT_INSTRUCTIONS | WS_WANT_RECONVERGE,
};

typedef struct ws_sink {
    const char *name;
    unsigned wants;    /* WS_WANT_ bits; events of other kinds may also be delivered, and must be skipped */
    size_t state_size; /* bytes, zeroed before init */
    void *context;     /* argument of attach; NULL if states need no context */

    /* Each returns WS_OK or a failure, which ends the launch. NULL is allowed where noted. */
    void (*attach)(void *state, void *context);                               /* before init; NULL: no context */
    int (*init)(void *state, const ws_launch *launch);                        /* NULL: zeroed is enough */
    int (*block_begin)(void *state, const ws_launch *launch, uint64_t block); /* NULL: not needed */
    int (*events)(void *state, const ws_launch *launch, const ws_batch *batch);
    int (*block_end)(void *state, const ws_launch *launch, uint64_t block); /* NULL: not needed */
    int (*merge)(void *into, void *from, const ws_launch *launch); /* the driver calls fini for `from` afterwards */
    void (*fini)(void *state);                                     /* NULL: nothing owned */

    /* Values: called only if not NULL, for blocks that sample_block selects. sample_block must depend only on its
     * arguments. A block with values runs slower. */
    int (*sample_block)(const ws_launch *launch, uint64_t block);
    int (*values)(void *state, const ws_launch *launch, uint64_t block, const ws_value *value, size_t n);
} ws_sink;

#endif
