/* cmd_pca.c - `warpscape pca`: principal components of a frame of characteristics. */
#include "pca/pca.h"

#include "cli/cli.h"
#include "cli/features.h"

#include <string.h>

typedef struct request {
    const char *input, *onto, *loadings, *eigenvalues;
    ws_features features;
    ws_pca_options pca;
    const char *keep; /* the option that chose how many components, or NULL */
} request;

enum { KEY_VARIANCE = 256, KEY_PCS, KEY_KAISER, KEY_SUBSPACE, KEY_LOADINGS, KEY_EIGENVALUES, KEY_WHITEN, KEY_RANKS, KEY_ONTO };

static const struct argp_option options[] = {
    {"variance", KEY_VARIANCE, "F", 0, "Keep the fewest components that explain this fraction of the variance [0.9]",
     1},
    {"pcs", KEY_PCS, "N", 0, "Keep N components", 1},
    {"kaiser", KEY_KAISER, NULL, 0, "Keep the components with an eigenvalue above 1", 1},
    {"subspace", KEY_SUBSPACE, "NAME", 0, "Use only the columns of this group, such as DV [all]", 2},
    {"ranks", KEY_RANKS, NULL, 0, "Of each value take its rank in its column, so that no outlier makes a component of its own", 2},
    {"onto", KEY_ONTO, "FILE", 0, "Scores of FRAME in the components of FILE, a published map that stays as it is", 2},
    {"loadings", KEY_LOADINGS, "FILE", 0, "Write the loadings: a row a column, a column a component", 3},
    {"eigenvalues", KEY_EIGENVALUES, "FILE", 0,
     "Write eigenvalue, share and cumulative share of every component, and whether it was kept", 3},
    {"whiten", KEY_WHITEN, NULL, 0, "Scores of variance 1 in every component, instead of its eigenvalue", 3},
    {0},
};

/* One rule for the number of components, not two. */
static void choose(request *r, struct argp_state *state, const char *option, ws_pca_keep keep, double amount)
{
    if (r->keep && strcmp(r->keep, option) != 0)
        argp_error(state, "%s and %s both say how many components to keep; give one of them", r->keep, option);
    r->keep = option;
    r->pca.keep = keep;
    r->pca.amount = amount;
}

static const char *file_argument(struct argp_state *state, const char *option, const char *path)
{
    if (strcmp(path, "-") == 0)
        argp_error(state, "%s needs a file; the scores go to standard output", option);
    return path;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->features;
        return 0;
    case KEY_VARIANCE:
        choose(r, state, "--variance", WS_PCA_KEEP_VARIANCE, ws_cli_double(state, "--variance", text, 0, 1));
        return 0;
    case KEY_PCS:
        choose(r, state, "--pcs", WS_PCA_KEEP_FIXED, (double)ws_cli_u64(state, "--pcs", text, 1, 1000000));
        return 0;
    case KEY_KAISER:
        choose(r, state, "--kaiser", WS_PCA_KEEP_KAISER, 0);
        return 0;
    case KEY_SUBSPACE:
        r->pca.subspace = text;
        return 0;
    case KEY_LOADINGS:
        r->loadings = file_argument(state, "--loadings", text);
        return 0;
    case KEY_EIGENVALUES:
        r->eigenvalues = file_argument(state, "--eigenvalues", text);
        return 0;
    case KEY_ONTO:
        r->onto = file_argument(state, "--onto", text);
        return 0;
    case KEY_RANKS:
        r->pca.ranks = true;
        return 0;
    case KEY_WHITEN:
        r->pca.whiten = true;
        return 0;
    case ARGP_KEY_ARG:
        if (r->input)
            argp_error(state, "one frame at a time; what is '%s'?", text);
        r->input = text;
        return 0;
    case ARGP_KEY_END:
        if (!r->input)
            argp_error(state, "which frame? (- reads it from standard input)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
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
           "Example: warpscape metrics | warpscape pca - | warpscape cluster -",
    .children = children,
};

/* Components of --onto, or of the rows themselves; and the scores of the rows in them. */
static int find_scores(const request *r, const ws_frame *frame, ws_pca *result, ws_frame **scores)
{
    ws_frame *map = NULL;
    const char *const name = ws_features_name(r->onto ? r->onto : r->input);
    if (!r->onto)
        return ws_features_hint(&r->features, ws_pca_run(frame, name, &r->pca, result));
    int rc = ws_features_load(r->onto, &r->features, &map);
    if (rc == WS_OK)
        rc = ws_features_clean(r->onto, &r->features, &map);
    if (rc == WS_OK)
        rc = ws_pca_run(map, name, &r->pca, result);
    if (rc == WS_OK)
        rc = ws_pca_onto(map, name, &r->pca, result, frame, ws_features_name(r->input), scores);
    ws_frame_destroy(map);
    return rc;
}

int ws_cmd_pca(int argc, char **argv)
{
    request r = {.pca = {.keep = WS_PCA_KEEP_VARIANCE, .amount = 0.9}};
    ws_cli_parse(&argp, argc, argv, &r);
    ws_frame *frame = NULL, *scores = NULL;
    ws_pca result = {0};
    r.pca.missing = r.features.missing;
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
