/* cmd_plot.c - warpscape plot: a figure from a frame.
 *
 * Each figure has a function here that computes, from the frame it is given, the frames that the figure shows. */
#include "cli/cli.h"
#include "cli/common_options.h"

#include "base/guess.h"
#include "cli/features.h"
#include "cli/plot_rows.h"
#include "cli/reduction.h"
#include "cli/report/analysis.h"
#include "cluster/members.h"
#include "cluster/tangle.h"
#include "plots/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
    struct arguments {
        const char *figure, *path, *other; /* other: NULL, but of figures of two frames */
    } of;
    const char *output, *title, *eigenvalues;
    const char *input, *other_input; /* what messages call the frames */
    ws_features features;
    ws_reduction_options reduction;
    ws_analysis_options options; /* its pca: that of the reduction */
    bool list, stack;
    size_t x, y, most;
    struct range {
        uint64_t first, last;
    } rows;
    unsigned width_px, height_px;
    double font_pt, limit;
    const ws_plot_preset *preset;
    ws_plot_labels labels;
    const char *given[WS_USES];            /* options that not every figure can make use of, by their use */
    char note[320];                        /* what the figure does not show of the frame */
    char tree_axis[96], other_axis[96];    /* what heights of its trees are */
    ws_frame *frame, *variance, *standard; /* the input; --eigenvalues; the input, changed */
    ws_analysis analysis;
    ws_column_analysis columns;
    ws_frame *other;         /* the second frame, with the rows of the first */
    size_t lone, other_lone; /* rows of either that the other one lacks */
    ws_analysis other_analysis;
} job;

enum { MOST_LEAVES = 2000 }; /* of a tree that a figure does not draw but for colours: profile --k */

static void take_rows(const struct argp_state *state, void *member, char *text)
{
    struct range *const rows = member;
    char first[32];
    const char *const dash = strchr(text, '-');
    if (!dash || dash - text >= (long)sizeof first)
        argp_error(state, "--rows needs the numbers of two rows, such as 41-80, not '%s'", text);
    snprintf(first, sizeof first, "%.*s", (int)(dash - text), text);
    rows->first = ws_argp_u64(state, "--rows", first, 1, 1000000000);
    rows->last = ws_argp_u64(state, "--rows", dash + 1, 1, 1000000000);
    if (rows->last < rows->first)
        argp_error(state, "--rows %s: the last row is before the first", text);
}

static void take_preset(const struct argp_state *state, void *member, char *text)
{
    enum { MOST = 16 };
    const char *words[MOST + 1] = {NULL};
    for (size_t i = 0; i < MOST && ws_plot_preset_at(i); i++)
        words[i] = ws_plot_preset_at(i)->name;
    *(const ws_plot_preset **)member = ws_plot_preset_at(ws_argp_choice(state, "--for", text, words));
}

/* A preset says what the other options of size do not. */
static void apply_preset(job *j)
{
    if (!j->preset)
        return;
    j->width_px = j->width_px ? j->width_px : (unsigned)lround(j->preset->width_in * WS_PX_PER_INCH);
    j->height_px = j->height_px ? j->height_px : (unsigned)lround(j->preset->height_in * WS_PX_PER_INCH);
    j->font_pt = j->font_pt > 0 ? j->font_pt : j->preset->font_pt;
}

static void take_argument(const struct argp_state *state, void *member, char *text)
{
    struct arguments *const of = member;
    const ws_figure *const figure = of->figure ? ws_figure_find(of->figure) : NULL;
    const bool pair = figure && ws_figure_uses(figure) & WS_USE_PAIR;
    if (of->path && !pair)
        argp_error(state, "one figure and one frame at a time; what is '%s'?", text);
    if (of->other)
        argp_error(state, "unexpected argument '%s': the figure %s takes two frames", text, of->figure);
    *(!of->figure ? &of->figure : !of->path ? &of->path : &of->other) = text;
}

