/* bounds.cu - each kind of memory has an end: what a program gets that reads or writes behind it, or beside what is aligned. */
#include "tests/cuda/cuda_test.h"

#include <assert.h>

VARIABLE(__constant__, int, table, [16])

KERNEL(global_read, (int *p, int at), { p[0] = p[at]; })
KERNEL(global_add, (int *p, int at), { atomicAdd(p + at, 1); })
KERNEL(shared_read, (int *p, int at), {
    __shared__ int s[32];
    s[threadIdx.x] = 7;
    __syncthreads();
    p[threadIdx.x] = ((volatile int *)s)[at];
})
KERNEL(dynamic_write, (int *p, int at), {
    extern __shared__ int given[];
    ((volatile int *)given)[at] = 7;
    p[0] = given[0];
})
KERNEL(local_write, (int *p, int at), {
    volatile int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = p[i];
    a[at] = 7;
    p[0] = a[p[1] & 7];
})
KERNEL(constant_read, (int *p, int at), { p[0] = table[at]; })
KERNEL(beside, (char *p, int at), { *(volatile int *)(p + at) = 7; })
KERNEL(shared_beside, (int *p, int at), {
    __shared__ int s[32];
    s[threadIdx.x] = 7;
    *(volatile int *)((char *)s + at) = 7;
    p[threadIdx.x] = s[threadIdx.x];
})
KERNEL(must, (int *p, int most), { assert(p[threadIdx.x] <= most); })
DEVICE_CODE(__device__ __noinline__ int deeper(volatile int *p, int n) { return n <= 0 ? p[0] : deeper(p, n - 1) + p[n & 7]; })
KERNEL(recurse, (int *p, int depth), { p[0] = deeper(p, depth); })
DEVICE_CODE(typedef int (*function)(int);)
KERNEL(call, (int *p, int at), { p[0] = ((function)(size_t)at)(1); })

/* A kernel that has these parameters does it right with `good`, and with `bad` gets the error from then on. */
#define TEST(kernel, threads, shared, good, bad, error)                     \
    do {                                                                    \
        LAUNCH(kernel, D3(1, 1, 1), D3(threads, 1, 1), shared, 0)(p, good); \
        CHECK(cudaGetLastError());                                          \
        CHECK(cudaDeviceSynchronize());                                     \
        LAUNCH(kernel, D3(1, 1, 1), D3(threads, 1, 1), shared, 0)(p, bad);  \
        GIVES(error, cudaDeviceSynchronize());                              \
        GIVES(error, cudaFree(p));                                          \
        p = again();                                                        \
    } while (0)

static int *again(void)
{
    int *p;
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc((void **)&p, 4096));
    CHECK(cudaMemset(p, 0, 4096));
    return p;
}

int main(void)
{
    int *p = again();
    TEST(global_read, 1, 0, 1023, 1024, cudaErrorIllegalAddress);
    TEST(global_read, 1, 0, 0, -1, cudaErrorIllegalAddress);
    TEST(global_read, 32, 0, 5, 1 << 30, cudaErrorIllegalAddress);
    TEST(global_add, 32, 0, 1023, 1024, cudaErrorIllegalAddress);
    TEST(shared_read, 32, 0, 31, 32, cudaErrorIllegalAddress);
    TEST(shared_read, 32, 0, 0, -1, cudaErrorIllegalAddress);
    TEST(dynamic_write, 1, 16, 3, 4, cudaErrorIllegalAddress);
    TEST(local_write, 1, 0, 7, 8, cudaErrorIllegalAddress);
    TEST(local_write, 1, 0, 0, 1 << 28, cudaErrorIllegalAddress);
    TEST(constant_read, 1, 0, 15, 16, cudaErrorIllegalAddress);
    TEST(shared_beside, 32, 0, 4, 6, cudaErrorMisalignedAddress);
    TEST(must, 32, 0, 0, -1, cudaErrorAssert);
    TEST(recurse, 32, 0, 1000, 1 << 20, cudaErrorHardwareStackError);
    LAUNCH(beside, D3(1, 1, 1), D3(1, 1, 1), 0, 0)((char *)p, 4092);
    CHECK(cudaDeviceSynchronize());
    LAUNCH(beside, D3(1, 1, 1), D3(1, 1, 1), 0, 0)((char *)p, 4089);
    GIVES(cudaErrorMisalignedAddress, cudaDeviceSynchronize());
    p = again();
    LAUNCH(call, D3(1, 1, 1), D3(32, 1, 1), 0, 0)(p, 0x55555555);
    GIVES(cudaErrorInvalidPc, cudaDeviceSynchronize());
    p = again();
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 65536)); /* deep enough for 4096 calls of 16 bytes */
    size_t bytes = 0;
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    EXPECT(bytes == 65536);
    LAUNCH(recurse, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, 4000);
    CHECK(cudaDeviceSynchronize());
    puts("PASS");
    return 0;
}
