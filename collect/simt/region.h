/* region.h - bounded address space for the accesses of kernels: reserved whole, committed up to the allocated end, with
 * guard pages behind it. Accesses are checked in advance; the region contains accesses that a defective check lets
 * through. */
#ifndef WS_REGION_H
#define WS_REGION_H

#include "collect/simt/spans.h"

#include <pthread.h>

typedef struct region {
    uint64_t base, bytes; /* range available for allocation */
    uint64_t reserved;    /* including the guard pages */
    uint64_t open;        /* pages below this are readable and writable; accesses from here on fault */
} region;

/* Returns the bytes that a limit on address space (ulimit -v) must leave beyond a device's memory. They cover the
 * smallest sandbox and the rest of the process (threads, their heaps and working memory). */
uint64_t region_room_behind_device(void);

/* Reserves `bytes`, then `guard` bytes, at exactly `at`, or anywhere (at = 0). WS_EMEM: unavailable, or a limit on
 * address space would leave less than `room`; the message names a sufficient limit. */
int region_reserve(region *r, uint64_t at, uint64_t bytes, uint64_t guard, uint64_t room);
void region_release(region *r); /* accepts an unreserved region (zeros) */
/* Makes everything below `end` usable. WS_EMEM: the system has no memory. */
int region_open(region *r, uint64_t end);
/* Zeroes the range. Large ranges return to the system until their next use. */
void region_clear(uint64_t low, uint64_t high);

/* Conversion of a checked address to a host address: origin + (address & fence). The fence keeps every address in
 * [origin, origin + fence], which is inside a region. */
typedef struct ground {
    uintptr_t origin;
    uint64_t fence;
} ground;

/* No fence: for registered host memory, which keeps its address, and for pointers that were already resolved. */
static inline ground host_ground(void)
{
    return (ground){0, UINT64_MAX};
}

/* Memory of blocks and threads: shared, local, parameters. Thread-safe. */
typedef struct sandbox {
    region region;
    spans taken;
    pthread_mutex_t lock;
} sandbox;

/* Largest offset that lanes of a warp reach from the start of their memory. */
#define SANDBOX_FENCE ((UINT64_C(1) << 26) - 1)

int region_sandbox_create(sandbox *s);
void region_sandbox_destroy(sandbox *s);
/* Returns zeroed memory at a multiple of 256 bytes, or NULL if the sandbox is full. */
unsigned char *region_sandbox_alloc(sandbox *s, uint64_t bytes);
void region_sandbox_free(sandbox *s, void *pointer); /* accepts NULL */

static inline ground sandbox_ground(const void *start)
{
    return (ground){(uintptr_t)start, SANDBOX_FENCE};
}

#endif
