/* test_driver.c - does libcuda.so.1 keep the promises of the driver API? Linked with it as a program would be. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/cuda/cuda.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OK(call) assert_int_equal((call), CUDA_SUCCESS)
#define FAILS(code, call) assert_int_equal((call), (code))

/* out[i] = a * x[i] + b for i < n, with b a byte-sized parameter so that offsets matter; a variable; a kernel that
 * writes to address 0, one that loops for ever, one with an instruction that nobody knows. */
static const char ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .b8 table[12] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};\n"
    ".visible .const .align 4 .u32 limit = 7;\n"
    ".visible .entry affine(.param .u64 out, .param .u32 a, .param .u64 x, .param .u8 b, .param .u32 n)\n{\n"
    "  .reg .pred %p<2>;\n  .reg .b32 %r<10>;\n  .reg .b64 %rd<8>;\n  .reg .b16 %h<2>;\n"
    "  ld.param.u64 %rd1, [out];\n  ld.param.u32 %r1, [a];\n  ld.param.u64 %rd2, [x];\n  ld.param.u8 %h1, [b];\n"
    "  ld.param.u32 %r2, [n];\n  mov.u32 %r3, %ctaid.x;\n  mov.u32 %r4, %ntid.x;\n  mov.u32 %r5, %tid.x;\n"
    "  mad.lo.s32 %r6, %r3, %r4, %r5;\n  setp.ge.u32 %p1, %r6, %r2;\n  @%p1 bra DONE;\n"
    "  mul.wide.u32 %rd3, %r6, 4;\n  add.s64 %rd4, %rd2, %rd3;\n  ld.u32 %r7, [%rd4];\n  cvt.u32.u16 %r8, %h1;\n"
    "  mad.lo.s32 %r9, %r7, %r1, %r8;\n  add.s64 %rd5, %rd1, %rd3;\n  st.u32 [%rd5], %r9;\nDONE:\n  ret;\n}\n"
    ".visible .entry wild()\n{\n  .reg .b64 %rd<2>;\n  mov.u64 %rd1, 64;\n  st.global.u32 [%rd1], 1;\n  ret;\n}\n"
    ".visible .entry skewed(.param .u64 out)\n{\n  .reg .b64 %rd<3>;\n  ld.param.u64 %rd1, [out];\n"
    "  add.s64 %rd2, %rd1, 1;\n  st.global.u32 [%rd2], 1;\n  ret;\n}\n"
    ".visible .entry stuck()\n{\n  trap;\n  ret;\n}\n"
    ".visible .entry calls(.param .u64 where)\n{\n  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [where];\n"
    "  { prototype: .callprototype ()_();\n    call %rd1, prototype;\n  }\n  ret;\n}\n"
    ".visible .entry strange()\n{\n  .reg .b32 %r<2>;\n  frobnicate.u32 %r1, 1;\n  ret;\n}\n"
    ".visible .entry shared_user()\n.maxntid 64, 1, 1\n{\n  .shared .align 4 .b8 room[1024];\n  .reg .b32 %r<2>;\n"
    "  mov.u32 %r1, 5;\n  st.shared.u32 [room], %r1;\n  ret;\n}\n";

static CUmodule load(void)
{
    CUmodule module = NULL;
    OK(cuModuleLoadData(&module, ptx));
    return module;
}

static CUfunction function(CUmodule module, const char *name)
{
    CUfunction f = NULL;
    OK(cuModuleGetFunction(&f, module, name));
    return f;
}

/* What the library says on stderr while `on` is in effect goes into a file; the text so far comes back. */
static int saved_stderr = -1;

static void capture_stderr(void)
{
    FILE *const file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    saved_stderr = dup(STDERR_FILENO);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    fclose(file);
}

static void captured(char *text, size_t size)
{
    fflush(stderr);
    const off_t end = lseek(STDERR_FILENO, 0, SEEK_END);
    const ssize_t n = pread(STDERR_FILENO, text, size - 1 < (size_t)end ? size - 1 : (size_t)end, 0);
    text[n > 0 ? n : 0] = '\0';
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
}

