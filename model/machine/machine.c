/* machine.c - which machine does a file describe? */
#include "model/machine/machine_internal.h"

#include "base/guess.h"
#include "base/input.h"
#include "base/settings.h"
#include "base/status.h"
#include "base/text.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    ws_machine_option option;
    size_t offset; /* of a number or text; a kind has functions */
} row;
enum { KIND_OFFSET = 0 };

static const row rows[] = {
#define NUMBER(section, name, unit, fallback, least, most, meaning) \
    {{#section, {#name, unit, fallback, least, most, meaning}, NULL}, offsetof(ws_machine, section##_##name)},
#define WORD(section, name, fallback, meaning) \
    {{#section, {#name, "", 0, 0, 0, meaning}, fallback}, offsetof(ws_machine, section##_##name)},
#define KIND(section, name, fallback, meaning) {{#section, {#name, "", 0, 0, 0, meaning}, fallback}, KIND_OFFSET},
#include "model/machine/machine.def"
#undef NUMBER
#undef WORD
#undef KIND
};

static const struct {
    const char *section;
    size_t offset;
} lists[WS_LISTS] = {
#define LIST(section) {#section, offsetof(ws_machine, section)},
#include "model/machine/kinds.def"
};

const ws_machine_option *ws_machine_option_row(size_t index)
{
    return index < WS_MACHINE_ROWS ? &rows[index].option : NULL;
}

ws_machine_options *ws_machine_list(ws_machine *machine, int list)
{
    return (ws_machine_options *)(void *)((char *)machine + lists[list].offset);
}

const ws_machine_options *ws_machine_given(const ws_machine *machine, size_t index, const char **section)
{
    if (index >= WS_LISTS)
        return NULL;
    *section = lists[index].section;
    return (const ws_machine_options *)(const void *)((const char *)machine + lists[index].offset);
}

/* NULL: a number, or a text. */
static const ws_kind *kind_of(size_t index)
{
    const ws_kind *kind = NULL;
    for (size_t i = 0; (kind = ws_kind_at(i)) && kind->row != index; i++)
        ;
    return kind;
}

const char *ws_machine_word(const ws_machine *machine, size_t index)
{
    const ws_kind *const kind = kind_of(index);
    const char *const unknown = machine->storage ? machine->storage->unknown[index] : NULL;
    return unknown ? unknown : kind ? kind->named(machine) : (const char *)machine + rows[index].offset;
}

bool ws_machine_take(ws_machine *machine, size_t index, const char *word)
{
    const ws_kind *const kind = kind_of(index);
    for (size_t i = 0; kind->name(i); i++)
        if (!strcmp(kind->name(i), word)) {
            kind->take(machine, i);
            return true;
        }
    return false;
}

static uint32_t *number_at(ws_machine *machine, const row *r)
{
    return (uint32_t *)(void *)((char *)machine + r->offset);
}

uint32_t ws_machine_number(const ws_machine *machine, size_t index)
{
    return *number_at((ws_machine *)machine, &rows[index]);
}

const char *ws_machine_text(ws_machine *machine, const char *format, ...)
{
    va_list arguments;
    char *text;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return NULL;
    const char *const copy = ws_arena_strndup(machine->storage->arena, text, (size_t)length);
    free(text);
    return copy;
}

/* --- One value --- */

/* What is to be given a value, for messages. */
typedef struct target {
    const char *section, *name, *value, *where;
} target;

static int refuse(const target *t, const char *text)
{
    return ws_fail(WS_EINPUT, "%s%s%s.%s = %s: %s", t->where ? t->where : "", t->where ? ": " : "", t->section, t->name,
                   t->value, text);
}

static int put_number(ws_machine *machine, const row *r, const target *t)
{
    char why[WS_OPTION_WHY];
    double number;
    if (ws_option_read(&r->option.option, WS_OPTION_FORM_COUNT, t->value, &number, why))
        return refuse(t, why);
    *number_at(machine, r) = (uint32_t)number;
    return WS_OK;
}

static int put_word(ws_machine *machine, const row *r, const target *t)
{
    const size_t length = strlen(t->value);
    if (!length || length >= WS_MACHINE_WORD || strcspn(t->value, " \t") != length)
        return refuse(t, "expected one word of at most 63 characters");
    const size_t index = (size_t)(r - rows);
    const char **const unknown = &machine->storage->unknown[index];
    *unknown = NULL;
    if (!kind_of(index))
        memcpy((char *)machine + r->offset, t->value, length + 1);
    else if (!ws_machine_take(machine, index, t->value) && !(*unknown = ws_machine_text(machine, "%s", t->value)))
        return ws_fail(WS_EMEM, "%s: out of memory", machine->storage->file);
    return WS_OK;
}

/* --- Options of components --- */

static int grow(ws_machine *machine, int which)
{
    ws_machine_storage *const s = machine->storage;
    ws_machine_options *const list = ws_machine_list(machine, which);
    if (list->count < s->room[which])
        return WS_OK;
    const size_t room = s->room[which] ? 2 * s->room[which] : 16;
    ws_given *const given = ws_arena_alloc(s->arena, room * sizeof *given);
    ws_machine_passed *const passed = ws_arena_alloc(s->arena, room * sizeof *passed);
    if (!given || !passed)
        return ws_fail(WS_EMEM, "%s: out of memory", s->file);
    if (list->count) {
        memcpy(given, list->list, list->count * sizeof *given);
        memcpy(passed, s->passed[which], list->count * sizeof *passed);
    }
    list->list = given;
    s->passed[which] = passed;
    s->room[which] = room;
    return WS_OK;
}

static int put_passed(ws_machine *machine, int which, const target *t)
{
    double number;
    const char *unit;
    if (ws_text_to_quantity(t->value, &number, &unit))
        return refuse(t, "expected a number and its unit");
    const double bytes = ws_unit_factor("bytes", unit);
    if (bytes > 0) {
        number *= bytes;
        unit = "bytes";
    }
    if (!(number >= 0 && number <= 0x1p53) || number != floor(number))
        return refuse(t, "expected a whole number that is not negative");
    const int rc = grow(machine, which);
    if (rc)
        return rc;
    ws_machine_options *const list = ws_machine_list(machine, which);
    size_t at = 0;
    while (at < list->count && strcmp(list->list[at].name, t->name))
        at++;
    const char *const name = at < list->count ? list->list[at].name : ws_machine_text(machine, "%s", t->name);
    const char *const written = ws_machine_text(machine, "%s", unit);
    if (!name || !written)
        return ws_fail(WS_EMEM, "%s: out of memory", machine->storage->file);
    if (at == list->count)
        list->count++;
    list->list[at] = (ws_given){.name = name, .value = (uint64_t)number, .where = t->where};
    machine->storage->passed[which][at] = (ws_machine_passed){.unit = written, .where = t->where};
    return WS_OK;
}

const char *ws_machine_named(const ws_machine *machine, const ws_kind *kind)
{
    return ws_machine_word(machine, kind->row);
}

const ws_option *ws_machine_find_option(const ws_machine *machine, const char *section, const char *name)
{
    const ws_option *found = NULL;
    const ws_kind *kind;
    for (size_t i = 0; !found && (kind = ws_kind_at(i)); i++)
        if (!strcmp(kind->list, section))
            found = ws_kind_option(kind, ws_machine_named(machine, kind), name);
    return found;
}

const ws_kind *ws_machine_could_have(const char *section, const char *name, const char **owner)
{
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++)
        for (size_t at = 0; !strcmp(kind->list, section) && (*owner = kind->name(at)); at++)
            if (ws_kind_option(kind, *owner, name))
                return kind;
    *owner = NULL;
    return NULL;
}

static int find_list(const char *section)
{
    int i = 0;
    while (i < WS_LISTS && strcmp(lists[i].section, section) != 0)
        i++;
    return i;
}

/* Options that only the component had that was named before go with it. */
static void drop_options(ws_machine *machine, const ws_kind *kind, const char *before)
{
    if (!*kind->list || !strcmp(before, ws_machine_named(machine, kind)))
        return;
    const int number = find_list(kind->list);
    ws_machine_options *const list = ws_machine_list(machine, number);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *const name = list->list[i].name;
        if (ws_kind_option(kind, before, name) && !ws_machine_find_option(machine, kind->list, name))
            continue;
        machine->storage->passed[number][kept] = machine->storage->passed[number][i];
        list->list[kept++] = list->list[i];
    }
    list->count = kept;
}

/* --- Which option --- */

static void list_names(const char *section, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < WS_MACHINE_ROWS && used < size; i++)
        if (!strcmp(rows[i].option.section, section))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", rows[i].option.option.name);
}

static void list_sections(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < WS_MACHINE_ROWS && used < size; i++)
        if (!i || strcmp(rows[i].option.section, rows[i - 1].option.section))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", rows[i].option.section);
    for (size_t i = 0; i < WS_LISTS && used < size; i++) {
        size_t at = 0;
        while (at < WS_MACHINE_ROWS && strcmp(rows[at].option.section, lists[i].section) != 0)
            at++;
        if (at == WS_MACHINE_ROWS) /* a section of nothing but options of components */
            used += (size_t)snprintf(text + used, size - used, ", %s", lists[i].section);
    }
}

