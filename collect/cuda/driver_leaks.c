/* driver_leaks.c - what does a program leave behind that it should have freed? Memory of the device, streams and events that it made; what
 * belongs to a pool's, a graph's or the driver's own housekeeping is not its to free. */
#include "collect/cuda/stream_internal.h"

#include "collect/check/checker.h"

#include <inttypes.h>
#include <stdio.h>

static void tell(ws_finding_kind kind, uint64_t what, const char *text)
{
    const ws_finding_at at = {.kind = kind, .kernel = "", .pc = (uint32_t)what, .other = (uint32_t)(what >> 32)};
    if (!ws_checker_again(ws_the_driver.checker, &at))
        ws_checker_add(ws_the_driver.checker, &at, text, text);
}

static void tell_memory(const ws_allocation *a)
{
    char text[128];
    if (a->host || a->registered || a->mapped || a->graph)
        return;
    snprintf(text, sizeof text, "%" PRIu64 " bytes of %s", a->bytes,
             a->managed ? "managed memory" : a->pool ? "memory of a pool (cudaMallocAsync)" : "device memory");
    tell(WS_FINDING_LEAK_MEMORY, a->bytes << 2 | (unsigned)a->managed << 1 | (a->pool != NULL), text);
}

static bool is_own(const struct CUstream_st *s)
{
    return s->handle.key == (uintptr_t)s && !s->legacy; /* one that a thread has by itself has another key */
}

void ws_leaks_tell(CUcontext context)
{
    if (!ws_checker_wants(ws_the_driver.checker, WS_CHECK_LEAK))
        return;
    for (const ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        if (context && h->owner != context)
            continue;
        if (h->kind == WS_HANDLE_MEMORY)
            tell_memory((const ws_allocation *)h);
        else if (h->kind == WS_HANDLE_STREAM && is_own((const struct CUstream_st *)h))
            tell(WS_FINDING_LEAK_STREAM, 0, "made by cudaStreamCreate or cuStreamCreate");
        else if (h->kind == WS_HANDLE_EVENT)
            tell(WS_FINDING_LEAK_EVENT, 0, "made by cudaEventCreate or cuEventCreate");
    }
    ws_checker_flush(ws_the_driver.checker);
}
