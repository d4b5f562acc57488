/* heap.cu - memory that kernels allocate: the size of the heap is the program's until a kernel uses it. */
#include "tests/cuda/cuda_test.h"

KERNEL(take, (int *got, unsigned bytes), {
    char *p = (char *)malloc(bytes);
    got[threadIdx.x] = p != 0;
    if (p) {
        p[bytes - 1] = 1;
        free(p);
    }
})

static int takes(unsigned threads, unsigned bytes)
{
    int *d, got[32];
    int all = 0;
    CHECK(cudaMalloc((void **)&d, sizeof got));
    LAUNCH(take, D3(1, 1, 1), D3(threads, 1, 1), 0, 0)(d, bytes);
    CHECK(cudaMemcpy(got, d, threads * sizeof got[0], cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    for (unsigned i = 0; i < threads; i++)
        all += got[i];
    return all;
}

int main(void)
{
    size_t bytes = 0;
    int *early;
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    EXPECT(bytes == (size_t)8 << 20);
    CHECK(cudaMalloc((void **)&early, 4));
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)24 << 20));
    EXPECT(takes(1, 20u << 20) == 1);
    EXPECT(takes(1, 30u << 20) == 0);
    EXPECT(takes(32, 1000) == 32);
    GIVES(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)48 << 20));
    cudaGetLastError();
    puts("PASS");
    return 0;
}
