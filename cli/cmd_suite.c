/* cmd_suite.c - the built-in workloads: which are there, and what do they do? */
#include "cli/cli.h"
#include "cli/features.h"
#include "collect/check/checker.h"
#include "record/start/suite.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

typedef struct options {
    bool list, run, only_run; /* only_run: an option was given that only `run` has */
    size_t set;
    bool wanted[WS_SUITE_MOST]; /* none: see ws_suite_request */
    ws_suite_request request;
} options;

/* ------------------------------------------------------------------------------------------------ options */

enum {
    OPTION_DIVERGENCE = 256,
    OPTION_SHARING,
    OPTION_SYNCHRONIZATION,
    OPTION_BARRIERS,
    OPTION_REUSE,
    OPTION_LINES,
    OPTION_CHECK,
    OPTION_SIZE
};

/* Options that choose a group of workloads. */
static const struct group {
    int key;
    const char *option;
    ws_suite_group group;
} groups[] = {
    {'w', "--waiting", WS_SUITE_WAITING},
    {OPTION_DIVERGENCE, "--divergence", WS_SUITE_DIVERGENCE},
    {OPTION_SHARING, "--sharing", WS_SUITE_SHARING},
    {OPTION_SYNCHRONIZATION, "--synchronization", WS_SUITE_SYNCHRONIZATION},
    {OPTION_BARRIERS, "--barriers", WS_SUITE_BARRIERS},
    {OPTION_REUSE, "--reuse", WS_SUITE_REUSE},
};
enum { GROUPS = sizeof groups / sizeof *groups };

/* The option that chose the group. */
static const char *option_of(ws_suite_group group)
{
    size_t i = 0;
    while (groups[i].group != group)
        i++;
    return groups[i].option;
}

static void take_group(const struct argp_state *state, options *o, int key)
{
    for (size_t i = 0; i < GROUPS; i++) {
        if (groups[i].key != key)
            continue;
        if (o->request.group && o->request.group != groups[i].group)
            argp_error(state, "%s and %s exclude each other", option_of(o->request.group), groups[i].option);
        o->request.group = groups[i].group;
    }
}

