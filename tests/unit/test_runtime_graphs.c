/* test_runtime_graphs.c - do capture, graphs and pools of libcudart.so.13 reach the driver with what was asked? */
#include "driver_program.h"

#include "collect/cudart/cudart_graph.h"

#include <stdlib.h>

#define RUNS(call)          assert_int_equal((call), cudaSuccess)
#define REFUSES(code, call) assert_int_equal((call), (code))

/* What CUDA 13 means by these names. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *out);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                             const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *params);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edges, size_t count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges,
                              size_t *count);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
                                     size_t *count);

typedef struct work_params {
    void *x;
    unsigned a, b, turns;
    void *list[4];
} work_params;

static struct cudaKernelNodeParams kernel_params(work_params *w, unsigned blocks)
{
    w->list[0] = &w->x;
    w->list[1] = &w->a;
    w->list[2] = &w->b;
    w->list[3] = &w->turns;
    return (struct cudaKernelNodeParams){work_kernel, {blocks, 1, 1}, {1, 1, 1}, 0, w->list, NULL};
}

static void builds_and_changes(void **state)
{
    (void)state;
    unsigned *x = NULL, in[4] = {1, 2, 3, 4}, out[4] = {0}, other[4] = {0};
    cudaGraph_t graph = NULL, twin = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t to = NULL, kernel = NULL, back = NULL, found = NULL;
    RUNS(cudaMalloc((void **)&x, sizeof in));
    RUNS(cudaGraphCreate(&graph, 0));
    RUNS(cudaGraphAddMemcpyNode1D(&to, graph, NULL, 0, x, in, sizeof in, cudaMemcpyHostToDevice));
    work_params w = {.x = x, .a = 1, .b = 10, .turns = 1};
    struct cudaKernelNodeParams params = kernel_params(&w, 4), seen;
    RUNS(cudaGraphAddKernelNode(&kernel, graph, &to, 1, &params));
    RUNS(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, out, x, sizeof out, cudaMemcpyDefault));
    RUNS(cudaGraphClone(&twin, graph));
    RUNS(cudaGraphNodeFindInClone(&found, kernel, twin));
    RUNS(cudaGraphKernelNodeGetParams(found, &seen));
    assert_ptr_equal(seen.func, work_kernel);
    assert_int_equal(seen.gridDim.x, 4);
    assert_int_equal(*(unsigned *)seen.kernelParams[2], 10);
    RUNS(cudaGraphInstantiate(&exec, graph, 0));
    RUNS(cudaGraphLaunch(exec, NULL));
    RUNS(cudaDeviceSynchronize());
    assert_int_equal(out[3], 14);
    w.b = 20;
    RUNS(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
    RUNS(cudaGraphExecMemcpyNodeSetParams1D(exec, back, other, x, sizeof other, cudaMemcpyDefault));
    RUNS(cudaGraphLaunch(exec, NULL));
    assert_int_equal(other[3], 24);
    assert_int_equal(out[3], 14);
    cudaGraphExecUpdateResultInfo info;
    RUNS(cudaGraphExecUpdate(exec, twin, &info));
    RUNS(cudaGraphLaunch(exec, NULL));
    assert_int_equal(out[3], 14);
    REFUSES(cudaErrorInvalidDeviceFunction,
            cudaGraphAddKernelNode(&found, graph, NULL, 0, &(struct cudaKernelNodeParams){.func = in}));
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaGraphAddMemcpyNode1D(&found, graph, NULL, 0, x, in, 4, 9));
    REFUSES(cudaErrorInvalidValue, cudaGraphExecMemcpyNodeSetParams1D(NULL, back, x, in, 4, cudaMemcpyDefault));
    RUNS(cudaGraphExecDestroy(exec));
    RUNS(cudaGraphDestroy(twin));
    RUNS(cudaGraphDestroy(graph));
    RUNS(cudaFree(x));
}

/* Copies of boxes come back as they were described. */
static void boxes_come_back(void **state)
{
    (void)state;
    const struct cudaChannelFormatDesc form = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
    unsigned in[6] = {1, 2, 3, 4, 5, 6}, out[6] = {0};
    cudaArray_t array = NULL;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t first = NULL, second = NULL;
    RUNS(cudaMallocArray(&array, &form, 3, 2, 0));
    RUNS(cudaGraphCreate(&graph, 0));
    const struct cudaMemcpy3DParms to = {
        .srcPtr = {in, 12, 12, 2}, .dstArray = array, .extent = {3, 2, 1}, .kind = cudaMemcpyHostToDevice};
    const struct cudaMemcpy3DParms from = {.srcArray = array,
                                           .srcPos = {1, 0, 0},
                                           .dstPtr = {out, 8, 8, 2},
                                           .extent = {2, 2, 1},
                                           .kind = cudaMemcpyDeviceToHost};
    struct cudaMemcpy3DParms seen;
    RUNS(cudaGraphAddMemcpyNode(&first, graph, NULL, 0, &to));
    RUNS(cudaGraphAddMemcpyNode(&second, graph, &first, 1, &from));
    RUNS(cudaGraphMemcpyNodeGetParams(second, &seen));
    assert_ptr_equal(seen.srcArray, array);
    assert_int_equal(seen.srcPos.x, 1);
    assert_ptr_equal(seen.dstPtr.ptr, out);
    assert_int_equal(seen.dstPtr.pitch, 8);
    assert_int_equal(seen.extent.width, 2);
    assert_int_equal(seen.extent.height, 2);
    assert_int_equal(seen.kind, cudaMemcpyDeviceToHost);
    RUNS(cudaGraphMemcpyNodeSetParams(second, &seen)); /* and can be given again */
    RUNS(cudaGraphInstantiate(&exec, graph, 0));
    RUNS(cudaGraphLaunch(exec, NULL));
    assert_int_equal(out[0], 2);
    assert_int_equal(out[3], 6);
    REFUSES(cudaErrorInvalidValue, cudaGraphAddMemcpyNode(&first, graph, NULL, 0, NULL));
    RUNS(cudaGraphExecDestroy(exec));
    RUNS(cudaGraphDestroy(graph));
    RUNS(cudaFreeArray(array));
}

