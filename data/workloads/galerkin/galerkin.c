/* galerkin.c - DG, host side: a box with metal walls, its ringing field, and the loop over the stages of a Runge-Kutta
 * method. */
#include "data/workloads/galerkin/galerkin_reference.h"

#include <math.h>
#include <string.h>

enum { MULTIPLE = 16, UPDATERS = 256, STAGES = 5, TEXEL = 4 };

/* The 2N-storage method of M. Carpenter and C. Kennedy, Fourth-Order 2N-Storage Runge-Kutta Schemes, 1994. */
static const double RK_A[STAGES] = {0, -567301805773.0 / 1357537059087, -2404267990393.0 / 2016746695238,
                                    -3550918686646.0 / 2091501179385, -1275806237668.0 / 842570457699};
static const double RK_B[STAGES] = {1432997174477.0 / 9575080441755, 5161836677717.0 / 13612068292357,
                                    1720146321549.0 / 2090206949498, 3134564353537.0 / 4481467310338,
                                    2277821191437.0 / 14882151754819};

static const double NOISE = 0.1;
/* Fields are near 1. A stage rounds sums of up to 84 products of derivatives of noise, near 40, to some 1e-5, of which
 * dt (0.003) makes 3e-8; values themselves round to 6e-8 a stage. Seeds 1 to 8 are off by 2e-7 at most. */
static const double CLOSE = 5e-7;
static const double STEP = 0.5; /* of the longest that waves let: height of an element over (order + 1)^2 */

/* The problem: sizes, and the fields at the start. */
typedef struct box {
    dg_basis basis;
    dg_mesh mesh;
    size_t values;
    int steps;
    double dt;
    double amplitude[DG_AXES], phase;
} box;

/* A mode of the cube with walls that conduct, wave vector pi (1, 1, 1): E and H at time t, place x. */
static void mode_at(const box *b, double t, const double *x, double *field)
{
    const double omega = M_PI * sqrt(3), *const a = b->amplitude;
    double c[DG_AXES], s[DG_AXES];
    for (int i = 0; i < DG_AXES; i++) {
        c[i] = cos(M_PI * x[i]);
        s[i] = sin(M_PI * x[i]);
    }
    for (int i = 0; i < DG_AXES; i++) {
        const int j = (i + 1) % DG_AXES, k = (i + 2) % DG_AXES;
        field[i] = a[i] * c[i] * s[j] * s[k] * cos(omega * t + b->phase);
        field[DG_AXES + i] = -(a[k] - a[j]) * M_PI / omega * s[i] * c[j] * c[k] * sin(omega * t + b->phase);
    }
}

static void fill_mode(const box *b, double t, double *q)
{
    const int nodes = b->basis.nodes;
    for (int k = 0; k < b->mesh.elements; k++)
        for (int n = 0; n < nodes; n++) {
            double x[DG_AXES], field[DG_FIELDS];
            dg_place(&b->mesh, &b->basis, k, n, x);
            mode_at(b, t, x, field);
            for (int f = 0; f < DG_FIELDS; f++)
                q[(k * DG_FIELDS + f) * nodes + n] = field[f];
        }
}

static box make_box(harness *h)
{
    const harness_scale scale = harness_get_scale(h);
    static const int cells[][DG_AXES] = {
        [HARNESS_TINY] = {1, 1, 1}, [HARNESS_SMALL] = {2, 2, 2}, [HARNESS_STUDY] = {3, 3, 5}};
    box b = {.steps = (int)harness_pick(h, 1, 2, 1)};
    b.basis = dg_make_basis(h, (int)harness_pick(h, 3, DG_MOST_ORDER, DG_MOST_ORDER));
    b.mesh = dg_make_mesh(h, &b.basis, cells[scale]);
    b.values = (size_t)b.mesh.elements * DG_FIELDS * (size_t)b.basis.nodes;
    b.dt = STEP * b.mesh.least_height / pow(b.basis.order + 1, 2);
    /* E points in any direction at a right angle to the wave vector, so that it has no divergence. */
    const double angle = harness_uniform(h, 0, 2 * M_PI);
    for (int i = 0; i < DG_AXES; i++)
        b.amplitude[i] = sqrt(2.0 / 3) * cos(angle + 2 * M_PI * i / DG_AXES);
    b.phase = harness_uniform(h, 0, 2 * M_PI);
    return b;
}

/* --- Device. --- */
typedef struct device {
    unsigned padded, faces; /* threads of a block: nodes up to a multiple, and nodes of the four faces */
    CUdeviceptr q, rhs, residual, geometry;
    CUtexObject matrices, maps, sides, fields, lift;
    CUfunction volume, surface, update;
} device;

