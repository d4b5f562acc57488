/* frame_clean.c - which rows or columns must go so that every value left is finite? */
#include "base/frame_clean.h"
#include "base/status.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 300 };

static int note_names(ws_frame *frame, const char *key, const char *things, size_t total, char *const *name, size_t n)
{
    const size_t listed = n < NAMES_MOST ? n : NAMES_MOST;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return ws_fail(WS_EMEM, "no memory for a note");
    for (size_t i = 0; i < listed; i++)
        fprintf(out, "%s%s", i ? ", " : "", name[i]);
    if (listed < n)
        fprintf(out, " and %zu more", n - listed);
    const bool bad = ferror(out);
    if (fclose(out) != 0 || bad) {
        free(text);
        return ws_fail(WS_EMEM, "no memory for a note");
    }
    const int rc = ws_frame_note(frame, "%s: %zu of %zu %s: %s", key, n, total, things, text);
    free(text);
    return rc;
}

int ws_frame_note_columns(ws_frame *frame, const char *key, const ws_frame *source, const size_t *column, size_t n)
{
    if (n == 0)
        return WS_OK;
    char **name = malloc(n * sizeof *name);
    if (!name)
        return ws_fail(WS_EMEM, "no memory for a note");
    for (size_t i = 0; i < n; i++)
        name[i] = source->column[column[i]].name;
    const int rc = note_names(frame, key, "columns", source->columns, name, n);
    free(name);
    return rc;
}

static int note_rows(ws_frame *frame, const char *key, const ws_frame *source, const size_t *row, size_t n)
{
    char **name = calloc(n + 1, sizeof *name);
    int rc = name ? WS_OK : ws_fail(WS_EMEM, "no memory for a note");
    for (size_t i = 0; rc == WS_OK && i < n; i++) {
        char text[200];
        ws_frame_row_name(source, row[i], text, sizeof text);
        name[i] = strdup(text);
        if (!name[i])
            rc = ws_fail(WS_EMEM, "no memory for a note");
    }
    if (rc == WS_OK && n)
        rc = note_names(frame, key, "rows", source->rows, name, n);
    for (size_t i = 0; name && i < n; i++)
        free(name[i]);
    free(name);
    return rc;
}

static bool line_is_finite(const double *value, size_t n, size_t stride)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i * stride]))
            return false;
    return true;
}

/* Sorts the indices of rows or columns into kept[] and dropped[]; returns how many are kept. */
static size_t divide(const ws_frame *frame, bool by_row, size_t *kept, size_t *dropped)
{
    const size_t lines = by_row ? frame->rows : frame->columns;
    size_t k = 0, d = 0;
    for (size_t i = 0; i < lines; i++) {
        const bool good = by_row ? line_is_finite(frame->value + i * frame->columns, frame->columns, 1)
                                 : line_is_finite(frame->value + i, frame->rows, frame->columns);
        if (good)
            kept[k++] = i;
        else
            dropped[d++] = i;
    }
    return k;
}

int ws_frame_clean(const ws_frame *frame, const char *name, ws_missing rule, ws_frame **out)
{
    const bool by_row = rule == WS_MISSING_ROWS;
    const size_t lines = by_row ? frame->rows : frame->columns;
    if (rule == WS_MISSING_REFUSE) {
        const int rc = ws_frame_require_finite(frame, name);
        if (rc != WS_OK)
            return rc;
    }
    size_t *kept = malloc((2 * lines + 1) * sizeof *kept), *const dropped = kept ? kept + lines : NULL;
    if (!kept)
        return ws_fail(WS_EMEM, "%s: no memory for a list of %zu lines", name, lines);
    const size_t n = divide(frame, by_row, kept, dropped);
    ws_frame *clean = NULL;
    int rc = WS_OK;
    if (n == 0 && lines)
        rc = ws_fail(WS_EINPUT, "%s: every %s holds a missing or infinite value; nothing would be left", name,
                     by_row ? "row" : "column");
    if (rc == WS_OK)
        rc = by_row ? ws_frame_pick_rows(frame, kept, n, &clean) : ws_frame_pick_columns(frame, kept, n, &clean);
    if (rc == WS_OK)
        rc = by_row ? note_rows(clean, "dropped for missing values", frame, dropped, lines - n)
                    : ws_frame_note_columns(clean, "dropped for missing values", frame, dropped, lines - n);
    free(kept);
    return ws_frame_give(rc, clean, out);
}
