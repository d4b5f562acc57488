/* atomic.h - how do atomic operations leave an SM? One rule is one file and one row of atomics.def.
 *
 * A rule says how lanes that update the same word become accesses (split). It may also have a buffer beside the L1 of
 * each SM, which holds operations back and later sends several as one: it sees each access of global memory before the
 * L1 does, is told of fences and of the ends of CTAs and launches, and names what has to leave. */
#ifndef WS_ATOMIC_H
#define WS_ATOMIC_H

#include "model/coherence/coherence.h"
#include "model/coalesce_model.h"
#include "model/machine/atomic_kind.h"
#include "model/sim/sm/sm_counts.h"

/* An access of global memory as the L1 would get it, one block. */
typedef struct ws_atomic_access {
    uint64_t block, now;
    uint32_t words;
    uint16_t warp;
    uint8_t kind;       /* ws_request_kind */
    uint8_t bytes;      /* of an element */
    bool returns;       /* an atomic operation whose old value somebody reads */
    bool is_update;     /* one that commutes, unordered, of which nobody does, in a kernel of sm.commutative
                           (collect/trace/update.h) */
    uint8_t op, number; /* ws_atomic, ws_number */
    bool is_signed;
    uint8_t order, scope; /* ws_order, ws_scope */
} ws_atomic_access;

typedef enum ws_atomic_answer {
    WS_ATOMIC_PASS, /* the L1 gets it */
    WS_ATOMIC_KEPT, /* done, for the warp */
    WS_ATOMIC_WAIT  /* something has to leave first: asked again when it has */
} ws_atomic_answer;

/* What leaves: as one access of the warp. */
typedef struct ws_atomic_sum {
    uint64_t block;
    uint32_t words, code; /* code: ws_update_code */
    uint16_t warp, id;    /* id: less than `most_in_flight`, back with performed */
    uint8_t order, scope;
    uint32_t count[WS_COHERENCE_WORDS]; /* operations on each word */
} ws_atomic_sum;

/* A point that what was kept may not pass. */
typedef enum ws_atomic_point {
    WS_ATOMIC_FENCE, /* of a warp, with its scope */
    WS_ATOMIC_CTA,   /* a CTA ends; nobody waits for it */
    WS_ATOMIC_LAUNCH /* no CTA is left; the launch ends when nothing is */
} ws_atomic_point;

/* The buffer of an SM: what all calls are about. */
typedef struct ws_atomic_buffer {
    void *state;            /* plain memory, zero at first, no pointers: checkpoints copy it */
    const uint64_t *values; /* of the rule's options */
    ws_sm_counts *counts;   /* of the SM, for what the rule counts itself */
    const ws_cache *tags;   /* what `arrange` made */
    bool by_warp;           /* the protocol keeps a time for each warp: operations of several may not leave as one */
} ws_atomic_buffer;

typedef struct ws_atomic_ops {
    /* From the lanes of one instruction to the touches that are sent, one after the other. `out` holds WS_TOUCHES. */
    unsigned (*split)(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned line, ws_touch *out);

    /* With a buffer; all NULL without. Protocols that are sequentially consistent have none. */
    size_t (*state_size)(const uint64_t *values); /* bytes */
    unsigned most_in_flight;
    ws_atomic_answer (*offer)(const ws_atomic_buffer *b, const ws_atomic_access *access);
    /* The next that has to leave, if *now* it has to; stays until `left`. false: none. */
    bool (*leaving)(const ws_atomic_buffer *b, uint64_t now, ws_atomic_sum *out);
    void (*left)(const ws_atomic_buffer *b, const ws_atomic_sum *sum); /* the L1 took it */
    void (*performed)(const ws_atomic_buffer *b, unsigned id);         /* it is done, where atomics are */
    /* The point may be passed: nothing that it concerns is kept or in flight. Otherwise that begins to leave, and for a
     * fence the question comes again. `warp` and `scope` are those of a fence. */
    bool (*reach)(const ws_atomic_buffer *b, ws_atomic_point point, unsigned warp, uint8_t scope);
    /* The first cycle from `now` on in which something has to leave and can; WS_COHERENCE_NEVER. And how much has to
     * leave, or is in flight: a launch goes on as long. */
    uint64_t (*next_time)(const ws_atomic_buffer *b, uint64_t now);
    uint32_t (*waiting)(const ws_atomic_buffer *b);
} ws_atomic_ops;

const ws_atomic_ops *ws_atomic_ops_of(const ws_atomic_kind *kind);

/* `split` of the rule with these values of its options. */
typedef unsigned ws_atomic_split(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned line,
                                 ws_touch *out);
ws_atomic_split *ws_atomic_split_of(const ws_atomic_kind *kind, const uint64_t *values);

#endif
