/* expression_run.c - expressions evaluated: what names mean, selections, operators. */
#include "base/cube/expression_internal.h"
#include "base/grow.h"
#include "base/guess.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 1 << 24, NODES_MOST = 1 << 20, DEPTH_MOST = 250 };

typedef struct definition {
    const char *name;
    const char *argument[WS_CUBE_ARGUMENTS_MOST];
    size_t arguments;
    const ws_expression *expression; /* NULL: a set */
    const ws_cube *value;            /* what it is without arguments; NULL: not known yet */
    bool is_running;
} definition;

typedef struct named_source {
    const char *name; /* "" for that whose columns need no name in front */
    ws_cube_source *source;
} named_source;

typedef struct shown_name {
    const char *axis, *label, *shown;
} shown_name;

struct ws_scope {
    ws_arena *arena;
    definition **definition; /* [definitions] */
    size_t definitions, definition_room;
    named_source *source; /* [sources] */
    size_t sources, source_room;
    shown_name *shown; /* [names] */
    size_t names, name_room;
};

/* What is being evaluated. */
typedef struct run {
    ws_scope *scope;
    ws_cube_work work;
    const ws_expression *expression;
    const definition *of; /* whose arguments these are; NULL */
    const ws_cube *const *argument;
    unsigned depth;
} run;

/* ------------------------------------------------------------------------------------------------ the scope */

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
    free(scope->source);
    free(scope->shown);
    free(scope);
}

static char *keep(ws_scope *scope, const char *text)
{
    return ws_arena_strndup(scope->arena, text, strlen(text));
}

static int fail_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for an expression");
}

static definition *find_definition(const ws_scope *scope, const char *name)
{
    for (size_t i = 0; i < scope->definitions; i++)
        if (!strcmp(scope->definition[i]->name, name))
            return scope->definition[i];
    return NULL;
}

bool ws_scope_defines(const ws_scope *scope, const char *name)
{
    return find_definition(scope, name);
}

static ws_cube_source *find_source(const ws_scope *scope, const char *name, size_t length)
{
    for (size_t i = 0; i < scope->sources; i++)
        if (strlen(scope->source[i].name) == length && !strncmp(scope->source[i].name, name, length))
            return scope->source[i].source;
    return NULL;
}

int ws_scope_add_frame(ws_scope *scope, const char *name, const char *file, const ws_frame *frame)
{
    if (find_source(scope, name, strlen(name)))
        return ws_fail(WS_EINPUT, "%s: there is a frame '%s' already", file, name);
    named_source source = {.name = keep(scope, name)};
    const char *const called = keep(scope, file);
    int status = source.name && called ? WS_GROW(scope->source, scope->source_room, scope->sources, 1) : fail_memory();
    if (!status)
        status = ws_cube_source_create(scope->arena, called, frame, &source.source);
    if (!status)
        scope->source[scope->sources++] = source;
    return status;
}

/* Is the name that of a function, a column or another definition? */
static int check_free(const ws_scope *scope, const char *name)
{
    const ws_cube_source *const columns = find_source(scope, "", 0);
    const char *const what = ws_expression_is_keyword(name)                       ? "a word of expressions"
                             : ws_cube_function_find(name) || !strcmp(name, "if") ? "a function"
                             : find_definition(scope, name)                       ? "a definition"
                             : columns && ws_cube_source_has(columns, name)       ? "a column of the frame"
                             : find_source(scope, name, strlen(name)) && *name    ? "a frame"
                                                                                  : NULL;
    return what ? ws_fail(WS_EINPUT, "%s is %s already; choose another name", name, what) : WS_OK;
}

static int add_definition(ws_scope *scope, const definition *from)
{
    definition *const to = ws_arena_alloc(scope->arena, sizeof *to);
    const int status = to ? WS_GROW(scope->definition, scope->definition_room, scope->definitions, 1) : fail_memory();
    if (status)
        return status;
    *to = *from;
    scope->definition[scope->definitions++] = to;
    return WS_OK;
}

