/* texture_run.c - what does a warp get from a texture? tex, tld4 and the queries. */
#include "collect/simt/lanes_scalar_internal.h"
#include "collect/simt/texture_internal.h"

#include <string.h>

/* Texels of the lanes of one access: a row for each texel of the footprint. */
typedef uint64_t touched[TEXELS_MOST][WS_WARP];

/* ---- handles ---- */

uint64_t texture_handle(const warp *w, const handle_source *source, unsigned lane)
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
        block_fault(w, u, lane, "invalid %s `%s`: nothing is bound to it", word, t->name);
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
    if (is->address >= cache->low && is->address + t->bytes <= cache->high)
        return t;
    span s;
    if (memory_find(w->block->launch->device->memory, is->address, &s) && t->bytes <= s.high - is->address) {
        *cache = s;
        return t;
    }
    block_fault(w, u, lane, "invalid %s access: its memory, %llu bytes at address 0x%llx, is freed",
                kind_word(a->kind), (unsigned long long)t->bytes, (unsigned long long)is->address);
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
        if (!block_flush(b)) /* values and events stay in order */
            return false;
        read_register(w, a, i, after);
        const ws_value value = {.pc = u->pc,
                                .warp = (uint16_t)w->index,
                                .bytes = a->bits[i] / 8,
                                .exec = exec,
                                .reg = a->number[i],
                                .before = before[i],
                                .after = after};
        const int status = ws_range_values(b->range, b->index, &value, 1);
        if (status)
            return block_fail(b, status, "%s", ws_message());
    }
    return true;
}

static void put(const warp *w, const texture_access *a, unsigned i, unsigned lane, uint64_t value)
{
    void *const at = place_pointer(w, a->data[i]);
    if (a->data_wide[i])
        ((uint64_t *)at)[lane] = value;
    else
        ((uint32_t *)at)[lane] = (uint32_t)value;
}

/* ---- one lane ---- */

static void read_coordinates(const warp *w, const texture_access *a, unsigned lane, coordinates *c)
{
    *c = (coordinates){0};
    if (a->layered)
        c->layer = ((const uint32_t *)place_pointer(w, a->layer))[lane];
    for (unsigned d = 0; d < a->dims; d++) {
        const uint32_t raw = ((const uint32_t *)place_pointer(w, a->coordinate[d]))[lane];
        if (a->integer)
            c->whole[d] = (int32_t)raw;
        else
            c->at[d] = (double)ws_f32_from_bits(raw);
        if (a->has_offset)
            c->offset[d] = (int32_t)((const uint32_t *)place_pointer(w, a->offset[d]))[lane];
    }
}

static void texel_of(const texture *t, const ws_sampler *s, const footprint *f, unsigned k, uint32_t value[4])
{
    if (f->inside[k])
        texel_read(t, f->address[k], value);
    else
        texel_border(t, s, value);
}

