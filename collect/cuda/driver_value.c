/* driver_value.c - values in memory that a stream writes, or waits for.
 *
 * Operations are executed when they are put into the stream, so a wait for a value that has not been written yet would
 * never end: it is refused with one clear line, instead of a program that hangs. */
#include "collect/cuda/stream_internal.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_wait(CUstreamBatchMemOpType type)
{
    return type == CU_STREAM_MEM_OP_WAIT_VALUE_32 || type == CU_STREAM_MEM_OP_WAIT_VALUE_64;
}

static unsigned bytes_of(CUstreamBatchMemOpType type)
{
    return type == CU_STREAM_MEM_OP_WAIT_VALUE_64 || type == CU_STREAM_MEM_OP_WRITE_VALUE_64 ? 8 : 4;
}

static CUresult check_one(const CUstreamBatchMemOpParams *op)
{
    const unsigned wait_flags = op->waitValue.flags;
    switch (op->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        if (wait_flags & CU_STREAM_WAIT_VALUE_FLUSH) /* CAN_FLUSH_REMOTE_WRITES is 0 */
            return CUDA_ERROR_NOT_SUPPORTED;
        return wait_flags <= CU_STREAM_WAIT_VALUE_NOR && op->waitValue.address % bytes_of(op->operation) == 0
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        return op->writeValue.flags <= CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER &&
                       op->writeValue.address % bytes_of(op->operation) == 0
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    case CU_STREAM_MEM_OP_BARRIER: /* everything is in order anyway */
        return CUDA_SUCCESS;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

bool ws_memory_ops_wait(unsigned count, const CUstreamBatchMemOpParams *op)
{
    for (unsigned i = 0; i < count; i++)
        if (is_wait(op[i].operation))
            return true;
    return false;
}

CUresult ws_memory_ops_check(unsigned count, const CUstreamBatchMemOpParams *op, unsigned flags)
{
    if (flags || count > 256 || (count && !op))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        const CUresult result = check_one(&op[i]);
        if (result)
            return result;
    }
    return CUDA_SUCCESS;
}

/* GEQ is cyclic: has the value reached the wanted one, allowing for a counter that wraps? */
static bool holds(const CUstreamBatchMemOpParams *op, uint64_t value)
{
    const bool wide = bytes_of(op->operation) == 8;
    const uint64_t wanted = wide ? op->waitValue.value64 : op->waitValue.value;
    switch (op->waitValue.flags) {
    case CU_STREAM_WAIT_VALUE_GEQ:
        return wide ? (int64_t)(value - wanted) >= 0 : (int32_t)(uint32_t)(value - wanted) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
        return value == wanted;
    case CU_STREAM_WAIT_VALUE_AND:
        return (value & wanted) != 0;
    default:
        return (~(value | wanted) & (wide ? UINT64_MAX : UINT32_MAX)) != 0;
    }
}

static CUresult run_one(const CUstreamBatchMemOpParams *op)
{
    if (op->operation == CU_STREAM_MEM_OP_BARRIER)
        return CUDA_SUCCESS;
    const unsigned bytes = bytes_of(op->operation);
    CUresult result;
    ws_device *const device = ws_driver_device(&result);
    void *const memory = !device                  ? NULL
                         : is_wait(op->operation) ? ws_device_pointer(device, op->waitValue.address, bytes)
                                                  : ws_device_writable(device, op->writeValue.address, bytes);
    if (!memory)
        return device ? ws_driver_report(WS_EINPUT) : result;
    const ws_box box = {.address = op->writeValue.address, .width = bytes, .rows = 1, .slices = 1};
    ws_device_touches(device, &box, !is_wait(op->operation), !is_wait(op->operation), true);
    if (!is_wait(op->operation)) {
        memcpy(memory, &op->writeValue.value64, bytes); /* the low bytes: value and value64 begin at one place */
        ws_device_wrote(device, op->writeValue.address, bytes);
        return CUDA_SUCCESS;
    }
    uint64_t value = 0;
    memcpy(&value, memory, bytes);
    if (holds(op, value))
        return CUDA_SUCCESS;
    fprintf(stderr,
            "warpscape: a stream waits for a value at address 0x%llx that nobody has written yet (it holds "
            "%" PRIu64 "); work runs in the order of the calls, so write the value before the wait\n",
            op->waitValue.address, value);
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult ws_memory_ops_execute(unsigned count, const CUstreamBatchMemOpParams *op)
{
    for (unsigned i = 0; i < count; i++) {
        const CUresult result = run_one(&op[i]);
        if (result)
            return result;
    }
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ calls */

CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *op, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    const CUresult result = ws_memory_ops_check(count, op, flags);
    if (result)
        return result;
    const ws_task given = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, .memory = {count, flags, op}};
    ws_task task;
    const CUresult cloned = ws_task_clone(&task, &given);
    return cloned ? cloned : ws_stream_submit(context, stream, &task);
}

static CUresult one(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address, uint64_t value, unsigned flags)
{
    CUstreamBatchMemOpParams op = {
        .waitValue = {.operation = type, .address = address, .value64 = value, .flags = flags}};
    return cuStreamBatchMemOp(stream, 1, &op, 0);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
    return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
    return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
    return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
    return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}