/* "..., and the options of l1.replacement and l1.index": which they are is told by what is chosen. */
static void list_components(const char *section, char *text, size_t size)
{
    size_t used = strlen(text);
    const char *before = used ? ", and the options of " : "the options of ";
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)) && used < size; i++) {
        if (strcmp(kind->list, section) != 0)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s.%s", before, kind->section, kind->word);
        before = " and ";
    }
}

/* The option of the section whose name is close to the one asked for; NULL: none. */
static const char *closest_name(const target *t)
{
    ws_guess guess = ws_guess_of(t->name);
    for (size_t i = 0; i < WS_MACHINE_ROWS; i++)
        if (!strcmp(rows[i].option.section, t->section))
            ws_guess_see(&guess, rows[i].option.option.name);
    return guess.best;
}

static int unknown(const target *t)
{
    char names[512];
    const char *const close = closest_name(t);
    const char *const where = t->where ? t->where : "", *const colon = t->where ? ": " : "";
    list_names(t->section, names, sizeof names);
    list_components(t->section, names, sizeof names);
    if (*names)
        return ws_fail(WS_EINPUT, "%s%s%s.%s is no option; [%s] has %s%s%s%s", where, colon, t->section, t->name,
                       t->section, names, close ? "; did you mean " : "", close ? close : "", close ? "?" : "");
    list_sections(names, sizeof names);
    return ws_fail(WS_EINPUT, "%s%s%s.%s is no option; the sections are %s", where, colon, t->section, t->name, names);
}

