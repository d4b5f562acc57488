/* lru.c - see lru.h.
 *
 * Slots name places and lines their slots; a slot whose line names another one, or whose place is not taken, is free.
 * So nothing has to be cleared. There are two slots for each place. */
#include "base/lru.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64, FIRST_ROOM = 16, TIMES = 4 /* for each place */ };

void ws_lru_init(ws_lru *lru, uint32_t limit)
{
    *lru = (ws_lru){.limit = limit};
    ws_lru_clear(lru);
}

void ws_lru_fini(ws_lru *lru)
{
    free(lru->at);
    ws_lru_init(lru, lru->limit);
}

void ws_lru_clear(ws_lru *lru)
{
    lru->lines = lru->holes = lru->places = lru->now = lru->oldest = 0;
    lru->free = WS_LRU_NONE;
    lru->gone = lru->first = WS_LRU_HOLE;
}

/* ------------------------------------------------------------------------------------------------ times */

/* Node i, from 1 on, is the sum over words i - 1 .. i - 2 + (lowest bit of i). */
static void add(ws_lru *lru, uint32_t word, uint32_t count)
{
    for (uint32_t i = word + 1; i; i &= i - 1)
        lru->later[i - 1] += count;
}

uint64_t ws_lru_since(const ws_lru *lru, uint32_t time)
{
    const uint32_t word = time / WORD, last = (lru->now - 1) / WORD;
    uint32_t count = ws_popcount64(lru->last[word] >> time % WORD >> 1);
    if (word == last)
        return count;
    for (uint32_t i = word + 2; i <= last; i += i & -i)
        count += lru->later[i - 1];
    return count + ws_popcount64(lru->last[last]);
}

bool ws_lru_next(const ws_lru *lru, uint32_t *time)
{
    for (; *time < lru->now; *time = (*time / WORD + 1) * WORD) {
        const uint64_t bits = lru->last[*time / WORD] >> *time % WORD;
        if (bits) {
            *time += (uint32_t)__builtin_ctzll(bits);
            return true;
        }
    }
    return false;
}

/* No last use any more. */
static void forget(ws_lru *lru, uint32_t time)
{
    lru->last[time / WORD] &= ~(UINT64_C(1) << time % WORD);
    if (time / WORD != (lru->now - 1) / WORD)
        add(lru, time / WORD, UINT32_MAX); /* minus one */
}

static void stamp(ws_lru *lru, uint32_t place)
{
    const uint32_t time = lru->now++, word = time / WORD;
    if (time % WORD == 0) {
        if (word)
            add(lru, word - 1, ws_popcount64(lru->last[word - 1]));
        lru->last[word] = 0;
        lru->later[word] = 0;
    }
    lru->last[word] |= UINT64_C(1) << time % WORD;
    lru->user[time] = place;
    lru->at[place].time = time;
}

/* Last uses get the times from 0 on. */
static void renumber(ws_lru *lru)
{
    const uint32_t words = lru->now / WORD;
    lru->now = lru->oldest = 0;
    for (uint32_t word = 0; word < words; word++)
        for (uint64_t bits = lru->last[word]; bits; bits &= bits - 1)
            stamp(lru, lru->user[word * WORD + (uint32_t)__builtin_ctzll(bits)]);
}

/* ------------------------------------------------------------------------------------------------ lines */

static uint32_t home(const ws_lru *lru, uint64_t line)
{
    return (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> lru->shift);
}

static bool is_taken(const ws_lru *lru, uint32_t slot)
{
    const uint32_t place = lru->slot[slot];
    return place < lru->places && lru->at[place].slot == slot;
}

/* *slot: that of the line, or the free one where it belongs. */
static inline uint32_t find(const ws_lru *lru, uint64_t line, uint32_t *slot)
{
    const uint32_t mask = 2 * lru->room - 1, places = lru->places;
    for (*slot = home(lru, line);; *slot = (*slot + 1) & mask) {
        const uint32_t place = lru->slot[*slot];
        if (place >= places || lru->at[place].slot != *slot)
            return WS_LRU_NONE;
        if (lru->at[place].line == line)
            return place;
    }
}

