/* runtime_state.c - when does the runtime start, which context does a thread use, what was its last error? */
#include "collect/cudart/cudart_internal.h"
#include "collect/cudart/cudart_table.h"

#include "base/note.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* What the API itself asks for: a state of the process, and one of each thread. */
static CUcontext primary;
static _Thread_local cudaError_t last_error;

void ws_rt_lock(void)
{
    pthread_mutex_lock(&lock);
}

void ws_rt_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* ------------------------------------------------------------------------------------------------ start */

/* A thread in the middle of a call is not in the child, and cannot let go of what it holds there. */
static void in_child(void)
{
    const pthread_mutex_t fresh = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    lock = fresh;
}

static cudaError_t start(void)
{
    static bool watches;
    CUcontext context = NULL;
    CUresult result = cuInit(0); /* which takes care of forks first: who comes later locks earlier, as calls do */
    if (!result && !watches && !(watches = !pthread_atfork(ws_rt_lock, ws_rt_unlock, in_child)))
        result = CUDA_ERROR_OPERATING_SYSTEM;
    if (!result)
        result = cuDevicePrimaryCtxRetain(&context, 0);
    if (result)
        return cudaErrorInitializationError;
    primary = context;
    return cudaSuccess;
}

cudaError_t ws_rt_enter(void)
{
    cudaError_t error = cudaSuccess;
    CUcontext current = NULL;
    ws_rt_lock();
    if (!primary)
        error = start();
    if (!error && cuCtxGetCurrent(&current)) {
        (void)cuInit(0); /* a child of a process that had started: the driver says so, once */
        error = cudaErrorInitializationError;
    }
    if (!error && !current)
        error = (cudaError_t)cuCtxSetCurrent(primary);
    if (!error) {
        ws_rt_tell_targets();
        error = ws_rt_load_managed();
    }
    ws_rt_unlock();
    return error;
}

/* ------------------------------------------------------------------------------------------------ errors */

cudaError_t ws_rt_result(cudaError_t error)
{
    if (error && error != cudaErrorNotReady)
        last_error = error;
    return error;
}

cudaError_t ws_rt_sticky(void)
{
    CUdevice device;
    return (cudaError_t)cuCtxGetDevice(&device); /* asks for nothing that takes time, or that a capture forbids */
}

/* What a kernel did wrong stays until the device is reset: every thread finds it again after it asked. */
static cudaError_t sticky_error(void)
{
    CUcontext current = NULL;
    if (!primary || cuCtxGetCurrent(&current) || !current)
        return cudaSuccess;
    return ws_rt_sticky();
}

cudaError_t cudaPeekAtLastError(void)
{
    const cudaError_t sticky = sticky_error();
    return sticky ? sticky : last_error;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define RUNTIME_ERROR(name, value, text) {name, #name, text},
#include "collect/cudart/cudart_errors.def"
#undef RUNTIME_ERROR
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].error == error)
            return errors[i].name;
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].error == error)
            return errors[i].text;
    }
    return "unrecognized error code";
}

int ws_cudart_refuse(const char *name, bool *said)
{
    if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED))
        fprintf(stderr, "warpscape: %s is not supported; the program gets cudaErrorNotSupported\n", name);
    if (!strcmp(name, "cudaGetExportTable")) /* for libraries of machine code: what they do needs it */
        ws_note(getenv(WS_NOTE_VARIABLE), WS_NOTE_FAILED);
    return (int)ws_rt_result(cudaErrorNotSupported);
}
