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

/* f32 rounded to odd from every source. */
#define ODD_u8(x) (float)(x)
#define ODD_u16(x) (float)(x)
#define ODD_u32(x) f32_to_odd((double)(x))
#define ODD_u64(x) f32_odd_of_u64(x)
#define ODD_s8(x) (float)(x)
#define ODD_s16(x) (float)(x)
#define ODD_s32(x) f32_to_odd((double)(x))
#define ODD_s64(x) f32_odd_of_s64(x)
#define ODD_f16(x) (x)
#define ODD_bf16(x) (x)
#define ODD_f32(x) (x)
#define ODD_f64(x) f32_to_odd(x)

#define ROUNDINGS(X, S) X(S, RN) X(S, RZ) X(S, RM) X(S, RP)
#define NARROW_INT(S, RND) \
    LANES1(cvt_##RND##_f16_##S, u32, S, f16_##RND(ODD_##S(x))) \
    LANES1(cvt_##RND##_bf16_##S, u32, S, bf16_##RND(ODD_##S(x)))
#define DEFINE(S) ROUNDINGS(NARROW_INT, S)
INTEGERS(DEFINE)
#undef DEFINE

/* Into f16 and bf16 from floats; .sat clamps the source, which commutes with rounding since 0 and 1 are exact. */
#define NARROW(D, S, RND) \
    LANES1(cvt_##RND##_##D##_##S, u32, S, D##_##RND(ODD_##S(x))) \
    LANES1(cvt_##RND##_sat_##D##_##S, u32, S, D##_##RND(saturate(ODD_##S(x))))
#define NARROW_FTZ(D, RND) \
    LANES1(cvt_##RND##_ftz_##D##_f32, u32, f32, D##_##RND(flush(x))) \
    LANES1(cvt_##RND##_ftz_sat_##D##_f32, u32, f32, D##_##RND(saturate(flush(x))))
#define DEFINE(D, RND) NARROW(D, f32, RND) NARROW(D, f64, RND) NARROW_FTZ(D, RND)
ROUNDINGS(DEFINE, f16)
ROUNDINGS(DEFINE, bf16)
#undef DEFINE
#define DEFINE(D, RND) NARROW(D, bf16, RND)
ROUNDINGS(DEFINE, f16)
#undef DEFINE
#define DEFINE(D, RND) NARROW(D, f16, RND)
ROUNDINGS(DEFINE, bf16)
#undef DEFINE

/* .relu and .satfinite, single and packed (first source in the upper half). */
#define PASS(h, infinity) (h)
#define FINITE(h, infinity) finite16(h, infinity)
#define RELU(h, infinity) relu16(h)
#define RELU_FINITE(h, infinity) finite16(relu16(h), infinity)
#define INFINITY_f16 0x7c00u
#define INFINITY_bf16 0x7f80u
#define SINGLE(D, RND, name, AFTER) LANES1(cvt_##RND##name##_##D##_f32_, u32, f32, AFTER(D##_##RND(x), INFINITY_##D))
#define PACKED(D, RND, name, AFTER) \
    LANES2(cvt_##RND##name##_##D##x2_f32, u32, f32, f32, \
           AFTER(D##_##RND(x), INFINITY_##D) << 16 | AFTER(D##_##RND(y), INFINITY_##D))
#define PACKINGS(X, D, RND) \
    X(D, RND, _finite, FINITE) X(D, RND, _relu, RELU) X(D, RND, _relu_finite, RELU_FINITE)
#define ALL_PACKINGS(X) PACKINGS(X, f16, RN) PACKINGS(X, f16, RZ) PACKINGS(X, bf16, RN) PACKINGS(X, bf16, RZ)
#define PLAIN_PACKINGS(X) X(f16, RN, , PASS) X(f16, RZ, , PASS) X(bf16, RN, , PASS) X(bf16, RZ, , PASS)
ALL_PACKINGS(SINGLE)
ALL_PACKINGS(PACKED)
PLAIN_PACKINGS(PACKED)

#define TF32(RND) \
    LANES1(cvt_##RND##_tf32, u32, f32, tf32_##RND(x)) \
    LANES1(cvt_##RND##_finite_tf32, u32, f32, finite_tf32(tf32_##RND(x))) \
    LANES1(cvt_##RND##_relu_tf32, u32, f32, relu_tf32(tf32_##RND(x))) \
    LANES1(cvt_##RND##_relu_finite_tf32, u32, f32, finite_tf32(relu_tf32(tf32_##RND(x))))
TF32(RN)
TF32(RZ)
TF32(RNA)

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

/* f64 to f32, to nearest. */
LANES1(cvt_RN_f32_f64, f32, f64, canon((float)x))
LANES1(cvt_RN_sat_f32_f64, f32, f64, saturate((float)x))
LANES1(cvt_RN_ftz_f32_f64, f32, f64, canon(flush((float)x)))
LANES1(cvt_RN_ftz_sat_f32_f64, f32, f64, saturate(flush((float)x)))

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
#define INTEGRAL(RND) \
    LANES1(cvt_##RND##_f16_f16, f16, f16, RND(x)) \
    LANES1(cvt_##RND##_sat_f16_f16, f16, f16, saturate(RND(x))) \
    LANES1(cvt_##RND##_bf16_bf16, bf16, bf16, RND(x)) \
    LANES1(cvt_##RND##_sat_bf16_bf16, bf16, bf16, saturate(RND(x))) \
    LANES1(cvt_##RND##_f32_f32, f32, f32, canon(RND(x))) \
    LANES1(cvt_##RND##_sat_f32_f32, f32, f32, saturate(RND(x))) \
    LANES1(cvt_##RND##_ftz_f32_f32, f32, f32, canon(RND(flush(x)))) \
    LANES1(cvt_##RND##_ftz_sat_f32_f32, f32, f32, saturate(RND(flush(x)))) \
    LANES1(cvt_##RND##_f64_f64, f64, f64, canon64(RND##64(x))) \
    LANES1(cvt_##RND##_sat_f64_f64, f64, f64, saturate64(RND##64(x)))
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
#define ROW_SINGLE(D, RND, name, AFTER) ROW_AFTER(D, MODS##name, RND, cvt_##RND##name##_##D##_f32_)
#define ROW_PACKED(D, RND, name, AFTER) ROW_AFTER(D##x2, WS_KEY_PACK | MODS##name, RND, cvt_##RND##name##_##D##x2_f32)
#define ROW_PACKED_PLAIN(D, RND, name, AFTER) ROW_AFTER(D##x2, WS_KEY_PACK, RND, cvt_##RND##_##D##x2_f32)
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
