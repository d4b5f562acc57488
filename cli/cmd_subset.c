/* cmd_subset.c - `warpscape subset`: the few rows that can stand for all. */
#include "cluster/subset.h"

#include "base/text.h"
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/features.h"
#include "cli/outcomes.h"
#include "cluster/members.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *input, *sizes, *cost, *base, *outcomes, *require, *exclude, *importance;
    ws_features features;
    ws_method method;
    uint64_t seed;
    double budget;
    bool draw;
    size_t *size, count; /* of --sizes */
    bool *required, *excluded;
    double *weight; /* of --importance */
} request;

static void settle(const struct argp_state *state, void *asked)
{
    request *const r = asked;
    if (!r->sizes && !(r->budget > 0))
        argp_error(state,
                   "--sizes says how many rows each subset has, such as --sizes 4,6,8, or --budget its highest cost");
    if (r->sizes && r->budget > 0)
        argp_error(state, "--budget finds the size; --sizes goes without it");
    if (r->budget > 0 && !r->cost)
        argp_error(state, "--budget needs --cost, which says what each row costs");
    if (r->draw && !r->base)
        argp_error(state, "--draw needs --base, whose outcomes say how probable each row is");
    if (r->outcomes && !r->base)
        argp_error(state, "--outcomes are columns of --base");
    if (!r->input && !r->draw)
        argp_error(state, "FRAME is missing: a file, or - for standard input");
    if (r->input && r->base && !strcmp(r->input, "-") && !strcmp(r->base, "-"))
        argp_error(state, "standard input cannot be both the frame and the base");
    r->features.keep = r->cost;
}

static void take_frame(const struct argp_state *state, void *member, char *text)
{
    const char **const to = member;
    if (*to)
        argp_error(state, "one frame at a time, not also '%s'", text);
    *to = text;
}

static const ws_option_row option_rows[] = {
    WS_ARGUMENTS(request, input, take_frame, NULL), /* none for draws from all rows of the base */
    WS_OPTION_GROUP(1),
    WS_OPTION_TAKE("method", 'm', "METHOD", request, method, ws_take_method,
                   "Method of choice: support (the weighted members whose distribution is nearest to that of all "
                   "rows), kmedoids, kmeans, or the rows nearest to the centres of clusters by single, complete, "
                   "average or ward linkage [support]"),
    {.name = "linkage", .letter = 'l', .argument = "METHOD", .kind = WS_OPTION_IS_ALIAS},
    WS_OPTION_NUMBER("seed", 0, "N", request, seed, 0, UINT64_MAX, "Seed of the starts of kmeans, and of draws [1]"),
    WS_OPTION_TEXT("sizes", 0, "N,N,...", request, sizes, "Sizes of the subsets, such as 4,6,8,12"),
    WS_OPTION_TEXT("cost", 0, "COLUMN", request, cost,
                   "Cost of a row: a column of FRAME, which is then not a characteristic, or FILE:COLUMN, rows matched "
                   "by name [equal for all rows]"),
    WS_OPTION_REAL("budget", 0, "COST", request, budget, DBL_MIN, DBL_MAX, 1,
                   "Instead of --sizes: one subset, the largest whose members cost no more than this, in the unit of "
                   "--cost, such as hours or instructions"),
    WS_OPTION_TEXT("require", 0, "ROW,ROW,...", request, require, "Rows that must be members (support points, draws)"),
    WS_OPTION_TEXT(
        "exclude", 0, "ROW,ROW,...", request, exclude,
        "Rows that must not be members, such as programs that run on one machine only (support points, draws)"),
    WS_OPTION_TEXT("importance", 0, "FILE:COLUMN", request, importance,
                   "Weight of each row in means of all, such as its share of the load, rows matched by name (support "
                   "points, draws) [equal for all rows]"),
    WS_OPTION_GROUP(2),
    WS_OPTION_TEXT("base", 0, "FILE", request, base,
                   "Outcomes of all rows on a machine that you have: print the error of the members' means on it"),
    WS_OPTION_TEXT(
        "outcomes", 0, "A,B,...", request, outcomes,
        "Columns of --base [all; of a frame of the simulator IPC, stalls, latencies, misses and use of memory]"),
    WS_OPTION_FLAG("draw", 0, request, draw,
                   "Draw members with probabilities in proportion to their outcomes on --base, the largest with "
                   "certainty, for `warpscape estimate'; without FRAME from all rows of the base"),
    WS_FEATURES_OPTIONS(request, features),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .args_doc = "FRAME|- --sizes N,N,...\n--draw --base FILE --sizes N,N,...",
    .doc =
        "Small representative subsets of the rows of a frame, for means and totals.\v"
        "The output has the members, the number of rows that each represents, and the speedup: cost of all rows over "
        "cost of the members. Columns are used unchanged: give scores of `warpscape pca'. A comment line begins with "
        "`caution' if the members are not representative. docs/statistics.md has the measured errors of the methods."
        "\n\n"
        "Example:\n"
        "  warpscape suite run\n"
        "  warpscape metrics --set performance |\n"
        "    warpscape pca --ranks - |\n"
        "    warpscape subset - --sizes 4,6,8,12\n"
        "  warpscape sim -c gtsc --suite --scale tiny BFS HS MM MT NW > base.csv\n"
        "  warpscape subset --draw --base base.csv --sizes 3",
};

