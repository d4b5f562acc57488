/* basis.c - DG: at which nodes of a tetrahedron is a polynomial given, and which matrices follow? */
#include "data/workloads/galerkin/basis.h"

#include <math.h>
#include <string.h>

/* --- Orthonormal polynomials, with derivatives: a number that knows its derivatives by x, y, z. --- */
typedef struct number {
    double v, d[DG_AXES];
} number;

static number add(number a, double factor, number b)
{
    a.v += factor * b.v;
    for (int i = 0; i < DG_AXES; i++)
        a.d[i] += factor * b.d[i];
    return a;
}

static number scale(double factor, number a)
{
    return add((number){0}, factor, a);
}

static number multiply(number a, number b)
{
    number c = {.v = a.v * b.v};
    for (int i = 0; i < DG_AXES; i++)
        c.d[i] = a.v * b.d[i] + a.d[i] * b.v;
    return c;
}

/* b^n P_n(a / b), P_n Jacobi's polynomial with exponents alpha and 0, by its recurrence: a polynomial, so b may be
 * 0. */
static number jacobi(int n, double alpha, number a, number b)
{
    number before = {.v = 1}, now = add(scale(alpha / 2, b), (alpha + 2) / 2, a);
    if (n == 0)
        return before;
    for (int i = 1; i < n; i++) {
        const double t = 2 * i + alpha, c = 2 * (i + 1) * (i + alpha + 1) * t;
        const number line = add(scale((t + 1) * alpha * alpha, b), t * (t + 1) * (t + 2), a);
        const number next = add(multiply(line, now), -2 * (i + alpha) * i * (t + 2), multiply(multiply(b, b), before));
        before = now;
        now = scale(1 / c, next);
    }
    return now;
}

/* M. Dubiner's polynomials. Corners' weights as numbers; the tetrahedron's and the triangle's differ by the last
 * factor. */
static number mode_3d(const number *w, int p, int q, int r)
{
    const number two = add(w[0], 1, w[1]), three = add(two, 1, w[2]), four = add(three, 1, w[3]);
    const number along = multiply(jacobi(p, 0, add(w[1], -1, w[0]), two),
                                  multiply(jacobi(q, 2 * p + 1, add(w[2], -1, two), three),
                                           jacobi(r, 2 * p + 2 * q + 2, add(w[3], -1, three), four)));
    return scale(sqrt((2 * p + 1) * (2 * p + 2 * q + 2) * (2 * p + 2 * q + 2 * r + 3)), along);
}

static double mode_2d(const double *weight, int p, int q)
{
    const number w[3] = {{.v = weight[0]}, {.v = weight[1]}, {.v = weight[2]}};
    const number two = add(w[0], 1, w[1]), three = add(two, 1, w[2]);
    const number along =
        multiply(jacobi(p, 0, add(w[1], -1, w[0]), two), jacobi(q, 2 * p + 1, add(w[2], -1, two), three));
    return sqrt((2 * p + 1) * (2 * p + 2 * q + 2)) * along.v;
}

/* --- Nodes: T. Isaac, Recursive, Parameter-Free, Explicitly Defined Interpolation Nodes for Simplices, 2020. --- */

/* The n + 1 Gauss-Lobatto points in 0 .. 1: ends, and zeros of the derivative of Legendre's P_n, by Newton's method. */
static void lobatto(int n, double *x)
{
    if (n == 0)
        x[0] = 0.5;
    for (int i = 0; n > 0 && i <= n; i++) {
        double z = -cos(M_PI * i / n);
        for (int round = 0; round < 50; round++) {
            double before = 1, now = z;
            for (int k = 1; k < n; k++) {
                const double next = ((2 * k + 1) * z * now - k * before) / (k + 1);
                before = now;
                now = next;
            }
            z -= (z * now - before) / ((n + 1) * now);
        }
        x[i] = (1 + z) / 2;
    }
}

/* Weights of the corners for the node with these counts: means of the nodes of the faces below. */
static void place_node(int corners, const int *count, double *weight)
{
    int n = 0, rest[DG_CORNERS];
    double x[DG_MOST_ORDER + 1], below[DG_CORNERS], sum = 0;
    memset(weight, 0, (size_t)corners * sizeof *weight);
    if (corners == 1) {
        weight[0] = 1;
        return;
    }
    for (int i = 0; i < corners; i++)
        n += count[i];
    lobatto(n, x);
    for (int i = 0; i < corners; i++) {
        for (int j = 0, to = 0; j < corners; j++)
            if (j != i)
                rest[to++] = count[j];
        place_node(corners - 1, rest, below);
        for (int j = 0, from = 0; j < corners; j++)
            if (j != i)
                weight[j] += x[n - count[i]] * below[from++];
        sum += x[n - count[i]];
    }
    for (int i = 0; i < corners; i++)
        weight[i] /= sum;
}

/* Nodes in the order of their counts, so that the nodes of every face come in the same order. */
static void place_nodes(dg_basis *b)
{
    const int n = b->order;
    int on_face[DG_FACES] = {0}, node = 0;
    for (int i = 0; i <= n; i++)
        for (int j = 0; i + j <= n; j++)
            for (int k = 0; i + j + k <= n; k++, node++) {
                const int count[DG_CORNERS] = {i, j, k, n - i - j - k};
                place_node(DG_CORNERS, count, b->place[node]);
                for (int f = 0; f < DG_FACES; f++)
                    if (count[f] == 0)
                        b->face[f][on_face[f]++] = node;
            }
}

