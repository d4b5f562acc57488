/* written.c - see written.h. */
#include "collect/check/written.h"

#include "base/bounds.h"
#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

void ws_written_bits_set(uint8_t *bits, uint64_t from, uint64_t bytes, bool written)
{
    uint64_t at = from;
    const uint64_t end = from + bytes;
    for (; at < end && at % 8; at++)
        bits[at / 8] = (uint8_t)(written ? bits[at / 8] | 1u << at % 8 : bits[at / 8] & ~(1u << at % 8));
    if (end - at >= 8) {
        memset(bits + at / 8, written ? 0xff : 0, (end - at) / 8);
        at += (end - at) / 8 * 8;
    }
    for (; at < end; at++)
        bits[at / 8] = (uint8_t)(written ? bits[at / 8] | 1u << at % 8 : bits[at / 8] & ~(1u << at % 8));
}

uint64_t ws_written_bits_first(const uint8_t *bits, uint64_t from, uint64_t bytes)
{
    for (uint64_t at = from; at < from + bytes;) {
        if (at % 8 == 0 && from + bytes - at >= 8 && bits[at / 8] == 0xff) {
            at += 8;
            continue;
        }
        if (!(bits[at / 8] >> at % 8 & 1))
            return at;
        at++;
    }
    return from + bytes;
}

bool ws_written_bits_any(const uint8_t *bits, uint64_t from, uint64_t bytes)
{
    for (uint64_t at = from; at < from + bytes; at++)
        if (bits[at / 8] >> at % 8 & 1)
            return true;
    return false;
}

/* A stretch that is watched. */
typedef struct stretch {
    uint64_t low, high; /* [low, high) */
    uint8_t *bits;
} stretch;

struct ws_written {
    stretch *stretch; /* by rising address; they do not meet */
    size_t stretches, capacity;
    size_t last; /* that was found last */
};

ws_written *ws_written_create(void)
{
    return calloc(1, sizeof(ws_written));
}

void ws_written_destroy(ws_written *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->stretches; i++)
        free(w->stretch[i].bits);
    free(w->stretch);
    free(w);
}

/* The first stretch that ends behind the address. */
static size_t first_behind(ws_written *w, uint64_t address)
{
    if (w->last < w->stretches && w->stretch[w->last].low <= address && address < w->stretch[w->last].high)
        return w->last;
    size_t low = 0, high = w->stretches;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (w->stretch[middle].high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    w->last = low;
    return low;
}

/* What of a stretch lies in [low, high). */
static uint64_t cut(const stretch *s, uint64_t low, uint64_t high, uint64_t *from)
{
    const uint64_t begin = s->low > low ? s->low : low, end = s->high < high ? s->high : high;
    *from = begin - s->low;
    return end - begin;
}

void ws_written_forget(ws_written *w, uint64_t address, uint64_t bytes)
{
    const size_t first = first_behind(w, address);
    size_t end = first;
    while (end < w->stretches && (w->stretch[end].low <= address || w->stretch[end].low - address < bytes))
        free(w->stretch[end++].bits);
    if (end == first)
        return;
    memmove(w->stretch + first, w->stretch + end, (w->stretches - end) * sizeof *w->stretch);
    w->stretches -= end - first;
}

void ws_written_fresh(ws_written *w, uint64_t address, uint64_t bytes)
{
    const size_t at = first_behind(w, address);
    if (at < w->stretches &&
        ws_range_between(address, bytes, w->stretch[at].low, w->stretch[at].high)) { /* a part of one */
        ws_written_bits_set(w->stretch[at].bits, address - w->stretch[at].low, bytes, false);
        return;
    }
    ws_written_forget(w, address, bytes);
    uint8_t *const bits = calloc(ws_written_bytes(bytes), 1);
    if (!bits || WS_GROW(w->stretch, w->capacity, w->stretches, 1)) {
        free(bits);
        return;
    }
    const size_t place = first_behind(w, address);
    memmove(w->stretch + place + 1, w->stretch + place, (w->stretches - place) * sizeof *w->stretch);
    w->stretch[place].low = address;
    w->stretch[place].high = address + bytes;
    w->stretch[place].bits = bits;
    w->stretches++;
}

static void set(ws_written *w, uint64_t address, uint64_t bytes, bool written)
{
    uint64_t from;
    for (size_t i = first_behind(w, address); i < w->stretches && w->stretch[i].low < address + bytes; i++) {
        const uint64_t n = cut(&w->stretch[i], address, address + bytes, &from);
        ws_written_bits_set(w->stretch[i].bits, from, n, written);
    }
}

void ws_written_store(ws_written *w, uint64_t address, uint64_t bytes)
{
    set(w, address, bytes, true);
}

uint64_t ws_written_first(ws_written *w, uint64_t address, uint64_t bytes)
{
    uint64_t from;
    for (size_t i = first_behind(w, address); i < w->stretches && w->stretch[i].low < address + bytes; i++) {
        const uint64_t n = cut(&w->stretch[i], address, address + bytes, &from);
        const uint64_t first = ws_written_bits_first(w->stretch[i].bits, from, n);
        if (first < from + n)
            return w->stretch[i].low + first;
    }
    return address + bytes;
}

bool ws_written_near(ws_written *w, uint64_t address, uint64_t low, uint64_t high)
{
    const size_t i = first_behind(w, address);
    uint64_t from;
    if (i == w->stretches || address < w->stretch[i].low)
        return true;
    const uint64_t n = cut(&w->stretch[i], low, high, &from);
    return ws_written_bits_any(w->stretch[i].bits, from, n);
}

/* Stretch by stretch of what is written and what is not; a source that is also the target is looked at before it
 * changes. */
void ws_written_copy(ws_written *w, uint64_t to, uint64_t from, uint64_t bytes)
{
    uint64_t done = 0;
    if (ws_written_first(w, from, bytes) == from + bytes) {
        set(w, to, bytes, true);
        return;
    }
    uint8_t *const is = malloc(ws_written_bytes(bytes));
    if (!is) {
        set(w, to, bytes, true);
        return;
    }
    ws_written_bits_set(is, 0, bytes, true);
    while (done < bytes) {
        const uint64_t first = ws_written_first(w, from + done, bytes - done);
        if (first == from + bytes)
            break;
        done = first - from;
        ws_written_bits_set(is, done++, 1, false);
    }
    for (uint64_t i = 0; i < bytes;) {
        const bool written = is[i / 8] >> i % 8 & 1;
        uint64_t n = 1;
        while (i + n < bytes && (is[(i + n) / 8] >> (i + n) % 8 & 1) == written)
            n++;
        set(w, to + i, n, written);
        i += n;
    }
    free(is);
}
