/* region.h - address space that kernels' accesses cannot leave: reserved whole, usable as far as it has been given out,
 * guard pages behind. Accesses are checked before; this is the wall that stands where a check has a hole. */
#ifndef WS_REGION_H
#define WS_REGION_H

#include "collect/simt/spans.h"

#include <pthread.h>

typedef struct region {
    uint64_t base, bytes; /* what may be given out */
    uint64_t reserved;    /* with the guard pages */
    uint64_t open;        /* up to here pages can be read and written; from here on an access faults */
} region;

/* What a limit on address space (ulimit -v) has to leave behind a device's memory: the smallest sandbox, and the rest
 * of the process, which are threads, their heaps and what they work on. */
uint64_t region_room_behind_device(void);

/* Reserves `bytes` and `guard` bytes behind them, at this very address, or anywhere (at = 0). WS_EMEM: not to be had,
 * or a limit on address space would leave less than `room` behind it; the message says which limit is enough. */
int region_reserve(region *r, uint64_t at, uint64_t bytes, uint64_t guard, uint64_t room);
void region_release(region *r); /* accepts one that was not reserved (zeros) */
/* Everything below `end` can be used from now on. WS_EMEM: the system has no memory. */
int region_open(region *r, uint64_t end);
/* Zeros, whatever was there. Large stretches go back to the system until they are touched again. */
void region_clear(uint64_t low, uint64_t high);

/* How a checked address becomes one of the host: origin + (address & fence). With the fence no address leads out of
 * [origin, origin + fence], all of which lies in a region. */
typedef struct ground {
    uintptr_t origin;
    uint64_t fence;
} ground;

/* Registered memory of the host lies where it lies, and pointers that were found already lead where they lead: no
 * fence. */
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

/* Lanes of a warp reach this far behind the start of their memory. */
#define SANDBOX_FENCE ((UINT64_C(1) << 26) - 1)

int region_sandbox_create(sandbox *s);
void region_sandbox_destroy(sandbox *s);
/* Zeros, at a multiple of 256 bytes; NULL when it is full. */
unsigned char *region_sandbox_alloc(sandbox *s, uint64_t bytes);
void region_sandbox_free(sandbox *s, void *pointer); /* accepts NULL */

static inline ground sandbox_ground(const void *start)
{
    return (ground){(uintptr_t)start, SANDBOX_FENCE};
}

#endif
