/* shape.c - see shape.h. */
#include "collect/shape/shape_internal.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static const char *const rows[WS_SHAPE_ROWS] = {
#define SHAPE(name, what) [WS_SHAPE_##name] = #name,
#include "collect/shape/shape.def"
#undef SHAPE
};

const char *ws_shape_name(ws_shape_row row)
{
    return rows[row];
}

static int fail_unknown(const char *name, size_t length)
{
    char known[256] = "all";
    for (int i = 0; i < WS_SHAPE_ROWS; i++) {
        strncat(known, ", ", sizeof known - strlen(known) - 1);
        strncat(known, rows[i], sizeof known - strlen(known) - 1);
    }
    return ws_fail(WS_EINPUT, "no way to shape instructions is called '%.*s'; there are: %s", (int)length, name, known);
}

int ws_shape_parse(const char *names, uint32_t *out)
{
    *out = 0;
    for (const char *at = names;; at++) {
        const size_t length = strcspn(at, ",");
        int row = 0;
        while (row < WS_SHAPE_ROWS && (strlen(rows[row]) != length || strncmp(rows[row], at, length) != 0))
            row++;
        if (length == 3 && !strncmp(at, "all", 3))
            *out = WS_SHAPE_ALL;
        else if (row < WS_SHAPE_ROWS)
            *out |= UINT32_C(1) << row;
        else
            return fail_unknown(at, length);
        at += length;
        if (!*at)
            return WS_OK;
    }
}

/* ------------------------------------------------------------------------------------------------ the table */

typedef struct owned {
    ws_shape shape;
    ws_arena *arena;
} owned;

/* The numbers of the registers that hold a value, or the half that an instruction works on. */
static void add_numbers(const shaper *s, uint32_t value, uint8_t half, uint16_t *list, uint8_t *n, unsigned most)
{
    const unsigned bits = s->value[value].bits;
    const uint32_t number = s->number[shape_same(s, value)];
    const unsigned width = bits <= 32 ? 1 : bits <= 64 ? 2 : 4;
    for (unsigned k = 0; k < width; k++) {
        const bool wanted = width == 1 || half == HALF_BOTH || (half == HALF_LOW) == (k == 0);
        if (wanted && *n < most && number + k <= UINT16_MAX)
            list[(*n)++] = (uint16_t)(number + k);
    }
}

static uint8_t class_of(const shape_slot *t)
{
    return t->unit == WS_UNIT_SP || t->unit == WS_UNIT_DP ? WS_CLASS_FLOAT
           : t->unit == WS_UNIT_SFU                       ? WS_CLASS_SPECIAL
           : t->unit == WS_UNIT_NONE                      ? WS_CLASS_OTHER
                                                          : WS_CLASS_INTEGER;
}

static void fill_instruction(const shaper *s, const shape_slot *t, ws_instr *out)
{
    const ws_instr *const in = &s->launch->instr[t->pc];
    if (t->is_main) {
        *out = *in;
    } else {
        *out = (ws_instr){.opcode = in->opcode,
                          .line = in->line,
                          .column = in->column,
                          .reconverge = UINT32_MAX,
                          .guarded = in->guarded,
                          .cls = class_of(t)};
    }
    if (t->is_wide)
        out->bytes = (uint8_t)(in->bytes * t->dsts);
    out->guarded |= t->may;
    out->unit = t->unit;
    out->work = t->work;
    out->number = t->is_main ? in->number : t->number;
    out->dsts = out->srcs = 0;
    for (unsigned i = 0; i < t->dsts; i++)
        add_numbers(s, t->dst[i], t->half, out->dst, &out->dsts, WS_INSTR_DST);
    for (unsigned i = 0; i < t->srcs; i++)
        add_numbers(s, t->src[i], t->half, out->src, &out->srcs, WS_INSTR_SRC);
}

/* Positions of slots when those that were removed are gone: [slots + 1]. */
static uint32_t *find_positions(const shaper *s)
{
    uint32_t *const at = malloc(((size_t)s->slots + 1) * sizeof *at);
    for (uint32_t t = 0, left = 0; at && t <= s->slots; t++) {
        at[t] = left;
        left += t < s->slots && !s->slot[t].removed;
    }
    return at;
}

static void fill_regions(const shaper *s, const uint32_t *at, ws_shape_region *region, uint32_t *region_of,
                         ws_shape *shape)
{
    for (uint32_t r = 0; r < s->regions; r++) {
        region[r] = s->region[r];
        region[r].first = at[region[r].first];
        region[r].end = at[region[r].end];
        for (uint32_t pc = region[r].first_pc; pc < region[r].end_pc; pc++)
            region_of[pc] = r;
        if (region[r].end_pc - region[r].first_pc > shape->longest)
            shape->longest = region[r].end_pc - region[r].first_pc;
    }
}

