/* claims_page.c - tables between marks of pages: put there, and counted. */
#include "cli/claims/claims_page.h"

#include "base/input.h"
#include "base/output.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int ws_claims_page_read(const char *path, ws_claims_page *out)
{
    static const ws_input input = {.what = "a page (Markdown)", .most_bytes = 16 << 20, .source = WS_INPUT_FILES};
    *out = (ws_claims_page){.path = path};
    return ws_input_read(path, &input, &out->text, &out->length);
}

void ws_claims_page_fini(ws_claims_page *page)
{
    free(page->text);
    page->text = NULL;
}

/* ------------------------------------------------------------------------------------------------ marks */

static const char mark[] = "<!-- ";

/* The line that begins with "<!-- NAME: WORD", from `at` on; its end is *behind. */
static const char *find_mark(const char *at, const char *name, const char *word, const char **behind)
{
    const size_t n = strlen(name), m = strlen(word);
    while (at) {
        if (!strncmp(at, mark, sizeof mark - 1)) {
            const char *const text = at + sizeof mark - 1;
            if (!strncmp(text, name, n) && !strncmp(text + n, ": ", 2) && !strncmp(text + n + 2, word, m)) {
                const char *const feed = strchr(at, '\n');
                *behind = feed ? feed + 1 : at + strlen(at);
                return at;
            }
        }
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return NULL;
}

static int line_of(const ws_claims_page *page, const char *at)
{
    int line = 1;
    for (const char *p = page->text; p < at; p++)
        line += *p == '\n';
    return line;
}

/* What stands between the marks of that name; *from is NULL if there are none. */
static int find_part(const ws_claims_page *page, const char *name, const char **from, const char **to)
{
    const char *behind;
    const char *const begin = find_mark(page->text, name, "begin", from);
    if (!begin)
        *from = NULL;
    *to = begin ? find_mark(*from, name, "end", &behind) : NULL;
    return !begin || *to ? WS_OK
                         : ws_fail(WS_EINPUT, "%s:%d: no line `<!-- %s: end -->' follows", page->path,
                                   line_of(page, begin), name);
}

int ws_claims_page_put(ws_claims_page *page, const char *name, const char *text, size_t length, bool *was_there)
{
    const char *from, *to;
    const int status = find_part(page, name, &from, &to);
    *was_there = from;
    if (status || !from)
        return status;
    const size_t before = (size_t)(from - page->text), after = page->length - (size_t)(to - page->text);
    if ((size_t)(to - from) == length && !memcmp(from, text, length))
        return WS_OK;
    char *const whole = malloc(before + length + after + 1);
    if (!whole)
        return ws_fail(WS_EMEM, "%s: no memory for the page", page->path);
    memcpy(whole, page->text, before);
    memcpy(whole + before, text, length);
    memcpy(whole + before + length, to, after + 1);
    free(page->text);
    page->text = whole;
    page->length = before + length + after;
    page->is_changed = true;
    return WS_OK;
}

int ws_claims_page_write(const ws_claims_page *page)
{
    if (!page->is_changed)
        return WS_OK;
    ws_output out;
    int status = ws_output_open(&out, page->path);
    if (status)
        return status;
    fwrite(page->text, 1, page->length, out.stream);
    return ws_output_close(&out, WS_OK);
}

static bool has_line(const char *from, const char *to, const char *line, size_t length)
{
    for (const char *at = from; at < to; at = strchr(at, '\n') + 1)
        if (!strncmp(at, line, length) && at[length] == '\n')
            return true;
    return false;
}

int ws_claims_page_has(const ws_claims_page *page, const char *name, const char *text, bool *was_there)
{
    enum { HEAD = 2 };
    const char *from, *to;
    const int status = find_part(page, name, &from, &to);
    *was_there = from;
    if (status || !from)
        return status;
    size_t lines = 0;
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        if (lines++ >= HEAD && !has_line(from, to, text, length))
            return ws_fail(WS_EINPUT, "%s:%d: the table %s has no such line: %.*s", page->path, line_of(page, from) - 1,
                           name, (int)length, text);
    }
    return lines > HEAD ? WS_OK : ws_fail(WS_EINPUT, "the table %s has no rows to look for", name);
}

