/* record.c - what a captured program's launches leave behind: counters of the metric families in a results file.
 *
 * The program runs as a child of a command, which says by environment variables what is wanted:
 *
 *     WARPSCAPE_DB                the results file; without it no metrics are kept
 *     WARPSCAPE_RUN               number of the run that the command has begun there. Without it the program begins a
 *                                 run of its own, named by WARPSCAPE_WORKLOAD, _SCALE, _SEED, and finishes it
 *     WARPSCAPE_SET               study, modern, all, machines or synchronization [all]
 *     WARPSCAPE_PROFILE           anything: with profiles for models
 *     WARPSCAPE_LINES             anything: with what each instruction did, for `warpscape annotate`
 *     WARPSCAPE_WORKERS           threads that run blocks [all processors]
 *     WARPSCAPE_MAX_INSTRUCTIONS  warp instructions that a launch may execute [no limit]
 *     WARPSCAPE_TRACE             file that takes a trace of all launches
 *     WARPSCAPE_TRACE_FOLDER      folder that takes one of each process: WORKLOAD.wst, WORKLOAD-2.wst and so on
 *     WARPSCAPE_TRACE_VALUES      anything: with the values that some metrics look at
 *     WARPSCAPE_CHECK             a list such as race,init: what is checked (docs/checks.md) [nothing]
 *     WARPSCAPE_RACES             1: adds race to it
 *     WARPSCAPE_TURNS             barriers or stores: when warps let the others of their block run [barriers]
 *     WARPSCAPE_BOUNDS            exact or pages: whether accesses outside allocations end a launch or, in pages that
 *                                 hold an allocation, are done and counted; with either, allocations lie in pages as
 *                                 on a GPU [exact, one behind the other]
 *     WARPSCAPE_ALIGNMENT         strict or relaxed: whether misaligned loads and stores end a launch, or are done and
 *                                 counted [strict]
 *     WARPSCAPE_INTERLEAVE        seed: warps take their steps in a random order of this seed
 *     WARPSCAPE_SIMULATE          machine: the launches run on it, cycle by cycle; and further
 *         _PROTOCOL                   coherence protocol [what the machine says]
 *         _SET                        options OPTION=VALUE of the machine, one a line
 *         _CHECK                      anything: hold loads against the memory model
 *         _SHAPE                      "all" or rows of collect/shape/shape.def: simulate what an assembler makes of
 *                                     PTX [PTX as it is]
 *         _MAX_CYCLES                 core cycles that a launch may take [no limit]
 *         _LIVELOCK                   core cycles in which warps of a launch only wait in loops, that end it; 0: none
 *                                     do [1000000]
 *         _LAUNCHES                   file of a list: simulate only the launches that it has of the workload [all]
 *         _ARGUMENTS                  file of what launches use on which chip (docs/chiplets.md), for
 *                                     package.coherence = cpcoh [nobody knows]
 *         _ROWS                       file that takes a row of statistics for each launch [nowhere]
 *         _ACTIVITY                   file that takes what the parts of the machine did in each launch [nowhere]
 *     WARPSCAPE_KERNELS           only launches of kernels whose name matches this regular expression are measured
 *     WARPSCAPE_LAUNCHES          only those with these numbers ("1-10,20"), or that this list has of the workload
 *     WARPSCAPE_SAMPLE            tolerance (0.05 for 5 %): launches that are like earlier ones are not all measured
 *     WARPSCAPE_SOURCES           folders, with colons between them, whose source files are read, beside the current
 *                                 one (base/source_file.h)
 *     WARPSCAPE_BOARD             file of the memory in which a watching command keeps count (board.h)
 *     WARPSCAPE_PROGRESS          file descriptor that takes a line "INSTRUCTIONS DONE BLOCKS KERNEL" now and then */
#include "collect/cuda/recorder.h"

#include "base/clock.h"
#include "base/demangle.h"
#include "base/grow.h"
#include "base/shown.h"
#include "base/status.h"
#include "record/board.h"
#include "record/check_report.h"
#include "record/interleave.h"
#include "record/listeners.h"
#include "record/record_live.h"
#include "record/selection.h"
#include "metrics/sampler.h"
#include "metrics/store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What is known of a launch while it runs. */
typedef struct under_way {
    bool measured;
    ws_sampler_choice choice;
    ws_launch launch; /* without its table, which is the engine's */
    uint32_t dynamic_shared;
    const char *kernel; /* the module's */
} under_way;

