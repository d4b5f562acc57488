/* cmd_replay.c - `warpscape replay`: what is in a trace file, is it whole, and which metrics come out of it? */
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/features.h"
#include "cli/csv_text.h"
#include "record/listeners.h"
#include "model/machine/machine_choice.h"
#include "model/mechanism/trace_files.h"

#include "base/clock.h"
#include "base/demangle.h"
#include "base/status.h"
#include "collect/accelsim/accelsim_write.h"
#include "collect/trace/check.h"
#include "metrics/store/store.h"
#include "model/sim/activity_sink.h"
#include "model/machine/machine_declared.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    ws_keep_request keep;
    const char *file, *accelsim, *activity, *config;
    unsigned workers;
    bool check, check_events, partial;
} request;

static void check_request(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    const bool keeps = r->keep.db;
    ws_keep_check(state, &r->keep);
    if (r->partial && !keeps)
        argp_error(state, "--partial needs --db: it applies to the metrics");
    if (r->config && !r->activity)
        argp_error(state, "--config needs --activity: the rest does not depend on a machine");
    if (r->workers && !keeps && !r->check_events && !r->activity)
        argp_error(state, "--workers needs --db, --activity or --check-events: without these nothing is replayed");
}

static const ws_option_row option_rows[] = {
    WS_ONE_ARGUMENT(request, file, "one trace file at a time; what is '%s'?", "which trace file?"),
    WS_KEEP_OPTIONS(request, keep, "Replay the launches and keep their metrics in this results file [nowhere]"),
    WS_OPTION_NUMBER("workers", 'j', "N", request, workers, 1, 4096, "Threads that replay blocks [one per processor]"),
    WS_OPTION_FLAG("partial", 0, request, partial,
                   "With --db: keep the complete launches of a damaged file as its result"),
    WS_OPTION_TEXT("accelsim", 0, "FOLDER", request, accelsim,
                   "Write the launches as traces for Accel-Sim (version 5) into this folder"),
    WS_OPTION_OUTPUT("activity", 0, "FILE", request, activity,
                     "Write the clock-independent activity of units, registers and shared memory of a machine in each "
                     "launch: those counters of `warpscape sim --activity'"),
    WS_OPTION_TEXT("config", 'c', "MACHINE", request, config,
                   "With --activity: a file of data/configs by its name, or a path [gtsc]"),
    WS_OPTION_FLAG("check", 0, request, check, "Read the whole file against its checksums"),
    WS_OPTION_FLAG(
        "check-events", 0, request, check_events,
        "Check the events of every launch for consistency: masks, divergent sections, barriers, widths, order"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check_request,
    .args_doc = "FILE.wst",
    .doc = "Lists the launches of a trace file as CSV, or replays them into metrics, which equal those of the run that "
           "wrote it, or writes them for Accel-Sim.\v`warpscape exec --trace' and `suite run --trace' write trace "
           "files. Metrics that need values are omitted unless the trace has values. Of a damaged file, the launches "
           "before the damage are replayed; the message names the last good block, the exit status is 1, and the "
           "result counts only with --partial.\n\nExample:\n  warpscape exec vadd.ptx vadd.launch --trace vadd.wst\n  "
           "warpscape replay vadd.wst --db results.db",
    .children = ws_argp_writes,
};

/* ------------------------------------------------------------------------------------------------ list */

static void list(const ws_trace *t)
{
    for (const char *note = ws_trace_notes(t); *note;) {
        const size_t n = strcspn(note, "\n");
        printf("# %.*s\n", (int)n, note);
        note += n + (note[n] == '\n');
    }
    puts("launch,kernel,blocks,blocks_held,complete,warp_instructions,bytes,bytes_per_warp_instruction,mangled");
    for (size_t i = 0; i < ws_trace_launches(t); i++) {
        const ws_trace_launch *const l = ws_trace_get(t, i);
        char *const title = ws_demangle(l->launch.kernel);
        printf("%zu,", i + 1);
        ws_csv_text(stdout, title ? title : l->launch.kernel);
        printf(",%" PRIu64 ",%" PRIu64 ",%c,%" PRIu64 ",%" PRIu64 ",", l->launch.blocks, l->blocks,
               l->complete ? 'Y' : 'N', l->warp_instructions, l->stored_bytes);
        if (l->warp_instructions)
            printf("%.3f", (double)l->stored_bytes / (double)l->warp_instructions);
        putchar(',');
        ws_csv_text(stdout, l->launch.kernel);
        putchar('\n');
        free(title);
    }
}

static int show_check(void *context, double done)
{
    ws_progress_show(context, "checking", done);
    return ws_interrupted();
}

static int check(ws_trace *t)
{
    ws_progress bar = {0};
    ws_progress_begin(&bar);
    const int status = ws_trace_check(t, show_check, &bar);
    ws_progress_end(&bar);
    return status;
}

/* ------------------------------------------------------------------------------------------------ replay */

typedef struct player {
    const request *request;
    ws_trace *trace;
    ws_listeners listeners;
    ws_store *store;
    int64_t run;
    ws_progress bar;
} player;

static int show(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions)
{
    player *const p = context;
    (void)warp_instructions;
    ws_progress_show(&p->bar, launch->kernel, (double)blocks_done / (double)launch->blocks);
    return ws_interrupted();
}

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    player *const p = context;
    return ws_listeners_collect(&p->listeners, launch, sink, state);
}

