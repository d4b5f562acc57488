/* power_source.c - profiles and traces to activity. */
#include "model/mechanism/power/power_source.h"

#include "base/status.h"
#include "base/text.h"
#include "base/interrupt.h"
#include "model/mechanism/memory/memory_estimate.h"
#include "collect/wst/wst.h"
#include "model/coherence/log_replay.h"
#include "model/mechanism/profile_walk.h"
#include "model/mechanism/trace_walk.h"
#include "model/coherence/traffic_activity.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct source {
    const ws_machine *machine;
    ws_closed_forms closed;
    ws_memory_estimate *memory; /* NULL: all in SRAM */
    ws_activity_report *report;
    ws_frame *notes;
    /* Of traces: */
    char *workload;
    size_t log_limit, launch;
    ws_coherence_replay *replay;
    uint64_t now;
    ws_activity before, caches; /* what the replay did until the last launch; in this one */
    ws_profiler *profiler;
} source;

static int begin(source *s)
{
    int status = ws_memory_estimate_create(s->machine, &s->memory);
    if (!status)
        status = ws_closed_forms_of(s->machine, s->notes, &s->closed);
    if (!status)
        ws_memory_estimate_assume_sram(s->memory, s->closed.form);
    return status || ws_machine_has_protocol(s->machine)
               ? status
               : ws_frame_note(s->notes, "closed forms: plain caches count as %s",
                               ws_closed_machine_protocol(s->machine));
}

static void end(const source *s)
{
    ws_closed_form_destroy(s->closed.form);
    ws_memory_estimate_destroy(s->memory);
}

static int add(const source *s, const char *workload, const char *kernel, size_t launch, const ws_activity *did)
{
    return ws_activity_report_add(s->report, workload, kernel, launch, 0, did->core_cycles[0], did);
}

/* ------------------------------------------------------------------------------------------------ profiles */

static int add_profile(void *context, const ws_store_profile *stored, const ws_traffic_profile *profile)
{
    const source *const s = context;
    ws_closed_result one;
    ws_activity did;
    int status = ws_closed_forms_launch(&s->closed, stored->kernel, profile, &one, &did);
    if (!status)
        status = ws_memory_estimate_change(s->memory, stored->kernel, &s->closed.machine, profile, &one, &did);
    return status ? status : add(s, stored->workload, stored->kernel, stored->sequence + 1, &did);
}

int ws_power_from_profiles(const ws_machine *machine, const char *db, ws_activity_report *report, ws_frame *notes)
{
    source s = {.machine = machine, .report = report, .notes = notes};
    if (ws_machine_detects_races(machine))
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: profiles do not cover protocol %s; give traces, which are replayed (--trace "
                       "of suite run), or simulate them (warpscape sim --power)",
                       machine->name, ws_machine_protocol(machine));
    int status = begin(&s);
    if (!status)
        status = ws_profile_walk(db, add_profile, &s, notes);
    end(&s);
    return status;
}

/* ------------------------------------------------------------------------------------------------ traces */

enum { SINK_LOG, SINK_PROFILE, SINKS };

static int see_log(source *s, const ws_launch *launch, const ws_access_log *log)
{
    const ws_traffic_profile shape = {.warps_per_block = launch->warps_per_block,
                                      .registers = launch->registers,
                                      .shared_bytes = launch->shared_bytes};
    ws_coherence_traffic sum;
    ws_activity after;
    s->launch++;
    const int status = ws_log_replay(s->replay, log, s->closed.machine.coherence.sms,
                                     ws_closed_form_residents(&s->closed.machine, &shape), &s->now);
    if (status)
        return status;
    ws_coherence_replay_sum(s->replay, &sum);
    ws_replay_activity(&sum, s->closed.machine.bursts, s->closed.machine.hops, &after);
    ws_activity_subtract(&after, &s->before, &s->caches);
    s->before = after;
    return WS_OK;
}

