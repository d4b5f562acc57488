/* cell_writes.h - what a write does to the cells of a memory that is slow to write: which of them change, how many are
 * written, and for how long. */
#ifndef WS_CELL_WRITES_H
#define WS_CELL_WRITES_H

#include "collect/trace/event.h"
#include "model/machine/cells.h"

/* Does a lane that takes part change a bit? NULL: nobody knows, so it may. */
bool ws_cells_change(const ws_value *value);
/* Bits that are written of what the value says, in all its lanes. */
uint64_t ws_cells_written(const ws_cells *c, const ws_value *value);
/* For how long a write keeps its place: `read` and `write` cycles of the memory, a change or none. */
uint64_t ws_cells_cycles(const ws_cells *c, uint64_t read, uint64_t write, bool change);

#endif
