/* driver_device.c - what is this device, and what do results mean? */
#include "collect/cuda/driver_internal.h"
#include "collect/cuda/facts.h"

#include "base/shown.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char PCI_BUS_ID[] = "0000:00:00.0", DEVICE_NAME[] = "warpscape SIMT engine";
static const CUuuid ours = {"warpscape-device"}; /* 16 characters, no NUL */

/* ------------------------------------------------------------------------------------------------ start and end */

/* Runs when the process ends, with its exit status: writes down what is not yet in the results file. A program whose
 * results are lost must not look like a success, and this late the only way to say so is to end it here. */
static void close_recorder(int exit_status, void *context)
{
    ws_driver *const driver = context;
    __atomic_store_n(&driver->leaving, true, __ATOMIC_RELAXED); /* another thread's kernel stops soon */
    pthread_mutex_lock(&driver->lock);
    ws_recorder *const recorder = driver->recorder;
    driver->recorder = NULL;
    ws_leaks_tell(NULL);
    ws_host_sites_fini(&driver->sites);
    driver->checker = NULL; /* it goes with the recorder */
    if (driver->device)
        ws_device_set_checker(driver->device, NULL);
    if (ws_recorder_close(recorder, driver->copied, exit_status)) {
        ws_show_line(stderr, "warpscape: %s", ws_message());
        fflush(NULL);
        _exit(exit_status ? exit_status : EXIT_FAILURE);
    }
    pthread_mutex_unlock(&driver->lock);
}

/* Threads of the engine do not live on in a child, and the results file belongs to the parent. */
static void before_fork(void)
{
    pthread_mutex_lock(&ws_the_driver.lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&ws_the_driver.lock);
}

static void in_child(void)
{
    const pthread_mutex_t fresh = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    ws_the_driver.lock = fresh;
    ws_the_driver.forked = true;
    ws_the_driver.said_forked = false;
    ws_the_driver.parents = ws_the_driver.recorder;
    ws_the_driver.recorder = NULL;
    ws_the_driver.checker = NULL;
    ws_the_driver.copied = &ws_the_driver.own_copied;
}

static CUresult refuse_forked(void)
{
    if (!ws_the_driver.said_forked) {
        ws_fail(WS_EINPUT,
                "process %ld was forked after its parent had initialized CUDA, and cannot use it; fork "
                "first, or exec",
                (long)getpid());
        ws_driver_report(WS_EINPUT);
    }
    ws_the_driver.said_forked = true;
    return CUDA_ERROR_NOT_INITIALIZED;
}

static CUresult initialize(ws_driver *driver)
{
    ws_recorder_options options = {0};
    const int status = ws_recorder_open(&driver->recorder, &options);
    if (status)
        return ws_driver_report(status);
    driver->workers = options.workers;
    driver->pages = options.pages;
    driver->bounds = options.bounds;
    driver->alignment = options.alignment;
    driver->goes_on = options.goes_on;
    driver->checker = options.checker;
    driver->copied = options.copied ? options.copied : &driver->own_copied;
    if (on_exit(close_recorder, driver) || pthread_atfork(before_fork, in_parent, in_child))
        return CUDA_ERROR_OPERATING_SYSTEM;
    driver->initialized = true;
    return CUDA_SUCCESS;
}

CUresult cuInit(unsigned int flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&ws_the_driver.lock);
    const CUresult result = ws_the_driver.forked        ? refuse_forked()
                            : ws_the_driver.initialized ? CUDA_SUCCESS
                                                        : initialize(&ws_the_driver);
    pthread_mutex_unlock(&ws_the_driver.lock);
    return result;
}

CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = WS_DRIVER_VERSION;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ results */

static const struct {
    CUresult result;
    const char *name, *text;
} results[] = {
#define RESULT(name, value, text) {name, #name, text},
#include "collect/cuda/cuda_errors.def"
#undef RESULT
};

static CUresult describe(CUresult error, bool name, const char **out)
{
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = NULL;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (results[i].result == error)
            *out = name ? results[i].name : results[i].text;
    }
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    return describe(error, true, name);
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    return describe(error, false, text);
}

/* ------------------------------------------------------------------------------------------------ device */

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    WS_ENTER_DRIVER();
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (ordinal != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    WS_ENTER_DRIVER();
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = 1;
    return CUDA_SUCCESS;
}

static CUresult copy_text(char *to, int length, CUdevice device, const char *text)
{
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!to || length <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(to, (size_t)length, "%s", text);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    WS_ENTER_DRIVER();
    return copy_text(name, length, device, DEVICE_NAME);
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device)
{
    WS_ENTER_DRIVER();
    return copy_text(id, length, device, PCI_BUS_ID);
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    WS_ENTER_DRIVER();
    if (!device || !id)
        return CUDA_ERROR_INVALID_VALUE;
    if (strcmp(id, PCI_BUS_ID))
        return CUDA_ERROR_INVALID_DEVICE;
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!uuid)
        return CUDA_ERROR_INVALID_VALUE;
    *uuid = ours;
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result;
    const ws_device *const engine = ws_driver_device(&result);
    if (engine)
        *bytes = ws_device_memory_total(engine);
    return result;
}

int ws_device_attribute(CUdevice_attribute attribute)
{
    switch ((int)attribute) {
#define ATTRIBUTE(name, number, value) \
    case CU_DEVICE_ATTRIBUTE_##name: \
        return value;
#include "collect/cuda/cuda_attributes.def"
#undef ATTRIBUTE
    default:
        return 0;
    }
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!value || (int)attribute < 1 || attribute >= CU_DEVICE_ATTRIBUTE_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    *value = ws_device_attribute(attribute);
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!major || !minor)
        return CUDA_ERROR_INVALID_VALUE;
    *major = ws_device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    *minor = ws_device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    WS_ENTER_DRIVER();
    if (device != 0 || peer != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!can)
        return CUDA_ERROR_INVALID_VALUE;
    *can = 0; /* a device is no peer of itself */
    return CUDA_SUCCESS;
}

/* Another library may ask before cuInit, and in a process that forks afterwards: nothing is created here. */
void ws_driver_get_facts(ws_driver_facts *facts)
{
    uint64_t wanted;
    pthread_mutex_lock(&ws_the_driver.lock);
    const ws_device *const device = ws_the_driver.device;
    const uint64_t expected = !ws_driver_memory(&wanted) && wanted ? wanted : ws_device_memory_default();
    *facts = (ws_driver_facts){.name = DEVICE_NAME,
                               .pci_bus_id = PCI_BUS_ID,
                               .capability = ws_device_capability(),
                               .cuda_version = WS_DRIVER_VERSION,
                               .clock_khz = ws_device_attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
                               .memory_clock_khz = ws_device_attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
                               .memory_total = device ? ws_device_memory_total(device) : expected,
                               .memory_used = device ? ws_device_memory_total(device) - ws_memory_available(device) : 0,
                               .is_used = device};
    memcpy(facts->uuid, ours.bytes, sizeof facts->uuid);
    pthread_mutex_unlock(&ws_the_driver.lock);
}
