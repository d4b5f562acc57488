/* cmd_cluster.c - `warpscape cluster`: the tree of the rows of a frame, cut into clusters. */
#include "cluster/cluster.h"

#include "base/output.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/features.h"
#include "cluster/caution.h"
#include "cluster/quality.h"

#include <math.h>
#include <string.h>

typedef struct request {
    const char *input, *tree, *assign, *quality, *choice;
    ws_features features;
    ws_linkage linkage;
    size_t k;                /* 0: no cut by number */
    double height;           /* NaN: no cut by height */
    size_t most, references; /* of --quality and --choice */
    uint64_t seed;
    bool seeded;
} request;

enum { QUALITY_MOST = 20 };
enum { KEY_HEIGHT = 256, KEY_TREE, KEY_ASSIGN, KEY_QUALITY, KEY_CHOICE, KEY_MOST, KEY_GAP, KEY_SEED };

static const struct argp_option options[] = {
    {"linkage", 'l', "L", 0, "How far apart two clusters are: single, complete, average or ward [complete]", 1},
    {"k", 'k', "N", 0, "Cut the tree into N clusters", 2},
    {"height", KEY_HEIGHT, "H", 0, "Cut the tree at height H: merges up to H are done", 2},
    {"assign", KEY_ASSIGN, "FILE", 0,
     "Write the cut: cluster, whether the row represents it, and distance to its centroid", 2},
    {"tree", KEY_TREE, "FILE.nwk", 0, "Write the tree in Newick form", 3},
    {"quality", KEY_QUALITY, "FILE", 0, "Write how good cuts into 2, 3 ... clusters are: silhouette, squares within",
     4},
    {"choice", KEY_CHOICE, "FILE", 0,
     "Write for every linkage how well its tree tells the distances, and how many clusters it would choose", 4},
    {"most", KEY_MOST, "N", 0, "--quality, --choice: judge cuts up to N clusters [20]", 4},
    {"gap", KEY_GAP, "B", 0, "--quality, --choice: also the gap statistic with B random references [none]", 4},
    {"seed", KEY_SEED, "N", 0, "--gap: seed of the references [1]", 4},
    {0},
};

static const char printed[] = "the merges";

static void check(const request *r, struct argp_state *state)
{
    ws_cli_need_frame(state, r->input);
    if (r->k && !isnan(r->height))
        argp_error(state, "--k and --height both say where to cut; give one of them");
    if (r->assign && !r->k && isnan(r->height))
        argp_error(state, "--assign writes a cut; give --k or --height too");
    if (!r->quality && !r->choice && (r->most || r->references))
        argp_error(state, "--most and --gap belong to --quality and --choice");
    if (r->seeded && !r->references)
        argp_error(state, "--seed is the seed of --gap");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->features;
        return 0;
    case 'l':
        if (ws_linkage_find(text, &r->linkage) != WS_OK)
            argp_error(state, "--linkage: %s", ws_message());
        return 0;
    case 'k':
        r->k = ws_cli_u64(state, "--k", text, 1, SIZE_MAX);
        return 0;
    case KEY_HEIGHT:
        r->height = ws_cli_double(state, "--height", text, 0, INFINITY);
        return 0;
    case KEY_TREE:
        r->tree = ws_cli_output_beside(state, "--tree", text, printed);
        return 0;
    case KEY_ASSIGN:
        r->assign = ws_cli_output_beside(state, "--assign", text, printed);
        return 0;
    case KEY_QUALITY:
        r->quality = ws_cli_output_beside(state, "--quality", text, printed);
        return 0;
    case KEY_CHOICE:
        r->choice = ws_cli_output_beside(state, "--choice", text, printed);
        return 0;
    case KEY_MOST:
        r->most = ws_cli_u64(state, "--most", text, 2, SIZE_MAX);
        return 0;
    case KEY_GAP:
        r->references = ws_cli_u64(state, "--gap", text, 1, 100000);
        return 0;
    case KEY_SEED:
        r->seed = ws_cli_u64(state, "--seed", text, 0, UINT32_MAX);
        r->seeded = true;
        return 0;
    case ARGP_KEY_ARG:
        ws_cli_take_frame(state, &r->input, text);
        return 0;
    case ARGP_KEY_END:
        check(r, state);
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
    .doc =
        "Hierarchical clustering of the rows of a frame by Euclidean distance; the list of merges goes to standard "
        "output.\v"
        "Columns are taken as they are: give scores of `warpscape pca', or columns of one scale. A merge names what it "
        "joins as R's hclust does: -3 is the third row, 5 the cluster made by merge 5. Of equally close clusters those "
        "with the lowest rows merge first. With --k or --height, comment lines tell the clusters and the row nearest "
        "each centroid; --assign writes them row by row.\n\n"
        "Example:\n"
        "  warpscape suite run\n"
        "  warpscape metrics | warpscape pca - > scores.csv\n"
        "  warpscape cluster scores.csv --linkage complete --k 6 --assign clusters.csv",
    .children = children,
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
    if (rc == WS_OK)
        rc = write_tree(r, points, tree);
    if (rc == WS_OK)
        rc = write_quality(r, points, tree, argc, argv);
    if (rc == WS_OK)
        rc = ws_features_print(merges, argc, argv);
    ws_frame_destroy(merges);
    return rc;
}

int ws_cmd_cluster(int argc, char **argv)
{
    request r = {.linkage = WS_LINKAGE_complete, .height = NAN, .seed = 1};
    ws_cli_parse(&argp, argc, argv, &r);
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
