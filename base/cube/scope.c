/* scope.c - what names of expressions mean: frames, sets, definitions, names of labels. */
#include "base/cube/expression_internal.h"
#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

ws_scope *ws_scope_create(void)
{
    ws_scope *const scope = calloc(1, sizeof *scope);
    if (scope)
        scope->arena = ws_arena_create();
    if (scope && !scope->arena) {
        free(scope);
        return NULL;
    }
    return scope;
}

void ws_scope_destroy(ws_scope *scope)
{
    if (!scope)
        return;
    ws_arena_destroy(scope->arena);
    free(scope->definition);
    ws_texts_fini(&scope->defined);
    free(scope->source);
    for (size_t i = 0; i < scope->named; i++) {
        ws_texts_fini(&scope->names[i].label);
        free(scope->names[i].shown);
    }
    free(scope->names);
    free(scope);
}

static char *keep(ws_scope *scope, const char *text)
{
    return ws_arena_strndup(scope->arena, text, strlen(text));
}

ws_definition *ws_scope_find(const ws_scope *scope, const char *name)
{
    const long at = ws_texts_find(&scope->defined, name);
    return at < 0 ? NULL : scope->definition[at];
}

ws_cube_source *ws_scope_source(const ws_scope *scope, const char *name, size_t length)
{
    for (size_t i = 0; i < scope->sources; i++)
        if (strlen(scope->source[i].name) == length && !strncmp(scope->source[i].name, name, length))
            return scope->source[i].source;
    return NULL;
}

int ws_scope_add_frame(ws_scope *scope, const char *name, const char *file, const ws_frame *frame)
{
    if (ws_scope_source(scope, name, strlen(name)))
        return ws_fail(WS_EINPUT, "%s: there is a frame '%s' already", file, name);
    ws_named_source source = {.name = keep(scope, name)};
    const char *const called = keep(scope, file);
    int status = source.name && called ? WS_GROW(scope->source, scope->source_room, scope->sources, 1)
                                       : ws_expression_fail_memory();
    if (!status)
        status = ws_cube_source_create(scope->arena, called, frame, &source.source);
    if (!status)
        scope->source[scope->sources++] = source;
    return status;
}

static bool is_plain_name(const char *text)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char other[] = "0123456789";
    if (!*text || !strchr(first, *text))
        return false;
    for (; *text; text++)
        if (!strchr(first, *text) && !strchr(other, *text))
            return false;
    return true;
}

/* Is the name that of a function, a column or another definition? */
static int check_free(const ws_scope *scope, const char *name)
{
    const ws_cube_source *const columns = ws_scope_source(scope, "", 0);
    const char *const what = ws_expression_is_keyword(name)                        ? "a word of expressions"
                             : ws_cube_function_find(name) || !strcmp(name, "if")  ? "a function"
                             : ws_scope_find(scope, name)                          ? "a definition"
                             : columns && ws_cube_source_has(columns, name)        ? "a column of the frame"
                             : ws_scope_source(scope, name, strlen(name)) && *name ? "a frame"
                                                                                   : NULL;
    return what ? ws_fail(WS_EINPUT, "%s is %s already; choose another name", name, what) : WS_OK;
}

static int add_definition(ws_scope *scope, const ws_definition *from)
{
    ws_definition *const to = ws_arena_alloc(scope->arena, sizeof *to);
    size_t number;
    int status = to ? WS_GROW(scope->definition, scope->room, scope->defined.count, 1) : ws_expression_fail_memory();
    if (!status)
        status = ws_texts_put(&scope->defined, from->name, &number);
    if (status)
        return status;
    *to = *from;
    scope->definition[number] = to;
    return WS_OK;
}

/* The words of a set, different ones; those that name another set stand for its words. */
static int find_words(ws_scope *scope, const char *name, const char *words, ws_texts *to)
{
    int status = WS_OK;
    while (!status && *(words += strspn(words, " \t\r\n"))) {
        const size_t length = strcspn(words, " \t\r\n");
        const char *const word = ws_arena_strndup(scope->arena, words, length);
        if (!word)
            return ws_expression_fail_memory();
        const ws_definition *const other = ws_scope_find(scope, word);
        const ws_cube *const set = other && !other->expression ? other->value : NULL;
        for (size_t i = 0; i < (set ? set->cells : 1) && !status; i++) {
            const char *const one = set ? set->cell[i].text : word;
            const size_t before = to->count;
            size_t number;
            status = ws_texts_put(to, one, &number);
            if (!status && number < before)
                status = ws_fail(WS_EINPUT, "%s stands in set %s twice", one, name);
        }
        words += length;
    }
    return status || to->count ? status : ws_fail(WS_EINPUT, "set %s has no words", name);
}

