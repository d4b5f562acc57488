/* versions.cu - functions that CUDA 11, 12 and 13 have under one name with different parameters, and structures that grew:
 * each version's program, built with what its headers say, and nothing behind a structure is written. CUDART_VERSION is
 * that of the headers; what gcc builds gets it from the Makefile. */
#include "tests/cuda/cuda_test.h"

#ifdef __CUDACC__
typedef cudaDeviceProp properties;
typedef cudaPointerAttributes pointer_attributes;
typedef cudaFuncAttributes function_attributes;
#else
#include "collect/cudart/cudart_graph.h"
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind);
#if CUDART_VERSION < 12000
typedef ws_properties_11 properties;
typedef struct {
    char bytes[56];
} function_attributes;
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *, size_t);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *, int *);
#define cudaFuncGetAttributes(out, kernel) cudaFuncGetAttributes((struct cudaFuncAttributes *)(out), kernel)
#else
typedef struct cudaFuncAttributes function_attributes;
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo *);
#endif
#if CUDART_VERSION < 13000
#if CUDART_VERSION >= 12000
typedef ws_properties_12 properties;
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2 /* as the headers of CUDA 12 do */
#endif
typedef struct cudaPointerAttributes pointer_attributes;
cudaError_t cudaMemAdvise(const void *, size_t, int, int);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, enum cudaStreamCaptureStatus *, unsigned long long *);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t, enum cudaStreamCaptureStatus *, unsigned long long *, cudaGraph_t *,
                                        const cudaGraphNode_t **, size_t *);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, size_t);
cudaError_t cudaThreadSynchronize(void);
#else
typedef struct cudaDeviceProp properties;
typedef struct {
    struct cudaPointerAttributes head;
    long reserved[8];
} pointer_attributes;
#define cudaPointerGetAttributes(out, pointer) cudaPointerGetAttributes((struct cudaPointerAttributes *)(out), pointer)
cudaError_t cudaMemAdvise(const void *, size_t, int, struct cudaMemLocation);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, struct cudaMemLocation, unsigned int, cudaStream_t);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, enum cudaStreamCaptureStatus *, unsigned long long *, cudaGraph_t *,
                                     const cudaGraphNode_t **, const cudaGraphEdgeData **, size_t *);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, const cudaGraphEdgeData *,
                                     size_t);
#endif
#if CUDART_VERSION < 12000
#define cudaGetDriverEntryPoint(symbol, function, flags) cudaGetDriverEntryPoint(symbol, function, flags, &status)
#endif
#endif

KERNEL(add, (int *a, int by), { a[threadIdx.x] += by; })

enum { N = 32, GUARD = 0x5a, GUARDS = 256 };

/* A structure with bytes behind it that nobody may write. */
#define GUARDED(type)                 \
    struct {                          \
        type is;                      \
        unsigned char behind[GUARDS]; \
    }
#define FILL(guarded) memset(&(guarded), GUARD, sizeof(guarded))

static void expect_untouched(const unsigned char *behind)
{
    for (int i = 0; i < GUARDS; i++)
        EXPECT(behind[i] == GUARD);
}

static void structures(int *device)
{
    GUARDED(properties) p;
    GUARDED(pointer_attributes) a;
    GUARDED(function_attributes) f;
    int value = 0;
    FILL(p), FILL(a), FILL(f);
    CHECK(cudaGetDeviceProperties(&p.is, 0));
    expect_untouched(p.behind);
    EXPECT(p.is.warpSize == 32 && p.is.maxThreadsPerBlock == 1024 && p.is.managedMemory == 1);
    CHECK(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)106, 0)); /* blocks a multiprocessor */
    EXPECT(p.is.maxBlocksPerMultiProcessor == value);
#if CUDART_VERSION < 13000
    EXPECT(p.is.clockRate > 0 && p.is.memoryClockRate > 0);
#endif
#if CUDART_VERSION >= 12000
    EXPECT(p.is.memoryPoolsSupported == 1 && p.is.hostRegisterSupported == 1 && p.is.clusterLaunch == 0);
#endif
    CHECK(cudaPointerGetAttributes(&a.is, device));
    expect_untouched(a.behind);
    CHECK(cudaFuncGetAttributes(&f.is, (const void *)add));
    expect_untouched(f.behind);
}

static void capture(int *device)
{
    cudaStream_t s;
    cudaGraph_t graph, seen = NULL;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[2];
    const cudaGraphNode_t *last = NULL;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long id = 0;
    size_t count = 9;
    int back[N];
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaMemset(device, 0, N * sizeof(int)));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    LAUNCH(add, D3(1, 1, 1), D3(N, 1, 1), 0, s)(device, 5);
#if CUDART_VERSION < 13000
    CHECK(cudaStreamGetCaptureInfo(s, &status, &id));
    EXPECT(status == cudaStreamCaptureStatusActive && id > 0);
    CHECK(cudaStreamGetCaptureInfo_v2(s, &status, &id, &seen, &last, &count));
#else
    CHECK(cudaStreamGetCaptureInfo(s, &status, &id, &seen, &last, NULL, &count));
