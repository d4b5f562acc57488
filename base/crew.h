/* crew.h - pool of threads that share tasks. Each thread takes the next task until all are taken or one has failed.
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
    int (*work)(struct ws_crew *crew); /* function of a thread; a status other than WS_OK stops the other threads */
    int (*progress)(void *context);    /* called every 100 ms by the thread in ws_crew_run; its status counts as that of
                                          `work`; may be NULL */
    void *context;
    size_t tasks;
    unsigned workers; /* threads, at most one per task; 0: one per processor */
    /* Members used by ws_crew_run: */
    atomic_size_t next;
    atomic_bool stopped;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t ended;
    unsigned running;
    int status;
    char message[WS_CREW_MESSAGE]; /* message of the failure; ws_message() belongs to a thread */
} ws_crew;

/* Runs all tasks, in the caller's thread if no other can be created. Returns the first failure, with its message, or
 * WS_EMEM. */
int ws_crew_run(ws_crew *crew);

/* Returns whether the crew has stopped; long tasks check it. */
static inline bool ws_crew_stopped(const ws_crew *crew)
{
    return atomic_load(&crew->stopped);
}

/* Sets *task to the number of the next task; each number is given once. Returns false when no task is left. */
static inline bool ws_crew_next(ws_crew *crew, size_t *task)
{
    return !ws_crew_stopped(crew) && (*task = atomic_fetch_add(&crew->next, 1)) < crew->tasks;
}

#endif
