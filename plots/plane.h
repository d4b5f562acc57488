/* plane.h - points in a plane with labels that do not overlap. */
#ifndef WS_PLANE_H
#define WS_PLANE_H

#include "plots/figure_internal.h"
#include "plots/label_placement.h"

typedef struct ws_plane {
    ws_limits x, y;
    const ws_canvas *canvas;
} ws_plane;

/* Marks of points, and the names of some of them. */
typedef struct ws_plane_names {
    size_t n, room;
    struct ws_plane_name *name; /* [room] in the order of addition */
    ws_label *label;            /* [n] */
    size_t named, left_out;     /* requested names; names without room, after ws_plane_names_place */
} ws_plane_names;

/* Radii of marks in pixels, which names avoid: a point, a point with a ring around it, the end of an arrow. */
#define WS_POINT_PX 3.8
#define WS_RING_PX  6.5
#define WS_TIP_PX   2.0

/* Allocates space for `room` marks; WS_EMEM. Always call ws_plane_names_fini afterwards, also after a failure. */
int ws_plane_names_init(ws_plane_names *names, size_t room);
void ws_plane_names_fini(ws_plane_names *names);
/* Adds a mark at (x, y), with the name of a row of the frame (NULL: no name). keep: names of lower numbers are hidden
 * first. color: of the name, for drawing commands with several colours. */
void ws_plane_names_add(ws_plane_names *names, double x, double y, double mark_px, const ws_frame *frame, size_t row,
                        int keep, uint32_t color);
/* Makes the last mark the head of an arrow from (x, y). */
void ws_plane_names_shaft(ws_plane_names *names, double x, double y);
/* Adds a line from (x0, y0) to (x1, y1), which names avoid where they can; it uses the space of one mark. */
void ws_plane_names_line(ws_plane_names *names, double x0, double y0, double x1, double y1);
/* Places the names. Names that do not fit are shortened and then hidden. May be called again for another plane.
 * WS_EMEM. */
int ws_plane_names_place(ws_plane_names *names, const ws_plane *plane);
/* Writes the data blocks $labels and $leaders, and ws_labels, the number of labels. $labels: place, name, side (1
 * starts at the place, -1 ends there, 0 centred), colour. $leaders: lines to distant names. */
void ws_plane_names_write(const ws_plane_names *names, const ws_plane *plane, FILE *script);

/* Chooses the height of a picture with names, and the lower edge of the plane, foot_px above the picture's; places the
 * names. A note gives the number of names without room. The caller sets the other edges and the width. */
typedef struct ws_plane_height {
    double least_px, usual_px, foot_px;
} ws_plane_height;
int ws_plane_settle(const ws_plot_request *request, const ws_plane_height *height, ws_plane_names *names,
                    const ws_plane *plane, ws_canvas *canvas);

/* Rows of data in the plane of the request's columns x and y. */
typedef struct ws_plane_rows {
    size_t n;
    double *x, *y;
    long *cluster;
    char *representative;
} ws_plane_rows;
/* WS_EINPUT: no row, missing columns or values; WS_EMEM. Always call ws_plane_rows_fini, also after a failure. */
int ws_plane_rows_init(ws_plane_rows *rows, const ws_plot_request *request, const char *figure);
void ws_plane_rows_fini(ws_plane_rows *rows);
/* Adds the names of rows; names of representatives are hidden last. Adds all names, or those of the request; with many
 * rows only those of representatives, and a note. */
void ws_plane_rows_name(const ws_plane_rows *rows, const ws_plot_request *request, ws_plane_names *names,
                        ws_canvas *canvas);
/* Writes the data block $points (place, colour, marker, whether it represents its cluster), and limits and titles of
 * axes. */
void ws_plane_rows_write(const ws_plane_rows *rows, const ws_plot_request *request, const ws_plane *plane,
                         FILE *script);

#endif
