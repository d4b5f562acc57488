/* wst_codec.c - how few bytes tell what a block did?
 *
 * Control: a table says for each place (what the warp did last and before that) what came next the last time. Warps and
 * loop iterations of one block repeat each other, so most events are as predicted, and runs of them are one number. An
 * entry is replaced only when it was wrong twice in a row: a loop's exit does not spoil its next round.
 * Addresses: the next access of a warp at an instruction is predicted at the distance of its last two there, the first
 * access of a warp at the distance that the first accesses of the warps before it had, with the lanes laid out as the
 * last time. What is left over is told as a distance, a stride, or lane by lane. */
#include "collect/wst/wst_internal.h"

#include "base/bounds.h"
#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>

enum {
    NEXT_LOG2 = 12,        /* entries of the table of what comes next */
    SURE = 2,              /* times in a row that an entry may be wrong before it is replaced */
    EVENTS_PREDICTED = 0,  /* the low two bits of what the rows hold */
    EVENTS_WARP = 1,
    EVENTS_TOLD = 2,
    ACCESS_PREDICTED = 0,
    ACCESS_MOVED = 1,
    ACCESS_STRIDE = 2,
    ACCESS_LANES = 3,
    KIND_BITS = 2,
    KIND_MASK = 3,
    LANES_RAW = 0x80,      /* in the first byte of lanes told one by one: no distances but 8 bytes each */
    MOST_SHIFT = 15,
    MASK_AS_BEFORE = 0,    /* how a mask is told: as in the reference, as that of the event before (or of `active`), in full */
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
    STATICS = 3, /* bytes of them */
    TEXEL_BITS = 5,
    TEXEL_MASK = 31,
};

/* An event without its warp and its addresses. */
typedef struct shape {
    uint32_t pc, active, exec, aux;
    uint16_t count;
    uint8_t kind, depth, space, texel; /* the last: texel and further of the event, as they lie in it */
} shape;

typedef struct next_entry {
    uint32_t age; /* of the segment it was made in: others are empty */
    uint8_t wrong;
    shape shape;
} next_entry;

typedef struct pc_entry {
    uint32_t age;
    shape shape;
} pc_entry;

/* How the lanes lay at an instruction the last time: base + stride * lane, or with offsets from the lowest lane. */
typedef struct pattern {
    uint32_t age, exec; /* exec: offsets are those of these lanes */
    bool affine;
    bool first_known; /* first_* hold the first access of some warp */
    int64_t stride;
    uint64_t first_base, first_step;
    uint64_t *offset; /* [WS_WARP]; NULL while the lanes never lay without a stride */
} pattern;

/* Where a warp was at an instruction the last time. */
typedef struct place {
    uint32_t age;
    uint64_t base, step;
} place;

typedef struct warp_state {
    uint32_t age;
    shape last;
    uint32_t before; /* pc of the event before it */
} warp_state;

struct ws_wst_codec {
    const ws_launch *launch;
    uint32_t age, warps;
    uint16_t *next;      /* [1 << NEXT_LOG2] number of an entry of `known` plus 1; 0: none */
    next_entry *known;   /* most kernels come to few of the table's places */
    uint32_t knowns, known_room;
    pc_entry *at;        /* [instrs] */
    uint32_t *memory_of; /* [instrs] number of its first group of addresses among those of all memory instructions */
    uint32_t memories;   /* groups: one an instruction, of those that read texels WS_EVENT_ADDRESSES */
    pattern *pattern;    /* [memories] */
    place *place;        /* [memories * warps] */
    warp_state *warp;    /* [warps] */
    bool short_of_memory;
    next_entry spare;    /* stands for an entry that there was no memory for */
    uint64_t base;       /* of the access before */
    uint32_t current;    /* warp */

    /* the segment in work */
    uint64_t events, accesses, values, warp_instructions;
    uint64_t pending_events, pending_accesses; /* as predicted, not yet written */
    ws_bytes row[3];
    ws_wst_head head; /* when it is read: */
    ws_reader in[3];
    size_t used[3]; /* bytes of its parts that were read */

    /* what was read */
    ws_event *event;
    uint64_t *address;
    ws_value *value;
    uint64_t *lanes; /* of the values */
    size_t event_room, access_room, value_room;
};

/* ------------------------------------------------------------------------------------------------ life */

static uint32_t groups_of(const ws_instr *instr)
{
    return instr->cls != WS_CLASS_MEMORY ? 0 : instr->space == WS_SPACE_TEXTURE ? WS_EVENT_ADDRESSES : 1;
}

