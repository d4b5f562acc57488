/* lanes_internal.h - catalogue of the lane functions of one instruction-set level.
 *
 * Every level has the same tables of (key, function). A key encodes the instruction properties that select a function:
 * opcode, up to three types, rounding, comparison, modifiers. lanes.c computes the key of a ws_insn and looks it up. */
#ifndef WS_LANES_INTERNAL_H
#define WS_LANES_INTERNAL_H

#include "collect/simt/lanes.h"

typedef struct ws_lanes_entry {
    uint64_t key;
    ws_lanes_fn *fn;
} ws_lanes_entry;

typedef struct ws_lanes_table {
    const ws_lanes_entry *entry;
    size_t entries;
} ws_lanes_table;

/* Fields of a key. */
enum {
    WS_KEY_OP = 0, /* 8 bits, ws_op */
    WS_KEY_T0 = 8, /* 6 bits each, ws_type */
    WS_KEY_T1 = 14,
    WS_KEY_T2 = 20,
    WS_KEY_HALF = 26,  /* 2 bits, ws_half */
    WS_KEY_ROUND = 28, /* 4 bits, ws_round */
    WS_KEY_CMP = 32,   /* 5 bits, ws_cmp */
    WS_KEY_SUB = 37,   /* 7 bits, ws_sub */
    WS_KEY_FLAGS = 44
};
_Static_assert(WS_OPS <= 256 && WS_TYPES <= 64 && WS_RND_RPI < 16 && WS_CMP_NAN < 32 && WS_SUB_PACK < 128,
               "a field of the key is too narrow");

#define WS_KEY_FLAG(n)   (UINT64_C(1) << (WS_KEY_FLAGS + (n)))
#define WS_KEY_FTZ       WS_KEY_FLAG(0)
#define WS_KEY_SAT       WS_KEY_FLAG(1)
#define WS_KEY_NAN       WS_KEY_FLAG(2)
#define WS_KEY_XORSIGN   WS_KEY_FLAG(3)
#define WS_KEY_ABS       WS_KEY_FLAG(4)
#define WS_KEY_RELU      WS_KEY_FLAG(5)
#define WS_KEY_SATFINITE WS_KEY_FLAG(6)
#define WS_KEY_APPROX    WS_KEY_FLAG(7)
#define WS_KEY_FULL      WS_KEY_FLAG(8)
#define WS_KEY_CC        WS_KEY_FLAG(9)
#define WS_KEY_WRAP      WS_KEY_FLAG(10)
#define WS_KEY_CLAMP     WS_KEY_FLAG(11)
#define WS_KEY_SHIFTAMT  WS_KEY_FLAG(12)
#define WS_KEY_PACK      WS_KEY_FLAG(13) /* cvt of two sources into one packed destination */
#define WS_KEY_THREE     WS_KEY_FLAG(14) /* min, max of three sources */

#define WS_KEY(op, t0, t1, t2) \
    ((uint64_t)(op) << WS_KEY_OP | (uint64_t)(t0) << WS_KEY_T0 | (uint64_t)(t1) << WS_KEY_T1 | \
     (uint64_t)(t2) << WS_KEY_T2)

/* set uses a comparison of the setp table. Its control word (see ws_lanes_shape) holds the comparison's index in the
 * table, the boolean operation, and the word for true. */
#define WS_LANES_SET_VALUES 0xffffffffu, 0x3f800000u, 0xffffu, 0x3c00u, 0x3f80u
enum { WS_LANES_SET_ONES, WS_LANES_SET_F32, WS_LANES_SET_HALF_ONES, WS_LANES_SET_F16, WS_LANES_SET_BF16 };
#define WS_LANES_SET_CONTROL(compare, boolop, value) \
    ((uint64_t)(compare) | (uint64_t)(boolop) << 16 | (uint64_t)(value) << 24)
#define WS_LANES_SET_COMPARE(control) ((control)&0xffffu)
#define WS_LANES_SET_BOOLOP(control)  (((control) >> 16) & 0xffu)
#define WS_LANES_SET_VALUE(control)   (((control) >> 24) & 0xffu)

/* Video instructions have one function per opcode; the control word holds all variants. */
enum {
    WS_VIDEO_A = 0, /* selectors of the sources: scalar 0 none, 1-4 byte, 5-6 half; packed one nibble per lane */
    WS_VIDEO_B = 16,
    WS_VIDEO_D = 32,        /* scalar: selector of the destination; packed: lanes to write */
    WS_VIDEO_D_SIGNED = 36, /* types */
    WS_VIDEO_A_SIGNED = 37,
    WS_VIDEO_B_SIGNED = 38,
    WS_VIDEO_SAT = 39,
    WS_VIDEO_SECOND = 40,    /* 2 bits: 0 none, 1 add, 2 min, 3 max */
    WS_VIDEO_CMP = 42,       /* 3 bits, ws_cmp from eq to ge */
    WS_VIDEO_CLAMP = 45,     /* shifts: amounts above 32 become 32; else they wrap */
    WS_VIDEO_NEGATE_AB = 46, /* vmad */
    WS_VIDEO_NEGATE_C = 47,
    WS_VIDEO_PLUS_ONE = 48,
    WS_VIDEO_SCALE = 49 /* 4 bits: right shift */
};

/* Tables exported by an instruction-set level. */
#define WS_LANES_FILES(X) \
    X(int) X(bits) X(float) X(round) X(compare) X(set) X(cvtint) X(cvtfloat) X(half) X(pair) X(special) X(video)

/* Calls M( file, op ) for each of up to six files. */
#define LANES_FILES_1(M, op, file)               M(file, op)
#define LANES_FILES_2(M, op, file, ...)          M(file, op) LANES_FILES_1(M, op, __VA_ARGS__)
#define LANES_FILES_3(M, op, file, ...)          M(file, op) LANES_FILES_2(M, op, __VA_ARGS__)
#define LANES_FILES_4(M, op, file, ...)          M(file, op) LANES_FILES_3(M, op, __VA_ARGS__)
#define LANES_FILES_5(M, op, file, ...)          M(file, op) LANES_FILES_4(M, op, __VA_ARGS__)
#define LANES_FILES_6(M, op, file, ...)          M(file, op) LANES_FILES_5(M, op, __VA_ARGS__)
#define LANES_FILES_OF(a, b, c, d, e, f, n, ...) LANES_FILES_##n
#define LANES_EACH_FILE(M, op, ...)              LANES_FILES_OF(__VA_ARGS__, 6, 5, 4, 3, 2, 1, )(M, op, __VA_ARGS__)

#define WS_LANES_PASTE2(level, name)             ws_lanes_##level##_##name
#define WS_LANES_PASTE(level, name)              WS_LANES_PASTE2(level, name)

#define WS_LANES_DECLARE(level, name)            extern const ws_lanes_table WS_LANES_PASTE(level, name);
#define WS_LANES_DECLARE_PLAIN(name)             WS_LANES_DECLARE(plain, name)
WS_LANES_FILES(WS_LANES_DECLARE_PLAIN)
#ifdef __x86_64__
#define WS_LANES_DECLARE_AVX2(name)   WS_LANES_DECLARE(avx2, name)
#define WS_LANES_DECLARE_AVX512(name) WS_LANES_DECLARE(avx512, name)
WS_LANES_FILES(WS_LANES_DECLARE_AVX2)
WS_LANES_FILES(WS_LANES_DECLARE_AVX512)
#endif

#endif
