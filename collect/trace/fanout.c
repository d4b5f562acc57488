/* fanout.c - how do many sinks see a launch whose blocks run in any order, and yet report as if they ran one by one?
 *
 * Every range owns one slab with a state of each sink. A range that is closed looks for the finished ranges right
 * before and right behind it, takes them out of the list of finished ones, and merges with them outside the lock.
 * Whoever closes meanwhile does not find the ranges in work and puts itself into the list, where the next look finds
 * it; so finished ranges that stay in the list are never adjacent, and there are at most as many as there are gaps. */
#include "collect/trace/fanout.h"

#include "base/status.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { STATE_ALIGN = 64 };

struct ws_range {
    ws_fanout *fanout;
    struct ws_range *before, *behind; /* in the fan-out's list of open, or of finished ranges */
    uint64_t first, end;              /* blocks [first, end); while open, end is the block to come next */
    unsigned char *state;             /* aligned start of the slab */
    void *slab;
    bool *sampled;      /* [sinks] wants values of the block in work */
    ws_batch_room room; /* while it is open */
};

typedef struct range_list {
    ws_range *head;
} range_list;

struct ws_fanout {
    const ws_sink *const *sinks;
    size_t n;
    const ws_launch *launch;
    size_t *offset; /* [n] of a sink's state in the slab */
    size_t bytes;   /* of a slab */
    unsigned wants;
    bool any_values;
    pthread_mutex_t lock; /* guards the two lists and `broken` */
    range_list open, finished;
    bool broken; /* a merge failed: the result is lost */
};

static void list_add(range_list *list, ws_range *range)
{
    range->before = NULL;
    range->behind = list->head;
    if (list->head)
        list->head->before = range;
    list->head = range;
}

static void list_remove(range_list *list, ws_range *range)
{
    if (range->before)
        range->before->behind = range->behind;
    else
        list->head = range->behind;
    if (range->behind)
        range->behind->before = range->before;
    range->before = range->behind = NULL;
}

static void *state_of(const ws_range *range, size_t i)
{
    return range->state + range->fanout->offset[i];
}

/* Gives up the states of the first `inited` sinks and the range itself. */
static void range_free(ws_range *range, size_t inited)
{
    const ws_fanout *const f = range->fanout;
    for (size_t i = 0; i < inited; i++)
        if (f->sinks[i]->fini)
            f->sinks[i]->fini(state_of(range, i));
    free(range->slab);
    free(range->sampled);
    free(range->room.word);
    free(range);
}

static void list_free(range_list *list, size_t n)
{
    for (ws_range *r = list->head, *next; r; r = next) {
        next = r->behind;
        range_free(r, n);
    }
    list->head = NULL;
}

int ws_fanout_create(const ws_sink *const *sinks, size_t n, const ws_launch *launch, ws_fanout **out)
{
    *out = NULL;
    ws_fanout *const f = calloc(1, sizeof *f);
    if (!f || !(f->offset = calloc(n + 1, sizeof *f->offset))) {
        free(f);
        return ws_fail(WS_EMEM, "no memory for the sinks of kernel %s", launch->kernel);
    }
    f->sinks = sinks;
    f->n = n;
    f->launch = launch;
    for (size_t i = 0; i < n; i++) {
        assert(sinks[i]->merge);
        f->offset[i] = f->bytes;
        f->bytes += (sinks[i]->state_size + STATE_ALIGN - 1) / STATE_ALIGN * STATE_ALIGN;
        f->wants |= sinks[i]->wants;
        f->any_values |= sinks[i]->values && sinks[i]->sample_block;
    }
    pthread_mutex_init(&f->lock, NULL);
    *out = f;
    return WS_OK;
}

void ws_fanout_destroy(ws_fanout *fanout)
{
    if (!fanout)
        return;
    list_free(&fanout->open, fanout->n);
    list_free(&fanout->finished, fanout->n);
    pthread_mutex_destroy(&fanout->lock);
    free(fanout->offset);
    free(fanout);
}

unsigned ws_fanout_wants(const ws_fanout *fanout)
{
    return fanout->wants;
}

static bool sink_samples(const ws_fanout *fanout, size_t i, uint64_t block)
{
    const ws_sink *const s = fanout->sinks[i];
    return s->values && s->sample_block && s->sample_block(fanout->launch, block);
}

int ws_fanout_samples(const ws_fanout *fanout, uint64_t block)
{
    for (size_t i = 0; fanout->any_values && i < fanout->n; i++)
        if (sink_samples(fanout, i, block))
            return 1;
    return 0;
}

static ws_range *range_alloc(ws_fanout *fanout)
{
    ws_range *const range = calloc(1, sizeof *range);
    if (!range)
        return NULL;
    range->fanout = fanout;
    range->slab = calloc(1, fanout->bytes + STATE_ALIGN);
    range->sampled = calloc(fanout->n + 1, sizeof *range->sampled);
    if (!range->slab || !range->sampled) {
        range_free(range, 0);
        return NULL;
    }
    const uintptr_t at = (uintptr_t)range->slab;
    range->state = (unsigned char *)range->slab + (STATE_ALIGN - at % STATE_ALIGN) % STATE_ALIGN;
    return range;
}

