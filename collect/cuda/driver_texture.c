/* driver_texture.c - what do texture and surface objects and references read, and how?
 *
 * Objects and references are described alike, by a resource and a way of sampling. A reference is a variable of a
 * module that calls of the host change piece by piece; after each piece it is bound anew when it has a resource. */
#include "collect/cuda/driver_internal.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#define RESOURCE_UNSET ((CUresourcetype)-1)

/* ------------------------------------------------------------------------------------------------ descriptions */

/* The memory of a resource and the form of its texels. */
static CUresult memory_of(const CUDA_RESOURCE_DESC *r, ws_texture *out)
{
    CUarray_format format;
    unsigned channels;
    ws_texel texel;
    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY: {
        const CUarray array = ws_handle_find(r->res.array.hArray, WS_HANDLE_ARRAY);
        if (!array)
            return CUDA_ERROR_INVALID_HANDLE;
        *out = array->texture;
        return CUDA_SUCCESS;
    }
    case CU_RESOURCE_TYPE_LINEAR:
        format = r->res.linear.format;
        channels = r->res.linear.numChannels;
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        format = r->res.pitch2D.format;
        channels = r->res.pitch2D.numChannels;
        break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!ws_texel_of(format, &texel) || !channels || channels > 4)
        return CUDA_ERROR_INVALID_VALUE;
    *out = (ws_texture){.texel = (uint8_t)texel, .channels = (uint8_t)channels};
    const size_t bytes = (size_t)channels * ws_texel_bytes(texel);
    if (r->resType == CU_RESOURCE_TYPE_LINEAR) {
        const size_t texels = r->res.linear.sizeInBytes / bytes;
        if (texels > WS_TEXTURE_MOST)
            return CUDA_ERROR_INVALID_VALUE;
        out->address = r->res.linear.devPtr;
        out->width = (uint32_t)texels;
        out->by_index = true;
    } else {
        if (r->res.pitch2D.width > WS_TEXTURE_MOST || !r->res.pitch2D.height ||
            r->res.pitch2D.height > WS_TEXTURE_MOST)
            return CUDA_ERROR_INVALID_VALUE;
        out->address = r->res.pitch2D.devPtr;
        out->width = (uint32_t)r->res.pitch2D.width;
        out->height = (uint32_t)r->res.pitch2D.height;
        out->pitch = r->res.pitch2D.pitchInBytes;
    }
    return CUDA_SUCCESS;
}

static CUresult sampling_of(const CUDA_TEXTURE_DESC *s, ws_texture *out)
{
    static const unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                                  CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    if (s->flags & CU_TRSF_SEAMLESS_CUBEMAP)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (s->flags & ~known || (unsigned)s->filterMode > CU_TR_FILTER_MODE_LINEAR)
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < 3; i++) {
        if ((unsigned)s->addressMode[i] > CU_TR_ADDRESS_MODE_BORDER)
            return CUDA_ERROR_INVALID_VALUE;
        out->sampler.edge[i] = (uint8_t)s->addressMode[i]; /* the same order as ws_edge */
    }
    out->sampler.linear = s->filterMode == CU_TR_FILTER_MODE_LINEAR;
    out->sampler.normalized = s->flags & CU_TRSF_NORMALIZED_COORDINATES;
    out->as_float = !(s->flags & CU_TRSF_READ_AS_INTEGER);
    out->srgb = s->flags & CU_TRSF_SRGB;
    memcpy(out->sampler.border, s->borderColor, sizeof out->sampler.border);
    const bool floats = out->texel >= WS_TEXEL_F16 || (out->as_float && ws_texel_bytes(out->texel) < 4);
    return out->sampler.linear && !floats && !out->by_index ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

_Static_assert((int)CU_TR_ADDRESS_MODE_BORDER == (int)WS_EDGE_BORDER && (int)CU_TR_ADDRESS_MODE_MIRROR == (int)WS_EDGE_MIRROR,
               "addressing modes have the same numbers");

/* ------------------------------------------------------------------------------------------------ objects */

