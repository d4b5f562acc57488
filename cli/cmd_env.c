/* cmd_env.c - `warpscape env`: the environment in which any CUDA program finds our libraries, for shells and CI. */
#include "cli/cli.h"
#include "cli/program_options.h"
#include "record/selection.h"
#include "record/start/run_environment.h"
#include "record/start/run_find.h"
#include "metrics/store/store.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct asked {
    ws_program_request request;
    bool no_lines, undo;
    unsigned format; /* of formats[] */
} asked;

/* A shell or file: how a variable is set, and how it is unset. Both end their line. */
typedef struct format {
    void (*set)(const char *name, const char *value);
    const char *unset; /* a format with the name */
} format;

/* ------------------------------------------------------------------------------------------------ formats */

/* In single quotes, where a letter of `special` is replaced by its text in `escape`. */
static void print_quoted(const char *value, const char *special, const char *const escape[])
{
    putchar('\'');
    for (const char *c = value; *c; c++) {
        const char *const found = strchr(special, *c);
        if (found)
            fputs(escape[found - special], stdout);
        else
            putchar(*c);
    }
    fputs("'\n", stdout);
}

static void set_in_sh(const char *name, const char *value)
{
    static const char *const escape[] = {"'\\''"};
    printf("export %s=", name);
    print_quoted(value, "'", escape);
}

static void set_in_fish(const char *name, const char *value)
{
    static const char *const escape[] = {"\\'", "\\\\"};
    printf("set -gx %s ", name);
    print_quoted(value, "'\\", escape);
}

/* A value of several lines ends at a line that it does not have. */
static void set_in_github(const char *name, const char *value)
{
    char end[NAME_MAX] = "END";
    if (!strchr(value, '\n')) {
        printf("%s=%s\n", name, value);
        return;
    }
    for (size_t n = strlen(end); strstr(value, end) && n + 1 < sizeof end; n++)
        end[n] = '_';
    printf("%s<<%s\n%s\n%s\n", name, end, value, end);
}

static const char *const format_words[] = {"sh", "fish", "github", NULL};
static const format formats[] = {{set_in_sh, "unset %s\n"}, {set_in_fish, "set -e %s\n"}, {set_in_github, "%s=\n"}};

/* ------------------------------------------------------------------------------------------------ options */

static bool has_measurement(const asked *o)
{
    const ws_program_request *const r = &o->request;
    return r->name || r->kernels || r->launches || r->profile || o->no_lines || strcmp(r->set, "all") != 0;
}

static bool has_rules(const asked *o)
{
    const ws_program_request *const r = &o->request;
    return r->turns != WS_TURNS_STORES || r->bounds != WS_BOUNDS_PAGES || r->alignment != WS_ALIGNMENT_STRICT ||
           r->checks || r->workers || r->device_memory;
}

static void settle(const struct argp_state *state, void *request)
{
    asked *const o = request;
    if (o->undo && (o->request.db || has_measurement(o) || has_rules(o)))
        argp_error(state, "--unset takes no other option than --format");
    if (!o->request.db && has_measurement(o))
        argp_error(state, "options of measurement need --db: without it nothing is measured");
    o->request.lines = !o->no_lines;
}

static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_WORD("format", 'f', "sh|fish|github", asked, format, format_words,
                   "print lines for a POSIX shell, for fish, or for the file $GITHUB_ENV of GitHub Actions [sh]"),
    WS_OPTION_FLAG("unset", 'u', asked, undo, "print lines that undo the command"),
    WS_OPTION_GROUP(2),
    WS_OPTION_FILLED("db", 'd', "FILE", asked, request.db, WS_PROGRAM_NOT_EMPTY,
                     "measure kernels into this results file, each process as a run [measure nothing]"),
    WS_PROGRAM_NAME_OPTION(asked, request),
    WS_PROGRAM_MEASURE_OPTIONS(asked, request),
    WS_OPTION_GROUP(3),
    WS_PROGRAM_KEEP_OPTIONS(asked, request, no_lines),
    WS_OPTION_GROUP(4),
    WS_PROGRAM_RULE_OPTIONS(asked, request),
    WS_PROGRAM_CHECK_OPTION(asked, request.checks),
    WS_PROGRAM_MACHINE_OPTIONS(asked, request),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .refuse = "unexpected argument '%s': a program is run by `warpscape run'",
    .doc = "Print variables with which CUDA programs that a shell starts use this project's libraries in place of the "
           "vendor's, without `warpscape run'. Kernels run on the CPU; nothing is measured without --db.\vThe options "
           "are those of `warpscape run'.\n\nExample:\n  eval \"$(warpscape env)\"",
};

/* ------------------------------------------------------------------------------------------------ command */

/* Refuses what every program would refuse later. Paths of the request become absolute. */
static int check_records(ws_program_request *o, char *db, char *launches, size_t size)
{
    const bool file = o->launches && ws_launch_selection_is_file(o->launches);
    ws_launch_selection *selection = NULL;
    ws_store *store = NULL;
    if (!o->db)
        return WS_OK;
    int status = ws_launch_selection_create(o->kernels, file && !o->name ? NULL : o->launches, o->name, &selection);
    ws_launch_selection_destroy(selection);
    if (!status)
        status = ws_store_open(o->db, true, &store);
    ws_store_close(store);
    if (!status)
        status = ws_program_absolute(o->db, db, size);
    if (!status && file)
        status = ws_program_absolute(o->launches, launches, size);
    o->db = db;
    o->launches = file ? launches : o->launches;
    return status;
}

static void print_variable(const format *f, const ws_run_variable *v)
{
    if (v->value)
        f->set(v->name, v->value);
    else if (getenv(v->name))
        printf(f->unset, v->name);
}

WS_COMMAND(env)
{
    asked o = {.request = {WS_PROGRAM_DEFAULTS}};
    char found[PATH_MAX], libraries[PATH_MAX], db[PATH_MAX], launches[PATH_MAX];
    ws_run_environment environment = {0};
    ws_options_parse(&options, argc, argv, &o);
    int status = ws_program_libraries(found, sizeof found);
    if (!status)
        status = ws_program_durable(found, libraries, sizeof libraries);
    if (!status)
        status = check_records(&o.request, db, launches, PATH_MAX);
    const ws_run_places places = {
        .libraries = libraries, .db = o.request.db, .workload = o.request.name, .launches = o.request.launches};
    if (!status)
        status = o.undo ? ws_run_environment_undo(libraries, &environment)
                        : ws_run_environment_make(&o.request, &places, &environment);
    for (size_t i = 0; !status && i < environment.count; i++)
        print_variable(&formats[o.format], &environment.variable[i]);
    ws_run_environment_fini(&environment);
    return status;
}