int ws_range_open(ws_fanout *fanout, uint64_t first, ws_range **out)
{
    *out = NULL;
    ws_range *const range = range_alloc(fanout);
    if (!range)
        return ws_fail(WS_EMEM, "no memory for %zu bytes of sink state", fanout->bytes);
    range->first = range->end = first;
    for (size_t i = 0; i < fanout->n; i++) {
        const ws_sink *const s = fanout->sinks[i];
        if (s->attach)
            s->attach(state_of(range, i), s->context);
        const int status = s->init ? s->init(state_of(range, i), fanout->launch) : WS_OK;
        if (status != WS_OK) {
            range_free(range, i + 1); /* a failed init leaves something that fini can take, as zeroed memory is */
            return status;
        }
    }
    pthread_mutex_lock(&fanout->lock);
    list_add(&fanout->open, range);
    pthread_mutex_unlock(&fanout->lock);
    *out = range;
    return WS_OK;
}

int ws_range_block_begin(ws_range *range, uint64_t block)
{
    const ws_fanout *const f = range->fanout;
    assert(block == range->end);
    for (size_t i = 0; i < f->n; i++) {
        const ws_sink *const s = f->sinks[i];
        range->sampled[i] = f->any_values && sink_samples(f, i, block);
        const int status = s->block_begin ? s->block_begin(state_of(range, i), f->launch, block) : WS_OK;
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

int ws_range_events(ws_range *range, const ws_batch *batch)
{
    const ws_fanout *const f = range->fanout;
    ws_batch shared = *batch;
    assert(batch->block == range->end);
    range->room.used = 0;
    shared.room = &range->room;
    for (size_t i = 0; i < f->n; i++) {
        const ws_sink *const s = f->sinks[i];
        const int status = s->events && s->wants ? s->events(state_of(range, i), f->launch, &shared) : WS_OK;
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

int ws_range_values(ws_range *range, uint64_t block, const ws_value *value, size_t n)
{
    const ws_fanout *const f = range->fanout;
    assert(block == range->end);
    for (size_t i = 0; i < f->n; i++) {
        if (!range->sampled[i])
            continue;
        const int status = f->sinks[i]->values(state_of(range, i), f->launch, block, value, n);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

int ws_range_block_end(ws_range *range, uint64_t block)
{
    const ws_fanout *const f = range->fanout;
    assert(block == range->end);
    for (size_t i = 0; i < f->n; i++) {
        const ws_sink *const s = f->sinks[i];
        const int status = s->block_end ? s->block_end(state_of(range, i), f->launch, block) : WS_OK;
        if (status != WS_OK)
            return status;
    }
    range->end = block + 1;
    return WS_OK;
}

/* Takes a finished neighbour of `range` out of the list; NULL when there is none. Call with the lock held. */
static ws_range *take_neighbour(ws_fanout *fanout, const ws_range *range)
{
    for (ws_range *r = fanout->finished.head; r; r = r->behind)
        if (r->end == range->first || r->first == range->end) {
            list_remove(&fanout->finished, r);
            return r;
        }
    return NULL;
}

/* Merges the later of the two into the earlier one, which is returned; the other is gone. */
static ws_range *merge_pair(ws_range *a, ws_range *b, int *status)
{
    const ws_fanout *const f = a->fanout;
    ws_range *const into = a->first < b->first ? a : b;
    ws_range *const from = into == a ? b : a;
    *status = WS_OK;
    for (size_t i = 0; i < f->n && *status == WS_OK; i++)
        *status = f->sinks[i]->merge(state_of(into, i), state_of(from, i), f->launch);
    into->end = from->end;
    range_free(from, f->n);
    return into;
}

static int merge_with_neighbours(ws_range *range)
{
    ws_fanout *const f = range->fanout;
    for (;;) {
        pthread_mutex_lock(&f->lock);
        ws_range *const other = f->broken ? NULL : take_neighbour(f, range);
        if (!other) {
            list_add(&f->finished, range);
            pthread_mutex_unlock(&f->lock);
            return WS_OK;
        }
        pthread_mutex_unlock(&f->lock);
        int status;
        range = merge_pair(range, other, &status);
        if (status != WS_OK) {
            pthread_mutex_lock(&f->lock);
            f->broken = true;
            pthread_mutex_unlock(&f->lock);
            range_free(range, f->n);
            return status;
        }
    }
}

int ws_range_close(ws_range *range, uint64_t end)
{
    ws_fanout *const f = range->fanout;
    assert(end >= range->first && end <= range->end);
    free(range->room.word);
    range->room = (ws_batch_room){0};
    pthread_mutex_lock(&f->lock);
    list_remove(&f->open, range);
    pthread_mutex_unlock(&f->lock);
    if (end != range->end || end == range->first) { /* cut short: holds events of blocks that it may not count */
        range_free(range, f->n);
        return WS_OK;
    }
    return merge_with_neighbours(range);
}

void *ws_fanout_state(ws_fanout *fanout, size_t i)
{
    const ws_range *const all = fanout->finished.head;
    const bool whole = all && !all->behind && !fanout->open.head && !fanout->broken && all->first == 0 &&
                       all->end == fanout->launch->blocks;
    return whole ? state_of(all, i) : NULL;
}
