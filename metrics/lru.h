/* lru.h - how far back was a block used last, in powers of two? One stack of blocks in order of last use.
 *
 * The reuse distance of an access is the number of different blocks used since the last use of its own. Only its
 * power of two is kept: nodes carry the region of the stack they lie in, and a marker stands at the last node of every
 * region (Y. H. Kim, M. D. Hill, D. A. Wood, "Implementing Stack Simulation for Highly-Associative Memories", 1991), so
 * that an access costs a look-up and one step per region passed, not a walk.
 *
 * The stack holds 2^bits blocks at most: distances below that are exact, blocks pushed out are forgotten. */
#ifndef WS_LRU_H
#define WS_LRU_H

#include <stddef.h>
#include <stdint.h>

enum { WS_LRU_REGIONS = 24 };

typedef struct ws_lru_node {
    uint64_t block;
    uint32_t before, after; /* towards the most and the least recently used */
    uint32_t slot;          /* where its index stands in the hash table */
    uint32_t region;        /* 0: last used; k: distance 2^(k-1) .. 2^k - 1 */
} ws_lru_node;

typedef struct ws_lru {
    ws_lru_node *node;
    uint32_t *slot; /* index of a node; meant only when that node names this slot */
    size_t nodes, room, limit;
    unsigned slot_bits;
    uint32_t first, last;
    unsigned regions;                /* markers in use */
    uint32_t marker[WS_LRU_REGIONS]; /* node at distance 2^k - 1 */
} ws_lru;

/* A stack of up to 2^bits blocks, bits < WS_LRU_REGIONS. Memory is taken as blocks arrive: 32 bytes each, about three
 * times that while it grows. */
void ws_lru_init(ws_lru *lru, unsigned bits);
void ws_lru_fini(ws_lru *lru);

/* Forgets all blocks, at no cost. */
void ws_lru_clear(ws_lru *lru);

enum { WS_LRU_MISS = WS_LRU_REGIONS };

/* Uses a block. *region: 0 for distance 0, k for 2^(k-1) .. 2^k - 1, WS_LRU_MISS when it is not in the stack. When the
 * stack was full, the block that left it is put into *gone and 1 is returned; else 0. WS_EMEM. */
int ws_lru_use(ws_lru *lru, uint64_t block, unsigned *region, uint64_t *gone);

#endif
