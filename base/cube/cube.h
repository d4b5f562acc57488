/* cube.h - labelled arrays: numbers, conditions or texts over named axes, aligned by the names of their labels.
 *
 * A cell holds a value, or it has a gap: it is empty (no row of the frame, NA, a quotient by 0) or left out (by a
 * selection). What is computed from an empty cell is empty; what is computed from one that is left out is left out.
 * Sums, means and the like pass over cells that are left out, and are empty themselves if any other cell is.
 *
 * Two cubes are aligned by their axes: an axis that one lacks is repeated; where labels differ, a label without a
 * partner gives empty cells, or is left out if the other axis is part of one that was selected from. */
#ifndef WS_CUBE_H
#define WS_CUBE_H

#include "base/arena.h"
#include "base/frame.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_cube ws_cube;

typedef struct ws_cell {
    union {
        double number; /* conditions: 0 or 1 */
        const char *text;
        size_t origin; /* with a gap: the cell of that cube which had none */
    };
    const ws_cube *gap; /* NULL: it has a value; ws_cube_left_out; or the cube in which a cell was empty first */
} ws_cell;

typedef enum ws_cube_kind { WS_CUBE_NUMBERS, WS_CUBE_CONDITIONS, WS_CUBE_TEXTS } ws_cube_kind;

typedef struct ws_axis {
    const char *name;
    const char *const *label; /* [labels], all different */
    size_t labels;
    bool is_part; /* labels were selected: others than these are left out */
} ws_axis;

enum { WS_AXES_MOST = 8 };
struct ws_cube {
    ws_cube_kind kind;
    const char *name; /* what messages call it */
    size_t axes;
    ws_axis axis[WS_AXES_MOST];
    size_t cells;  /* the product of labels: 1 without axes */
    ws_cell *cell; /* [cells], the last axis runs fastest */
};

extern const ws_cube ws_cube_left_out;

/* The number of a label on an axis, or -1. */
long ws_axis_find(const ws_axis *axis, const char *label);

/* A frame as cubes. Its label columns are axes, in their order, with labels in the order of rows; two rows with the
 * same labels are WS_EINPUT. A note "labels of AXIS: NAME NAME..." says that these label columns describe labels of
 * AXIS and are no axes; a label of it then has one text each (WS_EINPUT). WS_ELIMIT for more than WS_AXES_MOST axes or
 * WS_CUBE_CELLS_MOST cells. Cubes borrow the frame and live in the arena. `name` is for messages. */
typedef struct ws_cube_source ws_cube_source;
enum { WS_CUBE_CELLS_MOST = 1 << 22 };
int ws_cube_source_create(ws_arena *arena, const char *name, const ws_frame *frame, ws_cube_source **out);

#endif
