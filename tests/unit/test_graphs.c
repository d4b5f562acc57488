/* test_graphs.c - are graphs captured, built, changed and replayed as the driver API promises? */
#include "driver_program.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static CUstream stream(void)
{
    CUstream s = NULL;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    return s;
}

static CUevent event(void)
{
    CUevent e = NULL;
    OK(cuEventCreate(&e, CU_EVENT_DEFAULT));
    return e;
}

static CUgraph graph(void)
{
    CUgraph g = NULL;
    OK(cuGraphCreate(&g, 0));
    return g;
}

static CUgraphExec instantiate(CUgraph g)
{
    CUgraphExec exec = NULL;
    OK(cuGraphInstantiate(&exec, g, 0));
    return exec;
}

static size_t count_nodes(CUgraph g)
{
    size_t n = 0;
    OK(cuGraphGetNodes(g, NULL, &n));
    return n;
}

static size_t count_edges(CUgraph g)
{
    size_t n = 0;
    OK(cuGraphGetEdges(g, NULL, NULL, &n));
    return n;
}

static CUgraphNodeType kind(CUgraphNode node)
{
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    OK(cuGraphNodeGetType(node, &type));
    return type;
}

static void append_text(void *text)
{
    strcat(text, "h");
}

/* Parameters of `work` as a node, one thread a block. */
typedef struct work_params {
    CUdeviceptr x;
    unsigned a, b, turns;
    void *list[4];
} work_params;

static CUDA_KERNEL_NODE_PARAMS node_params(work_params *w, unsigned blocks)
{
    w->list[0] = &w->x;
    w->list[1] = &w->a;
    w->list[2] = &w->b;
    w->list[3] = &w->turns;
    return (CUDA_KERNEL_NODE_PARAMS){work_kernel, blocks, 1, 1, 1, 1, 1, 0, w->list, NULL, NULL, NULL};
}

static CUgraphNode add_work(CUgraph g, const CUgraphNode *before, size_t n, CUdeviceptr x, unsigned blocks, unsigned a,
                            unsigned b, unsigned turns)
{
    work_params w = {.x = x, .a = a, .b = b, .turns = turns};
    const CUDA_KERNEL_NODE_PARAMS params = node_params(&w, blocks);
    CUgraphNode node = NULL;
    OK(cuGraphAddKernelNode(&node, g, before, n, &params));
    return node;
}

static CUgraphNode add_fill(CUgraph g, const CUgraphNode *before, size_t n, CUdeviceptr x, unsigned value)
{
    const CUDA_MEMSET_NODE_PARAMS params = {x, 0, value, 4, 4, 1};
    CUgraphNode node = NULL;
    OK(cuGraphAddMemsetNode(&node, g, before, n, &params, NULL));
    return node;
}

static CUDA_MEMCPY3D to_host(void *to, CUdeviceptr from, size_t bytes)
{
    return (CUDA_MEMCPY3D){.dstMemoryType = CU_MEMORYTYPE_HOST,
                           .dstHost = to,
                           .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = from,
                           .WidthInBytes = bytes,
                           .Height = 1,
                           .Depth = 1};
}

/* ------------------------------------------------------------------------------------------------ capture */

