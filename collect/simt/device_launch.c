/* device_launch.c - kernels launch kernels: parameter buffers, launches, streams and events.
 *
 * A launch by <<<>>> is two calls: one asks for a buffer of a kernel and a shape, the kernel's code writes the
 * parameters there, laid out as the launched kernel reads them, and the other launches. Since everything runs in the
 * order of the calls, streams and events have nothing left to order: they are checked as the runtime does. Who waits on
 * the device (CUDA 11 and before) has all run there and then that the grid launched so far. */
#include "collect/simt/device_internal.h"

#include <string.h>

enum { STREAM_NON_BLOCKING = 1, EVENT_DISABLE_TIMING = 2 };

static ws_grids *grids_of(const device_call *c)
{
    return c->w->block->launch->grids;
}

/* What the device can never run; limits of compute capability 3.0 and later. */
static int check_shape(const device_call *c, const ws_kernel *kernel, const grid_shape *s)
{
    static const uint32_t most_blocks[3] = {2147483647u, 65535, 65535}, most_threads[3] = {1024, 1024, 64};
    const ws_device_answers *const a = device_of(c)->answers;
    ws_kernel_facts facts;
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (!s->grid[i] || s->grid[i] > most_blocks[i] || !s->block[i] || s->block[i] > most_threads[i])
            return cudaErrorInvalidConfiguration;
        threads *= s->block[i];
    }
    ws_kernel_get_facts(kernel, &facts);
    const uint32_t *const required = facts.function->reqntid;
    for (int i = 0; i < 3 && required[0]; i++)
        if (s->block[i] != (required[i] ? required[i] : 1))
            return cudaErrorInvalidConfiguration;
    if (threads > MAX_BLOCK_THREADS)
        return cudaErrorInvalidConfiguration;
    if (threads > facts.max_threads)
        return cudaErrorLaunchOutOfResources;
    return ws_range_within(facts.shared_bytes, s->shared, a ? a->dynamic_shared() : MAX_SHARED_BYTES)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

static int check_stream(const device_call *c, uint64_t stream)
{
    return stream < STREAM_OWN || grids_has(grids_of(c), stream, OBJECT_STREAM) ? cudaSuccess
                                                                                : cudaErrorInvalidResourceHandle;
}

/* The kernel and shape of arguments kernel, shape, shape + 1, shape + 2; NULL with *error or c->fault. */
static ws_kernel *read_shape(device_call *c, unsigned kernel_at, unsigned shape_at, grid_shape *shape, int *error)
{
    ws_kernel *const kernel = device_kernel(c, builtin_argument(c, kernel_at), error);
    builtin_struct(c, shape_at, shape->grid, sizeof shape->grid);
    builtin_struct(c, shape_at + 1, shape->block, sizeof shape->block);
    shape->shared = (uint32_t)builtin_argument(c, shape_at + 2);
    if (kernel)
        *error = check_shape(c, kernel, shape);
    return *error ? NULL : kernel;
}

int device_buffer_shaped(device_call *c)
{
    grid_shape shape;
    int error = cudaErrorNotSupported;
    c->gives = true;
    if (!grids_of(c))
        return error;
    ws_kernel *const kernel = read_shape(c, 0, 1, &shape, &error);
    if (kernel)
        c->result = grids_buffer(grids_of(c), kernel, &shape, kernel->function->param_bytes, &error);
    return error;
}

int device_buffer(device_call *c)
{
    const uint64_t alignment = builtin_argument(c, 0), bytes = builtin_argument(c, 1);
    const grid_shape none = {.shared = 0};
    int error = cudaErrorNotSupported;
    c->gives = true;
    if (!grids_of(c))
        return error;
    if (alignment > 256 || (alignment & (alignment - 1)) || bytes > PARAM_WINDOW_BYTES) /* 256: what memory has */
        return cudaErrorInvalidValue;
    c->result = grids_buffer(grids_of(c), NULL, &none, bytes, &error);
    return error;
}

static int launch_into(device_call *c, ws_kernel *kernel, const grid_shape *shape, uint64_t buffer, uint64_t stream)
{
    const int error = check_stream(c, stream);
    return error ? error
                 : grids_launch(grids_of(c), kernel, shape, (const void *)(uintptr_t)buffer, stream == STREAM_TAIL);
}

int device_launch_shaped(device_call *c)
{
    const uint64_t buffer = builtin_argument(c, 0), stream = builtin_argument(c, 1);
    ws_kernel *kernel;
    grid_shape shape;
    uint64_t bytes;
    if (!grids_of(c) || !grids_take(grids_of(c), buffer, &kernel, &shape, &bytes) || !kernel)
        return cudaErrorInvalidValue;
    return launch_into(c, kernel, &shape, buffer, stream);
}

