/* coherence.h - coherence protocols between L1 caches and L2 slices.
 *
 * Protocols are tables of (state, event, next state, actions). This machine runs them: events in; messages and
 * completed accesses out, through functions of the caller. Controllers have no clock and no hidden queue: time is an
 * argument of every call, and a request that cannot be taken now returns WS_COHERENCE_RETRY. A controller is plain
 * memory of ws_l1_bytes() or ws_l2_bytes() bytes without pointers, so it may be copied, compared and hashed. The caller
 * provides the network. It must keep the order of requests from one SM to one slice, and with race detection to all
 * slices; answers may overtake each other. */
#ifndef WS_COHERENCE_H
#define WS_COHERENCE_H

#include "model/cache/cache.h"
#include "model/coherence/race.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_COHERENCE_WORDS = 32 }; /* most 4-byte words of a block */
/* Not taken and without effect; retry after another event. The reasons after the first are those of ws_l1_access. */
enum {
    WS_COHERENCE_RETRY = 1, /* order, a lease, a full queue */
    WS_COHERENCE_NO_LINE,   /* no line of the set can be replaced */
    WS_COHERENCE_NO_MSHR,   /* too many blocks with a read in flight */
    WS_COHERENCE_NO_ROOM,   /* too many accesses in flight */
};
#define WS_COHERENCE_NEVER UINT64_MAX

typedef enum ws_message_type {
#define MESSAGE(name, direction, fields, meaning) WS_MESSAGE_##name,
#include "model/coherence/messages.def"
#undef MESSAGE
    WS_MESSAGE_COUNT
} ws_message_type;

enum { WS_MESSAGE_PAYLOAD = 24 }; /* bytes for protocol-specific fields */

typedef struct ws_coherence_message {
    /* The header, common to all: fields for ports, networks, memory and checkers. */
    uint8_t type; /* ws_message_type */
    uint8_t unit; /* free for the caller, like tag: cache of the SM that asked. A directory keeps only 0 coherent; it
                     answers reads of others without recording them */
    uint8_t note; /* FILL of a plain L2: the replacement's note about the block; an answer with race detection:
                     WS_RACE_... (race.h) */
    bool poll;    /* READ of a plain L1: volatile or acquire */
    uint16_t sm, warp;
    uint16_t id;    /* of the access within its L1 */
    uint16_t tag;   /* free for the caller, from the access */
    uint32_t mask;  /* words written, of an ATOMIC_ACK the returned old words; 0 in others */
    uint64_t block; /* address / block size */
    /* The payload, specific to a family of protocols. */
    union {
        struct {             /* leases, in logical or physical time */
            bool match : 1;  /* ACK: L2 had the data of the copy that took the store; physical: also the copy's lease */
            bool reset : 1;  /* FILL, ACK: the timestamps were reset (closing 7 off) */
            bool ended : 1;  /* READ, physical: the L1 has an expired copy */
            bool fenced : 1; /* WRITE with lease prediction: a warp of the SM has passed a fence */
            uint16_t epoch;  /* number of timestamp resets */
            /* Race detection. wts: epoch of the SM (of a read: epoch in which its copy is known to be valid, 0: none).
             * rts: words that a read wants; in the answer to a store, its place in the global order; of a SYNC, bytes
             * of the signature as runs of zeros. */
            uint32_t wts, rts, warp_ts;
            /* Physical: end of the lease; of a WRITE, that of the writer's copy plus a cycle for each of its stores in
             * flight, or 0 without a copy; of an ack, the time when all SMs see the store. */
            uint64_t expiry;
        };
        struct {           /* directories */
            bool has_copy; /* OWN: the sender has one */
        };
        struct {             /* plain caches */
            uint32_t update; /* ATOMIC: ws_update_code; 0: no update */
        };
        uint8_t payload[WS_MESSAGE_PAYLOAD];
    };
    uint32_t data[WS_COHERENCE_WORDS]; /* the first `words` of the configuration are used */
} ws_coherence_message;
_Static_assert(offsetof(ws_coherence_message, data) - offsetof(ws_coherence_message, payload) == WS_MESSAGE_PAYLOAD,
               "the payload of a family of protocols is larger than the room for it");

