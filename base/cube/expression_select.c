/* expression_select.c - selections: labels, what describes labels, conditions. */
#include "base/cube/expression_internal.h"
#include "base/guess.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* What describes labels of an axis of the cube, by its name. */
static const ws_cube *find_description(const ws_run *r, const ws_cube *cube, const char *name, size_t *axis)
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

static int fail_axis(const ws_run *r, const ws_cube *cube, const ws_item *item)
{
    char axes[200] = "";
    for (size_t i = 0, used = 0; i < cube->axes && used < sizeof axes; i++)
        used += (size_t)snprintf(axes + used, sizeof axes - used, "%s%s", i ? ", " : "", cube->axis[i].name);
    return ws_expression_fail(r->expression, item->at, WS_EINPUT, "%s has no axis %s here; it has %s", cube->name,
                              item->axis, *axes ? axes : "none");
}

static int fail_label(const ws_run *r, const ws_axis *axis, const ws_word *word, const char *label)
{
    ws_guess guess = ws_guess_of(label);
    for (size_t i = 0; i < axis->labels; i++)
        ws_guess_see(&guess, axis->label[i]);
    return ws_expression_fail(r->expression, word->at, WS_ENUMERIC, "%s has no label '%s'%s%s%s", axis->name, label,
                              guess.best ? "; did you mean '" : "", guess.best ? guess.best : "",
                              guess.best ? "'?" : "");
}

/* The texts of a word: a label, or what it names. `axis` may be NULL. */
static int word_texts(ws_run *r, const ws_word *word, const ws_axis *axis, const ws_cube **out)
{
    const ws_cube *value = NULL;
    const ws_node here = {.at = word->at};
    int status = word->node       ? ws_run_node(r, word->node, &value)
                 : word->is_label ? WS_OK
                                  : ws_run_value(r, word->text, &here, &value);
    if (status)
        return status;
    if (!value)
        return ws_cube_scalar(&r->work, WS_CUBE_TEXTS, "a label", (ws_cell){.text = word->text}, out);
    if (!word->node && axis && ws_axis_find(axis, word->text) >= 0 && ws_scope_find(r->scope, word->text))
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
    size_t texts, room;
} choice;

static const char *described(const choice *c, size_t label)
{
    if (!c->describe)
        return c->axis->label[label];
    const long at = ws_axis_find(&c->describe->axis[0], c->axis->label[label]);
    return at < 0 ? "" : c->describe->cell[at].text;
}

static int add_texts(ws_run *r, const ws_word *word, choice *c)
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
            return ws_expression_fail(r->expression, word->at, WS_ENUMERIC, "no %s has %s=%s", c->axis->name,
                                      c->describe->name, text);
        if (c->texts == c->room) {
            const size_t room = 2 * c->room + 16;
            const char **const more = ws_arena_alloc(r->work.arena, room * sizeof *more);
            if (!more)
                return ws_expression_fail_memory();
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
static int choose(ws_run *r, const ws_item *item, const ws_cube *cube, size_t axis, const ws_cube *describe,
                  const ws_cube **out)
{
    choice c = {.axis = &cube->axis[axis], .describe = describe};
    int status = WS_OK;
    for (size_t i = 0; i < item->words && !status; i++)
        status = add_texts(r, &item->word[i], &c);
    size_t *const label = ws_arena_alloc(r->work.arena, (c.axis->labels + 1) * sizeof *label), n = 0;
    if (status || !label)
        return status ? status : ws_expression_fail_memory();
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

static int select_label(ws_run *r, const ws_item *item, const ws_cube *cube, size_t axis, const ws_cube **out)
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

static int select_where(ws_run *r, const ws_item *item, const ws_cube *cube, const ws_cube **out)
{
    const ws_cube *condition;
    int status = ws_run_node(r, item->condition, &condition);
    if (status)
        return status;
    if (condition->kind != WS_CUBE_CONDITIONS)
        return ws_expression_fail(r->expression, item->at, WS_EINPUT,
                                  "expected AXIS = LABEL, AXIS in LABEL..., or a condition such as x > 0");
    status = ws_cube_mask(&r->work, cube, condition, out);
    return status ? ws_expression_fail(r->expression, item->at, status, NULL) : WS_OK;
}

static int select_item(ws_run *r, const ws_item *item, const ws_cube *cube, const ws_cube **out)
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
int ws_run_selection(ws_run *r, const ws_node *node, const ws_cube **out)
{
    int status = ws_run_node(r, node->child[0], out);
    for (int first = 1; first >= 0; first--)
        for (size_t i = 0; i < node->items && !status; i++)
            if ((node->item[i].kind == WS_ITEM_CONDITION) == first)
                status = select_item(r, &node->item[i], *out, out);
    return status;
}
