/* model_coherence.c - `warpscape model coherence`: messages of each protocol, from profiles or by replay of traces. */
#include "base/interrupt.h"
#include "base/options/options.h"
#include "base/status.h"
#include "base/text.h"
#include "base/waiting_note.h"
#include "collect/trace/waits.h"
#include "metrics/store/store.h"
#include "model/coherence/closed_form.h"
#include "model/coherence/log_replay.h"
#include "model/coherence/traffic_activity.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine.h"
#include "model/machine/machine_choice.h"
#include "model/mechanism/activity_energy.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/profile_walk.h"
#include "model/mechanism/trace_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns are those of tier 1; tier 2 has the first of them. */
#define WS_COLUMNS                      "model/mechanism/coherence/coherence_columns.def"
#define BOTH(name, unit, first, second) COLUMN(name, unit, first)
#define FIRST(name, unit, first)        COLUMN(name, unit, first)
#include "model/mechanism/column_names.def"

enum { MOST = 32 };

typedef struct request {
    const char *db, *trace, *activity;
    ws_machine_choice machine;
    struct protocols {
        const char *one[MOST];
        size_t count;
    } protocol; /* asked for; none: all */
    unsigned tier;
    size_t clock; /* of the words */
} request;

typedef struct run {
    const request *request;
    ws_closed_machine closed[MOST]; /* [protocols] */
    ws_closed_form *form[MOST];     /* tier 1 */
    ws_closed_result sum[MOST];
    ws_coherence_replay *replay[MOST]; /* tier 2 */
    uint64_t now[MOST];
    size_t log_limit;
    char *workload;               /* whose launches are summed up: */
    uint64_t launches, waiting;   /* the latter wait in loops for others */
    ws_activity_report *activity; /* NULL: nobody asked */
    ws_frame_layout layout;
    ws_prediction_run *of;
} run;

/* ------------------------------------------------------------------------------------------------ options */

static const char *const clocks[] = {"estimate", "issue", NULL};

static void take_protocol(const struct argp_state *state, void *member, char *name)
{
    struct protocols *const to = member;
    const char *known = NULL;
    char list[256] = "";
    for (size_t i = 0; (known = ws_coherence_protocol_name(i)) && strcmp(known, name) != 0; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", known);
    if (!known)
        argp_error(state, "--protocol: unknown '%s'; expected one of %s", name, list);
    for (size_t i = 0; i < to->count; i++)
        if (!strcmp(to->one[i], name))
            argp_error(state, "--protocol %s is given twice", name);
    to->one[to->count++] = known;
}

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, db,
                   "Results file with profiles (`--profile' of suite run, exec and replay) [warpscape.db]"),
    WS_OPTION_TAKE("protocol", 'P', "NAME", request, protocol, take_protocol, "A protocol; may be given again [all]"),
    WS_OPTION_TEXT("config", 'c', "NAME", request, machine.config,
                   "The machine: a file, or a name of data/configs [gtsc]"),
    WS_OPTION_WORD(
        "clock", 'k', "estimate|issue", request, clock, clocks,
        "Tier 1, clock of physical leases: the estimated time, or instructions only, as in tier 2 [estimate]"),
    WS_OPTION_NUMBER("tier", 't', "1|2", request, tier, 1, 2,
                     "1: closed forms from profiles; 2: functional replay of traces [1]"),
    WS_OPTION_OUTPUT("activity", 0, "FILE", request, activity,
                     "Write the activity of caches, networks and memory as a second frame, in the counters of "
                     "`warpscape sim --activity'"),
    WS_OPTION_TEXT("trace", 'T', "FILE|DIR", request, trace, "With --tier 2: a trace file, or a folder of them"),
    {0},
};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->tier == 2 && !r->trace)
        argp_error(state, "--tier 2 needs --trace: it replays accesses, which a results file does not have");
    if (r->tier == 2 && r->db)
        argp_error(state, "--tier 2 reads traces, not --db");
    if (r->tier == 1 && r->trace)
        argp_error(state, "--trace needs --tier 2");
}

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .refuse = "what is '%s'? Files are given by --db or --trace",
    .doc = "Predicts the traffic between SMs and L2 for coherence protocols, a row for each workload and "
           "protocol.\vTier 1 takes microseconds from profiles, tier 2 replays the accesses of traces through the "
           "protocol's controllers, without time. docs/coherence-models.md has the assumptions of each.\n\nExample:\n  "
           "warpscape suite run --profile\n  warpscape model coherence",
};

/* Without --protocol: all that both tiers know. */
static void choose_protocols(void *asked)
{
    request *const r = asked;
    const char *name;
    if (r->protocol.count)
        return;
    for (size_t i = 0; (name = ws_coherence_protocol_name(i)) && r->protocol.count < MOST; i++)
        if (ws_closed_form_knows(name))
            r->protocol.one[r->protocol.count++] = name;
}

