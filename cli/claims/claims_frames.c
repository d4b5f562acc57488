/* claims_frames.c - frames of claims: loaded, arranged as their sections say, and parts of them. */
#include "cli/claims/claims_internal.h"

#include "base/grow.h"
#include "base/settings.h"
#include "base/shown.h"
#include "base/status.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static char *copy(ws_claims *c, const char *text, size_t length)
{
    return ws_arena_strndup(c->arena, text, length);
}

static int fail_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for claims");
}

/* ------------------------------------------------------------------------------------------------ arranged */

/* rename = OLD NEW */
static int rename_axis(ws_claims *c, ws_frame *frame, const ws_claims_entry *entry)
{
    const char *at = entry->value;
    const size_t length = ws_claims_word(&at);
    const char *const old = copy(c, at, length);
    at += length;
    const size_t new_length = ws_claims_word(&at);
    if (!old)
        return fail_memory();
    const long label = ws_frame_find_label(frame, old);
    if (label < 0 || !new_length || at[new_length])
        return ws_claims_fail(&entry->place, "expected the name of a label of the frame, and a new one, not '%s'",
                              entry->value);
    char *const name = strndup(at, new_length);
    if (!name)
        return fail_memory();
    if (ws_frame_find_label(frame, name) >= 0) {
        free(name);
        return ws_claims_fail(&entry->place, "the frame has a label '%s' already", at);
    }
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
    for (size_t length; !status && (length = ws_claims_word(&at)) > 0; at += length) {
        const char *const name = copy(c, at, length);
        status = name ? make_axis(c, frame, entry, name) : fail_memory();
    }
    return status;
}

/* labels of AXIS = NAME... */
static int describe_axis(ws_claims *c, ws_frame *frame, const ws_claims_entry *entry)
{
    const char *at = entry->value;
    for (size_t length; (length = ws_claims_word(&at)) > 0; at += length) {
        const char *const name = copy(c, at, length);
        if (!name)
            return fail_memory();
        if (ws_frame_find_label(frame, name) < 0)
            return ws_claims_fail(&entry->place, "there is no label column '%s' in the frame", name);
    }
    return ws_frame_note(frame, "%s: %s", entry->key, entry->value);
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
            status = describe_axis(c, *frame, entry);
        else
            continue;
        entry->is_used = true;
    }
    return status || !section ? status
                              : ws_claims_check_used(section, "file, beside, only, rename, axes, labels of AXIS");
}

/* ------------------------------------------------------------------------------------------------ parts of frames */

/* A condition AXIS=LABEL of `only`. */
typedef struct condition {
    size_t label;
    const char *text;
    size_t length;
} condition;

static int read_conditions(const ws_claims_entry *only, const ws_frame *frame, condition *to, size_t *n)
{
    const char *at = only->value;
    *n = 0;
    for (size_t length; (length = ws_claims_word(&at)) > 0; at += length) {
        const char *const equals = memchr(at, '=', length);
        const size_t name = equals ? (size_t)(equals - at) : length;
        size_t label = 0;
        while (label < frame->labels &&
               (strlen(frame->label_names[label]) != name || strncmp(frame->label_names[label], at, name)))
            label++;
        if (!equals || label == frame->labels || *n == WS_FRAME_LABELS_MOST)
            return ws_claims_fail(&only->place, "expected AXIS=LABEL, an axis of the frame, not '%.*s'", (int)length,
                                  at);
        to[(*n)++] = (condition){label, equals + 1, length - name - 1};
    }
    return *n ? WS_OK : ws_claims_fail(&only->place, "expected AXIS=LABEL");
}

static bool meets(const ws_frame *frame, size_t row, const condition *c)
{
    const char *const label = frame->label[row * frame->labels + c->label];
    return strlen(label) == c->length && !strncmp(label, c->text, c->length);
}

/* Is the label one of points that have no such axis? */
static bool is_absent(const ws_frame *frame, size_t label)
{
    for (size_t i = 0; i < frame->rows; i++) {
        const char *const text = frame->label[i * frame->labels + label];
        if (*text && strcmp(text, "NA"))
            return false;
    }
    return true;
}

