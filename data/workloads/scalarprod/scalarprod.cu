/* scalarprod.cu - SP: the scalar products of many pairs of vectors, a block a pair at a time.
 *
 * A block keeps SUMS partial sums in shared memory, more than it has threads: sum number i gets the products of the
 * elements i, i + SUMS, i + 2 SUMS ... A tree then adds them up. */
#include "../harness/device.h"

enum { SUMS = 1024, THREADS = 256 };

KERNEL __launch_bounds__(THREADS) sp_products(const float *__restrict__ a, const float *__restrict__ b,
                                              float *__restrict__ product, int pairs, int length)
{
    __shared__ float sum[SUMS];
    const uint t = threadIdx.x;
    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
        const int begin = pair * length, end = begin + length;
        for (uint i = t; i < SUMS; i += THREADS) {
            float mine = 0.0f;
            for (int at = begin + (int)i; at < end; at += SUMS)
                mine += a[at] * b[at];
            sum[i] = mine;
        }
        for (uint half = SUMS / 2; half > 0; half /= 2) {
            __syncthreads();
            for (uint i = t; i < half; i += THREADS)
                sum[i] += sum[i + half];
        }
        __syncthreads(); /* the next pair's sums may not come before the last step has read these */
        if (t == 0)
            product[pair] = sum[0];
    }
}
