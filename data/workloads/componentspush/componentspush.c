/* componentspush.c - CCA: what do minima cost that meet in well-connected nodes? Host side of componentspush.cu. */
#include "data/workloads/harness/graph.h"

enum { THREADS = 256 };

static const harness_size input_sizes[] = {
    HARNESS_GRAPH_SIZES(HARNESS_GRAPH_RMAT, 700, 20000, 163840, 4),
    {0},
};

/* The lowest number of each component: nodes in rising order give theirs to all that they reach. */
static void label_on_cpu(harness *h, const harness_graph *g, int *label)
{
    int *const stack = harness_host(h, (size_t)g->nodes, sizeof *stack);
    for (int i = 0; i < g->nodes; i++)
        label[i] = -1;
    for (int i = 0; i < g->nodes; i++) {
        int n = 0;
        if (label[i] >= 0)
            continue;
        label[i] = i;
        stack[n++] = i;
        while (n) {
            const int node = stack[--n];
            for (int e = g->first[node]; e < g->first[node + 1]; e++) {
                if (label[g->target[e]] >= 0)
                    continue;
                label[g->target[e]] = i;
                stack[n++] = g->target[e];
            }
        }
    }
}

static void run(harness *h)
{
    harness_graph g = harness_make_graph(h, true);
    const size_t n = (size_t)g.nodes, bytes = n * sizeof(int);
    int *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    static const int zero;
    for (int i = 0; i < g.nodes; i++)
        got[i] = i;
    CUdeviceptr label = harness_upload(h, got, bytes), offer = harness_upload(h, got, bytes),
                next = harness_device(h, bytes);
    CUdeviceptr d_sunk = harness_device(h, sizeof zero);
    const harness_dim grid = HARNESS_DIM(harness_graph_blocks(&g, THREADS)), block = HARNESS_DIM(THREADS);

    for (int round = 0, sunk = 1; sunk; round++) {
        harness_write(h, d_sunk, &zero, sizeof zero);
        HARNESS_LAUNCH(h, harness_kernel(h, "cca_push"), grid, block, 0, &g.d_first, &g.d_target, &label, &offer,
                       &g.nodes);
        HARNESS_LAUNCH(h, harness_kernel(h, "cca_jump"), grid, block, 0, &offer, &next, &g.nodes);
        HARNESS_LAUNCH(h, harness_kernel(h, "cca_settle"), grid, block, 0, &next, &label, &offer, &d_sunk, &g.nodes);
        harness_download(h, &sunk, d_sunk, sizeof sunk);
        if (round > g.nodes)
            harness_wrong(h, "%d labels still sink after %d rounds", sunk, round);
    }
    harness_download(h, got, label, bytes);
    label_on_cpu(h, &g, want);
    harness_check_ints(h, "label", got, want, n);
}

HARNESS_WORKLOAD_OF("CCA", "data/workloads/componentspush/componentspush.ptx", run, input_sizes)
