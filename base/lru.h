/* lru.h - LRU stack: lines in the order of their last use, and the stack distance of each use.
 *
 * The distance of a use is the number of other lines used since the previous use of the same line. A fully associative
 * LRU cache of n lines hits exactly the uses whose distance is below n (R. Mattson, J. Gecsei, D. Slutz, I. Traiger,
 * "Evaluation Techniques for Storage Hierarchies", IBM Systems Journal 9(2), 1970). Each set of a set-associative cache
 * is a separate stack.
 *
 * Each use gets the next number, its time. A bit per time marks the last use of a line; a distance is the number of
 * bits after a time. It is the sum over two words and a tree of sums for the words between them (P. Fenwick, "A New
 * Data Structure for Cumulative Frequency Tables", 1994). The cost is logarithmic in the distance. Times are renumbered
 * when they run out: memory depends on the number of lines, not of uses. */
#ifndef WS_LRU_H
#define WS_LRU_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_LRU_FAR  UINT64_MAX /* distance of a line not in the stack */
#define WS_LRU_NONE UINT32_MAX /* place of a line not in the stack */
#define WS_LRU_HOLE UINT64_MAX /* no line */

enum { WS_LRU_MOST = 1 << 29 /* lines of a stack without a limit */ };

typedef struct ws_lru_line {
    uint64_t line; /* WS_LRU_HOLE for a hole */
    uint32_t time; /* time of the last use */
    uint32_t slot; /* index of its place in the hash table */
} ws_lru_line;

/* Members are read-only for callers. A line has a place, below `places`, while it is in the stack. */
typedef struct ws_lru {
    ws_lru_line *at; /* [places] */
    uint32_t *slot;  /* [2 * room] hash table of places; an entry is valid if the line there names this slot */
    uint32_t *user;  /* [now] place by time */
    uint64_t *last;  /* [times / 64] bits: the last use of a line, or a hole */
    uint32_t *later; /* [times / 64] sums of these bits, without the last word */
    uint64_t gone;   /* line that the last use evicted, or WS_LRU_HOLE */
    uint64_t first;  /* most recently used line, or WS_LRU_HOLE */
    uint32_t lines;  /* including holes */
    uint32_t holes, limit, places, room, free; /* `free`: list of places by time */
    uint32_t now, oldest, times;               /* `oldest`: no last use is earlier */
    uint32_t shift;                            /* of the hash function */
} ws_lru;

/* Initializes an empty stack of at most `limit` lines, 1 .. WS_LRU_MOST; a further line evicts the least recent one.
 * Memory is allocated on use: about 40 bytes per line, and half as much again while it grows. Free with ws_lru_fini,
 * also after a failure. */
void ws_lru_init(ws_lru *lru, uint32_t limit);
void ws_lru_fini(ws_lru *lru); /* leaves an empty stack */

/* Removes all lines, in constant time. */
void ws_lru_clear(ws_lru *lru);

/* Creates one stack per set of a cache; uses of them cannot fail. Returns NULL and WS_EMEM when memory is short. The
 * stacks share one allocation, so none may be freed or enlarged separately. */
ws_lru *ws_lru_sets_create(size_t sets, uint32_t ways);
void ws_lru_sets_destroy(ws_lru *set); /* accepts NULL */
void ws_lru_sets_clear(ws_lru *set, size_t sets);

/* Reserves memory for `lines` lines and `uses` uses. Up to that number of lines, uses cannot fail; up to that number of
 * uses, times are not renumbered. Returns WS_OK or WS_EMEM. */
int ws_lru_reserve(ws_lru *lru, size_t lines, size_t uses);

/* Uses a line, any but WS_LRU_HOLE. Sets *distance to its stack distance, or to WS_LRU_FAR. A new line takes the place
 * of the line that it evicts, or of a hole. Returns WS_OK or WS_EMEM. */
int ws_lru_use_slow(ws_lru *lru, uint64_t line, uint64_t *distance);
static inline int ws_lru_use(ws_lru *lru, uint64_t line, uint64_t *distance)
{
    if (lru->first != line)
        return ws_lru_use_slow(lru, line, distance);
    lru->gone = WS_LRU_HOLE;
    *distance = 0;
    return WS_OK;
}

/* Returns the place of the most recently used line, which must still be in the stack. */
static inline uint32_t ws_lru_first(const ws_lru *lru)
{
    return lru->user[lru->now - 1];
}

/* Returns the place of a line, or WS_LRU_NONE. */
uint32_t ws_lru_find(const ws_lru *lru, uint64_t line);
/* Returns the number of lines and holes whose last use is later than `time`. */
uint64_t ws_lru_since(const ws_lru *lru, uint32_t time);
/* Returns the distance of the line at a place; WS_LRU_FAR for WS_LRU_NONE. */
static inline uint64_t ws_lru_distance(const ws_lru *lru, uint32_t place)
{
    return place == WS_LRU_NONE ? WS_LRU_FAR : ws_lru_since(lru, lru->at[place].time);
}
/* Finds the next line or hole from *time on, in the order of last use: for (t = 0; ws_lru_next(lru, &t); t++) visits
 * lru->at[lru->user[t]], least recent first. */
bool ws_lru_next(const ws_lru *lru, uint32_t *time);

/* Removes the line at a place; lines below move up. */
void ws_lru_remove(ws_lru *lru, uint32_t place);
/* Removes the line at a place and leaves a hole there. This models LRU caches of all sizes up to the limit at once:
 * each cache that held the line now has a free way. The next new line, or line from below the first hole, moves the
 * lines above that hole down into it. It leaves a hole in its old place, because smaller caches have filled their free
 * ways. */
void ws_lru_drop(ws_lru *lru, uint32_t place);

#endif
