/* coalesce.c - which aligned memory blocks does one warp access touch?
 *
 * Most accesses of real kernels lie on a line (unit stride, broadcast, column of a matrix): these are recognised by one
 * pass without branches and answered without looking at lanes. The rest goes through a list that compares with its
 * ends first and builds a small hash table only when a block falls between them. */
#include "metrics/coalesce.h"

#include <string.h>

enum { FULL = -1, SLOT_BITS = 9, SLOTS = 1 << SLOT_BITS, LINEAR = 6, BANKS = 32, WORD_SHIFT = 2 };

/* Distinct blocks in order of arrival. */
typedef struct set {
    uint64_t *block;
    unsigned n;
    bool hashed;
    uint64_t low, high;
    uint16_t slot[SLOTS]; /* index + 1; valid once hashed */
} set;

/* Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): 2^64 divided by the golden ratio. */
static unsigned slot_of(uint64_t block)
{
    return (unsigned)(block * 0x9E3779B97F4A7C15u >> (64 - SLOT_BITS));
}

static bool slot_put(set *s, uint64_t block, unsigned index)
{
    unsigned at = slot_of(block);
    for (; s->slot[at]; at = (at + 1) % SLOTS)
        if (s->block[s->slot[at] - 1u] == block)
            return false;
    s->slot[at] = (uint16_t)(index + 1);
    return true;
}

static bool is_between_and_new(set *s, uint64_t block)
{
    if (!s->hashed && s->n <= LINEAR) {
        for (unsigned i = 0; i < s->n; i++)
            if (s->block[i] == block)
                return false;
        return true;
    }
    if (!s->hashed) {
        memset(s->slot, 0, sizeof s->slot);
        for (unsigned i = 0; i < s->n; i++)
            slot_put(s, s->block[i], i);
        s->hashed = true;
        return slot_put(s, block, s->n);
    }
    return slot_put(s, block, s->n);
}

static void set_add(set *s, uint64_t block)
{
    if (s->n) {
        if (block == s->block[s->n - 1])
            return;
        if (block >= s->low && block <= s->high) {
            if (!is_between_and_new(s, block))
                return;
        } else if (s->hashed) {
            slot_put(s, block, s->n);
        }
    }
    if (!s->n || block < s->low)
        s->low = block;
    if (!s->n || block > s->high)
        s->high = block;
    s->block[s->n++] = block;
}

static bool full_stride(const uint64_t *address, int64_t *stride)
{
    const uint64_t step = address[1] - address[0];
    uint64_t off = 0;
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        off |= address[lane] - address[0] - lane * step;
    *stride = off ? 0 : (int64_t)step;
    return !off;
}

bool ws_coalesce_stride(const uint64_t *address, uint32_t exec, int64_t *stride)
{
    *stride = 0;
    if (exec == (uint32_t)FULL)
        return full_stride(address, stride);
    if (!(exec & (exec - 1)))
        return false;
    const unsigned first = ws_lowest(exec), second = ws_lowest(exec & (exec - 1));
    const int64_t rise = (int64_t)(address[second] - address[first]);
    const int64_t gap = (int64_t)second - first;
    if (rise % gap)
        return false;
    const int64_t step = rise / gap;
    WS_EACH_LANE (lane, exec)
        if (address[lane] - address[first] != (uint64_t)step * (lane - first))
            return false;
    *stride = step;
    return true;
}

/* Every block between the ends: lanes are no further apart than a block is long. */
static unsigned span(uint64_t from, uint64_t to, unsigned bytes, unsigned shift, uint64_t *block)
{
    unsigned n = 0;
    if (from <= to) {
        const uint64_t blocks = ((to + bytes - 1) >> shift) - (from >> shift) + 1;
        for (; n < blocks; n++)
            block[n] = (from >> shift) + n;
        return n;
    }
    /* Falling: a lane that straddles blocks touches its lower one first. */
    const uint64_t own = ((from + bytes - 1) >> shift) - (from >> shift) + 1;
    for (; n < own; n++)
        block[n] = (from >> shift) + n;
    for (uint64_t b = from >> shift; b > to >> shift; b--)
        block[n++] = b - 1;
    return n;
}

unsigned ws_coalesce_blocks(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift,
                            uint64_t block[WS_COALESCE_MAX])
{
    if (!exec)
        return 0;
    bytes += !bytes;
    int64_t stride;
    if (exec == (uint32_t)FULL && full_stride(address, &stride)) {
        const uint64_t step = (uint64_t)(stride < 0 ? -stride : stride);
        const uint64_t size = (uint64_t)1 << shift;
        const uint64_t from = address[0], to = address[WS_WARP - 1], top = UINT64_MAX - bytes;
        if (step <= size && (stride >= 0) == (to >= from) && from <= top && to <= top)
            return span(from, to, bytes, shift, block);
    }
    set s;
    s.block = block;
    s.n = 0;
    s.hashed = false;
    s.low = s.high = 0;
    uint64_t before = UINT64_MAX; /* block of the lane before, when it was one */
    WS_EACH_LANE (lane, exec) {
        const uint64_t first = address[lane] >> shift;
        uint64_t last = (address[lane] + bytes - 1) >> shift;
        if (first == before && last == before)
            continue;
        last = last < first ? first : last; /* at the top of the address space */
        for (uint64_t i = 0; i <= last - first; i++)
            set_add(&s, first + i);
        before = last;
    }
    return s.n;
}

unsigned ws_coalesce_widen(const uint64_t *block, unsigned n, unsigned by, uint64_t *wide)
{
    set s;
    s.block = wide;
    s.n = 0;
    s.hashed = false;
    s.low = s.high = 0;
    for (unsigned i = 0; i < n; i++)
        set_add(&s, block[i] >> by);
    return s.n;
}

