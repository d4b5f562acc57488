/* cmd_run.c - `warpscape run`: a CUDA program of one's own, as its build left it, without a GPU. */
#include "cli/cli.h"
#include "cli/features.h"
#include "cli/annotate/summary.h"
#include "record/check_report.h"
#include "record/start/run_program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_WORKERS = 4096,
    KEY_SAMPLE = 256,
    KEY_TURNS,
    KEY_RACES,
    KEY_CHECK,
    KEY_CHECK_EXIT,
    KEY_BOUNDS,
    KEY_NO_LINES,
    SUMMARY_KERNELS = 3
};

typedef struct options {
    ws_program_request request;
    size_t set;
    unsigned checks;
    bool races, exit_said;
    char **program; /* the program and its arguments; NULL: none yet */
    int words;
} options;

static const struct argp_option option_table[] = {
    {"db", 'd', "FILE", 0, "the results file [warpscape.db]", 1},
    {"name", 'n', "NAME", 0, "of the workload in the results file [the program's]", 1},
    {"metrics-set", 'm', "SET", 0, "metrics to collect: study, modern, all (both), machines or synchronization [all]",
     2},
    {"set", 0, NULL, OPTION_ALIAS, NULL, 2},
    {"kernels", 'k', "REGEX", 0, "measure only kernels whose name, mangled or not, matches [all]", 2},
    {"launches", 'l', "A-B|FILE", 0,
     "measure only launches of these numbers, counted from 1: 1-10,20,30-; or those that FILE lists (`warpscape "
     "sample') [all]",
     2},
    {"sample", KEY_SAMPLE, "PERCENT", 0,
     "measure only as many of the launches that are alike as this tolerance needs, and estimate the others [measure "
     "all]",
     2},
    {"profile", 'p', NULL, 0, "keep a profile of each measured launch, too, for `warpscape model'", 3},
    {"no-lines", KEY_NO_LINES, NULL, 0, "do not keep what each instruction did, which `warpscape annotate' shows", 3},
    {"trace", 't', "DIR", 0, "write trace files DIR/NAME.wst, for `warpscape replay' [none]", 3},
    {"values", 'v', NULL, 0, "with --trace: keep the values that some metrics look at, too", 3},
    {"turns", KEY_TURNS, "barriers|stores", 0,
     "when a warp lets the others of its block run: at barriers, or before each store to global memory, too [stores]",
     4},
    {"bounds", KEY_BOUNDS, "pages|exact", 0,
     "accesses outside allocations: count them in pages that a GPU has mapped, or stop at the first anywhere [pages]",
     4},
    {"check", KEY_CHECK, "race,init,sync,leak", 0,
     "look for races, reads of memory that nobody has written, barriers that not all come to, and what is not freed; "
     "on one thread [nothing]",
     4},
    {"check-exit", KEY_CHECK_EXIT, "N", 0,
     "with --check: exit status where something was found and the program ended well; 0: the program's [1]", 4},
    {"races", KEY_RACES, NULL, 0, "the same as --check race --check-exit 0", 4},
    {"workers", 'j', "N", 0, "threads that run blocks [as many as there are processors]", 4},
    {"seed", 's', "N", 0, "seed of the sample [1]", 4},
    {"quiet", 'q', NULL, 0, "no progress and no summary", 4},
    {0},
};

static const char *require_text(const struct argp_state *state, const char *option, const char *text)
{
    if (!*text)
        argp_error(state, "%s needs a text that is not empty", option);
    return text;
}

/* "5" and "5%" are the same. */
static double read_percent(const struct argp_state *state, const char *text)
{
    char number[64];
    snprintf(number, sizeof number, "%s", text);
    const size_t n = strlen(number);
    if (n && number[n - 1] == '%')
        number[n - 1] = '\0';
    return ws_cli_double(state, "--sample", number, 0.01, 100) / 100;
}

