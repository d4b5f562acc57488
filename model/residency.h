/* residency.h - CTAs that an SM holds at once, and the resource that limits them.
 *
 * Registers and shared memory are allocated in units (NVIDIA, cuda_occupancy.h of the CUDA toolkit, which calculates
 * the same). */
#ifndef WS_RESIDENCY_H
#define WS_RESIDENCY_H

#include <stdint.h>

typedef enum ws_resident_limit {
#define RESIDENT_LIMIT(name, resource) WS_RESIDENT_##name,
#include "model/resident_limits.def"
#undef RESIDENT_LIMIT
    WS_RESIDENT_LIMITS
} ws_resident_limit;

typedef struct ws_resident_limit_row {
    const char *name, *resource; /* option of [sm]; in words */
} ws_resident_limit_row;
extern const ws_resident_limit_row ws_resident_limit_table[WS_RESIDENT_LIMITS];

/* What an SM offers. A unit of 0 counts as 1. */
typedef struct ws_sm_capacity {
    uint32_t blocks, threads;
    uint32_t registers;       /* of 32 bits */
    uint32_t register_unit;   /* registers of a warp are allocated in multiples of this, */
    uint32_t register_parts;  /* each warp in one of these equal parts of the register file */
    uint32_t shared;          /* bytes */
    uint32_t shared_unit;     /* shared memory of a CTA is allocated in multiples of these bytes, */
    uint32_t shared_reserved; /* plus these bytes that the system takes for each CTA */
} ws_sm_capacity;

/* What a CTA takes. */
typedef struct ws_cta_need {
    uint64_t warps;
    uint64_t registers; /* of a thread */
    uint64_t shared;    /* bytes */
} ws_cta_need;

/* Return the registers, and the bytes of shared memory, that an SM allocates to a CTA. */
uint64_t ws_residency_registers(const ws_sm_capacity *room, const ws_cta_need *need);
uint64_t ws_residency_shared(const ws_sm_capacity *room, const ws_cta_need *need);

/* Sets ctas[limit] to the CTAs that an empty SM holds if only that resource is scarce, UINT64_MAX if a CTA takes none
 * of it. Returns the scarcest. */
ws_resident_limit ws_residency_limits(const ws_sm_capacity *room, const ws_cta_need *need,
                                      uint64_t ctas[WS_RESIDENT_LIMITS]);

/* Returns the CTAs that an empty SM holds. */
uint64_t ws_residency_of(const ws_sm_capacity *room, const ws_cta_need *need);

#endif
