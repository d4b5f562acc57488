/* atomic.h - rules for atomic operations in an SM. A rule is one file and one row of atomics.def.
 *
 * A rule splits lanes that update the same word into accesses. It may also have a buffer next to the L1 of each SM,
 * which delays operations and later sends several as one. The buffer sees each access of global memory before the L1,
 * fences, and the ends of CTAs and launches, and selects the updates to send. */
#ifndef WS_ATOMIC_H
#define WS_ATOMIC_H

#include "model/coherence/coherence.h"
#include "model/coalesce_model.h"
#include "model/machine/atomic_kind.h"
#include "model/sim/sm/sm_counts.h"

/* Access of global memory to one block, as the L1 would get it. */
typedef struct ws_atomic_access {
    uint64_t block, now;
    uint32_t words;
    uint16_t warp;
    uint8_t kind;       /* ws_request_kind */
    uint8_t bytes;      /* of an element */
    bool returns;       /* an atomic whose old value is used */
    bool is_update;     /* a commutative, unordered atomic whose old value is not used, in a kernel of sm.commutative
                           (collect/trace/update.h) */
    uint8_t op, number; /* ws_atomic, ws_number */
    bool is_signed;
    uint8_t order, scope; /* ws_order, ws_scope */
} ws_atomic_access;

typedef enum ws_atomic_answer {
    WS_ATOMIC_PASS, /* for the L1 */
    WS_ATOMIC_KEPT, /* complete for the warp */
    WS_ATOMIC_WAIT  /* an update must leave before; retried afterwards */
} ws_atomic_answer;

/* Combined updates that leave as one access of the warp. */
typedef struct ws_atomic_sum {
    uint64_t block;
    uint32_t words, code; /* code: ws_update_code */
    uint16_t warp, id;    /* id: less than `most_in_flight`, returned to performed */
    uint8_t order, scope;
    uint32_t count[WS_COHERENCE_WORDS]; /* operations on each word */
} ws_atomic_sum;

/* Point that delayed updates must not pass. */
typedef enum ws_atomic_point {
    WS_ATOMIC_FENCE, /* of a warp, with its scope */
    WS_ATOMIC_CTA,   /* end of a CTA; nothing waits for it */
    WS_ATOMIC_LAUNCH /* no CTA is left; the launch ends once the buffer is empty */
} ws_atomic_point;

/* Buffer of an SM: argument of all calls. */
typedef struct ws_atomic_buffer {
    void *state;            /* plain memory without pointers, initially zero; checkpoints copy it */
    const uint64_t *values; /* of the rule's options */
    ws_sm_counts *counts;   /* of the SM, for counts of the rule */
    const ws_cache *tags;   /* made by `arrange` */
    bool by_warp;           /* the protocol keeps a time for each warp: operations of several must not be combined */
} ws_atomic_buffer;

/* Splits the lanes of one instruction into touches, sent one after the other. `out` holds WS_TOUCHES. */
typedef unsigned ws_atomic_split(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned line,
                                 ws_touch *out);

typedef struct ws_atomic_ops {
    ws_atomic_split *split;

    /* Functions of a buffer; all NULL without one. Sequentially consistent protocols have none. */
    size_t (*state_size)(const uint64_t *values); /* bytes */
    unsigned most_in_flight;
    ws_atomic_answer (*offer)(const ws_atomic_buffer *b, const ws_atomic_access *access);
    /* Returns the next update that must leave at `now`; it stays until `left`. false: none. */
    bool (*leaving)(const ws_atomic_buffer *b, uint64_t now, ws_atomic_sum *out);
    void (*left)(const ws_atomic_buffer *b, const ws_atomic_sum *sum); /* the L1 took it */
    void (*performed)(const ws_atomic_buffer *b, unsigned id);         /* it is performed */
    /* Returns whether the point may be passed: no update that it concerns is buffered or in flight. Otherwise these
     * begin to leave, and a fence is retried. `warp` and `scope` are those of a fence. */
    bool (*reach)(const ws_atomic_buffer *b, ws_atomic_point point, unsigned warp, uint8_t scope);
    /* Return the first cycle from `now` in which an update must and can leave, or WS_COHERENCE_NEVER; the number of
     * updates that must leave or are in flight, which extend a launch. */
    uint64_t (*next_time)(const ws_atomic_buffer *b, uint64_t now);
    uint32_t (*waiting)(const ws_atomic_buffer *b);
} ws_atomic_ops;

const ws_atomic_ops *ws_atomic_ops_of(const ws_atomic_kind *kind);

/* Returns the `split` of the rule with these values of its options. */
ws_atomic_split *ws_atomic_split_of(const ws_atomic_kind *kind, const uint64_t *values);

#endif
