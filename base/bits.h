/* bits.h - inline helpers on machine words. */
#ifndef WS_BITS_H
#define WS_BITS_H

#include <stdint.h>
#include <string.h>

enum { WS_WARP = 32 }; /* lanes of a warp */

/* Returns the number of set bits. Written without the builtin, which is a call on machines without a popcount
 * instruction. Compilers for machines with one recognize this form. */
static inline unsigned ws_popcount(uint32_t x)
{
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return x * 0x01010101u >> 24;
}

static inline unsigned ws_popcount64(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)(x * 0x0101010101010101u >> 56);
}

/* Returns the index of the lowest set bit; x must not be 0. */
static inline unsigned ws_lowest(uint32_t x)
{
    return (unsigned)__builtin_ctz(x);
}

/* Conversion of a float or double to its bits, and back. */
static inline uint32_t ws_f32_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float ws_f32_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t ws_f64_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double ws_f64_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Loop over the set bits of a 32-bit mask, in rising order. */
#define WS_EACH_LANE(lane, mask) \
    for (uint32_t lane##_rest = (mask), lane; lane##_rest && ((lane = ws_lowest(lane##_rest)), 1); \
         lane##_rest &= lane##_rest - 1)

#endif
