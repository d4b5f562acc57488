/* frame_print.c - see frame_print.h. */
#include "base/frame_print.h"

#include "base/status.h"

#include <math.h>

const char *const ws_frame_format_words[WS_FORMATS + 1] = {
#define FORMAT(word, meaning) #word,
#include "base/frame_formats.def"
#undef FORMAT
    NULL,
};

static int (*const printers[WS_FORMATS])(const ws_frame *frame, bool definitions, FILE *out) = {
#define FORMAT(word, meaning) ws_frame_print_##word,
#include "base/frame_formats.def"
#undef FORMAT
};

int ws_frame_print(const ws_frame *frame, ws_frame_format format, bool definitions, FILE *out)
{
    return printers[format](frame, definitions, out);
}

int ws_frame_print_csv(const ws_frame *frame, bool definitions, FILE *out)
{
    return definitions ? ws_frame_write(frame, out) : ws_frame_write_short(frame, out);
}

void ws_frame_cell(double value, char text[WS_CELL_BYTES])
{
    static const double longest_whole = 1e9;
    if (isnan(value))
        snprintf(text, WS_CELL_BYTES, "NA");
    else if (isinf(value))
        snprintf(text, WS_CELL_BYTES, value > 0 ? "Inf" : "-Inf");
    else if (value == floor(value) && fabs(value) < longest_whole)
        snprintf(text, WS_CELL_BYTES, "%.0f", value);
    else
        snprintf(text, WS_CELL_BYTES, "%.4g", value);
}
