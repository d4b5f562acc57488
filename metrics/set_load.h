/* set_load.h - distribution of 128-byte lines over the sets of a small cache, for several set indices.
 *
 * The cache is that of B. Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", dissertation,
 * Auburn University, 2015, table 3.1: 32 KB in 32 sets of 8 lines. */
#ifndef WS_SET_LOAD_H
#define WS_SET_LOAD_H

#include "base/set_index.h"

#include <stdint.h>

enum {
    WS_SET_BITS = 5,
    WS_SETS = 1 << WS_SET_BITS,
    WS_SET_WAYS = 8,
    WS_SET_PRIME = 31 /* the largest prime below WS_SETS */
};

/* Set indices, in the order of the counters and columns. */
typedef enum ws_set_by { WS_SET_BY_LINEAR, WS_SET_BY_XOR, WS_SET_BY_FERMI, WS_SET_BY_FUP, WS_SET_BYS } ws_set_by;

static inline unsigned ws_set_by_index(ws_set_by by, uint64_t line)
{
    switch (by) {
    case WS_SET_BY_LINEAR:
        return ws_set_linear(line, WS_SET_BITS);
    case WS_SET_BY_XOR:
        return ws_set_xor(line, WS_SET_BITS);
    case WS_SET_BY_FERMI:
        return ws_set_fermi(line, WS_SET_BITS);
    default:
        return ws_set_fup(line, WS_SET_BITS, WS_SET_FEATURE_BITS, WS_SET_PRIME);
    }
}

#endif
