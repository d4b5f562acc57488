/* driver_memory.c - who owns which bytes of the device? Pinned host memory comes out of the same region, because it has
 * one address on both sides (unified addressing). */
#include "collect/cuda/graph_internal.h"

#include "base/bounds.h"
#include "base/status.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PITCH_BYTES = 512 };

/* ------------------------------------------------------------------------------------------------ allocations */

CUresult ws_allocation_make(CUcontext context, uint64_t bytes, ws_allocation **out)
{
    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result;
    ws_device *const device = ws_driver_device(&result);
    ws_allocation *const a = device ? calloc(1, sizeof *a) : NULL;
    if (!a)
        return result ? result : CUDA_ERROR_OUT_OF_MEMORY;
    uint64_t address = 0;
    const int status = ws_device_alloc(device, bytes, &address);
    if (status) {
        free(a);
        return ws_driver_report(status);
    }
    a->bytes = bytes;
    ws_device_fresh(device, address, bytes);
    ws_handle_add(&a->handle, (uintptr_t)address, WS_HANDLE_MEMORY, context);
    *out = a;
    return CUDA_SUCCESS;
}

void ws_allocation_release(ws_allocation *allocation)
{
    if (allocation->pool)
        ws_pool_give_back(allocation->pool, allocation->bytes, NULL);
    if (allocation->live)
        ws_the_driver.graph_used -= allocation->bytes;
    ws_handle_remove(&allocation->handle);
    if (allocation->registered) {
        ws_device_unregister(ws_the_driver.device, allocation->handle.key);
    } else {
        if (allocation->host)
            ws_the_driver.host_bytes -= allocation->bytes;
        ws_device_free(ws_the_driver.device, allocation->handle.key);
    }
    free(allocation);
}

ws_allocation *ws_allocation_find(uint64_t address)
{
    uint64_t base = 0;
    if (!ws_the_driver.device || ws_device_find(ws_the_driver.device, address, &base, NULL))
        return NULL;
    return ws_handle_find((const void *)(uintptr_t)base, WS_HANDLE_MEMORY);
}

static CUresult free_allocation(uintptr_t address, bool host)
{
    ws_allocation *const a = ws_handle_find((const void *)address, WS_HANDLE_MEMORY);
    if (!a || a->host != host || a->registered)
        return ws_driver_report_call(
            ws_fail(WS_EINPUT, "free of 0x%llx: not the start of %s memory that is allocated (freed before?)",
                    (unsigned long long)address, host ? "host" : "device"));
    const CUresult result = ws_capture_forbids();
    if (result)
        return result;
    ws_order_host_waits_for_all(); /* CUDA C++ Programming Guide 13, "Stream Ordered Memory Allocator": it waits for all
                                      streams */
    if (a->graph)
        return ws_graph_memory_end(address);
    ws_allocation_release(a);
    return CUDA_SUCCESS;
}

/* The same for calls that a capture in progress forbids. The engine does not count memory without an address. */
static CUresult allocate(CUcontext context, uint64_t bytes, ws_allocation **out)
{
    CUresult result = ws_capture_forbids();
    const ws_device *const device = result || !ws_the_driver.physical_bytes ? NULL : ws_driver_device(&result);
    if (device && bytes > ws_memory_available(device))
        return ws_driver_report(ws_fail(WS_EMEM,
                                        "device memory is full: no place for %llu bytes beside the %llu of "
                                        "virtual memory management",
                                        (unsigned long long)bytes, (unsigned long long)ws_the_driver.physical_bytes));
    return result ? result : ws_allocation_make(context, bytes, out);
}

/* ------------------------------------------------------------------------------------------------ device memory */

uint64_t ws_memory_available(const ws_device *device)
{
    const uint64_t total = ws_device_memory_total(device);
    const uint64_t taken =
        ws_device_memory_used(device) - ws_the_driver.host_bytes + ws_pools_unused() + ws_the_driver.physical_bytes;
    return taken < total ? total - taken : 0;
}

