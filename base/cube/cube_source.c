/* cube_source.c - frames as cubes: which label columns are axes, and where each row is among their labels. */
#include "base/cube/cube_internal.h"

#include "base/status.h"
#include "base/texts.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct label_column {
    const char *of; /* the axis that it describes; NULL: it is one */
    size_t axis;    /* that axis, or its own */
    ws_axis labels;
    size_t *at; /* [rows] of an axis: the label of each row */
    const ws_cube *cube;
} label_column;

struct ws_cube_source {
    ws_arena *arena;
    const char *name;
    const ws_frame *frame;
    label_column *label; /* [frame->labels] */
    ws_axis axis[WS_AXES_MOST];
    size_t axes, cells;
    size_t *row; /* [cells] of the frame, plus 1; 0: none */
    const ws_cube **column;
};

/* Notes "labels of AXIS: NAME NAME...". */
static const char *axis_described_by(const ws_cube_source *s, const char *name)
{
    static const char begin[] = "labels of ";
    for (size_t i = 0; i < s->frame->notes; i++) {
        const char *const note = s->frame->note[i];
        const char *const colon = strchr(note, ':');
        if (strncmp(note, begin, sizeof begin - 1) || !colon)
            continue;
        for (const char *word = colon + 1; *word;) {
            word += strspn(word, " ");
            const size_t length = strcspn(word, " ");
            if (length && length == strlen(name) && !strncmp(word, name, length))
                return ws_arena_strndup(s->arena, note + sizeof begin - 1, (size_t)(colon - note) - sizeof begin + 1);
            word += length;
        }
    }
    return NULL;
}

/* Labels of a column in the order of rows. */
static int number_labels(ws_cube_source *s, size_t l)
{
    const ws_frame *const f = s->frame;
    label_column *const to = &s->label[l];
    ws_texts known = {.count = 0};
    to->at = ws_arena_alloc(s->arena, (f->rows + 1) * sizeof *to->at);
    int status = to->at ? WS_OK : ws_fail(WS_EMEM, "no memory for labels");
    for (size_t i = 0; i < f->rows && !status; i++)
        status = ws_texts_put(&known, f->label[i * f->labels + l], &to->at[i]);
    const char **const label = ws_arena_alloc(s->arena, (known.count + 1) * sizeof *label);
    if (!status && !label)
        status = ws_fail(WS_EMEM, "no memory for labels");
    if (!status && known.count)
        memcpy(label, known.text, known.count * sizeof *label);
    to->labels = (ws_axis){.name = f->label_names[l], .label = label, .labels = known.count};
    ws_texts_fini(&known);
    return status;
}

static int find_axes(ws_cube_source *s)
{
    const ws_frame *const f = s->frame;
    s->cells = 1;
    for (size_t l = 0; l < f->labels; l++) {
        label_column *const label = &s->label[l];
        label->of = axis_described_by(s, f->label_names[l]);
        const int status = number_labels(s, l);
        if (status || label->of) {
            if (status)
                return status;
            continue;
        }
        if (s->axes == WS_AXES_MOST)
            return ws_fail(WS_ELIMIT, "%s: more than %d labels are axes", s->name, WS_AXES_MOST);
        if (__builtin_mul_overflow(s->cells, label->labels.labels, &s->cells) || s->cells > WS_CUBE_CELLS_MOST)
            return ws_fail(WS_ELIMIT, "%s: its axes have more than %d combinations of labels", s->name,
                           WS_CUBE_CELLS_MOST);
        label->axis = s->axes;
        s->axis[s->axes++] = label->labels;
    }
    return WS_OK;
}

static int place_rows(ws_cube_source *s)
{
    const ws_frame *const f = s->frame;
    s->row = ws_arena_alloc(s->arena, (s->cells + 1) * sizeof *s->row);
    if (!s->row)
        return ws_fail(WS_EMEM, "%s: no memory for its cells", s->name);
    for (size_t i = 0; i < f->rows; i++) {
        size_t at = 0;
        for (size_t l = 0; l < f->labels; l++)
            if (!s->label[l].of)
                at = at * s->label[l].labels.labels + s->label[l].at[i];
        if (s->row[at]) {
            char name[200];
            ws_frame_row_name(f, i, name, sizeof name);
            return ws_fail(WS_EINPUT, "%s: rows %zu and %zu have the same labels (%s); expected one row for each",
                           s->name, s->row[at], i + 1, name);
        }
        s->row[at] = i + 1;
    }
    return WS_OK;
}

