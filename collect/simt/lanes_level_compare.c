/* lanes_level_compare.c - comparisons of 32 lanes into a predicate word: setp, set, testp. */
/* clang-format off */
#include "collect/simt/lanes_loop_internal.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* Vectors of the level's own width: a comparison of two gives 0 or -1 in each element, and the sign bits of the
 * elements come out of one instruction. */
#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif
typedef uint32_t vector_u32 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef int32_t vector_s32 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef uint64_t vector_u64 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef int64_t vector_s64 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef float vector_f32 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef double vector_f64 __attribute__((vector_size(VECTOR_BYTES), may_alias));

#if defined(__AVX512F__)
#define SIGNS32(v) ((uint32_t)_mm512_movepi32_mask((__m512i)(v)))
#define SIGNS64(v) ((uint32_t)_mm512_movepi64_mask((__m512i)(v)))
#elif defined(__AVX2__)
#define SIGNS32(v) ((uint32_t)_mm256_movemask_ps((__m256)(v)))
#define SIGNS64(v) ((uint32_t)_mm256_movemask_pd((__m256d)(v)))
#elif defined(__SSE2__)
#define SIGNS32(v) ((uint32_t)_mm_movemask_ps((__m128)(v)))
#define SIGNS64(v) ((uint32_t)_mm_movemask_pd((__m128d)(v)))
#else
#define SIGNS32(v) ((uint32_t)((v)[0] & 1) | (uint32_t)((v)[1] & 2) | (uint32_t)((v)[2] & 4) | (uint32_t)((v)[3] & 8))
#define SIGNS64(v) ((uint32_t)((v)[0] & 1) | (uint32_t)((v)[1] & 2))
#endif

/* Loads vector k of a register as the type is compared. */
#define LOAD_u32(p, k) (((const vector_u32 *)(p))[k])
#define LOAD_s32(p, k) (((const vector_s32 *)(p))[k])
#define LOAD_u64(p, k) (((const vector_u64 *)(p))[k])
#define LOAD_s64(p, k) (((const vector_s64 *)(p))[k])
#define LOAD_f32(p, k) (((const vector_f32 *)(p))[k])
#define LOAD_f64(p, k) (((const vector_f64 *)(p))[k])
#define LOAD_s16(p, k) ((vector_s32)(LOAD_u32(p, k) << 16) >> 16)
#define LOAD_ftz(p, k) flushed(LOAD_u32(p, k))
#define WIDTH_u32 32
#define WIDTH_s32 32
#define WIDTH_s16 32
#define WIDTH_f32 32
#define WIDTH_ftz 32
#define WIDTH_u64 64
#define WIDTH_s64 64
#define WIDTH_f64 64
#define MASK_32 vector_s32
#define MASK_64 vector_s64

static inline vector_f32 flushed(vector_u32 u)
{
    const vector_u32 tiny = (vector_u32)((u & 0x7fffffffu) < 0x00800000u);
    return (vector_f32)(u & (~tiny | 0x80000000u));
}

#define COMPARE_PASTE(a, b) a##b
#define COMPARE_MASK(width) COMPARE_PASTE(MASK_, width)
#define COMPARE_SIGNS(width) COMPARE_PASTE(SIGNS, width)

