/* verify_sharing.c - `warpscape verify --sharing`: does `model sharing` put CTAs where the simulator does, and do SMs
 * share as it says?
 *
 * Each kernel of the traces, with each CTA scheduler. CTAs that start before any has ended are the first wave: model
 * and simulation have to have the same ones at the same SMs, as far as both waves go. Behind it time decides: shares of
 * blocks and SMs that share one, by the model's map and by the simulation's, may differ by a band; where hardly a CTA
 * would stay at its SM if CTAs took other times, nobody judges them. Where the
 * machine follows blocks itself (l1.sharing), what it counts is held against the trace, too.
 *
 * And caches, ones that know who shares and ones that do not: how many misses there are at least, in the simulation;
 * and where it serves one access after the other, the very number that the same order gives without it, by its own
 * caches and by stack distances within sets. */
#include "base/status.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/sharing/cache_variant.h"
#include "model/mechanism/verify_simulate.h"

#include "base/grow.h"
#include "model/mechanism/kernels.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel under a CTA scheduler. */
typedef struct subject {
    const char *scheduler;
    ws_cta_sums predicted;
    ws_sharers simulated;
    double wave, same;         /* CTAs of first waves, as far as both go; of these: the same CTA at the same SM */
    ws_sharing_counts counted; /* by the machine, where it */
    bool follows;
} subject;

static const char ALL_KERNELS[] = "all";

/* All launches of a trace with caches of cache_variants.def: by the streams of the simulation that serves one access
 * after the other, by that, by the simulation as it is. */
typedef struct cached {
    char *workload;
    const char *caches;
    ws_sharing_misses predicted;
    double l1_in_order, l2_in_order, l1, l2; /* misses, of L1s those of loads */
    bool data_alone;                         /* L2 hears of nothing else: no texture, no constant */
} cached;

typedef struct verification {
    ws_cta_variant variant[WS_CTA_VARIANTS_MOST];
    size_t variants;
    ws_kernels kernels; /* a subject each, those of a trace anew under each scheduler */
    ws_cta_variant caches[WS_CACHE_VARIANTS];
    size_t cache_variants;
    char *no_caches; /* what would have to be set for forms of caches; NULL: they are there */
    cached *cached;
    size_t cacheds, cached_room;
} verification;

/* A simulation of a trace under one variant. */
typedef struct follower {
    verification *v;
    const ws_cta_variant *variant;
    ws_trace *trace;
    const char *workload;
    size_t launch;   /* which one is next */
    uint32_t *sm;    /* [room] where CTAs of the launch started, */
    uint64_t *order; /* [room] and when */
    size_t room, order_room, started;
    uint64_t wave;            /* that started before any had ended */
    bool failed;              /* no memory */
    ws_sharing_counts before; /* up to the launch before */
    const ws_sim *sim;
} follower;

/* ------------------------------------------------------------------------------------------------ a simulation */

static void note_placed(void *context, uint64_t cta, uint32_t sm, uint64_t ended)
{
    follower *const f = context;
    f->failed |= WS_GROW(f->sm, f->room, 0, (size_t)cta + 1) || WS_GROW(f->order, f->order_room, f->started, 1);
    if (f->failed)
        return;
    f->sm[cta] = sm;
    f->order[f->started++] = cta;
    f->wave += !ended;
}

static subject *find_subject(follower *f, const char *name)
{
    subject *const s = ws_kernels_find(&f->v->kernels, f->workload, name);
    if (!s)
        return NULL;
    s->scheduler = f->variant->name;
    s->follows = ws_machine_follows_sharing(f->variant->machine);
    return s;
}

static void compare_waves(const follower *f, const ws_placement *p, subject *s)
{
    const uint64_t both = f->wave < p->first_wave ? f->wave : p->first_wave;
    s->wave += (double)both;
    for (uint64_t i = 0; i < both; i++)
        s->same += f->order[i] == p->order[i] && f->sm[f->order[i]] == p->sm[p->order[i]];
}

static void take_counts(follower *f, subject *s)
{
    ws_sim_sums now;
    ws_sim_sum(f->sim, &now);
#define COUNT(name, meaning) s->counted.name += now.sharing.name - f->before.name;
#include "model/sim/sm/sharing_counts.def"
#undef COUNT
    f->before = now.sharing;
}

