/* comparison.h - rows of the ledger of comparisons (ledger.h) of the usual kinds, and what is said of all of them. */
#ifndef WS_COMPARISON_H
#define WS_COMPARISON_H

#include "model/coherence/race.h"
#include "model/mechanism/ledger.h"

/* Of whom rows are: their labels but the last, which is the quantity. */
typedef struct ws_compared {
    ws_ledger *ledger;
    const char *of[WS_LEDGER_LABELS - 1];
} ws_compared;

/* Rows whose error is the difference, and the difference as a part of what was simulated (ws_relative_error). */
ws_comparison ws_difference(double predicted, double simulated, double band);
ws_comparison ws_relative(double predicted, double simulated, double band);

/* Adds a row, whose labels it writes. WS_EMEM. */
int ws_compared_add(const ws_compared *of, const char *quantity, unsigned kind, ws_comparison row);

/* Adds a row for each count of race detection, which have to be equal; names begin with `prefix`. WS_EMEM. */
int ws_compared_add_races(const ws_compared *of, const char *prefix, unsigned kind, const ws_race_counts *predicted,
                          const ws_race_counts *simulated);

/* Begins a line on standard error: how many of the rows that are judged are within their bands. Returns how many are
 * not. */
size_t ws_ledger_tell_within(const ws_ledger *ledger);

/* Goes on: "; median error of WHAT ..." for the rows of that kind; nothing where there are none. */
ws_ledger_sum ws_ledger_tell_errors(const ws_ledger *ledger, unsigned kind, const char *what);

#endif
