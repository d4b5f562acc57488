/* fcw.h - number of warps whose lines a cache can keep whole, learned by a saturating counter from completed loads.
 *
 * Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015, section 4.3.4: each divergent
 * load served entirely by the cache raises the counter. Each other divergent load lowers it, by more the older its warp
 * is among the protected ones. At its upper end the number of protected warps grows by one, at its lower end it falls
 * by one, and the counter restarts from the middle (the document says so only of the upper end). The replacement or
 * warp scheduler that protects warps reads the number. */
#ifndef WS_FCW_H
#define WS_FCW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_fcw_rule {
    uint32_t most_count; /* C_max: upper end of the counter, at least 2; 256 for DaCache, 128 for OAWS */
    uint32_t first;      /* initially protected warps of an SM, between `least` and `most` */
    uint32_t least, most;
} ws_fcw_rule;

/* Plain memory, initially zero, which checkpoints copy. */
typedef struct ws_fcw {
    int32_t above;  /* protected warps beyond the initial number */
    int32_t middle; /* counter, relative to the middle */
} ws_fcw;

/* Returns the number of protected warps of an SM: those with an age rank below it; rank 0 is the oldest. */
static inline uint32_t ws_fcw_warps(const ws_fcw *fcw, const ws_fcw_rule *rule)
{
    return (uint32_t)((int64_t)rule->first + fcw->above);
}

static inline uint32_t ws_fcw_count(const ws_fcw *fcw, const ws_fcw_rule *rule)
{
    return (uint32_t)((int64_t)(rule->most_count / 2) + fcw->middle);
}

/* Learns from a completed divergent load of the warp with that rank; `whole`: none of its accesses missed. */
void ws_fcw_learn(ws_fcw *fcw, const ws_fcw_rule *rule, uint32_t rank, bool whole);

/* Returns the ways of each set, at most `ways`, that `warps` warps fill with `lines` lines of a load each, spread over
 * all sets. */
uint32_t ws_fcw_ways(uint32_t warps, uint32_t lines, uint32_t sets, uint32_t ways);

#endif
