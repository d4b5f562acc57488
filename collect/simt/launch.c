/* launch.c - one launch: blocks in rising order to workers, sinks' states to blocks, and what ends it early.
 *
 * A worker takes chunks of consecutive blocks and feeds one range of the fan-out as long as its blocks end one after
 * the other. A block that waits for others is put aside with the range it feeds; its worker opens a new one, and takes
 * turns between new blocks and those put aside. Results do not depend on who runs what, since ranges merge in block
 * order. */
#include "collect/simt/simt_internal.h"

#include "base/clock.h"
#include "base/thread.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    RESIDENT_BLOCKS = 4096, /* blocks started and not ended; more than the largest GPU holds */
    CHUNKS_PER_WORKER = 8,  /* guided self-scheduling: a chunk is this share of what is left */
    CHUNK_BLOCKS = 256,
    PROGRESS_NANOSECONDS = 100000000,
    SERIAL_BLOCKS = 1 /* launches of so few blocks run on the calling thread */
};

typedef struct source { /* a worker's own part of the launch */
    worker worker;
    uint64_t chunk, chunk_end;
    ws_range *range; /* takes block range_next next */
    uint64_t range_next;
    struct timespec reported;
    double seconds; /* of its thread */
} source;

static source *source_of(worker *k)
{
    return (source *)k; /* worker is its first member */
}

