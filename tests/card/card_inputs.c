/* card_inputs.c - which numbers does a form get? Special values of its types, each with each where they are few enough;
 * then drawn ones. They are those that the card got: what is drawn, and in which order, is not to change. */
#include "base/mix.h"
#include "card.h"

#include <stdbool.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Zeros, subnormals, the smallest and largest, infinities, NaNs, numbers about 1 and 2, ties, and what conversions to
 * integers and to smaller floats meet. */
// clang-format off
static const uint64_t special_f32[] = {
    0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00400000, 0x00800000, 0x80800000, 0x00800001, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff, 0xffa12345, 0x3f800000,
    0xbf800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000,
    0x40490fdb, 0x4b000000, 0x4b000001, 0xcb000000, 0x4b7fffff, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff,
    0x4f800000, 0x5f000000, 0x5effffff, 0xdf000000, 0x5f800000, 0x7e800000, 0x7f000000, 0x00ffffff, 0x33800000,
    0x38800000, 0x387fc000, 0x33000000, 0x477fe000, 0x477ff000, 0x477fefff, 0x43e00000, 0x43e80000, 0x42fe0000,
    0x42ff0000, 0x437f0000, 0x437f8000, 0xc3000000, 0x46fffe00, 0x47000000, 0x477fff00, 0x477fff80, 0x3f7fffff,
};
static const uint64_t special_f64[] = {
    0, 0x8000000000000000, 1, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
    0xfff8000000000000, 0x7ff0000000000001, 0x7fffffffffffffff, 0xfff123456789abcd, 0x3ff0000000000000,
    0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff, 0x4000000000000000, 0x3fe0000000000000,
    0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x4330000000000000, 0x4340000000000000,
    0x43e0000000000000, 0x43dfffffffffffff, 0xc3e0000000000000, 0x43f0000000000000, 0x43efffffffffffff,
    0x41e0000000000000, 0x41dfffffffc00000, 0x41dfffffffe00000, 0xc1e0000000000000, 0xc1e0000000200000,
    0x41efffffffe00000, 0x41f0000000000000, 0x47efffffe0000000, 0x47effffff0000000, 0x47efffffefffffff,
    0x3810000000000000, 0x380fffffe0000000, 0x36a0000000000000, 0x3690000000000000, 0x40effc0000000000,
    0x40effe0000000000, 0x3e70000000000000, 0x405fc00000000000, 0xc060000000000000, 0x406fe00000000000,
    0x40dfffc000000000, 0x40efffe000000000,
};
static const uint64_t special_f16[] = {
    0, 0x8000, 1, 0x8001, 0x03ff, 0x83ff, 0x0200, 0x0400, 0x8400, 0x0401, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
    0xfe00, 0x7c01, 0x7fff, 0xfd55, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x4000, 0x3800, 0xb800, 0x3e00, 0x4100, 0xc100,
    0x6400, 0x6401, 0x7800, 0x57f0, 0x5c00, 0x5f00, 0x5f40, 0x77ff, 0x7bfe,
};
static const uint64_t special_bf16[] = {
    0, 0x8000, 1, 0x8001, 0x007f, 0x807f, 0x0040, 0x0080, 0x8080, 0x0081, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0,
    0xffc0, 0x7f81, 0x7fff, 0xffaa, 0x3f80, 0xbf80, 0x3f81, 0x3f7f, 0x4000, 0x3f00, 0xbf00, 0x3fc0, 0x4020, 0xc020,
    0x4300, 0x4301, 0x43e0, 0x477f, 0x4780, 0x4f00, 0x5f00, 0x7f00, 0x00ff,
};
static const uint64_t special_bits[] = {
    0, 1, 2, 3, 0xffffffffffffffff, 0xfffffffffffffffe, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
    0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0xffffffff80000000, 0xffffffff7fffffff, 0x7f, 0x80, 0xff, 0x100,
    0x7fff, 0x8000, 0xffff, 0x10000, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 31, 32, 33, 63, 64, 0x123456789abcdef0,
    0xfedcba9876543210, 0xffffffffffffff80, 0xffffffffffff8000, 0x00ff00ff00ff00ff, 0x800000, 0x7fffff, 0xffffff,
    0x1000000, 0x20000000000000, 0x20000000000001, 0x7ffffffffffffc00, 0xfffffffffffff800, 0x7fff7fff7fff7fff,
    0x8000800080008000,
};
static const uint64_t special_amounts[] = {
    0, 1, 2, 7, 8, 15, 16, 17, 23, 24, 30, 31, 32, 33, 47, 48, 62, 63, 64, 65, 127, 128, 255, 256, 257, 0x80000000,
    0xffffffff, 0x10020, 0xffffffe0,
};
static const uint64_t special_predicates[] = {0, 1};
// clang-format on

