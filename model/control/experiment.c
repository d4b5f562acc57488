/* experiment.c - see experiment.h. A task is one supply, load and seed; workers take one after another. */
#include "model/control/experiment_internal.h"

#include "base/crew.h"
#include "base/mix.h"
#include "base/status.h"
#include "model/control/control_activity.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POLICIES = 64 };

/* A supply of one seed, there while tasks need it. */
typedef struct shared_supply {
    pthread_mutex_t lock;
    ws_supply supply;
    size_t wanted; /* tasks to come */
} shared_supply;

typedef struct job {
    const ws_experiment *experiment;
    ws_experiment_result *result;
    const ws_policy *policy[MOST_POLICIES]; /* those asked for, then base and optimum if they are not among them */
    size_t policies, base, optimum;
    size_t steps;
    shared_supply *supply; /* [sources * seeds] */
    ws_thermal *thermal;   /* NULL: no wear */
    ws_crew crew;
    atomic_size_t done;
} job;

/* A worker's memory. */
typedef struct bench {
    job *job;
    double *activity; /* [steps] */
    ws_server server;
    ws_run run[MOST_POLICIES];
} bench;

/* Where task number i is. Tasks of one supply follow one another. */
typedef struct task {
    size_t source, seed, load;
} task;

static task task_of(const job *j, size_t i)
{
    const size_t loads = j->experiment->loads, sources = j->experiment->sources;
    return (task){.source = i / loads % sources, .seed = i / loads / sources, .load = i % loads};
}

/* A number that seed and name make, the same everywhere: FNV-1a (Fowler, Noll, Vo), mixed. */
static uint64_t mix(uint64_t seed, const char *name)
{
    uint64_t h = 0xcbf29ce484222325u ^ seed * WS_MIX_STEP;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001b3u;
    return ws_mix(h);
}

/* ------------------------------------------------------------------------------------------------ one run */

typedef struct viewer {
    const ws_experiment *experiment;
    const ws_wear *wear;
} viewer;

static int show_period(void *context, const ws_drive_period *period)
{
    const viewer *const v = context;
    return v->experiment->watch(v->experiment->context, period, v->wear);
}

static int drive(bench *b, const ws_plant *plant, const ws_supply *supply, uint64_t seed, size_t policy)
{
    const job *const j = b->job;
    const ws_experiment *const e = j->experiment;
    ws_run *const run = &b->run[policy];
    ws_wear wear = {0};
    viewer view = {.experiment = e, .wear = j->thermal ? &wear : NULL};
    ws_drive_watcher watcher[2];
    size_t watchers = 0;
    int rc = WS_OK;
    run->wear = (ws_wear_result){NAN, NAN, NAN};
    if (j->thermal) {
        rc = ws_wear_init(e->chip, j->thermal, e->fatigue, &b->server, plant->step_s, &wear);
        watcher[watchers++] = (ws_drive_watcher){ws_wear_see, &wear};
    }
    if (e->watch && policy < e->policies)
        watcher[watchers++] = (ws_drive_watcher){show_period, &view};
    const ws_drive_request request = {.control = e->control,
                                      .plant = plant,
                                      .policy = j->policy[policy],
                                      .supply_w = supply->power_w,
                                      .activity = b->activity,
                                      .steps = j->steps,
                                      .seed = seed,
                                      .watcher = watcher,
                                      .watchers = watchers};
    if (!rc)
        rc = ws_drive(&request, &run->totals);
    if (!rc && j->thermal)
        run->wear = ws_wear_finish(&wear);
    ws_wear_fini(&wear);
    return rc;
}

static int run_policies(bench *b, const task *t, const ws_supply *supply)
{
    const job *const j = b->job;
    const ws_experiment *const e = j->experiment;
    const ws_load *const load = &e->load[t->load];
    const uint64_t seed = mix(e->seed + t->seed, load->name);
    ws_plant plant;
    ws_server_init(e->control, load, &b->server);
    ws_plant_init(e->control, &b->server, &plant);
    int rc = ws_activity_generate(e->control, seed, b->activity, j->steps);
    for (size_t p = 0; p < j->policies && !rc && !ws_crew_stopped(&j->crew); p++)
        rc = drive(b, &plant, supply, mix(seed, e->source[t->source].name), p);
    for (size_t p = 0; p < e->policies && !rc; p++)
        ws_outcome_values(&b->run[p], &b->run[j->base], e->regret ? &b->run[j->optimum] : NULL,
                          (double *)ws_experiment_at(j->result, t->source, t->load, p, t->seed));
    return rc;
}

/* ------------------------------------------------------------------------------------------------ supplies */

static int take_supply(job *j, const task *t, shared_supply *s)
{
    const ws_experiment *const e = j->experiment;
    int rc = WS_OK;
    pthread_mutex_lock(&s->lock);
    if (!s->supply.count)
        rc = e->source[t->source].make(e->source[t->source].context, j->steps, e->control->loop_fine, e->seed + t->seed,
                                       &s->supply);
    if (!rc && s->supply.count < j->steps)
        rc = ws_fail(WS_EINPUT, "%s has %zu steps of %g s, %zu are needed", e->source[t->source].name, s->supply.count,
                     e->control->loop_fine, j->steps);
    pthread_mutex_unlock(&s->lock);
    return rc;
}

