/* fields.c - see fields.h. */
#include "base/fields.h"

#include "base/status.h"

#include <stdbool.h>
#include <string.h>

double ws_field_value(const ws_field *field, const void *of)
{
    const void *const place = (const char *)of + field->offset;
    return field->form == WS_OPTION_FORM_REAL ? *(const double *)place : *(const unsigned *)place;
}

static void put(const ws_field *field, void *out, double number)
{
    void *const place = (char *)out + field->offset;
    if (field->form == WS_OPTION_FORM_REAL)
        *(double *)place = number;
    else
        *(unsigned *)place = (unsigned)number;
}

int ws_field_parse(const ws_field *field, const char *value, void *out, char why[WS_OPTION_WHY])
{
    double number;
    if (ws_option_read(&field->option, field->form, value, &number, why))
        return WS_EINPUT;
    put(field, out, number);
    return WS_OK;
}

const ws_field *ws_field_find(const ws_field *fields, size_t count, const char *section, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if ((!section || !strcmp(fields[i].section, section)) && !strcmp(fields[i].option.name, name))
            return &fields[i];
    return NULL;
}

int ws_field_read(const ws_settings *file, const ws_field *field, void *out)
{
    const ws_option *const o = &field->option;
    const ws_setting *const setting = ws_settings_find(file, field->section, o->name);
    char why[WS_OPTION_WHY];
    if (setting)
        return ws_field_parse(field, setting->value, out, why) ? ws_setting_fail(file, setting, why) : WS_OK;
    if (isnan(o->fallback))
        return ws_fail(WS_EINPUT, "%s: [%s] lacks %s (%s)", file->file, field->section, o->name, o->meaning);
    put(field, out, o->fallback);
    return WS_OK;
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

int ws_fields_read(const ws_settings *file, const ws_field *fields, size_t count, const char *what,
                   const char *const *others, void *out)
{
    int rc = ws_fields_check(file, fields, count, what, others);
    for (size_t f = 0; !rc && f < count; f++)
        rc = ws_field_read(file, &fields[f], out);
    return rc;
}

int ws_fields_set(const ws_field *fields, size_t count, const char *name, const char *value, void *out)
{
    char why[WS_OPTION_WHY];
    for (size_t i = 0; i < count; i++) {
        const char *const section = fields[i].section;
        const size_t length = strlen(section);
        if (strncmp(name, section, length) || name[length] != '.' || strcmp(name + length + 1, fields[i].option.name))
            continue;
        return ws_field_parse(&fields[i], value, out, why) ? ws_fail(WS_EINPUT, "%s = %s: %s", name, value, why)
                                                           : WS_OK;
    }
    return WS_ENOTFOUND;
}
