/* driver_stream.c - streams: what is put into one runs at once, in the order of the calls; when it would have run on
 * the device is simulated (driver_clock.c). A stream is never busy; its clock says when it would be done. */
#include "collect/cuda/graph_internal.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Higher priorities are smaller numbers; the range of compute capability 7.5. */
enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

unsigned ws_thread_number(void)
{
    static atomic_uint last;
    static _Thread_local unsigned number;
    if (!number)
        number = atomic_fetch_add(&last, 1) + 1;
    return number;
}

/* ------------------------------------------------------------------------------------------------ finding */

static CUstream make_stream(CUcontext context, unsigned flags, int priority)
{
    const CUstream made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->flags = flags;
    made->priority = priority;
    made->id = ++ws_the_driver.stream_ids;
    made->sync_policy = CU_SYNC_POLICY_AUTO;
    made->handle.owner = context;
    return made;
}

static CUstream legacy_stream(CUcontext context)
{
    if (!context->legacy) {
        const CUstream made = make_stream(context, CU_STREAM_DEFAULT, 0);
        if (made) {
            made->legacy = true;
            ws_order_add_stream(made);
            ws_handle_add(&made->handle, (uintptr_t)made, WS_HANDLE_STREAM, context);
        }
        context->legacy = made;
    }
    return context->legacy;
}

/* Its key is no pointer: contexts are aligned, and addresses of a process have 47 bits. */
static CUstream thread_stream(CUcontext context)
{
    const uintptr_t key = (uintptr_t)context | 1 | (uintptr_t)ws_thread_number() << 48;
    CUstream found = ws_handle_find((const void *)key, WS_HANDLE_STREAM);
    if (!found && (found = make_stream(context, CU_STREAM_DEFAULT, 0))) {
        ws_handle_add(&found->handle, key, WS_HANDLE_STREAM, context);
        ws_order_add_stream(found);
    }
    return found;
}

CUstream ws_stream_find(CUcontext context, CUstream handle)
{
    if (!handle || handle == CU_STREAM_LEGACY)
        return legacy_stream(context);
    return handle == CU_STREAM_PER_THREAD ? thread_stream(context) : ws_handle_find(handle, WS_HANDLE_STREAM);
}

/* ------------------------------------------------------------------------------------------------ time */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The end of all that something new in the stream has to wait for. */
static uint64_t before(CUstream s)
{
    const CUcontext context = s->handle.owner;
    if (s->legacy)
        return later(s->end, context->blocking_end);
    if (s->flags & CU_STREAM_NON_BLOCKING || !context->legacy)
        return s->end;
    return later(s->end, context->legacy->end);
}

uint64_t ws_stream_now(CUstream s)
{
    return later(before(s), ws_clock_host());
}

uint64_t ws_stream_ready(CUstream s)
{
    const uint64_t queue = before(s);
    return later(queue ? queue + ws_clock_next_ps() : 0, ws_clock_host() + ws_clock_launch_ps());
}

void ws_stream_ends(CUstream s, uint64_t when)
{
    const CUcontext context = s->handle.owner;
    s->end = later(s->end, when);
    context->end = later(context->end, when);
    if (!s->legacy && !(s->flags & CU_STREAM_NON_BLOCKING))
        context->blocking_end = later(context->blocking_end, when);
}

void ws_stream_wait(CUstream s)
{
    ws_clock_wait_until(before(s));
    ws_order_host_waits(s);
}

/* ------------------------------------------------------------------------------------------------ putting work in */

static CUresult capture_or_run(CUcontext context, CUstream s, const ws_task *task)
{
    if (s->capture)
        return ws_capture_add(s, task);
    CUresult result = s->legacy ? ws_capture_forbids_legacy(context) : CUDA_SUCCESS;
    if (result)
        return result;
    ws_cost cost;
    const uint64_t ready = ws_stream_ready(s);
    if (task->type == CU_GRAPH_NODE_TYPE_HOST) {
        ws_stream_ends(s, ready);
        ws_order_host_waits(s);         /* the function may tell any thread */
        ws_task_call_host(&task->host); /* the stream may be gone now */
        return CUDA_SUCCESS;
    }
    if (task->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP && ws_memory_ops_wait(task->memory.count, task->memory.op))
        ws_order_wait_all(s); /* for a value that anybody may have written */
    ws_order_begin_in(s, task);
    result = ws_task_run(context, task, &cost);
    ws_order_end_in(s, task);
    if (!result)
        ws_stream_ends(s, ws_clock_place(&cost, ready));
    return result;
}

CUresult ws_stream_submit(CUcontext context, CUstream handle, ws_task *task)
{
    const CUstream s = ws_stream_find(context, handle);
    CUresult result = s ? ws_task_check(task) : CUDA_ERROR_INVALID_HANDLE;
    if (!result)
        result = capture_or_run(context, s, task);
    ws_task_clear(task);
    return result;
}

/* ------------------------------------------------------------------------------------------------ life */

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    WS_ENTER_CONTEXT(context);
    if (!stream || flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    const int low = priority > LEAST_PRIORITY ? LEAST_PRIORITY : priority;
    const CUstream made = make_stream(context, flags, low < GREATEST_PRIORITY ? GREATEST_PRIORITY : low);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    ws_handle_add(&made->handle, (uintptr_t)made, WS_HANDLE_STREAM, context);
    ws_order_add_stream(made);
    *stream = made;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    return cuStreamCreateWithPriority(stream, flags, LEAST_PRIORITY);
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    WS_ENTER_CONTEXT(context);
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return CUDA_SUCCESS;
}

