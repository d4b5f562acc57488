/* driver_library.c - modules that belong to no context, and the kernels in them.
 *
 * There is one device and all contexts share it, so a library is a module of the primary context and a CUkernel is the
 * CUfunction that it is on that device: either handle will do where the other is asked for. */
#include "collect/cuda/driver_internal.h"

#include <stdlib.h>

struct CUlib_st {
    ws_handle handle;
    CUmodule module;
};

static CUmodule module_of(CUlibrary library)
{
    const struct CUlib_st *const l = ws_handle_find(library, WS_HANDLE_LIBRARY);
    return l ? l->module : NULL;
}

/* ------------------------------------------------------------------------------------------------ life */

static CUresult add_library(CUlibrary *library, CUmodule module, CUcontext context)
{
    struct CUlib_st *const l = calloc(1, sizeof *l);
    if (!l) {
        cuModuleUnload(module);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    l->module = module;
    ws_handle_add(&l->handle, (uintptr_t)l, WS_HANDLE_LIBRARY, context);
    *library = l;
    return CUDA_SUCCESS;
}

/* Options of libraries say when code is loaded and who owns it; here it is loaded now and copied. */
CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *option, void **value,
                           unsigned int count, CUlibraryOption *libraryOption, void **libraryValue,
                           unsigned int libraryCount)
{
    WS_ENTER_CONTEXT(context);
    CUmodule module = NULL;
    if (!library || (libraryCount && (!libraryOption || !libraryValue)))
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = cuModuleLoadDataEx(&module, image, count, option, value);
    return result ? result : add_library(library, module, context);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *option, void **value,
                               unsigned int count, CUlibraryOption *libraryOption, void **libraryValue,
                               unsigned int libraryCount)
{
    WS_ENTER_CONTEXT(context);
    CUmodule module = NULL;
    if (!library || (count && (!option || !value)) || (libraryCount && (!libraryOption || !libraryValue)))
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = cuModuleLoad(&module, path);
    return result ? result : add_library(library, module, context);
}

CUresult cuLibraryUnload(CUlibrary library)
{
    WS_ENTER_CONTEXT(context);
    const CUmodule module = module_of(library);
    if (!module)
        return CUDA_ERROR_INVALID_HANDLE;
    ws_handle_remove(&library->handle);
    free(library);
    return cuModuleUnload(module);
}

/* ------------------------------------------------------------------------------------------------ content */

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    WS_ENTER_CONTEXT(context);
    if (!module)
        return CUDA_ERROR_INVALID_VALUE;
    *module = module_of(library);
    return *module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    WS_ENTER_CONTEXT(context);
    const CUmodule module = module_of(library);
    if (!module)
        return CUDA_ERROR_INVALID_HANDLE;
    return cuModuleGetFunction((CUfunction *)kernel, module, name);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    WS_ENTER_CONTEXT(context);
    const CUmodule module = module_of(library);
    return module ? cuModuleGetGlobal(address, bytes, module, name) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return cuLibraryGetGlobal(address, bytes, library, name);
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library)
{
    WS_ENTER_CONTEXT(context);
    const CUmodule module = module_of(library);
    return module ? cuModuleGetFunctionCount(count, module) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int most, CUlibrary library)
{
    WS_ENTER_CONTEXT(context);
    const CUmodule module = module_of(library);
    return module ? cuModuleEnumerateFunctions((CUfunction *)kernels, most, module) : CUDA_ERROR_INVALID_HANDLE;
}

/* ------------------------------------------------------------------------------------------------ kernels */

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    WS_ENTER_CONTEXT(context);
    if (!function)
        return CUDA_ERROR_INVALID_VALUE;
    *function = ws_handle_find(kernel, WS_HANDLE_FUNCTION);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
    WS_ENTER_CONTEXT(context);
    const struct CUfunc_st *const f = ws_handle_find(kernel, WS_HANDLE_FUNCTION);
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!library)
        return CUDA_ERROR_INVALID_VALUE;
    for (ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        if (h->kind == WS_HANDLE_LIBRARY && ((CUlibrary)h)->module == f->module) {
            *library = (CUlibrary)h;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_NOT_FOUND; /* of a module that is no library */
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    return cuFuncGetName(name, (CUfunction)kernel);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes)
{
    return cuFuncGetParamInfo((CUfunction)kernel, index, offset, bytes);
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetCacheConfig((CUfunction)kernel, config);
}
