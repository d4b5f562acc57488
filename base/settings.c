/* settings.c - which names have which values, and in which line do they stand? */
#include "base/settings.h"

#include "base/arena.h"
#include "base/grow.h"
#include "base/input.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    ws_settings *settings;
    ws_arena *arena;
    ws_setting *list;
    size_t room;
    const char *section;
    int line;
    bool lists; /* a file of lists */
} reading;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("_.:-", c));
}

static int fail(const reading *r, size_t column, const char *text)
{
    return ws_fail(WS_EINPUT, "%s:%d:%zu: %s", r->settings->file, r->line, column + 1, text);
}

static size_t skip_blanks(const char *line, size_t at, size_t end)
{
    while (at < end && is_blank(line[at]))
        at++;
    return at;
}

static int append(reading *r, const ws_setting *setting)
{
    if (r->lists && r->settings->count == WS_SETTINGS_LISTED_MOST)
        return ws_fail(WS_ELIMIT, "%s:%d:%d: more than %d names; split the file", r->settings->file, setting->line,
                       setting->name_column, WS_SETTINGS_LISTED_MOST);
    if (WS_GROW(r->list, r->room, r->settings->count, 1))
        return ws_fail(WS_EMEM, "%s: out of memory", r->settings->file);
    r->settings->list = r->list;
    r->list[r->settings->count++] = *setting;
    return WS_OK;
}

static bool is_between_words(const char *line, size_t at)
{
    return line[at] == ' ' && is_name(line[at - 1]) && is_name(line[at + 1]);
}

static int read_section(reading *r, const char *line, size_t at, size_t end)
{
    size_t close = at + 1;
    while (close < end && (is_name(line[close]) || (r->lists && is_between_words(line, close))))
        close++;
    if (close == at + 1 || close == end || line[close] != ']' || skip_blanks(line, close + 1, end) != end)
        return fail(r, at, "expected [section] and nothing else");
    r->section = ws_arena_strndup(r->arena, line + at + 1, close - at - 1);
    if (!r->section)
        return ws_fail(WS_EMEM, "%s: out of memory", r->settings->file);
    return !r->lists ? WS_OK : append(r, &(ws_setting){r->section, "", "", r->line, (int)at + 1, (int)at + 1});
}

static int add(reading *r, const ws_setting *setting)
{
    if (!setting->name || !setting->value)
        return ws_fail(WS_EMEM, "%s: out of memory", r->settings->file);
    const ws_setting *const before = ws_settings_find(r->settings, setting->section, setting->name);
    if (before)
        return ws_fail(WS_EINPUT, "%s:%d:%d: %s stands in line %d already; remove one", r->settings->file,
                       setting->line, setting->name_column, setting->name, before->line);
    return append(r, setting);
}

static size_t find_comment(const reading *r, const char *line, size_t length)
{
    size_t end = 0;
    while (end < length && ((line[end] != ';' && line[end] != '#') || (r->lists && end && !is_blank(line[end - 1]))))
        end++;
    return end;
}

static int read_line(reading *r, const char *line, size_t length)
{
    size_t end = find_comment(r, line, length);
    while (end && is_blank(line[end - 1]))
        end--;
    const size_t name = skip_blanks(line, 0, end);
    if (name == end)
        return WS_OK;
    if (line[name] == '[')
        return read_section(r, line, name, end);
    size_t name_end = name;
    while (name_end < end &&
           (is_name(line[name_end]) || (r->lists && !is_blank(line[name_end]) && line[name_end] != '=')))
        name_end++;
    const size_t equals = skip_blanks(line, name_end, end);
    if (name_end == name || (equals == end ? !r->lists : line[equals] != '='))
        return fail(r, name, "expected `name = value` or [section]");
    const size_t value = equals == end ? end : skip_blanks(line, equals + 1, end);
    if (value == end && !r->lists)
        return fail(r, equals, "expected a value behind the equals sign");
    return add(r, &(ws_setting){.section = r->section,
                                .name = ws_arena_strndup(r->arena, line + name, name_end - name),
                                .value = ws_arena_strndup(r->arena, line + value, end - value),
                                .line = r->line,
                                .name_column = (int)name + 1,
                                .value_column = (int)value + 1});
}

