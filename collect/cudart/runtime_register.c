/* runtime_register.c - which kernels and variables does the program bring along?
 *
 * Code that nvcc generates registers each image with its kernels and variables before main. Nothing is parsed then: an
 * image becomes a module when something of it is first used, so a program pays only for what it runs, and static
 * initialisers may call CUDA at any time. Images with managed variables are loaded when the device is first used,
 * because the host reads the address of such a variable without a call. */
#include "collect/cuda/target.h"
#include "collect/cudart/cudart_internal.h"
#include "collect/fatbin/fatbin.h"

#include "base/shown.h"

#include <stdio.h>
#include <stdlib.h>

struct ws_rt_image {
    const void *wrapper; /* the record in .nvFatBinSegment */
    CUmodule module;
    cudaError_t failed; /* why it cannot be loaded; told to all that need it */
    bool managed;       /* has managed variables that the host waits for */
    ws_rt_image *next;
};

static ws_rt_image *images;
static ws_rt_symbol *symbols;
static bool targets_wait; /* the driver does not know yet what some image was compiled for */
static bool managed_wait; /* some image with managed variables may have to be loaded */

/* ------------------------------------------------------------------------------------------------ images */

void **__cudaRegisterFatBinary(void *wrapper)
{
    ws_rt_image *const image = calloc(1, sizeof *image);
    if (!image) {
        fprintf(stderr, "warpscape: no memory to register an image\n");
        return NULL;
    }
    image->wrapper = wrapper;
    ws_rt_lock();
    image->next = images;
    images = image;
    targets_wait = true;
    ws_rt_unlock();
    return (void **)image;
}

/* Images are used when something asks for them, so nothing waits for this. */
void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

static cudaError_t load_failed(CUresult result)
{
    return result == CUDA_ERROR_NO_BINARY_FOR_GPU ? cudaErrorNoKernelImageForDevice : (cudaError_t)result;
}

static cudaError_t load(ws_rt_image *image)
{
    if (!image->module && !image->failed)
        image->failed = load_failed(cuModuleLoadFatBinary(&image->module, image->wrapper));
    return image->failed;
}

static void remove_symbols(const ws_rt_image *image)
{
    for (ws_rt_symbol *s = symbols, *next; s; s = next) {
        next = s->hh.next;
        if (s->image == image) {
            HASH_DEL(symbols, s);
            free(s);
        }
    }
}

void __cudaUnregisterFatBinary(void **handle)
{
    ws_rt_image *const image = (ws_rt_image *)handle;
    ws_rt_lock();
    ws_rt_image **at = &images;
    while (*at && *at != image)
        at = &(*at)->next;
    if (*at) {
        *at = image->next;
        remove_symbols(image);
        if (image->module)
            cuModuleUnload(image->module); /* fails when the context is gone, and the module with it */
        free(image);
    }
    ws_rt_unlock();
}

void ws_rt_forget_modules(void)
{
    for (ws_rt_image *i = images; i; i = i->next) {
        i->module = NULL;
        i->failed = cudaSuccess;
        managed_wait |= i->managed;
    }
    for (ws_rt_symbol *s = symbols; s; s = s->hh.next) {
        s->function = NULL;
        s->address = 0;
        s->reference = NULL;
    }
}

/* ------------------------------------------------------------------------------------------------ symbols */

static void add(void **handle, const void *host, ws_rt_kind kind, const char *name, size_t bytes)
{
    ws_rt_symbol *s = NULL;
    if (!handle)
        return;
    ws_rt_lock();
    HASH_FIND_PTR(symbols, &host, s);
    if (!s) {
        s = calloc(1, sizeof *s);
        if (s) {
            s->host = host;
            HASH_ADD_PTR(symbols, host, s);
        }
    }
    if (s) { /* a stub that several images register belongs to the last of them */
        s->kind = kind;
        s->name = name;
        s->image = (ws_rt_image *)handle;
        s->bytes = bytes;
        s->function = NULL;
        s->address = 0;
        s->reference = NULL;
    } else {
        ws_show_line(stderr, "warpscape: no memory to register %s", name);
    }
    ws_rt_unlock();
}

void __cudaRegisterFunction(void **handle, const char *host, char *device_function, const char *name, int thread_limit,
                            void *tid, void *bid, dim3 *block, dim3 *grid, int *warp_size)
{
    (void)device_function, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
    add(handle, host, WS_RT_KERNEL, name, 0);
}

