/* verify_divergence.c - `warpscape verify --divergence`: does the walk through caches say what helps which kernel?
 *
 * Each kernel of the traces, with each mechanism that the machine can have: cycles by the walk and cycles of the
 * simulator. Judged is order: of pairs of mechanisms on a kernel, and of pairs of kernels on the machine as it is,
 * whose simulated cycles (of kernels: instructions a cycle) differ by more than APART, the share that the walk has in
 * the same order. Speedups and their errors are told. */
#include "base/status.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/divergence/predict.h"
#include "model/mechanism/verify_simulate.h"

#include "model/mechanism/kernels.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pairs that are apart, and of these the share that may be in another order. */
static const double APART = 0.05, WRONG = 0.2;

/* What is kept of a kernel. */
typedef struct subject {
    double instructions;                                             /* of warps */
    double predicted[WS_REMEDIES_MOST], simulated[WS_REMEDIES_MOST]; /* cycles, by mechanism */
} subject;

/* Pairs that are apart, and how many of them are in order. */
typedef struct pairs {
    double apart, right;
} pairs;

typedef struct verification {
    ws_remedy mechanism[WS_REMEDIES_MOST];
    size_t mechanisms;
    ws_kernels kernels;
    pairs of_mechanisms, of_kernels;
} verification;

enum { OTHERS, SPEEDUPS };

/* ------------------------------------------------------------------------------------------------ a trace */

static const subject *subject_at(const verification *v, size_t i)
{
    return v->kernels.one[i].kept;
}

static int add_subject(verification *v, const char *workload, const ws_predicted_kernel *k)
{
    subject *const s = ws_kernels_find(&v->kernels, workload, k->kernel);
    for (size_t i = 0; i < v->mechanisms && s; i++)
        s->predicted[i] = k->result[i].cycles;
    return s ? WS_OK : WS_EMEM;
}

/* A simulation of the trace with one mechanism; kernels from `first` on are the trace's. */
typedef struct follower {
    verification *v;
    size_t mechanism;
    uint64_t cycles, instructions; /* up to the launch before */
} follower;

static int take_launch(void *context, const ws_sim *sim, const ws_launch *launch)
{
    follower *const f = context;
    const uint64_t cycles = ws_sim_cycles(sim), instructions = ws_sim_instructions(sim);
    for (size_t i = f->v->kernels.first; i < f->v->kernels.count; i++) {
        subject *const s = f->v->kernels.one[i].kept;
        if (strcmp(f->v->kernels.one[i].mangled, launch->kernel) != 0)
            continue;
        s->simulated[f->mechanism] += (double)(cycles - f->cycles);
        s->instructions += f->mechanism ? 0 : (double)(instructions - f->instructions);
    }
    f->cycles = cycles;
    f->instructions = instructions;
    return WS_OK;
}

static int simulate(verification *v, ws_trace *trace, size_t mechanism)
{
    const ws_machine *const machine = v->mechanism[mechanism].machine;
    follower f = {.v = v, .mechanism = mechanism};
    ws_sim *sim = NULL;
    int status = ws_sim_create(machine, NULL, &sim);
    if (!status)
        status = ws_verify_simulate_each(trace, machine, sim, take_launch, &f);
    ws_sim_destroy(sim);
    return status;
}

static int verify_trace(ws_verification *to, ws_trace *trace, const char *workload)
{
    verification *const v = to->state;
    ws_prediction p = {0};
    v->kernels.first = v->kernels.count;
    int status = ws_predict(trace, v->mechanism, v->mechanisms, &p);
    for (size_t k = 0; k < p.kernels && !status; k++)
        if (p.kernel[k].result[0].accesses > 0)
            status = add_subject(v, workload, &p.kernel[k]);
    for (size_t i = 0; i < v->mechanisms && !status; i++)
        status = simulate(v, trace, i);
    ws_prediction_free(&p);
    return status;
}

/* ------------------------------------------------------------------------------------------------ order */

static void add_pair(pairs *p, double predicted, double other_predicted, double simulated, double other_simulated)
{
    const double low = fmin(simulated, other_simulated), high = fmax(simulated, other_simulated);
    if (high <= low * (1 + APART))
        return;
    p->apart++;
    p->right += simulated < other_simulated ? predicted < other_predicted : predicted > other_predicted;
}

static pairs mechanism_pairs(const verification *v, const subject *s)
{
    pairs p = {0};
    for (size_t i = 0; i < v->mechanisms; i++)
        for (size_t k = i + 1; k < v->mechanisms; k++)
            add_pair(&p, s->predicted[i], s->predicted[k], s->simulated[i], s->simulated[k]);
    return p;
}

/* Instructions a cycle, on the machine as it is. */
static pairs kernel_pairs(const verification *v)
{
    pairs p = {0};
    for (size_t i = 0; i < v->kernels.count; i++)
        for (size_t k = i + 1; k < v->kernels.count; k++) {
            const subject *const a = subject_at(v, i), *const b = subject_at(v, k);
            add_pair(&p, a->instructions / a->predicted[0], b->instructions / b->predicted[0],
                     a->instructions / a->simulated[0], b->instructions / b->simulated[0]);
        }
    return p;
}

