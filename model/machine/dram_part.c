/* dram_part.c - what does the data sheet say? Reads a memory part from a file of data/tech. */
#include "model/machine/dram_part.h"

#include "base/fields.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NEEDED WS_FIELD_NEEDED

static const ws_field clock_field =
    WS_FIELD_REAL("part", "clock", "MHz", 1, 1e5, "of the command bus", ws_dram_part, clock_mhz);

/* Kinds of the table: what they are, and their unit. */
#define COUNT  WS_OPTION_FORM_WHOLE, ""
#define POWER  WS_OPTION_FORM_POWER, ""
#define BITS   WS_OPTION_FORM_WHOLE, "bits"
#define BEATS  WS_OPTION_FORM_WHOLE, "beats"
#define RATE   WS_OPTION_FORM_WHOLE, "beats/cycle"
#define CYCLES WS_OPTION_FORM_WHOLE, "cycles"
#define FIELD(section, name, kind, least, most, fallback, meaning) \
    ROW(section, name, kind, fallback, least, most, meaning)
#define ROW(...) ROW_OF(__VA_ARGS__)
#define ROW_OF(section, name, form, unit, fallback, least, most, meaning) \
    WS_FIELD(form, #section, #name, unit, fallback, least, most, meaning, ws_dram_part, name),
static const ws_field fields[] = {
#include "model/machine/dram_part.def"
};
#undef FIELD
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* Times may be given in nanoseconds, which are rounded up to cycles of the clock. */
static int read_time(const ws_settings *file, const ws_setting *setting, const ws_field *f, ws_dram_part *part)
{
    double number;
    const char *unit;
    char cycles[64], why[WS_OPTION_WHY];
    const int rc = ws_setting_number(file, setting, &number, &unit);
    if (rc)
        return rc;
    if (!strcmp(unit, "ns"))
        number = ceil(number * part->clock_mhz / 1000 - 1e-9);
    else if (strcmp(unit, f->option.unit))
        return ws_setting_fail(file, setting, "expected the unit cycles or ns");
    snprintf(cycles, sizeof cycles, "%.17g %s", number, f->option.unit);
    return ws_field_parse(f, cycles, part, why) ? ws_setting_fail(file, setting, why) : WS_OK;
}

static int read_field(const ws_settings *file, const ws_field *f, ws_dram_part *part)
{
    const ws_setting *const setting = ws_settings_find(file, f->section, f->option.name);
    return setting && !strcmp(f->option.unit, "cycles") ? read_time(file, setting, f, part)
                                                        : ws_field_read(file, f, part);
}

static int read_mapping(const ws_settings *file, ws_dram_part *part)
{
    const ws_setting *const setting = ws_settings_find(file, "part", "mapping");
    if (!setting)
        return ws_fail(WS_EINPUT, "%s: [part] lacks mapping (the bits of an address, highest first)", file->file);
    if (strlen(setting->value) >= sizeof part->mapping)
        return ws_setting_fail(file, setting, "expected at most 127 characters");
    strcpy(part->mapping, setting->value);
    return WS_OK;
}

static int check_together(const ws_settings *file, ws_dram_part *part)
{
    if (part->bus % 8 || (part->bus / 8 * part->burst & (part->bus / 8 * part->burst - 1)))
        return ws_fail(WS_EINPUT,
                       "%s: bus = %" PRIu32 " bits times burst = %" PRIu32 " beats must be a power of two of bytes",
                       file->file, part->bus, part->burst);
    part->burst_bytes = part->bus / 8 * part->burst;
    part->burst_cycles = (part->burst + part->rate - 1) / part->rate;
    if (part->ranks * part->bank_groups * part->banks > 64)
        return ws_fail(WS_EINPUT, "%s: ranks * bank_groups * banks = %" PRIu32 "; a channel has at most 64 banks",
                       file->file, part->ranks * part->bank_groups * part->banks);
    if (part->tREFI && part->tREFI / part->ranks <= part->tRFC + part->tRP + part->tRC)
        return ws_fail(WS_EINPUT,
                       "%s: tREFI = %" PRIu32 " cycles leave no time between refreshes of tRFC = %" PRIu32 " cycles",
                       file->file, part->tREFI, part->tRFC);
    return WS_OK;
}

static int read_part(const ws_settings *file, void *out)
{
    static const char *const others[] = {"part.clock", "part.mapping", "energy", NULL}; /* energy: model/power */
    ws_dram_part *const part = out;
    memset(part, 0, sizeof *part);
    int rc = ws_fields_check(file, fields, FIELD_COUNT, "a memory part", others);
    if (!rc)
        rc = ws_field_read(file, &clock_field, part);
    for (size_t f = 0; !rc && f < FIELD_COUNT; f++)
        rc = read_field(file, &fields[f], part);
    if (!rc)
        rc = read_mapping(file, part);
    return rc ? rc : check_together(file, part);
}

int ws_dram_part_parse(const char *file, const char *text, size_t length, ws_dram_part *part)
{
    return ws_settings_take(file, text, length, read_part, part);
}

int ws_dram_part_read(const char *path, ws_dram_part *part)
{
    return ws_settings_take(path, NULL, 0, read_part, part);
}

uint64_t ws_dram_part_bytes(const ws_dram_part *part)
{
    return (uint64_t)part->ranks * part->bank_groups * part->banks * part->rows * part->columns * part->burst_bytes;
}

double ws_dram_part_peak(const ws_dram_part *part)
{
    return part->burst_bytes * part->clock_mhz * 1e6 / part->burst_cycles;
}
