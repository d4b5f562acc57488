/* test_lanes_special.c - do the approximate instructions stay within the error bounds of the PTX ISA, are their special
 * cases exact, and do all levels agree on every bit? Half precision is checked here too, against exact arithmetic. */
#include "lanes_reference.h"

/* An approximate f32 instruction and what bounds its error: relative to the result, or absolute where that is larger.
 * */
typedef struct approximation {
    const char *instruction;
    double (*exact)(double);
    double low, high;          /* arguments are drawn from here ... */
    bool logarithmic;          /* ... evenly in the exponent */
    double relative, absolute; /* bounds; the larger one holds */
} approximation;

static double reciprocal(double x)
{
    return 1.0 / x;
}
static double reciprocal_root(double x)
{
    return 1.0 / sqrt(x);
}

/* The PTX ISA (8.6, sections of sin, cos, lg2, ex2, tanh, rcp, rsqrt, sqrt) allows 2^-20.5 absolute for sin and cos,
 * 2^-22 absolute or 2^-22.6 relative for lg2, 2^-22.5 for ex2, 2^-11 for tanh, 2^-22.9 for rsqrt, 2^-23 for rcp and
 * sqrt. The functions are better than that, and are held to what they reach. */
static const approximation approximations[] = {
    {"sin.approx.f32 %r1, %r2", sin, -6.2831853, 6.2831853, false, 0, 0x1p-24},
    {"cos.approx.f32 %r1, %r2", cos, -6.2831853, 6.2831853, false, 0, 0x1p-24},
    {"sin.approx.ftz.f32 %r1, %r2", sin, -1e5, 1e5, false, 0, 0x1p-24},
    {"cos.approx.ftz.f32 %r1, %r2", cos, -1e5, 1e5, false, 0, 0x1p-24},
    {"sin.approx.f32 %r1, %r2", sin, 1e6, 3e38, true, 0, 0x1p-24},
    {"cos.approx.f32 %r1, %r2", cos, 1e6, 3e38, true, 0, 0x1p-24},
    {"sin.approx.f32 %r1, %r2", sin, 1e-30, 1e-3, true, 0x1p-23, 0},
    {"lg2.approx.f32 %r1, %r2", log2, 0.5, 2.0, false, 0x1p-23, 0},
    {"lg2.approx.f32 %r1, %r2", log2, 1e-44, 3e38, true, 0x1p-23, 0},
    {"ex2.approx.f32 %r1, %r2", exp2, -126.0, 127.99, false, 0x1.2p-23, 0},
    {"ex2.approx.ftz.f32 %r1, %r2", exp2, -2.0, 2.0, false, 0x1.2p-23, 0},
    {"ex2.approx.f32 %r1, %r2", exp2, -149.0, -126.0, false, 0, 0x1p-149},
    {"tanh.approx.f32 %r1, %r2", tanh, -12.0, 12.0, false, 0x1p-11, 0},
    {"tanh.approx.f32 %r1, %r2", tanh, 1e-40, 0.1, true, 0x1p-11, 0},
    {"rcp.approx.f32 %r1, %r2", reciprocal, 1e-37, 1e37, true, 0x1p-23, 0},
    {"rsqrt.approx.f32 %r1, %r2", reciprocal_root, 1e-44, 3e38, true, 0x1.11p-23, 0},
    {"sqrt.approx.ftz.f32 %r1, %r2", sqrt, 1e-37, 3e38, true, 0x1p-23, 0},
};

static float argument(const approximation *a, uint64_t *state)
{
    const double u = (double)(next_random(state) >> 11) * 0x1p-53;
    return (float)(a->logarithmic ? a->low * pow(a->high / a->low, u) : a->low + (a->high - a->low) * u);
}

static void check_bound(const approximation *a)
{
    uint64_t state = 99;
    for (int round = 0; round < 400; round++) {
        vector src[4], first;
        memset(src, 0, sizeof src);
        for (int i = 0; i < WS_WARP; i++)
            put_lane(&src[0], WS_T_f32, i, raw32(argument(a, &state)));
        const ws_mask m = mask_of(UINT32_MAX);
        for (size_t l = 0; l < sizeof all_levels / sizeof all_levels[0]; l++) {
            if (ws_lanes_set_level(all_levels[l]))
                continue;
            vector d;
            memset(&d, 0, sizeof d);
            instance t = find_instance(a->instruction);
            call(&t, &d, src, NULL, &m);
            ws_module_destroy(t.module);
            if (l > 0) {
                assert_memory_equal(&d, &first, sizeof d);
                continue;
            }
            first = d;
            for (int i = 0; i < WS_WARP; i++) {
                const float x = as_f32(get_lane(&src[0], WS_T_f32, i)), y = as_f32(get_lane(&d, WS_T_f32, i));
                const double exact = a->exact((double)x), bound = fmax(a->relative * fabs(exact), a->absolute);
                if (!(fabs((double)y - exact) <= bound))
                    fail_msg("%s: %a gives %a, exact %a, off by %g of the bound", a->instruction, (double)x, (double)y,
                             exact, fabs((double)y - exact) / bound);
            }
        }
    }
}