static void captures_what_is_put_into_a_stream(void **state)
{
    (void)state;
    const CUstream s = stream();
    const CUdeviceptr x = device_words(4);
    unsigned in[4] = {1, 2, 3, 4}, out[4] = {0};
    char text[8] = ">";
    CUgraph g = NULL, seen = NULL;
    CUstreamCaptureStatus status;
    cuuint64_t id = 0;
    size_t n = 9;
    const CUgraphNode *tips = NULL;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    FAILS(CUDA_ERROR_ILLEGAL_STATE, cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemcpyHtoDAsync(x, in, sizeof in, s));
    OK(work(s, x, 4, 1, 10, 1));
    OK(cuLaunchHostFunc(s, append_text, text));
    OK(cuMemcpyDtoHAsync(out, x, sizeof out, s));
    OK(cuStreamIsCapturing(s, &status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(cuStreamGetCaptureInfo(s, &status, &id, &seen, &tips, &n));
    assert_int_equal(n, 1);
    assert_int_equal(kind(tips[0]), CU_GRAPH_NODE_TYPE_MEMCPY);
    assert_int_not_equal(id, 0);
    OK(cuStreamEndCapture(s, &g));
    assert_ptr_equal(g, seen);
    OK(cuStreamIsCapturing(s, &status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_NONE);
    assert_int_equal(count_nodes(g), 4);
    assert_int_equal(count_edges(g), 3);
    assert_int_equal(out[0], 0); /* nothing ran */
    assert_string_equal(text, ">");
    const CUgraphExec exec = instantiate(g);
    OK(cuGraphDestroy(g));
    for (unsigned round = 1; round <= 2; round++) {
        in[0] = round * 100;
        OK(cuGraphLaunch(exec, s));
        OK(cuStreamSynchronize(s));
        assert_int_equal(out[0], round * 100 + 10);
        assert_int_equal(out[3], 14);
    }
    assert_string_equal(text, ">hh");
    OK(cuGraphExecDestroy(exec));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(exec, s));
}

/* Fork by an event, join by another: a diamond. */
static void captures_other_streams(void **state)
{
    (void)state;
    const CUstream one = stream(), two = stream();
    const CUevent fork = event(), join = event();
    const CUdeviceptr x = device_words(4);
    CUgraph g = NULL;
    OK(cuStreamBeginCapture(one, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(work(one, x, 1, 1, 1, 1));
    OK(cuEventRecord(fork, one));
    FAILS(CUDA_ERROR_CAPTURED_EVENT, cuEventElapsedTime(&(float){0}, fork, fork));
    OK(cuStreamWaitEvent(two, fork, 0));
    OK(work(two, x + 4, 1, 1, 2, 1));
    OK(work(one, x + 8, 1, 1, 3, 1));
    OK(cuEventRecord(join, two));
    OK(cuStreamWaitEvent(one, join, 0));
    OK(work(one, x + 12, 1, 1, 4, 1));
    FAILS(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(two, &g)); /* spoils it */
    FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(one, &g));
    assert_null(g);
    OK(cuStreamBeginCapture(one, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(work(one, x, 1, 1, 1, 1));
    OK(cuEventRecord(fork, one));
    OK(cuStreamWaitEvent(two, fork, 0));
    OK(work(two, x + 4, 1, 1, 2, 1));
    OK(work(one, x + 8, 1, 1, 3, 1));
    OK(cuEventRecord(join, two));
    OK(cuStreamWaitEvent(one, join, 0));
    OK(work(one, x + 12, 1, 1, 4, 1));
    OK(cuStreamEndCapture(one, &g));
    assert_int_equal(count_nodes(g), 4);
    assert_int_equal(count_edges(g), 4);
    size_t roots = 0;
    OK(cuGraphGetRootNodes(g, NULL, &roots));
    assert_int_equal(roots, 1);
    OK(cuGraphLaunch(instantiate(g), one));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(device_word(x + 4 * i), i + 1);
    OK(work(two, x, 1, 1, 1, 1)); /* the other stream is free again */
    assert_int_equal(device_word(x), 2);
    for (int joins = 0; joins < 2; joins++) { /* a stream may go before the capture ends, if it has been waited for */
        const CUstream brief = stream();
        OK(cuStreamBeginCapture(one, CU_STREAM_CAPTURE_MODE_RELAXED));
        OK(cuEventRecord(fork, one));
        OK(cuStreamWaitEvent(brief, fork, 0));
        OK(work(brief, x, 1, 1, 1, 1));
        OK(cuEventRecord(join, brief));
        if (joins)
            OK(cuStreamWaitEvent(one, join, 0));
        OK(cuStreamDestroy(brief));
        FAILS(joins ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(one, &g));
    }
}

static void capture_refuses_what_cuda_refuses(void **state)
{
    (void)state;
    const CUstream s = stream(), other = stream();
    CUstream blocking = NULL;
    const CUevent e = event(), outside = event();
    const CUdeviceptr x = device_words(4);
    CUdeviceptr p = 0;
    CUgraph g = NULL;
    OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    OK(cuEventRecord(outside, other));
    FAILS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamBeginCapture(s, 3));
    FAILS(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(s, &g));
    /* one case each: what is called while `in` is captured, and how it answers */
#define SPOILS(in, mode, code, call) \
    do { \
        OK(cuStreamBeginCapture(in, CU_STREAM_CAPTURE_MODE_##mode)); \
        FAILS(code, call); \
        FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, work(in, x, 1, 1, 1, 1)); \
        FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(in, &g)); \
        assert_null(g); \
    } while (0)
    SPOILS(s, GLOBAL, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(s));
    SPOILS(s, GLOBAL, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(s));
    SPOILS(s, GLOBAL, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&p, 64));
    SPOILS(s, THREAD_LOCAL, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemFree(x));
    SPOILS(s, GLOBAL, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize());
    SPOILS(s, GLOBAL, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuEventQuery(outside));
    SPOILS(s, RELAXED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamAddCallback(s, (CUstreamCallback)abort, NULL, 0));
    SPOILS(s, RELAXED, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(s, outside, 0));
    SPOILS(blocking, RELAXED, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, work(NULL, x, 1, 1, 1, 1));
    SPOILS(blocking, RELAXED, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuMemcpyHtoD(x, &p, 4));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemAlloc(&p, 64)); /* a relaxed capture minds nothing outside of it */
    OK(cuMemFree(p));
    OK(cuMemcpyHtoD(x, &p, 4)); /* nor does the legacy stream touch a non-blocking one */
    OK(cuEventRecord(e, s));
    FAILS(CUDA_ERROR_CAPTURED_EVENT, cuEventSynchronize(e));
    FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &g));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED)); /* a stream that joined and was not waited for */
    OK(work(s, x, 1, 1, 1, 1));
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(other, e, 0));
    OK(work(other, x, 1, 1, 1, 1));
    FAILS(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(s, &g));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuStreamBeginCapture(other, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuEventRecord(e, s));
    FAILS(CUDA_ERROR_STREAM_CAPTURE_MERGE, cuStreamWaitEvent(other, e, 0));
    FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &g));
    FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(other, &g));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(work(s, x, 1, 1, 1, 1));
    OK(cuStreamDestroy(s)); /* and the capture with it */
    OK(cuMemAlloc(&p, 64));
}

