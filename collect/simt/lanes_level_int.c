/* lanes_level_int.c - integer arithmetic of 32 lanes: add to division, wide products, carry chains, dot products. */
/* clang-format off */
#include "collect/simt/lanes_loop_internal.h"

/* Wrapping operations do not ask for the sign: s32 shares the function of u32. */
#define WRAPPING(X) \
    X(add, u16, x + y) X(add, u32, x + y) X(add, u64, x + y) \
    X(sub, u16, x - y) X(sub, u32, x - y) X(sub, u64, x - y) \
    X(mul, u16, x * y) X(mul, u32, x * y) X(mul, u64, x * y)

#define DEFINE(op, type, expr) LANES2(op##_##type, type, type, type, expr)
WRAPPING(DEFINE)
#undef DEFINE

LANES3(mad_u16, u16, u16, u16, u16, x *y + z)
LANES3(mad_u32, u32, u32, u32, u32, x *y + z)
LANES3(mad_u64, u64, u64, u64, u64, x *y + z)

static inline int32_t clamp_s32(int64_t x)
{
    const int64_t high = x > INT32_MAX ? INT32_MAX : x;
    return (int32_t)(high < INT32_MIN ? INT32_MIN : high);
}

/* Overflow happened when the sign of the result differs from both operands' (add), see Hacker's Delight 2-13. */
static inline uint32_t add_sat(uint32_t x, uint32_t y)
{
    const uint32_t sum = x + y;
    const uint32_t limit = 0x7fffffffu + (x >> 31);
    return (int32_t)((sum ^ x) & (sum ^ y)) < 0 ? limit : sum;
}

static inline uint32_t sub_sat(uint32_t x, uint32_t y)
{
    const uint32_t difference = x - y;
    const uint32_t limit = 0x7fffffffu + (x >> 31);
    return (int32_t)((x ^ y) & (difference ^ x)) < 0 ? limit : difference;
}

LANES2(add_sat_s32, u32, u32, u32, add_sat(x, y))
LANES2(sub_sat_s32, u32, u32, u32, sub_sat(x, y))

/* Two 16-bit halves at once. */
static inline uint32_t add_halves(uint32_t x, uint32_t y)
{
    return ((x & 0x7fff7fffu) + (y & 0x7fff7fffu)) ^ ((x ^ y) & 0x80008000u);
}

LANES2(add_u16x2, u32, u32, u32, add_halves(x, y))

/* Products. */
LANES2(mul_wide_u16, u32, u16, u16, x *y)
LANES2(mul_wide_s16, u32, s16, s16, (uint32_t)(x * y))
LANES2(mul_wide_u32, u64, u32, u32, (uint64_t)x *y)
LANES2(mul_wide_s32, u64, s32, s32, (uint64_t)((int64_t)x * y))
LANES2(mul_hi_u16, u16, u16, u16, (x * y) >> 16)
LANES2(mul_hi_s16, u16, s16, s16, (uint32_t)(x * y) >> 16)
LANES2(mul_hi_u32, u32, u32, u32, (uint32_t)(((uint64_t)x * y) >> 32))
LANES2(mul_hi_s32, u32, s32, s32, (uint32_t)((uint64_t)((int64_t)x * y) >> 32))
LANES3(mad_wide_u16, u32, u16, u16, u32, x *y + z)
LANES3(mad_wide_s16, u32, s16, s16, u32, (uint32_t)(x * y) + z)
LANES3(mad_wide_u32, u64, u32, u32, u64, (uint64_t)x *y + z)
LANES3(mad_wide_s32, u64, s32, s32, u64, (uint64_t)((int64_t)x * y) + z)
LANES3(mad_hi_u16, u16, u16, u16, u16, ((x * y) >> 16) + z)
LANES3(mad_hi_s16, u16, s16, s16, u16, ((uint32_t)(x * y) >> 16) + z)
LANES3(mad_hi_u32, u32, u32, u32, u32, mul_hi_u32_lane(x, y) + z)
LANES3(mad_hi_s32, u32, s32, s32, u32, mul_hi_s32_lane(x, y) + z)
LANES3(mad_hi_sat_s32, u32, s32, s32, s32, (uint32_t)clamp_s32((((int64_t)x * y) >> 32) + z))

