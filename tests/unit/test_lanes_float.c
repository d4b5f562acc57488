/* test_lanes_float.c - f32 and f64 arithmetic and comparisons against the processor's scalar operations under
 * fesetround. */
#include "lanes_harness.h"

#include <fenv.h>
#include <math.h>

/* The instruction under test; check() passes only the sources to the reference. */
typedef struct operation {
    const char *op;
    int mode; /* FE_ */
    bool ftz, sat;
} operation;
static operation now;

static float flushed(float x)
{
    return now.ftz && fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x;
}

/* `scaled` is the result times 2^24, rounded in the same way: what is subnormal with 24 bits is flushed. */
static uint64_t result32(float x, float scaled)
{
    x = now.ftz && fabsf(scaled) < 0x1p-102f ? copysignf(0.0f, x) : x;
    if (now.sat)
        x = isnan(x) || x <= 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
    return isnan(x) ? 0x7fffffff : raw32(x);
}

static uint64_t result64(double x)
{
    return isnan(x) ? UINT64_C(0xfff8000000000000) : raw64(x);
}

static bool is(const char *name)
{
    return strcmp(now.op, name) == 0;
}

/* volatile: the operation has to happen between the two fesetround. */
static uint64_t expected_f32(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)e;
    volatile float x = flushed(as_f32(a)), y = flushed(as_f32(b)), z = flushed(as_f32(c)), r = 0, scaled = 0;
    fesetround(now.mode);
    if (is("add"))
        r = x + y, scaled = r * 0x1p24f;
    else if (is("sub"))
        r = x - y, scaled = r * 0x1p24f;
    else if (is("mul"))
        r = x * y, scaled = x * 0x1p24f * y;
    else if (is("div"))
        r = x / y, scaled = x * 0x1p24f / y;
    else if (is("rcp"))
        r = 1.0f / x, scaled = 0x1p24f / x;
    else if (is("sqrt"))
        r = sqrtf(x), scaled = r * 0x1p24f;
    else
        r = fmaf(x, y, z), scaled = fmaf(x * 0x1p24f, y, z * 0x1p24f);
    fesetround(FE_TONEAREST);
    return result32(r, scaled);
}

static uint64_t expected_f64(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)e;
    volatile double x = as_f64(a), y = as_f64(b), z = as_f64(c), r = 0;
    fesetround(now.mode);
    if (is("add"))
        r = x + y;
    else if (is("sub"))
        r = x - y;
    else if (is("mul"))
        r = x * y;
    else if (is("div"))
        r = x / y;
    else if (is("rcp"))
        r = 1.0 / x;
    else if (is("sqrt"))
        r = sqrt(x);
    else
        r = fma(x, y, z);
    fesetround(FE_TONEAREST);
    return result64(r);
}

