/* driver_context.c - who owns modules and memory, and which context does this thread use? */
#include "collect/cuda/graph_internal.h"

#include <stdlib.h>
#include <string.h>

enum { STACK_DEPTH = 64, API_VERSION = 3020 };

/* Contexts of this thread; the top is the current one. Entries may have been destroyed by another thread. */
static _Thread_local struct {
    CUcontext item[STACK_DEPTH];
    unsigned n;
} stack;

CUcontext ws_context_current(void)
{
    return stack.n ? stack.item[stack.n - 1] : NULL;
}

static CUresult push(CUcontext context)
{
    if (stack.n == STACK_DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stack.item[stack.n++] = context;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ life */

static CUcontext make_context(unsigned flags)
{
    const CUcontext context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    context->flags = flags;
    context->uses = 1;
    context->id = ++ws_the_driver.context_ids;
    ws_handle_add(&context->handle, (uintptr_t)context, WS_HANDLE_CONTEXT, context);
    return context;
}

static void release(ws_handle *handle)
{
    switch (handle->kind) {
    case WS_HANDLE_MODULE:
        ws_module_release((CUmodule)handle);
        break;
    case WS_HANDLE_LINK:
        ws_link_release((CUlinkState)handle);
        break;
    case WS_HANDLE_MEMORY:
        ws_allocation_release((ws_allocation *)handle);
        break;
    case WS_HANDLE_ARRAY:
        ws_array_release((CUarray)handle);
        break;
    case WS_HANDLE_TEXTURE:
        ws_texture_object_release((ws_texture_object *)handle);
        break;
    case WS_HANDLE_STREAM:
        ws_stream_release((CUstream)handle);
        break;
    case WS_HANDLE_EVENT:
        ws_event_release((CUevent)handle);
        break;
    case WS_HANDLE_GRAPH:
        ws_graph_release((CUgraph)handle);
        break;
    case WS_HANDLE_EXEC:
        ws_exec_release((CUgraphExec)handle);
        break;
    case WS_HANDLE_POOL:
        ws_pool_release((CUmemoryPool)handle);
        break;
    default:
        ws_handle_remove(handle);
        free(handle);
    }
}

/* Functions and texture variables go with their modules, nodes and child graphs with their graphs, graphs that are
 * captured with their streams. */
static bool goes_with_another(const ws_handle *h)
{
    return h->kind == WS_HANDLE_CONTEXT || h->kind == WS_HANDLE_FUNCTION || h->kind == WS_HANDLE_TEXREF ||
           h->kind == WS_HANDLE_NODE || (h->kind == WS_HANDLE_GRAPH && ws_graph_is_held((CUgraph)h));
}

/* So this looks from the start again after each. */
static ws_handle *first_owned(CUcontext context)
{
    for (ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        if (h->owner == context && !goes_with_another(h))
            return h;
    }
    return NULL;
}

static bool any_live(ws_handle_kind kind)
{
    for (const ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        if (h->kind == kind)
            return true;
    }
    return false;
}

void ws_context_drop_device(void)
{
    ws_virtual_close();
    ws_device_destroy(ws_the_driver.device);
    ws_the_driver.device = NULL;
}

/* All that the context owns goes; the host waits until its work is done. */
static void empty_context(CUcontext context)
{
    ws_clock_wait_until(context->end);
    ws_order_host_waits_for_all();
    ws_leaks_tell(context);
    for (ws_handle *h; (h = first_owned(context));)
        release(h);
}

static void destroy_context(CUcontext context)
{
    empty_context(context);
    ws_handle_remove(&context->handle);
    ws_moment_fini(&context->order);
    ws_moment_fini(&context->blocking_order);
    free(context);
    if (!any_live(WS_HANDLE_CONTEXT))
        ws_context_drop_device();
}

/* ------------------------------------------------------------------------------------------------ primary */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    WS_ENTER_DRIVER();
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    ws_driver *const driver = &ws_the_driver;
    if (driver->primary)
        driver->primary->uses++;
    else
        driver->primary = make_context(driver->primary_flags);
    *context = driver->primary;
    return *context ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    WS_ENTER_DRIVER();
    ws_driver *const driver = &ws_the_driver;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!driver->primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (--driver->primary->uses == 0) {
        destroy_context(driver->primary);
        driver->primary = NULL;
    }
    return CUDA_SUCCESS;
}

/* Everything in the context goes; the context itself stays for those who retain it, without its fault. */
CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    WS_ENTER_DRIVER();
    const CUcontext primary = ws_the_driver.primary;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!primary)
        return CUDA_SUCCESS;
    empty_context(primary);
    primary->fault = CUDA_SUCCESS;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    ws_the_driver.primary_flags = flags;
    if (ws_the_driver.primary)
        ws_the_driver.primary->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = ws_the_driver.primary_flags;
    *active = ws_the_driver.primary != NULL;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ others */

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    WS_ENTER_DRIVER();
    if (!context || flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    const CUcontext made = make_context(flags);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    const CUresult result = push(made);
    if (result)
        destroy_context(made);
    else
        *context = made;
    return result;
}

