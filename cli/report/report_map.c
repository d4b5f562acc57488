/* report_map.c - what do the rows of a report say together: components, trees, clusters, subsets, and how wrong these
 * are? */
#include "cli/report/report.h"

#include "base/status.h"
#include "cluster/quality.h"
#include "cluster/subset.h"
#include "metrics/performance.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CLUSTERS = 6, MOST_QUALITY = 20 };

void ws_report_fini(ws_report *r)
{
    ws_frame *const frames[] = {r->workloads, r->kernels, r->work,     r->findings, r->lines,  r->roofline, r->rows,
                                r->map,       r->all,     r->standard, r->subsets,  r->errors, r->quality};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++)
        ws_frame_destroy(frames[i]);
    for (size_t l = 0; l < WS_LINKAGES; l++)
        ws_frame_destroy(r->tree[l]);
    ws_album_fini(&r->album);
    ws_analysis_fini(&r->analysis);
    free(r->no_map);
    free(r->no_subsets);
    free(r->no_figures);
}

int ws_report_without(char **why, int status)
{
    if (status != WS_EINPUT && status != WS_ENUMERIC && status != WS_ELIMIT)
        return status;
    free(*why);
    *why = strdup(ws_message());
    return *why ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

/* ---------------------------------------------------------------- sampling */

static int pick_each(ws_frame **frame, size_t step)
{
    const size_t n = ((*frame)->rows + step - 1) / step;
    size_t *const row = calloc(n, sizeof *row);
    ws_frame *picked = NULL;
    if (!row)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        row[i] = i * step;
    const int status = ws_frame_pick_rows(*frame, row, n, &picked);
    free(row);
    if (!status) {
        ws_frame_destroy(*frame);
        *frame = picked;
    }
    return status;
}

int ws_report_sample(ws_report *r)
{
    const size_t rows = r->map->rows;
    r->step = rows > WS_REPORT_MAP_MOST ? (rows + WS_REPORT_MAP_MOST - 1) / WS_REPORT_MAP_MOST : 1;
    if (r->step == 1)
        return WS_OK;
    const int status = pick_each(&r->map, r->step);
    return status ? status : pick_each(&r->all, r->step);
}

/* ---------------------------------------------------------------- subsets */

/* What a row costs is what a simulator's time goes with: its instructions. A frame without them has rows that cost the
 * same. */
static int find_cost(const ws_report *r, double *cost)
{
    if (ws_frame_find_column(r->all, "I_total") >= 0)
        return ws_subset_cost(r->analysis.points, r->all, r->name, "I_total", "cost", cost);
    for (size_t i = 0; i < r->all->rows; i++)
        cost[i] = 1;
    return WS_OK;
}

/* Subsets as they are chosen by default, and as the study chose them. */
static int find_subsets(ws_report *r)
{
    static const ws_method methods[] = {WS_METHOD_DEFAULT, (ws_method)WS_LINKAGE_complete};
    double *cost = calloc(r->all->rows, sizeof *cost);
    int status = cost ? find_cost(r, cost) : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; !status && i < sizeof methods / sizeof methods[0]; i++) {
        ws_frame *one = NULL;
        const ws_subset_request request = {
            .method = methods[i], .size = r->sizes.size, .sizes = r->sizes.sizes, .cost = cost, .seed = 1};
        status = ws_subset_run(r->analysis.points, r->name, &request, &one);
        if (!status)
            status = ws_analysis_append(&r->subsets, one);
    }
    free(cost);
    return status;
}

/* The study judged subsets by three numbers that did not choose them. Two of them need no time; the third, DRAM
 * efficiency, does, and the locality of rows that it hangs on stands in for it where the map does not know it. A map
 * that has the twin, which differs by lanes that a guard keeps from executing at most, knows the judge. */
static const struct {
    const char *column, *word, *twin;
} judges[] = {
    {"evaluation_activity_factor", "activity factor", "simd_efficiency"},
    {"evaluation_simd_parallelism", "SIMD parallelism", NULL},
    {"evaluation_row_locality", "row locality", NULL},
};
enum { JUDGES = sizeof judges / sizeof judges[0] };

