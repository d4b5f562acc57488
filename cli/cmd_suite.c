/* cmd_suite.c - the built-in workloads: which are there, and what do they do? */
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/features.h"
#include "record/start/suite.h"

#include <string.h>

typedef struct asked {
    struct what {
        bool list, run;
        bool wanted[WS_SUITE_MOST]; /* none: see ws_suite_request */
    } what;
    bool only_run;      /* an option was given that only `run` has */
    const char *chosen; /* the option that chose a group of workloads; NULL */
    ws_suite_request request;
} asked;

/* ------------------------------------------------------------------------------------------------ options */

static void take_argument(const struct argp_state *state, void *member, char *text)
{
    struct what *const o = member;
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

static void check(const struct argp_state *state, const void *request)
{
    const asked *const o = request;
    bool named = false;
    if (!o->what.list && !o->what.run)
        argp_error(state, "expected 'list' or 'run'");
    if (o->what.list && o->only_run)
        argp_error(state, "'list' only takes options that select a group, such as --waiting");
    for (size_t i = 0; i < WS_SUITE_MOST; i++)
        named |= o->what.wanted[i];
    if (named && o->chosen)
        argp_error(state, "--%s selects the workloads; name none", o->chosen);
    if (o->request.sizes && !named)
        argp_error(state, "--size applies to workloads with such sizes; name them");
    if (o->request.values && !o->request.trace)
        argp_error(state, "--values needs --trace: values are kept in trace files");
}

#define ONLY_RUN WS_OPTION_GIVEN(asked, only_run)
#define STUDY(name, letter, group_, meaning) \
    WS_OPTION_VALUE(name, letter, asked, request.group, WS_SUITE_##group_, \
                    "instead of the others, list or run those " meaning), \
        WS_OPTION_NOTED(asked, chosen)

static const ws_option_row option_rows[] = {
    WS_ARGUMENTS(asked, what, take_argument, NULL),
    WS_OPTION_WORD("scale", 'c', "tiny|small|study", asked, request.scale, ws_suite_scales,
                   "size of the inputs [small]"),
    ONLY_RUN,
    WS_OPTION_FILLED("size", 0, "NAME=N,...", asked, request.sizes, "NAME=N",
                     "sizes of the named workloads instead of those of the scale; an unknown name is reported with the "
                     "known ones [none]"),
    ONLY_RUN,
    WS_OPTION_NUMBER("seed", 's', "N", asked, request.seed, 0, UINT64_MAX, "seed of the inputs [1]"),
    ONLY_RUN,
    WS_OPTION_WORKERS(asked, request.workers, WS_SUITE_MOST_WORKERS, "threads that run blocks [one per processor]"),
    ONLY_RUN,
    WS_OPTION_FILLED("db", 'd', "FILE", asked, request.db, "the name of a file", "the results file [warpscape.db]"),
    ONLY_RUN,
    WS_OPTION_FLAG("resume", 'r', asked, request.resume,
                   "skip workloads that FILE has at this scale and seed, with or without --pages"),
    ONLY_RUN,
    WS_OPTION_ONE_OF("set", 'm', "SET", asked, request.set, ws_cli_sets,
                     "metrics to collect: study, modern, all (both), machines or synchronization [all]"),
    ONLY_RUN,
    WS_OPTION_FLAG("profile", 'p', asked, request.profile,
                   "also keep a profile of each launch, for `warpscape model'; takes a few times as long"),
    ONLY_RUN,
    WS_OPTION_FLAG("lines", 0, asked, request.lines, "also keep counts of each instruction, for `warpscape annotate'"),
    ONLY_RUN,
    WS_OPTION_TAKE("check", 0, "race,init,sync,leak", asked, request.checks, ws_take_checks,
                   "check for races, reads of uninitialised memory, barriers that some threads never reach, and leaks; "
                   "on one thread [nothing]"),
    ONLY_RUN,
    WS_OPTION_FLAG("pages", 0, asked, request.pages,
                   "place memory in pages of 2 MiB as a GPU and `warpscape run' do; simulations see other addresses"),
    ONLY_RUN,
    STUDY("waiting", 'w', WAITING,
          "whose blocks wait for each other: some of their counts depend on timing unless -j 1 is given"),
    STUDY("divergence", 0, DIVERGENCE, "of a study of memory divergence"),
    STUDY("sharing", 0, SHARING, "of a study of data shared between blocks"),
    STUDY("synchronization", 0, SYNCHRONIZATION, "of a study of synchronization"),
    STUDY("barriers", 0, BARRIERS, "of a study of barriers and semaphores"),
    STUDY("reuse", 0, REUSE, "of a study of data reuse between kernels"),
    STUDY("drawn", 0, DRAWN, "whose kernels a seed draws, to judge estimates"),
    WS_OPTION_FILLED("trace", 't', "DIR", asked, request.trace, "the name of a folder",
                     "write trace files DIR/ABBR.wst, for `warpscape replay' [none]"),
    ONLY_RUN,
    WS_OPTION_TEXT("launches", 'l', "FILE", asked, request.launches,
                   "measure, and with --trace write, only the launches listed in FILE (`warpscape sample') [all]"),
    ONLY_RUN,
    WS_OPTION_FLAG("values", 'v', asked, request.values, "with --trace: also store the values that some metrics need"),
    ONLY_RUN,
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "list\nrun [ABBR...]",
    .doc = "List the built-in workloads as CSV, or run them and keep their counts in a results file.\vEvery workload "
           "runs in a separate process and checks its result. Results are kept launch by launch, and a workload counts "
           "once it has finished: after an interruption, --resume continues with the unfinished ones.\n\nExample:\n  "
           "warpscape suite run --scale tiny MM BFS\n  warpscape metrics --brief --format table",
    .children = ws_argp_writes_and_sources,
};

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

WS_COMMAND(suite)
{
    asked o = {.request = {.set = "all", .scale = 1, .seed = 1, .db = "warpscape.db", .again = "--resume"}};
    ws_options_parse(&options, argc, argv, &o);
    if (o.what.list)
        return list_workloads(o.request.group);
    o.request.wanted = o.what.wanted;
    return ws_suite_run(&o.request);
}
