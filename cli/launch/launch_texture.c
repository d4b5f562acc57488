/* launch_texture.c - see launch_texture.h. */
#include "cli/launch/launch_texture.h"

#include "base/status.h"
#include "cli/launch/launch_scan_internal.h"

/* Texels of such elements; false when textures have none. */
static bool find_texel(ws_type type, ws_texel *out)
{
    static const struct {
        ws_type type;
        ws_texel texel;
    } known[] = {{WS_T_u8, WS_TEXEL_U8},   {WS_T_b8, WS_TEXEL_U8},   {WS_T_s8, WS_TEXEL_S8},   {WS_T_u16, WS_TEXEL_U16},
                 {WS_T_b16, WS_TEXEL_U16}, {WS_T_s16, WS_TEXEL_S16}, {WS_T_u32, WS_TEXEL_U32}, {WS_T_b32, WS_TEXEL_U32},
                 {WS_T_s32, WS_TEXEL_S32}, {WS_T_f16, WS_TEXEL_F16}, {WS_T_f32, WS_TEXEL_F32}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type == type) {
            *out = known[i].texel;
            return true;
        }
    return false;
}

/* ------------------------------------------------------------------------------------------------ text */

static bool edge(reader *r, uint8_t *out)
{
    static const char *const words[] = {"wrap", "clamp", "mirror", "border"};
    for (uint8_t i = 0; i < sizeof words / sizeof *words; i++)
        if (scan_accept(r, words[i])) {
            *out = i;
            return true;
        }
    return false;
}

/* edge MODE [MODE [MODE]]: the last one holds for the dimensions that are left. */
static void edges(reader *r, ws_sampler *s)
{
    unsigned n = 0;
    while (n < 3 && edge(r, &s->edge[n]))
        n++;
    if (!n)
        scan_expected(r, "wrap, clamp, mirror or border");
    for (; n && n < 3; n++)
        s->edge[n] = s->edge[n - 1];
}

static void size(reader *r, ws_texture *t)
{
    static const char what[] = "a number of texels, 1 to 2^27";
    t->by_index = false;
    t->width = (uint32_t)scan_whole(r, what, 1, WS_TEXTURE_MOST);
    if (r->tok.kind == TOKEN_NUMBER)
        t->height = (uint32_t)scan_whole(r, what, 1, WS_TEXTURE_MOST);
    if (t->height && r->tok.kind == TOKEN_NUMBER)
        t->depth = (uint32_t)scan_whole(r, what, 1, WS_TEXTURE_MOST);
}

void scan_texture_form(reader *r, ws_type type, uint64_t count, ws_texture *t, bool *surface)
{
    ws_texel texel = WS_TEXEL_U8;
    if (!r->status && !find_texel(type, &texel))
        scan_expected(r, "a texture of a buffer of 8, 16 or 32 bits an element");
    *t = (ws_texture){.texel = (uint8_t)texel,
                      .channels = 1,
                      .by_index = true,
                      .sampler.edge = {WS_EDGE_CLAMP, WS_EDGE_CLAMP, WS_EDGE_CLAMP}};
    *surface = false;
    while (!r->status) {
        if (scan_accept(r, "size"))
            size(r, t);
        else if (scan_accept(r, "layers"))
            t->layers = (uint32_t)scan_whole(r, "a number of layers, 1 to 2^27", 1, WS_TEXTURE_MOST);
        else if (scan_accept(r, "channels"))
            t->channels = (uint8_t)scan_whole(r, "1, 2 or 4 channels", 1, 4);
        else if (scan_accept(r, "edge"))
            edges(r, &t->sampler);
        else if (scan_accept(r, "outside"))
            for (int i = 0; i < 4; i++)
                t->sampler.border[i] = (float)scan_number(r, "four values for what lies outside");
        else if (scan_accept(r, "cube"))
            t->cube = true;
        else if (scan_accept(r, "linear"))
            t->sampler.linear = true;
        else if (scan_accept(r, "normalized"))
            t->sampler.normalized = true;
        else if (scan_accept(r, "as_float"))
            t->as_float = true;
        else if (scan_accept(r, "srgb"))
            t->srgb = true;
        else if (scan_accept(r, "surface"))
            *surface = true;
        else
            break;
    }
    const uint64_t texel_bytes = (uint64_t)t->channels * ws_texel_bytes(texel), texels = count / t->channels;
    if (t->by_index)
        t->width = (uint32_t)(texels < WS_TEXTURE_MOST ? texels : WS_TEXTURE_MOST + 1);
    t->pitch = t->width * texel_bytes;
    t->slice = t->pitch * (t->height ? t->height : 1);
}

/* ------------------------------------------------------------------------------------------------ device */

int ws_texture_apply(const ws_script *script, const ws_launch_texture *texture, ws_device *device,
                     const ws_image *image, uint64_t memory, uint64_t *handle)
{
    ws_texture form = texture->form;
    ws_texture_kind kind = texture->surface ? WS_IS_SURFACE : WS_IS_TEXTURE, has;
    form.address = memory;
    int status = ws_image_texture(image, texture->name, &has, handle);
    if (status == WS_ENOTFOUND)
        status = ws_texture_create(device, kind, &form, handle);
    else if (status == WS_OK && has == WS_IS_TEXTURE && texture->surface)
        status = ws_fail(WS_EINPUT, "`%s` of the module is a texture, no surface", texture->name);
    else if (status == WS_OK)
        status = ws_texture_bind(device, *handle, &form);
    return status ? ws_fail_context(status, "%s:%u:%u", script->file, texture->line, texture->column) : WS_OK;
}