static void *end_capture(void *p)
{
    CUgraph g = NULL;
    void **const arg = p;
    OK(cuCtxSetCurrent(arg[0]));
    FAILS(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, cuStreamEndCapture(arg[1], &g));
    CUdeviceptr memory = 0;
    OK(cuMemAlloc(&memory, 64)); /* a capture of another thread that is thread-local does not mind */
    OK(cuMemFree(memory));
    return NULL;
}

static void captures_belong_to_threads(void **state)
{
    const CUstream s = stream();
    void *arg[] = {*state, s};
    pthread_t thread;
    CUgraph g = NULL;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    assert_int_equal(pthread_create(&thread, NULL, end_capture, arg), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
    CUdeviceptr p = 0;
    OK(cuMemAlloc(&p, 64));
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
    FAILS(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(s, &g)); /* the other thread ended it, as driver 580 answers */
}

static void captures_into_a_graph(void **state)
{
    (void)state;
    const CUstream s = stream();
    const CUdeviceptr x = device_words(4);
    const CUgraph g = graph();
    CUgraph same = NULL;
    CUgraphNode first = add_fill(g, NULL, 0, x, 5), extra = NULL;
    OK(cuStreamBeginCaptureToGraph(s, g, &first, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(work(s, x, 1, 2, 1, 1));
    OK(cuGraphAddEmptyNode(&extra, g, NULL, 0));
    OK(cuStreamUpdateCaptureDependencies(s, &extra, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    OK(work(s, x, 1, 2, 1, 1));
    FAILS(CUDA_ERROR_ILLEGAL_STATE, cuGraphDestroy(g)); /* as driver 580 answers */
    OK(cuStreamEndCapture(s, &same));
    assert_ptr_equal(g, same);
    assert_int_equal(count_nodes(g), 4);
    assert_int_equal(count_edges(g), 3);
    OK(cuGraphLaunch(instantiate(g), s));
    assert_int_equal(device_word(x), 23);
}

/* ------------------------------------------------------------------------------------------------ building */

static void builds_graphs_of_all_kinds(void **state)
{
    (void)state;
    const CUstream s = stream();
    const CUdeviceptr x = device_words(4);
    const CUgraph g = graph(), child = graph();
    const CUevent before = event(), after = event();
    unsigned out[4] = {0};
    char text[8] = ">";
    CUgraphNode n[8] = {NULL};
    const CUDA_HOST_NODE_PARAMS host = {append_text, text};
    CUstreamBatchMemOpParams op = {.writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, x + 12, {77}, 0, 0}};
    const CUDA_BATCH_MEM_OP_NODE_PARAMS operations = {NULL, 1, &op, 0};
    n[0] = add_fill(g, NULL, 0, x, 3);
    OK(cuGraphAddEventRecordNode(&n[1], g, n, 1, before));
    add_work(child, NULL, 0, x, 3, 2, 1, 1);
    OK(cuGraphAddChildGraphNode(&n[2], g, &n[1], 1, child));
    OK(cuGraphAddHostNode(&n[3], g, &n[2], 1, &host));
    OK(cuGraphAddEventRecordNode(&n[4], g, &n[3], 1, after));
    OK(cuGraphAddBatchMemOpNode(&n[5], g, &n[3], 1, &operations));
    OK(cuGraphAddEventWaitNode(&n[6], g, &n[4], 2, before));
    const CUDA_MEMCPY3D copy = to_host(out, x, sizeof out);
    OK(cuGraphAddMemcpyNode(&n[7], g, &n[6], 1, &copy, NULL));
    OK(cuGraphDestroy(child)); /* the node has a clone */
    const CUgraphExec exec = instantiate(g);
    OK(cuGraphUpload(exec, s));
    OK(cuGraphLaunch(exec, s));
    assert_int_equal(out[0], 7);
    assert_int_equal(out[2], 7);
    assert_int_equal(out[3], 77);
    assert_string_equal(text, ">h");
    float ms = 0;
    OK(cuEventElapsedTime(&ms, before, after));
    assert_true(ms > 0);
    for (int i = 0; i < 8; i++) {
        static const CUgraphNodeType kinds[] = {CU_GRAPH_NODE_TYPE_MEMSET,       CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                                                CU_GRAPH_NODE_TYPE_GRAPH,        CU_GRAPH_NODE_TYPE_HOST,
                                                CU_GRAPH_NODE_TYPE_EVENT_RECORD, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
                                                CU_GRAPH_NODE_TYPE_WAIT_EVENT,   CU_GRAPH_NODE_TYPE_MEMCPY};
        assert_int_equal(kind(n[i]), kinds[i]);
    }
}

static void refuses_wrong_nodes(void **state)
{
    (void)state;
    const CUgraph g = graph(), other = graph();
    const CUdeviceptr x = device_words(4);
    CUgraphNode node = NULL, foreign = add_fill(other, NULL, 0, x, 1);
    CUgraphNode twice[2] = {add_fill(g, NULL, 0, x, 1)};
    twice[1] = twice[0];
    work_params w = {.x = x, .a = 1, .b = 1, .turns = 1};
    CUDA_KERNEL_NODE_PARAMS kernel = node_params(&w, 1);
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT};
    const CUDA_MEMSET_NODE_PARAMS fill = {x + 1, 0, 1, 4, 1, 1};
    const CUgraphEdgeData edge = {.type = 1};
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(&(CUgraph){NULL}, 1));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&node, g, &foreign, 1));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&node, g, twice, 2));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&node, NULL, NULL, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&node, g, NULL, 1));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&node, g, NULL, 0, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemsetNode(&node, g, NULL, 0, &fill, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEventRecordNode(&node, g, NULL, 0, NULL)); /* as driver 580 answers */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemFreeNode(&node, g, NULL, 0, 64));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddNode(&node, g, NULL, 0, &params));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddDependencies_v2(g, twice, twice, &edge, 1));
    kernel.blockDimX = 2000;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&node, g, NULL, 0, &kernel));
    kernel.blockDimX = 1;
    kernel.func = NULL;
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuGraphAddKernelNode(&node, g, NULL, 0, &kernel));
    assert_int_equal(count_nodes(g), 1);
}

