/* limit.c - see limit.h. */
#include "cli/diff/limit.h"

#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#define BLANKS " \t"

int ws_limit_parse(const char *text, ws_limit *out)
{
    const size_t begin = strspn(text, BLANKS), mark = strcspn(text, "<>");
    size_t name = mark > begin ? mark - begin : 0;
    *out = (ws_limit){.text = text, .above = text[mark] == '>'};
    const char *number = text + mark + (text[mark] != '\0');
    number += strspn(number, BLANKS);
    size_t length = strlen(number);
    while (name && strchr(BLANKS, text[begin + name - 1]))
        name--;
    while (length && strchr(BLANKS, number[length - 1]))
        length--;
    out->relative = length && number[length - 1] == '%';
    length -= out->relative;
    double value = NAN;
    if (name && name < sizeof out->column && length &&
        !ws_text_to_double(*number == '+' ? number + 1 : number, length - (*number == '+'), &value))
        memcpy(out->column, text + begin, name);
    if (!isfinite(value))
        return ws_fail(
            WS_EINPUT,
            "rule '%s': expected COLUMN<NUMBER or COLUMN>NUMBER, with %% for a change relative to A, such as "
            "'simd_efficiency<-5%%'",
            text);
    out->bound = out->relative ? value / 100 : value;
    return WS_OK;
}

static void say(const ws_limit *l, const ws_difference *d, const ws_change *c, FILE *out)
{
    char a[WS_NUMBER_BYTES], b[WS_NUMBER_BYTES];
    ws_text_from_double(c->a, a);
    ws_text_from_double(c->b, b);
    fprintf(out, "%s: %s from %s to %s %s %s\n", d->pair[c->pair].name, l->column, a, b,
            isnan(c->a) || isnan(c->b) ? "cannot be compared with" : "meets", l->text);
}

int ws_limit_check(const ws_limit *l, const ws_difference *d, FILE *out, size_t *met)
{
    const long column = ws_frame_find_column(d->a, l->column);
    if (column < 0)
        return ws_frame_refuse_column(d->a, "A", l->column, "");
    if (ws_frame_find_column(d->b, l->column) < 0)
        return ws_frame_refuse_column(d->b, "B", l->column, "");
    for (size_t i = 0; i < d->changes; i++) {
        const ws_change *const c = &d->change[i];
        const double moved = l->relative ? c->change : c->b - c->a;
        if (c->column != (size_t)column || (!isnan(moved) && !(l->above ? moved > l->bound : moved < l->bound)))
            continue;
        say(l, d, c, out);
        ++*met;
    }
    return WS_OK;
}
