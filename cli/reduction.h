/* reduction.h - the options that say how many components are kept, for commands that take characteristics to components
 * on their way. */
#ifndef WS_REDUCTION_H
#define WS_REDUCTION_H

#include "pca/pca.h"

#include <argp.h>

typedef struct ws_reduction_options {
    ws_pca_options pca;
    const char *given; /* the option that chose how many components, or NULL */
} ws_reduction_options;

/* Keys of the options, for a command that words them otherwise. */
enum {
    WS_REDUCTION_VARIANCE = 0x2000,
    WS_REDUCTION_PCS,
    WS_REDUCTION_KAISER,
    WS_REDUCTION_SUBSPACE,
    WS_REDUCTION_RANKS
};

/* 90 % of the variance, as when no option is given. */
void ws_reduction_defaults(ws_reduction_options *options);

/* Takes one of these options, whose text is kept; ARGP_ERR_UNKNOWN: it is none of them. Misuse ends the program by
 * argp_error. */
error_t ws_reduction_set(ws_reduction_options *options, int key, const char *text, const struct argp_state *state);

/* Child parser with --variance, --pcs, --kaiser, --subspace, --ranks; its input is a ws_reduction_options. */
extern const struct argp ws_reduction_argp;

/* Components of the frame; the frame itself, copied, when its columns are components already. The caller frees *points.
 */
int ws_reduction_run(const ws_frame *features, const char *name, const ws_pca_options *options, ws_frame **points);

#endif
