/* cube.c - labelled arrays: their axes, how two are aligned, and what is selected from one. */
#include "base/cube/cube_internal.h"

#include "base/guess.h"
#include "base/status.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

const ws_cube ws_cube_left_out = {.name = "what was left out"};
static const ws_cell out_cell = {.gap = &ws_cube_left_out};

/* ------------------------------------------------------------------------------------------------ made */

int ws_cube_new(const ws_cube_work *work, ws_cube_kind kind, const char *name, const ws_axis *axis, size_t axes,
                ws_cube **out)
{
    size_t cells = 1;
    for (size_t i = 0; i < axes; i++)
        if (__builtin_mul_overflow(cells, axis[i].labels, &cells) || cells > WS_CUBE_CELLS_MOST)
            return ws_fail(WS_ELIMIT, "%s would have more than %d cells; select fewer labels first", name,
                           WS_CUBE_CELLS_MOST);
    if (cells > *work->cells_left)
        return ws_fail(WS_ELIMIT, "this takes too many cells; select fewer labels first");
    *work->cells_left -= cells;
    ws_cube *const cube = ws_arena_alloc(work->arena, sizeof *cube);
    ws_cell *const cell = ws_arena_alloc(work->arena, (cells ? cells : 1) * sizeof *cell);
    if (!cube || !cell)
        return ws_fail(WS_EMEM, "no memory for %zu cells", cells);
    *cube = (ws_cube){.kind = kind, .name = name, .axes = axes, .cells = cells, .cell = cell};
    if (axes)
        memcpy(cube->axis, axis, axes * sizeof *axis);
    *out = cube;
    return WS_OK;
}

int ws_cube_scalar(const ws_cube_work *work, ws_cube_kind kind, const char *name, ws_cell cell, const ws_cube **out)
{
    ws_cube *cube;
    const int status = ws_cube_new(work, kind, name, NULL, 0, &cube);
    if (status)
        return status;
    cube->cell[0] = cell;
    *out = cube;
    return WS_OK;
}

void ws_cube_empty(ws_cube *cube, size_t cell)
{
    cube->cell[cell] = (ws_cell){.origin = cell, .gap = cube};
}

long ws_cube_find_axis(const ws_cube *cube, const char *name)
{
    for (size_t i = 0; i < cube->axes; i++)
        if (!strcmp(cube->axis[i].name, name))
            return (long)i;
    return -1;
}

long ws_axis_find(const ws_axis *axis, const char *label)
{
    for (size_t i = 0; i < axis->labels; i++)
        if (axis->label[i] == label || !strcmp(axis->label[i], label))
            return (long)i;
    return -1;
}

size_t ws_cube_step(const ws_cube *cube, size_t axis)
{
    size_t step = 1;
    for (size_t i = axis + 1; i < cube->axes; i++)
        step *= cube->axis[i].labels;
    return step;
}

void ws_cube_where(const ws_cube *cube, size_t cell, char *text, size_t size)
{
    *text = 0;
    for (size_t i = 0, used = 0; i < cube->axes && used < size; i++) {
        const ws_axis *const axis = &cube->axis[i];
        const char *const label = axis->label[cell / ws_cube_step(cube, i) % axis->labels];
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i ? ", " : "", axis->name, label);
    }
}

int ws_cube_fail_gap(const ws_cell *cell)
{
    char where[200];
    if (ws_cell_is_out(cell))
        return ws_fail(WS_ENUMERIC, "a selection leaves this out; replace it (else)");
    ws_cube_where(cell->gap, cell->origin, where, sizeof where);
    return ws_fail(WS_ENUMERIC, "%s has no value%s%s; leave such cells out ([present(...)]) or replace them (else)",
                   cell->gap->name, *where ? " at " : "", where);
}

/* ------------------------------------------------------------------------------------------------ aligned */

static bool is_same(const ws_axis *a, const ws_axis *b)
{
    if (a->labels != b->labels)
        return false;
    for (size_t i = 0; a->label != b->label && i < a->labels; i++)
        if (a->label[i] != b->label[i] && strcmp(a->label[i], b->label[i]))
            return false;
    return true;
}

