/* verify_time.c - `warpscape verify --time`: closed forms of the time of launches against simulations.
 *
 * Each launch of the traces, by its profile and by the simulator, on the same machine. Launches with loops that wait
 * for writes of other threads are not judged: profiles lack the length of these waits. */
#include "base/demangle.h"
#include "base/grow.h"
#include "base/status.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/profile_walk.h"
#include "model/mechanism/simulate_launches.h"
#include "model/mechanism/trace_take.h"
#include "model/mechanism/work_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct launch_time {
    double predicted, simulated;
    bool waits;
    char *kernel;
} launch_time;

/* A trace. */
typedef struct times {
    const ws_closed_forms *forms;
    ws_profiler *profiler;
    launch_time *launch;
    size_t launches, room, simulated;
    uint64_t before; /* cycles of the launches before */
} times;

typedef struct verification {
    ws_closed_forms forms;
} verification;

static int take_profile(void *context, const ws_launch *launch, size_t sink, void *state)
{
    times *const t = context;
    (void)sink;
    ws_traffic_profile *const profile = malloc(sizeof *profile);
    ws_closed_result one = {0};
    if (!profile || WS_GROW(t->launch, t->room, t->launches, 1)) {
        free(profile);
        return ws_fail(WS_EMEM, "out of memory");
    }
    int status = ws_profiler_finish(t->profiler, launch, state, profile);
    if (!status)
        status = ws_closed_form_add(t->forms->form, launch->kernel, profile, &one);
    char *const kernel = status ? NULL : ws_demangle(launch->kernel);
    if (!status)
        t->launch[t->launches++] = (launch_time){.predicted = one.cycles, .waits = profile->waits, .kernel = kernel};
    free(profile);
    return status;
}

static int take_simulated(void *context, const ws_sim *sim, const ws_launch *launch)
{
    times *const t = context;
    (void)launch;
    const uint64_t now = ws_sim_cycles(sim);
    t->launch[t->simulated++].simulated = (double)(now - t->before);
    t->before = now;
    return WS_OK;
}

static int add_rows(ws_verification *v, const times *t, const char *workload)
{
    int status = WS_OK;
    for (size_t i = 0; i < t->launches && !status; i++) {
        const launch_time *const l = &t->launch[i];
        char label[WS_LAUNCH_LABEL];
        const ws_compared of = {.ledger = &v->ledger,
                                .of = {workload, l->kernel ? l->kernel : "", ws_launch_label(i + 1, label)}};
        status = ws_compared_add(&of, "cycles", 0,
                                 ws_relative(l->predicted, l->simulated, l->waits ? NAN : v->request->worst));
    }
    return status;
}

static int verify_trace(ws_verification *v, ws_trace *trace, const char *workload)
{
    verification *const s = v->state;
    times t = {.forms = &s->forms};
    int status = ws_profiler_create(&t.profiler);
    if (!status) {
        const ws_sink *const sink = ws_profiler_sink(t.profiler);
        status = ws_trace_take(trace, &sink, 1, take_profile, &t);
    }
    ws_profiler_destroy(t.profiler);
    if (!status)
        status = ws_simulate_launches(trace, v->machine, NULL, take_simulated, &t, NULL, NULL);
    if (!status)
        status = add_rows(v, &t, workload);
    for (size_t i = 0; i < t.launches; i++)
        free(t.launch[i].kernel);
    free(t.launch);
    return status;
}

static int open_forms(ws_verification *v)
{
    verification *const s = v->state;
    return ws_closed_forms_of(v->machine, v->notes, &s->forms);
}

static int judge(const ws_verification *v)
{
    const size_t beyond = ws_ledger_tell_within(&v->ledger);
    const ws_ledger_sum sum = ws_ledger_tell_errors(&v->ledger, 0, "cycles");
    fputc('\n', stderr);
    if (!beyond && sum.median <= v->request->median)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "%zu launches are beyond their band%s", beyond,
                   sum.median <= v->request->median ? "" : ", and the median error");
}

static void close_forms(const ws_verification *v)
{
    ws_closed_form_destroy(((verification *)v->state)->forms.form);
}

const ws_subject ws_subject_time = {
    .name = "time",
    .what = "Cycles of launches (model time) with simulations of the same machine",
    .machine = "qv100",
    .worst = 40,
    .median = 12,
    .takes = WS_WANTS_TRACES,
    .verifier.labels = {"workload", "kernel", "launch", "quantity"},
    .verifier.partial = true,
    .verifier.whole = true,
    .verifier.state_bytes = sizeof(verification),
    .verifier.open = open_forms,
    .verifier.trace = verify_trace,
    .verifier.finish = ws_verification_require_rows,
    .verifier.judge = judge,
    .verifier.close = close_forms,
};
