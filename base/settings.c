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

/* What the texts of the settings live in, and the settings in the order of sections, names and lines. */
typedef struct memory {
    ws_arena *arena;
    const ws_setting **sorted;
} memory;

typedef struct reading {
    ws_settings *settings;
    ws_arena *arena;
    ws_setting *list;
    size_t room;
    const char *section;
    int line;
    bool lists;   /* a file of lists */
    bool goes_on; /* the next line may continue the value of the last setting */
    char *value;  /* [value_length] that value, once it has several lines; NULL: it has one */
    size_t value_length, value_room;
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

static int fail_memory(const reading *r)
{
    return ws_fail(WS_EMEM, "%s: out of memory", r->settings->file);
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
        return fail_memory(r);
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
        return fail_memory(r);
    return !r->lists ? WS_OK : append(r, &(ws_setting){r->section, "", "", r->line, (int)at + 1, (int)at + 1});
}

/* The value of the last setting has all of its lines. */
static int end_value(reading *r)
{
    r->goes_on = false;
    if (!r->value)
        return WS_OK;
    char *const value = ws_arena_strndup(r->arena, r->value, r->value_length);
    free(r->value);
    r->value = NULL;
    r->list[r->settings->count - 1].value = value;
    return value ? WS_OK : fail_memory(r);
}

static int add_text(reading *r, const char *text, size_t length)
{
    if (WS_GROW(r->value, r->value_room, r->value_length, length + 1))
        return fail_memory(r);
    if (r->value_length && length)
        r->value[r->value_length++] = ' ';
    memcpy(r->value + r->value_length, text, length);
    r->value_length += length;
    return WS_OK;
}

/* A further line of a value, with a blank in the place of the end of the line before. */
static int add_line(reading *r, const char *text, size_t length)
{
    int status = WS_OK;
    if (!r->value) {
        const char *const first = r->list[r->settings->count - 1].value;
        r->value_length = 0;
        status = add_text(r, first, strlen(first));
    }
    return status ? status : add_text(r, text, length);
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
    if (r->lists && name)
        return r->goes_on ? add_line(r, line + name, end - name)
                          : fail(r, name,
                                 "expected `name = value` or [section]; a line that begins with a blank "
                                 "continues the value above it");
    int status = end_value(r);
    if (status || line[name] == '[')
        return status ? status : read_section(r, line, name, end);
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
    const ws_setting setting = {.section = r->section,
                                .name = ws_arena_strndup(r->arena, line + name, name_end - name),
                                .value = ws_arena_strndup(r->arena, line + value, end - value),
                                .line = r->line,
                                .name_column = (int)name + 1,
                                .value_column = (int)value + 1};
    status = setting.name && setting.value ? append(r, &setting) : fail_memory(r);
    r->goes_on = r->lists && !status;
    return status;
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
    if (!rc)
        rc = end_value(r);
    free(r->value);
    return rc;
}

static int compare_names(const ws_setting *a, const char *section, const char *name)
{
    const int sections = a->section == section ? 0 : strcmp(a->section, section);
    return sections ? sections : strcmp(a->name, name);
}

static int compare(const void *a, const void *b)
{
    const ws_setting *const s = *(const ws_setting *const *)a, *const t = *(const ws_setting *const *)b;
    const int names = compare_names(s, t->section, t->name);
    return names ? names : (s > t) - (s < t);
}

/* The first one in the order of `sorted` that does not stand before this name. */
static const ws_setting *const *find_sorted(const ws_settings *settings, const char *section, const char *name)
{
    const ws_setting *const *const sorted = ((const memory *)settings->memory)->sorted;
    size_t from = 0, to = settings->count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (compare_names(sorted[middle], section, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return sorted + from;
}

/* Of names that stand twice in a section the first that repeats another one is refused. */
static int sort(const reading *r, const ws_setting **sorted)
{
    const size_t count = r->settings->count;
    const ws_setting *again = NULL, *before = NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &r->list[i];
    qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 1; i < count; i++)
        if (*sorted[i]->name && !compare_names(sorted[i], sorted[i - 1]->section, sorted[i - 1]->name) &&
            (!again || sorted[i] < again)) {
            again = sorted[i];
            before = sorted[i - 1];
        }
    return again ? ws_fail(WS_EINPUT, "%s:%d:%d: %s stands in line %d already; remove one", r->settings->file,
                           again->line, again->name_column, again->name, before->line)
                 : WS_OK;
}

static int read_all(reading *r, const char *text, size_t length, memory *m)
{
    const int rc = read_lines(r, text, length);
    if (rc)
        return rc;
    m->sorted = malloc((r->settings->count + 1) * sizeof *m->sorted);
    return m->sorted ? sort(r, m->sorted) : fail_memory(r);
}

static int parse(const char *file, const char *text, size_t length, bool lists, ws_settings **out)
{
    *out = NULL;
    ws_settings *const settings = calloc(1, sizeof *settings);
    memory *const m = settings ? calloc(1, sizeof *m) : NULL;
    if (m) {
        settings->memory = m;
        m->arena = ws_arena_create();
        settings->file = m->arena ? ws_arena_strndup(m->arena, file, strlen(file)) : NULL;
    }
    int rc = WS_EMEM;
    if (m && settings->file) {
        reading r = {.settings = settings, .arena = m->arena, .section = "", .lists = lists};
        rc = read_all(&r, text, length, m);
    } else {
        ws_fail(WS_EMEM, "%s: out of memory", file);
    }
    if (rc)
        ws_settings_destroy(settings);
    else
        *out = settings;
    return rc;
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
    memory *const m = settings->memory;
    if (m) {
        free(m->sorted);
        ws_arena_destroy(m->arena);
    }
    free(m);
    free((ws_setting *)settings->list);
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
    const ws_setting *const *const found = find_sorted(settings, section, "");
    return found < ((const memory *)settings->memory)->sorted + settings->count && !strcmp((*found)->section, section);
}

const ws_setting *ws_settings_find(const ws_settings *settings, const char *section, const char *name)
{
    const ws_setting *const *const found = find_sorted(settings, section, name);
    return found < ((const memory *)settings->memory)->sorted + settings->count && !compare_names(*found, section, name)
               ? *found
               : NULL;
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
