/* bfswork.c - BFW: what does a search cost that keeps its levels apart by barriers inside the kernel? Host side of
 * bfswork.cu. */
#include "data/workloads/harness/together.h"

#include <string.h>

enum { FEWEST = 1, MOST = 7, SOURCE = 0, LENGTHS = 3, NEAR_NODES = 16, FAR_EDGE = 40 };

typedef struct graph {
    int nodes;
    int *first, *edge;
} graph;

/* Each node has 1 to 7 edges, most to nodes with numbers near its own, one of 40 to any node. So levels are many, small
 * at first, and their lists go through memory in runs. */
static graph make_graph(harness *h, int nodes)
{
    graph g = {.nodes = nodes, .first = harness_host(h, (size_t)nodes + 1, sizeof *g.first)};
    for (int i = 0; i < nodes; i++)
        g.first[i + 1] = g.first[i] + FEWEST + (int)harness_integer(h, MOST - FEWEST + 1);
    g.edge = harness_host(h, (size_t)g.first[nodes], sizeof *g.edge);
    const unsigned near = (unsigned)(nodes / NEAR_NODES);
    for (int i = 0; i < nodes; i++) {
        for (int e = g.first[i]; e < g.first[i + 1]; e++) {
            const int step = (int)harness_integer(h, near) - (int)near / 2;
            g.edge[e] =
                harness_integer(h, FAR_EDGE) ? (i + step + nodes) % nodes : (int)harness_integer(h, (unsigned)nodes);
        }
    }
    return g;
}

/* The textbook search with a queue; size[k] counts nodes at cost k. */
static void search_on_cpu(harness *h, const graph *g, int *cost, int *size)
{
    int *const queue = harness_host(h, (size_t)g->nodes, sizeof *queue);
    int head = 0, tail = 0;
    memset(cost, 0xff, (size_t)g->nodes * sizeof *cost);
    cost[SOURCE] = 0;
    queue[tail++] = SOURCE;
    while (head < tail) {
        const int node = queue[head++];
        size[cost[node]]++;
        for (int e = g->first[node]; e < g->first[node + 1]; e++) {
            const int neighbour = g->edge[e];
            if (cost[neighbour] < 0) {
                cost[neighbour] = cost[node] + 1;
                queue[tail++] = neighbour;
            }
        }
    }
}

static void search_on_device(harness *h, const graph *g, int *cost, int *size)
{
    const size_t bytes = (size_t)g->nodes * sizeof *cost;
    const unsigned blocks = (unsigned)harness_get_size(h, "blocks"), threads = (unsigned)harness_get_size(h, "threads");
    /* At scale tiny the block's own list is so short that both ways into the next list are taken. */
    int room = (int)harness_pick(h, 24, 512, 512), nodes = g->nodes;
    static const int source = SOURCE, length[LENGTHS] = {1, 0, 0};
    CUdeviceptr first = harness_upload(h, g->first, bytes + sizeof *g->first);
    CUdeviceptr edge = harness_upload(h, g->edge, (size_t)g->first[nodes] * sizeof *g->edge);
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
    {"nodes", "nodes of the graph", {1200, 200000, 500000}, NEAR_NODES, 20000000, 1},
    {"blocks", "blocks", {4, 32, 32}, 1, 256, 1},
    {"threads", "threads of a block", {64, 256, 256}, 32, 1024, 32},
    {0},
};

static void run(harness *h)
{
    const graph g = make_graph(h, (int)harness_get_size(h, "nodes"));
    const size_t n = (size_t)g.nodes;
    int *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    int *const size = harness_host(h, n, sizeof *size), *const want_size = harness_host(h, n, sizeof *want_size);

    search_on_device(h, &g, got, size);
    search_on_cpu(h, &g, want, want_size);
    harness_check_ints(h, "cost", got, want, n);
    harness_check_ints(h, "nodes of level", size, want_size, n);
}

HARNESS_WORKLOAD_OF("BFW", "data/workloads/bfswork/bfswork.ptx", run, input_sizes)
