/* cmd_report.c - warpscape report: one page that tells what is in a results file, or in a frame, with its figures and
 * frames, and that people explore. */
#include "cli/annotate/hot_lines.h"
#include "cli/annotate/measure.h"
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/features.h"
#include "cli/report/report.h"
#include "model/mechanism/roofline/roofline_table.h"
#include "model/machine/machine_choice.h"
#include "metrics/performance.h"
#include "metrics/store/store.h"
#include "model/machine/machine_declared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_SUBSETS = 1000, HOT_LINES = 10 }; /* of each size; of each kernel */

typedef struct job {
    const char *db, *directory, *frame;
    const char *of_map, *of_results; /* the last option that only a map, only a results file can follow; NULL: none */
    bool fractions;                  /* of histograms */
    bool ranks, values;
    size_t unit;   /* index of units, */
    bool has_unit; /* or what makes a map */
    ws_report report;
} job;

static const char *const set_words[] = {WS_SET_PERFORMANCE, "study", "modern", "all", NULL};
static const ws_per units[] = {WS_PER_WORKLOAD, WS_PER_KERNEL};
static const char *const unit_words[] = {"workload", "kernel", NULL}; /* in that order */

static void settle(const struct argp_state *state, void *asked)
{
    job *const j = asked;
    if (!j->directory)
        argp_error(state, "-o DIR is required: the folder of the report");
    if (j->frame && j->of_results)
        argp_error(state, "--%s applies to results files, and '%s' is a frame", j->of_results, j->frame);
    if (!j->frame)
        j->report.set = ws_features_set(state, j->report.set, j->fractions);
    if (j->ranks && j->values)
        argp_error(state, "--ranks or --values: components use one of them");
    j->report.options.pca.ranks =
        j->ranks || (!j->values && j->report.set && !strcmp(j->report.set, WS_SET_PERFORMANCE));
}

static void take_frame(const struct argp_state *state, void *member, char *text)
{
    const char **const frame = member;
    if (*frame)
        argp_error(state, "a report shows one frame: '%s' or '%s'?", *frame, text);
    *frame = text;
}

/* Options that would be ignored without a map, or with a frame, are remembered for who has to refuse them. */
#define OF_MAP     WS_OPTION_NOTED(job, of_map)
#define OF_RESULTS WS_OPTION_NOTED(job, of_results)

