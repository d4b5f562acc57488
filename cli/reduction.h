/* reduction.h - options for the number of principal components, for commands that reduce characteristics. */
#ifndef WS_REDUCTION_H
#define WS_REDUCTION_H

#include "base/options/option_rows.h"
#include "pca/pca.h"

typedef struct ws_reduction_options {
    ws_pca_options pca;
    const char *given; /* the option that selected the number of components, or NULL */
} ws_reduction_options;

/* Sets the default: 90 % of the variance. */
void ws_reduction_defaults(ws_reduction_options *options);

/* Rows of a ws_reduction_options. */
#define WS_REDUCTION_OPTIONS(type, member) \
    WS_OPTION_GROUP(5), \
        WS_OPTION_TAKE("variance", 0, "F", type, member, ws_take_variance, \
                       "Of characteristics, keep the fewest components that explain this fraction of the variance " \
                       "[0.9]"), \
        WS_OPTION_TAKE("pcs", 0, "N", type, member, ws_take_pcs, "... keep N components"), \
        WS_OPTION_TAKE("kaiser", 0, NULL, type, member, ws_take_kaiser, \
                       "... keep the components with an eigenvalue above 1"), \
        WS_OPTION_TEXT("subspace", 0, "NAME", type, member.pca.subspace, \
                       "... use only the columns of this group, such as DV [all]"), \
        WS_OPTION_FLAG("ranks", 0, type, member.pca.ranks, "... of each value take its rank in its column")

/* For commands with their own wording: a member ws_reduction_options. Misuse: more than one of the three. */
ws_option_take ws_take_variance, ws_take_pcs, ws_take_kaiser;

/* Computes components of the frame; copies the frame if its columns are already components. The caller frees *points.
 */
int ws_reduction_run(const ws_frame *features, const char *name, const ws_pca_options *options, ws_frame **points);

#endif
