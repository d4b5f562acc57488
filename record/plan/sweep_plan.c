/* sweep_plan.c - the sections of a plan: axes and their labels, blocks of points, exclusions. */
#include "base/frame.h"
#include "base/grow.h"
#include "base/guess.h"
#include "base/input.h"
#include "base/option.h"
#include "base/text.h"
#include "record/plan/plan_internal.h"

#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t";

int plan_no_memory(const ws_plan *plan)
{
    return ws_fail(WS_EMEM, "%s: out of memory", plan->file);
}

int plan_fail(const ws_plan *plan, const ws_setting *at, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ws_fail(WS_EINPUT, "%s:%d:%d: %s", plan->file, at->line, at->name_column, text);
}

static char *keep(ws_plan *plan, const char *text, size_t length)
{
    return ws_arena_strndup(plan->memory->arena, text, length);
}

long plan_find_axis(const ws_plan *plan, const char *name, size_t length)
{
    for (size_t i = 0; i < plan->axes; i++)
        if (strlen(plan->axis[i].name) == length && !strncmp(plan->axis[i].name, name, length))
            return (long)i;
    return -1;
}

long plan_find_block(const ws_plan *plan, const char *name, size_t length)
{
    for (size_t i = 0; i < plan->blocks; i++)
        if (strlen(plan->block[i].name) == length && !strncmp(plan->block[i].name, name, length))
            return (long)i;
    return -1;
}

/* Letters, digits and _, with a letter first; `also` are further ones behind it. */
static bool is_name(const char *text, size_t length, const char *also)
{
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && (!i || !((c >= '0' && c <= '9') || c == '_' || strchr(also, c))))
            return false;
    }
    return length > 0;
}

/* The next word of a list; false: there is none. */
static bool next_word(const char **at, const char **word, size_t *length)
{
    *word = *at + strspn(*at, blanks);
    *length = strcspn(*word, blanks);
    *at = *word + *length;
    return *length > 0;
}

/* ------------------------------------------------------------------------------------------------ names */

/* What keys of a block are called, so no axis may be. */
static const char *const block_keys[] = {"command", "rows",    "outputs",    "files", "memory", "time",
                                         "cores",   "exclude", "checkpoint", "exit",  "db"};

static int add_axis(ws_plan *plan, const ws_setting *at, const char *name, size_t length, bool declared, size_t *out)
{
    if (!is_name(name, length, ""))
        return plan_fail(plan, at, "'%.*s': expected the name of an axis: letters, digits and _", (int)length, name);
    for (size_t i = 0; i < sizeof block_keys / sizeof *block_keys; i++)
        if (strlen(block_keys[i]) == length && !strncmp(block_keys[i], name, length))
            return plan_fail(plan, at, "no axis can be called '%.*s', which is a key of [points]; rename it",
                             (int)length, name);
    if (plan->axes == WS_PLAN_AXES_MOST)
        return plan_fail(plan, at, "more than %d axes", WS_PLAN_AXES_MOST);
    char *const copy = keep(plan, name, length);
    if (!copy)
        return plan_no_memory(plan);
    *out = plan->axes++;
    plan->axis[*out] = (ws_plan_axis){.name = copy, .at = at, .declared = declared};
    return WS_OK;
}

static long find_value(const ws_plan_axis *axis, const char *label, size_t length)
{
    for (size_t i = 0; i < axis->values; i++)
        if (strlen(axis->value[i].label) == length && !strncmp(axis->value[i].label, label, length))
            return (long)i;
    return -1;
}

/* Control characters mark files in commands, and would make lines of messages. */
static bool has_control(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' && !strchr(blanks, text[i]))
            return true;
    return false;
}

