/* cudart_internal.h - what the files of the runtime API share.
 *
 * The runtime is a layer over the driver API of our libcuda.so.1 and has no engine of its own. Every entry point that
 * needs the device begins with WS_RUNTIME_ENTER(), which brings the driver up and gives this thread the primary context
 * when it has none; every entry point that can fail ends in ws_rt_result(), which keeps the thread's last error. */
#ifndef WS_CUDART_INTERNAL_H
#define WS_CUDART_INTERNAL_H

#include "collect/cuda/cuda.h"
#include "collect/cudart/cudart.h"

#include <stdbool.h>
#include <uthash.h>

/* Which library this is: 11, 12 or 13. Defined in cudart_exports.c, which is compiled for each. */
extern const int ws_cudart_major;

/* ------------------------------------------------------------------------------------------------ entering, results */

cudaError_t ws_rt_enter(void);

/* Notes what the thread's calls end with; all but cudaErrorNotReady become its last error. */
cudaError_t ws_rt_result(cudaError_t error);

/* The driver's results have the numbers of the runtime's. */
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

/* ------------------------------------------------------------------------------------------------ what programs
 * register */

typedef enum ws_rt_kind {
    WS_RT_KERNEL,
    WS_RT_VARIABLE,
    WS_RT_MANAGED,
    WS_RT_HOST,
    WS_RT_TEXTURE,
    WS_RT_SURFACE
} ws_rt_kind;

typedef struct ws_rt_image ws_rt_image;

/* A kernel or variable of a registered image. The key is what the host calls it by: the stub, or the shadow. */
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

/* The symbol with its image loaded and its handle looked up; an error of the runtime's when that is not possible. */
cudaError_t ws_rt_find_kernel(const void *host, CUfunction *function);
bool ws_rt_is_managed(CUdeviceptr address); /* inside a __managed__ variable */
cudaError_t ws_rt_find_variable(const void *host, CUdeviceptr *address, size_t *bytes);
cudaError_t ws_rt_find_reference(const void *host, ws_rt_kind kind, ws_rt_symbol **symbol);

/* The function of the kernel that the program calls by `kernel`; returns what is wrong with it. */
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

/* Loads what must be there before kernels run: images with managed variables. */
cudaError_t ws_rt_load_managed(void);
/* The device was reset: modules are gone and are loaded again when needed. */
void ws_rt_forget_modules(void);
/* Tells the driver what images are compiled for that were registered since it was last told: the device can do at least
 * that. */
void ws_rt_tell_targets(void);

void ws_rt_lock(void);
void ws_rt_unlock(void);

/* ------------------------------------------------------------------------------------------------ little helpers */

/* The stream that 0 means to code compiled for per-thread default streams. */
static inline cudaStream_t ws_rt_thread_stream(cudaStream_t stream)
{
    return stream ? stream : cudaStreamPerThread;
}

cudaError_t ws_rt_format_of(const struct cudaChannelFormatDesc *desc, CUarray_format *format, unsigned *channels);
struct cudaChannelFormatDesc ws_rt_channels_of(CUarray_format format, unsigned channels);

/* Advice about managed memory, with a device's number for the place. */
cudaError_t ws_rt_advise(const void *pointer, size_t bytes, int advice, int device);
cudaError_t ws_rt_prefetch(const void *pointer, size_t bytes, int device, cudaStream_t stream);

/* The stub by which the program calls a kernel; the function itself when it has none. */
const void *ws_rt_stub_of(CUfunction function);

/* What a kernel has done wrong; it stays until the device is reset. */
cudaError_t ws_rt_sticky(void);

/* A copy of a box as the driver wants it, and back. */
struct cudaMemcpy3DParms;
cudaError_t ws_rt_box_of(CUDA_MEMCPY3D *out, const struct cudaMemcpy3DParms *params);
cudaError_t ws_rt_parms_of(struct cudaMemcpy3DParms *out, const CUDA_MEMCPY3D *copy);

/* A node of any kind, with data of edges or NULL. */
struct cudaGraphNodeParams;
struct cudaGraphEdgeData_st;
cudaError_t ws_rt_add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                           const struct cudaGraphEdgeData_st *edges, size_t count, struct cudaGraphNodeParams *params);

/* Memory types of the two ends of a copy; false when kind is none of the five. */
bool ws_rt_ends_of(enum cudaMemcpyKind kind, CUmemorytype *to, CUmemorytype *from);

#endif
