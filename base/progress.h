/* progress.h - how far is it, and how long will it take? */
#ifndef WS_PROGRESS_H
#define WS_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* A line on stderr with what runs, percent and time left; nothing when stderr is no terminal. */
typedef struct ws_progress {
    FILE *out; /* NULL: silent */
    struct timespec begin, shown;
    bool drawn;
} ws_progress;

void ws_progress_begin(ws_progress *progress);
/* done in 0..1 of the whole; draws at most ten times a second, so it may be called often. */
void ws_progress_show(ws_progress *progress, const char *what, double done);
/* The same line with a text of the caller's, where nobody knows the whole. */
void ws_progress_say(ws_progress *progress, const char *text);
/* Wipes the line; also before printing something else to stderr. */
void ws_progress_end(ws_progress *progress);

#endif
