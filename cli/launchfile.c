/* launchfile.c - reads a launch file: tokens, then one function a statement. Errors are sticky: after the first one
 * every token is TOKEN_END. */
#include "cli/launchfile.h"

#include "base/status.h"
#include "cli/launch_value.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 40, MESSAGE_BYTES = 1024 };

static const uint64_t max_elements = (uint64_t)1 << 40;

typedef enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCT } token_kind;

typedef struct token {
    token_kind kind;
    const char *text; /* strings: with quotes and escapes */
    size_t length;
    uint32_t line, column;
} token;

/* A growing array of items of one size. */
typedef struct list {
    void *items;
    size_t count, capacity;
} list;

typedef struct reader {
    const char *file, *next, *end, *line_start;
    uint32_t line;
    token tok;
    int status;
    ws_arena *arena;
    list buffers, steps;   /* ws_launch_buffer, ws_step */
    ptrdiff_t last_launch; /* its step, or -1 */
} reader;

/* ------------------------------------------------------------------------------------------------ messages */

static void fail_at(reader *r, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void fail_at(reader *r, uint32_t line, uint32_t column, const char *format, ...)
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

static void no_memory(reader *r)
{
    if (!r->status)
        r->status = ws_fail(WS_EMEM, "%s: out of memory", r->file);
    r->tok.kind = TOKEN_END;
}

static void expected_at(reader *r, const token *t, const char *what)
{
    char clean[SHOWN_BYTES + 1];
    const size_t n = t->length < SHOWN_BYTES ? t->length : SHOWN_BYTES;
    for (size_t i = 0; i < n; i++)
        clean[i] = t->text[i] >= ' ' && t->text[i] < 127 ? t->text[i] : '?';
    clean[n] = '\0';
    if (t->kind == TOKEN_END)
        fail_at(r, t->line, t->column, "expected %s, found the end of the file", what);
    else
        fail_at(r, t->line, t->column, "expected %s, found `%s%s`", what, clean, t->length > n ? "..." : "");
}

static void expected(reader *r, const char *what)
{
    expected_at(r, &r->tok, what);
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
    fail_at(r, r->tok.line, r->tok.column, "expected `\"` to end the string, found the end of the line");
    return q;
}

static void advance(reader *r)
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
        fail_at(r, t->line, t->column, "expected a word, a number or a string, found byte 0x%02x", (unsigned char)*q);
    }
    t->length = (size_t)(q - t->text);
    r->next = q;
}

static bool is_text(const token *t, const char *text)
{
    return (t->kind == TOKEN_WORD || t->kind == TOKEN_PUNCT) && strlen(text) == t->length &&
           memcmp(t->text, text, t->length) == 0;
}

static bool accept(reader *r, const char *text)
{
    if (!is_text(&r->tok, text))
        return false;
    advance(r);
    return true;
}

static void require(reader *r, const char *text)
{
    char what[16];
    snprintf(what, sizeof what, "`%s`", text);
    if (!accept(r, text))
        expected(r, what);
}

/* ------------------------------------------------------------------------------------------------ memory */

static void *allocate(reader *r, size_t size)
{
    void *const memory = ws_arena_alloc(r->arena, size);
    if (!memory)
        no_memory(r);
    return memory;
}

static void *push(reader *r, list *l, size_t item_bytes)
{
    if (l->count == l->capacity) {
        const size_t capacity = l->capacity ? l->capacity * 2 : 16;
        void *const items = realloc(l->items, capacity * item_bytes);
        if (!items) {
            no_memory(r);
            return NULL;
        }
        l->items = items;
        l->capacity = capacity;
    }
    return memset((char *)l->items + l->count++ * item_bytes, 0, item_bytes);
}

/* Moves the items to the arena and frees the list. */
static void *settle(reader *r, list *l, size_t item_bytes)
{
    void *const items = allocate(r, (l->count ? l->count : 1) * item_bytes);
    if (items && l->count)
        memcpy(items, l->items, l->count * item_bytes);
    free(l->items);
    l->items = NULL;
    return items;
}

static const char *copy(reader *r, const token *t)
{
    const char *const text = ws_arena_strndup(r->arena, t->text, t->length);
    if (!text)
        no_memory(r);
    return text;
}

