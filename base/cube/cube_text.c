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
    char before[64], after[64], spec[24]; /* spec: without what converts */
    char conversion;
} format;

/* Text up to a conversion or the end, with %% as %; false if it is too long. */
static bool take_plain(const char **from, char *to, size_t size)
{
    size_t n = 0;
    for (; **from && (**from != '%' || (*from)[1] == '%'); ++*from) {
        *from += **from == '%';
        if (n + 1 >= size)
            return false;
        to[n++] = **from;
    }
    to[n] = 0;
    return true;
}

static bool parse_format(const char *text, format *to)
{
    enum { DIGITS_MOST = 2 };
    if (!take_plain(&text, to->before, sizeof to->before) || *text != '%')
        return false;
    const char *at = text + 1;
    at += strspn(at, "-+ #0");
    const size_t width = strspn(at, "0123456789");
    at += width;
    const size_t precision = *at == '.' ? 1 + strspn(at + 1, "0123456789") : 0;
    at += precision;
    if (width > DIGITS_MOST || precision > 1 + DIGITS_MOST || !*at || !strchr("defgs", *at) ||
        (size_t)(at - text) >= sizeof to->spec)
        return false;
    memcpy(to->spec, text, (size_t)(at - text));
    to->spec[at - text] = 0;
    to->conversion = *at++;
    return take_plain(&at, to->after, sizeof to->after) && !*at;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* parse_format let it pass */
static const char *formatted(ws_arena *arena, const format *f, const ws_cell *cell, bool is_text)
{
    enum { NUMBER_MOST = 512 };
    char number[NUMBER_MOST], spec[sizeof f->spec + 4], plain[WS_NUMBER_BYTES];
    const char *middle = number;
    if (f->conversion == 's') {
        if (!is_text)
            snprintf(plain, sizeof plain, "%.6g", cell->number);
        middle = is_text ? cell->text : plain;
    } else if (f->conversion == 'd') {
        snprintf(spec, sizeof spec, "%sld", f->spec);
        snprintf(number, sizeof number, spec, (long)fmin(fmax(cell->number, -1e18), 1e18));
    } else {
        snprintf(spec, sizeof spec, "%s%c", f->spec, f->conversion);
        snprintf(number, sizeof number, spec, cell->number);
    }
    const size_t before = strlen(f->before), length = strlen(middle), after = strlen(f->after);
    char *const text = ws_arena_alloc(arena, before + length + after + 1);
    if (text) {
        memcpy(text, f->before, before);
        memcpy(text + before, middle, length);
        memcpy(text + before + length, f->after, after);
    }
    return text;
}
#pragma GCC diagnostic pop

int ws_cube_to_texts(const ws_cube_work *work, const ws_cube *cube, const char *form, const ws_cube **out)
{
    format f;
    *out = cube;
    if (cube->kind == WS_CUBE_TEXTS && !form)
        return WS_OK;
    if (!parse_format(form ? form : "%.6g", &f))
        return ws_fail(WS_EINPUT, "'%s' is no format; expected text with one of %%d, %%e, %%f, %%g, %%s, as %%.2f",
                       form);
    if (cube->kind == WS_CUBE_TEXTS && f.conversion != 's')
        return ws_fail(WS_EINPUT, "%s is text, and '%s' is for a number; expected %%s", cube->name, form);
    ws_cube *texts;
    int status = copy_shape(work, WS_CUBE_TEXTS, cube, &texts);
    const locale_t before = ws_c_locale_enter();
    for (size_t c = 0; !status && c < cube->cells; c++) {
        texts->cell[c] = cube->cell[c];
        if (cube->cell[c].gap)
            continue;
        texts->cell[c].text = formatted(work->arena, &f, &cube->cell[c], cube->kind == WS_CUBE_TEXTS);
        if (!texts->cell[c].text)
            status = ws_fail(WS_EMEM, "no memory for texts");
    }
    ws_c_locale_leave(before);
    if (!status)
        *out = texts;
    return status;
}