static void settle(const struct argp_state *state, void *asked)
{
    job *const j = asked;
    if (!j->list && !j->of.path)
        argp_error(state, "which figure of which frame? (- reads the frame from standard input)");
    const ws_figure *const figure = j->list ? NULL : ws_figure_find(j->of.figure);
    if (figure && ws_figure_uses(figure) & WS_USE_PAIR && !j->of.other)
        argp_error(state, "the figure %s needs two frames", j->of.figure);
    if (j->of.other && !strcmp(j->of.path, "-") && !strcmp(j->of.other, "-"))
        argp_error(state, "only one of the two frames can be -, standard input");
    if (!j->list && !j->output)
        argp_error(state, "-o FILE.svg, .png, .pdf or .gp is required: the file of the figure");
    apply_preset(j);
    j->options.pca = j->reduction.pca;
}

static const char *const label_words[] = {"all", "representatives", "none", NULL}; /* in the order of ws_plot_labels */

/* The option before is for figures with this use, as their rows in plots.def say. */
#define FOR(use) WS_OPTION_NOTED(job, given[WS_USE_BIT_##use])

static const ws_option_row option_rows[] = {
    WS_ARGUMENTS(job, of, take_argument, NULL),
    WS_OPTION_GROUP(1),
    WS_OPTION_OUTPUT("output", 'o', "FILE", job, output,
                     "Output file: FILE.svg, .png, .pdf, or .gp for the gnuplot script"),
    WS_OPTION_FLAG("list", 0, job, list, "List the figures with descriptions"),
    WS_OPTION_TEXT("title", 0, "TEXT", job, title, "Title above the figure [none]"),
    WS_OPTION_TAKE("for", 0, "column|page|slide", job, preset, take_preset,
                   "Size and letters for a column (3.5 in) or a page (7.16 in) of a two-column paper, or a slide of "
                   "16:9"),
    WS_OPTION_NUMBER("width", 0, "PIXELS", job, width_px, 200, 5000,
                     "Width of the figure, at 96 pixels per inch [by content]"),
    WS_OPTION_NUMBER("height", 0, "PIXELS", job, height_px, 100, 20000, "Height of the figure [by content]"),
    WS_OPTION_REAL("font-size", 0, "POINTS", job, font_pt, 4, 72, 1,
                   "Font size of names and axis titles; the rest scales with it [8.25]"),
    WS_OPTION_WORD("labels", 0, "all|representatives|none", job, labels, label_words,
                   "Names in the figure: all that fit, cluster representatives (--k), or none [all]"),
    FOR(LABELS),
    WS_OPTION_GROUP(2),
    WS_OPTION_TAKE("linkage", 'l', "L", job, options.linkage, ws_take_linkage,
                   "Trees of dendrogram, columns and heatmap, and clusters: single, complete, average or ward "
                   "[complete]"),
    FOR(TREE),
    WS_OPTION_NUMBER("k", 'k', "N", job, options.clusters, 1, 1000000,
                     "Cut the tree into N clusters and colour them [no clusters]"),
    FOR(CUT),
    WS_OPTION_GROUP(3),
    WS_OPTION_TAKE("variance", 0, "F", job, reduction, ws_take_variance,
                   "For a frame of characteristics, keep the components that explain this fraction [0.9]"),
    FOR(REDUCE),
    WS_OPTION_TAKE("pcs", 0, "N", job, reduction, ws_take_pcs, "... keep N components"),
    FOR(REDUCE),
    WS_OPTION_TAKE("kaiser", 0, NULL, job, reduction, ws_take_kaiser, "... keep components with an eigenvalue above 1"),
    FOR(REDUCE),
    WS_OPTION_TEXT("subspace", 0, "NAME", job, reduction.pca.subspace,
                   "... use only the columns of this group, such as DV"),
    FOR(SUBSPACE),
    WS_OPTION_GROUP(4),
    WS_OPTION_NUMBER("x", 0, "N", job, x, 1, 100000, "scores, biplot: component on the horizontal axis [1]"),
    FOR(PLANE),
    WS_OPTION_NUMBER("y", 0, "N", job, y, 1, 100000, "scores, biplot: component on the vertical axis [2]"),
    FOR(PLANE),
    WS_OPTION_TEXT("eigenvalues", 0, "FILE", job, eigenvalues,
                   "scores, loadings: frame of pca --eigenvalues, for the shares in titles"),
    FOR(SHARES),
    WS_OPTION_NUMBER("top", 0, "N", job, most, 1, 1000,
                     "scree: components shown [20]; loadings: bars per component [10]; biplot: arrows [10]; curves: "
                     "lines per panel, those that change most [12]"),
    FOR(TOP),
    WS_OPTION_TAKE("rows", 0, "FIRST-LAST", job, rows, take_rows,
                   "profile: rows that get a star, at most 300 [the first 40]"),
    FOR(ROWS),
    WS_OPTION_REAL("limit", 0, "VALUE", job, limit, 1e-300, 1e300, 1,
                   "bars: cut longer ones, and write their value [no limit]"),
    FOR(STACK),
    WS_OPTION_FLAG("stack", 0, job, stack,
                   "bars: the columns are parts of a sum, although the frame does not say so [only amounts of one unit "
                   "are stacked]"),
    FOR(STACK),
    WS_FEATURES_OPTIONS(job, features),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .args_doc = "FIGURE FRAME|- -o FILE\ntanglegram FRAME|- FRAME|- -o FILE\n--list",
    .doc =
        "Draw a figure from a frame, with gnuplot.\n"
        "\vFRAME is what `warpscape pca' prints (scores), or the characteristics of `warpscape metrics', from which "
        "the "
        "components are then computed; scree and loadings also take the frames of pca --eigenvalues and --loadings, "
        "curves any frame whose first column is the horizontal axis, bars any of at most 8 columns. columns and "
        "heatmap show characteristics as they "
        "are, profile up to 12 of them, or the first 12 components of more. tanglegram shows the rows that two frames "
        "share. traffic shows the frame of "
        "`warpscape sim --traffic', floor that of `warpscape model power --map', network what `warpscape sim' "
        "prints; timeline and tornado those of `warpscape "
        "model chameleon'; front any with a column front, as of `warpscape explore'; roofline that of `warpscape "
        "model roofline'; `warpscape sample --figure' draws strata.\n\n"
        "Example:\n"
        "  warpscape suite run\n"
        "  warpscape metrics |\n"
        "    warpscape pca - |\n"
        "    warpscape plot dendrogram - --k 6 -o tree.svg",
    .children = ws_argp_writes,
};

