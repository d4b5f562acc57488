/* order.cu - what `warpscape run --check race` is to find between operations of different streams, and what orders them.
 *
 *     order               everything in order, by each of the ways there are
 *     order NAME...       the cases of these names with nothing between the two operations
 *
 * Its PTX has lines (-lineinfo). */
#include "tests/cuda/cuda_test.h"

#ifndef __CUDACC__
#include "collect/cudart/cudart_graph.h"
#endif

DEVICE_CODE(__device__ unsigned door;)

KERNEL(produce, (int *a, int value), { a[threadIdx.x] = value + threadIdx.x; })
KERNEL(consume, (int *out, const int *a), { out[threadIdx.x] = a[threadIdx.x] * 3 + 1; })
KERNEL(mark, (int *a), { a[0] = 7; })
KERNEL(count, (int *a), { atomicAdd(a, 1); })
KERNEL(idle, (void), {})
/* Columns of rows of 64. */
KERNEL(columns, (int *a, int from, int to), {
    for (int row = 0; row < 4; row++)
        if (threadIdx.x >= from && threadIdx.x < to)
            a[row * 64 + threadIdx.x] = threadIdx.x + 1;
})
/* The data, then a flag; and the other side. */
KERNEL(give, (int *a, int bad), {
    a[threadIdx.x] = 1000 + threadIdx.x;
    if (!bad)
        __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(&door, 1);
})
KERNEL(take, (int *out, const int *a), {
    if (threadIdx.x == 0) {
        while (!atomicAdd(&door, 0)) {
        }
        __threadfence();
    }
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x];
})

enum { N = 64, BYTES = N * sizeof(int) };

static int argument_count;
static char **argument;

static int is_bad(const char *name)
{
    for (int i = 1; i < argument_count; i++)
        if (!strcmp(argument[i], name))
            return 1;
    return 0;
}

/* Two that wait for the default stream, one that does not; an event. */
static cudaStream_t one, two, apart;
static cudaEvent_t event;
static int *a, *b, *out, *pinned, host[4 * N];

#define RUN(kernel, stream, ...) LAUNCH(kernel, D3(1, 1, 1), D3(N, 1, 1), 0, stream)(__VA_ARGS__)

static void after(cudaStream_t first, cudaStream_t then)
{
    CHECK(cudaEventRecord(event, first));
    CHECK(cudaStreamWaitEvent(then, event, 0));
}

static void nothing(void *unused)
{
    (void)unused;
}

/* Each way to order two launches of different streams. */
static void launches(int bad)
{
    enum { EVENT, STREAM, DEVICE, EVENT_HOST, QUERY, DEFAULT_STREAM, DEFAULT_COPY, FUNCTION, FREE, CHAIN, WAYS };
    int *memory;
    for (int way = 0; way < WAYS; way++) {
        CHECK(cudaMalloc((void **)&memory, 16));
        CHECK(cudaDeviceSynchronize());
        RUN(produce, one, a, way * 1000);
        if (bad) {
            RUN(consume, two, out, a);
            break;
        }
        if (way == EVENT) {
            after(one, two);
        } else if (way == STREAM) {
            CHECK(cudaStreamSynchronize(one));
        } else if (way == DEVICE) {
            CHECK(cudaDeviceSynchronize());
        } else if (way == EVENT_HOST) {
            CHECK(cudaEventRecord(event, one));
            CHECK(cudaEventSynchronize(event));
        } else if (way == QUERY) {
            CHECK(cudaStreamQuery(one));
        } else if (way == DEFAULT_STREAM) {
            LAUNCH(idle, D3(1, 1, 1), D3(1, 1, 1), 0, 0)();
        } else if (way == DEFAULT_COPY) {
            CHECK(cudaMemcpy(host, b, 4, cudaMemcpyDeviceToHost));
        } else if (way == FUNCTION) {
            CHECK(cudaLaunchHostFunc(one, nothing, NULL));
        } else if (way == CHAIN) { /* over a third stream */
            after(one, apart);
            RUN(mark, apart, b);
            after(apart, two);
        }
        CHECK(cudaFree(memory)); /* the last way: it waits */
        RUN(consume, two, out, a);
    }
}

/* An event that was recorded too early, or is waited for too late, orders nothing. */
static void early(int bad)
{
    if (bad)
        CHECK(cudaEventRecord(event, one));
    RUN(produce, one, a, 50);
    if (!bad)
        CHECK(cudaEventRecord(event, one));
    CHECK(cudaStreamWaitEvent(two, event, 0));
    RUN(produce, two, a, 90);
}

static void late(int bad)
{
    RUN(consume, one, out, a);
    CHECK(cudaEventRecord(event, one));
    if (!bad)
        CHECK(cudaStreamWaitEvent(two, event, 0));
    RUN(produce, two, a, 130);
    CHECK(cudaStreamWaitEvent(two, event, 0));
}

/* A stream that does not wait for the default one. */
static void by_default(int bad)
{
    RUN(produce, 0, a, 3);
    RUN(consume, bad ? apart : one, out, a);
    RUN(produce, 0, out, 4);
}

