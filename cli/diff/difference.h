/* difference.h - what differs between two frames of kernels, and is it better or worse? */
#ifndef WS_DIFFERENCE_H
#define WS_DIFFERENCE_H

#include "base/frame.h"

#include <stdbool.h>

typedef enum ws_verdict { WS_VERDICT_NEITHER, WS_VERDICT_BETTER, WS_VERDICT_WORSE, WS_VERDICTS } ws_verdict;
extern const char *const ws_verdict_words[WS_VERDICTS];

/* One column of one pair of rows. */
typedef struct ws_change {
    size_t pair, column; /* in ws_difference.pair; of frame a */
    double a, b;
    double change; /* (b - a) / |a|; infinite from 0, NaN where one is missing */
    double effect; /* |b - a| over the larger of the two: 0..2, the order in which changes are shown */
    ws_verdict verdict;
} ws_change;

typedef struct ws_row_pair {
    size_t a, b; /* rows */
    char *name;  /* of both */
} ws_row_pair;

typedef struct ws_difference {
    const ws_frame *a, *b;
    ws_row_pair *pair; /* [pairs] in order of a */
    size_t pairs;
    char **only_a, **only_b; /* names of rows that have no other: [only_as], [only_bs] */
    size_t only_as, only_bs;
    ws_change *change; /* [changes] of all pairs and columns that both have, those of a pair together, the largest
                          effect first */
    size_t changes;
} ws_difference;

/* Matches rows by their labels: kernel and launch, and workload unless each side has one alone; rows of the same name
 * in their order. The frames have to stay. WS_ENOTFOUND when no row meets another. Free with fini, which accepts a
 * zeroed one. */
int ws_difference_make(const ws_frame *a, const ws_frame *b, ws_difference *out);
void ws_difference_fini(ws_difference *difference);

/* Prints what the notes of the frames say differently of how they came about (inputs, seed, version, machine), and a
 * line where each is of one run and these had other inputs: as many lines as are returned. */
size_t ws_difference_notes(const ws_frame *a, const ws_frame *b, FILE *out);

#endif
