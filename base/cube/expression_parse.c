/* expression_parse.c - expressions from text to tree, by recursive descent. */
#include "base/cube/expression_internal.h"
#include "base/grow.h"
#include "base/status.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 50 };

typedef struct parser {
    ws_arena *arena;
    const ws_expression *expression;
    const char *text;
    size_t length, at;
    unsigned depth;
} parser;

int ws_expression_fail(const ws_expression *expression, size_t at, int status, const char *format, ...)
{
    int line = expression->place.line, column = expression->place.column;
    for (size_t i = 0; i < at; i++) {
        column = expression->text[i] == '\n' ? 1 : column + 1;
        line += expression->text[i] == '\n';
    }
    char text[400];
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
    } else
        snprintf(text, sizeof text, "%s", ws_message());
    return ws_fail(status, "%s:%d:%d: %s", expression->place.file, line, column, text);
}

#define FAIL(p, at, ...) ws_expression_fail((p)->expression, (at), WS_EINPUT, __VA_ARGS__)

int ws_expression_fail_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for an expression");
}

/* ------------------------------------------------------------------------------------------------ letters */

static char peek(const parser *p, size_t ahead)
{
    return p->at + ahead < p->length ? p->text[p->at + ahead] : 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_first(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return is_first(c) || is_digit(c) || c == '.';
}

static void skip(parser *p)
{
    while (is_blank(peek(p, 0)))
        p->at++;
}

static bool take(parser *p, const char *symbol)
{
    skip(p);
    const size_t n = strlen(symbol);
    if (p->length - p->at < n || strncmp(p->text + p->at, symbol, n))
        return false;
    p->at += n;
    return true;
}

static bool take_word(parser *p, const char *word)
{
    skip(p);
    const size_t n = strlen(word);
    if (p->length - p->at < n || strncmp(p->text + p->at, word, n) || is_name(peek(p, n)))
        return false;
    p->at += n;
    return true;
}

static const char *copy(parser *p, size_t from)
{
    return ws_arena_strndup(p->arena, p->text + from, p->at - from);
}

bool ws_expression_is_keyword(const char *name)
{
    static const char *const words[] = {"and", "or", "not", "in", "over", "else"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name))
            return true;
    return false;
}

static int read_quoted(parser *p, const char **out)
{
    const size_t from = p->at;
    const char quote = p->text[p->at++];
    const char *const end = memchr(p->text + p->at, quote, p->length - p->at);
    if (!end)
        return FAIL(p, from, "expected a second %c", quote);
    *out = ws_arena_strndup(p->arena, p->text + p->at, (size_t)(end - p->text) - p->at);
    p->at = (size_t)(end - p->text) + 1;
    return *out ? WS_OK : ws_expression_fail_memory();
}

/* ------------------------------------------------------------------------------------------------ nodes */

static int make(parser *p, const ws_node *from, const ws_node **out)
{
    ws_node *const node = ws_arena_alloc(p->arena, sizeof *node);
    if (!node)
        return ws_expression_fail_memory();
    *node = *from;
    *out = node;
    return WS_OK;
}

static int make_binary(parser *p, ws_operator op, size_t at, const ws_node *a, const ws_node **out)
{
    return make(p, &(ws_node){.kind = WS_NODE_BINARY, .at = at, .op = op, .child = {a, *out}, .children = 2}, out);
}

static int parse_expression(parser *p, const ws_node **out);

static int parse_number(parser *p, const ws_node **out)
{
    const size_t from = p->at;
    while (is_digit(peek(p, 0)) || peek(p, 0) == '.')
        p->at++;
    if ((peek(p, 0) == 'e' || peek(p, 0) == 'E') &&
        (is_digit(peek(p, 1)) || ((peek(p, 1) == '-' || peek(p, 1) == '+') && is_digit(peek(p, 2))))) {
        p->at += 2;
        while (is_digit(peek(p, 0)))
            p->at++;
    }
    double number;
    if (is_name(peek(p, 0)) || ws_text_to_double(p->text + from, p->at - from, &number))
        return FAIL(p, from, "expected a number (a name that begins with a digit stands in \"quotes\")");
    return make(p, &(ws_node){.kind = WS_NODE_NUMBER, .at = from, .number = number}, out);
}

