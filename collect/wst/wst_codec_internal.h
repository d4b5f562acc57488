/* wst_codec_internal.h - predictor of wst_codec.c, and the encoding of mispredictions: written by wst_encode.c, read by
 * wst_decode.c. */
#ifndef WS_WST_CODEC_INTERNAL_H
#define WS_WST_CODEC_INTERNAL_H

#include "collect/wst/wst_internal.h"

enum {
    EVENTS_PREDICTED = 0, /* the low two bits of row entries */
    EVENTS_WARP = 1,
    EVENTS_TOLD = 2,
    ACCESS_PREDICTED = 0,
    ACCESS_MOVED = 1,
    ACCESS_STRIDE = 2,
    ACCESS_LANES = 3,
    KIND_BITS = 2,
    KIND_MASK = 3,
    LANES_RAW = 0x80, /* in the first byte of explicit lanes: 8 bytes each instead of distances */
    MOST_SHIFT = 15,
    MASK_AS_BEFORE = 0, /* encoding of a mask: equal to the reference, equal to that of the previous event (or to
                           `active`), or in full */
    MASK_AS_ACTIVE = 1,
    MASK_TOLD = 2,
    AUX_AS_BEFORE = 0,
    AUX_AS_ACTIVE = 1,
    AUX_ZERO = 2,
    AUX_TOLD = 3,
    ACTIVE_SHIFT = 0,
    EXEC_SHIFT = 2,
    AUX_SHIFT = 4,
    HAS_STATICS = 1 << 6,
    HAS_COUNT = 1 << 7,
    STATICS = 3, /* size in bytes */
    TEXEL_BITS = 5,
    TEXEL_MASK = 31,
};

/* An event without its warp and addresses. */
typedef struct shape {
    uint32_t pc, active, exec, aux;
    uint16_t count;
    uint8_t kind, depth, space, texel; /* texel: `texel` and `further` of the event, in its layout */
} shape;

typedef struct next_entry {
    uint32_t age; /* age of its segment: entries of other ages are empty */
    uint8_t wrong;
    shape shape;
} next_entry;

typedef struct pc_entry {
    uint32_t age;
    shape shape;
} pc_entry;

/* Lane addresses at the last execution of an instruction: base + stride * lane, or offsets from the lowest lane. */
typedef struct pattern {
    uint32_t age, exec; /* exec: the lanes of the offsets */
    bool affine;
    bool first_known; /* first_* hold some warp's first access */
    int64_t stride;
    uint64_t first_base, first_step;
    uint64_t *offset; /* [WS_WARP]; NULL until lanes have no common stride */
} pattern;

/* Address of a warp at its last execution of an instruction. */
typedef struct place {
    uint32_t age;
    uint64_t base, step;
} place;

typedef struct warp_state {
    uint32_t age;
    shape last;
    uint32_t before; /* pc of the previous event */
} warp_state;

struct ws_wst_codec {
    const ws_launch *launch;
    uint32_t age, warps;
    uint16_t *next;    /* [1 << NEXT_LOG2] index + 1 of an entry of `known`; 0: none */
    next_entry *known; /* most kernels use few of the table's places */
    uint32_t knowns, known_room;
    pc_entry *at;        /* [instrs] */
    uint32_t *memory_of; /* [instrs] index of its first group of addresses among all memory instructions */
    uint32_t memories;   /* number of groups: WS_EVENT_ADDRESSES per instruction that reads texels, else one */
    pattern *pattern;    /* [memories] */
    place *place;        /* [memories * warps] */
    warp_state *warp;    /* [warps] */
    bool short_of_memory;
    next_entry spare; /* replaces an entry that could not be allocated */
    uint64_t base;    /* of the previous access */
    uint32_t current; /* warp */

    /* the current segment */
    uint64_t events, accesses, values, warp_instructions;
    uint64_t pending_events, pending_accesses; /* predicted, not yet written */
    ws_bytes row[3];
    ws_wst_head head; /* for reading: */
    ws_reader in[3];
    size_t used[3]; /* bytes read of each part */

    /* decoded data */
    ws_event *event;
    uint64_t *address;
    ws_value *value;
    uint64_t *lanes; /* of the values */
    size_t event_room, access_room, value_room;
};

static inline uint32_t groups_of(const ws_instr *instr)
{
    return instr->cls != WS_CLASS_MEMORY ? 0 : instr->space == WS_SPACE_TEXTURE ? WS_EVENT_ADDRESSES : 1;
}

/* ------------------------------------------------------------------------------------------------ control */

static inline warp_state *warp_of(ws_wst_codec *c, uint32_t warp)
{
    warp_state *const w = &c->warp[warp];
    if (w->age != c->age)
        *w = (warp_state){.age = c->age,
                          .last = {.pc = UINT32_MAX, .count = 1, .active = UINT32_MAX, .exec = UINT32_MAX},
                          .before = UINT32_MAX};
    return w;
}

static inline bool same_shape(const shape *a, const shape *b)
{
    return a->pc == b->pc && a->active == b->active && a->exec == b->exec && a->aux == b->aux && a->count == b->count &&
           a->kind == b->kind && a->depth == b->depth && a->space == b->space && a->texel == b->texel;
}

/* Returns the reference for the fields of an event at pc: the last event there, or the most frequent first one. */
static inline shape reference(const ws_wst_codec *c, const warp_state *w, uint32_t pc)
{
    if (c->at[pc].age == c->age)
        return c->at[pc].shape;
    return (shape){.pc = pc, .active = w->last.active, .exec = w->last.active, .count = 1, .depth = w->last.depth};
}

/* Returns the table's entry for the event after the last two events of a warp. */
next_entry *codec_next(ws_wst_codec *c, const warp_state *w);
/* Trains the entry and the warp with the actual event `s`. */
void codec_learn(ws_wst_codec *c, warp_state *w, next_entry *entry, const shape *s);

/* ------------------------------------------------------------------------------------------------ addresses */

static inline pattern *pattern_of(ws_wst_codec *c, uint32_t memory)
{
    pattern *const p = &c->pattern[memory];
    if (p->age != c->age) {
        p->age = c->age;
        p->affine = true;
        p->stride = 0;
        p->first_known = false;
        p->first_step = 0;
    }
    return p;
}

static inline place *place_of(ws_wst_codec *c, uint32_t memory, uint32_t warp)
{
    return &c->place[(size_t)memory * c->warps + warp];
}

static inline bool known(const ws_wst_codec *c, const place *at)
{
    return at->age == c->age;
}

static inline uint64_t predicted_base(const ws_wst_codec *c, const pattern *p, const place *at)
{
    if (known(c, at))
        return at->base + at->step;
    return p->first_known ? p->first_base + p->first_step : c->base;
}

static inline void learn_base(ws_wst_codec *c, pattern *p, place *at, uint64_t base)
{
    if (known(c, at)) {
        at->step = base - at->base;
    } else {
        p->first_step = p->first_known ? base - p->first_base : 0;
        p->first_base = base;
        p->first_known = true;
        at->age = c->age;
        at->step = 0;
    }
    at->base = base;
    c->base = base;
}

/* Sets the pattern of lanes without a common stride. Sets c->short_of_memory when memory is short. */
void codec_set_offsets(ws_wst_codec *c, pattern *p, uint32_t exec, const uint64_t *address);

#endif