int ws_scope_add_set(ws_scope *scope, const char *name, const char *words, const ws_place *place)
{
    ws_texts found = {.count = 0};
    size_t cells = WS_CUBE_CELLS_MOST, nodes = 0;
    const ws_cube_work work = {scope->arena, &cells, &nodes};
    ws_axis axis = {.name = keep(scope, name)};
    ws_cube *cube;
    int status = axis.name ? check_free(scope, name) : ws_expression_fail_memory();
    if (!status && !is_plain_name(name))
        status = ws_fail(WS_EINPUT, "'%s' is no name; expected letters, digits and _", name);
    if (!status)
        status = find_words(scope, name, words, &found);
    const char **const label = ws_arena_alloc(scope->arena, (found.count + 1) * sizeof *label);
    axis.label = label;
    axis.labels = found.count;
    if (!status)
        status = label ? ws_cube_new(&work, WS_CUBE_TEXTS, axis.name, &axis, 1, &cube) : ws_expression_fail_memory();
    for (size_t i = 0; i < found.count && !status; i++)
        cube->cell[i].text = label[i] = found.text[i];
    ws_texts_fini(&found);
    return status ? ws_fail_context(status, "%s:%d:%d", place->file, place->line, place->column)
                  : add_definition(scope, &(ws_definition){.name = axis.name, .value = cube});
}

const ws_axis *ws_scope_set(const ws_scope *scope, const char *name)
{
    const ws_definition *const d = ws_scope_find(scope, name);
    return d && !d->expression ? &d->value->axis[0] : NULL;
}

static ws_axis_names *find_names(const ws_scope *scope, const char *axis)
{
    for (size_t i = 0; i < scope->named; i++)
        if (!strcmp(scope->names[i].axis, axis))
            return &scope->names[i];
    return NULL;
}

int ws_scope_add_name(ws_scope *scope, const char *axis, const char *label, const char *shown, const ws_place *place)
{
    ws_axis_names *names = find_names(scope, axis);
    int status = names ? WS_OK : WS_GROW(scope->names, scope->names_room, scope->named, 1);
    if (!names && !status) {
        names = &scope->names[scope->named++];
        *names = (ws_axis_names){.axis = keep(scope, axis)};
    }
    const char *const called = keep(scope, label), *const text = keep(scope, shown);
    if (!status)
        status = names->axis && called && text ? WS_GROW(names->shown, names->room, names->label.count, 1)
                                               : ws_expression_fail_memory();
    const size_t before = status ? 0 : names->label.count;
    size_t number;
    if (!status)
        status = ws_texts_put(&names->label, called, &number);
    if (status)
        return status;
    if (number < before)
        return ws_fail(WS_EINPUT, "%s:%d:%d: %s=%s is called '%s' already; remove one", place->file, place->line,
                       place->column, axis, label, names->shown[number]);
    names->shown[number] = text;
    return WS_OK;
}

const char *ws_scope_shown(const ws_scope *scope, const char *axis, const char *label)
{
    const ws_axis_names *const names = find_names(scope, axis);
    const long at = names ? ws_texts_find(&names->label, label) : -1;
    return at < 0 ? label : names->shown[at];
}

/* "NAME" or "NAME(A, B)". */
static int read_head(ws_scope *scope, const char *head, ws_definition *to)
{
    const size_t length = strcspn(head, "( \t");
    const char *at = head + length + strspn(head + length, " \t");
    to->name = ws_arena_strndup(scope->arena, head, length);
    if (!to->name)
        return ws_expression_fail_memory();
    bool good = is_plain_name(to->name), more = *at == '(';
    while (good && more) {
        at += 1 + strspn(at + 1, " \t");
        const size_t n = strcspn(at, ",) \t");
        const char *const argument = ws_arena_strndup(scope->arena, at, n);
        if (!argument)
            return ws_expression_fail_memory();
        for (size_t i = 0; i < to->arguments; i++)
            if (!strcmp(to->argument[i], argument))
                return ws_fail(WS_EINPUT, "'%s': two arguments are called %s", head, argument);
        if (to->arguments == WS_CUBE_ARGUMENTS_MOST)
            return ws_fail(WS_EINPUT, "%s: more than %d arguments", to->name, WS_CUBE_ARGUMENTS_MOST);
        to->argument[to->arguments++] = argument;
        at += n + strspn(at + n, " \t");
        more = *at == ',';
        good = is_plain_name(argument) && !ws_expression_is_keyword(argument);
    }
    if (to->arguments)
        good = good && *at++ == ')';
    return good && !at[strspn(at, " \t")] ? WS_OK : ws_fail(WS_EINPUT, "'%s': expected NAME or NAME(A, B)", head);
}

int ws_scope_define(ws_scope *scope, const char *head, const ws_place *at_head, const char *text, const ws_place *place)
{
    ws_definition d = {.name = NULL};
    int status = read_head(scope, head, &d);
    if (!status)
        status = check_free(scope, d.name);
    if (status)
        return ws_fail_context(status, "%s:%d:%d", at_head->file, at_head->line, at_head->column);
    status = ws_expression_parse(scope->arena, text, strlen(text), place, &d.expression);
    return status ? status : add_definition(scope, &d);
}
