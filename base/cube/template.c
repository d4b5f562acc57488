/* template.c - texts with values of expressions in them. */
#include "base/cube/expression_internal.h"
#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

typedef struct piece {
    const char *before;              /* text in front of the value */
    const ws_expression *expression; /* NULL behind the last value */
    const char *format;              /* NULL: none */
    bool is_list;
} piece;

struct ws_template {
    ws_expression whole; /* for messages */
    const piece *piece;
    size_t pieces;
};

struct ws_filled_template {
    const ws_template *template;
    ws_scope *scope;
    const ws_cube **value; /* [pieces] */
};

/* ------------------------------------------------------------------------------------------------ parsed */

/* The end of what begins behind a brace: the format's colon, or 0, and the brace that closes. */
static int find_end(const ws_template *t, size_t from, size_t *colon, size_t *end)
{
    const char *const text = t->whole.text;
    int depth = 0;
    *colon = 0;
    for (size_t i = from; text[i]; i++) {
        const char c = text[i];
        if (!*colon && (c == '\'' || c == '"')) {
            const char *const close = strchr(text + i + 1, c);
            if (!close)
                break;
            i = (size_t)(close - text);
        } else if (!*colon && (c == '(' || c == '['))
            depth++;
        else if (!*colon && (c == ')' || c == ']'))
            depth--;
        else if (c == ':' && !depth && !*colon)
            *colon = i;
        else if (c == '}') {
            *end = i;
            return WS_OK;
        }
    }
    return ws_expression_fail(&t->whole, from - 1, WS_EINPUT, "expected } behind {EXPRESSION:FORMAT");
}

/* Moves a place over text[0..length). */
static void move_place(ws_place *place, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        place->column = text[i] == '\n' ? 1 : place->column + 1;
        place->line += text[i] == '\n';
    }
}

/* A list with a format is one of texts. */
static int take_list(ws_arena *arena, piece *p)
{
    const ws_node *const root = p->expression->root;
    if (root->kind != WS_NODE_CALL || strcmp(root->text, "list"))
        return WS_OK;
    if (root->overs)
        return ws_expression_fail(p->expression, root->at, WS_EINPUT,
                                  "a list in a text is over all that is left; expected no `over`");
    ws_expression *const inner = ws_arena_alloc(arena, sizeof *inner);
    if (!inner)
        return ws_fail(WS_EMEM, "no memory for a text");
    *inner = *p->expression;
    inner->root = root->child[0];
    p->expression = inner;
    p->is_list = true;
    return WS_OK;
}

static int parse_value(ws_arena *arena, const ws_template *t, size_t from, const ws_place *place, size_t *end, piece *p)
{
    size_t colon;
    int status = find_end(t, from, &colon, end);
    if (status)
        return status;
    const char *const text = t->whole.text;
    status = ws_expression_parse(arena, text + from, (colon ? colon : *end) - from, place, &p->expression);
    if (status)
        return status;
    if (colon) {
        p->format = ws_arena_strndup(arena, text + colon + 1, *end - colon - 1);
        if (!p->format)
            return ws_fail(WS_EMEM, "no memory for a text");
    }
    return take_list(arena, p);
}

/* Text up to a value or the end, with one blank for a line feed and the blanks around it. */
static char *take_text(ws_arena *arena, const char *text, size_t *at)
{
    size_t end = *at, n = 0;
    while (text[end] && (text[end] != '{' || text[end + 1] == '{'))
        end += text[end] == '{' ? 2 : 1;
    char *const to = ws_arena_alloc(arena, end - *at + 1);
    for (; to && *at < end; ++*at) {
        *at += text[*at] == '{';
        if (text[*at] == '\n') {
            while (n && (to[n - 1] == ' ' || to[n - 1] == '\t'))
                n--;
            *at += strspn(text + *at, " \t\n") - 1;
            to[n++] = ' ';
        } else
            to[n++] = text[*at];
    }
    return to;
}

int ws_template_parse(ws_arena *arena, const char *text, const ws_place *place, const ws_template **out)
{
    ws_template *const t = ws_arena_alloc(arena, sizeof *t);
    *out = t;
    if (!t)
        return ws_fail(WS_EMEM, "no memory for a text");
    t->whole = (ws_expression){.text = ws_arena_strndup(arena, text, strlen(text)), .place = *place};
    piece *pieces = NULL;
    size_t room = 0, at = 0, placed = 0;
    ws_place here = *place; /* of text[placed] */
    int status = t->whole.text ? WS_OK : ws_fail(WS_EMEM, "no memory for a text");
    for (bool more = true; more && !status; t->pieces++) {
        status = WS_GROW(pieces, room, t->pieces, 1);
        if (status)
            break;
        piece *const p = &pieces[t->pieces];
        *p = (piece){.before = take_text(arena, t->whole.text, &at)};
        if (!p->before)
            status = ws_fail(WS_EMEM, "no memory for a text");
        more = t->whole.text[at];
        if (more && !status) {
            size_t end = at;
            move_place(&here, t->whole.text + placed, at + 1 - placed);
            placed = at + 1;
            status = parse_value(arena, t, placed, &here, &end, p);
            at = status ? at : end + 1;
        }
    }
    piece *const kept = status ? NULL : ws_arena_alloc(arena, t->pieces * sizeof *kept);
    if (kept)
        memcpy(kept, pieces, t->pieces * sizeof *kept);
    t->piece = kept;
    free(pieces);
    return status || kept ? status : ws_fail(WS_EMEM, "no memory for a text");
}

/* ------------------------------------------------------------------------------------------------ filled */