/* ---------------------------------------------------------------- what each figure shows */

static bool has_column(const ws_frame *frame, const char *name)
{
    return ws_frame_find_column(frame, name) >= 0;
}

static bool was_given(const job *j, unsigned use)
{
    for (size_t i = 0; i < WS_USES; i++)
        if (j->given[i] && use >> i & 1)
            return true;
    return false;
}

/* Options that say which components are wanted have nothing to say where the frame has them. */
static int check_components(const job *j, const ws_frame *frame, const char *input)
{
    if (!was_given(j, WS_USE_REDUCE | WS_USE_SUBSPACE) || !ws_analysis_has_components(frame))
        return WS_OK;
    return ws_fail(WS_EINPUT,
                   "%s: these are already components; --variance, --pcs, --kaiser and --subspace select components of "
                   "characteristics (use --columns)",
                   input);
}

static int reduce(job *j, ws_plot_request *r)
{
    const int status = ws_analysis_reduce(j->frame, j->input, &j->options, &j->analysis);
    if (status)
        return status;
    r->data = j->analysis.points;
    if (!r->variance)
        r->variance = j->analysis.variance;
    return WS_OK;
}

static void name_axis(const job *j, const ws_analysis *analysis, char *axis, size_t size)
{
    const size_t columns = analysis->points->columns;
    snprintf(axis, size, "Euclidean distance of %zu component%s, %s linkage", columns, columns == 1 ? "" : "s",
             ws_linkage_name(j->options.linkage));
}

/* The tree too, and clusters when --k asks for them. */
static int grow_tree(job *j, ws_plot_request *r)
{
    const int status = ws_analysis_cluster(&j->options, j->input, &j->analysis);
    if (status)
        return status;
    r->tree = j->analysis.merges;
    r->groups = j->analysis.groups;
    r->cut = j->analysis.cut;
    name_axis(j, &j->analysis, j->tree_axis, sizeof j->tree_axis);
    r->tree_axis = j->tree_axis;
    return WS_OK;
}

