/* surface_run.c - loads, stores and reductions on surfaces: suld, sust, sured.
 *
 * In .b forms x counts bytes and the bits are moved as they are; in .p forms x counts texels and values of 32 bits
 * become what the surface holds. */
#include "collect/simt/lanes_scalar_internal.h"
#include "collect/simt/texture_internal.h"

#include <string.h>

typedef struct spot {
    uint64_t address;
    bool inside;
} spot;

static int64_t signed_word(const warp *w, place p, unsigned lane)
{
    return (int32_t)((const uint32_t *)place_pointer(w, p))[lane];
}

/* False after a fault: outside, and .trap. x is clamped to the last unit that fits. */
static bool locate(warp *w, const uop *u, const texture_access *a, const texture *t, unsigned lane, spot *out)
{
    const ws_texture *const is = &t->is;
    const int64_t unit = a->formatted ? t->texel_bytes : 1, bytes = (int64_t)is->width * t->texel_bytes;
    const int64_t size = a->formatted ? t->texel_bytes : (int64_t)a->bytes * a->vec;
    int64_t at[3] = {0}, extent[3] = {1, is->height ? is->height : 1, is->depth ? is->depth : 1};
    bool inside = true;
    for (unsigned d = 0; d < a->dims; d++)
        at[d] = signed_word(w, a->coordinate[d], lane);
    int64_t x = at[0] * unit;
    if (!a->formatted && x % size)
        return block_fault(w, u, lane, "misaligned surface access of %lld bytes at byte %lld of a row", (long long)size,
                           (long long)x);
    if (x < 0 || x > bytes - size) {
        inside = false;
        x = x < 0 ? 0 : bytes >= size ? bytes - size : 0;
    }
    for (unsigned d = 1; d < 3; d++)
        if (at[d] < 0 || at[d] >= extent[d]) {
            inside = false;
            at[d] = at[d] < 0 ? 0 : extent[d] - 1;
        }
    uint64_t layer = a->layered ? ((const uint32_t *)place_pointer(w, a->layer))[lane] : 0;
    const uint64_t layers = is->layers ? is->layers : 1;
    if (layer >= layers) {
        inside = false;
        layer = layers - 1;
    }
    if (size > bytes)
        return block_fault(w, u, lane, "invalid surface access of %lld bytes to rows of %lld", (long long)size,
                           (long long)bytes);
    if (!inside && a->edge == SURFACE_TRAP)
        return block_fault(w, u, lane, "invalid surface access: out of bounds");
    out->inside = inside || a->edge == SURFACE_CLAMP;
    out->address = is->address + (layer * (uint64_t)extent[2] + (uint64_t)at[2]) * is->slice +
                   (uint64_t)at[1] * is->pitch + (uint64_t)x;
    return true;
}

static uint64_t data_of(const warp *w, const texture_access *a, unsigned i, unsigned lane)
{
    const void *const at = place_pointer(w, a->data[i]);
    return a->data_wide[i] ? ((const uint64_t *)at)[lane] : ((const uint32_t *)at)[lane];
}

static void load(const warp *w, const texture_access *a, const spot *s, unsigned lane)
{
    for (unsigned i = 0; i < a->vec; i++) {
        uint64_t value = 0;
        if (a->sink[i])
            continue;
        if (s->inside)
            memcpy(&value, (const void *)(uintptr_t)(s->address + i * a->bytes), a->bytes);
        void *const at = place_pointer(w, a->data[i]);
        if (a->data_wide[i])
            ((uint64_t *)at)[lane] = value;
        else
            ((uint32_t *)at)[lane] = (uint32_t)value;
    }
}

static void store(const warp *w, const texture_access *a, const texture *t, const spot *s, unsigned lane)
{
    uint32_t value[4] = {0};
    if (!s->inside)
        return;
    for (unsigned i = 0; i < a->vec; i++) {
        const uint64_t data = data_of(w, a, i, lane);
        if (!a->formatted)
            memcpy((void *)(uintptr_t)(s->address + i * a->bytes), &data, a->bytes);
        value[i] = (uint32_t)data;
    }
    if (a->formatted)
        texel_write(t, s->address, value);
}

static uint64_t combined(const texture_access *a, uint64_t old, uint64_t value)
{
    const bool wide = a->bytes == 8;
    const int64_t so = wide ? (int64_t)old : (int32_t)old, sv = wide ? (int64_t)value : (int32_t)value;
    const bool is_signed = ws_type_kind_of(a->type) == WS_KIND_SINT;
    switch ((ws_sub)a->sub) {
    case WS_SUB_ADD:
        return old + value;
    case WS_SUB_AND:
        return old & value;
    case WS_SUB_OR:
        return old | value;
    case WS_SUB_MIN:
        return (is_signed ? so < sv : old < value) ? old : value;
    default:
        return (is_signed ? so > sv : old > value) ? old : value;
    }
}

/* Other workers may be at it, too. */
static void reduce(const warp *w, const texture_access *a, const spot *s, unsigned lane)
{
    const uint64_t value = data_of(w, a, 0, lane);
    if (!s->inside)
        return;
    if (a->bytes == 4) {
        uint32_t *const at = (uint32_t *)(uintptr_t)s->address;
        uint32_t seen = __atomic_load_n(at, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(at, &seen, (uint32_t)combined(a, seen, (uint32_t)value), true,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
        }
    } else {
        uint64_t *const at = (uint64_t *)(uintptr_t)s->address;
        uint64_t seen = __atomic_load_n(at, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(at, &seen, combined(a, seen, value), true, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED)) {
        }
    }
}

bool surface_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const texture_access *const a = u->info;
    uint64_t at[WS_WARP] = {0}, before[4][WS_WARP];
    unsigned bytes = 0;
    if (a->op == SURFACE_LOAD)
        texture_before(w, a, before);
    WS_EACH_LANE (lane, exec) {
        spot s = {0};
        const texture *const t = texture_resolve(w, u, a, lane);
        if (!t || !locate(w, u, a, t, lane, &s))
            return false;
        if (a->op == SURFACE_REDUCE && s.address % a->bytes)
            return block_fault(w, u, lane, "misaligned reduction of %u bytes on a surface", a->bytes);
        bytes = a->formatted ? t->texel_bytes : (unsigned)a->bytes * a->vec;
        at[lane] = s.address;
        if (a->op == SURFACE_LOAD)
            load(w, a, &s, lane);
        else if (a->op == SURFACE_STORE)
            store(w, a, t, &s, lane);
        else
            reduce(w, a, &s, lane);
    }
    return texture_emit(w, u, exec, active, at, 1, bytes, true) &&
           (a->op != SURFACE_LOAD || texture_report(w, u, a, exec, before));
}
