/* difference.h - differences between two frames of kernels, rated as better or worse. */
#ifndef WS_DIFFERENCE_H
#define WS_DIFFERENCE_H

#include "base/frame.h"

#include <stdbool.h>

typedef enum ws_verdict { WS_VERDICT_NEITHER, WS_VERDICT_BETTER, WS_VERDICT_WORSE, WS_VERDICTS } ws_verdict;
extern const char *const ws_verdict_words[WS_VERDICTS];

/* One column of one pair of rows. */
typedef struct ws_change {
    size_t pair, column; /* index in ws_difference.pair; column of frame a */
    double a, b;
    double change; /* (b - a) / |a|; infinite for a = 0, NaN for a missing value */
    double effect; /* |b - a| over the larger of the two: 0..2; sort key of the output */
    ws_verdict verdict;
} ws_change;

typedef struct ws_row_pair {
    size_t a, b; /* rows */
    char *name;  /* common name */
} ws_row_pair;

typedef struct ws_difference {
    const ws_frame *a, *b;
    ws_row_pair *pair; /* [pairs] in order of a */
    size_t pairs;
    char **only_a, **only_b; /* names of unmatched rows: [only_as], [only_bs] */
    size_t only_as, only_bs;
    ws_change *change; /* [changes] of all pairs and common columns, grouped by pair, in decreasing order of effect */
    size_t changes;
} ws_difference;

/* Matches rows by their labels: kernel and launch, and also workload unless each side has only one. Rows of equal name
 * match in order. The frames must outlive the result. WS_ENOTFOUND if no row matches. Free with fini, which accepts a
 * zeroed one. */
int ws_difference_make(const ws_frame *a, const ws_frame *b, ws_difference *out);
void ws_difference_fini(ws_difference *difference);

/* Prints the differing notes about the frames' origin (inputs, seed, version, machine), and a line if each frame is of
 * one run and these had different inputs. Returns the number of lines. */
size_t ws_difference_notes(const ws_frame *a, const ws_frame *b, FILE *out);

#endif
