/* linear.c - see linear.h. The one file that calls LAPACKE and OpenBLAS. The latter by its Fortran names: had we its
 * cblas, GSL would be linked with it too, whose callers know of no lock, and whose numbers are those
 * of any processor. */
#include "base/linear/linear.h"

#include "base/status.h"

#include <lapacke.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Its headers of these names and LAPACKE's do not go together. */
double ddot_(const lapack_int *n, const double *x, const lapack_int *x_step, const double *y, const lapack_int *y_step);
void dgemv_(const char *transposed, const lapack_int *rows, const lapack_int *columns, const double *alpha,
            const double *a, const lapack_int *a_step, const double *x, const lapack_int *x_step, const double *beta,
            double *y, const lapack_int *y_step);
void dsyrk_(const char *triangle, const char *transposed, const lapack_int *n, const lapack_int *k, const double *alpha,
            const double *a, const lapack_int *a_step, const double *beta, double *c, const lapack_int *c_step);
void openblas_set_num_threads(int threads);
char *openblas_get_config(void);

enum { BUFFER_BYTES = 160 << 20 }; /* address space of OpenBLAS's buffer, generously */

/* One caller at a time: OpenBLAS without threads has few buffers, and prints when they are used up. */
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

/* OpenBLAS takes its buffer at the first product and keeps it. Without memory it tries for ever, so we ask before. */
static bool take_buffer(void)
{
    static bool taken;
    if (taken)
        return true;
    void *const try = mmap(NULL, BUFFER_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (try == MAP_FAILED)
        return false;
    munmap(try, BUFFER_BYTES);
    openblas_set_num_threads(1);
    const double a = 1, zero = 0;
    const lapack_int n = 1;
    double product;
    dsyrk_("U", "N", &n, &n, &a, &a, &n, &zero, &product, &n);
    return taken = true;
}

/* WS_OK: the caller has OpenBLAS, and gives it back by `end`. */
static int begin(size_t rows, size_t columns)
{
    if (rows > INT_MAX || columns > INT_MAX)
        return ws_fail(WS_ENUMERIC, "%zu x %zu is too large for a matrix", rows, columns);
    pthread_mutex_lock(&one);
    if (take_buffer())
        return WS_OK;
    pthread_mutex_unlock(&one);
    return ws_fail(WS_EMEM, "no memory for linear algebra (OpenBLAS)");
}

static void end(void)
{
    pthread_mutex_unlock(&one);
}

static int translate(lapack_int info, size_t rows, size_t columns)
{
    if (info == LAPACK_WORK_MEMORY_ERROR)
        return ws_fail(WS_EMEM, "no memory for the singular value decomposition of %zu x %zu", rows, columns);
    if (info > 0)
        return ws_fail(WS_ENUMERIC, "the singular value decomposition did not converge");
    return info ? ws_fail(WS_ENUMERIC, "the singular value decomposition refused its argument %d", -info) : WS_OK;
}

/* Row-major a is its transpose column by column: a' (m x n) = right * sigma * left. */
int ws_linear_decompose(double *a, size_t rows, size_t columns, double *sigma, double *right)
{
    const size_t k = rows < columns ? rows : columns;
    double *const left = malloc(k * rows * sizeof *left);
    int rc = left ? begin(rows, columns) : translate(LAPACK_WORK_MEMORY_ERROR, rows, columns);
    if (!rc) {
        const lapack_int m = (lapack_int)columns, n = (lapack_int)rows;
        rc = translate(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', m, n, a, m, sigma, right, m, left, (lapack_int)k), rows,
                       columns);
        end();
    }
    free(left);
    return rc;
}

/* Rows of `width` values, each at the start of a line: how a kernel rounds depends on where its data lie. NULL without
 * memory. */
static double *alloc_lines(size_t rows, size_t width, size_t *stride)
{
    enum { LINE_BYTES = 64, VALUES = LINE_BYTES / sizeof(double) };
    *stride = (width + VALUES - 1) / VALUES * VALUES;
    double *const line = aligned_alloc(LINE_BYTES, (rows * *stride + VALUES) * sizeof *line);
    if (!line)
        ws_fail(WS_EMEM, "no memory for a matrix of %zu x %zu", rows, width);
    return line;
}

/* Pair by pair, as the place within a matrix-matrix product decides how an element is rounded. */
int ws_linear_inner_products(const double *vector, size_t n, size_t length, double *product)
{
    size_t stride;
    double *const line = alloc_lines(n, length, &stride);
    const int rc = line ? begin(n, length) : WS_EMEM;
    if (!rc) {
        for (size_t i = 0; i < n; i++)
            memcpy(line + i * stride, vector + i * length, length * sizeof *line);
        const lapack_int values = (lapack_int)length, step = 1;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                *product++ = ddot_(&values, line + i * stride, &step, line + j * stride, &step);
        end();
    }
    free(line);
    return rc;
}

/* Row by row, for the same reason. */
int ws_linear_multiply(const double *a, size_t rows, size_t columns, const double *b, size_t k, double *out)
{
    size_t stride;
    double *const from = alloc_lines(2, columns > k ? columns : k, &stride), *const to = from + stride;
    const int rc = from ? begin(columns, k) : WS_EMEM;
    if (!rc) {
        /* Row-major b is its transpose column by column, which is not transposed again. */
        const lapack_int m = (lapack_int)k, n = (lapack_int)columns, step = 1;
        const double alpha = 1, beta = 0;
        for (size_t i = 0; i < rows; i++) {
            memcpy(from, a + i * columns, columns * sizeof *from);
            dgemv_("N", &m, &n, &alpha, b, &m, from, &step, &beta, to, &step);
            memcpy(out + i * k, to, k * sizeof *out);
        }
        end();
    }
    free(from);
    return rc;
}

const char *ws_linear_library(void)
{
    return openblas_get_config();
}
