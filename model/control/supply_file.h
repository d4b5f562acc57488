/* supply_file.h - power from measured sun or wind data.
 *
 * Reads tables of measured data as CSV: files of NREL's NSRDB, MIDC (SRRL) and WIND Toolkit, a time and a power in two
 * columns, or any file with a time and a recognised column. docs/chameleon.md lists names and units. A row's value
 * holds from its time to the next row's; the steps of a supply are means of that, so energy is conserved. */
#ifndef WS_CONTROL_SUPPLY_FILE_H
#define WS_CONTROL_SUPPLY_FILE_H

#include "model/control/supply.h"

#include <stdbool.h>

/* Panels and turbine that convert irradiance and wind speed to power: the rows of supply_plant.def,
 * data/tech/plant.ini. */
typedef struct ws_supply_plant {
#define FIELD(section, key, member, unit, least, most, meaning) double member;
#include "model/control/supply_plant.def"
#undef FIELD
} ws_supply_plant;

int ws_supply_plant_parse(const char *file, const char *text, size_t length, ws_supply_plant *out);
int ws_supply_plant_read(const char *path, ws_supply_plant *out);

/* Zeroed: the file's own step, no scaling, gaps of up to two hours, and the first quantity in the file of power,
 * irradiance and speed. */
typedef struct ws_supply_options {
    double step_s;       /* of the supply */
    double scale_mean_w; /* scales all powers by one factor to this mean */
    double gap_s;        /* longest gap to fill */
    const char *column;  /* column to use, named as in the header, case-insensitive; NULL: automatic */
    bool hybrid;         /* panels and turbine together, if the file has irradiance and speed */
} ws_supply_options;

#define WS_SUPPLY_GAP_S 7200.0

/* Report for the caller to print. */
typedef struct ws_supply_report {
    char columns[160];    /* "GHI, Temperature": source columns of the power */
    size_t rows;          /* with a time */
    size_t missing_cells; /* empty, NaN, or a mark such as -9999 */
    size_t missing_rows;  /* missing between the times of rows */
    size_t gaps;          /* sequences of missing cells or rows */
    size_t negative;      /* values below 0, taken as 0 */
    size_t jumps;         /* changes to a month of another year, except leap days: time continues after them */
    double longest_gap_s, filled_s, file_step_s; /* file_step_s: median of the intervals */
} ws_supply_report;

/* Reads a file, or text[0..length) of `file`. `report` may be NULL. The caller frees the supply with ws_supply_fini.
 * WS_EINPUT with FILE:LINE:COLUMN for text among numbers, a time that does not advance, an unknown unit, no usable
 * column, or a gap that is too long. */
int ws_supply_read(const char *path, const ws_supply_plant *plant, const ws_supply_options *options, ws_supply *out,
                   ws_supply_report *report);
int ws_supply_parse(const char *file, const char *text, size_t length, const ws_supply_plant *plant,
                    const ws_supply_options *options, ws_supply *out, ws_supply_report *report);

#endif
