/* subset.c - which few rows can stand for all of them, and what does that save? */
#include "cluster/subset.h"
#include "base/c_locale.h"
#include "base/status.h"
#include "cluster/caution.h"
#include "cluster/drawing.h"
#include "cluster/members.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WEIGHT_DIGITS = 6 };

static int no_memory(const char *name)
{
    return ws_fail(WS_EMEM, "%s: no memory for a subset", name);
}

static size_t count(const bool *rows, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; rows && i < n; i++)
        k += rows[i];
    return k;
}

/* The fewest members: one, and those required. */
static size_t least_members(const ws_subset_request *r, size_t rows)
{
    const size_t required = count(r->required, rows);
    return required ? required : 1;
}

static int check_cost(const ws_frame *features, const char *name, const double *cost)
{
    for (size_t i = 0; cost && i < features->rows; i++)
        if (!(cost[i] >= 0) || isinf(cost[i])) {
            char row[200];
            ws_frame_row_name(features, i, row, sizeof row);
            return ws_fail(WS_EINPUT, "%s: row %zu (%s): expected a cost of 0 or more, found %g", name, i + 1, row,
                           cost[i]);
        }
    return WS_OK;
}

static int check_request(const ws_frame *features, const char *name, const ws_subset_request *request)
{
    const size_t rows = features->rows;
    const size_t least = least_members(request, rows), most = rows - count(request->excluded, rows);
    double counted = 0;
    for (size_t i = 0; request->importance && i < features->rows; i++) {
        if (!(request->importance[i] >= 0) || isinf(request->importance[i]))
            return ws_fail(WS_EINPUT, "%s: row %zu: expected an importance of 0 or more, found %g", name, i + 1,
                           request->importance[i]);
        counted += request->importance[i];
    }
    if (request->importance && !(counted > 0))
        return ws_fail(WS_EINPUT, "%s: expected an importance above 0 for some row, found none", name);
    for (size_t i = 0; request->required && request->excluded && i < features->rows; i++)
        if (request->required[i] && request->excluded[i]) {
            char row[200];
            ws_frame_row_name(features, i, row, sizeof row);
            return ws_fail(WS_EINPUT, "%s: row '%s' is both required and excluded", name, row);
        }
    if (features->columns == 0)
        return ws_fail(WS_EINPUT, "%s: expected at least one column to cluster by, found none", name);
    for (size_t s = 0; s < request->sizes; s++)
        if (request->size[s] < least || request->size[s] > most)
            return ws_fail(WS_EINPUT, "%s: expected subset sizes from %zu%s to %zu, the number of rows%s, found %zu",
                           name, least, request->required ? ", those required," : "", most,
                           request->excluded ? " that are not excluded" : "", request->size[s]);
    return check_cost(features, name, request->cost);
}

typedef struct work {
    const ws_frame *features;
    const char *name;
    const ws_subset_request *request;
    const ws_selection *selection; /* NULL: members are drawn */
    const double *cost;
    char *const *row_name;
    size_t *cluster, *member; /* each [rows] */
    double *weight;           /* [rows] */
    double *size, *chance;    /* [rows] of draws */
    bool *excluded;           /* [rows] those of the request, and those beyond the budget; NULL: those of the request */
} work;

static const char *method_name(const work *w)
{
    return w->request->draw ? WS_DRAW_METHOD : ws_method_name(w->request->method);
}

/* As frames have numbers, whatever the locale. */
static void write_weight(double weight, FILE *out)
{
    const locale_t before = ws_c_locale_enter();
    fprintf(out, "%.*g", WEIGHT_DIGITS, weight);
    ws_c_locale_leave(before);
}

/* Names of the members, then how many rows each stands for, as two lists. */
static int set_lists(const work *w, size_t k, ws_frame *frame, size_t row)
{
    for (size_t list = 0; list < 2; list++) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *out = open_memstream(&text, &bytes);
        if (!out)
            return no_memory(w->name);
        for (size_t c = 0; c < k; c++) {
            if (c)
                fputc(' ', out);
            if (list == 0)
                ws_members_write(w->row_name[w->member[c]], out);
            else
                write_weight(w->weight[c], out);
        }
        int rc = ferror(out) ? WS_EMEM : WS_OK;
        if (fclose(out) != 0)
            rc = WS_EMEM;
        if (rc == WS_OK)
            rc = ws_frame_set_label(frame, row, 2 + list, text);
        free(text);
        if (rc != WS_OK)
            return no_memory(w->name);
    }
    return WS_OK;
}

