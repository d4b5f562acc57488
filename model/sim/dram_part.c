/* dram_part.c - what does the data sheet say? Reads a memory part from a file of data/tech. */
#include "model/sim/dram.h"

#include "base/settings.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { NEEDED = -1 };
typedef enum kind { COUNT, POWER, BITS, BEATS, RATE, CYCLES } kind;
static const char *const units[] = {[COUNT] = "", [POWER] = "", [BITS] = "bits", [BEATS] = "beats",
                                    [RATE] = "beats/cycle", [CYCLES] = "cycles"};

typedef struct field {
    const char *section, *name;
    kind kind;
    uint32_t least, most;
    int64_t fallback;
    const char *meaning;
    size_t offset;
} field;

static const field fields[] = {
#define FIELD(section, name, kind, least, most, fallback, meaning)                                                     \
    {#section, #name, kind, least, most, fallback, meaning, offsetof(ws_dram_part, name)},
#include "model/sim/dram_part.def"
#undef FIELD
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

static uint32_t *value_of(ws_dram_part *part, const field *f)
{
    return (uint32_t *)(void *)((char *)part + f->offset);
}

static int check_bounds(const ws_settings *file, const ws_setting *setting, const field *f, double number)
{
    char text[160];
    if (number != floor(number) || number < f->least || number > f->most) {
        snprintf(text, sizeof text, "expected %" PRIu32 " to %" PRIu32 " %s (%s)", f->least, f->most, units[f->kind],
                 f->meaning);
        return ws_setting_fail(file, setting, text);
    }
    const uint32_t whole = (uint32_t)number;
    if (f->kind == POWER && (whole & (whole - 1)))
        return ws_setting_fail(file, setting, "expected a power of two");
    return WS_OK;
}

static int read_field(const ws_settings *file, const field *f, ws_dram_part *part)
{
    const ws_setting *const setting = ws_settings_find(file, f->section, f->name);
    if (!setting && f->fallback == NEEDED)
        return ws_fail(WS_EINPUT, "%s: [%s] lacks %s (%s)", file->file, f->section, f->name, f->meaning);
    if (!setting) {
        *value_of(part, f) = (uint32_t)f->fallback;
        return WS_OK;
    }
    double number;
    const char *unit;
    int rc = ws_setting_number(file, setting, &number, &unit);
    if (rc)
        return rc;
    if (f->kind == CYCLES && !strcmp(unit, "ns"))
        number = ceil(number * part->clock_mhz / 1000 - 1e-9);
    else if (strcmp(unit, units[f->kind])) {
        char text[80];
        snprintf(text, sizeof text, "expected the unit %s%s", *units[f->kind] ? units[f->kind] : "left out",
                 f->kind == CYCLES ? " or ns" : "");
        return ws_setting_fail(file, setting, text);
    }
    rc = check_bounds(file, setting, f, number);
    if (!rc)
        *value_of(part, f) = (uint32_t)number;
    return rc;
}

static int read_clock(const ws_settings *file, ws_dram_part *part)
{
    const ws_setting *const setting = ws_settings_find(file, "part", "clock");
    if (!setting)
        return ws_fail(WS_EINPUT, "%s: [part] lacks clock (of the command bus, in MHz)", file->file);
    const char *unit;
    const int rc = ws_setting_number(file, setting, &part->clock_mhz, &unit);
    if (rc)
        return rc;
    if (strcmp(unit, "MHz") || !(part->clock_mhz >= 1 && part->clock_mhz <= 1e5))
        return ws_setting_fail(file, setting, "expected 1 to 100000 MHz");
    return WS_OK;
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

/* Names that nobody reads are mistakes. */
static int refuse_unknown(const ws_settings *file)
{
    for (size_t i = 0; i < file->count; i++) {
        const ws_setting *const s = &file->list[i];
        bool known = !strcmp(s->section, "part") && (!strcmp(s->name, "clock") || !strcmp(s->name, "mapping"));
        for (size_t f = 0; !known && f < FIELD_COUNT; f++)
            known = !strcmp(s->section, fields[f].section) && !strcmp(s->name, fields[f].name);
        if (!known)
            return ws_fail(WS_EINPUT, "%s:%d:%d: a memory part has no %s in section [%s]", file->file, s->line,
                           s->name_column, s->name, s->section);
    }
    return WS_OK;
}

static int check_together(const ws_settings *file, ws_dram_part *part)
{
    if (part->bus % 8 || (part->bus / 8 * part->burst & (part->bus / 8 * part->burst - 1)))
        return ws_fail(WS_EINPUT, "%s: bus = %" PRIu32 " bits times burst = %" PRIu32
                                  " beats must be a power of two of bytes", file->file, part->bus, part->burst);
    part->burst_bytes = part->bus / 8 * part->burst;
    part->burst_cycles = (part->burst + part->rate - 1) / part->rate;
    if (part->ranks * part->bank_groups * part->banks > 64)
        return ws_fail(WS_EINPUT, "%s: ranks * bank_groups * banks = %" PRIu32 "; a channel has at most 64 banks",
                       file->file, part->ranks * part->bank_groups * part->banks);
    if (part->tREFI && part->tREFI / part->ranks <= part->tRFC + part->tRP + part->tRC)
        return ws_fail(WS_EINPUT, "%s: tREFI = %" PRIu32 " cycles leave no time between refreshes of tRFC = %" PRIu32
                                  " cycles", file->file, part->tREFI, part->tRFC);
    return WS_OK;
}

static int read_part(const ws_settings *file, ws_dram_part *part)
{
    memset(part, 0, sizeof *part);
    int rc = refuse_unknown(file);
    if (!rc)
        rc = read_clock(file, part);
    for (size_t f = 0; !rc && f < FIELD_COUNT; f++)
        rc = read_field(file, &fields[f], part);
    if (!rc)
        rc = read_mapping(file, part);
    return rc ? rc : check_together(file, part);
}

int ws_dram_part_parse(const char *file, const char *text, size_t length, ws_dram_part *part)
{
    ws_settings *settings;
    int rc = ws_settings_parse(file, text, length, &settings);
    if (!rc)
        rc = read_part(settings, part);
    ws_settings_destroy(settings);
    return rc;
}

int ws_dram_part_read(const char *path, ws_dram_part *part)
{
    ws_settings *settings;
    int rc = ws_settings_read(path, &settings);
    if (!rc)
        rc = read_part(settings, part);
    ws_settings_destroy(settings);
    return rc;
}

uint64_t ws_dram_part_bytes(const ws_dram_part *part)
{
    return (uint64_t)part->ranks * part->bank_groups * part->banks * part->rows * part->columns * part->burst_bytes;
}

double ws_dram_part_peak(const ws_dram_part *part)
{
    return part->burst_bytes * part->clock_mhz * 1e6 / part->burst_cycles;
}
