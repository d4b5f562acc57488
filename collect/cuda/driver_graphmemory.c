/* driver_graphmemory.c - memory that nodes of graphs allocate and free.
 *
 * An address is given when the node is made, and belongs to the graph and what was instantiated from it. A node that
 * comes after the free of memory that is large enough in the same graph gets the same address. What is used counts from
 * the launch of the allocating node to the free, which may be a node, or a call of the program. */
#include "collect/cuda/graph_internal.h"

static ws_allocation *find(CUdeviceptr address)
{
    ws_allocation *const a = ws_handle_find((const void *)(uintptr_t)address, WS_HANDLE_MEMORY);
    return a && a->graph ? a : NULL;
}

/* ------------------------------------------------------------------------------------------------ addresses */

static bool comes_after(const ws_nodes *before, CUgraphNode node)
{
    for (size_t i = 0; i < before->n; i++) {
        if (ws_node_follows(before->item[i], node))
            return true;
    }
    return false;
}

/* Is every use of the memory so far over when a node behind `before` runs? */
static bool is_free_after(CUgraph graph, const ws_nodes *before, CUdeviceptr address)
{
    size_t made = 0, freed = 0;
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const ws_task *const t = &graph->nodes.item[i]->task;
        made += t->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && t->alloc.dptr == address;
        freed += t->type == CU_GRAPH_NODE_TYPE_MEM_FREE && t->address == address &&
                 comes_after(before, graph->nodes.item[i]);
    }
    return made == freed;
}

static CUdeviceptr reusable(CUgraph graph, const ws_nodes *before, size_t bytes)
{
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const ws_task *const t = &graph->nodes.item[i]->task;
        const ws_allocation *const a = t->type == CU_GRAPH_NODE_TYPE_MEM_FREE ? find(t->address) : NULL;
        if (a && a->bytes >= bytes && is_free_after(graph, before, t->address))
            return t->address;
    }
    return 0;
}

CUresult ws_graph_memory_reserve(CUgraph graph, const ws_nodes *before, CUDA_MEM_ALLOC_NODE_PARAMS *params,
                                 CUcontext context)
{
    CUresult result = ws_pool_check_props(&params->poolProps);
    if (!result && (!params->bytesize || (params->accessDescCount && !params->accessDescs)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        result = ws_pool_check_access(params->accessDescs, params->accessDescCount);
    if (result)
        return result;
    params->accessDescs = NULL; /* the caller's; they said nothing new */
    params->accessDescCount = 0;
    params->dptr = reusable(graph, before, params->bytesize);
    if (!params->dptr) {
        ws_allocation *a = NULL;
        result = ws_allocation_make(context, params->bytesize, &a);
        if (result)
            return result;
        a->graph = true;
        params->dptr = a->handle.key;
    }
    ws_graph_memory_hold(params->dptr);
    return CUDA_SUCCESS;
}

void ws_graph_memory_hold(CUdeviceptr address)
{
    ws_allocation *const a = find(address);
    if (a)
        a->holds++;
}

static void release_unheld(ws_allocation *a)
{
    if (!a->holds && !a->live)
        ws_allocation_release(a);
}

void ws_graph_memory_drop(CUdeviceptr address)
{
    ws_allocation *const a = find(address);
    if (!a)
        return;
    a->holds--;
    release_unheld(a);
}

/* ------------------------------------------------------------------------------------------------ use */

bool ws_graph_memory_is_live(CUdeviceptr address)
{
    const ws_allocation *const a = find(address);
    return a && a->live;
}

CUresult ws_graph_memory_begin(CUdeviceptr address)
{
    ws_driver *const d = &ws_the_driver;
    ws_allocation *const a = find(address);
    if (!a || a->live)
        return CUDA_ERROR_INVALID_VALUE;
    a->live = true;
    d->graph_used += a->bytes;
    if (d->graph_used_high < d->graph_used)
        d->graph_used_high = d->graph_used;
    if (d->graph_reserved < d->graph_used)
        d->graph_reserved = d->graph_used;
    if (d->graph_reserved_high < d->graph_reserved)
        d->graph_reserved_high = d->graph_reserved;
    return CUDA_SUCCESS;
}

/* Also of memory that no graph allocated: a node may free what the program has from elsewhere. */
CUresult ws_graph_memory_end(CUdeviceptr address)
{
    ws_allocation *const a = ws_handle_find((const void *)(uintptr_t)address, WS_HANDLE_MEMORY);
    if (!a || a->host || (a->graph && !a->live))
        return CUDA_ERROR_INVALID_VALUE;
    if (!a->graph) {
        ws_allocation_release(a);
        return CUDA_SUCCESS;
    }
    a->live = false;
    ws_the_driver.graph_used -= a->bytes;
    release_unheld(a);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ accounts */

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    ws_the_driver.graph_reserved = ws_the_driver.graph_used;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    const uint64_t values[] = {ws_the_driver.graph_used, ws_the_driver.graph_used_high, ws_the_driver.graph_reserved,
                               ws_the_driver.graph_reserved_high};
    if (!value || (unsigned)attribute > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH)
        return CUDA_ERROR_INVALID_VALUE;
    *(cuuint64_t *)value = values[attribute];
    return CUDA_SUCCESS;
}

/* High marks can be reset. */
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    WS_ENTER_DRIVER();
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!value || *(const cuuint64_t *)value)
        return CUDA_ERROR_INVALID_VALUE;
    if (attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH)
        ws_the_driver.graph_used_high = ws_the_driver.graph_used;
    else if (attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH)
        ws_the_driver.graph_reserved_high = ws_the_driver.graph_reserved;
    else
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}
