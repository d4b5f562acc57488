/* plain_internal.h - what plain L1 caches and L2 slices share: lines with sectors, and reads in flight.
 *
 * This part knows nothing of messages. It is told who asks for which words, and says what has to go down: words to
 * read, words to write, dirty words of a line that was given up. Calls that refuse have changed nothing. */
#ifndef WS_PLAIN_INTERNAL_H
#define WS_PLAIN_INTERNAL_H

#include "model/cache/cache.h"
#include "model/machine/machine_words.h"
#include "model/sim/memory/memory_level.h"

enum { WS_PLAIN_SECTORS = 4, WS_PLAIN_NOBODY = UINT16_MAX, WS_PLAIN_MOST = UINT16_MAX - 1 };

/* An access and who wants its answer. */
typedef struct ws_plain_access {
    uint64_t block;
    uint32_t mask; /* words */
    uint16_t sm, warp, id, tag;
    uint8_t unit, kind; /* kind: ws_request_kind */
    bool owns;          /* of a slice: the answer makes the SM the line's owner */
    bool passes;        /* a load whose sectors are not kept */
    ws_cache_who who;
} ws_plain_access;

/* An access that waits. */
typedef struct ws_plain_waiter {
    ws_plain_access access;
    uint16_t next;
    uint8_t need; /* sectors that are on the way */
} ws_plain_waiter;

/* A block with reads in flight, one a sector. */
typedef struct ws_plain_entry {
    uint64_t block;
    uint16_t next; /* of its bucket, or free */
    uint16_t first, last;
    uint16_t waiting[WS_PLAIN_SECTORS];
    uint8_t pending;
    uint8_t stale;   /* of these: no copy is kept */
    uint8_t old;     /* ... asked for before a fence: no later access may wait for them */
    bool owns;       /* who asked will be the line's owner */
    uint32_t absent; /* words of theirs that nobody asked for */
} ws_plain_entry;

typedef struct ws_plain_line {
    uint32_t known, dirty; /* words */
} ws_plain_line;

/* Updates that a line holds, of a cache that keeps some: their words (none: 0), and what they do to them
 * (ws_update_code). */
typedef struct ws_plain_updates {
    uint32_t words, code;
} ws_plain_updates;
enum { WS_PLAIN_OWNED = 1 }; /* no ws_update_code: the L1 owns the line, all of its words */

/* In the memory of a cache. */
typedef struct ws_plain_head {
    ws_cache_counts counts;
    uint32_t reads; /* sectors with a read in flight */
    uint32_t waiters;
    uint16_t free_entry, free_waiter;
    uint32_t dirty;          /* sectors, where they are bounded; the lines that got some, oldest first: */
    uint32_t first_old, old; /* of the ring */
} ws_plain_head;

/* The same for all caches of a kind. */
typedef struct ws_plain {
    ws_cache tags;
    uint32_t words, sector_words, mshrs, merges, waiters, buckets;
    uint32_t most_dirty;                      /* sectors; 0: any */
    uint32_t words_of[1 << WS_PLAIN_SECTORS]; /* of a set of sectors */
    uint32_t piece;   /* words of aligned pieces that are asked for of a block that is not kept; 0: sectors */
    uint32_t classes; /* blocks that left and are known (miss_class.h); 0: misses are not told apart */
    bool apart;       /* a load whose block is not kept takes no MSHR, and has an answer of its own */
    bool on_fill;
    ws_write write;
    ws_write_allocate allocate;
    bool updates; /* lines may hold updates */
    size_t updates_at, tags_at, lines_at, owners_at, entries_at, buckets_at, waiters_at, old_at, listed_at, classes_at,
        used_at, bytes; /* the head comes first */
} ws_plain;

/* What a section of a machine says of a cache; names as in machine.def. */
typedef struct ws_plain_section {
    const char *name;
    uint32_t sets, ways, line, sector, mshrs, merges, waiters;
    uint32_t most_dirty; /* percent of the sectors that may be dirty; 0: all */
    ws_l1_allocate allocate;
    ws_write write;
    ws_write_allocate write_allocate;
    ws_cache_choice choice;
    uint32_t piece;    /* bytes that are asked for of a block that is not kept; 0: sectors */
    bool apart;        /* loads whose block is not kept take no MSHR */
    bool updates;      /* lines may hold updates */
    uint32_t classify; /* blocks that left, whose misses are told apart; 0: none */
} ws_plain_section;

