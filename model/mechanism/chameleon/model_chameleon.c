/* model_chameleon.c - `warpscape model chameleon`: policies of power management on renewable supplies. */
#include "base/interrupt.h"
#include "base/misused.h"
#include "base/options/options.h"
#include "base/progress.h"
#include "base/status.h"
#include "model/mechanism/chameleon/chameleon.h"
#include "model/mechanism/mechanism.h"

#include <stdio.h>
#include <string.h>

typedef ws_chameleon_request request;

enum { SECONDS_PER_HOUR = 3600 };

/* ------------------------------------------------------------------------------------------------ options */

static void add(const struct argp_state *state, const char *option, ws_chameleon_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcasecmp(names->name[i], name))
            argp_error(state, "%s %s is given twice", option, name);
    if (names->count == WS_CHAMELEON_MOST)
        argp_error(state, "%s may be given at most %d times", option, WS_CHAMELEON_MOST);
    names->name[names->count++] = name;
}

static const char *policy_name(const struct argp_state *state, const char *option, const char *name)
{
    char list[256] = "";
    if (ws_policy_find(name))
        return name;
    for (size_t i = 0; ws_policy_at(i); i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", ws_policy_at(i)->name);
    argp_error(state, "%s: unknown '%s'; expected one of %s", option, name, list);
    return name;
}

static void take_supply(const struct argp_state *state, void *member, char *arg)
{
    add(state, "--supply", member, arg);
}

static void take_workload(const struct argp_state *state, void *member, char *arg)
{
    add(state, "--workload", member, arg);
}

static void take_policy(const struct argp_state *state, void *member, char *arg)
{
    add(state, "--policy", member, policy_name(state, "--policy", arg));
}

static void take_base(const struct argp_state *state, void *member, char *arg)
{
    *(const char **)member = policy_name(state, "--base", arg);
}

static void take_server_setting(const struct argp_state *state, void *member, char *arg)
{
    ws_chameleon_names *const to = member;
    if (to->count == WS_CHAMELEON_MOST)
        argp_error(state, "--set may be given at most %d times", WS_CHAMELEON_MOST);
    to->name[to->count++] = arg;
}

static void take_days(const struct argp_state *state, void *member, char *arg)
{
    enum { MOST_DAYS = 36500 };
    double *const days = member;
    *days = ws_argp_double(state, "--days", arg, 0, MOST_DAYS);
    if (*days == 0)
        argp_error(state, "--days 0: expected more than 0 days");
}

static void take_gap(const struct argp_state *state, void *member, char *arg)
{
    *(double *)member = ws_argp_double(state, "--supply-gap", arg, 1e-3, 1e6) * SECONDS_PER_HOUR;
}

static const char *const per_words[] = {"workload", "supply", "policy", "all",
                                        NULL}; /* in the order of ws_chameleon_per */
static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_TAKE("supply", 'S', "NAME|FILE", request, supply, take_supply,
                   "A class of supplies, all, or a file of measurements; may be given again [all]"),
    WS_OPTION_REAL("supply-mean", 0, "W", request, measured.scale_mean_w, 1e-3, 1e9, 1,
                   "For files: scale the power to this mean [no scaling]"),
    WS_OPTION_TEXT("supply-column", 0, "NAME", request, measured.column,
                   "Of files: the column of power, irradiance or wind speed [the first that is known]"),
    WS_OPTION_TAKE("supply-gap", 0, "HOURS", request, measured.gap_s, take_gap,
                   "Of files: the longest gap that is filled [2]"),
    WS_OPTION_FLAG("supply-hybrid", 0, request, measured.hybrid,
                   "Of files with irradiance and wind speed: both, panels and turbine"),
    WS_OPTION_TEXT("supply-plant", 0, "FILE", request, plant, "Of files: panels and turbine [data/tech/plant.ini]"),
    WS_OPTION_TAKE("workload", 'w', "NAME", request, workload, take_workload,
                   "A workload of the table of loads, or all; may be given again [all]"),
    WS_OPTION_TEXT("db", 'd', "FILE", request, db,
                   "The workloads that are in this results file, with power and throughput of each level by `warpscape "
                   "model power', unless --loads has them"),
    WS_OPTION_TEXT("machine", 'M', "NAME", request, machine,
                   "With --db: the machine they run on, a file or a name of data/configs [renewable]"),
    WS_OPTION_TEXT("loads", 'L', "FILE", request, loads,
                   "Table with the power and the IPC of each workload [data/control/loads.csv]"),
    WS_OPTION_TAKE("policy", 'P', "NAME", request, policy, take_policy, "A policy; may be given again [all]"),
    WS_OPTION_TAKE("base", 'B', "NAME", request, base, take_base,
                   "The policy that the others are measured against [energy]"),
    WS_OPTION_FLAG("no-regret", 0, request, no_regret, "Leave out the optimum, and with it the column regret"),
    WS_OPTION_GROUP(2),
    WS_OPTION_TAKE("days", 0, "N", request, days, take_days, "Days that are simulated [1]"),
    WS_OPTION_NUMBER("seed", 0, "N", request, seed, 0, UINT64_MAX,
                     "Decides weather, activity of the load and luck [1]"),
    WS_OPTION_NUMBER("seeds", 0, "N", request, seeds, 1, 100000,
                     "Runs with N seeds, from --seed on; several give means and confidence intervals [1]"),
    WS_OPTION_NUMBER("jobs", 'j', "N", request, workers, 1, 1024,
                     "Worker threads; no result depends on them [one a processor]"),
    WS_OPTION_GROUP(3),
    WS_OPTION_TEXT("config", 'c', "FILE", request, config, "File that changes the server, as data/control/study.ini"),
    WS_OPTION_TAKE("set", 's', "SECTION.NAME=VALUE", request, setting, take_server_setting,
                   "Changes one option of the server; may be given again"),
    WS_OPTION_FLAG("options", 0, request, options, "List the options of the server with their values"),
    WS_OPTION_TEXT("thermal", 0, "NAME|FILE", request, thermal,
                   "Die and package: a file, or data/tech/thermal_NAME.ini [renewable]"),
    WS_OPTION_TEXT("lifetime", 0, "NAME|FILE", request, lifetime,
                   "Law of wear: a file, or data/tech/lifetime_NAME.ini [data/tech/lifetime.ini]"),
    WS_OPTION_GROUP(4),
    WS_OPTION_FLAG("list", 0, request, list, "List policies, supplies and workloads"),
    WS_OPTION_WORD("per", 0, "workload|supply|policy|all", request, per, per_words,
                   "Unit of a row; supply and policy are means over workloads, and supplies; all: rows of workload and "
                   "of supply [workload]"),
    WS_OPTION_OUTPUT("timeline", 't', "FILE", request, timeline,
                     "Of one run: supply, load, charge, mode and temperature over time"),
    WS_OPTION_OUTPUT("learning", 'l', "FILE", request, learning,
                     "For one run: write rewards, and the policy's value of each mode in each state, over time"),
    WS_OPTION_FLAG("sensitivity", 0, request, sensitivity,
                   "Print instead the effect of each constant of the server on the gains of a policy [chameleon]"),
    WS_OPTION_TEXT("output", 'o', "DIR", request, directory, "Figures and their frames into this folder"),
    {0},
};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->db && r->workload.count)
        argp_error(state, "--db provides the workloads, as does --workload");
    if (r->machine && (!r->db || r->loads))
        argp_error(state, "--machine requires --db without --loads: it only provides power");
    if (r->sensitivity && (r->timeline || r->learning))
        argp_error(state, "--sensitivity is of many runs; --timeline and --learning are of one");
    if (r->sensitivity && r->policy.count > 1)
        argp_error(state, "--sensitivity is about one --policy");
}

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .refuse = "what is '%s'? Supplies are given by --supply, workloads by --workload",
    .doc = "Drives a GPU server with a battery through supplies of renewable power, and prints the results of each "
           "policy of power management: a row for each supply, workload and policy.\vWithout options: the supplies, "
           "workloads and all policies of the study, for a day. docs/chameleon.md describes the model and the "
           "columns.\n\nExample:\n  warpscape model chameleon --supply LpHv --workload MM --policy chameleon \\\n      "
           "--timeline day.csv",
    .children = ws_argp_writes,
};

