/* cmd_launches.c - `warpscape launches`: what a program launched, one line a launch, measured or not. */
#include "cli/cli.h"
#include "base/options/option_rows.h"
#include "cli/csv_text.h"
#include "metrics/store/store.h"

#include <inttypes.h>

typedef struct request {
    const char *db;
    bool mangled;
    uint64_t rows, run; /* run: 0: those that are shown */
} request;

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, db, "Results file [warpscape.db]"),
    WS_OPTION_FLAG("mangled", 'g', request, mangled, "Print mangled kernel names"),
    WS_OPTION_NUMBER("run", 'r', "N", request, run, 1, INT64_MAX,
                     "Launches of run N (see `warpscape runs') [of each workload the last run that counts]"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .refuse = "unexpected argument '%s': the results file is given by --db",
    .doc = "Lists the launches in a results file as CSV: kernel, shape, bytes copied since the previous launch, "
           "instructions, whether the launch was measured, and for child kernels the parent launch.\vLaunches that "
           "were not measured (--kernels, --launches and --sample of `warpscape run') also ran. In a sampled run, "
           "weight is the number of launches that a measured one represents.\n\nExample:\n  warpscape run ./app\n  "
           "warpscape launches",
};

static void print_number(int64_t number)
{
    if (number < 0)
        fputs(",NA", stdout);
    else
        printf(",%" PRId64, number);
}

static void print_shape(const int64_t shape[3])
{
    printf(",%" PRId64 "x%" PRId64 "x%" PRId64, shape[0], shape[1], shape[2]);
}

static int print_row(void *context, const ws_store_row *row)
{
    request *const r = context;
    const int64_t shared[] = {row->dynamic_shared < 0 ? row->shared_bytes : row->shared_bytes - row->dynamic_shared,
                              row->dynamic_shared};
    const int64_t numbers[] = {shared[0], shared[1], row->registers, row->local_bytes,       row->h2d,
                               row->d2h,  row->d2d,  row->filled,    row->warp_instructions, row->thread_instructions};
    r->rows++;
    ws_csv_text(stdout, row->workload);
    printf(",%" PRId64 ",", row->sequence + 1);
    ws_csv_text(stdout, r->mangled ? row->kernel : row->title);
    print_shape(row->grid);
    print_shape(row->block);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        print_number(numbers[i]);
    printf(",%s,%.6g", row->measured ? "Y" : "N", row->measured ? row->weight : 0);
    print_number(row->parent < 0 ? row->parent : row->parent + 1);
    putchar(',');
    ws_csv_text(stdout, row->kernel);
    putchar('\n');
    return WS_OK;
}

WS_COMMAND(launches)
{
    request r = {.db = "warpscape.db"};
    ws_store *store;
    ws_options_parse(&options, argc, argv, &r);
    int status = ws_store_open_run(r.db, (int64_t)r.run, &store);
    if (status != WS_OK)
        return status;
    puts("workload,launch,kernel,grid,block,static_shared,dynamic_shared,registers,local,h2d,d2h,d2d,filled,"
         "warp_instructions,thread_instructions,measured,weight,parent,mangled");
    status = ws_store_launches(store, print_row, &r);
    if (status == WS_OK && !r.rows)
        status = ws_fail(WS_ENOTFOUND, "%s: holds no launches (see `warpscape run`)", r.db);
    ws_store_close(store);
    return status;
}
