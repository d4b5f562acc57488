/* scan.cu - exclusive prefix sums of an array of any length, block by block, and the pass that joins the blocks.
 *
 * A block of 256 threads scans 512 elements by a balanced tree in shared memory: sums go up, prefixes come down. */
#include "../harness/device.h"

enum { THREADS = 256, ELEMENTS = 2 * THREADS };

/* One word of padding every 32 keeps tree nodes of one level in different banks. */
DEVICE int padded(int i)
{
    return i + (i >> 5);
}

/* out = exclusive scan of each block's elements; sums[block] = their sum. */
KERNEL scan_blocks(float *out, float *sums, const float *in, int n)
{
    __shared__ float tree[ELEMENTS + ELEMENTS / 32];
    const int t = threadIdx.x;
    const int low = blockIdx.x * ELEMENTS + t;
    const int high = low + THREADS;
    int stride = 1;

    tree[padded(t)] = low < n ? in[low] : 0;
    tree[padded(t + THREADS)] = high < n ? in[high] : 0;
    for (int active = THREADS; active > 0; active /= 2) {
        __syncthreads();
        if (t < active) {
            const int left = padded(stride * (2 * t + 1) - 1);
            const int right = padded(stride * (2 * t + 2) - 1);
            tree[right] += tree[left];
        }
        stride *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = tree[padded(ELEMENTS - 1)];
        tree[padded(ELEMENTS - 1)] = 0;
    }
    for (int active = 1; active <= THREADS; active *= 2) {
        stride /= 2;
        __syncthreads();
        if (t < active) {
            const int left = padded(stride * (2 * t + 1) - 1);
            const int right = padded(stride * (2 * t + 2) - 1);
            const float sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    __syncthreads();
    if (low < n)
        out[low] = tree[padded(t)];
    if (high < n)
        out[high] = tree[padded(t + THREADS)];
}

/* Adds the prefix of a block, which is the scanned sum of all blocks before it, to its elements. */
KERNEL scan_add(float *out, const float *prefix, int n)
{
    __shared__ float base;
    const int low = blockIdx.x * ELEMENTS + threadIdx.x;
    const int high = low + THREADS;

    if (threadIdx.x == 0)
        base = prefix[blockIdx.x];
    __syncthreads();
    if (low < n)
        out[low] += base;
    if (high < n)
        out[high] += base;
}
