/* driver_array.c - where do the texels of an array stand? In rows, one behind the other, padded to a whole number of
 * ROW_BYTES; hardware keeps its order to itself, so programs cannot tell. */
#include "collect/cuda/driver_internal.h"

#include "base/status.h"

#include <stdlib.h>

enum { ROW_BYTES = 32 };

bool ws_texel_of(CUarray_format format, ws_texel *out)
{
    static const struct {
        CUarray_format format;
        ws_texel texel;
    } known[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, WS_TEXEL_U8},   {CU_AD_FORMAT_UNSIGNED_INT16, WS_TEXEL_U16},
        {CU_AD_FORMAT_UNSIGNED_INT32, WS_TEXEL_U32}, {CU_AD_FORMAT_SIGNED_INT8, WS_TEXEL_S8},
        {CU_AD_FORMAT_SIGNED_INT16, WS_TEXEL_S16},   {CU_AD_FORMAT_SIGNED_INT32, WS_TEXEL_S32},
        {CU_AD_FORMAT_HALF, WS_TEXEL_F16},           {CU_AD_FORMAT_FLOAT, WS_TEXEL_F32},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].format == format) {
            *out = known[i].texel;
            return true;
        }
    }
    return false;
}

/* No larger than the attributes of the device allow. */
static bool within_limits(const CUDA_ARRAY3D_DESCRIPTOR *form)
{
    const bool layered = form->Flags & CUDA_ARRAY3D_LAYERED, cube = form->Flags & CUDA_ARRAY3D_CUBEMAP;
    const bool deep = form->Depth && !layered && !cube;
    const CUdevice_attribute width = layered ? CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH
                                     : cube  ? CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH
                                     : deep  ? CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH
                                             : CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH;
    const CUdevice_attribute height = layered ? CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT
                                      : cube  ? CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH
                                      : deep  ? CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT
                                              : CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT;
    const CUdevice_attribute depth = layered || cube ? CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS
                                                     : CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH;
    return form->Width <= (size_t)ws_device_attribute(width) && form->Height <= (size_t)ws_device_attribute(height) &&
           form->Depth <= (size_t)ws_device_attribute(depth);
}

/* Layers and cubes use the depth of the description for their number. */
static bool shape_of(const CUDA_ARRAY3D_DESCRIPTOR *form, ws_texture *out)
{
    const bool layered = form->Flags & CUDA_ARRAY3D_LAYERED, cube = form->Flags & CUDA_ARRAY3D_CUBEMAP;
    ws_texel texel;
    if (!form->Width || !within_limits(form) || !ws_texel_of(form->Format, &texel) ||
        (form->NumChannels != 1 && form->NumChannels != 2 && form->NumChannels != 4))
        return false;
    if (layered || cube ? !form->Depth : form->Depth && !form->Height)
        return false;
    if (cube &&
        (form->Width != form->Height || form->Depth % WS_CUBE_FACES || (!layered && form->Depth != WS_CUBE_FACES)))
        return false;
    *out = (ws_texture){.width = (uint32_t)form->Width,
                        .height = (uint32_t)form->Height,
                        .depth = layered || cube ? 0 : (uint32_t)form->Depth,
                        .layers = layered || cube ? (uint32_t)form->Depth : 0,
                        .texel = (uint8_t)texel,
                        .channels = (uint8_t)form->NumChannels,
                        .cube = cube};
    return true;
}

static CUresult lay_out(CUarray a)
{
    ws_texture *const t = &a->texture;
    CUresult result;
    ws_device *const device = ws_driver_device(&result);
    if (!device)
        return result;
    a->row_bytes = (size_t)t->width * t->channels * ws_texel_bytes(t->texel);
    a->rows = t->height ? t->height : 1;
    a->slices = a->form.Depth ? a->form.Depth : 1;
    t->pitch = (a->row_bytes + ROW_BYTES - 1) / ROW_BYTES * ROW_BYTES;
    uint64_t bytes;
    if (__builtin_mul_overflow(t->pitch, (uint64_t)a->rows, &t->slice) ||
        __builtin_mul_overflow(t->slice, (uint64_t)a->slices, &bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    return ws_driver_report(ws_device_alloc(device, bytes, &t->address));
}

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *form)
{
    static const unsigned known =
        CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER;
    WS_ENTER_CONTEXT(context);
    if (!array || !form || form->Flags & ~known)
        return CUDA_ERROR_INVALID_VALUE;
    const CUarray a = calloc(1, sizeof *a);
    if (!a)
        return CUDA_ERROR_OUT_OF_MEMORY;
    a->form = *form;
    const CUresult result = shape_of(form, &a->texture) ? lay_out(a) : CUDA_ERROR_INVALID_VALUE;
    if (result) {
        free(a);
        return result;
    }
    ws_handle_add(&a->handle, (uintptr_t)a, WS_HANDLE_ARRAY, context);
    *array = a;
    return CUDA_SUCCESS;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *form)
{
    if (!form)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_ARRAY3D_DESCRIPTOR full = {
        .Width = form->Width, .Height = form->Height, .Format = form->Format, .NumChannels = form->NumChannels};
    return cuArray3DCreate(array, &full);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *form, CUarray array)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(array, WS_HANDLE_ARRAY))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!form)
        return CUDA_ERROR_INVALID_VALUE;
    *form = array->form;
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *form, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR full;
    const CUresult result = cuArray3DGetDescriptor(form ? &full : NULL, array);
    if (!result)
        *form = (CUDA_ARRAY_DESCRIPTOR){full.Width, full.Height, full.Format, full.NumChannels};
    return result;
}

void ws_array_release(CUarray array)
{
    ws_handle_remove(&array->handle);
    ws_device_free(ws_the_driver.device, array->texture.address);
    free(array);
}

CUresult cuArrayDestroy(CUarray array)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(array, WS_HANDLE_ARRAY))
        return CUDA_ERROR_INVALID_HANDLE;
    ws_array_release(array);
    return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *form, unsigned int levels)
{
    WS_ENTER_CONTEXT(context);
    (void)array, (void)form, (void)levels;
    ws_fail(WS_EUNSUPPORTED, "mipmapped arrays are not supported");
    return ws_driver_report(WS_EUNSUPPORTED);
}
