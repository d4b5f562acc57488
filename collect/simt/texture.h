/* texture.h - textures, samplers and surfaces of a device: descriptions and handles.
 *
 * A texture is device memory, a texel format and a sampling mode. Kernels name it by a 64-bit handle. The handle is a
 * parameter, or belongs to a variable of type .texref, .samplerref or .surfref, to which the host binds a texture. A
 * device never reuses handles, so a stale one is always detected.
 *
 * Arrays have a documented layout: texel (x, y, z) of layer l is at
 *     address + (l * max(depth, 1) + z) * slice + y * pitch + x * (bytes of a texel). */
#ifndef WS_TEXTURE_H
#define WS_TEXTURE_H

#include "collect/simt/engine.h"

typedef enum ws_texel {
    WS_TEXEL_U8,
    WS_TEXEL_S8,
    WS_TEXEL_U16,
    WS_TEXEL_S16,
    WS_TEXEL_U32,
    WS_TEXEL_S32,
    WS_TEXEL_F16,
    WS_TEXEL_F32,
    WS_TEXELS
} ws_texel;

/* Value of texels beyond the edge. Wrap and mirror require normalized coordinates and otherwise act as clamp. */
typedef enum ws_edge {
    WS_EDGE_WRAP,
    WS_EDGE_CLAMP,
    WS_EDGE_MIRROR,
    WS_EDGE_BORDER,
    WS_EDGE_CLAMP_OGL, /* clamp the coordinate to the extent: at an edge, linear filtering takes half its weight from
                          the border */
    WS_EDGES
} ws_edge;

typedef struct ws_sampler {
    uint8_t edge[3]; /* ws_edge of x, y, z */
    bool linear;     /* interpolate between the nearest texels; else take the nearest */
    bool normalized; /* coordinates of 0 to 1 span the texture */
    float border[4];
} ws_sampler;

enum { WS_TEXTURE_MOST = 1 << 27, WS_CUBE_FACES = 6 };

typedef struct ws_texture {
    uint64_t address;              /* of the first texel, in device memory */
    uint32_t width, height, depth; /* in texels; height and depth are 0 for fewer dimensions */
    uint32_t layers;               /* 0: not layered; 6 per cube */
    uint64_t pitch, slice;         /* bytes from row to row and from slice to slice */
    uint8_t texel;                 /* ws_texel, of one channel */
    uint8_t channels;              /* 1, 2 or 4 */
    bool by_index;                 /* linear memory: one dimension, no filter, zero beyond the ends */
    bool cube;
    bool as_float; /* integers of 8 and 16 bits convert to floats of 0 or -1 to 1 */
    bool srgb;     /* with as_float and 8-bit texels: the first three channels are sRGB */
    ws_sampler sampler;
} ws_texture;

typedef enum ws_texture_kind { WS_IS_TEXTURE, WS_IS_SAMPLER, WS_IS_SURFACE } ws_texture_kind;

/* Creates a texture or surface object; for a surface the sampler member is ignored. WS_EINPUT: impossible, with the
 * reason. The caller keeps the memory; a kernel that reads it after it is freed faults. */
int ws_texture_create(ws_device *device, ws_texture_kind kind, const ws_texture *texture, uint64_t *handle);
int ws_texture_destroy(ws_device *device, uint64_t handle); /* WS_EINPUT for an unknown handle or a variable's handle */

/* Returns kind and handle of a module's variable. WS_ENOTFOUND. */
int ws_image_texture(const ws_image *image, const char *name, ws_texture_kind *kind, uint64_t *handle);
/* Binds a variable; NULL unbinds it. A sampler variable uses only the sampler member. */
int ws_texture_bind(ws_device *device, uint64_t handle, const ws_texture *texture);

unsigned ws_texel_bytes(ws_texel texel); /* per channel */

#endif
