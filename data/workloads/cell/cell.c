/* cell.c - CL, host side: a random cube of cells, the loop over rounds of generations, and the automaton by its
 * definition. */
#include "data/workloads/harness/harness.h"

#include <string.h>

enum { THREADS = 4, STEPS = 2, INNER = 4 }; /* as in cell.cu */

/* C. Bays, Candidates for the Game of Life in Three Dimensions, 1987: the rule 4555. Layout as in cell.cu. */
typedef struct rule {
    int stay_least, stay_most, born_least, born_most;
} rule;
static const rule LIFE_4555 = {4, 5, 5, 5};

static const double ALIVE = 0.2; /* of the cells at the start */

typedef struct cube {
    int side, rounds, blocks; /* blocks of a launch; 1: one launch does all rounds */
    size_t cells;
} cube;

static int *make_cells(harness *h, const cube *c)
{
    int *const cell = harness_host(h, c->cells, sizeof *cell);
    for (size_t i = 0; i < c->cells; i++)
        cell[i] = harness_uniform(h, 0, 1) < ALIVE;
    return cell;
}

static int living_neighbours(const int *cell, int side, int x, int y, int z)
{
    int alive = 0;
    for (int nz = z - 1; nz <= z + 1; nz++)
        for (int ny = y - 1; ny <= y + 1; ny++)
            for (int nx = x - 1; nx <= x + 1; nx++) {
                const int outside = nx < 0 || ny < 0 || nz < 0 || nx >= side || ny >= side || nz >= side;
                const int itself = nx == x && ny == y && nz == z;
                if (!outside && !itself)
                    alive += cell[(nz * side + ny) * side + nx];
            }
    return alive;
}

/* One generation over the whole cube. */
static void step_on_cpu(const int *now, int *then, int side)
{
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                const int at = (z * side + y) * side + x, alive = living_neighbours(now, side, x, y, z);
                then[at] = now[at] ? alive >= LIFE_4555.stay_least && alive <= LIFE_4555.stay_most
                                   : alive >= LIFE_4555.born_least && alive <= LIFE_4555.born_most;
            }
}

/* Generations pass between two arrays, on the CPU and on the device. */
static void run_on_cpu(harness *h, const cube *c, int *cell)
{
    int *const then = harness_host(h, c->cells, sizeof *then);
    for (int step = 0; step < c->rounds * STEPS; step++) {
        step_on_cpu(cell, then, c->side);
        memcpy(cell, then, c->cells * sizeof *cell);
    }
}

static void run_on_device(harness *h, const cube *c, int *cell)
{
    const size_t bytes = c->cells * sizeof *cell;
    CUdeviceptr now = harness_upload(h, cell, bytes), then = harness_device(h, bytes);
    const CUfunction kernel = harness_kernel(h, "cell_generations");
    const harness_dim block = HARNESS_DIM(THREADS, THREADS, THREADS);
    rule life = LIFE_4555;
    int side = c->side, a_launch = c->blocks == 1 ? c->rounds : 1;

    for (int round = 0; round < c->rounds; round += a_launch) {
        HARNESS_LAUNCH(h, kernel, HARNESS_DIM(c->blocks), block, 0, &now, &then, &side, &a_launch, &life);
        if (a_launch % 2 == 1) { /* else the last round stored where the first one began */
            harness_swap(&now, &then);
        }
    }
    harness_download(h, cell, now, bytes);
}

static void run(harness *h)
{
    cube c = {.side = (int)harness_pick(h, 7, 46, 8), .rounds = (int)harness_pick(h, 3, 2, 10)};
    const int across = (c.side + INNER - 1) / INNER;
    c.blocks = (int)harness_pick(h, 4, (long)across * across * across, 1);
    c.cells = (size_t)c.side * (size_t)c.side * (size_t)c.side;
    int *const got = make_cells(h, &c), *const want = harness_host(h, c.cells, sizeof *want);
    memcpy(want, got, c.cells * sizeof *want);

    run_on_device(h, &c, got);
    run_on_cpu(h, &c, want);
    harness_check_ints(h, "cell", got, want, c.cells);
}

HARNESS_WORKLOAD("CL", "data/workloads/cell/cell.ptx", run)