/* The frame without labels that have one text by then, or are NA in all rows. */
static int drop_labels(ws_arena *arena, const ws_frame *from, const condition *c, size_t n, ws_frame **out)
{
    const char **const name = ws_arena_alloc(arena, (from->labels + 1) * sizeof *name);
    const char **const label = ws_arena_alloc(arena, (from->labels + 1) * sizeof *label);
    size_t *const kept = ws_arena_alloc(arena, (from->labels + 1) * sizeof *kept), labels = 0;
    if (!name || !label || !kept)
        return fail_memory();
    for (size_t l = 0; l < from->labels; l++) {
        size_t k = 0;
        while (k < n && c[k].label != l)
            k++;
        if (k < n || is_absent(from, l))
            continue;
        kept[labels] = l;
        name[labels++] = from->label_names[l];
    }
    *out = ws_frame_create(0, from->columns, labels ? labels : 1, labels ? name : NULL);
    int status = *out ? ws_frame_add_notes(*out, from) : fail_memory();
    for (size_t j = 0; j < from->columns && !status; j++)
        status = ws_frame_set_column(*out, j, from->column[j].name, from->column[j].unit, from->column[j].group);
    label[0] = "";
    for (size_t i = 0; i < from->rows && !status; i++) {
        for (size_t l = 0; l < labels; l++)
            label[l] = from->label[i * from->labels + kept[l]];
        status = ws_frame_add_row(*out, label, from->value + i * from->columns);
    }
    return status;
}

int ws_claims_narrow(ws_arena *arena, const ws_frame *frame, const ws_claims_entry *only, ws_frame **out)
{
    condition c[WS_FRAME_LABELS_MOST];
    size_t n = 0, rows = 0;
    size_t *const row = malloc((frame->rows + 1) * sizeof *row);
    ws_frame *part = NULL;
    int status = row ? read_conditions(only, frame, c, &n) : fail_memory();
    for (size_t i = 0; i < frame->rows && !status; i++) {
        size_t k = 0;
        while (k < n && meets(frame, i, &c[k]))
            k++;
        if (k == n)
            row[rows++] = i;
    }
    if (!status && !rows)
        status = ws_claims_fail(&only->place, "no row of the frame has %s", only->value);
    if (!status)
        status = ws_frame_pick_rows(frame, row, rows, &part);
    if (!status)
        status = drop_labels(arena, part, c, n, out);
    ws_frame_destroy(part);
    free(row);
    return status;
}

/* ------------------------------------------------------------------------------------------------ loaded */

