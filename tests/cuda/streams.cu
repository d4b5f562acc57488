/* streams.cu - streams, events, callbacks, per-thread streams, pinned and registered memory, cooperative launches, and what
 * the device says about kernels. */
#include "tests/cuda/cuda_test.h"

#ifdef __CUDACC__
#include <cooperative_groups.h>
#endif

KERNEL(step, (int *a, int n, int by), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += by;
})

/* Each block adds what its neighbour wrote before the grid met. */
KERNEL(ring, (int *a, int *b), {
    const int i = blockIdx.x;
    if (threadIdx.x == 0)
        a[i] = i + 1;
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0)
        b[i] = a[i] + a[(i + 1) % gridDim.x];
})

KERNEL(limited, (int *a), {
    __shared__ int part[128];
    part[threadIdx.x % 128] = threadIdx.x;
    __syncthreads();
    a[threadIdx.x] = part[127 - threadIdx.x % 128];
})

/* The highest architecture that the PTX is for. */
#ifdef __CUDA_ARCH_LIST__
static const int targets[] = {__CUDA_ARCH_LIST__};
#define TARGET (targets[sizeof targets / sizeof *targets - 1] / 10)
#else
#define TARGET 75
#endif

enum { N = 1000 };

static void note(void *context)
{
    ++*(int *)context;
}

static void note_status(cudaStream_t stream, cudaError_t status, void *context)
{
    (void)stream;
    *(int *)context = status == cudaSuccess ? 77 : -1;
}

static void streams_and_events(void)
{
    int *pinned, *d, called = 0, status = 0;
    float milliseconds = -1;
    cudaStream_t one, two;
    cudaEvent_t start, end, other;
    CHECK(cudaMallocHost((void **)&pinned, N * sizeof(int)));
    CHECK(cudaMalloc((void **)&d, N * sizeof(int)));
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventCreateWithFlags(&other, cudaEventDisableTiming));
    for (int i = 0; i < N; i++)
        pinned[i] = i;
    CHECK(cudaEventRecord(start, one));
    CHECK(cudaMemcpyAsync(d, pinned, N * sizeof(int), cudaMemcpyHostToDevice, one));
    LAUNCH(step, D3(4, 1, 1), D3(256, 1, 1), 0, one)(d, N, 5);
    CHECK(cudaEventRecord(other, one));
    CHECK(cudaStreamWaitEvent(two, other, 0));
    LAUNCH(step, D3(4, 1, 1), D3(256, 1, 1), 0, two)(d, N, 7);
    CHECK(cudaMemcpyAsync(pinned, d, N * sizeof(int), cudaMemcpyDeviceToHost, two));
    CHECK(cudaLaunchHostFunc(two, note, &called));
    CHECK(cudaStreamAddCallback(two, note_status, &status, 0));
    CHECK(cudaStreamSynchronize(two));
    EXPECT(called == 1 && status == 77);
    CHECK(cudaEventRecord(end, two));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventQuery(end));
    CHECK(cudaStreamQuery(one));
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    EXPECT(milliseconds >= 0);
    for (int i = 0; i < N; i++)
        EXPECT(pinned[i] == i + 12);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaEventDestroy(other));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(two));
    cudaGetLastError();
    LAUNCH(step, D3(4, 1, 1), D3(256, 1, 1), 0, cudaStreamPerThread)(d, N, 1);
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(d));
}

static void registered_memory(void)
{
    static int own[N];
    struct cudaPointerAttributes a[4]; /* that of CUDA 13 is longer */
    int *seen = NULL;
    CHECK(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
    GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own, sizeof own, cudaHostRegisterDefault));
    CHECK(cudaHostGetDevicePointer((void **)&seen, own, 0));
    LAUNCH(step, D3(4, 1, 1), D3(256, 1, 1), 0, 0)(seen, N, 3);
    CHECK(cudaDeviceSynchronize());
    EXPECT(own[0] == 3 && own[N - 1] == 3);
    CHECK(cudaPointerGetAttributes(a, own));
    EXPECT(a[0].type == cudaMemoryTypeHost && a[0].devicePointer == own);
    CHECK(cudaHostUnregister(own));
    CHECK(cudaPointerGetAttributes(a, own));
    EXPECT(a[0].type == cudaMemoryTypeUnregistered);
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own));
    cudaGetLastError();
}

static void grid_barrier(void)
{
    enum { BLOCKS = 40 };
    int *a, *b, out[BLOCKS], fit = 0;
    CHECK(cudaMalloc((void **)&a, sizeof out));
    CHECK(cudaMalloc((void **)&b, sizeof out));
    void *arguments[2];
    arguments[0] = &a;
    arguments[1] = &b;
    CHECK(cudaLaunchCooperativeKernel((const void *)ring, D3(BLOCKS, 1, 1), D3(64, 1, 1), arguments, 0, 0));
    CHECK(cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BLOCKS; i++)
        EXPECT(out[i] == i + 1 + (i + 1) % BLOCKS + 1);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, (const void *)ring, 64, 0));
    EXPECT(fit > 0);
    GIVES(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel((const void *)ring, D3(100000, 1, 1), D3(64, 1, 1), arguments, 0, 0));
    cudaGetLastError();
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

static void asking(void)
{
    struct cudaFuncAttributes f;
    int value = 0, blocks = 0, version = 0;
    size_t available = 0, total = 0;
    CHECK(cudaFuncGetAttributes(&f, (const void *)limited));
    EXPECT(f.sharedSizeBytes == 512 && f.maxThreadsPerBlock == 1024 && f.numRegs > 0 &&
           f.ptxVersion == TARGET);
    CHECK(cudaFuncSetAttribute((const void *)limited, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    CHECK(cudaFuncSetCacheConfig((const void *)limited, cudaFuncCachePreferL1));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)limited, 128, 30000));
    EXPECT(blocks == 2);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    EXPECT(value == 32);
    CHECK(cudaMemGetInfo(&available, &total));
    EXPECT(available > 0 && available <= total);
    CHECK(cudaRuntimeGetVersion(&version));
    EXPECT(version >= 11000 && version < 14000);
    CHECK(cudaGetDeviceCount(&value));
    EXPECT(value == 1);
    GIVES(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
    cudaGetLastError();
}

int main(void)
{
    streams_and_events();
    registered_memory();
    grid_barrier();
    asking();
    puts("PASS");
    return 0;
}
