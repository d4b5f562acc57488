/* rotate.c - rotated components: their loadings, variances and the weights of their scores. */
#include "base/linear/linear.h"
#include "base/status.h"
#include "pca/pca_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct component {
    size_t index;
    double variance;
} component;

static int compare(const void *a, const void *b)
{
    const component *const x = a, *const y = b;
    return x->variance > y->variance   ? -1
           : x->variance < y->variance ? 1
                                       : (x->index > y->index) - (x->index < y->index);
}

static double squares(const double *value, size_t n, size_t stride)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i * stride] * value[i * stride];
    return sum;
}

/* Puts the columns of the rotation in order of falling variance, with the signs of pca.h. `turned` are the rotated
 * loadings. */
static void arrange(const double *turned, size_t columns, size_t k, component *order, double *rotation, double *copy)
{
    for (size_t c = 0; c < k; c++)
        order[c] = (component){c, squares(turned + c, columns, k)};
    qsort(order, k, sizeof *order, compare);
    memcpy(copy, rotation, k * k * sizeof *copy);
    for (size_t c = 0; c < k; c++) {
        const double sign = ws_pca_sign(turned + order[c].index, columns, k);
        for (size_t i = 0; i < k; i++)
            rotation[i * k + c] = sign * copy[i * k + order[c].index];
    }
}

int ws_pca_rotate(const double *vector, const double *eigenvalue, size_t columns, size_t k, ws_pca_rotated *out)
{
    double *const factor = malloc(columns * k * sizeof *factor), *const copy = malloc(k * k * sizeof *copy);
    component *const order = malloc(k * sizeof *order);
    *out = (ws_pca_rotated){.loading = malloc(columns * k * sizeof(double)),
                            .weight = malloc(columns * k * sizeof(double)),
                            .rotation = malloc(k * k * sizeof(double)),
                            .variance = malloc(k * sizeof(double))};
    int rc = factor && copy && order && out->loading && out->weight && out->rotation && out->variance
                 ? WS_OK
                 : ws_fail(WS_EMEM, "no memory to rotate %zu components", k);
    for (size_t i = 0; rc == WS_OK && i < columns * k; i++)
        factor[i] = vector[i % k * columns + i / k] * sqrt(eigenvalue[i % k]);
    if (rc == WS_OK)
        rc = ws_pca_varimax(factor, columns, k, out->rotation);
    if (rc == WS_OK)
        rc = ws_linear_multiply(factor, columns, k, out->rotation, k, out->loading);
    if (rc == WS_OK) {
        arrange(out->loading, columns, k, order, out->rotation, copy);
        rc = ws_linear_multiply(factor, columns, k, out->rotation, k, out->loading);
    }
    for (size_t c = 0; rc == WS_OK && c < k; c++)
        out->variance[c] = squares(out->loading + c, columns, k);
    for (size_t i = 0; rc == WS_OK && i < columns * k; i++)
        factor[i] /= eigenvalue[i % k];
    if (rc == WS_OK)
        rc = ws_linear_multiply(factor, columns, k, out->rotation, k, out->weight);
    free(factor);
    free(copy);
    free(order);
    if (rc != WS_OK)
        ws_pca_rotated_fini(out);
    return rc;
}

void ws_pca_rotated_fini(ws_pca_rotated *rotated)
{
    free(rotated->loading);
    free(rotated->weight);
    free(rotated->rotation);
    free(rotated->variance);
    *rotated = (ws_pca_rotated){0};
}