/* A kernel without parameters needs no buffer. */
int device_launch(device_call *c)
{
    const uint64_t buffer = builtin_argument(c, 1), stream = builtin_argument(c, 5);
    ws_kernel *other;
    grid_shape shape, unused;
    uint64_t bytes = 0;
    int error = cudaErrorNotSupported;
    if (!grids_of(c))
        return error;
    ws_kernel *const kernel = read_shape(c, 0, 2, &shape, &error);
    if (!kernel)
        return error;
    if (buffer && !grids_take(grids_of(c), buffer, &other, &unused, &bytes))
        return cudaErrorInvalidValue;
    if (bytes < kernel->function->param_bytes)
        return cudaErrorInvalidValue;
    error = grids_room(grids_of(c));
    return error ? error : launch_into(c, kernel, &shape, buffer, stream);
}

/* Lanes wait one after the other: behind the first one nothing is left to wait for. Where memory was found may be
 * another's afterwards. */
int device_synchronize(device_call *c)
{
    worker *const k = c->w->block->worker;
    int status = WS_OK;
    if (!grids_of(c))
        return cudaErrorNotSupported;
    const int error = grids_wait(grids_of(c), &status);
    memset(k->cache, 0, c->w->block->launch->code->caches * sizeof *k->cache);
    if (status) {
        c->fault = true;
        block_fail(c->w->block, status, "%s", ws_message());
    }
    return error;
}

/* ---- streams and events ---- */

static int make(const device_call *c, grid_object kind)
{
    const uint64_t handle = grids_of(c) ? grids_make(grids_of(c), kind) : 0;
    return handle ? device_put(c, 0, &handle, sizeof handle) : cudaErrorMemoryAllocation;
}

