/* galerkin_reference.h - DG: the fields on the CPU. Values are double[element][field][node]. */
#ifndef WS_GALERKIN_REFERENCE_H
#define WS_GALERKIN_REFERENCE_H

#include "data/workloads/galerkin/mesh.h"

enum { DG_FIELDS = 6 }; /* Ex Ey Ez Hx Hy Hz */

/* `steps` steps of length dt. */
void dg_reference(harness *h, const dg_mesh *m, const dg_basis *b, double *q, int steps, double dt);

/* Half the integral of E^2 + H^2. */
double dg_energy(const dg_mesh *m, const dg_basis *b, const double *q);

#endif
