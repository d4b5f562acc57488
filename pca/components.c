/* components.c - how many components are worth keeping? */
#include "base/status.h"
#include "pca/pca_internal.h"

#include <assert.h>

/* Rounding must not decide: a cumulative share of 0.9 less a few ulp is 0.9, an eigenvalue of 1 and a few ulp is 1. */
static const double slack = 1e-12;

static int keep_variance(double fraction, const double *eigenvalue, size_t rank, size_t *kept)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < rank; i++)
        total += eigenvalue[i];
    size_t n = 0;
    while (n < rank && (n == 0 || sum < (fraction - slack) * total))
        sum += eigenvalue[n++];
    *kept = n;
    return WS_OK;
}

static int keep_fixed(double count, const double *eigenvalue, size_t rank, size_t *kept)
{
    (void)eigenvalue;
    if (!(count >= 1 && count <= (double)rank))
        return ws_fail(WS_EINPUT,
                       "expected a number of components from 1 to %zu (as many as these data have), found %g", rank,
                       count);
    *kept = (size_t)count;
    return WS_OK;
}

/* Kaiser 1960. At least one is kept: when all columns are uncorrelated every eigenvalue is 1. */
static int keep_kaiser(double unused, const double *eigenvalue, size_t rank, size_t *kept)
{
    (void)unused;
    size_t n = 1;
    while (n < rank && eigenvalue[n] > 1 + slack * (double)rank)
        n++;
    *kept = n;
    return WS_OK;
}

int ws_pca_choose(const ws_pca_options *options, const double *eigenvalue, size_t rank, size_t *kept)
{
    static int (*const rules[])(double, const double *, size_t, size_t *) = {
#define KEEP(name, rule, meaning) [WS_PCA_KEEP_##name] = rule,
#include "pca/keep.def"
#undef KEEP
    };
    assert(rank > 0 && (unsigned)options->keep < WS_PCA_KEEP_COUNT);
    return rules[options->keep](options->amount, eigenvalue, rank, kept);
}
