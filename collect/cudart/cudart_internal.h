/* cudart_internal.h - shared declarations of the runtime API.
 *
 * The runtime is a layer over the driver API of the project's libcuda.so.1, without an engine. Every entry point that
 * needs the device begins with WS_RUNTIME_ENTER(). It initialises the driver and makes the primary context current in a
 * thread without a context. Every entry point that can fail ends in ws_rt_result(), which keeps the thread's last
 * error. */
#ifndef WS_CUDART_INTERNAL_H
#define WS_CUDART_INTERNAL_H

#include "collect/cuda/cuda.h"
#include "collect/cudart/cudart.h"

#include <stdbool.h>
#include <uthash.h>

/* Version of this library: 11, 12 or 13. Defined in cudart_exports.c, which is compiled for each. */
extern const int ws_cudart_major;

/* ------------------------------------------------------------------------------------------------ entering, results */

cudaError_t ws_rt_enter(void);

/* Records the result of the thread's call; every error except cudaErrorNotReady becomes its last error. */
cudaError_t ws_rt_result(cudaError_t error);

/* The driver's results have the runtime's numbers. */
static inline cudaError_t ws_rt_from_driver(CUresult result)
{
    return ws_rt_result((cudaError_t)result);
}

#define WS_RUNTIME_ENTER() \
    do { \
        const cudaError_t refused = ws_rt_enter(); \
        if (refused) \
            return ws_rt_result(refused); \
    } while (0)

/* ------------------------------------------------------------------------------------------------ registered objects
 */

typedef enum ws_rt_kind {
    WS_RT_KERNEL,
    WS_RT_VARIABLE,
    WS_RT_MANAGED,
    WS_RT_HOST,
    WS_RT_TEXTURE,
    WS_RT_SURFACE
} ws_rt_kind;

typedef struct ws_rt_image ws_rt_image;

/* A kernel or variable of a registered image. The key is its host address: the stub, or the shadow variable. */
typedef struct ws_rt_symbol {
    const void *host;
    ws_rt_kind kind;
    const char *name; /* in the PTX */
    ws_rt_image *image;
    size_t bytes;          /* variables: as registered */
    CUfunction function;   /* kernels, NULL until first needed */
    CUdeviceptr address;   /* variables, 0 until first needed */
    void *reference;       /* CUtexref or CUsurfref */
    bool normalized_float; /* texture references: integers are read as floats */
    UT_hash_handle hh;
} ws_rt_symbol;

/* Find the symbol, with its image loaded and its handle resolved; return an error of the runtime on failure. */
cudaError_t ws_rt_find_kernel(const void *host, CUfunction *function);
bool ws_rt_is_managed(CUdeviceptr address); /* inside a __managed__ variable */
cudaError_t ws_rt_find_variable(const void *host, CUdeviceptr *address, size_t *bytes);
cudaError_t ws_rt_find_reference(const void *host, ws_rt_kind kind, ws_rt_symbol **symbol);

/* Defines the function of the program's kernel stub; returns the error on failure. */
#define WS_RUNTIME_ENTER_FUNCTION(function, kernel) \
    CUfunction function; \
    WS_RUNTIME_ENTER(); \
    do { \
        cudaError_t missing = ws_rt_sticky(); \
        if (!missing) \
            missing = ws_rt_find_kernel(kernel, &function); \
        if (missing) \
            return ws_rt_result(missing); \
    } while (0)

/* Loads images that kernels may need before they run: images with managed variables. */
cudaError_t ws_rt_load_managed(void);
/* Called after a device reset: modules are unloaded, and are loaded again on demand. */
void ws_rt_forget_modules(void);
/* Passes the targets of newly registered images to the driver, which reports at least that capability. */
void ws_rt_tell_targets(void);

void ws_rt_lock(void);
void ws_rt_unlock(void);

/* ------------------------------------------------------------------------------------------------ helpers */

/* Returns the stream that 0 denotes in code compiled for per-thread default streams. */
static inline cudaStream_t ws_rt_thread_stream(cudaStream_t stream)
{
    return stream ? stream : cudaStreamPerThread;
}

cudaError_t ws_rt_format_of(const struct cudaChannelFormatDesc *desc, CUarray_format *format, unsigned *channels);
struct cudaChannelFormatDesc ws_rt_channels_of(CUarray_format format, unsigned channels);

/* Gives advice about managed memory, with a device number as location. */
cudaError_t ws_rt_advise(const void *pointer, size_t bytes, int advice, int device);
cudaError_t ws_rt_prefetch(const void *pointer, size_t bytes, int device, cudaStream_t stream);

/* Returns the program's stub of a kernel, or the function if it has none. */
const void *ws_rt_stub_of(CUfunction function);

/* Returns the error of a faulting kernel; it persists until the device is reset. */
cudaError_t ws_rt_sticky(void);

/* Convert a box copy to the driver's form, and back. */
struct cudaMemcpy3DParms;
cudaError_t ws_rt_box_of(CUDA_MEMCPY3D *out, const struct cudaMemcpy3DParms *params);
cudaError_t ws_rt_parms_of(struct cudaMemcpy3DParms *out, const CUDA_MEMCPY3D *copy);

/* Adds a node of any kind, with edge data or NULL. */
struct cudaGraphNodeParams;
struct cudaGraphEdgeData_st;
cudaError_t ws_rt_add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                           const struct cudaGraphEdgeData_st *edges, size_t count, struct cudaGraphNodeParams *params);

/* Returns the memory types of source and destination; false for an invalid kind. */
bool ws_rt_ends_of(enum cudaMemcpyKind kind, CUmemorytype *to, CUmemorytype *from);

#endif
