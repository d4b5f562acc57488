/* shape.h - approximation of the machine code that an assembler generates from a kernel's PTX: removed and expanded
 * instructions, and register use. GPUs do not execute PTX; timing it directly counts moves that are never executed, and
 * divisions as one step. A shape is a second table of instructions for the same launch, with the place of each PTX
 * instruction in it.
 *
 * Each transformation is a row of shape.def. To replay PTX events through a shape, collect the events of a region and
 * execute its replacement: record/simulate/shaped_source.c. */
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

/* Parses comma-separated names, among them "all", into *rows: bits 1 << WS_SHAPE_NAME. WS_EINPUT lists the names. */
int ws_shape_parse(const char *names, uint32_t *rows);
const char *ws_shape_name(ws_shape_row row);

/* PTX instructions that a warp executes from first to last, and their replacement, in any order. Only the last one may
 * branch, wait, or have effects visible in order. */
typedef struct ws_shape_region {
    uint32_t first_pc, end_pc; /* in the PTX */
    uint32_t first, end;       /* in the shaped table */
} ws_shape_region;

/* Origin of an instruction of the shaped table. */
typedef struct ws_shape_origin {
    uint32_t pc;  /* in the PTX */
    bool is_main; /* has the effect of the PTX instruction: accesses memory, branches or waits; the others only compute
                   */
    bool is_wide; /* replaces itself and the joined instructions behind it, if all of them load and the address is
                     aligned; */
    bool is_joined; /* ... otherwise the joined ones execute */
    uint32_t
        over; /* index + 1 of a removed PTX branch: warps that take it also issue this, with no active lane; 0: none */
} ws_shape_origin;

typedef struct ws_shape {
    ws_launch launch; /* the shaped kernel: instr, instrs, registers; the rest is that of the original launch */
    const ws_shape_region *region;
    size_t regions;
    const uint32_t *region_of;     /* [PTX instrs] */
    const ws_shape_origin *origin; /* [instrs] */
    uint32_t longest;              /* largest number of PTX instructions in a region */
    void *owned;
} ws_shape;

/* WS_EUNSUPPORTED: the launch lacks operands (SASS, a trace of an older format). The shape may outlive the launch, but
 * not its strings. */
int ws_shape_create(const ws_launch *launch, uint32_t rows, ws_shape **out);
void ws_shape_destroy(ws_shape *shape); /* accepts NULL */

#endif
