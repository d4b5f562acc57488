/* slice_queue.c - see slice_queue.h. */
#include "model/mechanism/chiplets/slice_queue.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

int ws_slice_queue_init(ws_slice_queue *queue, const ws_slice_shape *shape)
{
    *queue = (ws_slice_queue){.served_at = calloc(shape->queue, sizeof *queue->served_at),
                              .over = calloc(shape->reads, sizeof *queue->over),
                              .left = calloc(shape->sends, sizeof *queue->left)};
    return queue->served_at && queue->over && queue->left ? WS_OK
                                                          : ws_fail(WS_EMEM, "no memory for the queues of L2 slices");
}

void ws_slice_queue_fini(ws_slice_queue *queue)
{
    free(queue->served_at);
    free(queue->over);
    free(queue->left);
    *queue = (ws_slice_queue){0};
}

void ws_slice_queue_clear(ws_slice_queue *queue, const ws_slice_shape *shape)
{
    memset(queue->served_at, 0, shape->queue * sizeof *queue->served_at);
    memset(queue->over, 0, shape->reads * sizeof *queue->over);
    memset(queue->left, 0, shape->sends * sizeof *queue->left);
    *queue = (ws_slice_queue){.served_at = queue->served_at, .over = queue->over, .left = queue->left};
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

ws_slice_visit ws_slice_enter(ws_slice_queue *queue, const ws_slice_shape *shape, uint64_t now)
{
    const uint64_t room = queue->served_at[queue->requests % shape->queue];
    queue->entered = later(later(now, room), queue->requests ? queue->entered + shape->period : 0);
    return (ws_slice_visit){.entered = queue->entered,
                            .served =
                                later(later(queue->entered, queue->served), queue->left[queue->sent % shape->sends])};
}

void ws_slice_send(ws_slice_queue *queue, const ws_slice_shape *shape, uint64_t leaves)
{
    queue->left[queue->sent++ % shape->sends] = leaves;
}

void ws_slice_leave(ws_slice_queue *queue, const ws_slice_shape *shape, const ws_slice_visit *visit)
{
    queue->served = visit->served;
    queue->served_at[queue->requests++ % shape->queue] = visit->served;
}

bool ws_slice_join(const ws_slice_shape *shape, ws_slice_read *read, ws_slice_visit *visit)
{
    if (visit->served >= read->until)
        return false;
    if (read->waiting < shape->merges) {
        read->waiting++;
        return true;
    }
    visit->served = read->until;
    return false;
}

void ws_slice_begin(const ws_slice_queue *queue, const ws_slice_shape *shape, ws_slice_read *read,
                    ws_slice_visit *visit)
{
    visit->served = later(visit->served, queue->over[queue->begun % shape->reads]);
    *read = (ws_slice_read){.asked = visit->served, .waiting = 1};
}

void ws_slice_expect(ws_slice_queue *queue, const ws_slice_shape *shape, ws_slice_read *read, uint64_t until)
{
    queue->over[queue->begun++ % shape->reads] = read->until = until;
}

int ws_passage_init(ws_passage *passage, uint32_t places)
{
    *passage = (ws_passage){.free = calloc(places, sizeof *passage->free)};
    return passage->free ? WS_OK : ws_fail(WS_EMEM, "no memory for links");
}

void ws_passage_fini(ws_passage *passage)
{
    free(passage->free);
    *passage = (ws_passage){0};
}

void ws_passage_clear(ws_passage *passage, uint32_t places)
{
    memset(passage->free, 0, places * sizeof *passage->free);
    passage->taken = 0;
}

uint64_t ws_passage_take(ws_passage *passage, uint32_t places, uint64_t expected, uint64_t comes, uint64_t hold)
{
    uint64_t *const place = &passage->free[passage->taken++ % places];
    const uint64_t at = later(*place, comes);
    *place = later(*place, expected) + hold;
    return at;
}
