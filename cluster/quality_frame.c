/* quality_frame.c - cuts as frames: who belongs where, and which number of clusters is the best. */
#include "base/status.h"
#include "cluster/caution.h"
#include "cluster/quality.h"

#include <assert.h>
#include <stdlib.h>

static int copy_notes(const ws_frame *from, ws_frame *to)
{
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < from->notes; i++)
        rc = ws_frame_note(to, "%s", from->note[i]);
    return rc;
}

static int add_cautions(const ws_frame *features, const size_t *cluster, size_t k, ws_frame *frame)
{
    double *weight = calloc(k, sizeof *weight);
    int rc = weight ? WS_OK : ws_fail(WS_EMEM, "no memory for the sizes of %zu clusters", k);
    for (size_t i = 0; rc == WS_OK && i < features->rows; i++)
        weight[cluster[i] - 1]++;
    if (rc == WS_OK)
        rc = ws_caution_crowd(frame, weight, k, features->rows, "clusters");
    if (rc == WS_OK)
        rc = ws_caution_shape(frame, features, cluster, k, "clusters");
    free(weight);
    return rc;
}

int ws_assignment_frame(const ws_frame *features, const ws_tree *tree, size_t k, ws_frame **out)
{
    static const char *const names[] = {"cluster", "representative", "distance"};
    const size_t n = features->rows;
    assert(n == tree->leaves && k >= 1 && k <= n);
    ws_frame *frame = ws_frame_create(n, 3, features->labels, (const char *const *)features->label_names);
    size_t *cluster = malloc(n * sizeof *cluster), *member = malloc(k * sizeof *member);
    double *distance = malloc(n * sizeof *distance);
    int rc =
        frame && cluster && member && distance ? WS_OK : ws_fail(WS_EMEM, "no memory for the clusters of %zu rows", n);
    if (rc == WS_OK)
        rc = ws_tree_cut(tree, k, cluster);
    if (rc == WS_OK)
        rc = ws_representatives(features->value, n, features->columns, cluster, k, member, distance);
    for (size_t j = 0; rc == WS_OK && j < 3; j++)
        rc = ws_frame_set_column(frame, j, names[j], "", "");
    for (size_t i = 0; rc == WS_OK && i < n * features->labels; i++)
        rc = ws_frame_set_label(frame, i / features->labels, i % features->labels, features->label[i]);
    if (rc == WS_OK)
        rc = copy_notes(features, frame);
    if (rc == WS_OK)
        rc = add_cautions(features, cluster, k, frame);
    for (size_t i = 0; rc == WS_OK && i < n; i++) {
        double *const value = frame->value + 3 * i;
        value[0] = (double)cluster[i];
        value[1] = member[cluster[i] - 1] == i;
        value[2] = distance[i];
    }
    free(cluster);
    free(member);
    free(distance);
    return ws_frame_give(rc, frame, out);
}

enum { CLUSTERS, SILHOUETTE, WITHIN, HEIGHT, GAP, GAP_ERROR, QUALITY_COLUMNS };

static int fill_cut(const ws_frame *features, const ws_tree *tree, size_t k, size_t *cluster, double *value)
{
    const size_t n = features->rows, columns = features->columns;
    int rc = ws_tree_cut(tree, k, cluster);
    if (rc == WS_OK)
        rc = ws_within_squares(features->value, n, columns, cluster, k, &value[WITHIN]);
    value[CLUSTERS] = (double)k;
    value[HEIGHT] = ws_tree_cut_height(tree, k);
    return rc;
}

static int fill_silhouettes(const ws_frame *features, const ws_tree *tree, size_t most, ws_frame *frame)
{
    double *mean = malloc(most * sizeof *mean);
    const int rc = mean ? ws_tree_silhouettes(tree, features->value, features->columns, most, mean)
                        : ws_fail(WS_EMEM, "no memory to judge the clusters");
    for (size_t k = 2; rc == WS_OK && k <= most; k++)
        frame->value[(k - 2) * frame->columns + SILHOUETTE] = mean[k - 2];
    free(mean);
    return rc;
}

static int fill_gaps(const ws_frame *features, ws_linkage linkage, size_t most, size_t references, uint64_t seed,
                     ws_frame *frame)
{
    double *gap = malloc(2 * most * sizeof *gap);
    if (!gap)
        return ws_fail(WS_EMEM, "no memory for the gap statistic");
    const int rc = ws_gap_statistic(features->value, features->rows, features->columns, linkage, most, references, seed,
                                    gap, gap + most);
    for (size_t k = 2; rc == WS_OK && k <= most; k++) {
        double *const value = frame->value + (k - 2) * frame->columns;
        value[GAP] = gap[k - 1];
        value[GAP_ERROR] = gap[most + k - 1];
    }
    free(gap);
    return rc;
}

int ws_quality_frame(const ws_frame *features, const ws_tree *tree, ws_linkage linkage, size_t most, size_t references,
                     uint64_t seed, ws_frame **out)
{
    static const char *const label[] = {"linkage"};
    static const char *const names[][2] = {{"clusters", ""},     {"silhouette", "silhouette"},
                                           {"within", "within"}, {"height", "height"},
                                           {"gap", "gap"},       {"gap_error", "gap"}};
    if (most < 2 || most >= features->rows)
        return ws_fail(WS_EINPUT,
                       "expected a number of clusters to judge from 2 to %zu, one less than there are rows, found %zu",
                       features->rows - 1, most);
    const size_t columns = references ? QUALITY_COLUMNS : GAP;
    ws_frame *frame = ws_frame_create(most - 1, columns, 1, label);
    size_t *cluster = malloc(features->rows * sizeof *cluster);
    int rc = frame && cluster ? copy_notes(features, frame) : ws_fail(WS_EMEM, "no memory to judge the clusters");
    for (size_t j = 0; rc == WS_OK && j < columns; j++)
        rc = ws_frame_set_column(frame, j, names[j][0], "", names[j][1]);
    for (size_t k = 2; rc == WS_OK && k <= most; k++) {
        rc = ws_frame_set_label(frame, k - 2, 0, ws_linkage_name(linkage));
        if (rc == WS_OK)
            rc = fill_cut(features, tree, k, cluster, frame->value + (k - 2) * columns);
    }
    if (rc == WS_OK)
        rc = fill_silhouettes(features, tree, most, frame);
    if (rc == WS_OK && references)
        rc = fill_gaps(features, linkage, most, references, seed, frame);
    if (rc == WS_OK && references)
        rc = ws_frame_note(frame, "gap: %zu references, seed %llu", references, (unsigned long long)seed);
    free(cluster);
    return ws_frame_give(rc, frame, out);
}
