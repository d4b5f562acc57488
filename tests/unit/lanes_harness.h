/* lanes_harness.h - runs one PTX instruction through the lane functions of every level and compares each lane with a
 * scalar reference. Included by the test_lanes*.c programs. */
#ifndef LANES_HARNESS_H
#define LANES_HARNESS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/ptx/module.h"
#include "collect/simt/lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Source values as raw bits (a predicate as 0 or 1) in, destination bits out. */
typedef uint64_t reference(uint64_t a, uint64_t b, uint64_t c, uint64_t e);

/* ---- numbers ---- */

static inline uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint32_t raw32(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline uint64_t raw64(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline float as_f32(uint64_t u)
{
    const uint32_t w = (uint32_t)u;
    float x;
    memcpy(&x, &w, sizeof x);
    return x;
}

static inline double as_f64(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline uint64_t draw_integer(uint64_t *state, unsigned bits)
{
    static const int64_t edges[] = {0,         1,          -1,        2,         3,          31,
                                    32,        33,         63,        64,        255,        256,
                                    INT8_MIN,  INT8_MAX,   INT16_MIN, INT16_MAX, UINT16_MAX, INT32_MIN,
                                    INT32_MAX, UINT32_MAX, INT64_MIN, INT64_MAX, 0x00800000, 0x55555555};
    const uint64_t r = next_random(state);
    uint64_t v = r >> 3;
    switch (r & 7) {
    case 0:
    case 1:
        v = (uint64_t)edges[(r >> 3) % (sizeof edges / sizeof edges[0])];
        break;
    case 2:
    case 3:
        v = (r >> 3) % 80 - 20;
        break;
    case 4:
        v = UINT64_C(1) << ((r >> 3) & 63);
        break;
    default:
        v ^= next_random(state) << 40;
        break;
    }
    return bits == 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

/* Values around which conversions and roundings change their mind. */
static inline double draw_double(uint64_t *state)
{
    static const double edges[] = {0.0,
                                   0.25,
                                   0.5,
                                   0.75,
                                   1.0,
                                   1.5,
                                   2.5,
                                   3.5,
                                   127.5,
                                   128.0,
                                   255.5,
                                   256.0,
                                   32767.5,
                                   32768.0,
                                   65504.0,
                                   65519.0,
                                   65520.0,
                                   65535.5,
                                   65536.0,
                                   0x1p31,
                                   0x1p32,
                                   0x1p63,
                                   0x1p64,
                                   0x1p-14,
                                   0x1p-24,
                                   0x1p-25,
                                   0x1p-126,
                                   0x1p-149,
                                   0x1p-150,
                                   0x1p126,
                                   0x1p127,
                                   0x1.fffffep127,
                                   0x1.ffffffp127,
                                   2147483647.0,
                                   4294967295.0,
                                   16777217.0,
                                   1e-40,
                                   1e-300,
                                   1e300,
                                   3.1415926535};
    const uint64_t r = next_random(state);
    double v;
    switch (r & 3) {
    case 0:
        v = edges[(r >> 8) % (sizeof edges / sizeof edges[0])];
        break;
    case 1:
        v = (double)((r >> 8) % 2000) / 8.0;
        break;
    case 2:
        v = (double)(r >> 11) * 0x1p-53 * ((r & 16) ? 4.0 : 1e5);
        break;
    default:
        v = edges[(r >> 8) % (sizeof edges / sizeof edges[0])] * (1.0 + (double)(next_random(state) >> 40) * 0x1p-47);
        break;
    }
    return r & 32 ? -v : v;
}

static inline uint64_t draw_float(uint64_t *state, unsigned bits, uint64_t infinity)
{
    const uint64_t r = next_random(state);
    const uint64_t sign = UINT64_C(1) << (bits - 1), all = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    const uint64_t least =
        infinity & (~infinity + 1); /* one in the exponent's last place: the smallest normal number */
    const uint64_t specials[] = {
        0, sign,     infinity, sign | infinity, infinity | 1,       infinity | least >> 1, all,
        1, sign | 1, least,    least - 1,       sign | (least - 1), infinity - 1,          sign | (infinity - 1)};
    switch (r & 7) {
    case 0:
        return specials[(r >> 3) % (sizeof specials / sizeof specials[0])];
    case 1:
    case 2:
        return next_random(state) & all;
    default:
        break;
    }
    const double v = draw_double(state);
    if (bits == 64)
        return raw64(v);
    const uint32_t w = raw32((float)v);
    /* Cut an f32 to the exponent range of f16, or to bf16. */
    if (bits == 32)
        return w;
    if (infinity == 0x7f80)
        return w >> 16;
    const int exponent = (int)((w >> 23) & 255) - 112;
    return (w >> 16 & 0x8000) | (exponent <= 0    ? (w >> 13) & 0x3ff
                                 : exponent >= 31 ? 0x7bffu
                                                  : (uint32_t)exponent << 10 | ((w >> 13) & 0x3ff));
}

static inline uint64_t draw(uint64_t *state, unsigned type)
{
    switch (type) {
    case WS_T_pred:
        return next_random(state) & 1;
    case WS_T_f16:
        return draw_float(state, 16, 0x7c00);
    case WS_T_bf16:
        return draw_float(state, 16, 0x7f80);
    case WS_T_f16x2:
        return draw_float(state, 16, 0x7c00) << 16 | draw_float(state, 16, 0x7c00);
    case WS_T_bf16x2:
        return draw_float(state, 16, 0x7f80) << 16 | draw_float(state, 16, 0x7f80);
    case WS_T_f32:
    case WS_T_tf32:
        return draw_float(state, 32, 0x7f800000);
    case WS_T_f32x2:
        return draw_float(state, 32, 0x7f800000) << 32 | draw_float(state, 32, 0x7f800000);
    case WS_T_f64:
        return draw_float(state, 64, UINT64_C(0x7ff0000000000000));
    default:
        return draw_integer(state, ws_type_bits((ws_type)type));
    }
}

/* ---- registers ---- */

typedef struct vector {
    _Alignas(64) uint64_t word[WS_WARP];
} vector;

static inline void put_lane(vector *v, unsigned type, int lane, uint64_t value)
{
    if (type == WS_T_pred) {
        uint32_t *const w = (uint32_t *)(void *)v->word;
        *w = (*w & ~(1u << lane)) | (uint32_t)(value & 1) << lane;
    } else if (ws_type_bits((ws_type)type) > 32) {
        v->word[lane] = value;
    } else {
        memcpy((char *)v->word + 4 * lane, &(uint32_t){(uint32_t)value}, 4);
    }
}

static inline uint64_t get_lane(const vector *v, unsigned type, int lane)
{
    uint32_t w;
    if (type == WS_T_pred) {
        memcpy(&w, v->word, 4);
        return (w >> lane) & 1;
    }
    if (ws_type_bits((ws_type)type) > 32)
        return v->word[lane];
    memcpy(&w, (const char *)v->word + 4 * lane, 4);
    return w;
}

static inline ws_mask mask_of(uint32_t bits)
{
    ws_mask m;
    m.bits = bits;
    for (int i = 0; i < WS_WARP; i++)
        m.lane[i] = (bits >> i) & 1 ? -1 : 0;
    return m;
}

/* ---- instructions ---- */

/* Parses a kernel of this one instruction. Registers: %p predicates, %h 16 bits, %r 32, %d 64, all bit types. */
static inline ws_module *module_of(const char *instruction)
{
    char text[1024];
    snprintf(text, sizeof text,
             ".version 8.6\n.target sm_100\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %%p<6>;\n.reg .b16 "
             "%%h<6>;\n"
             ".reg .b32 %%r<6>;\n.reg .b64 %%d<6>;\n%s;\nret;\n}\n",
             instruction);
    ws_module *module = NULL;
    if (ws_ptx_parse("test.ptx", text, strlen(text), &module))
        fail_msg("%s: %s", instruction, ws_message());
    return module;
}

static inline const ws_insn *insn_of(const ws_module *module)
{
    const ws_insn *const insn = &ws_module_function(module, "k")->insn[0];
    if (insn->unsupported)
        fail_msg("%s: the parser says: %s", insn->text, insn->unsupported);
    return insn;
}

typedef struct instance {
    ws_module *module;
    const ws_insn *insn;
    ws_lanes_fn *fn;
    ws_lanes_shape shape;
} instance;

static inline instance find_instance(const char *instruction)
{
    instance t = {.module = module_of(instruction)};
    t.insn = insn_of(t.module);
    if (ws_lanes_find(t.insn, &t.fn, &t.shape))
        fail_msg("%s: %s", instruction, ws_message());
    return t;
}

static const char *const all_levels[] = {"plain", "avx2", "avx512"};

/* Sources of lane i; a source that is an immediate in the text has the same value in all lanes. */
static inline void draw_sources(const instance *t, uint64_t *state, vector src[4])
{
    for (unsigned s = 0; s < t->shape.srcs; s++)
        for (int i = 0; i < WS_WARP; i++) {
            const ws_operand *const o = &t->insn->operand[1 + s];
            put_lane(&src[s], t->shape.src[s], i, o->kind == WS_OPND_IMM ? o->imm : draw(state, t->shape.src[s]));
        }
}

static inline void call(const instance *t, void *d, const vector src[4], const void *e, const ws_mask *m)
{
    t->fn(d, &src[0], &src[1], &src[2], t->shape.controlled ? (const void *)&t->shape.control : e ? e : &src[3], m);
}

static inline void expect(const instance *t, const vector src[4], reference *expected, uint64_t want[WS_WARP])
{
    for (int i = 0; i < WS_WARP; i++) {
        uint64_t s[4] = {0};
        for (unsigned k = 0; k < t->shape.srcs; k++)
            s[k] = get_lane(&src[k], t->shape.src[k], i);
        want[i] = expected(s[0], s[1], s[2], s[3]);
    }
}

/* Lanes in the mask hold what was wanted, the others what was there before. */
static inline void compare_lanes(const char *instruction, const instance *t, const vector *d, const vector *before,
                                 const vector src[4], const uint64_t want[WS_WARP], uint32_t mask)
{
    for (int i = 0; i < WS_WARP; i++) {
        const uint64_t got = get_lane(d, t->shape.dst, i);
        const uint64_t right = (mask >> i) & 1 ? want[i] : get_lane(before, t->shape.dst, i);
        if (got == right)
            continue;
        uint64_t s[4] = {0};
        for (unsigned k = 0; k < t->shape.srcs; k++)
            s[k] = get_lane(&src[k], t->shape.src[k], i);
        fail_msg("%s on %s, lane %d, mask %08" PRIx32 ": %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " gives %" PRIx64
                 ", expected %" PRIx64,
                 instruction, ws_lanes_level(), i, mask, s[0], s[1], s[2], s[3], got, right);
    }
}

static inline bool same_width(unsigned one, unsigned other)
{
    return (one == WS_T_pred) == (other == WS_T_pred) &&
           (ws_type_bits((ws_type)one) > 32) == (ws_type_bits((ws_type)other) > 32);
}

/* One set of sources: d apart, then d in place of each source of its width. */
static inline void check_once(const char *instruction, const instance *t, const vector src[4], const vector *before,
                              const uint64_t want[WS_WARP], uint32_t mask)
{
    const ws_mask m = mask_of(mask);
    vector d = *before;
    call(t, &d, src, NULL, &m);
    compare_lanes(instruction, t, &d, before, src, want, mask);
    for (unsigned s = 0; s < t->shape.srcs; s++) {
        if (!same_width(t->shape.dst, t->shape.src[s]))
            continue;
        vector alias[4];
        memcpy(alias, src, sizeof alias);
        call(t, &alias[s], alias, NULL, &m);
        compare_lanes(instruction, t, &alias[s], &src[s], src, want, mask);
    }
}

/* `rounds` draws on every level, each with a full mask, a random one and a single lane. */
static inline void check(const char *instruction, reference *expected, int rounds)
{
    uint64_t state = 42;
    instance on_level[3];
    const char *name[3];
    size_t levels = 0;
    for (size_t l = 0; l < sizeof all_levels / sizeof all_levels[0]; l++)
        if (ws_lanes_set_level(all_levels[l]) == WS_OK) {
            name[levels] = all_levels[l];
            on_level[levels++] = find_instance(instruction);
        }
    for (int r = 0; r < rounds; r++) {
        vector src[4], before;
        uint64_t want[WS_WARP];
        memset(src, 0, sizeof src);
        draw_sources(&on_level[0], &state, src);
        expect(&on_level[0], src, expected, want);
        for (int i = 0; i < WS_WARP; i++)
            before.word[i] = next_random(&state);
        const uint32_t masks[] = {UINT32_MAX, (uint32_t)next_random(&state), 1u << (r & 31)};
        for (size_t l = 0; l < levels; l++) {
            ws_lanes_set_level(name[l]);
            for (size_t k = 0; k < sizeof masks / sizeof masks[0]; k++)
                check_once(instruction, &on_level[l], src, &before, want, masks[k]);
        }
    }
    for (size_t l = 0; l < levels; l++)
        ws_module_destroy(on_level[l].module);
}

typedef struct test_row {
    const char *instruction;
    reference *expected;
} test_row;

static inline void check_rows(const test_row *row, size_t rows, int rounds)
{
    for (size_t i = 0; i < rows; i++)
        check(row[i].instruction, row[i].expected, rounds);
}

#define CHECK_ROWS(table, rounds) check_rows(table, sizeof(table) / sizeof((table)[0]), rounds)

#endif