static int setup(void **state)
{
    CUcontext context = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    *state = context;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    OK(cuCtxSetCurrent(NULL));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}

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
#define RESULT(code, value, says)                     \
    assert_int_equal((int)(code), (value));           \
    OK(cuGetErrorName(code, &name));                  \
    assert_string_equal(name, #code);                 \
    OK(cuGetErrorString(code, &text));                \
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
    FAILS(CUDA_ERROR_NOT_SUPPORTED, create(&made, &params, 0, 0));
    params.affinities = 0;
    params.graphics = &params;
    FAILS(CUDA_ERROR_NOT_SUPPORTED, create(&made, &params, 0, 0));
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
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(b));
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
    assert_int_equal(value, 1 << 20);
    CUdeviceptr p = 0;
    OK(cuMemAlloc(&p, 4));
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 21)); /* no kernel uses the heap yet */
    OK(cuMemFree(p));
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 8 << 20));
    FAILS(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit((CUlimit)77, 1));
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
    const CUDA_MEMCPY2D up = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .srcPitch = 5, .srcXInBytes = 1, .srcY = 1,
                              .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = d, .dstPitch = pitch, .dstXInBytes = 2,
                              .dstY = 1, .WidthInBytes = 3, .Height = 2};
    OK(cuMemcpy2D(&up));
    const CUDA_MEMCPY2D down = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED, .srcDevice = d, .srcPitch = pitch, .srcXInBytes = 1,
                                .srcY = 1, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = to, .dstPitch = 4,
                                .WidthInBytes = 4, .Height = 2};
    OK(cuMemcpy2DAsync(&down, NULL));
    assert_memory_equal(to, "-ghi-lmn", 8);
    CUDA_MEMCPY2D wrong = down;
    wrong.dstMemoryType = CU_MEMORYTYPE_ARRAY; /* and there is none */
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuMemcpy2D(&wrong));
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

/* out[i] = the four channels at (i + 0.5, 0.5) of a texture object, of the variable `ref`; a surface variable. */
static const char texture_ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n.global .texref ref;\n.global .surfref board;\n"
    ".visible .entry object(.param .u64 out, .param .u64 t)\n{\n  .reg .f32 %f<8>;\n  .reg .b32 %r<4>;\n"
    "  .reg .b64 %rd<8>;\n  ld.param.u64 %rd1, [out];\n  ld.param.u64 %rd2, [t];\n  mov.u32 %r1, %tid.x;\n"
    "  cvt.rn.f32.u32 %f1, %r1;\n  add.f32 %f1, %f1, 0.5;\n  mov.f32 %f2, 0.5;\n  mul.wide.u32 %rd3, %r1, 16;\n"
    "  add.s64 %rd4, %rd1, %rd3;\n  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd2, {%f1, %f2}];\n"
    "  st.global.v4.f32 [%rd4], {%f3, %f4, %f5, %f6};\n  ret;\n}\n"
    ".visible .entry variable(.param .u64 out)\n{\n  .reg .f32 %f<8>;\n  .reg .b32 %r<4>;\n  .reg .b64 %rd<8>;\n"
    "  ld.param.u64 %rd1, [out];\n  mov.u32 %r1, %tid.x;\n  mul.wide.u32 %rd3, %r1, 16;\n  add.s64 %rd4, %rd1, %rd3;\n"
    "  tex.1d.v4.f32.s32 {%f3, %f4, %f5, %f6}, [ref, {%r1}];\n  st.global.v4.f32 [%rd4], {%f3, %f4, %f5, %f6};\n  ret;\n}\n"
    ".visible .entry paint()\n{\n  .reg .b32 %r<4>;\n  mov.u32 %r1, %tid.x;\n  shl.b32 %r2, %r1, 2;\n"
    "  sust.b.2d.b32.trap [board, {%r2, 1}], %r1;\n  ret;\n}\n";

