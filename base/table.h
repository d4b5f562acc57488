/* table.h - hash table from 64-bit keys to values of one size, or a set of keys.
 *
 *     ws_table ids = WS_TABLE(uint32_t);
 *     uint32_t *const id = ws_table_find(&ids, address);                 NULL: key not found
 *     uint32_t *const id = ws_table_put(&ids, address);                  a new value is zeroed; NULL: no memory
 *
 * Open addressing; Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4). At most half of the slots are
 * used. */
#ifndef WS_TABLE_H
#define WS_TABLE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed table is an empty set. Free with ws_table_fini. */
typedef struct ws_table {
    uint64_t *key;                   /* [slots] key plus 1; 0: free */
    char *value;                     /* [slots] of value_bytes */
    size_t value_bytes, used, slots; /* slots: a power of two, or 0 */
    unsigned bits;
} ws_table;

#define WS_TABLE(type) ((ws_table){.value_bytes = sizeof(type)})

void ws_table_fini(ws_table *table);  /* leaves an empty table that may be reused */
void ws_table_clear(ws_table *table); /* removes all keys and keeps the memory */

/* Returns the slot of a key, or the free slot for it. The table must have slots. */
static inline size_t ws_table_slot(const ws_table *table, uint64_t key)
{
    size_t at = key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - table->bits);
    while (table->key[at] && table->key[at] != key + 1)
        at = (at + 1) & (table->slots - 1);
    return at;
}

static inline void *ws_table_value(const ws_table *table, size_t slot)
{
    return table->value + slot * table->value_bytes;
}

static inline bool ws_table_has(const ws_table *table, uint64_t key)
{
    return table->slots && table->key[ws_table_slot(table, key)];
}

/* Returns the value of a key, valid until the next key is added, or NULL if the key is not found. */
static inline void *ws_table_find(const ws_table *table, uint64_t key)
{
    if (!table->slots)
        return NULL;
    const size_t slot = ws_table_slot(table, key);
    return table->key[slot] ? ws_table_value(table, slot) : NULL;
}

/* Finds a key, or adds it with a zeroed value. UINT64_MAX is not a valid key. Returns WS_OK, or WS_EMEM with the table
 * unchanged. */
int ws_table_add_slow(ws_table *table, uint64_t key, size_t *slot);
static inline int ws_table_add(ws_table *table, uint64_t key, size_t *slot)
{
    if (table->slots) { /* fast path for an existing key */
        *slot = ws_table_slot(table, key);
        if (table->key[*slot])
            return WS_OK;
    }
    return ws_table_add_slow(table, key, slot);
}

/* Returns the value of a key, which is added if missing; NULL when memory is short, with a message recorded. */
static inline void *ws_table_put(ws_table *table, uint64_t key)
{
    size_t slot;
    return ws_table_add(table, key, &slot) ? NULL : ws_table_value(table, slot);
}

/* Iterates over all keys in unspecified order: for (size_t i = 0; ws_table_next(table, &i, &key); i++). `i` is the
 * slot. */
static inline bool ws_table_next(const ws_table *table, size_t *slot, uint64_t *key)
{
    while (*slot < table->slots && !table->key[*slot])
        ++*slot;
    if (*slot >= table->slots)
        return false;
    *key = table->key[*slot] - 1;
    return true;
}

/* Iterates over all keys to add them to another table; `step` counts slots, visited in strides. In the order of slots,
 * which is that of hashes, keys would fill the first slots of a smaller table. Each search would then pass through all
 * of them. */
static inline bool ws_table_next_apart(const ws_table *table, size_t *step, uint64_t *key)
{
    const size_t stride = 2654435761u; /* odd, so it reaches every slot of a power of two */
    for (; *step < table->slots; ++*step)
        if ((*key = table->key[*step * stride & (table->slots - 1)])) {
            --*key;
            return true;
        }
    return false;
}

#endif
