/* cmd_run.c - `warpscape run`: a CUDA program of one's own, as its build left it, without a GPU. */
#include "cli/cli.h"
#include "cli/annotate/summary.h"
#include "cli/program_options.h"
#include "record/check_report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUMMARY_KERNELS = 3 };

typedef struct asked {
    ws_program_request request;
    unsigned checks;
    bool races, exit_said, no_lines;
    ws_rest program; /* and its arguments */
} asked;

static void settle(const struct argp_state *state, void *request)
{
    asked *const o = request;
    ws_program_request *const r = &o->request;
    if (!o->program.count)
        argp_error(state, "expected a program and its arguments");
    if (o->exit_said && !o->checks)
        argp_error(state, "--check-exit needs --check");
    r->lines = !o->no_lines;
    r->checks = o->checks | (unsigned)o->races << WS_CHECK_RACE;
    if (!o->checks)
        r->check_exit = 0; /* --races only says */
    if (r->values && !r->trace)
        argp_error(state, "--values needs --trace: values are kept in trace files");
}

static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_FILLED("db", 'd', "FILE", asked, request.db, WS_PROGRAM_NOT_EMPTY, "the results file [warpscape.db]"),
    WS_PROGRAM_NAME_OPTION(asked, request),
    WS_OPTION_GROUP(2),
    WS_PROGRAM_MEASURE_OPTIONS(asked, request),
    WS_OPTION_PERCENT(
        "sample", "PERCENT", asked, request.sample, 0.01, 100,
        "measure only as many similar launches as this tolerance needs, and estimate the others [measure all]"),
    WS_OPTION_GROUP(3),
    WS_PROGRAM_KEEP_OPTIONS(asked, request, no_lines),
    WS_OPTION_FILLED("trace", 't', "DIR", asked, request.trace, WS_PROGRAM_NOT_EMPTY,
                     "write trace files DIR/NAME.wst, for `warpscape replay' [none]"),
    WS_OPTION_FLAG("values", 'v', asked, request.values, "with --trace: also store the values that some metrics need"),
    WS_OPTION_GROUP(4),
    WS_PROGRAM_RULE_OPTIONS(asked, request),
    WS_PROGRAM_CHECK_OPTION(asked, checks),
    WS_OPTION_NUMBER("check-exit", 0, "N", asked, request.check_exit, 0, 255,
                     "with --check: exit status for findings if the program succeeded; 0: the program's [1]"),
    WS_OPTION_GIVEN(asked, exit_said),
    WS_OPTION_FLAG("races", 0, asked, races, "the same as --check race --check-exit 0"),
    WS_PROGRAM_MACHINE_OPTIONS(asked, request),
    WS_OPTION_NUMBER("seed", 's', "N", asked, request.seed, 0, UINT64_MAX, "seed of the sample [1]"),
    WS_OPTION_FLAG("quiet", 'q', asked, request.quiet, "no progress and no summary"),
    WS_REST_OF_ARGUMENTS(asked, program),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .in_order = true,
    .args_doc = "[--] PROGRAM [ARGUMENT...]",
    .doc = "Run a CUDA program with this project's libraries in place of the vendor's: its kernels run on the CPU, and "
           "a results file receives the counts of each launch.\vThe program needs no GPU, driver or change. It keeps "
           "its streams and its exit status, which this command returns; finished launches are kept however it "
           "ends.\n\nExample:\n  warpscape run ./vectorAdd\n  warpscape launches",
    .children = ws_argp_writes_and_sources,
};

/* For people at a terminal: what is wrong with the kernels that ran most. That it cannot be said is no failure of the
 * run. */
static void say_summary(const char *db, int64_t run)
{
    ws_store *store = NULL;
    ws_summary summary = {0};
    int status = ws_store_open_run(db, run, &store);
    if (!status)
        status = ws_summary_make(store, &summary);
    if (!status) {
        fputs("\n", stderr);
        ws_summary_print(&summary, SUMMARY_KERNELS, NULL, NULL, stderr);
    }
    ws_summary_fini(&summary);
    ws_store_close(store);
}

WS_COMMAND(run)
{
    asked o = {.request = {WS_PROGRAM_DEFAULTS, .db = "warpscape.db", .check_exit = WS_CHECK_EXIT}};
    int exit_status = EXIT_SUCCESS;
    int64_t run = 0;
    ws_options_parse(&options, argc, argv, &o);
    char **const words = calloc((size_t)o.program.count + 1, sizeof *words);
    if (!words)
        return ws_fail(WS_EMEM, "out of memory");
    memcpy(words, o.program.argument, (size_t)o.program.count * sizeof *words);
    o.request.argv = words;
    const int status = ws_program_run(&o.request, &exit_status, &run);
    free(words);
    if (!status && run && !o.request.quiet && isatty(STDERR_FILENO))
        say_summary(o.request.db, run);
    if (!status && exit_status)
        exit(exit_status); /* the program's own; all has been said */
    return status;
}
