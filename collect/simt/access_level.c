/* access_level.c - addresses of a warp, gathers and scatters; one object per instruction-set level (-DWS_LEVEL=...). */
#include "collect/simt/access_level.h"
#include "collect/simt/lanes_scalar_internal.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define GLUE2(a, b) a##b
#define GLUE(a, b)  GLUE2(a, b)

typedef uint64_t eight __attribute__((vector_size(64), may_alias, aligned(8)));
typedef uint32_t small_eight __attribute__((vector_size(32), may_alias, aligned(4)));

/* A warp's addresses; named, because arrays of vectors end up in memory. */
typedef struct quarters {
    eight a, b, c, d;
} quarters;

LANES_INLINE bool is_zero(const eight *v)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)*v, (__m512i)*v) == 0;
#else
    const eight x = *v;
    return (x[0] | x[1] | x[2] | x[3] | x[4] | x[5] | x[6] | x[7]) == 0;
#endif
}

/* The lanes of `keep` (0 or -1 each; NULL: all) from lane `from` to lane `to`, the same distance from one to the next,
 * as in most accesses: what is to be known is known from the two ends. False: not so, or so far apart that sums may
 * wrap. */
LANES_INLINE bool summarise_even(const quarters *at, const quarters *keep, uint64_t first, unsigned from, uint64_t step,
                                 unsigned to, address_summary *s)
{
    const uint64_t start = first - from * step, last = start + to * step, far = UINT64_C(1) << 48;
    const eight ramp = (eight){0, 1, 2, 3, 4, 5, 6, 7} * step + start;
    const eight a = at->a ^ ramp, b = at->b ^ (ramp + 8 * step), c = at->c ^ (ramp + 16 * step),
                d = at->d ^ (ramp + 24 * step);
    const eight differ = keep ? (a & keep->a) | (b & keep->b) | (c & keep->c) | (d & keep->d) : a | b | c | d;
    if (!is_zero(&differ) || first >= far || last >= far || step + far >= 2 * far)
        return false;
    *s = (address_summary){
        .low = first < last ? first : last, .high = first < last ? last : first, .bits = first | step};
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

static void summarise_some(const uint64_t *out, const ws_mask *m, address_summary *s)
{
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    for (int i = 0; i < WS_WARP; i++) {
        const uint64_t floor = out[i] | ~(uint64_t)(int64_t)m->lane[i];
        low = floor < low ? floor : low;
        high = out[i] > high ? out[i] : high;
        bits |= out[i];
    }
    *s = (address_summary){.low = low, .high = high, .bits = bits};
}

/* Some lanes only; leaves 0 for the others. */
static void see_some(uint64_t *out, quarters at, const ws_mask *m, address_summary *s)
{
    typedef int32_t signed_eight __attribute__((vector_size(32), may_alias));
    const signed_eight *const lane = (const signed_eight *)m->lane;
    const quarters keep = {__builtin_convertvector(lane[0], eight), __builtin_convertvector(lane[1], eight),
                           __builtin_convertvector(lane[2], eight), __builtin_convertvector(lane[3], eight)};
    eight *const to = (eight *)out;
    to[0] = at.a & keep.a;
    to[1] = at.b & keep.b;
    to[2] = at.c & keep.c;
    to[3] = at.d & keep.d;
    if (!m->bits) {
        *s = (address_summary){.low = UINT64_MAX};
        return;
    }
    const unsigned first = ws_lowest(m->bits), last = 31 - (unsigned)__builtin_clz(m->bits);
    const uint64_t step = first < last ? out[first + 1] - out[first] : 0;
    if (!(first == last || m->bits >> (first + 1) & 1) || !summarise_even(&at, &keep, out[first], first, step, last, s))
        summarise_some(out, m, s);
}

static void addresses(uint64_t *out, const void *base, bool wide, int64_t offset, uint64_t bytes, const ws_mask *m,
                      address_summary *s)
{
    quarters at;
    uint64_t first, second;
    if (wide) {
        const uint64_t more = (uint64_t)offset;
        const eight *const b = base;
        at = (quarters){b[0] + more, b[1] + more, b[2] + more, b[3] + more};
        first = ((const uint64_t *)base)[0] + more;
        second = ((const uint64_t *)base)[1] + more;
    } else {
        const uint32_t more = (uint32_t)offset;
        const small_eight *const b = base;
        at.a = __builtin_convertvector(b[0] + more, eight);
        at.b = __builtin_convertvector(b[1] + more, eight);
        at.c = __builtin_convertvector(b[2] + more, eight);
        at.d = __builtin_convertvector(b[3] + more, eight);
        first = ((const uint32_t *)base)[0] + more;
        second = ((const uint32_t *)base)[1] + more;
    }
    if (m->bits != UINT32_MAX) {
        see_some(out, at, m, s);
        return;
    }
    eight *const to = (eight *)out;
    to[0] = at.a;
    to[1] = at.b;
    to[2] = at.c;
    to[3] = at.d;
    if (!summarise_even(&at, NULL, first, 0, second - first, WS_WARP - 1, s)) {
        summarise_all(out, s);
        return;
    }
    s->consecutive = second - first == bytes;
    s->same = second == first;
    s->step = first < second ? second - first : 0;
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
                d[i] = (dst_type)(value_type) * (const mem_type *)(to.origin + (address[i] & to.fence)); \
        } else { \
            WS_EACH_LANE (i, m->bits) \
                d[i] = (dst_type)(value_type) * (const mem_type *)(to.origin + (address[i] & to.fence)); \
        } \
    } while (0)

