/* cells.c - see cells.h. */
#include "model/sim/sm/cells.h"

#include "base/bits.h"
#include "base/status.h"
#include "collect/trace/changed_bits.h"

#include <stdio.h>
#include <string.h>

int ws_cells_check(const char *section, uint64_t width, uint64_t early)
{
    if (width && WS_CELLS_WORD % width)
        return ws_fail(WS_EINPUT,
                       "%s.width = %llu: arrays of %llu bits do not make up a word of %d: 1, 2, 4, 8, 16 or 32, or 0 "
                       "for whole writes",
                       section, (unsigned long long)width, (unsigned long long)width, WS_CELLS_WORD);
    return width && early ? ws_fail(WS_EINPUT,
                                    "%s.ewt = 1: writes that end early do not read first, as %s.width = %llu does: "
                                    "give one of the two",
                                    section, section, (unsigned long long)width)
                          : WS_OK;
}

void ws_cells_name(ws_cells_form *form, const char *organisation)
{
    *form = (ws_cells_form){0};
    snprintf(form->organisation, sizeof form->organisation, "%s", organisation);
}

void ws_cells_add(ws_cells_form *form, const char *option, uint64_t value)
{
    const size_t used = strlen(form->organisation);
    if (value)
        snprintf(form->organisation + used, sizeof form->organisation - used, "%c%s=%llu",
                 strchr(form->organisation, ':') ? ',' : ':', option, (unsigned long long)value);
}

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
