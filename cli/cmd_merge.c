/* cmd_merge.c - `warpscape merge`: many results files into one. */
#include "metrics/store/store_merge.h"

#include "base/interrupt.h"
#include "base/options/option_rows.h"
#include "base/shown.h"
#include "cli/cli.h"

#include <inttypes.h>

typedef struct request {
    ws_rest files;
    const char *output;
    ws_store_prefer prefer;
} request;

static const char *const prefer_words[] = {
    [WS_STORE_PREFER_NONE] = "none", [WS_STORE_PREFER_FIRST] = "first", [WS_STORE_PREFER_LAST] = "last", NULL};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (!r->files.count)
        argp_error(state, "which results files?");
    if (!r->output)
        argp_error(state, "-o FILE is needed: the results file to make");
}

static const ws_option_row option_rows[] = {
    WS_OPTION_FILLED("output", 'o', "FILE", request, output, "the name of a file",
                     "Results file to make; it must not exist"),
    WS_OPTION_WORD("prefer", 0, "none|first|last", request, prefer, prefer_words,
                   "For runs of one command with different numbers: report an error, or keep those of the first or "
                   "last file that has any [none]"),
    WS_REST_OF_ARGUMENTS(request, files),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "FILE...",
    .doc = "Merges results files of several machines and users into a new one.\vRuns with the same content (workload, "
           "scale, seed, selection, launches and metrics, but not times or the command) are kept once. Runs of the "
           "same command whose launches have different numbers in different files are conflicts: each is reported with "
           "its launch, and nothing is written unless --prefer chooses. The result does not depend on the order of the "
           "files. Input files are not changed; older versions are converted in a temporary copy.\n\nExample:\n  "
           "warpscape suite run --scale tiny --db a.db MM BFS\n  warpscape suite run --scale tiny --db b.db BFS HS\n  "
           "warpscape merge a.db b.db -o all.db\n  warpscape metrics --db all.db",
};

static void print_line(void *user, const char *line)
{
    ws_progress_end(user);
    ws_show_line(stderr, "warpscape merge: %s", line);
}

static void print_counts(const ws_store_merged *m)
{
    const struct {
        const char *one, *more;
        uint64_t count;
    } left_out[] = {{"duplicate", "duplicates", m->duplicates},
                    {"run with other numbers", "runs with other numbers", m->left_out},
                    {"unfinished run", "unfinished runs", m->unfinished}};
    const char *before = "; left out: ";
    fprintf(stderr, "%" PRIu64 " run%s with %" PRIu64 " launch%s from %" PRIu64 " file%s", m->runs,
            m->runs == 1 ? "" : "s", m->launches, m->launches == 1 ? "" : "es", m->files, m->files == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        if (!left_out[i].count)
            continue;
        fprintf(stderr, "%s%" PRIu64 " %s", before, left_out[i].count,
                left_out[i].count == 1 ? left_out[i].one : left_out[i].more);
        before = ", ";
    }
    fputc('\n', stderr);
}

WS_COMMAND(merge)
{
    request r = {0};
    ws_progress bar;
    ws_store_merged merged;
    ws_options_parse(&options, argc, argv, &r);
    ws_interrupts_catch();
    ws_progress_begin(&bar);
    const ws_store_merge how = {.prefer = r.prefer, .tell = print_line, .user = &bar, .progress = &bar};
    const int status =
        ws_store_merge_files((const char *const *)r.files.argument, (size_t)r.files.count, r.output, &how, &merged);
    ws_progress_end(&bar);
    if (!status)
        print_counts(&merged);
    return status;
}