void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *name, int external, size_t bytes,
                       int constant, int global)
{
    (void)device_address, (void)external, (void)constant, (void)global;
    add(handle, host, WS_RT_VARIABLE, name, bytes);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device_address, const char *name, int external,
                              size_t bytes, int constant, int global)
{
    (void)device_address, (void)external, (void)constant, (void)global;
    add(handle, host, WS_RT_MANAGED, name, bytes);
    if (!handle)
        return;
    ws_rt_lock();
    ((ws_rt_image *)handle)->managed = managed_wait = true;
    ws_rt_unlock();
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes)
{
    add(handle, host, WS_RT_HOST, name, bytes);
}

/* nvcc 11 passes the symbol of the PTX in the place of the address; the name is that of C++, such as "::image". */
static const char *symbol_of(const void **device_address, const char *name)
{
    return device_address ? (const char *)device_address : name;
}

void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device_address,
                           const char *name, int dimensions, int normalized_float, int external)
{
    (void)dimensions, (void)external;
    add(handle, host, WS_RT_TEXTURE, symbol_of(device_address, name), 0);
    ws_rt_symbol *s = NULL;
    ws_rt_lock();
    HASH_FIND_PTR(symbols, &host, s);
    if (s)
        s->normalized_float = normalized_float;
    ws_rt_unlock();
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device_address,
                           const char *name, int dimensions, int external)
{
    (void)dimensions, (void)external;
    add(handle, host, WS_RT_SURFACE, symbol_of(device_address, name), 0);
}

/* Addresses of functions that host and device share; only heterogeneous-memory machines call through them. */
void __cudaRegisterUnifiedTable(void **handle, void *table)
{
    (void)handle, (void)table;
}

/* ------------------------------------------------------------------------------------------------ managed variables */

static cudaError_t set_managed(ws_rt_symbol *s)
{
    size_t bytes = 0;
    const CUresult result = cuModuleGetGlobal(&s->address, &bytes, s->image->module, s->name);
    if (result)
        return cudaErrorInvalidSymbol;
    *(void **)s->host = (void *)(uintptr_t)s->address;
    return cudaSuccess;
}

static cudaError_t load_with_managed(ws_rt_image *image)
{
    cudaError_t error = image->module ? cudaSuccess : load(image);
    for (ws_rt_symbol *s = symbols; s && !error; s = s->hh.next) {
        if (s->image == image && s->kind == WS_RT_MANAGED && !s->address)
            error = set_managed(s);
    }
    return error;
}

cudaError_t ws_rt_load_managed(void)
{
    cudaError_t error = cudaSuccess;
    if (!managed_wait)
        return error;
    managed_wait = false;
    for (ws_rt_image *i = images; i && !error; i = i->next) {
        if (i->managed)
            error = load_with_managed(i);
    }
    return error;
}

/* The host calls this before it touches a managed variable of the image. */
char __cudaInitModule(void **handle)
{
    return handle && !ws_rt_enter();
}

/* ------------------------------------------------------------------------------------------------ looking up */

static ws_rt_symbol *find(const void *host, unsigned kinds)
{
    ws_rt_symbol *s = NULL;
    HASH_FIND_PTR(symbols, &host, s);
    return s && kinds >> s->kind & 1 ? s : NULL;
}

/* A handle that __cudaGetKernel gave is the record itself. */
static ws_rt_symbol *find_record(const void *handle)
{
    for (ws_rt_symbol *s = symbols; s; s = s->hh.next) {
        if (s == handle)
            return s;
    }
    return NULL;
}

static cudaError_t function_of(ws_rt_symbol *s, CUfunction *function)
{
    cudaError_t error = s->function ? cudaSuccess : load(s->image);
    if (!error && !s->function && cuModuleGetFunction(&s->function, s->image->module, s->name)) {
        s->function = NULL;
        error = cudaErrorInvalidDeviceFunction;
    }
    *function = s->function;
    return error;
}

cudaError_t ws_rt_find_kernel(const void *host, CUfunction *function)
{
    CUmodule module;
    cudaError_t error = cudaSuccess;
    *function = NULL;
    ws_rt_lock();
    ws_rt_symbol *s = find(host, 1u << WS_RT_KERNEL);
    if (!s)
        s = find_record(host);
    if (s)
        error = function_of(s, function);
    else if (host && !cuFuncGetModule(&module, (CUfunction)host))
        *function = (CUfunction)host; /* of a library, or of the driver API */
    else
        error = cudaErrorInvalidDeviceFunction;
    ws_rt_unlock();
    return error;
}

