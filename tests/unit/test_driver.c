/* test_driver.c - does libcuda.so.1 keep the promises of the driver API? Linked with it as a program would be. Start,
 * contexts, memory and copies. */
#include "driver_setup.h"

#include <search.h>
#include <sys/mman.h>

/* ------------------------------------------------------------------------------------------------ start */

/* Runs first, before anything calls cuInit. */
static void refuses_before_init(void **state)
{
    (void)state;
    int count = 0;
    CUdeviceptr p = 0;
    FAILS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
    FAILS(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&p, 4));
    setenv("WARPSCAPE_WORKERS", "two", 1);
    char text[256];
    capture_stderr();
    const CUresult result = cuInit(0);
    captured(text, sizeof text);
    FAILS(CUDA_ERROR_INVALID_VALUE, result);
    assert_non_null(strstr(text, "WARPSCAPE_WORKERS: expected a whole number"));
    unsetenv("WARPSCAPE_WORKERS");
    FAILS(CUDA_ERROR_INVALID_VALUE, cuInit(1));
    OK(cuInit(0));
    OK(cuInit(0));
}

static void names_every_result(void **state)
{
    (void)state;
    const char *name = NULL, *text = NULL;
#define RESULT(code, value, says) \
    assert_int_equal((int)(code), (value)); \
    OK(cuGetErrorName(code, &name)); \
    assert_string_equal(name, #code); \
    OK(cuGetErrorString(code, &text)); \
    assert_string_equal(text, says);
#include "collect/cuda/cuda_errors.def"
#undef RESULT
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)12345, &name));
    assert_null(name);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGetErrorString(CUDA_SUCCESS, NULL));
}

static void describes_device(void **state)
{
    (void)state;
    CUdevice device = -1;
    int value = 0, version = 0, major = 0, minor = 0;
    size_t total = 0;
    char name[64], brief[5];
    OK(cuDriverGetVersion(&version));
    assert_true(version >= CUDA_VERSION);
    OK(cuDeviceGetCount(&value));
    assert_int_equal(value, 1);
    OK(cuDeviceGet(&device, 0));
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
    OK(cuDeviceGetName(name, sizeof name, device));
    OK(cuDeviceGetName(brief, sizeof brief, device));
    assert_memory_equal(brief, name, 4);
    assert_int_equal(brief[4], '\0');
    OK(cuDeviceTotalMem(&total, device));
    assert_true(total >= (size_t)1 << 30);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    assert_int_equal(value, 32);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    assert_int_equal(value, 1024);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, device));
    assert_int_equal(value, 0);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, (CUdevice_attribute)0, device));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, device));
    OK(cuDeviceComputeCapability(&major, &minor, device));
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    assert_int_equal(value, major);
}

