/* mesh.h - DG: tetrahedra that fill the unit cube, and who touches whom. */
#ifndef WS_GALERKIN_MESH_H
#define WS_GALERKIN_MESH_H

#include "data/workloads/galerkin/basis.h"

/* A tetrahedron with straight edges. Gradients of the corners' weights say all: those of corners 1 to 3 are the
 * derivatives of the reference coordinates, and those of a face's corner its normal and its area over volume. */
typedef struct dg_element {
    int corner[DG_CORNERS];
    double volume6; /* six times its volume: determinant of the map from the reference */
    double gradient[DG_CORNERS][DG_AXES];
    double normal[DG_FACES][DG_AXES]; /* outward, length 1 */
    double height[DG_FACES];          /* of the opposite corner: 3 volume / area */
} dg_element;

typedef struct dg_mesh {
    int corners, elements;
    double (*corner)[DG_AXES];
    dg_element *element;
    int *across; /* [element][face, face node]: element * nodes + node on the other side, -1 at a wall */
    double least_height;
} dg_mesh;

/* cells[0] x cells[1] x cells[2] boxes of six tetrahedra; corners and order are stirred by the seed. */
dg_mesh dg_make_mesh(harness *h, const dg_basis *b, const int *cells);

/* Where node n of element k lies. */
void dg_place(const dg_mesh *m, const dg_basis *b, int k, int n, double *x);

#endif