void ws_stream_release(CUstream stream)
{
    ws_capture_leave(stream);
    ws_nodes_clear(&stream->tips);
    ws_order_drop_stream(stream);
    if (stream->handle.owner->legacy == stream)
        stream->handle.owner->legacy = NULL;
    ws_handle_remove(&stream->handle);
    free(stream);
}

CUresult cuStreamDestroy(CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    const CUstream s = ws_handle_find(stream, WS_HANDLE_STREAM);
    if (!s || s->legacy)
        return CUDA_ERROR_INVALID_HANDLE;
    ws_stream_release(s);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ questions */

/* A getter tells something about the stream s. */
#define GETTER(call, type, value) \
    CUresult call(CUstream stream, type *out) \
    { \
        WS_ENTER_CONTEXT(context); \
        if (!out) \
            return CUDA_ERROR_INVALID_VALUE; \
        WS_FIND_STREAM(s, stream); \
        *out = value; \
        return CUDA_SUCCESS; \
    }

GETTER(cuStreamGetFlags, unsigned int, s->flags)
GETTER(cuStreamGetPriority, int, s->priority)
GETTER(cuStreamGetId, unsigned long long, s->id)
GETTER(cuStreamGetDevice, CUdevice, 0)
GETTER(cuStreamGetCtx, CUcontext, s->handle.owner)

/* Attributes that a stream has here; windows of the L2 cache and domains of fences have nothing to act on. */
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue *value)
{
    WS_ENTER_CONTEXT(context);
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    WS_FIND_STREAM(s, stream);
    *value = (CUstreamAttrValue){{0}};
    switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        value->syncPolicy = s->sync_policy;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        value->priority = s->priority;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: /* none is set */
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue *value)
{
    WS_ENTER_CONTEXT(context);
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    WS_FIND_STREAM(s, stream);
    switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        if (value->syncPolicy < CU_SYNC_POLICY_AUTO || value->syncPolicy > CU_SYNC_POLICY_BLOCKING_SYNC)
            return CUDA_ERROR_INVALID_VALUE;
        s->sync_policy = value->syncPolicy;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        if (value->priority > LEAST_PRIORITY || value->priority < GREATEST_PRIORITY)
            return CUDA_ERROR_INVALID_VALUE;
        s->priority = value->priority;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: /* a hint; persistingL2CacheMaxSize is 0 */
        return value->accessPolicyWindow.num_bytes ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(target, to);
    WS_FIND_STREAM(source, from);
    target->sync_policy = source->sync_policy;
    target->priority = source->priority;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ waiting */

/* A stream that is captured has nothing to wait for; another may be waited for only when no capture minds. */
static CUresult may_wait(CUstream s)
{
    if (s->capture)
        return ws_capture_invalidate(s->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    const CUresult result = s->legacy ? ws_capture_forbids_legacy(s->handle.owner) : CUDA_SUCCESS;
    return result ? result : ws_capture_forbids();
}

static CUresult wait_for(CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(s, stream);
    const CUresult result = may_wait(s);
    if (!result) {
        ws_stream_wait(s);
        ws_pools_synchronized();
    }
    return result;
}

/* What has been asked about is done: the host knows it at the simulated time at which it would have been. */
CUresult cuStreamQuery(CUstream stream)
{
    return wait_for(stream);
}

CUresult cuStreamSynchronize(CUstream stream)
{
    return wait_for(stream);
}

CUresult cuCtxSynchronize(void)
{
    WS_ENTER_CONTEXT(context);
    const CUresult result = ws_capture_forbids();
    if (!result) {
        ws_clock_wait_until(context->end);
        ws_order_host_waits_for(&context->order);
        ws_pools_synchronized();
    }
    return result;
}

/* ------------------------------------------------------------------------------------------------ host functions */

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *argument, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!callback || flags)
        return CUDA_ERROR_INVALID_VALUE;
    WS_FIND_STREAM(s, stream);
    if (s->capture)
        return ws_capture_invalidate(s->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    ws_stream_ends(s, ws_stream_ready(s));
    ws_order_host_waits(s);
    const unsigned depth = ws_driver_pause();
    callback(stream, CUDA_SUCCESS, argument);
    ws_driver_resume(depth);
    return CUDA_SUCCESS;
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *argument)
{
    WS_ENTER_CONTEXT(context);
    ws_task task = {.type = CU_GRAPH_NODE_TYPE_HOST, .host = {function, argument}};
    return ws_stream_submit(context, stream, &task);
}

/* Managed memory has one place, so who may touch it when is no question; the arguments are checked. */
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(s, stream);
    const ws_allocation *const a = ws_allocation_find(address);
    if (!a || !a->managed || (bytes && bytes != a->bytes) ||
        (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE) ||
        (flags == CU_MEM_ATTACH_SINGLE && s->legacy))
        return CUDA_ERROR_INVALID_VALUE;
    if (s->capture)
        return ws_capture_invalidate(s->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    return CUDA_SUCCESS;
}
