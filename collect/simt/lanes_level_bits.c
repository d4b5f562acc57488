/* lanes_level_bits.c - logic, shifts, bit fields, permutes, moves and selections of 32 lanes. */
/* clang-format off */
#include "collect/simt/lanes_loop_internal.h"

/* Logic and moves on words; the 16-bit forms may use the 32-bit ones because registers are zero-extended, but `not`. */
LANES2(and_b32, u32, u32, u32, x &y)
LANES2(and_b64, u64, u64, u64, x &y)
LANES2(or_b32, u32, u32, u32, x | y)
LANES2(or_b64, u64, u64, u64, x | y)
LANES2(xor_b32, u32, u32, u32, x ^ y)
LANES2(xor_b64, u64, u64, u64, x ^ y)
LANES1(not_b16, u16, u16, ~x)
LANES1(not_b32, u32, u32, ~x)
LANES1(not_b64, u64, u64, ~x)
LANES1(cnot_b32, u32, u32, x == 0)
LANES1(cnot_b64, u64, u64, x == 0)
LANES1(mov_b32, u32, u32, x)
LANES1(mov_b64, u64, u64, x)

#define PREDICATE(name, expr) \
    static void name(LANES_ARGUMENTS) \
    { \
        LANES_UNUSED; \
        const uint32_t x = *(const lane_u32 *)ap; \
        put_bits(dp, expr, m); \
    }
#define PREDICATE_Y (*(const lane_u32 *)bp)
PREDICATE(mov_pred, x)
PREDICATE(not_pred, ~x)
PREDICATE(and_pred, x &PREDICATE_Y)
PREDICATE(or_pred, x | PREDICATE_Y)
PREDICATE(xor_pred, x ^ PREDICATE_Y)

