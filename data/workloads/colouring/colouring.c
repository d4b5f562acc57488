/* colouring.c - GCL: maxima over all edges, fewer each round, by atomics or by looking. Host side of colouring.cu. */
#include "data/workloads/harness/graph.h"

enum { THREADS = 256 };
enum way { TELL, LOOK };

static const harness_size input_sizes[] = {
    HARNESS_GRAPH_SIZES(HARNESS_GRAPH_ROADS, 900, 20000, 200000, 8),
    {"way", "0: nodes tell neighbours, by atomics, 1: nodes look at neighbours", {TELL, TELL, TELL}, TELL, LOOK, 1},
    {0},
};

/* Nodes from the highest rank down: a colour more than the highest of the neighbours that have one. */
static void paint_on_cpu(harness *h, const harness_graph *g, const int *rank, int *colour)
{
    const int *const node_of = harness_inverse(h, rank, (size_t)g->nodes);
    for (int r = g->nodes - 1; r >= 0; r--) {
        const int node = node_of[r];
        int highest = 0;
        for (int e = g->first[node]; e < g->first[node + 1]; e++)
            highest = colour[g->target[e]] > highest ? colour[g->target[e]] : highest;
        colour[node] = highest + 1;
    }
}

static void run(harness *h)
{
    harness_graph g = harness_make_graph(h, true);
    const size_t n = (size_t)g.nodes, bytes = n * sizeof(int);
    const int *const rank = harness_shuffled(h, n);
    int *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    static const int zero;
    CUdeviceptr d_rank = harness_upload(h, rank, bytes), colour = harness_upload(h, got, bytes),
                d_left = harness_device(h, sizeof zero);
    CUdeviceptr highest = harness_upload(h, harness_filled(h, n, -1), bytes);
    const harness_dim grid = HARNESS_DIM(harness_graph_blocks(&g, THREADS)), block = HARNESS_DIM(THREADS);
    CUfunction claim = harness_kernel(h, harness_get_size(h, "way") == TELL ? "gcl_claim" : "gcl_look"),
               paint = harness_kernel(h, "gcl_paint");

    for (int now = 1, left = 1; left; now++) {
        harness_write(h, d_left, &zero, sizeof zero);
        HARNESS_LAUNCH(h, claim, grid, block, 0, &g.d_first, &g.d_target, &d_rank, &colour, &highest, &g.nodes);
        HARNESS_LAUNCH(h, paint, grid, block, 0, &d_rank, &colour, &highest, &d_left, &now, &g.nodes);
        harness_download(h, &left, d_left, sizeof left);
        if (now > g.nodes)
            harness_wrong(h, "%d nodes have no colour after %d rounds", left, now);
    }
    harness_download(h, got, colour, bytes);
    paint_on_cpu(h, &g, rank, want);
    harness_check_ints(h, "colour", got, want, n);
}

HARNESS_WORKLOAD_OF("GCL", "data/workloads/colouring/colouring.ptx", run, input_sizes)