static int compare(void *context, const ws_launch *launch, size_t sink, void *state)
{
    follower *const f = context;
    ws_touch_log *const log = state;
    ws_placement p = {0};
    (void)sink;
    ws_touch_log_sort(log);
    subject *const s = find_subject(f, launch->kernel);
    int status = s ? WS_OK : WS_EMEM;
    if (!status && log->ctas != f->started)
        status = ws_fail(WS_EVERIFY, "kernel %s: %zu blocks in the trace, %zu started", launch->kernel, log->ctas,
                         f->started);
    if (!status)
        status = ws_cta_sums_add(&s->predicted, log, launch, f->variant->machine, &p);
    if (!status) {
        ws_touch_log_sharers(log, f->sm, &s->simulated);
        compare_waves(f, &p, s);
        take_counts(f, s);
    }
    ws_placement_fini(&p);
    return status;
}

static unsigned line_shift(const ws_machine *m)
{
    return (unsigned)__builtin_ctz(m->l1_line);
}

static int take_launch(void *context, const ws_sim *sim, const ws_launch *launch)
{
    follower *const f = context;
    const ws_touch_log_options how_to_log = {.line_shift = line_shift(f->variant->machine), .limit = WS_CTA_PAIRS_MOST};
    const ws_sink sink = ws_touch_log_sink(&how_to_log), *const sinks[] = {&sink};
    const ws_replay how = {.sinks = sinks, .sink_count = 1, .workers = 1, .collect = compare, .context = f};
    ws_replay_result done;
    (void)launch;
    f->sim = sim;
    const int status =
        f->failed ? ws_fail(WS_EMEM, "out of memory") : ws_trace_replay(f->trace, f->launch, &how, &done);
    f->launch++;
    f->started = 0;
    f->wave = 0;
    return status;
}

static int simulate(verification *v, ws_trace *trace, const char *workload, const ws_cta_variant *variant)
{
    follower f = {.v = v, .variant = variant, .trace = trace, .workload = workload};
    v->kernels.first = v->kernels.count;
    const ws_sim_options options = {.placed = note_placed, .placed_context = &f};
    ws_sim *sim = NULL;
    int status = ws_sim_create(variant->machine, &options, &sim);
    if (!status)
        status = ws_verify_simulate_each(trace, variant->machine, sim, take_launch, &f);
    ws_sim_destroy(sim);
    free(f.sm);
    free(f.order);
    return status;
}

/* ------------------------------------------------------------------------------------------------ caches */

/* A simulation whose accesses go through the streams, too. */
typedef struct listener {
    ws_cache_streams *streams;
    ws_sharing_misses misses;
    int status;
} listener;

static void hear(void *context, uint32_t sm, const ws_request *r, uint64_t now)
{
    listener *const l = context;
    if (!l->status && r->kind <= WS_REQUEST_ATOMIC)
        l->status = ws_cache_streams_add(l->streams, &(ws_stream_use){.block = r->block,
                                                                      .now = now,
                                                                      .sm = sm,
                                                                      .kind = (ws_cache_kind)r->kind,
                                                                      .local = r->who.local,
                                                                      .poll = r->poll});
}

static int end_streams(void *context, const ws_sim *sim, const ws_launch *launch)
{
    listener *const l = context;
    (void)sim;
    (void)launch;
    return l->status ? l->status : ws_cache_streams_end(l->streams, &l->misses);
}

/* Stores that are written through count as misses of L1s, atomics, too. */
static double missed_loads(const ws_sim_sums *s)
{
    return (double)s->l1.loads - (double)s->l1.hits - (double)s->l1.merged;
}

static int run_in_order(ws_trace *trace, const ws_machine *machine, listener *l, ws_sim_sums *sums)
{
    const ws_sim_options how = {.record = hear, .record_context = l};
    const ws_sharing_caches caches = ws_sharing_caches_of(machine, false);
    ws_sim *sim = NULL;
    int status = ws_cache_streams_create(&caches, &l->streams);
    if (!status)
        status = ws_sim_create(machine, &how, &sim);
    if (!status)
        status = ws_verify_simulate_each(trace, machine, sim, end_streams, l);
    if (!status)
        ws_sim_sum(sim, sums);
    ws_sim_destroy(sim);
    ws_cache_streams_destroy(l->streams);
    return status;
}

