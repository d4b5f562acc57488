/* tally.h - counts per key in bounded memory: exact up to a cap of distinct keys, then an unbiased sample of them.
 *
 * Keys belong to groups: key >> group_shift. Beyond the cap, only groups whose hash starts with `level` zero bits are
 * kept (one in 2^level, chosen by the key alone); level rises until the keys fit. A key in the final sample was counted
 * from its first occurrence, so its count is exact. The sample depends only on the multiset of keys added, not on their
 * order nor on how they were split over tallies merged later. */
#ifndef WS_TALLY_H
#define WS_TALLY_H

#include "base/bits.h"
#include "base/mix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_tally_entry {
    uint64_t key, count; /* count 0: free slot */
    uint64_t mark[2];    /* for the owner's use; initially 0 */
} ws_tally_entry;

typedef struct ws_tally {
    ws_tally_entry *slot;
    size_t slots, used, cap; /* slots: a power of two */
    unsigned slot_bits, group_shift, level;
} ws_tally;

/* Initializes a tally. It allocates memory as keys arrive: two to eight entries of 32 bytes per key (two at the caps
 * used here). */
void ws_tally_init(ws_tally *tally, size_t cap, unsigned group_shift);
void ws_tally_fini(ws_tally *tally);

/* Returns whether the key belongs to the sample. */
static inline bool ws_tally_samples(const ws_tally *tally, uint64_t key)
{
    return !tally->level || !(ws_hash(key >> tally->group_shift) >> (64 - tally->level));
}

/* Adds n >= 1 to a key's count. *entry is its entry, valid until the next call, or NULL if it is not sampled. Returns
 * WS_OK or WS_EMEM. */
static inline int ws_tally_add(ws_tally *tally, uint64_t key, uint64_t n, ws_tally_entry **entry);

/* Adds all of `from`. join(into, from) combines the marks of a key's two entries; NULL: marks are not used. A key that
 * is new to `into` keeps its marks. */
typedef void ws_tally_join(ws_tally_entry *into, const ws_tally_entry *from);
int ws_tally_merge(ws_tally *into, const ws_tally *from, ws_tally_join *join);

/* Returns the entries by rising key, *n of them, in memory that the caller frees. Returns WS_OK or WS_EMEM. */
int ws_tally_sorted(const ws_tally *tally, ws_tally_entry **out, size_t *n);

/* Returns the entry of a key, or the free slot for it. Fibonacci hashing (Knuth, The Art of Computer Programming
 * 3, 6.4). */
static inline ws_tally_entry *ws_tally_find(const ws_tally *tally, uint64_t key)
{
    size_t at = key * 0x9E3779B97F4A7C15u >> (64 - tally->slot_bits);
    while (tally->slot[at].count && tally->slot[at].key != key)
        at = (at + 1) & (tally->slots - 1);
    return &tally->slot[at];
}

int ws_tally_add_new(ws_tally *tally, uint64_t key, uint64_t n, ws_tally_entry **entry);

static inline int ws_tally_add(ws_tally *tally, uint64_t key, uint64_t n, ws_tally_entry **entry)
{
    if (tally->slots && ws_tally_samples(tally, key)) { /* fast path for an existing key */
        ws_tally_entry *const e = ws_tally_find(tally, key);
        if (e->count) {
            e->count += n;
            *entry = e;
            return 0;
        }
    }
    return ws_tally_add_new(tally, key, n, entry);
}

#endif
