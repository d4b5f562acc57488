/* driver_order.c - what does nothing order? Tells the checker what each operation comes after, as the program asked for
 * it: by streams, the default stream, events, graphs and waits of the host. See collect/check/overlap.h.
 *
 * The host counts as one: what one of its threads has waited for comes before what any gives later. */
#include "collect/cuda/graph_internal.h"

#include "base/demangle.h"
#include "collect/check/checker.h"
#include "collect/check/overlap.h"
#include "collect/ptx/module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* What is said of an operation. */
typedef struct operation {
    CUgraphNodeType type;
    const char *way;    /* of a copy */
    const char *kernel; /* NULL: it is none */
    uint64_t bytes;
    ws_order_place place;
} operation;

/* NULL: nobody is to be told. */
static ws_overlap *overlap(void)
{
    ws_overlap *const o = ws_checker_overlap(ws_the_driver.checker);
    return o && ws_overlap_watches(o) ? o : NULL;
}

/* ------------------------------------------------------------------------------------------------ words */

static void say_place(const operation *op, const char *verb, char *text, size_t size)
{
    const ws_order_place *const p = &op->place;
    char call[384], stream[64];
    char *const stub = op->kernel ? ws_demangle_short(op->kernel) : NULL;
    ws_host_call_words(&ws_the_driver.sites, &p->call, stub ? stub : op->kernel, call, sizeof call);
    free(stub);
    if (p->legacy)
        snprintf(stream, sizeof stream, "the default stream");
    else
        snprintf(stream, sizeof stream, "%sstream %llu", p->of_thread ? "the thread's default " : "", p->stream);
    snprintf(text, size, "%s%sin %s%s%s", verb, p->graph ? "by a graph " : "", stream, *call ? " by " : "", call);
}

static void say_operation(const void *what, bool is_launch, char *text, size_t size)
{
    const operation *const op = what;
    char verb[96] = "";
    switch (op->type) {
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        snprintf(verb, sizeof verb, "copy of %" PRIu64 " bytes%s ", op->bytes, op->way);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        snprintf(verb, sizeof verb, "fill of %" PRIu64 " bytes ", op->bytes);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        snprintf(verb, sizeof verb, "allocation of %" PRIu64 " bytes ", op->bytes);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        snprintf(verb, sizeof verb, "free of %" PRIu64 " bytes ", op->bytes);
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        snprintf(verb, sizeof verb, "value written or waited for ");
        break;
    default:
        snprintf(verb, sizeof verb, "%slaunched ", is_launch ? "" : "copy or fill by a kernel ");
        break;
    }
    say_place(op, verb, text, size);
}

static bool passes_by(const ws_order_place *a, const ws_order_place *b)
{
    return a->legacy && b->non_blocking;
}

static void say_mend(const void *a, const void *b, char *text, size_t size)
{
    const ws_order_place *const p = &((const operation *)a)->place, *const q = &((const operation *)b)->place;
    if (p->graph && p->graph == q->graph)
        snprintf(text, size, "an edge between the two nodes of the graph would");
    else
        snprintf(text, size,
                 "%scudaEventRecord after one and cudaStreamWaitEvent before the other would, or a wait of the host "
                 "between them",
                 passes_by(p, q) || passes_by(q, p)
                     ? "the default stream and a non-blocking one do not wait for each other; "
                     : "");
}

static const ws_overlap_voice voice = {say_operation, say_mend};

/* ------------------------------------------------------------------------------------------------ streams */

static void watch(void)
{
    ws_overlap *const o = ws_checker_overlap(ws_the_driver.checker);
    if (!o)
        return;
    ws_overlap_set_voice(o, &voice);
    ws_overlap_watch(o);
}

/* With one stream beside the default one, which waits for it, all is ordered. */
void ws_order_add_stream(CUstream s)
{
    if (s->legacy)
        return;
    if (++ws_the_driver.streams > 1 || s->flags & CU_STREAM_NON_BLOCKING)
        watch();
}

