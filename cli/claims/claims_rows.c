/* claims_rows.c - rows of tables and figures: combinations of labels. */
#include "cli/claims/claims_internal.h"

#include "base/status.h"

#include <string.h>

enum { ROWS_MOST = 10000 };

int ws_claims_evaluate(ws_claims *claims, const ws_claims_entry *entry, ws_arena *arena, const ws_cube **out)
{
    const ws_expression *expression;
    const int status = ws_expression_parse(arena, entry->value, strlen(entry->value), &entry->place, &expression);
    return status ? status : ws_expression_evaluate(claims->scope, expression, arena, out);
}

/* The texts along one axis that an expression gives, without those that it leaves out. */
static int find_labels(ws_claims *claims, const ws_claims_entry *entry, ws_arena *arena, ws_axis *out)
{
    const ws_cube *cube;
    const int status = ws_claims_evaluate(claims, entry, arena, &cube);
    if (status)
        return status;
    if (cube->kind != WS_CUBE_TEXTS || cube->axes != 1)
        return ws_claims_fail(&entry->place,
                              "expected an axis, a set, or a selection of one, such as workload[class == 'a']");
    const char **const label = ws_arena_alloc(arena, (cube->cells + 1) * sizeof *label);
    if (!label)
        return ws_fail(WS_EMEM, "no memory for rows");
    *out = (ws_axis){.name = cube->axis[0].name, .label = label};
    for (size_t i = 0; i < cube->cells; i++)
        if (!cube->cell[i].gap)
            label[out->labels++] = cube->axis[0].label[i];
    return WS_OK;
}

const ws_cell *ws_claims_cell(const ws_cube *cube, const ws_coordinate *at, size_t coordinates)
{
    size_t cell = 0;
    for (size_t i = 0; i < cube->axes; i++) {
        long label = -1;
        for (size_t k = 0; k < coordinates && label < 0; k++)
            if (!strcmp(at[k].axis, cube->axis[i].name))
                label = ws_axis_find(&cube->axis[i], at[k].label);
        if (label < 0)
            return NULL;
        cell = cell * cube->axis[i].labels + (size_t)label;
    }
    return &cube->cell[cell];
}

/* Keeps the rows for which the condition holds. */
static int keep_rows(ws_claims *claims, const ws_claims_entry *where, ws_arena *arena, ws_claims_rows *rows)
{
    const ws_cube *cube;
    int status = ws_claims_evaluate(claims, where, arena, &cube);
    if (!status && cube->kind != WS_CUBE_CONDITIONS)
        status = ws_claims_fail(&where->place, "expected a condition, such as present(cycles)");
    size_t kept = 0;
    for (size_t i = 0; i < rows->rows && !status; i++) {
        ws_coordinate *const at = rows->at + i * rows->axes;
        const ws_cell *const cell = ws_claims_cell(cube, at, rows->axes);
        if (!cell)
            status = ws_claims_fail(&where->place, "expected one condition for each row");
        else if (!cell->gap && cell->number != 0)
            memmove(rows->at + kept++ * rows->axes, at, rows->axes * sizeof *at);
    }
    rows->rows = kept;
    return status;
}

int ws_claims_find_rows(ws_claims *claims, const ws_claims_entry *entry, const ws_claims_entry *where, ws_arena *arena,
                        ws_claims_rows *out)
{
    ws_claims_entry part[WS_AXES_MOST];
    ws_axis axis[WS_AXES_MOST];
    *out = (ws_claims_rows){.rows = 1};
    int status = ws_claims_split(&claims->file, entry, WS_AXES_MOST, part, &out->axes);
    for (size_t i = 0; i < out->axes && !status; i++) {
        status = find_labels(claims, &part[i], arena, &axis[i]);
        if (!status && (__builtin_mul_overflow(out->rows, axis[i].labels, &out->rows) || out->rows > ROWS_MOST))
            status = ws_claims_fail(&entry->place, "more than %d rows", ROWS_MOST);
        out->axis[i] = status ? NULL : axis[i].name;
    }
    if (status)
        return status;
    out->at = ws_arena_alloc(arena, (out->rows * out->axes + 1) * sizeof *out->at);
    if (!out->at)
        return ws_fail(WS_EMEM, "no memory for rows");
    for (size_t r = 0; r < out->rows; r++)
        for (size_t i = out->axes, rest = r; i-- > 0; rest /= axis[i].labels)
            out->at[r * out->axes + i] = (ws_coordinate){axis[i].name, axis[i].label[rest % axis[i].labels]};
    return where ? keep_rows(claims, where, arena, out) : WS_OK;
}
