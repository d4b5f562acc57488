/* graphcuts.c - CUTS: what does a cut of a picture cost whose blocks push to each other's pixels while they run? Host
 * side of graphcuts.cu. */
#include "data/workloads/harness/together.h"

#include <math.h>
#include <string.h>

enum { SIDES = 4, FLAGS = 3, DISCS = 5, DATA = 40, SMOOTH = 30, MOST_ROUNDS = 10000 };

static const double BRIGHT = 0.65, DARK = 0.35, NOISE = 0.3;

static const harness_size input_sizes[] = {
    {"width", "columns of the picture", {30, 96, 192}, 1, 2048, 1},
    {"height", "rows of the picture", {22, 80, 128}, 1, 2048, 1},
    {"sweeps", "pushes of each pixel between two looks at distances", {8, 16, 32}, 1, 1000, 1},
    {"blocks", "blocks", {4, 16, 32}, 1, 256, 1},
    {"threads", "threads of a block", {64, 256, 256}, 32, 512, 32},
    {0},
};

typedef struct grid { /* as in graphcuts.cu */
    int width, height, limit;
} grid;

typedef struct network {
    grid g;
    int nodes;
    int *to_side, *to_sink, *excess; /* at first, and at the end */
} network;

static int neighbour_of(const grid *g, int node, int side)
{
    const int x = node % g->width + (side == 1) - (side == 0), y = node / g->width + (side == 3) - (side == 2);
    return x < 0 || y < 0 || x >= g->width || y >= g->height ? -1 : y * g->width + x;
}

/* A noisy picture of bright discs. A pixel is tied to the source as far as it is bright and to the sink as far as it is
 * dark, and to neighbours as far as they are alike. What comes from the source is an excess, less what goes on to the
 * sink at once. */
static network make_network(harness *h)
{
    network net = {.g = {.width = (int)harness_get_size(h, "width"), .height = (int)harness_get_size(h, "height")}};
    net.nodes = net.g.width * net.g.height;
    net.g.limit = net.nodes + 2;
    const size_t n = (size_t)net.nodes;
    double *const bright = harness_host(h, n, sizeof *bright);
    net.to_side = harness_host(h, SIDES * n, sizeof *net.to_side);
    net.to_sink = harness_host(h, n, sizeof *net.to_sink);
    net.excess = harness_host(h, n, sizeof *net.excess);
    for (size_t i = 0; i < n; i++)
        bright[i] = DARK + harness_uniform(h, -NOISE, NOISE);
    for (int d = 0; d < DISCS; d++) {
        const double x = harness_uniform(h, 0, net.g.width), y = harness_uniform(h, 0, net.g.height);
        const double radius = harness_uniform(h, 0.1, 0.2) * net.g.height;
        for (int i = 0; i < net.nodes; i++)
            if (bright[i] < BRIGHT - NOISE && hypot(i % net.g.width - x, i / net.g.width - y) < radius)
                bright[i] += BRIGHT - DARK;
    }
    for (int i = 0; i < net.nodes; i++) {
        const int balance = (int)lround(2 * DATA * (bright[i] - (BRIGHT + DARK) / 2));
        net.excess[i] = balance > 0 ? balance : 0;
        net.to_sink[i] = balance < 0 ? -balance : 0;
        for (int side = 0; side < SIDES; side++) {
            const int other = neighbour_of(&net.g, i, side);
            net.to_side[side * net.nodes + i] =
                other < 0 ? 0 : 1 + (int)lround(SMOOTH * exp(-4 * fabs(bright[i] - bright[other])));
        }
    }
    return net;
}

static void cut_on_device(harness *h, network *net, int *height)
{
    const size_t bytes = (size_t)net->nodes * sizeof(int);
    const unsigned blocks = (unsigned)harness_get_size(h, "blocks"), threads = (unsigned)harness_get_size(h, "threads");
    static const int none[FLAGS];
    CUdeviceptr to_side = harness_upload(h, net->to_side, SIDES * bytes),
                to_sink = harness_upload(h, net->to_sink, bytes);
    CUdeviceptr excess = harness_upload(h, net->excess, bytes), d_height = harness_device(h, bytes);
    CUdeviceptr changed = harness_device(h, sizeof none), arrived = harness_device(h, sizeof(int)),
                d_active = harness_device(h, sizeof(int));
    CUfunction relabel = harness_kernel(h, "cuts_relabel"), push = harness_kernel(h, "cuts_push");
    int active = 1, sweeps = (int)harness_get_size(h, "sweeps");

    for (int round = 0; active; round++) {
        if (round == MOST_ROUNDS)
            harness_wrong(h, "%d pixels still push after %d rounds", active, round);
        if (round)
            HARNESS_LAUNCH(h, push, HARNESS_DIM(blocks), HARNESS_DIM(threads), 0, &to_side, &to_sink, &excess,
                           &d_height, &net->g, &sweeps);
        harness_write(h, changed, none, sizeof none);
        harness_write(h, arrived, none, sizeof(int));
        harness_write(h, d_active, none, sizeof(int));
        HARNESS_LAUNCH_TOGETHER(h, relabel, blocks, threads, &to_side, &to_sink, &excess, &d_height, &changed, &arrived,
                                &d_active, &net->g);
        harness_download(h, &active, d_active, sizeof active);
    }
    harness_download(h, net->to_side, to_side, SIDES * bytes);
    harness_download(h, net->to_sink, to_sink, bytes);
    harness_download(h, net->excess, excess, bytes);
    harness_download(h, height, d_height, bytes);
}

