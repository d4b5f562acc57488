/* ways_internal.h - which way of a set has a block, and which was used longest ago?
 *
 * Tags and ages of a set lie close together, apart from the lines. A tag is the block's number plus one, 0 where the way
 * is free. Ages are a permutation of 0..n-1 over the ways in use, 0 the one used last, so equal histories give equal
 * bytes; a free way has AGE_FREE. Eight ages are worked on at once as bytes of a word. */
#ifndef WS_WAYS_INTERNAL_H
#define WS_WAYS_INTERNAL_H

#include <stdint.h>
#include <string.h>

enum { AGE_FREE = 255, MOST_WAYS = 128 };

#define BYTES_LOW UINT64_C(0x0101010101010101)
#define BYTES_HIGH UINT64_C(0x8080808080808080)

/* Bytes of a set's ages: a whole number of words. */
static inline uint32_t age_bytes(uint32_t ways)
{
    return (ways + 7) & ~7u;
}

/* The way of the block, or `ways`. Four at a time, since a branch for each would often be guessed wrong. */
static inline uint32_t find_way(const uint64_t *tags, uint32_t ways, uint64_t block)
{
    const uint64_t tag = block + 1;
    uint32_t way = 0;
    for (; way + 4 <= ways; way += 4) {
        const unsigned equal = (unsigned)(tags[way] == tag) | (unsigned)(tags[way + 1] == tag) << 1 |
                               (unsigned)(tags[way + 2] == tag) << 2 | (unsigned)(tags[way + 3] == tag) << 3;
        if (equal)
            return way + (uint32_t)__builtin_ctz(equal);
    }
    while (way < ways && tags[way] != tag)
        way++;
    return way;
}

/* The first way of that age, or `ways` or more. */
static inline uint32_t find_age(const uint8_t *ages, uint32_t ways, uint8_t age)
{
    for (uint32_t i = 0; i < ways; i += 8) {
        uint64_t eight;
        memcpy(&eight, ages + i, 8);
        eight ^= age * BYTES_LOW;
        eight = (eight - BYTES_LOW) & ~eight & BYTES_HIGH; /* its lowest bit is right */
        if (eight)
            return i + (uint32_t)__builtin_ctzll(eight) / 8;
    }
    return ways;
}

/* Bit 7 of each byte: this age is at least `least` (at most 128), or the way is free. */
static inline uint64_t at_least(uint64_t ages, uint32_t least)
{
    return ((ages | BYTES_HIGH) - least * BYTES_LOW) & BYTES_HIGH;
}

/* Those younger than the way are older by one; of a free way, which comes into use, all are. */
static inline void age_youngest(uint8_t *ages, uint32_t ways, uint32_t way)
{
    const uint32_t age = ages[way] == AGE_FREE ? MOST_WAYS - 1 : ages[way];
    if (!age)
        return;
    for (uint32_t i = 0; i < ways; i += 8) {
        uint64_t eight;
        memcpy(&eight, ages + i, 8);
        eight += (~at_least(eight, age) & BYTES_HIGH) >> 7;
        memcpy(ages + i, &eight, 8);
    }
    ages[way] = 0;
}

/* The way is free now; those older than it are younger by one. */
static inline void age_release(uint8_t *ages, uint32_t ways, uint32_t way)
{
    const uint32_t age = ages[way];
    ages[way] = AGE_FREE;
    for (uint32_t i = 0; i < ways; i += 8) {
        uint64_t eight;
        memcpy(&eight, ages + i, 8);
        eight -= (at_least(eight, age + 1) & ~eight & BYTES_HIGH) >> 7;
        memcpy(ages + i, &eight, 8);
    }
}

#endif
