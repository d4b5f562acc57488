/* changed_bits.c - a warp's values at once: see changed_bits.h. */
#include "collect/trace/changed_bits.h"

enum { SAMPLE_SHARE = 8, SAMPLE_MOST = 16, WORD_BITS = 32 };

int ws_value_sample(const ws_launch *launch, uint64_t block)
{
    const uint64_t blocks = launch->blocks, wanted = (blocks + SAMPLE_SHARE - 1) / SAMPLE_SHARE;
    const uint64_t n = wanted < SAMPLE_MOST ? wanted : SAMPLE_MOST;
    if (n <= 1)
        return block == blocks / 2;
    /* sample number i is block floor(i * (blocks - 1) / (n - 1)) */
    const uint64_t i = (block * (n - 1) + blocks - 2) / (blocks - 1);
    return i * (blocks - 1) / (n - 1) == block;
}

/* Set bits of half a warp's words, added up byte by byte: at most 8 * 16 in a byte. */
static uint64_t ones_of_half(const uint64_t *x)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < WS_WARP / 2; i++) {
        uint64_t v = x[i];
        v -= v >> 1 & 0x5555555555555555u;
        v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
        bytes += (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    }
    bytes = (bytes & 0x00ff00ff00ff00ffu) + (bytes >> 8 & 0x00ff00ff00ff00ffu);
    return bytes * 0x0001000100010001u >> 48;
}

/* The lowest bit of every array of 2k bits. */
static const uint64_t lowest[] = {0x5555555555555555u, 0x1111111111111111u, 0x0101010101010101u, 0x0001000100010001u,
                                  0x0000000100000001u};

/* Leaves one bit in every array of 2k bits, k = 1 << i, that has one in either of its arrays of k bits. */
static uint64_t pair_up(uint64_t x, unsigned i)
{
    return (x | x >> (1u << i)) & lowest[i];
}

static void pair_up_half(uint64_t *x, unsigned i)
{
    for (unsigned lane = 0; lane < WS_WARP / 2; lane++)
        x[lane] = pair_up(x[lane], i);
}

void ws_changed_bits_add(ws_changed_bits *sum, const ws_value *value)
{
    const unsigned bits = value->bytes * 8u, lanes = ws_popcount(value->exec);
    uint64_t x[WS_WARP];
    unsigned same = 0;
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        const uint64_t on = -(uint64_t)(value->exec >> lane & 1);
        x[lane] = (value->before[lane] ^ value->after[lane]) & on;
        same += !x[lane];
    }
    sum->writes += lanes;
    sum->same += same - (WS_WARP - lanes);
    sum->bits += (uint64_t)bits * lanes;
    const bool wide = bits > WORD_BITS;
    for (unsigned lane = 0; !wide && lane < WS_WARP / 2;
         lane++) /* two lanes in a word: no array reaches from one into the other */
        x[lane] |= x[lane + WS_WARP / 2] << WORD_BITS;
    for (unsigned i = 0; i < WS_CHANGED_WIDTHS; i++) {
        const unsigned k = 1u << i;
        if (i)
            pair_up_half(x, i - 1);
        if (i && wide)
            pair_up_half(x + WS_WARP / 2, i - 1);
        sum->written[i] += (ones_of_half(x) + (wide ? ones_of_half(x + WS_WARP / 2) : 0)) * (k < bits ? k : bits);
    }
}

void ws_changed_bits_word(uint64_t written[WS_CHANGED_WIDTHS], uint32_t change)
{
    uint64_t x = change;
    for (unsigned i = 0; i < WS_CHANGED_WIDTHS && x; i++) {
        if (i)
            x = pair_up(x, i - 1);
        written[i] += (uint64_t)ws_popcount((uint32_t)x) << i;
    }
}

void ws_changed_bits_merge(ws_changed_bits *into, const ws_changed_bits *from)
{
    for (unsigned i = 0; i < WS_CHANGED_WIDTHS; i++)
        into->written[i] += from->written[i];
    into->bits += from->bits;
    into->writes += from->writes;
    into->same += from->same;
}