/* Products of a float and a weight of at most 24 bits are exact in double precision; so is nearly every sum. */
static void filtered(const texture *t, const ws_sampler *s, const footprint *f, uint32_t out[4])
{
    double sum[4] = {0};
    uint32_t value[4];
    for (unsigned k = 0; k < f->n; k++) {
        if (f->weight[k] == 0)
            continue;
        texel_of(t, s, f, k, value);
        for (unsigned i = 0; i < 4; i++)
            sum[i] += f->weight[k] * (double)ws_f32_from_bits(value[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        out[i] = ws_f32_bits((float)sum[i]);
}

/* tld4: one channel of the four texels, counter-clockwise from the lower left one. */
static void gathered(const texture *t, const ws_sampler *s, const footprint *f, unsigned component, uint32_t out[4])
{
    static const uint8_t order[4] = {2, 3, 1, 0};
    uint32_t value[4];
    for (unsigned i = 0; i < 4; i++) {
        texel_of(t, s, f, order[i], value);
        out[i] = value[component];
    }
}

static void deliver(const warp *w, const texture_access *a, unsigned lane, const uint32_t value[4])
{
    for (unsigned i = 0; i < a->vec; i++) {
        if (a->sink[i])
            continue;
        if (a->type == WS_T_f16x2)
            put(w, a, i, lane, texel_half(ws_f32_from_bits(value[2 * i])) | texel_half(ws_f32_from_bits(value[2 * i + 1])) << 16);
        else if (a->type == WS_T_f16)
            put(w, a, i, lane, texel_half(ws_f32_from_bits(value[i])));
        else
            put(w, a, i, lane, value[i]);
    }
}

/* Lanes that read one texture with one sampler. Returns the rows of `at` that are filled. */
static unsigned read_lanes(warp *w, const texture_access *a, const texture *t, const ws_sampler *s, uint32_t lanes,
                           touched at)
{
    const bool gathers = a->op == TEXTURE_GATHER;
    const bool linear = gathers || (s->linear && t->floats && !t->is.by_index && !a->integer);
    footprint f = {.n = 1};
    coordinates c;
    uint32_t value[4];
    WS_EACH_LANE (lane, lanes) {
        read_coordinates(w, a, lane, &c);
        texture_place(t, s, a, &c, linear, &f);
        if (gathers)
            gathered(t, s, &f, a->component, value);
        else if (linear)
            filtered(t, s, &f, value);
        else
            texel_of(t, s, &f, 0, value);
        deliver(w, a, lane, value);
        for (unsigned k = 0; k < f.n; k++)
            at[k][lane] = f.address[k];
    }
    return f.n;
}

/* Words of linear memory by index, as most programs of CUDA's early years read them. */
static bool is_word_fetch(const texture_access *a, const texture *t)
{
    return t->is.by_index && a->integer && !a->has_offset && ws_texel_bytes(t->is.texel) == 4 &&
           (a->type == WS_T_f32 || a->type == WS_T_u32 || a->type == WS_T_s32);
}

/* The loops go over all lanes where they may, because the compiler makes vectors of such loops. */
static void read_words(warp *w, const texture_access *a, const texture *t, uint32_t lanes, touched at)
{
    const uint32_t *const index = place_pointer(w, a->coordinate[0]);
    const uint32_t n = t->is.width, missing[4] = {0, 0, 0, t->floats ? ws_f32_bits(1.0f) : 1};
    const uint64_t base = t->is.address, step = t->texel_bytes;
    uint32_t inside[WS_WARP];
    uint64_t *const address = at[0];
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
        if (c >= t->is.channels && lanes == UINT32_MAX) {
            for (unsigned i = 0; i < WS_WARP; i++)
                d[i] = inside[i] & missing[c];
        } else if (c >= t->is.channels) {
            WS_EACH_LANE (i, lanes)
                d[i] = inside[i] & missing[c];
        } else if (lanes == UINT32_MAX) {
            for (unsigned i = 0; i < WS_WARP; i++)
                d[i] = inside[i] & ((const uint32_t *)(uintptr_t)address[i])[c];
        } else {
            WS_EACH_LANE (i, lanes)
                d[i] = inside[i] & ((const uint32_t *)(uintptr_t)address[i])[c];
        }
    }
}

/* Nearest texels without a turn: no filter, no layers, coordinates clamped or cut off at the edges. */
static bool is_point_fetch(const texture_access *a, const texture *t, const ws_sampler *s)
{
    if (a->op != TEXTURE_FETCH || a->layered || a->cube || a->has_offset ||
        (a->type != WS_T_f32 && a->type != WS_T_u32 && a->type != WS_T_s32) ||
        (s->linear && t->floats && !t->is.by_index && !a->integer))
        return false;
    for (unsigned d = 0; d < a->dims; d++) {
        const ws_edge edge = texture_edge(s, d, a->integer);
        if (edge != WS_EDGE_CLAMP && edge != WS_EDGE_BORDER)
            return false;
    }
    return true;
}

/* Adds one dimension to the addresses. inside: lanes that no border has cut off. */
static uint32_t step_along(const warp *w, const texture_access *a, const ws_sampler *s, unsigned d, uint32_t extent,
                           uint64_t stride, uint64_t address[WS_WARP])
{
    const uint32_t *const raw = place_pointer(w, a->coordinate[d]);
    const double n = extent ? extent : 1, scale = s->normalized && !a->integer ? n : 1;
    const bool cuts = texture_edge(s, d, a->integer) == WS_EDGE_BORDER;
    uint32_t inside = 0;
    for (unsigned i = 0; i < WS_WARP; i++) {
        const double x = (a->integer ? (double)(int32_t)raw[i] : (double)ws_f32_from_bits(raw[i])) * scale;
        const double at = x >= 0 ? x < n ? x : n - 1 : 0;
        address[i] += (uint64_t)(uint32_t)(int32_t)at * stride;
        inside |= (uint32_t)(!cuts || (x >= 0 && x < n)) << i;
    }
    return inside;
}

static void read_points(warp *w, const texture_access *a, const texture *t, const ws_sampler *s, uint32_t lanes,
                        touched at)
{
    const ws_texture *const is = &t->is;
    const uint32_t extent[3] = {is->width, is->height, is->depth};
    const uint64_t stride[3] = {t->texel_bytes, is->pitch, is->slice};
    uint32_t border[4], value[WS_WARP], inside = lanes;
    for (unsigned i = 0; i < WS_WARP; i++)
        at[0][i] = is->address;
    for (unsigned d = 0; d < a->dims; d++)
        inside &= step_along(w, a, s, d, extent[d], stride[d], at[0]);
    for (unsigned i = 0; i < WS_WARP && lanes != UINT32_MAX; i++)
        at[0][i] = lanes >> i & 1 ? at[0][i] : 0;
    texel_border(t, s, border);
    for (unsigned c = 0; c < a->vec; c++) {
        uint32_t *const d = place_pointer(w, a->data[c]);
        if (a->sink[c])
            continue;
        if (c < is->channels)
            texel_read_channel(t, at[0], inside, c, value);
        const uint32_t missing = c == 3 ? t->floats ? ws_f32_bits(1.0f) : 1 : 0;
        WS_EACH_LANE (i, lanes)
            d[i] = !(inside >> i & 1) ? border[c] : c < is->channels ? value[i] : missing;
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
    touched at;
    uint64_t before[4][WS_WARP];
    unsigned groups = 1;
    texture_before(w, a, before);
    if (is_word_fetch(a, t)) {
        read_words(w, a, t, lanes, at);
    } else if (is_point_fetch(a, t, &other->is.sampler)) {
        read_points(w, a, t, &other->is.sampler, lanes, at);
    } else {
        memset(at, 0, sizeof at);
        groups = read_lanes(w, a, t, &other->is.sampler, lanes, at);
    }
    if (a->resident != PLACE_NONE)
        *(uint32_t *)place_pointer(w, a->resident) |= lanes;
    return texture_emit(w, u, lanes, active, at[0], groups, t->texel_bytes, first) &&
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
