/* thread.h - threads with a sufficient stack, regardless of the stack limit (ulimit -s). */
#ifndef WS_THREAD_H
#define WS_THREAD_H

#include <pthread.h>

/* Starts a thread as pthread_create with its default attributes. */
int ws_thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* Returns the number of online processors, at least 1. */
unsigned ws_processors(void);

#endif
