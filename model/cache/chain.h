/* chain.h - order of the lines of a set, from the last to evict to the first.
 *
 * Each way has a position in the chain, 0 the front, or WS_CHAIN_OFF if it is empty. The positions of n ways are a
 * permutation of 0..n-1, so equal histories give equal bytes. Four positions are processed at once, in a word. */
#ifndef WS_CHAIN_H
#define WS_CHAIN_H

#include <stdint.h>
#include <string.h>

enum { WS_CHAIN_OFF = UINT16_MAX, WS_CHAIN_MOST = 4096, WS_CHAIN_WORD = 4 };

#define WS_CHAIN_LOW  UINT64_C(0x0001000100010001)
#define WS_CHAIN_HIGH UINT64_C(0x8000800080008000)

/* Returns the positions stored for a set: a whole number of words. */
static inline uint32_t ws_chain_room(uint32_t ways)
{
    return (ways + WS_CHAIN_WORD - 1) & ~(uint32_t)(WS_CHAIN_WORD - 1);
}

/* Sets bit 15 of each position that is at least `least` (at most WS_CHAIN_MOST + 1), or whose way is empty. */
static inline uint64_t ws_chain_from(uint64_t four, uint32_t least)
{
    return ((four | WS_CHAIN_HIGH) - least * WS_CHAIN_LOW) & WS_CHAIN_HIGH;
}

/* Returns the first way at that position, or at least `ways` if none. */
static inline uint32_t ws_chain_way(const uint16_t *chain, uint32_t ways, uint32_t position)
{
    for (uint32_t i = 0; i < ways; i += WS_CHAIN_WORD) {
        uint64_t four;
        memcpy(&four, chain + i, sizeof four);
        four ^= position * WS_CHAIN_LOW;
        four = (four - WS_CHAIN_LOW) & ~four & WS_CHAIN_HIGH; /* its lowest bit is exact */
        if (four)
            return i + (uint32_t)__builtin_ctzll(four) / 16;
    }
    return ways;
}

/* Returns the number of ways in the chain. */
static inline uint32_t ws_chain_length(const uint16_t *chain, uint32_t ways)
{
    uint32_t length = 0;
    for (uint32_t way = 0; way < ways; way++)
        length += chain[way] != WS_CHAIN_OFF;
    return length;
}

/* Moves a way to the front, or adds an empty way there. The positions before its old one grow by one. */
static inline void ws_chain_to_front(uint16_t *chain, uint32_t ways, uint32_t way)
{
    const uint32_t from = chain[way] == WS_CHAIN_OFF ? (uint32_t)WS_CHAIN_MOST : chain[way];
    if (!from)
        return;
    for (uint32_t i = 0; i < ways; i += WS_CHAIN_WORD) {
        uint64_t four;
        memcpy(&four, chain + i, sizeof four);
        four += (~ws_chain_from(four, from) & WS_CHAIN_HIGH) >> 15;
        memcpy(chain + i, &four, sizeof four);
    }
    chain[way] = 0;
}

/* Removes a way from the chain; the positions behind it fall by one. */
static inline void ws_chain_leave(uint16_t *chain, uint32_t ways, uint32_t way)
{
    const uint32_t from = chain[way];
    if (from == WS_CHAIN_OFF)
        return;
    chain[way] = WS_CHAIN_OFF;
    for (uint32_t i = 0; i < ways; i += WS_CHAIN_WORD) {
        uint64_t four;
        memcpy(&four, chain + i, sizeof four);
        four -= (ws_chain_from(four, from + 1) & ~four & WS_CHAIN_HIGH) >> 15;
        memcpy(chain + i, &four, sizeof four);
    }
}

/* Moves a way to that position, or to the end if the chain is shorter; adds an empty way. */
static inline void ws_chain_put(uint16_t *chain, uint32_t ways, uint32_t way, uint32_t position)
{
    ws_chain_leave(chain, ways, way);
    const uint32_t length = ws_chain_length(chain, ways);
    const uint32_t to = position < length ? position : length;
    for (uint32_t other = 0; other < ways; other++)
        chain[other] += chain[other] != WS_CHAIN_OFF && chain[other] >= to;
    chain[way] = (uint16_t)to;
}

#endif
