/* gridprograms.c - GPROG: how much of a program are its barriers? Host side of gridprograms.cu. */
#include "data/workloads/harness/graph.h"
#include "data/workloads/harness/sync_shape.h"

#include <limits.h>

enum { FLAGS = 3, LONGEST = 100 };

static const harness_size input_sizes[] = {
    {"program", "0: all, 1: reduce, 2: scan, 3: PageRank, 4: BFS, 5: SSSP", {0, 0, 0}, 0, 5, 1},
    SYNC_BARRIER_SIZES(SYNC_SENSE, SYNC_TREE, SYNC_HYBRID, ""),
    SYNC_GRID_SIZES(2, 4, 16, 2, 8, 16),
    {"elements", "of reduce and scan", {1000, 20480, 163840}, 1, 4194304, 1},
    HARNESS_GRAPH_SIZES(HARNESS_GRAPH_WEB, 300, 4000, 40000, 8),
    {"rounds", "of PageRank", {3, 5, 10}, 1, 1000, 1},
    {0},
};

typedef struct work {
    sync_grid grid;
    sync_shape s;
    CUdeviceptr words, use;
    harness_graph graph;
} work;

static unsigned *random_words(harness *h, size_t n)
{
    return (unsigned *)harness_random_ints(h, n, 0, INT_MAX / 2);
}

static void reduce(harness *h, work *w)
{
    int n = (int)harness_get_size(h, "elements");
    const size_t bytes = (size_t)n * sizeof(int);
    const unsigned *const data = random_words(h, (size_t)n);
    CUdeviceptr a = harness_upload(h, data, bytes), b = sync_zeroed(h, (size_t)n);
    unsigned want = 0;
    int got;
    SYNC_LAUNCH(h, sync_kernel(h, &w->s, "grid_reduce"), &w->grid, &w->words, &a, &b, &w->use, &w->s, &n);
    for (int i = 0; i < n; i++)
        want += data[i];
    unsigned rounds = 0;
    for (int left = n; left > 1; left = (left + (int)w->grid.threads - 1) / (int)w->grid.threads)
        rounds++;
    harness_download(h, &got, rounds % 2 ? b : a, sizeof got);
    harness_check_ints(h, "sum", &got, (const int *)&want, 1);
}

static void scan(harness *h, work *w)
{
    int n = (int)harness_get_size(h, "elements");
    const size_t bytes = (size_t)n * sizeof(int);
    unsigned *const data = random_words(h, (size_t)n);
    int *const got = harness_host(h, (size_t)n, sizeof *got);
    CUdeviceptr a = harness_upload(h, data, bytes), b = sync_zeroed(h, (size_t)n);
    SYNC_LAUNCH(h, sync_kernel(h, &w->s, "grid_scan"), &w->grid, &w->words, &a, &b, &w->use, &w->s, &n);
    for (int i = 1; i < n; i++)
        data[i] += data[i - 1];
    unsigned rounds = 0;
    for (long far = 1; far < n; far *= 2)
        rounds++;
    harness_download(h, got, rounds % 2 ? b : a, bytes);
    harness_check_ints(h, "prefix sums", got, (const int *)data, (size_t)n);
}

/* Sums have up to `degree` terms that are positive, rounded once each: errors grow by the longest one and by rounds. */
static void rank(harness *h, work *w)
{
    harness_graph *const g = &w->graph;
    int rounds = (int)harness_get_size(h, "rounds"), longest = 0;
    const size_t n = (size_t)g->nodes, bytes = n * sizeof(float);
    float *const start = harness_host(h, n, sizeof *start), *const got = harness_host(h, n, sizeof *got),
                 *const last = harness_host(h, n, sizeof *last);
    double *now = harness_host(h, n, sizeof *now), *next = harness_host(h, n, sizeof *next);
    for (size_t i = 0; i < n; i++) {
        now[i] = start[i] = 1.0F / (float)n;
        longest = g->first[i + 1] - g->first[i] > longest ? g->first[i + 1] - g->first[i] : longest;
    }
    CUdeviceptr a = harness_upload(h, start, bytes), b = harness_upload(h, start, bytes);
    SYNC_LAUNCH(h, sync_kernel(h, &w->s, "grid_rank"), &w->grid, &w->words, &g->d_first, &g->d_target, &a, &b, &w->use,
                &w->s, &g->nodes, &rounds);
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (int e = g->first[i]; e < g->first[i + 1]; e++)
                sum += now[g->target[e]] / (g->first[g->target[e] + 1] - g->first[g->target[e]]);
            next[i] = 0.15 / (double)n + 0.85 * sum;
        }
        double *const was = now;
        now = next;
        next = was;
    }
    for (size_t i = 0; i < n; i++)
        last[i] = (float)now[i];
    harness_download(h, got, rounds % 2 ? b : a, bytes);
    harness_check_floats(h, "rank", got, last, n, 6e-8 * (longest + 6) * rounds, 0);
}

