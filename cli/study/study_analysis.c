/* study_analysis.c - the study's own steps, and those beyond it, from the results file to frames. */
#include "cli/study/study.h"

#include "base/status.h"
#include "cluster/agreement.h"
#include "cluster/quality.h"
#include "cluster/subset.h"
#include "metrics/store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_ROWS = 3, MOST_QUALITY = 20 };

const ws_linkage ws_study_linkages[WS_STUDY_LINKAGES] = {WS_LINKAGE_single, WS_LINKAGE_complete};
const char *const ws_study_keep_names[WS_STUDY_KEEPS] = {"70", "90", "kaiser"};
/* In the order of the study's figures 3-12 to 3-16. */
const ws_study_subspace ws_study_subspaces[WS_STUDY_SUBSPACES] = {
    {"DV", "divergence"},    {"IM", "instruction mix"}, {"CO", "coalescing"}, {"KC", "kernel characteristics"},
    {"KS", "kernel stress"},
};
enum { COMPLETE = 1 }; /* of ws_study_linkages */

double ws_study_value(const ws_frame *frame, const char *workload, const char *column)
{
    const long j = ws_frame_find_column(frame, column);
    for (size_t i = 0; j >= 0 && i < frame->rows; i++) {
        if (!strcmp(frame->label[i * frame->labels], workload))
            return frame->value[i * frame->columns + (size_t)j];
    }
    return NAN;
}

/* ---------------------------------------------------------------- load */

static bool is_wanted(const ws_study *s, const char *abbr)
{
    size_t n;
    const ws_suite_workload *all = ws_suite_workloads(&n);
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(all[i].abbr, abbr))
            return s->wanted[i];
    }
    return false;
}

/* Rows of workloads that are asked for: those of the study's map, or those beside it, in the order of the suite. */
static int pick_workloads(const ws_study *s, const ws_frame *frame, bool members, ws_frame **out)
{
    size_t n, rows = 0, row[WS_SUITE_MOST];
    const ws_suite_workload *all = ws_suite_workloads(&n);
    for (size_t w = 0; w < n; w++) {
        for (size_t i = 0; i < frame->rows; i++) {
            if (is_wanted(s, all[w].abbr) && !strcmp(frame->label[i * frame->labels], all[w].abbr) &&
                !!ws_study_find(all[w].abbr) == members)
                row[rows++] = i;
        }
    }
    *out = NULL;
    return rows || members ? ws_frame_pick_rows(frame, row, rows, out) : WS_OK;
}

static int load_set(const ws_study *s, ws_store *store, const char *set, bool time, ws_frame **members,
                    ws_frame **beside)
{
    ws_frame *all = NULL;
    int status = ws_store_frame(store, WS_PER_WORKLOAD, set, time, &all);
    if (!status)
        status = pick_workloads(s, all, true, members);
    if (!status && beside)
        status = pick_workloads(s, all, false, beside);
    ws_frame_destroy(all);
    return status;
}

static int make_costs(ws_study *s, const ws_frame *timed)
{
    static const char *const label[] = {"workload"};
    ws_frame *f = s->costs = ws_frame_create(timed->rows, 2, 1, label);
    int status = f ? ws_frame_set_column(f, 0, "seconds", "s", "time") : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_set_column(f, 1, "instructions", "instr", "");
    for (size_t i = 0; !status && i < timed->rows; i++) {
        const char *const name = timed->label[i * timed->labels];
        status = ws_frame_set_label(f, i, 0, name);
        f->value[2 * i] = ws_study_value(timed, name, "seconds");
        f->value[2 * i + 1] = ws_study_value(timed, name, "I_total");
    }
    return status;
}

