/* verify_coherence.c - how far do the models of coherence traffic agree with the cycle simulator?
 *
 * Two comparisons for each workload and protocol. Tier 2, the functional replay, gets the accesses in the order in
 * which a simulation that makes them one at a time took them: every count has to be equal. Tier 1, the closed form,
 * gets the profile only: its bytes are compared with those of a simulation as usual, and so is the order of protocols
 * by bytes. */
#include "base/status.h"
#include "base/waiting_note.h"
#include "collect/trace/waits.h"
#include "model/coherence/closed_form.h"
#include "model/coherence/traffic_activity.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine_choice.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/memory/memory_estimate.h"
#include "model/mechanism/profile_walk.h"
#include "model/mechanism/trace_take.h"
#include "model/mechanism/simulate_launches.h"
#include "collect/wst/wst.h"
#include "model/coherence/replay.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/trace_walk.h"
#include "model/power/power.h"
#include "model/sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = WS_VERIFY_PROTOCOLS };

static const double APART = 0.05; /* protocols whose bytes differ by more, in parts of the smaller, must be in order */

/* How rows are summed up: those of which the median is judged, and the others. */
enum { OTHERS, BYTES, ENERGY };

typedef struct verification {
    ws_verification *to;
    const char *workload;
} verification;

/* ------------------------------------------------------------------------------------------------ findings */

/* Counts of tier 2 have to be equal. */
static ws_compared counts_of(const verification *v, const char *protocol)
{
    return (ws_compared){&v->to->ledger, {v->workload, protocol, "2"}};
}

/* A quantity of tier 1. */
static int add_form(const verification *v, const char *protocol, const char *quantity, unsigned kind, double predicted,
                    double simulated, double band)
{
    const ws_compared of = {&v->to->ledger, {v->workload, protocol, "1"}};
    return ws_compared_add(&of, quantity, kind, ws_relative(predicted, simulated, band));
}

static int read_machine(const verification *v, const char *protocol, ws_machine **out)
{
    return ws_machine_choose(&(ws_machine_choice){.config = v->to->request->config, .protocol = protocol}, out);
}

/* ------------------------------------------------------------------------------------------------ tier 2 */

static int compare_messages(const verification *v, const char *protocol, const ws_sim_sums *sums,
                            const ws_coherence_traffic *traffic)
{
    const ws_compared of = counts_of(v, protocol);
    int status = WS_OK;
    for (ws_message_type type = 0; type < WS_MESSAGE_COUNT && !status; type++) {
        const double predicted = (double)traffic->messages[type], simulated = (double)sums->messages[type];
        if ((predicted == 0 && simulated == 0) || type == WS_MESSAGE_DRAM_READ || type == WS_MESSAGE_DRAM_FILL ||
            type == WS_MESSAGE_DRAM_WRITE)
            continue; /* read-only caches share L2, so memory is used by others, too */
        status = ws_compared_add(&of, ws_message_name(type), OTHERS, ws_relative(predicted, simulated, 0));
    }
    if (!status && ws_coherence_detects_races(protocol))
        status = ws_compared_add_races(&of, "race_", OTHERS, &traffic->races, &sums->races);
    return status ? status
                  : ws_compared_add(&of, "l1_hits", OTHERS,
                                    ws_relative((double)traffic->l1.hits, (double)sums->l1.hits, 0));
}

static int verify_order(const verification *v, ws_trace *trace, const char *protocol)
{
    ws_machine *machine;
    ws_coherence_traffic traffic;
    ws_sim_sums sums;
    int status = read_machine(v, protocol, &machine);
    if (status)
        return status;
    status = ws_simulate_in_order(trace, machine, &sums, &traffic);
    if (status)
        status = ws_fail_context(status, "%s, %s", v->workload, protocol);
    else
        status = compare_messages(v, protocol, &sums, &traffic);
    ws_machine_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------------ tier 1 */

typedef struct profiles {
    ws_profiler *profiler;
    ws_machine *machine[MOST]; /* of the forms */
    ws_closed_form *form[MOST];
    ws_closed_machine closed[MOST];
    ws_closed_result result[MOST];
    ws_activity did[MOST];      /* by the profile alone */
    ws_memory_estimate *memory; /* NULL: energy is not compared, or the machine has SRAM alone */
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
    ws_closed_activity(&one, p->closed[i].bursts, &did);
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
    if (!status) {
        const ws_sink *const sink = ws_profiler_sink(p->profiler);
        status = ws_trace_take(trace, &sink, 1, take_profile, p);
    }
    ws_profiler_destroy(p->profiler);
    p->profiler = NULL;
    return status;
}

static int prepare_form(const verification *v, const char *protocol, profiles *p, size_t i)
{
    int status = read_machine(v, protocol, &p->machine[i]);
    if (!status)
        status = ws_closed_machine_of(p->machine[i], protocol, &p->closed[i]);
    if (!status)
        status = ws_closed_form_create(&p->closed[i], &p->form[i]);
    if (!status)
        status = ws_closed_forms_note(&p->closed[i], v->to->notes);
    if (!status && v->to->request->energy && !p->memory)
        status = ws_memory_estimate_create(p->machine[i], &p->memory);
    if (!status)
        ws_memory_estimate_assume_sram(p->memory, p->form[i]);
    return status;
}

/* Joules and cycles of what was predicted and of what was simulated. */
static int compare_energy(const verification *v, const ws_machine *machine, const ws_activity *estimate,
                          const ws_activity *did)
{
    const char *const protocol = ws_machine_protocol(machine);
    const double worst = v->to->request->worst;
    ws_energy predicted = {0}, simulated = {0};
    ws_power *power;
    int status = ws_power_create(machine, &(ws_power_options){0}, &power);
    if (status)
        return status;
    ws_power_energy(power, estimate, &predicted);
    ws_power_energy(power, did, &simulated);
    ws_power_destroy(power);
    status = add_form(v, protocol, "energy", ENERGY, ws_energy_total(&predicted), ws_energy_total(&simulated), worst);
    return status ? status
                  : add_form(v, protocol, "cycles", OTHERS, (double)estimate->core_cycles[0],
                             (double)did->core_cycles[0], worst);
}

/* Bytes that the caches which follow the protocol put on the network. */
static int simulated_bytes(const verification *v, ws_trace *trace, const char *protocol, const ws_activity *estimate,
                           double *bytes)
{
    ws_machine *machine;
    ws_sim_sums sums = {0};
    ws_activity did;
    int status = read_machine(v, protocol, &machine);
    if (status)
        return status;
    status = ws_simulate_launches(trace, machine, NULL, NULL, NULL, &sums, &did);
    if (!status && v->to->request->energy)
        status = compare_energy(v, machine, estimate, &did);
    *bytes = (double)(sums.request.bytes_in + sums.reply.bytes_in - sums.read_only_bytes);
    ws_machine_destroy(machine);
    return status;
}

/* Pairs of protocols whose bytes differ clearly, and of these the pairs that the model has in the same order. */
static int note_ranking(const verification *v, const double *predicted, const double *simulated, size_t n)
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
    return add_form(v, "all", "pairs_in_order", OTHERS, right, apart, 0);
}

