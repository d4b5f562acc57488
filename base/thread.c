/* thread.c - how large is a thread's stack? By default as the limit on stacks says, which may be a few kilobytes. */
#include "base/thread.h"

#include <unistd.h>

enum { LEAST_BYTES = 1 << 20 };

int ws_thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    pthread_attr_t how;
    size_t bytes;
    int error = pthread_attr_init(&how);
    if (error)
        return error;
    if (!pthread_attr_getstacksize(&how, &bytes) && bytes < LEAST_BYTES)
        pthread_attr_setstacksize(&how, LEAST_BYTES);
    error = pthread_create(thread, &how, run, argument);
    pthread_attr_destroy(&how);
    return error;
}

unsigned ws_processors(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}
