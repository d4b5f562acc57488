/* test_lanes.c - do the integer functions of all levels compute what the PTX ISA says, lane by lane? */
/* clang-format off */
#include "lanes_harness.h"

typedef __int128 big;
typedef unsigned __int128 ubig;

/* A register's value as a mathematical integer, and an integer cut to a register. */
static big value(uint64_t raw, unsigned bits, bool is_signed)
{
    const uint64_t cut = bits == 64 ? raw : raw & ((UINT64_C(1) << bits) - 1);
    return is_signed && (cut >> (bits - 1)) & 1 ? (big)cut - ((big)1 << bits) : (big)cut;
}

static uint64_t cut_to(big v, unsigned bits)
{
    return bits == 64 ? (uint64_t)(ubig)v : (uint64_t)(ubig)v & ((UINT64_C(1) << bits) - 1);
}

static big clamp_to(big v, unsigned bits, bool is_signed)
{
    const big high = is_signed ? ((big)1 << (bits - 1)) - 1 : ((big)1 << bits) - 1;
    const big low = is_signed ? -((big)1 << (bits - 1)) : 0;
    return v > high ? high : v < low ? low : v;
}

#define BITS_u8 8
#define BITS_s8 8
#define BITS_u16 16
#define BITS_s16 16
#define BITS_b16 16
#define BITS_u32 32
#define BITS_s32 32
#define BITS_b32 32
#define BITS_u64 64
#define BITS_s64 64
#define BITS_b64 64
#define SIGNED_u8 false
#define SIGNED_s8 true
#define SIGNED_u16 false
#define SIGNED_s16 true
#define SIGNED_b16 false
#define SIGNED_u32 false
#define SIGNED_s32 true
#define SIGNED_b32 false
#define SIGNED_u64 false
#define SIGNED_s64 true
#define SIGNED_b64 false
#define REG_u16 "%h"
#define REG_s16 "%h"
#define REG_b16 "%h"
#define REG_u8 "%h"
#define REG_s8 "%h"
#define REG_u32 "%r"
#define REG_s32 "%r"
#define REG_b32 "%r"
#define REG_u64 "%d"
#define REG_s64 "%d"
#define REG_b64 "%d"
#define VALUE(raw, T) value(raw, BITS_##T, SIGNED_##T)
#define NONE

/* One reference per row and type: x, y, z are the mathematical values of the sources. */
#define REFERENCE(name, T, expr) \
    static uint64_t name##_##T(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        const big x = VALUE(a, T), y = VALUE(b, T), z = VALUE(c, T); \
        (void)e, (void)x, (void)y, (void)z; \
        const unsigned n = BITS_##T; \
        return cut_to(expr, n); \
    }

static big product_high(big x, big y, unsigned bits)
{
    /* 64 x 64 bits signed fits in 127; unsigned needs the unsigned product. */
    if (x >= 0 && y >= 0)
        return (big)(((ubig)x * (ubig)y) >> bits);
    return (x * y) >> bits;
}

/* Division by zero gives all ones. */
static big quotient(big x, big y)
{
    return y == 0 ? -1 : x / y;
}

static big remainder_of(big x, big y)
{
    return y == 0 ? -1 : x % y;
}

static big distance(big x, big y)
{
    return x > y ? x - y : y - x;
}

#define TIMES(p, q) (big)((ubig)(p) * (ubig)(q))

