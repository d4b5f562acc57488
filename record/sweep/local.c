/* local.c - points as processes of this machine: as many as there are cores, while memory lasts. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/sweep/executor.h"
#include "record/sweep/point_run.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { JOBS_MOST = 1024, WAIT_MS = 100 };

static const double UNKNOWN_PEAK_BYTES = 512.0 * 1024 * 1024; /* of a point of which nothing is known yet */

typedef struct local {
    ws_sweep *sweep;
    ws_point_run run[JOBS_MOST];
    double bytes[JOBS_MOST]; /* that a running point is expected to need */
    size_t runs;
    uint32_t cores, cores_used;
    double memory, memory_used; /* memory: free when nothing runs */
    size_t *waiting;            /* [waits] points, in order */
    size_t waits;
} local;

static uint32_t count_cores(void)
{
    cpu_set_t mine;
    const int n = sched_getaffinity(0, sizeof mine, &mine) ? 0 : CPU_COUNT(&mine);
    return n > 0 ? (uint32_t)n : 1;
}

static const ws_plan_block *block_of(const local *l, size_t point)
{
    const ws_plan *const plan = ws_sweep_plan(l->sweep);
    return &plan->block[plan->point[point].block];
}

static double need_of(const local *l, size_t point)
{
    const double peak = ws_sweep_estimate(l->sweep, ws_sweep_plan(l->sweep)->point[point].block).peak_bytes;
    return isnan(peak) ? UNKNOWN_PEAK_BYTES : peak;
}

/* A point fits when cores and memory are left for it; one that is larger than the machine runs alone. */
static bool fits(const local *l, size_t point)
{
    if (!l->runs)
        return true;
    return l->runs < JOBS_MOST && l->cores_used + block_of(l, point)->cores <= l->cores &&
           l->memory_used + need_of(l, point) <= l->memory;
}

static int begin_some(local *l)
{
    size_t kept = 0, i = 0;
    int status = WS_OK;
    for (; !status && i < l->waits && l->cores_used < l->cores; i++) {
        const size_t point = l->waiting[i];
        if (!fits(l, point)) {
            l->waiting[kept++] = point;
            continue;
        }
        if (ws_sweep_state_now(l->sweep, point) == WS_POINT_DONE) { /* by another process */
            ws_sweep_ended(l->sweep, point);
            continue;
        }
        status = ws_point_start(l->sweep, point, &l->run[l->runs]);
        if (status)
            break;
        l->bytes[l->runs] = need_of(l, point);
        l->memory_used += l->bytes[l->runs++];
        l->cores_used += block_of(l, point)->cores;
    }
    for (; i < l->waits; i++)
        l->waiting[kept++] = l->waiting[i];
    l->waits = kept;
    return status;
}

static int end_some(local *l)
{
    int status = WS_OK;
    for (size_t i = 0; i < l->runs && !status;) {
        int wait_status;
        struct rusage usage;
        siginfo_t ended = {0};
        if (waitid(P_PID, (id_t)l->run[i].pid, &ended, WEXITED | WNOHANG | WNOWAIT) || !ended.si_pid) {
            i++;
            continue;
        }
        const size_t point = l->run[i].point;
        kill(-l->run[i].pid, SIGKILL); /* what it has left behind, while its number is taken */
        wait4(l->run[i].pid, &wait_status, 0, &usage);
        l->cores_used -= block_of(l, point)->cores;
        l->memory_used -= l->bytes[i];
        status = ws_point_finish(l->sweep, &l->run[i], wait_status, &usage);
        l->runs--;
        l->run[i] = l->run[l->runs];
        l->bytes[i] = l->bytes[l->runs];
        if (!status)
            ws_sweep_ended(l->sweep, point);
    }
    return status;
}

static int run_all(local *l, const sigset_t *child)
{
    const struct timespec wait = {.tv_nsec = WAIT_MS * 1000000L};
    int status = WS_OK;
    while (!status && (l->waits || l->runs)) {
        status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted; the same command continues") : begin_some(l);
        if (!status)
            status = end_some(l);
        if (status || !l->runs)
            continue;
        ws_sweep_idle(l->sweep, NULL);
        sigtimedwait(child, NULL, &wait);
    }
    return status;
}

static int run(ws_sweep *sweep, const size_t *point, size_t points, const ws_sweep_request *request)
{
    sigset_t child, before;
    local *const l = calloc(1, sizeof *l);
    size_t *const waiting = malloc((points + 1) * sizeof *waiting);
    if (!l || !waiting) {
        free(l);
        free(waiting);
        return ws_fail(WS_EMEM, "out of memory");
    }
    for (size_t i = 0; i < points; i++)
        waiting[i] = point[i];
    *l = (local){.sweep = sweep,
                 .cores = request->jobs ? request->jobs : count_cores(),
                 .memory = ws_memory_left(),
                 .waiting = waiting,
                 .waits = points};
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child, &before); /* so that the end of a child is not missed between look and wait */
    const int status = run_all(l, &child);
    ws_point_end_all(l->run, l->runs);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(waiting);
    free(l);
    return status;
}

const ws_executor ws_executor_local = {
    .name = "local",
    .run = run,
};
