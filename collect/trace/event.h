/* event.h - what a warp did: the currency below the frames.
 *
 * One event says that one warp executed one instruction, or a run of consecutive ones that have nothing more to tell
 * than their number (arithmetic, moves). Static facts of an instruction stand once, in the launch's instruction table;
 * an event refers to them by pc. Live engine and trace replay deliver the same events. */
#ifndef WS_EVENT_H
#define WS_EVENT_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an instruction is counted as. Exactly one class an instruction. */
typedef enum ws_class {
    WS_CLASS_INTEGER,  /* integer and bit arithmetic, integer compares and conversions, mov, cvta, selp */
    WS_CLASS_FLOAT,    /* f16, f32, f64 arithmetic, compares, conversions from or to them; an fma is one */
    WS_CLASS_SPECIAL,  /* sin cos lg2 ex2 rcp rsqrt sqrt tanh div on floats */
    WS_CLASS_MEMORY,   /* ld st atom red tex ... of any space */
    WS_CLASS_BRANCH,   /* bra brx call ret, conditional or not */
    WS_CLASS_BARRIER,  /* bar barrier */
    WS_CLASS_EXCHANGE, /* shfl vote match redux activemask: lanes of a warp talk */
    WS_CLASS_OTHER,    /* exit trap fences nanosleep ... */
    WS_CLASSES
} ws_class;

/* State spaces, as the memory event resolved them (generic addresses are classed by the window they fall in). */
typedef enum ws_space {
    WS_SPACE_NONE,
    WS_SPACE_GENERIC, /* static table only; never in an event */
    WS_SPACE_GLOBAL,
    WS_SPACE_SHARED,
    WS_SPACE_LOCAL,
    WS_SPACE_CONST,
    WS_SPACE_PARAM,
    WS_SPACE_TEXTURE,
    WS_SPACES
} ws_space;

typedef enum ws_access {
    WS_ACCESS_NONE,
    WS_ACCESS_LOAD,
    WS_ACCESS_STORE,
    WS_ACCESS_ATOMIC, /* returns the old value */
    WS_ACCESS_REDUCE  /* does not */
} ws_access;

enum { WS_INSTR_DST = 8, WS_INSTR_SRC = 12 };
enum { WS_EVENT_ADDRESSES = 8 }; /* groups of 32 that an event has at most */

/* Whose instructions they are. PTX is what the engine runs; SASS comes from traces of GPUs, which do not tell: guard
 * predicates (an event's exec mask is known, `active` comes from the masks of a warp's instructions), so neither which
 * branches have one; constant and parameter operands, addresses of texture fetches, local memory of a thread, and
 * values. What is defined by these is not a number for such launches. Traces from before tracers had a number (SPARSE)
 * lack what no lane of a warp executed, branches that none took among it. */
typedef enum ws_isa { WS_ISA_PTX, WS_ISA_SASS_SPARSE, WS_ISA_SASS, WS_ISAS } ws_isa;

static inline bool ws_isa_is_sass(uint8_t isa)
{
    return isa == WS_ISA_SASS || isa == WS_ISA_SASS_SPARSE;
}

/* Static facts of one instruction. Register numbers are unique in the launch's table and name 32-lane registers as
 * allocated (a 64-bit register has one number); predicates have numbers of their own in the same numbering. */
typedef struct ws_instr {
    const char *opcode; /* as written, with modifiers: "ld.global.f32"; owned by the table's owner */
    uint32_t line, column; /* in the text; SASS: line of the source, 0 when not known, and offset in the function */
    uint32_t reconverge; /* branches: pc of the immediate post-dominator, UINT32_MAX for the function's end */
    uint8_t cls;         /* ws_class */
    uint8_t space;       /* ws_space as written */
    uint8_t access;      /* ws_access */
    uint8_t bytes;       /* memory: bytes a lane accesses, all vector elements together; 0 for textures and surfaces */
    uint8_t guarded;     /* 1 when the instruction has a guard predicate */
    uint8_t conditional; /* branches: 1 when lanes may part here (guarded bra, brx, indirect call, guarded ret) */
    uint8_t dsts, srcs;
    uint16_t dst[WS_INSTR_DST], src[WS_INSTR_SRC];
} ws_instr;

