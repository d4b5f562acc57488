/* module.h - parsed PTX module: the text with names resolved and no decision about execution.
 *
 * The module's arena owns all data, which is immutable after ws_ptx_parse. */
#ifndef WS_PTX_MODULE_H
#define WS_PTX_MODULE_H

#include "base/arena.h"
#include "collect/ptx/module_declared.h"
#include "collect/ptx/words.h"
#include "collect/trace/code.h"
#include "collect/trace/event.h"
#include "collect/trace/origin.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ws_operand_kind {
    WS_OPND_NONE,
    WS_OPND_REG,     /* reg; negate for !p; selector for video and packed forms (.b0 .h1), see below */
    WS_OPND_IMM,     /* imm: 64-bit pattern; is_float gives the written form */
    WS_OPND_SREG,    /* special register: sreg, component */
    WS_OPND_SYMBOL,  /* address of variable or function + offset */
    WS_OPND_ADDRESS, /* [base + offset]: elem[0] is the base (REG, IMM or SYMBOL), offset added; elem[1..] coordinates
                        of tex */
    WS_OPND_VECTOR,  /* {a, b, ...}: elem[0..elems); also lists in call; an element may be NONE for '_' */
    WS_OPND_LABEL,   /* branch target: target = instruction index in the function (== insns for a label at the end) */
    WS_OPND_TARGETS, /* .branchtargets / .calltargets / .callprototype list: index in function->list */
    WS_OPND_SINK     /* '_' */
} ws_operand_kind;

/* Special registers; 64-bit ones and vectors by component. */
typedef enum ws_sreg {
    WS_SREG_NONE,
    WS_SREG_TID,
    WS_SREG_NTID,
    WS_SREG_CTAID,
    WS_SREG_NCTAID, /* component 0..2; 3 reads as 0 */
    WS_SREG_LANEID,
    WS_SREG_WARPID,
    WS_SREG_NWARPID,
    WS_SREG_SMID,
    WS_SREG_NSMID,
    WS_SREG_GRIDID,
    WS_SREG_LANEMASK_EQ,
    WS_SREG_LANEMASK_LE,
    WS_SREG_LANEMASK_LT,
    WS_SREG_LANEMASK_GE,
    WS_SREG_LANEMASK_GT,
    WS_SREG_CLOCK,
    WS_SREG_CLOCK_HI,
    WS_SREG_CLOCK64,
    WS_SREG_PM,     /* pm: component = number */
    WS_SREG_ENVREG, /* component = number */
    WS_SREG_GLOBALTIMER,
    WS_SREG_GLOBALTIMER_LO,
    WS_SREG_GLOBALTIMER_HI,
    WS_SREG_TOTAL_SMEM,
    WS_SREG_DYNAMIC_SMEM,
    WS_SREG_AGGR_SMEM,
    WS_SREG_CLUSTERID,
    WS_SREG_NCLUSTERID,
    WS_SREG_CLUSTER_CTAID,
    WS_SREG_CLUSTER_NCTAID,
    WS_SREG_CLUSTER_CTARANK,
    WS_SREG_CLUSTER_NCTARANK,
    WS_SREG_IS_EXPLICIT_CLUSTER,
    WS_SREG_WARPSZ, /* WARP_SZ */
    WS_SREG_CURRENT_GRAPH_EXEC,
    WS_SREG_RESERVED_SMEM,
    WS_SREG_OTHER /* a register unknown to PTX: the kernel cannot run */
} ws_sreg;

typedef struct ws_operand {
    uint8_t kind;      /* ws_operand_kind */
    uint8_t negate;    /* !p; of a source of vmad also -a */
    uint8_t is_float;  /* IMM: 0 integer, 1 written as 0fXXXXXXXX (imm = the 32 bits), 2 written as double (imm = the 64
                          bits) */
    uint8_t component; /* SREG: x y z w = 0..3 or a number; REG with a selector: 1+0..3 for .b0-.b3, 5..6 for .h0 .h1, 0
                        * none; of vadd2, vadd4 ...: 7 source selector, target holds one hexadecimal digit per lane
                        * (lane 0 lowest), 8 destination mask, target holds one bit per lane; default selectors read 0.
                        * The parser resolves REG of a vector with .x .y .z .w to the element register */
    uint16_t sreg;     /* ws_sreg */
    uint16_t elems;
    uint32_t reg;    /* REG: index in function->reg */
    uint32_t target; /* LABEL, TARGETS */
    uint64_t imm;
    int64_t offset;              /* SYMBOL, ADDRESS; REG: a number that is added, at the register's width */
    const ws_variable *variable; /* SYMBOL; NULL for a function or an unresolved name */
    const ws_function *function; /* SYMBOL */
    const char *name;            /* SYMBOL: as written, also when unresolved */
    struct ws_operand *elem;
    uint32_t line, column;
} ws_operand;