/* ------------------------------------------------------------------------------------------------ counts */

enum { COUNT_CLAIMS, COUNT_SIZE, COUNT_DIRECTION, COUNT_NO, COUNT_UNJUDGED, COUNTS };
static const char *const heads[COUNTS] = {"claims", "size", "direction", "no", "not judged"};

int ws_claims_counts_begin(ws_frame **counts)
{
    static const ws_frame_column columns[COUNTS] = {
        {"claims", ""}, {"size", ""}, {"direction", ""}, {"no", ""}, {"not_judged", ""}};
    static const ws_frame_layout layout = {.labels = {"study"}, .column = columns, .columns = COUNTS};
    return ws_frame_begin(&layout, counts);
}

/* The cell number `n` of a row; bars behind a backslash are text. */
static const char *cell_at(const char *line, size_t n, size_t *length)
{
    const char *at = line + 1;
    for (;; at++) {
        const char *const from = at + strspn(at, " ");
        for (at = from; *at && *at != '\n' && *at != '|'; at++)
            at += *at == '\\' && at[1] && at[1] != '\n';
        const char *end = at;
        if (*at != '|')
            return NULL;
        if (!n--) {
            while (end > from && end[-1] == ' ')
                end--;
            *length = (size_t)(end - from);
            return from;
        }
    }
}

static bool cell_is(const char *cell, size_t length, const char *word)
{
    return length == strlen(word) && !strncmp(cell, word, length);
}

/* Which column of the head has that name; -1: none. */
static long find_column(const char *head, const char *name)
{
    size_t length;
    const char *cell;
    for (size_t n = 0; *head == '|' && (cell = cell_at(head, n, &length)); n++)
        if (cell_is(cell, length, name))
            return (long)n;
    return -1;
}

static int count_table(const ws_claims_page *page, const char *study, const char *from, const char *to,
                       ws_frame *counts)
{
    const long verdict = find_column(from, "verdict");
    double value[COUNTS] = {0};
    if (verdict < 0)
        return ws_fail(WS_EINPUT, "%s:%d: expected the head of a table of claims, with a column `verdict'", page->path,
                       line_of(page, from));
    int skipped = 0; /* the head, and the rule below it */
    for (const char *line = from; line < to; line = strchr(line, '\n') + 1) {
        size_t length;
        const char *const cell = *line == '|' && ++skipped > 2 ? cell_at(line, (size_t)verdict, &length) : NULL;
        if (!cell)
            continue;
        if (cell_is(cell, length, "yes"))
            return ws_fail(WS_EINPUT,
                           "%s:%d: `yes' is not a verdict; expected size, direction, no, or the reason for having none",
                           page->path, line_of(page, line));
        size_t kind = COUNT_SIZE;
        while (kind < COUNT_UNJUDGED && !cell_is(cell, length, heads[kind]))
            kind++;
        value[kind]++;
        value[COUNT_CLAIMS]++;
    }
    return ws_frame_add_row(counts, &study, value);
}

/* What is done with a table "STUDY NAME" of a page. */
typedef int each_table(const ws_claims_page *page, const char *study, const char *from, const char *to, ws_frame *sum);

static int each_table_of(const ws_claims_page *page, const char *name, each_table *take, ws_frame *sum)
{
    char *begin;
    if (asprintf(&begin, " %s: begin", name) < 0)
        return ws_fail(WS_EMEM, "no memory for a table");
    int status = WS_OK;
    for (const char *at = page->text; at && !status; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        const char *const feed = strchr(at, '\n');
        const char *const found = strncmp(at, mark, sizeof mark - 1) ? NULL : strstr(at, begin);
        if (!found || !feed || found > feed)
            continue;
        const char *const words = at + sizeof mark - 1;
        char *const study = strndup(words, (size_t)(found - words));
        char *whole = NULL;
        const char *behind;
        if (!study || asprintf(&whole, "%s %s", study, name) < 0)
            status = ws_fail(WS_EMEM, "no memory for a table");
        const char *const to = status ? NULL : find_mark(feed + 1, whole, "end", &behind);
        if (!status && !to)
            status =
                ws_fail(WS_EINPUT, "%s:%d: no line `<!-- %s: end -->' follows", page->path, line_of(page, at), whole);
        if (!status)
            status = take(page, study, feed + 1, to, sum);
        free(study);
        free(whole);
    }
    free(begin);
    return status;
}

