/* sim_activity.c - the counts of SMs, caches, networks and channels as activity of the machine. */
#include "model/sim/sim_activity.h"

#include "model/coherence/traffic_activity.h"
#include "model/machine/machine.h"
#include "model/sim/sim.h"

enum { L2 = WS_ACTIVITY_L2, L3 = WS_ACTIVITY_L3, LINK = WS_DIRECTIONS };
_Static_assert((int)L2 == (int)WS_SM_CACHES && 2 * (int)WS_DIRECTIONS == (int)WS_ACTIVITY_DIRECTIONS,
               "caches of an SM, then L2; networks of chips, then between them");

static void add_cache(ws_activity *a, unsigned cache, const ws_cache_counts *c)
{
    a->cache_tag_accesses[cache] += c->hits + c->misses + c->merged;
    a->cache_stores[cache] += c->stores;
    a->cache_atomics[cache] += c->atomics;
    a->cache_hits[cache] += c->hits;
    a->cache_updates[cache] += c->updates;
    a->cache_misses[cache] += c->misses;
    a->cache_merged[cache] += c->merged;
    a->cache_evictions[cache] += c->evictions;
    a->cache_writebacks[cache] += c->writebacks;
}

static void add_sm(ws_activity *a, const ws_sm *sm)
{
    const ws_sm_counts *const c = ws_sm_sum(sm);
    ws_activity_add(a, ws_sm_activity(sm));
    a->sm_busy_cycles[0] += c->busy_cycles;
    a->sm_ctas[0] += c->ctas;
    a->shared_accesses[0] += c->shared_accesses;
    a->shared_passes[0] += c->shared_cycles;
    a->updates_reads[0] += c->update_hits + c->update_messages;
    a->updates_writes[0] += c->update_hits + c->update_misses;
    a->memory_transactions[0] += c->load_touches + c->store_touches;
    const ws_race_counts races = ws_sm_races(sm);
    ws_race_activity(&races, a);
    for (unsigned i = 0; i < WS_SM_CACHES; i++) {
        const ws_cache_counts counts = ws_sm_cache_counts(sm, i);
        add_cache(a, i, &counts);
    }
}

static void add_network(ws_activity *a, unsigned direction, const ws_network *network)
{
    if (!network)
        return;
    const ws_network_totals t = ws_network_sum(network);
    a->network_packets[direction] += t.packets_in;
    a->network_bytes[direction] += t.bytes_in;
    a->network_flits[direction] += t.flits_in;
    a->network_hops[direction] += t.flit_moves;
}

static void add_networks(ws_activity *a, const ws_machine *m, const ws_memory_side *side)
{
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++) {
        for (uint32_t i = 0; i < m->package_chips; i++)
            add_network(a, d, ws_memory_side_network(side, i, d));
        add_network(a, LINK + d, ws_memory_side_link(side, d));
    }
    const ws_package_counts agreed = ws_memory_side_agreed(side);
    a->network_takings[0] += agreed.invalidations + agreed.evictions;
}

static void add_memory(ws_activity *a, const ws_machine *m, const ws_memory_side *side)
{
    for (uint32_t i = 0; i < ws_machine_channels(m); i++) {
        const ws_dram_totals t = ws_memory_side_channel_sum(side, i);
        a->dram_activates[0] += t.activates;
        a->dram_precharges[0] += t.precharges;
        a->dram_reads[0] += t.reads;
        a->dram_writes[0] += t.writes;
        a->dram_refreshes[0] += t.refreshes;
        a->dram_busy_cycles[0] += t.data_cycles;
        a->dram_idle_cycles[0] += ws_memory_side_memory_cycles(side) - t.data_cycles;
    }
}

void ws_sim_activity(const ws_sim *sim, ws_activity *a)
{
    const ws_memory_side *const side = ws_sim_memory_side(sim);
    const ws_machine *const m = ws_sim_machine(sim);
    const ws_race_counts races = ws_memory_side_races(side);
    *a = (ws_activity){0};
    a->core_cycles[0] = ws_sim_cycles(sim);
    for (uint32_t i = 0; i < ws_sim_sms(sim); i++)
        add_sm(a, ws_sim_sm(sim, i));
    a->sm_idle_cycles[0] = a->core_cycles[0] * ws_sim_sms(sim) - a->sm_busy_cycles[0];
    for (uint32_t i = 0; i < ws_machine_slices(m); i++) {
        const ws_cache_counts counts = ws_memory_side_cache_counts(side, i);
        add_cache(a, L2, &counts);
    }
    for (uint32_t i = 0; i < ws_machine_channels(m); i++) {
        const ws_cache_counts counts = ws_memory_side_l3_counts(side, i);
        add_cache(a, L3, &counts);
    }
    a->cache_fills[L3] += ws_memory_side_l3_fills(side);
    a->cache_fills[L2] += ws_memory_side_messages(side, WS_MESSAGE_DRAM_FILL, NULL);
    const ws_package_counts package = ws_memory_side_agreed(side);
    a->sums_reads[0] += package.update_hits + package.update_messages;
    a->sums_writes[0] += package.update_hits + package.update_misses;
    add_networks(a, m, side);
    add_memory(a, m, side);
    ws_race_activity(&races, a);
}
