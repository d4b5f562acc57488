/* frame_rows.c - frames that grow row by row. */
#include "base/frame.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 16 };

int ws_frame_begin(const ws_frame_layout *layout, ws_frame **out)
{
    size_t labels = 0;
    while (layout->labels[labels])
        labels++;
    ws_frame *frame = ws_frame_create(0, layout->columns, labels, layout->labels);
    int status = frame ? WS_OK : ws_fail(WS_EMEM, "no memory for a frame");
    for (size_t i = 0; i < layout->columns && !status; i++)
        status = ws_frame_set_column(frame, i, layout->column[i].name, layout->column[i].unit, layout->group);
    if (status) {
        ws_frame_destroy(frame);
        frame = NULL;
    }
    *out = frame;
    return status;
}

static int make_room(ws_frame *f)
{
    if (f->rows < f->row_room)
        return WS_OK;
    const size_t rows = f->rows ? f->rows : FIRST_ROWS / 2;
    size_t cells, values;
    if (__builtin_mul_overflow(rows, 2 * f->labels, &cells) || __builtin_mul_overflow(rows, 2 * f->columns, &values))
        return ws_fail(WS_EMEM, "no memory for a row");
    char **const label = reallocarray(f->label, cells, sizeof *label);
    if (!label)
        return ws_fail(WS_EMEM, "no memory for a row");
    f->label = label;
    double *const value = reallocarray(f->value, values ? values : 1, sizeof *value);
    if (!value)
        return ws_fail(WS_EMEM, "no memory for a row");
    f->value = value;
    f->row_room = 2 * rows;
    return WS_OK;
}

int ws_frame_add_row(ws_frame *frame, const char *const *label, const double *value)
{
    const int status = make_room(frame);
    if (status)
        return status;
    char **const to = frame->label + frame->rows * frame->labels;
    for (size_t i = 0; i < frame->labels; i++) {
        to[i] = strdup(label[i]);
        if (to[i])
            continue;
        while (i-- > 0)
            free(to[i]);
        return ws_fail(WS_EMEM, "no memory for a name");
    }
    if (frame->columns)
        memcpy(frame->value + frame->rows * frame->columns, value, frame->columns * sizeof *value);
    frame->rows++;
    return WS_OK;
}

int ws_frame_add_notes(ws_frame *frame, const ws_frame *from)
{
    int status = WS_OK;
    for (size_t i = 0; from && i < from->notes && !status; i++)
        status = ws_frame_note(frame, "%s", from->note[i]);
    return status;
}
