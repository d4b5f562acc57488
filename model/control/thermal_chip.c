/* thermal_chip.c - what does a file of data/tech say about a die, its floor plan and its package? */
#include "model/control/thermal.h"

#include "base/settings.h"
#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct field {
    const char *section, *key, *unit;
    double least, most;
    const char *meaning;
    size_t offset;
} field;

static const field fields[] = {
#define FIELD(section, key, member, unit, least, most, meaning) \
    {#section, #key, unit, least, most, meaning, offsetof(ws_thermal_chip, member)},
#include "model/control/thermal_chip.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* Metres in one of a unit of length; 0 for another unit. */
static double metres(const char *unit)
{
    static const struct {
        const char *unit;
        double metres;
    } lengths[] = {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (!strcmp(unit, lengths[i].unit))
            return lengths[i].metres;
    return 0;
}

static int read_field(const ws_settings *file, const field *f, ws_thermal_chip *chip)
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
    const bool length = !strcmp(f->unit, "m");
    if (length ? metres(unit) == 0 : strcmp(unit, f->unit) != 0) {
        snprintf(text, sizeof text, "expected the unit %s",
                 length     ? "m, cm, mm or um"
                 : *f->unit ? f->unit
                            : "left out");
        return ws_setting_fail(file, setting, text);
    }
    number *= length ? metres(unit) : 1;
    if (!(number >= f->least && number <= f->most)) {
        snprintf(text, sizeof text, "expected %g to %g%s%s (%s)", f->least, f->most, *f->unit ? " " : "", f->unit,
                 f->meaning);
        return ws_setting_fail(file, setting, text);
    }
    *(double *)(void *)((char *)chip + f->offset) = number;
    return WS_OK;
}

/* `NAME = x y width height unit` */
static int read_block(const ws_settings *file, const ws_setting *setting, ws_thermal_chip *chip)
{
    if (chip->blocks == WS_THERMAL_BLOCKS)
        return ws_setting_fail(file, setting, "one block too many; a floor plan has at most 16");
    if (strlen(setting->name) >= sizeof chip->block->name)
        return ws_setting_fail(file, setting, "expected a name of at most 31 characters");
    ws_thermal_block *const block = &chip->block[chip->blocks++];
    strcpy(block->name, setting->name);
    double *const number[] = {&block->x_m, &block->y_m, &block->width_m, &block->height_m};
    const char *at = setting->value;
    bool good = true;
    for (size_t i = 0; i < 4; i++) {
        const size_t length = strcspn(at, " \t");
        good = good && length && ws_text_to_double(at, length, number[i]) == WS_OK && isfinite(*number[i]);
        at += length;
        at += strspn(at, " \t");
    }
    good = good && metres(at) > 0;
    for (size_t i = 0; good && i < 4; i++)
        *number[i] *= metres(at);
    if (!good || block->x_m < 0 || block->y_m < 0 || !(block->width_m >= 1e-6 && block->height_m >= 1e-6))
        return ws_setting_fail(file, setting, "expected x, y, width, height and a unit, such as 0 0 8 16 mm");
    return WS_OK;
}

static int read_blocks(const ws_settings *file, ws_thermal_chip *chip)
{
    for (size_t i = 0; i < file->count; i++) {
        const ws_setting *const s = &file->list[i];
        const bool is_block = !strcmp(s->section, "blocks");
        bool known = is_block;
        for (size_t f = 0; !known && f < FIELDS; f++)
            known = !strcmp(s->section, fields[f].section) && !strcmp(s->name, fields[f].key);
        if (!known)
            return ws_fail(WS_EINPUT, "%s:%d:%d: a chip has no %s in section [%s]", file->file, s->line, s->name_column,
                           s->name, s->section);
        const int rc = is_block ? read_block(file, s, chip) : WS_OK;
        if (rc)
            return rc;
    }
    return chip->blocks ? WS_OK : ws_fail(WS_EINPUT, "%s: [blocks] has no block", file->file);
}

static double shared(double a, double a_size, double b, double b_size)
{
    return fmax(0, fmin(a + a_size, b + b_size) - fmax(a, b));
}

/* Blocks that do not overlap and have the area of the rectangle around them, which begins at 0 0, tile it. */
static int check_together(const ws_settings *file, const ws_thermal_chip *chip)
{
    double width = 0, height = 0, area = 0;
    for (size_t i = 0; i < chip->blocks; i++) {
        const ws_thermal_block *const p = &chip->block[i];
        width = fmax(width, p->x_m + p->width_m);
        height = fmax(height, p->y_m + p->height_m);
        area += p->width_m * p->height_m;
        for (size_t j = 0; j < i; j++) {
            const ws_thermal_block *const q = &chip->block[j];
            if (shared(p->x_m, p->width_m, q->x_m, q->width_m) * shared(p->y_m, p->height_m, q->y_m, q->height_m) >
                1e-6 * p->width_m * p->height_m)
                return ws_fail(WS_EINPUT, "%s: [blocks] %s and %s overlap", file->file, q->name, p->name);
        }
    }
    if (fabs(area - width * height) > 1e-6 * width * height)
        return ws_fail(WS_EINPUT, "%s: [blocks] leave holes in the die of %g x %g mm", file->file, width * 1e3,
                       height * 1e3);
    if (chip->spreader_side_m <= width || chip->spreader_side_m <= height)
        return ws_fail(WS_EINPUT, "%s: the spreader's side of %g mm must be more than the die of %g x %g mm",
                       file->file, chip->spreader_side_m * 1e3, width * 1e3, height * 1e3);
    if (chip->sink_side_m <= chip->spreader_side_m)
        return ws_fail(WS_EINPUT, "%s: the sink's side of %g mm must be more than the spreader's %g mm", file->file,
                       chip->sink_side_m * 1e3, chip->spreader_side_m * 1e3);
    return WS_OK;
}

static int read_chip(const ws_settings *file, ws_thermal_chip *chip)
{
    memset(chip, 0, sizeof *chip);
    int rc = read_blocks(file, chip);
    for (size_t f = 0; !rc && f < FIELDS; f++)
        rc = read_field(file, &fields[f], chip);
    return rc ? rc : check_together(file, chip);
}

int ws_thermal_chip_parse(const char *file, const char *text, size_t length, ws_thermal_chip *out)
{
    ws_settings *settings;
    int rc = ws_settings_parse(file, text, length, &settings);
    if (!rc)
        rc = read_chip(settings, out);
    ws_settings_destroy(settings);
    return rc;
}

int ws_thermal_chip_read(const char *path, ws_thermal_chip *out)
{
    ws_settings *settings;
    int rc = ws_settings_read(path, &settings);
    if (!rc)
        rc = read_chip(settings, out);
    ws_settings_destroy(settings);
    return rc;
}
