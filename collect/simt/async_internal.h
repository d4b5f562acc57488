/* async_internal.h - asynchronous copies and the objects to wait for them.
 *
 * Memory changes at the wait, not at the copy instruction. So a program without the wait reads the previous content.
 * Addresses are checked, and sinks receive events, at the copy instruction. */
#ifndef WS_ASYNC_INTERNAL_H
#define WS_ASYNC_INTERNAL_H

#include "collect/simt/simt_internal.h"

/* Operands of cp.async, mbarrier and related instructions. */
typedef struct async_op {
    mem_access access; /* mbarrier: the object; copies: source */
    mem_access to;     /* copies: destination */
    mem_access object; /* bulk copies that complete on an mbarrier */
    uint8_t sub;       /* ws_sub */
    bool parity, tx, drop, no_complete, no_increment;
    bool ignores; /* cp.async: `size` is a predicate; true lanes read no data */
    bool has_count;
    bool returns;    /* arrive: the state is used */
    uint8_t bytes;   /* cp.async: 4, 8, 16 */
    place size;      /* cp.async: source bytes or predicate; bulk: bytes; else PLACE_NONE */
    place count;     /* arrivals, expected bytes, or the state or parity to wait for */
    place result;    /* state, or predicate of a wait */
    uint16_t number; /* register number of the state */
} async_op;

access_fn async_copy_run;   /* cp.async.ca, .cg */
access_fn async_bulk_run;   /* cp.async.bulk */
access_fn async_arrive_run; /* cp.async.mbarrier.arrive */
access_fn async_store_run;  /* st.async, red.async: `access`, then its bytes at `object` */
access_fn mbarrier_run;
special_fn async_commit_run, async_wait_run, mbarrier_pending_run;

/* Completes bytes of a copy at the object with this offset in shared memory of a block. Returns false after a fault. */
bool mbarrier_complete_bytes(warp *w, const uop *u, unsigned lane, block *in, uint32_t offset, int64_t bytes);
/* Adds one arrival of a lane. */
bool mbarrier_arrive_one(warp *w, const uop *u, unsigned lane, block *in, uint32_t offset);

/* Finishes the block's bulk copies that complete on the object at `offset`. Returns false after a fault. */
bool async_settle_object(warp *w, const uop *u, unsigned lane, uint32_t offset);

#endif
