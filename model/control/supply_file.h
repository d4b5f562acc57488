/* supply_file.h - what power would measured sun or wind have given?
 *
 * Reads tables of measured data as CSV: files of NREL's NSRDB, MIDC (SRRL) and WIND Toolkit, a time and a power in two
 * columns, or anything with a time and a recognised column. docs/chameleon.md lists names and units.
 * A row's value holds from its time to the next row's; a supply's steps are the means of that, so energy
 * is conserved. */
#ifndef WS_CONTROL_SUPPLY_FILE_H
#define WS_CONTROL_SUPPLY_FILE_H

#include "model/control/supply.h"

#include <stdbool.h>

/* Panels and turbine that make power of irradiance and speed: the rows of supply_plant.def, data/tech/plant.ini. */
typedef struct ws_supply_plant {
#define FIELD(section, key, member, unit, least, most, meaning) double member;
#include "model/control/supply_plant.def"
#undef FIELD
} ws_supply_plant;

int ws_supply_plant_parse(const char *file, const char *text, size_t length, ws_supply_plant *out);
int ws_supply_plant_read(const char *path, ws_supply_plant *out);

/* Zeroed: the file's own step, no scaling, gaps of up to two hours, the first of power, irradiance and speed that the
 * file has. */
typedef struct ws_supply_options {
    double step_s;       /* of the supply */
    double scale_mean_w; /* all powers times one factor, so that this is the mean */
    double gap_s;        /* longest gap that is filled */
    const char *column;  /* take this column, named as in the header, upper and lower case alike; NULL: choose */
    bool hybrid;         /* panels and turbine together, where the file has irradiance and speed */
} ws_supply_options;

#define WS_SUPPLY_GAP_S 7200.0

/* What the caller may want to print. */
typedef struct ws_supply_report {
    char columns[160];    /* "GHI, Temperature": what power was made of */
    size_t rows;          /* with a time */
    size_t missing_cells; /* empty, NaN, or a mark such as -9999 */
    size_t missing_rows;  /* that the times between the rows leave room for */
    size_t gaps;          /* runs of either */
    size_t negative;      /* values below 0, taken as 0 */
    size_t jumps;         /* months of another year, leap days left out: time goes on behind them */
    double longest_gap_s, filled_s, file_step_s; /* file_step_s: median of the intervals */
} ws_supply_report;

/* Reads a file, or text[0..length) that came from `file`. `report` may be NULL. The caller frees the supply with
 * ws_supply_fini. WS_EINPUT with FILE:LINE:COLUMN for text among numbers, a time that does not advance, a unit that is
 * not known, no usable column, a gap that is too long. */
int ws_supply_read(const char *path, const ws_supply_plant *plant, const ws_supply_options *options, ws_supply *out,
                   ws_supply_report *report);
int ws_supply_parse(const char *file, const char *text, size_t length, const ws_supply_plant *plant,
                    const ws_supply_options *options, ws_supply *out, ws_supply_report *report);

#endif
