/* barneshut_reference.h - the tree and the forces that barneshut.cu has to find, by recursion over lists of bodies. */
#ifndef WS_BARNESHUT_REFERENCE_H
#define WS_BARNESHUT_REFERENCE_H

#include "data/workloads/harness/harness.h"

enum { BH_AXES = 3, BH_OCTANTS = 8 };

typedef struct bh_bodies {
    int n;
    float *at[BH_AXES], *mass;
} bh_bodies;

typedef struct bh_cube { /* in the device's single precision: who is in which octant has to be the same */
    float x, y, z, half;
} bh_cube;

typedef struct bh_node {
    double centre[BH_AXES], mass;
    double size;
    int child[BH_OCTANTS], children; /* numbers of nodes */
    int leaf;                        /* whether it is one body */
} bh_node;

typedef struct bh_tree {
    bh_cube root;
    bh_node *node;
    int nodes, cells;
    int *order; /* bodies as they come in the tree */
} bh_tree;

typedef struct bh_force {
    double pull[BH_AXES];
    double size;  /* sum of the lengths of all terms */
    double doubt; /* how much it would change if cells were opened, or not, that are as near as the limit */
} bh_force;

bh_tree bh_grow(harness *h, const bh_bodies *b);
void bh_pull(const bh_tree *tree, const bh_bodies *b, double opening, double soft, bh_force *force);

#endif
