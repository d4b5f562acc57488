/* independentset.c - MIS: maxima by atomics, and stores to neighbours of any block. Host side of independentset.cu. */
#include "data/workloads/harness/graph.h"

enum { THREADS = 256, OPEN = 0, IN, OUT };

static const harness_size input_sizes[] = {
    HARNESS_GRAPH_SIZES(HARNESS_GRAPH_RMAT, 700, 16000, 100000, 8),
    {0},
};

/* Nodes from the highest rank down join unless a neighbour has. */
static void join_on_cpu(harness *h, const harness_graph *g, const int *rank, int *state)
{
    const int *const node_of = harness_inverse(h, rank, (size_t)g->nodes);
    for (int r = g->nodes - 1; r >= 0; r--) {
        const int node = node_of[r];
        if (state[node] != OPEN)
            continue;
        state[node] = IN;
        for (int e = g->first[node]; e < g->first[node + 1]; e++)
            state[g->target[e]] = OUT;
    }
}

static void run(harness *h)
{
    harness_graph g = harness_make_graph(h, true);
    const size_t n = (size_t)g.nodes, bytes = n * sizeof(int);
    const int *const rank = harness_shuffled(h, n);
    int *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    static const int zero;
    CUdeviceptr d_rank = harness_upload(h, rank, bytes), state = harness_upload(h, got, bytes),
                d_open = harness_device(h, sizeof zero);
    CUdeviceptr highest = harness_upload(h, harness_filled(h, n, -1), bytes);
    const harness_dim grid = HARNESS_DIM(harness_graph_blocks(&g, THREADS)), block = HARNESS_DIM(THREADS);
    CUfunction claim = harness_kernel(h, "mis_claim"), join = harness_kernel(h, "mis_join");

    for (int round = 0, open = 1; open; round++) {
        harness_write(h, d_open, &zero, sizeof zero);
        HARNESS_LAUNCH(h, claim, grid, block, 0, &g.d_first, &g.d_target, &d_rank, &state, &highest, &d_open, &g.nodes);
        HARNESS_LAUNCH(h, join, grid, block, 0, &g.d_first, &g.d_target, &d_rank, &state, &highest, &g.nodes);
        harness_download(h, &open, d_open, sizeof open);
        if (round > g.nodes)
            harness_wrong(h, "%d nodes are open after %d rounds", open, round);
    }
    harness_download(h, got, state, bytes);
    join_on_cpu(h, &g, rank, want);
    harness_check_ints(h, "state", got, want, n);
}

HARNESS_WORKLOAD_OF("MIS", "data/workloads/independentset/independentset.ptx", run, input_sizes)
