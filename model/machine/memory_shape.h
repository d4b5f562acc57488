/* memory_shape.h - what a channel of memory is made of, as values. */
#ifndef WS_MEMORY_SHAPE_H
#define WS_MEMORY_SHAPE_H

#include <stdint.h>

/* Wavelengths of a channel with one purpose. */
typedef struct ws_memory_light {
    uint32_t wavelengths; /* each with a modulator for each of its writers, and a detector for each of its readers */
    uint32_t writers, readers;
} ws_memory_light;

/* What a channel is made of: for what it costs, and for closed forms. */
typedef struct ws_memory_shape {
    uint32_t parts;                          /* memory parts behind it */
    double peak_bytes;                       /* a second: all that carries data never idle */
    double read_cycles;                      /* of a read that has the channel to itself and finds another row open */
    ws_memory_light reads, writes, commands; /* 0 wavelengths: no light */
    uint32_t link_wavelengths, links;        /* of a link, and links, those that carry light to parts not counted */
    uint32_t command_bits;                   /* that go over the link for a command */
    double flight_ps;                        /* of the light of a link */
} ws_memory_shape;

#endif
