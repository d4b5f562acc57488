/* expression_run.c - expressions evaluated: what names mean, operators, calls. */
#include "base/cube/expression_internal.h"
#include "base/guess.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

enum { CELLS_MOST = 1 << 24, NODES_MOST = 1 << 20, DEPTH_MOST = 250 };

/* ------------------------------------------------------------------------------------------------ names */

static int fail_at(const ws_run *r, const ws_node *node, int status)
{
    return ws_expression_fail(r->expression, node->at, status, NULL);
}

static const char *shown_label(const void *names, const char *axis, const char *label)
{
    return ws_scope_shown(names, axis, label);
}

static int run_definition(ws_run *r, ws_definition *d, const ws_cube *const *argument, const ws_node *node,
                          const ws_cube **out)
{
    if (d->value) {
        *out = d->value;
        return WS_OK;
    }
    if (d->is_running && !d->arguments)
        return ws_expression_fail(r->expression, node->at, WS_EINPUT, "%s is defined by itself", d->name);
    ws_run inner = *r;
    inner.expression = d->expression;
    inner.of = d;
    inner.argument = argument;
    if (!d->arguments)
        inner.work.arena = r->scope->arena;
    d->is_running = true;
    const int status = ws_run_node(&inner, d->expression->root, out);
    d->is_running = false;
    if (!status && !d->arguments)
        d->value = *out;
    return status;
}

/* An argument or a definition without arguments: *out is NULL if the name is neither. */
int ws_run_value(ws_run *r, const char *name, const ws_node *node, const ws_cube **out)
{
    *out = NULL;
    for (size_t i = 0; r->of && i < r->of->arguments; i++)
        if (!strcmp(r->of->argument[i], name)) {
            *out = r->argument[i];
            return WS_OK;
        }
    ws_definition *const d = ws_scope_find(r->scope, name);
    if (!d)
        return WS_OK;
    if (d->arguments)
        return ws_expression_fail(r->expression, node->at, WS_EINPUT, "%s takes %zu arguments", name, d->arguments);
    return run_definition(r, d, NULL, node, out);
}

static int fail_name(const ws_run *r, const ws_node *node)
{
    ws_guess guess = ws_guess_of(node->text);
    for (size_t i = 0; i < r->scope->defined.count; i++)
        ws_guess_see(&guess, r->scope->defined.text[i]);
    const ws_cube_source *const columns = ws_scope_source(r->scope, "", 0);
    const ws_frame *const frame = columns ? ws_cube_source_frame(columns) : NULL;
    for (size_t i = 0; frame && i < frame->columns; i++)
        ws_guess_see(&guess, frame->column[i].name);
    for (size_t i = 0; frame && i < frame->labels; i++)
        ws_guess_see(&guess, frame->label_names[i]);
    return ws_expression_fail(r->expression, node->at, WS_EINPUT, "there is no column and no definition '%s'%s%s%s",
                              node->text, guess.best ? "; did you mean '" : "", guess.best ? guess.best : "",
                              guess.best ? "'?" : "");
}

