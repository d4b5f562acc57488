/* lanes_level_round.c - f32 and f64 operations of 32 lanes rounded to zero, down or up.
 *
 * The machine's rounding mode is set around each loop and put back. The asm statements are walls: sources are loaded
 * after the first and results stored before the second, so the operation in between happens in the wanted mode. */
/* clang-format off */
#include "collect/simt/lanes_fma_internal.h"
#define LANES_LARGE
#include "collect/simt/lanes_loop_internal.h"

#define WALL() __asm__ volatile("" ::: "memory")

#ifdef __x86_64__
#include <xmmintrin.h>
#define MODE_RZ _MM_ROUND_TOWARD_ZERO
#define MODE_RM _MM_ROUND_DOWN
#define MODE_RP _MM_ROUND_UP

static inline unsigned mode_enter(unsigned mode)
{
    const unsigned old = _mm_getcsr();
    _mm_setcsr((old & ~(unsigned)_MM_ROUND_MASK) | mode);
    WALL();
    return old;
}

static inline void mode_leave(unsigned old)
{
    WALL();
    _mm_setcsr(old);
}
#else
#include <fenv.h>
#define MODE_RZ FE_TOWARDZERO
#define MODE_RM FE_DOWNWARD
#define MODE_RP FE_UPWARD

static inline unsigned mode_enter(unsigned mode)
{
    const unsigned old = (unsigned)fegetround();
    fesetround((int)mode);
    WALL();
    return old;
}

static inline void mode_leave(unsigned old)
{
    WALL();
    fesetround((int)old);
}
#endif

/* Directed f32 fma without hardware: libm honours the mode. */
#if defined(__FMA__) || defined(__aarch64__)
#define FMA32(x, y, z) __builtin_fmaf(x, y, z)
#else
#include <math.h>
#define FMA32(x, y, z) fmaf(x, y, z)
#endif

/* Each loop is compiled once and called in each mode. Flushing and saturating are exact, the mode does not touch them.
 * A flushed result keeps its sign. */
