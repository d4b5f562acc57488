/* output.h - a file that appears whole or not at all: written beside its place, renamed into it at the end.
 *
 *     ws_output out;
 *     int rc = ws_output_open(&out, path);
 *     if (rc == WS_OK) {
 *         rc = write_things(out.stream);
 *         rc = ws_output_close(&out, rc);
 *     }
 */
#ifndef WS_OUTPUT_H
#define WS_OUTPUT_H

#include <stdio.h>

typedef struct ws_output {
    FILE *stream; /* write here */
    char *path;   /* where the file will stand; NULL for stdout */
    char *
        temporary; /* where it is written until then; NULL when there is nothing to rename (stdout, a device, a pipe) */
} ws_output;

/* Opens path for writing, "-" for stdout. WS_EIO with the reason, WS_EMEM. */
int ws_output_open(ws_output *output, const char *path);

/* With rc == WS_OK: flushes, checks and puts the file in place; WS_EIO and no change at path when that fails. With any
 * other rc: throws away what was written and returns rc, its message untouched. stdout is flushed, never closed. */
int ws_output_close(ws_output *output, int rc);

#endif
