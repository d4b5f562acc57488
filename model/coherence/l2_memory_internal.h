/* l2_memory_internal.h - where things are in the memory of an L2 slice. */
#ifndef WS_L2_MEMORY_INTERNAL_H
#define WS_L2_MEMORY_INTERNAL_H

#include "base/status.h"
#include "model/coherence/coherence_internal.h"

#include <string.h>

static inline ws_l2_line *lines_of(const ws_coherence *c, const void *l2)
{
    return (ws_l2_line *)((char *)l2 + c->l2_lines);
}

static inline uint32_t *data_of(const ws_coherence *c, const void *l2, const ws_l2_line *line)
{
    return (uint32_t *)((char *)l2 + c->l2_data) + (size_t)(line - lines_of(c, l2)) * c->config.words;
}

static inline ws_coherence_message *queued(const ws_coherence *c, const void *l2, size_t index)
{
    return (ws_coherence_message *)((char *)l2 + c->l2_queue + index * c->message_bytes);
}

/* The request at that place of the queue is done: those behind it move up. */
static inline void unqueue(const ws_coherence *c, ws_l2 *l2, size_t index)
{
    const size_t behind = --l2->queue_count - index;
    memmove(queued(c, l2, index), queued(c, l2, index + 1), behind * c->message_bytes);
    memset(queued(c, l2, l2->queue_count), 0, c->message_bytes);
}

/* Does a request for the block wait among the first so many? Then one that comes waits behind it. */
static inline bool has_elder(const ws_coherence *c, const ws_l2 *l2, uint64_t block, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (queued(c, l2, i)->block == block)
            return true;
    return false;
}

static inline size_t block_bytes(const ws_coherence *c)
{
    return c->config.words * sizeof(uint32_t);
}

static inline void *cache_of(const ws_coherence *c, const void *l2)
{
    return (char *)l2 + c->l2_tags;
}

static inline uint32_t number_of(const ws_coherence *c, const void *l2, const ws_l2_line *line)
{
    return (uint32_t)(line - lines_of(c, l2));
}

static inline uint32_t set_of(const ws_coherence *c, uint64_t block)
{
    return ws_cache_set_of(&c->l2_cache, ws_slice_map_local(&c->map, block));
}

/* NULL when no way of its set has the block. */
static inline ws_l2_line *find_line(const ws_coherence *c, const void *l2, uint64_t block)
{
    const uint32_t line = ws_cache_find(&c->l2_cache, cache_of(c, l2), ws_slice_map_local(&c->map, block));
    return line == WS_CACHE_NONE ? NULL : lines_of(c, l2) + line;
}

/* The request, which finds its block there, is served. */
static inline void use_line(const ws_coherence *c, ws_l2 *l2, const ws_l2_line *line, const ws_coherence_message *m)
{
    const uint32_t number = number_of(c, l2, line);
    if (c->l2_cache.quick) {
        ws_cache_touch_quick(&c->l2_cache, cache_of(c, l2), number);
        return;
    }
    const ws_cache_use use = ws_slice_use(c, m, false);
    ws_cache_touch(&c->l2_cache, cache_of(c, l2), number, &use);
}

/* Something happens to the line that is no new use of it. */
static inline void renew_line(const ws_coherence *c, ws_l2 *l2, const ws_l2_line *line)
{
    ws_cache_renew(&c->l2_cache, cache_of(c, l2), number_of(c, l2, line));
}

/* The empty line gets the block. */
static inline void name_line(const ws_coherence *c, ws_l2 *l2, ws_l2_line *line, const ws_coherence_message *m)
{
    const ws_cache_use use = ws_slice_use(c, m, true);
    ws_cache_miss(&c->l2_cache, cache_of(c, l2), &use);
    ws_cache_put(&c->l2_cache, cache_of(c, l2), number_of(c, l2, line), &use);
    line->block = m->block;
}

/* An empty line for the block of a line that is put there without a request, or NULL. */
static inline ws_l2_line *find_empty_line(const ws_coherence *c, ws_l2 *l2, uint64_t block)
{
    const uint32_t set = set_of(c, block), way = ws_cache_empty_way(&c->l2_cache, cache_of(c, l2), set);
    return way < c->config.l2_ways ? lines_of(c, l2) + (size_t)set * c->config.l2_ways + way : NULL;
}

/* One transition of a line, or several of one call. */
typedef struct ws_l2_step {
    const ws_coherence *c;
    ws_l2 *l2;
    ws_l2_line *line;
    const ws_coherence_message *message; /* NULL when a line is given up */
    uint64_t block, now;
    const ws_coherence_ports *ports;
    bool in_queue; /* the message stands in the queue already */
    bool kept;     /* and does so afterwards */
    bool fetched;  /* the line was fetched for it */
} ws_l2_step;

/* Serves whatever in the queue can be served, in order, until nothing moves; `before` requests stand before the one
 * that is served. The first request for the block that has just come, if one has, is the one that it was fetched for.
 */
static inline int ws_l2_pump(const ws_l2_step *of, const uint64_t *come, int (*serve)(ws_l2_step *s, size_t before))
{
    ws_l2 *const l2 = of->l2;
    for (size_t i = 0; i < l2->queue_count;) {
        ws_l2_step s = {.c = of->c, .l2 = l2, .now = of->now, .ports = of->ports, .in_queue = true};
        s.message = queued(of->c, l2, i);
        s.fetched = come && s.message->block == *come;
        const int rc = serve(&s, i);
        if (rc < 0)
            return rc;
        if (s.fetched)
            come = NULL;
        if (s.kept)
            i++;
        else
            unqueue(of->c, l2, i);
    }
    return WS_OK;
}

/* l2.c: WS_EVERIFY, since the protocol has no row for the event. */
int ws_l2_no_row(const ws_coherence *coherence, const ws_l2 *l2, uint8_t state, int event);

#endif
