/* difference.c - see difference.h. */
#include "cli/diff/difference.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ws_verdict_words[WS_VERDICTS] = {"", "better", "worse"};

/* ------------------------------------------------------------------------------------------------ which is better */

typedef enum direction { UNKNOWN, LESS, MORE } direction;

static direction direction_of(const char *column)
{
    static const struct {
        const char *column;
        direction better;
    } table[] = {
#define DIRECTION(column, better) {#column, better},
#include "cli/diff/directions.def"
#undef DIRECTION
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].column, column))
            return table[i].better;
    return UNKNOWN;
}

static ws_verdict judge(direction better, double a, double b)
{
    if (better == UNKNOWN || isnan(a) || isnan(b) || !(a < b || b < a))
        return WS_VERDICT_NEITHER;
    return (b < a) == (better == LESS) ? WS_VERDICT_BETTER : WS_VERDICT_WORSE;
}

/* ------------------------------------------------------------------------------------------------ rows */

static bool has_one_value(const ws_frame *f, size_t label)
{
    for (size_t i = 1; i < f->rows; i++)
        if (strcmp(f->label[i * f->labels + label], f->label[label]))
            return false;
    return true;
}

/* The labels of a by which rows are matched, and the same of b; how many. */
static size_t common_labels(const ws_frame *a, const ws_frame *b, size_t *in_a, size_t *in_b)
{
    size_t n = 0;
    for (size_t l = 0; l < a->labels; l++) {
        const char *const name = a->label_names[l];
        const long other = ws_frame_find_label(b, name);
        const bool is_workload = !strcmp(name, "workload");
        if (other < 0 || !ws_frame_label_names(a, l) || !strcmp(name, "ended"))
            continue;
        if (is_workload && a->labels > 1 && has_one_value(a, l) && has_one_value(b, (size_t)other))
            continue;
        in_a[n] = l;
        in_b[n++] = (size_t)other;
    }
    return n;
}

static char *row_name(const ws_frame *f, size_t row, const size_t *label, size_t n)
{
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i ? "/" : "", f->label[row * f->labels + label[i]]);
    return fclose(out) ? NULL : text;
}

static char **row_names(const ws_frame *f, const size_t *label, size_t n)
{
    char **const name = calloc(f->rows + 1, sizeof *name);
    bool whole = name != NULL;
    for (size_t i = 0; i < f->rows && whole; i++) {
        name[i] = row_name(f, i, label, n);
        whole = name[i] != NULL;
    }
    if (!whole && name)
        for (size_t i = 0; i < f->rows; i++)
            free(name[i]);
    if (!whole)
        free(name);
    return whole ? name : NULL;
}

/* Takes names[i] out of the list. */
static char *take(char **names, size_t i)
{
    char *const name = names[i];
    names[i] = NULL;
    return name;
}

static void match(ws_difference *d, char **a, char **b)
{
    size_t next = 0; /* mostly rows of both are in the same order */
    for (size_t i = 0; i < d->a->rows; i++) {
        size_t k = next, tried = 0;
        for (; tried < d->b->rows; tried++, k = k + 1 < d->b->rows ? k + 1 : 0)
            if (k < d->b->rows && b[k] && !strcmp(a[i], b[k]))
                break;
        if (tried < d->b->rows) {
            next = k + 1 < d->b->rows ? k + 1 : 0;
            free(take(b, k));
            d->pair[d->pairs++] = (ws_row_pair){.a = i, .b = k, .name = take(a, i)};
        } else {
            d->only_a[d->only_as++] = take(a, i);
        }
    }
    for (size_t k = 0; k < d->b->rows; k++)
        if (b[k])
            d->only_b[d->only_bs++] = take(b, k);
}

