/* verify_divergence.c - `warpscape verify --divergence`: does the walk through caches say what helps which kernel?
 *
 * Each kernel of the traces, with each mechanism that the machine can have: cycles by the walk and cycles of the
 * simulator. Judged is order: of pairs of mechanisms on a kernel, and of pairs of kernels on the machine as it is,
 * whose simulated cycles (of kernels: instructions a cycle) differ by more than APART, the share that the walk has in
 * the same order. Speedups and their errors are told. */
#include "cli/cli.h"
#include "cli/divergence/predict.h"
#include "cli/verify.h"

#include "base/demangle.h"
#include "base/grow.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pairs that are apart, and of these the share that may be in another order. */
static const double APART = 0.05, WRONG = 0.2;

typedef struct subject {
    char *workload, *mangled, *kernel;
    double instructions;                                                 /* of warps */
    double predicted[WS_MECHANISMS_MOST], simulated[WS_MECHANISMS_MOST]; /* cycles, by mechanism */
} subject;

typedef struct verification {
    const ws_verify_request *request;
    ws_mechanism mechanism[WS_MECHANISMS_MOST];
    size_t mechanisms;
    subject *subject;
    size_t subjects, room;
    ws_frame *notes;
    ws_progress bar;
} verification;

/* Pairs that are apart, and how many of them are in order. */
typedef struct pairs {
    double apart, right;
} pairs;

/* ------------------------------------------------------------------------------------------------ a trace */

static int add_subject(verification *v, const char *workload, const ws_prediction *p, size_t kernel)
{
    const ws_predicted_kernel *const k = &p->kernel[kernel];
    if (WS_GROW(v->subject, v->room, v->subjects, 1))
        return ws_fail(WS_EMEM, "out of memory");
    subject *const s = &v->subject[v->subjects++];
    *s = (subject){.workload = strdup(workload), .mangled = strdup(k->kernel), .kernel = ws_demangle(k->kernel)};
    for (size_t i = 0; i < v->mechanisms; i++)
        s->predicted[i] = k->result[i].cycles;
    return s->workload && s->mangled && s->kernel ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

/* A simulation of the trace with one mechanism; subjects from `first` on are the trace's. */
typedef struct follower {
    verification *v;
    size_t first, mechanism;
    uint64_t cycles, instructions; /* up to the launch before */
} follower;

static int take_launch(void *context, const ws_sim *sim, const ws_launch *launch)
{
    follower *const f = context;
    const uint64_t cycles = ws_sim_cycles(sim), instructions = ws_sim_instructions(sim);
    for (size_t i = f->first; i < f->v->subjects; i++) {
        subject *const s = &f->v->subject[i];
        if (strcmp(s->mangled, launch->kernel) != 0)
            continue;
        s->simulated[f->mechanism] += (double)(cycles - f->cycles);
        s->instructions += f->mechanism ? 0 : (double)(instructions - f->instructions);
    }
    f->cycles = cycles;
    f->instructions = instructions;
    return WS_OK;
}

static int simulate(verification *v, ws_trace *trace, size_t first, size_t mechanism)
{
    const ws_machine *const machine = v->mechanism[mechanism].machine;
    follower f = {.v = v, .first = first, .mechanism = mechanism};
    ws_sim *sim = NULL;
    int status = ws_sim_create(machine, NULL, &sim);
    if (!status)
        status = ws_verify_simulate_each(trace, machine, sim, take_launch, &f);
    ws_sim_destroy(sim);
    return status;
}

static int verify_trace(verification *v, const char *path, double done)
{
    ws_trace *trace;
    ws_prediction p = {0};
    const size_t first = v->subjects;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    char *const workload = ws_trace_workload(trace);
    if (workload)
        ws_progress_show(&v->bar, workload, done);
    status = workload ? ws_predict(trace, v->mechanism, v->mechanisms, &p) : WS_EMEM;
    for (size_t k = 0; k < p.kernels && !status; k++)
        if (p.kernel[k].result[0].accesses > 0)
            status = add_subject(v, workload, &p, k);
    for (size_t i = 0; i < v->mechanisms && !status; i++)
        status = simulate(v, trace, first, i);
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_prediction_free(&p);
    ws_trace_close(trace);
    free(workload);
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
    for (size_t i = 0; i < v->subjects; i++)
        for (size_t k = i + 1; k < v->subjects; k++) {
            const subject *const a = &v->subject[i], *const b = &v->subject[k];
            add_pair(&p, a->instructions / a->predicted[0], b->instructions / b->predicted[0],
                     a->instructions / a->simulated[0], b->instructions / b->simulated[0]);
        }
    return p;
}

/* ------------------------------------------------------------------------------------------------ the report */

typedef struct line {
    const char *workload, *kernel, *mechanism, *quantity;
    double predicted, simulated, band;
    bool judged, within;
} line;

static int set_line(ws_frame *frame, size_t row, const line *l)
{
    return ws_verify_set_row(frame, row,
                             &(ws_verify_row){.label = {l->workload, l->kernel, l->mechanism, l->quantity},
                                              .predicted = l->predicted,
                                              .simulated = l->simulated,
                                              .error = fabs(l->predicted - l->simulated) / l->simulated,
                                              .band = l->judged ? l->band : NAN,
                                              .within = l->judged ? l->within : NAN});
}

static bool is_right(pairs p)
{
    return p.apart - p.right <= WRONG * p.apart;
}

static line line_of_pairs(const char *quantity, pairs p)
{
    return (line){"all", "all", "all", quantity, p.right, p.apart, WRONG, true, is_right(p)};
}

static int fill(const verification *v, ws_frame *frame, pairs mechanisms, pairs kernels)
{
    size_t row = 0;
    int status = WS_OK;
    for (size_t s = 0; s < v->subjects && !status; s++) {
        const subject *const of = &v->subject[s];
        status = set_line(
            frame, row++,
            &(line){of->workload, of->kernel, "none", "cycles", of->predicted[0], of->simulated[0], 0, false, false});
        for (size_t i = 1; i < v->mechanisms && !status; i++)
            status = set_line(frame, row++,
                              &(line){of->workload, of->kernel, v->mechanism[i].name, "speedup",
                                      of->predicted[0] / of->predicted[i], of->simulated[0] / of->simulated[i], 0,
                                      false, false});
        const pairs p = mechanism_pairs(v, of);
        if (!status)
            status =
                set_line(frame, row++,
                         &(line){of->workload, of->kernel, "all", "pairs_in_order", p.right, p.apart, 0, false, false});
    }
    const line total[] = {line_of_pairs("mechanism_pairs_in_order", mechanisms),
                          line_of_pairs("kernel_pairs_in_order", kernels)};
    for (size_t i = 0; i < sizeof total / sizeof *total && !status; i++)
        status = set_line(frame, row++, &total[i]);
    return status;
}

static int print(const verification *v, pairs mechanisms, pairs kernels, int argc, char **argv)
{
    static const char *const labels[WS_VERIFY_LABELS] = {"workload", "kernel", "mechanism", "quantity"};
    ws_frame *frame;
    int status = ws_verify_frame(v->subjects * (v->mechanisms + 1) + 2, labels, argc, argv, &frame);
    if (!status)
        status = ws_frame_note(
            frame,
            "machine: %s; pairs: predicted in the order of the simulation, and those that the simulation has apart",
            v->mechanism[0].machine->name);
    for (size_t i = 0; i < v->notes->notes && !status; i++)
        status = ws_frame_note(frame, "%s", v->notes->note[i]);
    if (!status)
        status = fill(v, frame, mechanisms, kernels);
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

/* Median and greatest error of speedups. */
static int tell_errors(const verification *v)
{
    size_t n = 0;
    double *const error = malloc((v->subjects * v->mechanisms + 1) * sizeof *error);
    if (!error)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t s = 0; s < v->subjects; s++)
        for (size_t i = 1; i < v->mechanisms; i++) {
            const subject *const of = &v->subject[s];
            const double predicted = of->predicted[0] / of->predicted[i],
                         simulated = of->simulated[0] / of->simulated[i];
            error[n++] = fabs(predicted - simulated) / simulated;
        }
    gsl_sort(error, 1, n);
    if (n)
        fprintf(stderr, "; median error of speedups %.1f %%, at most %.1f %%",
                100 * gsl_stats_median_from_sorted_data(error, 1, n), 100 * error[n - 1]);
    free(error);
    return WS_OK;
}

static int judge(const verification *v, pairs mechanisms, pairs kernels)
{
    fprintf(stderr, "warpscape verify: %.0f of %.0f pairs of mechanisms and %.0f of %.0f pairs of kernels in order",
            mechanisms.right, mechanisms.apart, kernels.right, kernels.apart);
    const int status = tell_errors(v);
    fputc('\n', stderr);
    if (status)
        return status;
    const bool first = is_right(mechanisms), second = is_right(kernels);
    if (first && second)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "less than %.0f %% of pairs of %s are in order", 100 * (1 - WRONG),
                   first    ? "kernels"
                   : second ? "mechanisms"
                            : "mechanisms, and of kernels");
}

