/* method_internal.h - interface of selection methods other than trees. */
#ifndef WS_METHOD_INTERNAL_H
#define WS_METHOD_INTERNAL_H

#include "cluster/cluster_internal.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_points {
    const double *point; /* [rows * columns] */
    size_t rows, columns;
    const double *distance; /* condensed; NULL for a method that does not use distances */
    uint64_t seed;
    const bool *required, *excluded; /* [rows] rows that must be members, and that must not; NULL: none */
    const double *importance;        /* [rows] how much each row counts, more than 0 in sum; NULL: all the same */
} ws_points;

static inline double ws_points_distance(const ws_points *p, size_t i, size_t j)
{
    return i == j ? 0 : p->distance[i < j ? ws_pair(p->rows, i, j) : ws_pair(p->rows, j, i)];
}

/* Sets member[k], all different, in any order. Sets cluster[rows], numbered from 1 in the order of member, if it
 * differs from the nearest member's cluster; else leaves it 0. Sets weight[k] if it differs from the cluster's size;
 * else leaves it NaN. WS_EMEM. */
typedef int ws_choose(const ws_points *points, size_t k, size_t *cluster, size_t *member, double *weight);

ws_choose ws_choose_medoids, ws_choose_means, ws_choose_support;

#endif