static CUtexObject upload_texture(harness *h, const void *texels, CUarray_format format, size_t count)
{
    return harness_texture_linear(h, harness_upload(h, texels, count * TEXEL * 4), format, TEXEL, count);
}

static CUtexObject upload_derivatives(harness *h, const dg_basis *b, unsigned padded)
{
    const size_t count = (size_t)b->nodes * padded;
    float *texels = harness_host(h, count * TEXEL, sizeof *texels);
    for (int m = 0; m < b->nodes; m++)
        for (int n = 0; n < b->nodes; n++)
            for (int axis = 0; axis < DG_AXES; axis++)
                texels[((size_t)m * padded + (size_t)n) * TEXEL + (size_t)axis] =
                    (float)b->derive[axis][n * b->nodes + m];
    return upload_texture(h, texels, CU_AD_FORMAT_FLOAT, count);
}

static CUtexObject upload_lift(harness *h, const dg_basis *b, unsigned padded)
{
    const int columns = DG_FACES * b->face_nodes;
    const size_t count = (size_t)columns / TEXEL * padded;
    float *texels = harness_host(h, count * TEXEL, sizeof *texels);
    for (int m = 0; m < columns; m++)
        for (int n = 0; n < b->nodes; n++)
            texels[((size_t)(m / TEXEL) * padded + (size_t)n) * TEXEL + (size_t)(m % TEXEL)] =
                (float)b->lift[n * columns + m];
    return upload_texture(h, texels, CU_AD_FORMAT_FLOAT, count);
}

/* Where node `node` (element * nodes + node) has its first field on the device. */
static int place_of(const box *b, unsigned padded, int node)
{
    return node / b->basis.nodes * DG_FIELDS * (int)padded + node % b->basis.nodes;
}

static void upload_faces(harness *h, const box *b, device *d)
{
    const size_t count = (size_t)b->mesh.elements * d->faces;
    int *map = harness_host(h, count * TEXEL, sizeof *map);
    float *side = harness_host(h, count * TEXEL, sizeof *side);
    for (size_t i = 0; i < count; i++) {
        const int k = (int)(i / d->faces), at = (int)(i % d->faces);
        const int f = at / b->basis.face_nodes, n = b->basis.face[f][at % b->basis.face_nodes];
        const int here = k * b->basis.nodes + n, across = b->mesh.across[i];
        map[i * TEXEL] = place_of(b, d->padded, here);
        map[i * TEXEL + 1] = place_of(b, d->padded, across < 0 ? here : across);
        map[i * TEXEL + 2] = across < 0 ? -1 : 1;
        for (int axis = 0; axis < DG_AXES; axis++)
            side[i * TEXEL + (size_t)axis] = (float)b->mesh.element[k].normal[f][axis];
        side[i * TEXEL + DG_AXES] = (float)(1 / b->mesh.element[k].height[f]);
    }
    d->maps = upload_texture(h, map, CU_AD_FORMAT_SIGNED_INT32, count);
    d->sides = upload_texture(h, side, CU_AD_FORMAT_FLOAT, count);
}

static CUdeviceptr upload_geometry(harness *h, const dg_mesh *m)
{
    const size_t each = DG_AXES * DG_AXES;
    float *g = harness_host(h, (size_t)m->elements * each, sizeof *g);
    for (int k = 0; k < m->elements; k++)
        for (size_t i = 0; i < each; i++)
            g[(size_t)k * each + i] = (float)m->element[k].gradient[1 + i / DG_AXES][i % DG_AXES];
    return harness_upload(h, g, (size_t)m->elements * each * sizeof *g);
}

/* Values with padding, as the device has them, and back. */
static size_t padded_at(const box *b, unsigned padded, size_t i)
{
    const size_t nodes = (size_t)b->basis.nodes;
    return i / nodes * padded + i % nodes;
}

static device make_device(harness *h, const box *b, const double *q)
{
    const unsigned nodes = (unsigned)b->basis.nodes;
    device d = {.padded = (nodes + MULTIPLE - 1) / MULTIPLE * MULTIPLE,
                .faces = (unsigned)(DG_FACES * b->basis.face_nodes)};
    const size_t count = (size_t)b->mesh.elements * DG_FIELDS * d.padded;
    float *start = harness_host(h, count, sizeof *start);
    for (size_t i = 0; i < b->values; i++)
        start[padded_at(b, d.padded, i)] = (float)q[i];
    d.q = harness_upload(h, start, count * sizeof *start);
    memset(start, 0, count * sizeof *start);
    d.residual = harness_upload(h, start, count * sizeof *start);
    d.rhs = harness_device(h, count * sizeof *start);
    d.geometry = upload_geometry(h, &b->mesh);
    d.matrices = upload_derivatives(h, &b->basis, d.padded);
    d.lift = upload_lift(h, &b->basis, d.padded);
    d.fields = harness_texture_linear(h, d.q, CU_AD_FORMAT_FLOAT, 1, count);
    upload_faces(h, b, &d);
    d.volume = harness_kernel(h, "dg_volume");
    d.surface = harness_kernel(h, "dg_surface");
    d.update = harness_kernel(h, "dg_update");
    return d;
}

