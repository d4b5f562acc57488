/* lanes_level_float.c - f32 and f64 arithmetic of 32 lanes, rounded to nearest: add to division, minimum, maximum. */
/* clang-format off */
#include "collect/simt/lanes_fma_internal.h"
#include "collect/simt/lanes_loop_internal.h"

#define ADD(p, q) ((p) + (q))
#define SUB(p, q) ((p) - (q))
#define MUL(p, q) ((p) * (q))

/* With .ftz. Sums that are subnormal are exact. */
#define SCALE 0x1p24f
#define ADD_FTZ(p, q) flush((p) + (q))
#define SUB_FTZ(p, q) flush((p) - (q))
#define MUL_FTZ(p, q) flush_rounded((p) * (q), ((p) * SCALE) * (q))
#define DIV_FTZ(p, q) flush_rounded((p) / (q), ((p) * SCALE) / (q))

/* Plain, .ftz, .sat and .ftz.sat of a two-source operation. */
#define FLAVOURS2(op, OP, OP_FTZ) \
    LANES2(op##_f32, f32, f32, f32, canon(OP(x, y))) \
    LANES2(op##_ftz_f32, f32, f32, f32, canon(OP_FTZ(flush(x), flush(y)))) \
    LANES2(op##_sat_f32, f32, f32, f32, saturate(OP(x, y))) \
    LANES2(op##_ftz_sat_f32, f32, f32, f32, saturate(OP_FTZ(flush(x), flush(y)))) \
    LANES2(op##_f64, f64, f64, f64, canon64(OP(x, y)))
FLAVOURS2(add, ADD, ADD_FTZ)
FLAVOURS2(sub, SUB, SUB_FTZ)
FLAVOURS2(mul, MUL, MUL_FTZ)

LANES3(fma_f32_rn, f32, f32, f32, f32, canon(fma_f32(x, y, z)))
LANES3(fma_ftz_f32_rn, f32, f32, f32, f32, canon(fma_ftz_f32(flush(x), flush(y), flush(z))))
LANES3(fma_sat_f32_rn, f32, f32, f32, f32, saturate(fma_f32(x, y, z)))
LANES3(fma_ftz_sat_f32_rn, f32, f32, f32, f32, saturate(fma_ftz_f32(flush(x), flush(y), flush(z))))
LANES3(fma_f64_rn, f64, f64, f64, f64, canon64(fma_f64(x, y, z)))

/* Mixed precision: f16 or bf16 sources, f32 sum. */
#define MIXED(type) \
    LANES2(add_f32_##type, f32, type, f32, canon(x + y)) \
    LANES2(add_sat_f32_##type, f32, type, f32, saturate(x + y)) \
    LANES2(sub_f32_##type, f32, type, f32, canon(x - y)) \
    LANES2(sub_sat_f32_##type, f32, type, f32, saturate(x - y)) \
    LANES3(fma_f32_##type, f32, type, type, f32, canon(fma_f32(x, y, z))) \
    LANES3(fma_sat_f32_##type, f32, type, type, f32, saturate(fma_f32(x, y, z)))
MIXED(f16)
MIXED(bf16)

/* Division and roots rounded to nearest; .approx and .full stay within their bounds by being exact to half an ulp. */
LANES2(div_f32, f32, f32, f32, canon(x / y))
LANES2(div_ftz_f32, f32, f32, f32, canon(DIV_FTZ(flush(x), flush(y))))
LANES2(div_f64, f64, f64, f64, canon64(x / y))
LANES1(rcp_f32, f32, f32, canon(1.0f / x))
LANES1(rcp_ftz_f32, f32, f32, canon(DIV_FTZ(1.0f, flush(x))))
LANES1(rcp_f64, f64, f64, canon64(1.0 / x))
LANES1(sqrt_f32, f32, f32, canon(__builtin_sqrtf(x)))
LANES1(sqrt_ftz_f32, f32, f32, canon(flush(__builtin_sqrtf(flush(x)))))
LANES1(sqrt_f64, f64, f64, canon64(__builtin_sqrt(x)))

/* div.approx multiplies by a reciprocal that is zero when 2^126 < |b| < 2^128: the quotient is then 0, or NaN for an
 * infinite dividend (PTX ISA, div). */
static inline float div_approximately(float x, float y)
{
    const float size = __builtin_fabsf(y);
    const bool vanishes = size > 0x1p126f && size <= 0x1.fffffep127f;
    const float quotient = x / y;
    const float nothing = x * ws_f32_from_bits(ws_f32_bits(y) & 0x80000000u);
    return ws_f32_from_bits(vanishes ? ws_f32_bits(nothing) : ws_f32_bits(quotient));
}
LANES2(div_approx_f32, f32, f32, f32, canon(div_approximately(x, y)))
LANES2(div_approx_ftz_f32, f32, f32, f32, canon(flush(div_approximately(flush(x), flush(y)))))

/* rcp.approx.ftz.f64, rsqrt.approx.ftz.f64: only the upper word counts, of source and of result. */
static inline double upper_word(double x)
{
    return ws_f64_from_bits(x == x ? ws_f64_bits(x) & 0xffffffff00000000u : CANONICAL_NAN_F64);
}

LANES1(rcp_approx_ftz_f64, f64, f64, canon64(flush64(upper_word(1.0 / flush64(upper_word(x))))))
LANES1(rsqrt_approx_ftz_f64, f64, f64, canon64(flush64(upper_word(1.0 / __builtin_sqrt(flush64(upper_word(x)))))))
LANES1(rsqrt_approx_f64, f64, f64, canon64(1.0 / __builtin_sqrt(x)))
LANES1(rsqrt_approx_f32, f32, f32, canon(1.0f / __builtin_sqrtf(x)))
LANES1(rsqrt_approx_ftz_f32, f32, f32, canon(1.0f / __builtin_sqrtf(flush(x))))

/* Signs. A NaN of f32 becomes the canonical one, as if the hardware added a zero; f64 keeps its payload. */
LANES1(abs_f32, f32, f32, canon(__builtin_fabsf(x)))
LANES1(abs_ftz_f32, f32, f32, canon(flush(__builtin_fabsf(x))))
LANES1(abs_f64, u64, u64, x & (uint64_t)INT64_MAX)
LANES1(neg_f32, f32, f32, canon(-x))
LANES1(neg_ftz_f32, f32, f32, canon(flush(-x)))
LANES1(neg_f64, u64, u64, x ^ (UINT64_C(1) << 63))
LANES2(copysign_f32, u32, u32, u32, (x & 0x80000000u) | (y & 0x7fffffffu))
LANES2(copysign_f64, u64, u64, u64, (x & (UINT64_C(1) << 63)) | (y & (uint64_t)INT64_MAX))

/* Minimum and maximum in all their forms. */
#define MAG(p) __builtin_fabsf(p)
#define EXTREMES(op) \
    LANES2(op##_f32_, f32, f32, f32, op##_f32(x, y)) \
    LANES2(op##_ftz_f32, f32, f32, f32, op##_f32(flush(x), flush(y))) \
    LANES2(op##_nan_f32, f32, f32, f32, nan_wins(x, y, op##_f32(x, y))) \
    LANES2(op##_ftz_nan_f32, f32, f32, f32, nan_wins(x, y, op##_f32(flush(x), flush(y)))) \
    LANES2(op##_xs_f32, f32, f32, f32, sign_product(x, y, op##_f32(MAG(x), MAG(y)))) \
    LANES2(op##_ftz_xs_f32, f32, f32, f32, sign_product(x, y, op##_f32(MAG(flush(x)), MAG(flush(y))))) \
    LANES2(op##_nan_xs_f32, f32, f32, f32, sign_product(x, y, nan_wins(x, y, op##_f32(MAG(x), MAG(y))))) \
    LANES2(op##_ftz_nan_xs_f32, f32, f32, f32, \
           sign_product(x, y, nan_wins(x, y, op##_f32(MAG(flush(x)), MAG(flush(y)))))) \
    LANES2(op##_f64_, f64, f64, f64, op##_f64(x, y))
EXTREMES(min)
EXTREMES(max)

/* Of three sources. */
#define PLAIN(p) (p)
#define NAN3(r) nan_wins(x, y, nan_wins(z, z, r))
#define EXTREME3(op, suffix, IN, OUT) \
    LANES3(op##3##suffix##_f32, f32, f32, f32, f32, OUT(op##_f32(op##_f32(IN(x), IN(y)), IN(z))))
#define FLUSH_MAG(p) MAG(flush(p))
#define EXTREMES3(op) \
    EXTREME3(op, , PLAIN, PLAIN) \
    EXTREME3(op, _ftz, flush, PLAIN) \
    EXTREME3(op, _nan, PLAIN, NAN3) \
    EXTREME3(op, _ftz_nan, flush, NAN3) \
    EXTREME3(op, _abs, MAG, PLAIN) \
    EXTREME3(op, _ftz_abs, FLUSH_MAG, PLAIN) \
    EXTREME3(op, _nan_abs, MAG, NAN3) \
    EXTREME3(op, _ftz_nan_abs, FLUSH_MAG, NAN3)
EXTREMES3(min)
EXTREMES3(max)

#define XS (WS_KEY_XORSIGN | WS_KEY_ABS)
#define ROWS_FLAVOURS2(op) \
    ROW(op, f32, KEY_RN, op##_f32) ROW(op, f32, KEY_RN | WS_KEY_FTZ, op##_ftz_f32) \
    ROW(op, f32, KEY_RN | WS_KEY_SAT, op##_sat_f32) ROW(op, f32, KEY_RN | WS_KEY_FTZ | WS_KEY_SAT, op##_ftz_sat_f32) \
    ROW(op, f64, KEY_RN, op##_f64)
#define ROWS_FMA(op) \
    ROW(op, f32, KEY_RN, fma_f32_rn) ROW(op, f32, KEY_RN | WS_KEY_FTZ, fma_ftz_f32_rn) \
    ROW(op, f32, KEY_RN | WS_KEY_SAT, fma_sat_f32_rn) \
    ROW(op, f32, KEY_RN | WS_KEY_FTZ | WS_KEY_SAT, fma_ftz_sat_f32_rn) \
    ROW(op, f64, KEY_RN, fma_f64_rn)
#define ROWS_MIXED(op, type) \
    ROW2(op, f32, type, KEY_RN, op##_f32_##type) ROW2(op, f32, type, KEY_RN | WS_KEY_SAT, op##_sat_f32_##type)
#define ROWS_EXTREMES(op) \
    ROW(op, f32, 0, op##_f32_) ROW(op, f32, WS_KEY_FTZ, op##_ftz_f32) ROW(op, f32, WS_KEY_NAN, op##_nan_f32) \
    ROW(op, f32, WS_KEY_FTZ | WS_KEY_NAN, op##_ftz_nan_f32) ROW(op, f32, XS, op##_xs_f32) \
    ROW(op, f32, XS | WS_KEY_FTZ, op##_ftz_xs_f32) ROW(op, f32, XS | WS_KEY_NAN, op##_nan_xs_f32) \
    ROW(op, f32, XS | WS_KEY_FTZ | WS_KEY_NAN, op##_ftz_nan_xs_f32) ROW(op, f64, 0, op##_f64_)
#define ROW_EXTREME3(op, suffix, mods) ROW(op, f32, WS_KEY_THREE | (mods), op##3##suffix##_f32)
#define ROWS_EXTREMES3(op) \
    ROW_EXTREME3(op, , 0) ROW_EXTREME3(op, _ftz, WS_KEY_FTZ) ROW_EXTREME3(op, _nan, WS_KEY_NAN) \
    ROW_EXTREME3(op, _ftz_nan, WS_KEY_FTZ | WS_KEY_NAN) ROW_EXTREME3(op, _abs, WS_KEY_ABS) \
    ROW_EXTREME3(op, _ftz_abs, WS_KEY_FTZ | WS_KEY_ABS) ROW_EXTREME3(op, _nan_abs, WS_KEY_NAN | WS_KEY_ABS) \
    ROW_EXTREME3(op, _ftz_nan_abs, WS_KEY_FTZ | WS_KEY_NAN | WS_KEY_ABS)

#define FORMS_add ROWS_FLAVOURS2(add) ROWS_MIXED(add, f16) ROWS_MIXED(add, bf16)
#define FORMS_sub ROWS_FLAVOURS2(sub) ROWS_MIXED(sub, f16) ROWS_MIXED(sub, bf16)
#define FORMS_mul ROWS_FLAVOURS2(mul)
#define FORMS_fma ROWS_FMA(fma) ROWS_MIXED(fma, f16) ROWS_MIXED(fma, bf16)
#define FORMS_mad ROWS_FMA(mad)
#define FORMS_div \
    ROW(div, f32, KEY_RN, div_f32) ROW(div, f32, KEY_RN | WS_KEY_FTZ, div_ftz_f32) ROW(div, f64, KEY_RN, div_f64) \
    ROW(div, f32, WS_KEY_FULL, div_f32) ROW(div, f32, WS_KEY_FULL | WS_KEY_FTZ, div_ftz_f32) \
    ROW(div, f32, WS_KEY_APPROX, div_approx_f32) ROW(div, f32, WS_KEY_APPROX | WS_KEY_FTZ, div_approx_ftz_f32)
#define FORMS_rcp \
    ROW(rcp, f32, KEY_RN, rcp_f32) ROW(rcp, f32, KEY_RN | WS_KEY_FTZ, rcp_ftz_f32) ROW(rcp, f64, KEY_RN, rcp_f64) \
    ROW(rcp, f32, WS_KEY_APPROX, rcp_f32) ROW(rcp, f32, WS_KEY_APPROX | WS_KEY_FTZ, rcp_ftz_f32) \
    ROW(rcp, f64, WS_KEY_APPROX | WS_KEY_FTZ, rcp_approx_ftz_f64)
#define FORMS_sqrt \
    ROW(sqrt, f32, KEY_RN, sqrt_f32) ROW(sqrt, f32, KEY_RN | WS_KEY_FTZ, sqrt_ftz_f32) \
    ROW(sqrt, f64, KEY_RN, sqrt_f64) \
    ROW(sqrt, f32, WS_KEY_APPROX, sqrt_f32) ROW(sqrt, f32, WS_KEY_APPROX | WS_KEY_FTZ, sqrt_ftz_f32)
#define FORMS_rsqrt \
    ROW(rsqrt, f32, WS_KEY_APPROX, rsqrt_approx_f32) ROW(rsqrt, f32, WS_KEY_APPROX | WS_KEY_FTZ, rsqrt_approx_ftz_f32) \
    ROW(rsqrt, f64, WS_KEY_APPROX, rsqrt_approx_f64) ROW(rsqrt, f64, WS_KEY_APPROX | WS_KEY_FTZ, rsqrt_approx_ftz_f64)
#define FORMS_abs ROW(abs, f32, 0, abs_f32) ROW(abs, f32, WS_KEY_FTZ, abs_ftz_f32) ROW(abs, f64, 0, abs_f64)
#define FORMS_neg ROW(neg, f32, 0, neg_f32) ROW(neg, f32, WS_KEY_FTZ, neg_ftz_f32) ROW(neg, f64, 0, neg_f64)
#define FORMS_copysign ROW(copysign, f32, 0, copysign_f32) ROW(copysign, f64, 0, copysign_f64)
#define FORMS_min ROWS_EXTREMES(min) ROWS_EXTREMES3(min)
#define FORMS_max ROWS_EXTREMES(max) ROWS_EXTREMES3(max)
#define OWN_float , LANES_FORMS
#define LANES_FILE float
#include "collect/simt/lanes_table.def"