static CUmodule load_textures(void)
{
    CUmodule module = NULL;
    OK(cuModuleLoadData(&module, texture_ptx));
    return module;
}

static void arrays(void **state)
{
    (void)state;
    const CUDA_ARRAY_DESCRIPTOR flat = {5, 3, CU_AD_FORMAT_UNSIGNED_INT16, 2};
    CUDA_ARRAY_DESCRIPTOR flat_is;
    CUarray a = NULL, b = NULL;
    size_t before = 0, after = 0, total = 0;
    uint16_t sent[30], got[30] = {0};
    for (int i = 0; i < 30; i++)
        sent[i] = (uint16_t)(1000 + i);
    OK(cuMemGetInfo(&before, &total));
    OK(cuArrayCreate(&a, &flat));
    OK(cuArrayGetDescriptor(&flat_is, a));
    assert_memory_equal(&flat_is, &flat, sizeof flat);
    CUDA_MEMCPY2D up = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = sent, .srcPitch = 20,
                        .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = a, .WidthInBytes = 20, .Height = 3};
    OK(cuMemcpy2D(&up));
    const CUDA_MEMCPY2D down = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = a, .srcXInBytes = 4, .srcY = 1,
                                .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = got, .dstPitch = 8, .WidthInBytes = 8,
                                .Height = 2};
    OK(cuMemcpy2D(&down));
    for (int i = 0; i < 8; i++)
        assert_int_equal(got[i], sent[10 + 2 + i % 4 + i / 4 * 10]);
    up.WidthInBytes = 24; /* behind the row */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&up));
    up.WidthInBytes = 20;
    up.dstY = 1;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&up));
    /* A box of a solid. */
    const CUDA_ARRAY3D_DESCRIPTOR solid = {2, 3, 5, CU_AD_FORMAT_SIGNED_INT8, 1, 0};
    CUDA_ARRAY3D_DESCRIPTOR solid_is;
    OK(cuArray3DCreate(&b, &solid));
    OK(cuArray3DGetDescriptor(&solid_is, b));
    assert_memory_equal(&solid_is, &solid, offsetof(CUDA_ARRAY3D_DESCRIPTOR, Flags) + sizeof solid.Flags);
    CUDA_MEMCPY3D box = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = sent, .srcPitch = 2, .srcHeight = 3,
                         .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = b, .WidthInBytes = 2, .Height = 3,
                         .Depth = 5};
    OK(cuMemcpy3D(&box));
    unsigned char corner[4] = {0};
    const CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = b, .srcXInBytes = 1, .srcY = 1,
                                .srcZ = 3, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = corner, .dstPitch = 1,
                                .dstHeight = 2, .WidthInBytes = 1, .Height = 2, .Depth = 2};
    OK(cuMemcpy3DAsync(&back, NULL));
    for (int i = 0; i < 4; i++)
        assert_int_equal(corner[i], ((unsigned char *)sent)[(3 + i / 2) * 6 + (1 + i % 2) * 2 + 1]);
    box.dstZ = 1;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&box));
    OK(cuArrayDestroy(b));
    /* One row. */
    const CUDA_ARRAY_DESCRIPTOR line = {10, 0, CU_AD_FORMAT_FLOAT, 1};
    float word = 0;
    OK(cuArrayCreate(&b, &line));
    OK(cuMemcpyHtoA(b, 8, &(float){2.5f}, 4));
    OK(cuMemcpyAtoH(&word, b, 8, 4));
    assert_true(word == 2.5f);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoH(&word, b, 40, 4));
    OK(cuMemcpyAtoA(b, 0, b, 8, 4));
    OK(cuMemcpyAtoH(&word, b, 0, 4));
    assert_true(word == 2.5f);
    OK(cuArrayDestroy(b));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(b));
    OK(cuArrayDestroy(a));
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(after, before);
    const CUDA_ARRAY_DESCRIPTOR three = {4, 4, CU_AD_FORMAT_FLOAT, 3}, none = {0, 4, CU_AD_FORMAT_FLOAT, 1},
                                strange = {4, 4, 0x77, 1};
    FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&a, &three));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&a, &none));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&a, &strange));
}

