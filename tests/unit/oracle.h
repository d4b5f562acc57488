/* oracle.h - numbers of another program, made by tests/oracle/make_statistics.R: lines of what, i, j, value. */
#ifndef WS_TEST_ORACLE_H
#define WS_TEST_ORACLE_H

#include "base/frame.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const oracle_sets[] = {"mixed", "ties", "line", "wide", "states"};

enum { ORACLE_SETS = sizeof oracle_sets / sizeof oracle_sets[0] };

static ws_frame *oracle_load(const char *set, const char *suffix)
{
    char path[128];
    ws_frame *frame = NULL;
    snprintf(path, sizeof path, "tests/oracle/statistics_%s%s.csv", set, suffix);
    if (ws_frame_load(path, &frame) != WS_OK)
        fail_msg("%s", ws_message());
    return frame;
}

static inline void oracle_scale(ws_frame *f)
{
    for (size_t c = 0; c < f->columns; c++) {
        double mean = 0, squares = 0;
        for (size_t i = 0; i < f->rows; i++)
            mean += f->value[i * f->columns + c] / (double)f->rows;
        for (size_t i = 0; i < f->rows; i++)
            squares += pow(f->value[i * f->columns + c] - mean, 2);
        for (size_t i = 0; i < f->rows; i++)
            f->value[i * f->columns + c] =
                (f->value[i * f->columns + c] - mean) / sqrt(squares / (double)(f->rows - 1));
    }
}

/* The oracle scaled the varying columns of "mixed"; its constant one is the eleventh. */
static inline ws_frame *oracle_points(const char *set)
{
    ws_frame *all = oracle_load(set, "");
    if (strcmp(set, "mixed"))
        return all;
    size_t column[12], n = 0;
    for (size_t c = 0; c < all->columns; c++)
        if (c != 10)
            column[n++] = c;
    ws_frame *f = NULL;
    assert_int_equal(ws_frame_pick_columns(all, column, n, &f), WS_OK);
    ws_frame_destroy(all);
    oracle_scale(f);
    return f;
}

static int oracle_knows(const ws_frame *oracle, const char *what)
{
    for (size_t row = 0; row < oracle->rows; row++)
        if (strcmp(oracle->label[row], what) == 0)
            return 1;
    return 0;
}

/* Calls see(context, i, j, value) for each line of `what`, i and j from 0; there must be some. */
__attribute__((unused)) static void oracle_each(const ws_frame *oracle, const char *what,
                                                void (*see)(void *, size_t, size_t, double), void *context)
{
    if (!oracle_knows(oracle, what))
        fail_msg("the oracle does not know '%s'", what);
    for (size_t row = 0; row < oracle->rows; row++) {
        const double *const v = oracle->value + 3 * row;
        if (strcmp(oracle->label[row], what) != 0)
            continue;
        see(context, v[0] > 0 ? (size_t)v[0] - 1 : 0, v[1] > 0 ? (size_t)v[1] - 1 : 0, v[2]);
    }
}

/* Equal to one part in 10^9 of the larger one, or of `scale` when that is larger still. */
static void assert_near(double mine, double other, double scale, const char *what, size_t i)
{
    const double allowed = 1e-9 * fmax(scale, fmax(fabs(mine), fabs(other)));
    if (!(fabs(mine - other) <= allowed))
        fail_msg("%s %zu: %.17g, the oracle says %.17g", what, i, mine, other);
}

#endif
