/* lanes_fma_internal.h - fused multiply-add with one rounding, also on machines without the instruction.
 *
 * The f32 form without hardware support computes in double. There the product of two floats is exact, and the sum is
 * rounded to odd. Rounding an odd 53-bit result to 24 bits (or 11, or 8) equals rounding the exact value. Source: Boldo
 * and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE TC
 * 2008. */
#ifndef WS_LANES_FMA_INTERNAL_H
#define WS_LANES_FMA_INTERNAL_H

#include "collect/simt/lanes_scalar_internal.h"

#include <math.h>

/* Returns x * y + z of floats as a double rounded to odd. */
LANES_INLINE double fma_to_odd(float x, float y, float z)
{
    const double product = (double)x * (double)y;
    const double addend = (double)z;
    const double sum = product + addend;
    /* Two-sum (Knuth): sum + error == product + addend exactly. */
    const double virtual_addend = sum - product;
    const double error = (product - (sum - virtual_addend)) + (addend - virtual_addend);
    const uint64_t bits = ws_f64_bits(sum);
    /* Inexact with an even last bit: step towards the exact value, which makes it odd. */
    const bool inexact = __builtin_fabs(error) > 0.0; /* false for infinities, whose error is NaN */
    const bool away = (error > 0.0) == (sum > 0.0);
    const uint64_t step = inexact && (bits & 1) == 0 ? (away ? UINT64_C(1) : ~UINT64_C(0)) : 0;
    return ws_f64_from_bits(bits + step);
}

LANES_INLINE float fma_f32(float x, float y, float z)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fmaf(x, y, z);
#else
    return (float)fma_to_odd(x, y, z);
#endif
}

/* The same with .ftz, for flushed sources: the threshold is where 24 bits round up to 2^-126. */
LANES_INLINE float fma_ftz_f32(float x, float y, float z)
{
#if defined(__FMA__) || defined(__aarch64__)
    return flush_rounded(__builtin_fmaf(x, y, z), __builtin_fmaf(x * 0x1p24f, y, z * 0x1p24f));
#else
    const double sum = fma_to_odd(x, y, z);
    const uint32_t r = ws_f32_bits((float)sum);
    return ws_f32_from_bits(__builtin_fabs(sum) < 0x1.ffffffp-127 ? r & 0x80000000u : r);
#endif
}

LANES_INLINE double fma_f64(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}

/* Rounds a double to single precision, to odd: the intermediate step to f16 and bf16. */
LANES_INLINE float f32_to_odd(double x)
{
    const float r = (float)x;
    const uint32_t u = ws_f32_bits(r);
    const double error = x - (double)r;
    const bool inexact = __builtin_fabs(error) > 0.0;
    const bool away = (error > 0.0) == (x > 0.0);
    const uint32_t step = inexact && (u & 1) == 0 ? (away ? 1u : ~0u) : 0;
    return ws_f32_from_bits(u + step);
}

#endif
