/* sweep.c - the folder of a sweep: which points are done, and running those that are not. */
#include "record/sweep/executor.h"
#include "record/sweep/last_line.h"
#include "record/sweep/point_run.h"

#include "base/interrupt.h"
#include "base/output.h"
#include "base/progress.h"
#include "base/settings.h"
#include "base/status.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uthash.h>

enum { LINE = 4096, HOST = 64, EXIT_MOST = 255, SIGNAL_MOST = 127 };

/* Points by their keys; of several with one key the first. */
typedef struct by_key {
    UT_hash_handle hh;
    size_t point;
} by_key;

/* What is known of the points of a block. */
typedef struct block_tally {
    size_t done;
    double seconds, cpu_seconds, disk_bytes, peak_bytes; /* sums; the greatest */
    size_t left, ended;                                  /* of a run */
} block_tally;

struct ws_sweep {
    const ws_plan *plan;
    char *folder;
    ws_point_result *result; /* [points] of the first ones of their keys */
    uint32_t *first;         /* [points] */
    by_key *key, *all_keys;
    block_tally *block; /* [blocks] */
    /* of a run */
    ws_progress progress;
    size_t ended, failed, to_run;
    double part_done; /* of the seconds that it is expected to take */
};

/* ------------------------------------------------------------------------------------------------ points' files */

static const ws_point_result missing = {WS_POINT_MISSING, -1, 0, NAN, NAN, NAN, NAN};

static double number_of(const ws_settings *file, const char *name)
{
    const ws_setting *const s = ws_settings_find(file, "", name);
    double number;
    return s && !ws_text_to_double(s->value, strlen(s->value), &number) ? number : NAN;
}

/* A status that is torn, which only a machine that lost power leaves, is none. */
static ws_point_result read_status(const ws_sweep *sweep, size_t point)
{
    const ws_plan_point *const of = &sweep->plan->point[point];
    char path[PATH_MAX];
    ws_settings *file;
    ws_point_result r = missing;
    snprintf(path, sizeof path, "%s/points/%s/status", sweep->folder, of->key);
    if (access(path, F_OK) || ws_settings_read(path, &file))
        return missing;
    const ws_setting *const state = ws_settings_find(file, "", "state");
    const double code = number_of(file, "exit"), signal = number_of(file, "signal");
    r.seconds = number_of(file, "seconds");
    r.cpu_seconds = number_of(file, "cpu_seconds");
    r.peak_bytes = number_of(file, "peak_bytes");
    r.disk_bytes = number_of(file, "disk_bytes");
    if (state && ws_settings_find(file, "", "when") && code >= -1 && code <= EXIT_MOST && signal >= 0 &&
        signal <= SIGNAL_MOST && !isnan(r.seconds + r.cpu_seconds + r.peak_bytes + r.disk_bytes)) {
        r.exit = (int)code;
        r.signal = (int)signal;
        r.state = !strcmp(state->value, "done") && (!r.exit || r.exit == sweep->plan->block[of->block].other_exit)
                      ? WS_POINT_DONE
                      : WS_POINT_FAILED;
    }
    ws_settings_destroy(file);
    return r.state == WS_POINT_MISSING ? missing : r;
}

const ws_point_result *ws_sweep_result(const ws_sweep *sweep, size_t point)
{
    return &sweep->result[sweep->first[point]];
}

const ws_point_result *ws_sweep_look(ws_sweep *sweep, size_t point)
{
    ws_point_result *const r = &sweep->result[sweep->first[point]];
    const bool was_done = r->state == WS_POINT_DONE;
    *r = read_status(sweep, point);
    if (r->state == WS_POINT_DONE && !was_done) {
        block_tally *const b = &sweep->block[sweep->plan->point[point].block];
        b->done++;
        b->seconds += r->seconds;
        b->cpu_seconds += r->cpu_seconds;
        b->disk_bytes += r->disk_bytes;
        b->peak_bytes = fmax(b->peak_bytes, r->peak_bytes);
    }
    return r;
}

ws_point_state ws_sweep_state_now(const ws_sweep *sweep, size_t point)
{
    return read_status(sweep, point).state;
}

size_t ws_sweep_first(const ws_sweep *sweep, size_t point)
{
    return sweep->first[point];
}

size_t ws_sweep_find(const ws_sweep *sweep, const char *key)
{
    by_key *found;
    HASH_FIND_STR(sweep->key, key, found);
    return found ? found->point : SIZE_MAX;
}