ws_wst_codec *ws_wst_codec_create(const ws_launch *launch)
{
    ws_wst_codec *const c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->launch = launch;
    c->warps = launch->warps_per_block;
    c->memory_of = calloc(launch->instrs + 1, sizeof *c->memory_of);
    for (size_t i = 0; c->memory_of && i < launch->instrs; i++) {
        c->memory_of[i] = c->memories;
        c->memories += groups_of(&launch->instr[i]);
    }
    c->next = calloc((size_t)1 << NEXT_LOG2, sizeof *c->next);
    c->at = calloc(launch->instrs + 1, sizeof *c->at);
    c->pattern = calloc((size_t)c->memories + 1, sizeof *c->pattern);
    c->place = calloc((size_t)c->memories * c->warps + 1, sizeof *c->place);
    c->warp = calloc((size_t)c->warps + 1, sizeof *c->warp);
    if (!c->memory_of || !c->next || !c->at || !c->pattern || !c->place || !c->warp) {
        ws_wst_codec_destroy(c);
        return NULL;
    }
    return c;
}

void ws_wst_codec_destroy(ws_wst_codec *c)
{
    if (!c)
        return;
    free(c->memory_of);
    free(c->next);
    free(c->known);
    free(c->at);
    for (uint32_t i = 0; c->pattern && i < c->memories; i++)
        free(c->pattern[i].offset);
    free(c->pattern);
    free(c->place);
    free(c->warp);
    for (unsigned i = 0; i < 3; i++)
        ws_bytes_fini(&c->row[i]);
    free(c->event);
    free(c->address);
    free(c->value);
    free(c->lanes);
    free(c);
}

void ws_wst_begin(ws_wst_codec *c)
{
    c->age++;
    c->base = 0;
    c->current = 0;
    c->events = c->accesses = c->values = c->warp_instructions = 0;
    c->pending_events = c->pending_accesses = 0;
    for (unsigned i = 0; i < 3; i++)
        c->row[i].length = 0;
}

bool ws_wst_full(const ws_wst_codec *c)
{
    return c->events >= WS_WST_SEGMENT_EVENTS || c->accesses >= WS_WST_SEGMENT_ACCESSES ||
           c->values >= WS_WST_SEGMENT_EVENTS;
}

/* ------------------------------------------------------------------------------------------------ control */

static warp_state *warp_of(ws_wst_codec *c, uint32_t warp)
{
    warp_state *const w = &c->warp[warp];
    if (w->age != c->age)
        *w = (warp_state){.age = c->age,
                          .last = {.pc = UINT32_MAX, .count = 1, .active = UINT32_MAX, .exec = UINT32_MAX},
                          .before = UINT32_MAX};
    return w;
}

static next_entry *new_entry(ws_wst_codec *c, uint16_t *number)
{
    if (WS_GROW(c->known, c->known_room, c->knowns, 1)) {
        c->short_of_memory = true;
        return &c->spare;
    }
    c->known[c->knowns++] = (next_entry){0};
    *number = (uint16_t)c->knowns;
    return &c->known[c->knowns - 1];
}

/* The table's entry for what comes behind the last two events of a warp. */
static next_entry *next_of(ws_wst_codec *c, const warp_state *w)
{
    const shape *const s = &w->last;
    const uint32_t way = s->kind != WS_EVENT_BRANCH ? 0 : s->aux == 0 ? 1 : s->aux == s->active ? 2 : 3;
    const uint32_t hash = (s->pc * 8 + way) * 0x9e3779b1u ^ w->before * 0x85ebca6bu;
    uint16_t *const number = &c->next[(hash * 0xc2b2ae35u) >> (32 - NEXT_LOG2)];
    return *number ? &c->known[*number - 1] : new_entry(c, number);
}

static bool same_shape(const shape *a, const shape *b)
{
    return a->pc == b->pc && a->active == b->active && a->exec == b->exec && a->aux == b->aux && a->count == b->count &&
           a->kind == b->kind && a->depth == b->depth && a->space == b->space && a->texel == b->texel;
}

/* What the fields of an event at pc are told against: the last one there, or what most first ones are. */
static shape reference(const ws_wst_codec *c, const warp_state *w, uint32_t pc)
{
    if (c->at[pc].age == c->age)
        return c->at[pc].shape;
    return (shape){.pc = pc, .active = w->last.active, .exec = w->last.active, .count = 1, .depth = w->last.depth};
}

