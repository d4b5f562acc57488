/* children.cu - kernels that launch kernels: order, completion, errors, limits, and what the device runtime tells.
 * nvcc compiles it with -rdc=true. */
#include "tests/cuda/cuda_test.h"

enum { ROOM = 64, DEEPEST = 24 };

DEVICE_CODE(__device__ void say(int *log, int what) { log[1 + atomicAdd(log, 1)] = what; })

KERNEL(note, (int *log, int what), {
    if (threadIdx.x == 0 && blockIdx.x == 0)
        say(log, what);
})

KERNEL(nested, (int *log, int what), {
    say(log, what);
    note<<<1, 1>>>(log, what + 1);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, what + 3);
    note<<<1, 1, 0, cudaStreamFireAndForget>>>(log, what + 2);
})

/* Two blocks; each says a number when it launches, and its children say theirs. */
KERNEL(order, (int *log), {
    cudaStream_t own;
    cudaEvent_t event;
    const int base = 100 * (blockIdx.x + 1);
    int failed = 0;
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, base + 90);
    failed += cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) != cudaSuccess;
    failed += cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess;
    nested<<<1, 1, 0, own>>>(log, base + 10);
    failed += cudaEventRecord(event, own) != cudaSuccess;
    failed += cudaStreamWaitEvent(0, event, 0) != cudaSuccess;
    note<<<3, 32>>>(log, base + 20);
    failed += cudaEventDestroy(event) != cudaSuccess || cudaStreamDestroy(own) != cudaSuccess;
    say(log, failed ? -1 : base);
})

/* The bytes of `from` become those of `to` by a copy between two kernels, and the rest of `to` is filled. */
KERNEL(twice, (int *a, int n), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
})

KERNEL(chain, (int *from, int *to, int n), {
    twice<<<2, n / 2>>>(from, n);
    cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
    cudaMemset2DAsync(to + n, 8, 1, 4, n / 2, 0);
    twice<<<2, n / 2>>>(to, n);
})

/* Every thread of two blocks launches a block of its own with a struct among the parameters. */
typedef struct place {
    int *at;
    char filler;
    short add;
    double more;
} place;

KERNEL(put, (place p, int value), { *p.at = value + p.add + (int)p.more; })
KERNEL(spread, (int *out), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    place p = {out + i, 'x', (short)(i & 1), 7.5};
    put<<<1, 1>>>(p, 10 * i);
})

KERNEL(wrong, (int *error), {
    cudaStream_t made;
    note<<<dim3(0, 1, 1), 1>>>(error, 0);
    error[0] = cudaGetLastError();
    note<<<1, dim3(64, 64, 1)>>>(error, 0);
    error[1] = cudaPeekAtLastError();
    error[2] = cudaGetLastError();
    error[3] = cudaGetLastError();
    note<<<1, 1, 0, (cudaStream_t)77>>>(error, 0);
    error[4] = cudaGetLastError();
    error[5] = cudaStreamCreateWithFlags(&made, cudaStreamDefault);
    note<<<1, 1, 1 << 20>>>(error, 0);
    error[6] = (cudaGetLastError(), cudaGetLastError());
    const char *text = cudaGetErrorString(cudaErrorInvalidValue);
    error[7] = text[0] == 'i' && text[1] == 'n';
    error[8] = cudaFree(error);
})

/* Each level launches the next; the first that cannot says why. */
KERNEL(down, (int *found, int level), {
    found[0] = level;
    down<<<1, 1>>>(found, level + 1);
    const cudaError_t error = cudaGetLastError();
    if (error)
        found[1] = error;
})

/* A tail launch follows its grid and is no level deeper. */
KERNEL(again, (int *left), {
    if (--*left > 0)
        again<<<1, 1, 0, cudaStreamTailLaunch>>>(left);
    left[1] += cudaGetLastError() != cudaSuccess;
})

KERNEL(flood, (int *counts, int n), {
    for (int i = 0; i < n; i++) {
        note<<<1, 1>>>(counts + 4, 0);
        const cudaError_t error = cudaGetLastError();
        counts[error == cudaSuccess ? 0 : error == cudaErrorLaunchPendingCountExceeded ? 1 : 2]++;
    }
})

KERNEL(fill_heap, (int *p, int n), {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = i;
})
KERNEL(sum_heap, (int *p, int n, int *sum), {
    *sum = 0;
    for (int i = 0; i < n; i++)
        *sum += p[i];
    *sum += 1000 * (cudaFree(p) != cudaSuccess);
})
KERNEL(heap, (int *sum), {
    int *p;
    if (cudaMalloc((void **)&p, 100 * sizeof(int)) != cudaSuccess)
        return;
    fill_heap<<<1, 32>>>(p, 100);
    sum_heap<<<1, 1>>>(p, 100, sum);
})

