/* pca.c - what does a frame look like along its directions of greatest variance? */
#include "pca/pca.h"
#include "base/linear/linear.h"
#include "base/spread.h"
#include "base/status.h"
#include "pca/pca_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    ws_frame *input;                 /* the columns asked for, no value missing */
    size_t *used, *constant;         /* columns of input that vary, and that do not */
    size_t rows, columns, constants; /* columns: of used */
    size_t count, rank, kept;        /* components: all, with variance, kept */
    double *z;                       /* [rows * columns] standardised */
    double *eigenvalue;              /* [count] */
    double *loading;                 /* [count * columns] */
    ws_pca_rotated rotated;          /* of the kept ones, if a rotation is asked for */
} work;

static void work_fini(work *w)
{
    ws_frame_destroy(w->input);
    free(w->used);
    free(w->constant);
    free(w->z);
    free(w->eigenvalue);
    free(w->loading);
    ws_pca_rotated_fini(&w->rotated);
}

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the principal components");
}

/* The names of the groups there are, for the message about one that is not. */
static void list_groups(const ws_frame *frame, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t j = 0; j < frame->columns && used < size; j++) {
        const char *group = frame->column[j].group;
        size_t before = 0;
        while (before < j && strcmp(frame->column[before].group, group) != 0)
            before++;
        if (!*group || before < j)
            continue;
        const int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", group);
        used += n > 0 ? (size_t)n : 0;
    }
}

static int pick_subspace(const ws_frame *frame, const char *name, const char *subspace, ws_frame **out)
{
    size_t n = 0, *column = malloc((frame->columns + 1) * sizeof *column);
    if (!column)
        return no_memory();
    for (size_t j = 0; j < frame->columns; j++)
        if (!subspace || strcmp(frame->column[j].group, subspace) == 0)
            column[n++] = j;
    int rc;
    if (n == 0 && subspace) {
        char groups[300];
        list_groups(frame, groups, sizeof groups);
        rc = *groups ? ws_fail(WS_EINPUT, "%s: no column belongs to the subspace '%s'; there are %s", name, subspace,
                               groups)
                     : ws_fail(WS_EINPUT, "%s: no column belongs to a subspace; its columns have no groups", name);
    } else {
        rc = ws_frame_pick_columns(frame, column, n, out);
    }
    free(column);
    return rc;
}

static int take_input(work *w, const ws_frame *frame, const char *name, const ws_pca_options *options)
{
    ws_frame *part = NULL;
    int rc = pick_subspace(frame, name, options->subspace, &part);
    if (rc == WS_OK)
        rc = ws_frame_clean(part, name, options->missing, &w->input);
    ws_frame_destroy(part);
    if (rc != WS_OK)
        return rc;
    if (w->input->rows < 2)
        return ws_fail(WS_EINPUT, "%s: expected at least 2 rows to compare, found %zu", name, w->input->rows);
    if (w->input->columns == 0)
        return ws_fail(WS_EINPUT, "%s: expected at least one column of numbers, found none", name);
    w->rows = w->input->rows;
    return WS_OK;
}

static int rank_columns(work *w)
{
    ws_frame *const f = w->input;
    size_t *const order = malloc(w->rows * sizeof *order);
    if (!order)
        return no_memory();
    for (size_t j = 0; j < f->columns; j++)
        ws_pca_rank(f->value + j, w->rows, f->columns, order);
    free(order);
    return WS_OK;
}

static int standardise(work *w, const char *name)
{
    const size_t columns = w->input->columns;
    w->used = malloc(columns * sizeof *w->used);
    w->constant = malloc(columns * sizeof *w->constant);
    double *wide = malloc(w->rows * columns * sizeof *wide);
    if (!w->used || !w->constant || !wide) {
        free(wide);
        return no_memory();
    }
    for (size_t j = 0; j < columns; j++) {
        if (ws_spread_scores(w->input->value + j, w->rows, columns, wide + j))
            w->used[w->columns++] = j;
        else
            w->constant[w->constants++] = j;
    }
    for (size_t i = 0; i < w->rows; i++) /* close the gaps of the constant columns */
        for (size_t j = 0; j < w->columns; j++)
            wide[i * w->columns + j] = wide[i * columns + w->used[j]];
    w->z = wide;
    return w->columns ? WS_OK : ws_fail(WS_ENUMERIC, "%s: no column varies; all %zu rows are the same", name, w->rows);
}

