/* correlation.c - which columns of a frame say the same? */
#include "cluster/correlation.h"

#include "base/linear/linear.h"
#include "base/spread.h"
#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <math.h>
#include <stdlib.h>

static const double rounding = 1e-12; /* differences of 1 - |r| that are none */

static int standardise(const ws_frame *f, size_t column, double *unit)
{
    const double *const value = f->value + column;
    for (size_t i = 0; i < f->rows; i++)
        if (!isfinite(value[i * f->columns]))
            return ws_fail(WS_EINPUT, "row %zu has no number in column '%s'", i + 1, f->column[column].name);
    if (f->rows < 2 || !ws_spread_unit(value, f->rows, f->columns, unit))
        return ws_fail(WS_EINPUT, "column '%s' does not vary, so it correlates with nothing", f->column[column].name);
    return WS_OK;
}

int ws_correlation_distances(const ws_frame *f, double **out)
{
    const size_t n = f->columns, pairs = n * (n - 1) / 2;
    *out = NULL;
    if (n < 2)
        return ws_fail(WS_EINPUT, "expected at least 2 columns that vary, found %zu", n);
    int rc = ws_distance_ask(n, 1);
    if (rc)
        return rc;
    double *const unit = malloc(n * (f->rows + 1) * sizeof *unit), *const matrix = malloc(pairs * sizeof *matrix);
    rc = unit && matrix ? WS_OK : ws_fail(WS_EMEM, "no memory for the correlations of %zu columns", n);
    for (size_t j = 0; j < n && !rc; j++)
        rc = standardise(f, j, unit + j * f->rows);
    if (!rc)
        rc = ws_linear_inner_products(unit, n, f->rows, matrix);
    for (size_t p = 0; p < pairs && !rc; p++) {
        const double distance = 1 - fabs(matrix[p]);
        matrix[p] = distance > rounding ? distance : 0;
    }
    free(unit);
    if (rc)
        free(matrix);
    else
        *out = matrix;
    return rc;
}

int ws_correlation_tree(const double *distance, size_t columns, ws_linkage linkage, ws_tree **out)
{
    const size_t pairs = columns * (columns - 1) / 2;
    double *const matrix = malloc(pairs * sizeof *matrix);
    if (!matrix)
        return ws_fail(WS_EMEM, "no memory to cluster %zu columns", columns);
    const bool squares = ws_linkage_rule_of(linkage)->space == WS_SPACE_SQUARE;
    for (size_t i = 0; i < pairs; i++)
        matrix[i] = squares ? distance[i] * distance[i] : distance[i];
    const int rc = ws_cluster_agglomerate(matrix, columns, linkage, out);
    free(matrix);
    return rc;
}

/* Sum of distances to the others of its cluster. */
static double distance_within(const double *distance, const size_t *cluster, size_t n, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        if (j != i && cluster[j] == cluster[i])
            sum += distance[i < j ? ws_pair(n, i, j) : ws_pair(n, j, i)];
    return sum;
}

/* member[c - 1]: who stands for cluster c. */
static void find_representatives(const double *distance, const size_t *cluster, size_t n, size_t k, size_t *member,
                                 double *least)
{
    for (size_t c = 0; c < k; c++)
        least[c] = INFINITY;
    for (size_t i = 0; i < n; i++) {
        const double sum = distance_within(distance, cluster, n, i);
        if (sum < least[cluster[i] - 1] - rounding) {
            least[cluster[i] - 1] = sum;
            member[cluster[i] - 1] = i;
        }
    }
}

int ws_correlation_groups(const ws_frame *f, const double *distance, const ws_tree *tree, size_t k, ws_frame **out)
{
    static const char *const label[] = {"column"};
    const size_t n = f->columns;
    ws_frame *const frame = ws_frame_create(n, 2, 1, label);
    size_t *const cluster = calloc(n, sizeof *cluster), *const member = calloc(k, sizeof *member);
    double *const least = calloc(k, sizeof *least);
    int rc = frame && cluster && member && least ? ws_tree_cut(tree, k, cluster)
                                                 : ws_fail(WS_EMEM, "no memory for the clusters of %zu columns", n);
    if (!rc)
        find_representatives(distance, cluster, n, k, member, least);
    if (!rc)
        rc = ws_frame_set_column(frame, 0, "cluster", "", "");
    if (!rc)
        rc = ws_frame_set_column(frame, 1, "representative", "", "");
    for (size_t i = 0; i < n && !rc; i++) {
        rc = ws_frame_set_label(frame, i, 0, f->column[i].name);
        frame->value[2 * i] = (double)cluster[i];
        frame->value[2 * i + 1] = member[cluster[i] - 1] == i;
    }
    free(cluster);
    free(member);
    free(least);
    return ws_frame_give(rc, frame, out);
}