static const ws_option_row option_rows[] = {
    WS_ARGUMENTS(job, frame, take_frame, NULL),
    WS_OPTION_GROUP(1),
    WS_OPTION_TEXT("db", 'd', "FILE", job, db, "Results file [warpscape.db]"),
    OF_RESULTS,
    WS_OPTION_TEXT("output", 'o', "DIR", job, directory, "Folder of the report, created if missing"),
    WS_OPTION_TEXT("config", 0, "MACHINE", job, report.machine,
                   "Machine of the roofline that bounds kernels: a name of data/configs, a path, or none [qv100]"),
    OF_RESULTS,
    WS_OPTION_GROUP(2),
    WS_OPTION_FLAG("fractions", 0, job, fractions, "Bins of the study's histograms as fractions, not as counts"),
    OF_RESULTS,
    WS_OPTION_GROUP(1),
    WS_OPTION_TEXT("title", 0, "TEXT", job, report.title, "Title of the page [GPU workload characterization]"),
    WS_OPTION_GROUP(2),
    WS_OPTION_WORD("per", 0, "workload|kernel", job, unit, unit_words,
                   "Unit of a row of the map [workload; kernel with fewer than three workloads]"),
    WS_OPTION_GIVEN(job, has_unit),
    OF_MAP,
    OF_RESULTS,
    WS_OPTION_ONE_OF(
        "set", 'm', "SET", job, report.set, set_words,
        "Characteristics of the map: performance, study, modern or all [performance; study with --fractions]"),
    OF_MAP,
    OF_RESULTS,
    WS_OPTION_FLAG("ranks", 0, job, ranks, "Components of ranks of the characteristics [with the set performance]"),
    OF_MAP,
    WS_OPTION_FLAG("values", 0, job, values, "Components of their values [with the other sets and frames]"),
    OF_MAP,
    WS_OPTION_TAKE("linkage", 'l', "L", job, report.options.linkage, ws_take_linkage,
                   "Linkage of the tree and its clusters: single, complete, average or ward [complete]"),
    OF_MAP,
    WS_OPTION_NUMBER("k", 'k', "N", job, report.options.clusters, 1, 1000000,
                     "Number of clusters shown [6, or half of the rows if fewer]"),
    OF_MAP,
    WS_OPTION_REAL("variance", 0, "F", job, report.options.pca.amount, 0, 1, 1,
                   "Keep the components that explain this fraction of the variance [0.9]"),
    OF_MAP,
    WS_OPTION_TAKE("sizes", 0, "N,N,...", job, report.sizes, ws_take_sizes,
                   "Sizes of subsets [those of 4,6,8,12 that are below the number of rows]"),
    OF_MAP,
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .args_doc = "-o DIR [FRAME]",
    .doc = "Write a report of everything in a results file, or of a frame: DIR/index.html, a self-contained page to "
           "explore, still figures as DIR/figures/*.svg and their frames as DIR/frames/*.csv.\n\vAny results file "
           "makes a page of its kernels; a map of workloads or kernels needs three of them. The map uses ranks of the "
           "features that predict best (docs/statistics.md, \"How wrong are they?\"). `--set study' selects the "
           "study's method, whose subsets are in the table next to the better ones. docs/report.md describes each "
           "part. Equal results give equal bytes.\n\nExample:\n  warpscape suite run\n  warpscape report -o report",
    .children = ws_argp_writes_and_sources,
};

/* ---------------------------------------------------------------- what was measured */

/* What is said of kernels and lines, for hints. */
static const ws_report_term terms[] = {
#define RULE(name, column, definition, condition, loss, say, remedy, kind, blame) {#name, "", definition},
#include "cli/annotate/rules.def"
#undef RULE
#define MEASURE(name, unit, heading, form, value, definition) {#name, unit, definition},
#include "cli/annotate/measures.def"
#undef MEASURE
#define COUNT(name, unit, definition) {#name, unit, definition},
#include "metrics/instructions.def"
#undef COUNT
    {"launches", "launches", "launches that were measured"},
    {"warp_instructions", "instr", "warp instructions of all of them"},
    {"blocks", "blocks", "thread blocks of the largest launch"},
    {"threads", "threads", "most threads of a block"},
    {"findings", "findings", "rules that hold (warpscape summary)"},
    {"loss", "ratio", "estimated share of the kernel's work that is wasted"},
};

/* What instructions did, launch by launch. A file whose launches came without is no worse: its kernels have their
 * metrics. */
static int load_kernels(ws_store *store, ws_report *r)
{
    ws_summary summary = {0};
    int status = ws_summary_make(store, &summary);
    if (!status)
        status = ws_summary_work_frame(&summary, &r->work);
    if (!status)
        status = ws_summary_frame(&summary, NULL, NULL, &r->findings);
    if (!status)
        status = ws_hot_lines_frame(&summary, store, HOT_LINES, &r->lines);
    ws_summary_fini(&summary);
    return status == WS_ENOTFOUND ? WS_OK : status;
}

/* A file whose launches have not every count has no roofline, and is no worse. */
static int load_roofline(ws_store *store, ws_report *r)
{
    ws_machine *machine = NULL;
    ws_roofline roofline;
    if (!strcmp(r->machine, "none"))
        return WS_OK;
    int status = ws_machine_choose(&(ws_machine_choice){.config = r->machine}, &machine);
    if (status)
        return status;
    ws_roofline_init(machine, &roofline);
    status = ws_roofline_table(store, &roofline, WS_PER_KERNEL, &r->roofline);
    ws_machine_destroy(machine);
    return status == WS_ENOTFOUND ? WS_OK : status;
}