struct ws_recorder {
    ws_store *store; /* NULL: no metrics */
    ws_listeners listeners;
    int64_t run;
    bool own_run;
    bool failed; /* a launch could not be recorded: an own run must not be finished as done */
    struct timespec begin;
    ws_checker *checker;           /* NULL: nothing is checked */
    ws_launch_simulator simulator; /* runs the launches; without its function the engine does */
    uint64_t interleave_seed;
    unsigned workers;
    ws_turns turns;
    ws_strays own_strays, own_misaligned, *strays, *misaligned; /* the latter two: the board's where there is one */
    ws_record_live *live;
    uint64_t max_instructions, instructions; /* the latter: warp instructions of finished launches */
    int progress;                            /* file descriptor, -1: none */
    ws_board *board;                         /* NULL: nobody watches */
    ws_board_process *me;                    /* NULL: no place on it */
    ws_launch_selection *selection;          /* NULL: all launches are measured */
    ws_sampler *sampler;                     /* NULL: all that are selected */
    ws_copied carried;                       /* bytes copied before launches that were left out by the sampler */
    under_way now;                           /* the launch that runs */
    under_way *around;                       /* [depth - 1] launches whose kernels wait for it, the host's first */
    size_t depth, room;                      /* launches under way; of `around` */
    char *title;
    char *titled; /* the kernel whose title that is */
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
    if (!status && r->board)
        ws_store_watch_files(r->store);
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

/* *word keeps its content when the variable is absent. */
static int read_word(const char *name, const char *const *words, unsigned *word)
{
    const char *const text = text_or(name, words[*word]);
    for (unsigned i = 0; words[i]; i++)
        if (!strcmp(text, words[i])) {
            *word = i;
            return WS_OK;
        }
    return ws_fail(WS_EINPUT, "environment variable %s: expected '%s' or '%s', got '%s'", name, words[0], words[1],
                   text);
}

static int read_turns(ws_turns *turns)
{
    unsigned word = WS_TURNS_BARRIERS;
    const int status = read_word("WARPSCAPE_TURNS", ws_turns_words, &word);
    *turns = (ws_turns)word;
    return status;
}

static int read_bounds(ws_recorder_options *options)
{
    unsigned word = WS_BOUNDS_EXACT;
    const int status = read_word("WARPSCAPE_BOUNDS", ws_bounds_words, &word);
    options->bounds = (ws_bounds)word;
    options->pages = text_or("WARPSCAPE_BOUNDS", NULL);
    return status;
}

static int read_alignment(ws_alignment *alignment)
{
    unsigned word = WS_ALIGNMENT_STRICT;
    const int status = read_word("WARPSCAPE_ALIGNMENT", ws_alignment_words, &word);
    *alignment = (ws_alignment)word;
    return status;
}

static int open_checker(ws_recorder *r)
{
    const char *const list = text_or("WARPSCAPE_CHECK", NULL);
    unsigned checks = 0;
    const int status = list ? ws_checks_parse(list, &checks) : WS_OK;
    if (status)
        return ws_fail_context(status, "environment variable WARPSCAPE_CHECK");
    if (text_or("WARPSCAPE_RACES", NULL))
        checks |= 1u << WS_CHECK_RACE;
    if (checks && r->simulator.simulate)
        return ws_fail(WS_EINPUT, "environment variable WARPSCAPE_CHECK: launches that are simulated or interleaved "
                                  "are not checked; unset one");
    r->checker = checks ? ws_checker_create(checks, ws_check_report, NULL) : NULL;
    return !checks || r->checker ? WS_OK : WS_EMEM;
}

static void destroy(ws_recorder *r)
{
    ws_checker_destroy(r->checker);
    ws_sampler_destroy(r->sampler);
    ws_launch_selection_destroy(r->selection);
    ws_board_leave(r->board);
    ws_store_close(r->store);
    free(r->title);
    free(r->titled);
    free(r->around);
    free(r);
}

/* false: the command that watched is gone, and its run is over. */
static bool join_board(ws_recorder *r)
{
    const char *const path = text_or("WARPSCAPE_BOARD", NULL);
    return !path || !ws_board_join(path, &r->board, &r->me);
}

/* Which launches are measured; after the listeners, whose collector the sampler reads. */
static int open_choice(ws_recorder *r)
{
    const char *const sample = text_or("WARPSCAPE_SAMPLE", NULL);
    uint64_t seed = 0;
    int status =
        ws_launch_selection_create(text_or("WARPSCAPE_KERNELS", NULL), text_or("WARPSCAPE_LAUNCHES", NULL),
                                   text_or("WARPSCAPE_WORKLOAD", program_invocation_short_name), &r->selection);
    if (status || !sample || !r->listeners.collector)
        return status;
    char *end;
    const double tolerance = strtod(sample, &end);
    if (end == sample || *end || !(tolerance > 0 && tolerance <= 1))
        return ws_fail(WS_EINPUT,
                       "environment variable WARPSCAPE_SAMPLE: expected a number above 0, at most 1, got '%s'", sample);
    status = read_number("WARPSCAPE_SEED", UINT64_MAX, &seed);
    return status ? status : ws_sampler_create(tolerance, seed, r->listeners.collector, &r->sampler);
}

/* The trace file of this process, to be freed; NULL: none, or no memory with *status set. */
static char *trace_path(const ws_recorder *r, int *status)
{
    const char *const file = text_or("WARPSCAPE_TRACE", NULL), *const folder = text_or("WARPSCAPE_TRACE_FOLDER", NULL);
    const char *const workload = text_or("WARPSCAPE_WORKLOAD", program_invocation_short_name);
    const long number = r->me ? (long)(r->me - r->board->process) + 1 : 1;
    char *path = NULL, suffix[32] = "";
    if (!file && !folder)
        return NULL;
    if (number > 1)
        snprintf(suffix, sizeof suffix, "-%ld", number);
    if ((file ? asprintf(&path, "%s", file) : asprintf(&path, "%s/%s%s.wst", folder, workload, suffix)) < 0) {
        *status = ws_fail(WS_EMEM, "out of memory");
        return NULL;
    }
    return path;
}

static int open_listeners(ws_recorder *r, bool metrics, const char *trace)
{
    char workload[128], scale[512], seed[64];
    snprintf(workload, sizeof workload, "workload=%s", text_or("WARPSCAPE_WORKLOAD", program_invocation_short_name));
    snprintf(scale, sizeof scale, "scale=%s", text_or("WARPSCAPE_SCALE", ""));
    snprintf(seed, sizeof seed, "seed=%s", text_or("WARPSCAPE_SEED", "0"));
    const char *const notes[] = {"warpscape=" WS_VERSION, workload, scale, seed, NULL};
    const ws_listeners_options how = {.metrics = metrics,
                                      .set = getenv("WARPSCAPE_SET"),
                                      .profile = text_or("WARPSCAPE_PROFILE", NULL),
                                      .workers = r->workers,
                                      .instructions = text_or("WARPSCAPE_LINES", NULL),
                                      .trace = trace,
                                      .values = text_or("WARPSCAPE_TRACE_VALUES", NULL),
                                      .notes = notes};
    return ws_listeners_open(&r->listeners, &how);
}

/* Whether the environment wants anything of a recorder. */
static bool is_wanted(bool progress, uint64_t max_instructions)
{
    static const char *const asks[] = {"WARPSCAPE_DB",         "WARPSCAPE_TRACE",    "WARPSCAPE_TRACE_FOLDER",
                                       "WARPSCAPE_INTERLEAVE", "WARPSCAPE_SIMULATE", "WARPSCAPE_BOARD",
                                       "WARPSCAPE_TURNS",      "WARPSCAPE_BOUNDS",   "WARPSCAPE_RACES",
                                       "WARPSCAPE_CHECK",      "WARPSCAPE_ALIGNMENT"};
    bool wanted = progress || max_instructions;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        wanted = wanted || text_or(asks[i], NULL);
    return wanted;
}

static int open_all(ws_recorder *r)
{
    const char *const db = text_or("WARPSCAPE_DB", NULL);
    int status = WS_OK;
    char *const trace = trace_path(r, &status);
    if (!status)
        status = open_simulator(r);
    if (!status)
        status = open_checker(r);
    if (!status)
        status = read_turns(&r->turns);
    if (!status)
        status = open_listeners(r, db != NULL, trace);
    if (!status)
        status = open_choice(r);
    if (!status && db)
        status = open_store(r, db);
    free(trace);
    return status;
}

int ws_recorder_open(ws_recorder **out, ws_recorder_options *options)
{
    uint64_t workers = 0, progress = UINT64_MAX, max_instructions = 0;
    int status = read_number("WARPSCAPE_WORKERS", 4096, &workers);
    if (!status)
        status = read_number("WARPSCAPE_PROGRESS", INT32_MAX, &progress);
    if (!status)
        status = read_number("WARPSCAPE_MAX_INSTRUCTIONS", UINT64_MAX, &max_instructions);
    if (!status)
        status = read_bounds(options);
    if (!status)
        status = read_alignment(&options->alignment);
    if (status)
        return status;
    options->workers = (unsigned)workers;
    options->goes_on = false;
    *out = NULL;
    if (!is_wanted(progress != UINT64_MAX, max_instructions))
        return WS_OK;
    ws_recorder *const r = calloc(1, sizeof *r);
    if (!r)
        return ws_fail(WS_EMEM, "out of memory");
    r->progress = progress == UINT64_MAX ? -1 : (int)progress;
    r->max_instructions = max_instructions;
    r->workers = (unsigned)workers;
    clock_gettime(CLOCK_MONOTONIC, &r->begin);
    if (!join_board(r)) { /* a process that outlived its program: it runs on, and nobody records it */
        destroy(r);
        return WS_OK;
    }
    r->strays = r->board ? &r->board->strays : &r->own_strays;
    r->misaligned = r->board ? &r->board->misaligned : &r->own_misaligned;
    status = open_all(r);
    if (status) {
        ws_listeners_close(&r->listeners, 0, 0);
        ws_record_live_close(r->live);
        destroy(r);
        return status;
    }
    if (r->me)
        options->copied = &r->me->copied;
    options->goes_on = r->board != NULL;
    options->checker = r->checker;
    *out = r;
    return WS_OK;
}

/* What the process copied after its last launch belongs to the program's sums, too. */
static void say_farewell(const ws_recorder *r, const ws_copied *copied)
{
    if (!r->board)
        return;
    atomic_fetch_add(&r->board->h2d, copied->h2d);
    atomic_fetch_add(&r->board->d2h, copied->d2h);
    atomic_fetch_add(&r->board->d2d, copied->d2d);
    atomic_fetch_add(&r->board->filled, copied->filled);
    if (!r->me)
        return;
    r->me->copied = (ws_copied){0};
    atomic_store(&r->me->open, 0);
}

int ws_recorder_close(ws_recorder *r, const ws_copied *copied, int exit_status)
{
    if (!r)
        return WS_OK;
    const ws_copied all = *copied, *const c = &all; /* the board's copy goes */
    int status = WS_OK;
    if (r->store && !r->failed) {
        const uint64_t h2d = r->carried.h2d + c->h2d, d2h = r->carried.d2h + c->d2h;
        status = ws_store_check_files(r->store);
        if (!status && (h2d || d2h))
            status = ws_store_add_copy(r->store, r->run, h2d, d2h);
        char end[32] = "done";
        if (exit_status)
            snprintf(end, sizeof end, "exit status %d", exit_status);
        if (!status && r->own_run)
            status = ws_store_finish(r->store, r->run, end, ws_clock_seconds_since(&r->begin));
    }
    if (r->checker)
        ws_checker_finish(r->checker);
    const int simulated = ws_record_live_close(r->live);
    const int traced = ws_listeners_close(&r->listeners, c->h2d, c->d2h);
    say_farewell(r, c);
    destroy(r);
    return status ? status : simulated ? simulated : traced;
}

/* ------------------------------------------------------------------------------------------------ launches */

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    ws_recorder *const r = context;
    ws_launch seen = *launch; /* with what was copied before launches that were left out */
    seen.h2d_bytes += r->carried.h2d;
    seen.d2h_bytes += r->carried.d2h;
    return ws_listeners_collect(&r->listeners, &seen, sink, state);
}