static void finds_functions_by_name(void **state)
{
    (void)state;
    void *f = NULL;
    CUdriverProcAddressQueryResult status;
    OK(cuGetProcAddress("cuMemAlloc", &f, 12000, 0, &status));
    assert_ptr_equal(f, (void *)cuMemAlloc);
    assert_int_equal(status, CU_GET_PROC_ADDRESS_SUCCESS);
    OK(cuGetProcAddress("cuMemAlloc", &f, 2000, 0, &status));
    assert_null(f);
    assert_int_equal(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    OK(cuGetProcAddress("cuFrobnicate", &f, 12000, 0, &status));
    assert_null(f);
    assert_int_equal(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress("cuMemAlloc", &f, 99000, 0, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress(NULL, &f, 12000, 0, NULL));
}

/* ------------------------------------------------------------------------------------------------ contexts */

/* As programs with the headers of CUDA 13 do it. */
static void makes_contexts_with_parameters(void **state)
{
    struct {
        const void *affinity;
        int affinities;
        const void *graphics;
    } params = {0};
    CUresult (*create)(CUcontext *, const void *, unsigned, CUdevice) = NULL;
    CUcontext primary = *state, made = NULL, top = NULL;
    OK(cuGetProcAddress("cuCtxCreate", (void **)&create, 13000, 0, NULL));
    OK(create(&made, &params, 0, 0));
    OK(cuCtxGetCurrent(&top));
    assert_ptr_equal(top, made);
    OK(cuCtxDestroy(made));
    OK(create(&made, NULL, 0, 0));
    OK(cuCtxDestroy(made));
    params.affinities = 1;
    FAILS(CUDA_ERROR_INVALID_VALUE, create(&made, &params, 0, 0)); /* as driver 580 answers */
    params.affinities = 0;
    params.graphics = &params;
    FAILS(CUDA_ERROR_INVALID_VALUE, create(&made, &params, 0, 0));
    OK(cuCtxGetCurrent(&top));
    assert_ptr_equal(top, primary);
}

static void keeps_a_stack_of_contexts(void **state)
{
    CUcontext primary = *state, a = NULL, b = NULL, top = NULL;
    unsigned flags = 0;
    int active = 0;
    OK(cuCtxCreate(&a, CU_CTX_SCHED_YIELD, 0));
    OK(cuCtxGetCurrent(&top));
    assert_ptr_equal(top, a);
    OK(cuCtxGetFlags(&flags));
    assert_int_equal(flags, CU_CTX_SCHED_YIELD);
    OK(cuCtxCreate(&b, 0, 0));
    OK(cuCtxPopCurrent(&top));
    assert_ptr_equal(top, b);
    OK(cuCtxDestroy(a)); /* current: leaves the stack */
    OK(cuCtxGetCurrent(&top));
    assert_ptr_equal(top, primary);
    OK(cuCtxPushCurrent(b));
    OK(cuCtxPushCurrent(primary));
    OK(cuCtxDestroy(b)); /* not current: stays in the stack, dead */
    OK(cuCtxPopCurrent(NULL));
    FAILS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    OK(cuCtxPopCurrent(NULL));
    FAILS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxDestroy(b)); /* as driver 580 answers */
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(b));
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    assert_int_equal(active, 1);
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&a, 0, 3));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(NULL, 0, 0));
}

static void needs_a_context(void **state)
{
    CUdeviceptr p = 0;
    OK(cuCtxSetCurrent(NULL));
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 16));
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(NULL));
    OK(cuCtxSetCurrent(*state));
}

static void destroying_a_context_frees_what_it_owns(void **state)
{
    (void)state;
    CUcontext context = NULL;
    CUdeviceptr p = 0;
    CUstream stream = NULL;
    size_t before = 0, after = 0, total = 0;
    OK(cuMemGetInfo(&before, &total));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuMemAlloc(&p, 1 << 20));
    OK(cuStreamCreate(&stream, 0));
    load();
    OK(cuCtxDestroy(context));
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(before, after);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuStreamQuery(stream));
}

static void keeps_limits(void **state)
{
    (void)state;
    size_t value = 0;
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20));
    OK(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
    assert_int_equal(value, 4 << 20); /* the least, as driver 580 answers */
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 3000));
    OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
    assert_int_equal(value, 3008); /* in units of 16 */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1 << 30));
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024));
    OK(cuCtxGetLimit(&value, CU_LIMIT_MAX_L2_FETCH_GRANULARITY));
    assert_int_equal(value, 64);
    FAILS(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&value, CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(&value, CU_LIMIT_MAX));
    CUdeviceptr p = 0;
    OK(cuMemAlloc(&p, 4));
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 21)); /* no kernel uses the heap yet */
    OK(cuMemFree(p));
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 8 << 20));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit((CUlimit)77, 1));
}

/* How many bytes the kernel prints: each of the threads `x`, which takes 16 of the FIFO. */
static off_t bytes_printed(CUfunction f, unsigned threads)
{
    FILE *const file = tmpfile();
    assert_non_null(file);
    fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
    const CUresult result = cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, NULL, NULL);
    const CUresult waited = cuCtxSynchronize();
    fflush(stdout);
    const off_t bytes = lseek(STDOUT_FILENO, 0, SEEK_END);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    fclose(file);
    OK(result);
    OK(waited);
    return bytes;
}

