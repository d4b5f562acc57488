/* source_trace.c - a launch of a trace file as a source: blocks are unpacked when they become resident.
 *
 * A block that is small is unpacked whole; of a large one a part is held, and its own cursor brings the rest as warps
 * come to it. In a trace the warps of a block take turns, each until a barrier or for a fixed slice of instructions, so
 * what is held beyond what a warp needs next is bounded by the slices of the others. */
#include "model/sim/source.h"

#include "base/grow.h"
#include "base/status.h"
#include "collect/wst/wst.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW_BYTES = 1 << 20 }; /* of a block that is unpacked at once, before its cursor becomes its own */

/* A step with its addresses packed: most are a base and a stride. */
typedef struct packed {
    uint32_t pc, active, exec, detail;
    uint16_t count;
    uint8_t kind, depth, space, texel, further;
    bool regular;
    int32_t stride;
    uint64_t base; /* address of lane 0 */
} packed;

/* The steps of a warp that are held: from `head` on; and the addresses of irregular ones in the same order. */
typedef struct stream {
    packed *step;
    uint64_t *address;
    size_t head, steps, step_room;
    size_t address_head, addresses, address_room;
} stream;

typedef struct slot {
    stream *stream;          /* [warps_per_block] */
    ws_trace_cursor *cursor; /* that has the rest of the block; NULL: all is here */
    uint64_t address[WS_EVENT_ADDRESSES * WS_WARP]; /* of the step given last */
} slot;

typedef struct trace_source {
    ws_source source;
    ws_trace *trace;
    size_t launch;
    ws_trace_cursor *cursor; /* at the first segment of block `next` */
    uint64_t next;
    slot *slot;
} trace_source;

static void stream_fini(stream *s)
{
    free(s->step);
    free(s->address);
}

/* Room for one more element; what was taken out in front is reused first. */
static int make_room(void **array, size_t *head, size_t *count, size_t *room, size_t size, size_t more)
{
    if (*head && *head >= *count / 2) {
        memmove(*array, (char *)*array + *head * size, (*count - *head) * size);
        *count -= *head;
        *head = 0;
    }
    if (*count + more <= *room || !ws_grow(array, room, *count, more, size, SIZE_MAX))
        return WS_OK;
    return ws_fail(WS_EMEM, "no memory for the instructions of a block");
}

/* Is address[lane] = base + stride * lane for all lanes in exec? */
static bool find_stride(const uint64_t *address, uint32_t exec, packed *p)
{
    if (!exec)
        return true; /* base and stride 0 */
    const unsigned first = ws_lowest(exec);
    const uint32_t others = exec & (exec - 1);
    int64_t stride = 0;
    if (others) {
        const unsigned second = ws_lowest(others);
        const int64_t distance = (int64_t)(address[second] - address[first]);
        stride = distance / (int64_t)(second - first);
        if (stride < INT32_MIN || stride > INT32_MAX)
            return false;
    }
    const uint64_t base = address[first] - (uint64_t)stride * first;
    WS_EACH_LANE (lane, others)
        if (address[lane] != base + (uint64_t)stride * lane)
            return false;
    p->base = base;
    p->stride = (int32_t)stride;
    return true;
}

static int keep_addresses(stream *s, packed *p, const uint64_t *address)
{
    p->regular = !p->further && find_stride(address, p->exec, p);
    if (p->regular)
        return WS_OK;
    const size_t n = (size_t)(1 + p->further) * WS_WARP;
    void *array = s->address;
    const int status = make_room(&array, &s->address_head, &s->addresses, &s->address_room, sizeof *s->address, n);
    s->address = array;
    if (status)
        return status;
    memcpy(s->address + s->addresses, address, n * sizeof *address);
    s->addresses += n;
    return WS_OK;
}

static int keep(slot *to, const ws_batch *batch, size_t *bytes)
{
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const ev = &batch->event[i];
        if (ev->kind == WS_EVENT_RECONVERGE)
            continue;
        stream *const s = &to->stream[ev->warp];
        void *array = s->step;
        int status = make_room(&array, &s->head, &s->steps, &s->step_room, sizeof *s->step, 1);
        s->step = array;
        if (status)
            return status;
        packed *const p = &s->step[s->steps++];
        *p = (packed){.pc = ev->pc,
                      .active = ev->active,
                      .exec = ev->exec,
                      .detail = ev->kind == WS_EVENT_MEMORY ? 0 : ev->taken,
                      .count = ev->count,
                      .kind = ev->kind,
                      .depth = ev->depth,
                      .space = ev->space,
                      .texel = ev->texel,
                      .further = ev->further};
        if (ev->kind == WS_EVENT_MEMORY)
            status = keep_addresses(s, p, WS_ADDRESSES(batch, ev));
        if (status)
            return status;
        *bytes += sizeof *p + (ev->kind != WS_EVENT_MEMORY || p->regular ? 0 : (1u + p->further) * WS_WARP * 8);
    }
    return WS_OK;
}

