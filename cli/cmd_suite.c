/* cmd_suite.c - the built-in workloads: which are there, and what do they do? */
#include "cli/child.h"
#include "cli/cli.h"

#include "metrics/store/store.h"

#include <ctype.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORKERS = 4096, SCALES = 3 };

typedef struct workload {
    const char *abbr, *name, *suite;
    int kernels;
    bool shared;
    double million[SCALES]; /* warp instructions at each scale, for the progress bar */
    const char *description;
} workload;

#define SUITE_S "CUDA SDK"
#define SUITE_R "Rodinia"
#define SUITE_P "Parboil"
#define SUITE_T "third party"
#define SHARED_Y true
#define SHARED_N false
static const workload workloads[] = {
#define WORKLOAD(abbr, folder, name, suite, kernels, shared, tiny, small, study, description) \
    {#abbr, name, SUITE_##suite, kernels, SHARED_##shared, {tiny, small, study}, description},
#include "data/workloads/workloads.def"
#undef WORKLOAD
};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static const char *const scales[] = {"tiny", "small", "study", NULL};
static const char *const sets[] = {"study", "modern", "all", NULL};

typedef struct options {
    bool list, run, only_run; /* only_run: an option was given that only `run` has */
    bool resume;
    size_t scale, set;
    uint64_t seed, workers;
    const char *db;
    bool wanted[WORKLOADS]; /* none: all */
    size_t named;
} options;

/* ------------------------------------------------------------------------------------------------ options */

/* Whether one typing error (a letter too many, too few or wrong) makes the one word of the other, in any case. */
static bool is_one_error_off(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    while (m && n && toupper((unsigned char)*a) == toupper((unsigned char)*b)) {
        a++, b++;
        m--, n--;
    }
    while (m && n && toupper((unsigned char)a[m - 1]) == toupper((unsigned char)b[n - 1]))
        m--, n--;
    return m <= 1 && n <= 1;
}

/* Whether the user may have meant this one. */
static bool is_close(const workload *w, const char *text)
{
    return is_one_error_off(text, w->abbr) || (strlen(text) >= 3 && strcasestr(w->name, text));
}

static void refuse_workload(const struct argp_state *state, const char *text)
{
    char close[512] = "", all[512] = "";
    for (size_t i = 0; i < WORKLOADS; i++) {
        char *const list = is_close(&workloads[i], text) ? close : all;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof close - used, "%s%s", used ? ", " : "", workloads[i].abbr);
    }
    if (*close)
        argp_error(state, "there is no workload '%s'; did you mean %s?", text, close);
    else
        argp_error(state, "there is no workload '%s'; there are %s", text, all);
}

static void want_workload(const struct argp_state *state, options *o, const char *text)
{
    for (size_t i = 0; i < WORKLOADS; i++) {
        if (!strcasecmp(workloads[i].abbr, text)) {
            o->wanted[i] = true;
            o->named++;
            return;
        }
    }
    refuse_workload(state, text);
}

static void take_argument(const struct argp_state *state, options *o, const char *text)
{
    if (o->run)
        want_workload(state, o, text);
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
    o->only_run = o->only_run || (key > 0 && key < 256 && isalpha(key));
    switch (key) {
    case 'c':
        o->scale = ws_cli_choice(state, "--scale", arg, scales);
        return 0;
    case 's':
        o->seed = ws_cli_u64(state, "--seed", arg, 0, ULONG_MAX);
        return 0;
    case 'j':
        o->workers = ws_cli_u64(state, "-j", arg, 1, MOST_WORKERS);
        return 0;
    case 'd':
        if (!*arg)
            argp_error(state, "--db needs the name of a file");
        o->db = arg;
        return 0;
    case 'r':
        o->resume = true;
        return 0;
    case 'm':
        o->set = ws_cli_choice(state, "--set", arg, sets);
        return 0;
    case ARGP_KEY_ARG:
        take_argument(state, o, arg);
        return 0;
    case ARGP_KEY_END:
        if (!o->list && !o->run)
            argp_error(state, "expected 'list' or 'run'");
        if (o->list && o->only_run)
            argp_error(state, "'list' takes no options");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"scale", 'c', "tiny|small|study", 0, "size of the inputs [small]", 0},
    {"seed", 's', "N", 0, "seed of the inputs [1]", 0},
    {"workers", 'j', "N", 0, "threads that run blocks [as many as there are processors]", 0},
    {"db", 'd', "FILE", 0, "the results file [warpscape.db]", 0},
    {"resume", 'r', NULL, 0, "leave out workloads that are done in FILE at this scale and seed", 0},
    {"set", 'm', "study|modern|all", 0, "metrics to collect [all]", 0},
    {0},
};
static const struct argp argp = {
    option_table, parse, "list\nrun [ABBR...]",
    "List the built-in workloads as CSV, or run them and keep what they did in a results file."
    "\vEvery workload runs as a process of its own and checks its result. Results are kept launch by launch, and a "
    "workload counts when it has finished: after Ctrl-C or worse, --resume goes on with those that have not.",
    NULL, NULL, NULL};

