/* fields.c - see fields.h. */
#include "model/control/fields.h"

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int read_field(const ws_settings *file, const ws_field *field, void *out)
{
    const ws_setting *const setting = ws_settings_find(file, field->section, field->name);
    if (!setting)
        return ws_fail(WS_EINPUT, "%s: [%s] lacks %s (%s)", file->file, field->section, field->name, field->meaning);
    double number;
    const char *unit;
    const int rc = ws_setting_number(file, setting, &number, &unit);
    if (rc)
        return rc;
    if (strcmp(unit, field->unit) || !(number >= field->least && number <= field->most)) {
        char text[160];
        snprintf(text, sizeof text, "expected %g to %g%s%s (%s)", field->least, field->most, *field->unit ? " " : "",
                 field->unit, field->meaning);
        return ws_setting_fail(file, setting, text);
    }
    *(double *)(void *)((char *)out + field->offset) = number;
    return WS_OK;
}

int ws_fields_read(const ws_settings *file, const ws_field *fields, size_t count, const char *what, void *out)
{
    for (size_t i = 0; i < file->count; i++) {
        const ws_setting *const s = &file->list[i];
        bool known = false;
        for (size_t f = 0; !known && f < count; f++)
            known = !strcmp(s->section, fields[f].section) && !strcmp(s->name, fields[f].name);
        if (!known)
            return ws_fail(WS_EINPUT, "%s:%d:%d: %s has no %s in section [%s]", file->file, s->line, s->name_column, what,
                           s->name, s->section);
    }
    int rc = WS_OK;
    for (size_t f = 0; !rc && f < count; f++)
        rc = read_field(file, &fields[f], out);
    return rc;
}