int ws_study_load(ws_study *s)
{
    ws_store *store = NULL;
    ws_frame *timed = NULL, *modern = NULL, *beside = NULL;
    int status = ws_store_open(s->db, false, &store);
    if (!status)
        status = load_set(s, store, "study", false, &s->matrix, &s->beside);
    if (!status)
        status = load_set(s, store, "study", true, &timed, NULL);
    if (!status)
        status = load_set(s, store, "modern", false, &modern, NULL);
    if (!status)
        status = load_set(s, store, "all", false, &s->every, &beside);
    if (!status && beside)
        status = ws_analysis_append(&s->every, beside);
    ws_store_close(store);
    if (!status && s->matrix->rows < LEAST_ROWS)
        status =
            ws_fail(WS_EINPUT, "%s: a study needs at least %d workloads of its map that have finished, there are %zu",
                    s->db, LEAST_ROWS, s->matrix->rows);
    if (!status)
        status = make_costs(s, timed);
    if (!status && ws_frame_clean(modern, s->db, WS_MISSING_COLUMNS, &s->modern))
        status = ws_fail(
            WS_EINPUT,
            "%s: the modern set was not measured for every workload; run them again by `suite run --set all`", s->db);
    if (!status)
        ws_sizes_usual(s->matrix->rows, &s->sizes);
    ws_frame_destroy(timed);
    ws_frame_destroy(modern);
    return status;
}

/* ---------------------------------------------------------------- map */

static ws_analysis_options options_for(ws_study_keep keep, ws_linkage linkage, const char *subspace)
{
    ws_analysis_options o;
    ws_analysis_defaults(&o);
    o.linkage = linkage;
    o.pca.subspace = subspace;
    if (keep == WS_STUDY_KAISER)
        o.pca.keep = WS_PCA_KEEP_KAISER;
    else
        o.pca.amount = keep == WS_STUDY_70 ? 0.7 : 0.9;
    return o;
}

/* Clusters shown in figures: the study's 6, or half of the workloads when that is fewer. */
static size_t clusters_shown(size_t rows)
{
    enum { MOST = 6 };
    return rows / 2 < MOST ? (rows < 4 ? 2 : rows / 2) : MOST;
}

static int make_map(const ws_frame *frame, const char *name, ws_analysis_options options, ws_analysis *analysis)
{
    options.clusters = clusters_shown(frame->rows);
    const int status = ws_analysis_reduce(frame, name, &options, analysis);
    return status ? status : ws_analysis_cluster(&options, name, analysis);
}

static int make_maps(ws_study *s)
{
    int status = WS_OK;
    for (size_t keep = 0; !status && keep < WS_STUDY_KEEPS; keep++) {
        for (size_t l = 0; !status && l < WS_STUDY_LINKAGES; l++)
            status = make_map(s->matrix, s->db, options_for((ws_study_keep)keep, ws_study_linkages[l], NULL),
                              &s->map[keep][l]);
    }
    for (size_t i = 0; !status && i < WS_STUDY_SUBSPACES; i++) {
        status = make_map(s->matrix, s->db, options_for(WS_STUDY_90, WS_LINKAGE_complete, ws_study_subspaces[i].group),
                          &s->subspace[i]);
        if (status == WS_ENUMERIC) { /* nothing in it varies among few workloads */
            ws_analysis_fini(&s->subspace[i]);
            status = WS_OK;
        }
    }
    return status ? status : make_map(s->modern, s->db, options_for(WS_STUDY_90, WS_LINKAGE_complete, NULL), &s->newer);
}

/* Dimensions that no component is made of. */
static int list_dropped(ws_study *s)
{
    static const char *const label[] = {"dimension", "subspace"};
    const ws_frame *m = s->matrix, *used = s->map[WS_STUDY_90][COMPLETE].pca.loadings;
    ws_frame *f = s->dropped = ws_frame_create(m->columns - used->rows, 2, 2, label);
    int status = f ? ws_frame_set_column(f, 0, "number", "", "") : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_set_column(f, 1, "value", "", "");
    for (size_t j = 0, row = 0, next = 0; !status && j < m->columns; j++) {
        if (next < used->rows && !strcmp(used->label[next * used->labels], m->column[j].name)) {
            next++;
            continue;
        }
        status = ws_frame_set_label(f, row, 0, m->column[j].name);
        if (!status)
            status = ws_frame_set_label(f, row, 1, m->column[j].group);
        f->value[2 * row] = (double)(j + 1);
        f->value[2 * row + 1] = m->value[j];
        row++;
    }
    return status;
}

