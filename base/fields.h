/* fields.h - numbers of a struct that stand in files of settings: a row each, with its unit and bounds.
 *
 *     static const ws_field fields[] = {
 *         WS_FIELD_REAL("panel", "area", "m2", 0, 1e7, "area of the panels", ws_plant, panel_area),
 *     }; */
#ifndef WS_FIELDS_H
#define WS_FIELDS_H

#include "base/option.h"
#include "base/settings.h"

#include <math.h>
#include <stddef.h>

typedef struct ws_field {
    const char *section;
    ws_option option;
    ws_option_form form;
    size_t offset; /* of the member that is filled: a double when the form is that of reals, else an unsigned */
} ws_field;

#define WS_FIELD_NEEDED NAN /* the fallback of a number that a file must have */
#define WS_FIELD(form, section, name, unit, fallback, least, most, meaning, type, member) \
    { \
        section, {name, unit, fallback, least, most, meaning}, form, offsetof(type, member) \
    }
#define WS_FIELD_REAL(section, name, ...)  WS_FIELD_OF(WS_OPTION_FORM_REAL, section, name, __VA_ARGS__)
#define WS_FIELD_WHOLE(section, name, ...) WS_FIELD_OF(WS_OPTION_FORM_WHOLE, section, name, __VA_ARGS__)
#define WS_FIELD_OF(form, section, name, unit, least, most, meaning, type, member) \
    WS_FIELD(form, section, name, unit, WS_FIELD_NEEDED, least, most, meaning, type, member)

/* Reads "12 kW" into the struct at `out`, as ws_option_read. */
int ws_field_parse(const ws_field *field, const char *value, void *out, char why[WS_OPTION_WHY]);

double ws_field_value(const ws_field *field, const void *of);

/* The row of that name; NULL when there is none. A section of NULL is any. */
const ws_field *ws_field_find(const ws_field *fields, size_t count, const char *section, const char *name);

/* Fills one field from a file. WS_EINPUT with FILE:LINE:COLUMN for another unit or a number out of bounds, with the
 * field when it is missing and needed. */
int ws_field_read(const ws_settings *settings, const ws_field *field, void *out);

/* Names that nobody reads are mistakes: WS_EINPUT with FILE:LINE:COLUMN for one that has no row. `what` names the thing
 * in messages, "a plant"; `others` are "SECTION" and "SECTION.NAME" that somebody else reads, up to a NULL, or NULL for
 * none. */
int ws_fields_check(const ws_settings *settings, const ws_field *fields, size_t count, const char *what,
                    const char *const *others);

/* Checks the names of a file, as ws_fields_check, and fills all fields. */
int ws_fields_read(const ws_settings *settings, const ws_field *fields, size_t count, const char *what,
                   const char *const *others, void *out);

/* Fills the field that `name`, "SECTION.NAME", says, as ws_field_parse. WS_ENOTFOUND, without a message: there is none;
 * WS_EINPUT with the field and what was expected. */
int ws_fields_set(const ws_field *fields, size_t count, const char *name, const char *value, void *out);

#endif
