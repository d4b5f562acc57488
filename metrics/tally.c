/* tally.c - counts per key in bounded memory; an open hash table that halves its sample when it is full. Key, count and
 * marks lie in one slot, where base/table.h has keys and values apart: nearly every access of a program looks here, in
 * tables of megabytes. */
#include "metrics/tally.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 4, GROW_BITS = 2, LEVELS = 63 };

void ws_tally_init(ws_tally *tally, size_t cap, unsigned group_shift)
{
    *tally = (ws_tally){.cap = cap, .group_shift = group_shift};
}

void ws_tally_fini(ws_tally *tally)
{
    free(tally->slot);
    tally->slot = NULL;
    tally->slots = tally->used = 0;
}

/* A new table of 2^bits slots with the entries that are still sampled. */
static int rebuild(ws_tally *tally, unsigned bits)
{
    ws_tally fresh = *tally;
    fresh.slot_bits = bits;
    fresh.slots = (size_t)1 << bits;
    fresh.used = 0;
    fresh.slot = calloc(fresh.slots, sizeof *fresh.slot);
    if (!fresh.slot)
        return ws_fail(WS_EMEM, "no memory to count %zu addresses", fresh.slots / 2);
    for (size_t i = 0; i < tally->slots; i++) {
        const ws_tally_entry *const e = &tally->slot[i];
        if (e->count && ws_tally_samples(tally, e->key)) {
            *ws_tally_find(&fresh, e->key) = *e;
            fresh.used++;
        }
    }
    free(tally->slot);
    *tally = fresh;
    return WS_OK;
}

/* Room for one more key: a larger table while it is small. */
static int reserve(ws_tally *tally)
{
    if (!tally->slots)
        return rebuild(tally, FIRST_BITS);
    return tally->used * 2 > tally->slots ? rebuild(tally, tally->slot_bits + GROW_BITS) : WS_OK;
}

/* Halves the sample until it fits the cap. */
static int thin(ws_tally *tally)
{
    while (tally->used > tally->cap && tally->level < LEVELS) {
        tally->level++;
        const int status = rebuild(tally, tally->slot_bits);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

int ws_tally_add_new(ws_tally *tally, uint64_t key, uint64_t n, ws_tally_entry **entry)
{
    *entry = NULL;
    if (!ws_tally_samples(tally, key))
        return WS_OK;
    int status = reserve(tally);
    if (status != WS_OK)
        return status;
    ws_tally_entry *e = ws_tally_find(tally, key);
    if (!e->count) {
        *e = (ws_tally_entry){.key = key};
        if (++tally->used > tally->cap) {
            e->count = n;
            if ((status = thin(tally)) != WS_OK || !ws_tally_samples(tally, key))
                return status;
            e = ws_tally_find(tally, key);
            e->count = 0;
        }
    }
    e->count += n;
    *entry = e;
    return WS_OK;
}

static int match_level(ws_tally *tally, unsigned level)
{
    if (tally->level >= level)
        return WS_OK;
    tally->level = level;
    return tally->slots ? rebuild(tally, tally->slot_bits) : WS_OK;
}

int ws_tally_merge(ws_tally *into, const ws_tally *from, ws_tally_join *join)
{
    int status = match_level(into, from->level);
    for (size_t i = 0; i < from->slots && status == WS_OK; i++) {
        const ws_tally_entry *const e = &from->slot[i];
        if (!e->count)
            continue;
        const size_t before = into->used;
        const unsigned level = into->level;
        ws_tally_entry *to;
        status = ws_tally_add(into, e->key, e->count, &to);
        if (status != WS_OK || !to)
            continue;
        const bool is_new = into->used != before || into->level != level;
        if (is_new)
            memcpy(to->mark, e->mark, sizeof to->mark);
        else if (join)
            join(to, e);
    }
    return status;
}

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 64 };

/* From one array to the other, by one digit of their keys; entries with the same one stay in order. */
static void deal(const ws_tally_entry *from, ws_tally_entry *to, size_t n, unsigned shift)
{
    size_t place[DIGITS] = {0}, before = 0;
    for (size_t i = 0; i < n; i++)
        place[from[i].key >> shift & (DIGITS - 1)]++;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        const size_t here = place[digit];
        place[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < n; i++)
        to[place[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

/* By the digits in which keys differ, the lowest first (Knuth, The Art of Computer Programming 3, 5.2.5). Returns the
 * array that is sorted. */
static ws_tally_entry *sort_by_key(ws_tally_entry *entry, ws_tally_entry *other, size_t n)
{
    uint64_t differ = 0;
    for (size_t i = 1; i < n; i++)
        differ |= entry[i].key ^ entry[0].key;
    for (unsigned shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
        if (!(differ >> shift & (DIGITS - 1)))
            continue;
        deal(entry, other, n, shift);
        ws_tally_entry *const sorted = other;
        other = entry;
        entry = sorted;
    }
    return entry;
}

int ws_tally_sorted(const ws_tally *tally, ws_tally_entry **out, size_t *n)
{
    ws_tally_entry *const a = malloc((tally->used + 1) * sizeof *a), *const b = malloc((tally->used + 1) * sizeof *b);
    *n = 0;
    *out = NULL;
    if (!a || !b) {
        free(a);
        free(b);
        return ws_fail(WS_EMEM, "no memory to sort %zu addresses", tally->used);
    }
    for (size_t i = 0; i < tally->slots; i++)
        if (tally->slot[i].count)
            a[(*n)++] = tally->slot[i];
    *out = sort_by_key(a, b, *n);
    free(*out == a ? b : a);
    return WS_OK;
}
