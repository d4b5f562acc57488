/* l2_memory_internal.h - accessors of the memory of an L2 slice. */
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

/* Removes the completed request from the queue; later ones move up. */
static inline void unqueue(const ws_coherence *c, ws_l2 *l2, size_t index)
{
    const size_t behind = --l2->queue_count - index;
    memmove(queued(c, l2, index), queued(c, l2, index + 1), behind * c->message_bytes);
    memset(queued(c, l2, l2->queue_count), 0, c->message_bytes);
}

/* Returns whether one of the first `before` requests is for the block; a new request then waits behind it. */
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

/* Returns NULL if the block is not in its set. */
static inline ws_l2_line *find_line(const ws_coherence *c, const void *l2, uint64_t block)
{
    const uint32_t line = ws_cache_find(&c->l2_cache, cache_of(c, l2), ws_slice_map_local(&c->map, block));
    return line == WS_CACHE_NONE ? NULL : lines_of(c, l2) + line;
}

/* Records a hit of the request. */
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

/* Records an event of the line that is not a new use. */
static inline void renew_line(const ws_coherence *c, ws_l2 *l2, const ws_l2_line *line)
{
    ws_cache_renew(&c->l2_cache, cache_of(c, l2), number_of(c, l2, line));
}

/* Assigns the empty line to the block. */
static inline void name_line(const ws_coherence *c, ws_l2 *l2, ws_l2_line *line, const ws_coherence_message *m)
{
    const ws_cache_use use = ws_slice_use(c, m, true);
    ws_cache_miss(&c->l2_cache, cache_of(c, l2), &use);
    ws_cache_put(&c->l2_cache, cache_of(c, l2), number_of(c, l2, line), &use);
    line->block = m->block;
}

/* Returns an empty line for a block inserted without a request, or NULL. */
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
    const ws_coherence_message *message; /* NULL for an eviction */
    uint64_t block, now;
    const ws_coherence_ports *ports;
    bool in_queue;    /* the message is already in the queue */
    bool kept;        /* the message remains in the queue */
    bool fetched;     /* the line was fetched for it */
    uint64_t visible; /* physical: time from which all SMs see the store; 0: now */
} ws_l2_step;

/* In l2.c: fails with WS_EVERIFY, as the protocol has no row for the event. */
int ws_l2_no_row(const ws_coherence *coherence, const ws_l2 *l2, uint8_t state, int event);

typedef void ws_l2_action(ws_l2_step *s);

static inline void ws_l2_release(ws_l2_step *s, bool replaced)
{
    const ws_coherence *const c = s->c;
    ws_cache_drop(&c->l2_cache, cache_of(c, s->l2), number_of(c, s->l2, s->line),
                  (ws_cache_end){.replaced = replaced, .dirty = s->line->dirty});
    if (c->config.words)
        memset(data_of(c, s->l2, s->line), 0, block_bytes(c));
    memset(s->line, 0, sizeof *s->line);
    s->line = NULL;
}

/* Executes the row of the event with its actions. Afterwards the line is empty (`replaced`: evicted for another), or
 * `note` records its use. */
static inline int ws_l2_happen(ws_l2_step *s, int event, ws_l2_action *const *actions, bool replaced,
                               void (*note)(const ws_l2_step *s, int event))
{
    const uint8_t state = s->line ? s->line->state : L2_I;
    const ws_row *const row = s->c->l2[state][event];
    if (!row)
        return ws_l2_no_row(s->c, s->l2, state, event);
    if (s->line)
        s->line->state = row->next;
    for (int i = 0; i < ROW_ACTIONS && row->actions[i]; i++)
        actions[row->actions[i]](s);
    if (s->line && row->next == L2_I)
        ws_l2_release(s, replaced);
    else if (s->line)
        note(s, event);
    return WS_OK;
}

/* Returns an answer to the request, without data and times. */
static inline ws_coherence_message ws_l2_answer(const ws_l2_step *s, uint8_t type)
{
    ws_coherence_message m;
    memset(&m, 0, offsetof(ws_coherence_message, data));
    m.type = type;
    m.sm = s->message->sm;
    m.warp = s->message->warp;
    m.id = s->message->id;
    m.tag = s->message->tag;
    m.unit = s->message->unit;
    m.block = s->block;
    return m;
}

/* Serves all requests of the queue that can be served, in order, until none can. `before` is the number of requests
 * ahead of the served one. If a block has arrived (`come`), the first request for it is the one that it was fetched
 * for. */
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

#endif
