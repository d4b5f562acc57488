/* event.h - what a warp did: the currency below the frames.
 *
 * One event says that one warp executed one instruction, or a run of consecutive ones that have nothing more to tell
 * than their number (arithmetic, moves). Static facts of an instruction stand once, in the launch's instruction table;
 * an event refers to them by pc. Live engine and trace replay deliver the same events. */
#ifndef WS_EVENT_H
#define WS_EVENT_H

#include "base/bits.h"
#include "collect/trace/copies.h"
#include "collect/trace/code.h"
#include "collect/trace/instr.h"
#include "collect/trace/origin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Local memory of a thread, of all frames that its calls open: CUDA's limit (CUDA C++ Programming Guide, "Compute
 * Capabilities"). */
enum { WS_LOCAL_BYTES_MOST = 512 << 10 };

enum { WS_EVENT_ADDRESSES = 8 }; /* groups of 32 that an event has at most */

/* What was launched. Owned by who launches; valid while sinks see it. */
typedef struct ws_launch {
    const char *kernel; /* mangled entry name */
    uint64_t sequence;  /* 0-based number of the launch in its process */
    uint32_t grid[3], block[3];
    uint64_t blocks; /* grid[0] * grid[1] * grid[2] */
    uint32_t threads_per_block, warps_per_block;
    uint32_t registers;    /* 32-bit registers a thread needs: maximum of simultaneously live ones */
    uint32_t shared_bytes; /* static + dynamic, per block */
    uint32_t
        local_bytes; /* per thread: of the kernel and its largest callee; calls that nest deeper need more, see below */
    uint32_t const_bytes; /* constant bank: .const variables of the module the kernel refers to + its parameters */
    uint64_t h2d_bytes, d2h_bytes; /* copied since the launch before this one */
    const ws_copy *copied;         /* [copies] where the former went, the newest last; none where that is not known */
    size_t copies;
    uint8_t isa;           /* ws_isa */
    bool is_child;         /* a kernel launched it: */
    uint64_t parent;       /* ... that of the launch with this sequence number; not kept in traces */
    const ws_instr *instr; /* [instrs] */
    size_t instrs;
    const ws_code *code;     /* operands and targets of these; NULL: not known (SASS, old traces) */
    const ws_origin *origin; /* where they come from; NULL: not known */
} ws_launch;

typedef enum ws_event_kind {
    WS_EVENT_RUN,        /* count >= 1 consecutive instructions from pc on, all with the same exec mask */
    WS_EVENT_MEMORY,     /* one load, store or atomic; addresses of the lanes in exec */
    WS_EVENT_BRANCH,     /* one control transfer; taken = lanes that leave the fall-through path */
    WS_EVENT_RECONVERGE, /* not an instruction (count 0): a divergent section ends; see `section` */
    WS_EVENT_BARRIER     /* one bar/barrier; fires on arrival */
} ws_event_kind;

typedef struct ws_event {
    uint32_t pc;     /* index in ws_launch.instr */
    uint16_t warp;   /* in its block */
    uint16_t count;  /* instructions; 0 in RECONVERGE and in the 2nd.. part of an access: other lanes in another space,
                        or the same lanes at further addresses (see ws_event_lane_runs) */
    uint32_t active; /* lanes on this path of the warp */
    uint32_t exec;   /* lanes that did it: active and guard; for branches = active */
    union {
        uint32_t taken;     /* BRANCH; divergent iff 0 < popcount(taken) < popcount(active) */
        uint32_t section;   /* RECONVERGE: warp instructions issued since the divergent branch, both sides; pc = the
                               branch; a section also ends when all lanes of every other side have exited */
        uint32_t barrier;   /* BARRIER: its number in the low 8 bits (16: that of the cluster), and above them how many
                               warps it waits for (0: all   of the block); UINT32_MAX for bar.warp.sync, which only its
                               warp   takes part in */
        uint32_t addresses; /* MEMORY: index of the 32 lane addresses in the batch, see WS_ADDRESSES */
    };
    uint8_t kind;      /* ws_event_kind */
    uint8_t depth;     /* open divergent sections of the warp (0: converged), after calls and nesting; saturates */
    uint8_t space;     /* MEMORY: ws_space */
    uint8_t texel : 5; /* MEMORY of textures, surfaces, and of instructions whose lanes touch several places (matrices,
                          asynchronous copies): bytes at each address; else 0, and ws_instr.bytes counts */
    uint8_t further : 3; /* MEMORY of textures: a lane touches so many texels besides the first; their addresses, 32 for
                            each, follow those of the first. Lanes that touch fewer repeat one */
} ws_event;

/* Memory in which sinks keep what they worked out of a batch for the sinks behind them. Zeroed is empty. */
typedef struct ws_batch_room {
    uint64_t *word; /* [used] of the batch, NULL or with room for `room` */
    size_t used, room;
} ws_batch_room;

/* Events of one block, in order. Of one warp they are in program order; warps of a block interleave as scheduled:
 * in rising order, each until a barrier, its end, or the end of a fixed slice of instructions. */
typedef struct ws_batch {
    uint64_t block; /* linear index in the grid, x fastest */
    const ws_event *event;
    size_t events;
    const uint64_t *address; /* 32 a memory event, more with `further`. Global, const, texture: device address; shared:
                                offset in the block's
                                shared memory; local: offset in the thread's local memory; param: offset. Lanes not in
                                exec hold 0 */
    ws_batch_room *room;     /* empty before the first sink; NULL: there is none */
} ws_batch;

#define WS_ADDRESSES(batch, ev) ((batch)->address + (size_t)(ev)->addresses * WS_WARP)

/* Registers that the launch's table of instructions names: one more than the highest number. */
static inline uint32_t ws_launch_registers(const ws_launch *launch)
{
    uint32_t n = 0;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        for (unsigned k = 0; k < in->srcs; k++)
            n = in->src[k] >= n ? in->src[k] + 1u : n;
        for (unsigned k = 0; k < in->dsts; k++)
            n = in->dst[k] >= n ? in->dst[k] + 1u : n;
    }
    return n;
}

/* Bytes at each address of a MEMORY event. */
static inline unsigned ws_event_bytes(const ws_launch *launch, const ws_event *ev)
{
    return ev->texel ? ev->texel : launch->instr[ev->pc].bytes;
}

/* How often a lane of exec executes the instructions of the event: their number, 1 for a part of an access that has
 * lanes of its own, 0 for one with lanes that the parts before had. */
static inline unsigned ws_event_lane_runs(const ws_event *ev)
{
    return ev->count ? ev->count : !ev->texel || ev->space == WS_SPACE_TEXTURE;
}

/* A register write or a shared-memory store with values, for the blocks a sink sampled. */
typedef struct ws_value {
    uint32_t pc;
    uint16_t warp;
    uint8_t is_shared; /* 0: register write, 1: shared-memory store (or atomic) */
    uint8_t bytes;     /* per lane: 4 or 8 (registers; predicates are not reported), 1, 2, 4, 8 (shared, per element) */
    uint32_t exec;     /* lanes written */
    uint32_t reg;      /* register number, or 0 */
    const uint64_t *before, *after; /* [32] zero-extended values; shared: memory content before and after */
    const uint64_t *address;        /* [32] shared offsets; NULL for registers */
} ws_value;

#endif