static int find_speedup(const work *w, size_t k, double *speedup)
{
    double all = 0, members = 0;
    for (size_t i = 0; i < w->features->rows; i++)
        all += w->cost ? w->cost[i] : 1;
    for (size_t c = 0; c < k; c++)
        members += w->cost ? w->cost[w->member[c]] : 1;
    if (!(members > 0))
        return ws_fail(WS_EINPUT, "%s: the %zu members of the subset cost nothing, so there is no speedup", w->name, k);
    *speedup = all / members;
    return WS_OK;
}

static int warn(const work *w, size_t k, ws_frame *frame)
{
    const ws_method method = w->request->method;
    char what[64];
    if (w->request->draw)
        return WS_OK;
    snprintf(what, sizeof what, "members by %s", ws_method_name(method));
    int rc = ws_caution_crowd(frame, w->weight, k, w->features->rows, what);
    snprintf(what, sizeof what, "groups by %s", ws_method_name(method));
    if (rc == WS_OK && ws_method_groups(method))
        rc = ws_caution_shape(frame, w->features, w->cluster, k, what);
    return rc;
}

/* ---------------------------------------------------------------- members */

static int find_chances(const work *w, size_t k)
{
    const ws_subset_request *const r = w->request;
    const int rc = ws_draw_chances(w->size, w->features->rows, k, r->required, r->excluded, w->chance);
    return rc == WS_OK ? rc : ws_fail_context(rc, "%s", w->name);
}

static int draw(const work *w, size_t k)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    int rc = rng ? find_chances(w, k) : no_memory(w->name);
    if (rc == WS_OK) {
        gsl_rng_set(rng, (unsigned long)(w->request->seed & UINT32_MAX));
        ws_draw_members(rng, w->chance, w->features->rows, w->cluster, w->member);
        for (size_t c = 0; c < k; c++)
            w->weight[c] = 1 / w->chance[w->member[c]];
    }
    if (rng)
        gsl_rng_free(rng);
    return rc;
}

/* Sets member[k] and weight[k], and the clusters of methods that have any. */
static int find_members(const work *w, size_t k)
{
    return w->selection ? ws_selection_choose(w->selection, k, w->cluster, w->member, w->weight) : draw(w, k);
}

/* The cost of k members; the expected cost of drawn ones. */
static int find_cost(const work *w, size_t k, double *cost)
{
    *cost = 0;
    const int rc = w->selection ? find_members(w, k) : find_chances(w, k);
    for (size_t i = 0; rc == WS_OK && i < w->features->rows; i++) {
        if (!w->selection)
            *cost += w->chance[i] * w->cost[i];
        else if (i < k)
            *cost += w->cost[w->member[i]];
    }
    return rc;
}

/* The most members: drawn ones need a size above 0. */
static size_t most_members(const work *w)
{
    const ws_subset_request *const r = w->request;
    const bool *const excluded = w->excluded ? w->excluded : r->excluded;
    size_t most = 0;
    for (size_t i = 0; i < w->features->rows; i++)
        most += !(excluded && excluded[i]) && (w->selection || w->size[i] > 0 || (r->required && r->required[i]));
    return most;
}

/* The largest size within the budget. Costs of subsets need not rise with their sizes, so all are tried, from the
 * number of rows that the cheapest ones allow. */
