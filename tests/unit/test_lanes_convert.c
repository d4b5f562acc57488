/* test_lanes_convert.c - is every cvt between integers and floats the exact value rounded once? */
#include "lanes_reference.h"

#include <fenv.h>

typedef struct cvt_type {
    const char *name, *reg;
    unsigned bits;
    bool is_signed;
    const format *float_format; /* NULL: an integer */
} cvt_type;

static const cvt_type types[] = {
    {"u8", "%h", 8, false, NULL},           {"u16", "%h", 16, false, NULL},       {"u32", "%r", 32, false, NULL},
    {"u64", "%d", 64, false, NULL},         {"s8", "%h", 8, true, NULL},          {"s16", "%h", 16, true, NULL},
    {"s32", "%r", 32, true, NULL},          {"s64", "%d", 64, true, NULL},        {"f16", "%h", 16, true, &format_f16},
    {"bf16", "%h", 16, true, &format_bf16}, {"f32", "%r", 32, true, &format_f32}, {"f64", "%d", 64, true, &format_f64},
};
enum { TYPES = sizeof types / sizeof types[0] };

/* The conversion under test; the harness passes only the source to the reference. */
static const cvt_type *to, *from;
static char mode;     /* n z m p; 0: none written */
static bool integral; /* .rni and so on */
static bool ftz, sat;

static bool is_f32(const cvt_type *t)
{
    return t->float_format == &format_f32;
}

static number source(uint64_t a)
{
    number n = from->float_format ? decode(a, from->float_format) : decode_integer(a, from->bits, from->is_signed);
    return ftz && is_f32(from) ? flush_number(n, from->float_format) : n;
}

/* PTX ISA 9.0, cvt: NaN is 0 when the source is not f64 and the destination not 64 bits, else 1 << (bits - 1). */
static uint64_t integer_of_nan(void)
{
    return from->bits < 64 && to->bits < 64 ? 0 : UINT64_C(1) << (to->bits - 1);
}

static uint64_t expected(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)b, (void)c, (void)e;
    number n = source(a);
    if (!to->float_format)
        return encode_integer(n, to->bits, to->is_signed, mode, integer_of_nan());
    if (integral && !n.nan && !n.infinite && n.size < power(60)) {
        const uint64_t whole = (uint64_t)n.size;
        n.size = (quad)(whole + goes_up(mode, n.negative, whole & 1, n.size - (quad)whole, 0));
    }
    if (sat)
        n = saturate_number(n);
    uint64_t r = encode(n, to->float_format, mode && !integral ? mode : 'n');
    if (ftz && is_f32(to)) { /* what 24 bits hold below 2^-126 */
        n.size *= power(24);
        const uint64_t scaled = encode(n, to->float_format, mode && !integral ? mode : 'n') & 0x7fffffff;
        r = scaled < 0x0c800000 ? r & 0x80000000 : r;
    }
    return r;
}

static bool widens(void)
{
    return to->float_format && from->float_format && to != from &&
           to->float_format->mantissa_bits >= from->float_format->mantissa_bits &&
           to->float_format->exponent_bits >= from->float_format->exponent_bits;
}

/* Does this processor obey the rounding mode in sums, of which conversions are made? Real ones do, valgrind's imitation
 * does not. */
static bool rounding_is_obeyed(void)
{
    volatile float large = 16777216.0f, three = 3.0f, sum;
    fesetround(FE_DOWNWARD);
    sum = large + three;
    fesetround(FE_TONEAREST);
    return sum == 16777218.0f;
}

static void check_conversion(const char *rounding)
{
    const bool by_processor = to->float_format == &format_f32 || to->float_format == &format_f64;
    if (by_processor && !integral && mode && mode != 'n' && !rounding_is_obeyed())
        return;
    const char *const flush = ftz ? ".ftz" : "", *const saturation = sat ? ".sat" : "";
    char text[128];
    snprintf(text, sizeof text, "cvt%s%s%s.%s.%s %s1, %s2", rounding, flush, saturation, to->name, from->name, to->reg,
             from->reg);
    check(text, expected, 25);
}

static void check_pair(void)
{
    static const char letters[] = "nzmp";
    for (int flags = 0; flags < 4; flags++) {
        ftz = flags & 1;
        sat = flags & 2;
        if (ftz && !is_f32(to) && !is_f32(from))
            continue;
        if (ftz && (!to->float_format || !from->float_format) && !is_f32(from))
            continue; /* int to f32 cannot be subnormal: not written */
        mode = 0;
        integral = false;
        if (to == from || widens()) {
            check_conversion("");
            if (to != from)
                continue;
        }
        integral = to == from || !to->float_format;
        for (int i = 0; i < 4; i++) {
            char rounding[8];
            mode = letters[i];
            snprintf(rounding, sizeof rounding, ".r%c%s", mode, integral ? "i" : "");
            check_conversion(rounding);
        }
    }
}

