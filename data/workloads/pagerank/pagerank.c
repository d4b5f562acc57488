/* pagerank.c - PRK: what do additions cost that meet where many links go? Host side of pagerank.cu. */
#include "data/workloads/harness/graph.h"

enum { THREADS = 256 };

static const double DAMPING = 0.85;

static const harness_size input_sizes[] = {
    HARNESS_GRAPH_SIZES(HARNESS_GRAPH_WEB, 700, 20000, 100000, 8),
    {"rounds", "times that weights are pushed", {2, 4, 6}, 1, 100, 1},
    {0},
};

/* Pulled along links that go backwards, in double precision. */
static void rank_on_cpu(harness *h, const harness_graph *g, long rounds, float *result)
{
    const size_t n = (size_t)g->nodes;
    double *const rank = harness_host(h, n, sizeof *rank), *const next = harness_host(h, n, sizeof *next);
    for (size_t i = 0; i < n; i++)
        rank[i] = 1;
    for (; rounds > 0; rounds--) {
        double lost = 0;
        for (size_t i = 0; i < n; i++)
            next[i] = 0;
        for (int i = 0; i < g->nodes; i++) {
            const int links = g->first[i + 1] - g->first[i];
            lost += links ? 0 : rank[i];
            for (int e = g->first[i]; e < g->first[i + 1]; e++)
                next[g->target[e]] += rank[i] / links;
        }
        for (size_t i = 0; i < n; i++)
            rank[i] = 1 - DAMPING + DAMPING * (next[i] + lost / (double)n);
    }
    for (size_t i = 0; i < n; i++)
        result[i] = (float)rank[i];
}

static void run(harness *h)
{
    harness_graph g = harness_make_graph(h, false);
    const size_t n = (size_t)g.nodes, bytes = n * sizeof(float);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    static const float none;
    CUdeviceptr next = harness_upload(h, got, bytes), lost = harness_device(h, sizeof none);
    for (size_t i = 0; i < n; i++)
        got[i] = 1;
    CUdeviceptr rank = harness_upload(h, got, bytes);
    const harness_dim grid = HARNESS_DIM(harness_graph_blocks(&g, THREADS)), block = HARNESS_DIM(THREADS);
    float damping = (float)DAMPING;

    for (long round = 0; round < harness_get_size(h, "rounds"); round++) {
        harness_write(h, lost, &none, sizeof none);
        HARNESS_LAUNCH(h, harness_kernel(h, "prk_push"), grid, block, 0, &g.d_first, &g.d_target, &rank, &next, &lost,
                       &g.nodes);
        HARNESS_LAUNCH(h, harness_kernel(h, "prk_settle"), grid, block, 0, &rank, &next, &lost, &damping, &g.nodes);
    }
    harness_download(h, got, rank, bytes);
    rank_on_cpu(h, &g, harness_get_size(h, "rounds"), want);
    /* Additions come in any order: a popular page adds up thousands of terms, each rounded once. */
    harness_check_floats(h, "weight", got, want, n, 3e-7 * sqrt((double)n) + 1e-6, 0);
}

HARNESS_WORKLOAD_OF("PRK", "data/workloads/pagerank/pagerank.ptx", run, input_sizes)
