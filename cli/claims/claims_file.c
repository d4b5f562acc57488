/* claims_file.c - files of sections of texts, read. */
#include "cli/claims/claims_file.h"

#include "base/grow.h"
#include "base/input.h"
#include "base/status.h"
#include "base/texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ws_claims_fail(const ws_place *place, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ws_fail(WS_EINPUT, "%s:%d:%d: %s", place->file, place->line, place->column, text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static size_t skip(const char *line, size_t at, size_t end)
{
    while (at < end && is_blank(line[at]))
        at++;
    return at;
}

static size_t trim(const char *line, size_t end)
{
    while (end && is_blank(line[end - 1]))
        end--;
    return end;
}

typedef struct reading {
    ws_claims_file *file;
    ws_claims_section *section; /* NULL before the first */
    bool goes_on;               /* the next line may belong to the last entry */
    int line, last;             /* the last one of the entry */
    char *value;                /* [length] of the last entry so far; NULL: none is open */
    size_t length, room;
    ws_texts heads; /* "KIND NAME" of each section */
} reading;

static ws_place place_of(const reading *r, size_t column)
{
    return (ws_place){r->file->path, r->line, (int)column + 1};
}

static char *copy(const reading *r, const char *text, size_t length)
{
    return ws_arena_strndup(r->file->arena, text, length);
}

static int fail_memory(const reading *r)
{
    return ws_fail(WS_EMEM, "%s: out of memory", r->file->path);
}

/* The last entry has all of its value. */
static int end_value(reading *r)
{
    if (!r->value)
        return WS_OK;
    ws_claims_entry *const entry = &r->section->entry[r->section->entries - 1];
    entry->value = copy(r, r->value, r->length);
    free(r->value);
    r->value = NULL;
    return entry->value ? WS_OK : fail_memory(r);
}

static int add_value(reading *r, size_t feeds, const char *text, size_t length)
{
    const int status = WS_GROW(r->value, r->room, r->length, feeds + length + 1);
    if (status)
        return status;
    memset(r->value + r->length, '\n', feeds);
    memcpy(r->value + r->length + feeds, text, length);
    r->length += feeds + length;
    return WS_OK;
}

/* [KIND] or [KIND NAME] */
static int read_section(reading *r, const char *line, size_t end)
{
    const ws_place place = place_of(r, 0);
    const char *const close = memchr(line, ']', end);
    if (!close || skip(line, (size_t)(close - line) + 1, end) != end)
        return ws_claims_fail(&place, "expected [KIND NAME] and nothing else");
    const size_t last = trim(line, (size_t)(close - line)), kind = skip(line, 1, last);
    size_t kind_end = kind;
    while (kind_end < last && !is_blank(line[kind_end]))
        kind_end++;
    const size_t name = skip(line, kind_end, last);
    const ws_claims_section section = {
        .kind = copy(r, line + kind, kind_end - kind), .name = copy(r, line + name, last - name), .place = place};
    if (!section.kind || !section.name)
        return fail_memory(r);
    char *const head = ws_arena_alloc(r->file->arena, last - kind + sizeof " ");
    size_t number;
    if (head)
        strcpy(stpcpy(stpcpy(head, section.kind), " "), section.name);
    if (!head || ws_texts_put(&r->heads, head, &number))
        return fail_memory(r);
    if (number < r->file->sections)
        return ws_claims_fail(&place, "[%s%s%s] stands in line %d already; remove one", section.kind,
                              *section.name ? " " : "", section.name, r->file->section[number].place.line);
    if (WS_GROW(r->file->section, r->file->room, r->file->sections, 1))
        return fail_memory(r);
    r->section = &r->file->section[r->file->sections++];
    *r->section = section;
    return WS_OK;
}

static int read_entry(reading *r, const char *line, size_t end)
{
    const ws_place place = place_of(r, 0);
    const char *const equals = memchr(line, '=', end);
    if (!equals || equals == line || !r->section)
        return ws_claims_fail(&place,
                              r->section ? "expected KEY = VALUE or [KIND NAME]" : "expected [KIND NAME] first");
    const size_t value = skip(line, (size_t)(equals - line) + 1, end);
    const ws_claims_entry entry = {.key = copy(r, line, trim(line, (size_t)(equals - line))),
                                   .value = "",
                                   .at_key = place,
                                   .place = place_of(r, value)};
    if (!entry.key || WS_GROW(r->section->entry, r->section->room, r->section->entries, 1))
        return fail_memory(r);
    r->section->entry[r->section->entries++] = entry;
    r->length = 0;
    return add_value(r, 0, line + value, end - value);
}

/* A line feed for each line since, so that places within the value are right. */
static int read_more(reading *r, const char *line, size_t end)
{
    const ws_place place = place_of(r, 0);
    if (!r->goes_on)
        return ws_claims_fail(&place, "expected KEY = VALUE or [KIND NAME]; a line that begins with a blank continues "
                                      "the value before it");
    return add_value(r, (size_t)(r->line - r->last), line, end);
}

