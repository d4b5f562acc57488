/* floydwarshall.c - FW: what stays in a cache of a table that each launch goes over? Host side of floydwarshall.cu. */
#include "data/workloads/harness/graph.h"
#include "data/workloads/harness/matrix.h"

enum { TILE = 16, LONGEST = 100, FAR = 1 << 29 }; /* FAR: no way; two of them are still a number */
enum form { BOTH, STEPS, TILES };

static const harness_size input_sizes[] = {
    HARNESS_GRAPH_SIZES_UP_TO(HARNESS_GRAPH_RMAT, 45, 200, 512, 8, 2048, 256),
    {"form", "0: both, 1: a launch a node, 2: tiles", {BOTH, BOTH, BOTH}, BOTH, TILES, 1},
    {0},
};

/* Lengths of edges in a table whose rows are `pitch` apart; a node is 0 from itself. */
static int *make_table(harness *h, const harness_graph *g, const int *length, long pitch)
{
    int *const table = harness_filled(h, (size_t)(pitch * pitch), FAR);
    for (int from = 0; from < g->nodes; from++) {
        for (int e = g->first[from]; e < g->first[from + 1]; e++)
            table[from * pitch + g->target[e]] = length[e];
        table[from * pitch + from] = 0;
    }
    return table;
}

static void run_steps(harness *h, CUdeviceptr table, int nodes, int pitch)
{
    const harness_dim grid = HARNESS_DIM(pitch / TILE, pitch / TILE), block = HARNESS_DIM(TILE, TILE);
    for (int k = 0; k < nodes; k++)
        HARNESS_LAUNCH(h, harness_kernel(h, "fw_step"), grid, block, 0, &table, &k, &nodes, &pitch);
}

static void run_tiles(harness *h, CUdeviceptr table, int pitch)
{
    const int tiles = pitch / TILE, others = tiles - 1;
    const harness_dim block = HARNESS_DIM(TILE, TILE);
    for (int round = 0; round < tiles; round++) {
        HARNESS_LAUNCH(h, harness_kernel(h, "fw_diagonal"), HARNESS_DIM(1), block, 0, &table, &round, &pitch);
        if (!others)
            continue;
        HARNESS_LAUNCH(h, harness_kernel(h, "fw_cross"), HARNESS_DIM(others, 2), block, 0, &table, &round, &pitch);
        HARNESS_LAUNCH(h, harness_kernel(h, "fw_rest"), HARNESS_DIM(others, others), block, 0, &table, &round, &pitch);
    }
}

/* Lengths are positive, so distances from a node are the only numbers for which each is the shortest that an edge
 * offers. */
static void check_row(harness *h, const harness_graph *g, const int *length, int from, const int *distance, int *offer)
{
    for (int i = 0; i < g->nodes; i++)
        offer[i] = i == from ? 0 : FAR;
    for (int i = 0; i < g->nodes; i++)
        for (int e = g->first[i]; e < g->first[i + 1]; e++)
            if (distance[i] + length[e] < offer[g->target[e]])
                offer[g->target[e]] = distance[i] + length[e];
    for (int i = 0; i < g->nodes; i++)
        if (distance[i] != offer[i])
            harness_wrong(h, "from %d to %d it is %d where edges offer %d", from, i, distance[i], offer[i]);
}

/* From the lengths of edges to distances, on the device, and checked. */
static void solve(harness *h, const harness_graph *g, const int *length, enum form form)
{
    const int pitch = (int)harness_blocks(g->nodes, TILE) * TILE;
    int *const table = make_table(h, g, length, pitch), *const offer = harness_host(h, (size_t)g->nodes, sizeof *offer);
    const size_t bytes = (size_t)pitch * (size_t)pitch * sizeof *table;
    const CUdeviceptr d_table = harness_upload(h, table, bytes);

    if (form == STEPS)
        run_steps(h, d_table, g->nodes, pitch);
    else
        run_tiles(h, d_table, pitch);
    harness_download(h, table, d_table, bytes);
    for (int from = 0; from < g->nodes; from++) {
        harness_check_range(h, g, table + from * pitch, FAR);
        check_row(h, g, length, from, table + from * pitch, offer);
    }
}

static void run(harness *h)
{
    const harness_graph g = harness_make_graph_of(h, (int)harness_get_size(h, "nodes"), false);
    const int *const length = harness_edge_lengths(h, &g, LONGEST);
    const long form = harness_get_size(h, "form");
    for (long f = STEPS; f <= TILES; f++)
        if (form == f || form == BOTH)
            solve(h, &g, length, (enum form)f);
}

HARNESS_WORKLOAD_OF("FW", "data/workloads/floydwarshall/floydwarshall.ptx", run, input_sizes)