static CUresult run_paint(CUfunction f, unsigned threads)
{
    return cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, NULL, NULL);
}

static void texture_objects(void **state)
{
    (void)state;
    CUmodule module = load_textures();
    CUfunction object = function(module, "object");
    const float texel[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float got[8];
    CUdeviceptr out, rows;
    CUarray array;
    const CUDA_ARRAY_DESCRIPTOR form = {2, 1, CU_AD_FORMAT_FLOAT, 4};
    OK(cuMemAlloc(&out, sizeof got));
    OK(cuArrayCreate(&array, &form));
    const CUDA_MEMCPY2D up = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = texel, .srcPitch = sizeof texel,
                              .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = array, .WidthInBytes = sizeof texel,
                              .Height = 1};
    OK(cuMemcpy2D(&up));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array}, is;
    CUDA_TEXTURE_DESC sampling = {.filterMode = CU_TR_FILTER_MODE_LINEAR, .borderColor = {9}}, sampling_is;
    CUDA_RESOURCE_VIEW_DESC view = {.format = CU_RES_VIEW_FORMAT_NONE};
    CUtexObject t = 0, pitched = 0;
    OK(cuTexObjectCreate(&t, &resource, &sampling, &view));
    OK(cuTexObjectGetResourceDesc(&is, t));
    assert_memory_equal(&is, &resource, sizeof is);
    OK(cuTexObjectGetTextureDesc(&sampling_is, t));
    assert_memory_equal(&sampling_is, &sampling, sizeof sampling);
    OK(cuLaunchKernel(object, 1, 1, 1, 2, 1, 1, 0, NULL, (void *[]){&out, &t}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    assert_memory_equal(got, texel, sizeof got);
    /* Rows of plain memory. */
    OK(cuMemAlloc(&rows, 64));
    OK(cuMemcpyHtoD(rows, texel, sizeof texel));
    resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D,
                                    .res.pitch2D = {rows, CU_AD_FORMAT_FLOAT, 2, 4, 2, 32}};
    OK(cuTexObjectCreate(&pitched, &resource, &sampling, NULL));
    OK(cuLaunchKernel(object, 1, 1, 1, 2, 1, 1, 0, NULL, (void *[]){&out, &pitched}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    const float two[8] = {1, 2, 0, 1, 3, 4, 0, 1};
    assert_memory_equal(got, two, sizeof got);
    OK(cuTexObjectDestroy(pitched));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(pitched));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuSurfObjectDestroy(t));
    /* What cannot be. */
    char said[256];
    resource.res.pitch2D.height = 3; /* behind the allocation */
    capture_stderr();
    const CUresult beyond = cuTexObjectCreate(&pitched, &resource, &sampling, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_INVALID_VALUE, beyond);
    assert_non_null(strstr(said, "does not lie in an allocation"));
    resource.res.pitch2D.height = 2;
    resource.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT32; /* integers have no mean */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&pitched, &resource, &sampling, NULL));
    sampling.flags = CU_TRSF_SEAMLESS_CUBEMAP;
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuTexObjectCreate(&pitched, &resource, &sampling, NULL));
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuTexObjectCreate(&pitched, &resource, &sampling, NULL));
    /* Its memory is gone. */
    OK(cuArrayDestroy(array));
    capture_stderr();
    const CUresult freed = cuLaunchKernel(object, 1, 1, 1, 2, 1, 1, 0, NULL, (void *[]){&out, &t}, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, freed);
    assert_non_null(strstr(said, "is freed"));
}

static void destroyed_texture_is_a_fault(void **state)
{
    (void)state;
    CUfunction object = function(load_textures(), "object");
    CUdeviceptr out, row;
    CUtexObject t;
    char said[256];
    OK(cuMemAlloc(&out, 256));
    OK(cuMemAlloc(&row, 64));
    const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D,
                                         .res.pitch2D = {row, CU_AD_FORMAT_FLOAT, 1, 4, 1, 32}};
    const CUDA_TEXTURE_DESC sampling = {0};
    OK(cuTexObjectCreate(&t, &resource, &sampling, NULL));
    OK(cuTexObjectDestroy(t));
    capture_stderr();
    const CUresult result = cuLaunchKernel(object, 1, 1, 1, 2, 1, 1, 0, NULL, (void *[]){&out, &t}, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, result);
    assert_non_null(strstr(said, "it is destroyed"));
    assert_non_null(strstr(said, "thread (0,0,0)"));
}

static void texture_references(void **state)
{
    (void)state;
    CUmodule module = load_textures();
    CUtexref ref = NULL, again = NULL;
    CUdeviceptr out, memory, is;
    const float texel[4] = {1.5f, 2.5f, 3.5f, 4.5f};
    float got[16];
    size_t offset = 77;
    OK(cuModuleGetTexRef(&ref, module, "ref"));
    OK(cuModuleGetTexRef(&again, module, "ref"));
    assert_ptr_equal(ref, again);
    FAILS(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&again, module, "board"));
    FAILS(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&again, module, "nobody"));
    OK(cuMemAlloc(&out, sizeof got));
    OK(cuMemAlloc(&memory, sizeof texel));
    OK(cuMemcpyHtoD(memory, texel, sizeof texel));
    OK(cuTexRefSetAddress(&offset, ref, memory, sizeof texel));
    assert_int_equal(offset, 0);
    OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 2));
    OK(cuTexRefSetFlags(ref, CU_TRSF_READ_AS_INTEGER));
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    const float want[16] = {1.5f, 2.5f, 0, 1, 3.5f, 4.5f, 0, 1};
    assert_memory_equal(got, want, sizeof got);
    int channels = 0;
    unsigned flags = 0;
    CUarray_format format;
    CUaddress_mode mode;
    CUfilter_mode filter;
    OK(cuTexRefGetAddress(&is, ref));
    assert_int_equal(is, memory);
    OK(cuTexRefGetFormat(&format, &channels, ref));
    assert_int_equal(format, CU_AD_FORMAT_FLOAT);
    assert_int_equal(channels, 2);
    OK(cuTexRefSetAddressMode(ref, 1, CU_TR_ADDRESS_MODE_MIRROR));
    OK(cuTexRefGetAddressMode(&mode, ref, 1));
    assert_int_equal(mode, CU_TR_ADDRESS_MODE_MIRROR);
    OK(cuTexRefSetFilterMode(ref, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefGetFilterMode(&filter, ref));
    assert_int_equal(filter, CU_TR_FILTER_MODE_LINEAR);
    OK(cuTexRefGetFlags(&flags, ref));
    assert_int_equal(flags, CU_TRSF_READ_AS_INTEGER);
    OK(cuTexRefSetBorderColor(ref, (float[4]){1, 2, 3, 4}));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddressMode(ref, 3, CU_TR_ADDRESS_MODE_WRAP));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 3));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags((CUtexref)module, 0));
    /* An array, and rows. */
    CUarray array = NULL, array_is = NULL;
    const CUDA_ARRAY_DESCRIPTOR form = {4, 0, CU_AD_FORMAT_FLOAT, 1};
    OK(cuArrayCreate(&array, &form));
    OK(cuMemcpyHtoA(array, 0, texel, sizeof texel));
    OK(cuTexRefSetArray(ref, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefGetArray(&array_is, ref));
    assert_ptr_equal(array_is, array);
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    for (int i = 0; i < 4; i++)
        assert_true(got[4 * i] == texel[i]);
    const CUDA_ARRAY_DESCRIPTOR rows = {2, 2, CU_AD_FORMAT_FLOAT, 1};
    OK(cuTexRefSetAddress2D(ref, &rows, memory, 8));
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    assert_true(got[0] == 1.5f && got[4] == 2.5f && got[8] == 2.5f);
}

/* The pieces of a description may be set one after the other although what was bound before is gone or does not fit them. */
static void references_bound_again(void **state)
{
    (void)state;
    CUmodule module = load_textures();
    CUtexref ref = NULL;
    CUdeviceptr out, memory, gone;
    CUarray array = NULL;
    const CUDA_ARRAY_DESCRIPTOR bytes = {4, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1}, rows = {4, 1, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    const float texel[4] = {1.5f, 2.5f, 3.5f, 4.5f};
    float got[16];
    OK(cuModuleGetTexRef(&ref, module, "ref"));
    OK(cuMemAlloc(&out, sizeof got));
    OK(cuMemAlloc(&gone, 4));
    OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_UNSIGNED_INT8, 1));
    OK(cuTexRefSetAddress(NULL, ref, gone, 4));
    OK(cuMemFree(gone));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress(NULL, ref, gone, 4));
    OK(cuTexRefSetFlags(ref, CU_TRSF_READ_AS_INTEGER));
    OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 2));
    OK(cuMemAlloc(&memory, sizeof texel));
    OK(cuMemcpyHtoD(memory, texel, sizeof texel));
    OK(cuTexRefSetAddress(NULL, ref, memory, sizeof texel));
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    assert_true(got[0] == 1.5f && got[1] == 2.5f && got[4] == 3.5f && got[8] == 0);
    OK(cuArrayCreate(&array, &bytes));
    OK(cuTexRefSetFilterMode(ref, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefSetArray(ref, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuArrayDestroy(array));
    OK(cuTexRefSetFlags(ref, 0));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetArray(ref, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuMemAlloc(&gone, 4));
    OK(cuTexRefSetAddress2D(ref, &rows, gone, 4));
    OK(cuMemFree(gone));
    OK(cuTexRefSetAddress(NULL, ref, 0, 0)); /* nothing */
    OK(cuTexRefSetFilterMode(ref, CU_TR_FILTER_MODE_POINT));
    OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 1));
    OK(cuTexRefSetAddress(NULL, ref, memory, 8));
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    assert_true(got[0] == 1.5f && got[4] == 2.5f && got[8] == 0);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFlags(ref, 0x8000));
}

static void surfaces(void **state)
{
    (void)state;
    CUmodule module = load_textures();
    CUsurfref board = NULL;
    CUarray array = NULL, plain = NULL, is = NULL;
    CUsurfObject object = 0;
    uint32_t got[8];
    const CUDA_ARRAY3D_DESCRIPTOR form = {4, 2, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST},
                                  without = {4, 2, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0};
    OK(cuArray3DCreate(&array, &form));
    OK(cuArray3DCreate(&plain, &without));
    OK(cuModuleGetSurfRef(&board, module, "board"));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuSurfRefSetArray(board, plain, 0));
    OK(cuSurfRefSetArray(board, array, 0));
    OK(cuSurfRefGetArray(&is, board));
    assert_ptr_equal(is, array);
    OK(run_paint(function(module, "paint"), 4));
    const CUDA_MEMCPY2D down = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = array, .dstMemoryType = CU_MEMORYTYPE_HOST,
                                .dstHost = got, .dstPitch = 16, .WidthInBytes = 16, .Height = 2};
    OK(cuMemcpy2D(&down));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(got[i], i < 4 ? 0 : i - 4);
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array}, resource_is;
    OK(cuSurfObjectCreate(&object, &resource));
    OK(cuSurfObjectGetResourceDesc(&resource_is, object));
    assert_ptr_equal(resource_is.res.array.hArray, array);
    OK(cuSurfObjectDestroy(object));
    resource.res.array.hArray = plain;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&object, &resource));
    char said[256];
    capture_stderr();
    const CUresult outside = run_paint(function(module, "paint"), 5);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, outside);
    assert_non_null(strstr(said, "thread (4,0,0)"));
}

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
    OK(cuMemsetD2D32(d + 16, 8, 9, 1, 2)); /* words 4 and 6 */
    OK(cuMemsetD2D16Async(d + 20, 8, 7, 1, 2, NULL)); /* low halves of words 5 and 7 */
    OK(cuMemcpyDtoH(words, d, sizeof words));
    static const unsigned want[8] = {0x01020304, 0xabcdabcd, 0x01555555, 0x01020304, 9, 0x01020007, 9, 0x01020007};
    assert_memory_equal(words, want, sizeof want);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(d + 2, 0, 1));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(d + 1, 0, 1));
    OK(cuMemsetD8(d, 0, 0));
    OK(cuMemFree(d));
}

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
    assert_int_equal(blocks, 0); /* .maxntid 64 */
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &size, f, NULL, 0, 0));
    assert_int_equal(size, 64);
    assert_true(grid > 0 && grid % 16 == 0);
    OK(cuModuleUnload(module));
}

