/* wst_encode.c - events, addresses and values of a block to a segment: what the predictor did not foresee. */
#include "collect/wst/wst_codec_internal.h"

/* ------------------------------------------------------------------------------------------------ control */

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
    const unsigned exec = s->exec == s->active ? MASK_AS_ACTIVE : s->exec == ref->exec ? MASK_AS_BEFORE : MASK_TOLD;
    const unsigned aux = s->aux == ref->aux    ? AUX_AS_BEFORE
                         : s->aux == s->active ? AUX_AS_ACTIVE
                         : s->aux == 0         ? AUX_ZERO
                                               : AUX_TOLD;
    const bool statics =
        s->kind != ref->kind || s->space != ref->space || s->depth != ref->depth || s->texel != ref->texel;
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
    WS_EACH_LANE (lane, exec)
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
    WS_EACH_LANE (lane, rest)
        if (address[lane] != address[low] + (uint64_t)*stride * (lane - low))
            return false;
    return true;
}

static void tell_lanes(ws_bytes *row, uint32_t exec, const uint64_t *address)
{
    uint64_t distance[WS_WARP], all = 0;
    unsigned n = 0;
    uint64_t before = address[ws_lowest(exec)];
    bool far = false;
    WS_EACH_LANE (lane, exec & (exec - 1)) {
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
        codec_set_offsets(c, p, ev->exec, address);
        learn_base(c, p, at, base);
    }
}

/* ------------------------------------------------------------------------------------------------ segments */

void ws_wst_add_event(ws_wst_codec *c, const ws_event *ev, const uint64_t *address)
{
    if (ev->warp != c->current) {
        flush_events(c);
        ws_bytes_add_varint(&c->row[0],
                            ws_zigzag((int64_t)ev->warp - (int64_t)c->current - 1) << KIND_BITS | EVENTS_WARP);
        c->current = ev->warp;
    }
    warp_state *const w = warp_of(c, ev->warp);
    next_entry *const entry = codec_next(c, w);
    const shape s = shape_of(ev);
    if (entry->age == c->age && same_shape(&entry->shape, &s)) {
        c->pending_events++;
    } else {
        flush_events(c);
        const shape ref = reference(c, w, s.pc);
        tell(&c->row[0], w, &ref, &s);
    }
    codec_learn(c, w, entry, &s);
    if (ev->kind == WS_EVENT_MEMORY) {
        for (unsigned group = 0; group <= ev->further && ev->exec; group++)
            add_access(c, c->memory_of[ev->pc] + group, ev, address + group * WS_WARP);
        c->accesses += 1u + ev->further;
    }
    c->events++;
    c->warp_instructions += ev->count;
}

/* Values are few (sampled blocks only), so they are told in full but for the zeros of idle lanes; zstd does the rest.
 */
void ws_wst_add_value(ws_wst_codec *c, const ws_value *v)
{
    ws_bytes *const row = &c->row[2];
    const uint8_t fixed[2] = {v->bytes, v->is_shared};
    ws_bytes_add_varint(row, v->pc);
    ws_bytes_add_varint(row, v->warp);
    ws_bytes_add_varint(row, v->reg);
    ws_bytes_add(row, fixed, sizeof fixed);
    add_u32(row, v->exec);
    WS_EACH_LANE (lane, v->exec)
        ws_bytes_add(row, &v->before[lane], v->bytes);
    WS_EACH_LANE (lane, v->exec) {
        const uint64_t changed = v->after[lane] ^ v->before[lane];
        ws_bytes_add(row, &changed, v->bytes);
    }
    if (v->is_shared)
        WS_EACH_LANE (lane, v->exec)
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
