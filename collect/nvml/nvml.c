/* nvml.c - libnvidia-ml.so.1: the device of libcuda.so.1, for programs that look before they use CUDA.
 *
 * Facts come from the driver and need no cuInit, so a program may ask in a process that forks afterwards. Sensors that
 * the engine does not have (power, temperature, utilisation, and everything in nvml_refused.def) are not supported. */
#include "collect/nvml/nvml.h"

#include "collect/cuda/facts.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The least driver of CUDA 13.0 (CUDA Toolkit 13.0 release notes, "CUDA Driver", table of toolkit driver versions). */
static const char driver_version[] = "580.65.06", library_version[] = "13.580.65.06";

static unsigned users; /* calls of nvmlInit without one of nvmlShutdown */
static struct nvmlDevice_st {
    char unused;
} the_device;

#define NEED(condition) \
    do { \
        if (!__atomic_load_n(&users, __ATOMIC_RELAXED)) \
            return NVML_ERROR_UNINITIALIZED; \
        if (!(condition)) \
            return NVML_ERROR_INVALID_ARGUMENT; \
    } while (0)

static ws_driver_facts facts_now(void)
{
    ws_driver_facts facts;
    ws_driver_get_facts(&facts);
    return facts;
}

static nvmlReturn_t give_text(char *to, unsigned length, const char *text)
{
    if (strlen(text) >= length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(to, text);
    return NVML_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ the library */

nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
    (void)flags; /* whether no device is an error: there is one */
    __atomic_fetch_add(&users, 1, __ATOMIC_RELAXED);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit(void)
{
    return nvmlInitWithFlags(0);
}

nvmlReturn_t nvmlInit_v2(void)
{
    return nvmlInitWithFlags(0);
}

nvmlReturn_t nvmlShutdown(void)
{
    unsigned before = __atomic_load_n(&users, __ATOMIC_RELAXED);
    while (before &&
           !__atomic_compare_exchange_n(&users, &before, before - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return before ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

const char *nvmlErrorString(nvmlReturn_t result)
{
    switch (result) {
    case NVML_SUCCESS:
        return "Success";
    case NVML_ERROR_UNINITIALIZED:
        return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
        return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
        return "Not Supported";
    case NVML_ERROR_NO_PERMISSION:
        return "Insufficient Permissions";
    case NVML_ERROR_ALREADY_INITIALIZED:
        return "Already Initialized";
    case NVML_ERROR_NOT_FOUND:
        return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
        return "Insufficient Size";
    case NVML_ERROR_ARGUMENT_VERSION_MISMATCH:
        return "Argument Version Mismatch";
    default:
        return "Unknown Error";
    }
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
    NEED(version);
    return give_text(version, length, driver_version);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length)
{
    NEED(version);
    return give_text(version, length, library_version);
}

/* These two need no nvmlInit. */
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    if (!version)
        return NVML_ERROR_INVALID_ARGUMENT;
    *version = facts_now().cuda_version;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

/* ------------------------------------------------------------------------------------------------ handles */

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count)
{
    NEED(count);
    *count = 1;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCount(unsigned int *count)
{
    return nvmlDeviceGetCount_v2(count);
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
    NEED(device && index == 0);
    *device = &the_device;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device)
{
    return nvmlDeviceGetHandleByIndex_v2(index, device);
}

/* GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx */
static void uuid_words(char text[41])
{
    const ws_driver_facts facts = facts_now();
    char *at = text + sprintf(text, "GPU");
    for (unsigned i = 0; i < sizeof facts.uuid; i++)
        at += sprintf(at, "%s%02x", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", facts.uuid[i]);
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    char ours[41];
    NEED(uuid && device);
    uuid_words(ours);
    if (strcasecmp(uuid, ours))
        return NVML_ERROR_NOT_FOUND;
    *device = &the_device;
    return NVML_SUCCESS;
}

/* The domain may have four or eight digits. */
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device)
{
    NEED(id && device);
    const char *const ours = facts_now().pci_bus_id;
    if (strcasecmp(id, ours) && (strncmp(id, "0000", 4) || strcasecmp(id + 4, ours)))
        return NVML_ERROR_NOT_FOUND;
    *device = &the_device;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice_t *device)
{
    return nvmlDeviceGetHandleByPciBusId_v2(id, device);
}

/* ------------------------------------------------------------------------------------------------ the device */

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    NEED(device == &the_device && name);
    return give_text(name, length, facts_now().name);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    NEED(device == &the_device && index);
    *index = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
    char ours[41];
    NEED(device == &the_device && uuid);
    uuid_words(ours);
    return give_text(uuid, length, ours);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    NEED(device == &the_device && memory);
    const ws_driver_facts facts = facts_now();
    *memory = (nvmlMemory_t){facts.memory_total, facts.memory_total - facts.memory_used, facts.memory_used};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    NEED(device == &the_device && memory);
    if (memory->version != NVML_STRUCT_VERSION(Memory, 2))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    const ws_driver_facts facts = facts_now();
    *memory = (nvmlMemory_v2_t){.version = memory->version,
                                .total = facts.memory_total,
                                .free = facts.memory_total - facts.memory_used,
                                .used = facts.memory_used};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    NEED(device == &the_device && major && minor);
    const unsigned capability = facts_now().capability;
    *major = (int)(capability / 10);
    *minor = (int)(capability % 10);
    return NVML_SUCCESS;
}

/* The clocks that the device has among its attributes; it has no others. */
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *megahertz)
{
    NEED(device == &the_device && megahertz && (unsigned)type <= NVML_CLOCK_VIDEO);
    const ws_driver_facts facts = facts_now();
    if (type == NVML_CLOCK_VIDEO)
        return NVML_ERROR_NOT_SUPPORTED;
    *megahertz = (unsigned)(type == NVML_CLOCK_MEM ? facts.memory_clock_khz : facts.clock_khz) / 1000;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *megahertz)
{
    return nvmlDeviceGetClockInfo(device, type, megahertz);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    NEED(device == &the_device && pci);
    memset(pci, 0, sizeof *pci);
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%s", facts_now().pci_bus_id);
    snprintf(pci->busId, sizeof pci->busId, "0000%s", facts_now().pci_bus_id);
    return NVML_SUCCESS;
}

/* Former layouts end before busId. */
nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    nvmlPciInfo_t whole;
    NEED(device == &the_device && pci);
    nvmlDeviceGetPciInfo_v3(device, &whole);
    memcpy(pci, &whole, offsetof(nvmlPciInfo_t, busId));
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    return nvmlDeviceGetPciInfo_v2(device, pci);
}

/* ------------------------------------------------------------------------------------------------ processes */

/* A device is of one process: the caller, if it has used CUDA. */
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *info)
{
    NEED(device == &the_device && count && (info || !*count));
    const ws_driver_facts facts = facts_now();
    const unsigned room = *count;
    *count = facts.is_used;
    if (facts.is_used && !room)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    if (facts.is_used)
        *info = (nvmlProcessInfo_t){(unsigned)getpid(), facts.memory_used, UINT_MAX, UINT_MAX};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *info)
{
    return nvmlDeviceGetComputeRunningProcesses_v3(device, count, info);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v1_t *info)
{
    nvmlProcessInfo_t one;
    NEED(device == &the_device && count && (info || !*count));
    const nvmlReturn_t result = nvmlDeviceGetComputeRunningProcesses_v3(device, count, &one);
    if (!result && *count)
        *info = (nvmlProcessInfo_v1_t){one.pid, one.usedGpuMemory};
    return result;
}

/* There is no graphics. */
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *info)
{
    NEED(device == &the_device && count && (info || !*count));
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *info)
{
    return nvmlDeviceGetGraphicsRunningProcesses_v3(device, count, info);
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v1_t *info)
{
    NEED(device == &the_device && count && (info || !*count));
    *count = 0;
    return NVML_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ the rest */

static nvmlReturn_t refuse(const char *name, bool *said)
{
    if (!__atomic_load_n(&users, __ATOMIC_RELAXED))
        return NVML_ERROR_UNINITIALIZED;
    if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED))
        fprintf(stderr, "warpscape: %s is not supported; the program gets NVML_ERROR_NOT_SUPPORTED\n", name);
    return NVML_ERROR_NOT_SUPPORTED;
}

/* Arguments are ignored. */
#define REFUSED(name) \
    nvmlReturn_t name(void); \
    nvmlReturn_t name(void) \
    { \
        static bool said; \
        return refuse(#name, &said); \
    }
#include "collect/nvml/nvml_refused.def"
#undef REFUSED
