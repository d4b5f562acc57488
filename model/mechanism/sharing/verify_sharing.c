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
#include "base/grow.h"
#include "base/status.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/work_rows.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/ratio.h"
#include "model/mechanism/sharing/cache_runs.h"
#include "model/mechanism/sharing/cta_sums.h"
#include "model/mechanism/sharing/sharing_machines.h"
#include "model/mechanism/simulate_launches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    const char *caches;
    ws_sharing_misses predicted;
    double l1_in_order, l2_in_order, l1, l2; /* misses, of L1s those of loads */
    bool data_alone;                         /* L2 hears of nothing else: no texture, no constant */
} cached;

typedef struct verification {
    ws_sharing_machines on;
    ws_work_rows kernels; /* a subject each, those of a trace anew under each scheduler */
    ws_work_rows cached;  /* of each trace, with each of its caches: a cached */
} verification;

/* A simulation of a trace under one CTA scheduler. */
typedef struct follower {
    verification *v;
    const ws_variant *variant;
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
    subject *const s = ws_work_rows_kernel(&f->v->kernels, f->workload, launch->kernel);
    int status = s ? WS_OK : WS_EMEM;
    if (!status && log->ctas != f->started)
        status = ws_fail(WS_EVERIFY, "kernel %s: %zu blocks in the trace, %zu started", launch->kernel, log->ctas,
                         f->started);
    if (!status)
        status = ws_cta_sums_add(&s->predicted, log, launch, f->variant->machine, &p);
    if (!status) {
        s->scheduler = f->variant->name;
        s->follows = ws_machine_follows_sharing(f->variant->machine);
        ws_touch_log_sharers(log, f->sm, &s->simulated);
        compare_waves(f, &p, s);
        take_counts(f, s);
    }
    ws_placement_fini(&p);
    return status;
}

