/* source_trace.c - a launch of a trace file as a source: blocks are unpacked when they become resident.
 *
 * A block that is small is unpacked whole; of a large one a part is held, and its own cursor brings the rest as warps
 * come to it, a few events at a time. Warps of a block take turns in a trace, up to tens of thousands of instructions
 * each, and the simulated machine lets some go far ahead of others: steps that a warp is not ready for are packed again
 * as they were in the file, and go to a temporary file when they take more than their share of memory. So memory does
 * not grow with the launch. */
#include "model/sim/sm/source.h"

#include "base/grow.h"
#include "base/status.h"
#include "collect/wst/wst.h"
#include "model/sim/step_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHELF_BYTES = 48 << 20, /* of unpacked chunks that blocks share */
    STORE_BYTES = 48 << 20, /* of packed steps in memory */
    HELD_BYTES = 48 << 20,  /* of steps that all blocks hold before they pack some */
    MOST_WINDOW = 1 << 20,  /* a block's part of that */
    LEAST_WINDOW = 1 << 14,
    TAIL_BYTES = 1 << 14, /* of a warp's steps that are packed together */
    PART_EVENTS = 128,    /* of a cursor at a time */
};

/* A step with its addresses packed: most are a base and a stride. */
typedef struct packed {
    uint32_t pc, active, exec, detail;
    uint16_t count;
    uint8_t kind, depth, space, texel, further;
    bool regular;
    int32_t stride;
    uint64_t base; /* address of lane 0 */
} packed;

/* Steps in a row: those that are left from `head` on, and the addresses of irregular ones in the same order. */
typedef struct row {
    packed *step;
    uint64_t *address;
    size_t head, steps, step_room;
    size_t address_head, addresses, address_room;
} row;

/* What is held of a warp: `front`, then what was packed, then `back`. */
typedef struct stream {
    row front, back;
    ws_step_chain packed;
} stream;

typedef struct slot {
    stream *stream;          /* [warps_per_block] */
    ws_trace_cursor *cursor; /* that has the rest of the block, if there is more; NULL: never wanted one */
    bool more;
    size_t held;                                    /* bytes of steps in rows */
    uint64_t address[WS_EVENT_ADDRESSES * WS_WARP]; /* of the step given last */
} slot;

typedef struct trace_source {
    ws_source source;
    ws_trace *trace;
    size_t launch;
    ws_trace_shelf *shelf;
    ws_step_store *store;
    ws_trace_cursor *cursor; /* at the first segment of block `next` */
    uint64_t next;
    size_t window; /* bytes of steps that a block holds before it packs some */
    slot *slot;
} trace_source;

static size_t row_bytes(const row *r)
{
    return (r->steps - r->head) * sizeof *r->step + (r->addresses - r->address_head) * sizeof *r->address;
}

static void row_fini(row *r)
{
    free(r->step);
    free(r->address);
    *r = (row){0};
}

/* Memory of a row that was long once goes back. */
static void row_clear(row *r)
{
    if (r->step_room * sizeof *r->step + r->address_room * sizeof *r->address > 4 * TAIL_BYTES)
        row_fini(r);
    r->head = r->steps = r->address_head = r->addresses = 0;
}

