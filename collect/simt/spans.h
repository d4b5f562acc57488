/* spans.h - which stretches of an address range are taken: a search tree by address that knows the largest gap below
 * each node, so that taking, giving back and looking up cost the logarithm of what is live, however the gaps lie. */
#ifndef WS_SPANS_H
#define WS_SPANS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct span {
    uint64_t low, high; /* [low, high) */
    bool read_only;     /* to kernels and copies */
    bool host;          /* memory of the host that was registered; the rest is the device's own */
} span;

static inline uint64_t spans_round_up(uint64_t x, uint64_t unit)
{
    return (x + unit - 1) / unit * unit;
}

typedef struct span_node span_node;

/* The range [low, high) and what is taken of it; every span that it places begins at a multiple of `align` from 0, with
 * at least `gap` bytes to the next one and to the end. */
typedef struct spans {
    span_node *root;
    uint64_t low, high, align, gap;
} spans;

void spans_init(spans *s, uint64_t low, uint64_t high, uint64_t align, uint64_t gap); /* nothing taken */
void spans_fini(spans *s);

/* Takes the lowest place that has room for `bytes` > 0. False: there is none, or (*full is false) no memory for the
 * node. */
bool spans_take(spans *s, uint64_t bytes, uint64_t *at, bool *full);
/* The same without taking it: the first room for `bytes` > 0 that begins at or behind `from`; what fits there is *room.
 */
bool spans_room(const spans *s, uint64_t bytes, uint64_t from, uint64_t *place, uint64_t *room);
/* Takes this very stretch, which meets no other. False: no memory. */
bool spans_insert(spans *s, span what);
/* Gives back the span that begins at `low`; false when none does. */
bool spans_remove(spans *s, uint64_t low, span *out);

/* The span that holds an address; `out` may be NULL. */
bool spans_find(const spans *s, uint64_t address, span *out);
/* The last span that begins at or below an address, the first one that begins above it. */
bool spans_before(const spans *s, uint64_t address, span *out);
bool spans_after(const spans *s, uint64_t address, span *out);

#endif