/* ------------------------------------------------------------------------------------------------ list */

static int list_workloads(void)
{
    puts("abbr,name,suite,kernels,shared,description");
    for (size_t i = 0; i < WORKLOADS; i++) {
        const workload *const w = &workloads[i];
        const char *const quote = strchr(w->description, ',') ? "\"" : "";
        printf("%s,%s,%s,%d,%c,%s%s%s\n", w->abbr, w->name, w->suite, w->kernels, w->shared ? 'Y' : 'N', quote,
               w->description, quote);
    }
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ where they are */

static bool has_workloads(const char *folder)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", folder, workloads[0].abbr);
    return !access(path, X_OK);
}

/* Beside this program in a build tree, beside its prefix when installed, or in the prefix it was built for. */
static int find_folder(char *folder, size_t size)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    const char *const here = dirname(self);
    static const char *const beside[] = {"workloads", "../libexec/warpscape/workloads"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        snprintf(folder, size, "%s/%s", here, beside[i]);
        if (has_workloads(folder))
            return WS_OK;
    }
    snprintf(folder, size, "%s/libexec/warpscape/workloads", WS_PREFIX);
    if (has_workloads(folder))
        return WS_OK;
    return ws_fail(WS_ENOTFOUND, "the workload programs are neither in %s/workloads nor in %s; 'make' builds them",
                   here, folder);
}

/* ------------------------------------------------------------------------------------------------ run */

typedef struct suite {
    const options *options;
    char folder[PATH_MAX];
    ws_store *store;
    ws_progress bar;
    double done, total;  /* million warp instructions expected: of finished workloads, of all to run */
    const workload *now;
    size_t number, count; /* of the workload that runs, among those to run */
    size_t failures;
    char failed[512];     /* their names */
} suite;

static double cost(const suite *s, const workload *w)
{
    return w->million[s->options->scale];
}

static void show(void *context, const ws_child_progress *p)
{
    suite *const s = context;
    const double expected = cost(s, s->now), executed = 1e-6 * (double)p->warp_instructions;
    const double part = executed < 0.99 * expected ? executed : 0.99 * expected;
    char what[WS_CHILD_TEXT + 64];
    snprintf(what, sizeof what, "%zu/%zu %s %s", s->number, s->count, s->now->abbr, p->kernel);
    ws_progress_show(&s->bar, what, (s->done + part) / s->total);
}

/* Why a workload failed, in words; "done" when it has not. What the engine says tells more than the error code that the
 * workload makes of it. */
static void describe(const ws_child_result *r, char *text, size_t size)
{
    const char *const words = *r->cause ? r->cause : r->message;
    if (r->signal)
        snprintf(text, size, "crashed with signal %d (%s)%s%.400s", r->signal, strsignal(r->signal),
                 *words ? "; its last words: " : "", words);
    else if (r->exit_status)
        snprintf(text, size, "%s", *words ? words : "failed without a word");
    else
        snprintf(text, size, "done");
}

static void note_failure(suite *s, const workload *w)
{
    const size_t used = strlen(s->failed);
    snprintf(s->failed + used, sizeof s->failed - used, "%s%s", used ? ", " : "", w->abbr);
    s->failures++;
}

/* The workload says "MM: wrong result ..."; the line already begins with its name. */
static const char *without_name(const workload *w, const char *text)
{
    const size_t n = strlen(w->abbr);
    return !strncmp(text, w->abbr, n) && !strncmp(text + n, ": ", 2) ? text + n + 2 : text;
}

