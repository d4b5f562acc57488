/* driver_state.c - what is alive, who may call, and how the engine's failures become results of the driver API. */
#include "collect/cuda/driver_internal.h"

#include "base/demangle.h"
#include "base/shown.h"
#include "base/status.h"
#include "base/text.h"
#include "collect/check/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ws_driver ws_the_driver = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

/* ------------------------------------------------------------------------------------------------ entering */

/* How often this thread holds the lock, and whether it is in a function that the program gave to a stream. */
static _Thread_local struct {
    unsigned depth;
    bool paused;
} holding;

CUresult ws_driver_enter(void)
{
    pthread_mutex_lock(&ws_the_driver.lock);
    holding.depth++;
    if (holding.paused)
        return CUDA_ERROR_NOT_PERMITTED;
    return ws_the_driver.initialized && !ws_the_driver.forked ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

unsigned ws_driver_pause(void)
{
    const unsigned depth = holding.depth;
    holding = (typeof(holding)){.paused = true};
    for (unsigned i = 0; i < depth; i++)
        pthread_mutex_unlock(&ws_the_driver.lock);
    return depth;
}

void ws_driver_resume(unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        pthread_mutex_lock(&ws_the_driver.lock);
    holding = (typeof(holding)){.depth = depth};
}

CUresult ws_driver_enter_context(CUcontext *context)
{
    const CUresult result = ws_driver_enter();
    if (result)
        return result;
    const CUcontext current = ws_context_current();
    if (!current)
        return CUDA_ERROR_INVALID_CONTEXT;
    *context = ws_handle_find(current, WS_HANDLE_CONTEXT);
    return *context ? (*context)->fault : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

void ws_driver_leave(const int *entered)
{
    (void)entered;
    holding.depth--;
    pthread_mutex_unlock(&ws_the_driver.lock);
}

/* ------------------------------------------------------------------------------------------------ handles */

void ws_handle_add(ws_handle *handle, uintptr_t key, ws_handle_kind kind, CUcontext owner)
{
    handle->key = key;
    handle->kind = kind;
    handle->owner = owner;
    const bool may_leak = kind == WS_HANDLE_MEMORY || kind == WS_HANDLE_STREAM || kind == WS_HANDLE_EVENT;
    if (may_leak && ws_checker_wants(ws_the_driver.checker, WS_CHECK_LEAK)) {
        ws_host_call_here(&handle->made);
        handle->serial = ++ws_the_driver.made[kind];
    }
    HASH_ADD(hh, ws_the_driver.live, key, sizeof handle->key, handle);
}

void *ws_handle_find(const void *key, ws_handle_kind kind)
{
    const uintptr_t wanted = (uintptr_t)key;
    ws_handle *found = NULL;
    HASH_FIND(hh, ws_the_driver.live, &wanted, sizeof wanted, found);
    return found && found->kind == kind ? found : NULL;
}

void ws_handle_remove(ws_handle *handle)
{
    HASH_DEL(ws_the_driver.live, handle);
}

/* ------------------------------------------------------------------------------------------------ device */

static void say_note(void *context, const char *line)
{
    (void)context;
    ws_show_message(stderr, line);
}

int ws_driver_memory(uint64_t *bytes)
{
    const char *const wanted = getenv("WARPSCAPE_DEVICE_MEMORY");
    size_t gib = 0;
    *bytes = 0;
    if (wanted && *wanted && (ws_text_to_size(wanted, WS_DEVICE_MOST_GIB, &gib) || !gib))
        return ws_fail(WS_EINPUT, "environment variable WARPSCAPE_DEVICE_MEMORY: expected 1 to %d (GiB), got '%.40s'",
                       WS_DEVICE_MOST_GIB, wanted);
    *bytes = (uint64_t)gib << 30;
    return WS_OK;
}

ws_device *ws_driver_device(CUresult *result)
{
    ws_driver *const driver = &ws_the_driver;
    *result = CUDA_SUCCESS;
    if (!driver->device) {
        uint64_t bytes;
        if (ws_driver_memory(&bytes)) {
            *result = ws_driver_report(WS_EINPUT);
            return NULL;
        }
        const ws_device_options options = {.workers = driver->workers,
                                           .memory_bytes = bytes,
                                           .heap_bytes = driver->heap_bytes,
                                           .pages = driver->pages,
                                           .stack_bytes = driver->stack_bytes,
                                           .print_bytes = driver->print_bytes};
        const int status = ws_device_create(&options, &driver->device);
        if (status) {
            *result = ws_driver_report(status);
            return NULL;
        }
        ws_device_set_answers(driver->device, &ws_driver_answers);
        ws_device_set_notes(driver->device, say_note, NULL);
        ws_device_set_checker(driver->device, driver->checker);
        ws_device_set_pending_launches(driver->device, driver->pending_launches);
        if (driver->sync_depth_set)
            ws_device_set_sync_depth(driver->device, driver->sync_depth);
        *result = ws_virtual_open();
        if (*result)
            ws_context_drop_device();
    }
    return driver->device;
}

/* ------------------------------------------------------------------------------------------------ failures */

/* A fault is told apart by how the engine's description of it begins; anything else is a failed launch. */
static const struct {
    const char *begin;
    CUresult result;
} faults[] = {
    {"misaligned ", CUDA_ERROR_MISALIGNED_ADDRESS},          {"invalid ", CUDA_ERROR_ILLEGAL_ADDRESS},
    {"call through a pointer", CUDA_ERROR_INVALID_PC},       {"call depth", CUDA_ERROR_HARDWARE_STACK_ERROR},
    {"the thread's stack", CUDA_ERROR_HARDWARE_STACK_ERROR},
};

/* "kernel K: FILE:LINE: `INSTRUCTION` by block (0,0,0) thread (0,0,0): WHAT"; WHAT of an assertion names its place. */
static CUresult fault_result(const char *message)
{
    const char *const thread = strstr(message, " thread (");
    const char *const end = thread ? strstr(thread, "): ") : NULL;
    const char *const what = end ? end + 3 : message;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (!strncmp(what, faults[i].begin, strlen(faults[i].begin)))
            return faults[i].result;
    }
    return strstr(what, ": assertion `") ? CUDA_ERROR_ASSERT : CUDA_ERROR_LAUNCH_FAILED;
}

CUresult ws_driver_result(int status, const char *message)
{
    switch (status) {
    case WS_OK:
        return CUDA_SUCCESS;
    case WS_EFAULT:
        return fault_result(message);
    case WS_EINPUT:
        return CUDA_ERROR_INVALID_VALUE;
    case WS_EMEM:
        return CUDA_ERROR_OUT_OF_MEMORY;
    case WS_EIO:
    case WS_EBUSY:
        return CUDA_ERROR_OPERATING_SYSTEM;
    case WS_EUNSUPPORTED:
        return CUDA_ERROR_NOT_SUPPORTED;
    case WS_ENOTFOUND:
        return CUDA_ERROR_NOT_FOUND;
    case WS_ELIMIT:
        return CUDA_ERROR_LAUNCH_TIMEOUT;
    case WS_EINTERRUPTED:
        return CUDA_ERROR_LAUNCH_FAILED;
    default:
        return CUDA_ERROR_UNKNOWN;
    }
}

CUresult ws_driver_report(int status)
{
    if (status == WS_OK)
        return CUDA_SUCCESS;
    const char *const message = *ws_message() ? ws_message() : ws_phrase(status);
    ws_show_line(stderr, "warpscape: %s", message);
    return ws_driver_result(status, message);
}

CUresult ws_driver_report_call(int status)
{
    char call[384], message[512];
    ws_host_call here;
    snprintf(message, sizeof message, "%s", ws_message());
    ws_host_call_here(&here);
    ws_host_call_words(&ws_the_driver.sites, &here, NULL, call, sizeof call);
    return ws_driver_report(*call ? ws_fail(status, "%s, in %s", message, call) : status);
}
