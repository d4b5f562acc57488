/* shared_recency.h - what would caches of all sizes in front of a block's shared memory keep, in one pass?
 *
 * The cache has lines of WS_RECENCY_LINE bytes. Writes bring lines in without a read (a bit for each word says whether
 * it is there); reads of words that are not there go past it. Which line was written longest ago goes first, whatever
 * is read: so a larger cache holds all that a smaller one does, and one number a line, how many others were written
 * since it was, tells for all sizes whether it is still there. Bin 0 is distance 0, bin b distances from 2^(b-1) to 2^b
 * - 1: what a cache of 2^b lines keeps; the last bin is what none keeps. */
#ifndef WS_SHARED_RECENCY_H
#define WS_SHARED_RECENCY_H

#include "collect/trace/changed_bits.h"

enum {
    WS_RECENCY_LINE = 128,
    WS_RECENCY_WORD = 4,
    WS_RECENCY_SIZES = 10, /* caches of 1 << i lines, 64 KB at most */
    WS_RECENCY_BINS = WS_RECENCY_SIZES + 1,
};

/* Sums, nothing but 64-bit numbers. */
typedef struct ws_recency_counts {
    uint64_t word_reads[WS_RECENCY_BINS]; /* by the largest distance of their line since the word was written */
    uint64_t
        word_writes[WS_RECENCY_BINS];    /* the same: a cache that has the word need not write its former value back */
    uint64_t word_ends[WS_RECENCY_BINS]; /* words that were written, at the end of their block: what is still there is
                                            never written back */
    uint64_t word_needed[WS_RECENCY_BINS]; /* words that were written and read before they were written again, by the
                                              largest distance of such a read: caches that did not have the word then
                                              have written it back for this. What they write back else nobody reads */
    uint64_t line_writes[WS_RECENCY_BINS]; /* lines that instructions of warps write, by their distance */
} ws_recency_counts;

/* Bits of arrays of 1 << width bits that write-backs change, in caches of 1 << size lines. Sums. */
typedef uint64_t ws_recency_modified[WS_RECENCY_SIZES][WS_CHANGED_WIDTHS];

typedef struct ws_shared_recency ws_shared_recency;

/* For blocks with so many bytes. With `contents` it knows what words hold, and only then `modified` counts. WS_EMEM. */
int ws_shared_recency_create(uint32_t shared_bytes, bool contents, ws_shared_recency **out);
void ws_shared_recency_destroy(ws_shared_recency *recency); /* accepts NULL */

/* Lanes of `exec` read or write `bytes` at their addresses, at the block's time `now`. Addresses beyond the block's
 * bytes (another block's of its cluster) are no business of this memory. */
void ws_shared_recency_read(ws_shared_recency *recency, const uint64_t *address, uint32_t exec, unsigned bytes,
                            uint32_t now);
void ws_shared_recency_write(ws_shared_recency *recency, const uint64_t *address, uint32_t exec, unsigned bytes,
                             uint32_t now);
/* A write with contents. */
void ws_shared_recency_value(ws_shared_recency *recency, const ws_value *value);

/* The block is over: counts what it leaves, adds all to the sums, and forgets it. `wrote` and `changed`: of the word
 * written most often, in this block, writes, and writes that change it (with contents alone). `ages` [bins]: words by
 * the time from a write to the last read before the next, log2. */
typedef struct ws_recency_block {
    uint64_t wrote, changed;
} ws_recency_block;
ws_recency_block ws_shared_recency_end(ws_shared_recency *recency, ws_recency_counts *counts,
                                       ws_recency_modified *modified, uint64_t *ages, unsigned bins,
                                       uint32_t time_share);

#endif
