/* grids.h - what comes after a grid whose kernel launched kernels?
 *
 * A kernel may launch kernels, copy and fill (CUDA's dynamic parallelism). What it launched runs when the grid has
 * ended, one after the other: what was launched first comes first, each with all that it launches itself before the
 * next, and last what was put into the stream cudaStreamTailLaunch. That keeps every order that streams, events and
 * completion ask for, and is the same in every run. Kernels of CUDA 11 and before may wait for what they launched
 * (cudaDeviceSynchronize): then it runs while they wait, in the same order, handed out by a ws_grids of its own to the
 * runner.
 *
 * Who runs a kernel whose facts say `launches` makes a ws_grids, puts it into ws_run.grids, and afterwards runs what
 * ws_grids_next gives, with sinks and limits of its choice. Without one ws_kernel_run does so by itself, without sinks.
 */
#ifndef WS_GRIDS_H
#define WS_GRIDS_H

#include "collect/simt/engine.h"

typedef struct ws_grid {
    ws_kernel *kernel; /* NULL: nothing is left */
    ws_run run;        /* shape, parameters, parent and grids; the rest is the caller's. Good until the next call */
    unsigned depth;    /* 1: launched by the grid that the host launched */
    uint64_t copied, filled; /* bytes that copies and fills of kernels moved before it */
} ws_grid;

int ws_grids_create(ws_device *device, ws_grids **out);
void ws_grids_destroy(ws_grids *grids); /* drops what has not run; accepts NULL */

/* The next grid, after the copies and fills before it. WS_EFAULT when one of those goes where no memory is. */
int ws_grids_next(ws_grids *grids, ws_grid *out);

/* Who runs what a kernel waits for: everything that ws_grids_next gives of `waited`, which he does not keep. NULL:
 * ws_kernel_run does, without sinks. */
typedef int ws_grids_runner(void *context, ws_grids *waited);
void ws_grids_set_runner(ws_grids *grids, ws_grids_runner *runner, void *context);

/* In how many levels of grids threads may wait, the host's launch being the first; deeper, waiting is
 * cudaErrorSyncDepthExceeded. WS_SYNC_DEPTH until it is set. */
enum { WS_SYNC_DEPTH = 2, WS_MOST_SYNC_DEPTH = 24 }; /* CUDA C++ Programming Guide 12, cudaLimitDevRuntimeSyncDepth */
void ws_device_set_sync_depth(ws_device *device, uint32_t levels);

/* How many launches of kernels may wait at a time; the next is cudaErrorLaunchPendingCountExceeded. 0: 2048. */
void ws_device_set_pending_launches(ws_device *device, uint32_t most);

/* What kernels may ask about the device, answered by who provides the runtime; without it they get
 * cudaErrorNotSupported. Results are CUDA's error codes. */
typedef struct ws_device_answers {
    int (*attribute)(int attribute, int *value);
    int (*blocks_that_fit)(const ws_kernel_facts *facts, int threads,
                           uint64_t dynamic_shared);          /* on a multiprocessor */
    uint32_t (*dynamic_shared)(void);                         /* bytes that a launch may ask for */
    int version;                                              /* of the runtime: 13000 */
    bool (*where)(uint64_t address, char *text, size_t size); /* what is at an address without memory, in words */
} ws_device_answers;
void ws_device_set_answers(ws_device *device, const ws_device_answers *answers); /* borrowed */

/* Numbers that kernels set with cudaGraphSetConditional: conditions of graphs. 0 at first, and of a handle that is
 * gone. */
int ws_device_condition_create(ws_device *device, uint64_t *handle);
void ws_device_condition_destroy(ws_device *device, uint64_t handle);
void ws_device_condition_set(ws_device *device, uint64_t handle, uint32_t value);
uint32_t ws_device_condition_get(const ws_device *device, uint64_t handle);

#endif
