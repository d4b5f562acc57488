/* lanes_reference.h - exact numbers and their rounding to any binary format in 113-bit arithmetic, for the tests of
 * conversions and half precision. Slow and plain on purpose; shares nothing with the code under test. */
#ifndef LANES_REFERENCE_H
#define LANES_REFERENCE_H

#include "lanes_harness.h"

#include <math.h>

#ifdef __x86_64__
typedef __float128 quad;
#else
typedef long double quad; /* 113 bits on aarch64 */
#endif

typedef struct format {
    unsigned bits, exponent_bits, mantissa_bits;
    uint64_t nan;
} format;

static const format format_f16 = {16, 5, 10, 0x7fff};
static const format format_bf16 = {16, 8, 7, 0x7fff};
static const format format_tf32 = {19, 8, 10, 0}; /* the upper 19 bits of an f32 */
static const format format_f32 = {32, 8, 23, 0x7fffffff};
static const format format_f64 = {64, 11, 52, UINT64_C(0xfff8000000000000)};

/* A number as sources and results are: sign apart, so that zero has one. */
typedef struct number {
    bool nan, infinite, negative;
    quad size;  /* >= 0 */
    int sticky; /* the exact size is size, a little more (1) or a little less (-1) */
} number;

static inline quad power(int n)
{
    quad r = 1, square = 2;
    for (unsigned rest = (unsigned)(n < 0 ? -n : n); rest; rest >>= 1, square *= square)
        r *= rest & 1 ? square : 1;
    return n < 0 ? 1 / r : r;
}

static inline number decode(uint64_t raw, const format *f)
{
    const uint64_t mantissa = raw & ((UINT64_C(1) << f->mantissa_bits) - 1);
    const int top = (1 << f->exponent_bits) - 1, bias = top / 2, exponent = (int)(raw >> f->mantissa_bits) & top;
    number n = {.negative = (raw >> (f->bits - 1)) & 1};
    n.nan = exponent == top && mantissa;
    n.infinite = exponent == top && !mantissa;
    if (exponent < top)
        n.size = ((quad)mantissa + (exponent ? (quad)(UINT64_C(1) << f->mantissa_bits) : 0)) *
                 power((exponent ? exponent : 1) - bias - (int)f->mantissa_bits);
    return n;
}

/* Whether the integer n plus fraction (0 <= fraction < 1, and sticky) goes up. */
static inline bool goes_up(char mode, bool negative, bool odd, quad fraction, int sticky)
{
    const bool inexact = fraction > 0 || sticky > 0;
    switch (mode) {
    case 'z':
        return false;
    case 'm':
        return inexact && negative;
    case 'p':
        return inexact && !negative;
    case 'a':
        return fraction >= (quad)0.5; /* to nearest, ties away */
    default:
        return fraction > (quad)0.5 || (fraction == (quad)0.5 && (sticky > 0 || (sticky == 0 && odd)));
    }
}

/* Rounds to a format; mode n z m p a. */
static inline uint64_t encode(number n, const format *f, char mode)
{
    const int top = (1 << f->exponent_bits) - 1, bias = top / 2;
    const uint64_t sign = (uint64_t)n.negative << (f->bits - 1), infinity = (uint64_t)top << f->mantissa_bits;
    if (n.nan)
        return f->nan;
    if (n.infinite)
        return sign | infinity;
    if (n.size == 0)
        return sign;
    int exponent = 0; /* size = 1.x * 2^exponent, or the least normal exponent */
    quad scaled = n.size;
    for (int step = 512; step; step /= 2) {
        for (; scaled >= power(step); exponent += step)
            scaled /= power(step);
        for (; scaled < power(-step) && exponent - step > 1 - bias; exponent -= step)
            scaled *= power(step);
    }
    for (; scaled < 1 && exponent > 1 - bias; exponent--)
        scaled *= 2;
    for (; exponent < 1 - bias; exponent++)
        scaled /= 2;
    scaled *= (quad)(UINT64_C(1) << f->mantissa_bits);
    uint64_t whole = (uint64_t)scaled;
    quad fraction = scaled - (quad)whole;
    int sticky = n.sticky;
    if (fraction == 0 && sticky < 0) {
        whole--;
        fraction = (quad)0.75;
        sticky = 0;
    }
    if (goes_up(mode, n.negative, whole & 1, fraction, sticky))
        whole++;
    /* whole carries the leading bit: adding it to the exponent field below makes a carry right. */
    const uint64_t magnitude = ((uint64_t)(exponent + bias - 1) << f->mantissa_bits) + whole;
    if (magnitude < infinity)
        return sign | magnitude;
    const bool stays_finite = mode == 'z' || (mode == 'm' && !n.negative) || (mode == 'p' && n.negative);
    return sign | (stays_finite ? infinity - 1 : infinity);
}

/* Rounds to an integer and clamps. mode n z m p. */
static inline uint64_t encode_integer(number n, unsigned bits, bool is_signed, char mode, uint64_t nan)
{
    const unsigned __int128 cap = (unsigned __int128)1 << 100;
    unsigned __int128 whole = cap;
    if (n.nan)
        return nan;
    if (!n.infinite && n.size < power(100)) {
        whole = (unsigned __int128)n.size;
        whole += goes_up(mode, n.negative, whole & 1, n.size - (quad)whole, 0);
    }
    const __int128 value = n.negative ? -(__int128)whole : (__int128)whole;
    const __int128 high = is_signed ? ((__int128)1 << (bits - 1)) - 1 : ((__int128)1 << bits) - 1;
    const __int128 low = is_signed ? -((__int128)1 << (bits - 1)) : 0;
    const uint64_t clamped = (uint64_t)(value > high ? high : value < low ? low : value);
    return bits == 64 ? clamped : clamped & ((UINT64_C(1) << bits) - 1);
}

static inline number decode_integer(uint64_t raw, unsigned bits, bool is_signed)
{
    const uint64_t cut = bits == 64 ? raw : raw & ((UINT64_C(1) << bits) - 1);
    const bool negative = is_signed && (cut >> (bits - 1)) & 1;
    const uint64_t size = negative ? (bits == 64 ? 0 - cut : (UINT64_C(1) << bits) - cut) : cut;
    return (number){.negative = negative, .size = (quad)size};
}

/* .ftz and .sat. */
static inline number flush_number(number n, const format *f)
{
    if (!n.nan && !n.infinite && n.size < power(2 - (1 << (f->exponent_bits - 1))))
        n.size = 0, n.sticky = 0;
    return n;
}

static inline number saturate_number(number n)
{
    if (n.nan || n.negative)
        return (number){0};
    if (n.infinite || n.size > 1)
        return (number){.size = 1};
    return n;
}

#endif
