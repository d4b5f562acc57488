/* texture_run.c - what does a warp get from a texture? tex, tld4 and the queries. */
#include "collect/simt/lanes_scalar_internal.h"
#include "collect/simt/texture_internal.h"

#include <string.h>

/* ---- handles ---- */

static uint64_t texture_handle(const warp *w, const handle_source *source, unsigned lane)
{
    uint64_t handle;
    if (source->param >= 0) {
        memcpy(&handle, w->block->launch->params + source->param, sizeof handle);
        return handle;
    }
    const void *const at = place_pointer(w, source->at);
    return source->wide ? ((const uint64_t *)at)[lane] : ((const uint32_t *)at)[lane];
}

static const char *kind_word(unsigned kind)
{
    return kind == WS_IS_SURFACE ? "surface" : kind == WS_IS_SAMPLER ? "sampler" : "texture";
}

static const texture *lookup(warp *w, const uop *u, const handle_source *source, unsigned kind, unsigned lane)
{
    const ws_device *const device = w->block->launch->device;
    const unsigned long long handle = texture_handle(w, source, lane);
    const texture *const t = texture_find(device, handle);
    const char *const word = kind_word(kind);
    if (!t && texture_is_handle(device, handle))
        block_fault(w, u, lane, "invalid %s handle 0x%llx: it is destroyed", word, handle);
    else if (!t)
        block_fault(w, u, lane, "invalid %s handle 0x%llx: nothing has it", word, handle);
    else if (t->kind != kind)
        block_fault(w, u, lane, "invalid %s handle 0x%llx: it is that of a %s", word, handle, kind_word(t->kind));
    else if (!t->bound)
        block_fault(w, u, lane, "invalid %s `%s`: nothing is bound to it, or not what fits its format and filter", word,
                    t->name);
    else
        return t;
    return NULL;
}

const texture *texture_resolve(warp *w, const uop *u, const texture_access *a, unsigned lane)
{
    const texture *const t = lookup(w, u, &a->handle, a->kind, lane);
    if (!t)
        return NULL;
    const ws_texture *const is = &t->is;
    if (a->cube != is->cube && a->cube) {
        block_fault(w, u, lane, "invalid %s read: cube coordinates for what is no cube", kind_word(a->kind));
        return NULL;
    }
    if (is->by_index && (a->dims > 1 || a->layered)) {
        block_fault(w, u, lane, "invalid %s read: linear memory has one dimension and no layers", kind_word(a->kind));
        return NULL;
    }
    span *const cache = &w->block->worker->cache[a->cache];
    if (ws_range_between(is->address, t->bytes, cache->low, cache->high))
        return t;
    span s;
    if (memory_find(w->block->launch->device->memory, is->address, &s) &&
        ws_range_within(is->address, t->bytes, s.high)) {
        *cache = s;
        return t;
    }
    block_fault(w, u, lane, "invalid %s access: its memory, %llu bytes at address 0x%llx, is freed", kind_word(a->kind),
                (unsigned long long)t->bytes, (unsigned long long)is->address);
    return NULL;
}

/* ---- events and values ---- */

bool texture_emit(warp *w, const uop *u, uint32_t exec, uint32_t active, const uint64_t *address, unsigned groups,
                  unsigned texel_bytes, bool first)
{
    block *const b = w->block;
    if (!(b->wants & WS_WANT_MEMORY))
        return true;
    ws_event *const ev = block_event(b);
    if (!ev)
        return false;
    uint64_t *const slot = b->address + (size_t)b->addresses * WS_WARP;
    memcpy(slot, address, (size_t)groups * WS_WARP * sizeof *slot);
    *ev = (ws_event){.pc = u->pc,
                     .warp = (uint16_t)w->index,
                     .count = first,
                     .active = active,
                     .exec = exec,
                     .addresses = b->addresses,
                     .kind = WS_EVENT_MEMORY,
                     .depth = (uint8_t)(w->depth < 255 ? w->depth : 255),
                     .space = WS_SPACE_TEXTURE,
                     .texel = (uint8_t)(texel_bytes & 31),
                     .further = (uint8_t)((groups - 1) & 7)};
    b->addresses += groups;
    return true;
}

static void read_register(const warp *w, const texture_access *a, unsigned i, uint64_t out[WS_WARP])
{
    const void *const at = place_pointer(w, a->data[i]);
    for (int lane = 0; lane < WS_WARP; lane++)
        out[lane] = a->data_wide[i] ? ((const uint64_t *)at)[lane] : ((const uint32_t *)at)[lane];
}

void texture_before(warp *w, const texture_access *a, uint64_t before[4][WS_WARP])
{
    for (unsigned i = 0; i < a->vec && w->block->sampled; i++)
        if (!a->sink[i])
            read_register(w, a, i, before[i]);
}

