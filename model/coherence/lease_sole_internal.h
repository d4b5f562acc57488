/* lease_sole_internal.h - stores of the only SM that may have a copy, under temporal coherence (tc-weak).
 *
 * No other copy is there that could be read too long, so no fence need wait for the lease. A line knows whether more
 * than one load has had its lease since the last one ended, and each store moves the end of the lease by one cycle: an
 * SM whose copy ends when the line does has the newest copy, with all stores in it. The rule is that of the public
 * simulator with this protocol, compstruct/Relativistic-Cache-Coherence: protocols/cachelease3-L1cache.sm and
 * cachelease3-L2cache.sm, where states S and SS, and the events L1_Upgrade_T and L1_Upgrade_NT, say this.
 * docs/coherence.md lists the differences. */
#ifndef WS_LEASE_SOLE_INTERNAL_H
#define WS_LEASE_SOLE_INTERNAL_H

#include "model/coherence/coherence_internal.h"

/* A load is about to get its lease. */
static inline void ws_lease_note_reader(const ws_coherence *c, ws_l2_line *line, uint64_t now)
{
    if (!c->config.private_stores)
        return;
    line->shared = now <= line->expiry;
    if (!line->shared)
        line->others = 0;
}

/* `claimed`: end of the lease of the writer's copy, 0 without one. */
static inline bool ws_lease_matches(const ws_coherence *c, const ws_l2_line *line, uint64_t claimed, uint64_t now)
{
    return c->config.private_stores && claimed && claimed == line->expiry && now <= line->expiry;
}

static inline bool ws_lease_is_private(const ws_coherence *c, const ws_l2_line *line, uint64_t claimed, uint64_t now)
{
    return line && line->state == L2_V && ws_lease_matches(c, line, claimed, now) && !line->shared;
}

/* A store is performed. Returns from when on no other SM can read what it has overwritten; 0: now. */
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
    return end ? end + 1 : 0; /* a copy may be read up to and including its end */
}

#endif
