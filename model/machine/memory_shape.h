/* memory_shape.h - components of a memory channel, as values. */
#ifndef WS_MEMORY_SHAPE_H
#define WS_MEMORY_SHAPE_H

#include <stdint.h>

/* Wavelengths of a channel for one purpose. */
typedef struct ws_memory_light {
    uint32_t wavelengths; /* each with one modulator per writer and one detector per reader */
    uint32_t writers, readers;
} ws_memory_light;

/* Components of a channel, for cost models and closed forms. */
typedef struct ws_memory_shape {
    uint32_t parts;                          /* memory parts behind it */
    double peak_bytes;                       /* bytes per second with data lines that are never idle */
    double read_cycles;                      /* of an uncontended read that must open another row */
    ws_memory_light reads, writes, commands; /* 0 wavelengths: no light */
    uint32_t link_wavelengths, links;        /* of a link; links, without those that carry light to parts */
    uint32_t command_bits;                   /* bits of a command on the link */
    double flight_ps;                        /* light travel time of a link */
} ws_memory_shape;

#endif
