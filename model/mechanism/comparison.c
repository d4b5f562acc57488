/* comparison.c - see comparison.h. */
#include "model/mechanism/comparison.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ws_comparison ws_difference(double predicted, double simulated, double band)
{
    return (ws_comparison){
        .predicted = predicted, .simulated = simulated, .error = fabs(predicted - simulated), .band = band};
}

ws_comparison ws_relative(double predicted, double simulated, double band)
{
    return (ws_comparison){
        .predicted = predicted, .simulated = simulated, .error = ws_relative_error(predicted, simulated), .band = band};
}

int ws_compared_add(const ws_compared *of, const char *quantity, unsigned kind, ws_comparison row)
{
    memcpy(row.label, of->of, sizeof of->of);
    row.label[WS_LEDGER_LABELS - 1] = quantity;
    row.kind = kind;
    return ws_ledger_add(of->ledger, &row);
}

int ws_compared_add_races(const ws_compared *of, const char *prefix, unsigned kind, const ws_race_counts *predicted,
                          const ws_race_counts *simulated)
{
    const struct {
        const char *name;
        uint64_t predicted, simulated;
    } counts[] = {
#define COUNT(name, meaning) {#name, predicted->name, simulated->name},
#include "model/coherence/race_counts.def"
#undef COUNT
    };
    enum { NAME = 64 };
    char name[NAME];
    int status = WS_OK;
    for (size_t i = 0; i < sizeof counts / sizeof *counts && !status; i++) {
        snprintf(name, sizeof name, "%s%s", prefix, counts[i].name);
        status =
            ws_compared_add(of, name, kind, ws_relative((double)counts[i].predicted, (double)counts[i].simulated, 0));
    }
    return status;
}

size_t ws_ledger_tell_within(const ws_ledger *ledger)
{
    const ws_ledger_sum all = ws_ledger_sum_of(ledger, WS_LEDGER_ALL);
    fprintf(stderr, "warpscape verify: %zu of %zu quantities within their bands", all.within, all.judged);
    return all.judged - all.within;
}

ws_ledger_sum ws_ledger_tell_errors(const ws_ledger *ledger, unsigned kind, const char *what)
{
    const ws_ledger_sum sum = ws_ledger_sum_of(ledger, kind);
    if (sum.rows)
        fprintf(stderr, "; median error of %s %.1f %%, at most %.1f %%", what, 100 * sum.median, 100 * sum.most);
    return sum;
}