static int add_value(ws_plan *plan, ws_plan_axis *axis, const ws_setting *at, const char *label, size_t length,
                     const char *words)
{
    if (memchr(label, '|', length) || memchr(label, '{', length) || memchr(label, '*', length) ||
        has_control(label, length) || (length == 2 && !strncmp(label, "NA", 2)))
        return plan_fail(plan, at, "'%.*s' cannot be a label: no |, *, { or control character, and not NA", (int)length,
                         label);
    if (find_value(axis, label, length) >= 0)
        return plan_fail(plan, at, "axis %s has the label '%.*s' already", axis->name, (int)length, label);
    if (axis->values == WS_PLAN_VALUES_MOST)
        return plan_fail(plan, at, "axis %s has more than %d labels", axis->name, WS_PLAN_VALUES_MOST);
    char *const copy = keep(plan, label, length);
    if (!copy || WS_GROW(axis->value, axis->room, axis->values, 1))
        return plan_no_memory(plan);
    axis->value[axis->values++] = (ws_plan_value){.label = copy, .words = words ? words : copy, .at = at};
    return WS_OK;
}

/* Further labels of a value from the words of a line; the last one takes what is left of it. */
static int add_further(ws_plan *plan, const ws_plan_axis *axis, ws_plan_value *value, const ws_setting *at,
                       const char *text)
{
    const char **const further = ws_arena_alloc(plan->memory->arena, (axis->labels + 1) * sizeof *further);
    if (!further)
        return plan_no_memory(plan);
    for (size_t i = 0; i < axis->labels; i++) {
        const char *word;
        size_t length;
        const bool has = next_word(&text, &word, &length);
        const bool last = i + 1 == axis->labels;
        if (!has && !last)
            return plan_fail(plan, at, "%s %s has %zu of the labels that [labels %s] names; expected %zu", axis->name,
                             value->label, i, axis->name, axis->labels);
        if (last && has)
            length = strlen(word);
        while (last && length && strchr(blanks, word[length - 1]))
            length--;
        further[i] = keep(plan, word, length);
        if (!further[i])
            return plan_no_memory(plan);
    }
    value->further = further;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ lists */

static const ws_input list_input = {.what = "a list of labels", .most_bytes = 4 << 20, .source = WS_INPUT_FILES};

/* Labels of a frame, such as a sample list: those of the label column that is called as the axis, else of the first. */
static int take_frame(ws_plan *plan, ws_plan_axis *axis, const ws_setting *at, const char *path)
{
    ws_frame *frame;
    int status = ws_frame_load(path, &frame);
    if (status)
        return status;
    const long found = ws_frame_find_label(frame, axis->name);
    for (size_t row = 0; !status && row < frame->rows; row++) {
        const char *const label = frame->label[row * frame->labels + (found < 0 ? 0 : (size_t)found)];
        if (find_value(axis, label, strlen(label)) < 0)
            status = !*label || strpbrk(label, " \t\n\r")
                         ? plan_fail(plan, at, "%s: row %zu: a label has a blank, or is empty", path, row + 1)
                         : add_value(plan, axis, at, label, strlen(label), NULL);
    }
    ws_frame_destroy(frame);
    return status;
}

static int take_lines(ws_plan *plan, ws_plan_axis *axis, const ws_setting *at, const char *path, char *text)
{
    int status = WS_OK;
    size_t number = 0;
    for (char *line; !status && (line = strsep(&text, "\n"));) {
        number++;
        line[strcspn(line, "#\r")] = '\0';
        const char *rest = line, *label;
        size_t length;
        if (!next_word(&rest, &label, &length))
            continue;
        status = has_control(line, strlen(line)) ? plan_fail(plan, at, "the line has a control character")
                                                 : add_value(plan, axis, at, label, length, NULL);
        if (!status && axis->labels)
            status = add_further(plan, axis, &axis->value[axis->values - 1], at, rest);
    }
    return status == WS_EINPUT ? ws_fail_context(status, "%s:%zu", path, number) : status;
}

static int take_file(ws_plan *plan, ws_plan_axis *axis, const ws_setting *at, const char *name, size_t length)
{
    static const char frame_head[] = "# warpscape frame";
    char *path = NULL, *text = NULL;
    size_t bytes;
    if (asprintf(&path, "%s%s%.*s", *name == '/' ? "" : plan->folder, *name == '/' ? "" : "/", (int)length, name) < 0)
        return plan_no_memory(plan);
    int status = ws_input_read(path, &list_input, &text, &bytes);
    if (status)
        status = ws_fail_context(status, "%s:%d:%d", plan->file, at->line, at->name_column);
    else
        status = strncmp(text, frame_head, sizeof frame_head - 1) ? take_lines(plan, axis, at, path, text)
                                                                  : take_frame(plan, axis, at, path);
    free(text);
    free(path);
    return status;
}

/* Labels with blanks between; @FILE stands for those of a file. */
static int take_list(ws_plan *plan, ws_plan_axis *axis, const ws_setting *at, const char *list)
{
    const char *word;
    size_t length;
    int status = WS_OK;
    while (!status && next_word(&list, &word, &length))
        status = *word == '@' ? take_file(plan, axis, at, word + 1, length - 1)
                              : add_value(plan, axis, at, word, length, NULL);
    return status;
}

/* ------------------------------------------------------------------------------------------------ axes */

/* Whether a section is "KIND NAME ..."; *name is the rest. */
static bool is_of(const char *section, const char *kind, const char **name)
{
    const size_t length = strlen(kind);
    *name = section + length + 1;
    return !strncmp(section, kind, length) && section[length] == ' ';
}

/* Names of further labels, before the axis has values. */
static int name_labels(ws_plan *plan, ws_plan_axis *axis, const ws_setting *at, const char *names)
{
    const char *word;
    size_t length;
    axis->labels = 0;
    while (next_word(&names, &word, &length)) {
        if (!is_name(word, length, "") || axis->labels == WS_PLAN_LABELS_MOST)
            return plan_fail(plan, at, "expected [labels %s NAME ...] with at most %d names", axis->name,
                             WS_PLAN_LABELS_MOST);
        axis->labels_at = at;
        axis->label_name[axis->labels] = keep(plan, word, length);
        if (!axis->label_name[axis->labels++])
            return plan_no_memory(plan);
    }
    return axis->labels
               ? WS_OK
               : plan_fail(plan, at, "expected [labels %s NAME ...], with the names of further labels", axis->name);
}

static int read_axis(ws_plan *plan, const ws_setting *s, const char *name, bool is_list)
{
    const long found = plan_find_axis(plan, name, strlen(name));
    size_t at = (size_t)found;
    int status = found < 0 ? add_axis(plan, s, name, strlen(name), true, &at) : WS_OK;
    if (status)
        return status;
    if (is_list)
        return take_list(plan, &plan->axis[at], s, s->value);
    return *s->name == '@' ? take_file(plan, &plan->axis[at], s, s->name + 1, strlen(s->name + 1))
                           : add_value(plan, &plan->axis[at], s, s->name, strlen(s->name), *s->value ? s->value : NULL);
}

/* Sections [axes] and [axis NAME], and the names in [labels NAME ...], which lines of files are read by. */
static int read_axes(ws_plan *plan)
{
    const ws_settings *const settings = plan->memory->settings;
    int status = WS_OK;
    const char *name;
    for (size_t i = 0; !status && i < settings->count; i++) { /* names first: the first line of a section tells them */
        const ws_setting *const s = &settings->list[i];
        if (*s->name || !is_of(s->section, "labels", &name))
            continue;
        const size_t length = strcspn(name, blanks);
        size_t at = (size_t)plan_find_axis(plan, name, length);
        if (at == (size_t)-1)
            status = add_axis(plan, s, name, length, true, &at);
        if (!status && plan->axis[at].labels)
            status = plan_fail(plan, s, "there are two sections of labels of %s", plan->axis[at].name);
        if (!status)
            status = name_labels(plan, &plan->axis[at], s, name + length);
    }
    for (size_t i = 0; !status && i < settings->count; i++) {
        const ws_setting *const s = &settings->list[i];
        if (*s->name && !strcmp(s->section, "axes"))
            status = read_axis(plan, s, s->name, true);
        else if (*s->name && is_of(s->section, "axis", &name))
            status = read_axis(plan, s, name, false);
    }
    return status;
}

static int read_labels(ws_plan *plan)
{
    const ws_settings *const settings = plan->memory->settings;
    int status = WS_OK;
    const char *name;
    for (size_t i = 0; !status && i < settings->count; i++) {
        const ws_setting *const s = &settings->list[i];
        if (!*s->name || !is_of(s->section, "labels", &name))
            continue;
        ws_plan_axis *const axis = &plan->axis[plan_find_axis(plan, name, strcspn(name, blanks))];
        const long value = find_value(axis, s->name, strlen(s->name));
        status = value < 0                    ? plan_fail(plan, s, "axis %s has no label '%s'", axis->name, s->name)
                 : axis->value[value].further ? plan_fail(plan, s, "%s has its labels already", s->name)
                                              : add_further(plan, axis, &axis->value[value], s, s->value);
    }
    for (size_t a = 0; !status && a < plan->axes; a++)
        for (size_t v = 0; !status && plan->axis[a].labels && v < plan->axis[a].values; v++)
            if (!plan->axis[a].value[v].further)
                status = plan_fail(plan, plan->axis[a].value[v].at, "%s %s is not in [labels %s]", plan->axis[a].name,
                                   plan->axis[a].value[v].label, plan->axis[a].name);
    return status;
}

/* ------------------------------------------------------------------------------------------------ blocks */

static int read_take(ws_plan *plan, const ws_setting *s, ws_plan_take *out)
{
    static const char *const words[] = {
#define PLAN_ROWS(name, meaning) #name,
#include "record/plan/plan_rows.def"
#undef PLAN_ROWS
    };
    const char *rest = s->value, *word, *weight;
    size_t length, weight_length;
    next_word(&rest, &word, &length);
    for (ws_plan_rows r = 0; r < WS_PLAN_ROWS; r++) {
        if (strlen(words[r]) != length || strncmp(words[r], word, length))
            continue;
        *out = (ws_plan_take){.rows = r};
        if (!next_word(&rest, &weight, &weight_length))
            return WS_OK;
        if (r != WS_PLAN_ROWS_sum || rest[strspn(rest, blanks)])
            break;
        out->weight = keep(plan, weight, weight_length);
        return out->weight ? WS_OK : plan_no_memory(plan);
    }
    return plan_fail(plan, s, "%s = %s: expected last, first, all, sum, `sum COLUMN' or none", s->name, s->value);
}

static int read_outputs(ws_plan *plan, ws_plan_block *block, const ws_setting *s, bool is_frame)
{
    const char *rest = s->value, *word;
    size_t length, n = 0;
    for (size_t i = 0; i < block->outputs; i++) /* those of [plan] of this kind are replaced */
        if (block->output[i].is_frame != is_frame)
            block->output[n++] = block->output[i];
    block->outputs = n;
    while (next_word(&rest, &word, &length)) {
        if (block->outputs == WS_PLAN_OUTPUTS_MOST)
            return plan_fail(plan, s, "more than %d outputs", WS_PLAN_OUTPUTS_MOST);
        char *const name = keep(plan, word, length);
        if (!name)
            return plan_no_memory(plan);
        if (!is_name(name, length, ""))
            return plan_fail(plan, s, "'%s' cannot be an output: expected letters, digits and _", name);
        block->output[block->outputs++] = (ws_plan_output){.name = name, .is_frame = is_frame, .at = s};
    }
    return WS_OK;
}

/* Numbers of a block. */
static const ws_option number_rows[] = {
    {"memory", "bytes", 0, 1, 1e15, "that a point needs"},
    {"time", "s", 0, 1e-3, 1e8, "that a point takes"},
    {"cores", "", 1, 1, 4096, "that a point keeps busy"},
    {"exit", "", 0, 1, 255, "of a point that is done, besides 0"},
    {"checkpoint", "cycles", 0, 1, 1e15, "between checkpoints of `sim`"},
    {0},
};

static int read_number(const ws_plan *plan, ws_plan_block *block, const ws_setting *s, const ws_option *row)
{
    char why[WS_OPTION_WHY];
    double number;
    if (ws_option_read(row, WS_OPTION_FORM_REAL, s->value, &number, why))
        return plan_fail(plan, s, "%s = %s: %s", s->name, s->value, why);
    switch (row - number_rows) {
    case 0:
        block->memory_bytes = number;
        break;
    case 1:
        block->seconds = number;
        break;
    case 2:
        block->cores = (uint32_t)number;
        break;
    case 3:
        block->other_exit = (int)number;
        break;
    default:
        block->checkpoint_cycles = number;
        break;
    }
    return WS_OK;
}

static int refuse_key(const ws_plan *plan, const ws_setting *s)
{
    ws_guess guess = ws_guess_of(s->name);
    for (size_t i = 0; i < sizeof block_keys / sizeof *block_keys; i++)
        ws_guess_see(&guess, block_keys[i]);
    for (size_t i = 0; i < plan->axes; i++)
        ws_guess_see(&guess, plan->axis[i].name);
    return guess.best ? plan_fail(plan, s, "nothing is called '%s' here; did you mean '%s'?", s->name, guess.best)
                      : plan_fail(plan, s, "nothing is called '%s' here: neither a key nor an axis", s->name);
}

/* A key that [plan] and blocks have; *known: it is one. */
static int read_key(ws_plan *plan, ws_plan_block *block, const ws_setting *s, bool *known)
{
    static const char rows_of[] = "rows.";
    const ws_option *const row = ws_option_find(number_rows, s->name);
    *known = true;
    if (!strcmp(s->name, "command")) {
        block->command = s->value;
        block->at = s;
        return *s->value ? WS_OK : plan_fail(plan, s, "expected the words of a command behind `command ='");
    }
    if (!strcmp(s->name, "rows"))
        return read_take(plan, s, &block->take);
    if (!strcmp(s->name, "outputs"))
        return read_outputs(plan, block, s, true);
    if (!strcmp(s->name, "files"))
        return read_outputs(plan, block, s, false);
    if (row)
        return read_number(plan, block, s, row);
    *known = !strncmp(s->name, rows_of, sizeof rows_of - 1);
    if (*known) {
        for (size_t i = 0; i < block->outputs; i++)
            if (block->output[i].is_frame && !strcmp(block->output[i].name, s->name + sizeof rows_of - 1))
                return read_take(plan, s, &block->output[i].take);
        return plan_fail(plan, s, "%s: no frame of that name stands in `outputs =' above", s->name);
    }
    return WS_OK;
}

static int read_plan_section(ws_plan *plan, ws_plan_block *common)
{
    const ws_settings *const settings = plan->memory->settings;
    int status = WS_OK;
    for (size_t i = 0; !status && i < settings->count; i++) {
        const ws_setting *const s = &settings->list[i];
        bool known;
        if (!*s->name || strcmp(s->section, "plan"))
            continue;
        if (!strcmp(s->name, "name")) {
            if (!is_name(s->value, strlen(s->value), "-."))
                return plan_fail(plan, s, "name = %s: expected letters, digits, _, - and .", s->value);
            plan->name = s->value;
            continue;
        }
        status = read_key(plan, common, s, &known);
        if (!status && !known)
            status = refuse_key(plan, s);
    }
    return status;
}

/* Values of an axis that a block lists: some of a declared axis, or all that it has. */
static int read_block_axis(ws_plan *plan, ws_plan_block *block, const ws_setting *s)
{
    const long found = plan_find_axis(plan, s->name, strlen(s->name));
    size_t at = (size_t)found;
    int status = found < 0 ? add_axis(plan, s, s->name, strlen(s->name), false, &at) : WS_OK;
    if (status)
        return status;
    ws_plan_axis *const axis = &plan->axis[at];
    const char *rest = s->value, *word;
    size_t length;
    uint16_t *const value = ws_arena_alloc(plan->memory->arena, (strlen(s->value) / 2 + 1) * sizeof *value);
    if (!value)
        return plan_no_memory(plan);
    size_t n = 0;
    while (next_word(&rest, &word, &length)) {
        long v = find_value(axis, word, length);
        if (v < 0 && axis->declared)
            return plan_fail(plan, s, "axis %s has no label '%.*s'", axis->name, (int)length, word);
        if (v < 0) {
            status = add_value(plan, axis, s, word, length, NULL);
            if (status)
                return status;
            v = (long)axis->values - 1;
        }
        for (size_t i = 0; i < n; i++)
            if (value[i] == v)
                return plan_fail(plan, s, "'%.*s' stands here twice", (int)length, word);
        value[n++] = (uint16_t)v;
    }
    if (!n)
        return plan_fail(plan, s, "expected labels of the axis %s behind the equals sign", axis->name);
    block->value[at] = value;
    block->values[at] = n;
    block->listed[at] = true;
    return WS_OK;
}

static int begin_block(ws_plan *plan, const ws_setting *s, const char *name, const ws_plan_block *common)
{
    if (plan->blocks == WS_PLAN_BLOCKS_MOST)
        return plan_fail(plan, s, "more than %d sections of points", WS_PLAN_BLOCKS_MOST);
    if (!is_name(name, strlen(name), "-"))
        return plan_fail(plan, s, "[points %s]: expected a name of letters, digits, _ and -", name);
    if (plan_find_block(plan, name, strlen(name)) >= 0)
        return plan_fail(plan, s, "there is a section [points %s] already", name);
    plan->block[plan->blocks] = *common;
    plan->block[plan->blocks++].name = name;
    return WS_OK;
}

static int read_blocks(ws_plan *plan, const ws_plan_block *common)
{
    const ws_settings *const settings = plan->memory->settings;
    const char *name;
    int status = WS_OK;
    for (size_t i = 0; !status && i < settings->count; i++) {
        const ws_setting *const s = &settings->list[i];
        bool known = true;
        if (!is_of(s->section, "points", &name))
            continue;
        if (!*s->name) {
            status = begin_block(plan, s, name, common);
            continue;
        }
        ws_plan_block *const block = &plan->block[plan->blocks - 1];
        if (!status && strcmp(s->name, "exclude"))
            status = read_key(plan, block, s, &known);
        if (!status && !known)
            status = read_block_axis(plan, block, s);
    }
    if (!status && !plan->blocks) { /* without such sections all is one block */
        plan->block[plan->blocks] = *common;
        plan->block[plan->blocks++].name = "";
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ the whole */

static int add_exclusion(ws_plan *plan, const ws_setting *s, const char *block)
{
    struct ws_plan_memory *const m = plan->memory;
    char *text = NULL;
    if (WS_GROW(m->exclusion, m->exclusion_room, m->exclusions, 1) ||
        asprintf(&text, "%s%s %s", block ? "points=" : "", block ? block : "", s->value) < 0)
        return plan_no_memory(plan);
    const int status = plan_conditions_read(plan, s, NULL, text, &m->exclusion[m->exclusions]);
    m->exclusions += !status;
    free(text);
    return status;
}

static int read_exclusions(ws_plan *plan)
{
    const ws_settings *const settings = plan->memory->settings;
    const char *block;
    int status = WS_OK;
    for (size_t i = 0; !status && i < settings->count; i++) {
        const ws_setting *const s = &settings->list[i];
        if (*s->name && !strcmp(s->section, "exclude"))
            status = add_exclusion(plan, s, NULL);
        else if (is_of(s->section, "points", &block) && !strcmp(s->name, "exclude"))
            status = add_exclusion(plan, s, block);
    }
    return status;
}

static int check_sections(const ws_plan *plan)
{
    const ws_settings *const settings = plan->memory->settings;
    const char *name;
    for (size_t i = 0; i < settings->count; i++) {
        const char *const section = settings->list[i].section;
        if (strcmp(section, "plan") && strcmp(section, "axes") && strcmp(section, "exclude") &&
            !is_of(section, "axis", &name) && !is_of(section, "labels", &name) && !is_of(section, "points", &name))
            return plan_fail(plan, &settings->list[i],
                             "a plan has no section [%s]; expected [plan], [axes], [axis NAME], [labels NAME ...], "
                             "[points NAME] or [exclude]",
                             section);
    }
    return settings->count
               ? WS_OK
               : ws_fail(WS_EINPUT, "%s:1:1: the plan is empty; expected [plan] with a command", plan->file);
}

/* A point has all rows of one frame at most: the others have one row for it, or none. */
static int check_rows(const ws_plan *plan, const ws_plan_block *block)
{
    size_t frames = block->take.rows != WS_PLAN_ROWS_none;
    const ws_plan_output *whole = NULL;
    for (size_t i = 0; i < block->outputs; i++) {
        const ws_plan_output *const o = &block->output[i];
        frames += o->is_frame && o->take.rows != WS_PLAN_ROWS_none;
        if (o->is_frame && o->take.rows == WS_PLAN_ROWS_all)
            whole = o;
    }
    return whole && frames > 1
               ? plan_fail(plan, block->at, "rows.%s = all: expected rows = none, and none of the other frames",
                           whole->name)
               : WS_OK;
}

/* Columns that lists of points have beside those of the plan. */
static const char *const list_columns[] = {"points",  "key",         "state",      "last_line",
                                           "seconds", "cpu_seconds", "peak_bytes", "disk_bytes"};
/* What else is called by a name in braces, or is a file in the folder of a point, or a column that all points have. */
static const char *const point_files[] = {"db", "out", "command", "log", "status", "point"};

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i], name))
            return true;
    return false;
}

