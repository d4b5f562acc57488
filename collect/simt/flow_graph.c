/* flow_graph.c - graphs as adjacency arrays, and their post-dominators.
 *
 * Dominators of the reversed graph follow Lengauer, Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph",
 * TOPLAS 1979, with simple linking: O(m log n), whatever the branches. */
#include "collect/simt/flow_internal.h"

#include <stdlib.h>
#include <string.h>

/* Predecessors from successors. */
bool graph_reverse(const graph *g, graph *r)
{
    const uint32_t nodes = r->nodes = g->nodes, edges = g->first[nodes];
    r->first = calloc((size_t)nodes + 1, sizeof *r->first);
    r->edge = calloc((size_t)edges + 1, sizeof *r->edge);
    r->fill = calloc((size_t)nodes + 1, sizeof *r->fill);
    if (!r->first || !r->edge || !r->fill)
        return false;
    for (uint32_t e = 0; e < edges; e++)
        r->first[g->edge[e] + 1]++;
    for (uint32_t i = 0; i < nodes; i++)
        r->first[i + 1] += r->first[i];
    memcpy(r->fill, r->first, nodes * sizeof *r->fill);
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
            r->edge[r->fill[g->edge[e]]++] = i;
    return true;
}

void graph_fini(graph *g)
{
    free(g->first);
    free(g->edge);
    free(g->fill);
}

/* Nodes go by their numbers in depth-first order from the end, against the edges. */
typedef struct dominators {
    const graph *succ, *pred;
    uint32_t n;                /* nodes reached */
    uint32_t *number, *vertex; /* of a node, NO_NODE when not reached; the node of a number */
    uint32_t *parent, *semi, *ancestor, *label, *dom, *bucket, *next, *stack;
} dominators;

static void number_nodes(dominators *d, uint32_t end)
{
    uint32_t *const at = d->next; /* the edge that is looked at next, of each node */
    uint32_t depth = 1;
    memset(d->number, 0xff, d->succ->nodes * sizeof *d->number);
    memcpy(at, d->pred->first, d->pred->nodes * sizeof *at);
    d->number[end] = 0;
    d->vertex[0] = end;
    d->n = 1;
    d->stack[0] = end;
    while (depth) {
        const uint32_t v = d->stack[depth - 1];
        if (at[v] == d->pred->first[v + 1]) {
            depth--;
            continue;
        }
        const uint32_t p = d->pred->edge[at[v]++];
        if (d->number[p] != NO_NODE)
            continue;
        d->parent[d->n] = d->number[v];
        d->vertex[d->n] = p;
        d->number[p] = d->n++;
        d->stack[depth++] = p;
    }
}

/* The number with the least semi-dominator on the path from v up to its tree's root; paths are made short. */
static uint32_t least(dominators *d, uint32_t v)
{
    uint32_t depth = 0;
    if (d->ancestor[v] == NO_NODE)
        return v;
    for (uint32_t u = v; d->ancestor[d->ancestor[u]] != NO_NODE; u = d->ancestor[u])
        d->stack[depth++] = u;
    while (depth) {
        const uint32_t u = d->stack[--depth], above = d->ancestor[u];
        if (d->semi[d->label[above]] < d->semi[d->label[u]])
            d->label[u] = d->label[above];
        d->ancestor[u] = d->ancestor[above];
    }
    return d->label[v];
}

static void find_semi_dominator(dominators *d, uint32_t w)
{
    const uint32_t node = d->vertex[w];
    for (uint32_t e = d->succ->first[node]; e < d->succ->first[node + 1]; e++) {
        const uint32_t v = d->number[d->succ->edge[e]];
        if (v == NO_NODE)
            continue;
        const uint32_t semi = d->semi[least(d, v)];
        if (semi < d->semi[w])
            d->semi[w] = semi;
    }
}

static void find_dominators(dominators *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        d->semi[i] = d->label[i] = i;
        d->ancestor[i] = d->bucket[i] = NO_NODE;
    }
    for (uint32_t w = d->n; w-- > 1;) {
        find_semi_dominator(d, w);
        d->next[w] = d->bucket[d->semi[w]];
        d->bucket[d->semi[w]] = w;
        const uint32_t parent = d->ancestor[w] = d->parent[w];
        for (uint32_t v = d->bucket[parent]; v != NO_NODE; v = d->next[v]) {
            const uint32_t u = least(d, v);
            d->dom[v] = d->semi[u] < d->semi[v] ? u : parent;
        }
        d->bucket[parent] = NO_NODE;
    }
    for (uint32_t w = 1; w < d->n; w++)
        if (d->dom[w] != d->semi[w])
            d->dom[w] = d->dom[d->dom[w]];
}

bool graph_post_dominators(const graph *succ, const graph *pred, uint32_t end, uint32_t *ipdom)
{
    enum { ARRAYS = 10 };
    const size_t nodes = succ->nodes;
    uint32_t *const room = malloc(ARRAYS * nodes * sizeof *room);
    if (!room)
        return false;
    dominators d = {.succ = succ, .pred = pred};
    uint32_t **const array[ARRAYS] = {&d.number, &d.vertex, &d.parent, &d.semi, &d.ancestor,
                                      &d.label,  &d.dom,    &d.bucket, &d.next, &d.stack};
    for (size_t i = 0; i < ARRAYS; i++)
        *array[i] = room + i * nodes;
    number_nodes(&d, end);
    find_dominators(&d);
    memset(ipdom, 0xff, nodes * sizeof *ipdom);
    ipdom[end] = end;
    for (uint32_t w = 1; w < d.n; w++)
        ipdom[d.vertex[w]] = d.vertex[d.dom[w]];
    free(room);
    return true;
}
