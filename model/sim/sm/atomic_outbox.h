/* atomic_outbox.h - partial updates on their way out of an SM: those that wait for the port, and those without an
 * answer yet. Rules that keep updates (atomic.h) have one at the front of their state. Plain memory, zero at first. */
#ifndef WS_ATOMIC_OUTBOX_H
#define WS_ATOMIC_OUTBOX_H

#include "model/sim/sm/atomic.h"

enum {
    WS_OUTBOX_WAITING = 8,   /* partial updates that wait, at most: their places in the buffer are free again */
    WS_OUTBOX_FLIGHTS = 256, /* that have no answer yet */
    WS_OUTBOX_WARPS = 64
};

/* What was done to a line and L2 does not know yet. */
typedef struct ws_partial_update {
    uint64_t block, first; /* first: turn of the first update in it; 0: nothing is here */
    uint32_t words, code;  /* code: ws_update_code */
    uint16_t warp;         /* that began it */
    uint8_t order, scope;
    bool leaves;                        /* an ordering point was reached */
    uint32_t count[WS_COHERENCE_WORDS]; /* operations on each word */
} ws_partial_update;

typedef struct ws_outbox {
    uint64_t turn;                           /* grows with each update and each fence */
    uint64_t flight[WS_OUTBOX_FLIGHTS / 64]; /* places that are taken */
    uint64_t first[WS_OUTBOX_FLIGHTS];       /* of what is in flight there */
    uint64_t asked[WS_OUTBOX_WARPS]; /* turn at which the warp came to a fence that it has not passed; 0: none */
    uint32_t at, waiting, flights;
    ws_partial_update waits[WS_OUTBOX_WAITING]; /* a ring */
} ws_outbox;

uint32_t ws_update_code_of(const ws_atomic_access *access);
/* Begins a partial update with this access; adds an access to it. */
void ws_partial_begin(ws_outbox *box, ws_partial_update *p, const ws_atomic_access *access);
void ws_partial_add(ws_partial_update *p, const ws_atomic_access *access);

/* Puts it behind those that wait; false: there is no room. */
bool ws_outbox_put(ws_outbox *box, const ws_partial_update *p);
/* The one that waits first, or NULL; takes it away. */
const ws_partial_update *ws_outbox_first(const ws_outbox *box);
void ws_outbox_take(ws_outbox *box);

/* Is there a number for one more in flight? As an access that leaves under such a number; it has left. */
bool ws_outbox_has_flight(const ws_outbox *box);
void ws_outbox_describe(const ws_outbox *box, const ws_partial_update *p, ws_atomic_sum *out);
void ws_outbox_left(ws_outbox *box, unsigned id, uint64_t first);
/* ws_atomic_ops.performed of these rules. */
void ws_outbox_performed(const ws_atomic_buffer *b, unsigned id);

/* Up to which turn the point is about what was done (0: about nothing); is all that is here, up to there, performed? A
 * fence that is passed is forgotten. */
uint64_t ws_outbox_until(ws_outbox *box, ws_atomic_point point, unsigned warp, uint8_t scope);
bool ws_outbox_is_clear(const ws_outbox *box, uint64_t until);
void ws_outbox_passed(ws_outbox *box, ws_atomic_point point, unsigned warp);

#endif
