/* texture.c - which textures, samplers and surfaces has a device, and what is bound to its variables? */
#include "base/grow.h"
#include "collect/simt/texture_internal.h"

#include <stdlib.h>

unsigned ws_texel_bytes(ws_texel texel)
{
    static const uint8_t bytes[WS_TEXELS] = {
        [WS_TEXEL_U8] = 1,  [WS_TEXEL_S8] = 1,  [WS_TEXEL_U16] = 2, [WS_TEXEL_S16] = 2,
        [WS_TEXEL_U32] = 4, [WS_TEXEL_S32] = 4, [WS_TEXEL_F16] = 2, [WS_TEXEL_F32] = 4};
    return bytes[texel];
}

static texture *find(const ws_device *device, uint64_t handle)
{
    return texture_is_handle(device, handle) ? device->texture[handle - TEXTURE_BASE] : NULL;
}

const texture *texture_find(const ws_device *device, uint64_t handle)
{
    return find(device, handle);
}

bool texture_is_handle(const ws_device *device, uint64_t handle)
{
    return handle - TEXTURE_BASE < device->textures;
}

/* ---- descriptions ---- */

static int check_sampler(const ws_sampler *s)
{
    for (int i = 0; i < 3; i++)
        if (s->edge[i] >= WS_EDGES)
            return ws_fail(WS_EINPUT, "unknown addressing mode %d of a texture", s->edge[i]);
    return WS_OK;
}

static bool is_extent_possible(const ws_texture *t)
{
    return t->width && t->width <= WS_TEXTURE_MOST && t->height <= WS_TEXTURE_MOST && t->depth <= WS_TEXTURE_MOST &&
           t->layers <= WS_TEXTURE_MOST && !(t->depth && !t->height) && !(t->depth && t->layers);
}

/* Bytes from the first texel to behind the last one; 0 when rows or slices overlap or the sum does not fit. */
static uint64_t extent(const ws_texture *t, unsigned texel_bytes)
{
    const uint64_t rows = t->height ? t->height : 1, row = (uint64_t)t->width * texel_bytes;
    const uint64_t slices = (uint64_t)(t->layers ? t->layers : 1) * (t->depth ? t->depth : 1);
    uint64_t slice, all;
    if ((rows > 1 && t->pitch < row) || __builtin_mul_overflow(rows - 1, t->pitch, &slice) ||
        __builtin_add_overflow(slice, row, &slice))
        return 0;
    if ((slices > 1 && t->slice < slice) || __builtin_mul_overflow(slices - 1, t->slice, &all) ||
        __builtin_add_overflow(all, slice, &all))
        return 0;
    return all;
}

static int check_texture(const ws_device *device, ws_texture_kind kind, const ws_texture *t)
{
    if (t->texel >= WS_TEXELS || (t->channels != 1 && t->channels != 2 && t->channels != 4))
        return ws_fail(WS_EINPUT, "a texture with texels of %u channels, or of an unknown format", t->channels);
    if (!is_extent_possible(t))
        return ws_fail(WS_EINPUT, "impossible extents of a texture: %u x %u x %u texels, %u layers", t->width,
                       t->height, t->depth, t->layers);
    const unsigned texel_bytes = t->channels * ws_texel_bytes(t->texel);
    const uint64_t bytes = extent(t, texel_bytes);
    if (!bytes)
        return ws_fail(WS_EINPUT, "the rows or slices of a texture overlap");
    if (t->address % texel_bytes || t->pitch % texel_bytes || t->slice % texel_bytes)
        return ws_fail(WS_EINPUT, "texels of %u bytes are not aligned to their size", texel_bytes);
    if (t->by_index && (t->height || t->layers))
        return ws_fail(WS_EINPUT, "a texture that is read by index has one dimension");
    if (t->cube && (t->layers % WS_CUBE_FACES || !t->layers || t->width != t->height))
        return ws_fail(WS_EINPUT, "a cube has six square faces");
    span s;
    if (!memory_find(device->memory, t->address, &s) || !ws_range_within(t->address, bytes, s.high))
        return ws_fail(WS_EINPUT, "a texture of %llu bytes at 0x%llx does not lie in an allocation",
                       (unsigned long long)bytes, (unsigned long long)t->address);
    return kind == WS_IS_SURFACE ? WS_OK : check_sampler(&t->sampler);
}

