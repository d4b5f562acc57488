/* cmd_sweep.c - `warpscape sweep`: runs the points of a plan that are missing, and makes one frame of all. */
#include "cli/cli.h"
#include "base/data_folder.h"
#include "base/input.h"
#include "base/options/frame_output.h"
#include "base/options/option_rows.h"
#include "base/shown.h"
#include "record/sweep/executor.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHOICES_MOST = 64, JOBS_MOST = 1000000, SHOWN_FAILURES = 10 };

typedef enum action { RUN, LIST, COUNT, FRAME } action;

typedef struct request {
    const char *plan, *folder, *on, *task, *program;
    struct choices {
        const char *one[CHOICES_MOST];
        size_t count;
    } only;
    action action;
    bool retry, yes;
    uint32_t jobs;
    ws_frame_output output;
} request;

static void take_choice(const struct argp_state *state, void *member, char *text)
{
    struct choices *const to = member;
    if (to->count == CHOICES_MOST)
        argp_error(state, "--only can be given %d times at most", CHOICES_MOST);
    to->one[to->count++] = text;
}

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->action != RUN && (r->retry || r->task || r->jobs || r->on || r->program))
        argp_error(state, "--retry, --task, --jobs, --on and --program are for a sweep that runs: not with --list, "
                          "--dry-run or --frame");
    if (r->action == RUN && (r->output.columns || r->output.definitions))
        argp_error(state, "--columns and --definitions go with --list, --dry-run or --frame");
    if (r->program && !(r->on && ws_executor_find(r->on)->is_elsewhere))
        argp_error(state, "--program is for points that run on a cluster: use --on slurm");
    if (r->task && (r->only.count || r->retry || r->on))
        argp_error(state, "--task selects the points and their place itself: not with --only, --retry or --on");
}

static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_FILLED("output", 'o', "FOLDER", request, folder, "the name of a folder",
                     "Folder of the points; it is made if it does not exist [NAME.sweep]"),
    WS_OPTION_TAKE("only", 0, "AXIS=VALUE|...", request, only, take_choice,
                   "Take only these points; values may be patterns, != takes the others; may be repeated"),
    WS_OPTION_GROUP(2),
    WS_OPTION_VALUE("list", 0, request, action, LIST,
                    "Print one row per point instead, with its state, its seconds and the reason of a failure"),
    WS_OPTION_VALUE("dry-run", 0, request, action, COUNT,
                    "Print the number of finished and missing points instead, with an estimate for the missing ones"),
    WS_OPTION_VALUE("frame", 0, request, action, FRAME,
                    "Print one frame of all finished points instead, with axes as labels"),
    WS_OPTION_GROUP(3),
    WS_OPTION_FLAG("retry", 0, request, retry, "Also run failed points again"),
    WS_OPTION_ONE_OF("on", 0, "WHERE", request, on, ws_executor_names,
                     "Where points run: on this machine, or on a Slurm cluster, submitted by sbatch (docs/cluster.md) "
                     "[local]"),
    WS_OPTION_NUMBER("jobs", 'j', "N", request, jobs, 1, JOBS_MOST, "Cores that points may keep busy at a time [all]"),
    WS_OPTION_TEXT("program", 0, "WORDS", request, program,
                   "Command that starts this program on a node of a cluster, as shell text, such as 'apptainer exec "
                   "warpscape.sif warpscape' [the path of this program]"),
    WS_OPTION_FLAG("yes", 0, request, yes, "Run more than 10000 points"),
    WS_OPTION_TEXT("task", 0, "FILE", request, task,
                   "Run the points whose keys FILE lists, one per line; jobs of a cluster use it"),
    WS_ONE_ARGUMENT(request, plan, "one plan at a time; what is '%s'?", "which plan? (docs/plans.md describes plans)"),
    {0},
};

