/* driver_copy.c - how do bytes get onto the device and back? Copies are counted by direction; copies inside the device and
 * fills are no traffic between host and device, so they are counted apart. */
#include "collect/cuda/driver_internal.h"

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

/* Host pointer to device bytes. Outside of live allocations it is NULL, and the reason is told. */
static void *on_device(CUdeviceptr address, uint64_t bytes)
{
    CUresult result;
    ws_device *const device = ws_driver_device(&result);
    void *const p = device ? ws_device_pointer(device, address, bytes) : NULL;
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

/* ------------------------------------------------------------------------------------------------ one dimension */

static CUresult copy(CUdeviceptr to, side to_side, CUdeviceptr from, side from_side, size_t bytes)
{
    if (!bytes)
        return CUDA_SUCCESS;
    void *const target = to_side == ON_DEVICE ? on_device(to, bytes) : (void *)(uintptr_t)to;
    if (!target)
        return CUDA_ERROR_INVALID_VALUE;
    const void *const source = from_side == ON_DEVICE ? on_device(from, bytes) : (const void *)(uintptr_t)from;
    if (!source)
        return CUDA_ERROR_INVALID_VALUE;
    memmove(target, source, bytes);
    count(to_side, from_side, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    WS_ENTER_CONTEXT(context);
    return copy(to, side_of(to), from, side_of(from), bytes);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    WS_ENTER_CONTEXT(context);
    return copy(to, ON_DEVICE, (uintptr_t)from, ON_HOST, bytes);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    WS_ENTER_CONTEXT(context);
    return copy((uintptr_t)to, ON_HOST, from, ON_DEVICE, bytes);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    WS_ENTER_CONTEXT(context);
    return copy(to, ON_DEVICE, from, ON_DEVICE, bytes);
}

/* Streams are in order and every call is done when it returns, so an asynchronous form adds a check of the stream. */
#define ON_STREAM(stream, call)                  \
    do {                                         \
        WS_ENTER_CONTEXT(context);               \
        if (!ws_stream_is_valid(stream))         \
            return CUDA_ERROR_INVALID_HANDLE;    \
        return (call);                           \
    } while (0)

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    ON_STREAM(stream, cuMemcpy(to, from, bytes));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    ON_STREAM(stream, cuMemcpyHtoD(to, from, bytes));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    ON_STREAM(stream, cuMemcpyDtoH(to, from, bytes));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    ON_STREAM(stream, cuMemcpyDtoD(to, from, bytes));
}

/* All contexts are on one device, so a peer's memory is reached like one's own. */
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t bytes)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(toContext, WS_HANDLE_CONTEXT) || !ws_handle_find(fromContext, WS_HANDLE_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    return cuMemcpyDtoD(to, from, bytes);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t bytes,
                           CUstream stream)
{
    ON_STREAM(stream, cuMemcpyPeer(to, toContext, from, fromContext, bytes));
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
    if (!a)
        return CUDA_ERROR_INVALID_HANDLE;
    *e = (end){.side = ON_DEVICE, .pitch = a->texture.pitch, .slice = a->texture.slice, .array = a, .x = c->x,
               .y = c->y, .z = c->z};
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
        __builtin_add_overflow(skip, c->x, &skip))
        return CUDA_ERROR_INVALID_VALUE;
    e->address += skip;
    return CUDA_SUCCESS;
}

static bool fits(size_t from, size_t length, size_t all)
{
    return from <= all && length <= all - from;
}

/* All rows and slices of the box, from its first byte to its last. */
static CUresult check_end(end *e, size_t width, size_t height, size_t depth)
{
    size_t span, slices;
    if (e->array && !(fits(e->x, width, e->array->row_bytes) && fits(e->y, height, e->array->rows) &&
                      fits(e->z, depth, e->array->slices)))
        return CUDA_ERROR_INVALID_VALUE;
    if ((height > 1 && e->pitch < width) || __builtin_mul_overflow(height - 1, e->pitch, &span) ||
        __builtin_add_overflow(span, width, &span) || (depth > 1 && e->slice < span) ||
        __builtin_mul_overflow(depth - 1, e->slice, &slices) || __builtin_add_overflow(span, slices, &span))
        return CUDA_ERROR_INVALID_VALUE;
    e->bytes = e->side == ON_DEVICE ? on_device(e->address, span) : (char *)(uintptr_t)e->address;
    return e->bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult copy_box(const corner *to_corner, const corner *from_corner, size_t width, size_t height, size_t depth)
{
    end to, from;
    CUresult result = resolve_end(&to, to_corner);
    if (!result)
        result = resolve_end(&from, from_corner);
    if (result || !width || !height || !depth)
        return result;
    result = check_end(&to, width, height, depth);
    if (!result)
        result = check_end(&from, width, height, depth);
    if (result)
        return result;
    for (size_t slice = 0; slice < depth; slice++)
        for (size_t row = 0; row < height; row++)
            memmove(to.bytes + slice * to.slice + row * to.pitch, from.bytes + slice * from.slice + row * from.pitch,
                    width);
    count(to.side, from.side, (uint64_t)width * height * depth);
    return CUDA_SUCCESS;
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c)
{
    WS_ENTER_CONTEXT(context);
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    const corner to = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes,
                       c->dstY,          c->dstZ,    c->dstLOD,    c->dstPitch, c->dstHeight};
    const corner from = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes,
                         c->srcY,          c->srcZ,    c->srcLOD,    c->srcPitch, c->srcHeight};
    return copy_box(&to, &from, c->WidthInBytes, c->Height, c->Depth);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream stream)
{
    ON_STREAM(stream, cuMemcpy3D(c));
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c)
{
    WS_ENTER_CONTEXT(context);
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    const corner to = {.type = c->dstMemoryType, .host = c->dstHost, .device = c->dstDevice, .array = c->dstArray,
                       .x = c->dstXInBytes, .y = c->dstY, .pitch = c->dstPitch};
    const corner from = {.type = c->srcMemoryType, .host = c->srcHost, .device = c->srcDevice, .array = c->srcArray,
                         .x = c->srcXInBytes, .y = c->srcY, .pitch = c->srcPitch};
    return copy_box(&to, &from, c->WidthInBytes, c->Height, 1);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c)
{
    return cuMemcpy2D(c);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream)
{
    ON_STREAM(stream, cuMemcpy2D(c));
}