static inline uint64_t mul_high_u64(uint64_t x, uint64_t y)
{
    return (uint64_t)(((unsigned __int128)x * y) >> 64);
}

static inline uint64_t mul_high_s64(int64_t x, int64_t y)
{
    return (uint64_t)((unsigned __int128)((__int128)x * y) >> 64);
}

LANES2(mul_hi_u64, u64, u64, u64, mul_high_u64(x, y))
LANES2(mul_hi_s64, u64, s64, s64, mul_high_s64(x, y))
LANES3(mad_hi_u64, u64, u64, u64, u64, mul_high_u64(x, y) + z)
LANES3(mad_hi_s64, u64, s64, s64, u64, mul_high_s64(x, y) + z)

/* 24-bit forms: .lo is bits 31..0 of the 48-bit product, .hi bits 47..16. */
static inline uint64_t product24_u(uint32_t x, uint32_t y)
{
    return (uint64_t)(x & 0xffffffu) * (y & 0xffffffu);
}

static inline int64_t product24_s(uint32_t x, uint32_t y)
{
    return (int64_t)((int32_t)(x << 8) >> 8) * ((int32_t)(y << 8) >> 8);
}

LANES2(mul24_lo_u32, u32, u32, u32, (uint32_t)product24_u(x, y))
LANES2(mul24_hi_u32, u32, u32, u32, (uint32_t)(product24_u(x, y) >> 16))
LANES2(mul24_hi_s32, u32, u32, u32, (uint32_t)((uint64_t)product24_s(x, y) >> 16))
LANES2(mul24_lo_s32, u32, u32, u32, (uint32_t)product24_s(x, y))
LANES3(mad24_lo_u32, u32, u32, u32, u32, (uint32_t)product24_u(x, y) + z)
LANES3(mad24_hi_u32, u32, u32, u32, u32, (uint32_t)(product24_u(x, y) >> 16) + z)
LANES3(mad24_hi_s32, u32, u32, u32, u32, (uint32_t)((uint64_t)product24_s(x, y) >> 16) + z)
LANES3(mad24_lo_s32, u32, u32, u32, u32, (uint32_t)product24_s(x, y) + z)
LANES3(mad24_hi_sat_s32, u32, u32, u32, s32, (uint32_t)clamp_s32((product24_s(x, y) >> 16) + z))

/* Quotient and remainder. PTX leaves division by zero open; as on NVIDIA hardware both results are then all ones.
 * The most negative number divided by -1 wraps. */
static inline uint32_t quotient_u32(uint32_t x, uint32_t y)
{
    /* A quotient of 32-bit integers, rounded to 53 bits, never reaches the next integer: truncation is exact. */
    const double q = (double)x / (double)(y ? y : 1);
    const uint32_t high = q >= 2147483648.0 ? 0x80000000u : 0;
    const uint32_t r = (uint32_t)(int32_t)(q - (high ? 2147483648.0 : 0.0)) + high;
    return y ? r : UINT32_MAX;
}

static inline uint32_t quotient_s32(int32_t x, int32_t y)
{
    const double q = (double)x / (double)(y ? y : 1);
    const uint32_t r = q >= 2147483648.0 ? 0x80000000u : (uint32_t)(int32_t)(q < 2147483648.0 ? q : 0.0);
    return y ? r : UINT32_MAX;
}

static inline uint32_t remainder_u32(uint32_t x, uint32_t y)
{
    return y ? x - quotient_u32(x, y) * y : UINT32_MAX;
}

static inline uint32_t remainder_s32(int32_t x, int32_t y)
{
    return y ? (uint32_t)x - quotient_s32(x, y) * (uint32_t)y : UINT32_MAX;
}

static inline uint64_t quotient_u64(uint64_t x, uint64_t y)
{
    return y ? x / y : UINT64_MAX;
}