static const struct argp_child children[] = {{&ws_frame_output_argp, 0, NULL, 0}, {&ws_argp_private, 0, NULL, 0}, {0}};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "PLAN",
    .doc =
        "Run the unfinished points of a plan, and make one frame of all points.\vA plan is a file that names commands "
        "of this program and axes: workloads, machines, sizes, options (docs/plans.md). PLAN is a path, or the name of "
        "a plan of the project, such as coherence. A point is one value of each axis. Its key is a hash of its "
        "command, input files, programs, machines and the version: a finished point is not run again, and a changed "
        "input makes another point.\n\nAfter Ctrl-C or a kill, the same command continues. Failed points keep their "
        "log; --retry runs them again.\n\nExample:\n  warpscape sweep study.ini --dry-run\n  warpscape sweep "
        "study.ini\n  warpscape sweep study.ini --list --format table\n  warpscape sweep study.ini --frame > study.csv",
    .children = children,
    .child = {offsetof(request, output)},
};

/* ------------------------------------------------------------------------------------------------ which points */

/* Marks the points whose keys a file lists. */
static int take_task(ws_sweep *sweep, const char *path, bool *wanted)
{
    static const ws_input input = {.what = "a list of points", .most_bytes = 256 << 20, .source = WS_INPUT_FILES};
    char *text;
    size_t length;
    if (access(ws_sweep_folder(sweep), F_OK))
        return ws_fail(WS_ENOTFOUND,
                       "%s: no such folder on this machine; mount the file system on which the sweep made it",
                       ws_sweep_folder(sweep));
    int status = ws_input_read(path, &input, &text, &length);
    size_t line = 0;
    for (char *rest = text, *key; !status && (key = strsep(&rest, "\n"));) {
        line++;
        const size_t point = *key ? ws_sweep_find(sweep, key) : 0;
        if (point == SIZE_MAX)
            status = ws_fail(WS_EINPUT,
                             "%s:%zu: no point of %s has the key %.64s here: the plan, a file that it names, or the "
                             "version of warpscape (%s here) differs from where the list was made",
                             path, line, ws_sweep_plan(sweep)->file, key, WS_VERSION);
        else if (*key) {
            wanted[point] = true;
            ws_sweep_look_at_needed(sweep, point);
        }
    }
    free(text);
    return status;
}

/* What --only leaves, before any folder is made. */
static int choose(const request *r, const ws_plan *plan, bool *wanted)
{
    memset(wanted, true, plan->points * sizeof *wanted);
    int status = WS_OK;
    for (size_t i = 0; !status && i < r->only.count; i++)
        status = ws_plan_choose(plan, "--only", r->only.one[i], wanted);
    size_t chosen = 0;
    for (size_t i = 0; i < plan->points; i++)
        chosen += wanted[i];
    if (!status && !chosen)
        return ws_fail(WS_EINPUT, "%s: no point is left%s", plan->file,
                       r->only.count ? " by --only" : ": all are excluded");
    return status;
}

/* ------------------------------------------------------------------------------------------------ answers */

static const char *const state_names[] = {
    [WS_POINT_MISSING] = "missing", [WS_POINT_DONE] = "done", [WS_POINT_FAILED] = "failed"};

/* One line for each of the first points that failed. */
static void tell_failures(const ws_sweep *sweep, const bool *wanted)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    char name[512], line[512];
    size_t told = 0, more = 0;
    for (size_t i = 0; i < plan->points; i++) {
        if (!wanted[i] || ws_sweep_result(sweep, i)->state != WS_POINT_FAILED)
            continue;
        if (told == SHOWN_FAILURES) {
            more++;
            continue;
        }
        told++;
        ws_plan_point_name(plan, i, name, sizeof name);
        ws_sweep_last_line(sweep, i, line, sizeof line);
        fprintf(stderr, "warpscape sweep: failed: %s: %s\n", name, line);
    }
    if (more)
        fprintf(stderr, "warpscape sweep: failed: %zu more points, which --list shows\n", more);
}