static int describe(const ws_device *device, texture *out, const ws_texture *t)
{
    const int status = out->kind == WS_IS_SAMPLER ? check_sampler(&t->sampler) : check_texture(device, out->kind, t);
    if (status)
        return status;
    const unsigned element = ws_texel_bytes(t->texel);
    out->is = *t;
    if (t->by_index)
        out->is.sampler = (ws_sampler){.edge = {WS_EDGE_BORDER, WS_EDGE_BORDER, WS_EDGE_BORDER}};
    out->texel_bytes = (uint8_t)(t->channels * element);
    out->bytes = out->kind == WS_IS_SAMPLER ? 0 : extent(t, out->texel_bytes);
    out->floats = t->texel == WS_TEXEL_F16 || t->texel == WS_TEXEL_F32 || (t->as_float && element < 4);
    out->bound = true;
    return WS_OK;
}

/* ---- the table ---- */

static int add(ws_device *device, texture *t, uint64_t *handle)
{
    if (TEXTURE_BASE + (uint64_t)device->textures + 1 >= MEMORY_LOW_BASE ||
        WS_GROW(device->texture, device->texture_capacity, device->textures, 1))
        return ws_fail(WS_EMEM, "no room for a texture");
    *handle = TEXTURE_BASE + device->textures;
    device->texture[device->textures++] = t;
    return WS_OK;
}

static void drop(ws_device *device, uint64_t handle)
{
    free(device->texture[handle - TEXTURE_BASE]);
    device->texture[handle - TEXTURE_BASE] = NULL;
}

int ws_texture_create(ws_device *device, ws_texture_kind kind, const ws_texture *description, uint64_t *handle)
{
    texture *const t = calloc(1, sizeof *t);
    if (!t)
        return ws_fail(WS_EMEM, "no memory for a texture");
    t->kind = (uint8_t)kind;
    int status = describe(device, t, description);
    if (!status)
        status = add(device, t, handle);
    if (status)
        free(t);
    return status;
}

int ws_texture_destroy(ws_device *device, uint64_t handle)
{
    const texture *const t = find(device, handle);
    if (!t || t->name)
        return ws_fail(WS_EINPUT, "0x%llx is not a texture or surface object", (unsigned long long)handle);
    drop(device, handle);
    return WS_OK;
}

int ws_texture_bind(ws_device *device, uint64_t handle, const ws_texture *description)
{
    texture *const t = find(device, handle);
    if (!t || !t->name)
        return ws_fail(WS_EINPUT, "0x%llx is not a texture variable", (unsigned long long)handle);
    if (description)
        return describe(device, t, description);
    t->bound = false;
    return WS_OK;
}

/* ---- variables ---- */

int texture_add_variable(ws_device *device, const ws_variable *v, uint64_t *handle)
{
    texture *const t = calloc(1, sizeof *t);
    if (!t)
        return ws_fail(WS_EMEM, "no memory for a texture");
    t->name = v->name;
    t->kind = v->type == WS_T_samplerref ? WS_IS_SAMPLER : v->type == WS_T_surfref ? WS_IS_SURFACE : WS_IS_TEXTURE;
    if (v->sampler) { /* the module says itself how to sample */
        for (int i = 0; i < 3; i++)
            t->is.sampler.edge[i] = v->sampler->edge[i];
        t->is.sampler.linear = v->sampler->linear;
        t->is.sampler.normalized = !v->sampler->unnormalized;
        t->bound = t->kind == WS_IS_SAMPLER;
    }
    const int status = add(device, t, handle);
    if (status)
        free(t);
    return status;
}

void texture_remove_variable(ws_device *device, uint64_t handle)
{
    drop(device, handle);
}

int ws_image_texture(const ws_image *image, const char *name, ws_texture_kind *kind, uint64_t *handle)
{
    const ws_variable *const v = ws_module_variable(image->module, name);
    const texture *const t = v && v->space == WS_SPACE_TEXTURE ? find(image->device, image->address[v->index]) : NULL;
    if (!t)
        return ws_fail(WS_ENOTFOUND, "%s has no texture, sampler or surface `%s`", image->module->file, name);
    if (kind)
        *kind = t->kind;
    *handle = image->address[v->index];
    return WS_OK;
}

void texture_table_fini(ws_device *device)
{
    for (uint32_t i = 0; i < device->textures; i++)
        free(device->texture[i]);
    free(device->texture);
}
