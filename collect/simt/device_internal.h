/* device_internal.h - shared declarations of the files that implement functions called by kernels: builtin.c,
 * condition.c, device_print.c, device_runtime.c, device_launch.c, grids.c. */
#ifndef WS_DEVICE_INTERNAL_H
#define WS_DEVICE_INTERNAL_H

#include "collect/simt/grids.h"
#include "collect/simt/simt_internal.h"

/* CUDA error codes. */
enum {
#define DEVICE_ERROR(name, value, text) name = value,
#include "collect/simt/device_errors.def"
#undef DEVICE_ERROR
};

/* Call of a runtime function by one lane. */
typedef struct device_call {
    warp *w;
    const uop *u;
    const call_site *site;
    uint32_t lane;
    uint64_t result; /* return value of functions that do not return an error */
    bool gives;      /* return `result`, and only record the error */
    bool fault;      /* the launch must stop; the block has the reason */
} device_call;

/* builtin.c. Argument i of the call, 0 if missing; or the bytes of a struct argument. */
uint64_t builtin_argument(const device_call *c, unsigned i);
void builtin_struct(const device_call *c, unsigned i, void *out, size_t bytes);
void builtin_give(const device_call *c, uint64_t value);
/* Returns the host memory of a thread's generic address, and the bytes available there; NULL if none. */
unsigned char *builtin_memory(const device_call *c, uint64_t address, bool write, uint64_t *bytes);

/* device_print.c. Begins a host launch; executes vprintf of the lanes in exec. */
void device_print_begin(ws_device *device);
bool device_print(warp *w, const uop *u, uint32_t exec);

static inline ws_device *device_of(const device_call *c)
{
    return c->w->block->launch->device;
}

/* Writes to the address in argument i; returns a CUDA error. */
int device_put(const device_call *c, unsigned i, const void *value, size_t bytes);
/* Returns the kernel of a pointer; NULL with *error, or with c->fault if it cannot run. */
ws_kernel *device_kernel(device_call *c, uint64_t pointer, int *error);
void device_texts_free(ws_device *device);

typedef int device_fn(device_call *c);
#define DEVICE_CALL(name, function, ordered) device_fn function;
#include "collect/simt/device_runtime.def"
#undef DEVICE_CALL

/* ---- grids.c: launches by the running grid ---- */

typedef struct grid_shape {
    uint32_t grid[3], block[3], shared;
} grid_shape;

/* A box of bytes: copied, or filled when `from` is 0. */
typedef struct grid_box {
    uint64_t to, from, to_pitch, to_slice, from_pitch, from_slice, width, height, depth;
    uint8_t value;
} grid_box;

enum { STREAM_NULL, STREAM_LEGACY, STREAM_PER_THREAD, STREAM_TAIL, STREAM_FIRE, STREAM_OWN };
typedef enum grid_object { OBJECT_NONE, OBJECT_STREAM, OBJECT_EVENT } grid_object;

/* Begin and end a launch. At the end, its own launches are queued before all others, or discarded. */
void grids_begin(ws_grids *g, const launch *l);
void grids_end(ws_grids *g, bool keep);

/* Allocates memory for parameters until the grid ends. kernel: NULL if unknown. Returns 0 with *error on failure. */
uint64_t grids_buffer(ws_grids *g, ws_kernel *kernel, const grid_shape *shape, uint64_t bytes, int *error);
/* Takes the buffer for a launch; returns its kernel and shape if these were known. */
bool grids_take(ws_grids *g, uint64_t buffer, ws_kernel **kernel, grid_shape *shape, uint64_t *bytes);
uint32_t grids_pending_most(const ws_device *device);
/* Checks that one more launch may be pending; returns a CUDA error. */
int grids_room(const ws_grids *g);
/* Queues a launch; copies the parameters. `tail`: it runs after all others of this grid. */
int grids_launch(ws_grids *g, ws_kernel *kernel, const grid_shape *shape, const void *params, bool tail);
int grids_box(ws_grids *g, const grid_box *box, bool tail);
/* Runs the pending launches of the running grid, with all nested ones, during the grid. Returns a CUDA error; *status:
 * their status. */
int grids_wait(ws_grids *g, int *status);
/* engine.c: runs a ws_grids without a runner, with the settings of the waiting launch. */
int engine_run_waited(const ws_run *waits, ws_grids *waited);
/* Streams and events of the running grid: handles; 0 on exhaustion of handles or memory. */
uint64_t grids_make(ws_grids *g, grid_object kind);
bool grids_has(const ws_grids *g, uint64_t handle, grid_object kind);
bool grids_remove(ws_grids *g, uint64_t handle, grid_object kind);

#endif