static int print(ws_frame *frame, const request *r, int argc, char **argv)
{
    const int status = ws_frame_output_print(&r->output, frame, argc, argv);
    ws_frame_destroy(frame);
    return status;
}

/* Labels of the rows of --list. */
static void list_labels(const ws_plan *plan, const char **label, size_t *count)
{
    *count = 0;
    if (plan->blocks > 1)
        label[(*count)++] = "points";
    for (size_t a = 0; a < plan->axes; a++)
        label[(*count)++] = plan->axis[a].name;
    label[(*count)++] = "key";
    label[(*count)++] = "state";
    label[(*count)++] = "last_line";
}

static int list_point(const ws_sweep *sweep, size_t point, ws_frame *frame)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    const ws_point_result *const result = ws_sweep_result(sweep, point);
    const char *label[WS_PLAN_AXES_MOST + 4];
    char line[512] = "";
    size_t n = 0;
    if (plan->blocks > 1)
        label[n++] = plan->block[plan->point[point].block].name;
    for (size_t a = 0; a < plan->axes; a++)
        label[n++] = ws_plan_label(plan, point, a);
    label[n++] = plan->point[point].key;
    label[n++] = state_names[result->state];
    if (result->state == WS_POINT_FAILED)
        ws_sweep_last_line(sweep, point, line, sizeof line);
    label[n++] = line;
    return ws_frame_add_row(
        frame, label, (const double[]){result->seconds, result->cpu_seconds, result->peak_bytes, result->disk_bytes});
}

static int list(const request *r, const ws_sweep *sweep, const bool *wanted, int argc, char **argv)
{
    static const ws_frame_column columns[] = {
        {"seconds", "s"}, {"cpu_seconds", "s"}, {"peak_bytes", "bytes"}, {"disk_bytes", "bytes"}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const ws_plan *const plan = ws_sweep_plan(sweep);
    const char *label[WS_PLAN_AXES_MOST + 4];
    size_t labels;
    list_labels(plan, label, &labels);
    ws_frame *const frame = ws_frame_create(0, COLUMNS, labels, label);
    int status = frame ? WS_OK : ws_fail(WS_EMEM, "no memory for a frame");
    for (size_t c = 0; !status && c < COLUMNS; c++)
        status = ws_frame_set_column(frame, c, columns[c].name, columns[c].unit, NULL);
    for (size_t i = 0; !status && i < plan->points; i++)
        if (wanted[i])
            status = list_point(sweep, i, frame);
    if (!status)
        return print(frame, r, argc, argv);
    ws_frame_destroy(frame);
    return status;
}

/* How many points there are and what those that are missing will take, a row a block, and all. */
enum { POINTS, DONE, FAILED, MISSING, MEASURED, CORE_HOURS, PEAK, DISK, COUNTS };

typedef double counts[COUNTS];

/* [blocks + 1], to be freed; NULL: no memory. */
static counts *count_points(const ws_sweep *sweep, const bool *wanted)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    counts *const count = calloc(plan->blocks + 1, sizeof *count);
    if (count)
        count[plan->blocks][PEAK] = NAN;
    for (size_t i = 0; count && i < plan->points; i++) {
        double *const c = count[plan->point[i].block];
        const ws_point_state state = ws_sweep_result(sweep, i)->state;
        if (!wanted[i] || ws_sweep_first(sweep, i) != i)
            continue;
        c[POINTS]++;
        c[state == WS_POINT_DONE ? DONE : state == WS_POINT_FAILED ? FAILED : MISSING]++;
    }
    for (size_t b = 0; count && b < plan->blocks; b++) {
        const ws_point_estimate e = ws_sweep_estimate(sweep, b);
        double *const c = count[b], *const all = count[plan->blocks];
        c[MEASURED] = (double)e.measured;
        c[CORE_HOURS] = c[MISSING] ? c[MISSING] * e.cpu_seconds / 3600 : 0;
        c[PEAK] = e.peak_bytes;
        c[DISK] = c[MISSING] ? c[MISSING] * e.disk_bytes : 0;
        for (size_t k = 0; k < COUNTS; k++)
            all[k] = k == PEAK ? fmax(all[k], c[k]) : all[k] + c[k];
    }
    return count;
}

