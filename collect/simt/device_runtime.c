/* device_runtime.c - what kernels ask of the device runtime: errors, memory, and what device they run on. */
#include "collect/simt/device_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

static const struct {
    int value;
    const char *name, *text;
} errors[] = {
#define DEVICE_ERROR(name, value, text) {value, #name, text},
#include "collect/simt/device_errors.def"
#undef DEVICE_ERROR
};

/* A text in memory of the device, which kernels hold pointers to. */
typedef struct device_text {
    const char *text;
    uint64_t address;
    struct device_text *next;
} device_text;

static int give_text(device_call *c, const char *text)
{
    ws_device *const device = device_of(c);
    device_text *t = device->texts;
    while (t && t->text != text)
        t = t->next;
    c->gives = true;
    if (!t) {
        uint64_t address;
        const size_t bytes = strlen(text) + 1;
        t = malloc(sizeof *t);
        if (!t || memory_alloc(device->memory, bytes, &address)) {
            free(t);
            return cudaErrorMemoryAllocation;
        }
        memcpy((void *)(uintptr_t)address, text, bytes);
        *t = (device_text){text, address, device->texts};
        device->texts = t;
    }
    c->result = t->address;
    return cudaSuccess;
}

void device_texts_free(ws_device *device)
{
    for (device_text *t = device->texts, *next; t; t = next) {
        next = t->next;
        free(t);
    }
    device->texts = NULL;
}

int device_error_text(device_call *c)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].value == (int)builtin_argument(c, 0))
            return give_text(c, errors[i].text);
    return give_text(c, "unrecognized error code");
}

int device_error_name(device_call *c)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].value == (int)builtin_argument(c, 0))
            return give_text(c, errors[i].name);
    return give_text(c, "unrecognized error code");
}

int device_peek_error(device_call *c)
{
    return c->w->device_error ? c->w->device_error[c->lane] : cudaSuccess;
}

int device_last_error(device_call *c)
{
    const int error = device_peek_error(c);
    if (error)
        c->w->device_error[c->lane] = cudaSuccess;
    return error;
}

/* ---- memory ---- */

int device_put(const device_call *c, unsigned i, const void *value, size_t bytes)
{
    uint64_t room;
    unsigned char *const at = builtin_memory(c, builtin_argument(c, i), true, &room);
    if (!at || room < bytes)
        return cudaErrorInvalidValue;
    memcpy(at, value, bytes);
    return cudaSuccess;
}

int device_malloc(device_call *c)
{
    const uint64_t bytes = builtin_argument(c, 1), at = bytes ? memory_heap_alloc(device_of(c)->memory, bytes) : 0;
    const int error = device_put(c, 0, &at, sizeof at);
    if (c->w->block->checks && at)
        checks_heap(c->w, at, bytes);
    return error ? error : at || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}

int device_free(device_call *c)
{
    const uint64_t at = builtin_argument(c, 0);
    return !at || memory_heap_free(device_of(c)->memory, at) ? cudaSuccess : cudaErrorInvalidDevicePointer;
}

/* ---- the device ---- */

static int put_number(const device_call *c, unsigned i, int number)
{
    return device_put(c, i, &number, sizeof number);
}

int device_number(device_call *c)
{
    return put_number(c, 0, 0);
}

int device_count(device_call *c)
{
    return put_number(c, 0, 1);
}

/* cudaFuncCachePreferNone, cudaSharedMemBankSizeDefault. */
int device_no_preference(device_call *c)
{
    return put_number(c, 0, 0);
}

int device_version(device_call *c)
{
    const ws_device_answers *const a = device_of(c)->answers;
    return a ? put_number(c, 0, a->version) : cudaErrorNotSupported;
}

int device_attribute(device_call *c)
{
    const ws_device_answers *const a = device_of(c)->answers;
    int value = 0;
    if ((int)builtin_argument(c, 2) != 0)
        return cudaErrorInvalidDevice;
    const int error = a ? a->attribute((int)builtin_argument(c, 1), &value) : cudaErrorNotSupported;
    return error ? error : put_number(c, 0, value);
}

int device_limit(device_call *c)
{
    enum { HEAP = 2, SYNC_DEPTH, PENDING_LAUNCHES }; /* enum cudaLimit */
    uint64_t value;
    switch (builtin_argument(c, 1)) {
    case HEAP:
        value = memory_heap_size(device_of(c)->memory);
        break;
    case SYNC_DEPTH:
        value = device_of(c)->sync_depth;
        break;
    case PENDING_LAUNCHES:
        value = grids_pending_most(device_of(c));
        break;
    default:
        return cudaErrorUnsupportedLimit;
    }
    return device_put(c, 0, &value, sizeof value);
}

void ws_device_set_answers(ws_device *device, const ws_device_answers *answers)
{
    device->answers = answers;
}

/* ---- kernels ---- */

ws_kernel *device_kernel(device_call *c, uint64_t pointer, int *error)
{
    ws_image *const image = c->w->block->launch->kernel->image;
    const uint64_t index = (pointer - FUNCTION_BASE) / 16;
    ws_kernel *kernel = NULL;
    *error = cudaErrorInvalidDeviceFunction;
    if (pointer < FUNCTION_BASE || (pointer - FUNCTION_BASE) % 16 || index >= image->module->functions)
        return NULL;
    const ws_function *const function = image->module->function[index];
    if (!function->is_entry || !function->has_body)
        return NULL;
    const int status = ws_image_kernel(image, function->name, &kernel);
    if (status) {
        c->fault = true;
        block_fail(c->w->block, status, "%s", ws_message());
        return NULL;
    }
    *error = cudaSuccess;
    return kernel;
}

/* The part of struct cudaFuncAttributes that all versions have. */
int device_function(device_call *c)
{
    struct {
        uint64_t shared, constant, local;
        int threads, registers, ptx, binary, cache, dynamic_shared, carveout;
    } facts = {.carveout = -1}; /* the default */
    ws_kernel_facts f;
    int error;
    const ws_kernel *const kernel = device_kernel(c, builtin_argument(c, 1), &error);
    if (!kernel)
        return error;
    ws_kernel_get_facts(kernel, &f);
    const char *const target = kernel->image->module->target;
    const char *const digits = target ? strpbrk(target, "0123456789") : NULL;
    facts.shared = f.shared_bytes;
    facts.constant = f.const_bytes;
    facts.local = f.local_bytes;
    facts.threads = (int)f.max_threads;
    facts.registers = (int)f.registers;
    facts.ptx = facts.binary = digits ? atoi(digits) : 0;
    facts.dynamic_shared = device_of(c)->answers ? (int)device_of(c)->answers->dynamic_shared() : MAX_SHARED_BYTES;
    return device_put(c, 0, &facts, 3 * sizeof(uint64_t) + 7 * sizeof(int));
}

int device_occupancy(device_call *c)
{
    const ws_device_answers *const a = device_of(c)->answers;
    const int threads = (int)builtin_argument(c, 2);
    ws_kernel_facts f;
    int error;
    const ws_kernel *const kernel = device_kernel(c, builtin_argument(c, 1), &error);
    if (!kernel)
        return error;
    if (!a)
        return cudaErrorNotSupported;
    if (threads <= 0 || builtin_argument(c, 4) & ~(uint64_t)1)
        return cudaErrorInvalidValue;
    ws_kernel_get_facts(kernel, &f);
    return put_number(c, 0, a->blocks_that_fit(&f, threads, builtin_argument(c, 3)));
}
