/* lanes_level_special.c - sine, cosine, logarithm, power of two and hyperbolic tangent of 32 lanes.
 *
 * Own polynomials in plain arithmetic without fma, so that every level gives the same bits. Error bounds of the PTX ISA
 * (sin, cos: absolute 2^-20.5 within one turn; lg2: absolute 2^-22 in [0.5, 2], relative 2^-22.6 beyond; ex2: relative
 * 2^-22.5; tanh: relative 2^-11) are met with room. */
/* clang-format off */
#define LANES_LARGE
#include "collect/simt/lanes_loop_internal.h"
#include "collect/simt/lanes_narrow_internal.h"

/* Adding and subtracting 1.5 * 2^23 (2^52) rounds a small float (double) to an integer, to nearest even. */
#define ROUND_F32 0x1.8p23f
#define ROUND_F64 0x1.8p52

/* 2^n for -126 <= n <= 127. */
LANES_INLINE float power_of_two(int32_t n)
{
    return ws_f32_from_bits((uint32_t)(n + 127) << 23);
}

/* 2^x: x = n + f, |f| <= 1/2; Taylor series of 2^f to f^7, remainder below 6e-9. The factor 2^n is applied in two
 * steps, so that a subnormal result is rounded once, in the last product. */
LANES_INLINE float exp2_f32(float x)
{
    const float low = x > -160.0f ? x : -160.0f;
    const float inside = low < 128.0f ? low : 128.0f;
    const float whole = (inside + ROUND_F32) - ROUND_F32;
    const float f = inside - whole;
    float p = 1.5252734e-5f;
    p = p * f + 1.5403530e-4f;
    p = p * f + 1.3333558e-3f;
    p = p * f + 9.6181291e-3f;
    p = p * f + 5.5504109e-2f;
    p = p * f + 2.4022651e-1f;
    p = p * f + 6.9314718e-1f;
    p = p * f + 1.0f;
    const int32_t n = (int32_t)whole, half = n >> 1;
    const float r = p * power_of_two(half) * power_of_two(n - half);
    return ws_f32_from_bits(x != x ? CANONICAL_NAN_F32 : x >= 128.0f ? 0x7f800000u : ws_f32_bits(r));
}

/* log2(x): x = 2^e * m, m in [sqrt(1/2), sqrt(2)); with s = (m - 1) / (m + 1), log2(m) = 2 / ln 2 * (s + s^3/3 + ...),
 * in double so that results near 0 keep their relative accuracy. */
LANES_INLINE float log2_f32(float x)
{
    const bool tiny = ws_f32_bits(x) < 0x00800000u;
    const uint32_t u = ws_f32_bits(tiny ? x * 0x1p24f : x);
    /* 0x3f3504f3 is sqrt(1/2): the subtraction leaves the exponent relative to it in the upper bits. */
    const int32_t shifted = (int32_t)(u - 0x3f3504f3u) >> 23;
    const float m = ws_f32_from_bits(u - ((uint32_t)shifted << 23));
    const double e = (double)(shifted - (tiny ? 24 : 0));
    const double s = ((double)m - 1.0) / ((double)m + 1.0);
    const double s2 = s * s;
    double p = 1.0 / 13.0;
    p = p * s2 + 1.0 / 11.0;
    p = p * s2 + 1.0 / 9.0;
    p = p * s2 + 1.0 / 7.0;
    p = p * s2 + 1.0 / 5.0;
    p = p * s2 + 1.0 / 3.0;
    p = p * s2 + 1.0;
    const float r = (float)(e + p * s * 2.8853900817779268);
    const uint32_t in = ws_f32_bits(x);
    uint32_t out = ws_f32_bits(r);
    out = in == 0x7f800000u ? in : out;
    out = (in & 0x7fffffffu) == 0 ? 0xff800000u : out;
    const bool invalid = x != x || (in > 0x80000000u);
    return ws_f32_from_bits(invalid ? CANONICAL_NAN_F32 : out);
}

/* tanh(x): 1 - 2 / (e^2|x| + 1), or its series where that would cancel. */
LANES_INLINE float tanh_f32(float x)
{
    const float a = __builtin_fabsf(x);
    const float small = a - a * a * a * 0.33333333f;
    const float large = 1.0f - 2.0f / (exp2_f32(a * 2.8853901f) + 1.0f);
    const float r = a < 0x1p-6f ? small : large;
    return ws_f32_from_bits(x != x ? CANONICAL_NAN_F32 : ws_f32_bits(r) | (ws_f32_bits(x) & 0x80000000u));
}

LANES1(ex2_f32, f32, f32, exp2_f32(x))
LANES1(ex2_ftz_f32, f32, f32, flush(exp2_f32(flush(x))))
LANES1(ex2_f16, f16, f16, exp2_f32(x))
LANES1(ex2_bf16, bf16, bf16, flush(exp2_f32(flush(x))))
LANES1(lg2_f32, f32, f32, log2_f32(x))
LANES1(lg2_ftz_f32, f32, f32, log2_f32(flush(x)))
LANES1(tanh_f32_, f32, f32, tanh_f32(x))
LANES1(tanh_f16, f16, f16, tanh_f32(x))
LANES1(tanh_bf16, bf16, bf16, tanh_f32(x))

