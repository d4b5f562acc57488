/* cluster.h - from points to a tree of clusters: which rows of a frame are alike?
 *
 * Agglomerative clustering by Euclidean distance. Rule for ties, which makes every tree unique: a cluster is known by
 * its lowest row; at each step the closest two clusters merge, of equally close pairs the one whose lower cluster comes
 * first, then the one whose higher cluster comes first. Equal rows are at distance 0 exactly. Trees follow the
 * conventions of R's hclust, so that its functions and ours can read each other's. */
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

/* The word of a linkage, and what it means in one line. */
const char *ws_linkage_name(ws_linkage linkage);
const char *ws_linkage_meaning(ws_linkage linkage);

/* The linkage of that name; WS_EINPUT, naming those there are, for another word. */
int ws_linkage_find(const char *name, ws_linkage *linkage);

typedef struct ws_merge {
    long left,
        right;     /* negative: minus the number of a row, from 1; positive: the number of an earlier merge, from 1 */
    double height; /* distance at which the two were merged; never falls from one merge to the next */
    size_t size;   /* rows in the new cluster */
} ws_merge;

typedef struct ws_tree {
    size_t leaves;
    ws_merge *merge; /* [leaves - 1] rows before merges, the lower number on the left */
    size_t *order;   /* [leaves] rows from 0 in the order in which a drawing without crossings shows them */
} ws_tree;

/* Clusters the rows of point[rows * columns] (row-major, finite). Takes O(rows^2) time and 4 * rows^2 bytes of memory.
 * WS_EINPUT for fewer than two rows, WS_ELIMIT when the machine has not that much memory, WS_ENUMERIC when distances
 * overflow or underflow, WS_EMEM. The caller frees *out with ws_tree_destroy. */
int ws_cluster_build(const double *point, size_t rows, size_t columns, ws_linkage linkage, ws_tree **out);
void ws_tree_destroy(ws_tree *tree);

/* Number of clusters left when all merges at heights up to `height` are done, 1..leaves. */
size_t ws_tree_clusters_at(const ws_tree *tree, double height);

/* cluster[i] = number of row i's cluster, 1..k, when the tree is cut into exactly k; numbered in order of their lowest
 * rows. k is 1..leaves. WS_EMEM. */
int ws_tree_cut(const ws_tree *tree, size_t k, size_t *cluster);

/* Height halfway between the last merge done and the first not done in a cut into k; for a line in a drawing. */
double ws_tree_cut_height(const ws_tree *tree, size_t k);

/* Correlation of the heights at which rows meet with their distances, over all pairs (Sokal and Rohlf 1962): 1 when
 * the tree tells the distances faithfully. NaN when all pairs are equally far apart. WS_EMEM. */
int ws_tree_cophenetic_correlation(const ws_tree *tree, const double *point, size_t columns, double *correlation);

/* The merges as a frame: labels step, left_name, right_name (names of rows; empty for earlier merges), columns left,
 * right, height, size. `rows` is the frame that was clustered: its row names and notes are taken. WS_EMEM. */
int ws_tree_frame(const ws_tree *tree, const ws_frame *rows, ws_frame **out);

/* The tree in the Newick form, with branch lengths such that a leaf lies half the height below its merge
 * and two leaves are as far apart along the branches as the height at which they meet. WS_EIO. */
int ws_tree_write_newick(const ws_tree *tree, const ws_frame *rows, FILE *out);

#endif
