/* cube_functions.c - the functions of expressions: statistics along axes, functions of each cell, texts. */
#include "base/cube/cube_functions.h"

#include "base/cube/cube_internal.h"
#include "base/spread.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ statistics */

/* Numbers of a group; NULL when memory is short. */
static double *numbers_of(const ws_reduction *r, size_t which)
{
    double *const x = ws_arena_alloc(r->work->arena, (r->n + 1) * sizeof *x);
    for (size_t i = 0; x && i < r->n; i++)
        x[i] = r->group[which][i]->number;
    return x;
}

static bool give(double number, ws_cell *to)
{
    *to = (ws_cell){.number = number};
    return isfinite(number);
}

static double sum_of(const ws_reduction *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->n; i++)
        sum += r->group[0][i]->number;
    return sum;
}

static bool reduce_mean(const ws_reduction *r, ws_cell *to)
{
    return r->n && give(sum_of(r) / (double)r->n, to);
}

static bool reduce_geomean(const ws_reduction *r, ws_cell *to)
{
    double sum = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (!(r->group[0][i]->number > 0))
            return false;
        sum += log(r->group[0][i]->number);
    }
    return r->n && give(exp(sum / (double)r->n), to);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool reduce_median(const ws_reduction *r, ws_cell *to)
{
    double *const x = numbers_of(r, 0);
    if (!x || !r->n)
        return false;
    qsort(x, r->n, sizeof *x, compare);
    return give((x[(r->n - 1) / 2] + x[r->n / 2]) / 2, to);
}

static bool reduce_deviation(const ws_reduction *r, ws_cell *to)
{
    const double mean = r->n ? sum_of(r) / (double)r->n : 0;
    double sum = 0;
    for (size_t i = 0; i < r->n; i++)
        sum += (r->group[0][i]->number - mean) * (r->group[0][i]->number - mean);
    return r->n && give(sqrt(sum / (double)r->n), to);
}

static bool reduce_sum(const ws_reduction *r, ws_cell *to)
{
    return give(sum_of(r), to);
}

/* The first of the least, or with a sign of -1 the greatest; r->n is not 0. */
static size_t extreme(const ws_reduction *r, double sign)
{
    size_t best = 0;
    for (size_t i = 1; i < r->n; i++)
        if (sign * r->group[0][i]->number < sign * r->group[0][best]->number)
            best = i;
    return best;
}

static bool reduce_min(const ws_reduction *r, ws_cell *to)
{
    return r->n && give(r->group[0][extreme(r, 1)]->number, to);
}

static bool reduce_max(const ws_reduction *r, ws_cell *to)
{
    return r->n && give(r->group[0][extreme(r, -1)]->number, to);
}

static bool reduce_size(const ws_reduction *r, ws_cell *to)
{
    return give((double)r->n, to);
}

#define reduce_count reduce_sum

static bool reduce_all(const ws_reduction *r, ws_cell *to)
{
    return r->n && give(sum_of(r) == (double)r->n, to);
}

static bool reduce_any(const ws_reduction *r, ws_cell *to)
{
    return r->n && give(sum_of(r) > 0, to);
}

/* The labels of a cell on the axes that go, with blanks between them. */
static const char *label_of(const ws_reduction *r, size_t i, const ws_cube_call *call)
{
    const ws_cube *const cube = r->of[0];
    const char *part[WS_AXES_MOST];
    size_t bytes = 1;
    for (size_t k = 0; k < r->overs; k++) {
        const ws_axis *const axis = &cube->axis[r->over[k]];
        part[k] = axis->label[r->at[i] / ws_cube_step(cube, r->over[k]) % axis->labels];
        if (call)
            part[k] = call->shown(call->names, axis->name, part[k]);
        bytes += strlen(part[k]) + 1;
    }
    if (r->overs == 1)
        return part[0];
    char *const text = ws_arena_alloc(r->work->arena, bytes), *at = text;
    for (size_t k = 0; text && k < r->overs; k++) {
        if (k)
            *at++ = ' ';
        at = stpcpy(at, part[k]);
    }
    return text;
}