bool texture_report(warp *w, const uop *u, const texture_access *a, uint32_t exec, uint64_t before[4][WS_WARP])
{
    block *const b = w->block;
    uint64_t after[WS_WARP];
    for (unsigned i = 0; i < a->vec && b->sampled; i++) {
        if (a->sink[i] || !a->bits[i])
            continue;
        read_register(w, a, i, after);
        const ws_value value = {.pc = u->pc,
                                .warp = (uint16_t)w->index,
                                .bytes = a->bits[i] / 8,
                                .exec = exec,
                                .reg = a->number[i],
                                .before = before[i],
                                .after = after};
        if (!block_values(b, &value))
            return false;
    }
    return true;
}

/* ---- reads ---- */

static void put(const warp *w, const texture_access *a, unsigned i, uint32_t lanes, const uint32_t value[WS_WARP])
{
    void *const at = place_pointer(w, a->data[i]);
    if (a->data_wide[i])
        WS_EACH_LANE (lane, lanes)
            ((uint64_t *)at)[lane] = value[lane];
    else if (lanes == UINT32_MAX)
        memcpy(at, value, WS_WARP * sizeof *value);
    else
        WS_EACH_LANE (lane, lanes)
            ((uint32_t *)at)[lane] = value[lane];
}

static void deliver(const warp *w, const texture_access *a, uint32_t lanes, uint32_t value[4][WS_WARP])
{
    for (unsigned i = 0; i < a->vec; i++) {
        uint32_t half[WS_WARP];
        if (a->sink[i])
            continue;
        if (a->type == WS_T_f16x2)
            for (unsigned lane = 0; lane < WS_WARP; lane++)
                half[lane] = f16_of_f32(ws_f32_from_bits(value[2 * i][lane])) |
                             f16_of_f32(ws_f32_from_bits(value[2 * i + 1][lane])) << 16;
        else if (a->type == WS_T_f16)
            for (unsigned lane = 0; lane < WS_WARP; lane++)
                half[lane] = f16_of_f32(ws_f32_from_bits(value[i][lane]));
        put(w, a, i, lanes, a->type == WS_T_f16x2 || a->type == WS_T_f16 ? half : value[i]);
    }
}

static unsigned wanted_channels(const texture_access *a)
{
    unsigned wanted = 0;
    for (unsigned i = 0; i < a->vec; i++)
        if (!a->sink[i])
            wanted |= a->type == WS_T_f16x2 ? 3u << 2 * i : 1u << i;
    return wanted;
}

/* Lanes that read one texture with one sampler. Leaves 0 in the addresses of other lanes. */
static void read_lanes(warp *w, const texture_access *a, const texture *t, const ws_sampler *s, uint32_t lanes,
                       footprint *f)
{
    texture_operands from = {.layer = a->layered ? place_pointer(w, a->layer) : NULL};
    uint32_t value[4][WS_WARP];
    for (unsigned d = 0; d < a->dims; d++) {
        from.coordinate[d] = place_pointer(w, a->coordinate[d]);
        from.offset[d] = a->has_offset ? place_pointer(w, a->offset[d]) : NULL;
    }
    a->level->fetch(t, s, a, &from, wanted_channels(a), f, value);
    deliver(w, a, lanes, value);
    for (unsigned k = 0; k < f->n && lanes != UINT32_MAX; k++)
        for (unsigned i = 0; i < WS_WARP; i++)
            f->address[k][i] = lanes >> i & 1 ? f->address[k][i] : 0;
}

/* Words of linear memory by index, as most programs of CUDA's early years read them. */
static bool is_word_fetch(const texture_access *a, const texture *t)
{
    return t->is.by_index && a->integer && !a->has_offset && ws_texel_bytes(t->is.texel) == 4 &&
           (a->type == WS_T_f32 || a->type == WS_T_u32 || a->type == WS_T_s32);
}

/* The loops go over all lanes where they may, because the compiler makes vectors of such loops. */
static void read_words(warp *w, const texture_access *a, const texture *t, uint32_t lanes, footprint *f)
{
    const uint32_t *const index = place_pointer(w, a->coordinate[0]);
    const uint32_t n = t->is.width;
    const uint64_t base = t->is.address, step = t->texel_bytes;
    uint32_t inside[WS_WARP];
    uint64_t *const address = f->address[0];
    f->n = 1;
    for (unsigned i = 0; i < WS_WARP; i++) {
        const uint32_t end = index[i] >> 31 ? 0 : n - 1; /* the nearest texel */
        inside[i] = index[i] < n ? UINT32_MAX : 0;
        address[i] = base + (inside[i] ? index[i] : end) * step;
    }
    for (unsigned i = 0; i < WS_WARP && lanes != UINT32_MAX; i++)
        address[i] = lanes >> i & 1 ? address[i] : 0;
    for (unsigned c = 0; c < a->vec; c++) {
        uint32_t *const d = place_pointer(w, a->data[c]);
        if (a->sink[c])
            continue;
        if (c >= t->is.channels) {
            WS_EACH_LANE (i, lanes)
                d[i] = 0;
        } else if (lanes == UINT32_MAX) {
            for (unsigned i = 0; i < WS_WARP; i++)
                d[i] = inside[i] & ((const uint32_t *)(uintptr_t)address[i])[c];
        } else {
            WS_EACH_LANE (i, lanes)
                d[i] = inside[i] & ((const uint32_t *)(uintptr_t)address[i])[c];
        }
    }
}

