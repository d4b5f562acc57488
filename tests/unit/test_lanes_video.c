/* test_lanes_video.c - video instructions against the pseudo-code of the PTX ISA, written out one step at a time. */
#include "lanes_harness.h"

typedef __int128 big;

/* The instruction under test. Selectors: 0 none, 'b' or 'h' and a digit. */
typedef struct video {
    char op; /* + - d(iff) < > s(et) l(eft) r(ight) m(ad) v(avrg) */
    bool d_signed, a_signed, b_signed, sat, clamp;
    char second; /* 0, + < > */
    const char *cmp;
    const char *dsel, *asel, *bsel;
    bool minus_a, minus_b, minus_c, plus_one;
    int scale;
    int lanes; /* packed: 2 or 4 */
} video;
static video now;

static big field(uint64_t v, unsigned shift, unsigned bits, bool is_signed)
{
    const uint64_t cut = (v >> shift) & ((UINT64_C(1) << bits) - 1);
    return is_signed && (cut >> (bits - 1)) & 1 ? (big)cut - ((big)1 << bits) : (big)cut;
}

static unsigned width_of(const char *selector)
{
    return !*selector ? 32 : *selector == 'b' ? 8 : 16;
}

static unsigned shift_of(const char *selector)
{
    return *selector ? width_of(selector) * (unsigned)(selector[1] - '0') : 0;
}

static big saturated(big v, unsigned bits, bool is_signed)
{
    const big high = is_signed ? ((big)1 << (bits - 1)) - 1 : ((big)1 << bits) - 1,
              low = is_signed ? -((big)1 << (bits - 1)) : 0;
    return v > high ? high : v < low ? low : v;
}

static bool holds(big x, big y)
{
    switch (now.cmp[0] << 8 | now.cmp[1]) {
    case 'e' << 8 | 'q':
        return x == y;
    case 'n' << 8 | 'e':
        return x != y;
    case 'l' << 8 | 't':
        return x < y;
    case 'l' << 8 | 'e':
        return x <= y;
    case 'g' << 8 | 't':
        return x > y;
    default:
        return x >= y;
    }
}

static big combine(big x, big y)
{
    const big amount = now.clamp ? (y > 32 ? 32 : y) : y & 31;
    switch (now.op) {
    case '+':
        return x + y;
    case '-':
        return x - y;
    case 'd':
        return x > y ? x - y : y - x;
    case '<':
        return x < y ? x : y;
    case '>':
        return x > y ? x : y;
    case 's':
        return holds(x, y);
    case 'l':
        return (big)((unsigned __int128)x << (amount + 94)) >> 94; /* 34 bits */
    case 'r':
        return x >> amount;
    default:
        return x + y >= 0 ? (x + y + 1) >> 1 : (x + y) >> 1;
    }
}

static uint64_t scalar(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)e;
    big t = combine(field(a, shift_of(now.asel), width_of(now.asel), now.a_signed),
                    field(b, shift_of(now.bsel), width_of(now.bsel), now.b_signed));
    const unsigned bits = width_of(now.dsel), shift = shift_of(now.dsel);
    if (now.sat)
        t = saturated(t, bits, now.d_signed);
    const uint32_t r = (uint32_t)(unsigned __int128)t;
    const big x = now.d_signed ? t : t & (((big)1 << 34) - 1), y = field(c, 0, 32, now.d_signed);
    switch (now.second) {
    case '+':
        return (uint32_t)(r + (uint32_t)c);
    case '<':
        return (uint32_t)(x < y ? r : c);
    case '>':
        return (uint32_t)(x > y ? r : c);
    default:
        break;
    }
    if (bits == 32)
        return r;
    const uint32_t mask = ((1u << bits) - 1) << shift;
    return ((uint32_t)c & ~mask) | ((r << shift) & mask);
}

static uint64_t mad(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)e;
    const bool negated = now.minus_a != now.minus_b, is_signed = now.a_signed || now.b_signed || negated || now.minus_c;
    const big product = field(a, shift_of(now.asel), width_of(now.asel), now.a_signed) *
                        field(b, shift_of(now.bsel), width_of(now.bsel), now.b_signed);
    const big addend = field(c, 0, 32, is_signed);
    big t = (negated ? -product : product) + (now.minus_c && !negated ? -addend : addend) + now.plus_one;
    t >>= now.scale;
    return (uint32_t)(unsigned __int128)(now.sat ? saturated(t, 32, is_signed) : t);
}

/* Packed: selectors as digits, highest lane first; dsel lists the lanes written. */
static uint64_t packed(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)e;
    const unsigned lanes = (unsigned)now.lanes, bits = 32 / lanes;
    const uint64_t both = b << 32 | a;
    uint32_t accumulated = (uint32_t)c, merged = (uint32_t)c;
    for (unsigned k = 0; k < lanes; k++) {
        const unsigned from_a = *now.asel ? (unsigned)(now.asel[lanes - k] - '0') : k;
        const unsigned from_b = *now.bsel ? (unsigned)(now.bsel[lanes - k] - '0') : k + lanes;
        const big x = field(both, from_a * bits, bits, now.a_signed),
                  y = field(both, from_b * bits, bits, now.b_signed);
        big t = combine(x, y);
        if (now.sat)
            t = saturated(t, bits, now.d_signed);
        if (*now.dsel && !strchr(now.dsel + 1, (char)('0' + k)))
            continue;
        accumulated += (uint32_t)(unsigned __int128)t;
        const uint32_t mask = ((1u << bits) - 1) << (k * bits);
        merged = (merged & ~mask) | (((uint32_t)(unsigned __int128)t << (k * bits)) & mask);
    }
    return now.second ? accumulated : merged;
}