static int prepare_scree(job *j, ws_plot_request *r)
{
    if (has_column(j->frame, "eigenvalue"))
        return WS_OK;
    if (ws_analysis_has_components(j->frame))
        return ws_fail(
            WS_EINPUT,
            "%s: these are components; a scree plot needs the frame of pca --eigenvalues, or characteristics",
            j->input);
    const int status = reduce(j, r);
    r->data = j->analysis.pca.eigenvalues;
    return status;
}

/* A plane needs two components, also when one holds as much variance as was asked for. */
static int reduce_to_plane(job *j, ws_plot_request *r)
{
    int status = reduce(j, r);
    if (status || r->data->columns > 1 || j->options.pca.keep == WS_PCA_KEEP_FIXED || r->data == j->frame)
        return status;
    ws_analysis_fini(&j->analysis);
    r->variance = j->variance;
    j->options.pca.keep = WS_PCA_KEEP_FIXED;
    j->options.pca.amount = 2;
    status = reduce(j, r);
    return status != WS_EINPUT ? status
                               : ws_fail(WS_EINPUT,
                                         "%s: a plane needs two components, and these data have one: at least 3 rows "
                                         "that differ, and 2 columns "
                                         "that vary, are needed",
                                         j->input);
}

static int prepare_scores(job *j, ws_plot_request *r)
{
    int status = reduce_to_plane(j, r);
    if (!status && (j->x > r->data->columns || j->y > r->data->columns))
        status =
            ws_fail(WS_EINPUT, "%s: --x %zu --y %zu: there are %zu components (of characteristics, --pcs keeps more)",
                    j->input, j->x, j->y, r->data->columns);
    if (!status && j->options.clusters)
        status = grow_tree(j, r);
    r->x = j->x - 1;
    r->y = j->y - 1;
    return status;
}

static int prepare_biplot(job *j, ws_plot_request *r)
{
    if (ws_analysis_has_components(j->frame))
        return ws_fail(WS_EINPUT, "%s: these are components; a biplot is of characteristics, whose loadings it shows",
                       j->input);
    const int status = prepare_scores(j, r);
    r->arrows = j->analysis.pca.loadings;
    return status;
}

static int prepare_loadings(job *j, ws_plot_request *r)
{
    if (ws_analysis_has_components(j->frame)) {
        if (strcmp(j->frame->label_names[0], "column"))
            return ws_fail(WS_EINPUT,
                           "%s: these are scores; loadings need the frame of pca --loadings, or characteristics",
                           j->input);
        return WS_OK;
    }
    const int status = reduce(j, r);
    r->data = j->analysis.pca.loadings;
    return status;
}

static int prepare_dendrogram(job *j, ws_plot_request *r)
{
    const int status = reduce(j, r);
    return status ? status : grow_tree(j, r);
}

/* Turns the branches of both trees, and replaces their frames. */
static int untangle(job *j)
{
    ws_tree *const a = j->analysis.tree, *const b = j->other_analysis.tree;
    double before, after;
    int status = ws_entanglement(a->order, b->order, a->leaves, &before);
    if (!status)
        status = ws_trees_untangle(a, b);
    if (!status)
        status = ws_entanglement(a->order, b->order, a->leaves, &after);
    if (status)
        return status;
    ws_frame_destroy(j->analysis.merges);
    ws_frame_destroy(j->other_analysis.merges);
    j->analysis.merges = j->other_analysis.merges = NULL;
    status = ws_tree_frame(a, j->analysis.points, &j->analysis.merges);
    if (!status)
        status = ws_tree_frame(b, j->other_analysis.points, &j->other_analysis.merges);
    size_t used = strlen(j->note);
    snprintf(j->note + used, sizeof j->note - used, "%sEntanglement %.3f, %.3f before branches were turned.",
             used ? " " : "", after, before);
    used = strlen(j->note);
    if (j->lone || j->other_lone)
        snprintf(j->note + used, sizeof j->note - used, " Rows of one frame only are omitted: %zu left, %zu right.",
                 j->lone, j->other_lone);
    return status;
}