/* Errors of the program in a launch: each kernel's first is said, with `advice`. */
static void note_accesses(ws_strays *strays, const ws_launch *launch, uint64_t accesses, const char *first,
                          const char *advice)
{
    char text[4 * WS_BOARD_TEXT];
    char *const title = ws_demangle_short(launch->kernel);
    const bool fresh = ws_strays_note(strays, launch->kernel, title ? title : launch->kernel, accesses);
    free(title);
    if (!fresh)
        return;
    ws_check_report_error(first);
    ws_demangle_message(text, sizeof text, first);
    ws_show_line(stderr, "warpscape: %s; %s", text, advice);
}

/* A GPU may not show it. */
static void note_stray(void *context, const ws_launch *launch, uint64_t accesses, const char *first)
{
    const ws_recorder *const r = context;
    note_accesses(r->strays, launch, accesses, first,
                  "`warpscape run --bounds exact` stops there; the kernel goes on, as on a GPU");
}

/* A GPU ends the launch. */
static void note_misaligned(void *context, const ws_launch *launch, uint64_t accesses, const char *first)
{
    const ws_recorder *const r = context;
    note_accesses(r->misaligned, launch, accesses, first, "a GPU stops there; the kernel continues");
}

static void show_on_board(const ws_recorder *r, const ws_launch *launch, uint64_t blocks_done)
{
    atomic_store(&r->board->blocks_done, blocks_done);
    atomic_store(&r->board->blocks, launch->blocks);
    snprintf(r->board->kernel, sizeof r->board->kernel, "%s", r->title);
}

