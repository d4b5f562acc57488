/* library_frame.c - frames for programs that link with the library. */
#include "library/library_internal.h"

#include <math.h>

/* Codes are promised: they are those of status.def. */
#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
SAME(WARPSCAPE_INPUT, WS_EINPUT);
SAME(WARPSCAPE_MEMORY, WS_EMEM);
SAME(WARPSCAPE_IO, WS_EIO);
SAME(WARPSCAPE_UNSUPPORTED, WS_EUNSUPPORTED);
SAME(WARPSCAPE_FAULT, WS_EFAULT);
SAME(WARPSCAPE_LIMIT, WS_ELIMIT);
SAME(WARPSCAPE_INTERRUPTED, WS_EINTERRUPTED);
SAME(WARPSCAPE_NOT_FOUND, WS_ENOTFOUND);
SAME(WARPSCAPE_BUSY, WS_EBUSY);
SAME(WARPSCAPE_VERSION_ERROR, WS_EVERSION);
SAME(WARPSCAPE_WRONG, WS_EVERIFY);
SAME(WARPSCAPE_NUMERIC, WS_ENUMERIC);
_Static_assert(WS_STATUS_COUNT == 13, "a new code wants a name in warpscape.h");

const char *warpscape_version(void)
{
    return WS_VERSION;
}

const char *warpscape_message(void)
{
    return ws_message();
}

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for a frame");
}

int warpscape_frame_read(const char *path, warpscape_frame **out)
{
    ws_frame *frame = NULL;
    const int status = ws_frame_load(path, &frame);
    *out = status == WS_OK ? library_frame_as(frame) : NULL;
    return status;
}

int warpscape_frame_write(const warpscape_frame *frame, const char *path)
{
    return ws_frame_save(library_frame_of(frame), path);
}

int warpscape_frame_create(size_t rows, size_t columns, const char *label_name, warpscape_frame **out)
{
    *out = library_frame_as(ws_frame_create(rows, columns, 1, &label_name));
    return *out ? WS_OK : no_memory();
}

int warpscape_frame_set_label(warpscape_frame *frame, size_t row, size_t label, const char *text)
{
    ws_frame *const f = (ws_frame *)frame;
    if (row >= f->rows || label >= f->labels)
        return ws_fail(WS_EINPUT, "the frame has %zu rows and %zu labels; there is no label %zu of row %zu", f->rows,
                       f->labels, label, row);
    return ws_frame_set_label(f, row, label, text) == WS_OK ? WS_OK : no_memory();
}

static int refuse_column(const ws_frame *f, size_t column)
{
    return ws_fail(WS_EINPUT, "the frame has %zu columns; there is no column %zu", f->columns, column);
}

int warpscape_frame_set_column(warpscape_frame *frame, size_t column, const char *name, const char *unit,
                               const char *group)
{
    ws_frame *const f = (ws_frame *)frame;
    if (column >= f->columns)
        return refuse_column(f, column);
    const long other = ws_frame_find_column(f, name);
    if (other >= 0 && (size_t)other != column)
        return ws_fail(WS_EINPUT, "column %ld is called '%s' already", other, name);
    return ws_frame_set_column(f, column, name, unit ? unit : "", group ? group : "") == WS_OK ? WS_OK : no_memory();
}

int warpscape_frame_set_value(warpscape_frame *frame, size_t row, size_t column, double value)
{
    ws_frame *const f = (ws_frame *)frame;
    if (column >= f->columns)
        return refuse_column(f, column);
    if (row >= f->rows)
        return ws_fail(WS_EINPUT, "the frame has %zu rows; there is no row %zu", f->rows, row);
    f->value[row * f->columns + column] = value;
    return WS_OK;
}

void warpscape_frame_free(warpscape_frame *frame)
{
    if (frame)
        ws_frame_destroy((ws_frame *)frame);
}

size_t warpscape_frame_rows(const warpscape_frame *frame)
{
    return library_frame_of(frame)->rows;
}

size_t warpscape_frame_columns(const warpscape_frame *frame)
{
    return library_frame_of(frame)->columns;
}

size_t warpscape_frame_labels(const warpscape_frame *frame)
{
    return library_frame_of(frame)->labels;
}

const char *warpscape_frame_label_name(const warpscape_frame *frame, size_t label)
{
    const ws_frame *const f = library_frame_of(frame);
    return label < f->labels ? f->label_names[label] : NULL;
}

const char *warpscape_frame_label(const warpscape_frame *frame, size_t row, size_t label)
{
    const ws_frame *const f = library_frame_of(frame);
    return row < f->rows && label < f->labels ? f->label[row * f->labels + label] : NULL;
}

const char *warpscape_frame_column_name(const warpscape_frame *frame, size_t column)
{
    const ws_frame *const f = library_frame_of(frame);
    return column < f->columns ? f->column[column].name : NULL;
}

const char *warpscape_frame_unit(const warpscape_frame *frame, size_t column)
{
    const ws_frame *const f = library_frame_of(frame);
    return column < f->columns ? f->column[column].unit : NULL;
}

const char *warpscape_frame_group(const warpscape_frame *frame, size_t column)
{
    const ws_frame *const f = library_frame_of(frame);
    return column < f->columns ? f->column[column].group : NULL;
}

double warpscape_frame_value(const warpscape_frame *frame, size_t row, size_t column)
{
    const ws_frame *const f = library_frame_of(frame);
    return row < f->rows && column < f->columns ? f->value[row * f->columns + column] : NAN;
}

long warpscape_frame_find(const warpscape_frame *frame, const char *name)
{
    return ws_frame_find_column(library_frame_of(frame), name);
}