/* Distances by rounds over all edges until none sinks; lengths NULL: all are 1. */
static void relax(const harness_graph *g, const int *length, int *distance)
{
    for (bool sinks = true; sinks;) {
        sinks = false;
        for (int i = 0; i < g->nodes; i++)
            for (int e = g->first[i]; distance[i] != INT_MAX && e < g->first[i + 1]; e++) {
                const long by = (long)distance[i] + (length ? length[e] : 1);
                if (by >= distance[g->target[e]])
                    continue;
                distance[g->target[e]] = (int)by;
                sinks = true;
            }
    }
}

/* The source of a search is node 0. */
static void search(harness *h, work *w)
{
    harness_graph *const g = &w->graph;
    const size_t n = (size_t)g->nodes;
    int *const distance = harness_filled(h, n, -1), *const want = harness_filled(h, n, INT_MAX),
               *const got = harness_host(h, n, sizeof *got);
    distance[0] = want[0] = 0;
    CUdeviceptr d_distance = harness_upload(h, distance, n * sizeof *distance), flag = sync_zeroed(h, FLAGS);
    SYNC_LAUNCH(h, sync_kernel(h, &w->s, "grid_search"), &w->grid, &w->words, &g->d_first, &g->d_target, &d_distance,
                &flag, &w->use, &w->s, &g->nodes);
    relax(g, NULL, want);
    for (size_t i = 0; i < n; i++)
        want[i] = want[i] == INT_MAX ? -1 : want[i];
    harness_download(h, got, d_distance, n * sizeof *got);
    harness_check_ints(h, "level", got, want, n);
}

static void paths(harness *h, work *w)
{
    harness_graph *const g = &w->graph;
    const size_t n = (size_t)g->nodes, edges = (size_t)g->edges;
    int *const want = harness_filled(h, n, INT_MAX), *const got = harness_host(h, n, sizeof *got);
    const int *const length = harness_edge_lengths(h, g, LONGEST);
    want[0] = 0;
    CUdeviceptr d_distance = harness_upload(h, want, n * sizeof *want), flag = sync_zeroed(h, FLAGS),
                d_length = harness_upload(h, length, (edges + 1) * sizeof *length);
    SYNC_LAUNCH(h, sync_kernel(h, &w->s, "grid_paths"), &w->grid, &w->words, &g->d_first, &g->d_target, &d_length,
                &d_distance, &flag, &w->use, &w->s, &g->nodes);
    harness_download(h, got, d_distance, n * sizeof *got);
    harness_check_range(h, g, got, INT_MAX);
    relax(g, length, want);
    harness_check_ints(h, "distance", got, want, n);
}

static void run(harness *h)
{
    static const struct {
        const char *name;
        void (*run)(harness *, work *);
    } programs[] = {{"reduce", reduce}, {"scan", scan}, {"PageRank", rank}, {"BFS", search}, {"SSSP", paths}};
    enum { PROGRAMS = sizeof programs / sizeof *programs, GRAPHS = 2 };
    const long program = harness_get_size(h, "program");
    work w = {.grid = sync_get_grid(h), .s = sync_get_shape(h)};
    if (!program || program > GRAPHS)
        w.graph = harness_make_graph(h, true);
    for (long p = 1; p <= PROGRAMS; p++) {
        if (program && p != program)
            continue;
        w.words = sync_words(h, &w.s);
        w.use = sync_uses(h, &w.grid);
        programs[p - 1].run(h, &w);
        sync_report(h, programs[p - 1].name, &w.grid, w.use);
    }
}

HARNESS_WORKLOAD_OF("GPROG", "data/workloads/gridprograms/gridprograms.ptx", run, input_sizes)
