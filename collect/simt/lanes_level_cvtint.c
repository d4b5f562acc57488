/* lanes_level_cvtint.c - cvt from and to integers of 32 lanes, where the machine's rounding mode stays as it is. */
/* clang-format off */
#define LANES_LARGE
#include "collect/simt/lanes_loop_internal.h"

#include <math.h>

/* Between integers. Without .sat the value is cut to the destination's width, whatever its sign. */
#define SOURCES(X, D) X(D, u8) X(D, u16) X(D, u32) X(D, u64) X(D, s8) X(D, s16) X(D, s32) X(D, s64)
#define DEFINE(D, S) LANES1(cvt_##D##_##S, D, S, (VAL_##D)x)
SOURCES(DEFINE, u8)
SOURCES(DEFINE, u16)
SOURCES(DEFINE, u32)
SOURCES(DEFINE, u64)
#undef DEFINE

static inline int64_t clamp_signed(int64_t x, int64_t low, int64_t high)
{
    const int64_t top = x > high ? high : x;
    return top < low ? low : top;
}

static inline uint64_t clamp_unsigned(uint64_t x, uint64_t high)
{
    return x > high ? high : x;
}

#define LOW_u8 0
#define LOW_u16 0
#define LOW_u32 0
#define LOW_u64 0
#define LOW_s8 INT8_MIN
#define LOW_s16 INT16_MIN
#define LOW_s32 INT32_MIN
#define LOW_s64 INT64_MIN
#define HIGH_u8 UINT8_MAX
#define HIGH_u16 UINT16_MAX
#define HIGH_u32 UINT32_MAX
#define HIGH_u64 UINT64_MAX
#define HIGH_s8 INT8_MAX
#define HIGH_s16 INT16_MAX
#define HIGH_s32 INT32_MAX
#define HIGH_s64 INT64_MAX
/* The highest value of a type that a signed source can have. */
#define SIGNED_HIGH(D) ((int64_t)(HIGH_##D > INT64_MAX ? INT64_MAX : HIGH_##D))

#define FROM_UNSIGNED(D, S) LANES1(cvt_sat_##D##_##S, D, S, (VAL_##D)clamp_unsigned(x, HIGH_##D))
#define FROM_SIGNED(D, S) LANES1(cvt_sat_##D##_##S, D, S, (VAL_##D)clamp_signed(x, LOW_##D, SIGNED_HIGH(D)))
#define DEFINE(D) \
    FROM_UNSIGNED(D, u8) FROM_UNSIGNED(D, u16) FROM_UNSIGNED(D, u32) FROM_UNSIGNED(D, u64) \
    FROM_SIGNED(D, s8) FROM_SIGNED(D, s16) FROM_SIGNED(D, s32) FROM_SIGNED(D, s64)
#define INTEGERS(X) X(u8) X(u16) X(u32) X(u64) X(s8) X(s16) X(s32) X(s64)
INTEGERS(DEFINE)
#undef DEFINE

/* cvt.pack: two saturated sources side by side, the first above; the low bits of the third fill what is left above
 * them. */
