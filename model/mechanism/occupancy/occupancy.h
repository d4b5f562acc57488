/* occupancy.h - warps of a launch resident in an SM of a machine, their limit, and the changes that would admit
 * more.
 *
 * Occupancy is resident warps over the warps that fit (NVIDIA, "CUDA C++ Best Practices Guide", Occupancy). The rule of
 * residency is model/residency.h, which the simulator also follows. */
#ifndef WS_OCCUPANCY_H
#define WS_OCCUPANCY_H

#include "model/machine/machine_declared.h"
#include "model/residency.h"

#include <stdint.h>

/* A launch, as far as occupancy depends on it. */
typedef struct ws_occupancy_shape {
    uint32_t threads;   /* of a CTA */
    uint32_t registers; /* of a thread */
    uint64_t shared;    /* bytes of a CTA */
} ws_occupancy_shape;

typedef struct ws_occupancy {
    uint64_t ctas[WS_RESIDENT_LIMITS]; /* of an SM, by each limit alone; UINT64_MAX: a CTA takes none of it */
    ws_resident_limit limit;
    uint64_t resident; /* CTAs of an SM */
    uint64_t warps;    /* of these CTAs */
    double ratio;      /* of the warps that fit an SM */
    /* The largest values at which an SM holds one more CTA, the rest being equal; 0: another resource does not allow
     * it, or no value does. */
    uint32_t next_registers;
    uint64_t next_shared;
    /* The threads of a CTA, a multiple of a warp, with which an SM holds the most warps; of equals the nearest to the
     * launch's. The registers of a thread and the shared memory of a CTA stay. */
    uint32_t best_threads;
    double best_ratio;
} ws_occupancy;

/* resident is 0 for a CTA that no SM has room for. */
void ws_occupancy_of(const ws_machine *machine, const ws_occupancy_shape *shape, ws_occupancy *out);

#endif
