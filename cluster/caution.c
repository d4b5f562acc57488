/* caution.c - do clusters have a shape, and does one of them swallow the rest? */
#include "cluster/caution.h"

#include "base/status.h"
#include "cluster/quality.h"

#include <math.h>
#include <string.h>

static const double NO_STRUCTURE = 0.25;

int ws_caution_crowd(ws_frame *frame, const double *weight, size_t k, size_t rows, const char *what)
{
    double most = 0;
    for (size_t c = 0; c < k; c++)
        most = fmax(most, weight[c]);
    if (k < 2 || 2 * most <= (double)rows || 2 * most * (double)k < 3 * (double)rows)
        return WS_OK;
    return ws_frame_note(
        frame, "caution: of %zu %s one stands for %.3g of %zu rows; means weighted by that are nearly its own", k, what,
        most, rows);
}

int ws_caution_shape(ws_frame *frame, const ws_frame *points, const size_t *cluster, size_t k, const char *what)
{
    double silhouette;
    if (k < 2 || k >= points->rows)
        return WS_OK;
    const int rc = ws_silhouette(points->value, points->rows, points->columns, cluster, k, NULL, &silhouette);
    if (rc != WS_OK || !(silhouette < NO_STRUCTURE))
        return rc;
    return ws_frame_note(frame,
                         "caution: %zu %s have a silhouette of %.2f, below %g: rows do not fall into groups, and who "
                         "stands for them is a sample, not their kinds",
                         k, what, silhouette, NO_STRUCTURE);
}

const char *ws_caution_next(const ws_frame *frame, size_t *at)
{
    static const char caution[] = "caution: ";
    while (*at < frame->notes) {
        const char *const note = frame->note[(*at)++];
        if (strncmp(note, caution, sizeof caution - 1) == 0)
            return note + sizeof caution - 1;
    }
    return NULL;
}

int ws_caution_copy(const ws_frame *from, ws_frame *to)
{
    int rc = WS_OK;
    const char *caution;
    for (size_t at = 0; rc == WS_OK && (caution = ws_caution_next(from, &at));)
        rc = ws_frame_note(to, "caution: %s", caution);
    return rc;
}
