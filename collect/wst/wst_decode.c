/* wst_decode.c - a segment to events, addresses and values; whatever its bytes are, none that a sink does not expect.
 */
#include "collect/wst/wst_codec_internal.h"

#include "base/bounds.h"
#include "base/status.h"

#include <stdlib.h>

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
    WS_EACH_LANE (lane, exec & (exec - 1)) {
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
    WS_EACH_LANE (lane, exec)
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
        codec_set_offsets(c, p, ev->exec, address);
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
    WS_EACH_LANE (lane, ev->exec)
        if (address[lane] > room)
            return false;
    return true;
}

static bool read_shape(ws_wst_codec *c, ws_reader *r, shape *s)
{
    for (;;) {
        warp_state *const w = warp_of(c, c->current);
        next_entry *const entry = codec_next(c, w);
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
                codec_learn(c, w, entry, s);
                return true;
            }
            if ((told & KIND_MASK) != EVENTS_PREDICTED)
                return false;
            c->pending_events = told >> KIND_BITS;
        }
        if (entry->age != c->age)
            return false;
        *s = entry->shape;
        codec_learn(c, w, entry, s);
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
        WS_EACH_LANE (lane, v->exec) {
            const uint8_t *const raw = ws_read_bytes(r, v->bytes);
            if (!raw)
                return false;
            memcpy(&lanes[part * WS_WARP + lane], raw, v->bytes);
        }
    WS_EACH_LANE (lane, v->exec)
        after[lane] ^= before[lane];
    if (v->is_shared) {
        v->address = address;
        WS_EACH_LANE (lane, v->exec)
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