static inline uint64_t remainder_u64(uint64_t x, uint64_t y)
{
    return y ? x % y : UINT64_MAX;
}

static inline uint64_t quotient_s64(int64_t x, int64_t y)
{
    return y == 0 ? UINT64_MAX : y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}

static inline uint64_t remainder_s64(int64_t x, int64_t y)
{
    return y == 0 ? UINT64_MAX : y == -1 ? 0 : (uint64_t)(x % y);
}

LANES2(div_u16, u16, u16, u16, quotient_s32((int32_t)x, (int32_t)y))
LANES2(div_s16, u16, s16, s16, quotient_s32(x, y))
LANES2(div_u32, u32, u32, u32, quotient_u32(x, y))
LANES2(div_s32, u32, s32, s32, quotient_s32(x, y))
LANES2(div_u64, u64, u64, u64, quotient_u64(x, y))
LANES2(div_s64, u64, s64, s64, quotient_s64(x, y))
LANES2(rem_u16, u16, u16, u16, remainder_s32((int32_t)x, (int32_t)y))
LANES2(rem_s16, u16, s16, s16, remainder_s32(x, y))
LANES2(rem_u32, u32, u32, u32, remainder_u32(x, y))
LANES2(rem_s32, u32, s32, s32, remainder_s32(x, y))
LANES2(rem_u64, u64, u64, u64, remainder_u64(x, y))
LANES2(rem_s64, u64, s64, s64, remainder_s64(x, y))

/* Minimum, maximum, absolute value and difference. */
#define INTEGERS(X, op, expr) \
    X(op, u16, u16, expr) X(op, s16, u16, expr) X(op, u32, u32, expr) X(op, s32, u32, expr) X(op, u64, u64, expr) \
        X(op, s64, u64, expr)
#define DEFINE(op, type, dst, expr) LANES2(op##_##type, dst, type, type, (VAL_##dst)(expr))
INTEGERS(DEFINE, min, x < y ? x : y)
INTEGERS(DEFINE, max, x > y ? x : y)
#undef DEFINE

LANES3(sad_u16, u16, u16, u16, u16, z + (x > y ? x - y : y - x))
LANES3(sad_s16, u16, s16, s16, u16, z + (uint32_t)(x > y ? x - y : y - x))
LANES3(sad_u32, u32, u32, u32, u32, z + (x > y ? x - y : y - x))
LANES3(sad_s32, u32, s32, s32, u32, z + (x > y ? (uint32_t)x - (uint32_t)y : (uint32_t)y - (uint32_t)x))
LANES3(sad_u64, u64, u64, u64, u64, z + (x > y ? x - y : y - x))
LANES3(sad_s64, u64, s64, s64, u64, z + (x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x))

LANES1(abs_s16, u16, s16, (uint32_t)(x < 0 ? -x : x))
LANES1(abs_s32, u32, s32, x < 0 ? 0 - (uint32_t)x : (uint32_t)x)
LANES1(abs_s64, u64, s64, x < 0 ? 0 - (uint64_t)x : (uint64_t)x)
LANES1(neg_s16, u16, u16, 0 - x)
LANES1(neg_s32, u32, u32, 0 - x)
LANES1(neg_s64, u64, u64, 0 - x)

/* min, max with .relu (negative results become 0) and on two halves. */
#define LOW_S(v) ((int32_t)((v) << 16) >> 16)
#define HIGH_S(v) ((int32_t)(v) >> 16)
#define SMALLER(p, q) ((p) < (q) ? (p) : (q))
#define LARGER(p, q) ((p) > (q) ? (p) : (q))
#define PAIR(low, high) (((uint32_t)(low) & 0xffffu) | (uint32_t)(high) << 16)

