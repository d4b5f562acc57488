/* btree.cu - a search tree with many keys a node, in which a block looks for one key. After the B+ tree of Rodinia (J. Fix, A. Wilkes, K.
 * Skadron, Accelerating Braided B+ Tree Searches on a GPU with CUDA, 2011); code of our own.
 *
 * A thread has a key of the node. The one whose key is the last that is not above what is looked for tells the block where to go on. All
 * blocks start at the root and part on the way down, so the upper levels are shared by all, and of a leaf each block may have its own.
 *
 * Of node i the keys are key[i * order] ... in rising order, unused ones INT_MAX, and child[] says where they lead: to nodes, or, in a
 * leaf, to records. The first key of a level is INT_MIN. */
#include "../harness/device.h"

enum { INT_MIN = -2147483647 - 1, INT_MAX = 2147483647 };

/* Goes from the root down to the leaf where `wanted` belongs. All threads call it; `place` is the block's own. */
DEVICE int descend(const int *key, const int *child, int wanted, int levels, volatile int *place)
{
    const int order = blockDim.x, t = threadIdx.x;
    int node = 0;

    for (int level = 1; level < levels; level++) {
        const int *const own = key + node * order + t;
        const int next = t + 1 < order ? own[1] : INT_MAX;
        if (own[0] <= wanted && next > wanted)
            *place = child[node * order + t];
        __syncthreads();
        node = *place;
        __syncthreads();
    }
    return node;
}

/* answer[query] is the value of the record with that key, or -1. */
KERNEL bt_find(const int *key, const int *child, const int *value, const int *wanted, int *answer, int levels)
{
    __shared__ int place;
    const int query = blockIdx.x, of = wanted[query], leaf = descend(key, child, of, levels, &place);

    if (threadIdx.x == 0)
        answer[query] = -1;
    __syncthreads();
    if (key[leaf * blockDim.x + threadIdx.x] == of)
        answer[query] = value[child[leaf * blockDim.x + threadIdx.x]];
}

/* How many records have keys less than `bound`: those of the leaves before this one, and those in it. */
DEVICE int rank_of(const int *key, const int *child, int bound, int levels, volatile int *place)
{
    const int leaf = descend(key, child, bound, levels, place);
    return child[leaf * blockDim.x] + __syncthreads_count(key[leaf * blockDim.x + threadIdx.x] < bound);
}

/* Records with keys from low[query] to high[query] - 1: the first of them and their number. */
KERNEL bt_range(const int *key, const int *child, const int *low, const int *high, int *first, int *length, int levels)
{
    __shared__ int place;
    const int query = blockIdx.x;
    const int begin = rank_of(key, child, low[query], levels, &place), end = rank_of(key, child, high[query], levels, &place);

    if (threadIdx.x == 0) {
        first[query] = begin;
        length[query] = end - begin;
    }
}
