/* simulation.c - runs launches through a simulated machine, shows progress, collects rows. */
#include "record/simulate/simulation_internal.h"

#include "base/grow.h"
#include "base/status.h"
#include "base/interrupt.h"
#include "record/simulate/shaped_source.h"
#include "collect/trace/waits.h"
#include "model/sim/sim_activity.h"
#include "model/machine/machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE_CYCLES = 20000, /* between looks at the clock and at Ctrl-C */
    STEADY_CYCLES = 400   /* between looks at waves */
};

static void say(void *context, const char *line)
{
    ws_simulation *const s = context;
    ws_progress_end(&s->bar);
    fprintf(stderr, "%s\n", line);
}

static int make_machine(ws_simulation *s, ws_sim **out)
{
    const ws_sim_options how = {.workers = s->options.workers,
                                .check = s->options.check,
                                .watch_loads = s->options.loads,
                                .arguments = s->options.arguments,
                                .wait_cycles = s->options.live ? s->options.wait_cycles : 0,
                                .say = say,
                                .context = s};
    return ws_sim_create(s->machine, &how, out);
}

/* A new machine, with cold caches. What the old one did stays in the total: `first` becomes as much less (modulo 2^64)
 * as there was. */
static int renew_machine(ws_simulation *s)
{
    ws_sim *fresh;
    ws_sim_sums now, did;
    const int status = make_machine(s, &fresh);
    if (status)
        return status;
    ws_sim_sum(s->sim, &now);
    ws_sim_sums_subtract(&now, &s->first, &did);
    s->cycles_before += ws_sim_now(s->sim);
    s->checked_before += ws_sim_checked(s->sim);
    ws_sim_destroy(s->sim);
    s->sim = fresh;
    ws_sim_sum(fresh, &now);
    ws_sim_sums_subtract(&now, &did, &s->first);
    s->spent = false;
    return WS_OK;
}

/* What is in registers is known by the names that PTX gives them. */
static int check_shape(const ws_machine *machine, const ws_simulation_options *options)
{
    const char *const option = options->shape ? ws_sim_looks_at_values(machine) : NULL;
    return option
               ? ws_fail(WS_EUNSUPPORTED, "%s = %s looks at values, which are those of PTX registers: not with --shape",
                         option, *option == 'r' ? machine->registers_file->name : machine->shared_memory->name)
               : WS_OK;
}

int ws_simulation_create(const ws_machine *machine, const ws_simulation_options *options, ws_simulation **out)
{
    ws_simulation *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for a simulation");
    s->machine = machine;
    s->options = *options;
    int status = check_shape(machine, options);
    if (!status)
        status = make_machine(s, &s->sim);
    if (!status && options->loads)
        status = (s->loads = ws_load_report_create()) ? WS_OK : ws_fail(WS_EMEM, "no memory for loads");
    if (!status && options->activity)
        status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &s->activity);
    if (status) {
        ws_simulation_destroy(s);
        return status;
    }
    ws_sim_sum(s->sim, &s->first);
    *out = s;
    return WS_OK;
}

void ws_simulation_destroy(ws_simulation *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++) {
        free(s->rows[i].workload);
        free(s->rows[i].kernel);
        free(s->rows[i].value);
        free(s->rows[i].bound);
    }
    free(s->rows);
    ws_load_report_destroy(s->loads);
    ws_activity_report_destroy(s->activity);
    ws_sim_destroy(s->sim);
    free(s);
}

int ws_simulation_shape(const ws_simulation *s, ws_source **source)
{
    const int status = s->options.shape ? ws_source_shape(source, s->options.shape) : WS_OK;
    if (!status)
        return WS_OK;
    (*source)->ops->destroy(*source);
    *source = NULL;
    return status;
}

ws_sim *ws_simulation_sim(ws_simulation *s)
{
    return s->sim;
}

const ws_machine *ws_simulation_machine(const ws_simulation *s)
{
    return s->machine;
}

