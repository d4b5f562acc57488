/* shared_recency.h - one-pass model of write caches of all sizes in front of a block's shared memory.
 *
 * The cache has lines of WS_RECENCY_LINE bytes. Writes allocate lines without a read (one valid bit per word); reads of
 * missing words bypass the cache. The line written longest ago is evicted first, regardless of reads. A larger cache
 * therefore includes a smaller one. The distance of a line is the number of other lines written since; it determines
 * for all sizes whether the line is still cached. Bin 0 is distance 0, bin b distances from 2^(b-1) to 2^b - 1, which a
 * cache of 2^b lines keeps; no cache keeps the last bin. */
#ifndef WS_SHARED_RECENCY_H
#define WS_SHARED_RECENCY_H

#include "collect/trace/changed_bits.h"

enum {
    WS_RECENCY_LINE = 128,
    WS_RECENCY_WORD = 4,
    WS_RECENCY_SIZES = 10, /* caches of 1 << i lines, 64 KB at most */
    WS_RECENCY_BINS = WS_RECENCY_SIZES + 1,
};

/* Sums; all members are 64-bit numbers. */
typedef struct ws_recency_counts {
    uint64_t word_reads[WS_RECENCY_BINS]; /* by the largest distance of their line since the word was written */
    uint64_t
        word_writes[WS_RECENCY_BINS]; /* the same; a cache that holds the word need not write its former value back */
    uint64_t word_ends[WS_RECENCY_BINS];   /* written words, at the end of their block; a word still cached is never
                                              written back */
    uint64_t word_needed[WS_RECENCY_BINS]; /* words that are read between two writes, by the largest distance of such a
                                              read; caches that miss then have written the word back for that read.
                                              Their other write-backs are never read */
    uint64_t line_writes[WS_RECENCY_BINS]; /* lines that instructions of warps write, by distance */
} ws_recency_counts;

/* Bits that write-backs change in arrays of 1 << width bits, for caches of 1 << size lines. Sums. */
typedef uint64_t ws_recency_modified[WS_RECENCY_SIZES][WS_CHANGED_WIDTHS];

typedef struct ws_shared_recency ws_shared_recency;

/* Creates a model for blocks with `shared_bytes` bytes. `contents` keeps the values of words, which `modified` needs.
 * WS_EMEM. */
int ws_shared_recency_create(uint32_t shared_bytes, bool contents, ws_shared_recency **out);
void ws_shared_recency_destroy(ws_shared_recency *recency); /* accepts NULL */

/* Lanes of `exec` read or write `bytes` at their addresses, at the block's time `now`. Addresses beyond the block's
 * bytes (in another block of its cluster) are ignored. */
void ws_shared_recency_read(ws_shared_recency *recency, const uint64_t *address, uint32_t exec, unsigned bytes,
                            uint32_t now);
void ws_shared_recency_write(ws_shared_recency *recency, const uint64_t *address, uint32_t exec, unsigned bytes,
                             uint32_t now);
/* A write with contents. */
void ws_shared_recency_value(ws_shared_recency *recency, const ws_value *value);

/* Ends the block: counts the remaining words, adds the counts to the sums and clears the model. `wrote` and `changed`
 * are the writes to the most written word of the block, and the writes that change it (only with contents). `ages`
 * [bins]: words by log2 of the time from a write to the last read before the next write. */
typedef struct ws_recency_block {
    uint64_t wrote, changed;
} ws_recency_block;
ws_recency_block ws_shared_recency_end(ws_shared_recency *recency, ws_recency_counts *counts,
                                       ws_recency_modified *modified, uint64_t *ages, unsigned bins,
                                       uint32_t time_share);

#endif
