/* thread.h - threads with a stack that is large enough, whatever limit there is on stacks (ulimit -s). */
#ifndef WS_THREAD_H
#define WS_THREAD_H

#include <pthread.h>

/* As pthread_create with its default attributes. */
int ws_thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* Processors that are online, at least 1. */
unsigned ws_processors(void);

#endif