/* selp: c is one word, a bit a lane. */
#define SELECT(name, T) \
    static void name(LANES_ARGUMENTS) \
    { \
        (void)ep; \
        LANES_OUT(REG_##T, d, dp); \
        LANES_IN(REG_##T, a, ap); \
        LANES_IN(REG_##T, b, bp); \
        const uint32_t bits = *(const lane_u32 *)cp; \
        LANES_STORE(T, (bits & lane_bit[i]) ? a[i] : b[i]); \
    }
SELECT(selp_b32, u32)
SELECT(selp_b64, u64)

/* slct: c >= 0; a NaN is not, -0.0 is, and with .ftz a negative subnormal is. */
LANES3(slct_s32_b32, u32, u32, u32, s32, z >= 0 ? x : y)
LANES3(slct_s32_b64, u64, u64, u64, s32, z >= 0 ? x : y)
LANES3(slct_f32_b32, u32, u32, u32, f32, z >= 0.0f ? x : y)
LANES3(slct_f32_b64, u64, u64, u64, f32, z >= 0.0f ? x : y)
LANES3(slct_ftz_f32_b32, u32, u32, u32, f32, flush(z) >= 0.0f ? x : y)
LANES3(slct_ftz_f32_b64, u64, u64, u64, f32, flush(z) >= 0.0f ? x : y)

/* Shifts clamp their amount to the width of the type. */
LANES2(shl_b16, u16, u16, u32, y > 15 ? 0 : x << (y & 15))
LANES2(shl_b32, u32, u32, u32, y > 31 ? 0 : x << (y & 31))
LANES2(shl_b64, u64, u64, u32, y > 63 ? 0 : x << (y & 63))
LANES2(shr_u16, u16, u16, u32, y > 15 ? 0 : x >> (y & 15))
LANES2(shr_u32, u32, u32, u32, y > 31 ? 0 : x >> (y & 31))
LANES2(shr_u64, u64, u64, u32, y > 63 ? 0 : x >> (y & 63))
LANES2(shr_s16, u16, s16, u32, (uint32_t)(x >> (y > 15 ? 15 : y)))
LANES2(shr_s32, u32, s32, u32, (uint32_t)(x >> (y > 31 ? 31 : y)))
LANES2(shr_s64, u64, s64, u32, (uint64_t)(x >> (y > 63 ? 63 : y)))

/* Funnel shifts of the 64-bit value y:x. */
static inline uint64_t join(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

#define AMOUNT_CLAMP(z) ((z) > 32 ? 32 : (z))
#define AMOUNT_WRAP(z) ((z) & 31)
LANES3(shf_l_clamp, u32, u32, u32, u32, (uint32_t)((join(x, y) << AMOUNT_CLAMP(z)) >> 32))
LANES3(shf_l_wrap, u32, u32, u32, u32, (uint32_t)((join(x, y) << AMOUNT_WRAP(z)) >> 32))
LANES3(shf_r_clamp, u32, u32, u32, u32, (uint32_t)(join(x, y) >> AMOUNT_CLAMP(z)))
LANES3(shf_r_wrap, u32, u32, u32, u32, (uint32_t)(join(x, y) >> AMOUNT_WRAP(z)))

/* Bit fields. Position and length are the low bytes of y and z. */
static inline uint64_t ones64(uint32_t n)
{
    return n > 63 ? UINT64_MAX : (UINT64_C(1) << (n & 63)) - 1;
}

static inline uint32_t ones32(uint32_t n)
{
    return n > 31 ? UINT32_MAX : (1u << (n & 31)) - 1;
}

/* bfe: length z from position y; signed ones fill with the last bit that is there. */
#define FIELDS(bits, top) \
    static inline uint##bits##_t field_u##bits(uint##bits##_t x, uint32_t y, uint32_t z) \
    { \
        const uint32_t position = y & 0xff, length = z & 0xff; \
        return (position > top ? 0 : x >> (position & top)) & ones##bits(length); \
    } \
    static inline uint##bits##_t field_s##bits(uint##bits##_t x, uint32_t y, uint32_t z) \
    { \
        const uint32_t position = y & 0xff, length = z & 0xff; \
        const uint32_t last = position + length - 1; \
        const uint##bits##_t sign = length == 0 ? 0 : (x >> (last > top ? top : last)) & 1; \
        const uint##bits##_t have = position > top ? 0 : ones##bits(length) & ones##bits(bits - position); \
        const uint##bits##_t value = (position > top ? 0 : x >> (position & top)) & have; \
        return sign ? value | ~have : value; \
    }

FIELDS(32, 31)
FIELDS(64, 63)

/* bfi: x goes into y at position z, length w. */
static inline uint32_t insert32(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    const uint32_t position = z & 0xff;
    const uint32_t mask = position > 31 ? 0 : ones32(w & 0xff) << (position & 31);
    return (y & ~mask) | ((position > 31 ? 0 : x << (position & 31)) & mask);
}

static inline uint64_t insert64(uint64_t x, uint64_t y, uint32_t z, uint32_t w)
{
    const uint32_t position = z & 0xff;
    const uint64_t mask = position > 63 ? 0 : ones64(w & 0xff) << (position & 63);
    return (y & ~mask) | ((position > 63 ? 0 : x << (position & 63)) & mask);
}

LANES3(bfe_u32, u32, u32, u32, u32, field_u32(x, y, z))
LANES3(bfe_s32, u32, u32, u32, u32, field_s32(x, y, z))
LANES3(bfe_u64, u64, u64, u32, u32, field_u64(x, y, z))
LANES3(bfe_s64, u64, u64, u32, u32, field_s64(x, y, z))
LANES4(bfi_b32, u32, u32, u32, u32, u32, insert32(x, y, z, w))
LANES4(bfi_b64, u64, u64, u64, u32, u32, insert64(x, y, z, w))

static inline uint32_t mask_wrap(uint32_t x, uint32_t y)
{
    const uint32_t position = x & 31, length = y & 31;
    return ones32(length) << position;
}

static inline uint32_t mask_clamp(uint32_t x, uint32_t y)
{
    return x > 31 ? 0 : (y > 31 ? UINT32_MAX : ones32(y & 31)) << (x & 31);
}

/* Sign or zero extension from bit y - 1. */
static inline uint32_t extend_u32(uint32_t x, uint32_t y, bool clamp)
{
    return clamp && y > 31 ? x : x & ones32(y & 31);
}

static inline uint32_t extend_s32(uint32_t x, uint32_t y, bool clamp)
{
    const uint32_t length = y & 31;
    const uint32_t keep = clamp && y > 31 ? UINT32_MAX : ones32(length);
    const uint32_t sign = length != 0 && (x & keep & ~(keep >> 1)) != 0;
    return sign ? x | ~keep : x & keep;
}

LANES2(bmsk_wrap, u32, u32, u32, mask_wrap(x, y))
LANES2(bmsk_clamp, u32, u32, u32, mask_clamp(x, y))
LANES2(szext_wrap_u32, u32, u32, u32, extend_u32(x, y, false))
LANES2(szext_clamp_u32, u32, u32, u32, extend_u32(x, y, true))
LANES2(szext_wrap_s32, u32, u32, u32, extend_s32(x, y, false))
LANES2(szext_clamp_s32, u32, u32, u32, extend_s32(x, y, true))

/* Counting. */
static inline uint32_t count32(uint32_t x)
{
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (x * 0x01010101u) >> 24;
}

static inline uint32_t count64(uint64_t x)
{
    return count32((uint32_t)x) + count32((uint32_t)(x >> 32));
}

static inline uint32_t smear32(uint32_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    return x | x >> 16;
}

static inline uint32_t leading32(uint32_t x)
{
    return 32 - count32(smear32(x));
}

static inline uint32_t leading64(uint64_t x)
{
    return x >> 32 ? leading32((uint32_t)(x >> 32)) : 32 + leading32((uint32_t)x);
}

static inline uint32_t reverse32(uint32_t x)
{
    x = (x & 0x55555555u) << 1 | ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) << 2 | ((x >> 2) & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | ((x >> 4) & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) << 8 | ((x >> 8) & 0x00ff00ffu);
    return x << 16 | x >> 16;
}

/* Index of the highest bit (of the value's distance from 0 or -1 when signed); 0xffffffff when there is none. */
#define POSITIVE32(x) ((x) ^ (0 - ((x) >> 31)))
#define POSITIVE64(x) ((x) ^ (0 - ((x) >> 63)))

LANES1(popc_b32, u32, u32, count32(x))
LANES1(popc_b64, u32, u64, count64(x))
LANES1(clz_b32, u32, u32, leading32(x))
LANES1(clz_b64, u32, u64, leading64(x))
LANES1(brev_b32, u32, u32, reverse32(x))
LANES1(brev_b64, u64, u64, join(reverse32((uint32_t)(x >> 32)), reverse32((uint32_t)x)))
LANES1(bfind_u32, u32, u32, 31 - leading32(x))
LANES1(bfind_s32, u32, u32, 31 - leading32(POSITIVE32(x)))
LANES1(bfind_u64, u32, u64, 63 - leading64(x))
LANES1(bfind_s64, u32, u64, 63 - leading64(POSITIVE64(x)))
LANES1(bfind_shiftamt_u32, u32, u32, x ? leading32(x) : UINT32_MAX)
LANES1(bfind_shiftamt_s32, u32, u32, POSITIVE32(x) ? leading32(POSITIVE32(x)) : UINT32_MAX)
LANES1(bfind_shiftamt_u64, u32, u64, x ? leading64(x) : UINT32_MAX)
LANES1(bfind_shiftamt_s64, u32, u64, POSITIVE64(x) ? leading64(POSITIVE64(x)) : UINT32_MAX)

/* fns: the |offset|-th set bit of mask from base on, upwards or downwards. */
static inline uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t offset)
{
    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return (mask >> base) & 1 ? base : UINT32_MAX;
    const bool up = offset > 0;
    uint32_t rest = up ? mask & ~ones32(base) : reverse32(mask & ones32(base + 1));
    for (uint32_t skip = up ? (uint32_t)offset - 1 : 0 - (uint32_t)offset - 1; skip && rest; skip--)
        rest &= rest - 1;
    if (!rest)
        return UINT32_MAX;
    const uint32_t found = (uint32_t)__builtin_ctz(rest);
    return up ? found : 31 - found;
}
LANES3(fns_b32, u32, u32, u32, s32, find_nth_set(x, y, z))

/* lop3: any function of three bits, table in w. The table is an immediate, so it is the same in all lanes. */
static void lop3_b32(LANES_ARGUMENTS)
{
    LANES_OUT(REG_u32, d, dp);
    LANES_IN(REG_u32, a, ap);
    LANES_IN(REG_u32, b, bp);
    LANES_IN(REG_u32, c, cp);
    const uint32_t table = *(const lane_u32 *)ep;
    uint32_t row[8];
    for (int k = 0; k < 8; k++)
        row[k] = (table >> k) & 1 ? UINT32_MAX : 0;
#define CHOOSE(s, p, q) (((s) & (p)) | (~(s) & (q)))
    LANES_STORE(u32, CHOOSE(a[i], CHOOSE(b[i], CHOOSE(c[i], row[7], row[6]), CHOOSE(c[i], row[5], row[4])),
                            CHOOSE(b[i], CHOOSE(c[i], row[3], row[2]), CHOOSE(c[i], row[1], row[0]))));
}

/* prmt: bytes of y:x. In the general mode each nibble of z names a byte, its top bit asks for the sign instead. */
static inline uint32_t pick_byte(uint32_t x, uint32_t y, uint32_t selector)
{
    const uint32_t byte = (uint32_t)(join(x, y) >> (8 * (selector & 7))) & 0xffu;
    return selector & 8 ? (0 - (byte >> 7)) & 0xffu : byte;
}

#define PICK(p0, p1, p2, p3) \
    (pick_byte(x, y, p0) | pick_byte(x, y, p1) << 8 | pick_byte(x, y, p2) << 16 | pick_byte(x, y, p3) << 24)

static inline uint32_t permute(uint32_t x, uint32_t y, uint32_t z)
{
    return PICK(z & 15, (z >> 4) & 15, (z >> 8) & 15, (z >> 12) & 15);
}

static inline uint32_t larger(uint32_t p, uint32_t q)
{
    return p > q ? p : q;
}

static inline uint32_t smaller(uint32_t p, uint32_t q)
{
    return p < q ? p : q;
}

LANES3(prmt_b32, u32, u32, u32, u32, permute(x, y, z))
LANES3(prmt_f4e, u32, u32, u32, u32, PICK(z & 3, (z & 3) + 1, (z & 3) + 2, (z & 3) + 3))
LANES3(prmt_b4e, u32, u32, u32, u32, PICK(z & 3, ((z & 3) - 1) & 7, ((z & 3) - 2) & 7, ((z & 3) - 3) & 7))
LANES3(prmt_rc8, u32, u32, u32, u32, PICK(z & 3, z & 3, z & 3, z & 3))
LANES3(prmt_ecl, u32, u32, u32, u32, PICK(z & 3, larger(z & 3, 1), larger(z & 3, 2), 3))
LANES3(prmt_ecr, u32, u32, u32, u32, PICK(0, smaller(z & 3, 1), smaller(z & 3, 2), z & 3))
LANES3(prmt_rc16, u32, u32, u32, u32, PICK((z & 1) * 2, (z & 1) * 2 + 1, (z & 1) * 2, (z & 1) * 2 + 1))

#define LOGIC(op) ROW(op, pred, 0, op##_pred) ROW(op, b16, 0, op##_b32) ROW(op, b32, 0, op##_b32) \
    ROW(op, b64, 0, op##_b64)
#define NARROW(X, op, mods, fn) \
    X(op, b16, mods, fn##32) X(op, u16, mods, fn##32) X(op, s16, mods, fn##32) X(op, b32, mods, fn##32) \
    X(op, u32, mods, fn##32) X(op, s32, mods, fn##32) X(op, f32, mods, fn##32) X(op, f16, mods, fn##32) \
    X(op, f16x2, mods, fn##32) X(op, bf16, mods, fn##32) X(op, bf16x2, mods, fn##32)
#define WORDS(X, op, mods, fn) \
    NARROW(X, op, mods, fn) X(op, b64, mods, fn##64) X(op, u64, mods, fn##64) X(op, s64, mods, fn##64) \
    X(op, f64, mods, fn##64)
#define SLCT_S32(op, type, mods, fn) ROW2(op, type, s32, mods, fn)
#define SLCT_F32(op, type, mods, fn) ROW2(op, type, f32, mods, fn)

#define FORMS_and LOGIC(and)
#define FORMS_or LOGIC(or)
#define FORMS_xor LOGIC(xor)
#define FORMS_not \
    ROW(not, pred, 0, not_pred) ROW(not, b16, 0, not_b16) ROW(not, b32, 0, not_b32) ROW(not, b64, 0, not_b64)
#define FORMS_cnot ROW(cnot, b16, 0, cnot_b32) ROW(cnot, b32, 0, cnot_b32) ROW(cnot, b64, 0, cnot_b64)
#define FORMS_mov \
    ROW(mov, pred, 0, mov_pred) WORDS(ROW, mov, 0, mov_b) ROW(mov, b8, 0, mov_b32) ROW(mov, u8, 0, mov_b32) \
    ROW(mov, s8, 0, mov_b32)
#define FORMS_selp WORDS(ROW, selp, 0, selp_b)
#define FORMS_slct \
    WORDS(SLCT_S32, slct, 0, slct_s32_b) WORDS(SLCT_F32, slct, 0, slct_f32_b) \
    WORDS(SLCT_F32, slct, WS_KEY_FTZ, slct_ftz_f32_b)
#define FORMS_shl ROW(shl, b16, 0, shl_b16) ROW(shl, b32, 0, shl_b32) ROW(shl, b64, 0, shl_b64)
#define FORMS_shr \
    ROW(shr, b16, 0, shr_u16) ROW(shr, b32, 0, shr_u32) ROW(shr, b64, 0, shr_u64) ROW(shr, u16, 0, shr_u16) \
    ROW(shr, u32, 0, shr_u32) ROW(shr, u64, 0, shr_u64) ROW(shr, s16, 0, shr_s16) ROW(shr, s32, 0, shr_s32) \
    ROW(shr, s64, 0, shr_s64)
#define FORMS_shf \
    ROW(shf, b32, KEY_SUB(SHIFT_L) | WS_KEY_CLAMP, shf_l_clamp) \
    ROW(shf, b32, KEY_SUB(SHIFT_L) | WS_KEY_WRAP, shf_l_wrap) \
    ROW(shf, b32, KEY_SUB(SHIFT_R) | WS_KEY_CLAMP, shf_r_clamp) \
    ROW(shf, b32, KEY_SUB(SHIFT_R) | WS_KEY_WRAP, shf_r_wrap)
#define FORMS_bfe \
    ROW(bfe, u32, 0, bfe_u32) ROW(bfe, s32, 0, bfe_s32) ROW(bfe, u64, 0, bfe_u64) ROW(bfe, s64, 0, bfe_s64)
#define FORMS_bfi ROW(bfi, b32, 0, bfi_b32) ROW(bfi, b64, 0, bfi_b64)
#define FORMS_bmsk ROW(bmsk, b32, WS_KEY_WRAP, bmsk_wrap) ROW(bmsk, b32, WS_KEY_CLAMP, bmsk_clamp)
#define FORMS_szext \
    ROW(szext, u32, WS_KEY_WRAP, szext_wrap_u32) ROW(szext, u32, WS_KEY_CLAMP, szext_clamp_u32) \
    ROW(szext, s32, WS_KEY_WRAP, szext_wrap_s32) ROW(szext, s32, WS_KEY_CLAMP, szext_clamp_s32)
#define FORMS_popc ROW(popc, b32, 0, popc_b32) ROW(popc, b64, 0, popc_b64)
#define FORMS_clz ROW(clz, b32, 0, clz_b32) ROW(clz, b64, 0, clz_b64)
#define FORMS_brev ROW(brev, b32, 0, brev_b32) ROW(brev, b64, 0, brev_b64)
#define FORMS_bfind \
    ROW(bfind, u32, 0, bfind_u32) ROW(bfind, s32, 0, bfind_s32) ROW(bfind, u64, 0, bfind_u64) \
    ROW(bfind, s64, 0, bfind_s64) ROW(bfind, u32, WS_KEY_SHIFTAMT, bfind_shiftamt_u32) \
    ROW(bfind, s32, WS_KEY_SHIFTAMT, bfind_shiftamt_s32) ROW(bfind, u64, WS_KEY_SHIFTAMT, bfind_shiftamt_u64) \
    ROW(bfind, s64, WS_KEY_SHIFTAMT, bfind_shiftamt_s64)
#define FORMS_fns ROW(fns, b32, 0, fns_b32)
#define FORMS_lop3 ROW(lop3, b32, 0, lop3_b32)
#define FORMS_prmt \
    ROW(prmt, b32, 0, prmt_b32) ROW(prmt, b32, KEY_SUB(F4E), prmt_f4e) ROW(prmt, b32, KEY_SUB(B4E), prmt_b4e) \
    ROW(prmt, b32, KEY_SUB(RC8), prmt_rc8) ROW(prmt, b32, KEY_SUB(ECL), prmt_ecl) \
    ROW(prmt, b32, KEY_SUB(ECR), prmt_ecr) ROW(prmt, b32, KEY_SUB(RC16), prmt_rc16)
#define OWN_bits , LANES_FORMS
#define LANES_FILE bits
#include "collect/simt/lanes_table.def"
