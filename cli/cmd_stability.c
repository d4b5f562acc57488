/* cmd_stability.c - `warpscape stability`: would the same rows be chosen if other characteristics had been measured? */
#include "cluster/stability.h"

#include "cli/cli.h"
#include "cli/features.h"
#include "cli/reduction.h"
#include "cli/report/sizes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORKERS = 256, MOST_DRAWS = 1000000 };

typedef struct request {
    const char *input, *cuts;
    ws_features features;
    ws_reduction_options reduction;
    ws_linkage linkage;
    ws_sizes sizes;
    size_t draws;
    uint64_t seed, workers;
} request;

enum { KEY_SIZES = 256, KEY_DRAWS, KEY_SEED, KEY_CUTS };

static const struct argp_option options[] = {
    {"linkage", 'l', "L", 0, "How far apart two clusters are: single, complete, average or ward [complete]", 1},
    {"sizes", KEY_SIZES, "N,N,...", 0, "Sizes of the subsets [those of 4,6,8,12 that are below the number of rows]", 1},
    {"draws", KEY_DRAWS, "N", 0, "How often columns are drawn anew [1000]", 2},
    {"seed", KEY_SEED, "N", 0, "Seed of the draws [1]", 2},
    {"workers", 'j', "N", 0, "Threads; they change no result [as many as there are processors]", 2},
    {"cuts", KEY_CUTS, "FILE", 0, "Write for each size how like the cuts of the draws are to the original one", 3},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->reduction;
        state->child_inputs[1] = &r->features;
        return 0;
    case 'l':
        if (ws_linkage_find(text, &r->linkage) != WS_OK)
            argp_error(state, "--linkage: %s", ws_message());
        return 0;
    case 'j':
        r->workers = ws_cli_u64(state, "-j", text, 1, MOST_WORKERS);
        return 0;
    case KEY_SIZES:
        ws_cli_sizes(state, "--sizes", text, &r->sizes);
        return 0;
    case KEY_DRAWS:
        r->draws = ws_cli_u64(state, "--draws", text, 1, MOST_DRAWS);
        return 0;
    case KEY_SEED:
        r->seed = ws_cli_u64(state, "--seed", text, 0, UINT64_MAX);
        return 0;
    case KEY_CUTS:
        r->cuts = ws_cli_output(state, text);
        return 0;
    case ARGP_KEY_ARG:
        ws_cli_take_frame(state, &r->input, text);
        return 0;
    case ARGP_KEY_END:
        ws_cli_need_frame(state, r->input);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&ws_reduction_argp, 0, NULL, 0}, {&ws_features_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FRAME|-",
    .doc = "How far a subset hangs on the characteristics that happened to be measured: the bootstrap over columns.\v"
           "FRAME holds characteristics. As many of its varying columns as there are are drawn with replacement, and "
           "components, tree, cut and representatives are made anew, many times. For each row comes out whether it "
           "is a member of the subset of each size, its cluster, the share of draws that choose it, and the share that "
           "choose some row of its cluster.\n\n"
           "Example:\n"
           "  warpscape suite run\n"
           "  warpscape metrics | warpscape stability - --sizes 4,6,8",
    .children = children,
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

int ws_cmd_stability(int argc, char **argv)
{
    request r = {.linkage = WS_LINKAGE_complete, .draws = 1000, .seed = 1};
    ws_reduction_defaults(&r.reduction);
    ws_cli_parse(&argp, argc, argv, &r);
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
    reduction context = {name, &r.reduction.pca};
    const ws_stability_request asked = {.linkage = r.linkage,
                                        .size = r.sizes.size,
                                        .sizes = r.sizes.sizes,
                                        .draws = r.draws,
                                        .seed = r.seed,
                                        .workers =
                                            r.workers ? (unsigned)r.workers : (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
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