int ws_claims_page_count(const ws_claims_page *page, ws_frame *counts)
{
    return each_table_of(page, "claims", count_table, counts);
}

static void put_counts(FILE *out, const char *study, const double *value)
{
    fprintf(out, "| %s |", study);
    for (size_t i = 0; i < COUNTS; i++)
        fprintf(out, " %.0f |", value[i]);
    fputc('\n', out);
}

void ws_claims_counts_write(const ws_frame *counts, FILE *out)
{
    double sum[COUNTS] = {0};
    fputs("| study |", out);
    for (size_t i = 0; i < COUNTS; i++)
        fprintf(out, " %s |", heads[i]);
    fputs("\n| --- |", out);
    for (size_t i = 0; i < COUNTS; i++)
        fputs(" --- |", out);
    fputc('\n', out);
    for (size_t r = 0; r < counts->rows; r++) {
        put_counts(out, counts->label[r * counts->labels], counts->value + r * COUNTS);
        for (size_t i = 0; i < COUNTS; i++)
            sum[i] += counts->value[r * COUNTS + i];
    }
    put_counts(out, "all", sum);
}

/* ------------------------------------------------------------------------------------------------ gathered */

enum { GATHERED_STUDY, GATHERED_ROW, GATHERED_THEIRS, GATHERED_OURS, GATHERED_LABELS };

int ws_claims_gather_begin(ws_frame **gathered)
{
    static const ws_frame_column columns[] = {{"theirs_value", ""}, {"ours_value", ""}};
    static const ws_frame_layout layout = {
        .labels = {"study", "row", "theirs", "ours"}, .column = columns, .columns = sizeof columns / sizeof *columns};
    return ws_frame_begin(&layout, gathered);
}

/* The first number of a text that stands alone or behind a sign; NaN: none. */
static double first_number(const char *text)
{
    for (const char *at = text; *at && *at != '('; at++) {
        const bool begins = at == text || strchr(" \t,+-", at[-1]);
        char *end;
        const double value = begins && strchr("+-0123456789", *at) ? strtod(at, &end) : NAN;
        if (!isnan(value) && end > at && strchr(" ,%", *end)) /* or its end; 64H is none */
            return value;
    }
    return NAN;
}

static int gather_table(const ws_claims_page *page, const char *study, const char *from, const char *to,
                        ws_frame *gathered)
{
    const long theirs = find_column(from, "theirs"), ours = find_column(from, "ours");
    int status = WS_OK, skipped = 0; /* the head, and the rule below it */
    if (from < to && (theirs < 0 || ours < 0))
        return ws_fail(WS_EINPUT, "%s:%d: expected the head of a table with columns `theirs' and `ours'", page->path,
                       line_of(page, from));
    for (const char *line = from; line < to && !status; line = strchr(line, '\n') + 1) {
        const long column[] = {0, theirs, ours};
        char *label[GATHERED_LABELS] = {[GATHERED_STUDY] = strdup(study)};
        if (*line != '|' || ++skipped <= 2) {
            free(label[GATHERED_STUDY]);
            continue;
        }
        for (size_t i = 0; i < sizeof column / sizeof *column && !status; i++) {
            size_t length;
            const char *const cell = cell_at(line, (size_t)column[i], &length);
            if (!cell)
                status = ws_fail(WS_EINPUT, "%s:%d: too few columns", page->path, line_of(page, line));
            else if (!(label[GATHERED_ROW + i] = strndup(cell, length)))
                status = ws_fail(WS_EMEM, "no memory for a table");
        }
        if (!status)
            status = ws_frame_add_row(
                gathered, (const char *const *)label,
                (const double[]){first_number(label[GATHERED_THEIRS]), first_number(label[GATHERED_OURS])});
        for (size_t i = 0; i < GATHERED_LABELS; i++)
            free(label[i]);
    }
    return status;
}

int ws_claims_page_gather(const ws_claims_page *page, const char *name, ws_frame *gathered)
{
    return each_table_of(page, name, gather_table, gathered);
}
