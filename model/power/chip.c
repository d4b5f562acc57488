/* chip.c - what do files of data/tech say about chips, operations and memory parts? */
#include "model/power/chip.h"

#include "base/fields.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

static const ws_field chip_fields[] = {
#define FIELD(section, name, member, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #name, unit, least, most, meaning, ws_chip, member),
#include "model/power/chip.def"
#undef FIELD
};

static const ws_field energy_fields[] = {
#define FIELD(section, name, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #name, unit, least, most, meaning, ws_energies, section##_##name),
#include "model/power/energy.def"
#undef FIELD
#define OPERATION(name, numbers, works, meaning) \
    WS_FIELD_REAL("operation", #name, "pJ", 0, 1e6, meaning, ws_energies, operation[WS_OPERATION_##name]),
#define MATRIX_OPERATION(name, meaning) \
    WS_FIELD_REAL("operation", "matrix_" #name, "pJ", 0, 1e6, meaning, ws_energies, \
                  operation[WS_OPERATION_matrix_##name]),
#include "model/operation.def"
#undef OPERATION
#undef MATRIX_OPERATION
};

static const ws_field memory_fields[] = {
#define FIELD(name, unit, least, most, meaning) \
    WS_FIELD_REAL("energy", #name, unit, least, most, meaning, ws_memory_energies, name),
#include "model/power/memory_energy.def"
#undef FIELD
};

enum {
    CHIP_FIELDS = sizeof chip_fields / sizeof *chip_fields,
    ENERGY_FIELDS = sizeof energy_fields / sizeof *energy_fields,
    MEMORY_FIELDS = sizeof memory_fields / sizeof *memory_fields
};

static int read_word(const ws_settings *file, const char *section, const char *name, char out[WS_CHIP_NAME])
{
    const ws_setting *const s = ws_settings_find(file, section, name);
    if (!s)
        return ws_fail(WS_EINPUT, "%s: [%s] lacks %s", file->file, section, name);
    if (strlen(s->value) >= WS_CHIP_NAME)
        return ws_setting_fail(file, s, "expected a name of at most 63 characters");
    strcpy(out, s->value);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ a chip */

/* A level is a section [level.N]: clock and voltage. */
typedef struct level {
    double clock_mhz, volts;
} level;

static const ws_field level_fields[] = {
    WS_FIELD_REAL("level", "clock", "MHz", 1, 1e5, "of the SMs", level, clock_mhz),
    WS_FIELD_REAL("level", "volts", "V", 0.1, 5, "of the chip at that clock", level, volts),
};

static int read_level_value(const ws_settings *file, const ws_setting *s, level *out)
{
    char why[WS_OPTION_WHY];
    const ws_field *const f = ws_field_find(level_fields, 2, NULL, s->name);
    if (!f)
        return ws_setting_fail(file, s, "unknown value of a level; it has clock and volts");
    return ws_field_parse(f, s->value, out, why) ? ws_setting_fail(file, s, why) : WS_OK;
}

static int end_level(const ws_settings *file, const char *section, const level *l, ws_chip *chip)
{
    if (!(l->clock_mhz > 0 && l->volts > 0))
        return ws_fail(WS_EINPUT, "%s: [%s] lacks %s", file->file, section, l->clock_mhz > 0 ? "volts" : "clock");
    if (chip->levels == WS_CHIP_LEVELS)
        return ws_fail(WS_EINPUT, "%s: [%s]: more than %d levels", file->file, section, WS_CHIP_LEVELS);
    if (chip->levels &&
        (l->clock_mhz <= chip->level[chip->levels - 1].clock_mhz || l->volts < chip->level[chip->levels - 1].volts))
        return ws_fail(WS_EINPUT, "%s: [%s]: clock and voltage must rise from level to level", file->file, section);
    chip->level[chip->levels].clock_mhz = l->clock_mhz;
    chip->level[chip->levels++].volts = l->volts;
    return WS_OK;
}

static bool is_level(const char *section)
{
    return !strncmp(section, "level.", strlen("level."));
}

static int read_levels(const ws_settings *file, ws_chip *chip)
{
    level now = {0};
    int status = WS_OK;
    for (size_t i = 0; i < file->count && !status; i++) {
        const ws_setting *const s = &file->list[i];
        if (!is_level(s->section))
            continue;
        status = read_level_value(file, s, &now);
        if (!status && (i + 1 == file->count || strcmp(file->list[i + 1].section, s->section) != 0)) {
            status = end_level(file, s->section, &now, chip);
            now = (level){0};
        }
    }
    return status || chip->levels ? status : ws_fail(WS_EINPUT, "%s: lacks [level.1] with clock and volts", file->file);
}

/* Sections that somebody else reads, for ws_fields_read: the list ends with NULL. */
static size_t level_sections(const ws_settings *file, const char **list, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < file->count && n < room; i++)
        if (is_level(file->list[i].section) && (!n || strcmp(list[n - 1], file->list[i].section) != 0))
            list[n++] = file->list[i].section;
    return n;
}

static int read_chip(const ws_settings *file, void *out)
{
    ws_chip *const chip = out;
    const char *others[WS_CHIP_LEVELS + 3] = {"chip.node"};
    *chip = (ws_chip){0};
    others[1 + level_sections(file, others + 1, WS_CHIP_LEVELS + 1)] = NULL;
    int status = ws_fields_read(file, chip_fields, CHIP_FIELDS, "a chip", others, chip);
    if (!status)
        status = read_word(file, "chip", "node", chip->node);
    return status ? status : read_levels(file, chip);
}

static void name_chip(const char *path, ws_chip *chip)
{
    const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
    const char *const name = strncmp(base, "chip_", strlen("chip_")) ? base : base + strlen("chip_");
    const size_t length = strcspn(name, ".");
    snprintf(chip->name, sizeof chip->name, "%.*s", (int)length, name);
}

int ws_chip_parse(const char *file, const char *text, size_t length, ws_chip *out)
{
    const int status = ws_settings_take(file, text, length, read_chip, out);
    name_chip(file, out);
    return status;
}

int ws_chip_read(const char *path, ws_chip *out)
{
    return ws_chip_parse(path, NULL, 0, out);
}

int ws_chip_volts(const ws_chip *chip, double clock_mhz, double *volts)
{
    const size_t last = chip->levels - 1;
    if (!(clock_mhz >= chip->level[0].clock_mhz && clock_mhz <= chip->level[last].clock_mhz))
        return ws_fail(WS_EINPUT,
                       "chip %s: no voltage for a core clock of %g MHz; its table covers %g to %g MHz: choose a clock "
                       "in it, or give the voltage",
                       chip->name, clock_mhz, chip->level[0].clock_mhz, chip->level[last].clock_mhz);
    size_t i = 0;
    while (i < last && clock_mhz > chip->level[i + 1].clock_mhz)
        i++;
    if (i == last) {
        *volts = chip->level[i].volts;
        return WS_OK;
    }
    const double from = chip->level[i].clock_mhz, to = chip->level[i + 1].clock_mhz;
    *volts =
        chip->level[i].volts + (chip->level[i + 1].volts - chip->level[i].volts) * (clock_mhz - from) / (to - from);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ energies */

static int read_energies(const ws_settings *file, void *out)
{
    static const char *const others[] = {"reference.node", NULL};
    ws_energies *const e = out;
    *e = (ws_energies){0};
    const int status = ws_fields_read(file, energy_fields, ENERGY_FIELDS, "a table of energies", others, e);
    return status ? status : read_word(file, "reference", "node", e->node);
}

int ws_energies_parse(const char *file, const char *text, size_t length, ws_energies *out)
{
    return ws_settings_take(file, text, length, read_energies, out);
}

int ws_energies_read(const char *path, ws_energies *out)
{
    return ws_energies_parse(path, NULL, 0, out);
}

/* The rest of the file is the part's (model/machine/dram_part.c). */
static int read_memory_energies(const ws_settings *file, void *out)
{
    static const char *const others[] = {"part", "timing", NULL};
    *(ws_memory_energies *)out = (ws_memory_energies){0};
    return ws_fields_read(file, memory_fields, MEMORY_FIELDS, "the energy of a memory part", others, out);
}

int ws_memory_energies_parse(const char *file, const char *text, size_t length, ws_memory_energies *out)
{
    return ws_settings_take(file, text, length, read_memory_energies, out);
}

int ws_memory_energies_read(const char *path, ws_memory_energies *out)
{
    return ws_memory_energies_parse(path, NULL, 0, out);
}
