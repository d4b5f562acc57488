/* memory_level.h - protocol-independent interface of the levels of a memory system.
 *
 * A cache is plain memory without pointers, so a checkpoint is a copy; data shared by all caches of a kind are created
 * once and constant. Calls are those of coherence.h: requests and messages in, messages and completions out through
 * ports. `now` is in core cycles everywhere. A refused request leaves the cache unchanged. */
#ifndef WS_MEMORY_LEVEL_H
#define WS_MEMORY_LEVEL_H

#include "model/coherence/coherence.h"
#include "model/machine/coherence_machine.h"
#include "model/machine/machine_declared.h"

/* Reasons of a refusal; positive, as failures of the library are negative. */
enum {
    WS_REFUSED = WS_COHERENCE_RETRY, /* by the protocol: order, a lease, a locked line, no room */
    WS_REFUSED_LINE,                 /* no line of the set can be evicted */
    WS_REFUSED_MSHR,                 /* no entry left */
    WS_REFUSED_MERGE,                /* too many wait for this block */
    WS_REFUSED_REASONS
};

/* Bits of ws_coherence_message.note in a request of an SM, if L2s keep lines of other chips: the line's home is another
 * chip; the L2 must not keep its read or stored data. */
enum { WS_AGREE_REMOTE = 1, WS_AGREE_PASS = 2 };

/* Counts of a cache since its creation. */
typedef struct ws_cache_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/sim/memory/cache_counts.def"
#undef COUNT
} ws_cache_counts;

/* Functions of an L2 slice that keeps lines of other chips. */
typedef struct ws_level_chip_ops {
    /* Ends a launch: dirty words are sent; copies of lines that do not stay are invalidated. */
    int (*release)(const void *shared, void *level, bool (*stays)(void *context, uint64_t block),
                   const ws_coherence_ports *ports);
    /* Begins a launch, with nothing in flight: clean copies are invalidated, dirty words stay. */
    void (*acquire)(const void *shared, void *level);
    bool (*holds)(const void *shared, const void *level, uint64_t block); /* has it words of it? */
} ws_level_chip_ops;

/* Functions of a level of variable size. */
typedef struct ws_level_resize_ops {
    /* Resizes between launches, with empty caches: all of the kind have `ways` ways afterwards, at most those at
     * creation; each is then restarted. Counts are kept. */
    int (*resize)(void *shared, uint32_t ways);
    void (*begin_anew)(const void *shared, void *level);
} ws_level_resize_ops;

/* Functions of L2 slices with timestamps, which are reset together: when the reset count of one slice has grown, the
 * machine resets the others. */
typedef struct ws_level_time_ops {
    void (*reset)(const void *shared, void *level);
    uint16_t (*epoch)(const void *shared, const void *level);    /* number of resets */
    uint32_t (*greatest)(const void *shared, const void *level); /* of the timestamps given since the last reset */
} ws_level_time_ops;

/* Functions of L2 slices with a race detector: the hub is memory shared by all slices, in the hub of their ports. */
typedef struct ws_level_hub_ops {
    size_t (*bytes)(const void *shared);
    void (*init)(const void *shared, void *hub);
    /* A request has reached its slice, which gets it later. Returns true if the hub has answered it. Otherwise the
     * slice must not get it before *earliest. */
    bool (*arrive)(const void *shared, ws_coherence_message *request, uint64_t now, const ws_coherence_ports *ports,
                   uint64_t *earliest);
    void (*flush)(const void *shared, void *hub);                         /* all L1s are empty */
    uint64_t (*delay)(const void *shared, const void *hub, uint64_t now); /* from `now` until its answers are sent */
    ws_race_counts (*counts)(const void *shared, const void *hub);
} ws_level_hub_ops;

/* Functions of an L1 with a race detector. */
typedef struct ws_level_race_ops {
    /* Called between windows: passes data of the hub, to which the L1 has no access, that belong to the message. */
    void (*bring)(const void *shared, void *l1, const ws_coherence_message *message, const void *hub);
    ws_race_counts (*counts)(const void *shared, const void *l1);
} ws_level_race_ops;