static int put_row(ws_machine *machine, size_t index, const target *t)
{
    const row *const r = &rows[index];
    const int rc = r->option.word ? put_word(machine, r, t) : put_number(machine, r, t);
    if (rc)
        return rc;
    machine->storage->given[index] = true;
    machine->storage->where[index] = t->where;
    if (index == WS_MACHINE_ROW_memory_part)
        machine->has_part = false;
    return WS_OK;
}

size_t ws_machine_row(const char *section, const char *name)
{
    size_t i = 0;
    while (i < WS_MACHINE_ROWS && (strcmp(rows[i].option.section, section) || strcmp(rows[i].option.option.name, name)))
        i++;
    return i;
}

int ws_machine_put(ws_machine *machine, const char *section, const char *name, const char *value, const char *where)
{
    const target t = {section, name, value, where};
    const size_t index = ws_machine_row(section, name);
    if (index < WS_MACHINE_ROWS)
        return put_row(machine, index, &t);
    for (int which = 0; which < WS_LISTS; which++)
        if (!strcmp(lists[which].section, section) && ws_machine_could_have(section, name, &(const char *){NULL}))
            return put_passed(machine, which, &t);
    return unknown(&t);
}

static int set_ours(ws_machine *machine, const char *option, const char *value)
{
    const char *const dot = strchr(option, '.');
    if (!dot || dot == option || !dot[1])
        return ws_fail(WS_EINPUT, "%s = %s: expected section.name, e.g. l1.latency", option, value);
    const char *const section = ws_machine_text(machine, "%.*s", (int)(dot - option), option);
    return section ? ws_machine_put(machine, section, dot + 1, value, NULL)
                   : ws_fail(WS_EMEM, "%s: out of memory", option);
}

