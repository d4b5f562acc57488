/* memory_level.h - L1 caches and L2 slices as the machine sees them, whatever rules they follow.
 *
 * A cache is plain memory without pointers, so a checkpoint is a copy; what all of a kind share is made once and never
 * changes. Calls are those of coherence.h: requests and messages in, messages and completions out through ports. `now`
 * is in core cycles everywhere. What a cache cannot take it refuses, and nothing has changed. */
#ifndef WS_MEMORY_LEVEL_H
#define WS_MEMORY_LEVEL_H

#include "model/coherence/coherence.h"
#include "model/sim/machine.h"

/* Why a request was refused; positive, so that failures of the library stay negative. */
enum {
    WS_REFUSED = WS_COHERENCE_RETRY, /* by the protocol: order, a lease, a locked line, no room */
    WS_REFUSED_LINE,                 /* no line of the set can be replaced */
    WS_REFUSED_MSHR,                 /* no entry left */
    WS_REFUSED_MERGE,                /* too many wait for this block */
    WS_REFUSED_REASONS
};

/* What happened in a cache since it was made. */
typedef struct ws_cache_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/sim/cache_counts.def"
#undef COUNT
} ws_cache_counts;

/* An L1. `shared` is what create made. Requests carry the number of a line (address / line bytes) and a mask of its
 * 4-byte words; a cache with sectors fetches those that the mask touches. */
typedef struct ws_l1_ops {
    void (*destroy)(void *shared);
    size_t (*bytes)(const void *shared);
    void (*init)(const void *shared, void *l1, uint32_t sm);
    /* WS_OK: taken; completed now (a hit, during the call) or later. Else a reason above, or a failure. */
    int (*request)(const void *shared, void *l1, const ws_request *request, uint64_t now,
                   const ws_coherence_ports *ports);
    int (*message)(const void *shared, void *l1, const ws_coherence_message *message, uint64_t now,
                   const ws_coherence_ports *ports);
    /* End of a launch: nothing is in flight; all copies are given up, dirty ones sent. */
    int (*flush)(const void *shared, void *l1, uint64_t now, const ws_coherence_ports *ports);
    /* For a request that was refused and that no message will help: when to try again; WS_COHERENCE_NEVER. */
    uint64_t (*next_time)(const void *shared, const void *l1, const ws_request *request, uint64_t now);
    uint32_t (*waiting)(const void *shared, const void *l1);
    ws_cache_counts (*counts)(const void *shared, const void *l1);
} ws_l1_ops;

typedef struct ws_l2_ops {
    void (*destroy)(void *shared);
    size_t (*bytes)(const void *shared);
    void (*init)(const void *shared, void *l2, uint32_t slice);
    /* A request of an SM, or DRAM_FILL. Sends answers, DRAM_READ and DRAM_WRITE (mask: the words) through ports. */
    int (*message)(const void *shared, void *l2, const ws_coherence_message *message, uint64_t now,
                   const ws_coherence_ports *ports);
    int (*advance)(const void *shared, void *l2, uint64_t now, const ws_coherence_ports *ports);
    uint64_t (*next_time)(const void *shared, const void *l2, uint64_t now);
    uint32_t (*waiting)(const void *shared, const void *l2);
    ws_cache_counts (*counts)(const void *shared, const void *l2);
    /* Timestamps start again, and how often they did. All slices of a chip do so together: when the number of one has
     * grown, the machine resets the others. NULL: there are no timestamps. */
    void (*reset)(const void *shared, void *l2);
    uint16_t (*epoch)(const void *shared, const void *l2);
    uint32_t (*timestamp)(const void *shared, const void *l2); /* the greatest one given since */
} ws_l2_ops;

/* One kind of cache: shared part and what to call. */
typedef struct ws_l1_kind {
    const ws_l1_ops *ops;
    void *shared;
    bool sequential;
    uint32_t words; /* of data that travel in messages; 0: none */
} ws_l1_kind;
typedef struct ws_l2_kind {
    const ws_l2_ops *ops;
    void *shared;
} ws_l2_kind;

/* Plain caches (machine.coherence_protocol is none), and the read-only ones for textures and constants of any machine. */
int ws_plain_l1_create(const ws_machine *machine, ws_l1_kind *out);
int ws_plain_texture_create(const ws_machine *machine, ws_l1_kind *out);
int ws_plain_constant_create(const ws_machine *machine, ws_l1_kind *out);
int ws_plain_l2_create(const ws_machine *machine, ws_l2_kind *out);

/* What the machine says about its protocol; *out refers to the machine's name of it. WS_EINPUT names the option. */
int ws_coherent_config(const ws_machine *machine, bool data, ws_coherence_config *out);

/* Caches that follow a protocol of model/coherence. `data`: values travel, for --check. Both share one ws_coherence. */
int ws_coherent_create(const ws_machine *machine, bool data, ws_l1_kind *l1, ws_l2_kind *l2);

/* The bytes of a message on the network. */
uint32_t ws_level_message_bytes(const ws_l1_kind *l1, const ws_machine *machine, const ws_coherence_message *message);

#endif