static void learn(ws_wst_codec *c, warp_state *w, next_entry *entry, const shape *s)
{
    if (entry->age != c->age || (!same_shape(&entry->shape, s) && ++entry->wrong >= SURE)) {
        entry->age = c->age;
        entry->shape = *s;
        entry->wrong = 0;
    } else if (same_shape(&entry->shape, s)) {
        entry->wrong = 0;
    }
    c->at[s->pc].age = c->age;
    c->at[s->pc].shape = *s;
    w->before = w->last.pc;
    w->last = *s;
}

static shape shape_of(const ws_event *ev)
{
    return (shape){.pc = ev->pc,
                   .active = ev->active,
                   .exec = ev->exec,
                   .aux = ev->kind == WS_EVENT_MEMORY || ev->kind == WS_EVENT_RUN ? 0 : ev->taken,
                   .count = ev->count,
                   .kind = ev->kind,
                   .depth = ev->depth,
                   .space = ev->space,
                   .texel = (uint8_t)(ev->texel | ev->further << TEXEL_BITS)};
}

static void flush_events(ws_wst_codec *c)
{
    if (c->pending_events)
        ws_bytes_add_varint(&c->row[0], (c->pending_events - 1) << KIND_BITS | EVENTS_PREDICTED);
    c->pending_events = 0;
}

static void add_u32(ws_bytes *row, uint32_t value)
{
    ws_bytes_add(row, &value, sizeof value);
}

static void tell(ws_bytes *row, const warp_state *w, const shape *ref, const shape *s)
{
    const unsigned active = s->active == ref->active      ? MASK_AS_BEFORE
                            : s->active == w->last.active ? MASK_AS_ACTIVE
                                                          : MASK_TOLD;
    const unsigned exec = s->exec == s->active   ? MASK_AS_ACTIVE
                          : s->exec == ref->exec ? MASK_AS_BEFORE
                                                 : MASK_TOLD;
    const unsigned aux = s->aux == ref->aux    ? AUX_AS_BEFORE
                         : s->aux == s->active ? AUX_AS_ACTIVE
                         : s->aux == 0         ? AUX_ZERO
                                               : AUX_TOLD;
    const bool statics = s->kind != ref->kind || s->space != ref->space || s->depth != ref->depth ||
                         s->texel != ref->texel;
    const bool count = s->count != ref->count;
    const uint8_t flags = (uint8_t)(active << ACTIVE_SHIFT | exec << EXEC_SHIFT | aux << AUX_SHIFT |
                                    (statics ? HAS_STATICS : 0) | (count ? HAS_COUNT : 0));
    ws_bytes_add_varint(row, EVENTS_TOLD);
    ws_bytes_add_varint(row, ws_zigzag((int64_t)s->pc - (int64_t)(uint32_t)(w->last.pc + w->last.count)));
    ws_bytes_add(row, &flags, 1);
    if (statics) {
        const uint8_t byte[STATICS] = {(uint8_t)(s->kind << 4 | s->space), s->depth, s->texel};
        ws_bytes_add(row, byte, sizeof byte);
    }
    if (count)
        ws_bytes_add_varint(row, s->count);
    if (active == MASK_TOLD)
        add_u32(row, s->active);
    if (exec == MASK_TOLD)
        add_u32(row, s->exec);
    if (aux == AUX_TOLD)
        ws_bytes_add_varint(row, s->aux);
}

/* ------------------------------------------------------------------------------------------------ addresses */

static pattern *pattern_of(ws_wst_codec *c, uint32_t memory)
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

static place *place_of(ws_wst_codec *c, uint32_t memory, uint32_t warp)
{
    return &c->place[(size_t)memory * c->warps + warp];
}

static bool known(const ws_wst_codec *c, const place *at)
{
    return at->age == c->age;
}

static uint64_t predicted_base(const ws_wst_codec *c, const pattern *p, const place *at)
{
    if (known(c, at))
        return at->base + at->step;
    return p->first_known ? p->first_base + p->first_step : c->base;
}

static void learn_base(ws_wst_codec *c, pattern *p, place *at, uint64_t base)
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

/* The base of an access whose lanes lie as the pattern says: lane 0's place, or the lowest lane's. */
static uint64_t base_of(const pattern *p, uint32_t exec, const uint64_t *address)
{
    const unsigned low = ws_lowest(exec);
    return p->affine ? address[low] - (uint64_t)p->stride * low : address[low];
}

