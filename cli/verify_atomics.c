/* verify_atomics.c - `warpscape verify --atomics`: do buffers keep what `model atomics` says?
 *
 * Each trace with each row of update_variants.def that is simulated. Which requests there are is a matter of the trace:
 * their numbers have to be equal, and so have those of messages where nothing is kept. What a buffer hits hangs on the
 * order of warps, which the model guesses: the shares of requests that hit may differ by a band. A simulation that does
 * not send what it began, or sends what it did not, is refused, too. */
#include "cli/atomics/update_account.h"
#include "cli/cli.h"
#include "cli/verify.h"

#include "base/grow.h"
#include "model/coherence/coherence.h"
#include "model/sim/sm/decode.h"
#include "model/sim/sim.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct finding {
    char *workload;
    const char *variant, *quantity;
    double predicted, simulated, error, band;
} finding;

typedef struct verification {
    const ws_verify_request *request;
    ws_machine *machine; /* as it is, for the model */
    finding *found;
    size_t findings, room;
    ws_progress bar;
} verification;

static int note(verification *v, const char *workload, size_t variant, const char *quantity, double predicted,
                double simulated, double error, double band)
{
    if (WS_GROW(v->found, v->room, v->findings, 1))
        return ws_fail(WS_EMEM, "out of memory");
    const finding f = {.workload = strdup(workload),
                       .variant = ws_update_variant_name(variant),
                       .quantity = quantity,
                       .predicted = predicted,
                       .simulated = simulated,
                       .error = error,
                       .band = band};
    v->found[v->findings++] = f;
    return f.workload ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

/* ------------------------------------------------------------------------------------------------ the model */

typedef struct reader {
    verification *v;
    ws_update_subject *to;
} reader;

static int take_log(void *context, const ws_launch *launch, size_t sink, void *state)
{
    const reader *const r = context;
    (void)sink;
    return ws_update_subject_add(r->to, r->v->machine, launch, state, false, 0);
}

static bool is_commutative(const void *machine, const char *kernel)
{
    return ws_machine_is_commutative(machine, kernel);
}

static int predict(verification *v, ws_trace *trace, ws_update_subject *to)
{
    const ws_update_log_options how_to_log = {.limit = WS_UPDATE_RECORDS_MOST,
                                              .line_bytes = v->machine->l1_line,
                                              .is_commutative = is_commutative,
                                              .context = v->machine};
    const ws_sink sink = ws_update_log_sink(&how_to_log), *const sinks[] = {&sink};
    reader r = {.v = v, .to = to};
    const ws_replay how = {.sinks = sinks, .sink_count = 1, .workers = 1, .collect = take_log, .context = &r};
    ws_replay_result done;
    int status = WS_OK;
    for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++)
        status = ws_trace_replay(trace, i, &how, &done);
    return status;
}

/* ------------------------------------------------------------------------------------------------ simulations */

static int ended(void *context, const ws_sim *sim, const ws_launch *launch)
{
    (void)launch;
    ws_sim_sum(sim, context);
    return WS_OK;
}

static int simulate(ws_trace *trace, const ws_machine *machine, ws_sim_sums *sums)
{
    ws_sim *sim = NULL;
    int status = ws_sim_create(machine, &(ws_sim_options){0}, &sim);
    if (!status)
        status = ws_verify_simulate_each(trace, machine, sim, ended, sums);
    ws_sim_destroy(sim);
    return status;
}

/* Of a buffer, or of L1s. */
#define SUM(name) ((double)(d->sm.update_##name + d->l1.update_##name))

/* Partial updates that began have left. */
static bool is_whole(const ws_sim_sums *d)
{
    return SUM(misses) == SUM(evictions) + SUM(mismatches) + SUM(flushed) + (double)d->sm.update_unsent &&
           SUM(messages) == SUM(misses) - (double)d->sm.update_unsent;
}

static double lines_of(const verification *v)
{
    return (double)v->machine->l1_sets * v->machine->l1_ways;
}

/* What comes to chips that have buffers: all updates, or what SMs kept no longer, which is a matter of time and told
 * alone. And what they hit. */
static int compare_chips(verification *v, const char *workload, size_t variant, const ws_update_account *a,
                         const ws_package_counts *p, bool behind)
{
    const double came = (double)p->update_requests,
                 predicted = a->chip_requests > 0 ? a->chip_hits / a->chip_requests : 0,
                 hits = came > 0 ? (double)p->update_hits / came : 0;
    if (p->update_misses != p->update_evictions + p->update_mismatches + p->update_flushed ||
        p->update_messages != p->update_misses)
        return ws_fail(WS_EVERIFY, "%s, %s: partial updates of chips that began did not all leave", workload,
                       ws_update_variant_name(variant));
    const int status = note(v, workload, variant, "chip_requests", a->chip_requests, came,
                            fabs(a->chip_requests - came), behind ? NAN : 0);
    return status ? status
                  : note(v, workload, variant, "chip_hit_rate", predicted, hits, fabs(predicted - hits),
                         behind ? NAN : v->request->worst);
}

/* A protocol with a time for each warp has a buffer keep lines of warps apart, which the model does not: what it hits
 * is told, and not judged. */
static double band_of_hits(const verification *v)
{
    const char *const protocol = v->machine->coherence_protocol;
    return ws_coherence_is_physical(protocol) || ws_coherence_is_logical(protocol) ? NAN : v->request->worst;
}

