/* test_driver_launches.c - modules, launches, faults, streams and events of the driver API. */
#include "driver_setup.h"

/* ------------------------------------------------------------------------------------------------ modules */

static void loads_modules(void **state)
{
    (void)state;
    const CUmodule module = load();
    CUfunction f = NULL, again = NULL;
    CUdeviceptr address = 0;
    size_t bytes = 0;
    unsigned table[3];
    OK(cuModuleGetFunction(&f, module, "affine"));
    OK(cuModuleGetFunction(&again, module, "affine"));
    assert_ptr_equal(f, again);
    FAILS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&f, module, "affin"));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&f, (CUmodule)(uintptr_t)table, "affine"));
    OK(cuModuleGetGlobal(&address, &bytes, module, "table"));
    assert_int_equal(bytes, sizeof table);
    OK(cuMemcpyDtoH(table, address, sizeof table));
    assert_int_equal(table[2], 3);
    OK(cuModuleGetGlobal(NULL, &bytes, module, "limit"));
    assert_int_equal(bytes, 4);
    FAILS(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&address, &bytes, module, "chair"));
    OK(cuModuleUnload(module));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuFuncSetCacheConfig(again, CU_FUNC_CACHE_PREFER_L1));
}

static void refuses_what_is_no_ptx(void **state)
{
    (void)state;
    CUmodule module = NULL;
    char log[200] = "", said[512];
    CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *value[] = {log, (void *)sizeof log};
    capture_stderr();
    const CUresult syntax = cuModuleLoadDataEx(&module, ".version 6.4\n.target sm_70\n.entry k(\n", 2, option, value);
    const CUresult cubin = cuModuleLoadData(&module, "\177ELF\2\1\1");
    const CUresult file = cuModuleLoad(&module, "/nonexistent/x.ptx");
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_INVALID_PTX, syntax);
    assert_non_null(strstr(log, "<ptx image")); /* the place */
    FAILS(CUDA_ERROR_NO_BINARY_FOR_GPU, cubin);
    FAILS(CUDA_ERROR_FILE_NOT_FOUND, file);
    FAILS(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, "garbage")); /* as driver 580 answers */
    assert_non_null(strstr(said, "/nonexistent/x.ptx"));
    assert_null(module);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&module, NULL));
}

static void tells_what_a_kernel_needs(void **state)
{
    (void)state;
    const CUmodule module = load();
    const CUfunction f = function(module, "shared_user");
    int value = 0, blocks = 0, grid = 0, size = 0;
    const char *name = NULL;
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
    assert_int_equal(value, 1024);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    assert_int_equal(value, 64);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, f));
    assert_int_equal(value, 70);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    assert_int_equal(value, 48 * 1024 - 1024); /* what its own leaves, as driver 580 answers */
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, f));
    assert_int_equal(value, 0);
    OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    assert_int_equal(value, 60000);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 3));
    OK(cuFuncGetName(&name, f));
    assert_string_equal(name, "shared_user");
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 64, 0));
    assert_int_equal(blocks, 16); /* 1024 threads, 16 blocks */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 64, 31 * 1024));
    assert_int_equal(blocks, 2); /* 64 KiB of shared memory */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 65, 0));
    assert_int_equal(blocks, 10); /* .maxntid 64 does not count, as driver 580 answers */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 64, 60001));
    assert_int_equal(blocks, 0); /* beyond what was asked for */
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &size, f, NULL, 0, 0));
    assert_int_equal(size, 64);
    assert_true(grid > 0 && grid % 16 == 0);
    OK(cuModuleUnload(module));
}