static void prints_what_fits_into_the_fifo(void **state)
{
    (void)state;
    static const char source[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 values);\n"
        ".global .align 1 .b8 x[2] = {120, 0};\n"
        ".visible .entry say()\n{\n  .reg .b64 %rd<2>;\n  mov.u64 %rd1, x;\n  cvta.global.u64 %rd1, %rd1;\n"
        "  { .param .b64 a; .param .b64 b; .param .b32 c;\n    st.param.b64 [a], %rd1;\n    st.param.b64 [b], 0;\n"
        "    call.uni (c), vprintf, (a, b);\n  }\n  ret;\n}\n";
    CUmodule module = NULL;
    size_t value = 0;
    char text[512];
    OK(cuCtxGetLimit(&value, CU_LIMIT_PRINTF_FIFO_SIZE));
    assert_int_equal(value, 1 << 20);
    OK(cuModuleLoadData(&module, source));
    const CUfunction f = function(module, "say");
    assert_int_equal(bytes_printed(f, 100), 100);
    OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 160));
    OK(cuCtxGetLimit(&value, CU_LIMIT_PRINTF_FIFO_SIZE));
    assert_int_equal(value, 160);
    capture_stderr();
    const off_t first = bytes_printed(f, 100), second = bytes_printed(f, 10), third = bytes_printed(f, 11);
    captured(text, sizeof text);
    assert_int_equal(first, 10);
    assert_int_equal(second, 10);
    assert_int_equal(third, 10);
    assert_non_null(strstr(text, ": 90 printf calls of launch "));
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); /* said once */
    OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20));
    assert_int_equal(bytes_printed(f, 100), 100);
    OK(cuModuleUnload(module));
}

/* ------------------------------------------------------------------------------------------------ memory */

static void gives_out_memory(void **state)
{
    (void)state;
    CUdeviceptr p = 0, base = 0;
    size_t bytes = 0, available = 0, less = 0, total = 0, pitch = 0;
    OK(cuMemGetInfo(&available, &total));
    OK(cuMemAlloc(&p, 1000));
    assert_int_equal(p % 256, 0);
    OK(cuMemGetInfo(&less, &total));
    assert_true(available - less >= 1000);
    OK(cuMemGetAddressRange(&base, &bytes, p + 999));
    assert_int_equal(base, p);
    assert_int_equal(bytes, 1000);
    FAILS(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &bytes, 12));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(p + 256));
    OK(cuMemFree(p));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&p, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(NULL, 4));
    OK(cuMemAllocPitch(&p, &pitch, 100, 7, 4));
    assert_true(pitch >= 100 && pitch % 512 == 0);
    OK(cuMemFree(p));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&p, &pitch, 100, 7, 3));
}

static int frees_what_it_looks_for(const void *key, const void *element)
{
    return element && cuMemFree(*(const CUdeviceptr *)key) == CUDA_SUCCESS;
}

/* The function of another file that calls is looked up in that file, not in the program: lfind() of libc calls what it
 * is given. */
static void names_callers_in_libraries(void **state)
{
    (void)state;
    const CUdeviceptr nowhere = 64;
    const char list[1] = "";
    size_t listed = 1;
    char text[512];
    capture_stderr();
    (void)lfind(&nowhere, list, &listed, 1, frees_what_it_looks_for);
    captured(text, sizeof text);
    assert_non_null(strstr(text, "in frees_what_it_looks_for "));
    const char *const caller = strstr(text, ", called by ");
    assert_true(caller && strstr(caller, "lfind")); /* or __GI_lfind, where libc's own symbols are installed */
}

static void reports_too_large_an_allocation(void **state)
{
    (void)state;
    CUdeviceptr p = 0;
    char text[256];
    capture_stderr();
    const CUresult result = cuMemAlloc(&p, (size_t)1 << 46);
    captured(text, sizeof text);
    FAILS(CUDA_ERROR_OUT_OF_MEMORY, result);
    assert_true(strncmp(text, "warpscape: ", 11) == 0);
}

