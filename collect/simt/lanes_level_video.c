/* lanes_level_video.c - video instructions of 32 lanes: parts of registers, saturation, merging, and packed forms.
 *
 * One function an opcode reads types, selectors and modifiers from the control word (WS_VIDEO_ in lanes_internal.h):
 * they are rare enough that two thousand special versions would be a waste. */
/* clang-format off */
#define LANES_LARGE
#include "collect/simt/lanes_loop_internal.h"

static inline bool has(uint64_t control, int bit)
{
    return (control >> bit) & 1;
}

/* The selected part of a register, sign- or zero-extended. */
static inline int64_t part(uint32_t v, unsigned selector, bool is_signed)
{
    const unsigned shift = selector == 0 ? 0 : selector <= 4 ? 8 * (selector - 1) : 16 * (selector - 5);
    const unsigned bits = selector == 0 ? 32 : selector <= 4 ? 8 : 16;
    const uint64_t cut = (uint64_t)(v >> shift) << (64 - bits);
    return is_signed ? (int64_t)cut >> (64 - bits) : (int64_t)(cut >> (64 - bits));
}

static inline __int128 clamp_to(__int128 x, unsigned bits, bool is_signed)
{
    const __int128 high = is_signed ? ((__int128)1 << (bits - 1)) - 1 : ((__int128)1 << bits) - 1;
    const __int128 low = is_signed ? -((__int128)1 << (bits - 1)) : 0;
    return x > high ? high : x < low ? low : x;
}

/* Intermediate results have 34 bits (PTX ISA, video instructions). Only those of vshl can have more. */
static inline __int128 in_34_bits(__int128 x)
{
    return (int64_t)((uint64_t)x << 30) >> 30;
}

/* They meet c of the secondary operation before they are cut to 32 bits; where the destination is unsigned, a negative
 * one counts as the large number that its 34 bits make. */
static inline bool less_than(__int128 x, uint32_t c, bool is_signed)
{
    return is_signed ? x < (int32_t)c : ((uint64_t)x & ((UINT64_C(1) << 34) - 1)) < c;
}

/* Saturation, then the secondary operation with c or the merge into c. */
static inline uint32_t finish_scalar(__int128 value, uint32_t c, uint64_t control)
{
    const unsigned selector = (control >> WS_VIDEO_D) & 7;
    const unsigned bits = selector == 0 ? 32 : selector <= 4 ? 8 : 16;
    const bool is_signed = has(control, WS_VIDEO_D_SIGNED);
    const __int128 whole = has(control, WS_VIDEO_SAT) ? clamp_to(value, bits, is_signed) : value;
    const uint32_t r = (uint32_t)whole;
    const bool less = less_than(whole, c, is_signed);
    switch ((control >> WS_VIDEO_SECOND) & 3) {
    case 1: return r + c;
    case 2: return less ? r : c;
    case 3: return less ? c : r;
    default: break;
    }
    if (selector == 0)
        return r;
    const unsigned shift = selector <= 4 ? 8 * (selector - 1) : 16 * (selector - 5);
    const uint32_t mask = ((1u << bits) - 1) << shift;
    return (c & ~mask) | ((r << shift) & mask);
}

static inline bool compare(int64_t x, int64_t y, uint64_t control)
{
    switch ((control >> WS_VIDEO_CMP) & 7) {
    case WS_CMP_EQ: return x == y;
    case WS_CMP_NE: return x != y;
    case WS_CMP_LT: return x < y;
    case WS_CMP_LE: return x <= y;
    case WS_CMP_GT: return x > y;
    default: return x >= y;
    }
}

static inline unsigned shift_amount(int64_t y, uint64_t control)
{
    const uint64_t amount = (uint64_t)y;
    return (unsigned)(has(control, WS_VIDEO_CLAMP) ? (amount > 32 ? 32 : amount) : amount & 31);
}

/* A product with addend: negations by complement and one more, a scale, and the whole clamped (PTX ISA, vmad). */
static inline uint32_t multiply_add(int64_t x, int64_t y, uint32_t c, uint64_t control)
{
    const bool negate_c = has(control, WS_VIDEO_NEGATE_C), negate_ab = has(control, WS_VIDEO_NEGATE_AB);
    const bool is_signed = has(control, WS_VIDEO_A_SIGNED) || has(control, WS_VIDEO_B_SIGNED) || negate_ab || negate_c;
    __int128 sum = (__int128)x * y;
    int64_t addend = is_signed ? (int64_t)(int32_t)c : (int64_t)c;
    sum = negate_ab ? ~sum : sum;
    addend = negate_c && !negate_ab ? ~addend : addend;
    sum += addend;
    sum += negate_ab || negate_c || has(control, WS_VIDEO_PLUS_ONE);
    sum >>= (control >> WS_VIDEO_SCALE) & 15;
    return (uint32_t)(has(control, WS_VIDEO_SAT) ? clamp_to(sum, 32, is_signed) : sum);
}

