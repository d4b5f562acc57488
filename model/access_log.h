/* access_log.h - what do the warps of a launch ask of global and local memory, in the order of each warp?
 *
 * A sink that keeps accesses after coalescing to lines of 128 bytes, with the number of instructions between them, and
 * fences and barriers. Lines of textures and constants, which have caches of their own, are kept for the time that
 * warps wait for them. What is kept is bounded: of a
 * launch its first blocks, of a block its first accesses, so many that WS_LOG_TOGETHER blocks (or all) are there;
 * counts in all are of the whole launch. */
#ifndef WS_ACCESS_LOG_H
#define WS_ACCESS_LOG_H

#include "collect/trace/sink.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_LOG_LINE = 128, WS_LOG_WORDS = 32, WS_LOG_TOGETHER = 256 };

typedef enum ws_log_kind {
    WS_LOG_LOAD,
    WS_LOG_STORE,
    WS_LOG_ATOMIC,
    WS_LOG_FENCE,
    WS_LOG_FETCH, /* of a texture or constant */
    WS_LOG_BARRIER,
    WS_LOG_END /* of the warp */
} ws_log_kind;

enum {
    WS_LOG_LOCAL = 1,    /* `line` is the number of a 4-byte word of each thread's local memory */
    WS_LOG_POLL = 2,     /* a load that a copy must not serve: volatile, acquire, relaxed */
    WS_LOG_MORE = 4,     /* of the same instruction as the entry before */
    WS_LOG_CONSTANT = 8, /* what is fetched is a constant, not a texture */
    WS_LOG_UPDATE = 16,  /* an atomic that is an update (update.h) ... */
    WS_LOG_AGAIN = 32,   /* ... of lanes behind others that update the same words: a buffer takes them with these */
    WS_LOG_WIDE = 64     /* a fence of a wider scope than its block */
};

/* What is fetched; lines of these are as long as launch_work.h says. */
enum { WS_LOG_TEXTURES, WS_LOG_CONSTANTS, WS_LOG_FETCHED };

typedef struct ws_log_entry {
    uint64_t line;   /* address / 128; of a barrier ws_event.barrier */
    uint32_t before; /* warp instructions since the warp's entry before this one */
    uint32_t mask;   /* words accessed */
    uint32_t next;   /* the warp's next entry: index among all; of WS_LOG_END nothing */
    uint32_t cycles; /* from the warp's entry before to this one, if it had its SM alone: see instruction_chain.h */
    uint16_t slack;  /* of loads and atomics: cycles until the warp needs the result */
    uint16_t warp;
    uint8_t kind, flags;
    uint8_t lanes; /* that take part: of accesses */
    uint32_t pc;   /* of accesses: index in the launch's table */
} ws_log_entry;

/* Of the whole launch. */
typedef struct ws_log_totals {
    uint64_t instructions, accesses; /* of warps; those of the latter that are global or local memory's */
    uint64_t loads, polls, stores, atomics, fences; /* lines asked for (polls are loads, too); fences of warps */
    uint64_t wide_fences;                           /* of these, of a wider scope than the block */
    uint64_t fetches; /* lines of textures and constants, but for those that a warp fetched last */
    uint64_t load_words;
    uint64_t store_words[WS_LOG_WORDS + 1], atomic_words[WS_LOG_WORDS + 1]; /* stores by number of words */
    uint64_t updates,
        update_words[WS_LOG_WORDS + 1]; /* of the atomics: updates, those again left out; by words, those too */
    uint64_t again_words[WS_LOG_WORDS + 1],
        again_updates[WS_LOG_WORDS + 1]; /* of the atomics, of these updates: what lanes behind others make, which a
                                            rule that combines lanes does not send */
} ws_log_totals;

typedef struct ws_access_log {
    ws_log_entry *entry;
    size_t entries, room, limit, block_limit;
    uint64_t *first; /* [blocks + 1] entry with which a block begins */
    size_t blocks, blocks_room;
    bool full;           /* blocks behind those kept were left out */
    ws_log_totals total; /* of the launch */
    uint32_t warps_per_block;

    /* While it is made: */
    uint32_t *since, *last; /* [warps_per_block] instructions since, and index + 1 of, the warp's last entry */
    uint32_t *cycles_since; /* [warps_per_block] */
    uint64_t (*fetched)[WS_LOG_FETCHED]; /* [warps_per_block] line + 1 that the warp fetched last */
    uint32_t *cycles;                    /* [instrs + 1], and [instrs]: of ws_instruction_chain() */
    uint16_t *slack;
    uint32_t *update;               /* [instrs] ws_update_code of updates; 0: none. Stays */
    uint32_t *fences, *wide_fences; /* [instrs + 1] fences before instruction i */
    ws_log_totals block;            /* of the block that is looked at */
    bool cut;                       /* the rest of it is not kept */
} ws_access_log;

/* The same counts of the blocks that are kept. */
ws_log_totals ws_access_log_kept(const ws_access_log *log);

/* A sink whose states are ws_access_log. `limit`: entries to keep, which must outlive the sink. */
ws_sink ws_access_log_sink(const size_t *limit);

#endif
