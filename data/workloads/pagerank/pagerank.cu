/* pagerank.cu - the weight of pages by what links to them, pushed along links by atomic additions (L. Page, S. Brin, R. Motwani, T.
 * Winograd, The PageRank Citation Ranking, 1999).
 *
 * A thread a page. prk_push deals what a page has over its links, or over all pages by way of *lost when it has none. prk_settle takes what
 * came. Weights are 1 in the mean. */
#include "../harness/device.h"

KERNEL prk_push(const int *first, const int *target, const float *rank, float *next, float *lost, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes)
        return;
    const int begin = first[node], end = first[node + 1];
    const float share = rank[node] / (end - begin);
    if (begin == end)
        reduceAdd(lost, rank[node]);
    for (int e = begin; e < end; e++)
        reduceAdd(&next[target[e]], share);
}

KERNEL prk_settle(float *rank, float *next, const float *lost, float damping, int nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= nodes)
        return;
    rank[node] = 1 - damping + damping * (next[node] + *lost / nodes);
    next[node] = 0;
}