/* ---------------------------------------------------------------- subsets */

/* Subsets of one linkage; the speedups by instructions are put beside those by seconds. */
static int find_subsets(const ws_study *s, const ws_frame *points, ws_linkage linkage, ws_frame **out)
{
    double *cost = calloc(points->rows, sizeof *cost);
    ws_frame *made[2] = {NULL, NULL}, *both = NULL;
    static const char *const column[2] = {"seconds", "instructions"};
    int status = cost ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t c = 0; !status && c < 2; c++) {
        const ws_subset_request request = {
            .method = (ws_method)linkage, .size = s->sizes.size, .sizes = s->sizes.sizes, .cost = cost, .seed = 1};
        status = ws_subset_cost(points, s->costs, s->db, column[c], "cost", cost);
        if (!status)
            status = ws_subset_run(points, s->db, &request, &made[c]);
    }
    static const size_t twice[] = {0, 0};
    if (!status)
        status = ws_frame_pick_columns(made[0], twice, 2, &both);
    if (!status)
        status = ws_frame_set_column(both, 0, "speedup_seconds", "ratio", "time");
    if (!status)
        status = ws_frame_set_column(both, 1, "speedup_instructions", "ratio", "");
    for (size_t i = 0; !status && i < both->rows; i++)
        both->value[2 * i + 1] = made[1]->value[i];
    ws_frame_destroy(made[0]);
    ws_frame_destroy(made[1]);
    free(cost);
    return ws_frame_give(status, both, out);
}

static int find_all_subsets(ws_study *s)
{
    int status = WS_OK;
    for (size_t keep = WS_STUDY_70; keep <= WS_STUDY_90; keep++) {
        for (size_t l = 0; !status && l < WS_STUDY_LINKAGES; l++) {
            ws_frame *one = NULL;
            status = find_subsets(s, s->map[keep][l].points, ws_study_linkages[l], &one);
            if (!status)
                status = ws_analysis_append(&s->subsets[keep], one);
        }
    }
    return status;
}

/* The form of the study's table 3-4; its DRAM efficiency comes from the simulator. Its three machines would give the
 * same numbers three times: these two have no machine in them. */
static int judge_subsets(ws_study *s)
{
    static const char *const judge[][2] = {{"evaluation_activity_factor", "activity_factor"},
                                           {"evaluation_simd_parallelism", "simd_parallelism"}};
    const ws_frame *first = s->modern;
    size_t column[2];
    for (size_t i = 0; i < 2; i++) {
        const long found = ws_frame_find_column(first, judge[i][0]);
        if (found < 0)
            return ws_fail(WS_EINPUT,
                           "%s: `%s` was not measured for every workload; run them with `suite run --set all`", s->db,
                           judge[i][0]);
        column[i] = (size_t)found;
    }
    ws_frame *metrics = NULL;
    const char *name = "90";
    const ws_frame *const subset[] = {s->subsets[WS_STUDY_90]};
    int status = ws_frame_pick_columns(first, column, 2, &metrics);
    for (size_t i = 0; !status && i < 2; i++)
        status = ws_frame_set_column(metrics, i, judge[i][1], "ratio", "");
    const ws_evaluation equal = {.weights = WS_WEIGHTS_EQUAL}, by_size = {.weights = WS_WEIGHTS_SIZE};
    if (!status)
        status = ws_subset_evaluate(metrics, s->db, subset, &name, 1, &equal, &s->errors);
    if (!status)
        status = ws_subset_evaluate(metrics, s->db, subset, &name, 1, &by_size, &s->weighted);
    ws_frame_destroy(metrics);
    return status;
}

/* ---------------------------------------------------------------- beyond the study */

