/* tangle.h - two trees of the same rows side by side: how far their leaf orders differ, and turned branches. */
#ifndef WS_TANGLE_H
#define WS_TANGLE_H

#include "cluster/cluster.h"

/* Entanglement of two leaf orders of n >= 2 rows (T. Galili, dendextend, Bioinformatics 31, 2015): the sum over rows of
 * |difference of their places|^1.5, over that of two opposite orders. 0: the same order, 1: opposite. WS_EMEM. */
int ws_entanglement(const size_t *order, const size_t *other, size_t n, double *out);

/* Turns branches of two trees of the same rows, so that their leaf orders differ less: for one tree after the other,
 * from the root down, exchanges the two parts of each merge where that lowers the entanglement, until no exchange does.
 * That is a local minimum. Updates left, right and order of both trees; left may then be the higher number. Takes
 * O(rows^2) time a pass in the worst case. WS_EMEM leaves both trees unchanged. */
int ws_trees_untangle(ws_tree *a, ws_tree *b);

#endif
