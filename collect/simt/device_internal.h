/* device_internal.h - what the files that answer calls of kernels share: builtin.c, condition.c, device_print.c,
 * device_runtime.c, device_launch.c, grids.c. */
#ifndef WS_DEVICE_INTERNAL_H
#define WS_DEVICE_INTERNAL_H

#include "collect/simt/grids.h"
#include "collect/simt/simt_internal.h"

/* Errors as CUDA numbers them. */
enum {
#define DEVICE_ERROR(name, value, text) name = value,
#include "collect/simt/device_errors.def"
#undef DEVICE_ERROR
};

/* One lane's call of a function of the runtime. */
typedef struct device_call {
    warp *w;
    const uop *u;
    const call_site *site;
    uint32_t lane;
    uint64_t result; /* for functions that give no error: what they give */
    bool gives;      /* result counts, and the error is only remembered */
    bool fault;      /* the launch must stop; the block says why */
} device_call;

/* builtin.c. Argument i of the call, 0 when there are fewer; the bytes of one that is a struct. */
uint64_t builtin_argument(const device_call *c, unsigned i);
void builtin_struct(const device_call *c, unsigned i, void *out, size_t bytes);
void builtin_give(const device_call *c, uint64_t value);
/* Host memory behind a generic address of the thread, and how many bytes lie there; NULL when none do. */
unsigned char *builtin_memory(const device_call *c, uint64_t address, bool write, uint64_t *bytes);

/* device_print.c. A launch of the host begins; the lanes in exec call vprintf. */
void device_print_begin(ws_device *device);
bool device_print(warp *w, const uop *u, uint32_t exec);

static inline ws_device *device_of(const device_call *c)
{
    return c->w->block->launch->device;
}

/* Writes to where argument i points to; an error of CUDA's. */
int device_put(const device_call *c, unsigned i, const void *value, size_t bytes);
/* The kernel behind a pointer to it; NULL with *error, or with c->fault when it cannot run here. */
ws_kernel *device_kernel(device_call *c, uint64_t pointer, int *error);
void device_texts_free(ws_device *device);

typedef int device_fn(device_call *c);
#define DEVICE_CALL(name, function, ordered) device_fn function;
#include "collect/simt/device_runtime.def"
#undef DEVICE_CALL

/* ---- grids.c: what the running grid adds ---- */

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

/* The launch begins and ends; at the end, what it launched comes before all that waits, or is dropped. */
void grids_begin(ws_grids *g, const launch *l);
void grids_end(ws_grids *g, bool keep);

/* Memory for parameters, until the grid has ended. kernel: NULL when it is not known yet. 0 with *error. */
uint64_t grids_buffer(ws_grids *g, ws_kernel *kernel, const grid_shape *shape, uint64_t bytes, int *error);
/* Takes the buffer for a launch; the kernel and shape it was made for when they were known. */
bool grids_take(ws_grids *g, uint64_t buffer, ws_kernel **kernel, grid_shape *shape, uint64_t *bytes);
uint32_t grids_pending_most(const ws_device *device);
/* May one more launch wait? An error of CUDA's. */
int grids_room(const ws_grids *g);
/* Parameters are copied. `tail`: it waits for all others of this grid. */
int grids_launch(ws_grids *g, ws_kernel *kernel, const grid_shape *shape, const void *params, bool tail);
int grids_box(ws_grids *g, const grid_box *box, bool tail);
/* Runs what the running grid launched so far, and all that comes of it, in the middle of the grid. An error of CUDA's;
 * *status: how that went. */
int grids_wait(ws_grids *g, int *status);
/* engine.c: what a ws_grids runs without a runner, like the launch that waits for it. */
int engine_run_waited(const ws_run *waits, ws_grids *waited);
/* Streams and events of the running grid: handles; 0 when there are too many, or memory is out. */
uint64_t grids_make(ws_grids *g, grid_object kind);
bool grids_has(const ws_grids *g, uint64_t handle, grid_object kind);
bool grids_remove(ws_grids *g, uint64_t handle, grid_object kind);

#endif
