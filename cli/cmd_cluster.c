/* cmd_cluster.c - `warpscape cluster`: the tree of the rows of a frame, cut into clusters. */
#include "cluster/cluster.h"

#include "base/output.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/features.h"
#include "cluster/caution.h"
#include "cluster/description.h"
#include "cluster/members.h"
#include "cluster/quality.h"

#include <math.h>
#include <stdlib.h>

typedef struct request {
    const char *input, *tree, *assign, *quality, *choice;
    const char *describe, *describe_by; /* describe_by NULL: the input */
    ws_features features;
    ws_linkage linkage;
    size_t k;                /* 0: no cut by number */
    double height;           /* NaN: no cut by height */
    size_t most, references; /* of --quality and --choice */
    uint64_t seed;
    bool seeded;
    double level; /* of --describe */
    bool leveled;
} request;

enum { QUALITY_MOST = 20 };
static const double USUAL_LEVEL = 0.05; /* as catdes of FactoMineR */
static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->k && !isnan(r->height))
        argp_error(state, "--k and --height both define the cut; give one of them");
    if (r->assign && !r->k && isnan(r->height))
        argp_error(state, "--assign writes a cut; also give --k or --height");
    if (r->describe && !r->k && isnan(r->height))
        argp_error(state, "--describe describes the clusters of a cut; also give --k or --height");
    if (!r->describe && (r->describe_by || r->leveled))
        argp_error(state, "--describe-by and --level belong to --describe");
    if (!r->quality && !r->choice && (r->most || r->references))
        argp_error(state, "--most and --gap belong to --quality and --choice");
    if (r->seeded && !r->references)
        argp_error(state, "--seed is the seed of --gap");
}

static const ws_option_row option_rows[] = {
    WS_FRAME_ARGUMENT(request, input),
    WS_OPTION_GROUP(1),
    WS_OPTION_TAKE("linkage", 'l', "L", request, linkage, ws_take_linkage,
                   "Distance between clusters: single, complete, average or ward [complete]"),
    WS_OPTION_GROUP(2),
    WS_OPTION_NUMBER("k", 'k', "N", request, k, 1, SIZE_MAX, "Cut the tree into N clusters"),
    WS_OPTION_REAL("height", 0, "H", request, height, 0, INFINITY, 1,
                   "Cut the tree at height H: merges up to H are done"),
    WS_OPTION_OUTPUT("assign", 0, "FILE", request, assign,
                     "Write the cut: cluster, whether the row represents it, and distance to its centroid"),
    WS_OPTION_OUTPUT("describe", 0, "FILE", request, describe,
                     "Write the columns whose mean in a cluster of the cut differs from that of all rows, with their "
                     "test value"),
    WS_OPTION_TEXT("describe-by", 0, "FRAME", request, describe_by,
                   "--describe: use the columns of FRAME, rows matched by name [those of the input]"),
    WS_OPTION_REAL("level", 0, "P", request, level, 0, 1, 1, "--describe: columns with a p value up to P [0.05]"),
    WS_OPTION_GIVEN(request, leveled),
    WS_OPTION_GROUP(3),
    WS_OPTION_OUTPUT("tree", 0, "FILE.nwk", request, tree, "Write the tree in Newick form"),
    WS_OPTION_GROUP(4),
    WS_OPTION_OUTPUT("quality", 0, "FILE", request, quality,
                     "Write the quality of cuts into 2, 3 ... clusters: silhouette, squares within"),
    WS_OPTION_OUTPUT("choice", 0, "FILE", request, choice,
                     "Write for every linkage how well its tree preserves the distances, and the number of clusters it "
                     "would choose"),
    WS_OPTION_NUMBER("most", 0, "N", request, most, 2, SIZE_MAX,
                     "--quality, --choice: judge cuts up to N clusters [20]"),
    WS_OPTION_NUMBER("gap", 0, "B", request, references, 1, 100000,
                     "--quality, --choice: also the gap statistic with B random references [none]"),
    WS_OPTION_NUMBER("seed", 0, "N", request, seed, 0, UINT32_MAX, "--gap: seed of the references [1]"),
    WS_OPTION_GIVEN(request, seeded),
    WS_FEATURES_OPTIONS(request, features),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .printed = "the merges",
    .check = check,
    .args_doc = "FRAME|-",
    .doc = "Hierarchical clustering of the rows of a frame by Euclidean distance; the list of merges goes to standard "
           "output.\vColumns are used unchanged: give scores of `warpscape pca', or columns of one scale. A merge "
           "names its parts as R's hclust does: -3 is the third row, 5 the cluster made by merge 5. Of equally close "
           "clusters those with the lowest rows merge first. With --k or --height, comment lines give the clusters and "
           "the row nearest each centroid; --assign writes them row by row, and --describe the "
           "characteristics of each.\n\nExample:\n  warpscape suite run\n  warpscape metrics > metrics.csv\n  "
           "warpscape pca metrics.csv > scores.csv\n  warpscape cluster scores.csv --linkage complete --k 6 --assign "
           "clusters.csv\n  warpscape cluster scores.csv -k 6 --describe k.csv --describe-by metrics.csv",
    .children = ws_argp_writes,
};