static ws_per choose_unit(const job *j)
{
    const ws_report *const r = &j->report;
    if (j->has_unit)
        return units[j->unit];
    return r->workloads->rows < WS_REPORT_MAP_LEAST && r->kernels->rows >= WS_REPORT_MAP_LEAST ? WS_PER_KERNEL
                                                                                               : WS_PER_WORKLOAD;
}

/* Copies everything but the last label. */
static int copy_without_last(const ws_frame *from, ws_frame *to)
{
    int status = WS_OK;
    for (size_t n = 0; n < from->notes && !status; n++)
        status = ws_frame_note(to, "%s", from->note[n]);
    for (size_t c = 0; c < from->columns && !status; c++)
        status = ws_frame_set_column(to, c, from->column[c].name, from->column[c].unit, from->column[c].group);
    for (size_t i = 0; i < from->rows; i++)
        for (size_t l = 0; l < to->labels && !status; l++)
            status = ws_frame_set_label(to, i, l, from->label[i * from->labels + l]);
    if (from->rows && from->columns)
        memcpy(to->value, from->value, from->rows * from->columns * sizeof *to->value);
    return status;
}

/* Members of subsets are called by all labels of their rows: as people write them, without the names that they have in
 * the program. */
static int drop_mangled(ws_frame **frame)
{
    ws_frame *const from = *frame;
    const long mangled = ws_frame_find_label(from, WS_FRAME_MANGLED);
    if (mangled != (long)from->labels - 1) /* there is none; it is the last */
        return WS_OK;
    ws_frame *const to =
        ws_frame_create(from->rows, from->columns, from->labels - 1, (const char *const *)from->label_names);
    const int status = to ? copy_without_last(from, to) : ws_fail(WS_EMEM, "out of memory");
    if (status) {
        ws_frame_destroy(to);
        return status;
    }
    ws_frame_destroy(from);
    *frame = to;
    return WS_OK;
}

static int load_map(ws_store *store, job *j)
{
    ws_report *const r = &j->report;
    const ws_per per = choose_unit(j);
    r->unit = per == WS_PER_KERNEL ? "kernel" : "workload";
    int status = ws_store_frame(store, per, r->set, false, &r->map);
    if (!status)
        status = ws_store_frame(store, per, "all", false, &r->all);
    if (!status)
        status = drop_mangled(&r->map);
    return status ? status : drop_mangled(&r->all);
}

static int load_results(job *j)
{
    ws_report *r = &j->report;
    ws_store *store = NULL;
    int status = ws_store_open(j->db, false, &store);
    if (!status && j->fractions)
        ws_store_show_fractions(store);
    if (!status)
        status = ws_store_frame(store, WS_PER_WORKLOAD, "all", false, &r->workloads);
    if (!status && !r->workloads->rows)
        status = ws_fail(WS_EINPUT, "%s: no finished workload; run one: warpscape run PROGRAM, or warpscape suite run",
                         j->db);
    if (!status)
        status = ws_store_frame(store, WS_PER_KERNEL, "all", false, &r->kernels);
    if (!status)
        status = load_kernels(store, r);
    if (!status)
        status = load_roofline(store, r);
    if (!status)
        status = load_map(store, j);
    ws_store_close(store);
    return status;
}

static int copy_rows(const ws_frame *from, ws_frame **out)
{
    size_t *const row = calloc(from->rows + 1, sizeof *row);
    if (!row)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < from->rows; i++)
        row[i] = i;
    const int status = ws_frame_pick_rows(from, row, from->rows, out);
    free(row);
    return status;
}

