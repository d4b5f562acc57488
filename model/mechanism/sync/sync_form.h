/* sync_form.h - closed forms of the cost of grid barriers and semaphores.
 *
 * Counts and the first of two forms for times: P. Dalmia, "Reducing Synchronization and Communication Overheads in
 * GPUs", University of Wisconsin-Madison, 2023, chapter 4 as read in docs/synchronization.md; a stage is one round
 * trip. The second form, `chain`, follows each dependent access of data/workloads/harness/warpscape_sync.cuh. */
#ifndef WS_SYNC_FORM_H
#define WS_SYNC_FORM_H

#include <stdbool.h>

typedef enum ws_sync_barrier {
#define BARRIER(name, word, form, meaning) WS_SYNC_##name,
#include "model/mechanism/sync/sync_form.def"
#undef BARRIER
    WS_SYNC_BARRIERS
} ws_sync_barrier;

/* Machine and launch. All times are in core cycles. */
typedef struct ws_sync_shape {
    double sms, blocks; /* SMs with blocks, blocks of each: S, T */
    double latency;     /* round trip of an atomic on global memory: t_L */
    double service;     /* between two atomics on one word: t_s */
    double turn;        /* of an empty loop, the unit of back-off after a failed attempt */
    double backoff;     /* most turns of back-off */
    double fence;       /* of a fence of scope gpu, without its wait for the warp's outstanding accesses */
    bool fence_turns;   /* fences of an SM run one after the other */
} ws_sync_shape;

/* Counts of an episode without failed attempts; each failed attempt adds a swap. */
typedef struct ws_sync_counts {
    double increments, swaps, swapped; /* of all scopes, including the additions of cooperative groups; swapped: swaps
                                          that found the expected value */
    double local_atomics, device_atomics;
    double local_fences, device_fences;
} ws_sync_counts;

const char *ws_sync_word(ws_sync_barrier barrier);
int ws_sync_form(ws_sync_barrier barrier); /* the workloads' number of it */

ws_sync_counts ws_sync_count(ws_sync_barrier barrier, const ws_sync_shape *shape);
/* Return the time of an episode with simultaneous arrivals. */
double ws_sync_published(ws_sync_barrier barrier, const ws_sync_shape *shape);
double ws_sync_chain(ws_sync_barrier barrier, const ws_sync_shape *shape);

/* Check a time of the barrier, or of `blocks` blocks through the semaphore, against the bounds of model/time_bounds.h:
 * WS_EVERIFY beyond them. */
int ws_sync_check_barrier(ws_sync_barrier barrier, const ws_sync_shape *shape, double cycles);
int ws_sync_check_semaphore(const char *word, const ws_sync_shape *shape, double blocks, double cycles);

/* Returns the mean delay of a waiter that backs off by 1, 3, 7, ... turns, after a wait of `wait` cycles: half of its
 * last back-off. */
double ws_sync_overshoot(const ws_sync_shape *shape, double wait);

/* Returns the fewest blocks of an SM, up to `most`, with which the sense-reversing barrier is faster than the
 * cooperative one; NaN: never. */
double ws_sync_crossover(double (*time)(ws_sync_barrier, const ws_sync_shape *), const ws_sync_shape *shape,
                         unsigned most);

/* Returns the gain over the whole time of an application that spends `share` of it in barriers, with a barrier that
 * takes `ratio` of the former time. */
double ws_sync_gain(double share, double ratio);

/* --- semaphores --- */

/* Return the mean number of lock acquisitions of a leaving block until it succeeds, while `entrants` others also
 * request the lock in random order; and the probability that it exceeds `most`. */
double ws_sync_spin_acquisitions(double entrants);
double ws_sync_spin_tail(double entrants, double most);
/* The same with priority: only entrants that are already `past` the test come first, at most once each. */
double ws_sync_priority_acquisitions(double past);
/* Returns the time from one acquisition of a lock to the next: two round trips and two fences. */
double ws_sync_hold(const ws_sync_shape *shape);
/* Return the time until `blocks` blocks have passed a semaphore of size 1, without their work inside. */
double ws_sync_spin_handover(const ws_sync_shape *shape, double blocks);
double ws_sync_priority_handover(const ws_sync_shape *shape, double blocks);
/* The same with each dependent access of warpscape_sync.cuh, for blocks that return repeatedly: a round of all of them.
 * With spinning, a leaving block takes part in as many random acquisitions as there are blocks; real arbiters are not
 * better. */
double ws_sync_spin_chain(const ws_sync_shape *shape, double blocks);
double ws_sync_priority_chain(const ws_sync_shape *shape, double blocks);

#endif