static uint64_t state;

static uint64_t draw(void)
{
    return ws_mix(state += WS_MIX_STEP);
}

static uint32_t bits_of(float value)
{
    uint32_t out;
    memcpy(&out, &value, sizeof out);
    return out;
}

/* Between -1 and 1. */
static float unit(void)
{
    return (float)((double)(int64_t)draw() / 9223372036854775808.0);
}

/* Cut off; without subnormals. */
static uint16_t half_of(float value)
{
    const uint32_t bits = bits_of(value);
    const int exponent = (int)(bits >> 23 & 255) - 127 + 15;
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    if (exponent <= 0)
        return sign;
    if (exponent >= 31)
        return sign | 0x7bff;
    return (uint16_t)(sign | exponent << 10 | (bits >> 13 & 0x3ff));
}

/* How a number is drawn, from two words of random bits; i is the thread. */
typedef struct {
    uint64_t r, q;
    size_t i;
} dice;

static uint64_t draw_pred(dice d)
{
    return d.r & 1;
}

static uint64_t draw_b8(dice d)
{
    return d.r & 0xff;
}

static uint64_t draw_b16(dice d)
{
    return d.r & 0xffff;
}

static uint64_t draw_u32(dice d)
{
    return d.r & 0xffffffff;
}

static uint64_t draw_u64(dice d)
{
    return d.r;
}

/* One in four is small. */
static uint64_t draw_b32(dice d)
{
    return d.q & 3 ? draw_u32(d) : draw_u32(d) >> (d.q >> 8 & 31);
}

static uint64_t draw_b64(dice d)
{
    return d.q & 3 ? d.r : d.r >> (d.q >> 8 & 63);
}

static uint64_t draw_amt(dice d)
{
    return d.r & 1 ? d.q & 63 : d.q & 0xffffffff;
}

static uint64_t draw_lane(dice d)
{
    return d.r & 1 ? d.q & 31 : d.q & 0xff;
}

static uint64_t draw_few(dice d)
{
    return d.r % 3;
}

static uint64_t draw_few64(dice d)
{
    return d.r % 3 * UINT64_C(0x100000001);
}

static uint64_t draw_sweep16(dice d)
{
    return d.i & 0xffff;
}

static uint64_t draw_sweep16x2(dice d)
{
    return (d.i & 0xffff) | (uint64_t)((d.i * 40503u + 7) & 0xffff) << 16;
}

/* Half of them near 1, an eighth subnormal or nearly so. */
static uint64_t draw_f32(dice d)
{
    const uint32_t bits = (uint32_t)d.r, rest = bits & 0x807fffff;
    if (d.r >> 32 & 1)
        return rest | (uint32_t)(120 + (d.q & 15)) << 23;
    return (d.r >> 33 & 3) == 0 ? rest | (uint32_t)(d.q & 3) << 23 : bits;
}

static uint64_t draw_f64(dice d)
{
    const uint64_t rest = d.r & UINT64_C(0x800fffffffffffff);
    if (d.q & 1)
        return rest | (uint64_t)(1016 + (d.q >> 8 & 15)) << 52;
    return d.q & 2 ? rest | (uint64_t)(1023 - 150 + (d.q >> 8) % 300) << 52 : d.r;
}

static uint64_t half(uint64_t r)
{
    return r >> 16 & 1 ? (r & 0x8000) | (0x3000 + (r & 0x1fff)) : r & 0xffff;
}

static uint64_t brain(uint64_t r)
{
    return r >> 16 & 1 ? (r & 0x8000) | (0x3c00 + (r & 0x7ff)) : r & 0xffff;
}

static uint64_t draw_f16(dice d)
{
    return half(d.r);
}

static uint64_t draw_bf16(dice d)
{
    return brain(d.r);
}

static uint64_t draw_f16x2(dice d)
{
    return half(d.r) | half(d.q) << 16;
}

static uint64_t draw_bf16x2(dice d)
{
    return brain(d.r) | brain(d.q) << 16;
}

/* Elements of matrices: m... between -1 and 1, w... of many exponents, s... now and then a special value. */
static uint64_t draw_m16x2(dice d)
{
    (void)d;
    const uint64_t low = half_of(unit());
    return low | (uint64_t)half_of(unit()) << 16;
}

static uint64_t draw_m16x4(dice d)
{
    (void)d;
    uint64_t out = 0;
    for (unsigned k = 0; k < 4; k++)
        out = out << 16 | half_of(unit());
    return out;
}

