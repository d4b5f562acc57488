/* hacc.c - HACC: what stays of particles that are pulled, kicked and drift, cell by cell? Host side of hacc.cu. */
#include "data/workloads/harness/matrix.h"

#include <stdbool.h>
#include <string.h>

enum { AXES = 3, BATCH = 64, MOVERS = 128, AROUND = 27 };

static const double REACH = 3; /* of the near force, in cells of the grid that does the far one */
static const double SKIN =
    0.5; /* how much larger cells are: particles may move half of that before they are sorted again */
static const double MAY_MOVE = 0.14; /* that along each axis: SKIN / 2 over the root of three, and a little less */
static const double SOFT = 0.3;      /* distance at which the force stops to grow */
static const double STEP = 0.002,
                    USUAL = 40; /* of time, a kick, with up to USUAL particles of a cell; with more, all goes faster */
static const double FASTEST = 0.5, CLUMPS = 0.4; /* velocities at first; share of particles that are in clumps */
/* A kick and its two drifts: places are rounded at 2^-24 of the box, and forces are off by that over the distance at
 * which they stop to grow, and by a thousandth where one finds a particle just within reach and the other just without;
 * a kick takes STEP of them at most. */
static const double PLACE_TOLERANCE = 5e-6, SPEED_TOLERANCE = 1e-5;

static const harness_size input_sizes[] = {
    {"cells", "cells of a side of the box", {3, 5, 6}, 3, 64, 1},
    {"particles", "particles of a cell, in the mean", {5, 20, 32}, 1, 1000, 1},
    {"steps", "times that particles are sorted into cells", {2, 2, 2}, 1, 100, 1},
    {"kicks", "times that forces act between two sorts", {2, 3, 4}, 1, 20, 1},
    {0},
};

/* The polynomial of hacc.cu, as the benchmark HACCmk of the CORAL set has it. */
static const double GRID[] = {0.269327, -0.0750978, 0.0114808, -0.00109313, 0.0000605491, -0.00000147177};

typedef struct universe {
    int n, cells;
    double cell, box;
    double *place[AXES], *speed[AXES];          /* on the CPU */
    float *near_place[AXES], *near_speed[AXES]; /* what the device has, as floats, cell by cell */
    int *number, *first;                        /* number: which particle stands at a place of the device's arrays */
} universe;

/* How long a kick acts between two sorts. Times of what moves by its own attraction go by the root of the density; and
 * the fastest takes a half of what it may move. */
static double kick_length(harness *h, int n, float *const *speed)
{
    double fastest = 0;
    for (int axis = 0; axis < AXES; axis++)
        for (int i = 0; i < n; i++)
            fastest = fmax(fastest, fabs((double)speed[axis][i]));
    const double usual = STEP * fmin(1, sqrt(USUAL / (double)harness_get_size(h, "particles")));
    return fmin(usual, MAY_MOVE / 2 / (fastest * (double)harness_get_size(h, "kicks")));
}

static double wrapped(double at, double box)
{
    at -= box * floor(at / box);
    return at < box ? at : 0;
}

static int cell_of(const universe *u, double x, double y, double z)
{
    const double at[AXES] = {x, y, z};
    int cell = 0;
    for (int d = AXES - 1; d >= 0; d--) {
        const int k = (int)(at[d] / u->cell);
        cell = cell * u->cells + (k < u->cells ? k : u->cells - 1);
    }
    return cell;
}

/* Some everywhere, some in a clump, all slow. Places are what floats hold. */
static universe make_universe(harness *h)
{
    universe u = {.cells = (int)harness_get_size(h, "cells"), .cell = REACH + SKIN};
    const size_t cells = (size_t)u.cells * (size_t)u.cells * (size_t)u.cells,
                 n = cells * (size_t)harness_get_size(h, "particles");
    u.n = (int)n;
    u.box = u.cells * u.cell;
    for (int d = 0; d < AXES; d++) {
        u.place[d] = harness_host(h, n, sizeof(double));
        u.speed[d] = harness_host(h, n, sizeof(double));
        u.near_place[d] = harness_host(h, n, sizeof(float));
        u.near_speed[d] = harness_host(h, n, sizeof(float));
    }
    u.number = harness_host(h, n, sizeof(int));
    u.first = harness_host(h, cells + 1, sizeof(int));
    const double middle[AXES] = {harness_uniform(h, 0, u.box), harness_uniform(h, 0, u.box),
                                 harness_uniform(h, 0, u.box)};
    for (size_t i = 0; i < n; i++) {
        const bool in_clump = harness_uniform(h, 0, 1) < CLUMPS;
        for (int d = 0; d < AXES; d++) {
            const double off = harness_uniform(h, -1, 1) * u.box / 4, all = harness_uniform(h, 0, u.box);
            u.place[d][i] = (float)wrapped((float)(in_clump ? middle[d] + off : all), u.box);
            u.speed[d][i] = (float)harness_uniform(h, -FASTEST, FASTEST);
        }
        u.number[i] = (int)i;
    }
    return u;
}

