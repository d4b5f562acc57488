/* note.h - notes from a recorded process to the program that started it with WARPSCAPE_NOTES=FILE.
 *
 * A note is one line on an event that affects how the run ends. "finding TEXT": a check of kernels found a defect
 * (docs/checks.md); "library NAME": the process has loaded a library of machine code; "failed": the process requested
 * kernels that exist only as machine code; "missing NAME": the process tried to open a version of the CUDA runtime or
 * driver that is not installed. */
#ifndef WS_NOTE_H
#define WS_NOTE_H

#define WS_NOTE_VARIABLE "WARPSCAPE_NOTES"
#define WS_NOTE_LIBRARY  "library "
#define WS_NOTE_FAILED   "failed"
#define WS_NOTE_MISSING  "missing "

enum { WS_NOTE_BYTES = 4096 }; /* most bytes of a line, with its line feed; longer lines are cut */

/* Appends a line to the file. Does nothing if path is NULL or the file cannot be written. Uses only system calls. */
void ws_note(const char *path, const char *line);

#endif
