/* driver_copy.c - how do bytes get onto the device and back? Copies are counted by direction; copies inside the device
 * and fills are no traffic between host and device, so they are counted apart. */
#include "collect/cuda/stream_internal.h"

#include "base/bounds.h"
#include "base/status.h"

#include <string.h>

typedef enum side { ON_HOST, ON_DEVICE } side;

static void count(side to, side from, uint64_t bytes)
{
    ws_copied *const c = ws_the_driver.copied;
    if (to == ON_DEVICE)
        *(from == ON_HOST ? &c->h2d : &c->d2d) += bytes;
    else if (from == ON_DEVICE)
        c->d2h += bytes;
}

/* Host pointer to device bytes. Where the copy may not go it is NULL, and the reason is told. */
static void *on_device(CUdeviceptr address, uint64_t bytes, bool writes)
{
    CUresult result;
    ws_device *const device = ws_driver_device(&result);
    void *const p = !device  ? NULL
                    : writes ? ws_device_writable(device, address, bytes)
                             : ws_device_pointer(device, address, bytes);
    if (device && !p)
        ws_driver_report(WS_EINPUT);
    return p;
}

/* Memory that the device gave out and that is not pinned memory of the host. */
static side side_of(CUdeviceptr address)
{
    const ws_device *const device = ws_the_driver.device;
    if (!device || ws_device_find(device, address, NULL, NULL))
        return ON_HOST;
    const ws_allocation *const a = ws_allocation_find(address);
    return a && a->host ? ON_HOST : ON_DEVICE;
}

/* ------------------------------------------------------------------------------------------------ boxes */

/* One end of a copy of rows and slices. */
typedef struct end {
    side side;
    CUdeviceptr address; /* of the box's first byte */
    size_t pitch, slice; /* bytes from row to row and from slice to slice */
    CUarray array;       /* NULL: plain memory */
    size_t x, y, z;      /* in the array, x in bytes */
    char *bytes;         /* the address as a host pointer, once checked */
} end;

/* How one end is written down in CUDA_MEMCPY3D. */
typedef struct corner {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, lod, pitch, height;
} corner;

static CUresult in_array(end *e, const corner *c)
{
    const CUarray a = ws_handle_find(c->array, WS_HANDLE_ARRAY);
    if (!a) /* none is a wrong value, as driver 580 answers */
        return c->array ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *e = (end){.side = ON_DEVICE,
               .pitch = a->texture.pitch,
               .slice = a->texture.slice,
               .array = a,
               .x = c->x,
               .y = c->y,
               .z = c->z};
    e->address = a->texture.address + c->z * e->slice + c->y * e->pitch + c->x; /* checked before it is used */
    return CUDA_SUCCESS;
}

