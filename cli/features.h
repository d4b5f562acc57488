/* features.h - the options that pca, cluster, subset and evaluate share: which columns of a frame are meant, and what
 * happens to missing values; and which set of them metrics and report mean. */
#ifndef WS_FEATURES_H
#define WS_FEATURES_H

#include "base/frame_clean.h"
#include "base/options/option_rows.h"

typedef struct ws_features {
    const char *columns, *drop; /* lists separated by commas, or NULL */
    const char *keep;           /* a column that stays whatever the lists say, when there is one; or NULL */
    ws_missing missing;
} ws_features;

/* The rows of a ws_features. */
#define WS_FEATURES_OPTIONS(type, member) \
    WS_OPTION_GROUP(8), WS_OPTION_TEXT("columns", 0, "A,B,...", type, member.columns, "Use only these columns [all]"), \
        WS_OPTION_TEXT("drop", 0, "A,B,...", type, member.drop, "Leave these columns out, say a run time [none]"), \
        WS_OPTION_WORD("missing", 0, "RULE", type, member.missing, ws_features_missing, \
                       "What to do about missing and infinite values: refuse, or drop the columns or the rows that " \
                       "hold one [refuse]")
extern const char *const ws_features_missing[]; /* in the order of ws_missing */

/* Sets of metrics that can be asked for, for WS_OPTION_ONE_OF. */
extern const char *const ws_cli_sets[];

/* The set of characteristics that is meant: the one named, or when that is NULL the one that predicts, and the study's
 * when fractions of its histograms are asked for. A usage error when the set named has no histograms. */
const char *ws_features_set(const struct argp_state *state, const char *set, bool fractions);

/* WS_EINPUT when the runs in the results file `db` left more than half of the set's columns without a number in some
 * row, or of the set synchronization all of them: another set was collected. */
int ws_features_measured(const ws_frame *frame, const char *db, const char *set);

/* What messages call a frame argument: "stdin" for "-". */
const char *ws_features_name(const char *path);

/* Loads the frame and leaves the columns that the options ask for; missing values are still there. The caller frees
 * *out. */
int ws_features_load(const char *path, const ws_features *features, ws_frame **out);

/* The columns of a frame that the options ask for. The caller frees *out. */
int ws_features_pick(const char *path, const ws_features *features, const ws_frame *frame, ws_frame **out);

/* Replaces *frame by one without missing values, as the options ask. On failure *frame is unchanged. */
int ws_features_clean(const char *path, const ws_features *features, ws_frame **frame);

/* Returns rc; when it is the refusal of a missing value, the message says which option does otherwise. */
int ws_features_hint(const ws_features *features, int rc);

/* Signs the frame with the command and prints it. A full disk is not a failure here: the program reports it at exit. */
int ws_features_print(ws_frame *frame, int argc, char **argv);

/* Signs the frame and saves it; a path of NULL is not wanted. */
int ws_features_save(ws_frame *frame, const char *path, int argc, char **argv);

/* Says the frame's notes of caution on standard error, too: who reads a table looks past its comments. */
void ws_features_caution(const ws_frame *frame, const char *program);

#endif
