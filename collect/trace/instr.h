/* instr.h - decoded instruction: typed facts for counts, models and timing, the same for PTX and SASS.
 *
 * Only the decoders (collect/ptx, collect/sass) read opcode text; `make opcodes` enforces this. */
#ifndef WS_INSTR_H
#define WS_INSTR_H

#include <stdbool.h>
#include <stdint.h>

/* Class under which an instruction is counted. Every instruction has exactly one. */
typedef enum ws_class {
    WS_CLASS_INTEGER,  /* integer and bit arithmetic, integer compares and conversions, mov, cvta, selp */
    WS_CLASS_FLOAT,    /* f16, f32, f64 arithmetic, compares, conversions from or to them; an fma counts as one */
    WS_CLASS_SPECIAL,  /* sin cos lg2 ex2 rcp rsqrt sqrt tanh div on floats */
    WS_CLASS_MEMORY,   /* ld st atom red tex ... of any space */
    WS_CLASS_BRANCH,   /* bra brx call ret, conditional or not */
    WS_CLASS_BARRIER,  /* bar barrier */
    WS_CLASS_EXCHANGE, /* shfl vote match redux activemask: exchange between the lanes of a warp */
    WS_CLASS_OTHER,    /* exit trap fences nanosleep ... */
    WS_CLASSES
} ws_class;

/* State spaces, as resolved by the memory event: a generic address has the space of its window. */
typedef enum ws_space {
    WS_SPACE_NONE,
    WS_SPACE_GENERIC, /* only in the static table, never in an event */
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
    WS_ACCESS_REDUCE  /* does not return it */
} ws_access;

enum { WS_INSTR_DST = 8, WS_INSTR_SRC = 12 };
/* Instruction set. The engine runs PTX; SASS comes from traces of GPUs. Such traces lack guard predicates: an event's
 * exec mask is known, but `active` comes from the masks of a warp's instructions, and guarded branches are unknown.
 * They also lack constant and parameter operands, addresses of texture fetches, local memory of a thread, and values.
 * Metrics that depend on these are NaN for SASS launches. Traces of tracers without a version number (SPARSE) also lack
 * instructions that no lane of a warp executed, including branches that no lane took. */
typedef enum ws_isa { WS_ISA_PTX, WS_ISA_SASS_SPARSE, WS_ISA_SASS, WS_ISAS } ws_isa;

static inline bool ws_isa_is_sass(uint8_t isa)
{
    return isa == WS_ISA_SASS || isa == WS_ISA_SASS_SPARSE;
}

/* ---- facts independent of the instruction set; decoded once, by collect/ptx and collect/sass */

/* Memory ordering of an access (PTX ISA, "Memory Consistency Model"). SASS: STRONG reads as RELAXED. */
typedef enum ws_order {
    WS_ORDER_NONE, /* not given: as WEAK for accesses, SC for membar */
    WS_ORDER_WEAK,
    WS_ORDER_VOLATILE,
    WS_ORDER_RELAXED,
    WS_ORDER_ACQUIRE,
    WS_ORDER_RELEASE,
    WS_ORDER_ACQ_REL,
    WS_ORDER_SC,
    WS_ORDER_MMIO,
    WS_ORDERS
} ws_order;

/* Scope of the ordering. */
typedef enum ws_scope { WS_SCOPE_NONE, WS_SCOPE_CTA, WS_SCOPE_CLUSTER, WS_SCOPE_GPU, WS_SCOPE_SYS, WS_SCOPES } ws_scope;

/* Operation of an atomic or a reduction. */
typedef enum ws_atomic {
    WS_ATOMIC_NONE,
    WS_ATOMIC_ADD,
    WS_ATOMIC_INC,
    WS_ATOMIC_DEC,
    WS_ATOMIC_EXCH,
    WS_ATOMIC_CAS,
    WS_ATOMIC_MIN,
    WS_ATOMIC_MAX,
    WS_ATOMIC_AND,
    WS_ATOMIC_OR,
    WS_ATOMIC_XOR,
    WS_ATOMICS
} ws_atomic;

/* Type of the operands: DOUBLE if any is a 64-bit float, HALF if any is a 16-bit float, SINGLE for other floating-point
 * types. */
typedef enum ws_number { WS_NUMBER_INTEGER, WS_NUMBER_HALF, WS_NUMBER_SINGLE, WS_NUMBER_DOUBLE, WS_NUMBERS } ws_number;

