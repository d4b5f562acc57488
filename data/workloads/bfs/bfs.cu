/* bfs.cu - one level of a breadth-first search: nodes of the frontier mark their unvisited neighbours. Two kernels a level, or one.
 *
 * One thread a node in all kernels. The edges of node i are edge[first[i]] .. edge[first[i + 1] - 1]. Masks hold one
 * byte a node. Several threads may reach one neighbour; they all write the same values. */
#include "../harness/device.h"

KERNEL bfs_expand(const int *first, const int *edge, uchar *frontier, uchar *reached, const uchar *visited, int *cost,
                  int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node < nodes && frontier[node]) {
        frontier[node] = 0;
        const int level = cost[node] + 1;
        const int end = first[node + 1];
        for (int e = first[node]; e < end; e++) {
            const int neighbour = edge[e];
            if (!visited[neighbour]) {
                cost[neighbour] = level;
                reached[neighbour] = 1;
            }
        }
    }
}

/* What was reached becomes the next frontier; *more says whether there is one. */
KERNEL bfs_advance(uchar *frontier, uchar *reached, uchar *visited, int *more, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node < nodes && reached[node]) {
        frontier[node] = 1;
        visited[node] = 1;
        reached[node] = 0;
        *more = 1;
    }
}

/* A level in one launch: a node that was marked, and not reached before, marks all of its neighbours for the next. Nobody reads
 * what another thread of the launch writes, so the order of the threads changes nothing. */
KERNEL bfs_level(const int *first, const int *edge, uchar *frontier, uchar *next, int *cost, int *more, int level, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node < nodes && frontier[node]) {
        frontier[node] = 0;
        if (cost[node] < 0) {
            cost[node] = level;
            *more = 1;
            const int end = first[node + 1];
            for (int e = first[node]; e < end; e++)
                next[edge[e]] = 1;
        }
    }
}
