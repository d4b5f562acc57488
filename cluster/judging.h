/* judging.h - what the files that judge subsets share: rows in parts, subsets read, errors, and what chance gives. */
#ifndef WS_JUDGING_H
#define WS_JUDGING_H

#include "cluster/members.h"
#include "cluster/subset.h"

#include <stdbool.h>

typedef struct ws_judged_part { /* rows judged together: all of one configuration */
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
    double *mean;   /* [parts * columns] over all rows of a part */
    size_t changes; /* columns of WS_GROUP_CHANGE */
} ws_judging;

/* metrics, name and evaluation are set. What is missing or twice there is WS_EINPUT.
 * Needs ws_judging_fini in any case. */
int ws_judging_init(ws_judging *w);
void ws_judging_fini(ws_judging *w);

typedef struct ws_judged_subset { /* one row of a frame of subsets, read */
    size_t size;
    char **member;
    double *weight; /* of the mean over members */
} ws_judged_subset;

/* Are all of them frames of ws_subset_run? *rows grows by those that they have. */
int ws_judged_count(const ws_frame *const *frames, const char *const *frame_name, size_t count, size_t *rows);
/* The word of the method in a row. */
const char *ws_judged_method(const ws_frame *frame, size_t row);
int ws_judged_subset_read(const ws_judging *w, const ws_frame *frame, const char *name, size_t row,
                          ws_judged_subset *s);
void ws_judged_subset_fini(ws_judged_subset *s);

bool ws_judging_is_change(const ws_judging *w, size_t column);
bool ws_judging_has_row(const ws_judging *w, size_t part, const char *name, size_t *row);

/* error[columns] of a subset in one part. WS_EINPUT names a member that the part does not have. */
int ws_judging_errors(const ws_judging *w, size_t part, const ws_judged_subset *s, double *error);
/* The same of rows, weights NULL: equal; `mine` is room for as many numbers. */
void ws_judging_errors_of_rows(const ws_judging *w, size_t part, const size_t *row, const double *weight, size_t size,
                               double *mine, double *error);
/* The mean of errors of one kind: of changes, or of the others. */
double ws_judging_average(const ws_judging *w, const double *error, bool changes);
/* What every result says about how it came to be. */
int ws_judging_note(const ws_judging *w, ws_frame *frame);

enum { WS_LEVELS, WS_CHANGES, WS_JUDGED_KINDS };

typedef struct ws_chance { /* of random subsets of one size */
    size_t size, draws;
    double *of[WS_JUDGED_KINDS]; /* [draws] average errors */
} ws_chance;

/* Draws evaluation->random of them, from the rows that all parts have. Needs ws_chance_fini in any case. */
int ws_chance_init(const ws_judging *w, size_t size, ws_chance *c);
void ws_chance_fini(ws_chance *c);
/* value[WS_CHANCE_COLUMNS]: the share of draws with a lower error, in %, those as low by half; of all draws the mean,
 * and the errors that a tenth is below, and above. */
enum { WS_CHANCE_COLUMNS = 4 };
void ws_chance_compare(const ws_chance *c, int kind, double error, double *value);

#endif
