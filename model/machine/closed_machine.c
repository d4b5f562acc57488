/* closed_machine.c - from options of a machine to the few numbers of a closed form. */
#include "model/machine/atomic_kind.h"
#include "model/machine/carveout.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine.h"

#include "base/status.h"
#include "model/instruction_times.h"
#include "model/machine/operation_times.h"
#include "model/machine/coherence_machine.h"
#include "model/machine/network_kind.h"
#include "model/machine/noc_machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ROW_BURSTS: as the median of twelve kernels of Rodinia, Parboil and CUDA's samples on the machine qv100. */
enum { ROW_BURSTS = 12 };

/* What a direction's network does with messages of all SMs to all slices of a chip, of one size. */
typedef struct way {
    double cycles;            /* of the network, of a message alone, without its flits behind the first */
    double share;             /* of messages that pass it, not those of a cluster to its own slice */
    double carries;           /* flits a cycle that a port of the network takes at most */
    double flits, flit_bytes; /* of the message */
} way;

/* Flits a cycle that go when each source always has something to send: `offered` is a packet a cycle of all. */
static int carry_all(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *offered, double *flits)
{
    ws_noc_result r;
    double most = 0;
    double *const carried = calloc(shape->nodes, sizeof *carried), *const sent = calloc(shape->nodes, sizeof *sent);
    ws_noc_flow *const flow = malloc(offered->flows * sizeof *flow);
    int status = carried && sent && flow ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < offered->flows && !status; i++) {
        flow[i] = offered->flow[i];
        sent[flow[i].from] += flow[i].rate * flow[i].flits;
        most = fmax(most, sent[flow[i].from]);
    }
    for (size_t i = 0; i < offered->flows && !status; i++)
        flow[i].rate /= most;
    const ws_noc_traffic t = {.flow = flow, .flows = offered->flows, .dispersion = 1};
    if (!status)
        status = ws_noc_carry(kind, shape, &t, carried, NULL, &r);
    *flits = 0;
    for (size_t i = 0; i < t.flows && !status; i++)
        *flits += carried[flow[i].from] * flow[i].rate * flow[i].flits;
    free(carried);
    free(sent);
    free(flow);
    return status;
}

/* Mesh and crossbar carry a flit a cycle at each port, or nearly; what tokens, places at nodes or the turns of a bus
 * leave of that, closed forms say (docs/noc.md). */
static int find_capacity(const ws_machine *m, const ws_network_kind *kind, const ws_noc_shape *shape,
                         const ws_noc_traffic *t, way *out)
{
    double flits = 0;
    out->carries = 1;
    if (kind->medium == WS_MEDIUM_GRID || kind->medium == WS_MEDIUM_SWITCH)
        return WS_OK;
    const int status = carry_all(kind->name, shape, t, &flits);
    out->carries = fmin(1, flits / fmin(m->chip_sms, ws_machine_chip_slices(m))) / out->share;
    return status;
}

/* The time of an empty mesh is that of uniform traffic, which makes (width + height) / 3 hops: profiles of memory's
 * times on gtsc have it (model/traffic_time.h). */
static int find_time(const ws_network_kind *kind, const ws_noc_shape *shape, const ws_noc_traffic *t, double *hops,
                     way *out)
{
    ws_noc_result idle;
    const int status = ws_noc_idle(kind->name, shape, t, &idle);
    const bool grid = kind->medium == WS_MEDIUM_GRID;
    *hops = grid ? 2 * ceil(sqrt(shape->nodes)) / 3 : 1;
    out->flits = idle.mean.serialization + 1;
    out->cycles =
        (grid ? shape->router * (*hops + 1) + shape->ends : idle.latency - idle.mean.serialization) * out->share;
    return status;
}

static int find_way(const ws_machine *m, unsigned direction, double *hops, way *out)
{
    const ws_network_plan *const network = &m->shape.network[direction];
    const ws_noc_shape shape = ws_noc_machine_shape(m, direction);
    ws_noc_traffic t = {.dispersion = 1};
    const ws_noc_messages messages = {.bytes = ws_noc_machine_bytes(m, direction), .rate = 1};
    ws_noc_flow *flow = NULL;
    *out = (way){.carries = 1, .flits = 1, .flit_bytes = network->flit_bytes};
    *hops = 1;
    int status = ws_noc_machine_flows(m, direction, &messages, 1, NULL, &flow, &t.flows, &out->share);
    t.flow = flow;
    if (!status && t.flows) /* one cluster alone has no network */
        status = find_time(network->kind, &shape, &t, hops, out);
    if (!status && t.flows)
        status = find_capacity(m, network->kind, &shape, &t, out);
    free(flow);
    return status;
}

