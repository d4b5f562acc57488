/* dram_part.h - what a memory part is (a file of data/tech), and which bits of an address select what in it. */
#ifndef WS_DRAM_PART_H
#define WS_DRAM_PART_H

#include <stddef.h>
#include <stdint.h>

/* --- A part: data/tech/dram_*.ini --- */

typedef struct ws_dram_part {
    double clock_mhz; /* of the command bus */
#define FIELD(section, name, kind, least, most, fallback, meaning) uint32_t name;
#include "model/machine/dram_part.def"
#undef FIELD
    uint32_t burst_cycles, burst_bytes; /* of one column command */
    char mapping[128];                  /* the map that the file proposes */
} ws_dram_part;

/* Reads a part. WS_EIO, or WS_EINPUT with "FILE:LINE:COLUMN: ...". */
int ws_dram_part_read(const char *path, ws_dram_part *part);
int ws_dram_part_parse(const char *file, const char *text, size_t length, ws_dram_part *part);

uint64_t ws_dram_part_bytes(const ws_dram_part *part); /* of a channel */
double ws_dram_part_peak(const ws_dram_part *part);    /* bytes per second: the data bus never idle */

/* --- Addresses --- */

typedef struct ws_dram_place {
    uint32_t rank, group, bank, row, column;
} ws_dram_place;

/* Which bit of an address is which bit of what. Made by ws_dram_map_parse; copy it freely. */
typedef struct ws_dram_map {
    uint32_t channels;
    int channel_at;     /* lowest bit of a channel number that is a remainder; -1: channel bits stand in the string */
    uint8_t letter[64]; /* of each address bit: an index into the letters of dram_map.c */
    uint8_t bit[64];    /* and its number in that field */
    int bits;           /* in the string */
    uint32_t group_mask,
        bank_mask; /* bits of the row that are combined with the bank group, and behind them with the bank; 0: none */
    uint8_t group_bits;
} ws_dram_map;

/* `text` names the bits of an address from the highest to the lowest: D channel, K rank, G bank group, B bank, R row,
 * C column (of bursts), S byte in a burst, 0 or X unused; dots and blanks part them; R*14 is fourteen R. "dramid@N;"
 * (or a blank for the semicolon) in front: the channel is the part of the address above bit N modulo the number of
 * channels, which then need not be a power of two, and the quotient takes its place. Highest bits that the string
 * lacks are unused; a string without G may have the bits of the group as the highest B. `where` opens messages.
 * WS_EINPUT when the bits do not fit the part or the number of channels. */
int ws_dram_map_parse(const char *text, const char *where, const ws_dram_part *part, uint32_t channels,
                      ws_dram_map *map);

/* Where an address is; returns its channel. */
uint32_t ws_dram_map_place(const ws_dram_map *map, uint64_t address, ws_dram_place *place);
/* The lowest address that is there: unused bits and bytes of the burst are zero. */
uint64_t ws_dram_map_address(const ws_dram_map *map, uint32_t channel, const ws_dram_place *place);

#endif