ws_point_estimate ws_sweep_estimate(const ws_sweep *sweep, size_t block)
{
    const block_tally *const b = &sweep->block[block];
    const ws_plan_block *const plan = &sweep->plan->block[block];
    const double n = (double)b->done;
    if (b->done)
        return (ws_point_estimate){b->seconds / n, b->cpu_seconds / n, b->peak_bytes, b->disk_bytes / n, b->done};
    const double seconds = plan->seconds > 0 ? plan->seconds : NAN;
    return (ws_point_estimate){seconds, seconds * plan->cores, plan->memory_bytes > 0 ? plan->memory_bytes : NAN, NAN,
                               0};
}

void ws_sweep_last_line(const ws_sweep *sweep, size_t point, char *text, size_t size)
{
    char path[PATH_MAX], line[LINE];
    const ws_point_result *const r = ws_sweep_result(sweep, point);
    snprintf(path, sizeof path, "%s/points/%s/log", sweep->folder, sweep->plan->point[point].key);
    ws_last_line_of_file(path, line, sizeof line);
    if (r->signal)
        snprintf(text, size, "ended by signal %d (%s)%s%s", r->signal, strsignal(r->signal), *line ? "; before: " : "",
                 line);
    else if (*line)
        snprintf(text, size, "%s", line);
    else
        snprintf(text, size, "exit status %d, without a message", r->exit);
}

/* ------------------------------------------------------------------------------------------------ the folder */

/* The plan as it was, and where it was. */
static int keep_plan(const ws_sweep *sweep)
{
    char path[PATH_MAX];
    char *const plan = realpath(sweep->plan->file, NULL);
    ws_output out;
    snprintf(path, sizeof path, "%s/plan.ini", sweep->folder);
    int status = ws_output_open(&out, path);
    if (!status) {
        fprintf(out.stream, "; a copy of %s, by warpscape %s\n", plan ? plan : sweep->plan->file, WS_VERSION);
        fwrite(sweep->plan->text, 1, sweep->plan->text_bytes, out.stream);
        status = ws_output_close(&out, WS_OK);
    }
    free(plan);
    return status;
}

int ws_sweep_make(ws_sweep *sweep)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/points", sweep->folder) >= PATH_MAX - WS_PLAN_KEY - 2 * HOST)
        return ws_fail(WS_EINPUT, "%s: the name of the folder is too long", sweep->folder);
    if (ws_output_make_folder(sweep->folder) || ws_output_make_folder(path))
        return ws_fail(WS_EIO, "cannot make the folder %s: %s", path, strerror(errno));
    char *const folder = realpath(sweep->folder, NULL);
    if (!folder)
        return ws_fail(WS_EIO, "%s: %s", sweep->folder, strerror(errno));
    free(sweep->folder);
    sweep->folder = folder;
    return keep_plan(sweep);
}

static void index_points(ws_sweep *sweep)
{
    const ws_plan *const plan = sweep->plan;
    for (size_t i = 0; i < plan->points; i++) {
        by_key *found;
        HASH_FIND_STR(sweep->key, plan->point[i].key, found);
        if (!found) {
            found = &sweep->all_keys[i];
            found->point = i;
            HASH_ADD_KEYPTR(hh, sweep->key, plan->point[i].key, WS_PLAN_KEY, found);
        }
        sweep->first[i] = (uint32_t)found->point;
        sweep->result[i] = missing;
    }
}

/* One walk over the folder: most plans have either few points or most of them done. */
static void read_folder(ws_sweep *sweep)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/points", sweep->folder);
    DIR *const folder = opendir(path);
    if (!folder)
        return;
    for (const struct dirent *e; (e = readdir(folder));) {
        const size_t point = *e->d_name == '.' ? SIZE_MAX : ws_sweep_find(sweep, e->d_name);
        if (point != SIZE_MAX)
            ws_sweep_look(sweep, point);
    }
    closedir(folder);
}

int ws_sweep_open(const ws_plan *plan, const char *folder, ws_sweep_use use, ws_sweep **out)
{
    ws_sweep *const s = *out = calloc(1, sizeof *s);
    if (s) {
        s->plan = plan;
        s->result = calloc(plan->points + 1, sizeof *s->result);
        s->first = calloc(plan->points + 1, sizeof *s->first);
        s->all_keys = calloc(plan->points + 1, sizeof *s->all_keys);
        s->block = calloc(plan->blocks + 1, sizeof *s->block);
        s->folder = realpath(folder, NULL);
        if (!s->folder)
            s->folder = strdup(folder);
    }
    if (!s || !s->result || !s->first || !s->all_keys || !s->block || !s->folder) {
        ws_sweep_close(s);
        *out = NULL;
        return ws_fail(WS_EMEM, "out of memory");
    }
    index_points(s);
    if (use == WS_SWEEP_READ)
        read_folder(s);
    return WS_OK;
}

void ws_sweep_close(ws_sweep *sweep)
{
    if (!sweep)
        return;
    HASH_CLEAR(hh, sweep->key);
    free(sweep->all_keys);
    free(sweep->result);
    free(sweep->first);
    free(sweep->block);
    free(sweep->folder);
    free(sweep);
}

const ws_plan *ws_sweep_plan(const ws_sweep *sweep)
{
    return sweep->plan;
}

const char *ws_sweep_folder(const ws_sweep *sweep)
{
    return sweep->folder;
}

/* Whether a name is ".KEY.HOST.PID" with what may stand behind it, of a process of this machine that is gone. */
static bool is_left(const char *name, const char *host)
{
    const char *const of_host = name + 1 + WS_PLAN_KEY + 1;
    if (strlen(name) < 1 + WS_PLAN_KEY + 4 || name[1 + WS_PLAN_KEY] != '.')
        return false;
    const size_t length = strlen(host);
    if (strncmp(of_host, host, length) || of_host[length] != '.')
        return false;
    const long pid = strtol(of_host + length + 1, NULL, 10);
    return pid > 0 && pid != getpid() && kill((pid_t)pid, 0) && errno == ESRCH;
}

/* The point that a name "KEY.checkpoint" is of; SIZE_MAX: it is no such name. */
static size_t of_checkpoint(const ws_sweep *sweep, const char *name)
{
    char key[WS_PLAN_KEY + 1];
    if (strlen(name) < WS_PLAN_KEY || strcmp(name + WS_PLAN_KEY, WS_POINT_CHECKPOINT) != 0)
        return SIZE_MAX;
    snprintf(key, sizeof key, "%.*s", WS_PLAN_KEY, name);
    return ws_sweep_find(sweep, key);
}

void ws_sweep_clean(const ws_sweep *sweep)
{
    char path[PATH_MAX], one[PATH_MAX + NAME_MAX + 2], host[HOST] = "";
    gethostname(host, sizeof host - 1);
    snprintf(path, sizeof path, "%s/points", sweep->folder);
    DIR *const folder = opendir(path);
    if (!folder)
        return;
    for (const struct dirent *e; (e = readdir(folder));) {
        const size_t point = of_checkpoint(sweep, e->d_name);
        if (point != SIZE_MAX && ws_sweep_result(sweep, point)->state == WS_POINT_DONE)
            ws_point_drop_checkpoint(sweep, point, NULL);
        if (*e->d_name != '.' || !is_left(e->d_name, host))
            continue;
        snprintf(one, sizeof one, "%s/%s", path, e->d_name);
        ws_point_remove_folder(one);
    }
    closedir(folder);
}

/* ------------------------------------------------------------------------------------------------ running */

static void show(ws_sweep *sweep, const char *note)
{
    char text[128];
    const size_t at = (size_t)snprintf(text, sizeof text, "%zu of %zu", sweep->ended, sweep->to_run);
    if (sweep->failed)
        snprintf(text + at, sizeof text - at, ", %zu failed%s%s", sweep->failed, note ? ", " : "", note ? note : "");
    else if (note)
        snprintf(text + at, sizeof text - at, ", %s", note);
    ws_progress_show(&sweep->progress, text, sweep->part_done);
}

/* What is left weighs by the seconds that it is expected to take; all points weigh the same while one block has no
 * estimate. */
static void weigh(ws_sweep *sweep)
{
    double left = 0, ended = 0;
    for (size_t b = 0; b < sweep->plan->blocks; b++) {
        const double seconds = ws_sweep_estimate(sweep, b).seconds;
        left += sweep->block[b].left ? (double)sweep->block[b].left * seconds : 0;
        ended += sweep->block[b].ended ? (double)sweep->block[b].ended * seconds : 0;
    }
    sweep->part_done = isnan(left) ? (double)sweep->ended / (double)sweep->to_run : ended / (left + ended);
}

void ws_sweep_ended(ws_sweep *sweep, size_t point)
{
    const ws_point_result *const r = ws_sweep_look(sweep, point);
    block_tally *const b = &sweep->block[sweep->plan->point[point].block];
    b->left--;
    b->ended++;
    sweep->ended++;
    sweep->failed += r->state == WS_POINT_FAILED;
    weigh(sweep);
    show(sweep, NULL);
}

