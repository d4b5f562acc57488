/* cmd_import.c - `warpscape import`: what did kernels do on a GPU, as a trace of Accel-Sim's tracer tells it? */
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/features.h"
#include "base/source_file.h"
#include "record/listeners.h"

#include "base/clock.h"
#include "base/status.h"
#include "collect/accelsim/accelsim.h"
#include "metrics/store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    ws_keep_request keep;
    const char *path, *trace, *kernels, *workload, *source;
    struct range {
        uint64_t first, last;
    } launches;
    bool partial;
} request;

static uint64_t number(char *text, char **end, uint64_t otherwise)
{
    *end = text;
    return *text >= '0' && *text <= '9' ? strtoull(text, end, 10) : otherwise;
}

static void take_launches(const struct argp_state *state, void *member, char *arg)
{
    struct range *const r = member;
    char *end;
    r->first = number(arg, &end, 1);
    r->last = r->first;
    if (*end == '-')
        r->last = number(end + 1, &end, UINT64_MAX);
    if (*end || !*arg || !strcmp(arg, "-") || !r->first || r->last < r->first)
        argp_error(state, "--launches needs A-B with 1 <= A <= B, A- or -B, not '%s'", arg);
}

static void take_source(const struct argp_state *state, void *member, char *arg)
{
    (void)state;
    *(const char **)member = arg;
    ws_source_folder_of(arg);
}

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    const ws_keep_request *const k = &r->keep;
    if ((k->set || r->partial || k->profile || k->lines) && !k->db)
        argp_error(state, "%s needs --db: it is about metrics in a results file",
                   k->set       ? "--set"
                   : r->partial ? "--partial"
                   : k->profile ? "--profile"
                                : "--lines");
}

static const ws_option_row option_rows[] = {
    WS_ONE_ARGUMENT(request, path, "one folder, list or trace at a time; what is '%s'?",
                    "which folder, list of kernels or trace?"),
    WS_OPTION_TEXT("output", 'o', "FILE.wst", request, trace,
                   "Write the launches to this trace file, for `warpscape replay' and `sim' [nowhere]"),
    WS_KEEP_OPTIONS(request, keep, "Keep the metrics of the launches in this results file [nowhere]"),
    WS_OPTION_TAKE("source", 0, "FILE", request, source, take_source,
                   "Source file of the traces' lines: tracers store only line numbers"),
    WS_OPTION_TEXT("kernels", 'k', "REGEX", request, kernels,
                   "Only launches of kernels whose name, mangled or not, matches [all]"),
    WS_OPTION_TAKE("launches", 0, "A-B", request, launches, take_launches,
                   "Only launches A to B of the list, counted from 1; A- and -B are open ranges [all]"),
    WS_OPTION_TEXT("workload", 0, "NAME", request, workload, "Name of the results [that of the folder or file]"),
    WS_OPTION_FLAG("partial", 0, request, partial,
                   "With --db: keep the launches before the damage of a damaged trace as its result"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "FOLDER|kernelslist.g|FILE",
    .doc = "Reads traces that Accel-Sim's tracer made on a GPU, of versions 1 to 6, grouped or raw, plain, .xz or "
           ".tracez, into metrics or into a trace file; without --output and --db, lists the launches as "
           "CSV.\vInstructions are SASS. Columns that need data missing from such a trace (guard predicates, constant "
           "operands, values) are NA. Of a damaged trace, the launches before the damage are kept, the message has the "
           "position, and the exit status is 1; metrics count only with --partial.\n\nExample: warpscape import "
           "traces/ -o vecadd.wst --db results.db",
    .children = ws_argp_writes,
};

/* ------------------------------------------------------------------------------------------------ launches */

typedef struct player {
    const request *request;
    ws_listeners listeners;
    ws_store *store;
    int64_t run;
    ws_progress bar;
    struct timespec begin; /* of the launch */
    char *workload;
} player;

static int show(void *context, const char *kernel, double done)
{
    player *const p = context;
    ws_progress_show(&p->bar, kernel, done);
    return ws_interrupted();
}

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    player *const p = context;
    return ws_listeners_collect(&p->listeners, launch, sink, state);
}

