/* access_log.h - log of a launch's global and local memory accesses, in program order of each warp.
 *
 * The log is a sink that keeps accesses after coalescing to lines of 128 bytes, the number of instructions between
 * them, fences and barriers. It also keeps lines of textures and constants, which have separate caches, for the time
 * that warps wait for them. The log is bounded: it keeps the first blocks of a launch and the first accesses of each
 * block, with limits that leave room for WS_LOG_TOGETHER blocks (or all). Totals cover the whole launch. */
#ifndef WS_ACCESS_LOG_H
#define WS_ACCESS_LOG_H

#include "collect/trace/sink.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_LOG_LINE = 128, WS_LOG_WORDS = 32, WS_LOG_TOGETHER = 256, WS_LOG_SETS = 32, WS_LOG_CROWDS = 6 };

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
    WS_LOG_POLL = 2,     /* load that must not be served by a copy: volatile, acquire, relaxed */
    WS_LOG_MORE = 4,     /* of the same instruction as the previous entry */
    WS_LOG_CONSTANT = 8, /* the fetched line is a constant, not a texture */
    WS_LOG_UPDATE = 16,  /* atomic that is an update (update.h) ... */
    WS_LOG_AGAIN = 32,   /* ... of lanes that update the same words as earlier lanes; a buffer takes them together */
    WS_LOG_WIDE = 64     /* fence of a wider scope than the block */
};

/* Kinds of fetched lines; launch_work.h has their sizes. */
enum { WS_LOG_TEXTURES, WS_LOG_CONSTANTS, WS_LOG_FETCHED };

typedef struct ws_log_entry {
    uint64_t line;   /* address / 128; of a barrier ws_event.barrier */
    uint32_t before; /* warp instructions since the warp's previous entry */
    uint32_t mask;   /* words accessed */
    uint32_t next;   /* the warp's next entry: index in the log; unused in WS_LOG_END */
    uint32_t cycles; /* cycles since the warp's previous entry, if the warp had its SM alone: see instruction_chain.h */
    uint16_t slack;  /* of loads and atomics: cycles until the warp needs the result */
    uint16_t warp;
    uint8_t kind, flags;
    uint8_t lanes; /* of accesses: lanes that take part */
    uint32_t pc;   /* of accesses: index in the launch's table */
} ws_log_entry;

/* Totals of the whole launch. */
typedef struct ws_log_totals {
    uint64_t instructions, accesses; /* instructions of warps; global and local memory accesses of warps */
    uint64_t loads, polls, stores, atomics, fences; /* lines accessed (loads include polls); fences of warps */
    uint64_t wide_fences;                           /* fences of a wider scope than the block */
    uint64_t fetches; /* lines of textures and constants, except repeats of the warp's last one */
    uint64_t load_words;
    uint64_t store_words[WS_LOG_WORDS + 1], atomic_words[WS_LOG_WORDS + 1]; /* stores and atomics by number of words */
    uint64_t updates, update_words[WS_LOG_WORDS + 1]; /* atomics that are updates, without WS_LOG_AGAIN; by words */
    uint64_t again_words[WS_LOG_WORDS + 1],
        again_updates[WS_LOG_WORDS + 1]; /* atomics and updates with WS_LOG_AGAIN by number of words; a rule that
                                            combines lanes does not send them */
} ws_log_totals;

typedef struct ws_access_log {
    ws_log_entry *entry;
    size_t entries, room, limit, block_limit;
    uint64_t *first; /* [blocks + 1] first entry of a block */
    size_t blocks, blocks_room;
    bool full;                      /* later blocks of the launch were left out */
    ws_log_totals total;            /* of the launch */
    uint64_t crowds[WS_LOG_CROWDS]; /* of the launch: instructions with loads, by the most of their lines in one of
                                       WS_LOG_SETS sets: 1, up to 2, 4, ... */
    uint32_t warps_per_block;

    /* State while the log is recorded: */
    uint32_t *since, *last; /* [warps_per_block] instructions since the warp's last entry; index + 1 of that entry */
    uint32_t *cycles_since; /* [warps_per_block] */
    uint64_t (*fetched)[WS_LOG_FETCHED]; /* [warps_per_block] line + 1 of the warp's last fetch */
    uint32_t *cycles;                    /* [instrs + 1] and [instrs]: results of ws_instruction_chain() */
    uint16_t *slack;
    uint32_t *update;               /* [instrs] ws_update_code of updates; 0: none. Kept after recording */
    uint32_t *fences, *wide_fences; /* [instrs + 1] fences before instruction i */
    ws_log_totals block;            /* totals of the current block */
    bool cut;                       /* the rest of the block is not kept */
} ws_access_log;

/* Returns the totals of the kept blocks. */
ws_log_totals ws_access_log_kept(const ws_access_log *log);

/* Returns a sink whose states are ws_access_log. `limit` is the most entries to keep; it must outlive the sink. */
ws_sink ws_access_log_sink(const size_t *limit);

#endif