/* ------------------------------------------------------------------------------------------------ on the CPU */

static double pull(double squared)
{
    double of_grid = 0;
    for (int i = 5; i >= 0; i--)
        of_grid = of_grid * squared + GRID[i];
    return pow(squared + SOFT * SOFT, -1.5) - of_grid;
}

/* Lists of the cells, as the places are now: first[] and the particles behind it. */
static void list_on_cpu(const universe *u, int *first, int *next)
{
    const int cells = u->cells * u->cells * u->cells;
    for (int c = 0; c < cells; c++)
        first[c] = -1;
    for (int i = 0; i < u->n; i++) {
        const int c = cell_of(u, wrapped(u->place[0][i], u->box), wrapped(u->place[1][i], u->box),
                              wrapped(u->place[2][i], u->box));
        next[i] = first[c];
        first[c] = i;
    }
}

static void pull_on_cpu(const universe *u, const int *first, const int *next, int i, double *force)
{
    int at[AXES];
    for (int d = 0; d < AXES; d++) {
        const int k = (int)(wrapped(u->place[d][i], u->box) / u->cell);
        at[d] = k < u->cells ? k : u->cells - 1;
        force[d] = 0;
    }
    for (int k = 0; k < AROUND; k++) {
        const int x = (at[0] + k % 3 + u->cells - 1) % u->cells, y = (at[1] + k / 3 % 3 + u->cells - 1) % u->cells,
                  z = (at[2] + k / 9 + u->cells - 1) % u->cells;
        for (int j = first[(z * u->cells + y) * u->cells + x]; j >= 0; j = next[j]) {
            double away[AXES], squared = 0;
            for (int d = 0; d < AXES; d++) {
                away[d] = u->place[d][j] - u->place[d][i];
                away[d] -= u->box * round(away[d] / u->box); /* the nearest of its images */
                squared += away[d] * away[d];
            }
            for (int d = 0; squared < REACH * REACH && d < AXES; d++)
                force[d] += pull(squared) * away[d];
        }
    }
}

static void move_on_cpu(harness *h, const universe *u, long kicks, double length)
{
    const size_t cells = (size_t)u->cells * (size_t)u->cells * (size_t)u->cells;
    int *const first = harness_host(h, cells, sizeof *first), *const next = harness_host(h, (size_t)u->n, sizeof *next);
    for (; kicks > 0; kicks--) {
        for (int d = 0; d < AXES; d++)
            for (int i = 0; i < u->n; i++)
                u->place[d][i] += length / 2 * u->speed[d][i];
        list_on_cpu(u, first, next);
        for (int i = 0; i < u->n; i++) {
            double force[AXES];
            pull_on_cpu(u, first, next, i, force);
            for (int d = 0; d < AXES; d++)
                u->speed[d][i] += length * force[d];
        }
        for (int d = 0; d < AXES; d++)
            for (int i = 0; i < u->n; i++)
                u->place[d][i] += length / 2 * u->speed[d][i];
    }
}

/* ------------------------------------------------------------------------------------------------ on the device */

typedef struct device {
    CUdeviceptr first, place[AXES], speed[AXES], force[AXES];
} device;

/* Numbers of particles cell by cell, in rising order, and with them what the device has. place and speed: by number. */
static void sort(harness *h, universe *u, float *const *place, float *const *speed, const device *d)
{
    const int cells = u->cells * u->cells * u->cells;
    const size_t bytes = (size_t)u->n * sizeof(float);
    int *const cell = harness_host(h, (size_t)u->n, sizeof *cell), *const at =
                                                                       harness_host(h, (size_t)cells, sizeof *at);
    memset(u->first, 0, ((size_t)cells + 1) * sizeof *u->first);
    for (int i = 0; i < u->n; i++) {
        cell[i] = cell_of(u, (double)place[0][i], (double)place[1][i], (double)place[2][i]);
        u->first[cell[i] + 1]++;
    }
    for (int c = 0; c < cells; c++) {
        u->first[c + 1] += u->first[c];
        at[c] = u->first[c];
    }
    for (int i = 0; i < u->n; i++)
        u->number[at[cell[i]]++] = i;
    for (int axis = 0; axis < AXES; axis++) {
        for (int i = 0; i < u->n; i++) {
            u->near_place[axis][i] = place[axis][u->number[i]];
            u->near_speed[axis][i] = speed[axis][u->number[i]];
        }
        harness_write(h, d->place[axis], u->near_place[axis], bytes);
        harness_write(h, d->speed[axis], u->near_speed[axis], bytes);
    }
    harness_write(h, d->first, u->first, ((size_t)cells + 1) * sizeof *u->first);
}

