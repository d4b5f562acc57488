/* plane.h - points in a plane with names beside them. */
#ifndef WS_PLANE_H
#define WS_PLANE_H

#include "plots/figure_internal.h"

typedef struct ws_plane {
    ws_limits x, y;
    const ws_canvas *canvas;
} ws_plane;

/* Data blocks $labels (place, name, side: 1 it begins there, -1 it ends, 0 centred) and $leaders (lines from names that stand far off), and ws_labels, their number. n names: of the rows in
 * row[0..n), or of the first n where that is NULL; x, y: of all rows. ringed[row]: its mark is wider. Names are shortened where they do not fit beside one another. */
int ws_plane_write_names(const ws_frame *data, const ws_plane *plane, const double *x, const double *y,
                         const char *ringed, size_t n, const size_t *row, FILE *script);

#endif