static int take_launch(void *context, const ws_sim *sim, const ws_launch *launch)
{
    follower *const f = context;
    const ws_touch_log_options how_to_log = ws_cta_log_options(f->variant->machine);
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

static int simulate(verification *v, ws_trace *trace, const char *workload, const ws_variant *variant)
{
    follower f = {.v = v, .variant = variant, .trace = trace, .workload = workload};
    v->kernels.first = v->kernels.count;
    const int status =
        ws_simulate_launches(trace, variant->machine, &(ws_sim_options){.placed = note_placed, .placed_context = &f},
                             take_launch, &f, NULL, NULL);
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
    const ws_sharing_caches caches = ws_sharing_caches_of(machine, false);
    int status = ws_cache_streams_create(&caches, &l->streams);
    if (!status)
        status = ws_simulate_launches(trace, machine, &(ws_sim_options){.record = hear, .record_context = l},
                                      end_streams, l, sums, NULL);
    ws_cache_streams_destroy(l->streams);
    return status;
}

static int simulate_caches(verification *v, ws_trace *trace, const char *workload, const ws_variant *caches)
{
    listener l = {0};
    ws_sim_sums in_order = {0}, free_running = {0};
    int status = run_in_order(trace, caches->machine, &l, &in_order);
    if (!status)
        status = ws_simulate_launches(trace, caches->machine, NULL, NULL, NULL, &free_running, NULL);
    if (status)
        return status;
    cached *const c = ws_work_rows_add(&v->cached, workload, ALL_KERNELS, 0);
    if (!c)
        return WS_EMEM;
    *c = (cached){.caches = caches->name,
                  .predicted = l.misses,
                  .l1_in_order = missed_loads(&in_order),
                  .l2_in_order = (double)in_order.l2.misses,
                  .l1 = missed_loads(&free_running),
                  .l2 = (double)free_running.l2.misses,
                  .data_alone = !in_order.read_only_messages};
    return WS_OK;
}

static int verify_trace(ws_verification *to, ws_trace *trace, const char *workload)
{
    verification *const v = to->state;
    int status = WS_OK;
    for (size_t i = 0; i < WS_CTA_VARIANTS && !status; i++)
        status = simulate(v, trace, workload, &v->on.by_cta[i]);
    for (size_t i = 0; i < v->on.caches && !status; i++)
        status = simulate_caches(v, trace, workload, &v->on.by_caches[i]);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

/* Rows of what SMs share, which are judged where few CTAs depend on time; the others. */
enum { OTHERS, SHARED, UNSTEADY };

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
static int add_subject(ws_verification *to, const ws_work_row *k)
{
    const subject *const s = k->kept;
    const ws_sharers *const p = &s->predicted.whole, *const m = &s->simulated;
    const ws_compared of = {&to->ledger, {k->workload, k->kernel, s->scheduler}};
    const bool steady = !(ws_part(s->predicted.steady, s->predicted.ctas) < LEAST_STEADY);
    const double worst = to->request->worst, band = steady ? worst : NAN, copies = ws_part(m->copies, m->blocks);
    const unsigned kind = steady ? SHARED : UNSTEADY;
    int status = ws_compared_add(&of, "first_wave", OTHERS, ws_relative(s->same, s->wave, 0));
    if (!status)
        status = ws_compared_add(&of, "shared", kind,
                                 ws_difference(ws_part(p->shared, p->blocks), ws_part(m->shared, m->blocks), band));
    if (!status)
        status = ws_compared_add(&of, "copies", kind, ws_relative(ws_part(p->copies, p->blocks), copies, band));
    if (!status && s->follows)
        status =
            ws_compared_add(&of, "counted", OTHERS,
                            ws_relative(copies, ws_part((double)s->counted.copies, (double)s->counted.blocks), worst));
    return status;
}

/* ... of caches: misses in the order of the simulation that serves one access after the other, by the simulator's own
 * caches and by stack distances, which have to be the same; and what no cache misses less than, which has to hold for
 * the simulation as it is. */
static int add_caches(ws_verification *to, const ws_work_row *k)
{
    const cached *const c = k->kept;
    const ws_sharing_misses *const p = &c->predicted;
    const ws_compared of = {&to->ledger, {k->workload, k->kernel, c->caches}};
    const struct {
        const char *name;
        bool there;
        ws_comparison row;
    } rows[] = {
        {"l1_in_order", true, ws_relative(p->l1_replayed, c->l1_in_order, 0)},
        {"l2_in_order", c->data_alone, ws_relative(p->l2_replayed, c->l2_in_order, 0)},
        {"l1_least", true, at_least(p->l1_least, c->l1_in_order)},
        {"l2_least", true, at_least(p->l2_least, c->l2)},
        {"l1_form", true, ws_relative(p->l1_form, c->l1_in_order, 0)},
        {"l2_form", c->data_alone, ws_relative(p->l2_form, c->l2_in_order, 0)},
    };
    int status = WS_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++)
        if (rows[i].there)
            status = ws_compared_add(&of, rows[i].name, OTHERS, rows[i].row);
    return status;
}

static int finish(ws_verification *to)
{
    const verification *const v = to->state;
    int status = v->kernels.count ? WS_OK : ws_fail(WS_ENOTFOUND, "no launch in the traces");
    for (size_t i = 0; i < v->kernels.count && !status; i++)
        status = add_subject(to, &v->kernels.row[i]);
    for (size_t i = 0; i < v->cached.count && !status; i++)
        status = add_caches(to, &v->cached.row[i]);
    return status;
}

/* Which rows are not there, and why. */
static void tell_left_out(const verification *v)
{
    size_t deaf = 0;
    for (size_t i = 0; i < v->cached.count; i++)
        deaf += !((const cached *)v->cached.row[i].kept)->data_alone;
    if (v->on.lacking)
        fprintf(stderr, "warpscape verify: no rows of caches (kernel `%s'): on this machine they would need %s\n",
                ALL_KERNELS, v->on.lacking);
    if (deaf)
        fprintf(stderr,
                "warpscape verify: no rows `l2_in_order' and `l2_form' of %zu of %zu (workload and caches): textures "
                "or constants also use that L2\n",
                deaf, v->cached.count);
    if (!ws_machine_follows_sharing(v->on.by_cta[0].machine))
        fprintf(stderr, "warpscape verify: no rows `counted': this machine does not track sharing (l1.sharing, without "
                        "a protocol)\n");
}

static int judge(const ws_verification *to)
{
    const ws_ledger_sum unsteady = ws_ledger_sum_of(&to->ledger, UNSTEADY);
    tell_left_out(to->state);
    const size_t beyond = ws_ledger_tell_within(&to->ledger);
    ws_ledger_tell_errors(&to->ledger, SHARED, "what is shared");
    fputc('\n', stderr);
    if (unsteady.rows)
        fprintf(stderr,
                "warpscape verify: %zu more are not judged: the placement of most blocks depends on the time that "
                "others wait for memory\n",
                unsteady.rows);
    return ws_ledger_refuse(beyond);
}

static int open_machines(ws_verification *to)
{
    verification *const v = to->state;
    v->kernels.bytes = sizeof(subject);
    v->cached.bytes = sizeof(cached);
    return ws_sharing_machines_create(&(ws_machine_choice){.config = to->request->config}, to->machine, &v->on);
}

static void close_machines(const ws_verification *to)
{
    verification *const v = to->state;
    ws_work_rows_fini(&v->kernels);
    ws_work_rows_fini(&v->cached);
    ws_sharing_machines_fini(&v->on);
}

const ws_subject ws_subject_sharing = {
    .name = "sharing",
    .what = "Placement of blocks and sharing between SMs (model sharing) with simulations by the same CTA schedulers",
    .machine = "sharing",
    .worst = 5,
    .takes = WS_WANTS_TRACES,
    .verifier.labels = {"workload", "kernel", "scheduler", "quantity"},
    .verifier.whole = true,
    .verifier.state_bytes = sizeof(verification),
    .verifier.open = open_machines,
    .verifier.trace = verify_trace,
    .verifier.finish = finish,
    .verifier.judge = judge,
    .verifier.close = close_machines,
};
