/* family.c - sums that a family keeps under the names of its counters: see family.h. */
#include "metrics/family.h"

static uint64_t combined(ws_combine how, uint64_t a, uint64_t b)
{
    switch (how) {
    case WS_MAX:
        return a > b ? a : b;
    case WS_MIN:
        return a < b ? a : b;
    case WS_SUM:
    default:
        return a + b;
    }
}

void ws_family_join(const ws_counter *table, uint64_t *into, const uint64_t *from)
{
    for (; table->name; table++)
        for (unsigned i = 0; i < table->count; i++, into++)
            *into = combined(table->combine, *into, *from++);
}

void ws_family_tell(const ws_counter *table, const uint64_t *counts, double *counter)
{
    for (; table->name; table++)
        for (unsigned i = 0; i < table->count; i++)
            *counter++ = (double)*counts++;
}