/* Where the tree is cut, or 0. */
static int find_cut(const request *r, const ws_tree *tree, size_t *k)
{
    *k = r->k;
    if (!isnan(r->height))
        *k = ws_tree_clusters_at(tree, r->height);
    if (*k > tree->leaves)
        return ws_fail(WS_EINPUT, "%s: --k %zu: expected at most as many clusters as there are rows, %zu",
                       ws_features_name(r->input), *k, tree->leaves);
    return WS_OK;
}

static int note_cut(const ws_tree *tree, size_t k, const ws_frame *assignment, ws_frame *merges)
{
    char height[WS_NUMBER_BYTES];
    ws_text_from_double(ws_tree_cut_height(tree, k), height);
    int rc = ws_frame_note(merges, "cut: %zu clusters at height %s", k, height);
    for (size_t c = 1; rc == WS_OK && c <= k; c++) {
        size_t size = 0, representative = 0;
        for (size_t i = 0; i < assignment->rows; i++) {
            const double *const value = assignment->value + i * assignment->columns;
            size += value[0] == (double)c;
            representative = value[0] == (double)c && value[1] != 0 ? i : representative;
        }
        char name[256];
        ws_frame_row_name(assignment, representative, name, sizeof name);
        rc = ws_frame_note(merges, "cluster %zu: %zu rows, represented by %s", c, size, name);
    }
    return rc;
}

static int write_cut(const request *r, const ws_frame *points, const ws_tree *tree, size_t k, ws_frame *merges,
                     int argc, char **argv)
{
    ws_frame *assignment = NULL;
    int rc = ws_assignment_frame(points, tree, k, &assignment);
    if (rc == WS_OK)
        rc = note_cut(tree, k, assignment, merges);
    if (rc == WS_OK)
        rc = ws_caution_copy(assignment, merges);
    if (rc == WS_OK)
        rc = ws_features_save(assignment, r->assign, argc, argv);
    if (rc == WS_OK)
        ws_features_caution(merges, argv[0]);
    ws_frame_destroy(assignment);
    return rc;
}

/* The columns that describe clusters of the rows of `points`, in their order. */
static int load_described(const request *r, const ws_frame *points, ws_frame **out)
{
    const ws_features all = {.missing = r->features.missing};
    const char *const name = ws_features_name(r->describe_by);
    ws_frame *frame = NULL;
    int rc = ws_features_load(r->describe_by, &all, &frame);
    if (rc == WS_OK)
        rc = ws_features_clean(r->describe_by, &all, &frame);
    if (rc == WS_OK)
        rc = ws_rows_like(frame, name, points, ws_features_name(r->input), out);
    if (rc == WS_OK && (*out)->columns == 0)
        rc = ws_fail(WS_EINPUT, "%s: expected at least one column to describe clusters by, found none", name);
    ws_frame_destroy(frame);
    return rc;
}

static int write_description(const request *r, const ws_frame *points, const ws_tree *tree, size_t k, int argc,
                             char **argv)
{
    ws_frame *by = NULL, *frame = NULL;
    size_t *const cluster = malloc(tree->leaves * sizeof *cluster);
    int rc = cluster ? ws_tree_cut(tree, k, cluster) : ws_fail(WS_EMEM, "no memory for the clusters");
    if (rc == WS_OK && r->describe_by)
        rc = load_described(r, points, &by);
    if (rc == WS_OK) {
        rc = ws_description_frame(by ? by : points, cluster, k, r->level, &frame);
        if (rc != WS_OK)
            ws_fail_context(rc, "%s", ws_features_name(r->describe_by ? r->describe_by : r->input));
    }
    if (rc == WS_OK)
        rc = ws_features_save(frame, r->describe, argc, argv);
    ws_frame_destroy(frame);
    ws_frame_destroy(by);
    free(cluster);
    return rc;
}