const void *ws_rt_stub_of(CUfunction function)
{
    const void *host = function;
    ws_rt_lock();
    for (const ws_rt_symbol *s = symbols; s; s = s->hh.next) {
        if (s->kind == WS_RT_KERNEL && s->function == function)
            host = s->host;
    }
    ws_rt_unlock();
    return host;
}

static cudaError_t address_of(ws_rt_symbol *s, CUdeviceptr *address, size_t *bytes)
{
    size_t size = s->bytes;
    if (s->kind == WS_RT_HOST) {
        *address = (uintptr_t)s->host;
        *bytes = size;
        return cudaSuccess;
    }
    cudaError_t error = load(s->image);
    if (!error && cuModuleGetGlobal(&s->address, &size, s->image->module, s->name))
        error = cudaErrorInvalidSymbol;
    *address = s->address;
    *bytes = size;
    return error;
}

/* The name of a managed variable means the variable itself in code of the host. */
static ws_rt_symbol *find_managed(const void *host)
{
    for (ws_rt_symbol *s = symbols; s; s = s->hh.next) {
        if (s->kind == WS_RT_MANAGED && s->address == (uintptr_t)host)
            return s;
    }
    return NULL;
}

bool ws_rt_is_managed(CUdeviceptr address)
{
    CUdeviceptr base = 0;
    ws_rt_lock();
    const bool is = !cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) &&
                    find_managed((const void *)(uintptr_t)base);
    ws_rt_unlock();
    return is;
}

cudaError_t ws_rt_find_variable(const void *host, CUdeviceptr *address, size_t *bytes)
{
    ws_rt_lock();
    ws_rt_symbol *s = find(host, 1u << WS_RT_VARIABLE | 1u << WS_RT_MANAGED | 1u << WS_RT_HOST);
    if (!s)
        s = find_managed(host);
    const cudaError_t error = s ? address_of(s, address, bytes) : cudaErrorInvalidSymbol;
    ws_rt_unlock();
    return error;
}

cudaError_t ws_rt_find_reference(const void *host, ws_rt_kind kind, ws_rt_symbol **symbol)
{
    ws_rt_lock();
    ws_rt_symbol *const s = find(host, 1u << kind);
    cudaError_t error = s ? load(s->image) : kind == WS_RT_TEXTURE ? cudaErrorInvalidTexture : cudaErrorInvalidSurface;
    if (!error && !s->reference) {
        const CUresult result = kind == WS_RT_TEXTURE
                                    ? cuModuleGetTexRef((CUtexref *)&s->reference, s->image->module, s->name)
                                    : cuModuleGetSurfRef((CUsurfref *)&s->reference, s->image->module, s->name);
        if (result)
            error = kind == WS_RT_TEXTURE ? cudaErrorInvalidTexture : cudaErrorInvalidSurface;
    }
    *symbol = s;
    ws_rt_unlock();
    return error;
}

cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *host)
{
    ws_rt_lock();
    ws_rt_symbol *const s = find(host, 1u << WS_RT_KERNEL);
    if (handle)
        *handle = (cudaKernel_t)s;
    ws_rt_unlock();
    return ws_rt_result(s ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

/* ------------------------------------------------------------------------------------------------ what for */

/* 0 for what cannot be read; who loads it is told why. */
static unsigned target_of(const void *wrapper)
{
    ws_fatbin *fatbin = NULL;
    unsigned newest = 0;
    if (!ws_fatbin_begins(wrapper) || ws_fatbin_open("image", wrapper, 0, &fatbin))
        return 0;
    for (uint32_t i = 0; i < fatbin->images; i++) {
        if (fatbin->image[i].kind == WS_FATBIN_PTX && fatbin->image[i].architecture > newest)
            newest = fatbin->image[i].architecture;
    }
    ws_fatbin_close(fatbin);
    return newest;
}

void ws_rt_tell_targets(void)
{
    for (const ws_rt_image *i = targets_wait ? images : NULL; i; i = i->next)
        ws_driver_require_target(target_of(i->wrapper));
    targets_wait = false;
}