static int decompose(work *w)
{
    const size_t all = w->rows < w->columns ? w->rows : w->columns;
    w->eigenvalue = malloc(all * sizeof *w->eigenvalue);
    w->loading = malloc(all * w->columns * sizeof *w->loading);
    double *copy = malloc(w->rows * w->columns * sizeof *copy);
    int rc = w->eigenvalue && w->loading && copy ? WS_OK : no_memory();
    if (rc == WS_OK) {
        memcpy(copy, w->z, w->rows * w->columns * sizeof *copy);
        rc = ws_pca_decompose(copy, w->rows, w->columns, w->eigenvalue, w->loading);
    }
    free(copy);
    if (rc != WS_OK)
        return rc;
    /* Centred rows leave at most rows - 1 directions. What is smaller than the rounding of the largest is nothing. */
    w->count = w->rows - 1 < w->columns ? w->rows - 1 : w->columns;
    const double size = (double)(w->rows > w->columns ? w->rows : w->columns);
    const double nothing = size * DBL_EPSILON * w->eigenvalue[0];
    for (size_t i = 0; i < w->count; i++) {
        const double sigma = w->eigenvalue[i];
        w->eigenvalue[i] = sigma > nothing ? sigma * sigma / (double)(w->rows - 1) : 0;
        w->rank += sigma > nothing;
    }
    return WS_OK;
}

static int name_component(ws_frame *frame, size_t column, const work *w, size_t i, const char *group)
{
    char name[32];
    snprintf(name, sizeof name, "%s%zu", w && w->rotated.loading ? "RC" : "PC", i + 1);
    return ws_frame_set_column(frame, column, name, "", group);
}

static int copy_labels(const ws_frame *from, ws_frame *to)
{
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < from->rows * from->labels; i++)
        rc = ws_frame_set_label(to, i / from->labels, i % from->labels, from->label[i]);
    return rc;
}

static double sum(const double *value, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += value[i];
    return total;
}

/* What every frame of the result says about how it came to be. */
static int note_result(ws_frame *frame, const work *w, const ws_pca_options *options)
{
    static const char *const rules[] = {
#define KEEP(name, rule, meaning) [WS_PCA_KEEP_##name] = meaning,
#include "pca/keep.def"
#undef KEEP
    };
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < w->input->notes; i++)
        rc = ws_frame_note(frame, "%s", w->input->note[i]);
    if (rc == WS_OK && options->subspace)
        rc = ws_frame_note(frame, "subspace: %s", options->subspace);
    if (rc == WS_OK && options->ranks)
        rc = ws_frame_note(frame, "ranks: of each value its rank in its column");
    if (rc == WS_OK)
        rc = ws_frame_note_columns(frame, "dropped as constant", w->input, w->constant, w->constants);
    if (rc == WS_OK)
        rc = ws_frame_note(frame, "pca: %zu columns, %zu rows, %zu of %zu components, %.4g of the variance; kept %s%s",
                           w->columns, w->rows, w->kept, w->count,
                           sum(w->eigenvalue, w->kept) / sum(w->eigenvalue, w->count), rules[options->keep],
                           w->rotated.loading ? "; rotated by varimax; scores whitened"
                           : options->whiten  ? "; scores whitened"
                                              : "");
    return rc;
}

static int project(const work *w, const double *loading, bool whiten, double *score)
{
    const int rc = ws_linear_multiply(w->z, w->rows, w->columns, loading, w->kept, score);
    for (size_t i = 0; rc == WS_OK && whiten && i < w->rows * w->kept; i++)
        score[i] /= sqrt(w->eigenvalue[i % w->kept]);
    return rc;
}

static int make_scores(const work *w, const ws_pca_options *options, const ws_frame *loadings, ws_frame **out)
{
    ws_frame *frame = *out =
        ws_frame_create(w->rows, w->kept, w->input->labels, (const char *const *)w->input->label_names);
    int rc = frame ? copy_labels(w->input, frame) : WS_EMEM;
    for (size_t c = 0; rc == WS_OK && c < w->kept; c++)
        rc = name_component(frame, c, w, c, options->subspace);
    if (rc == WS_OK)
        rc = note_result(frame, w, options);
    if (rc == WS_OK && w->rotated.weight)
        return project(w, w->rotated.weight, false, frame->value);
    return rc == WS_OK ? project(w, loadings->value, options->whiten, frame->value) : rc;
}

static int make_loadings(const work *w, const ws_pca_options *options, ws_frame **out)
{
    static const char *const label[] = {"column"};
    ws_frame *frame = *out = ws_frame_create(w->columns, w->kept, 1, label);
    int rc = frame ? WS_OK : WS_EMEM;
    for (size_t j = 0; rc == WS_OK && j < w->columns; j++) {
        rc = ws_frame_set_label(frame, j, 0, w->input->column[w->used[j]].name);
        for (size_t c = 0; c < w->kept; c++)
            frame->value[j * w->kept + c] =
                w->rotated.loading ? w->rotated.loading[j * w->kept + c] : w->loading[c * w->columns + j];
    }
    for (size_t c = 0; rc == WS_OK && c < w->kept; c++)
        rc = name_component(frame, c, w, c, options->subspace);
    return rc == WS_OK ? note_result(frame, w, options) : rc;
}

