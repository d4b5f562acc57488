/* verify_races.c - `warpscape verify --races`: is what `model races` says of race detection what the simulator counts?
 *
 * Three comparisons of each trace. "order": a simulation that makes its accesses one at a time, and a replay that takes
 * them in that order: every count has to be equal. "replay" and "form": a simulation as usual, where time decides who
 * comes first, beside the replay in its own order and the closed forms. */
#include "cli/cli.h"
#include "cli/races/race_study.h"
#include "record/simulate/machine_choice.h"
#include "cli/verify.h"

#include "base/grow.h"
#include "model/power/power.h"
#include "model/sim/sim_activity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct finding {
    char *workload;
    const char *protocol, *source, *quantity;
    double predicted, simulated, error, band;
} finding;

typedef struct verification {
    const ws_verify_request *request;
    finding *found;
    size_t findings, room;
    ws_progress bar;
} verification;

/* A trace under a protocol. */
typedef struct subject {
    ws_trace *trace;
    const char *workload, *protocol;
    const ws_machine *machine;
} subject;

static double error_of(double predicted, double simulated, double whole)
{
    const double off = fabs(predicted - simulated);
    return off > 0 ? off / whole : 0;
}

static int add_finding(verification *v, const char *workload, finding f)
{
    if (WS_GROW(v->found, v->room, v->findings, 1))
        return ws_fail(WS_EMEM, "out of memory");
    f.workload = strdup(workload);
    if (!f.workload)
        return ws_fail(WS_EMEM, "out of memory");
    v->found[v->findings++] = f;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ one order */

static int compare_order(verification *v, const subject *s)
{
    ws_sim_sums sums;
    ws_coherence_traffic replayed;
    int status = ws_verify_in_order(s->trace, s->machine, &sums, &replayed);
    const struct {
        const char *name;
        uint64_t predicted, simulated;
    } counts[] = {
#define COUNT(name, meaning) {#name, replayed.races.name, sums.races.name},
#include "model/coherence/race_counts.def"
#undef COUNT
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts && !status; i++) {
        const double predicted = (double)counts[i].predicted, simulated = (double)counts[i].simulated;
        status = add_finding(v, s->workload,
                             (finding){.protocol = s->protocol,
                                       .source = "order",
                                       .quantity = counts[i].name,
                                       .predicted = predicted,
                                       .simulated = simulated,
                                       .error = error_of(predicted, simulated, simulated)});
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ with time */

typedef struct with_time {
    ws_sim_sums sums;
    double detector_j, filter_j; /* NaN: nobody said of which chip */
} with_time;

static int find_joules(const subject *s, const ws_sim *sim, with_time *out)
{
    ws_power *power;
    ws_activity did;
    ws_energy e = {0};
    out->detector_j = out->filter_j = NAN;
    if (!strcmp(s->machine->power_chip, WS_MACHINE_PLAIN))
        return WS_OK;
    const int status = ws_power_create(s->machine, &(ws_power_options){0}, &power);
    if (status)
        return status;
    ws_sim_activity(sim, &did);
    ws_power_energy(power, &did, &e);
    ws_power_destroy(power);
    out->detector_j = e.dynamic[WS_POWER_detector] + e.leakage[WS_POWER_detector];
    out->filter_j = e.dynamic[WS_POWER_filter] + e.leakage[WS_POWER_filter];
    return WS_OK;
}

static int simulate(const subject *s, with_time *out)
{
    ws_sim *sim = NULL;
    int status = ws_sim_create(s->machine, NULL, &sim);
    if (!status)
        status = ws_verify_simulate(s->trace, s->machine, sim, NULL);
    if (!status) {
        ws_sim_sum(sim, &out->sums);
        status = find_joules(s, sim, out);
    }
    ws_sim_destroy(sim);
    return status;
}

enum { EPOCHS, LOADS, ITSELF };

/* NaN: who predicts does not know it, or nobody simulated it. */
static int add_quantity(verification *v, const subject *s, const char *source, const char *name, double predicted,
                        double simulated, double whole)
{
    if (isnan(predicted) || isnan(simulated))
        return WS_OK;
    return add_finding(v, s->workload,
                       (finding){.protocol = s->protocol,
                                 .source = source,
                                 .quantity = name,
                                 .predicted = predicted,
                                 .simulated = simulated,
                                 .error = error_of(predicted, simulated, whole),
                                 .band = v->request->worst});
}

static int compare_time(verification *v, const subject *of_trace, const ws_race_outcome *o, const with_time *of)
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
#include "cli/verify_races.def"
#undef QUANTITY
    };
    const double wholes[] = {
        [EPOCHS] = (double)(c->store_syncs + c->race_syncs + c->forced_syncs), [LOADS] = (double)s->l1.loads};
    int status = WS_OK;
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities && !status; i++) {
        const double simulated = quantities[i].simulated,
                     whole = quantities[i].of == ITSELF ? simulated : wholes[quantities[i].of];
        status = add_quantity(v, of_trace, "replay", quantities[i].name, quantities[i].replayed, simulated, whole);
        if (!status)
            status = add_quantity(v, of_trace, "form", quantities[i].name, quantities[i].formed, simulated, whole);
    }
    return status;
}

