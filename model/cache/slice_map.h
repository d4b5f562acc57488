/* slice_map.h - map from a memory line to its L2 slice and its number within the slice.
 *
 * Stripes of lines are interleaved over the slices of a chip. On a machine with several chips, memory is divided into
 * pages, and each page has a home chip: page modulo chips, unless the first access decides it. A slice numbers its
 * lines without the gaps of other slices, so all of its sets are used. Rounds may be scattered: each begins at another
 * slice, so strides of a power of two do not collide in one. */
#ifndef WS_SLICE_MAP_H
#define WS_SLICE_MAP_H

#include "base/divisor.h"

enum { WS_SLICE_MAP_BITS = 6 };

/* Lengths are in lines. */
typedef struct ws_slice_map {
    uint32_t chips, slices; /* slices of a chip */
    bool touched;           /* the first access to a page decides its chip; local numbers of pages then have no gaps */
    bool dense;             /* pages of a chip are numbered without those of other chips */
    ws_divisor page, pages; /* pages: one page of each chip */
    ws_divisor stripe, stripes, ring;
    uint32_t scatter_bits;               /* 0: rounds are not scattered */
    uint64_t scatter[WS_SLICE_MAP_BITS]; /* bit i of a round's first slice is the parity of these bits of the round's
                                            number */
} ws_slice_map;

/* Scatters the rounds of the map by `ipoly` of cache_indices.def, as GPGPU-Sim 4 hashes its partitions. A slice is
 * combined with the hash by exclusive or for a power of two of slices, otherwise by addition. Returns false unless
 * there are 9 to 64 slices. */
bool ws_slice_map_scatter(ws_slice_map *map);

static inline ws_slice_map ws_slice_map_make(uint32_t chips, uint32_t slices, uint32_t stripe, uint32_t page,
                                             bool touched)
{
    return (ws_slice_map){.chips = chips,
                          .slices = slices,
                          .touched = touched,
                          .dense = chips > 1 && !touched,
                          .page = ws_divisor_of(page),
                          .pages = ws_divisor_of((uint64_t)page * chips),
                          .stripe = ws_divisor_of(stripe),
                          .stripes = ws_divisor_of((uint64_t)stripe * slices),
                          .ring = ws_divisor_of(slices)};
}

/* Returns the home chip of the line, unless `touched`. */
static inline uint32_t ws_slice_map_chip(const ws_slice_map *map, uint64_t line)
{
    return map->dense ? (uint32_t)(ws_quotient(&map->page, line) % map->chips) : 0;
}

/* Returns the line's number among those of its chip. */
static inline uint64_t ws_slice_map_within(const ws_slice_map *map, uint64_t line)
{
    return map->dense ? ws_quotient(&map->pages, line) * map->page.by + ws_remainder(&map->page, line) : line;
}

static inline uint32_t ws_slice_map_first(const ws_slice_map *map, uint64_t round)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < map->scatter_bits; i++)
        first |= (uint32_t)__builtin_parityll(round & map->scatter[i]) << i;
    return first;
}

static inline bool ws_slice_map_is_even(const ws_slice_map *map)
{
    return !(map->slices & (map->slices - 1));
}

/* Returns the slice within that chip. */
static inline uint32_t ws_slice_map_slice(const ws_slice_map *map, uint64_t line)
{
    const uint64_t turn = ws_quotient(&map->stripe, ws_slice_map_within(map, line));
    const uint32_t slice = (uint32_t)ws_remainder(&map->ring, turn);
    if (!map->scatter_bits)
        return slice;
    const uint32_t first = ws_slice_map_first(map, ws_quotient(&map->ring, turn));
    return ws_slice_map_is_even(map) ? slice ^ first : (slice + first) % map->slices;
}

/* Returns the position of a slice in that round. */
static inline uint32_t ws_slice_map_place(const ws_slice_map *map, uint32_t slice, uint64_t round)
{
    if (!map->scatter_bits)
        return slice;
    const uint32_t first = ws_slice_map_first(map, round);
    return ws_slice_map_is_even(map) ? slice ^ first : (slice + map->slices - first % map->slices) % map->slices;
}

/* Returns the line's number among those of its slice. */
static inline uint64_t ws_slice_map_local(const ws_slice_map *map, uint64_t line)
{
    const uint64_t within = ws_slice_map_within(map, line);
    return ws_quotient(&map->stripes, within) * map->stripe.by + ws_remainder(&map->stripe, within);
}

/* Returns the line with number `local` in slice `slice` of the machine; slices are numbered chip by chip. */
static inline uint64_t ws_slice_map_line(const ws_slice_map *map, uint32_t slice, uint64_t local)
{
    const uint64_t chip = slice / map->slices;
    const uint64_t round = ws_quotient(&map->stripe, local);
    const uint64_t within =
        (round * map->slices + ws_slice_map_place(map, slice % map->slices, round)) * map->stripe.by +
        ws_remainder(&map->stripe, local);
    return map->dense
               ? (ws_quotient(&map->page, within) * map->chips + chip) * map->page.by + ws_remainder(&map->page, within)
               : within;
}

/* Returns whether slice `slice` of the machine may hold the line. */
static inline bool ws_slice_map_has(const ws_slice_map *map, uint32_t slice, uint64_t line)
{
    return ws_slice_map_slice(map, line) == slice % map->slices &&
           (map->touched || ws_slice_map_chip(map, line) == slice / map->slices);
}

#endif
