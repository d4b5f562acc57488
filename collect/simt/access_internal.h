/* access_internal.h - a warp's memory access with its addresses resolved: shared by access*.c. */
#ifndef WS_ACCESS_INTERNAL_H
#define WS_ACCESS_INTERNAL_H

#include "collect/simt/simt_internal.h"

/* A warp access, resolved to one space. */
typedef struct part {
    const mem_access *a;
    const uop *u;
    ws_space space;
    ground to;               /* the memory of address[i] */
    const uint64_t *address; /* host side: with a displacement per lane where threads own memory */
    const uint64_t *shown;   /* as in events and messages */
    const ws_mask *mask;
    address_summary summary; /* of `shown`, then of `address` */
    bool store;
    bool strict;  /* always a fault where it is misaligned */
    block *owner; /* shared memory of another block of the cluster; NULL: the warp's own block */
} part;

static inline unsigned char *lane_memory(const part *p, unsigned lane)
{
    return (unsigned char *)(p->to.origin + (p->address[lane] & p->to.fence));
}

/* access.c: values for sinks: lanes' values, previous values, and changes. Returns false when the launch stops. */
bool access_part_report_shared(warp *w, const part *p, const uint64_t *before, unsigned element);
bool access_part_report_register(warp *w, const part *p, const uint64_t *before, place reg, bool wide, uint16_t number);
void access_part_read_lanes(uint64_t *out, const void *reg, bool wide);
void access_part_read_memory(uint64_t *out, const part *p, unsigned element);

/* access_atomic.c. Returns false when the launch stops. */
bool access_atomic(warp *w, const part *p);

#endif