static int verify_bytes(const verification *v, ws_trace *trace, const char *const *protocol, size_t n)
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
        status = simulated_bytes(v, trace, covered[i], &p->did[i], &simulated[i]);
        if (!status)
            status = add_form(v, covered[i], "network_bytes", BYTES, predicted[i], simulated[i], v->to->request->worst);
    }
    if (!status && p->forms > 1)
        status = note_ranking(v, predicted, simulated, p->forms);
    for (size_t i = 0; p && i < p->forms; i++) {
        ws_closed_form_destroy(p->form[i]);
        ws_machine_destroy(p->machine[i]);
    }
    if (p)
        ws_memory_estimate_destroy(p->memory);
    free(p);
    return status;
}

/* ------------------------------------------------------------------------------------------------ traces */

static int note_waiting(const verification *v, const ws_trace *trace)
{
    uint64_t waiting = 0;
    for (size_t i = 0; i < ws_trace_launches(trace); i++)
        waiting += ws_launch_waits(&ws_trace_get(trace, i)->launch);
    return ws_note_waiting(v->to->notes, v->workload, waiting, ws_trace_launches(trace));
}

static int verify_trace(ws_verification *to, ws_trace *trace, const char *workload)
{
    const verification v = {.to = to, .workload = workload};
    const ws_verify_request *const r = to->request;
    const char *all[MOST], *name;
    size_t n = 0;
    for (size_t i = 0; !r->protocols && (name = ws_coherence_protocol_name(i)) && n < MOST; i++)
        if (ws_closed_form_knows(name)) /* those that both tiers know, as `model coherence` does */
            all[n++] = name;
    const char *const *const protocol = r->protocols ? r->protocol : all;
    n = r->protocols ? r->protocols : n;
    int status = note_waiting(&v, trace);
    for (size_t i = 0; i < n && !status && r->tier != 1; i++)
        if (!ws_coherence_is_physical(protocol[i]))
            status = verify_order(&v, trace, protocol[i]);
    return status || r->tier == 2 ? status : verify_bytes(&v, trace, protocol, n);
}

/* ------------------------------------------------------------------------------------------------ the report */

/* Tells errors of a kind; whether their median is within its band. */
static bool judge_errors(const ws_verification *v, unsigned kind, const char *of)
{
    const ws_ledger_sum sum = ws_ledger_tell_errors(&v->ledger, kind, of);
    return !sum.rows || sum.median <= v->request->median;
}

static int judge(const ws_verification *v)
{
    const size_t beyond = ws_ledger_tell_within(&v->ledger);
    const bool traffic = judge_errors(v, BYTES, "bytes"), energy = judge_errors(v, ENERGY, "energy");
    fputc('\n', stderr);
    if (!beyond && traffic && energy)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "%zu quantities are beyond their bands%s%s", beyond,
                   traffic ? "" : ", and the median error of bytes", energy ? "" : ", and the median error of energy");
}

const ws_subject ws_subject_coherence = {
    .name = "coherence",
    .what = "Bytes of coherence protocols (model coherence), and their order by bytes; the default",
    .machine = "gtsc",
    .worst = 25,
    .median = 10,
    .takes = WS_WANTS_TRACES | WS_TAKES_PROTOCOL | WS_TAKES_TIER | WS_TAKES_ENERGY,
    .verifier.labels = {"workload", "protocol", "tier", "quantity"},
    .verifier.partial = true,
    .verifier.whole = true,
    .verifier.trace = verify_trace,
    .verifier.judge = judge,
};