static uint64_t draw_mb16x2(dice d)
{
    (void)d;
    const uint32_t low = bits_of(unit()) >> 16;
    return low | (bits_of(unit()) & 0xffff0000);
}

static uint64_t draw_mb16x4(dice d)
{
    const uint64_t low = draw_mb16x2(d);
    return low | draw_mb16x2(d) << 32;
}

static uint64_t draw_m32(dice d)
{
    (void)d;
    return bits_of(unit());
}

static uint64_t draw_m32x2(dice d)
{
    const uint64_t low = draw_m32(d);
    return low | draw_m32(d) << 32;
}

static uint64_t draw_m64(dice d)
{
    (void)d;
    const double value = unit();
    uint64_t out;
    memcpy(&out, &value, sizeof out);
    return out;
}

static uint64_t draw_w32(dice d)
{
    return (d.r & 0x807fffff) | (112 + (d.q & 31)) << 23;
}

static uint64_t draw_w16x2(dice d)
{
    uint64_t out = d.r & 0x83ff83ff;
    for (unsigned k = 0; k < 2; k++)
        out |= (8 + (uint32_t)(d.q >> 8 * k) % 15) << (10 + 16 * k);
    return out;
}

static uint64_t draw_wb16x2(dice d)
{
    uint64_t out = d.r & 0x807f807f;
    for (unsigned k = 0; k < 2; k++)
        out |= (uint64_t)(110 + (uint32_t)(d.q >> 8 * k) % 34) << (7 + 16 * k);
    return out;
}

static uint64_t draw_s16x2(dice d)
{
    const size_t n = COUNT(special_f16);
    return d.q & 3 ? draw_m16x2(d) : special_f16[d.r % n] | special_f16[(d.r >> 20) % n] << 16;
}

static uint64_t draw_sb16x2(dice d)
{
    const size_t n = COUNT(special_bf16);
    return d.q & 3 ? draw_mb16x2(d) : special_bf16[d.r % n] | special_bf16[(d.r >> 20) % n] << 16;
}

static uint64_t draw_s32m(dice d)
{
    return d.q & 7 ? draw_m32(d) : special_f32[d.r % COUNT(special_f32)];
}

/* Middling exponents of e4m3 and e5m2. */
static uint64_t draw_f8x4(dice d)
{
    uint64_t out = 0;
    for (unsigned k = 0; k < 32; k += 8)
        out |= ((d.r >> k & 0x87) | (0x18 + (d.q >> k & 0x1f))) << k;
    return out;
}

/* Which elements of a sparse matrix are there: two of four, or one of two. */
static uint64_t draw_meta(dice d)
{
    static const uint8_t pairs[] = {4, 8, 12, 9, 13, 14};
    uint64_t out = 0;
    for (unsigned k = 0; k < 8; k++)
        out |= (uint64_t)pairs[(d.r >> 8 * k) % COUNT(pairs)] << 4 * k;
    return out;
}

static uint64_t draw_meta2(dice d)
{
    uint64_t out = 0;
    for (unsigned k = 0; k < 8; k++)
        out |= (uint64_t)(d.r >> k & 1 ? 0xe : 0x4) << 4 * k;
    return out;
}

/* Coordinates of textures, by texels and normalized; a quarter of them between two texels or on one. */
static uint64_t draw_coord(dice d)
{
    return bits_of((d.r & 3) == 0 ? (float)((int)(d.q % 81) - 20) / 2 : unit() * 24 + 4);
}

static uint64_t draw_coordn(dice d)
{
    return bits_of((d.r & 3) == 0 ? (float)((int)(d.q % 97) - 32) / 16 : unit() * 2.5f + 0.5f);
}

/* A type's special values, if it has some; `twice` is where a second one stands, or 0. */
typedef struct {
    const char *name;
    uint64_t (*draw)(dice d);
    const uint64_t *special;
    size_t count;
    uint64_t mask;
    unsigned twice;
} type;

