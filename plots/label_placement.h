/* label_placement.h - placement of the labels of a scatter plot without overlaps. */
#ifndef WS_LABEL_PLACEMENT_H
#define WS_LABEL_PLACEMENT_H

#include <stddef.h>

typedef struct ws_label {
    double x, y;          /* in: the point; pixels */
    double radius;        /* in: of the mark at the point, which labels must not cover */
    int shaft;            /* in: 1 when the mark is the head of an arrow, whose shaft labels also avoid, ... */
    double sx, sy;        /* in: ... from here */
    double width, height; /* in: size of the text */
    int keep;             /* in: priority, 0 or more; without room for all, labels of lower numbers are hidden first */
    int hidden;           /* in, and out of ws_labels_thin: 1 for a mark without text */
    double cx, cy;        /* out: centre of the text */
    int leader;           /* out: 1 when the text is far enough away to need a line to the point, ... */
    double lx, ly;        /* out: ... from here, at the text's edge */
} ws_label;

typedef struct ws_box {
    double left, top, right, bottom;
} ws_box;

/* Places all labels inside `area`, clear of the points and of one another where there is room. The result depends only
 * on the arguments. Returns the number of remaining faults (pairs of overlapping labels, points covered by a label,
 * labels beyond the area), or -1 when memory is short. */
long ws_labels_place(ws_label *label, size_t n, const ws_box *area);

/* Hides labels after ws_labels_place until none overlaps another, covers a mark or leaves the area. Among labels at
 * fault, hides the lowest keep first, then the most faults, then the last. Afterwards, hidden labels that find a free
 * place reappear. Returns the number of newly hidden labels, or -1 when memory is short. */
long ws_labels_thin(ws_label *label, size_t n, const ws_box *area);

#endif