static int load_frame(job *j)
{
    ws_report *r = &j->report;
    r->unit = "row";
    r->name = ws_features_name(j->frame);
    int status = ws_frame_load(j->frame, &r->rows);
    if (!status && !r->rows->rows)
        status = ws_fail(WS_EINPUT, "%s: a report needs a frame with rows", r->name);
    if (!status)
        status = copy_rows(r->rows, &r->map);
    return status ? status : copy_rows(r->rows, &r->all);
}

/* ---------------------------------------------------------------- map */

/* Characteristics that some row lacks are left out; a map of the few others would not be what was asked for. */
static int check_map(const job *j)
{
    const ws_report *const r = &j->report;
    if (r->map->rows < WS_REPORT_MAP_LEAST && j->frame)
        return ws_fail(WS_EINPUT, "%s: a map needs at least %d rows; there %s %zu", r->name, WS_REPORT_MAP_LEAST,
                       r->map->rows == 1 ? "is" : "are", r->map->rows);
    if (r->map->rows < WS_REPORT_MAP_LEAST)
        return ws_fail(WS_EINPUT,
                       "%s: a map needs at least %d workloads or kernels that have finished; there %s %zu workload%s "
                       "and %zu kernel%s",
                       r->name, WS_REPORT_MAP_LEAST, r->workloads->rows == 1 ? "is" : "are", r->workloads->rows,
                       r->workloads->rows == 1 ? "" : "s", r->kernels->rows, r->kernels->rows == 1 ? "" : "s");
    return r->set ? ws_features_measured(r->map, r->name, r->set) : WS_OK;
}

/* The map, or why there is none. What was asked of the map by an option is not passed over in silence. */
static int make_map(job *j)
{
    ws_report *const r = &j->report;
    int status = check_map(j);
    if (!status)
        status = ws_report_sample(r);
    if (!status)
        status = ws_report_analyse(r, r->sizes.sizes > 0);
    if (!status)
        return WS_OK;
    if (j->of_map)
        return ws_fail_context(status, "--%s needs a map", j->of_map);
    return ws_report_without(&r->no_map, status);
}

/* ---------------------------------------------------------------- files */

static int save_frames(const ws_report *r)
{
    int status = WS_OK;
    for (size_t i = 0; !status && ws_report_frame_at(r, i).file; i++) {
        const ws_report_frame f = ws_report_frame_at(r, i);
        if (f.frame)
            status = ws_album_save_frame(&r->album, f.frame, f.file);
    }
    return status;
}

static int write_page(const void *report, FILE *out)
{
    return ws_report_write_page(report, out);
}

/* What the page says of what is missing, for who does not look there. */
static void say_missing(const ws_report *r)
{
    const char *const why[] = {r->no_map, r->no_subsets, r->no_figures};
    for (size_t i = 0; i < sizeof why / sizeof *why; i++) {
        if (why[i])
            fprintf(stderr, "warpscape report: %s: %s\n",
                    i == 0   ? "no map"
                    : i == 1 ? "no subsets"
                             : "no still figures",
                    why[i]);
    }
}

WS_COMMAND(report)
{
    job j = {.db = "warpscape.db",
             .report = {.title = "GPU workload characterization",
                        .machine = "qv100",
                        .random = RANDOM_SUBSETS,
                        .step = 1,
                        .term = terms,
                        .terms = sizeof terms / sizeof *terms,
                        .analysis = {.cut = NAN}}};
    ws_report *const r = &j.report;
    ws_analysis_defaults(&r->options);
    ws_options_parse(&options, argc, argv, &j);
    r->name = j.db;
    int status = j.frame ? load_frame(&j) : load_results(&j);
    if (!status)
        status = make_map(&j);
    if (!status)
        status = ws_album_open(&r->album, j.directory);
    if (!status)
        status = save_frames(r);
    if (!status)
        status = ws_report_draw(r);
    if (!status)
        status = ws_album_save_page(&r->album, "index.html", write_page, r);
    if (!status)
        say_missing(r);
    ws_report_fini(r);
    return status;
}
