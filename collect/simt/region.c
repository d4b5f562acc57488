/* region.c - reserved address space, and the memory of blocks and threads that lies in it. */
#include "collect/simt/region.h"

#include "base/status.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum {
    PAGE_BYTES = 4096,
    OPEN_BYTES = 2 << 20,     /* so much at a time: few calls, and what huge pages need */
    RETURN_BYTES = 128 << 10, /* below this zeros are cheaper than pages that fault again */
    SANDBOX_ALIGN_BYTES = 256,
    SANDBOX_TAIL_BYTES = 64 << 10 /* a vector, or a warp's consecutive words, may begin at the fence */
};
#define SANDBOX_BYTES       (UINT64_C(16) << 30)
#define LEAST_SANDBOX_BYTES (UINT64_C(64) << 20)

int region_reserve(region *r, uint64_t at, uint64_t bytes, uint64_t guard)
{
    const uint64_t reserved = spans_round_up(bytes + guard, PAGE_BYTES);
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0);
    void *const place = mmap((void *)(uintptr_t)at, reserved, PROT_NONE, how, -1, 0);
    if (place == MAP_FAILED || (at && (uint64_t)(uintptr_t)place != at)) {
        const char *const why = place == MAP_FAILED ? strerror(errno) : "taken";
        if (place != MAP_FAILED)
            munmap(place, reserved);
        return ws_fail(WS_EMEM, "cannot reserve %llu MiB of address space: %s", (unsigned long long)(reserved >> 20),
                       why);
    }
    *r = (region){
        .base = (uint64_t)(uintptr_t)place, .bytes = bytes, .reserved = reserved, .open = (uint64_t)(uintptr_t)place};
    return WS_OK;
}

void region_release(region *r)
{
    if (r->reserved)
        munmap((void *)(uintptr_t)r->base, r->reserved);
    *r = (region){.base = 0};
}

int region_open(region *r, uint64_t end)
{
    if (end <= r->open)
        return WS_OK;
    const uint64_t last = spans_round_up(r->base + r->bytes, PAGE_BYTES);
    uint64_t to = spans_round_up(end - r->base, OPEN_BYTES) + r->base;
    to = to < last ? to : last;
    if (mprotect((void *)(uintptr_t)r->open, to - r->open, PROT_READ | PROT_WRITE))
        return ws_fail(WS_EMEM, "the system has no memory for %llu bytes: %s", (unsigned long long)(to - r->open),
                       strerror(errno));
    r->open = to;
    return WS_OK;
}

void region_clear(uint64_t low, uint64_t high)
{
    const uint64_t first = spans_round_up(low, PAGE_BYTES), last = high / PAGE_BYTES * PAGE_BYTES;
    if (first < last && last - first >= RETURN_BYTES) {
        madvise((void *)(uintptr_t)first, last - first, MADV_DONTNEED);
        memset((void *)(uintptr_t)low, 0, first - low);
        memset((void *)(uintptr_t)last, 0, high - last);
    } else {
        memset((void *)(uintptr_t)low, 0, high - low);
    }
}

int region_sandbox_create(sandbox *s)
{
    int status = WS_EMEM;
    memset(s, 0, sizeof *s);
    for (uint64_t bytes = SANDBOX_BYTES; status && bytes >= LEAST_SANDBOX_BYTES; bytes /= 2)
        status = region_reserve(&s->region, 0, bytes, SANDBOX_FENCE + 1 + SANDBOX_TAIL_BYTES);
    if (status)
        return ws_fail_context(status, "memory of blocks and threads");
    spans_init(&s->taken, s->region.base, s->region.base + s->region.bytes, SANDBOX_ALIGN_BYTES, 0);
    pthread_mutex_init(&s->lock, NULL);
    return WS_OK;
}

void region_sandbox_destroy(sandbox *s)
{
    if (!s->region.reserved)
        return;
    spans_fini(&s->taken);
    region_release(&s->region);
    pthread_mutex_destroy(&s->lock);
}

unsigned char *region_sandbox_alloc(sandbox *s, uint64_t bytes)
{
    uint64_t at = 0;
    bool full;
    pthread_mutex_lock(&s->lock);
    span none;
    const bool taken = spans_take(&s->taken, bytes ? bytes : 1, &at, &full);
    const bool good = taken && region_open(&s->region, at + bytes) == WS_OK;
    if (taken && !good)
        spans_remove(&s->taken, at, &none);
    pthread_mutex_unlock(&s->lock);
    return good ? (unsigned char *)(uintptr_t)at : NULL;
}

void region_sandbox_free(sandbox *s, void *pointer)
{
    span was;
    if (!pointer)
        return;
    pthread_mutex_lock(&s->lock);
    if (spans_remove(&s->taken, (uint64_t)(uintptr_t)pointer, &was))
        region_clear(was.low, was.high);
    pthread_mutex_unlock(&s->lock);
}