static bool give_label(const ws_reduction *r, double sign, ws_cell *to)
{
    *to = (ws_cell){.text = r->n ? label_of(r, extreme(r, sign), NULL) : NULL};
    return to->text;
}

static bool reduce_argmin(const ws_reduction *r, ws_cell *to)
{
    return give_label(r, 1, to);
}

static bool reduce_argmax(const ws_reduction *r, ws_cell *to)
{
    return give_label(r, -1, to);
}

/* Correlation of x[n] and y[n], which are overwritten. */
static bool correlate(double *x, double *y, size_t n, ws_cell *to)
{
    enum { PAIRS_LEAST = 3 };
    if (n < PAIRS_LEAST || !ws_spread_unit(x, n, 1, x) || !ws_spread_unit(y, n, 1, y))
        return false;
    double product = 0;
    for (size_t i = 0; i < n; i++)
        product += x[i] * y[i];
    return give(fmin(fmax(product, -1), 1), to);
}

typedef struct ranked {
    double value;
    size_t at;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    return compare(&((const ranked *)a)->value, &((const ranked *)b)->value);
}

/* Values become their ranks; equal ones the mean of theirs (M. G. Kendall, Rank Correlation Methods, 1948). */
static bool rank_values(double *x, size_t n)
{
    ranked *const order = malloc((n + 1) * sizeof *order);
    if (!order)
        return false;
    for (size_t i = 0; i < n; i++)
        order[i] = (ranked){x[i], i};
    qsort(order, n, sizeof *order, compare_ranked);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && order[end].value == order[first].value;)
            end++;
        for (size_t i = first; i < end; i++)
            x[order[i].at] = (double)(first + 1 + end) / 2;
    }
    free(order);
    return true;
}

static bool reduce_pearson(const ws_reduction *r, ws_cell *to)
{
    double *const x = numbers_of(r, 0), *const y = numbers_of(r, 1);
    return x && y && correlate(x, y, r->n, to);
}

static bool reduce_spearman(const ws_reduction *r, ws_cell *to)
{
    double *const x = numbers_of(r, 0), *const y = numbers_of(r, 1);
    return x && y && rank_values(x, r->n) && rank_values(y, r->n) && correlate(x, y, r->n, to);
}

static int to_numbers(const ws_cube_call *call, size_t i, const ws_cube **out)
{
    return ws_cube_to_numbers(call->work, call->argument[i], out);
}

static int expect_condition(const ws_cube_call *call)
{
    return call->argument[0]->kind == WS_CUBE_CONDITIONS
               ? WS_OK
               : ws_fail(WS_EINPUT, "expected a condition, such as x > 0; %s is none (size counts values)",
                         call->argument[0]->name);
}

static int reduce_one(const ws_cube_call *call, const char *name, ws_cube_kind kind, ws_cube_reducer *reduce,
                      const ws_cube **out)
{
    const ws_cube *x;
    const int status = to_numbers(call, 0, &x);
    return status ? status : ws_cube_reduce(call->work, &x, 1, call->over, call->overs, kind, name, reduce, NULL, out);
}