/* ------------------------------------------------------------------------------------------------ the machine */

static int prepare_protocol(run *r, size_t i)
{
    const char *const name = r->request->protocol.one[i];
    r->of->machine->coherence_protocol = ws_protocol_find(name);
    const int status = r->request->tier == 1 ? ws_closed_machine_of(r->of->machine, name, &r->closed[i])
                                             : ws_replay_machine_of(r->of->machine, name, &r->closed[i]);
    r->closed[i].aging = r->request->clock == 0;
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static int add_row(const run *r, size_t i, const double *value)
{
    return ws_frame_add_row(r->of->frame, (const char *[]){r->workload, r->request->protocol.one[i]}, value);
}

static int add_first(const run *all, size_t i)
{
    const ws_closed_result *const r = &all->sum[i];
#include "model/mechanism/column_values.def"
    return add_row(all, i, value);
}

#undef BOTH
#undef FIRST
#define BOTH(name, unit, first, second) COLUMN(name, unit, second)
#define FIRST(name, unit, first)

static int add_second(const run *all, size_t i)
{
    ws_coherence_traffic sum;
    const ws_coherence_traffic *const t = &sum;
    ws_coherence_replay_sum(all->replay[i], &sum);
#include "model/mechanism/column_values.def"
    return add_row(all, i, value);
}

enum {
    SECOND_COLUMNS = 0
#define COLUMN(name, unit, value) +1
#include WS_COLUMNS
#undef COLUMN
};

/* What came of a protocol for the workload. */
static int add_activity(const run *r, size_t i)
{
    ws_activity did;
    ws_coherence_traffic traffic;
    if (!r->activity)
        return WS_OK;
    if (r->request->tier == 1) {
        ws_closed_activity(&r->sum[i], r->closed[i].bursts, &did);
    } else {
        ws_coherence_replay_sum(r->replay[i], &traffic);
        ws_replay_activity(&traffic, r->closed[i].bursts, r->closed[i].hops, &did);
    }
    return ws_activity_report_add(r->activity, r->workload, r->request->protocol.one[i], 0, 0, 0, &did);
}

/* ------------------------------------------------------------------------------------------------ tier 1 */

/* The workload that was summed up becomes rows; the next one begins. */
static int end_workload(run *r, const char *next)
{
    int status = WS_OK;
    for (size_t i = 0; i < r->request->protocol.count && r->workload && !status; i++) {
        status = r->request->tier == 1 ? add_first(r, i) : add_second(r, i);
        if (!status)
            status = add_activity(r, i);
    }
    if (!status && r->workload)
        status = ws_note_waiting(r->of->notes, r->workload, r->waiting, r->launches);
    r->launches = r->waiting = 0;
    memset(r->sum, 0, sizeof r->sum);
    free(r->workload);
    r->workload = next ? strdup(next) : NULL;
    return status || !next || r->workload ? status : ws_fail(WS_EMEM, "out of memory");
}

static const char *db_of(const request *q)
{
    return q->db ? q->db : "warpscape.db";
}

static int see_profile(void *user, const ws_store_profile *stored)
{
    run *const r = user;
    int status = WS_OK;
    if (!r->workload || strcmp(r->workload, stored->workload) != 0) {
        status = end_workload(r, stored->workload);
        if (!status)
            status =
                ws_frame_note(r->of->notes, "run: %s scale=%s seed=%s", stored->workload, stored->scale, stored->seed);
    }
    ws_traffic_profile *const profile = malloc(sizeof *profile);
    if (!status && !profile)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_traffic_profile_read(stored->data, stored->length, profile);
    if (status)
        status = ws_fail_context(status, "%s: `%s`, launch %llu", db_of(r->request), stored->workload,
                                 (unsigned long long)stored->sequence + 1);
    r->launches++;
    r->waiting += !status && profile->waits;
    for (size_t i = 0; i < r->request->protocol.count && !status; i++)
        status = ws_closed_form_add(r->form[i], stored->kernel, profile, &r->sum[i]);
    free(profile);
    return status;
}

static int run_first(run *r)
{
    uint64_t missing;
    ws_store *store;
    int status = WS_OK;
    for (size_t i = 0; i < r->request->protocol.count && !status; i++)
        status = ws_closed_form_create(&r->closed[i], &r->form[i]);
    for (size_t i = 0; i < r->request->protocol.count && !status; i++)
        status = ws_closed_forms_note(&r->closed[i], r->of->notes);
    if (!status)
        status = ws_store_open(db_of(r->request), false, &store);
    if (status)
        return status;
    status = ws_store_profiles(store, see_profile, r, &missing);
    if (!status)
        status = end_workload(r, NULL);
    if (!status && missing)
        status = ws_frame_note(r->of->notes, "missing: %llu launches without a profile", (unsigned long long)missing);
    ws_store_close(store);
    return status;
}

/* ------------------------------------------------------------------------------------------------ tier 2 */

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    run *const r = context;
    (void)sink;
    const ws_traffic_profile shape = {.warps_per_block = launch->warps_per_block,
                                      .registers = launch->registers,
                                      .shared_bytes = launch->shared_bytes};
    r->launches++;
    r->waiting += ws_launch_waits(launch);
    int status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : WS_OK;
    for (size_t i = 0; i < r->request->protocol.count && !status; i++)
        status = ws_log_replay(r->replay[i], state, r->closed[i].coherence.sms,
                               ws_closed_form_residents(&r->closed[i], &shape), &r->now[i]);
    return status;
}