static bool fits(const pattern *p, uint32_t exec, const uint64_t *address)
{
    if (!p->affine && p->exec != exec)
        return false;
    const uint64_t base = base_of(p, exec, address);
    WS_EACH_LANE(lane, exec)
        if (address[lane] != base + (p->affine ? (uint64_t)p->stride * lane : p->offset[lane]))
            return false;
    return true;
}

/* Whether one stride leads from lane to lane. */
static bool find_stride(uint32_t exec, const uint64_t *address, int64_t *stride)
{
    const unsigned low = ws_lowest(exec);
    const uint32_t rest = exec & (exec - 1);
    if (!rest) {
        *stride = 0;
        return true;
    }
    const unsigned second = ws_lowest(rest);
    const int64_t distance = (int64_t)(address[second] - address[low]), lanes = (int64_t)(second - low);
    if (distance % lanes)
        return false;
    *stride = distance / lanes;
    WS_EACH_LANE(lane, rest)
        if (address[lane] != address[low] + (uint64_t)*stride * (lane - low))
            return false;
    return true;
}

static void set_offsets(ws_wst_codec *c, pattern *p, uint32_t exec, const uint64_t *address)
{
    const unsigned low = ws_lowest(exec);
    if (!p->offset && !(p->offset = calloc(WS_WARP, sizeof *p->offset))) {
        c->short_of_memory = true;
        return;
    }
    p->affine = false;
    p->exec = exec;
    WS_EACH_LANE(lane, exec)
        p->offset[lane] = address[lane] - address[low];
}

static void tell_lanes(ws_bytes *row, uint32_t exec, const uint64_t *address)
{
    uint64_t distance[WS_WARP], all = 0;
    unsigned n = 0;
    uint64_t before = address[ws_lowest(exec)];
    bool far = false;
    WS_EACH_LANE(lane, exec & (exec - 1)) {
        distance[n] = address[lane] - before;
        far |= ws_zigzag((int64_t)distance[n]) >> 62 != 0;
        all |= distance[n++];
        before = address[lane];
    }
    unsigned shift = all ? (unsigned)__builtin_ctzll(all) : 0;
    shift = shift > MOST_SHIFT ? MOST_SHIFT : shift;
    const uint8_t head = far ? LANES_RAW : (uint8_t)shift;
    ws_bytes_add(row, &head, 1);
    if (far) {
        ws_bytes_add(row, distance, n * sizeof *distance);
        return;
    }
    for (unsigned i = 0; i < n;) { /* distance, and whether a number of further equal ones follows */
        unsigned same = 1;
        while (i + same < n && distance[i + same] == distance[i])
            same++;
        ws_bytes_add_varint(row, ws_zigzag((int64_t)distance[i] >> shift) << 1 | (same > 1));
        if (same > 1)
            ws_bytes_add_varint(row, same - 1);
        i += same;
    }
}

static void flush_accesses(ws_wst_codec *c)
{
    if (c->pending_accesses)
        ws_bytes_add_varint(&c->row[1], (c->pending_accesses - 1) << KIND_BITS | ACCESS_PREDICTED);
    c->pending_accesses = 0;
}

/* `memory`: number of the group of addresses. */
static void add_access(ws_wst_codec *c, uint32_t memory, const ws_event *ev, const uint64_t *address)
{
    pattern *const p = pattern_of(c, memory);
    place *const at = place_of(c, memory, ev->warp);
    const uint64_t expected = predicted_base(c, p, at);
    ws_bytes *const row = &c->row[1];
    if (fits(p, ev->exec, address)) {
        const uint64_t base = base_of(p, ev->exec, address);
        if (base == expected) {
            c->pending_accesses++;
        } else {
            flush_accesses(c);
            ws_bytes_add_varint(row, ACCESS_MOVED);
            ws_bytes_add_varint(row, ws_zigzag((int64_t)(base - expected)));
        }
        learn_base(c, p, at, base);
        return;
    }
    flush_accesses(c);
    if (find_stride(ev->exec, address, &p->stride)) {
        p->affine = true;
        const uint64_t base = base_of(p, ev->exec, address);
        ws_bytes_add_varint(row, ACCESS_STRIDE);
        ws_bytes_add_varint(row, ws_zigzag((int64_t)(base - expected)));
        ws_bytes_add_varint(row, ws_zigzag(p->stride));
        learn_base(c, p, at, base);
    } else {
        const uint64_t base = address[ws_lowest(ev->exec)];
        ws_bytes_add_varint(row, ACCESS_LANES);
        ws_bytes_add_varint(row, ws_zigzag((int64_t)(base - expected)));
        tell_lanes(row, ev->exec, address);
        set_offsets(c, p, ev->exec, address);
        learn_base(c, p, at, base);
    }
}

