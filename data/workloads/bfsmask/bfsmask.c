/* bfsmask.c - BFSI: what does a search cost whose threads mark nodes in the mask that they read? Host side of
 * bfsmask.cu. */
#include "data/workloads/harness/graph.h"

#include <string.h>

enum { THREADS = 256, SOURCE = 0, DEGREE = 6 };

/* Pairs of nodes drawn at random, an edge each way: six edges a node in the mean, as in the suite's two files. */
static harness_graph draw_graph(harness *h, int nodes)
{
    harness_graph g = {.nodes = nodes, .first = harness_host(h, (size_t)nodes + 1, sizeof *g.first)};
    const size_t pairs = (size_t)nodes * DEGREE / 2;
    int *const end = harness_random_ints(h, 2 * pairs, 0, nodes - 1);
    int *const at = harness_host(h, (size_t)nodes, sizeof *at);
    for (size_t i = 0; i < 2 * pairs; i++)
        g.first[end[i] + 1]++;
    for (int i = 0; i < nodes; i++) {
        g.first[i + 1] += g.first[i];
        at[i] = g.first[i];
    }
    g.edges = (int)(2 * pairs);
    g.target = harness_host(h, 2 * pairs, sizeof *g.target);
    for (size_t i = 0; i < 2 * pairs; i++)
        g.target[at[end[i]]++] = end[i ^ 1];
    return g;
}

static void search_on_device(harness *h, const harness_graph *g, int *cost)
{
    const size_t n = (size_t)g->nodes;
    unsigned char *const marks = harness_host(h, n, 1), more = 0;
    CUdeviceptr visited = harness_upload(h, marks, n);
    marks[SOURCE] = 1;
    CUdeviceptr mask = harness_upload(h, marks, n);
    CUdeviceptr first = harness_upload(h, g->first, (n + 1) * sizeof *g->first);
    CUdeviceptr edge = harness_upload(h, g->target, ((size_t)g->edges + !g->edges) * sizeof *g->target);
    memset(cost, 0xff, n * sizeof *cost);
    cost[SOURCE] = 0;
    CUdeviceptr d_cost = harness_upload(h, cost, n * sizeof *cost), d_more = harness_device(h, sizeof more);
    const CUfunction kernel = harness_kernel(h, "bfs_mask");
    const harness_dim grid = HARNESS_DIM((g->nodes + THREADS - 1) / THREADS), block = HARNESS_DIM(THREADS);
    int nodes = g->nodes, launches = 0;

    do {
        if (launches++ > nodes)
            harness_wrong(h, "the search goes on after %d launches in a graph of %d nodes", launches - 1, nodes);
        more = 0;
        harness_write(h, d_more, &more, sizeof more);
        HARNESS_LAUNCH(h, kernel, grid, block, 0, &first, &edge, &mask, &visited, &d_cost, &d_more, &nodes);
        harness_download(h, &more, d_more, sizeof more);
    } while (more);
    harness_download(h, cost, d_cost, n * sizeof *cost);
}

static const harness_size input_sizes[] = {
    {"graph", "0: edges drawn at random; or a file, DIMACS or MatrixMarket", {0, 0, 0}, 0, 0, HARNESS_OR_FILE},
    {"nodes", "nodes of the graph", {1024, 4096, 65536}, 2, 20000000, 1},
    {0},
};

/* What is reached is exact. A node that was expanded in the launch that marked it may pass on a cost that a shorter way
 * comes too late to mend: costs are those of ways, not of shortest ones. */
static void run(harness *h)
{
    const char *const path = harness_get_file(h, "graph");
    const harness_graph g =
        path ? harness_read_graph(h, path, false) : draw_graph(h, (int)harness_get_size(h, "nodes"));
    int *const got = harness_host(h, (size_t)g.nodes, sizeof *got);
    int *const want = harness_host(h, (size_t)g.nodes, sizeof *want);

    search_on_device(h, &g, got);
    harness_search(h, &g, SOURCE, want);
    for (int i = 0; i < g.nodes; i++)
        if ((got[i] < 0) != (want[i] < 0) || got[i] < want[i] || got[i] >= g.nodes)
            harness_wrong(h, "node %d has cost %d where the shortest way has %d", i, got[i], want[i]);
}

HARNESS_WORKLOAD_OF("BFSI", "data/workloads/bfsmask/bfsmask.ptx", run, input_sizes)