enum { WS_INSN_OPERANDS = 6, WS_INSN_TYPES = 4 };

/* Instruction with its operands in written order, destination first. `call` is normalised. operand[0] is the VECTOR of
 * return variables or registers (possibly empty), [1] the SYMBOL or REG called, [2] the VECTOR of arguments. With 4
 * operands, [3] is TARGETS of an indirect call. Memory operands are ADDRESS. WARP_SZ is an IMM. Operand count and kinds
 * of known opcodes are checked: an instruction without `unsupported` has all operands of its form. */
typedef struct ws_insn {
    uint16_t op; /* ws_op */
    uint8_t types;
    uint8_t type[WS_INSN_TYPES]; /* ws_type, in the order written (cvt.rn.f32.s32: f32, s32) */
    uint8_t vec;                 /* elements: 1, 2, 4, 8 */
    uint8_t space;  /* ws_space; GENERIC when a memory instruction names none; PARAM also for param of calls */
    uint8_t round;  /* ws_round */
    uint8_t cmp;    /* ws_cmp */
    uint8_t half;   /* ws_half */
    uint8_t sub;    /* ws_sub: operation of atom/red, mode of shfl/vote/match/bar, direction of shf ... */
    uint8_t boolop; /* ws_sub AND OR XOR: set/setp with a third operand; bar.red.and/or/popc; redux/mbarrier none */
    uint8_t order;  /* ws_order */
    uint8_t scope;  /* ws_scope */
    bool ftz, sat, satfinite, relu, approx, full, cc, wrap, clamp, nan, xorsign, abs, sync, aligned, shared_cta, noinc,
        noComplete, coherent, shiftamt, parity, uncached;
    bool bulk;               /* cp.async.bulk */
    bool multicast;          /* ... to several blocks of the cluster */
    bool signals;            /* st.async, red.async */
    bool tx;                 /* mbarrier.arrive.expect_tx; .mbarrier::complete_tx::bytes of st and red */
    uint8_t scale;           /* vmad .shr7 .shr15: 7, 15 */
    bool plus_one;           /* vmad .po */
    const ws_operand *guard; /* predicate register with negate, or NULL */
    uint8_t operands;
    ws_operand operand[WS_INSN_OPERANDS];
    ws_operand second;       /* q of p|q in setp, shfl, match; kind NONE when absent */
    const char *text;        /* opcode with modifiers as written: "ld.global.nc.f32" */
    const char *unsupported; /* NULL, or the reason why this instruction cannot run ("unknown modifier .foo") */
    const char *statement;   /* whole statement as written, with runs of blanks reduced to one */
    uint32_t place;          /* in function->place; 0: unknown */
    uint32_t line, column;
} ws_insn;

typedef struct ws_reg {
    const char *name; /* "%r12" */
    uint8_t type;     /* ws_type */
} ws_reg;

/* Relocation: address of a symbol in initialised data. */
typedef struct ws_reloc {
    uint64_t offset;
    const char *name;
    int64_t addend;
    uint8_t bytes; /* 4 or 8 */
    bool generic;  /* generic(sym): address in the generic window */
    uint8_t shift; /* mask() forms: right shift in bits, then truncated to bytes */
} ws_reloc;

/* Sampling mode in a .samplerref initialiser. */
typedef struct ws_sampler_init {
    uint8_t edge[3]; /* 0 wrap, 1 clamp_to_edge, 2 mirror, 3 clamp_to_border, 4 clamp_ogl */
    bool linear, unnormalized;
} ws_sampler_init;

