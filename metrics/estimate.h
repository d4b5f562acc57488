/* estimate.h - what do a few measured launches say of all launches, and how far can it be off?
 *
 * Launches of a stratum (same kernel and much the same shape) come in slices; one launch of each slice, drawn by
 * lot, is measured, and of all of them the auxiliaries are known: how many instructions and blocks they had. Slices
 * of one launch are known for certain.
 *
 * Weights: each measured launch stands for its slice, and the weights are then moved as little as possible so that
 * they give the totals of the auxiliaries exactly: calibration by raking, J.-C. Deville, C.-E. Sarndal, "Calibration
 * Estimators in Survey Sampling", Journal of the American Statistical Association 87, 1992 (case 2: weights stay
 * positive).
 *
 * Bounds: the variance of a calibrated total is that of the residuals of the regression on the auxiliaries (the same
 * paper, section 3). One launch a slice leaves no variance within the slice; that of the stratum is taken, which is
 * too large when the program drifts: W. G. Cochran, "Sampling Techniques", 3rd edition, 1977, sections 5A.12 and 5.4
 * (which also has the degrees of freedom over strata, after Satterthwaite). Columns are not totals but functions of
 * them: their linear part is used, C.-E. Sarndal, B. Swensson, J. Wretman, "Model Assisted Survey Sampling", 1992,
 * section 5.5. */
#ifndef WS_ESTIMATE_H
#define WS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Auxiliaries: the launch itself (1), warp instructions, thread instructions, blocks. */
enum { WS_ESTIMATE_AUX = 4 };

typedef struct ws_estimate_launch {
    int64_t id; /* the caller's */
    int64_t stratum, slice;
    bool measured;
    double warp_instructions, thread_instructions, blocks;
    double weight; /* out: what a measured launch stands for, else 0 */
} ws_estimate_launch;

/* A sample, worked out. */
typedef struct ws_estimate ws_estimate;

/* Sorts the launches by stratum and slice, and fills the weights. WS_EINPUT when a slice has more than one measured
 * launch, or a stratum none; WS_EMEM. The launches are borrowed and have to stay. */
int ws_estimate_create(ws_estimate_launch *launch, size_t n, ws_estimate **out);
void ws_estimate_destroy(ws_estimate *estimate); /* accepts NULL */

/* Half of the 95 % confidence interval of a total whose parts are u[i] for launch i (only measured ones are read).
 * Infinite when a stratum has too few measured launches to tell; 0 when all were measured. */
double ws_estimate_bound(const ws_estimate *estimate, const double *u);

/* Regression by normal equations that are added up as launches come: which unknowns the data can tell, and the part
 * of a sum of squares that they explain, given the sums of products with the auxiliaries. */
typedef struct ws_estimate_system { /* scaled to ones on the diagonal; L D L' with the rows in another order */
    unsigned n, rank;
    double scale[WS_ESTIMATE_AUX], factor[WS_ESTIMATE_AUX * WS_ESTIMATE_AUX];
    size_t order[WS_ESTIMATE_AUX];
} ws_estimate_system;
void ws_estimate_decompose(ws_estimate_system *system, unsigned n, const double zz[WS_ESTIMATE_AUX][WS_ESTIMATE_AUX]);
double ws_estimate_explained(const ws_estimate_system *system, const double *zv);

/* What errors of a column are held against: 1 for shares (ratios up to 1); the value for others, and for rates of a
 * thousand instructions at least 10 of them. */
double ws_estimate_scale(const char *unit, double value);

#endif