#define REDUCTION(function) \
    static int call_##function(const ws_cube_call *call, const ws_cube **out) \
    { \
        return reduce_one(call, #function, WS_CUBE_NUMBERS, reduce_##function, out); \
    }
REDUCTION(mean)
REDUCTION(geomean)
REDUCTION(median)
REDUCTION(deviation)
REDUCTION(sum)
REDUCTION(min)
REDUCTION(max)

#define OF_CONDITIONS(function, kind) \
    static int call_##function(const ws_cube_call *call, const ws_cube **out) \
    { \
        const int status = expect_condition(call); \
        return status ? status : reduce_one(call, #function, kind, reduce_##function, out); \
    }
OF_CONDITIONS(count, WS_CUBE_NUMBERS)
OF_CONDITIONS(all, WS_CUBE_CONDITIONS)
OF_CONDITIONS(any, WS_CUBE_CONDITIONS)

/* Of texts as well. */
static int call_size(const ws_cube_call *call, const ws_cube **out)
{
    return ws_cube_reduce(call->work, call->argument, 1, call->over, call->overs, WS_CUBE_NUMBERS, "size", reduce_size,
                          NULL, out);
}

static int call_argmin(const ws_cube_call *call, const ws_cube **out)
{
    return reduce_one(call, "argmin", WS_CUBE_TEXTS, reduce_argmin, out);
}

static int call_argmax(const ws_cube_call *call, const ws_cube **out)
{
    return reduce_one(call, "argmax", WS_CUBE_TEXTS, reduce_argmax, out);
}

static int reduce_two(const ws_cube_call *call, const char *name, ws_cube_reducer *reduce, const ws_cube **out)
{
    const ws_cube *in[2], *same[2];
    int status = to_numbers(call, 0, &in[0]);
    if (!status)
        status = to_numbers(call, 1, &in[1]);
    if (!status)
        status = ws_cube_match(call->work, in, 2, same);
    return status
               ? status
               : ws_cube_reduce(call->work, same, 2, call->over, call->overs, WS_CUBE_NUMBERS, name, reduce, NULL, out);
}

static int call_pearson(const ws_cube_call *call, const ws_cube **out)
{
    return reduce_two(call, "pearson", reduce_pearson, out);
}

static int call_spearman(const ws_cube_call *call, const ws_cube **out)
{
    return reduce_two(call, "spearman", reduce_spearman, out);
}

/* ------------------------------------------------------------------------------------------------ along an axis */

static void rank_group(const ws_cube *cube, const size_t *at, size_t n, ws_cube *to)
{
    double *const x = malloc((n + 1) * sizeof *x);
    for (size_t i = 0; x && i < n; i++)
        x[i] = cube->cell[at[i]].number;
    const bool is_ranked = x && rank_values(x, n);
    for (size_t i = 0; i < n; i++)
        if (is_ranked)
            to->cell[at[i]] = (ws_cell){.number = x[i]};
        else
            ws_cube_empty(to, at[i]);
    free(x);
}

static int call_rank(const ws_cube_call *call, const ws_cube **out)
{
    const ws_cube *x;
    const int status = to_numbers(call, 0, &x);
    return status ? status : ws_cube_groups(call->work, x, call->over, call->overs, "rank", rank_group, out);
}

/* The axis that is meant: the one named, or the only one. */
static int one_axis(const ws_cube_call *call, const ws_cube *x, size_t *axis)
{
    const long at = call->overs == 1 ? ws_cube_find_axis(x, call->over[0]) : call->overs || x->axes != 1 ? -1 : 0;
    *axis = at < 0 ? 0 : (size_t)at;
    return at >= 0 ? WS_OK
                   : ws_fail(WS_EINPUT, "along which axis? expected `over` and one axis of %s, which has %zu", x->name,
                             x->axes);
}

static int along(const ws_cube_call *call, const char *name, double (*of)(double, double), const ws_cube **out)
{
    const ws_cube *x;
    ws_cube *to;
    size_t axis;
    int status = to_numbers(call, 0, &x);
    if (!status)
        status = one_axis(call, x, &axis);
    if (status)
        return status;
    ws_axis shape[WS_AXES_MOST];
    memcpy(shape, x->axis, sizeof shape);
    const size_t labels = x->axis[axis].labels, step = ws_cube_step(x, axis);
    if (labels < 2)
        return ws_fail(WS_EINPUT, "%s: fewer than two labels of %s", x->name, x->axis[axis].name);
    shape[axis].labels--;
    status = ws_cube_new(call->work, WS_CUBE_NUMBERS, name, shape, x->axes, &to);
    for (size_t c = 0; c < (status ? 0 : to->cells); c++) {
        const size_t from = (c / step / (labels - 1) * labels + c / step % (labels - 1)) * step + c % step;
        const ws_cell *const a = &x->cell[from], *const b = &x->cell[from + step];
        if (a->gap || b->gap)
            to->cell[c] = a->gap && !(b->gap && ws_cell_is_out(b)) ? *a : *b;
        else if (!give(of(a->number, b->number), &to->cell[c]))
            ws_cube_empty(to, c);
    }
    *out = status ? NULL : to;
    return status;
}

static double ratio(double a, double b)
{
    return a / b;
}

static double difference(double a, double b)
{
    return b - a;
}

static int call_ratios(const ws_cube_call *call, const ws_cube **out)
{
    return along(call, "ratios", ratio, out);
}

static int call_differences(const ws_cube_call *call, const ws_cube **out)
{
    return along(call, "differences", difference, out);
}

/* ------------------------------------------------------------------------------------------------ of each cell */

static int each(const ws_cube_call *call, const char *name, double (*of)(double), const ws_cube **out)
{
    const ws_cube *x;
    ws_cube *to;
    int status = to_numbers(call, 0, &x);
    if (!status)
        status = ws_cube_new(call->work, WS_CUBE_NUMBERS, name, x->axis, x->axes, &to);
    for (size_t c = 0; c < (status ? 0 : x->cells); c++)
        if (x->cell[c].gap)
            to->cell[c] = x->cell[c];
        else if (!give(of(x->cell[c].number), &to->cell[c]))
            ws_cube_empty(to, c);
    *out = status ? NULL : to;
    return status;
}

#define OF_EACH(function, of) \
    static int call_##function(const ws_cube_call *call, const ws_cube **out) \
    { \
        return each(call, #function, of, out); \
    }
OF_EACH(log, log)
OF_EACH(exp, exp)
OF_EACH(sqrt, sqrt)
OF_EACH(abs, fabs)
OF_EACH(round, round)
OF_EACH(floor, floor)

static int of_both(const ws_cube_call *call, const char *name, double (*of)(double, double), const ws_cube **out)
{
    const ws_cube *in[2], *same[2];
    ws_cube *to;
    int status = to_numbers(call, 0, &in[0]);
    if (!status)
        status = to_numbers(call, 1, &in[1]);
    if (!status)
        status = ws_cube_match(call->work, in, 2, same);
    if (!status)
        status = ws_cube_new(call->work, WS_CUBE_NUMBERS, name, same[0]->axis, same[0]->axes, &to);
    for (size_t c = 0; c < (status ? 0 : to->cells); c++) {
        const ws_cell *const a = &same[0]->cell[c], *const b = &same[1]->cell[c];
        if (a->gap || b->gap)
            to->cell[c] = a->gap && !(b->gap && ws_cell_is_out(b)) ? *a : *b;
        else
            to->cell[c].number = of(a->number, b->number);
    }
    *out = status ? NULL : to;
    return status;
}

static int call_least(const ws_cube_call *call, const ws_cube **out)
{
    return of_both(call, "least", fmin, out);
}

static int call_most(const ws_cube_call *call, const ws_cube **out)
{
    return of_both(call, "most", fmax, out);
}

static int call_present(const ws_cube_call *call, const ws_cube **out)
{
    const ws_cube *const x = call->argument[0];
    ws_cube *to;
    const int status = ws_cube_new(call->work, WS_CUBE_CONDITIONS, "present", x->axis, x->axes, &to);
    for (size_t c = 0; c < (status ? 0 : x->cells); c++)
        to->cell[c] = ws_cell_is_out(&x->cell[c]) ? x->cell[c] : (ws_cell){.number = !x->cell[c].gap};
    *out = status ? NULL : to;
    return status;
}

/* ------------------------------------------------------------------------------------------------ texts */

static int call_number(const ws_cube_call *call, const ws_cube **out)
{
    return to_numbers(call, 0, out);
}

/* An argument that is one text. */
static int one_text(const ws_cube_call *call, size_t i, const char **out)
{
    const ws_cube *const x = call->argument[i];
    if (x->kind != WS_CUBE_TEXTS || x->axes || x->cell[0].gap)
        return ws_fail(WS_EINPUT, "argument %zu: expected one text, such as '%%.2f'", i + 1);
    *out = x->cell[0].text;
    return WS_OK;
}

static int call_text(const ws_cube_call *call, const ws_cube **out)
{
    const char *format = NULL;
    const int status = call->arguments > 1 ? one_text(call, 1, &format) : WS_OK;
    return status ? status : ws_cube_to_texts(call->work, call->argument[0], format, out);
}

static int call_has(const ws_cube_call *call, const ws_cube **out)
{
    const ws_cube *x = call->argument[0];
    const char *part = "";
    ws_cube *to;
    int status = one_text(call, 1, &part);
    if (!status)
        status = ws_cube_to_texts(call->work, x, NULL, &x);
    if (!status)
        status = ws_cube_new(call->work, WS_CUBE_CONDITIONS, "has", x->axis, x->axes, &to);
    for (size_t c = 0; c < (status ? 0 : x->cells); c++)
        to->cell[c] = x->cell[c].gap ? x->cell[c] : (ws_cell){.number = strstr(x->cell[c].text, part) != NULL};
    *out = status ? NULL : to;
    return status;
}

static int call_name(const ws_cube_call *call, const ws_cube **out)
{
    const ws_cube *const x = call->argument[0];
    if (x->kind != WS_CUBE_TEXTS || x->axes != 1)
        return ws_fail(WS_EINPUT, "expected the name of an axis; %s is none", x->name);
    ws_cube *to;
    const int status = ws_cube_new(call->work, WS_CUBE_TEXTS, x->name, x->axis, x->axes, &to);
    for (size_t c = 0; c < (status ? 0 : x->cells); c++) {
        to->cell[c] = x->cell[c];
        if (!x->cell[c].gap)
            to->cell[c].text = call->shown(call->names, x->axis[0].name, x->cell[c].text);
    }
    *out = status ? NULL : to;
    return status;
}

typedef struct joining {
    const char *between;
    const ws_cube_call *names; /* each value has that of its label before it; NULL: no */
    bool names_alone;
} joining;

static bool reduce_join(const ws_reduction *r, ws_cell *to)
{
    const joining *const how = r->context;
    const char **const part = ws_arena_alloc(r->work->arena, (2 * r->n + 1) * sizeof *part);
    size_t bytes = 1, n = 0;
    for (size_t i = 0; part && i < r->n; i++) {
        if (how->names && !(part[n++] = label_of(r, i, how->names)))
            return false;
        if (!how->names_alone)
            part[n++] = r->group[0][i]->text;
        bytes += strlen(how->between);
    }
    for (size_t i = 0; i < n; i++)
        bytes += strlen(part[i]) + 1;
    char *const text = ws_arena_alloc(r->work->arena, bytes), *at = text;
    if (!part || !text)
        return false;
    const size_t of_one = r->n ? n / r->n : 1;
    for (size_t i = 0; i < n; i++) {
        if (i)
            at = stpcpy(at, i % of_one ? " " : how->between);
        at = stpcpy(at, part[i]);
    }
    *to = (ws_cell){.text = text};
    return true;
}

static int join(const ws_cube_call *call, const joining *how, const ws_cube **out)
{
    const ws_cube *x;
    const int status = ws_cube_to_texts(call->work, call->argument[0], NULL, &x);
    return status ? status
                  : ws_cube_reduce(call->work, &x, 1, call->over, call->overs, WS_CUBE_TEXTS, "join", reduce_join, how,
                                   out);
}

static int call_join(const ws_cube_call *call, const ws_cube **out)
{
    joining how = {.between = ", "};
    const int status = call->arguments > 1 ? one_text(call, 1, &how.between) : WS_OK;
    return status ? status : join(call, &how, out);
}

static int call_list(const ws_cube_call *call, const ws_cube **out)
{
    return join(call, &(joining){.between = ", ", .names = call}, out);
}

static int call_names(const ws_cube_call *call, const ws_cube **out)
{
    return join(call, &(joining){.between = ", ", .names = call, .names_alone = true}, out);
}

/* ------------------------------------------------------------------------------------------------ the table */

static const ws_cube_function functions[] = {
#define FUNCTION(name, least, most, over, arguments, meaning) \
    {#name, (least), (most), (over), (arguments), (meaning), call_##name},
#include "base/cube/cube_functions.def"
#undef FUNCTION
};

const ws_cube_function *ws_cube_function_at(size_t index)
{
    return index < sizeof functions / sizeof *functions ? &functions[index] : NULL;
}

const ws_cube_function *ws_cube_function_find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, name))
            return &functions[i];
    return NULL;
}
