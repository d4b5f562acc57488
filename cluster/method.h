/* method.h - methods to select representative rows: representatives of the clusters of a tree, medoids, means, and
 * support points. A new method is a function and a row of method.def. */
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

/* Default method: the best predictor (docs/statistics.md). */
#define WS_METHOD_DEFAULT WS_METHOD_support

const char *ws_method_name(ws_method method);
/* Return whether means over members should use weights, and whether each member represents a group of similar rows. */
bool ws_method_weighted(ws_method method);
bool ws_method_groups(ws_method method);

/* Finds the method of that name; WS_EINPUT, listing the methods, for an unknown name. */
int ws_method_find(const char *name, ws_method *method);

/* State shared by selections of all sizes from the same points. */
typedef struct ws_selection ws_selection;

/* Prepares point[rows * columns] (row-major, finite), which must outlive the selection. The seed is used by random
 * methods. Takes O(rows^2) time and memory, except for kmeans. Failures as in ws_cluster_build. The caller frees *out
 * with ws_selection_destroy. */
int ws_selection_create(const double *point, size_t rows, size_t columns, ws_method method, uint64_t seed,
                        ws_selection **out);
void ws_selection_destroy(ws_selection *selection);

/* Makes rows members of every subset, or of none: required[rows] and excluded[rows], which must outlive the selection;
 * NULL for none. No row is both. importance[rows], 0 or more, is how much each row counts among all; NULL: all the
 * same. Only support points take them. WS_EINPUT: another method. */
int ws_selection_restrict(ws_selection *selection, const bool *required, const bool *excluded,
                          const double *importance);

/* Selects k members, 1..rows. cluster[rows] is 1..k, numbered by the clusters' lowest rows; member[k] and weight[k]
 * belong to the clusters. k is between the number of required rows and that of rows that are not excluded. Weights sum
 * to the number of rows. A weight is the cluster's size; for support points it is the value with which their
 * distribution fits best. WS_EMEM. */
int ws_selection_choose(const ws_selection *selection, size_t k, size_t *cluster, size_t *member, double *weight);

#endif