/* Axes and further labels are columns of one frame. */
static int check_label(const ws_plan *plan, const ws_setting *at, const char *name, size_t *uses)
{
    *uses = 0;
    if (is_one_of(name, list_columns, sizeof list_columns / sizeof *list_columns))
        return plan_fail(plan, at, "a label cannot be called %s, as a column of `--list' is; rename it", name);
    for (size_t a = 0; a < plan->axes; a++) {
        *uses += !strcmp(plan->axis[a].name, name);
        for (size_t i = 0; i < plan->axis[a].labels; i++)
            *uses += !strcmp(plan->axis[a].label_name[i], name);
    }
    return WS_OK;
}

static int check_labels(const ws_plan *plan)
{
    size_t uses;
    for (size_t a = 0; a < plan->axes; a++) {
        const ws_plan_axis *const axis = &plan->axis[a];
        int status = check_label(plan, axis->at, axis->name, &uses);
        for (size_t i = 0; !status && i < axis->labels; i++) {
            status = check_label(plan, axis->labels_at, axis->label_name[i], &uses);
            if (!status && uses > 1)
                status = plan_fail(plan, axis->labels_at,
                                   "%s is the name of two labels, or of an axis and a label; "
                                   "rename one",
                                   axis->label_name[i]);
        }
        if (status)
            return status;
    }
    return WS_OK;
}

