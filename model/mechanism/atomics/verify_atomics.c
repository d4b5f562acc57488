/* verify_atomics.c - `warpscape verify --atomics`: do buffers keep what `model atomics` says?
 *
 * Each trace with each row of update_variants.def that is simulated. Which requests there are is a matter of the trace:
 * their numbers have to be equal, and so have those of messages where nothing is kept. What a buffer hits hangs on the
 * order of warps, which the model guesses: the shares of requests that hit may differ by a band. A simulation that does
 * not send what it began, or sends what it did not, is refused, too. */
#include "base/status.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/atomics/update_account.h"
#include "model/mechanism/verify_simulate.h"

#include "model/coherence/coherence.h"
#include "model/machine/machine.h"
#include "model/mechanism/trace_walk.h"
#include "model/sim/sm/decode.h"
#include "model/sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { OTHERS, RATES };

/* What is compared of a trace. */
typedef struct verification {
    ws_verification *to;
    const ws_machine *machine; /* as it is, for the model */
    const char *workload;
} verification;

static int note(const verification *v, size_t variant, const char *quantity, unsigned kind, double predicted,
                double simulated, double error, double band)
{
    return ws_ledger_add(&v->to->ledger, &(ws_comparison){.label = {v->workload, ws_update_variant_name(variant),
                                                                    v->machine->name, quantity},
                                                          .kind = kind,
                                                          .predicted = predicted,
                                                          .simulated = simulated,
                                                          .error = error,
                                                          .band = band});
}

/* A quantity that is equal, or whose difference has a band. */
static int note_difference(const verification *v, size_t variant, const char *quantity, double predicted,
                           double simulated, double band)
{
    return note(v, variant, quantity, OTHERS, predicted, simulated, fabs(predicted - simulated), band);
}

/* ------------------------------------------------------------------------------------------------ the model */

