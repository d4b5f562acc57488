/* supply_class.c - what does a file of data/supply say about a class of supplies? */
#include "model/control/supply.h"

#include "base/settings.h"
#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct field {
    const char *section, *key, *unit;
    double least, most;
    const char *meaning;
    size_t offset;
} field;

static const field fields[] = {
#define FIELD(section, key, member, unit, least, most, meaning) \
    {#section, #key, unit, least, most, meaning, offsetof(ws_supply_class, member)},
#include "model/control/supply_class.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

static double *value_of(ws_supply_class *type, const field *f)
{
    return (double *)(void *)((char *)type + f->offset);
}

/* Times may be given in the unit that reads best. */
static bool read_unit(const char *unit, const char *wanted, double *number)
{
    if (!strcmp(unit, wanted))
        return true;
    if (strcmp(wanted, "s"))
        return false;
    const double scale = !strcmp(unit, "min") ? 60 : !strcmp(unit, "h") ? 3600 : !strcmp(unit, "d") ? 86400 : 0;
    *number *= scale;
    return scale > 0;
}

static int read_field(const ws_settings *file, const field *f, ws_supply_class *type)
{
    const ws_setting *const setting = ws_settings_find(file, f->section, f->key);
    if (!setting)
        return ws_fail(WS_EINPUT, "%s: [%s] lacks %s (%s)", file->file, f->section, f->key, f->meaning);
    char text[160];
    double number;
    const char *unit;
    const int rc = ws_setting_number(file, setting, &number, &unit);
    if (rc)
        return rc;
    if (!read_unit(unit, f->unit, &number)) {
        snprintf(text, sizeof text, "expected the unit %s%s", *f->unit ? f->unit : "left out",
                 strcmp(f->unit, "s") ? "" : ", min, h or d");
        return ws_setting_fail(file, setting, text);
    }
    if (!(number >= f->least && number <= f->most)) {
        snprintf(text, sizeof text, "expected %g to %g%s%s (%s)", f->least, f->most, *f->unit ? " " : "", f->unit,
                 f->meaning);
        return ws_setting_fail(file, setting, text);
    }
    *value_of(type, f) = number;
    return WS_OK;
}

static int read_name(const ws_settings *file, const char *key, bool needed, char name[32])
{
    const ws_setting *const setting = ws_settings_find(file, "class", key);
    if (!setting)
        return needed ? ws_fail(WS_EINPUT, "%s: [class] lacks %s", file->file, key) : WS_OK;
    if (strlen(setting->value) >= 32)
        return ws_setting_fail(file, setting, "expected at most 31 characters");
    strcpy(name, setting->value);
    return WS_OK;
}

static bool has_section(const ws_settings *file, const char *section)
{
    for (size_t i = 0; i < file->count; i++)
        if (!strcmp(file->list[i].section, section))
            return true;
    return false;
}

/* Names that nobody reads are mistakes. */
static int refuse_unknown(const ws_settings *file)
{
    for (size_t i = 0; i < file->count; i++) {
        const ws_setting *const s = &file->list[i];
        bool known = !strcmp(s->section, "class") && (!strcmp(s->name, "name") || !strcmp(s->name, "alias"));
        for (size_t f = 0; !known && f < FIELDS; f++)
            known = !strcmp(s->section, fields[f].section) && !strcmp(s->name, fields[f].key);
        if (!known)
            return ws_fail(WS_EINPUT, "%s:%d:%d: a class of supplies has no %s in section [%s]", file->file, s->line,
                           s->name_column, s->name, s->section);
    }
    return WS_OK;
}

static int check_together(const ws_settings *file, const ws_supply_class *type)
{
    if (type->sun_share + type->wind_share <= 0)
        return ws_fail(WS_EINPUT, "%s: [plant] sun and wind are both 0; nothing gives power", file->file);
    if (type->sun_share > 0 && !has_section(file, "sun"))
        return ws_fail(WS_EINPUT, "%s: [plant] has sun, but section [sun] is missing", file->file);
    if (type->wind_share > 0 && !has_section(file, "wind"))
        return ws_fail(WS_EINPUT, "%s: [plant] has wind, but section [wind] is missing", file->file);
    if (type->wind_share > 0 && !(type->cut_in < type->rated && type->rated < type->cut_out))
        return ws_fail(WS_EINPUT, "%s: [wind] needs cut_in < rated < cut_out, not %g, %g, %g m/s", file->file,
                       type->cut_in, type->rated, type->cut_out);
    if (type->sun_share > 0 && type->cloudy_index > type->clear_index)
        return ws_fail(WS_EINPUT, "%s: [sun] cloudy_index = %g is more than clear_index = %g", file->file,
                       type->cloudy_index, type->clear_index);
    return WS_OK;
}

static int read_class(const ws_settings *file, ws_supply_class *type)
{
    memset(type, 0, sizeof *type);
    int rc = refuse_unknown(file);
    if (!rc)
        rc = read_name(file, "name", true, type->name);
    if (!rc)
        rc = read_name(file, "alias", false, type->alias);
    for (size_t f = 0; !rc && f < FIELDS; f++)
        if (!strcmp(fields[f].section, "class") || !strcmp(fields[f].section, "plant") ||
            has_section(file, fields[f].section))
            rc = read_field(file, &fields[f], type);
    return rc ? rc : check_together(file, type);
}

int ws_supply_class_parse(const char *file, const char *text, size_t length, ws_supply_class *out)
{
    ws_settings *settings;
    int rc = ws_settings_parse(file, text, length, &settings);
    if (!rc)
        rc = read_class(settings, out);
    ws_settings_destroy(settings);
    return rc;
}

int ws_supply_class_read(const char *path, ws_supply_class *out)
{
    ws_settings *settings;
    int rc = ws_settings_read(path, &settings);
    if (!rc)
        rc = read_class(settings, out);
    ws_settings_destroy(settings);
    return rc;
}

static int is_class_file(const struct dirent *entry)
{
    const char *const dot = strrchr(entry->d_name, '.');
    return dot && dot > entry->d_name && !strcmp(dot, ".ini");
}

static int not_found(const char *name, struct dirent **list, int count, const char *folder)
{
    char known[512] = "";
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%.*s", i ? ", " : "", (int)strlen(list[i]->d_name) - 4,
                 list[i]->d_name);
    }
    return ws_fail(WS_ENOTFOUND, "no class of supplies is called '%s'; %s has %s", name, folder,
                   *known ? known : "none");
}

int ws_supply_class_find(const char *folder, const char *name, ws_supply_class *out)
{
    struct dirent **list;
    const int count = scandir(folder, &list, is_class_file, alphasort);
    if (count < 0)
        return ws_fail(WS_EIO, "%s: %s", folder, strerror(errno));
    int rc = WS_OK;
    bool found = false;
    for (int i = 0; !rc && !found && i < count; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
        rc = ws_supply_class_read(path, out);
        found = !rc && (!strcasecmp(out->name, name) || (*out->alias && !strcasecmp(out->alias, name)));
    }
    if (!rc && !found)
        rc = not_found(name, list, count, folder);
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
    return rc;
}
