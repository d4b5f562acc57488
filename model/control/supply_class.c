/* supply_class.c - what does a file of data/supply say about a class of supplies? */
#include "model/control/supply.h"

#include "base/fields.h"
#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const ws_field fields[] = {
#define FIELD(section, key, member, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #key, unit, least, most, meaning, ws_supply_class, member),
#include "model/control/supply_class.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

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

static int check_together(const ws_settings *file, const ws_supply_class *type)
{
    if (type->sun_share + type->wind_share <= 0)
        return ws_fail(WS_EINPUT, "%s: [plant] sun and wind are both 0; nothing gives power", file->file);
    if (type->sun_share > 0 && !ws_settings_has(file, "sun"))
        return ws_fail(WS_EINPUT, "%s: [plant] has sun, but section [sun] is missing", file->file);
    if (type->wind_share > 0 && !ws_settings_has(file, "wind"))
        return ws_fail(WS_EINPUT, "%s: [plant] has wind, but section [wind] is missing", file->file);
    if (type->wind_share > 0 && !(type->cut_in < type->rated && type->rated < type->cut_out))
        return ws_fail(WS_EINPUT, "%s: [wind] needs cut_in < rated < cut_out, not %g, %g, %g m/s", file->file,
                       type->cut_in, type->rated, type->cut_out);
    if (type->sun_share > 0 && type->cloudy_index > type->clear_index)
        return ws_fail(WS_EINPUT, "%s: [sun] cloudy_index = %g is more than clear_index = %g", file->file,
                       type->cloudy_index, type->clear_index);
    return WS_OK;
}

static int read_class(const ws_settings *file, void *out)
{
    ws_supply_class *const type = out;
    memset(type, 0, sizeof *type);
    static const char *const names[] = {"class.name", "class.alias", NULL};
    int rc = ws_fields_check(file, fields, FIELDS, "a class of supplies", names);
    if (!rc)
        rc = read_name(file, "name", true, type->name);
    if (!rc)
        rc = read_name(file, "alias", false, type->alias);
    for (size_t f = 0; !rc && f < FIELDS; f++)
        if (!strcmp(fields[f].section, "class") || !strcmp(fields[f].section, "plant") ||
            ws_settings_has(file, fields[f].section))
            rc = ws_field_read(file, &fields[f], type);
    return rc ? rc : check_together(file, type);
}

int ws_supply_class_parse(const char *file, const char *text, size_t length, ws_supply_class *out)
{
    return ws_settings_take(file, text, length, read_class, out);
}

int ws_supply_class_read(const char *path, ws_supply_class *out)
{
    return ws_settings_take(path, NULL, 0, read_class, out);
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