static void tells_and_changes_edges(void **state)
{
    (void)state;
    const CUgraph g = graph();
    CUgraphNode n[3] = {NULL}, from[4], to[4], list[4] = {NULL};
    CUgraphEdgeData data[4];
    size_t count = 4;
    CUgraphExec exec = NULL;
    for (int i = 0; i < 3; i++)
        OK(cuGraphAddEmptyNode(&n[i], g, NULL, 0));
    const CUgraphNode a[] = {n[0], n[1]}, b[] = {n[1], n[2]};
    OK(cuGraphAddDependencies(g, a, b, 2));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies(g, a, b, 1)); /* there already */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies(g, a, a, 1)); /* to itself */
    OK(cuGraphGetEdges(g, from, to, &count));
    assert_int_equal(count, 2);
    assert_ptr_equal(from[1], n[1]);
    assert_ptr_equal(to[1], n[2]);
    count = 4;
    OK(cuGraphGetEdges_v2(g, from, to, data, &count));
    assert_int_equal(data[1].type, 0);
    count = 4;
    OK(cuGraphNodeGetDependencies(n[2], list, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(list[0], n[1]);
    count = 4;
    OK(cuGraphNodeGetDependentNodes(n[0], list, &count));
    assert_ptr_equal(list[0], n[1]);
    assert_null(list[1]);
    OK(cuGraphAddDependencies(g, &n[2], &n[0], 1)); /* a cycle is found when it matters */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&exec, g, 0));
    OK(cuGraphRemoveDependencies(g, &n[2], &n[0], 1));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphRemoveDependencies(g, &n[2], &n[0], 1));
    OK(cuGraphDestroyNode(n[1]));
    assert_int_equal(count_edges(g), 0);
    assert_int_equal(count_nodes(g), 2);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(n[1]));
    OK(cuGraphInstantiate(&exec, g, 0));
}

static void clones_graphs(void **state)
{
    (void)state;
    const CUgraph g = graph();
    const CUdeviceptr x = device_words(4);
    CUgraph clone = NULL;
    CUgraphNode twin = NULL;
    CUgraphNode first = add_fill(g, NULL, 0, x, 1), second = add_work(g, &first, 1, x, 1, 3, 1, 1);
    OK(cuGraphClone(&clone, g));
    OK(cuGraphNodeFindInClone(&twin, second, clone));
    assert_int_equal(kind(twin), CU_GRAPH_NODE_TYPE_KERNEL);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphNodeFindInClone(&twin, twin, clone));
    OK(cuGraphDestroy(g));
    assert_int_equal(count_edges(clone), 1);
    OK(cuGraphLaunch(instantiate(clone), NULL));
    assert_int_equal(device_word(x), 4);
}

/* ------------------------------------------------------------------------------------------------ changing */

