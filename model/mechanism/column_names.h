/* column_names.h - columns[COLUMNS] of the table WS_COLUMNS, a file of COLUMN( name, unit, value ). The model that
 * prints the table defines WS_COLUMNS, then includes this; values of a row: column_values.h. */
static const ws_frame_column columns[] = {
#define COLUMN(name, unit, value) {#name, unit},
#include WS_COLUMNS
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns };
