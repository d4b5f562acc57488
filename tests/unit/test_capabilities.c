/* test_capabilities.c - do the device's limits follow the compute capability that it reports? Programs of one
 * capability after the other are loaded, as the driver API sees them; the numbers are those of cudaGetDeviceProperties
 * on such devices. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/cuda/cuda.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OK(call) assert_int_equal((call), CUDA_SUCCESS)

/* Upwards, since what is reported never goes down. */
static const struct {
    const char *target;
    int major, minor, opt_in_kib, sm_kib, threads, blocks;
} devices[] = {
    {"sm_52", 7, 5, 64, 64, 1024, 16},    {"sm_75", 7, 5, 64, 64, 1024, 16},     {"sm_80", 8, 0, 163, 164, 2048, 32},
    {"sm_86", 8, 6, 99, 100, 1536, 16},   {"sm_87", 8, 7, 163, 164, 1536, 16},   {"sm_89", 8, 9, 99, 100, 1536, 24},
    {"sm_90a", 9, 0, 227, 228, 2048, 32}, {"sm_100", 10, 0, 227, 228, 2048, 32}, {"sm_103", 10, 3, 227, 228, 2048, 32},
    {"sm_120", 12, 0, 99, 100, 1536, 24}, {"sm_121", 12, 1, 99, 100, 1536, 24},  {"sm_75", 12, 1, 99, 100, 1536, 24},
};

static int attribute(CUdevice_attribute which)
{
    int value = -1;
    OK(cuDeviceGetAttribute(&value, which, 0));
    return value;
}

/* What a call says on stderr: `text`, empty for nothing. */
static CUresult opt_in(CUfunction f, int bytes, char *text, size_t size)
{
    FILE *const file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    const CUresult result = cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    return result;
}

static void limits_follow_the_capability(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        char ptx[256], said[512], wanted[128];
        CUmodule module = NULL;
        CUfunction f = NULL;
        const int most = devices[i].opt_in_kib * 1024;
        snprintf(ptx, sizeof ptx,
                 ".version 8.7\n.target %s\n.address_size 64\n.visible .entry nothing()\n{\n  ret;\n}\n",
                 devices[i].target);
        OK(cuModuleLoadData(&module, ptx));
        OK(cuModuleGetFunction(&f, module, "nothing"));
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), devices[i].major);
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), devices[i].minor);
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), most);
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR), devices[i].sm_kib * 1024);
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK),
                         (devices[i].sm_kib - devices[i].opt_in_kib) * 1024);
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR), devices[i].threads);
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR), devices[i].blocks);
        assert_int_equal(opt_in(f, most, said, sizeof said), CUDA_SUCCESS);
        assert_string_equal(said, "");
        assert_int_equal(opt_in(f, most + 1, said, sizeof said), CUDA_ERROR_INVALID_VALUE);
        snprintf(wanted, sizeof wanted, "kernel nothing: %d bytes of dynamic shared memory a block are asked for",
                 most + 1);
        assert_non_null(strstr(said, wanted));
        snprintf(wanted, sizeof wanted, "0 to %d are possible at compute capability %d.%d\n", most, devices[i].major,
                 devices[i].minor);
        assert_non_null(strstr(said, wanted));
        assert_int_equal(opt_in(f, most + 1, said, sizeof said), CUDA_ERROR_INVALID_VALUE);
        assert_string_equal(said, ""); /* once a kernel */
        OK(cuModuleUnload(module));
    }
}

int main(void)
{
    CUcontext context = NULL;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits_follow_the_capability)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
