/* async_internal.h - copies that a program does not wait for at once, and the objects that it waits with.
 *
 * Memory changes when somebody waits, not when the copy is asked for: a program that forgets to wait reads what was
 * there before. Addresses are checked, and sinks are told, when the copy is asked for. */
#ifndef WS_ASYNC_INTERNAL_H
#define WS_ASYNC_INTERNAL_H

#include "collect/simt/simt_internal.h"

/* What cp.async, mbarrier and their kin have for operands. */
typedef struct async_op {
    mem_access access; /* mbarrier: the object; copies: source */
    mem_access to;     /* copies: destination */
    mem_access object; /* bulk copies that complete on an mbarrier */
    uint8_t sub;       /* ws_sub */
    bool parity, tx, drop, no_complete, no_increment;
    bool ignores; /* cp.async: `size` is a predicate, and true lanes read nothing */
    bool has_count;
    bool returns;    /* arrive: the state is wanted */
    uint8_t bytes;   /* cp.async: 4, 8, 16 */
    place size;      /* cp.async: source bytes or predicate; bulk: bytes; else PLACE_NONE */
    place count;     /* arrivals, bytes expected, or state or parity waited for */
    place result;    /* state, or predicate of a wait */
    uint16_t number; /* of the state's register */
} async_op;

access_fn async_copy_run;   /* cp.async.ca, .cg */
access_fn async_bulk_run;   /* cp.async.bulk */
access_fn async_arrive_run; /* cp.async.mbarrier.arrive */
access_fn mbarrier_run;
special_fn async_commit_run, async_wait_run, mbarrier_pending_run;

/* The object at an offset in shared memory: bytes of a copy arrived. False after a fault. */
bool mbarrier_complete_bytes(warp *w, const uop *u, unsigned lane, uint32_t offset, int64_t bytes);
/* One arrival of a lane. */
bool mbarrier_arrive_one(warp *w, const uop *u, unsigned lane, uint32_t offset);

/* Bulk copies of the block that complete on the object at `offset` are done. False after a fault. */
bool async_settle_object(warp *w, const uop *u, unsigned lane, uint32_t offset);

#endif