static CUresult resolve_end(end *e, const corner *c)
{
    *e = (end){.pitch = c->pitch};
    if (c->lod)
        return CUDA_ERROR_INVALID_VALUE; /* a level of a mipmapped array */
    switch (c->type) {
    case CU_MEMORYTYPE_HOST:
        e->side = ON_HOST;
        e->address = (uintptr_t)c->host;
        break;
    case CU_MEMORYTYPE_DEVICE:
        e->side = ON_DEVICE;
        e->address = c->device;
        break;
    case CU_MEMORYTYPE_UNIFIED:
        e->side = side_of(c->device);
        e->address = c->device;
        break;
    case CU_MEMORYTYPE_ARRAY:
        return in_array(e, c);
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    size_t skip, rows;
    if (__builtin_mul_overflow(c->pitch, c->height, &e->slice) || __builtin_mul_overflow(c->z, c->height, &rows) ||
        __builtin_add_overflow(rows, c->y, &rows) || __builtin_mul_overflow(rows, c->pitch, &skip) ||
        __builtin_add_overflow(skip, c->x, &skip) || __builtin_add_overflow(e->address, skip, &e->address))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* All rows and slices of the box, from its first byte to its last. */
static CUresult check_end(end *e, size_t width, size_t height, size_t depth, bool writes)
{
    size_t span, slices;
    if (e->array && !(ws_range_within(e->x, width, e->array->row_bytes) &&
                      ws_range_within(e->y, height, e->array->rows) && ws_range_within(e->z, depth, e->array->slices)))
        return CUDA_ERROR_INVALID_VALUE;
    if ((height > 1 && e->pitch < width) || __builtin_mul_overflow(height - 1, e->pitch, &span) ||
        __builtin_add_overflow(span, width, &span) || (depth > 1 && e->slice < span) ||
        __builtin_mul_overflow(depth - 1, e->slice, &slices) || __builtin_add_overflow(span, slices, &span))
        return CUDA_ERROR_INVALID_VALUE;
    e->bytes = e->side == ON_DEVICE ? on_device(e->address, span, writes) : (char *)(uintptr_t)e->address;
    return e->bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult resolve_both(end *to, end *from, const CUDA_MEMCPY3D *c)
{
    const corner target = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes,
                           c->dstY,          c->dstZ,    c->dstLOD,    c->dstPitch, c->dstHeight};
    const corner source = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes,
                           c->srcY,          c->srcZ,    c->srcLOD,    c->srcPitch, c->srcHeight};
    const CUresult result = resolve_end(to, &target);
    return result ? result : resolve_end(from, &source);
}

CUresult ws_copy_check(const CUDA_MEMCPY3D *c)
{
    end to, from;
    return resolve_both(&to, &from, c);
}

bool ws_copy_waits(const CUDA_MEMCPY3D *c)
{
    end to, from;
    return !resolve_both(&to, &from, c) && to.side == ON_HOST &&
           (from.side == ON_HOST || !ws_allocation_find(to.address));
}

/* For races with other streams: memory of the device, and pinned memory; what else the host has is copied before a call
 * is over. */
static void touch(const end *e, size_t width, size_t height, size_t depth, bool writes, bool changes)
{
    const ws_box box = {
        .address = e->address, .width = width, .rows = height, .slices = depth, .pitch = e->pitch, .slice = e->slice};
    if (e->side == ON_DEVICE || ws_allocation_find(e->address))
        ws_device_touches(ws_the_driver.device, &box, writes, changes, false);
}

static void touch_both(const end *to, const end *from, size_t width, size_t height, size_t depth)
{
    bool changes = false;
    for (size_t slice = 0; slice < depth && !changes; slice++)
        for (size_t row = 0; row < height && !changes; row++)
            changes = memcmp(to->bytes + slice * to->slice + row * to->pitch,
                             from->bytes + slice * from->slice + row * from->pitch, width);
    touch(from, width, height, depth, false, false);
    touch(to, width, height, depth, true, changes);
}

/* Which part of the device is busy with it. */
static ws_part part_of(side to, side from)
{
    if (to == ON_DEVICE)
        return from == ON_DEVICE ? WS_PART_SMS : WS_PART_TO_DEVICE;
    return from == ON_DEVICE ? WS_PART_TO_HOST : WS_PART_NONE;
}

/* Rows that the host wrote. One that is not kept, for want of memory, only finds L2 colder than it would be. */
static void keep_place(const end *to, size_t width, size_t height, size_t depth)
{
    if (to->pitch == width && (depth == 1 || to->slice == width * height)) {
        (void)ws_copies_add(&ws_the_driver.copies, to->address, (uint64_t)width * height * depth);
        return;
    }
    for (size_t slice = 0; slice < depth; slice++)
        for (size_t row = 0; row < height; row++)
            (void)ws_copies_add(&ws_the_driver.copies, to->address + slice * to->slice + row * to->pitch, width);
}

CUresult ws_copy_execute(const CUDA_MEMCPY3D *c, ws_cost *cost)
{
    const size_t width = c->WidthInBytes, height = c->Height, depth = c->Depth;
    end to, from;
    CUresult result = resolve_both(&to, &from, c);
    *cost = ws_cost_of_copy(WS_PART_NONE, 0);
    if (result || !width || !height || !depth)
        return result;
    result = check_end(&to, width, height, depth, true);
    if (!result)
        result = check_end(&from, width, height, depth, false);
    if (result)
        return result;
    if (ws_device_overlaps(ws_the_driver.device))
        touch_both(&to, &from, width, height, depth);
    for (size_t slice = 0; slice < depth; slice++)
        for (size_t row = 0; row < height; row++) {
            char *const at = to.bytes + slice * to.slice + row * to.pitch, *const source = from.bytes +
                                                                                           slice * from.slice +
                                                                                           row * from.pitch;
            memmove(at, source, width);
            ws_device_copied(ws_the_driver.device, (uintptr_t)at, (uintptr_t)source, width);
        }
    count(to.side, from.side, (uint64_t)width * height * depth);
    if (to.side == ON_DEVICE && from.side == ON_HOST)
        keep_place(&to, width, height, depth);
    *cost = ws_cost_of_copy(part_of(to.side, from.side), (uint64_t)width * height * depth);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ into a stream */

static CUresult submit(CUstream stream, const CUDA_MEMCPY3D *copy)
{
    WS_ENTER_CONTEXT(context);
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    ws_task task = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .copy = *copy};
    return ws_stream_submit(context, stream, &task);
}

/* A copy without a stream is one in the default stream. The host waits when its memory takes part. */
static CUresult submit_and_wait(const CUDA_MEMCPY3D *copy)
{
    WS_ENTER_CONTEXT(context);
    const CUresult result = submit(NULL, copy);
    if (!result && (copy->srcMemoryType != CU_MEMORYTYPE_DEVICE || copy->dstMemoryType != CU_MEMORYTYPE_DEVICE))
        ws_stream_wait(ws_stream_find(context, NULL));
    return result;
}

/* Both ends of a row of bytes. */
typedef struct place {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t at;
} place;

static place on_host(const void *pointer)
{
    return (place){.type = CU_MEMORYTYPE_HOST, .host = pointer};
}

static place in_device(CUdeviceptr address)
{
    return (place){.type = CU_MEMORYTYPE_DEVICE, .device = address};
}

static place anywhere(CUdeviceptr address)
{
    return (place){.type = CU_MEMORYTYPE_UNIFIED, .device = address};
}

static place row_of(CUarray array, size_t at)
{
    return (place){.type = CU_MEMORYTYPE_ARRAY, .array = array, .at = at};
}

static CUDA_MEMCPY3D row(place to, place from, size_t bytes)
{
    return (CUDA_MEMCPY3D){.dstMemoryType = to.type,
                           .dstHost = (void *)(uintptr_t)to.host,
                           .dstDevice = to.device,
                           .dstArray = to.array,
                           .dstXInBytes = to.at,
                           .srcMemoryType = from.type,
                           .srcHost = from.host,
                           .srcDevice = from.device,
                           .srcArray = from.array,
                           .srcXInBytes = from.at,
                           .WidthInBytes = bytes,
                           .Height = 1,
                           .Depth = 1};
}

static CUresult copy_row(place to, place from, size_t bytes)
{
    const CUDA_MEMCPY3D c = row(to, from, bytes);
    return submit_and_wait(&c);
}

static CUresult copy_row_async(place to, place from, size_t bytes, CUstream stream)
{
    const CUDA_MEMCPY3D c = row(to, from, bytes);
    return submit(stream, &c);
}

/* All contexts are on one device, so a peer's memory is reached like one's own. */
static CUresult check_peers(CUcontext to, CUcontext from)
{
    WS_ENTER_CONTEXT(context);
    return ws_handle_find(to, WS_HANDLE_CONTEXT) && ws_handle_find(from, WS_HANDLE_CONTEXT)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t bytes)
{
    const CUresult result = check_peers(toContext, fromContext);
    return result ? result : cuMemcpyDtoD(to, from, bytes);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t bytes,
                           CUstream stream)
{
    const CUresult result = check_peers(toContext, fromContext);
    return result ? result : cuMemcpyDtoDAsync(to, from, bytes, stream);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c)
{
    return submit_and_wait(c);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream stream)
{
    return submit(stream, c);
}

static CUDA_MEMCPY3D one_slice(const CUDA_MEMCPY2D *c)
{
    return (CUDA_MEMCPY3D){.srcXInBytes = c->srcXInBytes,
                           .srcY = c->srcY,
                           .srcMemoryType = c->srcMemoryType,
                           .srcHost = c->srcHost,
                           .srcDevice = c->srcDevice,
                           .srcArray = c->srcArray,
                           .srcPitch = c->srcPitch,
                           .dstXInBytes = c->dstXInBytes,
                           .dstY = c->dstY,
                           .dstMemoryType = c->dstMemoryType,
                           .dstHost = c->dstHost,
                           .dstDevice = c->dstDevice,
                           .dstArray = c->dstArray,
                           .dstPitch = c->dstPitch,
                           .WidthInBytes = c->WidthInBytes,
                           .Height = c->Height,
                           .Depth = 1};
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c)
{
    const CUDA_MEMCPY3D slice = c ? one_slice(c) : (CUDA_MEMCPY3D){0};
    return submit_and_wait(c ? &slice : NULL);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c)
{
    return cuMemcpy2D(c);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream)
{
    const CUDA_MEMCPY3D slice = c ? one_slice(c) : (CUDA_MEMCPY3D){0};
    return submit(stream, c ? &slice : NULL);
}

/* ------------------------------------------------------------------------------------------------ fills */

CUresult ws_fill_check(const CUDA_MEMSET_NODE_PARAMS *set)
{
    size_t bytes;
    const unsigned element = set->elementSize;
    if ((element != 1 && element != 2 && element != 4) || set->dst % element ||
        __builtin_mul_overflow(set->width, (size_t)element, &bytes) || (set->height > 1 && set->pitch % element))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "fill_row() takes the low bytes of the value first");

static void fill_row(char *begin, const CUDA_MEMSET_NODE_PARAMS *set)
{
    if (set->elementSize == 1) {
        memset(begin, (int)set->value, set->width);
        return;
    }
    for (size_t x = 0; x < set->width; x++)
        memcpy(begin + x * set->elementSize, &set->value, set->elementSize);
}

/* Does a byte stand there that is another one? */
static bool fill_changes(const end *target, const CUDA_MEMSET_NODE_PARAMS *set)
{
    for (size_t y = 0; y < set->height; y++)
        for (size_t x = 0; x < set->width; x++)
            if (memcmp(target->bytes + y * set->pitch + x * set->elementSize, &set->value, set->elementSize))
                return true;
    return false;
}

CUresult ws_fill_execute(const CUDA_MEMSET_NODE_PARAMS *set, ws_cost *cost)
{
    CUresult result = ws_fill_check(set);
    *cost = ws_cost_of_fill(0);
    if (result || !set->width || !set->height)
        return result;
    end target = {.side = ON_DEVICE, .address = set->dst, .pitch = set->pitch};
    const size_t bytes = set->width * set->elementSize;
    result = check_end(&target, bytes, set->height, 1, true);
    if (result)
        return result;
    if (ws_device_overlaps(ws_the_driver.device))
        touch(&target, bytes, set->height, 1, true, fill_changes(&target, set));
    for (size_t y = 0; y < set->height; y++) {
        fill_row(target.bytes + y * set->pitch, set);
        ws_device_wrote(ws_the_driver.device, (uintptr_t)target.bytes + y * set->pitch, bytes);
    }
    ws_the_driver.copied->filled += (uint64_t)bytes * set->height;
    *cost = ws_cost_of_fill((uint64_t)bytes * set->height);
    return CUDA_SUCCESS;
}

/* Rows of `width` elements of 1, 2 or 4 bytes. The host does not wait for a fill. */
static CUresult fill(CUdeviceptr to, size_t pitch, unsigned value, unsigned element, size_t width, size_t height,
                     CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    ws_task task = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .set = {to, pitch, value, element, width, height}};
    return ws_stream_submit(context, stream, &task);
}

/* ------------------------------------------------------------------------------------------------ rows, fills */

#define COPY(name, params, call) \
    CUresult name params \
    { \
        return call; \
    }
#include "collect/cuda/cuda_copies.def"
#undef COPY