static int check_outputs(const ws_plan *plan, const ws_plan_block *block)
{
    for (size_t i = 0; i < block->outputs; i++) {
        const ws_plan_output *const o = &block->output[i];
        if (is_one_of(o->name, point_files, sizeof point_files / sizeof *point_files))
            return plan_fail(plan, o->at, "an output cannot be called %s, as something else of a point is; rename it",
                             o->name);
        if (plan_find_axis(plan, o->name, strlen(o->name)) >= 0)
            return plan_fail(plan, o->at, "%s is an axis and an output; rename one", o->name);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(block->output[k].name, o->name))
                return plan_fail(plan, o->at, "two outputs are called %s; rename one", o->name);
    }
    return WS_OK;
}

/* What a block leaves open: values of its axes, the number of its points. */
static int settle_block(ws_plan *plan, size_t b)
{
    ws_plan_block *const block = &plan->block[b];
    if (!block->command)
        return ws_fail(WS_EINPUT, "%s: %s%s: expected `command =' there or in [plan]", plan->file,
                       *block->name ? "points " : "[plan]", block->name);
    for (size_t a = 0; a < plan->axes; a++) { /* all of an axis, where the block lists none */
        ws_plan_axis *const axis = &plan->axis[a];
        if (block->value[a] || !axis->declared)
            continue;
        block->value[a] = ws_arena_alloc(plan->memory->arena, (axis->values + 1) * sizeof *block->value[a]);
        if (!block->value[a])
            return plan_no_memory(plan);
        for (size_t v = 0; v < axis->values; v++)
            block->value[a][v] = (uint16_t)v;
        block->values[a] = axis->values;
    }
    int status = check_outputs(plan, block);
    if (!status)
        status = plan_command_check(plan, b);
    if (!status)
        status = check_rows(plan, block);
    if (status)
        return status;
    double cells = 1;
    for (size_t a = 0; a < plan->axes; a++)
        cells *= block->axis[a] ? (double)block->values[a] : 1;
    plan->cells += cells;
    block->cells = cells <= WS_PLAN_CELLS_MOST ? (size_t)cells : 0;
    if (block->stage + 1 > plan->stages)
        plan->stages = block->stage + 1;
    return WS_OK;
}

