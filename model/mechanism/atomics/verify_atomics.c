/* verify_atomics.c - `warpscape verify --atomics`: do buffers keep what `model atomics` says?
 *
 * Each trace with each row of update_variants.def that is simulated. Which requests there are is a matter of the trace:
 * their numbers have to be equal, and so have those of messages where nothing is kept. What a buffer hits hangs on the
 * order of warps, which the model guesses: the shares of requests that hit may differ by a band. A simulation that does
 * not send what it began, or sends what it did not, is refused, too. */
#include "base/status.h"
#include "model/coherence/coherence.h"
#include "model/machine/machine.h"
#include "model/mechanism/atomics/update_account.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/ratio.h"
#include "model/mechanism/trace_walk.h"
#include "model/mechanism/simulate_launches.h"
#include "model/sim/sim.h"

#include <math.h>
#include <stdio.h>

enum { OTHERS, RATES };

/* A trace, with a variant of the machine. */
typedef struct verification {
    const ws_machine *machine; /* as it is, for the model */
    ws_trace *trace;
    const char *workload, *config;
    double worst;
    ws_update_subject subject;
    size_t variant;
    ws_compared of;
} verification;

/* A quantity that is equal, or whose difference has a band. */
static int add(const verification *v, const char *quantity, double predicted, double simulated, double band)
{
    return ws_compared_add(&v->of, quantity, OTHERS, ws_difference(predicted, simulated, band));
}

static int take_log(void *context, const ws_launch *launch, size_t sink, void *state)
{
    verification *const v = context;
    (void)sink;
    return ws_update_subject_add(&v->subject, v->machine, launch, state, false, 0);
}

/* Of a buffer, or of L1s. */
#define SUM(name) ((double)(d->sm.update_##name + d->l1.update_##name))

/* Partial updates that began have left. */
static bool is_whole(const ws_sim_sums *d)
{
    return SUM(misses) == SUM(evictions) + SUM(mismatches) + SUM(flushed) + (double)d->sm.update_unsent &&
           SUM(messages) == SUM(misses) - (double)d->sm.update_unsent;
}

static int refuse_lost(const verification *v, const char *whose)
{
    return ws_fail(WS_EVERIFY, "%s, %s: partial updates%s that began did not all leave", v->workload,
                   ws_update_variant_name(v->variant), whose);
}

/* What comes to chips that have buffers: all updates, or what SMs kept no longer, which is a matter of time and told
 * alone. And what they hit. */
static int compare_chips(const verification *v, const ws_update_account *a, const ws_package_counts *p, bool behind)
{
    const double came = (double)p->update_requests;
    if (p->update_misses != p->update_evictions + p->update_mismatches + p->update_flushed ||
        p->update_messages != p->update_misses)
        return refuse_lost(v, " of chips");
    const int status = add(v, "chip_requests", a->chip_requests, came, behind ? NAN : 0);
    return status ? status
                  : add(v, "chip_hit_rate", ws_part(a->chip_hits, a->chip_requests),
                        ws_part((double)p->update_hits, came), behind ? NAN : v->worst);
}

/* A protocol with a time for each warp has a buffer keep lines of warps apart, which the model does not: what it hits
 * is told, and not judged. */
static double band_of_hits(const verification *v)
{
    const char *const protocol = ws_machine_protocol(v->machine);
    return ws_coherence_is_physical(protocol) || ws_coherence_is_logical(protocol) ? NAN : v->worst;
}

/* What stays with an owner is a matter of time: told, and not judged. */
static int compare_owned(const verification *v, const ws_update_reuse *r, const ws_sim_sums *d)
{
    const double all = r->kinds[WS_UPDATE_ADDS] + r->kinds[WS_UPDATE_OTHER],
                 hits = ws_distances_below(&r->owned, (double)v->machine->l1_sets * v->machine->l1_ways),
                 owned = (double)(d->l1.owned_hits + d->l1.owned_misses);
    const int status = add(v, "requests", all, owned, 0);
    return status ? status : add(v, "owned_rate", hits / all, (double)d->l1.owned_hits / owned, NAN);
}

static int compare(const verification *v, const ws_update_account *a, const ws_sim_sums *d)
{
    const ws_update_reuse *const r = &v->subject.reuse;
    const double requests = r->kinds[WS_UPDATE_ADDS];
    if (!is_whole(d))
        return refuse_lost(v, "");
    if (d->l1.owned_hits + d->l1.owned_misses > 0)
        return compare_owned(v, r, d);
    bool behind;
    if (ws_update_variant_has_chips(v->variant, &behind))
        return compare_chips(v, a, &d->package, behind);
    if (SUM(hits) + SUM(misses) == 0) /* all at L2, or there are none */
        return add(v, "messages",
                   a->messages + (v->variant == 0 ? r->rounds[WS_UPDATE_OTHER] : r->kinds[WS_UPDATE_OTHER]),
                   (double)d->messages[WS_MESSAGE_ATOMIC], 0);
    ws_comparison rate = ws_difference(a->hits / requests, SUM(hits) / requests, band_of_hits(v));
    rate.error = fabs(a->hits - SUM(hits)) / requests;
    const int status = add(v, "requests", requests, SUM(hits) + SUM(misses), 0);
    return status ? status : ws_compared_add(&v->of, "hit_rate", RATES, rate);
}

static int verify_variant(const verification *v)
{
    static const ws_lab_tech free_of_cost;
    ws_machine *machine;
    ws_update_account account;
    ws_sim_sums sums = {0};
    int status = ws_update_variant_machine(&(ws_machine_choice){.config = v->config}, v->variant, &machine);
    if (status)
        return status;
    status = ws_simulate_launches(v->trace, machine, NULL, NULL, NULL, &sums, NULL);
    if (!status)
        status = ws_update_account_of(&v->subject, v->workload, v->machine, &free_of_cost, false, v->variant, &account);
    if (!status)
        status = compare(v, &account, &sums);
    ws_machine_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the comparison */

static int verify_trace(ws_verification *to, ws_trace *trace, const char *workload)
{
    const ws_machine *const machine = to->machine;
    verification v = {.machine = machine,
                      .trace = trace,
                      .workload = workload,
                      .config = to->request->config,
                      .worst = to->request->worst};
    int status = ws_update_logs_take(trace, machine, take_log, &v);
    for (v.variant = 0; v.variant < ws_update_variants(machine) && !status; v.variant++) {
        v.of = (ws_compared){&to->ledger, {workload, ws_update_variant_name(v.variant), machine->name}};
        if (ws_update_variant_fits(machine, v.variant))
            status = verify_variant(&v);
    }
    ws_update_subject_fini(&v.subject);
    return status;
}

static int judge(const ws_verification *v)
{
    const size_t beyond = ws_ledger_tell_within(&v->ledger);
    const ws_ledger_sum rates = ws_ledger_sum_of(&v->ledger, RATES);
    if (rates.rows)
        fprintf(stderr, "; median error of hit rates %.2f points, at most %.2f", 100 * rates.median, 100 * rates.most);
    fputc('\n', stderr);
    return ws_ledger_refuse(beyond);
}

const ws_subject ws_subject_atomics = {
    .name = "atomics",
    .what = "Hits of update buffers (model atomics) with simulations of the same buffers; errors of hit rates are in "
            "points",
    .machine = "lab-mini",
    .worst = 10,
    .takes = WS_WANTS_TRACES,
    .verifier.labels = {"workload", "updates", "machine", "quantity"},
    .verifier.whole = true,
    .verifier.trace = verify_trace,
    .verifier.finish = ws_verification_require_rows,
    .verifier.judge = judge,
};
