/* shaped_source.c - see shaped_source.h.
 *
 * The steps of a region are taken together, then the instructions of its shape are handed out in their order: runs of
 * those that compute on the same lanes, and steps that access memory, branch or wait where the instruction that stands
 * for them is. A warp that leaves a region before its end, which nothing but a damaged trace does, did what it did. */
#include "record/simulate/shaped_source.h"

#include "base/grow.h"
#include "base/status.h"
#include "collect/shape/shape.h"

#include <stdlib.h>
#include <string.h>

/* What a warp did with an instruction of its region. */
typedef enum passed { PASSED_NOT, PASSED_RUN, PASSED_STEP, PASSED_OVER } passed;

typedef struct backlog {
    const ws_shape_region *region; /* that is handed out; NULL: none */
    uint32_t next;                 /* instruction of the shape that is handed out next */
    uint32_t active;
    uint8_t depth;
    uint32_t *exec;    /* [longest] lanes of its PTX instructions */
    uint8_t *passed;   /* [longest] */
    ws_step *step;     /* what is more than a run, in PTX order */
    uint64_t *address; /* of these, where their `address` is set in the end */
    size_t steps, step_room, addresses, address_room;
    size_t part; /* of `step`: handed out next, while the instruction of it is */
    bool is_within;
    uint32_t skip; /* loads that the wide one before them did */
    ws_step ahead; /* was taken, and is of another region */
    uint64_t *ahead_address;
    size_t ahead_room;
    bool has_ahead;
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
        backlog_of(s, slot, warp)->region = NULL;
        backlog_of(s, slot, warp)->has_ahead = false;
    }
    return s->inner->ops->begin(s->inner, slot, cta);
}

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the instructions of a warp");
}

static size_t addresses_of(const ws_step *step)
{
    return step->kind == WS_EVENT_MEMORY ? (size_t)WS_WARP * (1u + step->further) : 0;
}

/* ------------------------------------------------------------------------------------------------ taking */

static int make_room(const shaped_source *s, backlog *b)
{
    if (b->exec)
        return WS_OK;
    b->exec = malloc(((size_t)s->shape->longest + 1) * sizeof *b->exec);
    b->passed = malloc((size_t)s->shape->longest + 1);
    return b->exec && b->passed ? WS_OK : no_memory();
}

static int keep_ahead(backlog *b, const ws_step *step)
{
    const size_t n = addresses_of(step);
    b->ahead = *step;
    b->has_ahead = true;
    if (n && step->address == b->ahead_address)
        return WS_OK;
    if (WS_GROW(b->ahead_address, b->ahead_room, 0, n))
        return no_memory();
    if (n)
        memcpy(b->ahead_address, step->address, n * sizeof *b->ahead_address);
    b->ahead.address = b->ahead_address;
    return WS_OK;
}

static int keep_step(backlog *b, const ws_step *step)
{
    const size_t n = addresses_of(step);
    if (WS_GROW(b->step, b->step_room, b->steps, 1) || WS_GROW(b->address, b->address_room, b->addresses, n))
        return no_memory();
    b->step[b->steps++] = *step;
    if (n)
        memcpy(b->address + b->addresses, step->address, n * sizeof *b->address);
    b->addresses += n;
    return WS_OK;
}

/* Arrays have grown for the last time. */
static void point_at_addresses(backlog *b)
{
    size_t at = 0;
    for (size_t i = 0; i < b->steps; i++) {
        b->step[i].address = b->address + at;
        at += addresses_of(&b->step[i]);
    }
}

static int take(const shaped_source *s, backlog *b, uint32_t slot, uint32_t warp, ws_step *step, bool *found)
{
    if (!b->has_ahead)
        return s->inner->ops->next(s->inner, slot, warp, step, found);
    *step = b->ahead;
    *found = true;
    b->has_ahead = false;
    return WS_OK;
}