/* What is left along edges and what nodes have is what a flow leaves: no edge has less than nothing, both directions of
 * one have what they had together, and a node has what it had and what came less what went. */
static void check_flow(harness *h, const network *was, const network *is)
{
    const int n = was->nodes;
    for (int i = 0; i < n; i++) {
        long excess = was->excess[i] - (was->to_sink[i] - is->to_sink[i]);
        for (int side = 0; side < SIDES; side++) {
            const int other = neighbour_of(&was->g, i, side), at = side * n + i;
            if (other < 0)
                continue;
            const int back = (side ^ 1) * n + other;
            if (is->to_side[at] < 0 || is->to_side[at] + is->to_side[back] != was->to_side[at] + was->to_side[back])
                harness_wrong(h, "%d and %d are left between pixels %d and %d", is->to_side[at], is->to_side[back], i,
                              other);
            excess += is->to_side[at] - was->to_side[at];
        }
        if (is->to_sink[i] < 0 || is->to_sink[i] > was->to_sink[i] || is->excess[i] < 0 || is->excess[i] != excess)
            harness_wrong(h, "pixel %d has %d where %ld came to it", i, is->excess[i], excess);
    }
}

/* The pixels from which what is left leads to the sink: a search backwards from it. */
static int *reach_sink(harness *h, const network *net)
{
    int *const reaches = harness_host(h, (size_t)net->nodes, sizeof *reaches), *const queue =
                                                                                   harness_host(h, (size_t)net->nodes,
                                                                                                sizeof *queue);
    int head = 0, tail = 0;
    for (int i = 0; i < net->nodes; i++)
        if (net->to_sink[i] > 0)
            reaches[queue[tail++] = i] = 1;
    while (head < tail) {
        const int node = queue[head++];
        for (int side = 0; side < SIDES; side++) {
            const int other = neighbour_of(&net->g, node, side);
            if (other >= 0 && !reaches[other] && net->to_side[(side ^ 1) * net->nodes + other] > 0)
                reaches[queue[tail++] = other] = 1;
        }
    }
    return reaches;
}

static void run(harness *h)
{
    const network was = make_network(h);
    const size_t n = (size_t)was.nodes;
    network is = was;
    int *const height = harness_host(h, n, sizeof *height);
    is.to_side = memcpy(harness_host(h, SIDES * n, sizeof *is.to_side), was.to_side, SIDES * n * sizeof *was.to_side);
    is.to_sink = memcpy(harness_host(h, n, sizeof *is.to_sink), was.to_sink, n * sizeof *was.to_sink);
    is.excess = memcpy(harness_host(h, n, sizeof *is.excess), was.excess, n * sizeof *was.excess);

    cut_on_device(h, &is, height);
    check_flow(h, &was, &is);
    /* A flow as large as a cut is the largest, and the cut the smallest (L. Ford, D. Fulkerson, 1956). The sink's side
     * of the cut is what still reaches it, the same for every largest flow. */
    const int *const reaches = reach_sink(h, &is);
    long flow = 0, cut = 0;
    for (int i = 0; i < was.nodes; i++) {
        if ((height[i] < was.g.limit) != reaches[i])
            harness_wrong(h, "pixel %d is on the wrong side: its height is %d", i, height[i]);
        flow += was.to_sink[i] - is.to_sink[i];
        cut += reaches[i] ? was.excess[i] : was.to_sink[i];
        for (int side = 0; side < SIDES; side++) {
            const int other = neighbour_of(&was.g, i, side);
            cut += other >= 0 && !reaches[i] && reaches[other] ? was.to_side[side * was.nodes + i] : 0;
        }
    }
    if (flow != cut)
        harness_wrong(h, "%ld flow to the sink where the cut lets %ld pass", flow, cut);
}

HARNESS_WORKLOAD_OF("CUTS", "data/workloads/graphcuts/graphcuts.ptx", run, input_sizes)
