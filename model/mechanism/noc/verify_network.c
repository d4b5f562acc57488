/* verify_network.c - `warpscape verify --network`: how far are closed forms of networks from the networks?
 *
 * Patterns, on the network alone: Poisson sources at parts of its saturation, which is measured by bisection. Traces:
 * who sent how much to whom in a simulation, as such a pattern; and the latency of the simulation itself against the
 * form fed frame by frame with what the networks carried. The last, and saturation, are told but not judged: bursts are
 * more than networks carry, and who then waits for whom is not kept. */
#include "base/interrupt.h"
#include "base/status.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/noc/noc_variant.h"
#include "model/mechanism/simulate_launches.h"

#include "model/sim/network/network_drive.h"
#include "model/machine/network_kind.h"
#include "model/machine/noc_machine.h"
#include "model/sim/network/noc_measured.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 2, STEPS = 6, SEED = 1, LIMIT = 4, FEW = 4 };
static const double PARTS[] = {0.1, 0.3, 0.5, 0.7};
enum { PARTS_COUNT = sizeof PARTS / sizeof *PARTS };
/* Packets that a measurement and its warm-up are to see; of a step of the bisection a part; cycles of a network that is
 * next to idle. */
static const double PACKETS = 20000, LEAST_CYCLES = 4000, LITTLE = 0.02;

static const char *const directions[DIRECTIONS] = {"request", "reply"};

typedef enum quantity { LATENCY, SATURATION, IN_BURSTS, QUANTITIES } quantity;
static const char *const quantities[QUANTITIES] = {"latency", "saturation", "in_bursts"};

/* A latency has a band; the others are told. */
static int add(ws_verification *v, const char *workload, unsigned direction, quantity what, double load,
               double predicted, double simulated)
{
    const ws_compared of = {&v->ledger,
                            {workload, v->machine->shape.network[direction].kind->name, directions[direction]}};
    ws_comparison row = ws_relative(predicted, simulated, what == LATENCY ? v->request->worst : NAN);
    row.load = load;
    const int status = ws_compared_add(&of, quantities[what], what, row);
    return status || !ws_interrupted() ? status : ws_fail(WS_EINTERRUPTED, "interrupted");
}

/* ------------------------------------------------------------------------------------------------ patterns */

/* A network with a pattern of a packet a cycle in all. */
typedef struct experiment {
    const ws_machine *machine;
    unsigned direction;
    const char *kind;
    ws_noc_shape shape;
    ws_noc_flow *flow;
    size_t flows;
    double packets; /* a cycle */
} experiment;

static experiment experiment_of(const ws_machine *machine, unsigned direction)
{
    return (experiment){.machine = machine,
                        .direction = direction,
                        .kind = machine->shape.network[direction].kind->name,
                        .shape = ws_noc_machine_shape(machine, direction)};
}

static ws_noc_flow *scaled(const experiment *e, double times)
{
    ws_noc_flow *const flow = malloc(e->flows * sizeof *flow);
    for (size_t i = 0; flow && i < e->flows; i++) {
        flow[i] = e->flow[i];
        flow[i].rate *= times;
    }
    return flow;
}

static int measure(const experiment *e, double times, double packets, double *latency)
{
    ws_network *net = NULL;
    ws_network_measured got = {.latency = 0};
    const double cycles = fmax(LEAST_CYCLES, packets / (times * e->packets));
    const uint32_t width = e->machine->shape.network[e->direction].flit_bytes;
    ws_network_flow *const flow = malloc(e->flows * sizeof *flow);
    int status = flow ? ws_noc_machine_network(e->machine, e->direction, &net) : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < e->flows && !status; i++)
        flow[i] = (ws_network_flow){e->flow[i].from, e->flow[i].to, e->flow[i].flits * width, times * e->flow[i].rate};
    const ws_network_load_plan plan = {.flow = flow,
                                       .flows = e->flows,
                                       .batch = 1,
                                       .warm_up = (uint64_t)(cycles / 4),
                                       .measure = (uint64_t)cycles,
                                       .give_up = (uint64_t)(LIMIT * cycles),
                                       .seed = SEED};
    if (!status)
        status = ws_network_drive(net, &plan, &got);
    *latency = got.drained ? got.latency : INFINITY;
    ws_network_destroy(net);
    free(flow);
    return status;
}

