/* graph.h - graphs of five forms from the seed, or from a file, for workloads whose threads are nodes.
 *
 * R-MAT (D. Chakrabarti, Y. Zhan, C. Faloutsos, R-MAT: A Recursive Model for Graph Mining, 2004, with the shares of the
 * Graph 500): few nodes with very many edges, everything near. Roads: a grid of crossings, of which some streets are
 * missing and a few go aslant: few edges, all to neighbours, everything far. Web: most links to pages of numbers near
 * by, the others to where an earlier link went (R. Kumar et al., Stochastic Models for the Web Graph, 2000): popular
 * pages, and nearness, too. Mesh: a grid with a diagonal in each square, one or the other, as meshes of triangles and
 * maps of districts are: about six neighbours each, all near. Uniform: any node to any other (P. Erdős, A. Rényi, On
 * Random Graphs I, 1959): neither popular ones nor nearness. No node has an edge to itself or two to another.
 *
 * How many nodes there are is said by number, or as a share of the threads that a GPU holds at once, when a thread has
 * a node: `share` in percent of `resident`. A graph from a file (graph_file.h) has the nodes that the file has. */
#ifndef WS_HARNESS_GRAPH_H
#define WS_HARNESS_GRAPH_H

#include "data/workloads/harness/graph_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum harness_graph_form {
    HARNESS_GRAPH_RMAT,
    HARNESS_GRAPH_ROADS,
    HARNESS_GRAPH_WEB,
    HARNESS_GRAPH_MESH,
    HARNESS_GRAPH_UNIFORM,
    HARNESS_GRAPH_FORMS
};

enum { HARNESS_GRAPH_NODES = 4194304, HARNESS_GRAPH_DEGREE = 64 }; /* at most */

/* Rows of a table of sizes: form, nodes, and edges that are drawn for each, at the three scales. */
#define HARNESS_GRAPH_SIZES_UP_TO(form, tiny, small, study, degree, nodes, edges) \
    {"graph", \
     "0: R-MAT, 1: roads, 2: web, 3: mesh, 4: uniform; or a file, DIMACS or MatrixMarket", \
     {(form), (form), (form)}, \
     HARNESS_GRAPH_RMAT, \
     HARNESS_GRAPH_FORMS - 1, \
     HARNESS_OR_FILE}, \
        {"nodes", "nodes", {(tiny), (small), (study)}, 1, (nodes), 1}, \
    { \
        "degree", "edges that are drawn for a node, but for roads and mesh", {(degree), (degree), (degree)}, 1, \
            (edges), 1 \
    }

/* And those of the share of a GPU: one SM of 2,048 threads, 20 of them, and the 80 of a Titan V. */
#define HARNESS_GRAPH_SIZES(form, tiny, small, study, degree) \
    HARNESS_GRAPH_SIZES_UP_TO(form, tiny, small, study, degree, HARNESS_GRAPH_NODES, HARNESS_GRAPH_DEGREE), \
        {"share",   "percent of a GPU's threads that have a node, whatever `nodes` says; 0: it says how many", \
         {0, 0, 0}, 0, \
         100,       1}, \
    { \
        "resident", "threads that the GPU holds at once", {2048, 40960, 163840}, 1, HARNESS_GRAPH_NODES, 1 \
    }

/* Edges of node i are target[first[i]] .. target[first[i + 1] - 1], in rising order. `length` is NULL where no file
 * gave lengths. */
typedef struct harness_graph {
    int nodes, edges;
    int *first, *target, *length;
    CUdeviceptr d_first, d_target;
} harness_graph;

static inline int harness_order_of_edges(const void *left, const void *right)
{
    const harness_edge *const a = left, *const b = right;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to > b->to) - (a->to < b->to);
}

