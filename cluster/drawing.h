/* drawing.h - members drawn with known probabilities from base outcomes. */
#ifndef WS_DRAWING_H
#define WS_DRAWING_H

#include "base/frame.h"

#include <gsl/gsl_rng.h>
#include <stdbool.h>

/* Sets size[rows] of a frame of outcomes: the mean over the columns of |value| over the column's mean |value|, so that
 * the mean size is 1. Columns of zeros are ignored. Sizes below WS_DRAW_LEAST are raised to it, so that every row can
 * be drawn and no weight is extreme. WS_EINPUT: no column, missing values, only zeros. `name` names the frame. */
#define WS_DRAW_LEAST 0.1
int ws_draw_sizes(const ws_frame *outcomes, const char *name, double *size);

/* Sets chance[rows], the inclusion probabilities of n members: proportional to size, rows that would exceed 1 certain,
 * the others in proportion again; they sum to n (Sarndal, Swensson and Wretman 1992, section 3.6). `required` rows have
 * chance 1, `excluded` rows and those of size 0 chance 0; either may be NULL. WS_EINPUT if n is below the number of
 * required rows or above that of rows with a chance. */
int ws_draw_chances(const double *size, size_t rows, size_t n, const bool *required, const bool *excluded,
                    double *chance);

/* Draws rows with exactly these chances, which sum to a whole number n: systematic sampling from a random order (Madow
 * 1949; Hartley and Rao 1962). Sets member[n] in rising order and returns n. `order` is a work array of `rows`. */
size_t ws_draw_members(gsl_rng *rng, const double *chance, size_t rows, size_t *order, size_t *member);

/* Name of the method in frames of subsets. Weights of such members are 1 / chance. */
#define WS_DRAW_METHOD "draw"

#endif
