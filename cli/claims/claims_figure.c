/* claims_figure.c - figures of pages: frames of expressions, drawn. */
#include "cli/claims/claims_internal.h"

#include "base/status.h"
#include "base/text.h"
#include "plots/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 64 };

typedef struct figure {
    ws_claims_entry *kind, *title, *width, *height, *top, *limit, *stack, *unit, *rows, *where, *labels, *frame,
        *digits, *groups, *tree, *variance, *cut, *heights;
    const char *name[COLUMNS_MOST], *unit_of[COLUMNS_MOST], *group[COLUMNS_MOST];
    const ws_cube *value[COLUMNS_MOST];
    ws_place place[COLUMNS_MOST];
    size_t columns;
    double parts; /* values are rounded to this part of one; 0: they are not */
} figure;

static const char keys_text[] =
    "kind, title, width, height, top, limit, stack, unit, digits, rows, where, labels, column, row, frame, groups, "
    "tree, variance, cut, heights";

static int find_entries(const ws_claims_section *section, figure *f)
{
    const struct {
        const char *key;
        ws_claims_entry **to;
    } keys[] = {{"kind", &f->kind},     {"title", &f->title},    {"width", &f->width},   {"height", &f->height},
                {"top", &f->top},       {"limit", &f->limit},    {"stack", &f->stack},   {"unit", &f->unit},
                {"rows", &f->rows},     {"where", &f->where},    {"labels", &f->labels}, {"frame", &f->frame},
                {"digits", &f->digits}, {"groups", &f->groups},  {"tree", &f->tree},     {"variance", &f->variance},
                {"cut", &f->cut},       {"heights", &f->heights}};
    int status = WS_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !status; i++)
        status = ws_claims_find(section, keys[i].key, keys[i].to);
    if (!status && !f->kind)
        status = ws_claims_need(section, "kind", &f->kind);
    if (!status && !f->rows && !f->frame)
        status =
            ws_claims_fail(&section->place, "[figure %s] has neither rows = and column = nor frame =", section->name);
    return status;
}

/* column = NAME | EXPRESSION | UNIT | GROUP, of which the last two may be left out */
static int add_column(ws_claims *claims, ws_claims_entry *entry, ws_arena *arena, figure *f)
{
    enum { PARTS_MOST = 4 };
    ws_claims_entry part[PARTS_MOST];
    size_t n;
    entry->is_used = true;
    int status = ws_claims_split(&claims->file, entry, PARTS_MOST, part, &n);
    if (!status && (n < 2 || f->columns == COLUMNS_MOST))
        status = n < 2 ? ws_claims_fail(&entry->place, "expected NAME | EXPRESSION [| UNIT [| GROUP]]")
                       : ws_claims_fail(&entry->place, "more than %d columns", COLUMNS_MOST);
    if (!status)
        status = ws_claims_evaluate(claims, &part[1], arena, &f->value[f->columns]);
    if (status)
        return status;
    f->name[f->columns] = part[0].value;
    f->unit_of[f->columns] = n > 2 ? part[2].value : f->unit ? f->unit->value : "";
    f->group[f->columns] = n > 3 ? part[3].value : "";
    f->place[f->columns++] = part[1].place;
    return WS_OK;
}

/* A number, or NaN where it was left out: a gap of the figure. */
static int find_number(const figure *f, const ws_cell *cell, const ws_cube *cube, const ws_place *place, double *out)
{
    *out = NAN;
    if (!cell || cube->kind == WS_CUBE_TEXTS)
        return ws_claims_fail(place, "expected one number for each row");
    if (cell->gap && cell->gap != &ws_cube_left_out)
        return ws_claims_fail(place, "%s has no value here; a gap of the figure is what a selection leaves out",
                              cell->gap->name);
    *out = cell->gap ? NAN : f->parts > 0 ? round(cell->number * f->parts) / f->parts : cell->number;
    return WS_OK;
}

