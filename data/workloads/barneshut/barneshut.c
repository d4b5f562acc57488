/* barneshut.c - BH: what does a tree cost that all blocks build, sum up and walk at once? Host side of barneshut.cu. */
#include "data/workloads/barneshut/barneshut_reference.h"
#include "data/workloads/harness/together.h"

#include <math.h>

enum { THREADS = 128, OCTANTS = 8, ROOM_A_BODY = 2, LEAST_ROOM = 512 };

/* Structures of barneshut.cu. */
typedef struct device_bodies {
    CUdeviceptr x, y, z, mass;
    int n;
} device_bodies;

typedef struct device_forest {
    CUdeviceptr child, start, count, next, full;
    int room;
} device_forest;

typedef struct simulation {
    harness *h;
    unsigned blocks;
    bh_bodies host; /* before the step */
    device_bodies b;
    device_forest f;
    CUdeviceptr root, extreme, arrived, order, v[BH_AXES], a[BH_AXES];
} simulation;

static const float step_size = 0.025f, opening = 4.0f /* angle 1/2 */, soft = 0.0025f;

/* A direction drawn evenly, times `length`. */
static void draw_vector(harness *h, double length, float *x, float *y, float *z)
{
    double v[BH_AXES], square;
    do {
        square = 0;
        for (int a = 0; a < BH_AXES; a++) {
            v[a] = harness_uniform(h, -1, 1);
            square += v[a] * v[a];
        }
    } while (square > 1 || square < 0.01);
    *x = (float)(v[0] * length / sqrt(square));
    *y = (float)(v[1] * length / sqrt(square));
    *z = (float)(v[2] * length / sqrt(square));
}

/* A Plummer cluster: dense in the middle, with a few bodies far out. */
static void make_bodies(simulation *s)
{
    harness *const h = s->h;
    const size_t n = (size_t)s->host.n, bytes = n * sizeof(float);
    float *speed[BH_AXES];
    for (int a = 0; a < BH_AXES; a++) {
        s->host.at[a] = harness_host(h, n, sizeof(float));
        speed[a] = harness_host(h, n, sizeof(float));
    }
    s->host.mass = harness_random_floats(h, n, 0.5 / (double)n, 1.5 / (double)n);
    for (size_t i = 0; i < n; i++) {
        const double inside = harness_uniform(h, 0.001, 0.98); /* share of the mass */
        const double radius = 1 / sqrt(pow(inside, -2.0 / 3) - 1);
        draw_vector(h, radius, &s->host.at[0][i], &s->host.at[1][i], &s->host.at[2][i]);
        draw_vector(h, 0.5 * pow(1 + radius * radius, -0.25), &speed[0][i], &speed[1][i], &speed[2][i]);
    }
    for (int a = 0; a < BH_AXES; a++) {
        s->v[a] = harness_upload(h, speed[a], bytes);
        s->a[a] = harness_device(h, bytes);
    }
}

static void make_device_arrays(simulation *s)
{
    harness *const h = s->h;
    const int n = s->host.n, cells = ROOM_A_BODY * n + LEAST_ROOM;
    const size_t bytes = (size_t)n * sizeof(float), all = (size_t)(n + cells) * sizeof(float);
    static const int none = 0;
    CUdeviceptr *const to[BH_AXES] = {&s->b.x, &s->b.y, &s->b.z};
    for (int a = 0; a < BH_AXES; a++) {
        *to[a] = harness_device(h, all);
        harness_write(h, *to[a], s->host.at[a], bytes);
    }
    s->b.mass = harness_device(h, all);
    harness_write(h, s->b.mass, s->host.mass, bytes);
    s->b.n = n;
    s->f = (device_forest){.child = harness_device(h, (size_t)cells * OCTANTS * sizeof(int)),
                           .start = harness_device(h, (size_t)cells * sizeof(int)),
                           .count = harness_device(h, (size_t)cells * sizeof(int)),
                           .next = harness_upload(h, &none, sizeof none),
                           .full = harness_upload(h, &none, sizeof none),
                           .room = n + cells};
    s->root = harness_device(h, sizeof(bh_cube));
    s->extreme = harness_device(h, (size_t)s->blocks * 2 * BH_AXES * sizeof(float));
    s->arrived = harness_upload(h, &none, sizeof none);
    s->order = harness_device(h, bytes);
}

/* One time step; the bodies move in it. */
static void step_on_device(simulation *s)
{
    harness *const h = s->h;
    const unsigned blocks = s->blocks;
    float angle = opening, smoothing = soft, dt = step_size;
    CUdeviceptr *const at[BH_AXES] = {&s->b.x, &s->b.y, &s->b.z};

    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "bh_bounds"), blocks, THREADS, &s->b, &s->f, &s->root, &s->extreme,
                            &s->arrived);
    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "bh_build"), blocks, THREADS, &s->b, &s->f, &s->root);
    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "bh_centres"), blocks, THREADS, &s->b, &s->f);
    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "bh_sort"), blocks, THREADS, &s->b, &s->f, &s->order);
    HARNESS_LAUNCH(h, harness_kernel(h, "bh_forces"), HARNESS_DIM(blocks), HARNESS_DIM(THREADS), 0, &s->b, &s->f,
                   &s->root, &s->order, &s->a[0], &s->a[1], &s->a[2], &angle, &smoothing);
    for (int a = 0; a < BH_AXES; a++)
        HARNESS_LAUNCH(h, harness_kernel(h, "bh_move"), HARNESS_DIM(blocks), HARNESS_DIM(THREADS), 0, at[a], &s->v[a],
                       &s->a[a], &dt, &s->b.n);
}

