/* control.c - what do the files say about the server, and does it go together? */
#include "model/control/control.h"

#include "base/fields.h"
#include "base/status.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const ws_field rows[] = {
#define WHOLE(section, name, least, most, low, high, meaning) \
    WS_FIELD_WHOLE(#section, #name, "", least, most, meaning, ws_control, section##_##name),
#define REAL(section, name, unit, least, most, low, high, meaning) \
    WS_FIELD_REAL(#section, #name, unit, least, most, meaning, ws_control, section##_##name),
#include "model/control/control.def"
#undef WHOLE
#undef REAL
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The ends of the sensitivity study. */
static const double ends[ROWS][2] = {
#define WHOLE(section, name, least, most, low, high, meaning)      {low, high},
#define REAL(section, name, unit, least, most, low, high, meaning) {low, high},
#include "model/control/control.def"
#undef WHOLE
#undef REAL
};

static const ws_field level_rows[] = {
#define LEVEL(name, unit, least, most, meaning) \
    WS_FIELD_REAL("level", #name, unit, least, most, meaning, ws_level, name),
#define MODE(name, least, most, meaning)
#include "model/control/control_rows.def"
#undef LEVEL
#undef MODE
};
enum { LEVEL_ROWS = sizeof level_rows / sizeof *level_rows };

static const ws_field mode_rows[] = {
#define LEVEL(name, unit, least, most, meaning)
#define MODE(name, least, most, meaning) WS_FIELD_REAL("mode", #name, "", least, most, meaning, ws_mode, name),
#include "model/control/control_rows.def"
#undef LEVEL
#undef MODE
};
enum { MODE_ROWS = sizeof mode_rows / sizeof *mode_rows };

bool ws_control_option_row(size_t index, ws_control_option *option)
{
    if (index >= ROWS)
        return false;
    const ws_field *const f = &rows[index];
    *option = (ws_control_option){.section = f->section,
                                  .name = f->option.name,
                                  .unit = f->option.unit,
                                  .meaning = f->option.meaning,
                                  .least = f->option.least,
                                  .most = f->option.most,
                                  .low = ends[index][0],
                                  .high = ends[index][1],
                                  .whole = f->form == WS_OPTION_FORM_WHOLE};
    return true;
}

double ws_control_value(const ws_control *control, size_t index)
{
    return ws_field_value(&rows[index], control);
}

/* --- One value --- */

/* What is to be given a value, for messages. */
typedef struct target {
    const char *section, *name, *value;
    char where[PATH_MAX + 32]; /* "FILE:LINE:COLUMN: " or "" */
} target;

static int refuse(const target *t, const char *text)
{
    return ws_fail(WS_EINPUT, "%s%s.%s = %s: %s", t->where, t->section, t->name, t->value, text);
}

static int put(void *base, const ws_field *field, const target *t)
{
    char why[WS_OPTION_WHY];
    return ws_field_parse(field, t->value, base, why) ? refuse(t, why) : WS_OK;
}

/* --- Sections --- */

static int put_level(ws_control *control, const target *t, const char *number)
{
    const ws_field *const r = ws_field_find(level_rows, LEVEL_ROWS, NULL, t->name);
    size_t at;
    if (ws_text_to_size(number, WS_CONTROL_LEVELS, &at) || at < 1)
        return refuse(t, "levels are numbered from 1, the lowest, to 16");
    if (at > control->levels + 1)
        return refuse(t, "the level below this one must come first");
    if (!r)
        return refuse(t, "unknown value of a level; it has core_voltage, core_clock, network_voltage, network_clock");
    if (at > control->levels)
        control->level[control->levels++] = (ws_level){0};
    return put(&control->level[at - 1], r, t);
}

static int put_of_mode(ws_mode *mode, const ws_field *field, const target *t)
{
    double *const level = !strcmp(t->name, "level") ? &mode->level : !strcmp(t->name, "least") ? &mode->least : NULL;
    if (!level || strcmp(t->value, "nominal") != 0)
        return put(mode, field, t);
    *level = WS_CONTROL_NOMINAL;
    return WS_OK;
}

static int put_mode(ws_control *control, const target *t, const char *name)
{
    const ws_field *const r = ws_field_find(mode_rows, MODE_ROWS, NULL, t->name);
    size_t at = 0;
    if (!*name || strlen(name) >= WS_CONTROL_NAME)
        return refuse(t, "a mode has a name of 1 to 23 characters");
    if (!r)
        return refuse(t, "unknown value of a mode; it has battery, level, least and priority");
    while (at < control->modes && strcmp(control->mode[at].name, name))
        at++;
    if (at == WS_CONTROL_MODES)
        return refuse(t, "at most 8 modes");
    if (at == control->modes) {
        ws_mode fresh = {.level = WS_CONTROL_NOMINAL};
        snprintf(fresh.name, sizeof fresh.name, "%s", name);
        control->mode[control->modes++] = fresh;
    }
    return put_of_mode(&control->mode[at], r, t);
}

static int put_target(ws_control *control, const target *t)
{
    if (!strncmp(t->section, "level.", 6))
        return put_level(control, t, t->section + 6);
    if (!strncmp(t->section, "mode.", 5))
        return put_mode(control, t, t->section + 5);
    const ws_field *const r = ws_field_find(rows, ROWS, t->section, t->name);
    return r ? put(control, r, t) : refuse(t, "unknown option; --options lists them");
}

static int put_settings(ws_control *control, const ws_settings *settings, bool *given)
{
    for (size_t i = 0; i < settings->count; i++) {
        const ws_setting *const s = &settings->list[i];
        target t = {.section = s->section, .name = s->name, .value = s->value};
        snprintf(t.where, sizeof t.where, "%s:%d:%d: ", settings->file, s->line, s->value_column);
        const int rc = put_target(control, &t);
        if (rc)
            return rc;
        const ws_field *const r = ws_field_find(rows, ROWS, s->section, s->name);
        if (r)
            given[r - rows] = true;
    }
    return WS_OK;
}

static int read_file(ws_control *control, const char *path, bool *given)
{
    ws_settings *settings;
    int rc = ws_settings_read(path, &settings);
    if (rc)
        return rc;
    rc = put_settings(control, settings, given);
    ws_settings_destroy(settings);
    return rc;
}

int ws_control_read(const char *data, const char *path, ws_control *out)
{
    char study[PATH_MAX];
    bool given[ROWS] = {false};
    *out = (ws_control){0};
    snprintf(study, sizeof study, "%s/control/study.ini", data);
    int rc = read_file(out, study, given);
    for (size_t i = 0; i < ROWS && !rc; i++)
        if (!given[i])
            rc = ws_fail(WS_EINPUT, "%s: %s.%s is missing", study, rows[i].section, rows[i].option.name);
    if (!rc && path)
        rc = read_file(out, path, given);
    return rc ? rc : ws_control_check(out);
}

int ws_control_set(ws_control *control, const char *option, const char *value)
{
    char section[2 * WS_CONTROL_NAME + 16];
    const char *const dot = strrchr(option, '.');
    if (!dot || dot == option || (size_t)(dot - option) >= sizeof section)
        return ws_fail(WS_EINPUT, "%s: expected SECTION.NAME, as in battery.capacity", option);
    memcpy(section, option, (size_t)(dot - option));
    section[dot - option] = 0;
    const target t = {.section = section, .name = dot + 1, .value = value};
    return put_target(control, &t);
}

/* --- Together --- */

static int check_levels(const ws_control *c)
{
    if (c->chip_nominal_level > c->levels)
        return ws_fail(WS_EINPUT, "chip.nominal_level = %u: there are %zu levels", c->chip_nominal_level, c->levels);
    for (size_t i = 0; i < c->levels; i++) {
        const ws_level *const l = &c->level[i];
        if (l->core_voltage == 0 || l->core_clock == 0 || l->network_voltage == 0 || l->network_clock == 0)
            return ws_fail(WS_EINPUT,
                           "level.%zu: a level needs core_voltage, core_clock, network_voltage and network_clock",
                           i + 1);
        if (i && (l->core_voltage < l[-1].core_voltage || l->core_clock <= l[-1].core_clock ||
                  l->network_voltage < l[-1].network_voltage || l->network_clock < l[-1].network_clock))
            return ws_fail(WS_EINPUT, "level.%zu: a higher level needs a higher core_clock and no lower voltage",
                           i + 1);
    }
    return WS_OK;
}

double ws_control_level_of(const ws_control *control, double named)
{
    return named == WS_CONTROL_NOMINAL ? control->chip_nominal_level : named;
}

static int check_modes(const ws_control *c)
{
    if (c->modes < 2)
        return ws_fail(WS_EINPUT, "at least two modes are needed to choose from, sections [mode.NAME]");
    for (size_t i = 0; i < c->modes; i++) {
        const ws_mode *const m = &c->mode[i];
        const double level = ws_control_level_of(c, m->level), least = ws_control_level_of(c, m->least);
        if (level < 1 || level > (double)c->levels || level != floor(level))
            return ws_fail(WS_EINPUT, "mode.%s.level = %g: expected a level from 1 to %zu, or nominal", m->name, level,
                           c->levels);
        if (least > level || least != floor(least))
            return ws_fail(WS_EINPUT,
                           "mode.%s.least = %g: expected 0, a level up to mode.%s.level, %g, or nominal if that is "
                           "not above it",
                           m->name, least, m->name, level);
    }
    return WS_OK;
}

int ws_control_check(const ws_control *c)
{
    const double periods = c->loop_coarse / c->loop_fine;
    if (c->chip_core_share + c->chip_network_share > 1)
        return ws_fail(WS_EINPUT, "chip.core_share = %g and chip.network_share = %g: together at most 1",
                       c->chip_core_share, c->chip_network_share);
    if (c->battery_floor > c->battery_start)
        return ws_fail(WS_EINPUT, "battery.start = %g: expected at least battery.floor, %g", c->battery_start,
                       c->battery_floor);
    if (c->battery_floor + c->battery_resume > 1)
        return ws_fail(WS_EINPUT, "battery.floor = %g and battery.resume = %g: together at most 1", c->battery_floor,
                       c->battery_resume);
    if (periods < 1 || fabs(periods - round(periods)) > 1e-6)
        return ws_fail(WS_EINPUT, "loop.coarse = %g s: expected a multiple of loop.fine, %g s", c->loop_coarse,
                       c->loop_fine);
    /* Phases that wait begin and end at most once a fine period. */
    const double least = c->loop_fine * fmax(1, c->activity_stall_share / (1 - c->activity_stall_share));
    if (c->activity_stall_share > 0 && c->activity_stall_length < least)
        return ws_fail(WS_EINPUT, "activity.stall_length = %g s: with this stall_share expected at least %g s",
                       c->activity_stall_length, least);
    const int rc = check_levels(c);
    return rc ? rc : check_modes(c);
}
