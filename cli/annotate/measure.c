/* measure.c - see measure.h. */
#include "cli/annotate/measure.h"

#include <math.h>
#include <string.h>

const ws_measure_about ws_measure_table[WS_MEASURES] = {
#define MEASURE(name, unit, heading, form, value, definition) {#name, unit, heading, form, definition},
#include "cli/annotate/measures.def"
#undef MEASURE
};

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : NAN;
}

void ws_measures(const ws_line_sums *s, const ws_line_sums *all, double value[WS_MEASURES])
{
    const double values[WS_MEASURES] = {
#define MEASURE(name, unit, heading, form, value, definition) value,
#include "cli/annotate/measures.def"
#undef MEASURE
    };
    memcpy(value, values, sizeof values);
}