/* ------------------------------------------------------------------------------------------------ writing */

void ws_wst_add_event(ws_wst_codec *c, const ws_event *ev, const uint64_t *address)
{
    if (ev->warp != c->current) {
        flush_events(c);
        ws_bytes_add_varint(&c->row[0],
                            ws_zigzag((int64_t)ev->warp - (int64_t)c->current - 1) << KIND_BITS | EVENTS_WARP);
        c->current = ev->warp;
    }
    warp_state *const w = warp_of(c, ev->warp);
    next_entry *const entry = next_of(c, w);
    const shape s = shape_of(ev);
    if (entry->age == c->age && same_shape(&entry->shape, &s)) {
        c->pending_events++;
    } else {
        flush_events(c);
        const shape ref = reference(c, w, s.pc);
        tell(&c->row[0], w, &ref, &s);
    }
    learn(c, w, entry, &s);
    if (ev->kind == WS_EVENT_MEMORY) {
        for (unsigned group = 0; group <= ev->further && ev->exec; group++)
            add_access(c, c->memory_of[ev->pc] + group, ev, address + group * WS_WARP);
        c->accesses += 1u + ev->further;
    }
    c->events++;
    c->warp_instructions += ev->count;
}

/* Values are few (sampled blocks only), so they are told in full but for the zeros of idle lanes; zstd does the rest. */
void ws_wst_add_value(ws_wst_codec *c, const ws_value *v)
{
    ws_bytes *const row = &c->row[2];
    const uint8_t fixed[2] = {v->bytes, v->is_shared};
    ws_bytes_add_varint(row, v->pc);
    ws_bytes_add_varint(row, v->warp);
    ws_bytes_add_varint(row, v->reg);
    ws_bytes_add(row, fixed, sizeof fixed);
    add_u32(row, v->exec);
    WS_EACH_LANE(lane, v->exec)
        ws_bytes_add(row, &v->before[lane], v->bytes);
    WS_EACH_LANE(lane, v->exec) {
        const uint64_t changed = v->after[lane] ^ v->before[lane];
        ws_bytes_add(row, &changed, v->bytes);
    }
    if (v->is_shared)
        WS_EACH_LANE(lane, v->exec)
            ws_bytes_add_varint(row, v->address[lane]);
    c->values++;
}

void ws_wst_end(ws_wst_codec *c, uint64_t block, bool last, ws_bytes *out)
{
    flush_events(c);
    flush_accesses(c);
    out->failed |= c->short_of_memory;
    ws_bytes_add_varint(out, block << 1 | last);
    ws_bytes_add_varint(out, c->events);
    ws_bytes_add_varint(out, c->accesses);
    ws_bytes_add_varint(out, c->values);
    ws_bytes_add_varint(out, c->warp_instructions);
    for (unsigned i = 0; i < 3; i++)
        ws_bytes_add_varint(out, c->row[i].length);
    for (unsigned i = 0; i < 3; i++) {
        ws_bytes_add(out, c->row[i].data, c->row[i].length);
        out->failed |= c->row[i].failed;
    }
}

/* ------------------------------------------------------------------------------------------------ reading */

bool ws_wst_read_head(ws_reader *r, ws_wst_head *head)
{
    const uint64_t block = ws_read_varint(r);
    head->block = block >> 1;
    head->last = block & 1;
    head->events = ws_read_up_to(r, WS_WST_SEGMENT_EVENTS);
    head->accesses = ws_read_up_to(r, WS_WST_SEGMENT_ACCESSES + WS_EVENT_ADDRESSES);
    head->values = ws_read_up_to(r, WS_WST_SEGMENT_EVENTS + WS_WST_SEGMENT_EVENTS);
    head->warp_instructions = ws_read_varint(r);
    for (unsigned i = 0; i < 3; i++)
        head->length[i] = ws_read_varint(r);
    for (unsigned i = 0; i < 3; i++)
        head->part[i] = ws_read_bytes(r, head->length[i]);
    return !r->failed;
}

static uint32_t read_mask(ws_reader *r, unsigned how, uint32_t before, uint32_t active)
{
    return how == MASK_AS_BEFORE ? before : how == MASK_AS_ACTIVE ? active : ws_read_u32(r);
}

