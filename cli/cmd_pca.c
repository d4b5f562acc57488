/* cmd_pca.c - `warpscape pca`: principal components of a frame of characteristics. */
#include "pca/pca.h"

#include "cli/cli.h"
#include "cli/features.h"
#include "cli/reduction.h"

#include <string.h>

typedef struct request {
    const char *input, *onto, *loadings, *eigenvalues, *rotation;
    ws_features features;
    ws_reduction_options reduction;
} request;

static void take_map(const struct argp_state *state, void *member, char *text)
{
    if (!strcmp(text, "-"))
        argp_error(state, "--onto needs a file");
    *(const char **)member = text;
}

static const char *const rotations[] = {[WS_PCA_UNROTATED] = "none", [WS_PCA_VARIMAX] = "varimax", NULL};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->rotation && r->reduction.pca.rotation == WS_PCA_UNROTATED)
        argp_error(state, "--rotation writes what --rotate does; also give --rotate varimax");
}

static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_TAKE("variance", 0, "F", request, reduction, ws_take_variance,
                   "Keep the fewest components that explain this fraction of the variance [0.9]"),
    WS_OPTION_TAKE("pcs", 0, "N", request, reduction, ws_take_pcs, "Keep N components"),
    WS_OPTION_TAKE("kaiser", 0, NULL, request, reduction, ws_take_kaiser,
                   "Keep the components with an eigenvalue above 1"),
    WS_OPTION_GROUP(2),
    WS_OPTION_TEXT("subspace", 0, "NAME", request, reduction.pca.subspace,
                   "Use only the columns of this group, such as DV [all]"),
    WS_OPTION_FLAG("ranks", 0, request, reduction.pca.ranks,
                   "Use the rank of each value in its column, so that no outlier dominates a component"),
    WS_OPTION_TAKE("onto", 0, "FILE", request, onto, take_map,
                   "Scores of FRAME in the components of FILE, a published map, which does not change"),
    WS_OPTION_WORD("rotate", 0, "none|varimax", request, reduction.pca.rotation, rotations,
                   "Rotate the kept components so that each has few large loadings; their scores have variance 1 "
                   "[none]"),
    WS_OPTION_GROUP(3),
    WS_OPTION_OUTPUT("loadings", 0, "FILE", request, loadings,
                     "Write the loadings: a row per column, a column per component"),
    WS_OPTION_OUTPUT("eigenvalues", 0, "FILE", request, eigenvalues,
                     "Write eigenvalue, share and cumulative share of every component, and whether it was kept"),
    WS_OPTION_OUTPUT("rotation", 0, "FILE", request, rotation,
                     "--rotate: write variance, share and cumulative share of each rotated component, and its "
                     "coefficients"),
    WS_OPTION_FLAG("whiten", 0, request, reduction.pca.whiten,
                   "Scores of variance 1 in every component, instead of its eigenvalue"),
    WS_FRAME_ARGUMENT(request, input),
    WS_FEATURES_OPTIONS(request, features),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .printed = "the scores",
    .check = check,
    .args_doc = "FRAME|-",
    .doc = "Principal components of the rows of a frame; the scores go to standard output.\vConstant columns are "
           "dropped and named in a comment line, the others are scaled to mean 0 and standard deviation 1. The largest "
           "loading of each component is positive. Scores keep the variance of their component unless --whiten is "
           "given, so distances between rows are preserved. After --rotate, --loadings are the correlations of the "
           "columns with the components.\n\nExample:\n  warpscape suite run\n  warpscape metrics | "
           "warpscape pca - | warpscape cluster -",
    .children = ws_argp_writes,
};

/* Components of --onto, or of the rows themselves; and the scores of the rows in them. */
static int find_scores(const request *r, const ws_frame *frame, ws_pca *result, ws_frame **scores)
{
    ws_frame *map = NULL;
    const char *const name = ws_features_name(r->onto ? r->onto : r->input);
    if (!r->onto)
        return ws_features_hint(&r->features, ws_pca_run(frame, name, &r->reduction.pca, result));
    int rc = ws_features_load(r->onto, &r->features, &map);
    if (rc == WS_OK)
        rc = ws_features_clean(r->onto, &r->features, &map);
    if (rc == WS_OK)
        rc = ws_pca_run(map, name, &r->reduction.pca, result);
    if (rc == WS_OK)
        rc = ws_pca_onto(map, name, &r->reduction.pca, result, frame, ws_features_name(r->input), scores);
    ws_frame_destroy(map);
    return rc;
}

WS_COMMAND(pca)
{
    request r = {.input = NULL};
    ws_reduction_defaults(&r.reduction);
    ws_options_parse(&options, argc, argv, &r);
    ws_frame *frame = NULL, *scores = NULL;
    ws_pca result = {0};
    r.reduction.pca.missing = r.features.missing;
    int rc = ws_features_load(r.input, &r.features, &frame);
    if (rc == WS_OK)
        rc = find_scores(&r, frame, &result, &scores);
    if (rc == WS_OK)
        rc = ws_features_save(result.loadings, r.loadings, argc, argv);
    if (rc == WS_OK)
        rc = ws_features_save(result.eigenvalues, r.eigenvalues, argc, argv);
    if (rc == WS_OK)
        rc = ws_features_save(result.rotation, r.rotation, argc, argv);
    if (rc == WS_OK)
        rc = ws_features_print(scores ? scores : result.scores, argc, argv);
    ws_frame_destroy(scores);
    ws_pca_fini(&result);
    ws_frame_destroy(frame);
    return rc;
}
