/* pathfinder.c - PF: how many launches do ghost zones save a dynamic program, and at what price? Host side of
 * pathfinder.cu. */
#include "data/workloads/harness/harness.h"

#include <string.h>

enum { THREADS = 256, HEAVIEST = 9 };

typedef struct grid {
    long columns, rows;
    int pyramid; /* rows a launch */
    int *weight;
} grid;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Weight of the cheapest way to each field of the last row, by whole rows. */
static void descend_on_cpu(harness *h, const grid *g, int *sum)
{
    int *const above = harness_host(h, (size_t)g->columns, sizeof *above);
    for (long y = 0; y < g->rows; y++) {
        memcpy(above, sum, (size_t)g->columns * sizeof *above);
        for (long x = 0; x < g->columns; x++) {
            int best = above[x];
            if (x > 0)
                best = smaller(best, above[x - 1]);
            if (x < g->columns - 1)
                best = smaller(best, above[x + 1]);
            sum[x] = best + g->weight[y * g->columns + x];
        }
    }
}

static void descend_on_device(harness *h, const grid *g, int *sum)
{
    const size_t row = (size_t)g->columns * sizeof *sum;
    CUdeviceptr from = harness_upload(h, g->weight, row), to = harness_device(h, row);
    const CUdeviceptr walls = harness_upload(h, g->weight + g->columns, row * (size_t)(g->rows - 1));
    const CUfunction kernel = harness_kernel(h, "pf_rows");
    int columns = (int)g->columns;

    for (long done = 0; done < g->rows - 1; done += g->pyramid) {
        const long left = g->rows - 1 - done;
        int steps = left < g->pyramid ? (int)left : g->pyramid;
        const int inner = THREADS - 2 * steps;
        CUdeviceptr wall = walls + (size_t)done * row;
        HARNESS_LAUNCH(h, kernel, HARNESS_DIM((columns + inner - 1) / inner), HARNESS_DIM(THREADS), 0, &wall, &from,
                       &to, &columns, &steps);
        harness_swap(&from, &to);
    }
    harness_download(h, sum, from, row);
}

static const harness_size input_sizes[] = {
    {"columns", "fields of a row", {500, 60000, 432}, 1, 10000000, 1},
    {"rows", "rows of the grid", {14, 100, 41}, 2, 10000, 1},
    {0},
};

static void run(harness *h)
{
    grid g = {.columns = harness_get_size(h, "columns"),
              .rows = harness_get_size(h, "rows"),
              .pyramid = (int)harness_pick(h, 5, 20, 20)};
    const size_t n = (size_t)g.columns;
    g.weight = harness_random_ints(h, n * (size_t)g.rows, 0, HEAVIEST);
    int *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);

    descend_on_device(h, &g, got);
    descend_on_cpu(h, &g, want);
    harness_check_ints(h, "sum", got, want, n);
}

HARNESS_WORKLOAD_OF("PF", "data/workloads/pathfinder/pathfinder.ptx", run, input_sizes)
