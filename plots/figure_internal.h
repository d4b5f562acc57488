/* figure_internal.h - what a figure is made of, and helpers for those who write one. See docs/adding.md. */
#ifndef WS_FIGURE_INTERNAL_H
#define WS_FIGURE_INTERNAL_H

#include "base/status.h"
#include "plots/plot.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WS_NOTE_BYTES = 512 };

/* Size of the picture and place of its (main) plotting area, in pixels from the top left. */
typedef struct ws_canvas {
    double width, height;
    double left, right, top, bottom;
    double scale; /* pixels of the picture in one of the layout, which is made for letters of WS_FONT_PT */
    unsigned asked_width,
        asked_height;   /* pixels of the picture, 0: none; the request that a figure gets has those of the layout */
    bool some_names;    /* only rows that stand for their cluster have names, ... */
    double names_pitch; /* ... and rows lie so far apart (ws_plot_rows_height) */
    char
        note[WS_NOTE_BYTES]; /* a figure that leaves something out says so; stands below it, and is no part of height */
} ws_canvas;

/* A figure is one function: it checks the request, decides the layout and writes variables and data blocks to `script`,
 * in front of the drawing commands of plots/<name>.gp. */
#define FIGURE(name, summary, uses, rows) \
    int ws_figure_##name(const ws_plot_request *request, ws_canvas *canvas, FILE *script);
#include "plots/plots.def"
#undef FIGURE

/* Okabe and Ito's colours, which stay apart for all common kinds of colour vision. Cluster c (1, 2, ...) has colour
 * ws_cluster_color(c) and, in scatter plots, the marker ws_cluster_marker(c), so that print without colour works. */
#define WS_INK        0x222222u
#define WS_GREY       0x999999u
#define WS_LIGHT_GREY 0xB8B8B8u
#define WS_BLUE       0x0072B2u
#define WS_VERMILLION 0xD55E00u
uint32_t ws_cluster_color(long cluster);
int ws_cluster_marker(long cluster);

enum { WS_FONT_PX = 11 };

/* The colour of value n (0, 1, ...) of a scale without order, such as modes:
 * as many that differ, the rest is WS_GREY. */
enum { WS_KINDS = 16 };
uint32_t ws_kind_color(size_t kind);

/* Room that text takes at a size, estimated from the letters; generous, as the viewer's font is not known. */
double ws_text_width(const char *text, double font_px);
/* Leaves parameters of functions out: "BFS/visit(int*, int)" gives "BFS/visit". */
void ws_text_brief(char *text);

/* Shortens a name (in a buffer of WS_NAME_BYTES) that is wider than width_px, in its middle: "BFS/very…kernel". */
void ws_text_fit(char *text, double font_px, double width_px);
/* The name of a row as it is shown (ws_shown), in a buffer of this size, ... */
enum { WS_NAME_BYTES = 512 };
void ws_plot_row_name(const ws_frame *frame, size_t row, char name[WS_NAME_BYTES]);
/* ... and the room that the widest one takes. */
double ws_rows_width(const ws_frame *frame, double font_px);

/* Writes a string into a line of a data block, for text(COLUMN) of the drawing commands. Data blocks cannot hold every
 * text, so its number stands there: ws_plot_script() makes the array that text() looks into. */
void ws_script_text(FILE *script, const char *text);
/* What stands around such a text until then; no text that is shown holds it. */
enum { WS_TEXT_MARK = '\1' };

/* Writes a string for a command as it is shown (ws_shown), in single quotes: gnuplot would run what stands in
 * `backticks` between double ones. Cut after some thousand letters. */
void ws_script_string(FILE *script, const char *text);
/* The same for a text that is fit to be shown, whole. */
void ws_script_quote(FILE *script, const char *text, size_t length);
/* Puts the title in words into an SVG of gnuplot's, NUL-terminated and made with malloc(), in place of those it has. */
int ws_svg_name(const char *title, char **bytes, size_t *size);

/* Writes "name = value", a real number in gnuplot even when it is whole (put int() around it for % and the like). */
void ws_script_number(FILE *script, const char *name, double value);

/* The values of column `name` of a frame; WS_EINPUT when it is missing, not finite, or rows differ from `rows`. */
int ws_plot_column(const ws_frame *frame, const char *what, const char *name, size_t rows, double *value);

/* Share of the variance that column `column` of the data explains; NaN when the request does not say. */
double ws_plot_share(const ws_plot_request *request, size_t column);