LANES2(min_relu_s32, u32, s32, s32, (uint32_t)LARGER(SMALLER(x, y), 0))
LANES2(max_relu_s32, u32, s32, s32, (uint32_t)LARGER(LARGER(x, y), 0))
LANES2(min_u16x2, u32, u32, u32, PAIR(SMALLER(x & 0xffffu, y & 0xffffu), SMALLER(x >> 16, y >> 16)))
LANES2(max_u16x2, u32, u32, u32, PAIR(LARGER(x & 0xffffu, y & 0xffffu), LARGER(x >> 16, y >> 16)))
LANES2(min_s16x2, u32, u32, u32, PAIR(SMALLER(LOW_S(x), LOW_S(y)), SMALLER(HIGH_S(x), HIGH_S(y))))
LANES2(max_s16x2, u32, u32, u32, PAIR(LARGER(LOW_S(x), LOW_S(y)), LARGER(HIGH_S(x), HIGH_S(y))))
LANES2(min_relu_s16x2, u32, u32, u32,
       PAIR(LARGER(SMALLER(LOW_S(x), LOW_S(y)), 0), LARGER(SMALLER(HIGH_S(x), HIGH_S(y)), 0)))
LANES2(max_relu_s16x2, u32, u32, u32,
       PAIR(LARGER(LARGER(LOW_S(x), LOW_S(y)), 0), LARGER(LARGER(HIGH_S(x), HIGH_S(y)), 0)))