uint32_t ws_lru_find(const ws_lru *lru, uint64_t line)
{
    uint32_t slot;
    return lru->room ? find(lru, line, &slot) : WS_LRU_NONE;
}

static void put(ws_lru *lru, uint32_t slot, uint32_t place)
{
    lru->slot[slot] = place;
    lru->at[place].slot = slot;
}

/* Takes a line out of the table; later ones of its chain move up (Knuth, 6.4, algorithm R).
 * The slot that is free now. */
static uint32_t take_out(ws_lru *lru, uint32_t place)
{
    const uint32_t mask = 2 * lru->room - 1;
    uint32_t hole = lru->at[place].slot, slot = hole;
    lru->at[place].slot = WS_LRU_NONE;
    lru->at[place].line = WS_LRU_HOLE;
    for (;;) {
        slot = (slot + 1) & mask;
        if (!is_taken(lru, slot))
            return hole;
        const uint32_t moved = lru->slot[slot];
        if (((slot - home(lru, lru->at[moved].line)) & mask) >= ((slot - hole) & mask)) {
            put(lru, hole, moved);
            hole = slot;
        }
    }
}

/* Another stack may lie behind it. */
static size_t bytes_of(size_t room, size_t times)
{
    const size_t words = times / WORD, numbers = words + times + 2 * room + (words + times) % 2;
    return room * sizeof(ws_lru_line) + words * sizeof(uint64_t) + numbers * sizeof(uint32_t);
}

static void lay_out(ws_lru *lru, void *memory, size_t room, size_t times)
{
    lru->at = memory;
    lru->last = (void *)(lru->at + room);
    lru->later = (void *)(lru->last + times / WORD);
    lru->user = lru->later + times / WORD;
    lru->slot = lru->user + times;
    lru->room = (uint32_t)room;
    lru->times = (uint32_t)times;
    lru->shift = 63 - (uint32_t)__builtin_ctzll(room);
}

static int grow(ws_lru *lru, size_t room, size_t times)
{
    const ws_lru old = *lru;
    void *const memory =
        room <= WS_LRU_MOST && times <= (size_t)WS_LRU_MOST * TIMES ? calloc(1, bytes_of(room, times)) : NULL;
    if (!memory)
        return ws_fail(WS_EMEM, "no memory for the reuse distances of %u lines", lru->lines);
    lay_out(lru, memory, room, times);
    if (!old.at)
        return WS_OK;
    memcpy(lru->at, old.at, old.places * sizeof *lru->at);
    memcpy(lru->last, old.last, old.times / WORD * sizeof *lru->last);
    memcpy(lru->later, old.later, old.times / WORD * sizeof *lru->later);
    memcpy(lru->user, old.user, old.now * sizeof *lru->user);
    free(old.at);
    for (uint32_t place = 0; place < lru->places; place++)
        lru->at[place].slot = WS_LRU_NONE;
    for (uint32_t place = 0, slot; place < lru->places; place++)
        if (lru->at[place].line != WS_LRU_HOLE) {
            find(lru, lru->at[place].line, &slot);
            put(lru, slot, place);
        }
    return WS_OK;
}

static size_t room_for(size_t lines, size_t room)
{
    while (room < lines)
        room *= 2;
    return room;
}

int ws_lru_reserve(ws_lru *lru, size_t lines, size_t uses)
{
    const size_t room = room_for(lines, lru->room ? lru->room : FIRST_ROOM);
    size_t times = lru->times > TIMES * room ? lru->times : TIMES * room;
    while (times < uses)
        times *= 2;
    return room > lru->room || times > lru->times ? grow(lru, room, times) : WS_OK;
}

/* One allocation: the sets, then the memory of each. */
ws_lru *ws_lru_sets_create(size_t sets, uint32_t ways)
{
    const size_t room = room_for(ways, FIRST_ROOM), bytes = bytes_of(room, TIMES * room);
    ws_lru *const set = room <= WS_LRU_MOST ? calloc(sets, sizeof *set + bytes) : NULL;
    if (!set)
        ws_fail(WS_EMEM, "no memory for %zu sets of a cache", sets);
    for (size_t i = 0; set && i < sets; i++) {
        ws_lru_init(&set[i], ways);
        lay_out(&set[i], (char *)(set + sets) + i * bytes, room, TIMES * room);
    }
    return set;
}