/* Where lanes meet again: the first instruction of what the PTX instruction became. */
static uint32_t meeting_of(const shaper *s, const uint32_t *at, uint32_t pc)
{
    return pc < s->nodes ? at[s->first[pc]] : UINT32_MAX;
}

static int fill_shape(const shaper *s, const uint32_t *at, owned *o)
{
    ws_instr *const instr = ws_arena_alloc(o->arena, ((size_t)at[s->slots] + 1) * sizeof *instr);
    ws_shape_origin *const origin = ws_arena_alloc(o->arena, ((size_t)at[s->slots] + 1) * sizeof *origin);
    ws_shape_region *const region = ws_arena_alloc(o->arena, ((size_t)s->regions + 1) * sizeof *region);
    uint32_t *const region_of = ws_arena_alloc(o->arena, ((size_t)s->nodes + 1) * sizeof *region_of);
    if (!instr || !origin || !region || !region_of)
        return ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    for (uint32_t t = 0; t < s->slots; t++) {
        if (s->slot[t].removed)
            continue;
        fill_instruction(s, &s->slot[t], &instr[at[t]]);
        if (s->slot[t].is_main)
            instr[at[t]].reconverge = meeting_of(s, at, instr[at[t]].reconverge);
        origin[at[t]] = (ws_shape_origin){.pc = s->slot[t].pc,
                                          .is_main = s->slot[t].is_main,
                                          .over = s->over[s->slot[t].pc],
                                          .is_wide = s->slot[t].is_wide,
                                          .is_joined = s->slot[t].is_joined};
    }
    o->shape = (ws_shape){.launch = *s->launch,
                          .region = region,
                          .regions = s->regions,
                          .region_of = region_of,
                          .origin = origin,
                          .owned = o};
    fill_regions(s, at, region, region_of, &o->shape);
    o->shape.launch.instr = instr;
    o->shape.launch.instrs = at[s->slots];
    o->shape.launch.code = NULL;
    if (shape_wants(s, WS_SHAPE_registers))
        o->shape.launch.registers = s->registers;
    return WS_OK;
}

static int make_shape(const shaper *s, owned *o)
{
    uint32_t *const at = find_positions(s);
    const int status = at ? fill_shape(s, at, o) : ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    free(at);
    return status;
}

/* ------------------------------------------------------------------------------------------------ all */

static int transform(shaper *s)
{
    int status = shape_make_nodes(s);
    if (!status && shape_wants(s, WS_SHAPE_fold))
        status = shape_fold(s);
    if (!status && shape_wants(s, WS_SHAPE_fuse))
        status = shape_fuse(s);
    if (!status && shape_wants(s, WS_SHAPE_predicate))
        status = shape_predicate(s);
    if (!status && shape_wants(s, WS_SHAPE_expand))
        shape_expand(s);
    if (!status)
        status = shape_find_regions(s);
    if (!status && shape_wants(s, WS_SHAPE_vector))
        shape_vector(s);
    if (!status)
        status = shape_make_slots(s);
    if (!status && shape_wants(s, WS_SHAPE_schedule))
        status = shape_schedule(s);
    return status ? status : shape_give_registers(s);
}

static void fini(shaper *s)
{
    shape_forget_ranges(s);
    free(s->same);
    free(s->number);
    free(s->value);
    free(s->slot);
    free(s->region);
    ws_arena_destroy(s->arena);
}

int ws_shape_create(const ws_launch *launch, uint32_t wanted, ws_shape **out)
{
    if (ws_isa_is_sass(launch->isa))
        return ws_fail(WS_EUNSUPPORTED,
                       "kernel %s: its instructions are those of a GPU already, there is nothing to shape; "
                       "simulate it without --shape",
                       launch->kernel);
    if (!launch->code)
        return ws_fail(WS_EUNSUPPORTED,
                       "kernel %s: the trace does not say what its instructions work on, which --shape needs; "
                       "write it anew with this version, or simulate live",
                       launch->kernel);
    owned *const o = calloc(1, sizeof *o);
    shaper s = {.launch = launch, .code = launch->code, .rows = wanted, .arena = ws_arena_create()};
    if (o)
        o->arena = ws_arena_create();
    int status = o && o->arena && s.arena ? transform(&s) : ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    if (!status)
        status = make_shape(&s, o);
    fini(&s);
    if (status && o) {
        ws_arena_destroy(o->arena);
        free(o);
    }
    if (!status)
        *out = &o->shape;
    return status;
}

void ws_shape_destroy(ws_shape *shape)
{
    if (!shape)
        return;
    owned *const o = shape->owned;
    ws_arena_destroy(o->arena);
    free(o);
}
