/* mesh.c - DG: how is a cube divided into tetrahedra, and which nodes of their faces meet? */
#include "data/workloads/galerkin/mesh.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double STIR = 0.12; /* corners move by up to this part of a box's edge */

static void place_corners(harness *h, dg_mesh *m, const int *cells)
{
    int c = 0;
    for (int i = 0; i <= cells[0]; i++)
        for (int j = 0; j <= cells[1]; j++)
            for (int k = 0; k <= cells[2]; k++, c++) {
                const int at[DG_AXES] = {i, j, k};
                for (int axis = 0; axis < DG_AXES; axis++) {
                    const bool inside = at[axis] > 0 && at[axis] < cells[axis]; /* corners of walls stay on them */
                    const double stir = harness_uniform(h, -STIR, STIR);
                    m->corner[c][axis] = (at[axis] + (inside ? stir : 0)) / cells[axis];
                }
            }
}

static void swap(int *a, int *b)
{
    const int v = *a;
    *a = *b;
    *b = v;
}

/* Six tetrahedra: from a box's first corner to its last along the axes, in every order of the three (H. Kuhn). */
static void fill_boxes(dg_mesh *m, const int *cells)
{
    static const int order[6][DG_AXES] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int stride[DG_AXES] = {(cells[1] + 1) * (cells[2] + 1), cells[2] + 1, 1};
    int e = 0;
    for (int i = 0; i < cells[0]; i++)
        for (int j = 0; j < cells[1]; j++)
            for (int k = 0; k < cells[2]; k++)
                for (int o = 0; o < 6; o++, e++) {
                    int *c = m->element[e].corner;
                    c[0] = i * stride[0] + j * stride[1] + k * stride[2];
                    for (int axis = 0; axis < DG_AXES; axis++)
                        c[axis + 1] = c[axis] + stride[order[o][axis]];
                    if (o >= 3) /* odd orders would be inside out */
                        swap(&c[1], &c[2]);
                }
}