void ws_lru_sets_destroy(ws_lru *set)
{
    free(set);
}

void ws_lru_sets_clear(ws_lru *set, size_t sets)
{
    for (size_t i = 0; i < sets; i++)
        ws_lru_clear(&set[i]);
}

void ws_lru_remove(ws_lru *lru, uint32_t place)
{
    forget(lru, lru->at[place].time);
    lru->first = lru->at[place].line == lru->first ? WS_LRU_HOLE : lru->first;
    take_out(lru, place);
    lru->at[place].time = lru->free;
    lru->free = place;
    lru->lines--;
}

void ws_lru_drop(ws_lru *lru, uint32_t place)
{
    lru->first = lru->at[place].line == lru->first ? WS_LRU_HOLE : lru->first;
    take_out(lru, place);
    lru->holes++;
}

/* ------------------------------------------------------------------------------------------------ uses */

/* The first hole above the line at this place, or any. */
static uint32_t hole_above(const ws_lru *lru, uint32_t place)
{
    const uint32_t end = place == WS_LRU_NONE ? 0 : lru->at[place].time + 1;
    for (uint32_t time = lru->now; time-- > end;)
        if (lru->last[time / WORD] >> time % WORD & 1 && lru->at[lru->user[time]].line == WS_LRU_HOLE)
            return lru->user[time];
    return WS_LRU_NONE;
}

/* The line used longest ago gives up its place. *slot, where another line belongs, is still that. */
static uint32_t push_out(ws_lru *lru, uint64_t line, uint32_t *slot)
{
    ws_lru_next(lru, &lru->oldest);
    const uint32_t place = lru->user[lru->oldest], mask = 2 * lru->room - 1, begin = home(lru, line);
    lru->gone = lru->at[place].line;
    forget(lru, lru->oldest);
    const uint32_t freed = take_out(lru, place);
    if (((freed - begin) & mask) < ((*slot - begin) & mask))
        *slot = freed;
    return place;
}

/* A place for a line that is in no hole, and its slot. */
static int take_place(ws_lru *lru, uint64_t line, uint32_t *slot, uint32_t *place)
{
    *place = lru->free;
    if (lru->lines == lru->limit) {
        *place = push_out(lru, line, slot);
        return WS_OK;
    }
    if (*place != WS_LRU_NONE) {
        lru->free = lru->at[*place].time;
    } else {
        if (lru->places == lru->room) {
            const int status = ws_lru_reserve(lru, lru->places + 1, 0);
            if (status)
                return status;
            find(lru, line, slot);
        }
        *place = lru->places++;
    }
    lru->lines++;
    return WS_OK;
}

/* The line fills a hole; one that was below leaves a hole there. */
static uint32_t fill_hole(ws_lru *lru, uint32_t hole, uint32_t place)
{
    forget(lru, lru->at[hole].time);
    if (place == WS_LRU_NONE) {
        lru->holes--;
        return hole;
    }
    lru->at[hole].time = lru->at[place].time;
    lru->user[lru->at[hole].time] = hole;
    return place;
}

int ws_lru_use_slow(ws_lru *lru, uint64_t line, uint64_t *distance)
{
    if (lru->now == lru->times)
        renumber(lru);
    uint32_t slot = 0, place = lru->room ? find(lru, line, &slot) : WS_LRU_NONE;
    const uint32_t hole = lru->holes ? hole_above(lru, place) : WS_LRU_NONE;
    const bool comes = place == WS_LRU_NONE;
    *distance = ws_lru_distance(lru, place);
    lru->gone = WS_LRU_HOLE;
    if (hole != WS_LRU_NONE)
        place = fill_hole(lru, hole, place);
    else if (!comes)
        forget(lru, lru->at[place].time);
    else if (take_place(lru, line, &slot, &place))
        return WS_EMEM;
    if (comes) {
        lru->at[place].line = line;
        put(lru, slot, place);
    }
    stamp(lru, place);
    lru->first = line;
    return WS_OK;
}
