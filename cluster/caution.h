/* caution.h - what must be known before anybody trusts clusters, or those who stand for them. */
#ifndef WS_CAUTION_H
#define WS_CAUTION_H

#include "base/frame.h"

/* The first two add a note "caution: ..." to a frame when there is something to say. WS_EMEM.
 * `what` names the parts and how they came to be: "groups by kmeans". */

/* When the heaviest of k weights, which sum to the number of rows, is more than half of all rows and half again as many
 * as an even share. */
int ws_caution_crowd(ws_frame *frame, const double *weight, size_t k, size_t rows, const char *what);

/* When the mean silhouette of the points in their clusters is below 0.25, "no substantial structure" (Kaufman and
 * Rousseeuw 1990, chapter 2). cluster[i] in 1..k; one cluster, or as many as rows, have no silhouette. */
int ws_caution_shape(ws_frame *frame, const ws_frame *points, const size_t *cluster, size_t k, const char *what);

/* What the frame's next note of caution says, from note *at on, which moves behind it; NULL when there is none. */
const char *ws_caution_next(const ws_frame *frame, size_t *at);

/* The notes of caution of one frame, for another made of it. WS_EMEM. */
int ws_caution_copy(const ws_frame *from, ws_frame *to);

#endif
