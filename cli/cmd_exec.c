/* cmd_exec.c - `warpscape exec`: do what a launch file says with the kernels of a file, or say which kernels files have
 * and which can run. */
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/features.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/source_file.h"
#include "cli/launch/device_code.h"
#include "cli/launch/launch_run.h"
#include "record/check_report.h"
#include "record/interleave.h"

#include <stdlib.h>
#include <string.h>

typedef struct request {
    ws_keep_request keep;
    const char *trace;
    unsigned workers;
    uint64_t limit;
    bool coverage, list, values, interleaved, turns_said, races;
    unsigned checks;
    uint64_t check_exit;
    bool exit_said;
    ws_turns turns;
    uint64_t seed;         /* of the order, when interleaved */
    uint32_t architecture; /* the highest that is taken; 0: any */
    ws_rest files;         /* FILE, LAUNCH; or files with kernels */
} request;

static void settle(const struct argp_state *state, void *asked)
{
    request *const r = asked;
    if (r->coverage && r->list)
        argp_error(state, "--coverage and --list exclude each other");
    if ((r->coverage || r->list) && !r->files.count)
        argp_error(state, "--%s needs a file with kernels", r->coverage ? "coverage" : "list");
    if (!r->coverage && !r->list && r->files.count != 2)
        argp_error(state, "a file with kernels and a launch file are needed");
    ws_keep_check(state, &r->keep);
    if (r->values && !r->trace)
        argp_error(state, "--values needs --trace: values are kept in a trace file");
    if (r->interleaved && r->workers)
        argp_error(state, "--interleave runs one warp at a time; --workers does not apply");
    if (r->interleaved && r->turns_said)
        argp_error(state, "--interleave and --turns exclude each other: both select the next warp");
    if (r->exit_said && !r->checks)
        argp_error(state, "--check-exit needs --check");
    if (!r->checks)
        r->check_exit = 0; /* --races only says */
    r->checks |= (unsigned)r->races << WS_CHECK_RACE;
    if (r->interleaved && r->checks)
        argp_error(state, "--%s needs warps that take turns; --interleave excludes it", r->races ? "races" : "check");
    if ((r->coverage || r->list) &&
        (r->keep.db || r->limit || r->workers || r->trace || r->interleaved || r->turns_said || r->checks))
        argp_error(state, "--%s runs nothing; the only other option is --architecture",
                   r->coverage ? "coverage" : "list");
}

static void take_checks(const struct argp_state *state, void *member, char *text)
{
    ws_take_checks(state, member, text);
    if (*(unsigned *)member >> WS_CHECK_LEAK & 1)
        argp_error(state, "--check: a launch file frees nothing, so leaks cannot be checked");
}

static const ws_option_row option_rows[] = {
    WS_KEEP_OPTIONS(request, keep, "Keep the metrics of the launches in this results file [nowhere]"),
    WS_OPTION_NUMBER("workers", 'j', "N", request, workers, 1, 4096, "Threads that run blocks [one per processor]"),
    WS_OPTION_NUMBER("max-instructions", 0, "N", request, limit, 1, UINT64_MAX,
                     "End a launch after this number of warp instructions, if it sets no limit itself [none]"),
    WS_OPTION_TEXT("trace", 0, "FILE", request, trace,
                   "Write the launches to this trace file, for `warpscape replay' [none]"),
    WS_OPTION_FLAG("values", 0, request, values,
                   "With --trace: also store the register and shared-memory values that some metrics need"),
    WS_OPTION_NUMBER(
        "interleave", 0, "SEED", request, seed, 0, UINT64_MAX,
        "Step the warps of all blocks in a random order of this seed, to test whether results depend on it"),
    WS_OPTION_GIVEN(request, interleaved),
    WS_OPTION_WORD("turns", 0, "barriers|stores", request, turns, ws_turns_words,
                   "When a warp yields to the others of its block: at barriers, or also before each store to global "
                   "memory [barriers]"),
    WS_OPTION_GIVEN(request, turns_said),
    WS_OPTION_TAKE("check", 0, "race,init,sync", request, checks, take_checks,
                   "Check for races, reads of uninitialised memory, and barriers that some threads never reach; on one "
                   "thread [nothing]"),
    WS_OPTION_NUMBER("check-exit", 0, "N", request, check_exit, 0, 255,
                     "With --check: exit status for findings without other failures [1]"),
    WS_OPTION_GIVEN(request, exit_said),
    WS_OPTION_FLAG("races", 0, request, races, "The same as --check race --check-exit 0"),
    WS_OPTION_FLAG("coverage", 0, request, coverage,
                   "Run nothing; report whether each kernel of the files can run, and the reason if not"),
    WS_OPTION_FLAG("list", 0, request, list, "Run nothing; list the device code and kernels of the files"),
    WS_OPTION_NUMBER("architecture", 0, "N", request, architecture, 1, 9999,
                     "For PTX of several architectures use the highest up to N, such as 75 [the highest]"),
    WS_REST_OF_ARGUMENTS(request, files),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .args_doc = "FILE LAUNCH\n--coverage FILE...\n--list FILE...",
    .doc = "Runs kernels from a launch file: buffers, arguments, launches, expected results. FILE is PTX text, a fat "
           "binary, or a program, library or object file with PTX from nvcc.\vThe report goes to standard output; the "
           "exit status is 1 if an expectation is not met, a launch fails, or (--coverage) a kernel cannot run. "
           "docs/launch-file.md describes launch files.\n\nExample:\n  warpscape exec vadd.ptx vadd.launch --db "
           "results.db --trace vadd.wst\n  warpscape metrics --db results.db --brief --format table",
    .children = ws_argp_writes_and_sources,
};