static int find_size(const work *w, size_t *size, ws_frame *frame)
{
    const ws_subset_request *const r = w->request;
    const size_t n = w->features->rows, least = least_members(r, n);
    double cost = 0;
    for (size_t k = most_members(w); k >= least; k--) {
        const int rc = find_cost(w, k, &cost);
        if (rc != WS_OK)
            return rc;
        if (cost > r->budget)
            continue;
        *size = k;
        return ws_frame_note(frame, "budget: %g; the %s of %zu member%s is %g", r->budget,
                             w->selection ? "cost" : "expected cost", k, k == 1 ? "" : "s", cost);
    }
    if (w->excluded && count(w->excluded, n) == n)
        return ws_fail(WS_EINPUT, "%s: every row that is not excluded costs more than %g", w->name, r->budget);
    return ws_fail(WS_EINPUT, "%s: no subset costs %g or less; %zu member%s cost%s %g", w->name, r->budget, least,
                   least == 1 ? "" : "s", least == 1 ? "s" : "", cost);
}

/* Mean relative error of the members' means on the base. */
static double base_error(const work *w, size_t k)
{
    const ws_frame *const f = w->request->outcomes;
    const double *const v = w->request->importance;
    double sum = 0;
    for (size_t j = 0; j < f->columns; j++) {
        double all = 0, mine = 0, total = 0, counted = 0;
        for (size_t i = 0; i < f->rows; i++) {
            all += (v ? v[i] : 1) * f->value[i * f->columns + j];
            counted += v ? v[i] : 1;
        }
        for (size_t c = 0; c < k; c++) { /* weights of chosen members have the importance in them */
            const double by = w->weight[c] * (v && w->request->draw ? v[w->member[c]] : 1);
            mine += by * f->value[w->member[c] * f->columns + j];
            total += by;
        }
        all /= counted;
        mine /= total;
        sum += mine == all ? 0 : fabs(mine - all) / fabs(all) / (double)f->columns;
    }
    return isfinite(sum) ? sum : NAN; /* a mean of 0 has no relative error */
}

static int fill_row(const work *w, size_t k, ws_frame *frame, size_t row)
{
    char size[32];
    snprintf(size, sizeof size, "%zu", k);
    int rc = find_members(w, k);
    if (rc == WS_OK)
        rc = ws_frame_set_label(frame, row, 0, size);
    if (rc == WS_OK)
        rc = ws_frame_set_label(frame, row, 1, method_name(w));
    if (rc == WS_OK)
        rc = set_lists(w, k, frame, row);
    if (rc == WS_OK)
        rc = warn(w, k, frame);
    if (rc == WS_OK && w->request->outcomes)
        frame->value[row * frame->columns + 1] = base_error(w, k);
    return rc == WS_OK ? find_speedup(w, k, &frame->value[row * frame->columns]) : rc;
}

/* How drawn members came to be. */
static int note_draw(const work *w, ws_frame *frame)
{
    const ws_subset_request *const r = w->request;
    int rc = ws_frame_note(frame,
                           "draw: with probabilities in proportion to the mean of %zu base outcomes over their means, "
                           "weights 1 / probability, seed %llu",
                           r->outcomes->columns, (unsigned long long)r->seed);
    if (rc == WS_OK && count(r->excluded, w->features->rows))
        rc = ws_frame_note(frame,
                           "caution: %zu excluded rows cannot be drawn; intervals of estimates do not "
                           "cover them",
                           count(r->excluded, w->features->rows));
    return rc;
}

static int begin_draws(work *w)
{
    const size_t n = w->features->rows;
    w->size = calloc(2 * n + 1, sizeof *w->size);
    w->chance = w->size + n;
    const int rc = w->size ? ws_draw_sizes(w->request->outcomes, w->name, w->size) : no_memory(w->name);
    for (size_t i = 0; rc == WS_OK && w->request->importance && i < n; i++)
        w->size[i] *= w->request->importance[i];
    return rc;
}

/* Rows that alone cost more than the budget cannot be members of any subset. */
static int exclude_dear(work *w)
{
    const ws_subset_request *const r = w->request;
    w->excluded = calloc(w->features->rows + 1, sizeof *w->excluded);
    for (size_t i = 0; w->excluded && i < w->features->rows; i++)
        w->excluded[i] =
            (r->excluded && r->excluded[i]) || (r->cost[i] > r->budget && !(r->required && r->required[i]));
    return w->excluded ? WS_OK : no_memory(w->name);
}