static int run_child(suite *s, const workload *w, int64_t run, ws_child_result *result)
{
    const options *const o = s->options;
    char program[PATH_MAX + 32], seed[32];
    char db[PATH_MAX + 32], run_number[64], workers[64], set[64], name[64], scale[64], seed_variable[64];
    snprintf(program, sizeof program, "%s/%s", s->folder, w->abbr);
    snprintf(seed, sizeof seed, "%" PRIu64, o->seed);
    snprintf(db, sizeof db, "WARPSCAPE_DB=%s", o->db);
    snprintf(run_number, sizeof run_number, "WARPSCAPE_RUN=%" PRId64, run);
    snprintf(workers, sizeof workers, "WARPSCAPE_WORKERS=%" PRIu64, o->workers);
    snprintf(set, sizeof set, "WARPSCAPE_SET=%s", sets[o->set]);
    snprintf(name, sizeof name, "WARPSCAPE_WORKLOAD=%s", w->abbr);
    snprintf(scale, sizeof scale, "WARPSCAPE_SCALE=%s", scales[o->scale]);
    snprintf(seed_variable, sizeof seed_variable, "WARPSCAPE_SEED=%s", seed);
    const char *const arguments[] = {program, "--scale", scales[o->scale], "--seed", seed, NULL};
    const char *const environment[] = {db, run_number, workers, set, name, scale, seed_variable, NULL};
    const ws_child child = {.argv = arguments, .environment = environment, .progress = show, .context = s};
    return ws_child_run(&child, result);
}

/* One workload, from its row in the results file to its line on stderr. Its own failure is none of ours. */
static int run_workload(suite *s, const workload *w)
{
    const options *const o = s->options;
    char command[128], end[2 * WS_CHILD_TEXT];
    ws_child_result result;
    int64_t run = 0;
    snprintf(command, sizeof command, "warpscape suite run --scale %s --seed %" PRIu64 " %s", scales[o->scale], o->seed,
             w->abbr);
    const ws_store_run about = {.workload = w->abbr, .scale = scales[o->scale], .seed = o->seed, .command = command};
    s->now = w;
    show(s, &(ws_child_progress){.kernel = ""});
    int status = ws_store_begin(s->store, &about, &run);
    if (!status)
        status = run_child(s, w, run, &result);
    if (status)
        return status;
    if (result.interrupted)
        return ws_fail(WS_EINTERRUPTED,
                       "interrupted in %s; finished workloads are in %s, --resume goes on with the rest",
                       w->abbr, o->db);
    describe(&result, end, sizeof end);
    status = ws_store_finish(s->store, run, without_name(w, end), result.seconds);
    if (status)
        return status;
    const bool failed = result.signal || result.exit_status;
    if (failed)
        note_failure(s, w);
    ws_progress_end(&s->bar);
    fprintf(stderr, "%-4s %s: %s, %.2f s\n", w->abbr, scales[o->scale], failed ? without_name(w, end) : "right result",
            result.seconds);
    return WS_OK;
}

/* Which of the wanted workloads are left to do. */
static int choose(suite *s, bool todo[WORKLOADS])
{
    const options *const o = s->options;
    for (size_t i = 0; i < WORKLOADS; i++) {
        int done = 0;
        todo[i] = !o->named || o->wanted[i];
        if (todo[i] && o->resume) {
            const int status = ws_store_is_done(s->store, workloads[i].abbr, scales[o->scale], o->seed, &done);
            if (status)
                return status;
        }
        if (done) {
            todo[i] = false;
            fprintf(stderr, "%-4s %s: done before\n", workloads[i].abbr, scales[o->scale]);
        }
        s->count += todo[i];
        s->total += todo[i] ? cost(s, &workloads[i]) : 0;
    }
    return WS_OK;
}

static int run_chosen(suite *s)
{
    bool todo[WORKLOADS];
    int status = choose(s, todo);
    for (size_t i = 0; i < WORKLOADS && !status; i++) {
        if (!todo[i])
            continue;
        if (ws_interrupted())
            return ws_fail(WS_EINTERRUPTED, "interrupted; finished workloads are in %s, --resume goes on with the rest",
                           s->options->db);
        s->number++;
        status = run_workload(s, &workloads[i]);
        s->done += cost(s, &workloads[i]);
    }
    if (!status && s->failures)
        status = ws_fail(WS_EVERIFY, "%zu of %zu workloads failed: %s", s->failures, s->count, s->failed);
    return status;
}

static int run_suite(const options *o)
{
    suite s = {.options = o};
    int status = find_folder(s.folder, sizeof s.folder);
    if (!status)
        status = ws_store_open(o->db, true, &s.store);
    if (status)
        return status;
    ws_interrupts_catch();
    ws_progress_begin(&s.bar);
    status = run_chosen(&s);
    ws_progress_end(&s.bar);
    ws_store_close(s.store);
    return status;
}

int ws_cmd_suite(int argc, char **argv)
{
    options o = {.scale = 1, .set = 2, .seed = 1, .db = "warpscape.db"};
    ws_cli_parse(&argp, argc, argv, &o);
    return o.list ? list_workloads() : run_suite(&o);
}