typedef struct reader {
    const verification *v;
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

static int predict(const verification *v, ws_trace *trace, ws_update_subject *to)
{
    const ws_update_log_options how_to_log = {.limit = WS_UPDATE_RECORDS_MOST,
                                              .line_bytes = v->machine->l1_line,
                                              .is_commutative = is_commutative,
                                              .context = v->machine};
    const ws_sink sink = ws_update_log_sink(&how_to_log), *const sinks[] = {&sink};
    reader r = {.v = v, .to = to};
    const ws_replay how = {.sinks = sinks, .sink_count = 1, .workers = 1, .collect = take_log, .context = &r};
    return ws_trace_replay_all(trace, &how);
}

/* ------------------------------------------------------------------------------------------------ simulations */

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
static int compare_chips(const verification *v, size_t variant, const ws_update_account *a, const ws_package_counts *p,
                         bool behind)
{
    const double came = (double)p->update_requests,
                 predicted = a->chip_requests > 0 ? a->chip_hits / a->chip_requests : 0,
                 hits = came > 0 ? (double)p->update_hits / came : 0;
    if (p->update_misses != p->update_evictions + p->update_mismatches + p->update_flushed ||
        p->update_messages != p->update_misses)
        return ws_fail(WS_EVERIFY, "%s, %s: partial updates of chips that began did not all leave", v->workload,
                       ws_update_variant_name(variant));
    const int status = note_difference(v, variant, "chip_requests", a->chip_requests, came, behind ? NAN : 0);
    return status ? status
                  : note_difference(v, variant, "chip_hit_rate", predicted, hits, behind ? NAN : v->to->request->worst);
}

/* A protocol with a time for each warp has a buffer keep lines of warps apart, which the model does not: what it hits
 * is told, and not judged. */
static double band_of_hits(const verification *v)
{
    const char *const protocol = v->machine->coherence_protocol;
    return ws_coherence_is_physical(protocol) || ws_coherence_is_logical(protocol) ? NAN : v->to->request->worst;
}

/* What stays with an owner is a matter of time: told, and not judged. */
static int compare_owned(const verification *v, size_t variant, const ws_update_reuse *r, const ws_sim_sums *d)
{
    const double all = r->kinds[WS_UPDATE_ADDS] + r->kinds[WS_UPDATE_OTHER],
                 hits = ws_distances_below(&r->owned, lines_of(v)),
                 owned = (double)(d->l1.owned_hits + d->l1.owned_misses);
    const int status = note_difference(v, variant, "requests", all, owned, 0);
    return status ? status
                  : note_difference(v, variant, "owned_rate", hits / all, (double)d->l1.owned_hits / owned, NAN);
}

static int compare(const verification *v, size_t variant, const ws_update_account *a, const ws_update_reuse *r,
                   const ws_sim_sums *d)
{
    const double sent = (double)d->messages[WS_MESSAGE_ATOMIC], requests = r->kinds[WS_UPDATE_ADDS];
    if (!is_whole(d))
        return ws_fail(WS_EVERIFY, "%s, %s: partial updates that began did not all leave", v->workload,
                       ws_update_variant_name(variant));
    if (d->l1.owned_hits + d->l1.owned_misses > 0)
        return compare_owned(v, variant, r, d);
    bool behind;
    if (ws_update_variant_chip(variant, &behind) > 0)
        return compare_chips(v, variant, a, &d->package, behind);
    if (SUM(hits) + SUM(misses) == 0) /* all at L2, or there are none */
        return note_difference(v, variant, "messages",
                               a->messages + r->rounds[WS_UPDATE_OTHER] * (variant == 0) +
                                   r->kinds[WS_UPDATE_OTHER] * (variant != 0),
                               sent, 0);
    const int status = note(v, variant, "requests", OTHERS, requests, SUM(hits) + SUM(misses),
                            fabs(requests - SUM(hits) - SUM(misses)), 0);
    return status ? status
                  : note(v, variant, "hit_rate", RATES, a->hits / requests, SUM(hits) / requests,
                         fabs(a->hits - SUM(hits)) / requests, band_of_hits(v));
}

static int verify_variant(const verification *v, ws_trace *trace, const ws_update_subject *s, size_t variant)
{
    static const ws_lab_tech free_of_cost;
    ws_machine *machine;
    ws_update_account account;
    ws_sim_sums sums = {0};
    int status = ws_update_variant_machine(&(ws_machine_choice){.config = v->to->request->config}, variant, &machine);
    if (status || !machine)
        return status;
    status = ws_verify_simulate(trace, machine, NULL, &sums, NULL, NULL);
    if (!status)
        status = ws_update_account_of(s, v->workload, v->machine, &free_of_cost, false, variant, &account);
    if (!status)
        status = compare(v, variant, &account, &s->reuse, &sums);
    ws_machine_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the comparison */

static int open_machine(ws_verification *v)
{
    return ws_machine_choose(&(ws_machine_choice){.config = v->request->config}, v->state);
}

static const ws_machine *machine_of(const ws_verification *v)
{
    return *(ws_machine *const *)v->state;
}

static int verify_trace(ws_verification *to, ws_trace *trace, const char *workload)
{
    const verification v = {.to = to, .machine = machine_of(to), .workload = workload};
    ws_update_subject subject = {0};
    int status = predict(&v, trace, &subject);
    for (size_t i = 0; i < ws_update_variants(v.machine) && !status; i++)
        if (ws_update_variant_fits(v.machine, i))
            status = verify_variant(&v, trace, &subject, i);
    ws_update_subject_fini(&subject);
    return status;
}

static int finish(ws_verification *v)
{
    return ws_ledger_require_rows(&v->ledger);
}

static int judge(const ws_verification *v)
{
    const ws_ledger_sum all = ws_ledger_sum_of(&v->ledger, WS_LEDGER_ALL);
    const ws_ledger_sum rates = ws_ledger_sum_of(&v->ledger, RATES);
    fprintf(stderr, "warpscape verify: %zu of %zu quantities within their bands", all.within, all.judged);
    if (rates.rows)
        fprintf(stderr, "; median error of hit rates %.2f points, at most %.2f", 100 * rates.median, 100 * rates.most);
    fputc('\n', stderr);
    return ws_ledger_refuse(all.judged - all.within);
}

static void close_machine(const ws_verification *v)
{
    ws_machine_destroy(*(ws_machine *const *)v->state);
}

static const ws_verifier verifier = {
    .labels = {"workload", "updates", "machine", "quantity"},
    .whole = true,
    .state_bytes = sizeof(ws_machine *),
    .open = open_machine,
    .trace = verify_trace,
    .finish = finish,
    .judge = judge,
    .close = close_machine,
};

const ws_subject ws_subject_atomics = {
    .name = "atomics",
    .what = "What buffers of updates keep (model atomics) with simulations of the same buffers; errors of hit rates "
            "are in points",
    .machine = "lab-mini",
    .worst = 10,
    .takes = WS_WANTS_TRACES,
    .verifier = &verifier,
};
