/* graphs.cu - graphs captured and built by hand, updated and replayed; stream-ordered memory in streams and graphs; and
 * what events say of streams that overlap. */
#include "tests/cuda/cuda_test.h"

#ifndef __CUDACC__
#include "collect/cudart/cudart_graph.h"
#endif

KERNEL(scale, (int *a, int n, int by), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= by;
})

KERNEL(add, (int *a, const int *b, int n), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += b[i];
})

KERNEL(busy, (int *a, int turns), {
    int x = a[blockIdx.x];
    for (int i = 0; i < turns; i++)
        x = x * 1664525 + 1013904223;
    a[blockIdx.x] = x;
})

enum { N = 1000, BLOCK = 128, BLOCKS = (N + BLOCK - 1) / BLOCK };

static int in[N], out[N];

static void fill(int factor)
{
    for (int i = 0; i < N; i++) {
        in[i] = i * factor;
        out[i] = -1;
    }
}

static void expect(int factor)
{
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i * factor);
}

static void count_up(void *n)
{
    ++*(int *)n;
}

/* A fork and a join: (in * 2) + (in * 3). */
static void capture_and_replay(void)
{
    int *a, *b, calls = 0;
    size_t nodes = 0;
    cudaStream_t one, two;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaMalloc((void **)&a, sizeof in));
    CHECK(cudaMalloc((void **)&b, sizeof in));
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&two));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, one));
    CHECK(cudaStreamWaitEvent(two, fork, 0));
    CHECK(cudaMemcpyAsync(a, in, sizeof in, cudaMemcpyHostToDevice, one));
    LAUNCH(scale, D3(BLOCKS, 1, 1), D3(BLOCK, 1, 1), 0, one)(a, N, 2);
    CHECK(cudaMemcpyAsync(b, in, sizeof in, cudaMemcpyHostToDevice, two));
    LAUNCH(scale, D3(BLOCKS, 1, 1), D3(BLOCK, 1, 1), 0, two)(b, N, 3);
    CHECK(cudaEventRecord(join, two));
    CHECK(cudaStreamWaitEvent(one, join, 0));
    LAUNCH(add, D3(BLOCKS, 1, 1), D3(BLOCK, 1, 1), 0, one)(a, b, N);
    CHECK(cudaMemcpyAsync(out, a, sizeof out, cudaMemcpyDeviceToHost, one));
    CHECK(cudaLaunchHostFunc(one, count_up, &calls));
    CHECK(cudaStreamEndCapture(one, &graph));
    CHECK(cudaGetLastError());
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    EXPECT(nodes == 7);
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int round = 1; round <= 3; round++) {
        fill(round);
        CHECK(cudaGraphLaunch(exec, one));
        CHECK(cudaStreamSynchronize(one));
        expect(5 * round);
        EXPECT(calls == round);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

static void build_and_update(void)
{
    int *a, n = N, by = 4;
    void *arguments[3] = {&a, &n, &by};
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t to, kernel, from;
    struct cudaKernelNodeParams params;
    memset(&params, 0, sizeof params);
    CHECK(cudaMalloc((void **)&a, sizeof in));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&to, graph, NULL, 0, a, in, sizeof in, cudaMemcpyHostToDevice));
    params.func = (void *)scale;
    params.gridDim = D3(BLOCKS, 1, 1);
    params.blockDim = D3(BLOCK, 1, 1);
    params.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&kernel, graph, &to, 1, &params));
    CHECK(cudaGraphAddMemcpyNode1D(&from, graph, &kernel, 1, out, a, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    fill(1);
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    expect(4);
    by = 9;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    expect(9);
    CHECK(cudaGraphNodeSetEnabled(exec, kernel, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    expect(1);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(a));
}

static void ordered_memory(void)
{
    int *a = NULL;
    cudaStream_t stream;
    cudaMemPool_t pool;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    unsigned long long used = 1, all = UINT64_MAX;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    fill(1);
    for (int round = 0; round < 2; round++) { /* in the stream, then in a graph */
        if (round)
            CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        CHECK(cudaMallocAsync((void **)&a, sizeof in, stream));
        CHECK(cudaMemcpyAsync(a, in, sizeof in, cudaMemcpyHostToDevice, stream));
        LAUNCH(scale, D3(BLOCKS, 1, 1), D3(BLOCK, 1, 1), 0, stream)(a, N, 7);
        CHECK(cudaMemcpyAsync(out, a, sizeof out, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaFreeAsync(a, stream));
        if (round) {
            fill(2);
            CHECK(cudaStreamEndCapture(stream, &graph));
            CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
            CHECK(cudaGraphLaunch(exec, stream));
        }
        CHECK(cudaStreamSynchronize(stream));
        expect(7 * (round + 1));
    }
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
    CHECK(cudaMemPoolTrimTo(pool, 0));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &used));
    EXPECT(used == 0);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}

/* Two kernels of one block, each with numbers of its own: beside each other in two streams, behind each other in one. */
static float time_two(cudaStream_t first, cudaStream_t second, int *a, int *b)
{
    cudaEvent_t begin, end, other;
    float milliseconds = -1;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventCreate(&other));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin, first));
    LAUNCH(busy, D3(1, 1, 1), D3(1, 1, 1), 0, first)(a, 20000);
    LAUNCH(busy, D3(1, 1, 1), D3(1, 1, 1), 0, second)(b, 20000);
    CHECK(cudaEventRecord(other, second));
    CHECK(cudaStreamWaitEvent(first, other, 0));
    CHECK(cudaEventRecord(end, first));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaEventDestroy(other));
    return milliseconds;
}

static void overlap(void)
{
    int *a, *b;
    cudaStream_t one, two;
    CHECK(cudaMalloc((void **)&a, sizeof in));
    CHECK(cudaMalloc((void **)&b, sizeof in));
    CHECK(cudaMemset(a, 0, sizeof in));
    CHECK(cudaMemset(b, 0, sizeof in));
    CHECK(cudaDeviceSynchronize()); /* cudaMemset returns before it is done, and the streams do not wait for it */
    CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    const float beside = time_two(one, two, a, b), behind = time_two(one, one, a, b);
    EXPECT(beside > 0);
    EXPECT(behind > 1.7f * beside && behind < 2.1f * beside);
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

int main(void)
{
    capture_and_replay();
    build_and_update();
    ordered_memory();
    overlap();
    puts("PASS");
    return 0;
}