static int simulate_caches(verification *v, ws_trace *trace, const char *workload, const ws_cta_variant *caches)
{
    listener l = {0};
    ws_sim_sums in_order = {0}, free_running = {0};
    int status = run_in_order(trace, caches->machine, &l, &in_order);
    if (!status)
        status = ws_verify_simulate(trace, caches->machine, &(ws_sim_options){0}, &free_running, NULL, NULL);
    if (status)
        return status;
    if (WS_GROW(v->cached, v->cached_room, v->cacheds, 1))
        return ws_fail(WS_EMEM, "out of memory");
    cached *const c = &v->cached[v->cacheds++];
    *c = (cached){.workload = strdup(workload),
                  .caches = caches->name,
                  .predicted = l.misses,
                  .l1_in_order = missed_loads(&in_order),
                  .l2_in_order = (double)in_order.l2.misses,
                  .l1 = missed_loads(&free_running),
                  .l2 = (double)free_running.l2.misses,
                  .data_alone = !in_order.read_only_messages};
    return c->workload ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

static int verify_trace(ws_verification *to, ws_trace *trace, const char *workload)
{
    verification *const v = to->state;
    int status = WS_OK;
    for (size_t i = 0; i < v->variants && !status; i++)
        status = simulate(v, trace, workload, &v->variant[i]);
    for (size_t i = 0; i < v->cache_variants && !status; i++)
        status = simulate_caches(v, trace, workload, &v->caches[i]);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

/* Rows of what SMs share, which are judged where few CTAs depend on time; the others. */
enum { OTHERS, SHARED, UNSTEADY };

static double ratio(double a, double b)
{
    return b != 0 ? a / b : 0;
}

static int add(ws_verification *to, ws_comparison row, const char *workload, const char *kernel, const char *variant,
               const char *quantity)
{
    const char *const label[WS_LEDGER_LABELS] = {workload, kernel, variant, quantity};
    memcpy(row.label, label, sizeof label);
    return ws_ledger_add(&to->ledger, &row);
}

static ws_comparison difference(double predicted, double simulated, double band)
{
    return (ws_comparison){
        .predicted = predicted, .simulated = simulated, .error = fabs(predicted - simulated), .band = band};
}

static ws_comparison relative(double predicted, double simulated, double band)
{
    return (ws_comparison){
        .predicted = predicted, .simulated = simulated, .error = ws_relative_error(predicted, simulated), .band = band};
}

/* How far the simulation is below, as a part of what was predicted. */
static ws_comparison at_least(double predicted, double simulated)
{
    const double off = predicted - simulated;
    return (ws_comparison){.predicted = predicted, .simulated = simulated, .error = off > 0 ? off / predicted : 0};
}

/* What is held against each other of a kernel: the first wave, blocks that are shared, SMs that use a block; and the
 * latter as the trace has it under the simulation's map against what SMs counted, which is exact but for a table that
 * is too small. Where most CTAs run hangs on how long others wait for memory, of which the model knows nothing, nobody
 * judges what it says of them. */
static const double LEAST_STEADY = 0.9;
static int add_subject(ws_verification *to, const ws_kernel *k)
{
    const subject *const s = k->kept;
    const ws_sharers *const p = &s->predicted.whole, *const m = &s->simulated;
    const bool steady = !(ratio(s->predicted.steady, s->predicted.ctas) < LEAST_STEADY);
    const double worst = to->request->worst, band = steady ? worst : NAN;
    ws_comparison shared = difference(ratio(p->shared, p->blocks), ratio(m->shared, m->blocks), band),
                  copies = relative(ratio(p->copies, p->blocks), ratio(m->copies, m->blocks), band);
    shared.kind = copies.kind = steady ? SHARED : UNSTEADY;
    int status = add(to, relative(s->same, s->wave, 0), k->workload, k->kernel, s->scheduler, "first_wave");
    if (!status)
        status = add(to, shared, k->workload, k->kernel, s->scheduler, "shared");
    if (!status)
        status = add(to, copies, k->workload, k->kernel, s->scheduler, "copies");
    if (!status && s->follows)
        status = add(
            to,
            relative(ratio(m->copies, m->blocks), ratio((double)s->counted.copies, (double)s->counted.blocks), worst),
            k->workload, k->kernel, s->scheduler, "counted");
    return status;
}

/* ... of caches: misses in the order of the simulation that serves one access after the other, by the simulator's own
 * caches and by stack distances, which have to be the same; and what no cache misses less than, which has to hold for
 * the simulation as it is. */
static int add_caches(ws_verification *to, const cached *c)
{
    const ws_sharing_misses *const p = &c->predicted;
    const struct {
        const char *name;
        bool there;
        ws_comparison row;
    } rows[] = {
        {"l1_in_order", true, relative(p->l1_replayed, c->l1_in_order, 0)},
        {"l2_in_order", c->data_alone, relative(p->l2_replayed, c->l2_in_order, 0)},
        {"l1_least", true, at_least(p->l1_least, c->l1_in_order)},
        {"l2_least", true, at_least(p->l2_least, c->l2)},
        {"l1_form", true, relative(p->l1_form, c->l1_in_order, 0)},
        {"l2_form", c->data_alone, relative(p->l2_form, c->l2_in_order, 0)},
    };
    int status = WS_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++)
        if (rows[i].there)
            status = add(to, rows[i].row, c->workload, ALL_KERNELS, c->caches, rows[i].name);
    return status;
}

static int finish(ws_verification *to)
{
    const verification *const v = to->state;
    int status = v->kernels.count ? WS_OK : ws_fail(WS_ENOTFOUND, "no launch in the traces");
    for (size_t i = 0; i < v->kernels.count && !status; i++)
        status = add_subject(to, &v->kernels.one[i]);
    for (size_t i = 0; i < v->cacheds && !status; i++)
        status = add_caches(to, &v->cached[i]);
    return status;
}

/* Which rows are not there, and why. */
static void tell_left_out(const verification *v)
{
    size_t deaf = 0;
    for (size_t i = 0; i < v->cacheds; i++)
        deaf += !v->cached[i].data_alone;
    if (v->no_caches)
        fprintf(stderr, "warpscape verify: no rows of caches (kernel `%s'): on this machine they would need %s\n",
                ALL_KERNELS, v->no_caches);
    if (deaf)
        fprintf(stderr,
                "warpscape verify: no rows `l2_in_order' and `l2_form' of %zu of %zu (workload and caches): textures "
                "or constants use that L2, too\n",
                deaf, v->cacheds);
    if (!ws_machine_follows_sharing(v->variant[0].machine))
        fprintf(stderr, "warpscape verify: no rows `counted': this machine does not count what SMs share (l1.sharing, "
                        "without a protocol)\n");
}

static int judge(const ws_verification *to)
{
    const ws_ledger_sum all = ws_ledger_sum_of(&to->ledger, WS_LEDGER_ALL);
    const ws_ledger_sum shared = ws_ledger_sum_of(&to->ledger, SHARED);
    const ws_ledger_sum unsteady = ws_ledger_sum_of(&to->ledger, UNSTEADY);
    tell_left_out(to->state);
    fprintf(stderr, "warpscape verify: %zu of %zu quantities within their bands", all.within, all.judged);
    if (shared.rows)
        fprintf(stderr, "; median error of what is shared %.1f %%, at most %.1f %%", 100 * shared.median,
                100 * shared.most);
    fputc('\n', stderr);
    if (unsteady.rows)
        fprintf(stderr,
                "warpscape verify: %zu more are judged by nobody: where most blocks run hangs on how long others wait "
                "for memory\n",
                unsteady.rows);
    return ws_ledger_refuse(all.judged - all.within);
}

static int open_variants(ws_verification *to)
{
    const ws_machine_choice choice = {.config = to->request->config};
    verification *const v = to->state;
    v->kernels.bytes = sizeof(subject);
    int status = ws_cta_variants_create(&choice, v->variant, &v->variants);
    if (!status)
        status = ws_cache_variants_create(&choice, v->caches, &v->cache_variants, &v->no_caches);
    return status ? status : ws_frame_note(to->notes, "machine: %s", v->variant[0].machine->name);
}

static void close_variants(const ws_verification *to)
{
    verification *const v = to->state;
    ws_kernels_fini(&v->kernels);
    for (size_t i = 0; i < v->cacheds; i++)
        free(v->cached[i].workload);
    free(v->cached);
    free(v->no_caches);
    ws_cta_variants_destroy(v->variant, v->variants);
    ws_cta_variants_destroy(v->caches, v->cache_variants);
}

static const ws_verifier verifier = {
    .labels = {"workload", "kernel", "scheduler", "quantity"},
    .whole = true,
    .state_bytes = sizeof(verification),
    .open = open_variants,
    .trace = verify_trace,
    .finish = finish,
    .judge = judge,
    .close = close_variants,
};

const ws_subject ws_subject_sharing = {
    .name = "sharing",
    .what = "Where blocks run and what SMs share (model sharing) with simulations by the same CTA schedulers",
    .machine = "sharing",
    .worst = 5,
    .takes = WS_WANTS_TRACES,
    .verifier = &verifier,
};