static int print_counts(const request *r, const ws_sweep *sweep, const bool *wanted, int argc, char **argv)
{
    static const ws_frame_column columns[] = {
        [POINTS] = {"total", ""},         [DONE] = {"done", ""},
        [FAILED] = {"failed", ""},        [MISSING] = {"missing", ""},
        [MEASURED] = {"measured", ""},    [CORE_HOURS] = {"core_hours", "h"},
        [PEAK] = {"peak_bytes", "bytes"}, [DISK] = {"disk_bytes", "bytes"},
    };
    static const ws_frame_layout layout = {.labels = {"points"}, .column = columns, .columns = COUNTS};
    const ws_plan *const plan = ws_sweep_plan(sweep);
    counts *const count = count_points(sweep, wanted);
    ws_frame *frame = NULL;
    int status = count ? ws_frame_begin(&layout, &frame) : ws_fail(WS_EMEM, "out of memory");
    for (size_t b = 0; !status && plan->blocks > 1 && b < plan->blocks; b++)
        status = ws_frame_add_row(frame, &plan->block[b].name, count[b]);
    if (!status)
        status = ws_frame_add_row(frame, (const char *const[]){"all"}, count[plan->blocks]);
    free(count);
    if (!status)
        return print(frame, r, argc, argv);
    ws_frame_destroy(frame);
    return status;
}

/* A large sweep says what it would be, before its folder is made. */
static int ask(const request *r, const ws_sweep *sweep, const bool *wanted)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    char time[64] = "";
    counts *const count = count_points(sweep, wanted);
    if (!count)
        return ws_fail(WS_EMEM, "out of memory");
    const double *const all = count[plan->blocks];
    const double points = all[MISSING] + (r->retry ? all[FAILED] : 0);
    if (all[CORE_HOURS] > 0)
        snprintf(time, sizeof time, ", about %.4g core hours", all[CORE_HOURS]);
    free(count);
    return points <= WS_PLAN_POINTS_ASK || r->yes
               ? WS_OK
               : ws_fail(WS_ELIMIT,
                         "%s: %.0f points to run%s; --yes runs them, --only takes a part, --dry-run counts them by "
                         "block",
                         plan->file, points, time);
}

static int print_frame(const request *r, const ws_sweep *sweep, const bool *wanted, int argc, char **argv)
{
    ws_frame *frame;
    ws_sweep_tally tally;
    ws_sweep_count(sweep, wanted, &tally);
    tell_failures(sweep, wanted);
    if (tally.done < tally.points)
        fprintf(stderr, "warpscape sweep: %zu of %zu points are done; the others have no row\n", tally.done,
                tally.points);
    const int status = ws_sweep_frame(sweep, wanted, &frame);
    return status ? status : print(frame, r, argc, argv);
}

/* FOLDER/frame.csv: what --frame prints of all points. */
static int keep_frame(ws_sweep *sweep, int argc, char **argv)
{
    char path[PATH_MAX];
    const size_t points = ws_sweep_plan(sweep)->points;
    bool *const all = malloc(points + 1);
    ws_frame *frame = NULL;
    int status = all ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status) {
        memset(all, true, points + 1);
        status = ws_sweep_frame(sweep, all, &frame);
    }
    snprintf(path, sizeof path, "%s/frame.csv", ws_sweep_folder(sweep));
    if (!status)
        status = ws_options_sign_frame(frame, argc, argv);
    if (!status)
        status = ws_frame_save(frame, path);
    ws_frame_destroy(frame);
    free(all);
    return status;
}

static void tell_conflict(void *user, const char *line)
{
    (void)user;
    ws_show_line(stderr, "warpscape sweep: %s", line);
}

