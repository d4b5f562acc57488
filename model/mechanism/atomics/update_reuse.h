/* update_reuse.h - what would buffers of updates of all sizes keep, and what L1s in which updates lie beside data, or
 * which own lines of atomics?
 *
 * Of each SM's stream (update_stream.h), in one pass, by stack distances; updates of a line are reset at ordering
 * points and at the end of the launch. A buffer of n lines, fully associative and LRU, hits the updates whose distance
 * is below n and whose line has the same operation; those below n with another are mismatches. So all sizes are exact
 * for the order of the stream. (P. Dalmia's thesis of 2023 has the buffers; these forms are ours.) */
#ifndef WS_UPDATE_REUSE_H
#define WS_UPDATE_REUSE_H

#include "base/lru.h"
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

/* Updates that come to a buffer; zeroed is empty. */
typedef struct ws_buffer_reuse {
    ws_distances hits;       /* updates, by distance in the buffer, of the same operation */
    ws_distances mismatches; /* ... of another */
    ws_distances ends; /* ordering points, by the number of lines there minus one: what a buffer of n lines sends there
                          is min(lines, n) */
} ws_buffer_reuse;

/* An update comes; `same`: the last one of its line was of the same operation. An ordering point: the stack is empty
 * then. WS_EMEM. */
int ws_buffer_reuse_use(ws_buffer_reuse *reuse, ws_lru *stack, uint64_t line, bool same);
int ws_buffer_reuse_end(ws_buffer_reuse *reuse, ws_lru *stack);
void ws_buffer_reuse_fini(ws_buffer_reuse *reuse);

/* What a buffer of so many lines does with so many updates; INFINITY: one that keeps all. */
typedef struct ws_update_buffer {
    double hits, misses, evictions, mismatches, flushed;
} ws_update_buffer;
ws_update_buffer ws_buffer_reuse_of(const ws_buffer_reuse *reuse, double requests, double lines);

typedef struct ws_update_reuse {
    double kinds[WS_UPDATE_KINDS];  /* line requests of each */
    double bytes[WS_UPDATE_KINDS];  /* of the words that they have, 4 each */
    double lanes, lane_bytes;       /* of updates: lanes, and what they bring */
    double rounds[WS_UPDATE_KINDS]; /* of atomics: requests when lanes that want one word go one after the other */
    double sectors;                 /* of 32 bytes that requests of updates touch */
    ws_buffer_reuse buffer;
    ws_distances phi; /* updates by the largest distance, among data and atomics, of their line since the last update of
                         it of the same operation */
    ws_distances loads, load_bytes; /* by distance among loads alone; bytes of 32-byte sectors that they want */
    ws_distances loads_beside, load_bytes_beside; /* among loads and atomics */
    ws_distances owned; /* atomics of a line whose last atomic was of the same SM, by the largest distance of it since
                           then; beyond: first ones, and: */
    double migrations;  /* atomics of a line whose last atomic was of another SM */
    double hottest, hottest_of_sm; /* lanes of updates on the most wanted word, of a launch, of an SM in a launch;
                                      summed over launches */
    double sms;                    /* SMs with updates, summed over launches */
} ws_update_reuse;

/* Adds a launch. WS_EMEM. */
int ws_update_reuse_add(ws_update_reuse *reuse, const ws_update_log *log, const ws_update_step *steps, uint32_t sms);
void ws_update_reuse_fini(ws_update_reuse *reuse);

ws_update_buffer ws_update_buffer_of(const ws_update_reuse *reuse, double lines); /* as ws_buffer_reuse_of */

#endif