static int match_rows(ws_difference *d)
{
    size_t *const in_a = calloc(d->a->labels + 1, sizeof *in_a), *const in_b = calloc(d->a->labels + 1, sizeof *in_b);
    const size_t n = in_a && in_b ? common_labels(d->a, d->b, in_a, in_b) : 0;
    char **const a = n ? row_names(d->a, in_a, n) : NULL, **const b = n ? row_names(d->b, in_b, n) : NULL;
    d->pair = calloc(d->a->rows + 1, sizeof *d->pair);
    d->only_a = calloc(d->a->rows + 1, sizeof *d->only_a);
    d->only_b = calloc(d->b->rows + 1, sizeof *d->only_b);
    const bool room = in_a && in_b && (a || !n) && (b || !n) && d->pair && d->only_a && d->only_b;
    if (room && n)
        match(d, a, b);
    free(in_a);
    free(in_b);
    free(a);
    free(b);
    if (!room)
        return ws_fail(WS_EMEM, "out of memory");
    return n ? WS_OK : ws_fail(WS_EINPUT, "the two frames have no common label to match rows by");
}

/* ------------------------------------------------------------------------------------------------ columns */

static ws_change compare(size_t pair, size_t column, direction better, double a, double b)
{
    const double most = fmax(fabs(a), fabs(b)), apart = fabs(b - a);
    ws_change c = {.pair = pair, .column = column, .a = a, .b = b, .change = NAN, .verdict = judge(better, a, b)};
    if (!isnan(a) && !isnan(b)) {
        c.effect = most > 0 ? apart / most : 0;
        c.change = fabs(a) > 0 ? (b - a) / fabs(a) : apart > 0 ? copysign(INFINITY, b - a) : 0;
    } else {
        c.effect = isnan(a) != isnan(b);
    }
    return c;
}

static int by_effect(const void *a, const void *b)
{
    const ws_change *const x = a, *const y = b;
    if (x->pair != y->pair)
        return x->pair < y->pair ? -1 : 1;
    const bool judged = x->verdict != WS_VERDICT_NEITHER;
    if (judged != (y->verdict != WS_VERDICT_NEITHER)) /* what is better or worse before what is just different */
        return judged ? -1 : 1;
    return x->effect != y->effect  ? (x->effect < y->effect ? 1 : -1)
           : x->column < y->column ? -1
                                   : x->column > y->column;
}

static int compare_columns(ws_difference *d)
{
    d->change = calloc(d->pairs * d->a->columns + 1, sizeof *d->change);
    if (!d->change)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t c = 0; c < d->a->columns; c++) {
        const long other = ws_frame_find_column(d->b, d->a->column[c].name);
        const direction better = direction_of(d->a->column[c].name);
        for (size_t p = 0; p < d->pairs && other >= 0; p++)
            d->change[d->changes++] = compare(p, c, better, d->a->value[d->pair[p].a * d->a->columns + c],
                                              d->b->value[d->pair[p].b * d->b->columns + (size_t)other]);
    }
    qsort(d->change, d->changes, sizeof *d->change, by_effect);
    return WS_OK;
}

int ws_difference_make(const ws_frame *a, const ws_frame *b, ws_difference *d)
{
    *d = (ws_difference){.a = a, .b = b};
    int status = match_rows(d);
    if (!status && !d->pairs)
        status =
            ws_fail(WS_ENOTFOUND, "no kernel is in both: %s%s and %s%s", d->only_as ? d->only_a[0] : "none",
                    d->only_as > 1 ? " ..." : "", d->only_bs ? d->only_b[0] : "none", d->only_bs > 1 ? " ..." : "");
    return status ? status : compare_columns(d);
}

void ws_difference_fini(ws_difference *d)
{
    for (size_t i = 0; i < d->pairs; i++)
        free(d->pair[i].name);
    for (size_t i = 0; i < d->only_as; i++)
        free(d->only_a[i]);
    for (size_t i = 0; i < d->only_bs; i++)
        free(d->only_b[i]);
    free(d->pair);
    free(d->only_a);
    free(d->only_b);
    free(d->change);
    *d = (ws_difference){0};
}

/* ------------------------------------------------------------------------------------------------ notes */

