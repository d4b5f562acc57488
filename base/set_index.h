/* set_index.h - set index functions of caches, without options or state.
 *
 * Cache models and set metrics share these functions. A block is an address divided by the line size; `bits` is the
 * logarithm of the number of sets. */
#ifndef WS_SET_INDEX_H
#define WS_SET_INDEX_H

#include <stdint.h>

static inline uint32_t ws_set_linear(uint64_t block, unsigned bits)
{
    return (uint32_t)(block & (((uint64_t)1 << bits) - 1));
}

/* XORs the lowest `bits` bits with the next `bits` bits. */
static inline uint32_t ws_set_xor(uint64_t block, unsigned bits)
{
    return ws_set_linear(block ^ block >> bits, bits);
}

/* Nugteren, van den Braak, Corporaal, Bal, "A Detailed GPU Cache Model Based on Reuse Distance Theory", HPCA 2014: the
 * hash of Fermi, measured there for lines of 128 bytes. It combines address bits 7 to 11 with 13, 14, 15, 17, 19; with
 * 64 sets, bit 12 is the highest of the index. `bits` is 5 or 6. */
static inline uint32_t ws_set_fermi(uint64_t block, unsigned bits)
{
    const uint64_t upper = (block >> 6 & 7) | (block >> 10 & 1) << 3 | (block >> 12 & 1) << 4;
    return (uint32_t)(((block & 31) ^ upper) | (bits == 6 ? block & 32 : 0));
}

/* Address bits that may differ among the lines of one load, in a memory of 16 GB with lines of 128 bytes: 7 to 34. */
enum { WS_SET_FEATURE_BITS = 28 };

/* Full permutation (Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015,
 * section 3.3): the sum over GF(2) of four groups of the block's bits. The topmost group takes the remainder of the
 * `features` bits; if it is wider than the index, it is reduced modulo `prime`. `prime` is the largest prime below the
 * number of sets. */
static inline uint32_t ws_set_fup(uint64_t block, unsigned bits, unsigned features, uint32_t prime)
{
    const unsigned least = 4 * bits, all = features > least ? features : least;
    const uint64_t above = block >> 3 * bits & (((uint64_t)1 << (all - 3 * bits)) - 1);
    return ws_set_linear(block ^ block >> bits ^ block >> 2 * bits ^ (all > least ? above % prime : above), bits);
}

#endif
