/* machine_gpgpusim.c - which machine does a configuration of GPGPU-Sim describe? Names: machine_aliases.def. */
#include "model/machine/machine_gpgpusim_internal.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef enum kind { KIND_SAME, KIND_READ, KIND_MUST, KIND_LEFT, KIND_OLD } kind;

typedef struct alias {
    kind kind;
    const char *theirs, *fallback;
    const char *section, *name, *unit;  /* SAME */
    int (*take)(ws_theirs *t, int row); /* READ */
    const char *text;  /* what becomes of it; MUST: the reason; LEFT: what that costs; OLD: its name now */
    const char *value; /* MUST */
} alias;

static const alias aliases[] = {
#define SAME(theirs, fallback, section, name, unit) \
    {KIND_SAME, theirs, fallback, section, name, unit, NULL, section "." name, NULL},
#define READ(theirs, fallback, function, ours) \
    {KIND_READ, theirs, fallback, NULL, NULL, NULL, ws_theirs_take_##function, ours, NULL},
#define MUST(theirs, fallback, value, reason) {KIND_MUST, theirs, fallback, NULL, NULL, NULL, NULL, reason, value},
#define LEFT(theirs, cost)                    {KIND_LEFT, theirs, NULL, NULL, NULL, NULL, NULL, cost, NULL},
#define OLD(theirs, now)                      {KIND_OLD, theirs, NULL, NULL, NULL, NULL, NULL, now, NULL},
#include "model/machine/machine_aliases.def"
#undef SAME
#undef READ
#undef MUST
#undef LEFT
#undef OLD
};
enum { ALIASES = sizeof aliases / sizeof *aliases };
_Static_assert((int)ALIASES <= (int)WS_THEIRS, "room for each option");

bool ws_machine_alias_row(size_t index, ws_machine_alias *row)
{
    if (index >= ALIASES)
        return false;
    const alias *const a = &aliases[index];
    *row = (ws_machine_alias){.theirs = a->theirs,
                              .fallback = a->fallback,
                              .ours = *a->text ? a->text : "changes no cycle",
                              .must = a->value};
    return true;
}

int ws_theirs_row(const char *name)
{
    for (size_t i = 0; i < ALIASES; i++)
        if (!strcmp(aliases[i].theirs, name))
            return (int)i;
    return -1;
}

/* Whatever it is spelled like. */
static int row_now(const char *name)
{
    const int row = ws_theirs_row(name);
    return row >= 0 && aliases[row].kind == KIND_OLD ? ws_theirs_row(aliases[row].text) : row;
}

const char *ws_theirs_value(const ws_theirs *t, int row)
{
    return t->given[row].value ? t->given[row].value : aliases[row].fallback;
}

/* --- Places --- */

/* "FILE:LINE:COLUMN: -option" of a character of a value; what a default stands for has no line. */
static const char *place(ws_theirs *t, int row, size_t offset)
{
    const ws_theirs_value_at *const g = &t->given[row];
    if (!t->text)
        return aliases[row].theirs;
    if (!g->value)
        return ws_machine_text(t->machine, "%s: default of %s", t->file, aliases[row].theirs);
    int line = 1;
    size_t start = 0;
    for (size_t i = 0; i < g->at + offset; i++)
        if (t->text[i] == '\n') {
            line++;
            start = i + 1;
        }
    return ws_machine_text(t->machine, "%s:%d:%zu: %s", t->file, line, g->at + offset - start + 1, aliases[row].theirs);
}

int ws_theirs_fail(ws_theirs *t, int row, size_t offset, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *const where = place(t, row, offset);
    if (!where)
        return ws_fail(WS_EMEM, "%s: out of memory", t->file);
    if (!t->text)
        return ws_fail(WS_EINPUT, "%s = %s, character %zu: %s", where, ws_theirs_value(t, row), offset + 1, text);
    return ws_fail(WS_EINPUT, "%s: %s", where, text);
}

int ws_theirs_put(ws_theirs *t, int row, size_t offset, const char *section, const char *name, const char *value)
{
    const char *const where = place(t, row, offset);
    return where ? ws_machine_put(t->machine, section, name, value, where)
                 : ws_fail(WS_EMEM, "%s: out of memory", t->file);
}

int ws_theirs_put_number(ws_theirs *t, int row, size_t offset, const char *section, const char *name, double value,
                         const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "%.15g%s%s", value, *unit ? " " : "", unit);
    return ws_theirs_put(t, row, offset, section, name, text);
}

int ws_theirs_ignore(ws_theirs *t, const char *what, const char *cost)
{
    ws_machine *const m = t->machine;
    const char *const list = ws_machine_text(m, "%s%s%s: %s", m->ignored, *m->ignored ? "\n" : "", what, cost);
    if (!list)
        return ws_fail(WS_EMEM, "%s: out of memory", t->file);
    m->ignored = list;
    return WS_OK;
}

/* --- Numbers in a value --- */

ws_cursor ws_theirs_open(ws_theirs *t, int row)
{
    return (ws_cursor){.theirs = t, .row = row, .text = ws_theirs_value(t, row)};
}

int ws_cursor_number(ws_cursor *c, double least, double most, double *value)
{
    c->at += strspn(c->text + c->at, " \t\r\n");
    c->began = c->at;
    const size_t length = strspn(c->text + c->at, "+-.0123456789");
    if (!length || ws_text_to_double(c->text + c->at, length, value))
        return ws_theirs_fail(c->theirs, c->row, c->at, "expected a number");
    if (!(*value >= least && *value <= most))
        return ws_theirs_fail(c->theirs, c->row, c->at, "expected %.15g to %.15g", least, most);
    c->at += length;
    return WS_OK;
}