static int play(player *p, size_t i)
{
    ws_replay how = {.workers = p->request->workers, .progress = show, .collect = collect, .context = p};
    ws_replay_result result;
    how.sinks = p->listeners.sink;
    how.sink_count = p->listeners.n;
    int status = ws_trace_replay(p->trace, i, &how, &result);
    if (!status)
        status = ws_store_add_launch(p->store, p->run, &ws_trace_get(p->trace, i)->launch, result.seconds,
                                     result.warp_instructions, result.thread_instructions, p->listeners.collector);
    return status ? status : ws_listeners_note_sources(&p->listeners, p->store, p->run);
}

static int play_all(player *p)
{
    uint64_t h2d, d2h;
    int status = WS_OK;
    ws_progress_begin(&p->bar);
    for (size_t i = 0; i < ws_trace_launches(p->trace) && !status; i++)
        status = play(p, i);
    ws_progress_end(&p->bar);
    ws_trace_copied(p->trace, &h2d, &d2h);
    if (!status && ws_trace_damage(p->trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(p->trace));
    if (!status && (h2d || d2h))
        status = ws_store_add_copy(p->store, p->run, h2d, d2h);
    return status;
}

static int check_events(player *p)
{
    static const ws_sink *const checker = &ws_event_checker;
    const ws_replay how = {
        .sinks = &checker, .sink_count = 1, .workers = p->request->workers, .progress = show, .context = p};
    int status = WS_OK;
    ws_progress_begin(&p->bar);
    for (size_t i = 0; i < ws_trace_launches(p->trace) && !status; i++) {
        ws_replay_result result;
        if (!ws_trace_get(p->trace, i)->complete)
            continue; /* the list shows it */
        status = ws_trace_replay(p->trace, i, &how, &result);
        if (status == WS_EINPUT)
            status = ws_fail_context(status, "%s: launch %zu", p->request->file, i + 1);
    }
    ws_progress_end(&p->bar);
    return status;
}

static int count_launch(player *p, ws_activity_count *count, const char *workload, size_t i, ws_activity_report *report)
{
    const ws_sink sink = ws_activity_sink(count), *const sinks = &sink;
    const ws_replay how = {
        .sinks = &sinks, .sink_count = 1, .workers = p->request->workers, .progress = show, .context = p};
    ws_replay_result result;
    count->did = (ws_activity){0};
    const int status = ws_trace_replay(p->trace, i, &how, &result);
    return status ? status
                  : ws_activity_report_add(report, workload, ws_trace_get(p->trace, i)->launch.kernel, i + 1, 0, 0,
                                           &count->did);
}

static int count_launches(player *p, const ws_machine *machine, ws_activity_report *report)
{
    ws_activity_count count = {.machine = machine};
    char *const workload = ws_trace_workload(p->trace);
    int status = workload ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    ws_progress_begin(&p->bar);
    for (size_t i = 0; i < ws_trace_launches(p->trace) && !status; i++)
        status = count_launch(p, &count, workload, i, report);
    ws_progress_end(&p->bar);
    free(workload);
    return !status && ws_trace_damage(p->trace) ? ws_fail(WS_EINPUT, "%s", ws_trace_damage(p->trace)) : status;
}

static int write_activity(player *p, int argc, char **argv)
{
    const ws_machine_choice choice = {.config = p->request->config ? p->request->config : "gtsc"};
    ws_machine *machine = NULL;
    ws_activity_report *report = NULL;
    ws_frame *frame = NULL;
    int status = ws_machine_choose(&choice, &machine);
    if (!status)
        status = ws_activity_report_create(WS_ACTIVITY_EVENTS, &report);
    if (!status)
        status = count_launches(p, machine, report);
    if (!status)
        status = ws_activity_report_frame(report, &frame);
    if (!status)
        status = ws_frame_note(frame, "machine: %s", ws_machine_name(machine));
    if (!status)
        status = ws_options_sign_frame(frame, argc, argv);
    if (!status)
        status = ws_frame_save(frame, p->request->activity);
    ws_frame_destroy(frame);
    ws_activity_report_destroy(report);
    ws_machine_destroy(machine);
    return status;
}

/* Whose instructions the launches execute: it belongs to where the metrics come from. */
static const char *command_of(const ws_trace *trace)
{
    for (size_t i = 0; i < ws_trace_launches(trace); i++)
        if (ws_trace_get(trace, i)->launch.isa != WS_ISA_PTX)
            return "warpscape replay (SASS)";
    return "warpscape replay";
}

static int show_kernel(void *context, const char *kernel, double done)
{
    ws_progress_show(context, kernel, done);
    return ws_interrupted();
}

static int write_accelsim(player *p)
{
    ws_progress_begin(&p->bar);
    const int status = ws_accelsim_write(p->trace, p->request->accelsim, show_kernel, &p->bar);
    ws_progress_end(&p->bar);
    return status;
}

static int play_into(player *p)
{
    const struct timespec begin = ws_clock_now();
    char *const workload = ws_trace_note(p->trace, "workload", "replay"),
                *const scale = ws_trace_note(p->trace, "scale", ""), *const seed = ws_trace_note(p->trace, "seed", "0");
    const ws_store_run about = {.workload = workload,
                                .scale = scale,
                                .seed = seed ? strtoull(seed, NULL, 10) : 0,
                                .command = command_of(p->trace)};
    int status = workload && scale && seed ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    const ws_listeners_options who = {.metrics = true,
                                      .set = p->request->keep.set,
                                      .profile = p->request->keep.profile,
                                      .workers = p->request->workers,
                                      .instructions = p->request->keep.lines,
                                      .no_values = !ws_trace_has_values(p->trace),
                                      .from = p->trace};
    if (p->request->keep.lines && !ws_trace_keeps_lines(p->trace))
        fprintf(stderr,
                "warpscape replay: %s: this trace has an older format without source lines: instructions have none; "
                "write it again for lines (run, exec, suite run or import)\n",
                p->request->file);
    if (!status)
        status = ws_listeners_open(&p->listeners, &who);
    if (!status)
        status = ws_store_open(p->request->keep.db, true, &p->store);
    if (!status)
        status = ws_store_begin(p->store, &about, &p->run);
    if (!status) {
        status = play_all(p);
        char reason[1024] = "done";
        if (status)
            snprintf(reason, sizeof reason, "%s", ws_message());
        const bool counts = !status || (status == WS_EINPUT && p->request->partial);
        const int finished =
            ws_store_finish(p->store, p->run, counts ? "done" : reason, ws_clock_seconds_since(&begin));
        status = status ? ws_fail(status, "%s", reason) : finished;
    }
    ws_store_close(p->store);
    ws_listeners_close(&p->listeners, 0, 0);
    free(workload);
    free(scale);
    free(seed);
    return status;
}

WS_COMMAND(replay)
{
    request r = {0};
    ws_options_parse(&options, argc, argv, &r);
    ws_interrupts_catch();
    player p = {.request = &r};
    int status = ws_trace_open(r.file, &p.trace);
    if (status)
        return status;
    if (r.check)
        status = check(p.trace);
    if (!status && r.check_events)
        status = check_events(&p);
    if (!status && r.keep.db)
        status = play_into(&p);
    if (!status && r.accelsim)
        status = write_accelsim(&p);
    if (!status && r.activity)
        status = write_activity(&p, argc, argv);
    if (!r.keep.db && !r.accelsim && !r.activity) {
        list(p.trace);
        if (!status && ws_trace_damage(p.trace))
            status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(p.trace));
    }
    ws_trace_close(p.trace);
    return status;
}
