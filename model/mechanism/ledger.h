/* ledger.h - the ledger of comparisons: what a model predicts beside what a simulation counts, a row each. */
#ifndef WS_LEDGER_H
#define WS_LEDGER_H

#include "base/frame.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_LEDGER_LABELS = 4, WS_LEDGER_KINDS = 8, WS_LEDGER_ALL = WS_LEDGER_KINDS };

/* Whether a row is within its band. */
typedef enum ws_verdict {
    WS_BY_BAND, /* its error is at most its band; not judged without a band, NaN */
    WS_WITHIN,  /* the model says so */
    WS_BEYOND,
} ws_verdict;

typedef struct ws_comparison {
    const char *label[WS_LEDGER_LABELS];
    double load; /* of ledgers with that column */
    double predicted, simulated, error, band;
    ws_verdict verdict;
    unsigned kind; /* less than WS_LEDGER_KINDS: rows of a kind are summed up together */
} ws_comparison;

typedef struct ws_ledger {
    ws_frame *frame; /* labels; load, predicted, simulated, error, band, within (0 or 1, NaN: not judged) */
    unsigned char *kind;
    double *error; /* room for the errors of all rows, to be sorted */
    size_t room, error_room;
} ws_ledger;

/* An empty ledger, which the caller frees with ws_ledger_fini, after failures also. `load`: its rows have that column.
 * WS_EMEM. */
int ws_ledger_init(ws_ledger *ledger, const char *const labels[WS_LEDGER_LABELS], bool load);
void ws_ledger_fini(ws_ledger *ledger);

/* Adds a row; labels are copied. WS_EMEM. */
int ws_ledger_add(ws_ledger *ledger, const ws_comparison *row);

/* |predicted - simulated| as a part of what was simulated: 0 where they are equal, infinite where nothing was. */
double ws_relative_error(double predicted, double simulated);

/* The rows of a kind, or of WS_LEDGER_ALL; median and greatest of their errors, 0 without rows. */
typedef struct ws_ledger_sum {
    size_t rows, judged, within;
    double median, most;
} ws_ledger_sum;
ws_ledger_sum ws_ledger_sum_of(const ws_ledger *ledger, unsigned kind);

/* WS_OK, or WS_EVERIFY: "N quantities are beyond their bands". */
int ws_ledger_refuse(size_t beyond);

#endif
