/* crew.h - threads that share out tasks: each takes the next one until none is left or one has failed.
 *
 *     static int work(ws_crew *crew)
 *     {
 *         int status = WS_OK;
 *         for (size_t i; !status && ws_crew_next(crew, &i);)
 *             status = do_task(crew->context, i);
 *         return status;
 *     }
 *     ws_crew crew = {.work = work, .context = &job, .tasks = n};
 *     const int status = ws_crew_run(&crew); */
#ifndef WS_CREW_H
#define WS_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { WS_CREW_MESSAGE = 1024 };

typedef struct ws_crew {
    int (*work)(struct ws_crew *crew); /* what a thread does; a status that is not WS_OK stops the others */
    int (*progress)(void *context);    /* called every 100 ms by the thread of ws_crew_run; likewise; NULL */
    void *context;
    size_t tasks;
    unsigned workers; /* threads, as many as tasks at most; 0: one per processor */
    /* Of ws_crew_run: */
    atomic_size_t next;
    atomic_bool stopped;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t ended;
    unsigned running;
    int status;
    char message[WS_CREW_MESSAGE]; /* messages belong to threads */
} ws_crew;

/* Works all tasks off; without a thread to be had, in the caller's. The first failure, with its message; WS_EMEM. */
int ws_crew_run(ws_crew *crew);

/* For long tasks. */
static inline bool ws_crew_stopped(const ws_crew *crew)
{
    return atomic_load(&crew->stopped);
}

/* The number of the next task, each given once; false: there is none to do. */
static inline bool ws_crew_next(ws_crew *crew, size_t *task)
{
    return !ws_crew_stopped(crew) && (*task = atomic_fetch_add(&crew->next, 1)) < crew->tasks;
}

#endif
