/* cmd_verify.c - `warpscape verify`: how far do the models agree with the cycle simulator?
 *
 * Two comparisons for each workload and protocol. Tier 2, the functional replay, gets the accesses in the order in which
 * a simulation that makes them one at a time took them: every count has to be equal. Tier 1, the closed form, gets the
 * profile only: its bytes are compared with those of a simulation as usual, and so is the order of protocols by bytes. */
#include "cli/cli.h"
#include "cli/memory/memory_estimate.h"
#include "cli/common/data_folder.h"
#include "cli/common/waiting_note.h"
#include "cli/start/suite.h"
#include "cli/trace_files.h"
#include "cli/verify.h"

#include "base/grow.h"
#include "collect/trace/waits.h"
#include "collect/wst/wst.h"
#include "model/coherence/closed_form.h"
#include "model/coherence/replay.h"
#include "model/coherence/traffic_activity.h"
#include "model/power/power.h"
#include "model/sim/closed_machine.h"
#include "model/sim/sim.h"
#include "model/sim/sim_activity.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

/* Bands of tier 1, in parts of the simulated bytes; protocols that differ by more than the last must be in order. */
static const double WORST = 0.25, MEDIAN = 0.10, APART = 0.05;
static const double NETWORK_WORST = 0.10; /* of --network */
static const double SHARING_WORST = 0.05; /* of --sharing */
static const double SYNC_WORST = 0.30; /* of --sync: cycles of a barrier */
static const double RACES_WORST = 0.05; /* of --races */
static const double MEMORY_WORST = 0.35, MEMORY_MEDIAN = 0.15; /* of --memory: each energy; cycles */

typedef struct request {
    const char *config;
    const char *protocol[MOST];
    size_t protocols;
    ws_trace_files traces;
    unsigned tier; /* 0: both */
    bool energy;   /* joules, too */
    bool network;  /* closed forms of networks, and nothing else */
    bool sharing;    /* where CTAs run and what SMs share, and nothing else */
    bool sync;       /* barriers of the whole grid, and nothing else */
    bool divergence; /* what helps against memory divergence, and nothing else */
    bool races;      /* what race detection finds, and nothing else */
    const char *memory; /* closed forms of memories for the profiles of this file, and nothing else; NULL */
    size_t scale;
    uint64_t seed;
    bool has_scale, has_seed;
    double worst, median;
    int failed; /* a folder without traces */
} request;

/* A line of the report. */
typedef struct finding {
    char *workload;
    const char *protocol, *quantity, *unit;
    unsigned tier;
    double predicted, simulated, band;
    bool within;
} finding;

typedef struct verification {
    const request *request;
    const char *folder;
    finding *found;
    size_t findings, room;
    double *error; /* of bytes of tier 1, for the median */
    size_t errors, error_room;
    double *joules_error; /* of energy */
    size_t joules_errors, joules_room;
    ws_progress bar;
    ws_frame *notes;
    bool remarked; /* what predictions for the machine do not know is among them */
} verification;

enum { KEY_MEMORY = 0x100, KEY_SCALE, KEY_SEED, KEY_DIVERGENCE, KEY_SHARING, KEY_SYNC, KEY_RACES };

static const struct argp_option options[] = {
    {"config", 'c', "MACHINE", 0, "A file of data/configs by its name, or a path [gtsc; with --memory sttram-sram, with --divergence fermi, with --sharing sharing, with --sync qv100, with --races races]", 0},
    {"protocol", 'p', "NAME", 0, "A protocol; may be given again [all that the tier covers]", 0},
    {"tier", 't', "1|2", 0, "Only this tier [both]", 0},
    {"worst", 'w', "PERCENT", 0, "Error that bytes of tier 1 may have at most [25]; latencies of --network [10]; energies of --memory [35]; what SMs share, --sharing [5]; cycles of --sync [30]; what --races compares [5]", 0},
    {"median", 'm', "PERCENT", 0, "Error that they may have in the median [10]; cycles of --memory [15], whose energies have 5", 0},
    {"energy", 'e', NULL, 0, "Tier 1: compare joules and cycles, too, in the same bands", 0},
    {"network", 'n', NULL, 0, "Compare latencies of the machine's networks, by closed forms, instead: with patterns, and with what traces make them carry", 0},
    {"memory", KEY_MEMORY, "FILE", 0, "Compare closed forms of magnetic memories (model memory), for the profiles of this results file, with its built-in workloads live on the same machines, instead", 0},
    {"divergence", KEY_DIVERGENCE, NULL, 0, "Compare what helps against memory divergence, by walks through caches (model divergence), with simulations of the same mechanisms, instead", 0},
    {"sharing", KEY_SHARING, NULL, 0, "Compare where blocks run and what SMs share (model sharing) with simulations by the same CTA schedulers, instead", 0},
    {"sync", KEY_SYNC, NULL, 0, "Compare closed forms of barriers of the whole grid (model sync) with the same barriers live on four SMs of the machine, instead", 0},
    {"races", KEY_RACES, NULL, 0, "Compare what race detection finds and costs (model races) with simulations of the same machine, instead", 0},
    {"scale", KEY_SCALE, "tiny|small|study", 0, "With --memory: size of the inputs of these profiles [tiny]", 0},
    {"seed", KEY_SEED, "N", 0, "With --memory: their seed [1]", 0},
    {0},
};