int ws_scope_add_set(ws_scope *scope, const char *name, const char *words, const ws_place *place)
{
    int status = check_free(scope, name);
    if (status)
        return ws_fail_context(status, "%s:%d:%d", place->file, place->line, place->column);
    const char **label = NULL;
    size_t n = 0, room = 0;
    while (!status && *(words += strspn(words, " \t\r\n"))) {
        const size_t length = strcspn(words, " \t\r\n");
        const char *const word = ws_arena_strndup(scope->arena, words, length);
        const definition *const other = word ? find_definition(scope, word) : NULL;
        const size_t more = other && !other->expression ? other->value->cells : 1;
        status = word ? WS_GROW(label, room, n, more) : fail_memory();
        for (size_t i = 0; i < more && !status; i++) {
            const char *const one = other && !other->expression ? other->value->cell[i].text : word;
            size_t before = 0;
            while (before < n && strcmp(label[before], one))
                before++;
            if (before < n)
                status = ws_fail(WS_EINPUT, "%s:%d:%d: %s stands in set %s twice", place->file, place->line,
                                 place->column, one, name);
            else
                label[n++] = one;
        }
        words += length;
    }
    if (!status && !n)
        status = ws_fail(WS_EINPUT, "%s:%d:%d: set %s has no words", place->file, place->line, place->column, name);
    size_t cells = CELLS_MOST, nodes = 0;
    const ws_cube_work work = {scope->arena, &cells, &nodes};
    const char **const kept = ws_arena_alloc(scope->arena, (n + 1) * sizeof *kept);
    ws_axis axis = {.name = keep(scope, name), .label = kept, .labels = n};
    ws_cube *cube;
    if (!status)
        status = kept && axis.name ? ws_cube_new(&work, WS_CUBE_TEXTS, axis.name, &axis, 1, &cube) : fail_memory();
    for (size_t i = 0; i < n && !status; i++)
        cube->cell[i].text = kept[i] = label[i];
    free(label);
    return status ? status : add_definition(scope, &(definition){.name = axis.name, .value = cube});
}

int ws_scope_add_name(ws_scope *scope, const char *axis, const char *label, const char *shown)
{
    const shown_name name = {keep(scope, axis), keep(scope, label), keep(scope, shown)};
    const int status = name.axis && name.label && name.shown ? WS_GROW(scope->shown, scope->name_room, scope->names, 1)
                                                             : fail_memory();
    if (!status)
        scope->shown[scope->names++] = name;
    return status;
}

const char *ws_scope_shown(const ws_scope *scope, const char *axis, const char *label)
{
    for (size_t i = 0; i < scope->names; i++)
        if (!strcmp(scope->shown[i].axis, axis) && !strcmp(scope->shown[i].label, label))
            return scope->shown[i].shown;
    return label;
}

