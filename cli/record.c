/* record.c - what a captured program's launches leave behind: counters of the metric families in a results file.
 *
 * The program runs as a child of a command, which says by environment variables what is wanted:
 *
 *     WARPSCAPE_DB                the results file; without it no metrics are kept
 *     WARPSCAPE_RUN               number of the run that the command has begun there. Without it the program begins a
 *                                 run of its own, named by WARPSCAPE_WORKLOAD, _SCALE, _SEED, and finishes it
 *     WARPSCAPE_SET               study, modern, all or machines [all]
 *     WARPSCAPE_PROFILE           anything: with profiles for models
 *     WARPSCAPE_WORKERS           threads that run blocks [all processors]
 *     WARPSCAPE_MAX_INSTRUCTIONS  warp instructions that a launch may execute [no limit]
 *     WARPSCAPE_TRACE             file that takes a trace of all launches
 *     WARPSCAPE_TRACE_VALUES      anything: with the values that some metrics look at
 *     WARPSCAPE_INTERLEAVE        seed: warps take their steps in a random order of this seed
 *     WARPSCAPE_SIMULATE          machine: the launches run on it, cycle by cycle; and further
 *         _PROTOCOL                   coherence protocol [what the machine says]
 *         _SET                        options OPTION=VALUE of the machine, one a line
 *         _CHECK                      anything: hold loads against the memory model
 *         _MAX_CYCLES                 core cycles that a launch may take [no limit]
 *         _ROWS                       file that takes a row of statistics for each launch [nowhere]
 *     WARPSCAPE_PROGRESS          file descriptor that takes a line "INSTRUCTIONS DONE BLOCKS KERNEL" now and then */
#include "collect/cuda/recorder.h"

#include "base/clock.h"
#include "base/status.h"
#include "cli/interleave.h"
#include "cli/listeners.h"
#include "cli/record_live.h"
#include "metrics/store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ws_recorder {
    ws_store *store;         /* NULL: no metrics */
    ws_listeners listeners;
    int64_t run;
    bool own_run;
    bool failed;             /* a launch could not be recorded: an own run must not be finished as done */
    struct timespec begin;
    ws_launch_simulator simulator; /* runs the launches; without its function the engine does */
    uint64_t interleave_seed;
    ws_record_live *live;
    uint64_t max_instructions, instructions; /* the latter: warp instructions of finished launches */
    int progress;            /* file descriptor, -1: none */
    ws_launch launch;        /* of the launch that is being collected, with a kernel name of ours */
    char *kernel;
};

/* ------------------------------------------------------------------------------------------------ environment */

/* *value keeps its content when the variable is absent. */
static int read_number(const char *name, uint64_t most, uint64_t *value)
{
    const char *const text = getenv(name);
    if (!text || !*text)
        return WS_OK;
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*end || errno || text[0] == '-' || number > most)
        return ws_fail(WS_EINPUT, "environment variable %s: expected a whole number from 0 to %" PRIu64 ", got '%s'",
                       name, most, text);
    *value = number;
    return WS_OK;
}

static const char *text_or(const char *name, const char *otherwise)
{
    const char *const text = getenv(name);
    return text && *text ? text : otherwise;
}

static int begin_own_run(ws_recorder *r)
{
    uint64_t seed = 0;
    const int status = read_number("WARPSCAPE_SEED", UINT64_MAX, &seed);
    if (status)
        return status;
    const ws_store_run run = {.workload = text_or("WARPSCAPE_WORKLOAD", program_invocation_short_name),
                              .scale = text_or("WARPSCAPE_SCALE", ""),
                              .seed = seed,
                              .command = program_invocation_name};
    r->own_run = true;
    return ws_store_begin(r->store, &run, &r->run);
}

static int open_store(ws_recorder *r, const char *path)
{
    uint64_t run = 0;
    int status = ws_store_open(path, true, &r->store);
    if (!status)
        status = read_number("WARPSCAPE_RUN", INT64_MAX, &run);
    r->run = (int64_t)run;
    if (!status && !run)
        status = begin_own_run(r);
    return status;
}

/* ------------------------------------------------------------------------------------------------ life */

/* Who runs the launches, if not the engine by itself. */
static int open_simulator(ws_recorder *r)
{
    if (text_or("WARPSCAPE_SIMULATE", NULL) && text_or("WARPSCAPE_INTERLEAVE", NULL))
        return ws_fail(WS_EINPUT, "environment variables WARPSCAPE_SIMULATE and WARPSCAPE_INTERLEAVE: both want to say "
                       "which warp comes next; unset one");
    if (!text_or("WARPSCAPE_INTERLEAVE", NULL))
        return ws_record_live_open(&r->live, text_or("WARPSCAPE_WORKLOAD", program_invocation_short_name),
                                   &r->simulator);
    r->simulator = (ws_launch_simulator){.simulate = ws_interleave, .context = &r->interleave_seed};
    return read_number("WARPSCAPE_INTERLEAVE", UINT64_MAX, &r->interleave_seed);
}

static void destroy(ws_recorder *r)
{
    ws_store_close(r->store);
    free(r->kernel);
    free(r);
}

