/* plain_internal.h - shared parts of plain L1 caches and L2 slices: sectored lines, and outstanding reads.
 *
 * This part is independent of messages. Calls pass requested words, and return words to read, words to write, and dirty
 * words of an evicted line. A refused call has no effect. */
#ifndef WS_PLAIN_INTERNAL_H
#define WS_PLAIN_INTERNAL_H

#include "model/cache/cache.h"
#include "model/machine/machine_words.h"
#include "model/sim/memory/memory_level.h"

enum { WS_PLAIN_SECTORS = 4, WS_PLAIN_NOBODY = UINT16_MAX, WS_PLAIN_MOST = UINT16_MAX - 1 };

/* Access and the destination of its answer. */
typedef struct ws_plain_access {
    uint64_t block;
    uint32_t mask; /* words */
    uint16_t sm, warp, id, tag;
    uint8_t unit, kind; /* kind: ws_request_kind */
    bool owns;          /* of a slice: the answer makes the SM owner of the line */
    bool passes;        /* load whose sectors are not kept */
    ws_cache_who who;
} ws_plain_access;

/* Waiting access. */
typedef struct ws_plain_waiter {
    ws_plain_access access;
    uint16_t next;
    uint8_t need; /* sectors in flight */
} ws_plain_waiter;

/* Block with outstanding reads, one per sector. */
typedef struct ws_plain_entry {
    uint64_t block;
    uint16_t next; /* of its bucket, or free */
    uint16_t first, last;
    uint16_t waiting[WS_PLAIN_SECTORS];
    uint8_t pending;
    uint8_t stale;   /* pending sectors that are not kept */
    uint8_t old;     /* pending sectors requested before a fence: later accesses must not wait for them */
    bool owns;       /* the requester becomes owner of the line */
    uint32_t absent; /* words of pending sectors that were not requested */
} ws_plain_entry;

typedef struct ws_plain_line {
    uint32_t known, dirty; /* words */
} ws_plain_line;

/* Updates held by a line, in a cache that supports them: their words (none: 0), and their operation (ws_update_code).
 */
typedef struct ws_plain_updates {
    uint32_t words, code;
} ws_plain_updates;
enum { WS_PLAIN_OWNED = 1 }; /* not a ws_update_code: the L1 owns all words of the line */

/* In the memory of a cache. */
typedef struct ws_plain_head {
    ws_cache_counts counts;
    uint32_t reads; /* sectors with an outstanding read */
    uint32_t waiters;
    uint16_t free_entry, free_waiter;
    uint32_t dirty;          /* sectors, if they are bounded; ring of the lines with dirty sectors, oldest first: */
    uint32_t first_old, old; /* of the ring */
} ws_plain_head;

/* Data common to all caches of a kind. */
typedef struct ws_plain {
    ws_cache tags;
    uint32_t words, sector_words, mshrs, merges, waiters, buckets;
    uint32_t most_dirty;                      /* sectors; 0: unlimited */
    uint32_t words_of[1 << WS_PLAIN_SECTORS]; /* of a set of sectors */
    uint32_t piece;   /* words of the aligned pieces requested for an uncached block; 0: sectors */
    uint32_t classes; /* remembered evicted blocks (miss_class.h); 0: misses are not classified */
    bool apart;       /* a load of an uncached block takes no MSHR, and has a separate answer */
    bool on_fill;
    ws_write write;
    ws_write_allocate allocate;
    bool updates; /* lines may hold updates */
    size_t updates_at, tags_at, lines_at, owners_at, entries_at, buckets_at, waiters_at, old_at, listed_at, classes_at,
        used_at, bytes; /* offsets; the head is first */
} ws_plain;