/* What --memory compares is its own. */
static void check_memory(request *r, const struct argp_state *state)
{
    if (!r->memory && (r->has_scale || r->has_seed))
        argp_error(state, "--scale and --seed go with --memory");
    if (!r->memory)
        return;
    if (r->energy || r->tier || r->protocols || r->network)
        argp_error(state, "--memory compares memories alone: no --tier, --protocol, --energy, --network");
    if (r->traces.count)
        argp_error(state, "--memory takes profiles from its results file and runs the workloads live: no traces");
}

static void check_sharing(const request *r, const struct argp_state *state)
{
    if (r->sharing && (r->energy || r->tier || r->protocols || r->network || r->memory || r->divergence))
        argp_error(state, "--sharing compares CTA schedulers alone: no --tier, --protocol, --energy, --network, --memory, --divergence");
    if (r->sharing && r->median >= 0)
        argp_error(state, "--sharing judges each error: no --median");
}

static void check_sync(const request *r, const struct argp_state *state)
{
    if (r->sync && (r->energy || r->tier || r->protocols || r->network || r->memory || r->divergence || r->sharing))
        argp_error(state, "--sync compares barriers alone: no --tier, --protocol, --energy, --network, --memory, --divergence, --sharing");
    if (r->sync && r->median >= 0)
        argp_error(state, "--sync judges each error: no --median");
    if (r->sync && r->traces.count)
        argp_error(state, "--sync runs its workload live: no traces");
}

/* And what --races compares. */
static void check_races(const request *r, const struct argp_state *state)
{
    if (r->races && (r->energy || r->tier || r->network || r->memory || r->divergence || r->sharing))
        argp_error(state, "--races compares race detection alone: no --tier, --energy, --network, --memory, --divergence, --sharing");
    if (r->races && r->median >= 0)
        argp_error(state, "--races judges each count: no --median");
    for (size_t i = 0; r->races && i < r->protocols; i++)
        if (!ws_coherence_detects_races(r->protocol[i]))
            argp_error(state, "--races: %s detects no races; give drd, drd-spec or drd-ideal", r->protocol[i]);
}

