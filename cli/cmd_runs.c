/* cmd_runs.c - `warpscape runs`: which runs does a results file keep, and which of them can go? */
#include "base/grow.h"
#include "cli/cli.h"
#include "base/options/option_rows.h"
#include "cli/csv_text.h"
#include "metrics/store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *db;
    struct numbers {
        int64_t *one;
        size_t count, room;
    } remove;
    bool others;
} request;

static void note_number(struct numbers *to, int64_t number)
{
    if (!WS_GROW(to->one, to->room, to->count, 1))
        to->one[to->count++] = number;
}

static void take_number(const struct argp_state *state, void *member, char *arg)
{
    note_number(member, (int64_t)ws_argp_u64(state, "--remove", arg, 1, INT64_MAX));
}

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->others && r->remove.count)
        argp_error(state, "--remove-others selects the runs; leave out --remove");
}

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, db, "Results file [warpscape.db]"),
    WS_OPTION_TAKE("remove", 'r', "N", request, remove, take_number,
                   "Remove run N with all of its launches instead; may be repeated"),
    WS_OPTION_FLAG("remove-others", 0, request, others,
                   "Remove all runs except those that are shown or in progress instead"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .refuse = "unexpected argument '%s': the results file is given by --db",
    .doc = "Lists the runs of a results file as CSV, or removes some.\vEach run of a program, a suite's workload, a "
           "launch file or a trace has a number. Other commands show the last run of each workload that measured "
           "anything; `--run N' of `warpscape metrics' and `warpscape launches' selects another one.\n\nExample:\n  "
           "warpscape suite run --scale tiny MM BFS\n  warpscape runs\n  warpscape metrics --run 1\n  warpscape runs "
           "--remove 2",
};

static int print_run(void *context, const ws_store_about *run)
{
    uint64_t *const rows = context;
    const char *const texts[] = {run->status, run->selection, run->command};
    ++*rows;
    printf("%" PRId64 ",", run->number);
    ws_csv_text(stdout, run->workload);
    printf(",%s,%s,%" PRId64 ",%" PRId64 ",%s", run->scale, run->seed, run->launches, run->measured,
           run->shown ? "Y" : "N");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        putchar(',');
        ws_csv_text(stdout, texts[i]);
    }
    putchar('\n');
    return WS_OK;
}

static int list(ws_store *store, const request *r)
{
    uint64_t rows = 0;
    puts("run,workload,scale,seed,launches,measured,shown,status,selection,command");
    const int status = ws_store_runs(store, print_run, &rows);
    return status || rows ? status : ws_fail(WS_ENOTFOUND, "%s: holds no runs (see `warpscape run`)", r->db);
}

static int note_other(void *context, const ws_store_about *run)
{
    if (!run->shown && strcmp(run->status, "in progress") != 0)
        note_number(context, run->number);
    return WS_OK;
}

WS_COMMAND(runs)
{
    request r = {.db = "warpscape.db"};
    ws_store *store;
    ws_options_parse(&options, argc, argv, &r);
    int status = ws_store_open(r.db, false, &store);
    if (!status && r.others)
        status = ws_store_runs(store, note_other, &r.remove);
    if (!status)
        status = r.others || r.remove.count ? ws_store_remove(store, r.remove.one, r.remove.count) : list(store, &r);
    ws_store_close(store);
    free(r.remove.one);
    return status;
}
