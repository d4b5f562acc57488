/* cluster.h - agglomerative clustering of the rows of a frame into a tree.
 *
 * Distances are Euclidean. A rule for ties makes every tree unique. A cluster is identified by its lowest row. Each
 * step merges the closest two clusters. Among equally close pairs, the lowest first cluster wins, and then the lowest
 * second cluster. Equal rows have a distance of exactly 0. Trees follow the conventions of R's hclust, so R's functions
 * can read these trees and vice versa. */
#ifndef WS_CLUSTER_H
#define WS_CLUSTER_H

#include "base/frame.h"

#include <stddef.h>
#include <stdio.h>

typedef enum ws_linkage {
#define LINKAGE(name, search, space, update, r_name, meaning) WS_LINKAGE_##name,
#include "cluster/linkage.def"
#undef LINKAGE
    WS_LINKAGES
} ws_linkage;

/* Return the name of a linkage, and its meaning in one line. */
const char *ws_linkage_name(ws_linkage linkage);
const char *ws_linkage_meaning(ws_linkage linkage);

/* Finds the linkage of that name; WS_EINPUT, listing the linkages, for an unknown name. */
int ws_linkage_find(const char *name, ws_linkage *linkage);

typedef struct ws_merge {
    long left,
        right;     /* negative: minus the number of a row, from 1; positive: the number of an earlier merge, from 1 */
    double height; /* distance at which the two merge; it never decreases from one merge to the next */
    size_t size;   /* rows in the new cluster */
} ws_merge;

typedef struct ws_tree {
    size_t leaves;
    ws_merge *merge; /* [leaves - 1] rows before merges, the lower number in left */
    size_t *order;   /* [leaves] rows from 0 in drawing order, without crossings */
} ws_tree;

/* Clusters the rows of point[rows * columns] (row-major, finite). Takes O(rows^2) time and 4 * rows^2 bytes of memory.
 * WS_EINPUT for fewer than two rows, WS_ELIMIT when the machine has too little memory, WS_ENUMERIC when distances
 * overflow or underflow, WS_EMEM. The caller frees *out with ws_tree_destroy. */
int ws_cluster_build(const double *point, size_t rows, size_t columns, ws_linkage linkage, ws_tree **out);
void ws_tree_destroy(ws_tree *tree);

/* Returns the number of clusters after all merges at heights up to `height`, 1..leaves. */
size_t ws_tree_clusters_at(const ws_tree *tree, double height);

/* Cuts the tree into exactly k clusters, 1..leaves. cluster[i] is row i's cluster, 1..k, numbered by lowest row.
 * WS_EMEM. */
int ws_tree_cut(const ws_tree *tree, size_t k, size_t *cluster);

/* Returns the height halfway between the last merge in a cut into k and the next one; for a line in a drawing. */
double ws_tree_cut_height(const ws_tree *tree, size_t k);

/* Correlation over all pairs of rows of their distance with the height at which they meet (Sokal and Rohlf 1962); 1
 * when the tree represents the distances exactly. NaN when all pairs are equally far apart. WS_EMEM. */
int ws_tree_cophenetic_correlation(const ws_tree *tree, const double *point, size_t columns, double *correlation);

/* Returns the merges as a frame. Labels: step, left_name, right_name (row names; empty for earlier merges). Columns:
 * left, right, height, size. `rows`, the clustered frame, supplies row names and notes. WS_EMEM. */
int ws_tree_frame(const ws_tree *tree, const ws_frame *rows, ws_frame **out);

/* Writes the tree in the Newick format. Two leaves are as far apart along the branches as the height at which they
 * meet; each leaf is half that height below its merge. WS_EIO. */
int ws_tree_write_newick(const ws_tree *tree, const ws_frame *rows, FILE *out);

#endif
