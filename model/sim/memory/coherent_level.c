/* coherent_level.c - the caches of a machine that follow a protocol of model/coherence.
 *
 * The controllers there are caches already; what is left is to read their configuration off a machine, to name reasons
 * and counts as the machine does, and to say how large messages are. */
#include "base/status.h"
#include "model/machine/carveout.h"
#include "model/machine/machine.h"
#include "model/sim/memory/memory_level.h"

enum {
    WORD_BYTES = 4,
    MOST_PENDING = 1 << 15,
    KEPT_AHEAD = 128, /* signatures of an SM that are kept where loads run ahead: while a load waits, so many epochs may
                         begin, or it is loaded again */
};

_Static_assert((int)WS_REFUSED_LINE == (int)WS_COHERENCE_NO_LINE && (int)WS_REFUSED_MSHR == (int)WS_COHERENCE_NO_MSHR &&
                   (int)WS_REFUSED_MERGE == (int)WS_COHERENCE_NO_ROOM,
               "reasons pass through");

static ws_cache_counts counts_of(const ws_coherence_counts *c)
{
    return (ws_cache_counts){
        .loads = c->loads,
        .stores = c->stores,
        .atomics = c->atomics,
        .hits = c->hits,
        .misses = c->misses,
        .merged = c->merged,
        .expired = c->expired,
        .evictions = c->evictions,
        .writebacks = c->writebacks,
        .refused_line = c->no_line,
        .refused_mshr = c->no_mshr,
        .refused_merge = c->no_room,
        .refused_other = c->retry,
    };
}

/* --- Sizes --- */

static ws_message_sizes sizes_of(const ws_machine *machine)
{
    ws_message_sizes sizes = ws_message_default_sizes;
    sizes.block_bytes = machine->l1_line;
    sizes.timestamp_bytes = (machine->coherence_timestamp + 7) / 8;
    return sizes;
}

static uint32_t message_bytes(const void *shared, const ws_machine *machine, const ws_coherence_message *message)
{
    const ws_message_sizes sizes = sizes_of(machine);
    return ws_message_bytes(shared, (ws_message_type)message->type,
                            (uint32_t)__builtin_popcount(message->mask) * WORD_BYTES, &sizes);
}

/* --- L1 --- */

static size_t l1_bytes(const void *shared)
{
    return ws_l1_bytes(shared);
}

static void l1_init(const void *shared, void *l1, uint32_t sm)
{
    ws_l1_init(shared, l1, sm);
}

static int l1_request(const void *shared, void *l1, const ws_request *request, uint64_t now,
                      const ws_coherence_ports *ports)
{
    return ws_l1_access(shared, l1, request, now, ports);
}

static int l1_message(const void *shared, void *l1, const ws_coherence_message *message, uint64_t now,
                      const ws_coherence_ports *ports)
{
    return ws_l1_message(shared, l1, message, now, ports);
}

static int l1_flush(const void *shared, void *l1, uint64_t now, const ws_coherence_ports *ports)
{
    (void)now;
    return ws_l1_flush(shared, l1, ports);
}

/* Only a fence waits for a time: until all copies that the warp's stores left behind are dead. */
static uint64_t l1_next_time(const void *shared, const void *l1, const ws_request *request, uint64_t now)
{
    const uint64_t visible = ws_l1_gwct(shared, l1, request->warp);
    return request->kind == WS_REQUEST_FENCE && visible > now ? visible : WS_COHERENCE_NEVER;
}

static uint32_t l1_waiting(const void *shared, const void *l1)
{
    (void)shared;
    return ws_l1_waiting(l1);
}

static uint32_t l1_reads(const void *shared, const void *l1)
{
    (void)shared;
    return ws_l1_reads(l1);
}

static ws_cache_counts l1_counts(const void *shared, const void *l1)
{
    return counts_of(ws_l1_counts(shared, l1));
}

static void bring(const void *shared, void *l1, const ws_coherence_message *message, const void *hub)
{
    ws_l1_bring(shared, l1, message, hub);
}

static ws_race_counts l1_races(const void *shared, const void *l1)
{
    return ws_l1_race_counts(shared, l1);
}

static void l1_destroy(void *shared)
{
    ws_coherence_destroy(shared);
}

#define L1_CALLS \
    .destroy = l1_destroy, .bytes = l1_bytes, .init = l1_init, .request = l1_request, .message = l1_message, \
    .flush = l1_flush, .next_time = l1_next_time, .waiting = l1_waiting, .reads = l1_reads, .counts = l1_counts, \
    .message_bytes = message_bytes

static const ws_level_ops coherent_l1 = {L1_CALLS};
static const ws_level_race_ops races = {.bring = bring, .counts = l1_races};
static const ws_level_ops detected_l1 = {L1_CALLS, .races = &races};

/* --- L2 --- */

