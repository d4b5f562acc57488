/* runtime_texture.c - texture and surface objects, and the texture references of CUDA 11. */
#include "collect/cudart/cudart_internal.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ descriptions */

static cudaError_t resource_to_driver(CUDA_RESOURCE_DESC *out, const struct cudaResourceDesc *in)
{
    memset(out, 0, sizeof *out);
    out->resType = (CUresourcetype)in->resType; /* the same order */
    switch (in->resType) {
    case cudaResourceTypeArray:
        out->res.array.hArray = (CUarray)in->res.array.array;
        return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
        return cudaErrorNotSupported;
    case cudaResourceTypeLinear:
        out->res.linear.devPtr = (uintptr_t)in->res.linear.devPtr;
        out->res.linear.sizeInBytes = in->res.linear.sizeInBytes;
        return ws_rt_format_of(&in->res.linear.desc, &out->res.linear.format, &out->res.linear.numChannels);
    case cudaResourceTypePitch2D:
        out->res.pitch2D.devPtr = (uintptr_t)in->res.pitch2D.devPtr;
        out->res.pitch2D.width = in->res.pitch2D.width;
        out->res.pitch2D.height = in->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = in->res.pitch2D.pitchInBytes;
        return ws_rt_format_of(&in->res.pitch2D.desc, &out->res.pitch2D.format, &out->res.pitch2D.numChannels);
    default:
        return cudaErrorInvalidValue;
    }
}

static void resource_from_driver(struct cudaResourceDesc *out, const CUDA_RESOURCE_DESC *in)
{
    memset(out, 0, sizeof *out);
    out->resType = (enum cudaResourceType)in->resType;
    switch (in->resType) {
    case CU_RESOURCE_TYPE_LINEAR:
        out->res.linear.devPtr = (void *)(uintptr_t)in->res.linear.devPtr;
        out->res.linear.desc = ws_rt_channels_of(in->res.linear.format, in->res.linear.numChannels);
        out->res.linear.sizeInBytes = in->res.linear.sizeInBytes;
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        out->res.pitch2D.devPtr = (void *)(uintptr_t)in->res.pitch2D.devPtr;
        out->res.pitch2D.desc = ws_rt_channels_of(in->res.pitch2D.format, in->res.pitch2D.numChannels);
        out->res.pitch2D.width = in->res.pitch2D.width;
        out->res.pitch2D.height = in->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = in->res.pitch2D.pitchInBytes;
        break;
    default:
        out->res.array.array = (cudaArray_t)in->res.array.hArray;
    }
}

static void sampling_to_driver(CUDA_TEXTURE_DESC *out, const struct cudaTextureDesc *in)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (CUaddress_mode)in->addressMode[i];
    out->filterMode = (CUfilter_mode)in->filterMode;
    out->flags = (in->readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
                 (in->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) | (in->sRGB ? CU_TRSF_SRGB : 0u) |
                 (in->disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0u) |
                 (ws_cudart_major > 11 && in->seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0u);
    out->maxAnisotropy = in->maxAnisotropy;
    out->mipmapFilterMode = (CUfilter_mode)in->mipmapFilterMode;
    out->mipmapLevelBias = in->mipmapLevelBias;
    out->minMipmapLevelClamp = in->minMipmapLevelClamp;
    out->maxMipmapLevelClamp = in->maxMipmapLevelClamp;
    memcpy(out->borderColor, in->borderColor, sizeof out->borderColor);
}

static void sampling_from_driver(struct cudaTextureDesc *out, const CUDA_TEXTURE_DESC *in, bool with_seamless)
{
    memset(out, 0, offsetof(struct cudaTextureDesc, seamlessCubemap));
    if (with_seamless)
        out->seamlessCubemap = !!(in->flags & CU_TRSF_SEAMLESS_CUBEMAP);
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (enum cudaTextureAddressMode)in->addressMode[i];
    out->filterMode = (enum cudaTextureFilterMode)in->filterMode;
    out->readMode = in->flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    out->normalizedCoords = !!(in->flags & CU_TRSF_NORMALIZED_COORDINATES);
    out->sRGB = !!(in->flags & CU_TRSF_SRGB);
    out->disableTrilinearOptimization = !!(in->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
    out->maxAnisotropy = in->maxAnisotropy;
    out->mipmapFilterMode = (enum cudaTextureFilterMode)in->mipmapFilterMode;
    out->mipmapLevelBias = in->mipmapLevelBias;
    out->minMipmapLevelClamp = in->minMipmapLevelClamp;
    out->maxMipmapLevelClamp = in->maxMipmapLevelClamp;
    memcpy(out->borderColor, in->borderColor, sizeof out->borderColor);
}

/* ------------------------------------------------------------------------------------------------ objects */

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *sampling, const struct cudaResourceViewDesc *view)
{
    WS_RUNTIME_ENTER();
    CUDA_RESOURCE_DESC r;
    CUDA_TEXTURE_DESC s;
    if (!texture || !resource || !sampling)
        return ws_rt_result(cudaErrorInvalidValue);
    const cudaError_t error = resource_to_driver(&r, resource);
    if (error)
        return ws_rt_result(error);
    sampling_to_driver(&s, sampling);
    CUDA_RESOURCE_VIEW_DESC v = {.format = view ? (CUresourceViewFormat)view->format : CU_RES_VIEW_FORMAT_NONE};
    return ws_rt_from_driver(cuTexObjectCreate(texture, &r, &s, &v));
}

cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                       const struct cudaTextureDesc *sampling, const struct cudaResourceViewDesc *view)
{
    if (sampling && sampling->seamlessCubemap)
        return ws_rt_result(cudaErrorNotSupported);
    return cudaCreateTextureObject(texture, resource, sampling, view);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t texture)
{
    WS_RUNTIME_ENTER();
    CUDA_RESOURCE_DESC r;
    if (!resource)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = cuTexObjectGetResourceDesc(&r, texture);
    if (!result)
        resource_from_driver(resource, &r);
    return ws_rt_from_driver(result);
}

static cudaError_t get_sampling(struct cudaTextureDesc *sampling, cudaTextureObject_t texture, bool with_seamless)
{
    WS_RUNTIME_ENTER();
    CUDA_TEXTURE_DESC s;
    if (!sampling)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = cuTexObjectGetTextureDesc(&s, texture);
    if (!result)
        sampling_from_driver(sampling, &s, with_seamless);
    return ws_rt_from_driver(result);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *sampling, cudaTextureObject_t texture)
{
    return get_sampling(sampling, texture, ws_cudart_major > 11);
}

/* CUDA 11 has the longer form under this name. */
cudaError_t cudaGetTextureObjectTextureDesc_v2(struct cudaTextureDesc *sampling, cudaTextureObject_t texture)
{
    return get_sampling(sampling, texture, true);
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view, cudaTextureObject_t texture)
{
    WS_RUNTIME_ENTER();
    CUDA_RESOURCE_VIEW_DESC v;
    if (!view)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = cuTexObjectGetResourceViewDesc(&v, texture);
    if (!result)
        *view = (struct cudaResourceViewDesc){.format = (int)v.format};
    return ws_rt_from_driver(result);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource)
{
    WS_RUNTIME_ENTER();
    CUDA_RESOURCE_DESC r;
    if (!surface || !resource)
        return ws_rt_result(cudaErrorInvalidValue);
    const cudaError_t error = resource_to_driver(&r, resource);
    return error ? ws_rt_result(error) : ws_rt_from_driver(cuSurfObjectCreate(surface, &r));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t surface)
{
    WS_RUNTIME_ENTER();
    CUDA_RESOURCE_DESC r;
    if (!resource)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = cuSurfObjectGetResourceDesc(&r, surface);
    if (!result)
        resource_from_driver(resource, &r);
    return ws_rt_from_driver(result);
}

/* ------------------------------------------------------------------------------------------------ texture references
 */

/* How a reference samples stands in the host's variable, which the program may change before each binding. */
static CUresult set_sampling(const ws_rt_symbol *s)
{
    const struct textureReference *const host = s->host;
    const CUtexref reference = s->reference;
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < 3 && !result; i++)
        result = cuTexRefSetAddressMode(reference, i, (CUaddress_mode)host->addressMode[i]);
    if (!result)
        result = cuTexRefSetFilterMode(reference, (CUfilter_mode)host->filterMode);
    const unsigned flags = (s->normalized_float ? 0u : CU_TRSF_READ_AS_INTEGER) |
                           (host->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u) | (host->sRGB ? CU_TRSF_SRGB : 0u);
    return result ? result : cuTexRefSetFlags(reference, flags);
}

static cudaError_t begin_binding(const struct textureReference *texture, const struct cudaChannelFormatDesc *desc,
                                 ws_rt_symbol **symbol, CUarray_format *format, unsigned *channels)
{
    cudaError_t error = desc ? ws_rt_format_of(desc, format, channels) : cudaErrorInvalidValue;
    if (!error)
        error = ws_rt_find_reference(texture, WS_RT_TEXTURE, symbol);
    return error;
}

