/* study_machines.c - do the characteristics belong to the program, or to the machine it is imagined on?
 *
 * Every workload of the map runs twice more, once on one worker thread and once on three, into two results files of the
 * report's folder, and the numbers of both must be the same. From one of them come the 129 dimensions as they would be
 * on each of the six machines of the study's tables 7-1 and 7-2; all runs together go through one PCA, as there. */
#include "base/status.h"
#include "cli/study/study.h"
#include "cluster/agreement.h"
#include "metrics/store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const machines[] = {
#define MACHINE(id, processors, channels, threads, blocks) #id,
#include "metrics/machines.def"
#undef MACHINE
};
enum { MACHINES = sizeof machines / sizeof machines[0], RUNS = MACHINES + 1 }; /* the first run: as frozen */
enum { FEW_WORKERS = 1, MORE_WORKERS = 3 };

/* ---------------------------------------------------------------- runs */

static int run_with(ws_study *s, uint64_t workers, size_t scale, ws_frame **out)
{
    bool wanted[WS_SUITE_MOST] = {false};
    size_t n;
    char *db = NULL;
    const ws_suite_workload *all = ws_suite_workloads(&n);
    ws_store *store = NULL;
    for (size_t i = 0; i < n; i++) /* those whose numbers the map is made of */
        wanted[i] = !isnan(ws_study_value(s->matrix, all[i].abbr, "I_total"));
    if (asprintf(&db, "%s/machines-%d.db", s->directory, (int)workers) < 0)
        return ws_fail(WS_EMEM, "out of memory");
    ws_suite_request request = s->suite;
    request.scale = scale;
    request.workers = workers;
    request.set = "machines";
    request.db = db;
    request.wanted = wanted;
    int status = ws_study_run_suite(s, &request);
    if (!status)
        status = ws_store_open(db, false, &store);
    if (!status)
        status = ws_store_frame(store, WS_PER_WORKLOAD, "machines", false, out);
    ws_store_close(store);
    free(db);
    return status;
}

/* How many numbers of a row differ. */
static size_t count_changed(const ws_frame *few, const ws_frame *more, size_t row)
{
    size_t n = 0;
    for (size_t j = 0; j < few->columns; j++) {
        const double a = few->value[row * few->columns + j], b = more->value[row * few->columns + j];
        n += !(a == b || (isnan(a) && isnan(b)));
    }
    return n;
}

/* ---------------------------------------------------------------- one map of all runs */

/* Column of a dimension as a run sees it: machines have R and M_m of their own. */
static size_t column_for(const ws_frame *frame, size_t dimension, size_t run)
{
    const char *const name = frame->column[dimension].name;
    if (!run || (strncmp(name, "R_", 2) && strncmp(name, "M_m_", 4)))
        return dimension;
    char other[64];
    snprintf(other, sizeof other, "%s_%s", machines[run - 1], name);
    const long found = ws_frame_find_column(frame, other);
    return found < 0 ? dimension : (size_t)found;
}

/* A row for each workload and machine; frame holds the dimensions in front. */
static int make_runs(const ws_frame *frame, size_t dimensions, ws_frame **out)
{
    static const char *const label[] = {"workload", "machine"};
    ws_frame *f = *out = ws_frame_create(frame->rows * RUNS, dimensions, 2, label);
    int status = f ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t j = 0; !status && j < dimensions; j++)
        status = ws_frame_set_column(f, j, frame->column[j].name, frame->column[j].unit, frame->column[j].group);
    for (size_t i = 0; !status && i < f->rows; i++) {
        status = ws_frame_set_label(f, i, 0, frame->label[i / RUNS * frame->labels]);
        if (!status)
            status = ws_frame_set_label(f, i, 1, i % RUNS ? machines[i % RUNS - 1] : "frozen");
        for (size_t j = 0; j < dimensions; j++)
            f->value[i * dimensions + j] = frame->value[i / RUNS * frame->columns + column_for(frame, j, i % RUNS)];
    }
    return status;
}

static double distance(const double *a, const double *b, size_t columns)
{
    double sum = 0;
    for (size_t c = 0; c < columns; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sqrt(sum);
}

/* Mean of a workload's runs. */
static void find_centre(const ws_frame *points, size_t workload, double *centre)
{
    for (size_t c = 0; c < points->columns; c++) {
        centre[c] = 0;
        for (size_t r = 0; r < RUNS; r++)
            centre[c] += points->value[(workload * RUNS + r) * points->columns + c] / RUNS;
    }
}

static double widest(const ws_frame *points, size_t workload)
{
    double most = 0;
    for (size_t a = 0; a < RUNS; a++) {
        for (size_t b = a + 1; b < RUNS; b++)
            most = fmax(most, distance(points->value + (workload * RUNS + a) * points->columns,
                                       points->value + (workload * RUNS + b) * points->columns, points->columns));
    }
    return most;
}

/* From the runs of a workload to the nearest centre of another; *other is that one. */
static double nearest(const ws_frame *points, size_t workload, const double *centre, size_t *other)
{
    double least = INFINITY;
    const size_t workloads = points->rows / RUNS;
    for (size_t w = 0; w < workloads; w++) {
        for (size_t r = 0; w != workload && r < RUNS; r++) {
            const double d = distance(points->value + (workload * RUNS + r) * points->columns,
                                      centre + w * points->columns, points->columns);
            if (d < least) {
                least = d;
                *other = w;
            }
        }
    }
    return least;
}

enum { WITHIN, NEAREST, LOCALITY_LOW, LOCALITY_HIGH, MERGED_LOW, MERGED_HIGH, NUMBERS, CHANGED, COLUMNS };

static void find_range(const ws_frame *frame, size_t row, const char *what, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t m = 0; m < MACHINES; m++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", machines[m], what);
        const long j = ws_frame_find_column(frame, name);
        const double v = j < 0 ? NAN : frame->value[row * frame->columns + (size_t)j];
        *low = fmin(*low, v);
        *high = fmax(*high, v);
    }
    if (*low > *high) /* no accesses */
        *low = *high = NAN;
}

