/* cmd_pca.c - `warpscape pca`: principal components of a frame of characteristics. */
#include "pca/pca.h"

#include "cli/cli.h"
#include "cli/features.h"
#include "cli/reduction.h"

#include <string.h>

typedef struct request {
    const char *input, *onto, *loadings, *eigenvalues;
    ws_features features;
    ws_reduction_options reduction;
} request;

enum { KEY_LOADINGS = 256, KEY_EIGENVALUES, KEY_WHITEN, KEY_ONTO };

static const struct argp_option options[] = {
    {"variance", WS_REDUCTION_VARIANCE, "F", 0,
     "Keep the fewest components that explain this fraction of the variance [0.9]", 1},
    {"pcs", WS_REDUCTION_PCS, "N", 0, "Keep N components", 1},
    {"kaiser", WS_REDUCTION_KAISER, NULL, 0, "Keep the components with an eigenvalue above 1", 1},
    {"subspace", WS_REDUCTION_SUBSPACE, "NAME", 0, "Use only the columns of this group, such as DV [all]", 2},
    {"ranks", WS_REDUCTION_RANKS, NULL, 0,
     "Of each value take its rank in its column, so that no outlier makes a component of its own", 2},
    {"onto", KEY_ONTO, "FILE", 0, "Scores of FRAME in the components of FILE, a published map that stays as it is", 2},
    {"loadings", KEY_LOADINGS, "FILE", 0, "Write the loadings: a row a column, a column a component", 3},
    {"eigenvalues", KEY_EIGENVALUES, "FILE", 0,
     "Write eigenvalue, share and cumulative share of every component, and whether it was kept", 3},
    {"whiten", KEY_WHITEN, NULL, 0, "Scores of variance 1 in every component, instead of its eigenvalue", 3},
    {0},
};

static const char printed[] = "the scores";

static error_t parse(int key, char *text, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->features;
        return 0;
    case KEY_LOADINGS:
        r->loadings = ws_cli_output_beside(state, "--loadings", text, printed);
        return 0;
    case KEY_EIGENVALUES:
        r->eigenvalues = ws_cli_output_beside(state, "--eigenvalues", text, printed);
        return 0;
    case KEY_ONTO:
        if (!strcmp(text, "-"))
            argp_error(state, "--onto needs a file");
        r->onto = text;
        return 0;
    case KEY_WHITEN:
        r->reduction.pca.whiten = true;
        return 0;
    case ARGP_KEY_ARG:
        ws_cli_take_frame(state, &r->input, text);
        return 0;
    case ARGP_KEY_END:
        ws_cli_need_frame(state, r->input);
        return 0;
    default:
        return ws_reduction_set(&r->reduction, key, text, state);
    }
}

static const struct argp_child children[] = {{&ws_features_argp, 0, NULL, 0}, {&ws_cli_private_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FRAME|-",
    .doc = "Principal components of the rows of a frame; the scores go to standard output.\v"
           "Columns that do not vary are dropped and named in a comment line, the others are scaled to mean 0 and "
           "standard deviation 1. The largest loading of each component is positive. Scores keep the variance of their "
           "component unless --whiten is given, so distances between rows mean the same before and after.\n\n"
           "Example:\n"
           "  warpscape suite run\n"
           "  warpscape metrics | warpscape pca - | warpscape cluster -",
    .children = children,
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

int ws_cmd_pca(int argc, char **argv)
{
    request r = {.input = NULL};
    ws_reduction_defaults(&r.reduction);
    ws_cli_parse(&argp, argc, argv, &r);
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
        rc = ws_features_print(scores ? scores : result.scores, argc, argv);
    ws_frame_destroy(scores);
    ws_pca_fini(&result);
    ws_frame_destroy(frame);
    return rc;
}
