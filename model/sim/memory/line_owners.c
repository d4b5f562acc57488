/* line_owners.c - see line_owners.h. Open addressing; what follows a line that leaves moves up (Knuth, The Art of
 * Computer Programming 3, 6.4, algorithm R). */
#include "model/sim/memory/line_owners.h"

#include <string.h>

typedef struct waiter {
    ws_plain_access access;
    uint32_t next, padding; /* 1 + place */
} waiter;

typedef struct owners {
    uint64_t slots, waiters; /* slots: a power of two */
    uint32_t spare, busy;
    ws_line_owner slot[]; /* then the waiters */
} owners;

static size_t slots_for(size_t owned)
{
    size_t slots = 16;
    while (slots < 2 * owned)
        slots *= 2;
    return slots;
}

static waiter *waiter_at(const owners *o, uint32_t number)
{
    return (waiter *)(void *)((char *)o + sizeof *o + o->slots * sizeof(ws_line_owner)) + number - 1;
}

size_t ws_owners_bytes(size_t owned, size_t waiting)
{
    return sizeof(owners) + slots_for(owned) * sizeof(ws_line_owner) + waiting * sizeof(waiter);
}

void ws_owners_init(void *memory, size_t owned, size_t waiting)
{
    owners *const o = memory;
    o->slots = slots_for(owned);
    o->waiters = waiting;
    for (uint32_t i = (uint32_t)waiting; i; i--) {
        waiter_at(o, i)->next = o->spare;
        o->spare = i;
    }
}

static size_t home_of(const owners *o, uint64_t line)
{
    return (size_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (o->slots - 1);
}

ws_line_owner *ws_owners_find(void *memory, uint64_t line, bool make)
{
    owners *const o = memory;
    size_t at = home_of(o, line);
    while (o->slot[at].line && o->slot[at].line != line + 1)
        at = (at + 1) & (o->slots - 1);
    if (!o->slot[at].line && make)
        o->slot[at] = (ws_line_owner){.line = line + 1, .owner = WS_PLAIN_NOBODY};
    return o->slot[at].line ? &o->slot[at] : NULL;
}

void ws_owners_forget(void *memory, ws_line_owner *of)
{
    owners *const o = memory;
    size_t hole = (size_t)(of - o->slot);
    for (size_t at = (hole + 1) & (o->slots - 1); o->slot[at].line; at = (at + 1) & (o->slots - 1)) {
        const size_t home = home_of(o, o->slot[at].line - 1);
        if (((at - home) & (o->slots - 1)) < ((at - hole) & (o->slots - 1)))
            continue;
        o->slot[hole] = o->slot[at];
        hole = at;
    }
    memset(&o->slot[hole], 0, sizeof *o->slot);
}

void ws_owners_wait(void *memory, ws_line_owner *of, const ws_plain_access *access)
{
    owners *const o = memory;
    const uint32_t number = o->spare;
    waiter *const w = waiter_at(o, number);
    o->spare = w->next;
    o->busy++;
    *w = (waiter){.access = *access};
    *(of->last ? &waiter_at(o, of->last)->next : &of->first) = number;
    of->last = number;
}

const ws_plain_access *ws_owners_first(const void *memory, const ws_line_owner *of)
{
    return of->first ? &waiter_at(memory, of->first)->access : NULL;
}

void ws_owners_take_first(void *memory, ws_line_owner *of)
{
    owners *const o = memory;
    const uint32_t number = of->first;
    waiter *const w = waiter_at(o, number);
    of->first = w->next;
    of->last = of->first ? of->last : 0;
    memset(w, 0, sizeof *w);
    w->next = o->spare;
    o->spare = number;
    o->busy--;
}

uint32_t ws_owners_busy(const void *memory)
{
    return ((const owners *)memory)->busy;
}

void ws_owners_count(void *memory, int by)
{
    ((owners *)memory)->busy += (uint32_t)by;
}
