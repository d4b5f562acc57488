/* supply_plant.c - which panels and turbine does a file of data/tech describe? */
#include "model/control/supply_file.h"

#include "base/fields.h"
#include "base/status.h"

#include <stddef.h>
#include <string.h>

static const ws_field fields[] = {
#define FIELD(section, key, member, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #key, unit, least, most, meaning, ws_supply_plant, member),
#include "model/control/supply_plant.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

static int read_plant(const ws_settings *file, void *out)
{
    ws_supply_plant *const plant = out;
    memset(plant, 0, sizeof *plant);
    int rc = ws_fields_read(file, fields, FIELDS, "a plant", NULL, plant);
    if (!rc && !(plant->turbine_cut_in < plant->turbine_rated && plant->turbine_rated < plant->turbine_cut_out))
        rc = ws_fail(WS_EINPUT, "%s: [turbine] needs cut_in < rated < cut_out, not %g, %g, %g m/s", file->file,
                     plant->turbine_cut_in, plant->turbine_rated, plant->turbine_cut_out);
    return rc;
}

int ws_supply_plant_parse(const char *file, const char *text, size_t length, ws_supply_plant *out)
{
    return ws_settings_take(file, text, length, read_plant, out);
}

int ws_supply_plant_read(const char *path, ws_supply_plant *out)
{
    return ws_settings_take(path, NULL, 0, read_plant, out);
}