static int run(const request *r, ws_sweep *sweep, const bool *wanted, int argc, char **argv)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    ws_sweep_tally tally = {0};
    const ws_sweep_request how = {
        .wanted = wanted,
        .retry = r->retry || r->task,
        .executor = ws_executor_find(r->on ? r->on : "local"),
        .jobs = r->jobs,
        .program = r->program,
    };
    ws_interrupts_catch();
    int status = ws_sweep_run(sweep, &how, &tally);
    if (status)
        return ws_fail_context(status, "%s: %zu of %zu points are done", plan->name, tally.done, tally.points);
    tell_failures(sweep, wanted);
    status = r->task ? WS_OK : keep_frame(sweep, argc, argv);
    if (!status && !r->task)
        status = ws_sweep_merge(sweep, tell_conflict, NULL);
    if (status)
        return status;
    char failed[64] = "", missing[64] = "";
    if (tally.failed)
        snprintf(failed, sizeof failed, "; %zu failed (--retry runs them again)", tally.failed);
    if (tally.missing)
        snprintf(missing, sizeof missing, "; %zu need points that are not done", tally.missing);
    if (tally.failed || tally.missing)
        return ws_fail(WS_EVERIFY, "%s: %zu of %zu points are done%s%s", plan->name, tally.done, tally.points, failed,
                       missing);
    fprintf(stderr, "warpscape sweep: %s: all %zu points are done, in %s\n", plan->name, tally.points,
            ws_sweep_folder(sweep));
    return WS_OK;
}

static int answer(const request *r, ws_plan *plan, int argc, char **argv)
{
    char name[PATH_MAX];
    ws_sweep *sweep = NULL;
    bool *wanted = NULL;
    snprintf(name, sizeof name, "%s.sweep", plan->name);
    int status = ws_plan_lay_out(plan);
    if (!status) {
        wanted = calloc(plan->points + 1, sizeof *wanted);
        status = !wanted ? ws_fail(WS_EMEM, "out of memory") : r->task ? WS_OK : choose(r, plan, wanted);
    }
    if (!status)
        status = ws_sweep_open(plan, r->folder ? r->folder : name, r->task ? WS_SWEEP_PART : WS_SWEEP_READ, &sweep);
    if (!status && r->task)
        status = take_task(sweep, r->task, wanted);
    else if (!status && (r->action == RUN || r->action == COUNT))
        ws_sweep_want_needed(sweep, wanted);
    if (!status && r->action == RUN && !r->task) {
        status = ask(r, sweep, wanted);
        if (!status)
            status = ws_sweep_make(sweep);
    }
    if (status && r->task)
        status = WS_MISUSED; /* what says to an executor that points cannot run here, unlike points that fail */
    if (!status)
        status = r->action == LIST    ? list(r, sweep, wanted, argc, argv)
                 : r->action == COUNT ? print_counts(r, sweep, wanted, argc, argv)
                 : r->action == FRAME ? print_frame(r, sweep, wanted, argc, argv)
                                      : run(r, sweep, wanted, argc, argv);
    free(wanted);
    ws_sweep_close(sweep);
    return status;
}

/* A path, or the name of one of the project's plans. */
static int read_plan(const char *name, ws_plan **out)
{
    char folder[PATH_MAX], path[PATH_MAX + NAME_MAX];
    const bool is_name = !strchr(name, '/') && access(name, F_OK) && !ws_data_folder(folder, sizeof folder);
    if (is_name)
        snprintf(path, sizeof path, "%s/plans/%s.ini", folder, name);
    return ws_plan_read(is_name && !access(path, F_OK) ? path : name, out);
}

WS_COMMAND(sweep)
{
    request r = {0};
    ws_plan *plan;
    ws_options_parse(&options, argc, argv, &r);
    int status = read_plan(r.plan, &plan);
    status = !status ? answer(&r, plan, argc, argv) : r.task ? WS_MISUSED : status;
    ws_plan_destroy(plan);
    return status;
}
