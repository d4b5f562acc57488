/* reduction.c - how many components are kept of a frame of characteristics? */
#include "cli/reduction.h"

#include "cli/cli.h"
#include "cli/report/analysis.h"

#include <stdlib.h>
#include <string.h>

/* One rule for the number of components, not two. */
static void choose(ws_reduction_options *r, const struct argp_state *state, const char *option, ws_pca_keep keep,
                   double amount)
{
    if (r->given && strcmp(r->given, option) != 0)
        argp_error(state, "%s and %s both say how many components to keep; give one of them", r->given, option);
    r->given = option;
    r->pca.keep = keep;
    r->pca.amount = amount;
}

void ws_take_variance(const struct argp_state *state, void *member, char *text)
{
    choose(member, state, "--variance", WS_PCA_KEEP_VARIANCE, ws_argp_double(state, "--variance", text, 0, 1));
}

void ws_take_pcs(const struct argp_state *state, void *member, char *text)
{
    choose(member, state, "--pcs", WS_PCA_KEEP_FIXED, (double)ws_argp_u64(state, "--pcs", text, 1, 1000000));
}

void ws_take_kaiser(const struct argp_state *state, void *member, char *text)
{
    (void)text;
    choose(member, state, "--kaiser", WS_PCA_KEEP_KAISER, 0);
}

void ws_reduction_defaults(ws_reduction_options *r)
{
    *r = (ws_reduction_options){.pca = {.keep = WS_PCA_KEEP_VARIANCE, .amount = 0.9}};
}

static int copy(const ws_frame *frame, ws_frame **out)
{
    size_t *row = malloc((frame->rows + 1) * sizeof *row);
    if (!row)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < frame->rows; i++)
        row[i] = i;
    const int status = ws_frame_pick_rows(frame, row, frame->rows, out);
    free(row);
    return status;
}

int ws_reduction_run(const ws_frame *features, const char *name, const ws_pca_options *pca, ws_frame **points)
{
    if (ws_analysis_has_components(features)) {
        const int status = ws_frame_require_finite(features, name);
        return status ? status : copy(features, points);
    }
    ws_pca result;
    const int status = ws_pca_run(features, name, pca, &result);
    if (status)
        return status;
    *points = result.scores;
    result.scores = NULL;
    ws_pca_fini(&result);
    return WS_OK;
}
