/* verify_coherence.c - how far do the models of coherence traffic agree with the cycle simulator?
 *
 * Two comparisons for each workload and protocol. Tier 2, the functional replay, gets the accesses in the order in
 * which a simulation that makes them one at a time took them: every count has to be equal. Tier 1, the closed form,
 * gets the profile only: its bytes are compared with those of a simulation as usual, and so is the order of protocols
 * by bytes. */
#include "cli/cli.h"
#include "cli/memory/memory_estimate.h"
#include "base/waiting_note.h"
#include "cli/trace_files.h"
#include "cli/verify.h"

#include "base/grow.h"
#include "collect/trace/waits.h"
#include "collect/wst/wst.h"
#include "model/coherence/closed_form.h"
#include "model/coherence/replay.h"
#include "model/coherence/traffic_activity.h"
#include "model/power/power.h"
#include "model/machine/closed_machine.h"
#include "model/sim/sim.h"
#include "model/sim/sim_activity.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = WS_VERIFY_PROTOCOLS };

static const double APART = 0.05; /* protocols whose bytes differ by more, in parts of the smaller, must be in order */

/* A line of the report. */
typedef struct finding {
    char *workload;
    const char *protocol, *quantity, *unit;
    unsigned tier;
    double predicted, simulated, band;
    bool within;
} finding;

typedef struct verification {
    const ws_verify_request *request;
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
    int status = ws_machine_read(v->request->folder, v->request->config, &machine);
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
    ws_activity did[MOST];      /* by the profile alone */
    ws_memory_estimate *memory; /* NULL: energy is not compared, or the machine has SRAM alone */
    uint32_t bursts;            /* of memory in a line */
    size_t forms;
} profiles;

static int add_profile(profiles *p, size_t i, const char *kernel, const ws_traffic_profile *profile)
{
    ws_closed_result one = {0};
    ws_activity did;
    int status = ws_closed_form_add(p->form[i], kernel, profile, &p->result[i]);
    if (!status)
        status = ws_closed_form_add(p->form[i], kernel, profile, &one);
    if (status)
        return status;
    ws_closed_activity(&one, p->bursts, &did);
    ws_launch_activity(&p->closed[i], profile, &one, &did);
    status = ws_memory_estimate_change(p->memory, kernel, &p->closed[i], profile, &one, &did);
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
        status = add_profile(p, i, launch->kernel, profile);
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

static int note_quantity(verification *v, const char *workload, const char *protocol, const char *quantity,
                         const char *unit, double predicted, double simulated)
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

static int note_energy(verification *v, const char *workload, const char *protocol, const ws_machine *machine,
                       const ws_activity *estimate, const ws_sim *sim)
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
    return status ? status
                  : note_quantity(v, workload, protocol, "cycles", "cycles", predicted.cycles, simulated.cycles);
}

/* Bytes that the caches which follow the protocol put on the network. */
static int simulated_bytes(verification *v, ws_trace *trace, const char *workload, const char *protocol,
                           const ws_activity *estimate, double *bytes)
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
    return ws_note_waiting(v->notes, workload, waiting, ws_trace_launches(trace));
}

static int verify_trace(verification *v, const char *path, double done)
{
    ws_trace *trace;
    const ws_verify_request *const r = v->request;
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
        status = ws_verify_set_row(
            frame, i,
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
    const bool bytes = judge_errors(v, "bytes", v->error, v->errors),
               energy = judge_errors(v, "energy", v->joules_error, v->joules_errors);
    fputc('\n', stderr);
    if (!beyond && bytes && energy)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "%zu quantities are beyond their bands%s%s", beyond,
                   bytes ? "" : ", and the median error of bytes, too",
                   energy ? "" : ", and the median error of energy, too");
}

static int verify_all(verification *v, int argc, char **argv)
{
    char message[1024];
    int status = WS_OK;
    ws_progress_begin(&v->bar);
    for (size_t i = 0; i < v->request->traces->count && !status; i++)
        status = verify_trace(v, v->request->traces->path[i], (double)i / (double)v->request->traces->count);
    ws_progress_end(&v->bar);
    snprintf(message, sizeof message, "%s", ws_message());
    const int printed = v->findings ? print_findings(v, argc, argv) : WS_OK;
    if (status)
        return ws_fail(status, "%s", message);
    return printed ? printed : judge(v);
}

int ws_verify_coherence(const ws_verify_request *request, int argc, char **argv)
{
    verification v = {.request = request, .notes = ws_frame_create(0, 0, 1, NULL)};
    const int status = v.notes ? verify_all(&v, argc, argv) : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < v.findings; i++)
        free(v.found[i].workload);
    free(v.found);
    free(v.error);
    free(v.joules_error);
    ws_frame_destroy(v.notes);
    return status;
}
