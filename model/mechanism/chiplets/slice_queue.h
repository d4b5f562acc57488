/* slice_queue.h - service times of requests in an L2 slice, and merging of reads.
 *
 * Requests enter a slice one by one while its queue has room, and are served in order. A read of a line answers up to
 * `merges` waiting requests. The next one stays at the head of the queue until the line arrives, as does one for which
 * no read can start. */
#ifndef WS_SLICE_QUEUE_H
#define WS_SLICE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_slice_shape {
    uint32_t queue;  /* waiting requests of a slice */
    uint32_t reads;  /* outstanding reads of a slice */
    uint32_t merges; /* requests that wait for one read */
    uint32_t sends;  /* waiting messages of a slice to homes; at this number it serves no request */
    uint32_t period; /* cycles between requests */
} ws_slice_shape;

typedef struct ws_slice_queue {
    uint64_t entered, served; /* of the last request; served: lower bound for the next */
    uint64_t requests, begun, sent;
    uint64_t *served_at, *over,
        *left; /* [queue], [reads], [sends] times of the last services, ends of reads, departures of messages */
} ws_slice_queue;

/* Last read of a line. */
typedef struct ws_slice_read {
    uint64_t asked, until;
    uint32_t waiting;
} ws_slice_read;

typedef struct ws_slice_visit {
    uint64_t entered, served;
} ws_slice_visit;

/* Initialise an empty slice. WS_EMEM. A launch begins with an empty slice. */
int ws_slice_queue_init(ws_slice_queue *queue, const ws_slice_shape *shape);
void ws_slice_queue_fini(ws_slice_queue *queue);
void ws_slice_queue_clear(ws_slice_queue *queue, const ws_slice_shape *shape);

ws_slice_visit ws_slice_enter(ws_slice_queue *queue, const ws_slice_shape *shape, uint64_t now);
/* Records a message to a home that leaves the slice at `leaves`. */
void ws_slice_send(ws_slice_queue *queue, const ws_slice_shape *shape, uint64_t leaves);
void ws_slice_leave(ws_slice_queue *queue, const ws_slice_shape *shape, const ws_slice_visit *visit);

/* Joins the outstanding read of the line, if any. Otherwise returns false; with too many waiting requests the visit is
 * then served at the end of that read. */
bool ws_slice_join(const ws_slice_shape *shape, ws_slice_read *read, ws_slice_visit *visit);
/* Start a read when there is room for it; set its end. */
void ws_slice_begin(const ws_slice_queue *queue, const ws_slice_shape *shape, ws_slice_read *read,
                    ws_slice_visit *visit);
void ws_slice_expect(ws_slice_queue *queue, const ws_slice_shape *shape, ws_slice_read *read, uint64_t until);

/* Resource with places for several messages, `hold` cycles each: a link, whose messages reserve a place at their target
 * before they leave, or a part of the L3, with one place. Messages are given in the order of `expected`, although some
 * arrive later. ws_passage_take() returns when it takes the message. */
typedef struct ws_passage {
    uint64_t *free; /* [places] */
    uint64_t taken;
} ws_passage;

int ws_passage_init(ws_passage *passage, uint32_t places); /* WS_EMEM */
void ws_passage_fini(ws_passage *passage);
void ws_passage_clear(ws_passage *passage, uint32_t places);
uint64_t ws_passage_take(ws_passage *passage, uint32_t places, uint64_t expected, uint64_t comes, uint64_t hold);

#endif