/* Where the mean latency is three times that of the network with next to no load, between half and one and a half times
 * what the form says. */
static int find_saturation(const experiment *e, double predicted, double *times)
{
    double idle, low = predicted / 2, high = 1.5 * predicted, latency;
    int status = measure(e, LITTLE * predicted, PACKETS / 4, &idle);
    for (int step = 0; step < STEPS && !status; step++) {
        const double middle = (low + high) / 2;
        status = measure(e, middle, PACKETS / 2, &latency);
        *(latency < WS_NOC_SATURATED * idle ? &low : &high) = middle;
    }
    *times = (low + high) / 2;
    return status;
}

static int compare_part(ws_verification *v, const experiment *e, const char *pattern, double part, double saturation)
{
    ws_noc_result predicted;
    double simulated = 0;
    ws_noc_flow *const flow = scaled(e, part * saturation);
    const ws_noc_traffic t = {.flow = flow, .flows = e->flows, .dispersion = 1};
    int status = flow ? ws_noc_solve(e->kind, &e->shape, &t, NULL, &predicted) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = measure(e, part * saturation, PACKETS, &simulated);
    free(flow);
    return status ? status : add(v, pattern, e->direction, LATENCY, part, predicted.latency, simulated);
}

static int run_experiment(ws_verification *v, experiment *e, const char *pattern)
{
    const ws_noc_traffic t = {.flow = e->flow, .flows = e->flows, .dispersion = 1};
    double predicted = 0, simulated = 0;
    for (size_t i = 0; i < e->flows; i++)
        e->packets += e->flow[i].rate;
    int status = ws_noc_saturation(e->kind, &e->shape, &t, &predicted);
    if (!status)
        status = find_saturation(e, predicted, &simulated);
    if (!status)
        status = add(v, pattern, e->direction, SATURATION, 1, predicted * e->packets, simulated * e->packets);
    for (size_t i = 0; i < PARTS_COUNT && !status; i++)
        status = compare_part(v, e, pattern, PARTS[i], simulated);
    return status;
}

/* Requests of all SMs to some slices, or their answers: to each, or to one of `every`. */
static int memory_flows(experiment *e, uint32_t every)
{
    const uint32_t slices = e->machine->memory_channels * e->machine->l2_slices;
    const ws_noc_messages messages = {ws_noc_machine_bytes(e->machine, e->direction), 1};
    double share;
    double *const weight = calloc(slices, sizeof *weight);
    if (!weight)
        return ws_fail(WS_EMEM, "out of memory");
    for (uint32_t i = 0; i < slices; i += every)
        weight[i] = 1;
    const ws_noc_spread spread = {.slice = weight};
    const int status =
        ws_noc_machine_flows(e->machine, e->direction, &messages, 1, &spread, &e->flow, &e->flows, &share);
    free(weight);
    return status;
}

typedef enum pattern { MEMORY, QUARTER, UNIFORM, PATTERNS } pattern;

static int verify_pattern(ws_verification *v, unsigned direction, pattern which)
{
    static const char *const names[PATTERNS] = {"memory", "memory-quarter", "uniform"};
    experiment e = experiment_of(v->machine, direction);
    const ws_noc_messages one = {ws_noc_machine_bytes(e.machine, direction), 1};
    int status = which == UNIFORM ? ws_noc_uniform_flows(e.machine, direction, &one, 1, &e.flow, &e.flows)
                                  : memory_flows(&e, which == QUARTER ? FEW : 1);
    if (!status && e.flows)
        status = run_experiment(v, &e, names[which]);
    free(e.flow);
    return status;
}

/* ------------------------------------------------------------------------------------------------ traces */

/* Who sent how much to whom, as a pattern. */
static int compare_matrix(ws_verification *v, const ws_network *net, const char *workload, unsigned direction)
{
    experiment e = experiment_of(v->machine, direction);
    int status = ws_noc_measured_flows(v->machine, direction, net, &e.flow, &e.flows);
    if (!status)
        status = run_experiment(v, &e, workload);
    free(e.flow);
    return status;
}