#define LANES_OF(name) \
    static void name(LANES_ARGUMENTS) \
    { \
        LANES_OUT(REG_u32, d, dp); \
        LANES_IN(REG_u32, a, ap); \
        LANES_IN(REG_u32, b, bp); \
        LANES_IN(REG_u32, c, cp); \
        const uint64_t control = *(const lane_u64 *)ep; \
        WS_EACH_LANE(i, m->bits) \
            d[i] = name##_lane(a[i], b[i], c ? c[i] : 0, control); \
    }
#define SCALAR(name, expr) \
    static inline uint32_t name##_lane(uint32_t a, uint32_t b, uint32_t c, uint64_t control) \
    { \
        const int64_t x = part(a, (control >> WS_VIDEO_A) & 7, has(control, WS_VIDEO_A_SIGNED)); \
        const int64_t y = part(b, (control >> WS_VIDEO_B) & 7, has(control, WS_VIDEO_B_SIGNED)); \
        return expr; \
    } \
    LANES_OF(name)
#define RESULT(value) finish_scalar((__int128)(value), c, control)
SCALAR(vadd, RESULT(x + y))
SCALAR(vsub, RESULT(x - y))
SCALAR(vabsdiff, RESULT(x > y ? x - y : y - x))
SCALAR(vmin, RESULT(x < y ? x : y))
SCALAR(vmax, RESULT(x > y ? x : y))
SCALAR(vset, RESULT(compare(x, y, control)))
SCALAR(vshl, RESULT(in_34_bits((__int128)x * ((__int128)1 << shift_amount(y, control)))))
SCALAR(vshr, RESULT(x >> shift_amount(y, control)))
SCALAR(vmad, multiply_add(x, y, c, control))

/* Packed forms: lanes of 8 or 16 bits, each taken from any lane of the pair b:a. */
static inline int32_t packed_part(uint32_t a, uint32_t b, unsigned selector, unsigned bits, bool is_signed)
{
    const uint64_t both = (uint64_t)b << 32 | a;
    const uint32_t cut = (uint32_t)(both >> (selector * bits)) << (32 - bits);
    return is_signed ? (int32_t)cut >> (32 - bits) : (int32_t)(cut >> (32 - bits));
}

#define PACKED(name, bits, expr) \
    static inline uint32_t name##_lane(uint32_t a, uint32_t b, uint32_t c, uint64_t control) \
    { \
        const bool accumulates = ((control >> WS_VIDEO_SECOND) & 3) == 1; \
        uint32_t r = c; \
        for (unsigned k = 0; k < 32 / (bits); k++) { \
            const unsigned from_a = (control >> (WS_VIDEO_A + 4 * k)) & 7; \
            const unsigned from_b = (control >> (WS_VIDEO_B + 4 * k)) & 7; \
            const int32_t x = packed_part(a, b, from_a, bits, has(control, WS_VIDEO_A_SIGNED)); \
            const int32_t y = packed_part(a, b, from_b, bits, has(control, WS_VIDEO_B_SIGNED)); \
            int32_t t = expr; \
            if (has(control, WS_VIDEO_SAT)) \
                t = (int32_t)clamp_to(t, bits, has(control, WS_VIDEO_D_SIGNED)); \
            const uint32_t mask = ((1u << (bits)) - 1) << (k * (bits)); \
            if (!has(control, WS_VIDEO_D + (int)k)) \
                continue; \
            r = accumulates ? r + (uint32_t)t : (r & ~mask) | (((uint32_t)t << (k * (bits))) & mask); \
        } \
        return r; \
    } \
    LANES_OF(name)
#define PACKED_BOTH(name, expr) PACKED(name##2, 16, expr) PACKED(name##4, 8, expr)
PACKED_BOTH(vadd, x + y)
PACKED_BOTH(vsub, x - y)
PACKED_BOTH(vavrg, x + y >= 0 ? (x + y + 1) >> 1 : (x + y) >> 1)
PACKED_BOTH(vabsdiff, x > y ? x - y : y - x)
PACKED_BOTH(vmin, x < y ? x : y)
PACKED_BOTH(vmax, x > y ? x : y)
PACKED_BOTH(vset, compare(x, y, control))

/* One function an opcode, of its name. */
#define VIDEO_FORM(op) ROW(op, NONE, 0, op)
#define OWN_video , VIDEO_FORM
#define LANES_FILE video
#include "collect/simt/lanes_table.def"