/* The judges that the map was not made from, named as people call them; *out is NULL when there is none, or one was not
 * measured. */
static int pick_judges(const ws_report *r, ws_frame **out)
{
    size_t column[JUDGES], judge[JUDGES], n = 0;
    *out = NULL;
    for (size_t i = 0; i < JUDGES; i++) {
        const long found = ws_frame_find_column(r->all, judges[i].column);
        if (found < 0)
            return WS_OK; /* the runs collected another set */
        if (ws_report_is_mapped(r, judges[i].column) || (judges[i].twin && ws_report_is_mapped(r, judges[i].twin)))
            continue;
        judge[n] = i;
        column[n++] = (size_t)found;
    }
    if (!n)
        return WS_OK;
    int status = ws_frame_pick_columns(r->all, column, n, out);
    for (size_t i = 0; !status && i < n; i++)
        status = ws_frame_set_column(*out, i, judges[judge[i]].word, "ratio", "");
    if (!status && ws_frame_require_finite(*out, r->name)) {
        ws_frame_destroy(*out);
        *out = NULL;
    }
    return status;
}

static int judge_subsets(ws_report *r)
{
    ws_frame *metrics = NULL;
    const ws_evaluation evaluation = {.weights = WS_WEIGHTS_METHOD, .random = r->random, .seed = 1};
    const char *name = "subset";
    int status = pick_judges(r, &metrics);
    if (!status && metrics)
        status = ws_subset_evaluate(metrics, r->name, (const ws_frame *const *)&r->subsets, &name, 1, &evaluation,
                                    &r->errors);
    ws_frame_destroy(metrics);
    return status;
}

static int find_subsets_judged(ws_report *r, bool asked)
{
    int status = find_subsets(r);
    if (!status)
        status = judge_subsets(r);
    if (!status || asked)
        return status;
    ws_frame_destroy(r->subsets);
    r->subsets = NULL;
    return ws_report_without(&r->no_subsets, status);
}

/* ---------------------------------------------------------------- map */

static void choose_numbers(ws_report *r)
{
    const size_t rows = r->map->rows;
    if (!r->options.clusters)
        r->options.clusters = rows / 2 < DEFAULT_CLUSTERS ? (rows < 4 ? 2 : rows / 2) : DEFAULT_CLUSTERS;
    if (!r->sizes.sizes)
        ws_sizes_usual(rows, &r->sizes);
    r->options.pca.missing = WS_MISSING_COLUMNS;
}

static int grow_tree(const ws_report *r, ws_linkage linkage, ws_frame **out)
{
    const ws_frame *const points = r->analysis.points;
    ws_tree *tree = NULL;
    int status = ws_cluster_build(points->value, points->rows, points->columns, linkage, &tree);
    if (!status)
        status = ws_tree_frame(tree, points, out);
    ws_tree_destroy(tree);
    return status;
}

static int grow_trees(ws_report *r)
{
    int status = WS_OK;
    for (size_t l = 0; l < WS_LINKAGES && !status; l++)
        status = grow_tree(r, (ws_linkage)l, &r->tree[l]);
    return status;
}

static int make_map(ws_report *r)
{
    int status = ws_analysis_reduce(r->map, r->name, &r->options, &r->analysis);
    if (!status)
        status = ws_analysis_cluster(&r->options, r->name, &r->analysis);
    if (!status)
        status = grow_trees(r);
    if (!status && r->analysis.pca.loadings)
        status = ws_analysis_standardise(r->map, &r->options, &r->analysis, &r->standard);
    return status;
}

int ws_report_analyse(ws_report *r, bool sizes_asked)
{
    choose_numbers(r);
    int status = make_map(r);
    if (!status)
        status = find_subsets_judged(r, sizes_asked);
    if (!status) {
        const size_t most = r->map->rows - 1 < MOST_QUALITY ? r->map->rows - 1 : MOST_QUALITY;
        status = ws_quality_frame(r->analysis.points, r->analysis.tree, r->options.linkage, most, 0, 1, &r->quality);
    }
    return status;
}
