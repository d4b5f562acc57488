/* race.h - configuration and counts of race detection. */
#ifndef WS_RACE_H
#define WS_RACE_H

#include <stdbool.h>
#include <stdint.h>

/* Bits of the note of an answer. */
enum {
    WS_RACE_EMPTY = 1, /* the signature of the epoch in wts is empty: no SYNC follows */
    WS_RACE_TOLD = 2,  /* a CHECKED preceded it */
    WS_RACE_SEEN = 4,  /* of a request: the detector has processed it, see ws_l2_arrive */
    WS_RACE_PART = 16, /* of an instruction with outstanding stores: performed with the last of them */
    WS_RACE_PARTIAL =
        8, /* other SMs stored to unrequested words in the SM's epoch: the data serve only the requesting load */
};

/* Bytes of a signature on the network, after a header: none; all; the lengths of its runs of zeros. */
typedef enum ws_race_wire { WS_RACE_WIRE_HEADER, WS_RACE_WIRE_WHOLE, WS_RACE_WIRE_RUNS } ws_race_wire;

typedef struct ws_race_config {
    uint32_t bits, hashes; /* of a signature; it is full after `capacity` insertions, 0: bits / 8 */
    uint32_t unit, block;  /* bytes: granularity of addresses; size of a block */
    uint32_t capacity;
    uint32_t hits;  /* loads that a copy may serve before it is checked */
    uint32_t depth; /* signatures that an SM compares with: copies from this many epochs ago may be valid; 0: all copies
                       end with their epoch */
    uint32_t queue; /* most speculative loads of an SM */
    uint32_t slots; /* stored signatures of an SM: one of each of its last epochs, and the growing one */
    uint32_t latency; /* of the detector, in cycles */
    uint32_t ports;   /* requests that it starts per cycle */
    bool together;    /* the stores of an instruction begin one epoch after all have arrived, instead of one each */
    bool exact;       /* exact sets instead of filters */
    bool shadow;      /* exact sets in addition to filters, to count their errors */
    uint8_t wire;     /* ws_race_wire */
    bool ahead;       /* loads may run ahead of earlier accesses of their warp; only if the L1 does not stall */
} ws_race_config;

/* Returns the bytes of a signature on the network. `runs`: bytes of its coded runs of zeros. */
static inline uint32_t ws_race_wire_bytes(const ws_race_config *r, uint32_t runs)
{
    switch (r->wire) {
    case WS_RACE_WIRE_HEADER:
        return 0;
    case WS_RACE_WIRE_WHOLE:
        return r->bits / 8;
    default:
        return runs;
    }
}

typedef struct ws_race_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/coherence/race_counts.def"
#undef COUNT
} ws_race_counts;

#endif