/*  X(name, type, instruction, operands, expression) */
#define ARITHMETIC(X, T) \
    X(add, T, "add." #T, 2, x + y) \
    X(sub, T, "sub." #T, 2, x - y) \
    X(mul_lo, T, "mul.lo." #T, 2, TIMES(x, y)) \
    X(mul_hi, T, "mul.hi." #T, 2, product_high(x, y, n)) \
    X(mad_lo, T, "mad.lo." #T, 3, TIMES(x, y) + z) \
    X(mad_hi, T, "mad.hi." #T, 3, product_high(x, y, n) + z) \
    X(div, T, "div." #T, 2, quotient(x, y)) \
    X(rem, T, "rem." #T, 2, remainder_of(x, y)) \
    X(min, T, "min." #T, 2, x < y ? x : y) \
    X(max, T, "max." #T, 2, x > y ? x : y) \
    X(sad, T, "sad." #T, 3, z + distance(x, y))
#define SIGNED_ONLY(X, T) \
    X(abs, T, "abs." #T, 1, x < 0 ? -x : x) \
    X(neg, T, "neg." #T, 1, -x)
#define LOGIC(X, T) \
    X(and, T, "and." #T, 2, x & y) \
    X(or, T, "or." #T, 2, x | y) \
    X(xor, T, "xor." #T, 2, x ^ y) \
    X(not, T, "not." #T, 1, ~x) \
    X(cnot, T, "cnot." #T, 1, x == 0) \
    X(mov, T, "mov." #T, 1, x)
#define EXTRA(X) \
    X(add_sat, s32, "add.sat.s32", 2, clamp_to(x + y, 32, true)) \
    X(sub_sat, s32, "sub.sat.s32", 2, clamp_to(x - y, 32, true)) \
    X(mad_hi_sat, s32, "mad.hi.sat.s32", 3, clamp_to(product_high(x, y, 32) + z, 32, true)) \
    X(min_relu, s32, "min.relu.s32", 2, (x < y ? x : y) < 0 ? 0 : x < y ? x : y) \
    X(max_relu, s32, "max.relu.s32", 2, (x > y ? x : y) < 0 ? 0 : x > y ? x : y) \
    X(mul24_lo, u32, "mul24.lo.u32", 2, (x & 0xffffff) * (y & 0xffffff)) \
    X(mul24_hi, u32, "mul24.hi.u32", 2, ((x & 0xffffff) * (y & 0xffffff)) >> 16) \
    X(mul24_lo, s32, "mul24.lo.s32", 2, value((uint64_t)a, 24, true) * value(b, 24, true)) \
    X(mul24_hi, s32, "mul24.hi.s32", 2, (value(a, 24, true) * value(b, 24, true)) >> 16) \
    X(mad24_lo, u32, "mad24.lo.u32", 3, (x & 0xffffff) * (y & 0xffffff) + z) \
    X(mad24_hi, u32, "mad24.hi.u32", 3, (((x & 0xffffff) * (y & 0xffffff)) >> 16) + z) \
    X(mad24_lo, s32, "mad24.lo.s32", 3, value(a, 24, true) * value(b, 24, true) + z) \
    X(mad24_hi, s32, "mad24.hi.s32", 3, ((value(a, 24, true) * value(b, 24, true)) >> 16) + z) \
    X(mad24_hi_sat, s32, "mad24.hi.sat.s32", 3, \
      clamp_to(((value(a, 24, true) * value(b, 24, true)) >> 16) + z, 32, true))

#define ALL_ARITHMETIC(X) \
    ARITHMETIC(X, u16) ARITHMETIC(X, s16) ARITHMETIC(X, u32) ARITHMETIC(X, s32) ARITHMETIC(X, u64) ARITHMETIC(X, s64) \
    SIGNED_ONLY(X, s16) SIGNED_ONLY(X, s32) SIGNED_ONLY(X, s64) LOGIC(X, b16) LOGIC(X, b32) LOGIC(X, b64) EXTRA(X)

#define DEFINE(name, T, text, operands, expr) REFERENCE(name, T, expr)
ALL_ARITHMETIC(DEFINE)
#undef DEFINE

#define OPERANDS_1(R) " " R "1, " R "2"
#define OPERANDS_2(R) " " R "1, " R "2, " R "3"
#define OPERANDS_3(R) " " R "1, " R "2, " R "3, " R "4"
#define ROW(name, T, text, operands, expr) { text OPERANDS_##operands(REG_##T), name##_##T },

static void integer_arithmetic(void **unused)
{
    (void)unused;
    static const test_row rows[] = { ALL_ARITHMETIC(ROW) };
    CHECK_ROWS(rows, 40);
}

/* Twice as wide: destination and addend. */
#define WIDE(X) X(u16, u32) X(s16, s32) X(u32, u64) X(s32, s64)
#define DEFINE(T, W) \
    static uint64_t mul_wide_##T(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        (void)c, (void)e; \
        return cut_to(VALUE(a, T) * VALUE(b, T), BITS_##W); \
    } \
    static uint64_t mad_wide_##T(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        (void)e; \
        return cut_to(VALUE(a, T) * VALUE(b, T) + VALUE(c, W), BITS_##W); \
    }
WIDE(DEFINE)
#undef DEFINE

static void wide_products(void **unused)
{
    (void)unused;
#define ROWS(T, W) \
    { "mul.wide." #T " " REG_##W "1, " REG_##T "2, " REG_##T "3", mul_wide_##T }, \
    { "mad.wide." #T " " REG_##W "1, " REG_##T "2, " REG_##T "3, " REG_##W "4", mad_wide_##T },
    static const test_row rows[] = { WIDE(ROWS) };
#undef ROWS
    CHECK_ROWS(rows, 60);
}

/* Shifts: amounts are 32 bits wide and clamp. */
#define SHIFTS(X) \
    X(shl, b16, x << (y > 16 ? 16 : y)) X(shl, b32, x << (y > 32 ? 32 : y)) \
    X(shl, b64, (big)((ubig)x << (y > 64 ? 64 : y))) \
    X(shr, b16, x >> (y > 16 ? 16 : y)) X(shr, b32, x >> (y > 32 ? 32 : y)) X(shr, b64, x >> (y > 64 ? 64 : y)) \
    X(shr, u16, x >> (y > 16 ? 16 : y)) X(shr, u32, x >> (y > 32 ? 32 : y)) X(shr, u64, x >> (y > 64 ? 64 : y)) \
    X(shr, s16, x >> (y > 16 ? 16 : y)) X(shr, s32, x >> (y > 32 ? 32 : y)) X(shr, s64, x >> (y > 64 ? 64 : y))
#define DEFINE(op, T, expr) \
    static uint64_t op##_##T(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        const big x = VALUE(a, T), y = VALUE(b, u32); \
        (void)c, (void)e; \
        return cut_to(expr, BITS_##T); \
    }
SHIFTS(DEFINE)
#undef DEFINE

/* shf: d[n] of the pair b:a shifted. */
static uint64_t funnel(uint64_t a, uint64_t b, unsigned amount, bool left)
{
    const ubig pair = (ubig)(uint32_t)b << 32 | (uint32_t)a;
    return (uint32_t)(left ? (pair << amount) >> 32 : pair >> amount);
}

#define FUNNEL(name, amount, left) \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        (void)e; \
        return funnel(a, b, (unsigned)(amount), left); \
    }
FUNNEL(shf_l_clamp, c > 32 ? 32 : c, true)
FUNNEL(shf_l_wrap, c & 31, true)
FUNNEL(shf_r_clamp, c > 32 ? 32 : c, false)
FUNNEL(shf_r_wrap, c & 31, false)

static void shifts(void **unused)
{
    (void)unused;
#define ROWS(op, T, expr) { #op "." #T " " REG_##T "1, " REG_##T "2, %r3", op##_##T },
    static const test_row rows[] = { SHIFTS(ROWS)
        { "shf.l.clamp.b32 %r1, %r2, %r3, %r4", shf_l_clamp }, { "shf.l.wrap.b32 %r1, %r2, %r3, %r4", shf_l_wrap },
        { "shf.r.clamp.b32 %r1, %r2, %r3, %r4", shf_r_clamp }, { "shf.r.wrap.b32 %r1, %r2, %r3, %r4", shf_r_wrap } };
#undef ROWS
    CHECK_ROWS(rows, 60);
}

/* Bit fields, one bit at a time. */
static uint64_t extract(uint64_t a, uint64_t b, uint64_t c, int msb, bool is_signed)
{
    const int position = (int)(b & 0xff), length = (int)(c & 0xff);
    const int last = position + length - 1 > msb ? msb : position + length - 1;
    const uint64_t sign = is_signed && length ? (a >> last) & 1 : 0;
    uint64_t d = 0;
    for (int i = 0; i <= msb; i++)
        d |= (i < length && position + i <= msb ? (a >> (position + i)) & 1 : sign) << i;
    return d;
}

static uint64_t insert(uint64_t a, uint64_t b, uint64_t c, uint64_t e, int msb)
{
    const int position = (int)(c & 0xff), length = (int)(e & 0xff);
    for (int i = 0; i < length && position + i <= msb; i++)
        b = (b & ~(UINT64_C(1) << (position + i))) | ((a >> i) & 1) << (position + i);
    return b;
}

static uint64_t highest(uint64_t a, int msb, bool is_signed, bool shiftamt)
{
    if (is_signed && (a >> msb) & 1)
        a = ~a;
    for (int i = msb; i >= 0; i--)
        if ((a >> i) & 1)
            return (uint64_t)(shiftamt ? msb - i : i);
    return UINT32_MAX;
}

static uint64_t reversed(uint64_t a, int bits)
{
    uint64_t d = 0;
    for (int i = 0; i < bits; i++)
        d |= ((a >> i) & 1) << (bits - 1 - i);
    return d;
}

static uint64_t ones(uint64_t a)
{
    uint64_t n = 0;
    for (; a; a >>= 1)
        n += a & 1;
    return n;
}

static uint64_t zeros_in_front(uint64_t a, int bits)
{
    uint64_t n = 0;
    for (int i = bits - 1; i >= 0 && !((a >> i) & 1); i--)
        n++;
    return n;
}

static uint64_t bit_mask(uint64_t a, uint64_t b, bool clamp)
{
    uint32_t d = 0;
    for (uint32_t i = 0; i < 32; i++) {
        const uint64_t first = clamp ? a : a & 31, count = clamp ? b : b & 31;
        d |= i >= first && i - first < count ? 1u << i : 0;
    }
    return d;
}

static uint64_t extend(uint64_t a, uint64_t b, bool clamp, bool is_signed)
{
    if (clamp && b >= 32)
        return a;
    const unsigned n = b & 31;
    return n == 0 ? 0 : cut_to(value(a, n, is_signed), 32);
}

static uint64_t nth_set(uint64_t mask, uint64_t base, uint64_t offset)
{
    const int32_t n = (int32_t)(uint32_t)offset;
    if (n == 0)
        return base < 32 && (mask >> base) & 1 ? base : UINT32_MAX;
    int64_t count = n > 0 ? n : -(int64_t)n;
    for (int64_t i = base < 32 ? (int64_t)base : -1; i >= 0 && i < 32; i += n > 0 ? 1 : -1)
        if ((mask >> i) & 1 && --count == 0)
            return (uint64_t)i;
    return UINT32_MAX;
}

static uint64_t logic3(uint64_t a, uint64_t b, uint64_t c, uint64_t table)
{
    uint64_t d = 0;
    for (int i = 0; i < 32; i++)
        d |= ((table >> (((a >> i) & 1) << 2 | ((b >> i) & 1) << 1 | ((c >> i) & 1))) & 1) << i;
    return d;
}

static uint64_t permuted(uint64_t a, uint64_t b, const unsigned selector[4])
{
    const uint64_t bytes = b << 32 | a;
    uint64_t d = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t byte = (bytes >> (8 * (selector[i] & 7))) & 0xff;
        d |= (selector[i] & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << (8 * i);
    }
    return d;
}

/* Bytes taken by the special modes, lowest first, for c = 0..3 (PTX ISA, table of prmt). */
static uint64_t permuted_by_table(uint64_t a, uint64_t b, uint64_t c, const char *table)
{
    unsigned selector[4];
    for (int i = 0; i < 4; i++)
        selector[i] = (unsigned)(table[4 * (c & 3) + 3 - (unsigned)i] - '0');
    return permuted(a, b, selector);
}

static uint64_t prmt(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)e;
    const unsigned selector[4] = { c & 15, (c >> 4) & 15, (c >> 8) & 15, (c >> 12) & 15 };
    return permuted(a, b, selector);
}

/*  X(function, instruction, expression of a b c e) */
#define BITS(X) \
    X(bfe_u32, "bfe.u32 %r1, %r2, %r3, %r4", extract(a, b, c, 31, false)) \
    X(bfe_s32, "bfe.s32 %r1, %r2, %r3, %r4", extract(a, b, c, 31, true)) \
    X(bfe_u64, "bfe.u64 %d1, %d2, %r3, %r4", extract(a, b, c, 63, false)) \
    X(bfe_s64, "bfe.s64 %d1, %d2, %r3, %r4", extract(a, b, c, 63, true)) \
    X(bfi_b32, "bfi.b32 %r1, %r2, %r3, %r4, %r5", insert(a, b, c, e, 31)) \
    X(bfi_b64, "bfi.b64 %d1, %d2, %d3, %r4, %r5", insert(a, b, c, e, 63)) \
    X(bfind_u32, "bfind.u32 %r1, %r2", highest(a, 31, false, false)) \
    X(bfind_s32, "bfind.s32 %r1, %r2", highest(a, 31, true, false)) \
    X(bfind_u64, "bfind.u64 %r1, %d2", highest(a, 63, false, false)) \
    X(bfind_s64, "bfind.s64 %r1, %d2", highest(a, 63, true, false)) \
    X(bfind_au32, "bfind.shiftamt.u32 %r1, %r2", highest(a, 31, false, true)) \
    X(bfind_as32, "bfind.shiftamt.s32 %r1, %r2", highest(a, 31, true, true)) \
    X(bfind_au64, "bfind.shiftamt.u64 %r1, %d2", highest(a, 63, false, true)) \
    X(bfind_as64, "bfind.shiftamt.s64 %r1, %d2", highest(a, 63, true, true)) \
    X(bmsk_clamp, "bmsk.clamp.b32 %r1, %r2, %r3", bit_mask(a, b, true)) \
    X(bmsk_wrap, "bmsk.wrap.b32 %r1, %r2, %r3", bit_mask(a, b, false)) \
    X(szext_cu, "szext.clamp.u32 %r1, %r2, %r3", extend(a, b, true, false)) \
    X(szext_cs, "szext.clamp.s32 %r1, %r2, %r3", extend(a, b, true, true)) \
    X(szext_wu, "szext.wrap.u32 %r1, %r2, %r3", extend(a, b, false, false)) \
    X(szext_ws, "szext.wrap.s32 %r1, %r2, %r3", extend(a, b, false, true)) \
    X(brev_b32, "brev.b32 %r1, %r2", reversed(a, 32)) \
    X(brev_b64, "brev.b64 %d1, %d2", reversed(a, 64)) \
    X(popc_b32, "popc.b32 %r1, %r2", ones(a)) \
    X(popc_b64, "popc.b64 %r1, %d2", ones(a)) \
    X(clz_b32, "clz.b32 %r1, %r2", zeros_in_front(a, 32)) \
    X(clz_b64, "clz.b64 %r1, %d2", zeros_in_front(a, 64)) \
    X(fns_b32, "fns.b32 %r1, %r2, %r3, %r4", nth_set(a, b, c)) \
    X(lop3_e8, "lop3.b32 %r1, %r2, %r3, %r4, 0xe8", logic3(a, b, c, 0xe8)) \
    X(lop3_35, "lop3.b32 %r1, %r2, %r3, %r4, 0x35", logic3(a, b, c, 0x35)) \
    X(prmt_any, "prmt.b32 %r1, %r2, %r3, %r4", prmt(a, b, c, e)) \
    X(prmt_f4e, "prmt.b32.f4e %r1, %r2, %r3, %r4", permuted_by_table(a, b, c, "3210" "4321" "5432" "6543")) \
    X(prmt_b4e, "prmt.b32.b4e %r1, %r2, %r3, %r4", permuted_by_table(a, b, c, "5670" "6701" "7012" "0123")) \
    X(prmt_rc8, "prmt.b32.rc8 %r1, %r2, %r3, %r4", permuted_by_table(a, b, c, "0000" "1111" "2222" "3333")) \
    X(prmt_ecl, "prmt.b32.ecl %r1, %r2, %r3, %r4", permuted_by_table(a, b, c, "3210" "3211" "3222" "3333")) \
    X(prmt_ecr, "prmt.b32.ecr %r1, %r2, %r3, %r4", permuted_by_table(a, b, c, "0000" "1110" "2210" "3210")) \
    X(prmt_rc16, "prmt.b32.rc16 %r1, %r2, %r3, %r4", permuted_by_table(a, b, c, "1010" "3232" "1010" "3232")) \
    X(selp_b16, "selp.b16 %h1, %h2, %h3, %p1", c ? a : b) \
    X(selp_b32, "selp.b32 %r1, %r2, %r3, %p1", c ? a : b) \
    X(selp_f64, "selp.f64 %d1, %d2, %d3, %p1", c ? a : b) \
    X(slct_u32, "slct.u32.s32 %r1, %r2, %r3, %r4", (int32_t)(uint32_t)c >= 0 ? a : b) \
    X(slct_f64, "slct.f64.f32 %d1, %d2, %d3, %r4", as_f32(c) >= 0 ? a : b) \
    X(slct_ftz, "slct.ftz.b32.f32 %r1, %r2, %r3, %r4", as_f32(c) > -0x1p-126f ? a : b) \
    X(not_pred, "not.pred %p1, %p2", !a) \
    X(and_pred, "and.pred %p1, %p2, %p3", a & b) \
    X(or_pred, "or.pred %p1, %p2, %p3", a | b) \
    X(xor_pred, "xor.pred %p1, %p2, %p3", a ^ b) \
    X(mov_pred, "mov.pred %p1, %p2", a)
#define DEFINE(name, text, expr) \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        (void)a, (void)b, (void)c, (void)e; \
        return expr; \
    }
BITS(DEFINE)

static void bit_operations(void **unused)
{
    (void)unused;
#define ROWS(name, text, expr) { text, name },
    static const test_row rows[] = { BITS(ROWS) };
    CHECK_ROWS(rows, 60);
}

/* Dot products and pairs of halves. */
static uint64_t byte_of(uint64_t v, int i, bool is_signed)
{
    return (uint64_t)value(v >> (8 * i), 8, is_signed);
}

static uint64_t dot4(uint64_t a, uint64_t b, uint64_t c, bool sa, bool sb)
{
    uint64_t d = c;
    for (int i = 0; i < 4; i++)
        d += byte_of(a, i, sa) * byte_of(b, i, sb);
    return (uint32_t)d;
}

static uint64_t dot2(uint64_t a, uint64_t b, uint64_t c, bool sa, bool sb, int first)
{
    uint64_t d = c;
    for (int i = 0; i < 2; i++)
        d += (uint64_t)value(a >> (16 * i), 16, sa) * byte_of(b, first + i, sb);
    return (uint32_t)d;
}

static uint64_t halves(big low, big high)
{
    return cut_to(low, 16) | cut_to(high, 16) << 16;
}

#define L(v, s) value(v, 16, s)
#define H(v, s) value((v) >> 16, 16, s)
#define LESSER(p, q) ((p) < (q) ? (p) : (q))
#define GREATER(p, q) ((p) > (q) ? (p) : (q))
/* cvt.pack with three sources, bit by bit as the PTX ISA writes it. */
static uint64_t pack_below(uint64_t a, uint64_t b, uint64_t c, unsigned bits, bool is_signed)
{
    const uint64_t high = (uint64_t)clamp_to(VALUE(a, s32), bits, is_signed), low = (uint64_t)clamp_to(VALUE(b, s32), bits, is_signed);
    uint64_t d = 0;
    for (unsigned i = 0; i < 32; i++) {
        const uint64_t bit = i < bits ? low >> i : i < 2 * bits ? high >> (i - bits) : c >> (i - 2 * bits);
        d |= (bit & 1) << i;
    }
    return d;
}

#define PACKED(X) \
    X(dp4a_uu, "dp4a.u32.u32 %r1, %r2, %r3, %r4", dot4(a, b, c, false, false)) \
    X(dp4a_us, "dp4a.u32.s32 %r1, %r2, %r3, %r4", dot4(a, b, c, false, true)) \
    X(dp4a_su, "dp4a.s32.u32 %r1, %r2, %r3, %r4", dot4(a, b, c, true, false)) \
    X(dp4a_ss, "dp4a.s32.s32 %r1, %r2, %r3, %r4", dot4(a, b, c, true, true)) \
    X(dp2a_lo_uu, "dp2a.lo.u32.u32 %r1, %r2, %r3, %r4", dot2(a, b, c, false, false, 0)) \
    X(dp2a_hi_us, "dp2a.hi.u32.s32 %r1, %r2, %r3, %r4", dot2(a, b, c, false, true, 2)) \
    X(dp2a_lo_su, "dp2a.lo.s32.u32 %r1, %r2, %r3, %r4", dot2(a, b, c, true, false, 0)) \
    X(dp2a_hi_ss, "dp2a.hi.s32.s32 %r1, %r2, %r3, %r4", dot2(a, b, c, true, true, 2)) \
    X(add_u16x2, "add.u16x2 %r1, %r2, %r3", halves(L(a, 0) + L(b, 0), H(a, 0) + H(b, 0))) \
    X(add_s16x2, "add.s16x2 %r1, %r2, %r3", halves(L(a, 1) + L(b, 1), H(a, 1) + H(b, 1))) \
    X(min_u16x2, "min.u16x2 %r1, %r2, %r3", halves(LESSER(L(a, 0), L(b, 0)), LESSER(H(a, 0), H(b, 0)))) \
    X(max_u16x2, "max.u16x2 %r1, %r2, %r3", halves(GREATER(L(a, 0), L(b, 0)), GREATER(H(a, 0), H(b, 0)))) \
    X(min_s16x2, "min.s16x2 %r1, %r2, %r3", halves(LESSER(L(a, 1), L(b, 1)), LESSER(H(a, 1), H(b, 1)))) \
    X(max_s16x2, "max.s16x2 %r1, %r2, %r3", halves(GREATER(L(a, 1), L(b, 1)), GREATER(H(a, 1), H(b, 1)))) \
    X(max_relu_s16x2, "max.relu.s16x2 %r1, %r2, %r3", \
      halves(GREATER(GREATER(L(a, 1), L(b, 1)), 0), GREATER(GREATER(H(a, 1), H(b, 1)), 0))) \
    X(min_relu_s16x2, "min.relu.s16x2 %r1, %r2, %r3", \
      halves(GREATER(LESSER(L(a, 1), L(b, 1)), 0), GREATER(LESSER(H(a, 1), H(b, 1)), 0))) \
    X(pack_u16, "cvt.pack.sat.u16.s32 %r1, %r2, %r3", \
      halves(clamp_to(VALUE(b, s32), 16, false), clamp_to(VALUE(a, s32), 16, false))) \
    X(pack_s16, "cvt.pack.sat.s16.s32 %r1, %r2, %r3", \
      halves(clamp_to(VALUE(b, s32), 16, true), clamp_to(VALUE(a, s32), 16, true))) \
    X(pack_u8, "cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4", pack_below(a, b, c, 8, false)) \
    X(pack_s8, "cvt.pack.sat.s8.s32.b32 %r1, %r2, %r3, %r4", pack_below(a, b, c, 8, true)) \
    X(pack_u4, "cvt.pack.sat.u4.s32.b32 %r1, %r2, %r3, %r4", pack_below(a, b, c, 4, false)) \
    X(pack_s4, "cvt.pack.sat.s4.s32.b32 %r1, %r2, %r3, %r4", pack_below(a, b, c, 4, true)) \
    X(pack_u2, "cvt.pack.sat.u2.s32.b32 %r1, %r2, %r3, %r4", pack_below(a, b, c, 2, false)) \
    X(pack_s2, "cvt.pack.sat.s2.s32.b32 %r1, %r2, %r3, %r4", pack_below(a, b, c, 2, true))
PACKED(DEFINE)

static void packed_operations(void **unused)
{
    (void)unused;
    static const test_row rows[] = { PACKED(ROWS) };
    CHECK_ROWS(rows, 60);
}

/* Conversions between integers: the value, cut or clamped. */
#define INTEGER_TYPES(X, S) X(u8, S) X(u16, S) X(u32, S) X(u64, S) X(s8, S) X(s16, S) X(s32, S) X(s64, S)
#define DEFINE_CVT(D, S) \
    static uint64_t cvt_##D##_##S(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        (void)b, (void)c, (void)e; \
        return cut_to(VALUE(a, S), BITS_##D); \
    } \
    static uint64_t cvt_sat_##D##_##S(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        (void)b, (void)c, (void)e; \
        return cut_to(clamp_to(VALUE(a, S), BITS_##D, SIGNED_##D), BITS_##D); \
    }
#define ROWS_CVT(D, S) \
    { "cvt." #D "." #S " " REG_##D "1, " REG_##S "2", cvt_##D##_##S }, \
    { "cvt.sat." #D "." #S " " REG_##D "1, " REG_##S "2", cvt_sat_##D##_##S },
#define ALL_CVT(X) \
    INTEGER_TYPES(X, u8) INTEGER_TYPES(X, u16) INTEGER_TYPES(X, u32) INTEGER_TYPES(X, u64) \
    INTEGER_TYPES(X, s8) INTEGER_TYPES(X, s16) INTEGER_TYPES(X, s32) INTEGER_TYPES(X, s64)
ALL_CVT(DEFINE_CVT)

static void integer_conversions(void **unused)
{
    (void)unused;
    static const test_row rows[] = { ALL_CVT(ROWS_CVT) };
    CHECK_ROWS(rows, 25);
}

/* Comparisons. */
#define COMPARES(X, T) \
    X(eq, T, x == y) X(ne, T, x != y) X(lt, T, x < y) X(le, T, x <= y) X(gt, T, x > y) X(ge, T, x >= y)
#define UNSIGNED_COMPARES(X, T) X(lo, T, x < y) X(ls, T, x <= y) X(hi, T, x > y) X(hs, T, x >= y)
#define EQUALITY(X, T) X(eq, T, x == y) X(ne, T, x != y)
#define ALL_COMPARES(X) \
    COMPARES(X, u16) COMPARES(X, s16) COMPARES(X, u32) COMPARES(X, s32) COMPARES(X, u64) COMPARES(X, s64) \
    UNSIGNED_COMPARES(X, u16) UNSIGNED_COMPARES(X, u32) UNSIGNED_COMPARES(X, u64) \
    EQUALITY(X, b16) EQUALITY(X, b32) EQUALITY(X, b64)
#define DEFINE_COMPARE(cmp, T, expr) \
    static uint64_t setp_##cmp##_##T(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        const big x = VALUE(a, T), y = VALUE(b, T); \
        (void)c, (void)e; \
        return expr; \
    } \
    static uint64_t set_##cmp##_##T(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        return setp_##cmp##_##T(a, b, c, e) ? UINT32_MAX : 0; \
    }
#define ROWS_COMPARE(cmp, T, expr) \
    { "setp." #cmp "." #T " %p1, " REG_##T "1, " REG_##T "2", setp_##cmp##_##T }, \
    { "set." #cmp ".u32." #T " %r1, " REG_##T "2, " REG_##T "3", set_##cmp##_##T },
ALL_COMPARES(DEFINE_COMPARE)

#define SETS(X) \
    X(set_and, "set.lt.and.u32.s32 %r1, %r2, %r3, %p1", setp_lt_s32(a, b, c, e) & c ? UINT32_MAX : 0) \
    X(set_or, "set.lt.or.s32.s32 %r1, %r2, %r3, %p1", setp_lt_s32(a, b, c, e) | c ? UINT32_MAX : 0) \
    X(set_xor, "set.lt.xor.f32.u64 %r1, %d2, %d3, %p1", setp_lt_u64(a, b, c, e) ^ c ? 0x3f800000 : 0) \
    X(set_f32, "set.ge.f32.s16 %r1, %h2, %h3", setp_ge_s16(a, b, c, e) ? 0x3f800000 : 0) \
    X(set_f16, "set.ge.f16.s32 %h1, %r2, %r3", setp_ge_s32(a, b, c, e) ? 0x3c00 : 0) \
    X(set_bf16, "set.hi.bf16.u32 %h1, %r2, %r3", setp_hi_u32(a, b, c, e) ? 0x3f80 : 0)
SETS(DEFINE)

static void integer_comparisons(void **unused)
{
    (void)unused;
    static const test_row rows[] = { ALL_COMPARES(ROWS_COMPARE) SETS(ROWS) };
    CHECK_ROWS(rows, 30);
}

/* Carry chains: the condition code goes in and out, a bit a lane; lanes outside the mask keep theirs. */
typedef struct carry_row {
    const char *instruction;
    unsigned bits;
    bool subtracts, reads, writes, is_signed;
    char product; /* 0 none, 'l' low, 'h' high half of a * b comes first */
} carry_row;

static big first_term(const carry_row *row, uint64_t a, uint64_t b)
{
    const big x = value(a, row->bits, row->is_signed), y = value(b, row->bits, row->is_signed);
    switch (row->product) {
    case 'l': return (big)(ubig)cut_to(TIMES(x, y), row->bits);
    case 'h': return (big)(ubig)cut_to(product_high(x, y, row->bits), row->bits);
    default: return value(a, row->bits, false);
    }
}

static void check_carry_lane(const carry_row *row, const vector *d, const vector src[4], int lane, uint32_t in,
                             uint32_t out)
{
    const unsigned type = row->bits == 64 ? WS_T_u64 : WS_T_u32;
    const uint64_t a = get_lane(&src[0], type, lane), b = get_lane(&src[1], type, lane);
    const uint64_t c = get_lane(&src[2], type, lane);
    const big x = first_term(row, a, b), y = row->product ? value(c, row->bits, false) : value(b, row->bits, false);
    const int code = (int)((in >> lane) & 1); /* after a subtraction 1 says that nothing was borrowed */
    const int carry = !row->reads ? 0 : row->subtracts ? !code : code;
    const big exact = row->subtracts ? x - y - carry : x + y + carry;
    assert_int_equal(get_lane(d, type, lane), cut_to(exact, row->bits));
    const unsigned set = row->subtracts ? exact >= 0 : (exact >> row->bits) != 0;
    assert_int_equal((out >> lane) & 1, row->writes ? set : (in >> lane) & 1);
}

static void check_carry(const carry_row *row)
{
    instance t = find_instance(row->instruction);
    assert_true(t.shape.carry);
    uint64_t state = 7;
    for (int r = 0; r < 60; r++) {
        vector src[4], d, before;
        draw_sources(&t, &state, src);
        for (int i = 0; i < WS_WARP; i++)
            before.word[i] = next_random(&state);
        const uint32_t in = (uint32_t)next_random(&state);
        const ws_mask m = mask_of(r & 1 ? UINT32_MAX : (uint32_t)next_random(&state));
        uint32_t cc = in;
        d = before;
        call(&t, &d, src, &cc, &m);
        for (int i = 0; i < WS_WARP; i++) {
            if ((m.bits >> i) & 1) {
                check_carry_lane(row, &d, src, i, in, cc);
            } else {
                assert_int_equal(get_lane(&d, t.shape.dst, i), get_lane(&before, t.shape.dst, i));
                assert_int_equal((cc >> i) & 1, (in >> i) & 1);
            }
        }
    }
    ws_module_destroy(t.module);
}

static void carry_chains(void **unused)
{
    (void)unused;
#define CARRY_ROWS(T, bits, R) \
    { "add.cc." T " " R "1, " R "2, " R "3", bits, false, false, true, false, 0 }, \
    { "addc." T " " R "1, " R "2, " R "3", bits, false, true, false, false, 0 }, \
    { "addc.cc." T " " R "1, " R "2, " R "3", bits, false, true, true, false, 0 }, \
    { "sub.cc." T " " R "1, " R "2, " R "3", bits, true, false, true, false, 0 }, \
    { "subc." T " " R "1, " R "2, " R "3", bits, true, true, false, false, 0 }, \
    { "subc.cc." T " " R "1, " R "2, " R "3", bits, true, true, true, false, 0 }, \
    { "mad.lo.cc." T " " R "1, " R "2, " R "3, " R "4", bits, false, false, true, T[0] == 's', 'l' }, \
    { "madc.lo." T " " R "1, " R "2, " R "3, " R "4", bits, false, true, false, T[0] == 's', 'l' }, \
    { "madc.lo.cc." T " " R "1, " R "2, " R "3, " R "4", bits, false, true, true, T[0] == 's', 'l' }, \
    { "mad.hi.cc." T " " R "1, " R "2, " R "3, " R "4", bits, false, false, true, T[0] == 's', 'h' }, \
    { "madc.hi." T " " R "1, " R "2, " R "3, " R "4", bits, false, true, false, T[0] == 's', 'h' }, \
    { "madc.hi.cc." T " " R "1, " R "2, " R "3, " R "4", bits, false, true, true, T[0] == 's', 'h' },
    const carry_row rows[] = { CARRY_ROWS("u32", 32, "%r") CARRY_ROWS("s32", 32, "%r")
                               CARRY_ROWS("u64", 64, "%d") CARRY_ROWS("s64", 64, "%d") };
    for (size_t l = 0; l < sizeof all_levels / sizeof all_levels[0]; l++)
        if (ws_lanes_set_level(all_levels[l]) == WS_OK)
            for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
                check_carry(&rows[i]);
}

/* What does not exist is refused with the instruction's name; an unknown level is refused too. */
static void refusals(void **unused)
{
    (void)unused;
    static const char *const none[] = {
        "cvt.u4.s32 %r1, %r2",         "cvt.pack.sat.u4.s32 %r1, %r2, %r3", "cvt.sat.s2.s32 %r1, %r2",
        "setp.lo.s32 %p1, %r1, %r2",   "setp.lt.b32 %p1, %r1, %r2",  "add.cc.u16 %h1, %h2, %h3",
        "mul.wide.u64 %d1, %d2, %d3", "setp.num.u32 %p1, %r1, %r2", "shr.f32 %r1, %r2, %r3",
    };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        ws_module *const module = module_of(none[i]);
        ws_insn insn = ws_module_function(module, "k")->insn[0];
        ws_lanes_fn *fn;
        ws_lanes_shape shape;
        assert_int_equal(ws_lanes_find(&insn, &fn, &shape), WS_EUNSUPPORTED);
        if (!strstr(ws_message(), "not implemented"))
            fail_msg("%s: %s", insn.text, ws_message());
        ws_module_destroy(module);
    }
    assert_int_equal(ws_lanes_set_level("sse9"), WS_EUNSUPPORTED);
    assert_non_null(strstr(ws_message(), "sse9"));
    assert_int_equal(ws_lanes_set_level("plain"), WS_OK);
    assert_string_equal(ws_lanes_level(), "plain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_arithmetic),
        cmocka_unit_test(wide_products),
        cmocka_unit_test(shifts),
        cmocka_unit_test(bit_operations),
        cmocka_unit_test(packed_operations),
        cmocka_unit_test(integer_conversions),
        cmocka_unit_test(integer_comparisons),
        cmocka_unit_test(carry_chains),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
