/* choice.c - which linkage tells the distances best, and how many clusters would each choose? */
#include "base/status.h"
#include "cluster/quality.h"

#include <math.h>
#include <stdlib.h>

enum { COPHENETIC, SILHOUETTE_K, SILHOUETTE, GAP_K, GAP, COLUMNS };

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to choose a number of clusters");
}

static int choose_by_silhouette(const ws_frame *features, const ws_tree *tree, size_t most, double *value)
{
    double *mean = malloc(most * sizeof *mean);
    const int rc = mean ? ws_tree_silhouettes(tree, features->value, features->columns, most, mean) : no_memory();
    value[SILHOUETTE] = -INFINITY;
    for (size_t k = 2; rc == WS_OK && k <= most; k++)
        if (mean[k - 2] > value[SILHOUETTE]) {
            value[SILHOUETTE_K] = (double)k;
            value[SILHOUETTE] = mean[k - 2];
        }
    free(mean);
    return rc;
}

static int choose_by_gap(const ws_frame *features, ws_linkage linkage, size_t most, size_t references, uint64_t seed,
                         double *value)
{
    double *gap = malloc(2 * most * sizeof *gap);
    if (!gap)
        return no_memory();
    const int rc = ws_gap_statistic(features->value, features->rows, features->columns, linkage, most, references, seed,
                                    gap, gap + most);
    if (rc == WS_OK) {
        const size_t k = ws_gap_choice(gap, gap + most, most);
        value[GAP_K] = (double)k;
        value[GAP] = gap[k - 1];
    }
    free(gap);
    return rc;
}

static int fill_row(const ws_frame *features, ws_linkage linkage, size_t most, size_t references, uint64_t seed,
                    double *value)
{
    ws_tree *tree = NULL;
    int rc = ws_cluster_build(features->value, features->rows, features->columns, linkage, &tree);
    if (rc == WS_OK)
        rc = ws_tree_cophenetic_correlation(tree, features->value, features->columns, &value[COPHENETIC]);
    if (rc == WS_OK)
        rc = choose_by_silhouette(features, tree, most, value);
    if (rc == WS_OK && references)
        rc = choose_by_gap(features, linkage, most, references, seed, value);
    ws_tree_destroy(tree);
    return rc;
}

int ws_choice_frame(const ws_frame *features, size_t most, size_t references, uint64_t seed, ws_frame **out)
{
    static const char *const label[] = {"linkage"};
    static const char *const name[COLUMNS] = {"cophenetic", "silhouette_k", "silhouette", "gap_k", "gap"};
    if (most < 2 || most >= features->rows)
        return ws_fail(
            WS_EINPUT,
            "expected a number of clusters to choose from of 2 to %zu, one less than there are rows, found %zu",
            features->rows ? features->rows - 1 : 0, most);
    const size_t columns = references ? COLUMNS : GAP_K;
    ws_frame *frame = ws_frame_create(WS_LINKAGES, columns, 1, label);
    int rc = frame ? WS_OK : no_memory();
    for (size_t i = 0; rc == WS_OK && i < features->notes; i++)
        rc = ws_frame_note(frame, "%s", features->note[i]);
    if (rc == WS_OK && references)
        rc = ws_frame_note(frame, "gap: %zu references, seed %llu", references, (unsigned long long)seed);
    for (size_t c = 0; rc == WS_OK && c < columns; c++)
        rc = ws_frame_set_column(frame, c, name[c], "", "");
    for (size_t l = 0; rc == WS_OK && l < WS_LINKAGES; l++) {
        rc = ws_frame_set_label(frame, l, 0, ws_linkage_name((ws_linkage)l));
        if (rc == WS_OK)
            rc = fill_row(features, (ws_linkage)l, most, references, seed, frame->value + l * columns);
    }
    return ws_frame_give(rc, frame, out);
}