static const struct {
    const char *name;
    int mode;
} roundings[] = {
    {".rn", FE_TONEAREST}, {".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}, {"", FE_TONEAREST}};

static const char *operands(int sources, const char *reg)
{
    static char text[64];
    const int n = snprintf(text, sizeof text, "%s1, %s2", reg, reg);
    if (sources == 2)
        snprintf(text + n, sizeof text - (size_t)n, ", %s3", reg);
    else if (sources == 3)
        snprintf(text + n, sizeof text - (size_t)n, ", %s3, %s4", reg, reg);
    return text;
}

static void check_rounded(const char *op, int sources, bool default_too, bool saturates)
{
    for (size_t r = 0; r < sizeof roundings / sizeof roundings[0] - (default_too ? 0 : 1); r++) {
        char text[128];
        for (int variant = 0; variant < (saturates ? 4 : 2); variant++) {
            now = (operation){op, roundings[r].mode, variant & 1, variant & 2};
            snprintf(text, sizeof text, "%s%s%s%s.f32 %s", op, roundings[r].name, now.ftz ? ".ftz" : "",
                     now.sat ? ".sat" : "", operands(sources, "%r"));
            check(text, expected_f32, 60);
        }
        now = (operation){op, roundings[r].mode, false, false};
        snprintf(text, sizeof text, "%s%s.f64 %s", op, roundings[r].name, operands(sources, "%d"));
        check(text, expected_f64, 60);
    }
}

static void rounded_arithmetic(void **unused)
{
    (void)unused;
    check_rounded("add", 2, true, true);
    check_rounded("sub", 2, true, true);
    check_rounded("mul", 2, true, true);
    check_rounded("fma", 3, false, true);
    check_rounded("mad", 3, false, true);
    check_rounded("div", 2, false, false);
    check_rounded("rcp", 1, false, false);
    check_rounded("sqrt", 1, false, false);
}

/* f16 or bf16 sources, f32 result. */
static float widened(uint64_t h, bool is_bf16)
{
    if (is_bf16)
        return as_f32(h << 16);
    const int exponent = (int)((h >> 10) & 31), mantissa = (int)(h & 1023);
    const float size = exponent == 31
                           ? (mantissa ? NAN : INFINITY)
                           : ldexpf((float)(mantissa + (exponent ? 1024 : 0)), (exponent ? exponent : 1) - 25);
    return h & 0x8000 ? -size : size;
}

static bool mixed_is_bf16;

static uint64_t expected_mixed(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    const bool three = is("fma");
    return expected_f32(raw32(widened(a, mixed_is_bf16)), three ? raw32(widened(b, mixed_is_bf16)) : b, c, e);
}

static void mixed_precision(void **unused)
{
    (void)unused;
    static const char *const ops[] = {"add", "sub", "fma"};
    for (size_t o = 0; o < 3; o++)
        for (size_t r = 0; r < 4; r++)
            for (int variant = 0; variant < 4; variant++) {
                char text[128];
                now = (operation){ops[o], roundings[r].mode, false, variant & 1};
                mixed_is_bf16 = variant & 2;
                snprintf(text, sizeof text, "%s%s%s.f32.%s %s", ops[o], roundings[r].name, now.sat ? ".sat" : "",
                         mixed_is_bf16 ? "bf16" : "f16", o == 2 ? "%r1, %h2, %h3, %r4" : "%r1, %h2, %r3");
                check(text, expected_mixed, 40);
            }
}

/* Minimum and maximum by the words of the ISA. */
static bool want_max, nan_wins, xorsign;

static float extreme(float x, float y)
{
    if (isnan(x) || isnan(y))
        return nan_wins || (isnan(x) && isnan(y)) ? NAN : isnan(x) ? y : x;
    if (x == 0.0f && y == 0.0f)
        return want_max == (signbit(x) != 0) ? y : x;
    return want_max == (x > y) ? x : y;
}

static uint64_t expected_extreme(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)c, (void)e;
    const float x = flushed(as_f32(a)), y = flushed(as_f32(b));
    if (!xorsign)
        return result32(extreme(x, y), 1);
    const float size = extreme(fabsf(x), fabsf(y));
    return result32(signbit(x) != signbit(y) ? -size : size, 1); /* sources are flushed already */
}

static uint64_t expected_extreme64(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)c, (void)e;
    const double x = as_f64(a), y = as_f64(b);
    if (isnan(x) || isnan(y))
        return result64(isnan(x) ? y : x);
    if (x == 0.0 && y == 0.0)
        return result64(want_max == (signbit(x) != 0) ? y : x);
    return result64(want_max == (x > y) ? x : y);
}

static void extremes(void **unused)
{
    (void)unused;
    for (int variant = 0; variant < 16; variant++) {
        char text[128];
        want_max = variant & 1;
        nan_wins = variant & 2;
        xorsign = variant & 4;
        now = (operation){.ftz = variant & 8};
        snprintf(text, sizeof text, "%s%s%s%s.f32 %%r1, %%r2, %%r3", want_max ? "max" : "min", now.ftz ? ".ftz" : "",
                 nan_wins ? ".NaN" : "", xorsign ? ".xorsign.abs" : "");
        check(text, expected_extreme, 100);
    }
    want_max = false;
    check("min.f64 %d1, %d2, %d3", expected_extreme64, 100);
    want_max = true;
    check("max.f64 %d1, %d2, %d3", expected_extreme64, 100);
}