/* --- Matrices. --- */
void dg_multiply(double *restrict out, const double *restrict a, const double *restrict b, int rows, int inner,
                 int columns)
{
    memset(out, 0, (size_t)rows * (size_t)columns * sizeof *out);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < inner; j++) {
            const double factor = a[i * inner + j];
            for (int k = 0; k < columns; k++)
                out[i * columns + k] += factor * b[j * columns + k];
        }
}

static void swap_rows(double *a, int n, int i, int j)
{
    for (int k = 0; k < n; k++) {
        const double v = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = v;
    }
}

/* Gauss and Jordan with pivots; a[] is spoilt. */
static void invert(double *a, double *inverse, int n)
{
    for (int i = 0; i < n * n; i++)
        inverse[i] = i % (n + 1) == 0;
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int j = i + 1; j < n; j++)
            if (fabs(a[j * n + i]) > fabs(a[pivot * n + i]))
                pivot = j;
        swap_rows(a, n, i, pivot);
        swap_rows(inverse, n, i, pivot);
        const double by = 1 / a[i * n + i];
        for (int k = 0; k < n; k++) {
            a[i * n + k] *= by;
            inverse[i * n + k] *= by;
        }
        for (int j = 0; j < n; j++) {
            const double factor = a[j * n + i];
            for (int k = 0; j != i && k < n; k++) {
                a[j * n + k] -= factor * a[i * n + k];
                inverse[j * n + k] -= factor * inverse[i * n + k];
            }
        }
    }
}

static double *matrix(harness *h, int rows, int columns)
{
    return harness_host(h, (size_t)rows * (size_t)columns, sizeof(double));
}

/* a[] times its transpose. */
static void square(double *out, const double *a, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            double sum = 0;
            for (int k = 0; k < columns; k++)
                sum += a[i * columns + k] * a[j * columns + k];
            out[i * rows + j] = sum;
        }
}

/* Values and slopes of the modes at the nodes; x, y, z are the weights of corners 1, 2, 3. */
static void evaluate_modes(harness *h, dg_basis *b)
{
    const int n = b->nodes;
    for (int node = 0; node < n; node++) {
        number w[DG_CORNERS];
        for (int c = 0; c < DG_CORNERS; c++) {
            w[c] = (number){.v = b->place[node][c]};
            for (int axis = 0; axis < DG_AXES; axis++)
                w[c].d[axis] = c == 0 ? -1 : c == axis + 1;
        }
        int mode = 0;
        for (int p = 0; p <= b->order; p++)
            for (int q = 0; p + q <= b->order; q++)
                for (int r = 0; p + q + r <= b->order; r++, mode++) {
                    const number v = mode_3d(w, p, q, r);
                    b->value[node * n + mode] = v.v;
                    for (int axis = 0; axis < DG_AXES; axis++)
                        b->slope[axis][node * n + mode] = v.d[axis];
                }
    }
    double *copy = matrix(h, n, n);
    memcpy(copy, b->value, (size_t)n * (size_t)n * sizeof *copy);
    invert(copy, b->mode, n);
}

/* Mass matrix of a face: the inverse of its modes' values times their transpose, as the modes are orthonormal. */
static void weigh_face(harness *h, dg_basis *b)
{
    const int n = b->face_nodes;
    double *value = matrix(h, n, n), *inverse_mass = matrix(h, n, n);
    for (int node = 0; node < n; node++) {
        int mode = 0;
        for (int p = 0; p <= b->order; p++)
            for (int q = 0; p + q <= b->order; q++)
                value[node * n + mode++] = mode_2d(&b->place[b->face[0][node]][1], p, q);
    }
    square(inverse_mass, value, n, n);
    invert(inverse_mass, b->face_mass, n);
}

static void make_lift(harness *h, dg_basis *b)
{
    const int n = b->nodes, m = b->face_nodes, all = DG_FACES * m;
    double *inverse_mass = matrix(h, n, n), *masses = matrix(h, n, all);
    square(inverse_mass, b->value, n, n);
    for (int f = 0; f < DG_FACES; f++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                masses[b->face[f][i] * all + f * m + j] = b->face_mass[i * m + j];
    dg_multiply(b->lift, inverse_mass, masses, n, n, all);
}

dg_basis dg_make_basis(harness *h, int order)
{
    dg_basis b = {.order = order,
                  .nodes = (order + 1) * (order + 2) * (order + 3) / 6,
                  .face_nodes = (order + 1) * (order + 2) / 2};
    b.place = harness_host(h, (size_t)b.nodes, sizeof *b.place);
    for (int f = 0; f < DG_FACES; f++)
        b.face[f] = harness_host(h, (size_t)b.face_nodes, sizeof *b.face[f]);
    b.value = matrix(h, b.nodes, b.nodes);
    b.mode = matrix(h, b.nodes, b.nodes);
    for (int axis = 0; axis < DG_AXES; axis++) {
        b.slope[axis] = matrix(h, b.nodes, b.nodes);
        b.derive[axis] = matrix(h, b.nodes, b.nodes);
    }
    b.face_mass = matrix(h, b.face_nodes, b.face_nodes);
    b.lift = matrix(h, b.nodes, DG_FACES * b.face_nodes);

    place_nodes(&b);
    evaluate_modes(h, &b);
    for (int axis = 0; axis < DG_AXES; axis++)
        dg_multiply(b.derive[axis], b.slope[axis], b.mode, b.nodes, b.nodes, b.nodes);
    weigh_face(h, &b);
    make_lift(h, &b);
    return b;
}