static void any_node(void **state)
{
    (void)state;
    unsigned *x = NULL, out = 0;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t n[4] = {NULL}, from[4], to[4];
    cudaGraphEdgeData edges[4], plain = {0}, early = {.type = 1};
    size_t count = 4;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeMemAlloc};
    p.alloc = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}},
        .bytesize = 64};
    RUNS(cudaGraphCreate(&graph, 0));
    RUNS(cudaGraphAddNode(&n[0], graph, NULL, NULL, 0, &p));
    x = p.alloc.dptr;
    assert_non_null(x);
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeMemset};
    p.memset = (struct cudaMemsetParams){x, 0, 7, 4, 4, 1};
    RUNS(cudaGraphAddNode(&n[1], graph, n, &plain, 1, &p));
    REFUSES(cudaErrorNotSupported, cudaGraphAddNode(&n[2], graph, n, &early, 1, &p));
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeMemcpy};
    p.memcpy.copyParams = (struct cudaMemcpy3DParms){
        .srcPtr = {x, 4, 4, 1}, .dstPtr = {&out, 4, 4, 1}, .extent = {4, 1, 1}, .kind = cudaMemcpyDeviceToHost};
    RUNS(cudaGraphAddNode(&n[2], graph, &n[1], NULL, 1, &p));
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeMemFree};
    p.free.dptr = x;
    RUNS(cudaGraphAddNode(&n[3], graph, NULL, NULL, 0, &p));
    RUNS(cudaGraphAddDependencies(graph, &n[2], &n[3], NULL, 1));
    RUNS(cudaGraphGetEdges(graph, from, to, edges, &count));
    assert_int_equal(count, 3);
    assert_ptr_equal(to[2], n[3]);
    RUNS(cudaGraphInstantiate(&exec, graph, 0));
    RUNS(cudaGraphLaunch(exec, NULL));
    assert_int_equal(out, 7);
    unsigned long long used = 9;
    RUNS(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    assert_int_equal(used, 0);
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeConditional};
    REFUSES(cudaErrorInvalidValue, cudaGraphAddNode(&n[3], graph, NULL, NULL, 0, &p)); /* without a handle */
    cudaGraph_t looped = NULL;
    RUNS(cudaGraphCreate(&looped, 0));
    p.conditional = (struct cudaConditionalNodeParams){.type = cudaGraphCondTypeIf, .size = 1};
    RUNS(cudaGraphConditionalHandleCreate(&p.conditional.handle, looped, 1, cudaGraphCondAssignDefault));
    RUNS(cudaGraphAddNode(&n[3], looped, NULL, NULL, 0, &p));
    assert_non_null(p.conditional.phGraph_out[0]);
    RUNS(cudaGraphDestroy(looped));
    RUNS(cudaGraphExecDestroy(exec));
    RUNS(cudaGraphDestroy(graph));
}

