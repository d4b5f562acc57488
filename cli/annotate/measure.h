/* measure.h - measures of a line, computed from its sums: rows of measures.def. */
#ifndef WS_MEASURE_H
#define WS_MEASURE_H

#include "cli/annotate/line_table.h"

typedef enum ws_measure {
#define MEASURE(name, unit, heading, form, value, definition) WS_MEASURE_##name,
#include "cli/annotate/measures.def"
#undef MEASURE
    WS_MEASURES
} ws_measure;

typedef struct ws_measure_about {
    const char *name, *unit, *heading, *form, *definition;
} ws_measure_about;
extern const ws_measure_about ws_measure_table[WS_MEASURES];

/* Computes all measures; NaN where a measure is undefined for the sums. */
void ws_measures(const ws_line_sums *sums, const ws_line_sums *all, double value[WS_MEASURES]);

#endif
