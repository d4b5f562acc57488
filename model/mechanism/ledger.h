/* ledger.h - ledger of comparisons: predicted and simulated values, one row each. */
#ifndef WS_LEDGER_H
#define WS_LEDGER_H

#include "base/frame.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_LEDGER_LABELS = 4, WS_LEDGER_KINDS = 8, WS_LEDGER_ALL = WS_LEDGER_KINDS };

/* Verdict of a row. */
typedef enum ws_verdict {
    WS_BY_BAND, /* by its error and band; without a band (NaN) not judged */
    WS_WITHIN,  /* set by the model */
    WS_BEYOND,
} ws_verdict;

typedef struct ws_comparison {
    const char *label[WS_LEDGER_LABELS];
    double load; /* for ledgers with that column */
    double predicted, simulated, error, band;
    ws_verdict verdict;
    unsigned kind; /* below WS_LEDGER_KINDS: rows of a kind are summarised together */
} ws_comparison;

typedef struct ws_ledger {
    ws_frame *frame; /* labels; load, predicted, simulated, error, band, within (0 or 1, NaN: not judged) */
    unsigned char *kind;
    double *error; /* scratch for sorting the errors of all rows */
    size_t room, error_room;
} ws_ledger;

/* Creates an empty ledger, freed with ws_ledger_fini, also after failures. `load`: its rows have that column. WS_EMEM.
 */
int ws_ledger_init(ws_ledger *ledger, const char *const labels[WS_LEDGER_LABELS], bool load);
void ws_ledger_fini(ws_ledger *ledger);

/* Adds a row; labels are copied. WS_EMEM. */
int ws_ledger_add(ws_ledger *ledger, const ws_comparison *row);

/* Returns |predicted - simulated| relative to the simulated value: 0 if equal, infinite if the latter is 0. */
double ws_relative_error(double predicted, double simulated);

/* Summary of the rows of a kind, or of WS_LEDGER_ALL; median and largest error, 0 without rows. */
typedef struct ws_ledger_sum {
    size_t rows, judged, within;
    double median, most;
} ws_ledger_sum;
ws_ledger_sum ws_ledger_sum_of(const ws_ledger *ledger, unsigned kind);

/* Returns WS_OK, or WS_EVERIFY: "N quantities are beyond their bands". */
int ws_ledger_refuse(size_t beyond);

#endif
