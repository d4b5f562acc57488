/* note.h - a line for who started this process with WARPSCAPE_NOTES=FILE: what was met that the end of the run depends
 * on.
 *
 * "finding TEXT": a check of what kernels do found that (docs/checks.md); "library NAME": one of machine code is in a
 * process; "failed": kernels were asked for that are machine code only; "missing NAME": a version of the CUDA runtime
 * or driver was to be opened that is not there. */
#ifndef WS_NOTE_H
#define WS_NOTE_H

#define WS_NOTE_VARIABLE "WARPSCAPE_NOTES"
#define WS_NOTE_LIBRARY  "library "
#define WS_NOTE_FAILED   "failed"
#define WS_NOTE_MISSING  "missing "

enum { WS_NOTE_BYTES = 4096 }; /* of a line, with its end; the rest is cut */

/* Adds a line to the file; nothing where path is NULL or cannot be written. Leans on system calls only. */
void ws_note(const char *path, const char *line);

#endif
