/* estimate.h - estimates of totals over all launches from a sample of measured ones, with error bounds.
 *
 * Launches of a stratum (same kernel, similar shape) are divided into slices. One launch of each slice, drawn by lot,
 * is measured. The auxiliaries, numbers of instructions and blocks, are known for all launches. Slices of one launch
 * are known exactly.
 *
 * Weights: each measured launch represents its slice. The weights are then changed as little as possible so that they
 * reproduce the totals of the auxiliaries exactly. This is calibration by raking, J.-C. Deville, C.-E. Sarndal,
 * "Calibration Estimators in Survey Sampling", Journal of the American Statistical Association 87, 1992 (case 2:
 * weights stay positive).
 *
 * Bounds: the variance of a calibrated total is that of the residuals of the regression on the auxiliaries (the same
 * paper, section 3). One launch per slice gives no variance within the slice. The variance of the stratum is used,
 * which is too large when the program drifts: W. G. Cochran, "Sampling Techniques", 3rd edition, 1977, sections 5A.12
 * and 5.4 (also for the degrees of freedom over strata, after Satterthwaite). Columns are functions of totals; their
 * linear part is used, C.-E. Sarndal, B. Swensson, J. Wretman, "Model Assisted Survey Sampling", 1992, section 5.5. */
#ifndef WS_ESTIMATE_H
#define WS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Auxiliaries: the launch itself (1), warp instructions, thread instructions, blocks. */
enum { WS_ESTIMATE_AUX = 4 };

typedef struct ws_estimate_launch {
    int64_t id; /* owned by the caller */
    int64_t stratum, slice;
    bool measured;
    double warp_instructions, thread_instructions, blocks;
    double weight; /* out: number of launches that a measured launch represents, else 0 */
} ws_estimate_launch;

/* Sample with its weights and variances. */
typedef struct ws_estimate ws_estimate;

/* Sorts the launches by stratum and slice, and sets the weights. Returns WS_EINPUT if a slice has more than one
 * measured launch or a stratum has none, or WS_EMEM. The launches are borrowed and must stay valid. */
int ws_estimate_create(ws_estimate_launch *launch, size_t n, ws_estimate **out);
void ws_estimate_destroy(ws_estimate *estimate); /* accepts NULL */

/* Returns half of the 95 % confidence interval of a total whose parts are u[i] for launch i; only measured ones are
 * read. Infinite if a stratum has too few measured launches; 0 if all were measured. */
double ws_estimate_bound(const ws_estimate *estimate, const double *u);

/* Regression by normal equations, summed as launches arrive. ws_estimate_decompose finds the unknowns that the data
 * determine. ws_estimate_explained returns the part of a sum of squares that they explain, given the sums of products
 * with the auxiliaries. */
typedef struct ws_estimate_system { /* scaled to a unit diagonal; L D L' with permuted rows */
    unsigned n, rank;
    double scale[WS_ESTIMATE_AUX], factor[WS_ESTIMATE_AUX * WS_ESTIMATE_AUX];
    size_t order[WS_ESTIMATE_AUX];
} ws_estimate_system;
void ws_estimate_decompose(ws_estimate_system *system, unsigned n, const double zz[WS_ESTIMATE_AUX][WS_ESTIMATE_AUX]);
double ws_estimate_explained(const ws_estimate_system *system, const double *zv);

/* Returns the scale of a column's errors: the value, but at least 1 for shares and other ratios, and at least 10 for
 * rates per thousand instructions. */
double ws_estimate_scale(const char *unit, double value);

#endif