/* Signs. A NaN of f32 has one pattern. */
static uint64_t number(uint64_t a)
{
    return (a & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : a;
}

#define SIGNS(X) \
    X(abs_f32, "abs.f32 %r1, %r2", number(a & 0x7fffffff)) \
    X(abs_ftz, "abs.ftz.f32 %r1, %r2", number((a & 0x7f800000) ? a & 0x7fffffff : 0)) \
    X(abs_f64, "abs.f64 %d1, %d2", a << 1 >> 1) \
    X(neg_f32, "neg.f32 %r1, %r2", number(a ^ 0x80000000)) \
    X(neg_ftz, "neg.ftz.f32 %r1, %r2", number(((a & 0x7f800000) ? a : a & 0x80000000) ^ 0x80000000)) \
    X(neg_f64, "neg.f64 %d1, %d2", a ^ (UINT64_C(1) << 63)) \
    X(copysign_f32, "copysign.f32 %r1, %r2, %r3", raw32(copysignf(as_f32(b), as_f32(a)))) \
    X(copysign_f64, "copysign.f64 %d1, %d2, %d3", raw64(copysign(as_f64(b), as_f64(a))))
#define TESTS(X, T, R, AS) \
    X(testp_finite_##T, "testp.finite." #T " %p1, " R "1", isfinite(AS(a)) != 0) \
    X(testp_infinite_##T, "testp.infinite." #T " %p1, " R "1", isinf(AS(a)) != 0) \
    X(testp_number_##T, "testp.number." #T " %p1, " R "1", !isnan(AS(a))) \
    X(testp_nan_##T, "testp.notanumber." #T " %p1, " R "1", isnan(AS(a)) != 0) \
    X(testp_normal_##T, "testp.normal." #T " %p1, " R "1", isnormal(AS(a)) || AS(a) == 0) \
    X(testp_sub_##T, "testp.subnormal." #T " %p1, " R "1", fpclassify(AS(a)) == FP_SUBNORMAL)
#define CLASSES(X) SIGNS(X) TESTS(X, f32, "%r", as_f32) TESTS(X, f64, "%d", as_f64)
#define DEFINE(name, text, expr) \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        (void)a, (void)b, (void)c, (void)e; \
        return expr; \
    }
#define ROWS(name, text, expr) {text, name},
CLASSES(DEFINE)

static void signs_and_classes(void **unused)
{
    (void)unused;
    static const test_row rows[] = {CLASSES(ROWS)};
    CHECK_ROWS(rows, 80);
}

/* Comparisons: by the order of the numbers and whether a NaN is there. */
static const char *const comparisons[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                          "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
static const char *compared;

static uint64_t holds(double x, double y)
{
    const bool unordered = isnan(x) || isnan(y);
    if (strcmp(compared, "num") == 0 || strcmp(compared, "nan") == 0)
        return unordered == (compared[1] == 'a');
    if (unordered)
        return compared[2] == 'u';
    switch (compared[0] << 8 | compared[1]) {
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

#define COMPARED(name, wide_a, wide_b) \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        (void)c, (void)e; \
        return holds(wide_a, wide_b); \
    } \
    static uint64_t name##_set(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        return name(a, b, c, e) ? UINT32_MAX : 0; \
    }
static uint64_t flushed16(uint64_t h)
{
    return (h & 0x7c00) ? h : h & 0x8000;
}

COMPARED(compare_f32, (double)as_f32(a), (double)as_f32(b))
COMPARED(compare_ftz, (double)flushed(as_f32(a)), (double)flushed(as_f32(b)))
COMPARED(compare_f64, as_f64(a), as_f64(b))
COMPARED(compare_f16, (double)widened(a, false), (double)widened(b, false))
COMPARED(compare_f16_ftz, (double)widened(flushed16(a), false), (double)widened(flushed16(b), false))
COMPARED(compare_bf16, (double)widened(a, true), (double)widened(b, true))

static uint64_t set_f16x2(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    return (compare_f16(a & 0xffff, b & 0xffff, c, e) ? 0x3c00 : 0) |
           (compare_f16(a >> 16, b >> 16, c, e) ? 0x3c000000 : 0);
}

static uint64_t set_u32_bf16x2(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    return (compare_bf16(a & 0xffff, b & 0xffff, c, e) ? 0xffff : 0) |
           (compare_bf16(a >> 16, b >> 16, c, e) ? 0xffff0000 : 0);
}

static void float_comparisons(void **unused)
{
    (void)unused;
    static const struct {
        const char *type, *reg;
        reference *predicate, *word;
    } types[] = {{"f32", "%r", compare_f32, compare_f32_set},
                 {"f64", "%d", compare_f64, compare_f64_set},
                 {"f16", "%h", compare_f16, compare_f16_set},
                 {"bf16", "%h", compare_bf16, compare_bf16_set}};
    char text[128];
    for (size_t k = 0; k < sizeof comparisons / sizeof comparisons[0]; k++) {
        compared = comparisons[k];
        now = (operation){.ftz = true};
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            snprintf(text, sizeof text, "setp.%s.%s %%p1, %s1, %s2", compared, types[t].type, types[t].reg,
                     types[t].reg);
            check(text, types[t].predicate, 40);
            snprintf(text, sizeof text, "set.%s.u32.%s %%r1, %s2, %s3", compared, types[t].type, types[t].reg,
                     types[t].reg);
            check(text, types[t].word, 20);
        }
        snprintf(text, sizeof text, "setp.%s.ftz.f32 %%p1, %%r1, %%r2", compared);
        check(text, compare_ftz, 40);
        snprintf(text, sizeof text, "setp.%s.ftz.f16 %%p1, %%h1, %%h2", compared);
        check(text, compare_f16_ftz, 40);
        snprintf(text, sizeof text, "set.%s.ftz.u32.f32 %%r1, %%r2, %%r3", compared);
        check(text, compare_ftz_set, 20);
        snprintf(text, sizeof text, "set.%s.ftz.u32.f16 %%r1, %%h2, %%h3", compared);
        check(text, compare_f16_ftz_set, 20);
        snprintf(text, sizeof text, "set.%s.f16x2.f16x2 %%r1, %%r2, %%r3", compared);
        check(text, set_f16x2, 20);
        snprintf(text, sizeof text, "set.%s.u32.bf16x2 %%r1, %%r2, %%r3", compared);
        check(text, set_u32_bf16x2, 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounded_arithmetic), cmocka_unit_test(mixed_precision),   cmocka_unit_test(extremes),
        cmocka_unit_test(signs_and_classes),  cmocka_unit_test(float_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
