/* load_class.h - classes of loads by divergence and cache misses.
 *
 * Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015, chapters 1 and 2: a load with
 * one or two accesses after coalescing is coherent; a load with more is divergent. Its misses are counted when its last
 * access is served (misses per load instruction, MPLI), in five classes. */
#ifndef WS_LOAD_CLASS_H
#define WS_LOAD_CLASS_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_COHERENT_MOST = 2, WS_MPLI_ALL = 32 }; /* accesses */

typedef enum ws_load_class { WS_LOAD_COHERENT, WS_LOAD_DIVERGENT, WS_LOAD_CLASSES } ws_load_class;

/* Misses of a load: 0, 1, 2, 3 to 31, 32 and more. */
typedef enum ws_mpli_class {
    WS_MPLI_0,
    WS_MPLI_1,
    WS_MPLI_2,
    WS_MPLI_SOME,
    WS_MPLI_FULL,
    WS_MPLI_CLASSES
} ws_mpli_class;

static inline ws_load_class ws_load_class_of(uint32_t accesses)
{
    return accesses > WS_COHERENT_MOST ? WS_LOAD_DIVERGENT : WS_LOAD_COHERENT;
}

static inline ws_mpli_class ws_mpli_class_of(uint32_t misses)
{
    return misses <= WS_MPLI_2 ? (ws_mpli_class)misses : misses < WS_MPLI_ALL ? WS_MPLI_SOME : WS_MPLI_FULL;
}

/* Cause of a miss: a first access to the block, or an eviction by the same warp or by another. */
typedef enum ws_miss_class { WS_MISS_COLD, WS_MISS_INTRA, WS_MISS_INTER, WS_MISS_CLASSES } ws_miss_class;

#endif