/* ------------------------------------------------------------------------------------------------ coverage */

typedef struct tally {
    unsigned kernels, running;
} tally;

static int cover_kernels(ws_image *image, const ws_module *module, tally *t)
{
    for (uint32_t i = 0; i < module->functions; i++) {
        const ws_function *const f = module->function[i];
        ws_kernel *kernel;
        if (!f->is_entry || !f->has_body)
            continue;
        const int status = ws_image_kernel(image, f->name, &kernel);
        if (status == WS_EMEM)
            return status;
        t->kernels++;
        t->running += status == WS_OK;
        if (status == WS_OK)
            printf("%s: kernel %s: runs\n", module->file, f->name);
        else
            printf("%s\n", ws_message());
    }
    return WS_OK;
}

static int cover_module(const ws_module *module, void *t)
{
    ws_device *device = NULL;
    ws_image *image;
    const ws_device_options how = {.workers = 1, .low_memory = module->address_bits == 32};
    int status = ws_device_create(&how, &device);
    if (status == WS_OK)
        status = ws_image_load(device, module, &image);
    if (status == WS_OK)
        status = cover_kernels(image, module, t);
    ws_device_destroy(device);
    return status;
}

/* A file that cannot be read is reported and the next one follows. */
static int cover(const request *r)
{
    tally t = {0};
    unsigned unreadable = 0;
    for (int i = 0; i < r->files.count; i++) {
        if (ws_device_code_each(r->files.argument[i], r->architecture, cover_module, &t) == WS_OK)
            continue;
        printf("%s\n", ws_message());
        unreadable++;
    }
    printf("coverage: %u of %u kernels run", t.running, t.kernels);
    if (unreadable)
        printf("; %u of %d files cannot be loaded", unreadable, r->files.count);
    putchar('\n');
    if (t.running == t.kernels && !unreadable)
        return WS_OK;
    return ws_fail(WS_EUNSUPPORTED, unreadable ? "not all files can be loaded" : "not all kernels can run");
}

/* As above. */
static int list(const request *r)
{
    unsigned unreadable = 0;
    for (int i = 0; i < r->files.count; i++) {
        if (ws_device_code_list(r->files.argument[i], r->architecture) == WS_OK)
            continue;
        printf("%s\n", ws_message());
        unreadable++;
    }
    return unreadable ? ws_fail(WS_EINPUT, "not all files can be listed") : WS_OK;
}

/* ------------------------------------------------------------------------------------------------ execution */

static char *command_line(int argc, char **argv)
{
    size_t n = 1;
    for (int i = 0; i < argc; i++)
        n += strlen(argv[i]) + 1;
    char *const text = calloc(1, n);
    for (int i = 0; text && i < argc; i++) {
        strcat(text, i ? " " : "");
        strcat(text, argv[i]);
    }
    return text;
}

static int run_script(const ws_script *script, const ws_module *module, const ws_script_options *how,
                      ws_script_result *result)
{
    int status = ws_script_run(script, module, how, result);
    if (status)
        return status;
    printf("exec: %llu passed, %llu failed\n", (unsigned long long)result->met, (unsigned long long)result->failed);
    if (result->failed)
        status = ws_fail(WS_EVERIFY, "%s: %llu of %llu expectations are not met", script->file,
                         (unsigned long long)result->failed, (unsigned long long)(result->met + result->failed));
    return status;
}