/* The tree is a function of the places: cube, number of cells and order have to be those of the CPU's tree. */
static void check_tree(simulation *s, const bh_tree *tree)
{
    harness *const h = s->h;
    bh_cube root;
    int next = 0, full = 0, *const order = harness_host(h, (size_t)s->host.n, sizeof *order);
    harness_download(h, &root, s->root, sizeof root);
    harness_download(h, &next, s->f.next, sizeof next);
    harness_download(h, &full, s->f.full, sizeof full);
    harness_download(h, order, s->order, (size_t)s->host.n * sizeof *order);
    if (full)
        harness_wrong(h, "there was no room for %d cells", next - s->host.n);
    harness_check_floats(h, "root", &root.x, &tree->root.x, sizeof root / sizeof(float), 0, 0);
    const int cells = next - s->host.n;
    harness_check_ints(h, "cells", &cells, &tree->cells, 1);
    harness_check_ints(h, "order", order, tree->order, (size_t)s->host.n);
}

/* Mass and centre of the root, and with them of all cells: each is the sum of its children. */
static void check_centre(simulation *s, const bh_tree *tree)
{
    const CUdeviceptr from[] = {s->b.x, s->b.y, s->b.z, s->b.mass};
    for (int a = 0; a <= BH_AXES; a++) {
        float got = 0, want = (float)(a < BH_AXES ? tree->node[0].centre[a] : tree->node[0].mass);
        harness_download(s->h, &got, from[a] + (size_t)s->host.n * sizeof got, sizeof got);
        /* A sum over the levels of the tree, rounded at each; places are up to 8 away from the middle. */
        harness_check_floats(s->h, a < BH_AXES ? "centre of all" : "mass of all", &got, &want, 1, 1e-5, 1e-5);
    }
}

static void check_motion(simulation *s, const bh_force *force, float *const *speed)
{
    harness *const h = s->h;
    const size_t n = (size_t)s->host.n, bytes = n * sizeof(float);
    const CUdeviceptr at[] = {s->b.x, s->b.y, s->b.z};
    float *const got = harness_host(h, n, sizeof *got), *const x = harness_host(h, n, sizeof *x);
    float *const v = harness_host(h, n, sizeof *v), *const want = harness_host(h, n, sizeof *want);
    for (int a = 0; a < BH_AXES; a++) {
        harness_download(h, got, s->a[a], bytes);
        for (size_t i = 0; i < n; i++) {
            const double allowed = force[i].doubt + 1e-5 * force[i].size; /* some hundred terms, each rounded */
            if (!(fabs((double)got[i] - force[i].pull[a]) <= allowed))
                harness_wrong(h, "pull %d of body %zu is %.9g where the CPU has %.9g (tolerance %.3g)", a, i,
                              (double)got[i], force[i].pull[a], allowed);
        }
        harness_download(h, v, s->v[a], bytes);
        harness_download(h, x, at[a], bytes);
        for (size_t i = 0; i < n; i++)
            want[i] = speed[a][i] + got[i] * step_size;
        harness_check_floats(h, "speed", v, want, n, 1e-6, 1e-7); /* a multiplication and a sum */
        for (size_t i = 0; i < n; i++) {
            want[i] = s->host.at[a][i] + v[i] * step_size;
            speed[a][i] = v[i];
            s->host.at[a][i] = x[i]; /* the next step is checked from here, so errors do not grow */
        }
        harness_check_floats(h, "place", x, want, n, 1e-6, 1e-7);
    }
}

static const harness_size input_sizes[] = {
    {"bodies", "bodies", {130, 1500, 10000}, 2, 1000000, 1},
    {"steps", "time steps", {1, 2, 2}, 1, 1000, 1},
    {"blocks", "blocks of 128 threads", {2, 28, 56}, 1, 256, 1},
    {0},
};

static void run(harness *h)
{
    simulation s = {.h = h, .blocks = (unsigned)harness_get_size(h, "blocks")};
    const int steps = (int)harness_get_size(h, "steps");
    float *speed[BH_AXES];

    s.host.n = (int)harness_get_size(h, "bodies");
    const size_t n = (size_t)s.host.n;
    make_bodies(&s);
    make_device_arrays(&s);
    for (int a = 0; a < BH_AXES; a++) {
        speed[a] = harness_host(h, n, sizeof(float));
        harness_download(h, speed[a], s.v[a], n * sizeof(float));
    }
    bh_force *const force = harness_host(h, n, sizeof *force);
    for (int step = 0; step < steps; step++) {
        step_on_device(&s);
        const bh_tree tree = bh_grow(h, &s.host);
        check_tree(&s, &tree);
        check_centre(&s, &tree);
        bh_pull(&tree, &s.host, (double)opening, (double)soft, force);
        check_motion(&s, force, speed);
    }
}

HARNESS_WORKLOAD_OF("BH", "data/workloads/barneshut/barneshut.ptx", run, input_sizes)
