/* runtime_array.c - arrays, and copies to and from them. */
#include "collect/cudart/cudart_internal.h"

/* ------------------------------------------------------------------------------------------------ formats */

static const struct {
    CUarray_format format;
    int bits;
    enum cudaChannelFormatKind kind;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

/* Channels are x, xy or xyzw, all of x's size. */
cudaError_t ws_rt_format_of(const struct cudaChannelFormatDesc *desc, CUarray_format *format, unsigned *channels)
{
    const int bits[4] = {desc->x, desc->y, desc->z, desc->w};
    unsigned n = 0;
    while (n < 4 && bits[n] == desc->x)
        n++;
    for (unsigned i = n; i < 4; i++) {
        if (bits[i])
            return cudaErrorInvalidChannelDescriptor;
    }
    for (size_t i = 0; n != 3 && i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].bits == desc->x && formats[i].kind == desc->f) {
            *format = formats[i].format;
            *channels = n;
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidChannelDescriptor;
}

struct cudaChannelFormatDesc ws_rt_channels_of(CUarray_format format, unsigned channels)
{
    struct cudaChannelFormatDesc desc = {.f = cudaChannelFormatKindNone};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].format == format)
            desc = (struct cudaChannelFormatDesc){formats[i].bits, channels > 1 ? formats[i].bits : 0,
                                                  channels > 2 ? formats[i].bits : 0,
                                                  channels > 3 ? formats[i].bits : 0, formats[i].kind};
    }
    return desc;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