static void error_bounds(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof approximations / sizeof approximations[0]; i++)
        check_bound(&approximations[i]);
}

/* Exact answers: source bits, result bits. */
static const struct {
    const char *instruction;
    uint32_t source, result;
} special_cases[] = {
    {"sin.approx.f32 %r1, %r2", 0x00000000, 0x00000000},
    {"sin.approx.f32 %r1, %r2", 0x80000000, 0x80000000},
    {"sin.approx.f32 %r1, %r2", 0x7f800000, 0x7fffffff},
    {"sin.approx.f32 %r1, %r2", 0xff800000, 0x7fffffff},
    {"sin.approx.f32 %r1, %r2", 0x7fc12345, 0x7fffffff},
    {"sin.approx.ftz.f32 %r1, %r2", 0x80000001, 0x80000000},
    {"sin.approx.f32 %r1, %r2", 0x00000001, 0x00000001},
    {"cos.approx.f32 %r1, %r2", 0x00000000, 0x3f800000},
    {"cos.approx.f32 %r1, %r2", 0x80000001, 0x3f800000},
    {"cos.approx.f32 %r1, %r2", 0x7f800000, 0x7fffffff},
    {"lg2.approx.f32 %r1, %r2", 0x3f800000, 0x00000000},
    {"lg2.approx.f32 %r1, %r2", 0x00000000, 0xff800000},
    {"lg2.approx.f32 %r1, %r2", 0x80000000, 0xff800000},
    {"lg2.approx.f32 %r1, %r2", 0x7f800000, 0x7f800000},
    {"lg2.approx.f32 %r1, %r2", 0xbf800000, 0x7fffffff},
    {"lg2.approx.f32 %r1, %r2", 0xff800000, 0x7fffffff},
    {"lg2.approx.f32 %r1, %r2", 0x7f812345, 0x7fffffff},
    {"lg2.approx.f32 %r1, %r2", 0x00000001, 0xc3150000},
    {"lg2.approx.ftz.f32 %r1, %r2", 0x00000001, 0xff800000},
    {"lg2.approx.ftz.f32 %r1, %r2", 0x80000001, 0xff800000},
    {"ex2.approx.f32 %r1, %r2", 0x00000000, 0x3f800000},
    {"ex2.approx.f32 %r1, %r2", 0x80000000, 0x3f800000},
    {"ex2.approx.f32 %r1, %r2", 0x7f800000, 0x7f800000},
    {"ex2.approx.f32 %r1, %r2", 0xff800000, 0x00000000},
    {"ex2.approx.f32 %r1, %r2", 0x43000000, 0x7f800000},
    {"ex2.approx.f32 %r1, %r2", 0x40400000, 0x41000000},
    {"ex2.approx.f32 %r1, %r2", 0xc3150000, 0x00000001},
    {"ex2.approx.ftz.f32 %r1, %r2", 0xc3150000, 0x00000000},
    {"ex2.approx.f32 %r1, %r2", 0xffc00001, 0x7fffffff},
    {"ex2.approx.f32 %r1, %r2", 0xff7fffff, 0x00000000},
    {"tanh.approx.f32 %r1, %r2", 0x80000000, 0x80000000},
    {"tanh.approx.f32 %r1, %r2", 0x7f800000, 0x3f800000},
    {"tanh.approx.f32 %r1, %r2", 0xff800000, 0xbf800000},
    {"tanh.approx.f32 %r1, %r2", 0x7fc00000, 0x7fffffff},
    {"rcp.approx.f32 %r1, %r2", 0x80000000, 0xff800000},
    {"rcp.approx.f32 %r1, %r2", 0xff800000, 0x80000000},
    {"rcp.approx.ftz.f32 %r1, %r2", 0x00000001, 0x7f800000},
    {"rsqrt.approx.f32 %r1, %r2", 0x80000000, 0xff800000},
    {"rsqrt.approx.f32 %r1, %r2", 0x7f800000, 0x00000000},
    {"rsqrt.approx.f32 %r1, %r2", 0xbf800000, 0x7fffffff},
    {"rsqrt.approx.ftz.f32 %r1, %r2", 0x00000001, 0x7f800000},
    {"rsqrt.approx.ftz.f32 %r1, %r2", 0x80000001, 0xff800000},
    {"sqrt.approx.f32 %r1, %r2", 0x80000000, 0x80000000},
    {"sqrt.approx.f32 %r1, %r2", 0xbf800000, 0x7fffffff},
    {"div.approx.f32 %r1, %r2, 0f7f000001", 0x3f800000, 0x00000000}, /* 2^126 < b: zero ... */
    {"div.approx.f32 %r1, %r2, 0fff000001", 0x3f800000, 0x80000000},
    {"div.approx.f32 %r1, %r2, 0f7f000001", 0x7f800000, 0x7fffffff}, /* ... or NaN */
    {"div.approx.f32 %r1, %r2, 0f7e800000", 0x3f800000, 0x00800000}, /* 1 / 2^126 is the last one that works */
    {"div.full.f32 %r1, %r2, 0f7f000001", 0x7f000001, 0x3f800000},
    /* As an H200 computes (driver 580, ptxas 13.0): .ftz flushes what 24 bits hold below 2^-126. */
    {"mul.ftz.f32 %r1, %r2, 0f00800000", 0x3f7fffff, 0x00000000},
    {"mul.ftz.f32 %r1, %r2, 0f80800000", 0x3f7fffff, 0x80000000},
    {"mul.rp.ftz.f32 %r1, %r2, 0f00800000", 0x3f7fffff, 0x00000000},
    {"fma.rn.ftz.f32 %r1, %r2, 0f00800000, 0f80000000", 0x3f7fffff, 0x00000000},
    {"fma.rm.ftz.f32 %r1, %r2, 0f80800000, 0f80000000", 0x3f7fffff, 0x80000000},
    {"div.rn.ftz.f32 %r1, %r2, 0f40000000", 0x00ffffff, 0x00000000},
    {"div.rp.ftz.f32 %r1, %r2, 0f3f800001", 0x00800000, 0x00000000},
    {"abs.f32 %r1, %r2", 0xffa12345, 0x7fffffff},
    {"neg.f32 %r1, %r2", 0x7f800001, 0x7fffffff},
};