static bool read_told(const ws_wst_codec *c, ws_reader *r, const warp_state *w, shape *s)
{
    const int64_t pc = (int64_t)(uint32_t)(w->last.pc + w->last.count) + ws_unzigzag(ws_read_varint(r));
    const uint8_t *const flags = ws_read_bytes(r, 1);
    if (!flags || pc < 0 || (uint64_t)pc >= c->launch->instrs)
        return false;
    *s = reference(c, w, (uint32_t)pc);
    if (*flags & HAS_STATICS) {
        const uint8_t *const statics = ws_read_bytes(r, STATICS);
        if (!statics)
            return false;
        s->kind = statics[0] >> 4;
        s->space = statics[0] & 15;
        s->depth = statics[1];
        s->texel = statics[2];
    }
    if (*flags & HAS_COUNT)
        s->count = (uint16_t)ws_read_up_to(r, UINT16_MAX);
    s->active = read_mask(r, *flags >> ACTIVE_SHIFT & 3, s->active, w->last.active);
    s->exec = read_mask(r, *flags >> EXEC_SHIFT & 3, s->exec, s->active);
    const unsigned aux = *flags >> AUX_SHIFT & 3;
    if (aux == AUX_TOLD)
        s->aux = (uint32_t)ws_read_up_to(r, UINT32_MAX);
    else if (aux != AUX_AS_BEFORE)
        s->aux = aux == AUX_AS_ACTIVE ? s->active : 0;
    return !r->failed;
}

/* What no writer makes must not reach a sink: each relies on it. */
static bool plausible(const ws_wst_codec *c, const shape *s)
{
    enum { BARRIERS = 17, MOST_WARPS = 255 };
    if (s->kind > WS_EVENT_BARRIER || s->space >= WS_SPACES || (s->exec & ~s->active))
        return false;
    if (!ws_range_within(s->pc, s->count ? s->count : 1, c->launch->instrs))
        return false;
    if (s->kind == WS_EVENT_BARRIER)
        return ((s->aux & 0xff) < BARRIERS && s->aux >> 8 <= MOST_WARPS) || s->aux == UINT32_MAX;
    if (s->kind == WS_EVENT_BRANCH)
        return !(s->aux & ~s->active);
    if (s->kind != WS_EVENT_MEMORY)
        return !s->texel;
    return c->launch->instr[s->pc].cls == WS_CLASS_MEMORY &&
           1u + (s->texel >> TEXEL_BITS) <= groups_of(&c->launch->instr[s->pc]);
}

static bool read_lanes(ws_reader *r, uint32_t exec, uint64_t base, uint64_t *address)
{
    const uint8_t *const head = ws_read_bytes(r, 1);
    uint64_t at = base, distance = 0;
    uint64_t again = 0;
    address[ws_lowest(exec)] = base;
    if (!head)
        return false;
    WS_EACH_LANE(lane, exec & (exec - 1)) {
        if (*head & LANES_RAW) {
            const uint8_t *const raw = ws_read_bytes(r, sizeof distance);
            if (!raw)
                return false;
            memcpy(&distance, raw, sizeof distance);
        } else if (again) {
            again--;
        } else {
            const uint64_t told = ws_read_varint(r);
            distance = (uint64_t)ws_unzigzag(told >> 1) << (*head & MOST_SHIFT);
            again = told & 1 ? ws_read_up_to(r, WS_WARP) : 0;
        }
        address[lane] = at += distance;
    }
    return !r->failed && !again;
}

static void lay_out(const pattern *p, uint32_t exec, uint64_t base, uint64_t *address)
{
    WS_EACH_LANE(lane, exec)
        address[lane] = base + (p->affine ? (uint64_t)p->stride * lane : p->offset[lane]);
}

static bool read_access(ws_wst_codec *c, ws_reader *r, uint32_t memory, const ws_event *ev, uint64_t *address)
{
    pattern *const p = pattern_of(c, memory);
    place *const at = place_of(c, memory, ev->warp);
    const uint64_t expected = predicted_base(c, p, at);
    uint64_t base = expected;
    unsigned how = ACCESS_PREDICTED;
    if (c->pending_accesses) {
        c->pending_accesses--;
    } else {
        const uint64_t told = ws_read_varint(r);
        how = told & KIND_MASK;
        if (how == ACCESS_PREDICTED)
            c->pending_accesses = told >> KIND_BITS;
        else
            base += (uint64_t)ws_unzigzag(ws_read_varint(r));
    }
    if (how == ACCESS_LANES) {
        if (!read_lanes(r, ev->exec, base, address))
            return false;
        set_offsets(c, p, ev->exec, address);
    } else {
        if (how == ACCESS_STRIDE) {
            p->affine = true;
            p->stride = ws_unzigzag(ws_read_varint(r));
        }
        if (!p->affine && p->exec != ev->exec)
            return false;
        lay_out(p, ev->exec, base, address);
    }
    learn_base(c, p, at, base);
    return !r->failed;
}

