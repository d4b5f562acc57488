/* merge_window.c - could an access share a request that is still under way?
 *
 * A hash table finds a block, a list orders the blocks by recency. How joining can be exact: what an earlier stream
 * changes for a later one is only the answer for the first touch of a block, and of these only for the first
 * WS_WINDOW_BLOCKS, because behind so many other blocks nothing earlier is in the window any more. */
#include "metrics/merge_window.h"

static unsigned bucket_of(uint64_t block)
{
    return (unsigned)(block * UINT64_C(0x9E3779B97F4A7C15) >> 55); /* 2^64 / golden ratio; 9 bits for 512 buckets */
}
_Static_assert(WS_WINDOW_BUCKETS == 1 << 9, "bucket_of returns 9 bits");

static uint32_t capacity(const ws_window *w)
{
    return w->limit ? w->limit : WS_WINDOW_BLOCKS;
}

static uint16_t find(const ws_window *w, uint64_t block)
{
    uint16_t i = w->bucket[bucket_of(block)];
    while (i && w->entry[i].block != block)
        i = w->entry[i].next;
    return i;
}

static void unlink_from_bucket(ws_window *w, uint16_t gone)
{
    uint16_t *at = &w->bucket[bucket_of(w->entry[gone].block)];
    while (*at != gone)
        at = &w->entry[*at].next;
    *at = w->entry[gone].next;
}

static void unlink_from_list(ws_window *w, uint16_t i)
{
    const ws_window_entry *const e = &w->entry[i];
    if (e->newer)
        w->entry[e->newer].older = e->older;
    else
        w->newest = e->older;
    if (e->older)
        w->entry[e->older].newer = e->newer;
    else
        w->oldest = e->newer;
}

static void link_as_newest(ws_window *w, uint16_t i)
{
    w->entry[i].newer = 0;
    w->entry[i].older = w->newest;
    if (w->newest)
        w->entry[w->newest].newer = i;
    else
        w->oldest = i;
    w->newest = i;
}

/* An entry for a block that has none: a fresh one, or that of the block used longest ago. */
static uint16_t make_entry(ws_window *w, uint64_t block)
{
    uint16_t i;
    if (w->entries < capacity(w)) {
        i = (uint16_t)++w->entries;
    } else {
        i = w->oldest;
        unlink_from_bucket(w, i);
        unlink_from_list(w, i);
    }
    uint16_t *const bucket = &w->bucket[bucket_of(block)];
    w->entry[i].block = block;
    w->entry[i].next = *bucket;
    *bucket = i;
    return i;
}

/* Makes a block the newest one; returns whether it was in the window. */
static bool renew(ws_window *w, uint64_t block)
{
    if (w->newest && w->entry[w->newest].block == block)
        return true;
    const uint16_t known = find(w, block);
    if (known)
        unlink_from_list(w, known);
    link_as_newest(w, known ? known : make_entry(w, block));
    return known != 0;
}

bool ws_window_touch(ws_window *window, uint64_t block)
{
    if (renew(window, block)) {
        window->mergeable++;
        return true;
    }
    if (window->firsts < capacity(window)) /* no block has left the window yet, so a miss is a first touch */
        window->first[window->firsts++] = block;
    return false;
}

void ws_window_join(ws_window *into, const ws_window *from)
{
    into->mergeable += from->mergeable;
    for (uint32_t i = 0; i < from->firsts; i++) /* counted as misses in `from`; some are hits behind `into` */
        ws_window_touch(into, from->first[i]);
    for (uint16_t i = from->oldest; i; i = from->entry[i].newer)
        renew(into, from->entry[i].block);
}
