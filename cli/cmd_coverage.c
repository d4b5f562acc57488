/* cmd_coverage.c - `warpscape coverage`: does a program bring something that a suite lacks, and where has the suite
 * nothing? */
#include "cluster/coverage.h"

#include "base/c_locale.h"
#include "cli/cli.h"
#include "base/options/option_rows.h"
#include "cli/features.h"
#include "cli/reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_HOLES = 5, MOST_HOLES = 1000, WORDS = 4 };

typedef struct request {
    struct frames {
        const char *suite, *placed; /* paths; placed may be NULL */
    } of;
    ws_features features;
    ws_reduction_options reduction;
    size_t holes;
    uint64_t seed;
} request;

static void take_frames(const struct argp_state *state, void *member, char *text)
{
    struct frames *const of = member;
    if (of->placed)
        argp_error(state, "one suite and one frame of new rows; what is '%s'?", text);
    *(of->suite ? &of->placed : &of->suite) = text;
}

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (!r->of.suite)
        argp_error(state, "which suite? (- reads its frame from standard input)");
    if (r->of.placed && !strcmp(r->of.suite, "-") && !strcmp(r->of.placed, "-"))
        argp_error(state, "standard input cannot be both the suite and the new rows");
    if (r->of.placed && r->holes)
        argp_error(state, "--holes apply to the suite only; leave '%s' out", r->of.placed);
}

static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_NUMBER("holes", 0, "N", request, holes, 1, MOST_HOLES, "Without NEW: number of gaps to print [5]"),
    WS_OPTION_NUMBER("seed", 0, "N", request, seed, 0, UINT32_MAX, "Seed of the positions tried [1]"),
    WS_ARGUMENTS(request, of, take_frames, NULL),
    WS_REDUCTION_OPTIONS(request, reduction),
    WS_FEATURES_OPTIONS(request, features),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "SUITE|- [NEW|-]",
    .doc = "Shows the regions of the metric space that a suite covers. Rows of NEW, such as a program measured by "
           "`warpscape run', are placed among those of SUITE.\vFor each new row: the most similar row of the suite, "
           "the distance, and the share of the suite's rows, in %, with a nearer neighbour in the suite: at 100 no row "
           "of the suite is as far from the rest, so the new row adds coverage. Without NEW: the widest gaps between "
           "the suite's rows, with the properties of a program there (standard deviations of characteristics, largest "
           "first). Components are those of SUITE only.\n\nExample:\n  warpscape suite run --db suite.db && warpscape "
           "run --db mine.db ./app\n  warpscape metrics --db suite.db > suite.csv\n  warpscape metrics --db mine.db > "
           "mine.csv\n  warpscape coverage --ranks suite.csv mine.csv",
};

/* ---------------------------------------------------------------- what a gap is like */

typedef struct word {
    const char *column;
    double z;
} word;

static int compare_words(const void *a, const void *b)
{
    const double x = fabs(((const word *)a)->z), y = fabs(((const word *)b)->z);
    return x < y ? 1 : x > y ? -1 : strcmp(((const word *)a)->column, ((const word *)b)->column);
}

/* "high barriers (+2.1), low global_loads (-1.8)": the characteristics of a place that are farthest from the mean. */
static int describe(const ws_pca *pca, const double *place, word *words, char **text)
{
    size_t bytes;
    for (size_t j = 0; j < pca->loadings->rows; j++) {
        words[j] = (word){pca->loadings->label[j], 0};
        for (size_t k = 0; k < pca->kept; k++)
            words[j].z += place[k] * pca->loadings->value[j * pca->kept + k];
    }
    qsort(words, pca->loadings->rows, sizeof *words, compare_words);
    FILE *const out = open_memstream(text, &bytes);
    if (!out)
        return WS_EMEM;
    const locale_t before = ws_c_locale_enter();
    for (size_t i = 0; i < WORDS && i < pca->loadings->rows; i++)
        fprintf(out, "%s%s %s (%+.1f)", i ? ", " : "", words[i].z < 0 ? "low" : "high", words[i].column, words[i].z);
    ws_c_locale_leave(before);
    return fclose(out) ? WS_EMEM : WS_OK;
}