/* On-chip and per-thread accesses lie inside what the launch has of them. */
static bool inside(const ws_wst_codec *c, const ws_event *ev, const uint64_t *address)
{
    const uint64_t room = ev->space == WS_SPACE_SHARED  ? c->launch->shared_bytes
                          : ev->space == WS_SPACE_LOCAL ? WS_LOCAL_BYTES_MOST
                                                        : UINT64_MAX;
    WS_EACH_LANE(lane, ev->exec)
        if (address[lane] > room)
            return false;
    return true;
}

static bool read_shape(ws_wst_codec *c, ws_reader *r, shape *s)
{
    for (;;) {
        warp_state *const w = warp_of(c, c->current);
        next_entry *const entry = next_of(c, w);
        if (c->pending_events) {
            c->pending_events--;
        } else {
            const uint64_t told = ws_read_varint(r);
            if (r->failed)
                return false;
            if ((told & KIND_MASK) == EVENTS_WARP) {
                const int64_t warp = (int64_t)c->current + 1 + ws_unzigzag(told >> KIND_BITS);
                if (warp < 0 || warp >= (int64_t)c->warps)
                    return false;
                c->current = (uint32_t)warp;
                continue;
            }
            if (told == EVENTS_TOLD) {
                if (!read_told(c, r, w, s) || !plausible(c, s))
                    return false;
                learn(c, w, entry, s);
                return true;
            }
            if ((told & KIND_MASK) != EVENTS_PREDICTED)
                return false;
            c->pending_events = told >> KIND_BITS;
        }
        if (entry->age != c->age)
            return false;
        *s = entry->shape;
        learn(c, w, entry, s);
        return true;
    }
}

static bool room_for_events(ws_wst_codec *c, uint64_t events, uint64_t accesses)
{
    if (events > c->event_room || !c->event) {
        free(c->event);
        c->event_room = events;
        c->event = malloc((events + 1) * sizeof *c->event);
    }
    if (accesses > c->access_room || !c->address) {
        free(c->address);
        c->access_room = accesses;
        c->address = malloc((accesses * WS_WARP + 1) * sizeof *c->address);
    }
    return c->event && c->address;
}

static bool room_for_values(ws_wst_codec *c, uint64_t values)
{
    if (values > c->value_room || !c->value || !c->lanes) {
        free(c->value);
        free(c->lanes);
        c->value_room = values;
        c->value = malloc((values + 1) * sizeof *c->value);
        c->lanes = malloc((values * 3 * WS_WARP + 1) * sizeof *c->lanes);
    }
    return c->value && c->lanes;
}

static bool read_value(const ws_wst_codec *c, ws_reader *r, ws_value *v, uint64_t *lanes)
{
    memset(lanes, 0, 3 * WS_WARP * sizeof *lanes);
    uint64_t *const before = lanes, *const after = lanes + WS_WARP, *const address = lanes + 2 * WS_WARP;
    *v = (ws_value){.pc = (uint32_t)ws_read_up_to(r, c->launch->instrs - 1),
                    .warp = (uint16_t)ws_read_up_to(r, c->warps - 1),
                    .reg = (uint32_t)ws_read_up_to(r, UINT16_MAX),
                    .before = before,
                    .after = after};
    const uint8_t *const fixed = ws_read_bytes(r, 2);
    if (!fixed || !fixed[0] || fixed[0] > sizeof *lanes || fixed[1] > 1)
        return false;
    v->bytes = fixed[0];
    v->is_shared = fixed[1];
    v->exec = ws_read_u32(r);
    for (unsigned part = 0; part < 2; part++)
        WS_EACH_LANE(lane, v->exec) {
            const uint8_t *const raw = ws_read_bytes(r, v->bytes);
            if (!raw)
                return false;
            memcpy(&lanes[part * WS_WARP + lane], raw, v->bytes);
        }
    WS_EACH_LANE(lane, v->exec)
        after[lane] ^= before[lane];
    if (v->is_shared) {
        v->address = address;
        WS_EACH_LANE(lane, v->exec)
            address[lane] = ws_read_up_to(r, c->launch->shared_bytes);
    }
    return !r->failed;
}

void ws_wst_read_moved(ws_wst_codec *c, const ws_wst_head *head)
{
    for (unsigned i = 0; i < 3; i++)
        c->in[i] = (ws_reader){.next = head->part[i] + c->used[i], .end = head->part[i] + head->length[i]};
    c->head = *head;
}