/* Options of a cache from a machine section; names as in machine.def. */
typedef struct ws_plain_section {
    const char *name;
    uint32_t sets, ways, line, sector, mshrs, merges, waiters;
    uint32_t most_dirty; /* most dirty sectors in percent; 0: all */
    ws_l1_allocate allocate;
    ws_write write;
    ws_write_allocate write_allocate;
    ws_cache_choice choice;
    uint32_t piece;    /* bytes requested for an uncached block; 0: sectors */
    bool apart;        /* loads of uncached blocks take no MSHR */
    bool updates;      /* lines may hold updates */
    uint32_t classify; /* remembered evicted blocks for classes of misses; 0: none */
} ws_plain_section;

/* WS_EINPUT for inconsistent options, with the option's name. */
int ws_plain_setup(ws_plain *plain, const ws_plain_section *section);
void ws_plain_init(const ws_plain *plain, void *memory);
/* Between uses, when empty: restarts with another number of ways, at most that of `memory`; counts are kept. */
int ws_plain_resize(ws_plain *plain, const ws_plain_section *section, uint32_t ways);
void ws_plain_begin_anew(const ws_plain *plain, void *memory);

/* Returns all counts, including those of the replacement. */
ws_cache_counts ws_plain_counts(const ws_plain *plain, const void *memory);

/* Consequences of an access or a fill. */
typedef struct ws_plain_result {
    bool done;      /* the access does not wait for a read */
    uint32_t fetch; /* words to read */
    bool apart;     /* for this access only, which waits as `waiter` (ws_plain_unpark) */
    uint16_t waiter;
    uint32_t write;   /* words to write through */
    uint64_t evicted; /* evicted or invalidated block ... */
    uint32_t dirty;   /* ... its words to write back; 0: none */
    uint32_t updates; /* ... its words with updates to send; 0: none */
    bool owned;       /* ... all words of an owned line */
    bool replaced;    /* evicted for another block ... */
    uint8_t owner;    /* ... and the warp that fetched it */
} ws_plain_result;

/* Path of a store: to the copy, to the copy and below, or below only. */
typedef enum ws_plain_store_way { WS_PLAIN_KEEP, WS_PLAIN_BOTH, WS_PLAIN_PASS } ws_plain_store_way;

