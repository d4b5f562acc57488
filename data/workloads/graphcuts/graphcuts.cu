/* graphcuts.cu - a minimal cut of a grid of pixels by pushes of what neighbours can take. The problem is that of V. Vineet, P. Narayanan,
 * CUDA Cuts: Fast Graph Cuts on the GPU, 2008; pushes without barriers are those of B. Hong, A Lock-free Multi-threaded Algorithm for the
 * Maximum Flow Problem, 2008. Code of our own.
 *
 * Node i has an excess, a height, and what may still go along its edges: to_side[side * nodes + i] to the neighbour on that side, to_sink[i]
 * to the sink. cuts_relabel sets heights to the distance from the sink, a barrier of the grid a level. cuts_push: a node with an excess
 * looks for its lowest neighbour, pushes to it when that is lower, and else rises just above it. Only its own thread lowers what a node has
 * and sets its height; others add to it at any time, also from other blocks. So the order of pushes is chance and the cut is not. */
#include "../harness/sharing.cuh"

enum { SIDES = 4, FLAGS = 3 };

struct grid {
    int width, height, limit; /* limit: height of nodes from which the sink is out of reach */
};

/* The node on this side, or -1; side ^ 1 is the way back. */
DEVICE int neighbour_of(grid g, int node, int side)
{
    const int x = node % g.width;

    switch (side) {
    case 0:
        return x > 0 ? node - 1 : -1;
    case 1:
        return x + 1 < g.width ? node + 1 : -1;
    case 2:
        return node - g.width;
    default:
        return node + g.width < g.width * g.height ? node + g.width : -1;
    }
}

/* changed[k % 3] says whether level k reached a node; the next level's is cleared meanwhile. *active counts nodes that may push. */
KERNEL cuts_relabel(const int *to_side, const int *to_sink, const int *excess, int *height, int *changed, int *arrived, int *active, grid g)
{
    const int own = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, nodes = g.width * g.height;
    int barriers = 0, pushing = 0;

    for (int i = own; i < nodes; i += all)
        poke(&height[i], to_sink[i] > 0 ? 1 : g.limit);
    grid_barrier(arrived, ++barriers);
    for (int level = 1;; level++) {
        int *const flag = &changed[level % FLAGS], reached = 0;
        for (int i = own; i < nodes; i += all) {
            if (peek(&height[i]) != g.limit)
                continue;
            for (int side = 0; side < SIDES; side++) {
                const int other = neighbour_of(g, i, side);
                if (other >= 0 && to_side[side * nodes + i] > 0 && peek(&height[other]) == level) {
                    poke(&height[i], level + 1);
                    reached = 1;
                    break;
                }
            }
        }
        if (__syncthreads_or(reached) && threadIdx.x == 0)
            poke(flag, 1);
        if (own == 0)
            poke(&changed[(level + 1) % FLAGS], 0);
        grid_barrier(arrived, ++barriers);
        if (!peek(flag))
            break;
    }
    for (int i = own; i < nodes; i += all)
        pushing += excess[i] > 0 && peek(&height[i]) < g.limit;
    if (pushing)
        atomicAdd(active, pushing);
}

/* Pushes to the lowest neighbour, or rises. */
DEVICE void push(int *to_side, int *to_sink, int *excess, int *height, grid g, int node)
{
    const int nodes = g.width * g.height, has = peek(&excess[node]), at = peek(&height[node]);
    int lowest = g.limit, side = 0, to = -1;

    if (has <= 0 || at >= g.limit)
        return;
    if (to_sink[node] > 0) {
        const int much = min(has, to_sink[node]);
        to_sink[node] -= much;
        atomicAdd(&excess[node], -much);
        return;
    }
    for (int s = 0; s < SIDES; s++) {
        const int other = neighbour_of(g, node, s);
        if (other < 0 || peek(&to_side[s * nodes + node]) <= 0)
            continue;
        const int high = peek(&height[other]);
        if (high < lowest) {
            lowest = high;
            side = s;
            to = other;
        }
    }
    if (to < 0 || lowest >= at) {
        poke(&height[node], min(lowest + 1, g.limit));
        return;
    }
    const int much = min(has, peek(&to_side[side * nodes + node]));
    atomicAdd(&to_side[side * nodes + node], -much);
    atomicAdd(&to_side[(side ^ 1) * nodes + to], much);
    atomicAdd(&excess[node], -much);
    atomicAdd(&excess[to], much);
}

KERNEL cuts_push(int *to_side, int *to_sink, int *excess, int *height, grid g, int sweeps)
{
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < g.width * g.height; i += gridDim.x * blockDim.x)
            push(to_side, to_sink, excess, height, g, i);
        __syncthreads();
    }
}
