/* grids.h - queue of grids launched by kernels.
 *
 * A kernel may launch kernels, copy and fill (CUDA's dynamic parallelism). Its launches run after its grid has ended,
 * sequentially, in launch order. Each one completes with its nested launches before the next one starts. Launches in
 * cudaStreamTailLaunch run last. This keeps every order required by streams, events and completion, and is the same in
 * every run. Kernels of CUDA 11 and earlier may wait for their launches (cudaDeviceSynchronize). These then run during
 * the wait, in the same order; the runner receives them in a separate ws_grids.
 *
 * To run a kernel whose facts say `launches`, create a ws_grids and set ws_run.grids. Afterwards run each result of
 * ws_grids_next with your own sinks and limits. Without a ws_grids, ws_kernel_run runs these grids without sinks. */
#ifndef WS_GRIDS_H
#define WS_GRIDS_H

#include "collect/simt/engine.h"

typedef struct ws_grid {
    ws_kernel *kernel; /* NULL: the queue is empty */
    ws_run run;        /* shape, parameters, parent and grids; the caller sets the rest. Valid until the next call */
    unsigned depth;    /* 1: launched by the grid that the host launched */
    uint64_t copied, filled; /* bytes moved by copies and fills of kernels before this grid */
} ws_grid;

int ws_grids_create(ws_device *device, ws_grids **out);
void ws_grids_destroy(ws_grids *grids); /* discards pending launches; accepts NULL */

/* Returns the next grid, after executing the copies and fills before it. WS_EFAULT when one of them accesses
 * unallocated memory. */
int ws_grids_next(ws_grids *grids, ws_grid *out);

/* Runs the launches that a kernel waits for: every result of ws_grids_next for `waited`, which the runner must not
 * keep. NULL: ws_kernel_run runs them without sinks. */
typedef int ws_grids_runner(void *context, ws_grids *waited);
void ws_grids_set_runner(ws_grids *grids, ws_grids_runner *runner, void *context);

/* Sets the number of nested grid levels in which threads may wait, counting the host's launch as the first. A deeper
 * wait returns cudaErrorSyncDepthExceeded. Default: WS_SYNC_DEPTH. */
enum { WS_SYNC_DEPTH = 2, WS_MOST_SYNC_DEPTH = 24 }; /* CUDA C++ Programming Guide 12, cudaLimitDevRuntimeSyncDepth */
void ws_device_set_sync_depth(ws_device *device, uint32_t levels);

/* Sets the limit of pending kernel launches; the next one returns cudaErrorLaunchPendingCountExceeded. 0: 2048. */
void ws_device_set_pending_launches(ws_device *device, uint32_t most);

/* Answers to kernels' queries about the device, supplied by the provider of the runtime. Without them queries return
 * cudaErrorNotSupported. Results are CUDA error codes. */
typedef struct ws_device_answers {
    int (*attribute)(int attribute, int *value);
    int (*blocks_that_fit)(const ws_kernel_facts *facts, int threads, uint64_t dynamic_shared); /* per multiprocessor */
    uint32_t (*dynamic_shared)(void);                         /* largest size in bytes that a launch may request */
    int version;                                              /* of the runtime: 13000 */
    bool (*where)(uint64_t address, char *text, size_t size); /* describes an address outside memory */
} ws_device_answers;
void ws_device_set_answers(ws_device *device, const ws_device_answers *answers); /* borrowed */

/* Condition values of graphs, set by kernels with cudaGraphSetConditional. Initially 0, and 0 for a destroyed handle.
 */
int ws_device_condition_create(ws_device *device, uint64_t *handle);
void ws_device_condition_destroy(ws_device *device, uint64_t handle);
void ws_device_condition_set(ws_device *device, uint64_t handle, uint32_t value);
uint32_t ws_device_condition_get(const ws_device *device, uint64_t handle);

#endif
