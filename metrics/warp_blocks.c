/* warp_blocks.c - which blocks of memory does one access of a warp touch?
 *
 * Lanes mostly walk upwards, and then a new block is simply one above the last. Only when a lane goes back is there
 * something to look up: then what was found so far goes into a small hash table, and the rest of the
 * warp through it. */
#include "metrics/warp_blocks.h"

#include "base/status.h"

static const uint64_t local_region = UINT64_C(1) << 62; /* above every device address */

enum { WORD_BYTES = 4, WARP_WORD_BYTES = WS_WARP * WORD_BYTES, HALF = WS_WARP / 2, HALF_MASK = 0xffff };

_Static_assert(WS_WARP_BLOCKS_MOST >= WS_WARP * ((WS_LANE_BYTES_MOST + WORD_BYTES - 2) / WORD_BYTES + 1),
               "every word of every lane has room");
_Static_assert(WS_WARP_BLOCKS_MOST >= WS_WARP * WS_EVENT_ADDRESSES * 2, "every texel of every lane has room");
_Static_assert(WS_WARP_BLOCKS_SLOTS >= 2 * WS_WARP_BLOCKS_MOST, "the hash table is never more than half full");

typedef struct filter {
    ws_warp_blocks *out;
    uint64_t highest; /* of the blocks found; while rising it is also the last one */
    uint32_t slots;   /* minus 1; 0 while blocks come in rising order */
    uint32_t most;    /* blocks this access may touch */
} filter;

static bool hash_insert(filter *f, uint64_t block, uint16_t index)
{
    ws_warp_blocks *const b = f->out;
    uint32_t i = (uint32_t)block & f->slots;
    for (; b->slot_stamp[i] == b->stamp; i = (i + 1) & f->slots)
        if (b->block[b->slot[i]] == block)
            return false;
    b->slot_stamp[i] = b->stamp;
    b->slot[i] = index;
    return true;
}

static void start_hash(filter *f)
{
    ws_warp_blocks *const b = f->out;
    f->slots = 2 * WS_WARP - 1;
    while (f->slots < 2 * f->most - 1)
        f->slots = 2 * f->slots + 1;
    if (++b->stamp == 0) { /* after 2^32 uses an old stamp could look new */
        for (unsigned i = 0; i < WS_WARP_BLOCKS_SLOTS; i++)
            b->slot_stamp[i] = 0;
        b->stamp = 1;
    }
    for (unsigned i = 0; i < b->n; i++)
        hash_insert(f, b->block[i], (uint16_t)i);
}

static void add_out_of_order(filter *f, uint64_t block)
{
    ws_warp_blocks *const b = f->out;
    if (!f->slots)
        start_hash(f);
    if (hash_insert(f, block, (uint16_t)b->n))
        b->block[b->n++] = block;
}

static inline void add(filter *f, uint64_t block)
{
    ws_warp_blocks *const b = f->out;
    if (b->n && !f->slots && block == f->highest)
        return;
    if (!f->slots && (b->n == 0 || block > f->highest)) {
        f->highest = block;
        b->block[b->n++] = block;
        return;
    }
    add_out_of_order(f, block);
}

/* Whether lane i accesses address[0] + i * stride. Written without a branch inside, for the vectoriser. */
static bool is_affine(const uint64_t *address, uint64_t stride)
{
    const uint64_t first = address[0];
    uint64_t differ = 0, expect = 0;
    for (unsigned lane = 0; lane < HALF; lane++, expect += stride)
        differ |= (address[lane] - first) ^ expect;
    return differ == 0;
}

static void add_span(filter *f, uint64_t first, uint64_t last)
{
    for (uint64_t block = first / WS_BLOCK_BYTES; block <= last / WS_BLOCK_BYTES; block++)
        add(f, block);
}

/* Half a warp at a time, because most halves access one word behind the other or all the same, without leaving out a
 * block; whole warps often do not, where thread blocks are 16 wide. */
static void add_linear(filter *f, const ws_event *ev, const uint64_t *address, uint32_t bytes)
{
    for (unsigned from = 0; from < WS_WARP; from += HALF) {
        const uint32_t mask = ev->exec >> from & HALF_MASK;
        const uint64_t *const at = address + from, stride = at[1] - at[0];
        if (mask == HALF_MASK && stride <= WS_BLOCK_BYTES && is_affine(at, stride)) {
            add_span(f, at[0], at[HALF - 1] + bytes - 1);
            continue;
        }
        WS_EACH_LANE (lane, mask)
            add_span(f, at[lane], at[lane] + bytes - 1);
    }
}

static void add_local(filter *f, const ws_launch *launch, uint64_t cta, const ws_event *ev, const uint64_t *address,
                      uint32_t bytes)
{
    const uint64_t words = (launch->local_bytes + WORD_BYTES - 1) / WORD_BYTES;
    const uint64_t warp = cta * launch->warps_per_block + ev->warp;
    const uint64_t base = local_region + warp * words * WARP_WORD_BYTES;
    WS_EACH_LANE (lane, ev->exec) {
        const uint64_t last = (address[lane] + bytes - 1) / WORD_BYTES;
        for (uint64_t word = address[lane] / WORD_BYTES; word <= last; word++)
            add(f, (base + word * WARP_WORD_BYTES + lane * WORD_BYTES) / WS_BLOCK_BYTES);
    }
}

int ws_warp_blocks_check(const ws_launch *launch)
{
    for (size_t i = 0; i < launch->instrs; i++)
        if (launch->instr[i].cls == WS_CLASS_MEMORY && launch->instr[i].bytes > WS_LANE_BYTES_MOST)
            return ws_fail(WS_EUNSUPPORTED, "kernel %s, line %u: %s accesses %u bytes a lane, more than the %d known",
                           launch->kernel, launch->instr[i].line, launch->instr[i].opcode, launch->instr[i].bytes,
                           WS_LANE_BYTES_MOST);
    return WS_OK;
}

unsigned ws_warp_blocks_find(ws_warp_blocks *blocks, const ws_launch *launch, const ws_batch *batch, const ws_event *ev)
{
    const uint32_t written = ws_event_bytes(launch, ev);
    const uint32_t bytes = written ? written : 1;
    const uint64_t *const address = WS_ADDRESSES(batch, ev);
    const bool local = ev->space == WS_SPACE_LOCAL;
    const uint32_t unit = local ? WORD_BYTES : WS_BLOCK_BYTES;
    filter f = {.out = blocks, .most = ws_popcount(ev->exec) * (1u + ev->further) * ((bytes + unit - 2) / unit + 1)};
    blocks->n = 0;
    if (local)
        add_local(&f, launch, batch->block, ev, address, bytes);
    for (unsigned group = 0; !local && group <= ev->further; group++)
        add_linear(&f, ev, address + group * WS_WARP, bytes);
    return blocks->n;
}