static int launched(void *context, const ws_launch *launch, uint64_t warp_instructions, uint64_t thread_instructions,
                    int status)
{
    player *const p = context;
    status = ws_listeners_launched(&p->listeners, status);
    if (!status && p->store)
        status = ws_store_add_launch(p->store, p->run, launch, ws_clock_seconds_since(&p->begin), warp_instructions,
                                     thread_instructions, p->listeners.collector);
    if (!status && p->store)
        status = ws_listeners_note_sources(&p->listeners, p->store, p->run);
    p->begin = ws_clock_now();
    if (!status && !p->request->keep.db && !p->request->trace)
        printf("%" PRIu64 ",%s,%" PRIu64 ",%" PRIu32 ",%zu,%" PRIu64 ",%" PRIu64 "\n", launch->sequence + 1,
               launch->kernel, launch->blocks, launch->threads_per_block, launch->instrs, warp_instructions,
               thread_instructions);
    return status;
}

static void talk_of_lines(const request *q, const ws_accelsim_result *r)
{
    if (r->launches && !r->with_lines && (q->keep.lines || q->source))
        fprintf(stderr, "warpscape import: the traces have no source lines; trace a program built with -lineinfo with "
                        "TRACE_LINEINFO=1\n");
    else if (r->with_lines && q->keep.lines && !q->source)
        fprintf(stderr, "warpscape import: the traces have line numbers without a file: --source FILE names it\n");
}

static void talk(const ws_accelsim_result *r)
{
    if (r->unknown)
        fprintf(stderr,
                "warpscape import: %" PRIu64 " warp instructions with opcodes that are not known count as other "
                "instructions, or as loads: %s\n",
                r->unknown, r->unknown_names);
    if (r->bulk)
        fprintf(stderr,
                "warpscape import: %" PRIu64 " bulk copies moved %" PRIu64
                " bytes; metrics cover only their accesses to global memory, as traces lack the others\n",
                r->bulk, r->bulk_bytes);
    if (r->halves)
        fprintf(stderr,
                "warpscape import: %" PRIu64 " warp instructions copy to shared memory (LDGSTS); only raw traces "
                "(.trace), not grouped ones, have their destination\n",
                r->halves);
    if (r->odd_registers)
        fprintf(stderr,
                "warpscape import: %" PRIu64 " launches have more than 255 registers in their header, which no machine "
                "has; the highest used register counts\n",
                r->odd_registers);
    if (r->without_list)
        fprintf(stderr,
                "warpscape import: no list of kernels: %" PRIu64
                " traces in the order of their numbers, without copies\n",
                r->without_list);
    if (r->more_lists)
        fprintf(stderr,
                "warpscape import: read %s; %" PRIu64
                " other lists are in the folder, one per context: name them to import them\n",
                r->list, r->more_lists);
    if (r->ignored)
        fprintf(stderr, "warpscape import: %" PRIu64 " lines of the list name neither a kernel nor a copy\n",
                r->ignored);
}

static int import(player *p, ws_accelsim_result *result)
{
    const request *const r = p->request;
    const ws_accelsim_import how = {.sinks = p->listeners.sink,
                                    .sink_count = p->listeners.n,
                                    .kernels = r->kernels,
                                    .first = r->launches.first,
                                    .last = r->launches.last,
                                    .source = r->source,
                                    .progress = show,
                                    .collect = collect,
                                    .launched = launched,
                                    .context = p};
    if (!r->keep.db && !r->trace)
        puts("launch,kernel,blocks,threads,instructions,warp_instructions,thread_instructions");
    p->begin = ws_clock_now();
    ws_progress_begin(&p->bar);
    const int status = ws_accelsim_read(r->path, &how, result);
    ws_progress_end(&p->bar);
    talk(result);
    talk_of_lines(r, result);
    if (!status && !result->launches)
        return ws_fail(WS_ENOTFOUND, "%s: none of its %" PRIu64 " launches is among those of --kernels and --launches",
                       r->path, result->left_out);
    return status;
}

