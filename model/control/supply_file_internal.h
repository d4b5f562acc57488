/* supply_file_internal.h - parts of the reader of measured data: cells of a line, headers, times. */
#ifndef WS_CONTROL_SUPPLY_FILE_INTERNAL_H
#define WS_CONTROL_SUPPLY_FILE_INTERNAL_H

#include "model/control/supply_file.h"

#include <stddef.h>
#include <stdint.h>

/* Cell without quotes and surrounding blanks; its column in the line, from 1. */
typedef struct ws_cell {
    const char *text;
    size_t length, column;
} ws_cell;

enum { WS_SUPPLY_CELLS = 512, WS_SUPPLY_TIME_PARTS = 6 };
#define WS_SUPPLY_NONE SIZE_MAX

/* Splits a line at delimiters outside of double quotes; at most WS_SUPPLY_CELLS cells, the rest is ignored. */
size_t ws_supply_split(const char *line, size_t length, char delimiter, ws_cell *cells);

typedef enum ws_supply_quantity {
    WS_SUPPLY_POWER,
    WS_SUPPLY_IRRADIANCE,
    WS_SUPPLY_SPEED,
    WS_SUPPLY_TEMPERATURE,
    WS_SUPPLY_QUANTITIES
} ws_supply_quantity;

typedef enum ws_supply_clock {
    WS_SUPPLY_NUMBER, /* time[0]: a number of time_scale seconds */
    WS_SUPPLY_STAMP,  /* time[0]: 2010-05-17 13:00 */
    WS_SUPPLY_DATE,   /* time[0]: 5/17/2010, time[1]: 13:00 */
    WS_SUPPLY_PARTS   /* time[]: year, month, day, hour, minute, second; the last two may be NONE */
} ws_supply_clock;

typedef struct ws_supply_header {
    const char *file;
    int line;
    char delimiter;
    ws_supply_clock clock;
    size_t time[WS_SUPPLY_TIME_PARTS];
    double time_scale;
    size_t at[WS_SUPPLY_QUANTITIES];     /* cell of a quantity, NONE: not used */
    double factor[WS_SUPPLY_QUANTITIES]; /* to W, W/m2, m/s; 1 for degrees C */
    double height_m;                     /* height of the speed measurement; 0: not given */
    char columns[160];
} ws_supply_header;

/* Maximum number of lines before the header. */
enum { WS_SUPPLY_HEAD = 10 };

typedef struct ws_supply_line {
    const char *text;
    size_t length;
    int number;
} ws_supply_line;

/* Finds the header among lines and interprets its cells. *index: its line. */
int ws_supply_find_header(const char *file, const ws_supply_line *lines, size_t count, const ws_supply_options *options,
                          ws_supply_header *header, size_t *index);

/* Date of the previous row, and the total jump of dates so far; zeroed initially. */
typedef struct ws_supply_calendar {
    long year;
    int month, day;
    double shift_s;
    size_t jumps;
} ws_supply_calendar;

/* Converts the cells of a row to seconds since some midnight. WS_EINPUT. */
int ws_supply_time(const ws_supply_header *header, int line, const ws_cell *cells, size_t count,
                   ws_supply_calendar *calendar, double *seconds);

#endif
