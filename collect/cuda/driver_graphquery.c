/* driver_graphquery.c - what is in a graph? For programs, and as a drawing for people. */
#include "collect/cuda/graph_internal.h"
#include "collect/ptx/module.h"

#include <stdio.h>
#include <string.h>

/* Lists are given in two calls: without room the number of items, with room (its size in *count) the items; the rest
 * of the room is filled with NULL. */
static CUresult give(const ws_nodes *set, CUgraphNode *out, size_t *count)
{
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; out && i < *count; i++)
        out[i] = i < set->n ? set->item[i] : NULL;
    if (!out || *count > set->n)
        *count = set->n;
    return CUDA_SUCCESS;
}

/* Of nodes that were asked for: edges have no data here. */
static CUresult plain_edges(CUresult result, const CUgraphNode *nodes, CUgraphEdgeData *edges, const size_t *count)
{
    if (!result && nodes && edges)
        memset(edges, 0, *count * sizeof *edges);
    return result;
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
    WS_ENTER_CONTEXT(context);
    if (!type || !ws_handle_find(node, WS_HANDLE_NODE))
        return CUDA_ERROR_INVALID_VALUE;
    *type = node->task.type;
    return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    WS_ENTER_CONTEXT(context);
    return ws_handle_find(graph, WS_HANDLE_GRAPH) ? give(&graph->nodes, nodes, count) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(graph, WS_HANDLE_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    ws_nodes roots = {0};
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < graph->nodes.n && !result; i++) {
        if (!graph->nodes.item[i]->before.n && !ws_nodes_append(&roots, graph->nodes.item[i]))
            result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (!result)
        result = give(&roots, nodes, count);
    ws_nodes_clear(&roots);
    return result;
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    WS_ENTER_CONTEXT(context);
    if (!count || !ws_handle_find(graph, WS_HANDLE_GRAPH) || !from != !to)
        return CUDA_ERROR_INVALID_VALUE;
    size_t n = 0;
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const CUgraphNode node = graph->nodes.item[i];
        for (size_t k = 0; k < node->after.n; k++, n++) {
            if (from && n < *count) {
                from[n] = node;
                to[n] = node->after.item[k];
            }
        }
    }
    for (size_t i = n; from && i < *count; i++)
        from[i] = to[i] = NULL;
    if (!from || *count > n)
        *count = n;
    return CUDA_SUCCESS;
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges, size_t *count)
{
    return plain_edges(cuGraphGetEdges(graph, from, to, count), from, edges, count);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies, size_t *count)
{
    WS_ENTER_CONTEXT(context);
    return ws_handle_find(node, WS_HANDLE_NODE) ? give(&node->before, dependencies, count) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *dependencies, CUgraphEdgeData *edges,
                                       size_t *count)
{
    return plain_edges(cuGraphNodeGetDependencies(node, dependencies, count), dependencies, edges, count);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *dependents, size_t *count)
{
    WS_ENTER_CONTEXT(context);
    return ws_handle_find(node, WS_HANDLE_NODE) ? give(&node->after, dependents, count) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *dependents, CUgraphEdgeData *edges,
                                         size_t *count)
{
    return plain_edges(cuGraphNodeGetDependentNodes(node, dependents, count), dependents, edges, count);
}

/* ------------------------------------------------------------------------------------------------ drawing */

enum { DOT_FLAGS = (1 << 16) - 1 }; /* any of them asks for the parameters */

static const char *word_of(CUgraphNodeType type)
{
    static const char *const words[] = {
        "KERNEL",       "MEMCPY",           "MEMSET",         "HOST",      "GRAPH",    "EMPTY",        "WAIT_EVENT",
        "EVENT_RECORD", "EXT_SEMAS_SIGNAL", "EXT_SEMAS_WAIT", "MEM_ALLOC", "MEM_FREE", "BATCH_MEM_OP", "CONDITIONAL"};
    return (size_t)type < sizeof words / sizeof *words ? words[type] : "UNKNOWN";
}

static void draw_details(FILE *f, const ws_task *t)
{
    switch (t->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        if (ws_handle_find(t->kernel.function, WS_HANDLE_FUNCTION))
            fprintf(f, "\\n%s", t->kernel.function->function->name);
        fprintf(f, "\\ngrid %u,%u,%u block %u,%u,%u shared %u", t->kernel.grid[0], t->kernel.grid[1], t->kernel.grid[2],
                t->kernel.block[0], t->kernel.block[1], t->kernel.block[2], t->kernel.shared_bytes);
        break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        fprintf(f, "\\n%zu x %zu x %zu bytes", t->copy.WidthInBytes, t->copy.Height, t->copy.Depth);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        fprintf(f, "\\nvalue %u, %zu x %zu elements of %u bytes", t->set.value, t->set.width, t->set.height,
                t->set.elementSize);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        fprintf(f, "\\n%zu bytes at 0x%llx", t->alloc.bytesize, t->alloc.dptr);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        fprintf(f, "\\n0x%llx", t->address);
        break;
    default:
        break;
    }
}

/* Nodes are named by graph and place, so the same graph gives the same file in every run. */
static void draw(FILE *f, CUgraph graph, unsigned *graphs, bool details)
{
    const unsigned id = (*graphs)++;
    fprintf(f, "subgraph cluster_%u {\nlabel=\"graph_%u\" graph[style=\"dashed\"]\n", id, id);
    for (size_t i = 0; i < graph->nodes.n; i++) {
        graph->nodes.item[i]->end = i;
        fprintf(f, "\"graph_%u_node_%zu\"[shape=\"box\" label=\"%zu\\n%s", id, i, i,
                word_of(graph->nodes.item[i]->task.type));
        if (details)
            draw_details(f, &graph->nodes.item[i]->task);
        fprintf(f, "\"];\n");
    }
    for (size_t i = 0; i < graph->nodes.n; i++)
        for (size_t k = 0; k < graph->nodes.item[i]->after.n; k++)
            fprintf(f, "\"graph_%u_node_%zu\" -> \"graph_%u_node_%llu\";\n", id, i, id,
                    (unsigned long long)graph->nodes.item[i]->after.item[k]->end);
    fprintf(f, "}\n");
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const ws_task *const t = &graph->nodes.item[i]->task;
        if (t->type == CU_GRAPH_NODE_TYPE_GRAPH)
            draw(f, t->child, graphs, details);
        for (unsigned k = 0; t->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && k < t->condition.size; k++)
            draw(f, t->condition.body[k], graphs, details);
    }
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!path || !ws_handle_find(graph, WS_HANDLE_GRAPH) || flags > DOT_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    FILE *const f = fopen(path, "w");
    unsigned graphs = 0;
    if (!f)
        return CUDA_ERROR_OPERATING_SYSTEM;
    fprintf(f, "digraph dot {\n");
    draw(f, graph, &graphs, flags != 0);
    fprintf(f, "}\n");
    const bool failed = ferror(f);
    return fclose(f) || failed ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
}
