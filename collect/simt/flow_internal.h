/* flow_internal.h - shared declarations of flow.c, flow_graph.c and flow_live.c. Nodes of a function's graph are its
 * blocks, then the end of the function, then its lists of branch targets. Each list is one node, even if many branches
 * use it, so the graph is as large as the text. */
#ifndef WS_FLOW_INTERNAL_H
#define WS_FLOW_INTERNAL_H

#include "collect/simt/simt_internal.h"

typedef struct graph {
    uint32_t nodes;
    uint32_t *first; /* [nodes + 1] into edge */
    uint32_t *edge;
    uint32_t *fill;
} graph;

#define NO_NODE UINT32_MAX

/* flow_graph.c. Returns false when memory is short; the caller must free partial results. */
bool graph_reverse(const graph *g, graph *r);
void graph_fini(graph *g);
/* Computes the immediate post-dominator of every node; NO_NODE for nodes that never reach `end`. */
bool graph_post_dominators(const graph *succ, const graph *pred, uint32_t end, uint32_t *ipdom);

typedef struct interval {
    uint32_t reg, first, last; /* last: position after which the slot is free */
} interval;

void flow_extend_interval(interval *iv, uint32_t position);

/* flow_live.c. Extends iv[regs] by the live ranges of registers; sets live_max, live_at_entry. Returns false when
 * memory is short. */
bool flow_find_live(flow *f, const ws_function *fn, const graph *pred, interval *iv);

#endif
