/* bfswork.cu - a breadth-first search in one kernel: all blocks work on one list of nodes a level.
 *
 * The list of a level is dealt out over the grid. A node that nobody has reached is claimed by a compare-and-swap of its
 * cost and joins the next list: first the block's own in shared memory, which goes to global memory as one piece, or,
 * when that is full, directly. A barrier of the whole grid ends the level. The edges of node i are edge[first[i]] ..
 * edge[first[i + 1] - 1]. */
#include "../harness/sharing.cuh"

enum { ROOM = 512, LENGTHS = 3 };

struct gathered {
    int node[ROOM];
    int count, base;
};

DEVICE void add(gathered &own, int node, int room, int *list, int *length)
{
    const int place = atomicAdd(&own.count, 1);

    if (place < room)
        own.node[place] = node;
    else
        list[atomicAdd(length, 1)] = node;
}

/* Reaches what lies behind the edges of a node. */
DEVICE void expand(gathered &own, const int *edge, int begin, int end, int *cost, int level, int room, int *list,
                   int *length)
{
    for (int e = begin; e < end; e++) {
        const int neighbour = edge[e];
        if (peek(&cost[neighbour]) < 0 && atomicCAS(&cost[neighbour], -1, level) < 0)
            add(own, neighbour, room, list, length);
    }
}

/* The block's own list goes to the end of the global one. */
DEVICE void hand_over(gathered &own, int room, int *list, int *length)
{
    __syncthreads();
    const int n = min(own.count, room);
    if (threadIdx.x == 0)
        own.base = atomicAdd(length, n);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        list[own.base + i] = own.node[i];
}

/* Level k reads list k % 2, `length[k % 3]` nodes, and fills the other one; the third length is cleared meanwhile.
 * size[k] is how many nodes level k has. */
KERNEL bfw_search(const int *first, const int *edge, int *cost, int *list, int *length, int *arrived, int *size,
                  int nodes, int room)
{
    __shared__ gathered own;
    const bool leader = blockIdx.x == 0 && threadIdx.x == 0;

    for (int level = 0;; level++) {
        const int *const in = list + level % 2 * nodes;
        int *const out = list + (level + 1) % 2 * nodes;
        int *const out_length = &length[(level + 1) % LENGTHS];
        const int n = peek(&length[level % LENGTHS]);
        if (n == 0)
            break;
        if (threadIdx.x == 0)
            own.count = 0;
        if (leader) {
            size[level] = n;
            poke(&length[(level + 2) % LENGTHS], 0);
        }
        __syncthreads();
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            const int node = in[i];
            expand(own, edge, first[node], first[node + 1], cost, level + 1, room, out, out_length);
        }
        hand_over(own, room, out, out_length);
        grid_barrier(arrived, level + 1);
    }
}
