/* dram_rows.h - how many accesses in a row go to the same DRAM row?
 *
 * The map from address to channel, bank and row is frozen, in the manner of GDDR3 boards: 8 channels that take turns
 * every 256 bytes, 4 banks a channel, rows of 2 KiB. It is part of the definition of study dimensions 82-91 and no claim
 * about any machine. Trackers over consecutive pieces of a stream join exactly. */
#ifndef WS_DRAM_ROWS_H
#define WS_DRAM_ROWS_H

#include <stdint.h>

enum {
    WS_DRAM_CHANNELS = 8,
    WS_DRAM_BANKS = 4,
    WS_DRAM_INTERLEAVE_BYTES = 256,
    WS_DRAM_ROW_BYTES = 2048,
    WS_DRAM_PLACES = WS_DRAM_CHANNELS * WS_DRAM_BANKS
};

typedef struct ws_dram_place {
    uint64_t first, last; /* rows, where runs > 0 */
    uint64_t runs;        /* maximal stretches of accesses to one row */
} ws_dram_place;

/* All zero is a tracker that has seen nothing. */
typedef struct ws_dram_rows {
    uint64_t accesses;
    ws_dram_place place[WS_DRAM_PLACES];
} ws_dram_rows;

/* Where an address lives on a board with that many channels: *place in 0..channels*WS_DRAM_BANKS-1; returns the row there. */
static inline uint64_t ws_dram_map_to(uint64_t address, unsigned channels, unsigned *place)
{
    const uint64_t turn = address / WS_DRAM_INTERLEAVE_BYTES;
    const uint64_t in_channel = turn / channels * WS_DRAM_INTERLEAVE_BYTES + address % WS_DRAM_INTERLEAVE_BYTES;
    const uint64_t page = in_channel / WS_DRAM_ROW_BYTES;
    *place = (unsigned)(page % WS_DRAM_BANKS * channels + turn % channels);
    return page / WS_DRAM_BANKS;
}

/* The frozen map: *place in 0..WS_DRAM_PLACES-1. */
static inline uint64_t ws_dram_map(uint64_t address, unsigned *place)
{
    return ws_dram_map_to(address, WS_DRAM_CHANNELS, place);
}

static inline void ws_dram_place_touch(ws_dram_place *place, uint64_t row)
{
    if (place->runs == 0)
        place->first = row;
    if (place->runs == 0 || place->last != row) {
        place->last = row;
        place->runs++;
    }
}

static inline void ws_dram_touch(ws_dram_rows *rows, uint64_t address)
{
    unsigned number;
    const uint64_t row = ws_dram_map(address, &number);
    rows->accesses++;
    ws_dram_place_touch(&rows->place[number], row);
}

static inline void ws_dram_place_join(ws_dram_place *into, const ws_dram_place *from)
{
    if (from->runs == 0)
        return;
    if (into->runs == 0) {
        *into = *from;
    } else {
        into->runs += from->runs - (into->last == from->first);
        into->last = from->last;
    }
}

/* `into` becomes the tracker of its own stream followed by the stream of `from`. */
static inline void ws_dram_join(ws_dram_rows *into, const ws_dram_rows *from)
{
    into->accesses += from->accesses;
    for (unsigned i = 0; i < WS_DRAM_PLACES; i++)
        ws_dram_place_join(&into->place[i], &from->place[i]);
}

static inline uint64_t ws_dram_runs(const ws_dram_rows *rows)
{
    uint64_t runs = 0;
    for (unsigned i = 0; i < WS_DRAM_PLACES; i++)
        runs += rows->place[i].runs;
    return runs;
}

#endif
