/* progress.h - progress line with percent and time left. */
#ifndef WS_PROGRESS_H
#define WS_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* Line on stderr with activity, percent and time left; silent when stderr is not a terminal. */
typedef struct ws_progress {
    FILE *out; /* NULL: silent */
    struct timespec begin, shown;
    bool drawn;
} ws_progress;

void ws_progress_begin(ws_progress *progress);
/* Shows progress; done is 0..1 of the whole. Draws at most ten times a second, so it may be called often. */
void ws_progress_show(ws_progress *progress, const char *what, double done);
/* Shows the caller's text in the line, for work of unknown length. */
void ws_progress_say(ws_progress *progress, const char *text);
/* Clears the line; also called before other output to stderr. */
void ws_progress_end(ws_progress *progress);

#endif
