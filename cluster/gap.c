/* gap.c - are the clusters more than chance puts into points spread evenly? The one file here that draws numbers. */
#include "base/status.h"
#include "cluster/quality.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* logarithm[k - 1] = log of the within-cluster sum of squares of cuts into 1..most; minus infinity when all members of
 * each cluster are equal. */
static int log_within(const double *point, size_t rows, size_t columns, ws_linkage linkage, size_t most,
                      double *logarithm)
{
    ws_tree *tree = NULL;
    size_t *cluster = malloc(rows * sizeof *cluster);
    int rc = cluster ? ws_cluster_build(point, rows, columns, linkage, &tree)
                     : ws_fail(WS_EMEM, "no memory for the gap statistic");
    for (size_t k = 1; rc == WS_OK && k <= most; k++) {
        double within = 0;
        rc = ws_tree_cut(tree, k, cluster);
        if (rc == WS_OK)
            rc = ws_within_squares(point, rows, columns, cluster, k, &within);
        logarithm[k - 1] = within > 0 ? log(within) : -INFINITY;
    }
    free(cluster);
    ws_tree_destroy(tree);
    return rc;
}

static void find_ranges(const double *point, size_t rows, size_t columns, double *least, double *most)
{
    for (size_t c = 0; c < columns; c++) {
        least[c] = most[c] = point[c];
        for (size_t i = 1; i < rows; i++) {
            least[c] = fmin(least[c], point[i * columns + c]);
            most[c] = fmax(most[c], point[i * columns + c]);
        }
    }
}

static void draw(gsl_rng *rng, size_t rows, size_t columns, const double *least, const double *most, double *sample)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t c = 0; c < columns; c++)
            sample[i * columns + c] = least[c] + (most[c] - least[c]) * gsl_rng_uniform(rng);
}

/* Mean and deviation of column k of the references' logarithms, turned into gap and error. */
static void conclude(const double *reference, size_t references, size_t most, size_t k, double *gap, double *error)
{
    const double count = (double)references;
    double mean = 0, squares = 0;
    for (size_t b = 0; b < references; b++)
        mean += reference[b * most + k] / count;
    for (size_t b = 0; b < references; b++)
        squares += (reference[b * most + k] - mean) * (reference[b * most + k] - mean);
    const bool defined = isfinite(mean) && isfinite(gap[k]);
    gap[k] = defined ? mean - gap[k] : NAN;
    error[k] = defined ? sqrt(squares / count) * sqrt(1 + 1 / count) : NAN;
}

int ws_gap_statistic(const double *point, size_t rows, size_t columns, ws_linkage linkage, size_t most,
                     size_t references, uint64_t seed, double *gap, double *error)
{
    double *sample = malloc((rows * columns + 2 * columns) * sizeof *sample);
    double *reference = malloc(references * most * sizeof *reference);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int rc = sample && reference && rng ? WS_OK : ws_fail(WS_EMEM, "no memory for the gap statistic");
    if (rc == WS_OK)
        rc = log_within(point, rows, columns, linkage, most, gap);
    if (rc == WS_OK) {
        double *const low = sample + rows * columns, *const high = low + columns;
        find_ranges(point, rows, columns, low, high);
        gsl_rng_set(rng, (unsigned long)seed);
        for (size_t b = 0; rc == WS_OK && b < references; b++) {
            draw(rng, rows, columns, low, high, sample);
            rc = log_within(sample, rows, columns, linkage, most, reference + b * most);
        }
    }
    for (size_t k = 0; rc == WS_OK && k < most; k++)
        conclude(reference, references, most, k, gap, error);
    if (rng)
        gsl_rng_free(rng);
    free(reference);
    free(sample);
    return rc;
}

size_t ws_gap_choice(const double *gap, const double *error, size_t most)
{
    for (size_t k = 1; k < most; k++)
        if (gap[k - 1] >= gap[k] - error[k])
            return k;
    return most;
}
