/* verify_sharing.c - `warpscape verify --sharing`: does `model sharing` put CTAs where the simulator does, and do SMs share as it says?
 *
 * Each kernel of the traces, with each CTA scheduler. CTAs that start before any has ended are the first wave: model and simulation have to have the same
 * ones at the same SMs, as far as both waves go. Behind it time decides: shares of blocks and SMs that share one, by the model's map and by the simulation's, may differ by a band. Where the
 * machine follows blocks itself (l1.sharing), what it counts is held against the trace, too. */
#include "cli/cli.h"
#include "cli/sharing/cta_variant.h"
#include "cli/verify.h"

#include "base/demangle.h"
#include "base/grow.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kernel under a CTA scheduler. */
typedef struct subject {
    char *workload, *mangled, *kernel;
    const char *scheduler;
    ws_cta_sums predicted;
    ws_sharers simulated;
    double wave, same; /* CTAs of first waves, as far as both go; of these: the same CTA at the same SM */
    ws_sharing_counts counted; /* by the machine, where it */
    bool follows;
} subject;

typedef struct verification {
    const ws_verify_request *request;
    ws_cta_variant variant[WS_CTA_VARIANTS_MOST];
    size_t variants;
    subject *subject;
    size_t subjects, room;
    ws_progress bar;
} verification;