static void special_values(void **unused)
{
    (void)unused;
    const ws_mask m = mask_of(UINT32_MAX);
    for (size_t l = 0; l < sizeof all_levels / sizeof all_levels[0]; l++) {
        if (ws_lanes_set_level(all_levels[l]))
            continue;
        for (size_t k = 0; k < sizeof special_cases / sizeof special_cases[0]; k++) {
            instance t = find_instance(special_cases[k].instruction);
            vector src[4], d;
            uint64_t state = 1;
            draw_sources(&t, &state, src);
            for (int i = 0; i < WS_WARP; i++)
                put_lane(&src[0], WS_T_f32, i, special_cases[k].source);
            call(&t, &d, src, NULL, &m);
            for (int i = 0; i < WS_WARP; i++)
                if (get_lane(&d, WS_T_f32, i) != special_cases[k].result)
                    fail_msg("%s of %08x gives %08x, expected %08x", special_cases[k].instruction,
                             special_cases[k].source, (unsigned)get_lane(&d, WS_T_f32, i), special_cases[k].result);
            ws_module_destroy(t.module);
        }
    }
}

/* Half precision: exact in 113 bits (for bf16 sums with a sticky sign), rounded once. */
static const format *half;
static bool ftz, sat, relu, want_max, nan_wins, xorsign;
static char op; /* + - * f(ma) m(in or max) n(eg) a(bs) */

static number input(uint64_t raw)
{
    const number n = decode(raw & 0xffff, half);
    return ftz ? flush_number(n, half) : n;
}

static quad signed_size(number n)
{
    return n.negative ? -n.size : n.size;
}

/* p + q; both may be infinite. What a 113-bit sum loses goes into sticky. */
static number sum(number p, number q)
{
    if (p.nan || q.nan || (p.infinite && q.infinite && p.negative != q.negative))
        return (number){.nan = true};
    if (p.infinite || q.infinite)
        return p.infinite ? p : q;
    const quad x = signed_size(p), y = signed_size(q), s = x + y, v = s - x, error = (x - (s - v)) + (y - v);
    number r = {.negative = s < 0, .size = s < 0 ? -s : s};
    if (s == 0)
        r.negative = p.negative && q.negative;
    r.sticky = error == 0 ? 0 : (error > 0) == (s > 0) ? 1 : -1;
    return r;
}

