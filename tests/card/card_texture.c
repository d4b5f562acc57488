/* card_texture.c - what does a form look into? An array of 8 texels in each of its dimensions, of drawn numbers. */
#include "card.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    unsigned dimensions, channels, flags;
    int format, mode, filter;
} description;

size_t card_format_bytes(CUarray_format format)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
        return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
        return 2;
    default:
        return 4;
    }
}

static CUresult fill_array(CUarray array, const description *what)
{
    const size_t height = what->dimensions > 1 ? 8 : 1, depth = what->dimensions > 2 ? 8 : 1;
    const size_t row_bytes = 8 * what->channels * card_format_bytes((CUarray_format)what->format);
    void *texels = card_allocate(height * depth, row_bytes);
    card_fill_texels(texels, 8 * height * depth * what->channels, (CUarray_format)what->format);
    const CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                .srcHost = texels,
                                .srcPitch = row_bytes,
                                .srcHeight = height,
                                .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                .dstArray = array,
                                .WidthInBytes = row_bytes,
                                .Height = height,
                                .Depth = depth};
    const CUresult status = cuMemcpy3D(&copy);
    free(texels);
    return status;
}

static CUresult create_object(CUarray array, const description *what, CUtexObject *object)
{
    const CUaddress_mode mode = (CUaddress_mode)what->mode;
    const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    const CUDA_TEXTURE_DESC texture = {.addressMode = {mode, mode, mode},
                                       .filterMode = (CUfilter_mode)what->filter,
                                       .flags = what->flags,
                                       .borderColor = {3.5f, -2, 0.25f, 1}};
    return cuTexObjectCreate(object, &resource, &texture, NULL);
}

CUresult card_texture_create(const char *texture, CUarray *array, CUtexObject *object)
{
    description what;
    if (sscanf(texture, "%u:%d:%u:%d:%d:%u", &what.dimensions, &what.format, &what.channels, &what.mode, &what.filter,
               &what.flags) != 6)
        card_die("texture %s?", texture);
    const CUDA_ARRAY3D_DESCRIPTOR size = {.Width = 8,
                                          .Height = what.dimensions > 1 ? 8 : 0,
                                          .Depth = what.dimensions > 2 ? 8 : 0,
                                          .Format = (CUarray_format)what.format,
                                          .NumChannels = what.channels};
    CUresult status = cuArray3DCreate(array, &size);
    if (!status)
        status = fill_array(*array, &what);
    if (!status)
        status = create_object(*array, &what, object);
    return status;
}
