/* features.h - options shared by pca, cluster, subset and evaluate: the selection of columns and the handling of
 * missing values; and the metric set of metrics and report. */
#ifndef WS_FEATURES_H
#define WS_FEATURES_H

#include "base/frame_clean.h"
#include "base/options/option_rows.h"

typedef struct ws_features {
    const char *columns, *drop; /* comma-separated lists, or NULL */
    const char *columns_option; /* name of the option of `columns` in messages; NULL: --columns */
    const char *keep;           /* a column to keep, if present, whatever the lists select; or NULL */
    ws_missing missing;
} ws_features;

/* Rows of a ws_features. */
#define WS_FEATURES_OPTIONS(type, member) \
    WS_OPTION_GROUP(8), WS_OPTION_TEXT("columns", 0, "A,B,...", type, member.columns, "Use only these columns [all]"), \
        WS_OPTION_TEXT("drop", 0, "A,B,...", type, member.drop, "Leave these columns out, say a run time [none]"), \
        WS_OPTION_WORD("missing", 0, "RULE", type, member.missing, ws_features_missing, \
                       "What to do about missing and infinite values: refuse, or drop the columns or the rows that " \
                       "hold one [refuse]")
extern const char *const ws_features_missing[]; /* in the order of ws_missing */

/* Metric sets that users can select, for WS_OPTION_ONE_OF. */
extern const char *const ws_cli_sets[];

/* Returns the metric set: `set`, or if that is NULL the performance set, or the study's set when fractions of its
 * histograms are requested. Usage error if the given set has no histograms. */
const char *ws_features_set(const struct argp_state *state, const char *set, bool fractions);

/* WS_EINPUT when another set was collected. Then some row of the runs in the results file `db` lacks more than half of
 * the set's columns, or for the set synchronization all of them. */
int ws_features_measured(const ws_frame *frame, const char *db, const char *set);

/* Returns the name of a frame argument in messages: "stdin" for "-". */
const char *ws_features_name(const char *path);

/* Loads the frame and selects columns as the options say; missing values remain. The caller frees *out. */
int ws_features_load(const char *path, const ws_features *features, ws_frame **out);

/* Selects the columns of a frame as the options say. The caller frees *out. */
int ws_features_pick(const char *path, const ws_features *features, const ws_frame *frame, ws_frame **out);

/* Removes missing values from *frame as the options say. On failure *frame is unchanged. */
int ws_features_clean(const char *path, const ws_features *features, ws_frame **frame);

/* Returns rc. If rc refuses a missing value, adds the relevant option to the message. */
int ws_features_hint(const ws_features *features, int rc);

/* Adds the command as a note and prints the frame. A full disk is reported by the program at exit, not here. */
int ws_features_print(ws_frame *frame, int argc, char **argv);

/* Adds the command as a note and saves the frame; no effect for a NULL path. */
int ws_features_save(ws_frame *frame, const char *path, int argc, char **argv);

/* Also prints the frame's notes of caution on standard error, because readers of a table skip its comments. */
void ws_features_caution(const ws_frame *frame, const char *program);

#endif
