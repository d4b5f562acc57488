/* sink.h - who listens to events: metric families, the trace file, checkers.
 *
 * A sink is a const descriptor; its state is private. The driver (engine or replay) creates one state for a range of
 * consecutive blocks at a time, feeds it the events of these blocks, and merges ranges in rising block order, so:
 *   - no locks: a state is used by one thread at a time;
 *   - events of one block reach one state, between its block_begin and block_end, blocks one after the other;
 *   - merge(into, from) is called only when `from` covers the blocks right behind those of `into`. It has to be
 *     associative, nothing more: order may matter. The number of workers never changes a result. */
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
    unsigned wants;    /* WS_WANT_ bits. Other kinds may still be delivered when another sink wants them: skip them */
    size_t state_size; /* bytes, zeroed before init */
    void *context;     /* for attach; NULL where states need nothing but themselves */

    /* All of these return WS_OK or a failure, which ends the launch. NULL where noted. */
    void (*attach)(void *state, void *context);                               /* before init; NULL: no context */
    int (*init)(void *state, const ws_launch *launch);                        /* NULL: zeroed is enough */
    int (*block_begin)(void *state, const ws_launch *launch, uint64_t block); /* NULL: not needed */
    int (*events)(void *state, const ws_launch *launch, const ws_batch *batch);
    int (*block_end)(void *state, const ws_launch *launch, uint64_t block); /* NULL: not needed */
    int (*merge)(void *into, void *from, const ws_launch *launch);          /* `from` is fini'd by the driver after */
    void (*fini)(void *state);                                              /* NULL: nothing owned */

    /* Values: called only when not NULL, for the blocks that sample_block says yes to (it must depend on its
     * arguments alone). A block with values runs slower. */
    int (*sample_block)(const ws_launch *launch, uint64_t block);
    int (*values)(void *state, const ws_launch *launch, uint64_t block, const ws_value *value, size_t n);
} ws_sink;

#endif
