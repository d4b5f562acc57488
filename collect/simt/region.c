/* region.c - reserved address space, and the memory of blocks and threads that lies in it. */
#include "collect/simt/region.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/thread.h"

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
#define SANDBOX_GUARD_BYTES (SANDBOX_FENCE + 1 + SANDBOX_TAIL_BYTES)

enum {
    PROCESS_ROOM_BYTES = 64 << 20,
    WORKER_ROOM_BYTES = 12 << 20, /* its stack, and what it works on */
    MOST_WORKERS = 64,
    GROWTH_BYTES = 16 << 20 /* between a device's memory and its sandbox */
};

static uint64_t process_room(void)
{
    const uint64_t workers = ws_processors();
    return PROCESS_ROOM_BYTES + (workers < MOST_WORKERS ? workers : MOST_WORKERS) * WORKER_ROOM_BYTES;
}

uint64_t region_room_behind_device(void)
{
    return LEAST_SANDBOX_BYTES + SANDBOX_GUARD_BYTES + process_room() + GROWTH_BYTES;
}

static int check_limit(uint64_t reserved, uint64_t room)
{
    double taken;
    const double left = ws_memory_address_space_left(&taken);
    if ((double)reserved + (double)room <= left)
        return WS_OK;
    return ws_fail(WS_EMEM,
                   "%llu MiB of address space are needed and %llu MiB for the rest of the process, and %llu MiB are "
                   "left: ulimit -v %llu is enough",
                   (unsigned long long)(reserved >> 20), (unsigned long long)(room >> 20),
                   left > 0 ? (unsigned long long)left >> 20 : 0,
                   (((unsigned long long)taken + reserved + room) >> 10) + 1);
}

int region_reserve(region *r, uint64_t at, uint64_t bytes, uint64_t guard, uint64_t room)
{
    const uint64_t reserved = spans_round_up(bytes + guard, PAGE_BYTES);
    const int limited = check_limit(reserved, room);
    if (limited)
        return limited;
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

/* As many of the bytes as a limit leaves room for, and no fewer than the least. */
static uint64_t within_limit(uint64_t bytes)
{
    double taken;
    const double most = ws_memory_address_space_left(&taken) - (double)(SANDBOX_GUARD_BYTES + process_room());
    if (most >= (double)bytes)
        return bytes;
    return most <= (double)LEAST_SANDBOX_BYTES ? LEAST_SANDBOX_BYTES : (uint64_t)most / PAGE_BYTES * PAGE_BYTES;
}

/* Halves, down to the least itself; 0 behind it. A system that does not overcommit has less, whatever the limit. */
static uint64_t next_smaller(uint64_t bytes)
{
    const uint64_t half = bytes / 2 / PAGE_BYTES * PAGE_BYTES;
    return bytes <= LEAST_SANDBOX_BYTES ? 0 : half < LEAST_SANDBOX_BYTES ? LEAST_SANDBOX_BYTES : half;
}

int region_sandbox_create(sandbox *s)
{
    int status = WS_EMEM;
    memset(s, 0, sizeof *s);
    for (uint64_t bytes = within_limit(SANDBOX_BYTES); status && bytes >= LEAST_SANDBOX_BYTES;
         bytes = next_smaller(bytes))
        status = region_reserve(&s->region, 0, bytes, SANDBOX_GUARD_BYTES, process_room());
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
