/* test_nvml.c - the management library: what it says before and after the program uses CUDA, and that it says the same.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/cuda/cuda.h"
#include "collect/nvml/nvml.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *milliwatts);

static nvmlDevice_t first_device(void)
{
    nvmlDevice_t device = NULL;
    assert_int_equal(nvmlDeviceGetHandleByIndex_v2(0, &device), NVML_SUCCESS);
    return device;
}

static void needs_initialisation(void **state)
{
    (void)state;
    unsigned count = 7;
    assert_int_equal(nvmlDeviceGetCount_v2(&count), NVML_ERROR_UNINITIALIZED);
    assert_int_equal(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
    assert_int_equal(nvmlInit_v2(), NVML_SUCCESS);
    assert_int_equal(nvmlInit(), NVML_SUCCESS);
    assert_int_equal(nvmlShutdown(), NVML_SUCCESS);
    assert_int_equal(nvmlDeviceGetCount_v2(&count), NVML_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(nvmlShutdown(), NVML_SUCCESS);
    assert_int_equal(nvmlDeviceGetCount(&count), NVML_ERROR_UNINITIALIZED);
    assert_string_equal(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), "Not Supported");
}

/* Asking does not use the device, so a child that is forked afterwards can. */
static void leaves_the_device_alone(void **state)
{
    (void)state;
    nvmlMemory_t memory;
    unsigned count = 0;
    assert_int_equal(nvmlInit_v2(), NVML_SUCCESS);
    assert_int_equal(nvmlDeviceGetMemoryInfo(first_device(), &memory), NVML_SUCCESS);
    assert_int_equal(memory.used, 0);
    assert_int_equal(nvmlDeviceGetComputeRunningProcesses_v3(first_device(), &count, NULL), NVML_SUCCESS);
    assert_int_equal(count, 0);
    const pid_t child = fork();
    if (!child) {
        CUcontext context;
        _exit(cuInit(0) || cuCtxCreate(&context, 0, 0));
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(nvmlShutdown(), NVML_SUCCESS);
}

static void handles(void **state)
{
    (void)state;
    nvmlDevice_t device = NULL;
    char uuid[96], small[4];
    unsigned index = 7;
    assert_int_equal(nvmlInit_v2(), NVML_SUCCESS);
    assert_int_equal(nvmlDeviceGetHandleByIndex_v2(1, &device), NVML_ERROR_INVALID_ARGUMENT);
    assert_int_equal(nvmlDeviceGetUUID(first_device(), small, sizeof small), NVML_ERROR_INSUFFICIENT_SIZE);
    assert_int_equal(nvmlDeviceGetUUID(first_device(), uuid, sizeof uuid), NVML_SUCCESS);
    assert_int_equal(strlen(uuid), strlen("GPU-8-4-4-4-12") - 8 + 32 + 2);
    assert_int_equal(nvmlDeviceGetHandleByUUID(uuid, &device), NVML_SUCCESS);
    assert_ptr_equal(device, first_device());
    assert_int_equal(nvmlDeviceGetHandleByUUID("GPU-0", &device), NVML_ERROR_NOT_FOUND);
    nvmlPciInfo_t pci;
    assert_int_equal(nvmlDeviceGetPciInfo_v3(device, &pci), NVML_SUCCESS);
    device = NULL;
    assert_int_equal(nvmlDeviceGetHandleByPciBusId_v2(pci.busId, &device), NVML_SUCCESS);
    assert_int_equal(nvmlDeviceGetHandleByPciBusId_v2(pci.busIdLegacy, &device), NVML_SUCCESS);
    assert_int_equal(nvmlDeviceGetHandleByPciBusId_v2("0000:01:00.0", &device), NVML_ERROR_NOT_FOUND);
    assert_int_equal(nvmlDeviceGetIndex(device, &index), NVML_SUCCESS);
    assert_int_equal(index, 0);
    assert_int_equal(nvmlDeviceGetIndex(NULL, &index), NVML_ERROR_INVALID_ARGUMENT);
    assert_int_equal(nvmlShutdown(), NVML_SUCCESS);
}

/* The driver and the management library describe one device. */
static void agrees_with_the_driver(void **state)
{
    (void)state;
    CUcontext context;
    CUdeviceptr p = 0;
    nvmlMemory_t memory;
    nvmlMemory_v2_t second = {.version = NVML_STRUCT_VERSION(Memory, 2)};
    nvmlProcessInfo_t process;
    char name[96], driver_name[96], version[80];
    int number = 0, major = 0, minor = 0, expected = 0;
    unsigned megahertz = 0, count = 1;
    size_t available = 0, total = 0;
    assert_int_equal(nvmlInit_v2(), NVML_SUCCESS);
    assert_int_equal(cuInit(0) || cuCtxCreate(&context, 0, 0) || cuMemAlloc(&p, 12 << 20), CUDA_SUCCESS);
    const nvmlDevice_t device = first_device();
    assert_int_equal(cuMemGetInfo(&available, &total), CUDA_SUCCESS);
    assert_int_equal(nvmlDeviceGetMemoryInfo(device, &memory), NVML_SUCCESS);
    assert_int_equal(memory.total, total);
    assert_int_equal(memory.free, available);
    assert_true(memory.used >= 12 << 20);
    assert_int_equal(nvmlDeviceGetMemoryInfo_v2(device, &second), NVML_SUCCESS);
    assert_int_equal(second.used, memory.used);
    second.version = 1;
    assert_int_equal(nvmlDeviceGetMemoryInfo_v2(device, &second), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
    assert_int_equal(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, &process), NVML_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(process.pid, getpid());
    assert_int_equal(process.usedGpuMemory, memory.used);
    count = 0;
    assert_int_equal(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, NULL), NVML_ERROR_INSUFFICIENT_SIZE);
    assert_int_equal(count, 1);
    assert_int_equal(nvmlDeviceGetName(device, name, sizeof name), NVML_SUCCESS);
    assert_int_equal(cuDeviceGetName(driver_name, sizeof driver_name, 0), CUDA_SUCCESS);
    assert_string_equal(name, driver_name);
    assert_int_equal(nvmlSystemGetCudaDriverVersion_v2(&number), NVML_SUCCESS);
    assert_int_equal(cuDriverGetVersion(&expected), CUDA_SUCCESS);
    assert_int_equal(number, expected);
    assert_int_equal(nvmlDeviceGetCudaComputeCapability(device, &major, &minor), NVML_SUCCESS);
    assert_int_equal(cuDeviceGetAttribute(&expected, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0), CUDA_SUCCESS);
    assert_int_equal(major, expected);
    assert_int_equal(nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &megahertz), NVML_SUCCESS);
    assert_int_equal(cuDeviceGetAttribute(&expected, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0), CUDA_SUCCESS);
    assert_int_equal(megahertz, expected / 1000);
    assert_int_equal(nvmlDeviceGetClockInfo(device, NVML_CLOCK_VIDEO, &megahertz), NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(nvmlSystemGetDriverVersion(version, sizeof version), NVML_SUCCESS);
    assert_int_equal(sscanf(version, "%d.%d", &major, &minor), 2);
    assert_int_equal(cuMemFree(p) || cuCtxDestroy(context), CUDA_SUCCESS);
    assert_int_equal(nvmlShutdown(), NVML_SUCCESS);
}

static void refuses_the_rest(void **state)
{
    (void)state;
    unsigned milliwatts = 7;
    char said[512] = "";
    FILE *const file = tmpfile();
    assert_int_equal(nvmlInit_v2(), NVML_SUCCESS);
    const int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    const nvmlReturn_t first = nvmlDeviceGetPowerUsage(first_device(), &milliwatts),
                       second = nvmlDeviceGetPowerUsage(first_device(), &milliwatts);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(first, NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(second, NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(milliwatts, 7);
    assert_string_equal(said, "warpscape: nvmlDeviceGetPowerUsage is not supported; the program gets "
                              "NVML_ERROR_NOT_SUPPORTED\n");
    assert_int_equal(nvmlShutdown(), NVML_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_initialisation),   cmocka_unit_test(leaves_the_device_alone), cmocka_unit_test(handles),
        cmocka_unit_test(agrees_with_the_driver), cmocka_unit_test(refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
