/* driver_pool.c - memory pools: allocations that are ordered with the work of streams.
 *
 * A pool is an account. Each allocation is one of the device's own, so that kernels which run past its end or use it
 * after it was freed are caught; the pool counts what it would keep from the system and who may have it next. What was
 * freed in a stream can be had again by
 *   - the same stream;
 *   - a stream that has waited for an event as late as the free (REUSE_FOLLOW_EVENT_DEPENDENCIES);
 *   - any stream when the free is over, by the clock of the host thread (REUSE_ALLOW_OPPORTUNISTIC);
 *   - any stream, which then waits for the free (REUSE_ALLOW_INTERNAL_DEPENDENCIES).
 * Otherwise the pool grows. When the host waits for something, what is unused above the threshold goes back. */
#include "collect/cuda/graph_internal.h"

#include "base/bounds.h"
#include "base/grow.h"

#include <stdlib.h>

/* Sizes are rounded up, and a pool grows, in these steps. */
enum { ROUND_BYTES = 512, GROW_BYTES = 32 << 20 };

typedef struct freed {
    unsigned long long stream; /* its id */
    uint64_t bytes, time;      /* all of it is free from then on */
} freed;

struct CUmemPoolHandle_st {
    ws_handle handle;
    CUmemPoolProps props;
    bool is_default, gone; /* gone: destroyed while allocations live */
    int reuse[3];          /* by attribute, from CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES */
    uint64_t threshold;
    uint64_t reserved, reserved_high, used; /* used: rounded up, as reserved bytes are given out */
    uint64_t asked, asked_high;             /* what the attributes say is used: to the byte, as driver 580 answers */
    uint64_t allocations;
    freed *freed; /* one entry for each stream */
    size_t freed_count, freed_room;
};

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static uint64_t freed_bytes(const struct CUmemPoolHandle_st *pool)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < pool->freed_count; i++)
        sum += pool->freed[i].bytes;
    return sum;
}

/* Reserved, and nobody has had it since. */
static uint64_t slack(const struct CUmemPoolHandle_st *pool)
{
    return pool->reserved - pool->used - freed_bytes(pool);
}

/* ------------------------------------------------------------------------------------------------ life */

static CUmemoryPool make_pool(const CUmemPoolProps *props)
{
    const CUmemoryPool pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->props = *props;
    for (int i = 0; i < 3; i++)
        pool->reuse[i] = 1;
    ws_the_driver.pools++;
    ws_handle_add(&pool->handle, (uintptr_t)pool, WS_HANDLE_POOL, NULL); /* of the device, not of a context */
    return pool;
}

static CUmemoryPool default_pool(void)
{
    if (!ws_the_driver.default_pool) {
        const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
        ws_the_driver.default_pool = make_pool(&props);
        if (ws_the_driver.default_pool)
            ws_the_driver.default_pool->is_default = true;
    }
    return ws_the_driver.default_pool;
}

static CUmemoryPool current_pool(void)
{
    return ws_the_driver.current_pool ? ws_the_driver.current_pool : default_pool();
}

void ws_pool_release(CUmemoryPool pool)
{
    if (!pool->gone)
        ws_handle_remove(&pool->handle);
    ws_the_driver.pools--;
    free(pool->freed);
    free(pool);
}

