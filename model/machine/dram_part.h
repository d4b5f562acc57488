/* dram_part.h - memory part (a file of data/tech) and its address map. */
#ifndef WS_DRAM_PART_H
#define WS_DRAM_PART_H

#include <stddef.h>
#include <stdint.h>

/* --- Part: data/tech/dram_*.ini --- */

typedef struct ws_dram_part {
    double clock_mhz; /* of the command bus */
#define FIELD(section, name, kind, least, most, fallback, meaning) uint32_t name;
#include "model/machine/dram_part.def"
#undef FIELD
    uint32_t burst_cycles, burst_bytes; /* of one column command */
    char mapping[128];                  /* map proposed by the file */
} ws_dram_part;

/* Reads a part. WS_EIO, or WS_EINPUT with "FILE:LINE:COLUMN: ...". */
int ws_dram_part_read(const char *path, ws_dram_part *part);
int ws_dram_part_parse(const char *file, const char *text, size_t length, ws_dram_part *part);

uint64_t ws_dram_part_bytes(const ws_dram_part *part); /* of a channel */
double ws_dram_part_peak(const ws_dram_part *part);    /* bytes per second with a data bus that is never idle */

/* --- Addresses --- */

typedef struct ws_dram_place {
    uint32_t rank, group, bank, row, column;
} ws_dram_place;

/* Map from address bits to fields, made by ws_dram_map_parse; copy it freely. */
typedef struct ws_dram_map {
    uint32_t channels;
    int channel_at;     /* lowest bit of a channel number that is a remainder; -1: the string has channel bits */
    uint8_t letter[64]; /* of each address bit: an index into the letters of dram_map.c */
    uint8_t bit[64];    /* its bit number in that field */
    int bits;           /* in the string */
    uint32_t group_mask, bank_mask; /* row bits combined with the bank group, and with the bank; 0: none */
    uint8_t group_bits;
} ws_dram_map;

/* Parses a map. `text` names the bits of an address from the highest to the lowest: D channel, K rank, G bank group, B
 * bank, R row, C column (of bursts), S byte in a burst, 0 or X unused. Dots and blanks separate them; R*14 is fourteen
 * R. A prefix "dramid@N;" (or a blank for the semicolon) takes the channel from the address above bit N, modulo the
 * number of channels, which then need not be a power of two; the quotient replaces that part of the address. Highest
 * bits missing from the string are unused. A string without G may have the bits of the group as the highest B. `where`
 * prefixes messages. WS_EINPUT if the bits do not fit the part or the number of channels. */
int ws_dram_map_parse(const char *text, const char *where, const ws_dram_part *part, uint32_t channels,
                      ws_dram_map *map);

/* Decodes an address; returns its channel. */
uint32_t ws_dram_map_place(const ws_dram_map *map, uint64_t address, ws_dram_place *place);
/* Returns the lowest address of a place: unused bits and bytes of the burst are zero. */
uint64_t ws_dram_map_address(const ws_dram_map *map, uint32_t channel, const ws_dram_place *place);

#endif