/* Functions of a level of the memory system: an L1, a buffer next to it, an L2 slice, or a cache at the home of a line.
 * `shared` was made by the create function. Requests carry the number of a line (address / line bytes) and a mask of
 * its 4-byte words; a sectored cache fetches the sectors that the mask touches. NULL members: not supported by the
 * level. */
typedef struct ws_level_ops {
    void (*destroy)(void *shared);
    size_t (*bytes)(const void *shared);
    void (*init)(const void *shared, void *level, uint32_t number); /* of its SM, or of the slice */
    /* Request of a warp. WS_OK: taken, and completed now (a hit, during the call) or later. Otherwise a reason above,
     * or a failure. */
    int (*request)(const void *shared, void *level, const ws_request *request, uint64_t now,
                   const ws_coherence_ports *ports);
    /* Message from an adjacent level. An L2 gets requests of SMs and DRAM_FILL; it sends answers, DRAM_READ and
     * DRAM_WRITE (mask: the words). An L2 that keeps lines of other chips forwards atomics to the home of the line, and
     * gets INVALIDATE for words that another chip wrote there. An L3 gets these from L2 slices (`sm`: the slice,
     * returned in the DRAM_FILL), and sends the same to memory. */
    int (*message)(const void *shared, void *level, const ws_coherence_message *message, uint64_t now,
                   const ws_coherence_ports *ports);
    int (*advance)(const void *shared, void *level, uint64_t now, const ws_coherence_ports *ports); /* time passes */
    /* End of a launch: nothing is in flight; all copies are invalidated, dirty ones sent. */
    int (*flush)(const void *shared, void *level, uint64_t now, const ws_coherence_ports *ports);
    /* Returns when time alone changes the state; for a refused request (otherwise NULL) that no message will help: when
     * to retry. WS_COHERENCE_NEVER if never. */
    uint64_t (*next_time)(const void *shared, const void *level, const ws_request *request, uint64_t now);
    uint32_t (*waiting)(const void *shared, const void *level);
    uint32_t (*reads)(const void *shared, const void *level); /* of an L1: occupied MSHRs */
    ws_cache_counts (*counts)(const void *shared, const void *level);
    /* Returns the bytes of a message between this level and the other side of the network. */
    uint32_t (*message_bytes)(const void *shared, const ws_machine *machine, const ws_coherence_message *message);
    uint32_t (*lease)(const void *shared, const void *level); /* of an L2: cycles of the next physical lease */
    const ws_level_chip_ops *chips;
    const ws_level_resize_ops *sizes;
    const ws_level_time_ops *times;
    const ws_level_hub_ops *hub;
    const ws_level_race_ops *races;
} ws_level_ops;

/* Level: its functions and the data shared by all its caches. */
typedef struct ws_level {
    const ws_level_ops *ops;
    void *shared;
    uint32_t words; /* of data carried by messages; 0: none */
} ws_level;

/* Create plain caches (machine.coherence_protocol is none), and the read-only ones for textures and constants of any
 * machine. */
int ws_plain_l1_create(const ws_machine *machine, ws_level *out);
int ws_plain_texture_create(const ws_machine *machine, ws_level *out);
int ws_plain_constant_create(const ws_machine *machine, ws_level *out);
int ws_plain_l2_create(const ws_machine *machine, ws_level *out);

/* Creates the L3 of any machine that has one (l3.size); memory has one copy of a line under any protocol. */
int ws_plain_l3_create(const ws_machine *machine, ws_level *out);

/* Creates caches that follow a protocol of model/coherence. `data`: values are simulated, for --check. Both share one
 * ws_coherence, owned by the L1s. */
int ws_coherent_create(const ws_machine *machine, bool data, ws_level *l1, ws_level *l2);

/* Creates the L1s and L2 slices for the machine's protocol: plain ones, or those above; and the L3, all 0 without one.
 * The caller also destroys what was created before a failure. */
int ws_levels_create(const ws_machine *machine, bool data, ws_level *l1, ws_level *l2, ws_level *l3);

#endif