void ws_order_drop_stream(CUstream s)
{
    ws_the_driver.streams -= !s->legacy;
    ws_moment_fini(&s->order);
}

void ws_order_join(ws_moment *to, const ws_moment *from)
{
    if (overlap())
        ws_overlap_join(overlap(), to, from);
}

void ws_order_copy(ws_moment *to, const ws_moment *from)
{
    ws_moment_fini(to);
    ws_order_join(to, from);
}

/* What something new in the stream comes after; as before() of driver_stream.c says it of time. */
void ws_order_record(CUstream s, ws_moment *out)
{
    const CUcontext context = s->handle.owner;
    ws_moment_fini(out);
    if (!overlap())
        return;
    ws_order_join(out, &s->order);
    if (s->legacy)
        ws_order_join(out, &context->blocking_order);
    else if (!(s->flags & CU_STREAM_NON_BLOCKING) && context->legacy)
        ws_order_join(out, &context->legacy->order);
}

void ws_order_wait(CUstream s, const ws_moment *m)
{
    const CUcontext context = s->handle.owner;
    ws_order_join(&s->order, m);
    ws_order_join(&context->order, m);
    if (!s->legacy && !(s->flags & CU_STREAM_NON_BLOCKING))
        ws_order_join(&context->blocking_order, m);
}

void ws_order_wait_all(CUstream s)
{
    ws_order_wait(s, &s->handle.owner->order);
}

/* ------------------------------------------------------------------------------------------------ operations */

static void fill_place(ws_order_place *out, CUstream s, bool graph)
{
    *out = (ws_order_place){.stream = s->id,
                            .legacy = s->legacy,
                            .non_blocking = s->flags & CU_STREAM_NON_BLOCKING,
                            .of_thread = s->handle.key != (uintptr_t)s};
    if (!overlap())
        return;
    out->graph = graph ? ++ws_the_driver.graph_launches : 0;
    ws_host_call_here(&out->call);
}

static const char *way_of(const CUDA_MEMCPY3D *c)
{
    if (c->dstMemoryType == CU_MEMORYTYPE_UNIFIED || c->srcMemoryType == CU_MEMORYTYPE_UNIFIED)
        return "";
    if (c->dstMemoryType == CU_MEMORYTYPE_HOST)
        return " to the host";
    return c->srcMemoryType == CU_MEMORYTYPE_HOST ? " to the device" : " within the device";
}

void ws_order_begin(const ws_order_place *place, const ws_task *task, const ws_moment *after, uint32_t *queue)
{
    ws_overlap *const o = overlap();
    operation op = {.type = task->type, .way = "", .place = *place};
    if (!o)
        return;
    if (task->type == CU_GRAPH_NODE_TYPE_KERNEL) {
        op.kernel = task->kernel.function->function->name;
    } else if (task->type == CU_GRAPH_NODE_TYPE_MEMCPY) {
        op.way = way_of(&task->copy);
        op.bytes = (uint64_t)task->copy.WidthInBytes * task->copy.Height * task->copy.Depth;
    } else if (task->type == CU_GRAPH_NODE_TYPE_MEMSET) {
        op.bytes = (uint64_t)task->set.elementSize * task->set.width * task->set.height;
    } else if (task->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || task->type == CU_GRAPH_NODE_TYPE_MEM_FREE) {
        op.bytes = task->alloc.bytesize;
    }
    const struct {
        ws_host_call call;
        uint64_t type, bytes;
    } key = {place->call, op.type, op.bytes};
    ws_overlap_begin(o, after, queue, &op, sizeof op, (uint32_t)XXH3_64bits(&key, sizeof key));
}

void ws_order_end(ws_moment *out)
{
    if (!overlap())
        return;
    ws_overlap_end(overlap(), out);
    ws_lines_tell(); /* what was found has been told */
}

void ws_order_begin_in(CUstream s, const ws_task *task)
{
    ws_order_place place;
    ws_moment after = {NULL, 0};
    if (!overlap())
        return;
    fill_place(&place, s, false);
    ws_order_record(s, &after);
    ws_order_begin(&place, task, &after, &s->queue);
    ws_moment_fini(&after);
}