static void changes_parameters(void **state)
{
    (void)state;
    const CUgraph g = graph();
    const CUdeviceptr x = device_words(4), y = device_words(4);
    CUgraphNode first = add_fill(g, NULL, 0, x, 1), second = add_work(g, &first, 1, x, 1, 3, 1, 1), third = NULL;
    unsigned out = 0, other = 0, enabled = 9;
    CUDA_MEMCPY3D copy = to_host(&out, x, 4);
    OK(cuGraphAddMemcpyNode(&third, g, &second, 1, &copy, NULL));
    const CUgraphExec exec = instantiate(g);
    /* of the graph: what is instantiated already stays */
    CUDA_KERNEL_NODE_PARAMS kernel;
    OK(cuGraphKernelNodeGetParams(second, &kernel));
    assert_int_equal(*(unsigned *)kernel.kernelParams[1], 3);
    assert_int_equal(*(CUdeviceptr *)kernel.kernelParams[0], x);
    work_params w = {.x = x, .a = 5, .b = 2, .turns = 1};
    kernel = node_params(&w, 1);
    OK(cuGraphKernelNodeSetParams(second, &kernel));
    w.a = 100; /* parameters were copied */
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(out, 4);
    OK(cuGraphLaunch(instantiate(g), NULL));
    assert_int_equal(out, 7);
    /* of what is instantiated */
    w.a = 7;
    OK(cuGraphExecKernelNodeSetParams(exec, second, &kernel));
    const CUDA_MEMSET_NODE_PARAMS fill = {x, 0, 10, 4, 1, 1}, rows = {x, 4, 10, 4, 1, 2};
    OK(cuGraphExecMemsetNodeSetParams(exec, first, &fill, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphExecMemsetNodeSetParams(exec, first, &rows, NULL));
    copy.dstHost = &other;
    OK(cuGraphExecMemcpyNodeSetParams(exec, third, &copy, NULL));
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(other, 72);
    assert_int_equal(out, 7);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphExecKernelNodeSetParams(exec, first, &kernel));
    OK(cuGraphNodeSetEnabled(exec, second, 0));
    OK(cuGraphNodeGetEnabled(exec, second, &enabled));
    assert_int_equal(enabled, 0);
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(other, 10);
    CUDA_MEMCPY3D seen;
    OK(cuGraphMemcpyNodeGetParams(third, &seen));
    assert_ptr_equal(seen.dstHost, &out);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphMemcpyNodeGetParams(first, &seen));
    assert_int_equal(device_word(y), 0);
}

