/* decompose.c - which directions carry the variance? */
#include "base/linear/linear.h"
#include "base/status.h"
#include "pca/pca_internal.h"

#include <math.h>

/* Entries within one part in 10^9 of the largest are equal to it: which of two equal loadings is rounded up is chance,
 * and the sign must not be. */
double ws_pca_sign(const double *value, size_t n, size_t stride)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(value[i * stride]));
    size_t first = 0;
    while (fabs(value[first * stride]) < most * (1 - 1e-9))
        first++;
    return value[first * stride] < 0 ? -1 : 1;
}

static void turn(double *vector, size_t n)
{
    if (ws_pca_sign(vector, n, 1) < 0)
        for (size_t i = 0; i < n; i++)
            vector[i] = vector[i] == 0 ? 0 : -vector[i];
}

int ws_pca_decompose(double *z, size_t rows, size_t columns, double *sigma, double *loading)
{
    const size_t k = rows < columns ? rows : columns;
    const int rc = ws_linear_decompose(z, rows, columns, sigma, loading);
    for (size_t i = 0; rc == WS_OK && i < k; i++)
        turn(loading + i * columns, columns);
    return rc;
}
