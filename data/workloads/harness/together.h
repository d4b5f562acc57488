/* together.h - how is a kernel launched whose blocks wait for each other? All of them have to be resident at once,
 * which the driver promises for cooperative launches and refuses when there is no room. */
#ifndef WS_HARNESS_TOGETHER_H
#define WS_HARNESS_TOGETHER_H

#include "data/workloads/harness/harness.h"

/* As harness_launch(), with the blocks and threads of one dimension. */
static inline void harness_launch_together(harness *h, CUfunction kernel, unsigned blocks, unsigned threads,
                                           void **params)
{
    HARNESS_TRY(h, cuLaunchCooperativeKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, NULL, params));
    HARNESS_TRY(h, cuCtxSynchronize());
}
#define HARNESS_LAUNCH_TOGETHER(h, kernel, blocks, threads, ...) \
    harness_launch_together(h, kernel, blocks, threads, (void *[]){__VA_ARGS__})

#endif
