/* bfswork.c - BFW: what does a search cost that keeps its levels apart by barriers inside the kernel? Host side of
 * bfswork.cu. */
#include "data/workloads/harness/graph.h"
#include "data/workloads/harness/together.h"

#include <string.h>

enum { FEWEST = 1, MOST = 7, SOURCE = 0, LENGTHS = 3, NEAR_NODES = 16, FAR_EDGE = 40 };

/* Each node has 1 to 7 edges, most to nodes with numbers near its own, one of 40 to any node. So levels are many, small
 * at first, and their lists go through memory in runs. */
static harness_graph draw_graph(harness *h, int nodes)
{
    harness_graph g = {.nodes = nodes, .first = harness_host(h, (size_t)nodes + 1, sizeof *g.first)};
    for (int i = 0; i < nodes; i++)
        g.first[i + 1] = g.first[i] + FEWEST + (int)harness_integer(h, MOST - FEWEST + 1);
    g.edges = g.first[nodes];
    g.target = harness_host(h, (size_t)g.edges, sizeof *g.target);
    const unsigned near = (unsigned)(nodes / NEAR_NODES);
    for (int i = 0; i < nodes; i++) {
        for (int e = g.first[i]; e < g.first[i + 1]; e++) {
            const int step = (int)harness_integer(h, near) - (int)near / 2;
            g.target[e] =
                harness_integer(h, FAR_EDGE) ? (i + step + nodes) % nodes : (int)harness_integer(h, (unsigned)nodes);
        }
    }
    return g;
}

static void search_on_device(harness *h, const harness_graph *g, int *cost, int *size)
{
    const size_t bytes = (size_t)g->nodes * sizeof *cost;
    const unsigned blocks = (unsigned)harness_get_size(h, "blocks"), threads = (unsigned)harness_get_size(h, "threads");
    /* At scale tiny the block's own list is so short that both ways into the next list are taken. */
    int room = (int)harness_pick(h, 24, 512, 512), nodes = g->nodes;
    static const int source = SOURCE, length[LENGTHS] = {1, 0, 0};
    CUdeviceptr first = harness_upload(h, g->first, bytes + sizeof *g->first);
    CUdeviceptr edge = harness_upload(h, g->target, ((size_t)g->edges + !g->edges) * sizeof *g->target);
    memset(cost, 0xff, bytes);
    cost[SOURCE] = 0;
    CUdeviceptr d_cost = harness_upload(h, cost, bytes), list = harness_device(h, 2 * bytes);
    CUdeviceptr d_length = harness_upload(h, length, sizeof length), d_size = harness_device(h, bytes);
    CUdeviceptr arrived = harness_device(h, sizeof(int));
    const int none = 0;

    harness_write(h, list, &source, sizeof source);
    harness_write(h, arrived, &none, sizeof none);
    memset(size, 0, bytes);
    harness_write(h, d_size, size, bytes);
    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "bfw_search"), blocks, threads, &first, &edge, &d_cost, &list,
                            &d_length, &arrived, &d_size, &nodes, &room);
    harness_download(h, cost, d_cost, bytes);
    harness_download(h, size, d_size, bytes);
}

static const harness_size input_sizes[] = {
    {"graph",
     "0: edges drawn, most of them to near nodes; or a file, DIMACS or MatrixMarket",
     {0, 0, 0},
     0,
     0,
     HARNESS_OR_FILE},
    {"nodes", "nodes of the graph", {1200, 200000, 500000}, NEAR_NODES, 20000000, 1},
    {"blocks", "blocks", {4, 32, 32}, 1, 256, 1},
    {"threads", "threads of a block", {64, 256, 256}, 32, 1024, 32},
    {0},
};

static void run(harness *h)
{
    const char *const path = harness_get_file(h, "graph");
    const harness_graph g =
        path ? harness_read_graph(h, path, false) : draw_graph(h, (int)harness_get_size(h, "nodes"));
    const size_t n = (size_t)g.nodes;
    int *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    int *const size = harness_host(h, n, sizeof *size), *const want_size = harness_host(h, n, sizeof *want_size);

    search_on_device(h, &g, got, size);
    harness_search(h, &g, SOURCE, want);
    for (size_t i = 0; i < n; i++)
        if (want[i] >= 0)
            want_size[want[i]]++;
    harness_check_ints(h, "cost", got, want, n);
    harness_check_ints(h, "nodes of level", size, want_size, n);
}

HARNESS_WORKLOAD_OF("BFW", "data/workloads/bfswork/bfswork.ptx", run, input_sizes)
