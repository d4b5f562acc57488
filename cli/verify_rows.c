/* verify_rows.c - comparisons as a frame: see verify.h. */
#include "cli/verify.h"

#include "base/status.h"
#include "cli/cli.h"

#include <string.h>

int ws_verify_frame(size_t rows, const char *const labels[WS_VERIFY_LABELS], int argc, char **argv, ws_frame **out)
{
    static const char *const columns[][2] = {
        {"predicted", ""}, {"simulated", ""}, {"error", "ratio"}, {"band", "ratio"}, {"within", ""}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    ws_frame *const frame = *out = ws_frame_create(rows, COLUMNS, WS_VERIFY_LABELS, labels);
    int status = frame ? ws_cli_sign(frame, argc, argv) : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < COLUMNS && !status; i++)
        status = ws_frame_set_column(frame, i, columns[i][0], columns[i][1], "");
    return status;
}

int ws_verify_set_row(ws_frame *frame, size_t row, const ws_verify_row *r)
{
    const double value[] = {r->predicted, r->simulated, r->error, r->band, r->within};
    int status = WS_OK;
    for (size_t i = 0; i < WS_VERIFY_LABELS && !status; i++)
        status = ws_frame_set_label(frame, row, i, r->label[i]);
    memcpy(frame->value + row * frame->columns, value, sizeof value);
    return status;
}
