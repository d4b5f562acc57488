/* verify_network.c - `warpscape verify --network`: how far are closed forms of networks from the networks?
 *
 * Patterns, on the network alone: Poisson sources at parts of its saturation, which is measured by bisection. Traces:
 * who sent how much to whom in a simulation, as such a pattern; and the latency of the simulation itself against the
 * form fed frame by frame with what the networks carried. The last, and saturation, are told but not judged: bursts are
 * more than networks carry, and who then waits for whom is not kept. */
#include "cli/cli.h"
#include "cli/verify.h"

#include "base/grow.h"
#include "model/sim/network/network_drive.h"
#include "model/machine/network_options.h"
#include "model/machine/noc_machine.h"
#include "model/sim/network/noc_measured.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 2, STEPS = 6, SEED = 1, LIMIT = 4, FEW = 4 };
static const double PARTS[] = {0.1, 0.3, 0.5, 0.7};
enum { PARTS_COUNT = sizeof PARTS / sizeof *PARTS };
/* Packets that a measurement and its warm-up are to see; of a step of the bisection a part; cycles of a network that is
 * next to idle. */
static const double PACKETS = 20000, LEAST_CYCLES = 4000, LITTLE = 0.02;

static const char *const directions[DIRECTIONS] = {"request", "reply"};

typedef struct finding {
    char *workload;
    const char *direction, *quantity;
    double load, predicted, simulated;
    bool judged;
} finding;

typedef struct verification {
    const ws_verify_request *request;
    ws_machine *machine;
    finding *found;
    size_t findings, room;
} verification;

static double error_of(const finding *f)
{
    return fabs(f->predicted - f->simulated) / f->simulated;
}