static void all_pairs(void **unused)
{
    (void)unused;
    for (int d = 0; d < TYPES; d++)
        for (int s = 0; s < TYPES; s++) {
            to = &types[d];
            from = &types[s];
            if (to->float_format || from->float_format)
                check_pair();
        }
}

/* All 65536 halves. */
static void exhaustive_halves(void **unused)
{
    (void)unused;
    static const char *const instructions[] = {"cvt.f32.f16 %r1, %h2", "cvt.f32.bf16 %r1, %h2",
                                               "cvt.rzi.s32.f16 %r1, %h2"};
    ftz = sat = integral = false;
    for (int k = 0; k < 3; k++) {
        instance t = find_instance(instructions[k]);
        const ws_mask m = mask_of(UINT32_MAX);
        from = &types[k == 1 ? 9 : 8];
        to = &types[k == 2 ? 6 : 10];
        mode = k == 2 ? 'z' : 0;
        for (uint32_t base = 0; base < 65536; base += WS_WARP) {
            vector src[4], d;
            uint64_t want[WS_WARP];
            for (int i = 0; i < WS_WARP; i++)
                put_lane(&src[0], t.shape.src[0], i, base + (uint32_t)i);
            call(&t, &d, src, NULL, &m);
            expect(&t, src, expected, want);
            compare_lanes(instructions[k], &t, &d, &d, src, want, UINT32_MAX);
        }
        ws_module_destroy(t.module);
    }
}

/* Packed, finite and relu forms into f16, bf16 and tf32. */
static const format *packed_format;
static bool stay_finite, relu;

static uint64_t narrowed(uint64_t a)
{
    const number n = decode(a, &format_f32);
    uint64_t r = encode(n, packed_format, mode);
    const unsigned bits = packed_format->bits;
    const uint64_t sign = (r >> (bits - 1)) & 1, infinity = ((UINT64_C(1) << packed_format->exponent_bits) - 1)
                                                            << packed_format->mantissa_bits;
    if (relu && sign && !n.nan)
        return 0;
    if (stay_finite && !n.nan && (r & ~(UINT64_C(1) << (bits - 1))) == infinity)
        r--;
    return r;
}

static uint64_t expected_pair(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)c, (void)e;
    return narrowed(a) << 16 | narrowed(b);
}

static uint64_t expected_single(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)b, (void)c, (void)e;
    return narrowed(a);
}

static uint64_t expected_tf32(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)b, (void)c, (void)e;
    return decode(a, &format_f32).nan ? 0x7fffffff : narrowed(a) << 13;
}

static void packed_and_clamped(void **unused)
{
    (void)unused;
    static const struct {
        const char *type, *single, *pair;
        const format *format;
    } targets[] = {{"f16", "%h1, %r2", "%r1, %r2, %r3", &format_f16},
                   {"bf16", "%h1, %r2", "%r1, %r2, %r3", &format_bf16}};
    char text[128];
    for (int variant = 0; variant < 16; variant++) {
        stay_finite = variant & 1;
        relu = variant & 2;
        mode = variant & 4 ? 'z' : 'n';
        const int k = variant >> 3;
        packed_format = targets[k].format;
        const char *const flags = stay_finite && relu ? ".relu.satfinite"
                                  : stay_finite       ? ".satfinite"
                                  : relu              ? ".relu"
                                                      : "";
        snprintf(text, sizeof text, "cvt.r%c%s.%sx2.f32 %s", mode, flags, targets[k].type, targets[k].pair);
        check(text, expected_pair, 40);
        snprintf(text, sizeof text, "cvt.r%c%s.%s.f32 %s", mode, flags, targets[k].type, targets[k].single);
        check(text, expected_single, 40);
    }
    packed_format = &format_tf32;
    for (int variant = 0; variant < 12; variant++) {
        stay_finite = variant & 1;
        relu = variant & 2;
        mode = "anz"[variant >> 2];
        const char *const flags = stay_finite && relu ? ".satfinite.relu"
                                  : stay_finite       ? ".satfinite"
                                  : relu              ? ".relu"
                                                      : "";
        snprintf(text, sizeof text, "cvt.r%s%s.tf32.f32 %%r1, %%r2",
                 mode == 'a'   ? "na"
                 : mode == 'n' ? "n"
                               : "z",
                 flags);
        check(text, expected_tf32, 60);
    }
}

/* What compilers of PTX 1.x left out: floats to integers truncate, everything else rounds to nearest. */
static void defaults_of_old_ptx(void **unused)
{
    (void)unused;
    ftz = sat = integral = false;
    to = &types[6], from = &types[10], mode = 'z';
    check("cvt.s32.f32 %r1, %r2", expected, 20);
    to = &types[10], from = &types[6], mode = 'n';
    check("cvt.f32.s32 %r1, %r2", expected, 20);
    from = &types[11];
    check("cvt.f32.f64 %r1, %d2", expected, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs),
        cmocka_unit_test(exhaustive_halves),
        cmocka_unit_test(packed_and_clamped),
        cmocka_unit_test(defaults_of_old_ptx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
