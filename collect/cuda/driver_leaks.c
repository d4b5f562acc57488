/* driver_leaks.c - what does a program leave behind that it should have freed? Memory of the device, streams and events that it made; what
 * belongs to a pool's, a graph's or the driver's own housekeeping is not its to free. */
#include "collect/cuda/stream_internal.h"

#include "collect/check/checker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* Those of the same sort from the same call are one finding. */
static void tell(ws_finding_kind kind, const ws_handle *h, const char *what, const char *verb, const char *noun)
{
    char call[384], pair[640], text[704];
    const struct {
        ws_host_call made;
        uint64_t what;
    } key = {h->made, XXH3_64bits(what, strlen(what))};
    const uint64_t hash = XXH3_64bits(&key, sizeof key);
    const ws_finding_at at = {.kind = kind, .kernel = "", .pc = (uint32_t)hash, .other = (uint32_t)(hash >> 32)};
    if (ws_checker_again(ws_the_driver.checker, &at))
        return;
    ws_host_call_words(&h->made, call, sizeof call);
    snprintf(pair, sizeof pair, *call ? "%s, %s in %s" : "%s", what, verb, call);
    snprintf(text, sizeof text, "%s, %s %" PRIu64 " of the program", pair, noun, h->serial);
    ws_checker_add(ws_the_driver.checker, &at, pair, text);
}

static void tell_memory(const ws_allocation *a)
{
    char text[128];
    if (a->host || a->registered || a->mapped || a->graph)
        return;
    snprintf(text, sizeof text, "%" PRIu64 " bytes of %s", a->bytes,
             a->managed ? "managed memory" : a->pool ? "memory of a pool (cudaMallocAsync)" : "device memory");
    tell(WS_FINDING_LEAK_MEMORY, &a->handle, text, "allocated", "allocation");
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
            tell(WS_FINDING_LEAK_STREAM, h, "made by cudaStreamCreate or cuStreamCreate", "called", "stream");
        else if (h->kind == WS_HANDLE_EVENT)
            tell(WS_FINDING_LEAK_EVENT, h, "made by cudaEventCreate or cuEventCreate", "called", "event");
    }
    ws_checker_flush(ws_the_driver.checker);
}