static void changes_attributes_of_kernels(void **state)
{
    (void)state;
    const CUgraph g = graph();
    const CUdeviceptr x = device_words(4);
    const CUgraphNode one = add_work(g, NULL, 0, x, 1, 1, 1, 1), many = add_work(g, NULL, 0, x, 1u << 20, 1, 1, 1);
    CUkernelNodeAttrValue value = {.cooperative = 1};
    OK(cuGraphKernelNodeSetAttribute(one, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    FAILS(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
          cuGraphKernelNodeSetAttribute(many, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    value.cooperative = 0;
    OK(cuGraphKernelNodeGetAttribute(one, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    assert_int_equal(value.cooperative, 1);
    OK(cuGraphKernelNodeGetAttribute(many, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    assert_int_equal(value.cooperative, 0);
    OK(cuGraphKernelNodeCopyAttributes(one, many));
    OK(cuGraphKernelNodeGetAttribute(one, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    assert_int_equal(value.cooperative, 0);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeGetAttribute(one, CU_LAUNCH_ATTRIBUTE_IGNORE, &value));
}

static void updates_whole_graphs(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(4);
    const CUgraph g = graph(), same = graph(), other = graph(), longer = graph();
    CUgraphExecUpdateResultInfo info;
    CUgraphNode node = add_fill(g, NULL, 0, x, 1);
    add_work(g, &node, 1, x, 1, 3, 1, 1);
    node = add_fill(same, NULL, 0, x, 2);
    add_work(same, &node, 1, x, 1, 4, 1, 1);
    add_fill(other, NULL, 0, x, 2);
    add_work(other, NULL, 0, x, 1, 4, 1, 1); /* an edge less */
    node = add_fill(longer, NULL, 0, x, 2);
    CUgraphNode second = add_fill(longer, &node, 1, x, 2);
    const CUgraphExec exec = instantiate(g);
    OK(cuGraphExecUpdate(exec, same, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(device_word(x), 9);
    FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, other, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, longer, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
    assert_ptr_equal(info.errorNode, second);
    FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, graph(), &info));
    OK(cuGraphLaunch(exec, NULL)); /* as it was */
    assert_int_equal(device_word(x), 9);
}

static void changes_nodes_of_child_graphs(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(4);
    const CUgraph g = graph(), child = graph();
    CUgraph embedded = NULL;
    CUgraphNode node = NULL, inner = NULL;
    size_t one = 1;
    add_fill(child, NULL, 0, x, 1);
    OK(cuGraphAddChildGraphNode(&node, g, NULL, 0, child));
    OK(cuGraphChildGraphNodeGetGraph(node, &embedded));
    assert_ptr_not_equal(embedded, child);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(embedded)); /* the node's */
    OK(cuGraphGetNodes(embedded, &inner, &one));
    const CUgraphExec exec = instantiate(g);
    const CUDA_MEMSET_NODE_PARAMS fill = {x, 0, 8, 4, 1, 1};
    OK(cuGraphExecMemsetNodeSetParams(exec, inner, &fill, NULL));
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(device_word(x), 8);
    const CUgraph another = graph();
    add_fill(another, NULL, 0, x, 6);
    OK(cuGraphExecChildGraphNodeSetParams(exec, node, another));
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(device_word(x), 6);
    FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, /* as driver 580 answers */
          cuGraphExecChildGraphNodeSetParams(exec, node, graph()));
}

/* ------------------------------------------------------------------------------------------------ time, faults */

static double launch_ms(CUgraph g)
{
    const CUstream s = stream();
    const CUevent begin = event(), end = event();
    float ms = NAN;
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, s));
    OK(cuGraphLaunch(instantiate(g), s));
    OK(cuEventRecord(end, s));
    OK(cuEventElapsedTime(&ms, begin, end));
    return ms;
}

static void independent_nodes_overlap(void **state)
{
    (void)state;
    const double launch = 6.7e-3, node = 0.5e-3, kernel = (4 * (13 + 4 * 2000) + 375 + 7) * 1e-6;
    const CUdeviceptr x = device_words(64);
    const CUgraph chain = graph(), wide = graph();
    CUgraphNode last = NULL;
    for (int i = 0; i < 4; i++) {
        last = add_work(chain, &last, i > 0, x, 7, 1, 1, 2000);
        add_work(wide, NULL, 0, x, 7, 1, 1, 2000);
    }
    assert_float_equal(launch_ms(chain), launch + 3 * node + 4 * kernel, 1e-5);
    assert_float_equal(launch_ms(wide), launch + kernel, 1e-5);
    assert_int_equal(device_word(x), 16000);
}

static void faults_end_a_launch(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(4);
    const CUgraph g = graph();
    const CUDA_KERNEL_NODE_PARAMS wild = {wild_kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL, NULL};
    CUgraphNode bad = NULL;
    OK(cuGraphAddKernelNode(&bad, g, NULL, 0, &wild));
    add_fill(g, &bad, 1, x, 1);
    const CUgraphExec exec = instantiate(g);
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, cuGraphLaunch(exec, NULL));
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    OK(cuDevicePrimaryCtxReset(0));
}

static void unloaded_kernels_are_noticed(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(4);
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUgraphNode node = NULL;
    const CUgraph g = graph();
    OK(cuModuleLoadData(&module, program_ptx));
    OK(cuModuleGetFunction(&function, module, "work"));
    work_params w = {.x = x, .a = 1, .b = 1, .turns = 1};
    CUDA_KERNEL_NODE_PARAMS params = node_params(&w, 1);
    params.func = function;
    OK(cuGraphAddKernelNode(&node, g, NULL, 0, &params));
    const CUgraphExec exec = instantiate(g);
    OK(cuModuleUnload(module));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuGraphLaunch(exec, NULL));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuGraphInstantiate(&(CUgraphExec){NULL}, g, 0));
}

/* ------------------------------------------------------------------------------------------------ memory */

static CUDA_MEM_ALLOC_NODE_PARAMS memory(size_t bytes)
{
    return (CUDA_MEM_ALLOC_NODE_PARAMS){
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
        .bytesize = bytes};
}

static cuuint64_t graph_memory(CUgraphMem_attribute attribute)
{
    cuuint64_t value = 99;
    OK(cuDeviceGetGraphMemAttribute(0, attribute, &value));
    return value;
}

static void nodes_allocate_and_free(void **state)
{
    (void)state;
    const CUgraph g = graph();
    CUgraphNode n[6] = {NULL};
    CUDA_MEM_ALLOC_NODE_PARAMS one = memory(4096), two = memory(2048), three = memory(2048);
    unsigned out = 0;
    CUgraphExec exec = NULL, second = NULL;
    OK(cuGraphAddMemAllocNode(&n[0], g, NULL, 0, &one));
    n[1] = add_fill(g, &n[0], 1, one.dptr, 5);
    OK(cuGraphAddMemAllocNode(&n[2], g, &n[1], 1, &two));
    assert_int_not_equal(one.dptr, two.dptr);
    const CUDA_MEMCPY3D copy = to_host(&out, one.dptr, 4);
    OK(cuGraphAddMemcpyNode(&n[3], g, &n[2], 1, &copy, NULL));
    OK(cuGraphAddMemFreeNode(&n[4], g, &n[3], 1, one.dptr));
    OK(cuGraphAddMemAllocNode(&n[5], g, &n[4], 1, &three));
    assert_int_equal(three.dptr, one.dptr); /* free by then */
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&(CUgraph){NULL}, g));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphDestroyNode(n[0]));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphRemoveDependencies(g, &n[0], &n[1], 1));
    OK(cuGraphInstantiate(&exec, g, 0));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphInstantiate(&second, g, 0));
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(out, 5);
    assert_int_equal(graph_memory(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 2048 + 4096);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(exec, NULL)); /* two allocations are not freed */
    OK(cuMemFreeAsync(two.dptr, NULL));
    OK(cuMemFree(three.dptr));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(three.dptr));
    assert_int_equal(graph_memory(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0);
    OK(cuGraphLaunch(exec, NULL));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(g));
    OK(cuMemcpyDtoH(&out, two.dptr, 4)); /* lives on until it is freed */
    OK(cuMemFree(two.dptr));
    OK(cuMemFree(three.dptr));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&out, two.dptr, 4));
    assert_true(graph_memory(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT) > 0);
    OK(cuDeviceGraphMemTrim(0));
    assert_int_equal(graph_memory(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 0);
    assert_int_equal(graph_memory(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), 2048 + 4096);
    OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &(cuuint64_t){0}));
    assert_int_equal(graph_memory(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), 0);
}

