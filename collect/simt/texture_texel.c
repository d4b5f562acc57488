/* texture_texel.c - what does a register write into a surface with format? */
#include "collect/simt/lanes_scalar_internal.h"
#include "collect/simt/texture_internal.h"

#include <string.h>

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
