/* launch_list.c - reads lists of launches: see launch_list.h. */
#include "model/sample/launch_list.h"

#include "base/frame.h"
#include "base/input.h"
#include "base/status.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_number = 9007199254740992; /* 2^53: a number that a double holds exactly */

struct ws_launch_list {
    char *file;
    ws_frame *frame; /* has the texts */
    size_t *line;    /* [rows] */
    ws_listed_launch *item;
    size_t items;
};

/* A column, wherever it stands. */
typedef struct place {
    long label, column; /* -1: not there */
} place;

static place find(const ws_frame *frame, const char *name)
{
    place p = {.label = -1, .column = ws_frame_find_column(frame, name)};
    for (size_t l = 0; l < frame->labels; l++)
        if (!strcmp(frame->label_names[l], name))
            p.label = (long)l;
    return p;
}

static bool is_there(place p)
{
    return p.label >= 0 || p.column >= 0;
}

static int refuse(const ws_launch_list *list, size_t row, const char *expected)
{
    return ws_fail(WS_EINPUT, "%s:%zu: %s", list->file, list->line[row], expected);
}

/* NaN where nothing stands. */
static bool read_number(const ws_frame *f, place p, size_t row, double *value)
{
    char *end;
    if (p.column >= 0) {
        *value = f->value[row * f->columns + (size_t)p.column];
        return true;
    }
    *value = NAN;
    if (p.label < 0)
        return true;
    const char *const text = f->label[row * f->labels + (size_t)p.label];
    if (!*text || !strcmp(text, "NA"))
        return true;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && !*end && !errno;
}

static const char *text_of(const ws_frame *f, place p, size_t row)
{
    return p.label >= 0 ? f->label[row * f->labels + (size_t)p.label] : "";
}

typedef struct places {
    place workload, kernel, launch, weight, stratum, launches, spread;
} places;

static int read_row(ws_launch_list *list, const places *at, size_t row)
{
    const ws_frame *const f = list->frame;
    ws_listed_launch *const l = &list->item[row];
    double number;
    *l = (ws_listed_launch){
        .workload = text_of(f, at->workload, row), .kernel = text_of(f, at->kernel, row), .line = list->line[row]};
    if (!read_number(f, at->launch, row, &number) || !(number >= 1 && number < most_number) || number != floor(number))
        return refuse(list, row, "expected the number of a launch, a whole number from 1 on, in column 'launch'");
    l->number = (uint64_t)number;
    if (!read_number(f, at->weight, row, &l->weight) || !(l->weight > 0) || !isfinite(l->weight))
        return refuse(list, row,
                      "expected the number of launches that this one represents, above 0, in column 'weight'");
    if (!read_number(f, at->stratum, row, &l->stratum) || isinf(l->stratum))
        return refuse(list, row, "expected a number, or NA, in column 'stratum'");
    if (!read_number(f, at->launches, row, &l->launches) || isinf(l->launches) || l->launches < 1)
        return refuse(list, row, "expected the number of launches of the stratum, from 1, or NA, in column 'launches'");
    if (!read_number(f, at->spread, row, &l->spread) || isinf(l->spread) || l->spread < 0)
        return refuse(list, row, "expected a coefficient of variation, a number from 0 on, or NA, in column 'spread'");
    return WS_OK;
}

static int compare(const void *a, const void *b)
{
    const ws_listed_launch *const x = a, *const y = b;
    const int order = strcmp(x->workload, y->workload);
    return order                    ? order
           : x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                    : (x->line > y->line) - (x->line < y->line);
}

static int check_twice(const ws_launch_list *list)
{
    for (size_t i = 1; i < list->items; i++) {
        const ws_listed_launch *const a = &list->item[i - 1], *const b = &list->item[i];
        if (!strcmp(a->workload, b->workload) && a->number == b->number)
            return ws_fail(WS_EINPUT, "%s:%zu: launch %llu of %.80s is listed again; the first time in line %zu",
                           list->file, b->line, (unsigned long long)b->number, b->workload, a->line);
    }
    return WS_OK;
}

/* A stratum has as many launches in each of its rows, and no less than are listed. */
static int compare_strata(const void *a, const void *b)
{
    const ws_listed_launch *const x = *(const ws_listed_launch *const *)a, *const y =
                                                                               *(const ws_listed_launch *const *)b;
    const int order = strcmp(x->workload, y->workload);
    return order                      ? order
           : x->stratum != y->stratum ? (x->stratum > y->stratum ? 1 : -1)
                                      : (x->number > y->number) - (x->number < y->number);
}

