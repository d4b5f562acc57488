/* cmd_subset.c - `warpscape subset`: the few rows that can stand for all. */
#include "cluster/subset.h"

#include "base/text.h"
#include "cli/cli.h"
#include "cli/features.h"

#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *input, *sizes, *cost;
    ws_features features;
    ws_method method;
    uint64_t seed;
    size_t *size, count; /* of --sizes */
} request;

static void take_method(const struct argp_state *state, void *member, char *text)
{
    if (ws_method_find(text, member) != WS_OK)
        argp_error(state, "--method: %s", ws_message());
}

static void settle(const struct argp_state *state, void *asked)
{
    request *const r = asked;
    if (!r->sizes)
        argp_error(state, "--sizes says how many rows each subset has, such as --sizes 4,6,8");
    r->features.keep = r->cost;
}

static const ws_option_row option_rows[] = {
    WS_FRAME_ARGUMENT(request, input),
    WS_OPTION_GROUP(1),
    WS_OPTION_TAKE("method", 'm', "METHOD", request, method, take_method,
                   "How members are chosen: support (the weighted members whose distribution is nearest to that of all "
                   "rows), kmedoids, kmeans, or the rows nearest to the centres of clusters by single, complete, "
                   "average or ward linkage [support]"),
    {.name = "linkage", .letter = 'l', .argument = "METHOD", .kind = WS_OPTION_IS_ALIAS},
    WS_OPTION_NUMBER("seed", 0, "N", request, seed, 0, UINT64_MAX, "Of the starts of kmeans [1]"),
    WS_OPTION_TEXT("sizes", 0, "N,N,...", request, sizes, "Sizes of the subsets, such as 4,6,8,12"),
    WS_OPTION_TEXT("cost", 0, "COLUMN", request, cost,
                   "What a row costs: a column of FRAME, which then is no characteristic, or FILE:COLUMN, rows matched "
                   "by their names [every row the same]"),
    WS_FEATURES_OPTIONS(request, features),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .args_doc = "FRAME|- --sizes N,N,...",
    .doc =
        "Subsets of the rows of a frame that can stand for all of them, for means and totals.\v"
        "Printed are the members, the number of rows that each one stands for, and the speedup: cost of all rows over "
        "cost of the members. Columns are taken as they are: give scores of `warpscape pca'. A comment line begins "
        "with "
        "`caution' when the members say little. docs/statistics.md tells how wrong the methods were.\n\n"
        "Example:\n"
        "  warpscape suite run\n"
        "  warpscape metrics --set performance |\n"
        "    warpscape pca --ranks - |\n"
        "    warpscape subset - --sizes 4,6,8,12",
};

static int read_sizes(request *r)
{
    char *copy = strdup(r->sizes), *rest = copy;
    r->size = calloc(strlen(r->sizes) + 1, sizeof *r->size);
    int rc = copy && r->size ? WS_OK : ws_fail(WS_EMEM, "no memory for a list of sizes");
    for (char *word; rc == WS_OK && (word = strsep(&rest, ","));)
        if (ws_text_to_size(word, SIZE_MAX, &r->size[r->count++]) != WS_OK || r->size[r->count - 1] == 0) {
            ws_fail(WS_EINPUT, "--sizes needs whole numbers from 1 on, separated by commas, not '%s'", r->sizes);
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
    const char *const colon = strrchr(r->cost, ':');
    if (!colon || colon == r->cost)
        return ws_fail(WS_EINPUT, "%s: there is no column '%s' (--cost COLUMN or --cost FILE:COLUMN)",
                       ws_features_name(r->input), r->cost);
    char *path = strndup(r->cost, (size_t)(colon - r->cost));
    if (!path)
        return ws_fail(WS_EMEM, "no memory for a file name");
    ws_frame *costs = NULL;
    int rc = strcmp(path, "-") == 0 && strcmp(r->input, "-") == 0
                 ? ws_fail(WS_MISUSED, "standard input cannot be both the frame and its costs")
                 : ws_frame_load(path, &costs);
    if (rc == WS_OK)
        rc = ws_subset_cost(points, costs, ws_features_name(path), colon + 1, cost);
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

static int print_subset(const request *r, const ws_frame *points, const double *cost, int argc, char **argv)
{
    const ws_subset_request wanted = {r->method, r->size, r->count, cost, r->seed};
    ws_frame *frame = NULL;
    int rc = ws_subset_run(points, ws_features_name(r->input), &wanted, &frame);
    if (rc == WS_OK && r->cost)
        rc = ws_frame_note(frame, "cost: %s", r->cost);
    if (rc == WS_OK) {
        ws_features_caution(frame, argv[0]);
        rc = ws_features_print(frame, argc, argv);
    }
    ws_frame_destroy(frame);
    return rc;
}

WS_COMMAND(subset)
{
    request r = {.method = WS_METHOD_DEFAULT, .seed = 1};
    ws_options_parse(&options, argc, argv, &r);
    ws_frame *points = NULL;
    double *cost = NULL;
    int rc = read_sizes(&r);
    if (rc == WS_OK)
        rc = ws_features_load(r.input, &r.features, &points);
    if (rc == WS_OK)
        rc = ws_features_clean(r.input, &r.features, &points);
    if (rc == WS_OK)
        rc = take_cost(&r, &points, &cost);
    if (rc == WS_OK)
        rc = print_subset(&r, points, cost, argc, argv);
    free(cost);
    free(r.size);
    ws_frame_destroy(points);
    return rc;
}
