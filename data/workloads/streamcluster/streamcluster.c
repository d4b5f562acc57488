/* streamcluster.c - SC: what do a few loads from arrays of structs cost at the end of a kernel that otherwise streams?
 * Host side of streamcluster.cu. */
#include "data/workloads/harness/matrix.h"

#include <string.h>

enum { THREADS = 512, FIRST_CENTRES = 10 };

static const harness_size input_sizes[] = {
    {"points", "points", {512, 8192, 65536}, 16, 1048576, 1},
    {"dimensions", "numbers of a point", {16, 32, 256}, 1, 1024, 1},
    {"candidates", "points that are tried as centres, a launch each", {3, 4, 3}, 1, 1000, 1},
    {0},
};

typedef struct point { /* as in streamcluster.cu */
    float weight;
    const float *coordinates;
    long centre;
    float cost;
} point;

typedef struct cluster {
    long n, dimensions, centres;
    float *coordinates; /* by dimension */
    point *points;
    int *number_of; /* of a centre among the centres, by point; -1: it is none */
    double opening; /* what a centre costs */
    float *sums;    /* room for as many centres as there may be, and moves */
    int *moves;
    CUdeviceptr d_coordinates, d_points, d_number_of, d_sums, d_moves;
} cluster;

static double cost_at(const cluster *c, long i, long centre)
{
    double sum = 0;
    for (long d = 0; d < c->dimensions; d++) {
        const double apart = (double)c->coordinates[d * c->n + i] - (double)c->coordinates[d * c->n + centre];
        sum += apart * apart;
    }
    return sum * (double)c->points[i].weight;
}

static void number_centres(cluster *c)
{
    c->centres = 0;
    for (long i = 0; i < c->n; i++)
        c->number_of[i] = c->points[i].centre == i ? (int)c->centres++ : -1;
}

static cluster make_cluster(harness *h)
{
    cluster c = {.n = harness_get_size(h, "points"), .dimensions = harness_get_size(h, "dimensions")};
    const size_t n = (size_t)c.n;
    c.coordinates = harness_random_floats(h, n * (size_t)c.dimensions, 0, 1);
    c.points = harness_host(h, n, sizeof *c.points);
    c.number_of = harness_host(h, n, sizeof *c.number_of);
    double total = 0;
    for (long i = 0; i < c.n; i++) {
        c.points[i].weight = (float)harness_uniform(h, 0.5, 1.5);
        c.points[i].cost = INFINITY;
        for (long centre = 0; centre < FIRST_CENTRES; centre++) {
            const float cost = (float)cost_at(&c, i, centre);
            if (cost < c.points[i].cost) {
                c.points[i].cost = cost;
                c.points[i].centre = centre;
            }
        }
        total += (double)c.points[i].cost;
    }
    c.opening = total / (double)c.n; /* a candidate pays when it saves as much as a point costs */
    number_centres(&c);
    c.d_coordinates = harness_upload(h, c.coordinates, n * (size_t)c.dimensions * sizeof *c.coordinates);
    c.d_points = harness_device(h, n * sizeof *c.points);
    c.d_number_of = harness_device(h, n * sizeof *c.number_of);
    const size_t sums = n * (size_t)(FIRST_CENTRES + harness_get_size(h, "candidates") + 1);
    c.sums = harness_host(h, sums, sizeof *c.sums);
    c.moves = harness_host(h, n, sizeof *c.moves);
    c.d_sums = harness_device(h, sums * sizeof *c.sums);
    c.d_moves = harness_device(h, n * sizeof *c.moves);
    return c;
}

/* Each point's row of sums, by itself; a point that is as near to both but for rounding may go either way. */
static void check_gains(harness *h, const cluster *c, long candidate)
{
    const float *const sums = c->sums;
    const int *const moves = c->moves;
    for (long i = 0; i < c->n; i++) {
        const double here = (double)c->points[i].cost, gain = cost_at(c, i, candidate) - here,
                     allowed = 1e-5 * (fabs(gain) + here);
        const long place = moves[i] ? c->centres : c->number_of[c->points[i].centre];
        if ((moves[i] ? gain : -gain) > allowed)
            harness_wrong(h, "point %ld %s where the candidate is %g better", i, moves[i] ? "moves" : "stays", -gain);
        for (long k = 0; k <= c->centres; k++) {
            const double want = k != place ? 0 : moves[i] ? gain : -gain, got = (double)sums[i * (c->centres + 1) + k];
            if (!(fabs(got - want) <= allowed))
                harness_wrong(h, "sum %ld of point %ld is %g where the CPU has %g", k, i, got, want);
        }
    }
}

/* Opens the candidate if that pays with what closes, and moves points. */
static void decide(harness *h, cluster *c, long candidate)
{
    double *const saved = harness_host(h, (size_t)c->centres + 1, sizeof *saved);
    for (long i = 0; i < c->n; i++)
        for (long k = 0; k <= c->centres; k++)
            saved[k] += (double)c->sums[i * (c->centres + 1) + k];
    double cost = c->opening + saved[c->centres];
    for (long k = 0; k < c->centres; k++)
        cost -= c->opening + saved[k] > 0 ? c->opening + saved[k] : 0;
    if (cost >= 0)
        return;
    for (long i = 0; i < c->n; i++)
        if (c->moves[i] || c->opening + saved[c->number_of[c->points[i].centre]] > 0) {
            c->points[i].cost = (float)cost_at(c, i, candidate);
            c->points[i].centre = candidate;
        }
    number_centres(c);
}

static void try_candidate(harness *h, cluster *c, int candidate)
{
    const size_t n = (size_t)c->n, sums = n * (size_t)(c->centres + 1);
    memset(c->sums, 0, sums * sizeof *c->sums);
    memset(c->moves, 0, n * sizeof *c->moves);
    harness_write(h, c->d_points, c->points, n * sizeof *c->points);
    harness_write(h, c->d_number_of, c->number_of, n * sizeof *c->number_of);
    harness_write(h, c->d_moves, c->moves, n * sizeof *c->moves);
    harness_write(h, c->d_sums, c->sums, sums * sizeof *c->sums);
    int d_n = (int)c->n, dimensions = (int)c->dimensions, centres = (int)c->centres;
    HARNESS_LAUNCH(h, harness_kernel(h, "sc_gain"), HARNESS_DIM(harness_blocks(c->n, THREADS)), HARNESS_DIM(THREADS), 0,
                   &c->d_coordinates, &c->d_points, &c->d_number_of, &c->d_sums, &c->d_moves, &d_n, &dimensions,
                   &candidate, &centres);
    harness_download(h, c->sums, c->d_sums, sums * sizeof *c->sums);
    harness_download(h, c->moves, c->d_moves, n * sizeof *c->moves);
    check_gains(h, c, candidate);
    decide(h, c, candidate);
}

static void run(harness *h)
{
    cluster c = make_cluster(h);
    for (long left = harness_get_size(h, "candidates"); left > 0; left--)
        try_candidate(h, &c, (int)harness_integer(h, (unsigned)c.n));
}

HARNESS_WORKLOAD_OF("SC", "data/workloads/streamcluster/streamcluster.ptx", run, input_sizes)
