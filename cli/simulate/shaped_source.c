/* shaped_source.c - see shaped_source.h.
 *
 * A step of PTX becomes a run of the instructions that it was turned into, and where the last of these still is an access, a
 * branch or a barrier, that step behind it. What was folded away makes no step at all. */
#include "cli/simulate/shaped_source.h"

#include "base/grow.h"
#include "base/status.h"
#include "collect/shape/shape.h"

#include <stdlib.h>
#include <string.h>

/* What a warp is to do before its source is asked again. */
typedef struct backlog {
    ws_step run;       /* count: what is handed out next; */
    uint32_t run_left; /* ... and how much there is */
    ws_step main;
    bool has_main;
    uint64_t *address; /* of `main` */
    size_t address_room;
} backlog;

typedef struct shaped_source {
    ws_source source;
    ws_source *inner;
    ws_shape *shape;
    backlog *backlog; /* [slots * warps_per_block] */
    ws_source_ops ops;
} shaped_source;

static backlog *backlog_of(const shaped_source *s, uint32_t slot, uint32_t warp)
{
    return &s->backlog[(size_t)slot * s->source.launch->warps_per_block + warp];
}

static int begin(ws_source *source, uint32_t slot, uint64_t cta)
{
    const shaped_source *const s = (const shaped_source *)source;
    for (uint32_t warp = 0; warp < source->launch->warps_per_block; warp++) {
        backlog_of(s, slot, warp)->run_left = 0;
        backlog_of(s, slot, warp)->has_main = false;
    }
    return s->inner->ops->begin(s->inner, slot, cta);
}

/* The step keeps its addresses while other warps of the slot move. */
static int keep_main(backlog *b, const ws_step *step)
{
    b->main = *step;
    b->has_main = true;
    if (step->kind != WS_EVENT_MEMORY)
        return WS_OK;
    const size_t n = (size_t)WS_WARP * (1u + step->further);
    if (WS_GROW(b->address, b->address_room, 0, n))
        return ws_fail(WS_EMEM, "no memory for the instructions of a warp");
    memcpy(b->address, step->address, n * sizeof *b->address);
    b->main.address = b->address;
    return WS_OK;
}

static void set_run(backlog *b, const ws_step *step, uint32_t pc, uint32_t count)
{
    b->run = (ws_step){.pc = pc, .active = step->active, .exec = step->exec, .depth = step->depth, .kind = WS_EVENT_RUN};
    b->run_left = count;
}

/* What the step becomes, if anything. */
static int translate(const shaped_source *s, backlog *b, const ws_step *step)
{
    const ws_shape *const shape = s->shape;
    const uint32_t first = shape->first[step->pc], end = shape->first[step->pc + (step->count ? step->count : 1)];
    ws_step main = *step;
    main.pc = end - 1;
    if (step->kind == WS_EVENT_RUN || !shape->keeps[step->pc]) {
        set_run(b, step, first, step->count ? end - first : 0);
        return WS_OK;
    }
    set_run(b, step, first, step->count ? end - first - 1 : 0);
    return keep_main(b, &main);
}

static bool hand_out(backlog *b, ws_step *step)
{
    if (b->run_left) {
        *step = b->run;
        step->count = b->run_left < UINT16_MAX ? (uint16_t)b->run_left : UINT16_MAX;
        b->run.pc += step->count;
        b->run_left -= step->count;
        return true;
    }
    if (!b->has_main)
        return false;
    *step = b->main;
    b->has_main = false;
    return true;
}

static int next(ws_source *source, uint32_t slot, uint32_t warp, ws_step *step, bool *found)
{
    const shaped_source *const s = (const shaped_source *)source;
    backlog *const b = backlog_of(s, slot, warp);
    for (*found = true; !hand_out(b, step);) {
        ws_step taken;
        int status = s->inner->ops->next(s->inner, slot, warp, &taken, found);
        if (!status && *found)
            status = translate(s, b, &taken);
        if (status || !*found)
            return status;
    }
    return WS_OK;
}

static void end(ws_source *source, uint32_t slot)
{
    const shaped_source *const s = (const shaped_source *)source;
    s->inner->ops->end(s->inner, slot);
}

static void fini(shaped_source *s)
{
    const size_t n = s->backlog ? (size_t)s->inner->slots * s->inner->launch->warps_per_block : 0;
    for (size_t i = 0; i < n; i++)
        free(s->backlog[i].address);
    free(s->backlog);
    ws_shape_destroy(s->shape);
    free(s);
}

static void destroy(ws_source *source)
{
    shaped_source *const s = (shaped_source *)source;
    ws_source *const inner = s->inner;
    fini(s);
    inner->ops->destroy(inner);
}

int ws_source_shape(ws_source **source, uint32_t rows)
{
    ws_source *const inner = *source;
    shaped_source *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for a source");
    s->inner = inner;
    int status = ws_shape_create(inner->launch, rows, &s->shape);
    if (!status) {
        s->backlog = calloc((size_t)inner->slots * inner->launch->warps_per_block, sizeof *s->backlog);
        status = s->backlog ? WS_OK : ws_fail(WS_EMEM, "no memory for %u resident blocks", inner->slots);
    }
    if (status) {
        fini(s);
        return status;
    }
    s->ops = (ws_source_ops){.parallel = inner->ops->parallel,
                             .repeatable = inner->ops->repeatable,
                             .begin = begin,
                             .next = next,
                             .end = end,
                             .destroy = destroy};
    s->source = (ws_source){.ops = &s->ops, .launch = &s->shape->launch, .ctas = inner->ctas, .slots = inner->slots};
    *source = &s->source;
    return WS_OK;
}
