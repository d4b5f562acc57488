/* fields.h - tables of the numbers in settings files: one row per member of a struct, with unit and bounds.
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
    size_t offset; /* of the member to fill: a double for a form of reals, else an unsigned */
} ws_field;

#define WS_FIELD_NEEDED NAN /* fallback of a required number */
#define WS_FIELD(form, section, name, unit, fallback, least, most, meaning, type, member) \
    { \
        section, {name, unit, fallback, least, most, meaning}, form, offsetof(type, member) \
    }
#define WS_FIELD_REAL(section, name, ...)  WS_FIELD_OF(WS_OPTION_FORM_REAL, section, name, __VA_ARGS__)
#define WS_FIELD_WHOLE(section, name, ...) WS_FIELD_OF(WS_OPTION_FORM_WHOLE, section, name, __VA_ARGS__)
#define WS_FIELD_OF(form, section, name, unit, least, most, meaning, type, member) \
    WS_FIELD(form, section, name, unit, WS_FIELD_NEEDED, least, most, meaning, type, member)

/* Reads a value such as "12 kW" into the struct at `out`, with the errors of ws_option_read. */
int ws_field_parse(const ws_field *field, const char *value, void *out, char why[WS_OPTION_WHY]);

double ws_field_value(const ws_field *field, const void *of);

/* Returns the row with that name, or NULL. A NULL section matches any section. */
const ws_field *ws_field_find(const ws_field *fields, size_t count, const char *section, const char *name);

/* Reads one field from a file. Returns WS_EINPUT with FILE:LINE:COLUMN for a wrong unit or a number out of bounds.
 * Returns WS_EINPUT with the field for a missing required number. */
int ws_field_read(const ws_settings *settings, const ws_field *field, void *out);

/* Rejects unknown names: returns WS_EINPUT with FILE:LINE:COLUMN for one without a row. `what` names the object in
 * messages, as "a plant". `others` lists "SECTION" and "SECTION.NAME" entries that other code reads, ended by NULL;
 * NULL for none. */
int ws_fields_check(const ws_settings *settings, const ws_field *fields, size_t count, const char *what,
                    const char *const *others);

/* Checks the names of a file, as ws_fields_check, and reads all fields. */
int ws_fields_read(const ws_settings *settings, const ws_field *fields, size_t count, const char *what,
                   const char *const *others, void *out);

/* Sets the field with name "SECTION.NAME", as ws_field_parse. Returns WS_ENOTFOUND, without a message, for an unknown
 * field. Returns WS_EINPUT with the field and the expected form for a bad value. */
int ws_fields_set(const ws_field *fields, size_t count, const char *name, const char *value, void *out);

#endif