#define COMPARE(name, T, expr) \
    static void name(LANES_ARGUMENTS) \
    { \
        LANES_UNUSED; \
        enum { PER_VECTOR = VECTOR_BYTES * 8 / WIDTH_##T }; \
        uint32_t bits = 0; \
        for (int k = 0; k < WS_WARP / PER_VECTOR; k++) { \
            const __auto_type x = LOAD_##T(ap, k); \
            const __auto_type y = LOAD_##T(bp, k); \
            const COMPARE_MASK(WIDTH_##T) r = (COMPARE_MASK(WIDTH_##T))(expr); \
            bits |= COMPARE_SIGNS(WIDTH_##T)(r) << (k * PER_VECTOR); \
        } \
        put_bits(dp, bits, m); \
    }

/* Half precision is widened first, by one function for all comparisons of a type. */
#define WIDEN(type) \
    static __attribute__((noinline)) void widen_##type(float *x, const void *ap) \
    { \
        LANES_IN(REG_##type, a, ap); \
        LANES_FOR x[i] = get_##type(a[i]); \
    }
#define COMPARE_HALF(name, type, wide) \
    static void name(LANES_ARGUMENTS) \
    { \
        _Alignas(64) float x[WS_WARP], y[WS_WARP]; \
        widen_##type(x, ap); \
        widen_##type(y, bp); \
        wide(dp, x, y, cp, ep, m); \
    }

/*  comparison  expression; on floats, gt/lt/.. are false and the ..u forms true when an operand is NaN */
#define ORDERED(X, T) \
    X(EQ, T, x == y) X(LT, T, x < y) X(LE, T, x <= y) \
    X(GT, T, x > y) X(GE, T, x >= y)
#define INTEGER_CMPS(X, T) ORDERED(X, T) X(NE, T, x != y)
#define FLOAT_CMPS(X, T) \
    ORDERED(X, T) X(NE, T, ~((x == y) | (x != x) | (y != y))) X(EQU, T, (x == y) | (x != x) | (y != y)) \
    X(NEU, T, x != y) X(LTU, T, ~(x >= y)) X(LEU, T, ~(x > y)) X(GTU, T, ~(x <= y)) \
    X(GEU, T, ~(x < y)) X(NUM, T, (x == x) & (y == y)) X(NAN, T, (x != x) | (y != y))

#define DEFINE(cmp, T, expr) COMPARE(setp_##cmp##_##T, T, expr)
INTEGER_CMPS(DEFINE, u32)
INTEGER_CMPS(DEFINE, u64)
ORDERED(DEFINE, s16)
ORDERED(DEFINE, s32)
ORDERED(DEFINE, s64)
FLOAT_CMPS(DEFINE, f32)
FLOAT_CMPS(DEFINE, ftz)
FLOAT_CMPS(DEFINE, f64)
#undef DEFINE
WIDEN(f16)
WIDEN(bf16)
#define DEFINE(cmp, T, expr) \
    COMPARE_HALF(setp_##cmp##_f16, f16, setp_##cmp##_f32) \
    COMPARE_HALF(setp_##cmp##_bf16, bf16, setp_##cmp##_f32)
FLOAT_CMPS(DEFINE, f32)
#undef DEFINE

/* f16 with .ftz: its own subnormals count as zero. */
static inline float flushed_f16(uint32_t h)
{
    return f32_of_f16((h & 0x7c00u) ? h : h & 0x8000u);
}
#define REG_f16ftz REG_f16
#define get_f16ftz(r) flushed_f16(r)
WIDEN(f16ftz)
#define DEFINE(cmp, T, expr) COMPARE_HALF(setp_##cmp##_f16ftz, f16ftz, setp_##cmp##_f32)
FLOAT_CMPS(DEFINE, f32)
#undef DEFINE

/* testp: zeros are normal numbers (PTX ISA, testp). */
#define TEST(name, T, expr) \
    static void name(LANES_ARGUMENTS) \
    { \
        LANES_UNUSED; \
        enum { PER_VECTOR = VECTOR_BYTES * 8 / WIDTH_##T }; \
        uint32_t bits = 0; \
        for (int k = 0; k < WS_WARP / PER_VECTOR; k++) { \
            const __auto_type x = LOAD_##T(ap, k) << 1 >> 1; \
            const COMPARE_MASK(WIDTH_##T) r = (COMPARE_MASK(WIDTH_##T))(expr); \
            bits |= COMPARE_SIGNS(WIDTH_##T)(r) << (k * PER_VECTOR); \
        } \
        put_bits(dp, bits, m); \
    }
#define TESTS(X, T, infinity, least) \
    X(FINITE, T, x < infinity) \
    X(INFINITE, T, x == infinity) \
    X(NUMBER, T, x <= infinity) \
    X(NOTANUMBER, T, x > infinity) \
    X(NORMAL, T, ((x >= least) & (x < infinity)) | (x == 0)) \
    X(SUBNORMAL, T, (x < least) & (x != 0))
#define DEFINE(sub, T, expr) TEST(testp_##sub##_##T, T, expr)
TESTS(DEFINE, u32, 0x7f800000u, 0x00800000u)
TESTS(DEFINE, u64, UINT64_C(0x7ff0000000000000), UINT64_C(0x0010000000000000))
#undef DEFINE

#define ROW_CMP(cmp, T, type, mods) ROW(setp, type, KEY_CMP(cmp) | (mods), setp_##cmp##_##T)
#define ROW_U16(cmp, T, expr) ROW_CMP(cmp, T, u16, 0)
#define ROW_S16(cmp, T, expr) ROW_CMP(cmp, T, s16, 0)
#define ROW_U32(cmp, T, expr) ROW_CMP(cmp, T, u32, 0)
#define ROW_S32(cmp, T, expr) ROW_CMP(cmp, T, s32, 0)
#define ROW_U64(cmp, T, expr) ROW_CMP(cmp, T, u64, 0)
#define ROW_S64(cmp, T, expr) ROW_CMP(cmp, T, s64, 0)
#define ROW_F32(cmp, T, expr) ROW_CMP(cmp, T, f32, 0)
#define ROW_FTZ(cmp, T, expr) ROW_CMP(cmp, T, f32, WS_KEY_FTZ)
#define ROW_F64(cmp, T, expr) ROW_CMP(cmp, T, f64, 0)
#define ROW_F16(cmp, T, expr) \
    ROW(setp, f16, KEY_CMP(cmp), setp_##cmp##_f16) \
    ROW(setp, f16, KEY_CMP(cmp) | WS_KEY_FTZ, setp_##cmp##_f16ftz) \
    ROW(setp, bf16, KEY_CMP(cmp), setp_##cmp##_bf16)
#define ROW_TEST32(sub, T, expr) ROW(testp, f32, KEY_SUB(sub), testp_##sub##_##T)
#define ROW_TEST64(sub, T, expr) ROW(testp, f64, KEY_SUB(sub), testp_##sub##_##T)

#define FORMS_setp \
    INTEGER_CMPS(ROW_U16, u32) INTEGER_CMPS(ROW_U32, u32) INTEGER_CMPS(ROW_U64, u64) \
    ORDERED(ROW_S16, s16) ORDERED(ROW_S32, s32) ORDERED(ROW_S64, s64) \
    ROW(setp, b16, KEY_CMP(EQ), setp_EQ_u32) ROW(setp, b16, KEY_CMP(NE), setp_NE_u32) \
    ROW(setp, s16, KEY_CMP(NE), setp_NE_u32) \
    ROW(setp, b32, KEY_CMP(EQ), setp_EQ_u32) ROW(setp, b32, KEY_CMP(NE), setp_NE_u32) \
    ROW(setp, s32, KEY_CMP(NE), setp_NE_u32) \
    ROW(setp, b64, KEY_CMP(EQ), setp_EQ_u64) ROW(setp, b64, KEY_CMP(NE), setp_NE_u64) \
    ROW(setp, s64, KEY_CMP(NE), setp_NE_u64) \
    FLOAT_CMPS(ROW_F32, f32) FLOAT_CMPS(ROW_FTZ, ftz) FLOAT_CMPS(ROW_F64, f64) FLOAT_CMPS(ROW_F16, f16)
#define OWN_compare , LANES_FORMS
#define LANES_FILE compare
#include "collect/simt/lanes_table.def"
#undef OWN_compare

/* set: a comparison of the table above, combined with a predicate and spread to words. The control word says which. */
static const uint32_t set_values[] = { WS_LANES_SET_VALUES };

static inline uint32_t combined(uint32_t bits, uint64_t control, const void *cp)
{
    switch (WS_LANES_SET_BOOLOP(control)) {
    case WS_SUB_AND: return bits & *(const lane_u32 *)cp;
    case WS_SUB_OR: return bits | *(const lane_u32 *)cp;
    case WS_SUB_XOR: return bits ^ *(const lane_u32 *)cp;
    default: return bits;
    }
}

static void set_any(LANES_ARGUMENTS)
{
    const uint64_t control = *(const lane_u64 *)ep;
    const uint32_t value = set_values[WS_LANES_SET_VALUE(control)];
    uint32_t bits = 0;
    compare_entries[WS_LANES_SET_COMPARE(control)].fn(&bits, ap, bp, NULL, NULL, m);
    bits = combined(bits, control, cp);
    LANES_OUT(REG_u32, d, dp);
    LANES_STORE(u32, (bits & lane_bit[i]) ? value : 0);
}

/* Both halves of f16x2 or bf16x2 sources. */
static void set_halves(LANES_ARGUMENTS)
{
    const uint64_t control = *(const lane_u64 *)ep;
    const uint32_t value = set_values[WS_LANES_SET_VALUE(control)];
    ws_lanes_fn *const compare = compare_entries[WS_LANES_SET_COMPARE(control)].fn;
    LANES_OUT(REG_u32, d, dp);
    LANES_IN(REG_u32, a, ap);
    LANES_IN(REG_u32, b, bp);
    _Alignas(64) uint32_t x[WS_WARP], y[WS_WARP];
    uint32_t low = 0, high = 0;
    LANES_FOR x[i] = a[i] & 0xffffu;
    LANES_FOR y[i] = b[i] & 0xffffu;
    compare(&low, x, y, NULL, NULL, m);
    LANES_FOR x[i] = a[i] >> 16;
    LANES_FOR y[i] = b[i] >> 16;
    compare(&high, x, y, NULL, NULL, m);
    low = combined(low, control, cp);
    high = combined(high, control, cp);
    LANES_STORE(u32, ((low & lane_bit[i]) ? value : 0) | ((high & lane_bit[i]) ? value << 16 : 0));
}

#define ROW_SET(type) ROW(set, type, 0, set_any)
#define FORMS_set \
    ROW_SET(u16) ROW_SET(s16) ROW_SET(u32) ROW_SET(s32) ROW_SET(f16) ROW_SET(bf16) ROW_SET(f32) \
    ROW(set, f16x2, WS_KEY_PACK, set_halves) ROW(set, bf16x2, WS_KEY_PACK, set_halves) \
    ROW(set, u32, WS_KEY_PACK, set_halves) ROW(set, s32, WS_KEY_PACK, set_halves)
#define FORMS_testp TESTS(ROW_TEST32, u32, , ) TESTS(ROW_TEST64, u64, , )
#define OWN_set , LANES_FORMS
#define LANES_FILE set
#include "collect/simt/lanes_table.def"
