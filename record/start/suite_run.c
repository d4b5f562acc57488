/* suite_run.c - runs built-in workloads, each as a process of its own, into a results file. */
#include "record/start/suite.h"

#include "base/output.h"
#include "base/status.h"
#include "base/note.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "record/board.h"
#include "record/check_report.h"
#include "record/start/child.h"
#include "metrics/store/store.h"
#include "model/sample/launch_list.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool has_workloads(const char *folder)
{
    char path[PATH_MAX + 32];
    size_t n;
    snprintf(path, sizeof path, "%s/%s", folder, ws_suite_workloads(&n)[0].abbr);
    return !access(path, X_OK);
}

/* Beside this program in a build tree, beside its prefix when installed, or in the prefix it was built for. */
int ws_suite_find_folder(char *folder, size_t size)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    const char *const here = dirname(self);
    static const char *const beside[] = {"workloads", "../libexec/warpscape/workloads"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        snprintf(folder, size, "%s/%s", here, beside[i]);
        if (has_workloads(folder))
            return WS_OK;
    }
    snprintf(folder, size, "%s/libexec/warpscape/workloads", WS_PREFIX);
    if (has_workloads(folder))
        return WS_OK;
    return ws_fail(WS_ENOTFOUND, "the workload programs are neither in %s/workloads nor in %s; 'make' builds them",
                   here, folder);
}

typedef struct suite {
    const ws_suite_request *request;
    char folder[PATH_MAX];
    ws_store *store;
    ws_progress bar;
    double done, total; /* million warp instructions expected: of finished workloads, of all to run */
    char *scale_variable;
    const char
        *scale; /* the value of that, as results have it: "small", or "small:side=64" of other sizes than that has */
    const ws_suite_workload *now;
    size_t number, count; /* of the workload that runs, among those to run */
    size_t failures;
    char failed[512];                   /* their names */
    int notes_fd;                       /* what checks find in the workload that runs; -1: none */
    uint64_t findings[WS_CHECK_COUNTS]; /* of all */
    size_t faulty;                      /* workloads that have some */
} suite;

static double cost(const suite *s, const ws_suite_workload *w)
{
    return w->million[s->request->scale];
}

static void show(void *context, const ws_child_progress *p)
{
    suite *const s = context;
    const double expected = cost(s, s->now), executed = 1e-6 * (double)p->warp_instructions;
    const double part = executed < 0.99 * expected ? executed : 0.99 * expected;
    char what[WS_CHILD_TEXT + 64];
    snprintf(what, sizeof what, "%zu/%zu %s %s", s->number, s->count, s->now->abbr, p->kernel);
    ws_progress_show(&s->bar, what, (s->done + part) / s->total);
}

/* The workload says "MM: wrong result ..."; the line already begins with its name. */
static const char *without_name(const ws_suite_workload *w, const char *text)
{
    const size_t n = strlen(w->abbr);
    return !strncmp(text, w->abbr, n) && !strncmp(text + n, ": ", 2) ? text + n + 2 : text;
}

/* What the engine says tells more than the error code that the workload makes of it. */
void ws_suite_describe(const ws_suite_workload *w, const ws_child_result *r, char *text, size_t size)
{
    const char *const words = *r->cause ? r->cause : r->message;
    if (r->signal)
        snprintf(text, size, "crashed with signal %d (%s)%s%.400s", r->signal, strsignal(r->signal),
                 *words ? "; its last words: " : "", words);
    else if (r->exit_status)
        snprintf(text, size, "%s", *words ? without_name(w, words) : "failed without a word");
    else
        snprintf(text, size, "done");
}

static void note_failure(suite *s, const ws_suite_workload *w)
{
    const size_t used = strlen(s->failed);
    snprintf(s->failed + used, sizeof s->failed - used, "%s%s", used ? ", " : "", w->abbr);
    s->failures++;
}