int ws_machine_set(ws_machine *machine, const char *option, const char *value)
{
    const char *before[WS_MACHINE_ROWS];
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++)
        before[i] = ws_machine_named(machine, kind);
    const int rc = *option == '-' ? ws_machine_set_gpgpusim(machine, option, value) : set_ours(machine, option, value);
    for (size_t i = 0; !rc && (kind = ws_kind_at(i)); i++)
        drop_options(machine, kind, before[i]);
    return rc;
}

/* --- A file --- */

void ws_machine_defaults(ws_machine *machine)
{
    for (size_t i = 0; i < WS_MACHINE_ROWS; i++) {
        if (kind_of(i))
            ws_machine_take(machine, i, rows[i].option.word);
        else if (rows[i].option.word)
            strcpy((char *)machine + rows[i].offset, rows[i].option.word);
        else
            *number_at(machine, &rows[i]) = (uint32_t)rows[i].option.option.fallback;
    }
}

/* "data/configs/gtsc.ini" is called gtsc. */
static const char *short_name(ws_machine *machine, const char *file)
{
    const char *const slash = strrchr(file, '/'), *const base = slash ? slash + 1 : file;
    const char *const dot = strrchr(base, '.');
    return ws_machine_text(machine, "%.*s", (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base)), base);
}

static int create(const char *data, const char *file, ws_machine **out)
{
    ws_machine *const machine = calloc(1, sizeof *machine);
    ws_arena *const arena = ws_arena_create();
    ws_machine_storage *const storage = arena ? ws_arena_alloc(arena, sizeof *storage) : NULL;
    if (!machine || !storage) {
        free(machine);
        ws_arena_destroy(arena);
        return ws_fail(WS_EMEM, "%s: out of memory", file);
    }
    storage->arena = arena;
    machine->storage = storage;
    ws_machine_defaults(machine);
    storage->file = ws_machine_text(machine, "%s", file);
    machine->name = short_name(machine, file);
    machine->folder = ws_machine_text(machine, "%s/tech", data);
    machine->ignored = "";
    if (!storage->file || !machine->name || !machine->folder) {
        ws_machine_destroy(machine);
        return ws_fail(WS_EMEM, "%s: out of memory", file);
    }
    *out = machine;
    return WS_OK;
}

const char *ws_machine_name(const ws_machine *machine)
{
    return machine->name;
}

void ws_machine_destroy(ws_machine *machine)
{
    if (!machine)
        return;
    ws_arena_destroy(machine->storage->arena);
    free(machine);
}

static int put_setting(ws_machine *machine, const ws_settings *file, const ws_setting *s)
{
    const bool known = ws_machine_row(s->section, s->name) < WS_MACHINE_ROWS ||
                       ws_machine_could_have(s->section, s->name, &(const char *){NULL});
    const char *const where =
        ws_machine_text(machine, "%s:%d:%d", file->file, s->line, known ? s->value_column : s->name_column);
    return where ? ws_machine_put(machine, s->section, s->name, s->value, where)
                 : ws_fail(WS_EMEM, "%s: out of memory", file->file);
}

