/* lanes_scalar_internal.h - values of one lane: register contents, and PTX rules for numbers.
 *
 * The code is branch-free where possible, so that a loop over lanes vectorises. */
#ifndef WS_LANES_SCALAR_INTERNAL_H
#define WS_LANES_SCALAR_INTERNAL_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A call that is not inlined prevents vectorisation of its loop. */
#define LANES_INLINE static inline __attribute__((always_inline))

/* The engine declares register words as uint32_t or uint64_t; floats alias the same memory. */
typedef float lane_f32 __attribute__((may_alias));
typedef double lane_f64 __attribute__((may_alias));
typedef uint32_t lane_u32 __attribute__((may_alias));
typedef uint64_t lane_u64 __attribute__((may_alias));
typedef int64_t lane_s64 __attribute__((may_alias));

/* NaN results. PTX specifies 0x7fffffff for f32 and leaves the payload open for f64, for which NVIDIA hardware returns
 * 0xfff8000000000000. One pattern each keeps all levels and operand orders bit-identical. */
#define CANONICAL_NAN_F32 0x7fffffffu
#define CANONICAL_NAN_F64 UINT64_C(0xfff8000000000000)
#define CANONICAL_NAN_F16 0x7fffu

LANES_INLINE float canon(float x)
{
    return ws_f32_from_bits(x == x ? ws_f32_bits(x) : CANONICAL_NAN_F32);
}

LANES_INLINE double canon64(double x)
{
    return ws_f64_from_bits(x == x ? ws_f64_bits(x) : CANONICAL_NAN_F64);
}

/* .ftz: subnormal becomes zero of the same sign. */
LANES_INLINE float flush(float x)
{
    const uint32_t u = ws_f32_bits(x);
    return ws_f32_from_bits((u & 0x7fffffffu) < 0x00800000u ? u & 0x80000000u : u);
}

/* .ftz of a result that may have been rounded up to the smallest normal number. The hardware flushes a result that is
 * subnormal when rounded to 24 bits with unbounded exponents. `scaled` is the result times 2^24, rounded in the same
 * way. */
LANES_INLINE float flush_rounded(float x, float scaled)
{
    return ws_f32_from_bits(__builtin_fabsf(scaled) < 0x1p-102f ? ws_f32_bits(x) & 0x80000000u : ws_f32_bits(x));
}

LANES_INLINE double flush64(double x)
{
    const uint64_t u = ws_f64_bits(x);
    return ws_f64_from_bits((u & INT64_MAX) < (UINT64_C(1) << 52) ? u & ~(uint64_t)INT64_MAX : u);
}

/* .sat on floats: clamp to [0, 1], NaN and -0 become +0. */
LANES_INLINE float saturate(float x)
{
    const float low = x > 0.0f ? x : 0.0f;
    return low < 1.0f ? low : 1.0f;
}

/* Minimum and maximum: -0 is below +0; a number is preferred to NaN, except with .NaN. */
LANES_INLINE float min_f32(float x, float y)
{
    const uint32_t smaller = x < y ? ws_f32_bits(x) : ws_f32_bits(y);
    const uint32_t numbers = x == y ? ws_f32_bits(x) | ws_f32_bits(y) : smaller;
    const float r = ws_f32_from_bits(x != x ? ws_f32_bits(y) : y != y ? ws_f32_bits(x) : numbers);
    return canon(r);
}

LANES_INLINE float max_f32(float x, float y)
{
    const uint32_t larger = x > y ? ws_f32_bits(x) : ws_f32_bits(y);
    const uint32_t numbers = x == y ? ws_f32_bits(x) & ws_f32_bits(y) : larger;
    const float r = ws_f32_from_bits(x != x ? ws_f32_bits(y) : y != y ? ws_f32_bits(x) : numbers);
    return canon(r);
}

LANES_INLINE double min_f64(double x, double y)
{
    const uint64_t smaller = x < y ? ws_f64_bits(x) : ws_f64_bits(y);
    const uint64_t numbers = x == y ? ws_f64_bits(x) | ws_f64_bits(y) : smaller;
    return canon64(ws_f64_from_bits(x != x ? ws_f64_bits(y) : y != y ? ws_f64_bits(x) : numbers));
}

LANES_INLINE double max_f64(double x, double y)
{
    const uint64_t larger = x > y ? ws_f64_bits(x) : ws_f64_bits(y);
    const uint64_t numbers = x == y ? ws_f64_bits(x) & ws_f64_bits(y) : larger;
    return canon64(ws_f64_from_bits(x != x ? ws_f64_bits(y) : y != y ? ws_f64_bits(x) : numbers));
}

LANES_INLINE float nan_wins(float x, float y, float r)
{
    return ws_f32_from_bits(x != x || y != y ? CANONICAL_NAN_F32 : ws_f32_bits(r));
}

/* .xorsign.abs: the result for the magnitudes, with the sign of the product. */
LANES_INLINE float sign_product(float x, float y, float r)
{
    return ws_f32_from_bits(r != r ? CANONICAL_NAN_F32
                                   : ws_f32_bits(r) | ((ws_f32_bits(x) ^ ws_f32_bits(y)) & 0x80000000u));
}

