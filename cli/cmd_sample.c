/* cmd_sample.c - `warpscape sample`: which launches of a program are worth simulating, and what does each of them stand
 * for? */
#include "base/output.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/sample/launch_population.h"
#include "cli/sample/sample_list.h"
#include "plots/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_METHODS = 16, KEY_METHOD = 256, KEY_ERROR, KEY_CONFIDENCE, KEY_SPLIT, KEY_COUNT, KEY_EXPORT, KEY_FIGURE };

typedef struct request {
    const char *db, *output, *figure;
    char **argument;
    int arguments;
    const ws_sample_method *method;
    ws_sample_plan how; /* options of it */
    uint64_t run;
    bool has_split;
    size_t export; /* index of ws_sample_exports, from 1 on; 0: a list */
} request;

static const struct argp_option options[] = {
    {"db", 'd', "FILE", 0, "Results file [warpscape.db]", 0},
    {"run", 'r', "N", 0, "Launches of run N (see `warpscape runs') [of each workload the last run that counts]", 0},
    {"error", KEY_ERROR, "PERCENT", 0, "Bound of the error of a workload's total time that is wanted [2]", 0},
    {"confidence", KEY_CONFIDENCE, "PERCENT", 0, "How often the bound is to hold, two-sided [95]", 0},
    {"method", KEY_METHOD, "strata|sieve|pka|random", 0, "How launches are chosen [strata]", 0},
    {"split", KEY_SPLIT, "RATIO", 0,
     "Split launches of a kernel that vary by more than this; Sieve's theta [whatever needs least; sieve: 0.4]", 0},
    {"count", KEY_COUNT, "N", 0, "Launches to choose, for pka and random [as many as strata chooses]", 0},
    {"seed", 's', "N", 0, "Seed of what is drawn by lot [1]", 0},
    {"export", KEY_EXPORT, "accelsim|nvbit|numbers", 0,
     "Instead of a list: kernelslist.g of Accel-Sim, DYNAMIC_KERNEL_RANGE of its tracer, or numbers for `warpscape run "
     "--launches'",
     0},
    {"figure", KEY_FIGURE, "FILE", 0,
     "Draw the launches of one workload, their strata and those that are chosen: .svg, .png, .pdf or .gp [none]", 0},
    {"output", 'o', "FILE", 0,
     "Write there, and the table to standard output [standard output, the table to standard error]", 0},
    {0},
};

/* "2" and "2%" are the same. */
static double read_percent(const struct argp_state *state, const char *option, const char *text, double least,
                           double most)
{
    char number[64];
    snprintf(number, sizeof number, "%s", text);
    const size_t n = strlen(number);
    if (n && number[n - 1] == '%')
        number[n - 1] = '\0';
    return ws_cli_double(state, option, number, least, most) / 100;
}

static const ws_sample_method *find_method(const struct argp_state *state, const char *text)
{
    const char *word[MOST_METHODS] = {NULL};
    const ws_sample_method *m;
    for (size_t i = 0; i + 1 < MOST_METHODS && (m = ws_sample_method_at(i)); i++)
        word[i] = m->name;
    return ws_sample_method_at(ws_cli_choice(state, "--method", text, word));
}

static void check_request(request *r, const struct argp_state *state)
{
    if (r->how.count && !r->method->counts)
        argp_error(state, "--count is for methods pka and random: %s works out how many launches it needs",
                   r->method->name);
    if (!r->has_split && !strcmp(r->method->name, "sieve"))
        r->how.split = 0.4;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'd':
        r->db = arg;
        return 0;
    case 'r':
        r->run = ws_cli_u64(state, "--run", arg, 1, INT64_MAX);
        return 0;
    case KEY_ERROR:
        r->how.error = read_percent(state, "--error", arg, 0.001, 100);
        return 0;
    case KEY_CONFIDENCE:
        r->how.confidence = read_percent(state, "--confidence", arg, 1, 99.9999);
        return 0;
    case KEY_METHOD:
        r->method = find_method(state, arg);
        return 0;
    case KEY_SPLIT:
        r->how.split = ws_cli_double(state, "--split", arg, 1e-6, 100);
        r->has_split = true;
        return 0;
    case KEY_COUNT:
        r->how.count = ws_cli_u64(state, "--count", arg, 1, UINT32_MAX);
        return 0;
    case 's':
        r->how.seed = ws_cli_u64(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_EXPORT:
        r->export = ws_cli_choice(state, "--export", arg, ws_sample_exports) + 1;
        return 0;
    case KEY_FIGURE:
        r->figure = ws_cli_output(state, arg);
        return 0;
    case 'o':
        r->output = ws_cli_output(state, arg);
        return 0;
    case ARGP_KEY_ARGS:
        r->argument = state->argv + state->next;
        r->arguments = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        check_request(r, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[RESULTS] [WORKLOAD...]",
    .doc = "Chooses launches that stand for all launches of a program: a list with weights, for `warpscape sim "
           "--launches', from a "
           "results file of `warpscape run', `exec' or `suite run'.\v"
           "Of each kernel, launches that differ in nothing that is known are a stratum. As many of each are chosen as "
           "the error "
           "needs; weights say how many each stands for. docs/sampling.md says what the bound means, and how far it "
           "held.\n\n"
           "Example:\n"
           "  warpscape run --trace traces ./a.out\n"
           "  warpscape sample -o launches.csv\n"
           "  warpscape sim --launches launches.csv traces/a.out.wst",
    .children = ws_cli_writes,
};

/* A results file may stand in front of the workloads: no workload is called like a file that is there. */
static void take_file(request *r)
{
    if (r->arguments && strchr(r->argument[0], '.') && !access(r->argument[0], F_OK)) {
        r->db = r->argument[0];
        r->argument++;
        r->arguments--;
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
    if (status) {
        ws_frame_destroy(frame);
        return status;
    }
    *out = frame;
    return WS_OK;
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
        status = ws_cli_sign(frame, argc, argv);
    if (!status && !(status = ws_output_open(&out, r->output ? r->output : "-")))
        status = ws_output_close(&out, r->export ? ws_sample_list_export(list, r->export - 1, out.stream)
                                                 : ws_frame_write(frame, out.stream));
    ws_frame_destroy(frame);
    if (!status)
        ws_sample_list_print(list, r->output ? stdout : stderr);
    return status;
}

int ws_cmd_sample(int argc, char **argv)
{
    request r = {.db = "warpscape.db", .method = ws_sample_method_at(0)};
    ws_launch_populations all = {0};
    ws_sample_list list = {0};
    ws_sample_plan_init(&r.how);
    ws_cli_parse(&argp, argc, argv, &r);
    take_file(&r);
    ws_interrupts_catch();
    int status =
        ws_launch_populations_load(r.db, (int64_t)r.run, (const char *const *)r.argument, (size_t)r.arguments, &all);
    if (!status && r.export && all.count > 1)
        status = ws_fail(WS_MISUSED, "--export is of one workload: name one of the %zu in %s", all.count, r.db);
    if (!status && r.figure && all.count > 1)
        status = ws_fail(WS_MISUSED, "--figure is of one workload: name one of the %zu in %s", all.count, r.db);
    if (!status)
        status = sample_all(&r, &all, &list);
    if (!status)
        status = write_list(&r, &list, argc, argv);
    ws_sample_list_fini(&list);
    ws_launch_populations_fini(&all);
    return status;
}