static int verify(verification *v, int argc, char **argv)
{
    pairs mechanisms = {0};
    int status = ws_mechanisms_create(&(ws_machine_choice){.config = v->request->config}, false, v->notes, v->mechanism,
                                      &v->mechanisms);
    ws_progress_begin(&v->bar);
    for (size_t i = 0; i < v->request->traces->count && !status; i++)
        status = verify_trace(v, v->request->traces->path[i], (double)i / (double)v->request->traces->count);
    ws_progress_end(&v->bar);
    for (size_t s = 0; s < v->subjects; s++) {
        const pairs p = mechanism_pairs(v, &v->subject[s]);
        mechanisms.apart += p.apart;
        mechanisms.right += p.right;
    }
    if (!status && !v->subjects)
        status = ws_fail(WS_ENOTFOUND, "no kernel in the traces loads from global memory");
    if (!status)
        status = print(v, mechanisms, kernel_pairs(v), argc, argv);
    return status ? status : judge(v, mechanisms, kernel_pairs(v));
}

int ws_verify_divergence(const ws_verify_request *request, int argc, char **argv)
{
    verification v = {.request = request, .notes = ws_frame_create(0, 0, 1, NULL)};
    const int status = v.notes ? verify(&v, argc, argv) : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < v.subjects; i++) {
        free(v.subject[i].workload);
        free(v.subject[i].mangled);
        free(v.subject[i].kernel);
    }
    free(v.subject);
    ws_mechanisms_destroy(v.mechanism, v.mechanisms);
    ws_frame_destroy(v.notes);
    return status;
}