/* WS_EINPUT: what does not go together, with the option's name. */
int ws_plain_setup(ws_plain *plain, const ws_plain_section *section);
void ws_plain_init(const ws_plain *plain, void *memory);
/* Between uses, when nothing is in it: begins anew with other ways, at most those that `memory` was made for; counts
 * stay. */
int ws_plain_resize(ws_plain *plain, const ws_plain_section *section, uint32_t ways);
void ws_plain_begin_anew(const ws_plain *plain, void *memory);

/* All that was counted, what the replacement counts among it. */
ws_cache_counts ws_plain_counts(const ws_plain *plain, const void *memory);

/* What follows from an access or a fill. */
typedef struct ws_plain_result {
    bool done;      /* the access waits for no read */
    uint32_t fetch; /* words to read */
    bool apart;     /* ... for this access alone, which waits as `waiter` (ws_plain_unpark) */
    uint16_t waiter;
    uint32_t write;   /* words to write through */
    uint64_t evicted; /* block that was given up ... */
    uint32_t dirty;   /* ... and its words that must be written; 0: none */
    uint32_t updates; /* ... and those of which updates were kept, that must be sent; 0: none */
    bool owned;       /* ... these are all of a line that was owned */
    bool replaced;    /* it was given up for another block ... */
    uint8_t owner;    /* ... and the warp that brought it */
} ws_plain_result;

/* How a store is taken: into the copy alone, into copy and below, or below alone. */
typedef enum ws_plain_store_way { WS_PLAIN_KEEP, WS_PLAIN_BOTH, WS_PLAIN_PASS } ws_plain_store_way;