/* Cluster number of each row, and whether it stands for its cluster; zeros when the request has no groups. */
int ws_plot_groups(const ws_plot_request *request, long *cluster, char *representative);

/* Limits around the values with a margin of the given fraction; never empty. */
typedef struct ws_limits {
    double low, high;
} ws_limits;
ws_limits ws_plot_limits(const double *value, size_t n, double margin);

/* The width that is asked for, else usual_px, into canvas->width; WS_EINPUT when that is less than the figure needs. A
 * request without a width never fails. Call it first, then write notes, then ask for the height. */
int ws_plot_width(const ws_plot_request *request, double least_px, double usual_px, ws_canvas *canvas);
/* The same for the height; title and note take their part of what is asked for. */
int ws_plot_height(const ws_plot_request *request, double least_px, double usual_px, ws_canvas *canvas);
/* Do two columns that follow one another belong on one axis? Those of one group and unit do. */
bool ws_plot_together(const ws_column *a, const ws_column *b);
/* What `columns` columns of one axis are called together: their group, or the name of the only one; "" for others. */
const char *ws_plot_panel_name(const ws_column *first, size_t columns);
/* Adds a sentence to the note below the figure. */
void ws_plot_note(ws_canvas *canvas, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Room for names beside the figure: what they want, but no more than a share of a width that is asked for. */
double ws_plot_names_room(const ws_plot_request *request, double wanted_px, double share);
/* Pictures of rows from top to bottom: ends_px above and below them together, full_px a row unless there are many
 * (ws_plot_pitch) or a height is asked for. The room for the names of rows, as above; 0 when rows lie too close for
 * letters. */
double ws_plot_rows_names(const ws_plot_request *request, size_t rows, double full_px, double ends_px, double wanted_px,
                          double share);
/* The height, into canvas->height, behind ws_plot_width(); without room for names a note says so. */
int ws_plot_rows_height(const ws_plot_request *request, size_t rows, double full_px, double ends_px, double names_px,
                        ws_canvas *canvas);
/* Does the row in place `place` (0, 1, ...) have a name? *free_px, 0 at the first row, keeps names apart where only
 * some have one. */
bool ws_plot_row_named(const ws_canvas *canvas, size_t place, bool stands_in, double *free_px);
/* Lines that a note takes at a width, and their height with the space above. */
enum { WS_NOTE_LINE_PX = 13, WS_NOTE_PX = 9, WS_TITLE_PX = 26 };
size_t ws_plot_note_lines(const ws_canvas *canvas);
double ws_plot_note_px(const ws_canvas *canvas);
/* The note with a line feed where the next line begins. */
void ws_plot_note_wrap(const ws_canvas *canvas, char wrapped[WS_NOTE_BYTES]);

/* The step 1, 2 or 5 times a power of ten that cuts a span into at most `steps` (and rarely far fewer) parts. */
double ws_nice_step(double span, int steps);

/* Distance of the leaves of a tree, in pixels: full_px for a few hundred, less for more, so that a picture of thousands
 * stays one that programs can open. Names are left out below WS_LEAST_NAME_PX. */
enum { WS_LEAST_NAME_PX = 9 };
double ws_plot_pitch(size_t leaves, double full_px);

/* A cluster tree laid out: leaves in rows 0, 1, ... from the top, merges at their heights. */
typedef struct ws_tree_layout {
    size_t leaves;
    size_t *order;        /* [leaves] data row of each leaf, from the top */
    double *position;     /* [2 * leaves - 1] of leaf (by data row), then of merge */
    double *height;       /* [2 * leaves - 1] 0 for leaves */
    size_t *left, *right; /* [leaves - 1] nodes that a merge joins */
    long *cluster;        /* [2 * leaves - 1] cluster of the node when all of it is in one, else 0 */
} ws_tree_layout;

/* The tree of the request with its clusters. */
int ws_tree_layout_create(const ws_plot_request *request, ws_tree_layout *layout);
/* Any tree, without clusters. */
int ws_tree_layout_of(const ws_frame *tree, size_t leaves, ws_tree_layout *layout);
void ws_tree_layout_free(ws_tree_layout *layout);
/* Data block of the tree's elbows: "height position colour" polylines separated by blank lines. */
void ws_tree_layout_write(const ws_tree_layout *layout, const char *block, FILE *script);

#endif