/* ------------------------------------------------------------------------------------------------ where they go */

static int open_store(player *p)
{
    const ws_store_run about = {.workload = p->workload, .scale = "", .seed = 0, .command = "warpscape import (SASS)"};
    int status = ws_store_open(p->request->keep.db, true, &p->store);
    if (!status)
        status = ws_store_begin(p->store, &about, &p->run);
    return status;
}

static int open_listeners(player *p)
{
    char workload[512];
    snprintf(workload, sizeof workload, "workload=%s", p->workload);
    const char *const notes[] = {"warpscape=" WS_VERSION, workload, "seed=0", "isa=SASS", "source=Accel-Sim", NULL};
    const ws_listeners_options who = {.metrics = p->request->keep.db,
                                      .set = p->request->keep.set,
                                      .profile = p->request->keep.profile,
                                      .instructions = p->request->keep.lines,
                                      .no_values = true,
                                      .trace = p->request->trace,
                                      .notes = notes};
    return ws_listeners_open(&p->listeners, &who);
}

static int finish_store(const player *p, int status, const ws_accelsim_result *result, double seconds)
{
    char reason[1024] = "done";
    if (status)
        snprintf(reason, sizeof reason, "%s", ws_message());
    else if (result->h2d_bytes || result->d2h_bytes)
        status = ws_store_add_copy(p->store, p->run, result->h2d_bytes, result->d2h_bytes);
    if (status == WS_ENOTFOUND) { /* none was chosen */
        ws_store_drop(p->store, p->run);
        return ws_fail(status, "%s", reason);
    }
    const bool counts = !status || (status == WS_EINPUT && p->request->partial);
    const int finished = ws_store_finish(p->store, p->run, counts ? "done" : reason, seconds);
    return status ? ws_fail(status, "%s", reason) : finished;
}

/* "a/bfs-2.0/" is "bfs-2.0", "kernelslist.g" is named by its folder, "kernel-1.traceg.xz" is "kernel-1". */
static char *name_of(const char *path)
{
    char *const real = realpath(path, NULL), *const copy = real ? real : strdup(path);
    char *name = NULL;
    if (copy) {
        char *slash = strrchr(copy, '/');
        if (slash && slash > copy && !strncmp(slash + 1, "kernelslist", 11))
            *slash = 0;
        slash = strrchr(copy, '/');
        name = strdup(slash && slash[1] ? slash + 1 : copy);
        char *const dot = name ? strstr(name, ".trace") : NULL;
        if (dot && dot > name)
            *dot = 0;
    }
    free(copy);
    return name;
}

WS_COMMAND(import)
{
    request r = {0};
    ws_options_parse(&options, argc, argv, &r);
    ws_interrupts_catch();
    player p = {.request = &r, .workload = r.workload ? strdup(r.workload) : name_of(r.path)};
    ws_accelsim_result result = {0};
    const struct timespec begin = ws_clock_now();
    int status = p.workload ? open_listeners(&p) : ws_fail(WS_EMEM, "out of memory");
    if (!status && r.keep.db)
        status = open_store(&p);
    if (!status) {
        status = import(&p, &result);
        if (r.keep.db)
            status = finish_store(&p, status, &result, ws_clock_seconds_since(&begin));
    }
    char message[1024];
    snprintf(message, sizeof message, "%s", ws_message());
    const int closed = ws_listeners_close(&p.listeners, result.h2d_bytes, result.d2h_bytes);
    ws_store_close(p.store);
    free(p.workload);
    return status ? ws_fail(status, "%s", message) : closed;
}