#define PAIR(name, type) \
    LANES1(name##_x2, u32, u32, put_##type(name##_lane(get_##type(x & 0xffffu))) | \
                                    put_##type(name##_lane(get_##type(x >> 16))) << 16)
PAIR(ex2_f16, f16)
PAIR(ex2_bf16, bf16)
PAIR(tanh_f16, f16)
PAIR(tanh_bf16, bf16)

/* Angle as k quarter turns and a rest r, |r| <= pi/4. Up to 2^28 the products with the two 24-bit parts of pi/2 are
 * exact (Cody and Waite); larger angles are patched afterwards, see huge_angle. */
#define ANGLE_LIMIT 0x1p28f

typedef struct angle {
    double r;
    int32_t quarter;
} angle;

LANES_INLINE angle reduce(float x)
{
    const double a = __builtin_fabsf(x) < ANGLE_LIMIT ? (double)x : 0.0;
    const double k = (a * 0.63661977236758134 + ROUND_F64) - ROUND_F64;
    double r = a - k * 0x1.921fb4p0;
    r = r - k * 0x1.4442d0p-24;
    r = r - k * 0x1.8469898cc5170p-48;
    return (angle){ r, (int32_t)k };
}

/* sin (sine true) or cos of quarter * pi/2 + r. */
LANES_INLINE float wave(angle a, int32_t start)
{
    const double z = a.r * a.r;
    double s = 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    s = (s * z + 1.0) * a.r; /* keeps the sign of a zero */
    double c = 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    c = c * z - 0.5;
    c = c * z + 1.0;
    const int32_t quarter = a.quarter + start;
    const float r = (float)(quarter & 1 ? c : s);
    return quarter & 2 ? -r : r;
}

/* 2 / pi after the binary point. */
static const uint32_t two_over_pi[8] = { 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                         0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u };

/* Payne and Hanek: of x * 2/pi only the bits around the binary point matter. x is finite, |x| >= 2^24. */
static angle huge_angle(float x)
{
    const uint32_t u = ws_f32_bits(x);
    const uint64_t m = (u & 0x007fffffu) | 0x00800000u;
    const unsigned skip = ((u >> 23) & 0xffu) - 150 - 2; /* bits of 2/pi that only make whole turns */
    const unsigned word = skip / 32, shift = skip % 32;
    unsigned __int128 window = 0;
    for (unsigned k = 0; k < 4; k++)
        window = window << 32 | (word + k < 8 ? two_over_pi[word + k] : 0);
    window = window << shift >> 32;
    /* 96 bits of weight 2^1 downwards; the product modulo 4 is in their place. */
    const unsigned __int128 product = (window * m) << 32 >> 32;
    int32_t quarter = (int32_t)(product >> 94);
    double fraction = (double)(uint64_t)((product >> 41) & ((UINT64_C(1) << 53) - 1)) * 0x1p-53;
    if (fraction >= 0.5) {
        fraction -= 1.0;
        quarter++;
    }
    const double r = fraction * 1.5707963267948966;
    return u >> 31 ? (angle){ -r, -quarter } : (angle){ r, quarter };
}

static void patch_huge(void *dp, const float *x, int32_t start, const ws_mask *m)
{
    lane_f32 *const d = dp;
    for (int i = 0; i < WS_WARP; i++) {
        if (!m->lane[i] || !(__builtin_fabsf(x[i]) >= ANGLE_LIMIT))
            continue;
        const bool finite = __builtin_fabsf(x[i]) <= 0x1.fffffep127f;
        d[i] = finite ? wave(huge_angle(x[i]), start) : ws_f32_from_bits(CANONICAL_NAN_F32);
    }
}

#define WAVE(name, start, IN) \
    LANES1(name##_small, f32, f32, canon(x != x ? x : wave(reduce(IN(x)), start))) \
    static void name(LANES_ARGUMENTS) \
    { \
        LANES_IN(REG_f32, a, ap); \
        _Alignas(64) float x[WS_WARP]; \
        int32_t huge = 0; \
        LANES_FOR \
        { \
            x[i] = a[i]; \
            huge |= __builtin_fabsf(a[i]) >= ANGLE_LIMIT; \
        } \
        name##_small(dp, ap, bp, cp, ep, m); \
        if (__builtin_expect(huge, 0)) \
            patch_huge(dp, x, start, m); \
    }
#define SAME(x) (x)
WAVE(sin_f32, 0, SAME)
WAVE(sin_ftz_f32, 0, flush)
WAVE(cos_f32, 1, SAME)
WAVE(cos_ftz_f32, 1, flush)

#define APPROX WS_KEY_APPROX
#define FORMS_ex2 \
    ROW(ex2, f32, APPROX, ex2_f32) ROW(ex2, f32, APPROX | WS_KEY_FTZ, ex2_ftz_f32) \
    ROW(ex2, f16, APPROX, ex2_f16) ROW(ex2, f16x2, APPROX, ex2_f16_x2) \
    ROW(ex2, bf16, APPROX | WS_KEY_FTZ, ex2_bf16) ROW(ex2, bf16x2, APPROX | WS_KEY_FTZ, ex2_bf16_x2)
#define FORMS_lg2 ROW(lg2, f32, APPROX, lg2_f32) ROW(lg2, f32, APPROX | WS_KEY_FTZ, lg2_ftz_f32)
#define FORMS_tanh \
    ROW(tanh, f32, APPROX, tanh_f32_) ROW(tanh, f16, APPROX, tanh_f16) ROW(tanh, f16x2, APPROX, tanh_f16_x2) \
    ROW(tanh, bf16, APPROX, tanh_bf16) ROW(tanh, bf16x2, APPROX, tanh_bf16_x2)
#define FORMS_sin ROW(sin, f32, APPROX, sin_f32) ROW(sin, f32, APPROX | WS_KEY_FTZ, sin_ftz_f32)
#define FORMS_cos ROW(cos, f32, APPROX, cos_f32) ROW(cos, f32, APPROX | WS_KEY_FTZ, cos_ftz_f32)
#define OWN_special , LANES_FORMS
#define LANES_FILE special
#include "collect/simt/lanes_table.def"
