/* cmd_stability.c - `warpscape stability`: would the same rows be chosen if other characteristics had been measured? */
#include "cluster/stability.h"

#include "cli/cli.h"
#include "base/options/option_rows.h"
#include "cli/common_options.h"
#include "cli/features.h"
#include "cli/reduction.h"
#include "base/options/sizes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 256, MOST_DRAWS = 1000000 };

typedef struct request {
    const char *input, *cuts;
    ws_features features;
    ws_reduction_options reduction;
    ws_method method;
    ws_sizes sizes;
    size_t draws;
    uint64_t seed, workers;
} request;

static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_TAKE("method", 'm', "METHOD", request, method, ws_take_method,
                   "Method of choice, as in `warpscape subset': support, kmedoids, kmeans, or by single, complete, "
                   "average or ward linkage [support]"),
    {.name = "linkage", .letter = 'l', .argument = "METHOD", .kind = WS_OPTION_IS_ALIAS},
    WS_OPTION_TAKE("sizes", 0, "N,N,...", request, sizes, ws_take_sizes,
                   "Sizes of the subsets [those of 4,6,8,12 that are below the number of rows]"),
    WS_OPTION_GROUP(2),
    WS_OPTION_NUMBER("draws", 0, "N", request, draws, 1, MOST_DRAWS,
                     "Number of draws of the columns [1000; above 1000 rows fewer, at least 100]"),
    WS_OPTION_NUMBER("seed", 0, "N", request, seed, 0, UINT64_MAX, "Seed of the draws [1]"),
    WS_OPTION_WORKERS(request, workers, MOST_WORKERS,
                      "Threads; their number does not affect results [one per processor]"),
    WS_OPTION_GROUP(3),
    WS_OPTION_OUTPUT("cuts", 0, "FILE", request, cuts,
                     "Write for each size the similarity of the draws' cuts to the original one"),
    WS_FRAME_ARGUMENT(request, input),
    WS_REDUCTION_OPTIONS(request, reduction),
    WS_FEATURES_OPTIONS(request, features),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .args_doc = "FRAME|-",
    .doc =
        "Measures the dependence of a subset on the measured characteristics: the bootstrap over columns.\v"
        "FRAME has characteristics. Its varying columns are drawn with replacement, as many as there are, and "
        "components, clusters and members are computed again, many times. The output has for each row whether it is a "
        "member of the subset of each size, its cluster (of support points, the rows nearest to each), the share of "
        "draws that choose it, and the share that choose some row of its cluster. Comment lines say it in words, with "
        "the alternatives of each member.\n\n"
        "Example:\n"
        "  warpscape suite run\n"
        "  warpscape metrics | warpscape stability - --sizes 4,6,8",
};

typedef struct reduction {
    const char *name;
    const ws_pca_options *pca;
} reduction;

static int reduce(const ws_frame *features, void *context, ws_frame **points)
{
    const reduction *const r = context;
    return ws_reduction_run(features, r->name, r->pca, points);
}

/* The columns that --subspace asks for; draws must not reach the others. */
static int take_subspace(const request *r, ws_frame **frame)
{
    const char *const subspace = r->reduction.pca.subspace;
    if (!subspace)
        return WS_OK;
    size_t *column = malloc(((*frame)->columns + 1) * sizeof *column), n = 0;
    if (!column)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t j = 0; j < (*frame)->columns; j++) {
        if (!strcmp((*frame)->column[j].group, subspace))
            column[n++] = j;
    }
    ws_frame *part = NULL;
    const int status =
        n ? ws_frame_pick_columns(*frame, column, n, &part)
          : ws_fail(WS_EINPUT, "%s: no column belongs to the subspace '%s'", ws_features_name(r->input), subspace);
    free(column);
    if (!status) {
        ws_frame_destroy(*frame);
        *frame = part;
    }
    return status;
}

WS_COMMAND(stability)
{
    request r = {.method = WS_METHOD_DEFAULT, .seed = 1};
    ws_reduction_defaults(&r.reduction);
    ws_options_parse(&options, argc, argv, &r);
    const char *const name = ws_features_name(r.input);
    ws_frame *features = NULL;
    ws_stability result = {0};
    int status = ws_features_load(r.input, &r.features, &features);
    if (!status)
        status = ws_features_clean(r.input, &r.features, &features);
    if (!status)
        status = take_subspace(&r, &features);
    if (!status && !r.sizes.sizes)
        ws_sizes_usual(features->rows, &r.sizes);
    if (!status && !r.draws)
        r.draws = ws_stability_draws(features->rows);
    reduction context = {name, &r.reduction.pca};
    const ws_stability_request asked = {.method = r.method,
                                        .size = r.sizes.size,
                                        .sizes = r.sizes.sizes,
                                        .draws = r.draws,
                                        .seed = r.seed,
                                        .workers = (unsigned)r.workers,
                                        .reduce = reduce,
                                        .context = &context};
    if (!status)
        status = ws_stability_run(features, name, &asked, &result);
    if (!status)
        status = ws_features_save(result.sizes, r.cuts, argc, argv);
    if (!status)
        status = ws_features_print(result.rows, argc, argv);
    ws_stability_fini(&result);
    ws_frame_destroy(features);
    return status;
}
