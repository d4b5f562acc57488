/* faults.cu - what a program gets when it does something wrong: the error codes of CUDA, and it goes on. */
#include "tests/cuda/cuda_test.h"

#ifndef __CUDACC__
#include "collect/cudart/cudart_graph.h"
#endif

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

KERNEL(write_at, (int *p, long long at), { p[at] = 1; })
KERNEL(fail, (void), { asm volatile("trap;"); })
KERNEL(spin, (volatile int *p), { while (!*p) ; })
KERNEL(count, (int *p, int n), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i]++;
})

/* The runtime of CUDA 13 gives what the driver says of wrong shapes, and of what is no kernel. */
static int is_13(void)
{
    int version = 0;
    CHECK(cudaRuntimeGetVersion(&version));
    return version >= 13000;
}

#define WRONG_SHAPE (is_13() ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration)
#define NO_KERNEL (is_13() ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction)

static void wrong_calls(void)
{
    int *p, *q;
    CHECK(cudaMalloc((void **)&p, 400));
    CHECK(cudaFree(p));
    GIVES(cudaErrorInvalidValue, cudaFree(p)); /* twice */
    GIVES(cudaErrorInvalidValue, cudaPeekAtLastError());
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    CHECK(cudaGetLastError());
    GIVES(cudaErrorMemoryAllocation, cudaMalloc((void **)&q, (size_t)100 << 30));
    GIVES(cudaErrorMemoryAllocation, cudaGetLastError());
    CHECK(cudaMalloc((void **)&p, 0));
    EXPECT(!p);
    CHECK(cudaFree(p));
    CHECK(cudaMalloc((void **)&p, 400));
    LAUNCH(count, D3(0, 1, 1), D3(1, 1, 1), 0, 0)(p, 1);
    GIVES(WRONG_SHAPE, cudaGetLastError());
    LAUNCH(count, D3(1, 1, 1), D3(2048, 1, 1), 0, 0)(p, 1);
    GIVES(WRONG_SHAPE, cudaGetLastError());
    LAUNCH(count, D3(1, 1, 1), D3(1, 1, 65), 0, 0)(p, 1);
    GIVES(WRONG_SHAPE, cudaGetLastError());
    LAUNCH(count, D3(1, 70000, 1), D3(1, 1, 1), 0, 0)(p, 1);
    GIVES(WRONG_SHAPE, cudaGetLastError());
    LAUNCH(count, D3(1, 1, 1), D3(32, 1, 1), 100000, 0)(p, 1);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    LAUNCH(count, D3(1, 1, 1), D3(1024, 2, 1), 0, 0)(p, 1);
    GIVES(WRONG_SHAPE, cudaGetLastError());
    GIVES(cudaErrorInvalidValue, cudaFree(p + 1)); /* not where it begins */
    GIVES(cudaErrorInvalidValue, cudaFree(&p));
    GIVES(cudaErrorInvalidValue, cudaFreeHost(p));
    GIVES(cudaErrorMemoryAllocation, cudaMalloc((void **)&q, SIZE_MAX));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(p, p, 401, cudaMemcpyDeviceToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(p, &q, (size_t)-1, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(p, NULL, 4, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(&q, p, 4, cudaMemcpyHostToDevice)); /* the other way round */
    GIVES(cudaErrorInvalidValue, cudaMemset(p, 0, 401));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(p, p, 4, (enum cudaMemcpyKind)9));
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(3));
    GIVES(NO_KERNEL, cudaLaunchKernel((const void *)&wrong_calls, D3(1, 1, 1), D3(1, 1, 1), NULL, 0, 0));
    GIVES(NO_KERNEL, cudaGetLastError());
    CHECK(cudaFree(p));
}

/* What was destroyed is not there any more, and says so each time. */
static void destroyed(void)
{
    int *p;
    float ms;
    cudaStream_t s;
    cudaEvent_t e;
    cudaGraph_t g;
    cudaGraphExec_t x;
    CHECK(cudaMalloc((void **)&p, 4));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaMemsetAsync(p, 0, 4, s));
    LAUNCH(count, D3(1, 1, 1), D3(1, 1, 1), 0, s)(p, 1);
    GIVES(cudaErrorInvalidResourceHandle, cudaGetLastError());
    CHECK(cudaEventCreate(&e));
    CHECK(cudaEventDestroy(e));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(e, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, e));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventDestroy(e));
    CHECK(cudaGraphCreate(&g, 0));
    CHECK(cudaGraphInstantiateWithFlags(&x, g, 0));
    CHECK(cudaGraphDestroy(g));
    CHECK(cudaGraphLaunch(x, 0)); /* lives without it */
    CHECK(cudaGraphExecDestroy(x));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(g));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(x, 0));
    CHECK(cudaFree(p));
    (void)cudaGetLastError();
}

