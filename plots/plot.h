/* plot.h - figures from frames: what each one shows stands in plots.def, how it is drawn in its .gp script.
 *
 * A figure is a self-contained gnuplot script: settings, the data, and the drawing commands of plots/<name>.gp. The
 * same frames give the same bytes, in the script and in the picture. Nothing is computed here but layout; scores, trees
 * and clusters arrive as frames. */
#ifndef WS_PLOT_H
#define WS_PLOT_H

#include "base/frame.h"

#include <stdbool.h>

typedef struct ws_figure ws_figure;

/* The figures in the order of plots.def; NULL behind the last. */
const ws_figure *ws_figure_at(size_t index);
/* The figure of that name, or NULL. */
const ws_figure *ws_figure_find(const char *name);
const char *ws_figure_name(const ws_figure *figure);
const char *ws_figure_summary(const ws_figure *figure);

typedef struct ws_plot_request {
    const ws_frame *data; /* what is shown; plots.def says what each figure takes */
    /* Merges of the rows of data, one a row of the frame, in rising order of height: columns left, right (negative: minus the 1-based
     * row, positive: the 1-based earlier merge), height. NULL when the figure needs none. */
    const ws_frame *tree;
    /* Columns cluster (1, 2, ...) and, if it is there, representative (0 or 1), a row for each row of data. NULL: no
     * clusters are shown. */
    const ws_frame *groups;
    /* Share of the variance (0..1) of each column of data, for axis titles; column "share". NULL: not shown. */
    const ws_frame *variance;
    double cut;        /* height of the cut line of a tree; not finite: none */
    const char *title; /* NULL: none */
    const char *note;  /* below the figure, such as what the data leaves out; NULL: none */
    size_t x, y;       /* scores: columns of data */
    size_t most;       /* how many components (scree), bars a panel (loadings), lines a panel (curves); 0: as fits */
    bool stack;        /* bars: columns of one unit may be summed, also when the frame does not tell */
    unsigned width_px, height_px; /* of the whole picture; 0: what suits the figure */
} ws_plot_request;

typedef enum ws_plot_format {
#define FORMAT(name, extension, tail) WS_PLOT_##name,
#include "plots/formats.def"
#undef FORMAT
    WS_PLOT_FORMATS
} ws_plot_format;

/* The format that a path's extension asks for. WS_EINPUT, naming the extensions there are, for another one. */
int ws_plot_format_of(const char *path, ws_plot_format *format);

/* The gnuplot script of the figure, NUL-terminated; *script is freed by the caller with free(). The script draws to
 * `output`, or to stdout when that is NULL. WS_EINPUT when the frames do not suit the figure. */
int ws_plot_script(const ws_figure *figure, const ws_plot_request *request, ws_plot_format format, const char *output,
                   char **script);

/* The picture: runs gnuplot (the program named by the environment variable GNUPLOT, else the one in PATH) on the
 * script. *bytes is freed by the caller with free(). WS_ENOTFOUND when gnuplot is not installed. */
int ws_plot_render(const char *script, ws_plot_format format, char **bytes, size_t *size);

/* Whether a heatmap of so many rows and columns has pixels for its values: WS_ELIMIT, with what to do, when not. */
int ws_plot_check_heatmap(size_t rows, size_t columns);

/* What the picture is called, in words: the title of the request, or what the figure shows. */
const char *ws_plot_title(const ws_figure *figure, const ws_plot_request *request);

/* Script and picture in one, as ws_plot_render() gives it; an SVG carries its title in words. */
int ws_plot_draw(const ws_figure *figure, const ws_plot_request *request, ws_plot_format format, char **bytes,
                 size_t *size);

/* A picture in the file `path`; the format comes from its extension, ".gp" writes the script itself. */
int ws_plot_save(const ws_figure *figure, const ws_plot_request *request, const char *path);

#endif
