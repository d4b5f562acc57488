/* waiting.cu - kernels that wait on the device for what they launched, as CUDA 11 and before have it: memory, order, nesting,
 * blocks that wait one by one, limits, streams of grids that are gone, faults. nvcc compiles it with
 * -rdc=true -DCUDA_FORCE_CDP1_IF_SUPPORTED -D__CDPRT_SUPPRESS_SYNC_DEPRECATION_WARNING. */
#include "tests/cuda/cuda_test.h"

enum { ROOM = 64, LEVELS = 5 };

KERNEL(add, (int *p, int n, int value), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += value;
})

KERNEL(sum, (const int *p, int n, int *result), {
    int all = 0;
    for (int i = 0; i < n; i++)
        all += p[i];
    *result = all;
})

/* What the children wrote is there behind the wait, not before, and they saw what was written before they were launched;
 * registers and shared memory of the block are as they were. */
KERNEL(parent, (int *p, int *seen), {
    __shared__ int kept[32];
    const int mine = (int)threadIdx.x * 3;
    kept[threadIdx.x] = 7 * (int)threadIdx.x;
    p[threadIdx.x] = 100;
    __syncthreads();
    if (threadIdx.x == 0) {
        add<<<2, 16>>>(p, 32, 5);
        add<<<1, 32>>>(p, 32, 1000);
        cudaMemcpyAsync(p + 32, p, 4, cudaMemcpyDeviceToDevice, 0);
        seen[0] = cudaDeviceSynchronize();
        seen[1] = p[31];
        seen[2] = p[32];
        sum<<<1, 1>>>(p, 32, &seen[3]);
        seen[4] = seen[3];
        cudaDeviceSynchronize();
        seen[5] = seen[3];
        add<<<1, 32>>>(p, 32, 10000); /* nobody waits: behind the grid */
        seen[6] = p[0];
    }
    __syncthreads();
    if (kept[threadIdx.x] != 7 * (int)threadIdx.x || mine != (int)threadIdx.x * 3)
        seen[7] = 1;
})

/* Blocks and threads each wait for their own. */
KERNEL(many, (int *out), {
    int *const mine = out + blockIdx.x * blockDim.x + threadIdx.x;
    add<<<1, 1>>>(mine, 1, 1 + (int)threadIdx.x);
    cudaDeviceSynchronize();
    add<<<1, 1>>>(mine, 1, *mine * 10);
    cudaDeviceSynchronize();
})

/* Sorts by halves: each half is a kernel, and merging waits for both. */
KERNEL(merge_sort, (int *p, int *scratch, int n, int *errors), {
    if (n < 2)
        return;
    const int half = n / 2;
    merge_sort<<<1, 1>>>(p, scratch, half, errors);
    merge_sort<<<1, 1>>>(p + half, scratch + half, n - half, errors);
    if (cudaDeviceSynchronize() != cudaSuccess)
        ++*errors;
    for (int a = 0, b = half, i = 0; i < n; i++)
        scratch[i] = b == n || (a < half && p[a] <= p[b]) ? p[a++] : p[b++];
    for (int i = 0; i < n; i++)
        p[i] = scratch[i];
})

/* Each level waits for the next; said[level]: what waiting gave there. */
KERNEL(deeper, (int *said, int level), {
    if (level < LEVELS)
        deeper<<<1, 1>>>(said, level + 1);
    said[level] = 1 + (int)cudaDeviceSynchronize();
    if (said[level] != 1)
        said[ROOM - 1] = (int)cudaGetLastError();
})

/* Turns that need room for one launch each. */
KERNEL(turns, (int *p, int n), {
    cudaStream_t own;
    for (int i = 0; i < n; i++) {
        if (cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) != cudaSuccess)
            p[1] = 1;
        add<<<1, 1, 0, own>>>(p, 1, 1);
        if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
            p[1] = 2;
        if (p[0] != i + 1)
            p[1] = 3;
        if (cudaStreamDestroy(own) != cudaSuccess)
            p[1] = 4;
    }
})

