/* driver_internal.h - the state behind the driver API, shared by the files of this folder.
 *
 * The driver API has process-wide state by definition: one device, one table of live handles, a stack of contexts a
 * thread. All of it is in ws_driver, which one lock protects. An entry point begins with one of
 *
 *     WS_ENTER_DRIVER();           cuInit has been called
 *     WS_ENTER_CONTEXT(context);   and this thread has a current context that no fault has spoilt
 *
 * which return the right error when it is not so, and release the lock on every way out. */
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

/* What every live handle begins with. */
typedef struct ws_handle {
    uintptr_t key; /* the handle as the program holds it */
    ws_handle_kind kind;
    CUcontext owner;
    ws_host_call made; /* by which call of the program; only where leaks are looked for */
    uint64_t serial;   /* ... and as which of its kind, from 1 */
    UT_hash_handle hh;
} ws_handle;

struct CUctx_st {
    ws_handle handle;
    unsigned flags, uses;  /* uses: cuDevicePrimaryCtxRetain, or 1 */
    CUresult fault;        /* what a kernel did; answers every call until the context is gone */
    unsigned long long id; /* cuCtxGetId */
    CUfunc_cache cache;
    CUsharedconfig banks;
    CUstream legacy;       /* NULL until first used */
    uint64_t blocking_end; /* simulated time at which the last work of streams that the legacy stream waits for ends */
    uint64_t end;          /* the same of all its streams */
    ws_moment blocking_order, order; /* what those operations are, for races of streams */
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
    ws_kernel *kernel;             /* NULL until it is first needed: an unsupported one fails when it is launched */
    unsigned dynamic_shared_limit; /* once it was asked for */
    bool opted_in;
    unsigned said_limits; /* bits: limits of which was said that a launch or an attribute goes beyond them */
};

typedef struct ws_allocation {
    ws_handle handle;
    uint64_t bytes;
    bool host;         /* cuMemAllocHost: the program sees it as memory of the host */
    bool registered;   /* cuMemHostRegister: host memory of the program's own */
    bool mapped;       /* cuMemSetAccess: a stretch of mappings; registered, too */
    bool managed;      /* cuMemAllocManaged */
    CUmemoryPool pool; /* cuMemAllocAsync: where it comes from */
    bool graph, live;  /* of nodes of a graph; in use from a launch to a free */
    unsigned holds;    /* nodes that allocate it */
    unsigned flags;    /* cuMemHostAlloc */
} ws_allocation;

struct CUarray_st {
    ws_handle handle;
    CUDA_ARRAY3D_DESCRIPTOR form;
    ws_texture texture; /* the memory and the form of its texels, without a sampler */
    size_t row_bytes, rows, slices;
};

/* Numbers of texture objects are small: as keys they must not be taken for addresses. */
#define WS_TEXTURE_KEY(number) ((uintptr_t)(number) | (uintptr_t)1 << 63)

typedef struct ws_texture_object {
    ws_handle handle;
    uint64_t number;
    bool surface;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC sampling;
} ws_texture_object;

/* Both CUtexref and CUsurfref point to one of these. */
struct CUtexref_st {
    ws_handle handle;
    CUmodule module;
    uint64_t number;
    bool surface;
    CUDA_RESOURCE_DESC resource; /* resType is none of the four while nothing is set */
    CUDA_TEXTURE_DESC sampling;
    CUarray_format format; /* as the program set it last, by itself or with rows or an array: */
    unsigned channels;
};

typedef struct ws_physical ws_physical;
typedef struct ws_reservation ws_reservation;

typedef struct ws_driver {
    pthread_mutex_t lock; /* recursive: callbacks run under it */
    bool initialized;
    ws_recorder *parents; /* after a fork: the recorder of the process before, which is not ours to close */
    bool forked;          /* this process is a child of the one that initialized it: nothing works here */
    bool said_forked;
    bool goes_on, said_unkept; /* ws_recorder_options; whether a launch that was not recorded has been said */
    bool said_lost;            /* whether printf calls that were lost have been said */
    bool leaving;              /* the process ends: a running kernel is to stop */
    ws_device *device;         /* made when first needed, gone with the last context */
    ws_handle *live;
    struct CUctx_st *primary; /* NULL while nobody retains it */
    unsigned primary_flags;
    unsigned workers; /* threads that run blocks; 0: the engine's default */
    bool pages;       /* ws_recorder_options, and */
    ws_bounds bounds;
    unsigned target;                               /* the highest of all code seen, as 75; 0: none */
    uint64_t heap_bytes, stack_bytes, print_bytes; /* cuCtxSetLimit; 0: the default */
    uint32_t pending_launches;                     /* ... of kernels by kernels; 0: the engine's default */
    uint32_t sync_depth;                           /* levels of grids that may wait for what they launched, */
    bool sync_depth_set;                           /* ... else the engine's default */
    uint64_t host_bytes;                           /* allocated with cuMemAllocHost, not counted as device memory */
    ws_reservation *reservations;                  /* ranges of addresses, in their order */
    uint64_t physical_bytes;                       /* memory without an address of its own */
    uint64_t images;                               /* loaded so far, for their names */
    uint64_t launches;                             /* so far */
    ws_copied *copied;                             /* since the last launch; NULL before cuInit */
    ws_copies copies;                              /* since then, where to */
    ws_copied own_copied;           /* where they are counted when the recorder has no place of its own */
    ws_recorder *recorder;          /* NULL: nobody listens */
    struct ws_checker *checker;     /* ws_recorder_options */
    ws_host_sites sites;            /* calls of the program that are known in words */
    uint64_t made[WS_HANDLE_KINDS]; /* handles of each kind, where leaks are looked for */
    uint64_t streams;               /* that are there, without default streams of contexts */
    uint64_t graph_launches;        /* where races of streams are looked for */
    ws_timeline timeline[WS_PARTS];
    uint64_t host_latest; /* the furthest clock of a thread of the host */
    unsigned long long stream_ids, context_ids;
    uint64_t capture_ids, node_serials;
    struct ws_capture *captures; /* in progress */
    unsigned pools;
    CUmemoryPool default_pool, current_pool; /* NULL until first used; NULL: the default */
    uint64_t graph_used, graph_used_high, graph_reserved, graph_reserved_high; /* bytes of nodes of graphs */
} ws_driver;