/* ------------------------------------------------------------------------------------------------ life */

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                              unsigned int flags)
{
    WS_RUNTIME_ENTER();
    CUDA_ARRAY3D_DESCRIPTOR form = {
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    CUarray made = NULL;
    if (!array || !desc)
        return ws_rt_result(cudaErrorInvalidValue);
    const cudaError_t error = ws_rt_format_of(desc, &form.Format, &form.NumChannels);
    if (error)
        return ws_rt_result(error);
    const CUresult result = cuArray3DCreate(&made, &form);
    if (!result)
        *array = (cudaArray_t)made;
    return ws_rt_from_driver(result);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                            unsigned int flags)
{
    const struct cudaExtent extent = {width, height, 0};
    if (flags & ~(unsigned)(cudaArraySurfaceLoadStore | cudaArrayTextureGather))
        return ws_rt_result(cudaErrorInvalidValue);
    return cudaMalloc3DArray(array, desc, extent, flags);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array)
{
    WS_RUNTIME_ENTER();
    CUDA_ARRAY3D_DESCRIPTOR form;
    const CUresult result = cuArray3DGetDescriptor(&form, (CUarray)array);
    if (result)
        return ws_rt_from_driver(result);
    if (desc)
        *desc = ws_rt_channels_of(form.Format, form.NumChannels);
    if (extent)
        *extent = (struct cudaExtent){form.Width, form.Height, form.Depth};
    if (flags)
        *flags = form.Flags;
    return cudaSuccess;
}

/* The driver says that there are none. */
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int levels, unsigned int flags)
{
    WS_RUNTIME_ENTER();
    CUDA_ARRAY3D_DESCRIPTOR form = {
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    CUmipmappedArray made = NULL;
    if (!array || !desc)
        return ws_rt_result(cudaErrorInvalidValue);
    return ws_rt_from_driver(cuMipmappedArrayCreate(&made, &form, levels));
}

/* ------------------------------------------------------------------------------------------------ boxes */

static CUarray driver_array(cudaArray_const_t array)
{
    return (CUarray)(uintptr_t)array;
}

/* Bytes of an element and of a row; 0 when there is no such array. */
static size_t element_bytes(cudaArray_const_t array, size_t *row_bytes)
{
    CUDA_ARRAY3D_DESCRIPTOR form;
    CUresult result = cuArray3DGetDescriptor(&form, driver_array(array));
    if (result)
        return 0;
    const struct cudaChannelFormatDesc desc = ws_rt_channels_of(form.Format, form.NumChannels);
    const size_t bytes = (size_t)desc.x / 8 * form.NumChannels;
    if (row_bytes)
        *row_bytes = form.Width * bytes;
    return bytes;
}

/* Widths are elements where an array takes part, and bytes otherwise. */
cudaError_t ws_rt_box_of(CUDA_MEMCPY3D *c, const struct cudaMemcpy3DParms *p)
{
    CUmemorytype to, from;
    size_t unit = 1;
    if ((!p->srcArray) == (!p->srcPtr.ptr) || (!p->dstArray) == (!p->dstPtr.ptr))
        return cudaErrorInvalidValue; /* one of the two says where */
    if (!ws_rt_ends_of(p->kind, &to, &from))
        return cudaErrorInvalidMemcpyDirection;
    const size_t source_unit = p->srcArray ? element_bytes(p->srcArray, NULL) : 1;
    const size_t target_unit = p->dstArray ? element_bytes(p->dstArray, NULL) : 1;
    if (!source_unit || !target_unit)
        return cudaErrorInvalidResourceHandle;
    if (p->srcArray && p->dstArray && source_unit != target_unit)
        return cudaErrorInvalidValue;
    unit = p->srcArray ? source_unit : target_unit;
    size_t source_x, target_x, width;
    if (__builtin_mul_overflow(p->srcPos.x, source_unit, &source_x) ||
        __builtin_mul_overflow(p->dstPos.x, target_unit, &target_x) ||
        __builtin_mul_overflow(p->extent.width, unit, &width))
        return cudaErrorInvalidValue;
    *c = (CUDA_MEMCPY3D){.srcXInBytes = source_x,
                         .srcY = p->srcPos.y,
                         .srcZ = p->srcPos.z,
                         .srcMemoryType = p->srcArray ? CU_MEMORYTYPE_ARRAY : from,
                         .srcHost = p->srcPtr.ptr,
                         .srcDevice = (uintptr_t)p->srcPtr.ptr,
                         .srcArray = driver_array(p->srcArray),
                         .srcPitch = p->srcPtr.pitch,
                         .srcHeight = p->srcPtr.ysize,
                         .dstXInBytes = target_x,
                         .dstY = p->dstPos.y,
                         .dstZ = p->dstPos.z,
                         .dstMemoryType = p->dstArray ? CU_MEMORYTYPE_ARRAY : to,
                         .dstHost = p->dstPtr.ptr,
                         .dstDevice = (uintptr_t)p->dstPtr.ptr,
                         .dstArray = driver_array(p->dstArray),
                         .dstPitch = p->dstPtr.pitch,
                         .dstHeight = p->dstPtr.ysize,
                         .WidthInBytes = width,
                         .Height = p->extent.height,
                         .Depth = p->extent.depth};
    return cudaSuccess;
}

static enum cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from)
{
    if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (to == CU_MEMORYTYPE_HOST)
        return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

cudaError_t ws_rt_parms_of(struct cudaMemcpy3DParms *out, const CUDA_MEMCPY3D *c)
{
    const size_t source_unit = c->srcArray ? element_bytes((cudaArray_const_t)c->srcArray, NULL) : 1;
    const size_t target_unit = c->dstArray ? element_bytes((cudaArray_const_t)c->dstArray, NULL) : 1;
    if (!source_unit || !target_unit)
        return cudaErrorInvalidResourceHandle;
    const void *const from = c->srcMemoryType == CU_MEMORYTYPE_HOST ? c->srcHost : (void *)(uintptr_t)c->srcDevice;
    void *const to = c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost : (void *)(uintptr_t)c->dstDevice;
    *out = (struct cudaMemcpy3DParms){
        .srcArray = (cudaArray_t)c->srcArray,
        .srcPos = {c->srcXInBytes / source_unit, c->srcY, c->srcZ},
        .srcPtr = {c->srcArray ? NULL : (void *)(uintptr_t)from, c->srcPitch, c->srcPitch, c->srcHeight},
        .dstArray = (cudaArray_t)c->dstArray,
        .dstPos = {c->dstXInBytes / target_unit, c->dstY, c->dstZ},
        .dstPtr = {c->dstArray ? NULL : to, c->dstPitch, c->dstPitch, c->dstHeight},
        .extent = {c->WidthInBytes / (c->srcArray ? source_unit : target_unit), c->Height, c->Depth},
        .kind = kind_of(c->dstMemoryType, c->srcMemoryType)};
    return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy)
{
    WS_RUNTIME_ENTER();
    CUDA_MEMCPY3D c;
    const cudaError_t error = copy ? ws_rt_box_of(&c, copy) : cudaErrorInvalidValue;
    return error ? ws_rt_result(error) : ws_rt_from_driver(cuMemcpy3D(&c));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    CUDA_MEMCPY3D c;
    const cudaError_t error = copy ? ws_rt_box_of(&c, copy) : cudaErrorInvalidValue;
    return error ? ws_rt_result(error) : ws_rt_from_driver(cuMemcpy3DAsync(&c, stream));
}

static cudaError_t without_peers(struct cudaMemcpy3DParms *out, const struct cudaMemcpy3DPeerParms *copy)
{
    if (!copy)
        return cudaErrorInvalidValue;
    if (copy->srcDevice || copy->dstDevice)
        return cudaErrorInvalidDevice;
    *out = (struct cudaMemcpy3DParms){copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray,
                                      copy->dstPos,   copy->dstPtr, copy->extent, cudaMemcpyDeviceToDevice};
    return cudaSuccess;
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy)
{
    struct cudaMemcpy3DParms plain;
    const cudaError_t error = without_peers(&plain, copy);
    return error ? ws_rt_result(error) : cudaMemcpy3D(&plain);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy, cudaStream_t stream)
{
    struct cudaMemcpy3DParms plain;
    const cudaError_t error = without_peers(&plain, copy);
    return error ? ws_rt_result(error) : cudaMemcpy3DAsync(&plain, stream);
}

/* ------------------------------------------------------------------------------------------------ rows */

/* One end of a copy of rows: an array with a place in it, or plain memory. */
typedef struct rows {
    cudaArray_const_t array; /* NULL: plain memory */
    size_t x, y;             /* x in bytes */
    const void *memory;
    size_t pitch;
} rows;

static cudaError_t describe(CUDA_MEMCPY2D *c, const rows *to, const rows *from, size_t width, size_t height,
                            enum cudaMemcpyKind kind)
{
    CUmemorytype to_type, from_type;
    if (!ws_rt_ends_of(kind, &to_type, &from_type))
        return cudaErrorInvalidMemcpyDirection;
    *c = (CUDA_MEMCPY2D){.srcXInBytes = from->x,
                         .srcY = from->y,
                         .srcMemoryType = from->array ? CU_MEMORYTYPE_ARRAY : from_type,
                         .srcHost = from->memory,
                         .srcDevice = (uintptr_t)from->memory,
                         .srcArray = driver_array(from->array),
                         .srcPitch = from->pitch,
                         .dstXInBytes = to->x,
                         .dstY = to->y,
                         .dstMemoryType = to->array ? CU_MEMORYTYPE_ARRAY : to_type,
                         .dstHost = (void *)(uintptr_t)to->memory,
                         .dstDevice = (uintptr_t)to->memory,
                         .dstArray = driver_array(to->array),
                         .dstPitch = to->pitch,
                         .WidthInBytes = width,
                         .Height = height};
    const bool narrow = (!to->array && to->pitch < width) || (!from->array && from->pitch < width);
    return height > 1 && narrow ? cudaErrorInvalidPitchValue : cudaSuccess;
}

static cudaError_t copy_rows(const rows *to, const rows *from, size_t width, size_t height, enum cudaMemcpyKind kind,
                             cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    CUDA_MEMCPY2D c;
    const cudaError_t error = describe(&c, to, from, width, height, kind);
    return error ? ws_rt_result(error) : ws_rt_from_driver(cuMemcpy2DAsync(&c, stream));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const rows target = {.array = to, .x = x, .y = y}, source = {.memory = from, .pitch = pitch};
    return to ? copy_rows(&target, &source, width, height, kind, stream) : ws_rt_result(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const rows target = {.memory = to, .pitch = pitch}, source = {.array = from, .x = x, .y = y};
    return from ? copy_rows(&target, &source, width, height, kind, stream)
                : ws_rt_result(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    const rows target = {.array = to, .x = to_x, .y = to_y}, source = {.array = from, .x = from_x, .y = from_y};
    return to && from ? copy_rows(&target, &source, width, height, kind, NULL)
                      : ws_rt_result(cudaErrorInvalidResourceHandle);
}

/* ------------------------------------------------------------------------------------------------ bytes in a row's
 * order */

static void advance(rows *end, size_t row_bytes, size_t bytes)
{
    if (end->array) {
        end->y += (end->x + bytes) / row_bytes;
        end->x = (end->x + bytes) % row_bytes;
    } else {
        end->memory = (const char *)end->memory + bytes;
    }
}

/* The bytes of an array follow each other row by row; what is copied may begin and end inside of one. */
static cudaError_t copy_bytes(rows to, rows from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    size_t to_row = 0, from_row = 0;
    cudaError_t error = cudaSuccess;
    if ((to.array && !element_bytes(to.array, &to_row)) || (from.array && !element_bytes(from.array, &from_row)) ||
        (!to.array && !to.memory) || (!from.array && !from.memory))
        return ws_rt_result(cudaErrorInvalidResourceHandle);
    if ((to_row && to.x >= to_row) || (from_row && from.x >= from_row))
        return ws_rt_result(cudaErrorInvalidValue);
    while (bytes && !error) {
        size_t part = bytes;
        if (to_row && part > to_row - to.x)
            part = to_row - to.x;
        if (from_row && part > from_row - from.x)
            part = from_row - from.x;
        error = copy_rows(&to, &from, part, 1, kind, stream);
        advance(&to, to_row, part);
        advance(&from, from_row, part);
        bytes -= part;
    }
    return error;
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const rows target = {.array = to, .x = x, .y = y}, source = {.memory = from};
    return copy_bytes(target, source, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const rows target = {.memory = to}, source = {.array = from, .x = x, .y = y};
    return copy_bytes(target, source, bytes, kind, stream);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                   size_t from_y, size_t bytes, enum cudaMemcpyKind kind)
{
    const rows target = {.array = to, .x = to_x, .y = to_y}, source = {.array = from, .x = from_x, .y = from_y};
    return copy_bytes(target, source, bytes, kind, NULL);
}