static void captures(void **state)
{
    (void)state;
    unsigned *x = NULL, out = 0;
    unsigned long long id = 0;
    cudaStream_t stream = NULL;
    cudaGraph_t graph = NULL, seen = NULL;
    cudaGraphExec_t exec = NULL;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t *nodes = NULL;
    size_t count = 0;
    work_params w = {.a = 1, .b = 6, .turns = 1};
    (void)cudaGetLastError();
    RUNS(cudaMalloc((void **)&x, 64));
    RUNS(cudaMemset(x, 0, 64));
    w.x = x;
    const struct cudaKernelNodeParams params = kernel_params(&w, 1);
    RUNS(cudaStreamCreate(&stream));
    RUNS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    RUNS(cudaLaunchKernel(work_kernel, params.gridDim, params.blockDim, params.kernelParams, 0, stream));
    RUNS(cudaMemcpyAsync(&out, x, sizeof out, cudaMemcpyDeviceToHost, stream));
    RUNS(cudaGetLastError()); /* asking for errors does not spoil it */
    RUNS(cudaStreamGetCaptureInfo(stream, &status, &id, &seen, &nodes, NULL, &count));
    assert_int_equal(status, cudaStreamCaptureStatusActive);
    assert_int_equal(count, 1);
    RUNS(cudaStreamEndCapture(stream, &graph));
    assert_ptr_equal(graph, seen);
    RUNS(cudaGraphInstantiate(&exec, graph, 0));
    RUNS(cudaGraphLaunch(exec, stream));
    RUNS(cudaStreamSynchronize(stream));
    assert_int_equal(out, 6);
    RUNS(cudaStreamBeginCapture_ptsz(NULL, cudaStreamCaptureModeThreadLocal)); /* the thread's own stream */
    REFUSES(cudaErrorStreamCaptureUnsupported, cudaMalloc((void **)&w.x, 64));
    REFUSES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture_ptsz(NULL, &seen));
    REFUSES(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
    (void)cudaGetLastError();
    RUNS(cudaGraphExecDestroy(exec));
    RUNS(cudaGraphDestroy(graph));
    RUNS(cudaStreamDestroy(stream));
    RUNS(cudaFree(x));
}

static void pools(void **state)
{
    (void)state;
    const struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                           .location = {cudaMemLocationTypeDevice, 0}};
    struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    cudaMemPool_t pool = NULL, first = NULL;
    unsigned *x = NULL, out = 0;
    unsigned long long used = 0;
    RUNS(cudaMemPoolCreate(&pool, &props));
    RUNS(cudaMallocFromPoolAsync((void **)&x, 512, pool, NULL));
    RUNS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    assert_int_equal(used, 512);
    RUNS(cudaMemset(x, 0, 512));
    RUNS(cudaMemcpy(&out, x, 4, cudaMemcpyDeviceToHost));
    RUNS(cudaFreeAsync(x, NULL));
    RUNS(cudaDeviceSetMemPool(0, pool));
    RUNS(cudaMallocAsync((void **)&x, 1024, NULL));
    RUNS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    assert_int_equal(used, 1024);
    RUNS(cudaFree(x));
    RUNS(cudaMemGetDefaultMemPool(&first, &here, cudaMemAllocationTypePinned));
    RUNS(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, first));
    RUNS(cudaMemPoolDestroy(pool));
    REFUSES(cudaErrorNotSupported, cudaMemGetMemPool(&first, &host, cudaMemAllocationTypePinned));
    REFUSES(cudaErrorInvalidValue, cudaMallocFromPoolAsync((void **)&x, 512, pool, NULL));
    REFUSES(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&out, first, 1, 0));
}

/* A fault in a graph is told to who waits, and stays. */
static void faults_wait(void **state)
{
    (void)state;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t node = NULL;
    const struct cudaKernelNodeParams wild = {wild_kernel, {1, 1, 1}, {1, 1, 1}, 0, NULL, NULL};
    RUNS(cudaGraphCreate(&graph, 0));
    RUNS(cudaGraphAddKernelNode(&node, graph, NULL, 0, &wild));
    RUNS(cudaGraphInstantiate(&exec, graph, 0));
    RUNS(cudaGraphLaunch(exec, NULL));
    REFUSES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    REFUSES(cudaErrorIllegalAddress, cudaGraphLaunch(exec, NULL));
    RUNS(cudaDeviceReset());
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin_program, end_program)
    const struct CMUnitTest tests[] = {
        CASE(builds_and_changes), CASE(boxes_come_back), CASE(any_node), CASE(captures), CASE(pools), CASE(faults_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
