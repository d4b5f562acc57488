/* figure_internal.h - components of a figure, and helpers for authors of figures. See docs/adding.md. */
#ifndef WS_FIGURE_INTERNAL_H
#define WS_FIGURE_INTERNAL_H

#include "base/status.h"
#include "plots/plot.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WS_NOTE_BYTES = 512 };

/* Size of the picture and the (main) plotting area, in pixels from the top left. */
typedef struct ws_canvas {
    double width, height;
    double left, right, top, bottom;
    double scale; /* picture pixels per layout pixel; the layout assumes letters of WS_FONT_PT */
    unsigned asked_width,
        asked_height; /* requested picture size in pixels, 0: none; the request given to a figure is in layout pixels */
    bool some_names;  /* only representatives of clusters have names, ... */
    double names_pitch;       /* ... at this distance of rows (ws_plot_rows_height) */
    char note[WS_NOTE_BYTES]; /* notes about omissions, below the figure and not included in height */
} ws_canvas;

/* A figure is one function. It checks the request, computes the layout, and writes variables and data blocks to
 * `script`, ahead of the drawing commands of plots/<name>.gp. */
#define FIGURE(name, summary, uses, rows) \
    int ws_figure_##name(const ws_plot_request *request, ws_canvas *canvas, FILE *script);
#include "plots/plots.def"
#undef FIGURE

/* Okabe and Ito's colours, distinguishable in all common kinds of colour vision. Cluster c (1, 2, ...) has colour
 * ws_cluster_color(c) and, in scatter plots, the marker ws_cluster_marker(c), which also works in black and white. */
#define WS_INK        0x222222u
#define WS_GREY       0x999999u
#define WS_LIGHT_GREY 0xB8B8B8u
#define WS_BLUE       0x0072B2u
#define WS_VERMILLION 0xD55E00u
uint32_t ws_cluster_color(long cluster);
int ws_cluster_marker(long cluster);

enum { WS_FONT_PX = 11 };

/* Returns the colour of value n (0, 1, ...) of an unordered scale, such as modes: up to WS_KINDS different ones, then
 * WS_GREY. */
enum { WS_KINDS = 16 };
uint32_t ws_kind_color(size_t kind);

/* Returns the width of a text at a size, estimated from its letters; generous, because the viewer's font is unknown. */
double ws_text_width(const char *text, double font_px);
/* Removes function parameters: "BFS/visit(int*, int)" becomes "BFS/visit". */
void ws_text_brief(char *text);

/* Shortens a name (in a buffer of WS_NAME_BYTES) wider than width_px in its middle: "BFS/very…kernel". */
void ws_text_fit(char *text, double font_px, double width_px);
/* Writes the displayed name of a row (ws_shown) into a buffer of this size. */
enum { WS_NAME_BYTES = 512 };
void ws_plot_row_name(const ws_frame *frame, size_t row, char name[WS_NAME_BYTES]);
/* Returns the width of the widest row name. */
double ws_rows_width(const ws_frame *frame, double font_px);

/* Writes a string into a line of a data block, for text(COLUMN) in drawing commands. Data blocks cannot hold arbitrary
 * text, so the script has its index; ws_plot_script() defines the array used by text(). */
void ws_script_text(FILE *script, const char *text);
/* Delimits such a text until ws_plot_script() replaces it; displayed texts never contain it. */
enum { WS_TEXT_MARK = '\1' };

/* Writes a displayed string (ws_shown) for a command, in single quotes: in double quotes gnuplot would execute
 * `backticks`. Truncates after some thousand letters. */
void ws_script_string(FILE *script, const char *text);
/* The same for a text already safe to display, without truncation. */
void ws_script_quote(FILE *script, const char *text, size_t length);
/* Replaces the titles in gnuplot's SVG, NUL-terminated and allocated with malloc(), by `title`. */
int ws_svg_name(const char *title, char **bytes, size_t *size);

/* Writes "name = value", a real number in gnuplot even for integers (use int() for % and similar operators). */
void ws_script_number(FILE *script, const char *name, double value);

/* Copies the values of column `name` of a frame; WS_EINPUT if it is missing or not finite, or if the frame does not
 * have `rows` rows. */
int ws_plot_column(const ws_frame *frame, const char *what, const char *name, size_t rows, double *value);

/* Returns the share of the variance explained by column `column` of the data; NaN if the request lacks it. */
double ws_plot_share(const ws_plot_request *request, size_t column);

