/* decompose.c - which directions carry the variance? The one file that talks to LAPACK. */
#include "base/status.h"
#include "pca/pca_internal.h"

#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* OpenBLAS adds up in another order with another number of threads; one thread gives the same bits every time. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));

static int one_thread(void)
{
    const int before = openblas_get_num_threads ? openblas_get_num_threads() : 0;
    if (before > 1)
        openblas_set_num_threads(1);
    return before;
}

static void restore_threads(int before)
{
    if (before > 1)
        openblas_set_num_threads(before);
}

static int translate(lapack_int info)
{
    if (info == 0)
        return WS_OK;
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return ws_fail(WS_EMEM, "no memory for the singular value decomposition");
    if (info > 0)
        return ws_fail(WS_ENUMERIC, "the singular value decomposition did not converge");
    return ws_fail(WS_ENUMERIC, "the singular value decomposition refused its argument %d", (int)-info);
}

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
    if (rows > INT_MAX || columns > INT_MAX)
        return ws_fail(WS_ENUMERIC, "%zu x %zu is too large for the singular value decomposition", rows, columns);
    /* Row-major z is its transpose column by column: z' = loading * sigma * right'. */
    const lapack_int m = (lapack_int)columns, n = (lapack_int)rows;
    const lapack_int k = m < n ? m : n;
    double *right = malloc((size_t)k * rows * sizeof *right);
    if (!right)
        return ws_fail(WS_EMEM, "no memory for the singular value decomposition of %zu x %zu", rows, columns);
    const int threads = one_thread();
    const int rc = translate(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', m, n, z, m, sigma, loading, m, right, k));
    restore_threads(threads);
    free(right);
    for (size_t i = 0; rc == WS_OK && i < (size_t)k; i++)
        turn(loading + i * columns, columns);
    return rc;
}