/* Integers have nothing in between, but those of 8 and 16 bits that are read as floats. Linear memory is never
 * filtered. */
static cudaError_t check_filter(const ws_rt_symbol *s, const struct cudaChannelFormatDesc *desc)
{
    const struct textureReference *const host = s->host;
    const bool floats = desc->f == cudaChannelFormatKindFloat || (s->normalized_float && desc->x < 32);
    return host->filterMode == cudaFilterModeLinear && !floats ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texture, const void *pointer,
                            const struct cudaChannelFormatDesc *desc, size_t bytes)
{
    WS_RUNTIME_ENTER();
    ws_rt_symbol *s;
    CUarray_format format;
    unsigned channels;
    const cudaError_t error = begin_binding(texture, desc, &s, &format, &channels);
    if (error)
        return ws_rt_result(error);
    CUdeviceptr base = 0;
    size_t size = 0;
    CUresult result = cuMemGetAddressRange(&base, &size, (uintptr_t)pointer);
    if (result)
        return ws_rt_result(cudaErrorInvalidValue);
    const size_t behind = size - ((uintptr_t)pointer - base); /* programs may leave the size out, which means all */
    result = cuTexRefSetFormat(s->reference, format, (int)channels);
    if (!result)
        result = cuTexRefSetAddress(offset, s->reference, (uintptr_t)pointer, bytes < behind ? bytes : behind);
    return ws_rt_from_driver(result ? result : set_sampling(s));
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texture, const void *pointer,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
    WS_RUNTIME_ENTER();
    ws_rt_symbol *s;
    CUDA_ARRAY_DESCRIPTOR form = {.Width = width, .Height = height};
    cudaError_t error = begin_binding(texture, desc, &s, &form.Format, &form.NumChannels);
    if (!error)
        error = check_filter(s, desc);
    if (error)
        return ws_rt_result(error);
    if (offset)
        *offset = 0;
    const CUresult result = cuTexRefSetAddress2D(s->reference, &form, (uintptr_t)pointer, pitch);
    return ws_rt_from_driver(result ? result : set_sampling(s));
}

cudaError_t cudaBindTextureToArray(const struct textureReference *texture, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    WS_RUNTIME_ENTER();
    ws_rt_symbol *s;
    CUarray_format format;
    unsigned channels;
    cudaError_t error = begin_binding(texture, desc, &s, &format, &channels);
    if (!error)
        error = check_filter(s, desc);
    if (error)
        return ws_rt_result(error);
    const CUresult result = cuTexRefSetArray(s->reference, (CUarray)(uintptr_t)array, CU_TRSA_OVERRIDE_FORMAT);
    return ws_rt_from_driver(result ? result : set_sampling(s));
}

/* Kernels that read it without a new binding are faulty programs; what is bound stays until then. */
cudaError_t cudaUnbindTexture(const struct textureReference *texture)
{
    WS_RUNTIME_ENTER();
    ws_rt_symbol *s;
    return ws_rt_result(ws_rt_find_reference(texture, WS_RT_TEXTURE, &s));
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texture)
{
    WS_RUNTIME_ENTER();
    ws_rt_symbol *s;
    if (!offset)
        return ws_rt_result(cudaErrorInvalidValue);
    *offset = 0; /* any address can be bound */
    return ws_rt_result(ws_rt_find_reference(texture, WS_RT_TEXTURE, &s));
}

cudaError_t cudaGetTextureReference(const struct textureReference **texture, const void *symbol)
{
    WS_RUNTIME_ENTER();
    ws_rt_symbol *s;
    if (!texture)
        return ws_rt_result(cudaErrorInvalidValue);
    const cudaError_t error = ws_rt_find_reference(symbol, WS_RT_TEXTURE, &s);
    if (!error)
        *texture = s->host;
    return ws_rt_result(error);
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surface, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    WS_RUNTIME_ENTER();
    ws_rt_symbol *s;
    if (!desc)
        return ws_rt_result(cudaErrorInvalidValue);
    const cudaError_t error = ws_rt_find_reference(surface, WS_RT_SURFACE, &s);
    return error ? ws_rt_result(error)
                 : ws_rt_from_driver(cuSurfRefSetArray(s->reference, (CUarray)(uintptr_t)array, 0));
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surface, const void *symbol)
{
    WS_RUNTIME_ENTER();
    ws_rt_symbol *s;
    if (!surface)
        return ws_rt_result(cudaErrorInvalidValue);
    const cudaError_t error = ws_rt_find_reference(symbol, WS_RT_SURFACE, &s);
    if (!error)
        *surface = s->host;
    return ws_rt_result(error);
}
