/* cmd_plot.c - warpscape plot: a figure from a frame.
 *
 * Each figure has a function here that computes, from the frame it is given, the frames that the figure shows. */
#include "cli/cli.h"

#include "base/guess.h"
#include "cli/features.h"
#include "cli/report/analysis.h"
#include "plots/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
    const char *figure, *path, *output, *title, *eigenvalues;
    const char *input; /* what messages call the frame */
    ws_features features;
    ws_analysis_options options;
    bool list, stack;
    size_t x, y, most;
    unsigned width_px, height_px;
    char note[160]; /* what the figure does not show of the frame */
    ws_frame *frame, *variance, *standard; /* the input; --eigenvalues; the input, changed */
    ws_analysis analysis;
} job;

enum {
    KEY_K = 'k',
    KEY_TOP = 256,
    KEY_TITLE,
    KEY_WIDTH,
    KEY_HEIGHT,
    KEY_STACK,
    KEY_X,
    KEY_Y,
    KEY_VARIANCE,
    KEY_PCS,
    KEY_KAISER,
    KEY_SUBSPACE,
    KEY_EIGENVALUES,
    KEY_LIST
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "The picture: FILE.svg, .png, .pdf, or .gp for the gnuplot script itself", 1},
    {"list", KEY_LIST, NULL, 0, "List the figures and what each shows", 1},
    {"title", KEY_TITLE, "TEXT", 0, "Title above the figure [none]", 1},
    {"width", KEY_WIDTH, "PIXELS", 0, "Width of the figure [what suits it]", 1},
    {"height", KEY_HEIGHT, "PIXELS", 0, "Height of the figure [what suits it]", 1},
    {"linkage", 'l', "L", 0,
     "Tree of dendrogram and heatmap, and clusters: single, complete, average or ward [complete]", 2},
    {"k", KEY_K, "N", 0, "Cut the tree into N clusters and colour them [no clusters]", 2},
    {"variance", KEY_VARIANCE, "F", 0,
     "Of a frame of characteristics, keep the components that explain this fraction [0.9]", 3},
    {"pcs", KEY_PCS, "N", 0, "... keep N components", 3},
    {"kaiser", KEY_KAISER, NULL, 0, "... keep components with an eigenvalue above 1", 3},
    {"subspace", KEY_SUBSPACE, "NAME", 0, "... use only the columns of this group, such as DV", 3},
    {"x", KEY_X, "N", 0, "scores: component on the horizontal axis [1]", 4},
    {"y", KEY_Y, "N", 0, "scores: component on the vertical axis [2]", 4},
    {"eigenvalues", KEY_EIGENVALUES, "FILE", 0,
     "scores, loadings: frame of pca --eigenvalues, for the shares in titles", 4},
    {"top", KEY_TOP, "N", 0,
     "scree: components shown [20]; loadings: bars a component [10]; curves: lines a panel, those that change most [12]", 4},
    {"stack", KEY_STACK, NULL, 0,
     "bars: the columns are parts of a sum, though the frame does not tell [only amounts of one unit are stacked]", 4},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    job *j = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &j->features;
        break;
    case 'o':
        j->output = text;
        break;
    case KEY_LIST:
        j->list = true;
        break;
    case KEY_TITLE:
        j->title = text;
        break;
    case KEY_WIDTH:
        j->width_px = (unsigned)ws_cli_u64(state, "--width", text, 200, 5000);
        break;
    case KEY_HEIGHT:
        j->height_px = (unsigned)ws_cli_u64(state, "--height", text, 100, 20000);
        break;
    case KEY_STACK:
        j->stack = true;
        break;
    case 'l':
        if (ws_linkage_find(text, &j->options.linkage))
            argp_error(state, "--linkage: %s", ws_message());
        break;
    case KEY_K:
        j->options.clusters = ws_cli_u64(state, "--k", text, 1, 1000000);
        break;
    case KEY_VARIANCE:
        j->options.pca.keep = WS_PCA_KEEP_VARIANCE;
        j->options.pca.amount = ws_cli_double(state, "--variance", text, 0, 1);
        break;
    case KEY_PCS:
        j->options.pca.keep = WS_PCA_KEEP_FIXED;
        j->options.pca.amount = (double)ws_cli_u64(state, "--pcs", text, 1, 100000);
        break;
    case KEY_KAISER:
        j->options.pca.keep = WS_PCA_KEEP_KAISER;
        break;
    case KEY_SUBSPACE:
        j->options.pca.subspace = text;
        break;
    case KEY_X:
        j->x = ws_cli_u64(state, "--x", text, 1, 100000);
        break;
    case KEY_Y:
        j->y = ws_cli_u64(state, "--y", text, 1, 100000);
        break;
    case KEY_EIGENVALUES:
        j->eigenvalues = text;
        break;
    case KEY_TOP:
        j->most = ws_cli_u64(state, "--top", text, 1, 1000);
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            j->figure = text;
        else if (state->arg_num == 1)
            j->path = text;
        else
            argp_error(state, "one figure and one frame at a time; what is '%s'?", text);
        break;
    case ARGP_KEY_END:
        if (!j->list && (!j->figure || !j->path))
            argp_error(state, "which figure of which frame? (- reads the frame from standard input)");
        if (!j->list && !j->output)
            argp_error(state, "-o FILE.svg, .png, .pdf or .gp says where the figure goes");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {{&ws_features_argp, 0, NULL, 0}, {&ws_cli_private_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FIGURE FRAME|- -o FILE\n--list",
    .doc = "Draw a figure from a frame, with gnuplot.\n"
           "\vFRAME is what `warpscape pca' prints (scores), or the characteristics of `warpscape metrics', from which "
           "the "
           "components are then computed; scree and loadings also take the frames of pca --eigenvalues and --loadings, "
           "curves any frame whose first column is the horizontal axis, bars any of at most 8 columns. heatmap shows characteristics as they "
           "are, profile up to 12 of them, or the first 12 components of more. traffic shows the frame of "
           "`warpscape sim --traffic', network what `warpscape sim' prints; timeline and tornado those of `warpscape model chameleon'; front any with a column front, as of `warpscape explore'; `warpscape sample --figure' draws strata.\n\n"
           "Example: warpscape metrics | warpscape pca - | warpscape plot dendrogram - --k 6 -o tree.svg",
    .children = children,
};

/* ---------------------------------------------------------------- what each figure shows */

static bool has_column(const ws_frame *frame, const char *name)
{
    return ws_frame_find_column(frame, name) >= 0;
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

/* The tree too, and clusters when --k asks for them. */
static int grow_tree(job *j, ws_plot_request *r)
{
    const int status = ws_analysis_cluster(&j->options, j->input, &j->analysis);
    if (status)
        return status;
    r->tree = j->analysis.merges;
    r->groups = j->analysis.groups;
    r->cut = j->analysis.cut;
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
    return reduce(j, r);
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

static int prepare_loadings(job *j, ws_plot_request *r)
{
    if (ws_analysis_has_components(j->frame)) {
        if (strcmp(j->frame->label_names[0], "column"))
            return ws_fail(
                WS_EINPUT,
                "%s: these are scores; loadings are the frame of pca --loadings, or come from characteristics",
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

static int prepare_heatmap(job *j, ws_plot_request *r)
{
    if (ws_analysis_has_components(j->frame))
        return ws_fail(WS_EINPUT, "%s: these are components; a heatmap shows characteristics", j->input);
    int status = ws_plot_check_heatmap(j->frame->rows, j->frame->columns);
    if (!status)
        status = reduce(j, r);
    if (!status)
        status = grow_tree(j, r);
    if (!status)
        status = ws_analysis_standardise(j->frame, &j->options, &j->analysis, &j->standard);
    r->data = j->standard;
    return status;
}

static int prepare_profile(job *j, ws_plot_request *r)
{
    enum { MOST_AXES = 12 };
    if (!j->options.clusters && j->frame->columns <= MOST_AXES)
        return WS_OK;
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
        snprintf(j->note, sizeof j->note, "The first %d of %zu components.", MOST_AXES, j->analysis.points->columns);
        r->note = j->note;
        r->data = j->standard;
    }
    return status;
}

/* Frames of `warpscape subset' and `evaluate' have their sizes elsewhere than in front, and more labels than a key needs. */
static int prepare_curves(job *j, ws_plot_request *r)
{
    const int status = ws_analysis_sizes_first(j->frame, &j->standard);
    if (!status && j->standard)
        r->data = j->standard;
    return status;
}

/* Bars, and frames of the simulator and of models, are shown as they are. */
static int prepare_traffic(job *j, ws_plot_request *r)
{
    (void)j;
    (void)r;
    return WS_OK;
}

static int prepare_bars(job *j, ws_plot_request *r)
{
    (void)j;
    (void)r;
    return WS_OK;
}

static int prepare_front(job *j, ws_plot_request *r)
{
    (void)j;
    (void)r;
    return WS_OK;
}

static int prepare_network(job *j, ws_plot_request *r)
{
    (void)j;
    (void)r;
    return WS_OK;
}

static int prepare_timeline(job *j, ws_plot_request *r)
{
    (void)j;
    (void)r;
    return WS_OK;
}

static int prepare_tornado(job *j, ws_plot_request *r)
{
    (void)j;
    (void)r;
    return WS_OK;
}

static int prepare_strata(job *j, ws_plot_request *r)
{
    (void)j;
    (void)r;
    return WS_OK;
}

/* A new row of plots.def does not compile until it has its function above. */
static const struct {
    const char *figure;
    int (*prepare)(job *j, ws_plot_request *r);
} preparations[] = {
#define FIGURE(name, summary) {#name, prepare_##name},
#include "plots/plots.def"
#undef FIGURE
};

/* ---------------------------------------------------------------- the command */

/* Numbers that are missing say something there, such as that there was no packet. */
static bool may_have_gaps(const char *figure)
{
    static const char *const some[] = {"curves", "bars", "traffic", "network", "timeline", "tornado", "front", "strata"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (!strcmp(figure, some[i]))
            return true;
    return false;
}

static int load(job *j)
{
    j->input = ws_features_name(j->path);
    int status = ws_features_load(j->path, &j->features, &j->frame);
    if (!status && !may_have_gaps(j->figure))
        status = ws_features_clean(j->path, &j->features, &j->frame);
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
                               .most = j->most,
                               .stack = j->stack,
                               .width_px = j->width_px,
                               .height_px = j->height_px};
    for (size_t i = 0; i < sizeof preparations / sizeof preparations[0]; i++) {
        if (!strcmp(preparations[i].figure, j->figure)) {
            const int status = preparations[i].prepare(j, &request);
            return status ? status : ws_plot_save(figure, &request, j->output);
        }
    }
    return ws_fail(WS_EUNSUPPORTED, "nothing prepares the figure '%s'", j->figure);
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

int ws_cmd_plot(int argc, char **argv)
{
    job j = {.x = 1, .y = 2, .analysis = {.cut = NAN}};
    ws_analysis_defaults(&j.options);
    ws_cli_parse(&argp, argc, argv, &j);
    if (j.list)
        return list_figures();
    const ws_figure *figure = ws_figure_find(j.figure);
    if (!figure)
        return fail_figure(j.figure);
    ws_plot_format format;
    if (ws_plot_format_of(j.output, &format))
        return WS_MISUSED;
    int status = load(&j);
    if (!status)
        status = draw(&j, figure);
    ws_analysis_fini(&j.analysis);
    ws_frame_destroy(j.frame);
    ws_frame_destroy(j.variance);
    ws_frame_destroy(j.standard);
    return status;
}