int ws_cursor_whole(ws_cursor *c, double least, double most, uint32_t *value)
{
    double number;
    const int rc = ws_cursor_number(c, least, most, &number);
    if (rc)
        return rc;
    if (number != floor(number))
        return ws_theirs_fail(c->theirs, c->row, c->began, "expected a whole number");
    *value = (uint32_t)number;
    return WS_OK;
}

bool ws_cursor_skip(ws_cursor *c, char sign)
{
    c->at += strspn(c->text + c->at, " \t\r\n");
    if (c->text[c->at] != sign)
        return false;
    c->at++;
    return true;
}

int ws_cursor_expect(ws_cursor *c, char sign)
{
    if (ws_cursor_skip(c, sign))
        return WS_OK;
    return ws_theirs_fail(c->theirs, c->row, c->at, "expected '%c'", sign);
}

int ws_cursor_end(ws_cursor *c)
{
    c->at += strspn(c->text + c->at, " \t\r\n");
    return c->text[c->at] ? ws_theirs_fail(c->theirs, c->row, c->at, "expected nothing more") : WS_OK;
}

/* --- The file --- */

/* A word, or what stands between quotes, which may go over lines. */
static int next_token(ws_theirs *t, size_t *at, size_t *start, size_t *length, bool *quoted)
{
    const char *const text = t->text;
    for (;;) {
        while (*at < t->length && strchr(" \t\r\n", text[*at]))
            ++*at;
        if (*at == t->length || text[*at] != '#')
            break;
        while (*at < t->length && text[*at] != '\n')
            ++*at;
    }
    *quoted = *at < t->length && text[*at] == '"';
    *start = *at += *quoted;
    while (*at < t->length && (*quoted ? text[*at] != '"' : !strchr(" \t\r\n#", text[*at])))
        ++*at;
    *length = *at - *start;
    if (*quoted && *at == t->length)
        return WS_EINPUT;
    *at += *quoted;
    return WS_OK;
}

static int fail_here(const ws_theirs *t, size_t at, const char *what, int shown, const char *text)
{
    int line = 1;
    size_t start = 0;
    for (size_t i = 0; i < at; i++)
        if (t->text[i] == '\n') {
            line++;
            start = i + 1;
        }
    return ws_fail(WS_EINPUT, "%s:%d:%zu: %.*s%s%s", t->file, line, at - start + 1, shown < 100 ? shown : 100, text,
                   shown ? ": " : "", what);
}

static bool is_option(const char *text, size_t length)
{
    return length > 1 && text[0] == '-' && !strchr("0123456789.", text[1]);
}

/* One option and its value; *more is false at the end. */
static int read_option(ws_theirs *t, size_t *at, bool *more)
{
    size_t name, length, value, size;
    bool quoted;
    if (next_token(t, at, &name, &length, &quoted))
        return fail_here(t, name, "a quotation mark that does not end", 0, "");
    *more = length > 0 || quoted;
    if (!*more)
        return WS_OK;
    if (quoted || !is_option(t->text + name, length))
        return fail_here(t, name, "expected -option", (int)length, t->text + name);
    if (next_token(t, at, &value, &size, &quoted))
        return fail_here(t, value, "a quotation mark that does not end", 0, "");
    if (!size || (!quoted && is_option(t->text + value, size)))
        return fail_here(t, name, "expected a value after it", (int)length, t->text + name);
    const char *const option = ws_machine_text(t->machine, "%.*s", (int)length, t->text + name);
    const char *const copy = ws_machine_text(t->machine, "%.*s", (int)size, t->text + value);
    if (!option || !copy)
        return ws_fail(WS_EMEM, "%s: out of memory", t->file);
    const int row = row_now(option);
    if (row < 0)
        return fail_here(t, name, "unknown option of GPGPU-Sim; remove it if it does not matter", (int)length, option);
    t->given[row] = (ws_theirs_value_at){.value = copy, .at = value};
    return WS_OK;
}

static int carry_out(ws_theirs *t, int row)
{
    const alias *const a = &aliases[row];
    char text[128];
    if (a->kind == KIND_READ)
        return a->take(t, row);
    if (a->kind == KIND_OLD)
        return WS_OK;
    if (a->kind == KIND_LEFT)
        return t->given[row].value && *a->text ? ws_theirs_ignore(t, a->theirs, a->text) : WS_OK;
    const char *const value = ws_theirs_value(t, row);
    if (a->kind == KIND_MUST)
        return strcmp(value, a->value) ? ws_theirs_fail(t, row, 0, "%s; expected %s", a->text, a->value) : WS_OK;
    snprintf(text, sizeof text, "%s%s%s", value, *a->unit ? " " : "", a->unit);
    return ws_theirs_put(t, row, 0, a->section, a->name, text);
}

int ws_machine_read_gpgpusim(ws_machine *machine, const char *file, const char *text, size_t length)
{
    ws_theirs t = {.machine = machine, .file = file, .text = text, .length = length};
    int rc = memchr(text, 0, length) ? ws_fail(WS_EINPUT, "%s: a zero byte; expected text", file) : WS_OK;
    bool more = true;
    for (size_t at = 0; !rc && more;)
        rc = read_option(&t, &at, &more);
    for (int row = 0; !rc && row < ALIASES; row++)
        rc = carry_out(&t, row);
    return rc;
}

int ws_machine_set_gpgpusim(ws_machine *machine, const char *option, const char *value)
{
    const int row = row_now(option);
    ws_theirs t = {.machine = machine, .file = option};
    if (row < 0)
        return ws_fail(WS_EINPUT, "%s = %s: no option of GPGPU-Sim that is known here", option, value);
    t.given[row].value = ws_machine_text(machine, "%s", value);
    return t.given[row].value ? carry_out(&t, row) : ws_fail(WS_EMEM, "%s: out of memory", option);
}