/* An axis that a block lists and its command does not name would make the same point again. */
static int check_axes(const ws_plan *plan)
{
    const ws_settings *const settings = plan->memory->settings;
    const char *name;
    for (size_t a = 0; a < plan->axes; a++)
        if (!plan->axis[a].used)
            return plan_fail(plan, plan->axis[a].at, "the axis %s names nothing: no command has {%s}",
                             plan->axis[a].name, plan->axis[a].name);
    for (size_t i = 0; i < settings->count; i++) {
        const ws_setting *const s = &settings->list[i];
        if (!is_of(s->section, "points", &name))
            continue;
        const long axis = plan_find_axis(plan, s->name, strlen(s->name));
        if (axis >= 0 && !plan->block[plan_find_block(plan, name, strlen(name))].axis[axis])
            return plan_fail(plan, s, "the axis %s names nothing here: the command of [points %s] has no {%s}", s->name,
                             name, s->name);
    }
    return WS_OK;
}

static int read_all(ws_plan *plan)
{
    ws_plan_block common = {.cores = 1};
    int status = check_sections(plan);
    if (!status)
        status = read_axes(plan);
    if (!status)
        status = read_labels(plan);
    if (!status)
        status = read_plan_section(plan, &common);
    if (!status)
        status = read_blocks(plan, &common);
    if (!status)
        status = check_labels(plan);
    for (size_t b = 0; !status && b < plan->blocks; b++)
        status = settle_block(plan, b);
    if (!status)
        status = check_axes(plan);
    return status ? status : read_exclusions(plan);
}

