/* sgemm.cu - a product of matrices whose results stay in registers. After Parboil's sgemm (J. Stratton et al., 2012); code of our own.
 *
 * All matrices stand column by column. A block of 128 threads makes 128 x 16 elements of C: a thread a row, its 16 sums in registers. A
 * is read straight from global memory, neighbouring rows by neighbouring lanes, and by every block of the same rows again; B goes through
 * a tile of 8 x 16 in shared memory, of which all lanes of a warp read the same element. */
#include "../harness/device.h"

enum { HIGH = 128, WIDE = 16, DEEP = 8 };

/* c = alpha * a * b' + beta * c. a: rows x inner, b: columns x inner, c: rows x columns. */
KERNEL sgm_tiles(const float *a, const float *b, float *c, int rows, int columns, int inner, float alpha, float beta)
{
    __shared__ float tile[DEEP][WIDE];
    const int row = blockIdx.x * HIGH + threadIdx.x, column = blockIdx.y * WIDE;
    const int deep = threadIdx.x / WIDE, wide = threadIdx.x % WIDE;
    float sum[WIDE];

#pragma unroll
    for (int j = 0; j < WIDE; j++)
        sum[j] = 0;
#pragma unroll 1
    for (int k = 0; k < inner; k += DEEP) {
        tile[deep][wide] = b[(k + deep) * columns + column + wide];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            const float own = a[(k + i) * rows + row];
#pragma unroll
            for (int j = 0; j < WIDE; j++)
                sum[j] += own * tile[i][j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < WIDE; j++) {
        float *const at = &c[(column + j) * rows + row];
        *at = alpha * sum[j] + beta * *at;
    }
}