extern ws_driver ws_the_driver;

/* For the checker: the host waits for everything, as it does when memory is freed; what is kept of operations refers to
 * modules. */
void ws_order_host_waits_for_all(void);
/* Says once, if it is so, why calls of the program were told without lines. */
void ws_lines_tell(void);
/* For the checker: what the context, or NULL any, has not freed yet. */
void ws_leaks_tell(CUcontext context);

/* Shapes of the device that occupancy and attributes both use. */
enum {
    WS_SM_COUNT = 28,
    WS_BLOCK_THREADS = 1024,
    WS_BLOCK_SHARED_BYTES = 48 * 1024 /* without asking for more */
};

/* ... and those that the compute capability decides: a row of capabilities.def. */
typedef struct ws_limits {
    unsigned capability; /* 75 */
    int threads, blocks, registers, block_registers;
    int shared_bytes, block_shared_bytes,
        reserved_bytes; /* of a multiprocessor; that a block may opt in to; kept for each block */
    int cluster_blocks;
} ws_limits;

/* Those of the capability that the device reports now. */
const ws_limits *ws_device_limits(void);
unsigned ws_device_capability(void);

/* 75 of ".target sm_75"; 0 when a module does not say. */
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

/* Handles: `add` takes over a heap object that begins with a ws_handle; `find` is NULL for what is not live or of
 * another kind; `remove` takes it out of the table and leaves freeing to the caller. */
void ws_handle_add(ws_handle *handle, uintptr_t key, ws_handle_kind kind, CUcontext owner);
void *ws_handle_find(const void *key, ws_handle_kind kind);
void ws_handle_remove(ws_handle *handle);

void ws_context_drop_device(void);

/* Frees whatever a handle of this kind owns, and the handle. */
void ws_module_release(CUmodule module);
void ws_link_release(CUlinkState state);
void ws_allocation_release(ws_allocation *allocation);
void ws_array_release(CUarray array);
uint64_t ws_memory_available(const ws_device *device);            /* for one more allocation */
void ws_virtual_close(void);                                      /* the device goes */
CUresult ws_virtual_open(void);                                   /* the device is there */
bool ws_virtual_where(uint64_t address, char *text, size_t size); /* reserved, but nothing to touch? */
void ws_texture_object_release(ws_texture_object *object);
void ws_module_release_references(CUmodule module);

/* The texel format behind CUarray_format; false when there is none. */
bool ws_texel_of(CUarray_format format, ws_texel *out);

/* Leaves the lock for a while, however often this thread took it: a function of the program runs. The API answers it
 * with CUDA_ERROR_NOT_PERMITTED. */
unsigned ws_driver_pause(void);
void ws_driver_resume(unsigned depth);

/* What the device says about itself; 0 for what it does not have. */
int ws_device_attribute(CUdevice_attribute attribute);

/* What a name means to programs compiled with a default stream for each thread; NULL: the same as to others. */
void *ws_per_thread_function(const char *symbol, int version);

/* The form that a version below the one that changed the function knows; NULL when the newer ones fit. */
void *ws_former_function(const char *symbol, int version, bool per_thread);

/* The current context of this thread, NULL when there is none. */
CUcontext ws_context_current(void);

/* What kernels that ask the device runtime are told. */
extern const ws_device_answers ws_driver_answers;

/* The device; NULL with *result set when it cannot be made. */
ws_device *ws_driver_device(CUresult *result);

/* Says on stderr what the engine found, and gives the result that the program gets. */
CUresult ws_driver_report(int status);
CUresult ws_driver_report_call(int status); /* ... and which call of the program it is about */
CUresult ws_driver_result(int status, const char *message);

/* Device memory of the context. */
CUresult ws_allocation_make(CUcontext context, uint64_t bytes, ws_allocation **out);

/* Gives a text to the program's log buffer when it passed one. */
void ws_driver_fill_log(unsigned count, const CUjit_option *option, void **value, const char *text);

/* The highest architecture of PTX to take where there are several: WARPSCAPE_PTX_ARCHITECTURE, or 0 for any. */
int ws_driver_architecture(uint32_t *most);

/* The allocation that contains address, NULL when none does. */
ws_allocation *ws_allocation_find(uint64_t address);

#endif
