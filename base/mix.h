/* mix.h - 64-bit hash, and random numbers that depend only on their position in a sequence: SplitMix64. */
#ifndef WS_MIX_H
#define WS_MIX_H

#include <stdint.h>

/* Increment between states of SplitMix64. */
#define WS_MIX_STEP UINT64_C(0x9E3779B97F4A7C15)

/* Returns a bijective hash; each bit of the result depends on all of x. SplitMix64: G. Steele, D. Lea, C. Flood, "Fast
 * Splittable Pseudorandom Number Generators", 2014. */
static inline uint64_t ws_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* Returns ws_mix of the next state, so that 0 does not map to 0. */
static inline uint64_t ws_hash(uint64_t x)
{
    return ws_mix(x + WS_MIX_STEP);
}

#endif