static CUresult make_object(CUcontext context, bool surface, const CUDA_RESOURCE_DESC *resource,
                            const CUDA_TEXTURE_DESC *sampling, unsigned long long *out)
{
    ws_texture form;
    CUresult result = memory_of(resource, &form);
    if (!result && !surface)
        result = sampling_of(sampling, &form);
    if (result)
        return result;
    ws_device *const device = ws_driver_device(&result);
    ws_texture_object *const o = device ? calloc(1, sizeof *o) : NULL;
    if (!o)
        return result ? result : CUDA_ERROR_OUT_OF_MEMORY;
    const int status = ws_texture_create(device, surface ? WS_IS_SURFACE : WS_IS_TEXTURE, &form, &o->number);
    if (status) {
        free(o);
        return ws_driver_report(status);
    }
    o->surface = surface;
    o->resource = *resource;
    if (!surface)
        o->sampling = *sampling;
    ws_handle_add(&o->handle, WS_TEXTURE_KEY(o->number), WS_HANDLE_TEXTURE, context);
    *out = o->number;
    return CUDA_SUCCESS;
}

static ws_texture_object *find_object(unsigned long long number, bool surface)
{
    ws_texture_object *const o = ws_handle_find((const void *)WS_TEXTURE_KEY(number), WS_HANDLE_TEXTURE);
    return o && o->surface == surface ? o : NULL;
}

void ws_texture_object_release(ws_texture_object *object)
{
    ws_handle_remove(&object->handle);
    ws_texture_destroy(ws_the_driver.device, object->number);
    free(object);
}

static CUresult destroy_object(unsigned long long number, bool surface)
{
    WS_ENTER_CONTEXT(context);
    ws_texture_object *const o = find_object(number, surface);
    if (!o)
        return CUDA_ERROR_INVALID_VALUE;
    ws_texture_object_release(o);
    return CUDA_SUCCESS;
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *sampling,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    WS_ENTER_CONTEXT(context);
    if (!texture || !resource || !sampling)
        return CUDA_ERROR_INVALID_VALUE;
    if (view && view->format != CU_RES_VIEW_FORMAT_NONE) {
        ws_fail(WS_EUNSUPPORTED, "textures that see their memory in another format are not supported");
        return ws_driver_report(WS_EUNSUPPORTED);
    }
    return make_object(context, false, resource, sampling, texture);
}

CUresult cuTexObjectDestroy(CUtexObject texture)
{
    return destroy_object(texture, false);
}

CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource)
{
    WS_ENTER_CONTEXT(context);
    if (!surface || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    const CUarray array = ws_handle_find(resource->res.array.hArray, WS_HANDLE_ARRAY);
    if (!array)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!(array->form.Flags & CUDA_ARRAY3D_SURFACE_LDST))
        return CUDA_ERROR_INVALID_VALUE;
    return make_object(context, true, resource, NULL, surface);
}

CUresult cuSurfObjectDestroy(CUsurfObject surface)
{
    return destroy_object(surface, true);
}

static CUresult resource_of(unsigned long long number, bool surface, CUDA_RESOURCE_DESC *out)
{
    WS_ENTER_CONTEXT(context);
    const ws_texture_object *const o = find_object(number, surface);
    if (!o || !out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = o->resource;
    return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject texture)
{
    return resource_of(texture, false, resource);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject surface)
{
    return resource_of(surface, true, resource);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *sampling, CUtexObject texture)
{
    WS_ENTER_CONTEXT(context);
    const ws_texture_object *const o = find_object(texture, false);
    if (!o || !sampling)
        return CUDA_ERROR_INVALID_VALUE;
    *sampling = o->sampling;
    return CUDA_SUCCESS;
}

/* Every object here has the format of its resource. */
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject texture)
{
    WS_ENTER_CONTEXT(context);
    if (!find_object(texture, false) || !view)
        return CUDA_ERROR_INVALID_VALUE;
    *view = (CUDA_RESOURCE_VIEW_DESC){.format = CU_RES_VIEW_FORMAT_NONE};
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ references */

static struct CUtexref_st *find_reference(CUmodule module, uint64_t number)
{
    for (ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        struct CUtexref_st *const r = (struct CUtexref_st *)h;
        if (h->kind == WS_HANDLE_TEXREF && r->module == module && (!number || r->number == number))
            return r;
    }
    return NULL;
}

void ws_module_release_references(CUmodule module)
{
    for (struct CUtexref_st *r; (r = find_reference(module, 0));) {
        ws_handle_remove(&r->handle);
        free(r);
    }
}

static CUresult get_reference(struct CUtexref_st **out, CUmodule module, const char *name, bool surface)
{
    WS_ENTER_CONTEXT(context);
    if (!out || !name)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ws_handle_find(module, WS_HANDLE_MODULE))
        return CUDA_ERROR_INVALID_HANDLE;
    ws_texture_kind kind;
    uint64_t number;
    if (ws_image_texture(module->image, name, &kind, &number) ||
        kind != (surface ? WS_IS_SURFACE : WS_IS_TEXTURE))
        return CUDA_ERROR_NOT_FOUND;
    struct CUtexref_st *r = find_reference(module, number);
    if (!r) {
        r = calloc(1, sizeof *r);
        if (!r)
            return CUDA_ERROR_OUT_OF_MEMORY;
        r->module = module;
        r->number = number;
        r->surface = surface;
        r->resource.resType = RESOURCE_UNSET;
        r->resource.res.linear.format = CU_AD_FORMAT_FLOAT;
        r->resource.res.linear.numChannels = 1;
        r->sampling.addressMode[0] = r->sampling.addressMode[1] = r->sampling.addressMode[2] =
            CU_TR_ADDRESS_MODE_CLAMP;
        ws_handle_add(&r->handle, (uintptr_t)r, WS_HANDLE_TEXREF, module->handle.owner);
    }
    *out = r;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name)
{
    return get_reference(reference, module, name, false);
}