static void stop_launch(launch *l, int status, const char *message)
{
    pthread_mutex_lock(&l->lock);
    if (!l->status) {
        l->status = status;
        free(l->message);
        l->message = strdup(message ? message : "");
    }
    pthread_mutex_unlock(&l->lock);
    atomic_store(&l->stop, status);
    pthread_mutex_lock(&l->lock);
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

/* Keeps the fault of the lowest block: lower ones still run to their end, so the answer is the same on any number of
 * workers. */
static void note_fault(launch *l, block *b)
{
    if (b->status != WS_EFAULT) {
        stop_launch(l, b->status, b->fault);
        return;
    }
    pthread_mutex_lock(&l->lock);
    if (b->order < atomic_load(&l->fault_block)) {
        atomic_store(&l->fault_block, b->order);
        free(l->message);
        l->message = b->fault;
        b->fault = NULL;
        l->status = WS_EFAULT;
    }
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static bool report_progress(launch *l, source *s)
{
    if (!l->run->progress || s->worker.index != 0)
        return true;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    const int64_t passed = (now.tv_sec - s->reported.tv_sec) * 1000000000LL + now.tv_nsec - s->reported.tv_nsec;
    if (passed < PROGRESS_NANOSECONDS)
        return true;
    s->reported = now;
    pthread_mutex_lock(&l->lock);
    const uint64_t done = l->done;
    pthread_mutex_unlock(&l->lock);
    if (l->run->progress(l->run->context, &l->facts, done, atomic_load(&l->instructions))) {
        stop_launch(l, WS_EINTERRUPTED, "interrupted");
        return false;
    }
    return true;
}

bool launch_may_go_on(block *b)
{
    launch *l = b->launch;
    worker *k = b->worker;
    const uint64_t total =
        atomic_fetch_add(&l->instructions, k->warp_instructions - k->reported) + k->warp_instructions - k->reported;
    k->reported = k->warp_instructions;
    if (l->run->max_instructions && total > l->run->max_instructions) {
        block_fail(b, WS_ELIMIT, "kernel %s: more than %llu warp instructions", l->facts.kernel,
                   (unsigned long long)l->run->max_instructions);
        return false;
    }
    if (!report_progress(l, source_of(k)) || atomic_load(&l->stop))
        return block_fail(b, WS_EINTERRUPTED, "interrupted");
    return b->order <= atomic_load(&l->fault_block) || block_fail(b, WS_EFAULT, "after a fault in a lower block");
}

/* ---- which block is next ---- */

/* Takes a chunk of new blocks; false when there are none left (or none that matter after a fault). Lock held. */
static bool take_chunk(launch *l, source *s)
{
    const uint64_t end =
        l->facts.blocks < atomic_load(&l->fault_block) ? l->facts.blocks : atomic_load(&l->fault_block);
    if (s->chunk < s->chunk_end && s->chunk < end)
        return true;
    if (l->next_block >= end)
        return false;
    uint64_t n = (l->facts.blocks - l->next_block) / (l->workers * CHUNKS_PER_WORKER);
    n = n < 1 ? 1 : n > CHUNK_BLOCKS ? CHUNK_BLOCKS : n;
    s->chunk = l->next_block;
    s->chunk_end = s->chunk + n;
    l->next_block += n;
    return true;
}

/* Other workers are busy: waits until one puts something aside or ends. The first worker keeps reporting. Lock held. */
static void wait_for_others(launch *l, source *s)
{
    if (s->worker.index || !l->run->progress) {
        pthread_cond_wait(&l->changed, &l->lock);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PROGRESS_NANOSECONDS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&l->changed, &l->lock, &until);
    pthread_mutex_unlock(&l->lock);
    report_progress(l, s);
    pthread_mutex_lock(&l->lock);
}

static block *unused_block(launch *l, worker *k)
{
    block *const b = k->spare;
    if (!b)
        return block_create(l, k);
    k->spare = b->next;
    return b;
}

/* The next block to run: new (started), or one put aside. NULL when the worker is done. */
static block *next_block(launch *l, source *s)
{
    block *b = NULL;
    pthread_mutex_lock(&l->lock);
    while (!atomic_load(&l->stop)) {
        const bool fresh = l->resident < RESIDENT_BLOCKS && take_chunk(l, s);
        if (fresh && (!l->waiting || l->prefer_new)) {
            l->prefer_new = false;
            l->resident++;
            pthread_mutex_unlock(&l->lock);
            b = unused_block(l, &s->worker);
            if (!b) {
                stop_launch(l, WS_EMEM, "no memory for a block");
                return NULL;
            }
            b->worker = &s->worker;
            b->range = NULL;
            b->index = b->order = s->chunk++;
            return b;
        }
        if (l->waiting) {
            l->prefer_new = true;
            b = l->waiting;
            l->waiting = b->next;
            if (!l->waiting)
                l->waiting_tail = &l->waiting;
            b->worker = &s->worker;
            break;
        }
        if (!l->resident)
            break;
        wait_for_others(l, s);
    }
    pthread_mutex_unlock(&l->lock);
    return b;
}

/* ---- ranges ---- */

static bool close_range(launch *l, ws_range *range, uint64_t end)
{
    const int status = ws_range_close(range, end);
    if (status)
        stop_launch(l, status, ws_message());
    return !status;
}

/* Gives a new block the range it feeds: the worker's own when it continues it, else a new one. */
static bool attach(launch *l, source *s, block *b)
{
    if (!l->fanout)
        return true;
    if (s->range && s->range_next != b->index) {
        ws_range *old = s->range;
        s->range = NULL;
        if (!close_range(l, old, s->range_next))
            return false;
    }
    int status = WS_OK;
    if (!s->range)
        status = ws_range_open(l->fanout, b->index, &s->range);
    if (!status) {
        s->range_next = b->index;
        b->range = s->range;
        status = ws_range_block_begin(b->range, b->index);
    }
    if (status)
        stop_launch(l, status, ws_message());
    return !status;
}

static bool finish_block(launch *l, source *s, block *b)
{
    if (!l->fanout)
        return true;
    const int status = ws_range_block_end(b->range, b->index);
    if (status) {
        stop_launch(l, status, ws_message());
        return false;
    }
    if (b->range == s->range)
        s->range_next = b->index + 1;
    else
        return close_range(l, b->range, b->index + 1);
    return true;
}

/* ---- workers ---- */

static void put_aside(launch *l, source *s, block *b)
{
    if (b->range == s->range)
        s->range = NULL; /* it goes with the block */
    b->next = NULL;
    pthread_mutex_lock(&l->lock);
    *l->waiting_tail = b;
    l->waiting_tail = &b->next;
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static void retire(launch *l, source *s, block *b, bool done)
{
    b->started = false;
    if (b->checks)
        checks_block_end(b);
    b->next = s->worker.spare;
    s->worker.spare = b;
    pthread_mutex_lock(&l->lock);
    l->resident--;
    l->done += done;
    if (!l->resident || l->waiting)
        pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

/* Starts a block that is new; one that was put aside just goes on. */
static bool begin_block(launch *l, source *s, block *b)
{
    if (b->started)
        return true;
    b->started = true;
    return attach(l, s, b) && !block_start(b, b->index);
}

static void *work(void *context)
{
    source *s = context;
    launch *l = s->worker.launch;
    const double begin = ws_clock_thread_seconds();
    for (block *b; (b = next_block(l, s));) {
        block_outcome outcome = begin_block(l, s, b) ? block_run(b) : BLOCK_FAILED;
        if (outcome == BLOCK_DONE && !launch_may_go_on(b)) /* limits hold for the last instructions too */
            outcome = BLOCK_FAILED;
        switch (outcome) {
        case BLOCK_DONE:
            retire(l, s, b, finish_block(l, s, b));
            break;
        case BLOCK_YIELDS:
            put_aside(l, s, b);
            break;
        case BLOCK_FAILED:
            if (b->status && !(atomic_load(&l->stop) && b->status == WS_EINTERRUPTED))
                note_fault(l, b);
            if (b->range == s->range)
                s->range = NULL; /* an incomplete range stays open; the fan-out frees it */
            retire(l, s, b, false);
            break;
        }
    }
    if (s->range)
        close_range(l, s->range, s->range_next);
    s->range = NULL;
    s->seconds = ws_clock_thread_seconds() - begin;
    return NULL;
}

/* ---- clusters of several blocks ---- */

bool launch_attach_cluster(launch *l, worker *k, block *b)
{
    b->range = NULL;
    b->worker = k;
    if (!l->fanout)
        return true;
    int status = ws_range_open(l->fanout, b->index, &b->range);
    if (!status)
        status = ws_range_block_begin(b->range, b->index);
    if (status)
        stop_launch(l, status, ws_message());
    return !status;
}

bool launch_finish_cluster(launch *l, block *b, bool done)
{
    if (b->checks)
        checks_block_end(b);
    b->started = false;
    bool ok = done;
    if (done && l->fanout) {
        const int status = ws_range_block_end(b->range, b->index);
        if (status)
            stop_launch(l, status, ws_message());
        ok = !status && close_range(l, b->range, b->index + 1);
    }
    b->range = NULL; /* an incomplete one stays open; the fan-out frees it */
    pthread_mutex_lock(&l->lock);
    l->done += ok;
    pthread_mutex_unlock(&l->lock);
    return ok;
}

void launch_fail_cluster(launch *l, block *b)
{
    if (b->status && !(atomic_load(&l->stop) && b->status == WS_EINTERRUPTED))
        note_fault(l, b);
}

static cluster *new_cluster(launch *l, worker *k, uint64_t number)
{
    cluster *const c = calloc(1, sizeof *c);
    for (uint32_t i = 0; c && i < l->cluster_blocks; i++) {
        block *const b = unused_block(l, k);
        if (!b) {
            launch_retire_cluster(l, k, c);
            return NULL;
        }
        b->cluster = c;
        b->rank = i;
        b->order = number;
        b->ended = false;
        c->block[c->blocks++] = b;
    }
    if (c) {
        c->number = number;
        c->live = c->blocks;
    }
    return c;
}

/* The next cluster to run, new or put aside, as next_block has it. NULL: the worker is done. */
cluster *launch_next_cluster(launch *l, worker *k)
{
    const uint64_t clusters = l->facts.blocks / l->cluster_blocks;
    cluster *c = NULL;
    pthread_mutex_lock(&l->lock);
    while (!atomic_load(&l->stop)) {
        const uint64_t end = clusters < atomic_load(&l->fault_block) ? clusters : atomic_load(&l->fault_block);
        const bool fresh = l->resident < RESIDENT_BLOCKS && l->next_block < end;
        if (fresh && (!l->waiting_cluster || l->prefer_new)) {
            const uint64_t number = l->next_block++;
            l->prefer_new = false;
            l->resident += l->cluster_blocks;
            pthread_mutex_unlock(&l->lock);
            c = new_cluster(l, k, number);
            if (!c)
                stop_launch(l, WS_EMEM, "no memory for the blocks of a cluster");
            return c;
        }
        if (l->waiting_cluster) {
            l->prefer_new = true;
            c = l->waiting_cluster;
            l->waiting_cluster = c->next;
            if (!l->waiting_cluster)
                l->waiting_cluster_tail = &l->waiting_cluster;
            for (uint32_t i = 0; i < c->blocks; i++)
                c->block[i]->worker = k;
            break;
        }
        if (!l->resident)
            break;
        wait_for_others(l, source_of(k));
    }
    pthread_mutex_unlock(&l->lock);
    return c;
}

void launch_put_cluster_aside(launch *l, cluster *c)
{
    c->next = NULL;
    pthread_mutex_lock(&l->lock);
    *l->waiting_cluster_tail = c;
    l->waiting_cluster_tail = &c->next;
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

/* Its blocks can be used again. */
void launch_retire_cluster(launch *l, worker *k, cluster *c)
{
    for (uint32_t i = 0; i < c->blocks; i++) {
        c->block[i]->cluster = NULL;
        c->block[i]->next = k->spare;
        k->spare = c->block[i];
    }
    free(c);
    pthread_mutex_lock(&l->lock);
    l->resident -= l->cluster_blocks;
    if (!l->resident || l->waiting_cluster)
        pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static void *work_on_clusters(void *context)
{
    source *const s = context;
    const double begin = ws_clock_thread_seconds();
    cluster_work(&s->worker);
    s->seconds = ws_clock_thread_seconds() - begin;
    return NULL;
}

static void destroy_blocks(block *b)
{
    for (block *next; b; b = next) {
        next = b->next;
        block_destroy(b);
    }
}

bool launch_worker_init(worker *k, launch *l, unsigned index)
{
    *k = (worker){.launch = l, .index = index};
    k->cache = calloc(l->code->caches + 1, sizeof *k->cache);
    k->event = malloc(BATCH_EVENTS * sizeof *k->event);
    k->address = aligned_alloc(64, (size_t)BATCH_EVENTS * WS_WARP * WS_EVENT_ADDRESSES * sizeof *k->address);
    k->scratch = aligned_alloc(64, 4 * WS_WARP * sizeof *k->scratch);
    return k->cache && k->event && k->address && k->scratch;
}

void launch_worker_fini(worker *k)
{
    destroy_blocks(k->spare);
    free(k->cache);
    free(k->event);
    free(k->address);
    free(k->scratch);
}

int launch_run(launch *l, ws_run_result *result)
{
    const uint64_t units = l->facts.blocks / l->cluster_blocks;
    const unsigned workers = units <= SERIAL_BLOCKS ? 1 : l->workers < units ? l->workers : (unsigned)units;
    void *(*const run)(void *) = l->cluster_blocks > 1 ? work_on_clusters : work;
    l->workers = workers;
    l->waiting_tail = &l->waiting;
    l->waiting_cluster_tail = &l->waiting_cluster;
    atomic_store(&l->fault_block, UINT64_MAX);
    source *s = calloc(workers, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for %u workers", workers);
    unsigned started = 1;
    for (unsigned i = 0; i < workers; i++) {
        if (!launch_worker_init(&s[i].worker, l, i))
            stop_launch(l, WS_EMEM, "no memory for a worker");
    }
    clock_gettime(CLOCK_MONOTONIC_COARSE, &s[0].reported);
    while (started < workers && !atomic_load(&l->stop)) {
        if (ws_thread_start(&s[started].worker.thread, run, &s[started]))
            break; /* fewer workers do it too */
        started++;
    }
    run(&s[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(s[i].worker.thread, NULL);
    while (l->waiting_cluster) { /* of a launch that was stopped */
        cluster *const c = l->waiting_cluster;
        l->waiting_cluster = c->next;
        launch_retire_cluster(l, &s[0].worker, c);
    }
    for (unsigned i = 0; i < workers; i++) {
        result->seconds += s[i].seconds;
        result->warp_instructions += s[i].worker.warp_instructions;
        result->thread_instructions += s[i].worker.thread_instructions;
        result->device_bytes += s[i].worker.device_bytes;
        result->device_waits += s[i].worker.device_waits;
        launch_worker_fini(&s[i].worker);
    }
    destroy_blocks(l->waiting);
    free(s);
    result->blocks_done = l->done;
    if (l->status)
        return ws_fail(l->status, "%s", l->message ? l->message : ws_phrase(l->status));
    return WS_OK;
}