static int find_name(ws_run *r, const ws_node *node, const ws_cube **out)
{
    int status = ws_run_value(r, node->text, node, out);
    ws_cube_source *const columns = ws_scope_source(r->scope, "", 0);
    if (!status && !*out && columns)
        status = ws_cube_source_find(columns, node->text, out);
    const char *const dot = strchr(node->text, '.');
    ws_cube_source *const named =
        !status && !*out && dot ? ws_scope_source(r->scope, node->text, (size_t)(dot - node->text)) : NULL;
    if (named)
        status = ws_cube_source_find(named, dot + 1, out);
    for (size_t i = 0; i < r->scope->sources && !status && !*out; i++) { /* axes have one name in all frames */
        ws_cube_source *const source = r->scope->source[i].source;
        if (ws_frame_find_label(ws_cube_source_frame(source), node->text) >= 0)
            status = ws_cube_source_find(source, node->text, out);
    }
    return status || *out ? status : fail_name(r, node);
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
        return ws_expression_fail_memory();
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

static int expect_condition(const ws_run *r, const ws_node *node, const ws_cube *cube)
{
    return cube->kind == WS_CUBE_CONDITIONS
               ? WS_OK
               : ws_expression_fail(r->expression, node->at, WS_EINPUT,
                                    "expected a condition, such as x > 0; %s is none", cube->name);
}

/* Operands of one kind: texts where one is text for `else` and `&`, and where both are for == and !=; else numbers. */
static int suit(ws_run *r, const ws_node *node, const ws_cube **x, size_t n, bool *are_texts)
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

static int run_binary(ws_run *r, const ws_node *node, const ws_cube **out)
{
    const ws_cube *x[2];
    bool are_texts = false;
    int status = ws_run_node(r, node->child[0], &x[0]);
    if (!status)
        status = ws_run_node(r, node->child[1], &x[1]);
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

static int run_unary(ws_run *r, const ws_node *node, const ws_cube **out)
{
    const ws_cube *x;
    ws_cube *to;
    int status = ws_run_node(r, node->child[0], &x);
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
static int run_if(ws_run *r, const ws_node *node, const ws_cube **out)
{
    const ws_cube *x[3];
    bool are_texts;
    int status = ws_run_node(r, node->child[0], &x[0]);
    if (!status)
        status = expect_condition(r, node->child[0], x[0]);
    if (status)
        return status;
    if (!x[0]->axes && !x[0]->cell[0].gap)
        return ws_run_node(r, node->child[x[0]->cell[0].number != 0 ? 1 : 2], out);
    for (size_t i = 1; i < 3 && !status; i++)
        status = ws_run_node(r, node->child[i], &x[i]);
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

static int fail_function(const ws_run *r, const ws_node *node)
{
    ws_guess guess = ws_guess_of(node->text);
    for (size_t i = 0; ws_cube_function_at(i); i++)
        ws_guess_see(&guess, ws_cube_function_at(i)->name);
    for (size_t i = 0; i < r->scope->defined.count; i++)
        ws_guess_see(&guess, r->scope->defined.text[i]);
    return ws_expression_fail(r->expression, node->at, WS_EINPUT, "there is no function '%s'%s%s%s", node->text,
                              guess.best ? "; did you mean '" : "", guess.best ? guess.best : "",
                              guess.best ? "'?" : "");
}

static int run_call(ws_run *r, const ws_node *node, const ws_cube **out)
{
    const ws_cube_function *const function = ws_cube_function_find(node->text);
    ws_definition *const d = function ? NULL : ws_scope_find(r->scope, node->text);
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
        status = ws_run_node(r, node->child[i], &call.argument[i]);
    if (status || d)
        return status ? status : run_definition(r, d, call.argument, node, out);
    status = function->call(&call, out);
    return status ? fail_at(r, node, status) : WS_OK;
}

static int evaluate_kind(ws_run *r, const ws_node *node, const ws_cube **out)
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
        return ws_run_selection(r, node, out);
    case WS_NODE_UNARY:
        return run_unary(r, node, out);
    case WS_NODE_BINARY:
        return run_binary(r, node, out);
    }
    return WS_OK;
}

int ws_run_node(ws_run *r, const ws_node *node, const ws_cube **out)
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
    ws_run r = {.scope = scope, .work = {arena, &cells, &nodes}, .expression = expression};
    return ws_run_node(&r, expression->root, out);
}

int ws_scope_apply(ws_scope *scope, const char *name, const ws_cube *argument, const ws_expression *of, size_t at,
                   ws_arena *arena, const ws_cube **out)
{
    size_t cells = CELLS_MOST, nodes = NODES_MOST;
    ws_run r = {.scope = scope, .work = {arena, &cells, &nodes}, .expression = of};
    ws_definition *const d = ws_scope_find(scope, name);
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