/* A file beside another one. */
static char *beside(ws_claims *c, const char *other, const char *path)
{
    const char *const slash = *path == '/' ? NULL : strrchr(other, '/');
    const size_t folder = slash ? (size_t)(slash - other) + 1 : 0;
    char *const text = ws_arena_alloc(c->arena, folder + strlen(path) + 1);
    if (text) {
        memcpy(text, other, folder);
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

/* A part of the frame of the command line under a name of its own. */
static int load_part(ws_claims *c, const char *name, ws_claims_section *section, const ws_claims_entry *only,
                     bool is_shown)
{
    size_t i = 0;
    while (i < c->frames && *c->frame[i].name)
        i++;
    if (i == c->frames)
        return ws_claims_fail(&only->place, "no frame on the command line can contain this part");
    ws_claims_loaded loaded = {.name = name, .path = c->frame[i].path, .section = section, .is_shown = is_shown};
    int status = WS_GROW(c->frame, c->frame_room, c->frames, 1);
    if (!status)
        status = ws_claims_narrow(c->arena, c->frame[i].frame, only, &loaded.frame);
    if (!status)
        status = arrange(c, section, &loaded.frame);
    if (status)
        ws_frame_destroy(loaded.frame);
    else
        c->frame[c->frames++] = loaded;
    return status;
}

/* The file of a frame that the command line does not name: beside the file of claims, or beside the frame of the
 * command line. */
static int find_file(ws_claims *c, const char *name, const ws_claims_section *section, const ws_claims_entry *file,
                     const ws_claims_entry *near, const char **out)
{
    if (file && near)
        return ws_claims_fail(&near->at_key, "expected file = or beside =, not both");
    if (!file && !near)
        return ws_claims_fail(&section->place,
                              "which file has the frame %s? expected file =, beside =, or --frame %s=FILE", name, name);
    const ws_claims_loaded *const first = c->frames && !*c->frame[0].name ? &c->frame[0] : NULL;
    if (near && (!first || !strcmp(first->path, "-")))
        return ws_claims_fail(&near->at_key,
                              "which frame should it extend? The frame of the command line is %s; give --frame %s=FILE",
                              first ? "standard input" : "missing", name);
    *out = file ? beside(c, c->file.path, file->value) : beside(c, first->path, near->value);
    return *out ? WS_OK : fail_memory();
}

static int load_frame(ws_claims *c, const char *name, ws_claims_section *section, const char *path)
{
    ws_claims_entry *file = NULL, *near = NULL, *axes = NULL, *only = NULL;
    int status = section ? ws_claims_find(section, "file", &file) : WS_OK;
    if (!status && section)
        status = ws_claims_find(section, "beside", &near);
    if (!status && section)
        status = ws_claims_find(section, "axes", &axes);
    if (!status && section)
        status = ws_claims_find(section, "only", &only);
    const bool is_shown = axes && !strcmp(axes->value, "none");
    if (!status && !path && !file && !near && *name && only)
        return load_part(c, name, section, only, is_shown);
    if (!status && only && *name)
        return ws_claims_fail(&only->at_key, "only applies to the frame of the command line; this one has a file");
    if (!status && !path)
        status = find_file(c, name, section, file, near, &path);
    ws_claims_loaded loaded = {.name = name, .section = section, .path = path, .is_shown = is_shown};
    if (!status)
        status = WS_GROW(c->frame, c->frame_room, c->frames, 1);
    if (!status)
        status = read_frame(loaded.path, &loaded.frame);
    if (!status)
        status = arrange(c, section, &loaded.frame);
    if (status) {
        ws_frame_destroy(loaded.frame);
        return status;
    }
    c->frame[c->frames++] = loaded;
    return WS_OK;
}

static const char *path_of(const ws_claims_path *path, size_t paths, const char *name)
{
    for (size_t i = 0; i < paths; i++)
        if (!strcmp(path[i].name, name))
            return path[i].path;
    return NULL;
}

/* That of the command line comes first: others may be parts of it. */
static int load_first(ws_claims *c, const ws_claims_path *path, size_t paths)
{
    ws_claims_section *const section = ws_claims_find_section(c, "frame", "");
    const char *const first = path_of(path, paths, "");
    return section || first ? load_frame(c, "", section, first) : WS_OK;
}

int ws_claims_load_frames(ws_claims *c, const ws_claims_path *path, size_t paths)
{
    ws_claims_section *section = NULL;
    int status = load_first(c, path, paths);
    while (!status && (section = ws_claims_next_section(c, "frame", section)))
        if (*section->name)
            status = load_frame(c, section->name, section, path_of(path, paths, section->name));
    for (size_t i = 0; i < paths && !status; i++)
        if (*path[i].name && !ws_claims_find_section(c, "frame", path[i].name))
            status = ws_fail(WS_EINPUT, "%s: there is no [frame %s]", c->file.path, path[i].name);
    return status;
}

int ws_claims_add_labels(const ws_claims *claims, const char *axis, ws_texts *to)
{
    const ws_axis *const set = ws_scope_set(claims->scope, axis);
    size_t number;
    int status = WS_OK;
    for (size_t i = 0; i < (set ? set->labels : 0) && !status; i++)
        status = ws_texts_put(to, set->label[i], &number);
    for (size_t i = 0; i < claims->frames; i++) {
        const ws_frame *const f = claims->frame[i].frame;
        const long l = ws_frame_find_label(f, axis);
        for (size_t r = 0; r < (l < 0 ? 0 : f->rows) && !status; r++)
            status = ws_texts_put(to, f->label[r * f->labels + (size_t)l], &number);
    }
    return status;
}

void ws_claims_show_lacks(const ws_claims *claims, FILE *out)
{
    for (size_t i = 0; i < claims->frames; i++) {
        const ws_claims_loaded *const loaded = &claims->frame[i];
        const bool is_part = i > 0 && loaded->path == claims->frame[0].path;
        size_t done, points;
        if (!is_part && ws_frame_points(loaded->frame, &done, &points) && done < points)
            ws_show_line(out,
                         "%s: only %zu of %zu points of the sweep are in this frame; means and counts leave the others "
                         "out: run the sweep again to finish them, with --retry the failed ones, too",
                         loaded->path, done, points);
    }
}
