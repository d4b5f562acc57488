/* together.cu - rows of threads that add to the same element without atomics, as programs do that were only ever tried on a GPU,
 * where the warps of a block go on together. `warpscape run` lets warps take turns before stores, so each sum is made once. */
#include "tests/cuda/cuda_test.h"

KERNEL(product, (const float *a, const float *y, float *x, int n), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < n; j++)
            x[i] += a[i * n + j] * y[j];
})

enum { N = 80, ROWS = 8 };

int main(void)
{
    static float a[N * N], y[N], x[N];
    float *da, *dy, *dx;
    setenv("WARPSCAPE_TURNS", "stores", 0); /* without `warpscape run` */
    for (int i = 0; i < N * N; i++)
        a[i] = (float)(i % 7);
    for (int i = 0; i < N; i++)
        y[i] = (float)(i % 3);
    CHECK(cudaMalloc((void **)&da, sizeof a));
    CHECK(cudaMalloc((void **)&dy, sizeof y));
    CHECK(cudaMalloc((void **)&dx, sizeof x));
    CHECK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dx, 0, sizeof x));
    LAUNCH(product, D3((N + 31) / 32, 1, 1), D3(32, ROWS, 1), 0, 0)(da, dy, dx, N);
    CHECK(cudaMemcpy(x, dx, sizeof x, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = 0; j < N; j++)
            sum += a[i * N + j] * y[j];
        if (x[i] != sum) {
            printf("x[%d] is %g, not %g\n", i, x[i], sum);
            return 1;
        }
    }
    puts("PASS");
    return 0;
}
