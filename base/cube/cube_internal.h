/* cube_internal.h - what is done with cubes, between the files of this folder.
 *
 * All of it lives in the arena of `work`. Failures are recorded without a place; the evaluator knows that. */
#ifndef WS_CUBE_INTERNAL_H
#define WS_CUBE_INTERNAL_H

#include "base/cube/cube.h"

/* Memory of an evaluation, and how much work it may still do: cells made, and nodes seen. */
typedef struct ws_cube_work {
    ws_arena *arena;
    size_t *cells_left, *nodes_left;
} ws_cube_work;

static inline bool ws_cell_is_out(const ws_cell *cell)
{
    return cell->gap == &ws_cube_left_out;
}
static inline bool ws_cell_is_empty(const ws_cell *cell)
{
    return cell->gap && !ws_cell_is_out(cell);
}

/* A cube of that shape whose cells are to be filled. WS_ELIMIT, WS_EMEM. */
int ws_cube_new(const ws_cube_work *work, ws_cube_kind kind, const char *name, const ws_axis *axis, size_t axes,
                ws_cube **out);
int ws_cube_scalar(const ws_cube_work *work, ws_cube_kind kind, const char *name, ws_cell cell, const ws_cube **out);

/* The cell becomes one without a value, of which messages say that it was first missing in `cube`. */
void ws_cube_empty(ws_cube *cube, size_t cell);

/* The axis of that name, or -1. */
long ws_cube_find_axis(const ws_cube *cube, const char *name);

/* Where a cell is along the axis, and the next one of it. */
size_t ws_cube_step(const ws_cube *cube, size_t axis);

/* "run=K4, workload=BH", cut at size; "" for a cube without axes. */
void ws_cube_where(const ws_cube *cube, size_t cell, char *text, size_t size);

/* WS_ENUMERIC: says why a cell that is needed has no value. */
int ws_cube_fail_gap(const ws_cell *cell);

/* Repeats and aligns n cubes to one shape; out[i] has the kind and name of in[i]. */
int ws_cube_match(const ws_cube_work *work, const ws_cube *const *in, size_t n, const ws_cube **out);

/* The same for their axes alone. */
int ws_cube_match_axes(const ws_cube_work *work, const ws_cube *const *in, size_t n, ws_axis *axis, size_t *axes);

/* Labels label[n] of an axis, in this order, as a part of it. */
int ws_cube_take(const ws_cube_work *work, const ws_cube *cube, size_t axis, const size_t *label, size_t n,
                 const ws_cube **out);
/* For each cell of `text` the cell at the label that it names; the axis goes, those of `text` come. */
int ws_cube_point(const ws_cube_work *work, const ws_cube *cube, size_t axis, const ws_cube *text, const ws_cube **out);
/* Cells for which the condition is false are left out. */
int ws_cube_mask(const ws_cube_work *work, const ws_cube *cube, const ws_cube *condition, const ws_cube **out);

/* Texts become the numbers that they are; one that is none is empty. Numbers and conditions stay. */
int ws_cube_to_numbers(const ws_cube_work *work, const ws_cube *cube, const ws_cube **out);
/* Each value by the format: text with one conversion of printf (d, e, f, g, s), "%%" for a percent sign. NULL: %.6g.
 * WS_EINPUT for another format. */
int ws_cube_to_texts(const ws_cube_work *work, const ws_cube *cube, const char *format, const ws_cube **out);

/* What a group of cells, those along some axes, is reduced to. Called with cells that all have values; `at` are their
 * numbers in the cube. Writes the cell, or leaves it empty and returns false. */
typedef struct ws_reduction {
    const ws_cube *of[2]; /* the second: of two cubes of one shape */
    const ws_cell *const *group[2];
    const size_t *at;
    size_t n;
    const size_t *over; /* [overs] axes that go */
    size_t overs;
    const ws_cube_work *work;
    const void *context;
} ws_reduction;
typedef bool ws_cube_reducer(const ws_reduction *group, ws_cell *to);

/* Reduces one cube, or two of one shape (n is 2), along the axes named, or all. The result has the kind. WS_EINPUT for
 * an axis that it lacks. */
int ws_cube_reduce(const ws_cube_work *work, const ws_cube *const *cube, size_t n, const char *const *over,
                   size_t overs, ws_cube_kind kind, const char *name, ws_cube_reducer *reduce, const void *context,
                   const ws_cube **out);

/* Groups of cells along axes, for what has the shape of the cube: calls `each` with the cells of each group that are
 * not left out, and fills `to`, which has that shape. */
typedef void ws_cube_group(const ws_cube *cube, const size_t *at, size_t n, ws_cube *to);
int ws_cube_groups(const ws_cube_work *work, const ws_cube *cube, const char *const *over, size_t overs,
                   const char *name, ws_cube_group *each, const ws_cube **out);

/* ------------------------------------------------------------------------------------------------ of frames */

const char *ws_cube_source_name(const ws_cube_source *source);
const ws_frame *ws_cube_source_frame(const ws_cube_source *source);
/* A column, the labels of an axis as texts, or what describes those: *out is NULL if the name is none of these. */
int ws_cube_source_find(ws_cube_source *source, const char *name, const ws_cube **out);
bool ws_cube_source_has(const ws_cube_source *source, const char *name);
/* Its text for a label of the axis that it describes, as a cube over that axis; NULL if it is none. */
const ws_cube *ws_cube_source_description(const ws_cube_source *source, const char *name);

#endif
