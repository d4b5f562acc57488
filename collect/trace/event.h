/* event.h - event stream of warp execution: the interface between execution and metrics.
 *
 * One event reports that one warp executed one instruction, or a run of consecutive ones described by their number
 * alone (arithmetic, moves). Static facts of an instruction are stored once, in the launch's instruction table; an
 * event refers to them by pc. The live engine and trace replay deliver the same events. */
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

/* Limit of a thread's local memory, over all frames that its calls open (CUDA C++ Programming Guide, "Compute
 * Capabilities"). */
enum { WS_LOCAL_BYTES_MOST = 512 << 10 };

enum { WS_EVENT_ADDRESSES = 8 }; /* most groups of 32 of an event */

/* Launch of a kernel. Owned by the driver of the launch (engine or replay); valid while sinks process it. */
typedef struct ws_launch {
    const char *kernel; /* mangled entry name */
    uint64_t sequence;  /* 0-based number of the launch in its process */
    uint32_t grid[3], block[3];
    uint64_t blocks; /* grid[0] * grid[1] * grid[2] */
    uint32_t threads_per_block, warps_per_block;
    uint32_t registers;    /* 32-bit registers of a thread: maximum of simultaneously live ones */
    uint32_t shared_bytes; /* static + dynamic, per block */
    uint32_t local_bytes;  /* per thread: of the kernel and its largest callee; deeper calls need more */
    uint32_t const_bytes;  /* constant bank: .const variables of the module that the kernel uses + its parameters */
    uint64_t h2d_bytes, d2h_bytes; /* copied since the previous launch */
    const ws_copy *copied;         /* [copies] destinations of h2d_bytes, the newest last; none if not known */
    size_t copies;
    uint8_t isa;           /* ws_isa */
    bool is_child;         /* launched by a kernel: */
    uint64_t parent;       /* sequence number of the launch of that kernel; not kept in traces */
    const ws_instr *instr; /* [instrs] */
    size_t instrs;
    const ws_code *code;     /* their operands and targets; NULL: not known (SASS, old traces) */
    const ws_origin *origin; /* their source positions; NULL: not known */
} ws_launch;

typedef enum ws_event_kind {
    WS_EVENT_RUN,        /* count >= 1 consecutive instructions from pc, all with the same exec mask */
    WS_EVENT_MEMORY,     /* one load, store or atomic; addresses of the lanes in exec */
    WS_EVENT_BRANCH,     /* one control transfer; taken = lanes that leave the fall-through path */
    WS_EVENT_RECONVERGE, /* not an instruction (count 0): end of a divergent section; see `section` */
    WS_EVENT_BARRIER     /* one bar/barrier; fires on arrival */
} ws_event_kind;

typedef struct ws_event {
    uint32_t pc;     /* index in ws_launch.instr */
    uint16_t warp;   /* index in its block */
    uint16_t count;  /* instructions; 0 in RECONVERGE and in the second and later parts of an access: other lanes in
                        another space, or the same lanes at further addresses (see ws_event_lane_runs) */
    uint32_t active; /* lanes on this path of the warp */
    uint32_t exec;   /* lanes that executed it: active and guard; for branches = active */
    union {
        uint32_t taken;     /* BRANCH; divergent iff 0 < popcount(taken) < popcount(active) */
        uint32_t section;   /* RECONVERGE: warp instructions issued since the divergent branch, both sides; pc = the
                               branch; a section also ends when all lanes of every other side have exited */
        uint32_t barrier;   /* BARRIER: its number in the low 8 bits (16: that of the cluster); above them the number of
                               warps it waits for (0: all of the block); UINT32_MAX for bar.warp.sync, in which only its
                               warp takes part */
        uint32_t addresses; /* MEMORY: index of the 32 lane addresses in the batch, see WS_ADDRESSES */
    };
    uint8_t kind;      /* ws_event_kind */
    uint8_t depth;     /* open divergent sections of the warp (0: converged), including calls and nesting; saturates */
    uint8_t space;     /* MEMORY: ws_space */
    uint8_t texel : 5; /* MEMORY of textures, surfaces, and of instructions whose lanes touch several places (matrices,
                          asynchronous copies): bytes at each address; else 0, and ws_instr.bytes counts */
    uint8_t further : 3; /* MEMORY of textures: number of texels that a lane touches after the first; their addresses,
                            32 for each, follow those of the first. Lanes that touch fewer repeat one */
} ws_event;

/* Memory for results that one sink computes from a batch and later sinks reuse. A zeroed one is empty. */
typedef struct ws_batch_room {
    uint64_t *word; /* [used] of the batch, NULL or with room for `room` */
    size_t used, room;
} ws_batch_room;

/* Events of one block, in order. Events of one warp are in program order. Warps of a block interleave as scheduled: in
 * rising order, each until a barrier, its end, or the end of a fixed slice of instructions. */
typedef struct ws_batch {
    uint64_t block; /* linear index in the grid, x fastest */
    const ws_event *event;
    size_t events;
    const uint64_t *address; /* 32 per memory event, more with `further`. Global, const, texture: device address;
                                shared: offset in the block's shared memory; local: offset in the thread's local memory;
                                param: offset. 0 for lanes not in exec */
    ws_batch_room *room;     /* empty before the first sink; NULL: no room */
} ws_batch;

#define WS_ADDRESSES(batch, ev) ((batch)->address + (size_t)(ev)->addresses * WS_WARP)

/* Returns the number of registers in the launch's instruction table: the highest register number plus one. */
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

/* Returns the bytes at each address of a MEMORY event. */
static inline unsigned ws_event_bytes(const ws_launch *launch, const ws_event *ev)
{
    return ev->texel ? ev->texel : launch->instr[ev->pc].bytes;
}

/* Returns how often a lane of exec executes the instructions of the event. This is their number; 1 for a part of an
 * access with different lanes; 0 for a part with the lanes of earlier parts. */
static inline unsigned ws_event_lane_runs(const ws_event *ev)
{
    return ev->count ? ev->count : !ev->texel || ev->space == WS_SPACE_TEXTURE;
}

/* Register write or shared-memory store with values, for the blocks that a sink sampled. */
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