/* A further part of an access that ended its region: only that is left to do there. */
static void pass_over_others(const shaped_source *s, backlog *b, uint32_t pc)
{
    const ws_shape_origin *const origin = s->shape->origin;
    while (b->next < b->region->end && (origin[b->next].pc != pc || !origin[b->next].is_main))
        b->next++;
}

static void open_region(const shaped_source *s, backlog *b, const ws_step *step)
{
    b->region = &s->shape->region[s->shape->region_of[step->pc]];
    b->next = b->region->first;
    b->active = step->active;
    b->depth = step->depth;
    b->steps = b->addresses = 0;
    b->is_within = false;
    b->skip = 0;
    memset(b->passed, PASSED_NOT, b->region->end_pc - b->region->first_pc);
    if (!step->count)
        pass_over_others(s, b, step->pc);
}

/* Of a run of PTX instructions what lies in the region; the rest is for the next one. */
static int pass_run(backlog *b, const ws_step *step, uint32_t *pc)
{
    const ws_shape_region *const r = b->region;
    const uint32_t end = step->pc + step->count < r->end_pc ? step->pc + step->count : r->end_pc;
    for (*pc = step->pc; *pc < end; ++*pc) {
        b->exec[*pc - r->first_pc] = step->exec;
        b->passed[*pc - r->first_pc] = PASSED_RUN;
    }
    ws_step rest = *step;
    rest.pc = end;
    rest.count = (uint16_t)(step->count - (end - step->pc));
    return rest.count ? keep_ahead(b, &rest) : WS_OK;
}

static int pass_step(backlog *b, const ws_step *step, uint32_t *pc)
{
    b->exec[step->pc - b->region->first_pc] = step->exec;
    b->passed[step->pc - b->region->first_pc] = PASSED_STEP;
    *pc = step->pc + (step->count ? 1 : 0);
    return keep_step(b, step);
}

/* All that the warp does in its next region. *found: it does something. */
static int take_region(const shaped_source *s, backlog *b, uint32_t slot, uint32_t warp, bool *found)
{
    ws_step step;
    uint32_t pc = 0; /* that comes next */
    int status = make_room(s, b);
    if (!status)
        status = take(s, b, slot, warp, &step, found);
    if (status || !*found)
        return status;
    open_region(s, b, &step);
    for (bool more = true; more && !status;) {
        const bool is_part = !step.count && b->steps && b->step[b->steps - 1].pc == step.pc;
        const bool is_here =
            is_part || (step.pc >= b->region->first_pc && step.pc < b->region->end_pc && step.pc >= pc);
        if (!is_here) {
            status = keep_ahead(b, &step);
            break;
        }
        status = step.kind == WS_EVENT_RUN ? pass_run(b, &step, &pc) : pass_step(b, &step, &pc);
        if (pc >= b->region->end_pc)
            break;
        if (!status)
            status = take(s, b, slot, warp, &step, &more);
    }
    point_at_addresses(b);
    return status;
}

/* ------------------------------------------------------------------------------------------------ handing out */

/* What a branch that is gone went over is issued in any case: for no lane, where all took it. */
static uint8_t passed_of(const shaped_source *s, const backlog *b, uint32_t at)
{
    const ws_shape_origin *const o = &s->shape->origin[at];
    const uint8_t is = b->passed[o->pc - b->region->first_pc];
    if (is != PASSED_NOT || !o->over || o->over - 1 < b->region->first_pc)
        return is;
    return b->passed[o->over - 1 - b->region->first_pc] ? PASSED_OVER : PASSED_NOT;
}

static uint32_t exec_of(const shaped_source *s, const backlog *b, uint32_t at)
{
    return passed_of(s, b, at) == PASSED_OVER ? 0 : b->exec[s->shape->origin[at].pc - b->region->first_pc];
}

/* The instruction does what a step did: all parts of that, one after the other. */
static bool is_step(const shaped_source *s, const backlog *b, uint32_t at)
{
    return s->shape->origin[at].is_main && passed_of(s, b, at) == PASSED_STEP;
}