static int read_ini(ws_machine *machine, const char *file, const char *text, size_t length)
{
    ws_settings *settings;
    int rc = ws_settings_parse(file, text, length, &settings);
    for (size_t i = 0; !rc && i < settings->count; i++)
        rc = put_setting(machine, settings, &settings->list[i]);
    ws_settings_destroy(settings);
    return rc;
}

/* The first character that belongs to no comment tells: options of GPGPU-Sim open with a dash. */
static bool is_gpgpusim(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '#' || text[i] == ';')
            while (i < length && text[i] != '\n')
                i++;
        else if (!strchr(" \t\r\n", text[i]))
            return text[i] == '-';
    }
    return false;
}

int ws_machine_parse(const char *data, const char *file, const char *text, size_t length, ws_machine **out)
{
    ws_machine *machine = NULL;
    *out = NULL;
    int rc = create(data, file, &machine);
    if (rc)
        return rc;
    rc = is_gpgpusim(text, length) ? ws_machine_read_gpgpusim(machine, file, text, length)
                                   : read_ini(machine, file, text, length);
    if (!rc)
        rc = ws_machine_check(machine);
    if (rc)
        ws_machine_destroy(machine);
    else
        *out = machine;
    return rc;
}

static int is_ini(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 4 && !strcmp(entry->d_name + length - 4, ".ini");
}

/* There is no such file: what is there? */
static int no_such_name(const char *data, const char *name)
{
    char folder[4096], names[1024] = "";
    struct dirent **entries = NULL;
    snprintf(folder, sizeof folder, "%s/configs", data);
    const int count = scandir(folder, &entries, is_ini, alphasort);
    ws_guess guess = ws_guess_of(name);
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - strlen(".ini")] = '\0';
        ws_guess_see(&guess, entries[i]->d_name);
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", entries[i]->d_name);
    }
    const int status = ws_fail(WS_EIO, "there is no configuration %s in %s%s%s%s; it has %s (a path contains a slash)",
                               name, folder, guess.best ? "; did you mean " : "", guess.best ? guess.best : "",
                               guess.best ? "?" : "", *names ? names : "none");
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return status;
}

static bool is_path(const char *name)
{
    const char *const dot = strrchr(name, '.');
    return strchr(name, '/') || (dot && (!strcmp(dot, ".ini") || !strcmp(dot, ".config")));
}

int ws_machine_read(const char *data, const char *name, ws_machine **out)
{
    char path[4096];
    *out = NULL;
    const bool given = is_path(name);
    if (snprintf(path, sizeof path, given ? "%s%s" : "%s/configs/%s.ini", given ? "" : data, name) >= (int)sizeof path)
        return ws_fail(WS_EIO, "%.64s...: this path is too long", name);
    const ws_input input = {
        .what = "a configuration of a machine", .most_bytes = 1 << 20, .source = WS_INPUT_PIPES, .is_found = !given};
    char *text;
    size_t length;
    int rc = ws_input_read(path, &input, &text, &length);
    if (!rc)
        rc = ws_machine_parse(data, path, text, length, out);
    free(text);
    return rc == WS_ENOTFOUND && !given ? no_such_name(data, name) : rc;
}

int ws_machine_part(const ws_machine *machine, ws_dram_part *part)
{
    int rc = WS_OK;
    if (machine->has_part) {
        *part = machine->part;
    } else {
        char path[4096];
        const bool given = strchr(machine->memory_part, '/') != NULL;
        snprintf(path, sizeof path, "%s%s%s%s", given ? "" : machine->folder, given ? "" : "/", machine->memory_part,
                 given ? "" : ".ini");
        rc = ws_dram_part_read(path, part);
    }
    if (!rc && machine->chip_memory_clock)
        part->clock_mhz = machine->chip_memory_clock / 1000.0;
    return rc;
}
