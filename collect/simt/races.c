/* races.c - do warps of one block touch the same bytes in an order that nothing fixes?
 *
 * Between two points of order, plain loads and stores to shared and global memory are noted by the word they touch: which warp
 * loaded it, which stored another value over it, which stored the value that it had already. A race is then a store that changes
 * what another warp loaded or stored, or a load of what another warp changed. Stores of equal values are none, nor are atomics.
 * Points of order are barriers of any kind, fences, volatile and ordered accesses, and atomics that return a value, of any
 * warps of the block: all that was noted is forgotten there. So what is told is a race, and not every race is told; neither are
 * those of different blocks, of accesses that differ in size below a word, or of asynchronous copies, matrices and textures. */
#include "collect/simt/simt_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PLACES = 1024, MOST_PLACES = 1 << 18, NOBODY = 0, SEVERAL = UINT16_MAX, WORD = 4 };

typedef struct access_note {
    uint16_t warp; /* index + 1, or SEVERAL */
    uint32_t pc;
} access_note;

typedef struct place_note {
    uintptr_t key;  /* twice the host address, and one for a byte alone */
    uint32_t epoch; /* in which it was noted; of an earlier one it is free */
    access_note read, changed, kept;
} place_note;

struct races {
    place_note *place; /* [room], open addressing; base/table.h cannot forget all at no cost, as each point of order does */
    uint32_t room, used, epoch;
    uint64_t count; /* accesses of the block */
    char *first;    /* the first of them in words */
};

races *races_create(void)
{
    races *const r = calloc(1, sizeof *r);
    if (r)
        r->place = calloc(FIRST_PLACES, sizeof *r->place);
    if (!r || !r->place) {
        free(r);
        return NULL;
    }
    r->room = FIRST_PLACES;
    r->epoch = 1;
    return r;
}

void races_destroy(races *r)
{
    if (!r)
        return;
    free(r->place);
    free(r->first);
    free(r);
}

void races_order(races *r)
{
    if (!r->used)
        return;
    r->used = 0;
    if (!++r->epoch) { /* numbers are used up */
        memset(r->place, 0, r->room * sizeof *r->place);
        r->epoch = 1;
    }
}

static place_note *slot_of(const races *r, uintptr_t key)
{
    uint64_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    while (r->place[at & (r->room - 1)].epoch == r->epoch && r->place[at & (r->room - 1)].key != key)
        at++;
    return &r->place[at & (r->room - 1)];
}

/* Twice the room; where that is too much, or cannot be had, what was noted is forgotten. */
static void grow(races *r)
{
    place_note *const more = r->room < MOST_PLACES ? calloc(2 * (size_t)r->room, sizeof *more) : NULL;
    if (!more) {
        races_order(r);
        return;
    }
    const races old = *r;
    r->place = more;
    r->room *= 2;
    for (uint32_t i = 0; i < old.room; i++)
        if (old.place[i].epoch == r->epoch)
            *slot_of(r, old.place[i].key) = old.place[i];
    free(old.place);
}

static place_note *note_of(races *r, uintptr_t key)
{
    place_note *p = slot_of(r, key);
    if (p->epoch == r->epoch)
        return p;
    if (2 * (r->used + 1) > r->room) {
        grow(r);
        p = slot_of(r, key);
    }
    r->used++;
    *p = (place_note){.key = key, .epoch = r->epoch};
    return p;
}

static bool is_others(const access_note *n, const warp *w)
{
    return n->warp != NOBODY && n->warp != w->index + 1;
}

static void add(access_note *n, const warp *w, uint32_t pc)
{
    const uint16_t self = (uint16_t)(w->index + 1);
    if (n->warp == NOBODY || n->warp == self || is_others(n, w)) /* another's instruction is told */
        *n = (access_note){.warp = n->warp == NOBODY || n->warp == self ? self : SEVERAL, .pc = pc};
}

/* What another access did before this one, that the two make a race; NULL: they make none. */
static const access_note *met(place_note *p, const warp *w, bool store, bool changes, const char **how)
{
    *how = store ? "stores over what %s stored" : "loads what %s stored";
    if (is_others(&p->changed, w) && (!store || changes))
        return &p->changed;
    if (!store || !changes)
        return NULL;
    if (is_others(&p->kept, w))
        return &p->kept;
    *how = "stores over what %s loaded";
    return is_others(&p->read, w) ? &p->read : NULL;
}

static void tell_first(races *r, warp *w, const uop *u, unsigned lane, const access_note *other, const char *how)
{
    char who[48], what[256], where[256], line[768];
    const code *const c = w->block->launch->code;
    const ws_instr *const in = &c->instr[other->pc];
    if (other->warp == SEVERAL)
        snprintf(who, sizeof who, "other warps of the block");
    else
        snprintf(who, sizeof who, "warp %u of the block", other->warp - 1u);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(what, sizeof what, how, who);
#pragma GCC diagnostic pop
    if (!ws_origin_words(c->origin, other->pc, where, sizeof where))
        snprintf(where, sizeof where, "line %u", in->line);
    snprintf(line, sizeof line, "a race: %s at %s (`%s`), with no barrier or atomic between", what, where, in->opcode);
    r->first = block_words(w, u, lane, line);
}

/* One lane's access to `bytes` at `host`. `before` is what stood there before a store, NULL of a load. */
static bool see_lane(races *r, warp *w, const uop *u, unsigned lane, const unsigned char *host, unsigned bytes,
                     const unsigned char *before)
{
    const unsigned unit = ((uintptr_t)host | bytes) % WORD ? 1 : WORD;
    bool race = false;
    for (unsigned i = 0; i < bytes; i += unit) {
        const bool changes = before && memcmp(before + i, host + i, unit) != 0;
        place_note *const p = note_of(r, 2 * (uintptr_t)(host + i) + (unit == 1));
        const char *how;
        const access_note *const other = met(p, w, before, changes, &how);
        if (other && !r->first)
            tell_first(r, w, u, lane, other, how);
        race = race || other;
        add(!before ? &p->read : changes ? &p->changed : &p->kept, w, u->pc);
    }
    return race;
}

void races_see(races *r, warp *w, const uop *u, uint32_t lanes, unsigned bytes, unsigned char *const *host,
               const unsigned char (*before)[RACES_BYTES])
{
    bool race = false;
    WS_EACH_LANE (lane, lanes)
        race |= see_lane(r, w, u, (unsigned)lane, host[lane], bytes, before ? before[lane] : NULL);
    r->count += race;
}

void races_end_block(block *b)
{
    races *const r = b->races;
    launch *const l = b->launch;
    if (r->count) {
        pthread_mutex_lock(&l->lock);
        l->races += r->count;
        if (!l->race || b->index < l->race_block) {
            free(l->race);
            l->race = r->first;
            l->race_block = b->index;
            r->first = NULL;
        }
        pthread_mutex_unlock(&l->lock);
    }
    free(r->first);
    r->first = NULL;
    r->count = 0;
    races_order(r);
}

void races_tell(launch *l)
{
    char *line;
    if (l->race && l->device->note && !l->kernel->raced &&
        asprintf(&line, "%s; %llu access%s of the launch, and what they leave depends on who comes first (--turns)", l->race,
                 (unsigned long long)l->races, l->races == 1 ? "" : "es") >= 0) {
        l->device->note(l->device->note_context, line);
        l->kernel->raced = true;
        free(line);
    }
    free(l->race);
}