/* The file of the rows to choose from, in messages. */
static const char *rows_name(const request *r)
{
    return ws_features_name(r->input ? r->input : r->base);
}

static int read_sizes(request *r)
{
    char *copy = strdup(r->sizes), *rest = copy;
    r->size = calloc(strlen(r->sizes) + 1, sizeof *r->size);
    int rc = copy && r->size ? WS_OK : ws_fail(WS_EMEM, "no memory for a list of sizes");
    for (char *word; rc == WS_OK && (word = strsep(&rest, ","));)
        if (ws_text_to_size(word, SIZE_MAX, &r->size[r->count++]) != WS_OK || r->size[r->count - 1] == 0) {
            ws_fail(WS_EINPUT, "--sizes needs whole numbers from 1 up, separated by commas, not '%s'", r->sizes);
            rc = WS_MISUSED;
        }
    free(copy);
    return rc;
}

/* A column of the frame itself: its values, and the frame without it. */
static int take_own_cost(ws_frame **points, long column, double *cost)
{
    ws_frame *rest = NULL;
    const ws_frame *const f = *points;
    size_t *other = malloc(f->columns * sizeof *other), n = 0;
    if (!other)
        return ws_fail(WS_EMEM, "no memory for a list of columns");
    for (size_t j = 0; j < f->columns; j++)
        if (j != (size_t)column)
            other[n++] = j;
    for (size_t i = 0; i < f->rows; i++)
        cost[i] = f->value[i * f->columns + (size_t)column];
    const int rc = ws_frame_pick_columns(f, other, n, &rest);
    free(other);
    if (rc != WS_OK)
        return rc;
    ws_frame_destroy(*points);
    *points = rest;
    return WS_OK;
}

static int take_foreign_cost(const request *r, const ws_frame *points, double *cost)
{
    const char *const input = r->input ? r->input : r->base;
    const char *const colon = strrchr(r->cost, ':');
    if (!colon || colon == r->cost)
        return ws_fail(WS_EINPUT, "%s: there is no column '%s' (--cost COLUMN or --cost FILE:COLUMN)", rows_name(r),
                       r->cost);
    char *path = strndup(r->cost, (size_t)(colon - r->cost));
    if (!path)
        return ws_fail(WS_EMEM, "no memory for a file name");
    ws_frame *costs = NULL;
    int rc = strcmp(path, "-") == 0 && strcmp(input, "-") == 0
                 ? ws_fail(WS_MISUSED, "standard input cannot be both the frame and its costs")
                 : ws_frame_load(path, &costs);
    if (rc == WS_OK)
        rc = ws_subset_cost(points, costs, ws_features_name(path), colon + 1, "cost", cost);
    ws_frame_destroy(costs);
    free(path);
    return rc;
}

static int take_cost(const request *r, ws_frame **points, double **cost)
{
    if (!r->cost)
        return WS_OK;
    *cost = malloc(((*points)->rows + 1) * sizeof **cost);
    if (!*cost)
        return ws_fail(WS_EMEM, "no memory for costs");
    const long column = ws_frame_find_column(*points, r->cost);
    return column >= 0 ? take_own_cost(points, column, *cost) : take_foreign_cost(r, *points, *cost);
}