static int verify_subject(verification *v, const subject *s)
{
    ws_race_study *const study = malloc(sizeof *study);
    with_time *const timed = malloc(sizeof *timed);
    /* The study first: it refuses machines that are not for replays, on which an access waits for the one after it. */
    int status = study && timed ? ws_race_study_trace(s->trace, &(ws_race_study_options){.machine = s->machine}, study)
                                : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = compare_order(v, s);
    if (!status)
        status = simulate(s, timed);
    if (!status)
        status = compare_time(v, s, &study->with[WS_RACE_FILTERS], timed);
    free(study);
    free(timed);
    return status;
}

/* ------------------------------------------------------------------------------------------------ traces */

/* Of the protocol, longer than its machine. */
static const char *lasting_name(const char *protocol)
{
    const char *name;
    for (size_t i = 0; (name = ws_coherence_protocol_name(i)) && strcmp(name, protocol) != 0; i++)
        ;
    return name ? name : "";
}

static int verify_protocol(verification *v, ws_trace *trace, const char *workload, const char *protocol)
{
    ws_machine *machine = NULL;
    int status = ws_machine_choose(&(ws_machine_choice){.config = v->request->config, .protocol = protocol}, &machine);
    if (!status)
        status = verify_subject(v, &(subject){.trace = trace,
                                              .workload = workload,
                                              .protocol = lasting_name(machine->coherence_protocol),
                                              .machine = machine});
    ws_machine_destroy(machine);
    return status;
}

static int verify_trace(verification *v, const char *path, double done)
{
    const ws_verify_request *const q = v->request;
    ws_trace *trace;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    char *const workload = ws_trace_workload(trace);
    if (workload)
        ws_progress_show(&v->bar, workload, done);
    status = !workload ? WS_EMEM : ws_trace_damage(trace) ? ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace)) : WS_OK;
    for (size_t i = 0; i < (q->protocols ? q->protocols : 1) && !status; i++)
        status = verify_protocol(v, trace, workload, q->protocols ? q->protocol[i] : NULL);
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_trace_close(trace);
    free(workload);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

static bool is_within(const finding *f)
{
    return f->error <= f->band;
}

static int print(const verification *v, int argc, char **argv)
{
    static const char *const labels[WS_VERIFY_LABELS] = {"workload", "protocol", "source", "quantity"};
    ws_frame *frame;
    int status = ws_verify_frame(v->findings, labels, argc, argv, &frame);
    if (!status)
        status = ws_frame_note(frame, "machine: %s", v->request->config);
    for (size_t i = 0; i < v->findings && !status; i++) {
        const finding *const f = &v->found[i];
        status = ws_verify_set_row(frame, i,
                                   &(ws_verify_row){.label = {f->workload, f->protocol, f->source, f->quantity},
                                                    .predicted = f->predicted,
                                                    .simulated = f->simulated,
                                                    .error = f->error,
                                                    .band = f->band,
                                                    .within = is_within(f)});
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static int judge(const verification *v)
{
    static const char *const sources[] = {"order", "replay", "form"};
    size_t beyond = 0;
    fputs("warpscape verify: within their bands", stderr);
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        size_t all = 0, within = 0;
        for (size_t i = 0; i < v->findings; i++) {
            const bool counts = !strcmp(v->found[i].source, sources[k]);
            all += counts;
            within += counts && is_within(&v->found[i]);
        }
        fprintf(stderr, "%s %s %zu of %zu", k ? "," : "", sources[k], within, all);
        beyond += all - within;
    }
    fputc('\n', stderr);
    return beyond ? ws_fail(WS_EVERIFY, "%zu quantities are beyond their bands", beyond) : WS_OK;
}

int ws_verify_races(const ws_verify_request *request, int argc, char **argv)
{
    verification v = {.request = request};
    int status = WS_OK;
    ws_progress_begin(&v.bar);
    for (size_t i = 0; i < request->traces->count && !status; i++)
        status = verify_trace(&v, request->traces->path[i], (double)i / (double)request->traces->count);
    ws_progress_end(&v.bar);
    if (!status)
        status = print(&v, argc, argv);
    if (!status)
        status = judge(&v);
    for (size_t i = 0; i < v.findings; i++)
        free(v.found[i].workload);
    free(v.found);
    return status;
}