const char *ws_simulation_workload(const ws_simulation *s)
{
    return s->count ? s->rows[0].workload : "";
}

uint64_t ws_simulation_now(const ws_simulation *s)
{
    return s->cycles_before + ws_sim_now(s->sim);
}

/* ------------------------------------------------------------------------------------------------ rows */

int ws_simulation_add_row(ws_simulation *s, const char *workload, const char *kernel, const char *ended,
                          ws_simulation_row **out)
{
    if (WS_GROW(s->rows, s->room, s->count, 1))
        return ws_fail(WS_EMEM, "no memory for results");
    ws_simulation_row *const r = &s->rows[s->count];
    *r = (ws_simulation_row){.workload = strdup(workload),
                             .kernel = strdup(kernel),
                             .value = calloc(ws_sim_stat_count(s->machine), sizeof *r->value),
                             .bound =
                                 s->options.steady > 0 ? calloc(ws_sim_stat_count(s->machine), sizeof *r->bound) : NULL,
                             .simulated = 1};
    snprintf(r->ended, sizeof r->ended, "%s", ended);
    if (!r->workload || !r->kernel || !r->value || (s->options.steady > 0 && !r->bound))
        return ws_fail(WS_EMEM, "no memory for results");
    s->count++;
    *out = r;
    return WS_OK;
}

/* A launch goes into the totals. */
static void weigh(ws_simulation *s, const ws_sim_sums *did, uint64_t number)
{
    if (s->listed)
        ws_sim_sums_add(&s->weighted, did, s->listed[ws_listed_find(s->listed, s->listed_count, number)].weight);
    else if (s->options.steady > 0)
        ws_sim_sums_add(&s->weighted, did, 1);
}

/* What is left of a launch that was stopped is not in its row yet: project() adds it. */
static int add_result(ws_simulation *s, const char *workload, const char *kernel, const char *ended)
{
    ws_sim_sums now, did;
    ws_simulation_row *r;
    const int status = ws_simulation_add_row(s, workload, kernel, ended, &r);
    if (status)
        return status;
    r->launch = s->number;
    ws_sim_sum(s->sim, &now);
    ws_sim_sums_subtract(&now, &s->before, &did);
    if (s->steady.stopped)
        s->part = did;
    else
        weigh(s, &did, s->number);
    ws_sim_stat_values(&did, s->machine, r->value);
    return WS_OK;
}

/* Launch `index` of the trace, shaped if that is wanted. */
static int open_source(const ws_simulation *s, ws_trace *trace, size_t index, uint32_t slots, ws_source **out)
{
    const int status = ws_source_of_trace(trace, index, slots, out);
    return status ? status : ws_simulation_shape(s, out);
}

/* After the end of a launch that was stopped: its row becomes that of the whole launch, its other CTAs leave in L2 what
 * they would have left. */
