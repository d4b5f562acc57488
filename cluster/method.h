/* method.h - ways to choose the rows that stand for all: representatives of the clusters of a tree, medoids, means, and
 * support points. A new one is a function and a row of method.def. */
#ifndef WS_METHOD_H
#define WS_METHOD_H

#include "cluster/cluster.h"

#include <stdbool.h>
#include <stdint.h>

/* The linkages come first, with their numbers: ws_method m = (ws_method)linkage. */
typedef enum ws_method {
#define LINKAGE(name, search, space, update, r_name, meaning) WS_METHOD_##name,
#include "cluster/linkage.def"
#undef LINKAGE
#define METHOD(name, function, matrix, weighted, groups, meaning) WS_METHOD_##name,
#include "cluster/method.def"
#undef METHOD
    WS_METHODS
} ws_method;

/* What is taken when nobody says anything: it predicts best (docs/statistics.md). */
#define WS_METHOD_DEFAULT WS_METHOD_support

const char *ws_method_name(ws_method method);
/* Are means over its members meant to be weighted by what they stand for? Does a member stand for a group of rows that
 * are alike? */
bool ws_method_weighted(ws_method method);
bool ws_method_groups(ws_method method);

/* The method of that name; WS_EINPUT, naming those there are, for another word. */
int ws_method_find(const char *name, ws_method *method);

/* What choices of all sizes from the same points share. */
typedef struct ws_selection ws_selection;

/* For point[rows * columns] (row-major, finite), which must live as long. The seed is for methods that draw. Takes
 * O(rows^2) time and memory but for kmeans. Failures as of ws_cluster_build. The caller frees *out with
 * ws_selection_destroy. */
int ws_selection_create(const double *point, size_t rows, size_t columns, ws_method method, uint64_t seed,
                        ws_selection **out);
void ws_selection_destroy(ws_selection *selection);

/* k members, 1..rows. cluster[rows] is 1..k, numbered in the order of the clusters' lowest rows; member[k] and
 * weight[k] are those of each cluster. Weights sum to the number of rows: as many as the cluster has, or, of support
 * points, what makes their distribution fit best. WS_EMEM. */
int ws_selection_choose(const ws_selection *selection, size_t k, size_t *cluster, size_t *member, double *weight);

#endif
