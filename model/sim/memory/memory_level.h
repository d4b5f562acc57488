/* memory_level.h - the levels of a memory system as the machine sees them, independent of their protocol.
 *
 * A cache is plain memory without pointers, so a checkpoint is a copy; what all caches of a kind share is created once
 * and never changes. Calls are those of coherence.h: requests and messages in, messages and completions out through
 * ports. `now` is in core cycles everywhere. What a cache cannot take it refuses, and nothing has changed. */
#ifndef WS_MEMORY_LEVEL_H
#define WS_MEMORY_LEVEL_H

#include "model/coherence/coherence.h"
#include "model/machine/coherence_machine.h"
#include "model/machine/machine_declared.h"

/* Why a request was refused; positive, so that failures of the library stay negative. */
enum {
    WS_REFUSED = WS_COHERENCE_RETRY, /* by the protocol: order, a lease, a locked line, no room */
    WS_REFUSED_LINE,                 /* no line of the set can be replaced */
    WS_REFUSED_MSHR,                 /* no entry left */
    WS_REFUSED_MERGE,                /* too many wait for this block */
    WS_REFUSED_REASONS
};

/* In ws_coherence_message.note of a request of an SM, where L2s keep lines of other chips: the line is at home on
 * another chip; the L2 may not keep what is read of it, or stored. */
enum { WS_AGREE_REMOTE = 1, WS_AGREE_PASS = 2 };

/* What happened in a cache since it was made. */
typedef struct ws_cache_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/sim/memory/cache_counts.def"
#undef COUNT
} ws_cache_counts;

/* Of an L2 slice that keeps lines of other chips. */
typedef struct ws_level_chip_ops {
    /* End of a launch: dirty words are sent; copies of lines that do not stay are invalidated. */
    int (*release)(const void *shared, void *level, bool (*stays)(void *context, uint64_t block),
                   const ws_coherence_ports *ports);
    /* Begin of a launch, when nothing is in flight: clean copies are invalidated, dirty words stay. */
    void (*acquire)(const void *shared, void *level);
    bool (*holds)(const void *shared, const void *level, uint64_t block); /* has it words of the block? */
} ws_level_chip_ops;

/* Of a level whose size can change. */
typedef struct ws_level_resize_ops {
    /* Between launches, when the caches are empty: all of the kind have `ways` ways from now on, at most those that
     * they were made with; then each of them begins anew. Counts stay. */
    int (*resize)(void *shared, uint32_t ways);
    void (*begin_anew)(const void *shared, void *level);
} ws_level_resize_ops;

/* Of L2 slices with timestamps, which start again together: when the number of resets of one slice has grown, the
 * machine resets the others. */
typedef struct ws_level_time_ops {
    void (*reset)(const void *shared, void *level);
    uint16_t (*epoch)(const void *shared, const void *level);    /* resets so far */
    uint32_t (*greatest)(const void *shared, const void *level); /* timestamp given since the last reset */
} ws_level_time_ops;

/* Of L2 slices with a race detector: the hub, memory that all slices share, in the hub of their ports. */
typedef struct ws_level_hub_ops {
    size_t (*bytes)(const void *shared);
    void (*init)(const void *shared, void *hub);
    /* A request has come to its slice, which gets it later. True: the hub has answered it. Else the slice does not get
     * it before *earliest. */
    bool (*arrive)(const void *shared, ws_coherence_message *request, uint64_t now, const ws_coherence_ports *ports,
                   uint64_t *earliest);
    void (*flush)(const void *shared, void *hub);                         /* all L1s are empty now */
    uint64_t (*delay)(const void *shared, const void *hub, uint64_t now); /* from `now` until it sends its answers */
    ws_race_counts (*counts)(const void *shared, const void *hub);
} ws_level_hub_ops;

/* Of an L1 under a race detector. */
typedef struct ws_level_race_ops {
    /* Called between windows: the L1, which cannot see the hub, takes from it what the message refers to. */
    void (*bring)(const void *shared, void *l1, const ws_coherence_message *message, const void *hub);
    ws_race_counts (*counts)(const void *shared, const void *l1);
} ws_level_race_ops;