/* A stream of a child is none of its parent's, nor of the next child's. */
KERNEL(give_stream, (cudaStream_t *stream), { cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking); })
KERNEL(use_stream, (cudaStream_t *stream, int *error), {
    add<<<1, 1, 0, *stream>>>(error, 1, 0);
    *error = (int)cudaGetLastError();
})
KERNEL(strangers, (cudaStream_t *stream, int *error), {
    give_stream<<<1, 1>>>(stream);
    cudaDeviceSynchronize();
    use_stream<<<1, 1>>>(stream, error);
    cudaDeviceSynchronize();
    add<<<1, 1, 0, *stream>>>(error, 1, 0);
    error[1] = (int)cudaGetLastError();
})

KERNEL(limits, (size_t *limit), { cudaDeviceGetLimit(limit, cudaLimitDevRuntimeSyncDepth); })

KERNEL(stray, (int *p), { p[1 << 20] = 1; })
KERNEL(waits_for_stray, (int *p), {
    stray<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    p[0] = 1;
})

static int *zeros(void)
{
    int *p;
    CHECK(cudaMalloc((void **)&p, ROOM * sizeof(int)));
    CHECK(cudaMemset(p, 0, ROOM * sizeof(int)));
    return p;
}

static void get(int *to, const int *from)
{
    CHECK(cudaMemcpy(to, from, ROOM * sizeof(int), cudaMemcpyDeviceToHost));
}

static void test_memory(void)
{
    int *p = zeros(), *seen = zeros(), h[ROOM], s[ROOM];
    LAUNCH(parent, D3(1, 1, 1), D3(32, 1, 1), 0, 0)(p, seen);
    get(h, p);
    get(s, seen);
    EXPECT(s[0] == cudaSuccess && s[1] == 1105 && s[2] == 1105);
    EXPECT(s[4] == 0 && s[5] == 32 * 1105 && s[6] == 1105 && s[7] == 0);
    for (int i = 0; i < 32; i++)
        EXPECT(h[i] == 11105);
}

static void test_threads(void)
{
    int *p = zeros(), h[ROOM];
    LAUNCH(many, D3(2, 1, 1), D3(32, 1, 1), 0, 0)(p);
    get(h, p);
    for (int i = 0; i < 64; i++)
        EXPECT(h[i] == 11 * (1 + i % 32));
}

static void test_depth(void)
{
    int *p = zeros(), *scratch = zeros(), *errors = zeros(), h[ROOM];
    size_t depth = 0;
    size_t *asked;
    LAUNCH(deeper, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, 0);
    get(h, p);
    EXPECT(h[0] == 1 && h[1] == 1 && h[ROOM - 1] == cudaErrorSyncDepthExceeded);
    for (int i = 2; i <= LEVELS; i++)
        EXPECT(h[i] == 1 + cudaErrorSyncDepthExceeded);
    CHECK(cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth));
    EXPECT(depth == 2);
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 7));
    CHECK(cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth));
    EXPECT(depth == 7);
    CHECK(cudaMalloc((void **)&asked, sizeof *asked));
    LAUNCH(limits, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(asked);
    CHECK(cudaMemcpy(&depth, asked, sizeof depth, cudaMemcpyDeviceToHost));
    EXPECT(depth == 7);
    GIVES(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 25));
    for (int i = 0; i < ROOM; i++)
        h[i] = i * 37 % ROOM;
    CHECK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    LAUNCH(merge_sort, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, scratch, ROOM, errors);
    get(h, p);
    for (int i = 0; i < ROOM; i++)
        EXPECT(h[i] == i);
    get(h, errors);
    EXPECT(h[0] == 0);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

static void test_turns(void)
{
    int *p = zeros(), h[ROOM];
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2));
    LAUNCH(turns, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, 100);
    get(h, p);
    EXPECT(h[0] == 100 && h[1] == 0);
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048));
}

static void test_strangers(void)
{
    int *error = zeros(), h[ROOM];
    cudaStream_t *stream;
    CHECK(cudaMalloc((void **)&stream, sizeof *stream));
    LAUNCH(strangers, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(stream, error);
    get(h, error);
    EXPECT(h[0] == cudaErrorInvalidResourceHandle && h[1] == cudaErrorInvalidResourceHandle);
}

static void test_fault(void)
{
    int *d = zeros();
    LAUNCH(waits_for_stray, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(d);
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    CHECK(cudaDeviceReset());
    test_memory();
}

int main(void)
{
    test_memory();
    test_threads();
    test_depth();
    test_turns();
    test_strangers();
    test_fault();
    puts("PASS");
    return 0;
}
