/* counts.cu - two kernels whose instructions another engine has counted too: tests/golden/run/counts.sh. */
#include "tests/cuda/cuda_test.h"

KERNEL(vecadd, (const float *a, const float *b, float *c, int n), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
})

KERNEL(multiply, (const float *a, const float *b, float *c, int n), {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
})

enum { N = 1 << 18, SIDE = 256, ROWS = 16 };

int main(void)
{
    static float a[N], b[N], c[N];
    float *da, *db, *dc;
    for (int i = 0; i < N; i++) {
        a[i] = (float)(i % 8);
        b[i] = (float)(i % 5);
    }
    CHECK(cudaMalloc((void **)&da, sizeof a));
    CHECK(cudaMalloc((void **)&db, sizeof b));
    CHECK(cudaMalloc((void **)&dc, sizeof c));
    CHECK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));
    LAUNCH(vecadd, D3(N / 256, 1, 1), D3(256, 1, 1), 0, 0)(da, db, dc, N);
    CHECK(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        EXPECT(c[i] == a[i] + b[i]);
    LAUNCH(multiply, D3(SIDE / 16, 1, 1), D3(16, ROWS, 1), 0, 0)(da, db, dc, SIDE); /* the first rows of the product */
    CHECK(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
    for (int row = 0; row < ROWS; row++) {
        for (int col = 0; col < SIDE; col++) {
            float sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += a[row * SIDE + k] * b[k * SIDE + col];
            EXPECT(c[row * SIDE + col] == sum);
        }
    }
    puts("PASS");
    return 0;
}
