/* race_ages.h - start of epochs and age of copies at their reuse, without race detection.
 *
 * Two walks process the accesses of a launch. The first collects the intervals between stores of an SM: the U units
 * that other SMs insert into its signature in an interval fill a signature of n units floor(U / n) times, and send none
 * if U is 0. The second walks L1s without invalidations by stores. The age of a reused copy counts the stores of its SM
 * since the fetch, and full signatures and races, which are random with the probabilities of race_form.h for that
 * number of accesses. A refetched copy is young again, to the extent of its probability. A variant takes the SM's
 * stores as random as well. There is no protocol, detector or signature.
 *
 * A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 4,
 * defines the counts. */
#ifndef WS_RACE_AGES_H
#define WS_RACE_AGES_H

#include "model/access_log.h"

#include <stdint.h>

typedef struct ws_race_ages_machine {
    uint32_t sms, residents; /* blocks that fit into an SM */
    uint32_t sets, ways;     /* of an L1 with LRU replacement */
    uint32_t hits;           /* loads that a copy may serve before it is checked */
    uint32_t depth;          /* signatures that an SM compares with */
    double units, capacity;  /* inserted by a store into a signature; capacity of a signature */
    double races;            /* epochs of the launch started by races, over all SMs: input of the walks */
} ws_race_ages_machine;

/* Expected numbers; sums over launches. */
typedef struct ws_race_aged {
    double loads, misses;     /* all loads; those without a copy */
    double expired, filtered; /* loads of copies older than the stored signatures; loads of copies within these */
    double random_expired, random_filtered; /* the same if the SM's stores were random */
    double checks;                          /* loads of copies that have served their maximum of loads */
    double writes;                          /* stores and atomics, each sent to L2 */
    double forced, signatures;              /* epochs started by a full signature; those with a nonempty one */
    double entries;                         /* units in nonempty signatures, without those of races */
} ws_race_aged;

/* State of the walks. Stores of SMs are kept between launches; signatures restart as L1s do. */
typedef struct ws_race_ages ws_race_ages;
int ws_race_ages_create(uint32_t sms, ws_race_ages **out); /* WS_EMEM; freed with destroy */
void ws_race_ages_destroy(ws_race_ages *ages);             /* accepts NULL */

/* Adds the log's accesses, in the order of access_order.h. WS_EMEM. */
int ws_race_ages_add(ws_race_ages *ages, const ws_access_log *log, const ws_race_ages_machine *machine,
                     ws_race_aged *sum);

#endif