static int name_files(ws_plan *plan, const char *file)
{
    ws_arena *const arena = plan->memory->arena;
    char *const stem = ws_text_stem(file), *const copy = strdup(file);
    plan->file = ws_arena_strndup(arena, file, strlen(file));
    if (stem && copy) {
        plan->name = ws_arena_strndup(arena, stem, strlen(stem));
        const char *const folder = dirname(copy);
        plan->folder = ws_arena_strndup(arena, folder, strlen(folder));
    }
    free(copy);
    free(stem);
    return plan->file && plan->name && plan->folder ? WS_OK : ws_fail(WS_EMEM, "%s: out of memory", file);
}

static int parse(ws_plan *plan, const char *file, const char *text, size_t length)
{
    struct ws_plan_memory *const m = plan->memory = calloc(1, sizeof *m);
    if (m)
        m->arena = ws_arena_create();
    plan->block = calloc(WS_PLAN_BLOCKS_MOST, sizeof *plan->block);
    if (!m || !m->arena || !plan->block)
        return ws_fail(WS_EMEM, "%s: out of memory", file);
    int status = name_files(plan, file);
    for (size_t i = 0; !status && i < length; i++)
        if (text[i] != '\r' && text[i] != '\n' && has_control(text + i, 1))
            status = ws_fail(WS_EINPUT, "%s: a control character; expected text", file);
    if (!status)
        status = ws_settings_parse_lists(file, text, length, &m->settings);
    if (status)
        return status;
    plan->text = ws_arena_strndup(m->arena, text, length);
    plan->text_bytes = length;
    return plan->text ? read_all(plan) : plan_no_memory(plan);
}

