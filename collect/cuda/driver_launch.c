/* driver_launch.c - kernels: what they need, how many fit, and running them. */
#include "collect/cuda/stream_internal.h"
#include "collect/ptx/module.h"

#include "base/bounds.h"
#include "base/shown.h"
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ facts */

/* The decoded kernel behind a function; NULL with *result set when an instruction of it cannot run. */
static ws_kernel *kernel_of(CUfunction function, CUresult *result)
{
    *result = CUDA_SUCCESS;
    if (!function->kernel) {
        const int status = ws_image_kernel(function->module->image, function->function->name, &function->kernel);
        if (status)
            *result = ws_driver_report(status);
    }
    return function->kernel;
}

static CUresult facts_of(CUfunction function, ws_kernel_facts *facts)
{
    if (!ws_handle_find(function, WS_HANDLE_FUNCTION))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result;
    const ws_kernel *const kernel = kernel_of(function, &result);
    if (kernel)
        ws_kernel_get_facts(kernel, facts);
    return result;
}

/* Dynamic shared memory that a block may have: what was asked for, else what the kernel's own leaves of what all have.
 */
static unsigned dynamic_most(CUfunction function, const ws_kernel_facts *facts)
{
    if (function->opted_in)
        return function->dynamic_shared_limit;
    return facts->shared_bytes < WS_BLOCK_SHARED_BYTES ? WS_BLOCK_SHARED_BYTES - (unsigned)facts->shared_bytes : 0;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    WS_ENTER_CONTEXT(context);
    ws_kernel_facts facts = {0};
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = facts_of(function, &facts);
    if (result)
        return result;
    const ws_module *const module = function->module->module;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = (int)facts.max_threads;
        break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)facts.shared_bytes;
        break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = (int)facts.const_bytes;
        break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)facts.local_bytes;
        break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = (int)facts.registers;
        break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: /* there is no binary: what runs is the PTX */
        *value = (int)ws_module_target(module);
        break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = (int)dynamic_most(function, &facts);
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = function->function->explicit_cluster;
        break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = (int)function->function->cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
        break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = function->large_clusters;
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = 0;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = -1; /* the default */
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* Says once a kernel and limit which limit stands in the way: `beyond` is the number of the limit, ws_message() the
 * line. */
static void say_once(CUfunction function, unsigned beyond)
{
    if (!(function->said_limits & 1u << beyond))
        ws_driver_report(WS_EINPUT);
    function->said_limits |= 1u << beyond;
}

enum { BEYOND_OPT_IN, BEYOND_SHAPE }; /* of the last there are several */

static CUresult refuse_opt_in(CUfunction function, int value)
{
    const ws_limits *const most = ws_device_limits();
    const unsigned capability = ws_device_capability();
    ws_fail(WS_EINPUT,
            "kernel %s: %d bytes of dynamic shared memory a block are asked for by cudaFuncSetAttribute, 0 to %d are "
            "possible at compute capability %u.%u",
            function->function->name, value, most->block_shared_bytes, capability / 10, capability % 10);
    say_once(function, BEYOND_OPT_IN);
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(function, WS_HANDLE_FUNCTION))
        return CUDA_ERROR_INVALID_HANDLE;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 || value > ws_device_limits()->block_shared_bytes)
            return refuse_opt_in(function, value);
        function->dynamic_shared_limit = (unsigned)value;
        function->opted_in = true;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        if (value != 0 && value != 1)
            return CUDA_ERROR_INVALID_VALUE;
        function->large_clusters = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: /* a hint to hardware: default, spread, load balancing
                                                                  */
        return value >= 0 && value <= 2 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: /* a hint to hardware: percent, or -1 for the default */
        return value >= -1 && value <= 100 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(function, WS_HANDLE_FUNCTION))
        return CUDA_ERROR_INVALID_HANDLE;
    return (unsigned)config <= CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(function, WS_HANDLE_FUNCTION))
        return CUDA_ERROR_INVALID_HANDLE;
    return (unsigned)config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(function, WS_HANDLE_FUNCTION))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!module)
        return CUDA_ERROR_INVALID_VALUE;
    *module = function->module;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(function, WS_HANDLE_FUNCTION))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = function->function->name;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(function, WS_HANDLE_FUNCTION))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!offset || index >= function->function->params)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = function->function->param[index].offset;
    if (bytes)
        *bytes = function->function->param[index].size;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ occupancy */