/* A fault spoils everything until the device is reset; asking for the error does not help. */
static void faults_stick(void)
{
    int *p;
    CHECK(cudaMalloc((void **)&p, 400));
    LAUNCH(write_at, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, 1 << 20);
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    GIVES(cudaErrorIllegalAddress, cudaGetLastError());
    GIVES(cudaErrorIllegalAddress, cudaGetLastError());
    GIVES(cudaErrorIllegalAddress, cudaMalloc((void **)&p, 4));
    LAUNCH(count, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, 1);
    GIVES(cudaErrorIllegalAddress, cudaPeekAtLastError());
    CHECK(cudaDeviceReset());
    CHECK(cudaGetLastError());
    CHECK(cudaMalloc((void **)&p, 400));
    LAUNCH(write_at, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, 3);
    CHECK(cudaDeviceSynchronize());
    LAUNCH(fail, D3(1, 1, 1), D3(1, 1, 1), 0, 0)();
    GIVES(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc((void **)&p, 400));
    LAUNCH(write_at, D3(1, 1, 1), D3(1, 1, 1), 0, 0)((int *)((char *)p + 2), 0);
    GIVES(cudaErrorMisalignedAddress, cudaDeviceSynchronize());
    CHECK(cudaDeviceReset());
}

static void *work(void *unused)
{
    int *p, back[1000];
    (void)unused;
    GIVES(cudaErrorInvalidValue, cudaFree(&p)); /* errors are a thread's own */
    CHECK(cudaMalloc((void **)&p, sizeof back));
    CHECK(cudaMemset(p, 0, sizeof back));
    for (int i = 0; i < 5; i++)
        LAUNCH(count, D3(4, 1, 1), D3(256, 1, 1), 0, 0)(p, 1000);
    CHECK(cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 1000; i++)
        EXPECT(back[i] == 5);
    CHECK(cudaFree(p));
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    return NULL;
}

static void threads(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        EXPECT(!pthread_create(&t[i], NULL, work, NULL));
    for (int i = 0; i < 4; i++)
        EXPECT(!pthread_join(t[i], NULL));
    CHECK(cudaGetLastError());
}

static void *allocate_on(void *ends)
{
    while (!__atomic_load_n((int *)ends, __ATOMIC_RELAXED)) {
        void *p;
        CHECK(cudaMalloc(&p, 4));
        CHECK(cudaFree(p));
    }
    return NULL;
}

/* With its handlers, as programs end. But the search for leaks at exit takes locks of the allocator, which a thread of the parent
   may have held as the child came to be, and there is nobody to give them back: under AddressSanitizer a child leaves at once. */
static void leave_child(int status)
{
#ifdef __SANITIZE_ADDRESS__
    _exit(status);
#else
    exit(status);
#endif
}

/* Children get an error, also when another thread was in the middle of a call as they came to be. */
static void children(void)
{
    void *p;
    int status = 0, ends = 0;
    pthread_t t;
    fflush(stdout);
    EXPECT(!pthread_create(&t, NULL, allocate_on, &ends));
    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();
        if (!child) {
            alarm(100);
            GIVES(cudaErrorInitializationError, cudaMalloc(&p, 4));
            GIVES(cudaErrorInitializationError, cudaDeviceSynchronize());
            leave_child(5);
        }
        EXPECT(waitpid(child, &status, 0) == child);
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    }
    __atomic_store_n(&ends, 1, __ATOMIC_RELAXED);
    EXPECT(!pthread_join(t, NULL));
    CHECK(cudaMalloc(&p, 4));
}

static void *spin_on(void *flag)
{
    LAUNCH(spin, D3(1, 1, 1), D3(32, 1, 1), 0, 0)((volatile int *)flag);
    return NULL;
}

int main(void)
{
    int *flag;
    pthread_t t;
    wrong_calls();
    destroyed();
    faults_stick();
    threads();
    children();
    CHECK(cudaMallocManaged((void **)&flag, sizeof *flag, cudaMemAttachGlobal));
    *flag = 0;
    EXPECT(!pthread_create(&t, NULL, spin_on, flag));
    EXPECT(!pthread_detach(t));
    usleep(20000);
    puts("PASS"); /* and the process ends while a kernel runs that never would */
    return 0;
}
