/* cta_set.c - see cta_set.h. CTAs are mostly taken from the first range, in front: that moves one number. */
#include "model/placement/cta_set.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the blocks of a launch that are left");
}

/* All moves to the front of an array with room for one more. */
static int make_room(ws_cta_set *set)
{
    if (set->first + set->count < set->room)
        return WS_OK;
    if (set->first > set->room / 2) {
        memmove(set->range, set->range + set->first, set->count * sizeof *set->range);
        set->first = 0;
        return WS_OK;
    }
    return WS_GROW(set->range, set->room, set->first + set->count, 1) ? no_memory() : WS_OK;
}

int ws_cta_set_fill(ws_cta_set *set, uint64_t ctas)
{
    set->first = set->count = 0;
    set->left = ctas;
    const int status = make_room(set);
    if (!status && ctas)
        set->range[set->count++] = (ws_cta_range){0, ctas};
    return status;
}

void ws_cta_set_fini(ws_cta_set *set)
{
    free(set->range);
    *set = (ws_cta_set){0};
}

/* The first range that ends behind the CTA; the one behind the last when there is none. */
static size_t find(const ws_cta_set *set, uint64_t cta)
{
    size_t low = set->first, high = set->first + set->count;
    if (low < high && cta < set->range[low].to)
        return low;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (set->range[middle].to > cta)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint64_t ws_cta_set_next(const ws_cta_set *set, uint64_t from)
{
    const size_t i = find(set, from);
    if (i == set->first + set->count)
        return WS_NO_CTA;
    return set->range[i].from > from ? set->range[i].from : from;
}

bool ws_cta_set_has(const ws_cta_set *set, uint64_t cta)
{
    return ws_cta_set_next(set, cta) == cta;
}

static void drop(ws_cta_set *set, size_t i)
{
    if (i == set->first)
        set->first++;
    else
        memmove(set->range + i, set->range + i + 1, (set->first + set->count - i - 1) * sizeof *set->range);
    set->count--;
}

/* One range becomes two around the CTA. */
static int split(ws_cta_set *set, uint64_t cta)
{
    const int status = make_room(set);
    if (status)
        return status;
    const size_t i = find(set, cta);
    memmove(set->range + i + 1, set->range + i, (set->first + set->count - i) * sizeof *set->range);
    set->range[i].to = cta;
    set->range[i + 1].from = cta + 1;
    set->count++;
    return WS_OK;
}

int ws_cta_set_take(ws_cta_set *set, uint64_t cta)
{
    const size_t i = find(set, cta);
    ws_cta_range *const r = &set->range[i];
    const bool first = r->from == cta, last = r->to == cta + 1;
    int status = WS_OK;
    if (first && last)
        drop(set, i);
    else if (first)
        r->from++;
    else if (last)
        r->to--;
    else
        status = split(set, cta);
    set->left -= !status;
    return status;
}

/* Distances, so that small numbers stay small. */
void ws_cta_set_save(const ws_cta_set *set, ws_bytes *bytes)
{
    uint64_t at = 0;
    ws_bytes_add_varint(bytes, set->count);
    for (size_t i = set->first; i < set->first + set->count; i++) {
        ws_bytes_add_varint(bytes, set->range[i].from - at);
        ws_bytes_add_varint(bytes, set->range[i].to - set->range[i].from);
        at = set->range[i].to;
    }
}

int ws_cta_set_load(ws_cta_set *set, uint64_t ctas, ws_reader *reader)
{
    uint64_t at = 0;
    set->first = set->count = 0;
    set->left = 0;
    for (uint64_t n = ws_read_varint(reader); n && !reader->failed; n--) {
        const uint64_t gap = ws_read_varint(reader), length = ws_read_varint(reader);
        if (reader->failed || gap > ctas - at || !length || length > ctas - at - gap)
            return ws_fail(WS_EINPUT, "the checkpoint is damaged: remaining blocks are outside the grid");
        const int status = make_room(set);
        if (status)
            return status;
        set->range[set->first + set->count++] = (ws_cta_range){at + gap, at + gap + length};
        set->left += length;
        at += gap + length;
    }
    return reader->failed ? ws_fail(WS_EINPUT, "the checkpoint is too short") : WS_OK;
}