/* The forms of CUDA 11.4 and 12.5; execution affinity and the like ask for more than one device's worth of features. */
CUresult cuCtxCreate_v3(CUcontext *context, const void *affinity, int count, unsigned int flags, CUdevice device)
{
    return affinity || count ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : cuCtxCreate(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, const void *params, unsigned int flags, CUdevice device)
{
    struct { /* CUctxCreateParams */
        const void *affinity;
        int affinities;
        const void *graphics;
    } wishes = {0};
    if (params) /* programs without any pass a structure of zeros */
        memcpy(&wishes, params, sizeof wishes);
    const bool any = wishes.affinity || wishes.affinities || wishes.graphics;
    return any ? CUDA_ERROR_INVALID_VALUE : cuCtxCreate(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context)
{
    WS_ENTER_DRIVER();
    if (context && !ws_handle_find(context, WS_HANDLE_CONTEXT))
        return CUDA_ERROR_CONTEXT_IS_DESTROYED; /* as driver 580 answers */
    if (!context || context == ws_the_driver.primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    destroy_context(context);
    if (ws_context_current() == context)
        stack.n--;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    WS_ENTER_DRIVER();
    return ws_handle_find(context, WS_HANDLE_CONTEXT) ? push(context) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    WS_ENTER_DRIVER();
    if (!stack.n)
        return CUDA_ERROR_INVALID_CONTEXT;
    const CUcontext top = stack.item[--stack.n];
    if (context)
        *context = top;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    WS_ENTER_DRIVER();
    if (context && !ws_handle_find(context, WS_HANDLE_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (stack.n)
        stack.n--;
    return context ? push(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    WS_ENTER_DRIVER();
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = ws_context_current();
    return CUDA_SUCCESS;
}

/* A getter and a setter of the current context. */
#define GETTER(call, type, value) \
    CUresult call(type *out) \
    { \
        WS_ENTER_CONTEXT(context); \
        if (!out) \
            return CUDA_ERROR_INVALID_VALUE; \
        *out = value; \
        return CUDA_SUCCESS; \
    }
#define SETTER(call, type, member, is_wrong) \
    CUresult call(type value) \
    { \
        WS_ENTER_CONTEXT(context); \
        if (is_wrong) \
            return CUDA_ERROR_INVALID_VALUE; \
        context->member = value; \
        return CUDA_SUCCESS; \
    }

GETTER(cuCtxGetDevice, CUdevice, 0)
GETTER(cuCtxGetFlags, unsigned int, context->flags)
GETTER(cuCtxGetCacheConfig, CUfunc_cache, context->cache)
GETTER(cuCtxGetSharedMemConfig, CUsharedconfig, context->banks)
SETTER(cuCtxSetCacheConfig, CUfunc_cache, cache, (unsigned)value > CU_FUNC_CACHE_PREFER_EQUAL)
SETTER(cuCtxSetSharedMemConfig, CUsharedconfig, banks, (unsigned)value > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
/* Those that spin, yield or block wait alike here: work is done when its call returns. */
SETTER(cuCtxSetFlags, unsigned int, flags, value & ~(unsigned)CU_CTX_FLAGS_MASK)

CUresult cuCtxGetId(CUcontext wanted, unsigned long long *id)
{
    WS_ENTER_CONTEXT(context);
    const CUcontext c = wanted ? ws_handle_find(wanted, WS_HANDLE_CONTEXT) : context;
    if (!c)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (!id)
        return CUDA_ERROR_INVALID_VALUE;
    *id = c->id;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
    WS_ENTER_DRIVER();
    if (context && !ws_handle_find(context, WS_HANDLE_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = API_VERSION;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ settings */

/* Local memory of a thread ends at 512 KiB (CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability"). Stacks and the heap have units and a least size, as driver 580 answers. */
enum { MOST_STACK = 512 << 10, STACK_UNIT = 16, LEAST_HEAP = 4 << 20, L2_FETCH = 64, MOST_L2_FETCH = 128 };

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    WS_ENTER_CONTEXT(context);
    switch (limit) {
    case CU_LIMIT_MALLOC_HEAP_SIZE: /* fixed once a kernel uses the heap */
        value = value < LEAST_HEAP ? LEAST_HEAP : value;
        if (ws_the_driver.device && ws_device_set_heap(ws_the_driver.device, value))
            return CUDA_ERROR_INVALID_VALUE;
        ws_the_driver.heap_bytes = value;
        return CUDA_SUCCESS;
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
        if (!value || value > UINT32_MAX)
            return CUDA_ERROR_INVALID_VALUE;
        ws_the_driver.pending_launches = (uint32_t)value;
        if (ws_the_driver.device)
            ws_device_set_pending_launches(ws_the_driver.device, (uint32_t)value);
        return CUDA_SUCCESS;
    case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH:
        if (value > WS_MOST_SYNC_DEPTH)
            return CUDA_ERROR_INVALID_VALUE;
        ws_the_driver.sync_depth = (uint32_t)value;
        ws_the_driver.sync_depth_set = true;
        if (ws_the_driver.device)
            ws_device_set_sync_depth(ws_the_driver.device, (uint32_t)value);
        return CUDA_SUCCESS;
    case CU_LIMIT_STACK_SIZE: /* stacks grow by themselves; it says how deep functions may call each other */
        if (value > MOST_STACK)
            return CUDA_ERROR_INVALID_VALUE;
        value = (value + STACK_UNIT - 1) / STACK_UNIT * STACK_UNIT;
        ws_the_driver.stack_bytes = value;
        if (ws_the_driver.device)
            ws_device_set_stack(ws_the_driver.device, value);
        return CUDA_SUCCESS;
    case CU_LIMIT_PRINTF_FIFO_SIZE:
        ws_the_driver.print_bytes = value;
        if (ws_the_driver.device)
            ws_device_set_print(ws_the_driver.device, value);
        return CUDA_SUCCESS;
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY: /* a hint */
        return value <= MOST_L2_FETCH ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    default:
        return (unsigned)limit < CU_LIMIT_MAX ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    WS_ENTER_CONTEXT(context);
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    switch (limit) {
    case CU_LIMIT_MALLOC_HEAP_SIZE:
        *value = ws_the_driver.heap_bytes ? ws_the_driver.heap_bytes : (size_t)8 << 20;
        return CUDA_SUCCESS;
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
        *value = ws_the_driver.pending_launches ? ws_the_driver.pending_launches : 2048;
        return CUDA_SUCCESS;
    case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH:
        *value = ws_the_driver.sync_depth_set ? ws_the_driver.sync_depth : WS_SYNC_DEPTH;
        return CUDA_SUCCESS;
    case CU_LIMIT_STACK_SIZE:
        *value = ws_the_driver.stack_bytes ? ws_the_driver.stack_bytes : 1024;
        return CUDA_SUCCESS;
    case CU_LIMIT_PRINTF_FIFO_SIZE:
        *value = ws_the_driver.print_bytes ? ws_the_driver.print_bytes : WS_PRINT_BYTES;
        return CUDA_SUCCESS;
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
        *value = L2_FETCH;
        return CUDA_SUCCESS;
    case CU_LIMIT_SHMEM_SIZE:
        *value = (size_t)ws_device_limits()->block_shared_bytes;
        return CUDA_SUCCESS;
    case CU_LIMIT_CIG_ENABLED: /* compute in graphics: no graphics here */
        *value = 0;
        return CUDA_SUCCESS;
    default:
        return (unsigned)limit < CU_LIMIT_MAX ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE;
    }
}