/* Reads the next segment of the block; *last when it was the last one. */
static int read_on(const trace_source *t, ws_trace_cursor *cursor, slot *to, size_t *bytes, bool *last)
{
    ws_trace_segment segment;
    bool found;
    int status = ws_trace_cursor_next(cursor, &segment, &found);
    if (!status && !found)
        status = ws_fail(WS_EINPUT, "%s: launch %zu ends in the middle of a block", ws_trace_path(t->trace),
                         t->launch + 1);
    if (!status)
        status = keep(to, &segment.batch, bytes);
    *last = status || segment.last;
    return status;
}

static int place_cursor(trace_source *t, uint64_t block)
{
    if (t->cursor && t->next == block)
        return WS_OK;
    const int status = t->cursor ? WS_OK : ws_trace_cursor_create(t->trace, t->launch, &t->cursor);
    return status ? status : ws_trace_cursor_seek(t->cursor, block);
}

static int begin(ws_source *source, uint32_t number, uint64_t block)
{
    trace_source *const t = (trace_source *)source;
    slot *const to = &t->slot[number];
    int status = place_cursor(t, block);
    t->next = block + 1;
    size_t bytes = 0;
    bool last = false;
    while (!status && !last && bytes < WINDOW_BYTES)
        status = read_on(t, t->cursor, to, &bytes, &last);
    if (!status && !last) {
        to->cursor = t->cursor;
        t->cursor = NULL;
    }
    return status;
}

static int refill(const trace_source *t, slot *from, const stream *s)
{
    int status = WS_OK;
    while (!status && from->cursor && s->head == s->steps) {
        bool last;
        size_t bytes = 0;
        status = read_on(t, from->cursor, from, &bytes, &last);
        if (last) {
            ws_trace_cursor_destroy(from->cursor);
            from->cursor = NULL;
        }
    }
    return status;
}

static void unpack_addresses(slot *from, stream *s, const packed *p, ws_step *step)
{
    step->address = from->address;
    if (p->regular) {
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            from->address[lane] = p->base + (uint64_t)((int64_t)p->stride * lane);
        return;
    }
    const size_t n = (size_t)(1 + p->further) * WS_WARP;
    memcpy(from->address, s->address + s->address_head, n * sizeof *s->address);
    s->address_head += n;
    if (s->address_head == s->addresses)
        s->address_head = s->addresses = 0;
}

static int next(ws_source *source, uint32_t number, uint32_t warp, ws_step *step, bool *found)
{
    const trace_source *const t = (const trace_source *)source;
    slot *const from = &t->slot[number];
    stream *const s = &from->stream[warp];
    const int status = s->head == s->steps ? refill(t, from, s) : WS_OK;
    *found = s->head < s->steps;
    if (status || !*found)
        return status;
    const packed *const p = &s->step[s->head++];
    *step = (ws_step){.pc = p->pc,
                      .active = p->active,
                      .exec = p->exec,
                      .detail = p->detail,
                      .count = p->count,
                      .kind = p->kind,
                      .depth = p->depth,
                      .space = p->space,
                      .texel = p->texel,
                      .further = p->further};
    if (p->kind == WS_EVENT_MEMORY)
        unpack_addresses(from, s, p, step);
    if (s->head == s->steps)
        s->head = s->steps = 0;
    return WS_OK;
}

static void end(ws_source *source, uint32_t number)
{
    const trace_source *const t = (const trace_source *)source;
    slot *const s = &t->slot[number];
    ws_trace_cursor_destroy(s->cursor);
    s->cursor = NULL;
    for (uint32_t warp = 0; warp < source->launch->warps_per_block; warp++) {
        stream *const w = &s->stream[warp];
        w->head = w->steps = w->address_head = w->addresses = 0;
    }
}

static void destroy(ws_source *source)
{
    trace_source *const t = (trace_source *)source;
    for (uint32_t i = 0; i < source->slots && t->slot; i++) {
        for (uint32_t warp = 0; t->slot[i].stream && warp < source->launch->warps_per_block; warp++)
            stream_fini(&t->slot[i].stream[warp]);
        free(t->slot[i].stream);
        ws_trace_cursor_destroy(t->slot[i].cursor);
    }
    ws_trace_cursor_destroy(t->cursor);
    free(t->slot);
    free(t);
}

static const ws_source_ops ops = {
    .parallel = true,
    .repeatable = true,
    .begin = begin,
    .next = next,
    .end = end,
    .destroy = destroy,
};

int ws_source_of_trace(ws_trace *trace, size_t index, uint32_t slots, ws_source **out)
{
    const ws_trace_launch *const about = ws_trace_get(trace, index);
    trace_source *const t = calloc(1, sizeof *t);
    if (!t)
        return ws_fail(WS_EMEM, "no memory for a source");
    t->source = (ws_source){.ops = &ops, .launch = &about->launch, .ctas = about->blocks, .slots = slots};
    t->trace = trace;
    t->launch = index;
    t->slot = calloc(slots, sizeof *t->slot);
    bool short_of_memory = !t->slot;
    for (uint32_t i = 0; i < slots && !short_of_memory; i++) {
        t->slot[i].stream = calloc(about->launch.warps_per_block, sizeof *t->slot[i].stream);
        short_of_memory = !t->slot[i].stream;
    }
    if (short_of_memory) {
        destroy(&t->source);
        return ws_fail(WS_EMEM, "no memory for %u resident blocks", slots);
    }
    *out = &t->source;
    return WS_OK;
}