static int compare_measured(ws_verification *v, const ws_sim *sim, const char *workload, unsigned direction)
{
    const ws_network *const net = ws_memory_side_network(ws_sim_memory_side(sim), 0, (ws_direction)direction);
    ws_noc_measured m;
    if (!ws_network_sum(net).packets_out)
        return WS_OK;
    int status = compare_matrix(v, net, workload, direction);
    if (!status)
        status = ws_noc_measure(v->machine, direction, net, &m);
    return status ? status : add(v, workload, direction, IN_BURSTS, m.busiest, m.predicted, m.simulated);
}

typedef struct with_network {
    ws_verification *v;
    const char *workload;
    const ws_launch *last;
} with_network;

/* Once the last launch has ended. */
static int compare_networks(void *context, const ws_sim *sim, const ws_launch *launch)
{
    const with_network *const w = context;
    int status = WS_OK;
    if (launch != w->last)
        return WS_OK;
    for (unsigned d = 0; d < DIRECTIONS && !status; d++)
        status = compare_measured(w->v, sim, w->workload, d);
    return status;
}

static int verify_trace(ws_verification *v, ws_trace *trace, const char *workload)
{
    const size_t launches = ws_trace_launches(trace);
    with_network w = {v, workload, launches ? &ws_trace_get(trace, launches - 1)->launch : NULL};
    return ws_simulate_launches(trace, v->machine, NULL, compare_networks, &w, NULL, NULL);
}

/* ------------------------------------------------------------------------------------------------ the comparison */

static void tell(const ws_verification *v, quantity what, const char *of)
{
    const ws_ledger_sum sum = ws_ledger_sum_of(&v->ledger, what);
    if (sum.rows)
        fprintf(stderr, "; not judged, %s: median error %.1f %%, at most %.1f %%", of, 100 * sum.median,
                100 * sum.most);
}

static int judge(const ws_verification *v)
{
    const ws_ledger_sum sum = ws_ledger_sum_of(&v->ledger, LATENCY);
    const size_t beyond = sum.rows - sum.within;
    fprintf(stderr, "warpscape verify: %zu of %zu latencies within their bands; median error %.1f %%, at most %.1f %%",
            sum.within, sum.rows, 100 * sum.median, 100 * sum.most);
    tell(v, SATURATION, "saturation");
    tell(v, IN_BURSTS, "of traces in their bursts");
    fputc('\n', stderr);
    if (!beyond && sum.median <= v->request->median)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "%zu latencies are beyond their bands%s", beyond,
                   sum.median <= v->request->median ? "" : ", and the median error");
}

static int see_frames(ws_machine *m)
{
    if (m->package_chips > 1)
        return ws_fail(WS_EUNSUPPORTED, "configuration %s has %u chips, and closed forms are of the networks of one",
                       m->name, m->package_chips);
    int status = ws_machine_set(m, "network.frame_cycles", WS_NOC_MEASURED_FRAME_CYCLES);
    if (!status)
        status = ws_machine_set(m, "network.frames", WS_NOC_MEASURED_FRAMES);
    return status ? status : ws_machine_check(m);
}

static int verify_patterns(ws_verification *v)
{
    int status = see_frames(v->machine);
    for (unsigned d = 0; d < DIRECTIONS && !status; d++)
        for (pattern p = 0; p < PATTERNS && !status; p++)
            if (p != UNIFORM || !v->machine->network_cluster) /* where each node has a slice that is what SMs do */
                status = verify_pattern(v, d, p);
    return status;
}

const ws_subject ws_subject_noc = {
    .name = "network",
    .what = "Latencies of the machine's networks, by closed forms: with patterns, and with the traffic of traces",
    .machine = "gtsc",
    .worst = 10,
    .median = 10,
    .takes = WS_TAKES_TRACES,
    .verifier.labels = {"workload", "network", "direction", "quantity"},
    .verifier.load = true,
    .verifier.whole = true,
    .verifier.remark =
        "; latency in network cycles, saturation in packets a network cycle; load as a part of saturation, "
        "in_bursts the mean one",
    .verifier.open = verify_patterns,
    .verifier.trace = verify_trace,
    .verifier.judge = judge,
};
