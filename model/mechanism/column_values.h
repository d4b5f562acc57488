/* column_values.h - value[COLUMNS] of a row of the table WS_COLUMNS (column_names.h), from what the function that
 * includes this has under the names that the table says. */
const double value[COLUMNS] = {
#define COLUMN(name, unit, value) (double)(value),
#include WS_COLUMNS
#undef COLUMN
};