static size_t l2_bytes(const void *shared)
{
    return ws_l2_bytes(shared);
}

static void l2_init(const void *shared, void *l2, uint32_t slice)
{
    ws_l2_init(shared, l2, slice);
}

static int l2_message(const void *shared, void *l2, const ws_coherence_message *message, uint64_t now,
                      const ws_coherence_ports *ports)
{
    return ws_l2_message(shared, l2, message, now, ports);
}

static int l2_advance(const void *shared, void *l2, uint64_t now, const ws_coherence_ports *ports)
{
    return ws_l2_advance(shared, l2, now, ports);
}

static uint64_t l2_next_time(const void *shared, const void *l2, const ws_request *request, uint64_t now)
{
    (void)request;
    return ws_l2_next_time(shared, l2, now);
}

static uint32_t l2_waiting(const void *shared, const void *l2)
{
    (void)shared;
    return ws_l2_waiting(l2);
}

static ws_cache_counts l2_counts(const void *shared, const void *l2)
{
    return counts_of(ws_l2_counts(shared, l2));
}

static void l2_reset(const void *shared, void *l2)
{
    ws_l2_reset(shared, l2);
}

static uint16_t l2_epoch(const void *shared, const void *l2)
{
    (void)shared;
    return ws_l2_epoch(l2);
}

static uint32_t l2_timestamp(const void *shared, const void *l2)
{
    (void)shared;
    return ws_l2_max_ts(l2);
}

static size_t hub_bytes(const void *shared)
{
    return ws_hub_bytes(shared);
}

static void hub_init(const void *shared, void *hub)
{
    ws_hub_init(shared, hub);
}

static bool arrive(const void *shared, ws_coherence_message *request, uint64_t now, const ws_coherence_ports *ports,
                   uint64_t *earliest)
{
    return ws_l2_arrive(shared, request, now, ports, earliest);
}

static void hub_flush(const void *shared, void *hub)
{
    ws_hub_flush(shared, hub);
}

static uint64_t hub_delay(const void *shared, const void *hub, uint64_t now)
{
    return ws_hub_delay(shared, hub, now);
}

static ws_race_counts hub_races(const void *shared, const void *hub)
{
    return ws_hub_race_counts(shared, hub);
}

static void l2_destroy(void *shared)
{
    (void)shared; /* of the L1s */
}

#define L2_CALLS \
    .destroy = l2_destroy, .bytes = l2_bytes, .init = l2_init, .message = l2_message, .advance = l2_advance, \
    .next_time = l2_next_time, .waiting = l2_waiting, .counts = l2_counts, .message_bytes = message_bytes

static const ws_level_ops coherent_l2 = {L2_CALLS};
static const ws_level_time_ops times = {.reset = l2_reset, .epoch = l2_epoch, .greatest = l2_timestamp};
static const ws_level_ops logical_l2 = {L2_CALLS, .times = &times};
static const ws_level_hub_ops hub = {.bytes = hub_bytes,
                                     .init = hub_init,
                                     .arrive = arrive,
                                     .flush = hub_flush,
                                     .delay = hub_delay,
                                     .counts = hub_races};
static const ws_level_ops detected_l2 = {L2_CALLS, .hub = &hub};

/* --- From a machine --- */

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
                       m->coherence_protocol);
    if (m->l2_stripe < m->l2_line)
        return ws_fail(WS_EINPUT, "[l2] stripe is %u, expected at least a line of %u bytes", m->l2_stripe, m->l2_line);
    return WS_OK;
}

static ws_race_config race_of(const ws_machine *m)
{
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
    r.together = m->coherence_race_store_epoch;
    r.exact = m->coherence_race_exact;
    r.shadow = m->coherence_race_shadow;
    r.wire = m->coherence_race_wire;
    r.block = m->l1_line;
    return r;
}

static ws_coherence_config config_of(const ws_machine *m, bool data)
{
    const bool physical = ws_coherence_is_physical(m->coherence_protocol);
    ws_coherence_config g = ws_coherence_defaults;
    g.protocol = m->coherence_protocol;
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

int ws_coherent_create(const ws_machine *machine, bool data, ws_level *l1, ws_level *l2)
{
    *l1 = (ws_level){0};
    *l2 = (ws_level){0};
    ws_coherence_config config;
    int rc = ws_coherent_config(machine, data, &config);
    if (rc)
        return rc;
    ws_coherence *both;
    rc = ws_coherence_create(&config, &both);
    if (rc)
        return rc;
    const bool detected = ws_coherence_detects_races(config.protocol);
    *l1 = (ws_level){.ops = detected ? &detected_l1 : &coherent_l1, .shared = both, .words = config.words};
    *l2 = (ws_level){.ops = detected                                   ? &detected_l2
                            : ws_coherence_is_logical(config.protocol) ? &logical_l2
                                                                       : &coherent_l2,
                     .shared = both};
    return WS_OK;
}
