/* slice_queue.h - when does a slice of an L2 serve a request, and which reads do requests share?
 *
 * Requests enter a slice one by one, as long as its queue has room, and are served in order. A read of a line answers
 * as many requests as may wait for it; the next one stays at the head of the queue until the line is there, and so does
 * one for which no read may begin. */
#ifndef WS_SLICE_QUEUE_H
#define WS_SLICE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_slice_shape {
    uint32_t queue;  /* requests that wait in a slice */
    uint32_t reads;  /* under way from a slice */
    uint32_t merges; /* requests that wait for one of them */
    uint32_t sends;  /* messages for homes that wait in a slice; it serves nobody while they are so many */
    uint32_t period; /* cycles from one request to the next */
} ws_slice_shape;

typedef struct ws_slice_queue {
    uint64_t entered, served; /* the last request; served: not before */
    uint64_t requests, begun, sent;
    uint64_t *served_at, *over, *left; /* [queue], [reads], [sends] when requests were served, reads are over, messages
                                          have left: the last ones */
} ws_slice_queue;

/* The last read of a line. */
typedef struct ws_slice_read {
    uint64_t asked, until;
    uint32_t waiting;
} ws_slice_read;

typedef struct ws_slice_visit {
    uint64_t entered, served;
} ws_slice_visit;

/* WS_EMEM. A launch begins with a slice that is empty. */
int ws_slice_queue_init(ws_slice_queue *queue, const ws_slice_shape *shape);
void ws_slice_queue_fini(ws_slice_queue *queue);
void ws_slice_queue_clear(ws_slice_queue *queue, const ws_slice_shape *shape);

ws_slice_visit ws_slice_enter(ws_slice_queue *queue, const ws_slice_shape *shape, uint64_t now);
/* A message for a home leaves the slice then. */
void ws_slice_send(ws_slice_queue *queue, const ws_slice_shape *shape, uint64_t leaves);
void ws_slice_leave(ws_slice_queue *queue, const ws_slice_shape *shape, const ws_slice_visit *visit);

/* Waits with the read of the line that is under way, if there is one: false, and it is served when that is over, when
 * too many do. */
bool ws_slice_join(const ws_slice_shape *shape, ws_slice_read *read, ws_slice_visit *visit);
/* A read begins when there is room for it, and will be over then. */
void ws_slice_begin(const ws_slice_queue *queue, const ws_slice_shape *shape, ws_slice_read *read,
                    ws_slice_visit *visit);
void ws_slice_expect(ws_slice_queue *queue, const ws_slice_shape *shape, ws_slice_read *read, uint64_t until);

/* What has places for some messages at a time, `hold` cycles each: a link, whose messages have a place at their target
 * before they leave, or a part of the L3, with one place. Messages are told in the order in which they are `expected`,
 * though some come later. When it takes this one. */
typedef struct ws_passage {
    uint64_t *free; /* [places] */
    uint64_t taken;
} ws_passage;

int ws_passage_init(ws_passage *passage, uint32_t places); /* WS_EMEM */
void ws_passage_fini(ws_passage *passage);
void ws_passage_clear(ws_passage *passage, uint32_t places);
uint64_t ws_passage_take(ws_passage *passage, uint32_t places, uint64_t expected, uint64_t comes, uint64_t hold);

#endif
