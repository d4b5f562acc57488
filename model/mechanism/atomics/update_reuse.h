/* update_reuse.h - what would buffers of updates of all sizes keep, and what L1s in which updates lie beside data, or
 * which own lines of atomics?
 *
 * Of each SM's stream (update_stream.h), in one pass, by stack distances; updates of a line are reset at ordering
 * points and at the end of the launch. A buffer of n lines, fully associative and LRU, hits the updates whose distance
 * is below n and whose line has the same operation; those below n with another are mismatches. So all sizes are exact
 * for the order of the stream. (P. Dalmia's thesis of 2023 has the buffers; these forms are ours.) */
#ifndef WS_UPDATE_REUSE_H
#define WS_UPDATE_REUSE_H

#include "model/mechanism/atomics/update_stream.h"

/* Sums by distance; zeroed is empty. */
typedef struct ws_distances {
    double *at;
    size_t count, room;
    double beyond; /* of uses that no cache hits */
} ws_distances;
double ws_distances_below(
    const ws_distances *distances,
    double size); /* sum of those that a cache of so many lines hits; size INFINITY: all that are not beyond */
double ws_distances_all(const ws_distances *distances);
int ws_distances_add(ws_distances *distances, uint64_t distance, double by); /* distance: as of ws_lru_use. WS_EMEM */

typedef struct ws_update_reuse {
    double kinds[WS_UPDATE_KINDS];  /* line requests of each */
    double bytes[WS_UPDATE_KINDS];  /* of the words that they have, 4 each */
    double lanes, lane_bytes;       /* of updates: lanes, and what they bring */
    double rounds[WS_UPDATE_KINDS]; /* of atomics: requests when lanes that want one word go one after the other */
    double sectors;                 /* of 32 bytes that requests of updates touch */
    ws_distances hits;              /* updates, by distance in the buffer, of the same operation */
    ws_distances mismatches;        /* ... of another */
    ws_distances ends; /* ordering points of an SM, by the number of its lines minus one: what a buffer of n lines sends
                          there is min(lines, n) */
    ws_distances phi; /* updates by the largest distance, among data and atomics, of their line since the last update of
                         it of the same operation */
    ws_distances loads, load_bytes; /* by distance among loads alone; bytes of 32-byte sectors that they want */
    ws_distances loads_beside, load_bytes_beside; /* among loads and atomics */
    ws_distances owned; /* atomics of a line whose last atomic was of the same SM, by the largest distance of it since
                           then; beyond: first ones, and: */
    double migrations;  /* atomics of a line whose last atomic was of another SM */
    double hottest, hottest_of_sm;  /* lanes of updates on the most wanted word, of a launch, of an SM in a launch;
                                       summed over launches */
    double lines_of_sm, lines_most; /* lines of updates, summed over SMs with some and launches; most of an SM */
    double sms;                     /* SMs with some, summed over launches */
} ws_update_reuse;

/* Adds a launch. WS_EMEM. */
int ws_update_reuse_add(ws_update_reuse *reuse, const ws_update_log *log, const ws_update_step *steps, uint32_t sms);
void ws_update_reuse_fini(ws_update_reuse *reuse);

/* What a buffer of so many lines does; INFINITY: one that keeps all. */
typedef struct ws_update_buffer {
    double hits, misses, evictions, mismatches, flushed;
} ws_update_buffer;
ws_update_buffer ws_update_buffer_from(double requests, const ws_distances *hits, const ws_distances *mismatches,
                                       const ws_distances *ends, double lines);
ws_update_buffer ws_update_buffer_of(const ws_update_reuse *reuse, double lines);

#endif