#define SPECIAL(list) list, COUNT(list)
// clang-format off
static const type types[] = {
    {"f32", draw_f32, SPECIAL(special_f32), UINT64_MAX, 0},
    {"f32x2", draw_u64, SPECIAL(special_f32), UINT64_MAX, 32},
    {"f64", draw_f64, SPECIAL(special_f64), UINT64_MAX, 0},
    {"f16", draw_f16, SPECIAL(special_f16), UINT64_MAX, 0},
    {"f16x2", draw_f16x2, SPECIAL(special_f16), UINT64_MAX, 16},
    {"bf16", draw_bf16, SPECIAL(special_bf16), UINT64_MAX, 0},
    {"bf16x2", draw_bf16x2, SPECIAL(special_bf16), UINT64_MAX, 16},
    {"b8", draw_b8, SPECIAL(special_bits), 0xff, 0},
    {"b16", draw_b16, SPECIAL(special_bits), 0xffff, 0},
    {"b32", draw_b32, SPECIAL(special_bits), 0xffffffff, 0},
    {"b64", draw_b64, SPECIAL(special_bits), UINT64_MAX, 0},
    {"amt", draw_amt, SPECIAL(special_amounts), UINT64_MAX, 0},
    {"pred", draw_pred, SPECIAL(special_predicates), UINT64_MAX, 0},
    {.name = "u32", .draw = draw_u32},
    {.name = "u64", .draw = draw_u64},
    {.name = "lane", .draw = draw_lane},
    {.name = "few", .draw = draw_few},
    {.name = "few64", .draw = draw_few64},
    {.name = "sweep16", .draw = draw_sweep16},
    {.name = "sweep16x2", .draw = draw_sweep16x2},
    {.name = "m16x2", .draw = draw_m16x2},
    {.name = "m16x4", .draw = draw_m16x4},
    {.name = "mb16x2", .draw = draw_mb16x2},
    {.name = "mb16x4", .draw = draw_mb16x4},
    {.name = "m32", .draw = draw_m32},
    {.name = "m32x2", .draw = draw_m32x2},
    {.name = "m64", .draw = draw_m64},
    {.name = "w32", .draw = draw_w32},
    {.name = "w16x2", .draw = draw_w16x2},
    {.name = "wb16x2", .draw = draw_wb16x2},
    {.name = "s16x2", .draw = draw_s16x2},
    {.name = "sb16x2", .draw = draw_sb16x2},
    {.name = "s32m", .draw = draw_s32m},
    {.name = "f8x4", .draw = draw_f8x4},
    {.name = "meta", .draw = draw_meta},
    {.name = "meta2", .draw = draw_meta2},
    {.name = "coord", .draw = draw_coord},
    {.name = "coordn", .draw = draw_coordn},
};
// clang-format on

static const type *find_type(const char *name)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (!strcmp(types[i].name, name))
            return &types[i];
    card_die("type %s?", name);
}

static uint64_t special(const type *of, size_t k)
{
    const uint64_t r = draw();
    return (of->special[k] & of->mask) | (of->twice ? of->special[r % of->count] << of->twice : 0);
}

static uint64_t drawn(const type *of, size_t i)
{
    const uint64_t r = draw();
    const dice d = {r, draw(), i};
    return of->draw(d);
}

/* The number of a form's combinations of special values, or 0 when an input has none. */
static size_t combinations(const card_form *form, const type **of)
{
    size_t out = 1;
    bool all = true;
    for (unsigned j = 0; j < form->inputs.count; j++) {
        of[j] = find_type(form->inputs.type[j]);
        if (!of[j]->count)
            all = false;
        else if (out < 1u << 30)
            out *= of[j]->count;
    }
    return all ? out : 0;
}

static void seed(const card_form *form)
{
    state = UINT64_C(1469598103934665603);
    for (const char *p = form->inputs.text; *p; p++)
        state = (state ^ (unsigned char)*p) * UINT64_C(1099511628211);
    state += form->threads;
}

uint64_t *card_inputs(const card_form *form)
{
    const size_t n = form->threads;
    const type *of[CARD_MOST_SLOTS];
    const size_t most = combinations(form, of);
    uint64_t *out = card_allocate(n * form->inputs.count, sizeof *out);
    seed(form);
    for (size_t i = 0; i < n; i++) {
        const bool few = most <= n / 2, cross = few && i < most, pick = !few && i < n / 2;
        size_t k = i;
        for (unsigned j = 0; j < form->inputs.count; j++) {
            if (cross) {
                out[j * n + i] = special(of[j], k % of[j]->count);
                k /= of[j]->count;
            } else if (pick && draw() % 8) {
                out[j * n + i] = special(of[j], draw() % of[j]->count);
            } else {
                out[j * n + i] = drawn(of[j], i);
            }
        }
    }
    return out;
}

static void put_texel(void *to, CUarray_format format)
{
    if (format == CU_AD_FORMAT_FLOAT) {
        const float value = unit() * 100;
        memcpy(to, &value, sizeof value);
    } else if (format == CU_AD_FORMAT_HALF) {
        const uint16_t value = half_of(unit() * 100);
        memcpy(to, &value, sizeof value);
    } else {
        const uint64_t value = draw();
        memcpy(to, &value, card_format_bytes(format));
    }
}

void card_fill_texels(void *out, size_t count, CUarray_format format)
{
    state = 77;
    for (size_t i = 0; i < count; i++)
        put_texel((char *)out + i * card_format_bytes(format), format);
}