static int add(verification *v, const char *workload, finding f)
{
    if (WS_GROW(v->found, v->room, v->findings, 1))
        return WS_EMEM;
    f.workload = strdup(workload);
    if (!f.workload)
        return ws_fail(WS_EMEM, "out of memory");
    v->found[v->findings++] = f;
    return ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : WS_OK;
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
    const uint32_t width =
        (uint32_t)ws_machine_network_option(e->machine, e->direction, ws_network_common_options, "flit_bytes");
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

static int compare_part(verification *v, const experiment *e, const char *pattern, double part, double saturation)
{
    ws_noc_result predicted;
    double simulated = 0;
    ws_noc_flow *const flow = scaled(e, part * saturation);
    const ws_noc_traffic t = {.flow = flow, .flows = e->flows, .dispersion = 1};
    int status = flow ? ws_noc_solve(e->kind, &e->shape, &t, NULL, &predicted) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = measure(e, part * saturation, PACKETS, &simulated);
    free(flow);
    return status ? status
                  : add(v, pattern,
                        (finding){.direction = directions[e->direction],
                                  .quantity = "latency",
                                  .load = part,
                                  .predicted = predicted.latency,
                                  .simulated = simulated,
                                  .judged = true});
}

static int run_experiment(verification *v, experiment *e, const char *pattern)
{
    const ws_noc_traffic t = {.flow = e->flow, .flows = e->flows, .dispersion = 1};
    double predicted = 0, simulated = 0;
    for (size_t i = 0; i < e->flows; i++)
        e->packets += e->flow[i].rate;
    int status = ws_noc_saturation(e->kind, &e->shape, &t, &predicted);
    if (!status)
        status = find_saturation(e, predicted, &simulated);
    if (!status)
        status = add(v, pattern,
                     (finding){.direction = directions[e->direction],
                               .quantity = "saturation",
                               .load = 1,
                               .predicted = predicted * e->packets,
                               .simulated = simulated * e->packets});
    for (size_t i = 0; i < PARTS_COUNT && !status; i++)
        status = compare_part(v, e, pattern, PARTS[i], simulated);
    return status;
}

/* Each node to each other one. */
static int uniform_flows(experiment *e)
{
    const uint32_t nodes = e->shape.nodes;
    const uint32_t width =
        (uint32_t)ws_machine_network_option(e->machine, e->direction, ws_network_common_options, "flit_bytes");
    const uint32_t flits = (ws_noc_machine_bytes(e->machine, e->direction) + width - 1) / width;
    e->flow = malloc((size_t)nodes * nodes * sizeof *e->flow);
    if (!e->flow)
        return ws_fail(WS_EMEM, "out of memory");
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = 0; b < nodes; b++)
            if (a != b)
                e->flow[e->flows++] = (ws_noc_flow){a, b, flits, 1.0 / nodes / (nodes - 1)};
    return WS_OK;
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

static int verify_pattern(verification *v, unsigned direction, pattern which)
{
    static const char *const names[PATTERNS] = {"memory", "memory-quarter", "uniform"};
    experiment e = {.machine = v->machine, .direction = direction};
    int status = ws_noc_machine_shape(v->machine, direction, &e.kind, &e.shape);
    if (!status)
        status = which == UNIFORM ? uniform_flows(&e) : memory_flows(&e, which == QUARTER ? FEW : 1);
    if (!status && e.flows)
        status = run_experiment(v, &e, names[which]);
    free(e.flow);
    return status;
}

/* ------------------------------------------------------------------------------------------------ traces */

/* Who sent how much to whom, as a pattern. */
static int compare_matrix(verification *v, const ws_network *net, const char *workload, unsigned direction)
{
    experiment e = {.machine = v->machine, .direction = direction};
    int status = ws_noc_machine_shape(v->machine, direction, &e.kind, &e.shape);
    if (!status)
        status = ws_noc_measured_flows(v->machine, direction, net, &e.flow, &e.flows);
    if (!status)
        status = run_experiment(v, &e, workload);
    free(e.flow);
    return status;
}

static int compare_measured(verification *v, const ws_sim *sim, const char *workload, unsigned direction)
{
    const ws_network *const net = ws_memory_side_network(ws_sim_memory_side(sim), 0, (ws_direction)direction);
    ws_noc_measured m;
    if (!ws_network_sum(net).packets_out)
        return WS_OK;
    int status = compare_matrix(v, net, workload, direction);
    if (!status)
        status = ws_noc_measure(v->machine, direction, net, &m);
    return status ? status
                  : add(v, workload,
                        (finding){.direction = directions[direction],
                                  .quantity = "in_bursts",
                                  .load = m.busiest,
                                  .predicted = m.predicted,
                                  .simulated = m.simulated});
}

static int verify_trace(verification *v, const char *path)
{
    ws_trace *trace;
    ws_sim *sim = NULL;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    char *const workload = ws_trace_workload(trace);
    if (!workload)
        status = WS_EMEM;
    else if (ws_trace_damage(trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace));
    if (!status)
        status = ws_sim_create(v->machine, NULL, &sim);
    if (!status)
        status = ws_verify_simulate(trace, v->machine, sim, NULL);
    for (unsigned d = 0; d < DIRECTIONS && !status; d++)
        status = compare_measured(v, sim, workload, d);
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_sim_destroy(sim);
    ws_trace_close(trace);
    free(workload);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

static int add_row(const verification *v, ws_frame *frame, size_t i, size_t columns)
{
    const finding *const f = &v->found[i];
    const unsigned d = !strcmp(f->direction, directions[1]);
    const char *const label[] = {f->workload, ws_machine_network_kind(v->machine, d), f->direction, f->quantity};
    int status = WS_OK;
    for (size_t k = 0; k < sizeof label / sizeof *label && !status; k++)
        status = ws_frame_set_label(frame, i, k, label[k]);
    const double band = f->judged ? v->request->worst : NAN, within = f->judged ? error_of(f) <= band : NAN;
    const double value[] = {f->load, f->predicted, f->simulated, error_of(f), band, within};
    memcpy(frame->value + i * columns, value, columns * sizeof *value);
    return status;
}

static int print(const verification *v, int argc, char **argv)
{
    static const char *const labels[] = {"workload", "network", "direction", "quantity"};
    static const char *const columns[][2] = {{"load", "ratio"},  {"predicted", ""}, {"simulated", ""},
                                             {"error", "ratio"}, {"band", "ratio"}, {"within", ""}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    ws_frame *const frame = ws_frame_create(v->findings, COLUMNS, sizeof labels / sizeof *labels, labels);
    int status = frame ? ws_cli_sign(frame, argc, argv) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(frame,
                               "machine: %s; latency in network cycles, saturation in packets a network cycle; load as "
                               "a part of saturation, in_bursts the mean one",
                               v->machine->name);
    for (size_t i = 0; i < COLUMNS && !status; i++)
        status = ws_frame_set_column(frame, i, columns[i][0], columns[i][1], "");
    for (size_t i = 0; i < v->findings && !status; i++)
        status = add_row(v, frame, i, COLUMNS);
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

/* Errors of a quantity, sorted; their number. */
static size_t errors_of(const verification *v, const char *quantity, double *error)
{
    size_t count = 0;
    for (size_t i = 0; i < v->findings; i++)
        if (!strcmp(v->found[i].quantity, quantity))
            error[count++] = error_of(&v->found[i]);
    gsl_sort(error, 1, count);
    return count;
}

static double median_of(const double *error, size_t count)
{
    return count ? gsl_stats_median_from_sorted_data(error, 1, count) : 0;
}

static void tell(const verification *v, const char *quantity, const char *what, double *error)
{
    const size_t count = errors_of(v, quantity, error);
    if (count)
        fprintf(stderr, "; not judged, %s: median error %.1f %%, at most %.1f %%", what, 100 * median_of(error, count),
                100 * error[count - 1]);
}

static int judge(const verification *v)
{
    size_t beyond = 0;
    double *const error = malloc((v->findings + 1) * sizeof *error);
    if (!error)
        return ws_fail(WS_EMEM, "out of memory");
    const size_t judged = errors_of(v, "latency", error);
    const double median = median_of(error, judged);
    for (size_t i = 0; i < judged; i++)
        beyond += error[i] > v->request->worst;
    fprintf(stderr, "warpscape verify: %zu of %zu latencies within their bands; median error %.1f %%, at most %.1f %%",
            judged - beyond, judged, 100 * median, judged ? 100 * error[judged - 1] : 0);
    tell(v, "saturation", "saturation", error);
    tell(v, "in_bursts", "of traces in their bursts", error);
    fputc('\n', stderr);
    free(error);
    if (!beyond && median <= v->request->median)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "%zu latencies are beyond their bands%s", beyond,
                   median <= v->request->median ? "" : ", and the median error, too");
}

static int run(verification *v)
{
    int status = ws_machine_set(v->machine, "network.frame_cycles", WS_NOC_MEASURED_FRAME_CYCLES);
    if (!status)
        status = ws_machine_set(v->machine, "network.frames", WS_NOC_MEASURED_FRAMES);
    if (!status)
        status = ws_machine_check(v->machine);
    for (unsigned d = 0; d < DIRECTIONS && !status; d++)
        for (pattern p = 0; p < PATTERNS && !status; p++)
            if (p != UNIFORM || !v->machine->network_cluster) /* where each node has a slice that is what SMs do */
                status = verify_pattern(v, d, p);
    for (size_t i = 0; i < v->request->traces->count && !status; i++)
        status = verify_trace(v, v->request->traces->path[i]);
    return status;
}

int ws_verify_network(const ws_verify_request *request, int argc, char **argv)
{
    verification v = {.request = request};
    int status = ws_machine_read(request->folder, request->config, &v.machine);
    if (status)
        return status;
    status =
        v.machine->package_chips > 1
            ? ws_fail(WS_EUNSUPPORTED, "configuration %s has %u chips, and closed forms are of the networks of one",
                      v.machine->name, v.machine->package_chips)
            : run(&v);
    if (!status)
        status = print(&v, argc, argv);
    if (!status)
        status = judge(&v);
    for (size_t i = 0; i < v.findings; i++)
        free(v.found[i].workload);
    free(v.found);
    ws_machine_destroy(v.machine);
    return status;
}