/* ------------------------------------------------------------------------------------------------ pieces */

static const char *const reserved[] = {"buffer", "symbol", "launch", "expect", "print",    "grid",       "block",
                                       "shared", "limit",  "args",   "within", "relative", "cooperative"};

static bool is_reserved(const token *t)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (is_text(t, reserved[i]))
            return true;
    return false;
}

static uint64_t whole(reader *r, const char *what, uint64_t least, uint64_t most)
{
    uint64_t value = 0;
    const token t = r->tok;
    const bool good = t.kind == TOKEN_NUMBER && !ws_value_parse(WS_T_u64, t.text, t.length, &value);
    if (!good || value < least || value > most) {
        expected(r, what);
        return least;
    }
    advance(r);
    return value;
}

static bool is_value(const reader *r)
{
    return r->tok.kind == TOKEN_NUMBER || is_text(&r->tok, "inf") || is_text(&r->tok, "nan");
}

static uint64_t value(reader *r, ws_type type)
{
    uint64_t bits = 0;
    const char *const wrong = ws_value_parse(type, r->tok.text, is_value(r) ? r->tok.length : 0, &bits);
    if (wrong)
        expected(r, wrong);
    advance(r);
    return bits;
}

static double number(reader *r, const char *what)
{
    uint64_t bits;
    if (!is_value(r) || ws_value_parse(WS_T_f64, r->tok.text, r->tok.length, &bits)) {
        expected(r, what);
        return 0;
    }
    advance(r);
    return ws_value_to_double(WS_T_f64, bits);
}

static int64_t whole_signed(reader *r, const char *what)
{
    uint64_t bits;
    if (r->tok.kind != TOKEN_NUMBER || (ws_value_parse(WS_T_s64, r->tok.text, r->tok.length, &bits) &&
                                        ws_value_parse(WS_T_u64, r->tok.text, r->tok.length, &bits))) {
        expected(r, what);
        return 0;
    }
    advance(r);
    return (int64_t)bits;
}

static int hex_digit(char c)
{
    const char *const digits = "0123456789abcdef";
    const char *const at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Text in quotes with \n \t \\ \" and \xHH; NULL after an error. */
static const char *string(reader *r, const char *what)
{
    const token t = r->tok;
    if (t.kind != TOKEN_STRING) {
        expected(r, what);
        return NULL;
    }
    char *const text = allocate(r, t.length);
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
                fail_at(r, t.line, t.column + (uint32_t)i, "expected \\n, \\t, \\\\, \\\" or \\xHH in the string");
                return NULL;
            }
        }
        text[n++] = c;
    }
    advance(r);
    return text;
}

static const ws_launch_buffer *buffer_at(const reader *r, size_t i)
{
    return (const ws_launch_buffer *)r->buffers.items + i;
}

/* The buffer that the token names, or -1. */
static ptrdiff_t find_buffer(const reader *r, const token *t)
{
    for (size_t i = 0; t->kind == TOKEN_WORD && i < r->buffers.count; i++)
        if (is_text(t, buffer_at(r, i)->name))
            return (ptrdiff_t)i;
    return -1;
}

static uint32_t buffer_name(reader *r)
{
    const ptrdiff_t found = find_buffer(r, &r->tok);
    if (found < 0) {
        expected(r, "the name of a buffer");
        return 0;
    }
    advance(r);
    return (uint32_t)found;
}

/* ------------------------------------------------------------------------------------------------ contents */

static void iota(reader *r, ws_type type, ws_content *c)
{
    c->kind = WS_CONTENT_IOTA;
    c->step = c->by = 1;
    if (ws_type_kind_of(type) == WS_KIND_FLOAT) {
        if (is_value(r))
            c->start = number(r, "a number to start with");
        if (is_value(r))
            c->step = number(r, "a step");
        return;
    }
    if (is_value(r))
        c->first = whole_signed(r, "a whole number to start with");
    if (is_value(r))
        c->by = whole_signed(r, "a whole step");
}

