/* atomic_outbox.h - partial updates that leave an SM: those that wait for the port, and those without an answer. First
 * member of the state of rules that keep updates (atomic.h). Plain memory, initially zero. */
#ifndef WS_ATOMIC_OUTBOX_H
#define WS_ATOMIC_OUTBOX_H

#include "model/sim/sm/atomic.h"

enum {
    WS_OUTBOX_WAITING = 8,   /* most waiting partial updates: their entries in the buffer are free again */
    WS_OUTBOX_FLIGHTS = 256, /* most without an answer */
    WS_OUTBOX_WARPS = 64
};

/* Updates of a line that have not reached L2. */
typedef struct ws_partial_update {
    uint64_t block, first; /* first: turn of its first update; 0: unused */
    uint32_t words, code;  /* code: ws_update_code */
    uint16_t warp;         /* of its first update */
    uint8_t order, scope;
    bool leaves;                        /* an ordering point was reached */
    uint32_t count[WS_COHERENCE_WORDS]; /* operations on each word */
} ws_partial_update;

typedef struct ws_outbox {
    uint64_t turn;                           /* grows with each update and each fence */
    uint64_t flight[WS_OUTBOX_FLIGHTS / 64]; /* occupied numbers */
    uint64_t first[WS_OUTBOX_FLIGHTS];       /* turn of the first update in flight there */
    uint64_t asked[WS_OUTBOX_WARPS]; /* turn at which the warp reached a fence that it has not passed; 0: none */
    uint32_t at, waiting, flights;
    ws_partial_update waits[WS_OUTBOX_WAITING]; /* a ring */
} ws_outbox;

uint32_t ws_update_code_of(const ws_atomic_access *access);
/* Begin a partial update with this access; add an access to it. */
void ws_partial_begin(ws_outbox *box, ws_partial_update *p, const ws_atomic_access *access);
void ws_partial_add(ws_partial_update *p, const ws_atomic_access *access);

/* Appends it to the waiting ones; returns false without room. */
bool ws_outbox_put(ws_outbox *box, const ws_partial_update *p);
/* Return the first waiting one, or NULL; remove it. */
const ws_partial_update *ws_outbox_first(const ws_outbox *box);
void ws_outbox_take(ws_outbox *box);

/* Return whether a number for another one in flight is free; describe the access that leaves with such a number; record
 * that it left. */
bool ws_outbox_has_flight(const ws_outbox *box);
void ws_outbox_describe(const ws_outbox *box, const ws_partial_update *p, ws_atomic_sum *out);
void ws_outbox_left(ws_outbox *box, unsigned id, uint64_t first);
/* ws_atomic_ops.performed of these rules. */
void ws_outbox_performed(const ws_atomic_buffer *b, unsigned id);

/* Return the turn up to which the point covers updates (0: none); return whether all updates up to a turn are
 * performed; forget a passed fence. */
uint64_t ws_outbox_until(ws_outbox *box, ws_atomic_point point, unsigned warp, uint8_t scope);
bool ws_outbox_is_clear(const ws_outbox *box, uint64_t until);
void ws_outbox_passed(ws_outbox *box, ws_atomic_point point, unsigned warp);

#endif
