/* verify_divergence.c - `warpscape verify --divergence`: does the walk through caches say what helps which kernel?
 *
 * Each kernel of the traces, with each remedy that the machine can have: cycles by the walk and cycles of the
 * simulator. Judged is order: of pairs of remedies on a kernel, and of pairs of kernels on the machine as it is, whose
 * simulated cycles (of kernels: instructions a cycle) differ by more than APART, the share that the walk has in the
 * same order. Speedups and their errors are told. */
#include "base/status.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/divergence/predict.h"
#include "model/mechanism/work_rows.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/simulate_launches.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pairs that are apart, and of these the share that may be in another order. */
static const double APART = 0.05, WRONG = 0.2;

/* What is kept of a kernel. */
typedef struct subject {
    double instructions;                                             /* of warps */
    double predicted[WS_REMEDIES_MOST], simulated[WS_REMEDIES_MOST]; /* cycles, by remedy */
} subject;

/* Pairs that are apart, and how many of them are in order. */
typedef struct pairs {
    double apart, right;
} pairs;

typedef struct verification {
    ws_remedies remedies;
    ws_work_rows kernels;
    pairs of_remedies, of_kernels;
} verification;

enum { OTHERS, SPEEDUPS };

/* ------------------------------------------------------------------------------------------------ a trace */

static const subject *subject_at(const verification *v, size_t i)
{
    return v->kernels.row[i].kept;
}

static int add_subject(verification *v, const ws_work_row *of)
{
    const ws_predicted_kernel *const k = of->kept;
    subject *const s = ws_work_rows_kernel(&v->kernels, of->workload, of->mangled);
    for (size_t i = 0; i < v->remedies.count && s; i++)
        s->predicted[i] = k->result[i].cycles;
    return s ? WS_OK : WS_EMEM;
}

/* A simulation of the trace with one remedy; kernels from `first` on are the trace's. */
typedef struct follower {
    verification *v;
    size_t remedy;
    uint64_t cycles, instructions; /* up to the launch before */
} follower;

static int take_launch(void *context, const ws_sim *sim, const ws_launch *launch)
{
    follower *const f = context;
    const uint64_t cycles = ws_sim_cycles(sim), instructions = ws_sim_instructions(sim);
    for (size_t i = f->v->kernels.first; i < f->v->kernels.count; i++) {
        subject *const s = f->v->kernels.row[i].kept;
        if (strcmp(f->v->kernels.row[i].mangled, launch->kernel) != 0)
            continue;
        s->simulated[f->remedy] += (double)(cycles - f->cycles);
        s->instructions += f->remedy ? 0 : (double)(instructions - f->instructions);
    }
    f->cycles = cycles;
    f->instructions = instructions;
    return WS_OK;
}

