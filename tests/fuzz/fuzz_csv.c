/* fuzz_csv.c - can any bytes break the frame reader, and does whatever it accepts survive a round trip? */
#include "base/frame.h"
#include "base/status.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *write_frame(const ws_frame *frame, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out || ws_frame_write(frame, out) != WS_OK || fclose(out) != 0)
        abort();
    return text;
}

static int read_frame(const void *data, size_t size, ws_frame **frame)
{
    static const char nothing[1] = "";
    FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fmemopen((void *)(uintptr_t)nothing, 1, "r");
    if (!in)
        abort();
    if (!size)
        (void)fgetc(in);
    const int rc = ws_frame_read(in, "fuzz", frame);
    fclose(in);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_frame *frame = NULL, *back = NULL;
    if (read_frame(data, size, &frame) != WS_OK) {
        if (frame || !*ws_message())
            abort();
        return 0;
    }
    size_t first_size, second_size;
    char *first = write_frame(frame, &first_size);
    if (read_frame(first, first_size, &back) != WS_OK)
        abort();
    char *second = write_frame(back, &second_size);
    if (first_size != second_size || memcmp(first, second, first_size) != 0)
        abort();
    free(first);
    free(second);
    ws_frame_destroy(frame);
    ws_frame_destroy(back);
    return 0;
}