static int parse_over(parser *p, ws_node *call)
{
    size_t room = 0;
    const char **over = NULL;
    int status = WS_OK;
    for (;;) {
        skip(p);
        const size_t from = p->at;
        if (peek(p, 0) == '"') {
            const char *name;
            status = read_quoted(p, &name);
            if (!status)
                status = WS_GROW(over, room, call->overs, 1);
            if (status)
                break;
            over[call->overs++] = name;
            continue;
        }
        while (is_name(peek(p, 0)))
            p->at++;
        if (p->at == from)
            break;
        status = WS_GROW(over, room, call->overs, 1);
        if (status)
            break;
        over[call->overs] = copy(p, from);
        if (!over[call->overs++]) {
            status = ws_expression_fail_memory();
            break;
        }
    }
    if (!status && !call->overs)
        status = FAIL(p, p->at, "expected the name of an axis behind `over`");
    if (!status && call->overs > WS_AXES_MOST)
        status = FAIL(p, p->at, "more than %d axes", WS_AXES_MOST);
    if (!status) {
        call->over = ws_arena_alloc(p->arena, call->overs * sizeof *call->over);
        status = call->over ? WS_OK : ws_expression_fail_memory();
    }
    if (!status)
        memcpy(call->over, over, call->overs * sizeof *over);
    free(over);
    return status;
}

static int check_call(parser *p, const ws_node *call)
{
    if (call->kind == WS_NODE_IF)
        return call->children == 3 && !call->overs ? WS_OK : FAIL(p, call->at, "expected if(condition, a, b)");
    const ws_cube_function *const f = ws_cube_function_find(call->text);
    if (!f) /* a definition, which may follow */
        return call->overs ? FAIL(p, call->at, "%s takes no `over`", call->text) : WS_OK;
    if (call->children < f->least || call->children > f->most || (call->overs && !f->over))
        return FAIL(p, call->at, "expected %s(%s%s)", f->name, f->arguments, f->over ? " over AXIS..." : "");
    return WS_OK;
}

static int parse_call(parser *p, const char *name, size_t at, const ws_node **out)
{
    ws_node call = {.kind = strcmp(name, "if") ? WS_NODE_CALL : WS_NODE_IF, .at = at, .text = name};
    do {
        if (call.children == WS_CUBE_ARGUMENTS_MOST)
            return FAIL(p, p->at, "more than %d arguments", WS_CUBE_ARGUMENTS_MOST);
        const int status = parse_expression(p, &call.child[call.children++]);
        if (status)
            return status;
    } while (take(p, ","));
    int status = take_word(p, "over") ? parse_over(p, &call) : WS_OK;
    if (!status && !take(p, ")"))
        status = FAIL(p, p->at, "expected , or ) in %s(...)", name);
    if (!status)
        status = check_call(p, &call);
    return status ? status : make(p, &call, out);
}

static int parse_primary(parser *p, const ws_node **out)
{
    skip(p);
    const size_t from = p->at;
    const char c = peek(p, 0);
    if (take(p, "(")) {
        const int status = parse_expression(p, out);
        return status || take(p, ")") ? status : FAIL(p, p->at, "expected )");
    }
    if (c == '\'' || c == '"') {
        ws_node node = {.kind = c == '"' ? WS_NODE_NAME : WS_NODE_TEXT, .at = from};
        const int status = read_quoted(p, &node.text);
        return status ? status : make(p, &node, out);
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(p, 1))))
        return parse_number(p, out);
    while (is_first(c) && is_name(peek(p, 0)))
        p->at++;
    const char *const name = copy(p, from);
    if (!name)
        return ws_expression_fail_memory();
    if (p->at == from || ws_expression_is_keyword(name))
        return FAIL(p, from, "expected a number, a name, 'text' or (");
    if (peek(p, 0) == '(') {
        p->at++;
        return parse_call(p, name, from, out);
    }
    return make(p, &(ws_node){.kind = WS_NODE_NAME, .at = from, .text = name}, out);
}

/* ------------------------------------------------------------------------------------------------ selections */

static bool is_label(char c)
{
    return c && !is_blank(c) && !strchr(",[]()'\"={}", c);
}

static int parse_word(parser *p, ws_word *word)
{
    skip(p);
    *word = (ws_word){.at = p->at};
    const char c = peek(p, 0);
    if (c == '\'' || c == '"') {
        word->is_label = true;
        return read_quoted(p, &word->text);
    }
    if (take(p, "(")) {
        const int status = parse_expression(p, &word->node);
        return status || take(p, ")") ? status : FAIL(p, p->at, "expected )");
    }
    while (is_label(peek(p, 0)))
        p->at++;
    if (p->at == word->at)
        return FAIL(p, p->at, "expected a label");
    word->text = copy(p, word->at);
    return word->text ? WS_OK : ws_expression_fail_memory();
}