static int read_line(reading *r, const char *line, size_t length)
{
    const size_t end = trim(line, length), begin = skip(line, 0, end);
    if (begin == end || line[begin] == '#' || line[begin] == ';')
        return WS_OK;
    int status = begin ? read_more(r, line, end) : end_value(r);
    if (!status && !begin)
        status = *line == '[' ? read_section(r, line, end) : read_entry(r, line, end);
    r->goes_on = begin || *line != '[';
    r->last = r->line;
    return status;
}

int ws_claims_file_parse(const char *path, const char *text, size_t length, ws_claims_file *out)
{
    *out = (ws_claims_file){.arena = ws_arena_create()};
    out->path = out->arena ? ws_arena_strndup(out->arena, path, strlen(path)) : NULL;
    if (!out->path)
        return ws_fail(WS_EMEM, "%s: out of memory", path);
    if (memchr(text, 0, length))
        return ws_fail(WS_EINPUT, "%s: a zero byte; expected text", path);
    reading r = {.file = out};
    int status = WS_OK;
    for (size_t at = 0; !status && at < length;) {
        const char *const feed = memchr(text + at, '\n', length - at);
        const size_t size = feed ? (size_t)(feed - text) - at : length - at;
        r.line++;
        status = read_line(&r, text + at, size);
        at += size + 1;
    }
    if (!status)
        status = end_value(&r);
    free(r.value);
    ws_texts_fini(&r.heads);
    return status;
}

int ws_claims_file_read(const char *path, ws_claims_file *out)
{
    static const ws_input input = {.what = "a file of claims", .most_bytes = 1 << 20, .source = WS_INPUT_PIPES};
    char *text;
    size_t length;
    *out = (ws_claims_file){.path = NULL};
    int status = ws_input_read(path, &input, &text, &length);
    if (!status)
        status = ws_claims_file_parse(path, text, length, out);
    free(text);
    return status;
}

void ws_claims_file_fini(ws_claims_file *file)
{
    for (size_t i = 0; i < file->sections; i++)
        free(file->section[i].entry);
    free(file->section);
    ws_arena_destroy(file->arena);
    *file = (ws_claims_file){.path = NULL};
}

int ws_claims_find(const ws_claims_section *section, const char *key, ws_claims_entry **out)
{
    *out = NULL;
    for (size_t i = 0; i < section->entries; i++) {
        if (strcmp(section->entry[i].key, key))
            continue;
        if (*out)
            return ws_claims_fail(&section->entry[i].at_key, "%s stands in line %d already; remove one", key,
                                  (*out)->at_key.line);
        *out = &section->entry[i];
        (*out)->is_used = true;
    }
    return WS_OK;
}

int ws_claims_need(const ws_claims_section *section, const char *key, ws_claims_entry **out)
{
    const int status = ws_claims_find(section, key, out);
    return status || *out ? status
                          : ws_claims_fail(&section->place, "[%s %s] has no %s =", section->kind, section->name, key);
}

int ws_claims_check_used(const ws_claims_section *section, const char *keys)
{
    for (size_t i = 0; i < section->entries; i++)
        if (!section->entry[i].is_used)
            return ws_claims_fail(&section->entry[i].at_key, "[%s] has no key '%s'; it has %s", section->kind,
                                  section->entry[i].key, keys);
    return WS_OK;
}

int ws_claims_split(ws_claims_file *file, const ws_claims_entry *entry, size_t most, ws_claims_entry *part, size_t *n)
{
    ws_place place = entry->place;
    const char *at = entry->value;
    for (*n = 0;; at++) {
        if (*n == most)
            return ws_claims_fail(&place, "more than %zu parts", most);
        size_t length = strcspn(at, "|");
        const char *const next = at + length;
        for (; at < next && (is_blank(*at) || *at == '\n'); at++) {
            place.column = *at == '\n' ? 1 : place.column + 1;
            place.line += *at == '\n';
        }
        length = (size_t)(next - at);
        while (length && (is_blank(at[length - 1]) || at[length - 1] == '\n'))
            length--;
        part[*n] = (ws_claims_entry){.key = entry->key,
                                     .value = ws_arena_strndup(file->arena, at, length),
                                     .at_key = entry->at_key,
                                     .place = place};
        if (!part[(*n)++].value)
            return ws_fail(WS_EMEM, "%s: out of memory", file->path);
        for (; at < next; at++) {
            place.column = *at == '\n' ? 1 : place.column + 1;
            place.line += *at == '\n';
        }
        place.column++;
        if (!*next)
            return WS_OK;
    }
}

size_t ws_claims_word(const char **at)
{
    static const char blanks[] = " \t\r\n";
    *at += strspn(*at, blanks);
    return strcspn(*at, blanks);
}

bool ws_claims_has_word(const char *words, const char *word)
{
    for (size_t length; (length = ws_claims_word(&words)) > 0; words += length)
        if (length == strlen(word) && !strncmp(words, word, length))
            return true;
    return false;
}
