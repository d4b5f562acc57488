/* launch_scan.c - see launch_scan_internal.h. */
#include "cli/launch/launch_scan_internal.h"

#include "base/grow.h"
#include "base/status.h"
#include "cli/launch/launch_value.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 40, MESSAGE_BYTES = 1024 };

/* ------------------------------------------------------------------------------------------------ messages */

void scan_fail_at(reader *r, uint32_t line, uint32_t column, const char *format, ...)
{
    if (r->status)
        return;
    char text[MESSAGE_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->status = ws_fail(WS_EINPUT, "%s:%u:%u: %s", r->file, line, column, text);
    r->tok.kind = TOKEN_END;
}

void scan_no_memory(reader *r)
{
    if (!r->status)
        r->status = ws_fail(WS_EMEM, "%s: out of memory", r->file);
    r->tok.kind = TOKEN_END;
}

void scan_expected_at(reader *r, const token *t, const char *what)
{
    char clean[SHOWN_BYTES + 1];
    const size_t n = t->length < SHOWN_BYTES ? t->length : SHOWN_BYTES;
    for (size_t i = 0; i < n; i++)
        clean[i] = t->text[i] >= ' ' && t->text[i] < 127 ? t->text[i] : '?';
    clean[n] = '\0';
    if (t->kind == TOKEN_END)
        scan_fail_at(r, t->line, t->column, "expected %s, found the end of the file", what);
    else
        scan_fail_at(r, t->line, t->column, "expected %s, found `%s%s`", what, clean, t->length > n ? "..." : "");
}

void scan_expected(reader *r, const char *what)
{
    scan_expected_at(r, &r->tok, what);
}

/* ------------------------------------------------------------------------------------------------ tokens */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static void skip_blanks(reader *r)
{
    for (; r->next < r->end; r->next++) {
        const char c = *r->next;
        if (c == '#') {
            const char *const nl = memchr(r->next, '\n', (size_t)(r->end - r->next));
            if (!nl) {
                r->next = r->end;
                return;
            }
            r->next = nl;
        }
        if (*r->next == '\n') {
            r->line++;
            r->line_start = r->next + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

/* 12  -0x1f  +1.5e-3  .5  -inf; stops in front of the .. of a range. */
static const char *end_of_number(const char *q, const char *end)
{
    const char *const digits = q + (*q == '-' || *q == '+');
    const bool hexadecimal = end - digits >= 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    for (q = digits; q < end; q++) {
        if (*q == '.' && end - q >= 2 && q[1] == '.')
            break;
        const bool exponent = q > digits && (hexadecimal ? q[-1] == 'p' || q[-1] == 'P' : q[-1] == 'e' || q[-1] == 'E');
        if (!is_name(*q) && *q != '.' && !(exponent && (*q == '+' || *q == '-')))
            break;
    }
    return q;
}

static bool starts_number(const char *q, const char *end)
{
    if (*q == '-' || *q == '+')
        return end - q >= 2 && (is_name(q[1]) || q[1] == '.');
    return is_digit(*q) || (*q == '.' && end - q >= 2 && is_digit(q[1]));
}

static const char *end_of_string(reader *r, const char *q)
{
    for (q++; q < r->end && *q != '\n'; q++) {
        if (*q == '"')
            return q + 1;
        if (*q == '\\' && r->end - q >= 2 && q[1] != '\n')
            q++;
    }
    scan_fail_at(r, r->tok.line, r->tok.column, "expected `\"` to end the string, found the end of the line");
    return q;
}

void scan_advance(reader *r)
{
    if (r->status)
        return;
    skip_blanks(r);
    token *const t = &r->tok;
    *t = (token){.text = r->next, .line = r->line, .column = (uint32_t)(r->next - r->line_start) + 1};
    if (r->next >= r->end)
        return;
    const char *q = r->next;
    if (starts_number(q, r->end)) {
        t->kind = TOKEN_NUMBER;
        q = end_of_number(q, r->end);
    } else if (is_name(*q)) {
        t->kind = TOKEN_WORD;
        while (q < r->end && is_name(*q))
            q++;
    } else if (*q == '"') {
        t->kind = TOKEN_STRING;
        q = end_of_string(r, q);
    } else if (memchr("=[]{}*", *q, 6)) {
        t->kind = TOKEN_PUNCT;
        q++;
    } else if (r->end - q >= 2 && q[0] == '.' && q[1] == '.') {
        t->kind = TOKEN_PUNCT;
        q += 2;
    } else {
        scan_fail_at(r, t->line, t->column, "expected a word, a number or a string, found byte 0x%02x",
                     (unsigned char)*q);
    }
    t->length = (size_t)(q - t->text);
    r->next = q;
}

bool scan_is_text(const token *t, const char *text)
{
    return (t->kind == TOKEN_WORD || t->kind == TOKEN_PUNCT) && strlen(text) == t->length &&
           memcmp(t->text, text, t->length) == 0;
}

bool scan_accept(reader *r, const char *text)
{
    if (!scan_is_text(&r->tok, text))
        return false;
    scan_advance(r);
    return true;
}

void scan_require(reader *r, const char *text)
{
    char what[16];
    snprintf(what, sizeof what, "`%s`", text);
    if (!scan_accept(r, text))
        scan_expected(r, what);
}

/* ------------------------------------------------------------------------------------------------ memory */

void *scan_allocate(reader *r, size_t size)
{
    void *const memory = ws_arena_alloc(r->arena, size);
    if (!memory)
        scan_no_memory(r);
    return memory;
}

void *scan_push(reader *r, list *l, size_t item_bytes)
{
    if (l->count == l->capacity && ws_grow(&l->items, &l->capacity, l->count, 1, item_bytes, SIZE_MAX)) {
        scan_no_memory(r);
        return NULL;
    }
    return memset((char *)l->items + l->count++ * item_bytes, 0, item_bytes);
}

/* Moves the items to the arena and frees the list. */
void *scan_settle(reader *r, list *l, size_t item_bytes)
{
    void *const items = scan_allocate(r, (l->count ? l->count : 1) * item_bytes);
    if (items && l->count)
        memcpy(items, l->items, l->count * item_bytes);
    free(l->items);
    l->items = NULL;
    return items;
}

const char *scan_copy(reader *r, const token *t)
{
    const char *const text = ws_arena_strndup(r->arena, t->text, t->length);
    if (!text)
        scan_no_memory(r);
    return text;
}

/* ------------------------------------------------------------------------------------------------ pieces */

static const char *const reserved[] = {"buffer", "symbol", "texture", "launch", "expect", "print",    "grid",
                                       "block",  "shared", "limit",   "args",   "within", "relative", "cooperative"};

bool scan_is_reserved(const token *t)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (scan_is_text(t, reserved[i]))
            return true;
    return false;
}

uint64_t scan_whole(reader *r, const char *what, uint64_t least, uint64_t most)
{
    uint64_t value = 0;
    const token t = r->tok;
    const bool good = t.kind == TOKEN_NUMBER && !ws_value_parse(WS_T_u64, t.text, t.length, &value);
    if (!good || value < least || value > most) {
        scan_expected(r, what);
        return least;
    }
    scan_advance(r);
    return value;
}

bool scan_is_value(const reader *r)
{
    return r->tok.kind == TOKEN_NUMBER || scan_is_text(&r->tok, "inf") || scan_is_text(&r->tok, "nan");
}

uint64_t scan_value(reader *r, ws_type type)
{
    uint64_t bits = 0;
    const char *const wrong = ws_value_parse(type, r->tok.text, scan_is_value(r) ? r->tok.length : 0, &bits);
    if (wrong)
        scan_expected(r, wrong);
    scan_advance(r);
    return bits;
}

double scan_number(reader *r, const char *what)
{
    uint64_t bits;
    if (!scan_is_value(r) || ws_value_parse(WS_T_f64, r->tok.text, r->tok.length, &bits)) {
        scan_expected(r, what);
        return 0;
    }
    scan_advance(r);
    return ws_value_to_double(WS_T_f64, bits);
}

int64_t scan_signed(reader *r, const char *what)
{
    uint64_t bits;
    if (r->tok.kind != TOKEN_NUMBER || (ws_value_parse(WS_T_s64, r->tok.text, r->tok.length, &bits) &&
                                        ws_value_parse(WS_T_u64, r->tok.text, r->tok.length, &bits))) {
        scan_expected(r, what);
        return 0;
    }
    scan_advance(r);
    return (int64_t)bits;
}

static int hex_digit(char c)
{
    const char *const digits = "0123456789abcdef";
    const char *const at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Text in quotes with \n \t \\ \" and \xHH; NULL after an error. */
const char *scan_string(reader *r, const char *what)
{
    const token t = r->tok;
    if (t.kind != TOKEN_STRING) {
        scan_expected(r, what);
        return NULL;
    }
    char *const text = scan_allocate(r, t.length);
    size_t n = 0;
    for (size_t i = 1; text && i + 1 < t.length; i++) {
        char c = t.text[i];
        if (c == '\\') {
            static const char from[] = "nt\\\"", to[] = "\n\t\\\"";
            const char *const at = memchr(from, t.text[++i], 4);
            const int high = i + 3 < t.length ? hex_digit(t.text[i + 1]) : -1;
            const int low = high >= 0 ? hex_digit(t.text[i + 2]) : -1;
            if (at) {
                c = to[at - from];
            } else if (t.text[i] == 'x' && low >= 0 && high + low > 0) {
                c = (char)(high << 4 | low);
                i += 2;
            } else {
                scan_fail_at(r, t.line, t.column + (uint32_t)i, "expected \\n, \\t, \\\\, \\\" or \\xHH in the string");
                return NULL;
            }
        }
        text[n++] = c;
    }
    scan_advance(r);
    return text;
}