static int make_frame(ws_study *s, size_t rows)
{
    static const char *const label[] = {"workload", "nearest_other"};
    static const char *const name[COLUMNS] = {
        "within",           "to_nearest",        "row_locality_low", "row_locality_high",
        "merge_misses_low", "merge_misses_high", "numbers",          "numbers_changed"};
    s->machine_table = ws_frame_create(rows, COLUMNS, 2, label);
    int status = s->machine_table ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t c = 0; !status && c < COLUMNS; c++)
        status = ws_frame_set_column(s->machine_table, c, name[c], "", "");
    return status;
}

static int make_table(ws_study *s, const ws_frame *frame, const ws_frame *more, const ws_frame *points)
{
    int status = make_frame(s, frame->rows);
    ws_frame *const t = s->machine_table;
    double *const centre = calloc(frame->rows * points->columns + 1, sizeof *centre);
    if (!status && !centre)
        status = ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; !status && i < frame->rows; i++)
        find_centre(points, i, centre + i * points->columns);
    for (size_t i = 0; !status && i < frame->rows; i++) {
        double *const value = t->value + i * COLUMNS;
        size_t other = 0;
        value[WITHIN] = widest(points, i);
        value[NEAREST] = nearest(points, i, centre, &other);
        find_range(frame, i, "row_locality", &value[LOCALITY_LOW], &value[LOCALITY_HIGH]);
        find_range(frame, i, "merge_misses", &value[MERGED_LOW], &value[MERGED_HIGH]);
        const size_t changed = count_changed(frame, more, i);
        value[NUMBERS] = (double)frame->columns;
        value[CHANGED] = (double)changed;
        s->cells += frame->columns;
        s->cells_changed += changed;
        status = ws_frame_set_label(t, i, 0, frame->label[i * frame->labels]);
        if (!status)
            status = ws_frame_set_label(t, i, 1, frame->label[other * frame->labels]);
    }
    free(centre);
    return status;
}

/* Cut into as many clusters as there are workloads: is each of them one? */
static int compare_cut(ws_study *s, const ws_frame *points)
{
    const size_t workloads = points->rows / RUNS;
    size_t *cut = calloc(points->rows, sizeof *cut), *truth = calloc(points->rows, sizeof *truth);
    ws_tree *tree = NULL;
    int status = cut && truth
                     ? ws_cluster_build(points->value, points->rows, points->columns, WS_LINKAGE_complete, &tree)
                     : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_tree_cut(tree, workloads, cut);
    for (size_t i = 0; !status && i < points->rows; i++)
        truth[i] = i / RUNS + 1;
    if (!status)
        status = ws_adjusted_rand(cut, truth, points->rows, &s->machine_rand);
    ws_tree_destroy(tree);
    free(cut);
    free(truth);
    return status;
}

int ws_study_check_machines(ws_study *s)
{
    size_t scale = 0;
    while (ws_suite_scales[scale] && strcmp(ws_suite_scales[scale], s->machines))
        scale++;
    if (!ws_suite_scales[scale])
        return make_frame(s, 0);
    ws_frame *few = NULL, *more = NULL, *runs = NULL;
    ws_pca pca = {0};
    const ws_pca_options options = {.keep = WS_PCA_KEEP_VARIANCE, .amount = 0.9};
    int status = run_with(s, FEW_WORKERS, scale, &few);
    if (!status)
        status = run_with(s, MORE_WORKERS, scale, &more);
    if (!status && few->rows != more->rows)
        status = ws_fail(WS_EINPUT, "%s: the machines' results files hold different workloads; take them away",
                         s->directory);
    if (!status)
        status = make_runs(few, s->matrix->columns, &runs);
    if (!status)
        status = ws_pca_run(runs, "machines", &options, &pca);
    if (!status)
        status = make_table(s, few, more, pca.scores);
    if (!status)
        status = compare_cut(s, pca.scores);
    ws_pca_fini(&pca);
    ws_frame_destroy(few);
    ws_frame_destroy(more);
    ws_frame_destroy(runs);
    return status;
}