/* Places and speeds back, by number, places inside of the box; refuses when somebody went further than cells allow. */
static void collect(harness *h, const universe *u, float *const *place, float *const *speed, const device *d)
{
    float *const now = harness_host(h, (size_t)u->n, sizeof *now), *const fast =
                                                                       harness_host(h, (size_t)u->n, sizeof *fast);
    for (int axis = 0; axis < AXES; axis++) {
        harness_download(h, now, d->place[axis], (size_t)u->n * sizeof *now);
        harness_download(h, fast, d->speed[axis], (size_t)u->n * sizeof *fast);
        for (int i = 0; i < u->n; i++) {
            if (fabs((double)now[i] - (double)u->near_place[axis][i]) > MAY_MOVE)
                harness_refuse(h,
                               "kicks=%ld and particles=%ld: a particle leaves its cell's surroundings before the next "
                               "sort; take fewer",
                               harness_get_size(h, "kicks"), harness_get_size(h, "particles"));
            place[axis][u->number[i]] = (float)wrapped((double)now[i], u->box);
            speed[axis][u->number[i]] = fast[i];
        }
    }
}

static void move_on_device(harness *h, universe *u, device *d, long kicks, double length)
{
    struct {
        float reach_squared, soft_squared, cell;
    } f = {(float)(REACH * REACH), (float)(SOFT * SOFT), (float)u->cell};
    const harness_dim movers = HARNESS_DIM(harness_blocks(u->n, MOVERS)), block = HARNESS_DIM(MOVERS);
    CUdeviceptr *const p = d->place, *const s = d->speed, *const a = d->force;
    float half = (float)(length / 2), whole = (float)length;
    for (; kicks > 0; kicks--) {
        HARNESS_LAUNCH(h, harness_kernel(h, "hac_drift"), movers, block, 0, &p[0], &p[1], &p[2], &s[0], &s[1], &s[2],
                       &half, &u->n);
        HARNESS_LAUNCH(h, harness_kernel(h, "hac_force"), HARNESS_DIM(u->cells * u->cells * u->cells),
                       HARNESS_DIM(BATCH), 0, &d->first, &p[0], &p[1], &p[2], &a[0], &a[1], &a[2], &f, &u->cells);
        HARNESS_LAUNCH(h, harness_kernel(h, "hac_kick"), movers, block, 0, &s[0], &s[1], &s[2], &a[0], &a[1], &a[2],
                       &whole, &u->n);
        HARNESS_LAUNCH(h, harness_kernel(h, "hac_drift"), movers, block, 0, &p[0], &p[1], &p[2], &s[0], &s[1], &s[2],
                       &half, &u->n);
    }
}

/* All pull each other alike, so the sum of velocities stays, but for rounding. */
static void check_momentum(harness *h, const universe *u, float *const *speed, const double *before)
{
    for (int d = 0; d < AXES; d++) {
        double sum = 0;
        for (int i = 0; i < u->n; i++)
            sum += (double)speed[d][i];
        if (!(fabs(sum - before[d]) <= SPEED_TOLERANCE * sqrt((double)u->n)))
            harness_wrong(h, "velocities along axis %d added up to %.9g and now to %.9g", d, before[d], sum);
    }
}

static void run(harness *h)
{
    universe u = make_universe(h);
    const long steps = harness_get_size(h, "steps"), kicks = harness_get_size(h, "kicks");
    const size_t n = (size_t)u.n, bytes = n * sizeof(float),
                 cells = (size_t)u.cells * (size_t)u.cells * (size_t)u.cells;
    device d = {.first = harness_device(h, (cells + 1) * sizeof(int))};
    float *place[AXES], *speed[AXES], *const want = harness_host(h, n, sizeof *want);
    double momentum[AXES] = {0};
    for (int axis = 0; axis < AXES; axis++) {
        d.place[axis] = harness_device(h, bytes);
        d.speed[axis] = harness_device(h, bytes);
        d.force[axis] = harness_device(h, bytes);
        place[axis] = harness_host(h, n, sizeof(float));
        speed[axis] = harness_host(h, n, sizeof(float));
        for (size_t i = 0; i < n; i++) {
            place[axis][i] = (float)u.place[axis][i];
            speed[axis][i] = (float)u.speed[axis][i];
            momentum[axis] += u.speed[axis][i];
        }
    }

    for (long step = 0; step < steps; step++) {
        const double length = kick_length(h, u.n, speed);
        sort(h, &u, place, speed, &d);
        move_on_device(h, &u, &d, kicks, length);
        collect(h, &u, place, speed, &d);
        move_on_cpu(h, &u, kicks, length);
    }
    check_momentum(h, &u, speed, momentum);
    for (int axis = 0; axis < AXES; axis++) {
        for (size_t i = 0; i < n; i++) { /* as the image that is nearest to the device's */
            const double off = u.place[axis][i] - (double)place[axis][i];
            want[i] = (float)(u.place[axis][i] - u.box * round(off / u.box));
        }
        harness_check_floats(h, "place", place[axis], want, n, 0, PLACE_TOLERANCE * (double)(steps * kicks));
        for (size_t i = 0; i < n; i++)
            want[i] = (float)u.speed[axis][i];
        harness_check_floats(h, "velocity", speed[axis], want, n, 0, SPEED_TOLERANCE * (double)(steps * kicks));
    }
}

HARNESS_WORKLOAD_OF("HACC", "data/workloads/hacc/hacc.ptx", run, input_sizes)
