/* test_lanes_pair.c - are pairs of f32 what two f32 are, and 8-bit floats the nearest ones there are? */
#include "lanes_harness.h"

#include <math.h>

/* ---- f32x2 ---- */

static uint32_t flushed(uint32_t u)
{
    return (u & 0x7fffffff) < 0x00800000 ? u & 0x80000000 : u;
}

static bool ftz;

static uint32_t kept(float r)
{
    return r != r ? 0x7fffffff : ftz ? flushed(raw32(r)) : raw32(r);
}

static float half(uint64_t x, unsigned h)
{
    const uint32_t u = (uint32_t)(x >> 32 * h);
    return as_f32(ftz ? flushed(u) : u);
}

#define PAIR(name, expr) \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
    { \
        uint64_t r = 0; \
        (void)e; \
        for (unsigned h = 0; h < 2; h++) { \
            const float x = half(a, h), y = half(b, h), z = half(c, h); \
            (void)z; \
            r |= (uint64_t)kept(expr) << 32 * h; \
        } \
        return r; \
    }
PAIR(sum, x + y)
PAIR(difference, x - y)
PAIR(product, x *y)
PAIR(fused, fmaf(x, y, z))

static void pairs_of_f32(void **state)
{
    (void)state;
    static const test_row rows[] = {{"add.rn.f32x2 %d1, %d2, %d3", sum},
                                    {"add.f32x2 %d1, %d2, %d3", sum},
                                    {"sub.rn.f32x2 %d1, %d2, %d3", difference},
                                    {"mul.rn.f32x2 %d1, %d2, %d3", product},
                                    {"fma.rn.f32x2 %d1, %d2, %d3, %d4", fused}};
    static const test_row flushing[] = {{"add.rn.ftz.f32x2 %d1, %d2, %d3", sum},
                                        {"sub.rn.ftz.f32x2 %d1, %d2, %d3", difference},
                                        {"mul.rn.ftz.f32x2 %d1, %d2, %d3", product},
                                        {"fma.rn.ftz.f32x2 %d1, %d2, %d3, %d4", fused}};
    ftz = false;
    CHECK_ROWS(rows, 100);
    ftz = true;
    CHECK_ROWS(flushing, 100);
}

/* ---- 8-bit floats ---- */

/* The number that 7 bits stand for; NaN when they stand for none. */
static double value8(uint32_t b, bool e5m2)
{
    const int bits = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7;
    const int e = (int)(b >> bits), m = (int)(b & ((1u << bits) - 1));
    if (e5m2 ? e == 31 : b == 0x7f)
        return e5m2 && m == 0 ? (double)INFINITY : (double)NAN;
    return e ? ldexp(1 + ldexp(m, -bits), e - bias) : ldexp(m, 1 - bias - bits);
}

/* By search: the nearest of all numbers, of two the one with an even last bit, no infinity. */
static uint32_t nearest8(double x, bool e5m2, bool relu)
{
    static double table[2][0x7f];
    const uint32_t most = e5m2 ? 0x7b : 0x7e;
    const double *const value = table[e5m2];
    uint32_t best = 0;
    if (x != x)
        return 0x7f;
    if (relu && signbit(x))
        return 0;
    if (!value[1])
        for (uint32_t b = 0; b <= most; b++)
            table[e5m2][b] = value8(b, e5m2);
    const double size = fabs(x) < value[most] ? fabs(x) : value[most];
    while (best < most && value[best + 1] <= size)
        best++;
    if (best < most) {
        const double below = size - value[best], above = value[best + 1] - size;
        best += above < below || (above == below && best & 1);
    }
    return best | (signbit(x) ? 0x80u : 0);
}

static double value16(uint32_t h)
{
    const int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
    const double size = e == 31 ? (m ? (double)NAN : (double)INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h & 0x8000 ? -size : size;
}

static uint32_t exact16(double x, bool relu)
{
    if (x != x)
        return 0x7fff;
    if (signbit(x))
        return relu ? 0 : exact16(-x, false) | 0x8000;
    for (uint32_t h = 0; h <= 0x7c00; h++)
        if (value16(h) == x)
            return h;
    fail_msg("%g is no f16", x);
    return 0;
}

static bool e5m2, relu;

static uint64_t from_f32(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)c, (void)e;
    return nearest8((double)as_f32(a), e5m2, relu) << 8 | nearest8((double)as_f32(b), e5m2, relu);
}

static uint64_t from_f16x2(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)b, (void)c, (void)e;
    return nearest8(value16((uint32_t)a >> 16), e5m2, relu) << 8 | nearest8(value16((uint32_t)a & 0xffff), e5m2, relu);
}

static uint32_t to_f16(uint32_t byte)
{
    const double size = value8(byte & 0x7f, e5m2);
    return exact16(byte & 0x80 ? -size : size, relu);
}

static uint64_t to_f16x2(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)b, (void)c, (void)e;
    return to_f16((uint32_t)a >> 8 & 0xff) << 16 | to_f16((uint32_t)a & 0xff);
}

static void conversions(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        char text[96];
        e5m2 = i & 1;
        relu = i & 2;
        const char *const type = e5m2 ? "e5m2x2" : "e4m3x2", *const word = relu ? ".relu" : "";
        snprintf(text, sizeof text, "cvt.rn.satfinite%s.%s.f32 %%h1, %%r2, %%r3", word, type);
        check(text, from_f32, 60);
        snprintf(text, sizeof text, "cvt.rn.satfinite%s.%s.f16x2 %%h1, %%r2", word, type);
        check(text, from_f16x2, 60);
        snprintf(text, sizeof text, "cvt.rn%s.f16x2.%s %%r1, %%h2", word, type);
        check(text, to_f16x2, 10);
    }
}

/* All halves into both types, on the best level. */
static void every_half(void **state)
{
    (void)state;
    relu = false;
    for (unsigned i = 0; i < 2; i++) {
        e5m2 = i;
        const instance t =
            find_instance(i ? "cvt.rn.satfinite.e5m2x2.f16x2 %h1, %r2" : "cvt.rn.satfinite.e4m3x2.f16x2 %h1, %r2");
        const ws_mask m = mask_of(UINT32_MAX);
        for (uint32_t base = 0; base < 65536; base += 2 * WS_WARP) {
            vector src[4], d;
            uint64_t want[WS_WARP];
            memset(src, 0, sizeof src);
            for (int lane = 0; lane < WS_WARP; lane++)
                put_lane(&src[0], WS_T_f16x2, lane,
                         (base + 2u * (uint32_t)lane) | (base + 2u * (uint32_t)lane + 1) << 16);
            expect(&t, src, from_f16x2, want);
            memset(&d, 0, sizeof d);
            call(&t, &d, src, NULL, &m);
            compare_lanes("e4m3, e5m2 from halves", &t, &d, &d, src, want, UINT32_MAX);
        }
        ws_module_destroy(t.module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_of_f32), cmocka_unit_test(conversions),
                                       cmocka_unit_test(every_half)};
    return cmocka_run_group_tests_name("lanes: pairs", tests, NULL, NULL);
}