typedef enum ws_request_kind { WS_REQUEST_LOAD, WS_REQUEST_STORE, WS_REQUEST_ATOMIC, WS_REQUEST_FENCE } ws_request_kind;

/* One coalesced access of a warp: some words of one block. */
typedef struct ws_request {
    uint8_t kind; /* ws_request_kind; an atomic adds */
    bool poll;    /* LOAD: volatile or acquire, goes to L2 even if there is a copy */
    bool summed;  /* ATOMIC: data has the sum added to each word, for several operations */
    bool ahead; /* LOAD with race detection and config.race.ahead: it need not wait for earlier accesses of its warp */
    uint8_t order, scope; /* ws_order and ws_scope of its instruction (collect/trace/instr.h) */
    uint32_t update;      /* ATOMIC of a plain L1 that keeps updates in its lines or sends them to a buffer of its chip:
                             ws_update_code; 0: none */
    uint16_t warp;
    uint16_t tag;  /* the warp's instruction: returned in the completion and carried by messages. Accesses of one
                      instruction may be in flight together, even if a warp has one instruction in flight */
    uint32_t mask; /* bit i: word i */
    uint64_t block;
    ws_cache_who who; /* for replacement; plain caches may write back local memory */
    uint32_t data[WS_COHERENCE_WORDS];
} ws_request;

/* Stages before completion, with race detection. PLACED: the access is ordered after the earlier ones of its warp, and
 * its value, which is not known yet, is final. Of a load that runs ahead: EARLY, it has a value; KEPT, that value is
 * final; REFUTED, it gets another value, like any load. */
typedef enum ws_completion_stage {
    WS_COMPLETE,
    WS_COMPLETE_PLACED,
    WS_COMPLETE_EARLY,
    WS_COMPLETE_KEPT,
    WS_COMPLETE_REFUTED
} ws_completion_stage;

/* Completion: a load has its value, or a store or atomic is performed (weak protocols: at L2). */
typedef struct ws_completion {
    uint8_t kind;
    uint8_t stage; /* ws_completion_stage; PLACED and REFUTED have no data */
    bool placed;   /* after PLACED */
    uint16_t warp, tag;
    uint16_t epoch; /* logical time of the access: epoch, followed by time */
    uint32_t time;  /* race detection: place of a store or atomic in the global order */
    uint32_t mask;
    uint64_t block;
    const uint32_t *data; /* block of a load, old words of an atomic; valid during the call */
} ws_completion;

typedef struct ws_coherence_ports {
    void *context;
    void (*send)(void *context, const ws_coherence_message *message);
    void (*complete)(void *context, const ws_completion *completion);
    /* A block was evicted for a block of that warp. Called by plain L1s; may be NULL. */
    void (*replaced)(void *context, uint64_t block, unsigned warp);
    void *hub; /* of slices: their shared memory of ws_hub_bytes(); NULL if that is 0 */
} ws_coherence_ports;

