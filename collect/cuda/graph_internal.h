/* graph_internal.h - graphs, their nodes and instances, and memory pools. */
#ifndef WS_GRAPH_INTERNAL_H
#define WS_GRAPH_INTERNAL_H

#include "collect/cuda/stream_internal.h"

struct CUgraphNode_st {
    ws_handle handle;
    CUgraph graph;
    ws_task task;
    ws_nodes before, after; /* nodes that it depends on, and nodes that depend on it */
    uint64_t serial;        /* a unique number */
    uint64_t original;      /* serial of the node that it was cloned from, or 0 */
    bool enabled;           /* in a CUgraphExec: false disables the node */
    bool mark;              /* work data of traversals */
    uint64_t end;           /* end of the node in the present launch; */
    ws_moment order;        /* ... and the moment that precedes its successors there */
};

struct CUuserObject_st {
    ws_handle handle;
    void *pointer;
    CUhostFn destroy;
    uint64_t count;
};

typedef struct ws_kept_object {
    CUuserObject object;
    uint64_t count;
} ws_kept_object;

struct CUgraph_st {
    ws_handle handle;
    ws_nodes nodes;     /* in the order of addition */
    CUgraphNode parent; /* of a child graph: the node that owns it */
    CUgraphExec exec;   /* the only instance that memory nodes allow; NULL */
    ws_kept_object *kept;
    size_t kept_count, kept_room;
    ws_condition **condition; /* [conditions] shared with clones */
    size_t conditions, condition_room;
    bool captured_into; /* a capture adds nodes to it */
    bool hidden;        /* owned by a CUgraphExec, without a handle for the program */
};

struct CUgraphExec_st {
    ws_handle handle;
    CUgraph graph;  /* an owned clone */
    CUgraph source; /* the original; compared with, and notified when the exec is destroyed */
    uint64_t flags;
    unsigned running; /* launches in progress: host nodes run without the lock */
    bool gone;        /* destroyed during a launch */
    ws_moment order;  /* its launches until now */
};

/* A launch in progress, for race detection between streams. */
typedef struct ws_order_graph {
    ws_order_place place;
    uint32_t queue;
    ws_moment moment; /* precedes all nodes; at the end, follows all nodes */
} ws_order_graph;

/* driver_order.c. End: NULL for a stream destroyed in the meantime. */
void ws_order_graph_begin(ws_order_graph *g, CUgraphExec exec, CUstream s);
void ws_order_graph_end(ws_order_graph *g, CUgraphExec exec, CUstream s);
void ws_order_node_begin(CUgraphNode node, const ws_moment *begin);
void ws_order_graph_join(CUgraph graph, ws_moment *out);

/* driver_graph.c */
CUresult ws_graph_make(CUcontext context, CUgraph *graph);
CUresult ws_graph_clone(CUgraph graph, CUgraph *clone);
void ws_graph_release(CUgraph graph);
bool ws_graph_is_held(CUgraph graph); /* by a node or a capture, which releases it */
/* Adds a node; takes ownership of the task, also on failure. */
CUresult ws_graph_add(CUgraph graph, const ws_nodes *before, ws_task *task, CUgraphNode *node);
/* Sorts the nodes topologically: nodes without dependencies first, and otherwise in the order in which they become
 * ready. CUDA_ERROR_INVALID_VALUE for a cycle. The caller frees *order. */
CUresult ws_graph_order(CUgraph graph, CUgraphNode **order);
bool ws_graph_has_kind(CUgraph graph, CUgraphNodeType type);
/* Returns whether `node` is `earlier` or depends on it, directly or not. */
bool ws_node_follows(CUgraphNode node, CUgraphNode earlier);
CUresult ws_edges_check(const CUgraphEdgeData *edges, size_t count);

/* driver_graphparams.c */
CUresult ws_task_of_params(ws_task *task, CUgraphNodeParams *params);

/* driver_graphexec.c */
void ws_exec_release(CUgraphExec exec);
bool ws_graph_same_shape(CUgraph old, CUgraph new); /* the same kinds of nodes and edges in the same order */

/* driver_condition.c */
CUresult ws_condition_task(ws_task *task, CUgraph graph,
                           CUDA_CONDITIONAL_NODE_PARAMS *params); /* returns the bodies in params */
CUresult ws_condition_clone(ws_task *to, const ws_task *from);    /* to: a partial copy; the caller clears it */
void ws_condition_clear(ws_task *task);
CUresult ws_graph_copy_conditions(CUgraph to, CUgraph from);
void ws_graph_drop_conditions(CUgraph graph);
bool ws_graph_has_idle_condition(CUgraph graph);  /* without a node */
bool ws_condition_allows(CUgraph body);           /* checks the kinds of its nodes */
void ws_graph_assign_conditions(CUgraph graph);   /* a launch begins */
CUgraph ws_condition_choose(const ws_task *task); /* returns the body to run now; NULL: none */

/* driver_userobject.c */
CUresult ws_graph_keep(CUgraph graph, CUuserObject object, uint64_t count);
void ws_graph_drop_objects(CUgraph graph);

/* driver_graphmemory.c: memory allocated by graph nodes. Its address is fixed when the node is created. */
CUresult ws_graph_memory_reserve(CUgraph graph, const ws_nodes *before, CUDA_MEM_ALLOC_NODE_PARAMS *params,
                                 CUcontext context);
void ws_graph_memory_hold(CUdeviceptr address);
void ws_graph_memory_drop(CUdeviceptr address);
CUresult ws_graph_memory_begin(CUdeviceptr address);
CUresult ws_graph_memory_end(CUdeviceptr address);
bool ws_graph_memory_is_live(CUdeviceptr address);

/* driver_pool.c */
void ws_pool_release(CUmemoryPool pool);
/* Called after a host wait: releases unused memory above the threshold. */
void ws_pools_synchronized(void);
/* Returns the bytes kept by pools without use. */
uint64_t ws_pools_unused(void);
/* Returns an allocation to the pool; it was freed in the stream, or elsewhere if NULL. */
void ws_pool_give_back(CUmemoryPool pool, uint64_t bytes, CUstream stream);
CUresult ws_pool_check_props(const CUmemPoolProps *props);
CUresult ws_pool_check_access(const CUmemAccessDesc *access, size_t count);

#endif