/* So is what --divergence compares. */
static void check_divergence(const request *r, const struct argp_state *state)
{
    if (r->divergence && (r->energy || r->tier || r->protocols || r->network || r->memory))
        argp_error(state, "--divergence compares mechanisms against divergence alone: no --tier, --protocol, --energy, --network, --memory");
    if (r->divergence && (r->worst >= 0 || r->median >= 0))
        argp_error(state, "--divergence judges the order of pairs, not errors: no --worst, --median");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'c':
        r->config = arg;
        return 0;
    case 'p':
        if (!ws_coherence_protocol_summary(arg))
            argp_error(state, "--protocol: there is no '%s' (see `warpscape model coherence --help')", arg);
        if (r->protocols == MOST)
            argp_error(state, "--protocol: too many");
        r->protocol[r->protocols++] = arg;
        return 0;
    case 't':
        r->tier = (unsigned)ws_cli_u64(state, "--tier", arg, 1, 2);
        return 0;
    case 'w':
        r->worst = ws_cli_double(state, "--worst", arg, 0, 1000) / 100;
        return 0;
    case 'm':
        r->median = ws_cli_double(state, "--median", arg, 0, 1000) / 100;
        return 0;
    case 'e':
        r->energy = true;
        return 0;
    case 'n':
        r->network = true;
        return 0;
    case KEY_MEMORY:
        r->memory = arg;
        return 0;
    case KEY_DIVERGENCE:
        r->divergence = true;
        return 0;
    case KEY_SHARING:
        r->sharing = true;
        return 0;
    case KEY_SYNC:
        r->sync = true;
        return 0;
    case KEY_RACES:
        r->races = true;
        return 0;
    case KEY_SCALE:
        r->has_scale = true;
        r->scale = ws_cli_choice(state, "--scale", arg, ws_suite_scales);
        return 0;
    case KEY_SEED:
        r->has_seed = true;
        r->seed = ws_cli_u64(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case ARGP_KEY_ARG:
        r->failed = r->failed ? r->failed : ws_trace_files_add(&r->traces, arg);
        return 0;
    case ARGP_KEY_END:
        check_memory(r, state);
        check_divergence(r, state);
        check_sharing(r, state);
        check_sync(r, state);
        check_races(r, state);
        if (!r->traces.count && !r->failed && !r->network && !r->memory && !r->sync)
            argp_error(state, "which trace files, or folder of them?");
        if (r->network && (r->energy || r->tier || r->protocols))
            argp_error(state, "--network compares networks alone: no --tier, --protocol, --energy");
        if (r->worst < 0)
            r->worst = r->network ? NETWORK_WORST : r->memory ? MEMORY_WORST : r->sharing ? SHARING_WORST : r->sync ? SYNC_WORST : r->races ? RACES_WORST : WORST;
        if (r->median < 0)
            r->median = r->memory ? MEMORY_MEDIAN : MEDIAN;
        if (!r->config)
            r->config = r->memory ? "sttram-sram" : r->divergence ? "fermi" : r->sharing ? "sharing" : r->sync ? "qv100" : r->races ? "races" : "gtsc";
        if (r->energy && r->tier == 2)
            argp_error(state, "--energy is of tier 1: tier 2 has no time");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[FILE.wst|DIR...]",
    .doc = "Compares the models of coherence traffic with the cycle simulator, and prints what each predicted, what was "
           "simulated, and the error, as CSV. The exit status is 1 when an error is beyond its band.\v"
           "Tier 2 replays accesses in the order of a simulation that makes them one at a time: all counts have to be equal "
           "(protocols with physical leases, where time decides, are left out). Tier 1 predicts bytes from a profile, and the "
           "order of protocols by bytes where they differ by more than 5 percent. --network needs no trace: it loads the machine's networks from 10 to 70 percent of their "
           "saturation; docs/noc.md. --memory needs no trace either: counts have to be equal; docs/memory.md. --divergence judges the order of mechanisms and of kernels; docs/divergence.md. "
           "--sharing wants the same first waves; docs/sharing.md. --sync needs no trace: counts have to be equal; docs/synchronization.md. "
           "--races wants the counts of a replay in the order of a simulation to be equal; docs/races.md.\n\n"
           "Example: warpscape suite run --scale tiny --trace traces && warpscape verify traces",
};

/* ------------------------------------------------------------------------------------------------ findings */

static int add_finding(verification *v, finding f, const char *workload)
{
    if (WS_GROW(v->found, v->room, v->findings, 1))
        return WS_EMEM;
    f.workload = strdup(workload);
    if (!f.workload)
        return ws_fail(WS_EMEM, "out of memory");
    v->found[v->findings++] = f;
    return WS_OK;
}

static double error_of(double predicted, double simulated)
{
    if (simulated == 0)
        return predicted == 0 ? 0 : INFINITY;
    return fabs(predicted - simulated) / simulated;
}

/* ------------------------------------------------------------------------------------------------ machines */

static int read_machine(const verification *v, const char *protocol, ws_machine **out)
{
    ws_machine *machine;
    int status = ws_machine_read(v->folder, v->request->config, &machine);
    if (status)
        return status;
    status = ws_machine_set(machine, "coherence.protocol", protocol);
    if (!status)
        status = ws_machine_check(machine);
    if (status)
        ws_machine_destroy(machine);
    else
        *out = machine;
    return status;
}

/* ------------------------------------------------------------------------------------------------ tier 2 */

/* All that race detection counts. */
static int compare_races(verification *v, const char *workload, const char *protocol, const ws_race_counts *simulated,
                         const ws_race_counts *predicted)
{
    const struct {
        const char *name;
        uint64_t predicted, simulated;
    } counts[] = {
#define COUNT(name, meaning) {"race_" #name, predicted->name, simulated->name},
#include "model/coherence/race_counts.def"
#undef COUNT
    };
    int status = WS_OK;
    for (size_t i = 0; i < sizeof counts / sizeof *counts && !status; i++)
        status = add_finding(v,
                             (finding){.protocol = protocol,
                                       .quantity = counts[i].name,
                                       .unit = "events",
                                       .tier = 2,
                                       .predicted = (double)counts[i].predicted,
                                       .simulated = (double)counts[i].simulated,
                                       .within = counts[i].predicted == counts[i].simulated},
                             workload);
    return status;
}

static int compare_messages(verification *v, const char *workload, const char *protocol, const ws_sim_sums *sums,
                            const ws_coherence_traffic *traffic)
{
    int status = WS_OK;
    for (int type = 0; type < WS_MESSAGE_COUNT && !status; type++) {
        const double predicted = (double)traffic->messages[type], simulated = (double)sums->messages[type];
        if ((predicted == 0 && simulated == 0) || type == WS_MESSAGE_DRAM_READ || type == WS_MESSAGE_DRAM_FILL ||
            type == WS_MESSAGE_DRAM_WRITE)
            continue; /* read-only caches share L2, so memory is used by others, too */
        status = add_finding(v,
                             (finding){.protocol = protocol,
                                       .quantity = ws_message_name((ws_message_type)type),
                                       .unit = "messages",
                                       .tier = 2,
                                       .predicted = predicted,
                                       .simulated = simulated,
                                       .within = predicted == simulated},
                             workload);
    }
    if (!status && ws_coherence_detects_races(protocol))
        status = compare_races(v, workload, protocol, &sums->races, &traffic->races);
    if (status)
        return status;
    return add_finding(v,
                       (finding){.protocol = protocol,
                                 .quantity = "l1_hits",
                                 .unit = "accesses",
                                 .tier = 2,
                                 .predicted = (double)traffic->l1.hits,
                                 .simulated = (double)sums->l1.hits,
                                 .within = traffic->l1.hits == sums->l1.hits},
                       workload);
}

static int verify_order(verification *v, ws_trace *trace, const char *workload, const char *protocol)
{
    ws_machine *machine;
    ws_coherence_traffic traffic;
    ws_sim_sums sums;
    int status = read_machine(v, protocol, &machine);
    if (status)
        return status;
    status = ws_verify_in_order(trace, machine, &sums, &traffic);
    if (status)
        status = ws_fail_context(status, "%s, %s", workload, protocol);
    else
        status = compare_messages(v, workload, protocol, &sums, &traffic);
    ws_machine_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------------ tier 1 */

typedef struct profiles {
    ws_profiler *profiler;
    ws_closed_form *form[MOST];
    ws_closed_machine closed[MOST];
    ws_closed_result result[MOST];
    ws_activity did[MOST]; /* by the profile alone */
    ws_memory_estimate *memory; /* NULL: energy is not compared, or the machine has SRAM alone */
    uint32_t bursts;       /* of memory in a line */
    size_t forms;
} profiles;

static int add_profile(profiles *p, size_t i, const ws_traffic_profile *profile)
{
    ws_closed_result one = {0};
    ws_activity did;
    ws_closed_form_add(p->form[i], profile, &p->result[i]);
    ws_closed_form_add(p->form[i], profile, &one);
    ws_closed_activity(&one, p->bursts, &did);
    ws_launch_activity(&p->closed[i], profile, &one, &did);
    const int status = ws_memory_estimate_change(p->memory, &p->closed[i], profile, &one, &did);
    ws_activity_add(&p->did[i], &did);
    return status;
}

static int take_profile(void *context, const ws_launch *launch, size_t sink, void *state)
{
    profiles *const p = context;
    (void)sink;
    ws_traffic_profile *const profile = malloc(sizeof *profile);
    if (!profile)
        return ws_fail(WS_EMEM, "out of memory");
    int status = ws_profiler_finish(p->profiler, launch, state, profile);
    for (size_t i = 0; i < p->forms && !status; i++)
        status = add_profile(p, i, profile);
    free(profile);
    return status;
}

static int predict(ws_trace *trace, profiles *p)
{
    int status = ws_profiler_create(&p->profiler);
    for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++) {
        const ws_sink *const sink = ws_profiler_sink(p->profiler);
        const ws_replay how = {.sinks = &sink, .sink_count = 1, .workers = 1, .collect = take_profile, .context = p};
        ws_replay_result result;
        status = ws_trace_replay(trace, i, &how, &result);
    }
    ws_profiler_destroy(p->profiler);
    p->profiler = NULL;
    return status;
}

static int note_remark(verification *v, const ws_closed_machine *closed)
{
    char remark[256];
    ws_closed_form_remark(closed, remark, sizeof remark);
    if (v->remarked || !*remark)
        return WS_OK;
    v->remarked = true;
    return ws_frame_note(v->notes, "closed forms: %s", remark);
}

static int prepare_form(verification *v, const char *protocol, profiles *p, size_t i)
{
    ws_machine *machine;
    ws_dram_part part = {0};
    int status = read_machine(v, protocol, &machine);
    if (status)
        return status;
    status = ws_closed_machine_of(machine, protocol, &p->closed[i]);
    if (!status)
        status = ws_closed_form_create(&p->closed[i], &p->form[i]);
    if (!status)
        status = ws_machine_part(machine, &part);
    if (!status)
        p->bursts = part.burst_bytes < machine->l2_line ? machine->l2_line / part.burst_bytes : 1;
    if (!status)
        status = note_remark(v, &p->closed[i]);
    if (!status && v->request->energy && !p->memory)
        status = ws_memory_estimate_create(machine, &p->memory);
    ws_machine_destroy(machine);
    return status;
}

/* Joules and cycles of what was predicted and of what was simulated. */
typedef struct pair {
    double joules, cycles;
} pair;

static pair pair_of(const ws_power *power, const ws_activity *did)
{
    ws_energy e = {0};
    ws_power_energy(power, did, &e);
    return (pair){.joules = ws_energy_total(&e), .cycles = (double)did->core_cycles[0]};
}

static int note_quantity(verification *v, const char *workload, const char *protocol, const char *quantity, const char *unit,
                         double predicted, double simulated)
{
    return add_finding(v,
                       (finding){.protocol = protocol,
                                 .quantity = quantity,
                                 .unit = unit,
                                 .tier = 1,
                                 .predicted = predicted,
                                 .simulated = simulated,
                                 .band = v->request->worst,
                                 .within = error_of(predicted, simulated) <= v->request->worst},
                       workload);
}

static int note_energy(verification *v, const char *workload, const char *protocol, const ws_machine *machine, const ws_activity *estimate,
                       const ws_sim *sim)
{
    ws_power *power = NULL;
    ws_activity did;
    const int created = ws_power_create(machine, &(ws_power_options){0}, &power);
    if (created)
        return created;
    ws_sim_activity(sim, &did);
    const pair predicted = pair_of(power, estimate), simulated = pair_of(power, &did);
    ws_power_destroy(power);
    if (WS_GROW(v->joules_error, v->joules_room, v->joules_errors, 1))
        return ws_fail(WS_EMEM, "out of memory");
    v->joules_error[v->joules_errors++] = error_of(predicted.joules, simulated.joules);
    const int status = note_quantity(v, workload, protocol, "energy", "J", predicted.joules, simulated.joules);
    return status ? status : note_quantity(v, workload, protocol, "cycles", "cycles", predicted.cycles, simulated.cycles);
}

/* Bytes that the caches which follow the protocol put on the network. */
static int simulated_bytes(verification *v, ws_trace *trace, const char *workload, const char *protocol, const ws_activity *estimate,
                           double *bytes)
{
    ws_machine *machine;
    ws_sim *sim = NULL;
    int status = read_machine(v, protocol, &machine);
    if (status)
        return status;
    status = ws_sim_create(machine, NULL, &sim);
    if (!status)
        status = ws_verify_simulate(trace, machine, sim, NULL);
    if (!status) {
        ws_sim_sums sums;
        ws_sim_sum(sim, &sums);
        *bytes = (double)(sums.request.bytes_in + sums.reply.bytes_in - sums.read_only_bytes);
    }
    if (!status && v->request->energy)
        status = note_energy(v, workload, protocol, machine, estimate, sim);
    ws_sim_destroy(sim);
    ws_machine_destroy(machine);
    return status;
}

static int note_bytes(verification *v, const char *workload, const char *protocol, double predicted, double simulated)
{
    if (WS_GROW(v->error, v->error_room, v->errors, 1))
        return WS_EMEM;
    v->error[v->errors++] = error_of(predicted, simulated);
    return add_finding(v,
                       (finding){.protocol = protocol,
                                 .quantity = "network_bytes",
                                 .unit = "bytes",
                                 .tier = 1,
                                 .predicted = predicted,
                                 .simulated = simulated,
                                 .band = v->request->worst,
                                 .within = error_of(predicted, simulated) <= v->request->worst},
                       workload);
}

/* Pairs of protocols whose bytes differ clearly, and of these the pairs that the model has in the same order. */
static int note_ranking(verification *v, const char *workload, const double *predicted, const double *simulated,
                        size_t n)
{
    double apart = 0, right = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            const double low = fmin(simulated[i], simulated[k]), high = fmax(simulated[i], simulated[k]);
            if (high <= low * (1 + APART))
                continue;
            apart++;
            right += (simulated[i] < simulated[k]) == (predicted[i] < predicted[k]);
        }
    return add_finding(v,
                       (finding){.protocol = "all",
                                 .quantity = "pairs_in_order",
                                 .unit = "pairs",
                                 .tier = 1,
                                 .predicted = right,
                                 .simulated = apart,
                                 .within = right == apart},
                       workload);
}

