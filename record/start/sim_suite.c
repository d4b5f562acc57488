/* sim_suite.c - see sim_suite.h. A workload's process writes its rows to a file, which is read when it has ended. */
#include "record/start/sim_suite.h"

#include "base/status.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "record/start/child.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENVIRONMENT = 20, VARIABLE = PATH_MAX + 64 };

typedef struct sim_suite {
    const ws_sim_suite_request *request;
    char folder[PATH_MAX];
    char rows[PATH_MAX], activity[PATH_MAX];   /* files that take those of a workload */
    char trace[PATH_MAX], arguments[PATH_MAX]; /* files of what it uses, for who measures it */
    char *settings;                            /* one a line */
    ws_frame **frame;                          /* [frames] of each workload */
    size_t frames, number, count, failures;
    char failed[512];
    const ws_suite_workload *now;
    ws_progress bar;
} sim_suite;

/* ------------------------------------------------------------------------------------------------ one frame of many */

/* Column names and units, and the notes, which say once what holds for all. */
static int copy_head(ws_frame *to, const ws_frame *from)
{
    int status = WS_OK;
    for (size_t i = 0; i < from->columns && !status; i++)
        status = ws_frame_set_column(to, i, from->column[i].name, from->column[i].unit, from->column[i].group);
    return status;
}

static bool has_note(const ws_frame *frame, const char *note)
{
    for (size_t i = 0; i < frame->notes; i++)
        if (strcmp(frame->note[i], note) == 0)
            return true;
    return false;
}

static int copy_notes(ws_frame *to, const ws_frame *from)
{
    static const char checked[] = "checked loads: ";
    int status = WS_OK;
    for (size_t i = 0; i < from->notes && !status; i++) {
        const char *const note = from->note[i];
        if (from->rows && strncmp(note, checked, sizeof checked - 1) == 0)
            status = ws_frame_note(to, "checked loads of %s: %s", from->label[0], note + sizeof checked - 1);
        else if (!has_note(to, note))
            status = ws_frame_note(to, "%s", note);
    }
    return status;
}

static int copy_rows(ws_frame *to, size_t at, const ws_frame *from)
{
    int status = WS_OK;
    for (size_t i = 0; i < from->rows && !status; i++)
        for (size_t l = 0; l < from->labels && !status; l++)
            status = ws_frame_set_label(to, at + i, l, from->label[i * from->labels + l]);
    if (from->rows)
        memcpy(to->value + at * to->columns, from->value, from->rows * from->columns * sizeof *to->value);
    return status;
}

static int join(const sim_suite *s, ws_frame **out)
{
    *out = NULL;
    if (!s->frames)
        return WS_OK;
    const ws_frame *const first = s->frame[0];
    size_t rows = 0;
    for (size_t i = 0; i < s->frames; i++)
        rows += s->frame[i]->rows;
    ws_frame *const all = ws_frame_create(rows, first->columns, first->labels, (const char *const *)first->label_names);
    int status = all ? copy_head(all, first) : ws_fail(WS_EMEM, "no memory for a frame");
    for (size_t i = 0, at = 0; i < s->frames && !status; at += s->frame[i++]->rows) {
        status = copy_rows(all, at, s->frame[i]);
        if (!status)
            status = copy_notes(all, s->frame[i]);
    }
    return ws_frame_give(status, all, out);
}

/* ------------------------------------------------------------------------------------------------ a workload */

static void show(void *context, const ws_child_progress *p)
{
    sim_suite *const s = context;
    const double expected = s->now->million[s->request->scale], executed = 1e-6 * (double)p->warp_instructions;
    char what[WS_CHILD_TEXT + 64];
    snprintf(what, sizeof what, "%zu/%zu %s %s", s->number, s->count, s->now->abbr, p->kernel);
    ws_progress_show(&s->bar, what, executed < expected ? executed / expected : 0.99);
}

typedef struct environment {
    char text[ENVIRONMENT][VARIABLE];
    const char *variable[ENVIRONMENT + 2];
    size_t count;
} environment;

static void __attribute__((format(printf, 2, 3))) add_variable(environment *e, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(e->text[e->count], VARIABLE, format, list);
    va_end(list);
    e->variable[e->count] = e->text[e->count];
    e->count++;
}

/* What a run by hand may have set counts for nothing. */
static void add_common(const sim_suite *s, environment *e)
{
    add_variable(e, "WARPSCAPE_INTERLEAVE=");
    add_variable(e, "WARPSCAPE_MAX_INSTRUCTIONS=");
    add_variable(e, "WARPSCAPE_WORKLOAD=%s", s->now->abbr);
    add_variable(e, "WARPSCAPE_SCALE=%s", ws_suite_scales[s->request->scale]);
    add_variable(e, "WARPSCAPE_SEED=%" PRIu64, s->request->seed);
}

