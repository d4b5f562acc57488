/* cell_writes.h - effect of a write on cells that are slow to write: changed bits, written bits, duration. */
#ifndef WS_CELL_WRITES_H
#define WS_CELL_WRITES_H

#include "collect/trace/event.h"
#include "model/machine/cells.h"

/* Returns whether an active lane changes a bit. NULL: unknown, hence true. */
bool ws_cells_change(const ws_value *value);
/* Returns the bits written for the value in all its lanes. */
uint64_t ws_cells_written(const ws_cells *c, const ws_value *value);
/* Returns the cycles that a write occupies its bank, from the `read` and `write` cycles of the memory and whether bits
 * change. */
uint64_t ws_cells_cycles(const ws_cells *c, uint64_t read, uint64_t write, bool change);

#endif
