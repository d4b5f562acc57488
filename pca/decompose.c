/* decompose.c - which directions carry the variance? The one file that talks to LAPACK.
 *
 * OpenBLAS takes as long to load as most commands run, starts a thread for every processor, and at exit waits for them.
 * So it is opened here, when somebody decomposes, and the program itself is not linked with it. */
#include "base/status.h"
#include "pca/pca_internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* LAPACK's dgesdd: matrices column by column, every argument by address; the last is the length of `job`, which
 * Fortran passes behind the others. A `lwork` of -1 asks for the least size of `work`, which comes in work[0]. */
typedef void dgesdd(const char *job, const int *m, const int *n, double *a, const int *lda, double *s, double *u,
                    const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *iwork, int *info,
                    size_t job_length);

static struct {
    pthread_once_t once;
    dgesdd *solve; /* NULL: it could not be loaded, and `why` */
    int why;
    char message[512];
} lapack = {.once = PTHREAD_ONCE_INIT};

enum { LOADED_BYTES = 160 << 20 }; /* address space that OpenBLAS takes to load and solve, generously */

/* Without memory OpenBLAS neither fails nor returns, so we ask before. */
static bool is_room(void)
{
    void *const try = mmap(NULL, LOADED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return try != MAP_FAILED && !munmap(try, LOADED_BYTES);
}

/* With one thread it adds up in one order; more are neither made nor waited for. It reads the variable as it is loaded.
 */
static void *open_openblas(void)
{
    static const char name[] = "OPENBLAS_NUM_THREADS";
    const char *const now = getenv(name);
    char *const before = now ? strdup(now) : NULL;
    setenv(name, "1", 1);
    void *const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (before)
        setenv(name, before, 1);
    else
        unsetenv(name);
    free(before);
    return library;
}

static void note(int why, const char *message)
{
    lapack.why = why;
    snprintf(lapack.message, sizeof lapack.message, "%s", message);
}

static void load(void)
{
    if (!is_room()) {
        note(WS_EMEM, "no memory to load the library of linear algebra (OpenBLAS)");
        return;
    }
    void *library = open_openblas();
    if (!library)
        library = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library)
        lapack.solve = (dgesdd *)dlsym(library, "dgesdd_");
    if (!lapack.solve) {
        const char *const reason = dlerror();
        snprintf(lapack.message, sizeof lapack.message, "neither libopenblas.so.0 nor liblapack.so.3 can be used: %s",
                 reason ? reason : "no dgesdd in it");
        lapack.why = WS_EIO;
    }
}

static int translate(int info)
{
    if (info == 0)
        return WS_OK;
    if (info > 0)
        return ws_fail(WS_ENUMERIC, "the singular value decomposition did not converge");
    return ws_fail(WS_ENUMERIC, "the singular value decomposition refused its argument %d", -info);
}

/* z' (m by n) = loading (m by k) * sigma * right (k by n); z is lost. */
static int solve(double *z, int m, int n, double *sigma, double *loading, double *right)
{
    const int k = m < n ? m : n, ask = -1;
    double wanted = 0;
    int info = 0;
    int *const iwork = malloc(8 * (size_t)k * sizeof *iwork);
    if (!iwork)
        return ws_fail(WS_EMEM, "no memory for the singular value decomposition of %d x %d", n, m);
    lapack.solve("S", &m, &n, z, &m, sigma, loading, &m, right, &k, &wanted, &ask, iwork, &info, 1);
    const int lwork = wanted < INT_MAX ? (int)wanted : INT_MAX;
    double *const work = info == 0 ? malloc((size_t)lwork * sizeof *work) : NULL;
    if (work)
        lapack.solve("S", &m, &n, z, &m, sigma, loading, &m, right, &k, work, &lwork, iwork, &info, 1);
    const int rc = work || info ? translate(info)
                                : ws_fail(WS_EMEM, "no memory for the singular value decomposition of %d x %d", n, m);
    free(work);
    free(iwork);
    return rc;
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
    pthread_once(&lapack.once, load);
    if (!lapack.solve)
        return ws_fail(lapack.why, "%s", lapack.message);
    /* Row-major z is its transpose column by column: z' = loading * sigma * right'. */
    const int m = (int)columns, n = (int)rows, k = m < n ? m : n;
    double *right = malloc((size_t)k * rows * sizeof *right);
    if (!right)
        return ws_fail(WS_EMEM, "no memory for the singular value decomposition of %zu x %zu", rows, columns);
    const int rc = solve(z, m, n, sigma, loading, right);
    free(right);
    for (size_t i = 0; rc == WS_OK && i < (size_t)k; i++)
        turn(loading + i * columns, columns);
    return rc;
}