static int verify_trace(ws_verification *to, ws_trace *trace, const char *workload)
{
    verification *const v = to->state;
    ws_prediction p;
    v->kernels.first = v->kernels.count;
    int status = ws_predict(trace, workload, &v->remedies, &p);
    for (size_t k = 0; k < p.kernels.count && !status; k++)
        if (((const ws_predicted_kernel *)p.kernels.row[k].kept)->result[0].accesses > 0)
            status = add_subject(v, &p.kernels.row[k]);
    for (size_t i = 0; i < v->remedies.count && !status; i++)
        status = ws_simulate_launches(trace, v->remedies.one[i].machine, NULL, take_launch,
                                      &(follower){.v = v, .remedy = i}, NULL, NULL);
    ws_prediction_fini(&p);
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

static pairs remedy_pairs(const verification *v, const subject *s)
{
    pairs p = {0};
    for (size_t i = 0; i < v->remedies.count; i++)
        for (size_t k = i + 1; k < v->remedies.count; k++)
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

/* A prediction beside a simulation, told alone. */
static ws_comparison told(double predicted, double simulated)
{
    return (ws_comparison){
        .predicted = predicted, .simulated = simulated, .error = fabs(predicted - simulated) / simulated, .band = NAN};
}

static bool is_right(pairs p)
{
    return p.apart - p.right <= WRONG * p.apart;
}

static int add_total(ws_verification *to, const char *quantity, pairs p)
{
    ws_comparison row = told(p.right, p.apart);
    row.band = WRONG;
    row.verdict = is_right(p) ? WS_WITHIN : WS_BEYOND;
    return ws_compared_add(&(ws_compared){&to->ledger, {"all", "all", "all"}}, quantity, OTHERS, row);
}

static int add_rows(ws_verification *to, const ws_work_row *k)
{
    const subject *const s = k->kept;
    verification *const v = to->state;
    const pairs p = remedy_pairs(v, s);
    ws_compared of = {&to->ledger, {k->workload, k->kernel, "none"}};
    int status = ws_compared_add(&of, "cycles", OTHERS, told(s->predicted[0], s->simulated[0]));
    for (size_t i = 1; i < v->remedies.count && !status; i++) {
        of.of[2] = v->remedies.one[i].name;
        status = ws_compared_add(&of, "speedup", SPEEDUPS,
                                 told(s->predicted[0] / s->predicted[i], s->simulated[0] / s->simulated[i]));
    }
    of.of[2] = "all";
    v->of_remedies.apart += p.apart;
    v->of_remedies.right += p.right;
    return status ? status : ws_compared_add(&of, "pairs_in_order", OTHERS, told(p.right, p.apart));
}

static int finish(ws_verification *to)
{
    verification *const v = to->state;
    int status = v->kernels.count ? WS_OK : ws_fail(WS_ENOTFOUND, "no kernel in the traces loads from global memory");
    for (size_t i = 0; i < v->kernels.count && !status; i++)
        status = add_rows(to, &v->kernels.row[i]);
    v->of_kernels = kernel_pairs(v);
    if (!status)
        status = add_total(to, "mechanism_pairs_in_order", v->of_remedies);
    return status ? status : add_total(to, "kernel_pairs_in_order", v->of_kernels);
}

static int judge(const ws_verification *to)
{
    const verification *const v = to->state;
    const bool first = is_right(v->of_remedies), second = is_right(v->of_kernels);
    fprintf(stderr, "warpscape verify: %.0f of %.0f pairs of mechanisms and %.0f of %.0f pairs of kernels in order",
            v->of_remedies.right, v->of_remedies.apart, v->of_kernels.right, v->of_kernels.apart);
    ws_ledger_tell_errors(&to->ledger, SPEEDUPS, "speedups");
    fputc('\n', stderr);
    if (first && second)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "less than %.0f %% of pairs of %s are in order", 100 * (1 - WRONG),
                   first    ? "kernels"
                   : second ? "mechanisms"
                            : "mechanisms, and of kernels");
}

static int open_remedies(ws_verification *to)
{
    verification *const v = to->state;
    v->kernels.bytes = sizeof(subject);
    return ws_remedies_create(&(ws_machine_choice){.config = to->request->config}, false, to->notes, &v->remedies);
}

static void close_remedies(const ws_verification *to)
{
    verification *const v = to->state;
    ws_work_rows_fini(&v->kernels);
    ws_remedies_fini(&v->remedies);
}

const ws_subject ws_subject_divergence = {
    .name = "divergence",
    .what = "Remedies of memory divergence, by walks through caches (model divergence), with simulations of the same "
            "remedies",
    .machine = "fermi",
    .takes = WS_WANTS_TRACES,
    .verifier.labels = {"workload", "kernel", "mechanism", "quantity"},
    .verifier.remark = "; pairs: predicted in the order of the simulation, and those that the simulation has apart",
    .verifier.state_bytes = sizeof(verification),
    .verifier.open = open_remedies,
    .verifier.trace = verify_trace,
    .verifier.finish = finish,
    .verifier.judge = judge,
    .verifier.close = close_remedies,
};