/* Gaps of the published G-TSC that this implementation closes; an unset bit leaves the gap open. */
enum {
    WS_CLOSE_MATCH = 1 << 0,   /* 1: stores carry wts; an ack for other data invalidates the copy */
    WS_CLOSE_ABSENT = 1 << 1,  /* 2: an ack's lease is only for the copy that took the store */
    WS_CLOSE_COUNT = 1 << 2,   /* 3: several stores in flight are counted, the last ack unlocks */
    WS_CLOSE_RENEW = 1 << 3,   /* 4: renewals find their line (pinned), never shorten, never unlock */
    WS_CLOSE_SPIN = 1 << 4,    /* 5: `spin` consecutive hits advance the warp's time by one */
    WS_CLOSE_ATOMIC = 1 << 5,  /* 6: an atomic operation invalidates the copy of its SM */
    WS_CLOSE_EPOCH = 1 << 6,   /* 7: messages and L1s carry the number of timestamp resets */
    WS_CLOSE_MEM_TS = 1 << 7,  /* 8: a store to a block missing in L2 is ordered right after mem_ts */
    WS_CLOSE_LOCK = 1 << 8,    /* not a gap but the rule of section V-A: no load reads a line with stores in flight */
    WS_CLOSE_INV_ACK = 1 << 9, /* a rule of mesi: ownership is granted after the other copies are invalidated */
    /* Of tc-weak: a store by the only SM with a copy waits for leases given before other SMs' stores. */
    WS_CLOSE_SOLE = 1 << 10,
    WS_CLOSE_ALL = (1 << 11) - 1,
    WS_CLOSE_DEFAULT = WS_CLOSE_ALL & ~WS_CLOSE_MEM_TS,
};

/* Prediction of the length of physical leases by slices; each starts with `lease`. In cycles. */
typedef struct ws_lease_prediction {
    bool on;     /* otherwise every load gets `lease` */
    bool either; /* a load lengthens it if the copy of its L1 or the lease in L2 has ended; otherwise only if both have
                  */
    uint32_t expired;      /* increase by such a load */
    uint32_t evict, store; /* decrease by the eviction of a line with a lease; by a store to one */
    uint32_t floor;        /* stores shorten it only above this length */
    uint32_t most;         /* at least `lease` */
} ws_lease_prediction;

typedef struct ws_coherence_config {
    const char *protocol;
    uint32_t sms, warps;                             /* warps of an SM */
    uint32_t words;                                  /* of a block; 0: messages carry times but no data */
    uint32_t l1_sets, l1_ways, l1_mshrs, l1_pending; /* blocks with a read in flight; accesses in flight */
    uint32_t l2_sets, l2_ways, l2_queue;             /* of one slice; waiting requests */
    uint32_t slices;                /* of all chips: with one chip a block is in slice block / stripe % slices */
    bool scattered;                 /* rounds of stripes begin with different slices: ws_slice_map_scatter */
    uint32_t stripe;                /* consecutive blocks in one slice; 0 counts as 1 */
    uint32_t chips;                 /* with several, slice_map.h maps blocks; 0 counts as 1 */
    uint32_t page;                  /* consecutive blocks of a chip; 0 counts as 1 */
    bool touched;                   /* the caller decides the chip of a page: ws_coherence_slice does not apply */
    uint32_t lease;                 /* logical units; cycles for physical leases */
    ws_lease_prediction prediction; /* of physical leases; all 0: constant length */
    bool private_stores;            /* weak physical leases: a store by the only SM with a copy is visible at once */
    uint32_t timestamp_bits;        /* 2 to 31 */
    uint32_t spin;
    uint32_t closings;                    /* WS_CLOSE_... */
    uint32_t visibility;                  /* 1: stores lock the line; 2: the old copy stays readable until the ack */
    bool combine;                         /* one read for all loads that wait for a block */
    bool count;                           /* controllers keep ws_coherence_counts */
    ws_cache_choice l1_choice, l2_choice; /* index and replacement; all 0: linear and lru */
    ws_race_config race;                  /* of protocols with race detection */
} ws_coherence_config;

/* The configuration of Tabbakh, Qian, Annavaram 2018, section VI: 16 SMs of 48 warps, 16 KB L1, 8 slices of 128 KB. */
extern const ws_coherence_config ws_coherence_defaults;

typedef struct ws_coherence ws_coherence;

/* Checks the configuration and creates the constant data that all controllers share. The caller frees it with
 * ws_coherence_destroy. WS_EINPUT with one line that names the member and the reason. */
