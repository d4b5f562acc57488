/* lanes_level_half.c - f16 and bf16 arithmetic of 32 lanes, single and packed in pairs, rounded once to nearest.
 *
 * Sums and products are computed in f32: its 24 bits are at least 2 * 11 + 2, so that rounding twice equals rounding
 * once (Figueroa, "When is double rounding innocuous?", SIGNUM 1995). fma goes through rounding to odd. */
/* clang-format off */
#include "collect/simt/lanes_fma_internal.h"
#define LANES_LARGE
#include "collect/simt/lanes_loop_internal.h"
#include "collect/simt/lanes_narrow_internal.h"

/* Everything is written on the 16 bits of a number, so that packed forms are the same thing twice. */
LANES_INLINE uint32_t flush_f16(uint32_t h)
{
    return (h & 0x7c00u) ? h : h & 0x8000u;
}

LANES_INLINE uint32_t canon_f16(uint32_t h)
{
    return (h & 0x7fffu) > 0x7c00u ? CANONICAL_NAN_F16 : h;
}

LANES_INLINE uint32_t canon_bf16(uint32_t h)
{
    return (h & 0x7fffu) > 0x7f80u ? CANONICAL_NAN_F16 : h;
}

LANES_INLINE uint32_t saturate_f16(uint32_t h)
{
    return f16_of_f32(saturate(f32_of_f16(h)));
}

LANES_INLINE uint32_t fma_bf16(uint32_t x, uint32_t y, uint32_t z)
{
    return bf16_of_f32(f32_to_odd(fma_to_odd(f32_of_bf16(x), f32_of_bf16(y), f32_of_bf16(z))));
}

/* The sum before it is rounded to f16. */
LANES_INLINE float fma_of_f16(uint32_t x, uint32_t y, uint32_t z)
{
    /* In double the sum is exact, or so lopsided that the small term cannot matter: no need for two-sum. */
    return f32_to_odd((double)f32_of_f16(x) * (double)f32_of_f16(y) + (double)f32_of_f16(z));
}

LANES_INLINE uint32_t fma_f16(uint32_t x, uint32_t y, uint32_t z)
{
    return f16_of_f32(fma_of_f16(x, y, z));
}

LANES_INLINE uint32_t fma_ftz_f16(uint32_t x, uint32_t y, uint32_t z)
{
    return f16_ftz_of_f32(fma_of_f16(flush_f16(x), flush_f16(y), flush_f16(z)));
}

#define F16(x) f32_of_f16(x)
#define BF16(x) f32_of_bf16(x)
#define MAG(x) __builtin_fabsf(x)
#define FL(x) flush_f16(x)
#define SAT16(x) saturate_f16(x)
#define RELU16(x) relu16(x)
#define NAN16(x, y, r) nan_wins(x, y, r)

LANES_INLINE uint32_t add_f16(uint32_t x, uint32_t y) { return f16_of_f32(F16(x) + F16(y)); }
LANES_INLINE uint32_t sub_f16(uint32_t x, uint32_t y) { return f16_of_f32(F16(x) - F16(y)); }
LANES_INLINE uint32_t mul_f16(uint32_t x, uint32_t y) { return f16_of_f32(F16(x) * F16(y)); }
LANES_INLINE uint32_t add_ftz_f16(uint32_t x, uint32_t y) { return f16_ftz_of_f32(F16(FL(x)) + F16(FL(y))); }
LANES_INLINE uint32_t sub_ftz_f16(uint32_t x, uint32_t y) { return f16_ftz_of_f32(F16(FL(x)) - F16(FL(y))); }
LANES_INLINE uint32_t mul_ftz_f16(uint32_t x, uint32_t y) { return f16_ftz_of_f32(F16(FL(x)) * F16(FL(y))); }
LANES_INLINE uint32_t add_bf16(uint32_t x, uint32_t y) { return bf16_of_f32(BF16(x) + BF16(y)); }
LANES_INLINE uint32_t sub_bf16(uint32_t x, uint32_t y) { return bf16_of_f32(BF16(x) - BF16(y)); }
LANES_INLINE uint32_t mul_bf16(uint32_t x, uint32_t y) { return bf16_of_f32(BF16(x) * BF16(y)); }

/* .xorsign.abs on two floats. */
#define XS(op, x, y) sign_product(x, y, op(MAG(x), MAG(y)))
#define XS_NAN(op, x, y) sign_product(x, y, nan_wins(x, y, op(MAG(x), MAG(y))))
#define PLAIN2(op, x, y) op(x, y)
#define NAN2(op, x, y) nan_wins(x, y, op(x, y))