/* A mesh from a generator has no order: neighbours are far apart in memory, and their faces have any number. */
static void stir_elements(harness *h, dg_mesh *m)
{
    for (int e = m->elements - 1; e > 0; e--) {
        const unsigned other = harness_integer(h, (unsigned)e + 1);
        const dg_element v = m->element[e];
        m->element[e] = m->element[other];
        m->element[other] = v;
    }
    for (int e = 0; e < m->elements; e++) {
        int *c = m->element[e].corner;
        for (unsigned turns = harness_integer(h, 3); turns > 0; turns--) { /* even, so not inside out */
            swap(&c[0], &c[1]);
            swap(&c[1], &c[2]);
        }
        if (harness_integer(h, 2)) {
            swap(&c[0], &c[3]);
            swap(&c[1], &c[2]);
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

static void measure(harness *h, dg_mesh *m, dg_element *e)
{
    double edge[DG_AXES][DG_AXES];
    for (int i = 0; i < DG_AXES; i++)
        for (int axis = 0; axis < DG_AXES; axis++)
            edge[i][axis] = m->corner[e->corner[i + 1]][axis] - m->corner[e->corner[0]][axis];
    cross(e->gradient[1], edge[1], edge[2]);
    cross(e->gradient[2], edge[2], edge[0]);
    cross(e->gradient[3], edge[0], edge[1]);
    e->volume6 = 0;
    for (int axis = 0; axis < DG_AXES; axis++)
        e->volume6 += e->gradient[1][axis] * edge[0][axis];
    if (!(e->volume6 > 0))
        harness_wrong(h, "the mesh has a tetrahedron of volume %g", e->volume6 / 6);
    for (int axis = 0; axis < DG_AXES; axis++) {
        e->gradient[0][axis] = 0;
        for (int c = 1; c < DG_CORNERS; c++) {
            e->gradient[c][axis] /= e->volume6;
            e->gradient[0][axis] -= e->gradient[c][axis];
        }
    }
    for (int f = 0; f < DG_FACES; f++) {
        const double *g = e->gradient[f], length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        e->height[f] = 1 / length;
        m->least_height = fmin(m->least_height, e->height[f]);
        for (int axis = 0; axis < DG_AXES; axis++)
            e->normal[f][axis] = -g[axis] / length;
    }
}

void dg_place(const dg_mesh *m, const dg_basis *b, int k, int n, double *x)
{
    for (int axis = 0; axis < DG_AXES; axis++) {
        x[axis] = 0;
        for (int c = 0; c < DG_CORNERS; c++)
            x[axis] += b->place[n][c] * m->corner[m->element[k].corner[c]][axis];
    }
}

/* A face by its corners in rising order; two elements that share one have the same. */
typedef struct face {
    int corner[3], element, face;
} face;

static int compare_faces(const void *a, const void *b)
{
    const face *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x->corner[i] != y->corner[i])
            return x->corner[i] < y->corner[i] ? -1 : 1;
    return 0;
}

static face make_face(const dg_element *e, int k, int f)
{
    face out = {.element = k, .face = f};
    for (int c = 0, to = 0; c < DG_CORNERS; c++)
        if (c != f)
            out.corner[to++] = e->corner[c];
    for (int pass = 0; pass < 3; pass++) /* 0 1, 1 2, 0 1 */
        if (out.corner[pass % 2] > out.corner[pass % 2 + 1])
            swap(&out.corner[pass % 2], &out.corner[pass % 2 + 1]);
    return out;
}

/* Nodes of face a and face b that lie at the same place. */
static void join(harness *h, dg_mesh *m, const dg_basis *b, const face *a, const face *other)
{
    int *const across = m->across + (a->element * DG_FACES + a->face) * b->face_nodes;
    for (int i = 0; i < b->face_nodes; i++) {
        double x[DG_AXES], y[DG_AXES];
        dg_place(m, b, a->element, b->face[a->face][i], x);
        for (int j = 0; j < b->face_nodes; j++) {
            const int node = b->face[other->face][j];
            dg_place(m, b, other->element, node, y);
            if (hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) < 1e-6 * m->least_height)
                across[i] = other->element * b->nodes + node;
        }
        if (across[i] < 0)
            harness_wrong(h, "the mesh has a node of element %d that no node of element %d meets", a->element,
                          other->element);
    }
}

static void connect(harness *h, dg_mesh *m, const dg_basis *b)
{
    const int faces = m->elements * DG_FACES;
    face *all = harness_host(h, (size_t)faces, sizeof *all);
    for (int i = 0; i < faces; i++)
        all[i] = make_face(&m->element[i / DG_FACES], i / DG_FACES, i % DG_FACES);
    qsort(all, (size_t)faces, sizeof *all, compare_faces);
    for (int i = 0; i < faces * b->face_nodes; i++)
        m->across[i] = -1;
    for (int i = 0; i + 1 < faces; i++)
        if (compare_faces(&all[i], &all[i + 1]) == 0) {
            join(h, m, b, &all[i], &all[i + 1]);
            join(h, m, b, &all[i + 1], &all[i]);
        }
}

dg_mesh dg_make_mesh(harness *h, const dg_basis *b, const int *cells)
{
    dg_mesh m = {.corners = (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1),
                 .elements = 6 * cells[0] * cells[1] * cells[2],
                 .least_height = INFINITY};
    m.corner = harness_host(h, (size_t)m.corners, sizeof *m.corner);
    m.element = harness_host(h, (size_t)m.elements, sizeof *m.element);
    m.across = harness_host(h, (size_t)m.elements * DG_FACES * (size_t)b->face_nodes, sizeof *m.across);
    place_corners(h, &m, cells);
    fill_boxes(&m, cells);
    stir_elements(h, &m);
    for (int k = 0; k < m.elements; k++)
        measure(h, &m, &m.element[k]);
    connect(h, &m, b);
    return m;
}