/* Insertion sort; the input is often sorted but for a few lanes. */
static unsigned sorted_lanes(const uint64_t *address, uint32_t exec, uint64_t *out)
{
    unsigned n = 0;
    WS_EACH_LANE (lane, exec) {
        unsigned at = n++;
        for (; at && out[at - 1] > address[lane]; at--)
            out[at] = out[at - 1];
        out[at] = address[lane];
    }
    return n;
}

static unsigned bytes_of_any(const uint64_t *address, uint32_t exec, unsigned bytes)
{
    uint64_t at[WS_WARP] = {0};
    const unsigned n = sorted_lanes(address, exec, at);
    unsigned sum = bytes;
    for (unsigned i = 1; i < n; i++)
        sum += at[i] - at[i - 1] < bytes ? (unsigned)(at[i] - at[i - 1]) : bytes;
    return sum;
}

unsigned ws_coalesce_bytes(const uint64_t *address, uint32_t exec, unsigned bytes)
{
    if (!exec)
        return 0;
    bytes += !bytes;
    int64_t stride;
    if (exec == (uint32_t)FULL && full_stride(address, &stride)) {
        const uint64_t step = (uint64_t)(stride < 0 ? -stride : stride);
        return bytes + (WS_WARP - 1) * (step < bytes ? (unsigned)step : bytes);
    }
    uint64_t before = address[ws_lowest(exec)];
    unsigned sum = bytes;
    WS_EACH_LANE (lane, exec) { /* mostly the lanes rise */
        if (address[lane] < before)
            return bytes_of_any(address, exec, bytes);
        sum += address[lane] - before < bytes ? (unsigned)(address[lane] - before) : bytes;
        before = address[lane];
    }
    return sum;
}

/* The addresses of the words number `word` from the lanes' offsets on, lanes interleaved. */
static void spread_words(const uint64_t *offset, uint32_t exec, unsigned word, uint64_t address[WS_WARP])
{
    const uint64_t byte = ((uint64_t)1 << WORD_SHIFT) - 1;
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        const uint64_t at = ((offset[lane] >> WORD_SHIFT) + word) * WS_WARP + lane;
        address[lane] = exec >> lane & 1 ? at << WORD_SHIFT | (offset[lane] & byte) : 0;
    }
}

unsigned ws_coalesce_local_blocks(const uint64_t *offset, uint32_t exec, unsigned bytes, unsigned shift,
                                  uint64_t block[WS_COALESCE_MAX])
{
    const unsigned word_bytes = 1 << WORD_SHIFT, words = bytes ? (bytes + word_bytes - 1) >> WORD_SHIFT : 1;
    uint64_t list[WS_COALESCE_MAX], address[WS_WARP];
    unsigned n = 0;
    uint32_t more = 0; /* lanes whose misaligned access touches a further word */
    WS_EACH_LANE (lane, exec)
        more |= (uint32_t)((offset[lane] & (word_bytes - 1)) + bytes > words << WORD_SHIFT) << lane;
    for (unsigned word = 0; word < words + (more != 0) && n + WS_WARP <= WS_COALESCE_MAX; word++) {
        const uint32_t lanes = word < words ? exec : more;
        spread_words(offset, lanes, word, address);
        uint64_t part[WS_COALESCE_MAX];
        const unsigned m = ws_coalesce_blocks(address, lanes, 1, shift, part);
        memcpy(list + n, part, m * sizeof *list);
        n += m;
    }
    return ws_coalesce_widen(list, n, 0, block);
}

/* Most distinct words that one bank has to deliver to the lanes of `part`. */
static unsigned bank_passes(const uint64_t *offset, uint32_t part, unsigned words)
{
    uint64_t word[WS_WARP * 4];
    uint8_t next[WS_WARP * 4], head[BANKS] = {0}, depth[BANKS] = {0}; /* chains of index + 1 */
    unsigned n = 0, most = 0;
    WS_EACH_LANE (lane, part) {
        for (unsigned k = 0; k < words; k++) {
            const uint64_t w = (offset[lane] >> WORD_SHIFT) + k;
            const unsigned bank = w % BANKS;
            unsigned i = head[bank];
            while (i && word[i - 1] != w)
                i = next[i - 1];
            if (i)
                continue;
            word[n] = w;
            next[n] = head[bank];
            head[bank] = (uint8_t)++n;
            if (++depth[bank] > most)
                most = depth[bank];
        }
    }
    return most;
}

/* All words within 32 neighbouring ones: each bank holds one word at most. */
static bool within_a_row(const uint64_t *offset, uint32_t part, unsigned words)
{
    uint64_t low = UINT64_MAX, high = 0;
    WS_EACH_LANE (lane, part) {
        const uint64_t w = offset[lane] >> WORD_SHIFT;
        low = w < low ? w : low;
        high = w > high ? w : high;
    }
    return high + words - 1 - low < BANKS;
}

unsigned ws_coalesce_banks(const uint64_t *offset, uint32_t exec, unsigned bytes, unsigned *least)
{
    const unsigned words = bytes > 8 ? 4 : bytes > 4 ? 2 : 1;
    const unsigned lanes = WS_WARP / words;
    const uint32_t first = words == 1 ? (uint32_t)FULL : ((uint32_t)1 << lanes) - 1;
    unsigned passes = 0;
    *least = 0;
    for (unsigned at = 0; at < WS_WARP; at += lanes) {
        const uint32_t part = exec & first << at;
        if (!part)
            continue;
        ++*least;
        passes += within_a_row(offset, part, words) ? 1 : bank_passes(offset, part, words);
    }
    return passes;
}