/* The labels of `to` and `from`, but for those that a part leaves out. */
static int join_axis(const ws_cube_work *work, ws_axis *to, const ws_axis *from)
{
    const bool is_part = to->is_part || from->is_part;
    if (is_same(to, from)) {
        to->is_part = is_part;
        return WS_OK;
    }
    const char **const label = ws_arena_alloc(work->arena, (to->labels + from->labels + 1) * sizeof *label);
    if (!label)
        return ws_fail(WS_EMEM, "no memory for labels");
    size_t n = 0;
    for (size_t i = 0; i < to->labels; i++)
        if (!from->is_part || ws_axis_find(from, to->label[i]) >= 0)
            label[n++] = to->label[i];
    for (size_t i = 0; i < from->labels && !to->is_part; i++)
        if (ws_axis_find(to, from->label[i]) < 0)
            label[n++] = from->label[i];
    if (!n)
        return ws_fail(WS_EINPUT, "these have no label of %s in common", to->name);
    *to = (ws_axis){.name = to->name, .label = label, .labels = n, .is_part = is_part};
    return WS_OK;
}

int ws_cube_match_axes(const ws_cube_work *work, const ws_cube *const *in, size_t n, ws_axis *axis, size_t *axes)
{
    *axes = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < in[i]->axes; j++) {
            size_t at = 0;
            while (at < *axes && strcmp(axis[at].name, in[i]->axis[j].name))
                at++;
            if (at == WS_AXES_MOST)
                return ws_fail(WS_ELIMIT, "more than %d axes", WS_AXES_MOST);
            if (at == *axes)
                axis[(*axes)++] = in[i]->axis[j];
            else {
                const int status = join_axis(work, &axis[at], &in[i]->axis[j]);
                if (status)
                    return status;
            }
        }
    return WS_OK;
}

enum { NO_PARTNER = -1, IS_OUT = -2 };

/* Where each label of `to` is on an axis of `from`: a part leaves others out. */
static int map_axis(const ws_cube_work *work, const ws_axis *to, const ws_axis *from, long **out)
{
    long *const map = ws_arena_alloc(work->arena, (to->labels + 1) * sizeof *map);
    if (!map)
        return ws_fail(WS_EMEM, "no memory for labels");
    const bool is_plain = is_same(to, from);
    for (size_t i = 0; i < to->labels; i++) {
        map[i] = is_plain ? (long)i : ws_axis_find(from, to->label[i]);
        if (map[i] < 0)
            map[i] = from->is_part ? IS_OUT : NO_PARTNER;
    }
    *out = map;
    return WS_OK;
}

static bool has_shape(const ws_cube *cube, const ws_axis *axis, size_t axes)
{
    if (cube->axes != axes)
        return false;
    for (size_t i = 0; i < axes; i++)
        if (strcmp(cube->axis[i].name, axis[i].name) || !is_same(&cube->axis[i], &axis[i]) ||
            cube->axis[i].is_part != axis[i].is_part)
            return false;
    return true;
}

static int spread(const ws_cube_work *work, const ws_cube *in, const ws_axis *axis, size_t axes, const ws_cube **out)
{
    long *map[WS_AXES_MOST] = {NULL};
    size_t step[WS_AXES_MOST] = {0};
    ws_cube *cube;
    int status = ws_cube_new(work, in->kind, in->name, axis, axes, &cube);
    for (size_t i = 0; i < axes && !status; i++) {
        const long at = ws_cube_find_axis(in, axis[i].name);
        if (at < 0)
            continue;
        step[i] = ws_cube_step(in, (size_t)at);
        status = map_axis(work, &axis[i], &in->axis[at], &map[i]);
    }
    if (status)
        return status;
    size_t index[WS_AXES_MOST] = {0};
    for (size_t c = 0; c < cube->cells; c++) {
        long worst = 0;
        size_t from = 0;
        for (size_t i = 0; i < axes; i++)
            if (map[i]) {
                const long at = map[i][index[i]];
                worst = at < worst ? at : worst;
                from += at < 0 ? 0 : (size_t)at * step[i];
            }
        if (worst == NO_PARTNER)
            ws_cube_empty(cube, c);
        else
            cube->cell[c] = worst == IS_OUT ? out_cell : in->cell[from];
        for (size_t i = axes; i-- > 0 && ++index[i] == axis[i].labels;)
            index[i] = 0;
    }
    *out = cube;
    return WS_OK;
}

