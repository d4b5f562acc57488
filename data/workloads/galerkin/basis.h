/* basis.h - DG: polynomials on the tetrahedron with corners 0, x, y, z of unit length, by their values at nodes. */
#ifndef WS_GALERKIN_BASIS_H
#define WS_GALERKIN_BASIS_H

#include "data/workloads/harness/harness.h"

enum { DG_MOST_ORDER = 6, DG_FACES = 4, DG_AXES = 3, DG_CORNERS = 4 };

/* Matrices are by rows. modes: orthonormal polynomials. Face f is opposite to corner f. */
typedef struct dg_basis {
    int order, nodes, face_nodes;
    double (*place)[DG_CORNERS]; /* of the nodes: weights of the corners */
    int *face[DG_FACES];         /* nodes on each face */
    double *value;               /* [node][mode] */
    double *mode;                /* inverse of value */
    double *slope[DG_AXES];      /* [node][mode]: derivatives of the modes */
    double *derive[DG_AXES];     /* [node][node]: derivatives of the polynomial that is 1 at a node */
    double *face_mass;           /* [face node][face node]: integrals of products over a triangle of area 1/2 */
    double *lift;                /* [node][face, face node]: inverse mass matrix times face masses */
} dg_basis;

dg_basis dg_make_basis(harness *h, int order);

/* out[rows][columns] = a[rows][inner] b[inner][columns] */
void dg_multiply(double *restrict out, const double *restrict a, const double *restrict b, int rows, int inner,
                 int columns);

#endif