/* Marks the rows that a list names, in *mark[rows]. */
static int mark_rows(const request *r, const ws_frame *points, const char *list, const char *option, bool **mark)
{
    if (!list)
        return WS_OK;
    ws_row_index index = {0};
    char *copy = strdup(list), *rest = copy;
    *mark = calloc(points->rows + 1, sizeof **mark);
    int rc = copy && *mark ? ws_row_index_init(&index, points, points->labels)
                           : ws_fail(WS_EMEM, "no memory for a list of rows");
    for (char *word; rc == WS_OK && (word = strsep(&rest, ","));) {
        size_t first;
        const size_t found = ws_row_index_find(&index, word, &first);
        if (found != 1)
            rc = ws_fail(WS_EINPUT, "%s: expected one row named '%s' (%s), found %zu", rows_name(r), word, option,
                         found);
        else
            (*mark)[index.order[first]] = true;
    }
    ws_row_index_fini(&index);
    free(copy);
    return rc;
}

/* Outcomes of all rows of the base. */
static int load_base(const request *r, ws_frame **out)
{
    ws_frame *all = NULL;
    bool simulated = false;
    int rc = ws_outcomes_load(r->base, &simulated, &all);
    const ws_features features = {.columns = r->outcomes ? r->outcomes
                                             : simulated ? ws_outcomes_levels
                                                         : NULL,
                                  .columns_option = "--outcomes"};
    if (rc == WS_OK)
        rc = ws_features_pick(r->base, &features, all, out);
    if (rc == WS_OK)
        rc = ws_frame_require_finite(*out, ws_features_name(r->base));
    ws_frame_destroy(all);
    return rc;
}

static int print_subset(const request *r, const ws_frame *points, const ws_frame *outcomes, const double *cost,
                        int argc, char **argv)
{
    const ws_subset_request wanted = {.method = r->method,
                                      .size = r->size,
                                      .sizes = r->count,
                                      .cost = cost,
                                      .seed = r->seed,
                                      .budget = r->budget,
                                      .required = r->required,
                                      .excluded = r->excluded,
                                      .importance = r->weight,
                                      .outcomes = outcomes,
                                      .draw = r->draw};
    ws_frame *frame = NULL;
    int rc = ws_subset_run(points, rows_name(r), &wanted, &frame);
    if (rc == WS_OK && r->cost)
        rc = ws_frame_note(frame, "cost: %s", r->cost);
    if (rc == WS_OK && r->importance)
        rc = ws_frame_note(frame, WS_OUTCOMES_IMPORTANCE "%s", r->importance);
    if (rc == WS_OK) {
        ws_features_caution(frame, argv[0]);
        rc = ws_features_print(frame, argc, argv);
    }
    ws_frame_destroy(frame);
    return rc;
}

/* The rows to choose from, of FRAME or of the base, and their outcomes on the base. */
static int load_points(request *r, ws_frame **points, ws_frame **outcomes)
{
    ws_frame *base = NULL;
    int rc = r->input ? ws_features_load(r->input, &r->features, points) : WS_OK;
    if (rc == WS_OK && r->input)
        rc = ws_features_clean(r->input, &r->features, points);
    if (rc == WS_OK && r->base)
        rc = load_base(r, &base);
    if (rc == WS_OK && r->base)
        rc = ws_rows_like(base, ws_features_name(r->base), *points ? *points : base, rows_name(r), outcomes);
    if (rc == WS_OK && !r->input) {
        *points = base;
        return WS_OK;
    }
    ws_frame_destroy(base);
    return rc;
}

WS_COMMAND(subset)
{
    request r = {.method = WS_METHOD_DEFAULT, .seed = 1};
    ws_options_parse(&options, argc, argv, &r);
    ws_frame *points = NULL, *outcomes = NULL;
    double *cost = NULL;
    int rc = r.sizes ? read_sizes(&r) : WS_OK;
    if (rc == WS_OK)
        rc = load_points(&r, &points, &outcomes);
    if (rc == WS_OK)
        rc = take_cost(&r, &points, &cost);
    if (rc == WS_OK)
        rc = mark_rows(&r, points, r.require, "--require", &r.required);
    if (rc == WS_OK)
        rc = mark_rows(&r, points, r.exclude, "--exclude", &r.excluded);
    if (rc == WS_OK && r.importance)
        rc = ws_outcomes_importance(points, r.importance, "--importance", &r.weight);
    if (rc == WS_OK)
        rc = print_subset(&r, points, outcomes, cost, argc, argv);
    free(cost);
    free(r.size);
    free(r.required);
    free(r.excluded);
    free(r.weight);
    ws_frame_destroy(points);
    ws_frame_destroy(outcomes);
    return rc;
}
