/* sync_form.h - what does a barrier of the whole grid, or a semaphore, cost by closed forms?
 *
 * Counts and the first of two forms for times: P. Dalmia, "Reducing Synchronization and Communication Overheads in
 * GPUs", University of Wisconsin-Madison, 2023, chapter 4 as read in docs/synchronization.md; a stage is one round
 * trip. The second form, `chain`, has each access of data/workloads/harness/warpscape_sync.cuh that waits for the one
 * before. */
#ifndef WS_SYNC_FORM_H
#define WS_SYNC_FORM_H

#include <stdbool.h>

typedef enum ws_sync_barrier {
#define BARRIER(name, word, form, meaning) WS_SYNC_##name,
#include "model/mechanism/sync/sync_form.def"
#undef BARRIER
    WS_SYNC_BARRIERS
} ws_sync_barrier;

/* Where it happens. All times in core cycles. */
typedef struct ws_sync_shape {
    double sms, blocks; /* SMs with blocks, blocks of each: S, T */
    double latency;     /* of an atomic on global memory, there and back: t_L */
    double service;     /* between two atomics on one word: t_s */
    double turn;        /* of an empty loop, by which who asked in vain backs off */
    double backoff;     /* most turns of it */
    double fence;       /* what a fence of scope gpu takes, besides waiting for what the warp has under way */
    bool fence_turns;   /* those of an SM take it one after the other */
} ws_sync_shape;

/* Of an episode nobody of which asks in vain. Each that does is one swap more. */
typedef struct ws_sync_counts {
    double increments, swaps, swapped; /* of all scopes, cooperative groups' additions among the first; swapped: of the
                                          swaps, those that found what they expected */
    double local_atomics, device_atomics;
    double local_fences, device_fences;
} ws_sync_counts;

const char *ws_sync_word(ws_sync_barrier barrier);
int ws_sync_form(ws_sync_barrier barrier); /* the workloads' number of it */

ws_sync_counts ws_sync_count(ws_sync_barrier barrier, const ws_sync_shape *shape);
/* Of an episode to which all come at once. */
double ws_sync_published(ws_sync_barrier barrier, const ws_sync_shape *shape);
double ws_sync_chain(ws_sync_barrier barrier, const ws_sync_shape *shape);

/* Checks a time of the barrier, or of `blocks` blocks through the semaphore, against the bounds of model/time_bounds.h:
 * WS_EVERIFY beyond them. */
int ws_sync_check_barrier(ws_sync_barrier barrier, const ws_sync_shape *shape, double cycles);
int ws_sync_check_semaphore(const char *word, const ws_sync_shape *shape, double blocks, double cycles);

/* How long, in the mean, who backs off by 1, 3, 7, ... turns is late for what it waited for `wait` cycles: half of its
 * last wait. */
double ws_sync_overshoot(const ws_sync_shape *shape, double wait);

/* The fewest blocks of an SM, up to `most`, with which the sense-reversing barrier is faster than the cooperative one;
 * NaN: with none. */
double ws_sync_crossover(double (*time)(ws_sync_barrier, const ws_sync_shape *), const ws_sync_shape *shape,
                         unsigned most);

/* Of an application that spends `share` of its time in barriers, what a barrier gains that takes `ratio` of the time of
 * the former: of its whole time. */
double ws_sync_gain(double share, double ratio);

/* --- semaphores --- */

/* Locks that who wants to leave takes part in until it has one, in the mean, while `entrants` others ask for it at
 * random, too; and the chance that it is more than `most`. */
double ws_sync_spin_acquisitions(double entrants);
double ws_sync_spin_tail(double entrants, double most);
/* The same with priority: those of the entrants that are already `past` the test come first, each once, at most. */
double ws_sync_priority_acquisitions(double past);
/* A lock from its taking to the next one: two round trips and two fences. */
double ws_sync_hold(const ws_sync_shape *shape);
/* Until `blocks` have been through a semaphore of size 1, without what they do inside. */
double ws_sync_spin_handover(const ws_sync_shape *shape, double blocks);
double ws_sync_priority_handover(const ws_sync_shape *shape, double blocks);
/* The same with each access of warpscape_sync.cuh that waits for the one before, for blocks that come again and again:
 * a round of all of them. Spinning, who wants to leave takes part in as many locks as there are blocks, drawn at
 * random; real arbiters are no better. */
double ws_sync_spin_chain(const ws_sync_shape *shape, double blocks);
double ws_sync_priority_chain(const ws_sync_shape *shape, double blocks);

#endif