/* ---- the instructions ---- */

/* Lanes whose handles are those of `lane`. */
static uint32_t same_handles(const warp *w, const texture_access *a, uint32_t lanes, unsigned lane)
{
    if (a->handle.param >= 0 || a->handle.at >> 30 == BANK_CONST)
        return lanes;
    const uint64_t read_from = texture_handle(w, &a->handle, lane);
    if (a->handle.wide && !a->has_sampler) { /* nearly always one for all */
        const uint64_t *const handle = place_pointer(w, a->handle.at);
        uint64_t differ = 0;
        for (unsigned i = 0; i < WS_WARP; i++)
            differ |= (handle[i] ^ read_from) & -(uint64_t)(lanes >> i & 1);
        if (!differ)
            return lanes;
    }
    const uint64_t sampler = a->has_sampler ? texture_handle(w, &a->sampler, lane) : 0;
    uint32_t same = 0;
    WS_EACH_LANE (i, lanes)
        if (texture_handle(w, &a->handle, i) == read_from &&
            (!a->has_sampler || texture_handle(w, &a->sampler, i) == sampler))
            same |= 1u << i;
    return same;
}

static bool read_group(warp *w, const uop *u, uint32_t lanes, uint32_t active, bool first)
{
    const texture_access *const a = u->info;
    const unsigned lane = ws_lowest(lanes);
    const texture *const t = texture_resolve(w, u, a, lane);
    const texture *const other = t && a->has_sampler ? lookup(w, u, &a->sampler, WS_IS_SAMPLER, lane) : t;
    if (!t || !other)
        return false;
    footprint f;
    uint64_t before[4][WS_WARP];
    texture_before(w, a, before);
    if (is_word_fetch(a, t))
        read_words(w, a, t, lanes, &f);
    else
        read_lanes(w, a, t, &other->is.sampler, lanes, &f);
    if (a->resident != PLACE_NONE)
        *(uint32_t *)place_pointer(w, a->resident) |= lanes;
    return texture_emit(w, u, lanes, active, f.address[0], f.n, t->texel_bytes, first) &&
           texture_report(w, u, a, lanes, before);
}

bool texture_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const texture_access *const a = u->info;
    static const uint64_t nowhere[WS_WARP];
    if (!exec) /* nobody reads, the instruction still was issued */
        return texture_emit(w, u, 0, active, nowhere, 1, 0, true);
    if (a->op >= SURFACE_LOAD)
        return surface_run(w, u, exec, active);
    for (uint32_t rest = exec; rest;) {
        const uint32_t lanes = same_handles(w, a, rest, ws_lowest(rest));
        if (!read_group(w, u, lanes, active, rest == exec))
            return false;
        rest &= ~lanes;
    }
    return true;
}

/* Numbers of OpenCL for the data type of a channel and for their order, as txq gives them (PTX ISA, txq). */
static uint32_t data_type(const texture *t)
{
    static const uint16_t plain[WS_TEXELS] = {0x10da, 0x10d7, 0x10db, 0x10d8, 0x10dc, 0x10d9, 0x10dd, 0x10de};
    static const uint16_t as_float[WS_TEXELS] = {0x10d2, 0x10d0, 0x10d3, 0x10d1, 0x10dc, 0x10d9, 0x10dd, 0x10de};
    return t->is.as_float ? as_float[t->is.texel] : plain[t->is.texel];
}

static uint32_t answer(const texture *t, texture_query query)
{
    const ws_texture *const is = &t->is;
    switch (query) {
    case QUERY_WIDTH:
        return is->width;
    case QUERY_HEIGHT:
        return is->height;
    case QUERY_DEPTH:
        return is->depth;
    case QUERY_LAYERS:
        return is->cube ? is->layers / WS_CUBE_FACES : is->layers;
    case QUERY_DATA_TYPE:
        return data_type(t);
    case QUERY_ORDER:
        return is->channels == 1 ? 0x10b0 : is->channels == 2 ? 0x10b2 : 0x10b5;
    case QUERY_NORMALIZED:
        return is->sampler.normalized;
    default:
        return 1; /* one level, one sample */
    }
}

bool texture_ask(warp *w, const uop *u, uint32_t exec)
{
    const texture_access *const a = u->info;
    uint32_t *const d = place_pointer(w, u->d);
    WS_EACH_LANE (lane, exec) {
        const texture *const t = lookup(w, u, &a->handle, a->kind, lane);
        if (!t)
            return false;
        d[lane] = answer(t, (texture_query)a->query);
    }
    return true;
}
