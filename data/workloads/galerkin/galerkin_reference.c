/* galerkin_reference.c - DG: what do Maxwell's equations do to fields in a box? Not as the kernels do it, by values at
 * nodes, derivatives of fields, jumps, and stages that keep a residual; but by coefficients of orthonormal polynomials,
 * where no mass matrix is left, by the weak form with derivatives of the test functions and whole fluxes, and by the
 * Taylor polynomial of a step. For flat elements both are the same in exact arithmetic (Hesthaven and Warburton,
 * 2008). */
#include "data/workloads/galerkin/galerkin_reference.h"

#include <string.h>

enum { MOST_NODES = 84, MOST_FACE_NODES = 28 };

/* Matrices that rows of modes or of values are multiplied with from the right. */
typedef struct operators {
    double *to_modes, *to_values;
    double *stiffness[DG_AXES]; /* [mode][test mode]: integrals of a mode times the derivative of another */
} operators;

static double *transposed(harness *h, const double *a, int n)
{
    double *out = harness_host(h, (size_t)n * (size_t)n, sizeof *out);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[j * n + i] = a[i * n + j];
    return out;
}

/* A mode's derivative is a sum of modes; as these are orthonormal, the factors of that are the integrals. */
static operators make_operators(harness *h, const dg_basis *b)
{
    const int n = b->nodes;
    operators o = {.to_modes = transposed(h, b->mode, n), .to_values = transposed(h, b->value, n)};
    for (int axis = 0; axis < DG_AXES; axis++) {
        o.stiffness[axis] = harness_host(h, (size_t)n * (size_t)n, sizeof(double));
        dg_multiply(o.stiffness[axis], b->mode, b->slope[axis], n, n, n);
    }
    return o;
}

/* Adds the integrals over the volume: for E, H times the curl of the test function, for H minus E times that. */
static void inside(const operators *o, const dg_element *e, const double *c, int n, double *rate)
{
    double by[DG_AXES][DG_FIELDS * MOST_NODES];
    for (int axis = 0; axis < DG_AXES; axis++)
        dg_multiply(by[axis], c, o->stiffness[axis], DG_FIELDS, n, n);
    for (int f = 0; f < DG_FIELDS; f++) {
        /* Component a of a field stands in the curl of the components after and before it, of the other field. */
        const int a = f % DG_AXES, after = (a + 1) % DG_AXES, before = (a + 2) % DG_AXES, other = f < DG_AXES ? 3 : 0;
        const double sign = f < DG_AXES ? -1 : 1;
        for (int axis = 0; axis < DG_AXES; axis++)
            for (int i = 0; i < n; i++) {
                const double slope = sign * by[axis][f * n + i];
                rate[(other + before) * n + i] += e->gradient[axis + 1][after] * slope;
                rate[(other + after) * n + i] -= e->gradient[axis + 1][before] * slope;
            }
    }
}