int ws_coherence_create(const ws_coherence_config *config, ws_coherence **out);
void ws_coherence_destroy(ws_coherence *coherence); /* accepts NULL */

/* Returns the slice of a block. */
uint32_t ws_coherence_slice(const ws_coherence *coherence, uint64_t block);

/* Return the names in the order of protocols.def, NULL past the last; one sentence about the protocol, NULL if unknown.
 */
const char *ws_coherence_protocol_name(size_t index);
const char *ws_coherence_protocol_summary(const char *name);

/* --- L1 of an SM, with the logical times of its warps --- */

size_t ws_l1_bytes(const ws_coherence *coherence);
void ws_l1_init(const ws_coherence *coherence, void *l1, uint32_t sm);

/* Returns WS_OK: taken, and completed now or later. WS_COHERENCE_RETRY: the warp must wait (order, or an incomplete
 * fence); greater: no room. WS_EVERIFY: the protocol has no row for the event. `now` is this SM's clock. */
int ws_l1_access(const ws_coherence *coherence, void *l1, const ws_request *access, uint64_t now,
                 const ws_coherence_ports *ports);
int ws_l1_message(const ws_coherence *coherence, void *l1, const ws_coherence_message *message, uint64_t now,
                  const ws_coherence_ports *ports);
/* Evict the block if its state allows, otherwise RETRY; invalidate all copies. Changed copies are sent. A flush returns
 * RETRY while accesses are in flight. Replacement also evicts. */
int ws_l1_evict(const ws_coherence *coherence, void *l1, uint64_t block, const ws_coherence_ports *ports);
int ws_l1_flush(const ws_coherence *coherence, void *l1, const ws_coherence_ports *ports);

/* State of a block, for checkers and statistics. */
typedef struct ws_line_view {
    uint8_t state; /* index into l1_states.def or l2_states.def; 0 if absent */
    uint32_t wts, rts;
    uint64_t expiry;
    uint32_t stores, reads; /* in flight, of an L1 */
    bool dirty;
    const uint32_t *data;
} ws_line_view;
ws_line_view ws_l1_look(const ws_coherence *coherence, const void *l1, uint64_t block);
uint32_t ws_l1_warp_ts(const ws_coherence *coherence, const void *l1, uint32_t warp);
uint64_t ws_l1_gwct(const ws_coherence *coherence, const void *l1, uint32_t warp);
uint16_t ws_l1_epoch(const void *l1);
uint32_t ws_l1_waiting(const void *l1); /* accesses in flight or parked */
uint32_t ws_l1_reads(const void *l1);   /* blocks with a read in flight: occupied MSHRs */
/* For tests and partial replays: insert a copy; set a warp's time. */
int ws_l1_set_copy(const ws_coherence *coherence, void *l1, uint64_t block, uint32_t wts, uint32_t rts);
void ws_l1_set_warp_ts(const ws_coherence *coherence, void *l1, uint32_t warp, uint32_t warp_ts);

/* --- L2 slice --- */

size_t ws_l2_bytes(const ws_coherence *coherence);
void ws_l2_init(const ws_coherence *coherence, void *l2, uint32_t slice);
/* Requests of SMs, and DRAM_FILL. RETRY: the queue is full; keep this message and later ones. */
int ws_l2_message(const ws_coherence *coherence, void *l2, const ws_coherence_message *message, uint64_t now,
                  const ws_coherence_ports *ports);
/* Optional, before ws_l2_message: a request has reached the slice, which serves it later, in order of arrival for each
 * block. The race detector processes it now and sends its messages now. Returns true if the request is answered and
 * must not go to ws_l2_message; otherwise it must not before *earliest, when the detector has finished it. */
bool ws_l2_arrive(const ws_coherence *coherence, ws_coherence_message *request, uint64_t now,
                  const ws_coherence_ports *ports, uint64_t *earliest);
