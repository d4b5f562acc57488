/* cube_text.c - numbers of cubes as texts, by formats of printf, and texts as numbers. */
#include "base/cube/cube_internal.h"

#include "base/c_locale.h"
#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int copy_shape(const ws_cube_work *work, ws_cube_kind kind, const ws_cube *cube, ws_cube **out)
{
    return ws_cube_new(work, kind, cube->name, cube->axis, cube->axes, out);
}

int ws_cube_to_numbers(const ws_cube_work *work, const ws_cube *cube, const ws_cube **out)
{
    *out = cube;
    if (cube->kind != WS_CUBE_TEXTS)
        return WS_OK;
    ws_cube *numbers;
    const int status = copy_shape(work, WS_CUBE_NUMBERS, cube, &numbers);
    for (size_t c = 0; c < (status ? 0 : cube->cells); c++) {
        const ws_cell *const cell = &cube->cell[c];
        double number;
        if (cell->gap)
            numbers->cell[c] = *cell;
        else if (ws_text_to_double(cell->text, strlen(cell->text), &number) || !isfinite(number))
            ws_cube_empty(numbers, c);
        else
            numbers->cell[c].number = number;
    }
    if (!status)
        *out = numbers;
    return status;
}

/* ------------------------------------------------------------------------------------------------ formats */

typedef struct format {
    const char *before, *after;
    char spec[16]; /* "%+.1f", of a whole number "%+ld"; "%s" */
    char conversion;
} format;

/* Text up to a conversion or the end, with %% as %. */
static const char *take_plain(ws_arena *arena, const char **from)
{
    char *const to = ws_arena_alloc(arena, strlen(*from) + 1);
    for (size_t n = 0; to && **from && (**from != '%' || (*from)[1] == '%'); ++*from) {
        *from += **from == '%';
        to[n++] = **from;
    }
    return to;
}

/* Digits of a width or a precision: one or two, or none. */
static size_t digits_at(const char *at)
{
    const size_t first = at[0] >= '0' && at[0] <= '9';
    return first + (first && at[1] >= '0' && at[1] <= '9');
}

static int parse_format(ws_arena *arena, const char *text, format *to)
{
    const char *at = text;
    to->before = take_plain(arena, &at);
    const char *const spec = at;
    at += *at == '%';
    at += strspn(at, "-+ 0");
    at += digits_at(at);
    at += *at == '.' ? 1 + digits_at(at + 1) : 0;
    const size_t length = (size_t)(at - spec);
    const bool good = length && length + sizeof "ld" <= sizeof to->spec && *at && strchr("defg", *at);
    if (!good && strncmp(spec, "%s", 2))
        return ws_fail(WS_EINPUT,
                       "'%s' is no format; expected text with one of %%d, %%e, %%f, %%g, such as %%.2f, or %%s", text);
    to->conversion = *at++;
    snprintf(to->spec, sizeof to->spec, "%.*s%s%c", (int)length, spec, to->conversion == 'd' ? "l" : "",
             to->conversion);
    to->after = take_plain(arena, &at);
    if (!to->before || !to->after)
        return ws_fail(WS_EMEM, "no memory for texts");
    return *at ? ws_fail(WS_EINPUT, "'%s' has two conversions; expected one, such as %%.2f (%%%% is a percent sign)",
                         text)
               : WS_OK;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* parse_format let it pass */
static int write_formatted(ws_arena *arena, const format *f, const ws_cell *cell, bool is_text, const char **out)
{
    enum { NUMBER_MOST = 512 };
    static const double whole_most = 9007199254740992; /* 2^53: beyond it not each whole number is a double */
    char number[NUMBER_MOST];
    const char *middle = number;
    if (is_text)
        middle = cell->text;
    else if (f->conversion == 's')
        snprintf(number, sizeof number, "%.6g", cell->number);
    else if (f->conversion != 'd')
        snprintf(number, sizeof number, f->spec, cell->number);
    else if (cell->number == trunc(cell->number) && fabs(cell->number) <= whole_most)
        snprintf(number, sizeof number, f->spec, (long)cell->number);
    else
        return ws_fail(WS_EINPUT, "%g is no whole number, which %%d is for; expected %%.0f, or round(...)",
                       cell->number);
    const size_t before = strlen(f->before), length = strlen(middle);
    char *const text = ws_arena_alloc(arena, before + length + strlen(f->after) + 1);
    *out = text;
    if (!text)
        return ws_fail(WS_EMEM, "no memory for texts");
    memcpy(text, f->before, before);
    memcpy(text + before, middle, length);
    strcpy(text + before + length, f->after);
    return WS_OK;
}
#pragma GCC diagnostic pop

int ws_cube_to_texts(const ws_cube_work *work, const ws_cube *cube, const char *form, const ws_cube **out)
{
    const bool is_text = cube->kind == WS_CUBE_TEXTS;
    format f;
    ws_cube *texts;
    *out = cube;
    if (is_text && !form)
        return WS_OK;
    int status = parse_format(work->arena, form ? form : "%.6g", &f);
    if (!status && is_text && f.conversion != 's')
        status = ws_fail(WS_EINPUT, "%s is text, and '%s' is for a number; expected %%s", cube->name, form);
    if (!status)
        status = copy_shape(work, WS_CUBE_TEXTS, cube, &texts);
    const locale_t before = ws_c_locale_enter();
    for (size_t c = 0; !status && c < cube->cells; c++) {
        texts->cell[c] = cube->cell[c];
        if (!cube->cell[c].gap)
            status = write_formatted(work->arena, &f, &cube->cell[c], is_text, &texts->cell[c].text);
    }
    ws_c_locale_leave(before);
    if (!status)
        *out = texts;
    return status;
}