/* f16 -> f32, exact. Signalling and quiet NaN keep their payload; callers canonicalise results. */
LANES_INLINE float f32_of_f16(uint32_t h)
{
    const uint32_t sign = (h & 0x8000u) << 16;
    const uint32_t rest = (h & 0x7fffu) << 13;
    /* Normal numbers: rebias by 112. Infinity, NaN: by 224. Subnormal: make it normal by subtracting 2^-14. */
    const uint32_t special = (rest >= 0x0f800000u) ? 0x38000000u : 0u;
    const float normal = ws_f32_from_bits(rest + 0x38000000u + special);
    const float tiny = ws_f32_from_bits(rest + 0x38800000u) - ws_f32_from_bits(0x38800000u);
    /* In the mode that rounds down, that difference is -0 for 0: take the sign from h alone. */
    return ws_f32_from_bits((rest < 0x00800000u ? ws_f32_bits(tiny) & 0x7fffffffu : ws_f32_bits(normal)) | sign);
}

/* f32 -> f16, to nearest even; NaN is 0x7fff. */
LANES_INLINE uint32_t f16_of_f32(float x)
{
    const uint32_t u = ws_f32_bits(x);
    const uint32_t sign = (u >> 16) & 0x8000u;
    const uint32_t magnitude = u & 0x7fffffffu;
    /* Normal result: add half an ulp of f16 less one, plus the last kept bit, and truncate. */
    const uint32_t normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    /* Subnormal result: adding 0.5 lets the float adder round at 2^-24. */
    const uint32_t tiny =
        ws_f32_bits(ws_f32_from_bits(magnitude < 0x38800000u ? magnitude : 0u) + 0.5f) - ws_f32_bits(0.5f);
    uint32_t r = magnitude < 0x38800000u ? tiny : normal;
    r = magnitude >= 0x477ff000u ? 0x7c00u : r;
    r = magnitude > 0x7f800000u ? CANONICAL_NAN_F16 : (r | sign);
    return r;
}

/* The same with .ftz: zero if the number, rounded to 11 bits, is below 2^-14. */
LANES_INLINE uint32_t f16_ftz_of_f32(float x)
{
    const uint32_t r = f16_of_f32(x);
    return __builtin_fabsf(x) < 0x1.ffep-15f ? r & 0x8000u : r;
}

LANES_INLINE float f32_of_bf16(uint32_t h)
{
    return ws_f32_from_bits(h << 16);
}

/* f32 -> bf16, to nearest even; NaN is 0x7fff. */
LANES_INLINE uint32_t bf16_of_f32(float x)
{
    const uint32_t u = ws_f32_bits(x);
    const uint32_t r = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    return (u & 0x7fffffffu) > 0x7f800000u ? CANONICAL_NAN_F16 : r;
}

/* Types in registers (REG) and in expressions (VAL), and conversions between them. */
typedef lane_u32 REG_u8, REG_s8, REG_u16, REG_s16, REG_u32, REG_s32, REG_f16, REG_bf16;
typedef lane_u64 REG_u64, REG_s64;
typedef lane_f32 REG_f32;
typedef lane_f64 REG_f64;
typedef uint32_t VAL_u8, VAL_u16, VAL_u32;
typedef int32_t VAL_s8, VAL_s16, VAL_s32;
typedef uint64_t VAL_u64;
typedef int64_t VAL_s64;
typedef float VAL_f32, VAL_f16, VAL_bf16;
typedef double VAL_f64;

#define get_u8(r)   ((uint32_t)(uint8_t)(r))
#define get_u16(r)  ((uint32_t)(uint16_t)(r))
#define get_u32(r)  ((uint32_t)(r))
#define get_u64(r)  ((uint64_t)(r))
#define get_s8(r)   ((int32_t)(int8_t)(r))
#define get_s16(r)  ((int32_t)(int16_t)(r))
#define get_s32(r)  ((int32_t)(r))
#define get_s64(r)  ((int64_t)(r))
#define get_f16(r)  f32_of_f16(r)
#define get_bf16(r) f32_of_bf16(r)
#define get_f32(r)  ((float)(r))
#define get_f64(r)  ((double)(r))

#define put_u8(v)   ((uint32_t)(uint8_t)(v))
#define put_u16(v)  ((uint32_t)(uint16_t)(v))
#define put_u32(v)  ((uint32_t)(v))
#define put_u64(v)  ((uint64_t)(v))
#define put_s8(v)   ((uint32_t)(uint8_t)(v))
#define put_s16(v)  ((uint32_t)(uint16_t)(v))
#define put_s32(v)  ((uint32_t)(v))
#define put_s64(v)  ((uint64_t)(v))
#define put_f16(v)  f16_of_f32(v)
#define put_bf16(v) bf16_of_f32(v)
#define put_f32(v)  (v)
#define put_f64(v)  (v)

#endif