/* What a level of the memory system can do: an L1, a buffer beside it, an L2 slice, a cache at the home of a line.
 * `shared` is what create made. Requests carry the number of a line (address / line bytes) and a mask of its 4-byte
 * words; a cache with sectors fetches those that the mask touches. A member that is NULL: the level has nothing of the
 * kind. */
typedef struct ws_level_ops {
    void (*destroy)(void *shared);
    size_t (*bytes)(const void *shared);
    void (*init)(const void *shared, void *level, uint32_t number); /* of its SM, or of the slice in the machine */
    /* What a warp asks. WS_OK: taken; completed now (a hit, during the call) or later. Else a reason above, or a
     * failure. */
    int (*request)(const void *shared, void *level, const ws_request *request, uint64_t now,
                   const ws_coherence_ports *ports);
    /* From the level above or below. An L2 gets requests of SMs and DRAM_FILL; it sends answers, DRAM_READ and
     * DRAM_WRITE (mask: the words). One that keeps lines of other chips sends atomics on to the home of the line, and
     * gets INVALIDATE for words that another chip wrote there. An L3 gets these from L2 slices (`sm`: which; it comes
     * back in the DRAM_FILL), and sends the same down. */
    int (*message)(const void *shared, void *level, const ws_coherence_message *message, uint64_t now,
                   const ws_coherence_ports *ports);
    int (*advance)(const void *shared, void *level, uint64_t now, const ws_coherence_ports *ports); /* time went on */
    /* End of a launch: nothing is in flight; all copies are invalidated, dirty ones sent. */
    int (*flush)(const void *shared, void *level, uint64_t now, const ws_coherence_ports *ports);
    /* When time alone changes something; for a request that was refused and that no message will help (else NULL): when
     * to try again. WS_COHERENCE_NEVER. */
    uint64_t (*next_time)(const void *shared, const void *level, const ws_request *request, uint64_t now);
    uint32_t (*waiting)(const void *shared, const void *level);
    uint32_t (*reads)(const void *shared, const void *level); /* of an L1: entries of its MSHRs that are taken */
    ws_cache_counts (*counts)(const void *shared, const void *level);
    /* The bytes of a message between it and the other side of the network. */
    uint32_t (*message_bytes)(const void *shared, const ws_machine *machine, const ws_coherence_message *message);
    uint32_t (*lease)(const void *shared, const void *level); /* of an L2: cycles that the next physical lease gets */
    const ws_level_chip_ops *chips;
    const ws_level_resize_ops *sizes;
    const ws_level_time_ops *times;
    const ws_level_hub_ops *hub;
    const ws_level_race_ops *races;
} ws_level_ops;

/* One kind of level: what all of it share, and what to call. */
typedef struct ws_level {
    const ws_level_ops *ops;
    void *shared;
    uint32_t words; /* of data that travel in messages; 0: none */
} ws_level;

/* Plain caches (machine.coherence_protocol is none), and the read-only ones for textures and constants of any machine.
 */
int ws_plain_l1_create(const ws_machine *machine, ws_level *out);
int ws_plain_texture_create(const ws_machine *machine, ws_level *out);
int ws_plain_constant_create(const ws_machine *machine, ws_level *out);
int ws_plain_l2_create(const ws_machine *machine, ws_level *out);

/* The L3, of any machine that has one (l3.size); memory has one copy of a line whatever the protocol above it is. */
int ws_plain_l3_create(const ws_machine *machine, ws_level *out);

/* Caches that follow a protocol of model/coherence. `data`: values travel, for --check. Both share one ws_coherence,
 * which goes with the L1s. */
int ws_coherent_create(const ws_machine *machine, bool data, ws_level *l1, ws_level *l2);

/* The L1s and L2 slices that the machine's protocol wants: plain ones, or those above; and the L3, all 0 where it has
 * none. What there is of them after a failure is the caller's to destroy, too. */
int ws_levels_create(const ws_machine *machine, bool data, ws_level *l1, ws_level *l2, ws_level *l3);

#endif