static void random_content(reader *r, ws_type type, ws_content *c)
{
    const token at = r->tok;
    c->kind = WS_CONTENT_RANDOM;
    if (ws_type_kind_of(type) == WS_KIND_FLOAT) {
        c->start = number(r, "the least value");
        c->step = number(r, "the greatest value");
        if (!(c->start <= c->step))
            fail_at(r, at.line, at.column, "expected the least value first, then the greatest");
    } else {
        c->first = whole_signed(r, "the least value, a whole number");
        c->by = whole_signed(r, "the greatest value, a whole number");
        if (c->first > c->by)
            fail_at(r, at.line, at.column, "expected the least value first, then the greatest");
    }
    if (accept(r, "seed"))
        c->seed = whole(r, "a seed, a whole number below 2^32", 0, UINT32_MAX);
}

/* = 1 2 3*10: values, the last one ten times; together as many as there are elements. */
static void values(reader *r, ws_type type, uint64_t count, ws_content *c)
{
    list runs = {0};
    uint64_t total = 0;
    c->kind = WS_CONTENT_VALUES;
    while (is_value(r) && !r->status) {
        const token at = r->tok;
        ws_value_run one = {.bits = value(r, type), .count = 1};
        if (accept(r, "*"))
            one.count = whole(r, "how often, 1 to 2^40", 1, max_elements);
        ws_value_run *const slot = push(r, &runs, sizeof *slot);
        if (slot)
            *slot = one;
        total += one.count;
        if (total > count)
            fail_at(r, at.line, at.column, "expected %llu value%s, found more", (unsigned long long)count,
                    count == 1 ? "" : "s");
    }
    if (total < count) {
        char what[96];
        snprintf(what, sizeof what, "%llu values (%llu are there)", (unsigned long long)count,
                 (unsigned long long)total);
        expected(r, what);
    }
    c->runs = runs.count;
    c->run = settle(r, &runs, sizeof *c->run);
}

