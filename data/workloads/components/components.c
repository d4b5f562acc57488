/* components.c - CCL: how often do blocks that lower each other's labels have to meet? Host side of components.cu. */
#include "data/workloads/harness/graph_file.h"
#include "data/workloads/harness/together.h"

enum { FLAGS = 3, SIDE_MOST = 2048 };

/* Half of the links between neighbours of a square lattice: the share at which large clusters appear, with winding
 * paths. */
static const double link_share = 0.5;

typedef struct graph {
    int nodes, edges;
    int *from, *to;
} graph;

/* Sites are numbered at random, so that labels travel through memory in no order; so are links. */
static void shuffle(harness *h, int *item, int n)
{
    for (int i = n - 1; i > 0; i--) {
        const int k = (int)harness_integer(h, (unsigned)i + 1), kept = item[i];
        item[i] = item[k];
        item[k] = kept;
    }
}

static void add_link(harness *h, graph *g, int a, int b)
{
    if (harness_uniform(h, 0, 1) < link_share) {
        g->from[g->edges] = a;
        g->to[g->edges++] = b;
    }
}

static graph read_graph(harness *h, const char *path)
{
    const harness_edges list = harness_read_edges(h, path, SIDE_MOST * SIDE_MOST);
    graph g = {.nodes = list.nodes, .edges = (int)list.edges};
    g.from = harness_host(h, list.edges, sizeof *g.from);
    g.to = harness_host(h, list.edges, sizeof *g.to);
    for (size_t e = 0; e < list.edges; e++) {
        g.from[e] = list.edge[e].from;
        g.to[e] = list.edge[e].to;
    }
    return g;
}

static graph make_graph(harness *h, int side)
{
    graph g = {.nodes = side * side};
    const size_t n = (size_t)g.nodes;
    g.from = harness_host(h, 2 * n, sizeof *g.from);
    g.to = harness_host(h, 2 * n, sizeof *g.to);
    int *const name = harness_host(h, n, sizeof *name);
    for (int i = 0; i < g.nodes; i++)
        name[i] = i;
    shuffle(h, name, g.nodes);
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            const int *const site = &name[y * side + x];
            if (x + 1 < side)
                add_link(h, &g, site[0], site[1]);
            if (y + 1 < side)
                add_link(h, &g, site[0], site[side]);
        }
    }
    return g;
}

static int root_of(int *parent, int node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

/* Disjoint sets; the lower root stays, so it is the lowest number of its set. */
static void label_on_cpu(const graph *g, int *label)
{
    for (int i = 0; i < g->nodes; i++)
        label[i] = i;
    for (int i = 0; i < g->edges; i++) {
        const int a = root_of(label, g->from[i]), b = root_of(label, g->to[i]);
        if (a < b)
            label[b] = a;
        else
            label[a] = b;
    }
    for (int i = 0; i < g->nodes; i++)
        label[i] = root_of(label, i);
}

static void label_on_device(harness *h, const graph *g, int *label)
{
    const size_t bytes = (size_t)g->nodes * sizeof *label,
                 edge_bytes = ((size_t)g->edges + !g->edges) * sizeof *g->from;
    const unsigned blocks = (unsigned)harness_pick(h, 4, 32, 32), threads = (unsigned)harness_pick(h, 64, 256, 256);
    int nodes = g->nodes, edges = g->edges, rounds = 0;
    static const int unset[FLAGS] = {0};
    CUdeviceptr from = harness_upload(h, g->from, edge_bytes), to = harness_upload(h, g->to, edge_bytes);
    CUdeviceptr d_label = harness_device(h, bytes), changed = harness_upload(h, unset, sizeof unset);
    CUdeviceptr arrived = harness_upload(h, unset, sizeof *unset), d_rounds = harness_upload(h, unset, sizeof *unset);

    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "ccl_label"), blocks, threads, &from, &to, &d_label, &changed,
                            &arrived, &d_rounds, &nodes, &edges);
    harness_download(h, label, d_label, bytes);
    harness_download(h, &rounds, d_rounds, sizeof rounds);
    if (rounds < 2) /* one that hooks and one that finds nothing to do */
        harness_wrong(h, "the labels were found in %d rounds", rounds);
}

static const harness_size input_sizes[] = {
    {"graph",
     "0: half of the links of a square lattice; or a file, DIMACS or MatrixMarket",
     {0, 0, 0},
     0,
     0,
     HARNESS_OR_FILE},
    {"side", "sites on a side of the lattice", {30, 300, 500}, 2, SIDE_MOST, 1},
    {0},
};

static void run(harness *h)
{
    const char *const path = harness_get_file(h, "graph");
    const graph g = path ? read_graph(h, path) : make_graph(h, (int)harness_get_size(h, "side"));
    int *const got = harness_host(h, (size_t)g.nodes, sizeof *got);
    int *const want = harness_host(h, (size_t)g.nodes, sizeof *want);

    label_on_device(h, &g, got);
    label_on_cpu(&g, want);
    harness_check_ints(h, "label", got, want, (size_t)g.nodes);
}

HARNESS_WORKLOAD_OF("CCL", "data/workloads/components/components.ptx", run, input_sizes)