/* Which axes are labels of the frame: all, or those of `labels =`. "none": rows have numbers. */
static int find_labels(const figure *f, const ws_claims_rows *rows, const char **name, size_t *axis, size_t *labels)
{
    const char *const words = f->labels ? f->labels->value : NULL;
    *labels = 0;
    if (words && !strcmp(words, "none"))
        return WS_OK;
    size_t wanted = 0, length;
    for (const char *at = words; at && (length = ws_claims_word(&at)) > 0; at += length)
        wanted++;
    for (size_t i = 0; i < rows->axes; i++)
        if (!words || ws_claims_has_word(words, rows->axis[i])) {
            axis[*labels] = i;
            name[(*labels)++] = rows->axis[i];
        }
    return !words || *labels == wanted
               ? WS_OK
               : ws_claims_fail(&f->labels->place, "expected axes of the rows, or none, not '%s'", words);
}

static int add_rows(ws_claims *claims, const figure *f, const ws_claims_rows *rows, const size_t *axis, size_t labels,
                    ws_frame *frame)
{
    int status = WS_OK;
    for (size_t r = 0; r < rows->rows && !status; r++) {
        const ws_coordinate *const at = rows->at + r * rows->axes;
        const char *label[WS_AXES_MOST];
        double value[COLUMNS_MOST];
        char number[WS_NUMBER_BYTES];
        snprintf(number, sizeof number, "%zu", r + 1);
        label[0] = number;
        for (size_t i = 0; i < labels; i++)
            label[i] = ws_scope_shown(claims->scope, at[axis[i]].axis, at[axis[i]].label);
        for (size_t k = 0; k < f->columns && !status; k++)
            status = find_number(f, ws_claims_cell(f->value[k], at, rows->axes), f->value[k], &f->place[k], &value[k]);
        if (!status)
            status = ws_frame_add_row(frame, label, value);
    }
    return status;
}

/* row = LABEL | EXPRESSION | EXPRESSION ...: one row more */
static int add_row(ws_claims *claims, ws_claims_entry *entry, const figure *f, ws_arena *arena, ws_frame *frame)
{
    ws_claims_entry part[COLUMNS_MOST + 1];
    double value[COLUMNS_MOST];
    size_t n;
    entry->is_used = true;
    int status = ws_claims_split(&claims->file, entry, f->columns + 1, part, &n);
    if (!status && (n != f->columns + 1 || frame->labels != 1))
        status = ws_claims_fail(&entry->place, "expected a label and %zu expressions between bars", f->columns);
    for (size_t k = 0; k < f->columns && !status; k++) {
        const ws_cube *cube;
        status = ws_claims_evaluate(claims, &part[k + 1], arena, &cube);
        if (!status)
            status = find_number(f, ws_claims_cell(cube, NULL, 0), cube, &part[k + 1].place, &value[k]);
    }
    return status ? status : ws_frame_add_row(frame, (const char *const[]){part[0].value}, value);
}

static int read_size(const ws_claims_entry *entry, size_t most, size_t *out)
{
    *out = 0;
    return entry && ws_text_to_size(entry->value, most, out)
               ? ws_claims_fail(&entry->place, "expected a whole number up to %zu, not '%s'", most, entry->value)
               : WS_OK;
}

