/* test_driver_versions.c - do programs of CUDA 11 and 12 get the functions of libcuda that they mean? By symbol, as
 * those that are linked with it, and by name and version. */
#include "collect/cuda/cuda_graph.h"
#include "tests/unit/driver_program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A symbol of the ABI, which cuda.h of today may have another use for. */
static void *symbol(const char *name)
{
    void *const f = dlsym(RTLD_DEFAULT, name);
    if (!f)
        fail_msg("libcuda has no %s", name);
    return f;
}

#define AS(name, type) ((CUresult(*) type)symbol(#name))

static void *by_name(const char *name, int version, cuuint64_t flags)
{
    void *f = NULL;
    OK(cuGetProcAddress(name, &f, version, flags, NULL));
    return f;
}

/* ------------------------------------------------------------------------------------------------ names */

static void versions_choose_the_form(void **state)
{
    (void)state;
    enum { PLAIN = 1, PER_THREAD };
    static const struct {
        const char *name, *symbol;
        int version;
        cuuint64_t flags;
    } forms[] = {
#define FORMER(name, changed, whom, symbol, params, call) {#name, #symbol, changed - 1, whom},
#include "collect/cuda/cuda_former.def"
#undef FORMER
        /* cudaTypedefs.h of CUDA 13.0 */
        {"cuCtxCreate", "cuCtxCreate_v2", 3020, PLAIN},
        {"cuCtxCreate", "cuCtxCreate_v3", 11040, PLAIN},
        {"cuCtxCreate", "cuCtxCreate_v4", 12050, PLAIN},
        {"cuGetProcAddress", "cuGetProcAddress_v2", 12000, PLAIN},
        {"cuGraphInstantiate", "cuGraphInstantiateWithFlags", 12000, PLAIN},
        {"cuGraphAddKernelNode", "cuGraphAddKernelNode_v2", 12000, PER_THREAD},
        {"cuGraphExecUpdate", "cuGraphExecUpdate_v2", 12040, PLAIN},
        {"cuStreamBatchMemOp", "cuStreamBatchMemOp_v2", 11070, PLAIN},
        {"cuStreamBatchMemOp", "cuStreamBatchMemOp_v2_ptsz", 11070, PER_THREAD},
        {"cuStreamGetCaptureInfo", "cuStreamGetCaptureInfo_v2", 11030, PLAIN},
        {"cuStreamGetCaptureInfo", "cuStreamGetCaptureInfo_v2_ptsz", 12020, PER_THREAD},
        {"cuStreamGetCaptureInfo", "cuStreamGetCaptureInfo_v3", 12030, PLAIN},
        {"cuStreamGetCtx", "cuStreamGetCtx", 12040, PLAIN},
        {"cuStreamGetCtx", "cuStreamGetCtx_v2", 12050, PLAIN},
        {"cuStreamGetCtx", "cuStreamGetCtx_v2_ptsz", 12050, PER_THREAD},
        {"cuCtxSynchronize", "cuCtxSynchronize", 12080, PLAIN},
        {"cuCtxSynchronize", "cuCtxSynchronize_v2", 13000, PLAIN},
        {"cuCtxGetDevice", "cuCtxGetDevice_v2", 13000, PLAIN},
        {"cuMemcpy3DPeer", "cuMemcpy3DPeer_ptds", 11080, PER_THREAD},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (by_name(forms[i].name, forms[i].version, forms[i].flags) != symbol(forms[i].symbol))
            fail_msg("%s of version %d is not %s", forms[i].name, forms[i].version, forms[i].symbol);
    }
}

static void lookups_of_11_say_what_is_not_there(void **state)
{
    (void)state;
    void *f = &f;
    typedef CUresult look_up(const char *, void **, int, cuuint64_t);
    look_up *const former = (look_up *)symbol("cuGetProcAddress");
    OK(former("cuMemAlloc", &f, 11080, 0));
    assert_ptr_equal(f, (void *)cuMemAlloc);
    FAILS(CUDA_ERROR_NOT_FOUND, former("cuNoSuchThing", &f, 11080, 0));
    assert_null(f);
    FAILS(CUDA_ERROR_INVALID_VALUE, former(NULL, &f, 11080, 0));
}

