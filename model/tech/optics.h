/* optics.h - cost of on-chip optics: rings, laser, heating, bits.
 *
 * Parameters are those of data/tech/optics*.ini. A crossbar has a channel for each node: one that many write and the
 * node reads (MWSR), or one that the node writes and many read (SWMR). Counts, the loss budget and the laser are those
 * of Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies, 2013,
 * section 4. A channel with many readers needs light for all of them. */
#ifndef WS_OPTICS_H
#define WS_OPTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_optics {
#define FIELD(section, name, member, unit, least, most, meaning) double member;
#include "model/tech/optics.def"
#undef FIELD
} ws_optics;

typedef enum ws_optics_kind { WS_OPTICS_MWSR, WS_OPTICS_SWMR } ws_optics_kind;

typedef struct ws_optics_shape {
    ws_optics_kind kind;
    uint32_t nodes;       /* at least 2, each with a channel in each direction */
    uint32_t bits;        /* of a channel, one wavelength each */
    uint32_t wavelengths; /* of a waveguide */
    uint32_t directions;  /* 1 or 2: sets of waveguides */
    double clock_hz;      /* of channels */
} ws_optics_shape;

typedef struct ws_optics_crossbar {
    uint64_t guides;                 /* of all channels and directions */
    uint64_t modulators, detectors;  /* of a node and direction, only for data */
    uint64_t arbitration_rings;      /* of a direction; 0 without tokens */
    uint64_t rings;                  /* of all nodes and directions, including arbitration */
    double channel_bits, total_bits; /* bits per second: of a channel, of all in all directions */
    double loss_db;                  /* from the laser to the farthest detector */
    double light_w;                  /* leaves the laser for one wavelength */
    double laser_w, heating_w;       /* electric, of all directions */
    double bit_j;                    /* of a transmitted bit, without laser and heating */
    double token_j;                  /* of a token transfer; 0 without tokens */
    double guide_cycles;             /* of the channel's clock, from end to end */
} ws_optics_crossbar;

/* Wavelengths of links for one purpose: each has a modulator at each writer and a detector at each reader, and all
 * readers get light. */
typedef struct ws_optics_group {
    uint32_t wavelengths, writers, readers;
} ws_optics_group;

/* Fibre links from a chip to an adjacent component. */
typedef struct ws_optics_links {
    uint64_t modulators, detectors, rings;
    double loss_db, light_w, laser_w, heating_w,
        bit_j;        /* as of a crossbar; light_w: of the wavelength with the most readers */
    double flight_ps; /* one way */
} ws_optics_links;

/* WS_EINPUT with FILE:LINE:COLUMN for an unknown or missing entry, a value beyond its bounds or another unit; WS_EIO.
 */
int ws_optics_read(const char *path, ws_optics *out);
int ws_optics_parse(const char *file, const char *text, size_t length, ws_optics *out);

/* Returns the loss in decibels of a path of `length_m` past `rings` rings. */
double ws_optics_loss(const ws_optics *optics, double length_m, double rings);

/* WS_EINPUT: bits that do not fill waveguides, fewer than 2 nodes, or more light than a waveguide takes; the message
 * names the option. */
int ws_optics_crossbar_of(const ws_optics *optics, const ws_optics_shape *shape, ws_optics_crossbar *out);

/* Computes links with room for `room` wavelengths each; light passes that many rings at each end. WS_EINPUT: more light
 * than a waveguide takes. */
int ws_optics_links_of(const ws_optics *optics, const ws_optics_group *groups, size_t count, uint32_t room,
                       ws_optics_links *out);

#endif
