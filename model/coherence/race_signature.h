/* race_signature.h - a set of addresses as race detection keeps it: a Bloom filter, beside it or instead of it the
 * exact set.
 *
 * Addresses are taken in units of 1, 4 or 128 bytes or a "half page" of 512; what an access touches comes as a block
 * and a mask of its words, so a byte is always one of a whole word. A signature is plain memory of `bytes`, all 0 when
 * empty.
 *
 * B. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", CACM 13(7), 1970; sizes, hashes and units of
 * A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 4.
 */
#ifndef WS_RACE_SIGNATURE_H
#define WS_RACE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WS_SIGNATURE_LEAST_BITS = 64,
    WS_SIGNATURE_MOST_BITS = 1 << 16,
    WS_SIGNATURE_MOST_HASHES = 16,
    WS_SIGNATURE_BITS_PER_ENTRY = 8, /* Tabbakh 2018: 128 entries in 1 Kb, 2048 in 16 Kb */
};

/* What all signatures of a machine have in common; ws_signature_setup fills it. */
typedef struct ws_signature_shape {
    uint32_t bits, hashes;
    uint32_t unit, block; /* bytes */
    uint32_t capacity;    /* insertions after which it counts as full */
    uint32_t unit_shift, block_shift;
    uint32_t entries, table; /* room of the exact set */
    bool filter, exact;      /* which of the two it has; the exact one decides where there is no filter */
    size_t list_at, table_at, bytes;
} ws_signature_shape;

typedef struct ws_signature_choice {
    uint32_t bits;     /* a power of two, 64 to 65536 */
    uint32_t hashes;   /* 1 to 16 */
    uint32_t unit;     /* 1, 4, 128, 512, or any power of two up to 4096 */
    uint32_t block;    /* bytes of a block; words are of 4 */
    uint32_t capacity; /* 0: bits / 8 */
    bool filter, exact;
} ws_signature_choice;

/* WS_EINPUT with one line that names what does not go. */
int ws_signature_setup(ws_signature_shape *shape, const ws_signature_choice *choice);

/* Puts what the words of a block touch into it; the units that this were, known ones among them. */
uint32_t ws_signature_insert(const ws_signature_shape *shape, void *signature, uint64_t block, uint32_t words);

typedef struct ws_signature_answer {
    bool in;        /* as the signature says it */
    bool really_in; /* as the exact set says it; without one, as the signature says */
    uint32_t units; /* looked up */
} ws_signature_answer;
ws_signature_answer ws_signature_test(const ws_signature_shape *shape, const void *signature, uint64_t block,
                                      uint32_t words);

void ws_signature_clear(const ws_signature_shape *shape, void *signature);
void ws_signature_copy(const ws_signature_shape *shape, void *to, const void *from);
uint32_t ws_signature_count(const void *signature); /* insertions since it was empty */
bool ws_signature_is_full(const ws_signature_shape *shape, const void *signature);
uint32_t ws_signature_set_bits(const ws_signature_shape *shape, const void *signature); /* of the filter */

/* Bytes of a filter with that many bits set, as the lengths of its runs of zeros, of 8 bits each (a longer run takes
 * several), or as it is, if that is less. */
uint32_t ws_signature_run_bytes(const ws_signature_shape *shape, double set_bits);
/* Bits that are set, or would be in a filter beside an exact set. */
double ws_signature_bits_set(const ws_signature_shape *shape, const void *signature);

/* Units that an access of `words` whole words of a block touches, at most. */
uint32_t ws_signature_units(const ws_signature_shape *shape, uint32_t words);

/* Closed forms: of `bits` with `hashes` a key after `n` distinct ones, the part of the bits that are set, and how often
 * one that is not in it seems to be: (1 - (1 - 1/m)^(k n))^k. */
double ws_signature_fill(uint32_t bits, uint32_t hashes, double n);
double ws_signature_false_rate(uint32_t bits, uint32_t hashes, double n);

#endif