static number product(number p, number q)
{
    number r = {.negative = p.negative != q.negative};
    r.nan = p.nan || q.nan || (p.infinite && q.size == 0 && !q.infinite) || (q.infinite && p.size == 0 && !p.infinite);
    r.infinite = p.infinite || q.infinite;
    r.size = r.infinite ? 0 : p.size * q.size;
    return r;
}

static bool is_less(number p, number q)
{
    const quad x = p.infinite ? (p.negative ? -1 : 1) * power(300) : signed_size(p);
    const quad y = q.infinite ? (q.negative ? -1 : 1) * power(300) : signed_size(q);
    return x < y || (x == y && p.negative && !q.negative);
}

static number extreme(number p, number q)
{
    const bool negative = p.negative != q.negative;
    if (xorsign)
        p.negative = q.negative = false;
    number r = is_less(p, q) != want_max ? p : q;
    if (p.nan || q.nan)
        r = nan_wins || (p.nan && q.nan) ? (number){.nan = true} : p.nan ? q : p;
    if (xorsign && !r.nan)
        r.negative = negative;
    return r;
}

static uint64_t half_result(uint64_t a, uint64_t b, uint64_t c)
{
    const number x = input(a), y = input(b), z = input(c);
    number minus = y, r = {0};
    minus.negative = !y.negative;
    switch (op) {
    case '+':
        r = sum(x, y);
        break;
    case '-':
        r = sum(x, minus);
        break;
    case '*':
        r = product(x, y);
        break;
    case 'f':
        r = sum(product(x, y), z);
        break;
    case 'm':
        return encode(extreme(x, y), half, 'n');
    case 'n':
    case 'a': {
        const uint64_t u = ftz && (a & 0x7c00) == 0 ? a & 0x8000 : a & 0xffff;
        return decode(u, half).nan ? half->nan : op == 'n' ? u ^ 0x8000 : u & 0x7fff;
    }
    }
    uint64_t bits = encode(r, half, 'n');
    if (ftz && !r.nan && !r.infinite && r.size < power(-14) * (1 - power(-12))) /* below 2^-14 with 11 bits */
        bits &= 0x8000;
    if (sat)
        bits = encode(saturate_number(decode(bits, half)), half, 'n');
    return relu && bits != half->nan && bits & 0x8000 ? 0 : bits;
}

static uint64_t expected_half(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)e;
    return half_result(a, b, c);
}

static uint64_t expected_pair(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)e;
    return half_result(a & 0xffff, b & 0xffff, c & 0xffff) | half_result(a >> 16, b >> 16, c >> 16) << 16;
}

static void check_half(const char *mnemonic, int sources, bool is_bf16)
{
    char text[128];
    const char *const type = is_bf16 ? "bf16" : "f16";
    static const char *const registers[2][4] = {{"", "%h1, %h2", "%h1, %h2, %h3", "%h1, %h2, %h3, %h4"},
                                                {"", "%r1, %r2", "%r1, %r2, %r3", "%r1, %r2, %r3, %r4"}};
    half = is_bf16 ? &format_bf16 : &format_f16;
    snprintf(text, sizeof text, "%s.%s %s", mnemonic, type, registers[0][sources]);
    check(text, expected_half, 60);
    snprintf(text, sizeof text, "%s.%sx2 %s", mnemonic, type, registers[1][sources]);
    check(text, expected_pair, 40);
}

static void half_precision(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        char op;
        int sources;
        bool with_default;
    } ops[] = {{"add", '+', 2, true}, {"sub", '-', 2, true}, {"mul", '*', 2, true}, {"fma", 'f', 3, false}};
    char text[64];
    for (size_t k = 0; k < 4; k++) {
        op = ops[k].op;
        ftz = sat = relu = false;
        snprintf(text, sizeof text, "%s.rn", ops[k].name);
        check_half(text, ops[k].sources, true);
        if (ops[k].with_default)
            check_half(ops[k].name, ops[k].sources, true);
        for (int variant = 0; variant < 4; variant++) {
            ftz = variant & 1;
            sat = variant & 2;
            snprintf(text, sizeof text, "%s.rn%s%s", ops[k].name, ftz ? ".ftz" : "", sat ? ".sat" : "");
            check_half(text, ops[k].sources, false);
        }
    }
    sat = ftz = false;
    relu = true;
    check_half("fma.rn.relu", 3, false);
    check_half("fma.rn.relu", 3, true);
    ftz = true;
    check_half("fma.rn.ftz.relu", 3, false);
    ftz = relu = false;
    for (int variant = 0; variant < 2; variant++) {
        op = "na"[variant];
        check_half(variant ? "abs" : "neg", 1, false);
        check_half(variant ? "abs" : "neg", 1, true);
        ftz = true;
        check_half(variant ? "abs.ftz" : "neg.ftz", 1, false);
        ftz = false;
    }
}