void ws_wst_read_begin(ws_wst_codec *c, const ws_wst_head *head)
{
    ws_wst_begin(c);
    memset(c->used, 0, sizeof c->used);
    ws_wst_read_moved(c, head);
}

/* The addresses of a memory event, from `accesses` groups on. */
static bool read_addresses(ws_wst_codec *c, ws_event *ev, uint64_t accesses)
{
    const unsigned groups = 1u + ev->further;
    uint64_t *const address = c->address + accesses * WS_WARP;
    memset(address, 0, groups * WS_WARP * sizeof *address);
    ev->addresses = (uint32_t)accesses;
    for (unsigned group = 0; group < groups && ev->exec; group++) {
        uint64_t *const part = address + group * WS_WARP;
        if (!read_access(c, &c->in[1], c->memory_of[ev->pc] + group, ev, part) || !inside(c, ev, part))
            return false;
    }
    return true;
}

/* Events until there are `most`, or as many groups of addresses. */
static bool read_events(ws_wst_codec *c, uint64_t most, uint64_t *events, uint64_t *accesses)
{
    for (*events = *accesses = 0; *events < most && *accesses < most && c->events < c->head.events; c->events++) {
        shape s;
        if (!read_shape(c, &c->in[0], &s))
            return false;
        ws_event *const ev = &c->event[(*events)++];
        *ev = (ws_event){.pc = s.pc,
                         .warp = (uint16_t)c->current,
                         .count = s.count,
                         .active = s.active,
                         .exec = s.exec,
                         .taken = s.aux,
                         .kind = s.kind,
                         .depth = s.depth,
                         .space = s.space,
                         .texel = s.texel & TEXEL_MASK,
                         .further = (uint8_t)(s.texel >> TEXEL_BITS)};
        c->warp_instructions += s.count;
        if (s.kind != WS_EVENT_MEMORY)
            continue;
        const unsigned groups = 1u + ev->further;
        if (c->head.accesses - c->accesses < groups || !read_addresses(c, ev, *accesses))
            return false;
        *accesses += groups;
        c->accesses += groups;
    }
    return true;
}

static bool all_read(const ws_wst_codec *c)
{
    for (unsigned i = 0; i < 3; i++)
        if (c->in[i].next != c->in[i].end)
            return false;
    return !c->pending_events && !c->pending_accesses && c->accesses == c->head.accesses &&
           c->warp_instructions == c->head.warp_instructions;
}

static int read_values(ws_wst_codec *c)
{
    if (!room_for_values(c, c->head.values))
        return WS_EMEM;
    for (uint64_t i = 0; i < c->head.values; i++)
        if (!read_value(c, &c->in[2], &c->value[i], c->lanes + i * 3 * WS_WARP))
            return WS_EINPUT;
    return WS_OK;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

int ws_wst_read_on(ws_wst_codec *c, uint64_t most, ws_wst_segment *segment, bool *ended)
{
    const ws_wst_head *const head = &c->head;
    *segment = (ws_wst_segment){.batch.block = head->block, .last = head->last};
    *ended = true;
    if (!c->warps || !c->launch->instrs)
        return head->events ? WS_EINPUT : WS_OK;
    const uint64_t events = least(most, head->events - c->events);
    const uint64_t accesses = least(most + WS_EVENT_ADDRESSES, head->accesses - c->accesses);
    if (!room_for_events(c, events, accesses))
        return WS_EMEM;
    uint64_t groups;
    const bool good = read_events(c, most, &segment->batch.events, &groups);
    if (c->short_of_memory)
        return WS_EMEM;
    if (!good)
        return WS_EINPUT;
    segment->batch.event = c->event;
    segment->batch.address = c->address;
    segment->warp_instructions = c->warp_instructions;
    *ended = c->events == head->events;
    for (unsigned i = 0; i < 3; i++)
        c->used[i] = (size_t)(c->in[i].next - head->part[i]);
    if (!*ended) {
        segment->last = false;
        return WS_OK;
    }
    const int status = read_values(c);
    segment->value = c->value;
    segment->values = head->values;
    return status ? status : all_read(c) ? WS_OK : WS_EINPUT;
}

int ws_wst_read(ws_wst_codec *c, const ws_wst_head *head, ws_wst_segment *segment)
{
    bool ended;
    ws_wst_read_begin(c, head);
    return ws_wst_read_on(c, WS_WST_ALL, segment, &ended);
}
