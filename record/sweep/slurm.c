/* slurm.c - points as tasks of job arrays of a Slurm cluster.
 *
 * Points that ask for the same are packed into tasks that last some minutes, tasks into arrays. squeue says which tasks
 * are over; a point is done when its folder is there, and by nothing else, so clocks, exit statuses and accounting only
 * explain. A task that is over without its points (a node that failed, preemption, a limit) has them submitted again,
 * with more time or memory where that was why, and away from nodes that cannot run it. Jobs stay when this
 * process ends; the next one finds them by their name. */
#include "base/clock.h"
#include "base/grow.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "base/status.h"
#include "record/sweep/executor.h"
#include "record/sweep/point_run.h"
#include "record/sweep/slurm.h"
#include "record/sweep/slurm_batch.h"
#include "record/sweep/slurm_command.h"
#include "record/sweep/slurm_queue.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <xxhash.h>

enum {
    TASKS_AT_MOST = 1000, /* of an array: what Slurm's default MaxArraySize allows; halved where a cluster refuses */
    ATTEMPTS = 4,         /* submissions of a point that is lost again and again without getting further */
    NAP_MS = 200,
    TOLD_AT_MOST = 10,   /* lines after a look */
    EXCLUDE_MOST = 4000, /* bytes of the names of nodes that are avoided */
    NAME = 40
};

static const double TASK_S = 300;         /* that a task should last: what starting it costs is a hundredth then */
static const double UNKNOWN_S = 60;       /* of a point of which nothing is known */
static const double LIMIT_FACTOR = 3;     /* between a point's usual time and what it is given */
static const double MEMORY_FACTOR = 1.25; /* the same for its memory */
static const double LOOK_FIRST_S = 1, LOOK_LAST_S = 20; /* between two looks into the queue, while nothing changes */
static const double SETTLE_S = 5; /* from the end of a task until its points are given up: network file systems lag */

double ws_slurm_patience = 1;

static const char HELD[] = "launch failed requeued held"; /* squeue's reason for a task that a node could not start */

/* Where a point of this run stands. */
typedef enum standing { ELSEWHERE, TO_SUBMIT, SUBMITTED, ENDED, GIVEN_UP } standing;

typedef struct point_state {
    standing standing;
    uint8_t attempts, longer, larger; /* submissions; how often time and memory were doubled */
    float minutes, megabytes;         /* limits that were not enough; the latter of each core */
    uint64_t checkpoint;              /* what its checkpoint was when it was submitted; 0: it has none */
} point_state;

typedef struct task {
    uint32_t batch, number;
    uint64_t job;
    size_t *point; /* in memory of its batch */
    size_t points, left;
    bool known, seen, over, lost; /* squeue has had it; has it now; it is over; without some of its points */
    ws_slurm_state state;
    double minutes, megabytes; /* its limits; 0: not known */
    uint8_t releases;
    struct timespec over_since;
    char node[WS_SLURM_WORD];
} task;

typedef struct slurm {
    ws_sweep *sweep;
    const ws_plan *plan;
    ws_slurm_job job;
    uint32_t jobs, next_batch;
    point_state *state; /* [points of the plan] */
    size_t *waiting;    /* points to submit, in order */
    size_t waits, submitted, given_up, cancelled;
    task *task; /* that are not over and dealt with */
    size_t tasks, task_room;
    size_t running, pending; /* tasks in the queue at the last look */
    size_t tasks_at_most, told;
    size_t refused_at; /* `tasks` when a task was refused: the next try is when there are fewer; 0: none was */
    char *exclude;     /* nodes with commas between */
    char reason[WS_SLURM_WORD], loss[1024], self[PATH_MAX], plan_path[PATH_MAX];
    char unknown[WS_SLURM_WORD]; /* the state that was told last as unknown */
    bool changed;                /* since the last look */
} slurm;

/* ------------------------------------------------------------------------------------------------ what is said */

