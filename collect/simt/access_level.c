/* access_level.c - addresses of a warp, gathers and scatters; one object per instruction-set level (-DWS_LEVEL=...). */
#include "collect/simt/access_level.h"

#include <string.h>

#define GLUE2(a, b) a##b
#define GLUE(a, b)  GLUE2(a, b)

typedef uint64_t eight __attribute__((vector_size(64), may_alias, aligned(8)));

/* All lanes, the same distance from one to the next, as most accesses are: what is to be known is known from two of
 * them. False: not so, or so far apart that sums may wrap. */
static inline bool summarise_even(const uint64_t *out, uint64_t bytes, address_summary *s)
{
    const uint64_t first = out[0], step = out[1] - first, last = first + 31 * step, far = UINT64_C(1) << 48;
    const eight ramp = (eight){0, 1, 2, 3, 4, 5, 6, 7} * step + first;
    eight differ = {0};
    for (unsigned i = 0; i < WS_WARP / 8; i++)
        differ |= ((const eight *)out)[i] ^ (ramp + 8 * i * step);
    uint64_t any = 0;
    for (unsigned i = 0; i < 8; i++)
        any |= differ[i];
    if (any || first >= far || last >= far)
        return false;
    s->consecutive = step == bytes;
    s->same = step == 0;
    s->low = first < last ? first : last;
    s->high = first < last ? last : first;
    s->bits = first | step;
    return true;
}

static void summarise_all(const uint64_t *out, address_summary *s)
{
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    for (int i = 0; i < WS_WARP; i++) {
        low = out[i] < low ? out[i] : low;
        high = out[i] > high ? out[i] : high;
        bits |= out[i];
    }
    *s = (address_summary){.low = low, .high = high, .bits = bits};
}

static void summarise_some(uint64_t *out, const ws_mask *m, address_summary *s)
{
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    for (int i = 0; i < WS_WARP; i++) {
        const uint64_t keep = (uint64_t)(int64_t)m->lane[i];
        out[i] &= keep;
        const uint64_t floor = out[i] | ~keep;
        low = floor < low ? floor : low;
        high = out[i] > high ? out[i] : high;
        bits |= out[i];
    }
    *s = (address_summary){.low = low, .high = high, .bits = bits};
}

static void addresses(uint64_t *out, const void *base, bool wide, int64_t offset, uint64_t bytes, const ws_mask *m,
                      address_summary *s)
{
    if (wide) {
        const uint64_t *b = base;
        for (int i = 0; i < WS_WARP; i++)
            out[i] = b[i] + (uint64_t)offset;
    } else {
        const uint32_t *b = base;
        for (int i = 0; i < WS_WARP; i++)
            out[i] = (uint32_t)(b[i] + (uint32_t)offset);
    }
    if (m->bits != UINT32_MAX)
        summarise_some(out, m, s);
    else if (!summarise_even(out, bytes, s))
        summarise_all(out, s);
}

/* Memory is read and written with memcpy-like accesses: kernels may alias any type over any bytes. */
typedef uint16_t __attribute__((may_alias, aligned(1))) any16;
typedef uint32_t __attribute__((may_alias, aligned(1))) any32;
typedef uint64_t __attribute__((may_alias, aligned(1))) any64;

#define GATHER(dst_type, mem_type, value_type) \
    do { \
        dst_type *d = dst; \
        if (m->bits == UINT32_MAX) { \
            for (int i = 0; i < WS_WARP; i++) \
                d[i] = (dst_type)(value_type) * (const mem_type *)(origin + address[i]); \
        } else { \
            WS_EACH_LANE (i, m->bits) \
                d[i] = (dst_type)(value_type) * (const mem_type *)(origin + address[i]); \
        } \
    } while (0)

static void load(void *dst, bool wide, uintptr_t origin, const uint64_t *address, unsigned bytes, bool sign,
                 const ws_mask *m, const address_summary *s)
{
    if (bytes == 4 && !wide) {
        if (s->consecutive)
            memcpy(dst, (const void *)(origin + s->low), 4 * WS_WARP);
        else if (s->same) {
            const uint32_t v = *(const any32 *)(origin + s->low);
            for (int i = 0; i < WS_WARP; i++)
                ((uint32_t *)dst)[i] = v;
        } else
            GATHER(uint32_t, any32, uint32_t);
        return;
    }
    if (bytes == 8) {
        if (s->consecutive)
            memcpy(dst, (const void *)(origin + s->low), 8 * WS_WARP);
        else
            GATHER(uint64_t, any64, uint64_t);
        return;
    }
    if (wide) {
        if (bytes == 4 && sign)
            GATHER(uint64_t, any32, int32_t);
        else if (bytes == 4)
            GATHER(uint64_t, any32, uint32_t);
        else if (bytes == 2 && sign)
            GATHER(uint64_t, any16, int16_t);
        else if (bytes == 2)
            GATHER(uint64_t, any16, uint16_t);
        else if (sign)
            GATHER(uint64_t, uint8_t, int8_t);
        else
            GATHER(uint64_t, uint8_t, uint8_t);
    } else {
        if (bytes == 2 && sign)
            GATHER(uint32_t, any16, int16_t);
        else if (bytes == 2)
            GATHER(uint32_t, any16, uint16_t);
        else if (sign)
            GATHER(uint32_t, uint8_t, int8_t);
        else
            GATHER(uint32_t, uint8_t, uint8_t);
    }
}

#define SCATTER(src_type, mem_type) \
    do { \
        const src_type *v = src; \
        if (m->bits == UINT32_MAX) { \
            for (int i = 0; i < WS_WARP; i++) \
                *(mem_type *)(origin + address[i]) = (mem_type)v[i]; \
        } else { \
            WS_EACH_LANE (i, m->bits) \
                *(mem_type *)(origin + address[i]) = (mem_type)v[i]; \
        } \
    } while (0)

static void store(const void *src, bool wide, uintptr_t origin, const uint64_t *address, unsigned bytes,
                  const ws_mask *m, const address_summary *s)
{
    if (wide) {
        if (bytes == 8 && s->consecutive)
            memcpy((void *)(origin + s->low), src, 8 * WS_WARP);
        else if (bytes == 8)
            SCATTER(uint64_t, any64);
        else if (bytes == 4)
            SCATTER(uint64_t, any32);
        else if (bytes == 2)
            SCATTER(uint64_t, any16);
        else
            SCATTER(uint64_t, uint8_t);
    } else {
        if (bytes == 4 && s->consecutive)
            memcpy((void *)(origin + s->low), src, 4 * WS_WARP);
        else if (bytes == 4)
            SCATTER(uint32_t, any32);
        else if (bytes == 2)
            SCATTER(uint32_t, any16);
        else
            SCATTER(uint32_t, uint8_t);
    }
}

const access_level GLUE(ws_access_level_, WS_LEVEL) = {.addresses = addresses, .load = load, .store = store};