static void load(void *dst, bool wide, ground to, const uint64_t *address, unsigned bytes, bool sign, const ws_mask *m,
                 const address_summary *s)
{
    if (bytes == 4 && !wide) {
        if (s->consecutive)
            memcpy(dst, (const void *)(to.origin + (s->low & to.fence)), 4 * WS_WARP);
        else if (s->step == 8)
            for (int i = 0; i < WS_WARP; i++)
                ((uint32_t *)dst)[i] = ((const any32 *)(to.origin + (s->low & to.fence)))[2 * i];
        else if (s->step == 16)
            for (int i = 0; i < WS_WARP; i++)
                ((uint32_t *)dst)[i] = ((const any32 *)(to.origin + (s->low & to.fence)))[4 * i];
        else if (s->same) {
            const uint32_t v = *(const any32 *)(to.origin + (s->low & to.fence));
            for (int i = 0; i < WS_WARP; i++)
                ((uint32_t *)dst)[i] = v;
        } else
            GATHER(uint32_t, any32, uint32_t);
        return;
    }
    if (bytes == 8) {
        if (s->consecutive)
            memcpy(dst, (const void *)(to.origin + (s->low & to.fence)), 8 * WS_WARP);
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
                *(mem_type *)(to.origin + (address[i] & to.fence)) = (mem_type)v[i]; \
        } else { \
            WS_EACH_LANE (i, m->bits) \
                *(mem_type *)(to.origin + (address[i] & to.fence)) = (mem_type)v[i]; \
        } \
    } while (0)

static void store(const void *src, bool wide, ground to, const uint64_t *address, unsigned bytes, const ws_mask *m,
                  const address_summary *s)
{
    if (wide) {
        if (bytes == 8 && s->consecutive)
            memcpy((void *)(to.origin + (s->low & to.fence)), src, 8 * WS_WARP);
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
            memcpy((void *)(to.origin + (s->low & to.fence)), src, 4 * WS_WARP);
        else if (bytes == 4)
            SCATTER(uint32_t, any32);
        else if (bytes == 2)
            SCATTER(uint32_t, any16);
        else
            SCATTER(uint32_t, uint8_t);
    }
}

const access_level GLUE(ws_access_level_, WS_LEVEL) = {.addresses = addresses, .load = load, .store = store};
