/* coherence_internal.h - protocol tables, and the memory layout of the controllers that run them. */
#ifndef WS_COHERENCE_INTERNAL_H
#define WS_COHERENCE_INTERNAL_H

#include "model/cache/slice_map.h"
#include "model/coherence/coherence.h"
#include "model/coherence/race_signature.h"

enum {
#define STATE(name, meaning) L1_##name,
#include "model/coherence/l1_states.def"
#undef STATE
    L1_STATES
};
enum {
#define EVENT(name, meaning) ON_##name,
#include "model/coherence/l1_events.def"
#undef EVENT
    L1_EVENTS
};
enum {
    DO_NOTHING,
#define ACTION(name, meaning) DO_##name,
#include "model/coherence/l1_actions.def"
#include "model/coherence/l1_directory_actions.def"
#undef ACTION
    L1_ACTIONS
};
enum {
#define STATE(name, meaning) L2_##name,
#include "model/coherence/l2_states.def"
#undef STATE
    L2_STATES
};
enum {
#define EVENT(name, meaning) AT_##name,
#include "model/coherence/l2_events.def"
#undef EVENT
    L2_EVENTS
};
enum {
    SLICE_NOTHING,
#define ACTION(name, meaning) SLICE_##name,
#include "model/coherence/l2_actions.def"
#include "model/coherence/l2_directory_actions.def"
#undef ACTION
    L2_ACTIONS
};

enum { ROW_ACTIONS = 6 };
typedef struct ws_row {
    uint8_t state, event, next, actions[ROW_ACTIONS];
} ws_row;
#define L1_ROW(state, event, next, ...) \
    { \
        L1_##state, ON_##event, L1_##next, \
        { \
            __VA_ARGS__ \
        } \
    }
#define L2_ROW(state, event, next, ...) \
    { \
        L2_##state, AT_##event, L2_##next, \
        { \
            __VA_ARGS__ \
        } \
    }

/* Rows of a protocol that handles a reset differently for an open gap; they follow the table, and the last row of a
 * state and event is used. */
typedef struct ws_variant {
    uint32_t without; /* the WS_CLOSE_ bit that is off */
    ws_row row;
} ws_variant;

typedef struct ws_l1_line {
    uint64_t block, expiry;
    uint32_t wts, rts, ack_wts, ack_rts;
    uint16_t stores, reads; /* in flight */
    uint8_t state;
    bool bad;           /* L2 had data other than the copy */
    uint16_t unchecked; /* race detection: loads served by the copy since it was fetched or checked */
} ws_l1_line;

typedef struct ws_warp_state {
    uint64_t gwct; /* physical: time when the warp's stores are visible to all */
    uint32_t ts, hits;
    uint32_t pending, unused; /* pending: accesses of the warp in flight or parked */
} ws_warp_state;

typedef struct ws_pending {
    uint64_t block;
    uint32_t mask, sent_wts;
    uint32_t order; /* race detection: place in the global order of a store that is performed with others of its
                       instruction; 0: no answer yet */
    uint16_t warp, id, tag;
    uint8_t kind;
    bool attached; /* waits for a read in flight (otherwise for a change of the line) */
    bool first;    /* its own read is in flight */
    bool counted;  /* store that locks the line */
    bool carried;  /* store that the copy took and still has */
    bool poll;
    bool ordered;     /* race detection: its place after its warp's earlier accesses is settled */
    bool placed;      /* the SM knows that */
    bool ahead;       /* load that may have its value early */
    bool asked_early; /* made while its warp had others in flight: its place may precede theirs */
    bool early;       /* it has the value, and waits for earlier accesses of its warp */
    bool refuted;     /* that value is too old for its place */
    bool overwritten; /* another warp of the SM has stored to these words since the load was made */
    uint32_t epoch;   /* in which the value was valid */
    uint32_t left;    /* answers outstanding both at its arrival and now */
    ws_cache_who who;
} ws_pending;

typedef struct ws_l1 {
    uint16_t sm, epoch;
    uint32_t pending_count, reading; /* lines with a read in flight */
    bool fenced;                     /* with lease prediction: a warp has passed a fence */
} ws_l1;