static int make_frame(ws_claims *claims, ws_claims_section *section, figure *f, ws_arena *arena, ws_frame **out)
{
    ws_claims_rows rows = {.rows = 0};
    int status = ws_claims_find_rows(claims, f->rows, f->where, arena, &rows);
    for (size_t i = 0; i < section->entries && !status; i++)
        if (!strcmp(section->entry[i].key, "column"))
            status = add_column(claims, &section->entry[i], arena, f);
    enum { DIGITS_MOST = 15 };
    const char *name[WS_AXES_MOST];
    size_t axis[WS_AXES_MOST], labels = 0, digits = 0;
    if (!status)
        status = read_size(f->digits, DIGITS_MOST, &digits);
    f->parts = f->digits ? pow(10, (double)digits) : 0;
    if (!status)
        status = find_labels(f, &rows, name, axis, &labels);
    if (status)
        return status;
    ws_frame *frame = ws_frame_create(0, f->columns, labels ? labels : 1, labels ? name : NULL);
    status = frame ? WS_OK : ws_fail(WS_EMEM, "no memory for a figure");
    for (size_t k = 0; k < f->columns && !status; k++)
        status = ws_frame_set_column(frame, k, f->name[k], f->unit_of[k], f->group[k]);
    if (!status)
        status = add_rows(claims, f, &rows, axis, labels, frame);
    for (size_t i = 0; i < section->entries && !status; i++)
        if (!strcmp(section->entry[i].key, "row"))
            status = add_row(claims, &section->entry[i], f, arena, frame);
    if (!status)
        status = ws_claims_check_used(section, keys_text);
    return ws_frame_give(status, frame, out);
}

/* The frame that an entry names; NULL without one. */
static int find_frame(const ws_claims *claims, const ws_claims_entry *entry, const ws_frame **out)
{
    *out = NULL;
    for (size_t i = 0; entry && !*out && i < claims->frames; i++)
        if (!strcmp(claims->frame[i].name, entry->value))
            *out = claims->frame[i].frame;
    return !entry || *out ? WS_OK : ws_claims_fail(&entry->place, "there is no [frame %s]", entry->value);
}

/* frame = NAME: a frame as it is. */
static int pick_frame(ws_claims *claims, ws_claims_section *section, const figure *f, ws_frame **out)
{
    static const char *const keys[] = {"rows", "where", "labels", "unit", "digits", "column", "row"};
    for (size_t k = 0; k < section->entries; k++)
        for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
            if (!strcmp(section->entry[k].key, keys[n]))
                return ws_claims_fail(&section->entry[k].at_key,
                                      "%s = has no effect with frame =, which is drawn unchanged; remove it", keys[n]);
    const ws_frame *frame;
    int status = find_frame(claims, f->frame, &frame);
    if (status)
        return status;
    size_t *const row = malloc((frame->rows + 1) * sizeof *row);
    if (!row)
        return ws_fail(WS_EMEM, "no memory for a figure");
    for (size_t r = 0; r < frame->rows; r++)
        row[r] = r;
    status = ws_claims_check_used(section, keys_text);
    if (!status)
        status = ws_frame_pick_rows(frame, row, frame->rows, out);
    free(row);
    return status;
}

static int read_figure(ws_claims *claims, ws_claims_section *section, figure *f, ws_frame **out)
{
    *out = NULL;
    int status = find_entries(section, f);
    if (status)
        return status;
    if (f->frame)
        return pick_frame(claims, section, f, out);
    ws_arena *const arena = ws_arena_create();
    status = arena ? make_frame(claims, section, f, arena, out) : ws_fail(WS_EMEM, "no memory for a figure");
    ws_arena_destroy(arena);
    return status;
}

int ws_claims_figure_frame(ws_claims *claims, const char *name, ws_frame **out)
{
    ws_claims_section *const section = ws_claims_find_section(claims, "figure", name);
    figure f = {.columns = 0};
    *out = NULL;
    return section ? read_figure(claims, section, &f, out)
                   : ws_fail(WS_ENOTFOUND, "%s: there is no [figure %s]", claims->file.path, name);
}

/* The height at which a tree is cut; NaN: none. */
static int find_cut(ws_claims *claims, const figure *f, double *cut)
{
    *cut = NAN;
    if (!f->cut)
        return WS_OK;
    ws_arena *const arena = ws_arena_create();
    const ws_cube *cube;
    int status = arena ? ws_claims_evaluate(claims, f->cut, arena, &cube) : ws_fail(WS_EMEM, "no memory for a figure");
    if (!status)
        status = find_number(f, ws_claims_cell(cube, NULL, 0), cube, &f->cut->place, cut);
    ws_arena_destroy(arena);
    return status;
}

