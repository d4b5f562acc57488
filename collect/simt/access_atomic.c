/* access_atomic.c - atomics of a warp: by the operation, and by who else may be at the memory. */
#include "collect/simt/access_internal.h"
#include "collect/simt/lanes_scalar_internal.h"
#include "collect/simt/sixteen_internal.h"

#include <math.h>
#include <string.h>

/* atom.add.f32 on global memory flushes subnormals to zero, on shared memory it does not (PTX ISA, atom). */
static float flushed(float f)
{
    return __builtin_fabsf(f) < 0x1p-126f ? __builtin_copysignf(0.0f, f) : f;
}

/* What one lane's atomic writes back. */
static uint64_t combine(const mem_access *a, bool global, uint64_t old, uint64_t value, uint64_t compare, unsigned lane)
{
    const ws_type_kind kind = ws_type_kind_of(a->type);
    const unsigned bits = 8u * a->bytes;
    if (a->combine) { /* small floats: one lane of a lane function */
        _Alignas(64) uint32_t x[WS_WARP] = {0}, y[WS_WARP] = {0}, d[WS_WARP] = {0};
        ws_mask one = {.bits = 0};
        mask_set(&one, 1u << lane);
        x[lane] = (uint32_t)old;
        y[lane] = (uint32_t)value;
        a->combine(d, x, y, NULL, NULL, &one);
        return d[lane];
    }
    const int64_t so = bits == 32 ? (int32_t)old : (int64_t)old, sv = bits == 32 ? (int32_t)value : (int64_t)value;
    switch ((ws_sub)a->sub) {
    case WS_SUB_AND:
        return old & value;
    case WS_SUB_OR:
        return old | value;
    case WS_SUB_XOR:
        return old ^ value;
    case WS_SUB_EXCH:
        return value;
    case WS_SUB_CAS:
        return old == compare ? value : old;
    case WS_SUB_INC:
        return old >= value ? 0 : old + 1;
    case WS_SUB_DEC:
        return old == 0 || old > value ? value : old - 1;
    case WS_SUB_ADD:
        if (kind != WS_KIND_FLOAT)
            return old + value;
        if (a->type == WS_T_f64)
            return ws_f64_bits(ws_f64_from_bits(old) + ws_f64_from_bits(value));
        const float a32 = ws_f32_from_bits((uint32_t)old), b32 = ws_f32_from_bits((uint32_t)value);
        const float sum = global ? flushed(flushed(a32) + flushed(b32)) : a32 + b32;
        return isnan(sum) ? CANONICAL_NAN_F32 : ws_f32_bits(sum);
    case WS_SUB_MIN:
        if (kind == WS_KIND_SINT)
            return so < sv ? old : value;
        return old < value ? old : value;
    case WS_SUB_MAX:
        if (kind == WS_KIND_SINT)
            return so > sv ? old : value;
        return old > value ? old : value;
    default:
        return old;
    }
}

