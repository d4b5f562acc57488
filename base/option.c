/* option.c - see option.h. */
#include "base/option.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *unit, *written;
    double factor;
} units[] = {
#define UNIT(unit, written, factor) {unit, written, factor},
#include "base/units.def"
#undef UNIT
};
enum { UNITS = sizeof units / sizeof *units };

double ws_unit_factor(const char *unit, const char *written)
{
    if (!strcmp(unit, written))
        return 1;
    for (size_t i = 0; i < UNITS; i++)
        if (!strcmp(units[i].unit, unit) && !strcmp(units[i].written, written))
            return units[i].factor;
    return 0;
}

/* --- A number and its unit --- */

/* "expected the unit m, cm, mm or um" */
static int wrong_unit(const ws_option *o, ws_option_form form, char *why)
{
    const char *written[UNITS + 1];
    size_t ways = 0;
    if (!*o->unit || form == WS_OPTION_FORM_PLAIN) {
        snprintf(why, WS_OPTION_WHY, "expected a number%s%s%s", *o->unit ? " of " : " without a unit", o->unit,
                 *o->unit ? ", with this unit or none" : "");
        return WS_EINPUT;
    }
    for (size_t i = 0; i < UNITS; i++)
        if (!strcmp(units[i].unit, o->unit))
            written[ways++] = units[i].written;
    if (!ways && form == WS_OPTION_FORM_COUNT)
        written[ways++] = "none";
    int used = snprintf(why, WS_OPTION_WHY, "expected the unit %s", o->unit);
    for (size_t i = 0; i < ways && used < WS_OPTION_WHY; i++)
        used += snprintf(why + used, (size_t)(WS_OPTION_WHY - used), "%s%s", i + 1 < ways ? ", " : " or ", written[i]);
    return WS_EINPUT;
}

/* "expected 1 to 64 bytes (width of a channel)". Whole numbers have all of their digits. */
static int out_of_bounds(const ws_option *o, ws_option_form form, char *why)
{
    const bool plain = form == WS_OPTION_FORM_REAL || form == WS_OPTION_FORM_PLAIN;
    const int digits = form == WS_OPTION_FORM_REAL ? 6 : 15;
    snprintf(why, WS_OPTION_WHY, "expected %s%.*g to %.*g%s%s%s%s%s", plain ? "" : "a whole number from ", digits,
             o->least, digits, o->most, *o->unit ? " " : "", o->unit, *o->meaning ? " (" : "", o->meaning,
             *o->meaning ? ")" : "");
    return WS_EINPUT;
}

/* 0: it does not suit. */
static double factor_of(const ws_option *o, ws_option_form form, const char *written, double number)
{
    if (form == WS_OPTION_FORM_PLAIN)
        return !*written || !strcmp(written, o->unit);
    if (*written)
        return ws_unit_factor(o->unit, written);
    if (number == 0 || !*o->unit) /* nothing is the same in all units */
        return 1;
    for (size_t i = 0; i < UNITS; i++)
        if (!strcmp(units[i].unit, o->unit))
            return 0;
    return form == WS_OPTION_FORM_COUNT;
}

int ws_option_fit(const ws_option *o, ws_option_form form, double number, const char *unit, double *value,
                  char why[WS_OPTION_WHY])
{
    const bool whole = form != WS_OPTION_FORM_REAL;
    const double factor = factor_of(o, form, unit, number);
    if (factor == 0)
        return wrong_unit(o, form, why);
    number *= factor;
    if (whole && fabs(number - round(number)) < 1e-6) /* a factor may cost the last bits: 1.001 MHz is 1001 kHz */
        number = round(number);
    if (!(number >= o->least && number <= o->most) || (whole && number != round(number)))
        return out_of_bounds(o, form, why);
    if (form == WS_OPTION_FORM_POWER && ((uint64_t)number & ((uint64_t)number - 1))) {
        snprintf(why, WS_OPTION_WHY, "expected a power of two");
        return WS_EINPUT;
    }
    *value = number;
    return WS_OK;
}

int ws_option_read(const ws_option *o, ws_option_form form, const char *text, double *value, char why[WS_OPTION_WHY])
{
    const char *unit;
    double number;
    if (!ws_text_to_quantity(text, &number, &unit))
        return ws_option_fit(o, form, number, unit, value, why);
    snprintf(why, WS_OPTION_WHY, "expected a number and its unit");
    return WS_EINPUT;
}

/* --- Tables, and what was given --- */

const ws_option *ws_option_find(const ws_option *options, const char *name)
{
    for (; options && options->name; options++)
        if (!strcmp(options->name, name))
            return options;
    return NULL;
}

size_t ws_option_count(const ws_option *options)
{
    size_t count = 0;
    while (options && options[count].name)
        count++;
    return count;
}

const ws_given *ws_given_find(const ws_given *given, size_t count, const char *name)
{
    while (count && strcmp(given[count - 1].name, name))
        count--;
    return count ? &given[count - 1] : NULL;
}

/* Is this number the first of its name, one that the component has, and within its bounds? */
static int check(const char *owner, const ws_option *options, const ws_option *also, const ws_given *given, size_t at)
{
    const ws_given *const g = &given[at];
    const char *const where = g->where ? g->where : owner;
    const ws_option *const row = ws_option_find(options, g->name);
    char why[WS_OPTION_WHY];
    if (ws_given_find(given, at, g->name))
        return ws_fail(WS_EINPUT, "%s: %s is given twice; remove one", where, g->name);
    if (!row && !ws_option_find(also, g->name))
        return ws_fail(WS_EINPUT, "%s: %s has no option %s; the first that it has is %s", where, owner, g->name,
                       ws_option_count(options) ? options->name
                       : ws_option_count(also)  ? also->name
                                                : "none");
    if (!row || !ws_option_fit(row, WS_OPTION_FORM_PLAIN, (double)g->value, "", &(double){0}, why))
        return WS_OK;
    return ws_fail(WS_EINPUT, "%s%s%s: %s = %" PRIu64 ", %s", g->where ? g->where : "", g->where ? ": " : "", owner,
                   g->name, g->value, why);
}

int ws_option_resolve(const char *owner, const ws_option *options, const ws_option *also, const ws_given *given,
                      size_t count, uint64_t *values)
{
    int rc = WS_OK;
    for (size_t i = 0; !rc && i < count; i++)
        rc = check(owner, options, also, given, i);
    ws_option_choose(options, given, count, values);
    return rc;
}

void ws_option_choose(const ws_option *options, const ws_given *given, size_t count, uint64_t *values)
{
    for (size_t i = 0; options && options[i].name; i++) {
        const ws_given *const g = ws_given_find(given, count, options[i].name);
        values[i] = g ? g->value : (uint64_t)options[i].fallback;
    }
}

uint64_t ws_option_value(const ws_option *options, const char *name, const ws_given *given, size_t count,
                         uint64_t otherwise)
{
    const ws_given *const g = ws_given_find(given, count, name);
    const ws_option *const row = g ? NULL : ws_option_find(options, name);
    return g ? g->value : row ? (uint64_t)row->fallback : otherwise;
}