static int parse_words(parser *p, ws_item *item)
{
    size_t room = 0;
    ws_word *words = NULL;
    int status = WS_OK;
    do {
        status = WS_GROW(words, room, item->words, 1);
        if (!status)
            status = parse_word(p, &words[item->words++]);
        skip(p);
    } while (!status && item->kind != WS_ITEM_LABEL && p->at < p->length && peek(p, 0) != ',' && peek(p, 0) != ']');
    if (!status) {
        item->word = ws_arena_alloc(p->arena, item->words * sizeof *item->word);
        status = item->word ? WS_OK : ws_expression_fail_memory();
    }
    if (!status)
        memcpy(item->word, words, item->words * sizeof *words);
    free(words);
    return status;
}

/* NAME = ..., NAME in ..., NAME not in ...; what begins otherwise is a condition. */
static int parse_item(parser *p, ws_item *item)
{
    skip(p);
    *item = (ws_item){.kind = WS_ITEM_CONDITION, .at = p->at};
    const size_t from = p->at;
    int status = WS_OK;
    if (peek(p, 0) == '"')
        status = read_quoted(p, &item->axis);
    else {
        while (is_name(peek(p, 0)))
            p->at++;
        item->axis = copy(p, from);
        status = item->axis ? WS_OK : ws_expression_fail_memory();
    }
    if (status)
        return status;
    skip(p);
    if (peek(p, 0) == '=' && peek(p, 1) != '=') {
        p->at++;
        item->kind = WS_ITEM_LABEL;
    } else if (take_word(p, "in"))
        item->kind = WS_ITEM_IN;
    else if (take_word(p, "not") && take_word(p, "in") && *item->axis)
        item->kind = WS_ITEM_NOT_IN;
    if (item->kind == WS_ITEM_CONDITION) {
        p->at = from;
        return parse_expression(p, &item->condition);
    }
    return *item->axis ? parse_words(p, item) : FAIL(p, from, "expected the name of an axis");
}

static int parse_selection(parser *p, size_t at, const ws_node **out)
{
    ws_node node = {.kind = WS_NODE_SELECT, .at = at, .child = {*out}, .children = 1};
    size_t room = 0;
    ws_item *items = NULL;
    int status = WS_OK;
    do {
        status = WS_GROW(items, room, node.items, 1);
        if (!status)
            status = parse_item(p, &items[node.items++]);
    } while (!status && take(p, ","));
    if (!status && !take(p, "]"))
        status = FAIL(p, p->at, "expected , or ]");
    if (!status) {
        node.item = ws_arena_alloc(p->arena, node.items * sizeof *node.item);
        status = node.item ? WS_OK : ws_expression_fail_memory();
    }
    if (!status)
        memcpy(node.item, items, node.items * sizeof *items);
    free(items);
    return status ? status : make(p, &node, out);
}

/* ------------------------------------------------------------------------------------------------ operators */

static int parse_postfix(parser *p, const ws_node **out)
{
    int status = parse_primary(p, out);
    for (skip(p); !status && peek(p, 0) == '['; skip(p)) {
        const size_t at = p->at++;
        status = parse_selection(p, at, out);
    }
    return status;
}

static int deepen(parser *p)
{
    return ++p->depth > DEPTH_MOST ? FAIL(p, p->at, "more than %d levels", DEPTH_MOST) : WS_OK;
}

static int parse_unary(parser *p, const ws_node **out);

static int parse_power(parser *p, const ws_node **out)
{
    int status = parse_postfix(p, out);
    skip(p);
    const size_t at = p->at;
    if (status || !take(p, "^"))
        return status;
    const ws_node *const base = *out;
    status = deepen(p);
    if (!status)
        status = parse_unary(p, out);
    p->depth--;
    return status ? status : make_binary(p, WS_OP_POWER, at, base, out);
}

static int parse_unary(parser *p, const ws_node **out)
{
    skip(p);
    const size_t at = p->at;
    if (!take(p, "-"))
        return parse_power(p, out);
    int status = deepen(p);
    if (!status)
        status = parse_unary(p, out);
    p->depth--;
    return status
               ? status
               : make(p,
                      &(ws_node){.kind = WS_NODE_UNARY, .at = at, .op = WS_OP_NEGATE, .child = {*out}, .children = 1},
                      out);
}

/* Operators of one level, from the left. */
typedef struct level {
    int (*next)(parser *p, const ws_node **out);
    ws_operator op[2];
    const char *symbol[2];
} level;