static int verify_bytes(verification *v, ws_trace *trace, const char *workload, const char *const *protocol, size_t n)
{
    profiles *const p = calloc(1, sizeof *p);
    double predicted[MOST], simulated[MOST];
    const char *covered[MOST];
    int status = p ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        if (!ws_closed_form_knows(protocol[i]))
            continue;
        covered[p->forms] = protocol[i];
        status = prepare_form(v, protocol[i], p, p->forms++);
    }
    if (!status)
        status = predict(trace, p);
    for (size_t i = 0; !status && i < p->forms; i++) {
        predicted[i] = p->result[i].network_bytes;
        status = simulated_bytes(v, trace, workload, covered[i], &p->did[i], &simulated[i]);
        if (!status)
            status = note_bytes(v, workload, covered[i], predicted[i], simulated[i]);
    }
    if (!status && p->forms > 1)
        status = note_ranking(v, workload, predicted, simulated, p->forms);
    for (size_t i = 0; p && i < p->forms; i++)
        ws_closed_form_destroy(p->form[i]);
    if (p)
        ws_memory_estimate_destroy(p->memory);
    free(p);
    return status;
}

/* ------------------------------------------------------------------------------------------------ traces */

static int note_waiting(const verification *v, const ws_trace *trace, const char *workload)
{
    uint64_t waiting = 0;
    for (size_t i = 0; i < ws_trace_launches(trace); i++)
        waiting += ws_launch_waits(&ws_trace_get(trace, i)->launch);
    return ws_cli_note_waiting(v->notes, workload, waiting, ws_trace_launches(trace));
}