CUresult ws_pool_check_props(const CUmemPoolProps *p)
{
    if (p->allocType != CU_MEM_ALLOCATION_TYPE_PINNED || p->win32SecurityAttributes)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->handleTypes != CU_MEM_HANDLE_TYPE_NONE) /* other processes have engines of their own */
        return CUDA_ERROR_NOT_SUPPORTED;
    if (p->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return p->location.type == CU_MEM_LOCATION_TYPE_INVALID ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
    return p->location.id ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; /* as driver 580 answers */
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *props)
{
    WS_ENTER_DRIVER();
    if (!pool || !props)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = ws_pool_check_props(props);
    if (result)
        return result;
    *pool = make_pool(props);
    return *pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    WS_ENTER_DRIVER();
    if (!ws_handle_find(pool, WS_HANDLE_POOL) || pool->is_default)
        return CUDA_ERROR_INVALID_VALUE;
    if (ws_the_driver.current_pool == pool)
        ws_the_driver.current_pool = NULL;
    if (!pool->allocations) {
        ws_pool_release(pool);
        return CUDA_SUCCESS;
    }
    ws_handle_remove(&pool->handle); /* the last free does the rest */
    pool->gone = true;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ of the device */

static CUresult give_pool(CUmemoryPool *pool, CUdevice device, CUmemoryPool (*which)(void))
{
    WS_ENTER_DRIVER();
    if (device != 0 || !pool)
        return CUDA_ERROR_INVALID_VALUE; /* as driver 580 answers */
    *pool = which();
    return *pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    return give_pool(pool, device, default_pool);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    return give_pool(pool, device, current_pool);
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!ws_handle_find(pool, WS_HANDLE_POOL))
        return CUDA_ERROR_INVALID_VALUE;
    ws_the_driver.current_pool = pool;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ allocating */

/* Takes `need` bytes that were freed, of the first entry that is large enough and that `may` allows. */
static bool take_freed(CUmemoryPool pool, uint64_t need, CUstream s,
                       bool (*may)(const struct CUmemPoolHandle_st *pool, const freed *f, CUstream s))
{
    for (size_t i = 0; i < pool->freed_count; i++) {
        freed *const f = &pool->freed[i];
        if (f->bytes >= need && may(pool, f, s)) {
            f->bytes -= need;
            return true;
        }
    }
    return false;
}

static bool is_own(const struct CUmemPoolHandle_st *pool, const freed *f, CUstream s)
{
    (void)pool;
    return f->stream == s->id;
}

static bool is_before(const struct CUmemPoolHandle_st *pool, const freed *f, CUstream s)
{
    return (pool->reuse[0] && f->time <= s->joined) || (pool->reuse[1] && f->time <= ws_clock_host());
}

static bool can_wait(const struct CUmemPoolHandle_st *pool, const freed *f, CUstream s)
{
    if (!pool->reuse[2])
        return false;
    ws_stream_ends(s, f->time);
    return true;
}

static CUresult grow(CUmemoryPool pool, uint64_t need)
{
    const uint64_t more = round_up(need - slack(pool), GROW_BYTES);
    const uint64_t most =
        pool->props.maxSize < UINT64_MAX - GROW_BYTES ? round_up(pool->props.maxSize, GROW_BYTES) : UINT64_MAX;
    if (pool->props.maxSize && !ws_range_within(pool->reserved, more, most))
        return CUDA_ERROR_OUT_OF_MEMORY;
    pool->reserved += more;
    return CUDA_SUCCESS;
}

static CUresult take(CUmemoryPool pool, uint64_t bytes, CUstream s)
{
    const uint64_t need = round_up(bytes, ROUND_BYTES);
    if (!take_freed(pool, need, s, is_own) && !take_freed(pool, need, s, is_before) && slack(pool) < need &&
        !take_freed(pool, need, s, can_wait)) {
        const CUresult result = grow(pool, need);
        if (result)
            return result;
    }
    pool->used += need;
    pool->allocations++;
    pool->asked += bytes;
    if (pool->asked_high < pool->asked)
        pool->asked_high = pool->asked;
    if (pool->reserved_high < pool->reserved)
        pool->reserved_high = pool->reserved;
    return CUDA_SUCCESS;
}

static CUresult allocate(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream s)
{
    const CUcontext context = s->handle.owner;
    if (bytes > SIZE_MAX - GROW_BYTES)
        return CUDA_ERROR_OUT_OF_MEMORY;
    ws_allocation *a = NULL;
    CUresult result = ws_allocation_make(context, bytes, &a);
    if (result)
        return result;
    result = take(pool, bytes, s);
    if (result) {
        ws_allocation_release(a);
        return result;
    }
    a->pool = pool;
    *address = a->handle.key;
    ws_stream_ends(s, ws_stream_ready(s));
    ws_order_allocation(s, CU_GRAPH_NODE_TYPE_MEM_ALLOC, *address, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(s, stream);
    if (!address || !ws_handle_find(pool, WS_HANDLE_POOL))
        return CUDA_ERROR_INVALID_VALUE;
    if (!bytes) { /* as driver 580 answers */
        *address = 0;
        return CUDA_SUCCESS;
    }
    if (s->capture) {
        CUDA_MEM_ALLOC_NODE_PARAMS params = {.poolProps = pool->props, .bytesize = bytes};
        const CUresult result = ws_capture_allocate(s, &params);
        *address = params.dptr;
        return result;
    }
    const CUresult result = s->legacy ? ws_capture_forbids_legacy(context) : CUDA_SUCCESS;
    return result ? result : allocate(address, bytes, pool, s);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    const CUmemoryPool pool = current_pool();
    return pool ? cuMemAllocFromPoolAsync(address, bytes, pool, stream) : CUDA_ERROR_OUT_OF_MEMORY;
}

/* ------------------------------------------------------------------------------------------------ freeing */

static freed *entry_of(CUmemoryPool pool, unsigned long long stream)
{
    for (size_t i = 0; i < pool->freed_count; i++) {
        if (pool->freed[i].stream == stream || !pool->freed[i].bytes) {
            pool->freed[i].stream = stream;
            return &pool->freed[i];
        }
    }
    if (WS_GROW(pool->freed, pool->freed_room, pool->freed_count, 1))
        return NULL;
    pool->freed[pool->freed_count] = (freed){.stream = stream};
    return &pool->freed[pool->freed_count++];
}

void ws_pool_give_back(CUmemoryPool pool, uint64_t bytes, CUstream s)
{
    const uint64_t size = round_up(bytes, ROUND_BYTES);
    freed *const f = s ? entry_of(pool, s->id) : NULL;
    pool->used -= size;
    pool->asked -= bytes;
    pool->allocations--;
    if (f) { /* else the bytes are slack at once */
        f->bytes += size;
        f->time = s->end > f->time ? s->end : f->time;
    }
    if (pool->gone && !pool->allocations)
        ws_pool_release(pool);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(s, stream);
    ws_allocation *const a = ws_handle_find((const void *)(uintptr_t)address, WS_HANDLE_MEMORY);
    if (!a || a->host)
        return CUDA_ERROR_INVALID_VALUE;
    if (s->capture) {
        const ws_task task = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .address = address};
        return ws_capture_add(s, &task);
    }
    const CUresult result = s->legacy ? ws_capture_forbids_legacy(context) : CUDA_SUCCESS;
    if (result)
        return result;
    if (a->graph)
        return ws_graph_memory_end(address);
    ws_stream_ends(s, ws_stream_ready(s));
    ws_order_allocation(s, CU_GRAPH_NODE_TYPE_MEM_FREE, address, a->bytes);
    if (a->pool)
        ws_pool_give_back(a->pool, a->bytes, s);
    a->pool = NULL;
    ws_allocation_release(a);
    return CUDA_SUCCESS;
}

/* Releases what is unused until no more than `keep` bytes are reserved; only what was free at `now`. */
static void release(CUmemoryPool pool, uint64_t keep, uint64_t now)
{
    for (size_t i = 0; i < pool->freed_count; i++) {
        if (pool->freed[i].time <= now)
            pool->freed[i].bytes = 0; /* slack */
    }
    const uint64_t least =
        round_up(pool->reserved - slack(pool), GROW_BYTES); /* goes back as it came, as driver 580 answers */
    const uint64_t target = keep > least ? keep : least;
    if (pool->reserved > target)
        pool->reserved = target;
}

void ws_pools_synchronized(void)
{
    for (ws_handle *h = ws_the_driver.pools ? ws_the_driver.live : NULL; h; h = h->hh.next) {
        const CUmemoryPool pool = (CUmemoryPool)h;
        if (h->kind == WS_HANDLE_POOL && pool->reserved > pool->threshold)
            release(pool, pool->threshold, ws_clock_host());
    }
}

uint64_t ws_pools_unused(void)
{
    uint64_t sum = 0;
    for (ws_handle *h = ws_the_driver.live; h; h = h->hh.next)
        sum += h->kind == WS_HANDLE_POOL ? ((CUmemoryPool)h)->reserved - ((CUmemoryPool)h)->used : 0;
    return sum;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
    WS_ENTER_DRIVER();
    if (!ws_handle_find(pool, WS_HANDLE_POOL))
        return CUDA_ERROR_INVALID_VALUE;
    release(pool, keep, ws_clock_host());
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ attributes */

static CUresult get_attribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        *(int *)value = pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        *(cuuint64_t *)value = pool->threshold;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        *(cuuint64_t *)value = pool->reserved;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        *(cuuint64_t *)value = pool->reserved_high;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        *(cuuint64_t *)value = pool->asked;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        *(cuuint64_t *)value = pool->asked_high;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    WS_ENTER_DRIVER();
    if (!value || !ws_handle_find(pool, WS_HANDLE_POOL))
        return CUDA_ERROR_INVALID_VALUE;
    return get_attribute(pool, attribute, value);
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    WS_ENTER_DRIVER();
    if (!value || !ws_handle_find(pool, WS_HANDLE_POOL))
        return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = *(const int *)value != 0;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        pool->threshold = *(const cuuint64_t *)value;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: /* high marks can only be reset */
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (*(const cuuint64_t *)value)
            return CUDA_ERROR_INVALID_VALUE;
        if (attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
            pool->reserved_high = pool->reserved;
        else
            pool->asked_high = pool->asked;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* The device has access to its own memory and cannot lose it; there is no other device. */
CUresult ws_pool_check_access(const CUmemAccessDesc *access, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE)
            return CUDA_ERROR_NOT_SUPPORTED;
        if (access[i].location.id != 0)
            return CUDA_ERROR_INVALID_DEVICE;
        if (access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count)
{
    WS_ENTER_DRIVER();
    if (!ws_handle_find(pool, WS_HANDLE_POOL) || (count && !access))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        if (access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE)
            return CUDA_ERROR_INVALID_DEVICE; /* a device keeps access to its own memory; as driver 580 answers */
    }
    return ws_pool_check_access(access, count);
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location)
{
    WS_ENTER_DRIVER();
    if (!flags || !location || !ws_handle_find(pool, WS_HANDLE_POOL))
        return CUDA_ERROR_INVALID_VALUE;
    if (location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id != 0)
        return CUDA_ERROR_INVALID_VALUE; /* as driver 580 answers */
    *flags = location->type == CU_MEM_LOCATION_TYPE_DEVICE ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                           : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ other processes */

/* A pool that can be shared cannot be made, so these meet only pools that were not made for it: a wrong argument. */
CUresult cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool, CUmemAllocationHandleType type,
                                          unsigned long long flags)
{
    WS_ENTER_DRIVER();
    (void)handle, (void)pool, (void)type, (void)flags;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *handle, CUmemAllocationHandleType type,
                                            unsigned long long flags)
{
    WS_ENTER_DRIVER();
    (void)handle, (void)type;
    return pool && !flags ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr address)
{
    WS_ENTER_DRIVER();
    (void)data, (void)address;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolImportPointer(CUdeviceptr *address, CUmemoryPool pool, CUmemPoolPtrExportData *data)
{
    WS_ENTER_DRIVER();
    (void)address, (void)pool, (void)data;
    return CUDA_ERROR_INVALID_VALUE;
}