static void step_on_device(harness *h, const box *b, device *d, double *q)
{
    const unsigned elements = (unsigned)b->mesh.elements;
    int nodes = b->basis.nodes, padded = (int)d->padded, count = (int)elements * DG_FIELDS * padded;
    float dt = (float)b->dt;
    const harness_dim blocks = HARNESS_DIM((count + UPDATERS - 1) / UPDATERS);
    for (int i = 0; i < b->steps * STAGES; i++) {
        float rk_a = (float)RK_A[i % STAGES], rk_b = (float)RK_B[i % STAGES];
        HARNESS_LAUNCH(h, d->volume, HARNESS_DIM(elements), HARNESS_DIM(d->padded), 0, &d->matrices, &d->geometry,
                       &d->q, &d->rhs, &nodes);
        HARNESS_LAUNCH(h, d->surface, HARNESS_DIM(elements), HARNESS_DIM(d->faces), 0, &d->maps, &d->sides, &d->fields,
                       &d->lift, &d->rhs, &nodes, &padded);
        HARNESS_LAUNCH(h, d->update, blocks, HARNESS_DIM(UPDATERS), 0, &d->q, &d->residual, &d->rhs, &rk_a, &rk_b, &dt,
                       &count);
    }
    float *got = harness_host(h, (size_t)count, sizeof *got);
    harness_download(h, got, d->q, (size_t)count * sizeof *got);
    for (size_t i = 0; i < b->values; i++)
        q[i] = got[padded_at(b, d->padded, i)];
}

/* --- Checks. --- */

/* The reference on the smooth mode alone stays near the exact solution, so it solves Maxwell's equations. The bounds
 * are about twice the most that seeds 1 to 8 showed; half a wave in one cell of order 3 is coarse. */
static void check_reference(harness *h, const box *b)
{
    const int steps = 10;
    const double bound[] = {[HARNESS_TINY] = 0.8, [HARNESS_SMALL] = 2e-3, [HARNESS_STUDY] = 4e-5};
    double *q = harness_host(h, b->values, sizeof *q), *exact = harness_host(h, b->values, sizeof *exact);
    fill_mode(b, 0, q);
    dg_reference(h, &b->mesh, &b->basis, q, steps, b->dt);
    fill_mode(b, steps * b->dt, exact);
    double most = 0;
    for (size_t i = 0; i < b->values; i++)
        most = fmax(most, fabs(q[i] - exact[i]));
    if (!(most <= bound[harness_get_scale(h)]))
        harness_wrong(h, "the reference is %.3g away from the exact mode of the box", most);
}

/* Upwind fluxes lose energy, and never gain any. */
static void check_energy(harness *h, const box *b, const double *before, const double *after)
{
    const double had = dg_energy(&b->mesh, &b->basis, before), has = dg_energy(&b->mesh, &b->basis, after);
    if (!(has < had && has > 0.5 * had))
        harness_wrong(h, "the energy of the field was %.9g and is %.9g", had, has);
}

static void run(harness *h)
{
    const box b = make_box(h);
    double *start = harness_host(h, b.values, sizeof *start), *want = harness_host(h, b.values, sizeof *want);
    double *got = harness_host(h, b.values, sizeof *got);
    check_reference(h, &b);

    /* Noise, so that there are jumps at all faces. Both begin with what a float can hold. */
    fill_mode(&b, 0, start);
    for (size_t i = 0; i < b.values; i++)
        want[i] = start[i] = (float)(start[i] + harness_uniform(h, -NOISE, NOISE));
    device d = make_device(h, &b, start);
    step_on_device(h, &b, &d, got);
    dg_reference(h, &b.mesh, &b.basis, want, b.steps, b.dt);
    for (size_t i = 0; i < b.values; i++)
        if (!(fabs(got[i] - want[i]) <= CLOSE))
            harness_wrong(h, "value %zu of the fields is %.9g, not %.9g", i, got[i], want[i]);
    check_energy(h, &b, start, got);
}

HARNESS_WORKLOAD("DG", "data/workloads/galerkin/galerkin.ptx", run)