/* As above, with the launches kept in a results file; a run that failed is finished as such. */
static int run_stored(const request *r, const ws_script *script, const ws_module *module, ws_script_options *how,
                      const ws_store_run *about, ws_script_result *result)
{
    struct timespec begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    int status = ws_store_open(r->keep.db, true, &how->store);
    if (status == WS_OK)
        status = ws_store_begin(how->store, about, &how->store_run);
    if (status == WS_OK) {
        status = run_script(script, module, how, result);
        char reason[512] = "done";
        if (status)
            snprintf(reason, sizeof reason, "%s", ws_message());
        const int finished = ws_store_finish(how->store, how->store_run, reason, ws_clock_seconds_since(&begin));
        if (status)
            ws_fail(status, "%s", reason);
        else
            status = finished;
    }
    ws_store_close(how->store);
    return status;
}

/* With those who listen. */
static int run_listened(const request *r, const ws_script *script, const ws_module *module, ws_script_options *how,
                        int argc, char **argv, ws_script_result *result)
{
    /* The PTX file names the workload. */
    char *const workload = ws_text_stem(r->files.argument[0]), *const command = command_line(argc, argv);
    char *note = NULL;
    ws_listeners listeners = {0};
    int status = WS_OK;
    if (!workload || !command || asprintf(&note, "workload=%s", workload) < 0) {
        note = NULL;
        status = ws_fail(WS_EMEM, "out of memory");
    }
    const char *const notes[] = {"warpscape=" WS_VERSION, note, NULL};
    const ws_listeners_options who = {.metrics = r->keep.db,
                                      .set = r->keep.set,
                                      .profile = r->keep.profile,
                                      .workers = r->workers,
                                      .instructions = r->keep.lines,
                                      .trace = r->trace,
                                      .values = r->values,
                                      .notes = notes};
    const ws_store_run about = {.workload = workload, .scale = "", .command = command};
    if (status == WS_OK)
        status = ws_listeners_open(&listeners, &who);
    how->listeners = &listeners;
    if (status == WS_OK)
        status =
            r->keep.db ? run_stored(r, script, module, how, &about, result) : run_script(script, module, how, result);
    char message[1024];
    snprintf(message, sizeof message, "%s", ws_message());
    const int closed = ws_listeners_close(&listeners, result->h2d_bytes, result->d2h_bytes);
    how->listeners = NULL;
    free(workload);
    free(command);
    free(note);
    return status ? ws_fail(status, "%s", message) : closed;
}

/* Says how many findings there are of each check, and gives their sum. */
static uint64_t end_checks(const request *r, ws_checker *checker, uint64_t errors)
{
    uint64_t findings[WS_CHECK_COUNTS] = {0};
    char found[128], list[64];
    if (!checker)
        return 0;
    ws_checker_finish(checker);
    for (unsigned i = 0; i < WS_CHECKS; i++)
        findings[i] = ws_checker_findings(checker, (ws_check)i);
    ws_checker_destroy(checker);
    findings[WS_CHECK_ERRORS] = errors;
    ws_checks_list(r->checks, list, sizeof list);
    ws_check_summary(findings, found, sizeof found);
    fprintf(stderr, "warpscape exec: checked for %s: found %s\n", list, found);
    return ws_check_sum(findings);
}

static int execute(const request *r, int argc, char **argv)
{
    ws_module *module = NULL;
    ws_script *script = NULL;
    ws_script_result result = {0};
    uint64_t seed = r->seed;
    const ws_launch_simulator interleaver = {.simulate = ws_interleave, .context = &seed};
    ws_script_options how = {.workers = r->workers,
                             .limit = r->limit,
                             .out = stdout,
                             .turns = r->turns,
                             .simulator = r->interleaved ? &interleaver : NULL};
    ws_source_folder_of(r->files.argument[0]);
    int status = ws_device_code_load(r->files.argument[0], r->architecture, r->files.argument[1], &script, &module);
    ws_interrupts_catch();
    if (status == WS_OK && r->checks && !(how.checker = ws_checker_create(r->checks, ws_check_report, NULL)))
        status = WS_EMEM;
    if (status == WS_OK)
        status = r->keep.db || r->trace ? run_listened(r, script, module, &how, argc, argv, &result)
                                        : run_script(script, module, &how, &result);
    ws_script_destroy(script);
    ws_module_destroy(module);
    const uint64_t found = end_checks(r, how.checker, result.errors);
    if (status == WS_OK && found && r->check_exit)
        exit((int)r->check_exit);
    return status;
}

WS_COMMAND(exec)
{
    request r = {.check_exit = WS_CHECK_EXIT};
    ws_options_parse(&options, argc, argv, &r);
    return r.list ? list(&r) : r.coverage ? cover(&r) : execute(&r, argc, argv);
}
