/* driver_internal.h - state of the driver API, shared by the files of this folder.
 *
 * The driver API has process-wide state by definition: one device, one table of live handles, and one stack of contexts
 * per thread. ws_driver holds all of it, protected by one lock. An entry point begins with one of
 *
 *     WS_ENTER_DRIVER();           cuInit has been called
 *     WS_ENTER_CONTEXT(context);   and this thread has a current context without a fault
 *
 * which otherwise return the proper error, and release the lock on every exit. */
#ifndef WS_DRIVER_INTERNAL_H
#define WS_DRIVER_INTERNAL_H

#include "collect/check/overlap.h"
#include "collect/cuda/clock_internal.h"
#include "collect/cuda/cuda.h"
#include "collect/cuda/cuda_graph.h"
#include "collect/cuda/cuda_virtual.h"
#include "collect/cuda/host_call.h"
#include "collect/cuda/recorder.h"
#include "collect/simt/grids.h"
#include "collect/simt/texture.h"

#include <pthread.h>
#include <stdbool.h>
#include <uthash.h>

typedef enum ws_handle_kind {
    WS_HANDLE_CONTEXT,
    WS_HANDLE_MODULE,
    WS_HANDLE_FUNCTION,
    WS_HANDLE_STREAM,
    WS_HANDLE_EVENT,
    WS_HANDLE_GRAPH,
    WS_HANDLE_NODE,
    WS_HANDLE_EXEC,
    WS_HANDLE_POOL,
    WS_HANDLE_USER_OBJECT,
    WS_HANDLE_MEMORY, /* an allocation; its key is the address */
    WS_HANDLE_ARRAY,
    WS_HANDLE_TEXTURE, /* a texture or surface object; its key is WS_TEXTURE_KEY of its number */
    WS_HANDLE_LIBRARY,
    WS_HANDLE_LINK,
    WS_HANDLE_PHYSICAL, /* memory without an address */
    WS_HANDLE_TEXREF,   /* a texture or surface variable of a module */
    WS_HANDLE_KINDS
} ws_handle_kind;

/* First member of every live handle. */
typedef struct ws_handle {
    uintptr_t key; /* the handle given to the program */
    ws_handle_kind kind;
    CUcontext owner;
    ws_host_call made; /* call of the program that created it; only for leak detection */
    uint64_t serial;   /* ... and its number within its kind, from 1 */
    UT_hash_handle hh;
} ws_handle;

struct CUctx_st {
    ws_handle handle;
    unsigned flags, uses;  /* uses: cuDevicePrimaryCtxRetain, or 1 */
    CUresult fault;        /* error of a kernel, returned by every call until the context is destroyed */
    unsigned long long id; /* cuCtxGetId */
    CUfunc_cache cache;
    CUsharedconfig banks;
    CUstream legacy;                 /* NULL until first used */
    uint64_t blocking_end;           /* simulated end of the last work in streams that the legacy stream waits for */
    uint64_t end;                    /* the same over all its streams */
    ws_moment blocking_order, order; /* moments of those operations, for race detection between streams */
};

struct CUmod_st {
    ws_handle handle;
    ws_module *module;
    ws_image *image;
};

struct CUfunc_st {
    ws_handle handle;
    CUmodule module;
    const ws_function *function;
    ws_kernel *kernel;             /* NULL until first needed, so that an unsupported kernel fails at its launch */
    unsigned dynamic_shared_limit; /* after a request for it */
    bool opted_in, large_clusters; /* ..._NON_PORTABLE_CLUSTER_SIZE_ALLOWED */
    unsigned said_limits;          /* bits: limits already reported as exceeded by a launch or an attribute */
};

typedef struct ws_allocation {
    ws_handle handle;
    uint64_t bytes;
    bool host;         /* cuMemAllocHost: appears as host memory to the program */
    bool registered;   /* cuMemHostRegister: host memory owned by the program */
    bool mapped;       /* cuMemSetAccess: a range of mappings; also registered */
    bool managed;      /* cuMemAllocManaged */
    CUmemoryPool pool; /* cuMemAllocAsync: its pool */
    bool graph, live;  /* allocated by graph nodes; in use between a launch and a free */
    unsigned holds;    /* number of nodes that allocate it */
    unsigned flags;    /* cuMemHostAlloc */
} ws_allocation;

struct CUarray_st {
    ws_handle handle;
    CUDA_ARRAY3D_DESCRIPTOR form;
    ws_texture texture; /* memory and texel format, without a sampler */
    size_t row_bytes, rows, slices;
};

/* Numbers of texture objects are small; their keys must differ from addresses. */
#define WS_TEXTURE_KEY(number) ((uintptr_t)(number) | (uintptr_t)1 << 63)