static void cross(double *out, const double *a, const double *b)
{
    for (int i = 0; i < DG_AXES; i++) {
        const int j = (i + 1) % DG_AXES, k = (i + 2) % DG_AXES;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* Upwind fluxes n x H* and -n x E*, where H* = (H- + H+ - n x (E+ - E-)) / 2 and E* = (E- + E+ + n x (H+ - H-)) / 2. */
static void flux_at(const double *normal, const double *here, const double *there, double *flux)
{
    double half[DG_FIELDS], jump[DG_FIELDS], across[DG_AXES];
    for (int f = 0; f < DG_FIELDS; f++) {
        half[f] = (here[f] + there[f]) / 2;
        jump[f] = (there[f] - here[f]) / 2;
    }
    cross(across, normal, jump);
    for (int i = 0; i < DG_AXES; i++)
        half[DG_AXES + i] -= across[i];
    cross(across, normal, jump + DG_AXES);
    for (int i = 0; i < DG_AXES; i++)
        half[i] += across[i];
    cross(flux, normal, half + DG_AXES);
    cross(flux + DG_AXES, normal, half);
    for (int i = 0; i < DG_AXES; i++)
        flux[DG_AXES + i] *= -1;
}

/* Fields at node i of a face from both sides; behind a wall the electric field is the opposite. */
static void both_sides(const dg_mesh *m, const dg_basis *b, const double *q, int k, int f, int i, double *here,
                       double *there)
{
    const int across = m->across[(k * DG_FACES + f) * b->face_nodes + i], node = b->face[f][i];
    for (int field = 0; field < DG_FIELDS; field++) {
        here[field] = q[(k * DG_FIELDS + field) * b->nodes + node];
        if (across >= 0)
            there[field] = q[(across / b->nodes * DG_FIELDS + field) * b->nodes + across % b->nodes];
        else
            there[field] = field < DG_AXES ? -here[field] : here[field];
    }
}

/* Adds the integrals over the faces. */
static void outside(const dg_mesh *m, const dg_basis *b, const double *q, int k, double *rate)
{
    const dg_element *const e = &m->element[k];
    for (int f = 0; f < DG_FACES; f++) {
        double flux[MOST_FACE_NODES][DG_FIELDS], weighed[MOST_FACE_NODES * DG_FIELDS];
        for (int i = 0; i < b->face_nodes; i++) {
            double here[DG_FIELDS], there[DG_FIELDS];
            both_sides(m, b, q, k, f, i, here, there);
            flux_at(e->normal[f], here, there, flux[i]);
        }
        dg_multiply(weighed, b->face_mass, flux[0], b->face_nodes, b->face_nodes, DG_FIELDS);
        for (int i = 0; i < b->face_nodes; i++)
            for (int field = 0; field < DG_FIELDS; field++)
                for (int mode = 0; mode < b->nodes; mode++)
                    rate[field * b->nodes + mode] +=
                        b->value[b->face[f][i] * b->nodes + mode] * weighed[i * DG_FIELDS + field] / e->height[f];
    }
}

/* out = d q / dt */
static void rates(const dg_mesh *m, const dg_basis *b, const operators *o, const double *q, double *out)
{
    const int n = b->nodes;
    for (int k = 0; k < m->elements; k++) {
        const size_t first = (size_t)k * DG_FIELDS * (size_t)n;
        double c[DG_FIELDS * MOST_NODES], rate[DG_FIELDS * MOST_NODES] = {0};
        dg_multiply(c, q + first, o->to_modes, DG_FIELDS, n, n);
        inside(o, &m->element[k], c, n, rate);
        outside(m, b, q, k, rate);
        dg_multiply(out + first, rate, o->to_values, DG_FIELDS, n, n);
    }
}

/* The method of Carpenter and Kennedy is, for a linear equation, the Taylor polynomial of exp up to the fourth
 * power, and 1/200 of the fifth. */
void dg_reference(harness *h, const dg_mesh *m, const dg_basis *b, double *q, int steps, double dt)
{
    static const double factor[] = {1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 200};
    const size_t n = (size_t)m->elements * DG_FIELDS * (size_t)b->nodes;
    const operators o = make_operators(h, b);
    double *power = harness_host(h, n, sizeof *power), *next = harness_host(h, n, sizeof *next);
    for (int step = 0; step < steps; step++) {
        memcpy(power, q, n * sizeof *q);
        for (size_t p = 0; p < sizeof factor / sizeof *factor; p++) {
            rates(m, b, &o, power, next);
            for (size_t i = 0; i < n; i++) {
                power[i] = dt * next[i];
                q[i] += factor[p] * power[i];
            }
        }
    }
}

double dg_energy(const dg_mesh *m, const dg_basis *b, const double *q)
{
    const int n = b->nodes;
    double sum = 0;
    for (int row = 0; row < m->elements * DG_FIELDS; row++)
        for (int mode = 0; mode < n; mode++) {
            double c = 0;
            for (int i = 0; i < n; i++)
                c += b->mode[mode * n + i] * q[row * n + i];
            sum += c * c * m->element[row / DG_FIELDS].volume6 / 2;
        }
    return sum;
}
