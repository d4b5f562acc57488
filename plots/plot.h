/* plot.h - figures from frames: content defined in plots.def, drawing in one .gp script per figure.
 *
 * A figure is a self-contained gnuplot script: settings, data, and the drawing commands of plots/<name>.gp. The same
 * frames give the same bytes, in the script and in the picture. This folder computes only layout; scores, trees and
 * clusters arrive as frames. */
#ifndef WS_PLOT_H
#define WS_PLOT_H

#include "base/frame.h"

#include <stdbool.h>

typedef struct ws_figure ws_figure;

/* Returns the figures in the order of plots.def; NULL behind the last. */
const ws_figure *ws_figure_at(size_t index);
/* Returns the figure of that name, or NULL. */
const ws_figure *ws_figure_find(const char *name);
const char *ws_figure_name(const ws_figure *figure);
const char *ws_figure_summary(const ws_figure *figure);

/* Return the inputs of a figure, bits of uses.def, and the number of rows of which it draws all (0: any number). */
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
/* Returns whether the figure draws the tree, rather than only the clusters cut from it. */
bool ws_figure_draws_tree(const ws_figure *figure);
size_t ws_figure_rows(const ws_figure *figure);

/* Names shown in the figure: all rows as far as there is room, cluster representatives, or none. */
typedef enum ws_plot_labels { WS_LABELS_ALL, WS_LABELS_REPRESENTATIVES, WS_LABELS_NONE } ws_plot_labels;

/* Sizes for common places of publication, from presets.def; NULL behind the last. */
typedef struct ws_plot_preset {
    const char *name;
    double width_in, height_in; /* height 0: chosen by the figure */
    double font_pt;
    const char *what, *source;
} ws_plot_preset;
const ws_plot_preset *ws_plot_preset_at(size_t index);
enum { WS_PX_PER_INCH = 96 }; /* for --width and --height, as in W3C, CSS Values and Units, 6.2, and thus SVG */

/* Default size of letters; the layout of figures scales with it. */
#define WS_FONT_PT 8.25

typedef struct ws_plot_request {
    const ws_frame *data; /* content of the figure; plots.def lists the inputs of each figure */
    /* Merges of the rows of data, one per row of the frame, in increasing order of height. Columns: left, right
     * (negative: minus the 1-based row, positive: the 1-based earlier merge), height. NULL when the figure needs none.
     */
    const ws_frame *tree;
    /* Columns cluster (1, 2, ...) and optionally representative (0 or 1), one row per row of data. NULL: no clusters.
     */
    const ws_frame *groups;
    /* Another tree of the same rows, in the format of tree, and the names of both: tanglegram. */
    const ws_frame *other_tree;
    const char *tree_name, *other_name; /* NULL: none */
    const char *other_axis;             /* meaning of heights of other_tree; NULL: distances */
    const char *tree_axis;              /* meaning of heights of the tree; NULL: distances */
    /* Merges of the columns of data, in the format of tree: heatmap. NULL: columns in the frame's order. */
    const ws_frame *column_tree;
    /* Loadings of the components that are columns of data, one row per characteristic: biplot. */
    const ws_frame *arrows;
    /* Share of the variance (0..1) of each column of data, for axis titles; column "share". NULL: not shown. */
    const ws_frame *variance;
    double cut;         /* height of the cut line of a tree; not finite: no line */
    const char *title;  /* NULL: none */
    const char *note;   /* text below the figure, such as omissions of the data; NULL: none */
    size_t x, y;        /* scores, biplot: columns of data */
    size_t first, last; /* profile: first and last row of data drawn, from 1; 0: as many as fit a page */
    ws_plot_labels labels;
    double font_pt; /* size of names and titles of axes in points; 0: WS_FONT_PT */
    size_t most;  /* number of components (scree), bars per panel (loadings), arrows (biplot), lines per panel (curves);
                     0: as fits */
    double limit; /* bars: longer bars are cut here and labelled with their value; 0: no limit */
    bool stack;   /* bars: stack columns of one unit even if the frame does not say that they can be summed */
    unsigned width_px, height_px; /* of the whole picture; 0: chosen by the figure */
} ws_plot_request;

typedef enum ws_plot_format {
#define FORMAT(name, extension, tail) WS_PLOT_##name,
#include "plots/formats.def"
#undef FORMAT
    WS_PLOT_FORMATS
} ws_plot_format;

/* Returns the format of a path's extension. WS_EINPUT, listing the extensions, for an unknown one. */
int ws_plot_format_of(const char *path, ws_plot_format *format);

/* Returns the gnuplot script of the figure, NUL-terminated; the caller frees *script with free(). The script draws to
 * `output`, or to stdout if that is NULL. WS_EINPUT when the frames do not suit the figure. */
int ws_plot_script(const ws_figure *figure, const ws_plot_request *request, ws_plot_format format, const char *output,
                   char **script);

/* Renders the picture: runs gnuplot (the program in the environment variable GNUPLOT, else the one in PATH) on the
 * script. The caller frees *bytes with free(). WS_ENOTFOUND when gnuplot is not installed. */
int ws_plot_render(const char *script, ws_plot_format format, char **bytes, size_t *size);

/* Checks that a heatmap of that size has a pixel for each value; otherwise WS_ELIMIT, with advice. */
int ws_plot_check_heatmap(size_t rows, size_t columns);

/* Returns the picture's title: from the request, or from the figure's summary. */
const char *ws_plot_title(const ws_figure *figure, const ws_plot_request *request);

/* Creates script and picture in one call, as ws_plot_render(); an SVG contains its title as text. */
int ws_plot_draw(const ws_figure *figure, const ws_plot_request *request, ws_plot_format format, char **bytes,
                 size_t *size);

/* Saves a picture in the file `path`. The extension selects the format; ".gp" saves the script. */
int ws_plot_save(const ws_figure *figure, const ws_plot_request *request, const char *path);

#endif
