/* report_figures.c - which still pictures does a report have, and what is told of them to who does not see them? */
#include "cli/report/report.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- words */

/* Rows of the lowest and the highest value of a column; false when there is no finite one. */
static bool find_ends(const ws_frame *frame, size_t column, size_t *low, size_t *high)
{
    bool any = false;
    for (size_t i = 0; i < frame->rows; i++) {
        const double v = frame->value[i * frame->columns + column];
        if (!isfinite(v))
            continue;
        *low = any && frame->value[*low * frame->columns + column] <= v ? *low : i;
        *high = any && frame->value[*high * frame->columns + column] >= v ? *high : i;
        any = true;
    }
    return any;
}

/* "PC1 from MM (-3.1) to BFS (5.2)" of the columns from `first` on: what a reader would look for in the picture. */
static void tell_ends(const ws_frame *frame, size_t first, FILE *out)
{
    enum { MOST = 4 };
    for (size_t j = first; j < frame->columns && j < first + MOST; j++) {
        size_t low = 0, high = 0;
        char from[100], to[100];
        if (!find_ends(frame, j, &low, &high))
            continue;
        ws_frame_row_name(frame, low, from, sizeof from);
        ws_frame_row_name(frame, high, to, sizeof to);
        fprintf(out, "; %s from %s (%.3g) to %s (%.3g)", frame->column[j].name, from,
                frame->value[low * frame->columns + j], to, frame->value[high * frame->columns + j]);
    }
}

/* ---------------------------------------------------------------- drawing */

/* Draws a figure into the report: section and file name it, `caption` is printed below. Without gnuplot nothing is
 * drawn, and the page says so. */
static int add_figure(ws_report *r, const char *figure, const char *section, const char *file, bool wide,
                      const char *caption, const ws_plot_request *request)
{
    if (r->no_figures)
        return WS_OK;
    const int status = ws_album_draw(&r->album, figure, section, file, wide, caption, request);
    if (status == WS_ENOTFOUND) {
        r->no_figures = strdup(ws_message());
        return r->no_figures ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    }
    if (status == WS_ELIMIT) /* no room for so many values: the figure that the page itself draws has a part of them */
        return WS_OK;
    if (status)
        return status;
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    if (!out)
        return ws_fail(WS_EMEM, "out of memory");
    fputs(ws_plot_title(ws_figure_find(figure), request), out);
    tell_ends(request->data, request->x, out);
    if (fclose(out)) {
        free(text);
        return ws_fail(WS_EMEM, "out of memory");
    }
    ws_album_describe(&r->album, text);
    return WS_OK;
}

static ws_plot_request request_for(const ws_report *r, const ws_frame *data)
{
    return (ws_plot_request){.data = data,
                             .tree = r->analysis.merges,
                             .groups = r->analysis.groups,
                             .variance = r->analysis.variance,
                             .cut = r->analysis.cut,
                             .x = 0,
                             .y = 1};
}

static int add_scores(ws_report *r, size_t x)
{
    if (x + 1 >= r->analysis.points->columns)
        return WS_OK;
    char file[32], caption[200];
    snprintf(file, sizeof file, "scores-%zu-%zu", x + 1, x + 2);
    snprintf(caption, sizeof caption,
             "Components %zu and %zu. Colour and marker: cluster; ring: the %s that stands for it.", x + 1, x + 2,
             r->unit);
    ws_plot_request request = request_for(r, r->analysis.points);
    request.x = x;
    request.y = x + 1;
    return add_figure(r, "scores", "space-still", file, false, caption, &request);
}

static int draw_frames(ws_report *r)
{
    const struct {
        const char *figure, *section, *file;
        bool wide;
        const ws_frame *frame;
        size_t most;
        const char *caption;
    } pictures[] = {
#define FIGURE(figure, section, file, wide, frame, rows, caption) {#figure, section, file, wide, frame, rows, caption},
#include "cli/report/report_figures.def"
#undef FIGURE
    };
    int status = WS_OK;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures && !status; i++) {
        const ws_frame *const data = pictures[i].frame;
        if (!data || (pictures[i].most && data->rows > pictures[i].most))
            continue;
        const ws_plot_request request = request_for(r, data);
        status = add_figure(r, pictures[i].figure, pictures[i].section, pictures[i].file, pictures[i].wide,
                            pictures[i].caption, &request);
    }
    return status;
}

/* Of a frame, the columns named (NULL behind the last), as a new one; *out is NULL when one is missing. */
static int pick_columns(const ws_frame *frame, const char *const *names, ws_frame **out)
{
    size_t column[8], n = 0;
    *out = NULL;
    for (; names[n]; n++) {
        const long found = ws_frame_find_column(frame, names[n]);
        if (found < 0)
            return WS_OK;
        column[n] = (size_t)found;
    }
    return ws_frame_pick_columns(frame, column, n, out);
}

