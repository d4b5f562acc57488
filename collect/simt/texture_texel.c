/* texture_texel.c - what do the bytes of a texel mean to a register, and the other way? */
#include "collect/simt/lanes_scalar_internal.h"
#include "collect/simt/texture_internal.h"

#include <math.h>
#include <string.h>

/* Integers as floats: the largest is 1; the smallest of the signed ones counts as -1 like the one above it. */
static const float largest[WS_TEXELS] = {
    [WS_TEXEL_U8] = 255, [WS_TEXEL_S8] = 127, [WS_TEXEL_U16] = 65535, [WS_TEXEL_S16] = 32767};

static bool is_signed(ws_texel t)
{
    return t == WS_TEXEL_S8 || t == WS_TEXEL_S16 || t == WS_TEXEL_S32;
}

/* The transfer function of IEC 61966-2-1. */
static float linear_light(float x)
{
    return (float)(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
}

/* One channel as a register: sign-extended integer, or float bits. */
static uint32_t channel(const texture *t, const unsigned char *at, unsigned number)
{
    const ws_texel texel = t->is.texel;
    const unsigned bytes = ws_texel_bytes(texel);
    uint32_t raw = 0;
    memcpy(&raw, at, bytes);
    if (texel == WS_TEXEL_F16)
        return ws_f32_bits(f32_of_f16(raw));
    if (is_signed(texel))
        raw = bytes == 1 ? (uint32_t)(int8_t)raw : bytes == 2 ? (uint32_t)(int16_t)raw : raw;
    if (!t->floats || texel == WS_TEXEL_F32)
        return raw;
    const float x = (is_signed(texel) ? (float)(int32_t)raw : (float)raw) / largest[texel];
    return ws_f32_bits(t->is.srgb && texel == WS_TEXEL_U8 && number < 3 ? linear_light(x) : x < -1 ? -1 : x);
}

#define GATHER(type)                                                          \
    do {                                                                      \
        WS_EACH_LANE (i, lanes)                                               \
            value[i] = (uint32_t)((const type *)(uintptr_t)address[i])[number]; \
    } while (0)

void texel_read_channel(const texture *t, const uint64_t address[WS_WARP], uint32_t lanes, unsigned number,
                        uint32_t value[WS_WARP])
{
    const unsigned bytes = ws_texel_bytes(t->is.texel);
    if (bytes == 4) {
        GATHER(uint32_t);
    } else if (!t->floats) {
        switch ((ws_texel)t->is.texel) {
        case WS_TEXEL_U8:
            GATHER(uint8_t);
            break;
        case WS_TEXEL_S8:
            GATHER(int8_t);
            break;
        case WS_TEXEL_U16:
            GATHER(uint16_t);
            break;
        default:
            GATHER(int16_t);
            break;
        }
    } else {
        WS_EACH_LANE (i, lanes)
            value[i] = channel(t, (const unsigned char *)(uintptr_t)address[i] + number * bytes, number);
    }
}

static uint32_t one(const texture *t)
{
    return t->floats ? ws_f32_bits(1.0f) : 1;
}

void texel_read(const texture *t, uint64_t address, uint32_t value[4])
{
    const unsigned char *at = (const unsigned char *)(uintptr_t)address;
    const unsigned bytes = ws_texel_bytes(t->is.texel);
    value[1] = value[2] = 0;
    value[3] = one(t);
    for (unsigned i = 0; i < t->is.channels; i++)
        value[i] = channel(t, at + i * bytes, i);
}

void texel_border(const texture *t, const ws_sampler *sampler, uint32_t value[4])
{
    if (t->is.by_index) {
        memset(value, 0, 4 * sizeof *value);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        const float x = sampler->border[i];
        value[i] = t->floats ? ws_f32_bits(x) : is_signed(t->is.texel) ? (uint32_t)(int32_t)x : (uint32_t)x;
    }
    for (unsigned i = t->is.channels; i < 4; i++)
        value[i] = i == 3 ? one(t) : 0;
}

/* Integers take the low bits, clamped as sust.p wants it; floats change their format. */
static uint32_t stored(ws_texel texel, uint32_t value)
{
    const int32_t s = (int32_t)value;
    switch (texel) {
    case WS_TEXEL_U8:
        return value < UINT8_MAX ? value : UINT8_MAX;
    case WS_TEXEL_U16:
        return value < UINT16_MAX ? value : UINT16_MAX;
    case WS_TEXEL_S8:
        return (uint32_t)(s < INT8_MIN ? INT8_MIN : s > INT8_MAX ? INT8_MAX : s);
    case WS_TEXEL_S16:
        return (uint32_t)(s < INT16_MIN ? INT16_MIN : s > INT16_MAX ? INT16_MAX : s);
    case WS_TEXEL_F16:
        return f16_of_f32(ws_f32_from_bits(value));
    default:
        return value;
    }
}

void texel_write(const texture *t, uint64_t address, const uint32_t value[4])
{
    unsigned char *at = (unsigned char *)(uintptr_t)address;
    const unsigned bytes = ws_texel_bytes(t->is.texel);
    for (unsigned i = 0; i < t->is.channels; i++) {
        const uint32_t raw = stored(t->is.texel, value[i]);
        memcpy(at + i * bytes, &raw, bytes);
    }
}

uint32_t texel_half(float value)
{
    return f16_of_f32(value);
}
