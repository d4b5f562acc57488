/* latticeboltzmann.c - LBM: nineteen loads, nineteen stores and few sums between. Host side of latticeboltzmann.cu. */
#include "data/workloads/harness/matrix.h"

#include <limits.h>
#include <string.h>

enum { DIRECTIONS = 19, FLUID = 0, SOLID = 1, LID = 2, THREADS = 128 };

static const harness_size input_sizes[] = {
    {"columns", "cells along x", {32, 128, 128}, 3, 1024, 1},
    {"rows", "cells along y", {6, 16, 64}, 3, 512, 1},
    {"planes", "cells along z, from the ground to the lid", {6, 16, 32}, 4, 512, 1},
    {"steps", "steps of time", {2, 3, 10}, 1, 10000, 1},
    {0},
};

static const struct {
    int x, y, z;
    float weight;
} direction[DIRECTIONS] = {/* in pairs of opposite ones */
                           {0, 0, 0, 1 / 3.0f},    {1, 0, 0, 1 / 18.0f},  {-1, 0, 0, 1 / 18.0f}, {0, 1, 0, 1 / 18.0f},
                           {0, -1, 0, 1 / 18.0f},  {0, 0, 1, 1 / 18.0f},  {0, 0, -1, 1 / 18.0f}, {1, 1, 0, 1 / 36.0f},
                           {-1, -1, 0, 1 / 36.0f}, {1, -1, 0, 1 / 36.0f}, {-1, 1, 0, 1 / 36.0f}, {1, 0, 1, 1 / 36.0f},
                           {-1, 0, -1, 1 / 36.0f}, {1, 0, -1, 1 / 36.0f}, {-1, 0, 1, 1 / 36.0f}, {0, 1, 1, 1 / 36.0f},
                           {0, -1, -1, 1 / 36.0f}, {0, 1, -1, 1 / 36.0f}, {0, -1, 1, 1 / 36.0f}};

typedef struct box {
    long columns, rows, planes, cells;
    size_t first, room; /* floats before the first cell, and of a direction's array */
    unsigned char *kind;
    float rate, speed;
} box;

/* A closed box: its outermost cells are solid, those below its lid move with that; a few obstacles stand in it. */
static box make_box(harness *h)
{
    box b = {.columns = harness_get_size(h, "columns"),
             .rows = harness_get_size(h, "rows"),
             .planes = harness_get_size(h, "planes"),
             .rate = 1.2f,
             .speed = 0.05f};
    b.cells = b.columns * b.rows * b.planes;
    b.first = (size_t)(b.columns * b.rows + b.columns + 1);
    b.first = (b.first + 31) / 32 * 32; /* cells begin at a line */
    b.room = ((size_t)b.cells + 2 * b.first + 31) / 32 * 32;
    b.kind = harness_host(h, (size_t)b.cells, 1);
    for (long i = 0; i < b.cells; i++) {
        const long x = i % b.columns, y = i / b.columns % b.rows, z = i / b.columns / b.rows;
        const int wall = x == 0 || y == 0 || z == 0 || x == b.columns - 1 || y == b.rows - 1 || z == b.planes - 1;
        b.kind[i] = wall || (z < b.planes / 2 && harness_integer(h, 50) == 0) ? SOLID : z == b.planes - 2 ? LID : FLUID;
    }
    return b;
}

static long step_to(const box *b, int k)
{
    return (direction[k].z * b->rows + direction[k].y) * b->columns + direction[k].x;
}

static void cell_on_cpu(const box *b, const float *from, float *to, long cell)
{
    const float *const in = from + (long)b->first + cell;
    float *const out = to + (long)b->first + cell;
    if (b->kind[cell] == SOLID) {
        for (int k = 0; k < DIRECTIONS; k++) {
            const int back = k == 0 ? 0 : k % 2 ? k + 1 : k - 1;
            out[(long)(back * (long)b->room) + step_to(b, back)] = in[k * (long)b->room];
        }
        return;
    }
    double mass = 0, u[3] = {0};
    for (int k = 0; k < DIRECTIONS; k++) {
        const double share = (double)in[k * (long)b->room];
        mass += share;
        u[0] += direction[k].x * share;
        u[1] += direction[k].y * share;
        u[2] += direction[k].z * share;
    }
    for (int i = 0; i < 3; i++)
        u[i] = b->kind[cell] != LID ? u[i] / mass : i == 0 ? (double)b->speed : 0;
    const double square = 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int k = 0; k < DIRECTIONS; k++) {
        const double share = (double)in[k * (long)b->room],
                     along = 3 * (direction[k].x * u[0] + direction[k].y * u[1] + direction[k].z * u[2]);
        const double rest = (double)direction[k].weight * mass * (1 + along + 0.5 * along * along - square);
        out[k * (long)b->room + step_to(b, k)] = (float)(share + (double)b->rate * (rest - share));
    }
}

static void run(harness *h)
{
    const box b = make_box(h);
    if (DIRECTIONS * b.room > INT_MAX)
        harness_refuse(h, "columns=%ld, rows=%ld and planes=%ld are more than %zu cells with room around them",
                       b.columns, b.rows, b.planes, (size_t)INT_MAX / DIRECTIONS);
    const size_t n = DIRECTIONS * b.room, bytes = n * sizeof(float);
    float *from = harness_host(h, n, sizeof *from), *to = harness_host(h, n, sizeof *to);
    float *const got = harness_host(h, n, sizeof *got);
    for (size_t i = 0; i < n; i++)
        from[i] = direction[i / b.room].weight * (float)harness_uniform(h, 0.95, 1.05);
    memcpy(to, from, bytes);
    CUdeviceptr d_from = harness_upload(h, from, bytes), d_to = harness_upload(h, to, bytes),
                kind = harness_upload(h, b.kind, (size_t)b.cells);
    int columns = (int)b.columns, rows = (int)b.rows, first = (int)b.first, room = (int)b.room;
    float rate = b.rate, speed = b.speed;
    const long steps = harness_get_size(h, "steps");

    for (long step = 0; step < steps; step++) {
        HARNESS_LAUNCH(h, harness_kernel(h, "lbm_step"),
                       HARNESS_DIM(harness_blocks(b.columns, THREADS), b.rows, b.planes), HARNESS_DIM(THREADS), 0,
                       &d_from, &d_to, &kind, &columns, &rows, &first, &room, &rate, &speed);
        for (long i = 0; i < b.cells; i++)
            cell_on_cpu(&b, from, to, i);
        float *const last = from;
        from = to, to = last;
        const CUdeviceptr d_last = d_from;
        d_from = d_to, d_to = d_last;
    }
    harness_download(h, got, d_from, bytes);
    harness_check_floats(h, "shares", got, from, n, 0, 1e-7 * (double)(steps + 5)); /* shares are at most a third */
}

HARNESS_WORKLOAD_OF("LBM", "data/workloads/latticeboltzmann/latticeboltzmann.ptx", run, input_sizes)
