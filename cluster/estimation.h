/* estimation.h - outcomes of all rows on new machines, estimated from the members measured there and a base machine
 * where all rows are known. */
#ifndef WS_ESTIMATION_H
#define WS_ESTIMATION_H

#include "cluster/estimator.h"
#include "cluster/subset.h"

#include <stdint.h>

typedef struct ws_measured { /* one machine: a row per workload, a column per outcome */
    const ws_frame *frame;
    const char *path;    /* in messages */
    const char *machine; /* in results */
} ws_measured;

typedef struct ws_estimation {
    ws_measured members; /* a frame of ws_subset_run, of which `row` is used */
    size_t row;
    const ws_measured *base; /* [bases] base[0] is the base. Further ones have the same rows, all measured. */
    const ws_measured *now;  /* [machines] new machines: the members, and possibly other rows, which are ignored */
    size_t bases, machines;
    const char *const *outcome; /* [outcomes] columns to estimate */
    size_t outcomes;
    const double *importance; /* [rows of base[0]] how much each row counts in means of all rows; NULL: all the same */
    const char *change_of;    /* column of changes, before over after; NULL: no changes */
    const char *work;  /* column of work, such as instructions, which depends on inputs but not on machines; NULL: not
                          checked. Members' values on base and new machines must agree within WS_ESTIMATION_SAME. */
    bool estimated_by; /* use `estimator` for every outcome to which it applies, else cross-validate */
    ws_estimator estimator;
    double confidence; /* 0..1 */
    double widening;   /* factor on the half-width of Student's t; 0: learned from the bases, or the default */
    size_t draws;      /* subsets drawn to learn the factor */
    uint64_t seed;
} ws_estimation;

/* Largest relative difference of a member's work between machines with the same inputs: races between warps change a
 * few instructions. */
#define WS_ESTIMATION_SAME 0.05

/* Returns the default widening for that number of members, interpolated between the rows of widening.def. */
double ws_estimation_widening(size_t members);

/* Returns a row per machine and outcome, and per change from the base to each new machine and between new machines.
 * Labels: machine, outcome, estimator. Columns: estimate, low, high (the interval), base (mean of all rows on the
 * base), members (mean of the members), slope, and a column error_NAME per estimator: its error for members left out.
 * Notes give the choice, the widening and its origin; notes "caution: ..." name outcomes that the base says nothing
 * about and estimates that were replaced because they had an impossible sign. WS_EINPUT: fewer than 2 members, a member
 * missing from a frame, bases with different rows, a missing value, other work, no outcome. The caller frees *out. */
int ws_estimation_run(const ws_estimation *estimation, ws_frame **out);

#endif
