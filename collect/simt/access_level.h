/* access_level.h - vector code of memory accesses, compiled once per instruction-set level. */
#ifndef WS_ACCESS_LEVEL_H
#define WS_ACCESS_LEVEL_H

#include "collect/simt/lanes.h"
#include "collect/simt/region.h"

/* Summary of the addresses of a warp access, for its checks. */
typedef struct address_summary {
    uint64_t low, high; /* smallest and largest address of the active lanes */
    uint64_t bits;      /* the low bits that are 0 here are 0 in all addresses; for alignment */
    bool consecutive;   /* all 32 lanes are active and lane i is at low + i * bytes */
    bool same;          /* all 32 lanes are active at one address */
    uint64_t step;      /* all 32 lanes are active and lane i is at low + i * step; 0: unknown */
} address_summary;

typedef struct access_level {
    /* Computes out[i] = base[i] + offset for the lanes in m, 0 for the others. base holds 64-bit words when wide. */
    void (*addresses)(uint64_t *out, const void *base, bool wide, int64_t offset, uint64_t bytes, const ws_mask *m,
                      address_summary *summary);
    /* Loads elements into the dst lanes (64-bit when wide) through `to`; sign-extends when sign. */
    void (*load)(void *dst, bool wide, ground to, const uint64_t *address, unsigned bytes, bool sign, const ws_mask *m,
                 const address_summary *s);
    void (*store)(const void *src, bool wide, ground to, const uint64_t *address, unsigned bytes, const ws_mask *m,
                  const address_summary *s);
} access_level;

/* Returns the best level of this processor, the same as ws_lanes_level() unless that was set explicitly. */
const access_level *access_level_get(void);

extern const access_level ws_access_level_plain, ws_access_level_avx2, ws_access_level_avx512;

#endif