/* Of both networks; all in core cycles. Flits are counted in those of the requests. */
static int describe_network(const ws_machine *m, ws_closed_machine *out)
{
    const double cycle = (double)m->chip_core_clock / m->chip_network_clock;
    way up, down;
    double hops_down;
    int status = find_way(m, WS_REQUESTS, &out->hops, &up);
    if (!status)
        status = find_way(m, WS_REPLIES, &hops_down, &down);
    if (status)
        return status;
    out->sizes.flit_bytes = (uint32_t)up.flit_bytes;
    out->network_flits = up.carries / cycle;
    out->answer_flits = down.carries / cycle * down.flit_bytes / up.flit_bytes;
    out->l2_cycles = 2 * m->port_cycles + cycle * (up.cycles + down.cycles + (down.flits - 1) * down.share);
    return WS_OK;
}

#define SIMULATE "simulate traces (`warpscape sim', or --simulate of whatif and explore)"

/* Distances of profiles are those in sets by the low bits, where the line used longest ago goes. What an index of the
 * L2 does for its few conflicts is not seen. */
static int check_caches(const ws_machine *m)
{
    const struct {
        bool is_seen;
        const char *option, *is, *expected;
    } words[] = {{m->l1_index->low_bits, "[l1] index", m->l1_index->name, "linear"},
                 {m->l1_replacement->longest_ago, "[l1] replacement", m->l1_replacement->name, "lru"},
                 {m->l2_replacement->longest_ago, "[l2] replacement", m->l2_replacement->name, "lru"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!words[i].is_seen)
            return ws_fail(WS_EUNSUPPORTED,
                           "configuration %s: %s is %s; profiles only cover %s: choose that, replay traces (`warpscape "
                           "model coherence --tier 2'), or " SIMULATE,
                           m->name, words[i].option, words[i].is, words[i].expected);
    return WS_OK;
}

/* Profiles tell what buffers beside L1s keep, of any size, with any line anywhere, and what meets in L1s. Not whose
 * lines others take. */
static int check_atomics(const ws_machine *m, const char *protocol)
{
    const ws_atomic_kind *const rule = m->sm_atomics;
    if (m->package_atomic_buffer)
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: [package] atomic_buffer is %u; profiles do not cover updates of several SMs "
                       "that meet on a chip: choose 0, give traces to `warpscape model atomics', or " SIMULATE,
                       m->name, m->package_atomic_buffer);
    if (rule->ages)
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: [sm] atomics is %s; profiles do not cover the ages of its lines, and their "
                       "ends by other accesses: choose serial, combined, serialize, lab or phi, or " SIMULATE,
                       m->name, m->sm_atomics->name);
    if (ws_atomic_takes_any(m))
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: [atomics] any is 1; profiles do not cover buffers of other atomics than "
                       "updates: choose 0, or " SIMULATE,
                       m->name);
    if (m->network_whole_sectors)
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: [network] whole_sectors is %u; profiles only cover the words of stores and "
                       "atomics: choose 0, or " SIMULATE,
                       m->name, m->network_whole_sectors);
    if (!rule->counts && !rule->owns)
        return WS_OK;
    if (rule->owns)
        return ws_fail(
            WS_EUNSUPPORTED,
            "configuration %s: [sm] atomics is %s; profiles do not cover lines taken by another L1: choose serial, "
            "combined, serialize, lab or phi, give traces to `warpscape model atomics', or " SIMULATE,
            m->name, m->sm_atomics->name);
    if (ws_coherence_is_physical(protocol) || ws_coherence_is_logical(protocol))
        return ws_fail(
            WS_EUNSUPPORTED,
            "configuration %s: [sm] atomics is %s; under %s a buffer keeps separate lines for each warp, and profiles "
            "only cover lines common to warps: choose a protocol without times of warps, or " SIMULATE,
            m->name, m->sm_atomics->name, protocol);
    return WS_OK;
}

static bool is_commutative(const void *machine, const char *kernel)
{
    return ws_machine_is_commutative(machine, kernel);
}

static void describe_atomics(const ws_machine *m, ws_closed_machine *out)
{
    uint64_t values[WS_ATOMIC_OPTIONS];
    const ws_atomic_kind *const rule = ws_atomic_of(m, values);
    out->combines = ws_atomic_combines(rule, values);
    out->sums = rule->counts;
    out->beside_data = rule->counts && rule->in_l1;
    out->fetches = ws_atomic_phi_fetches(m);
    const double lines = rule->counts && rule->lines ? rule->lines(values) : 0;
    out->buffer_lines = rule->counts && rule->lines && lines == 0 ? (double)INFINITY : lines;
    out->sums_of = is_commutative;
}

/* From the issue of an instruction to that of one that reads its result. */
static void describe_waits(const ws_machine *m, ws_closed_machine *out)
{
    const double operands = m->latency_from == WS_LATENCY_FROM_ISSUE ? 0 : WS_TIME_REGISTERS;
    for (unsigned work = 0; work < WS_WORKS; work++)
        for (unsigned number = 0; number < WS_NUMBERS; number++)
            out->wait_cycles[work * WS_NUMBERS + number] =
                ws_machine_latency(m, (ws_work)work, (ws_number)number) + operands;
    out->wait_cycles[WS_CHAIN_SHARED] = m->shared_read + operands;
    out->wait_cycles[WS_CHAIN_CONSTANT] = m->constant_latency + operands;
    out->wait_cycles[WS_CHAIN_TEXTURE] = m->texture_latency + operands;
    out->refill_cycles = m->sm_refill;
    out->pipeline_cycles = m->sm_pipeline;
}