/* Blocks of this size that fit on one multiprocessor at once: the scarcest of blocks, threads, registers and shared
 * memory decides. Registers are given to whole warps. The kernel's own bound of threads does not count, as driver 580
 * answers. */
static int blocks_that_fit(const ws_kernel_facts *facts, unsigned threads, uint64_t dynamic_shared)
{
    const uint64_t warps = (threads + WS_WARP - 1) / WS_WARP;
    const uint64_t registers = warps * WS_WARP * facts->registers;
    const uint64_t shared = facts->shared_bytes + dynamic_shared;
    const ws_limits *const most = ws_device_limits();
    uint64_t fit = (uint64_t)most->blocks;
    if (fit > (uint64_t)most->threads / (warps * WS_WARP))
        fit = (uint64_t)most->threads / (warps * WS_WARP);
    if (registers && fit > (uint64_t)most->registers / registers)
        fit = (uint64_t)most->registers / registers;
    if (shared > (uint64_t)most->block_shared_bytes)
        return 0;
    if (shared && fit > (uint64_t)most->shared_bytes / (shared + (uint64_t)most->reserved_bytes))
        fit = (uint64_t)most->shared_bytes / (shared + (uint64_t)most->reserved_bytes);
    return threads <= WS_BLOCK_THREADS ? (int)fit : 0;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int blockSize,
                                                              size_t dynamicShared, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    ws_kernel_facts facts = {0};
    if (!blocks || blockSize <= 0 || flags & ~1u)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = facts_of(function, &facts);
    if (!result) /* none with more shared memory than the kernel may have now */
        *blocks = dynamicShared <= dynamic_most(function, &facts)
                      ? blocks_that_fit(&facts, (unsigned)blockSize, dynamicShared)
                      : 0;
    return result;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int blockSize,
                                                     size_t dynamicShared)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, blockSize, dynamicShared, 0);
}