int ws_cube_match(const ws_cube_work *work, const ws_cube *const *in, size_t n, const ws_cube **out)
{
    ws_axis axis[WS_AXES_MOST];
    size_t axes;
    int status = ws_cube_match_axes(work, in, n, axis, &axes);
    for (size_t i = 0; i < n && !status; i++) {
        if (has_shape(in[i], axis, axes))
            out[i] = in[i];
        else
            status = spread(work, in[i], axis, axes, &out[i]);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ selected */

int ws_cube_take(const ws_cube_work *work, const ws_cube *cube, size_t axis, const size_t *label, size_t n,
                 const ws_cube **out)
{
    ws_axis to[WS_AXES_MOST];
    memcpy(to, cube->axis, sizeof to);
    const char **const names = ws_arena_alloc(work->arena, (n + 1) * sizeof *names);
    if (!names)
        return ws_fail(WS_EMEM, "no memory for labels");
    for (size_t i = 0; i < n; i++)
        names[i] = cube->axis[axis].label[label[i]];
    to[axis] = (ws_axis){.name = cube->axis[axis].name, .label = names, .labels = n, .is_part = true};
    ws_cube *taken;
    const int status = ws_cube_new(work, cube->kind, cube->name, to, cube->axes, &taken);
    const size_t step = ws_cube_step(cube, axis);
    for (size_t c = 0; c < (status ? 0 : taken->cells); c++) {
        const size_t outer = c / step / n, at = label[c / step % n];
        taken->cell[c] = cube->cell[(outer * cube->axis[axis].labels + at) * step + c % step];
    }
    *out = status ? NULL : taken;
    return status;
}

int ws_cube_point(const ws_cube_work *work, const ws_cube *cube, size_t axis, const ws_cube *text, const ws_cube **out)
{
    /* The shape: a slice of the cube beside the texts. */
    ws_cube slice = *cube;
    slice.axes--;
    memmove(slice.axis + axis, slice.axis + axis + 1, (slice.axes - axis) * sizeof *slice.axis);
    const ws_cube *const both[] = {&slice, text};
    ws_axis to[WS_AXES_MOST];
    size_t axes;
    int status = ws_cube_match_axes(work, both, 2, to, &axes);
    if (status)
        return status;
    ws_cube *pointed;
    const ws_cube *which = text;
    status = ws_cube_new(work, cube->kind, cube->name, to, axes, &pointed);
    if (!status && !has_shape(text, to, axes))
        status = spread(work, text, to, axes, &which);
    long *map[WS_AXES_MOST] = {NULL};
    size_t step[WS_AXES_MOST] = {0};
    for (size_t i = 0; i < axes && !status; i++) {
        const long at = ws_cube_find_axis(cube, to[i].name);
        if (at < 0 || (size_t)at == axis) /* along the selected axis texts say where */
            continue;
        step[i] = ws_cube_step(cube, (size_t)at);
        status = map_axis(work, &to[i], &cube->axis[at], &map[i]);
    }
    for (size_t c = 0; c < (status ? 0 : pointed->cells); c++) {
        const ws_cell *const name = &which->cell[c];
        const long label = name->gap ? 0 : ws_axis_find(&cube->axis[axis], name->text);
        size_t from = label < 0 ? 0 : (size_t)label * ws_cube_step(cube, axis), rest = c;
        long worst = label < 0 ? NO_PARTNER : 0;
        for (size_t i = axes; i-- > 0; rest /= to[i].labels)
            if (map[i]) {
                const long at = map[i][rest % to[i].labels];
                worst = at < worst ? at : worst;
                from += at < 0 ? 0 : (size_t)at * step[i];
            }
        if (name->gap)
            pointed->cell[c] = *name;
        else if (worst == NO_PARTNER)
            ws_cube_empty(pointed, c);
        else
            pointed->cell[c] = worst == IS_OUT ? out_cell : cube->cell[from];
    }
    *out = status ? NULL : pointed;
    return status;
}

int ws_cube_mask(const ws_cube_work *work, const ws_cube *cube, const ws_cube *condition, const ws_cube **out)
{
    const ws_cube *const in[] = {cube, condition}, *same[2];
    ws_cube *masked;
    int status = ws_cube_match(work, in, 2, same);
    if (!status)
        status = ws_cube_new(work, cube->kind, cube->name, same[0]->axis, same[0]->axes, &masked);
    if (status)
        return status;
    for (size_t c = 0; c < masked->cells; c++) {
        const ws_cell *const is = &same[1]->cell[c], *const was = &same[0]->cell[c];
        if (is->gap)
            masked->cell[c] = ws_cell_is_out(was) ? *was : *is;
        else
            masked->cell[c] = is->number != 0 ? *was : out_cell;
    }
    *out = masked;
    return WS_OK;
}
