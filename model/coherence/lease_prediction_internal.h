/* lease_prediction_internal.h - prediction of the length of physical leases by a slice (temporal coherence).
 *
 * I. Singh, A. Shriraman, W. Fung, M. O'Connor, T. Aamodt, "Cache Coherence for GPU Architectures", HPCA 2013: each L2
 * slice predicts one length, which every load gets. The rules are those of the public simulator with this protocol,
 * compstruct/Relativistic-Cache-Coherence (GPGPU-Sim 3 with GEMS 2.1.1): TCpredictor.C, class TCpredictorPerL2, and
 * protocols/cachelease3-L2cache.sm. docs/coherence.md lists the differences. */
#ifndef WS_LEASE_PREDICTION_INTERNAL_H
#define WS_LEASE_PREDICTION_INTERNAL_H

#include "model/coherence/coherence_internal.h"

static inline bool ws_lease_predicted(const ws_coherence *c)
{
    return c->config.prediction.on;
}

/* Lengthens the lease after a load that came too late for it. */
static inline void ws_lease_lengthen(const ws_coherence *c, ws_l2 *l2)
{
    const ws_lease_prediction *const p = &c->config.prediction;
    l2->lease = p->most - l2->lease > p->expired ? l2->lease + p->expired : p->most;
}

static inline void ws_lease_shorten(ws_l2 *l2, uint32_t by)
{
    l2->lease = l2->lease > by ? l2->lease - by : 0;
}

/* Processes a load; `copy_ended`: the copy of its L1 has ended; `line`: of the block, or NULL. */
static inline void ws_lease_see_load(const ws_coherence *c, ws_l2 *l2, const ws_l2_line *line, bool copy_ended,
                                     uint64_t now, ws_coherence_counts *counts)
{
    const bool ended = line && line->state == L2_V && now > line->expiry;
    if (c->config.prediction.either ? !ended && !copy_ended : !ended || !copy_ended)
        return;
    ws_lease_lengthen(c, l2);
    if (counts)
        counts->lease_loads++;
}

/* Processes a store to the line. It counts if a warp waits for the end of the lease: at the store, or at a fence. */
static inline void ws_lease_see_store(const ws_coherence *c, ws_l2 *l2, const ws_l2_line *line, bool fenced,
                                      uint64_t now, ws_coherence_counts *counts)
{
    const ws_lease_prediction *const p = &c->config.prediction;
    if (!line || line->state != L2_V || now > line->expiry || !(c->protocol->strong_writes || fenced))
        return;
    if (l2->lease > p->floor)
        ws_lease_shorten(l2, p->store);
    if (counts)
        counts->lease_stores++;
}

/* Processes an eviction candidate that its lease keeps. */
static inline void ws_lease_see_eviction(const ws_coherence *c, ws_l2 *l2, ws_coherence_counts *counts)
{
    ws_lease_shorten(l2, c->config.prediction.evict);
    if (counts)
        counts->lease_evictions++;
}

/* Starts the lease of a served load. */
static inline void ws_lease_give(ws_l2 *l2, ws_l2_line *line, uint64_t now, ws_coherence_counts *counts)
{
    if (now + l2->lease > line->expiry)
        line->expiry = now + l2->lease;
    if (!counts)
        return;
    counts->leases++;
    counts->lease_cycles += l2->lease;
}

#endif