static int judge_linkages(ws_study *s)
{
    const ws_frame *points = s->map[WS_STUDY_90][COMPLETE].points;
    const size_t most = points->rows - 1 < MOST_QUALITY ? points->rows - 1 : MOST_QUALITY;
    int status = ws_choice_frame(points, most, s->references, s->random_seed, &s->choice);
    for (size_t l = 0; !status && l < WS_LINKAGES; l++) {
        ws_tree *tree = NULL;
        ws_frame *one = NULL;
        status = ws_cluster_build(points->value, points->rows, points->columns, (ws_linkage)l, &tree);
        if (!status)
            status = ws_quality_frame(points, tree, (ws_linkage)l, most, s->references, s->random_seed, &one);
        if (!status)
            status = ws_analysis_append(&s->quality, one);
        ws_tree_destroy(tree);
    }
    return status;
}

static int compare_maps(ws_study *s)
{
    const ws_frame *ours = s->map[WS_STUDY_90][COMPLETE].points, *newer = s->newer.points;
    const ws_frame *fewer = s->map[WS_STUDY_70][COMPLETE].points;
    const ws_view view[] = {{"study", ours, WS_METHOD_complete},          {"study", ours, WS_METHOD_single},
                            {"study", ours, WS_METHOD_average},           {"study", ours, WS_METHOD_ward},
                            {"study at 70 %", fewer, WS_METHOD_complete}, {"modern", newer, WS_METHOD_complete},
                            {"modern", newer, WS_METHOD_single}};
    const ws_agreement_request request = {s->sizes.size, s->sizes.sizes, s->permutations, s->random_seed};
    return ws_agreement_frame(view, sizeof view / sizeof view[0], &request, &s->agreement);
}

static int reduce(const ws_frame *features, void *context, ws_frame **points)
{
    const ws_study *s = context;
    const ws_analysis_options o = options_for(WS_STUDY_90, WS_LINKAGE_complete, NULL);
    ws_pca pca;
    const int status = ws_pca_run(features, s->db, &o.pca, &pca);
    if (status)
        return status;
    *points = pca.scores;
    pca.scores = NULL;
    ws_pca_fini(&pca);
    return WS_OK;
}

static int measure_stability(ws_study *s)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const ws_stability_request request = {.method = WS_METHOD_complete,
                                          .size = s->sizes.size,
                                          .sizes = s->sizes.sizes,
                                          .draws = s->draws,
                                          .seed = s->random_seed,
                                          .workers = s->workers       ? s->workers
                                                     : processors > 0 ? (unsigned)processors
                                                                      : 1,
                                          .reduce = reduce,
                                          .context = s};
    return ws_stability_run(s->matrix, s->db, &request, &s->stability);
}

int ws_study_analyse(ws_study *s)
{
    static int (*const steps[])(ws_study *) = {make_maps,      list_dropped, find_all_subsets, judge_subsets,
                                               judge_linkages, compare_maps, measure_stability};
    int status = WS_OK;
    for (size_t i = 0; !status && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](s);
    return status;
}

void ws_study_fini(ws_study *s)
{
    ws_frame *const frames[] = {s->matrix,  s->beside,     s->modern,     s->every,         s->costs,
                                s->dropped, s->subsets[0], s->subsets[1], s->errors,        s->weighted,
                                s->choice,  s->quality,    s->agreement,  s->machine_table, s->simulated};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++)
        ws_frame_destroy(frames[i]);
    for (size_t keep = 0; keep < WS_STUDY_KEEPS; keep++) {
        for (size_t l = 0; l < WS_STUDY_LINKAGES; l++)
            ws_analysis_fini(&s->map[keep][l]);
    }
    for (size_t i = 0; i < WS_STUDY_SUBSPACES; i++)
        ws_analysis_fini(&s->subspace[i]);
    ws_analysis_fini(&s->newer);
    ws_stability_fini(&s->stability);
    ws_study_drop_claims(s);
    free(s->failure);
    ws_album_fini(&s->album);
}
