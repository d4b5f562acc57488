/* graph_internal.h - graphs, their nodes, what can be launched, and pools of memory. */
#ifndef WS_GRAPH_INTERNAL_H
#define WS_GRAPH_INTERNAL_H

#include "collect/cuda/stream_internal.h"

struct CUgraphNode_st {
    ws_handle handle;
    CUgraph graph;
    ws_task task;
    ws_nodes before, after; /* nodes that it depends on, and that depend on it */
    uint64_t serial;        /* a number of its own */
    uint64_t original;      /* serial of the node that it was cloned from; 0 */
    bool enabled;           /* in a CUgraphExec: does it do anything? */
    bool mark;              /* of walks */
    uint64_t end;           /* of the launch in progress; */
    ws_moment order;        /* ... what comes before what comes after it there */
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
    ws_nodes nodes;     /* in the order in which they were added */
    CUgraphNode parent; /* of a child graph: the node that owns it */
    CUgraphExec exec;   /* the one instantiation that memory nodes allow; NULL */
    ws_kept_object *kept;
    size_t kept_count, kept_room;
    ws_condition **condition; /* [conditions] shared with clones */
    size_t conditions, condition_room;
    bool captured_into; /* a capture adds nodes to it */
    bool hidden;        /* of a CUgraphExec: no handle of the program's */
};

struct CUgraphExec_st {
    ws_handle handle;
    CUgraph graph;  /* a clone of its own */
    CUgraph source; /* what it was made from; compared, and told when the exec goes */
    uint64_t flags;
    unsigned running; /* launches in progress: host nodes run without the lock */
    bool gone;        /* destroyed while it ran */
    ws_moment order;  /* its launches so far */
};

/* A launch in progress, for races of streams. */
typedef struct ws_order_graph {
    ws_order_place place;
    uint32_t queue;
    ws_moment moment; /* what all nodes come after; at the end, all nodes */
} ws_order_graph;

/* driver_order.c. End: a stream that is gone by then is NULL. */
void ws_order_graph_begin(ws_order_graph *g, CUgraphExec exec, CUstream s);
void ws_order_graph_end(ws_order_graph *g, CUgraphExec exec, CUstream s);
void ws_order_node_begin(CUgraphNode node, const ws_moment *begin);
void ws_order_graph_join(CUgraph graph, ws_moment *out);

/* driver_graph.c */
CUresult ws_graph_make(CUcontext context, CUgraph *graph);
CUresult ws_graph_clone(CUgraph graph, CUgraph *clone);
void ws_graph_release(CUgraph graph);
bool ws_graph_is_held(CUgraph graph); /* by a node or a capture, which releases it */
/* Adds a node; takes over the task, also when it fails. */
CUresult ws_graph_add(CUgraph graph, const ws_nodes *before, ws_task *task, CUgraphNode *node);
/* The nodes such that each comes after those that it depends on, those without such nodes first and otherwise in the
 * order in which they became ready. CUDA_ERROR_INVALID_VALUE when there is a cycle. The caller frees *order. */
CUresult ws_graph_order(CUgraph graph, CUgraphNode **order);
bool ws_graph_has_kind(CUgraph graph, CUgraphNodeType type);
/* Does `node` depend, directly or not, on `earlier`, or are they the same? */
bool ws_node_follows(CUgraphNode node, CUgraphNode earlier);
CUresult ws_edges_check(const CUgraphEdgeData *edges, size_t count);

/* driver_graphparams.c */
CUresult ws_task_of_params(ws_task *task, CUgraphNodeParams *params);

/* driver_graphexec.c */
void ws_exec_release(CUgraphExec exec);
bool ws_graph_same_shape(CUgraph old, CUgraph new); /* the same kinds of nodes and edges in the same order */

/* driver_condition.c */
CUresult ws_condition_task(ws_task *task, CUgraph graph, CUDA_CONDITIONAL_NODE_PARAMS *params); /* tells the bodies */
CUresult ws_condition_clone(ws_task *to, const ws_task *from); /* to: a copy of it so far; cleared by the caller */
void ws_condition_clear(ws_task *task);
CUresult ws_graph_copy_conditions(CUgraph to, CUgraph from);
void ws_graph_drop_conditions(CUgraph graph);
bool ws_graph_has_idle_condition(CUgraph graph);  /* that no node has */
bool ws_condition_allows(CUgraph body);           /* the kinds of its nodes */
void ws_graph_assign_conditions(CUgraph graph);   /* a launch begins */
CUgraph ws_condition_choose(const ws_task *task); /* the body to run now; NULL: none */

/* driver_userobject.c */
CUresult ws_graph_keep(CUgraph graph, CUuserObject object, uint64_t count);
void ws_graph_drop_objects(CUgraph graph);

/* driver_graphmemory.c: memory that nodes of graphs allocate. Its address is fixed when the node is made. */
CUresult ws_graph_memory_reserve(CUgraph graph, const ws_nodes *before, CUDA_MEM_ALLOC_NODE_PARAMS *params,
                                 CUcontext context);
void ws_graph_memory_hold(CUdeviceptr address);
void ws_graph_memory_drop(CUdeviceptr address);
CUresult ws_graph_memory_begin(CUdeviceptr address);
CUresult ws_graph_memory_end(CUdeviceptr address);
bool ws_graph_memory_is_live(CUdeviceptr address);

/* driver_pool.c */
void ws_pool_release(CUmemoryPool pool);
/* The host has waited: unused memory above the threshold goes back. */
void ws_pools_synchronized(void);
/* Bytes that pools keep and nobody uses. */
uint64_t ws_pools_unused(void);
/* An allocation of the pool is gone; it was freed in the stream, or elsewhere when that is NULL. */
void ws_pool_give_back(CUmemoryPool pool, uint64_t bytes, CUstream stream);
CUresult ws_pool_check_props(const CUmemPoolProps *props);
CUresult ws_pool_check_access(const CUmemAccessDesc *access, size_t count);

#endif
