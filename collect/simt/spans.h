/* spans.h - allocated ranges of an address space, in a search tree by address. Each node knows the largest gap below
 * it, so allocation, release and lookup take logarithmic time in the live ranges, however fragmented they are. */
#ifndef WS_SPANS_H
#define WS_SPANS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct span {
    uint64_t low, high; /* [low, high) */
    bool read_only;     /* for kernels and copies */
    bool host;          /* registered host memory; otherwise the device's */
} span;

static inline uint64_t spans_round_up(uint64_t x, uint64_t unit)
{
    return (x + unit - 1) / unit * unit;
}

typedef struct span_node span_node;

/* The range [low, high) and its allocated spans. Every span placed by it begins at a multiple of `align` from 0, with
 * at least `gap` bytes to the next span and to the end. */
typedef struct spans {
    span_node *root;
    uint64_t low, high, align, gap;
} spans;

void spans_init(spans *s, uint64_t low, uint64_t high, uint64_t align, uint64_t gap); /* initially empty */
void spans_fini(spans *s);

/* Allocates the lowest free place for `bytes` > 0. Returns false if none is large enough, or, with *full false, if
 * memory for the node is short. */
bool spans_take(spans *s, uint64_t bytes, uint64_t *at, bool *full);
/* Finds the first free place for `bytes` > 0 at or after `from`, without allocating it; *room is its size. */
bool spans_room(const spans *s, uint64_t bytes, uint64_t from, uint64_t *place, uint64_t *room);
/* Allocates exactly this span, which must not overlap another one. Returns false when memory is short. */
bool spans_insert(spans *s, span what);
/* Releases the span that begins at `low`; returns false if none does. */
bool spans_remove(spans *s, uint64_t low, span *out);

/* Finds the span that contains an address; `out` may be NULL. */
bool spans_find(const spans *s, uint64_t address, span *out);
/* Find the last span that begins at or below an address, and the first that begins above it. */
bool spans_before(const spans *s, uint64_t address, span *out);
bool spans_after(const spans *s, uint64_t address, span *out);

#endif
