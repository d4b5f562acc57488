/* words.h - meaning of opcode words: types, operations and modifiers. Independent of modules, so that lane arithmetic,
 * which compiles slowly, depends on this header alone. */
#ifndef WS_PTX_WORDS_H
#define WS_PTX_WORDS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ws_type {
    WS_T_NONE,
#define TYPE(name, bits, kind) WS_T_##name,
#include "collect/ptx/type.def"
#undef TYPE
    WS_TYPES
} ws_type;

typedef enum ws_type_kind {
    WS_KIND_NONE,
    WS_KIND_PRED,
    WS_KIND_BITS,
    WS_KIND_UINT,
    WS_KIND_SINT,
    WS_KIND_FLOAT,
    WS_KIND_OPAQUE
} ws_type_kind;

unsigned ws_type_bits(ws_type type);
ws_type_kind ws_type_kind_of(ws_type type);
const char *ws_type_name(ws_type type);

typedef enum ws_op {
    WS_OP_UNKNOWN, /* a mnemonic missing from opcode.def; it parses but cannot run */
#define OP(name, class, unit, work, dst, operands, sass, modifiers) WS_OP_##name,
#include "collect/ptx/opcode.def"
#undef OP
    WS_OPS
} ws_op;

/* Returns the number of parts of a word that a video instruction works on: 1, 2 or 4; 0 for other instructions. */
unsigned ws_op_video_parts(ws_op op);

/* Modifiers: one enum per group, in which 0 means "not written". */
typedef enum ws_round {
    WS_RND_DEFAULT,
    WS_RND_RN,
    WS_RND_RZ,
    WS_RND_RM,
    WS_RND_RP,
    WS_RND_RNA,
    WS_RND_RNI,
    WS_RND_RZI,
    WS_RND_RMI,
    WS_RND_RPI
} ws_round;
typedef enum ws_cmp {
    WS_CMP_NONE,
    WS_CMP_EQ,
    WS_CMP_NE,
    WS_CMP_LT,
    WS_CMP_LE,
    WS_CMP_GT,
    WS_CMP_GE,
    WS_CMP_LO,
    WS_CMP_LS,
    WS_CMP_HI,
    WS_CMP_HS, /* unsigned forms of lt le gt ge */
    WS_CMP_EQU,
    WS_CMP_NEU,
    WS_CMP_LTU,
    WS_CMP_LEU,
    WS_CMP_GTU,
    WS_CMP_GEU,
    WS_CMP_NUM,
    WS_CMP_NAN
} ws_cmp;
typedef enum ws_half {
    WS_HALF_NONE,
    WS_HALF_LO,
    WS_HALF_HI,
    WS_HALF_WIDE
} ws_half; /* mul, mad .lo .hi .wide; also read by set/setp's parser as comparisons */
/* Named sub-operations of every kind: boolean operators of set/setp/red/atom/bar.red, shuffles, votes ... */
typedef enum ws_sub {
    WS_SUB_NONE,
    WS_SUB_AND,
    WS_SUB_OR,
    WS_SUB_XOR,
    WS_SUB_ADD,
    WS_SUB_MIN,
    WS_SUB_MAX,
    WS_SUB_INC,
    WS_SUB_DEC,
    WS_SUB_CAS,
    WS_SUB_EXCH,
    WS_SUB_POPC,
    WS_SUB_UP,
    WS_SUB_DOWN,
    WS_SUB_BFLY,
    WS_SUB_IDX, /* shfl; idx also brx */
    WS_SUB_ALL,
    WS_SUB_ANY,
    WS_SUB_UNI,
    WS_SUB_BALLOT, /* vote; all/any also match */
    WS_SUB_SYNC,
    WS_SUB_ARRIVE,
    WS_SUB_RED,
    WS_SUB_WARP, /* bar, barrier (bar.warp.sync is WARP) */
    WS_SUB_SHIFT_L,
    WS_SUB_SHIFT_R, /* shf.l shf.r */
    WS_SUB_TO,      /* cvta.to */
    WS_SUB_F4E,
    WS_SUB_B4E,
    WS_SUB_RC8,
    WS_SUB_ECL,
    WS_SUB_ECR,
    WS_SUB_RC16, /* prmt modes */
    WS_SUB_FINITE,
    WS_SUB_INFINITE,
    WS_SUB_NUMBER,
    WS_SUB_NOTANUMBER,
    WS_SUB_NORMAL,
    WS_SUB_SUBNORMAL, /* testp */
    WS_SUB_ASYNC_CA,
    WS_SUB_ASYNC_CG,
    WS_SUB_ASYNC_COMMIT,
    WS_SUB_ASYNC_WAIT_GROUP,
    WS_SUB_ASYNC_WAIT_ALL,
    WS_SUB_ASYNC_MBARRIER, /* cp.async... */
    WS_SUB_ASYNC_BULK_TX,
    WS_SUB_ASYNC_BULK_GROUP,
    WS_SUB_ASYNC_PREFETCH, /* cp.async.bulk by its completion, and its prefetch */
    WS_SUB_INIT,
    WS_SUB_INVAL,
    WS_SUB_TEST_WAIT,
    WS_SUB_TRY_WAIT,
    WS_SUB_EXPECT_TX,
    WS_SUB_ARRIVE_DROP,
    WS_SUB_PENDING_COUNT,
    WS_SUB_COMPLETE_TX, /* mbarrier */
    WS_SUB_WAIT,        /* barrier.cluster.wait */
    WS_SUB_PACK         /* cvt.pack */
} ws_sub;

typedef struct ws_insn ws_insn; /* collect/ptx/module.h */

#endif
