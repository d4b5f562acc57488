/* reduction.c - how many components are kept of a frame of characteristics? */
#include "cli/reduction.h"

#include "cli/cli.h"
#include "cli/report/analysis.h"

#include <stdlib.h>
#include <string.h>

static const struct argp_option options[] = {
    {"variance", WS_REDUCTION_VARIANCE, "F", 0,
     "Of characteristics, keep the fewest components that explain this fraction of the variance [0.9]", 5},
    {"pcs", WS_REDUCTION_PCS, "N", 0, "... keep N components", 5},
    {"kaiser", WS_REDUCTION_KAISER, NULL, 0, "... keep the components with an eigenvalue above 1", 5},
    {"subspace", WS_REDUCTION_SUBSPACE, "NAME", 0, "... use only the columns of this group, such as DV [all]", 5},
    {"ranks", WS_REDUCTION_RANKS, NULL, 0, "... of each value take its rank in its column", 5},
    {0},
};

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

error_t ws_reduction_set(ws_reduction_options *r, int key, const char *text, const struct argp_state *state)
{
    switch (key) {
    case WS_REDUCTION_VARIANCE:
        choose(r, state, "--variance", WS_PCA_KEEP_VARIANCE, ws_cli_double(state, "--variance", text, 0, 1));
        return 0;
    case WS_REDUCTION_PCS:
        choose(r, state, "--pcs", WS_PCA_KEEP_FIXED, (double)ws_cli_u64(state, "--pcs", text, 1, 1000000));
        return 0;
    case WS_REDUCTION_KAISER:
        choose(r, state, "--kaiser", WS_PCA_KEEP_KAISER, 0);
        return 0;
    case WS_REDUCTION_SUBSPACE:
        r->pca.subspace = text;
        return 0;
    case WS_REDUCTION_RANKS:
        r->pca.ranks = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    return ws_reduction_set(state->input, key, text, state);
}

const struct argp ws_reduction_argp = {.options = options, .parser = parse};

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
