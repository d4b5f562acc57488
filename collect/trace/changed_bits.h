/* changed_bits.h - bits that writes to registers and shared memory change, and bits written if memory is an array of
 * arrays.
 *
 * A word is stored in arrays of K bits. The write compares old and new value, and only arrays with a change are
 * written, whole (differential update: N. Goswami, "Power Performance Co-Optimization of Throughput Architecture Using
 * Emerging Technologies", University of Florida, 2013, chapter 6). With K = 1 the result is the bit flips. Example: old
 * 0x0000FFFF and new 0x0001FFFE flip 2 bits and write 2, 4, 8, 16, 32, 32 bits for K = 1, 2, 4, 8, 16, 32. An element
 * narrower than K counts as one array of the element's width. */
#ifndef WS_CHANGED_BITS_H
#define WS_CHANGED_BITS_H

#include "collect/trace/event.h"

/* Arrays are 1 << i bits wide, i < WS_CHANGED_WIDTHS. */
enum { WS_CHANGED_WIDTHS = 6 };

/* Sums; all members are 64-bit numbers. */
typedef struct ws_changed_bits {
    uint64_t written[WS_CHANGED_WIDTHS]; /* bits of arrays in which any bit changes */
    uint64_t bits, writes, same; /* bits written in total; elements of lanes; those of them that change nothing */
} ws_changed_bits;

void ws_changed_bits_add(ws_changed_bits *sum, const ws_value *value);
void ws_changed_bits_merge(ws_changed_bits *into, const ws_changed_bits *from);
/* Adds one word of 32 bits to `written`, and to no other member; `change` is old XOR new. */
void ws_changed_bits_word(uint64_t written[WS_CHANGED_WIDTHS], uint32_t change);

/* Returns whether the values of a block are sampled, for ws_sink.sample_block. One of eight blocks is sampled, 16 at
 * most, spread evenly over the grid including both ends. A sample of a single block is the middle one. All sinks with
 * values use this sample, so that one trace with values serves all of them. */
int ws_value_sample(const ws_launch *launch, uint64_t block);

#endif