static uint32_t ways_beside(const void *machine, uint64_t shared_bytes)
{
    return ws_carveout_ways(machine, shared_bytes);
}

static void describe_l1(const ws_machine *m, ws_closed_machine *out)
{
    out->mshrs = m->l1_mshrs;
    out->l1_ways = m->l1_unified ? ways_beside : NULL;
    out->context = m;
    out->crowded = m->l1_index->low_bits && m->l1_allocate == WS_L1_ALLOCATE_MISS && m->l1_ways < WS_WARP;
    out->sectored = !ws_machine_has_protocol(m) && m->l1_sector <= WS_PROFILE_SECTOR;
    out->splits = out->sectored && m->l1_request == WS_L1_REQUEST_SECTOR;
    out->evicts = !ws_machine_has_protocol(m) && (m->l1_write == WS_WRITE_EVICT || m->l1_write == WS_WRITE_LOCAL_BACK);
    out->striped = m->l2_scatter == WS_L2_SCATTER_NONE;
}

int ws_closed_machine_rates(const ws_machine *m, ws_closed_machine *out)
{
    *out = (ws_closed_machine){.sizes = ws_message_default_sizes};
    out->sizes.block_bytes = m->l2_line;
    const int status = describe_network(m, out);
    if (status)
        return status;
    const double core = m->chip_core_clock, l2 = core / m->chip_l2_clock;
    out->bursts = m->shape.part.burst_bytes < m->l2_line ? m->l2_line / m->shape.part.burst_bytes : 1;
    out->room = ws_machine_capacity(m);
    out->issue = (double)m->sm_schedulers * m->sm_issue;
    out->l1_ports = m->l1_ports;
    out->slices = ws_machine_slices(m);
    out->memory_bytes = m->shape.memory_bytes;
    out->l1_cycles = m->l1_latency;
    out->l1_sector = ws_machine_has_protocol(m) ? m->l1_line : m->l1_sector;
    out->l2_sector = ws_machine_has_protocol(m) ? m->l2_line : m->l2_sector;
    out->l2_cycles += l2 * m->l2_latency;
    out->launch_cycles = m->chip_launch;
    out->dispatch_cycles = m->chip_dispatch;
    out->schedulers = m->sm_schedulers;
    out->stalls = m->sm_atomic_stall;
    describe_waits(m, out);
    describe_l1(m, out);
    /* The accesses that a fence waits for make a trip to L2; one that counts from its issue shares that trip. */
    const double trip = m->sm_fence_from == WS_FENCE_FROM_ISSUE ? out->l1_cycles + out->l2_cycles : 0;
    out->fence_cycles = m->sm_fence > trip ? (double)m->sm_fence - trip : 0;
    out->fence_turns = m->sm_fence_turns;
    out->row_bursts = ROW_BURSTS;
    out->shared_passes = (double)m->shared_banks / WS_WORK_BANKS;
    ws_decode_operations(m, out->unit_cycles, out->unit);
    out->aging = true;
    out->memory_cycles = m->shape.memory_cycles;
    return WS_OK;
}

const char *ws_closed_machine_protocol(const ws_machine *m)
{
    if (ws_machine_has_protocol(m))
        return m->coherence_protocol->name;
    return !m->l1_enabled ? "bl" : ws_machine_invalidates(m) ? "vi" : "noncoherent";
}

int ws_replay_machine_of(const ws_machine *m, const char *protocol, ws_closed_machine *out)
{
    ws_coherence_config coherence;
    *out = (ws_closed_machine){.sizes = ws_message_default_sizes};
    if (m->l1_line != WS_LOG_LINE)
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: [l1] line is %u; profiles and replays have lines of %d bytes", m->name,
                       m->l1_line, WS_LOG_LINE);
    if (!m->coherence_polls)
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: [coherence] polls is 0; profiles and replays do not cover copies that serve "
                       "volatile loads; leave it at 1, or " SIMULATE,
                       m->name);
    int status = check_atomics(m, protocol);
    if (!status)
        status = ws_coherent_config(m, false, &coherence);
    if (!status)
        status = ws_closed_machine_rates(m, out);
    if (status)
        return status;
    describe_atomics(m, out);
    out->coherence = coherence;
    out->coherence.protocol = protocol;
    /* Plain caches have no such rule; on their machines other protocols are simulated with it. */
    out->holds = ws_machine_has_protocol(m) || strcmp(protocol, ws_closed_machine_protocol(m)) != 0;
    return WS_OK;
}

int ws_closed_machine_of(const ws_machine *m, const char *protocol, ws_closed_machine *out)
{
    if (m->package_chips > 1)
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: [package] chips is %u; estimates are of machines of one chip: replay traces "
                       "(`warpscape model "
                       "coherence --tier 2'), or " SIMULATE "; `warpscape suite run --trace DIR' writes some",
                       m->name, m->package_chips);
    const int status = ws_replay_machine_of(m, protocol, out);
    return status ? status : check_caches(m);
}