static int destroy(const device_call *c, grid_object kind)
{
    const bool removed = grids_of(c) && grids_remove(grids_of(c), builtin_argument(c, 0), kind);
    return removed ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* The host's flag that lets streams wait for the default stream does not exist on the device. */
int device_stream_create(device_call *c)
{
    return builtin_argument(c, 1) == STREAM_NON_BLOCKING ? make(c, OBJECT_STREAM) : cudaErrorInvalidValue;
}

int device_stream_destroy(device_call *c)
{
    return destroy(c, OBJECT_STREAM);
}

int device_event_create(device_call *c)
{
    return builtin_argument(c, 1) == EVENT_DISABLE_TIMING ? make(c, OBJECT_EVENT) : cudaErrorInvalidValue;
}

int device_event_destroy(device_call *c)
{
    return destroy(c, OBJECT_EVENT);
}

/* Nothing is ever recorded in the streams whose work is not in order. */
static int check_event(const device_call *c, uint64_t event, uint64_t stream)
{
    if (!grids_of(c) || !grids_has(grids_of(c), event, OBJECT_EVENT) || check_stream(c, stream))
        return cudaErrorInvalidResourceHandle;
    return stream == STREAM_TAIL || stream == STREAM_FIRE ? cudaErrorInvalidValue : cudaSuccess;
}

int device_event_record(device_call *c)
{
    return check_event(c, builtin_argument(c, 0), builtin_argument(c, 1));
}

int device_stream_wait(device_call *c)
{
    return check_event(c, builtin_argument(c, 1), builtin_argument(c, 0));
}

/* ---- copies and fills ---- */

/* Bytes from the first one of a box to the last; UINT64_MAX when there are more. */
static uint64_t bytes_over(const grid_box *b, uint64_t pitch, uint64_t slice)
{
    uint64_t slices, rows, sum;
    const bool overflows = __builtin_mul_overflow(b->depth - 1, slice, &slices) ||
                           __builtin_mul_overflow(b->height - 1, pitch, &rows) ||
                           __builtin_add_overflow(slices, rows, &sum) || __builtin_add_overflow(sum, b->width, &sum);
    return overflows ? UINT64_MAX : sum;
}

/* Rows may not lie over each other, nor slices: else a box of any size would have place in a few bytes. */
static bool overlaps(const grid_box *b, uint64_t pitch, uint64_t slice)
{
    const uint64_t row = b->height > 1 ? pitch : b->width;
    return row < b->width || (b->depth > 1 && slice / b->height < row);
}

/* All of it in memory that is there now, in one allocation? The block holds the fault when not. */
static bool reaches(device_call *c, uint64_t at, const grid_box *b, uint64_t pitch, uint64_t slice, bool write)
{
    const uint64_t bytes = bytes_over(b, pitch, slice);
    memory *const m = device_of(c)->memory;
    char where[256] = MAPPED_TO_READ;
    span s;
    const bool found = at && (memory_heap_contains(m, at) ? memory_heap_find(m, at, &s) : memory_find(m, at, &s)) &&
                       ws_range_within(at, bytes, s.high);
    if (found && !(write && s.read_only))
        return true;
    if (!found)
        engine_describe_device(device_of(c), at, bytes, where, sizeof where);
    c->fault = true;
    block_fault(c->w, c->u, c->lane, "invalid copy or fill of %llu bytes at 0x%llx: %s", (unsigned long long)bytes,
                (unsigned long long)at, where);
    return false;
}

static int add_box(device_call *c, const grid_box *b, bool copies, uint64_t stream)
{
    if (!grids_of(c))
        return cudaErrorNotSupported;
    const int error = check_stream(c, stream);
    if (error || !b->width || !b->height || !b->depth)
        return error;
    if (overlaps(b, b->to_pitch, b->to_slice) || (copies && overlaps(b, b->from_pitch, b->from_slice)))
        return cudaErrorInvalidPitchValue;
    if (!reaches(c, b->to, b, b->to_pitch, b->to_slice, true) ||
        (copies && !reaches(c, b->from, b, b->from_pitch, b->from_slice, false)))
        return cudaSuccess;
    return grids_box(grids_of(c), b, stream == STREAM_TAIL);
}

int device_copy(device_call *c)
{
    const grid_box b = {.to = builtin_argument(c, 0),
                        .from = builtin_argument(c, 1),
                        .width = builtin_argument(c, 2),
                        .height = 1,
                        .depth = 1};
    return add_box(c, &b, true, builtin_argument(c, 4));
}

int device_copy_2d(device_call *c)
{
    const grid_box b = {.to = builtin_argument(c, 0),
                        .to_pitch = builtin_argument(c, 1),
                        .from = builtin_argument(c, 2),
                        .from_pitch = builtin_argument(c, 3),
                        .width = builtin_argument(c, 4),
                        .height = builtin_argument(c, 5),
                        .depth = 1};
    return add_box(c, &b, true, builtin_argument(c, 7));
}

/* struct cudaPitchedPtr, cudaPos, cudaExtent, cudaMemcpy3DParms */
typedef struct pitched {
    uint64_t at, pitch, width, height;
} pitched;
typedef struct triple {
    uint64_t x, y, z;
} triple;
typedef struct copy_3d {
    uint64_t from_array;
    triple from_pos;
    pitched from;
    uint64_t to_array;
    triple to_pos;
    pitched to;
    triple extent;
    int kind;
} copy_3d;

static uint64_t start_of(const pitched *p, const triple *at)
{
    return p->at + (at->z * p->height + at->y) * p->pitch + at->x;
}

int device_copy_3d(device_call *c)
{
    uint64_t room;
    copy_3d p;
    const void *const at = builtin_memory(c, builtin_argument(c, 0), false, &room);
    if (!at || room < sizeof p)
        return cudaErrorInvalidValue;
    memcpy(&p, at, sizeof p);
    if (p.from_array || p.to_array) /* arrays cannot be named by kernels */
        return cudaErrorInvalidValue;
    const grid_box b = {.to = start_of(&p.to, &p.to_pos),
                        .to_pitch = p.to.pitch,
                        .to_slice = p.to.pitch * p.to.height,
                        .from = start_of(&p.from, &p.from_pos),
                        .from_pitch = p.from.pitch,
                        .from_slice = p.from.pitch * p.from.height,
                        .width = p.extent.x,
                        .height = p.extent.y,
                        .depth = p.extent.z};
    return add_box(c, &b, true, builtin_argument(c, 1));
}

int device_fill(device_call *c)
{
    const grid_box b = {.to = builtin_argument(c, 0),
                        .value = (uint8_t)builtin_argument(c, 1),
                        .width = builtin_argument(c, 2),
                        .height = 1,
                        .depth = 1};
    return add_box(c, &b, false, builtin_argument(c, 3));
}

int device_fill_2d(device_call *c)
{
    const grid_box b = {.to = builtin_argument(c, 0),
                        .to_pitch = builtin_argument(c, 1),
                        .value = (uint8_t)builtin_argument(c, 2),
                        .width = builtin_argument(c, 3),
                        .height = builtin_argument(c, 4),
                        .depth = 1};
    return add_box(c, &b, false, builtin_argument(c, 5));
}

int device_fill_3d(device_call *c)
{
    pitched p;
    triple extent;
    builtin_struct(c, 0, &p, sizeof p);
    builtin_struct(c, 2, &extent, sizeof extent);
    const grid_box b = {.to = p.at,
                        .to_pitch = p.pitch,
                        .to_slice = p.pitch * p.height,
                        .value = (uint8_t)builtin_argument(c, 1),
                        .width = extent.x,
                        .height = extent.y,
                        .depth = extent.z};
    return add_box(c, &b, false, builtin_argument(c, 3));
}
