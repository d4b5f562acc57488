/* live_source.c - see live_source.h.
 *
 * A step of the stepper may have several events (a stretch of arithmetic, an access that lies in several spaces); they
 * are kept, warp by warp, until the simulator has taken them all. Only then does the warp move again. */
#include "record/simulate/live_source.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { CONTENTS = 3 }; /* before, after, address in shared memory */

/* What a warp has done and the simulator has not seen yet. */
typedef struct backlog {
    ws_step *step;
    uint64_t *address; /* of the memory events among them, one after the other */
    size_t next, steps, step_room;
    size_t address_next, address_room;
    ws_value *value;   /* of all these steps */
    uint64_t *content; /* CONTENTS of each lane, of each value */
    size_t values, value_room, content_room;
} backlog;

typedef struct live_source {
    ws_source source;
    ws_stepper *stepper;
    backlog *backlog; /* [slots * warps_per_block] */
    backlog *moving;  /* whose step it is, for `note_value` */
    ws_stepper_watch watch;
} live_source;

static backlog *backlog_of(const live_source *l, uint32_t slot, uint32_t warp)
{
    return &l->backlog[(size_t)slot * l->source.launch->warps_per_block + warp];
}

static size_t addresses_of(const ws_event *ev)
{
    return ev->kind == WS_EVENT_MEMORY ? (size_t)WS_WARP * (1u + ev->further) : 0;
}

static int reserve(backlog *b, const ws_batch *batch)
{
    size_t addresses = 0;
    for (size_t i = 0; i < batch->events; i++)
        addresses += addresses_of(&batch->event[i]);
    if (WS_GROW(b->step, b->step_room, 0, batch->events) || WS_GROW(b->address, b->address_room, 0, addresses))
        return ws_fail(WS_EMEM, "no memory for the instructions of a warp");
    return WS_OK;
}

/* `failed`: what the swaps of a step came to; the first part of its access tells. */
static uint8_t tell_failed(const ws_event *ev, uint64_t failed)
{
    return ev->kind != WS_EVENT_MEMORY ? 0 : (uint8_t)(1 + (ev->count ? failed : 0));
}

static int keep(backlog *b, const ws_batch *batch, uint64_t failed)
{
    const int status = reserve(b, batch);
    size_t address = 0;
    b->next = b->steps = b->address_next = 0;
    for (size_t i = 0; i < batch->events && !status; i++) {
        const ws_event *const ev = &batch->event[i];
        const size_t n = addresses_of(ev);
        if (ev->kind == WS_EVENT_RECONVERGE)
            continue;
        if (n)
            memcpy(b->address + address, WS_ADDRESSES(batch, ev), n * sizeof *b->address);
        address += n;
        b->step[b->steps++] = (ws_step){.pc = ev->pc,
                                        .active = ev->active,
                                        .exec = ev->exec,
                                        .detail = n ? 0 : ev->taken,
                                        .count = ev->count,
                                        .kind = ev->kind,
                                        .depth = ev->depth,
                                        .space = ev->space,
                                        .texel = ev->texel,
                                        .further = ev->further,
                                        .failed = tell_failed(ev, failed)};
    }
    return status;
}

/* Contents move when there have to be more: where they are is set when the step is complete. */
static int note_value(void *context, const ws_value *value)
{
    backlog *const b = ((const live_source *)context)->moving;
    if (WS_GROW(b->value, b->value_room, b->values, 1) ||
        WS_GROW(b->content, b->content_room, b->values * CONTENTS * WS_WARP, CONTENTS * WS_WARP))
        return ws_fail(WS_EMEM, "no memory for the values of a warp");
    uint64_t *const to = b->content + b->values * CONTENTS * WS_WARP;
    b->value[b->values++] = *value;
    memcpy(to, value->before, WS_WARP * sizeof *to);
    memcpy(to + WS_WARP, value->after, WS_WARP * sizeof *to);
    if (value->address)
        memcpy(to + 2 * WS_WARP, value->address, WS_WARP * sizeof *to);
    return WS_OK;
}

static void point_at_contents(const backlog *b)
{
    for (size_t i = 0; i < b->values; i++) {
        uint64_t *const from = b->content + i * CONTENTS * WS_WARP;
        b->value[i].before = from;
        b->value[i].after = from + WS_WARP;
        b->value[i].address = b->value[i].is_shared ? from + 2 * WS_WARP : NULL;
    }
}

static void give_values(ws_source *source)
{
    live_source *const l = (live_source *)source;
    l->watch = (ws_stepper_watch){.values = note_value, .context = l};
    ws_stepper_set_watch(l->stepper, &l->watch);
}

static int begin(ws_source *source, uint32_t slot, uint64_t block)
{
    const live_source *const l = (const live_source *)source;
    for (uint32_t warp = 0; warp < source->launch->warps_per_block; warp++)
        backlog_of(l, slot, warp)->next = backlog_of(l, slot, warp)->steps = 0;
    return ws_stepper_begin(l->stepper, slot, block);
}

static int next(ws_source *source, uint32_t slot, uint32_t warp, ws_step *step, bool *found)
{
    live_source *const l = (live_source *)source;
    backlog *const b = backlog_of(l, slot, warp);
    *found = false;
    if (b->next == b->steps) {
        ws_batch batch;
        b->values = 0;
        l->moving = b;
        const uint64_t failed = ws_stepper_failed_swaps(l->stepper);
        int status = ws_stepper_step(l->stepper, slot, warp, &batch);
        if (!status)
            status = keep(b, &batch, ws_stepper_failed_swaps(l->stepper) - failed);
        if (status)
            return status;
        point_at_contents(b);
    }
    *found = b->next < b->steps;
    if (!*found)
        return WS_OK;
    *step = b->step[b->next++];
    step->value = b->value;
    step->values = (uint32_t)b->values;
    if (step->kind == WS_EVENT_MEMORY) {
        step->address = b->address + b->address_next;
        b->address_next += (size_t)WS_WARP * (1u + step->further);
    }
    return WS_OK;
}

static void end(ws_source *source, uint32_t slot)
{
    ws_stepper_end(((const live_source *)source)->stepper, slot);
}

static void destroy(ws_source *source)
{
    live_source *const l = (live_source *)source;
    ws_stepper_set_watch(l->stepper, NULL);
    const size_t n = (size_t)source->slots * source->launch->warps_per_block;
    for (size_t i = 0; i < n && l->backlog; i++) {
        free(l->backlog[i].step);
        free(l->backlog[i].address);
        free(l->backlog[i].value);
        free(l->backlog[i].content);
    }
    free(l->backlog);
    free(l);
}

static const ws_source_ops ops = {
    .parallel = false,
    .repeatable = false,
    .give_values = give_values,
    .begin = begin,
    .next = next,
    .end = end,
    .destroy = destroy,
};

int ws_source_of_stepper(ws_stepper *stepper, uint32_t slots, ws_source **out)
{
    const ws_launch *const launch = ws_stepper_launch(stepper);
    live_source *const l = calloc(1, sizeof *l);
    if (!l)
        return ws_fail(WS_EMEM, "no memory for a source");
    l->source = (ws_source){.ops = &ops, .launch = launch, .ctas = launch->blocks, .slots = slots};
    l->stepper = stepper;
    l->backlog = calloc((size_t)slots * launch->warps_per_block, sizeof *l->backlog);
    if (!l->backlog) {
        destroy(&l->source);
        return ws_fail(WS_EMEM, "no memory for %u resident blocks", slots);
    }
    *out = &l->source;
    return WS_OK;
}
