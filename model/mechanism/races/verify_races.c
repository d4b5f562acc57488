/* verify_races.c - `warpscape verify --races`: is what `model races` says of race detection what the simulator counts?
 *
 * Three comparisons of each trace. "order": a simulation that makes its accesses one at a time, and a replay that takes
 * them in that order: every count has to be equal. "replay" and "form": a simulation as usual, where time decides who
 * comes first, beside the replay in its own order and the closed forms. */
#include "base/status.h"
#include "model/mechanism/activity_energy.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/races/race_study.h"
#include "model/mechanism/simulate_launches.h"
#include "model/machine/machine_declared.h"

#include <math.h>
#include <stdio.h>

/* What predicts: a replay in the order of the simulation, one in its own, closed forms. */
typedef enum source { ORDER, REPLAY, FORM, SOURCES } source;
static const char *const sources[SOURCES] = {"order", "replay", "form"};

/* A trace under a protocol, which the machine has. */
typedef struct subject {
    ws_verification *to;
    ws_trace *trace;
    const char *workload;
    const ws_machine *machine;
} subject;

static ws_compared compared(const subject *s, source by)
{
    return (ws_compared){&s->to->ledger, {s->workload, ws_machine_protocol(s->machine), sources[by]}};
}

/* ------------------------------------------------------------------------------------------------ one order */

static int compare_order(const subject *s)
{
    ws_sim_sums sums;
    ws_coherence_traffic replayed;
    const ws_compared of = compared(s, ORDER);
    const int status = ws_simulate_in_order(s->trace, s->machine, &sums, &replayed);
    return status ? status : ws_compared_add_races(&of, "", ORDER, &replayed.races, &sums.races);
}

/* ------------------------------------------------------------------------------------------------ with time */

typedef struct with_time {
    ws_sim_sums sums;
    double detector_j, filter_j; /* NaN: the machine has no chip */
} with_time;

static int simulate(const subject *s, with_time *out)
{
    ws_activity did;
    ws_energy e;
    int status = ws_simulate_launches(s->trace, s->machine, NULL, NULL, NULL, &out->sums, &did);
    out->detector_j = out->filter_j = NAN;
    if (status || !ws_machine_has_chip(s->machine))
        return status;
    status = ws_activity_energy(s->machine, &did, &e);
    out->detector_j = e.dynamic[WS_POWER_detector] + e.leakage[WS_POWER_detector];
    out->filter_j = e.dynamic[WS_POWER_filter] + e.leakage[WS_POWER_filter];
    return status;
}

enum { EPOCHS, LOADS, ITSELF };

/* An error is a part of `whole`. NaN: who predicts does not know it, or nobody simulated it. */
static int add_quantity(const subject *s, source by, const char *name, double predicted, double simulated, double whole)
{
    const ws_compared of = compared(s, by);
    ws_comparison row = ws_difference(predicted, simulated, s->to->request->worst);
    row.error = row.error > 0 ? row.error / whole : 0;
    return isnan(predicted) || isnan(simulated) ? WS_OK : ws_compared_add(&of, name, by, row);
}

static int compare_time(const subject *of_trace, const ws_race_outcome *o, const with_time *of)
{
    const ws_sim_sums *const s = &of->sums;
    const ws_race_counts *const c = &s->races, *const r = &o->did.races;
    const ws_race_predicted *const f = &o->form;
    const double detector_j = of->detector_j, filter_j = of->filter_j;
    const struct {
        const char *name;
        int of;
        double simulated, replayed, formed;
    } quantities[] = {
#define QUANTITY(name, of, simulated, replayed, formed) {#name, of, (double)(simulated), (double)(replayed), formed},
#include "model/mechanism/races/verify_races.def"
#undef QUANTITY
    };
    const double wholes[] = {
        [EPOCHS] = (double)(c->store_syncs + c->race_syncs + c->forced_syncs), [LOADS] = (double)s->l1.loads};
    int status = WS_OK;
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities && !status; i++) {
        const double simulated = quantities[i].simulated,
                     whole = quantities[i].of == ITSELF ? simulated : wholes[quantities[i].of];
        status = add_quantity(of_trace, REPLAY, quantities[i].name, quantities[i].replayed, simulated, whole);
        if (!status)
            status = add_quantity(of_trace, FORM, quantities[i].name, quantities[i].formed, simulated, whole);
    }
    return status;
}

static int verify_subject(const subject *s)
{
    ws_race_study study;
    with_time timed;
    /* The study first: it refuses machines that are not for replays, on which an access waits for the one after it. */
    int status = ws_race_study_trace(s->trace, &(ws_race_study_options){.machine = s->machine}, &study);
    if (!status)
        status = compare_order(s);
    if (!status)
        status = simulate(s, &timed);
    return status ? status : compare_time(s, &study.with[WS_RACE_FILTERS], &timed);
}

/* ------------------------------------------------------------------------------------------------ traces */

static int verify_protocol(ws_verification *v, ws_trace *trace, const char *workload, const char *protocol)
{
    ws_machine *machine = NULL;
    int status = ws_machine_choose(&(ws_machine_choice){.config = v->request->config, .protocol = protocol}, &machine);
    if (!status)
        status = verify_subject(&(subject){.to = v, .trace = trace, .workload = workload, .machine = machine});
    ws_machine_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the comparison */

static int verify_trace(ws_verification *v, ws_trace *trace, const char *workload)
{
    const ws_verify_request *const q = v->request;
    int status = q->protocols ? WS_OK : verify_protocol(v, trace, workload, NULL);
    for (size_t i = 0; i < q->protocols && !status; i++)
        status = verify_protocol(v, trace, workload, q->protocol[i]);
    return status;
}

static int judge(const ws_verification *v)
{
    size_t beyond = 0;
    fputs("warpscape verify: within their bands", stderr);
    for (source by = 0; by < SOURCES; by++) {
        const ws_ledger_sum sum = ws_ledger_sum_of(&v->ledger, by);
        fprintf(stderr, "%s %s %zu of %zu", by ? "," : "", sources[by], sum.within, sum.rows);
        beyond += sum.rows - sum.within;
    }
    fputc('\n', stderr);
    return ws_ledger_refuse(beyond);
}

static void check_protocols(const struct argp_state *state, const ws_verify_request *q)
{
    for (size_t i = 0; i < q->protocols; i++)
        if (!ws_coherence_detects_races(q->protocol[i]))
            argp_error(state, "--races: %s detects no races; give drd, drd-spec or drd-ideal", q->protocol[i]);
}

const ws_subject ws_subject_races = {
    .name = "races",
    .what = "Results and costs of race detection (model races) with simulations of the same machine",
    .machine = "races",
    .worst = 5,
    .takes = WS_WANTS_TRACES | WS_TAKES_PROTOCOL,
    .check = check_protocols,
    .verifier.labels = {"workload", "protocol", "source", "quantity"},
    .verifier.whole = true,
    .verifier.trace = verify_trace,
    .verifier.judge = judge,
};
