/* race.h - what can be chosen about race detection, and what it counts. */
#ifndef WS_RACE_H
#define WS_RACE_H

#include <stdbool.h>
#include <stdint.h>

/* In the note of an answer. */
enum {
    WS_RACE_EMPTY = 1, /* the signature of the epoch that wts names is empty: no SYNC comes */
    WS_RACE_TOLD = 2,  /* a CHECKED went before */
    WS_RACE_SEEN = 4,  /* of a request: the detector has taken it, as ws_l2_arrive says */
    WS_RACE_PART = 16, /* of an instruction whose stores have not all come: it is performed with the last of them */
    WS_RACE_PARTIAL =
        8, /* other SMs stored to unrequested words in the SM's epoch: the data serve only the requesting load */
};

/* Bytes of a signature on the network, behind a header: none; all; the lengths of its runs of zeros. */
typedef enum ws_race_wire { WS_RACE_WIRE_HEADER, WS_RACE_WIRE_WHOLE, WS_RACE_WIRE_RUNS } ws_race_wire;

typedef struct ws_race_config {
    uint32_t bits, hashes; /* of a signature; it is full after `capacity` insertions, 0: bits / 8 */
    uint32_t unit, block;  /* bytes: in which addresses are told apart; of a block */
    uint32_t capacity;
    uint32_t hits;    /* loads that a copy may serve before it is checked */
    uint32_t depth;   /* signatures that an SM looks into: copies from so many epochs ago may be good; 0: all copies end
                         with their epoch */
    uint32_t queue;   /* speculative loads of an SM, at most */
    uint32_t slots;   /* signatures of an SM that are kept: one of each of its last epochs, and the one that grows */
    uint32_t latency; /* cycles, of the detector, */
    uint32_t ports;   /* which begins so many requests a cycle */
    bool together;    /* the stores of an instruction begin one epoch, when all have come, instead of one each */
    bool exact;       /* sets that make no mistakes instead of filters */
    bool shadow;      /* beside filters, exact sets that say which mistakes they make */
    uint8_t wire;     /* ws_race_wire */
    bool ahead;       /* loads may run ahead of earlier accesses of their warp; only where the L1 does not stall */
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