static int make_environment(const sim_suite *s, environment *e, char **settings)
{
    const ws_sim_suite_request *const o = s->request;
    if (asprintf(settings, "WARPSCAPE_SIMULATE_SET=%s", s->settings) < 0) {
        *settings = NULL;
        return ws_fail(WS_EMEM, "out of memory");
    }
    add_common(s, e);
    add_variable(e, "WARPSCAPE_TRACE=");
    add_variable(e, "WARPSCAPE_SIMULATE=%s", o->machine.config);
    add_variable(e, "WARPSCAPE_SIMULATE_PROTOCOL=%s", o->machine.protocol ? o->machine.protocol : "");
    add_variable(e, "WARPSCAPE_SIMULATE_CHECK=%s", o->check ? "1" : "");
    add_variable(e, "WARPSCAPE_SIMULATE_SHAPE=%s", o->shape ? o->shape : "");
    if (o->max_cycles)
        add_variable(e, "WARPSCAPE_SIMULATE_MAX_CYCLES=%" PRIu64, o->max_cycles);
    else
        add_variable(e, "WARPSCAPE_SIMULATE_MAX_CYCLES=");
    add_variable(e, "WARPSCAPE_SIMULATE_LIVELOCK=%" PRIu64, o->livelock);
    add_variable(e, "WARPSCAPE_SIMULATE_ROWS=%s", s->rows);
    add_variable(e, "WARPSCAPE_SIMULATE_ACTIVITY=%s", o->activity ? s->activity : "");
    add_variable(e, "WARPSCAPE_SIMULATE_LAUNCHES=%s", o->list ? ws_launch_list_file(o->list) : "");
    add_variable(e, "WARPSCAPE_SIMULATE_ARGUMENTS=%s",
                 o->measure && !access(s->arguments, R_OK) ? s->arguments
                 : o->arguments                            ? o->arguments
                                                           : "");
    if (o->list) /* what is not simulated runs in one order, too */
        add_variable(e, "WARPSCAPE_WORKERS=1");
    e->variable[e->count] = *settings;
    return WS_OK;
}

/* A run in the engine, that leaves a trace. */
static int make_plain_environment(const sim_suite *s, environment *e)
{
    add_common(s, e);
    add_variable(e, "WARPSCAPE_SIMULATE=");
    add_variable(e, "WARPSCAPE_TRACE=%s", s->trace);
    return WS_OK;
}

static int run_child(sim_suite *s, bool plain, ws_child_result *result)
{
    char program[PATH_MAX + 32], seed[32], *settings = NULL;
    environment *const e = calloc(1, sizeof *e);
    int status = !e      ? ws_fail(WS_EMEM, "out of memory")
                 : plain ? make_plain_environment(s, e)
                         : make_environment(s, e, &settings);
    snprintf(program, sizeof program, "%s/%s", s->folder, s->now->abbr);
    snprintf(seed, sizeof seed, "%" PRIu64, s->request->seed);
    const char *const arguments[] = {program,           "--scale", ws_suite_scales[s->request->scale],
                                     "--seed",          seed,      s->request->sizes ? "--size" : NULL,
                                     s->request->sizes, NULL};
    if (!status) {
        const ws_child child = {.argv = arguments, .environment = e->variable, .progress = show, .context = s};
        status = ws_child_run(&child, result);
    }
    free(settings);
    free(e);
    return status;
}

/* A process that crashed has left none, and one that failed early none but a head. */
static int take_rows(sim_suite *s)
{
    ws_frame *frame;
    if (access(s->rows, R_OK))
        return WS_OK;
    const int status = ws_frame_load(s->rows, &frame);
    unlink(s->rows);
    if (status)
        return status;
    s->frame[s->frames++] = frame;
    return WS_OK;
}

static int take_activity(const sim_suite *s)
{
    ws_frame *frame;
    if (!s->request->activity || access(s->activity, R_OK))
        return WS_OK;
    int status = ws_frame_load(s->activity, &frame);
    unlink(s->activity);
    if (status)
        return status;
    status = ws_activity_report_read(s->request->activity, frame);
    ws_frame_destroy(frame);
    return status;
}

static void note_failure(sim_suite *s)
{
    const size_t used = strlen(s->failed);
    snprintf(s->failed + used, sizeof s->failed - used, "%s%s", used ? ", " : "", s->now->abbr);
    s->failures++;
}

static bool has_failed(const ws_child_result *result)
{
    return result->signal || result->exit_status;
}

/* In the engine, for what its launches use. Who fails there fails in the simulation, too, which says how. */
static int measure(sim_suite *s)
{
    ws_child_result result;
    int status = run_child(s, true, &result);
    if (!status && result.interrupted)
        status = ws_fail(WS_EINTERRUPTED, "interrupted in %s", s->now->abbr);
    unlink(s->arguments);
    if (!status && !has_failed(&result))
        status = s->request->measure(s->request->context, s->trace, s->arguments);
    unlink(s->trace);
    return status;
}

