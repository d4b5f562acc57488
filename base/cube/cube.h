/* cube.h - labelled arrays of numbers, conditions or texts over named axes, aligned by the names of labels.
 *
 * A cell holds a value or a gap. A gap is empty (no row of the frame, NA, a quotient by 0) or left out (by a
 * selection). A result computed from an empty cell is empty; one computed from a left-out cell is left out. Sums, means
 * and other reductions skip left-out cells, and are empty if any remaining cell is empty.
 *
 * Cubes are aligned by their axes. An axis that one cube lacks is repeated. A label without a partner gives empty
 * cells, or left-out cells if a selection removed it from the other axis. */
#ifndef WS_CUBE_H
#define WS_CUBE_H

#include "base/arena.h"
#include "base/frame.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_cube ws_cube;

typedef struct ws_cell {
    union {
        double number; /* condition: 0 or 1 */
        const char *text;
        size_t origin; /* with a gap: number of the cell in `gap` that was empty first */
    };
    const ws_cube *gap; /* NULL: the cell has a value; ws_cube_left_out; or the cube in which a cell was empty first */
} ws_cell;

typedef enum ws_cube_kind { WS_CUBE_NUMBERS, WS_CUBE_CONDITIONS, WS_CUBE_TEXTS } ws_cube_kind;

typedef struct ws_axis {
    const char *name;
    const char *const *label; /* [labels], all different */
    size_t labels;
    bool is_part; /* labels were selected; all other labels are left out */
} ws_axis;

enum { WS_AXES_MOST = 8 };
struct ws_cube {
    ws_cube_kind kind;
    const char *name; /* name in messages */
    size_t axes;
    ws_axis axis[WS_AXES_MOST];
    size_t cells;  /* product of the numbers of labels; 1 without axes */
    ws_cell *cell; /* [cells]; the last axis varies fastest */
};

extern const ws_cube ws_cube_left_out;

/* Returns the number of a label on an axis, or -1. */
long ws_axis_find(const ws_axis *axis, const char *label);

/* Source of cubes over one frame. Label columns of the frame are axes, in their order, with labels in the order of
 * rows. Two rows with the same labels are WS_EINPUT.
 *
 * A note "labels of AXIS: NAME NAME..." says that these label columns describe labels of AXIS and are not axes. Each
 * label then has one text per such column, else WS_EINPUT. Returns WS_ELIMIT for more than WS_AXES_MOST axes or
 * WS_CUBE_CELLS_MOST cells. Cubes borrow the frame and live in the arena. `name` is for messages. */
typedef struct ws_cube_source ws_cube_source;
enum { WS_CUBE_CELLS_MOST = 1 << 22 };
int ws_cube_source_create(ws_arena *arena, const char *name, const ws_frame *frame, ws_cube_source **out);

#endif