static int show_progress(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions)
{
    const ws_recorder *const r = context;
    char line[512];
    if (r->board)
        show_on_board(r, launch, blocks_done);
    if (r->progress < 0)
        return 0;
    const int n = snprintf(line, sizeof line, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %.400s\n",
                           r->instructions + warp_instructions, blocks_done, launch->blocks, launch->kernel);
    const ssize_t written = write(r->progress, line, (size_t)n);
    (void)written; /* nobody may read any more: not the kernel's business */
    return 0;
}

/* The launch as the results file wants it, known before it runs. */
static void describe(ws_recorder *r, const ws_kernel_facts *facts, const ws_run *run)
{
    r->now.kernel = facts->name;
    r->now.dynamic_shared = run->dynamic_shared;
    r->now.launch = (ws_launch){.kernel = r->now.kernel,
                                .sequence = run->sequence,
                                .blocks = (uint64_t)run->grid[0] * run->grid[1] * run->grid[2],
                                .threads_per_block = run->block[0] * run->block[1] * run->block[2],
                                .registers = facts->registers,
                                .shared_bytes = facts->shared_bytes + run->dynamic_shared,
                                .local_bytes = facts->local_bytes,
                                .const_bytes = facts->const_bytes,
                                .is_child = run->is_child,
                                .parent = run->parent};
    memcpy(r->now.launch.grid, run->grid, sizeof r->now.launch.grid);
    memcpy(r->now.launch.block, run->block, sizeof r->now.launch.block);
}

