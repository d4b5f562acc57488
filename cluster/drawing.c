/* drawing.c - see drawing.h. */
#include "cluster/drawing.h"

#include "base/status.h"

#include <gsl/gsl_randist.h>
#include <math.h>

int ws_draw_sizes(const ws_frame *outcomes, const char *name, double *size)
{
    const size_t rows = outcomes->rows, columns = outcomes->columns;
    size_t used = 0;
    int rc = ws_frame_require_finite(outcomes, name);
    for (size_t i = 0; i < rows; i++)
        size[i] = 0;
    for (size_t j = 0; rc == WS_OK && j < columns; j++) {
        double mean = 0; /* of value / rows: no overflow */
        for (size_t i = 0; i < rows; i++)
            mean += fabs(outcomes->value[i * columns + j]) / (double)rows;
        used += mean > 0;
        for (size_t i = 0; mean > 0 && i < rows; i++)
            size[i] += fabs(outcomes->value[i * columns + j]) / mean;
    }
    if (rc == WS_OK && !used)
        rc = ws_fail(WS_EINPUT, "%s: expected outcomes above 0 to draw members by, found %s", name,
                     columns ? "only zeros" : "no column");
    for (size_t i = 0; rc == WS_OK && i < rows; i++)
        size[i] = fmax(size[i] / (double)used, WS_DRAW_LEAST);
    return rc;
}

int ws_draw_chances(const double *size, size_t rows, size_t n, const bool *required, const bool *excluded,
                    double *chance)
{
    size_t certain = 0, open = 0;
    for (size_t i = 0; i < rows; i++) {
        chance[i] = required && required[i] ? 1 : 0;
        certain += chance[i] == 1;
        open += chance[i] == 0 && size[i] > 0 && !(excluded && excluded[i]);
    }
    if (n < certain || n > certain + open)
        return ws_fail(WS_EINPUT,
                       "expected between %zu members (those required) and %zu (all rows that can be drawn), found %zu",
                       certain, certain + open, n);
    for (bool again = true; again && n > certain;) {
        double total = 0;
        again = false;
        for (size_t i = 0; i < rows; i++)
            total += chance[i] < 1 && !(excluded && excluded[i]) ? size[i] : 0;
        const double each = (double)(n - certain) / total;
        for (size_t i = 0; i < rows; i++) {
            if (chance[i] == 1 || (excluded && excluded[i]))
                continue;
            chance[i] = size[i] * each;
            if (chance[i] >= 1 && n > certain) {
                chance[i] = 1;
                certain++;
                again = true;
            }
        }
    }
    return WS_OK;
}

size_t ws_draw_members(gsl_rng *rng, const double *chance, size_t rows, size_t *order, size_t *member)
{
    size_t open = 0, n = 0;
    double sum = 0;
    for (size_t i = 0; i < rows; i++)
        if (chance[i] > 0 && chance[i] < 1) {
            order[open++] = i;
            sum += chance[i];
        }
    const double whole = nearbyint(sum), start = gsl_rng_uniform(rng);
    if (open)
        gsl_ran_shuffle(rng, order, open, sizeof *order);
    /* Places on a line of length `whole`: a row is drawn where one of start, start + 1 ... falls on it. */
    double end = 0;
    size_t taken = 0;
    for (size_t i = 0; i < open; i++) {
        end += chance[order[i]] * whole / sum;
        const bool last = i + 1 == open; /* rounding must not lose the last one */
        if ((double)taken < whole && (end > start + (double)taken || (last && (double)taken + 1 == whole)))
            order[taken++] = order[i];
    }
    for (size_t i = 0; i < rows; i++) {
        bool in = chance[i] >= 1;
        for (size_t at = 0; !in && at < taken; at++)
            in = order[at] == i;
        if (in)
            member[n++] = i;
    }
    return n;
}