/* The cause stands behind the name, so a name of 4,000 characters must not take all the room. */
static void says_causes_behind_long_names(void **state)
{
    (void)state;
    static const char body[] = "()\n{\n  .reg .b64 %rd<2>;\n  mov.u64 %rd1, 64;\n  st.global.u32 [%rd1], 1;\n  ret;\n}\n";
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
    FAILS(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
          cuLaunchKernel(function(module, "shared_user"), 1, 1, 1, 128, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLaunchCooperativeKernel(f, 4, 1, 1, 32, 1, 1, 0, NULL, params));
    check_affine(out, 5, 9);
    FAILS(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchCooperativeKernel(f, 100000, 1, 1, 32, 1, 1, 0, NULL, params));
    OK(cuMemFree(in));
    OK(cuMemFree(out));
    OK(cuModuleUnload(module));
}

static void names_an_unknown_instruction_at_launch(void **state)
{
    (void)state;
    const CUmodule module = load();
    const CUfunction f = function(module, "strange"); /* its neighbours run, and so does asking for it */
    char said[512];
    capture_stderr();
    const CUresult result = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_NOT_SUPPORTED, result);
    assert_non_null(strstr(said, "strange"));
    assert_non_null(strstr(said, "frobnicate"));
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
        cmocka_unit_test_setup_teardown(host_memory_has_one_address, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_one_dimension, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_rectangles, setup, teardown),
        cmocka_unit_test_setup_teardown(arrays, setup, teardown),
        cmocka_unit_test_setup_teardown(texture_objects, setup, teardown),
        cmocka_unit_test_setup_teardown(destroyed_texture_is_a_fault, setup, teardown),
        cmocka_unit_test_setup_teardown(texture_references, setup, teardown),
        cmocka_unit_test_setup_teardown(references_bound_again, setup, teardown),
        cmocka_unit_test_setup_teardown(surfaces, setup, teardown),
        cmocka_unit_test(structures_have_the_sizes_of_the_abi),
        cmocka_unit_test_setup_teardown(fills, setup, teardown),
        cmocka_unit_test_setup_teardown(loads_modules, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_what_is_no_ptx, setup, teardown),
        cmocka_unit_test_setup_teardown(says_causes_behind_long_names, setup, teardown),
        cmocka_unit_test_setup_teardown(tells_what_a_kernel_needs, setup, teardown),
        cmocka_unit_test_setup_teardown(launches_kernels, setup, teardown),
        cmocka_unit_test_setup_teardown(names_an_unknown_instruction_at_launch, setup, teardown),
        cmocka_unit_test_setup_teardown(faults_stick, setup, teardown),
        cmocka_unit_test_setup_teardown(tells_faults_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(streams_and_events, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