static int parse_level(parser *p, const level *l, const ws_node **out)
{
    int status = l->next(p, out);
    while (!status) {
        skip(p);
        const size_t at = p->at, which = take(p, l->symbol[0]) ? 0 : take(p, l->symbol[1]) ? 1 : 2;
        if (which == 2)
            break;
        const ws_node *const left = *out;
        status = l->next(p, out);
        if (!status)
            status = make_binary(p, l->op[which], at, left, out);
    }
    return status;
}

static int parse_term(parser *p, const ws_node **out)
{
    return parse_level(p, &(level){parse_unary, {WS_OP_MULTIPLY, WS_OP_DIVIDE}, {"*", "/"}}, out);
}

static int parse_sum(parser *p, const ws_node **out)
{
    return parse_level(p, &(level){parse_term, {WS_OP_ADD, WS_OP_SUBTRACT}, {"+", "-"}}, out);
}

static int parse_join(parser *p, const ws_node **out)
{
    return parse_level(p, &(level){parse_sum, {WS_OP_JOIN, WS_OP_JOIN}, {"&", "&"}}, out);
}

static bool take_comparison(parser *p, ws_operator *op)
{
    static const struct {
        const char *text;
        ws_operator op;
    } comparisons[] = {{"<=", WS_OP_AT_MOST}, {">=", WS_OP_AT_LEAST}, {"==", WS_OP_EQUAL},
                       {"!=", WS_OP_UNEQUAL}, {"<", WS_OP_BELOW},     {">", WS_OP_ABOVE}};
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (take(p, comparisons[i].text)) {
            *op = comparisons[i].op;
            return true;
        }
    return false;
}

/* a < b < c is a < b and b < c. */
static int parse_comparison(parser *p, const ws_node **out)
{
    const ws_node *left, *all = NULL;
    int status = parse_join(p, &left);
    *out = left;
    ws_operator op;
    for (skip(p); !status; skip(p)) {
        const size_t at = p->at;
        if (!take_comparison(p, &op))
            break;
        const ws_node *right = NULL;
        status = parse_join(p, &right);
        if (status)
            break;
        *out = right;
        status = make_binary(p, op, at, left, out);
        if (!status && all)
            status = make_binary(p, WS_OP_AND, at, all, out);
        all = *out;
        left = right;
    }
    return status;
}

static int parse_not(parser *p, const ws_node **out)
{
    skip(p);
    const size_t at = p->at;
    if (!take_word(p, "not"))
        return parse_comparison(p, out);
    int status = deepen(p);
    if (!status)
        status = parse_not(p, out);
    p->depth--;
    return status
               ? status
               : make(p, &(ws_node){.kind = WS_NODE_UNARY, .at = at, .op = WS_OP_NOT, .child = {*out}, .children = 1},
                      out);
}

static int parse_words_between(parser *p, int (*next)(parser *p, const ws_node **out), const char *word, ws_operator op,
                               const ws_node **out)
{
    int status = next(p, out);
    for (skip(p); !status; skip(p)) {
        const size_t at = p->at;
        if (!take_word(p, word))
            break;
        const ws_node *const left = *out;
        status = next(p, out);
        if (!status)
            status = make_binary(p, op, at, left, out);
    }
    return status;
}

static int parse_and(parser *p, const ws_node **out)
{
    return parse_words_between(p, parse_not, "and", WS_OP_AND, out);
}

static int parse_or(parser *p, const ws_node **out)
{
    return parse_words_between(p, parse_and, "or", WS_OP_OR, out);
}

static int parse_expression(parser *p, const ws_node **out)
{
    int status = deepen(p);
    if (!status)
        status = parse_words_between(p, parse_or, "else", WS_OP_ELSE, out);
    p->depth--;
    return status;
}

int ws_expression_parse(ws_arena *arena, const char *text, size_t length, const ws_place *place,
                        const ws_expression **out)
{
    ws_expression *const e = ws_arena_alloc(arena, sizeof *e);
    *out = e;
    if (!e)
        return ws_expression_fail_memory();
    *e = (ws_expression){.text = ws_arena_strndup(arena, text, length), .place = *place};
    if (!e->text)
        return ws_expression_fail_memory();
    parser p = {.arena = arena, .expression = e, .text = e->text, .length = strlen(e->text)};
    int status = parse_expression(&p, &e->root);
    skip(&p);
    if (!status && p.at < p.length)
        status = FAIL(&p, p.at, "expected an operator or the end, not '%.20s'", p.text + p.at);
    return status;
}
