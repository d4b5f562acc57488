/* stream_internal.h - streams, events, and what can be put into a stream or a graph. */
#ifndef WS_STREAM_INTERNAL_H
#define WS_STREAM_INTERNAL_H

#include "collect/cuda/driver_internal.h"

typedef struct ws_capture ws_capture;
typedef struct ws_condition ws_condition;

/* A set of nodes, in the order in which they came. */
typedef struct ws_nodes {
    CUgraphNode *item;
    size_t n, room;
} ws_nodes;

bool ws_nodes_add(ws_nodes *set, CUgraphNode node);    /* once each; false: no memory */
bool ws_nodes_append(ws_nodes *set, CUgraphNode node); /* known not to be in it */
bool ws_nodes_add_all(ws_nodes *set, const ws_nodes *others);
bool ws_nodes_has(const ws_nodes *set, CUgraphNode node);
void ws_nodes_remove(ws_nodes *set, CUgraphNode node);
void ws_nodes_clear(ws_nodes *set); /* frees the list */

struct CUstream_st {
    ws_handle handle;
    unsigned flags;
    int priority;
    unsigned long long id;
    bool legacy;         /* waits for all blocking streams of its context, and they for it */
    uint64_t end;        /* simulated time at which its last operation ends */
    uint64_t joined;     /* the latest time of an event that it has waited for */
    int sync_policy;     /* CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, kept for who asks */
    ws_capture *capture; /* NULL: operations are executed */
    ws_nodes tips;       /* what the next captured operation depends on */
    ws_moment order;     /* what its last operation came after, and that itself */
    uint32_t queue;      /* where that stood */
};

struct CUevent_st {
    ws_handle handle;
    unsigned flags;
    bool recorded;
    uint64_t time;
    ws_moment order;     /* what came before the record */
    ws_capture *capture; /* the last record was captured: what it stands for */
    ws_nodes tips;
};

/* One operation. The numbers of the kinds are the ABI's for nodes of graphs. */
typedef struct ws_task {
    CUgraphNodeType type;
    union {
        struct {
            CUfunction function;
            unsigned grid[3], block[3], shared_bytes;
            bool cooperative, cluster; /* cluster: its size was given, as one block */
            int priority;
            uint8_t *block_of_params; /* owned: laid out as the kernel wants it */
            void **param;             /* owned: where each parameter is in it */
        } kernel;
        CUDA_MEMCPY3D copy;
        CUDA_MEMSET_NODE_PARAMS set;
        CUDA_HOST_NODE_PARAMS host;
        CUgraph child; /* owned */
        CUevent event;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        CUdeviceptr address; /* CU_GRAPH_NODE_TYPE_MEM_FREE */
        struct {
            unsigned count, flags;
            CUstreamBatchMemOpParams *op; /* owned */
        } memory;
        struct {
            ws_condition *which;
            CUgraphConditionalNodeType type;
            unsigned size;
            CUgraph *body; /* [size] owned */
        } condition;
    };
} ws_task;

/* driver_task.c. Clone: *to owns what it points to; on failure it is empty. */
CUresult ws_task_clone(ws_task *to, const ws_task *from);
void ws_task_clear(ws_task *task);
/* Are the parameters such that the task can run? */
CUresult ws_task_check(const ws_task *task);
/* Does the work; *cost says what it takes. Not for child graphs, events, memory of graphs and host functions. */
CUresult ws_task_run(CUcontext context, const ws_task *task, ws_cost *cost);
/* Calls a function of the program, without the lock and with the API forbidden. */
void ws_task_call_host(const CUDA_HOST_NODE_PARAMS *host);

/* What attributes of a launch say. */
typedef struct ws_launch_manner {
    bool cooperative, cluster;
} ws_launch_manner;

/* driver_launch.c, driver_copy.c, driver_value.c: the work of one kind. */
CUresult ws_kernel_task(ws_task *task, const CUDA_KERNEL_NODE_PARAMS *params,
                        ws_launch_manner manner); /* checked, owned */
CUresult ws_kernel_check(const ws_task *task);
CUresult ws_kernel_execute(CUcontext context, const ws_task *task, ws_cost *cost);
CUresult ws_copy_check(const CUDA_MEMCPY3D *copy);
CUresult ws_copy_execute(const CUDA_MEMCPY3D *copy, ws_cost *cost);
bool ws_copy_waits(const CUDA_MEMCPY3D *copy); /* also of one into a stream the host waits for the end */
CUresult ws_fill_check(const CUDA_MEMSET_NODE_PARAMS *set);
CUresult ws_fill_execute(const CUDA_MEMSET_NODE_PARAMS *set, ws_cost *cost);
CUresult ws_memory_ops_check(unsigned count, const CUstreamBatchMemOpParams *op, unsigned flags);
CUresult ws_memory_ops_execute(unsigned count, const CUstreamBatchMemOpParams *op);
bool ws_memory_ops_wait(unsigned count, const CUstreamBatchMemOpParams *op); /* for a value */

