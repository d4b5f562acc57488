/* independentset.cu - nodes of which no two are neighbours and to which none can be added (M. Luby, A Simple Parallel Algorithm for the
 * Maximal Independent Set Problem, 1986; with one order of nodes for all rounds).
 *
 * A thread a node, two launches a round. mis_claim: nodes that may still join tell neighbours their rank, by atomic maxima. mis_join: who has
 * heard of no higher rank joins, and puts its neighbours out. */
#include "../harness/device.h"

enum { OPEN, IN, OUT };

/* *open counts nodes that may still join. */
KERNEL mis_claim(const int *first, const int *target, const int *rank, const int *state, int *highest, int *open, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes || state[node] != OPEN)
        return;
    const int own = rank[node];
    for (int e = first[node]; e < first[node + 1]; e++)
        reduceMax(&highest[target[e]], own);
    reduceAdd(open, 1);
}

/* A node that is put out has heard of a higher rank, so it does not join, whether it sees that or not. */
KERNEL mis_join(const int *first, const int *target, const int *rank, int *state, int *highest, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes)
        return;
    const int heard = highest[node];
    highest[node] = -1;
    if (heard >= rank[node] || state[node] != OPEN)
        return;
    state[node] = IN;
    for (int e = first[node]; e < first[node + 1]; e++)
        state[target[e]] = OUT;
}