static void host_memory_has_one_address(void **state)
{
    (void)state;
    void *host = NULL;
    CUdeviceptr p = 0;
    unsigned flags = 0, type = 0, managed = 0;
    int own = 5;
    OK(cuMemHostAlloc(&host, 64, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
    memset(host, 7, 64);
    OK(cuMemHostGetDevicePointer(&p, host, 0));
    assert_ptr_equal((void *)(uintptr_t)p, host);
    OK(cuMemHostGetFlags(&flags, host));
    assert_int_equal(flags, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
    OK(cuMemFreeHost(host));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(host));
    OK(cuMemAllocManaged(&p, 16, CU_MEM_ATTACH_GLOBAL));
    *(int *)(uintptr_t)p = 3;
    OK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    assert_int_equal(managed, 1);
    OK(cuMemFree(p));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)&own));
    OK(cuMemHostRegister(&own, sizeof own, 0));
    FAILS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(&own, sizeof own, 0));
    FAILS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister((char *)&own + 1, 1, 0));
    void *const gone = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(gone, MAP_FAILED);
    assert_int_equal(munmap(gone, 4096), 0);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(gone, 4096, 0));
    OK(cuMemHostGetDevicePointer(&p, &own, 0));
    assert_int_equal(p, (uintptr_t)&own);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
    OK(cuMemsetD8(p, 7, sizeof own));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(&own));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
    OK(cuMemHostUnregister(&own));
    FAILS(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(&own));
}

/* ------------------------------------------------------------------------------------------------ copies */

static void copies_one_dimension(void **state)
{
    (void)state;
    const char text[16] = "fifteen letters";
    char back[16] = "";
    CUdeviceptr a = 0, b = 0;
    OK(cuMemAlloc(&a, sizeof text));
    OK(cuMemAlloc(&b, sizeof text));
    OK(cuMemcpyHtoD(a, text, sizeof text));
    OK(cuMemcpyDtoD(b, a, sizeof text));
    OK(cuMemcpyDtoH(back, b, sizeof back));
    assert_string_equal(back, text);
    OK(cuMemcpyHtoDAsync(a + 4, "OUR", 3, NULL));
    OK(cuMemcpy((uintptr_t)back, a, sizeof back)); /* finds out itself that it goes to the host */
    assert_string_equal(back, "fiftOUR letters");
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuMemcpyDtoHAsync(back, a, 4, (CUstream)(uintptr_t)back));
    char said[256];
    capture_stderr();
    const CUresult beyond = cuMemcpyHtoD(a + 1, text, sizeof text);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_INVALID_VALUE, beyond);
    assert_true(*said);
    OK(cuMemcpyHtoD(a, NULL, 0));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
}

/* A 3 x 2 rectangle out of a 5-wide host array, into the middle of a pitched device array and back. */
static void copies_rectangles(void **state)
{
    (void)state;
    const char from[15] = "abcdefghijklmno";
    char to[8] = "........";
    CUdeviceptr d = 0;
    size_t pitch = 0;
    OK(cuMemAllocPitch(&d, &pitch, 10, 4, 4));
    OK(cuMemsetD8(d, '-', pitch * 4));
    const CUDA_MEMCPY2D up = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                              .srcHost = from,
                              .srcPitch = 5,
                              .srcXInBytes = 1,
                              .srcY = 1,
                              .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                              .dstDevice = d,
                              .dstPitch = pitch,
                              .dstXInBytes = 2,
                              .dstY = 1,
                              .WidthInBytes = 3,
                              .Height = 2};
    OK(cuMemcpy2D(&up));
    const CUDA_MEMCPY2D down = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                                .srcDevice = d,
                                .srcPitch = pitch,
                                .srcXInBytes = 1,
                                .srcY = 1,
                                .dstMemoryType = CU_MEMORYTYPE_HOST,
                                .dstHost = to,
                                .dstPitch = 4,
                                .WidthInBytes = 4,
                                .Height = 2};
    OK(cuMemcpy2DAsync(&down, NULL));
    assert_memory_equal(to, "-ghi-lmn", 8);
    CUDA_MEMCPY2D wrong = down;
    wrong.dstMemoryType = CU_MEMORYTYPE_ARRAY;           /* and there is none */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&wrong)); /* as driver 580 answers */
    wrong = down;
    wrong.dstPitch = 3; /* rows overlap */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&wrong));
    wrong = down;
    wrong.srcDevice = d + 8;
    wrong.srcXInBytes = (size_t)-8; /* an offset is no way back */
    wrong.srcY = 0;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&wrong));
    wrong = down;
    wrong.srcY = 3; /* the second row lies behind the end */
    wrong.srcXInBytes = 0;
    char said[256];
    capture_stderr();
    const CUresult beyond = cuMemcpy2D(&wrong);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_INVALID_VALUE, beyond);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(NULL));
    OK(cuMemFree(d));
}