/* WS_OK or a reason of memory_level.h. */
int ws_plain_load(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
int ws_plain_store(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_store_way way,
                   ws_plain_result *result);
/* Where atomics are performed. */
int ws_plain_atomic(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
/* An update (collect/trace/update.h) that stays in a line, with others of the same code; those of another are sent.
 * `fetch`: its sectors are read, too, if they are not here. result->write: the block gets no line, and the update goes
 * down. */
int ws_plain_update(const ws_plain *plain, void *memory, const ws_plain_access *access, uint32_t code, bool fetch,
                    ws_plain_result *result);
/* An atomic of a line that is owned is done; else all of the line is asked for (result->fetch), or the access waits
 * with others for it. */
int ws_plain_own(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
/* The line that came is owned from now on; false: it has no place here. */
bool ws_plain_owned(const ws_plain *plain, void *memory, uint64_t block);
bool ws_plain_is_owned(const ws_plain *plain, const void *memory, uint32_t line);
/* Gives an owned line up; false: it is not owned here. */
bool ws_plain_disown(const ws_plain *plain, void *memory, uint64_t block, ws_plain_result *result);
/* Takes the updates out of a line, which stays; false: it has none. */
bool ws_plain_take_updates(const ws_plain *plain, void *memory, uint32_t line, ws_plain_result *result);
/* An atomic operation that is performed below; the copies of its words' sectors are given up. */
void ws_plain_pass_atomic(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
/* Gives the copies of these words' sectors up, also those on the way; ws_plain_give_up_line: of all its block. */
void ws_plain_give_up_line(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
void ws_plain_give_up(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
/* Dirty words of the block's sectors in the mask, which are clean afterwards. */
uint32_t ws_plain_clean(const ws_plain *plain, void *memory, uint64_t block, uint32_t mask);
/* Is more dirty than may be? Then words of the line that has been dirty for longest, which are clean afterwards. */
bool ws_plain_clean_oldest(const ws_plain *plain, void *memory, ws_plain_result *result);
/* Nothing that was there counts any more: all misses are cold again. Counts of the replacement go to the others, where
 * they outlast ws_plain_resize. */
void ws_plain_forget(const ws_plain *plain, void *memory);
/* Is the cache turned off? Then what an access touches is to be given up before. */
bool ws_plain_is_off(const ws_plain *plain, const void *memory);
/* A load that a cache which is turned off does not see; ws_plain_count_passed counts it. */
void ws_plain_miss(const ws_plain *plain, void *memory, const ws_plain_access *access);
/* An access of a load that goes down whatever is here. */
void ws_plain_count_passed(const ws_plain *plain, void *memory, uint32_t sectors);
/* Is there a block in the line, and which? */
bool ws_plain_holds(const ws_plain *plain, const void *memory, uint32_t line, uint64_t *block);
/* Gives up what is clean of the line. */
void ws_plain_keep_dirty(const ws_plain *plain, void *memory, uint32_t line);
/* A fence: gives all clean copies up, and those on the way, which serve whoever waits for them and nobody else:
 * accesses that come later are refused until they are here. Dirty words and lines that are owned stay. */
void ws_plain_invalidate(const ws_plain *plain, void *memory);
/* Are all words of the access there? */
bool ws_plain_has(const ws_plain *plain, const void *memory, const ws_plain_access *access);
/* Gives the line up; false: it was empty. */
bool ws_plain_empty(const ws_plain *plain, void *memory, uint32_t line, ws_plain_result *result);

typedef void ws_plain_served(void *context, const ws_plain_access *access);

/* Words that were read are there: `served` gets each access that waits for nothing else, oldest first. `note`: what the
 * cache below said of the block. WS_EVERIFY: no one asked for them. */
int ws_plain_fill(const ws_plain *plain, void *memory, uint64_t block, uint32_t mask, uint8_t note,
                  ws_plain_result *result, ws_plain_served *served, void *context);

/* What the replacement tells a cache above of the block; 0 where it has no copy. */
uint8_t ws_plain_note(const ws_plain *plain, const void *memory, uint64_t block);

/* An access that waits for an answer of its own, or WS_PLAIN_NOBODY; and its end. */
uint16_t ws_plain_park(const ws_plain *plain, void *memory, const ws_plain_access *access);
int ws_plain_unpark(const ws_plain *plain, void *memory, uint16_t waiter, ws_plain_access *access);

uint32_t ws_plain_sectors(const ws_plain *plain, uint32_t mask); /* a bit each */

/* The words of these sectors. */
static inline uint32_t ws_plain_words(const ws_plain *plain, uint32_t sectors)
{
    return plain->words_of[sectors & ((1u << WS_PLAIN_SECTORS) - 1)];
}

static inline uint32_t ws_plain_touched(const ws_plain *plain, uint32_t mask)
{
    return (uint32_t)__builtin_popcount(ws_plain_sectors(plain, mask));
}

static inline ws_plain_head *ws_plain_head_of(const void *memory)
{
    return (ws_plain_head *)memory;
}

/* Counts a refusal and returns its reason. */
int ws_plain_refuse(void *memory, int reason);

/* --- mshr.c --- */

void ws_mshr_init(const ws_plain *plain, void *memory);
ws_plain_entry *ws_mshr_find(const ws_plain *plain, const void *memory, uint64_t block);
/* All that is on the way: no copy is kept, and no later access waits for it. */
void ws_mshr_outdate(const ws_plain *plain, void *memory);
/* Is there room for reads of `fetch` sectors and for one more access that waits for `wait` sectors? */
int ws_mshr_room(const ws_plain *plain, const void *memory, const ws_plain_entry *entry, uint32_t fetch, uint32_t wait);
/* Notes reads of `fetch` sectors, and the access when it waits for some. */
ws_plain_entry *ws_mshr_add(const ws_plain *plain, void *memory, const ws_plain_access *access, uint32_t fetch,
                            uint32_t wait);
/* The access that has waited longest for the block, or NULL. */
const ws_plain_access *ws_mshr_first(const ws_plain *plain, const void *memory, const ws_plain_entry *entry);
/* The words of these sectors that waiting stores and atomics write. */
uint32_t ws_mshr_written(const ws_plain *plain, const void *memory, const ws_plain_entry *entry, uint32_t sectors);
/* Reads of these sectors are answered: `served` gets each access that waits for nothing else, oldest first. */
void ws_mshr_answer(const ws_plain *plain, void *memory, ws_plain_entry *entry, uint32_t sectors,
                    ws_plain_served *served, void *context);

#endif