/* The cause stands behind the name, so a name of 4,000 characters must not take all the room. */
static void says_causes_behind_long_names(void **state)
{
    (void)state;
    static const char body[] =
        "()\n{\n  .reg .b64 %rd<2>;\n  mov.u64 %rd1, 64;\n  st.global.u32 [%rd1], 1;\n  ret;\n}\n";
    char name[4001], text[8192], said[8192];
    memset(name, 'k', sizeof name - 1);
    memcpy(name, "_Z3993", 6);
    memcpy(name + sizeof name - 2, "v", 2);
    snprintf(text, sizeof text, ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry %s%s", name, body);
    CUmodule module = NULL;
    OK(cuModuleLoadData(&module, text));
    capture_stderr();
    const CUresult result = cuLaunchKernel(function(module, name), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    const CUresult later = cuCtxSynchronize();
    captured(said, sizeof said);
    assert_true(result || later);
    assert_non_null(strstr(said, "warpscape: kernel kkkk"));
    assert_non_null(strstr(said, "kkk(): <ptx image"));
    assert_non_null(strstr(said, "invalid global write of 4 bytes at address 0x40"));
    assert_true(strlen(said) < 1000);
}

/* ------------------------------------------------------------------------------------------------ launches */

enum { N = 100 };

static void check_affine(CUdeviceptr out, unsigned a, unsigned b)
{
    unsigned got[N];
    OK(cuMemcpyDtoH(got, out, sizeof got));
    for (unsigned i = 0; i < N; i++)
        assert_int_equal(got[i], a * 3 * i + b);
}

static void launches_kernels(void **state)
{
    (void)state;
    const CUmodule module = load();
    const CUfunction f = function(module, "affine");
    unsigned x[N], a = 5, n = N;
    unsigned char b = 9;
    CUdeviceptr in = 0, out = 0;
    for (unsigned i = 0; i < N; i++)
        x[i] = 3 * i;
    OK(cuMemAlloc(&in, sizeof x));
    OK(cuMemAlloc(&out, sizeof x));
    OK(cuMemcpyHtoD(in, x, sizeof x));
    void *params[] = {&out, &a, &in, &b, &n};
    OK(cuLaunchKernel(f, 2, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    OK(cuCtxSynchronize());
    check_affine(out, 5, 9);

    struct {
        CUdeviceptr out;
        unsigned a;
        CUdeviceptr x;
        unsigned char b;
        unsigned n;
    } packed = {out, 7, in, 1, N};
    size_t size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 0, CU_STREAM_PER_THREAD, NULL, extra));
    check_affine(out, 7, 1);

    size = 8; /* too short */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 0, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, NULL, params, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 1 << 20, NULL, params, NULL));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(NULL, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, /* as driver 580 answers */
          cuLaunchKernel(function(module, "shared_user"), 1, 1, 1, 128, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLaunchCooperativeKernel(f, 4, 1, 1, 32, 1, 1, 0, NULL, params));
    check_affine(out, 5, 9);
    FAILS(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchCooperativeKernel(f, 100000, 1, 1, 32, 1, 1, 0, NULL, params));
    OK(cuMemFree(in));
    OK(cuMemFree(out));
    OK(cuModuleUnload(module));
}

/* The vendor's driver refuses the module: it translates all of it at once. */
static const char strange_ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".visible .entry strange()\n{\n  .reg .b32 %r<2>;\n  frobnicate.u32 %r1, 1;\n  ret;\n}\n"
    ".visible .entry plain()\n{\n  ret;\n}\n";

static void names_an_unknown_instruction_at_launch(void **state)
{
    (void)state;
    CUmodule module = NULL;
    char said[512];
    OK(cuModuleLoadData(&module, strange_ptx));
    const CUfunction f = function(module, "strange"); /* its neighbours run, and so does asking for it */
    OK(cuLaunchKernel(function(module, "plain"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    capture_stderr();
    const CUresult result = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_NOT_SUPPORTED, result);
    assert_non_null(strstr(said, "strange"));
    assert_non_null(strstr(said, "frobnicate"));
    OK(cuCtxSynchronize());
    OK(cuModuleUnload(module));
}

static const char cluster_ptx[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry pair(.param .u64 out)\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{\n"
    "  .reg .u64 o; .reg .u32 a, b;\n  ld.param.u64 o, [out];\n  mov.u32 a, %ctaid.x;\n  mul.wide.u32 o, a, 4;\n"
    "  mov.u32 b, %cluster_ctarank;\n  ret;\n}\n"
    ".visible .entry asks()\n.explicitcluster\n{\n  ret;\n}\n.visible .entry plain()\n{\n  ret;\n}\n"
    ".visible .entry few()\n.maxclusterrank 4\n{\n  ret;\n}\n"
    /* each block puts its rank into the next one of its cluster, and the grid's memory has what it received */
    ".visible .entry passes(.param .u64 out)\n{\n  .shared .b32 box;\n  .reg .u64 o; .reg .u32 a, b, c, d;\n"
    "  ld.param.u64 o, [out];\n  mov.u32 a, %cluster_ctarank;\n  mov.u32 c, %cluster_nctarank;\n  add.u32 b, a, 1;\n"
    "  rem.u32 b, b, c;\n  mov.u32 d, box;\n  mapa.shared::cluster.u32 d, d, b;\n  st.shared::cluster.u32 [d], a;\n"
    "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n  ld.shared.u32 b, [box];\n  mov.u32 a, %ctaid.x;\n"
    "  mad.wide.u32 o, a, 4, o;\n  st.global.u32 [o], b;\n  ret;\n}\n";

static CUlaunchConfig in_clusters(CUlaunchAttribute *attribute, unsigned grid, unsigned blocks)
{
    *attribute = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {blocks, 1, 1}};
    return (CUlaunchConfig){.gridDimX = grid,
                            .gridDimY = 1,
                            .gridDimZ = 1,
                            .blockDimX = 1,
                            .blockDimY = 1,
                            .blockDimZ = 1,
                            .attrs = attribute,
                            .numAttrs = 1};
}

static CUresult launch_in_clusters(CUfunction f, unsigned grid, unsigned blocks, void **params)
{
    CUlaunchAttribute attribute;
    const CUlaunchConfig how = in_clusters(&attribute, grid, blocks);
    return cuLaunchKernelEx(&how, f, params, NULL);
}

static int attribute_of(CUfunction f, CUfunction_attribute attribute)
{
    int value = -1;
    OK(cuFuncGetAttribute(&value, attribute, f));
    return value;
}

static void clusters_run(void **state)
{
    (void)state;
    CUmodule module = NULL;
    CUdeviceptr out = 0;
    unsigned got[16];
    void *params[] = {&out};
    int value = 0;
    OK(cuModuleLoadData(&module, cluster_ptx));
    OK(cuMemAlloc(&out, sizeof got));
    const CUfunction passes = function(module, "passes"), pair = function(module, "pair"),
                     plain = function(module, "plain"), few = function(module, "few");
    for (unsigned blocks = 1; blocks <= 8; blocks *= 2) {
        OK(launch_in_clusters(passes, 16, blocks, params));
        OK(cuMemcpyDtoH(got, out, sizeof got));
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(got[i], (i % blocks + blocks - 1) % blocks);
    }
    assert_int_equal(cuFuncSetAttribute(passes, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 2),
                     CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(attribute_of(passes, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED), 0);
    OK(cuFuncSetAttribute(passes, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    OK(launch_in_clusters(passes, 16, 16, params));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    assert_int_equal(got[0], 15);
    OK(cuLaunchKernel(pair, 2, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(launch_in_clusters(pair, 4, 2, params));
    /* what kernels and the device say; the limits are those of CUDA's programming guide for 9.0 */
    assert_int_equal(attribute_of(pair, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET), 1);
    assert_int_equal(attribute_of(pair, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH), 2);
    assert_int_equal(attribute_of(pair, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH), 1);
    assert_int_equal(attribute_of(plain, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH), 0);
    assert_int_equal(attribute_of(passes, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED), 1);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 0));
    assert_int_equal(value, 1);
    CUlaunchAttribute attribute;
    const CUlaunchConfig how = in_clusters(&attribute, 16, 4);
    OK(cuOccupancyMaxPotentialClusterSize(&value, plain, &how));
    assert_int_equal(value, 8);
    OK(cuOccupancyMaxPotentialClusterSize(&value, passes, &how));
    assert_int_equal(value, 16);
    OK(cuOccupancyMaxPotentialClusterSize(&value, few, &how));
    assert_int_equal(value, 4);
    int blocks = 0, processors = 0;
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1, 0));
    OK(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    OK(cuOccupancyMaxActiveClusters(&value, plain, &how));
    assert_int_equal(value, blocks * processors / 4);
    OK(cuMemFree(out));
    OK(cuModuleUnload(module));
}

/* Sizes that are not possible. */
static void refuses_clusters(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        unsigned grid, blocks;
        CUresult result;
        const char *said;
    } table[] = {
        {"plain", 16, 16, CUDA_ERROR_INVALID_CLUSTER_SIZE, "at most 8 blocks are possible without the attribute"},
        {"asks", 32, 32, CUDA_ERROR_INVALID_CLUSTER_SIZE, "(32,1,1) blocks are asked for, at most 8"},
        {"few", 16, 8, CUDA_ERROR_INVALID_CLUSTER_SIZE, "(8,1,1) blocks are asked for, at most 4 blocks"},
        {"few", 6, 4, CUDA_ERROR_INVALID_CLUSTER_SIZE, "the grid is no multiple of its clusters of (4,1,1) blocks"},
        {"pair", 4, 4, CUDA_ERROR_INVALID_CLUSTER_SIZE, "the kernel was compiled for (2,1,1)"},
    };
    CUmodule module = NULL;
    char said[2048];
    OK(cuModuleLoadData(&module, cluster_ptx));
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        capture_stderr();
        const CUresult result =
            launch_in_clusters(function(module, table[i].kernel), table[i].grid, table[i].blocks, NULL);
        captured(said, sizeof said);
        FAILS(table[i].result, result);
        if (!strstr(said, table[i].said))
            fail_msg("%s: %s", table[i].said, said);
    }
    const CUfunction asks = function(module, "asks"), plain = function(module, "plain");
    capture_stderr();
    const CUresult without = cuLaunchKernel(asks, 2, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_INVALID_VALUE, without);
    assert_non_null(strstr(said, "kernel asks: .explicitcluster wants a launch that gives the size of clusters"));
    OK(launch_in_clusters(asks, 2, 1, NULL));
    OK(launch_in_clusters(plain, 2, 1, NULL));
    OK(cuLaunchKernel(plain, 2, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
    OK(cuModuleUnload(module));
}

/* A fault answers every call from then on, until the context is reset. */
static void faults_stick(void **state)
{
    (void)state;
    CUdeviceptr p = 0;
    const CUmodule module = load();
    char said[512];
    capture_stderr();
    const CUresult result = cuLaunchKernel(function(module, "wild"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, result);
    assert_non_null(strstr(said, "wild"));
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&p, 4));
    OK(cuDevicePrimaryCtxReset(0));
    OK(cuCtxSynchronize());
    OK(cuMemAlloc(&p, 4));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module)); /* went with the reset */
    OK(cuMemFree(p));
}

/* Each kind of fault is the result that the driver gives for it. A fresh module each: a fault spoils the context. */
static void tells_faults_apart(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        CUresult result;
        const char *says;
    } cases[] = {
        {"wild", CUDA_ERROR_ILLEGAL_ADDRESS, "out of bounds"},
        {"skewed", CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned"},
        {"stuck", CUDA_ERROR_LAUNCH_FAILED, "trap"},
        {"calls", CUDA_ERROR_INVALID_PC, "call through a pointer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CUdeviceptr p = 0;
        char said[512];
        OK(cuMemAlloc(&p, 16));
        void *params[] = {&p};
        const CUfunction f = function(load(), cases[i].kernel);
        capture_stderr();
        const CUresult result = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
        captured(said, sizeof said);
        FAILS(cases[i].result, result);
        assert_non_null(strstr(said, cases[i].says));
        OK(cuDevicePrimaryCtxReset(0));
    }
}

/* ------------------------------------------------------------------------------------------------ streams */

static void count_call(void *context)
{
    ++*(int *)context;
}

static void note_stream(CUstream stream, int status, void *context)
{
    assert_int_equal(status, CUDA_SUCCESS);
    *(CUstream *)context = stream;
}

static void streams_and_events(void **state)
{
    CUstream stream = NULL, seen = NULL;
    CUevent start = NULL, end = NULL, plain = NULL;
    CUcontext owner = NULL;
    float ms = -1;
    unsigned flags = 9;
    int called = 0, least = 1, greatest = 1;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamGetFlags(stream, &flags));
    assert_int_equal(flags, CU_STREAM_NON_BLOCKING);
    OK(cuStreamGetCtx(stream, &owner));
    assert_ptr_equal(owner, *state);
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    assert_true(greatest <= least);
    OK(cuStreamQuery(stream));
    OK(cuStreamSynchronize(CU_STREAM_LEGACY));
    OK(cuLaunchHostFunc(stream, count_call, &called));
    assert_int_equal(called, 1);
    OK(cuStreamAddCallback(stream, note_stream, &seen, 0));
    assert_ptr_equal(seen, stream);
    OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&end, CU_EVENT_BLOCKING_SYNC));
    OK(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(start, stream));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, start, end)); /* not recorded yet */
    OK(cuEventRecord(end, stream));
    OK(cuEventRecord(plain, NULL));
    OK(cuStreamWaitEvent(stream, end, 0));
    OK(cuEventSynchronize(end));
    OK(cuEventElapsedTime(&ms, start, end));
    assert_true(ms >= 0);
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, start, plain));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuEventCreate(&plain, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    OK(cuEventDestroy(start));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(start, stream));
    OK(cuEventDestroy(end));
    OK(cuEventDestroy(plain));
    OK(cuStreamDestroy(stream));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(stream));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&stream, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(loads_modules, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_what_is_no_ptx, setup, teardown),
        cmocka_unit_test_setup_teardown(says_causes_behind_long_names, setup, teardown),
        cmocka_unit_test_setup_teardown(tells_what_a_kernel_needs, setup, teardown),
        cmocka_unit_test_setup_teardown(launches_kernels, setup, teardown),
        cmocka_unit_test_setup_teardown(names_an_unknown_instruction_at_launch, setup, teardown),
        cmocka_unit_test_setup_teardown(clusters_run, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_clusters, setup, teardown),
        cmocka_unit_test_setup_teardown(faults_stick, setup, teardown),
        cmocka_unit_test_setup_teardown(tells_faults_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(streams_and_events, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
