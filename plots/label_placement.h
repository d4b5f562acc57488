/* label_placement.h - where do the labels of a scatter plot go so that none covers another? */
#ifndef WS_LABEL_PLACEMENT_H
#define WS_LABEL_PLACEMENT_H

#include <stddef.h>

typedef struct ws_label {
    double x, y;          /* in: the point; pixels */
    double radius;        /* in: of the mark at the point, which labels keep clear of */
    int shaft;            /* in: 1 when the mark is the head of an arrow, which labels keep clear of, too, ... */
    double sx, sy;        /* in: ... from here */
    double width, height; /* in: size of the text */
    int keep;      /* in: 0 or more; where there is no room for all, those of a lower number are left out first */
    int hidden;    /* in, and out of ws_labels_thin: 1 when there is no text, only the mark */
    double cx, cy; /* out: centre of the text */
    int leader;    /* out: 1 when the text stands so far off that a line should lead to the point, ... */
    double lx, ly; /* out: ... from here, at the text's edge */
} ws_label;

typedef struct ws_box {
    double left, top, right, bottom;
} ws_box;

/* Places all labels inside `area`, clear of the points and of one another as far as there is room. The result depends
 * on the arguments alone. Returns the number of faults that are left (pairs of labels that overlap, points that a label
 * covers, labels that reach out of the area), or -1 when memory is short. */
long ws_labels_place(ws_label *label, size_t n, const ws_box *area);

/* Behind it, hides labels until none overlaps another one, covers a mark or leaves the area: of those at fault that of
 * the lowest keep, of these the one with most faults, of these the last. Hidden ones that find a free place then come
 * back. Returns how many stay hidden that were not, or -1 when memory is short. */
long ws_labels_thin(ws_label *label, size_t n, const ws_box *area);

#endif
