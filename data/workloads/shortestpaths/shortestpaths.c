/* shortestpaths.c - SSP: minima by atomics on a front that crosses a graph. Host side of shortestpaths.cu. */
#include "data/workloads/harness/graph.h"

enum { THREADS = 256, SOURCE = 0, LONGEST = 100, FAR = 1 << 30 };

static const harness_size input_sizes[] = {
    HARNESS_GRAPH_SIZES(HARNESS_GRAPH_ROADS, 500, 10000, 60000, 8),
    {0},
};

static void search_on_device(harness *h, harness_graph *g, const int *length, int *distance)
{
    const size_t n = (size_t)g->nodes, bytes = n * sizeof(int);
    int *const active = harness_host(h, n, sizeof *active), sunk = 1;
    static const int none;
    for (size_t i = 0; i < n; i++)
        distance[i] = FAR;
    distance[SOURCE] = 0;
    active[SOURCE] = 1;
    CUdeviceptr d_length = harness_upload(h, length, ((size_t)g->edges + 1) * sizeof *length),
                d_distance = harness_upload(h, distance, bytes);
    CUdeviceptr offered = harness_upload(h, distance, bytes), d_active = harness_upload(h, active, bytes),
                d_sunk = harness_device(h, sizeof none);
    const harness_dim grid = HARNESS_DIM(harness_graph_blocks(g, THREADS)), block = HARNESS_DIM(THREADS);
    CUfunction relax = harness_kernel(h, "ssp_relax"), settle = harness_kernel(h, "ssp_settle");

    while (sunk) {
        harness_write(h, d_sunk, &none, sizeof none);
        HARNESS_LAUNCH(h, relax, grid, block, 0, &g->d_first, &g->d_target, &d_length, &d_distance, &d_active, &offered,
                       &g->nodes);
        HARNESS_LAUNCH(h, settle, grid, block, 0, &d_distance, &d_active, &offered, &d_sunk, &g->nodes);
        harness_download(h, &sunk, d_sunk, sizeof sunk);
    }
    harness_download(h, distance, d_distance, bytes);
}

/* Lengths are positive. So distances are the shortest when no edge offers a shorter way, and each but the source's,
 * which is 0, is what some edge offers. */
static void run(harness *h)
{
    harness_graph g = harness_make_graph(h, false);
    const int *const length = harness_edge_lengths(h, &g, LONGEST);
    int *const distance = harness_host(h, (size_t)g.nodes, sizeof *distance), *const offered = harness_host(
                                                                                  h, (size_t)g.nodes, sizeof *offered);

    search_on_device(h, &g, length, distance);
    harness_check_range(h, &g, distance, FAR);
    for (int i = 0; i < g.nodes; i++)
        offered[i] = FAR;
    for (int i = 0; i < g.nodes; i++)
        for (int e = g.first[i]; e < g.first[i + 1]; e++)
            if (distance[i] < FAR && distance[i] + length[e] < offered[g.target[e]])
                offered[g.target[e]] = distance[i] + length[e];
    offered[SOURCE] = 0;
    harness_check_ints(h, "distance", distance, offered, (size_t)g.nodes);
}

HARNESS_WORKLOAD_OF("SSP", "data/workloads/shortestpaths/shortestpaths.ptx", run, input_sizes)
