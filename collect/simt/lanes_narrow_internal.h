/* lanes_narrow_internal.h - conversion to f16, bf16 and tf32 with every rounding, by integer code on the bits of an
 * f32.
 *
 * A source wider than f32 is first rounded to odd as an f32 (f32_to_odd, f32_odd_of_*). The next rounding then gives
 * the same result as from the exact value. */
#ifndef WS_LANES_NARROW_INTERNAL_H
#define WS_LANES_NARROW_INTERNAL_H

#include "collect/simt/lanes_fma_internal.h"

/* Whether directed rounding steps away from zero. */
#define STEPS_RZ(sign) false
#define STEPS_RM(sign) ((sign) != 0)
#define STEPS_RP(sign) ((sign) == 0)

#define DEFINE_NARROW(RND) \
    LANES_INLINE uint32_t f16_##RND(float x) \
    { \
        const uint32_t u = ws_f32_bits(x), sign = (u >> 16) & 0x8000u, size = u & 0x7fffffffu; \
        const bool tiny = size < 0x38800000u; \
        const uint32_t wanted = 126 - (size >> 23); \
        const uint32_t shift = tiny ? (wanted > 31 ? 31 : wanted) : 13; \
        const uint32_t significand = (size < 0x00800000u ? 0 : 0x00800000u) | (size & 0x007fffffu); \
        const uint32_t from = tiny ? significand : size - 0x38000000u; \
        const bool inexact = (from & ((1u << shift) - 1)) != 0; \
        uint32_t r = (from >> shift) + (inexact && STEPS_##RND(sign) ? 1 : 0); \
        r = size >= 0x47800000u ? (STEPS_##RND(sign) || size == 0x7f800000u ? 0x7c00u : 0x7bffu) : r; \
        return size > 0x7f800000u ? CANONICAL_NAN_F16 : r | sign; \
    } \
    LANES_INLINE uint32_t bf16_##RND(float x) \
    { \
        const uint32_t u = ws_f32_bits(x); \
        const uint32_t r = (u >> 16) + ((u & 0xffffu) && STEPS_##RND(u >> 31) ? 1 : 0); \
        return (u & 0x7fffffffu) > 0x7f800000u ? CANONICAL_NAN_F16 : r; \
    }
DEFINE_NARROW(RZ)
DEFINE_NARROW(RM)
DEFINE_NARROW(RP)

LANES_INLINE uint32_t f16_RN(float x)
{
    return f16_of_f32(x);
}

LANES_INLINE uint32_t bf16_RN(float x)
{
    return bf16_of_f32(x);
}

/* tf32 is an f32 with 10 bits of mantissa. */
LANES_INLINE uint32_t tf32_keep(float x, uint32_t rounded)
{
    const uint32_t size = ws_f32_bits(x) & 0x7fffffffu;
    return size > 0x7f800000u ? CANONICAL_NAN_F32 : size == 0x7f800000u ? ws_f32_bits(x) : rounded & ~0x1fffu;
}

LANES_INLINE uint32_t tf32_RNA(float x)
{
    return tf32_keep(x, ws_f32_bits(x) + 0x1000u);
}

LANES_INLINE uint32_t tf32_RN(float x)
{
    return tf32_keep(x, ws_f32_bits(x) + 0xfffu + ((ws_f32_bits(x) >> 13) & 1u));
}

LANES_INLINE uint32_t tf32_RZ(float x)
{
    return tf32_keep(x, ws_f32_bits(x));
}

/* .satfinite: infinity becomes the largest number; .relu: negative numbers become +0. NaN is kept. */
LANES_INLINE uint32_t finite16(uint32_t h, uint32_t infinity)
{
    return (h & 0x7fffu) == infinity ? h - 1 : h;
}

LANES_INLINE uint32_t relu16(uint32_t h)
{
    return (h & 0x8000u) && h != 0xffffu ? 0 : h;
}

LANES_INLINE uint32_t finite_tf32(uint32_t u)
{
    return (u & 0x7fffffffu) == 0x7f800000u ? u - 0x2000u : u;
}

LANES_INLINE uint32_t relu_tf32(uint32_t u)
{
    return u >> 31 ? 0 : u;
}

/* Convert integers to f32, rounded to odd. */
LANES_INLINE float f32_odd_of_u64(uint64_t x)
{
    /* Keep 53 bits, the last one sticky, so that the double is exact. */
    const uint64_t cut = x >> 53 ? (x & ~UINT64_C(0xfff)) | ((x & 0xfff) ? UINT64_C(0x800) : 0) : x;
    return f32_to_odd((double)cut);
}

LANES_INLINE float f32_odd_of_s64(int64_t x)
{
    const float r = f32_odd_of_u64(x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
    return x < 0 ? -r : r;
}

#endif
