/* wst_codec.c - how few bytes tell what a block did?
 *
 * Control: a table says for each place (what the warp did last and before that) what came next the last time. Warps and
 * loop iterations of one block repeat each other, so most events are as predicted, and runs of them are one number. An
 * entry is replaced only when it was wrong twice in a row: a loop's exit does not spoil its next round.
 * Addresses: the next access of a warp at an instruction is predicted at the distance of its last two there, the first
 * access of a warp at the distance that the first accesses of the warps before it had, with the lanes laid out as the
 * last time. What is left over is told as a distance, a stride, or lane by lane. */
#include "collect/wst/wst_codec_internal.h"

#include "base/grow.h"

#include <stdlib.h>

enum {
    NEXT_LOG2 = 12, /* entries of the table of what comes next */
    SURE = 2        /* times in a row that an entry may be wrong before it is replaced */
};

/* ------------------------------------------------------------------------------------------------ life */

ws_wst_codec *ws_wst_codec_create(const ws_launch *launch)
{
    ws_wst_codec *const c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->launch = launch;
    c->warps = launch->warps_per_block;
    c->memory_of = calloc(launch->instrs + 1, sizeof *c->memory_of);
    for (size_t i = 0; c->memory_of && i < launch->instrs; i++) {
        c->memory_of[i] = c->memories;
        c->memories += groups_of(&launch->instr[i]);
    }
    c->next = calloc((size_t)1 << NEXT_LOG2, sizeof *c->next);
    c->at = calloc(launch->instrs + 1, sizeof *c->at);
    c->pattern = calloc((size_t)c->memories + 1, sizeof *c->pattern);
    c->place = calloc((size_t)c->memories * c->warps + 1, sizeof *c->place);
    c->warp = calloc((size_t)c->warps + 1, sizeof *c->warp);
    if (!c->memory_of || !c->next || !c->at || !c->pattern || !c->place || !c->warp) {
        ws_wst_codec_destroy(c);
        return NULL;
    }
    return c;
}

void ws_wst_codec_destroy(ws_wst_codec *c)
{
    if (!c)
        return;
    free(c->memory_of);
    free(c->next);
    free(c->known);
    free(c->at);
    for (uint32_t i = 0; c->pattern && i < c->memories; i++)
        free(c->pattern[i].offset);
    free(c->pattern);
    free(c->place);
    free(c->warp);
    for (unsigned i = 0; i < 3; i++)
        ws_bytes_fini(&c->row[i]);
    free(c->event);
    free(c->address);
    free(c->value);
    free(c->lanes);
    free(c);
}

void ws_wst_begin(ws_wst_codec *c)
{
    c->age++;
    c->base = 0;
    c->current = 0;
    c->events = c->accesses = c->values = c->warp_instructions = 0;
    c->pending_events = c->pending_accesses = 0;
    for (unsigned i = 0; i < 3; i++)
        c->row[i].length = 0;
}

bool ws_wst_full(const ws_wst_codec *c)
{
    return c->events >= WS_WST_SEGMENT_EVENTS || c->accesses >= WS_WST_SEGMENT_ACCESSES ||
           c->values >= WS_WST_SEGMENT_EVENTS;
}

/* ------------------------------------------------------------------------------------------------ what comes next */

static next_entry *new_entry(ws_wst_codec *c, uint16_t *number)
{
    if (WS_GROW(c->known, c->known_room, c->knowns, 1)) {
        c->short_of_memory = true;
        return &c->spare;
    }
    c->known[c->knowns++] = (next_entry){0};
    *number = (uint16_t)c->knowns;
    return &c->known[c->knowns - 1];
}

next_entry *codec_next(ws_wst_codec *c, const warp_state *w)
{
    const shape *const s = &w->last;
    const uint32_t way = s->kind != WS_EVENT_BRANCH ? 0 : s->aux == 0 ? 1 : s->aux == s->active ? 2 : 3;
    const uint32_t hash = (s->pc * 8 + way) * 0x9e3779b1u ^ w->before * 0x85ebca6bu;
    uint16_t *const number = &c->next[(hash * 0xc2b2ae35u) >> (32 - NEXT_LOG2)];
    return *number ? &c->known[*number - 1] : new_entry(c, number);
}

void codec_learn(ws_wst_codec *c, warp_state *w, next_entry *entry, const shape *s)
{
    if (entry->age != c->age || (!same_shape(&entry->shape, s) && ++entry->wrong >= SURE)) {
        entry->age = c->age;
        entry->shape = *s;
        entry->wrong = 0;
    } else if (same_shape(&entry->shape, s)) {
        entry->wrong = 0;
    }
    c->at[s->pc].age = c->age;
    c->at[s->pc].shape = *s;
    w->before = w->last.pc;
    w->last = *s;
}

void codec_set_offsets(ws_wst_codec *c, pattern *p, uint32_t exec, const uint64_t *address)
{
    const unsigned low = ws_lowest(exec);
    if (!p->offset && !(p->offset = calloc(WS_WARP, sizeof *p->offset))) {
        c->short_of_memory = true;
        return;
    }
    p->affine = false;
    p->exec = exec;
    WS_EACH_LANE (lane, exec)
        p->offset[lane] = address[lane] - address[low];
}
