/* contention.h - do SMs want the same lines and words in their atomics, and how soon again? Counts over a log of a
 * launch (atomic_log.h).
 *
 * The measures of P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, chapter 3, which has
 * no formulas for them; what is counted here is said at each member. An update is a line of 128 bytes that a warp's
 * atomic changes. */
#ifndef WS_CONTENTION_H
#define WS_CONTENTION_H

#include "metrics/atomic_log.h"

enum {
    WS_CONTENTION_BINS = 10,   /* of stack distances: 0, 1, 2-3, 4-7, ..., 128-255, 256 and more; a buffer of 2^k lines
                                  holds bins 0 .. k */
    WS_CONTENTION_STRONG = 32, /* a word is strongly connected when more atomics of lanes than a warp has change it */
    WS_CONTENTION_WINDOW = WS_ATOMIC_SMS, /* atomics of warps in which another one collides: one of each SM */
    WS_CONTENTION_TOPS = 3                /* the most wanted 1, 10, 100 words */
};

/* Who else wanted the word lately. */
typedef enum ws_contender { WS_OTHER_WARP, WS_OTHER_BLOCK, WS_OTHER_SM, WS_CONTENDERS } ws_contender;

typedef struct ws_contention {
    /* Of each SM's own stream. Distances begin anew with a launch, and for all blocks of an SM with a fence beyond the
     * block. */
    uint64_t updates, first;               /* first: of a line for the first time since */
    uint64_t reuse[WS_CONTENTION_BINS];    /* the others, by distance in lines of atomics; */
    uint64_t combined[WS_CONTENTION_BINS]; /* those of them whose line had the same operation last */
    uint64_t distance;                     /* their sum; */
    uint64_t beside;                       /* lines of atomics and of data used since their last update, summed */
    uint64_t strong, strong_distance;      /* those on lines with a strongly connected word */
    uint64_t mixed; /* updates of a line whose last one on this SM, fences or not, had another operation */
    uint64_t sms, lines, lines_most; /* SMs with atomics; distinct lines of each, summed; the most of one */
    /* Of all SMs in turn, a warp's atomic each. */
    uint64_t migrations;        /* updates of a line whose last one was another SM's */
    uint64_t lanes;             /* atomics of lanes; */
    uint64_t in_warp;           /* whose word another lane of the same atomic wants; */
    uint64_t by[WS_CONTENDERS]; /* whose word such another one changed within the window */
    /* Of the launch. */
    uint64_t words, strong_words, top[WS_CONTENTION_TOPS],
        most; /* words changed; lanes on the most wanted ones; on the most wanted */
} ws_contention;

/* Adds up a log. WS_EMEM. */
int ws_contention_count(const ws_atomic_log *log, ws_contention *out);

#endif
