/* note.h - a line for who started this process with WARPSCAPE_NOTES=FILE: what was met that the end of the run depends on.
 *
 * "library NAME": one of machine code is in a process; "failed": kernels were asked for that are machine code only; "missing
 * NAME": a version of the CUDA runtime or driver was to be opened that is not there. */
#ifndef WS_NOTE_H
#define WS_NOTE_H

#define WS_NOTE_VARIABLE "WARPSCAPE_NOTES"
#define WS_NOTE_LIBRARY  "library "
#define WS_NOTE_FAILED   "failed"
#define WS_NOTE_MISSING  "missing "

/* Adds a line to the file; nothing where path is NULL or cannot be written. Leans on system calls only. */
void ws_note(const char *path, const char *line);

#endif
