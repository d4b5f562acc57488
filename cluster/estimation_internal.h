/* estimation_internal.h - one estimate, for estimation.c, widening.c and judging.c. */
#ifndef WS_ESTIMATION_INTERNAL_H
#define WS_ESTIMATION_INTERNAL_H

#include "cluster/estimation.h"
#include "cluster/judging.h"

typedef struct ws_estimating {
    const ws_estimation *asked;
    ws_judged_subset subset;
    size_t rows;     /* of the base */
    size_t *member;  /* [members] rows of the base */
    size_t **row_of; /* [bases][rows] rows of each base, in the order of base[0] */
    size_t **now_of; /* [machines][members] rows of each new machine */
    double *chance;  /* [members] if they were drawn, else NULL */
    ws_sample sample;
    double *share;                 /* [rows] parts of the rows of the base in the mean of all */
    double *weight, *member_share; /* [members] of the sample */
    double *x, *y, *all;           /* [rows] work arrays */
} ws_estimating;

/* The estimate of one outcome on one machine. */
typedef struct ws_estimated {
    ws_interval interval;
    ws_estimator estimator;
    double error[WS_ESTIMATORS];
} ws_estimated;

/* Estimates an outcome from value[members] on a machine, base[members] and the base's mean of all rows: chooses or
 * takes the estimator, and computes its interval. base NULL: only members. WS_EMEM. */
int ws_estimate_one(const ws_estimation *asked, const ws_sample *sample, const double *base, double base_mean,
                    const double *value, ws_estimated *out);

/* Mean of value[rows] with the shares of the rows. */
double ws_estimating_mean(const ws_estimating *w, const double *value);

double ws_estimating_value(const ws_measured *on, size_t row, const char *column);

/* The factor for the intervals, and a note about its origin. */
int ws_estimating_widen(const ws_estimating *w, double *factor, ws_frame *frame);

#endif