/* ------------------------------------------------------------------------------------------------ the study */

typedef struct study {
    ws_chameleon read;
    ws_progress progress;
    ws_chameleon_record *record; /* of the only run; NULL: not wanted */
} study;

static int show_progress(void *context, double done)
{
    study *const s = context;
    ws_progress_show(&s->progress, "driving", done);
    return ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : WS_OK;
}

static int watch(void *context, const ws_drive_period *period, const ws_wear *wear)
{
    const study *const s = context;
    return ws_chameleon_record_see(s->record, period, wear);
}

static int save(const ws_prediction_run *run, ws_frame *frame, const char *path)
{
    const int status = ws_options_sign_frame(frame, run->argc, run->argv);
    return status || !path ? status : ws_frame_save(frame, path);
}

/* Saves timeline and learning of the only run, then draws figures. */
static int show_record(const ws_prediction_run *run, const ws_experiment_result *result)
{
    const study *const s = run->state;
    const request *const q = run->request;
    ws_frame *timeline = NULL, *learning = NULL;
    int status = s->record ? ws_chameleon_timeline(s->record, &timeline) : WS_OK;
    if (!status && timeline)
        status = save(run, timeline, q->timeline);
    if (!status && s->record)
        status = ws_chameleon_learning(s->record, &learning);
    if (!status && learning)
        status = save(run, learning, q->learning);
    if (!status && q->directory)
        status = ws_chameleon_draw(
            &s->read, &(ws_chameleon_pictures){.result = result, .timeline = timeline, .learning = learning});
    ws_frame_destroy(timeline);
    ws_frame_destroy(learning);
    return status;
}

