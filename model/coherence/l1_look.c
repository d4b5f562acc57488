/* l1_look.c - what a checker, a statistic or a picture sees of an L1. */
#include "model/coherence/directory_internal.h"
#include "model/coherence/l1_memory_internal.h"

ws_line_view ws_l1_look(const ws_coherence *c, const void *l1, uint64_t block)
{
    if (c->protocol->directory)
        return ws_directory_l1_look(c, l1, block);
    const ws_l1_line *const line = find_line(c, l1, block);
    if (!line)
        return (ws_line_view){.state = L1_I};
    return (ws_line_view){.state = line->state,
                          .wts = line->wts,
                          .rts = line->rts,
                          .expiry = line->expiry,
                          .stores = line->stores,
                          .reads = line->reads,
                          .data = data_of(c, l1, line)};
}

uint32_t ws_l1_warp_ts(const ws_coherence *c, const void *l1, uint32_t warp)
{
    return warps_of(c, l1)[warp].ts;
}

uint64_t ws_l1_gwct(const ws_coherence *c, const void *l1, uint32_t warp)
{
    return warps_of(c, l1)[warp].gwct;
}

const ws_coherence_counts *ws_l1_counts(const ws_coherence *c, const void *l1)
{
    return counts_at(c, l1, c->l1_counts);
}

uint16_t ws_l1_epoch(const void *l1)
{
    return ((const ws_l1 *)l1)->epoch;
}

uint32_t ws_l1_waiting(const void *l1)
{
    return ((const ws_l1 *)l1)->pending_count;
}

uint32_t ws_l1_reads(const void *l1)
{
    return ((const ws_l1 *)l1)->reading;
}

void ws_l1_set_warp_ts(const ws_coherence *c, void *l1, uint32_t warp, uint32_t warp_ts_now)
{
    warps_of(c, l1)[warp].ts = warp_ts_now;
}
