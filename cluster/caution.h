/* caution.h - warnings about the reliability of clusters and their representatives. */
#ifndef WS_CAUTION_H
#define WS_CAUTION_H

#include "base/frame.h"

/* The first two functions add a note "caution: ..." to a frame if a warning applies. WS_EMEM. `what` names the parts
 * and their origin, such as "groups by kmeans". */

/* Warns if the heaviest of k weights exceeds half of all rows and 1.5 times an even share. The weights sum to the
 * number of rows. */
int ws_caution_crowd(ws_frame *frame, const double *weight, size_t k, size_t rows, const char *what);

/* Warns if the mean silhouette of the points in their clusters is below 0.25, "no substantial structure" (Kaufman and
 * Rousseeuw 1990, chapter 2). cluster[i] in 1..k. The silhouette is undefined for one cluster, or as many clusters as
 * rows. */
int ws_caution_shape(ws_frame *frame, const ws_frame *points, const size_t *cluster, size_t k, const char *what);

/* Returns the text of the next note of caution, starting at note *at, and moves *at behind it. NULL at the end. */
const char *ws_caution_next(const ws_frame *frame, size_t *at);

/* Copies the notes of caution to a frame derived from `from`. WS_EMEM. */
int ws_caution_copy(const ws_frame *from, ws_frame *to);

#endif
