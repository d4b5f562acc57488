/* driver_texture.c - what do texture and surface objects and references read, and how?
 *
 * Objects and references are described alike, by a resource and a way of sampling. A reference is a variable of a
 * module that calls of the host change piece by piece. In between, pieces may not fit each other: what it was bound to
 * before may be freed, or smaller than a texel of the new format. So only the memory is checked that a call names, and
 * the variable is bound when all pieces fit; until then a kernel that reads it stops. */
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
        if (r->res.pitch2D.width > WS_TEXTURE_MOST || !r->res.pitch2D.height || r->res.pitch2D.height > WS_TEXTURE_MOST)
            return CUDA_ERROR_INVALID_VALUE;
        out->address = r->res.pitch2D.devPtr;
        out->width = (uint32_t)r->res.pitch2D.width;
        out->height = (uint32_t)r->res.pitch2D.height;
        out->pitch = r->res.pitch2D.pitchInBytes;
    }
    return CUDA_SUCCESS;
}

static CUresult check_flags(unsigned flags)
{
    static const unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                                  CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    if (flags & CU_TRSF_SEAMLESS_CUBEMAP)
        return CUDA_ERROR_NOT_SUPPORTED;
    return flags & ~known ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult sampling_of(const CUDA_TEXTURE_DESC *s, ws_texture *out)
{
    const CUresult result = check_flags(s->flags);
    if (result || (unsigned)s->filterMode > CU_TR_FILTER_MODE_LINEAR)
        return result ? result : CUDA_ERROR_INVALID_VALUE;
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

_Static_assert((int)CU_TR_ADDRESS_MODE_BORDER == (int)WS_EDGE_BORDER &&
                   (int)CU_TR_ADDRESS_MODE_MIRROR == (int)WS_EDGE_MIRROR,
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
    if (!ws_handle_find(resource->res.array.hArray, WS_HANDLE_ARRAY))
        return CUDA_ERROR_INVALID_HANDLE;
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
    if (ws_image_texture(module->image, name, &kind, &number) || kind != (surface ? WS_IS_SURFACE : WS_IS_TEXTURE))
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
        r->format = CU_AD_FORMAT_FLOAT;
        r->channels = 1;
        r->sampling.addressMode[0] = r->sampling.addressMode[1] = r->sampling.addressMode[2] = CU_TR_ADDRESS_MODE_CLAMP;
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

/* The form of texels is the one that was set last. Of an array it cannot be another than its own. */
static CUresult form_of(const struct CUtexref_st *r, ws_texture *form)
{
    CUDA_RESOURCE_DESC resource = r->resource;
    if (resource.resType == CU_RESOURCE_TYPE_ARRAY) {
        const CUarray array = ws_handle_find(resource.res.array.hArray, WS_HANDLE_ARRAY);
        if (array && !r->surface && (array->form.Format != r->format || array->form.NumChannels != r->channels))
            return CUDA_ERROR_NOT_SUPPORTED;
    } else {
        resource.res.linear.format = r->format;
        resource.res.linear.numChannels = r->channels;
    }
    const CUresult result = memory_of(&resource, form);
    return result || r->surface ? result : sampling_of(&r->sampling, form);
}

_Static_assert(offsetof(CUDA_RESOURCE_DESC, res.linear.format) == offsetof(CUDA_RESOURCE_DESC, res.pitch2D.format) &&
                   offsetof(CUDA_RESOURCE_DESC, res.linear.numChannels) ==
                       offsetof(CUDA_RESOURCE_DESC, res.pitch2D.numChannels),
               "the format of linear memory is that of pitched rows");

static CUresult bind(const struct CUtexref_st *r)
{
    ws_device *const device = ws_the_driver.device;
    ws_texture form;
    if (form_of(r, &form) || ws_texture_bind(device, r->number, &form))
        ws_texture_bind(device, r->number, NULL);
    return CUDA_SUCCESS;
}

static CUresult bind_to(struct CUtexref_st *r, const CUDA_RESOURCE_DESC *resource)
{
    r->resource = *resource;
    return bind(r);
}

#define ENTER_REFERENCE(reference) \
    WS_ENTER_CONTEXT(context); \
    if (!is_reference(reference, false)) \
    return CUDA_ERROR_INVALID_HANDLE

CUresult cuTexRefSetArray(CUtexref reference, CUarray array, unsigned int flags)
{
    ENTER_REFERENCE(reference);
    const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    if (flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ws_handle_find(array, WS_HANDLE_ARRAY))
        return CUDA_ERROR_INVALID_HANDLE;
    reference->format = array->form.Format;
    reference->channels = array->form.NumChannels;
    return bind_to(reference, &resource);
}

/* Memory that a reference is to be bound to has to be there. */
static CUresult check_memory(CUdeviceptr address, size_t bytes)
{
    uint64_t base, size;
    int status = ws_device_find(ws_the_driver.device, address, &base, &size);
    if (!status && bytes > size - (address - base))
        status = ws_fail(WS_EINPUT, "a texture of %zu bytes at 0x%llx does not lie in an allocation", bytes,
                         (unsigned long long)address);
    return status ? ws_driver_report(WS_EINPUT) : CUDA_SUCCESS;
}

/* Any address will do here, so there is never an offset that a kernel would have to add. No bytes: nothing is bound. */
CUresult cuTexRefSetAddress(size_t *offset, CUtexref reference, CUdeviceptr address, size_t bytes)
{
    ENTER_REFERENCE(reference);
    const CUDA_RESOURCE_DESC resource = {.resType = bytes ? CU_RESOURCE_TYPE_LINEAR : RESOURCE_UNSET,
                                         .res.linear = {.devPtr = address, .sizeInBytes = bytes}};
    ws_texel texel;
    const CUresult result = bytes ? check_memory(address, bytes) : CUDA_SUCCESS;
    if (result)
        return result;
    if (!ws_texel_of(reference->format, &texel) ||
        bytes / (ws_texel_bytes(texel) * reference->channels) > WS_TEXTURE_MOST)
        return CUDA_ERROR_INVALID_VALUE;
    if (offset)
        *offset = 0;
    return bind_to(reference, &resource);
}

CUresult cuTexRefSetAddress2D(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR *form, CUdeviceptr address, size_t pitch)
{
    ENTER_REFERENCE(reference);
    if (!form)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D,
                                         .res.pitch2D = {.devPtr = address,
                                                         .format = form->Format,
                                                         .numChannels = form->NumChannels,
                                                         .width = form->Width,
                                                         .height = form->Height,
                                                         .pitchInBytes = pitch}};
    ws_texture texture;
    const CUresult result = memory_of(&resource, &texture);
    if (result)
        return result;
    const int status = ws_texture_bind(ws_the_driver.device, reference->number, &texture);
    if (status)
        return ws_driver_report(status);
    reference->format = form->Format;
    reference->channels = form->NumChannels;
    return bind_to(reference, &resource);
}

CUresult cuTexRefSetFormat(CUtexref reference, CUarray_format format, int channels)
{
    ENTER_REFERENCE(reference);
    ws_texel texel;
    if (!ws_texel_of(format, &texel) || (channels != 1 && channels != 2 && channels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    reference->format = format;
    reference->channels = (unsigned)channels;
    return bind(reference);
}

CUresult cuTexRefSetAddressMode(CUtexref reference, int dimension, CUaddress_mode mode)
{
    ENTER_REFERENCE(reference);
    if (dimension < 0 || dimension > 2 || (unsigned)mode > CU_TR_ADDRESS_MODE_BORDER)
        return CUDA_ERROR_INVALID_VALUE;
    reference->sampling.addressMode[dimension] = mode;
    return bind(reference);
}

CUresult cuTexRefSetFilterMode(CUtexref reference, CUfilter_mode mode)
{
    ENTER_REFERENCE(reference);
    if ((unsigned)mode > CU_TR_FILTER_MODE_LINEAR)
        return CUDA_ERROR_INVALID_VALUE;
    reference->sampling.filterMode = mode;
    return bind(reference);
}

CUresult cuTexRefSetFlags(CUtexref reference, unsigned int flags)
{
    ENTER_REFERENCE(reference);
    const CUresult result = check_flags(flags);
    if (result)
        return result;
    reference->sampling.flags = flags;
    return bind(reference);
}

CUresult cuTexRefSetBorderColor(CUtexref reference, float *color)
{
    ENTER_REFERENCE(reference);
    if (!color)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(reference->sampling.borderColor, color, sizeof reference->sampling.borderColor);
    return bind(reference);
}

CUresult cuTexRefGetAddress(CUdeviceptr *address, CUtexref reference)
{
    ENTER_REFERENCE(reference);
    const CUDA_RESOURCE_DESC *const r = &reference->resource;
    if (!address || (r->resType != CU_RESOURCE_TYPE_LINEAR && r->resType != CU_RESOURCE_TYPE_PITCH2D))
        return CUDA_ERROR_INVALID_VALUE;
    *address = r->res.linear.devPtr;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref reference)
{
    ENTER_REFERENCE(reference);
    if (format)
        *format = reference->format;
    if (channels)
        *channels = (int)reference->channels;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref reference, int dimension)
{
    ENTER_REFERENCE(reference);
    if (!mode || dimension < 0 || dimension > 2)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = reference->sampling.addressMode[dimension];
    return CUDA_SUCCESS;
}

#define GETTER(call, value_type, member) \
    CUresult call(value_type *out, CUtexref reference) \
    { \
        ENTER_REFERENCE(reference); \
        if (!out) \
            return CUDA_ERROR_INVALID_VALUE; \
        *out = reference->sampling.member; \
        return CUDA_SUCCESS; \
    }

GETTER(cuTexRefGetFilterMode, CUfilter_mode, filterMode)
GETTER(cuTexRefGetFlags, unsigned int, flags)

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
    return bind_to(r, &resource);
}

static CUresult array_of(const void *reference, bool surface, CUarray *array)
{
    WS_ENTER_CONTEXT(context);
    const struct CUtexref_st *const r = reference;
    if (!is_reference(reference, surface))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!array || r->resource.resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    *array = r->resource.res.array.hArray;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetArray(CUarray *array, CUtexref reference)
{
    return array_of(reference, false, array);
}

CUresult cuSurfRefGetArray(CUarray *array, CUsurfref reference)
{
    return array_of(reference, true, array);
}
