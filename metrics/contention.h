/* contention.h - contention of SMs for lines and words in atomics, and their reuse distances.
 *
 * Counts over the log of a launch (atomic_log.h). The measures are those of P. Dalmia, "Reducing Synchronization and
 * Communication Overheads in GPUs", 2023, chapter 3. The document has no formulas for them; each member states its
 * definition here. An update is a 128-byte line that a warp's atomic changes. */
#ifndef WS_CONTENTION_H
#define WS_CONTENTION_H

#include "metrics/atomic_log.h"

enum {
    WS_CONTENTION_BINS = 10, /* of stack distances: 0, 1, 2-3, 4-7, ..., 128-255, 256 and more; a buffer of 2^k lines
                                holds bins 0 .. k */
    WS_CONTENTION_STRONG =
        32, /* a word is strongly connected if more atomics of lanes than this, the lanes of a warp, change it */
    WS_CONTENTION_WINDOW = WS_ATOMIC_SMS, /* window of warps' atomics in which another one collides: one of each SM */
    WS_CONTENTION_TOPS = 3                /* the most accessed 1, 10, 100 words */
};

/* Relation to the previous access of the word within the window. */
typedef enum ws_contender { WS_OTHER_WARP, WS_OTHER_BLOCK, WS_OTHER_SM, WS_CONTENDERS } ws_contender;

typedef struct ws_contention {
    /* Counts over each SM's stream. Distances restart with a launch, and for all blocks of an SM at a fence beyond the
     * block. */
    uint64_t updates, first;               /* first: updates of a line for the first time since the restart */
    uint64_t reuse[WS_CONTENTION_BINS];    /* all other updates, by distance in lines of atomics; */
    uint64_t combined[WS_CONTENTION_BINS]; /* those whose line last had the same operation */
    uint64_t distance;                     /* sum of their distances; */
    uint64_t beside;                       /* lines of atomics and data used since their last update, summed */
    uint64_t strong, strong_distance;      /* updates of lines with a strongly connected word */
    uint64_t mixed; /* updates of a line whose last one on this SM, ignoring fences, had another operation */
    uint64_t sms, lines, lines_most; /* SMs with atomics; distinct lines per SM, summed; maximum of one SM */
    /* Counts over all SMs in turn, one warp atomic each. */
    uint64_t migrations;        /* updates of a line whose last one was on another SM */
    uint64_t lanes;             /* atomics of lanes; */
    uint64_t in_warp;           /* those whose word another lane of the same atomic accesses; */
    uint64_t by[WS_CONTENDERS]; /* those whose word another warp, block or SM changed within the window */
    /* Counts over the launch. */
    uint64_t words, strong_words, top[WS_CONTENTION_TOPS],
        most; /* words changed; lanes on the most accessed words; lanes on the top word */
} ws_contention;

/* Computes the counts of a log. Returns WS_OK or WS_EMEM. */
int ws_contention_count(const ws_atomic_log *log, ws_contention *out);

#endif
