/* sampler.h - online choice of the launches to measure.
 *
 * A stratum is the launches of one process with equal kernel, block, dynamic shared memory and octave of the number of
 * blocks. Its first launches are all measured. Later launches form slices, and one launch of each slice, drawn by lot,
 * is measured. Slices grow until the error that all slices together leave reaches the tolerance. That error is computed
 * from the spread of the columns of the measured launches around their regression on instructions and blocks. If a
 * launch differs from all measured ones in instructions, the next one is measured. estimate.h computes the estimates
 * and their bounds. The same seed draws the same lots. */
#ifndef WS_SAMPLER_H
#define WS_SAMPLER_H

#include "metrics/collector.h"

#include <stdbool.h>

typedef struct ws_sampler ws_sampler;

/* Creates a sampler. tolerance: 0.05 for 5 %. The collector is the one that measures; it is borrowed. */
int ws_sampler_create(double tolerance, uint64_t seed, const ws_collector *collector, ws_sampler **out);
void ws_sampler_destroy(ws_sampler *sampler); /* accepts NULL */

/* Launch parameters, known before the launch. */
typedef struct ws_sampler_launch {
    const char *kernel; /* mangled */
    uint32_t block[3], dynamic_shared;
    uint64_t blocks;
} ws_sampler_launch;

/* Sets the slice of the next launch, and whether to measure it. A second call before ws_sampler_ran discards the launch
 * of the first. */
typedef struct ws_sampler_choice {
    bool measure;
    int64_t stratum, slice;
} ws_sampler_choice;
int ws_sampler_choose(ws_sampler *sampler, const ws_sampler_launch *launch, ws_sampler_choice *choice);

/* Records a successful launch. Its counters are in the collector if it was to be measured. */
int ws_sampler_ran(ws_sampler *sampler, uint64_t warp_instructions, uint64_t thread_instructions);

#endif