/* Clusters are those of the first tree. */
static int prepare_tanglegram(job *j, ws_plot_request *r)
{
    const ws_analysis_options tree_only = {.pca = j->options.pca, .linkage = j->options.linkage};
    int status = reduce(j, r);
    if (!status)
        status = ws_analysis_reduce(j->other, j->other_input, &j->options, &j->other_analysis);
    if (!status)
        status = grow_tree(j, r);
    if (!status)
        status = ws_analysis_cluster(&tree_only, j->other_input, &j->other_analysis);
    if (!status)
        status = untangle(j);
    if (status)
        return status;
    name_axis(j, &j->other_analysis, j->other_axis, sizeof j->other_axis);
    r->tree = j->analysis.merges;
    r->other_tree = j->other_analysis.merges;
    r->tree_name = j->input;
    r->other_name = j->other_input;
    r->other_axis = j->other_axis;
    return WS_OK;
}

/* Characteristics that vary, in standard deviations. */
static int standardise(job *j, ws_plot_request *r)
{
    int status = reduce(j, r);
    if (!status)
        status = ws_analysis_standardise(j->frame, &j->options, &j->analysis, &j->standard);
    return status;
}

static int prepare_columns(job *j, ws_plot_request *r)
{
    if (ws_analysis_has_components(j->frame))
        return ws_fail(WS_EINPUT,
                       "%s: these are components, which do not correlate; a tree of columns is one of characteristics",
                       j->input);
    int status = standardise(j, r);
    if (!status)
        status = ws_analysis_columns(j->standard, j->input, j->options.linkage, j->options.clusters, &j->columns);
    r->data = j->columns.names;
    r->tree = j->columns.merges;
    r->groups = j->columns.groups;
    r->cut = j->columns.cut;
    snprintf(j->tree_axis, sizeof j->tree_axis, "1 - |correlation|, %s linkage", ws_linkage_name(j->options.linkage));
    r->tree_axis = j->tree_axis;
    const size_t constant = j->frame->columns - (j->standard ? j->standard->columns : 0);
    if (!status && constant && !j->options.pca.subspace)
        snprintf(j->note, sizeof j->note, "%zu of %zu columns do not vary and are omitted.", constant,
                 j->frame->columns);
    return status;
}

static int prepare_heatmap(job *j, ws_plot_request *r)
{
    if (ws_analysis_has_components(j->frame))
        return ws_fail(WS_EINPUT, "%s: these are components; a heatmap shows characteristics", j->input);
    int status = ws_plot_check_heatmap(j->frame->rows, j->frame->columns);
    if (!status)
        status = standardise(j, r);
    if (!status)
        status = grow_tree(j, r);
    if (!status && j->standard->columns > 1)
        status = ws_analysis_columns(j->standard, j->input, j->options.linkage, 0, &j->columns);
    r->data = j->standard;
    r->column_tree = j->columns.merges;
    return status;
}

static int prepare_profile(job *j, ws_plot_request *r)
{
    enum { MOST_AXES = 12 };
    if (!j->options.clusters && j->frame->columns <= MOST_AXES) {
        if (was_given(j, WS_USE_REDUCE))
            return ws_fail(WS_EINPUT,
                           "%s: these %zu columns are shown unchanged; --variance, --pcs and --kaiser apply to more "
                           "than %d columns, or to clusters (--k)",
                           j->input, j->frame->columns, MOST_AXES);
        return WS_OK;
    }
    int status = reduce(j, r);
    if (!status && j->options.clusters)
        status = grow_tree(j, r);
    if (j->frame->columns <= MOST_AXES)
        r->data = j->frame;
    if (!status && r->data->columns > MOST_AXES) { /* a star has room for so many; the first components say most */
        size_t first[MOST_AXES];
        for (size_t i = 0; i < MOST_AXES; i++)
            first[i] = i;
        status = ws_frame_pick_columns(r->data, first, MOST_AXES, &j->standard);
        const size_t used = strlen(j->note);
        snprintf(j->note + used, sizeof j->note - used, "%sThe first %d of %zu components.", used ? " " : "", MOST_AXES,
                 j->analysis.points->columns);
        r->data = j->standard;
    }
    return status;
}

/* Frames of `warpscape subset' and `evaluate' have their sizes elsewhere than in front, and more labels than a key
 * needs. */
static int prepare_curves(job *j, ws_plot_request *r)
{
    const int status = ws_analysis_sizes_first(j->frame, &j->standard);
    if (!status && j->standard)
        r->data = j->standard;
    return status;
}