/* How the elements look; false when the next word does not say. */
static bool content(reader *r, ws_type type, uint64_t count, ws_content *c)
{
    c->line = r->tok.line;
    c->column = r->tok.column;
    if (accept(r, "zero")) {
        c->kind = WS_CONTENT_ZERO;
    } else if (accept(r, "fill")) {
        c->kind = WS_CONTENT_FILL;
        c->bits = value(r, type);
    } else if (accept(r, "iota")) {
        iota(r, type, c);
    } else if (accept(r, "random")) {
        random_content(r, type, c);
    } else if (accept(r, "=")) {
        values(r, type, count, c);
    } else if (accept(r, "file")) {
        c->kind = WS_CONTENT_FILE;
        c->path = string(r, "the name of a file in quotes");
    } else if (accept(r, "same")) {
        const token at = r->tok;
        c->kind = WS_CONTENT_SAME;
        c->buffer = buffer_name(r);
        if (!r->status && (buffer_at(r, c->buffer)->type != type || buffer_at(r, c->buffer)->count < count))
            expected_at(r, &at, "a buffer of the same type that is as long");
    } else {
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ statements */

static ws_step *new_step(reader *r, ws_step_kind kind, const token *at)
{
    ws_step *const s = push(r, &r->steps, sizeof *s);
    if (s)
        *s = (ws_step){.kind = kind, .line = at->line, .column = at->column};
    return s;
}

static ws_type type_word(reader *r)
{
    const ws_type type = r->tok.kind == TOKEN_WORD ? ws_value_type(r->tok.text, r->tok.length) : WS_T_NONE;
    if (!type)
        expected(r, "a type such as u32 or f32");
    advance(r);
    return type;
}

/* buffer NAME TYPE COUNT [CONTENT]; symbol NAME TYPE COUNT [CONTENT] */
static void buffer(reader *r, bool is_symbol)
{
    const token at = r->tok;
    ws_launch_buffer b = {.is_symbol = is_symbol, .line = at.line, .column = at.column};
    if (at.kind != TOKEN_WORD || is_reserved(&at) || ws_value_type(at.text, at.length))
        expected(r, is_symbol ? "the name of a variable of the module" : "a name for the buffer");
    if (find_buffer(r, &at) >= 0)
        expected(r, "a new name");
    b.name = copy(r, &at);
    advance(r);
    b.type = type_word(r);
    b.count = whole(r, "a number of elements, 1 to 2^40", 1, max_elements);
    ws_content c = {.kind = is_symbol ? WS_CONTENT_KEEP : WS_CONTENT_ZERO};
    if (!r->status)
        content(r, b.type, b.count, &c);
    ws_launch_buffer *const slot = r->status ? NULL : push(r, &r->buffers, sizeof *slot);
    ws_step *const s = slot ? new_step(r, WS_STEP_SET, &at) : NULL;
    if (!s)
        return;
    *slot = b;
    s->buffer = (uint32_t)(r->buffers.count - 1);
    s->content = c;
}

static void shape(reader *r, uint32_t size[3], const char *what)
{
    size[0] = size[1] = size[2] = 1;
    size[0] = (uint32_t)whole(r, what, 1, UINT32_MAX);
    for (int i = 1; i < 3 && r->tok.kind == TOKEN_NUMBER; i++)
        size[i] = (uint32_t)whole(r, what, 1, UINT32_MAX);
}

/* NAME, NAME+16: the address of a buffer. */
static void buffer_argument(reader *r, ws_argument *a)
{
    const char *const behind = r->next;
    a->kind = WS_ARGUMENT_BUFFER;
    a->buffer = buffer_name(r);
    if (r->tok.kind == TOKEN_NUMBER && r->tok.text == behind) /* no blank between */
        a->offset = whole_signed(r, "a number of bytes");
}

static void value_argument(reader *r, ws_argument *a)
{
    uint64_t bits;
    a->kind = WS_ARGUMENT_VALUE;
    const char *const wrong =
        a->type && is_value(r) ? ws_value_parse(a->type, r->tok.text, r->tok.length, &bits) : NULL;
    if (!is_value(r) || wrong)
        expected(r, wrong ? wrong : "a value");
    a->text = copy(r, &r->tok);
    advance(r);
}

/* A field of { }: its type has to be said, because the parameter is only bytes. */
static void field_argument(reader *r, ws_argument *a)
{
    a->line = r->tok.line;
    a->column = r->tok.column;
    if (find_buffer(r, &r->tok) >= 0) {
        buffer_argument(r, a);
        return;
    }
    a->type = r->tok.kind == TOKEN_WORD ? ws_value_type(r->tok.text, r->tok.length) : WS_T_NONE;
    if (!a->type)
        expected(r, "a type and a value, a buffer, or `}`");
    advance(r);
    value_argument(r, a);
}

static void struct_argument(reader *r, ws_argument *a)
{
    list fields = {0};
    advance(r);
    a->kind = WS_ARGUMENT_STRUCT;
    while (!is_text(&r->tok, "}") && !r->status) {
        ws_argument *const field = push(r, &fields, sizeof *field);
        if (field)
            field_argument(r, field);
    }
    require(r, "}");
    a->fields = fields.count;
    a->field = settle(r, &fields, sizeof *a->field);
}

static void one_argument(reader *r, ws_argument *a)
{
    a->line = r->tok.line;
    a->column = r->tok.column;
    if (find_buffer(r, &r->tok) >= 0) {
        buffer_argument(r, a);
    } else if (is_text(&r->tok, "{")) {
        struct_argument(r, a);
    } else {
        a->type = r->tok.kind == TOKEN_WORD ? ws_value_type(r->tok.text, r->tok.length) : WS_T_NONE;
        if (a->type)
            advance(r);
        if (!is_value(r))
            expected(r, a->type ? "a value" : "an argument: a buffer, a value, or { }");
        else
            value_argument(r, a);
    }
}

static void arguments(reader *r, ws_step *s)
{
    list all = {0};
    while (r->tok.kind != TOKEN_END && !is_reserved(&r->tok)) {
        ws_argument *const a = push(r, &all, sizeof *a);
        if (a)
            one_argument(r, a);
    }
    s->arguments = all.count;
    s->argument = settle(r, &all, sizeof *s->argument);
}

/* launch KERNEL grid X [Y [Z]] block X [Y [Z]] [shared N] [limit N] [cooperative] [args ...] */
static void launch(reader *r, const token *at)
{
    ws_step s = {.kind = WS_STEP_LAUNCH, .line = at->line, .column = at->column, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    if (r->tok.kind != TOKEN_WORD || is_reserved(&r->tok))
        expected(r, "the name of a kernel");
    s.kernel = copy(r, &r->tok);
    advance(r);
    while (!r->status) {
        if (accept(r, "grid"))
            shape(r, s.grid, "a number of blocks, 1 to 2^32 - 1");
        else if (accept(r, "block"))
            shape(r, s.block, "a number of threads, 1 to 2^32 - 1");
        else if (accept(r, "shared"))
            s.shared_bytes = (uint32_t)whole(r, "a number of bytes of dynamic shared memory", 0, UINT32_MAX);
        else if (accept(r, "limit"))
            s.limit = whole(r, "a number of warp instructions above 0", 1, UINT64_MAX);
        else if (accept(r, "cooperative"))
            s.cooperative = true;
        else if (is_text(&r->tok, "args") && !s.argument)
            advance(r), arguments(r, &s);
        else
            break;
    }
    ws_step *const slot = r->status ? NULL : new_step(r, WS_STEP_LAUNCH, at);
    if (slot) {
        *slot = s;
        r->last_launch = (ptrdiff_t)r->steps.count - 1;
    }
}

static ws_step *last_launch(reader *r, const token *at)
{
    if (r->last_launch < 0) {
        fail_at(r, at->line, at->column, "expected a launch before what is expected of it");
        return NULL;
    }
    return (ws_step *)r->steps.items + r->last_launch;
}

/* [I], [I..J]; without it all elements. */
static void element_range(reader *r, ws_step *s)
{
    const uint64_t count = r->status ? 1 : buffer_at(r, s->buffer)->count;
    char what[96];
    s->count = count;
    if (!accept(r, "["))
        return;
    snprintf(what, sizeof what, "an element from 0 to %llu", (unsigned long long)(count - 1));
    s->first = whole(r, what, 0, count - 1);
    s->count = 1;
    if (accept(r, "..")) {
        snprintf(what, sizeof what, "an element from %llu to %llu", (unsigned long long)s->first,
                 (unsigned long long)(count - 1));
        s->count = whole(r, what, s->first, count - 1) - s->first + 1;
    }
    require(r, "]");
}

static double tolerance(reader *r)
{
    const token at = r->tok;
    const double t = number(r, "a tolerance");
    if (!r->status && !(t > 0))
        expected_at(r, &at, "a tolerance above 0");
    return t;
}

/* expect NAME[I..J] CONTENT [within T] [relative T] */
static void expect_elements(reader *r, const token *at)
{
    ws_step s = {.kind = WS_STEP_EXPECT, .line = at->line, .column = at->column};
    s.buffer = buffer_name(r);
    element_range(r, &s);
    const ws_type type = r->status ? WS_T_u32 : buffer_at(r, s.buffer)->type;
    if (!r->status && !content(r, type, s.count, &s.content))
        expected(r, "`=`, zero, fill, iota, random, file or same");
    for (;;) {
        if (accept(r, "within"))
            s.within = tolerance(r);
        else if (accept(r, "relative"))
            s.relative = tolerance(r);
        else
            break;
    }
    ws_step *const slot = r->status ? NULL : new_step(r, WS_STEP_EXPECT, at);
    if (slot)
        *slot = s;
}

/* Words that name no buffer when the one that was declared does not; a buffer of that name wins. */
static void expect(reader *r, const token *at)
{
    const bool is_buffer = find_buffer(r, &r->tok) >= 0;
    const bool warps = is_text(&r->tok, "warp_instructions"), threads = is_text(&r->tok, "thread_instructions");
    if (!is_buffer && accept(r, "fault")) {
        ws_step *const s = last_launch(r, at);
        const char *const text = string(r, "a part of the fault's message in quotes");
        if (s && s->text)
            fail_at(r, at->line, at->column, "expected one fault of a launch, found a second");
        if (s)
            s->text = text;
    } else if (!is_buffer && accept(r, "printed")) {
        last_launch(r, at);
        const char *const text = string(r, "what the launch prints, in quotes");
        ws_step *const s = r->status ? NULL : new_step(r, WS_STEP_PRINTED, at);
        if (s)
            s->text = text;
    } else if (!is_buffer && (warps || threads)) {
        last_launch(r, at);
        advance(r);
        const uint64_t n = whole(r, "a number of instructions", 0, UINT64_MAX);
        ws_step *const s = r->status ? NULL : new_step(r, WS_STEP_INSTRUCTIONS, at);
        if (s) {
            s->instructions = n;
            s->per_thread = threads;
        }
    } else if (!is_buffer) {
        expected(r, "the name of a buffer, fault, printed, warp_instructions or thread_instructions");
    } else {
        expect_elements(r, at);
    }
}

/* print NAME[I..J] */
static void print(reader *r, const token *at)
{
    ws_step s = {.kind = WS_STEP_PRINT, .line = at->line, .column = at->column};
    s.buffer = buffer_name(r);
    element_range(r, &s);
    ws_step *const slot = r->status ? NULL : new_step(r, WS_STEP_PRINT, at);
    if (slot)
        *slot = s;
}

static void statement(reader *r)
{
    const token at = r->tok;
    if (accept(r, "buffer"))
        buffer(r, false);
    else if (accept(r, "symbol"))
        buffer(r, true);
    else if (accept(r, "launch"))
        launch(r, &at);
    else if (accept(r, "expect"))
        expect(r, &at);
    else if (accept(r, "print"))
        print(r, &at);
    else
        expected(r, "buffer, symbol, launch, expect or print");
}

static ws_script *finish(reader *r)
{
    ws_script *const s = allocate(r, sizeof *s);
    const char *const slash = strrchr(r->file, '/');
    const token folder = {.text = r->file, .length = slash ? (size_t)(slash - r->file) + 1 : 0};
    const token file = {.text = r->file, .length = strlen(r->file)};
    if (!s)
        return NULL;
    *s = (ws_script){.file = copy(r, &file),
                     .folder = copy(r, &folder),
                     .buffers = r->buffers.count,
                     .steps = r->steps.count,
                     .arena = r->arena};
    s->buffer = settle(r, &r->buffers, sizeof *s->buffer);
    s->step = settle(r, &r->steps, sizeof *s->step);
    return s;
}

int ws_launchfile_parse(const char *file, const char *text, size_t length, ws_script **out)
{
    *out = NULL;
    ws_arena *const arena = ws_arena_create();
    if (!arena)
        return ws_fail(WS_EMEM, "%s: out of memory", file);
    reader r = {.file = file,
                .next = text,
                .end = text + length,
                .line_start = text,
                .line = 1,
                .arena = arena,
                .last_launch = -1};
    advance(&r);
    while (r.tok.kind != TOKEN_END)
        statement(&r);
    if (!r.status && r.last_launch < 0)
        expected(&r, "a launch");
    ws_script *const script = r.status ? NULL : finish(&r);
    free(r.buffers.items);
    free(r.steps.items);
    if (r.status)
        ws_arena_destroy(arena);
    else
        *out = script;
    return r.status;
}

int ws_launchfile_load(const char *path, ws_script **out)
{
    *out = NULL;
    FILE *const in = fopen(path, "rb");
    if (!in)
        return ws_fail(errno == ENOENT ? WS_ENOTFOUND : WS_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    char *text = NULL;
    size_t length = 0, capacity = 0;
    for (size_t n = 1; n;) {
        if (length == capacity) {
            capacity = capacity ? capacity * 2 : 1 << 14;
            char *const more = realloc(text, capacity);
            if (!more) {
                free(text);
                fclose(in);
                return ws_fail(WS_EMEM, "%s: out of memory", path);
            }
            text = more;
        }
        n = fread(text + length, 1, capacity - length, in);
        length += n;
    }
    const int failed = ferror(in) ? errno : 0;
    fclose(in);
    const int status = failed ? ws_fail(WS_EIO, "%s: cannot be read: %s", path, strerror(failed))
                              : ws_launchfile_parse(path, text, length, out);
    free(text);
    return status;
}

void ws_script_destroy(ws_script *script)
{
    if (script)
        ws_arena_destroy(script->arena);
}