static const char *shown_label(const void *names, const char *axis, const char *label)
{
    return ws_scope_shown(names, axis, label);
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

/* "NAME" or "NAME(A, B)". */
static int read_head(ws_scope *scope, const char *head, definition *to)
{
    const size_t length = strcspn(head, "( \t");
    const char *at = head + length + strspn(head + length, " \t");
    to->name = ws_arena_strndup(scope->arena, head, length);
    if (!to->name)
        return fail_memory();
    bool good = is_plain_name(to->name), more = *at == '(';
    while (good && more) {
        at += 1 + strspn(at + 1, " \t");
        const size_t n = strcspn(at, ",) \t");
        const char *const argument = ws_arena_strndup(scope->arena, at, n);
        if (!argument)
            return fail_memory();
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
    definition d = {.name = NULL};
    int status = read_head(scope, head, &d);
    if (!status)
        status = check_free(scope, d.name);
    if (status)
        return ws_fail_context(status, "%s:%d:%d", at_head->file, at_head->line, at_head->column);
    status = ws_expression_parse(scope->arena, text, strlen(text), place, &d.expression);
    return status ? status : add_definition(scope, &d);
}

/* ------------------------------------------------------------------------------------------------ names */

static int evaluate(run *r, const ws_node *node, const ws_cube **out);

static int fail_at(const run *r, const ws_node *node, int status)
{
    return ws_expression_fail(r->expression, node->at, status, NULL);
}

static int run_definition(run *r, definition *d, const ws_cube *const *argument, const ws_node *node,
                          const ws_cube **out)
{
    if (d->value) {
        *out = d->value;
        return WS_OK;
    }
    if (d->is_running && !d->arguments)
        return ws_expression_fail(r->expression, node->at, WS_EINPUT, "%s is defined by itself", d->name);
    run inner = *r;
    inner.expression = d->expression;
    inner.of = d;
    inner.argument = argument;
    if (!d->arguments)
        inner.work.arena = r->scope->arena;
    d->is_running = true;
    const int status = evaluate(&inner, d->expression->root, out);
    d->is_running = false;
    if (!status && !d->arguments)
        d->value = *out;
    return status;
}

/* An argument or a definition without arguments: *out is NULL if the name is neither. */
static int find_value(run *r, const char *name, const ws_node *node, const ws_cube **out)
{
    *out = NULL;
    for (size_t i = 0; r->of && i < r->of->arguments; i++)
        if (!strcmp(r->of->argument[i], name)) {
            *out = r->argument[i];
            return WS_OK;
        }
    definition *const d = find_definition(r->scope, name);
    if (!d)
        return WS_OK;
    if (d->arguments)
        return ws_expression_fail(r->expression, node->at, WS_EINPUT, "%s takes %zu arguments", name, d->arguments);
    return run_definition(r, d, NULL, node, out);
}

static int fail_name(const run *r, const ws_node *node)
{
    ws_guess guess = ws_guess_of(node->text);
    for (size_t i = 0; i < r->scope->definitions; i++)
        ws_guess_see(&guess, r->scope->definition[i]->name);
    const ws_cube_source *const columns = find_source(r->scope, "", 0);
    const ws_frame *const frame = columns ? ws_cube_source_frame(columns) : NULL;
    for (size_t i = 0; frame && i < frame->columns; i++)
        ws_guess_see(&guess, frame->column[i].name);
    for (size_t i = 0; frame && i < frame->labels; i++)
        ws_guess_see(&guess, frame->label_names[i]);
    return ws_expression_fail(r->expression, node->at, WS_EINPUT, "there is no column and no definition '%s'%s%s%s",
                              node->text, guess.best ? "; did you mean '" : "", guess.best ? guess.best : "",
                              guess.best ? "'?" : "");
}

static int find_name(run *r, const ws_node *node, const ws_cube **out)
{
    int status = find_value(r, node->text, node, out);
    ws_cube_source *const columns = find_source(r->scope, "", 0);
    if (!status && !*out && columns)
        status = ws_cube_source_find(columns, node->text, out);
    const char *const dot = strchr(node->text, '.');
    ws_cube_source *const named =
        !status && !*out && dot ? find_source(r->scope, node->text, (size_t)(dot - node->text)) : NULL;
    if (named)
        status = ws_cube_source_find(named, dot + 1, out);
    for (size_t i = 0; i < r->scope->sources && !status && !*out; i++) { /* axes have one name in all frames */
        ws_cube_source *const source = r->scope->source[i].source;
        if (ws_frame_find_label(ws_cube_source_frame(source), node->text) >= 0)
            status = ws_cube_source_find(source, node->text, out);
    }
    return status || *out ? status : fail_name(r, node);
}

/* ------------------------------------------------------------------------------------------------ selections */

/* What describes labels of an axis of the cube, by its name. */
static const ws_cube *find_description(const run *r, const ws_cube *cube, const char *name, size_t *axis)
{
    for (size_t i = 0; i < r->scope->sources; i++) {
        const ws_cube *const d = ws_cube_source_description(r->scope->source[i].source, name);
        const long at = d ? ws_cube_find_axis(cube, d->axis[0].name) : -1;
        if (at >= 0) {
            *axis = (size_t)at;
            return d;
        }
    }
    return NULL;
}

static int fail_axis(const run *r, const ws_cube *cube, const ws_item *item)
{
    char axes[200] = "";
    for (size_t i = 0, used = 0; i < cube->axes && used < sizeof axes; i++)
        used += (size_t)snprintf(axes + used, sizeof axes - used, "%s%s", i ? ", " : "", cube->axis[i].name);
    return ws_expression_fail(r->expression, item->at, WS_EINPUT, "%s has no axis %s here; it has %s", cube->name,
                              item->axis, *axes ? axes : "none");
}

static int fail_label(const run *r, const ws_axis *axis, const ws_word *word, const char *label)
{
    ws_guess guess = ws_guess_of(label);
    for (size_t i = 0; i < axis->labels; i++)
        ws_guess_see(&guess, axis->label[i]);
    return ws_expression_fail(r->expression, word->at, WS_EINPUT, "%s has no label '%s'%s%s%s", axis->name, label,
                              guess.best ? "; did you mean '" : "", guess.best ? guess.best : "",
                              guess.best ? "'?" : "");
}

/* The texts of a word: a label, or what it names. `axis` may be NULL. */
static int word_texts(run *r, const ws_word *word, const ws_axis *axis, const ws_cube **out)
{
    const ws_cube *value = NULL;
    const ws_node here = {.at = word->at};
    int status = word->node       ? evaluate(r, word->node, &value)
                 : word->is_label ? WS_OK
                                  : find_value(r, word->text, &here, &value);
    if (status)
        return status;
    if (!value)
        return ws_cube_scalar(&r->work, WS_CUBE_TEXTS, "a label", (ws_cell){.text = word->text}, out);
    if (!word->node && axis && ws_axis_find(axis, word->text) >= 0 && find_definition(r->scope, word->text))
        return ws_expression_fail(r->expression, word->at, WS_EINPUT,
                                  "%s is a label of %s and a definition; expected '%s' for the label or (%s)",
                                  word->text, axis->name, word->text, word->text);
    return ws_cube_to_texts(&r->work, value, NULL, out);
}

/* Labels of an axis for which `describe` (NULL: the label itself) is one of the texts, or is not. */
typedef struct choice {
    const ws_axis *axis;
    const ws_cube *describe;
    const char **text;
    const ws_word **word; /* [texts] where it is from */
    size_t texts, room;
} choice;

static const char *described(const choice *c, size_t label)
{
    if (!c->describe)
        return c->axis->label[label];
    const long at = ws_axis_find(&c->describe->axis[0], c->axis->label[label]);
    return at < 0 ? "" : c->describe->cell[at].text;
}

static int add_texts(run *r, const ws_word *word, choice *c)
{
    const ws_cube *value;
    int status = word_texts(r, word, c->describe ? NULL : c->axis, &value);
    for (size_t i = 0; !status && i < value->cells; i++) {
        if (value->cell[i].gap)
            continue;
        const char *const text = value->cell[i].text;
        size_t found = 0;
        while (found < c->axis->labels && strcmp(described(c, found), text))
            found++;
        if (found == c->axis->labels && !c->describe)
            return fail_label(r, c->axis, word, text);
        if (found == c->axis->labels && !(c->describe && c->axis->is_part))
            return ws_expression_fail(r->expression, word->at, WS_EINPUT, "no %s has %s=%s", c->axis->name,
                                      c->describe->name, text);
        if (c->texts == c->room) {
            const size_t room = 2 * c->room + 16;
            const char **const more = ws_arena_alloc(r->work.arena, room * sizeof *more);
            if (!more)
                return fail_memory();
            if (c->texts)
                memcpy(more, c->text, c->texts * sizeof *more);
            c->text = more;
            c->room = room;
        }
        c->text[c->texts++] = text;
    }
    return status;
}

static bool is_chosen(const choice *c, size_t label)
{
    for (size_t i = 0; i < c->texts; i++)
        if (!strcmp(described(c, label), c->text[i]))
            return true;
    return false;
}

/* Labels in the order of their words; those that are described, or not named, in that of the axis. */
static int choose(run *r, const ws_item *item, const ws_cube *cube, size_t axis, const ws_cube *describe,
                  const ws_cube **out)
{
    choice c = {.axis = &cube->axis[axis], .describe = describe};
    int status = WS_OK;
    for (size_t i = 0; i < item->words && !status; i++)
        status = add_texts(r, &item->word[i], &c);
    size_t *const label = ws_arena_alloc(r->work.arena, (c.axis->labels + 1) * sizeof *label), n = 0;
    if (status || !label)
        return status ? status : fail_memory();
    if (describe || item->kind == WS_ITEM_NOT_IN) {
        for (size_t i = 0; i < c.axis->labels; i++)
            if (is_chosen(&c, i) != (item->kind == WS_ITEM_NOT_IN))
                label[n++] = i;
    } else
        for (size_t i = 0; i < c.texts; i++) {
            size_t before = 0;
            const size_t at = (size_t)ws_axis_find(c.axis, c.text[i]);
            while (before < n && label[before] != at)
                before++;
            if (before == n)
                label[n++] = at;
        }
    if (!n)
        return ws_expression_fail(r->expression, item->at, WS_EINPUT, "this leaves no label of %s", c.axis->name);
    status = ws_cube_take(&r->work, cube, axis, label, n, out);
    return status ? ws_expression_fail(r->expression, item->at, status, NULL) : WS_OK;
}

static int select_label(run *r, const ws_item *item, const ws_cube *cube, size_t axis, const ws_cube **out)
{
    const ws_cube *text;
    int status = word_texts(r, item->word, &cube->axis[axis], &text);
    if (status)
        return status;
    const bool is_missing =
        !text->axes && !text->cell[0].gap && ws_axis_find(&cube->axis[axis], text->cell[0].text) < 0;
    if (is_missing)
        return fail_label(r, &cube->axis[axis], item->word, text->cell[0].text);
    status = ws_cube_point(&r->work, cube, axis, text, out);
    return status ? ws_expression_fail(r->expression, item->at, status, NULL) : WS_OK;
}

static int select_where(run *r, const ws_item *item, const ws_cube *cube, const ws_cube **out)
{
    const ws_cube *condition;
    int status = evaluate(r, item->condition, &condition);
    if (status)
        return status;
    if (condition->kind != WS_CUBE_CONDITIONS)
        return ws_expression_fail(r->expression, item->at, WS_EINPUT,
                                  "expected AXIS = LABEL, AXIS in LABEL..., or a condition such as x > 0");
    status = ws_cube_mask(&r->work, cube, condition, out);
    return status ? ws_expression_fail(r->expression, item->at, status, NULL) : WS_OK;
}

static int select_item(run *r, const ws_item *item, const ws_cube *cube, const ws_cube **out)
{
    if (item->kind == WS_ITEM_CONDITION)
        return select_where(r, item, cube, out);
    const long axis = ws_cube_find_axis(cube, item->axis);
    if (axis >= 0)
        return item->kind == WS_ITEM_LABEL ? select_label(r, item, cube, (size_t)axis, out)
                                           : choose(r, item, cube, (size_t)axis, NULL, out);
    size_t of;
    const ws_cube *const describe = find_description(r, cube, item->axis, &of);
    return describe ? choose(r, item, cube, of, describe, out) : fail_axis(r, cube, item);
}

/* Conditions come first: one over an axis of which a label is selected is about that label. */
static int select_items(run *r, const ws_node *node, const ws_cube **out)
{
    int status = evaluate(r, node->child[0], out);
    for (int first = 1; first >= 0; first--)
        for (size_t i = 0; i < node->items && !status; i++)
            if ((node->item[i].kind == WS_ITEM_CONDITION) == first)
                status = select_item(r, &node->item[i], *out, out);
    return status;
}

/* ------------------------------------------------------------------------------------------------ operators */

static const char *const symbols[] = {
#define OPERATOR(name, text) "what '" text "' gives",
#include "base/cube/expression_operators.def"
#undef OPERATOR
};

static double calculate(ws_operator op, double a, double b)
{
    switch ((int)op) {
    case WS_OP_ADD:
        return a + b;
    case WS_OP_SUBTRACT:
        return a - b;
    case WS_OP_MULTIPLY:
        return a * b;
    case WS_OP_DIVIDE:
        return a / b;
    case WS_OP_POWER:
        return pow(a, b);
    case WS_OP_BELOW:
        return a < b;
    case WS_OP_AT_MOST:
        return a <= b;
    case WS_OP_ABOVE:
        return a > b;
    case WS_OP_AT_LEAST:
        return a >= b;
    case WS_OP_EQUAL:
        return a == b;
    case WS_OP_UNEQUAL:
        return a != b;
    default:
        return NAN;
    }
}

static bool compares(ws_operator op)
{
    return op >= WS_OP_BELOW && op <= WS_OP_UNEQUAL;
}

/* false and anything is false, true or anything true, also where the other has no value. */
static void decide(ws_operator op, const ws_cell *a, const ws_cell *b, ws_cell *to)
{
    const double deciding = op == WS_OP_OR;
    if ((!a->gap && a->number == deciding) || (!b->gap && b->number == deciding))
        *to = (ws_cell){.number = deciding};
    else
        *to = a->gap && !(b->gap && ws_cell_is_out(b)) ? *a : *b;
    if (ws_cell_is_out(a) || ws_cell_is_out(b))
        *to = ws_cell_is_out(a) ? *a : *b;
}

static int join_texts(const ws_cube_work *work, const ws_cell *a, const ws_cell *b, ws_cell *to)
{
    const size_t n = strlen(a->text);
    char *const text = ws_arena_alloc(work->arena, n + strlen(b->text) + 1);
    if (!text)
        return fail_memory();
    strcpy(stpcpy(text, a->text), b->text);
    to->text = text;
    return WS_OK;
}

static int apply(const ws_cube_work *work, ws_operator op, bool are_texts, const ws_cube *const *x, ws_cube *to)
{
    for (size_t c = 0; c < to->cells; c++) {
        const ws_cell *const a = &x[0]->cell[c], *const b = &x[1]->cell[c];
        ws_cell *const cell = &to->cell[c];
        if (op == WS_OP_ELSE)
            *cell = a->gap ? *b : *a;
        else if (op == WS_OP_AND || op == WS_OP_OR)
            decide(op, a, b, cell);
        else if (a->gap || b->gap)
            *cell = a->gap && !(b->gap && ws_cell_is_out(b)) ? *a : *b;
        else if (op == WS_OP_JOIN) {
            const int status = join_texts(work, a, b, cell);
            if (status)
                return status;
        } else if (are_texts)
            cell->number = (strcmp(a->text, b->text) == 0) == (op == WS_OP_EQUAL);
        else {
            cell->number = calculate(op, a->number, b->number);
            if (!isfinite(cell->number))
                ws_cube_empty(to, c);
        }
    }
    return WS_OK;
}

static int expect_condition(const run *r, const ws_node *node, const ws_cube *cube)
{
    return cube->kind == WS_CUBE_CONDITIONS
               ? WS_OK
               : ws_expression_fail(r->expression, node->at, WS_EINPUT,
                                    "expected a condition, such as x > 0; %s is none", cube->name);
}

/* Operands of one kind: texts where one is text for `else` and `&`, and where both are for == and !=; else numbers. */
static int suit(run *r, const ws_node *node, const ws_cube **x, size_t n, bool *are_texts)
{
    bool any = false, all = true;
    for (size_t i = 0; i < n; i++) {
        any = any || x[i]->kind == WS_CUBE_TEXTS;
        all = all && x[i]->kind == WS_CUBE_TEXTS;
    }
    const ws_operator op = node->kind == WS_NODE_IF ? WS_OP_ELSE : node->op;
    *are_texts = op == WS_OP_JOIN || (op == WS_OP_ELSE && any) || ((op == WS_OP_EQUAL || op == WS_OP_UNEQUAL) && all);
    if (op == WS_OP_ELSE && !any)
        return WS_OK;
    int status = WS_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = *are_texts ? ws_cube_to_texts(&r->work, x[i], NULL, &x[i]) : ws_cube_to_numbers(&r->work, x[i], &x[i]);
    return status ? fail_at(r, node, status) : WS_OK;
}

static int run_binary(run *r, const ws_node *node, const ws_cube **out)
{
    const ws_cube *x[2];
    bool are_texts = false;
    int status = evaluate(r, node->child[0], &x[0]);
    if (!status)
        status = evaluate(r, node->child[1], &x[1]);
    const bool decides = node->op == WS_OP_AND || node->op == WS_OP_OR;
    for (size_t i = 0; i < 2 && !status && decides; i++)
        status = expect_condition(r, node, x[i]);
    if (!status && !decides)
        status = suit(r, node, x, 2, &are_texts);
    if (status)
        return status;
    ws_cube_kind kind = compares(node->op) || decides ? WS_CUBE_CONDITIONS : WS_CUBE_NUMBERS;
    if (node->op == WS_OP_ELSE && x[0]->kind == x[1]->kind)
        kind = x[0]->kind;
    if (are_texts && !compares(node->op))
        kind = WS_CUBE_TEXTS;
    const char *const name = node->op == WS_OP_ELSE ? x[0]->name : symbols[node->op];
    ws_cube *to;
    status = ws_cube_match(&r->work, x, 2, x);
    if (!status)
        status = ws_cube_new(&r->work, kind, name, x[0]->axis, x[0]->axes, &to);
    if (!status)
        status = apply(&r->work, node->op, are_texts, x, to);
    if (status)
        return fail_at(r, node, status);
    *out = to;
    return WS_OK;
}

static int run_unary(run *r, const ws_node *node, const ws_cube **out)
{
    const ws_cube *x;
    ws_cube *to;
    int status = evaluate(r, node->child[0], &x);
    if (!status)
        status = node->op == WS_OP_NOT ? expect_condition(r, node, x) : ws_cube_to_numbers(&r->work, x, &x);
    if (!status)
        status = ws_cube_new(&r->work, node->op == WS_OP_NOT ? WS_CUBE_CONDITIONS : WS_CUBE_NUMBERS, x->name, x->axis,
                             x->axes, &to);
    for (size_t c = 0; c < (status ? 0 : x->cells); c++) {
        to->cell[c] = x->cell[c];
        if (!x->cell[c].gap)
            to->cell[c].number = node->op == WS_OP_NOT ? x->cell[c].number == 0 : -x->cell[c].number;
    }
    if (!status)
        *out = to;
    return status;
}

/* Only the side that counts is evaluated if the condition is one. */
static int run_if(run *r, const ws_node *node, const ws_cube **out)
{
    const ws_cube *x[3];
    bool are_texts;
    int status = evaluate(r, node->child[0], &x[0]);
    if (!status)
        status = expect_condition(r, node->child[0], x[0]);
    if (status)
        return status;
    if (!x[0]->axes && !x[0]->cell[0].gap)
        return evaluate(r, node->child[x[0]->cell[0].number != 0 ? 1 : 2], out);
    for (size_t i = 1; i < 3 && !status; i++)
        status = evaluate(r, node->child[i], &x[i]);
    if (!status)
        status = suit(r, node, x + 1, 2, &are_texts);
    if (status)
        return status;
    ws_cube *to;
    const ws_cube_kind kind = x[1]->kind == x[2]->kind ? x[1]->kind : WS_CUBE_NUMBERS;
    status = ws_cube_match(&r->work, x, 3, x);
    if (!status)
        status = ws_cube_new(&r->work, kind, "if", x[0]->axis, x[0]->axes, &to);
    for (size_t c = 0; c < (status ? 0 : to->cells); c++)
        to->cell[c] = x[0]->cell[c].gap ? x[0]->cell[c] : x[x[0]->cell[c].number != 0 ? 1 : 2]->cell[c];
    if (status)
        return fail_at(r, node, status);
    *out = to;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ calls */

static int fail_function(const run *r, const ws_node *node)
{
    ws_guess guess = ws_guess_of(node->text);
    for (size_t i = 0; ws_cube_function_at(i); i++)
        ws_guess_see(&guess, ws_cube_function_at(i)->name);
    for (size_t i = 0; i < r->scope->definitions; i++)
        ws_guess_see(&guess, r->scope->definition[i]->name);
    return ws_expression_fail(r->expression, node->at, WS_EINPUT, "there is no function '%s'%s%s%s", node->text,
                              guess.best ? "; did you mean '" : "", guess.best ? guess.best : "",
                              guess.best ? "'?" : "");
}

static int run_call(run *r, const ws_node *node, const ws_cube **out)
{
    const ws_cube_function *const function = ws_cube_function_find(node->text);
    definition *const d = function ? NULL : find_definition(r->scope, node->text);
    if (!function && !d)
        return fail_function(r, node);
    if (d && (!d->arguments || d->arguments != node->children))
        return ws_expression_fail(r->expression, node->at, WS_EINPUT, "%s takes %zu arguments", d->name, d->arguments);
    ws_cube_call call = {.work = &r->work,
                         .arguments = node->children,
                         .over = node->over,
                         .overs = node->overs,
                         .shown = shown_label,
                         .names = r->scope};
    int status = WS_OK;
    for (size_t i = 0; i < node->children && !status; i++)
        status = evaluate(r, node->child[i], &call.argument[i]);
    if (status || d)
        return status ? status : run_definition(r, d, call.argument, node, out);
    status = function->call(&call, out);
    return status ? fail_at(r, node, status) : WS_OK;
}

static int evaluate_kind(run *r, const ws_node *node, const ws_cube **out)
{
    switch (node->kind) {
    case WS_NODE_NUMBER:
        return ws_cube_scalar(&r->work, WS_CUBE_NUMBERS, "a number", (ws_cell){.number = node->number}, out);
    case WS_NODE_TEXT:
        return ws_cube_scalar(&r->work, WS_CUBE_TEXTS, "a text", (ws_cell){.text = node->text}, out);
    case WS_NODE_NAME:
        return find_name(r, node, out);
    case WS_NODE_CALL:
        return run_call(r, node, out);
    case WS_NODE_IF:
        return run_if(r, node, out);
    case WS_NODE_SELECT:
        return select_items(r, node, out);
    case WS_NODE_UNARY:
        return run_unary(r, node, out);
    case WS_NODE_BINARY:
        return run_binary(r, node, out);
    }
    return WS_OK;
}

static int evaluate(run *r, const ws_node *node, const ws_cube **out)
{
    if (r->depth == DEPTH_MOST)
        return ws_expression_fail(r->expression, node->at, WS_ELIMIT, "more than %d levels", DEPTH_MOST);
    if (!*r->work.nodes_left)
        return ws_expression_fail(r->expression, node->at, WS_ELIMIT, "this takes more than %d steps", NODES_MOST);
    --*r->work.nodes_left;
    r->depth++;
    const int status = evaluate_kind(r, node, out);
    r->depth--;
    return status;
}

int ws_expression_evaluate(ws_scope *scope, const ws_expression *expression, ws_arena *arena, const ws_cube **out)
{
    size_t cells = CELLS_MOST, nodes = NODES_MOST;
    run r = {.scope = scope, .work = {arena, &cells, &nodes}, .expression = expression};
    return evaluate(&r, expression->root, out);
}

int ws_scope_apply(ws_scope *scope, const char *name, const ws_cube *argument, const ws_expression *of, size_t at,
                   ws_arena *arena, const ws_cube **out)
{
    size_t cells = CELLS_MOST, nodes = NODES_MOST;
    run r = {.scope = scope, .work = {arena, &cells, &nodes}, .expression = of};
    definition *const d = find_definition(scope, name);
    const ws_node here = {.at = at, .text = name};
    if (!d)
        return fail_function(&r, &here);
    if (d->arguments != 1)
        return ws_expression_fail(of, at, WS_EINPUT, "%s takes %zu arguments; a format takes one", name, d->arguments);
    return run_definition(&r, d, &argument, &here, out);
}

int ws_expression_cell(ws_scope *scope, const ws_expression *expression, ws_arena *arena, ws_cube_kind kind,
                       ws_cell *out)
{
    static const char *const kinds[] = {"number", "condition", "text"};
    const ws_cube *cube;
    const int status = ws_expression_evaluate(scope, expression, arena, &cube);
    if (status)
        return status;
    if (cube->axes)
        return ws_expression_fail(expression, 0, WS_EINPUT,
                                  "expected one %s, not values along %s; select, or reduce them (mean, all, ...)",
                                  kinds[kind], cube->axis[0].name);
    if (cube->kind != kind)
        return ws_expression_fail(expression, 0, WS_EINPUT, "expected a %s, not a %s", kinds[kind], kinds[cube->kind]);
    if (cube->cell[0].gap)
        return ws_expression_fail(expression, 0, ws_cube_fail_gap(&cube->cell[0]), NULL);
    *out = cube->cell[0];
    return WS_OK;
}