/* What is left of a multiprocessor's shared memory for each of so many blocks, as far as a block may have it. What is
 * kept back for each block does not count, as driver 580 answers. */
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks, int blockSize)
{
    WS_ENTER_CONTEXT(context);
    ws_kernel_facts facts = {0};
    if (!bytes || blocks <= 0 || blockSize <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = facts_of(function, &facts);
    if (result)
        return result;
    if (blocks > blocks_that_fit(&facts, (unsigned)blockSize, 0))
        return CUDA_ERROR_INVALID_VALUE;
    const ws_limits *const most = ws_device_limits();
    const size_t share = (size_t)most->shared_bytes / (unsigned)blocks, may = dynamic_most(function, &facts);
    const size_t each = share > facts.shared_bytes ? share - facts.shared_bytes : 0;
    *bytes = each < may ? each : may;
    return CUDA_SUCCESS;
}

static int most_cluster_blocks(const struct CUfunc_st *function)
{
    const ws_limits *const most = ws_device_limits();
    return function->large_clusters ? most->large_cluster_blocks : most->cluster_blocks;
}

/* The largest cluster that the kernel may have: the limit of the capability, if a block fits at all. */
CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function, const CUlaunchConfig *config)
{
    WS_ENTER_CONTEXT(context);
    ws_kernel_facts facts = {0};
    if (!size || !config || (config->numAttrs && !config->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = facts_of(function, &facts);
    if (result)
        return result;
    const uint64_t threads = (uint64_t)config->blockDimX * config->blockDimY * config->blockDimZ;
    if (!threads || threads > WS_BLOCK_THREADS)
        return CUDA_ERROR_INVALID_VALUE;
    const unsigned own = function->function->max_cluster, most = (unsigned)most_cluster_blocks(function);
    *size =
        blocks_that_fit(&facts, (unsigned)threads, config->sharedMemBytes) ? (int)(own && own < most ? own : most) : 0;
    return CUDA_SUCCESS;
}

/* Clusters that can be resident at once, as if every multiprocessor could take part in any of them. */
CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config)
{
    WS_ENTER_CONTEXT(context);
    int most = 0;
    if (!clusters)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = cuOccupancyMaxPotentialClusterSize(&most, function, config);
    if (result)
        return result;
    ws_kernel_facts facts = {0};
    facts_of(function, &facts);
    unsigned n[3];
    memcpy(n, function->function->cluster, sizeof n);
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            n[0] = config->attrs[i].value.clusterDim.x;
            n[1] = config->attrs[i].value.clusterDim.y;
            n[2] = config->attrs[i].value.clusterDim.z;
        }
    const uint64_t blocks = n[0] ? (uint64_t)n[0] * n[1] * n[2] : 1;
    if (!blocks || blocks > (most ? (unsigned)most : 1))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    const unsigned threads = config->blockDimX * config->blockDimY * config->blockDimZ;
    *clusters = (int)((uint64_t)blocks_that_fit(&facts, threads, config->sharedMemBytes) * WS_SM_COUNT / blocks);
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction function,
                                                   CUoccupancyB2DSize dynamicSharedOf, size_t dynamicShared, int limit,
                                                   unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    ws_kernel_facts facts = {0};
    if (!minGridSize || !blockSize || limit < 0 || flags & ~1u)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = facts_of(function, &facts);
    if (result)
        return result;
    const unsigned most = limit > 0 && (unsigned)limit < facts.max_threads ? (unsigned)limit : facts.max_threads;
    unsigned best_size = 0, best_threads = 0;
    int best_fit = 0;
    for (unsigned size = (most + WS_WARP - 1) / WS_WARP * WS_WARP; size >= WS_WARP; size -= WS_WARP) {
        const unsigned threads = size < most ? size : most; /* the largest of equally good sizes wins */
        const size_t shared = dynamicSharedOf ? dynamicSharedOf((int)threads) : dynamicShared;
        const int fit = blocks_that_fit(&facts, threads, shared);
        if ((unsigned)fit * threads > best_threads) {
            best_threads = (unsigned)fit * threads;
            best_size = threads;
            best_fit = fit;
        }
    }
    *blockSize = (int)best_size;
    *minGridSize = best_fit * WS_SM_COUNT;
    return best_size ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction function,
                                          CUoccupancyB2DSize dynamicSharedOf, size_t dynamicShared, int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, dynamicSharedOf, dynamicShared,
                                                     limit, 0);
}

/* ------------------------------------------------------------------------------------------------ parameters */

