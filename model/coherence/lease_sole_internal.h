/* lease_sole_internal.h - private stores under temporal coherence (tc-weak): stores by the only SM with a copy.
 *
 * No other SM can read an old copy, so fences need not wait for the lease. A line records whether several loads have
 * had the lease since the last one ended. Each store extends the lease by one cycle, so an SM whose copy ends together
 * with the line has the newest copy, with all stores. The rule follows the public simulator with this protocol,
 * compstruct/Relativistic-Cache-Coherence: states S and SS and events L1_Upgrade_T and L1_Upgrade_NT in
 * protocols/cachelease3-L1cache.sm and cachelease3-L2cache.sm. docs/coherence.md lists the differences. */
#ifndef WS_LEASE_SOLE_INTERNAL_H
#define WS_LEASE_SOLE_INTERNAL_H

#include "model/coherence/coherence_internal.h"

/* Records a load that is about to get the lease. */
static inline void ws_lease_note_reader(const ws_coherence *c, ws_l2_line *line, uint64_t now)
{
    if (!c->config.private_stores)
        return;
    line->shared = now <= line->expiry;
    if (!line->shared)
        line->others = 0;
}

/* Returns whether the writer's copy has all data of the line. `claimed`: end of its lease, 0 without a copy. */
static inline bool ws_lease_matches(const ws_coherence *c, const ws_l2_line *line, uint64_t claimed, uint64_t now)
{
    return c->config.private_stores && claimed && claimed == line->expiry && now <= line->expiry;
}

/* Returns whether only the writer can have a copy. */
static inline bool ws_lease_is_private(const ws_coherence *c, const ws_l2_line *line, uint64_t claimed, uint64_t now)
{
    return line && line->state == L2_V && ws_lease_matches(c, line, claimed, now) && !line->shared;
}

/* Performs a store. Returns the time from which on no other SM can read the old value; 0: now. */
static inline uint64_t ws_lease_store(const ws_coherence *c, ws_l2_line *line, uint64_t claimed, uint64_t now)
{
    const bool alone = ws_lease_is_private(c, line, claimed, now);
    const uint64_t end = !alone ? line->expiry : closed(c, WS_CLOSE_SOLE) ? line->others : 0;
    if (c->config.private_stores && now <= line->expiry) {
        if (!alone)
            line->others = line->expiry;
        line->shared = false;
        line->expiry++;
    }
    return end ? end + 1 : 0; /* a copy may be read up to and including the end of its lease */
}

#endif
