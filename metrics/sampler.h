/* sampler.h - is the next launch to be measured, or is enough known of its kind?
 *
 * Launches of one process whose kernel, block, dynamic shared memory and number of blocks (in octaves) agree are a
 * stratum. Its first launches are all measured. From then on launches come in slices, of each of which one, drawn by
 * lot, is measured; slices grow as far as the tolerance allows: until the error that all slices together leave, by
 * the spread of the columns of the launches measured so far around their regression on instructions and blocks, is
 * what was asked for. A launch that differs from all measured ones in instructions has the next one measured. What
 * is estimated from that, and how sure it is, is estimate.h's. The same seed draws the same lots. */
#ifndef WS_SAMPLER_H
#define WS_SAMPLER_H

#include "metrics/collector.h"

#include <stdbool.h>

typedef struct ws_sampler ws_sampler;

/* tolerance: 0.05 for 5 %. The collector is the one that measures; borrowed. */
int ws_sampler_create(double tolerance, uint64_t seed, const ws_collector *collector, ws_sampler **out);
void ws_sampler_destroy(ws_sampler *sampler); /* accepts NULL */

/* What is known before a launch. */
typedef struct ws_sampler_launch {
    const char *kernel; /* mangled */
    uint32_t block[3], dynamic_shared;
    uint64_t blocks;
} ws_sampler_launch;

/* Where the next launch belongs and whether to measure it. Asked again before ws_sampler_ran, it forgets the launch
 * asked about before. */
typedef struct ws_sampler_choice {
    bool measure;
    int64_t stratum, slice;
} ws_sampler_choice;
int ws_sampler_choose(ws_sampler *sampler, const ws_sampler_launch *launch, ws_sampler_choice *choice);

/* The launch ran well; its counters are in the collector if it was to be measured. */
int ws_sampler_ran(ws_sampler *sampler, uint64_t warp_instructions, uint64_t thread_instructions);

#endif
