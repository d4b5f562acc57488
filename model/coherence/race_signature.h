/* race_signature.h - set of addresses for race detection: a Bloom filter, an exact set, or both.
 *
 * Addresses have a granularity of 1, 4 or 128 bytes or a "half page" of 512. An access is a block and a mask of its
 * words, so a byte always stands for a whole word. A signature is plain memory of `bytes`, all 0 when empty.
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

/* Properties shared by all signatures of a machine; ws_signature_setup fills it. */
typedef struct ws_signature_shape {
    uint32_t bits, hashes;
    uint32_t unit, block; /* bytes */
    uint32_t capacity;    /* insertions after which it counts as full */
    uint32_t unit_shift, block_shift;
    uint32_t entries, table; /* size of the exact set */
    bool filter, exact;      /* parts it has; without a filter the exact set decides */
    size_t list_at, table_at, bytes;
} ws_signature_shape;

typedef struct ws_signature_choice {
    uint32_t bits;     /* a power of two, 64 to 65536 */
    uint32_t hashes;   /* 1 to 16 */
    uint32_t unit;     /* 1, 4, 128, 512, or any power of two up to 4096 */
    uint32_t block;    /* bytes of a block; words have 4 */
    uint32_t capacity; /* 0: bits / 8 */
    bool filter, exact;
} ws_signature_choice;

/* WS_EINPUT with one line that names the invalid member. */
int ws_signature_setup(ws_signature_shape *shape, const ws_signature_choice *choice);

/* Inserts the units that the words of a block touch; returns their number, including known ones. */
uint32_t ws_signature_insert(const ws_signature_shape *shape, void *signature, uint64_t block, uint32_t words);

typedef struct ws_signature_answer {
    bool in;        /* answer of the signature */
    bool really_in; /* answer of the exact set; without one, that of the signature */
    uint32_t units; /* number looked up */
} ws_signature_answer;
ws_signature_answer ws_signature_test(const ws_signature_shape *shape, const void *signature, uint64_t block,
                                      uint32_t words);

void ws_signature_clear(const ws_signature_shape *shape, void *signature);
void ws_signature_copy(const ws_signature_shape *shape, void *to, const void *from);
uint32_t ws_signature_count(const void *signature); /* insertions since it was empty */
bool ws_signature_is_full(const ws_signature_shape *shape, const void *signature);
uint32_t ws_signature_set_bits(const ws_signature_shape *shape, const void *signature); /* of the filter */

/* Returns the bytes of a filter with that many bits set: coded as lengths of its runs of zeros, 8 bits each (a longer
 * run takes several), or uncoded if that is less. */
uint32_t ws_signature_run_bytes(const ws_signature_shape *shape, double set_bits);
/* Returns the bits that are set, or would be in a filter for the exact set. */
double ws_signature_bits_set(const ws_signature_shape *shape, const void *signature);

/* Returns the most units that an access of `words` whole words of a block touches. */
uint32_t ws_signature_units(const ws_signature_shape *shape, uint32_t words);

/* Closed forms for `bits` with `hashes` per key after `n` distinct keys: the share of bits set, and the false positive
 * rate (1 - (1 - 1/m)^(k n))^k. */
double ws_signature_fill(uint32_t bits, uint32_t hashes, double n);
double ws_signature_false_rate(uint32_t bits, uint32_t hashes, double n);

#endif
