/* cmd_agree.c - `warpscape agree`: do maps of the same rows say the same? */
#include "cluster/agreement.h"

#include "cli/cli.h"
#include "base/options/option_rows.h"
#include "cli/features.h"
#include "cli/reduction.h"
#include "base/options/sizes.h"
#include "cluster/members.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 16, MOST_PERMUTATIONS = 1000000 };

typedef struct request {
    struct frames {
        const char *path[MOST_FRAMES];
        size_t count;
    } frames;
    ws_features features;
    ws_reduction_options reduction;
    struct methods {
        ws_method one[WS_METHODS];
        size_t count;
    } methods;
    size_t permutations;
    uint64_t seed;
    ws_sizes sizes;
    ws_frame *points[MOST_FRAMES];
} request;

static void take_methods(const struct argp_state *state, void *member, char *text)
{
    struct methods *const to = member;
    char *copy = strdup(text), *rest = copy;
    to->count = 0;
    for (char *word; rest && (word = strsep(&rest, ","));) {
        if (to->count == WS_METHODS)
            argp_error(state, "--method takes each method once");
        if (ws_method_find(word, &to->one[to->count++]) != WS_OK)
            argp_error(state, "--method: %s", ws_message());
    }
    free(copy);
}

static void take_path(const struct argp_state *state, void *member, char *text)
{
    struct frames *const to = member;
    if (to->count == MOST_FRAMES)
        argp_error(state, "%d frames at most", MOST_FRAMES);
    to->path[to->count++] = text;
}

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->frames.count * r->methods.count < 2)
        argp_error(state, "two maps are compared: give two frames, or two methods for one");
}

static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_TAKE(
        "method", 'm', "M,M,...", request, methods, take_methods,
        "How clusters and members are found, as in `warpscape subset': support, kmedoids, kmeans, or by single, "
        "complete, average or ward linkage [complete]"),
    {.name = "linkage", .letter = 'l', .argument = "M,M,...", .kind = WS_OPTION_IS_ALIAS},
    WS_OPTION_TAKE("sizes", 0, "N,N,...", request, sizes, ws_take_sizes,
                   "Numbers of clusters [those of 4,6,8,12 that are below the number of rows]"),
    WS_OPTION_GROUP(2),
    WS_OPTION_NUMBER("permutations", 0, "N", request, permutations, 1, MOST_PERMUTATIONS,
                     "Shuffles that the correlation of distances is compared with [999]"),
    WS_OPTION_NUMBER("seed", 0, "N", request, seed, 0, UINT32_MAX, "Seed of the shuffles [1]"),
    WS_ARGUMENTS(request, frames, take_path, NULL),
    WS_REDUCTION_OPTIONS(request, reduction),
    WS_FEATURES_OPTIONS(request, features),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "FRAME|-...",
    .doc = "How far maps of the same rows agree: each frame by each method is one map, and every two are compared.\v"
           "For each number of clusters come out the adjusted Rand index of the two cuts (1 the same, 0 as by chance), "
           "the "
           "share of representatives in common, the correlation of the distances, and the probability of one as high "
           "when rows are shuffled (Mantel's test). Rows are matched by their names.\n\n"
           "Example:\n"
           "  warpscape suite run\n"
           "  warpscape metrics --set study > study.csv\n"
           "  warpscape metrics --set modern > modern.csv\n"
           "  warpscape agree study.csv modern.csv --missing columns --sizes 4,6,8",
};

/* The rows of *frame in the order of those of `first`. */
static int match_rows(const ws_frame *first, const char *first_name, const char *name, ws_frame **frame)
{
    ws_frame *matched = NULL;
    int status = WS_OK;
    if (first->rows != (*frame)->rows)
        status = ws_fail(WS_EINPUT, "%s: expected the rows of %s, %zu of them, found %zu", name, first_name,
                         first->rows, (*frame)->rows);
    if (!status)
        status = ws_rows_like(*frame, name, first, first_name, &matched);
    if (!status) {
        ws_frame_destroy(*frame);
        *frame = matched;
    }
    return status;
}

static int load(request *r)
{
    ws_frame *features[MOST_FRAMES] = {NULL};
    int status = WS_OK;
    for (size_t i = 0; !status && i < r->frames.count; i++) {
        const char *const name = ws_features_name(r->frames.path[i]);
        status = ws_features_load(r->frames.path[i], &r->features, &features[i]);
        if (!status)
            status = ws_features_clean(r->frames.path[i], &r->features, &features[i]);
        if (!status && i)
            status = match_rows(features[0], ws_features_name(r->frames.path[0]), name, &features[i]);
        if (!status)
            status = ws_reduction_run(features[i], name, &r->reduction.pca, &r->points[i]);
    }
    for (size_t i = 0; i < r->frames.count; i++)
        ws_frame_destroy(features[i]);
    return status;
}

WS_COMMAND(agree)
{
    request r = {.methods = {.one = {WS_METHOD_complete}, .count = 1}, .permutations = 999, .seed = 1};
    ws_reduction_defaults(&r.reduction);
    ws_options_parse(&options, argc, argv, &r);
    ws_view view[MOST_FRAMES * WS_METHODS];
    ws_frame *frame = NULL;
    int status = load(&r);
    for (size_t i = 0; !status && i < r.frames.count * r.methods.count; i++)
        view[i] = (ws_view){ws_features_name(r.frames.path[i / r.methods.count]), r.points[i / r.methods.count],
                            r.methods.one[i % r.methods.count]};
    if (!status && !r.sizes.sizes)
        ws_sizes_usual(r.points[0]->rows, &r.sizes);
    const ws_agreement_request asked = {r.sizes.size, r.sizes.sizes, r.permutations, r.seed};
    if (!status)
        status = ws_agreement_frame(view, r.frames.count * r.methods.count, &asked, &frame);
    if (!status)
        status = ws_features_print(frame, argc, argv);
    ws_frame_destroy(frame);
    for (size_t i = 0; i < r.frames.count; i++)
        ws_frame_destroy(r.points[i]);
    return status;
}
