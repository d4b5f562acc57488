/* ptx_expression.c - constant expressions: 64-bit integers with C's operators, doubles with + - * / and comparison. */
#include "collect/ptx/ptx_internal.h"

#include "base/bits.h"

#include <string.h>

enum { MAX_NESTING = 200 };

static constant unary(parser *p);
static constant binary(parser *p, int lowest);

double ptx_constant_double(const constant *c)
{
    if (c->is_float == 1)
        return ws_f32_from_bits((uint32_t)c->bits);
    if (c->is_float == 2)
        return ws_f64_from_bits(c->bits);
    return c->is_unsigned ? (double)c->bits : (double)(int64_t)c->bits;
}

static constant of_double(double value)
{
    constant c = {.is_float = 2};
    memcpy(&c.bits, &value, sizeof value);
    return c;
}

static constant of_bool(bool value)
{
    return (constant){.bits = value};
}

static bool truth(const constant *c)
{
    return c->is_float ? ptx_constant_double(c) != 0 : c->bits != 0;
}

/* As cvt does: towards zero, saturating; NaN gives the highest bit alone. */
static uint64_t truncate_double(double value)
{
    if (!(value > -0x1p63))
        return (uint64_t)INT64_MIN;
    return value < 0x1p63 ? (uint64_t)(int64_t)value : INT64_MAX;
}

/* (.s64) and (.u64) in front of an operand. */
static bool cast(parser *p, bool *is_unsigned)
{
    *is_unsigned = ptx_is_text(&p->tok, TOK_DOT, "u64");
    if (!*is_unsigned && !ptx_is_text(&p->tok, TOK_DOT, "s64"))
        return false;
    ptx_advance(p);
    ptx_require(p, ')');
    return true;
}

static constant parenthesis(parser *p)
{
    bool is_unsigned;
    ptx_advance(p);
    if (cast(p, &is_unsigned)) {
        constant c = unary(p);
        if (c.is_float)
            c.bits = truncate_double(ptx_constant_double(&c));
        return (constant){.is_unsigned = is_unsigned, .bits = c.bits};
    }
    const constant c = ptx_expression(p);
    ptx_require(p, ')');
    return c;
}

static constant primary(parser *p)
{
    const token t = p->tok;
    if (ptx_is(p, '('))
        return parenthesis(p);
    if (t.kind == TOK_INTEGER || t.kind == TOK_FLOAT) {
        ptx_advance(p);
        return (constant){.is_float = t.is_float, .is_unsigned = t.is_unsigned, .bits = t.value};
    }
    if (ptx_is_text(&t, TOK_WORD, "WARP_SZ")) {
        ptx_advance(p);
        return (constant){.bits = WS_WARP};
    }
    ptx_expected(p, "a constant");
    return (constant){0};
}

static constant negate(constant c)
{
    if (c.is_float)
        c.bits ^= c.is_float == 1 ? (uint64_t)1 << 31 : (uint64_t)1 << 63;
    else
        c.bits = -c.bits;
    return c;
}

static constant apply_unary(parser *p, uint64_t op)
{
    const token at = p->tok;
    ptx_advance(p);
    constant c = unary(p);
    if (op == '-')
        return negate(c);
    if (op == '!')
        return of_bool(!truth(&c));
    if (op == '~') {
        if (c.is_float)
            ptx_fail_at(p, at.line, at.column, "expected an integer after `~`, found a floating-point number");
        c.bits = ~c.bits;
    }
    return c;
}

static constant unary(parser *p)
{
    if (p->nesting >= MAX_NESTING) {
        ptx_fail_at(p, p->tok.line, p->tok.column, "the expression is nested deeper than %d", MAX_NESTING);
        return (constant){0};
    }
    p->nesting++;
    const bool has_operator = ptx_is(p, '-') || ptx_is(p, '+') || ptx_is(p, '!') || ptx_is(p, '~');
    const constant c = has_operator ? apply_unary(p, p->tok.value) : primary(p);
    p->nesting--;
    return c;
}

/* Binding strength of a binary operator, as in C; 0: none. */
static int strength(const parser *p)
{
    static const struct {
        uint64_t op;
        int strength;
    } table[] = {
        {PAIR('|', '|'), 1},
        {PAIR('&', '&'), 2},
        {'|', 3},
        {'^', 4},
        {'&', 5},
        {PAIR('=', '='), 6},
        {PAIR('!', '='), 6},
        {'<', 7},
        {'>', 7},
        {PAIR('<', '='), 7},
        {PAIR('>', '='), 7},
        {PAIR('<', '<'), 8},
        {PAIR('>', '>'), 8},
        {'+', 9},
        {'-', 9},
        {'*', 10},
        {'/', 10},
        {'%', 10},
    };
    if (p->tok.kind != TOK_PUNCT)
        return 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].op == p->tok.value)
            return table[i].strength;
    return 0;
}

