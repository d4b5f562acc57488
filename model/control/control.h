/* control.h - configuration of a server on renewable energy, from data/control and a user's file.
 *
 * Source: Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies (2013),
 * chapter 5. docs/chameleon.md lists its open points and the choices made here. */
#ifndef WS_CONTROL_H
#define WS_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

enum { WS_CONTROL_LEVELS = 16, WS_CONTROL_MODES = 8, WS_CONTROL_NAME = 24 };

/* Value of ws_mode.level or .least for the word "nominal" in files: the current ws_control.chip_nominal_level. */
enum { WS_CONTROL_NOMINAL = WS_CONTROL_LEVELS + 1 };

/* Level of voltage and frequency; the nominal one is ws_control.chip_nominal_level. */
typedef struct ws_level {
#define LEVEL(name, unit, least, most, meaning) double name;
#define MODE(name, least, most, meaning)
#include "model/control/control_rows.def"
#undef LEVEL
#undef MODE
} ws_level;

/* Mode of power management, which limits a server. */
typedef struct ws_mode {
    char name[WS_CONTROL_NAME];
#define LEVEL(name, unit, least, most, meaning)
#define MODE(name, least, most, meaning) double name;
#include "model/control/control_rows.def"
#undef LEVEL
#undef MODE
} ws_mode;

typedef struct ws_control {
#define WHOLE(section, name, least, most, low, high, meaning)      unsigned section##_##name;
#define REAL(section, name, unit, least, most, low, high, meaning) double section##_##name;
#include "model/control/control.def"
#undef WHOLE
#undef REAL
    ws_level level[WS_CONTROL_LEVELS]; /* from the lowest */
    size_t levels;
    ws_mode mode[WS_CONTROL_MODES];
    size_t modes;
} ws_control;

/* Reads data/control/study.ini below the folder `data`, applies the changes of the file `path` (if not NULL), and
 * checks the result. WS_EIO; WS_EINPUT with "FILE:LINE:COLUMN: section.name = value: expectation". */
int ws_control_read(const char *data, const char *path, ws_control *out);

/* Sets "section.name" to a value as a file would, e.g. "battery.capacity" or "mode.saver.battery", which creates an
 * unknown mode; call ws_control_check afterwards. WS_EINPUT names the option. */
int ws_control_set(ws_control *control, const char *option, const char *value);

/* Returns the level of ws_mode.level or .least; 0 for 0. */
double ws_control_level_of(const ws_control *control, double named);

/* Checks that the values are consistent. WS_EINPUT names the option and the reason. */
int ws_control_check(const ws_control *control);

/* Row of control.def, for listings and for the sensitivity study; ws_control_option_row() returns false past the last.
 */
typedef struct ws_control_option {
    const char *section, *name, *unit, *meaning;
    double least, most, low, high;
    bool whole;
} ws_control_option;
bool ws_control_option_row(size_t index, ws_control_option *row);
double ws_control_value(const ws_control *control, size_t index);

#endif