static void leave_supply(shared_supply *s)
{
    pthread_mutex_lock(&s->lock);
    if (!--s->wanted)
        ws_supply_fini(&s->supply);
    pthread_mutex_unlock(&s->lock);
}

static int run_task(bench *b, size_t number)
{
    job *const j = b->job;
    const task t = task_of(j, number);
    shared_supply *const s = &j->supply[t.seed * j->experiment->sources + t.source];
    int rc = take_supply(j, &t, s);
    if (!rc)
        rc = run_policies(b, &t, &s->supply);
    leave_supply(s);
    return rc;
}

/* ------------------------------------------------------------------------------------------------ workers */

static int work(ws_crew *crew)
{
    bench *const b = calloc(1, sizeof *b);
    int rc = WS_OK;
    if (b) {
        b->job = crew->context;
        b->activity = malloc(b->job->steps * sizeof *b->activity);
    }
    if (!b || !b->activity)
        rc = ws_fail(WS_EMEM, "out of memory");
    for (size_t i; !rc && ws_crew_next(crew, &i);) {
        rc = run_task(b, i);
        atomic_fetch_add(&b->job->done, 1);
    }
    if (b)
        free(b->activity);
    free(b);
    return rc;
}

static int show_progress(void *context)
{
    const job *const j = context;
    const ws_experiment *const e = j->experiment;
    return e->progress(e->context, (double)atomic_load(&j->done) / (double)j->crew.tasks);
}

/* ------------------------------------------------------------------------------------------------ all of it */

/* The index of a policy that is run. */
static size_t include(job *j, const ws_policy *policy)
{
    size_t i = 0;
    while (i < j->policies && j->policy[i] != policy)
        i++;
    if (i == j->policies)
        j->policy[j->policies++] = policy;
    return i;
}

static int check(const ws_experiment *e)
{
    if (!e->sources || !e->loads || !e->policies || !e->seeds)
        return ws_fail(WS_EINPUT, "an experiment needs a supply, a load, a policy and a seed");
    if (e->policies > MOST_POLICIES - 2)
        return ws_fail(WS_EINPUT, "%zu policies, at most %d at once", e->policies, MOST_POLICIES - 2);
    if (!(e->seconds >= e->control->loop_fine && e->seconds / e->control->loop_fine <= WS_SUPPLY_MOST))
        return ws_fail(WS_EINPUT, "%g s in steps of %g s: expected 1 to %d steps", e->seconds, e->control->loop_fine,
                       WS_SUPPLY_MOST);
    return WS_OK;
}

static int open_job(job *j)
{
    const ws_experiment *const e = j->experiment;
    for (size_t i = 0; i < e->policies; i++)
        j->policy[j->policies++] = e->policy[i];
    j->base = include(j, e->base);
    if (e->regret)
        j->optimum = include(j, &ws_policy_optimum);
    j->steps = (size_t)(e->seconds / e->control->loop_fine + 1e-6);
    j->crew.tasks = e->sources * e->loads * e->seeds;
    j->result->value = malloc(j->crew.tasks * e->policies * WS_OUTCOMES * sizeof *j->result->value);
    j->supply = calloc(e->sources * e->seeds, sizeof *j->supply);
    if (!j->result->value || !j->supply)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < e->sources * e->seeds; i++) {
        pthread_mutex_init(&j->supply[i].lock, NULL);
        j->supply[i].wanted = e->loads;
    }
    return e->chip ? ws_thermal_create(e->chip, e->control->loop_fine, &j->thermal) : WS_OK;
}

static void close_job(job *j)
{
    for (size_t i = 0; j->supply && i < j->experiment->sources * j->experiment->seeds; i++) {
        ws_supply_fini(&j->supply[i].supply);
        pthread_mutex_destroy(&j->supply[i].lock);
    }
    free(j->supply);
    ws_thermal_destroy(j->thermal);
}

int ws_experiment_run(const ws_experiment *e, ws_experiment_result *result)
{
    job j = {.experiment = e, .result = result};
    j.crew =
        (ws_crew){.work = work, .progress = e->progress ? show_progress : NULL, .context = &j, .workers = e->workers};
    *result =
        (ws_experiment_result){.sources = e->sources, .loads = e->loads, .policies = e->policies, .seeds = e->seeds};
    int rc = check(e);
    if (rc)
        return rc;
    rc = open_job(&j);
    if (!rc)
        rc = ws_crew_run(&j.crew);
    close_job(&j);
    return rc;
}

void ws_experiment_fini(ws_experiment_result *result)
{
    free(result->value);
    *result = (ws_experiment_result){0};
}

const double *ws_experiment_at(const ws_experiment_result *r, size_t source, size_t load, size_t policy, size_t seed)
{
    return r->value + (((source * r->loads + load) * r->policies + policy) * r->seeds + seed) * WS_OUTCOMES;
}