KERNEL(ask, (int *told), {
    cudaFuncAttributes facts;
    told[0] = cudaGetDevice(&told[1]);
    told[2] = cudaDeviceGetAttribute(&told[3], cudaDevAttrWarpSize, 0);
    told[4] = cudaDeviceGetAttribute(&told[3], cudaDevAttrWarpSize, 1);
    told[5] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&told[6], twice, 256, 0);
    told[7] = cudaFuncGetAttributes(&facts, twice);
    told[8] = facts.maxThreadsPerBlock;
    told[9] = cudaRuntimeGetVersion(&told[10]);
})

KERNEL(stray, (int *p), { p[1 << 20] = 1; })
KERNEL(leads_astray, (int *p), {
    stray<<<1, 1>>>(p);
    note<<<1, 1>>>(p, 1);
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

static void test_order(void)
{
    static const int wanted[] = {100, 200, 110, 111, 112, 113, 120, 210, 211, 212, 213, 220, 190, 290};
    int *log = zeros(), said[ROOM];
    LAUNCH(order, D3(2, 1, 1), D3(1, 1, 1), 0, 0)(log);
    LAUNCH(note, D3(1, 1, 1), D3(32, 1, 1), 0, 0)(log, 999); /* waits for all of them */
    get(said, log);
    EXPECT(said[0] == 15);
    EXPECT(said[15] == 999);
    for (int i = 0; i < 14; i++)
        EXPECT(said[1 + i] == wanted[i]);
}

static void test_data(void)
{
    int *from = zeros(), *to = zeros(), *out = zeros(), h[ROOM];
    for (int i = 0; i < ROOM; i++)
        h[i] = i;
    CHECK(cudaMemcpy(from, h, sizeof h, cudaMemcpyHostToDevice));
    LAUNCH(chain, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(from, to, 32);
    get(h, to);
    for (int i = 0; i < 32; i++)
        EXPECT(h[i] == 4 * i && h[32 + i] == (i % 2 ? 0 : 0x01010101));
    LAUNCH(spread, D3(2, 1, 1), D3(32, 1, 1), 0, 0)(out);
    get(h, out);
    for (int i = 0; i < 64; i++)
        EXPECT(h[i] == 10 * i + (i & 1) + 7);
}

static void test_errors(void)
{
    int *error = zeros(), h[ROOM];
    LAUNCH(wrong, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(error);
    get(h, error);
    EXPECT(h[0] == cudaErrorInvalidConfiguration && h[1] == h[0] && h[2] == h[0] && h[3] == cudaSuccess);
    EXPECT(h[4] == cudaErrorInvalidResourceHandle && h[5] == cudaErrorInvalidValue && h[6] == cudaSuccess);
    EXPECT(h[7] == 1 && h[8] == cudaErrorInvalidDevicePointer);
    CHECK(cudaGetLastError());
}

static void test_limits(void)
{
    int *d = zeros(), h[ROOM];
    size_t most = 0;
    LAUNCH(down, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(d, 0);
    get(h, d);
    EXPECT(h[0] == DEEPEST && h[1] == cudaErrorLaunchMaxDepthExceeded);
    h[0] = 100;
    h[1] = 0;
    CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    LAUNCH(again, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(d);
    get(h, d);
    EXPECT(h[0] == 0 && h[1] == 0);
    CHECK(cudaDeviceGetLimit(&most, cudaLimitDevRuntimePendingLaunchCount));
    EXPECT(most == 2048);
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 10));
    CHECK(cudaMemset(d, 0, ROOM * sizeof(int)));
    LAUNCH(flood, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(d, 13);
    get(h, d);
    EXPECT(h[0] == 10 && h[1] == 3 && h[2] == 0 && h[4] == 10);
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048));
}

static void test_answers(void)
{
    int *d = zeros(), h[ROOM];
    LAUNCH(heap, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(d);
    get(h, d);
    EXPECT(h[0] == 4950);
    LAUNCH(ask, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(d);
    get(h, d);
    EXPECT(h[0] == cudaSuccess && h[1] == 0 && h[2] == cudaSuccess && h[3] == 32 && h[4] == cudaErrorInvalidDevice);
    EXPECT(h[5] == cudaSuccess && h[6] == 4 && h[7] == cudaSuccess && h[8] == 1024 && h[9] == cudaSuccess);
    EXPECT(h[10] >= 11000);
}

/* The parent is over when its children are: so says the clock, too. */
static void test_time(void)
{
    cudaEvent_t begin, end;
    int *d = zeros();
    float one = 0, many = 0;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int n = 1; n <= 50; n += 49) {
        CHECK(cudaEventRecord(begin, 0));
        LAUNCH(flood, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(d, n);
        CHECK(cudaEventRecord(end, 0));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(n == 1 ? &one : &many, begin, end));
    }
    EXPECT(many > 5 * one);
}

static void test_fault(void)
{
    int *d = zeros();
    LAUNCH(leads_astray, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(d);
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    CHECK(cudaDeviceReset());
    test_data();
}

int main(void)
{
    test_order();
    test_data();
    test_errors();
    test_limits();
    test_answers();
    test_time();
    test_fault();
    puts("PASS");
    return 0;
}