static int check_stratum(const ws_launch_list *list, const ws_listed_launch *const *item, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(isnan(item[i]->launches) ? isnan(item[0]->launches) : item[i]->launches == item[0]->launches))
            return ws_fail(WS_EINPUT, "%s:%zu: stratum %g has %g launches here and %g in line %zu; expected one number",
                           list->file, item[i]->line, item[i]->stratum, item[i]->launches, item[0]->launches,
                           item[0]->line);
        if (item[i]->launches < (double)n)
            return ws_fail(WS_EINPUT, "%s:%zu: stratum %g is to have %g launches, but %zu of them are listed",
                           list->file, item[i]->line, item[i]->stratum, item[i]->launches, n);
    }
    return WS_OK;
}

static int check_strata(const ws_launch_list *list)
{
    const ws_listed_launch **const item = malloc((list->items + 1) * sizeof *item);
    size_t n = 0;
    int status = item ? WS_OK : ws_fail(WS_EMEM, "%s: no memory for a list of launches", list->file);
    for (size_t i = 0; i < list->items && !status; i++)
        if (!isnan(list->item[i].stratum))
            item[n++] = &list->item[i];
    if (n)
        qsort(item, n, sizeof *item, compare_strata);
    for (size_t begin = 0, end; begin < n && !status; begin = end) {
        for (end = begin + 1; end < n && item[end]->stratum == item[begin]->stratum &&
                              !strcmp(item[end]->workload, item[begin]->workload);
             end++)
            ;
        status = check_stratum(list, item + begin, end - begin);
    }
    free(item);
    return status;
}

static int take(ws_launch_list *list)
{
    const ws_frame *const f = list->frame;
    const place mangled = find(f, WS_FRAME_MANGLED);
    const places at = {find(f, "workload"), mangled,          find(f, "launch"), find(f, "weight"), find(f, "stratum"),
                       find(f, "launches"), find(f, "spread")};
    if (at.workload.label < 0 || !is_there(at.launch) || !is_there(at.weight))
        return ws_fail(WS_EINPUT,
                       "%s: expected a list of launches, with the columns workload (a text), launch and weight; "
                       "`warpscape sample` writes one",
                       list->file);
    if (!f->rows)
        return ws_fail(WS_EINPUT, "%s: the list has no launches", list->file);
    list->item = calloc(f->rows, sizeof *list->item);
    int status = list->item ? WS_OK : ws_fail(WS_EMEM, "%s: no memory for a list of launches", list->file);
    for (size_t i = 0; i < f->rows && !status; i++)
        status = read_row(list, &at, i);
    if (status)
        return status;
    list->items = f->rows;
    qsort(list->item, list->items, sizeof *list->item, compare);
    status = check_twice(list);
    return status ? status : check_strata(list);
}

int ws_launch_list_read(FILE *in, const char *name, ws_launch_list **out)
{
    ws_launch_list *const list = calloc(1, sizeof *list);
    if (!list)
        return ws_fail(WS_EMEM, "%s: no memory for a list of launches", name);
    list->file = strdup(name);
    int status = list->file ? ws_frame_read_lines(in, name, &list->frame, &list->line)
                            : ws_fail(WS_EMEM, "%s: no memory for a list of launches", name);
    if (!status)
        status = take(list);
    if (status)
        ws_launch_list_destroy(list);
    else
        *out = list;
    return status;
}

int ws_launch_list_load(const char *path, ws_launch_list **out)
{
    if (!strcmp(path, "-"))
        return ws_launch_list_read(stdin, "stdin", out);
    FILE *in;
    int status = ws_input_open_stream(path, &ws_frame_input, &in);
    if (!status) {
        status = ws_launch_list_read(in, path, out);
        fclose(in);
    }
    return status;
}

void ws_launch_list_destroy(ws_launch_list *list)
{
    if (!list)
        return;
    ws_frame_destroy(list->frame);
    free(list->line);
    free(list->item);
    free(list->file);
    free(list);
}

const char *ws_launch_list_file(const ws_launch_list *list)
{
    return list->file;
}

static int refuse_workload(const ws_launch_list *list, const char *workload)
{
    char has[200] = "";
    for (size_t i = 0; i < list->items; i++) {
        const size_t used = strlen(has);
        if ((!i || strcmp(list->item[i].workload, list->item[i - 1].workload)) && used < sizeof has - 1)
            snprintf(has + used, sizeof has - used, "%s%.40s", used ? ", " : "", list->item[i].workload);
    }
    return ws_fail(WS_ENOTFOUND, "%s: lists no launches of %.80s; it lists those of %s", list->file, workload, has);
}

int ws_launch_list_of(const ws_launch_list *list, const char *workload, const ws_listed_launch **first, size_t *n)
{
    size_t begin = 0, end;
    while (begin < list->items && strcmp(list->item[begin].workload, workload))
        begin++;
    for (end = begin; end < list->items && !strcmp(list->item[end].workload, workload); end++)
        ;
    *first = list->item + begin;
    *n = end - begin;
    return *n ? WS_OK : refuse_workload(list, workload);
}

size_t ws_listed_find(const ws_listed_launch *first, size_t n, uint64_t number)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (first[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && first[low].number == number ? low : n;
}
