/* lanes_level_pair.c - two numbers in a register: f32x2 arithmetic, and pairs of 8-bit floats as conversions know them.
 *
 * e4m3 and e5m2 follow Micikevicius and others, "FP8 Formats for Deep Learning", 2022: e4m3 has no infinity and one NaN
 * pattern a sign. Conversions into them always saturate (.satfinite), to nearest even; the PTX ISA gives NaN as 0x7f.
 */
/* clang-format off */
#include "collect/simt/lanes_fma_internal.h"
#include "collect/simt/lanes_loop_internal.h"

/* ---- f32x2 ---- */

LANES_INLINE float low_f32(uint64_t x)
{
    return ws_f32_from_bits((uint32_t)x);
}

LANES_INLINE float high_f32(uint64_t x)
{
    return ws_f32_from_bits((uint32_t)(x >> 32));
}

LANES_INLINE uint64_t pair_f32(float low, float high)
{
    return ws_f32_bits(low) | (uint64_t)ws_f32_bits(high) << 32;
}

#define ADD(p, q) canon((p) + (q))
#define SUB(p, q) canon((p) - (q))
#define MUL(p, q) canon((p) * (q))
#define ADD_FTZ(p, q) canon(flush(flush(p) + flush(q)))
#define SUB_FTZ(p, q) canon(flush(flush(p) - flush(q)))
#define MUL_FTZ(p, q) canon(flush(flush(p) * flush(q)))
#define FMA(p, q, r) canon(fma_f32(p, q, r))
#define FMA_FTZ(p, q, r) canon(flush(fma_f32(flush(p), flush(q), flush(r))))
#define BOTH2(OP) pair_f32(OP(low_f32(x), low_f32(y)), OP(high_f32(x), high_f32(y)))
#define BOTH3(OP) pair_f32(OP(low_f32(x), low_f32(y), low_f32(z)), OP(high_f32(x), high_f32(y), high_f32(z)))
LANES2(add_pair, u64, u64, u64, BOTH2(ADD))
LANES2(sub_pair, u64, u64, u64, BOTH2(SUB))
LANES2(mul_pair, u64, u64, u64, BOTH2(MUL))
LANES2(add_ftz_pair, u64, u64, u64, BOTH2(ADD_FTZ))
LANES2(sub_ftz_pair, u64, u64, u64, BOTH2(SUB_FTZ))
LANES2(mul_ftz_pair, u64, u64, u64, BOTH2(MUL_FTZ))
LANES3(fma_pair, u64, u64, u64, u64, BOTH3(FMA))
LANES3(fma_ftz_pair, u64, u64, u64, u64, BOTH3(FMA_FTZ))

/* ---- 8-bit floats ---- */

/* Fraction bits, the least normal exponent's f32 field, the power of two whose unit is the smallest number's, the
 * largest. */
#define NARROW8(name, fraction, least, magic, largest) \
    LANES_INLINE uint32_t name##_of_f32(float x) \
    { \
        const uint32_t u = ws_f32_bits(x), size = u & 0x7fffffffu, cut = 23 - (fraction); \
        const bool tiny = size < (uint32_t)(least) << 23; \
        const uint32_t normal = \
            (size - ((uint32_t)((least) - 1) << 23) + ((1u << (cut - 1)) - 1) + ((size >> cut) & 1u)) >> cut; \
        const uint32_t small = ws_f32_bits(ws_f32_from_bits(tiny ? size : 0u) + (magic)) - ws_f32_bits(magic); \
        const uint32_t r = tiny ? small : normal; \
        const uint32_t kept = size >= 0x47800000u || r > (largest) ? (largest) : r; \
        return size > 0x7f800000u ? 0x7fu : kept | (u >> 24 & 0x80u); \
    }
NARROW8(e4m3, 3, 121, 0x1p14f, 0x7eu)
NARROW8(e5m2, 2, 113, 0x1p7f, 0x7bu)

LANES_INLINE uint32_t f16_of_e4m3(uint32_t b)
{
    const uint32_t size = b & 0x7fu, sign = (b & 0x80u) << 8;
    const uint32_t normal = (size << 7) + 0x2000u; /* exponents differ by 8 */
    const uint32_t small = f16_of_f32((float)size * 0x1p-9f);
    return size == 0x7fu ? CANONICAL_NAN_F16 : (size < 8 ? small : normal) | sign;
}

LANES_INLINE uint32_t f16_of_e5m2(uint32_t b)
{
    return (b & 0x7fu) > 0x7cu ? CANONICAL_NAN_F16 : (b & 0xffu) << 8;
}

LANES_INLINE uint32_t relu8(uint32_t b)
{
    return b & 0x80u ? 0 : b;
}

LANES_INLINE uint32_t relu_half(uint32_t h)
{
    return h & 0x8000u ? 0 : h;
}

#define PLAIN(v) (v)
#define CONVERSIONS(X) \
    X(e4m3, , PLAIN, PLAIN) X(e4m3, _relu, relu8, relu_half) \
    X(e5m2, , PLAIN, PLAIN) X(e5m2, _relu, relu8, relu_half)
/* The first source goes into the upper half. */
#define DEFINE(type, name, AFTER8, AFTER16) \
    LANES2(cvt_##type##x2_f32##name, u32, f32, f32, AFTER8(type##_of_f32(x)) << 8 | AFTER8(type##_of_f32(y))) \
    LANES1(cvt_##type##x2_f16x2##name, u32, u32, \
           AFTER8(type##_of_f32(f32_of_f16(x >> 16))) << 8 | AFTER8(type##_of_f32(f32_of_f16(x & 0xffffu)))) \
    LANES1(cvt_f16x2_##type##x2##name, u32, u16, \
           AFTER16(f16_of_##type(x >> 8)) << 16 | AFTER16(f16_of_##type(x & 0xffu)))
CONVERSIONS(DEFINE)

#define MODS WS_KEY_SATFINITE
#define MODS_relu (WS_KEY_SATFINITE | WS_KEY_RELU)
#define BACK 0
#define BACK_relu WS_KEY_RELU
#define ROWS(type, name, AFTER8, AFTER16) \
    ROW2(cvt, type##x2, f32, KEY_RN | WS_KEY_PACK | MODS##name, cvt_##type##x2_f32##name) \
    ROW2(cvt, type##x2, f16x2, KEY_RN | MODS##name, cvt_##type##x2_f16x2##name) \
    ROW2(cvt, f16x2, type##x2, KEY_RN | BACK##name, cvt_f16x2_##type##x2##name)
#define FORMS_cvt CONVERSIONS(ROWS)
#define FORMS_add ROW(add, f32x2, KEY_RN, add_pair) ROW(add, f32x2, KEY_RN | WS_KEY_FTZ, add_ftz_pair)
#define FORMS_sub ROW(sub, f32x2, KEY_RN, sub_pair) ROW(sub, f32x2, KEY_RN | WS_KEY_FTZ, sub_ftz_pair)
#define FORMS_mul ROW(mul, f32x2, KEY_RN, mul_pair) ROW(mul, f32x2, KEY_RN | WS_KEY_FTZ, mul_ftz_pair)
#define FORMS_fma ROW(fma, f32x2, KEY_RN, fma_pair) ROW(fma, f32x2, KEY_RN | WS_KEY_FTZ, fma_ftz_pair)
#define OWN_pair , LANES_FORMS
#define LANES_FILE pair
#include "collect/simt/lanes_table.def"