static int make_eigenvalues(const work *w, const ws_pca_options *options, ws_frame **out)
{
    static const char *const label[] = {"component"};
    ws_frame *frame = *out = ws_frame_create(w->count, 4, 1, label);
    int rc = frame ? ws_frame_set_column(frame, 0, "eigenvalue", "", "") : WS_EMEM;
    if (rc == WS_OK)
        rc = ws_frame_set_column(frame, 1, "share", "ratio", "");
    if (rc == WS_OK)
        rc = ws_frame_set_column(frame, 2, "cumulative", "ratio", "");
    if (rc == WS_OK)
        rc = ws_frame_set_column(frame, 3, "kept", "", "");
    const double total = sum(w->eigenvalue, w->count);
    double so_far = 0;
    for (size_t i = 0; rc == WS_OK && i < w->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "PC%zu", i + 1);
        rc = ws_frame_set_label(frame, i, 0, name);
        so_far += w->eigenvalue[i];
        double *const value = frame->value + 4 * i;
        value[0] = w->eigenvalue[i];
        value[1] = w->eigenvalue[i] / total;
        value[2] = so_far / total;
        value[3] = i < w->kept;
    }
    return rc == WS_OK ? note_result(frame, w, options) : rc;
}

static int make_rotation(const work *w, const ws_pca_options *options, ws_frame **out)
{
    static const char *const label[] = {"component"};
    enum { VARIANCE, SHARE, CUMULATIVE, LEAD };
    ws_frame *frame = *out = ws_frame_create(w->kept, LEAD + w->kept, 1, label);
    int rc = frame ? ws_frame_set_column(frame, VARIANCE, "variance", "", "") : WS_EMEM;
    if (rc == WS_OK)
        rc = ws_frame_set_column(frame, SHARE, "share", "ratio", "");
    if (rc == WS_OK)
        rc = ws_frame_set_column(frame, CUMULATIVE, "cumulative", "ratio", "");
    const double total = sum(w->eigenvalue, w->count);
    for (size_t c = 0; rc == WS_OK && c < w->kept; c++) {
        char name[32];
        snprintf(name, sizeof name, "RC%zu", c + 1);
        rc = ws_frame_set_label(frame, c, 0, name);
        double *const value = frame->value + c * frame->columns;
        value[VARIANCE] = w->rotated.variance[c];
        value[SHARE] = w->rotated.variance[c] / total;
        value[CUMULATIVE] = sum(w->rotated.variance, c + 1) / total;
        for (size_t i = 0; i < w->kept; i++)
            value[LEAD + i] = w->rotated.rotation[i * w->kept + c];
    }
    for (size_t i = 0; rc == WS_OK && i < w->kept; i++)
        rc = name_component(frame, LEAD + i, NULL, i, "");
    return rc == WS_OK ? note_result(frame, w, options) : rc;
}

/* Rotates the kept components. */
static int rotate(work *w, const ws_pca_options *options, ws_pca *out)
{
    int rc = ws_pca_rotate(w->loading, w->eigenvalue, w->columns, w->kept, &w->rotated);
    if (rc == WS_OK)
        rc = make_rotation(w, options, &out->rotation);
    if (rc == WS_OK) {
        out->weight = malloc(w->columns * w->kept * sizeof *out->weight);
        rc = out->weight ? WS_OK : no_memory();
    }
    if (rc == WS_OK)
        memcpy(out->weight, w->rotated.weight, w->columns * w->kept * sizeof *out->weight);
    return rc;
}

int ws_pca_run(const ws_frame *frame, const char *name, const ws_pca_options *options, ws_pca *out)
{
    work w = {0};
    *out = (ws_pca){0};
    int rc = take_input(&w, frame, name, options);
    if (rc == WS_OK && options->ranks)
        rc = rank_columns(&w);
    if (rc == WS_OK)
        rc = standardise(&w, name);
    if (rc == WS_OK)
        rc = decompose(&w);
    if (rc == WS_OK) {
        rc = ws_pca_choose(options, w.eigenvalue, w.rank, &w.kept);
        if (rc != WS_OK)
            ws_fail_context(rc, "%s", name);
    }
    if (rc == WS_OK && options->rotation == WS_PCA_VARIMAX) {
        rc = rotate(&w, options, out);
        if (rc == WS_ENUMERIC)
            ws_fail_context(rc, "%s", name);
    }
    if (rc == WS_OK)
        rc = make_loadings(&w, options, &out->loadings);
    if (rc == WS_OK)
        rc = make_scores(&w, options, out->loadings, &out->scores);
    if (rc == WS_OK)
        rc = make_eigenvalues(&w, options, &out->eigenvalues);
    out->kept = w.kept;
    work_fini(&w);
    if (rc == WS_EMEM)
        ws_fail_context(rc, "%s", name);
    if (rc != WS_OK)
        ws_pca_fini(out);
    return rc;
}

void ws_pca_fini(ws_pca *pca)
{
    ws_frame_destroy(pca->scores);
    ws_frame_destroy(pca->loadings);
    ws_frame_destroy(pca->eigenvalues);
    ws_frame_destroy(pca->rotation);
    free(pca->weight);
    *pca = (ws_pca){0};
}