static ws_cube *bare_cube(ws_cube_source *s, ws_cube_kind kind, const char *name, const ws_axis *axis, size_t axes,
                          size_t cells)
{
    ws_cube *const cube = ws_arena_alloc(s->arena, sizeof *cube);
    ws_cell *const cell = cube ? ws_arena_alloc(s->arena, (cells + 1) * sizeof *cell) : NULL;
    if (!cell)
        return NULL;
    *cube = (ws_cube){.kind = kind, .name = name, .axes = axes, .cells = cells, .cell = cell};
    memcpy(cube->axis, axis, axes * sizeof *axis);
    return cube;
}

/* A text for each label of the axis that is described. */
static int describe(ws_cube_source *s, size_t l)
{
    const ws_frame *const f = s->frame;
    label_column *const label = &s->label[l];
    const long of = ws_frame_find_label(f, label->of);
    if (of < 0 || s->label[of].of)
        return ws_fail(WS_EINPUT, "%s: labels of %s: there is no such axis", s->name, label->of);
    label->axis = s->label[of].axis;
    ws_cube *const cube =
        bare_cube(s, WS_CUBE_TEXTS, label->labels.name, &s->axis[label->axis], 1, s->label[of].labels.labels);
    if (!cube)
        return ws_fail(WS_EMEM, "no memory for labels");
    for (size_t i = 0; i < f->rows; i++) {
        ws_cell *const cell = &cube->cell[s->label[of].at[i]];
        const char *const text = f->label[i * f->labels + l];
        if (cell->text && strcmp(cell->text, text))
            return ws_fail(WS_EINPUT, "%s: %s=%s is both %s=%s and %s; expected one", s->name, label->of,
                           f->label[i * f->labels + (size_t)of], label->labels.name, cell->text, text);
        cell->text = text;
    }
    label->cube = cube;
    return WS_OK;
}

int ws_cube_source_create(ws_arena *arena, const char *name, const ws_frame *frame, ws_cube_source **out)
{
    ws_cube_source *const s = ws_arena_alloc(arena, sizeof *s);
    *out = s;
    if (!s)
        return ws_fail(WS_EMEM, "no memory for a frame");
    *s = (ws_cube_source){.arena = arena, .name = name, .frame = frame};
    s->label = ws_arena_alloc(arena, (frame->labels + 1) * sizeof *s->label);
    s->column = ws_arena_alloc(arena, (frame->columns + 1) * sizeof *s->column);
    int status = s->label && s->column ? find_axes(s) : ws_fail(WS_EMEM, "no memory for a frame");
    if (!status)
        status = place_rows(s);
    for (size_t l = 0; l < frame->labels && !status; l++)
        if (s->label[l].of)
            status = describe(s, l);
    return status;
}

const char *ws_cube_source_name(const ws_cube_source *source)
{
    return source->name;
}

const ws_frame *ws_cube_source_frame(const ws_cube_source *source)
{
    return source->frame;
}

bool ws_cube_source_has(const ws_cube_source *source, const char *name)
{
    return ws_frame_find_column(source->frame, name) >= 0 || ws_frame_find_label(source->frame, name) >= 0;
}

const ws_cube *ws_cube_source_description(const ws_cube_source *source, const char *name)
{
    const long l = ws_frame_find_label(source->frame, name);
    return l >= 0 && source->label[l].of ? source->label[l].cube : NULL;
}

static const ws_cube *labels_as_texts(ws_cube_source *s, size_t l)
{
    label_column *const label = &s->label[l];
    if (label->cube)
        return label->cube;
    ws_cube *const cube = bare_cube(s, WS_CUBE_TEXTS, label->labels.name, &label->labels, 1, label->labels.labels);
    for (size_t i = 0; cube && i < label->labels.labels; i++)
        cube->cell[i].text = label->labels.label[i];
    return label->cube = cube;
}

static const ws_cube *column_as_numbers(ws_cube_source *s, size_t column)
{
    const ws_frame *const f = s->frame;
    if (s->column[column])
        return s->column[column];
    ws_cube *const cube = bare_cube(s, WS_CUBE_NUMBERS, f->column[column].name, s->axis, s->axes, s->cells);
    for (size_t c = 0; cube && c < s->cells; c++) {
        const double value = s->row[c] ? f->value[(s->row[c] - 1) * f->columns + column] : NAN;
        if (isfinite(value))
            cube->cell[c].number = value;
        else
            ws_cube_empty(cube, c);
    }
    return s->column[column] = cube;
}

int ws_cube_source_find(ws_cube_source *source, const char *name, const ws_cube **out)
{
    const long column = ws_frame_find_column(source->frame, name);
    const long label = column < 0 ? ws_frame_find_label(source->frame, name) : -1;
    *out = NULL;
    if (column < 0 && label < 0)
        return WS_OK;
    *out = column >= 0 ? column_as_numbers(source, (size_t)column) : labels_as_texts(source, (size_t)label);
    return *out ? WS_OK : ws_fail(WS_EMEM, "no memory for column %s", name);
}