CUresult cuMemGetInfo(size_t *available, size_t *total)
{
    WS_ENTER_CONTEXT(context);
    if (!available || !total)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result;
    const ws_device *const device = ws_driver_device(&result);
    if (device) {
        *total = ws_device_memory_total(device);
        *available = ws_memory_available(device);
    }
    return result;
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
    WS_ENTER_CONTEXT(context);
    if (!address)
        return CUDA_ERROR_INVALID_VALUE;
    ws_allocation *a = NULL;
    const CUresult result = allocate(context, bytes, &a);
    if (!result)
        *address = a->handle.key;
    return result;
}

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int element)
{
    WS_ENTER_CONTEXT(context);
    size_t bytes;
    if (!address || !pitch || !width || !height || (element != 4 && element != 8 && element != 16) ||
        width > SIZE_MAX - PITCH_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    const size_t row = (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
    if (__builtin_mul_overflow(row, height, &bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    const CUresult result = cuMemAlloc(address, bytes);
    if (!result)
        *pitch = row;
    return result;
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!address || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    ws_allocation *a = NULL;
    const CUresult result = allocate(context, bytes, &a);
    if (!result) {
        a->managed = true;
        ws_device_wrote(ws_the_driver.device, a->handle.key, bytes); /* what the host does there nobody sees */
        *address = a->handle.key;
    }
    return result;
}

CUresult cuMemFree(CUdeviceptr address)
{
    WS_ENTER_CONTEXT(context);
    return address ? free_allocation(address, false) : CUDA_SUCCESS; /* nothing is freed, as driver 580 answers */
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    WS_ENTER_CONTEXT(context);
    const ws_allocation *const a = ws_allocation_find(address);
    if (!a)
        return CUDA_ERROR_NOT_FOUND;
    if (base)
        *base = a->handle.key;
    if (bytes)
        *bytes = a->bytes;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ host memory */

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!pointer || flags & ~7u)
        return CUDA_ERROR_INVALID_VALUE;
    ws_allocation *a = NULL;
    const CUresult result = allocate(context, bytes, &a);
    if (!result) {
        a->host = true;
        a->flags = flags;
        ws_device_wrote(ws_the_driver.device, a->handle.key, bytes);
        ws_the_driver.host_bytes += bytes;
        *pointer = (void *)a->handle.key;
    }
    return result;
}

CUresult cuMemAllocHost(void **pointer, size_t bytes)
{
    return cuMemHostAlloc(pointer, bytes, CU_MEMHOSTALLOC_DEVICEMAP);
}

CUresult cuMemFreeHost(void *pointer)
{
    WS_ENTER_CONTEXT(context);
    return free_allocation((uintptr_t)pointer, true);
}

static ws_allocation *find_host(void *pointer)
{
    ws_allocation *const a = ws_allocation_find((uintptr_t)pointer);
    return a && a->host ? a : NULL;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *pointer, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!address || flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!find_host(pointer))
        return CUDA_ERROR_INVALID_VALUE;
    *address = (uintptr_t)pointer;
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *pointer)
{
    WS_ENTER_CONTEXT(context);
    const ws_allocation *const a = find_host(pointer);
    if (!flags || !a)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = a->flags;
    return CUDA_SUCCESS;
}

/* Whether all pages are there: kernels are to get an error of CUDA's and not one of the operating system's. */
static bool is_mapped(uintptr_t address, size_t bytes)
{
    enum { PAGE = 4096, PAGES = 1024 };
    unsigned char there[PAGES];
    for (uintptr_t at = address / PAGE * PAGE; at < address + bytes; at += (uintptr_t)PAGE * PAGES) {
        const size_t rest = address + bytes - at, most = (size_t)PAGE * PAGES;
        if (mincore((void *)at, rest < most ? rest : most, there))
            return false;
    }
    return true;
}

/* Memory of the program keeps its address, which is also what kernels know it by. */
CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    const unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP;
    if (!pointer || !bytes || !ws_range_within((uintptr_t)pointer, bytes, UINTPTR_MAX) ||
        !is_mapped((uintptr_t)pointer, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & ~known)
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult result;
    ws_device *const device = ws_driver_device(&result);
    ws_allocation *const a = device ? calloc(1, sizeof *a) : NULL;
    if (!a)
        return result ? result : CUDA_ERROR_OUT_OF_MEMORY;
    const int status = ws_device_register(device, (uintptr_t)pointer, bytes, false);
    if (status) {
        free(a);
        const ws_allocation *const there = find_host(pointer);
        if (there && !there->registered) /* of cuMemAllocHost, as driver 580 answers */
            return CUDA_ERROR_INVALID_VALUE;
        return status == WS_EMEM ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    }
    *a = (ws_allocation){.bytes = bytes, .host = true, .registered = true, .flags = flags};
    ws_handle_add(&a->handle, (uintptr_t)pointer, WS_HANDLE_MEMORY, context);
    return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *pointer)
{
    WS_ENTER_CONTEXT(context);
    ws_allocation *const a = ws_handle_find(pointer, WS_HANDLE_MEMORY);
    if (!a || !a->registered || a->mapped)
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    ws_allocation_release(a);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ questions */

static CUresult attribute_of(const ws_allocation *a, CUpointer_attribute attribute, CUdeviceptr address, void *value)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)value = a->handle.owner;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = a->host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)value = address;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!a->host && !a->managed)
            return CUDA_ERROR_INVALID_VALUE;
        *(void **)value = (void *)(uintptr_t)address;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned char *)value = a->managed;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)value = 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *(CUdeviceptr *)value = a->handle.key;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *(size_t *)value = a->bytes;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

/* What contains the address; of a variable of a module, which nobody allocated, a description in *variable. */
static const ws_allocation *described(CUcontext context, CUdeviceptr address, ws_allocation *variable)
{
    uint64_t base = 0, bytes = 0;
    const ws_allocation *const a = ws_allocation_find(address);
    if (a || !ws_the_driver.device || ws_device_find(ws_the_driver.device, address, &base, &bytes))
        return a;
    *variable = (ws_allocation){.handle = {.key = base, .owner = context}, .bytes = bytes};
    return variable;
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    WS_ENTER_CONTEXT(context);
    ws_allocation variable;
    const ws_allocation *const a = described(context, address, &variable);
    if (!value || !a)
        return CUDA_ERROR_INVALID_VALUE;
    return attribute_of(a, attribute, address, value);
}

CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **values, CUdeviceptr address)
{
    WS_ENTER_CONTEXT(context);
    ws_allocation variable;
    const ws_allocation *const a = described(context, address, &variable);
    if (!count || !attributes || !values)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if (!values[i])
            return CUDA_ERROR_INVALID_VALUE;
        if (a)
            attribute_of(a, attributes[i], address, values[i]); /* what is unknown keeps the caller's value */
    }
    return CUDA_SUCCESS;
}
