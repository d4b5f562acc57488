/* ptx_lexer.c - PTX text to tokens, one at a time, and messages that point into the text. */
#include "base/c_locale.h"
#include "collect/ptx/ptx_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 40, LITERAL_BYTES = 128, MESSAGE_BYTES = 1024 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name_char(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

int ptx_fail_at(parser *p, uint32_t line, uint32_t column, const char *format, ...)
{
    if (p->status)
        return p->status;
    char text[MESSAGE_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    p->status = ws_fail(WS_EINPUT, "%s:%u:%u: %s", p->file, line, column, text);
    p->tok.kind = TOK_END;
    return p->status;
}

void ptx_no_memory(parser *p)
{
    if (!p->status)
        p->status = ws_fail(WS_EMEM, "%s:%u: out of memory", p->file, p->line);
    p->tok.kind = TOK_END;
}

/* A token as messages show it: quoted, cut, without control characters. */
static void show(const token *t, char *out, size_t size)
{
    if (t->kind == TOK_END) {
        snprintf(out, size, "the end of the file");
        return;
    }
    char clean[SHOWN_BYTES + 1];
    size_t n = t->length < SHOWN_BYTES ? t->length : SHOWN_BYTES;
    for (size_t i = 0; i < n; i++) {
        const char c = t->text[i];
        clean[i] = c >= ' ' && c < 127 ? c : '?';
    }
    clean[n] = '\0';
    const char *const more = t->length > n ? "..." : "";
    if (t->kind == TOK_STRING)
        snprintf(out, size, "\"%s%s\"", clean, more);
    else
        snprintf(out, size, "`%s%s%s`", t->kind == TOK_DOT ? "." : "", clean, more);
}

void ptx_expected(parser *p, const char *what)
{
    char found[SHOWN_BYTES + 16];
    show(&p->tok, found, sizeof found);
    ptx_fail_at(p, p->tok.line, p->tok.column, "expected %s, found %s", what, found);
}

static void new_line(parser *p)
{
    p->line++;
    p->line_start = p->next;
}

static uint32_t column_of(const parser *p, const char *at)
{
    return (uint32_t)(at - p->line_start) + 1;
}

static void skip_line(parser *p)
{
    const char *const nl = memchr(p->next, '\n', (size_t)(p->end - p->next));
    p->next = nl ? nl : p->end;
}

static void skip_block_comment(parser *p)
{
    const uint32_t line = p->line, column = column_of(p, p->next);
    p->next += 2;
    while (p->end - p->next >= 2) {
        const char c = *p->next++;
        if (c == '\n')
            new_line(p);
        else if (c == '*' && *p->next == '/') {
            p->next++;
            return;
        }
    }
    ptx_fail_at(p, line, column, "expected `*/` to end the comment, found the end of the file");
    p->next = p->end;
}

/* A line that starts with # is left over from a preprocessor: line numbers are skipped, the rest is not for us. */
static void skip_hash_line(parser *p)
{
    const uint32_t column = column_of(p, p->next);
    const char *q = p->next + 1;
    while (q < p->end && (*q == ' ' || *q == '\t'))
        q++;
    const bool numbers = q < p->end && (is_digit(*q) || *q == '\n' || *q == '\r');
    const bool line = p->end - q >= 4 && memcmp(q, "line", 4) == 0;
    if (numbers || line || q == p->end)
        skip_line(p);
    else
        ptx_fail_at(p, p->line, column, "expected PTX, found a preprocessor line: run the C preprocessor first");
}

static void skip_blanks(parser *p)
{
    while (p->next < p->end && !p->status) {
        const char c = *p->next;
        const bool more = p->end - p->next >= 2;
        if (c == '\n') {
            p->next++;
            new_line(p);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            p->next++;
        } else if (c == '/' && more && p->next[1] == '/') {
            skip_line(p);
        } else if (c == '/' && more && p->next[1] == '*') {
            skip_block_comment(p);
        } else if (c == '@' && more && p->next[1] == '@') { /* @@DWARF lines of old compilers */
            skip_line(p);
        } else if (c == '#') {
            skip_hash_line(p);
        } else {
            return;
        }
    }
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static void bad_number(parser *p, const char *why)
{
    char found[SHOWN_BYTES + 16];
    show(&p->tok, found, sizeof found);
    ptx_fail_at(p, p->tok.line, p->tok.column, "expected a number, found %s: %s", found, why);
}

/* 0f3F800000 and 0d3FF0000000000000: the bits of the value. */
static void float_bits(parser *p, unsigned digits)
{
    token *const t = &p->tok;
    t->kind = TOK_FLOAT;
    t->is_float = digits == 8 ? 1 : 2;
    if (t->length != digits + 2)
        return bad_number(p, digits == 8 ? "0f takes 8 hexadecimal digits" : "0d takes 16 hexadecimal digits");
    for (size_t i = 2; i < t->length; i++) {
        const int d = digit_value(t->text[i]);
        if (d > 15)
            return bad_number(p, "a digit is not hexadecimal");
        t->value = t->value << 4 | (unsigned)d;
    }
}

static void integer(parser *p)
{
    token *const t = &p->tok;
    t->kind = TOK_INTEGER;
    unsigned base = 10;
    size_t i = 0, n = t->length;
    if (n > 1 && (t->text[n - 1] == 'U' || t->text[n - 1] == 'u')) {
        t->is_unsigned = true;
        n--;
    }
    if (n > 1 && t->text[0] == '0') {
        const char c = t->text[1];
        base = c == 'x' || c == 'X' ? 16 : c == 'b' || c == 'B' ? 2 : 8;
        i = base == 8 ? 1 : 2;
        if (i == n)
            return bad_number(p, "no digits");
    }
    for (; i < n; i++) {
        const unsigned d = (unsigned)digit_value(t->text[i]);
        if (d >= base)
            return bad_number(p, base == 8    ? "a digit is not octal"
                                 : base == 2  ? "a digit is not binary"
                                 : base == 16 ? "a digit is not hexadecimal"
                                              : "a digit is not decimal");
        if (t->value > (UINT64_MAX - d) / base)
            return bad_number(p, "more than 64 bits");
        t->value = t->value * base + d;
    }
    t->is_unsigned = t->is_unsigned || t->value > INT64_MAX;
}

static void decimal_float(parser *p)
{
    token *const t = &p->tok;
    char text[LITERAL_BYTES];
    t->kind = TOK_FLOAT;
    t->is_float = 2;
    if (t->length >= sizeof text)
        return bad_number(p, "too many digits");
    memcpy(text, t->text, t->length);
    text[t->length] = '\0';
    char *stop;
    const locale_t before = ws_c_locale_enter();
    const double value = strtod(text, &stop);
    ws_c_locale_leave(before);
    if (*stop)
        return bad_number(p, "not a decimal floating-point number");
    memcpy(&t->value, &value, sizeof value);
}

/* Digits, letters, one point and the sign of an exponent; what they mean is decided on the whole. */
static void number(parser *p)
{
    token *const t = &p->tok;
    const char *q = p->next;
    bool is_decimal = true, has_point = false, has_exponent = false;
    if (*q == '0' && p->end - q >= 2 && is_letter(q[1]) && q[1] != 'e' && q[1] != 'E')
        is_decimal = false;
    for (; q < p->end; q++) {
        if (is_decimal && *q == '.' && !has_point && !has_exponent)
            has_point = true;
        else if (is_decimal && (*q == 'e' || *q == 'E') && !has_exponent)
            has_exponent = true;
        else if (is_decimal && (*q == '+' || *q == '-') && (q[-1] == 'e' || q[-1] == 'E'))
            continue;
        else if (!is_name_char(*q))
            break;
    }
    t->text = p->next;
    t->length = (size_t)(q - p->next);
    p->next = q;
    if (is_decimal && (has_point || has_exponent))
        decimal_float(p);
    else if (!is_decimal && (t->text[1] == 'f' || t->text[1] == 'F'))
        float_bits(p, 8);
    else if (!is_decimal && (t->text[1] == 'd' || t->text[1] == 'D'))
        float_bits(p, 16);
    else
        integer(p);
}

static void string(parser *p)
{
    token *const t = &p->tok;
    const char *q = p->next + 1;
    while (q < p->end && *q != '"' && *q != '\n')
        q += *q == '\\' && p->end - q >= 2 && q[1] != '\n' ? 2 : 1;
    t->kind = TOK_STRING;
    t->text = p->next + 1;
    t->length = (size_t)(q - t->text);
    if (q >= p->end || *q != '"') {
        ptx_fail_at(p, t->line, t->column, "expected `\"` to end the string, found the end of the %s",
                    q >= p->end ? "file" : "line");
        q = p->end - 1;
    }
    p->next = q + 1;
}

static void word(parser *p)
{
    const char *q = p->next + 1;
    while (q < p->end && is_name_char(*q))
        q++;
    p->tok.kind = TOK_WORD;
    p->tok.text = p->next;
    p->tok.length = (size_t)(q - p->next);
    p->next = q;
}

/* .name, with :: inside as in .shared::cta */
static void dot_word(parser *p)
{
    const char *q = p->next + 1;
    for (;;) {
        while (q < p->end && is_name_char(*q))
            q++;
        if (p->end - q < 3 || q[0] != ':' || q[1] != ':' || !is_name_char(q[2]))
            break;
        q += 2;
    }
    p->tok.kind = TOK_DOT;
    p->tok.text = p->next + 1;
    p->tok.length = (size_t)(q - p->tok.text);
    p->next = q;
}

static void punctuation(parser *p)
{
    static const char pairs[][3] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    token *const t = &p->tok;
    const char c = *p->next;
    t->kind = TOK_PUNCT;
    t->text = p->next;
    t->length = 1;
    t->value = (unsigned char)c;
    for (size_t i = 0; p->end - p->next >= 2 && i < sizeof pairs / sizeof *pairs; i++) {
        if (c == pairs[i][0] && p->next[1] == pairs[i][1]) {
            t->length = 2;
            t->value = PAIR((unsigned char)c, (unsigned char)p->next[1]);
        }
    }
    p->next += t->length;
    if (!memchr("()[]{}<>,;:+-*/%&|^!~?=@", c, 24))
        ptx_fail_at(p, t->line, t->column, "expected PTX, found byte 0x%02x", (unsigned)(unsigned char)c);
}

void ptx_advance(parser *p)
{
    token *const t = &p->tok;
    if (p->status)
        return;
    skip_blanks(p);
    *t = (token){.kind = TOK_END, .line = p->line, .column = column_of(p, p->next), .text = p->next};
    if (p->status || p->next >= p->end)
        return;
    const char c = *p->next;
    const bool more = p->end - p->next >= 2;
    if (is_letter(c) || c == '_' || c == '$' || (c == '%' && more && is_name_char(p->next[1]) && !is_digit(p->next[1])))
        word(p);
    else if (is_digit(c))
        number(p);
    else if (c == '.' && more && is_name_char(p->next[1]))
        dot_word(p);
    else if (c == '"')
        string(p);
    else
        punctuation(p);
}

bool ptx_is_text(const token *t, token_kind kind, const char *text)
{
    return t->kind == kind && strlen(text) == t->length && memcmp(t->text, text, t->length) == 0;
}

bool ptx_accept(parser *p, uint64_t punct)
{
    if (!ptx_is(p, punct))
        return false;
    ptx_advance(p);
    return true;
}

void ptx_require(parser *p, char punct)
{
    const char what[] = {'`', punct, '`', '\0'};
    if (!ptx_accept(p, (unsigned char)punct))
        ptx_expected(p, what);
}

static const char *const directives[DIRECTIVES] = {
#define DIRECTIVE(name, effect, what, text) #name,
#include "collect/ptx/directive.def"
#undef DIRECTIVE
};

bool ptx_at(const parser *p, directive d)
{
    return ptx_is_text(&p->tok, TOK_DOT, directives[d]);
}

bool ptx_accept_dot(parser *p, directive d)
{
    if (!ptx_at(p, d))
        return false;
    ptx_advance(p);
    return true;
}

void ptx_skip_balanced(parser *p)
{
    const token open = p->tok;
    uint64_t depth = 0;
    do {
        if (p->tok.kind == TOK_END) {
            ptx_fail_at(p, open.line, open.column, "expected the partner of `%c`, found the end of the file",
                        open.text[0]);
            return;
        }
        if (p->tok.kind == TOK_PUNCT && p->tok.length == 1) {
            depth += strchr("([{", p->tok.text[0]) != NULL;
            depth -= strchr(")]}", p->tok.text[0]) != NULL;
        }
        ptx_advance(p);
    } while (depth && !p->status);
}
