/* ledger.c - rows of comparisons, and sums over them: see ledger.h. */
#include "model/mechanism/ledger.h"

#include "base/grow.h"
#include "base/status.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_frame_column columns[] = {{"load", "ratio"},  {"predicted", ""}, {"simulated", ""},
                                          {"error", "ratio"}, {"band", "ratio"}, {"within", ""}};
enum { LOAD, PREDICTED, SIMULATED, ERROR, BAND, WITHIN, COLUMNS };

int ws_ledger_init(ws_ledger *ledger, const char *const labels[WS_LEDGER_LABELS], bool load)
{
    ws_frame_layout layout = {.column = columns + !load, .columns = COLUMNS - !load};
    memcpy(layout.labels, labels, WS_LEDGER_LABELS * sizeof *labels);
    *ledger = (ws_ledger){0};
    return ws_frame_begin(&layout, &ledger->frame);
}

void ws_ledger_fini(ws_ledger *ledger)
{
    ws_frame_destroy(ledger->frame);
    free(ledger->kind);
    free(ledger->error);
    *ledger = (ws_ledger){0};
}

static double within_of(const ws_comparison *row)
{
    if (row->verdict != WS_BY_BAND)
        return row->verdict == WS_WITHIN;
    return isnan(row->band) ? NAN : row->error <= row->band;
}

int ws_ledger_add(ws_ledger *ledger, const ws_comparison *row)
{
    ws_frame *const f = ledger->frame;
    const double value[COLUMNS] = {[LOAD] = row->load,   [PREDICTED] = row->predicted, [SIMULATED] = row->simulated,
                                   [ERROR] = row->error, [BAND] = row->band,           [WITHIN] = within_of(row)};
    if (WS_GROW(ledger->kind, ledger->room, f->rows, 1) || WS_GROW(ledger->error, ledger->error_room, f->rows, 1))
        return ws_fail(WS_EMEM, "no memory for a comparison");
    ledger->kind[f->rows] = (unsigned char)row->kind;
    return ws_frame_add_row(f, row->label, value + (COLUMNS - f->columns));
}

double ws_relative_error(double predicted, double simulated)
{
    return predicted == simulated ? 0 : fabs(predicted - simulated) / fabs(simulated);
}

static double value_at(const ws_ledger *ledger, size_t row, int column)
{
    const ws_frame *const f = ledger->frame;
    return f->value[(row + 1) * f->columns + (size_t)column - COLUMNS];
}

ws_ledger_sum ws_ledger_sum_of(const ws_ledger *ledger, unsigned kind)
{
    ws_ledger_sum sum = {0};
    for (size_t i = 0; i < ledger->frame->rows; i++) {
        if (kind != WS_LEDGER_ALL && ledger->kind[i] != kind)
            continue;
        const double within = value_at(ledger, i, WITHIN);
        sum.judged += !isnan(within);
        sum.within += within == 1;
        ledger->error[sum.rows++] = value_at(ledger, i, ERROR);
    }
    if (!sum.rows)
        return sum;
    gsl_sort(ledger->error, 1, sum.rows);
    sum.median = gsl_stats_median_from_sorted_data(ledger->error, 1, sum.rows);
    sum.most = ledger->error[sum.rows - 1];
    return sum;
}

int ws_ledger_refuse(size_t beyond)
{
    return beyond ? ws_fail(WS_EVERIFY, "%zu quantities are beyond their bands", beyond) : WS_OK;
}
