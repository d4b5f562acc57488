/* shape.h - what would an assembler make of a kernel's PTX: which instructions are left, which become several, and how many
 * registers do they need? PTX is not what a GPU executes; timing it instruction by instruction counts moves that nobody makes and
 * divisions as one step. A shape is another table of instructions for the same launch, and where in it each PTX instruction went.
 *
 * Each transformation is a row of shape.def. Who runs events of PTX through a shape translates them by `first` (ws_shape_steps). */
#ifndef WS_SHAPE_H
#define WS_SHAPE_H

#include "collect/trace/event.h"

typedef enum ws_shape_row {
#define SHAPE(name, what) WS_SHAPE_##name,
#include "collect/shape/shape.def"
#undef SHAPE
    WS_SHAPE_ROWS
} ws_shape_row;

enum { WS_SHAPE_ALL = (1 << WS_SHAPE_ROWS) - 1 };

/* Names separated by commas, "all" among them; *rows has a bit for each row, 1 << WS_SHAPE_NAME. WS_EINPUT lists the names. */
int ws_shape_parse(const char *names, uint32_t *rows);
const char *ws_shape_name(ws_shape_row row);
const char *ws_shape_meaning(ws_shape_row row);

typedef struct ws_shape {
    ws_launch launch;      /* of the shaped kernel: instr, instrs, registers; the rest is that of the launch it was made of */
    const uint32_t *first; /* [PTX instrs + 1] of a PTX instruction, the first of those that it became; the next one's says where they end */
    const bool *keeps;     /* [PTX instrs] the last of these still accesses memory, branches or waits as the PTX instruction did */
    void *owned;
} ws_shape;

/* WS_EUNSUPPORTED: the launch does not say what its operands are (SASS, a trace of an older format). The launch may go before the
 * shape, its strings may not. */
int ws_shape_create(const ws_launch *launch, uint32_t rows, ws_shape **out);
void ws_shape_destroy(ws_shape *shape); /* accepts NULL */

#endif
