/* fcw.h - how many warps can a cache keep whole? A counter that learns it from loads as they end.
 *
 * Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015, section 4.3.4: every divergent
 * load that was served by the cache alone raises a counter, every other lowers it, the more the older its warp is among
 * those that ought to be kept. At its upper end one more warp is protected, at its lower end one less, and it starts
 * from the middle again (the document says so of the upper end alone). Who protects warps by it, a replacement or a
 * warp scheduler, is told the number. */
#ifndef WS_FCW_H
#define WS_FCW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_fcw_rule {
    uint32_t most_count; /* C_max: the counter's upper end, at least 2; 256 for DaCache, 128 for OAWS */
    uint32_t first;      /* warps of an SM that are protected at first, between `least` and `most` */
    uint32_t least, most;
} ws_fcw_rule;

/* Plain memory, zero at first: what checkpoints copy. */
typedef struct ws_fcw {
    int32_t above;  /* warps protected beyond those at first */
    int32_t middle; /* the counter, from the middle */
} ws_fcw;

/* Warps of an SM that are protected now: those whose rank by age, 0 the oldest, is less. */
static inline uint32_t ws_fcw_warps(const ws_fcw *fcw, const ws_fcw_rule *rule)
{
    return (uint32_t)((int64_t)rule->first + fcw->above);
}

static inline uint32_t ws_fcw_count(const ws_fcw *fcw, const ws_fcw_rule *rule)
{
    return (uint32_t)((int64_t)(rule->most_count / 2) + fcw->middle);
}

/* A divergent load of the warp of that rank ended; `whole`: no access of it missed. */
void ws_fcw_learn(ws_fcw *fcw, const ws_fcw_rule *rule, uint32_t rank, bool whole);

/* The ways of each set that so many warps fill, each with `lines` lines of a load, spread over all sets: at most
 * `ways`. */
uint32_t ws_fcw_ways(uint32_t warps, uint32_t lines, uint32_t sets, uint32_t ways);

#endif
