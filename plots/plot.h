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

/* What a figure takes: bits of uses.def, and of how many rows it draws all (0: of any number). */
enum {
#define USE(word) WS_USE_BIT_##word,
#include "plots/uses.def"
#undef USE
    WS_USES
};
enum {
#define USE(word) WS_USE_##word = 1 << WS_USE_BIT_##word,
#include "plots/uses.def"
#undef USE
};
unsigned ws_figure_uses(const ws_figure *figure);
/* Does the figure draw the tree, rather than only the clusters that are cut from it? */
bool ws_figure_draws_tree(const ws_figure *figure);
size_t ws_figure_rows(const ws_figure *figure);

/* Whose names stand in the figure: of all rows as far as there is room, of those that stand for their cluster, or of
 * none. */
typedef enum ws_plot_labels { WS_LABELS_ALL, WS_LABELS_REPRESENTATIVES, WS_LABELS_NONE } ws_plot_labels;

/* A size for a place where figures go, of presets.def; NULL behind the last. */
typedef struct ws_plot_preset {
    const char *name;
    double width_in, height_in; /* height 0: what suits the figure */
    double font_pt;
    const char *what, *source;
} ws_plot_preset;
const ws_plot_preset *ws_plot_preset_at(size_t index);
enum { WS_PX_PER_INCH = 96 }; /* of --width and --height: W3C, CSS Values and Units, 6.2, and so of SVG */

/* What letters are in a figure that is not told otherwise; figures grow and shrink with them. */
#define WS_FONT_PT 8.25

typedef struct ws_plot_request {
    const ws_frame *data; /* what is shown; plots.def says what each figure takes */
    /* Merges of the rows of data, one a row of the frame, in rising order of height: columns left, right (negative:
     * minus the 1-based row, positive: the 1-based earlier merge), height. NULL when the figure needs none. */
    const ws_frame *tree;
    /* Columns cluster (1, 2, ...) and, if it is there, representative (0 or 1), a row for each row of data. NULL: no
     * clusters are shown. */
    const ws_frame *groups;
    const char *tree_axis; /* what heights of the tree are; NULL: distances */
    /* Merges of the columns of data, as tree has those of its rows: heatmap. NULL: columns stand as in the frame. */
    const ws_frame *column_tree;
    /* Loadings of the components that are columns of data, a row a characteristic: biplot. */
    const ws_frame *arrows;
    /* Share of the variance (0..1) of each column of data, for axis titles; column "share". NULL: not shown. */
    const ws_frame *variance;
    double cut;         /* height of the cut line of a tree; not finite: none */
    const char *title;  /* NULL: none */
    const char *note;   /* below the figure, such as what the data leaves out; NULL: none */
    size_t x, y;        /* scores, biplot: columns of data */
    size_t first, last; /* profile: rows of data that are drawn, from 1; 0: as many as fit a page */
    ws_plot_labels labels;
    double font_pt; /* size of names and titles of axes in points; 0: WS_FONT_PT */
    size_t most; /* how many components (scree), bars a panel (loadings), arrows (biplot), lines a panel (curves); 0: as
                    fits */
    double limit; /* bars: those that are longer are cut there, and their value is written; 0: none is */
    bool stack;   /* bars: columns of one unit may be summed, also when the frame does not tell */
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