static void refused_functions_have_symbols(void **state)
{
    (void)state;
    static const char *const names[] = {
#define REFUSED(name) #name,
#include "collect/cuda/cuda_refused.def"
#undef REFUSED
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        symbol(names[i]);
        assert_null(by_name(names[i], 13000, 0));
    }
    char text[256] = "";
    FILE *const file = tmpfile();
    const int kept = dup(STDERR_FILENO);
    assert_true(file && kept >= 0);
    dup2(fileno(file), STDERR_FILENO);
    const CUresult first = AS(cuIpcGetMemHandle, (void *, CUdeviceptr))(NULL, 0);
    const CUresult second = AS(cuIpcGetMemHandle, (void *, CUdeviceptr))(NULL, 0);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(first, CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(second, CUDA_ERROR_NOT_SUPPORTED);
    assert_true(length > 0);
    assert_string_equal(text,
                        "warpscape: cuIpcGetMemHandle is not supported; the program gets CUDA_ERROR_NOT_SUPPORTED\n");
}

/* ------------------------------------------------------------------------------------------------ graphs of CUDA 11 */

/* Parameters as CUDA 11 has them, with what lies behind them in a program. */
typedef struct guarded {
    CUDA_KERNEL_NODE_PARAMS_v1 params;
    unsigned char guard[32];
} guarded;

static void assert_guard(const guarded *g)
{
    for (size_t i = 0; i < sizeof g->guard; i++)
        assert_int_equal(g->guard[i], 0x5a);
}

static void kernel_nodes_of_11(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphNode node, wrong = (CUgraphNode)&wrong;
    CUgraphExec exec;
    CUgraphExecUpdateResult how = CU_GRAPH_EXEC_UPDATE_ERROR;
    CUdeviceptr x = device_words(1);
    unsigned a = 1, b = 5, turns = 1;
    void *arguments[] = {&x, &a, &b, &turns};
    guarded g;
    memset(&g, 0x5a, sizeof g); /* what CUDA 12 has behind them would be a kernel's handle here */
    g.params = (CUDA_KERNEL_NODE_PARAMS_v1){work_kernel, 1, 1, 1, 1, 1, 1, 0, arguments, NULL};
    OK(cuGraphCreate(&graph, 0));
    OK(AS(cuGraphAddKernelNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const void *))(&node, graph, NULL,
                                                                                                     0, &g.params));
    OK(AS(cuGraphInstantiate, (CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t))(&exec, graph, NULL, NULL, 0));
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(device_word(x), 5);

    guarded back;
    memset(&back, 0x5a, sizeof back);
    OK(AS(cuGraphKernelNodeGetParams, (CUgraphNode, void *))(node, &back.params));
    assert_guard(&back);
    assert_ptr_equal(back.params.func, work_kernel);
    assert_int_equal(*(unsigned *)back.params.kernelParams[2], 5);
    FAILS(CUDA_ERROR_INVALID_VALUE, AS(cuGraphKernelNodeGetParams, (CUgraphNode, void *))(node, NULL));

    b = 7;
    OK(AS(cuGraphExecKernelNodeSetParams, (CUgraphExec, CUgraphNode, const void *))(exec, node, &g.params));
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(device_word(x), 12);
    b = 100;
    OK(AS(cuGraphKernelNodeSetParams, (CUgraphNode, const void *))(node, &g.params));
    OK(AS(cuGraphExecUpdate, (CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *))(exec, graph, &wrong,
                                                                                               &how));
    assert_null(wrong);
    assert_int_equal(how, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(device_word(x), 112);
    FAILS(CUDA_ERROR_INVALID_VALUE, AS(cuGraphKernelNodeSetParams, (CUgraphNode, const void *))(node, NULL));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuMemFree(x));
}

static void capture_and_values_of_11(void **state)
{
    (void)state;
    CUstream s;
    CUgraph graph;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuuint64_t id = 0;
    OK(cuStreamCreate(&s, 0));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(AS(cuStreamGetCaptureInfo, (CUstream, CUstreamCaptureStatus *, cuuint64_t *))(s, &status, &id));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    assert_true(id > 0);
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphDestroy(graph));
    CUdeviceptr x = device_words(1);
    OK(AS(cuStreamWriteValue32, (CUstream, CUdeviceptr, cuuint32_t, unsigned))(s, x, 42, 0));
    OK(AS(cuStreamWaitValue32_ptsz, (CUstream, CUdeviceptr, cuuint32_t, unsigned))(NULL, x, 40, 0));
    assert_int_equal(device_word(x), 42);
    OK(cuMemFree(x));
    OK(cuStreamDestroy(s));
}