struct ws_variable {
    const char *name;
    const char *file; /* file name for messages, at module scope; else NULL */
    uint8_t space;    /* ws_space: GLOBAL CONST SHARED LOCAL PARAM; TEXTURE for .tex / .texref globals */
    uint8_t type;     /* element type */
    uint8_t vec;      /* .v2 .v4, else 1 */
    bool is_extern, is_visible, is_weak, is_common;
    bool unsized; /* "extern .shared x[]": dynamic shared memory */
    bool pointer; /* parameter with .ptr */
    uint8_t pointer_space;
    uint32_t align;                 /* bytes */
    uint64_t size;                  /* bytes */
    uint64_t offset;                /* kernel and function parameters: offset in the parameter block; else 0 */
    const ws_sampler_init *sampler; /* samplers with an initialiser, else NULL */
    const uint8_t *init;            /* [size] or NULL for zeros */
    const ws_reloc *reloc;
    uint32_t relocs;
    uint32_t line, column;
    uint32_t index;           /* position in the module's or function's variable array */
    const ws_function *owner; /* function whose body declares it; NULL at module scope */
};

/* .branchtargets: labels; .calltargets: functions; .callprototype: shape of an indirect call */
typedef struct ws_list {
    uint8_t kind; /* 0 branch targets, 1 call targets, 2 prototype */
    uint32_t n;
    const uint32_t *target;             /* instruction indices */
    const ws_function *const *function; /* NULL entries when unresolved */
    const ws_variable *ret, *param;     /* prototype */
    uint32_t rets, params;
} ws_list;

struct ws_function {
    const char *name;
    const char *file; /* file name for messages */
    bool is_entry, is_extern, is_visible, is_weak, has_body;
    uint32_t line, column;
    const ws_variable *param, *ret; /* formal parameters and return values (space PARAM, or REG-typed in old PTX) */
    uint32_t params, rets;
    uint32_t param_bytes; /* kernel: size of the parameter block */
    const uint32_t *param_reg,
        *ret_reg; /* old style .reg parameters of functions: register index, UINT32_MAX otherwise */
    const ws_variable
        *var; /* .local .shared .param declared in the body, with unique names; the module holds .global and .const */
    uint32_t vars;
    const ws_reg *reg;
    uint32_t regs;
    const ws_insn *insn;
    uint32_t insns;
    const ws_list *list;
    uint32_t lists;
    const ws_place *place; /* from .loc; the first entry is the unknown place */
    uint32_t places;
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg; /* 0 when not given */
    uint32_t cluster[3];                                    /* .reqnctapercluster; 0 when not given */
    uint32_t max_cluster;                                   /* .maxclusterrank; 0 when not given */
    bool explicit_cluster, blocks_are_clusters;
    uint32_t index; /* in module->function */
};

struct ws_module {
    const char *file; /* name for messages; in a linked module each function and variable has a separate file name */
    uint32_t version_major, version_minor;
    const char *target;    /* such as "sm_70" */
    uint32_t address_bits; /* 32 or 64 */
    const ws_function *const
        *function; /* pointers remain valid; declarations and definitions of one name are one entry */
    uint32_t functions;
    const ws_variable *const *var; /* module scope */
    uint32_t vars;
    const ws_function *const *function_by_name; /* [functions] sorted, for ws_module_function */
    const ws_variable *const *var_by_name;      /* [vars] */
    const char *const *source_file;             /* .file table by number, NULL for gaps; empty in linked modules */
    uint32_t source_files;
    ws_arena *arena;
};

/* Returns the class under which an instruction is counted; its types decide between integer and float. */
ws_class ws_ptx_class(const ws_insn *insn);

/* Set order, scope, atomic, number, unit, work and flags of *out from an instruction. The class in *out must be set;
 * other members stay unchanged. The second function takes the opcode with modifiers as text, as in old trace files;
 * text that does not parse is handled by its class. */
void ws_ptx_facts(const ws_insn *insn, ws_instr *out);
void ws_ptx_facts_of_text(const char *opcode, ws_instr *out);

/* Returns the operands of these functions, the first a kernel, whose instructions are consecutive in a launch's table.
 * Allocated in the arena. WS_EMEM. */
int ws_ptx_code(const ws_function *const *function, size_t functions, ws_arena *arena, ws_code **out);

/* Returns the source locations and text of the same table's instructions. The modules keep ownership of texts and
 * names. WS_EMEM. */
int ws_ptx_origin(const ws_function *const *function, size_t functions, ws_arena *arena, ws_origin **out);

/* Parses an opcode with modifiers, without operands, into *out, which is zeroed first. */
void ws_ptx_form_of_text(const char *opcode, ws_insn *out);

/* Returns the number of leading operands that the instruction writes (0 or 1; including bar.red and the .async forms).
 */
unsigned ws_ptx_dsts(const ws_insn *insn);

#endif
