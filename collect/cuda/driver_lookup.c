/* driver_lookup.c - functions by name, for programs that bind the driver at run time. */
#include "collect/cuda/driver_internal.h"

#include "base/note.h"
#include "base/status.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_VERSION = 3020, PER_THREAD = 2 };

/* A row's name is the plain one; cuda.h turns the other use of it into the symbol of the ABI, such as cuMemAlloc_v2. */
static const struct {
    const char *name;
    void *function;
    int since;
} entries[] = {
#define API(name, params)                        {#name, (void *)name, 0},
#define API_SINCE(name, version, symbol, params) {#name, (void *)symbol, version},
#include "collect/cuda/cuda_api.def"
#undef API
#undef API_SINCE
};

static void *lookup(const char *symbol, int version, cuuint64_t flags)
{
    void *own = flags & PER_THREAD ? ws_former_function(symbol, version, true) : NULL;
    void *found = NULL;
    if (!own && flags & PER_THREAD)
        own = ws_per_thread_function(symbol, version);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (version >= entries[i].since && !strcmp(entries[i].name, symbol))
            found = entries[i].function;
    }
    void *const former = found ? ws_former_function(symbol, version, false) : NULL;
    return own ? own : former ? former : found;
}

/* Said once: a program that asks so for one function does for all. */
static void say_too_new(const char *symbol, int version, int newest)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&said))
        return;
    ws_driver_report(ws_fail(
        WS_EUNSUPPORTED,
        "cuGetProcAddress: %.64s of CUDA %d.%d (%d) is asked for; the driver library is that of CUDA %d.%d: ask "
        "for %d or less",
        symbol, version / 1000, version % 1000 / 10, version, newest / 1000, newest % 1000 / 10, newest));
}

CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status)
{
    int newest;
    cuDriverGetVersion(&newest);
    if (symbol && function && version > newest)
        say_too_new(symbol, version, newest);
    if (!symbol || !function || version > newest || flags > PER_THREAD)
        return CUDA_ERROR_INVALID_VALUE;
    void *const found = lookup(symbol, version, flags);
    if (!found && !strcmp(symbol, "cuGetExportTable")) /* a runtime of NVIDIA's in a library of machine code */
        ws_note(getenv(WS_NOTE_VARIABLE), WS_NOTE_FAILED);
    const bool old = found && version < FIRST_VERSION;
    *function = old ? NULL : found;
    if (status)
        *status = old     ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                  : found ? CU_GET_PROC_ADDRESS_SUCCESS
                          : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return CUDA_SUCCESS;
}
