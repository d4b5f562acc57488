/* vectors.cu - the plainest program there is, and parameters of every kind. */
#include "tests/cuda/cuda_test.h"

typedef struct settings {
    double scale;
    int first, count;
    float add[3];
} settings;

KERNEL(add, (const float *a, const float *b, float *c, int n), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
})

KERNEL(mixed, (double *out, signed char small, unsigned short middle, float f, double d, long long wide, settings s), {
    const int i = threadIdx.x;
    if (i < s.count)
        out[i] = small + middle + f + d + (double)wide + s.scale * s.first + s.add[i % 3];
})

KERNEL(reverse, (int *a), {
    extern __shared__ int part[];
    part[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    a[blockIdx.x * blockDim.x + threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
})

KERNEL(nothing, (void), {})

enum { N = 10000 };

static void add_vectors(void)
{
    static float a[N], b[N], c[N];
    float *da, *db, *dc;
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i);
    }
    CHECK(cudaMalloc((void **)&da, sizeof a));
    CHECK(cudaMalloc((void **)&db, sizeof b));
    CHECK(cudaMalloc((void **)&dc, sizeof c));
    CHECK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b, sizeof b, cudaMemcpyDefault));
    LAUNCH(add, D3((N + 255) / 256, 1, 1), D3(256, 1, 1), 0, 0)(da, db, dc, N);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        EXPECT(c[i] == (float)(3 * i));
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
}

static void pass_parameters(void)
{
    const settings s = {0.5, 10, 4, {1.0f, 2.0f, 3.0f}};
    double out[4], *d;
    CHECK(cudaMalloc((void **)&d, sizeof out));
    LAUNCH(mixed, D3(1, 1, 1), D3(32, 1, 1), 0, 0)(d, -3, 60000, 0.25f, 1e-3, -(1LL << 40), s);
    CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++)
        EXPECT(out[i] == -3 + 60000 + 0.25f + 1e-3 + -(double)(1LL << 40) + 0.5 * 10 + s.add[i % 3]);
    CHECK(cudaFree(d));
}

static void share_memory(void)
{
    int a[256], *d;
    for (int i = 0; i < 256; i++)
        a[i] = i;
    CHECK(cudaMalloc((void **)&d, sizeof a));
    CHECK(cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice));
    LAUNCH(reverse, D3(4, 1, 1), D3(64, 1, 1), 64 * sizeof(int), 0)(d);
    CHECK(cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++)
        EXPECT(a[i] == i / 64 * 64 + 63 - i % 64);
    CHECK(cudaFree(d));
}

int main(void)
{
    add_vectors();
    pass_parameters();
    share_memory();
    LAUNCH(nothing, D3(2, 2, 2), D3(4, 4, 4), 0, 0)();
    CHECK(cudaDeviceSynchronize());
    puts("PASS");
    return 0;
}