static int name_kernel(ws_recorder *r)
{
    if (r->titled && !strcmp(r->titled, r->now.kernel))
        return WS_OK;
    free(r->title);
    free(r->titled);
    r->title = ws_demangle(r->now.kernel);
    r->titled = strdup(r->now.kernel);
    return r->title && r->titled ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

static int choose(ws_recorder *r)
{
    const ws_sampler_launch like = {.kernel = r->now.kernel,
                                    .block = {r->now.launch.block[0], r->now.launch.block[1], r->now.launch.block[2]},
                                    .dynamic_shared = r->now.dynamic_shared,
                                    .blocks = r->now.launch.blocks};
    r->now.choice = (ws_sampler_choice){.measure = true, .stratum = -1, .slice = -1};
    r->now.measured = ws_launch_selection_has(r->selection, r->now.kernel, r->title, r->now.launch.sequence);
    if (!r->now.measured || !r->sampler || r->depth) /* the sampler has one launch under way */
        return WS_OK;
    const int status = ws_sampler_choose(r->sampler, &like, &r->now.choice);
    r->now.measured = r->now.choice.measure;
    if (r->board && r->now.choice.stratum >= 0) /* strata are a process's own */
        r->now.choice.stratum += (int64_t)(r->me ? r->me - r->board->process : WS_BOARD_PROCESSES) << 32;
    return status;
}

/* A launch begins while the kernel of another one waits for it. */
static int set_aside(ws_recorder *r)
{
    if (!r->depth)
        return WS_OK;
    if (WS_GROW(r->around, r->room, r->depth - 1, 1))
        return WS_EMEM;
    r->around[r->depth - 1] = r->now;
    return WS_OK;
}

/* It has ended, and the one around it goes on. */
static int take_back(ws_recorder *r)
{
    r->now = r->around[--r->depth - 1];
    const int status = name_kernel(r);
    if (!status && r->board) {
        show_on_board(r, &r->now.launch, 0);
        atomic_store(&r->board->running, 1);
    }
    return status;
}

int ws_recorder_before(ws_recorder *r, const ws_kernel *kernel, ws_run *run)
{
    ws_kernel_facts facts;
    ws_kernel_get_facts(kernel, &facts);
    int status = set_aside(r);
    if (status)
        return status;
    if (r->board)
        run->sequence = atomic_fetch_add(&r->board->next_launch, 1);
    describe(r, &facts, run);
    status = name_kernel(r);
    if (!status)
        status = choose(r);
    if (status)
        return status;
    run->max_instructions = r->max_instructions;
    run->context = r;
    run->turns = r->turns;
    run->stray = note_stray;
    run->misaligned = note_misaligned;
    if (r->progress >= 0 || r->board)
        run->progress = show_progress;
    if (r->now.measured) {
        run->sinks = r->listeners.sink;
        run->sink_count = r->listeners.n;
        run->collect = collect;
    }
    if (r->simulator.simulate && !r->depth) /* a simulator has one launch under way */
        run->simulator = &r->simulator;
    r->depth++;
    if (r->board) {
        show_on_board(r, &r->now.launch, 0);
        atomic_store(&r->board->running, 1);
    }
    return WS_OK;
}

static void count_on_board(const ws_recorder *r, const ws_run_result *result, const ws_copied *copied, int status)
{
    ws_board *const b = r->board;
    if (!b)
        return;
    atomic_store(&b->running, 0);
    if (status == WS_EINTERRUPTED) /* the process ends: the kernel is not to blame */
        return;
    if (status) {
        atomic_fetch_add(&b->failed, 1);
        if (!atomic_fetch_add(&b->told, 1))
            ws_demangle_message(b->failure, sizeof b->failure, ws_message());
        return;
    }
    ws_board_note_kernel(b, r->title);
    atomic_fetch_add(&b->warp_instructions, result->warp_instructions);
    atomic_fetch_add(&b->thread_instructions, result->thread_instructions);
    atomic_fetch_add(&b->launches, 1);
    atomic_fetch_add(&b->measured, r->now.measured);
    atomic_fetch_add(&b->h2d, copied->h2d);
    atomic_fetch_add(&b->d2h, copied->d2h);
    atomic_fetch_add(&b->d2d, copied->d2d);
    atomic_fetch_add(&b->filled, copied->filled);
}

/* Bytes before launches that the sampler leaves out are told with the next one that it measures. */
static void carry(ws_recorder *r, const ws_copied *copied)
{
    if (r->now.measured) {
        r->carried = (ws_copied){0};
    } else if (r->now.choice.stratum >= 0) {
        r->carried.h2d += copied->h2d;
        r->carried.d2h += copied->d2h;
    }
}

static int keep(ws_recorder *r, const ws_run_result *result, const ws_copied *copied)
{
    const ws_store_launch l = {.launch = &r->now.launch,
                               .seconds = result->seconds,
                               .warp_instructions = result->warp_instructions,
                               .thread_instructions = result->thread_instructions,
                               .collector = r->now.measured ? r->listeners.collector : NULL,
                               .title = r->title,
                               .dynamic_shared = r->now.dynamic_shared,
                               .h2d = copied->h2d,
                               .d2h = copied->d2h,
                               .d2d = copied->d2d,
                               .filled = copied->filled,
                               .process = getpid(),
                               .stratum = r->now.choice.stratum,
                               .slice = r->now.choice.slice};
    int status = ws_store_check_files(r->store);
    if (!status)
        status = ws_store_add(r->store, r->run, &l);
    if (!status)
        status = ws_listeners_note_sources(&r->listeners, r->store, r->run);
    if (!status && r->sampler && r->now.choice.stratum >= 0)
        status = ws_sampler_ran(r->sampler, result->warp_instructions, result->thread_instructions);
    return status;
}

static int ended(ws_recorder *r, const ws_run_result *result, const ws_copied *copied, int launched)
{
    r->instructions += result->warp_instructions;
    count_on_board(r, result, copied, launched);
    if (ws_check_is_error(launched))
        ws_check_report_error(ws_message());
    int status = r->now.measured ? ws_listeners_launched(&r->listeners, launched) : launched;
    if (launched)
        return status; /* that the launch failed is no failure of the recorder's */
    if (!status && r->store)
        status = keep(r, result, copied);
    carry(r, copied);
    r->failed = r->failed || status;
    if (status && r->board)
        atomic_fetch_add(&r->board->unkept, 1);
    return status;
}

int ws_recorder_after(ws_recorder *r, const ws_run_result *result, const ws_copied *copied, int launched)
{
    const int status = ended(r, result, copied, launched);
    if (r->depth == 1) {
        r->depth = 0;
        return status;
    }
    char message[1024];
    snprintf(message, sizeof message, "%s", ws_message());
    const int back = take_back(r);
    return status ? ws_fail(status, "%s", message) : back;
}
