/* driver_leaks.c - what does a program leave behind that it should have freed? Memory of the device, streams and events
 * that it made; what belongs to a pool's, a graph's or the driver's own housekeeping is not its to free. */
#include "collect/cuda/stream_internal.h"

#include "base/grow.h"
#include "base/table.h"
#include "collect/check/checker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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
    ws_host_call_words(&ws_the_driver.sites, &h->made, NULL, call, sizeof call);
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
             a->managed ? "managed memory"
             : a->pool  ? "memory of a pool (cudaMallocAsync)"
                        : "device memory");
    tell(WS_FINDING_LEAK_MEMORY, &a->handle, text, "allocated", "allocation");
}

static bool is_own(const struct CUstream_st *s)
{
    return s->handle.key == (uintptr_t)s && !s->legacy; /* one that a thread has by itself has another key */
}

void ws_lines_tell(void)
{
    ws_host_sites *const s = &ws_the_driver.sites;
    char line[256];
    if (!*s->lineless || s->said)
        return;
    s->said = true;
    snprintf(line, sizeof line, "check: %s: %s", s->lineless,
             s->no_helper ? "lines of calls are read by addr2line (binutils), which is not on PATH or failed"
                          : "calls are told without their lines; compile with -g for them");
    ws_checker_say(ws_the_driver.checker, line);
}

static bool may_leak(const ws_handle *h, CUcontext context)
{
    if (context && h->owner != context)
        return false;
    return h->kind == WS_HANDLE_MEMORY || h->kind == WS_HANDLE_EVENT ||
           (h->kind == WS_HANDLE_STREAM && is_own((const struct CUstream_st *)h));
}

/* All calls at once: a program leaves thousands behind, mostly by the same few. */
static void look_up_calls(CUcontext context)
{
    ws_host_call *call = NULL;
    size_t calls = 0, room = 0, slot;
    ws_table listed = {0};
    for (const ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        const uint64_t key = may_leak(h, context) ? XXH3_64bits(&h->made, sizeof h->made) >> 1 : 0;
        if (!key || ws_table_has(&listed, key) || ws_table_add(&listed, key, &slot) || WS_GROW(call, room, calls, 1))
            continue;
        call[calls++] = h->made;
    }
    ws_host_sites_find(&ws_the_driver.sites, call, calls);
    ws_table_fini(&listed);
    free(call);
}

void ws_leaks_tell(CUcontext context)
{
    if (!ws_checker_wants(ws_the_driver.checker, WS_CHECK_LEAK))
        return;
    look_up_calls(context);
    for (const ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        if (!may_leak(h, context))
            continue;
        if (h->kind == WS_HANDLE_MEMORY)
            tell_memory((const ws_allocation *)h);
        else if (h->kind == WS_HANDLE_STREAM)
            tell(WS_FINDING_LEAK_STREAM, h, "made by cudaStreamCreate or cuStreamCreate", "called", "stream");
        else
            tell(WS_FINDING_LEAK_EVENT, h, "made by cudaEventCreate or cuEventCreate", "called", "event");
    }
    ws_checker_flush(ws_the_driver.checker);
    ws_lines_tell();
}
