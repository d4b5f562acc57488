/* coherent_level.c - the caches of a machine that follow a protocol of model/coherence.
 *
 * The controllers there are caches already; what is left is to name reasons and counts as the machine does, and to say
 * how large messages are. */
#include "base/status.h"
#include "model/machine/machine.h"
#include "model/sim/memory/memory_level.h"

enum { WORD_BYTES = 4 };

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
        .leases = c->leases,
        .lease_cycles = c->lease_cycles,
        .lease_loads = c->lease_loads,
        .lease_evictions = c->lease_evictions,
        .lease_stores = c->lease_stores,
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
    const uint32_t payload =
        message->type == WS_MESSAGE_SYNC ? message->rts : (uint32_t)__builtin_popcount(message->mask) * WORD_BYTES;
    return ws_message_bytes(shared, (ws_message_type)message->type, payload, &sizes);
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

static uint32_t l2_lease(const void *shared, const void *l2)
{
    (void)shared;
    return ws_l2_lease(l2);
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
static const ws_level_ops leased_l2 = {L2_CALLS, .lease = l2_lease};
static const ws_level_ops logical_l2 = {L2_CALLS, .times = &times};
static const ws_level_hub_ops hub = {.bytes = hub_bytes,
                                     .init = hub_init,
                                     .arrive = arrive,
                                     .flush = hub_flush,
                                     .delay = hub_delay,
                                     .counts = hub_races};
static const ws_level_ops detected_l2 = {L2_CALLS, .hub = &hub};

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
    *l2 = (ws_level){.ops = detected                                    ? &detected_l2
                            : ws_coherence_is_logical(config.protocol)  ? &logical_l2
                            : ws_coherence_is_physical(config.protocol) ? &leased_l2
                                                                        : &coherent_l2,
                     .shared = both};
    return WS_OK;
}
