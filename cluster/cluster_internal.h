/* cluster_internal.h - distances and their updates, shared by the files of this folder. */
#ifndef WS_CLUSTER_INTERNAL_H
#define WS_CLUSTER_INTERNAL_H

#include "cluster/cluster.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the index of pair i < j of n in a condensed matrix. */
static inline size_t ws_pair(size_t n, size_t i, size_t j)
{
    return i * (2 * n - i - 3) / 2 + j - 1;
}

/* Returns the squared Euclidean distance, summed in the order of the columns. */
double ws_distance_square(const double *a, const double *b, size_t columns);

enum { WS_PANEL = 8 };

/* Packs points for ws_distance_panel: panels of WS_PANEL rows, column by column, padded with zero rows.
 * NULL when memory is short; the caller frees it with free(). */
double *ws_distance_pack(const double *point, size_t rows, size_t columns);

/* Squared distances of two rows to the WS_PANEL rows of a panel, bit-identical to ws_distance_square. */
void ws_distance_panel(const double *a, const double *b, const double *panel, size_t columns,
                       double square[2][WS_PANEL]);

/* Distances of rows i and i + 1 (or i again if it is the last) to rows first..rows, in distance[0..1][first..rows).
 * first is a multiple of WS_PANEL; packed comes from ws_distance_pack. */
void ws_distance_rows(const double *point, const double *packed, size_t rows, size_t columns, size_t i, size_t first,
                      double *const distance[2]);

/* Checks before any work that this number of condensed matrices fits into memory:
 * WS_ELIMIT with the bytes needed. */
int ws_distance_ask(size_t rows, size_t matrices);

/* WS_ENUMERIC if squared distances lose digits, or if their sums may overflow. */
int ws_distance_check(const double *point, size_t rows, size_t columns);

/* All pairs, condensed: distances or their squares. WS_ELIMIT, WS_ENUMERIC (as ws_distance_check), WS_EMEM. The caller
 * frees *out. */
int ws_distance_matrix(const double *point, size_t rows, size_t columns, bool squares, double **out);

/* Sets *higher to the number of shuffles, of those drawn with the seed, at which the condensed matrices a and b
 * correlate by at least `least`. Each matrix has mean 0 and squares that sum to 1. WS_EMEM. */
int ws_count_shuffles(const double *a, const double *b, size_t rows, size_t shuffles, uint64_t seed, double least,
                      size_t *higher);

/* Builds the tree of a condensed matrix of n >= 2, in the space of the linkage; overwrites the matrix. WS_ENUMERIC,
 * WS_EMEM. */
int ws_cluster_agglomerate(double *matrix, size_t n, ws_linkage linkage, ws_tree **out);

typedef struct ws_pair_of_clusters { /* distances from a third cluster to clusters a < b before their merge */
    double to_a, to_b, between;      /* in the space of the linkage */
    double size_a, size_b, size_other;
} ws_pair_of_clusters;

typedef double ws_linkage_update(const ws_pair_of_clusters *pair);

enum { WS_SPACE_DISTANCE, WS_SPACE_SQUARE };
enum { WS_SEARCH_nearest_list, WS_SEARCH_nearest_chain };

typedef struct ws_linkage_rule {
    const char *name, *r_name, *meaning;
    int search, space;
    ws_linkage_update *update;
} ws_linkage_rule;

const ws_linkage_rule *ws_linkage_rule_of(ws_linkage linkage);

#endif
