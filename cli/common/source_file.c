/* source_file.c - see source_file.h. The fingerprint is XXH3 of the bytes. */
#include "cli/common/source_file.h"

#include "base/read_all.h"
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_BYTES = 64 << 20 };

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
    FILE *const in = fopen(path, "rb");
    size_t length = 0;
    if (!in)
        return ws_fail(errno == ENOENT || errno == ENOTDIR ? WS_ENOTFOUND : WS_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    int status = ws_read_all(in, path, MOST_BYTES, &out->text, &length);
    fclose(in);
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