typedef struct ws_texture_object {
    ws_handle handle;
    uint64_t number;
    bool surface;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC sampling;
} ws_texture_object;

/* Target of both CUtexref and CUsurfref. */
struct CUtexref_st {
    ws_handle handle;
    CUmodule module;
    uint64_t number;
    bool surface;
    CUDA_RESOURCE_DESC resource; /* resType is none of the four while unset */
    CUDA_TEXTURE_DESC sampling;
    CUarray_format format; /* last set by the program, directly or with rows or an array */
    unsigned channels;
};

typedef struct ws_physical ws_physical;
typedef struct ws_reservation ws_reservation;

typedef struct ws_driver {
    pthread_mutex_t lock; /* recursive: callbacks run under it */
    bool initialized;
    ws_recorder *parents; /* after a fork: the parent process's recorder, which this process must not close */
    bool forked;          /* this process is a child of the initialised one: the API is unavailable */
    bool said_forked;
    bool goes_on, said_unkept; /* ws_recorder_options; whether an unrecorded launch has been reported */
    bool said_lost;            /* whether lost printf calls have been reported */
    bool leaving;              /* the process exits: a running kernel must stop */
    ws_device *device;         /* created when first needed, destroyed with the last context */
    ws_handle *live;
    struct CUctx_st *primary; /* NULL while not retained */
    unsigned primary_flags;
    unsigned workers; /* threads that run blocks; 0: the engine's default */
    bool pages;       /* from ws_recorder_options, also: */
    ws_bounds bounds;
    ws_alignment alignment;
    unsigned target;                               /* highest target of all code seen, as 75; 0: none */
    uint64_t heap_bytes, stack_bytes, print_bytes; /* cuCtxSetLimit; 0: the default */
    uint32_t pending_launches;                     /* ... launches by kernels; 0: the engine's default */
    uint32_t sync_depth;                           /* levels of grids that may wait for their launches, */
    bool sync_depth_set;                           /* ... else the engine's default */
    uint64_t host_bytes;                           /* allocated with cuMemAllocHost, not counted as device memory */
    ws_reservation *reservations;                  /* ranges of addresses, sorted */
    uint64_t physical_bytes;                       /* memory without an address */
    uint64_t images;                               /* number loaded, used in their names */
    uint64_t launches;                             /* number of launches */
    ws_copied *copied;                             /* since the last launch; NULL before cuInit */
    ws_copies copies;                              /* copies since the last launch, with their destinations */
    ws_copied own_copied;                          /* used if the recorder provides no counters */
    ws_recorder *recorder;                         /* NULL: no recording */
    struct ws_checker *checker;                    /* ws_recorder_options */
    ws_host_sites sites;                           /* resolved calls of the program */
    uint64_t made[WS_HANDLE_KINDS];                /* handles created of each kind, for leak detection */
    uint64_t streams;                              /* live ones, without the contexts' default streams */
    uint64_t graph_launches;                       /* for race detection between streams */
    ws_timeline timeline[WS_PARTS];
    uint64_t host_latest; /* latest clock of the host's threads */
    unsigned long long stream_ids, context_ids;
    uint64_t capture_ids, node_serials;
    struct ws_capture *captures; /* in progress */
    unsigned pools;
    CUmemoryPool default_pool, current_pool; /* NULL until first used; NULL: the default */
    uint64_t graph_used, graph_used_high, graph_reserved,
        graph_reserved_high; /* bytes of memory allocated by graph nodes */
} ws_driver;

extern ws_driver ws_the_driver;

/* For the checker: the host waits for everything, as when memory is freed; tracked operations refer to modules. */
void ws_order_host_waits_for_all(void);
/* Reports once, if applicable, why calls of the program have no lines. */
void ws_lines_tell(void);
/* For the checker: reports unfreed resources of the context (NULL: any). */
void ws_leaks_tell(CUcontext context);

/* Device dimensions used by occupancy and attributes. */
enum {
    WS_SM_COUNT = 28,
    WS_BLOCK_THREADS = 1024,
    WS_BLOCK_SHARED_BYTES = 48 * 1024 /* without an opt-in */
};

/* ... and dimensions of the compute capability: a row of capabilities.def. */
typedef struct ws_limits {
    unsigned capability; /* 75 */
    int threads, blocks, registers, block_registers;
    int shared_bytes, block_shared_bytes,
        reserved_bytes; /* per multiprocessor; limit of a block's opt-in; reserved for each block */
    int cluster_blocks, large_cluster_blocks; /* of a cluster that every device takes; with the kernel's consent */
} ws_limits;