/* Orders parallel edges by length. */
static inline int harness_order_of_lengths(const void *left, const void *right)
{
    const harness_edge *const a = left, *const b = right;
    const int order = harness_order_of_edges(left, right);
    return order ? order : (a->length > b->length) - (a->length < b->length);
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

/* Edges of an R-MAT graph over a square of nodes: each step chooses a quarter of it. Places are shuffled, so that
 * numbers tell nothing. */
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
            edge[e++] = harness_edge_of(number[from], number[to]);
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
            edge[n++] = harness_edge_of(i, to[k]);
            edge[n++] = harness_edge_of(to[k], i);
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
            edge[n] = harness_edge_of(i, to < 0 ? 0 : to >= nodes ? nodes - 1 : to);
        }
    return n;
}

/* Sides of squares, and of each square one diagonal, both ways. */
static inline size_t harness_draw_mesh(harness *h, int nodes, harness_edge *edge)
{
    const int wide = (int)ceil(sqrt(nodes));
    size_t n = 0;
    for (int i = 0; i < nodes; i++) {
        const bool right = i % wide + 1 < wide, falls = harness_integer(h, 2);
        const harness_edge side[] = {harness_edge_of(i, i + 1), harness_edge_of(i, i + wide),
                                     falls ? harness_edge_of(i, i + wide + 1) : harness_edge_of(i + 1, i + wide)};
        for (int k = 0; k < 3; k++) {
            if ((k != 1 && !right) || side[k].to >= nodes)
                continue;
            edge[n++] = side[k];
            edge[n++] = harness_edge_of(side[k].to, side[k].from);
        }
    }
    return n;
}

static inline size_t harness_draw_uniform(harness *h, int nodes, size_t degree, harness_edge *edge)
{
    size_t n = 0;
    for (int i = 0; i < nodes; i++)
        for (size_t k = 0; k < degree; k++)
            edge[n++] = harness_edge_of(i, (int)harness_integer(h, (unsigned)nodes));
    return n;
}

/* How many there are; edge has room for harness_draws_most() of a node. */
static inline size_t harness_draw_edges(harness *h, enum harness_graph_form form, int nodes, size_t degree,
                                        harness_edge *edge)
{
    switch (form) {
    case HARNESS_GRAPH_RMAT:
        return harness_draw_rmat(h, nodes, (size_t)nodes * degree, edge);
    case HARNESS_GRAPH_ROADS:
        return harness_draw_roads(h, nodes, edge);
    case HARNESS_GRAPH_WEB:
        return harness_draw_web(h, nodes, degree, edge);
    case HARNESS_GRAPH_MESH:
        return harness_draw_mesh(h, nodes, edge);
    default:
        return harness_draw_uniform(h, nodes, degree, edge);
    }
}

static inline size_t harness_draws_most(size_t degree)
{
    enum { OF_GRIDS = 6 }; /* three, both ways */
    return degree > OF_GRIDS ? degree : OF_GRIDS;
}

/* Builds the graph of the list on the host, without self-loops and parallel edges. both_ways adds the reverse of each
 * edge; the list must have room for them. */
static inline harness_graph harness_graph_of_edges(harness *h, const harness_edges *list, bool both_ways)
{
    const size_t nodes = (size_t)list->nodes;
    harness_graph g = {.nodes = list->nodes};
    harness_edge *const edge = list->edge;
    size_t n = list->edges;
    for (size_t i = 0, end = n; both_ways && i < end; i++)
        edge[n++] = (harness_edge){edge[i].to, edge[i].from, edge[i].length};
    qsort(edge, n, sizeof *edge, harness_order_of_lengths);
    g.first = harness_host(h, nodes + 1, sizeof *g.first);
    g.target = harness_host(h, n + 1, sizeof *g.target);
    g.length = list->lengths ? harness_host(h, n + 1, sizeof *g.length) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (edge[i].from == edge[i].to || (i && !harness_order_of_edges(&edge[i], &edge[i - 1])))
            continue;
        if (g.length)
            g.length[g.edges] = edge[i].length;
        g.target[g.edges++] = edge[i].to;
        g.first[edge[i].from + 1]++;
    }
    for (size_t i = 0; i < nodes; i++)
        g.first[i + 1] += g.first[i];
    return g;
}

