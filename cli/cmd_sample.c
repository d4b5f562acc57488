/* cmd_sample.c - `warpscape sample`: which launches of a program are worth simulating, and what does each of them stand
 * for? */
#include "base/output.h"
#include "cli/cli.h"
#include "base/options/option_rows.h"
#include "cli/sample/launch_population.h"
#include "cli/sample/sample_list.h"
#include "plots/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_METHODS = 16 };

typedef struct request {
    const char *db, *output, *figure;
    ws_rest arguments;
    const ws_sample_method *method;
    ws_sample_plan how; /* options of it */
    uint64_t run;
    bool has_split, exports;
    size_t export; /* index of ws_sample_exports; a list otherwise */
} request;

static void take_method(const struct argp_state *state, void *member, char *text)
{
    const char *word[MOST_METHODS] = {NULL};
    const ws_sample_method *m;
    for (size_t i = 0; i + 1 < MOST_METHODS && (m = ws_sample_method_at(i)); i++)
        word[i] = m->name;
    *(const ws_sample_method **)member = ws_sample_method_at(ws_argp_choice(state, "--method", text, word));
}

static void settle(const struct argp_state *state, void *asked)
{
    request *const r = asked;
    if (r->how.count && !r->method->counts)
        argp_error(state, "--count is for methods pka and random: %s computes the number of launches", r->method->name);
    if (!r->has_split && !strcmp(r->method->name, "sieve"))
        r->how.split = 0.4;
}

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, db, "Results file [warpscape.db]"),
    WS_OPTION_NUMBER("run", 'r', "N", request, run, 1, INT64_MAX,
                     "Launches of run N (see `warpscape runs') [of each workload the last run that counts]"),
    WS_OPTION_PERCENT("error", "PERCENT", request, how.error, 0.001, 100,
                      "Target bound of the error of a workload's total time [2]"),
    WS_OPTION_PERCENT("confidence", "PERCENT", request, how.confidence, 1, 99.9999,
                      "Confidence of the bound, two-sided [95]"),
    WS_OPTION_TAKE("method", 0, "strata|sieve|pka|random", request, method, take_method,
                   "Method of selection [strata]"),
    WS_OPTION_REAL("split", 0, "RATIO", request, how.split, 1e-6, 100, 1,
                   "Split launches of a kernel that vary by more than this; Sieve's theta [the cheapest; sieve: 0.4]"),
    WS_OPTION_GIVEN(request, has_split),
    WS_OPTION_NUMBER("count", 0, "N", request, how.count, 1, UINT32_MAX,
                     "Number of launches to select, for pka and random [as for strata]"),
    WS_OPTION_NUMBER("seed", 's', "N", request, how.seed, 0, UINT64_MAX, "Seed of random choices [1]"),
    WS_OPTION_WORD("export", 0, "accelsim|nvbit|numbers", request, export, ws_sample_exports,
                   "Write instead of a list: kernelslist.g of Accel-Sim, DYNAMIC_KERNEL_RANGE of its tracer, or "
                   "numbers for `warpscape run --launches'"),
    WS_OPTION_GIVEN(request, exports),
    WS_OPTION_OUTPUT(
        "figure", 0, "FILE", request, figure,
        "Draw the launches of one workload, their strata and the selected ones: .svg, .png, .pdf or .gp [none]"),
    WS_OPTION_OUTPUT(
        "output", 'o', "FILE", request, output,
        "Write the list there, and the table to standard output [standard output, the table to standard error]"),
    WS_REST_OF_ARGUMENTS(request, arguments),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .args_doc = "[RESULTS] [WORKLOAD...]",
    .doc = "Selects representative launches of a program: a list with weights, for `warpscape sim --launches', from a "
           "results file of `warpscape run', `exec' or `suite run'.\vLaunches of a kernel without known differences "
           "form a stratum. Each stratum contributes as many launches as the error bound needs; weights are the "
           "launches that each represents. docs/sampling.md explains the bound and its measured "
           "accuracy.\n\nExample:\n  warpscape run --trace traces ./a.out\n  warpscape sample -o launches.csv\n  "
           "warpscape sim --launches launches.csv traces/a.out.wst",
    .children = ws_argp_writes,
};

/* A results file may stand in front of the workloads: no workload is called like a file that is there. */
static void take_file(request *r)
{
    ws_rest *const rest = &r->arguments;
    if (rest->count && strchr(rest->argument[0], '.') && !access(rest->argument[0], F_OK)) {
        r->db = *rest->argument++;
        rest->count--;
    }
}

