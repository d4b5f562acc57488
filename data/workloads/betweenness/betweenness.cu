/* betweenness.cu - how many shortest ways of a graph lead through each node (U. Brandes, A Faster Algorithm for Betweenness Centrality, 2001).
 *
 * A thread a node, a launch a level of the search from a source. bce_forward: nodes of the level reach their neighbours and add the number of
 * ways to themselves to theirs, by atomics. bce_backward: level by level back, nodes add what depends on them to those before them.
 * bce_add: what a source made of a node goes to its sum. */
#include "../harness/device.h"

KERNEL bce_forward(const int *first, const int *target, int *depth, float *ways, int *more, int level, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes || depth[node] != level)
        return;
    const float own = ways[node];
    for (int e = first[node]; e < first[node + 1]; e++) {
        const int other = target[e], there = depth[other];
        if (there < 0 || there == level + 1) { /* the same is done either way, so it does not matter who came first */
            depth[other] = level + 1;
            reduceAdd(&ways[other], own);
            *more = 1;
        }
    }
}

KERNEL bce_backward(const int *first, const int *target, const int *depth, const float *ways, float *depending, int level, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes || depth[node] != level)
        return;
    const float share = (1 + depending[node]) / ways[node];
    for (int e = first[node]; e < first[node + 1]; e++)
        if (depth[target[e]] == level - 1)
            reduceAdd(&depending[target[e]], ways[target[e]] * share);
}

KERNEL bce_add(float *sum, const float *depending, const int *depth, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node < nodes && depth[node] > 0)
        sum[node] += depending[node];
}