/* ------------------------------------------------------------------------------------------------ the report */

/* A prediction beside a simulation: told, or judged by the caller. */
static int add(ws_verification *to, const char *const label[WS_LEDGER_LABELS], unsigned kind, double predicted,
               double simulated, double band, ws_verdict verdict)
{
    return ws_ledger_add(&to->ledger, &(ws_comparison){.label = {label[0], label[1], label[2], label[3]},
                                                       .kind = kind,
                                                       .predicted = predicted,
                                                       .simulated = simulated,
                                                       .error = fabs(predicted - simulated) / simulated,
                                                       .band = band,
                                                       .verdict = verdict});
}

static bool is_right(pairs p)
{
    return p.apart - p.right <= WRONG * p.apart;
}

static int add_total(ws_verification *to, const char *quantity, pairs p)
{
    return add(to, (const char *[]){"all", "all", "all", quantity}, OTHERS, p.right, p.apart, WRONG,
               is_right(p) ? WS_WITHIN : WS_BEYOND);
}

static int add_rows(ws_verification *to, const ws_kernel *k)
{
    const subject *const of = k->kept;
    verification *const v = to->state;
    const pairs p = mechanism_pairs(v, of);
    int status = add(to, (const char *[]){k->workload, k->kernel, "none", "cycles"}, OTHERS, of->predicted[0],
                     of->simulated[0], NAN, WS_BY_BAND);
    for (size_t i = 1; i < v->mechanisms && !status; i++)
        status = add(to, (const char *[]){k->workload, k->kernel, v->mechanism[i].name, "speedup"}, SPEEDUPS,
                     of->predicted[0] / of->predicted[i], of->simulated[0] / of->simulated[i], NAN, WS_BY_BAND);
    v->of_mechanisms.apart += p.apart;
    v->of_mechanisms.right += p.right;
    return status ? status
                  : add(to, (const char *[]){k->workload, k->kernel, "all", "pairs_in_order"}, OTHERS, p.right, p.apart,
                        NAN, WS_BY_BAND);
}

static int finish(ws_verification *to)
{
    verification *const v = to->state;
    int status = v->kernels.count ? WS_OK : ws_fail(WS_ENOTFOUND, "no kernel in the traces loads from global memory");
    for (size_t i = 0; i < v->kernels.count && !status; i++)
        status = add_rows(to, &v->kernels.one[i]);
    v->of_kernels = kernel_pairs(v);
    if (!status)
        status = add_total(to, "mechanism_pairs_in_order", v->of_mechanisms);
    return status ? status : add_total(to, "kernel_pairs_in_order", v->of_kernels);
}

static int judge(const ws_verification *to)
{
    const verification *const v = to->state;
    const bool first = is_right(v->of_mechanisms), second = is_right(v->of_kernels);
    const ws_ledger_sum speedups = ws_ledger_sum_of(&to->ledger, SPEEDUPS);
    fprintf(stderr, "warpscape verify: %.0f of %.0f pairs of mechanisms and %.0f of %.0f pairs of kernels in order",
            v->of_mechanisms.right, v->of_mechanisms.apart, v->of_kernels.right, v->of_kernels.apart);
    if (speedups.rows)
        fprintf(stderr, "; median error of speedups %.1f %%, at most %.1f %%", 100 * speedups.median,
                100 * speedups.most);
    fputc('\n', stderr);
    if (first && second)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "less than %.0f %% of pairs of %s are in order", 100 * (1 - WRONG),
                   first    ? "kernels"
                   : second ? "mechanisms"
                            : "mechanisms, and of kernels");
}

static int open_mechanisms(ws_verification *to)
{
    verification *const v = to->state;
    v->kernels.bytes = sizeof(subject);
    ws_frame *const remarks = ws_frame_create(0, 0, 1, NULL);
    int status = remarks ? ws_remedies_create(&(ws_machine_choice){.config = to->request->config}, false, remarks,
                                              v->mechanism, &v->mechanisms)
                         : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(
            to->notes,
            "machine: %s; pairs: predicted in the order of the simulation, and those that the simulation has apart",
            v->mechanism[0].machine->name);
    if (!status)
        status = ws_frame_add_notes(to->notes, remarks);
    ws_frame_destroy(remarks);
    return status;
}

static void close_mechanisms(const ws_verification *to)
{
    verification *const v = to->state;
    ws_kernels_fini(&v->kernels);
    ws_remedies_destroy(v->mechanism, v->mechanisms);
}

static const ws_verifier verifier = {
    .labels = {"workload", "kernel", "mechanism", "quantity"},
    .state_bytes = sizeof(verification),
    .open = open_mechanisms,
    .trace = verify_trace,
    .finish = finish,
    .judge = judge,
    .close = close_mechanisms,
};

const ws_subject ws_subject_divergence = {
    .name = "divergence",
    .what = "What helps against memory divergence, by walks through caches (model divergence), with simulations of the "
            "same mechanisms",
    .machine = "fermi",
    .takes = WS_WANTS_TRACES,
    .verifier = &verifier,
};