/* How many launches are to be chosen, where the method does not know. */
static int find_count(const request *r, ws_launch_population *p, size_t *count)
{
    ws_sample_plan strata;
    *count = r->how.count < p->launches ? r->how.count : p->launches;
    if (!r->method->counts || r->how.count)
        return WS_OK;
    ws_launch_population_plan(p, ws_sample_method_at(0), &r->how, &strata);
    const int status = ws_sample_choose(ws_sample_method_at(0), &strata);
    *count = status ? 0 : ws_sample_chosen(&strata, NULL);
    ws_sample_plan_fini(&strata);
    return status;
}

/* A row a launch, as figure `strata` takes them. */
static int list_strata(const ws_launch_population *p, ws_frame **out)
{
    static const ws_frame_column column[] = {
        {"launch", ""}, {"warp_instructions", "instr"}, {"stratum", ""}, {"weight", "launches"}};
    static const ws_frame_layout layout = {{"kernel"}, column, sizeof column / sizeof *column, ""};
    ws_frame *frame;
    int status = ws_frame_begin(&layout, &frame);
    for (size_t i = 0; i < p->launches && !status; i++) {
        const ws_sample_launch *const l = &p->launch[i];
        const double value[] = {(double)l->number, l->instructions, (double)l->stratum + 1, l->weight};
        status = ws_frame_add_row(frame, (const char *[]){p->known[i].title}, value);
    }
    return ws_frame_give(status, frame, out);
}

static int draw_strata(const request *r, const ws_launch_population *p)
{
    ws_frame *frame;
    int status = list_strata(p, &frame);
    if (status)
        return status;
    const ws_plot_request figure = {.data = frame, .cut = NAN, .title = p->workload};
    status = ws_plot_save(ws_figure_find("strata"), &figure, r->figure);
    ws_frame_destroy(frame);
    return status;
}

static int sample_one(const request *r, ws_launch_population *p, ws_sample_list *list)
{
    ws_sample_plan plan;
    size_t count;
    int status = find_count(r, p, &count);
    if (status)
        return status;
    ws_launch_population_plan(p, r->method, &r->how, &plan);
    plan.count = count;
    status = ws_sample_choose(r->method, &plan);
    if (!status)
        status = ws_sample_list_add(list, p, &plan);
    if (!status && r->figure)
        status = draw_strata(r, p);
    ws_sample_plan_fini(&plan);
    return status;
}

static int sample_all(const request *r, ws_launch_populations *all, ws_sample_list *list)
{
    int status = WS_OK;
    for (size_t i = 0; i < all->count && !status; i++) {
        status = ws_interrupted()
                     ? ws_fail(WS_EINTERRUPTED, "interrupted before %s; nothing was written", all->item[i].workload)
                     : sample_one(r, &all->item[i], list);
    }
    return status;
}

static int write_list(const request *r, const ws_sample_list *list, int argc, char **argv)
{
    ws_frame *frame;
    ws_output out;
    int status = ws_sample_list_frame(list, r->method, &r->how, &frame);
    if (!status)
        status = ws_options_sign_frame(frame, argc, argv);
    if (!status && !(status = ws_output_open(&out, r->output ? r->output : "-")))
        status = ws_output_close(&out, r->exports ? ws_sample_list_export(list, r->export, out.stream)
                                                  : ws_frame_write(frame, out.stream));
    ws_frame_destroy(frame);
    if (!status)
        ws_sample_list_print(list, r->output ? stdout : stderr);
    return status;
}

WS_COMMAND(sample)
{
    request r = {.db = "warpscape.db", .method = ws_sample_method_at(0)};
    ws_launch_populations all = {0};
    ws_sample_list list = {0};
    ws_sample_plan_init(&r.how);
    ws_options_parse(&options, argc, argv, &r);
    take_file(&r);
    ws_interrupts_catch();
    int status = ws_launch_populations_load(r.db, (int64_t)r.run, (const char *const *)r.arguments.argument,
                                            (size_t)r.arguments.count, &all);
    if (!status && r.exports && all.count > 1)
        status = ws_fail(WS_MISUSED, "--export needs one workload: name one of the %zu in %s", all.count, r.db);
    if (!status && r.figure && all.count > 1)
        status = ws_fail(WS_MISUSED, "--figure needs one workload: name one of the %zu in %s", all.count, r.db);
    if (!status)
        status = sample_all(&r, &all, &list);
    if (!status)
        status = write_list(&r, &list, argc, argv);
    ws_sample_list_fini(&list);
    ws_launch_populations_fini(&all);
    return status;
}