typedef struct ws_l2_line {
    uint64_t block, expiry;
    uint64_t others; /* physical, of a line with one reader: latest end of leases of other SMs */
    uint32_t wts, rts;
    uint8_t state;
    bool dirty;
    bool fresh;  /* filled with mem_ts and not given to any SM yet: closing 8 */
    bool shared; /* physical: several loads have had the lease since the last store, or since all leases ended */
} ws_l2_line;

typedef struct ws_l2 {
    uint16_t slice, epoch;
    uint32_t mem_ts, max_ts, queue_count;
    uint32_t lease; /* physical: length of the next one */
    bool was_reset;
} ws_l2;

struct ws_coherence {
    ws_coherence_config config;
    const ws_protocol *protocol;
    uint32_t max_ts;
    const ws_row *l1[L1_STATES][L1_EVENTS];
    const ws_row *l2[L2_STATES][L2_EVENTS];
    bool plain_hit[L1_STATES]; /* a load served by the copy only counts as a hit: no change of state, no other action */
    ws_slice_map map;
    ws_cache l1_cache, l2_cache; /* the L2 numbers its own blocks, without the gaps of other slices */
    bool sets_aside;             /* waiting accesses keep data: stores not visible yet, early loads */
    size_t l1_tags, l2_tags;     /* memory of the caches */
    size_t l1_warps, l1_lines, l1_data, l1_pending, l1_aside, l1_counts, l1_bytes; /* offsets, and the end */
    size_t l2_lines, l2_data, l2_queue, l2_directory, l2_counts, l2_bytes;
    ws_signature_shape signature;                  /* race detection: race_internal.h */
    size_t l1_race, l1_signatures, l1_speculative; /* offsets */
    size_t hub_signatures, hub_parts, hub_bytes;
    size_t message_bytes; /* of a queued message, without unused words */
};

/* Members of a protocol for its rows. */
#define WS_PROTOCOL_ROWS(of_l1, of_l2) \
    .l1 = of_l1, .l1_rows = sizeof of_l1 / sizeof *of_l1, .l2 = of_l2, .l2_rows = sizeof of_l2 / sizeof *of_l2

#define PROTOCOL(identifier, name) extern const ws_protocol ws_protocol_##identifier;
#include "model/coherence/protocols.def"
#undef PROTOCOL

static inline bool closed(const ws_coherence *c, uint32_t bit)
{
    return (c->config.closings & bit) != 0;
}

static inline ws_coherence_counts *counts_at(const ws_coherence *c, const void *memory, size_t offset)
{
    return c->config.count ? (ws_coherence_counts *)((char *)memory + offset) : NULL;
}

/* Rows that replace those of the table for an open gap of the publication (gtsc.c). */
extern const ws_variant ws_gtsc_open[];
extern const size_t ws_gtsc_open_count;

/* Returns the bytes of a line's directory entry: the number of outstanding answers, and one bit for each SM that may
 * have a copy. */
static inline size_t ws_directory_bytes(uint32_t sms)
{
    return (1 + (sms + 63) / 64) * sizeof(uint64_t);
}

_Static_assert((int)WS_CACHE_LOAD == (int)WS_REQUEST_LOAD && (int)WS_CACHE_STORE == (int)WS_REQUEST_STORE &&
                   (int)WS_CACHE_ATOMIC == (int)WS_REQUEST_ATOMIC,
               "kinds pass through");

/* Returns a request of an SM as a use of a slice's cache. */
static inline ws_cache_use ws_slice_use(const ws_coherence *c, const ws_coherence_message *m, bool waits)
{
    return (ws_cache_use){.block = ws_slice_map_local(&c->map, m->block),
                          .mask = m->mask,
                          .sm = m->sm,
                          .warp = m->warp,
                          .kind = m->type == WS_MESSAGE_READ     ? WS_CACHE_LOAD
                                  : m->type == WS_MESSAGE_ATOMIC ? WS_CACHE_ATOMIC
                                                                 : WS_CACHE_STORE,
                          .waits = waits};
}

/* Returns the end of a new lease: rts = wts + lease. */
static inline uint32_t lease_from(const ws_coherence *c, uint32_t ts)
{
    return ts + c->config.lease;
}

#endif