/* A simulation of a trace under one variant. */
typedef struct follower {
    verification *v;
    const ws_cta_variant *variant;
    ws_trace *trace;
    const char *workload;
    size_t launch, first;   /* which one is next; first subject of the trace under the variant */
    uint32_t *sm;           /* [room] where CTAs of the launch started, */
    uint64_t *order;        /* [room] and when */
    size_t room, order_room, started;
    uint64_t wave;          /* that started before any had ended */
    bool failed;            /* no memory */
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

static int find_subject(follower *f, const char *name, subject **out)
{
    verification *const v = f->v;
    for (size_t i = f->first; i < v->subjects; i++)
        if (!strcmp(v->subject[i].mangled, name)) {
            *out = &v->subject[i];
            return WS_OK;
        }
    if (WS_GROW(v->subject, v->room, v->subjects, 1))
        return ws_fail(WS_EMEM, "out of memory");
    subject *const s = *out = &v->subject[v->subjects++];
    *s = (subject){.workload = strdup(f->workload), .mangled = strdup(name), .kernel = ws_demangle(name), .scheduler = f->variant->name};
    s->follows = ws_machine_follows_sharing(f->variant->machine);
    return s->workload && s->mangled && s->kernel ? WS_OK : ws_fail(WS_EMEM, "out of memory");
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
#include "model/sim/sharing_counts.def"
#undef COUNT
    f->before = now.sharing;
}

static int compare(void *context, const ws_launch *launch, size_t sink, void *state)
{
    follower *const f = context;
    ws_touch_log *const log = state;
    ws_placement p = {0};
    subject *s = NULL;
    (void)sink;
    ws_touch_log_sort(log);
    int status = find_subject(f, launch->kernel, &s);
    if (!status && log->ctas != f->started)
        status = ws_fail(WS_EVERIFY, "kernel %s: %zu blocks in the trace, %zu started", launch->kernel, log->ctas, f->started);
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
    const int status = f->failed ? ws_fail(WS_EMEM, "out of memory") : ws_trace_replay(f->trace, f->launch, &how, &done);
    f->launch++;
    f->started = 0;
    f->wave = 0;
    return status;
}

static int simulate(verification *v, ws_trace *trace, const char *workload, const ws_cta_variant *variant)
{
    follower f = {.v = v, .variant = variant, .trace = trace, .workload = workload, .first = v->subjects};
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

static int verify_trace(verification *v, const char *path, double done)
{
    ws_trace *trace;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    char *const workload = ws_trace_workload(trace);
    if (workload)
        ws_progress_show(&v->bar, workload, done);
    status = !workload ? WS_EMEM : ws_trace_damage(trace) ? ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace)) : WS_OK;
    for (size_t i = 0; i < v->variants && !status; i++)
        status = simulate(v, trace, workload, &v->variant[i]);
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_trace_close(trace);
    free(workload);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

typedef struct quantity {
    const char *name;
    double predicted, simulated;
    double band;
    bool there;
} quantity;

enum { QUANTITIES = 4 };

static double ratio(double a, double b)
{
    return b != 0 ? a / b : 0;
}

/* What is held against each other of a kernel: the first wave, blocks that are shared, SMs that use a block; and the latter as the trace has it under the
 * simulation's map against what SMs counted, which is exact but for a table that is too small. */
static void quantities_of(const verification *v, const subject *s, quantity *q)
{
    const ws_sharers *const p = &s->predicted.whole, *const m = &s->simulated;
    const double band = v->request->worst;
    q[0] = (quantity){"first_wave", s->same, s->wave, 0, true};
    q[1] = (quantity){"shared", ratio(p->shared, p->blocks), ratio(m->shared, m->blocks), band, true};
    q[2] = (quantity){"copies", ratio(p->copies, p->blocks), ratio(m->copies, m->blocks), band, true};
    q[3] = (quantity){"counted", ratio(m->copies, m->blocks), ratio((double)s->counted.copies, (double)s->counted.blocks), band, s->follows};
}

/* Of what is a share, the difference; else relative to the simulation. */
static double error_of(const quantity *q)
{
    const double off = fabs(q->predicted - q->simulated);
    return off > 0 && strcmp(q->name, "shared") != 0 ? off / q->simulated : off;
}

static bool is_within(const quantity *q)
{
    return error_of(q) <= q->band;
}

static int set_row(ws_frame *frame, size_t row, const subject *s, const quantity *q)
{
    return ws_verify_set_row(frame, row,
                             &(ws_verify_row){.label = {s->workload, s->kernel, s->scheduler, q->name},
                                              .predicted = q->predicted,
                                              .simulated = q->simulated,
                                              .error = error_of(q),
                                              .band = q->band,
                                              .within = is_within(q)});
}

static size_t rows_of(const verification *v)
{
    size_t rows = 0;
    for (size_t i = 0; i < v->subjects; i++)
        rows += QUANTITIES - !v->subject[i].follows;
    return rows;
}

static int print(const verification *v, int argc, char **argv)
{
    static const char *const labels[WS_VERIFY_LABELS] = {"workload", "kernel", "scheduler", "quantity"};
    ws_frame *frame;
    size_t row = 0;
    int status = ws_verify_frame(rows_of(v), labels, argc, argv, &frame);
    if (!status)
        status = ws_frame_note(frame, "machine: %s", v->variant[0].machine->name);
    for (size_t i = 0; i < v->subjects && !status; i++) {
        quantity q[QUANTITIES];
        quantities_of(v, &v->subject[i], q);
        for (size_t k = 0; k < QUANTITIES && !status; k++)
            status = q[k].there ? set_row(frame, row++, &v->subject[i], &q[k]) : WS_OK;
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static int judge(const verification *v)
{
    size_t all = 0, within = 0, errors = 0;
    double *const error = malloc((v->subjects * QUANTITIES + 1) * sizeof *error);
    if (!error)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < v->subjects; i++) {
        quantity q[QUANTITIES];
        quantities_of(v, &v->subject[i], q);
        for (size_t k = 0; k < QUANTITIES; k++) {
            all += q[k].there;
            within += q[k].there && is_within(&q[k]);
            if (k == 1 || k == 2)
                error[errors++] = error_of(&q[k]);
        }
    }
    gsl_sort(error, 1, errors);
    fprintf(stderr, "warpscape verify: %zu of %zu quantities within their bands; median error of what is shared %.1f %%, at most %.1f %%\n", within, all,
            100 * gsl_stats_median_from_sorted_data(error, 1, errors), 100 * error[errors - 1]);
    free(error);
    return within == all ? WS_OK : ws_fail(WS_EVERIFY, "%zu quantities are beyond their bands", all - within);
}

static int verify(verification *v, int argc, char **argv)
{
    int status = ws_cta_variants_create(&(ws_machine_choice){.config = v->request->config}, v->variant, &v->variants);
    ws_progress_begin(&v->bar);
    for (size_t i = 0; i < v->request->traces->count && !status; i++)
        status = verify_trace(v, v->request->traces->path[i], (double)i / (double)v->request->traces->count);
    ws_progress_end(&v->bar);
    if (!status && !v->subjects)
        status = ws_fail(WS_ENOTFOUND, "no launch in the traces");
    if (!status)
        status = print(v, argc, argv);
    return status ? status : judge(v);
}

int ws_verify_sharing(const ws_verify_request *request, int argc, char **argv)
{
    verification v = {.request = request};
    const int status = verify(&v, argc, argv);
    for (size_t i = 0; i < v.subjects; i++) {
        free(v.subject[i].workload);
        free(v.subject[i].mangled);
        free(v.subject[i].kernel);
    }
    free(v.subject);
    ws_cta_variants_destroy(v.variant, v.variants);
    return status;
}
