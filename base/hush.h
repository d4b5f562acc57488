/* hush.h - writes beyond a limit on the size of files (ulimit -f) that fail, and end nobody. */
#ifndef WS_HUSH_H
#define WS_HUSH_H

#include <signal.h>
#include <stdbool.h>

/* Between the two, a write of this thread beyond a limit on the size of files fails, and raises no signal. Nests. */
typedef struct ws_hush {
    sigset_t mask;
    bool pending; /* the signal was there before */
} ws_hush;
ws_hush ws_hush_begin(void);
void ws_hush_end(const ws_hush *hush);

#endif
