/* driver_nodes.c - sets of nodes, and ways through a graph. */
#include "base/grow.h"
#include "collect/cuda/graph_internal.h"

#include <stdlib.h>
#include <string.h>

bool ws_nodes_has(const ws_nodes *set, CUgraphNode node)
{
    for (size_t i = 0; i < set->n; i++) {
        if (set->item[i] == node)
            return true;
    }
    return false;
}

static bool push(ws_nodes *set, CUgraphNode node)
{
    if (WS_GROW(set->item, set->room, set->n, 1))
        return false;
    set->item[set->n++] = node;
    return true;
}

bool ws_nodes_add(ws_nodes *set, CUgraphNode node)
{
    return ws_nodes_has(set, node) || push(set, node);
}

bool ws_nodes_append(ws_nodes *set, CUgraphNode node)
{
    return push(set, node);
}

bool ws_nodes_add_all(ws_nodes *set, const ws_nodes *others)
{
    for (size_t i = 0; i < others->n; i++) {
        if (!ws_nodes_add(set, others->item[i]))
            return false;
    }
    return true;
}

void ws_nodes_remove(ws_nodes *set, CUgraphNode node)
{
    for (size_t i = 0; i < set->n; i++) {
        if (set->item[i] != node)
            continue;
        memmove(set->item + i, set->item + i + 1, (set->n - i - 1) * sizeof *set->item);
        set->n--;
        return;
    }
}

void ws_nodes_clear(ws_nodes *set)
{
    free(set->item);
    *set = (ws_nodes){0};
}

/* ------------------------------------------------------------------------------------------------ ways */

/* Marks a node and all that it depends on. Walks without recursion: a captured chain may be long. */
static bool mark_before(CUgraphNode node)
{
    ws_nodes todo = {0};
    for (size_t i = 0; i < node->graph->nodes.n; i++)
        node->graph->nodes.item[i]->mark = false;
    node->mark = true;
    bool well = push(&todo, node);
    while (well && todo.n) {
        const CUgraphNode at = todo.item[--todo.n];
        for (size_t i = 0; well && i < at->before.n; i++) {
            if (!at->before.item[i]->mark) {
                at->before.item[i]->mark = true;
                well = push(&todo, at->before.item[i]);
            }
        }
    }
    ws_nodes_clear(&todo);
    return well;
}

bool ws_node_follows(CUgraphNode node, CUgraphNode earlier)
{
    return node->graph == earlier->graph && mark_before(node) && earlier->mark;
}

/* Repeatedly takes the nodes whose predecessors have all been taken. `end` counts those that have not. */
CUresult ws_graph_order(CUgraph graph, CUgraphNode **order)
{
    const size_t n = graph->nodes.n;
    CUgraphNode *const list = malloc((n + 1) * sizeof(CUgraphNode));
    size_t taken = 0;
    *order = list;
    if (!list)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const CUgraphNode node = graph->nodes.item[i];
        node->end = node->before.n;
        if (!node->end)
            list[taken++] = node;
    }
    for (size_t i = 0; i < taken; i++) {
        for (size_t k = 0; k < list[i]->after.n; k++) {
            if (--list[i]->after.item[k]->end == 0)
                list[taken++] = list[i]->after.item[k];
        }
    }
    if (taken == n)
        return CUDA_SUCCESS;
    free(list);
    *order = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}
