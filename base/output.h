/* output.h - a file that appears whole or not at all: written beside its place, renamed into it at the end.
 *
 *     ws_output out;
 *     int rc = ws_output_open(&out, path);
 *     if (rc == WS_OK) {
 *         rc = write_things(out.stream);
 *         rc = ws_output_close(&out, rc);
 *     }
 *
 * Beside its place it is NAME.PID-N.tmp, locked (flock). What a killed process leaves there the next one that opens
 * NAME removes. */
#ifndef WS_OUTPUT_H
#define WS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct ws_output {
    FILE *stream; /* write here */
    char *path;   /* where the file will stand; NULL for stdout */
    char *
        temporary; /* where it is written until then; NULL when there is nothing to rename (stdout, a device, a pipe) */
} ws_output;

/* Opens path for writing, "-" or "/dev/stdout" for stdout. WS_EIO with the reason, WS_EMEM. */
int ws_output_open(ws_output *output, const char *path);

/* For what is written at the end of long work. Returns WS_OK if the path can be opened for writing, else WS_EIO with
 * the reason. Changes nothing. */
int ws_output_check(const char *path);

/* Puts what was written so far in place; more may follow, which is then not taken back. For what is of use when its
 * process is killed. WS_EIO. */
int ws_output_place(ws_output *output);

/* With rc == WS_OK: flushes, checks and puts the file in place; WS_EIO and no change at path when that fails. With any
 * other rc: throws away what was written and returns rc, its message untouched. stdout is flushed, never closed. */
int ws_output_close(ws_output *output, int rc);

/* Whether what is written is for the user alone: WARPSCAPE_PRIVATE in the environment is neither empty nor 0. It is
 * there that --private puts it, so that the programs that a command starts, and the recorder within them, do the same.
 * Files are made with mode 0600 then and folders with 0700, from their first moment on; a file that is there already is
 * tightened before anything is written to it. */
bool ws_output_is_private(void);

/* For a file that something else opens: with privacy asked for, makes it, empty, when it is not there, and else
 * tightens it. WS_EIO. */
int ws_output_prepare(const char *path);

/* As mkdir, with the mode that is asked for; 0 for a folder that is there already. */
int ws_output_make_folder(const char *path);

/* Removes what is being written and not in its place yet. Only for a process that ends now; a signal handler may call
 * it. */
void ws_output_abandon(void);

#endif
