/* graph.h - graphs of three forms from the seed, for workloads whose threads are nodes.
 *
 * R-MAT (D. Chakrabarti, Y. Zhan, C. Faloutsos, R-MAT: A Recursive Model for Graph Mining, 2004, with the shares of the Graph 500): few nodes
 * with very many edges, everything near. Roads: a grid of crossings, of which some streets are missing and a few go aslant: few edges, all to
 * neighbours, everything far. Web: most links to pages of numbers near by, the others to where an earlier link went (R. Kumar et al.,
 * Stochastic Models for the Web Graph, 2000): popular pages, and nearness, too. No node has an edge to itself or two to another. */
#ifndef WS_HARNESS_GRAPH_H
#define WS_HARNESS_GRAPH_H

#include "data/workloads/harness/harness.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum harness_graph_form { HARNESS_GRAPH_RMAT, HARNESS_GRAPH_ROADS, HARNESS_GRAPH_WEB };

/* Rows of a table of sizes: form, nodes, and edges that are drawn for each, at the three scales. */
#define HARNESS_GRAPH_SIZES(form, tiny, small, study, degree)                                                                     \
    {"graph", "0: R-MAT, 1: roads, 2: web", {(form), (form), (form)}, HARNESS_GRAPH_RMAT, HARNESS_GRAPH_WEB, 1},                  \
        {"nodes", "nodes", {(tiny), (small), (study)}, 1, 4194304, 1},                                                            \
        {"degree", "edges that are drawn for a node of R-MAT and web", {(degree), (degree), (degree)}, 1, 64, 1}

/* Edges of node i are target[first[i]] .. target[first[i + 1] - 1], in rising order. */
typedef struct harness_graph {
    int nodes, edges;
    int *first, *target;
    CUdeviceptr d_first, d_target;
} harness_graph;

typedef struct harness_edge {
    int from, to;
} harness_edge;

static inline int harness_order_of_edges(const void *left, const void *right)
{
    const harness_edge *const a = left, *const b = right;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to > b->to) - (a->to < b->to);
}

/* A random order of n things: which number each has in it. */
static inline int *harness_shuffled(harness *h, size_t n)
{
    int *const number = harness_host(h, n, sizeof *number);
    for (size_t i = 0; i < n; i++) {
        const size_t k = harness_integer(h, (unsigned)i + 1);
        number[i] = number[k];
        number[k] = (int)i;
    }
    return number;
}

/* Where each of 0 .. n - 1 stands among these numbers. */
static inline int *harness_inverse(harness *h, const int *number, size_t n)
{
    int *const place = harness_host(h, n, sizeof *place);
    for (size_t i = 0; i < n; i++)
        place[number[i]] = (int)i;
    return place;
}

/* n times the value. */
static inline int *harness_filled(harness *h, size_t n, int value)
{
    int *const all = harness_host(h, n, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = value;
    return all;
}

/* Edges of an R-MAT graph over a square of nodes: each step chooses a quarter of it. Places are shuffled, so that numbers tell nothing. */
static inline size_t harness_draw_rmat(harness *h, int nodes, size_t n, harness_edge *edge)
{
    static const double to_lower_left = 0.57, to_lower_right = 0.57 + 0.19, to_upper_left = 0.57 + 0.19 + 0.19;
    const int *const number = harness_shuffled(h, (size_t)nodes);
    for (size_t e = 0; e < n;) {
        int from = 0, to = 0;
        for (int step = 1; step < nodes; step *= 2) {
            const double u = harness_uniform(h, 0, 1);
            from += u >= to_lower_right ? step : 0;
            to += (u >= to_lower_left && u < to_lower_right) || u >= to_upper_left ? step : 0;
        }
        if (from < nodes && to < nodes)
            edge[e++] = (harness_edge){number[from], number[to]};
    }
    return n;
}

/* Streets to the right and down, both ways; seven of eight are there, and one corner in 16 has one aslant. */
static inline size_t harness_draw_roads(harness *h, int nodes, harness_edge *edge)
{
    const int wide = (int)ceil(sqrt(nodes));
    size_t n = 0;
    for (int i = 0; i < nodes; i++) {
        const bool right = i % wide + 1 < wide;
        const int to[] = {right ? i + 1 : nodes, i + wide, right ? i + wide + 1 : nodes};
        const bool there[] = {harness_integer(h, 8) > 0, harness_integer(h, 8) > 0, harness_integer(h, 16) == 0};
        for (int k = 0; k < 3; k++) {
            if (!there[k] || to[k] >= nodes)
                continue;
            edge[n++] = (harness_edge){i, to[k]};
            edge[n++] = (harness_edge){to[k], i};
        }
    }
    return n;
}

static inline size_t harness_draw_web(harness *h, int nodes, size_t degree, harness_edge *edge)
{
    enum { NEAR = 64, NEAR_OF_TEN = 7 };
    size_t n = 0;
    for (int i = 0; i < nodes; i++)
        for (size_t k = 0; k < degree; k++, n++) {
            int to = i + (int)harness_integer(h, NEAR) - NEAR / 2;
            if (n && harness_integer(h, 10) >= NEAR_OF_TEN)
                to = edge[harness_integer(h, (unsigned)n)].to;
            edge[n] = (harness_edge){i, to < 0 ? 0 : to >= nodes ? nodes - 1 : to};
        }
    return n;
}

/* The graph that the sizes `graph`, `nodes` and `degree` ask for, on host and device; with both_ways each edge goes both ways. */
static inline harness_graph harness_make_graph(harness *h, bool both_ways)
{
    const long form = harness_get_size(h, "graph"), degree = harness_get_size(h, "degree");
    harness_graph g = {.nodes = (int)harness_get_size(h, "nodes")};
    const size_t nodes = (size_t)g.nodes, drawn = nodes * (size_t)(degree > 6 ? degree : 6);
    harness_edge *const edge = harness_host(h, 2 * drawn, sizeof *edge);
    size_t n = form == HARNESS_GRAPH_RMAT    ? harness_draw_rmat(h, g.nodes, nodes * (size_t)degree, edge)
               : form == HARNESS_GRAPH_ROADS ? harness_draw_roads(h, g.nodes, edge)
                                             : harness_draw_web(h, g.nodes, (size_t)degree, edge);
    for (size_t i = 0, end = n; both_ways && i < end; i++)
        edge[n++] = (harness_edge){edge[i].to, edge[i].from};
    qsort(edge, n, sizeof *edge, harness_order_of_edges);
    g.first = harness_host(h, nodes + 1, sizeof *g.first);
    g.target = harness_host(h, n + 1, sizeof *g.target);
    for (size_t i = 0; i < n; i++) {
        if (edge[i].from == edge[i].to || (i && !harness_order_of_edges(&edge[i], &edge[i - 1])))
            continue;
        g.target[g.edges++] = edge[i].to;
        g.first[edge[i].from + 1]++;
    }
    for (size_t i = 0; i < nodes; i++)
        g.first[i + 1] += g.first[i];
    g.d_first = harness_upload(h, g.first, (nodes + 1) * sizeof *g.first);
    g.d_target = harness_upload(h, g.target, ((size_t)g.edges + 1) * sizeof *g.target);
    return g;
}

/* Blocks of `size` threads for a thread a node. */
static inline unsigned harness_graph_blocks(const harness_graph *g, unsigned size)
{
    return ((unsigned)g->nodes + size - 1) / size;
}

#endif
