/* analysis.c - from a frame to components, a tree, clusters and their representatives. */
#include "cli/report/analysis.h"

#include "base/spread.h"
#include "base/status.h"
#include "base/text.h"
#include "cluster/caution.h"
#include "cluster/quality.h"

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
    return (!strncmp(name, "PC", 2) || !strncmp(name, "RC", 2)) && isdigit((unsigned char)name[2]) &&
           !name[2 + strspn(name + 2, "0123456789")];
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
        status = ws_assignment_frame(points, a->tree, options->clusters, &a->groups);
    }
    return status;
}

static int rank_columns(ws_frame *frame)
{
    size_t *order = calloc(frame->rows, sizeof *order);
    if (!order)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t j = 0; j < frame->columns; j++)
        ws_pca_rank(frame->value + j, frame->rows, frame->columns, order);
    free(order);
    return WS_OK;
}

int ws_analysis_standardise(const ws_frame *frame, const ws_analysis_options *options, const ws_analysis *a,
                            ws_frame **out)
{
    const ws_frame *used = a->pca.loadings; /* a row for each column that went in */
    *out = NULL;
    size_t *column = calloc(used->rows, sizeof *column);
    if (!column)
        return ws_fail(WS_EMEM, "out of memory");
    /* Both in the order of the frame, so the search goes on where the last one ended. */
    for (size_t i = 0, at = 0; i < used->rows; i++, at++) {
        while (at < frame->columns && strcmp(frame->column[at].name, used->label[i * used->labels]))
            at++;
        if (at == frame->columns) /* in another order */
            at = (size_t)ws_frame_find_column(frame, used->label[i * used->labels]);
        column[i] = at;
    }
    int status = ws_frame_pick_columns(frame, column, used->rows, out);
    free(column);
    if (!status && options->pca.ranks)
        status = rank_columns(*out);
    for (size_t j = 0; !status && j < (*out)->columns; j++)
        ws_spread_scores((*out)->value + j, (*out)->rows, (*out)->columns, (*out)->value + j); /* some have no spread */
    return status;
}

static size_t find_label(const ws_frame *frame, const char *name)
{
    const long label = ws_frame_find_label(frame, name);
    return label < 0 ? frame->labels : (size_t)label;
}

/* The size of a row, which is text in frames of ws_subset_run and a column in those of ws_subset_evaluate. */
static int read_size(const ws_frame *frame, size_t row, size_t label, long column, double *size)
{
    if (column >= 0) {
        *size = frame->value[row * frame->columns + (size_t)column];
        return WS_OK;
    }
    const char *text = frame->label[row * frame->labels + label];
    return ws_text_to_double(text, strlen(text), size)
               ? ws_fail(WS_EINPUT, "row %zu: the size '%s' is no number", row + 1, text)
               : WS_OK;
}

int ws_analysis_sizes_first(const ws_frame *frame, ws_frame **out)
{
    static const char *const label_name[] = {"method"};
    *out = NULL;
    const size_t label = find_label(frame, "size"), known = find_label(frame, "method");
    const size_t method = known < frame->labels ? known : find_label(frame, "linkage"); /* as older frames call it */
    const long column = ws_frame_find_column(frame, "size");
    if (label == frame->labels && column < 0)
        return WS_OK;
    const size_t others = frame->columns - (column >= 0);
    ws_frame *copy = ws_frame_create(frame->rows, others + 1, 1, label_name);
    int status = copy ? ws_frame_set_column(copy, 0, "size", "workloads", "") : ws_fail(WS_EMEM, "out of memory");
    for (size_t j = 0, to = 1; !status && j < frame->columns; j++) {
        if ((long)j == column)
            continue;
        status = ws_frame_set_column(copy, to, frame->column[j].name, frame->column[j].unit, frame->column[j].group);
        for (size_t i = 0; i < frame->rows; i++)
            copy->value[i * copy->columns + to] = frame->value[i * frame->columns + j];
        to++;
    }
    for (size_t i = 0; !status && i < frame->rows; i++) {
        status = read_size(frame, i, label, column, &copy->value[i * copy->columns]);
        if (!status && method < frame->labels)
            status = ws_frame_set_label(copy, i, 0, frame->label[i * frame->labels + method]);
    }
    return ws_frame_give(status, copy, out);
}

int ws_analysis_append(ws_frame **to, ws_frame *more)
{
    if (!*to) {
        *to = more;
        return WS_OK;
    }
    const ws_frame *first = *to;
    ws_frame *both = ws_frame_create(first->rows + more->rows, first->columns, first->labels,
                                     (const char *const *)first->label_names);
    int status = both ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t n = 0; !status && n < first->notes; n++)
        status = ws_frame_note(both, "%s", first->note[n]);
    for (size_t c = 0; !status && c < first->columns; c++)
        status = ws_frame_set_column(both, c, first->column[c].name, first->column[c].unit, first->column[c].group);
    for (size_t i = 0; !status && i < both->rows; i++) {
        const ws_frame *from = i < first->rows ? first : more;
        const size_t row = i < first->rows ? i : i - first->rows;
        for (size_t l = 0; !status && l < both->labels; l++)
            status = ws_frame_set_label(both, i, l, from->label[row * from->labels + l]);
        memcpy(both->value + i * both->columns, from->value + row * from->columns, both->columns * sizeof *both->value);
    }
    if (!status)
        status = ws_caution_copy(more, both);
    ws_frame_destroy(more);
    if (status) {
        ws_frame_destroy(both);
        return status;
    }
    ws_frame_destroy(*to);
    *to = both;
    return WS_OK;
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
