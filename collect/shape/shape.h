/* shape.h - what would an assembler make of a kernel's PTX: which instructions are left, which become several, and how
 * many registers do they need? PTX is not what a GPU executes; timing it instruction by instruction counts moves that
 * nobody makes and divisions as one step. A shape is another table of instructions for the same launch, and where in it
 * each PTX instruction went.
 *
 * Each transformation is a row of shape.def. Who runs events of PTX through a shape collects those of a region, and
 * then does what stands in its place: record/simulate/shaped_source.c. */
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

/* Names separated by commas, "all" among them; *rows has a bit for each row, 1 << WS_SHAPE_NAME. WS_EINPUT lists the
 * names. */
int ws_shape_parse(const char *names, uint32_t *rows);
const char *ws_shape_name(ws_shape_row row);

/* PTX instructions that a warp passes from the first to the last, and what they became, in whatever order. Only the
 * last may branch, wait, or do what others must see in order. */
typedef struct ws_shape_region {
    uint32_t first_pc, end_pc; /* PTX */
    uint32_t first, end;       /* of the shaped table */
} ws_shape_region;

/* Where an instruction of the shaped table comes from. */
typedef struct ws_shape_origin {
    uint32_t pc;    /* PTX */
    bool is_main;   /* does what the PTX instruction did: accesses memory, branches, waits; the others only compute */
    bool is_wide;   /* does what this and those behind it that are joined do, where they all load and the address allows
                       it; */
    bool is_joined; /* ... else these do it */
    uint32_t over;  /* number + 1 of a PTX branch that is gone: who took it issues this, too, for no lane; 0: none */
} ws_shape_origin;

typedef struct ws_shape {
    ws_launch
        launch; /* of the shaped kernel: instr, instrs, registers; the rest is that of the launch it was made of */
    const ws_shape_region *region;
    size_t regions;
    const uint32_t *region_of;     /* [PTX instrs] */
    const ws_shape_origin *origin; /* [instrs] */
    uint32_t longest;              /* PTX instructions of a region, at most */
    void *owned;
} ws_shape;

/* WS_EUNSUPPORTED: the launch does not say what its operands are (SASS, a trace of an older format). The launch may go
 * before the shape, its strings may not. */
int ws_shape_create(const ws_launch *launch, uint32_t rows, ws_shape **out);
void ws_shape_destroy(ws_shape *shape); /* accepts NULL */

#endif