static int compare(verification *v, const char *workload, size_t variant, const ws_update_account *a,
                   const ws_update_reuse *r, const ws_sim_sums *d)
{
    const double sent = (double)d->messages[WS_MESSAGE_ATOMIC], requests = r->kinds[WS_UPDATE_ADDS];
    if (!is_whole(d))
        return ws_fail(WS_EVERIFY, "%s, %s: partial updates that began did not all leave", workload,
                       ws_update_variant_name(variant));
    if (d->l1.owned_hits + d->l1.owned_misses >
        0) { /* what stays with an owner is a matter of time: told, and not judged */
        const double all = requests + r->kinds[WS_UPDATE_OTHER], hits = ws_distances_below(&r->owned, lines_of(v)),
                     owned = (double)(d->l1.owned_hits + d->l1.owned_misses);
        const int rc = note(v, workload, variant, "requests", all, owned, fabs(all - owned), 0);
        return rc ? rc
                  : note(v, workload, variant, "owned_rate", hits / all, (double)d->l1.owned_hits / owned,
                         fabs(hits / all - (double)d->l1.owned_hits / owned), NAN);
    }
    bool behind;
    if (ws_update_variant_chip(variant, &behind) > 0)
        return compare_chips(v, workload, variant, a, &d->package, behind);
    if (SUM(hits) + SUM(misses) == 0) { /* all at L2, or there are none */
        const double predicted =
            a->messages + r->rounds[WS_UPDATE_OTHER] * (variant == 0) + r->kinds[WS_UPDATE_OTHER] * (variant != 0);
        return note(v, workload, variant, "messages", predicted, sent, fabs(predicted - sent), 0);
    }
    int status = note(v, workload, variant, "requests", requests, SUM(hits) + SUM(misses),
                      fabs(requests - SUM(hits) - SUM(misses)), 0);
    if (!status)
        status = note(v, workload, variant, "hit_rate", a->hits / requests, SUM(hits) / requests,
                      fabs(a->hits - SUM(hits)) / requests, band_of_hits(v));
    return status;
}

static int verify_variant(verification *v, ws_trace *trace, const char *workload, const ws_update_subject *s,
                          size_t variant)
{
    static const ws_lab_tech free_of_cost;
    ws_machine *machine;
    ws_update_account account;
    ws_sim_sums sums = {0};
    int status = ws_update_variant_machine(&(ws_machine_choice){.config = v->request->config}, variant, &machine);
    if (status || !machine)
        return status;
    status = simulate(trace, machine, &sums);
    if (!status)
        status = ws_update_account_of(s, workload, v->machine, &free_of_cost, false, variant, &account);
    if (!status)
        status = compare(v, workload, variant, &account, &s->reuse, &sums);
    ws_machine_destroy(machine);
    return status;
}

static int verify_trace(verification *v, const char *path, double done)
{
    ws_trace *trace;
    ws_update_subject subject = {0};
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    char *const workload = ws_trace_workload(trace);
    if (workload)
        ws_progress_show(&v->bar, workload, done);
    status = !workload                ? WS_EMEM
             : ws_trace_damage(trace) ? ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace))
                                      : predict(v, trace, &subject);
    for (size_t i = 0; i < ws_update_variants(v->machine) && !status; i++)
        if (ws_update_variant_fits(v->machine, i))
            status = verify_variant(v, trace, workload, &subject, i);
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_update_subject_fini(&subject);
    ws_trace_close(trace);
    free(workload);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

static int print(const verification *v, int argc, char **argv)
{
    static const char *const labels[WS_VERIFY_LABELS] = {"workload", "updates", "machine", "quantity"};
    ws_frame *frame;
    int status = ws_verify_frame(v->findings, labels, argc, argv, &frame);
    for (size_t i = 0; i < v->findings && !status; i++) {
        const finding *const f = &v->found[i];
        status = ws_verify_set_row(frame, i,
                                   &(ws_verify_row){.label = {f->workload, f->variant, v->machine->name, f->quantity},
                                                    .predicted = f->predicted,
                                                    .simulated = f->simulated,
                                                    .error = f->error,
                                                    .band = f->band,
                                                    .within = isnan(f->band) ? NAN : f->error <= f->band});
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static int judge(const verification *v)
{
    size_t within = 0, judged = 0, rates = 0;
    double *const error = malloc((v->findings + 1) * sizeof *error);
    if (!error)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < v->findings; i++) {
        judged += !isnan(v->found[i].band);
        within += v->found[i].error <= v->found[i].band;
        if (!strcmp(v->found[i].quantity, "hit_rate"))
            error[rates++] = v->found[i].error;
    }
    gsl_sort(error, 1, rates);
    fprintf(stderr, "warpscape verify: %zu of %zu quantities within their bands", within, judged);
    if (rates)
        fprintf(stderr, "; median error of hit rates %.2f points, at most %.2f",
                100 * gsl_stats_median_from_sorted_data(error, 1, rates), 100 * error[rates - 1]);
    fputc('\n', stderr);
    free(error);
    return within == judged ? WS_OK : ws_fail(WS_EVERIFY, "%zu quantities are beyond their bands", judged - within);
}

static int verify(verification *v, int argc, char **argv)
{
    int status = ws_machine_choose(&(ws_machine_choice){.config = v->request->config}, &v->machine);
    ws_progress_begin(&v->bar);
    for (size_t i = 0; i < v->request->traces->count && !status; i++)
        status = verify_trace(v, v->request->traces->path[i], (double)i / (double)v->request->traces->count);
    ws_progress_end(&v->bar);
    if (!status && !v->findings)
        status = ws_fail(WS_ENOTFOUND, "no launch in the traces");
    if (!status)
        status = print(v, argc, argv);
    return status ? status : judge(v);
}

int ws_verify_atomics(const ws_verify_request *request, int argc, char **argv)
{
    verification v = {.request = request};
    const int status = verify(&v, argc, argv);
    for (size_t i = 0; i < v.findings; i++)
        free(v.found[i].workload);
    free(v.found);
    ws_machine_destroy(v.machine);
    return status;
}
