/* judging.h - shared code of subset evaluation: partitions of rows, subsets, errors and random baselines. */
#ifndef WS_JUDGING_H
#define WS_JUDGING_H

#include "cluster/members.h"
#include "cluster/subset.h"

#include <stdbool.h>

typedef struct ws_judged_part { /* rows evaluated together: all of one configuration */
    const char *key;
    size_t *row, rows;
} ws_judged_part;

typedef struct ws_judging {
    const ws_frame *metrics;
    const char *name;
    ws_row_index index;
    size_t by;                    /* label column that separates the parts; metrics->labels for none */
    ws_judged_part *part;         /* in order of first appearance */
    size_t parts, *part_of, *row; /* [rows] each */
    const ws_evaluation *evaluation;
    double *mean;      /* [parts * columns] over all rows of a part */
    size_t changes;    /* number of columns of WS_GROUP_CHANGE */
    double *base;      /* [rows * columns] values on the base, NaN in columns that it lacks; NULL without a base */
    double *base_mean; /* [parts * columns] over all rows of a part */
    double *room;      /* [5 * rows] */
} ws_judging;

/* Set metrics, name and evaluation before the call. WS_EINPUT for missing values and duplicate rows.
 * Always call ws_judging_fini afterwards, also after a failure. */
int ws_judging_init(ws_judging *w);
void ws_judging_fini(ws_judging *w);

typedef struct ws_judged_subset { /* one row of a frame of subsets, parsed */
    size_t size;
    char **member;
    double *weight; /* weights of the mean over members */
    bool weighted;  /* weights are those of the frame, not all the same */
    bool drawn;     /* they are 1 / probability of inclusion */
} ws_judged_subset;

/* Checks that each frame is a result of ws_subset_run, and adds its rows to *rows. */
int ws_judged_count(const ws_frame *const *frames, const char *const *frame_name, size_t count, size_t *rows);
/* Returns the name of the method in a row. */
const char *ws_judged_method(const ws_frame *frame, size_t row);
int ws_judged_subset_read(const ws_judging *w, const ws_frame *frame, const char *name, size_t row,
                          ws_judged_subset *s);
void ws_judged_subset_fini(ws_judged_subset *s);

bool ws_judging_is_change(const ws_judging *w, size_t column);
bool ws_judging_has_row(const ws_judging *w, size_t part, const char *name, size_t *row);

/* Error of one metric. With a base also its interval: 1 if it contains the mean of all rows, else 0; and half its width
 * over the mean. NaN without a base. */
typedef struct ws_judged {
    double error, covered, half;
} ws_judged;

/* Sets judged[columns] of a subset in one part. WS_EINPUT names a member missing from the part. */
int ws_judging_errors(const ws_judging *w, size_t part, const ws_judged_subset *s, ws_judged *judged);
/* The same for rows by index, with the weights of s. NULL: drawn with the same chance for all rows. WS_EMEM. */
int ws_judging_errors_of_rows(const ws_judging *w, size_t part, const size_t *row, const ws_judged_subset *s,
                              size_t size, ws_judged *judged);
/* Returns the mean of the errors of one kind: changes, or the others. */
double ws_judging_average(const ws_judging *w, const ws_judged *judged, bool changes);
/* Adds the notes that every result carries. */
int ws_judging_note(const ws_judging *w, ws_frame *frame);

enum { WS_LEVELS, WS_CHANGES, WS_JUDGED_KINDS };

typedef struct ws_chance { /* random subsets of one size */
    size_t size, draws;
    double *of[WS_JUDGED_KINDS]; /* [draws] average errors */
} ws_chance;

/* Draws evaluation->random subsets from the rows common to all parts. Always call ws_chance_fini, also after a failure.
 */
int ws_chance_init(const ws_judging *w, size_t size, ws_chance *c);
void ws_chance_fini(ws_chance *c);
/* Sets value[WS_CHANCE_COLUMNS]. First the share in % of draws with a lower error; equal errors count half. Then the
 * mean error of the draws, and the errors with a tenth of the draws below and above. */
enum { WS_CHANCE_COLUMNS = 4 };
void ws_chance_compare(const ws_chance *c, int kind, double error, double *value);

#endif