/* A format is text with a conversion, or the name of a definition. */
static int format_value(ws_scope *scope, const piece *p, ws_arena *arena, const ws_cube **value)
{
    size_t cells = WS_CUBE_CELLS_MOST, nodes = 0;
    const ws_cube_work work = {arena, &cells, &nodes};
    int status = WS_OK;
    const char *format = p->format;
    if (format && !strchr(format, '%')) {
        status = ws_scope_apply(scope, format, *value, p->expression, 0, arena, value);
        format = NULL;
    }
    if (status)
        return status;
    status = ws_cube_to_texts(&work, *value, format, value);
    return status ? ws_expression_fail(p->expression, 0, status, NULL) : WS_OK;
}

int ws_template_evaluate(ws_scope *scope, const ws_template *template, ws_arena *arena, const ws_filled_template **out)
{
    ws_filled_template *const f = ws_arena_alloc(arena, sizeof *f);
    *out = f;
    if (!f)
        return ws_fail(WS_EMEM, "no memory for a text");
    *f = (ws_filled_template){.template = template, .scope = scope};
    f->value = ws_arena_alloc(arena, (template->pieces + 1) * sizeof *f->value);
    int status = f->value ? WS_OK : ws_fail(WS_EMEM, "no memory for a text");
    for (size_t i = 0; i < template->pieces && !status; i++) {
        const piece *const p = &template->piece[i];
        if (!p->expression)
            continue;
        status = ws_expression_evaluate(scope, p->expression, arena, &f->value[i]);
        if (!status)
            status = format_value(scope, p, arena, &f->value[i]);
    }
    return status;
}

/* A text that grows in an arena. */
typedef struct growing {
    ws_arena *arena;
    char *text;
    size_t length, room;
} growing;

static int append(growing *to, const char *text)
{
    const size_t n = strlen(text);
    if (to->length + n + 1 > to->room) {
        const size_t room = 2 * (to->length + n) + 64;
        char *const more = ws_arena_alloc(to->arena, room);
        if (!more)
            return ws_fail(WS_EMEM, "no memory for a text");
        if (to->length)
            memcpy(more, to->text, to->length);
        to->text = more;
        to->room = room;
    }
    memcpy(to->text + to->length, text, n + 1);
    to->length += n;
    return WS_OK;
}

/* The axes of a cube that no coordinate fixes, and the first cell. */
typedef struct rest {
    size_t axis[WS_AXES_MOST], axes, first, cells;
    bool is_out; /* of a part that was selected */
    const ws_coordinate *missing;
} rest;

static void fix(const ws_cube *cube, const ws_coordinate *at, size_t coordinates, rest *to)
{
    *to = (rest){.cells = 1};
    for (size_t i = 0; i < cube->axes; i++) {
        const ws_axis *const axis = &cube->axis[i];
        size_t k = 0;
        while (k < coordinates && strcmp(at[k].axis, axis->name))
            k++;
        if (k == coordinates) {
            to->axis[to->axes++] = i;
            to->cells *= axis->labels;
            continue;
        }
        const long label = ws_axis_find(axis, at[k].label);
        to->is_out = to->is_out || (label < 0 && axis->is_part);
        if (label < 0)
            to->missing = &at[k];
        else
            to->first += (size_t)label * ws_cube_step(cube, i);
    }
}

static size_t cell_of(const ws_cube *cube, const rest *r, size_t n)
{
    size_t at = r->first;
    for (size_t i = r->axes; i-- > 0;) {
        const size_t labels = cube->axis[r->axis[i]].labels;
        at += n % labels * ws_cube_step(cube, r->axis[i]);
        n /= labels;
    }
    return at;
}

static int append_labels(const ws_filled_template *f, const ws_cube *cube, const rest *r, size_t cell, growing *to)
{
    int status = WS_OK;
    for (size_t i = 0; i < r->axes && !status; i++) {
        const ws_axis *const axis = &cube->axis[r->axis[i]];
        status = append(to, ws_scope_shown(f->scope, axis->name,
                                           axis->label[cell / ws_cube_step(cube, r->axis[i]) % axis->labels]));
        if (!status)
            status = append(to, " ");
    }
    return status;
}

static int write_value(const ws_filled_template *f, size_t piece_number, const ws_coordinate *at, size_t coordinates,
                       growing *to)
{
    const piece *const p = &f->template->piece[piece_number];
    const ws_cube *const cube = f->value[piece_number];
    rest r;
    fix(cube, at, coordinates, &r);
    if (r.missing && !r.is_out)
        return ws_expression_fail(p->expression, 0, WS_EINPUT, "this has no label %s=%s", r.missing->axis,
                                  r.missing->label);
    if (r.missing)
        return ws_expression_fail(p->expression, 0, WS_EINPUT, "a selection leaves %s=%s out", r.missing->axis,
                                  r.missing->label);
    int status = WS_OK;
    for (size_t i = 0, n = 0; i < r.cells && !status; i++) {
        const size_t c = cell_of(cube, &r, i);
        const ws_cell *const cell = &cube->cell[c];
        if (ws_cell_is_out(cell) && r.axes)
            continue;
        if (cell->gap)
            return ws_expression_fail(p->expression, 0, ws_cube_fail_gap(cell), NULL);
        status = n++ ? append(to, ", ") : WS_OK;
        if (!status && p->is_list)
            status = append_labels(f, cube, &r, c, to);
        if (!status)
            status = append(to, cell->text);
    }
    return status;
}

int ws_template_write(const ws_filled_template *filled, ws_arena *arena, const ws_coordinate *at, size_t coordinates,
                      const char **out)
{
    growing to = {.arena = arena};
    int status = WS_OK;
    for (size_t i = 0; i < filled->template->pieces && !status; i++) {
        status = append(&to, filled->template->piece[i].before);
        if (!status && filled->template->piece[i].expression)
            status = write_value(filled, i, at, coordinates, &to);
    }
    *out = to.text;
    return status;
}