/* Parameters come as an array of pointers, one each, or as one packed buffer behind `extra`. */
static CUresult pack_params(const ws_function *function, void **params, void **extra, uint8_t *block)
{
    if (params && extra)
        return CUDA_ERROR_INVALID_VALUE;
    if (!function->params)
        return CUDA_SUCCESS;
    if (params) {
        for (uint32_t i = 0; i < function->params; i++) {
            const ws_variable *const p = &function->param[i];
            if (!params[i])
                return CUDA_ERROR_INVALID_VALUE;
            memcpy(block + p->offset, params[i], p->size);
        }
        return CUDA_SUCCESS;
    }
    const void *buffer = NULL;
    size_t bytes = 0;
    for (void **e = extra; e && *e != CU_LAUNCH_PARAM_END; e += 2) {
        if (*e == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = e[1];
        else if (*e == CU_LAUNCH_PARAM_BUFFER_SIZE && e[1])
            bytes = *(const size_t *)e[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    const ws_variable *const last = &function->param[function->params - 1];
    if (!buffer || !ws_range_within(last->offset, last->size, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(block, buffer, bytes < function->param_bytes ? bytes : function->param_bytes);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ launch */

/* Why a launch is impossible: result, and which limit of BEYOND_SHAPE on, in words. */
typedef struct refusal {
    CUresult result;
    unsigned limit;
    char why[192];
} refusal;

__attribute__((format(printf, 4, 5))) static bool refuse(refusal *r, CUresult result, unsigned limit,
                                                         const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *r = (refusal){.result = result, .limit = BEYOND_SHAPE + limit};
    vsnprintf(r->why, sizeof r->why, format, args);
    va_end(args);
    return false;
}

static bool check_sizes(const ws_task *t, refusal *r)
{
    static const unsigned most_blocks[3] = {INT32_MAX, 65535, 65535},
                          most_threads[3] = {WS_BLOCK_THREADS, WS_BLOCK_THREADS, 64};
    for (unsigned i = 0; i < 3; i++) {
        const unsigned blocks = t->kernel.grid[i], threads = t->kernel.block[i];
        if (!blocks || !threads)
            return refuse(r, CUDA_ERROR_INVALID_VALUE, 0, "no size may be 0");
        if (blocks > most_blocks[i])
            return refuse(r, CUDA_ERROR_INVALID_VALUE, 1, "a grid has at most %u blocks in %c", most_blocks[i],
                          "xyz"[i]);
        if (threads > most_threads[i])
            return refuse(r, CUDA_ERROR_INVALID_VALUE, 2, "a block has at most %u threads in %c", most_threads[i],
                          "xyz"[i]);
    }
    return true;
}

static bool check_shared(const ws_task *t, const ws_kernel_facts *facts, refusal *r)
{
    const unsigned capability = ws_device_capability(), now = dynamic_most(t->kernel.function, facts);
    const unsigned most = (unsigned)ws_device_limits()->block_shared_bytes, asked = t->kernel.shared_bytes;
    if (asked > most)
        return refuse(r, CUDA_ERROR_INVALID_VALUE, 3,
                      "a block has at most %u bytes of shared memory at compute capability %u.%u", most,
                      capability / 10, capability % 10);
    if (asked > now)
        return refuse(r, CUDA_ERROR_INVALID_VALUE, 4,
                      "%u bytes are allowed until cudaFuncSetAttribute asks for more; at compute capability "
                      "%u.%u that may be %u",
                      now, capability / 10, capability % 10, most);
    if (facts->shared_bytes > most - asked)
        return refuse(r, CUDA_ERROR_INVALID_VALUE, 5,
                      "with the kernel's own %u bytes that is more than the %u of a block at compute "
                      "capability %u.%u",
                      (unsigned)facts->shared_bytes, most, capability / 10, capability % 10);
    return true;
}

/* Clusters of the launch, or else of the kernel. A grid that is given in clusters is a multiple of them. */
static bool check_cluster(const ws_task *t, refusal *r)
{
    const ws_function *const f = t->kernel.function->function;
    const unsigned *const asked = t->kernel.cluster, *const n = asked[0] ? asked : f->cluster;
    const uint64_t blocks = (uint64_t)n[0] * n[1] * n[2];
    const unsigned most = (unsigned)most_cluster_blocks(t->kernel.function), capability = ws_device_capability();
    if (!n[0])
        return true; /* the engine refuses a kernel that must have some */
    if (blocks > 1 && !most)
        return refuse(r, CUDA_ERROR_NOT_SUPPORTED, 9,
                      "clusters of (%u,%u,%u) blocks are asked for, and compute capability %u.%u has none", n[0], n[1],
                      n[2], capability / 10, capability % 10);
    for (unsigned i = 0; i < 3 && f->cluster[0]; i++)
        if (n[i] != f->cluster[i])
            return refuse(r, CUDA_ERROR_INVALID_CLUSTER_SIZE, 10,
                          "clusters of (%u,%u,%u) blocks are asked for, the kernel was compiled for (%u,%u,%u)", n[0],
                          n[1], n[2], f->cluster[0], f->cluster[1], f->cluster[2]);
    if (!blocks || blocks > (most ? most : 1) || (f->max_cluster && blocks > f->max_cluster))
        return refuse(r, CUDA_ERROR_INVALID_CLUSTER_SIZE, 11,
                      "clusters of (%u,%u,%u) blocks are asked for, at most %u blocks are possible%s", n[0], n[1], n[2],
                      f->max_cluster && f->max_cluster < most ? f->max_cluster : most,
                      blocks <= (uint64_t)ws_device_limits()->large_cluster_blocks && !f->max_cluster
                          ? " without the attribute for sizes that are not portable"
                          : "");
    for (unsigned i = 0; i < 3 && !f->blocks_are_clusters; i++)
        if (t->kernel.grid[i] % n[i])
            return refuse(r, CUDA_ERROR_INVALID_CLUSTER_SIZE, 12,
                          "the grid is no multiple of its clusters of (%u,%u,%u) blocks", n[0], n[1], n[2]);
    return true;
}

static bool check_shape(const ws_task *t, const ws_kernel_facts *facts, refusal *r)
{
    const unsigned *const grid = t->kernel.grid, *const block = t->kernel.block;
    if (!check_sizes(t, r) || !check_shared(t, facts, r) || !check_cluster(t, r))
        return false;
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2], blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    if (threads > WS_BLOCK_THREADS)
        return refuse(r, CUDA_ERROR_INVALID_VALUE, 6, "a block has at most %d threads", WS_BLOCK_THREADS);
    if (threads > facts->max_threads)
        return refuse(r, CUDA_ERROR_INVALID_VALUE, 7, /* as driver 580 answers */
                      "the kernel was compiled for at most %u threads a block", (unsigned)facts->max_threads);
    const uint64_t fit = (uint64_t)blocks_that_fit(facts, (unsigned)threads, t->kernel.shared_bytes) * WS_SM_COUNT;
    if (t->kernel.cooperative && blocks > fit)
        return refuse(r, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 8,
                      "of a cooperative launch all blocks must fit at once, of these "
                      "%llu do at compute capability %u.%u",
                      (unsigned long long)fit, ws_device_capability() / 10, ws_device_capability() % 10);
    return true;
}

static CUresult refuse_shape(const ws_task *t, const refusal *r)
{
    const unsigned *const grid = t->kernel.grid, *const block = t->kernel.block;
    ws_fail(WS_EINPUT,
            "kernel %s: impossible launch of grid (%u,%u,%u), block (%u,%u,%u), %u bytes of dynamic shared memory: %s",
            t->kernel.function->function->name, grid[0], grid[1], grid[2], block[0], block[1], block[2],
            t->kernel.shared_bytes, r->why);
    say_once(t->kernel.function, r->limit);
    return r->result;
}

CUresult ws_kernel_check(const ws_task *task)
{
    ws_kernel_facts facts = {0};
    const CUresult result = facts_of(task->kernel.function, &facts);
    if (result)
        return result;
    refusal r;
    return check_shape(task, &facts, &r) ? CUDA_SUCCESS : refuse_shape(task, &r);
}

CUresult ws_kernel_task(ws_task *task, const CUDA_KERNEL_NODE_PARAMS *p, ws_launch_manner manner)
{
    *task = (ws_task){.type = CU_GRAPH_NODE_TYPE_KERNEL,
                      .kernel = {.function = p->func,
                                 .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                 .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                 .shared_bytes = p->sharedMemBytes,
                                 .cooperative = manner.cooperative,
                                 .cluster = {manner.cluster[0], manner.cluster[1], manner.cluster[2]}}};
    CUresult result = ws_kernel_check(task);
    if (result)
        return result;
    const ws_function *const function = p->func->function;
    task->kernel.block_of_params = calloc(1, function->param_bytes + 1); /* + 1: may have no parameters */
    task->kernel.param = calloc(function->params + 1, sizeof *task->kernel.param);
    result = task->kernel.block_of_params && task->kernel.param
                 ? pack_params(function, p->kernelParams, p->extra, task->kernel.block_of_params)
                 : CUDA_ERROR_OUT_OF_MEMORY;
    if (result) {
        ws_task_clear(task);
        return result;
    }
    for (uint32_t i = 0; i < function->params; i++)
        task->kernel.param[i] = task->kernel.block_of_params + function->param[i].offset;
    return CUDA_SUCCESS;
}

/* What a kernel does wrong while it runs spoils its context; what is wrong with the call does not. */
static CUresult failed(CUcontext context, int status)
{
    const bool leaving = __atomic_load_n(&ws_the_driver.leaving, __ATOMIC_RELAXED); /* stopped by us: nothing to tell */
    const CUresult result = leaving ? CUDA_ERROR_LAUNCH_FAILED : ws_driver_report(status);
    if (status == WS_EFAULT || status == WS_ELIMIT || status == WS_EINTERRUPTED)
        context->fault = result;
    return result;
}

/* Whoever records may watch the launch; behind him stands that the process may end in another thread. */
typedef struct watch {
    int (*progress)(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions);
    int (*collect)(void *context, const ws_launch *launch, size_t sink, void *state);
    void (*stray)(void *context, const ws_launch *launch, uint64_t accesses, const char *first);
    void (*misaligned)(void *context, const ws_launch *launch, uint64_t accesses, const char *first);
    void *context;
} watch;

static int watch_progress(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions)
{
    const watch *const w = context;
    if (__atomic_load_n(&ws_the_driver.leaving, __ATOMIC_RELAXED))
        return 1;
    return w->progress ? w->progress(w->context, launch, blocks_done, warp_instructions) : 0;
}

static int watch_collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    const watch *const w = context;
    return w->collect(w->context, launch, sink, state);
}

static void watch_stray(void *context, const ws_launch *launch, uint64_t accesses, const char *first)
{
    const watch *const w = context;
    w->stray(w->context, launch, accesses, first);
}

static void watch_misaligned(void *context, const ws_launch *launch, uint64_t accesses, const char *first)
{
    const watch *const w = context;
    w->misaligned(w->context, launch, accesses, first);
}

static void add_watch(watch *w, ws_run *run)
{
    *w = (watch){run->progress, run->collect, run->stray, run->misaligned, run->context};
    run->context = w;
    run->progress = watch_progress;
    if (run->collect)
        run->collect = watch_collect;
    if (run->stray)
        run->stray = watch_stray;
    if (run->misaligned)
        run->misaligned = watch_misaligned;
}

/* The results file is no business of the program's. Said once: of a full disk there is more where that came from. */
static int say_unkept(ws_driver *driver)
{
    if (!driver->said_unkept)
        ws_show_line(stderr, "warpscape: %s: the launch is not kept, nor are later ones while that is so",
                     ws_message());
    driver->said_unkept = true;
    return WS_OK;
}

/* Said once: a program whose launches print too much has more of them. */
static void say_lost_prints(ws_driver *driver, const ws_run *run, uint64_t before)
{
    const uint64_t lost = ws_device_lost_prints(driver->device) - before;
    if (!lost || driver->said_lost)
        return;
    fprintf(stderr,
            "warpscape: %llu printf call%s of launch %llu did not fit into the FIFO of %llu bytes and %s lost; "
            "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, N) makes it larger\n",
            (unsigned long long)lost, lost == 1 ? "" : "s", (unsigned long long)run->sequence + 1,
            (unsigned long long)(driver->print_bytes ? driver->print_bytes : WS_PRINT_BYTES), lost == 1 ? "is" : "are");
    driver->said_lost = true;
}

/* One grid, with whoever records. */
static int run_grid(ws_kernel *kernel, ws_run *run, ws_run_result *result)
{
    ws_driver *const driver = &ws_the_driver;
    watch w;
    run->sequence = driver->launches;
    run->h2d_bytes = driver->copied->h2d;
    run->d2h_bytes = driver->copied->d2h;
    run->copies = &driver->copies;
    run->bounds = driver->bounds;
    run->alignment = driver->alignment;
    int status = driver->recorder ? ws_recorder_before(driver->recorder, kernel, run) : WS_OK;
    if (status)
        return status;
    add_watch(&w, run);
    const uint64_t lost = ws_device_lost_prints(driver->device), number = driver->launches++;
    status = ws_kernel_run(kernel, run, result);
    const bool ran = !status;
    say_lost_prints(driver, run, lost);
    if (driver->recorder)
        status = ws_recorder_after(driver->recorder, result, driver->copied, status);
    if (ran && status && driver->goes_on)
        status = say_unkept(driver);
    if (!status) {
        *driver->copied = (ws_copied){0};
        driver->copies.count = 0;
    } else if (driver->launches == number + 1) { /* a launch that failed has no number, if no other has the next */
        driver->launches = number;
    }
    return status;
}

static ws_cost cost_of(const ws_kernel *kernel, const ws_run *run, const ws_run_result *ran)
{
    const unsigned threads = run->block[0] * run->block[1] * run->block[2];
    ws_kernel_facts facts;
    ws_kernel_get_facts(kernel, &facts);
    const ws_kernel_work work = {.blocks = (uint64_t)run->grid[0] * run->grid[1] * run->grid[2],
                                 .warps = (threads + WS_WARP - 1) / WS_WARP,
                                 .resident = (uint64_t)blocks_that_fit(&facts, threads, run->dynamic_shared),
                                 .instructions = ran->warp_instructions,
                                 .waits = ran->device_waits,
                                 .bytes = ran->device_bytes};
    return ws_cost_of_kernel(&work);
}

/* What kernels launched, one after the other: the launch of the host is over when all of them are. */
static int run_children(ws_grids *grids, ws_cost *cost)
{
    ws_grid next;
    for (;;) {
        ws_run_result ran = {0};
        int status = ws_grids_next(grids, &next);
        ws_the_driver.copied->d2d += next.copied;
        ws_the_driver.copied->filled += next.filled;
        if (status || !next.kernel)
            return status;
        status = run_grid(next.kernel, &next.run, &ran);
        if (status)
            return status;
        const ws_cost own = cost_of(next.kernel, &next.run, &ran);
        cost->length += ws_clock_next_ps() + own.length;
        cost->units = own.units > cost->units ? own.units : cost->units;
    }
}

/* What a kernel waits for takes its time while the kernel does. What was copied before the kernel is told with the
 * kernel. */
static int run_waited(void *cost, ws_grids *waited)
{
    ws_copied *const copied = ws_the_driver.copied;
    const ws_copied before = *copied;
    const ws_copies copies = ws_the_driver.copies;
    *copied = (ws_copied){0};
    ws_the_driver.copies = (ws_copies){0};
    const int status = run_children(waited, cost);
    ws_copies_fini(&ws_the_driver.copies);
    ws_the_driver.copies = copies;
    copied->h2d += before.h2d;
    copied->d2h += before.d2h;
    copied->d2d += before.d2d;
    copied->filled += before.filled;
    return status;
}

static int run_kernel(const ws_task *t, ws_cost *cost)
{
    ws_run run = {.dynamic_shared = t->kernel.shared_bytes,
                  .params = t->kernel.block_of_params,
                  .cooperative = t->kernel.cooperative};
    ws_kernel *const kernel = t->kernel.function->kernel;
    ws_run_result ran = {0};
    ws_kernel_facts facts;
    int status = WS_OK;
    memcpy(run.grid, t->kernel.grid, sizeof run.grid);
    memcpy(run.block, t->kernel.block, sizeof run.block);
    memcpy(run.cluster, t->kernel.cluster, sizeof run.cluster);
    ws_kernel_get_facts(kernel, &facts);
    if (facts.launches)
        status = ws_grids_create(ws_the_driver.device, &run.grids);
    ws_grids *const grids = run.grids;
    ws_cost waited = {.part = WS_PART_SMS};
    if (grids)
        ws_grids_set_runner(grids, run_waited, &waited);
    if (!status)
        status = run_grid(kernel, &run, &ran);
    *cost = cost_of(kernel, &run, &ran);
    cost->length += waited.length;
    cost->units = waited.units > cost->units ? waited.units : cost->units;
    if (grids)
        ws_grids_set_runner(grids, run_waited, cost);
    if (!status && grids)
        status = run_children(grids, cost);
    ws_grids_destroy(grids);
    return status;
}

CUresult ws_kernel_execute(CUcontext context, const ws_task *task, ws_cost *cost)
{
    const CUresult result = ws_kernel_check(task);
    if (result)
        return result;
    const int status = run_kernel(task, cost);
    return status ? failed(context, status) : CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ for kernels that ask
 */

static int answer_attribute(int attribute, int *value)
{
    if (attribute < 1 || attribute >= CU_DEVICE_ATTRIBUTE_MAX)
        return CUDA_ERROR_INVALID_VALUE; /* the runtime's error has the same number */
    *value = ws_device_attribute((CUdevice_attribute)attribute);
    return CUDA_SUCCESS;
}

static int answer_occupancy(const ws_kernel_facts *facts, int threads, uint64_t dynamic_shared)
{
    return blocks_that_fit(facts, (unsigned)threads, dynamic_shared);
}

static uint32_t answer_dynamic_shared(void)
{
    return (uint32_t)ws_device_limits()->block_shared_bytes;
}

const ws_device_answers ws_driver_answers = {.attribute = answer_attribute,
                                             .blocks_that_fit = answer_occupancy,
                                             .dynamic_shared = answer_dynamic_shared,
                                             .version = WS_DRIVER_VERSION,
                                             .where = ws_virtual_where};

/* ------------------------------------------------------------------------------------------------ calls */

static CUresult launch(const CUDA_KERNEL_NODE_PARAMS *params, ws_launch_manner manner, CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(params->func, WS_HANDLE_FUNCTION) || !ws_stream_find(context, stream))
        return CUDA_ERROR_INVALID_HANDLE;
    ws_task task;
    const CUresult result = ws_kernel_task(&task, params, manner);
    return result ? result : ws_stream_submit(context, stream, &task);
}

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ,
                        unsigned int blockX, unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes,
                        CUstream stream, void **params, void **extra)
{
    const CUDA_KERNEL_NODE_PARAMS p = {function, gridX,       gridY,  gridZ, blockX, blockY,
                                       blockZ,   sharedBytes, params, extra, NULL,   NULL};
    return launch(&p, (ws_launch_manner){0}, stream);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ,
                                   unsigned int blockX, unsigned int blockY, unsigned int blockZ,
                                   unsigned int sharedBytes, CUstream stream, void **params)
{
    const CUDA_KERNEL_NODE_PARAMS p = {function, gridX,       gridY,  gridZ, blockX, blockY,
                                       blockZ,   sharedBytes, params, NULL,  NULL,   NULL};
    return launch(&p, (ws_launch_manner){.cooperative = true}, stream);
}

/* Attributes that change what a kernel computes are followed or refused; hints about time are not needed here. */
static CUresult follow(const CUlaunchAttribute *attribute, ws_launch_manner *manner)
{
    const CUlaunchAttributeValue *const v = &attribute->value;
    switch (attribute->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        manner->cooperative = v->cooperative;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        manner->cluster[0] = v->clusterDim.x;
        manner->cluster[1] = v->clusterDim.y;
        manner->cluster[2] = v->clusterDim.z;
        return !v->clusterDim.x == !v->clusterDim.y && !v->clusterDim.y == !v->clusterDim.z
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_CLUSTER_SIZE;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT: /* an event in the middle of a kernel */
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_SUCCESS;
    }
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **params, void **extra)
{
    ws_launch_manner manner = {0};
    if (!c || (c->numAttrs && !c->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const CUresult result = follow(&c->attrs[i], &manner);
        if (result)
            return result;
    }
    const CUDA_KERNEL_NODE_PARAMS p = {function,     c->gridDimX,  c->gridDimY,  c->gridDimZ,
                                       c->blockDimX, c->blockDimY, c->blockDimZ, c->sharedMemBytes,
                                       params,       extra,        NULL,         NULL};
    return launch(&p, manner, c->hStream);
}
