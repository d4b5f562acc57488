/* bfsmask.cu - breadth-first search with one mask: a launch a level, whose threads mark nodes for one another as it runs.
 *
 * The algorithm is that of P. Harish and P. Narayanan, "Accelerating Large Graph Algorithms on the GPU Using CUDA",
 * HiPC 2007, as the BFS of the ISPASS 2009 suite has it: nodes are marked in the mask that the same launch reads. A
 * thread that comes late may find its node marked by another block, and expands it in the same launch. */
#include "../harness/sharing.cuh"

DEVICE uchar peek(const uchar *p) { return *(const volatile uchar *)p; }
DEVICE void poke(uchar *p, uchar v) { *(volatile uchar *)p = v; }

/* A thread a node. The edges of node i are edge[first[i]] .. edge[first[i + 1] - 1]. */
KERNEL bfs_mask(const int *first, const int *edge, uchar *mask, uchar *visited, int *cost, uchar *more, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes || !peek(&mask[node]))
        return;
    poke(&mask[node], 0);
    poke(&visited[node], 1);
    for (int e = first[node]; e < first[node + 1]; e++) {
        const int neighbour = edge[e];
        if (peek(&visited[neighbour]))
            continue;
        poke(&cost[neighbour], peek(&cost[node]) + 1);
        __threadfence(); /* a node that is seen marked has a cost */
        poke(&mask[neighbour], 1);
        poke(more, 1);
    }
}
