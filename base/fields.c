/* fields.c - see fields.h. */
#include "base/fields.h"

#include "base/status.h"
#include "base/text.h"

#include <math.h>
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

double ws_field_value(const ws_field *field, const void *of)
{
    const void *const place = (const char *)of + field->offset;
    return field->kind == WS_FIELD_REAL ? *(const double *)place : *(const unsigned *)place;
}

/* "expected the unit m, cm, mm or um" */
static int wrong_unit(const ws_field *field, char *why)
{
    const char *written[UNITS + 1];
    size_t ways = 0;
    if (!*field->unit) {
        snprintf(why, WS_FIELD_TEXT, "expected a number without a unit");
        return WS_EINPUT;
    }
    for (size_t i = 0; i < UNITS; i++)
        if (!strcmp(units[i].unit, field->unit))
            written[ways++] = units[i].written;
    if (!ways && field->kind == WS_FIELD_COUNT)
        written[ways++] = "none";
    int used = snprintf(why, WS_FIELD_TEXT, "expected the unit %s", field->unit);
    for (size_t i = 0; i < ways && used < WS_FIELD_TEXT; i++)
        used += snprintf(why + used, (size_t)(WS_FIELD_TEXT - used), "%s%s", i + 1 < ways ? ", " : " or ", written[i]);
    return WS_EINPUT;
}

/* Whole numbers have all of their digits. */
static int out_of_bounds(const ws_field *field, char *why)
{
    const int digits = field->kind ? 15 : 6;
    const char *const meaning = field->meaning;
    snprintf(why, WS_FIELD_TEXT, "expected %s%.*g to %.*g%s%s%s%s%s", field->kind ? "a whole number from " : "", digits,
             field->least, digits, field->most, *field->unit ? " " : "", field->unit, *meaning ? " (" : "", meaning,
             *meaning ? ")" : "");
    return WS_EINPUT;
}

/* 0: it does not suit. */
static double factor_of(const ws_field *field, const char *written, double number)
{
    if (*written)
        return ws_unit_factor(field->unit, written);
    if (number == 0 || !*field->unit) /* nothing is the same in all units */
        return 1;
    for (size_t i = 0; i < UNITS; i++)
        if (!strcmp(units[i].unit, field->unit))
            return 0;
    return field->kind == WS_FIELD_COUNT;
}

int ws_field_parse(const ws_field *field, const char *value, void *out, char why[WS_FIELD_TEXT])
{
    void *const place = (char *)out + field->offset;
    const char *unit;
    double number;
    if (ws_text_to_quantity(value, &number, &unit)) {
        snprintf(why, WS_FIELD_TEXT, "expected a number and its unit");
        return WS_EINPUT;
    }
    const double factor = factor_of(field, unit, number);
    if (factor == 0)
        return wrong_unit(field, why);
    number *= factor;
    if (field->kind && fabs(number - round(number)) < 1e-6) /* a factor may cost the last bits: 1.001 MHz is 1001 kHz */
        number = round(number);
    if (!(number >= field->least && number <= field->most) || (field->kind && number != round(number)))
        return out_of_bounds(field, why);
    if (field->kind == WS_FIELD_POWER && ((unsigned)number & ((unsigned)number - 1))) {
        snprintf(why, WS_FIELD_TEXT, "expected a power of two");
        return WS_EINPUT;
    }
    if (field->kind)
        *(unsigned *)place = (unsigned)number;
    else
        *(double *)place = number;
    return WS_OK;
}

const ws_field *ws_field_find(const ws_field *fields, size_t count, const char *section, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if ((!section || !strcmp(fields[i].section, section)) && !strcmp(fields[i].name, name))
            return &fields[i];
    return NULL;
}

int ws_field_read(const ws_settings *file, const ws_field *field, void *out)
{
    char why[WS_FIELD_TEXT];
    const ws_setting *const setting = ws_settings_find(file, field->section, field->name);
    if (!setting)
        return ws_fail(WS_EINPUT, "%s: [%s] lacks %s (%s)", file->file, field->section, field->name, field->meaning);
    return ws_field_parse(field, setting->value, out, why) ? ws_setting_fail(file, setting, why) : WS_OK;
}

static bool is_other(const ws_setting *setting, const char *const *others)
{
    const size_t length = strlen(setting->section);
    for (; others && *others; others++)
        if (!strncmp(*others, setting->section, length) &&
            (!(*others)[length] || ((*others)[length] == '.' && !strcmp(*others + length + 1, setting->name))))
            return true;
    return false;
}

int ws_fields_check(const ws_settings *file, const ws_field *fields, size_t count, const char *what,
                    const char *const *others)
{
    for (size_t i = 0; i < file->count; i++) {
        const ws_setting *const s = &file->list[i];
        if (!is_other(s, others) && !ws_field_find(fields, count, s->section, s->name))
            return ws_fail(WS_EINPUT, "%s:%d:%d: %s has no %s in section [%s]", file->file, s->line, s->name_column,
                           what, s->name, s->section);
    }
    return WS_OK;
}

int ws_fields_read(const ws_settings *file, const ws_field *fields, size_t count, const char *what, void *out)
{
    int rc = ws_fields_check(file, fields, count, what, NULL);
    for (size_t f = 0; !rc && f < count; f++)
        rc = ws_field_read(file, &fields[f], out);
    return rc;
}