/* Serve requests that the passage of time enables; return the earliest such time, or WS_COHERENCE_NEVER. */
int ws_l2_advance(const ws_coherence *coherence, void *l2, uint64_t now, const ws_coherence_ports *ports);
uint64_t ws_l2_next_time(const ws_coherence *coherence, const void *l2, uint64_t now);
int ws_l2_evict(const ws_coherence *coherence, void *l2, uint64_t block, uint64_t now, const ws_coherence_ports *ports);
ws_line_view ws_l2_look(const ws_coherence *coherence, const void *l2, uint64_t block);
uint32_t ws_l2_mem_ts(const void *l2);
uint32_t ws_l2_max_ts(const void *l2); /* greatest time given in this epoch */
uint16_t ws_l2_epoch(const void *l2);
uint32_t ws_l2_waiting(const void *l2);
uint32_t ws_l2_lease(const void *l2); /* physical: cycles of the next load's lease */
/* Resets the timestamps of all slices, as the overflow of one does. */
void ws_l2_reset(const ws_coherence *coherence, void *l2);
int ws_l2_set_rts(const ws_coherence *coherence, void *l2, uint64_t block, uint32_t rts); /* for tests */

/* Inserts a clean block as if read, with words 0. RETRY if its set is full. */
int ws_l2_warm(const ws_coherence *coherence, void *l2, uint64_t block);

/* --- Shared data of a machine's slices, outside L2: the race detector --- */

size_t ws_hub_bytes(const ws_coherence *coherence); /* 0: none */
void ws_hub_init(const ws_coherence *coherence, void *hub);
/* All L1s have invalidated all copies and nothing is in flight: earlier stores are known to every SM. Each SM begins an
 * epoch. */
void ws_hub_flush(const ws_coherence *coherence, void *hub);
/* Returns the delay after `now` until the detector releases messages that a slice sends during a call. */
uint64_t ws_hub_delay(const ws_coherence *coherence, const void *hub, uint64_t now);
/* A message is about to reach an L1, which has no access to the hub: adds the signature. */
void ws_l1_bring(const ws_coherence *coherence, void *l1, const ws_coherence_message *message, const void *hub);
/* All 0 if the protocol has no race detection. */
ws_race_counts ws_l1_race_counts(const ws_coherence *coherence, const void *l1);
ws_race_counts ws_hub_race_counts(const ws_coherence *coherence, const void *hub);
uint32_t ws_l1_race_epoch(const ws_coherence *coherence, const void *l1);
uint32_t ws_hub_race_epoch(const ws_coherence *coherence, const void *hub, uint32_t sm);

/* --- Counts since init, with config.count; otherwise NULL --- */

typedef struct ws_coherence_counts {
    uint64_t loads, stores, atomics; /* accesses taken */
    uint64_t hits;                   /* served by the cache */
    uint64_t misses;                 /* sent a request to the next level */
    uint64_t merged;                 /* wait for another access's request, or for a locked line */
    uint64_t expired;                /* loads that found a copy whose lease does not cover them */
    uint64_t evictions, writebacks;
    uint64_t leases, lease_cycles;                       /* of a slice: physical leases given; their cycles */
    uint64_t lease_loads, lease_evictions, lease_stores; /* events that lengthened and shortened its prediction */
    uint64_t no_line, no_mshr, no_room, retry;           /* refused calls, by reason */
} ws_coherence_counts;
const ws_coherence_counts *ws_l1_counts(const ws_coherence *coherence, const void *l1);
const ws_coherence_counts *ws_l2_counts(const ws_coherence *coherence, const void *l2);

/* Guarantee of a protocol about load values, which a checker verifies. */
typedef enum ws_promise {
    WS_PROMISE_LOGICAL = 1, /* a load at logical time t returns the last store with a time up to t (G-TSC) */
    WS_PROMISE_PHYSICAL, /* no load returns a value whose overwriting was visible to all before the load was issued */
    WS_PROMISE_OWNED,    /* the same for stores and atomics performed by an owning L1: from their completion */
    WS_PROMISE_ORDERED,  /* all accesses have one order that contains each warp's order, with stores in the detector's
                            order */
    WS_PROMISE_EVENTUAL, /* a load returns a value stored there (or none), never older than its warp's own earlier store
                            or read there */
} ws_promise;

