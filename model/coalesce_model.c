/* coalesce_model.c - which blocks does a warp instruction touch, and how long are the banks of shared memory busy? */
#include "model/coalesce_model.h"

#include <stdbool.h>

#include "base/bits.h"

#include <string.h>

/* The touch of a block, a new one where there is none. */
static unsigned find(ws_touch *out, unsigned *count, uint64_t block)
{
    unsigned i = 0;
    while (i < *count && out[i].block != block)
        i++;
    if (i == *count) {
        out[i] = (ws_touch){.block = block};
        ++*count;
    }
    return i;
}

/* Bytes from..from + n as bits of a block of at most 128 bytes. */
static void mark(uint64_t used[2], unsigned from, unsigned n)
{
    for (unsigned i = from; i < from + n; i++)
        used[i / 64] |= UINT64_C(1) << i % 64;
}

unsigned ws_coalesce(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned line, ws_touch *out)
{
    uint64_t used[WS_TOUCHES][2];
    unsigned count = 0;
    WS_EACH_LANE (lane, exec) {
        uint64_t at = address[lane];
        for (unsigned left = bytes; left;) {
            const unsigned offset = (unsigned)(at & (line - 1));
            const unsigned n = left < line - offset ? left : line - offset;
            const unsigned before = count, i = find(out, &count, at / line);
            if (count > before)
                used[i][0] = used[i][1] = 0;
            out[i].lanes |= 1u << lane;
            mark(used[i], offset, n);
            at += n;
            left -= n;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        out[i].bytes = ws_popcount64(used[i][0]) + ws_popcount64(used[i][1]);
        for (unsigned word = 0; word < line / 4; word++)
            out[i].words |= (uint32_t)((used[i][word / 16] >> word % 16 * 4 & 15) != 0) << word;
    }
    return count;
}

/* Do all lanes of a full warp read one word, or 32 words in a row? */
static bool is_simple(const uint64_t address[32])
{
    const uint64_t first = address[0], stride = address[1] - address[0];
    uint64_t off = first % 4 | (stride & ~(uint64_t)4);
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        off |= address[lane] ^ (first + lane * stride);
    return off == 0;
}

enum { WIDEST = 16 }; /* bytes of a lane that go at once */

/* Words that the lanes touch with their bytes at `from`..: the largest number of different ones in a bank. Each bank
 * has a list of its words. */
static unsigned bank_cycles(const uint64_t address[32], uint32_t exec, unsigned from, unsigned bytes, unsigned banks)
{
    enum { MOST_BANKS = 64, WORDS = (WIDEST / 4 + 1) * WS_WARP };
    uint64_t word[WORDS];
    uint8_t next[WORDS], head[MOST_BANKS] = {0}, length[MOST_BANKS] = {0}; /* 1 + index of a word; 0: none */
    unsigned count = 0, most = 1;
    WS_EACH_LANE (lane, exec) {
        const uint64_t first = (address[lane] + from) / 4, last = (address[lane] + from + bytes - 1) / 4;
        for (uint64_t w = first; w <= last; w++) {
            const unsigned bank = (uint32_t)w % banks;
            unsigned i = head[bank];
            while (i && word[i - 1] != w)
                i = next[i - 1];
            if (i)
                continue;
            word[count] = w;
            next[count++] = head[bank];
            head[bank] = (uint8_t)count;
            most = ++length[bank] > most ? length[bank] : most;
        }
    }
    return most;
}

unsigned ws_bank_cycles(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned banks)
{
    unsigned cycles = 0;
    if (exec == UINT32_MAX && bytes <= 4 && banks >= WS_WARP && is_simple(address))
        return 1;
    for (unsigned from = 0; from < bytes; from += WIDEST)
        cycles += bank_cycles(address, exec, from, bytes - from < WIDEST ? bytes - from : WIDEST, banks);
    return cycles ? cycles : 1;
}

unsigned ws_count_addresses(const uint64_t address[32], uint32_t exec)
{
    uint64_t seen[WS_WARP];
    unsigned n = 0;
    WS_EACH_LANE (lane, exec) {
        unsigned i = 0;
        while (i < n && seen[i] != address[lane])
            i++;
        if (i == n)
            seen[n++] = address[lane];
    }
    return n;
}

unsigned ws_coalesce_local(const uint64_t offset[32], uint32_t exec, unsigned bytes, unsigned line, uint64_t threads,
                           uint64_t warp, ws_touch *out)
{
    enum { LOCAL_WORD = 4 };
    unsigned n = 0;
    for (unsigned part = 0; part < bytes; part += LOCAL_WORD) {
        uint64_t address[WS_WARP] = {0};
        WS_EACH_LANE (lane, exec) {
            const uint64_t at = offset[lane] + part;
            address[lane] =
                WS_LOCAL_BASE + (at / LOCAL_WORD * threads + warp * WS_WARP + lane) * LOCAL_WORD + at % LOCAL_WORD;
        }
        n += ws_coalesce(address, exec, bytes - part < LOCAL_WORD ? bytes - part : LOCAL_WORD, line, out + n);
    }
    return n;
}
