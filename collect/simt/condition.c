/* condition.c - numbers that kernels set and the host reads when they have ended: conditions of graphs. */
#include "base/grow.h"
#include "collect/simt/device_internal.h"

#include <stdlib.h>

#define CONDITION_MARK 0x5754000000000000u /* of handles: no address, and nobody else's number */

/* Numbers are not given twice, so that a handle that is gone is noticed. */
typedef struct device_condition {
    _Atomic uint32_t value;
    bool live;
} device_condition;

static device_condition *find(const ws_device *device, uint64_t handle)
{
    const uint64_t at = handle - CONDITION_MARK;
    return at < device->conditions && device->condition[at].live ? &device->condition[at] : NULL;
}

int ws_device_condition_create(ws_device *device, uint64_t *handle)
{
    if (WS_GROW(device->condition, device->condition_room, device->conditions, 1))
        return ws_fail(WS_EMEM, "no memory for a condition");
    device->condition[device->conditions] = (device_condition){.live = true};
    *handle = CONDITION_MARK + device->conditions++;
    return WS_OK;
}

void ws_device_condition_destroy(ws_device *device, uint64_t handle)
{
    device_condition *const c = find(device, handle);
    if (c)
        c->live = false;
}

void ws_device_condition_set(ws_device *device, uint64_t handle, uint32_t value)
{
    device_condition *const c = find(device, handle);
    if (c)
        atomic_store_explicit(&c->value, value, memory_order_relaxed);
}

uint32_t ws_device_condition_get(const ws_device *device, uint64_t handle)
{
    device_condition *const c = find(device, handle);
    return c ? atomic_load_explicit(&c->value, memory_order_relaxed) : 0;
}

int condition_set_by_device(device_call *c)
{
    const uint64_t handle = builtin_argument(c, 0);
    if (!find(device_of(c), handle)) {
        c->fault = true;
        block_fault(c->w, c->u, c->lane, "cudaGraphSetConditional of 0x%llx, which is no condition of a graph",
                    (unsigned long long)handle);
        return cudaSuccess;
    }
    ws_device_condition_set(device_of(c), handle, (uint32_t)builtin_argument(c, 1));
    return cudaSuccess;
}
