/* supply_time.c - at which second does a row of measured data stand? */
#include "model/control/supply_file_internal.h"

#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define DAY_S  86400.0
#define MOST_S 1e11 /* 3000 years: a double still knows the 10 microseconds */

static int days_of(long year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* Days since 0000-03-01 of the Gregorian calendar: years begin in March, so that the leap day comes last. */
static double day_number(long year, int month, int day)
{
    const long y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    return (double)(365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1);
}

typedef struct moment {
    double year, month, day, hour, minute, second;
} moment;

/* False for a moment that no calendar has. 24:00 is the end of a day. */
static bool make_seconds(const moment *t, double *seconds)
{
    const bool whole = t->year == floor(t->year) && t->month == floor(t->month) && t->day == floor(t->day) &&
                       t->hour == floor(t->hour) && t->minute == floor(t->minute);
    if (!whole || !(t->year >= 1 && t->year <= 9999 && t->month >= 1 && t->month <= 12 && t->day >= 1) ||
        t->day > days_of((long)t->year, (int)t->month) || !(t->hour >= 0 && t->minute >= 0 && t->second >= 0) ||
        t->minute >= 60 || t->second >= 60 || t->hour * 60 + t->minute + t->second / 60 > 24 * 60)
        return false;
    *seconds =
        day_number((long)t->year, (int)t->month, (int)t->day) * DAY_S + t->hour * 3600 + t->minute * 60 + t->second;
    return true;
}

static double month_begin(long year, int month)
{
    return day_number(year, month, 1) * DAY_S;
}

/* Jumps of the calendar that are none of the weather: a typical year has each month from another year, and measured
 * years often leave the leap day out. Time goes on behind either. */
static double without_jumps(ws_supply_calendar *c, const moment *t, double seconds)
{
    const long year = (long)t->year;
    const int month = (int)t->month, day = (int)t->day;
    if (c->month && month != c->month) {
        const bool follows = month == c->month + 1 && day == 1;
        const bool left_out = follows && month == 3 && c->day == 28 && days_of(c->year, 2) == 29;
        const double jump = follows && year != c->year ? month_begin(year, month) - month_begin(c->year, month) : 0;
        c->jumps += jump != 0 || left_out;
        c->shift_s += jump + (left_out ? DAY_S : 0);
    }
    c->year = year;
    c->month = month;
    c->day = day;
    return seconds - c->shift_s;
}

/* Reads digits and a decimal point up to a separator; moves `at` behind them. */
static bool take_number(const char **at, const char *end, double *number)
{
    size_t length = 0;
    while (*at + length < end && ((*at)[length] == '.' || ((*at)[length] >= '0' && (*at)[length] <= '9')))
        length++;
    const bool good = length && ws_text_to_double(*at, length, number) == WS_OK;
    *at += length;
    return good;
}

static bool take(const char **at, const char *end, char c)
{
    const bool there = *at < end && **at == c;
    *at += there;
    return there;
}

/* 2010-05-17, 2010/05/17 or 5/17/2010: the year has four digits. */
static bool take_date(const char **at, const char *end, moment *t)
{
    const char *const from = *at;
    double first, second, third;
    if (!take_number(at, end, &first))
        return false;
    const bool year_first = *at - from == 4;
    const char mark = *at < end ? **at : 0;
    if ((mark != '-' && mark != '/') || !take(at, end, mark) || !take_number(at, end, &second) ||
        !take(at, end, mark) || !take_number(at, end, &third))
        return false;
    t->year = year_first ? first : third;
    t->month = year_first ? second : first;
    t->day = year_first ? third : second;
    return year_first || mark == '/';
}

/* 13:00, 13:00:30.5; a zone behind it (Z, +00:00) shifts all rows alike and is passed over. */
static bool take_clock(const char **at, const char *end, moment *t)
{
    if (!take_number(at, end, &t->hour) || !take(at, end, ':') || !take_number(at, end, &t->minute))
        return false;
    if (take(at, end, ':') && !take_number(at, end, &t->second))
        return false;
    if (take(at, end, 'Z') || *at == end)
        return *at == end;
    double number;
    return (take(at, end, '+') || take(at, end, '-')) && take_number(at, end, &number) &&
           (*at == end || (take(at, end, ':') && take_number(at, end, &number) && *at == end));
}

static bool read_stamp(ws_cell cell, moment *t)
{
    const char *at = cell.text, *const end = cell.text + cell.length;
    if (!take_date(&at, end, t))
        return false;
    if (at == end)
        return true; /* midnight */
    return (take(&at, end, ' ') || take(&at, end, 'T')) && take_clock(&at, end, t);
}

static bool read_date_and_clock(ws_cell date, ws_cell clock, moment *t)
{
    const char *at = date.text, *end = date.text + date.length;
    if (!take_date(&at, end, t) || at != end)
        return false;
    at = clock.text;
    end = clock.text + clock.length;
    return take_clock(&at, end, t);
}

static bool read_parts(const ws_supply_header *h, const ws_cell *cells, moment *t, size_t *wrong)
{
    double *const part[] = {&t->year, &t->month, &t->day, &t->hour, &t->minute, &t->second};
    for (size_t p = 0; p < WS_SUPPLY_TIME_PARTS; p++) {
        const size_t at = h->time[p];
        if (at == WS_SUPPLY_NONE)
            continue;
        *wrong = at;
        if (ws_text_to_double(cells[at].text, cells[at].length, part[p]) || !isfinite(*part[p]))
            return false;
    }
    return true;
}

int ws_supply_time(const ws_supply_header *h, int line, const ws_cell *cells, size_t count,
                   ws_supply_calendar *calendar, double *seconds)
{
    static const char *const forms[] = {[WS_SUPPLY_NUMBER] = "a number",
                                        [WS_SUPPLY_STAMP] = "a time such as 2010-05-17 13:00",
                                        [WS_SUPPLY_DATE] = "a date such as 5/17/2010 and a time such as 13:00",
                                        [WS_SUPPLY_PARTS] = "a date and time that the calendar has"};
    const size_t parts = h->clock == WS_SUPPLY_PARTS ? WS_SUPPLY_TIME_PARTS : h->clock == WS_SUPPLY_DATE ? 2 : 1;
    for (size_t p = 0; p < parts; p++)
        if (h->time[p] != WS_SUPPLY_NONE && h->time[p] >= count)
            return ws_fail(WS_EINPUT, "%s:%d:1: a row of %zu cells; the time is in cell %zu", h->file, line, count,
                           h->time[p] + 1);
    moment t = {0};
    size_t wrong = h->time[0];
    bool good;
    if (h->clock == WS_SUPPLY_NUMBER) {
        good = ws_text_to_double(cells[wrong].text, cells[wrong].length, seconds) == WS_OK;
        *seconds *= h->time_scale;
        good = good && fabs(*seconds) <= MOST_S;
    } else {
        good = h->clock == WS_SUPPLY_STAMP  ? read_stamp(cells[wrong], &t)
               : h->clock == WS_SUPPLY_DATE ? read_date_and_clock(cells[wrong], cells[h->time[1]], &t)
                                            : read_parts(h, cells, &t, &wrong);
        good = good && make_seconds(&t, seconds);
        if (good)
            *seconds = without_jumps(calendar, &t, *seconds);
    }
    const int shown = (int)(cells[wrong].length < 40 ? cells[wrong].length : 40);
    return good ? WS_OK
                : ws_fail(WS_EINPUT, "%s:%d:%zu: expected %s, found '%.*s'", h->file, line, cells[wrong].column,
                          forms[h->clock], shown, cells[wrong].text);
}