static int project(ws_simulation *s, ws_trace *trace, size_t index)
{
    ws_simulation_row *const r = &s->rows[s->count - 1];
    const double simulated = (double)s->part.sm.warp_instructions;
    uint64_t instructions = 0;
    ws_source *source;
    int status = open_source(s, trace, index, 1, &source);
    if (status)
        return status;
    const uint64_t left = source->ctas - ws_sim_given(s->sim);
    status = ws_sim_warm_rest(s->sim, source, &instructions);
    source->ops->destroy(source);
    if (!status)
        status = ws_steady_bound(&s->steady, s->machine, left, instructions, r->bound);
    if (status)
        return status;
    ws_steady_project(&s->steady, instructions, &s->part);
    weigh(s, &s->part, r->launch);
    ws_sim_stat_values(&s->part, s->machine, r->value);
    r->simulated = simulated / (simulated + (double)instructions);
    snprintf(r->ended, sizeof r->ended, "%s", WS_SIMULATION_PROJECTED);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ lists of launches */

int ws_simulation_choose(ws_simulation *s, const ws_launch_list *list, const char *workload)
{
    const int status = ws_launch_list_of(list, workload, &s->listed, &s->listed_count);
    if (status) {
        s->listed = NULL;
        return status;
    }
    s->list = ws_launch_list_file(list);
    s->list_sum = ws_simulation_identify_list(s->listed, s->listed_count);
    return WS_OK;
}

bool ws_simulation_wants(const ws_simulation *s, uint64_t number)
{
    return !s->listed || ws_listed_find(s->listed, s->listed_count, number) < s->listed_count;
}

/* A list of another program, or of another run of it, is noticed here. */
static int check_kernel(const ws_simulation *s, const ws_launch *launch, uint64_t number)
{
    const ws_listed_launch *const l = &s->listed[ws_listed_find(s->listed, s->listed_count, number)];
    return !*l->kernel || !strcmp(l->kernel, launch->kernel)
               ? WS_OK
               : ws_fail(WS_EINPUT,
                         "%s:%zu: launch %" PRIu64
                         " of %s is one of kernel %s here, not of %s; the list is of another run",
                         s->list, l->line, number, l->workload, launch->kernel, l->kernel);
}

static int refuse_listed(const ws_simulation *s, const ws_listed_launch *l)
{
    return ws_fail(WS_EINPUT, "%s:%zu: there is no launch %" PRIu64 " of %s; the list is of another run", s->list,
                   l->line, l->number, l->workload);
}

static const char *argument_source(const ws_simulation *s)
{
    return s->options.argument_file ? s->options.argument_file : "the run before, which measured what launches use";
}

static int refuse_launch(ws_simulation *s, const ws_launch *launch, const ws_chiplet_kernel *k)
{
    s->argued = UINT64_MAX; /* nobody has to say that others are missing, too */
    return k ? ws_fail(WS_EINPUT, "launch %" PRIu64 " is of kernel %s; %s has %s", launch->sequence + 1, launch->kernel,
                       argument_source(s), k->name)
             : ws_fail(WS_EINPUT,
                       "launch %" PRIu64
                       ", kernel %s: not in %s, of %zu launches; expected what each launch uses, or `unknown'",
                       launch->sequence + 1, launch->kernel, argument_source(s), s->options.arguments->kernels);
}

int ws_simulation_check_arguments(ws_simulation *s, const ws_launch *launch)
{
    const ws_chiplet_kernels *const all = s->options.arguments;
    if (!all || !all->kernels)
        return WS_OK;
    const ws_chiplet_kernel *const k = ws_chiplet_kernels_find(all, launch->sequence);
    if (!k || !ws_chiplet_kernel_is(k, launch->kernel))
        return refuse_launch(s, launch, k);
    s->argued = launch->sequence + 1;
    return WS_OK;
}

int ws_simulation_check_used(const ws_simulation *s)
{
    const ws_chiplet_kernels *const all = s->options.arguments;
    const ws_chiplet_kernel *const last = all && all->kernels ? &all->kernel[all->kernels - 1] : NULL;
    if (!last || s->listed || s->spent || last->launch < s->argued)
        return WS_OK;
    return ws_fail(WS_EINPUT, "%s: %zu launches, the last of kernel %s; the program ended after launch %" PRIu64,
                   argument_source(s), all->kernels, last->name, s->argued);
}

int ws_simulation_check_list(const ws_simulation *s)
{
    for (size_t i = 0; i < s->listed_count; i++) {
        size_t r = 0;
        while (r < s->count && s->rows[r].launch != s->listed[i].number)
            r++;
        if (r == s->count)
            return refuse_listed(s, &s->listed[i]);
    }
    return WS_OK;
}

/* Before any time is spent: numbers and kernels of all that are listed. */
static int check_trace(const ws_simulation *s, const ws_trace *trace)
{
    for (size_t i = 0; i < s->listed_count; i++) {
        size_t k = 0;
        while (k < ws_trace_launches(trace) && ws_trace_get(trace, k)->launch.sequence + 1 != s->listed[i].number)
            k++;
        const int status = k < ws_trace_launches(trace)
                               ? check_kernel(s, &ws_trace_get(trace, k)->launch, s->listed[i].number)
                               : refuse_listed(s, &s->listed[i]);
        if (status)
            return status;
    }
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ running */

static void plan_checkpoint(ws_simulation *s)
{
    const uint64_t now = ws_sim_now(s->sim), every = s->options.checkpoint_every;
    s->next_checkpoint = every < UINT64_MAX - now ? now + every : UINT64_MAX;
}

static int look_up(ws_simulation *s, const ws_source *source, uint64_t began)
{
    ws_progress_show(&s->bar, source->launch->kernel,
                     source->ctas ? (double)ws_sim_ctas_done(s->sim) / (double)source->ctas : 1);
    const uint64_t now = ws_sim_now(s->sim);
    if (ws_interrupted())
        return WS_EINTERRUPTED; /* run_to_end says where */
    if (s->options.max_cycles && now - began >= s->options.max_cycles)
        return ws_fail(WS_ELIMIT, "kernel %s: more than %" PRIu64 " cycles (--max-cycles)", source->launch->kernel,
                       s->options.max_cycles);
    if (!s->options.checkpoint || now < s->next_checkpoint)
        return WS_OK;
    plan_checkpoint(s);
    return ws_simulation_keep(s);
}

static const char *end_of(const ws_simulation *s, int status, const ws_source *source)
{
    return status == WS_OK             ? source->ctas < source->launch->blocks ? "cut"
                                         : s->steady.stopped                   ? "stopped"
                                                                               : "done"
           : status == WS_EINTERRUPTED ? "interrupted"
           : status == WS_ELIMIT       ? "limit"
                                       : "failed";
}

/* In which the activity is kept; 0: as a whole, or not at all. */
static uint64_t interval_of(const ws_simulation *s)
{
    return s->activity && !s->rehearsal ? s->options.interval : 0;
}

/* To the next look at the clock, but not beyond the limit, which is a whole number of windows: a run may end before a
 * part of one. */
static uint64_t next_stop(const ws_simulation *s, uint64_t began)
{
    const bool waves = s->options.steady > 0 && !s->steady.stopped;
    const uint64_t slice = ws_sim_now(s->sim) + (waves ? STEADY_CYCLES : SLICE_CYCLES), most = s->options.max_cycles;
    const uint64_t window = s->machine->port_cycles;
    const uint64_t first = most && most < slice - began ? (began + most + window - 1) / window * window : slice;
    const uint64_t interval = interval_of(s);
    if (!interval || interval > first - began)
        return first;
    const uint64_t end = (began + (s->kept / interval + 1) * interval + window - 1) / window * window;
    return end < first ? end : first;
}

/* What the parts did since the last stretch. */
static int keep_stretch(ws_simulation *s, const char *workload, const ws_source *source, uint64_t began)
{
    ws_activity now, did;
    const uint64_t cycles = ws_sim_now(s->sim) - began, begin = s->kept;
    ws_sim_activity(s->sim, &now);
    ws_activity_subtract(&now, &s->did, &did);
    s->did = now;
    s->kept = cycles;
    return ws_activity_report_add(s->activity, workload, source->launch->kernel, s->number ? s->number : s->count + 1,
                                  begin, cycles - begin, &did);
}

int ws_simulation_activity_frame(const ws_machine *machine, const ws_activity_report *report, ws_frame **out)
{
    const int status = ws_activity_report_frame(report, out);
    return status ? status : ws_frame_note(*out, WS_MACHINE_NOTE, machine->name, ws_machine_protocol(machine));
}

int ws_simulation_activity(const ws_simulation *s, ws_frame **out)
{
    return ws_simulation_activity_frame(s->machine, s->activity, out);
}

const ws_activity_report *ws_simulation_activity_report(const ws_simulation *s)
{
    return s->activity;
}

int ws_simulation_loads(const ws_simulation *s, ws_frame **out)
{
    const int status = ws_load_report_frame(s->loads, out);
    return status ? status : ws_frame_note(*out, WS_MACHINE_NOTE, s->machine->name, ws_machine_protocol(s->machine));
}

static void keep_at_interrupt(ws_simulation *s)
{
    if (ws_simulation_keep(s))
        fprintf(stderr, "warpscape sim: %s\n", ws_message());
    else
        fprintf(stderr, "warpscape sim: the state is in %s; --resume goes on from there\n", s->options.checkpoint);
}

static bool ends_interval(const ws_simulation *s, uint64_t began)
{
    const uint64_t interval = interval_of(s);
    return interval && (ws_sim_now(s->sim) - began) / interval > s->kept / interval;
}

/* What notes say of the launches that were simulated. */
static int note_launch(ws_simulation *s, const ws_launch *launch)
{
    s->launches++;
    s->waiting += ws_launch_waits(launch);
    return ws_label_see(&s->labelled, s->machine, launch);
}

static int run_to_end(ws_simulation *s, const char *workload, ws_source *source)
{
    ws_sim_sums sums;
    ws_sim_sum(s->sim, &sums);
    const uint64_t began = ws_sim_now(s->sim) - (sums.cycles - s->before.cycles); /* also when it was resumed */
    char message[1024];
    bool done = false;
    int status = WS_OK;
    plan_checkpoint(s);
    s->sass |= ws_isa_is_sass(source->launch->isa);
    if (!s->rehearsal)
        status = note_launch(s, source->launch);
    s->cold |= s->machine->l2_warm && source->launch->h2d_bytes && !source->launch->copies;
    ws_progress_begin(&s->bar);
    if (s->options.live)
        s->bar.out = NULL;
    if (s->activity)
        ws_sim_activity(s->sim, &s->did);
    s->kept = 0;
    ws_steady_begin(&s->steady, s->options.steady, &s->before);
    while (!status && !done) {
        status = ws_sim_run(s->sim, next_stop(s, began), &done);
        if (!status && !done && ends_interval(s, began))
            status = keep_stretch(s, workload, source, began);
        if (!status && !done && s->options.steady > 0)
            ws_steady_look(&s->steady, s->sim, source->ctas);
        if (!status && !done)
            status = look_up(s, source, began);
    }
    ws_progress_end(&s->bar);
    if (status == WS_EINTERRUPTED) /* found here, or by the engine in a live step */
        ws_fail(status, "interrupted in cycle %" PRIu64 " of kernel %s", ws_sim_now(s->sim) - began,
                source->launch->kernel);
    snprintf(message, sizeof message, "%s", ws_message());
    if (status == WS_EINTERRUPTED && s->options.checkpoint)
        keep_at_interrupt(s);
    const bool counts = !s->rehearsal || status; /* what ended early is all there is */
    int kept = counts && s->activity ? keep_stretch(s, workload, source, began) : WS_OK;
    if (!kept && counts && s->loads)
        kept = ws_load_report_add(s->loads, workload, source->launch, s->number ? s->number : s->count + 1, s->sim);
    const int added =
        kept || !counts ? kept : add_result(s, workload, source->launch->kernel, end_of(s, status, source));
    const int ended = ws_sim_end(s->sim);
    s->spent = status != WS_OK;
    if (status)
        return ws_fail(status, "%s", message);
    return added ? added : ended;
}

int ws_simulation_launch(ws_simulation *s, const char *workload, ws_source *source)
{
    int status = s->spent ? renew_machine(s) : WS_OK;
    if (!status && s->listed && s->options.live) {
        s->number = source->launch->sequence + 1;
        status = check_kernel(s, source->launch, s->number);
    }
    if (!status)
        status = ws_sim_begin(s->sim, source);
    if (status)
        return status;
    ws_sim_sum(s->sim, &s->before);
    return run_to_end(s, workload, source);
}

/* The launch once before it counts. */
static int rehearse(ws_simulation *s, const char *workload, ws_trace *trace, size_t index)
{
    s->rehearsal = true;
    const int status = ws_simulation_trace_launch(s, workload, trace, index);
    s->rehearsal = false;
    return status;
}

int ws_simulation_trace_launch(ws_simulation *s, const char *workload, ws_trace *trace, size_t index)
{
    ws_source *source;
    int status = s->options.repeated && !s->rehearsal ? rehearse(s, workload, trace, index) : WS_OK;
    if (!status)
        status = open_source(s, trace, index, ws_sim_slots(s->machine), &source);
    if (status)
        return status;
    s->launch = index;
    s->number = s->listed ? ws_trace_get(trace, index)->launch.sequence + 1 : index + 1;
    s->trace = ws_simulation_identify_trace(trace);
    status = ws_simulation_launch(s, workload, source);
    s->number = 0;
    const bool cut = source->ctas < source->launch->blocks;
    source->ops->destroy(source);
    if (!status && !cut && s->steady.stopped)
        status = project(s, trace, index);
    if (!status && cut && ws_trace_damage(trace))
        return ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace));
    return !status && cut ? ws_fail(WS_EINPUT, "%s: launch %zu was cut short when the trace was written",
                                    ws_trace_path(trace), index + 1)
                          : status;
}

