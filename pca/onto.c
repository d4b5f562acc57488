/* onto.c - scores of other rows in the components of a frame. */
#include "pca/pca_internal.h"

#include "base/linear/linear.h"
#include "base/spread.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* The rank that a value would have: that of its equals, or between those below and above. */
static double rank_among(const ws_frame *frame, size_t j, double x)
{
    size_t below = 0, equal = 0;
    for (size_t i = 0; i < frame->rows; i++) {
        const double value = frame->value[i * frame->columns + j];
        below += value < x;
        equal += value == x;
    }
    return (double)below + ((double)equal + 1) / 2;
}

/* Standard scores are those of ws_pca_run: of the values of a column of the fitted frame, or of their ranks. */
static bool measure(const ws_frame *frame, size_t j, bool ranks, double *value, ws_spread *s)
{
    for (size_t i = 0; i < frame->rows; i++) {
        const double x = frame->value[i * frame->columns + j];
        value[i] = ranks ? rank_among(frame, j, x) : x;
    }
    return ws_spread_measure(value, frame->rows, 1, s);
}

/* Standard scores of all other rows in one column, z[i * columns]. `value` is room for the rows of the frame. */
static int scale_column(const ws_frame *frame, const char *name, const ws_pca_options *options, const char *title,
                        const ws_frame *other, const char *other_name, double *value, double *z, size_t columns)
{
    const long from = ws_frame_find_column(frame, title), to = ws_frame_find_column(other, title);
    if (from < 0)
        return ws_fail(WS_EINPUT, "%s: expected the column '%s' that its components are made of, found none", name,
                       title);
    if (to < 0)
        return ws_fail(WS_EINPUT, "%s: expected a column '%s', as %s has it, found none", other_name, title, name);
    ws_spread spread;
    if (!measure(frame, (size_t)from, options->ranks, value, &spread))
        return ws_fail(WS_EINPUT, "%s: column '%s', which its components are made of, does not vary", name, title);
    for (size_t i = 0; i < other->rows; i++) {
        const double x = other->value[i * other->columns + (size_t)to];
        if (!isfinite(x)) {
            char row[200];
            ws_frame_row_name(other, i, row, sizeof row);
            return ws_fail(
                WS_EINPUT,
                "%s: row %zu (%s), column '%s': expected a finite number, as the map has no place for others",
                other_name, i + 1, row, title);
        }
        z[i * columns] = ws_spread_score(&spread, options->ranks ? rank_among(frame, (size_t)from, x) : x);
    }
    return WS_OK;
}

static int name_scores(const ws_pca *pca, const ws_frame *other, const char *name, ws_frame *scores)
{
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < other->rows * other->labels; i++)
        rc = ws_frame_set_label(scores, i / other->labels, i % other->labels, other->label[i]);
    for (size_t k = 0; rc == WS_OK && k < pca->kept; k++) {
        const ws_column *const c = &pca->scores->column[k];
        rc = ws_frame_set_column(scores, k, c->name, c->unit, c->group);
    }
    for (size_t i = 0; rc == WS_OK && i < other->notes; i++)
        rc = ws_frame_note(scores, "%s", other->note[i]);
    return rc == WS_OK ? ws_frame_note(scores, "components: of the %zu rows of %s", pca->scores->rows, name) : rc;
}

int ws_pca_onto(const ws_frame *frame, const char *name, const ws_pca_options *options, const ws_pca *pca,
                const ws_frame *other, const char *other_name, ws_frame **out)
{
    const size_t columns = pca->loadings->rows;
    double *const value = calloc(frame->rows + 1, sizeof *value);
    double *const z = calloc(other->rows * columns + 1, sizeof *z);
    ws_frame *const scores =
        ws_frame_create(other->rows, pca->kept, other->labels, (const char *const *)other->label_names);
    int rc = value && z && scores ? name_scores(pca, other, name, scores)
                                  : ws_fail(WS_EMEM, "%s: no memory for scores", other_name);
    for (size_t j = 0; rc == WS_OK && j < columns; j++)
        rc = scale_column(frame, name, options, pca->loadings->label[j], other, other_name, value, z + j, columns);
    if (rc == WS_OK)
        rc = ws_linear_multiply(z, other->rows, columns, pca->weight ? pca->weight : pca->loadings->value, pca->kept,
                                scores->value);
    for (size_t i = 0; rc == WS_OK && options->whiten && !pca->weight && i < other->rows * pca->kept; i++)
        scores->value[i] /= sqrt(pca->eigenvalues->value[i % pca->kept * pca->eigenvalues->columns]);
    if (rc == WS_OK)
        rc = ws_frame_require_finite(scores, other_name);
    free(value);
    free(z);
    return ws_frame_give(rc, scores, out);
}
