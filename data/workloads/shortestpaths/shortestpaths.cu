/* shortestpaths.cu - shortest ways from one node in rounds of the Bellman-Ford algorithm, distances lowered by atomic minima.
 *
 * A thread a node, two launches a round. ssp_relax: nodes whose distance has sunk offer their neighbours a way. ssp_settle: distances that
 * were offered become those of the next round. What is read is of the last round, so the order of threads changes nothing. */
#include "../harness/device.h"

KERNEL ssp_relax(const int *first, const int *target, const int *length, const int *distance, const int *active, int *offered, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes || !active[node])
        return;
    const int own = distance[node];
    for (int e = first[node]; e < first[node + 1]; e++)
        reduceMin(&offered[target[e]], own + length[e]);
}

/* *sunk says whether any distance has. */
KERNEL ssp_settle(int *distance, int *active, const int *offered, int *sunk, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes)
        return;
    const int has = offered[node] < distance[node];
    active[node] = has;
    if (has) {
        distance[node] = offered[node];
        *sunk = 1;
    }
}
