/* comparison.h - common kinds of rows of the ledger of comparisons (ledger.h), and their summary. */
#ifndef WS_COMPARISON_H
#define WS_COMPARISON_H

#include "model/coherence/race.h"
#include "model/mechanism/ledger.h"

/* Labels of rows, without the last, which is the quantity. */
typedef struct ws_compared {
    ws_ledger *ledger;
    const char *of[WS_LEDGER_LABELS - 1];
} ws_compared;

/* Return rows whose error is the difference, and the difference relative to the simulated value (ws_relative_error). */
ws_comparison ws_difference(double predicted, double simulated, double band);
ws_comparison ws_relative(double predicted, double simulated, double band);

/* Adds a row, and sets its labels. WS_EMEM. */
int ws_compared_add(const ws_compared *of, const char *quantity, unsigned kind, ws_comparison row);

/* Adds a row for each count of race detection, which must be equal; names begin with `prefix`. WS_EMEM. */
int ws_compared_add_races(const ws_compared *of, const char *prefix, unsigned kind, const ws_race_counts *predicted,
                          const ws_race_counts *simulated);

/* Begins a line on standard error: the number of judged rows within their bands. Returns the number beyond. */
size_t ws_ledger_tell_within(const ws_ledger *ledger);

/* Continues the line: "; median error of WHAT ..." for the rows of that kind; nothing if there are none. */
ws_ledger_sum ws_ledger_tell_errors(const ws_ledger *ledger, unsigned kind, const char *what);

#endif