/* ------------------------------------------------------------------------------------------------ later functions */

static void contexts_by_handle(void **state)
{
    CUcontext current = *state, other, found;
    CUdevice device = 7;
    unsigned long long id = 0, other_id = 0;
    unsigned flags = 0;
    void *green = &green;
    OK(cuCtxCreate_v3(&other, NULL, 0, CU_CTX_SCHED_YIELD, 0));
    OK(cuCtxGetFlags(&flags));
    assert_int_equal(flags, CU_CTX_SCHED_YIELD);
    OK(cuCtxSetFlags(CU_CTX_SCHED_SPIN));
    OK(cuCtxGetFlags(&flags));
    assert_int_equal(flags, CU_CTX_SCHED_SPIN);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxSetFlags(0x1000));
    OK(cuCtxGetId(NULL, &other_id));
    OK(cuCtxGetId(current, &id));
    assert_int_not_equal(id, other_id);
    OK(cuCtxGetDevice_v2(&device, current));
    assert_int_equal(device, 0);
    OK(cuCtxSynchronize_v2(current));
    OK(cuCtxGetCurrent(&found));
    assert_ptr_equal(found, other);
    OK(cuStreamGetCtx_v2(NULL, &found, &green));
    assert_ptr_equal(found, other);
    assert_null(green);
    FAILS(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(current, 0));
    FAILS(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(other, 0)); /* as driver 580 answers */
    FAILS(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(current));
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetP2PAttribute(&device, 1, 0, 0));
    OK(cuCtxDestroy(other));
    FAILS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxGetId(other, &id));
    FAILS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize_v2(other));
    FAILS(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, cuCtxCreate_v3(&other, &device, 1, 0, 0));
}

static void other_ways_to_say_it(void **state)
{
    CUfunctionLoadingState loaded = CU_FUNCTION_LOADING_STATE_UNLOADED;
    CUmoduleLoadingMode mode = CU_MODULE_EAGER_LOADING;
    CUmemoryPool pool, same;
    const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    OK(cuFuncIsLoaded(&loaded, work_kernel));
    assert_int_equal(loaded, CU_FUNCTION_LOADING_STATE_LOADED);
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuFuncLoad((CUfunction)&loaded));
    OK(cuModuleGetLoadingMode(&mode));
    assert_int_equal(mode, CU_MODULE_LAZY_LOADING);
    OK(cuProfilerStart());
    OK(cuProfilerStop());
    OK(cuMemGetDefaultMemPool(&pool, &device, CU_MEM_ALLOCATION_TYPE_PINNED));
    OK(cuMemSetMemPool(&device, CU_MEM_ALLOCATION_TYPE_PINNED, pool));
    OK(cuMemGetMemPool(&same, &device, CU_MEM_ALLOCATION_TYPE_PINNED));
    assert_ptr_equal(pool, same);
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemGetMemPool(&same, &host, CU_MEM_ALLOCATION_TYPE_PINNED));

    CUdeviceptr from = device_words(2), to = device_words(2);
    const unsigned values[2] = {11, 12};
    const int on = 1;
    OK(cuMemcpyHtoD(from, values, sizeof values));
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = from,
                          .reserved0 = *state,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = to,
                          .reserved1 = *state,
                          .WidthInBytes = sizeof values,
                          .Height = 1,
                          .Depth = 1};
    OK(cuMemcpy3DPeer(&copy));
    assert_int_equal(device_word(to + 4), 12);
    copy.reserved1 = &copy;
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuMemcpy3DPeerAsync(&copy, NULL));
    OK(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, to));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_CONTEXT, to));
    OK(cuMemFree(from));
    OK(cuMemFree(to));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_choose_the_form),       cmocka_unit_test(lookups_of_11_say_what_is_not_there),
        cmocka_unit_test(refused_functions_have_symbols), cmocka_unit_test(kernel_nodes_of_11),
        cmocka_unit_test(capture_and_values_of_11),       cmocka_unit_test(contexts_by_handle),
        cmocka_unit_test(other_ways_to_say_it),
    };
    return cmocka_run_group_tests(tests, begin_program, end_program);
}
