/* thermal_chip.c - what does a file of data/tech say about a die, its floor plan and its package? */
#include "model/control/thermal.h"

#include "base/fields.h"
#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const ws_field fields[] = {
#define FIELD(section, key, member, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #key, unit, least, most, meaning, ws_thermal_chip, member),
#include "model/control/thermal_chip.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };
_Static_assert(WS_THERMAL_PARTS == WS_THERMAL_BLOCKS && WS_THERMAL_NAME == 32, "what messages say");

/* Is there room for one more block or part besides `count`, and has it a name that fits? */
static int check_one_more(const ws_settings *file, const ws_setting *setting, const char *what, size_t count)
{
    char text[80];
    snprintf(text, sizeof text, "one %s too many; a floor plan has at most %d", what, WS_THERMAL_BLOCKS);
    if (count == WS_THERMAL_BLOCKS)
        return ws_setting_fail(file, setting, text);
    return strlen(setting->name) < WS_THERMAL_NAME
               ? WS_OK
               : ws_setting_fail(file, setting, "expected a name of at most 31 characters");
}

/* `NAME = x y width height unit` */
static int read_block(const ws_settings *file, const ws_setting *setting, ws_thermal_chip *chip)
{
    const int rc = check_one_more(file, setting, "block", chip->blocks);
    if (rc)
        return rc;
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
    const double metres = ws_unit_factor("m", at);
    good = good && metres > 0;
    for (size_t i = 0; good && i < 4; i++)
        *number[i] *= metres;
    if (!good || block->x_m < 0 || block->y_m < 0 || !(block->width_m >= 1e-6 && block->height_m >= 1e-6))
        return ws_setting_fail(file, setting, "expected x, y, width, height and a unit, such as 0 0 8 16 mm");
    return WS_OK;
}

/* Is it the block of that name, or one of several, such as core.3 of core? */
static bool is_block(const ws_thermal_block *block, const char *name, size_t length)
{
    return !strncmp(block->name, name, length) && (!block->name[length] || block->name[length] == '.');
}

/* `NAME = BLOCK...` */
static int read_part(const ws_settings *file, const ws_setting *setting, ws_thermal_chip *chip)
{
    const int rc = check_one_more(file, setting, "part", chip->parts);
    if (rc)
        return rc;
    ws_thermal_part *const part = &chip->part[chip->parts++];
    strcpy(part->name, setting->name);
    const char *at = setting->value + strspn(setting->value, " \t");
    bool good = *at;
    for (size_t length; *at && good; at += length, at += strspn(at, " \t")) {
        length = strcspn(at, " \t");
        good = false;
        for (size_t i = 0; i < chip->blocks; i++)
            if (is_block(&chip->block[i], at, length))
                good = part->heats[i] = true;
    }
    return good ? WS_OK : ws_setting_fail(file, setting, "expected names of [blocks], such as core for core.0, core.1");
}

static int read_blocks(const ws_settings *file, ws_thermal_chip *chip)
{
    static const char *const others[] = {"blocks", "parts", NULL};
    int rc = ws_fields_check(file, fields, FIELDS, "a chip", others);
    for (size_t i = 0; !rc && i < file->count; i++)
        if (!strcmp(file->list[i].section, "blocks"))
            rc = read_block(file, &file->list[i], chip);
    for (size_t i = 0; !rc && i < file->count; i++)
        if (!strcmp(file->list[i].section, "parts"))
            rc = read_part(file, &file->list[i], chip);
    return rc || chip->blocks ? rc : ws_fail(WS_EINPUT, "%s: [blocks] has no block", file->file);
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

static int read_chip(const ws_settings *file, void *out)
{
    ws_thermal_chip *const chip = out;
    memset(chip, 0, sizeof *chip);
    int rc = read_blocks(file, chip);
    for (size_t f = 0; !rc && f < FIELDS; f++)
        rc = ws_field_read(file, &fields[f], chip);
    return rc ? rc : check_together(file, chip);
}

int ws_thermal_chip_parse(const char *file, const char *text, size_t length, ws_thermal_chip *out)
{
    return ws_settings_take(file, text, length, read_chip, out);
}

int ws_thermal_chip_read(const char *path, ws_thermal_chip *out)
{
    return ws_settings_take(path, NULL, 0, read_chip, out);
}