/* Bars, and frames of the simulator and of models, are shown as they are. */
static int prepare_nothing(job *j, ws_plot_request *r)
{
    (void)j;
    (void)r;
    return WS_OK;
}
#define prepare_floor    prepare_nothing
#define prepare_traffic  prepare_nothing
#define prepare_bars     prepare_nothing
#define prepare_front    prepare_nothing
#define prepare_network  prepare_nothing
#define prepare_timeline prepare_nothing
#define prepare_tornado  prepare_nothing
#define prepare_roofline prepare_nothing
#define prepare_strata   prepare_nothing

/* A new row of plots.def does not compile until it has its function above. */
static const struct {
    const char *figure;
    int (*prepare)(job *j, ws_plot_request *r);
} preparations[] = {
#define FIGURE(name, summary, uses, rows) {#name, prepare_##name},
#include "plots/plots.def"
#undef FIGURE
};

/* ---------------------------------------------------------------- the command */

/* Options that the figure can make nothing of are refused, with those that can. */
static int fail_option(const char *option, unsigned use, const ws_figure *figure)
{
    char list[256] = "";
    for (size_t i = 0; ws_figure_at(i); i++) {
        const size_t used = strlen(list);
        if (ws_figure_uses(ws_figure_at(i)) & use)
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", ws_figure_name(ws_figure_at(i)));
    }
    ws_fail(WS_EINPUT, "--%s does not apply to the figure %s; it is for %s", option, ws_figure_name(figure), list);
    return WS_MISUSED;
}

static int check_options(const job *j, const ws_figure *figure)
{
    const unsigned uses = ws_figure_uses(figure);
    for (size_t i = 0; i < WS_USES; i++)
        if (j->given[i] && !(uses >> i & 1))
            return fail_option(j->given[i], 1u << i, figure);
    if (j->labels == WS_LABELS_REPRESENTATIVES && !(uses & WS_USE_STANDINS))
        return fail_option("labels representatives", WS_USE_STANDINS, figure);
    const bool only_cuts = was_given(j, WS_USE_TREE) && !ws_figure_draws_tree(figure);
    const char *const lonely = j->options.clusters                      ? NULL
                               : j->labels == WS_LABELS_REPRESENTATIVES ? "--labels representatives"
                               : only_cuts                              ? "--linkage"
                                                                        : NULL;
    if (!lonely && !(uses & WS_USE_GAPS && j->features.missing))
        return WS_OK;
    if (lonely)
        ws_fail(WS_EINPUT, "%s needs clusters in the figure %s: how many? (--k N)", lonely, ws_figure_name(figure));
    else
        ws_fail(WS_EINPUT, "--missing does not apply to the figure %s: missing values are gaps there",
                ws_figure_name(figure));
    return WS_MISUSED;
}

/* Only the rows of the first frame that the second one has. */
static int keep_common(job *j)
{
    ws_row_index own = {0}, other = {0};
    ws_frame *common = NULL;
    size_t *const row = calloc(j->frame->rows + 1, sizeof *row), n = 0, only, first;
    int status = row ? ws_row_index_init(&own, j->frame, j->frame->labels) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_row_index_init(&other, j->other, j->other->labels);
    for (size_t i = 0; !status && i < j->frame->rows; i++) {
        if (!ws_row_index_find(&other, own.name[i], &first))
            continue;
        status = ws_row_index_only(&own, j->input, own.name[i], j->other_input, &only);
        row[n++] = i;
    }
    if (!status && n < 2)
        status = ws_fail(WS_EINPUT, "%s: expected at least two rows with the names of rows of %s, found %zu", j->input,
                         j->other_input, n);
    if (!status)
        status = ws_frame_pick_rows(j->frame, row, n, &common);
    j->lone = j->frame->rows - n;
    j->other_lone = j->other->rows - n;
    ws_row_index_fini(&own);
    ws_row_index_fini(&other);
    free(row);
    if (status)
        return status;
    ws_frame_destroy(j->frame);
    j->frame = common;
    return WS_OK;
}

static int load_other(job *j)
{
    j->other_input = ws_features_name(j->of.other);
    int status = ws_features_load(j->of.other, &j->features, &j->other);
    if (!status)
        status = ws_features_clean(j->of.other, &j->features, &j->other);
    if (!status)
        status = check_components(j, j->other, j->other_input);
    return status ? status : keep_common(j);
}

