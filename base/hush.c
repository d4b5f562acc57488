/* hush.c - how does a limit on the size of files (ulimit -f) become an error, and not the end of the program?
 *
 * A write that goes beyond it raises SIGXFSZ in the thread that writes, which ends a process that neither ignores nor
 * handles it; the program whose launches are recorded knows nothing of our files. With the signal blocked the write
 * fails with EFBIG, and the signal waits until it is taken back. */
#include "base/hush.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static bool is_pending(void)
{
    sigset_t pending;
    return !sigpending(&pending) && sigismember(&pending, SIGXFSZ) == 1;
}

ws_hush ws_hush_begin(void)
{
    ws_hush h = {0};
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &only, &h.mask);
    h.pending = is_pending(); /* somebody else's, who has blocked it, too */
    return h;
}

void ws_hush_end(const ws_hush *h)
{
    const int error = errno;
    const struct timespec now = {0};
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGXFSZ);
    while (!h->pending && sigtimedwait(&only, NULL, &now) < 0 && errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &h->mask, NULL);
    errno = error;
}