static int verify_trace(verification *v, const char *path, double done)
{
    ws_trace *trace;
    const request *const r = v->request;
    const char *all[MOST], *name;
    size_t n = 0;
    for (size_t i = 0; !r->protocols && (name = ws_coherence_protocol_name(i)) && n < MOST; i++)
        if (ws_closed_form_knows(name)) /* those that both tiers know, as `model coherence` does */
            all[n++] = name;
    const char *const *const protocol = r->protocols ? r->protocol : all;
    n = r->protocols ? r->protocols : n;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    char *const workload = ws_trace_workload(trace);
    if (!workload)
        status = WS_EMEM;
    else if (ws_trace_damage(trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace));
    if (!status)
        ws_progress_show(&v->bar, workload, done);
    if (!status)
        status = note_waiting(v, trace, workload);
    for (size_t i = 0; i < n && !status && r->tier != 1; i++)
        if (!ws_coherence_is_physical(protocol[i]))
            status = verify_order(v, trace, workload, protocol[i]);
    if (!status && r->tier != 2)
        status = verify_bytes(v, trace, workload, protocol, n);
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_trace_close(trace);
    free(workload);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

static int print_findings(const verification *v, int argc, char **argv)
{
    static const char *const labels[WS_VERIFY_LABELS] = {"workload", "protocol", "tier", "quantity"};
    ws_frame *frame;
    int status = ws_verify_frame(v->findings, labels, argc, argv, &frame);
    if (!status)
        status = ws_frame_note(frame, "machine: %s", v->request->config);
    for (size_t i = 0; i < v->notes->notes && !status; i++)
        status = ws_frame_note(frame, "%s", v->notes->note[i]);
    for (size_t i = 0; i < v->findings && !status; i++) {
        const finding *const f = &v->found[i];
        status = ws_verify_set_row(frame, i,
                                   &(ws_verify_row){.label = {f->workload, f->protocol, f->tier == 1 ? "1" : "2", f->quantity},
                                                    .predicted = f->predicted,
                                                    .simulated = f->simulated,
                                                    .error = error_of(f->predicted, f->simulated),
                                                    .band = f->band,
                                                    .within = f->within});
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

/* Sorts the errors; says their median and worst, and whether the former is within its band. */
static bool judge_errors(const verification *v, const char *of, double *error, size_t errors)
{
    if (!errors)
        return true;
    gsl_sort(error, 1, errors);
    const double median = gsl_stats_median_from_sorted_data(error, 1, errors);
    fprintf(stderr, "; median error of %s %.1f %%, at most %.1f %%", of, 100 * median, 100 * error[errors - 1]);
    return median <= v->request->median;
}

static int judge(const verification *v)
{
    size_t beyond = 0;
    for (size_t i = 0; i < v->findings; i++)
        beyond += !v->found[i].within;
    fprintf(stderr, "warpscape verify: %zu of %zu quantities within their bands", v->findings - beyond, v->findings);
    const bool bytes = judge_errors(v, "bytes", v->error, v->errors), energy = judge_errors(v, "energy", v->joules_error, v->joules_errors);
    fputc('\n', stderr);
    if (!beyond && bytes && energy)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "%zu quantities are beyond their bands%s%s", beyond, bytes ? "" : ", and the median error of bytes, too",
                   energy ? "" : ", and the median error of energy, too");
}

static int verify_all(verification *v, int argc, char **argv)
{
    char message[1024];
    int status = WS_OK;
    ws_progress_begin(&v->bar);
    for (size_t i = 0; i < v->request->traces.count && !status; i++)
        status = verify_trace(v, v->request->traces.path[i], (double)i / (double)v->request->traces.count);
    ws_progress_end(&v->bar);
    snprintf(message, sizeof message, "%s", ws_message());
    const int printed = v->findings ? print_findings(v, argc, argv) : WS_OK;
    if (status)
        return ws_fail(status, "%s", message);
    return printed ? printed : judge(v);
}

int ws_cmd_verify(int argc, char **argv)
{
    request r = {.worst = -1, .median = -1, .seed = 1};
    char folder[PATH_MAX];
    ws_cli_parse(&argp, argc, argv, &r);
    ws_interrupts_catch();
    int status = r.failed;
    verification v = {.request = &r, .folder = folder, .notes = ws_frame_create(0, 0, 1, NULL)};
    if (!status && !v.notes)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_cli_data_folder(folder, sizeof folder);
    if (!status && r.network)
        status = ws_verify_network(&(ws_verify_request){folder, r.config, &r.traces, r.worst, r.median}, argc, argv);
    else if (!status && r.sharing)
        status = ws_verify_sharing(&(ws_verify_sharing_request){r.config, &r.traces, r.worst}, argc, argv);
    else if (!status && r.sync)
        status = ws_verify_sync(&(ws_verify_sync_request){r.config, r.worst}, argc, argv);
    else if (!status && r.races)
        status = ws_verify_races(&(ws_verify_races_request){r.config, r.protocol, r.protocols, &r.traces, r.worst}, argc, argv);
    else if (!status && r.divergence)
        status = ws_verify_divergence(&(ws_verify_divergence_request){r.config, &r.traces}, argc, argv);
    else if (!status && r.memory)
        status = ws_verify_memory(&(ws_verify_memory_request){r.config, r.memory, r.scale, r.seed, r.worst, r.median}, argc, argv);
    else if (!status)
        status = verify_all(&v, argc, argv);
    for (size_t i = 0; i < v.findings; i++)
        free(v.found[i].workload);
    free(v.found);
    free(v.error);
    free(v.joules_error);
    ws_frame_destroy(v.notes);
    ws_trace_files_free(&r.traces);
    return status;
}