/* The first step of a PTX instruction; there is one. */
static size_t find_step(const backlog *b, uint32_t pc)
{
    size_t low = 0, high = b->steps;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (b->step[middle].pc >= pc)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void hand_out_step(const shaped_source *s, backlog *b, ws_step *out)
{
    const uint32_t pc = s->shape->origin[b->next].pc;
    if (!b->is_within)
        b->part = find_step(b, pc);
    *out = b->step[b->part++];
    out->pc = b->next;
    b->is_within = b->part < b->steps && b->step[b->part].pc == pc;
    if (!b->is_within)
        b->next++;
}

static void hand_out_run(const shaped_source *s, backlog *b, ws_step *out)
{
    const uint32_t first = b->next, exec = exec_of(s, b, first);
    uint32_t at = first + 1;
    while (at < b->region->end && at - first < UINT16_MAX && passed_of(s, b, at) != PASSED_NOT && !is_step(s, b, at) &&
           !s->shape->origin[at].is_wide && exec_of(s, b, at) == exec)
        at++;
    *out = (ws_step){.pc = first,
                     .active = b->active,
                     .exec = exec,
                     .count = (uint16_t)(at - first),
                     .kind = WS_EVENT_RUN,
                     .depth = b->depth};
    b->next = at;
}

/* The loads behind a wide one, from `at` on. */
static uint32_t count_joined(const shaped_source *s, const backlog *b, uint32_t at)
{
    uint32_t n = 0;
    while (at + n < b->region->end && s->shape->origin[at + n].is_joined)
        n++;
    return n;
}

/* Do the loads at `at` read what one wide load at the first one's addresses would read? */
static bool may_be_wide(const shaped_source *s, const backlog *b, uint32_t at, uint32_t loads)
{
    const uint32_t bytes = s->shape->launch.instr[at].bytes;
    const ws_step *first = NULL;
    for (uint32_t i = 0; i < loads; i++) {
        if (!is_step(s, b, at + i))
            return false;
        const ws_step *const step = &b->step[find_step(b, s->shape->origin[at + i].pc)];
        first = first ? first : step;
        if (step->kind != WS_EVENT_MEMORY || (step->space != WS_SPACE_SHARED && step->space != WS_SPACE_CONST) ||
            step->texel || step->exec != first->exec)
            return false;
        WS_EACH_LANE (lane, first->exec)
            if (first->address[lane] % (bytes * loads) || step->address[lane] != first->address[lane] + i * bytes)
                return false;
    }
    return true;
}

/* The next instruction that the warp issues: not what it did not come to, nor the loads that a wide one did, or the
 * other way round. */
static bool find_next(const shaped_source *s, backlog *b)
{
    if (!b->region || b->is_within)
        return b->region;
    for (; b->next < b->region->end; b->next++) {
        const ws_shape_origin *const o = &s->shape->origin[b->next];
        if (o->is_joined && b->skip) {
            b->skip--;
            continue;
        }
        if (passed_of(s, b, b->next) == PASSED_NOT)
            continue;
        if (!o->is_wide)
            return true;
        const uint32_t loads = count_joined(s, b, b->next + 1);
        if (may_be_wide(s, b, b->next + 1, loads)) {
            b->skip = loads;
            return true;
        }
    }
    return false;
}

static bool hand_out(const shaped_source *s, backlog *b, ws_step *out)
{
    if (!find_next(s, b))
        return false;
    if (is_step(s, b, b->next))
        hand_out_step(s, b, out);
    else
        hand_out_run(s, b, out);
    return true;
}

static int next(ws_source *source, uint32_t slot, uint32_t warp, ws_step *step, bool *found)
{
    const shaped_source *const s = (const shaped_source *)source;
    backlog *const b = backlog_of(s, slot, warp);
    for (*found = true; !hand_out(s, b, step);) {
        const int status = take_region(s, b, slot, warp, found);
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
    for (size_t i = 0; i < n; i++) {
        free(s->backlog[i].exec);
        free(s->backlog[i].passed);
        free(s->backlog[i].step);
        free(s->backlog[i].address);
        free(s->backlog[i].ahead_address);
    }
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
