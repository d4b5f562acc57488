/* driver_module.c - PTX images, their kernels and variables. */
#include "collect/cuda/driver_internal.h"
#include "collect/cuda/target.h"

#include "base/note.h"
#include "base/status.h"
#include "base/text.h"
#include "collect/fatbin/program.h"
#include "collect/ptx/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ images */

/* Machine code of a GPU is no text; strncmp, because an image shorter than 4 bytes ends with NUL. */
static bool is_machine_code(const void *image)
{
    static const char elf[] = {0x7f, 'E', 'L', 'F'};
    return !strncmp(image, elf, sizeof elf);
}

void ws_driver_fill_log(unsigned count, const CUjit_option *option, void **value, const char *text)
{
    char *buffer = NULL;
    size_t room = 0;
    for (unsigned i = 0; i < count; i++) {
        if (option[i] == CU_JIT_ERROR_LOG_BUFFER)
            buffer = value[i];
        else if (option[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            room = (size_t)(uintptr_t)value[i];
    }
    if (buffer && room)
        snprintf(buffer, room, "%s", text);
}

/* Wraps a parsed module; takes it over, also when it fails. */
static CUresult add_module(CUcontext context, ws_module *parsed, CUmodule *out)
{
    CUresult result;
    ws_device *const device = ws_driver_device(&result);
    const CUmodule module = device ? calloc(1, sizeof *module) : NULL;
    if (!module) {
        ws_module_destroy(parsed);
        return result ? result : CUDA_ERROR_OUT_OF_MEMORY;
    }
    const int status = ws_image_load(device, parsed, &module->image);
    if (status) {
        ws_module_destroy(parsed);
        free(module);
        return ws_driver_report(status);
    }
    module->module = parsed;
    ws_driver_require_target(ws_module_target(parsed));
    ws_handle_add(&module->handle, (uintptr_t)module, WS_HANDLE_MODULE, context);
    *out = module;
    return CUDA_SUCCESS;
}

static CUresult parse_failed(int status)
{
    const CUresult result = ws_driver_report(status);
    return status == WS_EINPUT     ? CUDA_ERROR_INVALID_PTX
           : status == WS_EVERSION ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION
                                   : result;
}

static int parse_text(const char *name, const char *text, ws_module **parsed)
{
    return ws_ptx_parse(name, text, strlen(text), parsed);
}

int ws_driver_architecture(uint32_t *most)
{
    const char *const wanted = getenv("WARPSCAPE_PTX_ARCHITECTURE");
    size_t number = 0;
    *most = 0;
    if (wanted && (ws_text_to_size(wanted, 9999, &number) || !number))
        return ws_fail(WS_EINPUT, "WARPSCAPE_PTX_ARCHITECTURE: expected a whole number such as 75, found `%.40s`",
                       wanted);
    *most = (uint32_t)number;
    return WS_OK;
}

/* The PTX of a fat binary for the highest architecture: there is no hardware that could be too old for it. */
static int parse_fat_binary(const char *name, const void *image, ws_module **parsed)
{
    ws_fatbin *fatbin = NULL;
    uint32_t most;
    int status = ws_driver_architecture(&most);
    if (!status)
        status = ws_fatbin_open(name, image, 0, &fatbin);
    if (!status)
        status = ws_fatbin_load(fatbin, most, parsed);
    ws_fatbin_close(fatbin);
    return status;
}

/* Every PTX has it. Without it, what was given is no image at all, as driver 580 answers. */
static bool is_ptx(const char *text)
{
    return strstr(text, ".version");
}

static CUresult image_failed(int status, bool fat)
{
    if (!fat || (status != WS_EUNSUPPORTED && status != WS_EINPUT && status != WS_EVERSION))
        return parse_failed(status);
    ws_driver_report(status);
    if (status == WS_EUNSUPPORTED)
        ws_note(getenv(WS_NOTE_VARIABLE), WS_NOTE_FAILED);
    return status == WS_EUNSUPPORTED ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *option, void **value)
{
    WS_ENTER_CONTEXT(context);
    if (!module || !image || (count && (!option || !value)))
        return CUDA_ERROR_INVALID_VALUE;
    char name[48];
    snprintf(name, sizeof name, "<ptx image %llu>", (unsigned long long)++ws_the_driver.images);
    ws_module *parsed = NULL;
    const bool fat = ws_fatbin_begins(image);
    int status;
    if (fat)
        status = parse_fat_binary(name, image, &parsed);
    else if (is_machine_code(image))
        status = ws_fail(WS_EUNSUPPORTED, "the module image is machine code of a GPU (cubin), which cannot run here; "
                                          "give PTX text or a fat binary with PTX instead");
    else
        status = parse_text(name, image, &parsed);
    if (!status)
        return add_module(context, parsed, module);
    ws_driver_fill_log(count, option, value, ws_message());
    return image_failed(status, fat || is_machine_code(image) || !is_ptx(image));
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    WS_ENTER_CONTEXT(context);
    if (!module || !path)
        return CUDA_ERROR_INVALID_VALUE;
    ws_program *program = NULL;
    ws_module *parsed = NULL;
    uint32_t most;
    int status = ws_driver_architecture(&most);
    if (!status)
        status = ws_program_open(path, &program);
    if (!status)
        status = ws_program_load(program, most, NULL, NULL, &parsed);
    const bool is_text = program && program->is_text;
    ws_program_close(program);
    if (!status)
        return add_module(context, parsed, module);
    if (status != WS_EIO && status != WS_ENOTFOUND)
        return image_failed(status, !is_text);
    ws_driver_report(status);
    return CUDA_ERROR_FILE_NOT_FOUND;
}

static CUfunction next_function(CUmodule module)
{
    for (ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        if (h->kind == WS_HANDLE_FUNCTION && ((CUfunction)h)->module == module)
            return (CUfunction)h;
    }
    return NULL;
}

void ws_module_release(CUmodule module)
{
    for (CUfunction f; (f = next_function(module));) {
        ws_handle_remove(&f->handle);
        free(f);
    }
    ws_module_release_references(module);
    ws_handle_remove(&module->handle);
    ws_image_unload(module->image);
    ws_module_destroy(module->module);
    free(module);
}

CUresult cuModuleUnload(CUmodule module)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(module, WS_HANDLE_MODULE))
        return CUDA_ERROR_INVALID_HANDLE;
    ws_order_host_waits_for_all();
    ws_module_release(module);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ content */

static bool is_kernel(const ws_function *function)
{
    return function->is_entry && function->has_body;
}

/* The handle that an earlier call made, so that a program asking in a loop does not grow. */
static CUfunction known_function(CUmodule module, const ws_function *function)
{
    for (ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        const CUfunction f = (CUfunction)h;
        if (h->kind == WS_HANDLE_FUNCTION && f->module == module && f->function == function)
            return f;
    }
    return NULL;
}

CUresult cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name)
{
    WS_ENTER_CONTEXT(context);
    if (!out || !name || !*name)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ws_handle_find(module, WS_HANDLE_MODULE))
        return CUDA_ERROR_INVALID_HANDLE;
    const ws_function *const function = ws_module_function(module->module, name);
    if (!function || !is_kernel(function))
        return CUDA_ERROR_NOT_FOUND;
    CUfunction f = known_function(module, function);
    if (!f) {
        f = calloc(1, sizeof *f);
        if (!f)
            return CUDA_ERROR_OUT_OF_MEMORY;
        f->module = module;
        f->function = function;
        ws_handle_add(&f->handle, (uintptr_t)f, WS_HANDLE_FUNCTION, module->handle.owner);
    }
    *out = f;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule module)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(module, WS_HANDLE_MODULE))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = 0;
    for (uint32_t i = 0; i < module->module->functions; i++)
        *count += is_kernel(module->module->function[i]);
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int most, CUmodule module)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(module, WS_HANDLE_MODULE))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!functions || !most)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0, n = 0; i < module->module->functions && n < most && !result; i++) {
        if (is_kernel(module->module->function[i]))
            result = cuModuleGetFunction(&functions[n++], module, module->module->function[i]->name);
    }
    return result;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
    WS_ENTER_CONTEXT(context);
    if (!name || (!address && !bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (!ws_handle_find(module, WS_HANDLE_MODULE))
        return CUDA_ERROR_INVALID_HANDLE;
    uint64_t at = 0, size = 0;
    const int status = ws_image_symbol(module->image, name, &at, &size);
    if (status)
        return ws_driver_result(status, ws_message());
    if (address)
        *address = at;
    if (bytes)
        *bytes = size;
    return CUDA_SUCCESS;
}