static int write_tree(const request *r, const ws_frame *points, const ws_tree *tree)
{
    ws_output out;
    if (!r->tree)
        return WS_OK;
    const int rc = ws_output_open(&out, r->tree);
    return rc == WS_OK ? ws_output_close(&out, ws_tree_write_newick(tree, points, out.stream)) : rc;
}

/* Clusters that --quality and --choice go up to. */
static size_t most_clusters(const request *r, const ws_frame *points)
{
    const size_t all = points->rows - 1;
    return r->most ? r->most : all < QUALITY_MOST ? all : QUALITY_MOST;
}

/* Saves a frame that is about the input; rc is how making it went. */
static int save_about(const request *r, int rc, ws_frame *frame, const char *path, int argc, char **argv)
{
    if (rc != WS_OK)
        ws_fail_context(rc, "%s", ws_features_name(r->input));
    else
        rc = ws_features_save(frame, path, argc, argv);
    ws_frame_destroy(frame);
    return rc;
}

static int write_quality(const request *r, const ws_frame *points, const ws_tree *tree, int argc, char **argv)
{
    const size_t most = most_clusters(r, points);
    int rc = WS_OK;
    if (r->quality) {
        ws_frame *frame = NULL;
        rc = ws_quality_frame(points, tree, r->linkage, most, r->references, r->seed, &frame);
        rc = save_about(r, rc, frame, r->quality, argc, argv);
    }
    if (rc == WS_OK && r->choice) {
        ws_frame *frame = NULL;
        rc = ws_choice_frame(points, most, r->references, r->seed, &frame);
        rc = save_about(r, rc, frame, r->choice, argc, argv);
    }
    return rc;
}

static int note_tree(const request *r, const ws_frame *points, const ws_tree *tree, ws_frame *merges)
{
    double correlation;
    int rc = ws_tree_cophenetic_correlation(tree, points->value, points->columns, &correlation);
    if (rc == WS_OK)
        rc = ws_frame_note(merges, "linkage: %s, %s", ws_linkage_name(r->linkage), ws_linkage_meaning(r->linkage));
    if (rc == WS_OK && !isnan(correlation))
        rc = ws_frame_note(merges, "cophenetic correlation: %.4f", correlation);
    return rc;
}

static int write_all(const request *r, const ws_frame *points, const ws_tree *tree, int argc, char **argv)
{
    ws_frame *merges = NULL;
    size_t k = 0;
    int rc = find_cut(r, tree, &k);
    if (rc == WS_OK)
        rc = ws_tree_frame(tree, points, &merges);
    if (rc == WS_OK)
        rc = note_tree(r, points, tree, merges);
    if (rc == WS_OK && k)
        rc = write_cut(r, points, tree, k, merges, argc, argv);
    if (rc == WS_OK && r->describe)
        rc = write_description(r, points, tree, k, argc, argv);
    if (rc == WS_OK)
        rc = write_tree(r, points, tree);
    if (rc == WS_OK)
        rc = write_quality(r, points, tree, argc, argv);
    if (rc == WS_OK)
        rc = ws_features_print(merges, argc, argv);
    ws_frame_destroy(merges);
    return rc;
}

WS_COMMAND(cluster)
{
    request r = {.linkage = WS_LINKAGE_complete, .height = NAN, .seed = 1, .level = USUAL_LEVEL};
    ws_options_parse(&options, argc, argv, &r);
    const char *const name = ws_features_name(r.input);
    ws_frame *points = NULL;
    ws_tree *tree = NULL;
    int rc = ws_features_load(r.input, &r.features, &points);
    if (rc == WS_OK)
        rc = ws_features_clean(r.input, &r.features, &points);
    if (rc == WS_OK && points->columns == 0)
        rc = ws_fail(WS_EINPUT, "%s: expected at least one column to cluster by, found none", name);
    if (rc == WS_OK) {
        rc = ws_cluster_build(points->value, points->rows, points->columns, r.linkage, &tree);
        if (rc != WS_OK)
            ws_fail_context(rc, "%s", name);
    }
    if (rc == WS_OK)
        rc = write_all(&r, points, tree, argc, argv);
    ws_tree_destroy(tree);
    ws_frame_destroy(points);
    return rc;
}