int ws_plan_parse(const char *file, const char *text, size_t length, ws_plan **out)
{
    ws_plan *const plan = calloc(1, sizeof *plan);
    const int status = plan ? parse(plan, file, text, length) : ws_fail(WS_EMEM, "%s: out of memory", file);
    *out = status ? NULL : plan;
    if (status)
        ws_plan_destroy(plan);
    return status;
}

int ws_plan_read(const char *path, ws_plan **out)
{
    static const ws_input input = {.what = "a plan", .most_bytes = 4 << 20, .source = WS_INPUT_FILES};
    char *text;
    size_t length;
    *out = NULL;
    int status = ws_input_read(path, &input, &text, &length);
    if (!status)
        status = ws_plan_parse(path, text, length, out);
    free(text);
    return status;
}

void ws_plan_destroy(ws_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->axes; i++)
        free(plan->axis[i].value);
    for (size_t i = 0; i < plan->blocks; i++)
        free(plan->block[i].point);
    free(plan->block);
    free(plan->point);
    if (plan->memory) {
        plan_content_destroy(plan->memory->content);
        ws_settings_destroy(plan->memory->settings);
        free(plan->memory->exclusion);
        ws_arena_destroy(plan->memory->arena);
    }
    free(plan->memory);
    free(plan);
}
