/* lru.c - a stack of blocks in order of last use, with a marker at every power of two.
 *
 * Hash slots point at nodes and nodes point back; a slot whose node names another slot, or whose node does not exist
 * any more, is empty. That makes clearing free, and blocks can leave: base/table.h has neither, so the table is its
 * own. It has two slots for each node there is room for, so both grow together. */
#include "metrics/lru.h"

#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };
static const uint32_t NONE = UINT32_MAX;

void ws_lru_init(ws_lru *lru, unsigned bits)
{
    *lru = (ws_lru){.limit = (size_t)1 << bits, .first = NONE, .last = NONE};
}

void ws_lru_fini(ws_lru *lru)
{
    free(lru->node);
    free(lru->slot);
    lru->node = NULL;
    lru->slot = NULL;
    lru->room = 0;
    ws_lru_clear(lru);
}

void ws_lru_clear(ws_lru *lru)
{
    lru->nodes = 0;
    lru->first = lru->last = NONE;
    lru->regions = 0;
}

static size_t home(const ws_lru *lru, uint64_t block)
{
    return block * 0x9E3779B97F4A7C15u >> (64 - lru->slot_bits);
}

static bool is_taken(const ws_lru *lru, size_t at)
{
    const uint32_t node = lru->slot[at];
    return node < lru->nodes && lru->node[node].slot == at;
}

/* The slot that holds the block, or the empty one where it belongs. */
static size_t find(const ws_lru *lru, uint64_t block, bool *found)
{
    size_t at = home(lru, block);
    const size_t mask = ((size_t)1 << lru->slot_bits) - 1;
    while (is_taken(lru, at)) {
        if (lru->node[lru->slot[at]].block == block) {
            *found = true;
            return at;
        }
        at = (at + 1) & mask;
    }
    *found = false;
    return at;
}

static void put(ws_lru *lru, size_t at, uint32_t node)
{
    lru->slot[at] = node;
    lru->node[node].slot = (uint32_t)at;
}

/* Takes a node out of the table; later ones of its chain move up (Knuth, 6.4, algorithm R). */
static void take_out(ws_lru *lru, uint32_t node)
{
    const size_t mask = ((size_t)1 << lru->slot_bits) - 1;
    size_t hole = lru->node[node].slot, at = hole;
    lru->node[node].slot = NONE;
    for (;;) {
        at = (at + 1) & mask;
        if (!is_taken(lru, at))
            return;
        const uint32_t moved = lru->slot[at];
        if (((at - home(lru, lru->node[moved].block)) & mask) >= ((at - hole) & mask)) {
            put(lru, hole, moved);
            hole = at;
        }
    }
}

/* Twice the room; the table has two slots a node. */
static int grow(ws_lru *lru)
{
    const size_t room = lru->room ? 2 * lru->room : lru->limit < FIRST_ROOM ? lru->limit : FIRST_ROOM;
    ws_lru_node *const node = realloc(lru->node, room * sizeof *node);
    if (!node)
        return ws_fail(WS_EMEM, "no memory to follow the reuse of %zu blocks", room);
    lru->node = node;
    uint32_t *const slot = malloc(2 * room * sizeof *slot);
    if (!slot)
        return ws_fail(WS_EMEM, "no memory to follow the reuse of %zu blocks", room);
    free(lru->slot);
    lru->slot = slot;
    lru->room = room;
    lru->slot_bits = (unsigned)__builtin_ctzll(2 * room);
    for (size_t i = 0; i < 2 * room; i++)
        slot[i] = NONE;
    for (size_t i = 0; i < lru->nodes; i++)
        lru->node[i].slot = NONE;
    for (size_t i = 0; i < lru->nodes; i++) {
        bool found;
        put(lru, find(lru, lru->node[i].block, &found), (uint32_t)i);
    }
    return WS_OK;
}

static void unlink_node(ws_lru *lru, ws_lru_node *n)
{
    if (n->before != NONE)
        lru->node[n->before].after = n->after;
    else
        lru->first = n->after;
    if (n->after != NONE)
        lru->node[n->after].before = n->before;
    else
        lru->last = n->before;
}

static void link_first(ws_lru *lru, uint32_t index)
{
    ws_lru_node *const n = &lru->node[index];
    n->before = NONE;
    n->after = lru->first;
    n->region = 0;
    if (lru->first != NONE)
        lru->node[lru->first].before = index;
    else
        lru->last = index;
    lru->first = index;
}

/* The last node of each of the first n regions slips into the next one; `index` is about to become the first node. */
static void slip(ws_lru *lru, unsigned n, uint32_t index)
{
    for (unsigned k = 0; k < n; k++) {
        ws_lru_node *const last = &lru->node[lru->marker[k]];
        last->region = k + 1;
        lru->marker[k] = k ? last->before : index;
    }
}

/* Moves a node that is in the stack to its front. */
static void to_front(ws_lru *lru, uint32_t index)
{
    ws_lru_node *const n = &lru->node[index];
    const unsigned region = n->region;
    if (region < lru->regions && lru->marker[region] == index)
        lru->marker[region] = n->before; /* in region 1 this is the old first node, which slips into it below */
    slip(lru, region, index);
    unlink_node(lru, n);
    link_first(lru, index);
}

static int add_node(ws_lru *lru, uint64_t block, size_t at)
{
    if (lru->nodes == lru->room) {
        const int status = grow(lru);
        if (status != WS_OK)
            return status;
        bool found;
        at = find(lru, block, &found);
    }
    const uint32_t index = (uint32_t)lru->nodes++;
    lru->node[index].block = block;
    put(lru, at, index);
    slip(lru, lru->regions, index);
    link_first(lru, index);
    if (!(lru->nodes & (lru->nodes - 1))) /* now 2^k nodes: the last one is at distance 2^k - 1 */
        lru->marker[lru->regions++] = lru->last;
    return WS_OK;
}

int ws_lru_use(ws_lru *lru, uint64_t block, unsigned *region, uint64_t *gone)
{
    bool found = false;
    *region = WS_LRU_MISS;
    if (lru->nodes && lru->node[lru->first].block == block) {
        *region = 0;
        return 0;
    }
    const size_t at = lru->room ? find(lru, block, &found) : 0;
    if (found) {
        const uint32_t index = lru->slot[at];
        *region = lru->node[index].region;
        to_front(lru, index);
        return 0;
    }
    if (lru->nodes < lru->limit)
        return add_node(lru, block, at);
    const uint32_t index = lru->last; /* full: the last node is used anew */
    *gone = lru->node[index].block;
    take_out(lru, index);
    lru->node[index].block = block;
    put(lru, find(lru, block, &found), index);
    to_front(lru, index);
    return 1;
}