static int run_workload(sim_suite *s)
{
    char end[2 * WS_CHILD_TEXT];
    ws_child_result result;
    show(s, &(ws_child_progress){.kernel = ""});
    int status = s->request->measure ? measure(s) : WS_OK;
    if (!status)
        status = run_child(s, false, &result);
    if (!status)
        status = take_rows(s);
    if (!status)
        status = take_activity(s);
    ws_progress_end(&s->bar);
    if (status)
        return status;
    if (result.interrupted)
        return ws_fail(WS_EINTERRUPTED, "interrupted in %s", s->now->abbr);
    const bool failed = has_failed(&result);
    if (failed)
        note_failure(s);
    if (s->request->quiet && !failed)
        return WS_OK;
    ws_suite_describe(s->now, &result, end, sizeof end);
    fprintf(stderr, "%-4s %s: %s, %.2f s\n", s->now->abbr, ws_suite_scales[s->request->scale],
            failed ? end : "right result", result.seconds);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ all of them */

/* Of those that are marked, or of all, the workloads that the list has; one that was marked has to be there. */
static int find_listed(const ws_sim_suite_request *r, bool *listed, const ws_suite_workload *all, size_t n,
                       size_t *count)
{
    const bool named = *count > 0;
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        const ws_listed_launch *first;
        size_t launches;
        if (named && !r->wanted[i])
            continue;
        listed[i] = !ws_launch_list_of(r->list, all[i].abbr, &first, &launches);
        if (named && !listed[i])
            return WS_ENOTFOUND;
        *count += listed[i];
    }
    return *count ? WS_OK
                  : ws_fail(WS_ENOTFOUND, "%s: lists no launches of a built-in workload", ws_launch_list_file(r->list));
}

static int run_chosen(sim_suite *s)
{
    size_t n;
    const ws_suite_workload *const all = ws_suite_workloads(&n);
    const bool *wanted = s->request->wanted;
    for (size_t i = 0; i < n; i++)
        s->count += wanted[i];
    bool listed[WS_SUITE_MOST] = {false};
    if (s->request->list && find_listed(s->request, listed, all, n, &s->count))
        return WS_ENOTFOUND;
    wanted = s->request->list ? listed : wanted;
    bool everything[WS_SUITE_MOST] = {false};
    if (!s->count) {
        for (size_t i = 0; i < n; i++)
            s->count += everything[i] = !ws_suite_is_of(&all[i], WS_SUITE_STUDIES);
        wanted = everything;
    }
    int status = WS_OK;
    for (size_t i = 0; i < n && !status; i++) {
        if (!wanted[i])
            continue;
        s->now = &all[i];
        s->number++;
        status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted before %s", all[i].abbr) : run_workload(s);
    }
    if (!status && s->failures)
        status = ws_fail(WS_EVERIFY, "%zu of %zu workloads failed: %s", s->failures, s->count, s->failed);
    return status;
}

static int join_settings(sim_suite *s)
{
    const ws_machine_choice *const m = &s->request->machine;
    const char *const more = m->more ? m->more : "";
    size_t length = strlen(more) + 1;
    for (size_t i = 0; i < m->settings; i++)
        length += strlen(m->setting[i]) + 1;
    s->settings = calloc(1, length);
    if (!s->settings)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < m->settings; i++)
        strcat(strcat(s->settings, m->setting[i]), "\n");
    strcat(s->settings, more);
    return WS_OK;
}

/* In the folder of our own, whose name `rows` still is. */
static void name_file(const sim_suite *s, const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*s/%s", PATH_MAX - NAME_MAX, s->rows, name);
}

/* A folder of our own, since files there are put in place whole, by name. */
static int open_all(sim_suite *s)
{
    size_t n;
    const char *const folder = getenv("TMPDIR");
    ws_suite_workloads(&n);
    s->frame = calloc(n, sizeof *s->frame);
    int status = s->frame ? join_settings(s) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_suite_find_folder(s->folder, sizeof s->folder);
    if (status)
        return status;
    snprintf(s->rows, sizeof s->rows, "%s/warpscape-XXXXXX", folder && *folder ? folder : "/tmp");
    if (!mkdtemp(s->rows))
        return ws_fail(WS_EIO, "%s: cannot make a folder for the workloads' rows: %s", s->rows, strerror(errno));
    name_file(s, "activity", s->activity);
    name_file(s, "trace.wst", s->trace);
    name_file(s, "arguments", s->arguments);
    strncat(s->rows, "/rows", sizeof s->rows - strlen(s->rows) - 1);
    return WS_OK;
}

static void close_all(sim_suite *s)
{
    char *const slash = strrchr(s->rows, '/');
    if (slash && strcmp(slash, "/rows") == 0) {
        unlink(s->rows);
        unlink(s->activity);
        unlink(s->trace);
        unlink(s->arguments);
        *slash = '\0';
        rmdir(s->rows);
    }
    for (size_t i = 0; i < s->frames; i++)
        ws_frame_destroy(s->frame[i]);
    free(s->frame);
    free(s->settings);
}

int ws_sim_suite_run(const ws_sim_suite_request *request, ws_frame **out)
{
    sim_suite *const s = calloc(1, sizeof *s);
    char message[1024];
    *out = NULL;
    if (!s)
        return ws_fail(WS_EMEM, "out of memory");
    s->request = request;
    ws_progress_begin(&s->bar);
    int status = open_all(s);
    if (!status)
        status = run_chosen(s);
    snprintf(message, sizeof message, "%s", ws_message());
    const int joined = join(s, out);
    close_all(s);
    free(s);
    return status ? ws_fail(status, "%s", message) : joined;
}