/* driver_stream.c. Find: NULL is no stream; makes the default streams when they are first needed. */
CUstream ws_stream_find(CUcontext context, CUstream handle);
/* The stream, of a call that has entered `context`; returns the error where there is none. */
#define WS_FIND_STREAM(s, handle) \
    const CUstream s = ws_stream_find(context, handle); \
    do { \
        if (!s) \
            return CUDA_ERROR_INVALID_HANDLE; \
    } while (0)
/* The moment that an event recorded in the stream now stands for. */
uint64_t ws_stream_now(CUstream stream);
/* When may something begin that is put into the stream now? */
uint64_t ws_stream_ready(CUstream stream);
/* Something in the stream ends then. */
void ws_stream_ends(CUstream stream, uint64_t when);
/* Puts the task into the stream, or into the graph that the stream is captured into; takes over what it owns. */
CUresult ws_stream_submit(CUcontext context, CUstream handle, ws_task *task);
/* The host waits until the stream is done. */
void ws_stream_wait(CUstream stream);
void ws_stream_release(CUstream stream);
void ws_event_release(CUevent event);

/* driver_order.c: what comes after what, for races of streams (collect/check/overlap.h). Where those are not looked for
 * nothing happens. */
typedef struct ws_order_place { /* where the program put an operation */
    unsigned long long stream;  /* its number */
    bool legacy, non_blocking, of_thread;
    uint64_t graph; /* number of the launch of a graph that it is part of; 0: of none */
    ws_host_call call;
} ws_order_place;

void ws_order_add_stream(CUstream s);
void ws_order_drop_stream(CUstream s);
void ws_order_record(CUstream s, ws_moment *out); /* what an event recorded now comes after; frees what `out` was */
void ws_order_wait(CUstream s, const ws_moment *m);
void ws_order_join(ws_moment *to, const ws_moment *from);
void ws_order_copy(ws_moment *to, const ws_moment *from); /* frees what `to` was */
void ws_order_wait_all(CUstream s);                       /* for all that was put into streams of its context */
/* An operation, in a stream or behind `after`; out comes after it, too. */
void ws_order_begin(const ws_order_place *place, const ws_task *task, const ws_moment *after, uint32_t *queue);
void ws_order_end(ws_moment *out);
void ws_order_begin_in(CUstream s, const ws_task *task);
void ws_order_end_in(CUstream s, const ws_task *task);
void ws_order_allocation(CUstream s, CUgraphNodeType type, uint64_t address,
                         uint64_t bytes); /* type: allocates or frees */
void ws_order_host_waits(CUstream s);
void ws_order_host_waits_for(const ws_moment *m);

/* driver_capture.c */
struct ws_capture {
    uint64_t id;
    CUgraph graph;
    bool own_graph; /* false: cuStreamBeginCaptureToGraph */
    CUstreamCaptureMode mode;
    unsigned thread;
    CUstream origin;
    CUresult fault; /* CUDA_SUCCESS: active */
    ws_nodes left;  /* tips of streams that were destroyed: the origin must come after them too */
    struct ws_capture *next;
};

/* The result of a call that a capture in progress forbids, CUDA_SUCCESS when none does. The capture is then invalid. */
CUresult ws_capture_forbids(void);
/* The same for a call that uses the legacy stream. */
CUresult ws_capture_forbids_legacy(CUcontext context);
/* Ends the capture's usefulness; gives back `why`. */
CUresult ws_capture_invalidate(ws_capture *capture, CUresult why);
CUresult ws_capture_add(CUstream stream, const ws_task *task);
CUresult ws_capture_allocate(CUstream stream, CUDA_MEM_ALLOC_NODE_PARAMS *params); /* gives the address */
CUresult ws_capture_record(CUstream stream, CUevent event, bool external);
CUresult ws_capture_wait(CUstream stream, CUevent event, bool external);
/* The stream leaves the capture for good: it is destroyed. */
void ws_capture_leave(CUstream stream);

/* A number of this thread, from 1. */
unsigned ws_thread_number(void);

#endif
