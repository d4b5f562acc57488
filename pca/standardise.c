/* standardise.c - columns as standard scores. */
#include "pca/pca_internal.h"

#include "base/spread.h"

bool ws_pca_standardise(const double *value, size_t n, size_t stride, double *z)
{
    ws_spread s;
    if (!ws_spread_measure(value, n, stride, &s))
        return false;
    for (size_t i = 0; i < n; i++)
        z[i * stride] = ws_spread_score(&s, value[i * stride]);
    return true;
}
