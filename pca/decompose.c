/* decompose.c - which directions carry the variance? */
#include "base/linear/linear.h"
#include "base/status.h"
#include "pca/pca_internal.h"

#include <math.h>

/* The largest entry in magnitude becomes positive. Entries within one part in 10^9 of it are equal to it: which of two
 * equal loadings is rounded up is chance, and the sign must not be. */
static void turn(double *vector, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(vector[i]));
    size_t first = 0;
    while (fabs(vector[first]) < most * (1 - 1e-9))
        first++;
    if (vector[first] < 0)
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