/* What nobody simulates leaves in L2 what it would have left there, or something like it. */
static int pass_over(ws_simulation *s, ws_trace *trace, size_t index)
{
    ws_source *source;
    int status = s->spent ? renew_machine(s) : WS_OK;
    if (!status)
        status = ws_source_of_trace(trace, index, 1, &source);
    if (status)
        return status;
    status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted before launch %zu", index + 1)
                              : ws_sim_warm(s->sim, source);
    source->ops->destroy(source);
    return status;
}

int ws_simulation_trace(ws_simulation *s, const char *workload, ws_trace *trace, size_t first)
{
    int status = check_trace(s, trace);
    for (size_t i = first; i < ws_trace_launches(trace) && !status; i++)
        status = ws_simulation_wants(s, ws_trace_get(trace, i)->launch.sequence + 1)
                     ? ws_simulation_trace_launch(s, workload, trace, i)
                     : pass_over(s, trace, i);
    if (!status && ws_trace_damage(trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace));
    return status;
}

int ws_simulation_resume(ws_simulation *s, const char *workload, ws_trace *trace)
{
    ws_bytes bytes = {0};
    ws_reader reader;
    ws_source *source = NULL;
    s->trace = ws_simulation_identify_trace(trace);
    int status = ws_simulation_recall(s, &bytes, &reader);
    if (!status && s->launch >= ws_trace_launches(trace))
        status = ws_fail(WS_EINPUT, "%s: the checkpoint is of a trace with more launches", s->options.checkpoint);
    if (!status)
        status = open_source(s, trace, s->launch, ws_sim_slots(s->machine), &source);
    if (!status)
        status = ws_sim_begin(s->sim, source);
    if (!status)
        status = ws_sim_load(s->sim, &reader);
    ws_bytes_fini(&bytes);
    for (size_t i = 0; i < s->launch && !status; i++)
        if (ws_simulation_wants(s, ws_trace_get(trace, i)->launch.sequence + 1))
            status = note_launch(s, &ws_trace_get(trace, i)->launch);
    s->number = status || !s->listed ? s->launch + 1 : ws_trace_get(trace, s->launch)->launch.sequence + 1;
    if (!status)
        status = run_to_end(s, workload, source);
    s->number = 0;
    if (source)
        source->ops->destroy(source);
    return status ? status : ws_simulation_trace(s, workload, trace, s->launch + 1);
}
