/* claims_open.c - files of claims opened: frames loaded, names defined. */
#include "cli/claims/claims_internal.h"

#include "base/grow.h"
#include "base/settings.h"
#include "base/status.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

ws_claims_section *ws_claims_section_at(const ws_claims *claims, const char *kind, size_t index)
{
    for (size_t i = 0; i < claims->file.sections; i++)
        if (!strcmp(claims->file.section[i].kind, kind) && !index--)
            return &claims->file.section[i];
    return NULL;
}

const char *ws_claims_study(const ws_claims *claims)
{
    return claims->study;
}

/* ------------------------------------------------------------------------------------------------ frames */

/* The next word of a text; its length is 0 at the end. */
static size_t next_word(const char **at)
{
    *at += strspn(*at, " \t\n");
    return strcspn(*at, " \t\n");
}

static char *copy(ws_claims *c, const char *text, size_t length)
{
    return ws_arena_strndup(c->arena, text, length);
}

static int fail_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for claims");
}

/* rename = OLD NEW */
static int rename_axis(ws_claims *c, ws_frame *frame, const ws_claims_entry *entry)
{
    const char *at = entry->value;
    const size_t length = next_word(&at);
    const char *const old = copy(c, at, length);
    at += length;
    const size_t new_length = next_word(&at);
    if (!old)
        return fail_memory();
    const long label = ws_frame_find_label(frame, old);
    if (label < 0 || !new_length || at[new_length])
        return ws_claims_fail(&entry->place, "expected the name of a label of the frame, and a new one, not '%s'",
                              entry->value);
    char *const name = strndup(at, new_length);
    if (!name)
        return fail_memory();
    free(frame->label_names[label]);
    frame->label_names[label] = name;
    return WS_OK;
}

/* axes = COLUMN...: numbers that are labels. `none`: a frame that figures show, and expressions do not name. */
static int make_axis(ws_claims *c, ws_frame **frame, const ws_claims_entry *entry, const char *name)
{
    const ws_frame *const from = *frame;
    const long column = ws_frame_find_column(from, name);
    if (column < 0)
        return ws_claims_fail(&entry->place, "there is no column '%s' in the frame", name);
    const char **const names = ws_arena_alloc(c->arena, (from->labels + 1) * sizeof *names);
    size_t *const others = ws_arena_alloc(c->arena, (from->columns + 1) * sizeof *others), n = 0;
    if (!names || !others)
        return fail_memory();
    for (size_t l = 0; l < from->labels; l++)
        names[l] = from->label_names[l];
    names[from->labels] = name;
    for (size_t j = 0; j < from->columns; j++)
        if (j != (size_t)column)
            others[n++] = j;
    ws_frame *const to = ws_frame_create(from->rows, n, from->labels + 1, names);
    int status = to ? ws_frame_add_notes(to, from) : fail_memory();
    for (size_t j = 0; j < n && !status; j++)
        status = ws_frame_set_column(to, j, from->column[others[j]].name, from->column[others[j]].unit,
                                     from->column[others[j]].group);
    for (size_t i = 0; i < from->rows && !status; i++) {
        char text[WS_NUMBER_BYTES];
        for (size_t l = 0; l < from->labels && !status; l++)
            status = ws_frame_set_label(to, i, l, from->label[i * from->labels + l]);
        ws_text_from_double(from->value[i * from->columns + (size_t)column], text);
        if (!status)
            status = ws_frame_set_label(to, i, from->labels, text);
        for (size_t j = 0; j < n; j++)
            to->value[i * n + j] = from->value[i * from->columns + others[j]];
    }
    if (status) {
        ws_frame_destroy(to);
        return status;
    }
    ws_frame_destroy(*frame);
    *frame = to;
    return WS_OK;
}

static int make_axes(ws_claims *c, ws_frame **frame, const ws_claims_entry *entry)
{
    const char *at = entry->value;
    int status = WS_OK;
    for (size_t length; !status && (length = next_word(&at)) > 0; at += length) {
        const char *const name = copy(c, at, length);
        status = name ? make_axis(c, frame, entry, name) : fail_memory();
    }
    return status;
}