static int open_listeners(ws_recorder *r, bool metrics, const char *trace)
{
    char workload[128], scale[64], seed[64];
    snprintf(workload, sizeof workload, "workload=%s", text_or("WARPSCAPE_WORKLOAD", program_invocation_short_name));
    snprintf(scale, sizeof scale, "scale=%s", text_or("WARPSCAPE_SCALE", ""));
    snprintf(seed, sizeof seed, "seed=%s", text_or("WARPSCAPE_SEED", "0"));
    const char *const notes[] = {"warpscape=" WS_VERSION, workload, scale, seed, NULL};
    const ws_listeners_options how = {.metrics = metrics,
                                      .set = getenv("WARPSCAPE_SET"),
                                      .profile = text_or("WARPSCAPE_PROFILE", NULL),
                                      .trace = trace,
                                      .values = text_or("WARPSCAPE_TRACE_VALUES", NULL),
                                      .notes = notes};
    return ws_listeners_open(&r->listeners, &how);
}

int ws_recorder_open(ws_recorder **out, ws_recorder_options *options)
{
    uint64_t workers = 0, progress = UINT64_MAX, max_instructions = 0;
    const char *const path = text_or("WARPSCAPE_DB", NULL), *const trace = text_or("WARPSCAPE_TRACE", NULL);
    int status = read_number("WARPSCAPE_WORKERS", 4096, &workers);
    if (!status)
        status = read_number("WARPSCAPE_PROGRESS", INT32_MAX, &progress);
    if (!status)
        status = read_number("WARPSCAPE_MAX_INSTRUCTIONS", UINT64_MAX, &max_instructions);
    if (status)
        return status;
    options->workers = (unsigned)workers;
    *out = NULL;
    if (!path && !trace && progress == UINT64_MAX && !max_instructions && !text_or("WARPSCAPE_INTERLEAVE", NULL) &&
        !text_or("WARPSCAPE_SIMULATE", NULL))
        return WS_OK;
    ws_recorder *const r = calloc(1, sizeof *r);
    if (!r)
        return ws_fail(WS_EMEM, "out of memory");
    r->progress = progress == UINT64_MAX ? -1 : (int)progress;
    r->max_instructions = max_instructions;
    clock_gettime(CLOCK_MONOTONIC, &r->begin);
    status = open_simulator(r);
    if (!status)
        status = open_listeners(r, path != NULL, trace);
    if (!status && path)
        status = open_store(r, path);
    if (status) {
        ws_listeners_close(&r->listeners, 0, 0);
        ws_record_live_close(r->live);
        destroy(r);
    } else {
        *out = r;
    }
    return status;
}

int ws_recorder_close(ws_recorder *r, uint64_t h2d_bytes, uint64_t d2h_bytes, int exit_status)
{
    if (!r)
        return WS_OK;
    int status = WS_OK;
    if (r->store && !r->failed) {
        if (h2d_bytes || d2h_bytes)
            status = ws_store_add_copy(r->store, r->run, h2d_bytes, d2h_bytes);
        char end[32] = "done";
        if (exit_status)
            snprintf(end, sizeof end, "exit status %d", exit_status);
        if (!status && r->own_run)
            status = ws_store_finish(r->store, r->run, end, ws_clock_seconds_since(&r->begin));
    }
    const int simulated = ws_record_live_close(r->live);
    const int traced = ws_listeners_close(&r->listeners, h2d_bytes, d2h_bytes);
    destroy(r);
    return status ? status : simulated ? simulated : traced;
}

/* ------------------------------------------------------------------------------------------------ launches */

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    ws_recorder *const r = context;
    if (!r->kernel) {
        r->kernel = strdup(launch->kernel);
        if (!r->kernel)
            return ws_fail(WS_EMEM, "out of memory");
        r->launch = *launch; /* its tables are the engine's and gone when the numbers of the launch are known */
        r->launch.kernel = r->kernel;
        r->launch.instr = NULL;
        r->launch.instrs = 0;
    }
    return ws_listeners_collect(&r->listeners, launch, sink, state);
}

static int show_progress(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions)
{
    const ws_recorder *const r = context;
    char line[512];
    const int n = snprintf(line, sizeof line, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %.400s\n",
                           r->instructions + warp_instructions, blocks_done, launch->blocks, launch->kernel);
    const ssize_t written = write(r->progress, line, (size_t)n);
    (void)written; /* nobody may read any more: not the kernel's business */
    return 0;
}

int ws_recorder_before(ws_recorder *r, ws_run *run)
{
    free(r->kernel); /* left by a launch that failed on its way out */
    r->kernel = NULL;
    run->max_instructions = r->max_instructions;
    run->context = r;
    if (r->progress >= 0)
        run->progress = show_progress;
    run->sinks = r->listeners.sink;
    run->sink_count = r->listeners.n;
    run->collect = collect;
    if (r->simulator.simulate)
        run->simulator = &r->simulator;
    return r->listeners.trace ? ws_trace_writer_end(r->listeners.trace, WS_EFAULT) : WS_OK; /* one that failed */
}

int ws_recorder_after(ws_recorder *r, const ws_run_result *result)
{
    r->instructions += result->warp_instructions;
    int status = ws_listeners_launched(&r->listeners, WS_OK);
    if (!status && r->store)
        status = ws_store_add_launch(r->store, r->run, &r->launch, result->seconds,
                                     result->warp_instructions,
                                     result->thread_instructions, r->listeners.collector);
    free(r->kernel);
    r->kernel = NULL;
    r->failed = r->failed || status;
    return status;
}
