/* dram_rows.h - map from addresses to DRAM rows.
 *
 * The map from address to channel, bank and row is frozen, modelled on GDDR3 boards: 8 channels interleaved every 256
 * bytes, 4 banks per channel, rows of 2 KiB. It is part of the definition of study dimensions 82-91 and describes no
 * particular machine. */
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

/* Maps an address on a board with `channels` channels: sets *place to 0..channels*WS_DRAM_BANKS-1 and returns the row
 * there. */
static inline uint64_t ws_dram_map_to(uint64_t address, unsigned channels, unsigned *place)
{
    const uint64_t turn = address / WS_DRAM_INTERLEAVE_BYTES;
    const uint64_t in_channel = turn / channels * WS_DRAM_INTERLEAVE_BYTES + address % WS_DRAM_INTERLEAVE_BYTES;
    const uint64_t page = in_channel / WS_DRAM_ROW_BYTES;
    *place = (unsigned)(page % WS_DRAM_BANKS * channels + turn % channels);
    return page / WS_DRAM_BANKS;
}

/* Maps an address by the frozen map; *place is 0..WS_DRAM_PLACES-1. */
static inline uint64_t ws_dram_map(uint64_t address, unsigned *place)
{
    return ws_dram_map_to(address, WS_DRAM_CHANNELS, place);
}

#endif