/* Returns the cluster number of each row, and whether it represents its cluster; zeros for a request without groups. */
int ws_plot_groups(const ws_plot_request *request, long *cluster, char *representative);

/* Limits around the values with a margin of the given fraction; never empty. */
typedef struct ws_limits {
    double low, high;
} ws_limits;
ws_limits ws_plot_limits(const double *value, size_t n, double margin);

/* Sets canvas->width to the requested width, else usual_px; WS_EINPUT if the request is below the figure's minimum.
 * Always succeeds without a requested width. Call it first, then write notes, then set the height. */
int ws_plot_width(const ws_plot_request *request, double least_px, double usual_px, ws_canvas *canvas);
/* The same for the height; title and note use part of a requested height. */
int ws_plot_height(const ws_plot_request *request, double least_px, double usual_px, ws_canvas *canvas);
/* Returns whether two adjacent columns belong on one axis: they have the same group and unit. */
bool ws_plot_together(const ws_column *a, const ws_column *b);
/* Returns the title of `columns` columns on one axis: their group, or the name of a single one; else "". */
const char *ws_plot_panel_name(const ws_column *first, size_t columns);
/* Adds a sentence to the note below the figure. */
void ws_plot_note(ws_canvas *canvas, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns the width for names at the side of the figure: `wanted_px`, limited to a share of a requested width. */
double ws_plot_names_room(const ws_plot_request *request, double wanted_px, double share);
/* For pictures with rows from top to bottom. ends_px is the space above and below them together. full_px is the height
 * of a row, unless the rows are many (ws_plot_pitch) or a height is requested. Returns the width for row names, as
 * above; 0 if rows are too close for letters. */
double ws_plot_rows_names(const ws_plot_request *request, size_t rows, double full_px, double ends_px, double wanted_px,
                          double share);
/* Sets canvas->height; call after ws_plot_width(). A note reports missing space for names. */
int ws_plot_rows_height(const ws_plot_request *request, size_t rows, double full_px, double ends_px, double names_px,
                        ws_canvas *canvas);
/* Returns whether the row at index `place` (0, 1, ...) has a name. *free_px, initially 0, keeps names apart when only
 * some rows have one. */
bool ws_plot_row_named(const ws_canvas *canvas, size_t place, bool stands_in, double *free_px);
/* Return the number of lines of a note at the canvas width, and their height with the space above. */
enum { WS_NOTE_LINE_PX = 13, WS_NOTE_PX = 9, WS_TITLE_PX = 26 };
size_t ws_plot_note_lines(const ws_canvas *canvas);
double ws_plot_note_px(const ws_canvas *canvas);
/* Inserts line feeds into the note where its lines break. */
void ws_plot_note_wrap(const ws_canvas *canvas, char wrapped[WS_NOTE_BYTES]);

/* Returns the step of 1, 2 or 5 times a power of ten that divides a span into at most `steps` (and rarely far fewer)
 * parts. */
double ws_nice_step(double span, int steps);

/* Returns the distance of a tree's leaves in pixels: full_px up to a few hundred leaves, less for more, so that
 * programs can open pictures of thousands. Names are omitted below WS_LEAST_NAME_PX. */
enum { WS_LEAST_NAME_PX = 9 };
double ws_plot_pitch(size_t leaves, double full_px);

/* Layout of a cluster tree: leaves in rows 0, 1, ... from the top, merges at their heights. */
typedef struct ws_tree_layout {
    size_t leaves;
    size_t *order;        /* [leaves] data row of each leaf, from the top */
    double *position;     /* [2 * leaves - 1] position of a leaf (by data row), then of a merge */
    double *height;       /* [2 * leaves - 1] 0 for leaves */
    size_t *left, *right; /* [leaves - 1] nodes joined by a merge */
    long *cluster;        /* [2 * leaves - 1] cluster that contains the whole node, else 0 */
} ws_tree_layout;

/* Lays out the request's tree with its clusters. */
int ws_tree_layout_create(const ws_plot_request *request, ws_tree_layout *layout);
/* Lays out any tree, without clusters. */
int ws_tree_layout_of(const ws_frame *tree, size_t leaves, ws_tree_layout *layout);
void ws_tree_layout_free(ws_tree_layout *layout);
/* Writes a data block of the tree's elbows: "height position colour" polylines separated by blank lines. */
void ws_tree_layout_write(const ws_tree_layout *layout, const char *block, FILE *script);

#endif
