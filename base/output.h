/* output.h - atomic output files: written to a temporary file, renamed into place at the end.
 *
 *     ws_output out;
 *     int rc = ws_output_open(&out, path);
 *     if (rc == WS_OK) {
 *         rc = write_things(out.stream);
 *         rc = ws_output_close(&out, rc);
 *     }
 *
 * The temporary file is NAME.PID-N.tmp in the same folder, locked with flock. The next process that opens NAME removes
 * temporary files of killed processes. */
#ifndef WS_OUTPUT_H
#define WS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct ws_output {
    FILE *stream;    /* stream to write to */
    char *path;      /* final path; NULL for stdout */
    char *temporary; /* path until the rename; NULL without one (stdout, a device, a pipe) */
} ws_output;

/* Opens path for writing, "-" or "/dev/stdout" for stdout. Returns WS_EIO with the reason, or WS_EMEM. */
int ws_output_open(ws_output *output, const char *path);

/* Checks an output path before long work. Returns WS_OK if the path can be opened for writing, else WS_EIO with the
 * reason. Changes nothing. */
int ws_output_check(const char *path);

/* Puts the data written so far in place; later writes are then not rolled back. For output that is useful even if its
 * process is killed. Returns WS_OK or WS_EIO. */
int ws_output_place(ws_output *output);

/* With rc == WS_OK: flushes, checks and puts the file in place; returns WS_EIO and leaves path unchanged on failure.
 * With any other rc: discards the written data and returns rc with its message. stdout is flushed, never closed. */
int ws_output_close(ws_output *output, int rc);

/* Returns whether output is private to the user: the environment variable WARPSCAPE_PRIVATE is neither empty nor 0. The
 * option --private sets it, so that child processes, and the recorder within them, inherit it. Files are then created
 * with mode 0600 and folders with 0700. The mode of an existing file is restricted before anything is written to it. */
bool ws_output_is_private(void);

/* Prepares a file that other code opens. In private mode, creates it empty, or restricts the mode of an existing file.
 * Returns WS_OK or WS_EIO. */
int ws_output_prepare(const char *path);

/* Creates a folder as mkdir, with the mode of ws_output_is_private. Returns 0 also for an existing folder. */
int ws_output_make_folder(const char *path);

/* Removes unfinished temporary files. Only for a process that is about to end; may be called from a signal handler. */
void ws_output_abandon(void);

#endif
