/* lanes_level_cvtfloat.c - cvt to floats of 32 lanes: widening, narrowing and integral rounding, integers to floats.
 * Directed rounding to f32 and f64 is in lanes_level_round.c; to f16, bf16 and tf32 it is integer code and here. */
/* clang-format off */
#define LANES_LARGE
#include "collect/simt/lanes_loop_internal.h"
#include "collect/simt/lanes_narrow_internal.h"

#include <math.h>

static inline double saturate64(double x)
{
    const double low = x > 0.0 ? x : 0.0;
    return low < 1.0 ? low : 1.0;
}

#define INTEGERS(X) X(u8) X(u16) X(u32) X(u64) X(s8) X(s16) X(s32) X(s64)
#define DEFINE(S) \
    LANES1(cvt_f32_##S, f32, S, (float)x) \
    LANES1(cvt_f64_##S, f64, S, (double)x) \
    LANES1(cvt_sat_f32_##S, f32, S, x > 0 ? 1.0f : 0.0f) \
    LANES1(cvt_sat_f64_##S, f64, S, x > 0 ? 1.0 : 0.0) \
    LANES1(cvt_sat_f16_##S, u32, S, x > 0 ? 0x3c00u : 0u) \
    LANES1(cvt_sat_bf16_##S, u32, S, x > 0 ? 0x3f80u : 0u)
INTEGERS(DEFINE)
#undef DEFINE

/* Widening is exact. */
#define WIDEN(S) \
    LANES1(cvt_f32_##S, f32, S, canon(x)) \
    LANES1(cvt_sat_f32_##S, f32, S, saturate(x)) \
    LANES1(cvt_f64_##S, f64, S, canon64((double)x)) \
    LANES1(cvt_sat_f64_##S, f64, S, saturate64((double)x))
WIDEN(f16)
WIDEN(bf16)
LANES1(cvt_ftz_f32_bf16, f32, bf16, canon(flush(x)))
LANES1(cvt_ftz_sat_f32_bf16, f32, bf16, saturate(flush(x)))
LANES1(cvt_f64_f32, f64, f32, canon64((double)x))
LANES1(cvt_sat_f64_f32, f64, f32, saturate64((double)x))
LANES1(cvt_ftz_f64_f32, f64, f32, canon64((double)flush(x)))
LANES1(cvt_ftz_sat_f64_f32, f64, f32, saturate64((double)flush(x)))

/* Into f16 and bf16 in two passes, so that rounding is compiled once for all sources: to an f32 rounded to odd, then
 * on. */
LANES1(odd_u32, f32, u32, f32_to_odd((double)x))
LANES1(odd_u64, f32, u64, f32_odd_of_u64(x))
LANES1(odd_s32, f32, s32, f32_to_odd((double)x))
LANES1(odd_s64, f32, s64, f32_odd_of_s64(x))
LANES1(odd_f64, f32, f64, f32_to_odd(x))
/* .sat clamps the source, which commutes with rounding since 0 and 1 are exact. */
LANES1(odd_sat_f64, f32, f64, saturate(f32_to_odd(x)))
LANES1(sat_f32, f32, f32, saturate(x))
LANES1(ftz_f32, f32, f32, flush(x))
LANES1(ftz_sat_f32, f32, f32, saturate(flush(x)))
#define ODD_u8 cvt_f32_u8
#define ODD_u16 cvt_f32_u16
#define ODD_u32 odd_u32
#define ODD_u64 odd_u64
#define ODD_s8 cvt_f32_s8
#define ODD_s16 cvt_f32_s16
#define ODD_s32 odd_s32
#define ODD_s64 odd_s64

#define ROUNDINGS(X, S) X(S, RN) X(S, RZ) X(S, RM) X(S, RP)
#define DEFINE(D, RND) \
    LANES1(cvt_##RND##_##D##_f32, u32, f32, D##_##RND(x)) \
    LANES_CHAIN(cvt_##RND##_sat_##D##_f32, sat_f32, cvt_##RND##_##D##_f32) \
    LANES_CHAIN(cvt_##RND##_ftz_##D##_f32, ftz_f32, cvt_##RND##_##D##_f32) \
    LANES_CHAIN(cvt_##RND##_ftz_sat_##D##_f32, ftz_sat_f32, cvt_##RND##_##D##_f32) \
    LANES_CHAIN(cvt_##RND##_##D##_f64, odd_f64, cvt_##RND##_##D##_f32) \
    LANES_CHAIN(cvt_##RND##_sat_##D##_f64, odd_sat_f64, cvt_##RND##_##D##_f32)
ROUNDINGS(DEFINE, f16)
ROUNDINGS(DEFINE, bf16)
#undef DEFINE
#define DEFINE(D, S, RND) \
    LANES_CHAIN(cvt_##RND##_##D##_##S, cvt_f32_##S, cvt_##RND##_##D##_f32) \
    LANES_CHAIN(cvt_##RND##_sat_##D##_##S, cvt_sat_f32_##S, cvt_##RND##_##D##_f32)
#define BETWEEN_HALVES(_, RND) DEFINE(f16, bf16, RND) DEFINE(bf16, f16, RND)
ROUNDINGS(BETWEEN_HALVES, )
#undef DEFINE
#define NARROW_INT(S, RND) \
    LANES_CHAIN(cvt_##RND##_f16_##S, ODD_##S, cvt_##RND##_f16_f32) \
    LANES_CHAIN(cvt_##RND##_bf16_##S, ODD_##S, cvt_##RND##_bf16_f32)
#define DEFINE(S) ROUNDINGS(NARROW_INT, S)
INTEGERS(DEFINE)
#undef DEFINE

/* .relu and .satfinite, single and packed (first source in the upper half). */
#define INFINITY_f16 0x7c00u
#define INFINITY_bf16 0x7f80u
#define AFTERS(X, D) \
    X(D, _finite, finite16(x, INFINITY_##D)) \
    X(D, _relu, relu16(x)) \
    X(D, _relu_finite, finite16(relu16(x), INFINITY_##D))
#define DEFINE(D, name, expr) \
    LANES1(after##name##_##D, u32, u32, expr) \
    LANES2(join##name##_##D, u32, u32, u32, after##name##_##D##_lane(x) << 16 | after##name##_##D##_lane(y))
AFTERS(DEFINE, f16)
AFTERS(DEFINE, bf16)
#undef DEFINE
#define PACKINGS(X, D, RND) X(D, RND, _finite) X(D, RND, _relu) X(D, RND, _relu_finite)
#define ALL_PACKINGS(X) PACKINGS(X, f16, RN) PACKINGS(X, f16, RZ) PACKINGS(X, bf16, RN) PACKINGS(X, bf16, RZ)
#define PLAIN_PACKINGS(X) X(f16, RN, ) X(f16, RZ, ) X(bf16, RN, ) X(bf16, RZ, )
#define DEFINE(D, RND, name) \
    LANES_CHAIN(cvt_##RND##name##_##D##_f32_, cvt_##RND##_##D##_f32, after##name##_##D) \
    LANES_FUNCTION cvt_##RND##name##_##D##x2_f32(LANES_ARGUMENTS) \
    { \
        LANES_UNUSED; \
        LANES_BETWEEN(upper); \
        LANES_BETWEEN(lower); \
        cvt_##RND##_##D##_f32(upper, ap, NULL, NULL, NULL, &all_lanes); \
        cvt_##RND##_##D##_f32(lower, bp, NULL, NULL, NULL, &all_lanes); \
        join##name##_##D(dp, upper, lower, NULL, NULL, m); \
    }
ALL_PACKINGS(DEFINE)
#undef DEFINE
#define DEFINE(D, RND, name) LANES2(cvt_##RND##_##D##x2_f32, u32, f32, f32, D##_##RND(x) << 16 | D##_##RND(y))
PLAIN_PACKINGS(DEFINE)
#undef DEFINE

LANES1(after_finite_tf32, u32, u32, finite_tf32(x))
LANES1(after_relu_tf32, u32, u32, relu_tf32(x))
LANES1(after_relu_finite_tf32, u32, u32, finite_tf32(relu_tf32(x)))
#define TF32(RND) \
    LANES1(cvt_##RND##_tf32, u32, f32, tf32_##RND(x)) \
    LANES_CHAIN(cvt_##RND##_finite_tf32, cvt_##RND##_tf32, after_finite_tf32) \
    LANES_CHAIN(cvt_##RND##_relu_tf32, cvt_##RND##_tf32, after_relu_tf32) \
    LANES_CHAIN(cvt_##RND##_relu_finite_tf32, cvt_##RND##_tf32, after_relu_finite_tf32)
TF32(RN)
TF32(RZ)
TF32(RNA)

/* f64 to f32, to nearest. */
LANES1(cvt_RN_f32_f64, f32, f64, canon((float)x))
LANES1(cvt_RN_sat_f32_f64, f32, f64, saturate((float)x))
LANES1(cvt_RN_ftz_f32_f64, f32, f64, canon(flush_rounded((float)x, (float)(x * 0x1p24))))
LANES1(cvt_RN_ftz_sat_f32_f64, f32, f64, saturate(flush_rounded((float)x, (float)(x * 0x1p24))))

/* Same type: to an integral value, or unchanged. */
#define RNI(x) __builtin_rintf(x)
#define RZI(x) __builtin_truncf(x)
#define RMI(x) __builtin_floorf(x)
#define RPI(x) __builtin_ceilf(x)
#define SAME(x) (x)
#define RNI64(x) __builtin_rint(x)
#define RZI64(x) __builtin_trunc(x)
#define RMI64(x) __builtin_floor(x)
#define RPI64(x) __builtin_ceil(x)
#define SAME64(x) (x)
#define INTEGRAL_HALF(RND, D) \
    LANES_CHAIN(integral_##RND##_##D, cvt_f32_##D, cvt_##RND##_f32_f32) \
    LANES_CHAIN(integral_##RND##_sat_##D, cvt_f32_##D, cvt_##RND##_sat_f32_f32) \
    LANES_CHAIN(cvt_##RND##_##D##_##D, integral_##RND##_##D, cvt_RN_##D##_f32) \
    LANES_CHAIN(cvt_##RND##_sat_##D##_##D, integral_##RND##_sat_##D, cvt_RN_##D##_f32)
#define INTEGRAL(RND) \
    LANES1(cvt_##RND##_f32_f32, f32, f32, canon(RND(x))) \
    LANES1(cvt_##RND##_sat_f32_f32, f32, f32, saturate(RND(x))) \
    LANES1(cvt_##RND##_ftz_f32_f32, f32, f32, canon(RND(flush(x)))) \
    LANES1(cvt_##RND##_ftz_sat_f32_f32, f32, f32, saturate(RND(flush(x)))) \
    LANES1(cvt_##RND##_f64_f64, f64, f64, canon64(RND##64(x))) \
    LANES1(cvt_##RND##_sat_f64_f64, f64, f64, saturate64(RND##64(x))) \
    INTEGRAL_HALF(RND, f16) INTEGRAL_HALF(RND, bf16)
INTEGRAL(RNI)
INTEGRAL(RZI)
INTEGRAL(RMI)
INTEGRAL(RPI)
INTEGRAL(SAME)

#define SAT WS_KEY_SAT
#define FTZ WS_KEY_FTZ
#define ROWS_INT_SAT(S, RND) \
    ROW2(cvt, f32, S, KEY_ROUND(RND) | SAT, cvt_sat_f32_##S) \
    ROW2(cvt, f64, S, KEY_ROUND(RND) | SAT, cvt_sat_f64_##S) \
    ROW2(cvt, f16, S, KEY_ROUND(RND) | SAT, cvt_sat_f16_##S) \
    ROW2(cvt, bf16, S, KEY_ROUND(RND) | SAT, cvt_sat_bf16_##S) \
    ROW2(cvt, f16, S, KEY_ROUND(RND), cvt_##RND##_f16_##S) ROW2(cvt, bf16, S, KEY_ROUND(RND), cvt_##RND##_bf16_##S)
#define ROWS_INT(S) \
    ROW2(cvt, f32, S, KEY_RN, cvt_f32_##S) ROW2(cvt, f64, S, KEY_RN, cvt_f64_##S) ROUNDINGS(ROWS_INT_SAT, S)
#define ROWS_NARROW(D, S, RND) \
    ROW2(cvt, D, S, KEY_ROUND(RND), cvt_##RND##_##D##_##S) \
        ROW2(cvt, D, S, KEY_ROUND(RND) | SAT, cvt_##RND##_sat_##D##_##S)
#define ROWS_NARROW_FTZ(D, S, RND) \
    ROW2(cvt, D, S, KEY_ROUND(RND) | FTZ, cvt_##RND##_ftz_##D##_##S) \
    ROW2(cvt, D, S, KEY_ROUND(RND) | FTZ | SAT, cvt_##RND##_ftz_sat_##D##_##S)
#define ROWS_WIDE(D, RND) ROWS_NARROW(D, f32, RND) ROWS_NARROW(D, f64, RND) ROWS_NARROW_FTZ(D, f32, RND)
#define ROWS_F16_BF16(D, RND) ROWS_NARROW(f16, bf16, RND) ROWS_NARROW(bf16, f16, RND)
#define ROW_AFTER(D, mods, RND, fn) ROW2(cvt, D, f32, KEY_ROUND(RND) | (mods), fn)
#define MODS_finite WS_KEY_SATFINITE
#define MODS_relu WS_KEY_RELU
#define MODS_relu_finite (WS_KEY_RELU | WS_KEY_SATFINITE)
#define ROW_SINGLE(D, RND, name) ROW_AFTER(D, MODS##name, RND, cvt_##RND##name##_##D##_f32_)
#define ROW_PACKED(D, RND, name) ROW_AFTER(D##x2, WS_KEY_PACK | MODS##name, RND, cvt_##RND##name##_##D##x2_f32)
#define ROW_PACKED_PLAIN(D, RND, name) ROW_AFTER(D##x2, WS_KEY_PACK, RND, cvt_##RND##_##D##x2_f32)
#define ROWS_TF32(RND) \
    ROW_AFTER(tf32, 0, RND, cvt_##RND##_tf32) ROW_AFTER(tf32, MODS_finite, RND, cvt_##RND##_finite_tf32) \
    ROW_AFTER(tf32, MODS_relu, RND, cvt_##RND##_relu_tf32) \
        ROW_AFTER(tf32, MODS_relu_finite, RND, cvt_##RND##_relu_finite_tf32)
/* .ftz on a widening from f16 has nothing to flush: the f32 is never subnormal. */
#define ROWS_WIDEN(S) \
    ROW2(cvt, f32, S, 0, cvt_f32_##S) ROW2(cvt, f32, S, SAT, cvt_sat_f32_##S) \
    ROW2(cvt, f64, S, 0, cvt_f64_##S) ROW2(cvt, f64, S, SAT, cvt_sat_f64_##S)
#define ROWS_SAME(D, mods, RND) \
    ROW2(cvt, D, D, mods, cvt_##RND##_##D##_##D) ROW2(cvt, D, D, SAT | (mods), cvt_##RND##_sat_##D##_##D)
#define ROWS_INTEGRAL(RND, mods) \
    ROWS_SAME(f16, mods, RND) ROWS_SAME(bf16, mods, RND) ROWS_SAME(f32, mods, RND) ROWS_SAME(f64, mods, RND) \
    ROW2(cvt, f32, f32, FTZ | (mods), cvt_##RND##_ftz_f32_f32) \
    ROW2(cvt, f32, f32, FTZ | SAT | (mods), cvt_##RND##_ftz_sat_f32_f32)

#define FORMS_cvt \
    INTEGERS(ROWS_INT) \
    ROUNDINGS(ROWS_WIDE, f16) ROUNDINGS(ROWS_WIDE, bf16) ROUNDINGS(ROWS_F16_BF16, ) \
    ALL_PACKINGS(ROW_SINGLE) ALL_PACKINGS(ROW_PACKED) PLAIN_PACKINGS(ROW_PACKED_PLAIN) \
    ROWS_TF32(RN) ROWS_TF32(RZ) ROWS_TF32(RNA) \
    ROWS_WIDEN(f16) ROWS_WIDEN(bf16) ROW2(cvt, f32, f16, FTZ, cvt_f32_f16) \
    ROW2(cvt, f32, f16, FTZ | SAT, cvt_sat_f32_f16) \
    ROW2(cvt, f32, bf16, FTZ, cvt_ftz_f32_bf16) ROW2(cvt, f32, bf16, FTZ | SAT, cvt_ftz_sat_f32_bf16) \
    ROW2(cvt, f64, f32, 0, cvt_f64_f32) ROW2(cvt, f64, f32, SAT, cvt_sat_f64_f32) \
    ROW2(cvt, f64, f32, FTZ, cvt_ftz_f64_f32) ROW2(cvt, f64, f32, FTZ | SAT, cvt_ftz_sat_f64_f32) \
    ROWS_NARROW(f32, f64, RN) ROWS_NARROW_FTZ(f32, f64, RN) \
    ROWS_INTEGRAL(RNI, KEY_ROUND(RNI)) ROWS_INTEGRAL(RZI, KEY_ROUND(RZI)) ROWS_INTEGRAL(RMI, KEY_ROUND(RMI)) \
    ROWS_INTEGRAL(RPI, KEY_ROUND(RPI)) ROWS_INTEGRAL(SAME, 0)
#define OWN_cvtfloat , LANES_FORMS
#define LANES_FILE cvtfloat
#include "collect/simt/lanes_table.def"