#define IN_MODE(name, MODE) \
    static void name##_##MODE(LANES_ARGUMENTS) \
    { \
        const unsigned old = mode_enter(MODE_##MODE); \
        name(dp, ap, bp, cp, ep, m); \
        mode_leave(old); \
    }
#define MODES(name) IN_MODE(name, RZ) IN_MODE(name, RM) IN_MODE(name, RP)
#define ROUNDED1(name, D, A, expr) LANES1(name, D, A, expr) MODES(name)
#define ROUNDED2(name, D, A, B, expr) LANES2(name, D, A, B, expr) MODES(name)
#define ROUNDED3(name, D, A, B, C, expr) LANES3(name, D, A, B, C, expr) MODES(name)

/* Rounded to zero, a scaled source that overflows is the largest number: only small results count. Sums that are
 * subnormal are exact. */
#define SCALE 0x1p24f
LANES_INLINE float flush_small(float x, float scaled)
{
    return __builtin_fabsf(x) <= 0x1p-126f ? flush_rounded(x, scaled) : x;
}

#define SCALE_OF_add SCALE
#define SCALE_OF_sub SCALE
#define SCALE_OF_mul 1.0f
#define FLUSHED_FMA32(p, q, r) flush_small(FMA32(p, q, r), FMA32((p) * SCALE, q, (r) * SCALE))
#define FLUSHED2(op, OP) flush_small(flush(x) OP flush(y), (flush(x) * SCALE) OP (flush(y) * SCALE_OF_##op))
#define FLAVOURS2(op, OP) \
    ROUNDED2(op##_f32, f32, f32, f32, canon(x OP y)) \
    ROUNDED2(op##_ftz_f32, f32, f32, f32, canon(FLUSHED2(op, OP))) \
    ROUNDED2(op##_sat_f32, f32, f32, f32, saturate(x OP y)) \
    ROUNDED2(op##_ftz_sat_f32, f32, f32, f32, saturate(FLUSHED2(op, OP))) \
    ROUNDED2(op##_f64, f64, f64, f64, canon64(x OP y))
FLAVOURS2(add, +)
FLAVOURS2(sub, -)
FLAVOURS2(mul, *)
ROUNDED3(fused_f32, f32, f32, f32, f32, canon(FMA32(x, y, z)))
ROUNDED3(fused_ftz_f32, f32, f32, f32, f32, canon(FLUSHED_FMA32(flush(x), flush(y), flush(z))))
ROUNDED3(fused_sat_f32, f32, f32, f32, f32, saturate(FMA32(x, y, z)))
ROUNDED3(fused_ftz_sat_f32, f32, f32, f32, f32, saturate(FLUSHED_FMA32(flush(x), flush(y), flush(z))))
ROUNDED3(fused_f64, f64, f64, f64, f64, canon64(__builtin_fma(x, y, z)))
#define MIXED(type) \
    ROUNDED2(add_f32_##type, f32, type, f32, canon(x + y)) \
    ROUNDED2(add_sat_f32_##type, f32, type, f32, saturate(x + y)) \
    ROUNDED2(sub_f32_##type, f32, type, f32, canon(x - y)) \
    ROUNDED2(sub_sat_f32_##type, f32, type, f32, saturate(x - y)) \
    ROUNDED3(fused_f32_##type, f32, type, type, f32, canon(FMA32(x, y, z))) \
    ROUNDED3(fused_sat_f32_##type, f32, type, type, f32, saturate(FMA32(x, y, z)))
MIXED(f16)
MIXED(bf16)
ROUNDED2(div_f32, f32, f32, f32, canon(x / y))
ROUNDED2(div_ftz_f32, f32, f32, f32, canon(flush_small(flush(x) / flush(y), (flush(x) * SCALE) / flush(y))))
ROUNDED2(div_f64, f64, f64, f64, canon64(x / y))
ROUNDED1(rcp_f32, f32, f32, canon(1.0f / x))
ROUNDED1(rcp_ftz_f32, f32, f32, canon(flush_small(1.0f / flush(x), SCALE / flush(x))))
ROUNDED1(rcp_f64, f64, f64, canon64(1.0 / x))
ROUNDED1(sqrt_f32, f32, f32, canon(__builtin_sqrtf(x)))
ROUNDED1(sqrt_ftz_f32, f32, f32, canon(flush(__builtin_sqrtf(flush(x)))))
ROUNDED1(sqrt_f64, f64, f64, canon64(__builtin_sqrt(x)))
ROUNDED1(cvt_f32_f64, f32, f64, canon((float)x))
ROUNDED1(cvt_sat_f32_f64, f32, f64, saturate((float)x))
ROUNDED1(cvt_ftz_f32_f64, f32, f64, canon(flush_small((float)x, (float)(x * SCALE))))
ROUNDED1(cvt_ftz_sat_f32_f64, f32, f64, saturate(flush_small((float)x, (float)(x * SCALE))))
#define INTEGERS(X, ...) \
    X(u8, __VA_ARGS__) X(u16, __VA_ARGS__) X(u32, __VA_ARGS__) X(u64, __VA_ARGS__) \
    X(s8, __VA_ARGS__) X(s16, __VA_ARGS__) X(s32, __VA_ARGS__) X(s64, __VA_ARGS__)
#define FROM_INT(S, ...) \
    ROUNDED1(cvt_f32_##S, f32, S, x ? (float)x : 0.0f) \
    ROUNDED1(cvt_f64_##S, f64, S, x ? (double)x : 0.0)
INTEGERS(FROM_INT, )

#define FTZ WS_KEY_FTZ
#define SAT WS_KEY_SAT
#define ROWS_SAT(R, op, fn) \
    ROW(op, f32, KEY_ROUND(R), fn##_f32_##R) ROW(op, f32, KEY_ROUND(R) | FTZ, fn##_ftz_f32_##R) \
    ROW(op, f32, KEY_ROUND(R) | SAT, fn##_sat_f32_##R) \
    ROW(op, f32, KEY_ROUND(R) | FTZ | SAT, fn##_ftz_sat_f32_##R) ROW(op, f64, KEY_ROUND(R), fn##_f64_##R)
#define ROWS_PLAIN(R, op) \
    ROW(op, f32, KEY_ROUND(R), op##_f32_##R) ROW(op, f32, KEY_ROUND(R) | FTZ, op##_ftz_f32_##R) \
    ROW(op, f64, KEY_ROUND(R), op##_f64_##R)
#define ROWS_MIXED(R, op, fn, type) \
    ROW2(op, f32, type, KEY_ROUND(R), fn##_f32_##type##_##R) \
    ROW2(op, f32, type, KEY_ROUND(R) | SAT, fn##_sat_f32_##type##_##R)
#define ROWS_FROM_INT(S, R) \
    ROW2(cvt, f32, S, KEY_ROUND(R), cvt_f32_##S##_##R) ROW2(cvt, f64, S, KEY_ROUND(R), cvt_f64_##S##_##R)
#define ROWS_CVT(R) \
    ROW2(cvt, f32, f64, KEY_ROUND(R), cvt_f32_f64_##R) \
    ROW2(cvt, f32, f64, KEY_ROUND(R) | SAT, cvt_sat_f32_f64_##R) \
    ROW2(cvt, f32, f64, KEY_ROUND(R) | FTZ, cvt_ftz_f32_f64_##R) \
    ROW2(cvt, f32, f64, KEY_ROUND(R) | FTZ | SAT, cvt_ftz_sat_f32_f64_##R) \
    INTEGERS(ROWS_FROM_INT, R)
#define ROWS_SUM(R, op, fn) ROWS_SAT(R, op, fn) ROWS_MIXED(R, op, fn, f16) ROWS_MIXED(R, op, fn, bf16)

#define FORMS_add ROWS_SUM(RZ, add, add) ROWS_SUM(RM, add, add) ROWS_SUM(RP, add, add)
#define FORMS_sub ROWS_SUM(RZ, sub, sub) ROWS_SUM(RM, sub, sub) ROWS_SUM(RP, sub, sub)
#define FORMS_fma ROWS_SUM(RZ, fma, fused) ROWS_SUM(RM, fma, fused) ROWS_SUM(RP, fma, fused)
#define FORMS_mul ROWS_SAT(RZ, mul, mul) ROWS_SAT(RM, mul, mul) ROWS_SAT(RP, mul, mul)
#define FORMS_mad ROWS_SAT(RZ, mad, fused) ROWS_SAT(RM, mad, fused) ROWS_SAT(RP, mad, fused)
#define FORMS_div ROWS_PLAIN(RZ, div) ROWS_PLAIN(RM, div) ROWS_PLAIN(RP, div)
#define FORMS_rcp ROWS_PLAIN(RZ, rcp) ROWS_PLAIN(RM, rcp) ROWS_PLAIN(RP, rcp)
#define FORMS_sqrt ROWS_PLAIN(RZ, sqrt) ROWS_PLAIN(RM, sqrt) ROWS_PLAIN(RP, sqrt)
#define FORMS_cvt ROWS_CVT(RZ) ROWS_CVT(RM) ROWS_CVT(RP)
#define OWN_round , LANES_FORMS
#define LANES_FILE round
#include "collect/simt/lanes_table.def"