CUresult cuModuleGetSurfRef(CUsurfref *reference, CUmodule module, const char *name)
{
    return get_reference((struct CUtexref_st **)reference, module, name, true);
}

static bool is_reference(const void *reference, bool surface)
{
    const struct CUtexref_st *const r = ws_handle_find(reference, WS_HANDLE_TEXREF);
    return r && r->surface == surface;
}

/* Takes over a changed description when it is possible. */
static CUresult change(struct CUtexref_st *r, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *sampling)
{
    if (resource->resType != RESOURCE_UNSET) {
        ws_texture form;
        CUresult result = memory_of(resource, &form);
        if (!result && !r->surface)
            result = sampling_of(sampling, &form);
        if (result)
            return result;
        const int status = ws_texture_bind(ws_the_driver.device, r->number, &form);
        if (status)
            return ws_driver_report(status);
    }
    r->resource = *resource;
    r->sampling = *sampling;
    return CUDA_SUCCESS;
}

#define ENTER_REFERENCE(reference)               \
    WS_ENTER_CONTEXT(context);                   \
    if (!is_reference(reference, false))         \
        return CUDA_ERROR_INVALID_HANDLE;        \
    CUDA_RESOURCE_DESC resource = (reference)->resource; \
    CUDA_TEXTURE_DESC sampling = (reference)->sampling

CUresult cuTexRefSetArray(CUtexref reference, CUarray array, unsigned int flags)
{
    ENTER_REFERENCE(reference);
    if (flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT)
        return CUDA_ERROR_INVALID_VALUE;
    resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    return change(reference, &resource, &sampling);
}

/* Any address will do here, so there is never an offset that a kernel would have to add. */
CUresult cuTexRefSetAddress(size_t *offset, CUtexref reference, CUdeviceptr address, size_t bytes)
{
    ENTER_REFERENCE(reference);
    if (resource.resType == CU_RESOURCE_TYPE_ARRAY)
        resource = (CUDA_RESOURCE_DESC){.res.linear = {.format = CU_AD_FORMAT_FLOAT, .numChannels = 1}};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = address;
    resource.res.linear.sizeInBytes = bytes;
    if (offset)
        *offset = 0;
    return change(reference, &resource, &sampling);
}

CUresult cuTexRefSetAddress2D(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR *form, CUdeviceptr address, size_t pitch)
{
    ENTER_REFERENCE(reference);
    if (!form)
        return CUDA_ERROR_INVALID_VALUE;
    resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D,
                                    .res.pitch2D = {.devPtr = address,
                                                    .format = form->Format,
                                                    .numChannels = form->NumChannels,
                                                    .width = form->Width,
                                                    .height = form->Height,
                                                    .pitchInBytes = pitch}};
    return change(reference, &resource, &sampling);
}