static void stream_clear(const trace_source *t, stream *s)
{
    row_clear(&s->front);
    row_clear(&s->back);
    ws_step_store_forget(t->store, &s->packed);
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

static int keep_addresses(row *s, packed *p, const uint64_t *address)
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

static int add_step(row *s, const ws_event *ev, const uint64_t *address, size_t *bytes)
{
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
        status = keep_addresses(s, p, address);
    *bytes +=
        sizeof *p + (ev->kind != WS_EVENT_MEMORY || p->regular ? 0 : (1u + p->further) * WS_WARP * sizeof *address);
    return status;
}

/* The first step of the row, its addresses spread out; it is taken out. */
static const packed *take_step(row *s, uint64_t *address)
{
    const packed *const p = &s->step[s->head++];
    if (p->kind != WS_EVENT_MEMORY)
        return p;
    if (p->regular) {
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            address[lane] = p->base + (uint64_t)((int64_t)p->stride * lane);
        return p;
    }
    const size_t n = (size_t)(1 + p->further) * WS_WARP;
    memcpy(address, s->address + s->address_head, n * sizeof *s->address);
    s->address_head += n;
    return p;
}

/* All of `back` goes behind what is packed. */
static int pack_back(const trace_source *t, slot *at, stream *s, uint32_t warp)
{
    uint64_t address[WS_EVENT_ADDRESSES * WS_WARP];
    ws_trace_packer *packer;
    at->held -= row_bytes(&s->back);
    int status = ws_step_store_lend(t->store, &packer);
    if (status)
        return status;
    ws_trace_pack_begin(packer);
    while (s->back.head < s->back.steps) {
        const packed *const p = take_step(&s->back, address);
        const ws_event ev = {.pc = p->pc,
                             .warp = (uint16_t)warp,
                             .active = p->active,
                             .exec = p->exec,
                             .taken = p->kind == WS_EVENT_MEMORY ? 0 : p->detail,
                             .count = p->count,
                             .kind = p->kind,
                             .depth = p->depth,
                             .space = p->space,
                             .texel = p->texel,
                             .further = p->further};
        ws_trace_pack(packer, &ev, address);
    }
    row_clear(&s->back);
    status = ws_step_store_put(t->store, packer, &s->packed);
    ws_step_store_return(t->store, packer);
    return status;
}

static int keep(const trace_source *t, slot *to, const ws_batch *batch)
{
    int status = WS_OK;
    for (size_t i = 0; i < batch->events && !status; i++) {
        const ws_event *const ev = &batch->event[i];
        if (ev->kind == WS_EVENT_RECONVERGE)
            continue;
        stream *const s = &to->stream[ev->warp];
        const bool behind =
            s->packed.first || s->back.head < s->back.steps || (to->held > t->window && s->front.head < s->front.steps);
        status = add_step(behind ? &s->back : &s->front, ev, WS_ADDRESSES(batch, ev), &to->held);
        if (!status && behind && to->held > t->window && row_bytes(&s->back) >= TAIL_BYTES)
            status = pack_back(t, to, s, ev->warp);
    }
    return status;
}

/* Packed steps become the front. */
static int unpack_front(const trace_source *t, slot *at, stream *s)
{
    ws_trace_packer *packer;
    ws_batch batch;
    int status = ws_step_store_lend(t->store, &packer);
    if (status)
        return status;
    status = ws_step_store_get(t->store, packer, &s->packed, &batch);
    for (size_t i = 0; !status && i < batch.events; i++)
        status = add_step(&s->front, &batch.event[i], WS_ADDRESSES(&batch, &batch.event[i]), &at->held);
    ws_step_store_return(t->store, packer);
    return status;
}

/* Reads on in the block; *last when that was the last of it. */
static int read_on(const trace_source *t, ws_trace_cursor *cursor, slot *to, bool *last)
{
    ws_trace_segment segment;
    bool found;
    int status = ws_trace_cursor_next(cursor, &segment, &found);
    if (!status && !found)
        status =
            ws_fail(WS_EINPUT, "%s: launch %zu ends in the middle of a block", ws_trace_path(t->trace), t->launch + 1);
    if (!status)
        status = keep(t, to, &segment.batch);
    *last = status || segment.last;
    return status;
}

static int place_cursor(trace_source *t, uint64_t block)
{
    if (t->cursor && t->next == block)
        return WS_OK;
    const int status =
        t->cursor ? WS_OK : ws_trace_cursor_share(t->trace, t->launch, t->shelf, PART_EVENTS, &t->cursor);
    return status ? status : ws_trace_cursor_seek(t->cursor, block);
}

/* Whoever needs the cursor for longer leaves the one that served its slot before. */
static int begin(ws_source *source, uint32_t number, uint64_t block)
{
    trace_source *const t = (trace_source *)source;
    slot *const to = &t->slot[number];
    int status = place_cursor(t, block);
    bool last = false;
    while (!status && !last && to->held < t->window)
        status = read_on(t, t->cursor, to, &last);
    to->more = !status && !last;
    t->next = block + 1;
    if (to->more) {
        ws_trace_cursor *const spare = to->cursor;
        ws_trace_cursor_rest(t->cursor);
        to->cursor = t->cursor;
        t->cursor = spare;
        t->next = UINT64_MAX; /* no block: the spare one has to be placed */
    }
    return status;
}

/* The front is empty. A chunk that had to be unpacked again is read to the end of what it has of the block. */
static int refill(const trace_source *t, slot *from, stream *s)
{
    int status = WS_OK;
    row_clear(&s->front);
    if (s->packed.first)
        return unpack_front(t, from, s);
    if (s->back.head < s->back.steps) {
        const row empty = s->front;
        s->front = s->back;
        s->back = empty;
        return WS_OK;
    }
    bool fresh = false;
    while (!status && from->more && (s->front.head == s->front.steps || fresh)) {
        bool last;
        status = read_on(t, from->cursor, from, &last);
        fresh = !status && (fresh ? !ws_trace_cursor_fresh(from->cursor) && !ws_trace_cursor_between(from->cursor)
                                  : ws_trace_cursor_fresh(from->cursor));
        from->more = !status && !last;
    }
    if (from->cursor)
        ws_trace_cursor_rest(from->cursor);
    return status;
}

static int next(ws_source *source, uint32_t number, uint32_t warp, ws_step *step, bool *found)
{
    const trace_source *const t = (const trace_source *)source;
    slot *const from = &t->slot[number];
    stream *const s = &from->stream[warp];
    const int status = s->front.head == s->front.steps ? refill(t, from, s) : WS_OK;
    *found = s->front.head < s->front.steps;
    if (status || !*found)
        return status;
    const size_t addresses = s->front.address_head;
    const packed *const p = take_step(&s->front, from->address);
    from->held -= sizeof *p + (s->front.address_head - addresses) * sizeof *from->address;
    *step = (ws_step){.pc = p->pc,
                      .active = p->active,
                      .exec = p->exec,
                      .detail = p->detail,
                      .count = p->count,
                      .kind = p->kind,
                      .depth = p->depth,
                      .space = p->space,
                      .texel = p->texel,
                      .further = p->further,
                      .address = p->kind == WS_EVENT_MEMORY ? from->address : NULL};
    return WS_OK;
}

static void end(ws_source *source, uint32_t number)
{
    const trace_source *const t = (const trace_source *)source;
    slot *const s = &t->slot[number];
    for (uint32_t warp = 0; warp < source->launch->warps_per_block; warp++)
        stream_clear(t, &s->stream[warp]);
    s->held = 0;
    s->more = false;
}

static void destroy(ws_source *source)
{
    trace_source *const t = (trace_source *)source;
    for (uint32_t i = 0; i < source->slots && t->slot; i++) {
        for (uint32_t warp = 0; t->slot[i].stream && warp < source->launch->warps_per_block; warp++) {
            stream_clear(t, &t->slot[i].stream[warp]);
            row_fini(&t->slot[i].stream[warp].front);
            row_fini(&t->slot[i].stream[warp].back);
        }
        free(t->slot[i].stream);
        ws_trace_cursor_destroy(t->slot[i].cursor);
    }
    ws_trace_cursor_destroy(t->cursor);
    ws_trace_shelf_destroy(t->shelf);
    ws_step_store_destroy(t->store);
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
    t->next = UINT64_MAX;
    const uint64_t resident = slots < about->blocks ? slots : about->blocks ? about->blocks : 1;
    t->window = (size_t)(HELD_BYTES / resident);
    t->window = t->window > MOST_WINDOW ? MOST_WINDOW : t->window < LEAST_WINDOW ? LEAST_WINDOW : t->window;
    int status = ws_trace_shelf_create(trace, SHELF_BYTES, &t->shelf);
    if (!status)
        status = ws_step_store_create(&about->launch, STORE_BYTES, &t->store);
    t->slot = calloc(slots, sizeof *t->slot);
    bool short_of_memory = status || !t->slot;
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