/* CUDA Runtime API 13, "API synchronization behavior": copies to pageable memory of the host; fills of memory that the
 * host sees, but for the Async forms, which the default streams do not tell apart. */
static bool host_waits(CUstream s, const ws_task *task)
{
    if (task->type == CU_GRAPH_NODE_TYPE_MEMCPY)
        return ws_copy_waits(&task->copy);
    if (task->type != CU_GRAPH_NODE_TYPE_MEMSET || (!s->legacy && s->handle.key == (uintptr_t)s))
        return false;
    const ws_allocation *const a = ws_allocation_find(task->set.dst);
    return a && (a->host || a->managed);
}

void ws_order_end_in(CUstream s, const ws_task *task)
{
    ws_moment m = {NULL, 0};
    if (!overlap())
        return;
    ws_order_end(&m);
    ws_order_wait(s, &m);
    if (host_waits(s, task))
        ws_order_host_waits_for(&m);
    ws_moment_fini(&m);
}

/* Memory of a pool begins or ends to be there when the stream comes to it. */
void ws_order_allocation(CUstream s, CUgraphNodeType type, uint64_t address, uint64_t bytes)
{
    const ws_box box = {.address = address, .width = bytes, .rows = 1, .slices = 1};
    const ws_task task = {.type = type, .alloc = {.bytesize = bytes}};
    if (!overlap())
        return;
    ws_order_begin_in(s, &task);
    ws_device_touches(ws_the_driver.device, &box, true, true, false);
    ws_order_end_in(s, &task);
}

/* ------------------------------------------------------------------------------------------------ the host waits */

void ws_order_host_waits_for(const ws_moment *m)
{
    if (overlap())
        ws_overlap_host_knows(overlap(), m);
}

void ws_order_host_waits(CUstream s)
{
    ws_moment m = {NULL, 0};
    ws_order_record(s, &m);
    ws_order_host_waits_for(&m);
    ws_moment_fini(&m);
}

void ws_order_host_waits_for_all(void)
{
    if (overlap())
        ws_overlap_host_knows_all(overlap());
}

/* ------------------------------------------------------------------------------------------------ graphs */

static bool has_branches(CUgraph graph)
{
    size_t first = 0;
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const CUgraphNode node = graph->nodes.item[i];
        first += !node->before.n;
        if (first > 1 || node->after.n > 1 ||
            (node->task.type == CU_GRAPH_NODE_TYPE_GRAPH && has_branches(node->task.child)))
            return true;
        for (unsigned k = 0; node->task.type == CU_GRAPH_NODE_TYPE_CONDITIONAL && k < node->task.condition.size; k++)
            if (has_branches(node->task.condition.body[k]))
                return true;
    }
    return false;
}

void ws_order_graph_begin(ws_order_graph *g, CUgraphExec exec, CUstream s)
{
    *g = (ws_order_graph){.queue = s->queue};
    if (ws_checker_overlap(ws_the_driver.checker) && !overlap() && has_branches(exec->graph))
        watch();
    fill_place(&g->place, s, true);
    ws_order_record(s, &g->moment);
    ws_order_join(&g->moment, &exec->order); /* launches of one executable graph come after each other */
}

void ws_order_graph_end(ws_order_graph *g, CUgraphExec exec, CUstream s)
{
    ws_order_join(&exec->order, &g->moment);
    if (s)
        ws_order_wait(s, &g->moment);
    ws_moment_fini(&g->moment);
}

void ws_order_node_begin(CUgraphNode node, const ws_moment *begin)
{
    ws_order_copy(&node->order, begin);
    for (size_t i = 0; i < node->before.n; i++)
        ws_order_join(&node->order, &node->before.item[i]->order);
}

void ws_order_graph_join(CUgraph graph, ws_moment *out)
{
    for (size_t i = 0; i < graph->nodes.n; i++)
        ws_order_join(out, &graph->nodes.item[i]->order);
}