/* ------------------------------------------------------------------------------------------------ textures */

static void structures_have_the_sizes_of_the_abi(void **state)
{
    (void)state;
    assert_int_equal(sizeof(CUDA_MEMCPY3D), 200);
    assert_int_equal(sizeof(CUDA_ARRAY_DESCRIPTOR), 24);
    assert_int_equal(sizeof(CUDA_ARRAY3D_DESCRIPTOR), 40);
    assert_int_equal(sizeof(CUDA_RESOURCE_DESC), 144);
    assert_int_equal(sizeof(CUDA_TEXTURE_DESC), 104);
    assert_int_equal(sizeof(CUDA_RESOURCE_VIEW_DESC), 112);
    assert_int_equal(offsetof(CUDA_RESOURCE_DESC, flags), 136);
    assert_int_equal(offsetof(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes), 40);
    assert_int_equal(offsetof(CUDA_TEXTURE_DESC, borderColor), 40);
    assert_int_equal(offsetof(CUDA_MEMCPY3D, dstXInBytes), 88);
}

static void fills(void **state)
{
    (void)state;
    CUdeviceptr d = 0;
    unsigned words[8];
    OK(cuMemAlloc(&d, sizeof words));
    OK(cuMemsetD32(d, 0x01020304, 8));
    OK(cuMemsetD16(d + 4, 0xabcd, 2));
    OK(cuMemsetD8(d + 8, 0x55, 3));
    OK(cuMemsetD2D32(d + 16, 8, 9, 1, 2));            /* words 4 and 6 */
    OK(cuMemsetD2D16Async(d + 20, 8, 7, 1, 2, NULL)); /* low halves of words 5 and 7 */
    OK(cuMemcpyDtoH(words, d, sizeof words));
    static const unsigned want[8] = {0x01020304, 0xabcdabcd, 0x01555555, 0x01020304, 9, 0x01020007, 9, 0x01020007};
    assert_memory_equal(words, want, sizeof want);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(d + 2, 0, 1));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(d + 1, 0, 1));
    OK(cuMemsetD8(d, 0, 0));
    OK(cuMemFree(d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_before_init),
        cmocka_unit_test(names_every_result),
        cmocka_unit_test(describes_device),
        cmocka_unit_test(finds_functions_by_name),
        cmocka_unit_test_setup_teardown(makes_contexts_with_parameters, setup, teardown),
        cmocka_unit_test_setup_teardown(keeps_a_stack_of_contexts, setup, teardown),
        cmocka_unit_test_setup_teardown(needs_a_context, setup, teardown),
        cmocka_unit_test_setup_teardown(destroying_a_context_frees_what_it_owns, setup, teardown),
        cmocka_unit_test_setup_teardown(keeps_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(prints_what_fits_into_the_fifo, setup, teardown),
        cmocka_unit_test_setup_teardown(gives_out_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(reports_too_large_an_allocation, setup, teardown),
        cmocka_unit_test_setup_teardown(names_callers_in_libraries, setup, teardown),
        cmocka_unit_test_setup_teardown(host_memory_has_one_address, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_one_dimension, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_rectangles, setup, teardown),
        cmocka_unit_test(structures_have_the_sizes_of_the_abi),
        cmocka_unit_test_setup_teardown(fills, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