/* Keys that say something to figures of some kinds alone. */
static int check_options(const figure *f, const ws_figure *kind)
{
    const unsigned uses = ws_figure_uses(kind);
    const bool tree = ws_figure_draws_tree(kind);
    const struct {
        const ws_claims_entry *entry;
        bool is_used;
    } options[] = {{f->top, uses & WS_USE_TOP},
                   {f->limit, uses & WS_USE_STACK},
                   {f->stack, uses & WS_USE_STACK},
                   {f->groups, uses & WS_USE_CUT},
                   {f->tree, tree},
                   {f->cut, tree},
                   {f->heights, tree},
                   {f->variance, uses & WS_USE_SHARES}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].entry && !options[i].is_used)
            return ws_claims_fail(&options[i].entry->at_key, "%s = has no effect on a figure of kind %s",
                                  options[i].entry->key, f->kind->value);
    return WS_OK;
}

static int draw(ws_claims *claims, const ws_claims_section *section, const figure *f, const ws_frame *frame,
                const char *folder)
{
    enum { PIXELS_MOST = 20000, TOP_MOST = 1000 };
    const ws_figure *const kind = ws_figure_find(f->kind->value);
    size_t width, height, top;
    double limit = 0, cut = NAN;
    const ws_frame *groups = NULL, *tree = NULL, *variance = NULL;
    const char *heights = NULL;
    if (!kind)
        return ws_claims_fail(&f->kind->place, "there is no figure '%s' (`warpscape plot --list')", f->kind->value);
    int status = check_options(f, kind);
    if (!status)
        status = read_size(f->width, PIXELS_MOST, &width);
    if (!status)
        status = read_size(f->height, PIXELS_MOST, &height);
    if (!status)
        status = read_size(f->top, TOP_MOST, &top);
    if (!status && f->limit && ws_text_to_double(f->limit->value, strlen(f->limit->value), &limit))
        status = ws_claims_fail(&f->limit->place, "expected a number, not '%s'", f->limit->value);
    if (!status && f->stack && strcmp(f->stack->value, "yes") && strcmp(f->stack->value, "no"))
        status = ws_claims_fail(&f->stack->place, "expected yes or no");
    if (!status)
        status = find_frame(claims, f->groups, &groups);
    if (!status)
        status = find_frame(claims, f->tree, &tree);
    if (!status)
        status = find_frame(claims, f->variance, &variance);
    if (!status)
        status = find_cut(claims, f, &cut);
    if (!status && f->heights)
        status = ws_claims_text(claims, f->heights, &heights);
    if (status)
        return status;
    const ws_plot_request request = {.data = frame,
                                     .title = f->title ? f->title->value : NULL,
                                     .cut = cut,
                                     .x = 0,
                                     .y = 1,
                                     .groups = groups,
                                     .tree = tree,
                                     .tree_axis = heights,
                                     .variance = variance,
                                     .width_px = (unsigned)width,
                                     .height_px = (unsigned)height,
                                     .most = top,
                                     .limit = limit,
                                     .stack = f->stack && !strcmp(f->stack->value, "yes")};
    char *path;
    if (asprintf(&path, "%s/%s-%s.svg", folder, claims->study, section->name) < 0)
        return ws_fail(WS_EMEM, "no memory for a figure");
    status = ws_plot_save(kind, &request, path);
    free(path);
    return status ? ws_fail_context(status, "[figure %s]", section->name) : WS_OK;
}

int ws_claims_draw(ws_claims *claims, const char *folder)
{
    ws_claims_section *section = NULL;
    int status = WS_OK;
    while (!status && (section = ws_claims_next_section(claims, "figure", section))) {
        figure f = {.columns = 0};
        ws_frame *frame;
        status = read_figure(claims, section, &f, &frame);
        if (!status)
            status = draw(claims, section, &f, frame, folder);
        ws_frame_destroy(frame);
    }
    return status;
}