/* The gaps, with a label more that says what a program there would be like. */
static int describe_all(const ws_pca *pca, const ws_frame *holes, ws_frame **out)
{
    static const char *const labels[] = {"hole", "nearest", "like"};
    word *const words = calloc(pca->loadings->rows + 1, sizeof *words);
    ws_frame *const f = ws_frame_create(holes->rows, holes->columns, 3, labels);
    int rc = words && f ? WS_OK : WS_EMEM;
    for (size_t j = 0; rc == WS_OK && j < holes->columns; j++)
        rc = ws_frame_set_column(f, j, holes->column[j].name, holes->column[j].unit, holes->column[j].group);
    for (size_t i = 0; rc == WS_OK && i < holes->rows; i++) {
        char *text = NULL;
        const double *const value = holes->value + i * holes->columns;
        rc = describe(pca, value + WS_COVERAGE_LEAD, words, &text);
        for (size_t l = 0; rc == WS_OK && l < 3; l++)
            rc = ws_frame_set_label(f, i, l, l < 2 ? holes->label[2 * i + l] : text);
        memcpy(f->value + i * f->columns, value, f->columns * sizeof *value);
        free(text);
    }
    free(words);
    return ws_frame_give(rc, f, out) == WS_OK ? WS_OK : ws_fail(WS_EMEM, "no memory to describe gaps");
}

/* ---------------------------------------------------------------- the two questions */

static int find_holes(const request *r, const ws_pca *pca, ws_frame **out)
{
    ws_frame *holes = NULL;
    int rc = ws_coverage_holes(pca->scores, ws_features_name(r->of.suite), r->holes ? r->holes : USUAL_HOLES, r->seed,
                               &holes);
    if (rc == WS_OK)
        rc = describe_all(pca, holes, out);
    ws_frame_destroy(holes);
    return rc;
}

static int place(const request *r, const ws_frame *suite, const ws_pca *pca, ws_frame **out)
{
    ws_frame *placed = NULL, *scores = NULL;
    const char *const name = ws_features_name(r->of.suite);
    int rc = ws_features_load(r->of.placed, &r->features, &placed);
    if (rc == WS_OK)
        rc = ws_pca_onto(suite, name, &r->reduction.pca, pca, placed, ws_features_name(r->of.placed), &scores);
    if (rc == WS_OK)
        rc = ws_coverage_place(pca->scores, name, scores, out);
    ws_frame_destroy(placed);
    ws_frame_destroy(scores);
    return rc;
}

WS_COMMAND(coverage)
{
    request r = {.seed = 1};
    ws_reduction_defaults(&r.reduction);
    ws_options_parse(&options, argc, argv, &r);
    ws_frame *suite = NULL, *frame = NULL;
    ws_pca pca = {0};
    int rc = ws_features_load(r.of.suite, &r.features, &suite);
    if (rc == WS_OK)
        rc = ws_features_clean(r.of.suite, &r.features, &suite);
    if (rc == WS_OK)
        rc = ws_pca_run(suite, ws_features_name(r.of.suite), &r.reduction.pca, &pca);
    if (rc == WS_OK)
        rc = r.of.placed ? place(&r, suite, &pca, &frame) : find_holes(&r, &pca, &frame);
    for (size_t i = 0; rc == WS_OK && i < pca.scores->notes; i++)
        rc = ws_frame_note(frame, "%s", pca.scores->note[i]);
    if (rc == WS_OK)
        rc = ws_features_print(frame, argc, argv);
    ws_frame_destroy(frame);
    ws_frame_destroy(suite);
    ws_pca_fini(&pca);
    return rc;
}
