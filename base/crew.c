/* crew.c - see crew.h. */
#include "base/crew.h"

#include "base/status.h"
#include "base/thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PROGRESS_NS = 100 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000 };

static void note(ws_crew *crew, int status)
{
    if (!status)
        return;
    pthread_mutex_lock(&crew->lock);
    if (!crew->status) {
        crew->status = status;
        snprintf(crew->message, sizeof crew->message, "%s", ws_message());
    }
    pthread_mutex_unlock(&crew->lock);
    atomic_store(&crew->stopped, true);
}

static void *work(void *context)
{
    ws_crew *const crew = context;
    note(crew, crew->work(crew));
    pthread_mutex_lock(&crew->lock);
    crew->running--;
    pthread_cond_signal(&crew->ended);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static void show_progress(ws_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->running) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PROGRESS_NS;
        until.tv_sec += until.tv_nsec / SECOND_NS;
        until.tv_nsec %= SECOND_NS;
        pthread_cond_timedwait(&crew->ended, &crew->lock, &until);
        pthread_mutex_unlock(&crew->lock);
        if (!ws_crew_stopped(crew))
            note(crew, crew->progress(crew->context));
        pthread_mutex_lock(&crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
}

int ws_crew_run(ws_crew *crew)
{
    const size_t most = crew->workers ? crew->workers : ws_processors();
    const size_t workers = most < crew->tasks ? most : crew->tasks;
    pthread_t *const thread = calloc(workers + 1, sizeof *thread);
    if (!thread)
        return ws_fail(WS_EMEM, "no memory for %zu workers", workers);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->ended, NULL);
    size_t started = 0;
    pthread_mutex_lock(&crew->lock);
    while (started < workers && !ws_thread_start(&thread[started], work, crew))
        started++; /* fewer do it too */
    crew->running = (unsigned)started;
    pthread_mutex_unlock(&crew->lock);
    if (!started)
        note(crew, crew->work(crew));
    if (crew->progress)
        show_progress(crew);
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    pthread_cond_destroy(&crew->ended);
    pthread_mutex_destroy(&crew->lock);
    return crew->status ? ws_fail(crew->status, "%s", crew->message) : WS_OK;
}