static int see_trace_profile(source *s, const ws_launch *launch, const void *state)
{
    ws_traffic_profile *const profile = malloc(sizeof *profile);
    ws_activity did = s->caches;
    ws_closed_result one = {0};
    int status = profile ? ws_profiler_finish(s->profiler, launch, state, profile) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_closed_form_add(s->closed.form, launch->kernel, profile, &one);
    if (!status) {
        ws_launch_activity(&s->closed.machine, profile, &one, &did);
        status = ws_memory_estimate_change(s->memory, launch->kernel, &s->closed.machine, profile, &one, &did);
    }
    if (!status)
        status = add(s, s->workload, launch->kernel, s->launch, &did);
    free(profile);
    return status;
}

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    source *const s = context;
    if (ws_interrupted())
        return ws_fail(WS_EINTERRUPTED, "interrupted");
    return sink == SINK_LOG ? see_log(s, launch, state) : see_trace_profile(s, launch, state);
}

static int replay_trace(source *s, ws_trace *trace)
{
    const ws_sink log = ws_access_log_sink(&s->log_limit), *sinks[SINKS] = {[SINK_LOG] = &log};
    const ws_replay how = {.sinks = sinks, .sink_count = SINKS, .collect = collect, .context = s};
    int status = ws_profiler_create(&s->profiler);
    if (!status) {
        sinks[SINK_PROFILE] = ws_profiler_sink(s->profiler);
        status = ws_coherence_replay_create(&s->closed.machine.coherence, &s->closed.machine.sizes, &s->replay);
    }
    if (!status)
        status = ws_trace_replay_all(trace, &how);
    ws_coherence_replay_destroy(s->replay);
    ws_profiler_destroy(s->profiler);
    return status;
}

static int add_trace(const ws_machine *machine, const char *path, ws_activity_report *report, ws_frame *notes)
{
    source s = {.machine = machine, .report = report, .notes = notes, .log_limit = UINT32_MAX - 1, .now = 1};
    ws_trace *trace = NULL;
    int status = begin(&s);
    s.workload = ws_text_stem(path);
    if (!status && !s.workload)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_trace_open(path, &trace);
    if (!status)
        status = replay_trace(&s, trace);
    if (trace)
        ws_trace_close(trace);
    end(&s);
    free(s.workload);
    return status;
}

int ws_power_from_works(const ws_machine *machine, const ws_works_asked *works, ws_activity_report *report,
                        ws_frame *notes)
{
    const ws_trace_files *const files = &works->traces.files;
    int status = files->count ? WS_OK : ws_power_from_profiles(machine, ws_works_db(works), report, notes);
    for (size_t i = 0; i < files->count && !status; i++)
        status = add_trace(machine, files->path[i], report, notes);
    return status;
}

/* Without cycles the energy of time would be 0. */
static int need_cycles(const ws_activity_report *report)
{
    ws_activity_stretch s;
    if (!ws_activity_report_at(report, 0, &s))
        return ws_fail(WS_EINPUT, "no launch in it");
    for (size_t i = 0; ws_activity_report_at(report, i, &s); i++)
        if (!s.did->core_cycles[0])
            return ws_fail(WS_EINPUT,
                           "launch %zu of %s counts no core.cycles: use a frame of `warpscape sim --activity'",
                           s.launch, s.workload);
    return WS_OK;
}

/* Counters mean other things on another machine. */
static int need_machine(const ws_machine *machine, const ws_frame *frame)
{
    char expected[PATH_MAX + sizeof WS_MACHINE_NOTE];
    const char *found = "no machine";
    snprintf(expected, sizeof expected, WS_MACHINE_NOTE, ws_machine_name(machine), ws_machine_protocol(machine));
    for (size_t i = 0; i < frame->notes; i++) {
        if (!strcmp(frame->note[i], expected))
            return WS_OK;
        if (!strncmp(frame->note[i], "machine: ", strlen("machine: ")))
            found = frame->note[i];
    }
    return ws_fail(WS_EINPUT, "it is of `%s', not of `%s': give --config and --protocol of that simulation", found,
                   expected);
}

int ws_power_from_activity(const ws_machine *machine, const char *path, ws_activity_report *report)
{
    ws_frame *frame;
    int status = ws_frame_load(path, &frame);
    if (status)
        return status;
    status = ws_activity_report_read(report, frame);
    if (!status)
        status = need_cycles(report);
    if (!status)
        status = need_machine(machine, frame);
    ws_frame_destroy(frame);
    return status ? ws_fail_context(status, "%s", path) : WS_OK;
}