static int arrange(ws_claims *c, ws_claims_section *section, ws_frame **frame)
{
    static const char of[] = "labels of ";
    int status = WS_OK;
    for (size_t i = 0; i < (section ? section->entries : 0) && !status; i++) {
        ws_claims_entry *const entry = &section->entry[i];
        const bool describes = !strncmp(entry->key, of, sizeof of - 1);
        if (!strcmp(entry->key, "rename"))
            status = rename_axis(c, *frame, entry);
        else if (!strcmp(entry->key, "axes"))
            status = strcmp(entry->value, "none") ? make_axes(c, frame, entry) : WS_OK;
        else if (describes)
            status = ws_frame_note(*frame, "%s: %s", entry->key, entry->value);
        else
            continue;
        entry->is_used = true;
    }
    return status || !section ? status : ws_claims_check_used(section, "file, rename, axes, labels of AXIS");
}

/* A file beside that of the claims. */
static char *beside(ws_claims *c, const char *path)
{
    const char *const slash = *path == '/' ? NULL : strrchr(c->file.path, '/');
    const size_t folder = slash ? (size_t)(slash - c->file.path) + 1 : 0;
    char *const text = ws_arena_alloc(c->arena, folder + strlen(path) + 1);
    if (text) {
        memcpy(text, c->file.path, folder);
        strcpy(text + folder, path);
    }
    return text;
}

/* A file of settings as a frame: labels section and name, column value. */
static int take_settings(const ws_settings *settings, void *out)
{
    static const ws_frame_column column = {"value", ""};
    static const ws_frame_layout layout = {.labels = {"section", "name"}, .column = &column, .columns = 1};
    ws_frame *frame;
    int status = ws_frame_begin(&layout, &frame);
    for (size_t i = 0; i < settings->count && !status; i++) {
        const ws_setting *const s = &settings->list[i];
        const char *unit;
        double value;
        if (!ws_text_to_quantity(s->value, &value, &unit))
            status = ws_frame_add_row(frame, (const char *const[]){s->section, s->name}, &value);
    }
    return ws_frame_give(status, frame, out);
}

static int read_frame(const char *path, ws_frame **out)
{
    static const char ending[] = ".ini";
    const size_t length = strlen(path), n = sizeof ending - 1;
    *out = NULL;
    return length > n && !strcmp(path + length - n, ending) ? ws_settings_take(path, NULL, 0, take_settings, out)
                                                            : ws_frame_load(path, out);
}

static int load_frame(ws_claims *c, const char *name, ws_claims_section *section, const char *path)
{
    ws_claims_entry *file = NULL;
    int status = section ? ws_claims_find(section, "file", &file) : WS_OK;
    if (!status && !path && !file)
        return ws_claims_fail(&section->place, "which file has the frame %s? expected file =, or --frame %s=FILE", name,
                              name);
    const char *const from = status ? NULL : path ? path : beside(c, file->value);
    if (!status)
        status = from ? WS_GROW(c->frame, c->frame_room, c->frames, 1) : fail_memory();
    ws_frame *frame = NULL;
    if (!status)
        status = read_frame(from, &frame);
    if (!status)
        status = arrange(c, section, &frame);
    ws_claims_entry *axes = NULL;
    if (!status && section)
        status = ws_claims_find(section, "axes", &axes);
    if (status) {
        ws_frame_destroy(frame);
        return status;
    }
    c->frame[c->frames++] = frame;
    const bool is_shown = axes && !strcmp(axes->value, "none");
    return is_shown ? WS_OK : ws_scope_add_frame(c->scope, name, from, frame);
}

static const char *path_of(const ws_claims_path *path, size_t paths, const char *name)
{
    for (size_t i = 0; i < paths; i++)
        if (!strcmp(path[i].name, name))
            return path[i].path;
    return NULL;
}