void ws_sweep_idle(ws_sweep *sweep, const char *note)
{
    show(sweep, note);
}

void ws_sweep_say(ws_sweep *sweep, const char *text)
{
    ws_progress_end(&sweep->progress);
    fprintf(stderr, "warpscape sweep: %s\n", text);
}

/* How the points stand that a point needs: one that failed bars it. */
static ws_point_state needs_of(const ws_sweep *sweep, size_t point)
{
    size_t needed[WS_PLAN_BLOCKS_MOST], count;
    ws_point_state worst = WS_POINT_DONE;
    ws_plan_needs(sweep->plan, point, needed, &count);
    for (size_t i = 0; i < count; i++) {
        const ws_point_state state = ws_sweep_result(sweep, needed[i])->state;
        if (state == WS_POINT_FAILED)
            return state;
        worst = state == WS_POINT_MISSING ? state : worst;
    }
    return worst;
}

void ws_sweep_want_needed(const ws_sweep *sweep, bool *wanted)
{
    size_t needed[WS_PLAN_BLOCKS_MOST], count;
    for (size_t i = sweep->plan->points; i-- > 0;) { /* who is needed stands before who needs it */
        if (!wanted[i])
            continue;
        ws_plan_needs(sweep->plan, i, needed, &count);
        for (size_t n = 0; n < count; n++)
            wanted[needed[n]] = true;
    }
}

void ws_sweep_look_at_needed(ws_sweep *sweep, size_t point)
{
    size_t needed[WS_PLAN_BLOCKS_MOST], count;
    ws_sweep_look(sweep, point);
    ws_plan_needs(sweep->plan, point, needed, &count);
    for (size_t i = 0; i < count; i++)
        ws_sweep_look(sweep, needed[i]);
}

void ws_sweep_count(const ws_sweep *sweep, const bool *wanted, ws_sweep_tally *tally)
{
    *tally = (ws_sweep_tally){0};
    for (size_t i = 0; i < sweep->plan->points; i++) {
        if (!wanted[i])
            continue;
        const ws_point_state state = ws_sweep_result(sweep, i)->state;
        tally->points++;
        tally->done += state == WS_POINT_DONE;
        tally->failed += state == WS_POINT_FAILED;
        tally->missing += state == WS_POINT_MISSING;
    }
}

/* Points to run, the first of each key. */
static void choose(ws_sweep *sweep, const ws_sweep_request *request, bool *run)
{
    for (size_t i = 0; i < sweep->plan->points; i++) {
        const ws_point_state state = ws_sweep_result(sweep, i)->state;
        if (request->wanted[i] && (state == WS_POINT_MISSING || (request->retry && state == WS_POINT_FAILED)))
            run[sweep->first[i]] = true;
    }
    for (size_t b = 0; b < sweep->plan->blocks; b++)
        sweep->block[b].left = sweep->block[b].ended = 0;
    for (size_t i = 0; i < sweep->plan->points; i++) {
        sweep->to_run += run[i];
        sweep->block[sweep->plan->point[i].block].left += run[i];
    }
    sweep->part_done = 0;
}

static int run_stage(ws_sweep *sweep, const ws_sweep_request *request, unsigned stage, const bool *run, size_t *list)
{
    size_t n = 0;
    for (size_t i = 0; i < sweep->plan->points; i++)
        if (run[i] && sweep->plan->block[sweep->plan->point[i].block].stage == stage &&
            needs_of(sweep, i) == WS_POINT_DONE)
            list[n++] = i;
    return n ? request->executor->run(sweep, list, n, request) : WS_OK;
}

int ws_sweep_run(ws_sweep *sweep, const ws_sweep_request *request, ws_sweep_tally *tally)
{
    bool *const run = calloc(sweep->plan->points + 1, sizeof *run);
    size_t *const list = calloc(sweep->plan->points + 1, sizeof *list);
    int status = run && list ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status) {
        sweep->ended = sweep->failed = sweep->to_run = 0;
        ws_sweep_clean(sweep);
        choose(sweep, request, run);
        ws_progress_begin(&sweep->progress);
        for (unsigned stage = 0; !status && stage < sweep->plan->stages; stage++)
            status = run_stage(sweep, request, stage, run, list);
        ws_progress_end(&sweep->progress);
        ws_sweep_count(sweep, request->wanted, tally);
    }
    free(run);
    free(list);
    return status;
}
