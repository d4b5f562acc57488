/* hush.h - failed writes instead of SIGXFSZ beyond the file size limit (ulimit -f). */
#ifndef WS_HUSH_H
#define WS_HUSH_H

#include <signal.h>
#include <stdbool.h>

/* Between ws_hush_begin and ws_hush_end, a write of this thread beyond the file size limit fails without raising a
 * signal. Calls may nest. */
typedef struct ws_hush {
    sigset_t mask;
    bool pending; /* the signal was already pending */
} ws_hush;
ws_hush ws_hush_begin(void);
void ws_hush_end(const ws_hush *hush);

#endif