/* cudaMemset does not wait either. */
static void filled(int bad)
{
    CHECK(cudaMemset(a, 1, BYTES));
    if (!bad)
        CHECK(cudaStreamSynchronize(0));
    RUN(consume, apart, out, a);
}

static void copied_in(int bad)
{
    for (int i = 0; i < N; i++)
        pinned[i] = i * 5;
    CHECK(cudaMemcpyAsync(a, pinned, BYTES, cudaMemcpyHostToDevice, one));
    if (!bad)
        after(one, two);
    RUN(consume, two, out, a);
}

static void copied_out(int bad)
{
    RUN(produce, one, a, 77);
    if (!bad)
        after(one, two);
    CHECK(cudaMemcpyAsync(pinned, a, BYTES, cudaMemcpyDeviceToHost, two));
}

/* Two copies, by way of pinned memory. */
static void staged(int bad)
{
    CHECK(cudaMemcpyAsync(pinned, a, BYTES, cudaMemcpyDeviceToHost, one));
    if (!bad)
        CHECK(cudaStreamSynchronize(one));
    CHECK(cudaMemcpyAsync(b, pinned, BYTES, cudaMemcpyHostToDevice, two));
}

/* Columns of a picture: the bytes between the rows of a copy are not its. */
static void rows(int bad)
{
    CHECK(cudaMemcpy2DAsync(a, BYTES, host, BYTES, BYTES / 2, 4, cudaMemcpyHostToDevice, one));
    RUN(columns, two, a, bad ? N / 2 - 1 : N / 2, N);
}

static void run_graph(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, one));
    CHECK(cudaGraphLaunch(exec, apart)); /* comes after the launch before it */
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

/* Two branches of a graph. */
static void branches(int bad)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
    after(one, two);
    RUN(produce, one, a, 11);
    if (!bad)
        after(one, two);
    RUN(consume, two, out, a);
    after(two, one);
    CHECK(cudaStreamEndCapture(one, &graph));
    run_graph(graph);
}

/* A graph, and what is launched behind it. */
static void behind(int bad)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
    RUN(produce, one, a, 21);
    RUN(mark, one, b);
    CHECK(cudaStreamEndCapture(one, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, one));
    RUN(consume, bad ? two : one, out, a);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

/* Memory of a pool is there from its allocation to its free, in the order of their stream. */
static void allocated(int bad)
{
    int *memory;
    CHECK(cudaMallocAsync((void **)&memory, BYTES, one));
    if (!bad)
        after(one, two);
    RUN(produce, two, memory, 1);
    CHECK(cudaStreamSynchronize(two));
    CHECK(cudaFreeAsync(memory, one));
}

static void freed(int bad)
{
    int *memory;
    CHECK(cudaMallocAsync((void **)&memory, BYTES, one));
    after(one, two);
    RUN(produce, two, memory, 1);
    if (!bad)
        after(two, one);
    CHECK(cudaFreeAsync(memory, one));
}

/* The default stream of a thread is a stream like others. */
static void of_thread(int bad)
{
    RUN(produce, cudaStreamPerThread, a, 31);
    RUN(consume, bad ? one : (cudaStream_t)0, out, a);
}

/* Atomics do not race with each other, but with what is none. */
static void counted(int bad)
{
    RUN(count, one, a);
    RUN(count, two, a);
    if (bad)
        RUN(produce, apart, a, 5);
}

/* Kernels that run at once may tell each other how far they are, by a fence and a flag. */
static void flag(int bad)
{
    RUN(give, one, a, bad);
    RUN(take, two, out, a);
}

/* What is no race: reads, the same value, other bytes. */
static void harmless(int bad)
{
    (void)bad;
    RUN(consume, one, out, a);
    RUN(consume, two, b, a);
    RUN(mark, one, a + N);
    RUN(mark, two, a + N);
    RUN(produce, one, a + 2 * N, 1);
    RUN(produce, two, a + 3 * N, 1);
    CHECK(cudaMemcpyAsync(pinned, a, BYTES, cudaMemcpyDeviceToHost, apart));
}

static const struct {
    const char *name;
    void (*run)(int bad);
} cases[] = {{"launches", launches}, {"early", early},           {"late", late},           {"default", by_default}, {"filled", filled},
             {"copied_in", copied_in}, {"copied_out", copied_out}, {"staged", staged},       {"rows", rows},          {"branches", branches},
             {"behind", behind},     {"allocated", allocated},   {"freed", freed},         {"of_thread", of_thread}, {"counted", counted},
             {"flag", flag},         {"harmless", harmless}};

int main(int argc, char **argv)
{
    argument_count = argc;
    argument = argv;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&two));
    CHECK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&event));
    CHECK(cudaMalloc((void **)&a, 4 * BYTES));
    CHECK(cudaMalloc((void **)&b, BYTES));
    CHECK(cudaMalloc((void **)&out, BYTES));
    CHECK(cudaMallocHost((void **)&pinned, BYTES));
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(cudaMemset(a, 0, 4 * BYTES));
        CHECK(cudaMemset(out, 0, BYTES));
        CHECK(cudaDeviceSynchronize());
        cases[i].run(is_bad(cases[i].name));
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
    }
    puts("PASS");
    return 0;
}