static int run_child(suite *s, const ws_suite_workload *w, int64_t run, ws_child_result *result)
{
    const ws_suite_request *const o = s->request;
    char program[PATH_MAX + 32], seed[32];
    char trace[PATH_MAX + 64], db[PATH_MAX + 32], run_number[64], workers[64], set[64], name[64], seed_variable[64];
    snprintf(program, sizeof program, "%s/%s", s->folder, w->abbr);
    snprintf(seed, sizeof seed, "%" PRIu64, o->seed);
    snprintf(db, sizeof db, "WARPSCAPE_DB=%s", o->db);
    snprintf(run_number, sizeof run_number, "WARPSCAPE_RUN=%" PRId64, run);
    snprintf(workers, sizeof workers, "WARPSCAPE_WORKERS=%" PRIu64, o->workers);
    snprintf(set, sizeof set, "WARPSCAPE_SET=%s", o->set);
    snprintf(name, sizeof name, "WARPSCAPE_WORKLOAD=%s", w->abbr);
    snprintf(seed_variable, sizeof seed_variable, "WARPSCAPE_SEED=%s", seed);
    snprintf(trace, sizeof trace, "WARPSCAPE_TRACE=%s/%s.wst", o->trace ? o->trace : "", w->abbr);
    const char *const arguments[] = {
        program, "--scale", ws_suite_scales[o->scale], "--seed", seed, o->sizes ? "--size" : NULL, o->sizes, NULL};
    char list[PATH_MAX + 32], checks[64], check[96], notes[64], note[96];
    ws_checks_list(o->checks, checks, sizeof checks);
    snprintf(check, sizeof check, "WARPSCAPE_CHECK=%s", checks);
    ws_board_path(s->notes_fd, notes, sizeof notes);
    snprintf(note, sizeof note, WS_NOTE_VARIABLE "=%s", notes);
    snprintf(list, sizeof list, "WARPSCAPE_LAUNCHES=%s", o->launches ? o->launches : "");
    const char *const environment[] = {list,
                                       db,
                                       run_number,
                                       workers,
                                       set,
                                       name,
                                       s->scale_variable,
                                       seed_variable,
                                       check,
                                       o->pages ? "WARPSCAPE_BOUNDS=exact" : "WARPSCAPE_BOUNDS=",
                                       o->checks ? note : WS_NOTE_VARIABLE "=",
                                       o->trace ? trace : "WARPSCAPE_TRACE=",
                                       o->values ? "WARPSCAPE_TRACE_VALUES=1" : "WARPSCAPE_TRACE_VALUES=",
                                       o->profile ? "WARPSCAPE_PROFILE=1" : "WARPSCAPE_PROFILE=",
                                       o->lines ? "WARPSCAPE_LINES=1" : "WARPSCAPE_LINES=",
                                       NULL};
    const ws_child child = {.argv = arguments, .environment = environment, .progress = show, .context = s};
    return ws_child_run(&child, result);
}

/* A line for each thing that checks found in it. */
static void say_findings(suite *s, const ws_suite_workload *w)
{
    char *line = NULL;
    size_t room = 0, lines = 0;
    const int fd = s->notes_fd >= 0 ? dup(s->notes_fd) : -1;
    FILE *const in = fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 ? fdopen(fd, "r") : NULL;
    while (in && getline(&line, &room, in) > 0)
        if (ws_check_count(line, s->findings)) {
            fprintf(stderr, "%-4s %s", w->abbr, line + sizeof WS_CHECK_NOTE - 1);
            lines++;
        }
    s->faulty += lines > 0;
    free(line);
    if (in)
        fclose(in);
    else if (fd >= 0)
        close(fd);
}

/* How the results file names the run of a workload; NULL: no memory. */
static char *command_of(const suite *s, const ws_suite_workload *w)
{
    const ws_suite_request *const o = s->request;
    char *command;
    return asprintf(&command, "warpscape suite run --scale %s --seed %" PRIu64 "%s%s%s %s", ws_suite_scales[o->scale],
                    o->seed, o->sizes ? " --size " : "", o->sizes ? o->sizes : "", o->pages ? " --pages" : "",
                    w->abbr) < 0
               ? NULL
               : command;
}

static ws_store_run run_of(const suite *s, const ws_suite_workload *w, const char *command)
{
    const ws_suite_request *const o = s->request;
    return (ws_store_run){
        .workload = w->abbr, .scale = s->scale, .seed = o->seed, .command = command, .selection = o->launches};
}

static int is_done(const suite *s, const ws_suite_workload *w, int *done)
{
    char *const command = command_of(s, w);
    if (!command)
        return ws_fail(WS_EMEM, "out of memory");
    const ws_store_run about = run_of(s, w, command);
    const int status = ws_store_is_done(s->store, &about, done);
    free(command);
    return status;
}

/* One workload, from its row in the results file to its line on stderr. Its own failure is none of ours. */
static int run_workload(suite *s, const ws_suite_workload *w)
{
    const ws_suite_request *const o = s->request;
    char end[2 * WS_CHILD_TEXT];
    ws_child_result result;
    int64_t run = 0;
    s->now = w;
    if (s->notes_fd >= 0 && ftruncate(s->notes_fd, 0))
        return ws_fail(WS_EIO, "cannot empty the notes of checks: %s", strerror(errno));
    show(s, &(ws_child_progress){.kernel = ""});
    char *const command = command_of(s, w);
    if (!command)
        return ws_fail(WS_EMEM, "out of memory");
    const ws_store_run about = run_of(s, w, command);
    int status = ws_store_begin(s->store, &about, &run);
    free(command);
    if (!status)
        status = run_child(s, w, run, &result);
    if (status)
        return status;
    if (result.interrupted)
        return ws_fail(WS_EINTERRUPTED, "interrupted in %s; finished workloads are in %s, %s goes on with the rest",
                       w->abbr, o->db, o->again);
    ws_suite_describe(w, &result, end, sizeof end);
    status = ws_store_finish(s->store, run, end, result.seconds);
    const bool failed = result.signal || result.exit_status || status == WS_ENOTFOUND;
    if (status == WS_ENOTFOUND)
        snprintf(end, sizeof end, "launched nothing");
    else if (status)
        return status;
    if (failed)
        note_failure(s, w);
    ws_progress_end(&s->bar);
    fprintf(stderr, "%-4s %s: %s, %.2f s\n", w->abbr, s->scale, failed ? end : "right result", result.seconds);
    say_findings(s, w);
    return WS_OK;
}

