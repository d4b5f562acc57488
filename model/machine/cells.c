/* cells.c - see cells.h. */
#include "model/machine/cells.h"

#include "base/status.h"

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