/* The members for linear memory and for pitched rows lie at the same place; an array has a format of its own. */
CUresult cuTexRefSetFormat(CUtexref reference, CUarray_format format, int channels)
{
    ENTER_REFERENCE(reference);
    ws_texel texel;
    if (!ws_texel_of(format, &texel) || (channels != 1 && channels != 2 && channels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    if (resource.resType == CU_RESOURCE_TYPE_ARRAY) {
        const CUarray array = resource.res.array.hArray;
        if (!ws_handle_find(array, WS_HANDLE_ARRAY))
            return CUDA_ERROR_INVALID_HANDLE;
        if (array->form.Format == format && array->form.NumChannels == (unsigned)channels)
            return CUDA_SUCCESS;
        ws_fail(WS_EUNSUPPORTED, "a texture reference that sees its array in another format is not supported");
        return ws_driver_report(WS_EUNSUPPORTED);
    }
    resource.res.linear.format = format;
    resource.res.linear.numChannels = (unsigned)channels;
    return change(reference, &resource, &sampling);
}

_Static_assert(offsetof(CUDA_RESOURCE_DESC, res.linear.format) == offsetof(CUDA_RESOURCE_DESC, res.pitch2D.format) &&
                   offsetof(CUDA_RESOURCE_DESC, res.linear.numChannels) ==
                       offsetof(CUDA_RESOURCE_DESC, res.pitch2D.numChannels),
               "the format of linear memory is that of pitched rows");

CUresult cuTexRefSetAddressMode(CUtexref reference, int dimension, CUaddress_mode mode)
{
    ENTER_REFERENCE(reference);
    if (dimension < 0 || dimension > 2 || (unsigned)mode > CU_TR_ADDRESS_MODE_BORDER)
        return CUDA_ERROR_INVALID_VALUE;
    sampling.addressMode[dimension] = mode;
    return change(reference, &resource, &sampling);
}

CUresult cuTexRefSetFilterMode(CUtexref reference, CUfilter_mode mode)
{
    ENTER_REFERENCE(reference);
    if ((unsigned)mode > CU_TR_FILTER_MODE_LINEAR)
        return CUDA_ERROR_INVALID_VALUE;
    sampling.filterMode = mode;
    return change(reference, &resource, &sampling);
}

CUresult cuTexRefSetFlags(CUtexref reference, unsigned int flags)
{
    ENTER_REFERENCE(reference);
    sampling.flags = flags;
    return change(reference, &resource, &sampling);
}

CUresult cuTexRefSetBorderColor(CUtexref reference, float *color)
{
    ENTER_REFERENCE(reference);
    if (!color)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(sampling.borderColor, color, sizeof sampling.borderColor);
    return change(reference, &resource, &sampling);
}

CUresult cuTexRefGetAddress(CUdeviceptr *address, CUtexref reference)
{
    ENTER_REFERENCE(reference);
    (void)sampling;
    if (!address || (resource.resType != CU_RESOURCE_TYPE_LINEAR && resource.resType != CU_RESOURCE_TYPE_PITCH2D))
        return CUDA_ERROR_INVALID_VALUE;
    *address = resource.res.linear.devPtr;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetArray(CUarray *array, CUtexref reference)
{
    ENTER_REFERENCE(reference);
    (void)sampling;
    if (!array || resource.resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    *array = resource.res.array.hArray;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref reference)
{
    ENTER_REFERENCE(reference);
    (void)sampling;
    const bool in_array = resource.resType == CU_RESOURCE_TYPE_ARRAY;
    if (in_array && !ws_handle_find(resource.res.array.hArray, WS_HANDLE_ARRAY))
        return CUDA_ERROR_INVALID_HANDLE;
    if (format)
        *format = in_array ? resource.res.array.hArray->form.Format : resource.res.linear.format;
    if (channels)
        *channels = (int)(in_array ? resource.res.array.hArray->form.NumChannels : resource.res.linear.numChannels);
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref reference, int dimension)
{
    ENTER_REFERENCE(reference);
    (void)resource;
    if (!mode || dimension < 0 || dimension > 2)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = sampling.addressMode[dimension];
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref reference)
{
    ENTER_REFERENCE(reference);
    (void)resource;
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = sampling.filterMode;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetFlags(unsigned int *flags, CUtexref reference)
{
    ENTER_REFERENCE(reference);
    (void)resource;
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = sampling.flags;
    return CUDA_SUCCESS;
}

CUresult cuSurfRefSetArray(CUsurfref reference, CUarray array, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!is_reference(reference, true))
        return CUDA_ERROR_INVALID_HANDLE;
    const CUarray a = ws_handle_find(array, WS_HANDLE_ARRAY);
    if (!a || flags || !(a->form.Flags & CUDA_ARRAY3D_SURFACE_LDST))
        return CUDA_ERROR_INVALID_VALUE;
    struct CUtexref_st *const r = (struct CUtexref_st *)reference;
    const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    return change(r, &resource, &r->sampling);
}

CUresult cuSurfRefGetArray(CUarray *array, CUsurfref reference)
{
    WS_ENTER_CONTEXT(context);
    if (!is_reference(reference, true))
        return CUDA_ERROR_INVALID_HANDLE;
    const struct CUtexref_st *const r = (const struct CUtexref_st *)reference;
    if (!array || r->resource.resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    *array = r->resource.res.array.hArray;
    return CUDA_SUCCESS;
}
