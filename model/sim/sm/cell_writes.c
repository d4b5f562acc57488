/* cell_writes.c - see cell_writes.h. */
#include "model/sim/sm/cell_writes.h"

#include "base/bits.h"
#include "collect/trace/changed_bits.h"

bool ws_cells_change(const ws_value *value)
{
    uint64_t change = 0;
    if (!value)
        return true;
    WS_EACH_LANE (lane, value->exec)
        change |= value->before[lane] ^ value->after[lane];
    return change != 0;
}

uint64_t ws_cells_written(const ws_cells *c, const ws_value *value)
{
    ws_changed_bits sum = {0};
    if (!ws_cells_look(c))
        return (uint64_t)value->bytes * 8 * ws_popcount(value->exec);
    ws_changed_bits_add(&sum, value);
    return sum.written[c->early ? 0 : __builtin_ctz(c->width)];
}

uint64_t ws_cells_cycles(const ws_cells *c, uint64_t read, uint64_t write, bool change)
{
    if (!ws_cells_look(c))
        return write;
    if (!change)
        return read; /* what is there was seen: as long as a read takes */
    return c->width ? read + write : write;
}
