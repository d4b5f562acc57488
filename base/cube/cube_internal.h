/* cube_internal.h - operations on cubes, shared by the files of this folder.
 *
 * Results live in the arena of `work`. Failures are recorded without a place; the evaluator adds the place. */
#ifndef WS_CUBE_INTERNAL_H
#define WS_CUBE_INTERNAL_H

#include "base/cube/cube.h"

/* Memory of an evaluation, and its remaining budget: cells to create and nodes to visit. */
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

/* Creates a cube of this shape; the caller fills its cells. Returns WS_ELIMIT or WS_EMEM on failure. */
int ws_cube_new(const ws_cube_work *work, ws_cube_kind kind, const char *name, const ws_axis *axis, size_t axes,
                ws_cube **out);
int ws_cube_scalar(const ws_cube_work *work, ws_cube_kind kind, const char *name, ws_cell cell, const ws_cube **out);

/* Makes the cell empty; messages name `cube` as the place where the value was first missing. */
void ws_cube_empty(ws_cube *cube, size_t cell);

/* Returns the number of the axis with that name, or -1. */
long ws_cube_find_axis(const ws_cube *cube, const char *name);

/* Returns the distance, in cells, between neighbours along an axis. */
size_t ws_cube_step(const ws_cube *cube, size_t axis);

/* Writes the labels of a cell, as "run=K4, workload=BH", cut at size; "" for a cube without axes. */
void ws_cube_where(const ws_cube *cube, size_t cell, char *text, size_t size);

/* Records why a cell has no value although one is needed. Returns WS_ENUMERIC. */
int ws_cube_fail_gap(const ws_cell *cell);

/* Repeats and aligns n cubes to one shape; out[i] has the kind and name of in[i]. */
int ws_cube_match(const ws_cube_work *work, const ws_cube *const *in, size_t n, const ws_cube **out);

/* Aligns only the axes of n cubes, as ws_cube_match. */
int ws_cube_match_axes(const ws_cube_work *work, const ws_cube *const *in, size_t n, ws_axis *axis, size_t *axes);

/* Selects labels label[n] of an axis, in this order, as a part of the axis. */
int ws_cube_take(const ws_cube_work *work, const ws_cube *cube, size_t axis, const size_t *label, size_t n,
                 const ws_cube **out);
/* Selects, for each cell of `text`, the cell at the label that it names. The result loses `axis` and gains the axes of
 * `text`. */
int ws_cube_point(const ws_cube_work *work, const ws_cube *cube, size_t axis, const ws_cube *text, const ws_cube **out);
/* Leaves out the cells for which the condition is false. */
int ws_cube_mask(const ws_cube_work *work, const ws_cube *cube, const ws_cube *condition, const ws_cube **out);

/* Converts texts to numbers; a text that is not a number becomes empty. Numbers and conditions stay unchanged. */
int ws_cube_to_numbers(const ws_cube_work *work, const ws_cube *cube, const ws_cube **out);
/* Formats each value: text with one conversion of printf (d, e, f, g, s), "%%" for a percent sign. A NULL format means
 * %.6g. Returns WS_EINPUT for any other format. */
int ws_cube_to_texts(const ws_cube_work *work, const ws_cube *cube, const char *format, const ws_cube **out);

/* Reduction of one group of cells along some axes to one cell. All cells of the group have values; `at` holds their
 * numbers in the cube. The reducer writes the cell, or leaves it empty and returns false. */
typedef struct ws_reduction {
    const ws_cube *of[2]; /* the cubes; the second is NULL unless two cubes of one shape are reduced */
    const ws_cell *const *group[2];
    const size_t *at;
    size_t n;
    const size_t *over; /* [overs] axes that are reduced */
    size_t overs;
    const ws_cube_work *work;
    const void *context;
} ws_reduction;
typedef bool ws_cube_reducer(const ws_reduction *group, ws_cell *to);

/* Reduces one cube, or two of one shape (n is 2), along the named axes, or along all. The result has kind `kind`.
 * Returns WS_EINPUT for an axis that the cube lacks. */
int ws_cube_reduce(const ws_cube_work *work, const ws_cube *const *cube, size_t n, const char *const *over,
                   size_t overs, ws_cube_kind kind, const char *name, ws_cube_reducer *reduce, const void *context,
                   const ws_cube **out);

/* Applies `each` to each group of cells along the axes, without left-out cells. `each` fills `to`, which has the shape
 * of the cube. */
typedef void ws_cube_group(const ws_cube *cube, const size_t *at, size_t n, ws_cube *to);
int ws_cube_groups(const ws_cube_work *work, const ws_cube *cube, const char *const *over, size_t overs,
                   const char *name, ws_cube_group *each, const ws_cube **out);

/* ------------------------------------------------------------------------------------------------ frames */

const char *ws_cube_source_name(const ws_cube_source *source);
const ws_frame *ws_cube_source_frame(const ws_cube_source *source);
/* Finds a column, an axis (as texts of its labels), or a description of labels. Any other name sets *out to NULL. */
int ws_cube_source_find(ws_cube_source *source, const char *name, const ws_cube **out);
bool ws_cube_source_has(const ws_cube_source *source, const char *name);
/* Returns a description of the labels of an axis as a cube over that axis, or NULL if `name` is not a description. */
const ws_cube *ws_cube_source_description(const ws_cube_source *source, const char *name);

#endif
