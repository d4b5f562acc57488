/* changed_bits.h - how many bits of a register or of shared memory change when it is written, and how much is written
 * where memory is an array of arrays?
 *
 * A word kept in arrays of K bits is compared before it is written, and only arrays with a change are written, whole
 * (differential update: N. Goswami, "Power Performance Co-Optimization of Throughput Architecture Using Emerging
 * Technologies", University of Florida, 2013, chapter 6). With K = 1 these are the bit flips; old 0x0000FFFF and new
 * 0x0001FFFE flip 2 bits and write 2, 4, 8, 16, 32, 32 bits for K = 1, 2, 4, 8, 16, 32. An element narrower than K
 * counts as one array of its own width. */
#ifndef WS_CHANGED_BITS_H
#define WS_CHANGED_BITS_H

#include "collect/trace/event.h"

/* Arrays are 1 << i bits wide, i < WS_CHANGED_WIDTHS. */
enum { WS_CHANGED_WIDTHS = 6 };

/* Nothing but 64-bit numbers; sums. */
typedef struct ws_changed_bits {
    uint64_t written[WS_CHANGED_WIDTHS]; /* bits of arrays in which any bit changes */
    uint64_t bits, writes, same;         /* bits written at all; elements of lanes; of these: that change nothing */
} ws_changed_bits;

void ws_changed_bits_add(ws_changed_bits *sum, const ws_value *value);
void ws_changed_bits_merge(ws_changed_bits *into, const ws_changed_bits *from);
/* The same of one word of 32 bits: `change` is old XOR new. Only `written` is added to. */
void ws_changed_bits_word(uint64_t written[WS_CHANGED_WIDTHS], uint32_t change);

/* Whose values are looked at: one of eight blocks, 16 at most, spread evenly over the grid with both its ends; when
 * that is one block only, the middle one. For ws_sink.sample_block. All who look at values take these blocks, so that a
 * trace that keeps them serves all. */
int ws_value_sample(const ws_launch *launch, uint64_t block);

#endif