#endif
    EXPECT(status == cudaStreamCaptureStatusActive && id > 0 && seen && last && count == 1);
    LAUNCH(add, D3(1, 1, 1), D3(N, 1, 1), 0, s)(device, 10);
    CHECK(cudaStreamEndCapture(s, &graph));
#if CUDART_VERSION < 12000
    cudaGraphNode_t wrong = NULL;
    char log[64];
    CHECK(cudaGraphInstantiate(&exec, graph, &wrong, log, sizeof log));
#else
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
#endif
    CHECK(cudaGraphLaunch(exec, s));

    /* the other way round, by an update */
    struct cudaKernelNodeParams params;
    int hundred = 100;
    void *arguments[] = {&device, &hundred};
    count = 2;
    CHECK(cudaGraphGetNodes(graph, nodes, &count));
    EXPECT(count == 2);
    CHECK(cudaGraphKernelNodeGetParams(nodes[0], &params));
    params.kernelParams = arguments;
    CHECK(cudaGraphKernelNodeSetParams(nodes[0], &params));
#if CUDART_VERSION < 12000
#ifdef __CUDACC__
    cudaGraphExecUpdateResult how;
#else
    int how = 9;
#endif
    CHECK(cudaGraphExecUpdate(exec, graph, &wrong, &how));
    EXPECT(how == 0);
#else
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, graph, &info));
    EXPECT(info.result == 0);
#endif
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(back[N - 1] == 5 + 10 + 110 || back[N - 1] == 5 + 10 + 105);
#if CUDART_VERSION < 13000
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, nodes, nodes, 1));
#else
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, nodes, nodes, NULL, 1));
#endif
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(s));
}

static void places(void)
{
    int *managed;
    CHECK(cudaMallocManaged((void **)&managed, 4096, cudaMemAttachGlobal));
#if CUDART_VERSION < 13000
    CHECK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, 0));
    CHECK(cudaMemPrefetchAsync(managed, 4096, -1, NULL)); /* the host */
    GIVES(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 4096, 7, NULL));
#else
    struct cudaMemLocation host, wrong;
    host.type = cudaMemLocationTypeHost, host.id = 0;
    wrong.type = cudaMemLocationTypeDevice, wrong.id = 7;
    CHECK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, host));
    CHECK(cudaMemPrefetchAsync(managed, 4096, host, 0, NULL));
    GIVES(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 4096, wrong, 0, NULL));
#endif
    cudaGetLastError();
    CHECK(cudaFree(managed));
}

/* What went with a version. */
static void former(int *device)
{
#if CUDART_VERSION < 13000
    int in[N], out[N];
    struct cudaChannelFormatDesc form;
    cudaArray_t array;
    memset(&form, 0, sizeof form);
    form.x = 32;
    for (int i = 0; i < N; i++)
        in[i] = i * i;
    CHECK(cudaMallocArray(&array, &form, N, 1, 0));
    CHECK(cudaMemcpyToArray(array, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyFromArray(out, array, 0, 0, sizeof out, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(in, out, sizeof in));
    CHECK(cudaFreeArray(array));
    LAUNCH(add, D3(1, 1, 1), D3(N, 1, 1), 0, 0)(device, 1);
    CHECK(cudaThreadSynchronize());
#endif
    (void)device;
}

static void driver_by_name(void)
{
    void *function = NULL;
    int version = 0, status = 0;
    (void)status;
    CHECK(cudaRuntimeGetVersion(&version));
    EXPECT(version / 1000 == CUDART_VERSION / 1000);
#if CUDART_VERSION < 12000
    CHECK(cudaGetDriverEntryPoint("cuDriverGetVersion", &function, 0));
    GIVES(cudaErrorSymbolNotFound, cudaGetDriverEntryPoint("cuNoSuchThing", &function, 0));
    CHECK(cudaGetDriverEntryPoint("cuDriverGetVersion", &function, 0));
#elif !defined __CUDACC__
    CHECK(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &function, CUDART_VERSION, 0, &status));
    EXPECT(status == 1);
    CHECK(cudaGetDriverEntryPointByVersion("cuDriverGetVersion", &function, CUDART_VERSION, 0, &status));
    EXPECT(status == 0);
#elif CUDART_VERSION < 13000
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPoint("cuNoSuchThing", &function, cudaEnableDefault, &found));
    EXPECT(found == cudaDriverEntryPointSymbolNotFound);
    CHECK(cudaGetDriverEntryPoint("cuDriverGetVersion", &function, cudaEnableDefault, &found));
#else
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuDriverGetVersion", &function, CUDART_VERSION, cudaEnableDefault, &found));
#endif
    EXPECT(function && ((int (*)(int *))function)(&version) == 0 && version >= CUDART_VERSION);
}

int main(void)
{
    int *device;
    cudaGetLastError();
    CHECK(cudaMalloc((void **)&device, N * sizeof(int)));
    structures(device);
    capture(device);
    places();
    former(device);
    driver_by_name();
    CHECK(cudaFree(device));
    puts("PASS");
    return 0;
}