static int begin_selection(work *w, ws_selection **selection)
{
    const ws_subset_request *const r = w->request;
    const ws_frame *const f = w->features;
    if (r->budget > 0 && r->method == WS_METHOD_support && exclude_dear(w) != WS_OK)
        return WS_EMEM;
    int rc = ws_selection_create(f->value, f->rows, f->columns, r->method, r->seed, selection);
    if (rc == WS_OK)
        rc = ws_selection_restrict(*selection, r->required, w->excluded ? w->excluded : r->excluded, r->importance);
    w->selection = *selection;
    return rc == WS_OK ? rc : ws_fail_context(rc, "%s", w->name);
}

static int name_columns(const work *w, ws_frame *frame)
{
    int rc = ws_frame_set_column(frame, 0, "speedup", "ratio", "");
    if (rc == WS_OK && w->request->outcomes)
        rc = ws_frame_set_column(frame, 1, "base_error", "ratio", "");
    for (size_t i = 0; rc == WS_OK && i < w->features->notes; i++)
        rc = ws_frame_note(frame, "%s", w->features->note[i]);
    if (rc == WS_OK && !w->cost)
        rc = ws_frame_note(frame, "cost: the same for every row");
    return rc == WS_OK && w->request->draw ? note_draw(w, frame) : rc;
}

int ws_subset_run(const ws_frame *features, const char *name, const ws_subset_request *request, ws_frame **out)
{
    static const char *const labels[] = {"size", "method", "members", "weights"};
    const size_t n = features->rows, rows = request->budget > 0 ? 1 : request->sizes;
    ws_selection *selection = NULL;
    ws_frame *frame = NULL;
    ws_row_index index = {0};
    work w = {.features = features, .name = name, .request = request, .cost = request->cost};
    size_t one = 0;
    int rc = check_request(features, name, request);
    if (rc == WS_OK)
        rc = ws_frame_require_finite(features, name);
    if (rc == WS_OK)
        rc = request->draw ? begin_draws(&w) : begin_selection(&w, &selection);
    if (rc == WS_OK) {
        frame = ws_frame_create(rows, request->outcomes ? 2 : 1, 4, labels);
        w.cluster = malloc(2 * n * sizeof *w.cluster);
        w.member = w.cluster ? w.cluster + n : NULL;
        w.weight = malloc(n * sizeof *w.weight);
        rc = frame && w.cluster && w.weight ? name_columns(&w, frame) : no_memory(name);
    }
    if (rc == WS_OK)
        rc = ws_row_index_init(&index, features, features->labels);
    w.row_name = index.name;
    if (rc == WS_OK && request->budget > 0)
        rc = find_size(&w, &one, frame);
    for (size_t s = 0; rc == WS_OK && s < rows; s++)
        rc = fill_row(&w, request->budget > 0 ? one : request->size[s], frame, s);
    free(w.cluster);
    free(w.weight);
    free(w.size);
    free(w.excluded);
    ws_row_index_fini(&index);
    ws_selection_destroy(selection);
    return ws_frame_give(rc, frame, out);
}

int ws_subset_cost(const ws_frame *rows, const ws_frame *costs, const char *costs_name, const char *column,
                   const char *what, double *cost)
{
    const long j = ws_frame_find_column(costs, column);
    if (j < 0)
        return ws_frame_refuse_column(costs, costs_name, column, "");
    ws_row_index index, wanted;
    int rc = ws_row_index_init(&index, costs, costs->labels);
    if (rc != WS_OK)
        return rc;
    rc = ws_row_index_init(&wanted, rows, rows->labels);
    for (size_t i = 0; rc == WS_OK && i < rows->rows; i++) {
        size_t first;
        const size_t found = ws_row_index_find(&index, wanted.name[i], &first);
        if (found == 1)
            cost[i] = costs->value[index.order[first] * costs->columns + (size_t)j];
        else
            rc = ws_fail(WS_EINPUT, "%s: expected one row named '%s' to take its %s from, found %zu", costs_name,
                         wanted.name[i], what, found);
    }
    ws_row_index_fini(&index);
    ws_row_index_fini(&wanted);
    return rc;
}
