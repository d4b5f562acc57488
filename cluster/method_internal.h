/* method_internal.h - what a method that is no tree gets, and has to find. */
#ifndef WS_METHOD_INTERNAL_H
#define WS_METHOD_INTERNAL_H

#include "cluster/cluster_internal.h"

#include <stdint.h>

typedef struct ws_points {
    const double *point; /* [rows * columns] */
    size_t rows, columns;
    const double *distance; /* condensed; NULL for a method that does not look at them */
    uint64_t seed;
} ws_points;

static inline double ws_points_distance(const ws_points *p, size_t i, size_t j)
{
    return i == j ? 0 : p->distance[i < j ? ws_pair(p->rows, i, j) : ws_pair(p->rows, j, i)];
}

/* member[k] in any order, all different; cluster[rows] where it is not that of the nearest member (untouched, 0, else),
 * with members in its order, numbers from 1; weight[k] where it is not the size of the cluster (untouched, NaN, else).
 * WS_EMEM. */
typedef int ws_choose(const ws_points *points, size_t k, size_t *cluster, size_t *member, double *weight);

ws_choose ws_choose_medoids, ws_choose_means, ws_choose_support;

#endif
