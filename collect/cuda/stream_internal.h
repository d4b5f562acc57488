/* stream_internal.h - streams, events, and operations of streams and graphs. */
#ifndef WS_STREAM_INTERNAL_H
#define WS_STREAM_INTERNAL_H

#include "collect/cuda/driver_internal.h"

typedef struct ws_capture ws_capture;
typedef struct ws_condition ws_condition;

/* A set of nodes in order of addition. */
typedef struct ws_nodes {
    CUgraphNode *item;
    size_t n, room;
} ws_nodes;

bool ws_nodes_add(ws_nodes *set, CUgraphNode node);    /* ignores duplicates; false: no memory */
bool ws_nodes_append(ws_nodes *set, CUgraphNode node); /* for nodes known to be absent */
bool ws_nodes_add_all(ws_nodes *set, const ws_nodes *others);
bool ws_nodes_has(const ws_nodes *set, CUgraphNode node);
void ws_nodes_remove(ws_nodes *set, CUgraphNode node);
void ws_nodes_clear(ws_nodes *set); /* frees the list */

struct CUstream_st {
    ws_handle handle;
    unsigned flags;
    int priority;
    unsigned long long id;
    bool legacy;         /* waits for all blocking streams of its context, and vice versa */
    uint64_t end;        /* simulated end of its last operation */
    uint64_t joined;     /* latest time of the events that it has waited for */
    int sync_policy;     /* CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, stored for queries */
    ws_capture *capture; /* NULL: operations are executed */
    ws_nodes tips;       /* dependencies of the next captured operation */
    ws_moment order;     /* its last operation with all predecessors */
    uint32_t queue;      /* queue of that operation */
};

struct CUevent_st {
    ws_handle handle;
    unsigned flags;
    bool recorded;
    uint64_t time;
    ws_moment order;     /* predecessors of the record */
    ws_capture *capture; /* the last record was captured; the capture and its tips at the record */
    ws_nodes tips;
};

