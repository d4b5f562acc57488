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

/* Flushing and saturating are exact, the mode does not touch them. A flushed result keeps its sign. */
#define ROUNDED1(name, MODE, D, A, expr) \
    LANES1(name##_nearest, D, A, expr) \
    static void name(LANES_ARGUMENTS) \
    { \
        const unsigned old = mode_enter(MODE_##MODE); \
        name##_nearest(dp, ap, bp, cp, ep, m); \
        mode_leave(old); \
    }
#define ROUNDED2(name, MODE, D, A, B, expr) \
    LANES2(name##_nearest, D, A, B, expr) \
    static void name(LANES_ARGUMENTS) \
    { \
        const unsigned old = mode_enter(MODE_##MODE); \
        name##_nearest(dp, ap, bp, cp, ep, m); \
        mode_leave(old); \
    }
#define ROUNDED3(name, MODE, D, A, B, C, expr) \
    LANES3(name##_nearest, D, A, B, C, expr) \
    static void name(LANES_ARGUMENTS) \
    { \
        const unsigned old = mode_enter(MODE_##MODE); \
        name##_nearest(dp, ap, bp, cp, ep, m); \
        mode_leave(old); \
    }

#define FLAVOURS2(R, op, OP) \
    ROUNDED2(op##_##R##_f32, R, f32, f32, f32, canon(x OP y)) \
    ROUNDED2(op##_##R##_ftz_f32, R, f32, f32, f32, canon(flush(flush(x) OP flush(y)))) \
    ROUNDED2(op##_##R##_sat_f32, R, f32, f32, f32, saturate(x OP y)) \
    ROUNDED2(op##_##R##_ftz_sat_f32, R, f32, f32, f32, saturate(flush(flush(x) OP flush(y)))) \
    ROUNDED2(op##_##R##_f64, R, f64, f64, f64, canon64(x OP y))
#define MIXED(R, type) \
    ROUNDED2(add_##R##_f32_##type, R, f32, type, f32, canon(x + y)) \
    ROUNDED2(add_##R##_sat_f32_##type, R, f32, type, f32, saturate(x + y)) \
    ROUNDED2(sub_##R##_f32_##type, R, f32, type, f32, canon(x - y)) \
    ROUNDED2(sub_##R##_sat_f32_##type, R, f32, type, f32, saturate(x - y)) \
    ROUNDED3(fma_##R##_f32_##type, R, f32, type, type, f32, canon(FMA32(x, y, z))) \
    ROUNDED3(fma_##R##_sat_f32_##type, R, f32, type, type, f32, saturate(FMA32(x, y, z)))
#define FROM_INT(R, S) \
    ROUNDED1(cvt_##R##_f32_##S, R, f32, S, x ? (float)x : 0.0f) \
    ROUNDED1(cvt_##R##_f64_##S, R, f64, S, x ? (double)x : 0.0)
#define INTEGERS(X, R) X(R, u8) X(R, u16) X(R, u32) X(R, u64) X(R, s8) X(R, s16) X(R, s32) X(R, s64)

#define OPERATIONS(R) \
    FLAVOURS2(R, add, +) FLAVOURS2(R, sub, -) FLAVOURS2(R, mul, *) \
    ROUNDED3(fma_##R##_f32, R, f32, f32, f32, f32, canon(FMA32(x, y, z))) \
    ROUNDED3(fma_##R##_ftz_f32, R, f32, f32, f32, f32, canon(flush(FMA32(flush(x), flush(y), flush(z))))) \
    ROUNDED3(fma_##R##_sat_f32, R, f32, f32, f32, f32, saturate(FMA32(x, y, z))) \
    ROUNDED3(fma_##R##_ftz_sat_f32, R, f32, f32, f32, f32, saturate(flush(FMA32(flush(x), flush(y), flush(z))))) \
    ROUNDED3(fma_##R##_f64, R, f64, f64, f64, f64, canon64(__builtin_fma(x, y, z))) \
    MIXED(R, f16) MIXED(R, bf16) \
    ROUNDED2(div_##R##_f32, R, f32, f32, f32, canon(x / y)) \
    ROUNDED2(div_##R##_ftz_f32, R, f32, f32, f32, canon(flush(flush(x) / flush(y)))) \
    ROUNDED2(div_##R##_f64, R, f64, f64, f64, canon64(x / y)) \
    ROUNDED1(rcp_##R##_f32, R, f32, f32, canon(1.0f / x)) \
    ROUNDED1(rcp_##R##_ftz_f32, R, f32, f32, canon(flush(1.0f / flush(x)))) \
    ROUNDED1(rcp_##R##_f64, R, f64, f64, canon64(1.0 / x)) \
    ROUNDED1(sqrt_##R##_f32, R, f32, f32, canon(__builtin_sqrtf(x))) \
    ROUNDED1(sqrt_##R##_ftz_f32, R, f32, f32, canon(flush(__builtin_sqrtf(flush(x))))) \
    ROUNDED1(sqrt_##R##_f64, R, f64, f64, canon64(__builtin_sqrt(x))) \
    ROUNDED1(cvt_##R##_f32_f64, R, f32, f64, canon((float)x)) \
    ROUNDED1(cvt_##R##_sat_f32_f64, R, f32, f64, saturate((float)x)) \
    ROUNDED1(cvt_##R##_ftz_f32_f64, R, f32, f64, canon(flush((float)x))) \
    ROUNDED1(cvt_##R##_ftz_sat_f32_f64, R, f32, f64, saturate(flush((float)x))) \
    INTEGERS(FROM_INT, R)
OPERATIONS(RZ)
OPERATIONS(RM)
OPERATIONS(RP)

#define FTZ WS_KEY_FTZ
#define SAT WS_KEY_SAT
#define ROWS_SAT(R, op, fn) \
    ROW(op, f32, KEY_ROUND(R), fn##_##R##_f32) ROW(op, f32, KEY_ROUND(R) | FTZ, fn##_##R##_ftz_f32) \
    ROW(op, f32, KEY_ROUND(R) | SAT, fn##_##R##_sat_f32) \
    ROW(op, f32, KEY_ROUND(R) | FTZ | SAT, fn##_##R##_ftz_sat_f32) ROW(op, f64, KEY_ROUND(R), fn##_##R##_f64)
#define ROWS_PLAIN(R, op) \
    ROW(op, f32, KEY_ROUND(R), op##_##R##_f32) ROW(op, f32, KEY_ROUND(R) | FTZ, op##_##R##_ftz_f32) \
    ROW(op, f64, KEY_ROUND(R), op##_##R##_f64)
#define ROWS_MIXED(R, op, type) \
    ROW2(op, f32, type, KEY_ROUND(R), op##_##R##_f32_##type) \
    ROW2(op, f32, type, KEY_ROUND(R) | SAT, op##_##R##_sat_f32_##type)
#define ROWS_FROM_INT(R, S) \
    ROW2(cvt, f32, S, KEY_ROUND(R), cvt_##R##_f32_##S) ROW2(cvt, f64, S, KEY_ROUND(R), cvt_##R##_f64_##S)
#define ROWS_CVT(R) \
    ROW2(cvt, f32, f64, KEY_ROUND(R), cvt_##R##_f32_f64) \
    ROW2(cvt, f32, f64, KEY_ROUND(R) | SAT, cvt_##R##_sat_f32_f64) \
    ROW2(cvt, f32, f64, KEY_ROUND(R) | FTZ, cvt_##R##_ftz_f32_f64) \
    ROW2(cvt, f32, f64, KEY_ROUND(R) | FTZ | SAT, cvt_##R##_ftz_sat_f32_f64) \
    INTEGERS(ROWS_FROM_INT, R)
#define ROWS_SUM(R, op) ROWS_SAT(R, op, op) ROWS_MIXED(R, op, f16) ROWS_MIXED(R, op, bf16)

#define FORMS_add ROWS_SUM(RZ, add) ROWS_SUM(RM, add) ROWS_SUM(RP, add)
#define FORMS_sub ROWS_SUM(RZ, sub) ROWS_SUM(RM, sub) ROWS_SUM(RP, sub)
#define FORMS_fma ROWS_SUM(RZ, fma) ROWS_SUM(RM, fma) ROWS_SUM(RP, fma)
#define FORMS_mul ROWS_SAT(RZ, mul, mul) ROWS_SAT(RM, mul, mul) ROWS_SAT(RP, mul, mul)
#define FORMS_mad ROWS_SAT(RZ, mad, fma) ROWS_SAT(RM, mad, fma) ROWS_SAT(RP, mad, fma)
#define FORMS_div ROWS_PLAIN(RZ, div) ROWS_PLAIN(RM, div) ROWS_PLAIN(RP, div)
#define FORMS_rcp ROWS_PLAIN(RZ, rcp) ROWS_PLAIN(RM, rcp) ROWS_PLAIN(RP, rcp)
#define FORMS_sqrt ROWS_PLAIN(RZ, sqrt) ROWS_PLAIN(RM, sqrt) ROWS_PLAIN(RP, sqrt)
#define FORMS_cvt ROWS_CVT(RZ) ROWS_CVT(RM) ROWS_CVT(RP)
#define OWN_round , LANES_FORMS
#define LANES_FILE round
#include "collect/simt/lanes_table.def"