/* Return WS_OK or a reason of memory_level.h. */
int ws_plain_load(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
int ws_plain_store(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_store_way way,
                   ws_plain_result *result);
/* For the level that performs atomics. */
int ws_plain_atomic(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
/* Adds an update (collect/trace/update.h) to a line with updates of the same code; updates of another code are sent.
 * `fetch`: its missing sectors are also read. result->write: the block gets no line, and the update is sent. */
int ws_plain_update(const ws_plain *plain, void *memory, const ws_plain_access *access, uint32_t code, bool fetch,
                    ws_plain_result *result);
/* Performs an atomic on an owned line; otherwise requests the whole line (result->fetch), or waits with other accesses
 * for it. */
int ws_plain_own(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
/* Makes the arrived line owned; returns false if it has no line here. */
bool ws_plain_owned(const ws_plain *plain, void *memory, uint64_t block);
bool ws_plain_is_owned(const ws_plain *plain, const void *memory, uint32_t line);
/* Removes an owned line; returns false if it is not owned here. */
bool ws_plain_disown(const ws_plain *plain, void *memory, uint64_t block, ws_plain_result *result);
/* Removes the updates from a line, which stays; returns false if there are none. */
bool ws_plain_take_updates(const ws_plain *plain, void *memory, uint32_t line, ws_plain_result *result);
/* Invalidates the copies of an atomic's sectors; it is performed at the next level. */
void ws_plain_pass_atomic(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
/* Invalidate all copies of the block; those of these words' sectors, including sectors in flight. */
void ws_plain_give_up_line(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
void ws_plain_give_up(const ws_plain *plain, void *memory, const ws_plain_access *access, ws_plain_result *result);
/* Returns the dirty words of the block's sectors in the mask, and marks them clean. */
uint32_t ws_plain_clean(const ws_plain *plain, void *memory, uint64_t block, uint32_t mask);
/* If more is dirty than allowed, returns words of the line that has been dirty longest, and marks them clean. */
bool ws_plain_clean_oldest(const ws_plain *plain, void *memory, ws_plain_result *result);
/* Forgets the history of evictions: all misses are cold again. Adds the counts of the replacement to the others, which
 * outlast ws_plain_resize. */
void ws_plain_forget(const ws_plain *plain, void *memory);
/* Returns whether the cache is off; the block of an access must then be invalidated before. */
bool ws_plain_is_off(const ws_plain *plain, const void *memory);
/* Records a load that a cache that is off does not see; ws_plain_count_passed counts it. */
void ws_plain_miss(const ws_plain *plain, void *memory, const ws_plain_access *access);
/* Counts an access of a load that bypasses the cache. */
void ws_plain_count_passed(const ws_plain *plain, void *memory, uint32_t sectors);
/* Returns whether the line has a block, and stores it. */
bool ws_plain_holds(const ws_plain *plain, const void *memory, uint32_t line, uint64_t *block);
/* Invalidates the clean part of the line. */
void ws_plain_keep_dirty(const ws_plain *plain, void *memory, uint32_t line);
/* Executes a fence: invalidates all clean copies, including those in flight. The latter serve only accesses that
 * already wait; later accesses are refused until they arrive. Dirty words and owned lines stay. */
void ws_plain_invalidate(const ws_plain *plain, void *memory);
/* Returns whether all words of the access are present. */
bool ws_plain_has(const ws_plain *plain, const void *memory, const ws_plain_access *access);
/* Evicts the line; returns false if it was empty. */
bool ws_plain_empty(const ws_plain *plain, void *memory, uint32_t line, ws_plain_result *result);

typedef void ws_plain_served(void *context, const ws_plain_access *access);

/* Fills words that were read: `served` gets each access that waits for nothing else, oldest first. `note`: note of the
 * next cache level about the block. WS_EVERIFY: they were not requested. */
int ws_plain_fill(const ws_plain *plain, void *memory, uint64_t block, uint32_t mask, uint8_t note,
                  ws_plain_result *result, ws_plain_served *served, void *context);

/* Returns the replacement's note about the block for the previous level; 0 without a copy. */
uint8_t ws_plain_note(const ws_plain *plain, const void *memory, uint64_t block);

/* Store an access that waits for a separate answer, or return WS_PLAIN_NOBODY; end its wait. */
uint16_t ws_plain_park(const ws_plain *plain, void *memory, const ws_plain_access *access);
int ws_plain_unpark(const ws_plain *plain, void *memory, uint16_t waiter, ws_plain_access *access);

uint32_t ws_plain_sectors(const ws_plain *plain, uint32_t mask); /* one bit each */

/* Returns the words of these sectors. */
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
/* Marks all reads in flight: no copy is kept, and later accesses do not wait for them. */
void ws_mshr_outdate(const ws_plain *plain, void *memory);
/* Checks the room for reads of `fetch` sectors and for an access that waits for `wait` sectors. */
int ws_mshr_room(const ws_plain *plain, const void *memory, const ws_plain_entry *entry, uint32_t fetch, uint32_t wait);
/* Adds reads of `fetch` sectors, and the access if it waits for some. */
ws_plain_entry *ws_mshr_add(const ws_plain *plain, void *memory, const ws_plain_access *access, uint32_t fetch,
                            uint32_t wait);
/* Returns the oldest waiting access of the block, or NULL. */
const ws_plain_access *ws_mshr_first(const ws_plain *plain, const void *memory, const ws_plain_entry *entry);
/* Returns the words of these sectors that waiting stores and atomics write. */
uint32_t ws_mshr_written(const ws_plain *plain, const void *memory, const ws_plain_entry *entry, uint32_t sectors);
/* Answers reads of these sectors: `served` gets each access that waits for nothing else, oldest first. */
void ws_mshr_answer(const ws_plain *plain, void *memory, ws_plain_entry *entry, uint32_t sectors,
                    ws_plain_served *served, void *context);

#endif