/* One operation. The kinds have the ABI's numbers for graph nodes. */
typedef struct ws_task {
    CUgraphNodeType type;
    union {
        struct {
            CUfunction function;
            unsigned grid[3], block[3], shared_bytes;
            bool cooperative;
            unsigned cluster[3]; /* blocks of a cluster, if the launch specifies them; else zeros */
            int priority;
            uint8_t *block_of_params; /* owned: in the kernel's layout */
            void **param;             /* owned: address of each parameter in it */
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

/* driver_task.c. Clone: *to owns all its data; on failure it is empty. */
CUresult ws_task_clone(ws_task *to, const ws_task *from);
void ws_task_clear(ws_task *task);
/* Checks that the task can run with its parameters. */
CUresult ws_task_check(const ws_task *task);
/* Executes the task; *cost receives its cost. Not for child graphs, events, graph memory and host functions. */
CUresult ws_task_run(CUcontext context, const ws_task *task, ws_cost *cost);
/* Calls a function of the program without the lock; the API is forbidden to it. */
void ws_task_call_host(const CUDA_HOST_NODE_PARAMS *host);

/* Settings from launch attributes. */
typedef struct ws_launch_manner {
    bool cooperative;
    unsigned cluster[3]; /* zeros: not specified */
} ws_launch_manner;

/* driver_launch.c, driver_copy.c, driver_value.c: tasks of one kind. */
CUresult ws_kernel_task(ws_task *task, const CUDA_KERNEL_NODE_PARAMS *params,
                        ws_launch_manner manner); /* checks and copies the parameters */
CUresult ws_kernel_check(const ws_task *task);
CUresult ws_kernel_execute(CUcontext context, const ws_task *task, ws_cost *cost);
CUresult ws_copy_check(const CUDA_MEMCPY3D *copy);
CUresult ws_copy_execute(const CUDA_MEMCPY3D *copy, ws_cost *cost);
bool ws_copy_waits(const CUDA_MEMCPY3D *copy); /* the host waits for the end of a copy, even into a stream */
CUresult ws_fill_check(const CUDA_MEMSET_NODE_PARAMS *set);
CUresult ws_fill_execute(const CUDA_MEMSET_NODE_PARAMS *set, ws_cost *cost);
CUresult ws_memory_ops_check(unsigned count, const CUstreamBatchMemOpParams *op, unsigned flags);
CUresult ws_memory_ops_execute(unsigned count, const CUstreamBatchMemOpParams *op);
bool ws_memory_ops_wait(unsigned count, const CUstreamBatchMemOpParams *op); /* for a value */

/* driver_stream.c. Find: NULL for an invalid stream; creates default streams when first needed. */
CUstream ws_stream_find(CUcontext context, CUstream handle);
/* Defines the stream of a call that has entered `context`; returns an error for an invalid one. */
#define WS_FIND_STREAM(s, handle) \
    const CUstream s = ws_stream_find(context, handle); \
    do { \
        if (!s) \
            return CUDA_ERROR_INVALID_HANDLE; \
    } while (0)
/* Returns the time of an event recorded in the stream now. */
uint64_t ws_stream_now(CUstream stream);
/* Returns the earliest start of an operation submitted to the stream now. */
uint64_t ws_stream_ready(CUstream stream);
/* Records the end of an operation in the stream. */
void ws_stream_ends(CUstream stream, uint64_t when);
/* Submits the task to the stream, or to the graph of its capture; takes ownership of the task's data. */
CUresult ws_stream_submit(CUcontext context, CUstream handle, ws_task *task);
/* Makes the host wait for the stream. */
void ws_stream_wait(CUstream stream);
void ws_stream_release(CUstream stream);
void ws_event_release(CUevent event);

/* driver_order.c: order of operations, for race detection between streams (collect/check/overlap.h). No effect if that
 * is disabled. */
typedef struct ws_order_place { /* place of an operation in the program */
    unsigned long long stream;  /* id of the stream */
    bool legacy, non_blocking, of_thread;
    uint64_t graph; /* number of the graph launch that contains it; 0: none */
    ws_host_call call;
} ws_order_place;

void ws_order_add_stream(CUstream s);
void ws_order_drop_stream(CUstream s);
void ws_order_record(
    CUstream s, ws_moment *out); /* returns the predecessors of an event recorded now; frees the old content of `out` */
void ws_order_wait(CUstream s, const ws_moment *m);
void ws_order_join(ws_moment *to, const ws_moment *from);
void ws_order_copy(ws_moment *to, const ws_moment *from); /* frees the old content of `to` */
void ws_order_wait_all(CUstream s);                       /* for all operations submitted to streams of its context */
/* An operation, in a stream or after `after`; end also joins it into `out`. */
void ws_order_begin(const ws_order_place *place, const ws_task *task, const ws_moment *after, uint32_t *queue);
void ws_order_end(ws_moment *out);
void ws_order_begin_in(CUstream s, const ws_task *task);
void ws_order_end_in(CUstream s, const ws_task *task);
void ws_order_allocation(CUstream s, CUgraphNodeType type, uint64_t address,
                         uint64_t bytes); /* type: allocation or free */
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
    ws_nodes left;  /* tips of destroyed streams, which the origin must also follow */
    struct ws_capture *next;
};

/* Returns the error of a call forbidden during captures, and invalidates the captures; CUDA_SUCCESS if allowed. */
CUresult ws_capture_forbids(void);
/* The same for a call that uses the legacy stream. */
CUresult ws_capture_forbids_legacy(CUcontext context);
/* Invalidates the capture; returns `why`. */
CUresult ws_capture_invalidate(ws_capture *capture, CUresult why);
CUresult ws_capture_add(CUstream stream, const ws_task *task);
CUresult ws_capture_allocate(CUstream stream, CUDA_MEM_ALLOC_NODE_PARAMS *params); /* returns the address */
CUresult ws_capture_record(CUstream stream, CUevent event, bool external);
CUresult ws_capture_wait(CUstream stream, CUevent event, bool external);
/* Removes a destroyed stream from the capture. */
void ws_capture_leave(CUstream stream);

/* Returns a number of this thread, from 1. */
unsigned ws_thread_number(void);

#endif
