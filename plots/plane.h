/* plane.h - points in a plane with names beside them, none upon another. */
#ifndef WS_PLANE_H
#define WS_PLANE_H

#include "plots/figure_internal.h"
#include "plots/label_placement.h"

typedef struct ws_plane {
    ws_limits x, y;
    const ws_canvas *canvas;
} ws_plane;

/* Marks of points, and the names that some of them have. */
typedef struct ws_plane_names {
    size_t n, room;
    struct ws_plane_name *name; /* [room] as they were added */
    ws_label *label;            /* [n] */
    size_t named, left_out;     /* names that were wanted; those without room, after ws_plane_names_place */
} ws_plane_names;

/* Sizes of marks in pixels, which names keep clear of: a point, one with a ring around it, the end of an arrow. */
#define WS_POINT_PX 3.8
#define WS_RING_PX  6.5
#define WS_TIP_PX   2.0

/* Room for that many marks; WS_EMEM. Afterwards, also after a failure, ws_plane_names_fini. */
int ws_plane_names_init(ws_plane_names *names, size_t room);
void ws_plane_names_fini(ws_plane_names *names);
/* A mark at (x, y), with the name of a row of the frame (NULL: without). keep: names of lower numbers are left out
 * first. color: of the name, for drawing commands that have more than one. */
void ws_plane_names_add(ws_plane_names *names, double x, double y, double mark_px, const ws_frame *frame, size_t row,
                        int keep, uint32_t color);
/* The last mark is the head of an arrow from (x, y). */
void ws_plane_names_shaft(ws_plane_names *names, double x, double y);
/* A line from (x0, y0) to (x1, y1), which names keep clear of where they can; it takes room for one mark. */
void ws_plane_names_line(ws_plane_names *names, double x0, double y0, double x1, double y1);
/* Places names; those that do not fit beside one another are shortened, and then left out. May be called again, for
 * another plane. WS_EMEM. */
int ws_plane_names_place(ws_plane_names *names, const ws_plane *plane);
/* Data blocks $labels (place, name, side: 1 it begins there, -1 it ends, 0 centred; colour) and $leaders (lines from
 * names that stand far off), and ws_labels, their number. */
void ws_plane_names_write(const ws_plane_names *names, const ws_plane *plane, FILE *script);

/* Height of a picture with names in it, and the lower edge of the plane, foot_px above that of the picture; places the
 * names. Where some have no room, a note says how many. The other edges and the width have to be there. */
typedef struct ws_plane_height {
    double least_px, usual_px, foot_px;
} ws_plane_height;
int ws_plane_settle(const ws_plot_request *request, const ws_plane_height *height, ws_plane_names *names,
                    const ws_plane *plane, ws_canvas *canvas);

/* Rows of data in the plane of the columns x and y of the request. */
typedef struct ws_plane_rows {
    size_t n;
    double *x, *y;
    long *cluster;
    char *representative;
} ws_plane_rows;
/* WS_EINPUT: no row, no such columns, missing values; WS_EMEM. Afterwards, also after a failure, ws_plane_rows_fini. */
int ws_plane_rows_init(ws_plane_rows *rows, const ws_plot_request *request, const char *figure);
void ws_plane_rows_fini(ws_plane_rows *rows);
/* Their names, representatives last to be left out: all, or as the request says; of many those of representatives, and
 * a note. */
void ws_plane_rows_name(const ws_plane_rows *rows, const ws_plot_request *request, ws_plane_names *names,
                        ws_canvas *canvas);
/* Data block $points: place, colour, marker, whether it stands for its cluster; limits and titles of axes. */
void ws_plane_rows_write(const ws_plane_rows *rows, const ws_plot_request *request, const ws_plane *plane,
                         FILE *script);

#endif
