/* update_reuse.h - one-pass model of update buffers of all sizes, of L1s that keep updates with data, and of L1s that
 * own lines of atomics.
 *
 * Each SM's stream (update_stream.h) is processed in one pass by stack distances; ordering points and the end of the
 * launch reset the updates. A buffer of n lines, fully associative and LRU, hits the updates with a distance below n
 * whose line has the same operation; those with another operation are mismatches. Results for all sizes are therefore
 * exact for the order of the stream. (P. Dalmia's thesis of 2023 has the buffers; these forms are of this project.) */
#ifndef WS_UPDATE_REUSE_H
#define WS_UPDATE_REUSE_H

#include "base/lru.h"
#include "model/mechanism/atomics/update_stream.h"

/* Sums by distance; a zeroed one is empty. */
typedef struct ws_distances {
    double *at;
    size_t count, room;
    double beyond; /* of uses that miss in every cache */
} ws_distances;
double ws_distances_below(const ws_distances *distances,
                          double size); /* sum of hits with `size` lines; INFINITY: all not beyond */
double ws_distances_all(const ws_distances *distances);
int ws_distances_add(ws_distances *distances, uint64_t distance, double by); /* distance: as of ws_lru_use. WS_EMEM */

/* Updates that reach a buffer; a zeroed one is empty. */
typedef struct ws_buffer_reuse {
    ws_distances hits;       /* updates of the same operation, by distance in the buffer */
    ws_distances mismatches; /* updates of another operation, by the same distance */
    ws_distances ends; /* ordering points, by the number of lines minus one: a buffer of n lines sends min(lines, n) */
} ws_buffer_reuse;

/* Add an update (`same`: the previous one of its line had the same operation); add an ordering point, which empties the
 * stack. WS_EMEM. */
int ws_buffer_reuse_use(ws_buffer_reuse *reuse, ws_lru *stack, uint64_t line, bool same);
int ws_buffer_reuse_end(ws_buffer_reuse *reuse, ws_lru *stack);
void ws_buffer_reuse_fini(ws_buffer_reuse *reuse);

/* Counts of a buffer with `lines` lines for `requests` updates; INFINITY: unlimited. */
typedef struct ws_update_buffer {
    double hits, misses, evictions, mismatches, flushed;
} ws_update_buffer;
ws_update_buffer ws_buffer_reuse_of(const ws_buffer_reuse *reuse, double requests, double lines);

typedef struct ws_update_reuse {
    double kinds[WS_UPDATE_KINDS];  /* line requests of each kind */
    double bytes[WS_UPDATE_KINDS];  /* bytes of their words, 4 each */
    double lanes, lane_bytes;       /* of updates: lanes, and the bytes they carry */
    double rounds[WS_UPDATE_KINDS]; /* of atomics: requests if lanes on the same word are served one after the other */
    double sectors;                 /* 32-byte sectors that requests of updates touch */
    ws_buffer_reuse buffer;
    ws_distances phi; /* updates, by the largest distance, among data and atomics, of their line since its last update
                         of the same operation */
    ws_distances loads, load_bytes; /* by distance among loads only; bytes of the 32-byte sectors requested */
    ws_distances loads_beside, load_bytes_beside; /* by distance among loads and atomics */
    ws_distances owned; /* atomics of a line whose last atomic was of the same SM, by the largest distance since then;
                           beyond: first ones and migrations */
    double migrations;  /* atomics of a line whose last atomic was of another SM */
    double hottest, hottest_of_sm; /* lanes of updates on the most requested word, per launch, and per SM and launch;
                                      sums over launches */
    double sms;                    /* SMs with updates, sum over launches */
} ws_update_reuse;

/* Adds a launch. WS_EMEM. */
int ws_update_reuse_add(ws_update_reuse *reuse, const ws_update_log *log, const ws_update_step *steps, uint32_t sms);
void ws_update_reuse_fini(ws_update_reuse *reuse);

ws_update_buffer ws_update_buffer_of(const ws_update_reuse *reuse, double lines); /* as ws_buffer_reuse_of */

#endif
