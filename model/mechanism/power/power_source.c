/* power_source.c - profiles and traces to activity. */
#include "model/mechanism/power/power_source.h"

#include "base/status.h"
#include "base/text.h"
#include "base/interrupt.h"
#include "model/mechanism/memory/memory_estimate.h"
#include "collect/wst/wst.h"
#include "metrics/store/store.h"
#include "model/coherence/closed_form.h"
#include "model/coherence/log_replay.h"
#include "model/mechanism/trace_walk.h"
#include "model/coherence/traffic_activity.h"
#include "model/power/power.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

typedef struct source {
    const ws_machine *machine;
    ws_closed_machine closed;
    ws_closed_form *form;
    ws_memory_estimate *memory; /* NULL: all in SRAM */
    uint32_t bursts;            /* of memory in a line */
    ws_activity_report *report;
    ws_frame *notes;
    const char *db;
    /* Of traces: */
    char *workload;
    size_t log_limit, launch;
    ws_coherence_replay *replay;
    uint64_t now;
    ws_activity before, caches; /* what the replay did until the last launch; in this one */
    ws_profiler *profiler;
} source;

/* Race detection has no closed form: what it counts is replayed, and its time is that of copies which nobody ends. */
static int create_form(source *s)
{
    ws_closed_machine timed = s->closed;
    if (ws_coherence_detects_races(s->closed.coherence.protocol)) {
        timed.coherence.protocol = "noncoherent";
        const int status = ws_frame_note(s->notes, "time: as if %s took none", s->closed.coherence.protocol);
        if (status)
            return status;
    }
    return ws_closed_form_create(&timed, &s->form);
}

static int begin(source *s)
{
    ws_dram_part part;
    char remark[256];
    int status = ws_memory_estimate_create(s->machine, &s->memory);
    if (!status)
        status = ws_closed_machine_of(s->machine, ws_closed_machine_protocol(s->machine), &s->closed);
    if (!status)
        status = create_form(s);
    if (!status)
        status = ws_machine_part(s->machine, &part);
    if (status)
        return status;
    s->bursts = part.burst_bytes < s->machine->l2_line ? s->machine->l2_line / part.burst_bytes : 1;
    ws_closed_form_remark(&s->closed, remark, sizeof remark);
    if (*remark)
        status = ws_frame_note(s->notes, "closed forms: %s", remark);
    if (!status && !ws_machine_has_protocol(s->machine))
        status = ws_frame_note(s->notes, "closed forms: plain caches are taken as %s",
                               ws_closed_machine_protocol(s->machine));
    return status;
}

static int add(const source *s, const char *workload, const char *kernel, size_t launch, const ws_activity *did)
{
    return ws_activity_report_add(s->report, workload, kernel, launch, 0, did->core_cycles[0], did);
}

/* ------------------------------------------------------------------------------------------------ profiles */

static int add_profile(const source *s, const ws_store_profile *stored, const ws_traffic_profile *profile)
{
    ws_closed_result one = {0};
    ws_activity did;
    int status = ws_closed_form_add(s->form, stored->kernel, profile, &one);
    if (status)
        return status;
    ws_closed_activity(&one, s->bursts, &did);
    ws_launch_activity(&s->closed, profile, &one, &did);
    status = ws_memory_estimate_change(s->memory, stored->kernel, &s->closed, profile, &one, &did);
    return status ? status : add(s, stored->workload, stored->kernel, stored->sequence + 1, &did);
}

static int see_profile(void *user, const ws_store_profile *stored)
{
    const source *const s = user;
    ws_traffic_profile *const profile = malloc(sizeof *profile);
    int status =
        profile ? ws_traffic_profile_read(stored->data, stored->length, profile) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = add_profile(s, stored, profile);
    if (status)
        status = ws_fail_context(status, "%s: `%s`, launch %llu", s->db, stored->workload,
                                 (unsigned long long)stored->sequence + 1);
    free(profile);
    return status;
}

int ws_power_from_profiles(const ws_machine *machine, const char *db, ws_activity_report *report, ws_frame *notes)
{
    source s = {.machine = machine, .report = report, .notes = notes, .db = db};
    uint64_t missing = 0;
    ws_store *store = NULL;
    if (ws_coherence_detects_races(machine->coherence_protocol))
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: profiles do not tell what %s would find; give traces, which are replayed "
                       "(--trace of suite run), or simulate them "
                       "(warpscape sim --power)",
                       machine->name, machine->coherence_protocol);
    int status = begin(&s);
    if (!status)
        status = ws_store_open(db, false, &store);
    if (!status)
        status = ws_store_profiles(store, see_profile, &s, &missing);
    if (!status && missing)
        status = ws_frame_note(notes, "missing: %llu launches without a profile", (unsigned long long)missing);
    if (store)
        ws_store_close(store);
    ws_closed_form_destroy(s.form);
    ws_memory_estimate_destroy(s.memory);
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
    const int status =
        ws_log_replay(s->replay, log, s->closed.coherence.sms, ws_closed_form_residents(&s->closed, &shape), &s->now);
    if (status)
        return status;
    ws_coherence_replay_sum(s->replay, &sum);
    ws_replay_activity(&sum, s->bursts, s->closed.hops, &after);
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
        status = ws_closed_form_add(s->form, launch->kernel, profile, &one);
    if (!status) {
        ws_launch_activity(&s->closed, profile, &one, &did);
        status = ws_memory_estimate_change(s->memory, launch->kernel, &s->closed, profile, &one, &did);
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
        status = ws_coherence_replay_create(&s->closed.coherence, &s->closed.sizes, &s->replay);
    }
    if (!status)
        status = ws_trace_replay_all(trace, &how);
    ws_coherence_replay_destroy(s->replay);
    ws_profiler_destroy(s->profiler);
    return status;
}

int ws_power_from_trace(const ws_machine *machine, const char *path, ws_activity_report *report, ws_frame *notes)
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
    ws_closed_form_destroy(s.form);
    ws_memory_estimate_destroy(s.memory);
    free(s.workload);
    return status;
}
