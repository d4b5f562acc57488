/* fields.h - numbers of a struct that stand in files of settings: a row each, with its unit and bounds.
 *
 *     static const ws_field fields[] = {
 *         WS_FIELD_REAL("panel", "area", "m2", 0, 1e7, "area of the panels", ws_plant, panel_area),
 *     }; */
#ifndef WS_FIELDS_H
#define WS_FIELDS_H

#include "base/settings.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ws_field_kind {
    WS_FIELD_REAL,  /* a double */
    WS_FIELD_WHOLE, /* an unsigned */
    WS_FIELD_POWER, /* an unsigned that is a power of two, or 0 */
    WS_FIELD_COUNT  /* an unsigned; a unit that can be written in one way alone may be left out */
} ws_field_kind;

typedef struct ws_field {
    const char *section, *name, *unit; /* unit: "" for none. What units.def lists for it is taken, too */
    double least, most;
    const char *meaning;
    ws_field_kind kind;
    size_t offset; /* in what is filled */
} ws_field;

#define WS_FIELD_REAL(section, name, unit, least, most, meaning, type, member) \
    { \
        section, name, unit, least, most, meaning, WS_FIELD_REAL, offsetof(type, member) \
    }
#define WS_FIELD_WHOLE(section, name, unit, least, most, meaning, type, member) \
    { \
        section, name, unit, least, most, meaning, WS_FIELD_WHOLE, offsetof(type, member) \
    }

/* Metres in one of a unit of length, say: how many of `unit` are one of `written`; 0 when that is no way to write it.
 */
double ws_unit_factor(const char *unit, const char *written);

enum { WS_FIELD_TEXT = 400 };

/* Reads "12 kW" into the struct at `out`. Else WS_EINPUT with, in why[], what was expected; no message is recorded. */
int ws_field_parse(const ws_field *field, const char *value, void *out, char why[WS_FIELD_TEXT]);

double ws_field_value(const ws_field *field, const void *of);

/* The row of that name; NULL when there is none. A section of NULL is any. */
const ws_field *ws_field_find(const ws_field *fields, size_t count, const char *section, const char *name);

/* Fills one field from a file. WS_EINPUT with FILE:LINE:COLUMN for another unit or a number out of bounds, with the
 * field when it is missing. */
int ws_field_read(const ws_settings *settings, const ws_field *field, void *out);

/* Names that nobody reads are mistakes: WS_EINPUT with FILE:LINE:COLUMN for one that has no row. `what` names the thing
 * in messages, "a plant"; `others` are "SECTION" and "SECTION.NAME" that somebody else reads, up to a NULL, or NULL for
 * none. */
int ws_fields_check(const ws_settings *settings, const ws_field *fields, size_t count, const char *what,
                    const char *const *others);

/* For a file that is a plain list of numbers: checks the names, and fills all. */
int ws_fields_read(const ws_settings *settings, const ws_field *fields, size_t count, const char *what, void *out);

#endif
