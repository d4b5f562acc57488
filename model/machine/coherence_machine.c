/* coherence_machine.c - see coherence_machine.h. */
#include "model/machine/coherence_machine.h"

#include "base/status.h"
#include "model/machine/carveout.h"
#include "model/machine/machine.h"

enum {
    WORD_BYTES = 4,
    MOST_PENDING = 1 << 15,
    KEPT_AHEAD = 128, /* signatures of an SM that are kept where loads run ahead: while a load waits, so many epochs may
                         begin, or it is loaded again */
};
static int check_machine(const ws_machine *m)
{
    const uint64_t pending = (uint64_t)m->l1_mshrs * m->l1_merges;
    if (pending > MOST_PENDING)
        return ws_fail(WS_EINPUT, "[l1] mshrs * merges is %llu, with a coherence protocol at most %d can be in flight",
                       (unsigned long long)pending, MOST_PENDING);
    if (m->l1_line != m->l2_line)
        return ws_fail(WS_EINPUT, "[l1] line is %u and [l2] line is %u; a coherence protocol needs one size",
                       m->l1_line, m->l2_line);
    if (ws_machine_keeps_remote(m))
        return ws_fail(WS_EINPUT,
                       "[l2] side is requester, but %s orders the writes of a line at its one slice; expected memory",
                       ws_machine_protocol(m));
    if (m->l2_stripe < m->l2_line)
        return ws_fail(WS_EINPUT, "[l2] stripe is %u, expected at least a line of %u bytes", m->l2_stripe, m->l2_line);
    return WS_OK;
}

static ws_race_config race_of(const ws_machine *m)
{
    static const ws_race_wire wire[] = {[WS_SIGNATURE_CODING_RUNS] = WS_RACE_WIRE_RUNS,
                                        [WS_SIGNATURE_CODING_WHOLE] = WS_RACE_WIRE_WHOLE,
                                        [WS_SIGNATURE_CODING_HEADER] = WS_RACE_WIRE_HEADER};
    ws_race_config r = ws_coherence_defaults.race;
    r.ahead = ws_machine_runs_ahead(m);
    r.bits = m->coherence_race_bits;
    r.hashes = m->coherence_race_hashes;
    r.unit = m->coherence_race_unit;
    r.capacity = m->coherence_race_capacity;
    r.hits = m->coherence_race_hits;
    r.depth = m->coherence_race_depth;
    r.slots += r.depth > 1 ? r.depth - 1 : 0;
    r.slots = r.ahead ? KEPT_AHEAD : r.slots;
    r.queue = m->coherence_race_queue;
    r.latency = m->coherence_race_latency;
    r.ports = m->coherence_race_ports;
    r.together = m->coherence_race_store_epoch;
    r.exact = m->coherence_race_exact;
    r.shadow = m->coherence_race_shadow;
    r.wire = wire[m->coherence_race_wire];
    r.block = m->l1_line;
    return r;
}

static ws_lease_prediction prediction_of(const ws_machine *m)
{
    return (ws_lease_prediction){
        .on = ws_machine_predicts_leases(m),
        .either = m->coherence_predict_loads == WS_LEASE_LOADS_EITHER,
        .expired = m->coherence_predict_expired,
        .evict = m->coherence_predict_evict,
        .store = m->coherence_predict_store,
        .floor = m->coherence_predict_floor,
        .most = m->coherence_predict_most,
    };
}

static ws_coherence_config config_of(const ws_machine *m, bool data)
{
    const bool physical = m->coherence_protocol && m->coherence_protocol->lease == WS_LEASE_PHYSICAL;
    ws_coherence_config g = ws_coherence_defaults;
    g.protocol = ws_machine_protocol(m);
    const ws_slice_map map = ws_machine_slice_map(m);
    g.sms = ws_machine_sms(m);
    g.warps = m->sm_threads / 32;
    g.words = data ? m->l1_line / WORD_BYTES : 0;
    g.l1_sets = m->l1_sets;
    g.l1_ways = ws_carveout_ways(m, m->sm_shared);
    g.l1_mshrs = m->l1_mshrs;
    g.l1_pending = m->l1_mshrs * m->l1_merges;
    g.l2_sets = m->l2_sets;
    g.l2_ways = m->l2_ways;
    g.l2_queue = m->l2_queue;
    g.slices = ws_machine_slices(m);
    g.scattered = map.scatter_bits > 0;
    g.stripe = (uint32_t)map.stripe.by;
    g.chips = map.chips;
    g.page = (uint32_t)map.page.by;
    g.touched = map.touched;
    g.lease = physical ? m->coherence_lease_cycles : m->coherence_lease;
    g.prediction = prediction_of(m);
    g.private_stores = m->coherence_private_stores && physical && !m->coherence_protocol->strong_writes;
    g.timestamp_bits = m->coherence_timestamp;
    g.spin = m->coherence_spin;
    g.visibility = m->coherence_visibility;
    g.combine = m->coherence_combine != 0;
    g.count = true;
    g.race = race_of(m);
    g.l1_choice = ws_machine_l1_choice(m);
    g.l2_choice = ws_machine_l2_choice(m);
    return g;
}

int ws_coherent_config(const ws_machine *machine, bool data, ws_coherence_config *out)
{
    const int rc = check_machine(machine);
    if (rc == WS_OK)
        *out = config_of(machine, data);
    return rc;
}
