/* scheduler.h - which of the warps that could issue does? One policy is one file and one row of warp_schedulers.def.
 *
 * A scheduler of an SM sees its own warps as bits 0..63 of a mask (the SM's warp slots, whichever belong to it). The SM
 * asks for the best of the candidates, tests whether that one can issue, and asks again without it when it cannot: so a
 * policy decides order, and may hold warps back for good reasons by not choosing any of them (return -1). */
#ifndef WS_SCHEDULER_H
#define WS_SCHEDULER_H

#include "model/option.h"
#include "model/sim/cycle.h"

enum { WS_SM_WARPS = 64 };

typedef struct ws_warp_scheduler_ops {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [scheduler]; ends with a row without name */
    int (*configure)(const uint64_t *values); /* NULL: nothing to check */
    size_t state_size;                        /* plain memory, zero at first */
    /* A warp came to the slot; `order` grows with every warp that came to the SM: the oldest has the least. */
    void (*started)(void *state, const uint64_t *values, unsigned warp, uint64_t order);
    void (*ended)(void *state, const uint64_t *values, unsigned warp);
    /* One of the candidates (not 0), or -1 to let none issue in this cycle. */
    int (*choose)(const void *state, const uint64_t *values, uint64_t candidates);
    void (*issued)(void *state, const uint64_t *values, unsigned warp);
    /* The warp waits for memory (an instruction needs what a load has not brought, a fence) or for other warps at a
     * barrier, or no longer. May be told twice. */
    void (*blocked)(void *state, const uint64_t *values, unsigned warp);
    void (*unblocked)(void *state, const uint64_t *values, unsigned warp);
} ws_warp_scheduler_ops;

/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_warp_scheduler_ops *ws_warp_scheduler_find(const char *name);
const ws_warp_scheduler_ops *ws_warp_scheduler_at(size_t index);

#endif