/* How rows came about: notes of these keys, without the name of the workload. */
static const char *about(const char *note)
{
    static const char *const keys[] = {"run: ", "machine: ", "tool: "};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strncmp(note, keys[i], strlen(keys[i]))) {
            const char *const rest = note + strlen(keys[i]), *const blank = i ? NULL : strchr(rest, ' ');
            return blank ? blank + 1 : rest;
        }
    return NULL;
}

static bool says(const ws_frame *f, const char *what)
{
    for (size_t i = 0; i < f->notes; i++) {
        const char *const said = about(f->note[i]);
        if (said && !strcmp(said, what))
            return true;
    }
    return false;
}

/* What the only run of a frame is of; NULL: there is another number of them. */
static const char *only_run(const ws_frame *f)
{
    const char *only = NULL;
    for (size_t i = 0; i < f->notes; i++)
        if (!strncmp(f->note[i], "run: ", 5)) {
            if (only)
                return NULL;
            only = about(f->note[i]);
        }
    return only;
}

/* "seed=1" of "seed=1 command=./app 1"; a command goes to the end. */
static size_t word_length(const char *at)
{
    static const char command[] = "command=";
    return strncmp(at, command, sizeof command - 1) ? strcspn(at, " ") : strlen(at);
}

static bool has_word(const char *text, const char *word, size_t length)
{
    for (size_t n; *text; text += n + (text[n] == ' ')) {
        n = word_length(text);
        if (n == length && !strncmp(text, word, n))
            return true;
    }
    return false;
}

/* "# only A is of: " and the words that the other does not have; both are of one run. */
static void print_words(const char *said, const char *other, char side, FILE *out)
{
    bool any = false;
    for (size_t n; *said; said += n + (said[n] == ' ')) {
        n = word_length(said);
        if (has_word(other, said, n))
            continue;
        if (!any)
            fprintf(out, "# only %c is of:", side);
        fprintf(out, " %.*s", (int)n, said);
        any = true;
    }
    if (any)
        fputc('\n', out);
}

static size_t print_notes(const ws_frame *f, const ws_frame *other, char side, FILE *out)
{
    const char *const run = only_run(f), *const other_run = only_run(other);
    size_t n = 0;
    for (size_t i = 0; i < f->notes; i++) {
        const char *const said = about(f->note[i]);
        if (!said || says(other, said))
            continue;
        if (said == run && other_run)
            print_words(said, other_run, side, out);
        else
            fprintf(out, "# only %c is of: %s\n", side, said);
        n++;
    }
    return n;
}

typedef struct input {
    const char *text; /* NULL: not known */
    int length;
} input;

/* What the only run of a frame had for input: a program's arguments (with what stands behind a blank in its path), or
 * scale and seed of a built-in workload. */
static input input_of(const ws_frame *f)
{
    static const char run[] = "run: ", program[] = " command=warpscape run -- ", none[] = "no arguments";
    const char *only = NULL;
    for (size_t i = 0; i < f->notes; i++)
        if (!strncmp(f->note[i], run, sizeof run - 1)) {
            if (only)
                return (input){0};
            only = about(f->note[i]);
        }
    const char *const end = only ? strstr(only, " version=") : NULL, *const command =
                                                                         only ? strstr(only, program) : NULL;
    if (!command)
        return end ? (input){only, (int)(end - only)} : (input){0};
    const char *const blank = strchr(command + sizeof program - 1, ' ');
    return blank ? (input){blank + 1, (int)strlen(blank + 1)} : (input){none, sizeof none - 1};
}

static size_t print_inputs(input a, input b, FILE *out)
{
    if (!a.text || !b.text || (a.length == b.length && !memcmp(a.text, b.text, (size_t)a.length)))
        return 0;
    fprintf(out, "# other inputs (A: %.*s; B: %.*s): changes due to the input do not reflect the code\n", a.length,
            a.text, b.length, b.text);
    return 1;
}

size_t ws_difference_notes(const ws_frame *a, const ws_frame *b, FILE *out)
{
    const size_t n = print_notes(a, b, 'A', out) + print_notes(b, a, 'B', out);
    return n + print_inputs(input_of(a), input_of(b), out);
}