static void take_program(struct argp_state *state, options *o)
{
    o->program = state->argv + state->next - 1; /* this argument and all behind it */
    o->words = state->argc - state->next + 1;
    state->next = state->argc;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    options *const o = state->input;
    ws_program_request *const r = &o->request;
    switch (key) {
    case 'd':
        r->db = require_text(state, "--db", arg);
        return 0;
    case 'n':
        r->name = require_text(state, "--name", arg);
        return 0;
    case 'm':
        o->set = ws_cli_choice(state, "--metrics-set", arg, ws_cli_sets);
        return 0;
    case 'k':
        r->kernels = require_text(state, "--kernels", arg);
        return 0;
    case 'l':
        r->launches = require_text(state, "--launches", arg);
        return 0;
    case KEY_SAMPLE:
        r->sample = read_percent(state, arg);
        return 0;
    case 'p':
        r->profile = true;
        return 0;
    case KEY_NO_LINES:
        r->lines = false;
        return 0;
    case 't':
        r->trace = require_text(state, "--trace", arg);
        return 0;
    case 'v':
        r->values = true;
        return 0;
    case KEY_TURNS:
        r->turns = (ws_turns)ws_cli_choice(state, "--turns", arg, ws_turns_words);
        return 0;
    case KEY_BOUNDS:
        r->bounds = (ws_bounds)ws_cli_choice(state, "--bounds", arg, ws_bounds_words);
        return 0;
    case KEY_CHECK:
        if (ws_checks_parse(arg, &o->checks))
            argp_error(state, "--check: %s", ws_message());
        return 0;
    case KEY_CHECK_EXIT:
        r->check_exit = ws_cli_u64(state, "--check-exit", arg, 0, 255);
        o->exit_said = true;
        return 0;
    case KEY_RACES:
        o->races = true;
        return 0;
    case 'j':
        r->workers = ws_cli_u64(state, "-j", arg, 1, MOST_WORKERS);
        return 0;
    case 's':
        r->seed = ws_cli_u64(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case 'q':
        r->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        take_program(state, o);
        return 0;
    case ARGP_KEY_END:
        if (!o->program)
            argp_error(state, "expected a program and its arguments");
        if (o->exit_said && !o->checks)
            argp_error(state, "--check-exit needs --check");
        r->checks = o->checks | (unsigned)o->races << WS_CHECK_RACE;
        if (!o->checks)
            r->check_exit = 0; /* --races only says */
        if (r->values && !r->trace)
            argp_error(state, "--values needs --trace: values are kept in trace files");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {option_table,
                                 parse,
                                 "[--] PROGRAM [ARGUMENT...]",
                                 "Run a CUDA program with this project's libraries in front of the vendor's: its "
                                 "kernels run on the CPU, and what they do is "
                                 "kept in a results file, launch by launch."
                                 "\vThe program needs no GPU, no driver and no change. It keeps its streams and its "
                                 "exit status, which is ours, too; "
                                 "whatever ends it, the launches that finished are kept.\n\n"
                                 "Example:\n"
                                 "  warpscape run ./vectorAdd\n"
                                 "  warpscape launches",
                                 ws_cli_writes_and_sources,
                                 NULL,
                                 NULL};

/* For people at a terminal: what is wrong with the kernels that ran most. That it cannot be said is no failure of the
 * run. */
static void say_summary(const char *db, int64_t run)
{
    ws_store *store = NULL;
    ws_summary summary = {0};
    int status = ws_store_open(db, false, &store);
    if (!status)
        status = ws_store_choose(store, run);
    if (!status)
        status = ws_summary_make(store, &summary);
    if (!status) {
        fputs("\n", stderr);
        ws_summary_print(&summary, SUMMARY_KERNELS, NULL, NULL, stderr);
    }
    ws_summary_fini(&summary);
    ws_store_close(store);
}

int ws_cmd_run(int argc, char **argv)
{
    options o = {.set = 2,
                 .request = {.db = "warpscape.db",
                             .seed = 1,
                             .lines = true,
                             .turns = WS_TURNS_STORES,
                             .bounds = WS_BOUNDS_PAGES,
                             .check_exit = WS_CHECK_EXIT}};
    int exit_status = EXIT_SUCCESS;
    int64_t run = 0;
    ws_cli_parse_in_order(&argp, argc, argv, &o);
    char **const words = calloc((size_t)o.words + 1, sizeof *words);
    if (!words)
        return ws_fail(WS_EMEM, "out of memory");
    memcpy(words, o.program, (size_t)o.words * sizeof *words);
    o.request.argv = words;
    o.request.set = ws_cli_sets[o.set];
    const int status = ws_program_run(&o.request, &exit_status, &run);
    free(words);
    if (!status && run && !o.request.quiet && isatty(STDERR_FILENO))
        say_summary(o.request.db, run);
    if (!status && exit_status)
        exit(exit_status); /* the program's own; all has been said */
    return status;
}
