/* rank.c - in which place of its column does a value stand? */
#include "pca/pca.h"

#include <stdlib.h>

typedef struct column {
    const double *value;
    size_t stride;
} column;

static int compare(const void *a, const void *b, void *context)
{
    const column *const c = context;
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const double x = c->value[i * c->stride], y = c->value[j * c->stride];
    return x < y ? -1 : x > y ? 1 : (i > j) - (i < j);
}

void ws_pca_rank(double *value, size_t n, size_t stride, size_t *order)
{
    column c = {value, stride};
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, compare, &c);
    for (size_t first = 0, next; first < n; first = next) {
        const double equal = value[order[first] * stride];
        next = first + 1;
        while (next < n && value[order[next] * stride] == equal)
            next++;
        for (size_t i = first; i < next; i++) /* places first + 1 .. next */
            value[order[i] * stride] = (double)(first + 1 + next) / 2;
    }
}