static int load_frames(ws_claims *c, const ws_claims_path *path, size_t paths)
{
    ws_claims_section *section;
    bool has_first = false;
    int status = WS_OK;
    for (size_t i = 0; !status && (section = ws_claims_section_at(c, "frame", i)); i++) {
        has_first = has_first || !*section->name;
        status = load_frame(c, section->name, section, path_of(path, paths, section->name));
    }
    for (size_t i = 0; i < paths && !status; i++) {
        bool is_declared = !*path[i].name && has_first;
        for (size_t k = 0; !is_declared && (section = ws_claims_section_at(c, "frame", k)); k++)
            is_declared = !strcmp(section->name, path[i].name);
        if (!is_declared && *path[i].name)
            status = ws_fail(WS_EINPUT, "%s: there is no [frame %s]", c->file.path, path[i].name);
        else if (!is_declared)
            status = load_frame(c, "", NULL, path[i].path);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ names */

static int add_names(ws_claims *c, ws_claims_section *section)
{
    int status = WS_OK;
    for (size_t i = 0; i < section->entries && !status; i++) {
        section->entry[i].is_used = true;
        if (!strcmp(section->kind, "sets"))
            status =
                ws_scope_add_set(c->scope, section->entry[i].key, section->entry[i].value, &section->entry[i].place);
        else if (!strcmp(section->kind, "names"))
            status = ws_scope_add_name(c->scope, section->name, section->entry[i].key, section->entry[i].value);
        else
            status = ws_scope_define(c->scope, section->entry[i].key, &section->entry[i].at_key,
                                     section->entry[i].value, &section->entry[i].place);
    }
    return status;
}

static int define_names(ws_claims *c)
{
    static const char *const kinds[] = {"sets", "names", "let"};
    int status = WS_OK;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !status; k++) {
        ws_claims_section *section;
        for (size_t i = 0; !status && (section = ws_claims_section_at(c, kinds[k], i)); i++)
            status = add_names(c, section);
    }
    return status;
}

static int check_kinds(const ws_claims *c)
{
    static const char *const kinds[] = {"study", "frame", "sets", "names", "let", "claim", "table", "figure"};
    for (size_t i = 0; i < c->file.sections; i++) {
        size_t k = 0;
        while (k < sizeof kinds / sizeof *kinds && strcmp(kinds[k], c->file.section[i].kind))
            k++;
        if (k == sizeof kinds / sizeof *kinds)
            return ws_claims_fail(
                &c->file.section[i].place,
                "there is no section [%s]; expected [study], [frame NAME], [sets], [names AXIS], [let], "
                "[claim NAME], [table NAME] or [figure NAME]",
                c->file.section[i].kind);
    }
    return WS_OK;
}

/* What is said of the study is for people, but whether claims are numbered. */
static int read_study(ws_claims *c)
{
    ws_claims_section *const section = ws_claims_section_at(c, "study", 0);
    static const char *const keys[] = {"title", "source", "page"};
    ws_claims_entry *entry;
    if (!section)
        return WS_OK;
    int status = WS_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !status; i++)
        status = ws_claims_find(section, keys[i], &entry);
    if (!status)
        status = ws_claims_find(section, "numbered", &entry);
    if (status)
        return status;
    if (entry && strcmp(entry->value, "yes") && strcmp(entry->value, "no"))
        return ws_claims_fail(&entry->place, "expected yes or no");
    c->is_numbered = entry && !strcmp(entry->value, "yes");
    return ws_claims_check_used(section, "title, source, page, numbered");
}

int ws_claims_open(const char *file, const ws_claims_path *path, size_t paths, ws_claims **out)
{
    ws_claims *const c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return fail_memory();
    c->arena = ws_arena_create();
    c->scope = ws_scope_create();
    c->study = ws_text_stem(file);
    int status = c->arena && c->scope && c->study ? ws_claims_file_read(file, &c->file) : fail_memory();
    if (!status)
        status = check_kinds(c);
    if (!status)
        status = read_study(c);
    if (!status)
        status = load_frames(c, path, paths);
    if (!status)
        status = define_names(c);
    if (status) {
        ws_claims_destroy(c);
        return status;
    }
    *out = c;
    return WS_OK;
}

void ws_claims_destroy(ws_claims *claims)
{
    if (!claims)
        return;
    ws_scope_destroy(claims->scope);
    for (size_t i = 0; i < claims->frames; i++)
        ws_frame_destroy(claims->frame[i]);
    free(claims->frame);
    free(claims->claim);
    free(claims->study);
    ws_arena_destroy(claims->arena);
    ws_claims_file_fini(&claims->file);
    free(claims);
}