/* One lane's atomic on memory that other workers may be changing: compare and swap until it holds. */
#define SWAP_LOOP(type) \
    do { \
        type *at = (type *)(void *)target; \
        type seen = __atomic_load_n(at, __ATOMIC_RELAXED); \
        while (!__atomic_compare_exchange_n(at, &seen, (type)combine(a, true, seen, value, compare, lane), true, \
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) { \
        } \
        return seen; \
    } while (0)

static uint64_t swap_lane(const mem_access *a, unsigned char *target, uint64_t value, uint64_t compare, unsigned lane)
{
    if (a->bytes == 2)
        SWAP_LOOP(uint16_t);
    if (a->bytes == 4)
        SWAP_LOOP(uint32_t);
    SWAP_LOOP(uint64_t);
}

static uint64_t plain_lane(const mem_access *a, unsigned char *target, bool global, uint64_t value, uint64_t compare,
                           unsigned lane)
{
    uint64_t old = 0;
    memcpy(&old, target, a->bytes);
    const uint64_t now = combine(a, global, old, value, compare, lane);
    memcpy(target, &now, a->bytes);
    return old;
}

/* Integer additions on 32-bit words that nobody else touches: histograms spend their time here. */
static void add_words(const part *p, unsigned offset, const uint32_t *value, uint32_t *old)
{
    WS_EACH_LANE (i, p->mask->bits) {
        uint32_t *at = (uint32_t *)(void *)(lane_memory(p, i) + offset);
        old[i] = *at;
        *at += value[i];
    }
}

/* Atomics on 128 bits, beside other workers as indivisible as ordered accesses of 16 bytes, by the same means. */
static bool do_atomic_double(warp *w, const part *p)
{
    const mem_access *a = p->a;
    launch *const l = w->block->launch;
    const unsigned char *const value = place_pointer(w, a->value), *const compare = place_pointer(w, a->compare);
    unsigned char *const d = a->returns ? place_pointer(w, a->data[0]) : NULL;
    enum { HALF = WS_WARP * 8 }; /* bytes from the lower words of a register to the upper ones */
    const bool shares = p->space == WS_SPACE_GLOBAL && l->workers > 1, locks = shares && !has_sixteen();
    if (locks)
        pthread_mutex_lock(&l->lock);
    WS_EACH_LANE (i, p->mask->bits) {
        uint64_t old[2], now[2], expected[2];
        void *const at = lane_memory(p, i);
        memcpy(old, at, sizeof old);
        for (unsigned h = 0; h < 2; h++) {
            memcpy(&now[h], value + h * HALF + 8 * i, sizeof now[h]);
            memcpy(&expected[h], compare + (a->sub == WS_SUB_CAS ? h * HALF + 8 * i : 0), sizeof expected[h]);
        }
        if (shares && !locks)
            swap_sixteen(at, now, a->sub == WS_SUB_CAS ? expected : NULL, old);
        else if (a->sub != WS_SUB_CAS || (old[0] == expected[0] && old[1] == expected[1]))
            memcpy(at, now, sizeof now);
        if (a->sub == WS_SUB_CAS && p->space == WS_SPACE_GLOBAL)
            w->block->worker->failed_swaps += old[0] != expected[0] || old[1] != expected[1];
        for (unsigned h = 0; h < 2 && d; h++)
            memcpy(d + h * HALF + 8 * i, &old[h], sizeof old[h]);
    }
    if (locks)
        pthread_mutex_unlock(&l->lock);
    return true;
}

/* Lanes of a compare-and-swap that found something else than they expected. */
static unsigned count_failed(const mem_access *a, uint32_t lanes, const void *compare, const void *old)
{
    const uint64_t bits = a->bytes < 8 ? (UINT64_C(1) << 8 * a->bytes) - 1 : UINT64_MAX;
    unsigned failed = 0;
    WS_EACH_LANE (i, lanes) {
        const uint64_t c = a->wide ? ((const uint64_t *)compare)[i] : ((const uint32_t *)compare)[i];
        const uint64_t was = a->wide ? ((const uint64_t *)old)[i] : ((const uint32_t *)old)[i];
        failed += (c & bits) != (was & bits);
    }
    return failed;
}

static bool do_atomic_element(warp *w, const part *p, unsigned element)
{
    const mem_access *a = p->a;
    block *b = w->block;
    const bool global = p->space == WS_SPACE_GLOBAL;
    const bool alone = !global || b->launch->workers == 1;
    const bool values = b->sampled && p->space == WS_SPACE_SHARED;
    const bool returns = a->returns && !a->sink[element];
    const unsigned offset = element * a->bytes;
    const void *value = place_pointer(w, a->vec > 1 ? a->element[element] : a->value);
    const void *compare = place_pointer(w, a->compare);
    uint64_t before[WS_WARP] = {0};
    _Alignas(64) union {
        uint32_t word[WS_WARP];
        uint64_t wide[WS_WARP];
    } old;
    if (values)
        access_part_read_memory(before, p, element);
    if (alone && a->sub == WS_SUB_ADD && a->bytes == 4 && a->type != WS_T_f32 && !a->combine) {
        add_words(p, offset, value, old.word);
    } else {
        WS_EACH_LANE (i, p->mask->bits) {
            const uint64_t v = a->wide ? ((const uint64_t *)value)[i] : ((const uint32_t *)value)[i];
            const uint64_t c = a->wide ? ((const uint64_t *)compare)[i] : ((const uint32_t *)compare)[i];
            unsigned char *const at = lane_memory(p, i) + offset;
            const uint64_t was = alone ? plain_lane(a, at, global, v, c, i) : swap_lane(a, at, v, c, i);
            if (a->wide)
                old.wide[i] = was;
            else
                old.word[i] = (uint32_t)was;
        }
    }
    if (a->sub == WS_SUB_CAS && global)
        b->worker->failed_swaps += count_failed(a, p->mask->bits, compare, &old);
    if (values && !access_part_report_shared(w, p, before, element))
        return false;
    if (returns) {
        void *d = place_pointer(w, a->data[element]);
        if (b->sampled)
            access_part_read_lanes(before, d, a->wide);
        WS_EACH_LANE (i, p->mask->bits) {
            if (a->wide)
                ((uint64_t *)d)[i] = old.wide[i];
            else
                ((uint32_t *)d)[i] = old.word[i];
        }
        if (b->sampled && (p->u->dst_bits || a->vec > 1))
            return access_part_report_register(w, p, before, a->data[element], a->wide,
                                               a->vec > 1 ? a->number[element] : p->u->dst_reg);
    }
    return true;
}

bool access_atomic(warp *w, const part *p)
{
    if (p->a->bytes == 16)
        return do_atomic_double(w, p);
    for (unsigned v = 0; v < p->a->vec; v++)
        if (!do_atomic_element(w, p, v))
            return false;
    return true;
}
