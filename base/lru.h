/* lru.h - LRU stack: lines in the order of their last use, and the stack distance of each use.
 *
 * The distance of a use is the number of other lines used since the last use of its own. A fully associative LRU cache
 * of n lines hits exactly the uses whose distance is below n (R. Mattson, J. Gecsei, D. Slutz, I. Traiger, "Evaluation
 * Techniques for Storage Hierarchies", IBM Systems Journal 9(2), 1970); a set of such a cache is a stack of its own.
 *
 * Each use gets the next number, its time. A bit per time tells whether a line was used then for the last time; a
 * distance is the number of bits behind a time: those of two words, and a tree of sums over the words between them
 * (P. Fenwick, "A New Data Structure for Cumulative Frequency Tables", 1994). The cost is logarithmic in the distance.
 * Times are numbered anew when there is no room for more: the memory depends on the number of lines, not of uses. */
#ifndef WS_LRU_H
#define WS_LRU_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_LRU_FAR  UINT64_MAX /* a distance: the line is not in the stack */
#define WS_LRU_NONE UINT32_MAX /* a place: the same */
#define WS_LRU_HOLE UINT64_MAX /* no line */

enum { WS_LRU_MOST = 1 << 29 /* lines of a stack without a limit */ };

typedef struct ws_lru_line {
    uint64_t line; /* WS_LRU_HOLE: a hole */
    uint32_t time; /* of its last use */
    uint32_t slot; /* where its place stands in the hash table */
} ws_lru_line;

/* Members are read only. A line has a place, below `places`, as long as it is in the stack. */
typedef struct ws_lru {
    ws_lru_line *at;                           /* [places] */
    uint32_t *slot;                            /* [2 * room] hash table: a place, if the line there names this slot */
    uint32_t *user;                            /* [now] place by time */
    uint64_t *last;                            /* [times / 64] whether a use is the last one of a line, or a hole */
    uint32_t *later;                           /* [times / 64] sums of their bits, but for those of the last word */
    uint64_t gone;                             /* the line that the last use pushed out, or WS_LRU_HOLE */
    uint64_t first;                            /* the line used last, or WS_LRU_HOLE */
    uint32_t lines;                            /* with holes */
    uint32_t holes, limit, places, room, free; /* `free`: a chain of places by time */
    uint32_t now, oldest, times;               /* `oldest`: no last use is before */
    uint32_t shift;                            /* of hashes */
} ws_lru;

/* An empty stack of `limit` lines at most, 1 .. WS_LRU_MOST: a line more pushes the last one out. It takes memory when
 * it is used, some 40 bytes for a line, and half as much again while it grows. Free with ws_lru_fini, also after a
 * failure. */
void ws_lru_init(ws_lru *lru, uint32_t limit);
void ws_lru_fini(ws_lru *lru); /* it is empty then */

/* Forgets all lines at no cost. */
void ws_lru_clear(ws_lru *lru);

/* The sets of a cache: uses cannot fail. NULL: WS_EMEM. They share one allocation, so none of them is freed, or
 * reserves more, by itself. */
ws_lru *ws_lru_sets_create(size_t sets, uint32_t ways);
void ws_lru_sets_destroy(ws_lru *set); /* accepts NULL */
void ws_lru_sets_clear(ws_lru *set, size_t sets);

/* Takes memory for so many lines, up to which uses cannot fail any more, and so many uses, up to which times stay.
 * WS_EMEM. */
int ws_lru_reserve(ws_lru *lru, size_t lines, size_t uses);

/* Uses a line, any but WS_LRU_HOLE. Its *distance, or WS_LRU_FAR. A new line takes the place of the line that it pushes
 * out, or that of a hole. WS_EMEM. */
int ws_lru_use_slow(ws_lru *lru, uint64_t line, uint64_t *distance);
static inline int ws_lru_use(ws_lru *lru, uint64_t line, uint64_t *distance)
{
    if (lru->first != line)
        return ws_lru_use_slow(lru, line, distance);
    lru->gone = WS_LRU_HOLE;
    *distance = 0;
    return WS_OK;
}

/* The place of the line used last, which is still there. */
static inline uint32_t ws_lru_first(const ws_lru *lru)
{
    return lru->user[lru->now - 1];
}

/* The place of a line, or WS_LRU_NONE. */
uint32_t ws_lru_find(const ws_lru *lru, uint64_t line);
/* Lines, and holes, whose last use is later than a time. */
uint64_t ws_lru_since(const ws_lru *lru, uint32_t time);
/* The same for a line's last use; WS_LRU_FAR for WS_LRU_NONE. */
static inline uint64_t ws_lru_distance(const ws_lru *lru, uint32_t place)
{
    return place == WS_LRU_NONE ? WS_LRU_FAR : ws_lru_since(lru, lru->at[place].time);
}
/* The next line, or hole, from *time on, the one used longest ago first: for (t = 0; ws_lru_next(lru, &t); t++) has it
 * at lru->at[lru->user[t]]. */
bool ws_lru_next(const ws_lru *lru, uint32_t *time);

/* The line there leaves: those below come up. */
void ws_lru_remove(ws_lru *lru, uint32_t place);
/* The line leaves a hole where it lay. For LRU caches of all sizes up to the limit at once, of which those that had the
 * line have a free place now: the next line that lay deeper, or nowhere, moves the lines above the first hole down into
 * it, and leaves a hole where it was, as smaller caches have filled theirs. */
void ws_lru_drop(ws_lru *lru, uint32_t place);

#endif