static int draw_curves(ws_report *r)
{
    static const char *const silhouette[] = {"clusters", "silhouette", NULL}, *const average[] = {"size", "average",
                                                                                                  "random_low",
                                                                                                  "random_high", NULL};
    int status = WS_OK;
    ws_frame *frame = NULL, *all = NULL;
    if (r->quality)
        status = pick_columns(r->quality, silhouette, &frame);
    ws_plot_request request = request_for(r, frame);
    if (!status && frame)
        status =
            add_figure(r, "curves", "similarity", "silhouette", false,
                       "Mean silhouette by number of clusters: 1 is tight and far apart, 0 is no structure.", &request);
    ws_frame_destroy(frame);
    frame = NULL;
    if (!status && r->subsets && r->sizes.sizes > 1)
        status = ws_analysis_sizes_first(r->subsets, &frame);
    request = request_for(r, frame);
    if (!status && frame)
        status = add_figure(r, "curves", "subsets", "speedup", false, "Speedup by size of the subset.", &request);
    ws_frame_destroy(frame);
    frame = NULL;
    if (!status && r->errors && r->sizes.sizes > 1)
        status = ws_analysis_sizes_first(r->errors, &all);
    if (!status && all)
        status = pick_columns(all, average, &frame);
    request = request_for(r, frame);
    if (!status && frame)
        status = add_figure(r, "curves", "subsets", "errors", false,
                            "Error by size of the subset, averaged over the metrics of the table; the band holds four "
                            "of five random subsets.",
                            &request);
    ws_frame_destroy(frame);
    ws_frame_destroy(all);
    return status;
}

/* A group of a frame that somebody else wrote may be called anything; one that is no name of a file has no picture. */
static bool is_plain(const char *group)
{
    enum { MOST = 24 };
    const size_t n = strspn(group, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return n && n <= MOST && !group[n];
}

/* Rows that stand for their cluster in the whole map keep its colours in every subspace. */
static int draw_subspace(ws_report *r, const ws_report_subspace *subspace)
{
    ws_analysis_options alone = r->options;
    alone.pca.subspace = subspace->group;
    ws_analysis analysis;
    int status = ws_analysis_reduce(r->map, r->name, &alone, &analysis);
    if (status || analysis.points->columns < 2) { /* too few characteristics vary: there is no plane to show */
        ws_analysis_fini(&analysis);
        return status == WS_ENUMERIC || status == WS_EINPUT ? WS_OK : status;
    }
    ws_plot_request request = request_for(r, analysis.points);
    request.variance = analysis.variance;
    char file[32], caption[200];
    snprintf(file, sizeof file, "scores-%s", subspace->group);
    snprintf(caption, sizeof caption,
             "By %s alone: components 1 and 2 of %zu characteristics. Colours as in the whole map.", subspace->word,
             analysis.pca.loadings->rows);
    status = add_figure(r, "scores", "subspaces", file, false, caption, &request);
    ws_analysis_fini(&analysis);
    return status;
}

static int draw_profile(ws_report *r)
{
    enum { LEAST_AXES = 3, MOST_AXES = 8 };
    const ws_frame *points = r->analysis.points;
    if (points->columns < LEAST_AXES || points->rows > WS_REPORT_STILL_MOST)
        return WS_OK;
    size_t column[MOST_AXES], n = points->columns < MOST_AXES ? points->columns : MOST_AXES;
    for (size_t i = 0; i < n; i++)
        column[i] = i;
    ws_frame *axes = NULL;
    int status = ws_frame_pick_columns(points, column, n, &axes);
    ws_plot_request request = request_for(r, axes);
    request.last = points->rows; /* no page of them, all */
    if (!status)
        status = add_figure(
            r, "profile", "characteristics", "profile", true,
            "The first components of each row, each axis from its lowest value (centre) to its highest (rim).",
            &request);
    ws_frame_destroy(axes);
    return status;
}

static int draw_heatmap(ws_report *r)
{
    if (!r->standard || r->standard->rows > WS_REPORT_STILL_MOST)
        return WS_OK;
    ws_column_analysis columns = {0};
    int status = r->standard->columns > 1
                     ? ws_analysis_columns(r->standard, "characteristics", r->options.linkage, 0, &columns)
                     : WS_OK;
    ws_plot_request request = request_for(r, r->standard);
    request.column_tree = columns.merges;
    if (!status)
        status = add_figure(r, "heatmap", "characteristics-still", "heatmap", true,
                            "Every characteristic that varies, or its ranks, in standard deviations from their mean; "
                            "rows in the order of the tree, "
                            "characteristics in that of theirs.",
                            &request);
    ws_column_analysis_fini(&columns);
    return status;
}

static int draw_subspaces(ws_report *r)
{
    int status = WS_OK;
    for (size_t i = 0; !status && r->analysis.pca.scores && ws_report_subspace_at(r, i).group; i++) {
        const ws_report_subspace subspace = ws_report_subspace_at(r, i);
        if (is_plain(subspace.group))
            status = draw_subspace(r, &subspace);
    }
    return status;
}

static int draw_roofline(ws_report *r)
{
    enum { MOST_CAPTION = 300 };
    char caption[MOST_CAPTION];
    if (!r->roofline || r->roofline->rows > WS_REPORT_STILL_MOST)
        return WS_OK;
    snprintf(caption, sizeof caption,
             "Kernels under the roofs of %s: a point for each level of memory that a kernel uses, as high as it could "
             "be at best. "
             "The frame roofline says which roof is the lowest (docs/roofline.md).",
             r->machine);
    const ws_plot_request request = {.data = r->roofline};
    const int status = add_figure(r, "roofline", "kernels", "roofline", true, caption, &request);
    return status == WS_EINPUT ? WS_OK : status; /* kernels that compute nothing or touch no memory stand nowhere */
}

int ws_report_draw(ws_report *r)
{
    int status = draw_roofline(r);
    if (r->no_map || status)
        return status;
    status = add_scores(r, 0);
    if (!status)
        status = add_scores(r, 2);
    if (!status)
        status = draw_frames(r);
    if (!status)
        status = draw_heatmap(r);
    if (!status)
        status = draw_curves(r);
    if (!status)
        status = draw_subspaces(r);
    return status ? status : draw_profile(r);
}