/* Of those that are wanted by no name, the ones that the list has; one that was named has to be there. */
static int leave_listed(const suite *s, bool named, bool todo[WS_SUITE_MOST])
{
    const ws_suite_request *const o = s->request;
    ws_launch_list *list;
    size_t n, launches, left = 0;
    const ws_suite_workload *const workloads = ws_suite_workloads(&n);
    const ws_listed_launch *first;
    int status = o->launches ? ws_launch_list_load(o->launches, &list) : WS_OK;
    if (status || !o->launches)
        return status;
    for (size_t i = 0; i < n && !status; i++) {
        const bool listed = todo[i] && !ws_launch_list_of(list, workloads[i].abbr, &first, &launches);
        if (todo[i] && named && !listed)
            status = WS_ENOTFOUND;
        todo[i] = listed;
        left += listed;
    }
    ws_launch_list_destroy(list);
    return status || left ? status : ws_fail(WS_ENOTFOUND, "%s: lists no launches of a built-in workload", o->launches);
}

/* Which of the wanted workloads are left to do. */
static int choose(suite *s, bool todo[WS_SUITE_MOST])
{
    const ws_suite_request *const o = s->request;
    size_t n;
    const ws_suite_workload *const workloads = ws_suite_workloads(&n);
    bool named = false;
    for (size_t i = 0; i < n; i++)
        named |= o->wanted[i];
    for (size_t i = 0; i < n; i++)
        todo[i] = named ? o->wanted[i] : ws_suite_is_of(&workloads[i], o->group);
    const int listed = leave_listed(s, named, todo);
    if (listed)
        return listed;
    for (size_t i = 0; i < n; i++) {
        int done = 0;
        if (todo[i] && o->resume) {
            const int status = is_done(s, &workloads[i], &done);
            if (status)
                return status;
        }
        if (done) {
            todo[i] = false;
            if (!o->quiet)
                fprintf(stderr, "%-4s %s: done before\n", workloads[i].abbr, s->scale);
        }
        s->count += todo[i];
        s->total += todo[i] ? cost(s, &workloads[i]) : 0;
    }
    return WS_OK;
}

/* What checks found, of all workloads. */
static int conclude(const suite *s)
{
    char list[64], found[128];
    ws_checks_list(s->request->checks, list, sizeof list);
    ws_check_summary(s->findings, found, sizeof found);
    fprintf(stderr, "checked for %s: found %s\n", list, found);
    return s->faulty ? ws_fail(WS_EVERIFY, "checks found something in %zu of %zu workloads", s->faulty, s->count)
                     : WS_OK;
}

static int run_chosen(suite *s)
{
    bool todo[WS_SUITE_MOST];
    size_t n;
    const ws_suite_workload *const workloads = ws_suite_workloads(&n);
    int status = choose(s, todo);
    for (size_t i = 0; i < n && !status; i++) {
        if (!todo[i])
            continue;
        if (ws_interrupted())
            return ws_fail(WS_EINTERRUPTED, "interrupted; finished workloads are in %s, %s goes on with the rest",
                           s->request->db, s->request->again);
        s->number++;
        status = run_workload(s, &workloads[i]);
        s->done += cost(s, &workloads[i]);
    }
    if (s->request->checks && !s->failures && !status)
        status = conclude(s);
    if (!status && s->failures)
        status = ws_fail(WS_EVERIFY, "%zu of %zu workloads failed: %s", s->failures, s->count, s->failed);
    return status;
}

static int open_all(suite *s)
{
    const ws_suite_request *const o = s->request;
    int status = ws_suite_find_folder(s->folder, sizeof s->folder);
    if (!status && asprintf(&s->scale_variable, "WARPSCAPE_SCALE=%s%s%s", ws_suite_scales[o->scale],
                            o->sizes ? ":" : "", o->sizes ? o->sizes : "") < 0) {
        s->scale_variable = NULL;
        status = ws_fail(WS_EMEM, "out of memory");
    }
    s->scale = s->scale_variable ? strchr(s->scale_variable, '=') + 1 : NULL;
    if (!status && o->checks && s->notes_fd < 0)
        status = ws_fail(WS_EIO, "cannot make a place for what checks find: %s", strerror(errno));
    if (!status && o->trace && ws_output_make_folder(o->trace))
        status = ws_fail(WS_EIO, "%s: cannot make the folder of the traces: %s", o->trace, strerror(errno));
    return status ? status : ws_store_open(o->db, true, &s->store);
}

int ws_suite_run(const ws_suite_request *o)
{
    suite s = {.request = o, .notes_fd = o->checks ? memfd_create("warpscape notes", MFD_CLOEXEC) : -1};
    int status = open_all(&s);
    if (!status) {
        ws_interrupts_catch();
        ws_progress_begin(&s.bar);
        status = run_chosen(&s);
        ws_progress_end(&s.bar);
    }
    ws_store_close(s.store);
    free(s.scale_variable);
    if (s.notes_fd >= 0)
        close(s.notes_fd);
    return status;
}