/* Lifetime of a copy. */
typedef enum ws_lease_kind {
    WS_LEASE_NONE,     /* until it is invalidated */
    WS_LEASE_LOGICAL,  /* while the warp's time is at most rts */
    WS_LEASE_PHYSICAL, /* while the clock is at most expiry */
} ws_lease_kind;

/* Behaviour of an L1 while answers of the race detector are outstanding. */
typedef enum ws_race_kind {
    WS_RACE_NONE,       /* no detector */
    WS_RACE_STALLS,     /* it takes no other access */
    WS_RACE_SPECULATES, /* copies serve loads, which are compared with the signature that may arrive */
    WS_RACE_IDEAL,      /* it takes all accesses; sets are exact, and the detector answers at once */
} ws_race_kind;

/* Protocol: a row of protocols.def. */
typedef struct ws_protocol {
    const char *name, *summary;
    const ws_option *options; /* NULL: none */
    ws_promise promise;       /* not 0 */
    ws_lease_kind lease;
    bool sequential;    /* an access waits until the earlier ones of its warp are complete, or have their place (race
                           detection) */
    bool strong_writes; /* physical leases: a store waits until all leases of the block have ended */
    bool fence_flushes; /* a fence invalidates all copies of the SM */
    ws_race_kind race;
    bool directory;               /* L1s write back, L2 records the sharers: directory_internal.h */
    const struct ws_row *l1, *l2; /* coherence_internal.h */
    size_t l1_rows, l2_rows;
    const struct ws_variant *open; /* of the L2's rows */
    size_t open_rows;
} ws_protocol;
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_protocol *ws_protocol_find(const char *name);
const ws_protocol *ws_protocol_at(size_t index);

/* Properties of a protocol by name; false if unknown. */
bool ws_coherence_is_sequential(const char *protocol); /* a warp has one instruction in flight */
bool ws_coherence_is_physical(const char *protocol);   /* leases are cycles */
bool ws_coherence_is_logical(const char *protocol);    /* leases are logical time */
bool ws_coherence_detects_races(const char *protocol);
bool ws_coherence_races_stall(const char *protocol); /* and an SM takes no other access meanwhile */

/* --- Sizes on the network --- */

typedef struct ws_message_sizes {
    uint32_t header_bytes, block_bytes, timestamp_bytes, expiry_bytes, flit_bytes;
} ws_message_sizes;
extern const ws_message_sizes ws_message_default_sizes; /* 8, 128, 2, 4, 32 */

const char *ws_message_name(ws_message_type type);
const char *ws_message_meaning(ws_message_type type);
/* Return the bytes and the flits of a message of that protocol. `payload` is the bytes of a store, or of a SYNC the
 * bytes of the signature's runs. */
uint32_t ws_message_bytes(const ws_coherence *coherence, ws_message_type type, uint32_t payload,
                          const ws_message_sizes *sizes);
uint32_t ws_message_flits(uint32_t bytes, const ws_message_sizes *sizes);

/* --- The tables, for documentation and tests --- */

typedef struct ws_transition {
    const char *state, *event, *next;
    const char *actions[6]; /* up to the first NULL */
} ws_transition;
/* Fills row `index` of the L1 (or L2) table; returns false past the last. */
bool ws_coherence_l1_row(const ws_coherence *coherence, size_t index, ws_transition *row);
bool ws_coherence_l2_row(const ws_coherence *coherence, size_t index, ws_transition *row);
const char *ws_l1_state_name(uint8_t state);
const char *ws_l2_state_name(uint8_t state);

#endif
