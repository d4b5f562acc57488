/* supply_plant.c - which panels and turbine does a file of data/tech describe? */
#include "model/control/supply_file.h"

#include "base/settings.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *section, *key, *unit;
    double least, most;
    const char *meaning;
    size_t offset;
} fields[] = {
#define FIELD(section, key, member, unit, least, most, meaning) \
    {#section, #key, unit, least, most, meaning, offsetof(ws_supply_plant, member)},
#include "model/control/supply_plant.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

static int read_field(const ws_settings *file, size_t f, ws_supply_plant *plant)
{
    const ws_setting *const setting = ws_settings_find(file, fields[f].section, fields[f].key);
    if (!setting)
        return ws_fail(WS_EINPUT, "%s: [%s] lacks %s (%s)", file->file, fields[f].section, fields[f].key,
                       fields[f].meaning);
    double number;
    const char *unit;
    const int rc = ws_setting_number(file, setting, &number, &unit);
    if (rc)
        return rc;
    if (strcmp(unit, fields[f].unit) || !(number >= fields[f].least && number <= fields[f].most)) {
        char text[160];
        snprintf(text, sizeof text, "expected %g to %g%s%s (%s)", fields[f].least, fields[f].most,
                 *fields[f].unit ? " " : "", fields[f].unit, fields[f].meaning);
        return ws_setting_fail(file, setting, text);
    }
    *(double *)(void *)((char *)plant + fields[f].offset) = number;
    return WS_OK;
}

static int read_plant(const ws_settings *file, ws_supply_plant *plant)
{
    memset(plant, 0, sizeof *plant);
    for (size_t i = 0; i < file->count; i++) {
        const ws_setting *const s = &file->list[i];
        bool known = false;
        for (size_t f = 0; !known && f < FIELDS; f++)
            known = !strcmp(s->section, fields[f].section) && !strcmp(s->name, fields[f].key);
        if (!known)
            return ws_fail(WS_EINPUT, "%s:%d:%d: a plant has no %s in section [%s]", file->file, s->line,
                           s->name_column, s->name, s->section);
    }
    int rc = WS_OK;
    for (size_t f = 0; !rc && f < FIELDS; f++)
        rc = read_field(file, f, plant);
    if (!rc && !(plant->turbine_cut_in < plant->turbine_rated && plant->turbine_rated < plant->turbine_cut_out))
        rc = ws_fail(WS_EINPUT, "%s: [turbine] needs cut_in < rated < cut_out, not %g, %g, %g m/s", file->file,
                     plant->turbine_cut_in, plant->turbine_rated, plant->turbine_cut_out);
    return rc;
}

int ws_supply_plant_parse(const char *file, const char *text, size_t length, ws_supply_plant *out)
{
    ws_settings *settings;
    int rc = ws_settings_parse(file, text, length, &settings);
    if (!rc)
        rc = read_plant(settings, out);
    ws_settings_destroy(settings);
    return rc;
}

int ws_supply_plant_read(const char *path, ws_supply_plant *out)
{
    ws_settings *settings;
    int rc = ws_settings_read(path, &settings);
    if (!rc)
        rc = read_plant(settings, out);
    ws_settings_destroy(settings);
    return rc;
}
