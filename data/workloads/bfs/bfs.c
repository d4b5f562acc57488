/* bfs.c - BFS: how irregular is a search by levels in a random graph? Host side of bfs.cu. */
#include "data/workloads/harness/graph.h"

#include <string.h>

enum { THREADS = 256, SOURCE = 0 };

/* Every node gets edges to nodes drawn at random, their number drawn as well: the unequal lengths of the edge lists
 * part the lanes. At scale study there are so many that the search ends at the study's ninth launch. */
static harness_graph draw_graph(harness *h, int nodes)
{
    const int fewest = (int)harness_pick(h, 1, 1, 6), most = (int)harness_pick(h, 8, 8, 14);
    harness_graph g = {.nodes = nodes, .first = harness_host(h, (size_t)nodes + 1, sizeof *g.first)};
    for (int i = 0; i < nodes; i++)
        g.first[i + 1] = g.first[i] + fewest + (int)harness_integer(h, (unsigned)(most - fewest + 1));
    g.edges = g.first[nodes];
    g.target = harness_random_ints(h, (size_t)g.edges, 0, nodes - 1);
    return g;
}

/* One launch a level over all nodes, as the study counts them: nine of 65,536 threads. The last finds nothing to do. */
static void search_by_level(harness *h, const harness_graph *g, int *cost)
{
    enum { LEVEL_THREADS = 512 };
    const size_t n = (size_t)g->nodes;
    unsigned char *const mask = harness_host(h, n, 1);
    CUdeviceptr next = harness_upload(h, mask, n);
    mask[SOURCE] = 1;
    CUdeviceptr frontier = harness_upload(h, mask, n);
    CUdeviceptr first = harness_upload(h, g->first, (n + 1) * sizeof *g->first);
    CUdeviceptr edge = harness_upload(h, g->target, ((size_t)g->edges + !g->edges) * sizeof *g->target);
    memset(cost, 0xff, n * sizeof *cost);
    CUdeviceptr d_cost = harness_upload(h, cost, n * sizeof *cost);
    int more = 1, nodes = g->nodes;
    CUdeviceptr d_more = harness_device(h, sizeof more);
    const CUfunction kernel = harness_kernel(h, "bfs_level");
    const harness_dim grid = HARNESS_DIM((g->nodes + LEVEL_THREADS - 1) / LEVEL_THREADS),
                      block = HARNESS_DIM(LEVEL_THREADS);

    for (int level = 0; more; level++) {
        if (level > nodes)
            harness_wrong(h, "the search goes on after %d levels in a graph of %d nodes", level, nodes);
        more = 0;
        harness_write(h, d_more, &more, sizeof more);
        HARNESS_LAUNCH(h, kernel, grid, block, 0, &first, &edge, &frontier, &next, &d_cost, &d_more, &level, &nodes);
        harness_download(h, &more, d_more, sizeof more);
        harness_swap(&frontier, &next);
    }
    harness_download(h, cost, d_cost, n * sizeof *cost);
}

static void search_on_device(harness *h, const harness_graph *g, int *cost)
{
    const size_t n = (size_t)g->nodes;
    unsigned char *const mask = harness_host(h, n, 1);
    CUdeviceptr reached = harness_upload(h, mask, n);
    mask[SOURCE] = 1;
    CUdeviceptr frontier = harness_upload(h, mask, n), visited = harness_upload(h, mask, n);
    CUdeviceptr first = harness_upload(h, g->first, (n + 1) * sizeof *g->first);
    CUdeviceptr edge = harness_upload(h, g->target, ((size_t)g->edges + !g->edges) * sizeof *g->target);
    memset(cost, 0xff, n * sizeof *cost);
    cost[SOURCE] = 0;
    CUdeviceptr d_cost = harness_upload(h, cost, n * sizeof *cost);
    int more = 0, nodes = g->nodes, levels = 0;
    CUdeviceptr d_more = harness_device(h, sizeof more);
    const CUfunction expand = harness_kernel(h, "bfs_expand"), advance = harness_kernel(h, "bfs_advance");
    const harness_dim grid = HARNESS_DIM((g->nodes + THREADS - 1) / THREADS), block = HARNESS_DIM(THREADS);

    do {
        if (levels++ == nodes)
            harness_wrong(h, "the search goes on after %d levels in a graph of %d nodes", levels - 1, nodes);
        more = 0;
        harness_write(h, d_more, &more, sizeof more);
        HARNESS_LAUNCH(h, expand, grid, block, 0, &first, &edge, &frontier, &reached, &visited, &d_cost, &nodes);
        HARNESS_LAUNCH(h, advance, grid, block, 0, &frontier, &reached, &visited, &d_more, &nodes);
        harness_download(h, &more, d_more, sizeof more);
    } while (more);
    harness_download(h, cost, d_cost, n * sizeof *cost);
}

static const harness_size input_sizes[] = {
    {"graph", "0: edges drawn at random; or a file, DIMACS or MatrixMarket", {0, 0, 0}, 0, 0, HARNESS_OR_FILE},
    {"nodes", "nodes of the graph", {1500, 200000, 65536}, 2, 20000000, 1},
    {0},
};

static void run(harness *h)
{
    const char *const path = harness_get_file(h, "graph");
    const harness_graph g =
        path ? harness_read_graph(h, path, false) : draw_graph(h, (int)harness_get_size(h, "nodes"));
    int *const got = harness_host(h, (size_t)g.nodes, sizeof *got);
    int *const want = harness_host(h, (size_t)g.nodes, sizeof *want);

    if (harness_get_scale(h) == HARNESS_STUDY)
        search_by_level(h, &g, got);
    else
        search_on_device(h, &g, got);
    harness_search(h, &g, SOURCE, want);
    harness_check_ints(h, "cost", got, want, (size_t)g.nodes);
}

HARNESS_WORKLOAD_OF("BFS", "data/workloads/bfs/bfs.ptx", run, input_sizes)
