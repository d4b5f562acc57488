/* driver_former.c - what do programs of earlier versions of CUDA mean by a name that has another form today?
 *
 * cuda.h gives a plain name the newest form's symbol; the symbol without a suffix is that of the first form, which
 * programs that were linked with libcuda in the days of that form call. cuda_former.def has those forms. */
#include "collect/cuda/driver_internal.h"

#include <string.h>

#define MINE(stream) ((stream) ? (stream) : CU_STREAM_PER_THREAD)

/* CUDA 11 had no status beside the result. */
static CUresult look_up(const char *symbol, void **function, int version, cuuint64_t flags)
{
    const CUresult result = cuGetProcAddress(symbol, function, version, flags, NULL);
    return !result && !*function ? CUDA_ERROR_NOT_FOUND : result;
}

/* ------------------------------------------------------------------------------------------------ nodes of kernels */

/* Until CUDA 12 the parameters ended before the handle and the context. */
static CUDA_KERNEL_NODE_PARAMS longer(const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS p = {0};
    if (params)
        memcpy(&p, params, sizeof *params);
    return p;
}

static CUresult add_kernel(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                           const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    const CUDA_KERNEL_NODE_PARAMS p = longer(params);
    return cuGraphAddKernelNode(node, graph, before, count, params ? &p : NULL);
}

static CUresult get_kernel(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS p;
    const CUresult result = cuGraphKernelNodeGetParams(node, params ? &p : NULL);
    if (!result)
        memcpy(params, &p, sizeof *params);
    return result;
}

static CUresult set_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    const CUDA_KERNEL_NODE_PARAMS p = longer(params);
    return cuGraphKernelNodeSetParams(node, params ? &p : NULL);
}

static CUresult set_kernel_in_exec(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    const CUDA_KERNEL_NODE_PARAMS p = longer(params);
    return cuGraphExecKernelNodeSetParams(exec, node, params ? &p : NULL);
}

static CUresult update(CUgraphExec exec, CUgraph graph, CUgraphNode *wrong, CUgraphExecUpdateResult *how)
{
    CUgraphExecUpdateResultInfo info = {0};
    const CUresult result = cuGraphExecUpdate(exec, graph, &info);
    if (wrong)
        *wrong = info.errorNode;
    if (how)
        *how = info.result;
    return result;
}

/* ------------------------------------------------------------------------------------------------ by name */

/* cuda.h would turn the symbol itself into the newest form's, so the functions have another name in C. */
#define FORMER(name, changed, whom, symbol, params, call) \
    CUresult ws_former_##symbol params __asm__(#symbol); \
    CUresult ws_former_##symbol params \
    { \
        return call; \
    }
#include "collect/cuda/cuda_former.def"
#undef FORMER

enum { PLAIN, PER_THREAD };

static const struct {
    const char *name;
    int changed;
    bool per_thread;
    void *function;
} entries[] = {
#define FORMER(name, changed, whom, symbol, params, call) {#name, changed, whom, (void *)ws_former_##symbol},
#include "collect/cuda/cuda_former.def"
#undef FORMER
};

void *ws_former_function(const char *symbol, int version, bool per_thread)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (version < entries[i].changed && per_thread == entries[i].per_thread && !strcmp(entries[i].name, symbol))
            return entries[i].function;
    }
    return NULL;
}
