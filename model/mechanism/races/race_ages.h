/* race_ages.h - when do epochs begin, and how old are copies when they are used again, if nobody looks for races?
 *
 * Two walks over the accesses of a launch. The first has the intervals between stores of an SM: what the others put
 * into its signature meanwhile, U units, fills one of n floor(U / n) times, and sends none where it is 0. The second
 * goes through L1s that nobody tells of stores: a copy that is used again is as old as the stores of its SM since it
 * was fetched make it, and full signatures and races that come at random, with the probabilities of race_form.h for
 * that many accesses; one that is fetched again is young again, to the part to which it is. Beside it the same as if
 * the SM's stores came at random, too. No protocol, no detector, no signature.
 *
 * A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 4,
 * says what is counted. */
#ifndef WS_RACE_AGES_H
#define WS_RACE_AGES_H

#include "model/access_log.h"

#include <stdint.h>

typedef struct ws_race_ages_machine {
    uint32_t sms, residents; /* blocks that fit in an SM */
    uint32_t sets, ways;     /* of an L1, which gives up what was used longest ago */
    uint32_t hits;           /* loads that a copy may serve before it is checked */
    uint32_t depth;          /* signatures that an SM looks into */
    double units, capacity;  /* that a store puts into a signature; after which it is full */
    double races;            /* epochs of the launch that begin by races, of all SMs: the walks find none */
} ws_race_ages_machine;

/* Expected numbers; sums of launches add up. */
typedef struct ws_race_aged {
    double loads, misses;     /* of all; of these: find no copy */
    double expired, filtered; /* find one from more epochs ago than there are signatures, from one of these */
    double random_expired, random_filtered; /* the same if the SM's stores came at random */
    double checks;                          /* find one that has served as many as it may */
    double writes;                          /* stores and atomics, which go to L2 each */
    double forced, signatures; /* epochs that begin since a signature is full; that have one which is not empty */
    double entries;            /* of these, but for races: units in them */
} ws_race_aged;

/* What SMs have stored goes on from launch to launch, signatures begin anew as L1s do. */
typedef struct ws_race_ages ws_race_ages;
int ws_race_ages_create(uint32_t sms, ws_race_ages **out); /* WS_EMEM; freed with destroy */
void ws_race_ages_destroy(ws_race_ages *ages);             /* accepts NULL */

/* Adds what the log's accesses make, in the order of access_order.h. WS_EMEM. */
int ws_race_ages_add(ws_race_ages *ages, const ws_access_log *log, const ws_race_ages_machine *machine,
                     ws_race_aged *sum);

#endif