/* Dot products. BYTE_* and WORD_* take part n of a register, zero- or sign-extended. */
#define BYTE_U(v, n) ((int32_t)(((v) >> (8 * (n))) & 0xffu))
#define BYTE_S(v, n) ((int32_t)((v) << (24 - 8 * (n))) >> 24)
#define WORD_U(v, n) ((int32_t)(((v) >> (16 * (n))) & 0xffffu))
#define WORD_S(v, n) ((int32_t)((v) << (16 - 16 * (n))) >> 16)
#define DOT4(A, B) \
    (z + (uint32_t)(BYTE_##A(x, 0) * BYTE_##B(y, 0) + BYTE_##A(x, 1) * BYTE_##B(y, 1) + \
                    BYTE_##A(x, 2) * BYTE_##B(y, 2) + BYTE_##A(x, 3) * BYTE_##B(y, 3)))
#define DOT2(A, B, n) (z + (uint32_t)(WORD_##A(x, 0) * BYTE_##B(y, n) + WORD_##A(x, 1) * BYTE_##B(y, (n) + 1)))

#define SIGNS(X, Y) X(Y, U, U, u32, u32) X(Y, U, S, u32, s32) X(Y, S, U, s32, u32) X(Y, S, S, s32, s32)
#define DOTS_dp4a(X, A, B, atype, btype) X(dp4a, NONE, atype, btype, DOT4(A, B))
#define DOTS_dp2a(X, A, B, atype, btype) \
    X(dp2a, LO, atype, btype, DOT2(A, B, 0)) X(dp2a, HI, atype, btype, DOT2(A, B, 2))
#define DEFINE(op, half, atype, btype, expr) LANES3(op##_##half##_##atype##_##btype, u32, u32, u32, u32, expr)
SIGNS(DOTS_dp4a, DEFINE)
SIGNS(DOTS_dp2a, DEFINE)
#undef DEFINE

/* Carry chains. The condition code is one word, a bit a lane: the carry of an adder. After a subtraction, which
 * machines do by adding the complement, 1 says that nothing was borrowed; compilers rely on it when they mix
 * subtractions and addc. */
#define DEFINE_CARRY(T) \
    static inline __attribute__((always_inline)) void carry_##T(void *dp, const void *ap, const void *bp, \
                                                                const void *ep, const ws_mask *m, \
                                                                bool subtract, bool reads, bool writes) \
    { \
        LANES_OUT(lane_##T, d, dp); \
        LANES_IN(lane_##T, a, ap); \
        LANES_IN(lane_##T, b, bp); \
        uint32_t *const cc = (uint32_t *)(uintptr_t)ep; \
        const uint32_t in = reads ? *cc : 0; \
        uint32_t bits = 0; \
        LANES_FOR \
        { \
            const VAL_##T x = a[i], y = b[i], one = ((in & lane_bit[i]) != 0) != (subtract && reads); \
            const VAL_##T r = subtract ? x - y - one : x + y + one; \
            /* A sum that wrapped is below its first term, or equal to it when y + one wrapped to 0. */ \
            const bool wrapped = subtract ? x < y || (one && x == y) : r < x || (one && r == x); \
            bits |= wrapped != subtract ? lane_bit[i] : 0; \
            d[i] = m->lane[i] ? r : d[i]; \
        } \
        if (writes) \
            put_bits(cc, bits, m); \
    }
DEFINE_CARRY(u32)
DEFINE_CARRY(u64)

#define LOW_PRODUCT(p, q) ((p) * (q))
#define HIGH_U32(p, q) mul_hi_u32_lane(p, q)
#define HIGH_S32(p, q) mul_hi_s32_lane((int32_t)(p), (int32_t)(q))
#define HIGH_U64(p, q) mul_high_u64(p, q)
#define HIGH_S64(p, q) mul_high_s64((int64_t)(p), (int64_t)(q))

#define CARRY(name, T, subtract, reads, writes) \
    static void name(LANES_ARGUMENTS) \
    { \
        (void)cp; \
        carry_##T(dp, ap, bp, ep, m, subtract, reads, writes); \
    }
#define MAD_CARRY(name, T, product, reads, writes) \
    static void name(LANES_ARGUMENTS) \
    { \
        LANES_IN(lane_##T, a, ap); \
        LANES_IN(lane_##T, b, bp); \
        _Alignas(64) VAL_##T half[WS_WARP]; \
        LANES_FOR half[i] = (VAL_##T)product((VAL_##T)a[i], (VAL_##T)b[i]); \
        carry_##T(dp, half, cp, ep, m, false, reads, writes); \
    }

#define CARRIES(T) \
    CARRY(add_cc_##T, T, false, false, true) \
    CARRY(addc_##T, T, false, true, false) \
    CARRY(addc_cc_##T, T, false, true, true) \
    CARRY(sub_cc_##T, T, true, false, true) \
    CARRY(subc_##T, T, true, true, false) \
    CARRY(subc_cc_##T, T, true, true, true)
CARRIES(u32)
CARRIES(u64)

#define MAD_CARRIES(name, T, product) \
    MAD_CARRY(mad_cc_##name, T, product, false, true) \
    MAD_CARRY(madc_##name, T, product, true, false) \
    MAD_CARRY(madc_cc_##name, T, product, true, true)
MAD_CARRIES(lo_u32, u32, LOW_PRODUCT)
MAD_CARRIES(lo_u64, u64, LOW_PRODUCT)
MAD_CARRIES(hi_u32, u32, HIGH_U32)
MAD_CARRIES(hi_s32, u32, HIGH_S32)
MAD_CARRIES(hi_u64, u64, HIGH_U64)
MAD_CARRIES(hi_s64, u64, HIGH_S64)

/* Rows of the signed and the unsigned type when one function serves both. */
#define BOTH(op, bits, mods, fn) ROW(op, u##bits, mods, fn##_u##bits) ROW(op, s##bits, mods, fn##_u##bits)
#define EACH(op, bits, mods, fn) ROW(op, u##bits, mods, fn##_u##bits) ROW(op, s##bits, mods, fn##_s##bits)
#define BOTH_SIZES(op, mods, fn) BOTH(op, 16, mods, fn) BOTH(op, 32, mods, fn) BOTH(op, 64, mods, fn)
#define EACH_SIZE(op, mods, fn) EACH(op, 16, mods, fn) EACH(op, 32, mods, fn) EACH(op, 64, mods, fn)
#define ROW_DOT(op, half, atype, btype, expr) ROW2(op, atype, btype, KEY_HALF(half), op##_##half##_##atype##_##btype)
#define CARRY_TYPES(X, op) X(op, u32, u32) X(op, s32, u32) X(op, u64, u64) X(op, s64, u64)
#define ROW_STARTS(op, T, U) ROW(op, T, WS_KEY_CC, op##_cc_##U)
#define ROWS_GOES_ON(op, T, U) ROW(op, T, 0, op##_##U) ROW(op, T, WS_KEY_CC, op##_cc_##U)
#define ROWS_MAD_STARTS(op, T, U) \
    ROW(op, T, KEY_HALF(LO) | WS_KEY_CC, op##_cc_lo_##U) ROW(op, T, KEY_HALF(HI) | WS_KEY_CC, op##_cc_hi_##T)
#define ROWS_MAD_GOES_ON(op, T, U) \
    ROW(op, T, KEY_HALF(LO), op##_lo_##U) ROW(op, T, KEY_HALF(HI), op##_hi_##T) ROWS_MAD_STARTS(op, T, U)
#define ROWS_EXTREME(op) \
    EACH_SIZE(op, 0, op) ROW(op, s32, WS_KEY_RELU, op##_relu_s32) ROW(op, u16x2, 0, op##_u16x2) \
    ROW(op, s16x2, 0, op##_s16x2) ROW(op, s16x2, WS_KEY_RELU, op##_relu_s16x2)

#define FORMS_add \
    BOTH_SIZES(add, 0, add) ROW(add, s32, WS_KEY_SAT, add_sat_s32) CARRY_TYPES(ROW_STARTS, add) \
    ROW(add, u16x2, 0, add_u16x2) ROW(add, s16x2, 0, add_u16x2)
#define FORMS_sub BOTH_SIZES(sub, 0, sub) ROW(sub, s32, WS_KEY_SAT, sub_sat_s32) CARRY_TYPES(ROW_STARTS, sub)
#define FORMS_addc CARRY_TYPES(ROWS_GOES_ON, addc)
#define FORMS_subc CARRY_TYPES(ROWS_GOES_ON, subc)
#define FORMS_mul \
    BOTH_SIZES(mul, KEY_HALF(LO), mul) EACH_SIZE(mul, KEY_HALF(HI), mul_hi) \
    EACH(mul, 16, KEY_HALF(WIDE), mul_wide) EACH(mul, 32, KEY_HALF(WIDE), mul_wide)
#define FORMS_mad \
    BOTH_SIZES(mad, KEY_HALF(LO), mad) EACH_SIZE(mad, KEY_HALF(HI), mad_hi) \
    EACH(mad, 16, KEY_HALF(WIDE), mad_wide) EACH(mad, 32, KEY_HALF(WIDE), mad_wide) \
    ROW(mad, s32, KEY_HALF(HI) | WS_KEY_SAT, mad_hi_sat_s32) CARRY_TYPES(ROWS_MAD_STARTS, mad)
#define FORMS_madc CARRY_TYPES(ROWS_MAD_GOES_ON, madc)
#define FORMS_mul24 EACH(mul24, 32, KEY_HALF(LO), mul24_lo) EACH(mul24, 32, KEY_HALF(HI), mul24_hi)
#define FORMS_mad24 \
    EACH(mad24, 32, KEY_HALF(LO), mad24_lo) EACH(mad24, 32, KEY_HALF(HI), mad24_hi) \
    ROW(mad24, s32, KEY_HALF(HI) | WS_KEY_SAT, mad24_hi_sat_s32)
#define FORMS_div EACH_SIZE(div, 0, div)
#define FORMS_rem EACH_SIZE(rem, 0, rem)
#define FORMS_sad EACH_SIZE(sad, 0, sad)
#define FORMS_min ROWS_EXTREME(min)
#define FORMS_max ROWS_EXTREME(max)
#define FORMS_abs ROW(abs, s16, 0, abs_s16) ROW(abs, s32, 0, abs_s32) ROW(abs, s64, 0, abs_s64)
#define FORMS_neg ROW(neg, s16, 0, neg_s16) ROW(neg, s32, 0, neg_s32) ROW(neg, s64, 0, neg_s64)
#define FORMS_dp4a SIGNS(DOTS_dp4a, ROW_DOT)
#define FORMS_dp2a SIGNS(DOTS_dp2a, ROW_DOT)
#define OWN_int , LANES_FORMS
#define LANES_FILE int
#include "collect/simt/lanes_table.def"
