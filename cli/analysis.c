/* analysis.c - from a frame to components, a tree, clusters and their representatives. */
#include "cli/analysis.h"

#include "base/status.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_analysis_defaults(ws_analysis_options *options)
{
    *options = (ws_analysis_options){
        .pca = {.keep = WS_PCA_KEEP_VARIANCE, .amount = 0.9},
        .linkage = WS_LINKAGE_complete,
    };
}

static bool is_component(const char *name)
{
    return !strncmp(name, "PC", 2) && isdigit((unsigned char)name[2]) && !name[2 + strspn(name + 2, "0123456789")];
}

bool ws_analysis_has_components(const ws_frame *frame)
{
    for (size_t j = 0; j < frame->columns; j++) {
        if (!is_component(frame->column[j].name))
            return false;
    }
    return frame->columns > 0;
}

/* The number of columns that went into the components, from the note that pca leaves; 0 when there is none, or when the
 * scores do not have the variance of their components. */
static size_t columns_before(const ws_frame *scores)
{
    size_t columns = 0;
    for (size_t i = 0; i < scores->notes; i++) {
        if (!strncmp(scores->note[i], "pca: ", 5) &&
            (sscanf(scores->note[i], "pca: %zu columns", &columns) != 1 || strstr(scores->note[i], "whitened")))
            columns = 0;
    }
    return columns;
}

/* Mean 0 is what pca gives; the variance is computed about it, with n - 1. */
static double variance_of(const ws_frame *frame, size_t column)
{
    double sum = 0;
    for (size_t i = 0; i < frame->rows; i++) {
        const double v = frame->value[i * frame->columns + column];
        sum += v * v;
    }
    return frame->rows > 1 ? sum / (double)(frame->rows - 1) : 0;
}

/* Standardised columns have variance 1 each, so a component's share is its variance over their number. */
static int shares_from_notes(const ws_frame *scores, ws_frame **out)
{
    static const char *const label[] = {"component"};
    *out = NULL;
    const size_t before = columns_before(scores);
    if (!before)
        return WS_OK;
    ws_frame *frame = ws_frame_create(scores->columns, 1, 1, label);
    if (!frame || ws_frame_set_column(frame, 0, "share", "ratio", "")) {
        ws_frame_destroy(frame);
        return ws_fail(WS_EMEM, "out of memory");
    }
    for (size_t j = 0; j < scores->columns; j++)
        frame->value[j] = variance_of(scores, j) / (double)before;
    *out = frame;
    return WS_OK;
}

int ws_analysis_reduce(const ws_frame *frame, const char *name, const ws_analysis_options *options, ws_analysis *a)
{
    *a = (ws_analysis){.cut = NAN};
    if (ws_analysis_has_components(frame)) {
        const int status = ws_frame_require_finite(frame, name);
        if (status)
            return status;
        a->points = frame;
        const int noted = shares_from_notes(frame, &a->shares);
        a->variance = a->shares;
        return noted;
    }
    const int status = ws_pca_run(frame, name, &options->pca, &a->pca);
    if (status)
        return status;
    a->points = a->pca.scores;
    a->variance = a->pca.eigenvalues;
    return WS_OK;
}

/* The row nearest the centroid of its cluster stands for it; of equally near ones the first. */
static int find_groups(const ws_tree *tree, const ws_frame *points, size_t k, ws_frame **out)
{
    const size_t rows = points->rows;
    size_t *cluster = calloc(rows, sizeof *cluster), *representative = calloc(k, sizeof *representative);
    ws_frame *frame = ws_frame_create(rows, 2, points->labels, (const char *const *)points->label_names);
    int status = WS_OK;
    if (!cluster || !representative || !frame)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_tree_cut(tree, k, cluster);
    if (!status)
        status = ws_frame_set_column(frame, 0, "cluster", "", "");
    if (!status)
        status = ws_frame_set_column(frame, 1, "representative", "", "");
    for (size_t i = 0; !status && i < rows * points->labels; i++)
        status = ws_frame_set_label(frame, i / points->labels, i % points->labels, points->label[i]);
    for (size_t i = 0; !status && i < rows; i++) {
        frame->value[2 * i] = (double)cluster[i];
        frame->value[2 * i + 1] = 0;
    }
    free(cluster);
    free(representative);
    if (status)
        ws_frame_destroy(frame);
    else
        *out = frame;
    return status;
}

int ws_analysis_cluster(const ws_analysis_options *options, const char *name, ws_analysis *a)
{
    const ws_frame *points = a->points;
    if (options->clusters > points->rows)
        return ws_fail(WS_EINPUT, "%s: %zu clusters of %zu rows: ask for %zu at most", name, options->clusters,
                       points->rows, points->rows);
    int status = ws_cluster_build(points->value, points->rows, points->columns, options->linkage, &a->tree);
    if (status)
        return ws_fail_context(status, "%s", name);
    status = ws_tree_frame(a->tree, points, &a->merges);
    if (!status && options->clusters) {
        a->cut = ws_tree_cut_height(a->tree, options->clusters);
        status = find_groups(a->tree, points, options->clusters, &a->groups);
    }
    return status;
}

static void standardise_column(ws_frame *frame, size_t column)
{
    double mean = 0, squares = 0;
    double *value = frame->value + column;
    for (size_t i = 0; i < frame->rows; i++)
        mean += value[i * frame->columns] / (double)frame->rows;
    for (size_t i = 0; i < frame->rows; i++)
        squares += (value[i * frame->columns] - mean) * (value[i * frame->columns] - mean);
    const double deviation = sqrt(squares / (double)(frame->rows - 1));
    for (size_t i = 0; i < frame->rows; i++)
        value[i * frame->columns] = (value[i * frame->columns] - mean) / deviation;
}

int ws_analysis_standardise(const ws_frame *frame, const ws_analysis *a, ws_frame **out)
{
    const ws_frame *used = a->pca.loadings; /* a row for each column that went in */
    *out = NULL;
    size_t *column = calloc(used->rows, sizeof *column);
    if (!column)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < used->rows; i++)
        column[i] = (size_t)ws_frame_find_column(frame, used->label[i * used->labels]);
    const int status = ws_frame_pick_columns(frame, column, used->rows, out);
    free(column);
    for (size_t j = 0; !status && j < (*out)->columns; j++)
        standardise_column(*out, j);
    return status;
}

void ws_analysis_fini(ws_analysis *a)
{
    ws_pca_fini(&a->pca);
    ws_tree_destroy(a->tree);
    ws_frame_destroy(a->merges);
    ws_frame_destroy(a->groups);
    ws_frame_destroy(a->shares);
    *a = (ws_analysis){.cut = NAN};
}
