/* texture.h - textures, samplers and surfaces of a device: what there is to describe, and how a handle is made.
 *
 * A texture is memory of the device, the form of its texels, and the way to read it. Kernels name it by a handle: a
 * 64-bit number that they get as a parameter, or a variable of type .texref, .samplerref or .surfref, which has a
 * handle of its own that something is bound to. Handles of a device are never given twice, so a stale one is always
 * noticed.
 *
 * Arrays have no secret layout: texel (x, y, z) of layer l stands at
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

/* What stands for a texel beyond the edge. Wrap and mirror are for normalized coordinates; others clamp instead. */
typedef enum ws_edge {
    WS_EDGE_WRAP,
    WS_EDGE_CLAMP,
    WS_EDGE_MIRROR,
    WS_EDGE_BORDER,
    WS_EDGE_CLAMP_OGL, /* the coordinate is clamped, and half of what lies around an edge is border */
    WS_EDGES
} ws_edge;

typedef struct ws_sampler {
    uint8_t edge[3]; /* ws_edge of x, y, z */
    bool linear;     /* mean of the nearest texels, else the nearest */
    bool normalized; /* coordinates of 0 to 1 span the texture */
    float border[4];
} ws_sampler;

enum { WS_TEXTURE_MOST = 1 << 27, WS_CUBE_FACES = 6 };

typedef struct ws_texture {
    uint64_t address;              /* of the first texel, in device memory */
    uint32_t width, height, depth; /* texels; height and depth are 0 in textures of fewer dimensions */
    uint32_t layers;               /* 0: not layered; each cube has 6 */
    uint64_t pitch, slice;         /* bytes from row to row and from slice to slice */
    uint8_t texel;                 /* ws_texel, of one channel */
    uint8_t channels;              /* 1, 2 or 4 */
    bool by_index;                 /* linear memory: one dimension, no filter, beyond the ends zero */
    bool cube;
    bool as_float; /* integers of 8 and 16 bits become floats of 0 or -1 to 1 */
    bool srgb;     /* with as_float and bytes: the first three channels are sRGB */
    ws_sampler sampler;
} ws_texture;

typedef enum ws_texture_kind { WS_IS_TEXTURE, WS_IS_SAMPLER, WS_IS_SURFACE } ws_texture_kind;

/* Makes a texture object or a surface object (sampler members are not read then). WS_EINPUT: impossible, says why.
 * The memory stays the caller's; reading after it is freed is a fault of the kernel. */
int ws_texture_create(ws_device *device, ws_texture_kind kind, const ws_texture *texture, uint64_t *handle);
int ws_texture_destroy(ws_device *device, uint64_t handle); /* WS_EINPUT when there is none, or it is a variable */

/* A variable of a module: its handle and kind. WS_ENOTFOUND. */
int ws_image_texture(const ws_image *image, const char *name, ws_texture_kind *kind, uint64_t *handle);
/* Binds a variable, NULL unbinds. For samplers only the sampler member counts. */
int ws_texture_bind(ws_device *device, uint64_t handle, const ws_texture *texture);

unsigned ws_texel_bytes(ws_texel texel); /* of one channel */

#endif
