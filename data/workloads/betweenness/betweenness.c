/* betweenness.c - BCE: additions by atomics along the levels of searches, there and back. Host side of betweenness.cu.
 */
#include "data/workloads/harness/graph.h"

enum { THREADS = 256 };

static const double MOST_WAYS = 1e30; /* what single precision has room for, and some of their sums */

static const harness_size input_sizes[] = {
    HARNESS_GRAPH_SIZES(HARNESS_GRAPH_RMAT, 600, 8000, 40000, 8),
    {"sources", "nodes from which ways are counted", {2, 3, 4}, 1, 1000, 1},
    {0},
};

/* Adds what one source makes of each node, by a queue and back along it. Returns the depth. */
static int count_on_cpu(harness *h, const harness_graph *g, int source, double *sum)
{
    const size_t n = (size_t)g->nodes;
    double *const ways = harness_host(h, n, sizeof *ways), *const depending = harness_host(h, n, sizeof *depending);
    int *const depth = harness_host(h, n, sizeof *depth), *const queue = harness_host(h, n, sizeof *queue);
    int head = 0, tail = 0;
    for (size_t i = 0; i < n; i++)
        depth[i] = -1;
    depth[source] = 0;
    ways[source] = 1;
    queue[tail++] = source;
    while (head < tail) {
        const int node = queue[head++];
        for (int e = g->first[node]; e < g->first[node + 1]; e++) {
            const int other = g->target[e];
            if (depth[other] < 0) {
                depth[other] = depth[node] + 1;
                queue[tail++] = other;
            }
            ways[other] += depth[other] == depth[node] + 1 ? ways[node] : 0;
        }
        if (ways[node] > MOST_WAYS)
            harness_refuse(h, "nodes=%d of this graph have more shortest ways than single precision counts", g->nodes);
    }
    while (tail-- > 1) {
        const int node = queue[tail];
        for (int e = g->first[node]; e < g->first[node + 1]; e++)
            if (depth[g->target[e]] == depth[node] - 1)
                depending[g->target[e]] += ways[g->target[e]] / ways[node] * (1 + depending[node]);
        sum[node] += depending[node];
    }
    return depth[queue[head - 1]];
}

static void count_on_device(harness *h, harness_graph *g, int source, CUdeviceptr sum)
{
    const size_t n = (size_t)g->nodes;
    int *const start = harness_host(h, n, sizeof *start), level = 0, more = 1;
    float *const one = harness_host(h, n, sizeof *one);
    static const int none;
    CUdeviceptr depending = harness_upload(h, one, n * sizeof *one), d_more = harness_device(h, sizeof none);
    for (size_t i = 0; i < n; i++)
        start[i] = -1;
    start[source] = 0;
    one[source] = 1;
    CUdeviceptr depth = harness_upload(h, start, n * sizeof *start), ways = harness_upload(h, one, n * sizeof *one);
    const harness_dim grid = HARNESS_DIM(harness_graph_blocks(g, THREADS)), block = HARNESS_DIM(THREADS);
    CUfunction forward = harness_kernel(h, "bce_forward"), backward = harness_kernel(h, "bce_backward");

    for (; more; level += more) {
        harness_write(h, d_more, &none, sizeof none);
        HARNESS_LAUNCH(h, forward, grid, block, 0, &g->d_first, &g->d_target, &depth, &ways, &d_more, &level,
                       &g->nodes);
        harness_download(h, &more, d_more, sizeof more);
    }
    for (; level > 0; level--)
        HARNESS_LAUNCH(h, backward, grid, block, 0, &g->d_first, &g->d_target, &depth, &ways, &depending, &level,
                       &g->nodes);
    HARNESS_LAUNCH(h, harness_kernel(h, "bce_add"), grid, block, 0, &sum, &depending, &depth, &g->nodes);
}

static void run(harness *h)
{
    harness_graph g = harness_make_graph(h, true);
    const size_t n = (size_t)g.nodes;
    double *const sum = harness_host(h, n, sizeof *sum);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr d_sum = harness_upload(h, got, n * sizeof *got);
    int deepest = 0;

    for (long s = harness_get_size(h, "sources"); s > 0; s--) {
        const int source = (int)harness_integer(h, (unsigned)g.nodes), depth = count_on_cpu(h, &g, source, sum);
        deepest = depth > deepest ? depth : deepest;
        count_on_device(h, &g, source, d_sum);
    }
    harness_download(h, got, d_sum, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[i] = (float)sum[i];
    /* Terms are positive. Each level there and back adds up at most n of them, and goes on with what it has. */
    harness_check_floats(h, "centrality", got, want, n, 1e-6 * (deepest + 1) + 3e-7 * sqrt((double)n), 1e-6);
}

HARNESS_WORKLOAD_OF("BCE", "data/workloads/betweenness/betweenness.ptx", run, input_sizes)
