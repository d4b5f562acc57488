/* flow_internal.h - what flow.c, flow_graph.c and flow_live.c share. Nodes of a function's graph are its blocks, then
 * the end of the function, then its lists of branch targets: a list that many branches name is there once, so the graph
 * is as large as the text. */
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

/* flow_graph.c. False when memory is out; what was made is to be freed all the same. */
bool graph_reverse(const graph *g, graph *r);
void graph_fini(graph *g);
/* Immediate post-dominator of every node; NO_NODE for those from which `end` is never reached. */
bool graph_post_dominators(const graph *succ, const graph *pred, uint32_t end, uint32_t *ipdom);

typedef struct interval {
    uint32_t reg, first, last; /* last: position after which the slot is free */
} interval;

void flow_extend_interval(interval *iv, uint32_t position);

/* flow_live.c. Extends iv[regs] by where registers live; sets live_max, live_at_entry. False when memory is out. */
bool flow_find_live(flow *f, const ws_function *fn, const graph *pred, interval *iv);

#endif