static int replay_trace(run *r, const char *path)
{
    ws_trace *trace;
    const ws_sink sink = ws_access_log_sink(&r->log_limit), *const sinks[] = {&sink};
    const ws_replay how = {.sinks = sinks, .sink_count = 1, .collect = collect, .context = r};
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    for (size_t i = 0; i < r->request->protocol.count && !status; i++) {
        r->now[i] = 1;
        status = ws_coherence_replay_create(&r->closed[i].coherence, &r->closed[i].sizes, &r->replay[i]);
    }
    if (!status)
        status = ws_trace_replay_all(trace, &how);
    if (!status)
        status = end_workload(r, NULL);
    for (size_t i = 0; i < r->request->protocol.count; i++) {
        ws_coherence_replay_destroy(r->replay[i]);
        r->replay[i] = NULL;
    }
    ws_trace_close(trace);
    return status;
}

/* The file names the workload. */
static int run_trace(run *r, const char *path)
{
    r->workload = ws_text_stem(path);
    return r->workload ? replay_trace(r, path) : ws_fail(WS_EMEM, "out of memory");
}

static int run_second(run *r)
{
    ws_trace_files files = {0};
    int status = ws_trace_files_add(&files, r->request->trace);
    for (size_t i = 0; i < files.count && !status; i++)
        status = run_trace(r, files.path[i]);
    ws_trace_files_free(&files);
    return status;
}

/* ------------------------------------------------------------------------------------------------ */

static int open_machine(ws_prediction_run *of)
{
    run *const r = of->state;
    *r = (run){.request = of->request,
               .log_limit = UINT32_MAX - 1,
               .of = of,
               .layout = {{"workload", "protocol"}, columns, COLUMNS, "coherence"}};
    if (r->request->tier == 2)
        r->layout.columns = SECOND_COLUMNS;
    of->layout = &r->layout;
    int status = WS_OK;
    for (size_t i = 0; i < r->request->protocol.count && !status; i++)
        status = prepare_protocol(r, i);
    if (!status)
        status = ws_frame_note(of->notes, "machine: %s, tier %u", of->machine->name, r->request->tier);
    return status || !r->request->activity ? status : ws_activity_report_create(WS_ACTIVITY_TRAFFIC, &r->activity);
}

static int run_tier(ws_prediction_run *of)
{
    run *const r = of->state;
    return r->request->tier == 1 ? run_first(r) : run_second(r);
}

static void close_all(const ws_prediction_run *of)
{
    run *const r = of->state;
    for (size_t i = 0; i < MOST; i++)
        ws_closed_form_destroy(r->form[i]);
    free(r->workload);
    ws_activity_report_destroy(r->activity);
}

static int save_activity(const ws_prediction_run *of)
{
    const run *const r = of->state;
    const request *const q = r->request;
    ws_frame *frame;
    int status = q->activity ? ws_activity_report_frame(r->activity, &frame) : WS_OK;
    if (status || !q->activity)
        return status;
    status = ws_options_sign_frame(frame, of->argc, of->argv);
    if (!status)
        status = ws_frame_note(frame, "machine: %s, tier %u", r->of->machine->name, q->tier);
    if (!status)
        status = ws_frame_save(frame, q->activity);
    ws_frame_destroy(frame);
    return status;
}

const ws_mechanism ws_mechanism_coherence = {
    .options = &options,
    .asked = &(const request){.machine.config = "gtsc", .tier = 1},
    .asked_bytes = sizeof(request),
    .traces = WS_NO_TRACES,
    .complete = choose_protocols,
    .model.on_machine = true,
    .model.choice = offsetof(request, machine),
    .model.state_bytes = sizeof(run),
    .model.open = open_machine,
    .model.finish = run_tier,
    .model.judge = save_activity,
    .model.close = close_all,
    .subject = &ws_subject_coherence,
};