/* What was launched. Owned by who launches; valid while sinks see it. */
typedef struct ws_launch {
    const char *kernel; /* mangled entry name */
    uint64_t sequence;  /* 0-based number of the launch in its process */
    uint32_t grid[3], block[3];
    uint64_t blocks;           /* grid[0] * grid[1] * grid[2] */
    uint32_t threads_per_block, warps_per_block;
    uint32_t registers;        /* 32-bit registers a thread needs: maximum of simultaneously live ones */
    uint32_t shared_bytes;     /* static + dynamic, per block */
    uint32_t local_bytes;      /* per thread */
    uint32_t const_bytes;      /* constant bank: .const variables of the module the kernel refers to + its parameters */
    uint64_t h2d_bytes, d2h_bytes; /* copied since the launch before this one */
    uint8_t isa;               /* ws_isa */
    bool is_child;             /* a kernel launched it: */
    uint64_t parent;           /* ... that of the launch with this sequence number; not kept in traces */
    const ws_instr *instr;     /* [instrs] */
    size_t instrs;
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
        uint32_t taken;    /* BRANCH; divergent iff 0 < popcount(taken) < popcount(active) */
        uint32_t section;  /* RECONVERGE: warp instructions issued since the divergent branch, both sides; pc = the
                              branch; a section also ends when all lanes of every other side have exited */
        uint32_t barrier;  /* BARRIER: its number in the low 8 bits (16: that of the cluster), and above them how many warps it waits for (0: all
                              of the block); UINT32_MAX for bar.warp.sync, which only its warp takes part in */
        uint32_t addresses; /* MEMORY: index of the 32 lane addresses in the batch, see WS_ADDRESSES */
    };
    uint8_t kind;  /* ws_event_kind */
    uint8_t depth; /* open divergent sections of the warp (0: converged), after calls and nesting; saturates */
    uint8_t space; /* MEMORY: ws_space */
    uint8_t texel : 5;   /* MEMORY of textures, surfaces, and of instructions whose lanes touch several places (matrices,
                            asynchronous copies): bytes at each address; else 0, and ws_instr.bytes counts */
    uint8_t further : 3; /* MEMORY of textures: a lane touches so many texels besides the first; their addresses, 32 for
                            each, follow those of the first. Lanes that touch fewer repeat one */
} ws_event;

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
} ws_batch;

#define WS_ADDRESSES(batch, ev) ((batch)->address + (size_t)(ev)->addresses * WS_WARP)

/* Bytes at each address of a MEMORY event. */
static inline unsigned ws_event_bytes(const ws_launch *launch, const ws_event *ev)
{
    return ev->texel ? ev->texel : launch->instr[ev->pc].bytes;
}

/* How often a lane of exec executes the instructions of the event: their number, 1 for a part of an access that has lanes
 * of its own, 0 for one with lanes that the parts before had. */
static inline unsigned ws_event_lane_runs(const ws_event *ev)
{
    return ev->count ? ev->count : !ev->texel || ev->space == WS_SPACE_TEXTURE;
}

/* A register write or a shared-memory store with values, for the blocks a sink sampled. */
typedef struct ws_value {
    uint32_t pc;
    uint16_t warp;
    uint8_t is_shared;  /* 0: register write, 1: shared-memory store (or atomic) */
    uint8_t bytes;      /* per lane: 4 or 8 (registers; predicates are not reported), 1, 2, 4, 8 (shared, per element) */
    uint32_t exec;      /* lanes written */
    uint32_t reg;       /* register number, or 0 */
    const uint64_t *before, *after; /* [32] zero-extended values; shared: memory content before and after */
    const uint64_t *address;        /* [32] shared offsets; NULL for registers */
} ws_value;

#endif