static constant float_operation(parser *p, const token *op, double a, double b)
{
    switch (op->value) {
    case '+':
        return of_double(a + b);
    case '-':
        return of_double(a - b);
    case '*':
        return of_double(a * b);
    case '/':
        return of_double(b != 0 ? a / b : __builtin_nan(""));
    case '<':
        return of_bool(a < b);
    case '>':
        return of_bool(a > b);
    case PAIR('<', '='):
        return of_bool(a <= b);
    case PAIR('>', '='):
        return of_bool(a >= b);
    case PAIR('=', '='):
        return of_bool(a == b);
    case PAIR('!', '='):
        return of_bool(a != b);
    case PAIR('&', '&'):
        return of_bool(a != 0 && b != 0);
    case PAIR('|', '|'):
        return of_bool(a != 0 || b != 0);
    }
    ptx_fail_at(p, op->line, op->column, "expected integers around `%.*s`, found a floating-point number",
                (int)op->length, op->text);
    return (constant){0};
}

static uint64_t quotient(uint64_t a, uint64_t b, bool is_unsigned, bool remainder)
{
    if (is_unsigned)
        return remainder ? a % b : a / b;
    if (b == UINT64_MAX) /* the one signed division that overflows */
        return remainder ? 0 : -a;
    return (uint64_t)(remainder ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

/* With the sign filling up; a shift by 64 or more leaves only that. */
static uint64_t shift_right(uint64_t a, uint64_t by, bool negative)
{
    const uint64_t fill = negative ? UINT64_MAX : 0;
    if (by == 0 || by >= 64)
        return by ? fill : a;
    return a >> by | fill << (64 - by);
}

static constant integer_operation(parser *p, const token *op, const constant *x, const constant *y)
{
    const uint64_t a = x->bits, b = y->bits;
    const bool u = x->is_unsigned || y->is_unsigned;
    const bool less = u ? a < b : (int64_t)a < (int64_t)b;
    constant c = {.is_unsigned = u};
    switch (op->value) {
    case '+':
        c.bits = a + b;
        break;
    case '-':
        c.bits = a - b;
        break;
    case '*':
        c.bits = a * b;
        break;
    case '&':
        c.bits = a & b;
        break;
    case '|':
        c.bits = a | b;
        break;
    case '^':
        c.bits = a ^ b;
        break;
    case '/':
    case '%':
        if (!b)
            ptx_fail_at(p, op->line, op->column, "the constant expression divides by zero");
        else
            c.bits = quotient(a, b, u, op->value == '%');
        break;
    case PAIR('<', '<'):
        c = (constant){0, x->is_unsigned, b < 64 ? a << b : 0};
        break;
    case PAIR('>', '>'):
        c.is_unsigned = x->is_unsigned;
        c.bits = shift_right(a, b, !x->is_unsigned && (int64_t)a < 0);
        break;
    case '<':
        return of_bool(less);
    case PAIR('>', '='):
        return of_bool(!less);
    case '>':
        return of_bool(!less && a != b);
    case PAIR('<', '='):
        return of_bool(less || a == b);
    case PAIR('=', '='):
        return of_bool(a == b);
    case PAIR('!', '='):
        return of_bool(a != b);
    case PAIR('&', '&'):
        return of_bool(a && b);
    case PAIR('|', '|'):
        return of_bool(a || b);
    }
    return c;
}

static constant binary(parser *p, int lowest)
{
    constant left = unary(p);
    for (int s = strength(p); s >= lowest; s = strength(p)) {
        const token op = p->tok;
        ptx_advance(p);
        const constant right = binary(p, s + 1);
        if (left.is_float || right.is_float)
            left = float_operation(p, &op, ptx_constant_double(&left), ptx_constant_double(&right));
        else
            left = integer_operation(p, &op, &left, &right);
    }
    return left;
}

constant ptx_expression(parser *p)
{
    if (p->nesting >= MAX_NESTING)
        return unary(p); /* reports it */
    p->nesting++;
    constant c = binary(p, 1);
    if (ptx_accept(p, '?')) {
        const constant yes = ptx_expression(p);
        ptx_require(p, ':');
        const constant no = ptx_expression(p);
        c = truth(&c) ? yes : no;
    }
    p->nesting--;
    return c;
}

uint64_t ptx_integer(parser *p, const char *what)
{
    const token at = p->tok;
    const constant c = ptx_expression(p);
    if (c.is_float)
        ptx_fail_at(p, at.line, at.column, "expected %s, found a floating-point number", what);
    return c.bits;
}

uint32_t ptx_number32(parser *p, const char *what)
{
    const token t = p->tok;
    if (t.kind != TOK_INTEGER) {
        ptx_expected(p, what);
        return 0;
    }
    if (t.value > UINT32_MAX) {
        ptx_fail_at(p, t.line, t.column, "expected %s of up to 32 bits, found %.*s", what, (int)t.length, t.text);
        return 0;
    }
    ptx_advance(p);
    return (uint32_t)t.value;
}