/* A line of FOLDER/slurm/log, the first ones of a look also said. A log that cannot be written is no reason to stop. */
__attribute__((format(printf, 2, 3))) static void tell(slurm *s, const char *format, ...)
{
    char text[1024], path[PATH_MAX + 64], when[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (gmtime_r(&now, &utc))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(path, sizeof path, "%s/log", s->job.folder);
    FILE *const log = fopen(path, "ae");
    if (log) {
        fprintf(log, "%s %s\n", when, text);
        fclose(log);
    }
    if (++s->told <= TOLD_AT_MOST)
        ws_sweep_say(s->sweep, text);
}

static void tell_rest(slurm *s)
{
    char text[PATH_MAX + 64];
    snprintf(text, sizeof text, "%zu more lines are in %s/log", s->told - TOLD_AT_MOST, s->job.folder);
    if (s->told > TOLD_AT_MOST)
        ws_sweep_say(s->sweep, text);
    s->told = 0;
}

/* ------------------------------------------------------------------------------------------------ points */

static const ws_plan_block *block_of(const slurm *s, size_t point)
{
    return &s->plan->block[s->plan->point[point].block];
}

static double seconds_of(const slurm *s, size_t point)
{
    const double seconds = ws_sweep_estimate(s->sweep, s->plan->point[point].block).seconds;
    return isnan(seconds) ? UNKNOWN_S : seconds;
}

/* Seconds that a point adds to the limit of its task, by the estimate that it is packed by; 0 where nothing is known of
 * it. */
static double share_of(const slurm *s, size_t point)
{
    const ws_point_estimate estimate = ws_sweep_estimate(s->sweep, s->plan->point[point].block);
    const double seconds = estimate.measured         ? LIMIT_FACTOR * estimate.seconds
                           : isnan(estimate.seconds) ? 0
                                                     : estimate.seconds;
    return ldexp(seconds, s->state[point].longer);
}

/* The least that a task with this point is given: what the plan says of one, twice what was not enough. */
static double limit_of(const slurm *s, size_t point)
{
    const point_state *const p = &s->state[point];
    return fmax(fmax(share_of(s, point), ldexp(block_of(s, point)->seconds, p->longer)), 2 * 60.0 * p->minutes);
}

/* Megabytes of each core; 0 where nothing is known of it. */
static double megabytes_of(const slurm *s, size_t point)
{
    const point_state *const p = &s->state[point];
    const ws_point_estimate estimate = ws_sweep_estimate(s->sweep, s->plan->point[point].block);
    const double bytes = estimate.measured            ? MEMORY_FACTOR * estimate.peak_bytes
                         : isnan(estimate.peak_bytes) ? 0
                                                      : estimate.peak_bytes;
    return fmax(ldexp(ceil(bytes / 1e6 / block_of(s, point)->cores), p->larger), ceil(2.0 * p->megabytes));
}

/* What the checkpoint of a point is like: it changes when the point gets further. */
static uint64_t checkpoint_of(const slurm *s, size_t point)
{
    char path[PATH_MAX + 64];
    struct stat about;
    snprintf(path, sizeof path, "%s/points/%s" WS_POINT_CHECKPOINT, s->job.sweep, s->plan->point[point].key);
    if (block_of(s, point)->checkpoint_cycles <= 0 || stat(path, &about))
        return 0;
    const int64_t facts[] = {about.st_mtim.tv_sec, about.st_mtim.tv_nsec, (int64_t)about.st_ino};
    return XXH3_64bits(facts, sizeof facts);
}

/* Points that can be in one array: the same cores, and memory and time of the same order. */
typedef struct kind_of_points {
    uint32_t cores;
    int memory, time;
    bool limited;
} kind_of_points;

static kind_of_points kind_of(const slurm *s, size_t point)
{
    const double megabytes = megabytes_of(s, point), limit = limit_of(s, point);
    return (kind_of_points){.cores = block_of(s, point)->cores,
                            .memory = megabytes > 0 ? ilogb(megabytes) : -1,
                            .time = limit > TASK_S ? ilogb(limit / TASK_S) : -1,
                            .limited = limit > 0};
}

static bool is_same_kind(kind_of_points a, kind_of_points b)
{
    return a.cores == b.cores && a.memory == b.memory && a.time == b.time && a.limited == b.limited;
}

/* ------------------------------------------------------------------------------------------------ submitting */

static int add_task(slurm *s, uint32_t batch, uint32_t number, uint64_t job, const size_t *point, size_t points)
{
    const int status = WS_GROW(s->task, s->task_room, s->tasks, 1);
    size_t *const own = status ? NULL : malloc((points + 1) * sizeof *own);
    if (status || !own)
        return status ? status : ws_fail(WS_EMEM, "out of memory");
    memcpy(own, point, points * sizeof *own);
    s->task[s->tasks++] =
        (task){.batch = batch, .number = number, .job = job, .point = own, .points = points, .left = points};
    return WS_OK;
}

/* Takes points of the same kind as the first one that waits, and packs them. */
static void pack(slurm *s, ws_slurm_batch *batch, bool *taken)
{
    const kind_of_points kind = kind_of(s, s->waiting[0]);
    double seconds = 0, limit = 0, longest = 0, megabytes = 0;
    size_t n = 0, in_task = 0;
    for (size_t i = 0; i < s->waits && batch->tasks < s->tasks_at_most; i++) {
        const size_t point = s->waiting[i];
        if (!is_same_kind(kind_of(s, point), kind))
            continue;
        taken[i] = true;
        batch->point[n++] = point;
        in_task++;
        seconds += seconds_of(s, point);
        limit += share_of(s, point);
        longest = fmax(longest, fmax(limit, limit_of(s, point)));
        megabytes = fmax(megabytes, megabytes_of(s, point));
        if (seconds >= TASK_S) {
            batch->end[batch->tasks++] = n;
            seconds = limit = 0;
            in_task = 0;
        }
    }
    if (in_task)
        batch->end[batch->tasks++] = n;
    batch->needs = (ws_slurm_needs){.cores = kind.cores,
                                    .megabytes = (uint64_t)megabytes,
                                    .minutes = kind.limited ? (uint64_t)ceil(longest / 60) + 1 : 0};
    batch->at_a_time = s->jobs ? (s->jobs + kind.cores - 1) / kind.cores : 0;
}

static int note_submitted(slurm *s, const ws_slurm_batch *batch, const bool *taken)
{
    int status = WS_OK;
    size_t kept = 0;
    for (size_t i = 0; i < s->waits; i++)
        if (!taken[i])
            s->waiting[kept++] = s->waiting[i];
    s->waits = kept;
    for (size_t t = 0, i = 0; !status && t < batch->tasks; i = batch->end[t++])
        status = add_task(s, batch->number, (uint32_t)t, batch->job, batch->point + i, batch->end[t] - i);
    const size_t points = batch->end[batch->tasks - 1];
    for (size_t i = 0; i < points; i++) {
        point_state *const p = &s->state[batch->point[i]];
        p->standing = SUBMITTED;
        p->attempts++;
        p->checkpoint = checkpoint_of(s, batch->point[i]);
    }
    s->submitted += points;
    s->pending += batch->tasks;
    s->changed = true;
    s->tasks_at_most = 2 * s->tasks_at_most < TASKS_AT_MOST ? 2 * s->tasks_at_most : TASKS_AT_MOST;
    tell(s, "%04u: submitted as job %llu: points %zu, tasks %zu, cores of each %u", batch->number,
         (unsigned long long)batch->job, points, batch->tasks, batch->needs.cores);
    return status;
}

/* One array. *refused: its tasks, where Slurm does not take it now, else 0. */
static int submit_batch(slurm *s, size_t *refused)
{
    char refusal[512] = "";
    ws_slurm_batch batch = {.exclude = s->exclude ? s->exclude : "",
                            .point = calloc(s->waits, sizeof *batch.point),
                            .end = calloc(s->waits, sizeof *batch.end)};
    bool *const taken = calloc(s->waits, sizeof *taken);
    int status = batch.point && batch.end && taken ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_slurm_batch_number(&s->job, &s->next_batch);
    if (!status) {
        batch.number = s->next_batch;
        pack(s, &batch, taken);
        status = ws_slurm_batch_write(&s->job, &batch, s->plan->point);
        if (!status)
            status = ws_slurm_batch_submit(&s->job, &batch, refusal, sizeof refusal);
    }
    *refused = status == WS_EBUSY ? batch.tasks : 0;
    if (*refused)
        ws_slurm_batch_remove(&s->job, batch.number);
    if (*refused == 1 && !s->tasks)
        status =
            ws_fail(WS_EIO, "Slurm refuses a task%s: %s%s%s", s->exclude ? ", not on nodes that cannot run it" : "",
                    refusal, *s->loss ? "; before that, " : "", s->loss);
    else if (*refused) {
        s->tasks_at_most = (batch.tasks + 1) / 2;
        status = WS_OK;
    } else if (!status)
        status = note_submitted(s, &batch, taken);
    free(batch.point);
    free(batch.end);
    free(taken);
    return status;
}

/* All that waits, as far as the cluster takes it; one array after another where cores at a time are limited, which
 * Slurm counts for each array. What is refused is tried again with smaller arrays, and a task that is refused while
 * there are others when some of those are over. */
static int submit(slurm *s)
{
    int status = WS_OK;
    while (!status && s->waits && !ws_interrupted()) {
        size_t refused;
        if (s->tasks && (s->jobs || (s->refused_at && s->tasks >= s->refused_at)))
            break;
        s->refused_at = 0;
        status = submit_batch(s, &refused);
        if (refused == 1)
            s->refused_at = s->tasks;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ the queue */

/* Tasks stand in the order of batches and numbers. */
static int compare_tasks(const void *a, const void *b)
{
    const task *const s = a, *const t = b;
    return s->batch != t->batch ? (s->batch > t->batch) - (s->batch < t->batch)
                                : (s->number > t->number) - (s->number < t->number);
}

static task *find_task(slurm *s, uint32_t batch, uint32_t number)
{
    const task wanted = {.batch = batch, .number = number};
    return s->tasks ? bsearch(&wanted, s->task, s->tasks, sizeof *s->task, compare_tasks) : NULL;
}

/* A task that a node could not start waits until its user releases it; how often is bounded as attempts are. */
static void release(slurm *s, task *t)
{
    char name[48];
    ws_slurm_said said;
    if (t->releases > ATTEMPTS)
        return;
    snprintf(name, sizeof name, "%llu_%u", (unsigned long long)t->job, t->number);
    if (t->releases++ == ATTEMPTS) {
        tell(s, "task %s is held again and again, its nodes cannot start it: scontrol release %s, or scancel %s", name,
             name, name);
        return;
    }
    const char *const words[] = {"scontrol", "release", name, NULL};
    ws_slurm_command(words, &said); /* where it fails it is held still at the next look */
    free(said.output);
}

static void note_state(slurm *s, task *t, const ws_slurm_row *row)
{
    const ws_slurm_kind kind = ws_slurm_kind_of(row->state);
    if (t->seen && !t->over) /* a row of an earlier start of a task that was put back into the queue */
        return;
    s->changed |= !t->known || t->state != row->state;
    if (row->state == WS_SLURM_UNKNOWN && strcmp(s->unknown, row->word) != 0) {
        snprintf(s->unknown, sizeof s->unknown, "%s", row->word);
        tell(s, "task %u of job %llu is %s, a state that is not known here: it counts as running", t->number,
             (unsigned long long)t->job, row->word);
    }
    t->known = t->seen = true;
    t->state = row->state;
    t->minutes = fmax(t->minutes, row->minutes);
    t->megabytes = fmax(t->megabytes, row->megabytes);
    snprintf(t->node, sizeof t->node, "%s", row->node);
    if (kind > WS_SLURM_IS_RUNS && !t->over) {
        t->over = true;
        t->over_since = ws_clock_now();
    } else if (kind <= WS_SLURM_IS_RUNS) {
        t->over = false; /* it was put back into the queue */
        s->running += kind == WS_SLURM_IS_RUNS;
        s->pending += kind == WS_SLURM_IS_WAITS;
        if (kind == WS_SLURM_IS_WAITS && !strcmp(row->reason, HELD))
            release(s, t);
        if (kind == WS_SLURM_IS_WAITS && !*s->reason)
            snprintf(s->reason, sizeof s->reason, "%s", row->reason);
    }
}

static int take_row(void *context, const ws_slurm_row *row)
{
    slurm *const s = context;
    for (size_t i = 0; row->task == WS_SLURM_ALL && i < s->tasks; i++)
        if (s->task[i].batch == row->batch && !s->task[i].seen)
            note_state(s, &s->task[i], row);
    task *const t = find_task(s, row->batch, row->task);
    if (t)
        note_state(s, t, row);
    return WS_OK;
}

/* Points of a task of an earlier process. */
typedef struct adoption {
    slurm *s;
    size_t *point;
    size_t points, room;
    int status;
} adoption;

static void adopt_point(void *context, const char *key)
{
    adoption *const a = context;
    const size_t point = ws_sweep_find(a->s->sweep, key);
    if (point == SIZE_MAX || a->s->state[point].standing != TO_SUBMIT || a->status)
        return;
    a->status = WS_GROW(a->point, a->room, a->points, 1);
    if (!a->status) {
        a->point[a->points++] = point;
        a->s->state[point].standing = SUBMITTED;
    }
}

static int adopt_row(void *context, const ws_slurm_row *row)
{
    slurm *const s = context;
    adoption a = {.s = s};
    if (ws_slurm_kind_of(row->state) > WS_SLURM_IS_RUNS || row->task == WS_SLURM_ALL)
        return WS_OK;
    int status = ws_slurm_batch_read(&s->job, row->batch, row->task, adopt_point, &a);
    if (status == WS_ENOTFOUND)
        return WS_OK; /* the folder was emptied */
    if (!status)
        status = a.status;
    if (!status && a.points)
        status = add_task(s, row->batch, row->task, row->job, a.point, a.points);
    if (!status && a.points) {
        s->submitted += a.points;
        note_state(s, &s->task[s->tasks - 1], row);
    }
    free(a.point);
    return status;
}

static int read_queue(slurm *s, ws_slurm_take *take, bool *known)
{
    char user[32], name[sizeof s->job.name + 16];
    snprintf(user, sizeof user, "--user=%u", (unsigned)geteuid());
    snprintf(name, sizeof name, "--name=%s", s->job.name);
    const char *const words[] = {
        "squeue", "--noheader", "--array", "--states=all", user, name, "--format=" WS_SQUEUE_FORMAT, NULL};
    ws_slurm_said said;
    int status = ws_slurm_command(words, &said);
    *known = !status && !said.exit;
    if (!status && said.exit)
        snprintf(s->reason, sizeof s->reason, "squeue: %.*s", (int)sizeof s->reason - 16, said.error);
    if (*known)
        status = ws_slurm_read_queue(said.output ? said.output : "", said.length, take, s);
    free(said.output);
    return status;
}

/* Whether it is known why a task is over. */
static bool is_explained(const task *t)
{
    return t->known && ws_slurm_kind_of(t->state) > WS_SLURM_IS_RUNS;
}

typedef struct accounts {
    slurm *s;
    uint32_t batch;
} accounts;

static int take_account(void *context, const ws_slurm_row *row)
{
    const accounts *const of = context;
    task *const t = find_task(of->s, of->batch, row->task);
    if (t && t->over && !is_explained(t) && ws_slurm_kind_of(row->state) > WS_SLURM_IS_RUNS) {
        t->state = row->state;
        t->known = true;
        snprintf(t->node, sizeof t->node, "%s", row->node);
    }
    return WS_OK;
}

/* Why tasks of a job are over that the queue has forgotten: only to explain, so accounting that is not there is none.
 */
static int read_accounts(slurm *s, uint32_t batch, uint64_t job)
{
    char of[32];
    snprintf(of, sizeof of, "--jobs=%llu", (unsigned long long)job);
    const char *const words[] = {"sacct", "--noheader", "--parsable2", "--allocations", of, "--format=" WS_SACCT_FORMAT,
                                 NULL};
    ws_slurm_said said;
    int status = ws_slurm_command(words, &said);
    if (!status && !said.exit)
        status =
            ws_slurm_read_accounts(said.output ? said.output : "", said.length, take_account, &(accounts){s, batch});
    free(said.output);
    return status == WS_EINTERRUPTED ? status : WS_OK;
}

static int look_into_queue(slurm *s)
{
    bool known;
    for (size_t i = 0; i < s->tasks; i++)
        s->task[i].seen = false;
    const size_t running = s->running, pending = s->pending;
    s->running = s->pending = 0;
    *s->reason = '\0';
    const int status = read_queue(s, take_row, &known);
    if (status)
        return status;
    if (!known) { /* it will answer again: the folder says what is done meanwhile */
        s->running = running;
        s->pending = pending;
        return WS_OK;
    }
    for (size_t i = 0; i < s->tasks; i++) {
        task *const t = &s->task[i];
        if (t->seen || t->over)
            continue;
        t->over = true;
        t->over_since = ws_clock_now();
    }
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ results */

static bool is_avoided(const slurm *s, const char *node)
{
    const size_t length = strlen(node);
    for (const char *at = s->exclude; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == length && !strncmp(at, node, length))
            return true;
    return false;
}

/* This node cannot run points: they go to other ones from now on. */
static void avoid_node(slurm *s, const char *node)
{
    char *more;
    if (!*node || strchr(node, '[') || is_avoided(s, node))
        return;
    if (asprintf(&more, "%s%s%s", s->exclude ? s->exclude : "", s->exclude ? "," : "", node) < 0)
        return;
    if (strlen(more) > EXCLUDE_MOST) {
        free(more);
        return;
    }
    free(s->exclude);
    s->exclude = more;
    tell(s, "node %s cannot run points; they go to others", node);
    uint64_t last = 0;
    for (size_t i = 0; i < s->tasks; i++) { /* jobs with tasks that are not over, each once */
        char job[32], nodes[4096];
        if (s->task[i].over || s->task[i].job == last)
            continue;
        last = s->task[i].job;
        snprintf(job, sizeof job, "JobId=%llu", (unsigned long long)last);
        snprintf(nodes, sizeof nodes, "ExcNodeList=%s", s->exclude);
        const char *const words[] = {"scontrol", "update", job, nodes, NULL};
        ws_slurm_said said;
        ws_slurm_command(words, &said); /* where it does not work these fail there, too, and are submitted again */
        free(said.output);
    }
}

static void lose_point(slurm *s, const task *t, size_t point)
{
    point_state *const p = &s->state[point];
    const ws_slurm_kind kind = is_explained(t) ? ws_slurm_kind_of(t->state) : WS_SLURM_IS_ENDED;
    const uint64_t checkpoint = checkpoint_of(s, point);
    s->submitted--;
    if (checkpoint && checkpoint != p->checkpoint)
        p->attempts = 0;
    if (kind == WS_SLURM_IS_LATE) {
        p->longer += p->longer < ATTEMPTS;
        p->minutes = fmaxf(p->minutes, (float)t->minutes);
    } else if (kind == WS_SLURM_IS_FULL) {
        p->larger += p->larger < ATTEMPTS;
        p->megabytes = fmaxf(p->megabytes, (float)t->megabytes);
    }
    if (kind == WS_SLURM_IS_CANCELLED || p->attempts >= ATTEMPTS) {
        p->standing = GIVEN_UP;
        s->given_up++;
        s->cancelled += kind == WS_SLURM_IS_CANCELLED;
        return;
    }
    p->standing = TO_SUBMIT;
    s->waiting[s->waits++] = point;
}

/* The task is over, and these of its points are not there. */
static void lose(slurm *s, const task *t)
{
    char line[512], node[WS_SLURM_WORD];
    const char *const why = is_explained(t) ? ws_slurm_state_name(t->state) : "gone from the queue";
    ws_slurm_batch_last_line(&s->job, t->batch, t->number, line, sizeof line);
    snprintf(s->loss, sizeof s->loss, "task %u of job %llu (%04u) ended without %zu of its %zu points: %s%s%s%s%s",
             t->number, (unsigned long long)t->job, t->batch, t->left, t->points, why, *t->node ? " on " : "", t->node,
             *line ? ": " : "", line);
    tell(s, "%s", s->loss);
    if (ws_slurm_batch_refused(&s->job, t->batch, t->number, node, sizeof node))
        avoid_node(s, node);
    for (size_t i = 0; i < t->points; i++)
        if (s->state[t->point[i]].standing == SUBMITTED)
            lose_point(s, t, t->point[i]);
    s->changed = true;
}

/* Points that are done come one after another, so the first one that is not there ends the look; but when the task is
 * over. */
static void look_at_points(slurm *s, task *t)
{
    for (size_t i = 0; i < t->points && t->left; i++) {
        const size_t point = t->point[i];
        if (s->state[point].standing != SUBMITTED)
            continue;
        if (ws_sweep_look(s->sweep, point)->state == WS_POINT_MISSING) {
            if (!t->over)
                break;
            continue;
        }
        s->state[point].standing = ENDED;
        s->submitted--;
        t->left--;
        s->changed = true;
        ws_sweep_ended(s->sweep, point);
    }
}

/* Tasks that are over without some of their points. */
static int lose_tasks(slurm *s)
{
    uint32_t asked = 0;
    int status = WS_OK;
    for (size_t i = 0; !status && i < s->tasks; i++) {
        task *const t = &s->task[i];
        t->lost = t->over && t->left && ws_clock_seconds_since(&t->over_since) >= SETTLE_S * ws_slurm_patience;
        if (!t->lost)
            continue;
        if (!is_explained(t) && t->batch != asked) {
            asked = t->batch;
            status = read_accounts(s, t->batch, t->job);
        }
        if (!status)
            lose(s, t);
    }
    return status;
}

static int look_at_results(slurm *s)
{
    char path[PATH_MAX + 16];
    size_t kept = 0;
    snprintf(path, sizeof path, "%s/points", s->job.sweep);
    DIR *const folder = opendir(path); /* so that NFS asks its server for the folder's entries again */
    if (folder)
        closedir(folder);
    for (size_t i = 0; i < s->tasks; i++) {
        task *const t = &s->task[i];
        if (t->over || (t->known && ws_slurm_kind_of(t->state) == WS_SLURM_IS_RUNS))
            look_at_points(s, t);
    }
    const int status = lose_tasks(s);
    for (size_t i = 0; i < s->tasks; i++) {
        if (!s->task[i].left || s->task[i].lost)
            free(s->task[i].point);
        else
            s->task[kept++] = s->task[i];
    }
    s->tasks = kept;
    return status;
}

/* ------------------------------------------------------------------------------------------------ a run */

static int wait_and_look(slurm *s, double *pause)
{
    const struct timespec begin = ws_clock_now(), nap = {.tv_nsec = NAP_MS * 1000000L};
    char note[WS_SLURM_WORD + 64];
    while (ws_clock_seconds_since(&begin) < *pause * ws_slurm_patience) {
        if (ws_interrupted())
            return WS_OK;
        snprintf(note, sizeof note, "%zu tasks run, %zu wait%s%s%s", s->running, s->pending + (s->waits > 0),
                 *s->reason ? " (" : "", s->reason, *s->reason ? ")" : "");
        ws_sweep_idle(s->sweep, note);
        nanosleep(&nap, NULL);
    }
    s->changed = false;
    int status = look_into_queue(s);
    if (!status)
        status = look_at_results(s);
    tell_rest(s);
    *pause = s->changed ? LOOK_FIRST_S : fmin(*pause * 1.5, LOOK_LAST_S);
    return status;
}

static int watch(slurm *s)
{
    double pause = LOOK_FIRST_S;
    int status = submit(s);
    tell_rest(s);
    while (!status && (s->submitted || s->waits) && !ws_interrupted()) {
        status = wait_and_look(s, &pause);
        if (!status)
            status = submit(s);
    }
    if ((!status || status == WS_EINTERRUPTED) && ws_interrupted())
        return ws_fail(WS_EINTERRUPTED,
                       "interrupted; %zu points are with Slurm and go on: the same command watches them again, "
                       "scancel --name=%s ends them",
                       s->submitted, s->job.name);
    if (!status && s->given_up && s->cancelled == s->given_up)
        return ws_fail(WS_EIO,
                       "%zu points are missing, their tasks were cancelled; the same command submits them again",
                       s->given_up);
    if (!status && s->given_up)
        return ws_fail(WS_EIO, "%zu points are missing after up to %d attempts; the last loss: %s", s->given_up,
                       ATTEMPTS, s->loss);
    return status;
}

/* "ws-PLAN-HASH", the hash that of the folder. */
static void name_job(slurm *s)
{
    char plan[NAME + 1];
    snprintf(plan, sizeof plan, "%s", s->plan->name);
    for (char *c = plan; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            *c = '-';
    snprintf(s->job.name, sizeof s->job.name, "ws-%s-%016llx", plan,
             (unsigned long long)XXH3_64bits(s->job.sweep, strlen(s->job.sweep)));
}

static int open_folder(slurm *s)
{
    if (!realpath("/proc/self/exe", s->self))
        return ws_fail(WS_EIO, "/proc/self/exe: %s", strerror(errno));
    if (!realpath(s->plan->file, s->plan_path))
        return ws_fail(WS_EIO, "%s: %s", s->plan->file, strerror(errno));
    s->job.sweep = ws_sweep_folder(s->sweep);
    s->job.plan = s->plan_path;
    s->job.self = s->self;
    if (snprintf(s->job.folder, sizeof s->job.folder, "%s/slurm", s->job.sweep) >= (int)sizeof s->job.folder)
        return ws_fail(WS_EINPUT, "%s: the name of the folder is too long", s->job.sweep);
    name_job(s);
    return ws_output_make_folder(s->job.folder)
               ? ws_fail(WS_EIO, "cannot make the folder %s: %s", s->job.folder, strerror(errno))
               : WS_OK;
}

/* A point that failed is as one that is missing; another process may have done one meanwhile. */
static void take_points(slurm *s, const size_t *point, size_t points)
{
    char path[PATH_MAX + 64];
    for (size_t i = 0; i < points; i++) {
        const ws_point_state state = ws_sweep_state_now(s->sweep, point[i]);
        s->state[point[i]].standing = state == WS_POINT_DONE ? ENDED : TO_SUBMIT;
        if (state == WS_POINT_DONE)
            ws_sweep_ended(s->sweep, point[i]);
        if (state != WS_POINT_FAILED)
            continue;
        snprintf(path, sizeof path, "%s/points/%s", s->job.sweep, s->plan->point[point[i]].key);
        ws_point_remove_folder(path);
        ws_sweep_look(s->sweep, point[i]);
    }
}

/* What an earlier process has submitted. */
static int adopt(slurm *s)
{
    bool known;
    const int status = read_queue(s, adopt_row, &known);
    if (!status && !known)
        return ws_fail(WS_EIO, "%s", s->reason);
    if (s->tasks)
        qsort(s->task, s->tasks, sizeof *s->task, compare_tasks);
    if (!status && s->tasks)
        tell(s, "%zu points of %zu tasks are with Slurm already", s->submitted, s->tasks);
    return status;
}

static int run(ws_sweep *sweep, const size_t *point, size_t points, const ws_sweep_request *request)
{
    slurm *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "out of memory");
    s->sweep = sweep;
    s->plan = ws_sweep_plan(sweep);
    s->jobs = request->jobs;
    s->next_batch = 1;
    s->tasks_at_most = TASKS_AT_MOST;
    s->state = calloc(s->plan->points + 1, sizeof *s->state);
    s->waiting = calloc(points + 1, sizeof *s->waiting);
    int status = s->state && s->waiting ? open_folder(s) : ws_fail(WS_EMEM, "out of memory");
    s->job.program = request->program;
    if (!status) {
        take_points(s, point, points);
        status = adopt(s);
    }
    for (size_t i = 0; !status && i < points; i++)
        if (s->state[point[i]].standing == TO_SUBMIT)
            s->waiting[s->waits++] = point[i];
    if (!status)
        status = watch(s);
    for (size_t i = 0; i < s->tasks; i++)
        free(s->task[i].point);
    free(s->task);
    free(s->state);
    free(s->waiting);
    free(s->exclude);
    free(s);
    return status;
}

const ws_executor ws_executor_slurm = {
    .name = "slurm",
    .is_elsewhere = true,
    .run = run,
};
