/* source_file.c - see source_file.h. The fingerprint is XXH3 of the bytes. */
#include "cli/common/source_file.h"

#include "base/input.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static int split(ws_source_file *f, size_t length)
{
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += f->text[i] == '\n';
    f->line = calloc(lines + 2, sizeof *f->line);
    if (!f->line)
        return ws_fail(WS_EMEM, "no memory for a source file");
    char *rest = f->text;
    while (*rest) {
        char *const end = rest + strcspn(rest, "\n");
        f->line[f->lines++] = rest;
        rest = *end ? end + 1 : end;
        *end = '\0';
        if (end > f->line[f->lines - 1] && end[-1] == '\r')
            end[-1] = '\0';
    }
    return WS_OK;
}

int ws_source_file_load(const char *path, ws_source_file *out)
{
    *out = (ws_source_file){0};
    static const ws_input source = {.what = "a source file", .most_bytes = 64 << 20, .source = WS_INPUT_FILES, .is_found = true};
    size_t length;
    int status = ws_input_read(path, &source, &out->text, &length);
    if (!status) {
        out->fingerprint = XXH3_64bits(out->text, length);
        status = split(out, length);
    }
    if (status)
        ws_source_file_fini(out);
    return status;
}

void ws_source_file_fini(ws_source_file *f)
{
    free(f->line);
    free(f->text);
    *f = (ws_source_file){0};
}