static const char *dotted(const char *selector)
{
    static char text[4][16];
    static int turn;
    char *const out = text[turn = (turn + 1) % 4];
    snprintf(out, 16, "%s%s", *selector ? "." : "", selector);
    return out;
}

static const char *word(bool is_signed)
{
    return is_signed ? ".s32" : ".u32";
}

static const char *second_name(void)
{
    return now.second == '+' ? ".add" : now.second == '<' ? ".min" : now.second == '>' ? ".max" : "";
}

static const struct {
    char op;
    const char *name;
} ops[] = {{'+', "vadd"}, {'-', "vsub"}, {'d', "vabsdiff"}, {'<', "vmin"}, {'>', "vmax"},
           {'s', "vset"}, {'l', "vshl"}, {'r', "vshr"},     {'v', "vavrg"}};
static const char *const cmps[] = {"eq", "ne", "lt", "le", "gt", "ge"};

static void check_scalar(const char *name)
{
    char text[160];
    const bool sets = now.op == 's', shifts = now.op == 'l' || now.op == 'r';
    const bool needs_c = now.second || *now.dsel;
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s%s %%r1%s, %%r2%s, %%r3%s%s", name, sets ? "" : word(now.d_signed),
             word(now.a_signed), word(now.b_signed), sets ? "." : "", sets ? now.cmp : "", now.sat ? ".sat" : "",
             shifts ? now.clamp ? ".clamp" : ".wrap" : "", second_name(), dotted(now.dsel), dotted(now.asel),
             dotted(now.bsel), needs_c ? ", %r4" : "");
    check(text, scalar, 12);
}

static void scalar_forms(void **unused)
{
    (void)unused;
    static const char *const selectors[] = {"", "b0", "b1", "b2", "b3", "h0", "h1"};
    for (size_t k = 0; k < sizeof ops / sizeof ops[0] - 1; k++)
        for (int v = 0; v < 64; v++) {
            const char op = ops[k].op;
            const bool sets = op == 's', shifts = op == 'l' || op == 'r';
            now = (video){.op = op,
                          .d_signed = !sets && (v & 1),
                          .a_signed = v & 2,
                          .b_signed = !shifts && (v & 4),
                          .sat = !sets && (v & 8),
                          .clamp = v & 16,
                          .cmp = cmps[v % 6],
                          .dsel = "",
                          .asel = selectors[v % 7],
                          .bsel = selectors[(v / 7 + (int)k) % 7]};
            if (v & 32)
                now.second = "+<>"[v % 3];
            else
                now.dsel = selectors[(v + (int)k) % 7];
            check_scalar(ops[k].name);
        }
}

static void multiply_add(void **unused)
{
    (void)unused;
    static const char *const scales[] = {"", ".shr7", ".shr15"};
    static const int shift[] = {0, 7, 15};
    for (int v = 0; v < 192; v++) {
        char text[160];
        now = (video){.a_signed = v & 1,
                      .b_signed = v & 2,
                      .sat = v & 4,
                      .minus_a = (v & 24) == 8,
                      .minus_c = (v & 24) == 16,
                      .plus_one = (v & 24) == 24,
                      .asel = v & 32 ? "h1" : "",
                      .bsel = v & 32 ? "b2" : "",
                      .scale = shift[v / 64]};
        now.d_signed = now.a_signed || now.b_signed || now.minus_a || now.minus_c;
        snprintf(text, sizeof text, "vmad%s%s%s%s%s%s %%r1, %s%%r2%s, %%r3%s, %s%%r4", word(now.d_signed),
                 word(now.a_signed), word(now.b_signed), now.plus_one ? ".po" : "", now.sat ? ".sat" : "",
                 scales[v / 64], now.minus_a ? "-" : "", dotted(now.asel), dotted(now.bsel), now.minus_c ? "-" : "");
        check(text, mad, 10);
    }
}

static void packed_forms(void **unused)
{
    (void)unused;
    static const char *const masks[2][4] = {{"", "h0", "h1", "h10"}, {"", "b2", "b310", "b3210"}};
    static const char *const choices[2][4] = {{"", "h10", "h32", "h03"}, {"", "b3210", "b7654", "b0527"}};
    for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++)
        for (int v = 0; v < 64; v++) {
            const int four = v & 1;
            char text[160];
            if (ops[k].op == 'l' || ops[k].op == 'r')
                continue;
            const bool sets = ops[k].op == 's';
            now = (video){.op = ops[k].op,
                          .lanes = four ? 4 : 2,
                          .d_signed = !sets && (v & 2),
                          .a_signed = v & 4,
                          .b_signed = v & 8,
                          .sat = !sets && (v & 16) && !(v & 32),
                          .second = v & 32 ? '+' : 0,
                          .cmp = cmps[v % 6],
                          .dsel = masks[four][v % 4],
                          .asel = choices[four][v / 3 % 4],
                          .bsel = choices[four][v / 5 % 4]};
            snprintf(text, sizeof text, "%s%d%s%s%s%s%s%s%s %%r1%s, %%r2%s, %%r3%s, %%r4", ops[k].name, now.lanes,
                     sets ? "" : word(now.d_signed), word(now.a_signed), word(now.b_signed), sets ? "." : "",
                     sets ? now.cmp : "", now.sat ? ".sat" : "", second_name(), dotted(now.dsel), dotted(now.asel),
                     dotted(now.bsel));
            check(text, packed, 10);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_forms),
        cmocka_unit_test(multiply_add),
        cmocka_unit_test(packed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