/* The rows of the second frame that are drawn, in the order of the first. */
static int align_other(job *j)
{
    ws_frame *aligned = NULL;
    const int status = ws_rows_like(j->other, j->other_input, j->frame, j->input, &aligned);
    if (status)
        return status;
    ws_frame_destroy(j->other);
    j->other = aligned;
    return WS_OK;
}

static int load(job *j, const ws_figure *figure)
{
    j->input = ws_features_name(j->of.path);
    int status = ws_features_load(j->of.path, &j->features, &j->frame);
    if (!status && !(ws_figure_uses(figure) & WS_USE_GAPS))
        status = ws_features_clean(j->of.path, &j->features, &j->frame);
    if (!status)
        status = check_components(j, j->frame, j->input);
    if (!status && j->of.other)
        status = load_other(j);
    if (!status) /* trees take the square of their rows */
        status = ws_plot_sample(j->options.clusters && ws_figure_uses(figure) & WS_USE_ROWS ? MOST_LEAVES
                                                                                            : ws_figure_rows(figure),
                                &j->frame, j->note, sizeof j->note);
    if (!status && j->of.other)
        status = align_other(j);
    if (!status && j->eigenvalues)
        status = ws_frame_load(j->eigenvalues, &j->variance);
    return status;
}

static int draw(job *j, const ws_figure *figure)
{
    ws_plot_request request = {.data = j->frame,
                               .variance = j->variance,
                               .cut = NAN,
                               .title = j->title,
                               .note = j->note,
                               .first = j->rows.first,
                               .last = j->rows.last,
                               .labels = j->labels,
                               .font_pt = j->font_pt,
                               .most = j->most,
                               .stack = j->stack,
                               .limit = j->limit,
                               .width_px = j->width_px,
                               .height_px = j->height_px};
    for (size_t i = 0; i < sizeof preparations / sizeof preparations[0]; i++) {
        if (!strcmp(preparations[i].figure, j->of.figure)) {
            const int status = preparations[i].prepare(j, &request);
            return status ? status : ws_plot_save(figure, &request, j->output);
        }
    }
    return ws_fail(WS_EUNSUPPORTED, "nothing prepares the figure '%s'", j->of.figure);
}

static int list_figures(void)
{
    for (size_t i = 0; ws_figure_at(i); i++)
        printf("%-10s  %s\n", ws_figure_name(ws_figure_at(i)), ws_figure_summary(ws_figure_at(i)));
    return WS_OK;
}

static int fail_figure(const char *name)
{
    char list[512] = "";
    ws_guess guess = ws_guess_of(name);
    for (size_t i = 0; ws_figure_at(i); i++) {
        ws_guess_see(&guess, ws_figure_name(ws_figure_at(i)));
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
                 ws_figure_name(ws_figure_at(i)));
    }
    if (guess.best)
        ws_fail(WS_EINPUT, "there is no figure '%s'; did you mean '%s'? There are %s", name, guess.best, list);
    else
        ws_fail(WS_EINPUT, "there is no figure '%s'; there are %s", name, list);
    return WS_MISUSED;
}

WS_COMMAND(plot)
{
    job j = {.x = 1, .y = 2, .analysis = {.cut = NAN}, .other_analysis = {.cut = NAN}};
    ws_analysis_defaults(&j.options);
    ws_reduction_defaults(&j.reduction);
    ws_options_parse(&options, argc, argv, &j);
    if (j.list)
        return list_figures();
    const ws_figure *figure = ws_figure_find(j.of.figure);
    if (!figure)
        return fail_figure(j.of.figure);
    ws_plot_format format;
    if (ws_plot_format_of(j.output, &format))
        return WS_MISUSED;
    int status = check_options(&j, figure);
    if (!status)
        status = load(&j, figure);
    if (!status)
        status = draw(&j, figure);
    ws_analysis_fini(&j.analysis);
    ws_analysis_fini(&j.other_analysis);
    ws_column_analysis_fini(&j.columns);
    ws_frame_destroy(j.frame);
    ws_frame_destroy(j.other);
    ws_frame_destroy(j.variance);
    ws_frame_destroy(j.standard);
    return status;
}