/* ------------------------------------------------------------------------------------------------ arrays of one row */

static corner row_of(CUarray array, size_t at)
{
    return (corner){.type = CU_MEMORYTYPE_ARRAY, .array = array, .x = at};
}

static CUresult copy_row(const corner *to, const corner *from, size_t bytes)
{
    WS_ENTER_CONTEXT(context);
    return copy_box(to, from, bytes, 1, 1);
}

CUresult cuMemcpyHtoA(CUarray to, size_t at, const void *from, size_t bytes)
{
    const corner row = row_of(to, at), source = {.type = CU_MEMORYTYPE_HOST, .host = from};
    return copy_row(&row, &source, bytes);
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t at, size_t bytes)
{
    const corner row = row_of(from, at), target = {.type = CU_MEMORYTYPE_HOST, .host = to};
    return copy_row(&target, &row, bytes);
}

CUresult cuMemcpyDtoA(CUarray to, size_t at, CUdeviceptr from, size_t bytes)
{
    const corner row = row_of(to, at), source = {.type = CU_MEMORYTYPE_DEVICE, .device = from};
    return copy_row(&row, &source, bytes);
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t at, size_t bytes)
{
    const corner row = row_of(from, at), target = {.type = CU_MEMORYTYPE_DEVICE, .device = to};
    return copy_row(&target, &row, bytes);
}

CUresult cuMemcpyAtoA(CUarray to, size_t toAt, CUarray from, size_t fromAt, size_t bytes)
{
    const corner target = row_of(to, toAt), source = row_of(from, fromAt);
    return copy_row(&target, &source, bytes);
}

CUresult cuMemcpyHtoAAsync(CUarray to, size_t at, const void *from, size_t bytes, CUstream stream)
{
    ON_STREAM(stream, cuMemcpyHtoA(to, at, from, bytes));
}

CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t at, size_t bytes, CUstream stream)
{
    ON_STREAM(stream, cuMemcpyAtoH(to, from, at, bytes));
}

/* ------------------------------------------------------------------------------------------------ fills */

/* Rows of `width` elements of 1, 2 or 4 bytes. */
static CUresult fill(CUdeviceptr to, size_t pitch, unsigned value, unsigned element, size_t width, size_t height)
{
    WS_ENTER_CONTEXT(context);
    size_t row;
    if (to % element || __builtin_mul_overflow(width, (size_t)element, &row))
        return CUDA_ERROR_INVALID_VALUE;
    if (!width || !height)
        return CUDA_SUCCESS;
    if (height > 1 && pitch % element)
        return CUDA_ERROR_INVALID_VALUE;
    end target = {.side = ON_DEVICE, .address = to, .pitch = pitch};
    const CUresult result = check_end(&target, row, height, 1);
    if (result)
        return result;
    ws_the_driver.copied->filled += (uint64_t)row * height;
    for (size_t y = 0; y < height; y++) {
        char *const begin = target.bytes + y * pitch;
        if (element == 1) {
            memset(begin, (int)value, width);
            continue;
        }
        for (size_t x = 0; x < width; x++)
            memcpy(begin + x * element, &value, element); /* the low bytes: the machines we run on are little-endian */
    }
    return CUDA_SUCCESS;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "fill() takes the low bytes of the value first");

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t n)
{
    return fill(to, 0, value, 1, n, 1);
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t n)
{
    return fill(to, 0, value, 2, n, 1);
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t n)
{
    return fill(to, 0, value, 4, n, 1);
}

CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height)
{
    return fill(to, pitch, value, 1, width, height);
}

CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height)
{
    return fill(to, pitch, value, 2, width, height);
}

CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height)
{
    return fill(to, pitch, value, 4, width, height);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream stream)
{
    ON_STREAM(stream, cuMemsetD8(to, value, n));
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t n, CUstream stream)
{
    ON_STREAM(stream, cuMemsetD16(to, value, n));
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t n, CUstream stream)
{
    ON_STREAM(stream, cuMemsetD32(to, value, n));
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream)
{
    ON_STREAM(stream, cuMemsetD2D8(to, pitch, value, width, height));
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream)
{
    ON_STREAM(stream, cuMemsetD2D16(to, pitch, value, width, height));
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height,
                            CUstream stream)
{
    ON_STREAM(stream, cuMemsetD2D32(to, pitch, value, width, height));
}