static void half_extremes(void **unused)
{
    (void)unused;
    char text[64];
    op = 'm';
    sat = relu = false;
    for (int variant = 0; variant < 16; variant++) {
        want_max = variant & 1;
        nan_wins = variant & 2;
        xorsign = variant & 4;
        ftz = variant & 8;
        snprintf(text, sizeof text, "%s%s%s%s", want_max ? "max" : "min", ftz ? ".ftz" : "", nan_wins ? ".NaN" : "",
                 xorsign ? ".xorsign.abs" : "");
        check_half(text, 2, false);
        if (!ftz)
            check_half(text, 2, true);
    }
}

/* ex2, tanh on halves: all 65536 of them, within a unit in the last place, and pairs the same as singles. */
static void check_half_function(const char *single, const char *pair, double (*exact)(double), const format *f)
{
    instance one = find_instance(single), two = find_instance(pair);
    const ws_mask m = mask_of(UINT32_MAX);
    for (uint32_t base = 0; base < 65536; base += WS_WARP) {
        vector src[4], both[4], d, pairs;
        for (int i = 0; i < WS_WARP; i++) {
            put_lane(&src[0], WS_T_f16, i, base + (uint32_t)i);
            put_lane(&both[0], WS_T_f16x2, i, (base + (uint32_t)i) << 16 | (base + (uint32_t)i));
        }
        call(&one, &d, src, NULL, &m);
        call(&two, &pairs, both, NULL, &m);
        for (int i = 0; i < WS_WARP; i++) {
            const uint64_t got = get_lane(&d, WS_T_f16, i), two_of_it = get_lane(&pairs, WS_T_f16x2, i);
            assert_int_equal(two_of_it, got << 16 | got);
            const number x = decode(base + (uint32_t)i, f), y = decode(got, f);
            if (x.nan || x.infinite || y.infinite) {
                assert_int_equal(x.nan, y.nan);
                continue;
            }
            const double argument_value = (double)signed_size(x), value = exact(argument_value);
            const double unit = fmax(ldexp(1.0, (value == 0 ? -1000 : ilogb(value)) - (int)f->mantissa_bits),
                                     (double)power(f == &format_f16 ? -24 : -126));
            if (fabs((double)signed_size(y) - value) > unit)
                fail_msg("%s of %a gives %a, exact %a", single, argument_value, (double)signed_size(y), value);
        }
    }
    ws_module_destroy(one.module);
    ws_module_destroy(two.module);
}

static void half_functions(void **unused)
{
    (void)unused;
    check_half_function("ex2.approx.f16 %h1, %h2", "ex2.approx.f16x2 %r1, %r2", exp2, &format_f16);
    check_half_function("tanh.approx.f16 %h1, %h2", "tanh.approx.f16x2 %r1, %r2", tanh, &format_f16);
    check_half_function("ex2.approx.ftz.bf16 %h1, %h2", "ex2.approx.ftz.bf16x2 %r1, %r2", exp2, &format_bf16);
    check_half_function("tanh.approx.bf16 %h1, %h2", "tanh.approx.bf16x2 %r1, %r2", tanh, &format_bf16);
}

/* The f64 approximations keep the upper word only. */
static uint64_t upper(double x)
{
    const uint64_t u = raw64(x) & UINT64_C(0xffffffff00000000);
    return isnan(x)                                         ? UINT64_C(0xfff8000000000000)
           : (u & INT64_MAX) < UINT64_C(0x0010000000000000) ? u & ~(uint64_t)INT64_MAX
                                                            : u;
}

static uint64_t rcp_f64(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)b, (void)c, (void)e;
    return upper(1.0 / as_f64(upper(as_f64(a))));
}

static uint64_t rsqrt_f64(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)b, (void)c, (void)e;
    return upper(1.0 / sqrt(as_f64(upper(as_f64(a)))));
}

static void gross_f64(void **unused)
{
    (void)unused;
    check("rcp.approx.ftz.f64 %d1, %d2", rcp_f64, 60);
    check("rsqrt.approx.ftz.f64 %d1, %d2", rsqrt_f64, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_bounds),  cmocka_unit_test(special_values), cmocka_unit_test(half_precision),
        cmocka_unit_test(half_extremes), cmocka_unit_test(half_functions), cmocka_unit_test(gross_f64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