static void allocations_are_captured(void **state)
{
    (void)state;
    const CUstream s = stream();
    CUdeviceptr p = 0;
    CUgraph g = NULL;
    CUgraphExec exec = NULL;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemAllocAsync(&p, 256, s));
    OK(cuMemsetD32Async(p, 6, 4, s));
    OK(cuStreamEndCapture(s, &g));
    assert_int_equal(count_nodes(g), 2);
    OK(cuGraphInstantiate(&exec, g, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    cuuint64_t flags = 0;
    OK(cuGraphExecGetFlags(exec, &flags));
    assert_int_equal(flags, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    OK(cuGraphLaunch(exec, s));
    OK(cuGraphLaunch(exec, s)); /* frees first */
    assert_int_equal(device_word(p), 6);
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemFreeAsync(p, s));
    CUgraph freeing = NULL;
    OK(cuStreamEndCapture(s, &freeing));
    OK(cuGraphLaunch(instantiate(freeing), s));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
}

/* ------------------------------------------------------------------------------------------------ the rest */

static void count_up(void *n)
{
    ++*(int *)n;
}

static void graphs_keep_objects(void **state)
{
    (void)state;
    int gone = 0;
    CUuserObject object = NULL;
    CUgraph g = graph(), clone = NULL;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuUserObjectCreate(&object, &gone, count_up, 1, 0));
    OK(cuUserObjectCreate(&object, &gone, count_up, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuUserObjectRetain(object, 2));
    OK(cuGraphRetainUserObject(g, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuUserObjectRelease(object, 2));
    OK(cuGraphClone(&clone, g));
    OK(cuGraphDestroy(g));
    assert_int_equal(gone, 0);
    const CUgraphExec exec = instantiate(clone);
    OK(cuGraphReleaseUserObject(clone, object, 1));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphReleaseUserObject(clone, object, 1));
    assert_int_equal(gone, 0);
    OK(cuGraphExecDestroy(exec));
    assert_int_equal(gone, 1);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuUserObjectRetain(object, 1));
}

static void draws_graphs(void **state)
{
    (void)state;
    char path[] = "/tmp/warpscape-graph-XXXXXX", text[2048] = "";
    const int file = mkstemp(path);
    const CUdeviceptr x = device_words(4);
    const CUgraph g = graph(), child = graph();
    CUgraphNode node = add_fill(g, NULL, 0, x, 1);
    CUgraphNode inner = NULL;
    add_work(child, NULL, 0, x, 2, 1, 1, 1);
    OK(cuGraphAddChildGraphNode(&inner, g, &node, 1, child));
    OK(cuGraphDebugDotPrint(g, path, 1));
    assert_true(file >= 0 && read(file, text, sizeof text - 1) > 0);
    close(file);
    unlink(path);
    assert_string_equal(text,
                        "digraph dot {\n"
                        "subgraph cluster_0 {\nlabel=\"graph_0\" graph[style=\"dashed\"]\n"
                        "\"graph_0_node_0\"[shape=\"box\" label=\"0\\nMEMSET\\nvalue 1, 4 x 1 elements of 4 bytes\"];\n"
                        "\"graph_0_node_1\"[shape=\"box\" label=\"1\\nGRAPH\"];\n"
                        "\"graph_0_node_0\" -> \"graph_0_node_1\";\n}\n"
                        "subgraph cluster_1 {\nlabel=\"graph_1\" graph[style=\"dashed\"]\n"
                        "\"graph_1_node_0\"[shape=\"box\" label=\"0\\nKERNEL\\nwork\\n"
                        "grid 2,1,1 block 1,1,1 shared 0\"];\n"
                        "}\n}\n");
    FAILS(CUDA_ERROR_OPERATING_SYSTEM, cuGraphDebugDotPrint(g, "/nonexistent/graph.dot", 0));
}

