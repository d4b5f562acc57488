/* instr.h - an instruction as whoever counts, models or times it sees it: typed facts, the same for PTX and SASS. No
 * opcode text is looked at outside the decoders (collect/ptx, collect/sass; `make opcodes` sees to that). */
#ifndef WS_INSTR_H
#define WS_INSTR_H

#include <stdbool.h>
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

/* ---- what an instruction is, whatever its instruction set; decoded once, by collect/ptx and collect/sass */

/* What an access promises about others' (PTX ISA, "Memory Consistency Model"). SASS: STRONG reads as RELAXED. */
typedef enum ws_order {
    WS_ORDER_NONE, /* not written: as WEAK for accesses, SC for membar */
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

/* Among whom the order holds. */
typedef enum ws_scope { WS_SCOPE_NONE, WS_SCOPE_CTA, WS_SCOPE_CLUSTER, WS_SCOPE_GPU, WS_SCOPE_SYS, WS_SCOPES } ws_scope;

/* What an atomic or a reduction does to memory. */
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

/* The numbers that it works on: DOUBLE when it names any of 64 bits, HALF any of 16, SINGLE another of floating point.
 */
typedef enum ws_number { WS_NUMBER_INTEGER, WS_NUMBER_HALF, WS_NUMBER_SINGLE, WS_NUMBER_DOUBLE, WS_NUMBERS } ws_number;

/* The unit of an SM that it keeps busy. */
typedef enum ws_unit {
    WS_UNIT_SP,
    WS_UNIT_INT,
    WS_UNIT_DP,
    WS_UNIT_SFU,
    WS_UNIT_MEMORY,
    WS_UNIT_NONE,   /* barriers, exit, fences: no unit is kept busy */
    WS_UNIT_TENSOR, /* products of matrices, on machines that have such units; no instruction names it (WS_WORK_MATRIX
                       does) */
    WS_UNITS
} ws_unit;

/* The kind of work, which with unit and number says for how long. Kinds as in GPGPU-Sim 4 (ptx_instruction::
 * set_opcode_and_latency, cuda-sim.cc, 2023); what that leaves at one cycle has the kind of what it resembles. */
typedef enum ws_work {
    WS_WORK_ADD,
    WS_WORK_MAX,
    WS_WORK_MUL,
    WS_WORK_MAD,    /* of class FLOAT: a fused multiply-add */
    WS_WORK_MATRIX, /* a product of matrices */
    WS_WORK_DIV,
    WS_WORK_SPECIAL,
    WS_WORK_EXCHANGE,
    WS_WORK_NOTHING,
    WS_WORK_CONVERT, /* from one sort of numbers to another, floating point among them */
    WS_WORK_SHIFT,   /* of bits */
    WS_WORKS
} ws_work;

/* Static facts of one instruction. Register numbers are unique in the launch's table and name 32-lane registers as
 * allocated (a 64-bit register has one number); predicates have numbers of their own in the same numbering. */
typedef struct ws_instr {
    const char *opcode;    /* as written, with modifiers: "ld.global.f32"; owned by the table's owner */
    uint32_t line, column; /* in the text; SASS: line of the source, 0 when not known, and offset in the function */
    uint32_t reconverge;   /* branches: pc of the immediate post-dominator, UINT32_MAX for the function's end */
    uint8_t cls;           /* ws_class */
    uint8_t space;         /* ws_space as written */
    uint8_t access;        /* ws_access */
    uint8_t bytes;        /* memory: bytes a lane accesses, all vector elements together; 0 for textures and surfaces */
    uint8_t guarded;      /* 1 when the instruction has a guard predicate */
    uint8_t conditional;  /* branches: 1 when lanes may part here (guarded bra, brx, indirect call, guarded ret) */
    uint8_t order, scope; /* ws_order, ws_scope: of accesses, fences and barriers */
    uint8_t atomic;       /* ws_atomic; `number` and `is_signed` say of what */
    uint8_t number;       /* ws_number */
    uint8_t unit, work;   /* ws_unit, ws_work */
    bool is_signed;       /* integers with a sign */
    bool uncached;        /* a load that is to look beyond the L1: .cg, .cv */
    bool fence;           /* waits for the accesses of its lanes so far */
    bool arrival;         /* barriers: says that the warp is there, and goes on */
    bool surface;         /* TEXTURE that is written, too */
    bool copy; /* from one space to another, past the registers: its events are loads of one and stores to the other */
    uint8_t dsts, srcs;
    uint16_t dst[WS_INSTR_DST], src[WS_INSTR_SRC];
} ws_instr;

/* A load that no copy near the SM may serve: others may write the word while the warp looks at it. The warps of a CTA
 * share an L1, so what is ordered within a CTA only may be served there. */
static inline bool ws_instr_is_poll(const ws_instr *in)
{
    const bool ordered = in->order == WS_ORDER_RELAXED || in->order == WS_ORDER_ACQUIRE || in->order == WS_ORDER_SC;
    return in->access == WS_ACCESS_LOAD && (in->uncached || in->order == WS_ORDER_VOLATILE ||
                                            in->order == WS_ORDER_MMIO || (ordered && in->scope != WS_SCOPE_CTA));
}

/* The numbers that its time hangs on: a unit for one sort of numbers says which, others work on what the instruction
 * names. */
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