/* Returns the limits of the capability that the device reports now. */
const ws_limits *ws_device_limits(void);
unsigned ws_device_capability(void);

/* Returns 75 for ".target sm_75"; 0 without a target. */
unsigned ws_module_target(const ws_module *module);

enum { WS_DRIVER_VERSION = 13000 };

CUresult ws_driver_enter(void);
CUresult ws_driver_enter_context(CUcontext *context);
void ws_driver_leave(const int *entered);

#define WS_ENTER_DRIVER() \
    const int entered __attribute__((cleanup(ws_driver_leave), unused)) = 1; \
    do { \
        const CUresult refused = ws_driver_enter(); \
        if (refused) \
            return refused; \
    } while (0)

#define WS_ENTER_CONTEXT(context) \
    CUcontext context __attribute__((unused)) = NULL; \
    const int entered __attribute__((cleanup(ws_driver_leave), unused)) = 1; \
    do { \
        const CUresult refused = ws_driver_enter_context(&context); \
        if (refused) \
            return refused; \
    } while (0)

/* Handles. `add` takes ownership of a heap object that begins with a ws_handle. `find` returns NULL for a handle that
 * is not live or of another kind. `remove` takes it out of the table; the caller frees it. */
void ws_handle_add(ws_handle *handle, uintptr_t key, ws_handle_kind kind, CUcontext owner);
void *ws_handle_find(const void *key, ws_handle_kind kind);
void ws_handle_remove(ws_handle *handle);

void ws_context_drop_device(void);

/* Frees the resources of a handle of this kind, and the handle. */
void ws_module_release(CUmodule module);
void ws_link_release(CUlinkState state);
/* Linking without a context or a handle: a state of ws_link_new is freed by ws_link_free. The others return a status;
 * the image belongs to the state. */
CUlinkState ws_link_new(void); /* NULL: no memory */
void ws_link_free(CUlinkState state);
int ws_link_add(CUlinkState state, CUjitInputType type, const char *name, const void *data, size_t bytes);
int ws_link_add_file(CUlinkState state, const char *path);
int ws_link_finish(CUlinkState state, const void **image, size_t *bytes);
void ws_allocation_release(ws_allocation *allocation);
void ws_array_release(CUarray array);
uint64_t ws_memory_available(const ws_device *device);            /* for one more allocation */
void ws_virtual_close(void);                                      /* the device is destroyed */
CUresult ws_virtual_open(void);                                   /* the device was created */
bool ws_virtual_where(uint64_t address, char *text, size_t size); /* describes a reserved but unmapped address */
void ws_texture_object_release(ws_texture_object *object);
void ws_module_release_references(CUmodule module);

/* Returns the texel format of a CUarray_format; false if none. */
bool ws_texel_of(CUarray_format format, ws_texel *out);

/* Releases all levels of this thread's lock while a function of the program runs. API calls by the function return
 * CUDA_ERROR_NOT_PERMITTED. */
unsigned ws_driver_pause(void);
void ws_driver_resume(unsigned depth);

/* Returns the device's value of an attribute; 0 for missing features. */
int ws_device_attribute(CUdevice_attribute attribute);

/* Returns the variant of a name for programs compiled with a default stream per thread; NULL: no variant. */
void *ws_per_thread_function(const char *symbol, int version);

/* Returns the form of a function for a version below its change; NULL if the newer form applies. */
void *ws_former_function(const char *symbol, int version, bool per_thread);

/* Returns the current context of this thread, or NULL. */
CUcontext ws_context_current(void);

/* Answers to kernels' queries of the device runtime. */
extern const ws_device_answers ws_driver_answers;

/* Returns the device; NULL with *result set if it cannot be created. */
ws_device *ws_driver_device(CUresult *result);
/* Sets *bytes from WARPSCAPE_DEVICE_MEMORY, 0 without it. WS_EINPUT. */
int ws_driver_memory(uint64_t *bytes);

/* Reports the engine's error on stderr, and returns the program's result code. */
CUresult ws_driver_report(int status);
CUresult ws_driver_report_call(int status); /* ... also names the call of the program */
CUresult ws_driver_result(int status, const char *message);

/* Allocates device memory in the context. */
CUresult ws_allocation_make(CUcontext context, uint64_t bytes, ws_allocation **out);

/* Copies a text to the program's log buffer, if present. */
void ws_driver_fill_log(unsigned count, const CUjit_option *option, void **value, const char *text);

/* Returns the highest architecture of PTX to use: WARPSCAPE_PTX_ARCHITECTURE, or 0 for any. */
int ws_driver_architecture(uint32_t *most);

/* Returns the allocation that contains address, or NULL. */
ws_allocation *ws_allocation_find(uint64_t address);

#endif