static void take_argument(const struct argp_state *state, options *o, const char *text)
{
    if (o->run)
        ws_suite_want(state, text, o->wanted);
    else if (o->list)
        argp_error(state, "'list' takes no argument, so not '%s'", text);
    else if (!strcmp(text, "run"))
        o->run = true;
    else if (!strcmp(text, "list"))
        o->list = true;
    else
        argp_error(state, "expected 'list' or 'run', not '%s'", text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    options *const o = state->input;
    o->only_run = o->only_run || (key > 0 && key < 256 && isalpha(key) && key != 'w');
    switch (key) {
    case 'c':
        o->request.scale = ws_cli_choice(state, "--scale", arg, ws_suite_scales);
        return 0;
    case 's':
        o->request.seed = ws_cli_u64(state, "--seed", arg, 0, ULONG_MAX);
        return 0;
    case 'j':
        o->request.workers = ws_cli_u64(state, "-j", arg, 1, WS_SUITE_MOST_WORKERS);
        return 0;
    case 'd':
        if (!*arg)
            argp_error(state, "--db needs the name of a file");
        o->request.db = arg;
        return 0;
    case 'r':
        o->request.resume = true;
        return 0;
    case 't':
        if (!*arg)
            argp_error(state, "--trace needs the name of a folder");
        o->request.trace = arg;
        return 0;
    case 'w':
    case OPTION_DIVERGENCE:
    case OPTION_SHARING:
    case OPTION_SYNCHRONIZATION:
    case OPTION_BARRIERS:
    case OPTION_REUSE:
        take_group(state, o, key);
        return 0;
    case 'v':
        o->request.values = true;
        return 0;
    case 'p':
        o->request.profile = true;
        return 0;
    case OPTION_LINES:
        o->request.lines = true;
        return 0;
    case OPTION_SIZE:
        if (!*arg)
            argp_error(state, "--size needs NAME=N");
        o->request.sizes = arg;
        o->only_run = true;
        return 0;
    case OPTION_CHECK:
        if (ws_checks_parse(arg, &o->request.checks))
            argp_error(state, "--check: %s", ws_message());
        o->only_run = true;
        return 0;
    case 'l':
        o->request.launches = arg;
        return 0;
    case 'm':
        o->set = ws_cli_choice(state, "--set", arg, ws_cli_sets);
        return 0;
    case ARGP_KEY_ARG:
        take_argument(state, o, arg);
        return 0;
    case ARGP_KEY_END: {
        bool named = false;
        if (!o->list && !o->run)
            argp_error(state, "expected 'list' or 'run'");
        if (o->list && o->only_run)
            argp_error(state, "'list' takes no options but those that choose a group, such as --waiting");
        for (size_t i = 0; i < WS_SUITE_MOST; i++) {
            named |= o->wanted[i];
            if (o->wanted[i] && o->request.group)
                argp_error(state, "%s chooses the workloads; name none", option_of(o->request.group));
        }
        if (o->request.sizes && !named)
            argp_error(state, "--size goes with the workloads that have such sizes; name them");
        if (o->request.values && !o->request.trace)
            argp_error(state, "--values needs --trace: values are kept in trace files");
        return 0;
    }
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"scale", 'c', "tiny|small|study", 0, "size of the inputs [small]", 0},
    {"size", OPTION_SIZE, "NAME=N,...", 0,
     "other sizes of the named workloads than those of the scale; a name that they do not have is told with those that "
     "they do [none]",
     0},
    {"seed", 's', "N", 0, "seed of the inputs [1]", 0},
    {"workers", 'j', "N", 0, "threads that run blocks [as many as there are processors]", 0},
    {"db", 'd', "FILE", 0, "the results file [warpscape.db]", 0},
    {"resume", 'r', NULL, 0, "leave out workloads that are done in FILE at this scale and seed", 0},
    {"set", 'm', "SET", 0, "metrics to collect: study, modern, all (both), machines or synchronization [all]", 0},
    {"profile", 'p', NULL, 0, "keep a profile of each launch, too, for `warpscape model'; takes a few times as long",
     0},
    {"lines", OPTION_LINES, NULL, 0, "keep what each instruction did, too, for `warpscape annotate'", 0},
    {"check", OPTION_CHECK, "race,init,sync,leak", 0,
     "look for races, reads of memory that nobody has written, barriers that not all come to, and what is not freed; "
     "on one thread [nothing]",
     0},
    {"waiting", 'w', NULL, 0,
     "instead of the others, list or run those whose blocks wait for one another: some of their counts hang on timing "
     "unless -j 1 is given",
     0},
    {"divergence", OPTION_DIVERGENCE, NULL, 0,
     "instead of the others, list or run those of a study of memory divergence", 0},
    {"sharing", OPTION_SHARING, NULL, 0,
     "instead of the others, list or run those of a study of data that blocks share", 0},
    {"synchronization", OPTION_SYNCHRONIZATION, NULL, 0,
     "instead of the others, list or run those of a study of synchronization", 0},
    {"barriers", OPTION_BARRIERS, NULL, 0,
     "instead of the others, list or run those of a study of barriers and semaphores", 0},
    {"reuse", OPTION_REUSE, NULL, 0,
     "instead of the others, list or run those of a study of data that stay from kernel to kernel", 0},
    {"trace", 't', "DIR", 0, "write trace files DIR/ABBR.wst, for `warpscape replay' [none]", 0},
    {"launches", 'l', "FILE", 0,
     "measure, and with --trace write, only the launches that FILE lists (`warpscape sample') [all]", 0},
    {"values", 'v', NULL, 0, "with --trace: keep the values that some metrics look at, too", 0},
    {0},
};
static const struct argp argp = {
    option_table,
    parse,
    "list\nrun [ABBR...]",
    "List the built-in workloads as CSV, or run them and keep what they did in a results file."
    "\vEvery workload runs as a process of its own and checks its result. Results are kept launch by launch, and a "
    "workload counts when it has finished: after Ctrl-C or worse, --resume goes on with those that have not.\n\n"
    "Example:\n"
    "  warpscape suite run --scale tiny MM BFS\n"
    "  warpscape metrics --brief --format table",
    ws_cli_writes_and_sources,
    NULL,
    NULL};

/* ------------------------------------------------------------------------------------------------ list */

static int list_workloads(ws_suite_group group)
{
    puts("abbr,name,suite,kernels,shared,description");
    size_t n;
    const ws_suite_workload *const all = ws_suite_workloads(&n);
    for (size_t i = 0; i < n; i++) {
        const ws_suite_workload *const w = &all[i];
        if (!ws_suite_is_of(w, group))
            continue;
        const char *const quote = strchr(w->description, ',') ? "\"" : "";
        printf("%s,%s,%s,%d,%c,%s%s%s\n", w->abbr, w->name, w->suite, w->kernels, w->shared ? 'Y' : 'N', quote,
               w->description, quote);
    }
    return WS_OK;
}

int ws_cmd_suite(int argc, char **argv)
{
    options o = {.set = 2, .request = {.scale = 1, .seed = 1, .db = "warpscape.db", .again = "--resume"}};
    ws_cli_parse(&argp, argc, argv, &o);
    if (o.list)
        return list_workloads(o.request.group);
    o.request.set = ws_cli_sets[o.set];
    o.request.wanted = o.wanted;
    return ws_suite_run(&o.request);
}