static void other_ways_to_instantiate(void **state)
{
    (void)state;
    const CUgraph g = graph();
    CUgraphNode a = NULL, b = NULL, wrong = NULL;
    CUgraphExec exec = NULL;
    char log[64] = "x";
    OK(cuGraphAddEmptyNode(&a, g, NULL, 0));
    OK(cuGraphAddEmptyNode(&b, g, &a, 1));
    OK(cuGraphInstantiate_v2(&exec, g, &wrong, log, sizeof log));
    assert_string_equal(log, "");
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD};
    OK(cuGraphInstantiateWithParams(&exec, g, &params));
    assert_int_equal(params.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    params.flags = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphInstantiateWithParams(&exec, g, &params));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&exec, g, CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&exec, g, 16));
    OK(cuGraphAddDependencies(g, &b, &a, 1));
    params.flags = 0;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithParams(&exec, g, &params));
    assert_int_equal(params.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate_v2(&exec, g, &wrong, log, sizeof log));
    assert_true(strlen(log) > 0);
}

static void launches_are_captured_as_child_graphs(void **state)
{
    (void)state;
    const CUstream s = stream();
    const CUdeviceptr x = device_words(4);
    const CUgraph g = graph();
    CUgraph outer = NULL;
    CUgraphNode node = NULL;
    size_t one = 1;
    add_work(g, NULL, 0, x, 1, 1, 4, 1);
    const CUgraphExec exec = instantiate(g);
    CUgraphExec none = NULL;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    FAILS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuGraphInstantiate(&none, g, 0)); /* as driver 580 answers */
    FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &outer));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamEndCapture(s, &outer));
    OK(cuGraphGetNodes(outer, &node, &one));
    assert_int_equal(kind(node), CU_GRAPH_NODE_TYPE_GRAPH);
    OK(cuGraphLaunch(instantiate(outer), s));
    assert_int_equal(device_word(x), 4);
}

/* A launch whose host node waits for another thread that destroys what is being launched. */
static void *destroy_elsewhere(void *p)
{
    void **const arg = p;
    OK(cuCtxSetCurrent(arg[0]));
    OK(cuGraphExecDestroy(arg[1]));
    return NULL;
}

static void destroy_by_thread(void *arg)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, destroy_elsewhere, arg), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void outlives_its_destruction(void **state)
{
    const CUdeviceptr x = device_words(4);
    const CUgraph g = graph();
    void *arg[2] = {*state, NULL};
    const CUDA_HOST_NODE_PARAMS host = {destroy_by_thread, arg};
    CUgraphNode node = NULL;
    OK(cuGraphAddHostNode(&node, g, NULL, 0, &host));
    add_work(g, &node, 1, x, 1, 1, 9, 1);
    arg[1] = instantiate(g);
    OK(cuGraphLaunch(arg[1], NULL));
    assert_int_equal(device_word(x), 9);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphExecDestroy(arg[1]));
}

/* Events of outside become nodes of a graph, in their turn. */
static void captures_external_events(void **state)
{
    (void)state;
    const CUstream s = stream();
    const CUevent e = event();
    CUgraph g = NULL;
    CUgraphNode nodes[2];
    size_t n = 2;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuEventRecordWithFlags(e, s, CU_EVENT_RECORD_EXTERNAL));
    OK(cuStreamWaitEvent(s, e, CU_EVENT_WAIT_EXTERNAL));
    OK(cuStreamEndCapture(s, &g));
    assert_int_equal(count_edges(g), 1);
    OK(cuGraphGetNodes(g, nodes, &n));
    assert_int_equal(n, 2);
    assert_int_equal(kind(nodes[0]), CU_GRAPH_NODE_TYPE_EVENT_RECORD);
    assert_int_equal(kind(nodes[1]), CU_GRAPH_NODE_TYPE_WAIT_EVENT);
    OK(cuGraphDestroy(g));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin_program, end_program)
    const struct CMUnitTest tests[] = {
        CASE(captures_what_is_put_into_a_stream),
        CASE(captures_other_streams),
        CASE(capture_refuses_what_cuda_refuses),
        CASE(captures_belong_to_threads),
        CASE(captures_external_events),
        CASE(captures_into_a_graph),
        CASE(builds_graphs_of_all_kinds),
        CASE(refuses_wrong_nodes),
        CASE(tells_and_changes_edges),
        CASE(clones_graphs),
        CASE(changes_parameters),
        CASE(changes_attributes_of_kernels),
        CASE(updates_whole_graphs),
        CASE(changes_nodes_of_child_graphs),
        CASE(independent_nodes_overlap),
        CASE(faults_end_a_launch),
        CASE(unloaded_kernels_are_noticed),
        CASE(nodes_allocate_and_free),
        CASE(allocations_are_captured),
        CASE(graphs_keep_objects),
        CASE(draws_graphs),
        CASE(other_ways_to_instantiate),
        CASE(launches_are_captured_as_child_graphs),
        CASE(outlives_its_destruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