static int read_lines(reading *r, const char *text, size_t length)
{
    int rc = memchr(text, 0, length) ? ws_fail(WS_EINPUT, "%s: a zero byte; expected text", r->settings->file) : WS_OK;
    for (size_t at = 0; !rc && at < length;) {
        const char *const newline = memchr(text + at, '\n', length - at);
        const size_t size = newline ? (size_t)(newline - text) - at : length - at;
        r->line++;
        rc = read_line(r, text + at, size);
        at += size + 1;
    }
    return rc;
}

static int parse(const char *file, const char *text, size_t length, bool lists, ws_settings **out)
{
    *out = NULL;
    ws_settings *const settings = calloc(1, sizeof *settings);
    ws_arena *const arena = ws_arena_create();
    if (!settings || !arena) {
        free(settings);
        ws_arena_destroy(arena);
        return ws_fail(WS_EMEM, "%s: out of memory", file);
    }
    settings->memory = arena;
    settings->file = ws_arena_strndup(arena, file, strlen(file));
    reading r = {.settings = settings, .arena = arena, .section = "", .lists = lists};
    const int rc = settings->file ? read_lines(&r, text, length) : ws_fail(WS_EMEM, "%s: out of memory", file);
    if (rc) {
        ws_settings_destroy(settings);
        return rc;
    }
    *out = settings;
    return WS_OK;
}

int ws_settings_parse(const char *file, const char *text, size_t length, ws_settings **out)
{
    return parse(file, text, length, false, out);
}

int ws_settings_parse_lists(const char *file, const char *text, size_t length, ws_settings **out)
{
    return parse(file, text, length, true, out);
}

int ws_settings_read(const char *path, ws_settings **out)
{
    static const ws_input input = {.what = "a file of settings", .most_bytes = 1 << 20, .source = WS_INPUT_PIPES};
    char *text;
    size_t length;
    *out = NULL;
    int rc = ws_input_read(path, &input, &text, &length);
    if (!rc)
        rc = ws_settings_parse(path, text, length, out);
    free(text);
    return rc;
}

void ws_settings_destroy(ws_settings *settings)
{
    if (!settings)
        return;
    free((ws_setting *)settings->list);
    ws_arena_destroy(settings->memory);
    free(settings);
}

int ws_settings_take(const char *file, const char *text, size_t length, int (*take)(const ws_settings *, void *out),
                     void *out)
{
    ws_settings *settings;
    int rc = text ? ws_settings_parse(file, text, length, &settings) : ws_settings_read(file, &settings);
    if (!rc)
        rc = take(settings, out);
    ws_settings_destroy(settings);
    return rc;
}

bool ws_settings_has(const ws_settings *settings, const char *section)
{
    for (size_t i = 0; i < settings->count; i++)
        if (!strcmp(settings->list[i].section, section))
            return true;
    return false;
}

const ws_setting *ws_settings_find(const ws_settings *settings, const char *section, const char *name)
{
    for (size_t i = 0; i < settings->count; i++)
        if (!strcmp(settings->list[i].section, section) && !strcmp(settings->list[i].name, name))
            return &settings->list[i];
    return NULL;
}

int ws_setting_fail(const ws_settings *settings, const ws_setting *setting, const char *text)
{
    return ws_fail(WS_EINPUT, "%s:%d:%d: %s = %s: %s", settings->file, setting->line, setting->value_column,
                   setting->name, setting->value, text);
}

int ws_setting_number(const ws_settings *settings, const ws_setting *setting, double *number, const char **unit)
{
    return ws_text_to_quantity(setting->value, number, unit)
               ? ws_setting_fail(settings, setting, "expected a number and its unit")
               : WS_OK;
}
