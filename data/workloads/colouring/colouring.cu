/* colouring.cu - colours of nodes so that neighbours differ (M. Jones, P. Plassmann, A Parallel Graph Coloring Heuristic, 1993).
 *
 * A thread a node, two launches a colour. gcl_claim: nodes without a colour tell neighbours their rank, by atomic maxima. gcl_look
 * in its place: they look at their neighbours' ranks themselves, without atomics. gcl_paint: who has heard of no higher rank takes the colour of the
 * round. */
#include "../harness/device.h"

KERNEL gcl_claim(const int *first, const int *target, const int *rank, const int *colour, int *highest, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes || colour[node])
        return;
    const int own = rank[node];
    for (int e = first[node]; e < first[node + 1]; e++)
        reduceMax(&highest[target[e]], own);
}

KERNEL gcl_look(const int *first, const int *target, const int *rank, const int *colour, int *highest, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes || colour[node])
        return;
    int most = -1;
    for (int e = first[node]; e < first[node + 1]; e++)
        if (!colour[target[e]])
            most = max(most, rank[target[e]]);
    highest[node] = most;
}

/* *left counts nodes that have no colour yet. */
KERNEL gcl_paint(const int *rank, int *colour, int *highest, int *left, int now, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes || colour[node])
        return;
    if (highest[node] < rank[node])
        colour[node] = now;
    else
        reduceAdd(left, 1);
    highest[node] = -1;
}
