/* componentspush.cu - connected components by minima that nodes push to their neighbours, three launches a round.
 *
 * A label is the number of a node of the same component, never above the node's own. cca_push: a thread a node offers its label to all
 * neighbours, by atomic minima in an array of its own, so that what is offered does not hang on the order of threads. cca_jump: a node takes what the
 * node knows that its best offer names (the pointer jumping of Y. Shiloach, U. Vishkin, An O(log n) Parallel Connectivity Algorithm, 1982). cca_settle: labels are
 * offers again, and those that sank are counted. Without any, ends of all edges agree. */
#include "../harness/device.h"

KERNEL cca_push(const int *first, const int *target, const int *label, int *offer, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes)
        return;
    const int own = label[node];
    for (int e = first[node]; e < first[node + 1]; e++)
        reduceMin(&offer[target[e]], own);
}

KERNEL cca_jump(const int *offer, int *next, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node < nodes)
        next[node] = offer[offer[node]];
}

KERNEL cca_settle(const int *next, int *label, int *offer, int *sunk, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes)
        return;
    if (next[node] < label[node])
        reduceAdd(sunk, 1);
    label[node] = offer[node] = next[node];
}