#define PACKED(D, bits) \
    (((uint32_t)clamp_signed(x, LOW_##D, HIGH_##D) & ((1u << bits) - 1)) << bits | \
     ((uint32_t)clamp_signed(y, LOW_##D, HIGH_##D) & ((1u << bits) - 1)))
LANES2(pack_u16, u32, s32, s32, PACKED(u16, 16))
LANES2(pack_s16, u32, s32, s32, PACKED(s16, 16))
#define LOW_u4 0
#define HIGH_u4 15
#define LOW_s4 (-8)
#define HIGH_s4 7
#define LOW_u2 0
#define HIGH_u2 3
#define LOW_s2 (-2)
#define HIGH_s2 1
#define BELOW_16(X) X(u8, 8) X(s8, 8) X(u4, 4) X(s4, 4) X(u2, 2) X(s2, 2)
#define DEFINE(D, bits) LANES3(pack_##D, u32, s32, s32, u32, PACKED(D, bits) | z << 2 * (bits))
BELOW_16(DEFINE)
#undef DEFINE

/* To integers: round to an integral value, then clamp. */
#define RNI(x) __builtin_rint(x)
#define RZI(x) __builtin_trunc(x)
#define RMI(x) __builtin_floor(x)
#define RPI(x) __builtin_ceil(x)
#define RNIF(x) __builtin_rintf(x)
#define RZIF(x) __builtin_truncf(x)
#define RMIF(x) __builtin_floorf(x)
#define RPIF(x) __builtin_ceilf(x)

/* r is integral. The bounds are powers of two, exact in F. NaN gives 0 where source and destination both have at most
 * 32 bits, else the highest bit alone (PTX ISA 9.0, cvt); `narrow_nan` says whether it is so for destinations below 64
 * bits. */
#define DEFINE_CLAMP(F, name, narrow_nan) \
    static inline int32_t name##_small(F r, F low, F high, F highest_bit) \
    { \
        const F bottom = r > low ? r : low; \
        return (int32_t)(r != r ? (narrow_nan ? highest_bit : (F)0) : bottom < high ? bottom : high); \
    } \
    static inline int32_t name##_s32(F r) \
    { \
        const bool inside = r >= (F)-0x1p31 && r < (F)0x1p31; \
        const int32_t v = (int32_t)(inside ? r : (F)0); \
        const bool low = narrow_nan ? !(r >= (F)-0x1p31) : r < (F)-0x1p31; \
        return r >= (F)0x1p31 ? INT32_MAX : low ? INT32_MIN : v; \
    } \
    static inline uint32_t name##_u32(F r) \
    { \
        const bool inside = r >= (F)0 && r < (F)0x1p32; \
        const F v = inside ? r : narrow_nan && r != r ? (F)0x1p31 : (F)0; \
        const uint32_t high = v >= (F)0x1p31 ? 0x80000000u : 0; \
        const uint32_t u = (uint32_t)(int32_t)(v >= (F)0x1p31 ? v - (F)0x1p31 : v) + high; \
        return r >= (F)0x1p32 ? UINT32_MAX : u; \
    } \
    static inline int64_t name##_s64(F r) \
    { \
        const bool inside = r >= (F)-0x1p63 && r < (F)0x1p63; \
        const int64_t v = (int64_t)(inside ? r : (F)0); \
        return r >= (F)0x1p63 ? INT64_MAX : r >= (F)-0x1p63 ? v : INT64_MIN; \
    } \
    static inline uint64_t name##_u64(F r) \
    { \
        const bool inside = r >= (F)0 && r < (F)0x1p64; \
        const F v = inside ? r : r != r ? (F)0x1p63 : (F)0; \
        const uint64_t high = v >= (F)0x1p63 ? UINT64_C(1) << 63 : 0; \
        const uint64_t u = (uint64_t)(int64_t)(v >= (F)0x1p63 ? v - (F)0x1p63 : v) + high; \
        return r >= (F)0x1p64 ? UINT64_MAX : u; \
    }
DEFINE_CLAMP(float, float, false)
DEFINE_CLAMP(double, double, true)

#define INT_OF_u8(F, r) (uint32_t)F##_small(r, 0, UINT8_MAX, 0x80)
#define INT_OF_u16(F, r) (uint32_t)F##_small(r, 0, UINT16_MAX, 0x8000)
#define INT_OF_s8(F, r) F##_small(r, INT8_MIN, INT8_MAX, INT8_MIN)
#define INT_OF_s16(F, r) F##_small(r, INT16_MIN, INT16_MAX, INT16_MIN)
#define INT_OF_u32(F, r) F##_u32(r)
#define INT_OF_s32(F, r) F##_s32(r)
#define INT_OF_u64(F, r) F##_u64(r)
#define INT_OF_s64(F, r) F##_s64(r)

/* What is wide is rounded and clamped in one pass; small destinations and sources of 16 bits are rare, and go through
 * others. */
LANES1(f32_of_f16_, f32, f16, x)
LANES1(f32_of_bf16_, f32, bf16, x)
LANES1(ftz_f32, f32, f32, flush(x))
#define ROUNDINGS(X, ...) X(RNI, __VA_ARGS__) X(RZI, __VA_ARGS__) X(RMI, __VA_ARGS__) X(RPI, __VA_ARGS__)
#define DEFINE(RND, ...) LANES1(RND##_f32, f32, f32, RND##F(x)) LANES1(RND##_f64, f64, f64, RND(x))
ROUNDINGS(DEFINE, )
#undef DEFINE
#define WIDE(RND, D) \
    LANES1(cvt_##RND##_##D##_f32, D, f32, INT_OF_##D(float, RND##F(x))) \
    LANES1(cvt_##RND##_##D##_f64, D, f64, INT_OF_##D(double, RND(x)))
#define SMALL(RND, D) \
    LANES_CHAIN(cvt_##RND##_##D##_f32, RND##_f32, clamp_##D##_f32) \
    LANES_CHAIN(cvt_##RND##_##D##_f64, RND##_f64, clamp_##D##_f64)
#define CLAMP(D) \
    LANES1(clamp_##D##_f32, D, f32, INT_OF_##D(float, x)) LANES1(clamp_##D##_f64, D, f64, INT_OF_##D(double, x))
#define DEFINE(D) CLAMP(D) ROUNDINGS(SMALL, D)
DEFINE(u8) DEFINE(u16) DEFINE(s8) DEFINE(s16)
#undef DEFINE
ROUNDINGS(WIDE, u32) ROUNDINGS(WIDE, u64) ROUNDINGS(WIDE, s32) ROUNDINGS(WIDE, s64)
#define THROUGH_F32(RND, D) \
    LANES_CHAIN(cvt_##RND##_##D##_f16, f32_of_f16_, cvt_##RND##_##D##_f32) \
    LANES_CHAIN(cvt_##RND##_##D##_bf16, f32_of_bf16_, cvt_##RND##_##D##_f32) \
    LANES_CHAIN(cvt_##RND##_ftz_##D##_f32, ftz_f32, cvt_##RND##_##D##_f32)
#define DEFINE(D) ROUNDINGS(THROUGH_F32, D)
INTEGERS(DEFINE)
#undef DEFINE

#define ROW_INT(D, S) \
    ROW2(cvt, u##D, S, 0, cvt_u##D##_##S) ROW2(cvt, s##D, S, 0, cvt_u##D##_##S) \
    ROW2(cvt, u##D, S, WS_KEY_SAT, cvt_sat_u##D##_##S) ROW2(cvt, s##D, S, WS_KEY_SAT, cvt_sat_s##D##_##S)
#define ROWS_TO_INT(D, RND, mods) \
    ROW2(cvt, D, f16, KEY_ROUND(RND) | (mods), cvt_##RND##_##D##_f16) \
    ROW2(cvt, D, bf16, KEY_ROUND(RND) | (mods), cvt_##RND##_##D##_bf16) \
    ROW2(cvt, D, f32, KEY_ROUND(RND) | (mods), cvt_##RND##_##D##_f32) \
    ROW2(cvt, D, f32, KEY_ROUND(RND) | WS_KEY_FTZ | (mods), cvt_##RND##_ftz_##D##_f32) \
    ROW2(cvt, D, f64, KEY_ROUND(RND) | (mods), cvt_##RND##_##D##_f64)
/* Conversions to integers clamp anyway: .sat changes nothing. */
#define ROWS_RND(D, RND) ROWS_TO_INT(D, RND, 0) ROWS_TO_INT(D, RND, WS_KEY_SAT)
#define ROWS_FROM_FLOAT(D) ROWS_RND(D, RNI) ROWS_RND(D, RZI) ROWS_RND(D, RMI) ROWS_RND(D, RPI)

#define ROW_PACK(D, bits) ROW3(cvt, D, s32, b32, KEY_SUB(PACK) | WS_KEY_SAT, pack_##D)

#define FORMS_cvt \
    SOURCES(ROW_INT, 8) SOURCES(ROW_INT, 16) SOURCES(ROW_INT, 32) SOURCES(ROW_INT, 64) \
    INTEGERS(ROWS_FROM_FLOAT) \
    ROW2(cvt, u16, s32, KEY_SUB(PACK) | WS_KEY_SAT, pack_u16) \
    ROW2(cvt, s16, s32, KEY_SUB(PACK) | WS_KEY_SAT, pack_s16) \
    BELOW_16(ROW_PACK)
#define OWN_cvtint , LANES_FORMS
#define LANES_FILE cvtint
#include "collect/simt/lanes_table.def"