/*  X(name, number of sources, opcode, type, modifiers, expression in x y z), Y the same of what seldom comes packed */
#define SUMS(X, Y, op) \
    X(op##_rn, 2, op, f16, KEY_RN, op##_f16(x, y)) \
    X(op##_ftz, 2, op, f16, KEY_RN | WS_KEY_FTZ, op##_ftz_f16(x, y)) \
    Y(op##_sat, 2, op, f16, KEY_RN | WS_KEY_SAT, SAT16(op##_f16(x, y))) \
    Y(op##_ftz_sat, 2, op, f16, KEY_RN | WS_KEY_FTZ | WS_KEY_SAT, SAT16(op##_ftz_f16(x, y))) \
    X(op##_brn, 2, op, bf16, KEY_RN, op##_bf16(x, y))
#define EXTREMES(X, Y, op) \
    X(op##_h, 2, op, f16, 0, f16_of_f32(PLAIN2(op##_f32, F16(x), F16(y)))) \
    Y(op##_hn, 2, op, f16, WS_KEY_NAN, f16_of_f32(NAN2(op##_f32, F16(x), F16(y)))) \
    Y(op##_hx, 2, op, f16, WS_KEY_XORSIGN | WS_KEY_ABS, f16_of_f32(XS(op##_f32, F16(x), F16(y)))) \
    Y(op##_hnx, 2, op, f16, WS_KEY_NAN | WS_KEY_XORSIGN | WS_KEY_ABS, f16_of_f32(XS_NAN(op##_f32, F16(x), F16(y)))) \
    Y(op##_fh, 2, op, f16, WS_KEY_FTZ, f16_of_f32(PLAIN2(op##_f32, F16(FL(x)), F16(FL(y))))) \
    Y(op##_fhn, 2, op, f16, WS_KEY_FTZ | WS_KEY_NAN, f16_of_f32(NAN2(op##_f32, F16(FL(x)), F16(FL(y))))) \
    Y(op##_fhx, 2, op, f16, WS_KEY_FTZ | WS_KEY_XORSIGN | WS_KEY_ABS, \
      f16_of_f32(XS(op##_f32, F16(FL(x)), F16(FL(y))))) \
    Y(op##_fhnx, 2, op, f16, WS_KEY_FTZ | WS_KEY_NAN | WS_KEY_XORSIGN | WS_KEY_ABS, \
      f16_of_f32(XS_NAN(op##_f32, F16(FL(x)), F16(FL(y))))) \
    X(op##_b, 2, op, bf16, 0, bf16_of_f32(PLAIN2(op##_f32, BF16(x), BF16(y)))) \
    Y(op##_bn, 2, op, bf16, WS_KEY_NAN, bf16_of_f32(NAN2(op##_f32, BF16(x), BF16(y)))) \
    Y(op##_bx, 2, op, bf16, WS_KEY_XORSIGN | WS_KEY_ABS, bf16_of_f32(XS(op##_f32, BF16(x), BF16(y)))) \
    Y(op##_bnx, 2, op, bf16, WS_KEY_NAN | WS_KEY_XORSIGN | WS_KEY_ABS, bf16_of_f32(XS_NAN(op##_f32, BF16(x), BF16(y))))
#define FUSED(X, Y) \
    X(fma_rn, 3, fma, f16, KEY_RN, fma_f16(x, y, z)) \
    X(fma_ftz, 3, fma, f16, KEY_RN | WS_KEY_FTZ, fma_ftz_f16(x, y, z)) \
    Y(fma_sat, 3, fma, f16, KEY_RN | WS_KEY_SAT, SAT16(fma_f16(x, y, z))) \
    Y(fma_ftz_sat, 3, fma, f16, KEY_RN | WS_KEY_FTZ | WS_KEY_SAT, SAT16(fma_ftz_f16(x, y, z))) \
    X(fma_relu, 3, fma, f16, KEY_RN | WS_KEY_RELU, RELU16(fma_f16(x, y, z))) \
    Y(fma_ftz_relu, 3, fma, f16, KEY_RN | WS_KEY_FTZ | WS_KEY_RELU, RELU16(fma_ftz_f16(x, y, z))) \
    X(fma_brn, 3, fma, bf16, KEY_RN, fma_bf16(x, y, z)) \
    X(fma_brelu, 3, fma, bf16, KEY_RN | WS_KEY_RELU, RELU16(fma_bf16(x, y, z)))
#define NEGATIONS(X) \
    X(neg_h, 1, neg, f16, 0, canon_f16(x ^ 0x8000u)) X(neg_fh, 1, neg, f16, WS_KEY_FTZ, canon_f16(FL(x ^ 0x8000u))) \
    X(neg_b, 1, neg, bf16, 0, canon_bf16(x ^ 0x8000u))
#define MAGNITUDES(X) \
    X(abs_h, 1, abs, f16, 0, canon_f16(x & 0x7fffu)) X(abs_fh, 1, abs, f16, WS_KEY_FTZ, canon_f16(FL(x & 0x7fffu))) \
    X(abs_b, 1, abs, bf16, 0, canon_bf16(x & 0x7fffu))

/* The number itself, then two of them in a word. */
#define LOW(v) ((v) & 0xffffu)
#define HIGH(v) ((v) >> 16)
#define DEFINE1(name, expr) \
    LANES1(name, u32, u16, expr) \
    LANES1(name##_x2, u32, u32, name##_lane(LOW(x)) | name##_lane(HIGH(x)) << 16)
#define DEFINE2(name, expr) \
    LANES2(name, u32, u16, u16, expr) \
    LANES2(name##_x2, u32, u32, u32, name##_lane(LOW(x), LOW(y)) | name##_lane(HIGH(x), HIGH(y)) << 16)
#define DEFINE3(name, expr) \
    LANES3(name, u32, u16, u16, u16, expr) \
    LANES3(name##_x2, u32, u32, u32, u32, \
           name##_lane(LOW(x), LOW(y), LOW(z)) | name##_lane(HIGH(x), HIGH(y), HIGH(z)) << 16)
#define DEFINE(name, sources, op, type, mods, expr) DEFINE##sources(name, expr)

/* Or the function of single numbers twice, on the lower and on the upper halves. */
static void by_halves(ws_lanes_fn *single, int sources, LANES_ARGUMENTS)
{
    LANES_UNUSED;
    enum { SOURCES = 3 };
    lane_u32 half[2][SOURCES + 1][WS_WARP] __attribute__((aligned(64)));
    const void *const source[SOURCES] = { ap, bp, cp };
    for (int k = 0; k < sources; k++) {
        LANES_IN(lane_u32, from, source[k]);
        LANES_FOR { half[0][k][i] = LOW(from[i]); half[1][k][i] = HIGH(from[i]); }
    }
    for (int h = 0; h < 2; h++)
        single(half[h][SOURCES], half[h][0], half[h][1], half[h][2], NULL, &all_lanes);
    LANES_OUT(lane_u32, d, dp);
    LANES_FOR d[i] = m->lane[i] ? half[0][SOURCES][i] | half[1][SOURCES][i] << 16 : d[i];
}
#define RARE2(name, expr) LANES2(name, u32, u16, u16, expr)
#define RARE3(name, expr) LANES3(name, u32, u16, u16, u16, expr)
#define RARE(name, sources, op, type, mods, expr) \
    RARE##sources(name, expr) \
    LANES_FUNCTION name##_x2(LANES_ARGUMENTS) { by_halves(name, sources, dp, ap, bp, cp, ep, m); }
SUMS(DEFINE, RARE, add)
SUMS(DEFINE, RARE, sub)
SUMS(DEFINE, RARE, mul)
EXTREMES(DEFINE, RARE, min)
EXTREMES(DEFINE, RARE, max)
FUSED(DEFINE, RARE)
NEGATIONS(DEFINE)
MAGNITUDES(DEFINE)
#undef DEFINE
#undef RARE

#define ROWS(name, sources, op, type, mods, expr) ROW(op, type, mods, name) ROW(op, type##x2, mods, name##_x2)
#define FORMS_add SUMS(ROWS, ROWS, add)
#define FORMS_sub SUMS(ROWS, ROWS, sub)
#define FORMS_mul SUMS(ROWS, ROWS, mul)
#define FORMS_min EXTREMES(ROWS, ROWS, min)
#define FORMS_max EXTREMES(ROWS, ROWS, max)
#define FORMS_fma FUSED(ROWS, ROWS)
#define FORMS_neg NEGATIONS(ROWS)
#define FORMS_abs MAGNITUDES(ROWS)
#define OWN_half , LANES_FORMS
#define LANES_FILE half
#include "collect/simt/lanes_table.def"
