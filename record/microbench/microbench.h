/* microbench.h - what a machine of the cycle simulator does, measured as cards are: small kernels that run on it, live.
 * A row of microbench.def is one of them. Each runs twice, with a short text and a long one, each on a machine that is
 * new; what the longer one takes more, over what it has more, is free of the launch and of how caches were filled. */
#ifndef WS_MICROBENCH_H
#define WS_MICROBENCH_H

#include "base/frame.h"
#include "model/machine/machine_declared.h"

#include <stdint.h>

typedef struct ws_microbench_options {
    const char *groups;            /* "instruction,memory": rows of these alone; NULL: all */
    const char *const *benchmarks; /* rows of these names alone, ended by NULL; NULL: all of the groups */
    const char *published;         /* file of what was published of the machine, below; NULL: none */
    uint32_t shape;                /* rows of collect/shape/shape.def, as ws_simulation_options.shape */
} ws_microbench_options;

/* The rows: labels group, benchmark, measure ("latency", "throughput" or "time"), unit, source; columns value,
 * published (NaN where nothing is) and ratio. Shows its progress. WS_EINPUT: no such group; a file of published numbers
 * with a row that nothing measures, or with another unit. WS_EINTERRUPTED: *out has the rows so far, NULL after other
 * failures. The caller frees it.
 *
 * The file is a frame with the labels benchmark, measure, unit and source, and the column value:
 * data/published/MACHINE.csv. Where the measure is a throughput, it is the most that the card can do. */
int ws_microbench(const ws_machine *machine, const ws_microbench_options *options, ws_frame **out);

#endif
