/* clock.h - elapsed time and processor time. */
#ifndef WS_CLOCK_H
#define WS_CLOCK_H

#include <time.h>

/* Returns the present time of a monotonic clock. */
static inline struct timespec ws_clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now;
}

static inline double ws_clock_seconds_since(const struct timespec *begin)
{
    const struct timespec now = ws_clock_now();
    return (double)(now.tv_sec - begin->tv_sec) + 1e-9 * (double)(now.tv_nsec - begin->tv_nsec);
}

/* Returns the processor time of the calling thread, in seconds. Time of other threads and processes does not count. */
static inline double ws_clock_thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