static int drive(ws_prediction_run *run)
{
    study *const s = run->state;
    const request *const q = run->request;
    const bool one = ws_chameleon_is_one(&s->read), record = q->timeline || q->learning;
    ws_experiment e = ws_chameleon_experiment(&s->read);
    ws_experiment_result result = {0};
    int status = WS_OK;
    if (record && !one)
        return ws_fail(WS_MISUSED,
                       "--timeline and --learning are of one run: one --supply, one --workload, one --policy");
    if (record || (q->directory && one)) {
        e.watch = watch;
        status = ws_chameleon_record_create(&s->read, &s->record);
    }
    e.progress = show_progress;
    e.context = s;
    if (!status)
        status = ws_experiment_run(&e, &result);
    ws_progress_end(&s->progress);
    if (!status)
        status = ws_chameleon_frame(&s->read, &result, q->per, &run->frame);
    if (!status)
        status = show_record(run, &result);
    ws_experiment_fini(&result);
    return status;
}

static int vary(ws_prediction_run *run)
{
    study *const s = run->state;
    const request *const q = run->request;
    const int status = ws_chameleon_sensitivity(&s->read, show_progress, s, &run->frame);
    ws_progress_end(&s->progress);
    return status || !q->directory ? status
                                   : ws_chameleon_draw(&s->read, &(ws_chameleon_pictures){.sensitivity = run->frame});
}

static int work(ws_prediction_run *run)
{
    study *const s = run->state;
    const request *const q = run->request;
    if (q->list)
        return ws_chameleon_list(q, &s->read);
    if (q->options)
        return ws_chameleon_list_options(q);
    const int status = ws_chameleon_open(q, &s->read);
    ws_progress_begin(&s->progress);
    return status ? status : q->sensitivity ? vary(run) : drive(run);
}

static void close_study(const ws_prediction_run *run)
{
    study *const s = run->state;
    ws_chameleon_record_destroy(s->record);
    ws_chameleon_close(&s->read);
}

const ws_mechanism ws_mechanism_chameleon = {
    .options = &options,
    .asked = &(const request){.base = "energy", .days = 1, .seed = 1, .seeds = 1},
    .asked_bytes = sizeof(request),
    .traces = WS_NO_TRACES,
    .model.state_bytes = sizeof(study),
    .model.finish = work,
    .model.close = close_study,
};