/* Reads the graph of a file, on the host. */
static inline harness_graph harness_read_graph(harness *h, const char *path, bool both_ways)
{
    const harness_edges list = harness_read_edges(h, path, harness_most_of_size(h, "nodes"));
    return harness_graph_of_edges(h, &list, both_ways);
}

static inline harness_graph harness_draw_graph(harness *h, int count, bool both_ways)
{
    const size_t degree = (size_t)harness_get_size(h, "degree"), nodes = (size_t)count;
    harness_edges list = {.nodes = count};
    list.edge = harness_host(h, 2 * nodes * harness_draws_most(degree), sizeof *list.edge);
    list.edges = harness_draw_edges(h, (enum harness_graph_form)harness_get_size(h, "graph"), count, degree, list.edge);
    return harness_graph_of_edges(h, &list, both_ways);
}

/* Returns the graph of the file, or draws one of `count` nodes by the sizes; on host and device. */
static inline harness_graph harness_make_graph_of(harness *h, int count, bool both_ways)
{
    const char *const path = harness_get_file(h, "graph");
    harness_graph g = path ? harness_read_graph(h, path, both_ways) : harness_draw_graph(h, count, both_ways);
    g.d_first = harness_upload(h, g.first, ((size_t)g.nodes + 1) * sizeof *g.first);
    g.d_target = harness_upload(h, g.target, ((size_t)g.edges + 1) * sizeof *g.target);
    return g;
}

/* The same with as many nodes as `nodes` says, or `share` and `resident`. */
static inline harness_graph harness_make_graph(harness *h, bool both_ways)
{
    const long share = harness_get_size(h, "share"), of_gpu = share * harness_get_size(h, "resident") / 100;
    return harness_make_graph_of(h,
                                 (int)(share == 0   ? harness_get_size(h, "nodes")
                                       : of_gpu > 0 ? of_gpu
                                                    : 1),
                                 both_ways);
}

/* Returns the lengths of the edges, with one spare element: those of the file, or drawn from 1 .. longest. */
static inline const int *harness_edge_lengths(harness *h, const harness_graph *g, int longest)
{
    return g->length ? g->length : harness_random_ints(h, (size_t)g->edges + 1, 1, longest);
}

/* Refuses distances so near to `far`, which means unreachable, that another edge of a file could exceed it. */
static inline void harness_check_range(harness *h, const harness_graph *g, const int *distance, int far)
{
    for (int i = 0; g->length && i < g->nodes; i++)
        if (distance[i] < 0 || (distance[i] < far && distance[i] > far - HARNESS_LENGTH_MOST))
            harness_refuse(h, "a distance of %d in the graph from a file: from %d on they do not fit", distance[i],
                           far - HARNESS_LENGTH_MOST);
}

/* Breadth-first search: cost[node] becomes its number of edges from the source, or -1 if unreachable. */
static inline void harness_search(harness *h, const harness_graph *g, int source, int *cost)
{
    int *const queue = harness_host(h, (size_t)g->nodes, sizeof *queue);
    long head = 0, tail = 0;
    for (int i = 0; i < g->nodes; i++)
        cost[i] = -1;
    cost[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const int node = queue[head++];
        for (int e = g->first[node]; e < g->first[node + 1]; e++) {
            const int neighbour = g->target[e];
            if (cost[neighbour] < 0) {
                cost[neighbour] = cost[node] + 1;
                queue[tail++] = neighbour;
            }
        }
    }
}

/* Blocks of `size` threads for a thread a node. */
static inline unsigned harness_graph_blocks(const harness_graph *g, unsigned size)
{
    return ((unsigned)g->nodes + size - 1) / size;
}

#endif