/* Functional unit of an SM that executes the instruction. */
typedef enum ws_unit {
    WS_UNIT_SP,
    WS_UNIT_INT,
    WS_UNIT_DP,
    WS_UNIT_SFU,
    WS_UNIT_MEMORY,
    WS_UNIT_NONE,   /* barriers, exit, fences: no unit is occupied */
    WS_UNIT_TENSOR, /* matrix products, on machines with tensor units; not named by instructions (see WS_WORK_MATRIX) */
    WS_UNITS
} ws_unit;

/* Kind of operation, which determines the latency together with unit and number. Kinds as in GPGPU-Sim 4
 * (ptx_instruction::set_opcode_and_latency, cuda-sim.cc, 2023). Instructions that GPGPU-Sim leaves at one cycle have
 * the kind of a similar operation. */
typedef enum ws_work {
    WS_WORK_ADD,
    WS_WORK_MAX,
    WS_WORK_MUL,
    WS_WORK_MAD,    /* class FLOAT: a fused multiply-add */
    WS_WORK_MATRIX, /* a product of matrices */
    WS_WORK_DIV,
    WS_WORK_SPECIAL,
    WS_WORK_EXCHANGE,
    WS_WORK_NOTHING,
    WS_WORK_CONVERT, /* between types of numbers, at least one of them floating-point */
    WS_WORK_SHIFT,   /* bit shifts */
    WS_WORKS
} ws_work;

/* Static facts of one instruction. Register numbers are unique in the launch's table and name 32-lane registers as
 * allocated; a 64-bit register has one number. Predicates have separate numbers in the same numbering. */
typedef struct ws_instr {
    const char *opcode;    /* as written, with modifiers: "ld.global.f32"; owned by the table's owner */
    uint32_t line, column; /* in the text; SASS: line of the source, 0 if not known, and offset in the function */
    uint32_t reconverge;   /* branches: pc of the immediate post-dominator, UINT32_MAX for the function's end */
    uint8_t cls;           /* ws_class */
    uint8_t space;         /* ws_space as written */
    uint8_t access;        /* ws_access */
    uint8_t bytes;   /* memory: bytes accessed per lane, all vector elements together; 0 for textures and surfaces */
    uint8_t guarded; /* 1 if the instruction has a guard predicate */
    uint8_t conditional;  /* branches: 1 if lanes may diverge here (guarded bra, brx, indirect call, guarded ret) */
    uint8_t order, scope; /* ws_order, ws_scope: of accesses, fences and barriers */
    uint8_t atomic;       /* ws_atomic; `number` and `is_signed` give the operand type */
    uint8_t number;       /* ws_number */
    uint8_t unit, work;   /* ws_unit, ws_work */
    bool is_signed;       /* signed integers */
    bool uncached;        /* a load that bypasses the L1: .cg, .cv */
    bool fence;           /* waits for the previous accesses of its lanes */
    bool arrival;         /* barriers: the warp arrives and does not wait */
    bool surface;         /* TEXTURE that can also be written */
    bool copy; /* between two spaces, without registers: its events are loads of one and stores to the other */
    uint8_t dsts, srcs;
    uint16_t dst[WS_INSTR_DST], src[WS_INSTR_SRC];
} ws_instr;

/* Returns whether a load must bypass copies near the SM, because other warps may write the word while this warp polls
 * it. The warps of a CTA share an L1, so the L1 may serve a load that is ordered only within a CTA. */
static inline bool ws_instr_is_poll(const ws_instr *in)
{
    const bool ordered = in->order == WS_ORDER_RELAXED || in->order == WS_ORDER_ACQUIRE || in->order == WS_ORDER_SC;
    return in->access == WS_ACCESS_LOAD && (in->uncached || in->order == WS_ORDER_VOLATILE ||
                                            in->order == WS_ORDER_MMIO || (ordered && in->scope != WS_SCOPE_CTA));
}

/* Returns the operand type that determines the latency: the type of a single-type unit, else the type that the
 * instruction names. */
static inline ws_number ws_instr_timed_as(const ws_instr *in)
{
    return in->work == WS_WORK_CONVERT ? (ws_number)in->number
           : in->unit == WS_UNIT_INT   ? WS_NUMBER_INTEGER
           : in->unit == WS_UNIT_SP    ? (in->number == WS_NUMBER_HALF ? WS_NUMBER_HALF : WS_NUMBER_SINGLE)
           : in->unit == WS_UNIT_DP    ? WS_NUMBER_DOUBLE
                                       : (ws_number)in->number;
}

static inline bool ws_instr_is_fma(const ws_instr *in)
{
    return in->cls == WS_CLASS_FLOAT && in->work == WS_WORK_MAD;
}

#endif
